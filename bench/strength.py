"""How kibitz plays against OpenSpiel's searches, both with the same processor time a move.

    ./dev bench strength                              # four matches of 400 games, half an hour on two idle cores
    ./dev bench strength --games 8 --ms 2 hearts-5    # a try; matches by name

Connect Four against `MCTSBot` (with its solver), with seats swapped; hearts without passing cards (where its bot ends
the process), one kibitz among three `ISMCTSBot`, each deal four times, with kibitz at each seat once. Each match is
also played with a tenth of the time for kibitz alone. OpenSpiel's bots are given simulations, not time: what a
simulation takes is measured at the start, in positions of each stage of the game, with as many processes at work as
will play. What both sides then took a move is measured and told. Forced moves are made at once and not counted.

A folder (build/strength) has a journal of every match with its calibration; a run that was broken off goes on from
there, on the same machine and commit. Delete the folder to play anew.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

import kibitz
import machine
from kibitz.stats import wilson
from program import BUILD
from spiel import ADAPTERS, Costs, Log, Spiel, Timed, bot_for, stage_of

FOLDER = BUILD / "strength"
GAMES = 400
MS = 50.0
SEED = 1
OPTIONS: dict[str, dict[str, bool]] = {"hearts": {"pass_cards": False}}
SECONDS = 0.3  # of processor time that the cost of a simulation is taken from
POSITIONS = 3  # at each stage, in each process


@dataclass(frozen=True)
class Duel:
    """A match against OpenSpiel.

    Attributes:
        game: Here and there.
        search: Of kibitz.
        stages: Decisions made in the positions that are calibrated.
        share: Of the time that kibitz gets.
    """

    game: str
    search: str
    stages: tuple[int, ...]
    share: float = 1.0

    @property
    def table(self) -> kibitz.Game:
        """The game as both play it."""
        return kibitz.load(self.game, **OPTIONS.get(self.game, {}))

    @property
    def name(self) -> str:
        """For files and the command line: with the milliseconds of kibitz in a full run."""
        return f"{self.game}-{MS * self.share:g}"


BOARD, CARDS = (0, 8, 16, 24, 32), (1, 8, 16, 24, 32, 40)
DUELS = (
    Duel("connect_four", "mcts", BOARD),
    Duel("connect_four", "mcts", BOARD, share=0.1),
    Duel("hearts", "ismcts", CARDS),
    Duel("hearts", "ismcts", CARDS, share=0.1),
)


# ---- what a simulation takes ----


def position(duel: Duel, stage: int, rng: random.Random) -> kibitz.View:
    """A choice that a seat has after so many decisions, or soon after, such as games bring: two moves by chance, then
    by short searches."""
    while True:
        table = duel.table.deal(seed=rng.getrandbits(32))
        bot = kibitz.Bot(duel.search, iterations=500, seed=rng.getrandbits(32))
        while isinstance(seat := table.turn, int):
            view = table.view(seat=seat)
            made, legal = stage_of(view), view.legal()
            if len(legal) > 1 and made >= stage:
                return view
            table.play(rng.choice(legal) if made < 2 else bot.act(view))


def cost(duel: Duel, stage: int, seed: int) -> float:
    """Seconds of processor time a simulation of OpenSpiel's takes at a stage, without a solver that ends early."""
    rng = random.Random(f"{duel.game} {stage} {seed}")
    found = []
    for number in range(POSITIONS):
        view = position(duel, stage, rng)
        state = ADAPTERS[duel.game]().state(view, number)
        count = 50
        while True:
            bot = bot_for(duel.game, state, number, iterations=count, solve=False)
            begun = process_time()
            bot.step(state)
            if (seconds := process_time() - begun) >= SECONDS / POSITIONS:
                break
            count *= 2
        found.append(seconds / count)
    return fmean(found)


def all_costs(duel: Duel, seed: int) -> list[float]:
    """By stage."""
    return [cost(duel, stage, seed) for stage in duel.stages]


def calibrate(duel: Duel, workers: int) -> Costs:
    """The mean over processes that measure at the same time."""
    with ProcessPoolExecutor(workers) as pool:
        found = list(pool.map(partial(all_costs, duel), range(workers)))
    return tuple((stage, fmean(each)) for stage, *each in zip(duel.stages, *found, strict=True))


def costs_of(duel: Duel, workers: int, folder: Path) -> Costs:
    """As measured at the beginning of the match, by this run or the one that was broken off.

    Raises:
        RuntimeError: That was on another machine, or of another commit.
    """
    path = folder / f"{duel.game}.costs.json"
    here = {"cpu": machine.cpu_model(), "workers": workers, "commit": machine.commit()}
    if path.exists():
        kept = json.loads(path.read_text())
        if kept["on"] != here:
            raise RuntimeError(f"{path} was measured on {kept['on']}, not {here}: delete {folder}")
        return tuple((stage, seconds) for stage, seconds in kept["costs"])
    costs = calibrate(duel, workers)
    path.write_text(json.dumps({"on": here, "costs": costs}, indent=1) + "\n")
    return costs


# ---- playing ----


