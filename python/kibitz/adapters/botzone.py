"""A Botzone bot: one JSON object in, one out, and the whole game is told anew each time.

    {"requests": [{"game":"kami","options":{},"seat":0,"start":{...},"events":[...]}, {"events":[...]}, ...],
     "responses": ["d3", ...]}

The first request says what the seat knew at the start. The `events` of each are what happened since the one before, as
the seat sees it, without its own answer to that, which stands in `responses`.
"""

import json
import sys
from collections.abc import Mapping
from typing import IO, Any

from kibitz.bot import Player, as_player
from kibitz.documents import parse_json
from kibitz.errors import InvalidPosition, shown
from kibitz.game import Game
from kibitz.settings import must_decide

__all__ = ["main", "respond"]


def respond(call: str | bytes | Mapping[str, Any], bot: Player) -> dict[str, str]:
    """The answer to one call; a `KibitzError` if it is none, does not fit, or another is to act.

    >>> first = {"game": "tic_tac_toe", "seat": 0, "start": {}, "events": []}
    >>> call = {"requests": [first, {"events": ["1:b2"]}], "responses": ["a1"]}
    >>> respond(call, lambda view: view.legal()[-1])
    {'response': 'c3'}
    """
    told = call if isinstance(call, Mapping) else parse_json(call)
    requests, said = told.get("requests"), told.get("responses") or []
    if not isinstance(requests, list) or not isinstance(said, list) or len(requests) != len(said) + 1:
        raise InvalidPosition("A call has a list of requests, and one of responses that is one shorter.")
    for number, each in enumerate(requests):
        needed = ("events",) if number else ("game", "seat", "start", "events")
        whole = isinstance(each, Mapping) and set(needed) <= set(each) and isinstance(each["events"], list)
        if not whole:
            raise InvalidPosition(f"requests[{number}] cannot be {shown(each)}; it needs {needed}.")
    first = requests[0]
    record = list(first["events"])
    for move, request in zip(said, requests[1:], strict=True):
        own = f"{shown(first['seat'])}:{move}" if isinstance(move, str) else move
        record += [own, *request["events"]]
    game = Game(first["game"], first.get("options"))
    view = game.view(seat=first["seat"], start=first["start"], record=record)
    must_decide(view)
    return {"response": as_player(bot).act(view)}


def main(bot: Player, *, lines: IO[str] | None = None, out: IO[str] | None = None) -> None:
    """Reads a call, one line, from standard input and writes the answer."""
    text = json.dumps(respond((lines or sys.stdin).readline(), bot))
    print(text, file=out or sys.stdout, flush=True)
