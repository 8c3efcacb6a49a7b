"""The Crew as text: joined outcomes, the transcripts of the bot protocol, the shipped examples, and the drawing."""

import json
import re
from typing import Any

import pytest

import kibitz
from kibitz import _core
from kibitz.cli import shared
from kibitz.errors import IllegalMove, InvalidPosition
from kibitz.events import read_events

HAND = ["B2", "B5", "B7", "G4", "G8", "P3", "P9", "R1", "R4", "Y6"]
START: dict[str, Any] = {"hand": HAND, "commander": 2}


def game(**options: Any) -> kibitz.Game:
    chosen: dict[str, Any] = {"mission": 2, "distress": "off"} | options
    return kibitz.load("thecrew", **chosen)


def view(*record: str, **options: Any) -> kibitz.View:
    return game(**options).view(seat=2, start=START, record=record)


# --- joined outcomes ---


def test_tasks_are_read_together_and_written_one_by_one() -> None:
    joined = view("*:tasks P3 B9")
    assert joined.record == ("*:task P3", "*:task B9")
    assert joined == view("*:task P3", "*:task B9") == view().observe("*:tasks P3 B9")
    assert kibitz.View.from_json(joined.to_dict() | {"record": ["*:tasks P3 B9"]}) == joined
    assert kibitz.View.from_json(joined.to_json()) == joined


def test_owners_are_read_together() -> None:
    drawn = view("*:tasks P3 B9 B1", "*:owners 2 0 1", tasks=3, owners="random")
    assert drawn.record[3:] == ("*:owner 2", "*:owner 0", "*:owner 1")
    assert drawn.core.to_dict()["owners"] == [2, 0, 1]


def test_a_part_may_come_later() -> None:
    assert view("*:tasks P3", "*:task B9") == view("*:tasks P3 B9")


def test_tables_read_them_too() -> None:
    hands = game().deal(seed=1).core.to_dict()["hands"]
    start = {"hands": hands, "commander": next(seat for seat in range(4) if "R4" in hands[seat])}
    table = game().setup(start, chance="manual")
    for text in ("tasks P3 B9", "*:tasks P3 B9"):
        played = table.copy()
        assert played.check(text) == ""
        played.play(text)
        assert played.record == ["*:task P3", "*:task B9"]
        assert played == game().setup(start | {"record": ["*:tasks P3 B9"]}, chance="manual")
        assert played == kibitz.Table.from_json(table.to_dict() | {"record": ["*:tasks P3 B9"]})
        played.undo(2)
        assert played == table


def test_assigned_tasks_are_revealed_together() -> None:
    """Mission 20: the owner is named, then both are revealed."""
    seen = view("3:no", "0:yes", "1:yes", "2:owner 1", "*:tasks P3 B9", mission=20)
    assert seen.core.to_dict()["owners"] == [1, 1]


REFUSED: list[tuple[str, type[Exception], str]] = [
    ("*:tasks P3 P3", IllegalMove, "'task P3' by chance: P3 is no task card that is left"),
    ("*:tasks P3 B9 G1", IllegalMove, r"'\*:task G1' is by chance, but seat 2 is to act"),
    ("*:tasks P3 R1", IllegalMove, "'task R1' by chance: R1 is no task card that is left"),
    ("*:tasks P3 B0", IllegalMove, "'task B0' is no move of thecrew"),
    ("*:tasks P3  B9", IllegalMove, "'task ' is no move of thecrew"),
    ("*:tasks", IllegalMove, "'task ' is no move of thecrew"),
    ("*:tasks" + " P3" * 65, IllegalMove, "joins 65 outcomes; at most 64 are read"),
    ("*:owners 1 2", IllegalMove, "expected is a task: 'task P3'|'owner 1' by chance"),
    ("2:tasks P3 B9", IllegalMove, "'tasks P3 B9' is no move of thecrew"),
    ("*:Tasks P3 B9", IllegalMove, "'Tasks P3 B9' is no move of thecrew"),
]


