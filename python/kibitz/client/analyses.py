"""A search that is watched: its infos as they come, and its result."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from kibitz.client.errors import EngineError
from kibitz.client.results import Best, Info, info_of
from kibitz.client.running import Running
from kibitz.errors import InvalidOption

__all__ = ["AsyncAnalysis"]

KEPT = 256  # infos that nobody has looked at yet; older ones are dropped


class AsyncAnalysis:
    """A search under way. Made by `analysis()` of an engine or a session, and used in `async with`.

    Iterating over it gives an `Info` every now and then until the search ends. Leaving the block ends the search.

    Args:
        running: Makes the search, given who is to be told of infos.
        serve: Runs it.
    """

    def __init__(
        self,
        running: Callable[[Callable[[str, dict[str, Any]], None]], Running],
        serve: Callable[[Running], Awaitable[Best]],
    ) -> None:
        self._make = running
        self._serve = serve
        self._running: Running | None = None
        self._task: asyncio.Task[Best] | None = None
        self._infos: deque[Info] = deque(maxlen=KEPT)
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        if self._task is not None:
            raise InvalidOption("An analysis runs once; ask the engine for another one.")
        self._running = self._make(self._heard)
        self._task = asyncio.create_task(self._run(self._running))
        self._task.add_done_callback(lambda _: self._news.set())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, _ = self._started()
        if kind is not None and not issubclass(kind, EngineError | Exception):
            task.cancel()  # cancelled or interrupted: there is no time to wait for an answer
        if not task.done():
            self.stop()
            await asyncio.wait([task])  # not longer than the search's own deadline
        if not task.cancelled() and task.exception() is not None and kind is None and not self._told:
            await task  # raises what nobody has heard yet

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        task, _ = self._started()
        while not self._infos:
            if task.done():
                await self._result()  # an error ends the iteration as an error
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._infos.popleft()

    def stop(self) -> None:
        """Ends the search; the result comes then. Does not wait."""
        _, running = self._started()
        running.stop()

    async def result(self) -> Best:
        """What the search found, when it has ended.

        Raises:
            InvalidOption: It would never end: no limit, and `stop` was not called.
            EngineTimeout, EngineFault, EngineBreach, EngineDied: There is no answer.
        """
        task, running = self._started()
        if not running.limit.ends and not running.stopped and not task.done():
            raise InvalidOption("This analysis has no end of its own; call stop() before result().")
        return await self._result()

    async def _result(self) -> Best:
        task, _ = self._started()
        self._told = True
        return await asyncio.shield(task)

    _told = False  # whether the result, or why there is none, reached the caller

    async def _run(self, running: Running) -> Best:
        return await self._serve(running)

    def _heard(self, method: str, params: dict[str, Any]) -> None:
        if method == "info":
            self._infos.append(info_of(params))
            self._news.set()

    def _started(self) -> tuple[asyncio.Task[Best], Running]:
        if self._task is None or self._running is None:
            raise InvalidOption(
                "An analysis is used in a with statement: `with engine.analysis(view) as a:`."
            )
        return self._task, self._running
