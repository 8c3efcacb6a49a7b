"""Kami as text: history strings, their masked forms, the YAML match record."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import InvalidPosition
from kibitz.games.kami import (
    Event,
    Record,
    format_history,
    mask_history,
    parse_history,
    parse_kifu,
)
from reference.kami import DECK, HAND_SIZE, Reference

RECORDS = json.loads((Path(__file__).parents[1] / "data" / "kami_records.json").read_text(encoding="utf-8"))[
    "records"
]

FOUR = "12345678,12345678,11112345,11112345"  # goita-core's sample, its second king folded
THREE = "1111234568,1112345678,1112233445,a75"  # W9
TWO = "11234556,12344578,m5467111111122338"
SOLDIERS = "11334567,11111228,23344555,11124678"  # W15: five in the second hand


# --- helpers ---


def line(record: dict[str, Any]) -> str:
    """A record of the data file as a history string."""
    fields = [*record["hands"], f"s{record['first'] + 1}"]
    return ",".join(fields + ([record["moves"]] if record["moves"] else []))


def seats(record: Record) -> list[int | None]:
    """Every seat, and an observer."""
    return [*range(record.players), None]


def prefixes(record: Record) -> Iterator[Record]:
    """The record as it stood at every ply."""
    for end in range(len(record.events) + 1):
        yield replace(record, events=record.events[:end])


def moves(record: Record) -> list[str]:
    """The texts of a record's events."""
    return [text for _, text in record.events]


def played(players: int, seed: int) -> tuple[Record, Reference]:
    """A random round and the game before its first ply."""
    rng = random.Random(seed)
    size = HAND_SIZE[players]

    def shuffled() -> tuple[list[str], str]:
        cards = "".join(rng.sample(DECK, len(DECK)))
        hands = ["".join(sorted(cards[i : i + size])) for i in range(0, players * size, size)]
        return hands, cards[players * size :]

    hands, rest = shuffled()
    aside = rest if players == 3 else None
    stacks = [rest[i : i + 2] for i in range(0, 16, 2)] if players == 2 else None
    game = Reference(players, rounds=1)
    game.start(hands, rng.randrange(players), aside=aside, stacks=stacks)
    before = game.copy()
    events: list[Event] = []
    deal: list[str] = []
    while (actor := game.actor()) is not None:
        if game.phase == "deal":
            deal = deal or [f"deal {hand}" for hand in shuffled()[0]]
            text = deal.pop(0)
        elif isinstance(actor, str):
            [(text, _)] = game.outcomes() or []
        else:
            text = game.legal()[0] if game.phase in ("ask", "answer") else rng.choice(game.legal())
        events.append((actor if isinstance(actor, int) else None, text))
        game.play(text)
    record = Record(
        players=players, hands=hands, first=before.first, aside=aside, stacks=stacks, events=events
    )
    return record, before


# Random rounds; among the four-player ones some with a redeal (every request is made and agreed to).
ROUNDS = [played(players, seed) for players in (2, 3, 4) for seed in range(12)]
ROUNDS += [game for game in (played(4, seed) for seed in range(100, 160)) if "+" in moves(game[0])]


# --- examples of the page ---


def test_goita_core_example_reads_as_split_moves() -> None:
    record = parse_history("12345678,12345679,11112345,11112345,s1,113,2p,3p,431,1p,2p,315")
    assert record.hands == ["12345678", "12345678", "11112345", "11112345"]
    assert (record.players, record.first, record.aside, record.stacks, record.totals) == (
        4,
        0,
        None,
        None,
        None,
    )
    assert record.events == [
        *((seat, "-") for seat in range(4)),
        (0, "d1"),
        (0, "a3"),
        (1, "p"),
        (2, "p"),
        (3, "d3"),
        (3, "a1"),
        (0, "p"),
        (1, "p"),
        (2, "d1"),
        (2, "a5"),
    ]


