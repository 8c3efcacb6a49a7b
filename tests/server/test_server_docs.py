"""docs/server.md says what is so: its requests are sent, its program is run, its tables are those of the code."""

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

import typer

from kibitz.cli.serve import app as command
from kibitz.protocol.messages import GoResult
from kibitz.server.openapi import OPERATIONS
from kibitz.server.replies import HTTP_KINDS
from kibitz.server.settings import ServerSettings
from server.local import Local, local

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local(poll_seconds=1) as found:
        yield found


def requests() -> list[tuple[str, str, str | None]]:
    """The curl commands: method, path, body."""
    found = []
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        words = shlex.split(block)
        starts = [index for index, word in enumerate(words) if word == "curl"] + [len(words)]
        for start, end in pairwise(starts):
            method, path, body = "GET", "", None
            rest = iter(words[start + 1 : end])
            for word in rest:
                if word == "-X":
                    method = next(rest)
                elif word == "--json":
                    method, body = "POST", next(rest)
                else:
                    assert word.startswith(ADDRESS), word
                    path = word.removeprefix(ADDRESS)
            found.append((method, path, body))
    return found


def cells(*header: str) -> list[list[str]]:
    """The rows of the table with these column heads."""
    lines = PAGE.splitlines()
    at = lines.index("| " + " | ".join(header) + " |") + 2
    rows = []
    while lines[at].startswith("|"):
        rows.append([cell.strip() for cell in lines[at].strip("|").split(" | ")])
        at += 1
    return rows


def test_every_request_works(here: Local) -> None:
    table: Any = None
    used = set()
    for method, path, body in requests():
        if "/id" in path:
            if path.endswith("/moves"):  # the person's turn, at the end of the others'
                while (state := here.get(f"/v1/tables/{table['id']}").json)["thinking"]:
                    here.get(f"/v1/tables/{table['id']}?after={state['n']}")
                body = body and body.replace('"n": 1', f'"n": {state["n"]}')
            path = path.replace("/id", f"/{table['id']}")
        answer = here.call(method, path, raw=None if body is None else body.encode())
        assert answer.status in (200, 201), (method, path, answer.text)
        if path == "/v1/tables":
            table = answer.json
        used.add((method, re.sub(r"/tables/[^/?]+", "/tables/{id}", path.partition("?")[0])))
    named = {(each.method, each.path.replace("{slug}", "kami")) for each in OPERATIONS}
    assert used == named


def test_the_program_works(here: Local, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(program.replace(":8765", f":{here.port}"), {"__name__": "page"})
    assert re.fullmatch(r"d[1347]\n", capsys.readouterr().out)


def test_kinds() -> None:
    assert cells("kind", "status", "when") == [
        [f"`{kind}`", str(status), said] for kind, (status, said) in HTTP_KINDS.items()
    ]


def test_options() -> None:
    shown = {row[0].strip("`"): row[1] for row in cells("option", "default", "meaning")}
    options = {
        each.opts[0]: each for each in typer.main.get_command(command).params if each.opts[0] != "--help"
    }
    assert shown.keys() == options.keys()
    settings = ServerSettings()
    for name, default in shown.items():
        if default.replace(".", "").isdigit():
            assert default == str(getattr(settings, name[2:].replace("-", "_"))) == str(options[name].default)


def test_answers_named() -> None:
    assert {"move", "reason", "forced", "ms", "iterations", "moves"} <= GoResult.model_fields.keys()
