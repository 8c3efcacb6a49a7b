"""Speed of the core and of its boundary, for every game and number of players. See docs/performance.md."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kibitz import _core
from works import CASES, WORKS, Case, Work, read_pins, start

PINS = read_pins()


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("work", WORKS, ids=str)
def test_work(benchmark: BenchmarkFixture, case: Case, work: Work) -> None:
    task = work.prepare(case)
    benchmark.group = work.name
    benchmark.extra_info.update(case=str(case), work=work.name, unit=task.unit, units=task.units)
    result = benchmark(task.run)
    pinned = PINS.get(str(case), {}).get(work.name)
    assert result == pinned, (
        "other work than the pinned; if meant: ./dev bench pin, and say why in the commit"
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_playout_is_pick_and_play(case: Case) -> None:
    """A game's own playout loop gives, with the same random numbers, the end that `pick` and `play` give."""
    first = start(case)
    for seed in range(300):
        rng = _core.Rng(seed, "test playout")
        state, plies = first, 0
        while not state.settled():
            decides = state.turn != _core.CHANCE
            state = state.play(state.pick(rng) if decides else state.roll(rng))
            plies += decides
        again = _core.Rng(seed, "test playout")
        assert first.playout(again) == (state, plies), seed
        assert again.below(2**32 - 1) == rng.below(2**32 - 1), seed


def test_nothing_else_is_pinned() -> None:
    known = {(str(case), work.name) for case in CASES for work in WORKS}
    assert {(case, work) for case, pins in PINS.items() for work in pins} <= known, "./dev bench pin"
