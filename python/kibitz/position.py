"""Positions and records from a file or from standard input, in whatever form they come."""

from collections.abc import Mapping

from kibitz.errors import InvalidOption, InvalidPosition, KibitzError, shown
from kibitz.events import read_seat
from kibitz.game import Game, OptionValue, games
from kibitz.given import mapping
from kibitz.table import Table
from kibitz.view import View

__all__ = ["read_position", "read_tables"]


def read_position(
    text: str | bytes,
    *,
    game: str | None = None,
    seat: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
) -> View | Table:
    """A view or a table from text: the JSON of either or of a record, or a game's own notation.

    Args:
        text: What the file holds.
        game: Which game's notation; by default the one that can read it. A JSON document names its game itself,
            and this must then be the same.
        seat: Whose view is wanted; makes a view of a table, and says whose a masked record is.
        options: Of the game, for notations, which leave them open; a document must agree with them.

    Returns:
        A `View` if `seat` is given or the text shows one seat's cards only, else a `Table`.

    Raises:
        InvalidPosition: Nothing that can be read, or it breaks a rule of the game.
        UnknownGame, InvalidOption: The game, its options or the seat are not known.

    >>> table = Game("kami").deal(seed=7)
    >>> read_position(table.to_json()) == table
    True
    >>> read_position(table.to_json(), seat=2) == table.view(seat=2)
    True
    """
    options = {} if options is None else mapping("options", options)
    if game is not None:
        Game(game, options)  # says what is wrong with them before the text is looked at
    if not isinstance(text, str | bytes):
        raise InvalidPosition(f"A position is read from text, not {shown(text)}.", given=text)
    bare = _decode(text)
    if not bare:
        raise InvalidPosition("There is no position: the text is empty.", given=text)
    found = _from_json(bare) if bare[0] in "{[" else _from_notation(bare, game, seat, options)
    _agrees(found, game, options)
    if seat is None:
        return found
    number = read_seat(found.game.core, seat)
    if isinstance(found, Table):
        return found.view(seat=number)
    if found.seat != number:
        raise InvalidPosition(
            f"The view is seat {found.seat}'s, not seat {number}'s, and it cannot tell what seat {number} knows.",
            given=seat,
            allowed=(found.seat,),
        )
    return found


def read_tables(text: str | bytes) -> list[Table]:
    r"""Tables from JSON lines: one document of `Table.to_json` a line; empty lines are passed over.

    Args:
        text: What the file holds.

    Raises:
        InvalidPosition: A line is no table; it is named by its number.

    >>> table = Game("kami").deal(seed=7)
    >>> read_tables(table.to_json() + "\n" + table.to_json()) == [table, table]
    True
    """
    if not isinstance(text, str | bytes):
        raise InvalidPosition(f"Tables are read from text, not {shown(text)}.", given=text)
    found = []
    for number, line in enumerate(_decode(text).split("\n"), start=1):
        if line.strip():
            try:
                found.append(Table.from_json(line))
            except KibitzError as error:
                raise InvalidPosition(f"Line {number}: {error.message}", given=line) from error
    if not found:
        raise InvalidPosition("There are no tables: the text is empty.", given=text)
    return found


def _decode(text: str | bytes) -> str:
    from kibitz.documents import MAX_BYTES

    if len(text) > MAX_BYTES:
        raise InvalidPosition(
            f"The text has {len(text):,} bytes; at most {MAX_BYTES:,} are read.", given=len(text)
        )
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidPosition(f"The text is not UTF-8: {error.reason} at byte {error.start}.") from None
    return text.removeprefix("\N{BYTE ORDER MARK}").strip()


def _from_json(text: str) -> View | Table:
    from kibitz.documents import parse_json
    from kibitz.records import Record

    return Record.load(parse_json(text)).source  # every view and table document is a record


def _from_notation(
    text: str, chosen: str | None, seat: int | None, options: Mapping[str, OptionValue]
) -> View | Table:
    from kibitz.notation import has_reader, read

    readers = [slug for slug in games() if has_reader(slug)] if chosen is None else [chosen]
    faults: list[KibitzError] = []
    for slug in readers:
        try:
            return read(text, slug=slug, options=options, seat=seat)
        except (InvalidPosition, InvalidOption) as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    raise InvalidPosition(
        f"{shown(text)} is no JSON document, and no game's notation: "
        + " ".join(f"({slug}) {error.message}" for slug, error in zip(readers, faults, strict=True)),
        given=text,
        allowed=readers,
    )


def _agrees(found: View | Table, game: str | None, options: Mapping[str, OptionValue]) -> None:
    if game is not None and found.game.slug != game:
        raise InvalidPosition(
            f"The position is of {found.game.slug}, not of {game}.", given=found.game.slug, allowed=(game,)
        )
    here = found.game.options
    for name, value in Game(found.game.slug, {**here, **options}).options.items():
        if here[name] != value:
            raise InvalidPosition(
                f"The position is played with {name}={here[name]!r}, not {value!r}.",
                given=value,
                allowed=(here[name],),
            )
