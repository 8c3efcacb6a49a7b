"""Records: one format for all games, both ways; what is refused; what a masked one must not tell."""

import base64
import copy
import json
import pickle
import random
import zlib
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from covers import PLAIN, Cover
from kibitz.documents import MAX_BYTES
from kibitz.errors import InvalidOption, InvalidPosition, KibitzError, UnknownGame
from kibitz.records import Record, Seated, read_records, write_records

SEED = 9_182_736_455  # long enough to be looked for in a text

covers = pytest.mark.parametrize("cover", PLAIN, ids=str)


def played(slug: str, plies: int, **options: Any) -> kibitz.Table:
    """A table after so many random decisions, or at the end."""
    table = kibitz.load(slug, **options).deal(seed=SEED)
    rng = random.Random(SEED)
    for _ in range(plies):
        if table.turn is None:
            break
        table.play(rng.choice(table.legal()))
    return table


def stages(cover: Cover) -> list[kibitz.Table]:
    """Tables at the start, underway, and at the end where that comes soon."""
    return [played(cover.slug, plies, **dict(cover.options)) for plies in (0, 5, 400)]


def finished() -> kibitz.Table:
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    for move in ("a1", "b1", "a2", "b2", "a3"):
        table.play(move)
    return table


def document(**changed: Any) -> dict[str, Any]:
    return Record.of(finished()).to_dict() | changed


# --- both ways ---


@covers
def test_a_record_comes_back_the_same(cover: Cover) -> None:
    for table in stages(cover):
        record = Record.of(
            table,
            seats=[f"player {seat}" for seat in range(table.game.seats)],
            date="2026-12-01",
            tags={"event": "the club's evening"},
        )
        for again in (
            Record.load(record.to_json()),
            Record.load(record.to_json(indent=1).encode()),
            Record.load(record.to_dict()),
            Record.from_share(record.share()),
            Record.load(record.share()),
            pickle.loads(pickle.dumps(record)),
            copy.copy(record),
            copy.deepcopy(record),
        ):
            assert again == record
            assert hash(again) == hash(record)
            assert again.to_json() == record.to_json()
        assert record.table == table
        assert record.events == tuple(table.record)
        assert record.over == (table.turn is None)
        assert record.returns == (tuple(table.returns()) if record.over else None)
        assert record.score == tuple(table.score())


@covers
def test_a_masked_record_comes_back_the_same(cover: Cover) -> None:
    for table in stages(cover):
        record = Record.of(table)
        for seat in range(table.game.seats):
            masked = record.masked(seat)
            assert masked.view == table.view(seat=seat)
            assert masked.seat == seat
            assert Record.load(masked.to_json()) == masked
            assert Record.from_share(masked.share()) == masked
            assert pickle.loads(pickle.dumps(masked)) == masked
            assert masked.masked(seat) == masked


@covers
def test_every_document_of_a_table_or_view_is_a_record(cover: Cover) -> None:
    for table in stages(cover):
        assert Record.load(table.to_json()).table == table
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            assert Record.load(view.to_json()).view == view
            alone = {key: value for key, value in view.to_dict().items() if key not in ("start", "record")}
            assert Record.load(alone).view.digest == view.digest


@covers
def test_a_record_is_a_document_of_its_table_and_more(cover: Cover) -> None:
    table = played(cover.slug, 5, **dict(cover.options))
    found = Record.of(table).to_dict()
    assert {key: found[key] for key in table.to_dict()} == table.to_dict()
    assert set(found) - set(table.to_dict()) == {"results"}


@covers
def test_a_seed_alone_gives_the_deal(cover: Cover) -> None:
    for table in stages(cover):
        found = table.to_dict()
        del found["start"]
        assert Record.load(found).table == table
        del found["record"]
        assert Record.load(found).table == table.game.deal(seed=SEED)


# --- hidden cards ---


@covers
def test_a_masked_record_is_made_of_the_view_alone(cover: Cover) -> None:
    for table in stages(cover):
        for seat in range(table.game.seats):
            masked = Record.of(table, seats=[None] * table.game.seats).masked(seat)
            alone = Record.of(table.view(seat=seat), seats=[None] * table.game.seats)
            assert masked.to_json() == alone.to_json()
            assert masked.events == table.view(seat=seat).record
            assert not {"seed", "chance"} & set(masked.to_dict())
            assert str(SEED) not in masked.to_json()


