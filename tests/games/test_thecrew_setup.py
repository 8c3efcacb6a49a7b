"""The Crew's positions from outside: any moment can be set up, and what cannot be is refused with the reason.

That all that is accepted can be reached by play is in test_thecrew_reach.py.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache, partial
from typing import Any

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition, KibitzError
from kibitz.starts import shortest

DEALING = ("jarvis", "longest", "leader", "deal")
PHASES = {
    *DEALING,
    *("task", "edit", "ask", "role", "draft", "owner", "lot", "holder", "offer", "consent"),
    *("vote", "give", "get", "radio", "play", "draw", "turn_up", "over"),
}

# What one seat may do before trick 1, in all its forms; JARVIS in the last two rows.
VARIED: dict[str, dict[str, Any]] = {
    "defaults": {},
    "cards passed": {"distress": "left"},
    "radio until all pass, tasks passed on": {"radio": "until_all_pass", "five_pass": "owner_only"},
}


def load(**options: Any) -> kibitz.Game:
    return kibitz.load("thecrew", **options)


def cards(text: str) -> list[str]:
    return text.split()


def walk(game: kibitz.Game, seed: int) -> Iterator[_core.State]:
    """The positions of a random game, of the deal only a few."""
    rng = _core.Rng(seed, "test crew setup", 0)
    state = game.core.blank()
    while True:
        if state.to_dict()["phase"] != "deal" or rng.below(8) == 0:
            yield state
        if state.turn == _core.OVER:
            return
        state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))


# --- any moment ---


@pytest.mark.parametrize("options", VARIED.values(), ids=VARIED)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_position_of_every_mission_can_be_set_up(players: int, options: dict[str, Any]) -> None:
    for mission in range(1, 51, 4 if options else 1):
        game = load(players=players, mission=mission, **options)
        for number, state in enumerate(walk(game, mission)):
            seat = number % game.seats
            whole = game.setup(state.to_dict(), chance="manual")
            assert whole.core == state
            view = state.view(seat)
            assert game.view(seat=seat, start=view.to_dict()).core == view
            assert whole.view(seat=seat).core == view


@cache
def positions() -> dict[str, list[tuple[kibitz.Game, _core.State]]]:
    """A few positions of each phase."""
    found: dict[str, list[tuple[kibitz.Game, _core.State]]] = {phase: [] for phase in PHASES}
    options: list[dict[str, Any]] = [
        {"mission": 12, "distress": "left"},
        {"mission": 23},
        {"mission": 32},
        {"mission": 46},
        {"mission": 50},
        {"tasks": 3, "owners": "random"},
    ]
    for players in (2, 3, 5):
        for number, chosen in enumerate(options):
            game = load(players=players, **chosen)
            for state in walk(game, number):
                there = found[state.to_dict()["phase"]]
                if len(there) < 6 and (len(there) < 3 or state.digest % 8 == 0):
                    there.append((game, state))
    return found


@pytest.mark.parametrize("phase", sorted(PHASES))
def test_each_phase_is_set_up_from_few_fields(phase: str) -> None:
    assert positions()[phase], phase
    for game, state in positions()[phase]:
        truth = shortest(state.to_dict(), build=game.core.state, whole=state)
        assert game.setup(truth, chance="manual").core == state
        assert game.setup(truth, chance="manual").start == truth
        for seat in range(game.seats):
            view = state.view(seat)
            known = shortest(view.to_dict(), build=partial(game.core.view, seat), whole=view)
            assert len(known) < len(view.to_dict())
            assert game.view(seat=seat, start=known).core == view


# The hands of the example crew-game; seat 1 is the commander.
HANDS = [
    ["B1", "B6", "B8", "G1", "G6", "G7", "G9", "P4", "P5", "Y2"],
    ["B7", "B9", "G2", "G3", "G8", "P9", "Y3", "R1", "R3", "R4"],
    ["B3", "B4", "B5", "G4", "P7", "Y5", "Y6", "Y7", "Y8", "Y9"],
    ["B2", "G5", "P1", "P2", "P3", "P6", "P8", "Y1", "Y4", "R2"],
]
SEAT_3: dict[str, Any] = {"hand": HANDS[3], "commander": 1}
TASKS: dict[str, Any] = {"tasks": ["B1", "Y9", "B2"], "owners": [3, 2, 1]}
LATER: dict[str, Any] = {
    "hand": [card for card in HANDS[3] if card not in ("B2", "G5")],
    **TASKS,
    "commander": 1,
}
TRICKS: list[list[str]] = [["B9", "B4", "B2", "B8"], ["G3", "G4", "G5", "G7"]]

# What a person would type: options, the fields, and then the phase, who acts, and how many moves it has.
TYPED: dict[str, tuple[dict[str, Any], dict[str, Any], str, int | None, int]] = {
    "a hand": ({"mission": 4}, SEAT_3, "task", None, 0),
    "a hand and the tasks": ({"mission": 4}, SEAT_3 | {"tasks": ["B1", "Y9", "B2"]}, "draft", 1, 0),
    "the draft goes on": ({"mission": 4}, SEAT_3 | TASKS | {"owners": [None, 2, 1]}, "draft", 3, 1),
    "the draft is over": ({"mission": 4}, SEAT_3 | TASKS, "radio", 1, 0),
    "the radio is off": ({"mission": 4, "radio": "off"}, SEAT_3 | TASKS, "play", 1, 0),
    "no tasks at all": ({"mission": 16, "distress": "off"}, SEAT_3, "radio", 1, 0),
    "two seats have spoken": (
        {"mission": 4},
        SEAT_3 | TASKS | {"statements": ["", "B9 highest 1", "Y9 highest 1", ""]},
        "radio",
        3,
        7,
    ),
    "all have been asked": (
        {"mission": 4},
        SEAT_3 | TASKS | {"statements": ["B1 lowest 1", "", "Y9 highest 1", ""]},
        "play",
        1,
        0,
    ),
    "after two tricks": ({"mission": 4}, LATER | {"tricks": TRICKS}, "radio", 0, 0),
    "in the third": (
        {"mission": 4},
        LATER | {"tricks": [*TRICKS, ["G9", "G2", "P7"]], "statements": ["B6 highest 3", "", "", ""]},
        "play",
        3,
        8,
    ),
    "cards were passed": (
        {"mission": 4, "distress": "left"},
        SEAT_3 | TASKS | {"hand": [*HANDS[3][1:], "Y9"], "distress": "left", "given": ["x", "x", "Y9", "B2"]},
        "radio",
        1,
        0,
    ),
    "the vote": (
        {"mission": 4},
        SEAT_3 | TASKS | {"phase": "vote", "actor": 3, "replies": ["", "none", "left", ""]},
        "vote",
        3,
        4,
    ),
    "an own mission": (
        {"own_mission": {"constraints": [{"type": "balanced"}], "setup": []}},
        SEAT_3,
        "radio",
        1,
        0,
    ),
}


@pytest.mark.parametrize(("options", "fields", "phase", "actor", "moves"), TYPED.values(), ids=TYPED)
def test_a_position_as_a_person_types_it(
    options: dict[str, Any], fields: dict[str, Any], phase: str, actor: int | None, moves: int
) -> None:
    view = load(**options).view(seat=3, start=fields)
    now = view.core.to_dict()
    assert (now["phase"], now["actor"], len(view.legal())) == (phase, actor, moves)
    world = view.sample(seed=1).at(0)
    assert world.view(seat=3).core == view.core
    assert load(**options).setup(world.core.to_dict(), chance="manual").core == world.core


# --- what cannot be ---


def changed(position: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with some fields set, or taken out by `...`; a key `hands.1.0` reaches into a list."""
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


