"""What an engine answers, as values. Members that this version does not know are kept in `extra`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kibitz.client.errors import EngineBreach
from kibitz.errors import shown
from kibitz.events import Turn

__all__ = ["About", "Best", "Info", "MoveRow", "Standing"]

T = TypeVar("T")


@dataclass(frozen=True)
class MoveRow:
    """What the search found about one move.

    Attributes:
        move: Its text.
        visits: How often it was tried.
        mean: Expected utility of the searching side; None where nothing was measured.
        se: Standard error of the mean; None where it is not known.
        line: What is expected to follow, as events, this move first.
        extra: Other members.
    """

    move: str
    visits: int = 0
    mean: float | None = None
    se: float | None = None
    line: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Info:
    """How far a search has come.

    Attributes:
        ms: Since the request.
        iterations, worlds, nodes, ips: Work done; the last a second.
        moves: The best rows so far, best first.
        extra: Other members.
    """

    ms: float = 0
    iterations: int = 0
    worlds: int = 0
    nodes: int = 0
    ips: float = 0
    moves: tuple[MoveRow, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Best:
    """The answer to a search.

    Attributes:
        move: What to play.
        turn: With scope "turn", all own decisions in a row, `move` first; else empty.
        reason: Why the search ended: iterations, ms, clock, stop, single, exact or fallback.
        forced: Whether there was only one legal move.
        ms: From the receipt of the request to the answer.
        iterations, worlds, nodes, bytes, ips: Work done and memory used.
        seed: With which a search by iterations can be repeated.
        moves: The rows asked for by `top`, best first.
        late_ms: By how much the engine saw that it missed its limit; None if it did not.
        warnings: Sentences.
        extra: Other members.
    """

    move: str
    turn: tuple[str, ...] = ()
    reason: str = ""
    forced: bool = False
    ms: float = 0
    iterations: int = 0
    worlds: int = 0
    nodes: int = 0
    bytes: int = 0
    ips: float = 0
    seed: int | None = None
    moves: tuple[MoveRow, ...] = ()
    late_ms: float | None = None
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Standing:
    """Where a session stands.

    Attributes:
        n: Events so far; the number of the next one.
        turn: The seat to decide, `"chance"` before an outcome, None when the game is over.
        legal: The own legal moves, if it is this seat's turn.
        digest: What the seat knows, in 16 hexadecimal digits.
        dup: Whether the events had come before.
        warnings: Sentences.
        extra: Other members.
    """

    n: int
    turn: Turn
    legal: tuple[str, ...] = ()
    digest: str = ""
    dup: bool = False
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class About:
    """What an engine says of itself in the handshake.

    Attributes:
        protocol: The version it speaks, such as "1.0".
        name, version, build: Of the engine.
        games: Slugs.
        searches: Names.
        features: Optional abilities: ponder, review, undo, bench.
        limits: `sessions` and `line_bytes`, where it says so.
        extra: Other members.
    """

    protocol: str
    name: str = ""
    version: str = ""
    build: str = ""
    games: tuple[str, ...] = ()
    searches: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


class _Members:
    """The members of one result, taken one by one; what is left over is `extra`."""

    def __init__(self, what: str, value: object) -> None:
        if not isinstance(value, Mapping):
            raise EngineBreach(f"The engine answered {what} with {shown(value)}, which is no object.")
        self._what = what
        self._left = dict(value)

    def take(self, name: str, kind: type[T], default: T) -> T:
        """A member of that kind; the default if it is left out or null."""
        value = self._left.pop(name, None)
        if value is None:
            return default
        if kind is float and isinstance(value, int):
            value = _float(value)
        wrong_flag = isinstance(value, bool) and kind is not bool
        if (
            not isinstance(value, kind)
            or wrong_flag
            or (isinstance(value, float) and not math.isfinite(value))
        ):
            raise EngineBreach(
                f"The engine answered {self._what} with {name} = {shown(value)}, which is no {kind.__name__}."
            )
        return value

    def need(self, name: str, kind: type[T]) -> T:
        """A member that must be there."""
        if not self.has(name):
            raise EngineBreach(f"The engine answered {self._what} without {name!r}.")
        return self.take(name, kind, kind())

    def number(self, name: str) -> float | None:
        """A number, or None if it is left out or null."""
        return self.take(name, float, 0.0) if self.has(name) else None

    def has(self, name: str) -> bool:
        """Whether it is there; one that is null is put away."""
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return False
        return True

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if it is left out or null."""
        found = self.take(name, list, [])
        if not all(isinstance(each, str) for each in found):
            raise EngineBreach(
                f"The engine answered {self._what} with {name} = {shown(found)}, not all texts."
            )
        return tuple(found)

    def rows(self, name: str) -> tuple[MoveRow, ...]:
        """A table of moves."""
        return tuple(_row(each) for each in self.take(name, list, []))

    def rest(self) -> dict[str, Any]:
        """What nobody took."""
        return self._left