@pytest.mark.parametrize(
    ("seat", "masked"),
    [
        (0, "12345678,xxxxxxxx,xxxxxxxx,123xxxxx,s1,113,2p,3p,431,1p,2p,3p,4x2"),
        (1, "3xxxxxxx,12345678,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"),
        (2, "3xxxxxxx,xxxxxxxx,11112345,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"),
        (3, "3xxxxxxx,xxxxxxxx,xxxxxxxx,11112345,s1,1x3,2p,3p,431,1p,2p,3p,412"),
        (None, "3xxxxxxx,xxxxxxxx,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"),
    ],
)
def test_masked_forms_are_those_of_goita_core(seat: int | None, masked: str) -> None:
    record = mask_history(parse_history(FOUR + ",s1,113,2p,3p,431,1p,2p,3p,412"), seat)
    assert format_history(record) == masked
    assert parse_history(masked) == record


def test_three_player_example() -> None:
    record = parse_history(THREE + ",s1,116,287,3p,181")
    assert (record.players, record.aside) == (3, "75")
    assert moves(record) == ["d1", "a6", "d8", "a7", "p", "d8", "a1"]
    assert [mask_history(record, seat).aside for seat in (0, 1, 2, None)] == ["xx", "7x", "x5", "xx"]


def test_the_card_set_aside_goes_by_the_first_seat() -> None:
    record = parse_history(THREE + ",s3")
    assert [mask_history(record, seat).aside for seat in (0, 1, 2)] == ["7x", "x5", "xx"]


def test_w15_question_written_out() -> None:
    record = parse_history(SOLDIERS + ",s1,1-,2?5,4-,3-,4-")
    assert record.events == [(0, "-"), (1, "?5"), (3, "-"), (2, "-"), (3, "-")]
    assert format_history(record) == SOLDIERS + ",s1,1-,2?5,4-,3-,4-"


def test_half_turns() -> None:
    assert moves(parse_history(FOUR + ",s1,14", redeal=False)) == ["d4"]
    assert moves(parse_history("xxxxxxxx,12345678,xxxxxxxx,xxxxxxxx,s1,1x", redeal=False)) == ["dx"]


# --- what the notation leaves out ---


@pytest.mark.parametrize(
    ("answers", "events"),
    [
        ("", []),
        ("1-", ["0-"]),
        ("3-", ["0-", "1-", "2-"]),
        ("2?5", ["0-", "1?5"]),
        ("2?5,4-", ["0-", "1?5", "3-"]),
        ("2?5,4-,4-", ["0-", "1?5", "3-", "2-", "3-"]),
        ("2?5,4+", ["0-", "1?5", "3+"]),
        ("2?5,4-,113", ["0-", "1?5", "3-", "2-", "3-", "0d1", "0a3"]),
        ("113", ["0-", "1-", "2-", "3-", "0d1", "0a3"]),
    ],
)
def test_answers_left_out_are_put_in(answers: str, events: list[str]) -> None:
    record = parse_history(SOLDIERS + ",s1" + ("," + answers if answers else ""))
    assert [f"{seat}{text}" for seat, text in record.events] == events


def test_the_question_goes_round_from_the_first_seat() -> None:
    record = parse_history(FOUR + ",s3,311")
    assert record.events[:4] == [(2, "-"), (3, "-"), (0, "-"), (1, "-")]


def test_without_the_question_nothing_is_put_in() -> None:
    text = FOUR + ",s1,113,2p"
    assert moves(parse_history(text, redeal=False)) == ["d1", "a3", "p"]
    assert format_history(parse_history(text, redeal=False)) == text
    with pytest.raises(InvalidPosition, match="R19"):
        parse_history(FOUR + ",s1,1-", redeal=False)


def test_a_redeal_is_followed_by_its_deal() -> None:
    text = f"{SOLDIERS},s1,1-,2?5,4+;{FOUR},s1,113,2p"
    record = parse_history(text)
    assert moves(record) == [
        "-",
        "?5",
        "+",
        *(f"deal {hand}" for hand in FOUR.split(",")),
        *"----",
        "d1",
        "a3",
        "p",
    ]
    assert [seat for seat, text in record.events if text.startswith("deal")] == [None] * 4
    assert format_history(record) == text


