"""Speed beside OpenSpiel: the same game on one machine, in one run, in turns, one thread, each side at its best.

    kibitz bench --peers

OpenSpiel (`pip install open_spiel==2.0.2`) is asked through its Python interface and does its work in C++: random
playouts by `RandomRolloutEvaluator`, which one iteration of `MCTSBot` asks for as many as wanted; searches by `MCTSBot`
without its solver and by `ISMCTSBot` with a fresh world each iteration. Both sides begin at the first decision of a
deal. An iteration is the same there and here: sample a world where something is hidden, descend, add a node, play out,
back up.

A round of turns measures every contestant once. A ratio is taken within a round, so that what else the machine does
hits both sides alike. Nothing here says how strong either side plays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from kibitz import _core
from kibitz.analysis import best_move
from kibitz.errors import InvalidOption
from kibitz.game import OptionValue, load
from kibitz.layout import Layout

__all__ = [
    "SAME",
    "Contestant",
    "Same",
    "Speeds",
    "contestants",
    "layout",
    "measure",
    "ratio",
    "require",
    "spread",
]

DEAL = 7
OFF = {"proofs": False}


@dataclass(frozen=True)
class Same:
    """A game that both libraries have, and the search that is timed.

    Attributes:
        slug, options: Here.
        theirs: OpenSpiel's name of it.
        search: `"mcts"` beside `MCTSBot`, `"ismcts"` beside `ISMCTSBot`.
        iterations: Of one search.
        playouts: Of one turn, here and there.
        tuning: Passed to `best_move`: `MCTSBot` proves nothing as it is timed, and where proofs end a search early,
            ours must not either.
        repeat: Searches of ours in one turn.
    """

    slug: str
    theirs: str
    search: str
    iterations: int
    playouts: tuple[int, int]
    repeat: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    tuning: Mapping[str, object] = field(default_factory=dict)

    @property
    def bot(self) -> str:
        """OpenSpiel's search."""
        return "MCTSBot" if self.search == "mcts" else "ISMCTSBot"


SAME = (
    Same("connect_four", "connect_four", "mcts", 10_000, (400_000, 20_000), 20),
    Same("tic_tac_toe", "tic_tac_toe", "mcts", 100_000, (2_000_000, 150_000), 2, tuning=OFF),
    Same("kuhn_poker", "kuhn_poker", "ismcts", 10_000, (4_000_000, 700_000), 40),
    Same("leduc_poker", "leduc_poker", "ismcts", 10_000, (2_000_000, 300_000), 40),
    Same("hearts", "hearts", "ismcts", 10_000, (200_000, 20_000), 20, options={"pass_cards": False}),
)


@dataclass(frozen=True)
class Contestant:
    """Something with a speed. `prepare` takes a seed; what it gives back is timed, and says how many units it did."""

    name: str
    unit: str
    prepare: Callable[[int], Callable[[], int]]
    threads: int = 1
    moves: float = 1.0  # decisions that a unit has, where the unit is a playout


@dataclass
class Speeds:
    """A contestant's speed, round by round: units a second on the wall and a second of processor time."""

    contestant: Contestant
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """As plain values."""
        each = self.contestant
        return {
            "name": each.name,
            "unit": each.unit,
            "moves": each.moves,
            **spread(self.wall),
            "all": self.wall,
            "cpu": self.cpu,
        }


def require() -> None:
    """Refuses where there is no OpenSpiel.

    Raises:
        InvalidOption: It is not installed.
    """
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise InvalidOption(
            "--peers needs OpenSpiel, which is not installed: pip install open_spiel==2.0.2 (or kibitz[bench])."
        ) from None


# ---- OpenSpiel ----


