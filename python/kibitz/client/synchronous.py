"""`Engine`: the same as `AsyncEngine` for plain code. An event loop on a thread of its own does the work."""

import os
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from kibitz.client.asynchronous import AsyncEngine
from kibitz.client.limits import Limit
from kibitz.client.loops import Loop
from kibitz.client.opening import Opening
from kibitz.client.plain_sessions import EngineAnalysis, Session
from kibitz.client.results import About, Best
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View

__all__ = ["Engine"]


class Engine:
    """An engine at the other end of a line, for plain code. Made by `popen` and `connect`; see docs/client.md.

    Everything is as in `AsyncEngine`, without `await`; any thread may call, also several at once. Use it in a `with`
    statement, or call `close`.
    """

    def __init__(self, loop: Loop, core: AsyncEngine) -> None:
        self._loop = loop
        self._core = core
        self._finalizer = weakref.finalize(self, Loop.end, loop, core)  # when forgotten, and at exit

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str | os.PathLike[str]],
        *,
        timeout: float = 10.0,
        reconnect: bool = True,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Self:
        """Starts an engine, see `AsyncEngine.popen`."""
        return cls._opened(
            lambda: AsyncEngine.popen(command, timeout=timeout, reconnect=reconnect, cwd=cwd, env=env)
        )

    @classmethod
    def connect(
        cls, url: str, *, token: str | None = None, timeout: float = 10.0, reconnect: bool = True
    ) -> Self:
        """Connects to an engine behind a WebSocket, see `AsyncEngine.connect`."""
        return cls._opened(
            lambda: AsyncEngine.connect(url, token=token, timeout=timeout, reconnect=reconnect)
        )

    @classmethod
    def _opened(cls, opening: Callable[[], Opening[AsyncEngine]]) -> Self:
        loop = Loop()
        try:
            core = loop.run(lambda: _awaited(opening))
        except BaseException:
            loop.end(None)
            raise
        return cls(loop, core)

    def close(self) -> None:
        """Says goodbye and waits until it is gone; a process that does not leave is killed."""
        self._loop.end(self._core)
        self._finalizer.detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- about it ----

    @property
    def about(self) -> About:
        """What it said of itself in the handshake."""
        return self._core.about

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it plays."""
        return self._core.games

    @property
    def options(self) -> Mapping[str, Any]:
        """What `set` can change, with the values now in force."""
        return self._core.options

    @property
    def garbage(self) -> tuple[str, ...]:
        """The last lines it wrote that are no protocol."""
        return self._core.garbage

    @property
    def timeout(self) -> float:
        """Seconds that an answer may take, where a call does not say otherwise."""
        return self._core.timeout

    @property
    def alive(self) -> bool:
        """Whether there is a connection now."""
        return self._core.alive

    def ping(self, *, timeout: float | None = None) -> None:
        """Asks whether it is there; it answers also during searches."""
        self._loop.run(lambda: self._core.ping(timeout=timeout))

    def rules(self, game: str | Game, *, timeout: float | None = None) -> dict[str, Any]:
        """What the engine knows of a game."""
        return self._loop.run(lambda: self._core.rules(game, timeout=timeout))

    def set(self, *, timeout: float | None = None, **options: Any) -> Mapping[str, Any]:
        """Sets options of the whole engine, see `AsyncEngine.set`."""
        return self._loop.run(lambda: self._core.set(timeout=timeout, **options))

    # ---- searching ----

    def best(
        self,
        view: View | Mapping[str, Any],
        limit: Limit,
        *,
        top: int | str = 1,
        allow: Sequence[str] | None = None,
        scope: str = "move",
        search: str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        expect: Sequence[str] | None = None,
        pace: Mapping[str, float] | None = None,
        timeout: float | None = None,
    ) -> Best:
        """The strongest move from one seat's view, see `AsyncEngine.best`."""
        return self._loop.run(
            lambda: self._core.best(
                view,
                limit,
                top=top,
                allow=allow,
                scope=scope,
                search=search,
                seed=seed,
                expect=expect,
                pace=pace,
                timeout=timeout,
            )
        )

    def analysis(
        self,
        view: View | Mapping[str, Any],
        limit: Limit | None = None,
        *,
        top: int | str = "all",
        allow: Sequence[str] | None = None,
        search: str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        info_ms: float = 200,
        timeout: float | None = None,
    ) -> "EngineAnalysis":
        """A search to watch: `with engine.analysis(view) as a: for info in a: ...`, see `AsyncEngine.analysis`."""
        core = self._core.analysis(
            view,
            limit,
            top=top,
            allow=allow,
            search=search,
            seed=seed,
            info_ms=info_ms,
            timeout=timeout,
        )
        return EngineAnalysis(self._loop, core)

    # ---- whole games ----

    def session(
        self,
        source: View | Game | str,
        *,
        seat: int | None = None,
        start: Mapping[str, Any] | None = None,
        events: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        search: str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        name: str | None = None,
        mask: bool = False,
        timeout: float | None = None,
    ) -> "Session":
        """One seat at one table, see `AsyncEngine.session`; leaving its `with` block ends it."""
        core = self._loop.run(
            lambda: _awaited(
                lambda: self._core.session(
                    source,
                    seat=seat,
                    start=start,
                    events=events,
                    options=options,
                    search=search,
                    seed=seed,
                    name=name,
                    mask=mask,
                    timeout=timeout,
                )
            )
        )
        return Session(self, self._loop, core)

    def review(
        self,
        record: Table | View | Mapping[str, Any] | str,
        *,
        game: str | None = None,
        seats: Sequence[int] | None = None,
        ms: float | None = None,
        iterations: int | None = None,
        search: str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        progress: Callable[[int, int], object] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Looks at every decision of a game, see `AsyncEngine.review`."""
        return self._long(
            lambda told: self._core.review(
                record,
                game=game,
                seats=seats,
                ms=ms,
                iterations=iterations,
                search=search,
                seed=seed,
                progress=told,
                timeout=timeout,
            ),
            progress,
        )

    def bench(
        self,
        *,
        games: Sequence[str] | None = None,
        quick: bool | None = None,
        progress: Callable[[int, int], object] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """A fixed amount of work, see `AsyncEngine.bench`."""
        return self._long(
            lambda told: self._core.bench(games=games, quick=quick, progress=told, timeout=timeout), progress
        )

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Any request of the protocol, as it is."""
        return self._loop.run(lambda: self._core.request(method, params, timeout=timeout))

    def _long(
        self,
        work: Callable[[Callable[[int, int], object] | None], Coroutine[Any, Any, dict[str, Any]]],
        progress: Callable[[int, int], object] | None,
    ) -> dict[str, Any]:
        """A request with progress, which is told on the caller's thread and not on the loop's."""
        if progress is None:
            return self._loop.run(lambda: work(None))
        steps: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()
        found: list[dict[str, Any]] = []
        failed: list[BaseException] = []

        def wait() -> None:
            try:
                found.append(self._loop.run(lambda: work(lambda done, of: steps.put((done, of)))))
            except BaseException as error:  # noqa: BLE001  raised below, by the caller's thread
                failed.append(error)
            finally:
                steps.put(None)

        thread = threading.Thread(target=wait, name="kibitz-engine-wait", daemon=True)
        thread.start()
        while (step := steps.get()) is not None:
            progress(*step)
        thread.join()
        if failed:
            raise failed[0]
        return found[0]

    def __repr__(self) -> str:
        return repr(self._core).replace("AsyncEngine", "Engine")


async def _awaited(opening: Callable[[], Opening[Any]]) -> Any:
    """What an opening opens, made on the loop's thread."""
    return await opening()
