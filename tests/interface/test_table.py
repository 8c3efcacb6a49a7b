"""Tables: playing, chance, records, and every way to write one down and get it back."""

import copy
import pickle
import random

import pytest

import kibitz
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, WrongActor

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
PLAYERS = [2, 3, 4]


def play_on(table: kibitz.Table, *, plies: int, seed: int = 0) -> kibitz.Table:
    """Random moves until the game is over, at most so many."""
    rng = random.Random(seed)
    for _ in range(plies):
        if table.turn is None:
            break
        table.play(rng.choice(table.legal()))
    return table


def in_play() -> kibitz.Table:
    """Seat 0 is to answer attack 4 of seat 1."""
    game = kibitz.load("kami", redeal=False)
    return game.setup({"hands": HANDS, "first": 1, "record": ["1:d3", "1:a4", "2:p", "3:p"]})


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_runs_to_its_end(players: int) -> None:
    game = kibitz.load("kami", players=players)
    table = play_on(game.deal(seed=3), plies=100_000)
    assert table.turn is None
    assert table.legal() == []
    assert sorted(set(table.returns())) == [0.0, 1.0]
    assert max(table.score()) >= 15


def test_returns_are_nought_before_the_end() -> None:
    assert in_play().returns() == [0.0] * 4


def test_rules_of_one_move_are_told_and_nothing_is_changed() -> None:
    table = in_play()
    before = table.copy()
    with pytest.raises(
        IllegalMove, match=r"'d3' by seat 0: Horseman does not answer Silver Dragon; legal: p, d4"
    ) as caught:
        table.play("d3")
    assert caught.value.given == "d3"
    assert caught.value.allowed == ("p", "d4")
    assert table == before
    assert table.check("d3")
    assert table.check("d4") == ""


@pytest.mark.parametrize("move", ["", "d9", "dx", "pass", "d4 ", "D4", "0:", 4, None])
def test_what_is_no_move_is_refused(move: object) -> None:
    table = in_play()
    before = table.copy()
    with pytest.raises(IllegalMove):
        table.play(move)  # type: ignore[arg-type]
    assert table == before


def test_an_event_is_taken_if_its_seat_is_to_act() -> None:
    table = in_play()
    with pytest.raises(WrongActor, match="by seat 1, but seat 0 is to act"):
        table.play("1:d4")
    table.play("0:d4")
    assert table.record[-1] == "0:d4"


def test_nobody_plays_after_the_end() -> None:
    table = play_on(kibitz.load("kami", rounds=1).deal(seed=3), plies=1000)
    with pytest.raises(IllegalMove, match="the game is over"):
        table.play("p")
    with pytest.raises(InvalidOption, match="seat must be given"):
        table.view()
    assert table.view(seat=0).turn is None


def test_chance_is_in_the_record_and_never_left_standing() -> None:
    table = play_on(kibitz.load("kami").deal(seed=3), plies=200)
    assert any(event.startswith("*:points ") for event in table.record)
    assert any(event.startswith("*:deal ") for event in table.record)
    assert table.turn != "chance"


def test_later_deals_hang_on_the_seed_alone() -> None:
    game = kibitz.load("kami", redeal=False)
    deals = []
    for seed in range(6):  # six ways to play the first rounds
        table = play_on(game.deal(seed=3), plies=100, seed=seed)
        deals.append([event for event in table.record if event.startswith("*:deal")][:4])
    assert len(deals[0]) == 4
    assert all(deal == deals[0] for deal in deals)


def test_manual_chance_waits_for_its_outcome() -> None:
    table = kibitz.load("kami", rounds=1, redeal=False).deal(seed=3, chance="manual")
    while table.turn != "chance":
        play_on(table, plies=1)
    assert table.legal() == []
    ((outcome, weight),) = table.outcomes()
    assert outcome.startswith("points ")
    assert weight >= 1
    before = table.copy()
    wrong = "points 1" if outcome != "points 1" else "points 2"
    with pytest.raises(IllegalMove):
        table.play(wrong)
    assert table == before
    table.play(f"*:{outcome}")
    assert table.turn is None