def first_decision(game: str) -> Any:
    """OpenSpiel's state where a seat first has a choice."""
    import pyspiel

    state = pyspiel.load_game(game).new_initial_state()
    rng = Random(DEAL)
    if game == "hearts":
        state.apply_action(0)  # no cards are passed on
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def mcts_bot(game: Any, seed: int, *, iterations: int, rollouts: int = 1, solve: bool = False) -> Any:
    """`MCTSBot` with the constant of its own examples."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, iterations, 1000, solve, seed, False)


def ismcts_bot(seed: int, *, iterations: int, worlds: int = -1) -> Any:
    """`ISMCTSBot`; `worlds`: so many are sampled and used again and again; -1: a fresh one each iteration."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(seed, evaluator, 2.0, iterations, worlds, most_visited, False, False)


def their_playouts(same: Same) -> Contestant:
    """All in C++: a search of one iteration evaluates the root, by as many playouts as it is told."""
    start, count = first_decision(same.theirs), same.playouts[1]

    def prepare(seed: int) -> Callable[[], int]:
        bot = mcts_bot(start.get_game(), seed, iterations=1, rollouts=count)

        def run() -> int:
            root = bot.mcts_search(start)
            if root.explore_count != 1:
                raise AssertionError(f"{same.theirs}: {root.explore_count} evaluations, not 1")
            return count

        return run

    return Contestant(f"open_spiel playouts, {same.theirs}", "playout", prepare, moves=mean_length(same))


def their_search(same: Same, *, worlds: int = -1) -> Contestant:
    """A whole step of the bot, from the first decision."""
    start = first_decision(same.theirs)

    def prepare(seed: int) -> Callable[[], int]:
        if same.search == "mcts":
            bot = mcts_bot(start.get_game(), seed, iterations=same.iterations)
        else:
            bot = ismcts_bot(seed, iterations=same.iterations, worlds=worlds)
        state = start.clone()

        def run() -> int:
            bot.step(state)
            return same.iterations

        return run

    pooled = f", {worlds} worlds" if worlds > 0 else ""
    return Contestant(
        f"open_spiel {same.bot}, {same.theirs}, {same.iterations:,}{pooled}", "iteration", prepare
    )


# ---- kibitz ----


def our_start(same: Same) -> _core.State:
    """The state where a seat first has a choice."""
    state = load(same.slug, **same.options).core.deal(DEAL)
    rng = _core.Rng(DEAL, "bench")
    while len(moves := state.moves()) < 2:
        state = state.play(moves[0] if moves else state.roll(rng))
    return state


def mean_length(same: Same) -> float:
    """Decisions of a random playout, on average; it does not hang on the cards dealt."""
    count = 100_000
    plies, _ = _core.playouts(our_start(same), count, _core.Rng(1, "bench"))
    return plies / count


def our_playouts(same: Same) -> Contestant:
    """Uniform playouts, all inside the core."""
    state, count = our_start(same), same.playouts[0]

    def prepare(seed: int) -> Callable[[], int]:
        rng = _core.Rng(seed, "bench")

        def run() -> int:
            _core.playouts(state, count, rng)
            return count

        return run

    return Contestant(f"kibitz playouts, {same.slug}", "playout", prepare, moves=mean_length(same))


def our_search(
    same: Same, *, threads: int = 1, iterations: int | None = None, repeat: int | None = None
) -> Contestant:
    """`best_move` from a view, as a user calls it."""
    count, repeat = iterations or same.iterations, repeat or same.repeat
    table = load(same.slug, **same.options).deal(seed=DEAL)
    while len(table.legal()) < 2:
        table.play(table.legal()[0])
    view = table.view()
    more: dict[str, Any] = {"tuning": dict(same.tuning)} if same.tuning else {}

    def run(seed: int) -> int:
        for i in range(repeat):
            found = best_move(
                view,
                search=same.search,
                iterations=count,
                threads=threads,
                playout="uniform",
                seed=seed * repeat + i,
                **more,
            )
            if found.iterations != count:
                raise AssertionError(f"{same.slug}: {found.iterations} iterations, ended by {found.reason}")
        return count * repeat

    suffix = f", {threads} threads" if threads > 1 else ""
    name = f"kibitz {same.search}, {same.slug}, {count:,}{suffix}"
    return Contestant(name, "iteration", lambda seed: lambda: run(seed), threads)


# ---- rounds of turns ----


