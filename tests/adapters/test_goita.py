"""Goita servers: every public record, masked for every seat at every turn, in and out; turns, questions, clocks."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz.adapters.goita import answer, clock_of, line_of, view_of
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError
from kibitz.games.kami import format_history, mask_history, parse_history

RECORDS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "kami_records.json").read_text(encoding="utf-8")
)["records"]
DECK = "1" * 10 + "2222333344445555667789"
FIVES = "11334567,11111228,23344555,11124679"  # five pawns in the second hand
MASKED = "3xxxxxxx,12345679,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"  # goita-core's sample

PARTS = ("hands", "lines", "first", "phase", "announced")
LEADER_0 = next(record for record in RECORDS if record["first"] == 0)

records = pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))


# --- a server ---


def masked(line: str, seat: int) -> str:
    """The text that goita-core makes of an open line for a player: five pawns show from the deal on."""
    fields = format_history(mask_history(parse_history(line, redeal=False), seat)).split(",")
    for other, hand in enumerate(line.split(",")[:4]):
        if other != seat and hand.count("1") >= 5:
            known = fields[other].strip("x")
            fields[other] = "".join(
                sorted((known + "1" * (hand.count("1") - known.count("1"))).ljust(8, "x"))
            )
    return ",".join(fields)


def line(record: dict[str, Any]) -> str:
    return ",".join([*record["hands"], f"s{record['first'] + 1}", *filter(None, [record["moves"]])])


def growing(text: str) -> Iterator[str]:
    """The line after each turn."""
    fields = text.split(",")
    for turns in range(5, len(fields) + 1):
        yield ",".join(fields[:turns])


def dealt(seed: int, *, pawns: int | None = None) -> str:
    """A random deal of two kings, 8 and 9, that Goita plays on with; or the first with so many pawns in a hand."""
    rng = random.Random(seed)
    while True:
        cards = "".join(rng.sample(DECK, len(DECK)))
        hands = ["".join(sorted(cards[at : at + 8])) for at in range(0, 32, 8)]
        counts = [hand.count("1") for hand in hands]
        both = any(counts[seat] > 4 < counts[seat + 2] for seat in (0, 1))
        if max(counts) <= 5 and not both and (pawns is None or pawns in counts):
            return ",".join([*hands, f"s{rng.randrange(4) + 1}"])


def play(text: str, bots: list[kibitz.Player]) -> Iterator[tuple[str, int]]:
    """A round at a server that knows the truth: the line and whose turn it is, until nobody's."""
    while True:
        folded = text.replace("9", "8")
        table = kibitz.read_position(folded, options={"redeal": False, "rounds": 1})
        assert isinstance(table, kibitz.Table)
        if not isinstance(table.turn, int):
            return
        yield text, table.turn
        turn = answer(masked_raw(text, table.turn), bots[table.turn], table.turn)
        hand = text.split(",")[table.turn]
        own = [each[1:] for each in text.split(",")[5:] if each[0] == str(table.turn + 1)]
        for card in "".join(own) + turn[1:]:
            assert card == "p" or card in hand, (text, turn)  # the very king that it holds
            hand = hand.replace(card, "", 1)
        text += "," + turn


def masked_raw(text: str, seat: int) -> str:
    """`masked` with the kings of the open line."""
    fields, raw = masked(text, seat).split(","), text.split(",")
    fields[seat] = raw[seat]
    for at in range(5, len(raw)):
        fields[at] = "".join(
            one if shown == "x" else other
            for shown, other, one in zip(fields[at], raw[at], "xxx", strict=False)
        )
    return ",".join(fields)


# --- lines in and out ---


@records
def test_every_record_comes_back_for_every_seat_at_every_turn(record: dict[str, Any]) -> None:
    for text in growing(line(record)):
        for seat in range(4):
            given_line = masked(text, seat)
            view = view_of(given_line, seat)
            assert view.seat == seat
            assert line_of(view) == given_line


