"""An event loop on a thread of its own, for plain code that waits for coroutines."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from kibitz.client.asynchronous import AsyncEngine
from kibitz.client.errors import EngineDied, EngineError

__all__ = ["Loop"]

T = TypeVar("T")
POLL = 0.5  # seconds; Windows lets Ctrl-C through only between two waits
LEAVE = 10.0  # seconds that the thread may take to end


class Loop:
    """An event loop on a thread of its own, for one engine."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._main, name="kibitz-engine", daemon=True)
        self._lock = threading.Lock()
        self._ended = False
        self._thread.start()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine, from any thread but its own. Ctrl-C cancels it."""
        if os.getpid() != self._pid:
            raise EngineError(
                f"This engine was opened by process {self._pid} and cannot be used by {os.getpid()}, which was forked "
                "from it; open another one here."
            )
        if threading.current_thread() is self._thread:
            raise EngineError("An Engine cannot be waited for on its own thread; use AsyncEngine there.")
        with self._lock:
            if self._ended:
                raise EngineDied("The engine was closed.")
            future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        try:
            while True:
                try:
                    return future.result(POLL)
                except TimeoutError:
                    if future.done():
                        raise
        finally:
            future.cancel()  # without effect when it is done

    def call(self, act: Callable[[], object]) -> None:
        """Runs something on the loop, without waiting."""
        with self._lock:
            if not self._ended and os.getpid() == self._pid:
                self._loop.call_soon_threadsafe(act)

    def end(self, core: AsyncEngine | None) -> None:
        """Closes the engine and ends the thread; once. In a forked process, where there is no thread, nothing."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            if self._ended:
                return
            self._ended = True
            closing = asyncio.run_coroutine_threadsafe(self._close(core), self._loop)
        if threading.current_thread() is not self._thread:  # garbage is collected on any thread
            try:
                closing.result(LEAVE)
            finally:
                self._thread.join(LEAVE)

    async def _close(self, core: AsyncEngine | None) -> None:
        try:
            if core is not None:
                await core.close()
        finally:
            self._loop.call_soon(self._loop.stop)

    def _main(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=1))
            self._loop.close()
