"""At the door, before any route: who may come in, what every answer carries, and what the log may know.

Everything but the page, the reference and /healthz wants the token, if there is one: a path must be named here to be
open. A browser may come from the server's own pages and from the origins that were named, and only by a name that is
the server's (else a web site could point its own name at this machine and talk to it: DNS rebinding).
"""

import hashlib
import hmac
import logging
import traceback
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from secrets import token_hex
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.errors import printable, shown
from kibitz.protocol.faults import Fault
from kibitz.server.replies import error_response
from kibitz.server.settings import ServerSettings

__all__ = ["SUBPROTOCOL", "TOKEN_SUBPROTOCOL", "Guard", "log", "report", "shown_path"]

log = logging.getLogger("kibitz.server")

SUBPROTOCOL = "kibitz.1"
"""Spoken on the WebSocket; a client need not name it unless it sends its token as a subprotocol."""
TOKEN_SUBPROTOCOL = "kibitz.token."
"""Before the token in URL-safe Base64 without padding: a browser cannot set headers of a WebSocket."""

OPEN_PATHS = ("/", "/healthz", "/docs", "/openapi.json")
OPEN_FOLDERS = ("/page/", "/docs/")

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

LONGEST_SEGMENT = 16  # of a path in the log; a table's id is longer, and who knows it may play there
KEPT_OF_ID = 6


class Guard:
    """The outermost part of the app.

    Args:
        app: What is behind it.
        settings: Who may come in.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._token = None if settings.token is None else _digest(settings.token.encode("ascii"))
        named = {name.lower().strip("[]") for name in settings.allowed_hosts}
        own = (
            {"localhost", "127.0.0.1", "::1", settings.host.lower().strip("[]")}
            if settings.loopback
            else set()
        )
        self._hosts = named | own if named or own else None  # None: any

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began = monotonic()
        answered = _Answered(scope, send)
        try:
            self._check(scope)
            await self._app(scope, receive, answered)
        except Fault as fault:
            await answered.refuse(fault, receive)
        except Exception as error:  # noqa: BLE001  the last place to turn a bug into an answer
            await answered.refuse(report(error, reveal=self._settings.log_hands), receive)
        finally:
            method = "WS" if scope["type"] == "websocket" else scope["method"]
            ms = (monotonic() - began) * 1000
            log.info("%s %s %d %.1f ms", printable(method), shown_path(scope["path"]), answered.status, ms)

    def _check(self, scope: Scope) -> None:
        """Refuses who may not come in.

        Raises:
            Fault: forbidden, unauthorized.
        """
        headers = Headers(scope=scope)
        if self._hosts is not None and _host_name(headers.get("host", "")) not in self._hosts:
            raise Fault(
                "forbidden",
                f"This server is not called {shown(headers.get('host', ''))}. If it should be, start it with "
                "--allow-host and that name.",
                field="Host",
            )
        self._check_origin(headers)
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self._token is None or path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return
        given = _token_of(scope, headers)
        if given is None or not hmac.compare_digest(_digest(given), self._token):
            what = "missing" if given is None else "not the server's"
            raise Fault(
                "unauthorized",
                f"The token is {what}; send it as 'Authorization: Bearer <token>'.",
                field="Authorization",
            )

    def _check_origin(self, headers: Headers) -> None:
        """Refuses a browser that comes from somebody else's page."""
        origins = headers.getlist("origin")
        for origin in origins:
            own = urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
            if not own and origin.lower() not in {
                each.lower().rstrip("/") for each in self._settings.allowed_origins
            }:
                raise Fault(
                    "forbidden",
                    f"Pages of {shown(origin)} may not use this server. If they should, start it with --allow-origin.",
                    field="Origin",
                )


class _Answered:
    """Passes messages on with the headers that all answers have, and remembers the status."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self.status = 0  # nothing was answered: the client left
        self._begun = False

    async def __call__(self, message: Message) -> None:
        kind = message["type"]
        if kind in ("http.response.start", "websocket.http.response.start"):
            self._begun, self.status = True, message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        elif kind == "websocket.accept":
            self._begun, self.status = True, 101
        elif kind == "websocket.close" and not self._begun:
            self._begun, self.status = True, 403
        await self._send(message)

    async def refuse(self, fault: Fault, receive: Receive) -> None:
        """Answers with an error, unless an answer has begun; then the connection ends, which the client sees."""
        if self._begun:
            return
        if self._scope["type"] == "http":
            await error_response(fault)(self._scope, receive, self)
        elif "websocket.http.response" in self._scope.get("extensions", {}):
            await error_response(fault)(
                self._scope, receive, self
            )  # starlette names the messages by the scope
        else:
            await self({"type": "websocket.close", "code": 1008})


def report(error: BaseException, *, reveal: bool) -> Fault:
    """A bug, as the client is told of it: by a number that the log has too.

    The log says where it happened. What the exception says may name cards, so it is left out unless `reveal`.
    """
    number = token_hex(4)
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames)
    )
    said = f": {printable(str(error))}" if reveal else ""
    log.error("internal fault %s: %s%s at %s", number, type(error).__name__, said, where)
    return Fault(
        "internal", f"The server has a fault; it is in the log as report {number}.", more={"report": number}
    )


def shown_path(path: str) -> str:
    """A path for the log: long parts, such as the id of a table, are cut.

    >>> shown_path("/v1/tables/q8Zk3bUo1x5s7w9yAbCdEf/moves")
    '/v1/tables/q8Zk3b…/moves'
    """
    parts = [
        part if len(part) <= LONGEST_SEGMENT else part[:KEPT_OF_ID] + "…" for part in path.split("/")[:8]
    ]
    return printable("/".join(parts))


def _digest(token: bytes) -> bytes:
    """Of one length for all tokens, so that comparing takes the same time for any."""
    return hashlib.sha256(token).digest()


def _token_of(scope: Scope, headers: Headers) -> bytes | None:
    """The token that a client shows: in the header, or on a WebSocket among the subprotocols."""
    word, _, token = headers.get("authorization", "").partition(" ")
    if word.lower() == "bearer" and token.strip():
        return token.strip().encode("latin-1", "replace")
    for name in scope.get("subprotocols", ()):
        if name.startswith(TOKEN_SUBPROTOCOL):
            text = name.removeprefix(TOKEN_SUBPROTOCOL)
            try:
                return urlsafe_b64decode(text + "=" * (-len(text) % 4))
            except (Base64Error, ValueError):
                return b""
    return None


def _host_name(header: str) -> str:
    """The name in a Host header, without port and brackets.

    >>> _host_name("LocalHost:8765"), _host_name("[::1]:8765"), _host_name("::1")
    ('localhost', '::1', '::1')
    """
    name = header.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name if name.count(":") > 1 else name.partition(":")[0].rstrip(".")
