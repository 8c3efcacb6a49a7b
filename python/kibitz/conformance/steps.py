"""The registry of steps, and what they work with: connections, sessions, positions."""

import importlib
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import kibitz
from kibitz.conformance.talk import Failure, Skip, Talk, demand
from kibitz.conformance.wire import is_url, open_wire
from kibitz.errors import KibitzError

__all__ = ["STEPS", "Check", "Position", "Step", "step"]

THEMES = ("handshake", "envelope", "sessions", "records", "searches", "timing", "fuzzing")
PLIES = 2000  # a random game that is longer is not played on
DEALS = 40  # in which a position of some kind is looked for
PREFERRED = ("kami", "thecrew", "hearts")  # much is hidden, and a seat has many moves


@dataclass(frozen=True)
class Step:
    """One thing that is demanded.

    Attributes:
        name: For reports and `--only`.
        about: What is demanded, as a sentence.
        act: Plays it; raises `Failure` or `Skip`.
        needs: What the engine must offer: the name of a game or a feature, or "process".
    """

    name: str
    about: str
    act: Callable[["Check"], None]
    needs: tuple[str, ...] = ()


STEPS: dict[str, Step] = {}
"""All steps by name, in the order in which they are played."""


def step(*needs: str) -> Callable[[Callable[["Check"], None]], Callable[["Check"], None]]:
    """Makes a function a step: its name and the first line of its docstring are the step's."""

    def register(act: Callable[["Check"], None]) -> Callable[["Check"], None]:
        name = act.__name__
        STEPS[name] = Step(name, (act.__doc__ or "").strip().splitlines()[0], act, needs)
        return act

    return register


def load_steps() -> None:
    """Fills the registry."""
    for theme in THEMES:
        importlib.import_module(f"kibitz.conformance.{theme}")


@dataclass(frozen=True)
class Position:
    """A table that is known here, and one seat at it."""

    table: kibitz.Table
    seat: int

    @property
    def view(self) -> kibitz.View:
        """What that seat knows."""
        return self.table.view(seat=self.seat)

    def place(self) -> dict[str, Any]:
        """Parameters of `new`, without the events."""
        game = self.table.game
        options = game.options
        players = options.pop("players", game.seats)
        facts = {"game": game.slug, "players": players, "options": options}
        return facts | {"seat": self.seat, "start": self.view.start}

    @property
    def events(self) -> list[str]:
        """The record as that seat saw it."""
        return list(self.view.record)