DRAFT = ["*:tasks B1 Y9 B2", "1:take B2"]
TAKEN = [*DRAFT, "2:take Y9", "3:take B1"]
RADIO = [*TAKEN, "1:quiet", "2:say Y9 highest"]
TRICK = [
    *RADIO,
    *("3:say P8 highest", "0:quiet", "1:B9", "2:B4", "3:B2", "0:B8", "1:quiet", "0:quiet", "1:G3", "2:G4"),
]
TAKEN_12 = ["*:tasks B1 Y9 B2 P9", "1:take P9", "2:take Y9", "3:take B1", "0:take B2"]
DRAWN = [
    *TAKEN_12,
    *("1:quiet", "2:say Y9 highest", "3:quiet", "0:quiet", "1:G3", "2:G4", "3:G5", "0:G7"),
    *("*:draw B1", "*:draw P9", "*:draw Y8", "*:draw P1"),
]

# By name: options and record of a position with those hands.
POSITIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "dealt": ({"mission": 4}, []),
    "draft": ({"mission": 4}, DRAFT),
    "radio": ({"mission": 4}, RADIO),
    "trick": ({"mission": 4}, TRICK),
    "numbers": ({"mission": 8}, TAKEN),
    "disrupted": (
        {"tasks": 0, "mission": 18},
        ["*:tasks B1 Y9 B2 P9 P1", "1:take P1", "2:take Y9", "3:take B1", "0:take B2", "1:take P9"],
    ),
    "dead zone": ({"mission": 14}, [*TAKEN_12, "1:quiet", "2:say Y9"]),
    "no radio": ({"mission": 4, "radio": "off"}, TAKEN),
    "muted": (
        {"mission": 11},
        ["*:tasks B1 Y9 B2 P9", "1:S1 2", "1:take P9", "2:take Y9", "3:take B1", "0:take B2"],
    ),
    "one owner": ({"mission": 20}, ["2:yes", "3:no", "0:no", "1:owner 2", "*:tasks B1 Y9"]),
    "even owners": (
        {"mission": 24},
        ["*:task B1", "2:no", "3:no", "0:no", "1:owner 0", "*:task Y9", "2:yes"],
    ),
    "numbers one by one": (
        {"mission": 36},
        ["*:task B1", "2:no", "3:no", "0:no", "1:owner 0", "*:task Y9", "2:yes"],
    ),
    "roles": ({"mission": 50}, ["2:last", "3:first", "0:between", "1:S1 3"]),
    "holder": ({"mission": 46}, ["*:holder 1"]),
    "vote": ({"mission": 4, "distress": "vote"}, [*TAKEN, "1:left", "2:any"]),
    "giving": ({"mission": 4, "distress": "left"}, [*TAKEN, "1:give B9", "2:give B3"]),
    "passed": (
        {"mission": 4, "distress": "left"},
        [
            *TAKEN,
            "1:give B9",
            "2:give B3",
            "3:give B2",
            "0:give B8",
            "*:get B9",
            "*:get B3",
            "*:get B2",
            "*:get B8",
        ],
    ),
    "drawing": ({"mission": 12}, DRAWN[:-2]),
    "drawn": ({"mission": 12}, DRAWN),
    "lost": (
        {"mission": 4},
        [*TAKEN, *["1:quiet", "2:quiet", "3:quiet", "0:quiet"], "1:B9", "2:B4", "3:B2", "0:B1"],
    ),
}


