"""What the protocol answers with where it cannot do what was asked: a kind, a sentence, and what would be allowed."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from kibitz.errors import (
    IllegalMove,
    InvalidOption,
    KibitzError,
    TooMuch,
    UnknownGame,
    WrongActor,
    printable,
    shown,
)

__all__ = ["CODES", "KINDS", "Fault", "fault_of", "given_as_json"]

KINDS: Mapping[str, str] = {
    "parse": "The line is no JSON object that can be read.",
    "invalid_request": "JSON, but no request.",
    "unknown_method": "No method of that name; the nearest is offered.",
    "unknown_param": "A parameter that the method does not have.",
    "bad_value": "A parameter that is missing, of the wrong type or out of range.",
    "hello_first": "Something else came before hello.",
    "unsupported_protocol": "A version that is not spoken.",
    "unknown_game": "A name that is no game's.",
    "invalid_option": "An option of the game or of the search that is not allowed.",
    "unknown_session": "No session of that name.",
    "session_exists": "new without replace, and the session is there.",
    "too_many_sessions": "No more sessions until one ends.",
    "too_many_events": "No more events in this session until some are taken back.",
    "invalid_start": "What the seat held at the start breaks a rule of the game.",
    "invalid_view": "A view or record that breaks a rule of the game or contradicts itself.",
    "wrong_actor": "Another seat, or chance, is to act.",
    "illegal_move": "Not legal for any hand that the seat may hold.",
    "inconsistent": "Legal in itself, but no deal agrees with it and with what this seat knows.",
    "too_much": "It tells this seat what it may not see.",
    "gap": "Events are missing before these.",
    "conflict": "Another event was accepted at this number.",
    "rules_mismatch": "The host's list of legal moves differs.",
    "not_to_move": "It is not this seat's turn.",
    "over": "The game is over.",
    "busy": "The session has a go that runs, or too much waits.",
    "no_limit": "go without ms, iterations, clock or until.",
    "cancelled": "end or quit came while the request ran.",
    "overloaded": "Too much is being searched to answer in time.",
    "internal": "A fault of the engine.",
}
"""Every kind of error, with what it says."""

CODES: Mapping[str, int] = {
    "parse": -32700,
    "invalid_request": -32600,
    "unknown_method": -32601,
    "unknown_param": -32602,
    "bad_value": -32602,
    "internal": -32603,
}
OWN_CODE = -32000  # of every other kind

MOST_GIVEN = 200  # characters of a value that is sent back


class Fault(Exception):
    """An error as the protocol sends it. Raising one changes nothing.

    Args:
        kind: One of `KINDS`.
        message: A full sentence.
        field: The parameter it is about, such as `"moves[2]"`.
        given: What was given; shortened when long.
        allowed: What would be allowed.
        rule: Where the rule stands that was broken.
        more: Further members of `data`.

    >>> Fault("gap", "Event 19 came, event 17 is next.", more={"expected": 17}).error()["data"]
    {'kind': 'gap', 'expected': 17}
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        field: str | None = None,
        given: object = None,
        allowed: Iterable[object] | None = None,
        rule: str | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(printable(message))
        self.kind = kind
        self.message = str(self.args[0])
        self.field = field
        self.given = given
        self.allowed = None if allowed is None else list(allowed)
        self.rule = rule
        self.more = dict(more or {})

    def error(self) -> dict[str, Any]:
        """The `error` member of a reply."""
        data: dict[str, Any] = {"kind": self.kind}
        if self.field is not None:
            data["field"] = self.field
        if self.given is not None:
            data["given"] = given_as_json(self.given)
        if self.allowed is not None:
            data["allowed"] = [given_as_json(each) for each in self.allowed]
        if self.rule is not None:
            data["rule"] = self.rule
        return {"code": CODES.get(self.kind, OWN_CODE), "message": self.message, "data": data | self.more}


def fault_of(error: KibitzError, kind: str, *, field: str | None = None) -> Fault:
    """An error of the package, of the kind that its class says, else of `kind`."""
    return Fault(
        _kind_of(error, kind),
        error.message,
        field=field,
        given=error.given,
        allowed=error.allowed or None,
        rule=error.rule,
    )


def given_as_json(value: object) -> Any:
    """A value that can be sent: short plain ones as they are, others described."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else shown(value)
    if isinstance(value, int):
        return value if abs(value) < 2**63 else shown(value)
    if isinstance(value, str):
        text = printable(value)
        return text if len(text) <= MOST_GIVEN else text[: MOST_GIVEN - 1] + "…"
    if (
        isinstance(value, list | tuple)
        and len(value) <= 64
        and all(isinstance(each, str | int) for each in value)
    ):
        return [given_as_json(each) for each in value]
    return shown(value, width=MOST_GIVEN)


def _kind_of(error: KibitzError, kind: str) -> str:
    for of, name in _KINDS_OF.items():
        if isinstance(error, of):
            return name
    return kind


_KINDS_OF: Mapping[type[KibitzError], str] = {
    UnknownGame: "unknown_game",
    InvalidOption: "invalid_option",
    WrongActor: "wrong_actor",
    TooMuch: "too_much",
    IllegalMove: "illegal_move",
}
