"""What is special to Hearts: each rule, the core against the plain-Python reference, worlds against enumeration.

tests/peers compares the rules with OpenSpiel, where that is installed.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from chi_square import fit
from kibitz import _core
from kibitz.cli.games import allowed
from kibitz.cli.shared import value_text
from kibitz.errors import IllegalMove, InvalidPosition
from reference.hearts import DIRECTIONS, PACK, POINTS, Reference, perft, text, worlds

LEAST = 1e-4  # seeds are fixed: how improbable a chance failure was when they were chosen
DEFAULTS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
ALL_OPTIONS = [dict(zip(DEFAULTS, values, strict=True)) for values in product((False, True), repeat=8)]
PAGE = (Path(__file__).parents[2] / "docs" / "games" / "hearts.md").read_text(encoding="utf-8")


# --- helpers ---


def game(**options: bool) -> _core.Game:
    return _core.Game("hearts", dict(options))


def hands(*given: str) -> list[str]:
    """Four hands; those that are not given get the cards that are left, lowest first, clubs before the others."""
    left = [card for card in PACK if card not in " ".join(given).split()]
    found = []
    for hand in [*given, "", "", "", ""][:4]:
        missing = 13 - len(hand.split())
        found.append(text([*hand.split(), *left[:missing]]))
        left = left[missing:]
    return found


def start(*given: str, **options: bool) -> _core.State:
    """Before the first lead, nothing passed."""
    return game(**options).state({"hands": hands(*given)})


def play(state: _core.State, moves: str) -> _core.State:
    for move in moves.split():
        state = state.play(state.game.parse_move(move))
    return state


def legal(state: _core.State) -> str:
    return " ".join(state.game.move_text(move) for move in state.moves())


def why(state: _core.State, move: str) -> str:
    return state.check(state.game.parse_move(move))


def suit(letter: str, ranks: str = "23456789TJQKA") -> str:
    return " ".join(rank + letter for rank in ranks)


def lopsided(seed: int) -> list[str]:
    """Hands of few suits each, so that seats run out of suits early."""
    rng = _core.Rng(seed, "test lopsided")
    order = sorted(PACK, key=lambda card: PACK.index(card) + rng.below(30))
    return [text(order[13 * seat : 13 * seat + 13]) for seat in range(4)]


def walk(state: _core.State, seed: int) -> Iterator[_core.State]:
    """Positions of a random deal, the end included."""
    rng = _core.Rng(seed, "test hearts")
    while state.turn != _core.OVER:
        yield state
        state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))
    yield state


# --- the core against the reference ---


def compare(options: dict[str, bool], seed: int, state: _core.State | None = None) -> int:
    """One deal in both, ply by ply; the number of steps. AssertionError at the first difference."""
    core = game(**options)
    twin = Reference(**options)
    if state is None:
        state = core.blank()
    else:
        twin = Reference.at(state.to_dict(), options)
    rng = _core.Rng(seed, "test compare")
    steps = 0
    while True:
        actor = twin.actor()
        assert state.turn == (_core.CHANCE if actor == "chance" else _core.OVER if actor is None else actor)
        assert state.score() == twin.score()
        assert state.returns() == twin.returns()
        for seat in range(4):
            assert state.view(seat).to_dict() == twin.view(seat)
        if actor is None:
            return steps
        if actor == "chance":
            assert [(core.move_text(code), weight) for code, weight in state.outcomes()] == twin.outcomes()
            code = state.roll(rng)
        else:
            assert [core.move_text(code) for code in state.moves()] == twin.legal()
            code = state.pick(rng)
        move = core.move_text(code)
        for seat in range(4):
            assert core.move_text(state.seen(code, seat)) == twin.seen(move, seat)
        state = state.play(code)
        twin.play(move)
        steps += 1


@pytest.mark.parametrize("part", range(8))
def test_random_deals_are_those_of_the_reference(part: int) -> None:
    """Every combination of the options twice."""
    for number, options in enumerate(ALL_OPTIONS[part::8]):
        for seed in range(2):
            assert compare(options, 1000 * part + 10 * number + seed) >= 52 + 1 + 52


@pytest.mark.parametrize("part", range(4))
def test_lopsided_deals_are_those_of_the_reference(part: int) -> None:
    """Where seats run out of suits, lead hearts unbroken and give points to the first trick."""
    for number, options in enumerate(ALL_OPTIONS[part::4]):
        seed = 1000 * part + number
        state = game(**options).state({"hands": lopsided(seed)})
        assert compare(options, seed, state) == 52


# --- dealing and passing ---


def test_a_deal_goes_round_and_nobody_sees_anothers_card() -> None:
    core = game(pass_cards=False)
    state = core.blank()
    views = [state.view(seat) for seat in range(4)]
    for number, card in enumerate(PACK):
        code = core.parse_move(f"deal {card}")
        for seat in range(4):
            seen = state.seen(code, seat)
            assert core.move_text(seen) == (f"deal {card}" if number % 4 == seat else "deal x")
            views[seat] = views[seat].observe(_core.CHANCE, seen)
        state = state.play(code)
    assert [view.to_dict()["hand"] for view in views] == [text(PACK[seat::4]) for seat in range(4)]
    assert [core.move_text(code) for code, _ in state.outcomes()] == ["first 0"]


@pytest.mark.parametrize(("direction", "places"), [("left", 1), ("across", 2), ("right", 3)])
def test_cards_go_where_the_direction_says(direction: str, places: int) -> None:
    state = game().state({"hands": hands(), "direction": direction, "phase": "pass"})
    dealt = [hand.split() for hand in hands()]
    given = [hand[4:7] for hand in dealt]
    for seat in range(4):
        assert state.turn == seat
        for card in given[seat]:
            state = play_text(state, f"pass {card}")
    for receiver in range(4):
        giver = (receiver - places) % 4
        (code, _), *others = state.outcomes()
        assert not others
        assert state.game.move_text(code) == f"get {text(given[giver])}"
        for seat in range(4):
            knows = seat in (giver, receiver)
            assert state.game.move_text(state.seen(code, seat)) == (
                f"get {text(given[giver])}" if knows else "get x"
            )
        state = state.play(code)
    for receiver, held in enumerate(state.to_dict()["hands"]):
        giver = (receiver - places) % 4
        assert held == text([*dealt[receiver][:4], *dealt[receiver][7:], *given[giver]])


def play_text(state: _core.State, move: str) -> _core.State:
    return state.play(state.game.parse_move(move))


def test_passed_cards_are_known_to_giver_and_receiver_alone() -> None:
    state = game().state({"hands": hands(), "direction": "left", "phase": "pass"})
    for seat, hand in enumerate(hands()):
        for card in hand.split()[:3]:
            code = state.game.parse_move(f"pass {card}")
            for other in range(4):
                assert state.game.move_text(state.seen(code, other)) == (
                    f"pass {card}" if other == seat else "pass x"
                )
            state = state.play(code)
    assert state.view(1).to_dict()["passed"] == ["x x x", text(hands()[1].split()[:3]), "x x x", "x x x"]
    rng = _core.Rng(0, "test passed")
    while state.turn == _core.CHANCE:
        state = state.play(state.roll(rng))
    shown = state.view(1).to_dict()["passed"]
    assert shown == [text(hands()[0].split()[:3]), text(hands()[1].split()[:3]), "x x x", "x x x"]


def test_the_order_of_passing_leaves_no_trace() -> None:
    state = game().state({"hands": hands(), "direction": "left", "phase": "pass"})
    orders = {
        play_all(state, [f"pass {c}" for c in order]).digest
        for order in (("2C", "4C", "3C"), ("4C", "3C", "2C"))
    }
    assert len(orders) == 1


def play_all(state: _core.State, moves: list[str]) -> _core.State:
    for move in moves:
        state = play_text(state, move)
    return state


def test_without_passing_nothing_is_drawn() -> None:
    core = game(pass_cards=False)
    assert core.blank().to_dict()["phase"] == "deal"
    with pytest.raises(InvalidPosition, match="pass_cards=false"):
        core.state({"hands": hands(), "direction": "left", "phase": "pass"})


# --- the rules of play ---


def test_the_two_of_clubs_leads() -> None:
    state = start(suit("C"))
    assert legal(state) == "2C"
    assert "2C leads the first trick" in why(state, "3C")


def test_any_club_of_its_holder_may_lead() -> None:
    state = start("2C 5C KC 2D 3D 4D 5D 6D 7D 8D 9D TD JD", can_lead_any_club=True)
    assert legal(state) == "2C 5C KC"
    assert "led with a club" in why(state, "2D")


def test_suit_is_followed() -> None:
    state = play(start("2C " + suit("D", "23456789TJQK"), "3C 4C " + suit("S", "23456789TJK")), "2C")
    assert legal(state) == "3C 4C"
    assert "clubs were led and seat 1 holds 3C, 4C" in why(state, "2S")


VOID = ("2C " + suit("D", "23456789TJQK"), "AD QS 2S " + suit("H", "23456789TJ"))


def test_no_points_on_the_first_trick() -> None:
    state = play(start(*VOID), "2C")
    assert legal(state) == "AD 2S"
    assert "no points on the first trick" in why(state, "QS")
    assert "no points on the first trick" in why(state, "2H")


def test_points_on_the_first_trick_where_the_option_allows() -> None:
    assert legal(play(start(*VOID, no_pts_on_first_trick=False), "2C")) == "AD 2S QS " + suit(
        "H", "23456789TJ"
    )


def test_the_jack_of_diamonds_is_no_point_card() -> None:
    first = "2C " + suit("S", "23456789TJKA")
    state = play(start(first, "JD QS " + suit("H", "23456789TJQ"), jd_bonus=True), "2C")
    assert legal(state) == "JD"


def test_points_on_the_first_trick_from_a_hand_of_nothing_else() -> None:
    only_points = "QS " + suit("H", "23456789TJQK")
    assert legal(play(start(VOID[0], only_points), "2C")) == only_points


# Seat 1 takes the first trick with its only club and must lead from hearts and the queen; nobody can break hearts.
QUEEN = (
    "2C " + suit("D", "23456789TJQK"),
    "AC QS " + suit("H", "23456789TJQ"),
    "AD " + suit("C", "3456789TJQK") + " AH",
)
QUEEN_PLAY = "2C AC 3C 2S"


def test_the_queen_is_led_before_hearts() -> None:
    state = play(start(*QUEEN), QUEEN_PLAY)
    assert legal(state) == "QS"
    assert "hearts are not broken" in why(state, "2H")


def test_hearts_are_led_instead_of_the_queen_where_the_option_allows() -> None:
    assert legal(play(start(*QUEEN, can_lead_hearts_instead_of_qs=True), QUEEN_PLAY)) == "QS " + suit(
        "H", "23456789TJQ"
    )


def test_hearts_need_no_breaking_where_the_option_says_so() -> None:
    assert legal(play(start(*QUEEN, must_break_hearts=False), QUEEN_PLAY)) == "QS " + suit("H", "23456789TJQ")


def test_hearts_are_led_unbroken_from_a_hand_of_nothing_else() -> None:
    state = play(start(QUEEN[0], "AC " + suit("H", "23456789TJQK"), QUEEN[2]), QUEEN_PLAY)
    assert legal(state) == suit("H", "23456789TJQK")


@pytest.mark.parametrize(("breaks", "leads"), [(True, "AS 2H 3H"), (False, "AS")])
def test_the_queen_breaks_hearts_or_not(breaks: bool, leads: str) -> None:
    state = start(
        suit("C", "23456789TJQK") + " 2D",
        "AC KS AS 2H 3H 3D 4D 5D 6D 7D 8D 9D TD",
        "QS JD QD KD AD 4H 5H 6H 7H 8H 9H TH JH",
        qs_breaks_hearts=breaks,
    )
    state = play(state, "2C AC JD 2S KS QS 3S 2D")
    assert state.turn == 1
    assert legal(state).replace(suit("D", "3456789T") + " ", "") == leads


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads() -> None:
    state = play(start("2C 3C", "5C 6C", "9C TC", "4C 7C"), "2C 5C TC 4C")
    assert state.turn == 2
    assert state.to_dict()["tricks"] == ["2C 5C TC 4C"]


def test_a_card_off_suit_never_takes_the_trick() -> None:
    assert play(start(*VOID), "2C AD 3C 4S").turn == 2


# --- points ---

# Each seat holds a suit; seat 0 leads clubs and takes every trick.
SUITS = (suit("C"), suit("D"), suit("S"), suit("H"))


def finished(*given: str, **options: bool) -> _core.State:
    state = start(*given, **options)
    while state.turn != _core.OVER:
        state = state.play(state.moves()[0])
    return state


def test_all_points_count_none_and_the_others_26() -> None:
    end = finished(*SUITS)
    assert end.score() == [0, 26, 26, 26]
    assert end.returns() == [1, 0, 0, 0]


def test_the_jack_of_diamonds_takes_off_ten() -> None:
    assert finished(*SUITS, jd_bonus=True).score() == [-10, 26, 26, 26]


def test_no_bonus_for_no_trick_beside_all_points() -> None:
    assert finished(*SUITS, avoid_all_tricks_bonus=True).score() == [0, 26, 26, 26]


def trickless(**options: bool) -> _core.State:
    """Seat 1 takes three tricks and 15 points, then seat 0 the others; seats 2 and 3 take none."""
    dealt = ("3H KH " + suit("C", "23456789TJQ"), "AC KC " + suit("H", "2456789TJQA"), suit("D"), suit("S"))
    state = play(start(*dealt, **options), "2C AC 2D 2S KC 3D 3S 3C AH 4D QS 3H 2H 5D 4S KH")
    while state.turn != _core.OVER:
        state = state.play(state.moves()[0])
    return state


def test_points_are_hearts_and_thirteen_for_the_queen() -> None:
    assert trickless().score() == [11, 15, 0, 0]


def test_a_deal_without_a_trick_takes_off_five_where_the_option_says_so() -> None:
    assert trickless(avoid_all_tricks_bonus=True).score() == [11, 15, -5, -5]


def test_points_are_counted_as_they_are_taken() -> None:
    state = play(start(*SUITS, avoid_all_tricks_bonus=True), "2C 2D 2S 2H AC 3D QS 3H")
    assert state.score() == [15, 0, 0, 0]


def test_ties_share_the_win() -> None:
    assert trickless().returns() == [0, 0, 0.5, 0.5]


# --- positions and events ---

THREE_EACH = ["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": hands()[:3]}, "four seats"),
        ({"hands": ["2C", "3C", "4C", "5C"]}, "must hold 13 cards here, not 1"),
        ({"hands": [hands()[0], hands()[0], hands()[2], hands()[3]]}, "2C is in two places"),
        ({"hands": [hands()[0].replace("2C", "1C"), *hands()[1:]]}, "'1C', which is no card"),
        ({"hands": [hands()[0].replace("3C", "2C"), *hands()[1:]]}, "has 2C twice"),
        ({"hands": hands(), "first": 1}, "held 2C"),
        ({"hands": hands(), "first": 4}, "'first' must be a seat"),
        ({"hands": hands(), "direction": "up"}, "'direction' must be"),
        ({"hands": hands(), "phase": "end"}, "'phase' must be"),
        (
            {"hands": hands(), "direction": "left", "phase": "pass", "passed": THREE_EACH},
            "less than 12 cards",
        ),
        (
            {"hands": hands(), "direction": "left", "phase": "pass", "passed": ["", "2C", "", ""]},
            "before the next",
        ),
        ({"hands": hands(), "direction": "left", "phase": "play"}, "'passed' must have 12 cards"),
        ({"hands": hands(), "to_move": 2}, "'to_move' must be 0"),
        ({"hands": hands(), "count": 4}, "'count' must be 0"),
        ({"hands": hands(), "tricks": ["2C"]}, "'first' must say who led"),
        ({"hands": hands(), "passed": ["2C", "", "", ""]}, "'passed' must have 0 cards"),
    ],
)
def test_impossible_setups_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        game().state(fields)


def test_a_revoke_in_the_record_is_refused() -> None:
    dealt = hands("2C 3C", "5C " + suit("D", "23456789TJQK"))
    held = [text(set(hand.split()) - {"2C", "2D"}) for hand in dealt]
    with pytest.raises(InvalidPosition, match="clubs were led and seat 1 holds 5C"):
        game().state({"hands": held, "first": 0, "tricks": ["2C 2D"]})


def opening() -> _core.View:
    """Seat 0 has led 2C; it knows that seat 1 holds QS, which it has passed there."""
    state = game().state({"hands": hands("3C 4C QS KS", "2C 5C 6C"), "direction": "left", "phase": "pass"})
    given = [["QS", "KS", "3C"], ["2C", "5C", "6C"], [], []]
    for seat in range(4):
        hand = state.to_dict()["hands"][seat].split()
        for card in given[seat] or hand[-3:]:
            state = play_text(state, f"pass {card}")
    rng = _core.Rng(0, "test opening")
    while state.turn == _core.CHANCE:
        state = state.play(state.roll(rng))
    return state.view(0)


def observed(view: _core.View, moves: str) -> _core.View:
    for move in moves.split():
        view = view.observe(view.turn, view.game.parse_move(move))
    return view


def test_another_seat_cannot_play_a_card_that_was_passed_elsewhere() -> None:
    view = opening()
    assert view.to_dict()["passed"][0] == "3C QS KS"
    assert view.turn == 2
    with pytest.raises(InvalidPosition, match="cannot have played 3C, which seat 1 held"):
        observed(view, "2C 3C")


def test_a_seat_that_did_not_follow_cannot_have_the_suit_later() -> None:
    view = observed(start("2C 3C " + suit("D", "23456789TJQ")).view(0), "2C 4C 2S 5C 6C 3C 7C")
    with pytest.raises(InvalidPosition, match="seat 2 did not follow clubs in trick 1, so it cannot hold 8C"):
        observed(view, "8C")


def test_cards_that_have_no_place_are_refused() -> None:
    """Seats 2 and 3 are out of clubs: all eleven left are with seat 1, which has one more card than that."""
    view = observed(start("2C " + suit("D", "23456789TJQK")).view(0), "2C 3C 2S 3S QS 4S 5S 2D")
    with pytest.raises(InvalidPosition, match="11 cards can only be with seat 1, room 10"):
        observed(view, "AD")


def test_a_view_refuses_what_its_seat_cannot_see() -> None:
    state = game().state({"hands": hands(), "direction": "left", "phase": "pass"})
    with pytest.raises(IllegalMove, match="does not see that card"):
        state.view(1).observe(0, state.game.parse_move("pass 2C"))


def test_wrong_texts_are_refused() -> None:
    core = game()
    for wrong in (
        "",
        "1C",
        "10C",
        "2c",
        "C2",
        "pass",
        "pass 1C",
        "pass  2C",
        "get 2C",
        "get 2C 2C 3C",
        "get 3C 2C 4C",
        "first 4",
        "deal",
        "x",
    ):
        with pytest.raises(IllegalMove):
            core.parse_move(wrong)


@pytest.mark.parametrize("card", PACK)
def test_texts_of_cards_come_back(card: str) -> None:
    core = game()
    for move in (card, f"pass {card}", f"deal {card}"):
        assert core.move_text(core.parse_move(move)) == move


def test_the_table_is_drawn() -> None:
    drawn = play(start("2C 3C " + suit("D", "23456789TJQ")), "2C").view(0).draw()
    assert drawn.splitlines()[0] == "Hearts, trick 1, hearts not broken"
    assert "seat 0 (you) C 3  D QJT98765432  S -  H -" in drawn
    assert "trick: 2C (seat 0)" in drawn


# --- worlds ---


def check_uniform(view: _core.View, options: dict[str, bool], seed: int) -> int:
    """Sampled hands have the frequencies of the enumeration, each turns up, and there is no other."""
    fields = view.to_dict()
    found = [tuple(map(text, hands)) for hands in worlds(fields, view.seat, options)]
    rng = _core.Rng(seed, "test sampling")
    drawn = Counter(tuple(view.sample(rng).to_dict()["hands"]) for _ in range(max(400, 20 * len(found))))
    assert len(set(found)) == len(found)
    assert drawn.keys() <= set(found)
    assert fit(drawn, dict.fromkeys(found, 1)) > LEAST, fields
    return len(found)


@pytest.mark.parametrize("seed", range(12))
def test_late_worlds_are_uniform(seed: int) -> None:
    """Four tricks or fewer to go after random play, in all kinds of deals and under changing options."""
    options = ALL_OPTIONS[(seed * 37 + 11) % 256]
    core = game(**options)
    state = core.state({"hands": lopsided(seed)}) if seed % 2 else core.deal(seed)
    sizes = []
    for later in walk(state, seed):
        fields = later.to_dict()
        if later.turn >= 0 and fields["phase"] == "play" and fields["count"] in (41, 44, 46):
            seat = later.turn if fields["count"] % 2 else (later.turn + 1) % 4
            sizes.append(check_uniform(later.view(seat), options, seed))
    assert len(sizes) == 3


@pytest.mark.parametrize("count", [24, 30])
def test_worlds_with_seats_out_of_suits_are_uniform(count: int) -> None:
    """Early voids: the counting has to weigh many cards at once. Seats' sizes of suits against exact numbers."""
    for seed in range(30):
        state = next(s for s in walk(start(*lopsided(seed)), seed) if s.to_dict()["count"] == count)
        view = state.view(state.turn)
        exact = split_counts(view)
        rng = _core.Rng(seed, "test sampling")
        drawn: Counter[tuple[int, ...]] = Counter()
        for _ in range(2000):
            held = view.sample(rng).to_dict()["hands"]
            drawn[tuple(hand.count(letter) for hand in held for letter in "CDSH")] += 1
        assert drawn.keys() <= exact.keys()
        assert fit(drawn, exact) > LEAST / 30