def test_a_redeal_masked_shows_the_announced_soldiers() -> None:
    record = parse_history(f"{SOLDIERS},s1,1-,2?5,4+;{FOUR},s1,113,2p,3p,431")
    assert format_history(mask_history(record, 2)) == (
        "xxxxxxxx,11111xxx,23344555,xxxxxxxx,s1,1-,2?5,4+;3xxxxxxx,xxxxxxxx,11112345,13xxxxxx,s1,1x3,2p,3p,431"
    )


def test_a_turn_up_follows_the_card_above_it() -> None:
    record = parse_history(TWO + ",s1,1A6,2p,1BB")
    assert moves(record) == ["dA", "up A 4", "a6", "p", "dB", "up B 7", "aB"]


def test_an_unnamed_lower_card_is_marked_and_may_be_filled_in() -> None:
    text = "11234556,xxxxxxxx,m5x6x1x1x1x1x2x3x,s1,1A6,2p,1BA"
    record = parse_history(text)
    assert moves(record) == ["dA", "up A x", "a6", "p", "dB", "up B x", "aA"]
    assert format_history(record) == text
    filled = [
        (seat, event.replace("up A x", "up A 4").replace("up B x", "up B 7")) for seat, event in record.events
    ]
    named = format_history(replace(record, events=filled))
    assert named == "11234556,xxxxxxxx,m54671x1x1x1x2x3x,s1,1A6,2p,1BA"
    assert parse_history(named).events == filled


def test_lower_cards_are_masked_until_turned_up() -> None:
    record = parse_history(TWO + ",s1,1A6")
    for seat in seats(record):
        assert mask_history(record, seat).stacks == ["54", "6x", "1x", "1x", "1x", "1x", "2x", "3x"]
    before = replace(record, events=record.events[:1])
    assert mask_history(before, 0).stacks == ["5x", "6x", "1x", "1x", "1x", "1x", "2x", "3x"]


# The last turn: face-down pair doubles, masked it is open; any other face-down card is x.
@pytest.mark.parametrize(
    ("last", "masked", "points"), [("11", "111", 2), ("15", "1x5", 3), ("88", "188", 10), ("81", "1x1", 1)]
)
def test_points_and_an_open_double(last: str, masked: str, points: int) -> None:
    passes = "2p,3p,4p"
    text = f"112234{last},xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,112,{passes},134,{passes},112,{passes},1{last}"
    record = parse_history(text)
    assert record.events[-1] == (None, f"points {points}")
    seen = mask_history(record, 1)
    assert format_history(seen).endswith("," + masked)
    assert seen.events[-1] == (None, f"points {points}")
    assert parse_history(format_history(seen)) == seen
    unscored = replace(record, events=record.events[:-1])
    assert format_history(mask_history(unscored, 1)) == format_history(seen)


def test_a_last_counter_never_doubles() -> None:
    record = next(record for record in RECORDS if record["id"] == "ext-03")  # ends 245: a counter
    assert parse_history(line(record)).events[-1] == (None, "points 3")


def test_a_void_round_opens_no_card() -> None:
    """An attack equal to its face-down defence proves nothing when the round ends void."""
    found = 0
    for record, _ in (played(2, seed) for seed in range(400)):
        if record.events[-1] != (None, "void"):
            continue
        assert parse_history(format_history(record)).events[-1] == (None, "void")
        placed = [text for _, text in mask_history(record, None).events if text[0] == "d"]
        assert not any(text[1] in "12345678" for text in placed[:1])
        found += 1
    assert found > 50


# --- round trips ---


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))
def test_data_record_comes_back_the_same(record: dict[str, Any]) -> None:
    parsed = parse_history(line(record))
    assert format_history(parsed) == line(record)
    if record["complete"]:
        assert parsed.events[-1] == (None, f"points {record['result']['points_kami']}")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))
