"""`kibitz best`: the strongest move in a position, and why."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz best kami-answer",
    "kibitz best kami-lead --ms 300 --threads 2",
    "kibitz best kami-answer --clock 4s+1s",
    "kibitz best kami-lead --iterations 5000 --tune bias=0.1",
    "kibitz best kami-table --seat 2 --iterations 20000 --json",
    "echo 'xxxxxxxx,xxxxxxxx,11124678,xxxxxxxx,s3' | kibitz best - --search flat",
)


@app.command(epilog=EXAMPLES)
def best(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A file, - for standard input, or a shipped example (`kibitz games --examples`): a view or a table "
            "as JSON, or a record in the game's notation.",
        ),
    ],
    ms: Annotated[
        float | None, typer.Option(min=1, metavar="N", help="Milliseconds.  [default: 1000]")
    ] = None,
    iterations: shared.Iterations = None,
    nodes: shared.Nodes = None,
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="What is on the seat's clock, such as 60s+1s; the search takes a share of it.",
        ),
    ] = None,
    search: shared.Search = "ismcts",
    threads: shared.Threads = 1,
    seed: shared.Seed = 0,
    playout: shared.Playout = "auto",
    utility: shared.Utility = "auto",
    tune: shared.Tune = None,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Whose view, from 0.  [default: the seat to move]")
    ] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Say the strongest move for one seat, and why.

    Every legal move is listed with its share of the visits, its mean utility with a 95 % interval, and what the
    engine expects to follow. Only what the seat may know is used, also where the position has all hands.
    """
    from kibitz.analysis import analyse
    from kibitz.game import read_seed
    from kibitz.settings import POLICIES, Settings

    spend = shared.budget(ms=ms, iterations=iterations, nodes=nodes, clock=clock, default_ms=1000)
    settings = Settings(
        search=search,
        ms=spend.ms,
        iterations=spend.iterations,
        nodes=spend.nodes,
        clock=spend.clock,
        threads=threads,
        playout=playout,
        utility=utility,
        tuning=shared.tuning(tune),
    )
    view = shared.read_view(position, seat, option)
    read_seed(seed)  # refused before anything is printed
    settings.check(view)
    if not json:
        work = "" if search in POLICIES else f", {spend.text()}"
        typer.echo(f"{view.draw().rstrip()}\n\nSeat {view.seat} to move: {search}{work}, seed {seed}.\n")
    found = analyse(view, settings, seed=seed)
    if json:
        shared.print_json(found.to_dict() | {"explanation": found.explain()})
        return
    shared.print_table(found)
    typer.echo(f"\n{found.explain()}")
    if found.iterations:
        typer.echo(
            f"{found.iterations:,} iterations in {found.seconds:.2f} s ({found.ips:,.0f}/s), {found.worlds:,} worlds, "
            f"{found.nodes:,} nodes, {found.bytes / 1e6:,.1f} MB."
        )
