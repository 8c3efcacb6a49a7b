"""OpenSpiel's searches as players of a match: they get what any player gets, a view.

A state of OpenSpiel's is made from a world drawn from the view. `ISMCTSBot` draws worlds of its own from what its seat
knows of that state, so it knows as much as the view says and no more. For measurements of strength alone; the package
has no such player.
"""

import json
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Protocol

import kibitz
from kibitz.bot import move_seed
from kibitz.cli.peers import ismcts_bot, mcts_bot

RANKS, SUITS = "23456789TJQKA", "CDHS"  # in OpenSpiel's order
PACK = [rank + suit for rank in RANKS for suit in SUITS]
NO_PASS = 0  # the outcome of its first roll

Costs = tuple[tuple[int, float], ...]  # (stage, seconds of processor time a simulation there), by stage


def stage_of(view: kibitz.View) -> int:
    """Decisions made so far."""
    return sum(not event.startswith("*") for event in view.record)


def cost_at(costs: Costs, stage: int) -> float:
    """Seconds a simulation takes at a stage: straight between those measured, level beyond them.

    >>> cost_at(((0, 4.0), (10, 2.0)), 5), cost_at(((0, 4.0), (10, 2.0)), 30)
    (3.0, 2.0)
    """
    if stage <= costs[0][0]:
        return costs[0][1]
    for (low, before), (high, after) in pairwise(costs):
        if low <= stage <= high:
            return before + (after - before) * (stage - low) / (high - low)
    return costs[-1][1]


def simulations(costs: Costs, stage: int, *, ms: float) -> int:
    """How many fit into so much processor time, at least 1."""
    return max(1, round(ms / 1000 / cost_at(costs, stage)))


# ---- from a view to a state of OpenSpiel's ----


class Adapter(Protocol):
    """A game on both sides."""

    def state(self, view: kibitz.View, seed: int) -> Any:
        """A state of OpenSpiel's that fits the view."""

    def action(self, view: kibitz.View, move: str) -> int:
        """OpenSpiel's number of a move."""


class ConnectFour:
    """Nothing is hidden: the moves made are the state."""

    def __init__(self) -> None:
        import pyspiel

        self.game = pyspiel.load_game("connect_four")

    def state(self, view: kibitz.View, seed: int) -> Any:
        """The moves made one after the other."""
        state = self.game.new_initial_state()
        for event in view.record:
            state.apply_action(self.action(view, event.partition(":")[2]))
        return state

    def action(self, view: kibitz.View, move: str) -> int:
        """Columns from the left."""
        return int(move) - 1


class Hearts:
    """Deal and cards played, of a world. No cards are passed: `ISMCTSBot` of 2.0.2 ends the process there."""

    def __init__(self) -> None:
        import pyspiel

        self.game = pyspiel.load_game("hearts")

    def state(self, view: kibitz.View, seed: int) -> Any:
        """What happened up to here in a world drawn from the view."""
        hands = [set(hand.split()) for hand in view.sample(seed=seed).to_dict()["start"]["hands"]]
        played = [event.split(":") for event in view.record if not event.startswith("*")]
        for seat, card in played:
            hands[int(seat)].add(card)
        dealt = [sorted(hand, key=PACK.index) for hand in hands]
        state = self.game.new_initial_state()
        state.apply_action(NO_PASS)
        for number in range(len(PACK)):
            state.apply_action(PACK.index(dealt[number % 4][number // 4]))
        for _, card in played:
            state.apply_action(PACK.index(card))
        return state

    def action(self, view: kibitz.View, move: str) -> int:
        """Cards by rank, then suit."""
        return PACK.index(move)


ADAPTERS: dict[str, type[Adapter]] = {"connect_four": ConnectFour, "hearts": Hearts}


# ---- players ----


@dataclass(frozen=True)
class Log:
    """A file that gets a line for each decision between several moves: who, at which stage, what it took."""

    path: Path

    def write(self, bot: str, stage: int, *, cpu: float, wall: float, iterations: int) -> None:
        """One line in one write, so that processes don't mix theirs."""
        line = {
            "bot": bot,
            "stage": stage,
            "cpu": round(cpu, 6),
            "wall": round(wall, 6),
            "iterations": iterations,
        }
        with self.path.open("ab", buffering=0) as file:
            os.write(file.fileno(), (json.dumps(line) + "\n").encode())


@dataclass(frozen=True)
class Spiel:
    """`MCTSBot` (with its solver) or `ISMCTSBot`: simulations for so much processor time a move.

    Attributes:
        game: A name in `ADAPTERS`.
        costs: What a simulation takes, by stage.
        ms: Processor time a move.
        log: Where each move is noted.
        seed: Bots with different seeds play different games.
    """

    game: str
    costs: Costs
    ms: float
    log: Log
    seed: int = 0

    @property
    def name(self) -> str:
        """For tables of results."""
        return f"open_spiel {'MCTSBot' if self.game == 'connect_four' else 'ISMCTSBot'}, {self.ms:g} ms"

    def act(self, view: kibitz.View) -> str:
        """The bot's move; a forced one is made without it."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        adapter = ADAPTERS[self.game]()
        seed = move_seed(self.seed, view) % 2**31
        stage = stage_of(view)
        count = simulations(self.costs, stage, ms=self.ms)
        state = adapter.state(view, seed)
        actions = {adapter.action(view, move): move for move in legal}
        if state.current_player() != view.seat or sorted(actions) != state.legal_actions():
            raise AssertionError(f"{self.game}: another position: {state} for {view.to_json()}")
        bot = bot_for(self.game, state, seed, iterations=count)
        wall, cpu = perf_counter(), process_time()
        action = bot.step(state)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        self.log.write(self.name, stage, cpu=cpu, wall=wall, iterations=count)
        return actions[action]

    def __repr__(self) -> str:
        return f"Spiel({self.game!r}, costs={self.costs!r}, ms={self.ms!r}, seed={self.seed})"


def bot_for(game: str, state: Any, seed: int, *, iterations: int, solve: bool = True) -> Any:
    """A bot of OpenSpiel's for one move."""
    if game == "connect_four":
        return mcts_bot(state.get_game(), seed, iterations=iterations, solve=solve)
    return ismcts_bot(seed, iterations=iterations)


@dataclass(frozen=True)
class Timed:
    """A kibitz bot whose moves are noted."""

    bot: kibitz.Bot
    log: Log

    @property
    def name(self) -> str:
        """The bot's, with whose it is."""
        return f"kibitz {self.bot.settings.search}, {self.bot.settings.ms:g} ms"

    def act(self, view: kibitz.View) -> str:
        """The bot's move."""
        if len(legal := view.legal()) == 1:
            return legal[0]
        wall, cpu = perf_counter(), process_time()
        found = self.bot.analyse(view)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        self.log.write(self.name, stage_of(view), cpu=cpu, wall=wall, iterations=found.iterations)
        return found.move

    def __repr__(self) -> str:
        return f"Timed({self.bot!r})"
