"""Kibitz beside OpenSpiel in the same run, in turns, each at its best.

    ./dev bench peers
    ./dev bench peers --pairs 5 --json peers.json --journal peers.jsonl

OpenSpiel's `hearts`, a trick game of 52 cards for four, beside the same game here, and beside two that OpenSpiel does
not have: Kami, 32 cards for two to four, and The Crew, 40 cards, mission 4 for four. Connect Four and Leduc poker are
in both libraries. Both sides start from one dealt position, deal and forced first moves left out, and play to the end
of the round or the verdict; a unit is a decision (a move, a ply) or an iteration of a search, which here and there is:
sample a world for the seat where something is hidden, descend, add a node, play out by chance, back up.

A round of turns measures every contestant once; a ratio is taken within a round, so that what else the machine does
hits both sides alike. Time is the clock on the wall; processor time stands beside it, which other work disturbs less,
where one thread is compared with one. The journal gets a line a measurement, as it is made.
"""

import argparse
import json
import os
import platform
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import machine
import program
import works
from kibitz import _core

GAME = "kami"  # its cases have no name of a game in theirs
OTHERS = [works.Case("hearts", 4), works.Case("thecrew", 4)]
ROLLOUTS, BEST_ROLLOUTS = "open_spiel evaluate_bots", "open_spiel RandomRolloutEvaluator"
POOLED = "open_spiel ISMCTSBot, 100,000, 100 worlds"
ITERATIONS = 100_000
TUNES = ("x86-64-v3", "native") if platform.machine() in ("x86_64", "AMD64") else ("native",)


@dataclass(frozen=True)
class Contestant:
    """Something with a speed. `prepare` takes a seed; what it gives back is timed, and says how much it did."""

    name: str
    unit: str
    prepare: Callable[[int], Callable[[], int]]
    threads: int = 1


# ---- OpenSpiel ----


def hearts() -> Any:
    """Hearts dealt, without passing cards, after the forced two of clubs."""
    import pyspiel

    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)  # how many places cards are passed on
    rng = Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    if state.is_terminal() or len(state.history()) != 1 + 52 + 1:
        raise AssertionError("hearts: not the position meant: a deal and one card")
    return state


HEARTS_LEFT = 51  # cards still to be played there


def bot_rollouts(count: int) -> Contestant:
    """Games between OpenSpiel's uniformly random bots. What is played is counted from the histories."""
    import pyspiel

    start = hearts()

    def prepare(seed: int) -> Callable[[], int]:
        bots = [pyspiel.make_uniform_random_bot(seat, seed * 4 + seat) for seat in range(4)]

        def run() -> int:
            state = start
            for i in range(count):
                state = start.clone()  # it is played to its end
                pyspiel.evaluate_bots(state, bots, seed * count + i)
            if not state.is_terminal() or len(state.history()) - len(start.history()) != HEARTS_LEFT:
                raise AssertionError("hearts: a rollout has another length")
            return count * HEARTS_LEFT

        return run

    return Contestant(ROLLOUTS, "move", prepare)


def search_rollouts(count: int) -> Contestant:
    """OpenSpiel's fastest rollouts: those that its search asks of RandomRolloutEvaluator, all in C++.

    A search of one iteration more than there are moves evaluates the root and each position after one move, `count`
    rollouts each: 51 and 50 moves to the end. What else it does, twice or thrice, doesn't count against so many.
    """
    start = hearts()
    moves = len(start.legal_actions())
    if moves < 2:
        raise AssertionError("hearts: a forced move is not searched")

    def prepare(seed: int) -> Callable[[], int]:
        bot = ismcts_bot(seed, rollouts=count, iterations=moves + 1)
        state = start.clone()

        def run() -> int:
            bot.step(state)
            return count * (HEARTS_LEFT + moves * (HEARTS_LEFT - 1))

        return run

    return Contestant(BEST_ROLLOUTS, "move", prepare)


def ismcts_bot(seed: int, *, rollouts: int, iterations: int, worlds: int = -1) -> Any:
    """`worlds`: so many are sampled and used again and again; -1: a fresh one each iteration, as kibitz does."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(seed, evaluator, 2.0, iterations, worlds, most_visited, False, False)


def spiel_ismcts(name: str, *, iterations: int, worlds: int = -1) -> Contestant:
    start = hearts()

    def prepare(seed: int) -> Callable[[], int]:
        bot = ismcts_bot(seed, rollouts=1, iterations=iterations, worlds=worlds)
        state = start.clone()

        def run() -> int:
            bot.step(state)
            return iterations

        return run

    return Contestant(name, "iteration", prepare)


def spiel_search(bot: str, game: str, iterations: int) -> Contestant:
    """`MCTSBot` without its solver, or `ISMCTSBot`, from the first decision of a small game."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    start = loaded.new_initial_state()
    while start.is_chance_node():
        start.apply_action(start.legal_actions()[0])

    def prepare(seed: int) -> Callable[[], int]:
        if bot == "ISMCTSBot":
            player = ismcts_bot(seed, rollouts=1, iterations=iterations)
        else:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            player = pyspiel.MCTSBot(loaded, evaluator, 1.4, iterations, 1000, False, seed, False)
        state = start.clone()

        def run() -> int:
            player.step(state)
            return iterations

        return run

    return Contestant(f"open_spiel {bot}, {game}, {iterations:,}", "iteration", prepare)