def split_counts(view: _core.View) -> dict[tuple[int, ...], int]:
    """Ways to hold so many cards of each suit by seat, where only voids are known."""
    fields = view.to_dict()
    void, played = set(), [0] * 4
    seat, leader = fields["first"], fields["first"]
    for trick in [trick.split() for trick in fields["tricks"]]:
        for place, card in enumerate(trick):
            seat = (leader + place) % 4
            played[seat] += 1
            if card[1] != trick[0][1]:
                void.add((seat, trick[0][1]))
        best = max((PACK.index(card), place) for place, card in enumerate(trick) if card[1] == trick[0][1])[1]
        leader = (leader + best) % 4
    own = fields["hand"].split()
    seen = set(own) | set(" ".join(fields["tricks"]).split())
    others = [seat for seat in range(4) if seat != view.seat]
    ways: dict[tuple[tuple[int, ...], ...], int] = {((), (), ()): 1}
    for letter in "CDSH":
        unseen = sum(card[1] == letter and card not in seen for card in PACK)
        after: dict[tuple[tuple[int, ...], ...], int] = {}
        for split in product(range(unseen + 1), repeat=3):
            if sum(split) != unseen or any(
                n and (o, letter) in void for n, o in zip(split, others, strict=True)
            ):
                continue
            times = comb(unseen, split[0]) * comb(unseen - split[0], split[1])
            for key, number in ways.items():
                grown = tuple((*held, n) for held, n in zip(key, split, strict=True))
                if all(sum(held) <= 13 - played[o] for held, o in zip(grown, others, strict=True)):
                    after[grown] = after.get(grown, 0) + times * number
        ways = after
    mine = tuple(sum(card[1] == letter for card in own) for letter in "CDSH")
    found = {}
    for key, number in ways.items():
        if all(sum(held) == 13 - played[o] for held, o in zip(key, others, strict=True)):
            rows = dict(zip(others, key, strict=True)) | {view.seat: mine}
            found[tuple(n for s in range(4) for n in rows[s])] = number
    return found


