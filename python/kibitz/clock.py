"""A seat's clock: how much time it has for a game, and what a game took of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Self

from kibitz.errors import InvalidOption, shown
from kibitz.given import as_number, whole

__all__ = ["Clock", "ClockUse", "RunningClock", "checked"]

MOST_MS = 1e10
MOST_MOVES = 1_000_000
UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
FORM = "main[+inc][/byoyomi[/bank]], such as 60s+1s or 10m/30s, in ms, s, m or h"


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What is on a seat's clock when it is to decide. At a game's start that is the time control.

    A decision uses up the times in this order: `main_ms`, then `byoyomi_ms`, which every decision has anew, then
    `bank_ms`. So `main_ms` with `byoyomi_ms` is Japanese byoyomi, and `byoyomi_ms` with `bank_ms` is the time bank of
    poker and mahjong tables: so much for every decision, and the bank for the hard ones.

    Args:
        main_ms: Milliseconds left for the rest of the game.
        inc_ms: What every decision adds to `main_ms` when it is made.
        byoyomi_ms: For each decision, once `main_ms` is used up; what a decision leaves of it is lost.
        bank_ms: What is drawn on when both are used up.
        overhead_ms: What a decision may take beside the search, such as a slow line. It is kept free on the clock.
        moves_left: Own decisions, this one included, that the clock has to last for, where somebody knows; None for
            an estimate.

    All are at least 0 (`moves_left` 1) and kept to the microsecond.

    Raises:
        InvalidOption: A value that is not allowed.

    >>> clock = Clock(main_ms=60_000, inc_ms=1_000)
    >>> str(clock), clock == Clock.parse("60s+1s")
    ('60s+1s', True)
    >>> clock.after(2_500).main_ms
    58500
    """

    main_ms: float = 0
    inc_ms: float = 0
    byoyomi_ms: float = 0
    bank_ms: float = 0
    overhead_ms: float = 25
    moves_left: int | None = None

    def __post_init__(self) -> None:
        for name in ("main_ms", "inc_ms", "byoyomi_ms", "bank_ms", "overhead_ms"):
            object.__setattr__(self, name, _milliseconds(name, getattr(self, name)))
        if self.moves_left is not None:
            moves = whole("moves_left", self.moves_left, least=1, most=MOST_MOVES)
            object.__setattr__(self, "moves_left", moves)

    @classmethod
    def parse(cls, text: str) -> Self:
        """A clock from its text: `main[+inc][/byoyomi[/bank]]`, each a number with ms, s, m or h; 0 needs no unit.

        The parts stand in the order in which a decision uses them up. `overhead_ms` and `moves_left` have no text:
        they are a host's to say.

        Raises:
            InvalidOption: Another text.

        >>> Clock.parse("10m/30s").byoyomi_ms, Clock.parse("0/5s/20s").bank_ms
        (30000, 20000)
        """
        given: object = text
        parts = str.__str__(text).split("/") if isinstance(given, str) else []
        if 1 <= len(parts) <= 3:
            main, plus, inc = parts[0].partition("+")
            texts = [main, inc if plus else "0", *parts[1:], "0", "0"]
            times = [_time(each) for each in texts[:4]]
            if None not in times:
                main_ms, inc_ms, byoyomi_ms, bank_ms = (each or 0 for each in times)
                return cls(main_ms=main_ms, inc_ms=inc_ms, byoyomi_ms=byoyomi_ms, bank_ms=bank_ms)
        raise InvalidOption(f"clock cannot be {shown(text)}; it is {FORM}.", given=text, allowed=(FORM,))

    @property
    def limit_ms(self) -> float:
        """What the decision to be made may take before the flag falls."""
        return self.main_ms + self.byoyomi_ms + self.bank_ms

    def after(self, used_ms: float) -> "Clock":
        """The clock after a decision that took so long. Where that was over the limit, nothing but `inc_ms` is left.

        Raises:
            InvalidOption: A time below 0.

        >>> Clock(main_ms=1_000, byoyomi_ms=5_000, bank_ms=20_000).after(7_000)
        kibitz.Clock(byoyomi_ms=5000, bank_ms=19000)
        """
        used = _milliseconds("used_ms", used_ms)
        beyond = max(0, used - self.main_ms - self.byoyomi_ms)
        return replace(
            self,
            main_ms=min(max(0, self.main_ms - used) + self.inc_ms, MOST_MS),
            bank_ms=max(0, self.bank_ms - beyond),
            moves_left=None if self.moves_left is None else max(1, self.moves_left - 1),
        )

    def __str__(self) -> str:
        texts = [_time_text(each) for each in (self.main_ms, self.inc_ms, self.byoyomi_ms, self.bank_ms)]
        text = texts[0] + (f"+{texts[1]}" if self.inc_ms else "")
        if self.byoyomi_ms or self.bank_ms:
            text += f"/{texts[2]}"
        return text + (f"/{texts[3]}" if self.bank_ms else "")

    def __repr__(self) -> str:
        fields = self.__dataclass_fields__
        given = [
            f"{name}={value!r}"
            for name, each in fields.items()
            if (value := getattr(self, name)) != each.default
        ]
        return f"kibitz.Clock({', '.join(given)})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()  # a pickle is checked like anything else from outside


