"""The Crew's rules through the public names: worked examples W1 to W17 and rulings R1 to R45 of its rules page.

What every position shows is compared with the reference in test_thecrew_reference.py; worlds are in
test_thecrew_sampling.py. At the end: how often random play succeeds, against independent figures.

A position's owners must be those of some draft. Where an example's are not, its mission has more tasks here.
"""

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import IllegalMove

DATA = json.loads((Path(__file__).parents[1] / "data" / "thecrew.json").read_text(encoding="utf-8"))
MISSIONS = {mission["id"]: mission for mission in DATA["missions"]}
RECORDED = DATA["benchmarks"]["tinend_4p6t"]["deals"]
RANDOM_PLAY = DATA["reference_measurements"]["random_play"]["rates"]
DECK = [f"{suit}{value}" for suit in "BGPY" for value in range(1, 10)] + ["R1", "R2", "R3", "R4"]
BARE: dict[str, Any] = {"distress": "off", "radio": "off", "five_pass": "off"}
TRICKS = {3: 13, 4: 10, 5: 8}

Mission = int | dict[str, Any]


def own(*tokens: str, tasks: int = 0, **more: Any) -> dict[str, Any]:
    """A mission of drafted tasks; without any, one that only the last trick decides."""
    if not tasks:
        rule: dict[str, Any] = {"type": "tricks_won", "who": "commander", "min": 0, "max": 13}
        return {"setup": [{"step": "distress"}], "constraints": [rule], **more}
    dealt = {"step": "deal_tasks", "n": tasks, "tokens": list(tokens), "reveal": "all"}
    return {
        "setup": [dealt, {"step": "draft"}, {"step": "distress"}],
        "constraints": [{"type": "tasks", "completion": "any_trick"}],
        **more,
    }


ASSIGN = {"step": "assign_all", "candidates": "not_commander"}
DEAD_ZONE = {"mode": "dead_zone", "from_trick": 1}


# --- helpers: games and positions ---


def load(mission: Mission, players: int = 4, **options: Any) -> kibitz.Game:
    """Without distress, radio and five_pass, but for what is asked for."""
    key = "mission" if isinstance(mission, int) else "own_mission"
    return kibitz.load("thecrew", players=players, **{key: mission}, **(BARE | options))


def fill(players: int, held: dict[int, str], void: dict[int, str], *, seed: int = 0) -> list[list[str]]:
    """A deal with these cards by seat, and no others of the suits that a seat is void in. Seat 0 of three has 14."""
    hands = [held.get(seat, "").split() for seat in range(players)]
    rest = [card for card in DECK if not any(card in hand for hand in hands)]
    rng = random.Random(seed)
    while True:
        rng.shuffle(rest)
        filled = [hand[:] for hand in hands]
        for card in sorted(rest, key=lambda card: -sum(card[0] in suits for suits in void.values())):
            free = [
                seat
                for seat, hand in enumerate(filled)
                if len(hand) < TRICKS[players] + (players == 3 and seat == 0)
                and card[0] not in void.get(seat, "")
            ]
            if not free:
                break
            filled[rng.choice(free)].append(card)
        else:
            return filled


def cards_of(script: str) -> list[tuple[int, str]]:
    """`0:B9 1:B3 | 1:G1` as seats and cards."""
    return [(int(text[0]), text[2:]) for text in script.split() if text != "|"]


def begin(
    mission: Mission,
    script: str,
    *,
    tasks: str = "",
    players: int = 4,
    hold: dict[int, str] | None = None,
    options: dict[str, Any] | None = None,
    **position: Any,
) -> kibitz.Table:
    """Before the first trick, whose leader is the commander, with hands from which the script can be played.

    Args:
        mission: Number or mission.
        script: Tricks, `0:B9 1:B3 2:B7 3:B1 | 0:G1 ...`. Who does not follow suit holds none.
        tasks: Card and owner, in drawn order: `B3 0, B7 1`.
        hold: Cards by seat besides.
        options: Besides `BARE`.
        position: More fields of the position.
    """
    held, void = dict(hold or {}), dict[int, str]()
    led = ""
    for i, (seat, card) in enumerate(cards_of(script)):
        led = card[0] if i % players == 0 else led
        held[seat] = f"{held.get(seat, '')} {card}"
        if card[0] != led:
            void[seat] = void.get(seat, "") + led
    leader = cards_of(script)[0][0]
    if not any("R4" in cards for cards in held.values()):
        held[leader] += " R4"
    return setup(
        load(mission, players, **(options or {})), fill(players, held, void), leader, tasks, **position
    )


def setup(
    game: kibitz.Game, hands: list[list[str]], commander: int, tasks: str = "", **position: Any
) -> kibitz.Table:
    owned = [text.split() for text in tasks.split(", ") if text]
    start: dict[str, Any] = {"hands": hands, "commander": commander, **position}
    if game.seats == 3:
        start["longest"] = 0
    if owned:
        start |= {"tasks": [card for card, _ in owned], "owners": [int(seat) for _, seat in owned]}
    return game.setup(start)


def play(table: kibitz.Table, script: str) -> kibitz.Table:
    """After a script, whose seats must be those to play."""
    for seat, card in cards_of(script):
        table.play(f"{seat}:{card}")
    return table


def told(mission: Mission, script: str, **more: Any) -> str:
    """What a script comes to."""
    return result(play(begin(mission, script, **more), script))


def result(table: kibitz.Table) -> str:
    if table.turn is not None:
        return "open"
    assert len(set(table.returns())) == 1
    return "success" if table.returns()[0] else "failure"


def fields(table: kibitz.Table) -> dict[str, Any]:
    return table.core.to_dict()


