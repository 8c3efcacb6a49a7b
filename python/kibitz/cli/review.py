"""`kibitz review`: which decisions of a game lost something."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz review kami-round --option rounds=1",
    "kibitz review kami-round --seats 1,3 --ms 50",
    "kibitz review kami-round.json --seats 2 --iterations 2000 --json",
)


@app.command(epilog=EXAMPLES)
def review(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            help="A file, - for standard input, or a shipped example: as for `best`, with the moves played.",
        ),
    ],
    ms: Annotated[
        float | None, typer.Option(min=1, metavar="N", help="Milliseconds a decision.  [default: 200]")
    ] = None,
    iterations: shared.Iterations = None,
    search: Annotated[str, typer.Option(metavar="NAME", help="ismcts, moismcts, mcts or flat.")] = "ismcts",
    threads: shared.Threads = 1,
    seed: shared.Seed = 0,
    playout: shared.Playout = "auto",
    utility: shared.Utility = "auto",
    seats: Annotated[str | None, typer.Option(metavar="N,M", help="Whose decisions.  [default: all]")] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Find the decisions of a game that lost something.

    Each is judged by what its seat knew at the time: what the engine would have played there, and what the move
    played lost against it, with a 95 % interval. Marks ?!, ? and ?? go by the lower end of that interval. Forced
    moves are left out.
    """
    from kibitz.reviews import review as look

    spend = shared.budget(ms=ms, iterations=iterations, default_ms=200)
    source = shared.read_position(record, option)
    found = look(
        source,
        seats=None if seats is None else shared.seat_list(seats),
        search=search,
        ms=spend.ms,
        iterations=spend.iterations,
        threads=threads,
        seed=seed,
        playout=playout,
        utility=utility,
        progress=False if json else None,
    )
    if json:
        shared.print_json(found.to_dict())
        return
    typer.echo(f"{search}, {spend.text(' a decision')}, seed {seed}.")
    typer.echo("Losses are in utility: a sure win is 1 above a sure defeat.\n")
    shared.print_table(found)
    typer.echo(f"\n{found.summary_table()}")
    limits = ", ".join(f"{mark} from {least:.0%}" for mark, least in found.marks.items())
    typer.echo(f"\nMarks: {limits} of what was at stake, by the lower end of the interval.")
