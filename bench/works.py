"""What is measured: every registered game with every number of players, and the kinds of work with a known result.

No game is named here. A game is measured with the options of `options.json`, else with its defaults. Every work
is fixed by seeds and gives the same result on every machine; the results are pinned in `checksums.json`, which
`./dev bench pin` writes. A benchmark that did other work than the pinned one fails: its speed would say nothing.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce
from hashlib import blake2b
from operator import xor
from pathlib import Path
from typing import Any, NamedTuple

import kibitz
from kibitz import _core

HERE = Path(__file__).parent
PINS = HERE / "checksums.json"
OPTIONS: dict[str, dict[str, int | bool | str]] = json.loads((HERE / "options.json").read_text())

DEAL = 7  # the deal that everything starts from, as in cpp/bench/kibitz_bench.cpp
PERFT_LEAVES = 200_000  # perft goes as deep as it may without passing so many leaves ...
PERFT_DEPTH = 12  # ... but no deeper

Result = dict[str, int | str]


@dataclass(frozen=True)
class Case:
    """A game, a number of players, and the options it is measured with."""

    slug: str
    players: int

    @property
    def options(self) -> dict[str, int | bool | str]:
        return {"players": self.players, **OPTIONS.get(self.slug, {})}

    def game(self) -> _core.Game:
        return _core.Game(self.slug, self.options)

    def __str__(self) -> str:
        return f"{self.slug}-{self.players}"


CASES = [Case(slug, n) for slug in sorted(_core.games()) for n in _core.info(slug)["players"]]


class Task(NamedTuple):
    """Work ready to be timed."""

    run: Callable[[], Result]
    units: int  # how much one run does
    unit: str  # of what


@dataclass(frozen=True)
class Work:
    """A kind of work. `prepare` does what is not timed."""

    name: str
    prepare: Callable[[Case], Task]

    def __str__(self) -> str:
        return self.name


# ---- positions ----


def start(case: Case) -> _core.State:
    """The first position of the deal in which a seat has a choice: a forced move ends a search at once."""
    state = case.game().deal(DEAL)
    rng = _core.Rng(DEAL, "bench")
    while len(moves := state.moves()) < 2:
        if state.turn == _core.OVER:
            raise AssertionError(f"{case}: nobody has a choice in deal {DEAL}")
        state = state.play(moves[0] if moves else state.roll(rng))
    return state


def middle(case: Case) -> _core.State:
    """The position halfway through the choices of a game that the greedy baseline plays: hidden cards and much said."""
    state = case.game().deal(DEAL)
    rng = _core.Rng(DEAL, "bench")
    choices: list[_core.State] = []
    while (actor := state.turn) != _core.OVER:
        if actor == _core.CHANCE:
            state = state.play(state.roll(rng))
            continue
        if len(state.moves()) > 1:
            choices.append(state)
        state = state.play(state.view(actor).greedy(rng))
    return choices[len(choices) // 2]


def walk(case: Case, *, most: int = 200) -> list[tuple[_core.State, int, int]]:
    """The deal played on by chance: (position, actor, what it does)."""
    state = case.game().deal(DEAL)
    rng = _core.Rng(DEAL, "bench")
    steps: list[tuple[_core.State, int, int]] = []
    while (actor := state.turn) != _core.OVER and len(steps) < most:
        move = state.roll(rng) if actor == _core.CHANCE else state.pick(rng)
        steps.append((state, actor, move))
        state = state.play(move)
    return steps


def digest(value: Any) -> str:
    """16 hexadecimal digits of a value made of lists, texts and numbers."""
    return blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


# ---- inside the core ----


def perft(case: Case) -> Task:
    state = start(case)
    depth, leaves = perft_depth(case)

    def run() -> Result:
        return {"depth": depth, "leaves": sum(n for _, n in _core.perft(state, depth))}

    return Task(run, leaves, "leaf")


@cache
def perft_depth(case: Case) -> tuple[int, int]:
    """The deepest perft that stays small, and its leaves."""
    state = start(case)
    found = 0, 1
    for depth in range(1, PERFT_DEPTH + 1):
        leaves = sum(n for _, n in _core.perft(state, depth))
        if not 0 < leaves <= PERFT_LEAVES:
            break
        found = depth, leaves
    return found


def playouts(policy: str, count: int, *, at: Callable[[Case], _core.State] = start) -> Callable[[Case], Task]:
    def prepare(case: Case) -> Task:
        state = at(case)

        def run() -> Result:
            plies, checksum = _core.playouts(state, count, _core.Rng(1, "bench"), policy)
            return {"plies": plies, "checksum": f"{checksum:016x}"}

        return Task(run, int(run()["plies"]), "ply")

    return prepare


def samples(count: int = 20_000, *, at: Callable[[Case], _core.State] = start) -> Callable[[Case], Task]:
    def prepare(case: Case) -> Task:
        state = at(case)
        view = state.view(state.turn)

        def run() -> Result:
            return {"checksum": f"{_core.samples(view, count, _core.Rng(1, 'bench')):016x}"}

        return Task(run, count, "world")

    return prepare


def ismcts(*, iterations: int, threads: int) -> Callable[[Case], Task]:
    def prepare(case: Case) -> Task:
        state = start(case)
        view = state.view(state.turn)

        def run() -> Result:
            found = _core.search(view, search="ismcts", iterations=iterations, seed=1, threads=threads)
            rows = [[row["move"], row["visits"], row["mean"]] for row in found["moves"]]
            return {"iterations": found["iterations"], "nodes": found["nodes"], "rows": digest(rows)}

        return Task(run, iterations, "iteration")

    return prepare


# ---- across the boundary, from Python ----


def deals(case: Case, count: int = 200) -> Task:
    game = case.game()

    def run() -> Result:
        return {"states": f"{reduce(xor, (game.deal(seed).digest for seed in range(count))):016x}"}

    return Task(run, count, "deal")


def plays(case: Case) -> Task:
    """A game played move by move: what a ply costs from Python."""
    first = case.game().deal(DEAL)
    codes = [move for _, _, move in walk(case)]

    def run() -> Result:
        return {"plies": len(codes), "state": f"{reduce(_core.State.play, codes, first).digest:016x}"}

    return Task(run, len(codes), "ply")


def views(case: Case) -> Task:
    """What every seat knows at every position of a game."""
    seats = range(case.game().seats)
    states = [state for state, _, _ in walk(case)]

    def run() -> Result:
        return {"views": f"{reduce(xor, (s.view(seat).digest for s in states for seat in seats)):016x}"}

    return Task(run, len(states) * len(seats), "view")


def observes(case: Case) -> Task:
    """One seat's view kept up through a game, event by event."""
    steps = walk(case)
    first = steps[0][0].view(0)
    events = [(actor, state.seen(move, 0)) for state, actor, move in steps]

    def run() -> Result:
        view = reduce(lambda view, event: view.observe(*event), events, first)
        return {"events": len(events), "view": f"{view.digest:016x}"}

    return Task(run, len(events), "event")


