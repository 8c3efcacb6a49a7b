"""Requests and replies over one link: ids, deadlines, notifications, and what is neither."""

import asyncio
import itertools
import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from kibitz.client.errors import EngineBreach, EngineError, EngineTimeout, fault_of
from kibitz.client.links import Ending, Link
from kibitz.errors import InvalidOption, printable, shown
from kibitz.given import as_number

__all__ = ["Call", "Connection", "Heard"]

KEPT = 20  # odd lines
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

Heard = Callable[[str, dict[str, Any]], None]
"""Is told the method and the content of a notification that belongs to a call."""

logger = logging.getLogger("kibitz.client")


class Call:
    """A request that was sent.

    Attributes:
        reply: The result or the error, when it comes; it never holds an exception that somebody would have to fetch.
        news: How many notifications came for it.
    """

    def __init__(self, number: int, method: str, heard: Heard | None) -> None:
        self.number = number
        self.method = method
        self.heard = heard
        self.news = 0
        self.reply: asyncio.Future[dict[str, Any] | EngineError] = asyncio.get_running_loop().create_future()


class Connection:
    """One conversation with an engine. Everything happens in the event loop's thread.

    Args:
        name: Of the engine, for sentences.
        garbage: Where lines that are no protocol are put.
    """

    def __init__(self, name: str, garbage: deque[str]) -> None:
        self.name = name
        self.ending: Ending | None = None
        self.line_bytes = 1 << 20  # until the engine says otherwise
        self.link: Link | None = None
        self._garbage = garbage
        self._numbers = itertools.count(1)
        self._calls: dict[int, Call] = {}
        self._dropped: deque[int] = deque(maxlen=10_000)  # nobody waits for these replies any more

    # ---- out ----

    def begin(self, method: str, params: Mapping[str, Any], heard: Heard | None = None) -> Call:
        """Sends a request. What is begun first is sent first.

        Raises:
            EngineDied: The link is gone.
            InvalidOption: The parameters cannot be sent.
        """
        if self.link is None or self.ending is not None:
            raise self.died(method)
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
        try:
            line = json.dumps(message, allow_nan=False, separators=(",", ":"), default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidOption(f"The parameters of {method} cannot be written as JSON: {error}.") from None
        if len(line) > self.line_bytes:
            raise InvalidOption(
                f"The parameters of {method} take {len(line):,} bytes; this engine reads lines of at most "
                f"{self.line_bytes:,}.",
                given=len(line),
                allowed=(self.line_bytes,),
            )
        call = self._calls[number] = Call(number, method, heard)
        self.link.send(line)
        return call

    async def finish(self, call: Call, timeout: float) -> dict[str, Any]:
        """The result of a request.

        Raises:
            EngineTimeout, EngineFault, EngineBreach, EngineDied: There is none.
        """
        try:
            async with asyncio.timeout(timeout):
                reply = await call.reply
        except TimeoutError:
            raise EngineTimeout(
                f"The engine {self.name} did not answer {call.method!r} within {timeout:g} s."
            ) from None
        finally:
            self.drop(call)
        if isinstance(reply, EngineError):
            raise reply
        return reply

    async def request(
        self, method: str, params: Mapping[str, Any], timeout: float, heard: Heard | None = None
    ) -> dict[str, Any]:
        """`begin`, then `finish`."""
        return await self.finish(self.begin(method, params, heard), timeout)

    def drop(self, call: Call) -> None:
        """Nobody waits for its reply any more; if it comes, it is no garbage."""
        if self._calls.pop(call.number, None) is not None:
            self._dropped.append(call.number)

    def post(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a request whose reply does not matter; nothing, if the link is gone."""
        if self.ending is None and self.link is not None:
            self.drop(self.begin(method, params))

    def died(self, method: str) -> EngineError:
        """The error for a request that has nobody to answer it."""
        ending = self.ending or Ending("is gone")
        return ending.error(self.name, f", so {method!r} has no answer")

    # ---- in ----

    def line(self, data: bytes) -> None:
        """A line from the engine."""
        if not data.strip():
            return
        try:
            message = json.loads(data)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._odd(data)
        elif "method" in message:
            self._notified(message, data)
        else:
            self._answered(message, data)

    def lost(self, ending: Ending) -> None:
        """The link is gone: everybody who waits hears it."""
        self.ending = ending
        calls, self._calls = self._calls, {}
        for call in calls.values():
            if not call.reply.done():
                call.reply.set_result(self.died(call.method))

    def _answered(self, message: dict[str, Any], data: bytes) -> None:
        number = message.get("id")
        unread = "id" in message and number is None and "error" in message
        if unread and len(self._calls) == 1:  # it could not read the id, but only one can be meant
            number = next(iter(self._calls))
        if not isinstance(number, int) or isinstance(number, bool):
            self._odd(data)
            return
        call = self._calls.pop(number, None)
        if call is None:
            if number in self._dropped:
                self._dropped.remove(number)
            else:
                self._odd(data)
            return
        if not call.reply.done():
            call.reply.set_result(_reply(message, call.method))

    def _notified(self, message: dict[str, Any], data: bytes) -> None:
        method, params = message["method"], message.get("params")
        if not isinstance(params, dict) or "id" in message:
            self._odd(data)
        elif method == "log":
            level = LEVELS.get(str(params.get("level")), logging.WARNING)
            logger.log(level, "engine %s: %s", self.name, printable(str(params.get("text"))[:1000]))
        elif method in ("info", "progress"):
            number = params.get("id")
            call = self._calls.get(number) if isinstance(number, int) else None
            if call is None:
                return  # late news of something that is over
            call.news += 1
            if call.heard is not None:
                self._tell(call.heard, method, params, data)

    def _tell(self, heard: Heard, method: str, params: dict[str, Any], data: bytes) -> None:
        try:
            heard(method, params)
        except EngineBreach:
            self._odd(data)

    def _odd(self, data: bytes) -> None:
        text = printable(data[:200].decode("utf-8", "replace"))
        self._garbage.append(text)
        logger.warning("engine %s wrote a line that is no protocol: %s", self.name, text)


def _reply(message: Mapping[str, Any], method: str) -> dict[str, Any] | EngineError:
    if "error" in message and "result" not in message:
        return fault_of(message["error"])
    result = message.get("result")
    if not isinstance(result, dict) or "error" in message:
        return EngineBreach(
            f"The engine answered {method!r} with {shown(dict(message))}.", given=dict(message)
        )
    return result


def _plain(value: object) -> object:
    """What JSON has no form for: numbers of other libraries, mappings, sets."""
    number = as_number(value)
    if number is not None:
        return number
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{shown(value)} has no form in JSON")


def new_garbage() -> deque[str]:
    """Room for the last odd lines."""
    return deque(maxlen=KEPT)