@covers
def test_every_seat_knows_the_results(cover: Cover) -> None:
    """Those of a masked record are taken from a world of its view; all worlds agree."""
    for table in stages(cover):
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            for index in range(3):
                world = view.sample(seed=5, index=index)
                assert world.score() == table.score()
                assert world.returns() == table.returns()


def test_a_masked_record_of_kami_names_no_card_of_others() -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=SEED)
    table.play(table.legal()[0])
    hands = table.start["hands"]
    leader = table.view(seat=0).start.get("first", 0)
    other = (leader + 1) % 4
    text = Record.of(
        table, tags={"hands": " ".join(hands)}, seats=[{"settings": {"note": hands[leader]}}] * 4
    )
    masked = text.masked(other).to_json()
    assert f"{leader}:dx" in masked
    assert not any(hand in masked for seat, hand in enumerate(hands) if seat != other)


def test_what_nobody_can_check_is_left_out_of_a_masked_record() -> None:
    bot = kibitz.Bot("flat", iterations=10, seed=77)
    record = Record.of(
        played("kuhn_poker", 1),
        seats=[bot, Seated(name="Bo", kind="person")],
        tags={"deal": "K Q"},
        ended="time",
    )
    masked = record.masked(1)
    assert masked.tags == {}
    assert masked.seats == (Seated(name="flat iterations=10", kind="bot"), Seated(name="Bo", kind="person"))
    assert masked.ended == "time"


def test_a_view_does_not_tell_what_another_seat_saw() -> None:
    masked = Record.of(played("kuhn_poker", 1)).masked(0)
    with pytest.raises(InvalidPosition, match="what seat 0 saw"):
        masked.masked(1)
    with pytest.raises(InvalidPosition, match="no table"):
        _ = masked.table
    with pytest.raises(InvalidPosition, match="nobody's view"):
        _ = Record.of(finished()).view
    with pytest.raises(InvalidOption, match="seats 0 to 1"):
        masked.masked(2)


@pytest.mark.parametrize("extra", [{"seed": 0}, {"chance": "auto"}])
def test_a_seat_s_record_has_no_seed(extra: dict[str, Any]) -> None:
    found = Record.of(played("kuhn_poker", 1)).masked(0).to_dict() | extra
    with pytest.raises(InvalidPosition, match=r"has no '(seed|chance)'"):
        Record.load(found)


# --- a value ---


def test_a_record_stays_when_its_table_goes_on() -> None:
    table = played("connect_four", 3)
    record = Record.of(table)
    before = record.to_json()
    table.play(table.legal()[0])
    record.table.play(record.table.legal()[0])
    source = record.source
    assert isinstance(source, kibitz.Table)
    source.undo()
    record.tags["new"] = "tag"
    record.to_dict()["record"].append("x")
    assert record.to_json() == before
    with pytest.raises(AttributeError):
        record.date = "2026-12-01"  # type: ignore[misc]


def test_records_differ_by_all_that_is_known() -> None:
    table = finished()
    kinds = [
        Record.of(table),
        Record.of(table, date="2026-12-01"),
        Record.of(table, tags={"a": "b"}),
        Record.of(table, seats=["A", "B"]),
        Record.of(table.at(2)),
        Record.of(table.at(2), ended="resigned"),
        Record.of(table.view(seat=0)),
    ]
    assert all((one == other) == (one is other) for one in kinds for other in kinds)
    assert Record.of(table) != table
    assert repr(kinds[0]) == "<Record tic_tac_toe: 5 events, over>"
    assert repr(kinds[-1]) == "<Record tic_tac_toe as seat 0 saw it: 5 events, over>"
    assert repr(kinds[4]) == "<Record tic_tac_toe: 2 events, unfinished>"


def test_a_tampered_pickle_is_checked() -> None:
    made = pickle.dumps(Record.of(finished()), protocol=0)
    assert b"1:b1" in made
    with pytest.raises(InvalidPosition):
        pickle.loads(made.replace(b"1:b1", b"1:a1"))


