"""How to search: which method, within which budget, with which options; checked before anything runs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, did_you_mean, shown
from kibitz.events import actor_name
from kibitz.view import View

__all__ = ["POLICIES", "Settings"]

POLICIES = ("random", "greedy")  # choose without searching, so they need no budget
PLAYOUTS = ("uniform", "hint")
UTILITIES = ("win", "score", "win+margin")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The arguments of `best_move` but for the view, the seed and `stop`; they mean what they mean there.

    Raises:
        InvalidOption: A name or number that is not allowed, or no budget at all.

    >>> Settings(ms=200).search
    'ismcts'
    >>> Settings(search="flat")
    Traceback (most recent call last):
    kibitz.errors.InvalidOption: 'flat' has no budget: give iterations, ms or nodes.
    """

    search: str = "ismcts"
    iterations: int | Sequence[int] | None = None  # a list becomes a tuple
    ms: float | None = None
    nodes: int | None = None
    max_bytes: int | None = None
    threads: int = 1
    playout: str = "uniform"
    utility: str = "win+margin"
    exploration: float | None = None

    def __post_init__(self) -> None:
        _one_of("search", self.search, _core.searches())
        _one_of("playout", self.playout, PLAYOUTS)
        _one_of("utility", self.utility, UTILITIES)
        _whole("threads", self.threads, least=1)
        for name in ("nodes", "max_bytes"):
            value = getattr(self, name)
            if value is not None:
                _whole(name, value, least=1)
        if isinstance(self.iterations, list | tuple):
            object.__setattr__(self, "iterations", self._by_thread(tuple(self.iterations)))
        elif self.iterations is not None:
            _whole("iterations", self.iterations, least=1)
        for name in ("ms", "exploration"):
            value = getattr(self, name)
            if value is not None:
                _number(name, value)
            if isinstance(value, float) and value.is_integer():
                object.__setattr__(self, name, int(value))  # 50.0 and 50 are the same settings, by name too
        if self.ms is not None and self.ms <= 0:
            raise InvalidOption(f"ms cannot be {shown(self.ms)}; it is a time above 0.", given=self.ms)
        if self.search not in POLICIES and self.iterations is None and self.ms is None and self.nodes is None:
            raise InvalidOption(
                f"{self.search!r} has no budget: give iterations, ms or nodes.",
                allowed=("iterations", "ms", "nodes"),
            )

    def run(
        self,
        view: View,
        *,
        seed: int,
        stop: _core.Stop | None = None,
        allow: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """The core's own answer for a view."""
        if view.turn != view.seat:
            raise IllegalMove(
                f"Seat {view.seat} has nothing to decide: {actor_name(view.core.turn)} is to act.",
                given=view.seat,
                allowed=[] if view.turn is None else [view.turn],
            )
        return _core.search(
            view.core,
            search=self.search,
            iterations=self.iterations,
            ms=None if self.ms is None else float(self.ms),
            nodes=self.nodes,
            max_bytes=self.max_bytes,
            seed=seed,
            threads=self.threads,
            playout=self.playout,
            utility=self.utility,
            exploration=None if self.exploration is None else float(self.exploration),
            stop=stop,
            allow=None if allow is None else [view.game.core.parse_move(text) for text in allow],
        )

    def given(self) -> dict[str, Any]:
        """The arguments that are not at their defaults, as plain values."""
        found: dict[str, Any] = {"search": self.search}
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                found[name] = list(value) if isinstance(value, tuple) else value
        return found

    def _by_thread(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        for count in counts:
            _whole("iterations", count, least=0)
        if len(counts) != self.threads or sum(counts) < 1:
            raise InvalidOption(
                f"iterations cannot be {shown(list(counts))}: a list gives each of the {self.threads} threads its "
                "number, at least one of them above 0.",
                given=list(counts),
            )
        return counts


_DEFAULTS: dict[str, Any] = {
    "iterations": None,
    "ms": None,
    "nodes": None,
    "max_bytes": None,
    "threads": 1,
    "playout": "uniform",
    "utility": "win+margin",
    "exploration": None,
}


def _one_of(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InvalidOption(
            f"{name} cannot be {shown(value)}{did_you_mean(value, allowed)} Allowed: {', '.join(allowed)}.",
            given=value,
            allowed=allowed,
        )


def _whole(name: str, value: object, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**63:
        raise InvalidOption(
            f"{name} cannot be {shown(value)}; it is a whole number from {least}.", given=value
        )


def _number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise InvalidOption(f"{name} cannot be {shown(value)}; it is a number from 0.", given=value)
