"""Sequential probability ratio tests: a match goes on until it has shown enough, and no longer.

The test is of the mean share of the points that the first of two bots takes, over duplicate deals: a deal, played once
in every rotation, is one value from 0 to 1, so what the games of a deal have in common is accounted for. It is Wald's
test of a mean with the variance as it was seen, the approximation of the generalized test (GSPRT) for a match of pairs:

    LLR = n (t1 - t0) (2 m - t0 - t1) / (2 s^2)

with n deals, their mean m and variance s^2, between the shares t0 and t1. It accepts t0 at or below
log(beta / (1 - alpha)), and t1 at or above log((1 - beta) / alpha).

Sources: Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945) 117-186, for
the bounds; Michel Van den Bergh, "GSPRT_approximation.pdf", written for the testing framework of Stockfish, for the
ratio. Departs from it: shares instead of Elo; and n, m and s^2 have two more deals, one lost and one won, so that some
deals that all ended alike are no proof.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kibitz.errors import InvalidOption, shown
from kibitz.given import as_number, whole

__all__ = ["Accepted", "Sprt", "SprtResult", "SprtRun"]

Accepted: TypeAlias = Literal["low", "high"]

BESIDE = (0.0, 1.0)  # deals that were not played
MOST_EVERY = 1_000_000


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first bot's share of the points `low`, or is it `high`?

    Attributes:
        low, high: The two shares, 0 <= low < high <= 1. Even play is 0.5. In a co-operative game, where each bot
            plays the deals alone, a share of 0.55 is a success rate 0.1 above the other's.
        alpha: How often at most the test may accept `high` where `low` is true.
        beta: How often at most it may accept `low` where `high` is true.
        every: After how many deals it is looked at.

    Raises:
        InvalidOption: An argument that is not allowed.

    >>> test = Sprt(low=0.5, high=0.6)
    >>> test.test([0.5, 1.0] * 30).accepted, test.test([0.5, 0.0] * 30).accepted, test.test([0.5]).accepted
    ('high', 'low', None)
    """

    low: float = 0.5
    high: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05
    every: int = 10

    def __post_init__(self) -> None:
        low, high = as_number(self.low), as_number(self.high)
        if low is None or high is None or not 0 <= low < high <= 1:
            raise InvalidOption(
                f"low and high cannot be {shown(self.low)} and {shown(self.high)}; they are shares of the points, "
                "0 <= low < high <= 1.",
                given=(self.low, self.high),
            )
        object.__setattr__(self, "low", float(low))
        object.__setattr__(self, "high", float(high))
        for name in ("alpha", "beta"):
            value = as_number(getattr(self, name))
            if value is None or not 0 < value < 0.5:
                raise InvalidOption(
                    f"{name} cannot be {shown(getattr(self, name))}; it is the probability of an error, above 0 and "
                    "below 0.5.",
                    given=getattr(self, name),
                )
            object.__setattr__(self, name, float(value))
        object.__setattr__(self, "every", whole("every", self.every, least=1, most=MOST_EVERY))

    @staticmethod
    def parse(text: str) -> "Sprt":
        """A test from `low:high`, `low:high:alpha` or `low:high:alpha:beta`; a lone alpha is for both errors.

        Raises:
            InvalidOption: Another text.

        >>> Sprt.parse("0.5:0.55") == Sprt(), Sprt.parse("0.5:0.6:0.01").beta
        (True, 0.01)
        """
        given: object = text
        parts = given.split(":") if isinstance(given, str) else []
        try:
            numbers = [float(part) for part in parts]
        except ValueError:
            numbers = []
        if not 2 <= len(numbers) <= 4:
            raise InvalidOption(
                f"sprt cannot be {shown(text)}; it is low:high[:alpha[:beta]], such as 0.5:0.55.", given=text
            )
        low, high, alpha, beta = {2: [*numbers, 0.05, 0.05], 3: [*numbers, *numbers[2:]]}.get(
            len(numbers), numbers
        )
        return Sprt(low, high, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test, for `low` and for `high`.

        >>> [round(bound, 3) for bound in Sprt().bounds]
        [-2.944, 2.944]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, shares: Sequence[float]) -> float:
        """The log-likelihood ratio of the two hypotheses, from a value a deal; 0 without deals."""
        if not shares:
            return 0.0
        values = (*shares, *BESIDE)
        n = len(values)
        mean = math.fsum(values) / n
        variance = math.fsum((value - mean) ** 2 for value in values) / n
        return n * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)

    def test(self, shares: Sequence[float]) -> "SprtResult":
        """How the test stands after these deals."""
        llr, (least, most) = self.llr(shares), self.bounds
        accepted: Accepted | None = "low" if llr <= least else "high" if llr >= most else None
        mean = math.fsum(shares) / len(shares) if shares else None
        return SprtResult(self, len(shares), mean, llr, accepted)


@dataclass(frozen=True)
class SprtResult:
    """How a sequential test stands.

    A share from a match that ended itself leans to the side it ended on: it is told for the record, and no estimate.

    Attributes:
        sprt: The test.
        deals: How many it has seen; those of which a game broke off are left out.
        share: The first bot's share of the points in them; None without any.
        llr: The log-likelihood ratio, above 0 for `high`.
        accepted: `"low"` or `"high"`; None while it is not decided.
    """

    sprt: Sprt
    deals: int
    share: float | None
    llr: float
    accepted: Accepted | None

    def sentence(self, name: str) -> str:
        """What was found, about a bot of this name."""
        test = self.sprt
        least, most = test.bounds
        what = f"{test.low:g} against {test.high:g}, alpha {test.alpha:g}, beta {test.beta:g}"
        stands = f"LLR {self.llr:.2f} in [{least:.2f}, {most:.2f}] after {self.deals:,} deals"
        if self.accepted is None:
            return f"SPRT of the share of {name}, {what}: not decided; {stands}."
        share = test.low if self.accepted == "low" else test.high
        return f"SPRT of the share of {name}, {what}: {self.accepted}, {share:g}, is accepted; {stands}."


class SprtRun:
    """A test on the way through the deals of a match. It sees them in order and is looked at at fixed counts.

    Args:
        sprt: The test.
        deals: All that may be played.
    """

    def __init__(self, sprt: Sprt, deals: range) -> None:
        self.sprt = sprt
        self.deals = deals
        """The deals that count: once it is decided, those up to there."""
        self.state = sprt.test(())
        self._shares: list[float] = []

    def look(self, block: range, shares: Mapping[int, float]) -> bool:
        """Whether the test is decided by now.

        Args:
            block: The deals that come next, all of them played.
            shares: The first bot's share in each that did not break off.
        """
        for deal in block:
            if deal in shares:
                self._shares.append(shares[deal])
            stop = deal + 1
            if (stop - self.deals.start) % self.sprt.every == 0 or stop == self.deals.stop:
                self.state = self.sprt.test(self._shares)
                if self.state.accepted is not None:
                    self.deals = range(self.deals.start, stop)
                    return True
        return False
