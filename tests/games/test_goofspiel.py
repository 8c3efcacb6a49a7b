"""Goofspiel: side by side with the plain reference, hidden bids, ties, and Ross's answer to random bids."""

from collections import Counter
from typing import Any

import pytest

from chi_square import fit
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition
from reference.exploitability import Solver, Tree, best_response, exploitability, values, win
from reference.goofspiel import Reference
from reference.side_by_side import compare_all, compare_one

ORDERS = ("random", "ascending", "descending")


def load(**options: int | bool | str) -> _core.Game:
    return _core.Game("goofspiel", options)


def play(state: _core.State, *texts: str) -> _core.State:
    for text in texts:
        state = state.play(state.game.parse_move(text))
    return state


def points(state: _core.State) -> list[float]:
    """Two seats' points less the other's."""
    a, b = state.score()
    return [float(a - b), float(b - a)]


# --- rules ---


@pytest.mark.parametrize(("order", "ends"), [("random", 6**3), ("ascending", 6**2), ("descending", 6**2)])
def test_all_play_with_three_cards_is_that_of_the_reference(order: str, ends: int) -> None:
    game = load(cards=3, prizes=order)
    assert compare_all(game.blank(), Reference(2, cards=3, prizes=order)) == ends


def test_all_play_of_three_players_with_two_cards_is_that_of_the_reference() -> None:
    assert compare_all(load(players=3, cards=2).blank(), Reference(3, cards=2)) == 2**4


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("players", range(2, 7))
def test_games_are_those_of_the_reference(players: int, order: str) -> None:
    for seed in range(24):
        cards = 2 + seed % 12
        game = load(players=players, cards=cards, prizes=order)
        twin = Reference(players, cards=cards, prizes=order)
        assert compare_one(game, twin, seed) == cards * (players + 2)  # a prize, the bids, the show


def test_bids_lie_face_down_until_all_have_bid() -> None:
    state = play(load(players=3, cards=4).blank(), "prize 3", "bid 4", "bid 2")
    assert state.view(0).to_dict()["bids"] == [".4", ".x", ""]
    assert state.view(1).to_dict()["bids"] == [".x", ".2", ""]
    assert state.view(2).to_dict()["bids"] == [".x", ".x", ""]
    twin = play(load(players=3, cards=4).blank(), "prize 3", "bid 1", "bid 4")
    assert state.view(2) == twin.view(2)
    state = play(state, "bid 1")
    assert state.turn == _core.CHANCE
    assert state.view(2).to_dict()["bids"] == [".x", ".x", ".1"]
    assert play(state, "bids 4 2 1").view(2).to_dict()["bids"] == ["4", "2", "1"]


@pytest.mark.parametrize(
    ("bids", "score"),
    [
        ([1, 2, 3], [0, 0, 4]),
        ([3, 2, 2], [4, 0, 0]),  # equal bids below the highest do not matter
        ([3, 3, 1], [0, 0, 0]),  # nobody gets it, not the single lower bid either
        ([2, 2, 3], [0, 0, 4]),
        ([3, 1, 3], [0, 0, 0]),
        ([2, 2, 2], [0, 0, 0]),
    ],
)
def test_the_single_highest_bid_takes_the_prize(bids: list[int], score: list[int]) -> None:
    state = play(load(players=3, cards=4).blank(), "prize 4", *(f"bid {card}" for card in bids))
    assert state.score() == [0, 0, 0]
    assert play(state, "bids " + " ".join(map(str, bids))).score() == score


@pytest.mark.parametrize(
    ("prizes", "bids", "score", "returns"),
    [
        ("1 2", ["1 2", "2 1"], [2, 1], [1, 0]),
        ("2 1", ["1 2", "1 2"], [0, 0], [0.5, 0.5]),
        ("1 2", ["1 2", "2 1", "2 1"], [2, 0, 0], [1, 0, 0]),
        ("2 1", ["1 2", "1 2", "1 2"], [0, 0, 0], [1 / 3] * 3),
        ("3 1 2", ["3 1 2", "2 3 1", "1 2 3"], [3, 1, 2], [1, 0, 0]),
        ("2 1 3", ["3 2 1", "1 3 2", "2 1 3"], [2, 1, 3], [0, 0, 1]),
    ],
)
def test_most_points_win_and_equals_share(
    prizes: str, bids: list[str], score: list[int], returns: list[float]
) -> None:
    game = load(players=len(bids), cards=len(prizes.split()))
    state = game.state({"prizes": prizes, "bids": bids})
    assert state.turn == _core.OVER
    assert state.score() == score
    assert state.returns() == returns


