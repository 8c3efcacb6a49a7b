"""The protocol behind a WebSocket on loopback, for tests: one host a connection, an optional bearer token."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from kibitz.protocol.host import Host


class SocketEngine:
    """A server on a port of its own."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._open: set[ServerConnection] = set()
        self._server: Server = serve(self._talk, "127.0.0.1", 0, process_request=self._admit)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/v1/ws"

    def drop(self) -> None:
        """Breaks all connections, as a restart does."""
        for connection in list(self._open):
            connection.close(1012, "restart")

    def close(self) -> None:
        self.drop()
        self._server.shutdown()
        self._thread.join()

    def _admit(self, connection: ServerConnection, request: Any) -> Any:
        if self._token is not None and request.headers.get("Authorization") != f"Bearer {self._token}":
            return connection.respond(HTTPStatus.UNAUTHORIZED, "no\n")
        return None

    def _talk(self, connection: ServerConnection) -> None:
        def send(line: str) -> None:
            try:
                connection.send(line)
            except ConnectionClosed:
                return

        host = Host(send)
        self._open.add(connection)
        try:
            while not host.closed:
                host.receive(connection.recv())
        except ConnectionClosed:
            pass
        finally:
            self._open.discard(connection)
            host.close()


@contextmanager
def socket_engine(token: str | None = None) -> Iterator[SocketEngine]:
    """A server, closed in the end."""
    server = SocketEngine(token)
    try:
        yield server
    finally:
        server.close()
