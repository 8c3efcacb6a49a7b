"""Event lists in the style of mjai: JSON objects with a `type`, given as they come; one is given back.

{"type":"start_game","id":0,"game":"kami","options":{},"start":{"hand":"11113477","first":1}}
{"type":"move","actor":1,"move":"-"}        a decision, own ones included, as seat `id` sees it
{"type":"chance","outcome":"points 3"}      what chance did
{"type":"end_game"}
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.bot import Player, as_player
from kibitz.documents import parse_json
from kibitz.errors import InvalidPosition, shown
from kibitz.game import Game
from kibitz.view import View

__all__ = ["MjaiBot"]

NEEDED = {"start_game": "id game start", "move": "actor move", "chance": "outcome", "end_game": ""}


class MjaiBot:
    """A player that hears events and answers with one, `{"type": "none"}` while another is to act.

    >>> bot = MjaiBot(lambda view: view.legal()[0])
    >>> bot.react('{"type":"start_game","id":0,"game":"tic_tac_toe","start":{}}')
    '{"type": "move", "actor": 0, "move": "a1"}'
    """

    def __init__(self, bot: Player) -> None:
        self._bot = as_player(bot)
        self.view: View | None = None  # all it remembers; None outside a game

    def react(self, events: str | Sequence[Mapping[str, Any]]) -> str:
        """Takes what is new, JSON lines or objects, all or nothing; gives its answer as a JSON line."""
        view = self.view
        for each in events.strip().split("\n") if isinstance(events, str) else events:
            view = _after(view, parse_json(each) if isinstance(each, str) else each)
        self.view = view
        if view is None or view.turn != view.seat:
            return json.dumps({"type": "none"})
        return json.dumps({"type": "move", "actor": view.seat, "move": self._bot.act(view)})


def _after(view: View | None, event: Any) -> View | None:
    told = event if isinstance(event, Mapping) else {}
    kind = told.get("type") if isinstance(told.get("type"), str) else None
    text = told.get("move" if kind == "move" else "outcome", "")
    if not set(NEEDED.get(kind or "", "type?").split()) <= set(told) or not isinstance(text, str):
        raise InvalidPosition(f"{shown(event)} is no event; types and what they need: {NEEDED}.", given=event)
    if kind == "start_game":
        return Game(told["game"], told.get("options")).view(seat=told["id"], start=told["start"])
    if view is None:
        raise InvalidPosition(f"{shown(kind)} comes before 'start_game'.", given=event)
    if kind == "end_game":
        return None
    return view.observe(f"{shown(told['actor'])}:{text}" if kind == "move" else f"*:{text}")
