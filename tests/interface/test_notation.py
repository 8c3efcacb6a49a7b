"""From a game's own notation to tables and views, by the rules."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.errors import InvalidPosition
from kibitz.games.kami import Record, format_history, mask_history

RECORDS = json.loads((Path(__file__).parents[1] / "data" / "kami_records.json").read_text(encoding="utf-8"))[
    "records"
]
PIECES = " し香馬銀金角飛王"


def kifu(records: list[dict[str, Any]]) -> str:
    """The YAML record of several rounds; passes are left out in that format."""
    lines = ["version: 1.0", "log:"]
    for record in records:
        hands = ", ".join(
            f"p{seat}: {''.join(PIECES[int(card)] for card in hand)}"
            for seat, hand in enumerate(record["hands"])
        )
        turns = [turn for turn in record["moves"].split(",") if not turn.endswith("p")]
        rows = ", ".join(f'["{int(t[0]) - 1}", "{PIECES[int(t[1])]}", "{PIECES[int(t[2])]}"]' for t in turns)
        score = record["score_before_goita"]
        lines.append(f"- {{hand: {{{hands}}}, uchidashi: {record['first']}, score: {score}, game: [{rows}]}}")
    return "\n".join(lines)


def rounds(*names: str) -> list[dict[str, Any]]:
    return [record for record in RECORDS if record["id"] in names]


def test_rounds_of_a_match_follow_each_other() -> None:
    table = kibitz.read_position(kifu(rounds("ext-01", "ext-02", "ext-03")))
    assert isinstance(table, kibitz.Table)
    assert sum(event.startswith("*:points") for event in table.record) == 3
    assert table.score() == [2, 5]  # the next round of the file begins with Goita scores 20 and 50
    assert table.turn == "chance"


def test_rounds_that_do_not_fit_are_told() -> None:
    with pytest.raises(InvalidPosition, match=r"Round 2 begins with totals \[2, 2\]; .* they are \[0, 2\]"):
        kibitz.read_position(kifu(rounds("ext-01", "ext-03")))


@pytest.mark.parametrize(
    "record", [r for r in RECORDS if r["legal_under_kami"] and r["players"] == 4], ids=lambda r: r["id"]
)
def test_public_records_are_replayed(record: dict[str, Any]) -> None:
    table = kibitz.read_position(
        ",".join([*record["hands"], f"s{record['first'] + 1}", *filter(None, [record["moves"]])])
    )
    assert isinstance(table, kibitz.Table)
    if record["complete"]:
        assert table.record[-1] == f"*:points {record['result']['points_kami']}"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_masked_record_gives_each_seat_its_view(players: int, seed: int) -> None:
    game = kibitz.load("kami", players=players, rounds=1)
    table, rng = game.deal(seed=seed), random.Random(seed)
    cards_played = False
    while table.turn is not None:
        table.play(rng.choice(table.legal()))
        cards_played = cards_played or table.record[-1][2] == "d"
        if not cards_played:  # answers to the redeal question are written only if somebody asked
            continue
        events = [
            (None if actor == "*" else int(actor), text)
            for actor, _, text in (e.partition(":") for e in table.record)
        ]
        start = table.start
        record = Record(
            players=players,
            hands=start["hands"],
            first=start.get("first", 0),
            aside=start.get("aside"),
            stacks=start.get("stacks"),
            events=events,
        )
        for seat in range(players):
            text = format_history(mask_history(record, seat))
            assert kibitz.read_position(text, seat=seat, options={"rounds": 1}) == table.view(seat=seat), text


def test_a_game_without_a_notation_says_so() -> None:
    from kibitz.notation import has_reader, read

    assert not has_reader("whist")
    with pytest.raises(InvalidPosition, match="no notation of its own"):
        read("hello", slug="whist", options={}, seat=None)
