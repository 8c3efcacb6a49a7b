"""Views: events from outside, JSON both ways, and texts in any form."""

import json
import pickle
import random

import pytest

import kibitz
from kibitz.documents import MAX_BYTES
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, TooMuch, WrongActor

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
RECORD = ["1:-", "2:-", "3:-", "0:-", "1:dx", "1:a4", "2:p", "3:p"]
HISTORY = (
    ",".join(HANDS)
    + ",s2,234,3p,4p,147,2p,3p,4p,117,286,363,4p,1p,2p,312,425,1p,2p,3p,415,1p,2p,3p,414,1p,2p,383,4p,"
    "1p,2p,311"
)


def view_of_seat_0() -> kibitz.View:
    return kibitz.load("kami").view(
        seat=0, start={"hand": HANDS[0], "first": 1, "totals": [0, 0]}, record=RECORD
    )


def document() -> dict[str, object]:
    return {"game": "kami", "seat": 0, "start": {"hand": HANDS[0], "first": 1}, "record": list(RECORD)}


# --- events ---


@pytest.mark.parametrize(
    ("event", "kind", "said"),
    [
        ("1:p", WrongActor, "by seat 1, but seat 0 is to act"),
        ("*:points 6", WrongActor, "by chance, but seat 0 is to act"),
        ("4:p", IllegalMove, "seats 0 to 3"),
        ("0:d3", IllegalMove, "Horseman"),
        ("0:d5", IllegalMove, "."),
        ("0:zz", IllegalMove, "zz"),
        ("p", IllegalMove, "no event"),
        ("00000:p", IllegalMove, "no event"),
        ("", IllegalMove, "no event"),
    ],
)
def test_an_event_that_does_not_fit(event: str, kind: type[Exception], said: str) -> None:
    view = view_of_seat_0()
    with pytest.raises(kind, match=said):
        view.observe(event)
    assert view == view_of_seat_0()


def test_telling_too_much_comes_before_legality() -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start={"hand": HANDS[0], "first": 1})
    with pytest.raises(TooMuch) as caught:
        view.observe("1:d7")  # seat 0 holds both Towers: also inconsistent
    assert caught.value.allowed == ("1:dx",)
    assert view.observe("1:d7", mask=True).record == ("1:dx",)


def test_an_event_that_no_deal_agrees_with() -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start={"hand": HANDS[0], "first": 1})
    with pytest.raises(InvalidPosition):
        view.observe("1:dx").observe("1:a7")


def test_observing_makes_a_new_view() -> None:
    view = view_of_seat_0()
    after = view.observe("0:p")
    assert view.record == tuple(RECORD)
    assert after.record == (*RECORD, "0:p")
    assert after != view
    assert after.digest != view.digest


def test_chance_as_a_seat_sees_it() -> None:
    game = kibitz.load("kami", redeal=False)
    table = game.deal(seed=3)
    rng = random.Random(1)
    while not any(event.startswith("*:deal") for event in table.record):
        table.play(rng.choice(table.legal()))
    deals = [event for event in table.view(seat=2).record if event.startswith("*:deal")]
    assert deals.count("*:deal x") == 3


def test_check_says_why_not() -> None:
    view = view_of_seat_0()
    assert view.check("d4") == ""
    assert view.check("d7")
    assert view.check("zz")


def test_a_sample_is_a_world_of_the_view() -> None:
    view = view_of_seat_0()
    worlds = [view.sample(seed=1, index=index) for index in range(20)]
    assert all(world.view(seat=0).digest == view.digest for world in worlds)
    assert worlds[0] == view.sample(seed=1)
    assert len({tuple(world.core.to_dict()["hands"]) for world in worlds}) > 10


def test_a_view_is_a_value() -> None:
    view = view_of_seat_0()
    assert view == view_of_seat_0()
    assert hash(view) == hash(view_of_seat_0())
    assert len(view.digest) == 16
    assert repr(view) == "<View kami, seat 0 of 4: 8 events, seat 0 to act>"
    view.start["first"] = 3
    assert view.start["first"] == 1


