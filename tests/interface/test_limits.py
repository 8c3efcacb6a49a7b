"""Memory that a search may take: it keeps to it, and goes on rightly when its tree is full."""

import os
import subprocess
import sys

import pytest

import kibitz
from kibitz.errors import InvalidOption

VIEW = kibitz.load("kami", redeal=False).deal(seed=3).view()
MIB = 2**20

# In a process of its own: the most memory ever held never goes down.
GROWTH = """
import resource, sys
import kibitz
view = kibitz.load("kami", redeal=False).deal(seed=3).view()
kibitz.best_move(view, iterations=1000)
def held():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = held()
found = kibitz.best_move(view, iterations={iterations}, max_bytes={max_bytes}, threads={threads}, seed=1)
print(held() - before, found.bytes, found.full, found.iterations)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks the system as POSIX has it")
@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="a sanitizer keeps books of its own")
@pytest.mark.parametrize(("mib", "threads"), [(1, 1), (1, 4), (8, 2)])
def test_memory_stays_within_what_was_allowed(mib: int, threads: int) -> None:
    code = GROWTH.format(iterations=150_000, max_bytes=mib * MIB, threads=threads)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    grown, held, full, iterations = run.stdout.split()
    assert int(held) <= mib * MIB
    assert int(grown) < mib * MIB + threads * 512 * 1024 + 4 * MIB  # stacks, and what the allocator rounds up
    assert int(iterations) == 150_000
    assert full == str(mib == 1)


def test_a_search_goes_on_with_a_full_tree() -> None:
    small = kibitz.best_move(VIEW, iterations=200_000, max_bytes=MIB, seed=1)
    large = kibitz.best_move(VIEW, iterations=200_000, seed=2)
    assert (small.full, large.full) == (True, False)
    assert small.bytes <= MIB < large.bytes
    assert sum(row.visits for row in small.moves) == small.iterations == 200_000
    assert small.move == large.move
    for row in small.moves:
        assert row.mean == pytest.approx(large.row(row.move).mean, abs=0.02)
    assert kibitz.best_move(VIEW, **small.repeat) == small


@pytest.mark.parametrize("threads", [1, 2, 10])
def test_all_threads_together_keep_to_it(threads: int) -> None:
    found = kibitz.best_move(VIEW, iterations=100_000, max_bytes=MIB, threads=threads, seed=1)
    assert found.bytes <= MIB
    assert found.full


def test_too_little_for_so_many_threads_is_refused() -> None:
    with pytest.raises(
        InvalidOption, match=r"max_bytes cannot be 1048576; it is a whole number from 25165824"
    ):
        kibitz.best_move(VIEW, iterations=1000, max_bytes=MIB, threads=256)
    assert kibitz.best_move(VIEW, iterations=1000, max_bytes=24 * MIB, threads=256).iterations == 1000


def test_a_budget_of_nodes_is_kept() -> None:
    for threads in (1, 3):
        found = kibitz.best_move(VIEW, nodes=5000, threads=threads, seed=1)
        assert 5000 <= found.nodes <= 5000 + threads
        assert found.reason == "nodes"
