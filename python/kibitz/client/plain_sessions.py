"""`Session` and `EngineAnalysis`: sessions and watched searches for plain code."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kibitz.client.analyses import AsyncAnalysis
from kibitz.client.limits import Limit
from kibitz.client.loops import Loop
from kibitz.client.results import Best, Info, Standing
from kibitz.client.sessions import AsyncSession
from kibitz.events import Turn

if TYPE_CHECKING:
    from kibitz.client.synchronous import Engine

__all__ = ["EngineAnalysis", "Session"]


class EngineAnalysis:
    """A search under way, see `AsyncAnalysis`. Made by `analysis()` of an engine or a session, and used in `with`."""

    def __init__(self, loop: Loop, core: AsyncAnalysis) -> None:
        self._loop = loop
        self._core = core

    def __enter__(self) -> Self:
        self._loop.run(self._core.__aenter__)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run(lambda: self._core.__aexit__(kind, error, trace))

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self._loop.run(self._next)
        if info is None:
            raise StopIteration
        return info

    def stop(self) -> None:
        """Ends the search; the result comes then. Does not wait; any thread may call it."""
        self._loop.call(self._core.stop)

    def result(self) -> Best:
        """What the search found, when it has ended, see `AsyncAnalysis.result`."""
        return self._loop.run(self._core.result)

    async def _next(self) -> Info | None:
        async for info in self._core:
            return info
        return None


class Session:
    """One seat at one table, see `AsyncSession`. Made by `Engine.session`; leaving its `with` block ends it."""

    def __init__(self, engine: "Engine", loop: Loop, core: AsyncSession) -> None:
        self._engine = engine  # so that an engine is not forgotten while a session is in use
        self._loop = loop
        self._core = core

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """What the engine calls it."""
        return self._core.name

    @property
    def record(self) -> tuple[str, ...]:
        """The events that the engine has accepted, as they were given."""
        return self._core.record

    @property
    def standing(self) -> Standing:
        """Where it stood after the last event."""
        return self._core.standing

    @property
    def n(self) -> int:
        """The number of the next event."""
        return self._core.n

    @property
    def turn(self) -> Turn:
        """The seat to decide, `"chance"` before an outcome, None when the game is over."""
        return self._core.turn

    @property
    def digest(self) -> str:
        """What the seat knows, in 16 hexadecimal digits."""
        return self._core.digest

    def events(self, moves: Sequence[str], *, timeout: float | None = None) -> Standing:
        """Tells what happened, see `AsyncSession.events`."""
        return self._loop.run(lambda: self._core.events(moves, timeout=timeout))

    def undo(self, n: int, *, timeout: float | None = None) -> Standing:
        """Goes back to the time when n events had happened."""
        return self._loop.run(lambda: self._core.undo(n, timeout=timeout))

    def legal(self, *, timeout: float | None = None) -> list[str]:
        """The legal moves, if it is this seat's turn."""
        return self._loop.run(lambda: self._core.legal(timeout=timeout))

    def check(self, move: str, *, timeout: float | None = None) -> str:
        """The rule that a move would break, as a sentence; empty if it is legal."""
        return self._loop.run(lambda: self._core.check(move, timeout=timeout))

    def state(self, *, timeout: float | None = None) -> dict[str, Any]:
        """What the engine knows of it: n, turn, view, text, digest, warnings."""
        return self._loop.run(lambda: self._core.state(timeout=timeout))

    def set(self, *, timeout: float | None = None, **options: Any) -> dict[str, Any]:
        """Sets options for this session alone, see `AsyncEngine.set`."""
        return self._loop.run(lambda: self._core.set(timeout=timeout, **options))

    def best(
        self,
        limit: Limit,
        *,
        top: int | str = 1,
        allow: Sequence[str] | None = None,
        scope: str = "move",
        expect: Sequence[str] | None = None,
        pace: Mapping[str, float] | None = None,
        ponder: bool = False,
        seed: int | None = None,
        timeout: float | None = None,
    ) -> Best:
        """The strongest move now, see `AsyncSession.best`."""
        return self._loop.run(
            lambda: self._core.best(
                limit,
                top=top,
                allow=allow,
                scope=scope,
                expect=expect,
                pace=pace,
                ponder=ponder,
                seed=seed,
                timeout=timeout,
            )
        )

    def analysis(
        self,
        limit: Limit | None = None,
        *,
        top: int | str = "all",
        allow: Sequence[str] | None = None,
        seed: int | None = None,
        info_ms: float = 200,
        timeout: float | None = None,
    ) -> EngineAnalysis:
        """A search to watch, see `AsyncEngine.analysis`."""
        core = self._core.analysis(limit, top=top, allow=allow, seed=seed, info_ms=info_ms, timeout=timeout)
        return EngineAnalysis(self._loop, core)

    def stop(self, *, timeout: float | None = None) -> None:
        """Ends a search of this session that another thread waits for; returns when its answer was sent."""
        self._loop.run(lambda: self._core.stop(timeout=timeout))

    def end(
        self,
        *,
        returns: Sequence[float] | None = None,
        reveal: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Ends the session, see `AsyncSession.end`."""
        return self._loop.run(lambda: self._core.end(returns=returns, reveal=reveal, timeout=timeout))

    def close(self) -> None:
        """Ends it without waiting, if it has not ended."""
        self._loop.call(lambda: asyncio.ensure_future(self._core.close()))

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Any request of the protocol for this session, as it is."""
        return self._loop.run(lambda: self._core.request(method, params, timeout=timeout))

    def __repr__(self) -> str:
        return repr(self._core).replace("AsyncSession", "Session")
