"""The examples in the references of the small games, and in what is built on them."""

import doctest
from types import ModuleType

import pytest

from reference import exploitability, goofspiel, kuhn_poker, leduc_poker


@pytest.mark.parametrize("module", [exploitability, goofspiel, kuhn_poker, leduc_poker])
def test_examples(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
