"""What a server takes on: bodies, queues, deadlines, connections; and that the event loop stays free meanwhile."""

import asyncio
import contextlib
import http.client
import json
import socket as plain
import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from websockets.exceptions import InvalidHandshake

from kibitz.protocol.thinking import Halt
from kibitz.protocol.work import Kind
from server.local import ANSWER_SECONDS, Local, local, say

LEAD: dict[str, Any] = {
    "game": "kami",
    "options": {"redeal": False},
    "seat": 0,
    "start": {"hand": "11113477", "first": 0},
}
HEAD = b"POST /v1/best HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def answered(connection: plain.socket) -> tuple[int, Any]:
    """The status and the JSON of the answer on a bare connection."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, json.loads(response.read())


# ---- bodies ----


def test_large_bodies() -> None:
    with local(max_body=2048) as here:
        answer = here.post("/v1/position", {"text": "x" * 3000})
        assert (answer.status, answer.kind) == (413, "too_large")
        assert here.post("/v1/position", {"text": "x" * 3_000_000}).kind == "too_large"
        assert here.post("/v1/position", {"text": "x" * 1500}).status == 400
        with plain.create_connection(("127.0.0.1", here.port)) as connection:  # by its announcement alone
            connection.sendall(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n")
            status, found = answered(connection)
            assert (status, found["error"]["data"]["kind"]) == (413, "too_large")


def test_large_bodies_in_pieces_of_no_announced_length() -> None:
    with local(max_body=2048) as here:
        answer = here.call("POST", "/v1/position", raw=iter([b" " * 1000] * 4))
        assert (answer.status, answer.kind) == (413, "too_large")


def test_bodies_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer comes at the bound; who sends on regardless is cut off."""
    monkeypatch.setattr("kibitz.server.running.HEAD_SECONDS", 0.2)
    with local(max_body=2048) as here, plain.create_connection(("127.0.0.1", here.port)) as connection:
        connection.settimeout(ANSWER_SECONDS)
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        with pytest.raises(ConnectionError):
            send_for_ever(connection, b"1000\r\n" + b" " * 0x1000 + b"\r\n")


def send_for_ever(connection: plain.socket, data: bytes) -> None:
    while True:
        connection.sendall(data)


def test_slow_bodies() -> None:
    with local(body_seconds=0.2) as here, plain.create_connection(("127.0.0.1", here.port)) as connection:
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        status, found = answered(connection)
        assert (status, found["error"]["data"]["kind"]) == (408, "slow_body")


def test_slow_heads_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.running.HEAD_SECONDS", 0.2)
    with local() as here:
        for begun in (b"", b"GET /healthz HT"):
            with plain.create_connection(("127.0.0.1", here.port)) as connection:
                connection.settimeout(ANSWER_SECONDS)
                connection.sendall(begun)
                with contextlib.suppress(ConnectionResetError):
                    assert connection.recv(1) == b""


def test_answers_and_websockets_may_take_longer_than_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.running.HEAD_SECONDS", 0.1)
    with local(poll_seconds=0.4) as here, here.connect() as socket:
        say(socket, "hello", 1, protocol="1")
        state = here.post("/v1/tables", {"game": "tic_tac_toe"}).json
        assert here.get(f"/v1/tables/{state['id']}?after=0").json == state
        assert say(socket, "ping", 2)["result"] == {}


def test_bodies_that_end_early_do_no_harm() -> None:
    with local() as here:
        for _ in range(5):
            with plain.create_connection(("127.0.0.1", here.port)) as connection:
                connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        assert here.get("/healthz").status == 200


# ---- searches ----


def test_full_queue() -> None:
    with local(workers=1, queue=1) as here:
        services = here.server.services
        held = [Halt() for _ in range(services.work.searches + 1)]
        services.halts.update(held)
        answer = here.post("/v1/best", LEAD | {"go": {"ms": 10}})
        assert (answer.status, answer.kind) == (503, "overloaded")
        assert int(answer.headers["retry-after"]) >= 1
        services.halts.remove(held[0])
        assert here.post("/v1/best", LEAD | {"go": {"iterations": 10}}).status == 200
        assert services.halts == set(held[1:])