def contestants(same: Sequence[Same]) -> tuple[list[Contestant], list[tuple[str, str]]]:
    """Those of each game in the order of their turns, and which are compared: (ours, theirs)."""
    found: list[Contestant] = []
    for each in same:
        found += [their_playouts(each), our_playouts(each), their_search(each), our_search(each)]
    names = [contestant.name for contestant in found]
    return found, list(zip(names[1::2], names[::2], strict=True))


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and most."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def ratio(one: Speeds, other: Speeds) -> dict[str, Any]:
    """Of speeds within a round, counted in moves where units have several.

    `cpu` is the median ratio by processor time, where one thread meets one.
    """
    scale = one.contestant.moves / other.contestant.moves
    by_wall = [scale * a / b for a, b in zip(one.wall, other.wall, strict=True)]
    by_cpu = scale * median(a / b for a, b in zip(one.cpu, other.cpu, strict=True))
    single = one.contestant.threads == other.contestant.threads == 1
    return {
        "of": one.contestant.name,
        "to": other.contestant.name,
        **spread(by_wall),
        "cpu": by_cpu if single else None,
    }


def measure(
    each: Sequence[Contestant],
    *,
    rounds: int,
    clock: Callable[[], float] = process_time,
    note: Callable[[int, Contestant, int, float, float], None] | None = None,
) -> dict[str, Speeds]:
    """Rounds of turns.

    Args:
        each: Who takes turns; those that are compared side by side.
        rounds: How often each is measured.
        clock: Seconds of processor time.
        note: Called with every measurement as it is made: round, contestant, units, seconds on the wall, seconds of
            processor time.

    Returns:
        Speeds by the contestant's name.
    """
    speeds = {contestant.name: Speeds(contestant) for contestant in each}
    for number in range(1, rounds + 1):
        for found in speeds.values():
            run = found.contestant.prepare(number)
            wall, cpu = perf_counter(), clock()
            units = run()
            wall, cpu = perf_counter() - wall, clock() - cpu
            found.wall.append(units / wall)
            found.cpu.append(units / cpu)
            if note is not None:
                note(number, found.contestant, units, wall, cpu)
    return speeds


def report(slugs: Sequence[str] | None, *, rounds: int) -> dict[str, Any]:
    """What `kibitz bench --peers` says, as plain values.

    Raises:
        InvalidOption: No OpenSpiel, or a game that is not compared.
    """
    require()
    from importlib.metadata import version

    known = [each.slug for each in SAME]
    for slug in slugs or ():
        if slug not in known:
            raise InvalidOption(
                f"{slug!r} is not compared; --peers has {', '.join(known)}.", given=slug, allowed=known
            )
    same = [each for each in SAME if not slugs or each.slug in slugs]
    found, pairs = contestants(same)
    speeds = measure(found, rounds=rounds)
    return {
        "open_spiel": version("open_spiel"),
        "rounds": rounds,
        "rates": [each.row() for each in speeds.values()],
        "ratios": [ratio(speeds[ours], speeds[theirs]) for ours, theirs in pairs],
        "build": _core.build(),
    }


def layout(found: dict[str, Any]) -> Layout:
    """Speeds of both sides and their ratios, a row a comparison."""
    rates = {row["name"]: row for row in found["rates"]}
    rows = []
    for row in found["ratios"]:
        ours, theirs = rates[row["of"]], rates[row["to"]]
        units = (
            [("playouts", 1.0), ("moves", ours["moves"])]
            if ours["unit"] == "playout"
            else [("iterations", 1.0)]
        )
        for unit, scale in units:
            rows.append(
                (
                    row["of"].removeprefix("kibitz "),
                    f"{unit}/s",
                    f"{scale * ours['median']:,.0f}",
                    f"{scale * theirs['median']:,.0f}",
                    f"{row['median']:.1f}",
                    f"{row['min']:.1f}",
                    f"{row['max']:.1f}",
                )
            )
    header = ("work", "unit", "kibitz", "OpenSpiel", "ratio", "least", "most")
    return Layout(header, rows, right=header[2:])
