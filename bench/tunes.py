"""The signature of `kibitz bench --quick` from builds for several processors: it must be the pinned one from each.

    ./dev bench tunes

kibitz_bench is built for x86-64-v2, the default, and for x86-64-v3, and does the work of signature.py without Python:
all searches of every game and number of players. A build that this processor can't run, or another kind of processor,
is named as not run. The first folder is that of instructions.py: after it, one build is new.
"""

import os
import platform
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import program
import signature
from kibitz.fixed_work import QUICK_ITERATIONS, digest
from works import CASES, Case

TUNES = {"x86-64-v2": "bench", "x86-64-v3": "bench-x86-64-v3"}  # folders that other benchmarks build too
NEEDED = {"x86-64-v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}}  # as /proc/cpuinfo calls them


def processor_flags() -> set[str]:
    """What the processor can do, as Linux tells it; nothing where it does not."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return set()
    line = next((line for line in info.read_text().splitlines() if line.startswith("flags")), ":")
    return set(line.split(":", 1)[1].split())


def missing(tune: str, flags: set[str], machine: str) -> str:
    """Why a build can't be run here, or empty."""
    if machine not in ("x86_64", "AMD64"):
        return f"this processor is {machine}"
    absent = sorted(NEEDED.get(tune, set()) - flags)
    return f"this processor does not have {', '.join(absent)}" if absent else ""


def signatures(bench: program.Program, cases: list[Case]) -> dict[str, str]:
    """As signature.json has them: of each game and number of players, and of the whole."""

    def one(case: Case) -> str:
        return digest(program.signature_lines(bench, case.slug, case.players, QUICK_ITERATIONS))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = dict(zip(map(str, cases), pool.map(one, cases), strict=True))
    return {"all": digest("".join(rows.values())), **rows}


def main() -> int:
    pinned = signature.pinned()
    wrong = 0
    for tune, folder in TUNES.items():
        if why := missing(tune, processor_flags(), platform.machine()):
            print(f"tunes: {tune}: not run: {why}")
            continue
        bench = program.build(folder, tune="" if tune == "x86-64-v2" else tune)
        found = signatures(bench, CASES)
        other = [name for name in pinned.keys() | found.keys() if found.get(name) != pinned.get(name)]
        print(f"{tune}: signature {found['all']}, {bench.compiler}, {bench.flags}")
        if other:
            wrong += 1
            print(f"tunes: {tune}: not the pinned signature: {', '.join(sorted(other))}")
    print("tunes: not good" if wrong else "tunes: good")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