@records
def test_half_turns_come_back_too(record: dict[str, Any]) -> None:
    for text in growing(line(record)):
        if not text.endswith("p") and len(text.split(",")) > 5:
            for seat in range(4):
                half = masked(text[:-1], seat)
                assert line_of(view_of(half, seat)) == half


@records
def test_a_view_rebuilt_after_a_reconnect_is_the_same(record: dict[str, Any]) -> None:
    """What was heard event by event, and what the line alone tells."""
    for seat in range(4):
        whole = view_of(masked(line(record), seat), seat)
        for text in growing(line(record)):
            view = view_of(masked(text, seat), seat)
            known = len(view.record)
            assert view.record == whole.record[:known]
            for event in whole.record[known:]:
                view = view.observe(event)
            assert view == whole
            assert view.digest == whole.digest


@records
def test_an_open_line_is_masked(record: dict[str, Any]) -> None:
    for seat in range(4):
        view = view_of(line(record), seat)
        assert view == view_of(masked(line(record), seat), seat)
        assert line_of(view) == masked(line(record), seat)


@records
def test_a_table_gives_the_open_line_and_every_masked_one(record: dict[str, Any]) -> None:
    table = kibitz.read_position(line(record))
    assert isinstance(table, kibitz.Table)
    assert line_of(table) == line(record)
    for seat in range(4):
        assert line_of(table, seat=seat) == line_of(table.view(seat=seat)) == masked(line(record), seat)


def test_goita_core_s_sample() -> None:
    view = view_of(MASKED, 1)
    assert (view.turn, view.legal()) == (0, [])
    assert view_of(MASKED + ",1p", 1).legal() == ["p", "d2"]
    assert line_of(view) == MASKED.replace("9", "8")


@pytest.mark.parametrize("seed", range(20))
def test_both_kings_are_eight_on_the_way_out(seed: int) -> None:
    text = dealt(seed)
    for seat in range(4):
        view = view_of(masked_raw(text, seat), seat)
        assert line_of(view) == masked(text, seat)
        assert "9" not in line_of(view)


def test_five_pawns_show_from_the_deal_on() -> None:
    for seat in range(4):
        view = view_of(masked(FIVES + ",s1", seat), seat)
        assert view.core.to_dict()["announced"] == [0, 5, 0, 0]
        assert all(view.sample(seed=3, index=i).start["hands"][1].count("1") == 5 for i in range(20))
        assert line_of(view) == masked(FIVES + ",s1", seat)


def test_totals_are_tenths_of_goita_s_points() -> None:
    assert view_of(MASKED, 1, score=(140, 30)).core.to_dict()["totals"] == [14, 3]


@pytest.mark.parametrize(
    "score", [(150, 0), (5, 0), (0,), (0, 0, 0), "00", None, (True, 0), (-10, 0), (0.0, 0)]
)
def test_a_score_that_is_none(score: Any) -> None:
    with pytest.raises(InvalidOption, match="in tens"):
        view_of(MASKED, 1, score=score)


def test_later_rounds_and_redeals_of_a_table() -> None:
    table = kibitz.load("kami").deal(seed=2)
    rng = random.Random(5)
    while table.turn is not None:
        wanted = [move for move in table.legal() if move[0] in "?+"]  # every redeal there can be
        table.play(wanted[0] if wanted else rng.choice(table.legal()))
        again = kibitz.read_position(line_of(table))
        assert isinstance(again, kibitz.Table)
        if table.turn is not None:  # at the end the line's own table awaits another deal
            now, then = table.core.to_dict(), again.core.to_dict()
            assert [now[key] for key in PARTS] == [then[key] for key in PARTS]
        for seat in range(4):
            assert line_of(table.view(seat=seat)) == line_of(table, seat=seat)
    assert sum(event.startswith("*:points") for event in table.record) > 2
    assert "+" in {event[2:] for event in table.record}


