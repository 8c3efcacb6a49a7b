"""The server as a process: uvicorn with bounds on connections that say nothing or read nothing, and an orderly end."""

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from kibitz.errors import InvalidOption, shown
from kibitz.protocol.faults import Fault
from kibitz.server.app import Services, create_app
from kibitz.server.settings import ServerSettings

__all__ = ["Server", "run"]

GRACE_SECONDS = 5  # for answers that are under way when the server is told to stop
HEAD_SECONDS = 15.0  # in which a connection must have sent the head of a request
LINGER_SECONDS = 10.0  # for what a client has not read when its connection ends
MOST_HEAD = 16 << 10  # bytes
MOST_UNREAD = 32 << 20  # bytes that wait for a client


class Server(uvicorn.Server):
    """A server that can be asked where it listens, and that ends searches when it is told to stop.

    Args:
        settings: How it is set up.
        ready: Called with the address once it listens.
    """

    def __init__(self, settings: ServerSettings, *, ready: Callable[[str], None] | None = None) -> None:
        app = create_app(settings)
        self.services: Services = app.state.services
        self.settings = settings
        self._ready = ready
        self._asked: list[int] = []  # signals
        super().__init__(
            uvicorn.Config(
                app,
                host=settings.host,
                port=settings.port,
                http=_HttpConnection,
                ws=_SocketConnection,
                loop="asyncio",
                lifespan="on",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=HEAD_SECONDS,  # type: ignore[arg-type]  # any number of seconds
                timeout_graceful_shutdown=GRACE_SECONDS,
                h11_max_incomplete_event_size=MOST_HEAD,
                ws_max_size=settings.max_body,
                ws_per_message_deflate=False,
            )
        )

    @property
    def address(self) -> str:
        """Where it listens, `http://127.0.0.1:8765`."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return signal.SIGINT in self._asked

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen.

        Raises:
            InvalidOption: It cannot at that address.
        """
        await super().startup([listening(self.settings)] if sockets is None else sockets)
        if self.started and self._ready is not None:
            self._ready(self.address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends what could go on for long, then waits a little for the rest."""
        self.services.stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Ctrl-C and SIGTERM end the server in order; a second one at once."""
        if current_thread() is not main_thread():
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002
        """Takes a signal."""
        self._asked.append(sig)
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True


def listening(settings: ServerSettings) -> socket.socket:
    """A socket that listens where the settings say.

    Raises:
        InvalidOption: It cannot: the port is taken, the name unknown, the address another machine's.
    """
    host = settings.host.strip("[]")
    try:
        found = socket.getaddrinfo(host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family, backlog=settings.max_connections)
    except OSError as error:
        raise InvalidOption(
            f"The server cannot listen at {shown(settings.host)}, port {settings.port}: {error.strerror}.",
            given=settings.port,
        ) from None


def run(settings: ServerSettings, *, ready: Callable[[str], None] | None = None) -> bool:
    """Serves until a signal comes; whether it was Ctrl-C.

    Raises:
        InvalidOption: It cannot listen at that address.
    """
    server = Server(settings, ready=ready)
    asyncio.run(server.serve())
    return server.interrupted


class _HttpConnection(H11Protocol):
    """A connection that must send the head of a request in time, and read what it asked for."""

    _waiting: asyncio.TimerHandle | None = None  # for the head of a request
    _refused = False  # there are too many others
    _upgraded = False  # a WebSocket now, with bounds of its own

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        settings: ServerSettings = cast("Any", self.config.app).state.services.settings
        self._refused = len(self.connections) > settings.max_connections
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self._refused:  # not before it has spoken: an answer that crosses a request is lost with it
            self.transport.write(FULL)
            self.transport.close()
            return
        super().data_received(data)
        if self._upgraded:
            return
        if self._between and self._waiting is None:  # also a body that goes on after its answer
            self._wait()
        elif not self._between:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._upgraded = True
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    @property
    def _between(self) -> bool:
        """Whether no request is being answered."""
        cycle: RequestResponseCycle | None = (
            self.cycle
        )  # None until the first request, whatever its type says
        return cycle is None or cycle.response_complete

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class _SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that is cut when what it is sent is not read, whoever ends it."""

    def data_received(self, data: bytes) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNREAD:  # pings are answered whether or not it reads
            self.transport.abort()
            return
        super().data_received(data)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: "asyncio.Task[None]") -> None:
        super().on_task_complete(task)
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


_TOO_MANY = Fault(
    "overloaded", "There are too many connections; try again in 5 seconds.", more={"retry_after": 5}
)
_BODY = json.dumps({"error": _TOO_MANY.error()}).encode()
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)
