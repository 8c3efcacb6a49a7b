"""How the server answers: JSON, and for each kind of error the status that HTTP has for it."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from kibitz.protocol.faults import Fault

__all__ = ["HTTP_KINDS", "JsonResponse", "error_response", "not_found", "status_of"]

HTTP_KINDS: Mapping[str, tuple[int, str]] = {
    "unauthorized": (401, "The token is missing or another one."),
    "forbidden": (403, "The server is not to be called by this name, or from this site."),
    "not_found": (404, "Nothing is here."),
    "unknown_table": (404, "No such table, or it was dropped."),
    "method_not_allowed": (405, "Another method is for this path."),
    "slow_body": (408, "The request did not arrive in time."),
    "stale": (409, "The table has gone on since the client looked at it."),
    "too_large": (413, "The body is larger than what is read."),
    "unsupported_media_type": (415, "The body is no JSON."),
}
"""Kinds of errors beyond those of the protocol, each with its status and what it says."""

_STATUS: Mapping[str, int] = {kind: status for kind, (status, _) in HTTP_KINDS.items()} | {
    "not_to_move": 409,
    "over": 409,
    "busy": 409,
    "conflict": 409,
    "internal": 500,
    "overloaded": 503,
    "cancelled": 503,
}  # every other kind: 400

WAIT_SECONDS = 1.0  # where it is not known better


class JsonResponse(Response):
    """JSON in plain ASCII, so that also half a surrogate pair can be sent; what is no JSON number is a bug."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def status_of(fault: Fault) -> int:
    """The HTTP status of an error.

    >>> status_of(Fault("illegal_move", "No.")), status_of(Fault("overloaded", "No."))
    (400, 503)
    """
    return _STATUS.get(fault.kind, 400)


def error_response(
    fault: Fault, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> JsonResponse:
    """The answer to what cannot be done; with another status than the kind's own where the path is what is wrong."""
    status = status_of(fault) if status is None else status
    more = dict(headers or {})
    if status == 503:
        more["Retry-After"] = str(max(1, round(float(fault.more.get("retry_after", WAIT_SECONDS)))))
    if status == 401:
        more["WWW-Authenticate"] = "Bearer"
    return JsonResponse({"error": fault.error()}, status_code=status, headers=more)


def not_found() -> Fault:
    """Nothing at this path."""
    return Fault(
        "not_found", "There is nothing at this path. GET /openapi.json lists what there is, /docs shows it."
    )
