"""Reviews: every decision judged by what its seat knew."""

import json
import pickle
import random

import pytest

import kibitz
from kibitz.errors import InvalidOption, InvalidPosition
from kibitz.reviews import MARKS, Decision, _mark

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
HISTORY = ",".join(HANDS) + ",s2,234,3p,4p,147,2p,3p,4p,117,286,363,4p,1p,2p,312"


def table() -> kibitz.Table:
    return kibitz.load("kami", rounds=1).setup(HISTORY)


def review(**arguments: object) -> kibitz.Review:
    given: dict[str, object] = {"search": "flat", "iterations": 60, "progress": False} | arguments
    return kibitz.review(table(), **given)  # type: ignore[arg-type]


def test_every_decision_is_there_with_its_place() -> None:
    record = table().record
    found = review()
    assert [each.index for each in found.decisions] == [
        i for i, event in enumerate(record) if event[0] != "*"
    ]
    assert [f"{each.seat}:{each.move}" for each in found.decisions] == [e for e in record if e[0] != "*"]


def test_a_review_needs_no_end_and_changes_nothing() -> None:
    whole = table()
    before = whole.copy()
    kibitz.review(whole, search="flat", iterations=20, progress=False)
    assert whole == before
    assert kibitz.review(whole.at(0), search="flat", iterations=20, progress=False).decisions == ()


def test_best_is_what_a_bot_with_the_same_settings_plays() -> None:
    bot = kibitz.Bot("flat", iterations=60, seed=5)
    for each in review(seed=5).decisions:
        assert each.best == bot.act(table().at(each.index).view())


def test_forced_moves_are_not_searched() -> None:
    forced = [each for each in review().decisions if each.forced]
    assert forced
    assert all(each.iterations == 0 and each.loss == 0 and each.mark == "" for each in forced)
    assert all(len(table().at(each.index).legal()) == 1 for each in forced)


def test_the_best_move_loses_nothing() -> None:
    same = [each for each in review().decisions if each.move == each.best]
    assert same
    assert all((each.loss, each.low, each.high, each.mark) == (0.0, 0.0, 0.0, "") for each in same)


def test_loss_is_the_difference_of_the_means() -> None:
    other = [each for each in review().decisions if each.move != each.best]
    assert other
    for each in other:
        view = table().at(each.index).view()
        found = kibitz.Bot("flat", iterations=60).analyse(view)
        assert each.loss == found.row(each.best).mean - found.row(each.move).mean
        assert each.low is not None
        assert each.high is not None
        assert each.low <= each.loss <= each.high


@pytest.mark.parametrize(
    ("low", "mark"),
    [
        (None, ""),
        (-0.3, ""),
        (0.0, ""),
        (0.049, ""),
        (0.05, "?!"),
        (0.1, "?"),
        (0.199, "?"),
        (0.2, "??"),
        (0.9, "??"),
    ],
)
def test_marks_go_by_the_lower_end_of_the_loss(low: float | None, mark: str) -> None:
    assert _mark(low, (0.0, 1.0), MARKS) == mark


@pytest.mark.parametrize(("low", "mark"), [(0.009, ""), (0.01, "?!"), (0.02, "?"), (0.04, "??"), (-0.04, "")])
def test_marks_are_shares_of_what_is_at_stake(low: float, mark: str) -> None:
    assert _mark(low, (0.4, 0.6), MARKS) == mark


def test_a_round_of_a_match_has_less_at_stake_than_a_single_round() -> None:
    def stake(rounds: int) -> float:
        game = kibitz.load("kami", redeal=False, rounds=rounds)
        found = kibitz.best_move(game.deal(seed=3).view(), iterations=2000)
        assert found.stake is not None
        return found.stake[1] - found.stake[0]

    assert 0.05 < stake(0) < 0.6 < stake(1) <= 1


def test_no_mark_where_the_interval_holds_nought() -> None:
    for each in review(iterations=200).decisions:
        if each.mark:
            assert each.low is not None
            assert each.low > 0


def gift() -> kibitz.Table:
    """A seat passes though it could answer with its last two cards and win the only round."""
    game = kibitz.load("kami", rounds=1, redeal=False)
    for seed in range(100):
        table, rng = game.deal(seed=seed), random.Random(seed)
        while table.turn is not None:
            seat, facts = table.turn, table.core.to_dict()
            if facts["phase"] == "respond" and facts["sizes"][seat] == 2 and len(table.legal()) > 1:
                table.play("p")
                return table
            table.play(rng.choice(table.legal()))
    raise AssertionError("no such game among 100 random ones")


