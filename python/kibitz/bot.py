"""Bots: what decides for a seat, from that seat's view and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, Protocol, TypeGuard, runtime_checkable

from kibitz import _core
from kibitz.allotment import reckoned
from kibitz.analysis import Analysis, analyse, check_view
from kibitz.choice import checked_temperature, chosen
from kibitz.clock import Clock
from kibitz.errors import IllegalMove, InvalidOption, shown
from kibitz.evaluators import Evaluator
from kibitz.settings import POLICIES, Settings
from kibitz.tuning import Tuning
from kibitz.view import View

__all__ = ["Bot", "FunctionBot", "Player", "TimedPlayer", "as_player", "is_timed", "name_of"]


@runtime_checkable
class Player(Protocol):
    """Anything that can sit at a table: `Bot`, `FunctionBot`, or a class of your own."""

    def act(self, view: View) -> str:
        """The text of a legal move."""


class TimedPlayer(Protocol):
    """A player that plays by a clock, as `Bot` may."""

    @property
    def clock(self) -> Clock:
        """The time control of its games."""

    def act(self, view: View, *, clock: Clock) -> str:
        """The text of a legal move, found within what is on the clock now."""


class Bot:
    """The engine with fixed settings, sitting at a seat. Picklable; remembers nothing between moves.

    A bot with an evaluator is picklable if that is.

    The seed of each search comes from the bot's seed and the view, so a bot plays the same in the same place
    whatever else goes on, and a match against itself over duplicate deals ends exactly even.

    Args:
        search: As in `best_move`, like everything up to `batch`.
        clock: The time control of its games, what is on its clock when one starts. A match keeps a clock for each of
            its seats. See `act` for a game of your own.
        temperature: How far it strays from the best move, from 0, not at all, to 100, hardly caring: a move is chosen
            with a weight of `exp(-gap / temperature)`, its gap to the best in mean utility as a share of that of the
            worst (`kibitz.choice`). `kibitz.level` has bots of ten strengths.
        name: For tables of results; by default the search and its budget.
        seed: Bots with different seeds play different games.

    Raises:
        InvalidOption: An argument that is not allowed, no budget, or a clock without time for the first decision.

    >>> import kibitz
    >>> bot = kibitz.Bot("ismcts", iterations=50)
    >>> view = kibitz.load("kami").deal(seed=7).view()
    >>> bot.act(view) == bot.act(view)
    True
    >>> bot.name
    'ismcts iterations=50'
    """

    def __init__(
        self,
        search: str = "ismcts",
        *,
        iterations: int | Sequence[int] | None = None,
        ms: float | None = None,
        nodes: int | None = None,
        max_bytes: int | None = None,
        threads: int = 1,
        playout: str = "auto",
        utility: str = "auto",
        exploration: float | None = None,
        tuning: Tuning | Mapping[str, float | bool] | None = None,
        clock: Clock | None = None,
        evaluator: Evaluator | None = None,
        batch: int | None = None,
        temperature: float = 0,
        name: str | None = None,
        seed: int = 0,
    ) -> None:
        from kibitz.game import read_seed

        self.settings = Settings(
            search=search,
            iterations=iterations,
            ms=ms,
            nodes=nodes,
            max_bytes=max_bytes,
            threads=threads,
            playout=playout,
            utility=utility,
            exploration=exploration,
            tuning=tuning,
            clock=clock,
            evaluator=evaluator,
            batch=batch,
        )
        _check_start(clock)
        self.seed = read_seed(seed)
        self.temperature = checked_temperature(temperature)
        self.name = self._default_name() if name is None else _text("name", name)
        self._lock = Lock()
        self._running: set[_core.Stop] = set()

    @property
    def clock(self) -> Clock | None:
        """The time control of its games."""
        return self.settings.clock

    def act(
        self,
        view: View,
        *,
        ms: float | None = None,
        iterations: int | None = None,
        clock: Clock | None = None,
    ) -> str:
        """The move to play; the arguments are those of `analyse`."""
        found = self.analyse(view, ms=ms, iterations=iterations, clock=clock)
        return chosen(found, temperature=self.temperature, seed=move_seed(self.seed, view))

    def analyse(
        self,
        view: View,
        *,
        ms: float | None = None,
        iterations: int | None = None,
        clock: Clock | None = None,
    ) -> Analysis:
        """The best move that its search finds, and the reasons; with a temperature, `act` may play another.

        Args:
            view: What the seat knows.
            ms, iterations: Instead of the bot's own budget.
            clock: What is on the seat's clock now, as a `RunningClock` or a host says. A bot that has a time control
                and is not told reckons that each of its earlier decisions in the record took all that it may have
                taken: so it is not over time either, but leaves more of it unused.

        Raises:
            IllegalMove: It is not the turn of the view's seat.
        """
        check_view(view)
        settings = self.settings
        if ms is not None or iterations is not None:
            settings = replace(settings, ms=ms, iterations=iterations, nodes=None, clock=clock)
        elif clock is not None:
            settings = replace(settings, clock=clock)
        elif settings.clock is not None:
            settings = replace(settings, clock=reckoned(settings.clock, view))
        stop = _core.Stop()
        with self._lock:
            self._running.add(stop)
        try:
            return analyse(view, settings, seed=move_seed(self.seed, view), stop=stop)
        finally:
            with self._lock:
                self._running.discard(stop)

    def stop(self) -> None:
        """Ends the bot's searches that run now, from any thread; each returns the best move so far."""
        with self._lock:
            for stop in self._running:
                stop.stop()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bot) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        given = self.settings.given()
        tuned = self.settings.tuned()
        if tuned is not None:
            given = {name: value for name, value in given.items() if name not in tuned} | {"tuning": tuned}
        arguments = [repr(given.pop("search")), *(f"{name}={value!r}" for name, value in given.items())]
        if self.temperature:
            arguments.append(f"temperature={self.temperature!r}")
        if self.name != self._default_name():
            arguments.append(f"name={self.name!r}")
        if self.seed:
            arguments.append(f"seed={self.seed}")
        return f"kibitz.Bot({', '.join(arguments)})"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "settings": self.settings,
            "temperature": self.temperature,
            "name": self.name,
            "seed": self.seed,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        from kibitz.game import read_seed

        if not isinstance(state["settings"], Settings):
            raise InvalidOption(f"A bot's settings cannot be {shown(state['settings'])}.")
        _check_start(state["settings"].clock)
        self.settings = state["settings"]
        self.seed = read_seed(state["seed"])
        self.temperature = checked_temperature(state["temperature"])
        self.name = _text("name", state["name"])
        self._lock = Lock()
        self._running = set()

    def _default_name(self) -> str:
        given = self.settings.given()
        search = given.pop("search")
        if self.settings.search in POLICIES:
            return str(search)
        if self.temperature:
            given["temperature"] = self.temperature
        return " ".join([search, *(f"{name}={value}" for name, value in given.items())])

    def _identity(self) -> tuple[object, ...]:
        return self.settings, self.temperature, self.name, self.seed