def phase(table: kibitz.Table) -> str:
    return str(fields(table)["phase"])


def moves(table: kibitz.Table, *texts: str) -> kibitz.Table:
    for text in texts:
        table.play(text)
    return table


def until(table: kibitz.Table, wanted: str) -> kibitz.Table:
    """First legal moves until a phase begins."""
    while phase(table) != wanted:
        table.play(table.legal()[0])
    return table


# --- helpers: lines of play with given winners ---


def place_of_winner(trick: Sequence[str]) -> int:
    def strength(card: str) -> int:
        return int(card[1]) + (20 if card[0] == "R" else 10 if card[0] == trick[0][0] else 0)

    return max(range(len(trick)), key=lambda i: strength(trick[i]))


def winners(state: _core.State) -> list[int]:
    """Seats that won the tricks."""
    now, found = state.to_dict(), list[int]()
    leader = now["commander"]
    for trick in now["tricks"]:
        if len(trick) == state.game.seats:
            leader = (leader + place_of_winner(trick)) % state.game.seats
            found.append(leader)
    return found


def line(
    state: _core.State, due: Sequence[int | None], keep: Sequence[str], tries: list[int], won_at_last: bool
) -> list[str] | None:
    """Cards to play so that these seats (None: any) win the tricks, `keep` stays in hand; None if not found so soon."""
    won = winners(state)
    if any(wanted not in (None, seat) for wanted, seat in zip(due, won, strict=False)):
        return None
    if len(won) == len(due):
        return [] if not won_at_last or state.returns()[0] else None
    for code in state.moves():
        text = state.game.move_text(code)
        tries[0] -= 1
        if text not in keep and tries[0] >= 0:
            rest = line(state.play(code), due, keep, tries, won_at_last)
            if rest is not None:
                return [text, *rest]
    return None


def won_by(
    mission: Mission,
    due: Sequence[int | None],
    *,
    players: int = 4,
    hold: dict[int, str] | None = None,
    keep: str = "",
    tasks: str = "",
    success: bool = False,
    **position: Any,
) -> kibitz.Table:
    """After tricks won by these seats, in some deal with seat 0 the commander.

    Args:
        due: Seats that win the tricks; None stands for any.
        hold: Cards by seat.
        keep: Cards that are not played.
        success: Whether the mission must have succeeded then.
    """
    game = load(mission, players)
    held = dict(hold or {})
    if not any("R4" in cards for cards in held.values()):
        held[0] = f"{held.get(0, '')} R4"
    for seed in range(300):
        table = setup(game, fill(players, held, {}, seed=seed), 0, tasks, **position)
        found = line(table.core, due, keep.split(), [1000], success)
        if found is not None:
            return moves(table, *found)
    raise AssertionError("no such line found")


# --- worked examples ---


@pytest.mark.parametrize(
    ("led", "legal"),
    [("", "B2 B9 Y1 R3"), ("B5", "B2 B9"), ("R1", "R3"), ("P5", "B2 B9 Y1 R3")],
)
def test_w1_legal_moves(led: str, legal: str) -> None:
    hold = {0: "B5 R1 P5 R4", 1: "B2 B9 R3 Y1"}
    last = 0 if led else 1  # leads then, with four cards in every hand
    table = won_by(own(), [None] * 5 + [last], hold=hold, keep=" ".join(hold.values()))
    moves(table, *led.split())
    assert (table.turn, table.legal()) == (1, legal.split())


@pytest.mark.parametrize(
    ("trick", "seat"),
    [
        ("2:P5 3:P8 0:G9 1:R1", 1),
        ("2:P5 3:P8 0:G9 1:Y9", 3),
        ("2:R2 3:Y9 0:R3 1:R1", 0),
    ],
)
def test_w2_r4_winner(trick: str, seat: int) -> None:
    assert play(begin(own(), trick), trick).turn == seat


@pytest.mark.parametrize(
    ("tasks", "after"),
    [("B3 0, B7 0, Y2 1, Y3 2, Y4 3", "open"), ("B3 0, Y2 1, B7 0, Y3 2, Y4 3", "failure")],
)
def test_w3_r7_r8_numbers_in_one_trick(tasks: str, after: str) -> None:
    script = "0:B9 1:B3 2:B7 3:B1"
    table = play(begin(own("1", "2", "3", tasks=5), script, tasks=tasks), script)
    assert (result(table), table.score()) == (after, [2])


def test_w4_r9_a_free_task_waits_for_the_numbers() -> None:
    mission, tasks = own("1", "2", tasks=6), "P4 1, G6 2, B1 0, Y5 3, Y8 1, Y9 0"
    script = "0:G1 1:G2 2:G3 3:G4 | 3:P3 0:P1 1:P5 2:P4"
    assert told(mission, script, tasks=tasks) == "open"
    assert told(mission, f"{script} | 1:B3 2:B1 3:B2 0:B9", tasks=tasks) == "failure"


def test_w5_arrows_out_of_order() -> None:
    mission, tasks = own("a1", "a2", tasks=4), "G2 0, P7 3, Y5 1, B9 2"
    script = "1:Y7 2:Y5 3:Y1 0:Y2"
    assert told(mission, script, tasks=tasks) == "open"
    assert told(mission, f"{script} | 1:P2 2:P7 3:P9 0:P1", tasks=tasks) == "failure"