def test_who_sat_where() -> None:
    clock = kibitz.Clock.parse("60s+1s")
    bot = kibitz.Bot("ismcts", iterations=[5, 6], threads=2, clock=clock, seed=3)
    seats: list[Any] = [bot, kibitz.FunctionBot(lambda view: view.legal()[0], name="first"), "Cy", None]
    record = Record.of(played("kami", 2), seats=seats)
    settings_of_bot = {"search": "ismcts", "iterations": [5, 6], "threads": 2, "clock": "60s+1s", "seed": 3}
    assert record.seats == (
        Seated(name=bot.name, kind="bot", settings=settings_of_bot),
        Seated(name="first", kind="bot"),
        Seated(name="Cy"),
        Seated(),
    )
    assert Record.load(record.to_json()).seats == record.seats
    assert Record.of(record.source, seats=record.seats) == record


def test_a_review_is_that_of_the_table() -> None:
    table = played("kuhn_poker", 2)
    record = Record.of(table)
    budget: dict[str, Any] = {"search": "flat", "iterations": 20, "progress": False}
    assert record.review(**budget) == kibitz.review(table, **budget)
    seats = {decision.seat for decision in record.masked(0).review(**budget).decisions}
    assert seats <= {0}


def test_the_schema_names_every_key() -> None:
    schema = Record.json_schema()
    written = Record.of(finished(), seats=["A", "B"], date="2026-12-01", tags={"a": "b"})
    assert set(schema["properties"]) >= set(written.to_dict()) | set(written.masked(0).to_dict())
    assert set(schema["properties"]) >= set(kibitz.Table.json_schema()["properties"])
    assert set(schema["properties"]) >= set(kibitz.View.json_schema()["properties"])
    assert schema["additionalProperties"] is False
    assert all("description" in field for field in schema["properties"].values())


@pytest.mark.parametrize(
    ("given_date", "text"),
    [
        (date(2026, 12, 1), "2026-12-01"),
        ("2026-12-01", "2026-12-01"),
        (datetime(2026, 12, 1, 18, 30, tzinfo=timezone(timedelta(hours=1))), "2026-12-01T18:30:00+01:00"),
        ("2026-12-01T18:30Z", "2026-12-01T18:30Z"),
    ],
)
def test_a_date(given_date: Any, text: str) -> None:
    assert Record.of(finished(), date=given_date).date == text


# --- what is refused ---


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ({"returns": [0, 1]}, r"'results.returns' is \[0.0, 1.0\], but the record gives \[1.0, 0.0\]"),
        ({"returns": [1]}, "results.returns"),
        ({"returns": []}, "results.returns"),
        ({"returns": [1, 0, 0]}, "results.returns"),
        ({"returns": [1.0001, 0]}, "results.returns"),
        ({"returns": [True, False]}, r"results.returns\[0\]"),
        ({"returns": [float("nan"), 0]}, r"results.returns\[0\]"),
        ({"returns": [10**400, 0]}, r"results.returns\[0\]"),
        ({"returns": [0] * 65}, "at most 64"),
        ({"returns": "1, 0"}, "results.returns"),
        ({"score": [9, 9]}, "'results.score' is"),
        ({"score": [1.5, 0]}, r"results.score\[0\]"),
        ({"score": [10**5000, 0]}, "'results.score' is"),
        ({"ended": "time"}, "'results.ended' is 'time', but the game was played to its end"),
        ({"ended": "seat 1 held the King"}, "'abandoned', 'adjourned'"),
        ({"winner": 0}, "no key 'results.winner'"),
        ([1, 0], "'results' cannot be"),
    ],
)
def test_another_result_is_refused(results: Any, said: str) -> None:
    with pytest.raises(InvalidPosition, match=said):
        Record.load(document(results=results))


@pytest.mark.parametrize(
    "results", [{}, None, {"returns": [1, 0]}, {"returns": None}, {"returns": [1.0, 1e-12]}]
)
def test_results_may_be_left_out_or_said_in_part(results: Any) -> None:
    assert Record.load(document(results=results)).returns == (1.0, 0.0)


def test_an_unfinished_game_has_no_winner() -> None:
    record = Record.of(finished().at(4), ended="resigned")
    assert record.to_dict()["results"] == {"returns": None, "score": [0, 0], "ended": "resigned"}
    with pytest.raises(InvalidPosition, match="after the record the game is not over"):
        Record.load(record.to_dict() | {"results": {"returns": [0, 0]}})


