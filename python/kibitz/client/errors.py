"""What can go wrong with an engine at the other end of a line."""

from collections.abc import Iterable, Mapping
from typing import Any

from kibitz.errors import KibitzError, shown

__all__ = ["EngineBreach", "EngineDied", "EngineError", "EngineFault", "EngineTimeout"]


class EngineError(KibitzError):
    """Base of what an engine's client raises beside `InvalidOption`."""


class EngineTimeout(EngineError):
    """No answer came in time. The engine may still be alive; a search that was under way was told to stop."""


class EngineBreach(EngineError):
    """The engine answered with something that the protocol does not allow, or came back with another state."""


class EngineDied(EngineError):
    """The process ended, or the connection broke, before the answer came.

    Attributes:
        status: Exit status of the process, negative for a signal; None for a connection or where none is known.
        stderr: The last lines that it wrote to stderr.
    """

    def __init__(self, message: str, *, status: int | None = None, stderr: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.stderr = tuple(stderr)


class EngineFault(EngineError):
    """The engine refused a request, and says why. Nothing was changed.

    Attributes:
        kind: What programs go by: `"illegal_move"`, `"gap"`, `"no_limit"`, and so on (docs/protocol.md).
        field: Which parameter, such as `"moves[4]"`; None where none is to blame.
        given: What it held.
        allowed: What it may hold.
        rule: The rule of the game that it breaks; None if none.
        code: The number that JSON-RPC has for the error.
        more: Whatever else the engine says of it, such as `expected`.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "",
        field: str | None = None,
        given: object = None,
        allowed: Iterable[object] = (),
        rule: str | None = None,
        code: int = 0,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, given=given, allowed=allowed, rule=rule)
        self.kind = kind
        self.field = field
        self.code = code
        self.more = dict(more or {})


def fault_of(error: object) -> EngineError:
    """The exception for the `error` member of a reply; a breach if it is not one.

    >>> data = {"kind": "gap", "given": 19, "expected": 17}
    >>> fault = fault_of({"code": -32000, "message": "Event 19 came, event 17 is expected next.", "data": data})
    >>> fault.kind, fault.given, fault.more
    ('gap', 19, {'expected': 17})
    """
    if not isinstance(error, Mapping) or not isinstance(error.get("message"), str):
        return EngineBreach(f"The engine answered with an error that has no message: {shown(error)}.")
    data = error.get("data")
    more = dict(data) if isinstance(data, Mapping) else {}
    kind, field, rule = (_text(more.pop(name, None)) for name in ("kind", "field", "rule"))
    given, allowed = more.pop("given", None), more.pop("allowed", ())
    code = error.get("code")
    return EngineFault(
        error["message"],
        kind=kind or "",
        field=field,
        given=given,
        allowed=allowed if isinstance(allowed, list) else () if allowed in (None, ()) else (allowed,),
        rule=rule,
        code=code if isinstance(code, int) else 0,
        more=more,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