@pytest.mark.parametrize(
    ("first", "after"), [("0:G8 1:G1 2:G3 3:G2", "success"), ("0:G8 1:G7 2:G3 3:G2", "failure")]
)
def test_w6_omega_with_all_that_is_pending(first: str, after: str) -> None:
    """Seats 3 and 1 complete a task before; in the failure G1 is pending."""
    tasks = "Y9 2, B5 2, G1 0, P5 3, P9 1"
    before = "2:P1 3:P5 0:P2 1:P3 | 3:P4 0:P6 1:P9 2:P8 | 1:B1 2:B2 3:B3 0:B9"
    script = f"{before} | {first} | 0:Y2 1:B5 2:Y9 3:Y1"
    table = begin(own("omega", tasks=5), script, tasks=tasks)
    assert result(play(table, script)) == after
    assert len(fields(table)["tricks"]) == 5


@pytest.mark.parametrize("dead_zone", [False, True])
def test_w7_r14_r19_radio_moves(dead_zone: bool) -> None:
    mission = own(communication=DEAD_ZONE) if dead_zone else own()
    script = "0:Y9 1:Y1 2:Y2 3:Y3"
    hold = {0: "B2 B5 B7 G4 P3 P9 R1 R4 Y6"}
    table = begin(mission, script, hold=hold, options={"radio": "one_round"})
    play(moves(table, *["quiet"] * 4), script)
    said = ["B2 lowest", "B7 highest", "G4 only", "P3 lowest", "P9 highest", "Y6 only"]
    assert table.legal() == ["quiet", *(f"say {words[:2] if dead_zone else words}" for words in said)]


@pytest.mark.parametrize(
    ("due", "after"),
    [
        ([2, 0, 3, 1, 1, 1], "failure"),
        ([2, 2], "failure"),
        ([2, 0, 3, 1, 1, 0, 2, 3, 3, 2], "success"),
    ],
)
def test_w8_r31_balance(due: list[int], after: str) -> None:
    assert result(won_by(29, due)) == after
    if len(due) > 2:
        assert result(won_by(29, due[:-1])) == "open"


@pytest.mark.parametrize(("owners", "allowed"), [("3300", "124"), ("30124", "01234"), ("301244", "0123")])
def test_w9_even_quota(owners: str, allowed: str) -> None:
    table = load(32, 5).deal(seed=9)
    for owner in owners:
        moves(table, *["yes"] * 4, f"owner {owner}")
    moves(table, *["no"] * 4)
    assert table.legal() == [f"owner {seat}" for seat in allowed]


def test_w10_r21_distress_to_the_left() -> None:
    hands = fill(4, {0: "B1", 1: "G9", 2: "Y4 R4", 3: "P2"}, {})
    table = setup(load(own(), distress="vote"), hands, 2)
    moves(table, "left", "any", "left", "any")
    moves(table, "2:give Y4", "3:give P2", "0:give B1", "1:give G9")
    after = fields(table)
    for seat, (gave, got) in enumerate(zip(["B1", "G9", "Y4", "P2"], ["P2", "B1", "G9", "Y4"], strict=True)):
        assert sorted(after["hands"][seat]) == sorted({*hands[seat], got} - {gave})
    assert (after["commander"], after["distress"], table.turn) == (2, "left", 2)


def test_w11_r40_r42_the_draw_of_mission_12() -> None:
    script = "0:B9 1:B1 2:B2 3:B3"
    mission = own(effects=[{"effect": "draw_from_right", "after_trick": 1}])
    start = begin(mission, script, hold={0: "G9 G1"}, options={"radio": "one_round"})
    table = start.game.setup(start.start, chance="manual")
    play(moves(table, "say G9 highest", *["quiet"] * 3), script)
    held = fields(table)["hands"]
    assert table.outcomes() == [(f"draw {card}", 1) for card in held[0] if card != "G9"]
    for seat in range(4):
        assert {text[5:] for text, _ in table.outcomes()} == {*held[seat]} - {"G9"}
        assert len(table.outcomes()) == (8 if seat == 0 else 9)
        table.play(table.outcomes()[seat][0])
    after = fields(table)
    drawn = after["drawn"]
    assert after["hands"] == [
        sorted({*held[seat], drawn[seat - 1]} - {drawn[seat]}, key=DECK.index) for seat in range(4)
    ]
    assert [len(hand) for hand in after["hands"]] == [9] * 4


NINES = "0:B9 1:B1 2:R2 3:B2 | 2:G1 3:G9 0:R3 1:G2"  # two are lost to rockets
DISCARDED = "0:P3 1:Y9 2:P2 3:P4"


@pytest.mark.parametrize(
    ("rest", "after"),
    [
        ("0:P9 1:R1 2:P1 3:P5 | 1:Y1 2:Y2 3:Y3 0:Y4 | " + DISCARDED, "success"),
        (DISCARDED, "open"),
        (DISCARDED + " | 3:B3 0:B8 1:B4 2:Y1 | 0:P9 1:R1 2:P1 3:P5", "success"),
        ("0:Y3 1:Y1 2:Y2 3:Y9", "failure"),
    ],
)
def test_w12_r29_nines(rest: str, after: str) -> None:
    assert told(16, f"{NINES} | {rest}") == after


def test_w12_r29_r44_a_nine_may_stay_unplayed() -> None:
    table = won_by(16, [None] * 13, players=3, hold={0: "Y9"}, keep="Y9")
    assert (result(table), fields(table)["hands"]) == ("success", [["Y9"], [], []])


@pytest.mark.parametrize(
    ("mission", "script", "after"),
    [
        (13, "0:P3 1:R1 2:R2 3:P9", "failure"),
        (44, "0:P3 1:R1 2:P2 3:P9", "open"),
        (44, "0:P3 1:R1 2:P2 3:P9 | 1:G4 2:G5 3:G6 0:R3", "failure"),
        (44, "0:P3 1:R1 2:P2 3:P9 | 1:G4 2:G5 3:G6 0:R2", "open"),
        (13, "0:P3 1:R1 2:P2 3:P9 | 1:G4 2:G5 3:G6 0:R3", "open"),
    ],
)
def test_w13_r27_rockets(mission: int, script: str, after: str) -> None:
    assert told(mission, script) == after