def test_hidden_cards_do_not_show() -> None:
    game = kibitz.load("kami", redeal=False)
    table = game.setup({"hands": HANDS, "first": 1, "record": ["1:d3", "1:a4"]})
    other = game.setup(
        {"hands": [HANDS[0], "12334568", "11123468", HANDS[3]], "first": 1, "record": ["1:d2", "1:a4"]}
    )
    mine, same = table.view(seat=0), other.view(seat=0)
    assert mine == same
    assert mine.to_json() == same.to_json()
    assert mine.digest == same.digest
    assert mine.draw() == same.draw()
    assert pickle.dumps(mine) == pickle.dumps(same)


# --- JSON ---


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("plies", [0, 5, 40, 120])
def test_json_and_pickle_round_trips(players: int, plies: int) -> None:
    table = kibitz.load("kami", players=players).deal(seed=5)
    rng = random.Random(plies)
    for _ in range(plies):
        table.play(rng.choice(table.legal()))
    for seat in range(players):
        view = table.view(seat=seat)
        for other in (kibitz.View.from_json(view.to_json()), pickle.loads(pickle.dumps(view))):
            assert other == view
            assert other.start == view.start
            assert other.legal() == view.legal()


def test_json_of_start_and_record() -> None:
    assert kibitz.View.from_json(document()) == view_of_seat_0()
    assert kibitz.View.from_json(json.dumps(document()).encode()) == view_of_seat_0()


def test_json_of_the_view_alone_has_no_memory() -> None:
    whole = view_of_seat_0().to_dict()
    view = kibitz.View.from_json({"game": "kami", "seat": 0, "view": whole["view"]})
    assert view.record == ()
    assert view.digest == view_of_seat_0().digest
    assert view.legal() == ["p", "d4"]


def test_json_that_contradicts_itself_names_the_field() -> None:
    whole = view_of_seat_0().to_dict()
    whole["view"]["totals"] = [3, 0]
    with pytest.raises(
        InvalidPosition, match=r"'totals' is \[3, 0\] in 'view', and \[0, 0\] after the record"
    ):
        kibitz.View.from_json(whole)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"iterations": 5}, "no key 'iterations'"),
        ({"recrod": []}, r"no key 'recrod'; did you mean 'record'\?"),
        ({"seat": "0"}, "'seat' cannot be '0'"),
        ({"seat": 4}, "seats 0 to 3"),
        ({"seat": -1}, "'seat' cannot be -1"),
        ({"seat": True}, "'seat' cannot be True"),
        ({"start": None}, "has a 'record' and no 'start'"),
        ({"start": None, "record": None}, "neither 'start' nor 'view'"),
        ({"start": {"hand": "11113477", "frist": 1}}, "frist"),
        ({"start": {"hand": "1111347", "first": 1}}, "."),
        ({"start": {"hand": "11113777", "first": 1}}, "."),
        ({"record": [*RECORD[:4], "1:d3"]}, r"record\[4\] '1:d3'"),
        ({"record": "1:d3"}, "'record'"),
        ({"record": ["p"] * 70_000}, "'record'"),
        ({"kibitz": 2}, "format 1"),
        ({"rules": "kami/9"}, "'rules' is 'kami/9'"),
        ({"options": {"players": 2.5}}, "'options.players'"),
        ({"options": {"players": None}}, "players cannot be null"),
    ],
)
def test_json_says_what_is_wrong(change: dict[str, object], said: str) -> None:
    with pytest.raises((InvalidPosition, InvalidOption), match=said):
        kibitz.View.from_json(document() | change)


def test_json_of_an_unknown_game() -> None:
    with pytest.raises(kibitz.UnknownGame, match="did you mean 'kami'"):
        kibitz.View.from_json(document() | {"game": "kammi"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ('{"seat": 0, "seat": 1}', "'seat' is given twice"),
        ('{"seat": NaN}', "NaN"),
        ('{"seat": ' + "9" * 5000 + "}", "can be read"),
        ("[" * 100_000, "nested too deeply"),
        ('{"start": ' * 50_000 + "1" + "}" * 50_000, "nested too deeply"),
        (b"\xff{}", "not UTF-8"),
        (" " * MAX_BYTES + "{}", "at most 1,048,576"),
        (7, "not 7"),
    ],
)
def test_text_that_is_no_document(text: object, said: str) -> None:
    with pytest.raises(InvalidPosition, match=said):
        kibitz.View.from_json(text)  # type: ignore[arg-type]


