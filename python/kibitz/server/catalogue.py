"""The games that the server offers, with their facts and the shipped examples."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from kibitz import _core
from kibitz.errors import KibitzError
from kibitz.game import Game, games
from kibitz.protocol.faults import fault_of

__all__ = ["game_facts", "game_list"]

SHIPPED = Path(__file__).parents[1] / "examples"
LINE_FACTS = ("slug", "name", "summary", "players", "default_players", "open", "cooperative")


@cache
def game_list() -> dict[str, Any]:
    """All games, a line each.

    >>> [game["name"] for game in game_list()["games"] if game["slug"] == "kami"]
    ['Kami']
    """
    return {"games": [{name: _core.info(slug)[name] for name in LINE_FACTS} for slug in games()]}


def game_facts(slug: str) -> dict[str, Any]:
    """All facts of a game that do not hang on options, and the shipped positions and records of it.

    Raises:
        Fault: unknown_game.
    """
    try:
        return Game(slug).info | {"examples": _examples(slug)}
    except KibitzError as error:
        raise fault_of(error, "unknown_game", field="slug") from None


@cache
def _examples(slug: str) -> list[dict[str, str]]:
    """The shipped examples that are one position or record each."""
    shipped = json.loads((SHIPPED / "index.json").read_text("utf-8"))
    return [
        {"name": each["name"], "about": each["about"], "text": (SHIPPED / each["file"]).read_text("utf-8")}
        for each in shipped
        if each["game"] == slug and not each["file"].endswith(".jsonl")
    ]
