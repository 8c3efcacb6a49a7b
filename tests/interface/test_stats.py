"""Intervals against published examples."""

import math
import random

import pytest

from kibitz.errors import InvalidOption
from kibitz.stats import difference_interval, mean_interval, paired, wilson, z_of


# Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score method without continuity correction).
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)
    assert found.mean == successes / trials


def test_wilson_is_symmetric_and_stays_within_0_and_1() -> None:
    for trials in (1, 2, 7, 100):
        for successes in range(trials + 1):
            one, other = wilson(successes, trials), wilson(trials - successes, trials)
            assert one.low is not None
            assert one.high is not None
            assert 0 <= one.low <= one.mean <= one.high <= 1
            assert other.high == pytest.approx(1 - one.low)


def test_wilson_of_nothing_is_all_open() -> None:
    found = wilson(0, 0)
    assert (found.low, found.high, found.n) == (0.0, 1.0, 0)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (1, 0)])
def test_wilson_refuses_counts_that_cannot_be(successes: int, trials: int) -> None:
    with pytest.raises(InvalidOption):
        wilson(successes, trials)


# Cushny and Peebles' hours of additional sleep, as in Student, Biometrika 6 (1908) 1-25, table in section IX:
# mean difference 1.58; the t of its 10 pairs is 4.062 (any textbook since Fisher 1925).
DEXTRO = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
LAEVO = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_paired_difference_as_published() -> None:
    found = paired(LAEVO, DEXTRO)
    assert found.mean == pytest.approx(1.58)
    assert found.high is not None
    standard_error = (found.high - found.mean) / z_of(0.95)
    assert found.mean / standard_error == pytest.approx(4.0621, abs=5e-5)
    assert found.clear


def test_equal_pairs_differ_by_exactly_nothing() -> None:
    rng = random.Random(1)
    values = [rng.random() for _ in range(100)]
    found = paired(values, values)
    assert (found.mean, found.low, found.high) == (0.0, 0.0, 0.0)
    assert not found.clear


def test_mean_of_one_value_has_no_interval() -> None:
    found = mean_interval([0.25])
    assert (found.mean, found.low, found.high, found.n) == (0.25, None, None, 1)


def test_nothing_has_no_mean() -> None:
    with pytest.raises(InvalidOption):
        mean_interval([])
    with pytest.raises(InvalidOption, match="2 and 1"):
        paired([1.0, 2.0], [1.0])


def test_mean_interval_covers_the_mean_as_often_as_it_says() -> None:
    # 2000 intervals from 40 values each: 95 % +- 4 standard errors of a proportion, +1 % for the normal quantile.
    rng = random.Random(7)
    covered = 0
    for _ in range(2000):
        found = mean_interval([rng.random() for _ in range(40)])
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.5 <= found.high
    assert 0.92 <= covered / 2000 <= 0.97


def test_quantiles() -> None:
    assert z_of(0.95) == pytest.approx(1.959963985, abs=1e-9)
    assert z_of(0.99) == pytest.approx(2.575829304, abs=1e-9)
    for confidence in (0.0, 1.0, 95.0):
        with pytest.raises(InvalidOption):
            z_of(confidence)


def test_difference_of_independent_estimates() -> None:
    low, high = difference_interval(0.5, 0.3, 0.1, 0.4)
    assert (low + high) / 2 == pytest.approx(0.4)
    assert high - low == pytest.approx(2 * z_of(0.95) * math.hypot(0.3, 0.4))
