"""One search under way: sent, listened to, stopped, waited for."""

import asyncio
from collections.abc import Mapping
from typing import Any

from kibitz.client.connection import Call, Connection, Heard
from kibitz.client.errors import EngineTimeout
from kibitz.client.limits import Limit

__all__ = ["Running"]


class Running:
    """A search that may be started anew on another connection, and told to stop at any time.

    Args:
        limit: Of the search.
        params: Of `go`, those of the limit included.
        timeout: Seconds that the answer may come late.
        heard: Is told every `info`.
    """

    def __init__(
        self, limit: Limit, params: dict[str, Any], timeout: float, heard: Heard | None = None
    ) -> None:
        self.limit = limit
        self.params = params
        self._timeout = timeout
        self._heard = heard
        self._began = asyncio.get_running_loop().time()
        self._stopped = asyncio.Event()
        self._at: tuple[Connection, str] | None = None

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Makes the engine answer with what it has; also a search that is started anew afterwards."""
        self._stopped.set()
        if self._at is not None:
            connection, name = self._at
            connection.post("stop", {"s": name})

    def begin(self, connection: Connection, name: str) -> Call:
        """Sends `go` for a session. A second time it asks for less, for time went by."""
        params = self.params
        if self._at is not None:
            used = (asyncio.get_running_loop().time() - self._began) * 1000
            params = params | self.limit.less(used).parameters()
        call = connection.begin("go", params | {"s": name}, self._heard)
        self._at = (connection, name)
        if self.stopped:
            self.stop()
        return call

    async def finish(self, call: Call) -> dict[str, Any]:
        """The result.

        Raises:
            EngineTimeout: It is late, or, where it may take as long as it likes, the engine is not alive.
        """
        assert self._at is not None
        connection, _ = self._at
        try:
            seconds = _longest(self.limit, self.params.get("pace"))
            if seconds is None and self.params.get("until") == "stop":
                await self._alive(connection, call)
            return await connection.finish(call, self._timeout + (seconds or 0))
        finally:
            connection.drop(call)

    async def _alive(self, connection: Connection, call: Call) -> None:
        """Waits for `stop` or the reply; while nothing is heard, asks whether anybody is there."""
        stopping = asyncio.ensure_future(self._stopped.wait())
        either: list[asyncio.Future[Any]] = [call.reply, stopping]
        try:
            news = -1
            while not call.reply.done() and not stopping.done():
                if news == call.news:
                    await connection.request("ping", {}, self._timeout)
                news = call.news
                await asyncio.wait(either, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()


def _longest(limit: Limit, pace: object) -> float | None:
    """Seconds that the search may take by what was asked for; None where nothing says so."""
    if limit.longest_ms is None:
        return None
    held = 0.0
    if isinstance(pace, Mapping):
        held = sum(each for each in pace.values() if isinstance(each, int | float))
    return (limit.longest_ms + held) / 1000


def interrupted(error: BaseException) -> bool:
    """Whether a search may still be running after this."""
    return isinstance(error, asyncio.CancelledError | EngineTimeout)