def test_data_record_masked_at_every_ply_comes_back_the_same(record: dict[str, Any]) -> None:
    whole = parse_history(line(record))
    for part in prefixes(whole):
        for seat in seats(part):
            masked = mask_history(part, seat)
            text = format_history(masked)
            read = parse_history(text)
            assert format_history(read) == text
            assert read.hands == masked.hands
            assert read.events[: len(masked.events)] == masked.events


@pytest.mark.parametrize("index", range(len(ROUNDS)))
def test_random_round_comes_back_the_same(index: int) -> None:
    record, _ = ROUNDS[index]
    assert parse_history(format_history(record)) == record


@pytest.mark.parametrize("index", range(len(ROUNDS)))
def test_random_round_masked_at_every_ply_comes_back_the_same(index: int) -> None:
    record, _ = ROUNDS[index]
    for part in prefixes(record):
        for seat in seats(part):
            masked = mask_history(part, seat)
            text = format_history(masked)
            assert format_history(parse_history(text)) == text
            assert mask_history(masked, seat) == masked
            if part is record:
                assert parse_history(text) == masked


@pytest.mark.parametrize("index", range(len(ROUNDS)))
def test_masked_moves_are_those_the_reference_shows(index: int) -> None:
    record, before = ROUNDS[index]
    for seat in range(record.players):
        game = before.copy()
        seen: list[Event] = []
        last_double = False
        for actor, text in record.events:
            seen.append((actor, game.seen(text, seat)))
            game.play(text)
            last_double = text.startswith("points") and game.double
        masked = mask_history(record, seat).events
        assert len(masked) == len(seen)
        for i, ((actor, text), expected) in enumerate(zip(masked, seen, strict=True)):
            if text.startswith("deal "):
                truth = record.events[i][1]
                assert text == truth if expected[1] != "deal x" else not set(text) - set(truth) - {"x"}
            elif last_double and expected[1] == "dx" and i >= len(seen) - 3:
                assert (actor, text) == record.events[i]  # the score proves it
            else:
                assert (actor, text) == expected


# What a bot at the table has written down is enough for the text that a server would send it.
@pytest.mark.parametrize("index", range(len(ROUNDS)))
def test_moves_as_a_seat_saw_them_give_the_same_masked_text(index: int) -> None:
    record, before = ROUNDS[index]
    unknown = "x" * HAND_SIZE[record.players]
    for seat in range(record.players):
        game = before.copy()
        view = game.view(seat)
        seen = Record(
            players=record.players,
            hands=[hand if other == seat else unknown for other, hand in enumerate(record.hands)],
            first=record.first,
            aside=view.get("aside"),
            stacks=view.get("stacks"),
        )
        for part, (actor, text) in zip(prefixes(record), record.events, strict=False):
            if game.phase != "score":  # the notation has no place between the last attack and its score
                assert format_history(mask_history(seen, seat)) == format_history(mask_history(part, seat))
            seen.events.append((actor, game.seen(text, seat)))
            game.play(text)
        assert format_history(mask_history(seen, seat)) == format_history(mask_history(record, seat))


def test_the_random_rounds_hold_what_they_are_for() -> None:
    texts = [text for record, _ in ROUNDS for text in moves(record)]
    assert {"void", "+", "points 2"} <= set(texts)
    assert any(text.startswith("up ") for text in texts)
    assert any(text.startswith("deal ") for text in texts)


def test_a_redeal_broken_off_in_its_deal_is_written_up_to_the_answer() -> None:
    record = parse_history(f"{SOLDIERS},s1,1-,2?5,4+;{FOUR},s1")
    for dealt in range(1, 4):
        part = replace(record, events=record.events[: 3 + dealt])
        assert format_history(part) == f"{SOLDIERS},s1,1-,2?5,4+"
        masked = mask_history(part, 0)
        assert moves(masked)[3:] == ["deal 12345678", "deal xxxxxxxx", "deal xxxxxxxx"][:dealt]