@pytest.mark.parametrize(
    ("order", "prizes"), [("ascending", ["1", "2", "3"]), ("descending", ["3", "2", "1"])]
)
def test_prizes_in_order(order: str, prizes: list[str]) -> None:
    state = load(cards=3, prizes=order).blank()
    for number, prize in enumerate(prizes, start=1):
        assert [state.game.move_text(code) for code, _ in state.outcomes()] == [f"prize {prize}"]
        state = play(state, f"prize {prize}", f"bid {number}", f"bid {number}", f"bids {number} {number}")
    assert state.turn == _core.OVER


def test_a_card_is_bid_once() -> None:
    state = load(cards=3).state({"prizes": "1 3", "bids": ["2", "1"]})
    with pytest.raises(IllegalMove, match="a seat bids a card that it holds"):
        play(state, "bid 2")


# --- positions and events from outside ---


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"prizes": "4"}, "cannot come"),
        ({"prizes": "1 1", "bids": ["1", "1"]}, "prize 1 cannot come as number 2"),
        ({"prizes": "1 2"}, r"shown bid of every seat|every seat has bid"),
        ({"prizes": "1,2"}, "text of cards"),
        ({"prizes": "1 "}, "text of cards"),
        ({"prizes": " 1"}, "text of cards"),
        ({"prizes": "x"}, "text of cards"),
        ({"prizes": ".1"}, "text of cards"),
        ({"prizes": "01"}, "text of cards"),
        ({"prizes": "1 2 3 " * 500}, "text of cards"),
        ({"prizes": "1", "bids": ["1"]}, "one text a seat"),
        ({"prizes": "1", "bids": ["1", ""]}, "every seat has bid"),
        ({"prizes": "1", "bids": ["", "1"]}, "shown bid of every seat"),
        ({"prizes": "1", "bids": ["4", "1"]}, "cannot bid 4"),
        ({"prizes": "1 2", "bids": ["1 1", "1 2"]}, "cannot bid 1 in round 2"),
        ({"prizes": "1 2", "bids": ["1 .1", "1"]}, "does not hold"),
        ({"prizes": "1", "bids": ["", ".1"]}, "in the order of their numbers"),
        ({"prizes": "1", "bids": [".1 2", ""]}, "texts of cards"),
        ({"prizes": "1", "bids": ["x", ""]}, "texts of cards"),
        ({"prizes": "1", "bids": [".x", ""]}, "is known"),
        ({"prizes": "1", "bids": ["1 .2", "1"]}, "before its prize"),
        ({"bids": [".1", ""]}, "before its prize"),
        ({"bids": ["1", "1"]}, "for a prize"),
    ],
)
def test_impossible_positions_are_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidPosition, match=says):
        load(cards=3).state(fields)


@pytest.mark.parametrize(
    ("seat", "bids"), [(0, [".x", ""]), (1, [".2", ""]), (1, [".2", ".3"]), (0, [".2", ".3"])]
)
def test_views_know_their_own_hidden_bid_and_no_other(seat: int, bids: list[str]) -> None:
    with pytest.raises(InvalidPosition, match=r"is known, not|no more than"):
        load(cards=3).view(seat, {"prizes": "1", "bids": bids})


def test_prizes_out_of_order_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="prize 3 cannot come as number 2"):
        load(cards=3, prizes="ascending").state({"prizes": "1 3", "bids": ["1", "2"]})


@pytest.mark.parametrize(
    ("actor", "text", "says"),
    [
        (1, "bid 3", "does not see"),
        (1, "prize 3", "now another seat bids"),
        (0, "bid x", "comes first"),
        (_core.CHANCE, "bids 2 1", "comes first"),
    ],
)
def test_events_out_of_turn_or_too_telling_are_refused(actor: int, text: str, says: str) -> None:
    game = load(cards=3)
    view = game.view(0, {"prizes": "1", "bids": [".2", ""]})
    with pytest.raises((IllegalMove, InvalidPosition), match=says):
        view.observe(actor, game.parse_move(text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bids 1 3", "seat 0 cannot have bid"),  # it bid 2
        ("bids 2 2", "seat 1 cannot have bid"),  # gone in the first round
        ("bids 2 1 3", "all seats"),
        ("prize 3", "all seats"),
    ],
)
def test_shows_that_cannot_be_are_refused(text: str, says: str) -> None:
    game = load(cards=3)
    view = game.view(0, {"prizes": "1 3", "bids": ["1 .2", "2 .x"]})
    with pytest.raises((IllegalMove, InvalidPosition), match=says):
        view.observe(_core.CHANCE, game.parse_move(text))


