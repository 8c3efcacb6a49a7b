"""The campaign: attempts and distress signals are counted as the rules say, and nothing of it gets lost."""

import copy
import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import Campaign, cli
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition
from kibitz.logbook import LogEntry, journey

GREEDY = kibitz.Bot("greedy")
Act = Callable[[kibitz.View], str]


def entry(mission: Any, attempts: Any, *, won: Any) -> LogEntry:
    """A line of a log, of whatever types."""
    return LogEntry(mission, attempts, distress=False, won=won)


def voting(word: str) -> Act:
    """Greedy, but for its vote on the distress signal."""
    return lambda view: word if word in view.legal() else GREEDY.act(view)


def finish(table: kibitz.Table, act: Act = GREEDY.act) -> kibitz.Table:
    while table.turn is not None:
        table.play(act(table.view()))
    return table


def won(table: kibitz.Table) -> bool:
    return table.returns() == [1.0] * table.game.seats


def deals_that_go(mission: int, *course: tuple[bool, Act]) -> Campaign:
    """A campaign whose first attempts at its first mission, played so, are lost and won so."""
    return next(
        campaign
        for campaign in (Campaign(missions=[mission, mission + 1], seed=seed) for seed in count())
        if all(
            won(finish(campaign.deal(mission=mission, attempt=attempt), act)) == good
            for attempt, (good, act) in enumerate(course, 1)
        )
    )


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Five missions, won."""
    campaign = Campaign(missions=range(1, 6), seed=3, players=3)
    campaign.play(GREEDY)
    return campaign


# --- counting ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_attempt_counts(players: int) -> None:
    campaign = Campaign(missions=range(1, 8), seed=2, players=players)
    campaign.play(GREEDY)
    log = []
    for mission in range(1, 8):  # plainly
        attempts = 1
        while not won(finish(campaign.deal(mission=mission, attempt=attempts))):
            attempts += 1
        log.append(LogEntry(mission=mission, attempts=attempts, distress=False, won=True))
    assert campaign.log == tuple(log)
    assert campaign.score == campaign.attempts == sum(entry.attempts for entry in log) > 7
    assert (campaign.done, campaign.mission, campaign.attempt) == (True, None, None)


def test_a_lost_attempt_is_repeated_with_new_cards_and_tasks() -> None:
    campaign = deals_that_go(4, (False, GREEDY.act))
    first = campaign.deal()
    campaign.enter(finish(campaign.deal()))
    assert (campaign.mission, campaign.attempt, campaign.done) == (4, 2, False)
    second = campaign.deal()
    assert second.seed != first.seed
    assert second.start["hands"] != first.start["hands"]
    assert second.start["tasks"] != first.start["tasks"]


# W10 of the rules: sent in attempt 2, success in attempt 3, never used again: 3 + 1 = 4.
def test_w10_a_distress_signal_costs_one() -> None:
    course = [(False, GREEDY.act), (False, voting("left")), (True, GREEDY.act)]
    campaign = deals_that_go(4, *course)
    for attempt, (_, act) in enumerate(course, 1):
        assert campaign.attempt == attempt
        campaign.enter(finish(campaign.deal(), act))
        campaign = Campaign.from_json(campaign.to_json())
    assert campaign.log == (LogEntry(mission=4, attempts=3, distress=True, won=True),)
    assert (campaign.attempts, campaign.log[0].score, campaign.score) == (3, 4, 4)


def test_once_sent_it_costs_no_more_in_that_mission() -> None:
    course = [(False, voting("left")), (False, voting("right")), (True, voting("left"))]
    campaign = deals_that_go(4, *course)
    for _, act in course:
        campaign.enter(finish(campaign.deal(), act))
    assert (campaign.attempts, campaign.score) == (3, 4)


def test_the_signal_is_unused_again_in_the_next_mission() -> None:
    campaign = Campaign(missions=[1, 2], seed=1)
    campaign.play([voting("left")], max_attempts=1000)
    assert [entry.distress for entry in campaign.log] == [True, True]
    assert campaign.score == campaign.attempts + 2
    campaign = Campaign(missions=[1, 2], seed=1, log=[LogEntry(1, 1, distress=True, won=True)])
    campaign.play(voting("none"))
    assert [entry.distress for entry in campaign.log] == [True, False]


@pytest.mark.parametrize(
    ("distress", "sent"), [("vote", False), ("off", False), ("left", True), ("right", True)]
)
def test_without_a_vote_it_is_never_or_always_sent(distress: str, sent: bool) -> None:
    campaign = Campaign(missions=[1, 2, 3], seed=1, distress=distress)
    campaign.play(GREEDY, max_attempts=1000)
    assert [entry.distress for entry in campaign.log] == [sent] * 3
    assert campaign.score == campaign.attempts + 3 * sent


# --- missions ---


@pytest.mark.parametrize(
    ("arguments", "missions"),
    [
        ({}, range(1, 51)),
        ({"length": "full"}, range(1, 51)),
        *(({"length": n}, range(1, n + 1)) for n in (1, 5, 10, 25, 50, 7)),
        ({"length": 5, "first": 7}, range(7, 12)),
        ({"length": 25, "first": 40}, range(40, 51)),
        ({"first": 50}, [50]),
    ],
)
def test_journey(arguments: dict[str, Any], missions: list[int]) -> None:
    assert list(journey(**arguments)) == list(missions)
    assert Campaign(missions=journey(**arguments)).missions == tuple(missions)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"length": 0}, "cannot have 0 missions; it is 'full', or a whole number from 1 to 50"),
        ({"length": 51}, "cannot have 51"),
        ({"length": "long"}, "cannot have 'long'"),
        ({"length": None}, "cannot have None"),
        ({"length": 5.0}, "cannot have 5.0"),
        ({"first": 0}, "first cannot be 0"),
        ({"first": 51}, "first cannot be 51"),
    ],
)
def test_what_is_no_journey(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        journey(**arguments)


def test_options_hold_for_every_mission() -> None:
    options: dict[str, Any] = {"players": 3, "challenge": True, "distress": "off", "radio": "off"}
    options["five_pass"] = "owner_only"
    campaign = Campaign(missions=[5, 12], **options)
    assert campaign.options == options
    for mission in (5, 12):
        chosen = campaign.deal(mission=mission).game.options
        assert {name: chosen[name] for name in options} == options
        assert chosen["mission"] == mission


def test_all_missions_can_be_dealt() -> None:
    campaign = Campaign(seed=4, players=5)
    tables = [campaign.deal(mission=mission) for mission in campaign.missions]
    assert [table.game.options["mission"] for table in tables] == list(range(1, 51))
    assert len({table.seed for table in tables}) == 50


def test_each_attempt_can_be_dealt_again(played: Campaign) -> None:
    again = Campaign(missions=range(1, 6), seed=3, players=3)
    for entry in played.log:
        for attempt in range(1, entry.attempts + 1):
            table = played.deal(mission=entry.mission, attempt=attempt)
            assert table == again.deal()
            again.enter(finish(table))
    assert again == played


# --- what is entered ---


def other_chance(table: kibitz.Table) -> kibitz.Table:
    """The same deal, in which chance brings something else later."""
    other = kibitz.Table(table.game, table.start, seed=table.seed ^ 1)
    assert other.start == table.start
    return other


def test_only_the_next_attempt_at_its_end_is_entered() -> None:
    campaign = deals_that_go(12, (False, GREEDY.act))
    campaign.enter(finish(campaign.deal()))
    before = copy.deepcopy(campaign)
    assert (campaign.mission, campaign.attempt) == (12, 2)
    unfinished = campaign.deal()
    unfinished.play(unfinished.legal()[0])
    for table, said in (
        (campaign.deal(), "not at its end: seat . is to act"),
        (unfinished, "not at its end: seat . is to act"),
        (finish(campaign.deal(attempt=1)), "not attempt 2 at mission 12"),  # entered before
        (finish(campaign.deal(attempt=3)), "not attempt 2 at mission 12"),
        (finish(campaign.deal(mission=13)), "mission=13"),
        (finish(kibitz.load("thecrew", mission=12, players=3).deal(seed=1)), "players=3"),
        (finish(kibitz.load("thecrew", mission=12, radio="off").deal(seed=1)), "radio='off'"),
        (finish(kibitz.load("thecrew", mission=12).deal(seed=1)), "has other cards"),
        (finish(kibitz.load("kami", rounds=1).deal(seed=1)), "kami"),
        (finish(Campaign(missions=[12], seed=campaign.seed + 1).deal(attempt=2)), "has other cards"),
    ):
        with pytest.raises(InvalidPosition, match=said):
            campaign.enter(table)
        assert campaign == before
    table = finish(campaign.deal())
    things: list[Any] = [None, "table", table.view(seat=0), table.to_dict()]
    for thing in things:
        with pytest.raises(InvalidOption, match="A table is entered, not"):
            campaign.enter(thing)
    assert campaign == before
    campaign.enter(finish(campaign.deal()))
    assert campaign.attempts == 2


def test_chance_is_that_of_the_seed() -> None:
    """In mission 12 cards are drawn after the first trick."""
    campaign = next(
        each
        for each in (Campaign(missions=[12], seed=seed) for seed in count())
        if any(event.startswith("*:draw") for event in finish(each.deal()).record)
        and finish(other_chance(each.deal())).record != finish(each.deal()).record
    )
    with pytest.raises(InvalidPosition, match="chance brought something else"):
        campaign.enter(finish(other_chance(campaign.deal())))
    manual = campaign.deal().game.deal(seed=campaign.deal().seed, chance="manual")
    for event in finish(campaign.deal()).record:
        manual.play(event)
    campaign.enter(manual)  # played by hand, and the same
    assert campaign.attempts == 1


def test_a_table_from_a_file_is_as_good() -> None:
    campaign = Campaign(missions=[1], seed=1)
    half = campaign.deal()
    for _ in range(7):
        half.play(GREEDY.act(half.view()))
    campaign.enter(finish(kibitz.Table.from_json(half.to_json())))
    assert campaign.attempts == 1


def test_moves_taken_back_leave_no_trace() -> None:
    campaign = Campaign(missions=[1], seed=1)
    table = campaign.deal()
    for _ in range(7):
        table.play(GREEDY.act(table.view()))
    table.undo(3)
    campaign.enter(finish(table))
    assert campaign.attempts == 1


# --- a campaign that is over ---


def test_nothing_comes_after_the_last_mission(played: Campaign) -> None:
    before = copy.deepcopy(played)
    table = finish(played.deal(mission=5, attempt=played.log[-1].attempts))
    nothing: Any = None
    for attempt in (played.deal, lambda: played.enter(table), lambda: played.enter(nothing)):
        with pytest.raises(InvalidPosition, match="over: all its missions are won"):
            attempt()
    played.play(voting("left"), max_attempts=1)  # nothing to do
    assert played == before
    assert repr(played).endswith(f"done, score {played.score}>")
    assert played.notes()[0].endswith("all won.")
    assert Campaign.from_json(played.to_json()).done


# --- bots ---


def test_bots_sit_one_a_seat() -> None:
    seen: list[tuple[int, int]] = []

    def at(place: int) -> Act:
        def act(view: kibitz.View) -> str:
            seen.append((place, view.seat))
            return GREEDY.act(view)

        return act

    campaign = Campaign(missions=[1], seed=1)
    campaign.play([at(place) for place in range(4)])
    assert set(seen) == {(place, place) for place in range(4)}
    one = Campaign(missions=[1], seed=1)
    one.play(GREEDY)
    assert campaign == one


def test_two_players_have_three_seats() -> None:
    campaign = Campaign(missions=[1], seed=1, players=2)
    with pytest.raises(InvalidOption, match="needs 1 bot for all, or 3, one a seat, not 2"):
        campaign.play([GREEDY, GREEDY])
    campaign.play([GREEDY] * 3)
    assert campaign.done


def test_bots_stop_at_the_limit_and_go_on_beyond_it() -> None:
    campaign = deals_that_go(4, (False, GREEDY.act), (False, GREEDY.act))
    straight = copy.deepcopy(campaign)
    straight.play(GREEDY)
    for limit in (1, 2, 2, 1):
        before = campaign.attempts
        campaign.play(GREEDY, max_attempts=limit)
        assert campaign.attempts == max(before, limit)
        assert not campaign.done
    campaign.play(GREEDY)
    assert campaign == straight


@pytest.mark.parametrize("bad", [lambda view: "X9", lambda view: 1 / 0])
def test_a_bot_that_fails_loses_its_attempt_alone(bad: Act, tmp_path: Path) -> None:
    def act(view: kibitz.View) -> str:
        return bad(view) if view.game.options["mission"] == 2 else GREEDY.act(view)

    campaign = Campaign(missions=[1, 2], seed=1)
    with pytest.raises((IllegalMove, ZeroDivisionError)):
        campaign.play(act, path=tmp_path / "log.json")
    assert (campaign.mission, campaign.attempt) == (2, 1)
    assert Campaign.resume(tmp_path / "log.json") == campaign


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    campaign = Campaign(missions=[1, 2, 3], seed=1, log=[LogEntry(1, 1, distress=False, won=True)])
    campaign.play(GREEDY, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2)
    assert len(told) == campaign.attempts - 1


# --- odd arguments ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        *(
            ({"missions": missions}, "missions cannot be .*from 1 to 50, each once and in ascending order")
            for missions in ([], [0], [51], [2, 1], [1, 1], 5, None, "1", ["1"], [1.0], [True], [None], count(1), [-1])
        ),
        ({"seed": -1}, "seed cannot be -1"),
        ({"seed": 2**64}, "seed cannot be"),
        ({"seed": None}, "seed cannot be None"),
        ({"mission": 3}, "A campaign has no option 'mission'. Options: players, challenge"),
        ({"tasks": 3}, "no option 'tasks'"),
        ({"owners": "random"}, "no option 'owners'"),
        ({"own_mission": {}}, "no option 'own_mission'"),
        ({"player": 3}, "no option 'player'; did you mean 'players'"),
        ({"players": 6}, "players cannot be 6"),
        ({"players": 4, "challenge": True}, "challenge"),
        ({"distress": "up"}, "distress cannot be 'up'"),
    ],
)  # fmt: skip
def test_odd_argument(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Campaign(**arguments)


@pytest.mark.parametrize("missions", [range(3, 6), (3, 4, 5), iter([3, 4, 5]), {3: 0, 4: 0, 5: 0}])
def test_missions_in_any_form(missions: Any) -> None:
    assert Campaign(missions=missions).missions == (3, 4, 5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"mission": 6}, "mission cannot be 6; the campaign has missions 1 to 5"),
        ({"mission": "1"}, "mission cannot be '1'"),
        ({"mission": 1.0}, "mission cannot be 1.0"),
        ({"mission": 1, "attempt": 0}, "attempt cannot be 0"),
        ({"attempt": "1"}, "attempt cannot be '1'"),
    ],
)
def test_odd_deal(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Campaign(missions=range(1, 6)).deal(**arguments)


@pytest.mark.parametrize(
    ("bots", "arguments", "said"),
    [
        ("greedy", {}, "'greedy' is no bot"),
        ([], {}, "needs 1 bot for all, or 4, one a seat, not 0"),
        ([GREEDY] * 5, {}, "not 5"),
        (None, {}, "None is no bot"),
        (kibitz.Bot, {}, "is a class"),
        (GREEDY, {"max_attempts": 0}, "max_attempts cannot be 0"),
        (GREEDY, {"max_attempts": None}, "max_attempts cannot be None"),
        (GREEDY, {"path": 3}, "path cannot be 3"),
        (GREEDY, {"path": ""}, "path cannot be ''"),
        (GREEDY, {"path": "a\0b"}, "path cannot be"),
        (GREEDY, {"path": b"log"}, "path cannot be b'log'"),
        (GREEDY, {"progress": "yes"}, "progress cannot be 'yes'"),
    ],
)
def test_odd_play(bots: object, arguments: dict[str, Any], said: str) -> None:
    campaign = Campaign(missions=[1], seed=1)
    with pytest.raises(InvalidOption, match=said):
        campaign.play(bots, **arguments)
    assert campaign == Campaign(missions=[1], seed=1)


# --- forms ---


def test_forms_of_the_log(played: Campaign) -> None:
    lines = str(played).splitlines()
    assert lines[0].split() == ["mission", "attempts", "distress", "score", "result"]
    assert [line.split()[0] for line in lines[1:6]] == ["1", "2", "3", "4", "5"]
    assert lines[6] == "The Crew, missions 1 to 5, players 3, seed 3: all won."
    assert lines[7].startswith(f"Score {played.score}: {played.attempts} attempts")
    assert played._repr_html_().startswith("<table>")
    assert played.__rich__().row_count == 5
    assert json.loads(played.to_json())["score"] == played.score
    assert set(Campaign.json_schema()["properties"]) == set(played.to_dict())


def test_an_open_mission_and_a_signal_show() -> None:
    log = [LogEntry(4, 1200, distress=True, won=False)]
    campaign = Campaign(missions=[4], seed=7, players=3, challenge=True, log=log)
    assert str(campaign) == (
        "mission  attempts  distress  score  result\n"
        "      4     1,200  sent      1,201  open\n"
        "The Crew, mission 4, players 3, challenge True, seed 7: 0 of 1 won.\n"
        "Score 1,201: 1,200 attempts, and 1 for distress signals.\n"
        "Next: attempt 1,201 at mission 4."
    )


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_and_copies(played: Campaign, protocol: int) -> None:
    for campaign in (played, Campaign(seed=5), Campaign(missions=[2, 9], players=2, distress="off")):
        for other in (
            pickle.loads(pickle.dumps(campaign, protocol)), copy.copy(campaign), copy.deepcopy(campaign)
        ):  # fmt: skip
            assert other == campaign
            assert other is not campaign
            assert (str(other), repr(other)) == (str(campaign), repr(campaign))


def test_numbers_may_be_of_any_integer_type() -> None:
    one: Any = np.int64(1)
    four: Any = np.int64(4)
    seed: Any = np.uint64(2**64 - 1)
    missions = np.array([3, 4])
    campaign = Campaign(missions=missions, seed=seed, log=[entry(np.int64(3), np.int8(2), won=True)])
    assert Campaign.from_json(campaign.to_json()) == campaign
    assert campaign.deal(mission=four, attempt=one) == campaign.deal()


def test_a_copy_goes_its_own_way() -> None:
    campaign = Campaign(missions=[1, 2], seed=1)
    other = copy.copy(campaign)
    other.play(GREEDY)
    assert campaign.log == ()
    assert campaign != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(campaign)


@pytest.mark.parametrize(
    "arguments",
    [{"seed": 2}, {"missions": [1]}, {"players": 3}, {"log": [LogEntry(1, 1, distress=False, won=False)]}],
)
def test_what_differs_is_not_equal(arguments: dict[str, Any]) -> None:
    assert Campaign(**{"missions": [1, 2], "seed": 1, **arguments}) != Campaign(missions=[1, 2], seed=1)
    assert Campaign(missions=[1, 2], seed=1) != "campaign"


# --- documents ---


def document() -> dict[str, Any]:
    """Missions 3 won with a signal, 7 won, 9 open, 11 to come."""
    log: list[dict[str, Any]] = [
        {"mission": 3, "attempts": 2, "distress": True, "won": True},
        {"mission": 7, "attempts": 1, "distress": False, "won": True},
        {"mission": 9, "attempts": 4, "distress": False, "won": False},
    ]
    return Campaign(missions=[3, 7, 9, 11], seed=1, log=[LogEntry(**each) for each in log]).to_dict()


def test_the_document_is_the_campaign() -> None:
    campaign = Campaign.from_json(document())
    assert (campaign.mission, campaign.attempt, campaign.attempts, campaign.score) == (9, 5, 7, 8)
    assert campaign.to_dict() == document()
    for form in (json.dumps(document()), json.dumps(document()).encode(), document()):
        assert Campaign.from_json(form) == campaign


def test_a_short_document_has_defaults() -> None:
    assert Campaign.from_json('{"game": "thecrew"}') == Campaign()


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(found: Any) -> None:
        for part in path[:-1]:
            found = found[part]
        found[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(found: Any) -> None:
        for part in path[:-1]:
            found = found[part]
        del found[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # tampered with
        (put("log", 0, "attempts", value=1), "'score' is 8, but the log counts 7"),
        (put("log", 0, "distress", value=False), "'score' is 8, but the log counts 7"),
        (put("score", value=3), "'score' is 3, but the log counts 8"),
        (put("log", 0, "won", value=False), "log[1]: mission 3 before it is not won"),
        (put("log", 0, "mission", value=7), "log[0]: mission cannot be 7; the next one is 3"),
        (put("log", 1, "mission", value=8), "log[1]: mission cannot be 8; the next one is 7"),
        (drop("log", 0), "log[0]: mission cannot be 7; the next one is 3"),
        (drop("log", 1), "log[1]: mission cannot be 9; the next one is 7"),
        (put("missions", value=[3, 7]), "log[2]: the campaign ends with mission 7"),
        (put("options", "distress", value="off"), "log[0]: with distress='off' the signal is never sent"),
        (put("options", "distress", value="left"), "log[1]: with distress='left' the signal is always sent"),
        (put("log", 0, "attempts", value=0), "'log[0].attempts' cannot be 0"),
        (put("log", 0, "attempts", value=10**30), "'log[0].attempts' cannot be 1000"),
        # another form
        (put("log", 0, "attempts", value="2"), "'log[0].attempts' cannot be '2'; it should be a whole number"),
        (put("log", 0, "attempts", value=2.0), "'log[0].attempts' cannot be 2.0; it should be a whole number"),
        (put("log", 0, "attempts", value=True), "'log[0].attempts' cannot be True; it should be a whole number"),
        (put("log", 0, "won", value=1), "'log[0].won' cannot be 1; it should be true or false"),
        (put("log", 0, "lost", value=1), "has no key 'log[0].lost'. Keys: mission, attempts, distress, won"),
        (drop("log", 0, "distress"), "has no key 'log[0].distress', which is needed"),
        (put("log", 1, value=7), "'log[1]' cannot be 7; it should be an object"),
        (put("log", value={}), "'log' cannot be {}; it should be a list"),
        (put("log", value=[{}] * 51), "'log' cannot be"),
        (put("missions", value=3), "'missions' cannot be 3; it should be a list"),
        (put("missions", 0, value="3"), "'missions[0]' cannot be '3'; it should be a whole number"),
        (put("missions", value=list(range(60))), "a list of at most 50"),
        (put("seed", value=-1), "'seed' cannot be -1"),
        (put("seed", value=2**64), "'seed' cannot be"),
        (put("options", value=[]), "'options' cannot be []; it should be an object"),
        (put("options", "players", value=4.5), "'options.players' cannot be 4.5"),
        (put("kibitz", value=2), "'kibitz' is 2; this version reads documents of format 1"),
        (put("rules", value="thecrew/9"), "'rules' is 'thecrew/9', but this version plays 'thecrew/1'"),
        (put("game", value="kami"), "'game' cannot be 'kami'; it should be 'thecrew'"),
        (drop("game"), "has no key 'game', which is needed"),
        (put("mission", value=3), "has no key 'mission'; did you mean 'missions'?"),
        (put("\ud800", value=3), "has a key that cannot be read"),
        (put(7, value=3), "has a key that is no text: 7"),
    ],
)  # fmt: skip
def test_a_document_that_is_wrong_says_where(change: Callable[[dict[str, Any]], None], said: str) -> None:
    wrong = document()
    change(wrong)
    with pytest.raises(InvalidPosition, match=re.escape(said)) as caught:
        Campaign.from_json(wrong)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("missions", value=[]), "missions cannot be []"),
        (put("missions", value=[7, 3]), "ascending order"),
        (put("missions", value=[3, 7, 9, 51]), "from 1 to 50"),
        (put("options", "players", value=7), "players cannot be 7"),
        (put("options", "mission", value=7), "no option 'mission'"),
        (put("options", "seed", value=7), "no option 'seed'"),
        (put("options", "log", value="x"), "no option 'log'"),
    ],
)
def test_a_document_of_missions_or_options_that_are_not_allowed(
    change: Callable[[dict[str, Any]], None], said: str
) -> None:
    wrong = document()
    change(wrong)
    with pytest.raises(InvalidOption, match=re.escape(said)):
        Campaign.from_json(wrong)


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (None, "A log is a list of LogEntry, not None"),
        ("log", "A log is a list of LogEntry"),
        ([{"mission": 3}], "A log is a list of LogEntry"),
        ([entry(3, 0, won=True)], "attempts cannot be 0"),
        ([entry(3, 1.5, won=True)], "attempts cannot be 1.5"),
        ([entry(3, 1, won=1)], "won cannot be 1; it is True or False"),
        ([entry("3", 1, won=True)], "mission cannot be '3'"),
    ],
)
def test_what_is_no_log(log: Any, said: str) -> None:
    with pytest.raises(InvalidPosition, match=re.escape(said)):
        Campaign(missions=[3, 4], log=log)


# --- files ---


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[1]", "JSON object"),
        (b'{"\xff": 1}', "not UTF-8"),
        (b'{"game": "thecrew", "game": "thecrew"}', "'game' is given twice"),
        (b'{"game": "thecrew", "seed": NaN}', "NaN is no JSON number"),
        (b" " * (1 << 21), "at most"),
        (kibitz.load("thecrew").deal(seed=1).to_json().encode(), "A campaign has no key '"),
        (kibitz.load("kami").deal(seed=1).to_json().encode(), "'game' cannot be 'kami'"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_and_kept(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(data)
    with pytest.raises(InvalidPosition, match=re.escape(said)):
        Campaign.resume(path)
    assert path.read_bytes() == data


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Campaign.resume(tmp_path / "log.json")
    with pytest.raises(FileNotFoundError):
        Campaign(missions=[1]).save(tmp_path / "no" / "log.json")
    nowhere: Any = None
    with pytest.raises(InvalidOption, match="path cannot be None"):
        Campaign.resume(nowhere)


def test_a_file_is_whole_and_alone(played: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text("something else", "utf-8")
    played.save(path)
    played.save(str(path))
    assert Campaign.resume(path) == Campaign.resume(str(path)) == played
    assert [each.name for each in tmp_path.iterdir()] == ["log.json"]


@pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")
def test_a_link_stays_one(played: Campaign, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "log.json"
    link.symlink_to(tmp_path / "there" / "log.json")
    played.save(link)
    assert link.is_symlink()
    assert Campaign.resume(tmp_path / "there" / "log.json") == played


@pytest.mark.parametrize("broken", ["fsync", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_save_leaves_the_file_as_it_was(
    broken: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.json"
    before = Campaign(missions=[1, 2], seed=1)
    before.save(path)

    def fail(*_: object) -> None:
        raise error

    campaign = copy.copy(before)
    campaign.play(GREEDY)
    with monkeypatch.context() as patch:
        patch.setattr({"fsync": "os.fsync", "replace": "pathlib.Path.replace"}[broken], fail)
        with pytest.raises((KeyboardInterrupt, OSError)):
            campaign.save(path)
    assert Campaign.resume(path) == before
    assert [each.name for each in tmp_path.iterdir()] == ["log.json"]


def test_ctrl_c_while_saving_loses_no_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    calls = 0

    def interrupt(number: int, replace: Any = os.fsync) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        replace(number)

    monkeypatch.setattr(os, "fsync", interrupt)
    campaign = Campaign(missions=[1, 2, 3], seed=1)
    with pytest.raises(KeyboardInterrupt):
        campaign.play(GREEDY, path=path)
    assert campaign.attempts == 2
    assert Campaign.resume(path) == campaign


# --- breaking off and going on ---


def patience(moves: int) -> Act:
    """Greedy, for so many moves."""
    left = iter(range(moves))

    def act(view: kibitz.View) -> str:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return GREEDY.act(view)

    return act


@pytest.mark.parametrize("moves", [100, 137, 500])
def test_resumed_as_often_as_need_be_it_goes_on_the_same_way(moves: int, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    straight = Campaign(missions=range(1, 8), seed=5)
    straight.play(GREEDY)
    Campaign(missions=range(1, 8), seed=5).save(path)
    stops = 0
    while not (campaign := Campaign.resume(path)).done:
        try:
            campaign.play(patience(moves), path=path)
        except KeyboardInterrupt:
            stops += 1
            assert Campaign.resume(path) == campaign
    assert campaign == straight
    assert stops >= 2


# --- the command line ---


class Said:
    """What a command line printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Call = Callable[..., Said]


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Call]:
    """Runs `kibitz campaign` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.run(["campaign", *args])
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    yield run
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_the_command_is_the_campaign_of_the_package(call: Call) -> None:
    campaign = Campaign(missions=range(7, 12), seed=4, players=3, radio="off")
    campaign.play(GREEDY)
    args = ("--players", "3", "--journey", "5", "--first", "7", "--seed", "4", "-o", "radio=off")
    said = call("log.json", *args, "--bots", "greedy")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{campaign}\n"
    assert Campaign.resume("log.json") == campaign
    assert json.loads(call(*args, "--bots", "greedy,greedy,greedy", "--json").out) == campaign.to_dict()


def test_the_command_goes_on_where_it_stopped(call: Call) -> None:
    straight = Campaign(missions=range(1, 6), seed=8)
    straight.play(GREEDY)
    assert max(entry.attempts for entry in straight.log) > 1
    begin = ("log.json", "--journey", "5", "--seed", "8", "--bots", "greedy", "--max-attempts")
    said = call(*begin, "1")
    assert (said.code, said.err) == (0, "")
    assert "Next: attempt 2 at mission" in said.out
    assert said.out.endswith("The bots stopped at the limit of 1 at a mission (--max-attempts).\n")
    status = call("log.json")
    assert status.out == said.out[: said.out.index("The bots")]
    assert json.loads(call("log.json", "--json").out) == Campaign.resume("log.json").to_dict()
    assert not Campaign.resume("log.json").done
    assert call("log.json", "--bots", "greedy").out == f"{straight}\n"
    assert call(*begin, "1").out == call("log.json").out == f"{straight}\n"  # nothing is left to play


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("log.json", "--seed", "2"), "log.json holds a campaign with seed 1, not 2"),
        (("log.json", "--players", "3"), "with players 4, not 3"),
        (("log.json", "-o", "challenge=true", "--players", "3"), "with players 4, not 3"),
        (("log.json", "--journey", "10"), "with missions 1 to 5, not 1 to 10"),
        (("log.json", "--first", "2"), "with missions 1 to 5, not 2 to 6"),
        (("log.json", "-o", "distress=off"), "with distress vote, not off"),
        (("log.json", "-o", "mission=3"), "no option 'mission'"),
        (("other.json",), "There is no campaign other.json"),
        (("table.json",), "A campaign has no key '"),
        (("table.json", "--bots", "greedy"), "A campaign has no key '"),
        ((".",), "cannot read or write ."),
        (("no/log.json", "--bots", "greedy"), "cannot read or write"),
        (("--bots", "greedy", "--journey", "51"), "A journey cannot have 51 missions"),
        (("--bots", "greedy", "--journey", "long"), "A journey cannot have 'long' missions"),
        (("--bots", "greedy", "--first", "0"), "first cannot be 0"),
        (("--bots", "greedy", "--players", "9"), "players cannot be 9"),
        (("--bots", "greedy,greedy"), "needs 1 bot for all, or 4"),
        (("--bots", "gredy"), "did you mean 'greedy'"),
        (("--bots", "greedy", "--seed", str(2**64)), "seed cannot be"),
        (("--seat", "4", "--bots", "greedy"), "seats 0 to 3"),
        (("--seat", "1", "--players", "2"), "--seat cannot be 1 with 2 players"),
    ],
)
def test_the_command_refuses_in_a_sentence(call: Call, args: tuple[str, ...], said: str) -> None:
    Campaign(missions=range(1, 6), seed=1).save("log.json")
    Path("table.json").write_text(kibitz.load("thecrew").deal(seed=1).to_json(), "utf-8")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    found = call(*args)
    assert (found.code, found.out) == (1, "")
    assert re.fullmatch(r"kibitz: .+\n", found.err)
    assert said in found.err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "without FILE give --bots or --seat"),
        (("--json",), "without FILE give --bots or --seat"),
        (("--seat", "0", "--json"), "does not go with --json"),
        (("--seat", "0", "--bots", "greedy,greedy"), "give 1 bot, or 3, not 2"),
        (("--bots", "greedy", "--max-attempts", "0"), "--max-attempts"),
    ],
)
def test_the_command_says_how_it_is_used(call: Call, args: tuple[str, ...], said: str) -> None:
    found = call(*args)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_a_person_plays_attempt_after_attempt(call: Call) -> None:
    """Seat 2 types what greedy would play; in the third attempt it leaves."""
    expected = Campaign(missions=[3, 4], seed=6)
    typed = []

    def act(view: kibitz.View) -> str:
        move = GREEDY.act(view)
        typed.extend([move] if view.seat == 2 else [])
        return move

    for _ in range(2):
        expected.enter(finish(expected.deal(), act))
    begin = ("log.json", "--first", "3", "--journey", "2", "--seed", "6", "--seat", "2", "--bots", "greedy")
    said = call(*begin, stdin="\n".join([*typed, "quit"]))
    assert (said.code, said.err) == (0, "")
    assert Campaign.resume("log.json") == expected
    assert "Mission 3, attempt 1. You are seat 2. Type ? for help." in said.out
    assert said.out.count("\nOver") == 2
    assert said.out.endswith(f"Left the game.\n{expected}\n")
    assert call("log.json", "--seat", "2", "--bots", "greedy", stdin="quit").out.endswith(
        f"Left the game.\n{expected}\n"
    )


def test_a_person_who_leaves_at_once_has_a_campaign(call: Call) -> None:
    said = call("log.json", "--seat", "0", "--bots", "greedy", "--players", "2", stdin="quit")
    assert said.code == 0
    campaign = Campaign.resume("log.json")
    assert (campaign.log, campaign.options["players"]) == ((), 2)
    assert said.out.endswith("Next: attempt 1 at mission 1.\n")
    assert Campaign.resume("log.json").seed == campaign.seed


def test_without_a_seed_chance_names_the_deals(call: Call) -> None:
    seeds = {json.loads(call("--bots", "greedy", "--journey", "1", "--json").out)["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    bots = "ismcts:ms=20,playout=hint"
    run = subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", "campaign", str(path), "--seed", "1", "--bots", bots],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (path.exists() and Campaign.resume(path).log):
            time.sleep(0.05)
        before = Campaign.resume(path)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=20)
    finally:
        run.kill()
        run.wait()
    assert (run.returncode, out, err) == (130, "", "kibitz: interrupted\n")
    after = Campaign.resume(path)
    assert 1 <= before.attempts <= after.attempts
    assert [each.name for each in tmp_path.iterdir()] == ["log.json"]