def test_a_question_written_in_the_line_comes_back() -> None:
    hands = FIVES.replace("9", "8")
    for answers in (
        "1-,2?5",
        "1-,2?5,4-",
        "1-,2?5,4-,3-,4-",
        "1-,2?5,4-,3-,4-,136",
        f"1-,2?5,4+;{line(LEADER_0)}",
    ):
        text = f"{hands},s1,{answers}"
        record = parse_history(text)
        for seat in range(4):
            given_line = format_history(mask_history(record, seat))
            assert line_of(view_of(given_line, seat)) == given_line


# --- what is refused ---


@pytest.mark.parametrize(
    ("text", "seat", "rule"),
    [
        ("11111123,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", 0, "goita: six pawns"),
        ("11111112,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", 0, "goita: six pawns"),
        ("11111111,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", 0, "goita: six pawns"),
        ("22334567,111111xx,xxxxxxxx,xxxxxxxx,s1", 0, "goita: six pawns"),
        ("11111234,xxxxxxxx,11111xxx,xxxxxxxx,s1", 0, "goita: five and five"),
        ("22334567,11111xxx,xxxxxxxx,11111xxx,s1", 0, "goita: five and five"),
        ("22334567,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,1-,2?6", 0, "goita: six pawns"),
        ("22334567,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,1-,2?5,4-,3-,4?5", 0, "goita: five and five"),
        ("11123488,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,118", 0, "kami R10, R13"),
        ("11123489,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,119", 0, "kami R10, R13"),
    ],
)
def test_what_only_goita_plays_is_refused_by_name(text: str, seat: int, rule: str) -> None:
    with pytest.raises(InvalidPosition, match=r"[Gg]oita") as caught:
        view_of(text, seat)
    assert caught.value.rule == rule
    assert rule in caught.value.message


def test_five_pawns_with_both_sides_are_played() -> None:
    text = "11111234,11111567,22334455,23456788,s1"
    assert view_of(masked(text, 2), 2).core.to_dict()["announced"] == [5, 5, 0, 0]


@pytest.mark.parametrize(
    ("text", "seat", "kind", "said"),
    [
        (MASKED, 0, InvalidPosition, "must show all of its own"),
        (MASKED, 4, InvalidOption, "seats 0 to 3"),
        (MASKED, None, InvalidOption, "seats 0 to 3"),
        (MASKED, True, InvalidOption, "seats 0 to 3"),
        ("1111234568,1112345678,1112233445,a75,s1", 0, InvalidPosition, "played by four"),
        ("", 0, InvalidPosition, "names no first seat"),
        (None, 0, InvalidPosition, "a text"),
        (b"x", 0, InvalidPosition, "a text"),
        ("x" * 100_000, 0, InvalidPosition, "too long"),
        (MASKED + ",1p,2p,3p,4", 1, InvalidPosition, "field 17"),
    ],
)
def test_no_line(text: Any, seat: Any, kind: type[KibitzError], said: str) -> None:
    with pytest.raises(kind, match=said):
        view_of(text, seat)


@pytest.mark.parametrize(
    "source", [None, MASKED, kibitz.load("hearts").deal(seed=1), kibitz.load("kami", players=3).deal(seed=1)]
)
def test_no_source_of_a_line(source: Any) -> None:
    with pytest.raises(InvalidPosition, match="A line is of"):
        line_of(source)


def test_a_round_that_began_before_has_no_line() -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=1)
    table.play(table.legal()[0])
    table.play(table.legal()[0])
    view = table.view(seat=0)
    later = kibitz.View.from_json(
        {key: value for key, value in view.to_dict().items() if key not in ("start", "record")}
    )
    with pytest.raises(InvalidPosition, match="began before"):
        line_of(later)
    with pytest.raises(InvalidPosition, match="began before"):
        line_of(view.sample(seed=1))
    with pytest.raises(InvalidOption, match="seat 0's"):
        line_of(view, seat=1)
    blank = kibitz.load("kami").blank()
    with pytest.raises(InvalidPosition, match="began before"):
        line_of(blank)


