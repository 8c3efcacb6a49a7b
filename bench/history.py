"""Figures of this commit added to a history, and a page that draws it. Never fails because of a figure.

    ./dev bench history                        # measures, some minutes; into build/history
    ./dev bench history FOLDER --add FILE ...  # adds what other commands have written with --json instead

FOLDER/history.jsonl gets a line: commit, processor, compiler and flags; the signature; instructions a unit; medians of
pytest-benchmark; ratios to OpenSpiel, where it is installed; ratios of compare.py, where they are added. Lines are only
ever appended. FOLDER/index.html is made from all of it. A file to add is one of `kibitz bench --json`,
`./dev bench instructions --json`, `./dev bench compare --json`, `./dev bench peers --json` or `./dev bench
--benchmark-json`; which, is seen from what is in it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import machine
from program import BUILD, ROOT

FOLDER = BUILD / "history"
SHOWN = 200  # entries on the page, the last ones
PEER_ROUNDS = 5

Entry = dict[str, Any]
Point = tuple[int, float, str, str]  # (number of the entry, value, key within which values compare, words)

# By name: the unit, whether values compare only on one processor, and what is said of it.
KINDS = {
    "instructions": ("instructions a unit", False, "by callgrind, to 0.01 %; searches to 0.5 %"),
    "peers": ("times as fast as OpenSpiel", True, "both measured in the same run, in turns"),
    "compare": ("time by that of another revision", True, "both measured in the same run, in turns"),
    "seconds": (
        "microseconds a unit",
        True,
        "of pytest-benchmark; on a shared machine off by half from run to run",
    ),
}


# ---- an entry ----


def described() -> Entry:
    """What an entry is of: commit, processor, compiler and flags."""
    facts = machine.facts()
    kept = ("commit", "cpu", "cores", "system", "compiler", "flags", "version", "busy")
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "subject": machine.git("log", "-1", "--format=%s"),
        **{name: facts[name] for name in kept},
    }


def taken_from(document: dict[str, Any]) -> Entry:
    """The figures of a file that a benchmark has written.

    Raises:
        ValueError: It is of none of them.
    """
    if "figures" in document:
        return {"instructions": {name: figure["each"] for name, figure in document["figures"].items()}}
    if "benchmarks" in document:
        return {"seconds": medians(document["benchmarks"])}
    if "ratios" in document:
        return {"peers": {f"{row['of']} / {row['to']}": row["median"] for row in document["ratios"]}}
    if "rows" in document and "base" in document:
        rows = {f"{row['case']} {row['work']}": row["ratio"] for row in document["rows"]}
        return {"base": document["base"], "compare": rows}
    if "signature" in document and "games" in document:
        return {"signature": document["signature"], "quick": document["quick"]}
    raise ValueError(f"no figures that are known: it has {', '.join(sorted(document)) or 'nothing'}")


def medians(benchmarks: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Seconds a unit, by game and work."""
    found = {}
    for row in benchmarks:
        extra = row["extra_info"]
        if "case" in extra:
            found[f"{extra['case']} {extra['work']}"] = row["stats"]["median"] / extra["units"]
    return found


def commands(folder: Path) -> list[tuple[list[str], Path]]:
    """What measures the layers, and the file that each writes."""
    python = sys.executable
    works = ["bench/test_core.py", "--quiet", "--benchmark-max-time=0.2", "--benchmark-min-rounds=3"]
    seconds, counts, ratios = (folder / name for name in ("seconds.json", "counts.json", "ratios.json"))
    return [
        ([python, "-m", "pytest", *works, f"--benchmark-json={seconds}"], seconds),
        ([python, "bench/instructions.py", "--json", str(counts)], counts),
        (
            [python, "bench/peers.py", "--no-tuned", "--pairs", str(PEER_ROUNDS), "--json", str(ratios)],
            ratios,
        ),
    ]