class FunctionBot:
    """Any function from a view to the text of a move, as a bot.

    Args:
        function: Picklable (defined at module level) where a match runs in several processes.
        name: For tables of results; by default the function's.

    >>> import kibitz
    >>> def first(view):
    ...     return view.legal()[0]
    >>> bot = FunctionBot(first)
    >>> bot.name, bot.act(kibitz.load("kami").deal(seed=7).view())
    ('first', '-')
    """

    def __init__(self, function: Callable[[View], str], *, name: str | None = None) -> None:
        if not callable(function):
            raise InvalidOption(
                f"{shown(function)} is no function that takes a view and gives a move.", given=function
            )
        self.function = function
        self.name = _text("name", name or getattr(function, "__name__", type(function).__name__))

    def act(self, view: View) -> str:
        """What the function says.

        Raises:
            IllegalMove: It says no text at all. Whether the move is legal is for the table to see.
        """
        move = self.function(view)
        if not isinstance(move, str):
            raise IllegalMove(
                f"{self.name} answered {shown(move)}, not the text of a move; legal: {', '.join(view.legal())}.",
                given=move,
                allowed=view.legal(),
            )
        return move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionBot) and (self.function, self.name) == (other.function, other.name)

    def __hash__(self) -> int:
        return hash((self.function, self.name))

    def __repr__(self) -> str:
        return f"kibitz.FunctionBot({self.name})"


def as_player(bot: object) -> Player:
    """A bot as it is, a function wrapped.

    Raises:
        InvalidOption: Neither.
    """
    if isinstance(bot, type):
        raise InvalidOption(f"{bot.__name__} is a class; a match needs a bot made from it.", given=bot)
    if isinstance(bot, Player):
        return bot
    if callable(bot):
        return FunctionBot(bot)
    raise InvalidOption(
        f"{shown(bot)} is no bot; give a kibitz.Bot, an object with act(view), or a function of a view.",
        given=bot,
    )


def is_timed(player: Player) -> TypeGuard[TimedPlayer]:
    """Whether a player plays by a clock: one that has a `clock`."""
    return isinstance(getattr(player, "clock", None), Clock)


def name_of(player: Player) -> str:
    """The name that a player goes by in tables."""
    name = getattr(player, "name", None)
    return name if isinstance(name, str) else type(player).__name__


def move_seed(seed: int, view: View) -> int:
    """The seed of one move: from the bot's seed and what the view shows, 64 bits."""
    from kibitz.game import derived_seed

    return derived_seed(seed, view.seat, view.digest, len(view.record))


def _check_start(clock: Clock | None) -> None:
    """Refuses a time control whose flag falls before the first decision."""
    if clock is not None and clock.limit_ms == 0:
        raise InvalidOption(
            f"clock cannot be {clock!r}: there is no time for the first decision; inc_ms comes after it.",
            given=clock,
        )


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    raise InvalidOption(f"{name} cannot be {shown(value)}; it is a text.", given=value)