class Check:
    """One engine under examination.

    Args:
        target: A command, or the address of a WebSocket.
        token: For a WebSocket.
        seed: Of everything that is random.
        slack: Factor on every bound in time, for a busy machine.
        lines: Lines of the step `random_lines`.
        patience: Seconds that an answer may take where time is not what is checked.
    """

    def __init__(
        self, target: str, *, token: str | None, seed: int, slack: float, lines: int, patience: float
    ) -> None:
        self.target = target
        self.slack = slack
        self.lines = lines
        self.random = random.Random(seed)
        self._patience = patience
        self._token = token
        self._names = itertools.count(1)
        self._shared: Talk | None = None
        self._own: list[Talk] = []  # those of the step that is played
        self._used: list[str] = []  # names of sessions of the step that is played

    # ---- connections ----

    @property
    def is_process(self) -> bool:
        """Whether it is started here."""
        return not is_url(self.target)

    @property
    def talk(self) -> Talk:
        """The connection that steps share, after the handshake."""
        if self._shared is None:
            self._shared = self._opened()
            hello(self._shared)
        return self._shared

    def fresh(self, *, greet: bool = True) -> Talk:
        """A connection for one step alone."""
        talk = self._opened()
        self._own.append(talk)
        if greet:
            hello(talk)
        return talk

    def _opened(self) -> Talk:
        return Talk(open_wire(self.target, token=self._token), self._patience)

    def settle(self) -> None:
        """At the end of a step: nothing may be under way that nobody asked for; room is made for the next step."""
        for talk in self._own:
            talk.silent()
        used, self._used = self._used, []
        if self._shared is not None:
            for name in used:  # an engine may have room for few sessions only
                self._shared.ask("end", {"s": name})
            self._shared.quiet()

    def spoken(self) -> list[str]:
        """The last lines of the step that is played."""
        talks = self._own or ([] if self._shared is None else [self._shared])
        return [line for talk in talks for line in talk.lines]

    def tidy(self, *, broken: bool) -> None:
        """After a step: its own connections are closed, and after a failure the shared one too."""
        talks, self._own = self._own, []
        if broken and self._shared is not None:
            talks.append(self._shared)
            self._shared = None
        for talk in talks:
            talk.wire.close()
        self._used.clear()
        if self._shared is not None:
            self._shared.news.clear()
            self._shared.lines.clear()

    def close(self) -> None:
        """Leaves nothing behind."""
        self.tidy(broken=True)

    # ---- what it offers ----

    @cached_property
    def about(self) -> dict[str, Any]:
        """The result of its `hello`."""
        talk = self._opened()
        try:
            return hello(talk)
        finally:
            talk.wire.close()

    @cached_property
    def games(self) -> list[str]:
        """The games that it offers."""
        return [game for game in self.about.get("games", []) if isinstance(game, str)]

    def lacks(self, need: str) -> str:
        """Why a step that needs this cannot be played; empty if it can."""
        if need == "process":
            return "" if self.is_process else "only for an engine that is started as a process"
        if need in kibitz.games():
            return "" if need in self.games else f"the engine does not play {need}"
        return "" if need in self.about.get("features", []) else f"the engine has no feature {need}"

    def game(self) -> kibitz.Game:
        """A game that is known at both ends."""
        both = [
            slug for slug in (*PREFERRED, *kibitz.games()) if slug in self.games and slug in kibitz.games()
        ]
        if not both:
            raise Skip("the engine plays no game that is known here")
        return kibitz.load("kami", rounds=1) if both[0] == "kami" else kibitz.load(both[0])

    # ---- positions ----

    def position(
        self, wanted: Callable[[kibitz.Table], bool], what: str, *, game: kibitz.Game | None = None
    ) -> Position:
        """A position of some kind in a random game, at the seat that is to decide (seat 0 when nobody is)."""
        chosen = self.game() if game is None else game
        for deal in range(DEALS):
            table = chosen.deal(seed=deal)
            for _ in range(PLIES):
                if wanted(table):
                    return Position(table, table.turn if isinstance(table.turn, int) else 0)
                if table.turn is None:
                    break
                table.play(self.random.choice(table.legal()))
        raise Skip(f"{chosen.slug} has no {what} that was found")

    def choice(self, *, moves: int = 2) -> Position:
        """A decision between several moves, after a few events."""
        return self.position(
            lambda table: len(table.record) >= 2 and len(table.legal()) >= moves,
            f"decision between {moves} moves",
        )

    def name(self) -> str:
        """Of a session that was not there before."""
        self._used.append(f"check-{next(self._names)}")
        return self._used[-1]

    def open(
        self, position: Position, *, talk: Talk | None = None, events: Sequence[str] | None = None
    ) -> str:
        """A new session at a position; its name."""
        told = position.events if events is None else list(events)
        name = self.name()
        (talk or self.talk).ask("new", {"s": name} | position.place() | {"events": told}).ok()
        return name


def hello(talk: Talk) -> dict[str, Any]:
    """The handshake."""
    return talk.ask("hello", {"protocol": "1", "client": "kibitz check-engine"}).ok()


def digest(talk: Talk, name: str) -> tuple[object, object]:
    """How many events a session has, and what it knows."""
    state = talk.ask("state", {"s": name}).ok()
    demand(isinstance(state.get("digest"), str), "state has no digest.")
    return state.get("n"), state["digest"]


def unchanged(talk: Talk, name: str, before: tuple[object, object]) -> None:
    """Fails the step if a session is not what it was."""
    now = digest(talk, name)
    demand(now == before, f"An error changed the session: {before} before it, {now} after it.")


def play(check: Check, one: Step) -> tuple[str, str]:
    """Plays one step: the verdict, and why."""
    try:
        for need in one.needs:
            if lack := check.lacks(need):
                return "skipped", lack
        one.act(check)
        check.settle()
    except Skip as skip:
        return "skipped", str(skip)
    except Failure as failure:
        return "failed", str(failure)
    except KibitzError as error:  # it could not be started or reached
        return "failed", error.message
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        return (
            "failed",
            f"An answer lacks something or is of the wrong type ({type(error).__name__}: {error}).",
        )
    return "passed", ""


def legal_in(turn: object) -> list[str]:
    """The legal moves of a `turn`, which must be the engine's own."""
    with suppress(AttributeError):
        if isinstance(turn, Mapping) and isinstance(turn.get("legal"), list):
            return list(turn["legal"])
    raise Failure(f"The turn lists no legal moves: {turn!r}.")
