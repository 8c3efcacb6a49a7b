"""Reading a request: the body within its bounds of size and time, then as the model it must be."""

import asyncio
from collections.abc import Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from kibitz.documents import parse_json
from kibitz.errors import KibitzError, printable, shown
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.requests import checked_params
from kibitz.server.guard import log, shown_path
from kibitz.server.models import Request as Asked
from kibitz.server.settings import ServerSettings

__all__ = ["read_object", "read_query", "read_request"]

AnyAsked = TypeVar("AnyAsked", bound=Asked)

MOST_DIGITS = 9


async def read_object(request: Request, settings: ServerSettings) -> dict[str, Any]:
    """The JSON object that the body is.

    Raises:
        Fault: unsupported_media_type, too_large, slow_body, parse.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if (
        kind != "application/json"
    ):  # also what keeps other sites' forms out: browsers ask before they send JSON
        raise Fault(
            "unsupported_media_type",
            f"The body is {shown(kind) if kind else 'of no named type'}; send JSON and say "
            "'Content-Type: application/json'.",
            given=kind,
            allowed=["application/json"],
        )
    try:
        async with asyncio.timeout(settings.body_seconds):
            body = await _body(request, settings.max_body)
    except TimeoutError:
        raise Fault(
            "slow_body", f"The body did not arrive within {settings.body_seconds:g} seconds."
        ) from None
    if settings.log_hands:
        log.info("%s < %s", shown_path(request.url.path), printable(body.decode("utf-8", "replace")))
    try:
        return parse_json(body)
    except KibitzError as error:
        raise fault_of(error, "parse") from None


async def read_request(request: Request, model: type[AnyAsked], settings: ServerSettings) -> AnyAsked:
    """The body as its model.

    Raises:
        Fault: As `read_object`, and unknown_param, bad_value.
    """
    name = f"{request.method} {getattr(request.scope.get('route'), 'path', '')}"
    found: AnyAsked = checked_params(model, name, await read_object(request, settings))
    return found


def read_query(query: Mapping[str, str], name: str) -> int | None:
    """A whole number among the parameters of the address, the only one that is allowed there.

    Raises:
        Fault: unknown_param, bad_value.
    """
    for other in query:
        if other != name:
            raise Fault(
                "unknown_param",
                f"The address has no parameter {shown(other)}; allowed: {name}.",
                field=other,
                allowed=[name],
            )
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise Fault(
            "bad_value",
            f"'{name}' cannot be {shown(text)}; it is a whole number from 0.",
            field=name,
            given=text,
        )
    return int(text)


async def _body(request: Request, most: int) -> bytes:
    """The body, counted as it comes: what its header says of its length is believed only where it is too much."""
    announced = request.headers.get("content-length", "")
    if (
        announced.isascii()
        and announced.isdecimal()
        and (len(announced) > MOST_DIGITS or int(announced) > most)
    ):
        raise _too_large(most)
    found = bytearray()
    try:
        async for chunk in request.stream():
            found += chunk
            if len(found) > most:
                raise _too_large(most)
    except ClientDisconnect:
        raise Fault("slow_body", "The connection ended before the body did.") from None
    return bytes(found)


def _too_large(most: int) -> Fault:
    return Fault("too_large", f"The body is larger than {most:,} bytes, which is all that is read.")
