"""Events of a record: `"1:d3"` for seat 1, `"*:deal 11123457"` for chance; and whose turn it is.

The core speaks in numbers (actor, code), people and files in texts; this is the one place where they meet. One text
may stand for several outcomes in a row (`"*:tasks P3 B9"`), if a game's module in `kibitz.games` names such words in
`JOINED`; they are read here, and written one by one.
"""

import importlib
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias

from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError, shown
from kibitz.given import as_whole

__all__ = [
    "Turn",
    "actor_name",
    "event_text",
    "read_event",
    "read_events",
    "read_moves",
    "read_seat",
    "turn_of",
]

MAX_JOINED = 64  # outcomes in one text; ten tasks are the most that a game has

Turn: TypeAlias = int | Literal["chance"] | None
"""A seat; `"chance"` when an outcome is awaited; None when the game is over."""


def turn_of(actor: int) -> Turn:
    """The core's number of an actor as people see it."""
    if actor == _core.CHANCE:
        return "chance"
    return None if actor == _core.OVER else actor


def actor_name(actor: int) -> str:
    """`"seat 2"`, `"chance"` or `"nobody"`, for sentences."""
    if actor == _core.CHANCE:
        return "chance"
    return "nobody" if actor == _core.OVER else f"seat {actor}"


def event_text(game: _core.Game, actor: int, code: int) -> str:
    """The text of an event in a record."""
    return f"{'*' if actor == _core.CHANCE else actor}:{game.move_text(code)}"


def event_texts(game: _core.Game, events: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """The texts of several events, as in a principal line."""
    return tuple(event_text(game, actor, code) for actor, code in events)


def read_event(game: _core.Game, text: object) -> tuple[int, int]:
    """Actor and code of a single event, checked by form only.

    Raises:
        IllegalMove: No actor before a colon, no such seat, or no text of a move.
    """
    actor, move_text = _split(game, text)
    return actor, parse_move(game, move_text)


def read_events(game: _core.Game, text: object) -> list[tuple[int, int]]:
    """Actor and code of an event, or of each outcome that a joined text stands for, checked by form only.

    Raises:
        IllegalMove: As `read_event`.

    >>> def texts(text):
    ...     return event_texts(game, read_events(game, text))
    >>> game = _core.Game("thecrew", {})
    >>> texts("*:tasks P3 B9"), texts("2:take P3")
    (('*:task P3', '*:task B9'), ('2:take P3',))
    """
    actor, move_text = _split(game, text)
    return [(actor, code) for code in read_moves(game, actor, move_text)]


def read_moves(game: _core.Game, actor: int, text: object) -> list[int]:
    """The code of a move, or of each outcome that a joined text stands for, checked by form only.

    Raises:
        IllegalMove: No text of a move of this game.
    """
    word, _, rest = text.partition(" ") if isinstance(text, str) else ("", "", "")
    single = _joined_words(game.slug).get(word) if actor == _core.CHANCE else None
    if single is None:
        return [parse_move(game, text)]
    items = rest.split(" ")
    if len(items) > MAX_JOINED:
        raise IllegalMove(
            f"{shown(text)} joins {len(items):,} outcomes; at most {MAX_JOINED} are read.", given=text
        )
    return [parse_move(game, f"{single} {item}") for item in items]


def _split(game: _core.Game, text: object) -> tuple[int, str]:
    """The actor of an event and the text of its move."""
    actor_text, colon, move_text = text.partition(":") if isinstance(text, str) else ("", "", "")
    if actor_text == "*":
        actor = _core.CHANCE
    elif colon and actor_text.isascii() and actor_text.isdecimal() and len(actor_text) <= 2:
        actor = int(actor_text)
    else:
        raise IllegalMove(
            f"{shown(text)} is no event; an event is '<seat>:<move>' or '*:<outcome>', such as '1:{_example(game)}'.",
            given=text,
        )
    if actor >= game.seats:
        raise IllegalMove(
            f"{shown(text)} names seat {actor}; {game.slug} has seats 0 to {game.seats - 1} here.",
            given=text,
            allowed=range(game.seats),
        )
    return actor, move_text


@cache
def _joined_words(slug: str) -> Mapping[str, str]:
    """The words of a game that stand for several outcomes in a row, each with the word of a single one."""
    name = f"kibitz.games.{slug}"
    module = importlib.import_module(name) if importlib.util.find_spec(name) else None
    words: Mapping[str, str] = getattr(module, "JOINED", {})
    return words


def is_event(text: object) -> bool:
    """Whether it has the form of an event and not of a bare move."""
    if not isinstance(text, str):
        return False
    head, colon, _ = text.partition(":")
    return bool(colon) and (head == "*" or (head.isascii() and head.isdecimal()))


def parse_move(game: _core.Game, text: object) -> int:
    """The code of a move or outcome, checked by form only.

    Raises:
        IllegalMove: No text of a move of this game.
    """
    if not isinstance(text, str):
        raise IllegalMove(f"A move is a text, not {shown(text)}.", given=text)
    if not text.isascii():
        raise IllegalMove(f"{shown(text)} is no move of {game.slug}: moves are plain ASCII.", given=text)
    return game.parse_move(text)


def record_fault(index: int, event: object, error: KibitzError) -> InvalidPosition:
    """The error of a whole record, from the error of its event `index`; raise it `from` that error."""
    what = shown(event)
    said = error.message if error.message.startswith(what) else f"{what}: {error.message}"
    return InvalidPosition(f"record[{index}] {said}", given=event, allowed=error.allowed, rule=error.rule)


def check_record(record: object) -> None:
    """Refuses what is no list of events at all.

    Raises:
        InvalidPosition: A text, or no sequence.
    """
    if isinstance(record, str | bytes) or not isinstance(record, Sequence):
        raise InvalidPosition(f"A record is a list of events, not {shown(record)}.", given=record)


def read_seat(game: _core.Game, seat: object) -> int:
    """A seat number of the game, any integer type.

    Raises:
        InvalidOption: Not a whole number, or no seat of this game.
    """
    number = as_whole(seat)
    if number is None or not 0 <= number < game.seats:
        raise InvalidOption(
            f"seat cannot be {shown(seat)}; {game.slug} has seats 0 to {game.seats - 1} here.",
            given=seat,
            allowed=range(game.seats),
        )
    return number


def _example(game: _core.Game) -> str:
    """A move of the game, to show the form."""
    state = game.deal(0)
    return game.move_text(state.moves()[0])
