"""`kibitz match`: bots against each other over duplicate deals."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz match kami --bots greedy,random --games 200",
    "kibitz match kami --bots ismcts:iterations=200,playout=hint,greedy --games 10 --option rounds=1",
    "kibitz match kami --bots flat,greedy --iterations 100 --games 8 --seed 5 --workers 2 -o rounds=1 --json",
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
        int, typer.Option(min=1, metavar="N", help="How many, rounded up to whole deals.")
    ] = 100,
    seed: shared.Seed = 0,
    ms: Annotated[
        float | None,
        typer.Option(min=1, metavar="N", help="Milliseconds a move of bots that name none.  [default: 50]"),
    ] = None,
    iterations: shared.Iterations = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes.  [default: 1]")] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Play bots against each other over duplicate deals.

    Every deal is played once in each rotation of the seats, so that the luck of the deal cancels out; results come
    with 95 % intervals.
    """
    from kibitz.matches import match as play

    found = shared.bots(bots, shared.budget(ms=ms, iterations=iterations, default_ms=50))
    result = play(
        shared.load(game, option),
        found,
        games=games,
        seed=seed,
        workers=workers,
        progress=False if json else None,
    )
    if json:
        shared.print_json(result.to_dict())
        return
    shared.print_table(result)
    for note in result.notes():
        typer.echo(note)