@cache
def table(name: str) -> kibitz.Table:
    options, record = POSITIONS[name]
    start = {"hands": HANDS, "commander": 1, "record": record}
    return load(**({"distress": "off"} | options)).setup(start, chance="manual")


STATES: list[tuple[str, dict[str, Any], str]] = [
    # hands
    ("dealt", {"hands.0": HANDS[0][1:]}, "seat 0 holds 9 cards, not 10"),
    ("dealt", {"hands.0": [*HANDS[0], "R2"]}, "seat 0 holds 11 cards, not 10"),
    ("dealt", {"hands.0": ["B6", *HANDS[0][1:]]}, "B6 is twice in the hand of seat 0"),
    ("dealt", {"hands.0": ["B7", *HANDS[0][1:]]}, "B7 is in two places"),
    (
        "dealt",
        {"hands.0": ["B0", *HANDS[0][1:]]},
        "'B0' in the hand of seat 0 is no card; cards are B1 to Y9 and R1 to R4",
    ),
    ("dealt", {"hands.0": ["R5", *HANDS[0][1:]]}, "'R5' in the hand of seat 0 is no card"),
    ("dealt", {"hands": HANDS[:3]}, "hands has 3 entries for 4 seats"),
    ("dealt", {"hands": ...}, "hands has 0 entries for 4 seats"),
    # the commander
    ("dealt", {"commander": ...}, "say who the commander is"),
    ("dealt", {"commander": 0}, "seat 0 is the commander, and R4 is not among its cards"),
    ("dealt", {"commander": 4}, "commander 4 is no seat; seats are 0 to 3"),
    ("dealt", {"longest": 1}, "only three players have a seat with one card more"),
    ("dealt", {"jarvis": 1}, "the automatic member sits at seat 1 or 2 of two players"),
    ("dealt", {"display": ["B1/B2"]}, "only two players have a display"),
    # tasks, tokens, owners
    ("draft", {"tasks": ["B1", "Y9", "B2", "P1"], "owners": []}, "there are 4 tasks; this mission has 3"),
    ("draft", {"tasks.0": "B2"}, "the task B2 is given twice"),
    ("draft", {"tasks.0": "R1"}, "'R1' is no task of this game"),
    ("draft", {"tasks.0": "B1 1"}, "'1' is no token of this mission"),
    ("draft", {"owners.2": 4}, "owner 4 is no seat; seats are 0 to 3"),
    ("draft", {"owners": [1]}, "owners has 1 entries for 3 tasks"),
    ("draft", {"owners.2": 0}, "the commander takes first .* the seats have 1, 0, 0 and 0 tasks"),
    (
        "draft",
        {"owners": [1, None, 1], "actor": None},
        "the commander takes first .* the seats have 0, 2, 0 and 0 tasks",
    ),
    ("draft", {"actor": 3}, "seat 3 is not to move in phase draft"),
    ("draft", {"tasks": ["B1", "Y9"], "owners": [None, 1]}, "at this moment 3 tasks lie open"),
    ("radio", {"owners": [3, 3, 1]}, "the commander takes first .* the seats have 0, 1, 0 and 2 tasks"),
    ("radio", {"owners": [3, None, 1]}, "at this moment 3 tasks lie open and 3 have an owner, not 3 and 2"),
    ("radio", {"tasks": ["B1", "Y9"], "owners": [3, 1]}, "at this moment 3 tasks lie open"),
    ("numbers", {"tasks": ["B1 1", "Y9 1", "B2 2"]}, "the token 1 is given twice"),
    (
        "numbers",
        {"tasks": ["B1 1", "Y9 2", "B2"]},
        "each token of the mission lies on one of the tasks drawn",
    ),
    ("numbers", {"tasks.0": "B1 4"}, "'4' is no token of this mission"),
    ("numbers", {"tasks.0": "B1 a1"}, "'a1' is no token of this mission"),
    ("one owner", {"owners": [2, 3]}, r"all tasks go to one seat .* 0, 0, 1 and 1 tasks \(thecrew R38\)"),
    (
        "one owner",
        {"owners": [1, 1]},
        r"all tasks go to one seat other than the commander; .* 0, 2, 0 and 0 tasks \(thecrew R38\)",
    ),
    ("even owners", {"owners": [0, 0]}, "at this moment 2 tasks lie open and 1 have an owner"),
    (
        "even owners",
        {"tasks": ["B1", "Y9", "P1", "P2"], "owners": [0, 0, 0, None]},
        r"tasks are distributed evenly.* 3, 0, 0 and 0 tasks \(thecrew R37\)",
    ),
    ("numbers one by one", {"tasks": ["B1 2", "Y9 1"]}, "one by one, and the token 1 goes to B1"),
    # roles and answers
    ("dealt", {"S1": 2}, "this mission names no S1"),
    ("roles", {"S1": 9}, "S1 9 is no seat"),
    ("roles", {"S1": None}, "S1 has been named by now: give its seat"),
    ("roles", {"S2": 0}, "S2 has not been named yet"),
    (
        "roles",
        {"S2": 3, "phase": "radio", "step": -1, "actor": 1, "replies": []},
        "S2 is another seat than S1",
    ),
    ("roles", {"replies": ["yes", "", "last", "first"]}, "seat 0 said 'yes'"),
    ("roles", {"replies": ["between", "", "last", ""]}, "seat 3 has said nothing"),
    ("roles", {"replies": ["between", "first", "last", "first"]}, "seat 1 said 'first'"),
    ("roles", {"replies.0": "maybe"}, "'maybe' is no reply"),
    ("muted", {"S1": 1}, r"the commander cannot be S1 \(thecrew A7\)"),
    ("holder", {"S1": 3}, "P9 was announced to be with seat 2"),
    ("vote", {"replies.2": ""}, "seat 2 has said nothing"),
    ("vote", {"replies.3": "left"}, "seat 3 said 'left'"),
    ("vote", {"replies.1": "yes"}, "seat 1 said 'yes'"),
    ("vote", {"offer": "B1 2"}, "'offer' is for the task that is offered now"),
    # cards passed
    (
        "radio",
        {"distress": "left", "given": ["B8", "B9", "B3", "B2"]},
        "there is no distress signal in this game",
    ),
    ("giving", {"distress": "right"}, "the option distress names the other direction"),
    ("giving", {"distress": ""}, "say in which direction cards are passed"),
    ("giving", {"distress": "up"}, "distress is 'left', 'right' or '', not 'up'"),
    ("giving", {"given.1": "R1"}, r"R1 cannot be passed: it is a rocket \(thecrew R21\)"),
    ("giving", {"given.1": "B8"}, "seat 1 does not hold B8, which it passes"),
    ("giving", {"given.2": ""}, "seat 2 has passed a card: say which in 'given'"),
    ("giving", {"given.3": "B2"}, "seat 3 has not passed a card"),
    ("giving", {"given.1": "x"}, "the card that seat 1 passed is known here: it cannot be 'x'"),
    ("passed", {"given.1": "B7"}, "seat 1 passed B7 to seat 2, which has neither held nor played it"),
    ("passed", {"given": []}, "cards were passed left: say in 'given' what seat 0 passed"),
    ("passed", {"distress": "", "given": []}, "cards are passed in this game"),
    # statements
    ("radio", {"statements.2": "R1 highest 1"}, "'R1 highest 1': a rocket cannot be communicated"),
    (
        "radio",
        {"statements.2": "Y8 highest 1"},
        "seat 2 could not say Y8 highest before trick 1: .* Y5, Y6, Y7, Y8, Y9",
    ),
    ("radio", {"statements.2": "Y9 lowest 1"}, "seat 2 could not say Y9 lowest before trick 1"),
    ("radio", {"statements.2": "Y9 only 1"}, "seat 2 could not say Y9 only before trick 1"),
    ("radio", {"statements.2": "G4 highest 1"}, "seat 2 could not say G4 highest before trick 1: .* held G4"),
    ("radio", {"statements.2": "B1 highest 1"}, "seat 2 could not say B1 highest before trick 1"),
    ("radio", {"statements.2": "Y9 1"}, r"'Y9 1': the statement is missing \(thecrew R19\)"),
    ("radio", {"statements.2": "Y9 best 1"}, "'Y9 best 1' is no statement"),
    ("radio", {"statements.2": "Y9 highest"}, "'Y9 highest' is no statement"),
    ("radio", {"statements.2": "Y9 highest 11"}, "'Y9 highest 11' is no statement"),
    (
        "radio",
        {"statements.2": "Y9 highest 2"},
        "seat 2 said Y9 highest before trick 2, which has not come yet",
    ),
    (
        "radio",
        {"statements.0": "B1 lowest 1"},
        "seat 0 has spoken before this trick, and seat 3 is asked before it",
    ),
    ("radio", {"statements": ["", "", "Y9 highest 1"]}, "statements has 3 entries for 4 seats"),
    ("radio", {"actor": 2}, "seat 2 may not use the radio any more"),
    ("radio", {"statements": [], "actor": 3}, "'spoke' is true, and nobody has spoken in this round"),
    (
        "trick",
        {"statements.1": "B9 highest 2"},
        "seat 1 said B9 highest before trick 2, and the card had been played by then",
    ),
    ("trick", {"statements.1": "B7 highest 1"}, "seat 1 could not say B7 highest before trick 1: .* B7, B9"),
    ("disrupted", {"statements": ["B1 lowest 1", "", "", ""]}, "the radio opens before trick 2"),
    ("dead zone", {"statements.2": "Y9 highest 1"}, "in a dead zone cards are shown without a statement"),
    ("dead zone", {"statements.2": "Y8 1"}, "seat 2 could not say Y8 before trick 1"),
    ("no radio", {"statements": ["", "", "Y9 highest 1", ""]}, "the radio is off in this game"),
    ("no radio", {"phase": "radio"}, "there is no radio before this trick"),
    ("muted", {"statements": ["", "", "Y9 highest 1", ""]}, r"seat 2 may not use the radio \(thecrew R20\)"),
    ("muted", {"actor": 2}, "seat 2 may not use the radio any more"),
    # tricks
    (
        "trick",
        {"tricks.1": ["G3", "Y9"], "hands.2": ["B3", "B5", "P7", "Y5", "Y6", "Y7", "Y8", "G4"]},
        r"seat 2 did not follow suit in trick 2 and held G4 \(thecrew: follow suit\)",
    ),
    ("trick", {"tricks.0": ["B4", "B9", "B2", "B8"]}, "seat 1 has 9 cards with those it has played, not 10"),
    ("trick", {"tricks.1": ["G3", "B4"]}, "B4 was played twice"),
    ("trick", {"tricks.1": ["G3", "G3"]}, "G3 is twice in trick 2"),
    ("trick", {"tricks.1": ["G3", "x"]}, "'x' in trick 2 is no card"),
    (
        "trick",
        {"tricks.1": ["G3", "G5"]},
        "G5 is in two places",
    ),
    ("trick", {"tricks.0": ["B9", "B4", "B2"]}, "trick 1 has 3 cards for 4 seats"),
    ("trick", {"tricks.1": []}, "trick 2 has 0 cards for 4 seats"),
    ("trick", {"hands.3": [*HANDS[3][1:], "B2"]}, "seat 3 still holds a card that it has played"),
    ("trick", {"actor": 2}, "seat 3 is to move in phase 'play', not seat 2"),
    ("trick", {"phase": "radio"}, "a trick is under way: the phase is play"),
    (
        "trick",
        {"phase": "over", "actor": None},
        "the phase is 'over', and by its tasks and tricks the mission is not",
    ),
    (
        "trick",
        {"phase": "vote"},
        "this mission has no phase 'vote' in step 3",
    ),
    ("trick", {"phase": "deal"}, "while cards are dealt there are no tasks"),
    ("trick", {"phase": "duel"}, "there is no phase 'duel'"),
    ("trick", {"step": 1}, "phase 'play' is in step 3, not 1"),
    ("trick", {"count": 2}, "count is 0 here, not 2"),
    ("trick", {"spoke": True}, "'spoke' is for the radio phase"),
    ("lost", {"phase": "radio", "actor": 0}, "the mission was over after trick 1"),
    # the draw of mission 12
    ("trick", {"drawn": ["B1", "B9", "Y9", "P1"]}, "no cards are drawn in this mission"),
    ("drawn", {"drawn": []}, "cards were drawn after trick 1: say which in 'drawn'"),
    ("drawn", {"drawn.2": "Y9"}, r"Y9 lay under a radio token and was not drawn \(thecrew R40\)"),
    ("drawn", {"drawn.3": "P2"}, "the cards drawn from and for seat 0 do not fit its hand"),
    ("drawn", {"drawn.3": "x"}, "the card drawn from seat 3 is known here: it cannot be 'x'"),
    ("drawn", {"drawn": ["B1", "P9", "Y8"]}, "drawn has 3 entries for 4 seats"),
    ("drawing", {"drawn": ["", "P9", "", ""]}, "cards are drawn in seat order"),
    ("drawing", {"phase": "play"}, "one card is drawn from every seat"),
    # shape
    ("dealt", {"hand": HANDS[0]}, "there is no field 'hand'; the fields are"),
    ("dealt", {"hands": "B1 B2"}, "'hands' must be a list, not 'B1 B2'"),
    ("dealt", {"hands.0": "B1 B2"}, r"'hands\[0\]' must be a list, not 'B1 B2'"),
    ("dealt", {"hands.0.0": 7}, r"'hands\[0\]\[0\]' must be a text, not 7\.$"),
    ("dealt", {"commander": "1"}, "'commander' must be a whole number or null, not '1'"),
    ("dealt", {"tricks": [["B1"], 2]}, r"'tricks\[1\]' must be a list, not 2"),
    ("dealt", {"spoke": 1}, "'spoke' must be true or false, not 1"),
]