@pytest.mark.parametrize(("event", "kind", "reason"), REFUSED, ids=[each[0][:20] for each in REFUSED])
def test_what_does_not_fit_is_refused_as_a_whole(event: str, kind: type[Exception], reason: str) -> None:
    before = view()
    with pytest.raises(kind, match=reason):
        before.observe(event)
    assert before == view()
    with pytest.raises(InvalidPosition, match=rf"^record\[0\] {re.escape(repr(event)[:20])}.*(?:{reason})"):
        view(event)
    table = before.sample(seed=1).at(0)
    with pytest.raises(kind):
        table.play(event)
    assert table.record == []


def test_one_by_one_tasks_do_not_come_together() -> None:
    """Mission 24: after each task the others answer."""
    with pytest.raises(
        InvalidPosition, match=r"record\[0\] '\*:tasks P3 B9': '\*:task B9' is by chance, but seat 3"
    ):
        view("*:tasks P3 B9", mission=24)


@pytest.mark.parametrize("text", ["1:d3", "*:points 6", "*:deal 11113477"])
def test_games_without_such_words_have_single_events(text: str) -> None:
    assert len(read_events(_core.Game("kami", {}), text)) == 1


# --- the bot protocol's worked transcript: events and the legal moves it shows ---

SAYINGS = ["say B2 lowest", "say B7 highest", "say G4 lowest", "say G8 highest"]
SAYINGS += ["say P3 lowest", "say P9 highest", "say Y6 only"]
TRANSCRIPT: list[tuple[list[str], int, list[str]]] = [
    (["*:tasks P3 B9"], 2, ["take B9", "take P3"]),
    (["2:take B9", "3:take P3"], 2, ["quiet", *SAYINGS]),
    (["2:say P3 lowest", "3:say P7 highest", "0:quiet", "1:quiet", "2:P3", "3:P7", "0:P1", "1:P2"], 0, []),
    (["0:quiet", "1:say Y9 highest", "3:G5", "0:G9", "1:Y2"], 2, ["G4", "G8"]),
]
# After the third and after the fourth part, with the event that is wrong.
WRONG: list[tuple[int, list[str], int, str]] = [
    (3, ["0:quiet", "1:say Y9 highest", "3:R4"], 13, "'3:R4'.*R4 is in this seat's own hand"),
    (4, ["2:G4", "0:quiet", "0:G9"], 18, "'0:G9'.*seat 0 played G9 in trick 2"),
]


def test_the_transcript_is_replayed() -> None:
    record: list[str] = []
    for events, turn, legal in TRANSCRIPT:
        record += events
        now = view(*record)
        assert (now.turn, now.legal()) == (turn, legal)


@pytest.mark.parametrize(("parts", "events", "index", "reason"), WRONG)
def test_its_wrong_events_are_refused(parts: int, events: list[str], index: int, reason: str) -> None:
    record = [event for part, _, _ in TRANSCRIPT[:parts] for event in part]
    with pytest.raises(InvalidPosition, match=rf"^record\[{index}\] {reason}") as caught:
        view(*record, *events)
    assert isinstance(caught.value.__cause__, InvalidPosition)  # "inconsistent": legal in itself


# --- shipped examples ---


def example(name: str) -> Any:
    return kibitz.read_position(shared.read_text(name))


def test_the_draft_example_is_the_transcripts() -> None:
    assert example("crew-draft").core == view("*:tasks P3 B9").core


@pytest.mark.parametrize(("name", "phase", "tricks"), [("crew-radio", "radio", 7), ("crew-card", "play", 6)])
def test_examples_are_in_mid_game(name: str, phase: str, tricks: int) -> None:
    now = example(name).core.to_dict()
    assert (now["phase"], len(now["tricks"])) == (phase, tricks)