# --- bad input ---


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names no first seat"),
        (",,,", "names no first seat"),
        (FOUR, "names no first seat"),
        ("s1", "field 1: 's1' follows 0 hands"),
        ("12345678,s1", "field 2: 's1' follows 1 hands"),
        (FOUR + ",12345678,s1", "field 6: 's1' follows 5 hands"),
        ("12345678,12345678,11112345,1111234,s1", "field 4: '1111234' is not a hand; allowed: 8 cards"),
        ("12345670,12345678,11112345,11112345,s1", "field 1: '12345670' is not a hand"),
        ("\uff112345678,12345678,11112345,11112345,s1", "field 1: .* is not a hand"),
        ("12345678,12345678,11112345,11112345 ,s1", "field 4: '11112345 ' is not a hand"),
        ("11111111,11122345,xxxxxxxx,xxxxxxxx,s1", "11 cards 1 were dealt; the deck has 10"),
        (FOUR + ",s5", "field 5: 's5' is not the first seat; allowed: s1 to s4"),
        (FOUR + ",s٣", "field 5: .* is not the first seat"),
        (FOUR + ",a75,s1", "field 5: 'a75' is not the first seat"),
        (THREE.rpartition(",")[0] + ",s1", "field 4: 's1' is not the field of 3 players"),
        (THREE + "5,s1", "field 4: 'a755' is not the field of 3 players"),
        (TWO[:17] + ",s1", "field 3: 's1' is not the field of 2 players"),
        (TWO + "1,s1", "field 3: .* is not the field of 2 players"),
        (TWO.replace("m5", "mx") + ",s1", "field 3: .* is not the field of 2 players"),
        (TWO, "field 4: '' is not the first seat; allowed: s1 to s2"),
        (FOUR + ",s1,", "field 6: '' is not a turn"),
        (FOUR + ",s1,5p", "field 6: '5p' is not a turn; allowed: seat 1 to 4"),
        (THREE + ",s1,4p", "field 6: '4p' is not a turn; allowed: seat 1 to 3"),
        (FOUR + ",s1,11x", "field 6: '11x' is not a turn"),
        (FOUR + ",s1,1\uff113", "field 6: .* is not a turn"),
        (FOUR + ",s1,1P", "field 6: '1P' is not a turn"),
        (FOUR + ",s1,110", "field 6: '110' is not a turn"),
        (FOUR + ",s1,113\n,2p", "field 6: .* is not a turn"),
        (FOUR + ",s1,113,2x1", "field 7: '2x1': x stands for a face-down defence"),
        (FOUR + ",s1,1A3", "field 6: '1A3': letters are stacks, of 2 players only"),
        (TWO + ",s1,1AA,2AA", "field 6: '2AA': stack A is empty"),
        (FOUR + ",s1,11,2p", "field 7: '2p': the turn before lacks its attack"),
        (FOUR + ",s1,1?4", "field 6: '1.4' is not a turn"),
        (FOUR + ",s1,113,2-", "field 7: '2-': the redeal question is for 4 players, before the first turn"),
        (THREE + ",s1,1-", "field 6: '1-': the redeal question is for 4 players"),
        (FOUR + ",s1,2-,1-", "field 7: '1-': seat 1 has answered"),
        (FOUR + ",s1,1+", "field 6: '1.': nobody has asked"),
        (FOUR + ",s1,1?5,2-", "field 7: '2-': the partner answers the request, 3. or 3-"),
        (FOUR + ",s1,1?5,3?5", "field 7: '3.5': the partner answers the request"),
        (FOUR + ",s1,1?5,113", "field 7: '113': the partner's answer to seat 1 is missing"),
        (FOUR + ",s1,1?5,3+,113", "field 8: '113': a redeal was agreed: the new hands follow after ';'"),
        (FOUR + ";" + FOUR + ",s1", "names no first seat"),
        (FOUR + ",s1,113;" + FOUR + ",s1", "part 2, field 1: '12345678' does not follow a redeal"),
        (FOUR + ",s1,1?5,3+;", "part 2, '' names no first seat"),
        (FOUR + ",s1,1?5,3+;" + FOUR + ",s2", "part 2, field 5: .* is another game"),
        (FOUR + ",s1,1?5,3+;" + THREE + ",s1", "part 2, field 5: .* is another game"),
        (line(RECORDS[0]) + ",1p", "the round is over"),
        ("x" * 70_000, "70000 characters is too long; allowed: 65536"),
        (None, "A history is text, not NoneType"),
        (b"12345678", "A history is text, not bytes"),
        (5, "A history is text, not int"),
    ],
)
def test_bad_history_is_refused_with_a_sentence(text: Any, says: str) -> None:
    with pytest.raises(InvalidPosition, match=says):
        parse_history(text)