@pytest.mark.parametrize(("name", "changes", "reason"), STATES, ids=[f"{n} {c}"[:70] for n, c, _ in STATES])
def test_an_impossible_truth_is_refused(name: str, changes: dict[str, Any], reason: str) -> None:
    before = table(name)
    position: dict[str, Any] = {"hands": HANDS, "commander": 1} if name == "dealt" else before.core.to_dict()
    assert before.game.setup(position, chance="manual").core == before.core
    with pytest.raises(InvalidPosition, match=f"^thecrew: .*(?:{reason})"):
        before.game.setup(changed(position, changes), chance="manual")


# The same hands, from seat 3's side; of mission 12 from seat 2's, which saw two draws.
VIEWS: list[tuple[str, int, dict[str, Any], str]] = [
    ("dealt", 3, {"hand": HANDS[3][1:]}, "seat 3 holds 9 cards, not 10"),
    ("dealt", 3, {"hand": ["R4", *HANDS[3][1:]]}, "seat 3 has R4, and the commander is seat 1"),
    ("dealt", 3, {"commander": 3}, "seat 3 is the commander, and R4 is not among its cards"),
    ("dealt", 3, {"hands": HANDS}, "there is no field 'hands'"),
    # what this seat holds, others have neither shown nor played
    (
        "radio",
        3,
        {"statements.2": "P8 highest 1"},
        "P8 is in this seat's own hand, and seat 2 said P8 highest",
    ),
    ("radio", 3, {"statements.2": "R2 highest 1"}, "a rocket cannot be communicated"),
    ("trick", 3, {"tricks.1": ["G3", "P8"]}, "P8 is in this seat's own hand and was not played by seat 2"),
    (
        "trick",
        3,
        {"tricks.1": ["G3", "P8"], "hand": ["G5", "P1", "P2", "P3", "P6", "Y1", "Y4", "R2", "R3"]},
        "seat 3 could not say P8 highest before trick 1: .* P1, P2, P3, P6",
    ),
    (
        "trick",
        3,
        {"tricks.1": ["G3", "R4"]},
        "R4 was played by seat 2, and R4 was dealt to the commander, seat 1",
    ),
    (
        "trick",
        3,
        {"tricks.0": ["Y9", "B4", "B2", "B8"]},
        "seat 3 did not follow suit in trick 1 and held Y1 Y4",
    ),
    # statements that cannot be true
    (
        "radio",
        3,
        {"statements.2": "P9 only 1", "hand": [*HANDS[3][:-2], "P9", "R2"]},
        "P9 is in this seat's own hand",
    ),
    (
        "trick",
        3,
        {"statements.2": "B4 lowest 1", "tricks.1": ["G3", "B3"]},
        "seat 2 said B4 lowest before trick 1 and cannot hold B3",
    ),
    (
        "trick",
        3,
        {"statements.2": "B3 highest 1"},
        "seat 2 said B3 highest before trick 1 and cannot hold B4",
    ),
    (
        "trick",
        3,
        {"statements.2": "B4 only 1", "tricks.1": ["G3", "B5"]},
        "seat 2 said B4 only before trick 1 and cannot hold B5",
    ),
    (
        "radio",
        3,
        {"statements.2": "Y4 highest 1"},
        "Y4 is in this seat's own hand, and seat 2 said Y4 highest before trick 1",
    ),
    (
        "radio",
        3,
        {"statements.2": "G1 highest 1"},
        "seat 2 said G1 highest before trick 1, which no hand allows",
    ),
    (
        "radio",
        3,
        {"statements.2": "G9 lowest 1"},
        "seat 2 said G9 lowest before trick 1, which no hand allows",
    ),
    # a void that is broken later
    (
        "trick",
        3,
        {"tricks.1": ["G3", "B5"], "tricks.0": ["B9", "P7", "B2", "B8"]},
        "seat 2 had no blue in trick 1 and cannot hold B5",
    ),
    (
        "trick",
        3,
        {
            "tricks.0": ["B9", "B4", "P1", "B8"],
            "hand": ["B2", "G5", "P2", "P3", "P6", "P8", "Y1", "Y4", "R2"],
        },
        "seat 3 did not follow suit in trick 1 and held B2",
    ),
    # cards passed and drawn
    ("giving", 3, {"given.1": "B9"}, "this seat does not see the card that seat 1 passed; it may be 'x'"),
    ("passed", 3, {"given.2": "x"}, "the card that seat 2 passed is known here: it cannot be 'x'"),
    ("passed", 3, {"given.3": "x"}, "the card that seat 3 passed is known here: it cannot be 'x'"),
    ("passed", 3, {"given.0": "B8"}, "this seat does not see the card that seat 0 passed; it may be 'x'"),
    ("passed", 3, {"given.2": "B4"}, "seat 2 passed B4 to seat 3, which has neither held nor played it"),
    ("passed", 3, {"given.3": "P1"}, "P1 is in this seat's own hand, and seat 3 passed P1 to seat 0"),
    ("drawn", 2, {"drawn.3": "P1"}, "this seat does not see the card drawn from seat 3; it may be 'x'"),
    ("drawn", 2, {"drawn.1": "x"}, "the card drawn from seat 1 is known here: it cannot be 'x'"),
    ("drawn", 2, {"drawn.2": "Y9"}, "Y9 lay under a radio token and was not drawn"),
    (
        "drawn",
        2,
        {"tricks": [["G3", "G4", "G5", "G7"], ["P9"]]},
        "P9 is in this seat's own hand and was not played by seat 0",
    ),
    ("holder", 0, {"S1": 1}, "P9 was announced to be with seat 0"),
    ("holder", 3, {"S1": 0}, "P9 was announced to be with seat 3"),
]