def test_a_deadline_that_cannot_be_kept() -> None:
    """The only place for short searches is taken; the limit counts from arrival, so the wait is part of it."""
    with local(workers=1) as here:
        work = here.server.services.work
        assert work.enter_now(Kind.SHORT)
        answer = here.post("/v1/best", LEAD | {"go": {"ms": 100}})
        assert (answer.status, answer.kind) == (503, "overloaded")
        assert int(answer.headers["retry-after"]) >= 1
        work.leave(Kind.SHORT)
        assert here.post("/v1/best", LEAD | {"go": {"ms": 100}}).status == 200


def test_searches_have_an_end() -> None:
    with local(max_ms=100) as here:
        found = here.post("/v1/best", LEAD | {"go": {"iterations": 4_000_000_000}})
        assert (found.status, found.json["reason"]) == (200, "stop")
        found = here.post("/v1/best", LEAD | {"go": {"iterations": 1, "pace": {"min_ms": 600_000}}})
        assert found.status == 200
        assert here.post("/v1/best", LEAD | {"go": {"ms": 101}}).kind == "bad_value"


def test_who_leaves_searches_no_more() -> None:
    with local() as here:
        body = json.dumps(LEAD | {"go": {"ms": 60_000}}).encode()
        with plain.create_connection(("127.0.0.1", here.port)) as connection:
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            work = here.server.services.work
            while not work.running:
                sleep(0.001)
        while work.running:
            sleep(0.001)


def test_the_end_of_the_server_ends_searches() -> None:
    with local() as here:
        found: list[Any] = []
        asking = threading.Thread(
            target=lambda: found.append(here.post("/v1/best", LEAD | {"go": {"ms": 60_000}}))
        )
        asking.start()
        while not here.server.services.work.running:
            sleep(0.001)
    asking.join(ANSWER_SECONDS)
    assert (found[0].status, found[0].json["reason"]) == (200, "stop")


# ---- connections ----


def test_too_many_connections() -> None:
    with local(max_connections=3) as here:
        held = [plain.create_connection(("127.0.0.1", here.port)) for _ in range(3)]
        while len(here.server.server_state.connections) < 3:
            sleep(0.001)
        answer = here.get("/healthz")
        assert (answer.status, answer.kind) == (503, "overloaded")
        with pytest.raises(InvalidHandshake), here.connect():
            pass
        for connection in held:
            connection.close()
        while here.server.server_state.connections:
            sleep(0.001)
        assert here.get("/healthz").status == 200


def test_many_connections_come_and_go() -> None:
    with local(max_connections=50) as here, ThreadPoolExecutor(16) as pool:
        assert {answer.status for answer in pool.map(lambda _: here.get("/v1/games"), range(200))} == {200}
        for _ in range(60):
            with here.connect() as socket:
                assert "result" in say(socket, "hello", 1, protocol="1")


# ---- the event loop ----


@pytest.mark.serial
def test_sixteen_tables_leave_the_event_loop_free() -> None:
    """A ticker of 100 ms in the server's own loop, while sixteen people play and each bot thinks for 50 ms."""
    with local(workers=2) as here, ThreadPoolExecutor(16) as pool:
        ticks: list[float] = []
        done = threading.Event()

        async def ticker() -> None:
            while not done.is_set():
                ticks.append(monotonic())
                await asyncio.sleep(0.1)

        ticking = asyncio.run_coroutine_threadsafe(ticker(), here.loop)
        ends = list(pool.map(lambda _: play(here), range(16)))
        done.set()
        ticking.result(ANSWER_SECONDS)
    assert all(state["over"] for state in ends)
    # A search on the loop would stop it for 50 ms times the searches; a busy machine alone may miss some.
    expected = (ticks[-1] - ticks[0]) / 0.1
    assert len(ticks) > expected / 2


def play(here: Local) -> Any:
    """A game of tic-tac-toe against a bot, first legal move each time."""
    state = here.post("/v1/tables", {"game": "tic_tac_toe", "bots": {"ms": 50}}).json
    while not state["over"]:
        if state["thinking"]:
            state = here.get(f"/v1/tables/{state['id']}?after={state['n']}").json
        else:
            move = {"n": state["n"], "move": state["legal"][0]}
            state = here.post(f"/v1/tables/{state['id']}/moves", move).json
    return state