# Seat 3 owns the last task, B1, which seat 0 has shown and still holds, and cannot follow the blue lead. Its rocket
# wins the trick if seat 0 gives B1; any other card leaves B1 to somebody else or to a later trick.
@pytest.mark.parametrize("seed", range(3))
def test_the_card_example_is_unambiguous(seed: int) -> None:
    found = kibitz.best_move(example("crew-card"), iterations=2000, seed=seed)
    best, *others = sorted(found.moves, key=lambda row: -row.mean)
    assert (found.move, best.move) == ("R2", "R2")
    assert best.mean > 0.9
    assert best.mean > max(row.mean for row in others) + 0.3


def test_the_game_example_ends_with_the_mistake_of_the_card_example() -> None:
    game_, card = example("crew-game"), example("crew-card")
    assert game_.turn is None
    assert game_.returns() == [0.0] * 4
    at = len(card.record)
    assert game_.at(at).view(seat=3).core == card.core
    assert game_.record[at] == "3:P6"
    marks = {row.index: row.mark for row in kibitz.review(game_, iterations=200).decisions}
    assert marks[at] == "??"


# --- the drawing ---


def test_the_drawing_shows_what_the_seat_knows() -> None:
    assert view(*[event for part, _, _ in TRANSCRIPT for event in part]).draw() == (
        "trick 2 of 10, commander seat 2\n"
        "  seat 0        8 cards                        | won 0\n"
        "  seat 1        8 cards                        | won 0 | said Y9 highest\n"
        "> seat 2 (you)  B2 B5 B7  G4 G8  P9  Y6  R1 R4 | won 0 | tasks B9 | said P3 lowest (played)\n"
        "  seat 3        8 cards                        | won 1 | tasks P3 done | said P7 highest (played)\n"
        "  1.   2:P3 3:P7 0:P1 1:P2  to seat 3\n"
        "  2.   3:G5 0:G9 1:Y2\n"
        "seat 2 plays a card: 'B4'\n"
    )


ENDS: list[tuple[dict[str, Any], str]] = [
    ({"mission": 4}, "the mission has failed: the task B1 of seat 3 went to seat 1"),
    ({"mission": 16}, "the mission has failed: winning value forbidden"),
]


@pytest.mark.parametrize(("options", "end"), ENDS)
def test_the_drawing_says_why_a_mission_failed(options: dict[str, Any], end: str) -> None:
    start = example("crew-game").start | {"tricks": [["B9", "B4", "B2", "B1"]]}
    if options["mission"] == 4:
        start |= {"tasks": ["B1", "Y9", "B2"], "owners": [3, 2, 1]}
    hands = [[card for card in hand if card not in start["tricks"][0]] for hand in start["hands"]]
    assert game(**options).setup(start | {"hands": hands}).draw().endswith(end + "\n")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_drawing_of_a_view_names_no_card_that_is_hidden(players: int) -> None:
    """Cards named in a drawing are the seat's own, or have been shown to it."""
    for mission in (12, 23, 32, 46, 50):
        state = kibitz.load("thecrew", players=players, mission=mission, distress="left").blank().core
        rng = _core.Rng(mission, "test crew drawing", 0)
        while state.turn != _core.OVER:
            state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))
            for seat in range(state.game.seats):
                seen = state.view(seat)
                facts = seen.to_dict() | {"phase": ""}
                known = set(re.findall("[BGPYR][1-9]", json.dumps(facts)))
                drawn = seen.draw()
                *_, last = drawn.strip().split("\n")
                asked = {"B4", "G7", "B5", "B1", "P9", "R4"}  # in what the last line asks for
                assert set(re.findall("[BGPYR][1-9]", drawn.removesuffix(last + "\n"))) <= known
                assert set(re.findall("[BGPYR][1-9]", last)) <= known | asked
                assert drawn.endswith("\n")
                assert max(map(len, drawn.split("\n"))) < 150