@pytest.mark.parametrize(("last", "after"), [(3, "failure"), (2, "success")])
def test_w14_s1_wins_no_trick(last: int, after: str) -> None:
    assert result(won_by(5, [0, 0, 1, 2, 4, 0, 1, last], players=5, S1=3)) == after


def test_w15_token_swaps() -> None:
    table = load(23).deal(seed=15)
    before = [task.split() for task in fields(table)["tasks"]]
    assert (len(table.legal()), table.turn) == (11, fields(table)["commander"])
    second, fifth = sorted([before[1][0], before[4][0]], key=DECK.index)
    table.play(f"swap {second} {fifth}")
    after = [task.split() for task in fields(table)["tasks"]]
    assert [card for card, _ in after] == [card for card, _ in before]
    assert [token for _, token in after] == ["1", "5", "3", "4", "2"]
    assert (phase(table), len(table.legal())) == ("draft", 5)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_w16_draft_counts(players: int) -> None:
    for number, mission in MISSIONS.items():
        if "draft_counts" not in mission:
            continue
        table = until(load(number, players).deal(seed=number), "play")
        owners, commander = fields(table)["owners"], fields(table)["commander"]
        taken = [owners.count((commander + i) % players) for i in range(players)]
        assert taken == mission["draft_counts"][str(players)], number


@pytest.mark.parametrize("replay", DATA["replays"], ids=lambda replay: f"deal {replay['deal_index']}")
def test_w17_replay(replay: dict[str, Any]) -> None:
    position, owner = RECORDED[replay["deal_index"]], replay["task_owner"]
    hands = [[hand[i : i + 2] for i in range(0, len(hand), 2)] for hand in position["hands"]]
    game = kibitz.load("thecrew", tasks=6, distress="off", radio="off")
    table = game.setup({"hands": hands, "commander": position["commander"], "tasks": list(owner)})
    while phase(table) == "draft":
        table.play(next(text for text in table.legal() if owner[text[5:]] == table.turn))
    for trick in replay["tricks"]:
        assert (result(table), table.turn) == ("open", trick["leader"])
        moves(table, *trick["cards"])
    assert (result(table), len(fields(table)["tricks"])) == (replay["result"], replay["ends_at_trick"])


# --- rulings: tricks and tasks ---


def plain(tasks: str, script: str) -> str:
    """What a script comes to with tasks of any owners, without tokens."""
    options = BARE | {"tasks": len(tasks.split(", ")), "owners": "random"}
    hands = begin(own(), script).start["hands"]
    return result(play(setup(kibitz.load("thecrew", **options), hands, int(script[0]), tasks), script))


def test_r1_the_commander_leads_trick_1_without_a_task_too() -> None:
    table = until(load(20).deal(seed=1), "owner")
    commander = table.turn
    table.play(table.legal()[0])
    assert commander not in fields(table)["owners"]
    assert (phase(table), table.turn) == ("play", commander)


def test_r2_rockets_follow_rockets_even_r4() -> None:
    script = "0:B1 1:B9 2:B2 3:B3 | 1:R1"
    table = play(begin(own(), script, hold={0: "R4 Y1", 2: "R2 R3"}), script)
    assert table.legal() == ["R2", "R3"]
    table.play("R2")
    table.play(table.legal()[0])  # seat 3 has none
    assert table.legal() == ["R4"]
    assert "a rocket was led" in table.check("Y1")


def test_r3_a_rocket_on_a_colour_needs_a_void() -> None:
    table = play(begin(own(), "0:B1", hold={1: "B5 R1"}), "0:B1")
    assert all(text[0] == "B" for text in table.legal())
    assert "blue was led" in table.check("R1")
    void = play(begin(own(), "0:B1 1:G9", hold={1: "R1"}), "0:B1")
    assert {"R1", "G9"} <= set(void.legal())


@pytest.mark.parametrize("seat", range(4))
def test_r5_whoever_plays_the_card_its_owner_must_win(seat: int) -> None:
    script = "0:B9 1:B1 2:B2 3:B3"
    card = script.split()[seat][2:]
    assert plain(f"{card} 0, Y9 3", script) == "open"
    assert plain(f"{card} 1, Y9 3", script) == "failure"


@pytest.mark.parametrize(
    ("tasks", "after"),
    [("B1 0, B2 0, B3 0", "success"), ("B1 0, B2 0, B3 1", "failure"), ("B1 0, B2 0, Y9 1", "open")],
)
def test_r6_several_tasks_in_a_trick(tasks: str, after: str) -> None:
    assert plain(tasks, "0:B9 1:B1 2:B2 3:B3") == after