def test_a_table_dealt_step_by_step_has_a_line() -> None:
    table = kibitz.load("kami", redeal=False).blank()
    while table.turn == "chance":
        table.play(table.outcomes()[len(table.outcomes()) // 2][0])
    table.play(table.legal()[0])
    again = kibitz.read_position(line_of(table), options={"redeal": False})
    assert again.core == table.core
    assert line_of(table.view(seat=2)) == line_of(table, seat=2)


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(
    st.sampled_from(RECORDS),
    st.integers(0, 3),
    st.integers(0),
    st.sampled_from("0123456789xps,;?+-AH "),
    st.booleans(),
)
def test_a_line_with_another_character(
    record: dict[str, Any], seat: int, place: int, character: str, replaced: bool
) -> None:
    text = masked(line(record), seat)
    at = place % len(text)
    changed = text[:at] + character + text[at + replaced :]
    try:
        view = view_of(changed, seat)
    except KibitzError:
        return
    assert view_of(line_of(view), seat) == view


# --- turns ---


@pytest.mark.parametrize("seed", range(12))
def test_whole_rounds_at_a_server(seed: int) -> None:
    rng = random.Random(seed)
    bots: list[Any] = [
        kibitz.Bot("greedy"),
        kibitz.FunctionBot(lambda view: rng.choice(view.legal()), name="random"),
        kibitz.Bot("ismcts", iterations=20),
        kibitz.Bot("greedy", seed=4),
    ]
    turns = 0
    for text, seat in play(dealt(seed), bots):
        view = view_of(masked_raw(text, seat), seat)
        assert view.turn == seat
        turns += 1
    assert turns > 8


def test_a_king_goes_by_the_name_it_has_in_the_hand() -> None:
    def kings_first(view: kibitz.View) -> str:
        return max(view.legal(), key=lambda move: (move != "p", move[-1]))

    def defend(hand: str, turns: str = "415") -> str:
        return answer(f"{hand},xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,{turns}", kibitz.FunctionBot(kings_first), 0)

    assert defend("12345679") == "197"
    assert defend("12345678") == "187"
    assert defend("12345689") == "189"  # the second king may attack, the first lies open
    assert defend("12345688") == "188"
    assert defend("12345689", "415,186,2p,3p,463") == "195"  # the other one was played
    assert defend("12345689", "415,196,2p,3p,463") == "185"


def test_a_turn_after_a_half_one_is_whole() -> None:
    line_now = "12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,12"
    assert answer(line_now, kibitz.FunctionBot(lambda view: view.legal()[-1]), 0) == "127"
    both = "12345689,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,415"
    for placed, other in ("89", "98"):
        assert answer(f"{both},1{placed}", kibitz.FunctionBot(lambda view: "a8"), 0) == f"1{placed}{other}"


def test_it_must_be_the_seat_s_turn() -> None:
    with pytest.raises(IllegalMove, match="seat 1 is to act"):
        answer("12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s2", kibitz.Bot("greedy"), 0)


@pytest.mark.parametrize("move", ["d9", "zz", "", "p", "a1"])
def test_a_bot_that_plays_what_is_not_legal(move: str) -> None:
    with pytest.raises(IllegalMove):
        answer("12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", kibitz.FunctionBot(lambda view: move), 0)


# --- the redeal question ---


@pytest.mark.parametrize("first", range(4))
def test_the_partner_of_five_pawns_is_asked(first: int) -> None:
    text = masked(f"{FIVES},s{first + 1}", 3)
    view = view_of(text, 3, question=True)
    assert view.legal() == ["+", "-"]
    assert line_of(view) == text.replace("9", "8")
    assert answer(text, kibitz.Bot("greedy"), 3, question=True) == "4+"
    assert answer(text, kibitz.FunctionBot(lambda view: "-"), 3, question=True) == "4-"
    assert line_of(view.observe("3:-")) == text.replace("9", "8")


def test_the_question_where_opponents_have_five_too() -> None:
    text = "11111234,11111567,22334455,23456788,s1"
    for seat in (2, 3):
        assert view_of(masked(text, seat), seat, question=True).legal() == ["+", "-"]


def test_the_question_written_in_the_line_is_answered() -> None:
    text = format_history(mask_history(parse_history(f"{FIVES},s1,1-,2?5"), 3))
    assert answer(text, kibitz.Bot("greedy"), 3) == "4+"
    asking = format_history(mask_history(parse_history(f"{FIVES},s1,1-"), 1))
    assert answer(asking, kibitz.Bot("greedy"), 1) == "2?5"


@pytest.mark.parametrize(
    ("text", "seat", "said"),
    [
        (masked(FIVES + ",s1", 0), 0, "is not asked"),
        (masked(FIVES + ",s1,136", 3), 3, "before anything is written"),
        (FIVES + ",s1,1-,2?5", 3, "before anything is written"),
    ],
)
def test_no_question(text: str, seat: int, said: str) -> None:
    with pytest.raises(InvalidPosition, match=said):
        view_of(text, seat, question=True)


# --- the clock ---


class Timed:
    """A player that notes what is on its clock."""

    def __init__(self) -> None:
        self.clock = kibitz.Clock(byoyomi_ms=1000)
        self.seen: list[kibitz.Clock] = []

    def act(self, view: kibitz.View, *, clock: kibitz.Clock | None = None) -> str:
        assert clock is not None
        self.seen.append(clock)
        return view.legal()[-1]


def test_a_turn_of_two_decisions_has_one_byoyomi() -> None:
    bot = Timed()
    answer("12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", bot, 0, clock=clock_of(0, 10))
    assert [clock.byoyomi_ms for clock in bot.seen][:1] == [6000]
    assert bot.seen[1].byoyomi_ms <= 10_000
    bot = Timed()
    answer("12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1", bot, 0, clock=clock_of(60, 10))
    assert bot.seen[0].main_ms == 60_000
    assert bot.seen[1].main_ms <= 60_000


def test_an_answer_has_the_whole_byoyomi() -> None:
    bot = Timed()
    answer(masked(FIVES + ",s1", 3), bot, 3, question=True, clock=clock_of(0, 5))
    assert [clock.byoyomi_ms for clock in bot.seen] == [5000]


def test_a_bot_of_kibitz_plays_by_the_clock_and_others_are_not_told() -> None:
    line_now = "12345678,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1"
    clock = kibitz.Clock(main_ms=60, byoyomi_ms=60)
    for bot in (kibitz.Bot("ismcts", ms=50), kibitz.FunctionBot(lambda view: view.legal()[0])):
        assert answer(line_now, bot, 0, clock=clock)[0] == "1"
    with pytest.raises(InvalidOption, match="clock"):
        answer(line_now, kibitz.Bot("greedy"), 0, clock=10)  # type: ignore[arg-type]


@pytest.mark.parametrize("byoyomi", [4.9, 31, 0, None, "10", True, float("nan")])
def test_byoyomi_is_five_to_thirty_seconds(byoyomi: Any) -> None:
    with pytest.raises(InvalidOption, match="5 to 30"):
        clock_of(60, byoyomi)


@pytest.mark.parametrize("main", [-1, 3601, None, "60", True, float("inf")])
def test_main_time(main: Any) -> None:
    with pytest.raises(InvalidOption, match="0 to 3600"):
        clock_of(main, 10)


def test_the_clock() -> None:
    assert clock_of(600, 30, overhead_ms=50) == kibitz.Clock(
        main_ms=600_000, byoyomi_ms=30_000, overhead_ms=50
    )
