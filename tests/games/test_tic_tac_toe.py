"""Tic-tac-toe: the core against a plain reference, at every position there is, and what is known of the game."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition
from reference.tic_tac_toe import Marks, Reference, after, positions, value

GAME = _core.Game("tic_tac_toe", {})


def board(marks: Marks) -> dict[str, list[str]]:
    return after(marks).view(0)


def same(state: _core.State, twin: Reference) -> None:
    """All that the core says of a position, against the reference."""
    actor = twin.actor()
    assert state.turn == (_core.OVER if actor is None else actor)
    assert [GAME.move_text(move) for move in state.moves()] == twin.legal()
    assert state.returns() == twin.returns()
    assert state.score() == [int(twin.winner() == seat) for seat in (0, 1)]
    for seat in (0, 1):
        assert state.view(seat).to_dict() == twin.view(seat)
        assert all(state.seen(move, seat) == move for move in state.moves())


def played(*cells: str) -> kibitz.Table:
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    for cell in cells:
        table.play(cell)
    return table


@pytest.mark.parametrize("seed", range(40))
def test_games_are_those_of_the_reference(seed: int) -> None:
    rng = _core.Rng(seed, "test compare")
    state, twin = GAME.deal(seed), Reference()
    while state.turn != _core.OVER:
        same(state, twin)
        move = state.pick(rng)
        state = state.play(move)
        twin.play(GAME.move_text(move))
    same(state, twin)


def test_every_position_is_that_of_the_reference() -> None:
    for marks in positions():
        same(GAME.state(board(marks)), after(marks))


def test_boards_that_play_leads_to_are_read_and_no_others() -> None:
    """5478 of 3**9; 626 are won by seat 0, 316 by seat 1, 16 are drawn (docs/games/tic_tac_toe.md)."""
    ends: Counter[tuple[float, ...]] = Counter()
    read = 0
    for marks in product((None, 0, 1), repeat=9):
        try:
            state = GAME.state(board(marks))
        except InvalidPosition:
            assert marks not in positions()
            continue
        assert marks in positions()
        read += 1
        if state.turn == _core.OVER:
            ends[tuple(state.returns())] += 1
    assert read == 5478
    assert ends == {(1, 0): 626, (0, 1): 316, (0.5, 0.5): 16}


def test_games_of_every_length_and_result() -> None:
    """255168 games: counts carried from position to position, as two orders of marks may lead to one."""
    ends: Counter[tuple[int, float]] = Counter()
    layer = {GAME.blank(): 1}
    for plies in range(1, 10):
        following: Counter[_core.State] = Counter()
        for state, games in layer.items():
            for move in state.moves():
                following[state.play(move)] += games
        for state, games in following.items():
            if state.turn == _core.OVER:
                ends[plies, state.returns()[0]] += games
        layer = following
    assert ends == {
        (5, 1): 1440,
        (6, 0): 5328,
        (7, 1): 47952,
        (8, 0): 72576,
        (9, 1): 81792,
        (9, 0.5): 46080,
    }
    assert sum(ends.values()) == 255168


@cache
def best(state: _core.State) -> float:
    """Seat 0's share of the win under best play, from the core's moves."""
    if state.turn == _core.OVER:
        return state.returns()[0]
    return (min if state.turn else max)(best(state.play(move)) for move in state.moves())


def test_values_of_all_positions() -> None:
    for marks in positions():
        assert best(GAME.state(board(marks))) == value(marks)
    assert best(GAME.blank()) == 0.5


def wins(state: _core.State, seat: int) -> set[str]:
    """The cells that would win for a seat, were it to move."""
    marks = state.to_dict()["board"]
    found = set()
    for cell in ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]:
        column, row = "abc".index(cell[0]), "321".index(cell[1])
        if marks[row][column] == ".":
            twin = Reference()
            twin.marks = {
                c + r: {"x": 0, "o": 1, ".": None}[marks["321".index(r)]["abc".index(c)]]
                for r in "123"
                for c in "abc"
            }
            twin.marks[cell] = seat
            if twin.winner() == seat:
                found.add(cell)
    return found


def test_advice_wins_and_else_does_not_let_the_other_win() -> None:
    rng = _core.Rng(1, "test advice")
    for marks in list(positions())[::3]:
        state = GAME.state(board(marks))
        if state.turn == _core.OVER:
            continue
        view = state.view(state.turn)
        wanted = wins(state, state.turn) or wins(state, 1 - state.turn)
        greedy = GAME.move_text(view.greedy(rng))
        if wanted:
            assert greedy in wanted
            hinted, plies = state.playout(rng, "hint")
            if wins(state, state.turn):
                assert (plies, hinted.returns()[state.turn]) == (1, 1.0)
        elif "b2" in (GAME.move_text(move) for move in state.moves()):
            assert greedy == "b2"


@pytest.mark.parametrize("seed", range(3))
def test_searches_that_play_each_other_draw(seed: int) -> None:
    table = played()
    while table.turn is not None:
        table.play(kibitz.best_move(table.view(), iterations=3000, seed=seed).move)
    assert table.returns() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("cells", "move", "why"),
    [
        (["b2"], "b2", "marked already"),
        ([], "d1", "is no move of tic_tac_toe"),
        ([], "a4", "is no move of tic_tac_toe"),
        ([], "A1", "is no move of tic_tac_toe"),
        (["a1", "a2", "b1", "b2", "c1"], "c2", "over"),
    ],
)
def test_illegal_moves_are_refused(cells: list[str], move: str, why: str) -> None:
    table = played(*cells)
    with pytest.raises(IllegalMove, match=why):
        table.play(move)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["xx.", "...", "..."], "in turn"),
        (["o..", "...", "..."], "in turn"),
        (["xxx", "ooo", "..."], "over with a line"),
        (["xxx", "oo.", "o.."], "over with a line"),
        (["ooo", "xx.", "xx."], "over with a line"),
        (["...", "..."], "three rows"),
        (["....", "...", "..."], "three cells"),
        (["..X", "...", "..."], "x, o or ."),
    ],
)
def test_impossible_positions_are_refused(rows: list[str], why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        GAME.state({"board": rows})


def test_drawing() -> None:
    table = played("b2", "a3")
    assert table.core.view(0).draw().splitlines() == [
        "Tic-tac-toe, seat 0 (x, you) to move",
        "3  o . .",
        "2  . x .",
        "1  . . .",
        "   a b c",
    ]
    assert played("a1", "a2", "b1", "b2", "c1").core.draw().startswith("Tic-tac-toe, seat 0 (x) has won\n")