# Seat 0 completes the first two in trick 1; the third, of seat 1, is pending. Two more wait at seats 2 and 3.
@pytest.mark.parametrize(
    ("tokens", "after"),
    [
        ("1 2 3", "open"),  # R7
        ("2 1 3", "open"),
        ("1 3 2", "failure"),  # R8, R12
        ("1 - 2", "failure"),  # R9
        ("2 3 1", "failure"),
        ("- - 1", "failure"),
        ("1 - -", "open"),  # R9: with the last pending number
        ("a1 a2 a3", "open"),  # R7
        ("a2 a1 a3", "open"),
        ("a1 a3 a2", "failure"),
        ("a1 - a2", "open"),  # R10
        ("- - a1", "open"),
        ("a2 - a1", "failure"),
        ("omega - -", "failure"),
        ("- - omega", "open"),
    ],
)
def test_r7_to_r10_r12_tokens_of_a_trick(tokens: str, after: str) -> None:
    tasks = ["B1 0", "B2 0", "Y9 1"]
    order = sorted(range(3), key=lambda i: tokens.split()[i] == "-")  # those with a token are drawn first
    drawn = ", ".join([*(tasks[i] for i in order), "Y8 2", "Y7 3"])
    mission = own(*(tokens.split()[i] for i in order if tokens.split()[i] != "-"), tasks=5)
    script = "0:B9 1:B1 2:B2 3:B3"
    table = begin(mission, script, tasks=drawn)
    assert result(play(table, script[:-5])) == "open"  # R12: at the end of the trick
    assert result(play(table, script[-4:])) == after


def test_r7_omega_with_everything_that_was_pending() -> None:
    """All tasks are of one seat by the commander's decision."""
    mission = own("omega", tasks=2)
    mission["setup"][0]["reveal"], mission["setup"][1] = "after_assignment", ASSIGN
    script = "0:B1 1:B9 2:B2 3:B3"
    assert told(mission, script, tasks="B9 1, B1 1") == "success"
    assert told(mission, script, tasks="B9 1, Y1 1") == "failure"


def test_r11_token_1_may_wait_for_a_later_trick() -> None:
    script = "0:B9 1:B1 2:B2 3:B3 | 0:G9 1:G1 2:G2 3:G3"
    tasks = "G1 0, Y2 1"
    assert told(own("1", tasks=2), script, tasks=tasks) == "open"


def test_r13_an_unplayed_task_card_fails_after_trick_13() -> None:
    table = won_by(1, [None] * 13, players=3, hold={0: "Y2"}, keep="Y2", tasks="Y2 0")
    assert (result(table), len(fields(table)["tricks"])) == ("failure", 13)
    assert fields(table)["hands"][0] == ["Y2"]


def test_r43_success_in_trick_1() -> None:
    assert told(1, "0:B9 1:B1 2:B2 3:B3", tasks="B2 0") == "success"


def test_r44_three_players_keep_a_card() -> None:
    table = won_by(own(), [None] * 13, players=3)
    assert result(table) == "success"
    assert [len(hand) for hand in fields(table)["hands"]] == [1, 0, 0]


def test_r45_the_commander_stays_commander_without_r4() -> None:
    script = "0:R4 1:R1 2:B2 3:B3 | 0:B1 1:B9 2:B4 3:B5"
    table = play(begin(own(), script, hold={0: "R2 R3"}), script)
    assert (fields(table)["commander"], table.turn) == (0, 1)
    assert all("R4" not in hand for hand in fields(table)["hands"])


# --- rulings: radio ---


def on_air(hand: str) -> kibitz.Table:
    """Seat 0, the commander, is to speak before trick 1, with these cards and no others of their colours."""
    hands = fill(4, {0: f"{hand} R4"}, {0: "".join({card[0] for card in hand.split()} - {"R"})})
    return setup(load(own(), radio="one_round"), hands, 0)


def test_r14_an_only_card_is_called_only() -> None:
    table = on_air("G4")
    assert [text for text in table.legal() if "G" in text] == ["say G4 only"]
    assert "say G4 only" in table.check("say G4 highest")
    assert table.check("say G4 lowest") != ""


def test_r15_both_of_two_cards_may_be_chosen() -> None:
    assert [text for text in on_air("G8 G9").legal() if "G" in text] == ["say G8 lowest", "say G9 highest"]


def test_s5_neither_a_middle_card_nor_a_rocket_is_shown() -> None:
    table = on_air("G1 G5 G9 R1")
    assert "neither the highest nor the lowest" in table.check("say G5 highest")
    assert "rocket" in table.check("say R1 lowest")


def test_r16_a_statement_keeps_its_label() -> None:
    table = moves(on_air("G2 G9"), "say G9 highest", *["quiet"] * 3, "G2")
    while table.turn != 0:
        table.play(table.legal()[0])
    assert [card for card in fields(table)["hands"][0] if card[0] == "G"] == ["G9"]
    for seat in range(4):
        assert table.view(seat=seat).core.to_dict()["statements"] == ["G9 highest 1", "", "", ""]


def test_r17_no_radio_inside_a_trick() -> None:
    table = moves(on_air("G9 G1"), *["quiet"] * 4)
    for _ in range(4):
        assert phase(table) == "play"
        assert table.check("quiet") != ""
        table.play(table.legal()[0])
    assert phase(table) == "radio"


@pytest.mark.parametrize(("number", "first"), [(18, 2), (19, 3), (28, 3), (30, 2), (38, 3)])
def test_r18_disruption(number: int, first: int) -> None:
    for seed in range(20):
        table = load(number, radio="one_round", distress="vote").deal(seed=seed)
        assert phase(until(table, "vote")) == "vote"  # the distress signal is not affected
        while table.turn is not None and phase(table) != "radio":
            table.play(table.legal()[0])
        if table.turn is not None:
            assert len(fields(table)["tricks"]) == first - 1
            return
    raise AssertionError("no game came to its radio")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_r20_the_muted_seat_has_no_radio_decision(players: int) -> None:
    asked = set[object]()
    for seed in range(30):
        table = load(11, players, radio="until_all_pass").deal(seed=seed)
        assert phase(table) == "role"
        while table.turn is not None:
            if phase(table) == "radio":
                assert table.turn != fields(table)["S1"]
                asked.add(table.turn)
            table.play(table.legal()[0])
    assert len(asked) == players


