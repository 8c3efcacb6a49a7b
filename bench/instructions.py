"""Instructions that the core retires for fixed work, counted by callgrind and held to 1 %.

    ./dev bench instructions                 # compare with instructions.json
    ./dev bench instructions --write         # write instructions.json
    ./dev bench instructions --simulate      # also branches, loads, stores, cache misses; compares nothing

The clock of a shared machine is off by half; these counts repeat to a few parts in 100,000 under any load, those of a
search, which looks at the clock now and then, to half a percent. Each figure is the difference of two runs, so that
start-up cancels. They depend on compiler and flags: a build that the
file does not know is shown and not compared. They don't tell cache misses, mispredicted branches, locks or threads:
for those compare times (compare.py).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import program
from program import UNITS, WORKS, Done, Program
from works import CASES, Case

FILE = Path(__file__).parent / "instructions.json"
TOLERANCE = 0.01
COUNTS = {
    "deals": (1_000, 3_000),
    "playouts": (1_000, 4_000),
    "hints": (1_000, 3_000),
    "samples": (2_000, 6_000),
    "ismcts": (1_000, 5_000),
}
SIMULATE = ("--branch-sim=yes", "--cache-sim=yes")

Figure = dict[str, Any]  # {"unit", "units", "instructions", "each"} and, simulated, further events a unit
Figures = dict[str, Figure]  # by "<game>-<players> <work>"


def callgrind(
    bench: Program, work: str, case: Case, count: int, options: Sequence[str]
) -> tuple[Done, dict[str, int]]:
    """One run under callgrind: what it did, and its totals by event."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options, str(bench.path)]
        done = subprocess.run(
            [*command, *program.arguments(work, case, count)],
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},  # its length moves the stack
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        lines = dict(line.split(": ", 1) for line in out.read_text().splitlines() if ": " in line)
        totals = lines.get("totals", lines.get("summary", ""))
        return program.read(done.stdout), dict(
            zip(lines["events"].split(), map(int, totals.split()), strict=True)
        )


def measure(bench: Program, *, simulate: bool = False) -> Figures:
    """Events a unit of every work and case. Works of which nothing is done (a forced move) are left out."""
    options = SIMULATE if simulate else ()

    def one(pair: tuple[Case, str]) -> Figure | None:
        case, work = pair
        (few, low), (many, high) = (callgrind(bench, work, case, n, options) for n in COUNTS[work])
        units = many.units(work) - few.units(work)
        if units <= 0 or (work == "ismcts" and many.plies <= few.plies):
            return None
        spent = {event: high[event] - low[event] for event in high}
        figure: Figure = {
            "unit": UNITS[work],
            "units": units,
            "instructions": spent["Ir"],
            "each": round(spent["Ir"] / units, 2),
        }
        if simulate:
            figure["events"] = {event: round(n / units, 4) for event, n in spent.items()}
        return figure

    pairs = list(product(CASES, WORKS))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(one, pairs)
        return {f"{case} {work}": f for (case, work), f in zip(pairs, found, strict=True) if f}


# ---- the file ----


def key(bench: Program) -> dict[str, str]:
    return {"compiler": bench.compiler, "flags": bench.flags, "arch": bench.arch}


def read_file() -> list[dict[str, Any]]:
    """One entry a build: compiler, flags, arch, figures."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text()) if FILE.exists() else []
    return found


def pinned(bench: Program) -> Figures | None:
    """The figures that the file has for this build."""
    return next((e["figures"] for e in read_file() if e.items() >= key(bench).items()), None)


def write(bench: Program, figures: Figures) -> None:
    """Replaces this build's entry of the file; others stay."""
    others = [entry for entry in read_file() if not entry.items() >= key(bench).items()]
    kept = {name: {k: v for k, v in f.items() if k != "events"} for name, f in figures.items()}
    entries = sorted([*others, {**key(bench), "figures": kept}], key=lambda e: (e["compiler"], e["flags"]))
    text = []
    for entry in entries:
        rows = ",\n".join(f'      "{name}": {json.dumps(f)}' for name, f in entry["figures"].items())
        head = "".join(f'    "{k}": {json.dumps(entry[k])},\n' for k in ("compiler", "flags", "arch"))
        text.append(f'  {{\n{head}    "figures": {{\n{rows}\n    }}\n  }}')
    FILE.write_text("[\n" + ",\n".join(text) + "\n]\n")


# ---- the command ----


def compare(figures: Figures, before: Figures) -> tuple[list[str], list[str], list[str]]:
    """Names of figures that rose, that fell, and that are new or gone, by more than the tolerance."""
    both = figures.keys() & before.keys()
    change = {name: figures[name]["each"] / before[name]["each"] - 1 for name in both}
    rose = [name for name in figures if change.get(name, 0) > TOLERANCE]
    fell = [name for name in figures if change.get(name, 0) < -TOLERANCE]
    return rose, fell, sorted(figures.keys() ^ before.keys())


def table(figures: Figures, before: Figures) -> str:
    lines = [f"{'work':<24}{'instructions':>14}{'pinned':>12}{'change':>9}"]
    for name, figure in figures.items():
        line = f"{name:<24}{figure['each']:>14,.2f}"
        if name in before:
            pinned = before[name]["each"]
            line += f"{pinned:>12,.2f}{figure['each'] / pinned - 1:>+9.2%}"
        lines.append(f"{line}  per {figure['unit']}")
    return "\n".join(lines)


def events_table(figures: Figures) -> str:
    names = list(next(iter(figures.values()))["events"])
    lines = [f"{'work':<24}{'per':<10}" + "".join(f"{name:>10}" for name in names)]
    lines += [
        f"{name:<24}{f['unit']:<10}" + "".join(f"{f['events'][event]:>10,.2f}" for event in names)
        for name, f in figures.items()
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="./dev bench instructions",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="write instructions.json")
    what.add_argument("--simulate", action="store_true", help="further events; compares nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write what was measured to FILE")
    args = parser.parse_args()

    if shutil.which("valgrind") is None:
        print("instructions: not counted, for there is no valgrind (Debian: apt-get install valgrind)")
        return 0
    bench = program.build("bench")
    figures = measure(bench, simulate=args.simulate)
    if args.json:
        args.json.write_text(json.dumps({**key(bench), "figures": figures}, indent=1) + "\n")
    print(f"{bench.compiler}, {bench.flags}")
    if args.simulate:
        print(events_table(figures))
        return 0

    before = pinned(bench)
    print(table(figures, before or {}))
    if args.write:
        write(bench, figures)
        print(f"written to {FILE.name}")
        return 0
    if before is None:
        print("instructions: not compared, the file has no such build; --write adds it")
        return 0
    rose, fell, other = compare(figures, before)
    for names, what_happened in (
        (rose, "more than 1 % above the file; if meant, --write and say why in the commit"),
        (fell, "more than 1 % below the file; --write, so that the gain is kept"),
        (other, "new or gone; --write"),
    ):
        if names:
            print(f"instructions: {', '.join(names)}: {what_happened}")
    if not (rose or fell or other):
        print("instructions: good")
    return 1 if rose or fell or other else 0


if __name__ == "__main__":
    sys.exit(main())
