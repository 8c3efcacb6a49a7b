"""Kami positions from outside: what can't be is refused with the reason, for the truth and for one seat."""

from copy import deepcopy
from typing import Any

import pytest

from kami_table import W8, W9, W10, W15, deal, game, legal, midgame, play, turns
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition

FOUR: dict[str, Any] = {"hands": W8["hands"], "first": 1}
# Seat 2 is to answer the Silver Dragon that seat 1 led behind a face-down Horseman.
LED: dict[str, Any] = turns(deal(W8), "234").to_dict()
# Seat 1 is to answer a Tower with its last card, a Madman; stacks A, B, C show 1, 2, 8.
LATE: dict[str, Any] = midgame(
    [2, "6"], stacks=["1", "2", "8", "", "", "", "", ""], last="17", owner=0
).to_dict()
ASKED: dict[str, Any] = play(deal(W15, redeal=True), "-", "?5").to_dict()


def changed(position: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with some fields set, or taken out by `...`; a key `lines.1` reaches into a list."""
    copy = deepcopy(position)
    for key, value in changes.items():
        *path, last = [int(part) if part.isdigit() else part for part in key.split(".")]
        place: Any = copy
        for part in path:
            place = place[part]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return copy


STATES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # cards
    (FOUR, {"hands.0": "11113478"}, "3 cards Empress; the deck has 2|1 cards Tower; the deck has 2"),
    (FOUR, {"hands.3": "11225555"}, "1 cards Silver Dragon|3 cards Silver Dragon|5 cards Gold Dragon"),
    (FOUR, {"hands.0": "1111347"}, "seat 0 holds 7 cards and has 0 on the table; dealt were 8"),
    (FOUR, {"hands.0": "111134777"}, "a hand of 9 cards cannot be: a hand has 0 to 8"),
    (FOUR, {"hands.0": "11117778"}, "the hand of seat 0, '11117778', is no hand"),
    (FOUR, {"hands.0": "11113479"}, "'11113479', is no hand: digits 1 to 8"),
    (FOUR, {"hands.0": "1111347x"}, "is no hand"),
    (FOUR, {"hands.0": "\uff111113477"}, "is no hand|a hand has 0 to 8"),
    (FOUR, {"hands.0": ""}, "seat 0 holds 0 cards and has 0 on the table"),
    (FOUR, {"hands": W8["hands"][:3]}, "'hands' has 3 entries for 4 seats"),
    (FOUR, {"hands": ...}, "'hands' has 0 entries for 4 seats"),
    (FOUR, {"sizes": [8, 8, 8, 6]}, "seat 3 holds 6 cards and has 0 on the table|8 cards where 6 are due"),
    (FOUR, {"sizes": [8, 8, 8]}, "'sizes' has 3 entries for 4 seats"),
    (FOUR, {"aside": "78"}, r"cards are set aside with three players only \(kami R28\)"),
    (W9, {"aside": "7"}, "'aside' must be 2 digits"),
    (W9, {"aside": ""}, "'aside' must be 2 digits"),
    (W9, {"aside": "7x"}, "'aside' must be digits 1 to 8"),
    (W9, {"aside": "77"}, "3 cards Tower|cards Gold Dragon"),
    # seats, totals, rounds
    (FOUR, {"first": 4}, "'first' is seat 4; seats are 0 to 3"),
    (FOUR, {"first": -1}, "'first' is seat -1"),
    (W9, {"first": 3}, "'first' is seat 3; seats are 0 to 2"),
    (FOUR, {"totals": [15, 0]}, "a total of 15 cannot be: the game would be over"),
    (FOUR, {"totals": [-1, 0]}, "a total of -1 cannot be"),
    (FOUR, {"totals": [25, 0]}, "a total of 25 cannot be"),
    (FOUR, {"totals": [0, 0, 0, 0]}, "'totals' has 4 entries for 2 teams"),
    (FOUR, {"round": 0}, "'round' is 0; allowed are 1 to 300"),
    (FOUR, {"round": 301}, "'round' is 301"),
    (FOUR, {"winner": 0}, "'winner' is a seat, once the game is over"),
    # phase and mover
    (FOUR, {"phase": "bidding"}, "there is no phase 'bidding'"),
    (FOUR, {"phase": "ask"}, "the redeal question is for four players with the option redeal"),
    (W9, {"phase": "ask"}, "the redeal question is for four players"),
    (FOUR, {"phase": "turn_up"}, "only two players have mercenaries to turn up"),
    (FOUR, {"phase": "respond", "to_move": 2}, "there is no attack to answer: the phase is lead"),
    (FOUR, {"phase": "lead", "to_move": 0}, r"the lead is with seat 1 \(kami R3\)"),
    (FOUR, {"phase": "attack", "to_move": 1}, "phase attack needs the defence just laid"),
    (FOUR, {"phase": "score"}, "no round has been played to its end"),
    (FOUR, {"phase": "over"}, "no round has been played to its end"),
    (FOUR, {"phase": "deal"}, "seat 0 holds 8 cards after 0 deal steps, not 0"),
    (FOUR, {"phase": "deal", "dealt": 9}, "'dealt' runs from 0 to 3"),
    (LED, {"to_move": 4}, "'to_move' is no seat"),
    (LED, {"to_move": 1}, "seat 1 cannot answer its own attack: it leads"),
    (LED, {"phase": "score", "to_move": None}, "the round is not over: seat 1 still holds cards"),
    (LED, {"phase": "ask", "to_move": 1}, "the redeal question"),
    # lines
    (LED, {"owner": None}, "'owner' must name the seat of the last attack"),
    (LED, {"owner": 0, "to_move": 2}, "seat 0 is said to own the last attack but has not attacked"),
    (LED, {"owner": 7}, "'owner' is no seat"),
    (LED, {"lines.1.0": "34"}, r"the first pair of the leader, seat 1, must be face-down \(kami R1\)"),
    (LED, {"lines.1.0": ".x4"}, "only another seat's face-down card from the hand can be unknown"),
    (LED, {"lines.1.0": ":34"}, "only a mercenary .* is face-down and known to all"),
    (LED, {"lines.1.0": ".39"}, "is no pair"),
    (LED, {"lines.1.0": ".345"}, "is no pair"),
    (LED, {"lines.1.0": ""}, "is no pair"),
    (LED, {"lines.1.0": ".3"}, "has not attacked|has laid a defence without an attack"),
    (LED, {"lines": [[], [".34"], []]}, "'lines' has 3 entries for 4 seats"),
    (LED, {"lines.1": [".34"] * 9}, "the line of seat 1 has 9 pairs"),
    (LED, {"lines.1": [".34", ".34"]}, "seat 1 holds 6 cards and has 4 on the table; dealt were 8"),
    (LED, {"lines.1": [".3", ".34"]}, "seat 1 laid a defence and did not attack"),
    (LED, {"lines.0": ["1"], "lines.2": ["1"]}, "two seats have laid a defence"),
    (LED, {"lines.0": ["4"]}, "seat 0 has laid a defence without an attack: the phase is attack"),
    (
        LED,
        {"phase": "attack", "lines.2": ["3"], "hands.2": "1112368", "sizes": ...},
        r"Horseman does not answer Silver Dragon",
    ),
    (
        LED,
        {"phase": "attack", "lines.2": [".8"], "hands.2": "1112336", "sizes": ...},
        r"a leader's defence is face-down and any other face-up",
    ),
    (
        LED,
        {"phase": "attack", "lines.3": ["4"], "hands.3": "1122555", "sizes": ...},
        "seat 3 has laid a defence, but seat 2 is to move",
    ),
    # the question of five Soldiers
    (ASKED, {"announced": [0, 4, 0, 0]}, r"a redeal is asked for with 5 to 8 Soldiers, not 4 \(kami R19\)"),
    (ASKED, {"announced": [0, 6, 0, 0]}, "seat 1 asked for a redeal with 6 Soldiers and was dealt 5"),
    (ASKED, {"announced": [0, 0, 0, 0]}, "'announced' must say with how many Soldiers"),
    (ASKED, {"announced": [0, 5, 0, 5]}, "seat 3 has not been asked yet"),
    (ASKED, {"announced": [0, 5]}, "'announced' has 2 entries for 4 seats"),
    (ASKED, {"asked": 9}, "'asked' runs from 0 to 4"),
    (ASKED, {"redeals": 99}, "'redeals' runs from 0 to 31"),
    (ASKED, {"to_move": 1}, "the redeal question is before seat 3"),
    (W9, {"announced": [5, 0, 0]}, r"a redeal is asked for with four players only \(kami R19\)"),
    # mercenaries
    (W10, {"stacks": []}, "two players need 'stacks'"),
    (W10, {"stacks": W10["stacks"][:7]}, "'stacks' has 7 entries for 8 stacks"),
    (W10, {"stacks.0": "1x"}, "the lower card must be a digit 1 to 8"),
    (W10, {"stacks.0": "1"}, "15 mercenaries|mercenaries are used up"),
    (W10, {"stacks.0": "111"}, "stacks look like"),
    (W10, {"stacks.0": "91"}, "stack A is '91'; stacks look like"),
    (W10, {"stacks.0": "x"}, "stacks look like"),
    (W10, {"stacks.0": "-"}, "stacks look like"),
    (W10, {"stacks.0": "-1"}, "stack A has a lower card and no upper one"),
    (W10, {"pending": "C"}, "'pending' belongs to a defence just laid"),
    (W10, {"turning": "attack"}, "'turning' belongs to phase turn_up"),
    (FOUR, {"stacks": W10["stacks"]}, "only two players have mercenaries"),
    (FOUR, {"pending": "A"}, "'pending' is a stack letter A to H, two players only|two players"),
    (LATE, {"stacks.3": "1"}, "mercenaries are used up"),
    # shape
    (FOUR, {"hand": "11113477"}, "there is no field 'hand'; the fields are"),
    (FOUR, {"hands": "11113477"}, "'hands' must be a list, not '11113477'"),
    (FOUR, {"hands": [11113477, *W8["hands"][1:]]}, r"'hands\[0\]' must be a text"),
    (FOUR, {"first": "1"}, "'first' must be a whole number, not '1'"),
    (FOUR, {"first": True}, "'first' must be a whole number, not true"),
    (FOUR, {"first": None}, "'first' must be a whole number, not null"),
    (FOUR, {"totals": {"0": 3}}, "'totals' must be a list, not an object"),
    (FOUR, {"lines": [[["86"]]]}, "'lines"),
]


@pytest.mark.parametrize(
    ("position", "changes", "reason"), STATES, ids=[str(changes)[:60] for _, changes, _ in STATES]
)
def test_an_impossible_state_is_refused(
    position: dict[str, Any], changes: dict[str, Any], reason: str
) -> None:
    players = len(position["hands"])
    one = game(players, redeal=position is ASKED)
    one.state(position)  # it was possible before
    with pytest.raises(InvalidPosition, match=f"^kami: .*({reason})"):
        one.state(changed(position, changes))


FOUR_VIEW: dict[str, Any] = turns(deal(W8), "234").view(3).to_dict()
LEADER_VIEW: dict[str, Any] = turns(deal(W8), "234").view(1).to_dict()
W9_VIEW: dict[str, Any] = deal(W9).view(1).to_dict()
W10_VIEW: dict[str, Any] = deal(W10).view(0).to_dict()
ASKED_VIEW: dict[str, Any] = play(deal(W15, redeal=True), "-", "?5").view(3).to_dict()

VIEWS: list[tuple[int, int, dict[str, Any], dict[str, Any], str]] = [
    (4, 3, FOUR_VIEW, {"hand": "1122455"}, "has 7 cards where 8 are due"),
    (4, 3, FOUR_VIEW, {"hand": "112245559"}, "is no hand"),
    (4, 3, FOUR_VIEW, {"hand": "11224666"}, "is no hand|3 cards Madman"),
    (
        4,
        3,
        FOUR_VIEW,
        {"hand": "11224444"},
        "that makes 5 cards Silver Dragon with those this seat holds or has seen",
    ),
    (4, 3, FOUR_VIEW, {"lines.1.0": ".34"}, "tells this seat a face-down card that it has not seen"),
    (4, 3, FOUR_VIEW, {"hands": W8["hands"]}, "there is no field 'hands'"),
    (4, 3, FOUR_VIEW, {"sizes": [8, 8, 8, 8]}, "seat 1 holds 8 cards and has 2 on the table"),
    (
        4,
        1,
        LEADER_VIEW,
        {"lines.1.0": ".x4"},
        "only another seat's face-down card from the hand can be unknown",
    ),
    (4, 1, LEADER_VIEW, {"hand": "123333"}, "is no hand|Horseman"),
    (3, 1, W9_VIEW, {"aside": "xx"}, "a digit 1 to 8 where this seat has looked and x elsewhere"),
    (3, 1, W9_VIEW, {"aside": "75"}, "a digit 1 to 8 where this seat has looked and x elsewhere"),
    (3, 1, W9_VIEW, {"aside": ""}, "this seat has looked at one card: it must be given"),
    (3, 1, W9_VIEW, {"first": 1, "to_move": 1}, "x elsewhere|looked at no card"),
    (2, 0, W10_VIEW, {"stacks.0": "11"}, "nobody has seen a lower card: it must be x"),
    (2, 0, W10_VIEW, {"stacks": []}, "two players need 'stacks'"),
    (2, 0, W10_VIEW, {"stacks.7": "6x", "stacks.6": "6x"}, "that makes 3 cards Madman"),
    (4, 3, ASKED_VIEW, {"announced": [0, 8, 0, 0]}, "asked for a redeal with 8 Soldiers"),
    (
        4,
        3,
        ASKED_VIEW,
        {"announced": [0, 5, 0, 6]},
        "seat 3 has not been asked yet",
    ),
]


@pytest.mark.parametrize(
    ("players", "seat", "view", "changes", "reason"), VIEWS, ids=[str(case[3])[:60] for case in VIEWS]
)
def test_an_impossible_view_is_refused(
    players: int, seat: int, view: dict[str, Any], changes: dict[str, Any], reason: str
) -> None:
    one = game(players, redeal=view is ASKED_VIEW)
    one.view(seat, view)
    with pytest.raises(InvalidPosition, match=f"^kami: .*({reason})"):
        one.view(seat, changed(view, changes))


@pytest.mark.parametrize("seat", range(4))
def test_a_start_needs_little(seat: int) -> None:
    state = deal(W8)
    assert game(4, redeal=False).view(seat, {"hand": W8["hands"][seat], "first": 1}) == state.view(seat)


@pytest.mark.parametrize(("seat", "aside"), [(1, "7"), (1, "7x"), (2, "5"), (2, "x5"), (0, ""), (0, "xx")])
def test_a_start_of_three_may_give_the_aside_card_alone(seat: int, aside: str) -> None:
    start = {"hand": W9["hands"][seat], "first": 0, "aside": aside}
    assert game(3, redeal=False).view(seat, start) == deal(W9).view(seat)


def test_events_that_contradict_what_a_seat_knows_are_refused() -> None:
    """Seat 0 holds two Towers and one Soldier less than there are: nobody else can attack with a Tower."""
    view = game(4, redeal=False).view(0, {"hand": "11113477", "first": 1})
    view = view.observe(1, game().parse_move("dx"))
    with pytest.raises(InvalidPosition, match="3 cards Tower"):
        view.observe(1, game().parse_move("a7"))
    assert legal(view.observe(1, game().parse_move("a4"))) == []


def test_an_announcement_that_cannot_be_is_refused() -> None:
    """Seat 0 holds four of the ten Soldiers: seat 1 can ask with five or six, not with seven."""
    view = game(4).view(0, {"hand": "11113477", "first": 1})
    assert view.observe(1, game().parse_move("?6")).to_dict()["announced"] == [0, 6, 0, 0]
    with pytest.raises(InvalidPosition, match="Soldiers"):
        view.observe(1, game().parse_move("?7"))
    with pytest.raises(IllegalMove, match="R19"):
        view.observe(1, game().parse_move("?4"))


def test_every_dealt_or_played_position_is_accepted_as_it_is() -> None:
    for position in (FOUR, LED, LATE, W9, W10):
        one = game(len(position["hands"]), redeal=False)
        state = one.state(position)
        assert one.state(state.to_dict()) == state
        assert isinstance(state, _core.State)
