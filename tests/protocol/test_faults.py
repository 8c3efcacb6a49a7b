"""Every kind of error once, with its data; and faults of the engine itself."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import kibitz
from kibitz.protocol import sessions
from kibitz.protocol.faults import KINDS
from kibitz.protocol.messages import METHODS, Params
from kibitz.protocol.sessions import Session
from kibitz.protocol.work import Work
from protocol.parameters import TAKES
from protocol.tables import CREW, KAMI, KAMI_LEGAL, TIC, kami
from protocol.wire import Failed, Local


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


@pytest.fixture
def table(local: Local) -> Local:
    """With session "t" in which seat 0 is to decide."""
    local.ask("new", s="t", **kami())
    return local


# ---- every kind of error ----

Case = Callable[[Local, pytest.MonkeyPatch], Failed]


def raw(local: Local, line: str) -> Failed:
    return Failed(local.tell(line)["error"])


def internal(local: Local, patch: pytest.MonkeyPatch) -> Failed:
    def broken(self: Session) -> dict[str, Any]:
        raise RuntimeError("a fault, for the sake of the test")

    patch.setattr(Session, "state", broken)
    return local.error("state", s="t")


def too_many_sessions(local: Local, _: pytest.MonkeyPatch) -> Failed:
    for number in range(255):
        local.ask("new", s=f"many{number}", **TIC)
    error = local.error("new", s="one more", **TIC)
    local.ask("end", s="many7")
    local.ask("new", s="one more", **TIC)
    return error


def too_many_events(local: Local, patch: pytest.MonkeyPatch) -> Failed:
    patch.setattr(sessions, "MOST_EVENTS", 8)
    return local.error("event", s="t", n=8, moves=["0:d4"])


def busy(local: Local, _: pytest.MonkeyPatch) -> Failed:
    running = local.send("go", s="t", until="stop")
    error = local.error("go", s="t", iterations=1)
    local.ask("stop", s="t")
    assert local.result(running)["reason"] == "stop"
    return error


def cancelled(local: Local, _: pytest.MonkeyPatch) -> Failed:
    running = local.send("go", s="t", until="stop")
    assert local.ask("end", s="t") == {}
    with pytest.raises(Failed) as raised:
        local.result(running)
    local.ask("new", s="t", **kami())
    return raised.value


def overloaded(local: Local, _: pytest.MonkeyPatch) -> Failed:
    with Local(work=Work(1, waiting=0)) as small:
        small.ask("new", s="t", **kami())
        error = small.error("go", s="t", iterations=1)
        assert small.ask("legal", s="t")["moves"] == KAMI_LEGAL
        return error


def unsupported(_: Local, __: pytest.MonkeyPatch) -> Failed:
    with Local(hello=False) as fresh:
        return fresh.error("hello", protocol="0.9")


def hello_first(_: Local, __: pytest.MonkeyPatch) -> Failed:
    with Local(hello=False) as fresh:
        return fresh.error("ping")


def event(n: int, *moves: str) -> Case:
    return lambda local, _: local.error("event", s="t", n=n, moves=moves)


def asked(method: str, **params: Any) -> Case:
    return lambda local, _: local.error(method, **params)


def inconsistent(local: Local, _: pytest.MonkeyPatch) -> Failed:
    local.ask("new", s="crew", events=["*:tasks P3 B9", "2:take B9", "3:take P3"], **CREW)
    moves = ["2:quiet", "3:quiet", "0:quiet", "1:quiet", "2:P3", "3:R4"]
    return local.error("event", s="crew", n=3, moves=moves)


def over(local: Local, _: pytest.MonkeyPatch) -> Failed:
    local.ask("new", s="tic", events=["0:a1", "1:a2", "0:b1", "1:b2", "0:c1"], **TIC)
    return local.error("go", s="tic", ms=10)


# By kind: how it comes about, and what its data must say.
CASES: dict[str, tuple[Case, dict[str, Any]]] = {
    "parse": (lambda local, _: raw(local, "{"), {}),
    "invalid_request": (lambda local, _: raw(local, '{"id":7,"method":1}'), {"field": "method", "given": 1}),
    "unknown_method": (
        asked("bestmove"),
        {"field": "method", "given": "bestmove", "allowed": list(METHODS)},
    ),
    "unknown_param": (
        asked("go", s="t", iteration=1000),
        {"field": "iteration", "allowed": sorted(METHODS["go"].params.model_fields)},
    ),
    "bad_value": (asked("go", s="t", ms="10"), {"field": "ms", "given": "10"}),
    "hello_first": (hello_first, {"allowed": ["hello"]}),
    "unsupported_protocol": (unsupported, {"field": "protocol", "given": "0.9", "allowed": ["1", "1.0"]}),
    "unknown_game": (
        asked("new", s="x", game="kamii", seat=0, start={}),
        {"field": "game", "given": "kamii", "allowed": list(kibitz.games())},
    ),
    "invalid_option": (
        asked("new", s="x", **KAMI | {"options": {"victory": "kings"}}),
        {"field": "options.victory", "given": "kings", "allowed": ["soldier", "lord", "kami"]},
    ),
    "unknown_session": (asked("state", s="u"), {"field": "s", "given": "u", "allowed": ["t"]}),
    "session_exists": (asked("new", s="t", **kami()), {"field": "s", "given": "t"}),
    "too_many_sessions": (too_many_sessions, {"allowed": [256]}),
    "too_many_events": (too_many_events, {"field": "moves[0]", "given": "0:d4"}),
    "invalid_start": (
        asked("new", s="x", **KAMI | {"start": {"hand": "111134778", "first": 1}}),
        {"field": "start", "rule": "kami: position"},
    ),
    "invalid_view": (
        asked("view", s="x", game="kami", view={"seat": 0, "hand": "111134778"}),
        {"field": "view", "rule": "kami: position"},
    ),
    "wrong_actor": (event(8, "1:p"), {"field": "moves[0]", "given": "1:p", "allowed": ["seat 0"]}),
    "illegal_move": (
        event(8, "0:d7"),
        {"field": "moves[0]", "given": "0:d7", "allowed": KAMI_LEGAL, "rule": "kami: answers"},
    ),
    "inconsistent": (inconsistent, {"field": "moves[5]", "given": "3:R4", "n": 8}),
    "too_much": (
        lambda local, _: local.error("new", s="x", **KAMI | {"events": ["1:-", "2:-", "3:-", "0:-", "1:d3"]}),
        {"field": "moves[4]", "given": "1:d3", "allowed": ["1:dx"], "rule": "kami: hidden information"},
    ),
    "gap": (event(10, "0:p"), {"given": 10, "expected": 8}),
    "conflict": (event(6, "2:d4"), {"field": "moves[0]", "given": "2:d4", "allowed": ["2:p"], "n": 6}),
    "rules_mismatch": (
        asked("go", s="t", ms=10, expect=["p", "d5"]),
        {"field": "expect", "missing": ["d4"], "extra": ["d5"], "allowed": KAMI_LEGAL},
    ),
    "not_to_move": (lambda local, _: _other_turn(local), {"by": 1}),
    "over": (over, {}),
    "busy": (busy, {}),
    "no_limit": (asked("go", s="t"), {"allowed": ["ms", "iterations", "clock", "until"]}),
    "cancelled": (cancelled, {}),
    "overloaded": (overloaded, {}),
    "internal": (internal, {}),
}


def _other_turn(local: Local) -> Failed:
    local.ask("new", s="first", **KAMI)
    return local.error("go", s="first", ms=10)


def test_every_kind_is_tested() -> None:
    assert CASES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_error(kind: str, table: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    before = table.ask("state", s="t")
    case, data = CASES[kind]
    error = case(table, monkeypatch)
    monkeypatch.undo()
    assert error.kind == kind
    for name, value in data.items():
        assert error.data[name] == value, (name, error.data)
    if kind == "overloaded":
        assert error.data["retry_after"] > 0
    if kind == "internal":
        assert error.data["report"] in table.logged[0]
        assert "RuntimeError" in table.logged[0]
        assert any(error.data["report"] in each for each in table.ask("state", s="t")["warnings"])
        assert "for the sake of" not in "".join(table.lines)  # what a bug says may hold hidden cards
        return
    assert table.ask("state", s="t") == before


def test_a_bug_in_a_search_still_gives_a_legal_move(table: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.protocol import thinking

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault, for the sake of the test")

    monkeypatch.setattr(thinking, "analyse", broken)
    result = table.ask("go", s="t", iterations=10, allow=["p"], scope="turn")
    assert (result["move"], result["reason"], result["turn"]) == ("p", "fallback", ["p"])
    assert result["iterations"] == 0
    assert "internal" in result["warnings"][0]
    assert [note["level"] for note in table.noted("log")] == ["error"]
    monkeypatch.undo()
    assert table.ask("go", s="t", iterations=10)["reason"] == "iterations"


def test_r1_a_bug_on_every_path_is_answered_once(table: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    """R1: also what fails where no fault is foreseen."""
    from kibitz.protocol import host

    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    for name in ("position", "events", "undo", "legal", "checked", "turn"):
        monkeypatch.setattr(Session, name, broken)
    for name in (
        "hello_result",
        "rules_result",
        "bench_result",
        "review_result",
        "new_session",
        "viewed_session",
        "Thinking",
    ):
        monkeypatch.setattr(host, name, broken)
    for method, (given, _) in TAKES.items():
        if method not in ("ping", "quit", "set", "stop", "end"):
            error = table.error(method, **{"s": "t"} | given if "s" in given else given)
            assert (error.kind, error.code) == ("internal", -32603), method
    assert table.error("end", s="t", review={}).kind == "internal"
    monkeypatch.undo()
    assert table.ask("legal", s="t")["moves"] == KAMI_LEGAL


def test_a_large_number_of_lines_leaves_nothing_behind(table: Local) -> None:
    import gc
    import tracemalloc

    def work(count: int) -> None:
        for number in range(count):
            table.error("event", s="t", n=8, moves=["1:p"])
            table.error("go", s="t", iteration=1)
            table.ask("event", s="t", n=8, moves=["0:d4"])
            table.ask("undo", s="t", n=8)
            table.ask("new", s=f"name{number}", **TIC)
            table.ask("end", s=f"name{number}")
        table.lines.clear()
        table._methods.clear()
        gc.collect()

    work(50)
    tracemalloc.start()
    try:
        work(20)
        first = tracemalloc.get_traced_memory()[0]
        work(150)
        second = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert second - first < 100_000, "what 900 requests leave behind"
    assert threading.active_count() < 100


def test_params_models_are_the_schema_of_what_is_taken() -> None:
    for method, each in METHODS.items():
        assert issubclass(each.params, Params), method
        schema = each.params.model_json_schema()
        assert schema["additionalProperties"] is False, method