@pytest.mark.parametrize(
    ("name", "seat", "changes", "reason"), VIEWS, ids=[f"{n} {c}"[:70] for n, _, c, _ in VIEWS]
)
def test_an_impossible_view_is_refused(name: str, seat: int, changes: dict[str, Any], reason: str) -> None:
    before = table(name)
    known: dict[str, Any] = {"hand": HANDS[seat], "commander": 1}
    if name != "dealt":
        known = before.view(seat=seat).core.to_dict()
    assert before.game.view(seat=seat, start=known).core == before.view(seat=seat).core
    with pytest.raises(InvalidPosition, match=f"^thecrew: .*(?:{reason})"):
        before.game.view(seat=seat, start=changed(known, changes))


def found(phase: str, *, tricks: int = 0, **options: Any) -> tuple[kibitz.Game, dict[str, Any]]:
    """A position of a random game in that phase, after so many tricks at least."""
    game = load(**options)
    for seed in range(100):
        for state in walk(game, seed):
            position = state.to_dict()
            if position["phase"] == phase and len(position["tricks"]) >= tricks:
                return game, position
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"longest": None}, r"say who was dealt 14 cards \('longest'\)"),
        ({"longest": 3}, "longest 3 is no seat; seats are 0 to 2"),
        ({"phase": "jarvis", "actor": None}, "while cards are dealt"),
    ],
)
def test_an_impossible_table_of_three_is_refused(changes: dict[str, Any], reason: str) -> None:
    game, position = found("play", players=3, mission=2)
    assert game.setup(position).core.to_dict() == position
    with pytest.raises(InvalidPosition, match=f"^thecrew: .*{reason}"):
        game.setup(changed(position, changes))


