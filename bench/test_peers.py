"""Speeds beside OpenSpiel, by pytest-benchmark: the contestants of `kibitz bench --peers`, and what compares them."""

import builtins
import json
from dataclasses import replace
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import kibitz
import memory
from kibitz import cli
from kibitz.cli import peers
from kibitz.cli.peers import SAME, Contestant, Same, Speeds, ratio

SMALL = [
    replace(each, iterations=1_000, playouts=(10_000, 1_000), repeat=1)
    if each.slug != "tic_tac_toe"
    else replace(each, iterations=10_000, playouts=(10_000, 1_000), repeat=1)
    for each in SAME
]
every_game = pytest.mark.parametrize("same", SMALL, ids=lambda same: same.slug)


def run(benchmark: BenchmarkFixture, contestant: Contestant) -> None:
    benchmark.group = contestant.name.removeprefix("kibitz ").removeprefix("open_spiel ")
    units = benchmark(contestant.prepare(1))
    benchmark.extra_info.update(peer=contestant.name, unit=contestant.unit, units=units)
    assert units >= 1_000


@pytest.mark.peers
@every_game
def test_playouts_of_open_spiel(benchmark: BenchmarkFixture, same: Same) -> None:
    pytest.importorskip("pyspiel")
    run(benchmark, peers.their_playouts(same))


@pytest.mark.peers
@every_game
def test_search_of_open_spiel(benchmark: BenchmarkFixture, same: Same) -> None:
    pytest.importorskip("pyspiel")
    run(benchmark, peers.their_search(same))


@every_game
def test_playouts(benchmark: BenchmarkFixture, same: Same) -> None:
    run(benchmark, peers.our_playouts(same))


@every_game
def test_search(benchmark: BenchmarkFixture, same: Same) -> None:
    run(benchmark, peers.our_search(same))


# Hearts: 52 cards less the forced first. Kuhn: two decisions, and a third after pass and bet, one time in four.
@pytest.mark.parametrize(("slug", "moves"), [("hearts", 51.0), ("kuhn_poker", 2.25)])
def test_length_of_a_playout(slug: str, moves: float) -> None:
    same = next(each for each in SAME if each.slug == slug)
    assert peers.mean_length(same) == pytest.approx(moves, abs=0.01)


# ---- the same position on both sides ----


@pytest.mark.peers
@every_game
def test_both_sides_choose_between_as_many_moves(same: Same) -> None:
    pytest.importorskip("pyspiel")
    state, ours = peers.first_decision(same.theirs), peers.our_start(same)
    assert state.current_player() >= 0
    if same.slug == "hearts":  # other cards, but one has been played
        assert len(state.history()) == 1 + 52 + 1
        assert sum(len(hand.split()) for hand in ours.to_dict()["hands"]) == 51
    else:
        assert len(state.legal_actions()) == len(ours.moves())


# ---- ratios ----


def speeds(name: str, *wall: float, moves: float = 1.0, threads: int = 1) -> Speeds:
    contestant = Contestant(name, "playout", lambda seed: lambda: 1, threads=threads, moves=moves)
    return Speeds(contestant, wall=list(wall), cpu=[2 * each for each in wall])


def test_ratio_is_taken_within_a_round() -> None:
    found = ratio(speeds("ours", 10, 30, 90), speeds("theirs", 1, 2, 30))
    assert (found["min"], found["median"], found["max"]) == (3, 10, 15)
    assert found["cpu"] == 10


def test_ratio_counts_moves() -> None:
    assert ratio(speeds("ours", 10, moves=6), speeds("theirs", 5, moves=2))["median"] == 6


def test_processor_time_compares_single_threads_only() -> None:
    assert ratio(speeds("two", 10, threads=2), speeds("one", 5))["cpu"] is None


def test_every_contestant_takes_its_turn() -> None:
    turns: list[tuple[str, int]] = []

    def contestant(name: str) -> Contestant:
        def prepare(seed: int) -> Any:
            turns.append((name, seed))
            return lambda: 5

        return Contestant(name, "iteration", prepare)

    found = peers.measure([contestant("a"), contestant("b")], rounds=2)
    assert turns == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert [len(each.wall) for each in found.values()] == [2, 2]


# ---- kibitz bench --peers ----


def test_command_without_open_spiel_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return before(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    assert cli.run(["bench", "--peers"]) == 1
    assert "pip install open_spiel==2.0.2" in capsys.readouterr().err


@pytest.mark.peers
def test_command_refuses_a_game_that_is_not_compared() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(kibitz.errors.InvalidOption, match="'kami' is not compared"):
        peers.report(["kami"], rounds=1)


@pytest.mark.peers
def test_command_compares_one_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(peers, "SAME", [each for each in SMALL if each.slug == "kuhn_poker"])
    assert cli.run(["bench", "kuhn_poker", "--peers", "--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["of"] for row in found["ratios"]] == [
        "kibitz playouts, kuhn_poker",
        "kibitz ismcts, kuhn_poker, 1,000",
    ]
    assert all(len(row["all"]) == 3 and row["min"] > 0 for row in found["rates"])
    assert cli.run(["bench", "kuhn_poker", "--peers", "--quick"]) == 0
    assert "medians of 3 rounds" in capsys.readouterr().out


# ---- memory ----


@pytest.mark.serial
@pytest.mark.peers
def test_trees_grow() -> None:
    pytest.importorskip("pyspiel")
    for row in memory.measure():
        assert row["grown"] > 1_000_000, row
        assert row["nodes"] is None or row["nodes"] > 10_000