def test_results_of_a_masked_record_are_checked_too() -> None:
    found = Record.of(finished()).masked(1).to_dict()
    with pytest.raises(InvalidPosition, match=r"'results\.returns' is"):
        Record.load(found | {"results": {"returns": [0.0, 1.0]}})


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"kibitz": 2}, InvalidPosition, "format 1"),
        ({"rules": "tic_tac_toe/0"}, InvalidPosition, "this version plays 'tic_tac_toe/1'"),
        ({"game": "chess"}, UnknownGame, "no game 'chess'"),
        ({"options": {"players": 9}}, InvalidOption, "players"),
        ({"seats": ["A", "B"]}, InvalidPosition, r"'seats\[0\]' cannot be 'A'"),
        ({"seats": [{}]}, InvalidPosition, "1 entries, but tic_tac_toe has 2 seats"),
        ({"seats": [{}] * 65}, InvalidPosition, "at most 64"),
        ({"seats": [{"nmae": "A"}, {}]}, InvalidPosition, "did you mean 'name'"),
        ({"seats": [{"name": "A" * 101}, {}]}, InvalidPosition, "at most 100"),
        ({"seats": [{"name": 7}, {}]}, InvalidPosition, "at most 100"),
        ({"seats": [{"name": "\ud800"}, {}]}, InvalidPosition, r"seats\[0\].name"),
        ({"seats": [{"kind": "cat"}, {}]}, InvalidPosition, "'bot' or 'person'"),
        ({"seats": [{"settings": {"a": {"b": 1}}}, {}]}, InvalidPosition, "or lists of such"),
        ({"seats": [{"settings": {"a": [[1]]}}, {}]}, InvalidPosition, "or lists of such"),
        ({"seats": [{"settings": {"a": float("inf")}}, {}]}, InvalidPosition, "finite"),
        ({"seats": [{"settings": {"a": 2**64}}, {}]}, InvalidPosition, "64 bits"),
        ({"seats": [{"settings": {"a": [0] * 257}}, {}]}, InvalidPosition, "or lists of such"),
        (
            {"seats": [{"settings": {str(n): n for n in range(65)}}, {}]},
            InvalidPosition,
            "at most 64 entries",
        ),
        ({"tags": {"a": 1}}, InvalidPosition, "at most 500"),
        ({"tags": {"a": "b" * 501}}, InvalidPosition, "at most 500"),
        ({"tags": {"a" * 65: "b"}}, InvalidPosition, "at most 64 characters"),
        ({"tags": {7: "b"}}, InvalidPosition, "keys are texts"),
        ({"tags": [["a", "b"]]}, InvalidPosition, "an object"),
        ({"date": "yesterday"}, InvalidPosition, "a day such as"),
        ({"date": "2026-13-01"}, InvalidPosition, "a day such as"),
        ({"date": "2026-12-01T18:30"}, InvalidPosition, "with its offset"),
        ({"date": "2026-W49-2"}, InvalidPosition, "a day such as"),
        ({"date": "\u0662026-12-01"}, InvalidPosition, "a day such as"),
        ({"date": 20261201}, InvalidPosition, "a day such as"),
        ({"seed": -1}, InvalidPosition, "seed"),
        ({"seed": 2**64}, InvalidPosition, "seed"),
        ({"seed": True}, InvalidPosition, "seed"),
        ({"chance": "never"}, InvalidPosition, "chance"),
        ({"record": "a1"}, InvalidPosition, "a list"),
        ({"record": ["0:a1", "1:a1"]}, InvalidPosition, r"record\[1\]"),
        ({"record": [1]}, InvalidPosition, r"record\[0\]"),
        ({"view": {}}, InvalidPosition, "names the 'seat'"),
        ({"seat": 5, "seed": None, "chance": None}, InvalidOption, "seats 0 to 1"),
        ({"seat": -1}, InvalidPosition, "seat"),
        ({"start": None, "seed": None}, InvalidPosition, "neither 'start' nor 'seed'"),
        ({"start": []}, InvalidPosition, "an object"),
        ({"stort": {}}, InvalidPosition, "did you mean 'start'"),
    ],
)
def test_a_broken_document(changed: dict[str, Any], kind: type[KibitzError], said: str) -> None:
    with pytest.raises(kind, match=said):
        Record.load(document(**changed))