def sampled(view: _core.View, seed: int, count: int = 300) -> list[list[set[str]]]:
    rng = _core.Rng(seed, "test sampling")
    return [[set(hand.split()) for hand in view.sample(rng).to_dict()["hands"]] for _ in range(count)]


POINTS_GIVEN = (
    "2C " + suit("D", "23456789TJQK"),
    "2C 5H",
)  # seat 0's hand; seat 1 gives a heart to the first trick


def test_points_on_the_first_trick_prove_a_hand_of_points() -> None:
    """Of the thirteen other point cards seat 1 holds all but one, each as likely."""
    view = observed(start(POINTS_GIVEN[0]).view(0), POINTS_GIVEN[1])
    missing = Counter(text(POINTS - {"5H"} - hands[1]) for hands in sampled(view, 1, 1300))
    assert fit(missing, dict.fromkeys(POINTS - {"5H"}, 1)) > LEAST


def test_points_on_the_first_trick_prove_nothing_where_they_are_free() -> None:
    view = observed(start(POINTS_GIVEN[0], no_pts_on_first_trick=False).view(0), POINTS_GIVEN[1])
    assert any(hands[1] - POINTS for hands in sampled(view, 1))


@pytest.mark.parametrize("instead", [False, True])
def test_a_heart_led_unbroken_proves_a_hand_of_hearts(instead: bool) -> None:
    view = start(suit("C", "23456789TJQK") + " 2D", "AC", can_lead_hearts_instead_of_qs=instead).view(0)
    view = observed(view, "2C AC 3D 4D 5H")
    held = [hands[1] for hands in sampled(view, 2)]
    assert all(hand <= POINTS for hand in held)
    assert any("QS" in hand for hand in held) == instead