def test_view_is_of_the_seat_to_decide_by_default() -> None:
    table = in_play()
    assert table.view() == table.view(seat=0)
    assert table.view().legal() == table.legal()


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_is_what_its_own_record_tells(players: int) -> None:
    game = kibitz.load("kami", players=players)
    table = play_on(game.deal(seed=5), plies=60)
    for seat in range(players):
        view = table.view(seat=seat)
        assert game.view(seat=seat, start=view.start, record=view.record) == view
        assert len(view.record) == len(table.record)


def test_a_face_down_card_is_masked_for_the_others() -> None:
    table = in_play()
    assert table.view(seat=1).record[0] == "1:d3"
    assert [table.view(seat=seat).record[0] for seat in (0, 2, 3)] == ["1:dx"] * 3


def test_undo_takes_back_decisions_and_the_chance_after_them() -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=3)
    stages = [table.copy()]
    for _ in range(80):
        play_on(table, plies=1, seed=len(stages))
        table.view(seat=0)  # the seen record is cut as well
        stages.append(table.copy())
    while len(stages) > 1:
        stages.pop()
        table.undo()
        assert table == stages[-1]
        assert table.view(seat=0) == stages[-1].view(seat=0)
    with pytest.raises(InvalidOption, match="cannot take back 1"):
        table.undo()


def test_undo_of_several() -> None:
    table = in_play()
    start = table.at(0)
    table.undo(4)
    assert table == start
    for plies in (0, -1, 1):
        with pytest.raises(InvalidOption):
            table.undo(plies)


def test_at_gives_an_earlier_table() -> None:
    table = in_play()
    assert table.at(2).record == ["1:d3", "1:a4"]
    assert table.at(4) == table
    assert len(table.record) == 4
    with pytest.raises(InvalidOption, match="the record has 4"):
        table.at(5)


def test_a_copy_goes_its_own_way() -> None:
    table = in_play()
    for other in (table.copy(), copy.copy(table), copy.deepcopy(table)):
        assert other == table
        other.play("p")
        assert other != table
    assert table.legal() == ["p", "d4"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("plies", [0, 1, 7, 33, 90])
def test_json_and_pickle_round_trips(players: int, plies: int) -> None:
    table = play_on(kibitz.load("kami", players=players).deal(seed=11), plies=plies)
    for other in (kibitz.Table.from_json(table.to_json()), pickle.loads(pickle.dumps(table))):
        assert other == table
        assert other.view(seat=0) == table.view(seat=0)
        assert play_on(other, plies=40).record == play_on(table.copy(), plies=40).record


def test_json_leaves_out_what_is_default() -> None:
    document = in_play().to_dict()
    assert document["kibitz"] == 1
    assert document["rules"] == "kami/1"
    assert document["start"] == {"hands": HANDS, "first": 1}
    assert document["record"] == ["1:d3", "1:a4", "2:p", "3:p"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"recrod": []}, r"no key 'recrod'; did you mean 'record'\?"),
        ({"kibitz": 2}, "format 1"),
        ({"rules": "kami/0"}, "kami/1"),
        ({"seed": -1}, "'seed'"),
        ({"chance": "dice"}, "'chance'"),
        ({"record": ["1:d3", "1:a7"]}, r"record\[1\]"),
        ({"record": [3]}, r"'record\[0\]'"),
        ({"start": None}, "'start'"),
    ],
)
def test_json_says_what_is_wrong(change: dict[str, object], said: str) -> None:
    document = in_play().to_dict() | change
    with pytest.raises(InvalidPosition, match=said):
        kibitz.Table.from_json(document)


def test_json_needs_a_start() -> None:
    document = in_play().to_dict()
    del document["start"]
    with pytest.raises(InvalidPosition, match="no key 'start'"):
        kibitz.Table.from_json(document)


def test_a_pickle_is_replayed_and_so_checked() -> None:
    table = in_play()
    restore, (game, start, seed, chance, record) = table.__reduce__()
    assert restore(game, start, seed, chance, record) == table
    with pytest.raises(InvalidPosition):
        restore(game, start, seed, chance, [*record, "0:d7"])


def test_what_a_person_sees() -> None:
    table = in_play()
    assert repr(table) == "<Table kami, 4 seats: 4 plies, seat 0 to act>"
    assert HANDS[0] in table.draw()
    assert table._repr_html_().startswith("<pre>")


def test_a_table_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(in_play())


def test_schema_is_offered() -> None:
    schema = kibitz.Table.json_schema()
    assert schema["additionalProperties"] is False
    assert {"start", "record", "seed"} <= set(schema["properties"])