def test_a_seed_alone_of_other_rules_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="this version plays"):
        Record.load({"game": "kami", "rules": "kami/0", "seed": 7})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "neither JSON nor a shared text"),
        ("no file of this name", "neither JSON nor a shared text"),
        ("/etc/passwd", "pathlib.Path"),
        ("[]", "neither JSON"),
        ("{", "is not JSON"),
        ('{"game": "kami", "game": "kami", "seed": 1}', "given twice"),
        ('{"game": "kami", "seed": NaN}', "NaN"),
        ('{"game":' + "[" * 100_000, "nested too deeply"),
        (b"\xff{}", "UTF-8"),
        ("{" + " " * MAX_BYTES + "}", "at most"),
        (None, "JSON text or a mapping"),
        (7, "JSON text or a mapping"),
    ],
)
def test_text_that_is_no_record(text: Any, said: str) -> None:
    with pytest.raises(InvalidPosition, match=said):
        Record.load(text)


def test_a_text_may_begin_with_a_mark_and_spaces() -> None:
    record = Record.of(finished())
    assert Record.load("\N{BYTE ORDER MARK} \n" + record.to_json() + "\n") == record
    assert Record.load(f" {record.share()}\n") == record


@pytest.mark.parametrize("source", [None, 7, "kami", object(), Record])
def test_a_record_is_of_a_table_or_view(source: Any) -> None:
    with pytest.raises(InvalidPosition, match="of a table or a view"):
        Record.of(source)


@pytest.mark.parametrize("seats", ["AB", 7, ["A"], [1, 2], [kibitz.Bot, None], {"A": "B"}, [[], []]])
def test_seats_that_are_none(seats: Any) -> None:
    with pytest.raises(InvalidPosition, match="seats"):
        Record.of(finished(), seats=seats)


# --- shared texts ---


def shared(data: bytes) -> str:
    return "kibitz1." + base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


def test_a_shared_text_may_stand_in_an_address() -> None:
    for table in (finished(), played("kami", 400)):
        text = Record.of(table, tags={"more": "\N{SNOWMAN} ?&#/+="}).share()
        assert set(text[8:]) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert len(text) < len(table.to_json()) / 2


def test_a_bomb_is_not_unpacked() -> None:
    bomb = shared(b"{" + b" " * 30_000_000 + b"}")
    assert len(bomb) < 50_000
    with pytest.raises(InvalidPosition, match="more than 1,048,576 bytes when unpacked"):
        Record.from_share(bomb)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kibitz2.AAAA", "begins with 'kibitz1.'"),
        ("", "begins with"),
        ("kibitz1.", "cut off"),
        ("kibitz1.A", "damaged"),
        ("kibitz1.AAAA", "cannot be unpacked"),
        ("kibitz1.A+A/", "damaged"),
        ("kibitz1.AAA=", "damaged"),
        ("kibitz1.\u0661\u0661\u0661\u0661", "damaged"),
        ("kibitz1." + "A" * (2 * MAX_BYTES + 4), "at most 2,097,152"),
        (shared(b""), "not JSON"),
        (shared(b"[]"), "a JSON object"),
        (shared(b"\xff\xfe\xfd"), "is not"),
        (shared(b'{"game":"kami"}'), "neither 'start' nor 'seed'"),
        (None, "a text"),
        (b"kibitz1.AAAA", "a text"),
    ],
)
def test_a_shared_text_that_is_none(text: Any, said: str) -> None:
    with pytest.raises(InvalidPosition, match=said):
        Record.from_share(text)


def test_a_shared_text_that_was_cut_or_lengthened() -> None:
    text = Record.of(finished()).share()
    for cut in range(8, len(text)):
        with pytest.raises(InvalidPosition):
            Record.from_share(text[:cut])
    packed = base64.urlsafe_b64decode(text[8:] + "=" * (-len(text[8:]) % 4))
    longer = base64.urlsafe_b64encode(packed + b"more").decode().rstrip("=")
    with pytest.raises(InvalidPosition, match="something was added"):
        Record.from_share("kibitz1." + longer)


