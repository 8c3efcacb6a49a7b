"""The core against a reference in plain Python by an author who had not read it: `reference/compare_thecrew.py`.

40 games of every mission with 3, 4 and 5 players, half of them by seats that keep the mission alive, under all options
in turn; a dozen each with JARVIS, in the challenge, and of plain tasks; missions that the fifty do not have. Views,
legal texts, masks and the truth at every ply, every row of the table "When each constraint is decided" in both columns.
With 40 games everywhere: `PYTHONPATH=tests python -m reference.compare --games 40 thecrew`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from kibitz import _core
from reference.compare_thecrew import CONDITIONS, Condition, cell, run, switches
from reference.thecrew import Mission, missions

PLAYERS = (3, 4, 5)
GAMES = 40  # of a mission with so many players
OTHERS = 12


# --- helpers ---


def conditions(row: str, *wanted: str) -> set[Condition]:
    """Those of a row of the table; all if none is named."""
    return {c for c in CONDITIONS if c[0] == row and (c[2] in wanted or not wanted)}


def played(tables: Sequence[dict[str, Any]], numbers: Sequence[int], games: int) -> Counter[Condition]:
    """So many games of each mission at each table; what decided them."""
    met = Counter[Condition]()
    for table, mission in product(tables, numbers):
        report = run(cell(games, mission=mission, **table))
        assert report.fault == ""
        assert report.steps > 12 * games
        met += report.met
    return met


def group_of(mission: Mission) -> str:
    """The row, besides tasks, that a mission is here for; of tasks in any trick their tokens."""
    kinds = [rule["type"] for rule in mission["constraints"] if rule["type"] != "tasks"]
    if kinds:
        return GROUPS[kinds[0]]
    if mission["constraints"][0]["completion"] == "last_trick":
        return "last trick"
    tokens = {"a": "arrows", "o": "omega"}
    found = {tokens.get(token[0], "numbers") for token in mission["tokens"]}
    return max(found, default="no tokens")  # mission 28 has numbers and omega


GROUPS = {
    **dict.fromkeys(("tricks_won", "win_positions", "no_winning_suit", "balanced"), "tricks and positions"),
    **dict.fromkeys(("winning_value_at_least", "winning_value_forbidden"), "values"),
    "each_card_wins": "rockets",
    "win_all_of_suit": "pink",
}
TASKS = ("wrong winner", "pending after the last trick", "all completed")
EXPECTED: dict[str, set[Condition]] = {
    "no tokens": conditions("tasks", *TASKS),
    "numbers": conditions("tasks", *TASKS, "number out of order"),
    "arrows": conditions("tasks", *TASKS, "arrow out of order"),
    "omega": conditions("tasks", *TASKS, "number out of order", "omega too early"),
    "last trick": conditions("tasks in the last trick"),
    **{group: set[Condition]() for group in GROUPS.values()},
}
for _row, _group in GROUPS.items():
    EXPECTED[_group] |= conditions(_row)


# --- the fifty missions, and the table ---


@pytest.mark.parametrize("group", EXPECTED)
def test_missions_and_the_conditions_that_decide_them(group: str) -> None:
    numbers = [number for number, mission in missions().items() if group_of(mission) == group]
    met = played([{"players": players} for players in PLAYERS], numbers, GAMES)
    assert met.keys() >= EXPECTED[group], EXPECTED[group] - met.keys()


def test_every_condition_of_the_table_is_expected_somewhere() -> None:
    assert set().union(*EXPECTED.values()) == set(CONDITIONS)
    assert {group_of(mission) for mission in missions().values()} == EXPECTED.keys()


@pytest.mark.parametrize("challenge", [False, True])
def test_missions_with_jarvis(challenge: bool) -> None:
    played([{"players": 2, "challenge": challenge}], range(1, 51), OTHERS)


def test_missions_in_the_challenge() -> None:
    played([{"players": 3, "challenge": True}], range(1, 51), OTHERS)


# --- beside the fifty ---


@pytest.mark.parametrize("owners", ["draft", "random"])
@pytest.mark.parametrize("players", [2, *PLAYERS])
def test_plain_tasks(players: int, owners: str) -> None:
    for tasks in range(1, 11):
        assert run(cell(OTHERS, players=players, tasks=tasks, owners=owners)).fault == ""


DEAD = {"mode": "dead_zone", "from_trick": 2}
NINE = {"step": "announce_holder", "card": "Y5", "role": "S2", "seat": "left_of_holder"}
LATE = [{"effect": "draw_from_right", "after_trick": 4}]
DISTRESS = {"step": "distress"}
ENDLESS = {"type": "tricks_won", "who": "commander", "min": 0, "max": 13}
OWN: dict[str, dict[str, Any]] = {
    "draw after trick 4": {"setup": [DISTRESS], "constraints": [ENDLESS], "effects": LATE},
    "draw and dead zone": {
        "setup": [DISTRESS],
        "constraints": [ENDLESS],
        "effects": [{"effect": "draw_from_right", "after_trick": 2}],
        "communication": DEAD,
    },
    "draw and announced card": {"setup": [NINE, DISTRESS], "constraints": [ENDLESS], "effects": LATE},
    "two roles, one muted": {
        "setup": [
            NINE,
            {"step": "ask", "replies": ["good", "bad"]},
            {"step": "pick_role", "role": "S1", "candidates": "all", "jarvis": True},
            {"step": "mute", "role": "S2"},
            DISTRESS,
        ],
        "constraints": [
            {"type": "win_positions", "who": "S1", "tricks": [-1, 3], "exclusive": False},
            {"type": "no_winning_suit", "who": "S2", "suit": "G"},
        ],
    },
    "everything for tasks": {
        "setup": [
            {"step": "deal_tasks", "n": 6, "tokens": ["omega", "a2", "3", "a1"], "reveal": "all"},
            {"step": "edit_tokens", "kind": "move_one"},
            {"step": "draft"},
            {"step": "five_pass"},
            DISTRESS,
        ],
        "constraints": [{"type": "tasks", "completion": "any_trick"}],
        "communication": DEAD,
    },
}


@pytest.mark.parametrize("players", [2, *PLAYERS])
@pytest.mark.parametrize("name", OWN)
def test_missions_of_ones_own(name: str, players: int) -> None:
    assert run(cell(24, players=players, own_mission=OWN[name])).fault == ""


# --- that nothing is left out ---


def test_every_option_is_covered() -> None:
    """Each value of each option that does not name the mission is among those played in turn."""
    fixed = {"players", "mission", "tasks", "own_mission", "owners", "challenge"}
    options = [option for option in _core.info("thecrew")["options"] if option["name"] not in fixed]
    for games, players in ((GAMES, 5), (OTHERS, 2)):
        met = {
            (option["name"], given[option["name"]], alive)
            for mission in range(1, 51)
            for given, _, alive in cell(games, players=players, mission=mission)
            for option in options
        }
        names = {option["name"] for option in options} - ({"five_pass"} if players < 5 else set())
        assert met >= {
            (option["name"], value, alive)
            for option in options
            if option["name"] in names
            for value in option["choices"]
            for alive in (False, True)
        }
    assert len(switches(5)) == 36
    assert len(switches(4)) == 12


def test_half_of_the_games_keep_the_mission_alive() -> None:
    games = list(cell(GAMES, players=4, mission=1))
    won = [run([game]).met["tasks", "safe", "all completed"] for game in games]
    assert [alive for _, _, alive in games].count(True) == GAMES // 2
    assert sum(won[1::2]) > sum(won[::2])
