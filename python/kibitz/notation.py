"""From a game's own notation (`kibitz.games.<slug>`) to tables and views.

A module there offers either `read(text, *, game, seat)`, which gives the table or view itself, or `parse_history` (and,
for files, `parse_kifu`), which give records of rounds; these are replayed here, so that the rules check them. One that
offers neither has texts of events only (`kibitz.events`).
"""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from kibitz.errors import InvalidPosition
from kibitz.game import Game, OptionValue
from kibitz.table import Table
from kibitz.view import View

__all__ = ["has_reader", "read"]


class RoundRecord(Protocol):
    """One round as a reader gives it; `x` stands for a card that is not known."""

    @property
    def players(self) -> int: ...
    @property
    def hands(self) -> Sequence[str]: ...
    @property
    def first(self) -> int: ...
    @property
    def aside(self) -> str | None: ...
    @property
    def stacks(self) -> Sequence[str] | None: ...
    @property
    def events(self) -> Sequence[tuple[int | None, str]]: ...
    @property
    def totals(self) -> Sequence[int] | None: ...


def has_reader(slug: str) -> bool:
    """Whether the game has a notation of its own.

    >>> has_reader("kami"), has_reader("thecrew")
    (True, False)
    """
    name = f"kibitz.games.{slug}"
    if importlib.util.find_spec(name) is None:
        return False
    module = importlib.import_module(name)
    return hasattr(module, "read") or hasattr(module, "parse_history")


def read(text: str, *, slug: str, options: Mapping[str, OptionValue], seat: int | None) -> View | Table:
    """A table or a view from a record in a game's notation.

    Args:
        text: The record; several rounds become one match.
        slug: Whose notation, one of `kibitz.games()`.
        options: Of the game; the number of players is the record's if it is not among them.
        seat: Whose view, where cards are masked; None for the one seat whose hand is shown.

    Returns:
        A table if all cards are known, else a view. A table whose record ends where chance is to act has
        `chance="manual"`: it does not make up what the record leaves open.

    Raises:
        InvalidPosition: Not the game's notation, or it breaks a rule; or masked for nobody in particular.

    >>> table = read("11113477,12344568,11123368,11224555,s2,234", slug="kami", options={}, seat=None)
    >>> table.turn, table.record[-2:]
    (2, ['1:d3', '1:a4'])
    """
    if not has_reader(slug):
        raise InvalidPosition(f"{slug} has no notation of its own; a position of it is a JSON document.")
    reader = importlib.import_module(f"kibitz.games.{slug}")
    if hasattr(reader, "read"):
        found: View | Table = reader.read(text, game=Game(slug, options), seat=seat)
        return found
    redeal = options.get("redeal", True) is True
    rounds: Sequence[RoundRecord]
    if hasattr(reader, "parse_kifu") and (":" in text):
        rounds = reader.parse_kifu(text, redeal=redeal)
    else:
        rounds = [reader.parse_history(text, redeal=redeal)]
    if not rounds:
        raise InvalidPosition("The record has no round.", given=text)
    chosen = {"players": rounds[0].players, **options}
    game = Game(slug, chosen)
    if game.seats != rounds[0].players:
        raise InvalidPosition(
            f"The record has {rounds[0].players} hands; the game was chosen with {game.seats} seats.",
            given=rounds[0].players,
            allowed=(game.seats,),
        )
    if any("x" in cards for each in rounds for cards in _cards(each)):
        if len(rounds) > 1:
            raise InvalidPosition("A record with masked cards is of one round; this has several.")
        return _view(game, rounds[0], seat)
    return _table(game, rounds)


def _cards(each: RoundRecord) -> list[str]:
    """All texts in which an unknown card would show."""
    return [*each.hands, each.aside or "", *(each.stacks or ()), *(text for _, text in each.events)]


def _table(game: Game, rounds: Sequence[RoundRecord]) -> Table:
    """One match, replayed round by round."""
    first = rounds[0]
    start: dict[str, Any] = {"hands": list(first.hands), "first": first.first}
    if first.totals is not None:
        start["totals"] = list(first.totals)
    if first.aside is not None:
        start["aside"] = first.aside
    if first.stacks is not None:
        start["stacks"] = list(first.stacks)
    record = _texts(first)
    for number, each in enumerate(rounds[1:], 2):
        before = Table(game, start, chance="manual", record=record)
        if each.totals is not None and list(each.totals) != before.score():
            raise InvalidPosition(
                f"Round {number} begins with totals {list(each.totals)}; after the rounds before it they are "
                f"{before.score()}.",
                given=list(each.totals),
                allowed=(before.score(),),
            )
        record += [f"*:deal {hand}" for hand in each.hands] + _texts(each)
    table = Table(game, start, chance="manual", record=record)
    return table if table.turn == "chance" else Table(game, start, record=record)


def _view(game: Game, each: RoundRecord, seat: int | None) -> View:
    """What a seat knows, from a record that may tell it too much but not too little."""
    open_hands = [number for number, hand in enumerate(each.hands) if "x" not in hand]
    if seat is None and len(open_hands) != 1:
        raise InvalidPosition(
            f"The record shows the hands of {len(open_hands)} of {each.players} seats; seat must say whose view it is.",
            allowed=open_hands,
        )
    seat = open_hands[0] if seat is None else seat
    if seat not in open_hands:
        raise InvalidPosition(
            f"The record does not show the hand of seat {seat}, so it cannot tell what that seat knows.",
            given=seat,
            allowed=open_hands,
        )
    start: dict[str, Any] = {"hand": each.hands[seat], "first": each.first}
    if each.totals is not None:
        start["totals"] = list(each.totals)
    if each.aside is not None:
        own = (
            seat - each.first - 1
        ) % each.players  # the second player looked at the first card, the third at the other
        start["aside"] = "".join(card if place == own else "x" for place, card in enumerate(each.aside))
    if each.stacks is not None:
        start["stacks"] = [cards[0] + "x" for cards in each.stacks]
    return game.view(seat=seat, start=start, record=_texts(each), mask=True)


def _texts(each: RoundRecord) -> list[str]:
    """The events of a round as a record has them; what the source leaves open at its end is left out."""
    events = list(each.events)
    while events and events[-1][0] is None and events[-1][1].endswith(" x"):
        events.pop()
    return [f"{'*' if seat is None else seat}:{_masked(seat, text)}" for seat, text in events]


def _masked(seat: int | None, text: str) -> str:
    """A dealt hand of which a card is not known is, to the rules, a hidden one."""
    return "deal x" if seat is None and text.startswith("deal ") and "x" in text else text
