"""Positions and records for the page: read, seen from one seat, stepped through. Plain functions, no server."""

import json
from collections.abc import Mapping
from typing import Any

from kibitz.errors import KibitzError
from kibitz.events import Turn, read_seat
from kibitz.position import read_position
from kibitz.protocol.faults import Fault, fault_of
from kibitz.scenes.scene import scene_of
from kibitz.server.models import MOST_FRAMES, FramesRequest, PositionRequest
from kibitz.table import Table
from kibitz.view import View

__all__ = ["frames", "position", "turn_dict"]


def position(asked: PositionRequest) -> dict[str, Any]:
    """A position as it was read, and as one seat sees it; what answers to `PositionRequest`.

    Raises:
        Fault: It cannot be read, or breaks a rule.
    """
    found = _read(asked.text, asked.game, asked.options)
    view = _seen(found, asked.seat)
    return {
        "kind": "table" if isinstance(found, Table) else "view",
        "document": found.to_dict(),
        "seat": view.seat,
        "view": view.to_dict(),
        "scene": scene_of(view).to_dict(),
        "turn": turn_dict(view),
        "legal": view.legal(),
        "record": found.to_dict() if isinstance(found, Table) else None,
    }


def frames(asked: FramesRequest) -> dict[str, Any]:
    """A record as one seat saw it, event by event; what answers to `FramesRequest`.

    Raises:
        Fault: It cannot be read or breaks a rule, or there are more frames than are sent at once.
    """
    text = asked.record if isinstance(asked.record, str) else json.dumps(asked.record)
    last = _seen(_read(text, asked.game, asked.options), asked.seat)
    record = last.record
    end = len(record) + 1 if asked.count is None else min(len(record) + 1, asked.first + asked.count)
    if end - asked.first > MOST_FRAMES:
        raise Fault(
            "bad_value",
            f"The record has {len(record):,} events; at most {MOST_FRAMES:,} frames are sent at once: ask for some, "
            "with 'first' and 'count'.",
            field="count",
            given=asked.count,
        )
    view = last if not record else last.game.view(seat=last.seat, start=last.start)
    found = []
    for n in range(end):
        event = record[n - 1] if n else None
        if event is not None:
            view = view.observe(event)
        if n >= asked.first:
            scene = scene_of(view).to_dict()
            found.append({"n": n, "event": event, "scene": scene, "turn": turn_dict(view)})
    return {"seat": last.seat, "game": last.game.slug, "events": len(record), "frames": found}


def turn_dict(view: View) -> dict[str, Any]:
    """Who is to act, as the protocol says it.

    >>> import kibitz
    >>> turn_dict(kibitz.load("tic_tac_toe").deal(seed=0).view(seat=1))
    {'by': 0}
    """
    turn: Turn = view.turn
    if turn is None:
        return {"by": None, "over": True}
    if turn == "chance":
        return {"by": "*"}
    return {"by": turn, "legal": view.legal()} if turn == view.seat else {"by": turn}


def _read(text: str, game: str | None, options: Mapping[str, Any]) -> View | Table:
    try:
        return read_position(text, game=game, options=options)
    except KibitzError as error:
        raise fault_of(error, "invalid_view") from None


def _seen(found: View | Table, seat: int | None) -> View:
    """What one seat sees of what was read: by default the one to decide, else the first."""
    try:
        if isinstance(found, Table):
            return found.view(
                seat=seat if seat is not None else found.turn if isinstance(found.turn, int) else 0
            )
        if seat is not None and read_seat(found.game.core, seat) != found.seat:
            raise Fault(
                "bad_value",
                f"The view is seat {found.seat}'s, not seat {seat}'s, and it cannot tell what seat {seat} knows.",
                field="seat",
                given=seat,
                allowed=[found.seat],
            )
        return found
    except KibitzError as error:
        raise fault_of(error, "bad_value", field="seat") from None