def test_who_was_dealt_14_cards_is_told_by_the_hands() -> None:
    game, position = found("play", players=3, mission=2)
    other = (position["longest"] + 1) % 3
    with pytest.raises(InvalidPosition, match=r"seat \d has 1\d cards with those it has played, not 1\d"):
        game.setup(changed(position, {"longest": other}))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"jarvis": None}, r"say where the automatic member sits \('jarvis'\)"),
        ({"jarvis": 0}, "the automatic member sits at seat 1 or 2 of two players"),
        ({"display": []}, "say what lies in the display"),
        ({"display.6": ...}, "display has 6 entries for 7 columns"),
        ({"display.0": "Y3/x"}, "'Y3/x': the truth names the face-down card"),
        ({"display.0": "Y3 B1"}, "'Y3 B1' is no column; columns look like 'Y3/x', 'Y3', '/x' or ''"),
        ({"display.0": ""}, "the display shows that 2 of its cards were played, and the tricks have 0"),
        (
            {"commander": 1, "jarvis": 1},
            "the automatic member is never the commander",
        ),
        ({"longest": 1}, "only three players have a seat with one card more"),
        ({"hands.0": [], "hands.1": ["B1"], "hands.2": []}, "the automatic member has no hand, see display"),
        ({"turned": ["B1"]}, "no trick, radio or draw comes before the preparation is over"),
    ],
)
def test_an_impossible_display_is_refused(changes: dict[str, Any], reason: str) -> None:
    seed = next(seed for seed in range(9) if load(players=2).deal(seed=seed).core.to_dict()["jarvis"] == 1)
    game = load(players=2, mission=1, distress="off")
    position = game.setup({"record": []} | game.deal(seed=seed).start).core.to_dict()
    if "display.0" in changes and changes["display.0"] == "":
        changes = changes | {"phase": "play", "step": -1, "owners": [position["commander"]], "actor": None}
    with pytest.raises(InvalidPosition, match=f"^thecrew: .*(?:{reason})"):
        game.setup(changed(position, changes))


