"""Intervals: of a mean, of a paired difference, of a proportion. Normal quantiles from the standard library.

Sources: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212;
Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998) 857-872,
method 3, whose examples are the tests of `wilson`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.errors import InvalidOption, shown

__all__ = ["CONFIDENCE", "Estimate", "difference_interval", "mean_interval", "paired", "wilson", "z_of"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """An estimated number with its interval.

    Attributes:
        mean: The estimate, in the unit of what was averaged.
        low, high: Its interval; None when there is too little to say (fewer than two values).
        n: How many values (or trials) it comes from.
        confidence: Of the interval.
    """

    mean: float
    low: float | None
    high: float | None
    n: int
    confidence: float = CONFIDENCE

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.mean:.3f}"
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def z_of(confidence: float) -> float:
    """How many standard errors an interval reaches to each side.

    >>> round(z_of(0.95), 6)
    1.959964
    """
    from statistics import NormalDist

    if not 0 < confidence < 1:
        raise InvalidOption(
            f"confidence cannot be {shown(confidence)}; it lies between 0 and 1.", given=confidence
        )
    return NormalDist().inv_cdf((1 + confidence) / 2)


def mean_interval(values: Iterable[float], *, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of independent values: `mean +- z * s / sqrt(n)`, `s` with n - 1.

    The normal quantile and not Student's: below some thirty values the interval is too narrow.

    Args:
        values: In any one unit.
        confidence: Between 0 and 1.

    Raises:
        InvalidOption: No values.

    >>> print(mean_interval([1.0, 2.0, 3.0, 4.0]))
    2.500 [1.235, 3.765]
    """
    found = [float(value) for value in values]
    n = len(found)
    if n == 0:
        raise InvalidOption("A mean needs at least one value.", given=0)
    mean = math.fsum(found) / n
    if n == 1:
        return Estimate(mean, None, None, n, confidence)
    variance = math.fsum((value - mean) ** 2 for value in found) / (n - 1)
    reach = z_of(confidence) * math.sqrt(variance / n)
    return Estimate(mean, mean - reach, mean + reach, n, confidence)


def paired(first: Sequence[float], second: Sequence[float], *, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of `first[i] - second[i]`, from the spread of the differences.

    Raises:
        InvalidOption: No pairs, or not of one length.

    >>> paired([3.0, 4.0], [3.0, 4.0])
    Estimate(mean=0.0, low=0.0, high=0.0, n=2, confidence=0.95)
    """
    if len(first) != len(second):
        raise InvalidOption(f"Pairs need as many values on both sides, not {len(first)} and {len(second)}.")
    return mean_interval((a - b for a, b in zip(first, second, strict=True)), confidence=confidence)


def difference_interval(
    first: float, first_se: float, second: float, second_se: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Interval of the difference of two independent estimates with standard errors.

    >>> low, high = difference_interval(0.7, 0.03, 0.6, 0.04)
    >>> round(low, 3), round(high, 3)
    (0.002, 0.198)
    """
    reach = z_of(confidence) * math.hypot(first_se, second_se)
    return first - second - reach, first - second + reach


def wilson(successes: float, trials: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """A proportion and its score interval, after Wilson 1927.

        (p + z^2 / 2n  +-  z * sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    Args:
        successes: 0 to `trials`; half a success for a draw, which makes the interval wider than need be.
        trials: With 0 trials nothing is known: the interval is 0 to 1 and the mean its middle.
        confidence: Between 0 and 1.

    Raises:
        InvalidOption: Counts that cannot be.

    >>> print(wilson(81, 263))
    0.308 [0.255, 0.366]
    """
    if not 0 <= successes <= trials:
        raise InvalidOption(
            f"There cannot be {shown(successes)} successes in {shown(trials)} trials.", given=successes
        )
    if trials == 0:
        return Estimate(0.5, 0.0, 1.0, 0, confidence)
    n, p, z = trials, successes / trials, z_of(confidence)
    middle = p + z * z / (2 * n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if successes == 0 else (middle - reach) / scale
    high = 1.0 if successes == trials else (middle + reach) / scale
    return Estimate(p, low, high, n, confidence)
