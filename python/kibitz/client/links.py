"""How lines get to an engine and back: a process's stdin and stdout, or a WebSocket.

A link is told what to send, and tells its receiver every line that comes and, once, how it ended.
"""

import asyncio
import os
import shlex
import signal
import sys
from asyncio.transports import SubprocessTransport
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from kibitz.client.errors import EngineDied
from kibitz.errors import InvalidOption, printable, shown

__all__ = ["Ending", "Link", "Receiver", "command_of", "open_process", "open_socket"]

MOST_LINE = 1 << 26  # bytes of one answer; a longer line is dropped, so that garbage cannot fill the memory
LAST_WORDS = 20  # lines of stderr that are kept
LINGER = 0.5  # seconds that a dead process's pipes may stay open, for a child of its own may hold them
KILL = 5.0  # seconds after which not even a kill is waited for


@dataclass(frozen=True)
class Ending:
    """How a link ended, as a sentence's part: "ended with exit status 1"."""

    how: str
    status: int | None = None
    stderr: tuple[str, ...] = ()

    def error(self, name: str, doing: str) -> EngineDied:
        """The exception for whoever waits for an answer."""
        last = f" Its last words: {printable(' | '.join(self.stderr[-3:]))[:400]}" if self.stderr else ""
        return EngineDied(
            f"The engine {name} {self.how}{doing}.{last}", status=self.status, stderr=self.stderr
        )


class Receiver(Protocol):
    """Who is told what a link brings."""

    def line(self, data: bytes) -> None:
        """A line, without its end."""

    def lost(self, ending: Ending) -> None:
        """The last thing that is told."""


class Link(Protocol):
    """One way to an engine."""

    def send(self, line: str) -> None:
        """Writes a line as soon as it can; never waits. After the end it does nothing."""

    async def close(self, patience: float) -> None:
        """Ends the input, waits so long for the engine to leave, then makes it."""


class Lines:
    """Cuts what a pipe brings into lines."""

    def __init__(self) -> None:
        self._tail = bytearray()
        self._dropping = False  # within a line that is too long

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that are complete now."""
        *whole, rest = data.split(b"\n")
        for part in whole:
            line = bytes(self._tail) + part
            self._tail.clear()
            dropped, self._dropping = self._dropping, False
            if not dropped:
                yield line.removesuffix(b"\r")
        if len(self._tail) + len(rest) > MOST_LINE:
            self._tail.clear()
            self._dropping = True
        elif not self._dropping:
            self._tail += rest

    def rest(self) -> bytes:
        """What came after the last line's end."""
        return bytes(self._tail)


# ---- a process ----


def command_of(command: object) -> list[str]:
    """The words of a command: one text as a shell would split it, or a list of texts and paths.

    >>> command_of("kibitz engine")
    ['kibitz', 'engine']
    """
    words: list[Any] = []
    if isinstance(command, str):
        try:
            words = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise InvalidOption(f"command cannot be {shown(command)}: {error}.", given=command) from None
    elif isinstance(command, Sequence):
        words = [os.fspath(each) if isinstance(each, os.PathLike) else each for each in command]
    if words and all(isinstance(each, str) and "\0" not in each for each in words) and words[0]:
        return words
    raise InvalidOption(
        f"command cannot be {shown(command)}; it is a text such as 'kibitz engine', or a list of its words.",
        given=command,
    )