# ---- kibitz ----


def called(case: works.Case) -> str:
    return f"{case.players} players" if case.slug == GAME else str(case)


def kibitz_playouts(case: works.Case, count: int) -> Contestant:
    state = works.start(case)

    def prepare(seed: int) -> Callable[[], int]:
        rng = _core.Rng(seed, "peers")
        return lambda: _core.playouts(state, count, rng)[0]

    return Contestant(f"kibitz playouts, {called(case)}", "ply", prepare)


def tuned_playouts(case: works.Case, count: int, tune: str) -> Contestant:
    """The same, tuned for a processor: kibitz_bench with its start-up, some milliseconds."""
    tuned = program.build(f"bench-{tune}", tune=tune)

    def run() -> int:
        return program.run(tuned, "playouts", case, count).plies

    return Contestant(f"kibitz playouts, {called(case)}, {tune}", "ply", lambda _: run)


def kibitz_ismcts(case: works.Case, *, threads: int, repeat: int = 3) -> Contestant:
    state = works.start(case)
    view = state.view(state.turn)

    def run(seed: int) -> int:
        for i in range(repeat):
            found = _core.search(
                view, search="ismcts", iterations=ITERATIONS, seed=seed * repeat + i, threads=threads
            )
            if found["iterations"] != ITERATIONS or found["reason"] != "iterations" or found["nodes"] < 1000:
                raise AssertionError(f"{case}: not searched in full: {found['reason']}")
        return ITERATIONS * repeat

    name = kibitz_ismcts_name(case, threads)
    return Contestant(name, "iteration", lambda seed: lambda: run(seed), threads)


def kibitz_ismcts_name(case: works.Case, threads: int) -> str:
    return f"kibitz ismcts, {called(case)}, {threads} thread{'s' * (threads > 1)}"


def kibitz_search(method: str, case: works.Case, iterations: int, *, repeat: int) -> Contestant:
    """The beginning of a small game, searched so many times that the clock can tell."""
    state = works.start(case)
    view = state.view(state.turn)

    def run(seed: int) -> int:
        for i in range(repeat):
            found = _core.search(view, search=method, iterations=iterations, seed=seed * repeat + i)
            if found["iterations"] != iterations:
                raise AssertionError(f"{case}: not searched in full: {found['reason']}")
        return iterations * repeat

    return Contestant(f"kibitz {method}, {case}, {iterations:,}", "iteration", lambda seed: lambda: run(seed))


# The same game on both sides: (kibitz, OpenSpiel).
SAME = [
    ("kibitz mcts, connect_four-2, 10,000", "open_spiel MCTSBot, connect_four, 10,000"),
    ("kibitz ismcts, leduc_poker-2, 10,000", "open_spiel ISMCTSBot, leduc_poker, 10,000"),
]


# ---- rounds of turns ----


def contestants(*, tuned: bool) -> list[Contestant]:
    """In the order of their turns: those that are compared stand side by side."""
    cases = [works.Case(GAME, n) for n in sorted(_core.info(GAME)["players"], reverse=True)]
    tunes = TUNES if tuned else ()
    return [
        bot_rollouts(10_000),
        search_rollouts(10_000),
        kibitz_playouts(cases[0], 2_000_000),
        *(tuned_playouts(cases[0], 4_000_000, tune) for tune in tunes),
        *(kibitz_playouts(case, 1_000_000) for case in cases[1:]),
        *(kibitz_playouts(case, 2_000_000) for case in OTHERS),
        *(tuned_playouts(case, 4_000_000, tune) for case in OTHERS for tune in tunes),
        spiel_ismcts("open_spiel ISMCTSBot, 100,000", iterations=ITERATIONS),
        *(kibitz_ismcts(case, threads=1) for case in [*cases, *OTHERS]),
        spiel_ismcts("open_spiel ISMCTSBot, 10,000", iterations=10_000),
        *(kibitz_ismcts(case, threads=2) for case in [*cases, *OTHERS]),
        spiel_ismcts(POOLED, iterations=ITERATIONS, worlds=100),
        spiel_search("MCTSBot", "connect_four", 10_000),
        kibitz_search("mcts", works.Case("connect_four", 2), 10_000, repeat=30),
        spiel_search("ISMCTSBot", "leduc_poker", 10_000),
        kibitz_search("ismcts", works.Case("leduc_poker", 2), 10_000, repeat=100),
    ]


def spread(values: list[float]) -> dict[str, float]:
    return {"median": median(values), "min": min(values), "max": max(values)}


@dataclass
class Speeds:
    """A contestant's speed, round by round: units a second on the wall and a second of processor time."""

    contestant: Contestant
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        each = self.contestant
        return {"name": each.name, "unit": each.unit, **spread(self.wall), "all": self.wall, "cpu": self.cpu}


