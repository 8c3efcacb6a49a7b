"""How to search: which method, within which budget, with which options; checked before anything runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any, TypedDict

from kibitz import _core
from kibitz.allotment import LEAST_MS, allot, decisions_left, plies_of
from kibitz.clock import Clock, checked
from kibitz.errors import IllegalMove, InvalidOption, shown
from kibitz.evaluators import Evaluator, check_evaluator, evaluator_name, question
from kibitz.events import actor_name
from kibitz.given import one_of, positive, whole
from kibitz.tuning import Tuning, as_tuning
from kibitz.view import View

__all__ = ["POLICIES", "Arguments", "Settings", "must_decide"]

POLICIES = ("random", "greedy")  # choose without searching, so they need no budget
BUDGETS = ("iterations", "ms", "nodes", "clock")
PLAYOUTS = ("auto", "uniform", "hint")
UTILITIES = ("auto", "win", "score", "win+margin")

# What the core takes (src/search.cpp), refused here so that a bot is told when it is made.
MOST_ITERATIONS = 4_000_000_000
MOST_THREADS = 256
MOST_MS = 1e10
MOST_EXPLORATION = 1000
LEAST_BYTES, MOST_BYTES = 2**20, 2**40
LEAST_TREE_BYTES = 96 * 2**10  # of each thread
MOST_BATCH = 4096

BATCH = 16  # unless told otherwise


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
    tuning: Tuning | Mapping[str, float | bool] | None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The arguments of `best_move` but for the view, the seed and `stop`; they mean what they mean there.

    Raises:
        InvalidOption: A name or number that is not allowed, or no budget at all.

    >>> Settings(ms=200).search
    'ismcts'
    >>> Settings(search="flat")
    Traceback (most recent call last):
    kibitz.errors.InvalidOption: 'flat' has no budget: give iterations, ms, nodes or clock.
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
    tuning: Tuning | Mapping[str, float | bool] | None = None  # becomes a Tuning, or None without any
    clock: Clock | None = None  # what is on it now
    evaluator: Evaluator | None = None
    batch: int | None = None

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
        tuning = as_tuning(self.tuning)
        tuning.check(self.search)
        if tuning.halving and self.iterations is None:
            raise InvalidOption("halving deals out iterations: give a number of them.", given="halving")
        self._keep("tuning", tuning if tuning.given() else None)
        if self.clock is not None:
            checked(self.clock)
        self._check_evaluator()
        self._check_budget()

    def _check_budget(self) -> None:
        if self.search not in POLICIES and all(getattr(self, name) is None for name in BUDGETS):
            raise InvalidOption(
                f"{self.search!r} has no budget: give iterations, ms, nodes or clock.", allowed=BUDGETS
            )

    def run(
        self,
        view: View,
        *,
        seed: int,
        stop: _core.Stop | None = None,
        allow: Sequence[int] | None = None,
    ) -> dict[str, Any]:
        """The core's own answer for a view; `allow` has codes."""
        if not isinstance(stop, _core.Stop | None):
            raise InvalidOption(f"stop cannot be {shown(stop)}; it is a kibitz.Stop or None.", given=stop)
        must_decide(view)
        budget = self.budget()
        end_by_clock = None
        if self.clock is not None and self.search not in POLICIES:
            allotted = _allotted(self.clock, view)
            if allotted == 0:  # no time to think, yet a move there must be
                budget["iterations"], end_by_clock = 1, "iterations"
            elif budget["ms"] is None or allotted < budget["ms"]:
                budget["ms"], end_by_clock = allotted, "ms"
        method = self.method(view, seed=seed)
        judge = None if self.evaluator is None else question(self.evaluator, view.game, method["utility"])
        found = _core.search(
            view.core,
            **budget,
            **method,
            stop=stop,
            allow=allow,
            evaluator=judge,
            batch=BATCH if self.batch is None else self.batch,
        )
        if found["reason"] == end_by_clock:
            found["reason"] = "clock"
        return found

    def tuned(self) -> dict[str, float | bool] | None:
        """How the search departs from its plain formula, as plain values; None if it does not."""
        return self.tuning.given() if isinstance(self.tuning, Tuning) else None

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
            "tuning": self.tuned(),
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
        """The arguments that are not at their defaults, as plain values; of an evaluator its name."""
        found: dict[str, Any] = {"search": self.search}
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                found[name] = list(value) if isinstance(value, tuple) else value
        found |= self.tuned() or {}
        if self.evaluator is not None:
            found["evaluator"] = evaluator_name(self.evaluator)
        return found

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            self._keep(name, value)
        self.__post_init__()  # a pickle is checked like anything else from outside

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_evaluator(self) -> None:
        if self.batch is not None:
            self._keep("batch", whole("batch", self.batch, least=1, most=MOST_BATCH))
        if self.search == "puct":
            if self.evaluator is None:
                raise InvalidOption(
                    "'puct' needs an evaluator, a Python function that judges positions: "
                    "best_move(view, search='puct', evaluator=...). The command line has none to give.",
                    allowed=("evaluator",),
                )
            check_evaluator(self.evaluator)
            return
        for name, value in (("evaluator", self.evaluator), ("batch", self.batch)):
            if value is not None:
                raise InvalidOption(
                    f"{self.search!r} takes no {name}; it is for 'puct'.", given=value, allowed=("puct",)
                )

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


def _allotted(clock: Clock, view: View) -> float:
    """Milliseconds of the clock for the view's decision; a forced one takes none, so nothing is worked out for it."""
    start = monotonic()
    if len(view.core.moves()) == 1:
        return 0.0
    ms = allot(clock, decisions_left(view.game, plies_of(view))) - (monotonic() - start) * 1000
    return ms if ms >= LEAST_MS else 0.0


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
    "clock": None,
    "batch": None,
}