# --- rulings: distress and five_pass ---


def test_r21_r39_a6_distress_comes_after_all_assignment_and_before_the_radio() -> None:
    table = load(27, 5, distress="vote", radio="one_round", five_pass="unanimous").deal(seed=3)
    met = [phase(table)]
    while phase(table) != "play":
        wanted = {"vote": "left", "offer": "keep", "radio": "quiet"}.get(phase(table))
        table.play(wanted or table.legal()[0])
        if phase(table) != met[-1]:
            met.append(phase(table))
    assert met == ["ask", "owner", "offer", "vote", "give", "radio", "play"]
    assert sorted(map(len, fields(table)["hands"])) == [8] * 5
    assert sum(card != "" for card in fields(table)["given"]) == 5


def test_r21_a_rocket_cannot_be_passed() -> None:
    table = load(9, distress="right").deal(seed=2)
    rockets = [card for card in fields(table)["hands"][table.turn or 0] if card[0] == "R"]
    assert rockets
    for card in rockets:
        assert f"give {card}" not in table.legal()
        assert "R21" in str(refusal(table, f"give {card}").rule)


def refusal(table: kibitz.Table, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        table.play(text)
    return caught.value


def test_r22_s1_stays_when_p9_moves() -> None:
    hands = fill(4, {0: "P9", 1: "P1 R4", 2: "P2", 3: "P3"}, {})
    table = setup(load(46, distress="left"), hands, 1)
    assert fields(table)["S1"] == 1
    moves(table, "1:give P1", "2:give P2", "3:give P3", "0:give P9")
    after = fields(table)
    assert ("P9" in after["hands"][1], after["S1"]) == (True, 1)


def test_r39_a_task_moves_once_with_its_token() -> None:
    table = until(load(36, 5, five_pass="unanimous").deal(seed=4), "offer")
    before = fields(table)
    commander = before["commander"]
    assert [text for text in table.legal() if text != "keep"]
    offer = next(text for text in table.legal() if text.startswith("offer"))
    card, to = offer[6:8], int(offer[9])
    moves(table, offer, *["yes"] * 4)
    after = fields(table)
    owners = dict(zip(before["tasks"], before["owners"], strict=True))
    changed = {
        task: seat for task, seat in zip(after["tasks"], after["owners"], strict=True) if owners[task] != seat
    }
    assert {task.split()[0]: seat for task, seat in changed.items()} == {card: to}
    assert (after["tasks"], phase(table), table.turn) == (before["tasks"], "play", commander)


def test_r39_all_four_answer_and_a_refused_offer_passes_the_turn() -> None:
    table = until(load(32, 5, five_pass="unanimous").deal(seed=4), "offer")
    first = fields(table)["actor"]
    before = fields(table)["owners"]
    asked = []
    table.play(next(text for text in table.legal() if text.startswith("offer")))
    while phase(table) == "consent":
        asked.append(table.turn)
        table.play("no" if len(asked) == 1 else "yes")
    assert asked == [(first + i) % 5 for i in range(1, 5)]
    assert (phase(table), table.turn, fields(table)["owners"]) == ("offer", (first + 1) % 5, before)


def test_r39_a_seat_without_task_has_nothing_to_offer() -> None:
    table = until(load(27, 5, five_pass="owner_only").deal(seed=5), "offer")
    owners = fields(table)["owners"]
    for _ in range(5):
        offers = len(table.legal()) - 1
        assert offers == (12 if table.turn == owners[0] else 0)
        table.play("keep")
    assert phase(table) == "play"


def test_r38_cd_not_to_the_commander_but_handed_on_to_it() -> None:
    table = until(load(27, 5, five_pass="owner_only").deal(seed=6), "owner")
    commander = fields(table)["commander"]
    assert table.legal() == [f"owner {seat}" for seat in range(5) if seat != commander]
    assert "R38" in str(refusal(table, f"owner {commander}").rule)
    assert fields(table)["tasks"] == []
    table.play(table.legal()[0])
    owner = fields(table)["owners"][0]
    assert fields(table)["owners"] == [owner] * 3
    for seat in range(5):
        assert table.view(seat=seat).core.to_dict()["tasks"] == fields(table)["tasks"]
    while table.turn != owner:
        table.play("keep")
    table.play(f"offer {fields(table)['tasks'][0][:2]} {commander}")
    assert sorted(fields(table)["owners"]) == sorted([owner, owner, commander])


def test_r37_the_commander_may_keep_tasks_and_five_pass_knows_no_quota() -> None:
    table = load(32, 5, five_pass="owner_only").deal(seed=7)
    commander = fields(table)["commander"]
    while phase(table) != "offer":
        mine = f"owner {commander}"
        table.play(mine if phase(table) == "owner" and mine in table.legal() else table.legal()[-1])
    owners = fields(table)["owners"]
    assert owners.count(commander) == 2
    table.play("keep")
    while not [text for text in table.legal() if text.startswith("offer") and text[-1] == str(commander)]:
        table.play("keep")
    table.play(
        next(text for text in table.legal() if text.startswith("offer") and text[-1] == str(commander))
    )
    assert fields(table)["owners"].count(commander) == 3


# --- rulings: single missions ---


@pytest.mark.parametrize("number", [5, 11, 33, 41])
def test_r23_a7_the_commander_is_not_s1(number: int) -> None:
    table = until(load(number).deal(seed=number), "role")
    commander = fields(table)["commander"]
    assert table.turn == commander
    assert table.legal() == [f"S1 {seat}" for seat in range(4) if seat != commander]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("number", [5, 29, 33, 34, 41, 50])
def test_r24_no_success_before_the_last_trick(number: int, players: int) -> None:
    game = load(number, players).core
    won = 0
    for seed in range(2000):
        end, _ = game.deal(seed).playout(_core.Rng(seed, "test r24"), "hint")
        if end.returns()[0]:
            won += 1
            assert len(end.to_dict()["tricks"]) == TRICKS[players]
    assert won > 0


@pytest.mark.parametrize(
    ("script", "after"),
    [
        ("0:B1 1:G2 2:P2 3:Y2", "success"),
        ("0:B5 1:R1 2:B6 3:B7", "open"),
        ("0:B2 1:B1 2:G1 3:P1", "open"),
        ("0:B2 1:B1 2:G1 3:P1 | 0:Y5 1:Y1 2:Y2 3:Y3", "failure"),
    ],
)
def test_r25_r26_mission_9(script: str, after: str) -> None:
    assert told(9, script) == after


@pytest.mark.parametrize(
    ("script", "after"), [("0:B2 1:B1 2:G1 3:P1", "failure"), ("0:B2 1:B1 2:G1 3:P2", "open")]
)
def test_r26_mission_26_fails_with_one_colour_1_left(script: str, after: str) -> None:
    assert told(26, script) == after


def test_r28_r4_wins_and_a_rocket_left_fails_after_trick_13() -> None:
    assert told(13, "0:R4 1:B1 2:B2 3:B3") == "open"
    assert told(13, "0:R4 1:R1 2:B2 3:B3") == "failure"
    table = won_by(13, [None] * 13, players=3, hold={0: "R2"}, keep="R2")
    assert (result(table), len(fields(table)["tricks"])) == ("failure", 13)


def test_r30_mission_17_waits_for_the_nines() -> None:
    script = "0:B8 1:B1 2:B2 3:B3 | 0:G1 1:G8 2:G2 3:G3"
    table = play(begin(17, script, tasks="B1 0, G1 1"), script)
    assert (table.score(), result(table)) == ([2], "open")


@pytest.mark.parametrize(
    ("number", "due", "after"),
    [
        (29, [0, 1, 2, 3], "open"),
        (29, [0, 1, 1], "failure"),
        (34, [0, 1, 0], "failure"),
        (34, [1], "failure"),  # the commander wins the first trick
        (34, [0, 1, 2, 3, 0, 1, 2, 3, 1, 0], "success"),  # R32: and a fifth
        (34, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1], "failure"),
    ],
)
def test_r31_r32_missions_29_and_34(number: int, due: list[int], after: str) -> None:
    assert result(won_by(number, due)) == after