@dataclass(frozen=True)
class ClockUse:
    """What a seat's clock showed over a game, or those of a bot over a match.

    Attributes:
        decisions: How many were made, those without a choice included.
        used_ms: What they took.
        least_ms: The least that a decision left until the flag would have fallen; below 0, by how much the worst one
            was over time. None before the first decision.
        overruns: Decisions that were over time.
    """

    decisions: int = 0
    used_ms: float = 0.0
    least_ms: float | None = None
    overruns: int = 0

    def __add__(self, other: "ClockUse") -> "ClockUse":
        least = [each for each in (self.least_ms, other.least_ms) if each is not None]
        return ClockUse(
            self.decisions + other.decisions,
            round(self.used_ms + other.used_ms, 3),
            min(least, default=None),
            self.overruns + other.overruns,
        )


class RunningClock:
    """The clock of one seat in one game. Whoever runs the game keeps it: a bot remembers nothing between moves.

    It runs inside its `with` statement. A fallen flag is counted in `use.overruns` and ends nothing; what it costs is
    for the caller to say.

    Args:
        clock: The time control.
        now: Seconds that never go back.

    Raises:
        InvalidOption: No `Clock`.

    >>> import kibitz
    >>> bot = kibitz.Bot("ismcts", clock=kibitz.Clock.parse("300ms+10ms"))
    >>> running = RunningClock(bot.clock)
    >>> table = kibitz.load("tic_tac_toe").deal(seed=1)
    >>> with running:
    ...     move = bot.act(table.view(), clock=running.clock)
    >>> running.use.decisions, running.clock.main_ms < 310
    (1, True)
    """

    def __init__(self, clock: Clock, *, now: Callable[[], float] = monotonic) -> None:
        self._clock = checked(clock)
        self._now = now
        self._since: float | None = None
        self._use = ClockUse()

    @property
    def clock(self) -> Clock:
        """What is on it, or was when the decision that is being made began."""
        return self._clock

    @property
    def use(self) -> ClockUse:
        """What the decisions so far took."""
        return self._use

    def __enter__(self) -> Self:
        self._since = self._now()
        return self

    def __exit__(self, *_: object) -> None:
        since, self._since = self._since, None
        if since is not None:
            self._charge(round(max(0.0, self._now() - since) * 1000, 3))

    def _charge(self, used: float) -> None:
        left = round(self._clock.limit_ms - used, 3)
        self._use += ClockUse(1, used, left, int(left < 0))
        self._clock = self._clock.after(min(used, MOST_MS))

    def __repr__(self) -> str:
        return (
            f"<RunningClock {self._clock}: {self._use.decisions} decisions, {self._use.used_ms:,.0f} ms used>"
        )


def checked(clock: object) -> Clock:
    """A clock as it is.

    Raises:
        InvalidOption: It is none.
    """
    if isinstance(clock, Clock):
        return clock
    more = "; kibitz.Clock.parse reads a text." if isinstance(clock, str) else "."
    raise InvalidOption(f"clock cannot be {shown(clock)}; it is a kibitz.Clock{more}", given=clock)


def _milliseconds(name: str, value: object) -> int | float:
    found = as_number(value)
    if found is None or not 0 <= found <= MOST_MS:
        raise InvalidOption(
            f"{name} cannot be {shown(value)}; it is a number of milliseconds from 0 to {MOST_MS:g}.",
            given=value,
        )
    return as_number(round(found, 3)) or 0


def _time(text: str) -> float | None:
    """Milliseconds from `90s`; None for another text."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(ms|s|m|h)?", text.strip(), flags=re.ASCII)
    if found is None or (found[2] is None and float(found[1]) != 0):
        return None
    return float(found[1]) * UNITS[found[2] or "ms"]


def _time_text(ms: float) -> str:
    """A time in the largest unit in which it is short: minutes from 2 on, then seconds, then milliseconds."""
    if ms == 0:
        return "0"
    if ms >= 2 * UNITS["m"] and ms % UNITS["m"] == 0:
        return f"{ms // UNITS['m']:.0f}m"
    if ms % 100 == 0:
        return f"{ms / UNITS['s']:.1f}".removesuffix(".0") + "s"
    return f"{ms:.3f}".rstrip("0").rstrip(".") + "ms"