def suited() -> Iterator[tuple[kibitz.Game, dict[str, Any], int]]:
    """Positions after a first trick in which JARVIS followed suit and had another colour face up; with its place."""
    game = load(players=2, mission=16, distress="off")
    for seed in range(100):
        for state in walk(game, seed):
            position = state.to_dict()
            if position["phase"] == "turn_up" and len(position["tricks"]) == 1:
                trick, place = position["tricks"][0], (position["jarvis"] - position["commander"]) % 3
                if trick[place][0] == trick[0][0] != "R":
                    yield game, position, place


def test_the_display_follows_suit() -> None:
    """JARVIS played a card of the suit led; that it played another one, with this one face up, cannot be."""
    game, position, place = next(suited())
    commander, trick = position["commander"], position["tricks"][0]
    view = game.core.state(position).view(commander).to_dict()
    column = view["display"].index("/x")
    other = next(n for n, text in enumerate(view["display"]) if text[0] not in ("/", trick[0][0], "R"))
    card = view["display"][other][:2]
    lie = changed(
        view, {f"tricks.0.{place}": card, f"display.{other}": "/x", f"display.{column}": f"{trick[place]}/x"}
    )
    assert game.view(seat=commander, start=view).core.to_dict() == view
    with pytest.raises(
        InvalidPosition, match="did not follow suit in some trick and had a card of that suit"
    ):
        game.view(seat=commander, start=lie)


@pytest.mark.parametrize(
    ("owners", "fits"),
    [([2, 2, 2], True), ([2, 2, 0], True), ([1, 2, 2], True), ([2, 3, 4], False), ([0, 0, 0], False)],
)
def test_of_five_one_task_may_have_changed_hands(owners: list[int], fits: bool) -> None:
    """Mission 27: the commander, seat 0, names one owner of all; then one task may go on, to the commander too."""
    game, position = found("vote", players=5, mission=27)
    turn = position["commander"]
    given = changed(position, {"owners": [(owner + turn) % 5 for owner in owners]})
    if fits:
        assert game.setup(given).core.to_dict() == given
        return
    with pytest.raises(InvalidPosition, match="all tasks go to one seat other than the commander"):
        game.setup(given)


# --- events that contradict what a seat knows ---

SILENT = [*TAKEN, "1:quiet", "2:quiet", "3:quiet", "0:quiet"]
VOID = [*SILENT, "1:G3", "2:B3", "3:G5", "0:G7", "0:quiet", "1:quiet", "2:quiet", "3:quiet", "0:G9", "1:G8"]
Y9_THERE = [*TRICK, "3:G5", "0:G7", "0:quiet", "1:quiet", "0:Y2", "1:Y3"]
B4_ONLY = [*RADIO[:-1], "2:say B4 only", "3:quiet", "0:quiet", "1:B9", "2:B4", "3:B2", "0:B8"]
B4_ONLY += ["1:quiet", "3:quiet", "0:quiet", "1:B7"]
B4_LOWEST = [*RADIO[:-1], "2:say B4 lowest", "3:quiet", "0:quiet", "1:B9"]