@pytest.mark.parametrize(
    ("script", "after"),
    [
        ("0:B1 1:B9 2:B2 3:B3", "open"),
        ("0:B9 1:B1 2:B2 3:B3", "failure"),  # another wins the first
        ("0:B1 1:R1 2:B2 3:B3", "failure"),  # with a rocket
        ("0:B1 1:B9 2:B2 3:B3 | 1:G9 2:G1 3:G2 0:G3", "failure"),  # a trick between
        ("0:B1 1:B9 2:B2 3:B3 | 1:G1 2:G9 3:G2 0:G3", "open"),
    ],
)
def test_r33_mission_41(script: str, after: str) -> None:
    assert told(41, script, S1=1) == after


def test_r33_mission_41_to_the_end() -> None:
    first = [1, 0, 2, 3, 0, 2, 3, 0, 2]
    assert result(won_by(41, [*first, 1], success=True, S1=1)) == "success"
    assert result(won_by(41, [*first, 2], S1=1)) == "failure"


@pytest.mark.parametrize(
    ("script", "after"),
    [
        ("0:B1 1:B9 2:B2 3:B3", "open"),
        ("0:P8 1:P1 2:P2 3:P9", "failure"),
        ("0:B1 1:B9 2:B2 3:P9", "failure"),  # discarded
        ("0:B9 1:B1 2:B2 3:P9", "open"),
        ("0:P8 1:P1 2:R1 3:P9", "failure"),
        ("0:R4 1:P1 2:P2 3:P9", "open"),
    ],
)
def test_r34_mission_46(script: str, after: str) -> None:
    assert told(46, script, S1=0, hold={} if "P9" in script else {3: "P9"}) == after


def test_r35_mission_48_omega_with_others_and_only_in_the_last_trick() -> None:
    """Both tasks are seat 1's by the commander's decision."""
    mission = own("omega", tasks=2)
    mission["setup"][0]["reveal"], mission["setup"][1] = "after_assignment", ASSIGN
    mission["constraints"] = [{"type": "tasks", "completion": "last_trick"}]
    tasks = "Y9 1, Y8 1"
    hold = {0: "B1", 1: "Y9", 2: "Y8", 3: "G1"}
    table = won_by(mission, [*[None] * 8, 1], hold=hold, keep=" ".join(hold.values()), tasks=tasks)
    assert result(play(table, "1:Y9 2:Y8 3:G1 0:B1")) == "success"
    assert told(mission, "0:Y1 1:Y9 2:Y8 3:Y2", tasks=tasks) == "failure"
    assert told(48, "0:Y9 1:Y1 2:Y2 3:Y3", tasks="Y9 0, B1 1, B2 2") == "failure"


