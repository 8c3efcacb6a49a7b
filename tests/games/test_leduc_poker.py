"""Leduc poker: every line of play against the plain reference, the known counts, values and equilibria."""

from itertools import product
from typing import Any

import pytest

from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition
from reference.exploitability import (
    Solver,
    Tree,
    exploitability,
    leduc_ranks,
    nash_conv,
    values,
)
from reference.leduc_poker import Reference
from reference.side_by_side import compare_all

GAME = _core.Game("leduc_poker", {})
TREE = Tree(GAME.blank())
RANKS = leduc_ranks()
VALUE = -0.085606424078  # for seat 0 (OpenSpiel, algorithms/ortools/sequence_form_lp_test.cc)


def at(hands: str, public: str = "-", first: str = "", second: str = "") -> _core.State:
    return GAME.state({"hands": hands.split(), "public": public, "rounds": [first, second]})


def legal(state: _core.State) -> list[str]:
    return [GAME.move_text(code) for code in state.moves()]


def every_position() -> list[_core.State]:
    found: list[_core.State] = []

    def walk(state: _core.State) -> None:
        found.append(state)
        for code in [*state.moves(), *(code for code, _ in state.outcomes())]:
            walk(state.play(code))

    walk(GAME.blank())
    return found


POSITIONS = every_position()


# --- rules ---


def test_all_play_is_that_of_the_reference() -> None:
    """30 deals with 4 folds in the first round, and 5 ways to go on with 4 public cards and 9 ends: 30 (4 + 5*4*9)."""
    assert compare_all(GAME.blank(), Reference()) == 5520


def test_every_position_holds_the_laws() -> None:
    """Before the deal 1, with one card 6. In each of 30 deals 15 lines of the first round (none, 2, 5, 5, 2), 5*4*15
    with a public card, and 5*4*5 shown: 1 + 6 + 30 * 415."""
    rng = _core.Rng(1, "test laws")
    assert len(POSITIONS) == len(set(POSITIONS)) == 12457
    for state in POSITIONS[::3]:
        assert state.broken_law(rng) == "", state.to_dict()


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("", ["call", "raise"]),
        ("c", ["call", "raise"]),
        ("r", ["fold", "call", "raise"]),
        ("cr", ["fold", "call", "raise"]),
        ("rr", ["fold", "call"]),
        ("crr", ["fold", "call"]),
    ],
)
def test_a_fold_answers_a_raise_and_two_raises_are_the_most(line: str, moves: list[str]) -> None:
    assert legal(at("K1 J2", first=line)) == moves
    state = at("K1 J2", "Q1", "cc", line)
    assert legal(state) == moves
    for text, why in [("fold", "no raise to fold to"), ("raise", "at most two raises")]:
        if text not in moves:
            with pytest.raises(IllegalMove, match=why):
                state.play(GAME.parse_move(text))


@pytest.mark.parametrize(
    ("hands", "public", "first", "second", "won"),
    [
        ("K1 J2", "-", "rf", "", 1),  # the ante of the seat that folds
        ("K1 J2", "-", "crf", "", -1),
        ("K1 J2", "-", "rrf", "", -3),  # ante and one raise
        ("K1 J2", "-", "crrf", "", 3),
        ("K1 J2", "Q1", "cc", "cc", 1),
        ("K1 J2", "Q1", "rc", "cc", 3),
        ("K1 J2", "J1", "rrc", "cc", -5),  # a pair beats a king
        ("K1 J2", "J1", "cc", "rf", 1),
        ("K1 J2", "J1", "rc", "rrf", -7),
        ("K1 J2", "K2", "crrc", "crrc", 13),  # the most there is
        ("K1 K2", "Q1", "crrc", "crrc", 0),
        ("J1 Q1", "K2", "cc", "crc", -5),
    ],
)
def test_chips_of_seat_0(hands: str, public: str, first: str, second: str, won: int) -> None:
    state = at(hands, public, first, second)
    assert state.settled()
    if state.turn == _core.CHANCE:
        assert state.score() == [0, 0]
        state = state.play(GAME.parse_move("show " + hands))
    assert state.turn == _core.OVER
    assert state.score() == [won, -won]
    assert state.returns() == ([0.5, 0.5] if won == 0 else [float(won > 0), float(won < 0)])


def test_a_fold_shows_nothing() -> None:
    state = at("K1 J2", first="rf")
    assert state.view(0).to_dict()["hands"] == ["K1", "x"]
    assert state.view(1).to_dict()["hands"] == ["x", "J2"]


def test_only_reachable_positions_are_read() -> None:
    """Fields of all kinds, against those of all positions, for the truth and for both seats."""
    good = [{str(state.to_dict()) for state in POSITIONS}]
    good += [{str(state.view(seat).to_dict()) for state in POSITIONS} for seat in (0, 1)]
    cards = ["-", "x", "J1", "J2", "K1"]
    lines = [("", ""), ("c", ""), ("crrc", ""), ("cc", "crr"), ("rc", "rrc"), ("rf", ""), ("cr", "c")]
    lines += [
        ("f", ""),
        ("ccc", ""),
        ("crrr", ""),
        ("rff", ""),
        ("cc", "f"),
        ("rf", "c"),
        ("x", ""),
        ("cc", "R"),
    ]
    read = 0
    for a, b, public, rounds, shown in product(cards, cards, cards, lines, (False, True)):
        fields = {"hands": [a, b], "public": public, "rounds": list(rounds), "shown": shown}
        for seat, expected in zip((None, 0, 1), good, strict=True):
            try:
                found: Any = GAME.state(fields) if seat is None else GAME.view(seat, fields)
            except InvalidPosition as error:
                assert str(fields) not in expected
                assert "leduc_poker: position" in str(error)  # noqa: PT017
            else:
                assert str(fields) in expected
                assert found.to_dict() == fields
                read += 1
    assert read > 100


