"""The protocol over a WebSocket: replies, what is refused, who leaves or does not read, and where searches end."""

import json
import socket as plain
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic, sleep
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from websockets.exceptions import ConnectionClosed

from server.local import ANSWER_SECONDS, Local, local, reply, say

LEAD: dict[str, Any] = {
    "game": "kami",
    "options": {"redeal": False},
    "seat": 0,
    "start": {"hand": "11113477", "first": 0},
}


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local() as found:
        yield found


@contextmanager
def greeted(here: Local) -> Iterator[Any]:
    """A connection after its hello."""
    with here.connect() as socket:
        assert "result" in say(socket, "hello", 0, protocol="1")
        yield socket


def closed_with(socket: Any) -> tuple[int, str]:
    """Why the server ends the connection."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=ANSWER_SECONDS)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def until(true: Any) -> None:
    """Waits for something that must come true."""
    end = monotonic() + ANSWER_SECONDS
    while not true():
        assert monotonic() < end
        sleep(0.01)


def test_a_session(here: Local) -> None:
    with greeted(here) as socket:
        assert say(socket, "new", 1, **LEAD)["result"]["turn"]["by"] == 0
        found = say(socket, "go", 2, iterations=200)["result"]
        assert found["move"] in say(socket, "legal", 3)["result"]["moves"]
        assert say(socket, "quit", 4)["result"] == {}
        assert closed_with(socket) == (1000, "quit")


def test_hello_comes_first(here: Local) -> None:
    with here.connect() as socket:
        assert say(socket, "ping", 1)["error"]["data"]["kind"] == "hello_first"


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", "[" * 100_000, '{"id": 1}', "\ud7ff\u0000"])
def test_what_is_no_request_is_answered(here: Local, text: str) -> None:
    with greeted(here) as socket:
        socket.send(text)
        answer = json.loads(socket.recv(timeout=ANSWER_SECONDS))
        assert answer["error"]["data"]["kind"] in ("parse", "invalid_request")
        assert say(socket, "ping", 2)["result"] == {}


def test_binary_frames_are_refused_with_a_reply(here: Local) -> None:
    with greeted(here) as socket:
        socket.send(b'{"id": 1, "method": "ping"}')
        answer = reply(socket, None)
        assert answer["error"]["data"]["kind"] == "invalid_request"
        assert "text frames" in answer["error"]["message"]
        assert say(socket, "ping", 2)["result"] == {}


def test_frames_have_a_bound(here: Local) -> None:
    with greeted(here) as socket:
        socket.send(json.dumps({"id": 1, "method": "ping", "params": {"x": "y" * 1_000_000}}))
        assert reply(socket, 1)["error"]["data"]["kind"] == "unknown_param"
        socket.send("x" * ((1 << 20) + 1))
        assert closed_with(socket)[0] == 1009
    with greeted(here) as socket:
        socket.send(["x" * (1 << 19)] * 3)  # in pieces
        assert closed_with(socket)[0] == 1009


def test_ping_and_stop_while_searching(here: Local) -> None:
    with greeted(here) as socket:
        say(socket, "new", 1, **LEAD)
        socket.send(json.dumps({"id": 2, "method": "go", "params": {"until": "stop", "info_ms": 20}}))
        assert json.loads(socket.recv(timeout=ANSWER_SECONDS))["method"] == "info"
        assert say(socket, "ping", 3)["result"] == {}
        socket.send(json.dumps({"id": 4, "method": "stop"}))
        assert reply(socket, 2)["result"]["reason"] == "stop"
        assert reply(socket, 4)["result"] == {}


@pytest.mark.parametrize("politely", [True, False])
def test_who_leaves_searches_no_more(here: Local, politely: bool) -> None:
    work = here.server.services.work
    with greeted(here) as socket:
        say(socket, "new", 1, **LEAD)
        socket.send(json.dumps({"id": 2, "method": "go", "params": {"until": "stop"}}))
        until(lambda: work.running)
        if not politely:
            linger = struct.pack("ii", 1, 0)  # a reset, no farewell
            socket.socket.setsockopt(plain.SOL_SOCKET, plain.SO_LINGER, linger)
            socket.socket.shutdown(plain.SHUT_RDWR)
    until(lambda: not work.running)


def test_who_says_nothing_is_left() -> None:
    with local(idle_seconds=0.2) as here, greeted(here) as socket:
        assert closed_with(socket)[0] == 1001


def test_who_does_not_read_is_left(here: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound on what waits for a client, and the end of a connection that would never be written off."""
    monkeypatch.setattr("kibitz.server.socket.MOST_BYTES", 1 << 20)
    monkeypatch.setattr("kibitz.server.socket.CLOSE_SECONDS", 0.05)
    monkeypatch.setattr("kibitz.server.running.LINGER_SECONDS", 0.05)
    with plain.create_connection(("127.0.0.1", here.port)) as connection:
        connection.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)
        connection.sendall(
            b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 101")
        until(lambda: connections(here))
        hello = b'{"id":1,"method":"hello","params":{"protocol":"1"}}'
        rules = b'{"id":1,"method":"rules","params":{"game":"thecrew"}}'
        frames = b"".join(frame(each) for each in [hello, *[rules] * 20_000])
        sender = threading.Thread(target=pushed, args=(connection, frames))
        sender.start()
        sender.join(ANSWER_SECONDS)
        assert not sender.is_alive()  # the server has cut the connection
    until(lambda: not connections(here))


def connections(here: Local) -> int:
    return len(here.server.server_state.connections)


def frame(text: bytes) -> bytes:
    """A masked text frame, with a mask that changes nothing."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def pushed(connection: plain.socket, data: bytes) -> None:
    try:
        connection.sendall(data)
        while connection.recv(1 << 16):  # what it did not read in time
            pass
    except OSError:
        pass


def test_two_sessions_of_one_name_have_nothing_to_do_with_each_other(here: Local) -> None:
    with greeted(here) as one, greeted(here) as two:
        first = say(one, "new", 1, **LEAD)["result"]
        second = say(two, "new", 1, **(LEAD | {"start": {"hand": "22334455", "first": 0}}))["result"]
        assert first["digest"] != second["digest"]
        assert say(one, "state", 2)["result"]["digest"] == first["digest"]
        assert "22334455" not in json.dumps(say(one, "state", 3))
        assert say(two, "legal", 4, s="other")["error"]["data"]["kind"] == "unknown_session"


def test_the_end_of_the_server_ends_its_searches() -> None:
    with ExitStack() as stack:
        with local() as here:
            socket = stack.enter_context(greeted(here))
            say(socket, "new", 1, **LEAD)
            socket.send(json.dumps({"id": 2, "method": "go", "params": {"until": "stop"}}))
            work = here.server.services.work
            until(lambda: work.running)
        assert work.running == 0


def test_no_session_no_reply_after_the_connection_is_gone(here: Local) -> None:
    for _ in range(20):
        with greeted(here) as socket:
            say(socket, "new", 1, **LEAD)
            socket.send(json.dumps({"id": 2, "method": "go", "params": {"ms": 50, "info_ms": 1}}))
    until(lambda: not here.server.services.work.running)
    assert here.get("/healthz").status == 200
