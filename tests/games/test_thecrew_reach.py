"""The Crew's positions and events from outside, at random: what is accepted can be reached by play (crew_reach.py), and
what some world allows is accepted.
"""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from crew_reach import reachable
from kibitz import _core
from kibitz.errors import InvalidPosition

DECK = [f"{suit}{value}" for suit in "BGPY" for value in range(1, 10)] + ["R1", "R2", "R3", "R4"]
TOKENS = ["1", "2", "3", "4", "5", "a1", "a2", "a3", "a4", "omega"]
DEALING = ("jarvis", "longest", "leader", "deal")
PHASES = [
    "",
    "task",
    "edit",
    "ask",
    "role",
    "draft",
    "owner",
    "lot",
    "holder",
    "offer",
    "consent",
    "vote",
    "give",
]
PHASES += ["get", "radio", "play", "draw", "turn_up", "over"]
VARIED: list[dict[str, Any]] = [
    {},
    {"distress": "left"},
    {"radio": "until_all_pass", "five_pass": "owner_only"},
]


def walk(game: kibitz.Game, seed: int) -> Iterator[_core.State]:
    """The positions of a random game after the deal."""
    rng = _core.Rng(seed, "test crew reach", 0)
    state = game.core.blank()
    while True:
        if state.to_dict()["phase"] not in DEALING:
            yield state
        if state.turn == _core.OVER:
            return
        state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))


Mutation = Callable[[random.Random], Any]


def some(*values: Any) -> Mutation:
    return lambda rng: rng.choice(values)


def a_card(rng: random.Random) -> str:
    return rng.choice(DECK)


SEATS = some(None, 0, 1, 2, 3, 4)
VALUES: dict[str, Mutation] = {
    "commander": SEATS,
    "longest": SEATS,
    "S1": SEATS,
    "S2": SEATS,
    "actor": SEATS,
    "owners": SEATS,
    "phase": some(*PHASES),
    "step": some(*range(-1, 6)),
    "count": some(*range(5)),
    "spoke": some(False, True),
    "distress": some("", "left", "right"),
    "offer": lambda rng: rng.choice(["", f"{a_card(rng)} {rng.randrange(5)}", f"- {rng.randrange(5)}"]),
    "replies": some(
        "", "good", "bad", "yes", "no", "first", "between", "last", "none", "left", "right", "any"
    ),
    "tasks": lambda rng: rng.choice(["", " " + rng.choice(TOKENS)]).join([a_card(rng), ""]),
    "statements": lambda rng: rng.choice(
        ["", f"{a_card(rng)} {rng.choice(['highest', 'lowest', 'only'])} {rng.randint(1, 6)}"]
    ),
    "given": lambda rng: rng.choice([a_card(rng), "x", ""]),
    "drawn": lambda rng: rng.choice([a_card(rng), "x", ""]),
    "hand": a_card,
    "hands": a_card,
    "tricks": a_card,
}


def mutated(position: dict[str, Any], other: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A position with one to three faults; a field of another one of the same game, or something in its place."""
    lie = deepcopy(position)
    for _ in range(rng.choice([1, 1, 2, 3])):
        key = rng.choice(sorted(VALUES.keys() & lie.keys()))
        if rng.random() < 0.15:
            lie[key] = deepcopy(other[key])
            continue
        place = lie[key]
        if isinstance(place, list) and place and isinstance(place[0], list):
            place = rng.choice(place)
        if not isinstance(place, list):
            lie[key] = VALUES[key](rng)
        elif not place or rng.random() < 0.15:
            place.append(VALUES[key](rng))
        elif rng.random() < 0.4:
            i, j = rng.randrange(len(place)), rng.randrange(len(place))
            place[i], place[j] = place[j], place[i]
        elif rng.random() < 0.2:
            place.pop(rng.randrange(len(place)))
        else:
            place[rng.randrange(len(place))] = VALUES[key](rng)
    return lie


def chosen_game(rng: random.Random) -> kibitz.Game:
    mission = rng.choice([n for n in range(1, 51) if n not in (23, 40)])  # there the order of tokens is lost
    return kibitz.load("thecrew", players=rng.choice([3, 4, 5]), mission=mission, **rng.choice(VARIED))


@pytest.mark.parametrize("seed", range(4))
def test_play_reaches_every_position_of_a_game(seed: int) -> None:
    """Of the search itself: it finds the way there."""
    game = chosen_game(random.Random(seed))
    for number, state in enumerate(walk(game, seed)):
        position = state.to_dict()
        if number % 4 == 0:
            assert reachable(game, position), position


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("whose", ["truth", "view"])
def test_what_is_accepted_can_be_reached(whose: str, seed: int) -> None:
    rng = random.Random(f"{whose} {seed}")
    accepted = 0
    for _ in range(25):
        game = chosen_game(rng)
        line = [
            state for state in walk(game, rng.randrange(2**32)) if state.to_dict()["phase"] not in DEALING
        ]
        for _ in range(20):
            state, other = rng.choice(line), rng.choice(line)
            seat = rng.randrange(game.seats)
            try:
                if whose == "truth":
                    world = game.core.state(mutated(state.to_dict(), other.to_dict(), rng))
                else:
                    lie = mutated(state.view(seat).to_dict(), other.view(seat).to_dict(), rng)
                    view = game.core.view(seat, lie)
                    world = view.sample(_core.Rng(seed, "test crew reach", 1))
                    assert world.view(seat) == view
            except InvalidPosition:
                continue
            if world.to_dict()["phase"] in DEALING:
                continue
            accepted += 1
            assert game.core.state(world.to_dict()) == world
            assert reachable(game, world.to_dict()), (game, world.to_dict())
    assert accepted > 20


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("mission", [4, 12, 46])
def test_what_some_world_allows_is_accepted(players: int, mission: int) -> None:
    """Legal in a world that fits the view: the view takes it in, and is then that world's view."""
    for options in VARIED:
        game = kibitz.load("thecrew", players=players, mission=mission, **options).core
        rng = _core.Rng(players, "test crew reach", 2)
        state = game.blank()
        while state.turn != _core.OVER:
            seat = rng.below(game.seats)
            view = state.view(seat)
            if state.to_dict()["phase"] != "deal" or rng.below(8) == 0:
                world = view.sample(rng)
                move = world.roll(rng) if world.turn == _core.CHANCE else world.pick(rng)
                assert view.observe(world.turn, world.seen(move, seat)) == world.play(move).view(seat)
            state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))
