"""The client of the bot protocol: an engine in another process, or behind a WebSocket, as an object.

`Engine` is for plain code, `AsyncEngine` for asyncio; the first runs the second on a thread of its own.
See docs/client.md.
"""

from kibitz.client.analyses import AsyncAnalysis
from kibitz.client.asynchronous import AsyncEngine
from kibitz.client.errors import EngineBreach, EngineDied, EngineError, EngineFault, EngineTimeout
from kibitz.client.limits import Limit
from kibitz.client.plain_sessions import EngineAnalysis, Session
from kibitz.client.results import About, Best, Info, MoveRow, Standing
from kibitz.client.sessions import AsyncSession
from kibitz.client.synchronous import Engine

__all__ = [
    "About",
    "AsyncAnalysis",
    "AsyncEngine",
    "AsyncSession",
    "Best",
    "Engine",
    "EngineAnalysis",
    "EngineBreach",
    "EngineDied",
    "EngineError",
    "EngineFault",
    "EngineTimeout",
    "Info",
    "Limit",
    "MoveRow",
    "Session",
    "Standing",
]
