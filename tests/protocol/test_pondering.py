"""Thinking on after an answer: until the next message, whatever it is, and every place is given back."""

import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz.protocol.lanes import Lane
from protocol.tables import KAMI_LEGAL, kami
from protocol.wire import PATIENCE, Local, wait_for


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        opened.ask("new", s="t", **kami())
        yield opened


def pondering(local: Local, s: str = "t") -> None:
    local.ask("go", s=s, iterations=200, ponder=True)
    assert wait_for(lambda: local.host._lanes[s]._pondering), "it thinks on"


@pytest.mark.parametrize(
    "then", ["event", "undo", "new", "view", "end", "go", "stop", "set", "state", "legal"]
)
def test_pondering_ends_with_the_next_message(local: Local, then: str) -> None:
    pondering(local)
    work, lane = local.host._work, local.host._lanes["t"]
    assert work.running == 1
    state = {"game": "kami", "view": {"seat": 0, "start": kami()["start"]}}
    params: dict[str, dict[str, Any]] = {
        "event": {"n": 8, "moves": ["0:d4", "0:a7"]},
        "undo": {"n": 4},
        "new": kami(replace=True),
        "view": state,
        "go": {"iterations": 10},
        "set": {"overhead_ms": 5},
    }
    local.ask(then, s="t", **params.get(then, {}))
    assert wait_for(lambda: not lane._pondering)
    assert wait_for(lambda: work.running == 0)
    if then != "end":
        found = local.ask("state", s="t")
        if "legal" in found["turn"]:
            assert local.ask("go", s="t", iterations=10)["move"] in found["turn"]["legal"]
    local.host.close()


@pytest.mark.parametrize("way", ["close", "quit"])
def test_pondering_ends_with_the_connection(local: Local, way: str) -> None:
    pondering(local)
    work = local.host._work
    if way == "quit":
        local.ask("quit")
    else:
        local.host.close()
    assert wait_for(lambda: work.running == 0)
    assert wait_for(lambda: not any("kibitz search" in each.name for each in threading.enumerate()))


def test_a_stop_ends_pondering_whenever_it_comes(local: Local) -> None:
    """Also between the reply of `go` and the thinking on."""
    work = local.host._work
    for turn in range(200):
        request = local.send("go", s="t", iterations=20, ponder=True)
        if turn % 2:
            local.reply(request)
            time.sleep(turn % 7 * 1e-4)
        local.ask("stop", s="t")
        assert wait_for(lambda: not local.host._lanes["t"].busy)
        assert wait_for(lambda: work.running == 0, 5), f"still thinking after stop, turn {turn}"


def test_a_stop_between_the_reply_and_the_thinking_on(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply is out and the thinking on has not begun: a stop that comes then must hold."""
    begin, stopped = Lane.ponder, threading.Event()

    def late(self: Lane) -> None:
        stopped.wait(PATIENCE)
        begin(self)

    monkeypatch.setattr(Lane, "ponder", late)
    request = local.send("go", s="t", iterations=20, ponder=True)
    assert local.result(request)["move"] in KAMI_LEGAL
    stop = local.send("stop", s="t")
    stopped.set()
    assert local.result(stop) == {}
    assert wait_for(lambda: not local.host._lanes["t"].busy)
    time.sleep(0.02)
    assert local.host._work.running == 0
    assert not local.host._lanes["t"]._pondering


def test_pondering_survives_a_bug_free_game(local: Local) -> None:
    """Played on with `ponder` all along: every answer is a legal one, and what was thought is of use."""
    table = kibitz.load("kami", redeal=False).deal(seed=3)
    seat = table.turn
    assert isinstance(seat, int)
    view = table.view(seat=seat)
    local.ask("new", s="p", game="kami", options=table.game.options, seat=seat, start=view.start, seed=5)
    n, rng = 0, random.Random(1)
    while isinstance(table.turn, int) and len(table.record) < 60:
        if table.turn == seat:
            move = local.ask("go", s="p", iterations=30, ponder=True)["move"]
            assert move in table.legal()
        else:
            move = rng.choice(table.legal())
        table.play(move)
        news = table.view(seat=seat).record[n:]
        found = local.ask("event", s="p", n=n, moves=news)
        n += len(news)
        assert found["digest"] == table.view(seat=seat).digest
    assert n > 20


def test_places_are_given_back_whatever_happens(local: Local) -> None:
    """Searches that end by themselves, by stop, by end and by faults leave no place taken."""
    work, rng = local.host._work, random.Random(5)
    names = [f"s{number}" for number in range(6)]
    for name in names:
        local.ask("new", s=name, **kami())
    ids = []
    for _ in range(400):
        name = rng.choice(names)
        ids.append(
            rng.choice(
                [
                    lambda name=name: local.send("go", s=name, iterations=20, ponder=True),
                    lambda name=name: local.send("go", s=name, ms=1),
                    lambda name=name: local.send("go", s=name, until="stop", ponder=True),
                    lambda name=name: local.send("stop", s=name),
                    lambda name=name: local.send("state", s=name),
                    lambda name=name: local.send("new", s=name, replace=True, **kami()),
                    lambda name=name: local.send("end", s=name),
                    lambda name=name: local.send("new", s=name, **kami()),
                ]
            )()  # type: ignore[no-untyped-call]
        )
    ids += [local.send("stop", s=name) for name in names]
    for id_ in ids:
        local.reply(id_)
    for name in names:
        local.send("stop", s=name)
    local.wait(lambda: not local.open_ids(), "all replies")
    assert wait_for(lambda: not any(lane.busy for lane in list(local.host._lanes.values())))
    for name in names:
        local.send("stop", s=name)
    assert wait_for(lambda: work.running == 0), work._used
    assert all(count == 0 for count in work._used.values()), work._used
    assert all(count == 0 for count in work._waiting.values()), work._waiting
