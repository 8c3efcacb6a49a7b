"""`kibitz odds`: where the hidden cards may lie."""

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import shared

if TYPE_CHECKING:
    from kibitz.view import View

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz odds kami-answer",
    "kibitz odds kami-answer --at-least 2 --worlds 500",
    "kibitz odds crew-card --worlds 500 --json",
    "kibitz odds kami-table --seat 0 --worlds 500 --seed 3",
)


@app.command(epilog=EXAMPLES)
def odds(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A file, - for standard input, or a shipped example (`kibitz games --examples`): a view or a table "
            "as JSON, or a record in the game's notation.",
        ),
    ],
    worlds: Annotated[int, typer.Option(min=1, metavar="N", help="How many are drawn.")] = 1000,
    at_least: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many copies, where a card is there several times.")
    ] = 1,
    seed: shared.Seed = 0,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Whose view, from 0.  [default: the seat to move]")
    ] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Say how probable it is that a hidden card lies in this hand or that place.

    Worlds are drawn uniformly from all that fit what the seat knows, and the shares are of these, with their standard
    errors. What may be concluded from how others play does not go in. It need not be the seat's turn.
    """
    view = read_view(position, seat, option)
    found = view.odds(worlds=worlds, seed=seed)
    if json:
        shared.print_json(found.to_dict())
        return
    typer.echo(f"{view.draw().rstrip()}\n")
    if found.places:
        shared.print_table(found.layout(at_least=at_least))
        typer.echo("")
    for note in found.notes():
        typer.echo(note)


def read_view(source: str, seat: int | None, items: list[str] | None) -> "View":
    """What one seat knows, whoever is to move; by default the seat to move."""
    from kibitz.errors import InvalidPosition
    from kibitz.table import Table

    found = shared.read_position(source, items)
    if isinstance(found, Table):
        if seat is None and not isinstance(found.turn, int):
            raise InvalidPosition(f"No seat is to act in {source}: say whose view is meant with --seat.")
        return found.view(seat=seat)
    if seat not in (None, found.seat):
        raise InvalidPosition(f"{source} is what seat {found.seat} knows, not seat {seat}.", given=seat)
    return found
