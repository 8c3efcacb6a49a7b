"""Ctrl-C: whatever runs ends soon, raises KeyboardInterrupt, and leaves all as it was, fit to go on."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import kibitz
from kibitz import _core

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
LATE = 1.0  # seconds; the aim is 0.05, the rest is for machines that have other things to do

# Says when it begins, is interrupted for certain, says when it was and how it stands afterwards.
SCRIPT = """
import sys, time
import kibitz
from kibitz import _core
from kibitz.matches import match

game = kibitz.load("kami", redeal=False)
table = game.deal(seed=3)
view = table.view()
rng, twin = _core.Rng(1, "test"), _core.Rng(1, "test")
long = kibitz.Bot(ms=3_600_000)
played = "11113477,12344568,11123368,11224555,s2,234,3p,4p,147"

def first(view):
    return view.legal()[0]

def even(leaves):
    return leaves.uniform(), [[0.5] * leaves.game.seats] * len(leaves)

def slow(leaves):
    time.sleep(3600)

def work():
    {work}

if __name__ == "__main__":
    expected = kibitz.best_move(view, iterations=200, seed=1)
    record = table.to_json()
    print("ready", flush=True)
    try:
        work()
        print("not interrupted")
    except KeyboardInterrupt:
        print(time.monotonic())
    assert kibitz.best_move(view, iterations=200, seed=1) == expected
    assert table.to_json() == record
    assert table.view() == view
    assert rng.below(2**63) == twin.below(2**63)
    table.play(expected.move)
    print("well", flush=True)
"""

WORKS = {
    "ismcts": "kibitz.best_move(view, ms=3_600_000)",
    "two threads": "kibitz.best_move(view, iterations=4_000_000_000, threads=2)",
    "flat": "kibitz.best_move(view, search='flat', iterations=4_000_000_000)",
    "a full tree": "kibitz.best_move(view, iterations=4_000_000_000, max_bytes=2**20)",
    "puct": "kibitz.best_move(view, search='puct', evaluator=even, ms=3_600_000, threads=2)",
    "an evaluator": "kibitz.best_move(view, search='puct', evaluator=slow, iterations=100)",
    "perft": "_core.perft(game.deal(seed=3).core, 60)",
    "perft from before the deal": "_core.perft(kibitz.load('kami').core.blank(), 60)",
    "playouts": "_core.playouts(table.core, 2**64 - 1, rng)",
    "samples": "_core.samples(view.core, 2**64 - 1, rng)",
    "a bot": "long.act(view)",
    "a live search": "kibitz.Search(view, threads=2).start().result()",
    "review": "kibitz.review(game.setup(played), ms=3_600_000, progress=False)",
    "match": "match(game, [long, long], games=2, progress=False)",
    "match of plain bots": "match(game, [first, kibitz.Bot('greedy')], games=10**9, progress=False)",
    "match with workers": "match(game, [long, long], games=8, workers=2, progress=False)",
}


def run(work: str) -> tuple[float, list[str]]:
    """Seconds from Ctrl-C to the exception, and what was printed after it."""
    code = SCRIPT.format(work=work)
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.25)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()  # nothing must go on searching behind a failed test
    assert (process.returncode, err) == (0, ""), err
    caught, *rest = out.splitlines()
    return float(caught) - sent, rest


@POSIX
@pytest.mark.parametrize("name", WORKS)
def test_ctrl_c_ends_it_soon_and_nothing_is_lost(name: str) -> None:
    seconds, rest = run(WORKS[name])
    assert rest == ["well"]
    assert seconds < LATE


@POSIX
def test_a_handler_that_raises_something_else() -> None:
    """A time limit by signal: the exception is the handler's own."""

    class TimeIsUp(Exception):
        pass

    def raises(number: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    with handled(signal.SIGALRM, raises):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeIsUp):
            kibitz.best_move(busy(), ms=60_000)


