"""Memory of search trees, here and in OpenSpiel: what a process grows by while it searches once.

    python bench/memory.py connect_four kibitz      # one search in this process; JSON

peers.py runs it in a process of its own for each tree. `grown` is the peak of the resident set during the search less
that before it, so both sides are measured alike, from outside; it counts what the allocator adds. `nodes` are counted
where the tree can be seen: kibitz tells, the tree of `MCTSBot` is walked. Below a megabyte pages blur it.
"""

import gc
import json
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import kibitz
from kibitz.cli.peers import SAME, Same, first_decision, ismcts_bot, mcts_bot

ITERATIONS = 200_000
GAMES = ("connect_four", "hearts")


def peak() -> int:
    """The most bytes that this process has had in memory."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage says goes back to the process that started this one
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def count(node: Any) -> int:
    """Nodes of a tree of OpenSpiel's."""
    return 1 + sum(map(count, node.children))


def ours(same: Same) -> tuple[int, int | None, int | None]:
    """Bytes by which the process grows, nodes, and bytes of the tree as the search tells."""
    table = kibitz.load(same.slug, **same.options).deal(seed=7)
    while len(table.legal()) < 2:
        table.play(table.legal()[0])
    view = table.view()
    kibitz.best_move(view, search=same.search, iterations=100)  # code and tables are there
    gc.collect()
    before = peak()
    found = kibitz.best_move(view, search=same.search, iterations=same.iterations, playout="uniform", seed=1)
    return peak() - before, found.nodes, found.bytes


def theirs(same: Same) -> tuple[int, int | None, int | None]:
    """The same of OpenSpiel; the nodes of `ISMCTSBot` cannot be seen, and neither tells of bytes."""
    state = first_decision(same.theirs)
    small = replace(same, iterations=100)
    for each in (small, same):
        if same.search == "mcts":
            bot = mcts_bot(state.get_game(), 1, iterations=each.iterations)
            gc.collect()
            before = peak()
            root = bot.mcts_search(state)
        else:
            bot = ismcts_bot(1, iterations=each.iterations)
            gc.collect()
            before = peak()
            root = None
            bot.step(state)
        grown = peak() - before
    return grown, None if root is None else count(root), None


def measure() -> list[dict[str, Any]]:
    """A row for each game and library, each from a process of its own."""
    rows = []
    for game in GAMES:
        for library in ("kibitz", "open_spiel"):
            said = subprocess.run(
                [sys.executable, str(Path(__file__)), game, library],
                capture_output=True,
                text=True,
                check=True,
            )
            rows.append(json.loads(said.stdout))
    return rows


def main() -> int:
    game, library = sys.argv[1:]
    same = replace(next(each for each in SAME if each.slug == game), iterations=ITERATIONS)
    grown, nodes, told = ours(same) if library == "kibitz" else theirs(same)
    row = {
        "game": game,
        "library": library,
        "search": same.search if library == "kibitz" else same.bot,
        "iterations": ITERATIONS,
        "grown": grown,
        "nodes": nodes,
        "told": told,
    }
    print(json.dumps(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
