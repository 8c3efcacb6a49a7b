"""Searches against games whose value is known: proofs, solved positions, best responses, errors that fall."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kibitz import _core
from reference.exploitability import InformationSet, Tree, exploitability, kuhn, leduc

DATA = Path(__file__).parent / "data"


def search(state: _core.State, **given: Any) -> dict[str, Any]:
    return _core.search(state.view(state.turn), **given)


def exact(found: dict[str, Any]) -> float | None:
    """What the chosen move is worth, if that is proven."""
    worth: float | None = next(row["exact"] for row in found["moves"] if row["move"] == found["move"])
    return worth


# --- tic-tac-toe ---

TIC_TAC_TOE = _core.Game("tic_tac_toe", {})


@cache
def value(state: _core.State) -> float:
    """The win's share of the seat to move, by trying everything."""
    seat = state.turn
    if seat == _core.OVER:
        raise AssertionError("nobody is to move")
    ends = []
    for move in state.moves():
        after = state.play(move)
        ends.append(after.returns()[seat] if after.turn == _core.OVER else 1 - value(after))
    return max(ends)


@pytest.mark.parametrize("seed", range(5))
def test_tic_tac_toe_is_proven_a_draw(seed: int) -> None:
    found = search(TIC_TAC_TOE.deal(0), search="mcts", iterations=100_000, seed=seed, utility="win")
    assert found["reason"] == "proven"
    assert found["iterations"] < 30_000
    assert [row["exact"] for row in found["moves"]] == [0.5] * 9


def test_every_tic_tac_toe_position_is_proven_what_it_is() -> None:
    """Each position once, found by walks; a proof never depends on how it was found."""
    rng = _core.Rng(1, "test")
    seen: set[_core.State] = set()
    for _ in range(400):
        state = TIC_TAC_TOE.deal(0)
        while state.turn != _core.OVER:
            if len(state.moves()) > 1:
                seen.add(state)
            state = state.play(state.pick(rng))
    assert len(seen) > 900
    for number, state in enumerate(sorted(seen, key=lambda each: each.digest)):
        found = search(state, search="mcts", iterations=40_000, seed=number, utility="win")
        assert found["reason"] == "proven"
        assert exact(found) == value(state)
        for row in found["moves"]:
            after = state.play(row["move"])
            worth = after.returns()[state.turn] if after.turn == _core.OVER else 1 - value(after)
            assert row["exact"] in (None, worth)  # a win is proof enough: the rest may be open


# --- Connect Four ---

POSITIONS = json.loads((DATA / "connect_four_positions.json").read_text())["positions"]


def connect_four(moves: str) -> _core.State:
    game = _core.Game("connect_four", {})
    state = game.deal(0)
    for text in moves:
        state = state.play(game.parse_move(text))
    return state


@pytest.mark.parametrize("each", POSITIONS, ids=lambda each: each["moves"])
def test_connect_four_positions_are_proven_what_a_solver_says(each: dict[str, Any]) -> None:
    state = connect_four(each["moves"])
    if len(state.moves()) == 1:
        pytest.skip("nothing to choose")
    found = search(state, search="mcts", iterations=8_000_000, seed=1, utility="win")
    assert found["reason"] == "proven"
    assert exact(found) == (each["value"] + 1) / 2


def test_connect_four_begins_in_the_centre() -> None:
    """The first player wins from there, and from nowhere else (Allis 1988, Allen 1989)."""
    for seed in range(3):
        found = search(connect_four(""), search="mcts", iterations=100_000, seed=seed)
        assert found["move"] == _core.Game("connect_four", {}).parse_move("4")


# --- poker ---


def policy_of(tree: Tree, *, method: str, iterations: int, **given: Any) -> Any:
    """At each information set, what a search started there visits; with one iteration a move, that is uniform."""

    def probabilities(known: InformationSet, number: int) -> list[float]:
        found = _core.search(
            known.view, search=method, iterations=iterations, seed=number, utility="score", **given
        )
        visits = {row["move"]: row["visits"] for row in found["moves"]}
        total = sum(visits.values())
        return [visits[move] / total for move in known.moves] if total else [1.0]

    found = {key: probabilities(known, number) for number, (key, known) in enumerate(tree.sets.items())}
    return found.__getitem__


@pytest.mark.parametrize("method", ["ismcts", "moismcts"])
def test_kuhn_poker_is_played_better_than_by_chance_and_not_in_equilibrium(method: str) -> None:
    """Neither converges to an equilibrium: the curve lies below 11/24, the exploitability of chance, and stays up."""
    tree = kuhn()
    curve = [
        exploitability(tree, policy_of(tree, method=method, iterations=iterations))
        for iterations in (10, 100, 1_000, 10_000)
    ]
    assert all(each < 11 / 24 for each in curve), curve
    assert 0.05 < curve[-1] < 0.25, curve


def test_leduc_poker_is_played_better_than_by_chance_and_not_in_equilibrium() -> None:
    tree = leduc()
    few, many = (
        exploitability(tree, policy_of(tree, method="moismcts", iterations=iterations))
        for iterations in (10, 1_000)
    )
    assert many < few < 2.3737  # uniform play
    assert many > 0.1


# --- errors fall with the budget ---


@pytest.mark.parametrize("method", ["mcts", "ismcts", "moismcts", "pimc"])
def test_the_error_falls_with_the_budget(method: str) -> None:
    """Over tic-tac-toe positions: how far the chosen move's worth lies below the best."""
    rng = _core.Rng(2, "test")
    states: list[_core.State] = []
    while len(states) < 60:
        state = TIC_TAC_TOE.deal(0)
        for _ in range(2 + rng.below(3)):
            state = state.play(state.pick(rng))
        if state.turn != _core.OVER and len(state.moves()) > 1:
            states.append(state)

    def error(iterations: int) -> float:
        lost = 0.0
        for number, state in enumerate(states):
            found = search(state, search=method, iterations=iterations, seed=number, utility="win")
            after = state.play(found["move"])
            worth = after.returns()[state.turn] if after.turn == _core.OVER else 1 - value(after)
            lost += value(state) - worth
        return lost / len(states)

    few, some, many = error(10), error(200), error(10_000)
    assert few > some >= many
    assert many <= 0.01, (few, some, many)
