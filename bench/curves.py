"""How far searches are from an equilibrium in Kuhn and Leduc poker, by iterations.

    ./dev bench curves                    # some minutes; the same figures on every machine, at every load
    ./dev bench curves --game kuhn_poker

A search is asked in every information set of the game, with several seeds. Two policies come of it: moves by their
share of the visits, and moves as a bot plays them, the most visited. Both are means over the seeds, since an
opponent does not know the seed. Exploitability is how much a seat gains, on average over the seats, by the best
response to the policy (tests/reference/exploitability.py): 0 in an equilibrium. It is exact for the policy found.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from kibitz import _core
from program import ROOT

sys.path.append(str(ROOT / "tests"))

from reference.exploitability import (
    TREES,
    Key,
    Table,
    Tree,
    exploitability,
    values,
)

SEARCHES = ("ismcts", "moismcts")
SEEDS = 16
# The value of each game for seat 0 in every equilibrium: -1/18 (Kuhn 1950); Leduc as in docs/games/leduc_poker.md.
EQUILIBRIUM = {"kuhn_poker": -1 / 18, "leduc_poker": -0.085606424}
ITERATIONS = {"kuhn_poker": (100, 1_000, 10_000, 100_000), "leduc_poker": (100, 1_000, 10_000)}


@dataclass(frozen=True)
class Policies:
    """What a search does in every information set: by shares of visits, and by the moves chosen."""

    visits: Table
    chosen: Table


def asked(tree: Tree, search: str, iterations: int, seeds: int) -> Policies:
    """A search in every information set, means over the seeds."""
    visits: Table = {}
    chosen: Table = {}
    for key, found in tree.sets.items():
        runs = [
            _core.search(found.view, search=search, iterations=iterations, seed=seed, utility="score")
            for seed in range(seeds)
        ]
        shares = [by_share(found.moves, run) for run in runs]
        visits[key] = [fmean(column) for column in zip(*shares, strict=True)]
        chosen[key] = [fmean(run["move"] == move for run in runs) for move in found.moves]
    return Policies(visits, chosen)


def by_share(moves: list[int], found: dict[str, Any]) -> list[float]:
    """Shares of the visits, in the order of the moves."""
    visits = {row["move"]: row["visits"] for row in found["moves"]}
    whole = sum(visits.values())
    return [visits[move] / whole for move in moves]


def row(tree: Tree, game: str, search: str, iterations: int, *, seeds: int = SEEDS) -> dict[str, Any]:
    """Exploitability and value of both policies, in chips a game."""
    found = asked(tree, search, iterations, seeds)
    policies: dict[str, Callable[[Key], list[float]]] = {
        "visits": found.visits.__getitem__,
        "chosen": found.chosen.__getitem__,
    }
    return {
        "game": game,
        "search": search,
        "iterations": iterations,
        "seeds": seeds,
        **{
            name: {"exploitability": exploitability(tree, policy), "value": values(tree, policy)[0]}
            for name, policy in policies.items()
        },
    }


def measure(
    *,
    games: tuple[str, ...] = tuple(ITERATIONS),
    seeds: int = SEEDS,
    note: Callable[[dict[str, Any]], None],
) -> list[dict[str, Any]]:
    """A row for each game, search and number of iterations, and one for uniform play."""
    rows = []
    for game in games:
        tree = TREES[game]()
        uniform = {
            "exploitability": exploitability(tree, tree.uniform),
            "value": values(tree, tree.uniform)[0],
        }
        found = {"game": game, "search": "uniform play", "iterations": None, "seeds": 1}
        rows.append({**found, "visits": uniform, "chosen": uniform})
        note(rows[-1])
        for search in SEARCHES:
            for iterations in ITERATIONS[game]:
                rows.append(row(tree, game, search, iterations, seeds=seeds))
                note(rows[-1])
    return rows


# ---- the command ----


def say(found: dict[str, Any]) -> None:
    iterations = "" if found["iterations"] is None else f"{found['iterations']:,}"
    print(
        f"{found['game']:<13}{found['search']:<13}{iterations:>8}"
        + "".join(
            f"   {name} {found[name]['exploitability']:.4f}, value {found[name]['value']:+.4f}"
            for name in ("visits", "chosen")
        ),
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench curves"
    )
    parser.add_argument("--game", action="append", choices=ITERATIONS, help="only this; may be repeated")
    parser.add_argument(
        "--seeds", type=int, default=SEEDS, help=f"searches in each information set ({SEEDS})"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    args = parser.parse_args()
    found = measure(games=tuple(args.game or ITERATIONS), seeds=args.seeds, note=say)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
