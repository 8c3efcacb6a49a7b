"""Kibitz beside OpenSpiel in the same run, in turns, each at its best: `kibitz bench --peers` and more.

    ./dev bench peers
    ./dev bench peers --pairs 5 --json peers.json --journal peers.jsonl

The games that both have, and how each side is asked, are in python/kibitz/cli/peers.py. Here come, in the same turns:
OpenSpiel's hearts beside two games that it does not have, Kami, 32 cards for four, and The Crew, 40 cards, mission 4
for four; builds tuned for a processor; two threads beside one; `ISMCTSBot` with worlds that it uses again and again;
and the memory of trees. The journal gets a line a measurement, as it is made.
"""

import argparse
import json
import os
import platform
import resource
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import machine
import memory
import program
import works
from kibitz import _core
from kibitz.cli import peers
from kibitz.cli.peers import SAME, Contestant, Same, ratio, spread
from kibitz.errors import InvalidOption

HEARTS = next(each for each in SAME if each.slug == "hearts")
OTHERS = (works.Case("kami", 4), works.Case("thecrew", 4))  # beside OpenSpiel's hearts
MANY = 100_000
THREADED = ("connect_four", "hearts", "kami")
TUNES = ("x86-64-v3", "native") if platform.machine() in ("x86_64", "AMD64") else ("native",)

Pairs = list[tuple[str, str]]  # names of contestants that are compared: (of, to)


def playouts(case: works.Case, count: int = 2_000_000) -> Contestant:
    """Of a game that OpenSpiel does not have; moves are counted one by one."""
    state = works.start(case)

    def prepare(seed: int) -> Callable[[], int]:
        rng = _core.Rng(seed, "peers")
        return lambda: _core.playouts(state, count, rng)[0]

    return Contestant(f"kibitz playouts, {case.slug}", "ply", prepare)


def tuned_playouts(case: works.Case, tune: str, count: int = 4_000_000) -> Contestant:
    """The same, tuned for a processor: kibitz_bench with its start-up, some milliseconds."""
    tuned = program.build(f"bench-{tune}", tune=tune)

    def run() -> int:
        return program.run(tuned, "playouts", case, count).plies

    return Contestant(f"kibitz playouts, {case.slug}, {tune}", "ply", lambda _: run)


def as_same(case: works.Case, *, iterations: int) -> Same:
    """A game that is only here, searched as hearts is."""
    return replace(HEARTS, slug=case.slug, options=case.options, iterations=iterations)


def searched(slug: str, *, iterations: int) -> Same:
    """A game of either kind with so many iterations a search."""
    found = {each.slug: each for each in SAME} | {
        case.slug: as_same(case, iterations=iterations) for case in OTHERS
    }
    return replace(found[slug], iterations=iterations)


def contestants(*, tuned: bool) -> tuple[list[Contestant], Pairs]:
    """In the order of their turns, those that are compared side by side; and which are compared."""
    found, pairs = peers.contestants(SAME)
    rollouts = f"open_spiel playouts, {HEARTS.theirs}"
    search = f"open_spiel {HEARTS.bot}, {HEARTS.theirs}, {HEARTS.iterations:,}"
    for case in OTHERS:
        beside = [playouts(case), *(tuned_playouts(case, tune) for tune in (TUNES if tuned else ()))]
        found += beside
        pairs += [(each.name, rollouts) for each in beside]
        found.append(peers.our_search(as_same(case, iterations=HEARTS.iterations)))
        pairs.append((found[-1].name, search))
    found.append(peers.their_search(HEARTS, worlds=100))
    pairs.append((f"kibitz {HEARTS.search}, {HEARTS.slug}, {HEARTS.iterations:,}", found[-1].name))
    for slug in THREADED:
        one, two = (
            peers.our_search(searched(slug, iterations=MANY), threads=threads, repeat=4) for threads in (1, 2)
        )
        found += [one, two]
        pairs.append((two.name, one.name))
    return found, pairs