@POSIX
def test_a_handler_that_raises_nothing_does_not_end_the_search() -> None:
    told: list[int] = []
    with handled(signal.SIGALRM, lambda number, frame: told.append(number)):
        signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)
        found = kibitz.best_move(busy(), iterations=100_000, seed=1)
    assert told
    assert found == kibitz.best_move(busy(), iterations=100_000, seed=1)


@POSIX
def test_another_threads_search_goes_on() -> None:
    """Ctrl-C is the main thread's affair."""
    found: list[kibitz.Analysis] = []
    thread = threading.Thread(
        target=lambda: found.append(kibitz.best_move(busy(), iterations=150_000, seed=1))
    )
    with pytest.raises(KeyboardInterrupt):
        interrupt_with(thread)
    thread.join()
    assert found[0] == kibitz.best_move(busy(), iterations=150_000, seed=1)


def interrupt_with(thread: threading.Thread) -> None:
    thread.start()
    signal.raise_signal(signal.SIGINT)
    time.sleep(60)


def busy() -> kibitz.View:
    return kibitz.load("kami", redeal=False).deal(seed=3).view()


class handled:  # noqa: N801
    """A signal handler for the length of a block, and no alarm after it."""

    def __init__(self, number: int, handler: Callable[[int, FrameType | None], object]) -> None:
        self.number, self.handler = number, handler

    def __enter__(self) -> None:
        self.before = signal.signal(self.number, self.handler)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(self.number, self.before)


# --- between any two lines ---

PACKAGE = str(Path(kibitz.__file__).parent)


def lines_of(work: Callable[[], object]) -> int:
    """How many lines of the package it runs."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line" and frame.f_code.co_filename.startswith(PACKAGE)
        return trace

    traced(work, trace)
    return count


def interrupted_at(work: Callable[[], object], line: int) -> None:
    """Ctrl-C at its `line`-th line."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line" and frame.f_code.co_filename.startswith(PACKAGE)
        if count == line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    with pytest.raises(KeyboardInterrupt):
        traced(work, trace)


def traced(work: Callable[[], object], trace: Any) -> None:
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)


def tables() -> Iterator[tuple[kibitz.Table, Callable[[kibitz.Table], object]]]:
    """A table, and what is done to it: a move, the last move of a round with the deal after it, looks, undo."""
    game = kibitz.load("kami", redeal=False)
    table = game.deal(seed=3)
    while not any(event.startswith("*") for event in table.record):
        before = table.copy()
        table.play(table.legal()[-1])
    last = table.at(len(before.record) + 1).record[-1]
    yield before, lambda table: table.play(last)
    yield before, lambda table: table.play(table.legal()[0])
    yield table, lambda table: table.undo()
    yield table, lambda table: (table.view(seat=1), table.copy(), table.to_json())


@pytest.mark.parametrize("case", range(4))
def test_a_table_is_whole_wherever_it_is_interrupted(case: int) -> None:
    """As before or as after, whatever the line; the table then goes on like any other."""
    start, work = list(tables())[case]
    after = start.copy()
    work(after)
    spare = start.copy()
    spare.view(seat=0)
    total = lines_of(lambda: work(spare))
    assert total > 5
    for line in range(1, total + 1, max(1, total // 60)):
        table = start.copy()
        table.view(seat=0)
        interrupted_at(lambda table=table: work(table), line)  # type: ignore[misc]
        assert table in (start, after)
        assert kibitz.Table.from_json(table.to_json()) == table
        for seat in range(4):
            assert table.view(seat=seat) == table.copy().view(seat=seat)
        while table.turn is not None and len(table.record) < len(after.record) + 3:
            table.play(table.legal()[0])
        assert kibitz.Table.from_json(table.to_json()) == table


def test_a_stream_of_numbers_is_used_up_only_by_what_was_done() -> None:
    rng, twin = _core.Rng(1, "test"), _core.Rng(1, "test")
    state = busy().sample(seed=1).core
    with pytest.raises(kibitz.InvalidOption):
        _core.playouts(state, 0, rng)
    assert rng.below(2**63) == twin.below(2**63)
    assert _core.playouts(state, 10, rng) == _core.playouts(state, 10, twin)