def test_a_win_given_away_is_a_blunder() -> None:
    table = gift()
    last = kibitz.review(table, search="flat", iterations=600, progress=False).decisions[-1]
    assert (last.move, last.mark) == ("p", "??")
    assert last.best.startswith("d")
    assert last.low is not None
    assert last.low >= MARKS["??"]
    lenient = kibitz.review(table, search="flat", iterations=600, marks={"!!": 2.0}, progress=False)
    assert lenient.decisions[-1].mark == ""


def test_only_the_seats_asked_for() -> None:
    assert {each.seat for each in review(seats=[1, 3]).decisions} == {1, 3}
    with pytest.raises(InvalidOption, match="seats 0 to 3"):
        review(seats=[4])


def test_a_view_is_reviewed_for_its_own_seat() -> None:
    view = table().view(seat=2)
    found = kibitz.review(view, search="flat", iterations=60, progress=False)
    assert found.decisions == review(seats=[2]).decisions
    with pytest.raises(InvalidOption, match="what seat 2 saw"):
        kibitz.review(view, seats=[0], search="flat", iterations=60, progress=False)


def test_hidden_cards_of_the_record_are_not_used() -> None:
    whole = table()
    other = whole.view(seat=1).sample(seed=1)
    assert other.record == []
    one = kibitz.review(whole, seats=[1], search="flat", iterations=60, progress=False)
    two = kibitz.review(whole.view(seat=1), search="flat", iterations=60, progress=False)
    assert one == two


@pytest.mark.parametrize("form", ["json", "dict", "notation", "bytes"])
def test_records_in_every_form(form: str) -> None:
    given: object = {
        "json": table().to_json(),
        "dict": table().to_dict(),
        "notation": HISTORY,
        "bytes": table().to_json().encode(),
    }[form]
    found = kibitz.review(given, search="flat", iterations=20, progress=False)  # type: ignore[arg-type]
    assert [each.move for each in found.decisions] == [each.move for each in review(iterations=20).decisions]


def test_summary_adds_up() -> None:
    found = review()
    summary = found.summary()
    assert [each.seat for each in summary] == [0, 1, 2, 3]
    assert sum(each.decisions for each in summary) == len(found.decisions)
    assert sum(each.free for each in summary) == sum(not each.forced for each in found.decisions)
    assert sum(sum(each.marks.values()) for each in summary) == len(found.marked)


def test_forms_of_the_result() -> None:
    found = review()
    document = json.loads(found.to_json())
    assert len(document["decisions"]) == len(found.decisions)
    assert document["summary"][0]["seat"] == 0
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.table().splitlines()[0].split()[:4] == ["event", "seat", "move", "mark"]
    assert len(found.table(marked=True).splitlines()) == 1 + len(found.marked)
    assert found._repr_html_().startswith("<table>")
    assert isinstance(found.decisions[0], Decision)
    assert found == review()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    found = review(progress=lambda done, total: told.append((done, total)))
    total = len(found.decisions)
    assert told == [(done, total) for done in range(1, total + 1)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"iterations": None}, "no budget"),
        ({"search": "greedy"}, "does not say what a move is worth"),
        ({"marks": {"?": 0}}, "limit of mark"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_argument(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        review(**arguments)


@pytest.mark.parametrize("record", ["", "hello", 7, None, {"game": "kami"}])
def test_what_is_no_record(record: object) -> None:
    with pytest.raises(InvalidPosition):
        kibitz.review(record, iterations=20)  # type: ignore[arg-type]


def test_stop_ends_it_with_what_was_looked_at() -> None:
    table = kibitz.load("kami", rounds=1).deal(seed=7)
    for _ in range(12):
        table.play(table.legal()[0])
    whole = kibitz.review(table, iterations=60, progress=False)
    stop = kibitz.Stop()

    def step(done: int, of: int) -> None:
        if done == 4:
            stop.stop()

    cut = kibitz.review(table, iterations=60, progress=step, stop=stop)
    assert cut.decisions == whole.decisions[: len(cut.decisions)]
    assert 4 <= len(cut.decisions) < len(whole.decisions)


def test_decisions_tell_what_they_are_worth() -> None:
    table = kibitz.load("kami", rounds=1).deal(seed=7)
    for _ in range(12):
        table.play(table.legal()[-1])
    for decision in kibitz.review(table, iterations=60, progress=False).decisions:
        if decision.forced:
            assert decision.mean is None
            continue
        assert decision.mean is not None
        assert decision.best_mean is not None
        assert decision.best_mean - decision.mean == pytest.approx(decision.loss)