async def open_process(
    receiver: Receiver, command: Sequence[str], *, cwd: str | Path | None, env: Mapping[str, str] | None
) -> "ProcessLink":
    """Starts a process.

    Raises:
        EngineDied: It could not be started.
    """
    loop = asyncio.get_running_loop()
    # In a group of its own: Ctrl-C in a terminal is for the host, which then ends its engine in good order.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        import subprocess

        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        _, link = await loop.subprocess_exec(
            lambda: ProcessLink(receiver), *command, cwd=cwd, env=None if env is None else dict(env), **apart
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise EngineDied(f"The engine {shown(command[0])} could not be started: {why}.") from None
    return link


class ProcessLink(asyncio.SubprocessProtocol):
    """A process, by its pipes. Made by `open_process`."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._lines = Lines()
        self._words = Lines()
        self._stderr: deque[str] = deque(maxlen=LAST_WORDS)
        self._gone = asyncio.Event()
        self._closing = False
        self._transport: SubprocessTransport

    # -- called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            for line in self._lines.feed(data):
                self._receiver.line(line)
        else:
            for line in self._words.feed(data):
                self._word(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 1 and not self._gone.is_set() and not self._closing:
            # Without stdout it is of no use, whether it lives or not; that it leaves first is the usual case.
            asyncio.get_running_loop().call_later(LINGER, self._kill)

    def process_exited(self) -> None:
        asyncio.get_running_loop().call_later(LINGER, self._transport.close)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._transport.close()
        if self._lines.rest():
            self._receiver.line(self._lines.rest())
        if self._words.rest():
            self._word(self._words.rest())
        self._gone.set()
        status = self._transport.get_returncode()
        self._receiver.lost(Ending(_how(status), status, tuple(self._stderr)))

    # -- called by the client

    def send(self, line: str) -> None:
        pipe = self._transport.get_pipe_transport(0)
        if not self._closing and isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(f"{line}\n".encode())

    async def close(self, patience: float) -> None:
        self._closing = True
        pipe = self._transport.get_pipe_transport(0)
        if pipe is not None:
            pipe.close()
        try:
            await self._left(patience)
        finally:  # also when the waiting was cancelled: no process is left behind
            self._kill()
        await self._left(KILL)

    async def _left(self, patience: float) -> None:
        try:
            await asyncio.wait_for(self._gone.wait(), patience)
        except TimeoutError:
            return

    def _kill(self) -> None:
        if self._gone.is_set() or self._transport.get_returncode() is not None:
            return
        try:
            if sys.platform == "win32":
                self._transport.kill()
            else:  # the whole group: the command may be a wrapper around the engine
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return

    def _word(self, line: bytes) -> None:
        self._stderr.append(printable(line[:1000].decode("utf-8", "replace")))


def _how(status: int | None) -> str:
    if status is None:
        return "is gone"
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


# ---- a WebSocket ----


def check_url(url: object) -> str:
    """A WebSocket's address as it is.

    Raises:
        InvalidOption: Another text.
    """
    if isinstance(url, str) and url.isprintable():
        try:
            parts = urlsplit(url)
            if parts.scheme in ("ws", "wss") and parts.hostname:
                return url
        except ValueError:
            pass
    raise InvalidOption(
        f"url cannot be {shown(url)}; it is the address of a WebSocket, such as 'ws://127.0.0.1:8765/v1/ws'.",
        given=url,
    )


def check_token(token: object) -> str | None:
    """A bearer token as it is; it must fit into one header line.

    Raises:
        InvalidOption: Another value. The token is not shown.
    """
    if token is None:
        return None
    if isinstance(token, str) and token.isascii() and token.isprintable() and token and " " not in token:
        return token
    raise InvalidOption("token must be a text of printable ASCII without spaces.")


async def open_socket(receiver: Receiver, url: str, *, token: str | None) -> "SocketLink":
    """Connects to a WebSocket.

    Raises:
        EngineDied: Nobody answers there, or the server refuses.
        InvalidOption: The websockets package is not installed.
    """
    try:
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus, WebSocketException
    except ImportError:
        raise InvalidOption(
            "Engine.connect needs the package websockets; `pip install kibitz[server]` brings it."
        ) from None
    headers = None if token is None else {"Authorization": f"Bearer {token}"}
    try:
        socket = await connect(
            url, additional_headers=headers, open_timeout=None, close_timeout=LINGER, max_size=MOST_LINE
        )
    except InvalidStatus as error:
        status = error.response.status_code
        more = "; it wants another token" if status in (401, 403) else ""
        raise EngineDied(f"The engine {url} refused the connection with HTTP {status}{more}.") from None
    except (OSError, WebSocketException) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        raise EngineDied(f"The engine {url} could not be reached: {why}.") from None
    return SocketLink(socket, receiver)


class SocketLink:
    """A WebSocket. Made by `open_socket`."""

    def __init__(self, socket: Any, receiver: Receiver) -> None:
        self._socket = socket
        self._receiver = receiver
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())
        self._writing = asyncio.create_task(self._write())

    def send(self, line: str) -> None:
        if not self._reading.done():
            self._outgoing.put_nowait(line)

    async def close(self, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                await self._outgoing.join()
        except TimeoutError:
            pass
        try:
            await self._socket.close()  # waits for LINGER at most
        finally:
            self._writing.cancel()
        await asyncio.wait([self._reading, self._writing])

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                frame = await self._socket.recv()
                self._receiver.line(frame.encode() if isinstance(frame, str) else frame)
        except ConnectionClosed:
            pass
        finally:
            self._writing.cancel()
            code, reason = self._socket.close_code, self._socket.close_reason
            said = f" and said {shown(reason)}" if reason else ""
            self._receiver.lost(Ending(f"closed the connection (code {code}){said}"))

    async def _write(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await self._socket.send(await self._outgoing.get())
                self._outgoing.task_done()
        except ConnectionClosed:
            return
