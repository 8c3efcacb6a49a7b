"""Connect Four: the core against a plain reference, solved positions, and what is known of the game.

All solved positions are verified by another program with
`PYTHONPATH=tests python -m reference.connect_four_values`; cpp/tests/connect_four.cpp does it with the core.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition
from reference.connect_four import Reference, lines, plain_value
from reference.connect_four_values import CELLS, Solver, random_game, read, solve

SIZES = list(product((4, 5, 6, 7), (4, 5, 6)))


@cache
def game(columns: int = 7, rows: int = 6) -> _core.Game:
    return _core.Game("connect_four", {"columns": columns, "rows": rows})


def play(moves: str, columns: int = 7, rows: int = 6) -> _core.State:
    state = game(columns, rows).blank()
    for move in moves:
        state = state.play(game().parse_move(move))
    return state


def same(state: _core.State, twin: Reference) -> None:
    """All that the core says of a position, against the reference."""
    actor = twin.actor()
    assert state.turn == (_core.OVER if actor is None else actor)
    assert [state.game.move_text(move) for move in state.moves()] == twin.legal()
    assert state.returns() == twin.returns()
    assert state.score() == [int(twin.winner() == seat) for seat in (0, 1)]
    for seat in (0, 1):
        assert state.view(seat).to_dict() == twin.view(seat)
        assert all(state.seen(move, seat) == move for move in state.moves())


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_games_are_those_of_the_reference(columns: int, rows: int) -> None:
    for seed in range(40):
        rng = _core.Rng(seed, "test compare")
        state, twin = game(columns, rows).deal(seed), Reference(columns, rows)
        while state.turn != _core.OVER:
            same(state, twin)
            move = state.pick(rng)
            state = state.play(move)
            twin.play(state.game.move_text(move))
        same(state, twin)


# https://oeis.org/A212693: legal positions after n plies, finished games among them.
@pytest.mark.parametrize(("plies", "count"), [(1, 7), (2, 49), (3, 238), (4, 1120), (5, 4263), (6, 16422)])
def test_positions_after_plies(plies: int, count: int) -> None:
    layer = {game().blank()}
    for _ in range(plies):
        layer = {state.play(move) for state in layer for move in state.moves()}
    assert len(layer) == count


@pytest.mark.parametrize("discs", [5, 6, 7])
def test_boards_that_play_leads_to_are_read_and_no_others(discs: int) -> None:
    """Every board of so many discs that has as many x and o as it should, none in the air."""
    size = 4
    reached = {""}
    for _ in range(discs):
        reached = {
            moves + str(i + 1) for moves in reached for i in range(size) if moves.count(str(i + 1)) < size
        }
    boards = set()
    for moves in reached:
        twin = Reference(size, size)
        for move in moves:
            if twin.actor() is None:
                break
            twin.play(move)
        else:
            boards.add(tuple(twin.view(0)["board"]))
    tried = 0
    for heights in product(range(size + 1), repeat=size):
        if sum(heights) != discs:
            continue
        cells = [(column, row) for column in range(size) for row in range(heights[column])]
        for crosses in combinations(cells, (discs + 1) // 2):
            rows = [
                "".join(
                    "." if row >= heights[column] else "x" if (column, row) in crosses else "o"
                    for column in range(size)
                )
                for row in reversed(range(size))
            ]
            try:
                state = game(size, size).state({"board": rows})
            except InvalidPosition:
                assert tuple(rows) not in boards
            else:
                assert tuple(rows) in boards
                assert state.to_dict()["board"] == rows
            tried += 1
    assert tried > len(boards) > 100


POSITIONS = read()


def test_positions_are_many_and_of_every_kind() -> None:
    assert len(POSITIONS) == 60
    for value in (1, 0, -1):
        assert sum(row["value"] == value for row in POSITIONS) == 20
    for row in POSITIONS:
        moves = str(row["moves"])
        assert 20 <= len(moves) <= 28
        assert random_game(len(moves), int(row["seed"])) == moves
        assert play(moves).turn == len(moves) % 2


@pytest.mark.parametrize("row", POSITIONS[3::8], ids=lambda row: row["moves"])
def test_solved_positions(row: dict[str, int | str]) -> None:
    assert solve(str(row["moves"]))._asdict() == {key: row[key] for key in ("moves", "value", "plies")}


@pytest.mark.parametrize("row", POSITIONS[::6], ids=lambda row: row["moves"])
def test_best_play_ends_as_the_solver_says(row: dict[str, int | str]) -> None:
    """Both sides choose by the solver, the core plays: it ends when and as it should."""
    moves = str(row["moves"])
    state, solver = play(moves), Solver()
    first = state.turn
    while state.turn != _core.OVER:
        replies = {
            str(move): solver_value(moves + str(move), state.play(move), solver) for move in state.moves()
        }
        moves += max(replies, key=lambda move: replies[move])
        state = play(moves)
    assert len(moves) == len(str(row["moves"])) + int(row["plies"])
    assert state.returns()[first] == (1 + int(row["value"])) / 2


def solver_value(moves: str, state: _core.State, solver: Solver) -> int:
    """For the seat that has just moved; the greater, the better and the sooner."""
    if state.turn == _core.OVER:
        return CELLS + 1 - len(moves) if 1.0 in state.returns() else 0
    found = solve(moves, solver)
    return -found.value * (CELLS + 1 - len(moves) - found.plies)


# Random games that come to 33 discs and are not decided by the next.
@pytest.mark.parametrize("seed", [60, 68, 99, 750, 823, 1581, 2271, 2441, 3198, 3339])
def test_the_solver_agrees_with_trying_everything(seed: int) -> None:
    moves = random_game(33, seed)
    assert moves is not None
    twin = Reference()
    for move in moves:
        twin.play(move)
    plain, found = plain_value(twin), solve(moves)
    assert found.value == (plain > 0) - (plain < 0)
    assert found.plies == CELLS + (plain != 0) - abs(plain) - len(moves)


# Upright, level, the gap of a level four, both ways aslant; then against an upright and a level four.
@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("121212", "1"),
        ("172737", "4"),
        ("152545", "3"),
        ("1223433464", "4"),
        ("7665455424", "4"),
        ("71727", "7"),
        ("11213", "4"),
    ],
)
def test_advice_wins_and_else_does_not_let_the_other_win(moves: str, wanted: str) -> None:
    state = play(moves)
    view = state.view(state.turn)
    assert state.game.move_text(view.greedy(_core.Rng(1, "test"))) == wanted
    assert _core.search(view, search="ismcts", iterations=2000, seed=1, threads=1)["move"] == int(wanted)


def test_advice_begins_in_the_middle() -> None:
    assert game().blank().view(0).greedy(_core.Rng(1, "test")) == game().parse_move("4")


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ("111111", "1", "full"),
        ("", "8", "is no move of connect_four"),
        ("", "0", "is no move of connect_four"),
        ("", "11", "is no move of connect_four"),
        ("1212121", "3", "over"),
    ],
)
def test_illegal_moves_are_refused(moves: str, move: str, why: str) -> None:
    table = kibitz.load("connect_four").deal(seed=1)
    for each in moves:
        table.play(each)
    with pytest.raises(IllegalMove, match=why):
        table.play(move)


def test_a_smaller_board_has_fewer_columns() -> None:
    with pytest.raises(IllegalMove, match="columns 1 to 4"):
        kibitz.load("connect_four", columns=4).deal(seed=1).play("5")


EMPTY = "......."


@pytest.mark.parametrize(
    ("low", "why"),
    [
        (["x......"], "6 rows"),
        ([*[EMPTY] * 5, "x....."], "7 cells"),
        ([*[EMPTY] * 5, "X......"], "x, o or ."),
        ([*[EMPTY] * 5, "xx....."], "in turn"),
        ([*[EMPTY] * 5, "o......"], "in turn"),
        ([*[EMPTY] * 4, "o......", ".x....."], "column 1 hangs in the air"),
        ([*[EMPTY] * 4, "oooo...", "xxxx..."], "over with four"),
        ([*[EMPTY] * 4, "ooo....", "xxxx.o."], "over with four"),
        ([*[EMPTY] * 4, "xx.....", "oo....."], "no order of moves"),
        # The four lies below other discs: none of its own came last.
        ([*[EMPTY] * 4, "ooxo...", "xxxxo.."], "no order of moves"),
        # Two fours that no single disc completes.
        ([*[EMPTY] * 3, "xxxx...", "oooxo.o", "xxxxooo"], "no order of moves"),
    ],
)
def test_impossible_positions_are_refused(low: list[str], why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        game().state({"board": low})


def test_a_four_on_each_of_the_69_lines_wins() -> None:
    met: Counter[int] = Counter()
    rng = _core.Rng(1, "test fours")
    for _ in range(12_000):
        end, plies = game().blank().playout(rng)
        rows = end.to_dict()["board"]
        made = [
            number
            for number, line in enumerate(lines(7, 6))
            if len(owners := {rows[5 - row][column] for column, row in line}) == 1 and "." not in owners
        ]
        met.update(made)
        assert (1.0 in end.returns()) == bool(made)
        assert end.returns()[(plies + 1) % 2] == (1.0 if made else 0.5)
    assert len(met) == len(lines(7, 6)) == 69


def test_drawing() -> None:
    state = play("44354")
    assert state.view(1).draw().splitlines() == [
        "Connect Four, seat 1 (o, you) to move",
        *[" . . . . . . ."] * 3,
        " . . . x . . .",
        " . . . o . . .",
        " . . x x o . .",
        " 1 2 3 4 5 6 7",
    ]
    assert play("1212121").draw().startswith("Connect Four, seat 0 (x) has won\n")
