"""How well counts fit a law: Pearson's chi-square test, exact tail probability, standard library only."""

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def tail(statistic: float, freedom: int) -> float:
    """Probability that a chi-square variable with that many degrees of freedom is at least `statistic`.

    The regularised upper incomplete gamma function Q(freedom / 2, statistic / 2), by its series below the
    mean and by Lentz's continued fraction above it.

    >>> round(tail(3.841458821, 1), 9), round(tail(18.307038053, 10), 9), round(tail(124.342113, 100), 6)
    (0.05, 0.05, 0.05)
    >>> tail(0.0, 3)
    1.0
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - scale * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * fraction


def fit(counts: Mapping[K, int], weights: Mapping[K, float]) -> float:
    """Probability of counts at least this far from `weights`, if those are the law they were drawn from.

    0.0 if something was counted that has no weight. Cells that expect fewer than five are put together, in the order
    of `weights`, until they expect five.

    >>> fit({"heads": 50, "tails": 50}, {"heads": 1, "tails": 1})
    1.0
    >>> fit({"heads": 1, "edge": 1}, {"heads": 1, "tails": 1})
    0.0
    """
    drawn = sum(counts.values())
    whole = sum(weights.values())
    if any(n and not weights.get(key) for key, n in counts.items()):
        return 0.0
    cells: list[tuple[float, int]] = []
    rare, rare_count = 0.0, 0
    for key, weight in weights.items():
        expected = drawn * weight / whole
        if expected >= 5:
            cells.append((expected, counts.get(key, 0)))
            continue
        rare += expected
        rare_count += counts.get(key, 0)
        if rare >= 5:
            cells.append((rare, rare_count))
            rare, rare_count = 0.0, 0
    if rare and cells:  # what is left goes to the last cell
        last, count = cells.pop()
        cells.append((last + rare, count + rare_count))
    if len(cells) < 2:
        return 1.0
    return tail(sum((n - expected) ** 2 / expected for expected, n in cells), len(cells) - 1)
