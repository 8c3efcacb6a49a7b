"""`kibitz serve` as a process: what it says, what it refuses, and how it ends."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from kibitz import cli
from kibitz.errors import InvalidOption
from kibitz.server.running import Server, listening
from kibitz.server.settings import ServerSettings

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
SECONDS = 60.0
LONG = {
    "game": "kami",
    "options": {"redeal": False},
    "seat": 0,
    "start": {"hand": "11113477", "first": 0},
    "go": {"ms": 60_000},
}


@contextmanager
def process(*args: str) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A server and its port."""
    command = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            found = re.fullmatch(r"kibitz: serving at http://127\.0\.0\.1:(\d+)\n", said)
            assert found, said
            yield server, int(found[1])
        finally:
            server.kill()


def call(port: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    kind = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), kind)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


@POSIX
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_order(sent: signal.Signals, code: int) -> None:
    """The search that runs is answered first, with what it has found."""
    with process("--workers", "1") as (server, port):
        assert call(port, "GET", "/healthz")[0] == 200
        assert call(port, "POST", "/v1/tables", {"game": "kami", "seat": 0, "bots": {"ms": 60_000}})[0] == 201
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        asking.request("POST", "/v1/best", json.dumps(LONG), {"Content-Type": "application/json"})
        assert call(port, "GET", "/v1/games")[0] == 200  # so what came before has been taken
        server.send_signal(sent)
        answer = asking.getresponse()
        found = json.loads(answer.read())
        asking.close()
        out, said = server.communicate(timeout=SECONDS)
    assert server.returncode == code, said
    assert out == ""
    assert (answer.status, found["reason"]) == (200, "stop")
    assert "Traceback" not in said
    assert re.search(r"^\d\d:\d\d:\d\d GET /healthz 200 \d+\.\d ms$", said, re.MULTILINE)
    assert "11113477" not in said


@POSIX
def test_a_second_signal_ends_it_at_once() -> None:
    with process() as (server, port), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"POST /v1/best HTTP/1.1\r\nHost: localhost\r\n")  # holds the end up
        server.send_signal(signal.SIGINT)
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=SECONDS)
    assert server.returncode == 130, said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--host", "0.0.0.0"), "set KIBITZ_TOKEN, or say --no-token"),
        (("--host", "no.such.name.invalid", "--no-token"), "cannot listen at 'no.such.name.invalid'"),
    ],
)
def test_refusals(
    args: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KIBITZ_TOKEN", raising=False)
    monkeypatch.setattr("kibitz.cli.serve._log_to_stderr", lambda: None)
    assert cli.run(["serve", *args]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("kibitz: ")
    assert said.err.count("\n") == 1
    assert sentence in said.err


def test_missing_packages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.cli.serve.PACKAGES", ("starlette", "no_such_package"))
    assert cli.run(["serve"]) == 1
    assert capsys.readouterr().err == (
        "kibitz: The server needs no_such_package, which is not installed: pip install 'kibitz[server]'.\n"
    )


def test_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidOption, match=f"port {port}"):
            listening(ServerSettings(port=port))


def test_the_server_is_not_imported_with_the_package() -> None:
    script = (
        "import sys, kibitz, kibitz.cli.serve, kibitz.server.settings\n"
        "print([name for name in ('starlette', 'uvicorn', 'websockets', 'anyio') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_address() -> None:
    server = Server(ServerSettings(port=8123))
    assert server.config.port == 8123
    assert not server.interrupted
    server.services.close()
