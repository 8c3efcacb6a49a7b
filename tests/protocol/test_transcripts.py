"""The worked transcripts of the protocol, replayed: what they show is what the engine says.

What a search finds, digests, seeds, who the engine is and the wording of sentences may differ; all else agrees, with
legal lists as sets.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from protocol.wire import PATIENCE, Local, checked_line

TRANSCRIPTS = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))
HURRY = 25  # waits are shortened by so much

FIGURES = {
    "ms",
    "iterations",
    "worlds",
    "nodes",
    "bytes",
    "ips",
    "seed",
    "visits",
    "mean",
    "se",
    "line",
    "digest",
}
ENGINE = {"engine", "games", "searches", "limits"}  # grows with the engine; what is shown must be among it


def read(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Direction and message of every line."""
    lines = path.read_text().splitlines()
    return [(line[0], json.loads(line[2:])) for line in lines]


def hurried(message: dict[str, Any]) -> dict[str, Any]:
    """With shorter waits."""
    params = dict(message.get("params", {}))
    for name in ("info_ms",):
        if name in params:
            params[name] /= HURRY
    for name in ("clock", "pace"):
        if name in params:
            params[name] = {each: value / HURRY for each, value in params[name].items()}
    if "ms" in params:
        params["ms"] = 40  # enough for a busy machine, too
    return message | {"params": params}


def assert_agrees(shown: Any, said: Any, where: str) -> None:
    """What a transcript shows is what was said; the engine may say more."""
    if isinstance(shown, dict):
        assert isinstance(said, dict), where
        for name, value in shown.items():
            assert name in said, f"{where}.{name} is missing in {said}"
            if (
                name == "moves"
                and where.endswith(("result", "params"))
                and value
                and isinstance(value[0], dict)
            ):
                assert_rows(value, said[name], f"{where}.{name}")
            elif name in FIGURES:
                assert type(said[name]) in (type(value), float, int), f"{where}.{name}"
            elif name in ("legal", "allowed") and isinstance(value, list):
                assert sorted(said[name]) == sorted(value), f"{where}.{name}"
                assert len(set(said[name])) == len(said[name])
            elif name in ("games", "searches", "features"):
                missing = set(value) - set(said[name]) - {"auto"}
                assert not missing, f"{where}.{name}"
            elif name == "limits":
                assert value.items() <= said[name].items(), f"{where}.{name}"
            elif name in ("message", "why"):
                assert said[name][-1] in ".?!", f"{where}.{name} is no sentence: {said[name]}"
            elif name in ("move", "turn") and "forced" in shown:
                continue  # what was chosen; see assert_chosen
            elif name == "engine":
                assert said[name].keys() >= value.keys(), where
                assert all(isinstance(each, str) for each in said[name].values())
            else:
                assert_agrees(value, said[name], f"{where}.{name}")
    else:
        assert said == shown, where


def assert_rows(shown: list[dict[str, Any]], said: list[dict[str, Any]], where: str) -> None:
    """As many rows, with the same members, best first."""
    assert len(said) == len(shown), where
    for row in said:
        assert row.keys() >= shown[0].keys(), where
    visits = [row["visits"] for row in said]
    assert visits == sorted(visits, reverse=True), where


def assert_chosen(shown: dict[str, Any], said: dict[str, Any], legal: list[str]) -> None:
    """The move is a legal one and heads the table; a turn begins with it and is as long."""
    assert said["move"] in legal
    if said["moves"]:
        assert said["moves"][0]["move"] == said["move"]
    assert ("turn" in said) == ("turn" in shown)
    if "turn" in said:
        assert said["turn"][0] == said["move"]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_replayed(path: Path) -> None:
    lines = read(path)
    compared = 0
    with Local(hello=False) as local:
        legal: list[str] = []
        for index, (direction, message) in enumerate(lines):
            if direction == ">":
                if "id" in message:
                    local.expect(message["id"], message["method"])
                local.send_line(json.dumps(hurried(message)))
                continue
            if "method" in message:  # a notification: the first of them, others may follow
                before = len([1 for way, each in lines[:index] if way == "<" and "method" in each])
                local.wait(lambda before=before: len(local.notes) > before, message)  # type: ignore[misc]
                said = local.notes[before]
            else:
                said = local.reply(message["id"], PATIENCE)
            checked_line(json.dumps(said))
            shown = {name: value for name, value in message.items() if name != "jsonrpc"}
            assert_agrees(shown, said, f"line {index + 1}")
            result = said.get("result", {})
            if "forced" in result:
                assert_chosen(message["result"], result, legal)
            legal = result.get("turn", {}).get("legal", legal) if "forced" not in result else legal
            compared += 1
        assert compared == sum(direction == "<" for direction, _ in lines)
        if lines[-1][1].get("method") == "quit":
            assert local.host.closed


def test_the_transcripts_are_there() -> None:
    assert [path.stem for path in TRANSCRIPTS] == ["kami", "thecrew"]
