"""What `kibitz best` spends besides the search: the process, the imports, reading, printing."""

import subprocess
import sys

from pytest_benchmark.fixture import BenchmarkFixture

COMMAND = [sys.executable, "-m", "kibitz", "best", "kami-table", "--iterations", "1"]


def test_best_of_one_iteration(benchmark: BenchmarkFixture) -> None:
    """Wanted: at most 0.4 s of CPU, the file cache warm."""
    run = benchmark(subprocess.run, COMMAND, capture_output=True, text=True, check=True)
    assert "to move" in run.stdout