@pytest.mark.parametrize(
    "text", ["", "bid", "bid 14", "bid 0", "bid 05", "bid 5 ", "bids", "bids 1  2", "prize x1"]
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(IllegalMove, match="moves are: bid 5"):
        load().parse_move(text)


def test_hidden_bids_are_uniform_over_what_is_held() -> None:
    view = load(players=3, cards=4).view(2, {"prizes": "1 3", "bids": ["1 .x", "3 .x", "1"]})
    rng = _core.Rng(1, "test worlds")
    drawn = Counter(tuple(view.sample(rng).to_dict()["bids"]) for _ in range(4000))
    held = [(f"1 .{a}", f"3 .{b}", "1") for a in (2, 3, 4) for b in (1, 2, 4)]
    assert fit(drawn, dict.fromkeys(held, 1)) > 1e-6


# --- known answers ---


@pytest.mark.parametrize(("order", "sets"), [("random", 2 * (3 + 54 + 216)), ("ascending", 2 * (1 + 9 + 36))])
def test_information_sets_of_three_cards(order: str, sets: int) -> None:
    """A seat's decision hangs on the prizes and bids so far: 1, 3*3 and 3*3*2*2 bids; prizes 3, 3*2 and 3*2*1."""
    tree = Tree(load(cards=3, prizes=order).blank())
    assert len(tree.sets) == sets
    assert tree.perfect_recall


@pytest.mark.parametrize(
    ("cards", "order"), [(2, "random"), (3, "random"), (4, "ascending"), (4, "descending")]
)
def test_against_random_bids_the_prize_s_own_number_is_best(cards: int, order: str) -> None:
    """Ross 1971. Bidding i for prize i wins i against i - 1 cards of n and loses i against n - i: in all
    sum of i (2i - 1 - n) / n = (n^2 - 1) / 6."""
    tree = Tree(load(cards=cards, prizes=order).blank(), utility=points)
    most, _ = best_response(tree, tree.uniform, 0)
    assert most == pytest.approx((cards**2 - 1) / 6)
    matching = tree.frequencies(lambda view, rng: view.greedy(rng))
    for key, found in tree.sets.items():
        if found.seat == 1:
            matching[key] = tree.uniform(key)
    assert values(tree, matching.__getitem__)[0] == pytest.approx(most)


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_nobody_has_the_better_of_it(order: str) -> None:
    """Both seats have the same game: in an equilibrium each wins half."""
    tree = Tree(load(cards=3, prizes=order).blank(), utility=win)
    solver = Solver(tree)
    solver.run(100)
    assert exploitability(tree, solver.average) < 1e-3
    assert values(tree, solver.average) == pytest.approx([0.5, 0.5], abs=1e-3)


def test_matching_is_no_equilibrium_of_four_cards() -> None:
    """Who knows it bids one more for 3, 2 and 1 and gives up 4: 3 + 2 + 1 - 4 = 2."""
    tree = Tree(load(cards=4, prizes="descending").blank(), utility=points)
    matching = tree.frequencies(lambda view, rng: view.greedy(rng))
    assert best_response(tree, matching.__getitem__, 1)[0] == pytest.approx(2)


# --- search ---


@pytest.mark.parametrize(("players", "gained"), [(2, 1 / 6), (3, 1 / 12)])
def test_worth_counts_points_against_the_mean_of_the_others(players: int, gained: float) -> None:
    """Two cards, 3 points in all, the last seat bids for the 2; the others have bid 1 or 2, equally likely.

    Two seats. A 2 takes the prize from a 1 and loses the 1: margin 1/3; from a 2 nobody takes anything: mean 1/6.
    Three seats, points less the mean of two others. A 2 takes it from 1 1, and the 1 goes to nobody: 2/3; against 2 1
    the third seat takes the 1: -1/6; against 2 2 nothing: mean (2/3 - 2/6) / 4 = 1/12. A 1 gains the reverse.
    """
    game = load(players=players, cards=2)
    view = game.view(players - 1, {"prizes": "2", "bids": [".x"] * (players - 1) + [""]})
    found = _core.search(view, search="flat", iterations=8000, utility="score")
    means = {game.move_text(row["move"]): row["mean"] for row in found["moves"]}
    assert means["bid 2"] == pytest.approx(0.5 + gained / 2, abs=0.01)
    assert means["bid 1"] == pytest.approx(0.5 - gained / 2, abs=0.01)


@pytest.mark.parametrize("players", range(2, 7))
def test_the_fast_playout_plays_all_bids(players: int) -> None:
    game = load(players=players)
    assert _core.playouts(game.deal(1), 10, _core.Rng(1, "test"))[0] == 10 * 13 * players