def ratio(one: Speeds, other: Speeds) -> dict[str, Any]:
    """Of speeds within a round; `cpu` is the median ratio by processor time, where one thread meets one."""
    by_wall = [a / b for a, b in zip(one.wall, other.wall, strict=True)]
    by_cpu = median(a / b for a, b in zip(one.cpu, other.cpu, strict=True))
    single = one.contestant.threads == other.contestant.threads == 1
    return {
        "of": one.contestant.name,
        "to": other.contestant.name,
        **spread(by_wall),
        "cpu": by_cpu if single else None,
    }


def ratios(speeds: dict[str, Speeds]) -> list[dict[str, Any]]:
    """Each kibitz contestant by the fastest peer of its kind, and two threads by one."""

    def fastest(start: str) -> Speeds:
        return max(
            (s for name, s in speeds.items() if name.startswith(start) and name != POOLED),
            key=lambda s: median(s.wall),
        )

    rollouts = max(speeds[ROLLOUTS], speeds[BEST_ROLLOUTS], key=lambda s: median(s.wall))
    search = fastest("open_spiel ISMCTSBot, 1")
    found = [ratio(s, rollouts) for name, s in speeds.items() if name.startswith("kibitz playouts")]
    same = [name for name, _ in SAME]
    found += [
        ratio(s, search)
        for name, s in speeds.items()
        if name.startswith("kibitz ismcts") and name not in same
    ]
    found += [ratio(speeds[ours], speeds[theirs]) for ours, theirs in SAME]
    for case in [*(works.Case(GAME, n) for n in _core.info(GAME)["players"]), *OTHERS]:
        two, one = (speeds[kibitz_ismcts_name(case, threads)] for threads in (2, 1))
        found.append(ratio(two, one))
    return found


def cpu_seconds() -> float:
    """Processor time of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def measure(*, pairs: int = 5, tuned: bool = True, note: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Rounds of turns: machine, speeds by contestant, their ratios.

    Args:
        pairs: Rounds; every contestant is measured once a round.
        tuned: Whether builds tuned for a processor are measured, too.
        note: Called with every measurement as it is made.
    """
    facts = {**machine.facts(), "open_spiel": version("open_spiel")}
    speeds = {each.name: Speeds(each) for each in contestants(tuned=tuned)}
    loads = []
    for pair in range(1, pairs + 1):
        for name, found in speeds.items():
            run = found.contestant.prepare(pair)
            wall, cpu = perf_counter(), cpu_seconds()
            units = run()
            wall, cpu = perf_counter() - wall, cpu_seconds() - cpu
            found.wall.append(units / wall)
            found.cpu.append(units / cpu)
            loads.append(os.getloadavg()[0])
            note(
                {
                    "time": datetime.now(UTC).isoformat(timespec="seconds"),
                    "pair": pair,
                    "name": name,
                    "unit": found.contestant.unit,
                    "units": units,
                    "seconds": round(wall, 4),
                    "cpu_seconds": round(cpu, 4),
                    "load": round(loads[-1], 2),
                }
            )
    return {
        "machine": facts,
        "pairs": pairs,
        "load": spread(loads),
        "rates": [found.row() for found in speeds.values()],
        "ratios": ratios(speeds),
    }


# ---- the command ----


def say(measurement: dict[str, Any]) -> None:
    rate = measurement["units"] / measurement["seconds"]
    print(
        f"{measurement['pair']:>3}  {measurement['name']:<44}{rate:>16,.0f} {measurement['unit']}/s"
        f"   load {measurement['load']}",
        file=sys.stderr,
        flush=True,
    )


def summary(found: dict[str, Any]) -> str:
    facts, load = found["machine"], found["load"]
    rates = [
        f"{row['name']:<44}{row['median']:>14,.0f}{row['min']:>14,.0f}{row['max']:>14,.0f}"
        for row in found["rates"]
    ]
    ratios = [
        f"{row['of']:<44}{row['median']:>8.2f}{row['min']:>8.2f}{row['max']:>8.2f}"
        f"{'-' if row['cpu'] is None else format(row['cpu'], '.2f'):>8}  to {row['to']}"
        for row in found["ratios"]
    ]
    about = [
        f"{facts['date']}, commit {facts['commit']}, {facts['compiler']}, {facts['flags']}",
        f"{facts['cpu']}, {facts['cores']} cores; load {load['min']:.2f} to {load['max']:.2f}",
        f"open_spiel {facts['open_spiel']}; medians of {found['pairs']}",
    ]
    rate_header = f"{'a second':<44}{'median':>14}{'min':>14}{'max':>14}"
    ratio_header = f"{'ratio':<44}{'median':>8}{'min':>8}{'max':>8}{'by CPU':>8}"
    return "\n".join([*about, "", rate_header, *rates, "", ratio_header, *ratios])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench peers"
    )
    parser.add_argument("--pairs", type=int, default=5, help="rounds of turns (5)")
    parser.add_argument("--no-tuned", action="store_true", help="without the tuned builds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="append each measurement to FILE")
    args = parser.parse_args()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("peers: there is no open_spiel; pip install 'kibitz[bench]'", file=sys.stderr)
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