def test_the_holder_of_the_two_of_clubs_is_known_till_it_is_played() -> None:
    state = start(suit("D"), "2C 3C 4C", can_lead_any_club=True)
    assert all("2C" in hands[1] for hands in sampled(state.view(0), 3))
    assert all("2C" in hands[1] for hands in sampled(observed(state.view(0), "4C"), 3))


def test_a_passed_card_is_known_till_it_is_played() -> None:
    assert all({"3C", "QS", "KS"} <= hands[1] for hands in sampled(opening(), 4))


def test_unseen_passes_are_any_three_cards_of_the_receiver() -> None:
    """Seat 0 sees nothing of what seat 1 passed to seat 2: each of the 286 triples of its hand, as often as another."""
    view = opening()
    rng = _core.Rng(5, "test passes")
    places: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        fields = view.sample(rng).to_dict()
        held = fields["hands"][2].split()
        places[tuple(held.index(card) for card in fields["passed"][1].split())] += 1
    triples: dict[tuple[int, ...], int] = dict.fromkeys(combinations(range(13), 3), 1)
    assert fit(places, triples) > LEAST


@pytest.mark.parametrize("direction", DIRECTIONS[1:])
def test_worlds_while_cards_are_passed_are_deals_and_any_three_of_each(direction: str) -> None:
    """Where a card lies in a world, by chance of 10/13 in hand and 3/13 passed, before and after it is received."""
    state = game().state({"hands": hands(), "direction": direction, "phase": "pass"})
    rng = _core.Rng(6, "test passing")
    while state.to_dict()["phase"] in ("pass", "get"):
        view = state.view(1)
        for _ in range(40):
            world = view.sample(rng)
            assert world.view(1) == view
            assert world.broken_law(rng) == ""
        state = state.play(state.pick(rng) if state.turn >= 0 else state.roll(rng))


