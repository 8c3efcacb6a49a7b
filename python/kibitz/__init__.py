"""kibitz says the strongest move in games with hidden information, from what one seat may know, and why.

>>> import kibitz
>>> table = kibitz.load("kami").deal(seed=7)
>>> best = kibitz.best_move(table.view(), iterations=200, seed=1)
>>> table.play(best.move)
"""

from typing import TYPE_CHECKING, Any

from kibitz import games as _notations  # noqa: F401  loaded first, so that `games` is then the function below
from kibitz._core import Stop
from kibitz._core import build as _build
from kibitz.analysis import Analysis, Row, best_move
from kibitz.bot import Bot, FunctionBot, Player
from kibitz.campaign import Campaign
from kibitz.clock import Clock, ClockUse, RunningClock
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError, UnknownGame
from kibitz.evaluators import Evaluator, Leaves
from kibitz.game import Game, games, load, options_from_text
from kibitz.leads import Leads, leads
from kibitz.levels import level
from kibitz.live import Search
from kibitz.match_result import MatchResult
from kibitz.matches import match
from kibitz.odds import Odds, odds
from kibitz.position import read_position, read_tables
from kibitz.records import Record, Seated, read_records, write_records
from kibitz.reviews import Review, review
from kibitz.solving import Solution, SolvedMove, solve
from kibitz.sprt import Sprt
from kibitz.sweeps import Sweep, sweep
from kibitz.table import Table
from kibitz.tuning import Tuning
from kibitz.view import View

if TYPE_CHECKING:
    from kibitz.client import (
        AsyncEngine,
        Engine,
        EngineBreach,
        EngineDied,
        EngineError,
        EngineFault,
        EngineTimeout,
        Limit,
    )

__all__ = [
    "Analysis",
    "AsyncEngine",
    "Bot",
    "Campaign",
    "Clock",
    "ClockUse",
    "Engine",
    "EngineBreach",
    "EngineDied",
    "EngineError",
    "EngineFault",
    "EngineTimeout",
    "Evaluator",
    "FunctionBot",
    "Game",
    "IllegalMove",
    "InvalidOption",
    "InvalidPosition",
    "KibitzError",
    "Leads",
    "Leaves",
    "Limit",
    "MatchResult",
    "Odds",
    "Player",
    "Record",
    "Review",
    "Row",
    "RunningClock",
    "Search",
    "Seated",
    "Solution",
    "SolvedMove",
    "Sprt",
    "Stop",
    "Sweep",
    "Table",
    "Tuning",
    "UnknownGame",
    "View",
    "__version__",
    "best_move",
    "games",
    "leads",
    "level",
    "load",
    "match",
    "odds",
    "options_from_text",
    "read_position",
    "read_records",
    "read_tables",
    "review",
    "solve",
    "sweep",
    "write_records",
]

__version__: str = _build()["version"]

_OF_CLIENT = (
    "AsyncEngine",
    "Engine",
    "EngineBreach",
    "EngineDied",
    "EngineError",
    "EngineFault",
    "EngineTimeout",
    "Limit",
)  # loaded when asked for: they bring asyncio


def __getattr__(name: str) -> Any:
    if name in _OF_CLIENT:
        from kibitz import client

        return getattr(client, name)
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
