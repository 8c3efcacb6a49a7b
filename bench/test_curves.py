"""Exploitability of searches: the arithmetic, and what must hold of any policy."""

import pytest

import curves
from reference.exploitability import kuhn


def test_shares_are_in_the_order_of_the_moves() -> None:
    found = {"moves": [{"move": 7, "visits": 30}, {"move": 2, "visits": 10}]}
    assert curves.by_share([2, 7], found) == [0.25, 0.75]


@pytest.mark.parametrize("search", curves.SEARCHES)
def test_policies_are_distributions(search: str) -> None:
    tree = kuhn()
    found = curves.asked(tree, search, 50, seeds=3)
    for table in (found.visits, found.chosen):
        assert table.keys() == tree.sets.keys()
        assert all(sum(row) == pytest.approx(1) for row in table.values())
    assert {share for row in found.chosen.values() for share in row} <= {0, 1 / 3, 2 / 3, 1}


def test_search_is_less_exploitable_than_uniform_play() -> None:
    tree = kuhn()
    found = curves.row(tree, "kuhn_poker", "ismcts", 300, seeds=2)
    # Uniform play: docs/games/kuhn_poker.md.
    assert found["visits"]["exploitability"] < 0.458333
    assert found == curves.row(tree, "kuhn_poker", "ismcts", 300, seeds=2)
