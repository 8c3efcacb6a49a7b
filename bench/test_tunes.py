"""Builds for several processors: which can be run, and what is compared."""

from pathlib import Path

import pytest

import program
import tunes
from kibitz.fixed_work import digest
from works import Case

ALL = {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "sse4_2"}


@pytest.mark.parametrize(
    ("tune", "flags", "machine", "why"),
    [
        ("x86-64-v3", ALL, "x86_64", ""),
        ("x86-64-v3", ALL - {"avx2", "fma"}, "x86_64", "this processor does not have avx2, fma"),
        ("x86-64-v2", set(), "x86_64", ""),
        ("x86-64-v2", set(), "aarch64", "this processor is aarch64"),
    ],
)
def test_a_build_that_cannot_run_is_named(tune: str, flags: set[str], machine: str, why: str) -> None:
    assert tunes.missing(tune, flags, machine) == why


def test_whole_is_a_hash_of_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `kibitz bench` makes it."""
    monkeypatch.setattr(
        program, "signature_lines", lambda bench, slug, players, iterations: f"{slug} {iterations}\n"
    )
    found = tunes.signatures(
        program.Program(Path(), "", "", ""), [Case("kuhn_poker", 2), Case("tic_tac_toe", 2)]
    )
    assert list(found) == ["all", "kuhn_poker-2", "tic_tac_toe-2"]
    assert found["kuhn_poker-2"] == digest("kuhn_poker 10000\n")
    assert found["all"] == digest(found["kuhn_poker-2"] + found["tic_tac_toe-2"])
