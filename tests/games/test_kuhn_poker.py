"""Kuhn poker: every line of play against the plain reference, the known counts, value and equilibria."""

from itertools import product
from typing import Any

import pytest

from chi_square import fit
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition
from reference.exploitability import Solver, Table, Tree, best_response, exploitability, nash_conv, values
from reference.kuhn_poker import Reference
from reference.side_by_side import compare_all

GAME = _core.Game("kuhn_poker", {})
TREE = Tree(GAME.blank())
VALUE = -1 / 18  # for seat 0 (Kuhn 1950)


def at(hands: str, line: str = "") -> _core.State:
    return GAME.state({"hands": hands, "line": line})


def every_position() -> list[_core.State]:
    found: list[_core.State] = []

    def walk(state: _core.State) -> None:
        found.append(state)
        for code in [*state.moves(), *(code for code, _ in state.outcomes())]:
            walk(state.play(code))

    walk(GAME.blank())
    return found


# --- rules ---


def test_all_play_is_that_of_the_reference() -> None:
    assert compare_all(GAME.blank(), Reference()) == 30  # 6 deals, 5 lines: pp pbp pbb bp bb


def test_every_position_holds_the_laws() -> None:
    """Before the deal 1, with one card 3; 6 deals with 9 lines (none p b pp pb bp bb pbp pbb) and 3 shown: 76."""
    rng = _core.Rng(1, "test laws")
    positions = every_position()
    assert len(positions) == len(set(positions)) == 1 + 3 + 6 * 12
    for state in positions:
        assert state.broken_law(rng) == "", state.to_dict()


@pytest.mark.parametrize(
    ("line", "with_king", "with_queen"),
    [("pp", 1, -1), ("pbp", -1, -1), ("pbb", 2, -2), ("bp", 1, 1), ("bb", 2, -2)],
)
def test_chips_of_seat_0(line: str, with_king: int, with_queen: int) -> None:
    for hands, won in [("KJ", with_king), ("KQ", with_king), ("QK", with_queen)]:
        state = at(hands, line)
        assert state.settled()
        if state.turn == _core.CHANCE:
            assert state.score() == [0, 0]  # chips change hands when the cards are shown
            state = state.play(state.roll(_core.Rng(0, "test")))
        assert state.turn == _core.OVER
        assert state.score() == [won, -won]
        assert state.returns() == [float(won > 0), float(won < 0)]


def test_cards_are_shown_only_when_a_bet_is_called_or_none_made() -> None:
    assert at("KJ", "pbp").view(0).to_dict() == {"hands": "Kx", "line": "pbp", "shown": False}
    shown = at("KJ", "pbb").play(GAME.parse_move("show K J"))
    assert shown.view(0).to_dict() == {"hands": "KJ", "line": "pbb", "shown": True}


def test_only_reachable_positions_are_read() -> None:
    """All fields there could be, against those of all positions, for the truth and for both seats."""
    good = [{str(state.to_dict()) for state in every_position()}]
    good += [{str(state.view(seat).to_dict()) for state in every_position()} for seat in (0, 1)]
    lines = ["".join(line) for n in range(5) for line in product("pb", repeat=n)]
    for a, b, line, shown in product("-xJQK", "-xJQK", [*lines, "f", "pB"], (False, True)):
        fields = {"hands": a + b, "line": line, "shown": shown}
        for seat, expected in zip((None, 0, 1), good, strict=True):
            try:
                found: Any = GAME.state(fields) if seat is None else GAME.view(seat, fields)
            except InvalidPosition as error:
                assert str(fields) not in expected
                assert "kuhn_poker: position" in str(error)  # noqa: PT017
            else:
                assert str(fields) in expected
                assert found.to_dict() == fields


@pytest.mark.parametrize("hands", ["", "K", "KJQ", "kJ", "KK"])
def test_strange_hands_are_refused(hands: str) -> None:
    with pytest.raises(InvalidPosition, match="kuhn_poker: position"):
        GAME.state({"hands": hands})


@pytest.mark.parametrize(
    ("seat", "fields", "actor", "text", "says"),
    [
        (0, {}, _core.CHANCE, "deal x", "card itself is known"),
        (1, {}, _core.CHANCE, "deal K", "does not see"),
        (0, {}, _core.CHANCE, "deal -", "a card is dealt"),
        (0, {"hands": "Kx"}, 0, "deal J", "pass or bet"),
        (0, {"hands": "Kx"}, 1, "pass", "comes first"),
        (0, {"hands": "Kx", "line": "bb"}, _core.CHANCE, "show Q J", "another card"),
        (0, {"hands": "Kx", "line": "bb"}, _core.CHANCE, "show K K", "one card of each rank"),
        (0, {"hands": "Kx", "line": "bb"}, _core.CHANCE, "show K x", "known"),
    ],
)
def test_events_that_cannot_be_are_refused(
    seat: int, fields: dict[str, Any], actor: int, text: str, says: str
) -> None:
    view = GAME.view(seat, fields)
    with pytest.raises((IllegalMove, InvalidPosition), match=says):
        view.observe(actor, GAME.parse_move(text))


