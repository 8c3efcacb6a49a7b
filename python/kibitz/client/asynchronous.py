"""`AsyncEngine`: the protocol's requests as coroutines, on a connection that can come back."""

import itertools
import os
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeVar

from kibitz.client.analyses import AsyncAnalysis
from kibitz.client.connection import Connection
from kibitz.client.limits import Limit, check_limit
from kibitz.client.links import Link, check_token, check_url, command_of, open_process, open_socket
from kibitz.client.opening import Opening
from kibitz.client.progress import Told, long_request
from kibitz.client.requests import (
    given_only,
    go_parameters,
    record_parameters,
    search_parameter,
    start_parameters,
    view_parameters,
)
from kibitz.client.results import About, Best, best_of
from kibitz.client.running import Running, interrupted
from kibitz.client.sessions import AsyncSession
from kibitz.client.upkeep import Opener, Upkeep, check_seconds
from kibitz.errors import InvalidOption, shown
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View

__all__ = ["AsyncEngine"]

T = TypeVar("T")


class AsyncEngine:
    """An engine at the other end of a line. Made by `popen` and `connect`.

    Any number of calls may be under way at once. A call that is cancelled stops its search and leaves the engine
    usable. Every wait has an end: `timeout` is what an answer may take beside the thinking that was asked for, for the
    whole engine or, given to a call, for that one.

    Raises, in every call:
        EngineTimeout: No answer in time.
        EngineFault: The engine refuses, with kind, sentence and what would be allowed.
        EngineDied: The process ended or the connection broke; with `reconnect`, only if it did so again at once.
        EngineBreach: An answer that is against the protocol.
        InvalidOption: An argument that cannot be sent.
    """

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep
        self._names = itertools.count(1)

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str | os.PathLike[str]],
        *,
        timeout: float = 10.0,
        reconnect: bool = True,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> "Opening[AsyncEngine]":
        """Starts an engine: `engine = await AsyncEngine.popen(...)`, or `async with AsyncEngine.popen(...) as engine`.

        Args:
            command: Such as `"kibitz engine"`, or a list of its words.
            timeout: Seconds that an answer may take, beside the thinking asked for.
            reconnect: Whether to start it anew, with all sessions, when it died.
            cwd: Where it runs.
            env: Its environment; by default this process's.
        """
        words = command_of(command)

        async def opened(connection: Connection) -> Link:
            return await open_process(connection, words, cwd=cwd, env=env)

        name = shown(shlex.join(words))
        return cls._opening(name, opened, timeout=timeout, reconnect=reconnect, patient=False)

    @classmethod
    def connect(
        cls, url: str, *, token: str | None = None, timeout: float = 10.0, reconnect: bool = True
    ) -> "Opening[AsyncEngine]":
        """Connects to an engine behind a WebSocket, such as `kibitz serve`; awaited or entered like `popen`.

        Args:
            url: Such as `"ws://127.0.0.1:8765/v1/ws"`.
            token: What the server wants as bearer token.
            timeout: Seconds that an answer may take, beside the thinking asked for.
            reconnect: Whether to connect again, with all sessions, when the connection broke.
        """
        address, secret = check_url(url), check_token(token)

        async def opened(connection: Connection) -> Link:
            return await open_socket(connection, address, token=secret)

        return cls._opening(address, opened, timeout=timeout, reconnect=reconnect, patient=True)

    @classmethod
    def _opening(cls, name: str, opener: Opener, **settings: Any) -> "Opening[AsyncEngine]":
        async def opened() -> AsyncEngine:
            upkeep = Upkeep(name, opener, **settings)
            await upkeep.start()
            return cls(upkeep)

        return Opening(opened)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # ---- about it ----

    @property
    def about(self) -> About:
        """What it said of itself in the handshake."""
        assert self._upkeep.about is not None
        return self._upkeep.about

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it plays."""
        return self.about.games

    @property
    def options(self) -> Mapping[str, Any]:
        """What `set` can change, with the values now in force."""
        return MappingProxyType(self._upkeep.options)

    @property
    def garbage(self) -> tuple[str, ...]:
        """The last lines it wrote that are no protocol, cut; they are logged too (`kibitz.client`) and do no harm."""
        return tuple(self._upkeep.garbage)

    @property
    def timeout(self) -> float:
        """Seconds that an answer may take, where a call does not say otherwise."""
        return self._upkeep.timeout

    @property
    def alive(self) -> bool:
        """Whether there is a connection now."""
        return self._upkeep.alive

    async def ping(self, *, timeout: float | None = None) -> None:
        """Asks whether it is there; it answers also during searches."""
        await self.request("ping", timeout=timeout)

    async def rules(self, game: str | Game, *, timeout: float | None = None) -> dict[str, Any]:
        """What the engine knows of a game: players, options, grammar, start, utility and more, as in the protocol."""
        slug = game.slug if isinstance(game, Game) else game
        return await self.request("rules", {"game": slug}, timeout=timeout)

    async def set(self, *, timeout: float | None = None, **options: Any) -> Mapping[str, Any]:
        """Sets options of the whole engine: threads, memory_mb, seed, overhead_ms, info_ms, mask, pace.

        Nothing is set if one is refused. They are set again after a reconnection.
        """
        self._upkeep.options = await self.request("set", options, timeout=timeout)
        self._upkeep.chosen |= options
        return self.options

    # ---- searching ----

    async def best(
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
        """The strongest move from one seat's view. Keeps nothing at the engine; for a whole game see `session`.

        Args:
            view: Or its document, as `View.to_dict` makes it.
            limit: Of the search.
            top: Rows in `moves`: a number, or `"all"`.
            allow: Choose among these moves only.
            scope: `"move"`, or `"turn"` for all own decisions in a row.
            search: By name, or a mapping with `name` and settings; by default the engine's own.
            seed: Of the search.
            expect: All legal moves as the caller knows them; a difference is the fault `rules_mismatch`.
            pace: `{"min_ms": ..., "jitter_ms": ...}`: the answer is held back, so that time tells nothing.
            timeout: Seconds that the answer may take beyond what `limit` and `pace` say. With iterations alone that
                is all it may take.
        """
        params = go_parameters(
            check_limit(limit, endless=False),
            top=top,
            allow=allow,
            scope=scope,
            expect=expect,
            pace=pace,
            ponder=False,
            seed=seed,
            info_ms=None,
        )
        viewed = view_parameters(view, search)
        return await self._searched(viewed, Running(limit, params, self.seconds(timeout)), timeout)

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
    ) -> AsyncAnalysis:
        """A search to watch: `async with engine.analysis(view) as a: async for info in a: ...`.

        Args:
            view, top, allow, search, seed: As in `best`.
            limit: By default none: it runs until `stop()`, or until the block is left.
            info_ms: Milliseconds between two infos.
            timeout: As in `best`; and while it runs without a limit, seconds of silence after which the engine is
                asked whether it is alive.
        """
        chosen = check_limit(Limit(until_stop=True) if limit is None else limit, endless=True)
        viewed = view_parameters(view, search)
        seconds = self.seconds(timeout)
        params = go_parameters(
            chosen,
            top=top,
            allow=allow,
            scope="move",
            expect=None,
            pace=None,
            ponder=False,
            seed=seed,
            info_ms=info_ms,
        )
        return AsyncAnalysis(
            lambda heard: Running(chosen, params, seconds, heard),
            lambda running: self._searched(viewed, running, timeout),
        )

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
    ) -> Opening[AsyncSession]:
        """One seat at one table, kept up with events; awaited, or entered with `async with`, which ends it.

        Args:
            source: A view, which has all the rest in it, or a game or its name.
            seat: Whose, from 0.
            start: What that seat knew before the first event.
            events: Since then, as that seat saw them.
            options: Of a game given by its name.
            search: Of its searches.
            seed: Of its searches.
            name: Which it has at the engine.
            mask: Whether the engine masks what the seat may not see instead of refusing it.
            timeout: Seconds that the engine may take to set it up.
        """
        place, told = start_parameters(source, seat=seat, start=start, events=events, options=options)
        place |= given_only(search=search_parameter(search), seed=seed)
        if not isinstance(mask, bool):
            raise InvalidOption(f"mask cannot be {shown(mask)}; it is True or False.", given=mask)

        async def opened() -> AsyncSession:
            called = f"session-{next(self._names)}" if name is None else name
            session = AsyncSession(self, called, place, told, {"mask": True} if mask else {})
            await session.begin(timeout=timeout)
            return session

        return Opening(opened)

    async def review(
        self,
        record: Table | View | Mapping[str, Any] | str,
        *,
        game: str | None = None,
        seats: Sequence[int] | None = None,
        ms: float | None = None,
        iterations: int | None = None,
        search: str | Mapping[str, Any] | None = None,
        seed: int | None = None,
        progress: Told | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Looks at every decision of a game, see `kibitz.review`; the answer is that of `Review.to_dict`.

        Args:
            record: What was played: a table, a view, a document of one, or text in the game's notation.
            game: Needed for a text.
            seats: Whose decisions.
            ms, iterations: For each decision.
            search, seed: Of the searches.
            progress: Called with how many decisions are done, and of how many.
            timeout: Seconds without progress after which the review is given up, beside 4 times `ms`.
        """
        params = record_parameters(record, game)
        params |= given_only(seats=None if seats is None else list(seats), ms=ms, iterations=iterations)
        params |= given_only(search=search_parameter(search), seed=seed)
        return await self._long("review", params, progress, self.seconds(timeout) + 4 * (ms or 0) / 1000)

    async def bench(
        self,
        *,
        games: Sequence[str] | None = None,
        quick: bool | None = None,
        progress: Told | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """A fixed amount of work: its signature, iterations and milliseconds. `timeout` as in `review`."""
        params = given_only(games=None if games is None else list(games), quick=quick)
        return await self._long("bench", params, progress, self.seconds(timeout))

    # ---- the end ----

    async def close(self) -> None:
        """Says goodbye and waits until it is gone; a process that does not leave is killed. Open calls fail."""
        await self._upkeep.close()

    # ---- requests ----

    async def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Any request of the protocol, as it is; for what has no method of its own here."""
        seconds = self.seconds(timeout)
        return await self.served(method, lambda connection: connection.request(method, params or {}, seconds))

    async def served(self, doing: str, act: Callable[[Connection], Awaitable[T]]) -> T:
        """What `act` gives on a living connection; on a new one, once, if the old one dies meanwhile."""
        return await self._upkeep.served(doing, act)

    def seconds(self, timeout: float | None) -> float:
        """The timeout of a call."""
        return self._upkeep.timeout if timeout is None else check_seconds(timeout)

    async def _searched(self, viewed: Mapping[str, Any], running: Running, timeout: float | None) -> Best:
        seconds = self.seconds(timeout)

        async def act(connection: Connection) -> Best:
            name = f"view-{next(self._names)}"
            viewing = connection.begin("view", {**viewed, "s": name})
            try:
                going = running.begin(connection, name)  # without waiting: the engine takes them in order
                try:
                    await connection.finish(viewing, seconds)
                    return best_of(await running.finish(going))
                finally:
                    connection.drop(going)
            except BaseException as error:
                if interrupted(error):
                    connection.post("stop", {"s": name})
                raise
            finally:
                connection.drop(viewing)
                connection.post("end", {"s": name})

        return await self.served("go", act)

    async def _long(
        self, method: str, params: Mapping[str, Any], told: Told | None, patience: float
    ) -> dict[str, Any]:
        return await self.served(
            method, lambda connection: long_request(connection, method, params, told, patience)
        )

    def __repr__(self) -> str:
        state = "closed" if self._upkeep.closed else "alive" if self.alive else "gone"
        return f"<{type(self).__name__} {self._upkeep.name}: {state}>"