# --- anything at all ---


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["0:a1", "*:x", "kami"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each, max_size=3),
    max_leaves=8,
)
KEYS = sorted(Record.json_schema()["properties"])
WHOLE = [
    Record.of(finished(), seats=["A", "B"], date="2026-12-01", tags={"a": "b"}).to_dict(),
    Record.of(played("kuhn_poker", 1)).masked(0).to_dict(),
    Record.of(played("kami", 9)).to_dict(),
]


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(
    st.sampled_from(WHOLE),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
    st.sets(st.sampled_from(KEYS), max_size=2),
)
def test_a_document_is_a_record_or_refused_in_words(
    whole: dict[str, Any], changed: dict[str, Any], left_out: set[str]
) -> None:
    found = {key: value for key, value in (whole | changed).items() if key not in left_out}
    try:
        record = Record.load(found)
    except KibitzError as error:
        ends = error.message[-1]
    else:
        ends = "."
        assert Record.load(record.to_json()) == record
    assert ends in ".?"


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(st.integers(min_value=0), st.characters(), st.booleans())
def test_a_shared_text_with_another_character(place: int, character: str, replaced: bool) -> None:
    text = Record.of(finished()).share()
    at = place % len(text)
    changed = text[:at] + character + text[at + replaced :]
    try:
        record = Record.from_share(changed)
    except KibitzError:
        pass
    else:
        assert record == Record.of(finished())


# --- files ---


def test_a_file(tmp_path: Path) -> None:
    record = Record.of(played("kami", 30), tags={"event": "\N{SNOWMAN}"})
    path = tmp_path / "game.json"
    record.save(path)
    record.save(str(path))  # over what is there
    assert Record.load(path) == record
    assert [each.name for each in tmp_path.iterdir()] == ["game.json"]
    with pytest.raises(OSError, match="none"):
        Record.load(tmp_path / "none.json")
    with pytest.raises(OSError, match="no folder"):
        record.save(tmp_path / "no folder" / "game.json")
    assert [each.name for each in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("path", ["", 7, None, "a\0b"])
def test_no_name_of_a_file(path: Any) -> None:
    with pytest.raises(InvalidOption, match="name of a file"):
        Record.of(finished()).save(path)


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_bytes(b" " * (MAX_BYTES + 5))
    with pytest.raises(InvalidPosition, match="at most"):
        Record.load(path)


def test_lines(tmp_path: Path) -> None:
    whole = [Record.of(played(cover.slug, 6, **dict(cover.options))) for cover in PLAIN]
    records = whole + [each.masked(0) for each in whole]
    path = tmp_path / "games.jsonl"
    assert write_records(path, iter(records)) == len(records)
    assert list(read_records(path)) == records
    with path.open() as text, path.open("rb") as data:
        assert list(read_records(text)) == list(read_records(data)) == records
    assert list(read_records(["", " \n", "\N{BYTE ORDER MARK}" + whole[0].share(), b"\n"])) == [whole[0]]


def test_lines_are_read_one_at_a_time() -> None:
    def lines() -> Any:
        yield Record.of(finished()).to_json()
        raise AssertionError("read too far")

    assert next(read_records(lines())) == Record.of(finished())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Line 3: The document is not JSON"),
        ("a", "Line 3: 'a' is neither"),
        (b"\xff", "Line 3 is not UTF-8"),
        (7, "Line 3: A line is a text"),
        ('{"game":"chess","seed":1}', "Line 3: There is no game 'chess'"),
        (json.dumps(document(results={"score": [5]})), r"Line 3: 'results.score' is \[5\]"),
    ],
)
def test_a_line_that_is_no_record(line: Any, said: str) -> None:
    good = Record.of(finished()).to_json()
    with pytest.raises(InvalidPosition, match=said):
        list(read_records([good, "", line, good]))


def test_a_line_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n{" + b" " * (3 * MAX_BYTES) + b"}\n")
    with pytest.raises(InvalidPosition, match="Line 2: It has more than 1,048,576 bytes"):
        list(read_records(path))


@pytest.mark.parametrize("source", ["games.jsonl", b"{}", 7, None])
def test_no_lines(source: Any) -> None:
    with pytest.raises(InvalidPosition, match=r"pathlib\.Path"):
        list(read_records(source))


def test_a_file_of_lines_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record.of(finished())
    write_records(path, [record])
    with pytest.raises(InvalidOption, match="is no record"):
        write_records(path, [record, record, finished()])  # type: ignore[list-item]
    assert list(read_records(path)) == [record]
    assert [each.name for each in tmp_path.iterdir()] == ["games.jsonl"]
