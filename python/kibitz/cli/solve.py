"""`kibitz solve`: what everybody can have with open hands."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz solve kami-table",
    "kibitz solve kami-table --nodes 1000000 --json",
)


@app.command(epilog=EXAMPLES)
def solve(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A file, - for standard input, or a shipped example: a table with all hands known.",
        ),
    ],
    nodes: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Positions looked at, at most.  [default: no bound]"),
    ] = None,
    memory: Annotated[int, typer.Option(min=1, metavar="MB", help="Of its tables.")] = 256,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Solve a position in which everybody sees all hands.

    Says what each seat can have under best play, what each legal move leads to, and one line of best play: for looking
    back at a deal. Exit code 1 if the bound on nodes ended it.
    """
    from kibitz.solving import solve as solved
    from kibitz.table import Table

    table = shared.read_position(position, option)
    if not isinstance(table, Table):
        raise typer.BadParameter(
            f"{position} is what seat {table.seat} knows; all hands must be known.", param_hint="POSITION"
        )
    found = solved(table, nodes=nodes, max_bytes=memory << 20)
    if json:
        shared.print_json(found.to_dict())
    else:
        typer.echo(f"{table.draw().rstrip()}\n")
        if found.values is None:
            typer.echo(f"Not solved within {found.nodes:,} positions.")
        else:
            if found.moves:
                typer.echo(f"{found.table()}\n")
            values = ", ".join(f"seat {seat} {value}" for seat, value in enumerate(found.values))
            typer.echo(f"With open hands ({found.unit}): {values}. {found.nodes:,} positions looked at.")
            typer.echo(f"Best play: {' '.join(found.line) or 'none'}")
    if not found.solved:
        raise typer.Exit(1)
