"""How a server is set up: where it listens, who may come in, and how much it takes on."""

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Any, Self

from kibitz.errors import InvalidOption, shown
from kibitz.given import positive, whole

__all__ = ["TOKEN_VARIABLE", "ServerSettings", "is_loopback"]

TOKEN_VARIABLE = "KIBITZ_TOKEN"
LEAST_TOKEN = 8  # characters
LEAST_BODY, MOST_BODY = 1 << 10, 1 << 20  # bytes; a document may have no more (kibitz.documents.MAX_BYTES)
MOST_SECONDS = 86_400.0


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What `kibitz serve` is told, checked.

    Args:
        host: Address to listen on; anything but loopback needs a token or `no_token`.
        port: 0 for a free one.
        token: What clients must show as `Authorization: Bearer <token>`; None to let everybody in who can connect.
        no_token: Says that an address that others can reach is meant to be open.
        workers: Short searches at once, over HTTP, WebSockets and tables together (`kibitz.protocol.work`); None for
            two a processor.
        queue: Requests that may wait for a worker; more are answered with 503.
        max_body: Bytes of a request body or WebSocket message.
        max_ms: Milliseconds that one stateless search, or one move of a bot, may take at most.
        max_tables: Tables against bots; a new one above that takes the place of the one left alone longest.
        max_connections: Open connections; more are answered with 503.
        body_seconds: In which a request must have arrived.
        poll_seconds: How long a request waits for news of a table.
        idle_seconds: After which a table that nobody asks for, or a WebSocket that says nothing, is dropped.
        allowed_hosts: Names by which the server may be called; none: on loopback its own names, elsewhere all.
        allowed_origins: Web origins besides the server's own from which browsers may come, such as
            "https://club.example".
        open_seeds: Whether a client may choose the seed of a table. Who knows the seed can deal the same cards
            elsewhere and read all hands, so this is for tests and exercises.
        log_hands: Whether request bodies and messages, which have hands and moves, go into the log.

    Raises:
        InvalidOption: A value that is not allowed, or an open address without a token.

    >>> ServerSettings(port=0).loopback
    True
    >>> ServerSettings(host="0.0.0.0")
    Traceback (most recent call last):
    kibitz.errors.InvalidOption: host '0.0.0.0' can be reached by others, and there is no token: set KIBITZ_TOKEN, \
or say --no-token if everybody may come in.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    no_token: bool = False
    workers: int | None = None
    queue: int = 32
    max_body: int = MOST_BODY
    max_ms: int = 60_000
    max_tables: int = 200
    max_connections: int = 500
    body_seconds: float = 10
    poll_seconds: float = 20
    idle_seconds: float = 3600
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    open_seeds: bool = False
    log_hands: bool = False

    def __post_init__(self) -> None:
        host: object = self.host
        if not isinstance(host, str) or not host.strip() or not host.isprintable():
            raise InvalidOption(
                f"host cannot be {shown(self.host)}; it is an address or a name.", given=self.host
            )
        whole("port", self.port, least=0, most=65_535)
        if self.workers is not None:
            whole("workers", self.workers, least=1, most=256)
        whole("queue", self.queue, least=1, most=10_000)
        whole("max_body", self.max_body, least=LEAST_BODY, most=MOST_BODY)
        whole("max_ms", self.max_ms, least=1, most=3_600_000)
        whole("max_tables", self.max_tables, least=1, most=100_000)
        whole("max_connections", self.max_connections, least=1, most=100_000)
        for name in ("body_seconds", "poll_seconds", "idle_seconds"):
            positive(name, getattr(self, name), most=MOST_SECONDS)
        for name in ("allowed_hosts", "allowed_origins"):
            _check_names(name, getattr(self, name))
        _check_token(self.token)
        if self.token is None and not self.no_token and not self.loopback:
            raise InvalidOption(
                f"host {shown(self.host)} can be reached by others, and there is no token: set {TOKEN_VARIABLE}, "
                "or say --no-token if everybody may come in.",
                given=self.host,
                allowed=("127.0.0.1", "::1", "localhost"),
            )

    @classmethod
    def from_environment(cls, **given: Any) -> Self:
        """Settings with the token that stands in the environment, an empty one being none."""
        return cls(token=os.environ.get(TOKEN_VARIABLE) or None, **given)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can connect."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own and nobody else's.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _check_token(token: object) -> None:
    """Refuses a token that no header can carry or that is too short to keep anybody out; it is never shown."""
    if token is None:
        return
    if (
        not isinstance(token, str)
        or len(token) < LEAST_TOKEN
        or not token.isascii()
        or not token.isprintable()
        or " " in token
    ):
        raise InvalidOption(
            f"The token is not fit for use: it has at least {LEAST_TOKEN} characters, plain ASCII, no spaces. "
            'For example: python -c "import secrets; print(secrets.token_urlsafe())"'
        )


def _check_names(name: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(each, str) and each for each in value):
        raise InvalidOption(f"{name} cannot be {shown(value)}; it is a tuple of texts.", given=value)
