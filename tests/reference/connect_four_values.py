"""Exact values of Connect Four positions: alpha-beta with transpositions over bits, apart from the core.

    PYTHONPATH=tests .venv/bin/python -m reference.connect_four_values          # solve all again and compare
    PYTHONPATH=tests .venv/bin/python -m reference.connect_four_values --write  # choose them anew, solve, write

tests/data/connect_four_positions.json has, for 20, 22, ... 28 discs, the first random games (seeds 1000 * discs, + 1,
+ 2, ...) whose position is won, drawn or lost for the seat to move, four of each. Positions that are decided within
four plies are passed over.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import NamedTuple

from reference.connect_four import Reference

FILE = Path(__file__).parents[1] / "data" / "connect_four_positions.json"
CELLS = 42
DISCS = (20, 22, 24, 26, 28)
EACH = 4

# Row by row, eight bits a row, the eighth always empty: cell (column, row) is bit 8 * row + column.
FLOOR = 0x7F
BOARD = sum(FLOOR << 8 * row for row in range(6))
ORDER = [sum(1 << (8 * row + column) for row in range(6)) for column in (3, 2, 4, 1, 5, 0, 6)]


def completing(discs: int) -> int:
    """The cells, empty or not, that would make four with these discs."""
    found = (discs << 8) & (discs << 16) & (discs << 24)  # upright, from below
    for step in (1, 7, 9):
        two = (discs << step) & (discs << 2 * step)
        found |= two & (discs << 3 * step) | two & (discs >> step)
        two = (discs >> step) & (discs >> 2 * step)
        found |= two & (discs >> 3 * step) | two & (discs << step)
    return found & BOARD


class Solver:
    """Keeps what it has found out from one position to the next."""

    def __init__(self) -> None:
        self.least: dict[tuple[int, int], int] = {}
        self.most: dict[tuple[int, int], int] = {}

    def value(self, own: int, other: int, discs: int, alpha: int, beta: int) -> int:
        """43 less the discs at the end if the seat to move wins, the same negative if it loses, 0 for a draw.

        So the quicker of two wins, and the slower of two losses, is the greater.
        """
        taken = own | other
        playable = ((taken << 8) | FLOOR) & ~taken & BOARD
        if not playable:
            return 0
        if completing(own) & playable:
            return CELLS - discs
        threats = completing(other)
        now = threats & playable
        if now:
            playable = now if now & (now - 1) == 0 else 0  # two at once can't both be met
        playable &= ~(threats >> 8)  # a disc below lets the other in
        if not playable:
            return discs + 1 - CELLS
        key = (own, other)
        alpha = max(alpha, min(discs + 3 - CELLS, 0), self.least.get(key, -CELLS))
        beta = min(beta, max(CELLS - 2 - discs, 0), self.most.get(key, CELLS))
        if alpha >= beta:
            return alpha
        best = -CELLS
        low = alpha
        for column in ORDER:
            cell = playable & column
            if cell:
                found = -self.value(other, own | cell, discs + 1, -beta, -low)
                best = max(best, found)
                low = max(low, best)
                if low >= beta:
                    break
        if best > alpha:
            self.least[key] = best
        if best < beta:
            self.most[key] = best
        return best


class Solved(NamedTuple):
    """A position and what it comes to."""

    moves: str  # the columns from the start
    value: int  # for the seat to move: 1 won, 0 drawn, -1 lost
    plies: int  # to the end, when both sides play their best


def solve(moves: str, solver: Solver | None = None) -> Solved:
    """The exact value; the winner hurries, the loser delays."""
    sides = [0, 0]
    for i, move in enumerate(moves):
        taken = sides[0] | sides[1]
        cell = ((taken << 8) | FLOOR) & ~taken & BOARD & (0x010101010101 << (int(move) - 1))
        sides[i % 2] |= cell
    discs = len(moves)
    found = (solver or Solver()).value(sides[discs % 2], sides[1 - discs % 2], discs, -CELLS, CELLS)
    plies = CELLS + (found != 0) - abs(found) - discs
    return Solved(moves, (found > 0) - (found < 0), plies)


def random_game(discs: int, seed: int) -> str | None:
    """The moves of a random game up to so many discs; None if it ends before."""
    rng = random.Random(seed)
    game, moves = Reference(), ""
    while len(moves) < discs and game.actor() is not None:
        move = rng.choice(game.legal())
        game.play(move)
        moves += move
    return moves if game.actor() is not None else None


def choose() -> list[dict[str, int | str]]:
    chosen: list[dict[str, int | str]] = []
    for discs in DISCS:
        wanted = {1: EACH, 0: EACH, -1: EACH}
        seed = 1000 * discs
        while any(wanted.values()):
            moves = random_game(discs, seed)
            if moves is not None:
                solved = solve(moves)
                if wanted[solved.value] and solved.plies > 4:
                    wanted[solved.value] -= 1
                    chosen.append({"seed": seed, **solved._asdict()})
                    print(chosen[-1], flush=True)
            seed += 1
    return chosen


def read() -> list[dict[str, int | str]]:
    found: list[dict[str, int | str]] = json.loads(FILE.read_text(encoding="utf-8"))["positions"]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Exact values of Connect Four positions.")
    parser.add_argument("--write", action="store_true", help="choose positions anew and write them")
    if parser.parse_args().write:
        about = "Written by: PYTHONPATH=tests python -m reference.connect_four_values --write"
        rows = ",\n".join(f"    {json.dumps(row)}" for row in choose())
        FILE.write_text(f'{{\n  "about": {json.dumps(about)},\n  "positions": [\n{rows}\n  ]\n}}\n')
        return 0
    wrong = 0
    start = time.perf_counter()
    for row in read():
        moves = str(row["moves"])
        found = solve(moves)._asdict()
        fault = random_game(len(moves), int(row["seed"])) != moves or {"seed": row["seed"], **found} != row
        wrong += fault
        print(row, f"found {found}" if fault else "ok", flush=True)
    print(f"{len(read())} positions, {wrong} wrong, {time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
