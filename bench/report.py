"""Measure the core and its boundary and write the tables of docs/performance.md.

    ./dev bench report           # some minutes, idle machine; writes performance.json, instructions.json, the page
    ./dev bench report --tables  # only the tables again, from performance.json

A test compares the page with performance.json. What stands beside OpenSpiel is on another page (results.py).
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import ablations
import instructions
import machine
import program
import works
from kibitz import _core
from program import ROOT
from tables import Results, filled, markdown, measured_on, number

PAGE = ROOT / "docs/performance.md"
RESULTS = Path(__file__).parent / "performance.json"
PROFILE_ITERATIONS = 20_000
MISPREDICTED = (
    15  # cycles that a mispredicted branch costs, about (Agner Fog, microarchitecture, on Zen and Core)
)
TREES = (1_000, 10_000, 100_000, 1_000_000)


# ---- measuring ----


def core_speeds() -> list[dict[str, Any]]:
    """The medians of test_core.py, run by pytest-benchmark, results checked against the pins."""
    options = ["--benchmark-max-time=0.5"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "core.json"
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "bench/test_core.py",
                "--quiet",
                *options,
                f"--benchmark-json={out}",
            ],
            cwd=ROOT,
            stdout=sys.stderr,
            check=True,
        )
        found = json.loads(out.read_text())["benchmarks"]
    return [
        {**row["extra_info"], "seconds": row["stats"]["median"], "rounds": row["stats"]["rounds"]}
        for row in found
        if row["extra_info"]
    ]


def profile(bench: program.Program) -> list[dict[str, Any]]:
    """Where the instructions of a search go: own share of each function, from 2 % up."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        call = program.arguments("ismcts", ablations.CASE, PROFILE_ITERATIONS)
        subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--branch-sim=yes",
                f"--callgrind-out-file={out}",
                bench.path,
                *call,
            ],
            capture_output=True,
            check=True,
        )
        text = subprocess.run(
            ["callgrind_annotate", "--auto=no", "--show=Ir,Bcm", str(out)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    rows = []
    for line in text.splitlines():
        found = re.match(
            r"\s*[\d,]+ \(\s*([\d.]+)%\)\s+(?:[\d,]+ \(\s*([\d.]+)%\)|\.)\s+[^ :]*:(.+?)(?: \[.*\])?$", line
        )
        if found and float(found[1]) >= 2 and "kibitz::" in found[3]:
            name = re.sub(r"\(.*", "", plain(found[3])).split(" ")[-1]
            rows.append(
                {
                    "function": name.removeprefix("kibitz::"),
                    "instructions": float(found[1]),
                    "mispredicted": float(found[2] or 0),
                }
            )
    return rows


def plain(name: str) -> str:
    """A C++ name without template arguments."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name


def tree_speeds() -> list[dict[str, Any]]:
    """One search after another, each with a larger tree."""
    state = works.start(ablations.CASE)
    view = state.view(state.turn)
    rows = []
    for iterations in TREES:
        seconds = []
        for _ in range(5):
            begun = perf_counter()
            found = _core.search(view, search="ismcts", iterations=iterations, seed=1)
            seconds.append(perf_counter() - begun)
        rows.append(
            {
                "iterations": iterations,
                "seconds": median(seconds),
                **{name: found[name] for name in ("nodes", "bytes", "depth")},
            }
        )
    return rows


def sizes() -> list[dict[str, Any]]:
    """Sizes that the sources assert, in bytes."""
    rows = []
    for path in sorted((ROOT / "cpp/include/kibitz").rglob("*.hpp")):
        for name, size in re.findall(r"static_assert\([^;]*sizeof\((\w+)\) == (\d+)", path.read_text()):
            rows.append({"type": name, "bytes": int(size), "file": str(path.relative_to(ROOT))})
    return rows


def measure() -> Results:
    facts = machine.facts()
    say("core and boundary, by pytest-benchmark")
    found: Results = {"machine": facts, "core": core_speeds(), "trees": tree_speeds(), "sizes": sizes()}
    if shutil.which("valgrind"):
        say("instructions, by callgrind")
        bench = program.build("bench")
        figures = instructions.measure(bench, simulate=True)
        found |= {"instructions": {**instructions.key(bench), "figures": figures}, "profile": profile(bench)}
        counted = instructions.measure(bench)  # the simulation shifts a search's by a few parts in 1,000
        rose, fell, other = instructions.compare(counted, instructions.pinned(bench) or {})
        if rose or fell or other:
            say(f"instructions.json: moved: {', '.join(rose + fell + other)}")
        instructions.write(bench, counted)
    say("ablations")
    found["ablations"] = ablations.measure()
    if (after := machine.busy()) is not None:  # the worse of before and after
        facts["busy"] = max(facts["busy"], after)
    return found


def say(text: str) -> None:
    print(f"report: {text}", file=sys.stderr, flush=True)


# ---- tables ----


def by_case(
    rows: list[dict[str, Any]], columns: dict[str, str], cell: Callable[[dict[str, Any]], str]
) -> str:
    """Cases down, works across."""
    found = {(row["case"], row["work"]): row for row in rows}
    cases = list(dict.fromkeys(row["case"] for row in rows))
    return markdown(
        ["game-players", *columns.values()],
        ([case, *(cell(found[case, work]) for work in columns)] for case in cases),
    )


def core_table(found: Results) -> str:
    columns = {
        "playouts": "uniform playouts, plies/s",
        "hints": "hinted playouts, plies/s",
        "perft": "perft, leaves/s",
        "samples": "worlds/s",
        "ismcts": "ismcts, iterations/s",
        "ismcts-2-threads": "two threads",
    }
    return by_case(found["core"], columns, lambda row: number(row["units"] / row["seconds"]))


def boundary_table(found: Results) -> str:
    columns = {
        "deals": "a deal",
        "plays": "a ply",
        "views": "a view",
        "observes": "an event observed",
        "json": "a view to JSON and back",
        "ismcts-start": "a search of one iteration",
    }
    return by_case(found["core"], columns, lambda row: number(row["seconds"] / row["units"] * 1e6))


def ply_table(found: Results) -> str:
    speeds = {f"{row['case']} {row['work']}": row["seconds"] / row["units"] * 1e9 for row in found["core"]}
    rows = []
    for name, figure in found["instructions"]["figures"].items():
        events, each = figure["events"], figure["each"]
        counts = [
            each,
            events["Dr"],
            events["Dw"],
            events["D1mr"] + events["D1mw"],
            events["Bc"],
            events["Bcm"],
        ]
        row = [
            f"{name}, {'an' if figure['unit'][0] in 'aeiou' else 'a'} {figure['unit']}",
            *map(number, counts),
            "",
            "",
            "",
            "",
        ]
        if name.split()[1] in ("playouts", "hints", "samples"):  # the same work as that of test_core.py
            row[7] = number(speeds[name])
            if ghz := found["machine"]["clock_ghz"]:
                cycles = speeds[name] * ghz
                row[8:] = [
                    number(cycles),
                    number(each / cycles),
                    f"{events['Bcm'] * MISPREDICTED / cycles:.0%}",
                ]
        rows.append(row)
    events_named = "instructions, loads, stores, cache misses, branches, mispredicted"
    times_named = "ns, cycles, instructions a cycle, time mispredicting"
    return markdown(["work", *events_named.split(", "), *times_named.split(", ")], rows)


def profile_table(found: Results) -> str:
    rows = [
        [f"`{row['function']}`", f"{row['instructions']:.0f} %", f"{row['mispredicted']:.0f} %"]
        for row in found["profile"]
    ]
    return markdown(["function", "instructions", "mispredicted branches"], rows)


def tree_table(found: Results) -> str:
    rows = [
        [
            f"{row['iterations']:,}",
            number(row["iterations"] / row["seconds"]),
            f"{row['nodes']:,}",
            number(row["bytes"] / 1e6),
            number(row["bytes"] / row["iterations"]),
            str(row["depth"]),
        ]
        for row in found["trees"]
    ]
    return markdown(["iterations", "iterations/s", "nodes", "tree, MB", "bytes an iteration", "depth"], rows)


def size_table(found: Results) -> str:
    rows = [[f"`{row['type']}`", str(row["bytes"]), f"`{row['file']}`"] for row in found["sizes"]]
    return markdown(["type", "bytes", "asserted in"], rows)


def ablation_table(found: Results) -> str:
    rows = [
        [
            row["without"],
            f"{row['work']}, {row['count']:,}" if row["count"] else row["work"],
            f"{row['ratio']:.2f}",
            f"{row['low']:.2f} to {row['high']:.2f}",
            "yes" if row["same_work"] else "no",
        ]
        for row in found["ablations"]
    ]
    return markdown(["without", "work", "time", "95 %", "same results"], rows)


TABLES: dict[str, Callable[[Results], str]] = {
    "machine": lambda found: measured_on(found["machine"]),
    "core": core_table,
    "boundary": boundary_table,
    "ply": ply_table,
    "profile": profile_table,
    "trees": tree_table,
    "sizes": size_table,
    "ablations": ablation_table,
}
NEEDS = {
    "boundary": "core",
    "ply": "instructions",
}


def page_with(found: Results, page: str) -> str:
    """The page with its tables made from the results."""
    return filled(page, TABLES, NEEDS, found)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench report"
    )
    parser.add_argument(
        "--tables", action="store_true", help="measure nothing, write the tables from performance.json"
    )
    args = parser.parse_args()
    if not args.tables:
        found = measure()
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")
        if not machine.is_idle(found["machine"]):
            say("the machine was not idle: the figures are marked as provisional")
    PAGE.write_text(page_with(json.loads(RESULTS.read_text()), PAGE.read_text()))
    print(f"written: {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
