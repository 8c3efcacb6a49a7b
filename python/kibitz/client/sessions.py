"""`AsyncSession`: one seat at one table, told of every event, and told again after the engine died."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.client.analyses import AsyncAnalysis
from kibitz.client.connection import Call, Connection
from kibitz.client.errors import EngineBreach
from kibitz.client.limits import Limit, check_limit
from kibitz.client.requests import check_events, given_only, go_parameters
from kibitz.client.results import Best, Standing, best_of, standing_of
from kibitz.client.running import Running, interrupted
from kibitz.errors import InvalidOption, shown
from kibitz.events import Turn
from kibitz.given import whole

if TYPE_CHECKING:
    from kibitz.client.asynchronous import AsyncEngine

__all__ = ["AsyncSession"]

T = TypeVar("T")


class AsyncSession:
    """One seat at one table. Made by `AsyncEngine.session`; raises what that raises.

    It keeps the start and every event, so that it goes on after the engine died or the connection broke: the new
    engine is told everything in one message, and must come to the same digest.
    """

    def __init__(
        self,
        engine: "AsyncEngine",
        name: str,
        place: Mapping[str, Any],
        events: Sequence[str],
        settings: Mapping[str, Any],
    ) -> None:
        self._engine = engine
        self._name = name
        self._place = dict(place)
        self._events = list(events)
        self._settings = dict(settings)  # of this session alone
        self._standing: Standing | None = None
        self._connection: Connection | None = None  # the one that knows of this session
        self._resuming = asyncio.Lock()
        self._telling = asyncio.Lock()  # held while events change
        self._settling: Call | None = None  # a `stop` that was sent after a search was given up
        self._ended = False

    @property
    def name(self) -> str:
        """What the engine calls it."""
        return self._name

    @property
    def record(self) -> tuple[str, ...]:
        """The events that the engine has accepted, as they were given."""
        return tuple(self._events)

    @property
    def standing(self) -> Standing:
        """Where it stood after the last event."""
        assert self._standing is not None
        return self._standing

    @property
    def n(self) -> int:
        """The number of the next event."""
        return self.standing.n

    @property
    def turn(self) -> Turn:
        """The seat to decide, `"chance"` before an outcome, None when the game is over."""
        return self.standing.turn

    @property
    def digest(self) -> str:
        """What the seat knows, in 16 hexadecimal digits."""
        return self.standing.digest

    async def begin(self, *, timeout: float | None) -> None:
        """Sets it up at the engine; once."""
        seconds = self._engine.seconds(timeout)
        await self._served("new", seconds, _nothing)

    async def events(self, moves: Sequence[str], *, timeout: float | None = None) -> Standing:
        """Tells what happened, own moves too. All of them are accepted, or none.

        Args:
            moves: In order, each as this seat saw it.
            timeout: Seconds that the answer may take.
        """
        told = check_events(moves)
        seconds = self._engine.seconds(timeout)
        async with self._telling:

            async def act(connection: Connection) -> Standing:
                params = {"s": self._name, "n": self.n, "moves": told}
                return standing_of("event", await connection.request("event", params, seconds))

            standing = await self._served("event", seconds, act)
            self._events += told
            self._standing = standing
            return standing

    async def undo(self, n: int, *, timeout: float | None = None) -> Standing:
        """Goes back to the time when n events had happened."""
        number = whole("n", n, least=0, most=self.n)
        seconds = self._engine.seconds(timeout)
        async with self._telling:

            async def act(connection: Connection) -> tuple[Standing, list[str]]:
                plain = self.n == len(self._events)  # else a text stood for several events
                params = {"s": self._name, "n": number}
                standing = standing_of("undo", await connection.request("undo", params, seconds))
                if plain:
                    return standing, self._events[:number]
                return standing, await self._told(connection, seconds)

            standing, self._events = await self._served("undo", seconds, act)
            self._standing = standing
            return standing

    async def legal(self, *, timeout: float | None = None) -> list[str]:
        """The legal moves, if it is this seat's turn."""
        result = await self.request("legal", timeout=timeout)
        moves = result.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise EngineBreach(f"The engine answered legal with {shown(result)}, which has no list of moves.")
        return moves

    async def check(self, move: str, *, timeout: float | None = None) -> str:
        """The rule that a move would break, as a sentence; empty if it is legal."""
        result = await self.request("legal", {"move": move}, timeout=timeout)
        if result.get("legal") is True:
            return ""
        return str(result.get("why") or "It is not legal.")

    async def state(self, *, timeout: float | None = None) -> dict[str, Any]:
        """What the engine knows of it, as the protocol has it: n, turn, view, text, digest, warnings."""
        return await self.request("state", timeout=timeout)

    async def set(self, *, timeout: float | None = None, **options: Any) -> dict[str, Any]:
        """Sets options for this session alone, see `AsyncEngine.set`."""
        result = await self.request("set", options, timeout=timeout)
        self._settings |= options
        return result

    async def best(
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
        """The strongest move now, see `AsyncEngine.best`. The move is not played: what happens is told by `events`.

        Args:
            limit, top, allow, scope, expect, pace, seed, timeout: As there.
            ponder: Whether the engine may think on until it is told something.
        """
        params = go_parameters(
            check_limit(limit, endless=False),
            top=top,
            allow=allow,
            scope=scope,
            expect=expect,
            pace=pace,
            ponder=ponder,
            seed=seed,
            info_ms=None,
        )
        return await self._searched(Running(limit, params, self._engine.seconds(timeout)), timeout)

    def analysis(
        self,
        limit: Limit | None = None,
        *,
        top: int | str = "all",
        allow: Sequence[str] | None = None,
        seed: int | None = None,
        info_ms: float = 200,
        timeout: float | None = None,
    ) -> AsyncAnalysis:
        """A search to watch, see `AsyncEngine.analysis`."""
        chosen = check_limit(Limit(until_stop=True) if limit is None else limit, endless=True)
        seconds = self._engine.seconds(timeout)
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
            lambda running: self._searched(running, timeout),
        )

    async def stop(self, *, timeout: float | None = None) -> None:
        """Ends a search of this session that another task waits for; returns when its answer was sent."""
        await self.request("stop", timeout=timeout)

    async def end(
        self,
        *,
        returns: Sequence[float] | None = None,
        reveal: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Ends the session; the engine forgets it.

        Args:
            returns: How the game ended.
            reveal: The true start, where the engine is to look back at the game.
            timeout: Seconds that the answer may take.
        """
        params = given_only(returns=None if returns is None else list(returns), reveal=reveal)
        result = await self.request("end", params, timeout=timeout)
        self._ended = True
        return result

    async def close(self) -> None:
        """Ends it without waiting, if it has not ended."""
        if not self._ended and self._connection is not None:
            self._connection.post("end", {"s": self._name})
        self._ended = True

    async def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Any request of the protocol for this session, as it is."""
        seconds = self._engine.seconds(timeout)
        full = {**(params or {}), "s": self._name}
        return await self._served(
            method,
            seconds,
            lambda connection: connection.request(method, full, seconds),
            settle=method != "stop",
        )

    async def _searched(self, running: Running, timeout: float | None) -> Best:
        async def act(connection: Connection) -> Best:
            going = running.begin(connection, self._name)
            try:
                return best_of(await running.finish(going))
            except BaseException as error:
                if interrupted(error) and connection.ending is None:
                    self._settling = connection.begin("stop", {"s": self._name})
                raise

        return await self._served("go", self._engine.seconds(timeout), act)

    async def _served(
        self,
        doing: str,
        seconds: float,
        act: Callable[[Connection], Awaitable[T]],
        *,
        settle: bool = True,
    ) -> T:
        """What `act` gives on a connection that knows of this session."""
        if self._ended:
            raise InvalidOption(f"The session {self._name!r} has ended; open another one.")

        async def known(connection: Connection) -> T:
            await self._known(connection, seconds)
            if settle and self._settling is not None:
                await self._settle(seconds)
            return await act(connection)

        return await self._engine.served(doing, known)

    async def _settle(self, seconds: float) -> None:
        """Waits until a search that was given up is over; the session would be busy."""
        settling = self._settling
        if settling is not None and not settling.reply.done():
            await asyncio.wait([settling.reply], timeout=seconds)
        self._settling = None

    async def _known(self, connection: Connection, seconds: float) -> None:
        """Tells an engine that knows nothing of this session all there is."""
        async with self._resuming:
            if self._connection is connection:
                return
            new = {**self._place, "s": self._name}
            if self._settings:
                standing = await self._new_with_settings(connection, new, seconds)
            else:
                params = new | ({"events": self._events} if self._events else {})
                standing = standing_of("new", await connection.request("new", params, seconds))
            before = self._standing
            if before is not None and (before.n, before.digest) != (standing.n, standing.digest):
                raise EngineBreach(
                    f"The session {self._name!r} came back with {standing.n} events and digest "
                    f"{standing.digest}; it had {before.n} and {before.digest}.",
                    given=standing.digest,
                    allowed=(before.digest,),
                )
            self._standing = standing if before is None else before
            self._connection = connection
            self._settling = None

    async def _new_with_settings(
        self, connection: Connection, new: Mapping[str, Any], seconds: float
    ) -> Standing:
        """The settings must hold before the events come."""
        await connection.request("new", new, seconds)
        try:
            await connection.request("set", {**self._settings, "s": self._name}, seconds)
            params = {"s": self._name, "n": 0, "moves": self._events}
            return standing_of("event", await connection.request("event", params, seconds))
        except BaseException:
            connection.post("end", {"s": self._name})
            raise

    async def _told(self, connection: Connection, seconds: float) -> list[str]:
        """The events as the engine has them."""
        result = await connection.request("state", {"s": self._name}, seconds)
        view = result.get("view")
        record = view.get("record") if isinstance(view, dict) else None
        if not isinstance(record, list) or not all(isinstance(each, str) for each in record):
            raise EngineBreach(f"The engine answered state without the record of {self._name!r}.")
        return record

    def __repr__(self) -> str:
        if self._ended or self._standing is None:
            return f"<{type(self).__name__} {self._name!r}: {'ended' if self._ended else 'not begun'}>"
        return f"<{type(self).__name__} {self._name!r}: {self.n} events, turn {self.turn!r}>"


async def _nothing(connection: Connection) -> None:
    """There is nothing more to do than to be known."""
