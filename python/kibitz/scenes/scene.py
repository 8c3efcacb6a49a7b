"""Scenes: a position as zones of cards, boards and facts, with a spoken name for everything.

A scene of a view is built from what the view knows and from nothing else: its plain values, its legal moves and its
drawing. So two views that know the same have the same scene, whatever the truth behind them is. A scene of a table has
open hands.

A game's own module here, `kibitz.scenes.<slug>`, has a function `drawing_of(sight)`, from what is looked at to what is
shown, and, where moves write a card otherwise than it is drawn, `spelling_of(card)`. A game without one is shown as its
text drawing with its fields.
"""

import importlib
import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from kibitz import _core
from kibitz.errors import printable
from kibitz.events import Turn

if TYPE_CHECKING:
    from kibitz.game import Game
    from kibitz.table import Table
    from kibitz.view import View

__all__ = [
    "Card",
    "Cell",
    "Color",
    "Drawing",
    "Face",
    "Fact",
    "Grid",
    "Role",
    "Scene",
    "Sight",
    "Zone",
    "is_drawn",
    "scene_of",
    "spelling_of",
    "zones_of",
]

Color: TypeAlias = Literal[
    "blue", "green", "pink", "yellow", "red", "black", "white", "gray", "gold", "plain"
]
Face: TypeAlias = Literal["up", "down", "hidden"]
Role: TypeAlias = Literal["hand", "trick", "table", "tasks", "board", "facts", "record"]

MAX_VALUE = 160  # characters of a fact about a game without a drawing of its own


@dataclass(frozen=True)
class Card:
    """A card, or several that are alike.

    Attributes:
        text: What is printed on it; empty if it is hidden.
        suit: Its suit in a word, where the game has suits.
        color: A token that a renderer turns into its own colour.
        face: `"up"`: seen by all, or the reader's own. `"down"`: face-down, but the reader knows it. `"hidden"`: not
            known.
        count: How many cards alike.
        marks: Short words at the card: who played it, what was said of it.
        label: How it is read aloud.
        move: The legal move that playing it is; None unless there is exactly one. Showing a card, offering a task and
            moving a token are no such moves: a card stays where it is.
    """

    text: str
    label: str
    color: Color = "plain"
    suit: str | None = None
    face: Face = "up"
    count: int = 1
    marks: tuple[str, ...] = ()
    move: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "text": self.text,
            "suit": self.suit,
            "color": self.color,
            "face": self.face,
            "count": self.count,
            "marks": list(self.marks),
            "label": self.label,
            "move": self.move,
        }


@dataclass(frozen=True)
class Cell:
    """A place on a board.

    Attributes:
        text: What lies there; empty if nothing does.
        color: A token, as of a card.
        marks: Short words at it.
        label: How it is read aloud.
        move: The legal move that choosing it is, or None.
    """

    text: str
    label: str
    color: Color = "plain"
    marks: tuple[str, ...] = ()
    move: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "text": self.text,
            "color": self.color,
            "marks": list(self.marks),
            "label": self.label,
            "move": self.move,
        }


@dataclass(frozen=True)
class Grid:
    """A board: rows of cells, the uppermost first; None where the board has no place."""

    cells: tuple[tuple[Cell | None, ...], ...]

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(self.cells)

    @property
    def columns(self) -> int:
        """How many columns; all rows have as many."""
        return len(self.cells[0]) if self.cells else 0

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        cells = [[cell and cell.to_dict() for cell in row] for row in self.cells]
        return {"rows": self.rows, "columns": self.columns, "cells": cells}


@dataclass(frozen=True)
class Fact:
    """A name and what it is now: `Fact("tricks won", "2")`."""

    name: str
    value: str

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"name": self.name, "value": self.value}


