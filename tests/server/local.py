"""A server in a thread of its own on a free port of loopback, and a plain client for it."""

import asyncio
import http.client
import json
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.server.settings import ServerSettings

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from kibitz.server.running import Server

START_SECONDS = 30.0
ANSWER_SECONDS = 60.0

T = TypeVar("T")


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def error(self) -> Any:
        """The error, which must have the form of all errors."""
        assert self.status >= 400, self.text
        error = self.json["error"]
        assert set(self.json) == {"error"}
        assert isinstance(error["code"], int)
        assert error["message"].endswith("."), error  # a sentence
        return error

    @property
    def kind(self) -> str:
        return str(self.error["data"]["kind"])


@dataclass
class Local:
    """A running server and how to ask it."""

    server: "Server"
    loop: asyncio.AbstractEventLoop
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return int(self.server.address.rpartition(":")[2])

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | Iterator[bytes] | None = None,
    ) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        sent: Any = raw if raw is not None else None if body is None else json.dumps(body).encode()
        kind = {} if sent is None else {"Content-Type": "application/json"}
        try:
            connection.request(method, path, body=sent, headers={**kind, **self.headers, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.headers), answer.read().decode())
        finally:
            connection.close()

    def get(self, path: str, **more: Any) -> Answer:
        return self.call("GET", path, **more)

    def post(self, path: str, body: Any, **more: Any) -> Answer:
        return self.call("POST", path, body, **more)

    def connect(self, **more: Any) -> "ClientConnection":
        """A WebSocket."""
        from websockets.sync.client import connect

        address = f"ws://127.0.0.1:{self.port}/v1/ws"
        socket: ClientConnection = connect(
            address, compression=None, proxy=None, open_timeout=START_SECONDS, **more
        )
        return socket

    def inside(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives on the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(ANSWER_SECONDS)


@contextmanager
def local(**settings: Any) -> Iterator[Local]:
    """A server with these settings, ended at the end."""
    from kibitz.server.running import Server

    listening = threading.Event()
    server = Server(ServerSettings(port=0, **settings), ready=lambda _: listening.set())
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        await server.serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="local server", daemon=True)
    thread.start()
    try:
        assert listening.wait(START_SECONDS), "the server did not start"
        yield Local(server, loops[0])
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        assert not thread.is_alive()


def say(socket: "ClientConnection", method: str, id_: int, **params: Any) -> Any:
    """A request over a WebSocket, and its reply; what comes in between is passed over."""
    socket.send(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}))
    return reply(socket, id_)


def reply(socket: "ClientConnection", id_: int | None) -> Any:
    """The reply of that number."""
    while True:
        message = json.loads(socket.recv(timeout=ANSWER_SECONDS))
        if "method" not in message and message.get("id") == id_:
            return message