def test_a_seat_plays_no_more_cards_than_dealt() -> None:
    text = TWO + ",s1,11A,2p,112,2p,112,2p,112,2p,11"
    assert parse_history(text).events[-1] == (0, "d1")  # its last card: not by the rules (R21), but readable
    with pytest.raises(InvalidPosition, match="field 13: '111': seat 1 has no hand card left"):
        parse_history(text + "1")


@pytest.mark.parametrize("seat", [4, -1, "1", 1.5])
def test_a_mask_for_no_seat_is_refused(seat: Any) -> None:
    with pytest.raises(InvalidPosition, match="not at the table; allowed: 0 to 3"):
        mask_history(parse_history(FOUR + ",s1"), seat)


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([(0, "d9")], "'d9' by seat 0 is no event"),
        ([(0, "")], "is no event"),
        ([(None, "up I 5")], "'up I 5' by chance is no event"),
        ([(0, "a3")], "an attack follows its own defence"),
        ([(0, "d1"), (1, "p")], "an attack follows its own defence"),
        ([(0, "d1"), (1, "a1")], "an attack follows its own defence"),
        ([(4, "p")], "'p' by seat 4 is no event of Kami with 4 players"),
    ],
)
def test_a_record_with_bad_events_is_not_written(events: list[Event], says: str) -> None:
    record = replace(parse_history(FOUR + ",s1"), events=events)
    with pytest.raises(InvalidPosition, match=says):
        format_history(record)
    with pytest.raises(InvalidPosition):
        mask_history(record, 0)