def effort(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """What a move took, by bot: moves, means of milliseconds of processor time, of the wall, and of iterations."""
    moves: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        move = json.loads(line)
        moves[move["bot"]].append(move)
    return {
        bot: {
            "moves": len(each),
            "cpu_ms": 1000 * fmean(move["cpu"] for move in each),
            "wall_ms": 1000 * fmean(move["wall"] for move in each),
            "iterations": fmean(move["iterations"] for move in each),
        }
        for bot, each in moves.items()
    }


def verdict(result: kibitz.MatchResult) -> dict[str, Any]:
    """What a match says of its first bot: wins, its share of the points and, of hearts, card points a deal.

    The share is won games and half the drawn ones of two, with Wilson's interval: if draws are many it is too wide.
    Of four, it is the share of the win a deal, and a quarter is even.
    """
    if result.errors:
        error = result.errors[0]
        raise RuntimeError(
            f"{error.bot}, deal {error.deal}: {error.kind}: {error.message}\n{error.traceback}"
        )
    first = result.entries[0]
    seats = len(result.results[0].seats)
    if seats == 2:
        share = wilson(sum(each.returns[each.seats.index(0)] for each in result.results), result.games)
    else:
        assert first.mean is not None
        share = first.mean
    score = first.score_margin if seats > 2 else None
    return {
        "games": result.games,
        "deals": result.deals,
        "won": first.won,
        "drawn": first.drawn,
        "even": 1 / seats,
        "share": share.to_dict(),
        "score": None if score is None else score.to_dict(),
    }


def play(duel: Duel, *, games: int, ms: float, workers: int, folder: Path) -> dict[str, Any]:
    """One match: calibrated, played, or gone on with."""
    costs = costs_of(duel, workers, folder)
    name = f"{duel.game}-{ms * duel.share:g}"
    log = Log(folder / f"{name}.moves.jsonl")
    ours = Timed(kibitz.Bot(duel.search, ms=ms * duel.share, utility=utility(duel.game), seed=SEED), log)
    game = duel.table
    theirs = [Spiel(duel.game, costs, ms, log, seed=seat) for seat in range(1, game.seats)]
    result = kibitz.match(
        game,
        [ours, *theirs],
        games=games,
        seed=SEED,
        workers=workers,
        journal=folder / f"{name}.journal.jsonl",
    )
    with log.path.open() as lines:
        took = effort(lines)
    return {
        "name": name,
        "game": duel.game,
        "search": duel.search,
        "ms": ms * duel.share,
        "peer": theirs[0].name.split(",")[0],
        "peer_ms": ms,
        **verdict(result),
        "ours": took[ours.name],
        "theirs": took[theirs[0].name],
        "costs": costs,
    }


def utility(game: str) -> str:
    """OpenSpiel's bots maximise what its games return: of hearts, card points."""
    return "score" if game == "hearts" else "auto"


def measure(
    *,
    games: int = GAMES,
    ms: float = MS,
    workers: int = 2,
    folder: Path = FOLDER,
    duels: Sequence[Duel] = DUELS,
    note: Callable[[dict[str, Any]], None],
) -> dict[str, Any]:
    """All matches: machine and a row each; `note` is called with every row as it is made."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = {**machine.facts(), "open_spiel": version("open_spiel")}
    rows = []
    for duel in duels:
        rows.append(play(duel, games=games, ms=ms, workers=workers, folder=folder))
        note(rows[-1])
    return {"machine": facts, "workers": workers, "rows": rows}


# ---- the command ----


def with_interval(estimate: dict[str, Any], spec: str = ".3f") -> str:
    """A mean and its interval, if there is one.

    >>> with_interval({"mean": 0.5, "low": 0.25, "high": 0.75})
    '0.500 [0.250, 0.750]'
    """
    if estimate["low"] is None:
        return format(estimate["mean"], spec)
    return f"{estimate['mean']:{spec}} [{estimate['low']:{spec}}, {estimate['high']:{spec}}]"


def summary(row: dict[str, Any]) -> str:
    """A match in a few lines."""
    header = (
        f"{row['name']}: kibitz {row['search']} at {row['ms']:g} ms, {row['peer']} at {row['peer_ms']:g} ms: "
        f"{row['games']} games, {row['won']} won, {row['drawn']} drawn"
    )
    lines = [
        header,
        f"  share {with_interval(row['share'])}, even is {row['even']:g}",
    ]
    if row["score"]:
        lines.append(f"  card points a game less the others' {with_interval(row['score'], '+.2f')}")
    lines += [
        f"  {who}: {took['cpu_ms']:.1f} ms of processor time a move, {took['wall_ms']:.1f} ms on the wall, "
        f"{took['iterations']:,.0f} iterations, {took['moves']:,} moves"
        for who, took in (("ours", row["ours"]), ("theirs", row["theirs"]))
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench strength"
    )
    parser.add_argument("match", nargs="*", help=f"only these: {', '.join(each.name for each in DUELS)}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each match ({GAMES})")
    parser.add_argument("--ms", type=float, default=MS, help=f"a move ({MS:g})")
    parser.add_argument("--workers", type=int, default=2, help="processes (2); no more than idle cores")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the journals (build/strength)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    args = parser.parse_args()
    known = {each.name: each for each in DUELS}
    if unknown := [name for name in args.match if name not in known]:
        parser.error(f"no match {unknown[0]!r}; there are {', '.join(known)}")
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("strength: there is no open_spiel; pip install 'kibitz[bench]'", file=sys.stderr)
        return 2
    try:
        found = measure(
            games=args.games,
            ms=args.ms,
            workers=args.workers,
            folder=args.folder,
            duels=[known[name] for name in args.match] or DUELS,
            note=lambda row: print(summary(row), flush=True),
        )
    except RuntimeError as error:
        print(f"strength: {error}", file=sys.stderr)
        return 1
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