def json_trips(case: Case, most: int = 20) -> Task:
    """Views as JSON text and back, as a server does it: with the record, checked."""
    table = kibitz.load(case.slug, **case.options).deal(seed=DEAL)
    found: list[kibitz.View] = []
    while table.turn is not None and len(found) < most:
        found.append(table.view())
        legal = table.legal()
        table.play(legal[len(found) % len(legal)])

    def run() -> Result:
        again = [kibitz.View.from_json(view.to_json()) for view in found]
        return {"views": digest([view.digest for view in again])}

    return Task(run, len(found), "view")


WORKS = [
    Work("perft", perft),
    Work("playouts", playouts("uniform", 5_000)),
    Work("hints", playouts("hint", 5_000)),
    Work("samples", samples()),
    Work("playouts-middle", playouts("uniform", 5_000, at=middle)),
    Work("samples-middle", samples(at=middle)),
    Work("ismcts", ismcts(iterations=20_000, threads=1)),
    Work("ismcts-2-threads", ismcts(iterations=20_000, threads=2)),
    Work("ismcts-start", ismcts(iterations=1, threads=1)),
    Work("deals", deals),
    Work("plays", plays),
    Work("views", views),
    Work("observes", observes),
    Work("json", json_trips),
]


# ---- pins ----


def read_pins() -> dict[str, dict[str, Result]]:
    found: dict[str, dict[str, Result]] = json.loads(PINS.read_text()) if PINS.exists() else {}
    return found


def write_pins() -> list[str]:
    """Pins the results of this build; returns the works whose result has changed."""
    before = read_pins()
    now = {str(case): {work.name: work.prepare(case).run() for work in WORKS} for case in CASES}
    lines = [
        f'  "{case}": {{\n' + ",\n".join(f'    "{k}": {json.dumps(v)}' for k, v in pins.items()) + "\n  }"
        for case, pins in now.items()
    ]
    PINS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return [
        f"{case} {work}"
        for case, pins in now.items()
        for work, result in pins.items()
        if before.get(case, {}).get(work) != result
    ]
