"""What happens when: one reply to each request, in order within a session, at once where promised, and to the end."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz.protocol.host import Host
from kibitz.protocol.work import Kind, Work
from protocol.tables import CREW, KAMI_LEGAL, RECORD, TIC, kami
from protocol.wire import (
    HELLO,
    PATIENCE,
    Local,
    checked_line,
    kinds,
    parsed,
    request_line,
    searching,
    wait_for,
)


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        opened.ask("new", s="t", **kami())
        yield opened


# ---- R1, R6: while a search runs ----


def test_r6_ping_and_rules_are_answered_during_a_search(local: Local) -> None:
    request = searching(local)
    for _ in range(20):
        assert local.ask("ping") == {}
    local.ask("rules", game="kami")
    local.ask("hello", **HELLO)
    local.ask("new", s="u", **TIC)
    assert local.ask("go", s="u", iterations=10)["move"]  # another session is not held up
    assert request in local.open_ids()
    assert local.ask("stop", s="t") == {}
    assert local.result(request)["reason"] == "stop"


def test_r6_stop_is_answered_after_the_go(local: Local) -> None:
    for _ in range(20):
        request = local.send("go", s="t", until="stop")
        stop = local.send("stop", s="t")
        local.wait(lambda stop=stop: stop in local.replies, "stop")  # type: ignore[misc]
        ids = [parsed(line)["id"] for line in local.lines if "id" in parsed(line)]
        assert ids[-2:] == [request, stop]
        assert local.result(request)["reason"] == "stop"
        assert local.result(stop) == {}


def test_many_stops_each_get_their_reply(local: Local) -> None:
    request = searching(local)
    stops = [local.send("stop", s="t") for _ in range(50)]
    assert local.result(request)["move"] in KAMI_LEGAL
    assert kinds(local, stops) == ["result"] * 50
    assert [local.ask("stop", s="t") for _ in range(3)] == [{}] * 3  # nothing runs: also {}


def test_a_stop_without_id_stops_and_gets_no_reply(local: Local) -> None:
    request = searching(local)
    local.send_line(request_line(None, "stop", {"s": "t"}))
    assert local.result(request)["reason"] == "stop"
    before = len(local.lines)
    for line in (
        request_line(None, "stop", {"s": "t"}),
        request_line(None, "stop", {"s": "nobody"}),
        request_line(None, "stop", {"zebra": 1}),
        request_line(None, "stop", {"s": 1}),
        request_line(None, "quit", {"zebra": 1}),
    ):
        local.send_line(line)
    local.ask("ping")
    news = [checked_line(line) for line in local.lines[before:]]
    assert [each.get("method") for each in news[:-1]] == ["log"] * (len(news) - 1)  # told, not answered
    assert not local.host.closed


def test_busy_while_a_go_runs_or_waits(local: Local) -> None:
    request = searching(local)
    assert local.error("go", s="t", iterations=1).kind == "busy"
    assert local.error("go", s="t", until="stop").kind == "busy"
    local.ask("stop", s="t")
    assert local.result(request)["reason"] == "stop"
    assert local.ask("go", s="t", iterations=1)["iterations"] == 1


def test_what_is_sent_during_a_search_is_done_after_it_in_order(local: Local) -> None:
    request = searching(local)
    later = [
        local.send("event", s="t", n=8, moves=["0:d4"]),
        local.send("state", s="t"),
        local.send("undo", s="t", n=8),
        local.send("legal", s="t"),
        local.send("set", s="t", overhead_ms=3),
        local.send("event", s="t", n=9, moves=["0:a7"]),
        local.send("new", s="t", **kami()),
    ]
    local.ask("ping")
    assert set(later) <= set(local.open_ids())
    stop = local.send("stop", s="t")
    assert local.result(request)["reason"] == "stop"
    assert local.result(stop) == {}
    assert [local.result(later[0])["n"], local.result(later[1])["n"], local.result(later[2])["n"]] == [
        9,
        9,
        8,
    ]
    assert local.result(later[3])["moves"] == KAMI_LEGAL
    assert local.result(later[4])["overhead_ms"] == 3
    assert kinds(local, later[5:]) == ["gap", "session_exists"]


def test_end_cancels_the_go_that_runs(local: Local) -> None:
    request = searching(local)
    stop_free = local.send("end", s="t")
    assert kinds(local, [request, stop_free]) == ["cancelled", "result"]
    assert local.error("state", s="t").kind == "unknown_session"


def test_an_end_that_is_refused_changes_nothing(local: Local) -> None:
    before = local.ask("state", s="t")
    request = searching(local)
    refused = local.send("end", s="t", returns=[1])
    local.ask("ping")
    local.send("stop", s="t")
    assert kinds(local, [request, refused]) == ["result", "bad_value"]
    assert local.ask("state", s="t") == before


def test_end_and_new_of_the_same_name_in_a_row(local: Local) -> None:
    for _ in range(30):
        ids = [
            local.send("go", s="t", until="stop"),
            local.send("end", s="t"),
            local.send("new", s="t", **kami()),
            local.send("go", s="t", iterations=5),
        ]
        found = kinds(local, ids)
        assert found[:3] == ["cancelled", "result", "result"]
        assert found[3] in ("result", "busy")  # the first may still be ending
        if found[3] == "busy":
            local.ask("stop", s="t")
    assert local.ask("go", s="t", iterations=5)["iterations"] == 5


def test_stop_right_after_go_in_every_session(local: Local) -> None:
    for number in range(40):
        local.ask("new", s=f"s{number}", **kami(seed=number))
    requests = [local.send("go", s=f"s{number}", until="stop") for number in range(40)]
    stops = [local.send("stop", s=f"s{number}") for number in range(40)]
    for request in requests:
        assert local.result(request)["move"] in KAMI_LEGAL
    assert kinds(local, stops) == ["result"] * 40


def test_replacing_a_session_that_searches(local: Local) -> None:
    request = searching(local)
    new = local.send("new", s="t", replace=True, **TIC)
    local.send("stop", s="t")
    assert kinds(local, [request, new]) == ["result", "result"]
    assert local.ask("state", s="t")["view"]["game"] == "tic_tac_toe"


def test_set_while_searching(local: Local) -> None:
    request = searching(local)
    assert local.ask("set", threads=2, memory_mb=8)["threads"] == 2
    own = local.send("set", s="t", seed=99)
    local.ask("ping")
    assert own in local.open_ids()  # of the session, so after the go
    local.ask("stop", s="t")
    assert local.result(request)["move"] in KAMI_LEGAL
    assert local.result(own)["seed"] == 99
    assert local.ask("go", s="t", iterations=10)["iterations"] == 10


def test_too_many_requests_of_one_session_are_refused(local: Local) -> None:
    request = searching(local)
    ids = [local.send("state", s="t") for _ in range(1100)]
    local.ask("stop", s="t")
    found = kinds(local, [request, *ids])
    assert found[0] == "result"
    assert found.count("busy") == 100
    assert found.count("result") == 1001


# ---- R1: quit and the end of input ----


def test_r1_quit_answers_everything(local: Local) -> None:
    requests = [searching(local), local.send("state", s="t"), local.send("event", s="t", n=8, moves=["0:p"])]
    stop_free = local.send("review", game="kami", record=RECORD, ms=60_000)
    bench = local.send("bench", games=["kami"], quick=False)
    quit_ = local.send("quit")
    assert kinds(local, [*requests, stop_free, bench, quit_]) == ["cancelled"] * 5 + ["result"]
    assert parsed(local.lines[-1])["id"] == quit_
    assert local.host.closed
    before = len(local.lines)
    local.send_line(request_line(1, "ping"))  # nothing is taken any more
    local.send_line("zebra")
    local.host.close()
    assert len(local.lines) == before


@pytest.mark.parametrize("hello", [True, False])
def test_quit_needs_no_hello_and_no_id(hello: bool) -> None:
    with Local(hello=hello) as local:
        before = len(local.lines)
        local.send_line('{"method":"quit"}')
        assert local.host.closed
        assert len(local.lines) == before


def test_r7_the_end_of_input_answers_everything(local: Local) -> None:
    requests = [
        searching(local),
        local.send("legal", s="t"),
        local.send("review", game="kami", record=RECORD),
    ]
    local.host.close()
    assert kinds(local, requests) == ["cancelled"] * 3
    assert local.host.closed


def test_close_from_another_thread_while_lines_come() -> None:
    for delay in (0.0, 0.002, 0.01, 0.03):
        local = Local()
        for number in range(8):
            local.ask("new", s=f"{number}", **kami())

        def talk(local: Local = local) -> None:
            for turn in range(400):
                name = f"{turn % 8}"
                for method, params in (("go", {"until": "stop"}), ("ping", {}), ("stop", {}), ("state", {})):
                    if local.host.closed:
                        return
                    local.send(method, **params | ({} if method == "ping" else {"s": name}))

        talker = threading.Thread(target=talk)
        talker.start()
        time.sleep(delay)
        local.host.close()
        talker.join(PATIENCE)
        assert not talker.is_alive()
        local.check()
        count = len(local.lines)
        time.sleep(0.05)
        assert len(local.lines) == count, "nothing is sent after close"
        # what was received before the end has its reply: at most the line under way then has none
        assert len(local.open_ids()) <= 1


def test_close_replies_once_to_what_ends_meanwhile() -> None:
    """A slow reader: what is cancelled by `close` and ends by itself at the same time has one reply."""
    lines: list[str] = []

    def slow(line: str) -> None:
        time.sleep(0.01)
        lines.append(line)

    for _ in range(5):
        lines.clear()
        host = Host(slow)
        host.receive(request_line("hello", "hello", HELLO))
        for number in range(6):
            host.receive(request_line(f"new{number}", "new", kami(s=f"{number}")))
            host.receive(request_line(f"go{number}", "go", {"s": f"{number}", "until": "stop"}))
        host.close(wait=0.0)
        time.sleep(0.1)
        ids = [parsed(line)["id"] for line in lines]
        assert sorted(ids) == sorted({*ids}), "a reply twice"
        assert len(ids) == 13


def test_close_twice_and_at_once() -> None:
    local = Local()
    local.ask("new", s="t", **kami())
    request = searching(local)
    closers = [threading.Thread(target=local.host.close) for _ in range(4)]
    for closer in closers:
        closer.start()
    for closer in closers:
        closer.join(PATIENCE)
    assert kinds(local, [request]) == ["cancelled"]
    local.close()


# ---- the way out ----


def test_a_send_that_fails_breaks_nothing_else() -> None:
    """A reader that has gone: `receive` does not raise, and the process goes on for the other connections."""
    work = Work()
    sent = []

    def send(line: str) -> None:
        sent.append(line)
        if len(sent) > 2:
            raise BrokenPipeError

    host = Host(send, work=work, log=lambda text: None)
    host.receive(request_line(1, "hello", HELLO))
    host.receive(request_line(2, "new", kami(s="t")))
    host.receive(request_line(3, "ping"))
    host.receive(request_line(4, "go", {"s": "t", "iterations": 10}))
    host.receive(request_line(5, "go", {"s": "t", "until": "stop"}))
    host.receive("zebra")
    host.receive(request_line(6, "stop", {"s": "t"}))
    host.close()
    with Local(work=work) as other:
        other.ask("new", s="t", **kami())
        assert other.ask("go", s="t", iterations=10)["iterations"] == 10
    assert wait_for(lambda: work.running == 0)


def test_a_send_that_blocks_holds_up_only_its_own_connection() -> None:
    work, gate, sent = Work(), threading.Event(), list[str]()

    def send(line: str) -> None:
        if len(sent) > 2:
            gate.wait(PATIENCE)
        sent.append(line)

    host = Host(send, work=work)
    host.receive(request_line(1, "hello", HELLO))
    host.receive(request_line(2, "new", kami(s="t")))
    host.receive(request_line(3, "go", {"s": "t", "until": "stop", "info_ms": 1}))
    with Local(work=work) as other:
        other.ask("new", s="t", **kami())
        assert other.ask("go", s="t", ms=5)["move"] in KAMI_LEGAL
        assert other.ask("ping") == {}
    gate.set()
    host.receive(request_line(4, "stop", {"s": "t"}))
    assert wait_for(lambda: any('"id":4,' in line for line in sent))
    host.close()
    assert wait_for(lambda: work.running == 0)


# ---- R17, R18: many sessions ----


def test_r17_200_sessions_at_once_are_all_answered_legally() -> None:
    slugs = ("kami", "thecrew", "hearts", "goofspiel", "tic_tac_toe", "kuhn_poker")
    with Local() as local:
        legal = []
        for number in range(200):
            game = kibitz.load(slugs[number % len(slugs)])
            table = game.deal(seed=number)
            seat = table.turn
            assert isinstance(seat, int)
            view = table.view(seat=seat)
            local.ask(
                "new",
                s=f"{number}",
                game=game.slug,
                seat=seat,
                start=view.start,
                events=view.record,
                seed=number,
            )
            legal.append(table.legal())
        limits: list[dict[str, Any]] = [
            {"ms": 40},
            {"ms": 200},
            {"clock": {"main_ms": 2000, "byoyomi_ms": 100}},
        ]
        ids = [local.send("go", s=f"{number}", **limits[number % 3]) for number in range(200)]
        for number, id_ in enumerate(ids):
            result = local.result(id_)
            assert result["move"] in legal[number]
            assert result["iterations"] >= 1 or result["reason"] in ("single", "fallback")
            assert "internal" not in str(result.get("warnings"))  # a fallback is for want of time alone
        assert wait_for(lambda: local.host._work.running == 0)


def test_r18_same_seed_and_iterations_same_answer_whatever_else_runs() -> None:
    def answers(local: Local) -> list[Any]:
        found = []
        for number in range(6):
            name = f"same{number}"
            local.ask("new", s=name, **kami(seed=number))
            for more in ({}, {"scope": "turn"}, {"seed": 3}, {"allow": ["p"]}):
                result = local.ask("go", s=name, iterations=400, top="all", **more)
                found.append({each: result[each] for each in result if each not in ("ms", "ips")})
        return found

    with Local() as alone:
        expected = answers(alone)
    with Local() as busy:
        for number in range(5):
            busy.ask(
                "new", s=f"other{number}", **(kami() if number % 2 else CREW | {"events": ["*:tasks P3 B9"]})
            )
            searching(busy, f"other{number}")
        assert answers(busy) == expected
        pinged = [busy.send("ping") for _ in range(5)]
        assert kinds(busy, pinged) == ["result"] * 5
        busy.host.close()


def test_hosts_share_places_and_nothing_else() -> None:
    work = Work()
    with Local(work=work) as one, Local(work=work) as two, Local() as third:
        one.ask("new", s="t", **kami())
        assert two.error("state", s="t").data["allowed"] == []
        two.ask("new", s="t", **TIC)
        one.ask("set", threads=2, seed=9, mask=True)
        assert two.ask("set") | {"seed": 0} == third.ask("set")
        request = searching(one)
        assert two.ask("go", s="t", ms=5)["move"]
        two.ask("stop", s="t")
        assert request in one.open_ids()
        one.ask("stop", s="t")
        one.result(request)


def test_without_a_free_place_a_limit_is_kept_all_the_same() -> None:
    """More searches than places: a short one waits for a part of its time and plays by the hint, and says so."""
    work = Work(1)
    with Local(work=work) as local:
        local.ask("new", s="t", **kami())
        assert work.enter_now(Kind.SHORT)
        result = local.ask("go", s="t", ms=30)
        assert (result["reason"], result["iterations"]) == ("fallback", 0)
        assert result["move"] in KAMI_LEGAL
        assert any("busy" in each for each in result["warnings"])
        request = local.send("go", s="t", iterations=10)  # no limit: it waits
        local.ask("ping")
        assert request in local.open_ids()
        work.leave(Kind.SHORT)
        assert local.result(request)["iterations"] == 10
