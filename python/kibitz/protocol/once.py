"""The stateless call: a position and limits in, a move and its reasons out. Behind `POST /v1/best`."""

from typing import Any

from pydantic import Field

from kibitz.errors import KibitzError
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.messages import (
    Events,
    GoParams,
    Name,
    NewParams,
    Object,
    Options,
    Params,
    SearchParams,
    Seat,
    Seed,
    ViewParams,
)
from kibitz.protocol.opening import new_session, viewed_session
from kibitz.protocol.requests import checked_params
from kibitz.protocol.sessions import Preferences
from kibitz.protocol.thinking import Halt, Thinking
from kibitz.protocol.work import Work

__all__ = ["OnceParams", "best_once"]


class OnceParams(Params):
    """A position as one seat knows it, by `view`, or by `seat`, `start` and `events`; and how long to think."""

    game: Name
    go: Object = Field(description="As for the protocol's go, without s, until, info_ms and ponder.")
    view: Object | None = None
    record: Events | None = None
    seat: Seat | None = None
    start: Object | None = None
    events: Events | None = None
    players: int | None = Field(None, ge=1, le=64)
    options: Options = Field({})
    search: SearchParams | None = None
    seed: Seed | None = None
    mask: bool = Field(False, description="Mask what the seat may not see instead of refusing it.")


def best_once(
    document: dict[str, Any],
    *,
    work: Work,
    arrived: float,
    halt: Halt | None = None,
    preferences: Preferences | None = None,
) -> dict[str, Any]:
    """What `go` answers, for a position given whole. Blocks until then.

    Args:
        document: As `OnceParams`.
        work: Where the place to search comes from.
        arrived: When the request came, in seconds of `time.monotonic`; limits count from there.
        halt: Ends it from another thread, as when the asker has gone.
        preferences: What `set` would set.

    Raises:
        Fault: As of `view` or `new`, and of `go`; overloaded, when the limit can't be kept.
    """
    params: OnceParams = checked_params(OnceParams, "best", document)
    refused = {"s", "until", "info_ms", "ponder"} & params.go.keys()
    if refused:
        name = min(refused)
        raise Fault(
            "unknown_param",
            f"best answers once: it has no 'go.{name}'. Nothing was searched.",
            field=f"go.{name}",
            allowed=sorted(set(GoParams.model_fields) - {"s", "until", "info_ms", "ponder"}),
        )
    go: GoParams = checked_params(GoParams, "go", dict(params.go))
    chosen = (preferences or Preferences()).changed({"mask": params.mask})
    common: dict[str, Any] = {
        "s": "once",
        "game": params.game,
        "players": params.players,
        "options": params.options,
        "search": params.search,
        "seed": params.seed,
    }
    if params.view is not None:
        _only(params, "view", ("seat", "start", "events"))
        session = viewed_session(ViewParams(view=params.view, record=params.record, **common), chosen)
    elif params.seat is None or params.start is None:
        raise Fault(
            "bad_value",
            "best needs 'view', or 'seat' and 'start' with 'events'.",
            field="view",
            allowed=["view", "start"],
        )
    else:
        _only(params, "start", ("record",))
        new = NewParams(seat=params.seat, start=params.start, events=params.events or [], **common)
        session, warnings = new_session(new, chosen)
        session.warnings += warnings
    try:
        return Thinking(session, go, arrived, work, halt or Halt(), refuse=True).answer().result
    except KibitzError as error:
        raise fault_of(error, "bad_value") from None


def _only(params: OnceParams, given: str, others: tuple[str, ...]) -> None:
    for name in others:
        if getattr(params, name) is not None:
            raise Fault(
                "bad_value", f"best: '{name}' does not go with '{given}'; give one or the other.", field=name
            )
