"""The yardstick of the sampling tests."""

import doctest

import chi_square


def test_examples() -> None:
    failed, tried = doctest.testmod(chi_square)
    assert tried > 0
    assert failed == 0


def test_a_wrong_law_is_noticed() -> None:
    counts = dict.fromkeys(range(6), 1000) | {5: 1200}
    assert chi_square.fit(counts, dict.fromkeys(range(6), 1.0)) < 1e-4
