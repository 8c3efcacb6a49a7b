"""Keeping a connection to one engine: made, greeted, made anew when it broke, closed in the end."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from kibitz.client.connection import Connection, new_garbage
from kibitz.client.errors import EngineBreach, EngineDied, EngineError, EngineFault, EngineTimeout
from kibitz.client.links import Ending, Link
from kibitz.client.results import About, about_of
from kibitz.errors import InvalidOption, shown
from kibitz.given import positive

__all__ = ["Opener", "Upkeep", "check_seconds"]

SPOKEN = "1"  # of the protocol
PATIENCE = 2.0  # seconds that an engine has to leave after its input ended
PAUSE = 0.1  # seconds before the next try to reach a server that is gone, doubled every time
LONGEST = 1e9  # seconds

T = TypeVar("T")
Opener = Callable[[Connection], Awaitable[Link]]


class Upkeep:
    """The connection to an engine, whichever it is just now.

    Args:
        name: Of the engine, for sentences.
        opener: Makes a link.
        timeout: Seconds that making a connection may take.
        reconnect: Whether to make another one when it broke.
        patient: Whether the engine may take a while until it can be reached again, as a server does.

    Raises:
        InvalidOption: A value that is not allowed.
    """

    def __init__(self, name: str, opener: Opener, *, timeout: float, reconnect: bool, patient: bool) -> None:
        self.name = name
        self.timeout = check_seconds(timeout)
        if not isinstance(reconnect, bool):
            raise InvalidOption(
                f"reconnect cannot be {shown(reconnect)}; it is True or False.", given=reconnect
            )
        self.garbage = new_garbage()
        self.about: About | None = None
        self.options: dict[str, Any] = {}  # in force
        self.chosen: dict[str, Any] = {}  # what was set, for the next connection
        self.closed = False
        self._opener = opener
        self._reconnect = reconnect
        self._patient = patient
        self._pid = os.getpid()
        self._loop = asyncio.get_running_loop()
        self._making = asyncio.Lock()  # held while a connection is made
        self._connection = Connection(name, self.garbage)

    @property
    def alive(self) -> bool:
        """Whether there is a connection now."""
        return not self.closed and self._connection.ending is None and self._connection.link is not None

    async def start(self) -> None:
        """Makes the first connection."""
        async with self._making:
            await self._open(self.timeout)

    async def served(self, doing: str, act: Callable[[Connection], Awaitable[T]]) -> T:
        """What `act` gives on a living connection; on a new one, once, if the old one dies meanwhile."""
        connection = await self._connected(doing)
        try:
            return await act(connection)
        except EngineDied:
            if self.closed or not self._reconnect:
                raise
        return await act(await self._connected(doing))

    async def close(self) -> None:
        """Says goodbye and waits until it is gone; whoever waits for an answer hears that there will be none."""
        if self.closed or os.getpid() != self._pid:
            return
        self.closed = True  # a connection that is just being made gives up
        async with self._making:
            connection = self._connection
        connection.post("quit", {})
        if connection.link is not None:
            await connection.link.close(PATIENCE)
        if connection.ending is None:
            connection.lost(Ending("was closed"))

    async def _connected(self, doing: str) -> Connection:
        self._check()
        if self._connection.ending is not None:
            async with self._making:
                if not self._reconnect:
                    raise self._connection.died(doing)
                if self._connection.ending is not None:
                    await self._reopen()
        return self._connection

    async def _reopen(self) -> None:
        """Another connection; a server that is just starting anew is waited for."""
        until, pause = self._loop.time() + self.timeout, PAUSE
        while True:
            self._check()
            try:
                await self._open(max(PAUSE, until - self._loop.time()))
            except EngineDied:
                if not self._patient or self._loop.time() + pause > until:
                    raise
                await asyncio.sleep(pause)
                pause *= 2
            else:
                return

    async def _open(self, timeout: float) -> None:
        connection = Connection(self.name, self.garbage)
        try:
            async with asyncio.timeout(timeout):
                connection.link = await self._opener(connection)
                await self._greet(connection, timeout)
            self._check()  # it may have been closed meanwhile
        except BaseException as error:
            if connection.link is not None:
                await connection.link.close(0)
            if isinstance(error, TimeoutError):
                raise EngineTimeout(
                    f"The engine {self.name} could not be reached within {timeout:g} s."
                ) from None
            raise
        self._connection = connection

    async def _greet(self, connection: Connection, timeout: float) -> None:
        from kibitz import __version__

        hello = {"protocol": SPOKEN, "client": f"kibitz {__version__}"}
        about = about_of(await connection.request("hello", hello, timeout))
        if about.protocol.partition(".")[0] != SPOKEN:
            raise EngineBreach(
                f"The engine {self.name} speaks protocol {shown(about.protocol)}; this client speaks {SPOKEN}.",
                given=about.protocol,
                allowed=(SPOKEN,),
            )
        connection.line_bytes = about.limits.get("line_bytes", connection.line_bytes)
        try:
            self.options = await connection.request("set", self.chosen, timeout)
        except EngineFault:
            if self.chosen:
                raise
            self.options = {}  # an engine that has nothing to set
        self.about = about

    def _check(self) -> None:
        """Refuses what could only hang."""
        if os.getpid() != self._pid:
            raise EngineError(
                f"This engine was opened by process {self._pid} and cannot be used by {os.getpid()}, which was forked "
                "from it; open another one here."
            )
        if asyncio.get_running_loop() is not self._loop:
            raise EngineError("This engine belongs to another event loop; open another one in this one.")
        if self.closed:
            raise EngineDied(f"The engine {self.name} was closed.")


def check_seconds(timeout: object) -> float:
    """A timeout as it is.

    Raises:
        InvalidOption: No number above 0.
    """
    return positive("timeout", timeout, most=LONGEST)
