"""Positions that the tests of the protocol share."""

import random
from typing import Any

import kibitz
from covers import Cover
from kibitz.game import Game
from kibitz.protocol.messages import SearchParams
from kibitz.protocol.sessions import Preferences, Session
from kibitz.table import Table

KAMI_START: dict[str, Any] = {"hand": "11113477", "first": 1, "totals": [0, 0]}
KAMI_TRUTH: dict[str, Any] = {"hands": ["11113477", "12344568", "11123368", "11224555"], "first": 1}
KAMI_EVENTS = ["1:-", "2:-", "3:-", "0:-", "1:dx", "1:a4", "2:p", "3:p"]  # then seat 0 decides
KAMI_LEGAL = ["p", "d4"]
KAMI: dict[str, Any] = {
    "game": "kami",
    "players": 4,
    "options": {"victory": "soldier"},
    "seat": 0,
    "start": KAMI_START,
    "seed": 7,
}
CREW: dict[str, Any] = {
    "game": "thecrew",
    "players": 4,
    "options": {"mission": 2, "distress": "off"},
    "seat": 2,
    "start": {"hand": ["B2", "B5", "B7", "G4", "G8", "P3", "P9", "R1", "R4", "Y6"], "commander": 2},
    "seed": 1,
}
TIC: dict[str, Any] = {"game": "tic_tac_toe", "seat": 0, "start": {}}


def kami(events: int = len(KAMI_EVENTS), **changed: Any) -> dict[str, Any]:
    """Parameters of `new` after so many events; after all of them it is the seat's turn."""
    return KAMI | {"events": KAMI_EVENTS[:events]} | changed


RECORD: dict[str, Any] = {"start": KAMI_TRUTH, "record": ["1:-", "2:-", "3:-", "0:-", "1:d3", "1:a4"]}
FORCED: dict[str, Any] = {"start": KAMI_START | {"hand": "11113377"}}  # no 4: only a pass answers the attack
MOST_EVENTS = 160  # of a table; the longest games are cut


def session_of(start: dict[str, Any] | None = None, **preferences: Any) -> Session:
    game = kibitz.load("kami", victory="soldier")
    view = game.view(seat=0, start=start or KAMI["start"], record=kami()["events"])
    return Session("t", view, search=SearchParams(), preferences=Preferences(**preferences))


def game_of(cover: Cover) -> Game:
    return Game(cover.slug, dict(cover.options))


def played(game: Game, seed: int, most: int = MOST_EVENTS, *, blank: bool = False) -> Table:
    """A table after random moves, to the end of the game or some way into it; `blank`: from before the deal."""
    rng = random.Random(f"{game!r}{seed}")
    table = game.blank(seed=seed, chance="auto") if blank else game.deal(seed=seed)
    while isinstance(table.turn, int) and len(table.record) < most:
        table.play(rng.choice(table.legal()))
    return table


def opening(table: Table, seat: int, **more: Any) -> dict[str, Any]:
    """Parameters of `new` for a seat at a table before the first event."""
    game, view = table.game, table.view(seat=seat)
    return {"game": game.slug, "options": game.options, "seat": seat, "start": view.start} | more