@dataclass(frozen=True)
class Zone:
    """Things that lie together.

    Attributes:
        label: What it is, and whose: `"seat 2, commander"`.
        role: What kind of place it is.
        seat: Whose it is; None if nobody's.
        own: Whether it is the reader's.
        active: Whether its seat is to act.
        cards: In the order in which they lie.
        grid: A board, or None.
        facts: What is to be said about it.
    """

    label: str
    role: Role
    seat: int | None = None
    own: bool = False
    active: bool = False
    cards: tuple[Card, ...] = ()
    grid: Grid | None = None
    facts: tuple[Fact, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "label": self.label,
            "role": self.role,
            "seat": self.seat,
            "own": self.own,
            "active": self.active,
            "cards": [card.to_dict() for card in self.cards],
            "grid": self.grid and self.grid.to_dict(),
            "facts": [fact.to_dict() for fact in self.facts],
        }


@dataclass(frozen=True)
class Scene:
    """What is seen of a position.

    Attributes:
        title: The game.
        subtitle: How far it is, and who is to do what.
        alt: One or two sentences that tell the whole situation.
        zones: From the far side of the table to the reader's.
        notes: Sentences that belong to no zone.
        text: The drawing for a terminal.
    """

    title: str
    subtitle: str
    alt: str
    zones: tuple[Zone, ...]
    notes: tuple[str, ...]
    text: str

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON.

        >>> import kibitz
        >>> scene = scene_of(kibitz.load("tic_tac_toe").deal(seed=1))
        >>> sorted(scene.to_dict())
        ['alt', 'notes', 'subtitle', 'text', 'title', 'zones']
        """
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "alt": self.alt,
            "zones": [zone.to_dict() for zone in self.zones],
            "notes": list(self.notes),
            "text": self.text,
        }


@dataclass(frozen=True)
class Drawing:
    """What a game says of its position; the rest of a scene is the same for all games. As in `Scene`.

    An empty `title` is the game's name.
    """

    subtitle: str
    alt: str
    zones: tuple[Zone, ...]
    notes: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Sight:
    """What is looked at, as plain values: all that a game's drawing is made from.

    Attributes:
        slug: The game.
        name: How people call it.
        options: All options with their values.
        seats: How many.
        teams: The team of each seat.
        seat: The reader's; None if all hands are open.
        turn: Who is to act.
        legal: The moves that the reader may make now; with open hands, those of the seat to act.
        facts: The position's fields (`game.info["start"]`, or with open hands `game.info["setup"]`).
        text: The drawing for a terminal.
    """

    slug: str
    name: str
    options: Mapping[str, Any]
    seats: int
    teams: tuple[int, ...]
    seat: int | None
    turn: Turn
    legal: tuple[str, ...]
    facts: Mapping[str, Any]
    text: str
    _allowed: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_allowed", frozenset(self.legal))

    @property
    def order(self) -> tuple[int, ...]:
        """The seats as they sit: those after the reader first, the reader last."""
        start = 0 if self.seat is None else self.seat + 1
        return tuple((start + place) % self.seats for place in range(self.seats))

    def move(self, *texts: str) -> str | None:
        """The one of these moves that is legal; None if there is none, or more than one."""
        found = [text for text in texts if text in self._allowed]
        return found[0] if len(found) == 1 else None

    def label(self, seat: int, *roles: str) -> str:
        """A seat and what it is: `"seat 2 (you), commander"`."""
        you = " (you)" if seat == self.seat else ""
        return ", ".join([f"seat {seat}{you}", *(role for role in roles if role)])

    def said(self, seat: int) -> str:
        """A seat inside a sentence: `"you"` for the reader."""
        return "you" if seat == self.seat else f"seat {seat}"

    def zone(
        self,
        seat: int,
        *roles: str,
        cards: Iterable[Card] = (),
        facts: Iterable[Fact] = (),
        active: bool | None = None,
    ) -> Zone:
        """A seat's hand. It is active when it is that seat's turn, unless something else is said."""
        return Zone(
            label=self.label(seat, *roles),
            role="hand",
            seat=seat,
            own=seat == self.seat,
            active=seat == self.turn if active is None else active,
            cards=tuple(cards),
            facts=tuple(facts),
        )


class Drawer(Protocol):
    """How a game draws itself."""

    def __call__(self, sight: Sight) -> Drawing: ...


def scene_of(position: "View | Table") -> Scene:
    """What is seen of a position: by the seat of a view, or of a table with open hands.

    Args:
        position: A view shows what its seat knows and no more; a table shows everything.

    >>> import kibitz
    >>> table = kibitz.load("thecrew", mission=4).deal(seed=7)
    >>> scene = scene_of(table.view(seat=1))
    >>> [zone.label for zone in scene.zones if zone.role == "hand"]
    ['seat 2', 'seat 3', 'seat 0, commander', 'seat 1 (you)']
    >>> [card.label for card in scene.zones[0].cards]
    ['ten hidden cards']
    """
    sight = sight_of(position)
    drawing = (_drawer(sight.slug) or plain_drawing)(sight)
    return Scene(
        title=drawing.title or sight.name,
        subtitle=drawing.subtitle,
        alt=drawing.alt,
        zones=drawing.zones,
        notes=drawing.notes,
        text=sight.text,
    )


def sight_of(position: "View | Table") -> Sight:
    """The plain values of a position that its drawing is made from."""
    from kibitz.view import View

    # A table's core is read once: it may go on while it is looked at.
    return _sight(position.game, position.core, position.seat if isinstance(position, View) else None)


def _sight(game: "Game", core: _core.View | _core.State, seat: int | None) -> Sight:
    from kibitz.events import turn_of

    return Sight(
        slug=game.slug,
        name=str(game.info["name"]),
        options=game.options,
        seats=game.seats,
        teams=game.teams,
        seat=seat,
        turn=turn_of(core.turn),
        legal=tuple(game.core.move_text(code) for code in core.moves()),
        facts=core.to_dict(),
        text=core.draw(),
    )


def zones_of(game: "Game", core: _core.View | _core.State) -> tuple[Zone, ...]:
    """The zones of a compiled view, or of a state with open hands, as it is: no outcome of chance is rolled first."""
    sight = _sight(game, core, core.seat if isinstance(core, _core.View) else None)
    return (_drawer(sight.slug) or plain_drawing)(sight).zones


def is_drawn(slug: str) -> bool:
    """Whether a game has a drawing of its own, so that its cards are seen as cards."""
    return _drawer(slug) is not None


def spelling_of(slug: str, card: Card) -> tuple[int, str]:
    """Where a card stands in the order of its game, and how moves and records write it.

    A game whose moves write a card otherwise than the drawing has a function of that name in its module here.

    >>> spelling_of("thecrew", Card("4", "rocket 4", suit="rocket"))[1]
    'R4'
    """
    spell = _own(slug, "spelling_of")
    if spell is not None:
        found: tuple[int, str] = spell(card)
        return found
    return (int(card.text) if card.text.isdecimal() else 0), card.text


def plain_drawing(sight: Sight) -> Drawing:
    """A game without a drawing of its own: its text, and its fields but for those that are empty."""
    if sight.turn is None:
        subtitle = "the game is over"
    elif sight.turn == "chance":
        subtitle = "chance is to act"
    else:
        subtitle = f"{sight.label(sight.turn)} to act"
    facts = tuple(
        Fact(name, _short(value)) for name, value in sight.facts.items() if value not in (None, "", [])
    )
    lines = "; ".join(line.strip() for line in sight.text.splitlines() if line.strip())
    return Drawing(
        subtitle=subtitle,
        alt=f"{sight.name}: {subtitle}. {lines}",
        zones=(Zone(label="position", role="facts", facts=facts),),
    )


def _short(value: object) -> str:
    text = printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 3] + "..."


def _drawer(slug: str) -> Drawer | None:
    """The function that draws a game, if it has a module here."""
    drawer: Drawer | None = _own(slug, "drawing_of")
    return drawer


@cache
def _own(slug: str, function: str) -> Any:
    """A function of a game's module here; None if there is none."""
    name = f"kibitz.scenes.{slug}"
    module = importlib.import_module(name) if importlib.util.find_spec(name) else None
    return getattr(module, function, None)