def best_of(result: object) -> Best:
    """The result of `go`.

    >>> best_of({"move": "d4", "reason": "ms", "ms": 3, "moves": [{"move": "d4", "visits": 7}], "mood": 1}).extra
    {'mood': 1}
    """
    members = _Members("go", result)
    return Best(
        move=members.need("move", str),
        turn=members.texts("turn"),
        reason=members.take("reason", str, ""),
        forced=members.take("forced", bool, False),
        ms=members.take("ms", float, 0.0),
        iterations=members.take("iterations", int, 0),
        worlds=members.take("worlds", int, 0),
        nodes=members.take("nodes", int, 0),
        bytes=members.take("bytes", int, 0),
        ips=members.take("ips", float, 0.0),
        seed=members.take("seed", int, 0) if members.has("seed") else None,
        moves=members.rows("moves"),
        late_ms=members.number("late_ms"),
        warnings=members.texts("warnings"),
        extra=members.rest(),
    )


def info_of(params: object) -> Info:
    """The content of an `info` line."""
    members = _Members("info", params)
    info = Info(
        ms=members.take("ms", float, 0.0),
        iterations=members.take("iterations", int, 0),
        worlds=members.take("worlds", int, 0),
        nodes=members.take("nodes", int, 0),
        ips=members.take("ips", float, 0.0),
        moves=members.rows("moves"),
        extra=members.rest(),
    )
    for name in ("s", "id"):  # how it was sent here
        members.rest().pop(name, None)
    return info


def standing_of(what: str, result: object, *, n: int | None = None) -> Standing:
    """The result of `new`, `event`, `view` or `undo`.

    >>> standing_of("event", {"n": 8, "turn": {"by": 0, "legal": ["p", "d4"]}, "digest": "91b7d3f0"}).legal
    ('p', 'd4')
    """
    members = _Members(what, result)
    turn = _Members(f"{what} (turn)", members.need("turn", dict))
    chance = turn.rest().get("by") == "*"
    return Standing(
        n=members.need("n", int) if n is None else members.take("n", int, n),
        turn="chance" if chance else turn.take("by", int, 0) if turn.has("by") else None,
        legal=turn.texts("legal"),
        digest=members.take("digest", str, ""),
        dup=members.take("dup", bool, False),
        warnings=members.texts("warnings"),
        extra=members.rest(),
    )


def about_of(result: object) -> About:
    """The result of `hello`."""
    members = _Members("hello", result)
    engine = _Members("hello (engine)", members.take("engine", dict, {}))
    return About(
        protocol=members.need("protocol", str),
        name=engine.take("name", str, ""),
        version=engine.take("version", str, ""),
        build=engine.take("build", str, ""),
        games=members.texts("games"),
        searches=members.texts("searches"),
        features=members.texts("features"),
        limits={
            str(name): value
            for name, value in members.take("limits", dict, {}).items()
            if isinstance(value, int) and not isinstance(value, bool)
        },
        extra=members.rest(),
    )


def _row(value: object) -> MoveRow:
    members = _Members("go (moves)", value)
    return MoveRow(
        move=members.need("move", str),
        visits=members.take("visits", int, 0),
        mean=members.number("mean"),
        se=members.number("se"),
        line=members.texts("line"),
        extra=members.rest(),
    )


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