# --- search and policies ---


def test_greedy_takes_fewer_points_than_chance() -> None:
    """One seat plays greedily, the others by chance: 1.8 points a deal, where chance takes 6.6."""
    core = game()
    points = 0
    for seed in range(200):
        rng = _core.Rng(seed, "test greedy")
        state = core.deal(seed)
        while state.turn != _core.OVER:
            if state.turn == seed % 4:
                move = state.view(seed % 4).greedy(rng)
            else:
                move = state.pick(rng) if state.turn >= 0 else state.roll(rng)
            state = state.play(move)
        points += state.score()[seed % 4]
    assert points < 200 * 3


# --- pinned counts ---


def pinned() -> list[tuple[dict[str, bool], dict[str, Any], int, int]]:
    lines = (Path(__file__).parents[1] / "data" / "hearts.perft").read_text(encoding="utf-8").splitlines()
    parts = [line.split("|") for line in lines if line.strip() and not line.startswith("#")]
    return [(json.loads(o), json.loads(p), int(d), int(n)) for o, p, d, n in parts]


@pytest.mark.parametrize(
    ("options", "position", "depth", "leaves"), [line for line in pinned() if line[3] <= 4000]
)
def test_pinned_counts_are_those_of_the_reference(
    options: dict[str, bool], position: dict[str, Any], depth: int, leaves: int
) -> None:
    assert perft(Reference.at(position, options), depth) == leaves


