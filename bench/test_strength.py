"""Matches against OpenSpiel: calibration, what is told of a match, and that its bots get the position of the view."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import kibitz
import strength
from kibitz.match_result import GameResult, tally
from spiel import ADAPTERS, Log, Spiel, cost_at, simulations, stage_of
from strength import DUELS, Duel

COSTS = ((0, 4e-5), (10, 2e-5), (20, 1e-5))


# ---- calibration ----


@pytest.mark.parametrize(
    ("stage", "cost"), [(0, 4e-5), (5, 3e-5), (10, 2e-5), (15, 1.5e-5), (20, 1e-5), (33, 1e-5)]
)
def test_cost_is_straight_between_stages_and_level_beyond(stage: int, cost: float) -> None:
    assert cost_at(COSTS, stage) == pytest.approx(cost)


def test_cost_before_the_first_stage() -> None:
    assert cost_at(((4, 7.0), (8, 1.0)), 0) == 7.0


def test_simulations_fill_the_time() -> None:
    assert simulations(COSTS, 0, ms=50) == 1250  # 0.05 s by 40 microseconds
    assert simulations(COSTS, 20, ms=50) == 5000


def test_at_least_one_simulation() -> None:
    assert simulations(COSTS, 0, ms=0.001) == 1


def test_calibration_is_kept_with_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def calibrate(duel: Duel, workers: int) -> Any:
        asked.append((duel.name, workers))
        return COSTS

    monkeypatch.setattr(strength, "calibrate", calibrate)
    assert strength.costs_of(DUELS[0], 2, tmp_path) == COSTS
    assert strength.costs_of(DUELS[0], 2, tmp_path) == COSTS
    assert asked == [("connect_four-50", 2)]
    with pytest.raises(RuntimeError, match=f"delete {tmp_path}"):
        strength.costs_of(DUELS[0], 3, tmp_path)


def test_positions_are_choices_at_their_stage() -> None:
    for duel in (DUELS[0], DUELS[2]):
        for stage in duel.stages[::2]:
            view = strength.position(duel, stage, random.Random(1))
            assert stage <= stage_of(view) < stage + 10
            assert len(view.legal()) > 1


# ---- what is told ----


def test_effort_is_a_mean_by_bot(tmp_path: Path) -> None:
    log = Log(tmp_path / "moves")
    log.write("a", 0, cpu=0.010, wall=0.020, iterations=100)
    log.write("a", 2, cpu=0.030, wall=0.040, iterations=300)
    log.write("b", 1, cpu=0.5, wall=0.5, iterations=7)
    found = strength.effort(log.path.read_text().splitlines())
    assert found["a"] == pytest.approx({"moves": 2, "cpu_ms": 20, "wall_ms": 30, "iterations": 200})
    assert found["b"]["moves"] == 1


def result(game: str, results: Sequence[GameResult]) -> kibitz.MatchResult:
    seats = len(results[0].seats)
    return tally(kibitz.load(game), [f"bot {i}" for i in range(seats)], results, seed=1, first=0, seconds=1.0)


def test_share_of_two_counts_draws_half() -> None:
    games = [
        GameResult(0, 0, (0, 1), (1.0, 0.0), (1, 0), 10),
        GameResult(0, 1, (1, 0), (0.5, 0.5), (0, 0), 10),
        GameResult(1, 0, (0, 1), (0.0, 1.0), (0, 1), 10),
        GameResult(1, 1, (1, 0), (0.0, 1.0), (0, 1), 10),
    ]
    found = strength.verdict(result("connect_four", games))
    assert (found["won"], found["drawn"], found["games"], found["even"]) == (2, 1, 4, 0.5)
    assert found["share"]["mean"] == 0.625
    # Wilson 1927 with p = 5/8, n = 4, z = 1.96: (0.625 + 0.4802 -+ 1.96 * sqrt(0.0586 + 0.0600)) / 1.9604
    assert (found["share"]["low"], found["share"]["high"]) == pytest.approx((0.2194, 0.9083), abs=2e-4)
    assert found["score"] is None


def test_card_points_are_compared_deal_by_deal() -> None:
    """One bot takes 2 points at every seat of both deals, and the three others share the other 24."""
    games = []
    for deal in range(2):
        for rotation in range(4):
            seats = tuple((seat + rotation) % 4 for seat in range(4))
            score = tuple(2 if bot == 0 else 8 for bot in seats)
            games.append(
                GameResult(deal, rotation, seats, tuple(float(bot == 0) for bot in seats), score, 52)
            )
    found = strength.verdict(result("hearts", games))
    assert found["score"] == {"mean": -6.0, "low": -6.0, "high": -6.0, "n": 2, "confidence": 0.95}
    assert (found["share"]["mean"], found["even"]) == (1.0, 0.25)


# ---- the other library's position ----


@pytest.mark.peers
@pytest.mark.parametrize("duel", DUELS[::2], ids=lambda duel: duel.game)
def test_state_has_the_moves_of_the_view(duel: Duel) -> None:
    pytest.importorskip("pyspiel")
    adapter = ADAPTERS[duel.game]()
    for seed in range(20):
        rng = random.Random(seed)
        table = duel.table.deal(seed=seed)
        while table.turn is not None:
            view = table.view()
            state = adapter.state(view, seed)
            assert state.current_player() == view.seat
            assert sorted(adapter.action(view, move) for move in view.legal()) == state.legal_actions()
            last = adapter.action(view, move := rng.choice(view.legal()))
            table.play(move)
        state.apply_action(last)
        assert state.is_terminal()
        best = [seat for seat, share in enumerate(table.returns()) if share == max(table.returns())]
        theirs = state.returns()
        assert [seat for seat, gain in enumerate(theirs) if gain == max(theirs)] == best
        if duel.game == "hearts":
            assert theirs == [26 - points for points in table.score()]


@pytest.mark.peers
def test_hands_that_the_seat_cannot_see_are_drawn_anew() -> None:
    """Two tables that a seat can't tell apart give it the same state of OpenSpiel's."""
    pytest.importorskip("pyspiel")
    duel = DUELS[2]
    view = duel.table.deal(seed=5).view()
    adapter = ADAPTERS["hearts"]()
    states = {str(adapter.state(view, seed)) for seed in range(3)}
    assert len(states) == 3
    assert str(adapter.state(view.sample(seed=9).view(seat=view.seat), 1)) == str(adapter.state(view, 1))


@pytest.mark.peers
@pytest.mark.parametrize("duel", DUELS[1::2], ids=lambda duel: duel.game)
def test_a_match_is_played_and_goes_on(duel: Duel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(strength, "calibrate", lambda duel, workers: ((0, 1e-4),))
    seats = duel.table.seats
    first = strength.play(duel, games=seats, ms=2, workers=1, folder=tmp_path)
    assert (first["games"], first["deals"]) == (seats, 1)
    assert first["theirs"]["iterations"] == 20  # 2 ms by 0.1 ms
    moves = (tmp_path / f"{first['name']}.moves.jsonl").read_text()
    again = strength.play(duel, games=seats, ms=2, workers=1, folder=tmp_path)
    assert (tmp_path / f"{first['name']}.moves.jsonl").read_text() == moves  # from the journal
    assert again == first
    assert json.loads(json.dumps(first))["peer"].startswith("open_spiel ")


@pytest.mark.peers
def test_forced_move_is_made_without_a_search(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    table = DUELS[2].table.deal(seed=1)
    log = Log(tmp_path / "moves")
    assert table.view().legal() == ["2C"]
    assert Spiel("hearts", COSTS, 1, log).act(table.view()) == "2C"
    assert not log.path.exists()
