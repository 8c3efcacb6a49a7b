"""`go`: limits, clocks, what is said about the moves, and that the time taken tells nothing."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover, searches_of
from kibitz.allotment import allot, decisions_left, plies_of
from kibitz.clock import Clock
from kibitz.game import Game
from kibitz.protocol.messages import GoParams
from kibitz.protocol.thinking import Halt, Thinking
from kibitz.protocol.work import Work
from protocol.tables import CREW, FORCED, KAMI, KAMI_LEGAL, TIC, kami, session_of
from protocol.wire import HELLO, Failed, Local

EXACT = {"events": ["0:a1", "1:a2", "0:b1", "1:b2"]}  # tic-tac-toe: c1 wins at once


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        opened.ask("new", s="t", **kami())
        yield opened


def deciding(cover: Cover, seed: int = 1, plies: int = 0) -> tuple[kibitz.Table, dict[str, Any]]:
    """A table and what `new` takes for the seat that is to decide."""
    game = Game(cover.slug, dict(cover.options))
    table, rng = game.deal(seed=seed), random.Random(seed)
    for _ in range(plies):
        after = table.copy()
        after.play(rng.choice(table.legal()))
        if not isinstance(after.turn, int):
            break
        table = after
    view = table.view()
    return table, {
        "game": game.slug,
        "options": game.options,
        "seat": view.seat,
        "start": view.start,
        "events": view.record,
    }


# ---- limits ----


def test_r5_no_limit_is_an_error(local: Local) -> None:
    for more in ({}, {"top": 2}, {"pace": {"min_ms": 1}}, {"ponder": True}, {"overhead_ms": 5}, {"seed": 1}):
        error = local.error("go", s="t", **more)
        assert error.kind == "no_limit"
        assert error.data["allowed"] == ["ms", "iterations", "clock", "until"]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"iterations": 50}, "iterations"),
        ({"iterations": 50, "ms": 30_000}, "iterations"),
        ({"iterations": 50, "until": "stop"}, "iterations"),
        ({"iterations": 50, "clock": {"main_ms": 600_000}}, "iterations"),
        ({"ms": 40}, "ms"),
        ({"ms": 40, "iterations": 4_000_000_000}, "ms"),
        ({"ms": 40, "until": "stop"}, "ms"),
        ({"ms": 40, "clock": {"main_ms": 600_000}}, "ms"),
        ({"clock": {"main_ms": 0, "byoyomi_ms": 80}}, "clock"),
        ({"clock": {"main_ms": 0, "byoyomi_ms": 80}, "ms": 30_000}, "clock"),
        ({"clock": {"main_ms": 0, "byoyomi_ms": 80}, "until": "stop"}, "clock"),
    ],
)
def test_the_limit_reached_first_ends_it(local: Local, limits: dict[str, Any], reason: str) -> None:
    result = local.ask("go", s="t", **limits)
    assert result["reason"] == reason
    assert result["move"] in KAMI_LEGAL
    if reason == "iterations":
        assert result["iterations"] == 50


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r3_a_legal_move_before_the_first_iteration(local: Local, cover: Cover) -> None:
    table, new = deciding(cover)
    local.ask("new", s="g", **new)
    limits: list[dict[str, Any]] = [{"ms": 1e-9}, {"ms": 1}]
    limits += [{"clock": clock} for clock in ({}, {"byoyomi_ms": 5}, {"main_ms": 1})]
    for limit in limits:
        for scope in ("move", "turn"):
            result = local.ask("go", s="g", scope=scope, **limit)
            assert result["move"] in table.legal()
            assert result["iterations"] >= 0
    request = local.send("go", s="g", until="stop")
    local.ask("stop", s="g")
    assert local.result(request)["move"] in table.legal()
    only = random.Random(1).choice(table.legal())
    assert local.ask("go", s="g", ms=1e-9, allow=[only])["move"] == only


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r4_limits_are_kept_in_every_game(local: Local, cover: Cover) -> None:
    """Within a second: that they are looked at. How close they are kept is measured elsewhere."""
    table, new = deciding(cover)
    local.ask("new", s="g", **new)
    for search in searches_of(table.game.core):
        local.ask("new", s="g", replace=True, search={"name": search}, **new)
        result = local.ask("go", s="g", ms=30, top="all", info_ms=10)
        assert result["ms"] < 1000
        assert result["move"] in table.legal()


def test_a_missed_limit_is_told(local: Local) -> None:
    result = local.ask("go", s="t", ms=1e-9)
    assert result["late_ms"] > 0
    assert result["late_ms"] <= result["ms"]
    assert "late_ms" not in local.ask("go", s="t", ms=20_000, iterations=5)


# ---- clocks ----


def allotted(**go: Any) -> float:
    """Milliseconds from the receipt of a `go` until thinking ends."""
    session = session_of()
    found = Thinking(session, GoParams(**go), 0.0, Work(), Halt())
    assert found.end is not None
    return found.end * 1000


@pytest.mark.parametrize(
    "clock",
    [
        {"main_ms": 60_000},
        {"main_ms": 60_000, "inc_ms": 1000},
        {"main_ms": 60_000, "byoyomi_ms": 5000},
        {"byoyomi_ms": 10_000},
        {"byoyomi_ms": 3000, "bank_ms": 60_000},
        {"bank_ms": 20_000},
        {"main_ms": 9000, "moves_left": 3},
        {"main_ms": 10, "inc_ms": 10_000},
    ],
)
def test_r15_r16_clocks(clock: dict[str, Any]) -> None:
    view = session_of().view
    left = decisions_left(view.game, plies_of(view))
    for overhead in (0, 25, 400):
        expected = allot(Clock(**clock, overhead_ms=overhead), left)
        assert allotted(clock=clock, overhead_ms=overhead) == pytest.approx(expected)
        whole = sum(clock.get(name, 0) for name in ("main_ms", "byoyomi_ms", "bank_ms"))
        assert expected <= max(whole - overhead, 0)
    assert allotted(clock=clock) == allotted(clock=clock, overhead_ms=25)


def test_r16_overhead_is_taken_off_clocks_and_never_off_ms() -> None:
    assert allotted(ms=100) == allotted(ms=100, overhead_ms=90) == pytest.approx(100)
    byoyomi = {"byoyomi_ms": 1000}
    whole, less = (allotted(clock=byoyomi, overhead_ms=each) for each in (0, 300))
    assert 900 < whole <= 1000
    assert less / whole == pytest.approx(0.7, abs=0.01)
    assert allotted(clock=byoyomi, overhead_ms=5000) == pytest.approx(0)
    assert allotted(clock=byoyomi, overhead_ms=300, ms=200) == pytest.approx(200)
    assert allotted(clock=byoyomi, overhead_ms=300, ms=800) == pytest.approx(less)
    session = session_of(overhead_ms=400)
    found = Thinking(session, GoParams.model_validate({"clock": byoyomi}), 0.0, Work(), Halt())
    assert found.end is not None
    assert found.end * 1000 == pytest.approx(allotted(clock=byoyomi, overhead_ms=400))


def test_r15_more_time_on_the_clock_is_more_time_to_think() -> None:
    for name in ("main_ms", "byoyomi_ms", "bank_ms"):
        times = [allotted(clock={name: each}) for each in (0, 100, 1000, 10_000, 100_000)]
        assert times == sorted(times)
        assert times[0] == 0 < times[-1]
    assert allotted(clock={"main_ms": 9000, "moves_left": 1}) > allotted(
        clock={"main_ms": 9000, "moves_left": 9}
    )


# ---- what is asked for ----


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r19_reasons_with_every_answer(local: Local, cover: Cover) -> None:
    table, new = deciding(cover, plies=3)
    legal, seat = table.legal(), table.turn
    local.ask("new", s="g", **new)
    result = local.ask("go", s="g", iterations=40 * len(legal), top="all")
    rows = result["moves"]
    if result["forced"]:
        assert (result["reason"], len(legal)) == ("single", 1)
        return
    assert sorted(row["move"] for row in rows) == sorted(legal)
    assert rows[0]["move"] == result["move"]
    keys = [(-row["visits"], -row["mean"], legal.index(row["move"])) for row in rows]
    if result["reason"] == "iterations" and "exact" not in str(rows):
        assert keys == sorted(keys)  # best first; what is equal in all, in legal order
        assert sum(row["visits"] for row in rows) == result["iterations"] == 40 * len(legal)
    for row in rows:
        assert row["line"][0] == f"{seat}:{row['move']}"
        assert row["se"] is None or row["se"] >= 0
        assert abs(row["share"] - row["visits"] / max(1, sum(each["visits"] for each in rows))) < 1e-5
    for top in (0, 1, 2, 100_000):
        fewer = local.ask("go", s="g", iterations=40 * len(legal), top=top)
        assert fewer["moves"] == rows[:top]
    assert len(local.ask("go", s="g", iterations=10)["moves"]) == 1


def test_allow(local: Local) -> None:
    for allow in (["p"], ["d4"], ["d4", "p"], ["p", "p"]):
        result = local.ask("go", s="t", iterations=100, allow=allow, top="all")
        assert result["move"] in allow
        assert {row["move"] for row in result["moves"]} == set(allow)
        assert result["forced"] is False
    for wrong in (["d7"], ["p", "zebra"], ["p", "d4 "], ["0:p"]):
        error = local.error("go", s="t", iterations=100, allow=wrong)
        assert (error.kind, error.data["field"]) == ("bad_value", f"allow[{len(wrong) - 1}]")
        assert error.data["allowed"] == KAMI_LEGAL


def test_r10_expect(local: Local) -> None:
    assert local.ask("go", s="t", iterations=5, expect=["d4", "p"])["move"] in KAMI_LEGAL
    for expect, missing, extra in (
        ([], ["p", "d4"], []),
        (["p"], ["d4"], []),
        (["p", "d4", "d3"], [], ["d3"]),
        (["p", "d3"], ["d4"], ["d3"]),
    ):
        error = local.error("go", s="t", iterations=5, expect=expect)
        assert error.kind == "rules_mismatch"
        assert (error.data["missing"], error.data["extra"]) == (missing, extra)
        assert sorted(error.data["allowed"]) == sorted(KAMI_LEGAL)
        assert error.data["digest"] == local.ask("state", s="t")["digest"]
    assert local.error("go", s="t", iterations=5, expect=["p", "p", "d4"]).kind == "rules_mismatch"


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_scope_turn_is_all_own_decisions_in_a_row(local: Local, cover: Cover) -> None:
    for plies in (0, 2, 5):
        table, new = deciding(cover, seed=4, plies=plies)
        local.ask("new", s="g", replace=True, **new)
        for limit in ({"iterations": 60}, {"ms": 15}, {"ms": 1e-9}):
            result = local.ask("go", s="g", scope="turn", **limit)
            assert result["turn"][0] == result["move"]
            copy, seat = table.copy(), table.view().seat
            for move in result["turn"]:
                assert copy.turn == seat
                assert move in copy.legal()
                view = copy.view(seat=seat).observe(f"{seat}:{move}")
                copy.play(move)
            assert view.turn != seat or copy.turn != seat
    assert "turn" not in local.ask("go", s="g", iterations=10)


def test_a_turn_of_a_mask_is_none(local: Local) -> None:
    """After `d1` the attack follows; both are asked for at once, and are what is played."""
    local.ask("event", s="t", n=8, moves=["0:d4", "0:a7", "1:p", "2:p", "3:p"])
    result = local.ask("go", s="t", iterations=300, scope="turn")
    assert [move[0] for move in result["turn"]] == ["d", "a"]
    found = local.ask("event", s="t", n=13, moves=[f"0:{move}" for move in result["turn"]])
    assert found["turn"] == {"by": 1}


def test_seeds(local: Local) -> None:
    def answer(**more: Any) -> dict[str, Any]:
        result = local.ask("go", s="t", iterations=200, top="all", **more)
        return {name: result[name] for name in ("move", "moves", "seed", "worlds", "nodes")}

    first = answer()
    assert answer() == first
    assert answer(seed=first["seed"]) == first
    assert answer(seed=first["seed"] + 1)["moves"] != first["moves"]
    assert answer() == first  # `seed` was for that search alone
    assert 0 <= first["seed"] < 2**53  # a number that every JSON reader keeps
    local.ask("set", s="t", seed=8)
    other = answer()
    assert other["seed"] != first["seed"]
    local.ask("set", s="t", seed=7)
    assert answer() == first
    local.ask("new", s="t", **kami(replace=True, seed=None) | {"seed": 8})
    assert answer() == other
    assert answer(seed=2**64 - 1)["seed"] == 2**64 - 1
    assert answer(seed=0)["seed"] == 0


def test_threads_and_memory(local: Local) -> None:
    local.ask("set", s="t", threads=3)
    assert local.ask("go", s="t", iterations=100)["iterations"] == 100
    assert local.ask("go", s="t", iterations=1)["iterations"] == 1
    assert local.ask("go", s="t", ms=20)["move"] in KAMI_LEGAL
    local.ask("set", s="t", threads=1, memory_mb=8)
    result = local.ask("go", s="t", iterations=200_000)
    assert result["bytes"] <= 8 << 20


def test_every_reason(local: Local) -> None:
    local.ask("new", s="forced", **kami() | FORCED)
    local.ask("new", s="policy", search={"name": "greedy"}, **kami())
    local.ask("new", s="exact", search={"name": "mcts"}, **TIC | EXACT)
    single = local.ask("go", s="forced", ms=30_000)
    assert (single["reason"], single["move"], single["forced"]) == ("single", "p", True)
    assert local.ask("go", s="policy", ms=30_000)["reason"] == "policy"
    exact = local.ask("go", s="exact", iterations=2_000_000, top="all")
    assert (exact["reason"], exact["move"]) == ("exact", "c1")
    assert exact["moves"][0]["exact"] == 1.0
    assert local.ask("go", s="t", iterations=1)["reason"] == "iterations"
    assert local.ask("go", s="t", ms=1e-9)["reason"] == "fallback"


def test_go_when_there_is_nothing_to_decide(local: Local) -> None:
    local.ask("new", s="first", **KAMI)
    error = local.error("go", s="first", ms=5)
    assert (error.kind, error.data["by"]) == ("not_to_move", 1)
    local.ask("new", s="chance", **CREW)
    error = local.error("go", s="chance", clock={"main_ms": 5})
    assert (error.kind, error.data["by"]) == ("not_to_move", "*")
    local.ask("new", s="over", **TIC | {"events": [*EXACT["events"], "0:c1"]})
    for limit in (
        {"ms": 5},
        {"clock": {"main_ms": 100}},
        {"until": "stop"},
        {"iterations": 1, "ponder": True},
    ):
        assert local.error("go", s="over", **limit).kind == "over"
    assert local.ask("state", s="over")["turn"] == {"by": None, "over": True}
    assert local.error("go", s="nobody", ms=5).kind == "unknown_session"


def test_info(local: Local) -> None:
    request = local.send("go", s="t", until="stop", info_ms=4, top=2)
    local.wait(lambda: len(local.notes) >= 3, "three infos")
    local.ask("stop", s="t")
    result = local.result(request)
    infos = local.noted("info")
    for info in infos:
        assert (info["s"], info["id"]) == ("t", request)
        assert 1 <= len(info["moves"]) <= 2
    for name in ("ms", "iterations", "worlds"):
        values = [info[name] for info in infos]
        assert values == sorted(values)
    assert infos[-1]["iterations"] <= result["iterations"]
    local.notes.clear()
    local.ask("go", s="t", ms=30, info_ms=0)
    assert not local.notes
    local.ask("set", s="t", info_ms=4)
    local.ask("go", s="t", ms=60)
    assert local.noted("info")
    local.notes.clear()
    local.ask("go", s="t", ms=30, info_ms=0)
    assert not local.notes


def test_info_changes_no_answer(local: Local) -> None:
    plain, watched = (
        local.ask("go", s="t", iterations=3000, info_ms=info, ponder=ponder, top="all")
        for info, ponder in ((0, False), (1, True))
    )
    local.ask("stop", s="t")
    for name in ("move", "moves", "seed", "iterations", "worlds", "nodes", "reason"):
        assert plain[name] == watched[name]


def test_options_a_search_does_not_take_are_no_fault_of_the_engine(local: Local) -> None:
    """Whatever `new` accepts, `go` serves or refuses; it never falls back for a fault."""
    for name in local.ask("hello", **HELLO)["searches"]:
        for tuning in (
            {},
            {"bias": 1},
            {"rave": 10},
            {"halving": True},
            {"widening": 1},
            {"first_play": 0.5},
        ):
            new = TIC if name == "mcts" else kami()
            search = {"name": name, "tuning": tuning}
            found = local.attempt("new", s="s", replace=True, search=search, **new)
            if isinstance(found, Failed):
                assert found.kind == "invalid_option", found
                continue
            for limit in (
                {"ms": 20},
                {"iterations": 20},
                {"clock": {"main_ms": 500}},
                {"ms": 20, "info_ms": 4},
            ):
                for more in ({}, {"ponder": True}, {"scope": "turn"}):
                    request = local.send("go", s="s", **limit, **more)
                    reply = local.reply(request)
                    if "error" in reply:
                        assert reply["error"]["data"]["kind"] in ("bad_value", "no_limit", "invalid_option")
                    else:
                        assert "internal" not in str(reply["result"].get("warnings"))
    assert not local.logged
