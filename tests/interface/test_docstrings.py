"""Every example in a docstring does what it says."""

import doctest
import importlib
import pkgutil

import pytest

import kibitz

MODULES = [
    "kibitz",
    *(
        found.name
        for found in pkgutil.walk_packages(kibitz.__path__, "kibitz.")
        if not found.name.startswith(("kibitz._", "kibitz.cli"))
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
