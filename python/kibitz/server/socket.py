"""The protocol over a WebSocket: one JSON object a text frame, each connection a host of its own."""

import asyncio
import contextlib
import json
from collections import deque
from threading import Lock

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.errors import printable
from kibitz.protocol.faults import Fault
from kibitz.protocol.host import Host
from kibitz.protocol.work import Work
from kibitz.server.guard import SUBPROTOCOL, log
from kibitz.server.jobs import Jobs
from kibitz.server.settings import ServerSettings

__all__ = ["converse"]

MOST_LINES = 4096  # that a client may leave unread
MOST_BYTES = 16 << 20
CLOSE_SECONDS = 2.0  # for the last words to a client that may not listen any more

DONE, AWAY, POLICY = 1000, 1001, 1008  # why a connection ends, as RFC 6455 numbers it
LEFT = 0  # the client has ended it: there is nobody to tell


async def converse(socket: WebSocket, *, work: Work, jobs: Jobs, settings: ServerSettings) -> None:
    """One connection, from its first message to its end; its searches end with it."""
    offered = SUBPROTOCOL in socket.scope.get("subprotocols", ())
    await socket.accept(subprotocol=SUBPROTOCOL if offered else None)
    outgoing = _Outgoing(asyncio.get_running_loop())
    host = Host(outgoing.put, work=work, log=lambda text: log.error("%s", _told(text, settings)))
    listening = asyncio.create_task(_listen(socket, host, outgoing, jobs, settings))
    speaking = asyncio.create_task(_speak(socket, outgoing, settings))
    unread = asyncio.create_task(outgoing.overflown.wait())
    try:
        await asyncio.wait({listening, speaking, unread}, return_when=asyncio.FIRST_COMPLETED)
        code = listening.result() if listening.done() else LEFT if speaking.done() else POLICY
    finally:
        listening.cancel()
        unread.cancel()
        await asyncio.to_thread(host.close)  # ends its searches, which takes a moment
        outgoing.end()
        if not outgoing.overflown.is_set():
            await asyncio.wait({speaking}, timeout=CLOSE_SECONDS)
        speaking.cancel()
        await asyncio.gather(listening, speaking, unread, return_exceptions=True)
    if code != LEFT:
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(
                CLOSE_SECONDS
            ):  # who does not read does not see this either, and is cut off
                await socket.close(code, REASONS[code])


async def _listen(
    socket: WebSocket, host: Host, outgoing: "_Outgoing", jobs: Jobs, settings: ServerSettings
) -> int:
    """Hands every message on, to the end; the code to close with."""
    while not host.closed:
        try:
            async with asyncio.timeout(settings.idle_seconds):
                message = await socket.receive()
        except TimeoutError:
            return AWAY
        if message["type"] != "websocket.receive":
            return LEFT
        text = message.get("text")
        if text is None:
            outgoing.put(BINARY_REFUSED)
            continue
        if settings.log_hands:
            log.info("WS < %s", printable(text))
        await jobs.run(host.receive, text)
    return DONE


async def _speak(socket: WebSocket, outgoing: "_Outgoing", settings: ServerSettings) -> None:
    """Sends what there is to send, until the end of it or of the connection."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the client has left
        async for line in outgoing:
            if settings.log_hands:
                log.info("WS > %s", printable(line))
            await socket.send_text(line)


def _told(text: str, settings: ServerSettings) -> str:
    """What the log has of a fault of the engine: its kind, not what the exception says, which may name cards."""
    return text if settings.log_hands else ":".join(text.split(":")[:3])


REASONS = {
    DONE: "quit",
    AWAY: "nothing was said for too long",
    POLICY: "the answers are not read",
}

BINARY_REFUSED = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": None,
        "error": Fault(
            "invalid_request", "A binary frame came; messages are text frames of one JSON object each."
        ).error(),
    }
)


class _Outgoing:
    """Lines to a client, from any thread, up to a bound: who does not read them is left."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lines: deque[str] = deque()
        self._bytes = 0
        self._lock = Lock()
        self._news = asyncio.Event()
        self._ended = False
        self.overflown = asyncio.Event()

    def put(self, line: str) -> None:
        """One more line; dropped when the client has left too many unread, since it is cut off then."""
        with self._lock:
            if self._ended:
                return
            full = len(self._lines) >= MOST_LINES or self._bytes > MOST_BYTES
            if not full:
                self._lines.append(line)
                self._bytes += len(line)
        self._tell(self.overflown if full else self._news)

    def end(self) -> None:
        """No more will come; what is there is still sent."""
        with self._lock:
            self._ended = True
        self._tell(self._news)

    def __aiter__(self) -> "_Outgoing":
        return self

    async def __anext__(self) -> str:
        while True:
            with self._lock:
                if self._lines:
                    line = self._lines.popleft()
                    self._bytes -= len(line)
                    return line
                if self._ended:
                    raise StopAsyncIteration
            self._news.clear()
            with self._lock:
                empty = not self._lines and not self._ended
            if empty:
                await self._news.wait()

    def _tell(self, event: asyncio.Event) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and the client with it
            self._loop.call_soon_threadsafe(event.set)