def cpu_seconds() -> float:
    """Processor time of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def measure(*, pairs: int = 10, tuned: bool = True, note: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Rounds of turns: machine, speeds by contestant, their ratios; then the memory of trees.

    Args:
        pairs: Rounds; every contestant is measured once a round.
        tuned: Whether builds tuned for a processor are measured, too.
        note: Called with every measurement as it is made.
    """
    facts = {**machine.facts(), "open_spiel": version("open_spiel")}
    found, compared = contestants(tuned=tuned)
    loads = []

    def measured(number: int, contestant: Contestant, units: int, wall: float, cpu: float) -> None:
        loads.append(os.getloadavg()[0])
        note(
            {
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "pair": number,
                "name": contestant.name,
                "unit": contestant.unit,
                "units": units,
                "seconds": round(wall, 4),
                "cpu_seconds": round(cpu, 4),
                "load": round(loads[-1], 2),
            }
        )

    speeds = peers.measure(found, rounds=pairs, clock=cpu_seconds, note=measured)
    return {
        "machine": facts,
        "pairs": pairs,
        "load": spread(loads),
        "rates": [each.row() for each in speeds.values()],
        "ratios": [ratio(speeds[of], speeds[to]) for of, to in compared],
        "memory": memory.measure(),
    }


# ---- the command ----


def say(measurement: dict[str, Any]) -> None:
    rate = measurement["units"] / measurement["seconds"]
    print(
        f"{measurement['pair']:>3}  {measurement['name']:<48}{rate:>16,.0f} {measurement['unit']}s/s"
        f"   load {measurement['load']}",
        file=sys.stderr,
        flush=True,
    )


def summary(found: dict[str, Any]) -> str:
    facts, load = found["machine"], found["load"]
    rates = [
        f"{row['name']:<48}{row['median']:>14,.0f}{row['min']:>14,.0f}{row['max']:>14,.0f}  {row['unit']}"
        for row in found["rates"]
    ]
    ratios = [
        f"{row['of']:<48}{row['median']:>8.2f}{row['min']:>8.2f}{row['max']:>8.2f}"
        f"{'-' if row['cpu'] is None else format(row['cpu'], '.2f'):>8}  to {row['to']}"
        for row in found["ratios"]
    ]
    trees = [
        f"{row['game']:<14}{row['library']:<12}{row['search']:<12}{row['grown'] / row['iterations']:>8.1f} bytes an "
        f"iteration" + ("" if row["nodes"] is None else f", {row['grown'] / row['nodes']:.1f} a node")
        for row in found["memory"]
    ]
    about = [
        f"{facts['date']}, commit {facts['commit']}, {facts['compiler']}, {facts['flags']}",
        f"{facts['cpu']}, {facts['cores']} cores; load {load['min']:.2f} to {load['max']:.2f}",
        f"open_spiel {facts['open_spiel']}; medians of {found['pairs']}",
    ]
    rate_header = f"{'a second':<48}{'median':>14}{'min':>14}{'max':>14}"
    ratio_header = f"{'ratio':<48}{'median':>8}{'min':>8}{'max':>8}{'by CPU':>8}"
    return "\n".join([*about, "", rate_header, *rates, "", ratio_header, *ratios, "", *trees])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench peers"
    )
    parser.add_argument("--pairs", type=int, default=10, help="rounds of turns (10)")
    parser.add_argument("--no-tuned", action="store_true", help="without the tuned builds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="append each measurement to FILE")
    args = parser.parse_args()
    try:
        peers.require()
    except InvalidOption as error:
        print(f"peers: {error}", file=sys.stderr)
        return 2

    def note(measurement: dict[str, Any]) -> None:
        say(measurement)
        if args.journal:
            with args.journal.open("a") as file:
                file.write(json.dumps(measurement) + "\n")

    found = measure(pairs=args.pairs, tuned=not args.no_tuned, note=note)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    print(summary(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
