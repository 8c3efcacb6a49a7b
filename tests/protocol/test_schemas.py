"""The JSON Schemas of all messages: the committed copy is what the models say, and holds what is really sent."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kibitz.protocol
from kibitz.protocol.faults import CODES, KINDS
from kibitz.protocol.messages import METHODS, NOTIFICATIONS, PROTOCOL, schemas
from protocol.tables import RECORD, TIC, kami
from protocol.wire import ENGINE, HELLO, PATIENCE, Local, Message, parsed

COPY = Path(kibitz.protocol.__file__).with_name("schemas.json")


def test_the_copy_in_the_package_is_the_models_own() -> None:
    assert json.loads(COPY.read_text()) == json.loads(json.dumps(schemas()))


def test_the_command_line_writes_them() -> None:
    done = subprocess.run([*ENGINE, "--schemas"], capture_output=True, timeout=PATIENCE, check=True)
    assert json.loads(done.stdout) == json.loads(COPY.read_text())
    assert done.stderr == b""


def test_every_message_has_one() -> None:
    found = schemas()
    assert found["protocol"] == PROTOCOL == "1.0"
    assert found["methods"].keys() == METHODS.keys()
    assert found["notifications"].keys() == NOTIFICATIONS.keys() == {"info", "progress", "log"}
    assert set(METHODS) == {
        "hello", "rules", "set", "ping", "new", "event", "view", "legal", "state", "go", "stop", "undo", "end",
        "review", "bench", "quit",
    }  # fmt: skip


def test_every_parameter_is_typed_and_bounded() -> None:
    """Nothing that a host may send is without a bound: no text, list or number of any size."""
    for method, each in schemas()["methods"].items():
        schema = each["params"]
        for path, part in parts(schema, schema):
            kind = part.get("type")
            where = f"{method}{path}"
            if ".tuning" in path:
                continue  # each has bounds of its own, which the search tells
            if kind == "number":
                assert {"maximum", "exclusiveMaximum"} & part.keys(), where
            if kind == "integer":
                assert {"maximum", "exclusiveMaximum"} & part.keys(), where
            if kind == "object" and "properties" in part:
                assert part["additionalProperties"] is False, where


def parts(schema: Any, root: Message, path: str = "") -> Iterator[tuple[str, Message]]:
    """Every schema inside one."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name != "JsonValue":
            yield from parts(root["$defs"][name], root, path)
        return
    yield path, schema
    for name, part in schema.get("properties", {}).items():
        yield from parts(part, root, f"{path}.{name}")
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, ()):
            yield from parts(part, root, path)
    for key in ("items", "additionalProperties"):
        yield from parts(schema.get(key), root, f"{path}[]")