@pytest.mark.parametrize(
    ("players", "s2", "due", "after"),
    [
        (3, 0, [1, 1, 1, 1, *[2] * 8, 0], "success"),
        (3, 0, [1, 1, 1, 1, 0], "failure"),
        (3, 0, [1, 1, 1, 1, 2, 1], "failure"),
        (3, 0, [1, 2], "failure"),
        (5, 0, [1, 1, 1, 1, 2, 4, 3, 0], "success"),
        (5, 3, [1, 1, 1, 1, 2, 4, 0, 2], "failure"),
        (5, 3, [1, 1, 1, 1, 2, 3], "failure"),
    ],
)
def test_r36_mission_50(players: int, s2: int, due: list[int], after: str) -> None:
    assert result(won_by(50, due, players=players, S1=1, S2=s2)) == after


def test_r36_a8_the_commander_names_both_roles() -> None:
    table = until(load(50).deal(seed=8), "role")
    commander = table.turn
    assert table.legal() == [f"S1 {seat}" for seat in range(4)]
    table.play("S1 2")
    assert (table.turn, table.legal()) == (commander, ["S2 0", "S2 1", "S2 3"])


DRAW = [{"effect": "draw_from_right", "after_trick": 1}]


def test_r40_no_draw_when_the_mission_is_over() -> None:
    script = "0:B9 1:B1 2:B2 3:B3"
    table = play(begin(own(tasks=1, effects=DRAW), script, tasks="B2 0"), script)
    assert (result(table), fields(table)["drawn"]) == ("success", [])


def test_r40_to_r42_three_players_draw() -> None:
    script = "0:B9 1:B1 2:G9"  # seat 2 is void in blue
    tasks = "Y1 0, Y2 1, Y3 2, Y4 0"
    start = begin(12, script, players=3, tasks=tasks, hold={1: "B2"})
    table = play(start.game.setup(start.start, chance="manual"), script)
    held = fields(table)["hands"]
    for seat in range(3):
        cards = [text[5:] for text, _ in table.outcomes()]
        assert cards == held[seat]  # none that has just been received
        table.play("draw " + ("B2" if seat == 1 else cards[0]))
    after = fields(table)
    assert [len(hand) for hand in after["hands"]] == [13, 12, 12]
    assert after["owners"] == [0, 1, 2, 0]
    assert "B2" in after["hands"][2]


# --- assumptions, JARVIS ---


@pytest.mark.parametrize(("window", "rounds"), [("one_round", 1), ("until_all_pass", 2)])
def test_a1_rounds_of_radio(window: str, rounds: int) -> None:
    """Two of four seats speak in the first round; the other two may be asked again, and stay quiet."""
    table = load(own(), radio=window).deal(seed=11)
    asked = []
    while phase(table) == "radio":
        asked.append(table.turn)
        table.play(table.legal()[1] if len(asked) <= 2 else "quiet")
    first = fields(table)["commander"]
    order = [(first + i) % 4 for i in range(4)]
    assert asked == order + (order[2:] if rounds == 2 else [])


@pytest.mark.parametrize(
    ("votes", "sent"),
    [
        ("none none none none", ""),
        ("any any any any", ""),
        ("any left any any", "left"),
        ("right right right right", "right"),
        ("left left right any", ""),
        ("left left none any", ""),
    ],
)
def test_s3_a3_the_vote(votes: str, sent: str) -> None:
    table = moves(load(own(), distress="vote").deal(seed=12), *votes.split())
    assert (fields(table)["distress"], phase(table)) == (sent, "give" if sent else "play")


def jarvis(mission: Mission, seed: int, **options: Any) -> kibitz.Table:
    return load(mission, 2, **options).deal(seed=seed)


def test_jarvis_plays_face_up_cards_by_the_commander() -> None:
    table = jarvis(own(), 13)
    seat, commander = fields(table)["jarvis"], fields(table)["commander"]
    turned = 0
    while table.turn is not None:
        now = fields(table)
        up = [column.split("/")[0] for column in now["display"]]
        if now["actor"] == seat:
            assert table.turn == commander
            assert set(table.legal()) <= set(up)
            assert table.view(seat=commander).legal() == table.legal()
            assert all(
                "/x" in text or "/" not in text
                for text in table.view(seat=commander).core.to_dict()["display"]
            )
        table.play(table.legal()[0])
        turned += any(event.startswith("*:turn") for event in table.record[-1:])
    assert turned > 0
    assert len(fields(table)["tricks"]) == 13


def test_jarvis_is_no_s1_in_mission_11_but_elsewhere() -> None:
    table = until(jarvis(11, 14), "role")
    assert len(table.legal()) == 1
    table = until(jarvis(33, 14), "role")
    assert len(table.legal()) == 2


# --- random play ---


def attempts(number: int, players: int) -> tuple[list[float], list[int]]:
    """Returns and lengths of 10,000 uniformly random games."""
    game, rng = load(number, players).core, _core.Rng(100 * number + players, "test rates")
    ends = [game.deal(100_000 * number + seed).playout(rng)[0] for seed in range(10_000)]
    return [end.returns()[0] for end in ends], [len(end.to_dict()["tricks"]) for end in ends]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_play_succeeds_as_often_as_measured_elsewhere(players: int) -> None:
    """Every third mission. The table's figures are of 10,000 games too; 4 standard errors of the difference."""
    for number in range(1 + players % 3, 51, 3):
        results, lengths = attempts(number, players)
        row = RANDOM_PLAY[str(number)][str(players)]
        rate, mean = sum(results) / 10_000, sum(lengths) / 10_000
        both = (rate + row["success"]) / 2
        assert abs(rate - row["success"]) <= 4 * math.sqrt(2 * both * (1 - both) / 10_000), number
        spread = math.sqrt(sum((length - mean) ** 2 for length in lengths) / 10_000)
        rounded = 0.005  # the table has two decimals
        assert abs(mean - row["mean_tricks"]) <= 4 * spread * math.sqrt(2 / 10_000) + rounded, number
