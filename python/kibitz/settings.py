"""How to search: which method, within which budget, with which options; checked before anything runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict

from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, shown
from kibitz.events import actor_name
from kibitz.given import one_of, positive, whole
from kibitz.view import View

__all__ = ["POLICIES", "Arguments", "Settings", "must_decide"]

POLICIES = ("random", "greedy")  # choose without searching, so they need no budget
PLAYOUTS = ("auto", "uniform", "hint")
UTILITIES = ("auto", "win", "score", "win+margin")

# What the core takes (src/search.cpp), refused here so that a bot is told when it is made.
MOST_ITERATIONS = 4_000_000_000
MOST_THREADS = 256
MOST_MS = 1e10
MOST_EXPLORATION = 1000
LEAST_BYTES, MOST_BYTES = 2**20, 2**40
LEAST_TREE_BYTES = 96 * 2**10  # of each thread


class Arguments(TypedDict, total=False):
    """The arguments of `Settings` but for the search's name, for functions that pass them on."""

    iterations: int | Sequence[int] | None
    ms: float | None
    nodes: int | None
    max_bytes: int | None
    threads: int
    playout: str
    utility: str
    exploration: float | None


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
    playout: str = "auto"
    utility: str = "auto"
    exploration: float | None = None

    def __post_init__(self) -> None:
        one_of("search", self.search, _core.searches())
        one_of("playout", self.playout, PLAYOUTS)
        one_of("utility", self.utility, UTILITIES)
        self._keep("threads", whole("threads", self.threads, least=1, most=MOST_THREADS))
        if isinstance(self.iterations, list | tuple):
            self._keep("iterations", self._by_thread(tuple(self.iterations)))
        elif self.iterations is not None:
            self._keep("iterations", whole("iterations", self.iterations, least=1, most=MOST_ITERATIONS))
        if self.ms is not None:
            self._keep("ms", positive("ms", self.ms, most=MOST_MS))
        if self.nodes is not None:
            self._keep("nodes", whole("nodes", self.nodes, least=1))
        if self.max_bytes is not None:
            least = max(LEAST_BYTES, self.threads * LEAST_TREE_BYTES)
            self._keep("max_bytes", whole("max_bytes", self.max_bytes, least=least, most=MOST_BYTES))
        if self.exploration is not None:
            self._keep("exploration", positive("exploration", self.exploration, most=MOST_EXPLORATION))
        self._check_budget()

    def _check_budget(self) -> None:
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
        if not isinstance(stop, _core.Stop | None):
            raise InvalidOption(f"stop cannot be {shown(stop)}; it is a kibitz.Stop or None.", given=stop)
        must_decide(view)
        return _core.search(
            view.core,
            **self.budget(),
            **self.method(view, seed=seed),
            stop=stop,
            allow=None if allow is None else [view.game.core.parse_move(text) for text in allow],
        )

    def method(self, view: View, *, seed: int) -> dict[str, Any]:
        """How to search, as the core takes it."""
        return {
            "search": self.search,
            "max_bytes": self.max_bytes,
            "seed": seed,
            "threads": self.threads,
            "playout": _own(view.game.slug, "playout") if self.playout == "auto" else self.playout,
            "utility": _own(view.game.slug, "utility") if self.utility == "auto" else self.utility,
            "exploration": None if self.exploration is None else float(self.exploration),
        }

    def budget(self) -> dict[str, Any]:
        """For how long, as the core takes it."""
        return {
            "iterations": self.iterations,
            "ms": None if self.ms is None else float(self.ms),
            "nodes": self.nodes,
        }

    def check(self, view: View) -> None:
        """Refuses a search that is not for the view's game.

        Raises:
            InvalidOption: mcts where something is hidden.
        """
        if self.search == "mcts" and not _core.info(view.game.slug)["open"]:
            raise InvalidOption(
                f"mcts is for games in which nothing is hidden, and in {view.game.slug} something is; ismcts and "
                "moismcts are for both.",
                given="mcts",
                allowed=("ismcts", "moismcts", "flat"),
            )

    def given(self) -> dict[str, Any]:
        """The arguments that are not at their defaults, as plain values."""
        found: dict[str, Any] = {"search": self.search}
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                found[name] = list(value) if isinstance(value, tuple) else value
        return found

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            self._keep(name, value)
        self.__post_init__()  # a pickle is checked like anything else from outside

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _by_thread(self, given: tuple[object, ...]) -> tuple[int, ...]:
        if len(given) == self.threads:
            counts = tuple(whole("iterations", each, least=0, most=MOST_ITERATIONS) for each in given)
            if sum(counts) > 0:
                return counts
        raise InvalidOption(
            f"iterations cannot be {shown(list(given))}: a list gives each of the {self.threads} threads its number, "
            "at least one of them above 0.",
            given=list(given),
        )


def must_decide(view: View) -> None:
    """Refuses a view whose seat is not to move.

    Raises:
        IllegalMove: It is another's turn, or nobody's.
    """
    if view.turn != view.seat:
        raise IllegalMove(
            f"Seat {view.seat} has nothing to decide: {actor_name(view.core.turn)} is to act.",
            given=view.seat,
            allowed=[] if view.turn is None else [view.turn],
        )


@cache
def _own(slug: str, fact: str) -> str:
    """What a game does unless told otherwise."""
    return str(_core.info(slug)[fact])


_DEFAULTS: dict[str, Any] = {
    "iterations": None,
    "ms": None,
    "nodes": None,
    "max_bytes": None,
    "threads": 1,
    "playout": "auto",
    "utility": "auto",
    "exploration": None,
}
