"""`kibitz match`: bots against each other over duplicate deals."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import shared

if TYPE_CHECKING:
    from kibitz.match_result import MatchResult

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz match kami --bots greedy,random --games 200",
    "kibitz match kami --bots ismcts:iterations=200,playout=hint,greedy --games 10 --option rounds=1",
    "kibitz match connect_four --bots ismcts:clock=1s+10ms,ismcts:iterations=500 --games 2",
    "kibitz match kami --bots flat,greedy --iterations 100 --games 8 --seed 5 --workers 2 -o rounds=1 --json",
    "kibitz match kami --bots greedy,random --sprt 0.5:0.6 -o rounds=1",
    "kibitz match thecrew --bots greedy,random --games 100 --each mission=1-10",
    "kibitz match thecrew --bots ismcts:iterations=300,greedy --tables crew-deals --games 20",
)


@app.command(epilog=EXAMPLES)
def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name from `kibitz games`.")],
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="One a team or one a seat, each name[:key=value,...]; keys are those of kibitz.Bot, such as ms, "
            "iterations, playout, seed, name.",
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How many, rounded up to whole deals; with --sprt at most.  [default: 100, or once from each "
            "table; with --sprt 20000]",
        ),
    ] = None,
    seed: shared.Seed = 0,
    ms: Annotated[
        float | None,
        typer.Option(min=1, metavar="N", help="Milliseconds a move of bots that name none.  [default: 50]"),
    ] = None,
    iterations: shared.Iterations = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes.  [default: 1]")] = None,
    tables: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Play from these positions: one JSON table a line; - for stdin."),
    ] = None,
    each: Annotated[
        str | None,
        typer.Option(
            metavar="K=A,B", help="A match for each value of an option, such as mission=1-10 or players=3,4."
        ),
    ] = None,
    journal: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every finished game here; go on from what is there."),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH",
            help="End as soon as a sequential test tells these two shares of the points for the first bot apart; "
            "[:ALPHA[:BETA]] are its errors, 0.05 each.",
        ),
    ] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Play bots against each other over duplicate deals.

    Every deal is played once in each rotation of the seats, so that the luck of the deal cancels out; results come
    with 95 % intervals.
    """
    from kibitz.matches import match as play
    from kibitz.sprt import Sprt
    from kibitz.sweeps import Sweep, sweep

    test = None if sprt is None else Sprt.parse(sprt)
    found = shared.bots(bots, shared.budget(ms=ms, iterations=iterations, default_ms=50))
    progress = False if json else None
    result: MatchResult | Sweep
    if each is not None:
        if tables is not None or journal is not None:
            raise typer.BadParameter("goes with neither --tables nor --journal.", param_hint="--each")
        if test is not None:
            raise typer.BadParameter("goes not with --each.", param_hint="--sprt")
        name, values = shared.each(game, each)
        fixed: dict[str, Any] = shared.options(game, option)
        result = sweep(
            game,
            found,
            option=name,
            values=values,
            games=games or 100,
            seed=seed,
            workers=workers,
            progress=progress,
            **fixed,
        )
    elif tables is not None:
        positions = shared.read_tables(tables, option, game=game)
        result = play(
            positions[0].game,
            found,
            games=games,
            tables=positions,
            seed=seed,
            workers=workers,
            journal=journal,
            progress=progress,
            sprt=test,
        )
    else:
        result = play(
            shared.load(game, option),
            found,
            games=games or (100 if test is None else 20_000),
            seed=seed,
            workers=workers,
            journal=journal,
            progress=progress,
            sprt=test,
        )
    if json:
        shared.print_json(result.to_dict())
        return
    shared.print_table(result)
    for note in result.notes():
        typer.echo(note)