@pytest.mark.parametrize(
    "text", ["", "p", "bet ", "deal", "deal 3", "deal KK", "show KJ", "show K  J", "fold"]
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(IllegalMove, match="moves are: pass, bet"):
        GAME.parse_move(text)


# --- known answers ---


def test_twelve_information_sets() -> None:
    """Three cards with the lines none and pb for seat 0, p and b for seat 1."""
    assert len(TREE.sets) == 3 * 2 * 2
    assert TREE.perfect_recall
    assert TREE.ends == 30


def test_uniform_play_and_what_answers_it() -> None:
    """OpenSpiel's figures: 1/8 for seat 0, NashConv 11/12."""
    assert values(TREE, TREE.uniform) == pytest.approx([1 / 8, -1 / 8])
    assert nash_conv(TREE, TREE.uniform) == pytest.approx(11 / 12)
    assert exploitability(TREE, TREE.uniform) == pytest.approx(11 / 24)


def equilibrium(bluff: float) -> Table:
    """Kuhn's solutions: seat 0 bluffs with a jack that often, 0 to 1/3."""
    bets = {
        (0, "J", ""): bluff,
        (0, "Q", ""): 0,
        (0, "K", ""): 3 * bluff,
        (0, "J", "pb"): 0,
        (0, "Q", "pb"): bluff + 1 / 3,
        (0, "K", "pb"): 1,
        (1, "J", "p"): 1 / 3,
        (1, "Q", "p"): 0,
        (1, "K", "p"): 1,
        (1, "J", "b"): 0,
        (1, "Q", "b"): 1 / 3,
        (1, "K", "b"): 1,
    }
    table = {}
    for key, found in TREE.sets.items():
        fields = found.view.to_dict()
        often = bets.pop((found.seat, fields["hands"][found.seat], fields["line"]))
        table[key] = [1 - often, often]
    assert not bets
    return table


@pytest.mark.parametrize("bluff", [0, 0.1, 1 / 3])
def test_kuhn_s_equilibria_cannot_be_exploited(bluff: float) -> None:
    policy = equilibrium(bluff).__getitem__
    assert values(TREE, policy) == pytest.approx([VALUE, -VALUE])
    assert exploitability(TREE, policy) == pytest.approx(0, abs=1e-12)


def test_calling_too_seldom_is_exploited() -> None:
    """Seat 1 that never calls with a queen.

    Then a jack bets: 1 from a queen, -2 from a king, mean -1/2 (a pass would lose 1). A queen passes: 1 from a jack
    that passes (2/3), else, folding or calling, -1 from each: mean (2/3 - 4/3) / 2 = -1/3. A king passes, as a bet
    would only win 1: against a jack 1 or, if it bluffs, 2, against a queen 1: mean (4/3 + 1) / 2 = 7/6. In all
    (-1/2 - 1/3 + 7/6) / 3 = 1/9.
    """
    table = equilibrium(0)
    (key,) = [
        key
        for key, each in TREE.sets.items()
        if each.view.to_dict() == {"hands": "xQ", "line": "b", "shown": False}
    ]
    table[key] = [1.0, 0.0]
    gained, answer = best_response(TREE, table.__getitem__, 0)
    assert gained == pytest.approx(1 / 9)
    (jack,) = [
        key
        for key, each in TREE.sets.items()
        if each.view.to_dict() == {"hands": "Jx", "line": "", "shown": False}
    ]
    assert answer[jack] == [0.0, 1.0]


def test_cfr_approaches_the_value() -> None:
    solver = Solver(TREE)
    solver.run(1000)
    assert exploitability(TREE, solver.average) < 2e-4
    assert values(TREE, solver.average)[0] == pytest.approx(VALUE, abs=2e-6)


def test_greedy_is_an_equilibrium() -> None:
    drawn = TREE.frequencies(lambda view, rng: view.greedy(rng), 3000)
    for key, law in equilibrium(1 / 3).items():
        counts = {i: round(3000 * share) for i, share in enumerate(drawn[key])}
        assert fit(counts, dict(enumerate(law))) > 1e-6


# --- search ---


@pytest.mark.parametrize("search", ["flat", "ismcts"])
def test_worth_is_linear_in_chips(search: str) -> None:
    """Facing a bet a king calls: 2 chips, the most there is; or gives up 1: half of the worst."""
    view = GAME.view(0, {"hands": "Kx", "line": "pb"})
    found = _core.search(view, search=search, iterations=200, utility="score")
    assert [row["mean"] for row in found["moves"]] == [0.25, 1.0]
    assert GAME.move_text(found["move"]) == "bet"


@pytest.mark.parametrize(("hands", "line"), [("Jx", "pb"), ("xJ", "b")])
def test_a_jack_folds(hands: str, line: str) -> None:
    seat = hands.index("J")
    found = _core.search(GAME.view(seat, {"hands": hands, "line": line}), search="ismcts", iterations=500)
    assert GAME.move_text(found["move"]) == "pass"