# What seat 3 has seen, the next event, and what is wrong with it.
EVENTS: list[tuple[list[str], str, type[KibitzError], str]] = [
    # actors and form
    (RADIO, "2:quiet", IllegalMove, "'2:quiet' is by seat 2, but seat 3 is to act"),
    (RADIO, "*:task B4", IllegalMove, "is by chance, but seat 3 is to act"),
    (RADIO, "3:P8", IllegalMove, "seat 3 may use the radio .* or stays 'quiet'; legal: quiet, say B2 only"),
    (TRICK, "3:say P8 highest", IllegalMove, "seat 3 plays a card"),
    (DRAFT, "2:take B2", IllegalMove, "legal: take B1, take Y9"),
    # a card that is elsewhere
    (TRICK[:-1], "2:P8", InvalidPosition, "P8 is in this seat's own hand"),
    (TRICK[:-1], "2:B9", InvalidPosition, "seat 1 played B9 in trick 1"),
    (TRICK[:-1], "2:R4", InvalidPosition, "R4 is known to be in the hand of seat 1"),
    (TRICK[:-2], "1:Y9", InvalidPosition, "Y9 is known to be in the hand of seat 2"),
    # a void that is broken, and a suit that was not followed with a card known to be there
    (VOID, "2:G4", InvalidPosition, "seat 2 had no green in trick 1 and cannot hold G4"),
    (Y9_THERE, "2:B5", InvalidPosition, "seat 2 must follow suit and is known to hold Y9"),
    # statements
    (RADIO[:-1], "2:say R1 only", IllegalMove, "a rocket cannot be communicated"),
    (RADIO[:-1], "2:say Y9", IllegalMove, "the statement is missing"),
    (RADIO[:-1], "2:say P8 highest", InvalidPosition, "P8 is in this seat's own hand"),
    (RADIO[:-1], "2:say G1 highest", InvalidPosition, "said G1 highest before trick 1, which no hand allows"),
    (RADIO[:-1], "2:say P9 lowest", InvalidPosition, "said P9 lowest before trick 1, which no hand allows"),
    ([*RADIO, "3:quiet"], "0:say Y9 highest", InvalidPosition, "Y9 is known to be in the hand of seat 2"),
    (B4_ONLY, "2:B3", InvalidPosition, "seat 2 said B4 only before trick 1 and cannot hold B3"),
    (B4_LOWEST, "2:B3", InvalidPosition, "seat 2 said B4 lowest before trick 1 and cannot hold B3"),
    # own moves
    (RADIO, "3:say P3 highest", IllegalMove, "P3 is neither the highest nor the lowest"),
    (RADIO, "3:say G5 highest", IllegalMove, "the statement follows from the hand: 'say G5 only'"),
    (TRICK, "3:P1", IllegalMove, "green was led and seat 3 can follow: G5"),
    (TRICK, "3:B2", IllegalMove, "seat 3 does not hold B2"),
    # tasks
    ([], "*:tasks B1 Y9 B1", IllegalMove, "B1 is no task card that is left"),
    ([], "*:tasks B1 R1 B2", IllegalMove, "R1 is no task card that is left"),
    ([], "*:tasks B1 Y9 B2 P1", IllegalMove, r"'\*:task P1' is by chance, but seat 1 is to act"),
]


@pytest.mark.parametrize(("record", "event", "kind", "reason"), EVENTS, ids=[each[1] for each in EVENTS])
def test_a_contradicting_event_is_refused_and_changes_nothing(
    record: list[str], event: str, kind: type[KibitzError], reason: str
) -> None:
    view = load(mission=4, distress="off").view(seat=3, start=SEAT_3, record=record)
    before = view.to_dict()
    with pytest.raises(kind, match=reason):
        view.observe(event)
    assert view.to_dict() == before
    with pytest.raises(InvalidPosition, match=reason):
        load(mission=4, distress="off").view(seat=3, start=SEAT_3, record=[*record, event])


def test_what_an_event_hides_is_refused_or_masked() -> None:
    view = table("giving").view(seat=3)
    give = table("giving").game.view(seat=3, start=view.start, record=view.record[:-1])
    with pytest.raises(kibitz.IllegalMove, match="tells seat 3 what it may not see; seat 3 sees '2:give x'"):
        give.observe("2:give B3")
    assert give.observe("2:give B3", mask=True) == view


# Seat 0 led blue and nobody followed, but it does not hold the other blue cards. Or: seats 1 and 2 are void in blue
# and green, fourteen of these cards are unseen, and seat 3 holds eight cards.
NOBODY = {"hand": cards("B2 B3 B4 P5 P6 P7 P8 P9 R4"), "tricks": [["B1", "G1", "G2", "G3"]]}
CROWDED = {
    "hand": cards("P5 P6 P7 P8 P9 Y1 Y2 R4"),
    "tricks": [["B1", "P1", "P2", "B2"], ["G1", "G2", "P3", "P4"]],
}


@pytest.mark.parametrize("fields", [NOBODY, CROWDED], ids=["no seat is left", "no room is left"])
def test_the_fact_that_breaks_is_named(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition, match="seat 1 had no blue in trick 1, and no deal agrees with that"):
        load(mission=4, distress="off").view(
            seat=0, start=fields | {"commander": 0, "tasks": ["Y9", "Y8", "Y7"], "owners": [0, 1, 2]}
        )