def faults(value: Any, schema: Any, root: Message, where: str = "") -> list[str]:
    """What of a value a schema does not allow; as much of JSON Schema as pydantic writes."""
    if schema is True or schema == {} or schema is None:
        return []
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, where)
    if "anyOf" in schema:
        tried = [faults(value, each, root, where) for each in schema["anyOf"]]
        return [] if [] in tried else [f"{where}: none of the alternatives: {tried}"]
    found = []
    kinds: dict[str, Any] = {
        "object": dict, "array": list, "string": str, "integer": int, "number": int | float, "boolean": bool,
        "null": None,
    }  # fmt: skip
    kind = schema.get("type")
    if kind is not None:
        fits = value is None if kind == "null" else isinstance(value, kinds[kind])
        if isinstance(value, bool) and kind != "boolean":
            fits = False
        if not fits:
            return [f"{where}: {value!r} is no {kind}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{where}: no {name}" for name in schema.get("required", ()) if name not in value]
        for name, each in value.items():
            if name in properties:
                found += faults(each, properties[name], root, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{where}: {name} is none of {list(properties)}")
            elif properties:
                found.append(f"{where}: {name} is not told of")
            else:
                found += faults(each, schema.get("additionalProperties"), root, f"{where}.{name}")
    if isinstance(value, list):
        for index, each in enumerate(value):
            found += faults(each, schema.get("items"), root, f"{where}[{index}]")
    if isinstance(value, int | float) and not isinstance(value, bool):
        found += [f"{where}: {value} < {schema['minimum']}"] if value < schema.get("minimum", value) else []
        found += [f"{where}: {value} > {schema['maximum']}"] if value > schema.get("maximum", value) else []
    return found


def test_faults() -> None:
    schema = schemas()["methods"]["go"]["params"]
    assert faults({"s": "t", "ms": 5, "top": "all", "pace": {"min_ms": 1}}, schema, schema) == []
    wrongs: list[dict[str, Any]] = [
        {"ms": "5"},
        {"top": "some"},
        {"zebra": 1},
        {"pace": {}},
        {"allow": ["p", 1]},
        {"ponder": 1},
    ]
    for wrong in wrongs:
        assert faults(wrong, schema, schema), wrong


@pytest.mark.parametrize("kind", ["params", "result"])
def test_the_transcripts_fit_them(kind: str) -> None:
    methods = schemas()["methods"]
    for path in sorted(Path(__file__).with_name("transcripts").glob("*.txt")):
        asked: dict[Any, str] = {}
        for line in path.read_text().splitlines():
            message = parsed(line[2:])
            if line.startswith(">"):
                asked[message.get("id")] = message["method"]
                schema = methods[message["method"]]["params"]
                wrong = faults(message.get("params", {}), schema, schema)
                assert bool(wrong) == ('"iteration":' in line), (line, wrong)  # the one that is misspelt
            elif kind == "result" and "result" in message:
                schema = methods[asked[message["id"]]]["result"]
                wrong = faults(message["result"], schema, schema)
                assert all(re.search(r"share|moves\[", each) for each in wrong), (
                    line,
                    wrong,
                )  # shown in short


def test_all_that_the_engine_sends_fits_them() -> None:
    """A conversation that calls every method; every result, error and notification against its schema."""
    found = schemas()
    with Local(hello=False) as local:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("hello", HELLO),
            ("rules", {"game": "thecrew"}),
            ("set", {"info_ms": 2, "pace": {"min_ms": 1}}),
            ("ping", {}),
            ("new", kami(s="t")),
            ("new", TIC | {"s": "x", "search": {"name": "mcts"}, "events": ["0:a1", "1:a2", "0:b1", "1:b2"]}),
            ("view", {"s": "v", "game": "kami", "view": {"seat": 0, "hand": "11113477"}}),
            ("event", {"s": "t", "n": 0, "moves": ["1:-"]}),
            ("legal", {"s": "t"}),
            ("legal", {"s": "t", "move": "d4"}),
            ("legal", {"s": "t", "move": "d7"}),
            ("legal", {"s": "t", "move": "zebra"}),
            ("state", {"s": "t"}),
            ("state", {"s": "v"}),
            ("go", {"s": "t", "ms": 30, "top": "all"}),
            ("go", {"s": "t", "iterations": 30, "scope": "turn", "ponder": True}),
            ("go", {"s": "t", "ms": 1e-9}),
            ("go", {"s": "x", "iterations": 100, "top": "all"}),
            ("go", {"s": "v", "iterations": 10}),
            ("event", {"s": "t", "n": 8, "moves": ["0:d4"]}),
            ("go", {"s": "t", "iterations": 30, "ponder": True}),
            ("stop", {"s": "t"}),
            ("undo", {"s": "t", "n": 3}),
            ("review", {"game": "kami", "record": RECORD, "iterations": 5}),
            ("end", {"s": "t", "review": {"iterations": 5}}),
            ("bench", {"games": ["tic_tac_toe"]}),
            ("quit", {}),
        ]
        ids = {}
        for method, params in asked:
            id_ = local.send(method, **params)
            local.wait(lambda id_=id_: id_ in local.replies, method)  # type: ignore[misc]
            ids[id_] = method
        assert set(ids.values()) == set(METHODS)
        notes = set()
        for message in map(parsed, local.lines):
            if "method" in message:
                notes.add(message["method"])
                schema = found["notifications"][message["method"]]
                assert faults(message["params"], schema, schema) == [], message
            elif "error" in message:
                raise AssertionError(message)
            else:
                schema = found["methods"][ids[message["id"]]]["result"]
                assert faults(message["result"], schema, schema) == [], (ids[message["id"]], message)
        assert notes == {"info", "progress"}


def test_errors_have_codes_of_json_rpc_where_there_are_some() -> None:
    assert CODES == {
        "parse": -32700,
        "invalid_request": -32600,
        "unknown_method": -32601,
        "unknown_param": -32602,
        "bad_value": -32602,
        "internal": -32603,
    }
    assert all(text.endswith(".") for text in KINDS.values())