def test_schema_is_offered() -> None:
    schema = kibitz.View.json_schema()
    assert schema["additionalProperties"] is False
    assert set(view_of_seat_0().to_dict()) == set(schema["properties"])


# --- positions in any form ---


def test_read_position_knows_a_view_from_a_table() -> None:
    table = kibitz.load("kami").deal(seed=7)
    assert kibitz.read_position(table.to_json()) == table
    assert kibitz.read_position(table.view(seat=1).to_json()) == table.view(seat=1)
    assert kibitz.read_position("\ufeff \n" + table.to_json(indent=2), seat=3) == table.view(seat=3)


def test_read_position_wants_the_seat_that_the_view_is_of() -> None:
    text = view_of_seat_0().to_json()
    assert kibitz.read_position(text, seat=0) == view_of_seat_0()
    with pytest.raises(InvalidPosition, match="seat 0's, not seat 2's"):
        kibitz.read_position(text, seat=2)


def test_read_position_agrees_with_what_is_asked() -> None:
    text = view_of_seat_0().to_json()
    with pytest.raises(kibitz.UnknownGame):
        kibitz.read_position(text, game="whist")
    with pytest.raises(InvalidPosition, match="victory='soldier', not 'lord'"):
        kibitz.read_position(text, game="kami", options={"victory": "lord"})


def test_read_position_of_a_whole_round() -> None:
    table = kibitz.read_position(HISTORY)
    assert isinstance(table, kibitz.Table)
    assert table.record[-1] == "*:points 2"  # seat 2 finishes with a Soldier on a face-down Soldier (W8)
    assert table.turn == "chance"  # the next deal is not made up
    table.undo()
    assert table.turn == "chance"
    assert kibitz.read_position(HISTORY, options={"rounds": 1}).turn is None


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("turns", range(0, 29, 4))
def test_a_masked_history_gives_the_view_of_its_seat(seat: int, turns: int) -> None:
    from kibitz.games.kami import format_history, mask_history, parse_history

    history = ",".join(HISTORY.split(",")[: 5 + turns])
    record = parse_history(history)
    masked = format_history(mask_history(record, seat))
    whole = kibitz.load("kami").setup(history, chance="manual")
    view = kibitz.read_position(masked, seat=seat)
    assert isinstance(view, kibitz.View)
    if turns:  # the answers to the redeal question stand before the first turn only
        assert view == whole.view(seat=seat)


def test_a_masked_history_tells_whose_it_is() -> None:
    text = "3xxxxxxx,12345678,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"
    assert kibitz.read_position(text) == kibitz.read_position(text, seat=1)
    with pytest.raises(InvalidPosition, match="does not show the hand of seat 0"):
        kibitz.read_position(text, seat=0)
    with pytest.raises(InvalidPosition, match="hands of 0 of 4 seats"):
        kibitz.read_position("xxxxxxxx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,1x3")


@pytest.mark.parametrize("players", [2, 3])
def test_players_are_the_notations_unless_given(players: int) -> None:
    table = kibitz.load("kami", players=players).deal(seed=7)
    start = table.start
    rest = "a" + start["aside"] if players == 3 else "m" + "".join(start["stacks"])
    text = ",".join([*start["hands"], rest, f"s{start.get('first', 0) + 1}"])
    found = kibitz.read_position(text)
    assert isinstance(found, kibitz.Table)
    assert found.game == table.game
    assert found.core == table.core
    with pytest.raises(InvalidPosition, match=f"{players} hands"):
        kibitz.read_position(text, options={"players": 4})


@pytest.mark.parametrize("text", ["", "   ", "hello", "11,22", "{", "[1]", b"\xff", "x" * (MAX_BYTES + 1)])
def test_text_that_is_no_position(text: str | bytes) -> None:
    with pytest.raises(InvalidPosition):
        kibitz.read_position(text)