# --- docs/games/hearts.md ---


def rows(*header: str) -> list[list[str]]:
    lines = PAGE.splitlines()
    at = lines.index("| " + " | ".join(header) + " |") + 2
    found = []
    while at < len(lines) and lines[at].startswith("|"):
        found.append([cell.strip() for cell in lines[at].split("|")[1:-1]])
        at += 1
    return found


def test_page_lists_the_options() -> None:
    shown = [row[:3] for row in rows("option", "values", "default", "meaning")]
    assert shown == [
        [f"`{each['name']}`", allowed(each), value_text(each["default"])]
        for each in _core.info("hearts")["options"]
    ]


@pytest.mark.parametrize(("kind", "other"), [("start", "hands"), ("setup", "hand")])
def test_page_lists_the_fields(kind: str, other: str) -> None:
    shown = [[row[0].strip("`"), row[1]] for row in rows("key", "type", "left out", "meaning")]
    assert [row for row in shown if row[0] != other] == [
        [each["name"], each["type"]] for each in _core.info("hearts")[kind]
    ]


def test_page_says_what_greedy_does() -> None:
    folder = Path(__file__).parents[2] / "cpp" / "include" / "kibitz" / "games" / "hearts"
    shown = re.search(r"<!-- greedy -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    said = re.search(
        r"// Greedy, in one paragraph\. (.*?)\n#pragma", (folder / "advice.hpp").read_text(), re.DOTALL
    )
    assert shown
    assert said
    assert shown[1].split() == re.sub(r"\n// ?", " ", said[1]).split()


def test_page_names_every_rule_that_messages_name() -> None:
    folder = Path(__file__).parents[2] / "cpp" / "include" / "kibitz" / "games" / "hearts"
    named = {
        rule
        for path in folder.glob("*.hpp")
        for rule in re.findall(r"\"(hearts: [a-z ]+)\"", path.read_text())
    }
    assert {row[0].strip("`") for row in rows("name", "what was broken")} == named
