"""Raw lines to an engine and back, each wait with a deadline: a process's pipes or a WebSocket."""

import queue
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO, Any, Protocol

from kibitz.client.links import check_url, command_of
from kibitz.errors import InvalidOption, printable, shown

__all__ = ["Late", "Wire", "is_url", "open_wire"]

LAST_WORDS = 5  # lines of stderr that are kept
MOST_FRAME = 1 << 26  # bytes
LAST = 0.5  # seconds that the last words may take
LEAVE = 5.0  # seconds that a process has to leave before it is killed


class Late(Exception):
    """Nothing came in time."""


class Wire(Protocol):
    """One connection to an engine."""

    def send(self, line: bytes) -> None:
        """Writes a line as it is, with an end; nothing, if nobody reads any more."""

    def receive(self, seconds: float) -> bytes | None:
        """The next line; None when no more will come.

        Raises:
            Late: Nothing came within that time.
        """

    def end_input(self) -> None:
        """Says that no more will come."""

    def leave(self, seconds: float) -> int | None:
        """The exit status, once the other side is gone; 0 for a WebSocket.

        Raises:
            Late: It is still there.
        """

    def last_words(self) -> str:
        """What it wrote to stderr, cut."""

    def close(self) -> None:
        """Leaves nothing behind."""


def is_url(target: str) -> bool:
    """Whether an engine is named by the address of a WebSocket."""
    return target.startswith(("ws://", "wss://", "http://", "https://"))


def open_wire(target: str, *, token: str | None) -> Wire:
    """Starts or reaches an engine.

    Raises:
        InvalidOption: It cannot be started or reached.
    """
    if is_url(target):
        return SocketWire(check_url(target), token)
    return ProcessWire(command_of(target))


class ProcessWire:
    """A process, read by threads, for pipes have no deadlines."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise InvalidOption(
                f"The engine {shown(command[0])} cannot be started: {why}.", given=command
            ) from None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._words: deque[str] = deque(maxlen=LAST_WORDS)
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            return  # it is gone; that no answer comes will be noticed

    def receive(self, seconds: float) -> bytes | None:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise Late from None
        if line is None:
            self._lines.put(None)  # for whoever asks again
        return line

    def end_input(self) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            return

    def leave(self, seconds: float) -> int | None:
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Late from None

    def last_words(self) -> str:
        self._threads[1].join(LAST)  # it may not have read all of them yet
        return printable(" | ".join(self._words))[:400]

    def close(self) -> None:
        self.end_input()
        try:
            self._process.wait(LEAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(LEAVE)
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def _listen(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._words.append(line.decode("utf-8", "replace").rstrip())


class SocketWire:
    """A WebSocket, one line a frame."""

    def __init__(self, url: str, token: str | None) -> None:
        try:
            from websockets.exceptions import WebSocketException
            from websockets.sync.client import connect
        except ImportError:
            raise InvalidOption(
                "An engine behind a WebSocket needs the package websockets; `pip install kibitz[server]` brings it."
            ) from None
        headers = None if token is None else {"Authorization": f"Bearer {token}"}
        self._stack = ExitStack()
        try:
            opened = connect(url, additional_headers=headers, max_size=MOST_FRAME)
            self._socket: Any = self._stack.enter_context(opened)
        except (OSError, WebSocketException) as error:
            raise InvalidOption(f"The engine {url} cannot be reached: {error}.", given=url) from None

    def send(self, line: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            self._socket.send(line.decode())
        except ConnectionClosed:
            return

    def receive(self, seconds: float) -> bytes | None:
        from websockets.exceptions import ConnectionClosed

        try:
            frame = self._socket.recv(timeout=seconds)
        except TimeoutError:
            raise Late from None
        except ConnectionClosed:
            return None
        return frame.encode() if isinstance(frame, str) else bytes(frame)

    def end_input(self) -> None:
        self._socket.close()

    def leave(self, seconds: float) -> int | None:
        while self.receive(seconds) is not None:
            pass
        return 0

    def last_words(self) -> str:
        return ""

    def close(self) -> None:
        self._stack.close()