@pytest.mark.parametrize(
    "fields",
    [
        {"hands": ["K1"]},
        {"hands": ["K1", "J3"]},
        {"hands": ["K1", "K1"]},
        {"hands": ["K1", ""]},
        {"hands": ["K1", "J1"], "rounds": ["cc"]},
        {"hands": ["K1", "J1"], "rounds": ["c" * 4000, ""]},
    ],
)
def test_strange_fields_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition, match="leduc_poker: position"):
        GAME.state(fields)


@pytest.mark.parametrize(
    ("seat", "fields", "actor", "text", "says"),
    [
        (0, {}, _core.CHANCE, "deal x", "card itself is known"),
        (1, {}, _core.CHANCE, "deal K1", "does not see"),
        (0, {}, _core.CHANCE, "public K1", "a card is dealt"),
        (0, {"hands": ["K1", "x"]}, 0, "fold", "no raise to fold to"),
        (0, {"hands": ["K1", "x"]}, 1, "call", "comes first"),
        (0, {"hands": ["K1", "x"], "rounds": ["cc", ""]}, _core.CHANCE, "public K1", "in two places"),
        (0, {"hands": ["K1", "x"], "rounds": ["cc", ""]}, _core.CHANCE, "public x", "such as Q2"),
        (0, {"hands": ["K1", "x"], "rounds": ["cc", ""]}, _core.CHANCE, "public -", "turned up"),
        (
            0,
            {"hands": ["K1", "x"], "public": "Q1", "rounds": ["cc", "cc"]},
            _core.CHANCE,
            "show K2 J1",
            "another card",
        ),
        (
            0,
            {"hands": ["K1", "x"], "public": "Q1", "rounds": ["cc", "cc"]},
            _core.CHANCE,
            "show K1 Q1",
            "in two places",
        ),
    ],
)
def test_events_that_cannot_be_are_refused(
    seat: int, fields: dict[str, Any], actor: int, text: str, says: str
) -> None:
    view = GAME.view(seat, fields)
    with pytest.raises((IllegalMove, InvalidPosition), match=says):
        view.observe(actor, GAME.parse_move(text))


@pytest.mark.parametrize(
    "text", ["", "check", "raise 2", "deal K", "deal K3", "public", "show K1", "show K1J2"]
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(IllegalMove, match="moves are: fold, call, raise"):
        GAME.parse_move(text)


# --- known answers ---


def test_information_sets() -> None:
    """A round has 6 decisions (none cr rr of seat 0, c r crr of seat 1). Six cards in the first, after 5 first rounds
    six cards with five public ones in the second: 36 + 900. Without suits 3 and 3*3: 18 + 270."""
    assert (len(TREE.sets), TREE.ends, TREE.perfect_recall) == (936, 5520, True)
    assert (len(RANKS.sets), RANKS.perfect_recall) == (288, True)


@pytest.mark.parametrize("tree", [TREE, RANKS], ids=["cards", "ranks"])
def test_uniform_play_and_what_answers_it(tree: Tree) -> None:
    """OpenSpiel's figures: -5/64 for seat 0, NashConv 4.7472222."""
    assert values(tree, tree.uniform) == pytest.approx([-0.078125, 0.078125])
    assert nash_conv(tree, tree.uniform) == pytest.approx(4.747222222222)


def test_cfr_approaches_the_value() -> None:
    """A thousand iterations come within 0.0003; see docs/games/leduc_poker.md."""
    solver = Solver(RANKS)
    solver.run(150)
    gap = exploitability(RANKS, solver.average)
    assert gap < 0.01
    assert values(RANKS, solver.average)[0] == pytest.approx(VALUE, abs=2 * gap)

    # The same policy in the game with suits.
    def suited(key: Any) -> list[float]:
        fields = TREE.sets[key].view.to_dict()
        seat = TREE.sets[key].seat
        return solver.average((seat, fields["hands"][seat][0], fields["public"][0], *fields["rounds"]))

    assert exploitability(TREE, suited) == pytest.approx(gap)


def test_greedy_raises_pairs() -> None:
    table = TREE.frequencies(lambda view, rng: view.greedy(rng))
    for key, found in TREE.sets.items():
        fields = found.view.to_dict()
        if fields["hands"][found.seat][0] == fields["public"][0]:
            assert table[key][-1] == 1
    assert exploitability(TREE, table.__getitem__) < 0.8  # a third of uniform play's


# --- search ---


def test_worth_is_linear_in_chips() -> None:
    """The last answer, 13 chips at stake: a pair of kings calls for 13 of 13, or gives up 9."""
    fields = {"hands": ["K1", "x"], "public": "K2", "rounds": ["crrc", "rr"]}
    found = _core.search(GAME.view(0, fields), search="flat", iterations=200, utility="score")
    assert [row["mean"] for row in found["moves"]] == pytest.approx([0.5 - 9 / 26, 1.0], abs=1 / 840)
    assert GAME.move_text(found["move"]) == "call"


def test_worlds_are_uniform() -> None:
    """Seat 0 with K1 before a public Q2: four cards may be the other's."""
    view = GAME.view(0, {"hands": ["K1", "x"], "public": "Q2", "rounds": ["cc", ""]})
    rng = _core.Rng(1, "test worlds")
    drawn = [view.sample(rng).to_dict()["hands"][1] for _ in range(4000)]
    assert set(drawn) == {"J1", "J2", "Q1", "K2"}
    assert all(900 < drawn.count(card) < 1100 for card in set(drawn))