def measured() -> Entry:
    """All layers that can be measured here; one that can't, or that fails, is left out and named."""
    command = [sys.executable, "-m", "kibitz", "bench", "--quick", "--json"]
    entry = taken_from(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
    with tempfile.TemporaryDirectory() as folder:
        for command, path in commands(Path(folder)):
            subprocess.run(
                command, cwd=ROOT, stdout=sys.stderr, check=False
            )  # no valgrind, a count that moved
            if path.exists():
                entry |= taken_from(json.loads(path.read_text()))
            else:
                print(f"history: nothing of {command[1]} {command[2]}", file=sys.stderr)
    return entry


# ---- the page ----


def read(path: Path) -> list[Entry]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def series(entries: Sequence[Entry], kind: str) -> dict[str, list[Point]]:
    """Values by name, in the order of the entries."""
    found: dict[str, list[Point]] = {}
    for number, entry in enumerate(entries):
        key = f"{entry['compiler']}, {entry['flags']}"
        if KINDS[kind][1]:
            key += f", {entry['cpu']}"
        scale = 1e6 if kind == "seconds" else 1.0
        for name, value in entry.get(kind, {}).items():
            words = f"{entry['commit']} {entry['time'][:10]}: {scale * value:,.4g}; {key}; {entry['subject']}"
            found.setdefault(name, []).append((number, scale * value, key, words))
    return dict(sorted(found.items()))


WIDTH, HEIGHT, EDGE = 300, 60, 5


def chart(points: Sequence[Point], entries: int) -> str:
    """An SVG from zero up: a point an entry, a line between those that compare."""
    most = max(value for _, value, _, _ in points) or 1.0
    dots = []
    lines: dict[str, list[str]] = {}
    for number, value, key, words in points:
        x = EDGE + (WIDTH - 2 * EDGE) * number / max(entries - 1, 1)
        y = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / most
        lines.setdefault(key, []).append(f"{x:.1f},{y:.1f}")
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"><title>{escape(words)}</title></circle>')
    joined = [f'<polyline points="{" ".join(path)}"/>' for path in lines.values()]
    return f'<svg width="{WIDTH}" height="{HEIGHT}">{"".join(joined)}{"".join(dots)}</svg>'


ABOUT = """Each chart begins at zero; a line joins values that may be compared: same compiler and flags and, where it
matters, same processor. Point at a dot for its commit. No figure here fails a build."""
COLUMNS = ("time", "commit", "signature", "cpu", "compiler", "subject")
STYLE = """body{font:14px sans-serif;margin:2em;max-width:1300px}figure{display:inline-block;margin:6px}
figcaption{font-size:12px}svg{background:#f6f6f6}polyline{fill:none;stroke:#999}circle{fill:#06c}
td,th{text-align:left;padding:0 1em 0 0}"""


def page(entries: Sequence[Entry]) -> str:
    """The history as one HTML file that needs nothing else."""
    entries = entries[-SHOWN:]
    parts = [
        "<!doctype html><meta charset='utf-8'><title>kibitz: history of figures</title>",
        f"<style>{STYLE}</style><h1>kibitz: history of figures</h1><p>{len(entries)} entries. {ABOUT}</p>",
    ]
    for kind, (unit, _, about) in KINDS.items():
        found = series(entries, kind)
        if not found:
            continue
        parts.append(f"<h2>{escape(unit[0].upper() + unit[1:])}</h2><p>{escape(about)}</p>")
        for name, points in found.items():
            caption = f"{escape(name)}: {points[-1][1]:,.4g}"
            parts.append(f"<figure>{chart(points, len(entries))}<figcaption>{caption}</figcaption></figure>")
    parts.append("<h2>Entries</h2><table><tr>" + "".join(f"<th>{name}" for name in COLUMNS) + "</tr>")
    for entry in reversed(entries):
        cells = [str(entry.get(name, "")) for name in COLUMNS]
        parts.append("<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells) + "</tr>")
    return "\n".join([*parts, "</table>"]) + "\n"


# ---- the command ----


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench history"
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="default: build/history")
    parser.add_argument(
        "--add", nargs="+", type=Path, metavar="FILE", help="add these files, measure nothing"
    )
    args = parser.parse_args()
    entry = described()
    if args.add:
        for path in args.add:
            try:
                entry |= taken_from(json.loads(path.read_text()))
            except (OSError, ValueError) as error:
                print(f"history: {path} cannot be added: {error}", file=sys.stderr)
                return 2
    else:
        entry |= measured()
    args.folder.mkdir(parents=True, exist_ok=True)
    path = args.folder / "history.jsonl"
    with path.open("a") as file:
        file.write(json.dumps(entry) + "\n")
    entries = read(path)
    (args.folder / "index.html").write_text(page(entries))
    print(f"history: {len(entries)} entries in {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
