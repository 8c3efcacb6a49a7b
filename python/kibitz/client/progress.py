"""Requests that take long and tell how far they are."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from kibitz.client.connection import Connection
from kibitz.client.errors import EngineTimeout

__all__ = ["Told", "long_request"]

Told = Callable[[int, int], object]
"""Is told how much is done, and of how much."""


async def long_request(
    connection: Connection, method: str, params: Mapping[str, Any], told: Told | None, patience: float
) -> dict[str, Any]:
    """The result of a request with `progress`; so many seconds may pass between two tellings.

    Raises:
        EngineTimeout: Nothing was told for too long.
        EngineFault, EngineBreach, EngineDied: There is no result.
        Exception: Whatever `told` raises; the result is then not waited for.
    """
    steps: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    call = connection.begin(method, params, lambda _, step: steps.put_nowait(step))
    try:
        while not call.reply.done() or not steps.empty():
            getting = asyncio.ensure_future(steps.get())
            try:
                either: list[asyncio.Future[Any]] = [call.reply, getting]
                await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            finally:
                getting.cancel()  # without effect when it is done
            if getting.done() and not getting.cancelled():
                _tell(getting.result(), told)
            elif not call.reply.done():
                raise EngineTimeout(
                    f"The engine {connection.name} told nothing of {method!r} for {patience:g} s."
                )
        return await connection.finish(call, patience)
    finally:
        connection.drop(call)


def _tell(step: Mapping[str, Any], told: Told | None) -> None:
    done, of = step.get("done"), step.get("of")
    if told is not None and isinstance(done, int) and isinstance(of, int):
        told(done, of)
