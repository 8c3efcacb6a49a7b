"""The bots in examples/ play a whole round, and their lines are what docs/protocol.md says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kibitz

EXAMPLES = Path(__file__).parents[2] / "examples"
DEAL = kibitz.load("kami", rounds=1).deal(seed=7)


def run(name: str, *arguments: str, token: str | None = None) -> list[str]:
    """What an example prints; it must end well and complain of nothing."""
    environment = {key: value for key, value in os.environ.items() if key != "KIBITZ_TOKEN"}
    said = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
        env=environment if token is None else environment | {"KIBITZ_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    assert said.stderr == ""
    return said.stdout.splitlines()


def replayed(lines: list[str]) -> kibitz.Table:
    """The table after the moves that were printed, each by the seat that was to decide."""
    table = DEAL.copy()
    for line in lines:
        found = re.match(r"seat (\d) plays (\S+?),? ", line)
        assert found, line
        assert table.turn == int(found[1])
        table.play(found[2])
    return table


def test_stdio_bot_plays_a_round() -> None:
    *moves, last = run("stdio_bot.py")
    table = replayed(moves)
    assert table.turn is None
    assert last == f"score: {' '.join(map(str, table.score()))}"


def test_websocket_bot_plays_a_round() -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with socket_engine("secret") as server:
        *moves, last = run("websocket_bot.py", server.url, token="secret")
    table = replayed(moves)
    assert table.turn is None
    assert last == f"score: {' '.join(map(str, table.score()))}"


def test_websocket_bot_plays_at_the_server() -> None:
    for package in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "kibitz", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"serving at http(\S+)", line) for line in server.stdout)))
            *moves, _ = run("websocket_bot.py", f"ws{found[1]}/v1/ws")
        finally:
            server.terminate()
            server.communicate()
    assert replayed(moves).turn is None


@pytest.mark.parametrize("name", ["stdio_bot.py", "websocket_bot.py"])
def test_example_is_short(name: str) -> None:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").split('"""', 2)[2].splitlines()
    assert len([line for line in lines if line.strip()]) <= 42
