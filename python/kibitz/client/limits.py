"""How long one search may run."""

from dataclasses import dataclass, replace
from typing import Any

from kibitz.clock import Clock, checked
from kibitz.errors import InvalidOption, shown
from kibitz.given import positive, whole

__all__ = ["Limit"]

MOST_MS = 1e10


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What ends a search; with several, the first one reached.

    Args:
        ms: Milliseconds, from the receipt of the request to the answer.
        iterations: Exactly so many: the same answer on every machine.
        clock: What is on the seat's clock; the engine takes what it thinks right of it.
        until_stop: No limit but `stop`. Only for an analysis, unless another limit is given too.

    Raises:
        InvalidOption: A value that is not allowed.

    >>> Limit(ms=500).longest_ms
    500
    >>> Limit(clock=Clock.parse("10s/5s")).longest_ms
    15000
    """

    ms: float | None = None
    iterations: int | None = None
    clock: Clock | None = None
    until_stop: bool = False

    def __post_init__(self) -> None:
        if self.ms is not None:
            object.__setattr__(self, "ms", positive("ms", self.ms, most=MOST_MS))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", whole("iterations", self.iterations, least=1))
        if self.clock is not None:
            checked(self.clock)
        if not isinstance(self.until_stop, bool):
            raise InvalidOption(
                f"until_stop cannot be {shown(self.until_stop)}; it is True or False.", given=self.until_stop
            )

    @property
    def ends(self) -> bool:
        """Whether a search with this limit ends by itself."""
        return self.ms is not None or self.iterations is not None or self.clock is not None

    @property
    def longest_ms(self) -> float | None:
        """How long a search may take by this limit; None where only work, or nothing, is limited."""
        times = [self.ms, None if self.clock is None else self.clock.limit_ms]
        return min((each for each in times if each is not None), default=None)

    def less(self, used_ms: float) -> "Limit":
        """What is left of it after some time; never nothing.

        >>> Limit(ms=500, iterations=1000).less(200)
        Limit(ms=300, iterations=1000, clock=None, until_stop=False)
        """
        ms = None if self.ms is None else max(1, self.ms - used_ms)
        if self.clock is None:
            return replace(self, ms=ms)
        main = max(0, self.clock.main_ms - used_ms)
        used_ms = max(0, used_ms - self.clock.main_ms)
        byoyomi = max(0, self.clock.byoyomi_ms - used_ms)
        bank = max(0, self.clock.bank_ms - max(0, used_ms - self.clock.byoyomi_ms))
        return replace(self, ms=ms, clock=replace(self.clock, main_ms=main, byoyomi_ms=byoyomi, bank_ms=bank))

    def parameters(self) -> dict[str, Any]:
        """As parameters of `go`."""
        found: dict[str, Any] = {}
        if self.ms is not None:
            found["ms"] = self.ms
        if self.iterations is not None:
            found["iterations"] = self.iterations
        if self.clock is not None:
            names = ("main_ms", "byoyomi_ms", "inc_ms", "bank_ms", "moves_left")
            values = {name: getattr(self.clock, name) for name in names}
            found["clock"] = {name: value for name, value in values.items() if value is not None}
            found["overhead_ms"] = self.clock.overhead_ms
        if self.until_stop:
            found["until"] = "stop"
        return found


def check_limit(limit: object, *, endless: bool) -> Limit:
    """A limit as it is.

    Raises:
        InvalidOption: It is none, or it has no end where one is needed.
    """
    if not isinstance(limit, Limit):
        raise InvalidOption(
            f"limit cannot be {shown(limit)}; it is a kibitz.Limit, such as Limit(ms=500).", given=limit
        )
    if not limit.ends and not limit.until_stop:
        raise InvalidOption("The limit is empty; give it ms, iterations or a clock.", given=limit)
    if not limit.ends and not endless:
        raise InvalidOption(
            "With until_stop alone the answer would never come; give the limit ms, iterations or a clock, or use "
            "analysis(), which can be stopped.",
            given=limit,
        )
    return limit