def mutated(text: str, rng: random.Random) -> str:
    """A text with a few characters changed, taken out, put in or doubled."""
    alphabet = "0123456789xpasmABCDEFGHI,;?+-٣Ａ'\"\\\n\t\0 [{*&!%#:|>\ud800しパ"
    chars = list(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(chars) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            chars.insert(at, rng.choice(alphabet))
        elif kind == 1:
            del chars[at : at + rng.choice((1, 1, 5, 50))]
        elif kind == 2:
            chars[at:at] = chars[at : at + rng.randint(1, 12)]
        elif at < len(chars):
            chars[at] = rng.choice(alphabet)
    return "".join(chars)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_histories_are_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    texts = [format_history(record) for record, _ in ROUNDS] + [line(record) for record in RECORDS]
    for _ in range(1000):
        text = mutated(rng.choice(texts), rng)
        try:
            record = parse_history(text)
            for seat in (None, 0):
                mask_history(record, seat)
        except InvalidPosition:
            continue
        assert parse_history(format_history(record)).hands == record.hands


# --- the YAML match record ---

PIECES = "_し香馬銀金角飛王"


def kifu(rounds: list[dict[str, Any]], *, two_rows: bool = False, say_passes: bool = False) -> str:
    """Data records as a match record, in either layout."""
    lines = ["version: 1.0", *(f'p{seat}: "seat {seat}"' for seat in range(4)), "log:"]
    for item in rounds:
        lines.append("  - hand:")
        for seat, hand in enumerate(item["hands"]):
            lines.append(f'      p{seat}: "{"".join(PIECES[int(card)] for card in hand)}"')
        lines.append(f"    uchidashi: {item['first']}")
        if "score_before_goita" in item:
            lines.append(f"    score: {item['score_before_goita']}")
        lines.append("    game:")
        for turn in item["moves"].split(",") if item["moves"] else []:
            seat = int(turn[0]) - 1
            if turn[1] == "p":
                if say_passes:
                    lines.append(f'      - ["{seat}","パス",""]')
                continue
            block, attack = (PIECES[int(card)] for card in turn[1:])
            if two_rows:
                lines += [f'      - ["{seat}","{block}",""]', f'      - ["{seat}","","{attack}"]']
            else:
                lines.append(f'      - ["{seat}","{block}","{attack}"]')
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("say_passes", [False, True])
@pytest.mark.parametrize("two_rows", [False, True])
def test_kifu_reads_as_the_histories_of_its_rounds(two_rows: bool, say_passes: bool) -> None:
    rounds = [record for record in RECORDS if record["complete"]]
    records = parse_kifu(kifu(rounds, two_rows=two_rows, say_passes=say_passes))
    assert len(records) == len(rounds)
    for record, item in zip(records, rounds, strict=True):
        score = item.get("score_before_goita")
        assert record == replace(parse_history(line(item)), totals=score and [total // 10 for total in score])


def test_kifu_keeps_said_passes_at_the_end_of_a_broken_round() -> None:
    item = next(record for record in RECORDS if record["id"] == "KIFU-005")  # ends 132,2p,3p,4p
    assert moves(parse_kifu(kifu([item], say_passes=True))[0])[-3:] == ["p", "p", "p"]
    assert moves(parse_kifu(kifu([item]))[0])[-1] == "a2"


def test_kifu_kings_may_be_confused() -> None:
    item = RECORDS[0]
    text = kifu([item])
    assert parse_kifu(text.replace("王", "玉")) == parse_kifu(text)


def test_kifu_without_the_question() -> None:
    [record] = parse_kifu(kifu(RECORDS[:1]), redeal=False)
    assert moves(record)[:2] == ["d3", "a4"]


def kifu_of(rows: str, *, hand: str = "し馬馬金角飛し香", rest: str = "") -> str:
    """One round with these rows; seat 0 leads."""
    hands = f"{{p0: {hand}, p1: しし香馬銀金角王, p2: ししし香馬銀金玉, p3: ししし香銀銀金飛}}"
    return f"version: 1.0\nlog:\n  - {{hand: {hands}, uchidashi: 0, game: {rows}{rest}}}\n"


@pytest.mark.parametrize(
    ("rows", "events"),
    [
        ("[]", []),
        ("", []),
        ("[[0, し, 馬]]", ["0d1", "0a3"]),
        ("[['0', し, '']]", ["0d1"]),
        ("[[0, し, 馬], [0, パス, '']]", None),
        ("[[0, し, 馬], [2, パス]]", ["0d1", "0a3", "1p", "2p"]),
        ("[[0, し, 馬], [1, '', パス], [2, 馬, し]]", ["0d1", "0a3", "1p", "2d3", "2a1"]),
        ("[[0, し, 馬], [0, 馬, し]]", ["0d1", "0a3", "1p", "2p", "3p", "0d3", "0a1"]),
    ],
)
def test_kifu_rows(rows: str, events: list[str] | None) -> None:
    if events is None:
        with pytest.raises(InvalidPosition, match="the leader cannot pass"):
            parse_kifu(kifu_of(rows))
        return
    [record] = parse_kifu(kifu_of(rows), redeal=False)
    assert [f"{seat}{text}" for seat, text in record.events] == events


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a match record"),
        ("[]", "not a match record"),
        ("version: 1.0\nlog: 3", "not a match record"),
        ("version: 2.0\nlog: []", "version: '2.0'; allowed: 1.0"),
        ("log: []", "version: None; allowed: 1.0"),
        ("version: 1.0\nlog: [5]", r"log\[0\]: '5'; allowed: a mapping"),
        ("version: 1.0\nlog: [{}]", r"log\[0\].hand: None"),
        (kifu_of("[]", hand="し馬馬金角飛し"), r"log\[0\].hand.p0: .*; allowed: 8 of し香馬銀金角飛王玉"),
        (kifu_of("[]", hand="し馬馬金角飛しx"), r"log\[0\].hand.p0"),
        (kifu_of("[]", hand="[し]"), r"log\[0\].hand.p0"),
        (kifu_of("[]", hand="角角角金角飛し香"), "5 cards 6 were dealt; the deck has 2"),
        (kifu_of("[]").replace("uchidashi: 0", "uchidashi: 4"), "uchidashi: '4'; allowed: 0 to 3"),
        (kifu_of("[]").replace("uchidashi: 0", "uchidashi: [0]"), "uchidashi: .*; allowed: 0 to 3"),
        (kifu_of("[]", rest=", score: [0, 15]"), "score: .*; allowed: two totals before the round, 0 to 140"),
        (kifu_of("[]", rest=", score: [0, 150]"), "score"),
        (kifu_of("[]", rest=", score: [0, 0, 0]"), "score"),
        (kifu_of("[]", rest=", score: 0"), "score"),
        (kifu_of("{}x"), "not YAML"),
        (kifu_of("{a: b}"), r"game: .*; allowed: rows"),
        (kifu_of("[5]"), r"game\[0\]: '5'; allowed: \[player"),
        (kifu_of("[[]]"), r"game\[0\]"),
        (kifu_of("[[0, し]]"), r"game\[0\]: .*; allowed: block and attack"),
        (kifu_of("[[0, '', '']]"), r"game\[0\]: .*; allowed: block and attack"),
        (kifu_of("[[0, し, x]]"), r"game\[0\]"),
        (kifu_of("[[0, [し], し]]"), r"game\[0\]"),
        (kifu_of("[[4, し, し]]"), r"game\[0\]: .*; allowed: \[player 0 to 3"),
        (kifu_of("[[1, し, し]]"), "seat 0 leads here and cannot pass"),
        (kifu_of("[[0, パス, '']]"), "the leader cannot pass"),
        (kifu_of("[[0, '', し]]"), "an attack without its block"),
        (
            kifu_of("[[0, し, ''], [1, 馬, し]]"),
            r"game\[1\]: .*: the block of the row before lacks its attack",
        ),
        (kifu_of("[[0, し, ''], [1, '', し]]"), "the block of the row before lacks its attack"),
        (kifu_of("[[0, し, 馬], [1, パス], [2, パス], [3, パス], [1, 馬, し]]"), "seat 0 leads here"),
        (kifu_of("[[0, し, 馬], [0, 馬, 金], [0, 角, 飛], [0, し, 香], [1, 香, し]]"), "the round is over"),
        ("version: 1.0\nlog: &a [*a]", "near line 2: an alias"),
        ("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "an alias"),
        ("[" * 500 + "]" * 500, "too many values or levels"),
        ("[" + "x," * 60_000 + "]", "too many values or levels"),
        ("x" * 1_100_000, "too long; allowed: 1048576 bytes"),
        ("し" * 400_000, "too long; allowed: 1048576 bytes"),
        ('"\\UFFFFFFFF"', "not YAML"),
        ("%YAML " + "9" * 5000 + ".0\n---\nx", "not YAML"),
        ("{[a]: b}", "not YAML"),
        ("--- a\n--- b", "not YAML"),
        ("!!python/object/apply:os.getcwd []", "not a match record"),
        ("\0", "not YAML"),
        ("\ud800", "not YAML"),
        (None, "A kifu is text, not NoneType"),
        (b"version: 1.0", "A kifu is text, not bytes"),
    ],
)
def test_bad_kifu_is_refused_with_a_sentence(text: Any, says: str) -> None:
    with pytest.raises(InvalidPosition, match=says):
        parse_kifu(text)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_kifu_is_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    texts = [kifu(RECORDS[:1]), kifu_of("[[0, し, 馬], [1, '', パス], [2, 馬, し]]")]
    for _ in range(100):
        text = mutated(rng.choice(texts), rng)
        try:
            records = parse_kifu(text)
        except InvalidPosition:
            continue
        for record in records:
            assert parse_history(format_history(record)).events == record.events
