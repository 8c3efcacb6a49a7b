"""Times of two revisions side by side: A, the merge base or a given revision, against B, the work tree.

    ./dev bench compare                  # against the merge base with main
    ./dev bench compare v0.1.0 --pairs 20

Both are built here with the same flags and run in turns, A B B A A B B A ..., so that what else the machine does hits
both alike. A figure is the median over pairs of the time of B by the time of A, for the same amount of work, with a
bootstrap interval of 95 %. It fails only if a whole interval lies above 1.25. What instructions can't tell (cache
misses, branches mispredicted) shows here. See docs/performance.md.
"""

import argparse
import json
import random
import sys
from itertools import product
from pathlib import Path
from statistics import median
from subprocess import run
from time import perf_counter
from typing import Any

import machine
import program
from program import UNITS, WORKS, Program
from works import CASES, Case

LIMIT = 1.25
SECONDS = 0.2  # a run of A takes about so long


def merge_base() -> str:
    """Where the work tree left main; HEAD itself on main, so that uncommitted changes are compared with it."""
    for main in ("origin/main", "main"):
        if base := machine.git("merge-base", "HEAD", main):
            return base
    return machine.git("rev-parse", "HEAD")


def check_out(revision: str) -> Path:
    """The sources of a revision in build/compare/."""
    commit = machine.git("rev-parse", "--verify", f"{revision}^{{commit}}")
    if not commit:
        raise RuntimeError(f"git knows no revision {revision!r} here (in a shallow clone: fetch it)")
    folder = program.BUILD / "compare" / commit[:12]
    if not folder.exists():
        archive = run(
            ["git", "-C", str(program.ROOT), "archive", commit], capture_output=True, check=True
        ).stdout
        folder.mkdir(parents=True)
        run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def timed(bench: Program, work: str, case: Case, count: int) -> tuple[float, program.Done]:
    start = perf_counter()
    done = program.run(bench, work, case, count)
    return perf_counter() - start, done


def enough(bench: Program, work: str, case: Case) -> int:
    """A count that keeps a program busy for long enough."""
    count = 1_000
    while (seconds := timed(bench, work, case, count)[0]) < SECONDS / 2:
        count *= 2 if seconds > SECONDS / 20 else 8
    return count * 2


def interval(ratios: list[float], *, rounds: int = 10_000) -> tuple[float, float]:
    """95 % bootstrap interval of the median."""
    rng = random.Random(1)
    medians = sorted(median(rng.choices(ratios, k=len(ratios))) for _ in range(rounds))
    return medians[int(0.025 * rounds)], medians[int(0.975 * rounds)]


def compare(
    a: Program, b: Program, work: str, case: Case, *, pairs: int, count: int | None = None
) -> dict[str, Any]:
    """Times of B by those of A, per unit of work, and whether they did the same work."""
    count = count or enough(a, work, case)
    ratios, rates = [], []
    same = True
    for pair in range(pairs):
        order = (a, b) if pair % 2 == 0 else (b, a)
        got = {bench.path: timed(bench, work, case, count) for bench in order}
        (a_seconds, a_done), (b_seconds, b_done) = got[a.path], got[b.path]
        ratios.append(b_seconds / b_done.units(work) / (a_seconds / a_done.units(work)))
        rates.append(b_done.units(work) / b_seconds)
        same = same and a_done == b_done
    low, high = interval(ratios)
    return {
        "case": str(case),
        "work": work,
        "unit": UNITS[work],
        "ratio": median(ratios),
        "low": low,
        "high": high,
        "per_second": median(rates),
        "same_work": same,
        "ratios": ratios,
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench compare"
    )
    parser.add_argument("revision", nargs="?", help="A; default: the merge base with main")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--work", action="append", choices=WORKS, help="only this; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    args = parser.parse_args()

    try:
        revision = args.revision or merge_base()
        folder = check_out(revision)
        a = program.build(f"compare/{folder.name}-build", source=folder)
        b = program.build("bench")
    except RuntimeError as error:
        print(f"compare: not compared: {error}", file=sys.stderr)
        return 2
    facts = machine.facts()
    print(f"A {folder.name}, B {facts['commit']} and its work tree; {b.compiler}, {b.flags}")
    print(f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}")
    print(f"{'work':<24}{'B / A':>8}{'95 %':>18}{'B a second':>16}")
    rows = []
    for case, work in product(CASES, args.work or WORKS):
        try:
            row = compare(a, b, work, case, pairs=args.pairs)
        except RuntimeError as error:  # a game or a work that A does not have
            print(f"{case} {work}: not compared: {error}")
            continue
        rows.append(row)
        name, between = f"{case} {work}", f"{row['low']:.3f} to {row['high']:.3f}"
        print(
            f"{name:<24}{row['ratio']:>8.3f}{between:>18}{row['per_second']:>16,.0f}"
            f"{'' if row['same_work'] else '  other work'}{'  SLOWER' if row['low'] > LIMIT else ''}",
            flush=True,
        )
    if args.json:
        args.json.write_text(
            json.dumps({"machine": facts, "base": folder.name, "rows": rows}, indent=1) + "\n"
        )
    slower = [f"{row['case']} {row['work']}" for row in rows if row["low"] > LIMIT]
    print(f"compare: slower by more than a quarter: {', '.join(slower)}" if slower else "compare: good")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
