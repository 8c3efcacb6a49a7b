"""`kibitz perft`: the leaves at each depth, every move and outcome tried."""

from time import perf_counter
from typing import Annotated, Any

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz perft kami --depth 5",
    "kibitz perft kami --depth 3 --seed 2 --divide --option players=2",
    "kibitz perft kami --position kami-table --depth 4 --json",
)


@app.command(epilog=EXAMPLES)
def perft(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name from `kibitz games`.")],
    depth: Annotated[
        int,
        typer.Option(
            min=1, max=1000, metavar="N", help="Decisions deep; outcomes of chance on the way count none."
        ),
    ] = 4,
    seed: Annotated[int | None, typer.Option(min=0, metavar="N", help="Which deal.  [default: 0]")] = None,
    position: Annotated[
        str | None, typer.Option(metavar="FILE", help="A table with all hands known, in place of a deal.")
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="The leaves under each first move.")] = False,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Count the leaves of the game tree.

    Every move and outcome below one position is tried, to the end of a round at most: a check of the rules, and of
    their speed.
    """
    from kibitz import _core

    if position is not None and seed is not None:
        raise typer.BadParameter("a --position has its cards already.", param_hint="--seed")
    if position is None:
        table = shared.load(game, option).deal(seed=seed or 0, chance="manual")
    else:
        table = shared.read_table(position, option, game=game)
    depths: list[dict[str, Any]] = []
    split: list[tuple[int, int]] = []
    for each in range(1, depth + 1):
        start = perf_counter()
        split = _core.perft(table.core, each)
        seconds = perf_counter() - start
        depths.append({"depth": each, "leaves": sum(leaves for _, leaves in split), "seconds": seconds})
    first = {table.game.core.move_text(code): leaves for code, leaves in split}
    if json:
        document = {
            "game": table.game.slug,
            "options": table.game.options,
            "digest": f"{table.core.digest:016x}",
            "depths": depths,
        }
        shared.print_json(document | ({"divide": first} if divide else {}))
    else:
        print_depths(depths)
        if divide:
            print_divide(first, depth)


def print_depths(depths: list[dict[str, Any]]) -> None:
    from kibitz.layout import Layout

    rows = [
        (
            str(each["depth"]),
            f"{each['leaves']:,}",
            f"{each['seconds']:.3f}",
            f"{each['leaves'] / max(each['seconds'], 1e-9):,.0f}",
        )
        for each in depths
    ]
    header = ("depth", "leaves", "seconds", "leaves/s")
    shared.print_table(Layout(header, rows, right=header))


def print_divide(first: dict[str, int], depth: int) -> None:
    from kibitz.layout import Layout

    typer.echo("")
    header = ("first", f"leaves at depth {depth}")
    shared.print_table(
        Layout(header, [(text, f"{leaves:,}") for text, leaves in first.items()], right=header[1:])
    )
