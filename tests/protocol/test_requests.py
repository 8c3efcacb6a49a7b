"""What is read, and what is refused with what: the envelope, every parameter, every kind of error once."""

from collections.abc import Iterator

import pytest

import kibitz
from kibitz.protocol.messages import LINE_BYTES, METHODS
from protocol.tables import TIC, kami
from protocol.wire import HELLO, Local


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


@pytest.fixture
def table(local: Local) -> Local:
    """With session "t" in which seat 0 is to decide."""
    local.ask("new", s="t", **kami())
    return local


# ---- the envelope ----

PING = '"method":"ping"'

UNREADABLE = {
    "empty": "",
    "blank": "   ",
    "word": "hello",
    "half": '{"id":1,"method":"pi',
    "quotes": "{'id':1}",
    "comma": '{"id":1,"method":"ping",}',
    "two": '{"id":1,"method":"ping"} {"id":2,"method":"ping"}',
    "comment": '{"id":1,"method":"ping"} // now',
    "NUL": '{"id":1,"method":"ping"}\0',
    "bare NUL": "\0",
    "NaN": '{"id":1,"method":"go","params":{"ms":NaN}}',
    "Infinity": '{"id":1,"method":"go","params":{"ms":-Infinity}}',
    "BOM": '\ufeff{"id":1,"method":"ping"}',
    "BOM as bytes": b'\xef\xbb\xbf{"id":1,"method":"ping"}',
    "Latin-1": '{"id":1,"method":"ping","params":{"é":1}}'.encode("latin-1"),
    "UTF-16": '{"id":1,"method":"ping"}'.encode("utf-16"),
    "surrogate as bytes": b'{"id":1,"method":"\xed\xa0\x80"}',
    "raw newline in a text": '{"id":1,"method":"pi\tng"}',
    "a key twice": '{"id":1,"id":2,"method":"ping"}',
    "a key twice, deep": '{"id":1,"method":"new","params":{"start":{"a":1,"a":2}}}',
    "too deep": '{"id":1,"method":"ping","params":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}",
    "too many digits": '{"id":' + "1" * 5000 + ',"method":"ping"}',
    "too long": '{"id":1,"method":"ping","params":{"x":"' + "x" * LINE_BYTES + '"}}',
    "too long in bytes": (
        '{"id":1,"method":"ping","params":{"x":"' + "é" * (LINE_BYTES // 2) + '"}}'
    ).encode(),
}

NO_REQUEST = {
    "null": "null",
    "number": "7",
    "text": '"ping"',
    "batch": '[{"id":1,"method":"ping"}]',
    "empty batch": "[]",
    "nothing": "{}",
    "no method": '{"id":1}',
    "method is no text": '{"id":1,"method":7}',
    "method null": '{"id":1,"method":null}',
    "id null": '{"id":null,' + PING + "}",
    "id true": '{"id":true,' + PING + "}",
    "id 1.0": '{"id":1.0,' + PING + "}",
    "id 1e2": '{"id":1e2,' + PING + "}",
    "id 2**63": '{"id":' + str(2**63) + "," + PING + "}",
    "id 2**70": '{"id":' + str(2**70) + "," + PING + "}",
    "id list": '{"id":[1],' + PING + "}",
    "id object": '{"id":{},' + PING + "}",
    "id long": '{"id":"' + "x" * 201 + '",' + PING + "}",
    "no id": "{" + PING + "}",
    "no id for go": '{"method":"go","params":{"ms":1}}',
    "version 1.0": '{"jsonrpc":"1.0","id":1,' + PING + "}",
    "version 2": '{"jsonrpc":2.0,"id":1,' + PING + "}",
    "version null": '{"jsonrpc":null,"id":1,' + PING + "}",
    "member": '{"id":1,"param":{},' + PING + "}",
    "result": '{"id":1,"result":{}}',
    "params list": '{"id":1,"params":[],' + PING + "}",
    "params null": '{"id":1,"params":null,' + PING + "}",
    "params text": '{"id":1,"params":"s",' + PING + "}",
}


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE)
def test_r2_a_line_that_cannot_be_read(local: Local, line: str | bytes) -> None:
    reply = local.tell(line)
    assert reply["error"]["data"]["kind"] == "parse"
    assert reply["id"] is None
    assert local.ask("ping") == {}


@pytest.mark.parametrize("line", NO_REQUEST.values(), ids=NO_REQUEST)
def test_r2_json_that_is_no_request(local: Local, line: str) -> None:
    reply = local.tell(line)
    assert reply["error"]["data"]["kind"] == "invalid_request"
    assert reply["id"] == (1 if '"id":1,' in line or '"id":1}' in line else None) or "[" in line
    assert local.ask("ping") == {}


@pytest.mark.parametrize(
    "id_", [0, -5, 2**53, 2**63 - 1, -(2**63) + 1, "", "a", "x" * 200, "\0\n\u2028é🂡", '"\\']
)
def test_ids_come_back_as_they_were(local: Local, id_: int | str) -> None:
    local.send_as(id_, "ping")
    assert local.result(id_) == {}
    local.send_as(id_, "nonsense")
    assert local.reply(id_)["error"]["data"]["kind"] == "unknown_method"


def test_an_id_may_be_used_again_and_by_several_at_once(local: Local) -> None:
    local.ask("new", s="t", **kami())
    for _ in range(3):
        local.send_as("same", "go", {"s": "t", "iterations": 50})
        local.wait(lambda: not local.open_ids(), "the go")
    for _ in range(5):
        local.send_as("same", "state", {"s": "t"})
    local.wait(lambda: not local.open_ids(), "all of them")


def test_jsonrpc_may_be_there_and_params_left_out(local: Local) -> None:
    local.expect(1, "ping")
    local.send_line('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert local.result(1) == {}
    local.expect(2, "ping")
    local.send_line(' {\t"params" : { } ,"id":2, "method":"ping" } \r')
    assert local.result(2) == {}
    local.expect(3, "ping")
    local.send_line(b'{"id":3,"method":"p\\u0069ng"}')
    assert local.result(3) == {}


NESTS = {
    "start": '{"id":1,"method":"new","params":{"game":"kami","seat":0,"start":{"hand":%s}}}',
    "options": '{"id":1,"method":"new","params":{"game":"kami","seat":0,"start":{},"options":{"rounds":%s}}}',
    "view": '{"id":1,"method":"view","params":{"game":"kami","view":{"seat":0,"start":{"hand":%s}}}}',
    "text": '{"id":1,"method":"rules","params":{"game":%s}}',
    "parameter": '{"id":1,"method":"ping","params":{"x":%s}}',
    "method": '{"id":1,"method":%s}',
    "id": '{"id":%s,"method":"ping"}',
}


@pytest.mark.parametrize("line", NESTS.values(), ids=NESTS)
def test_deep_nests_are_refused_at_every_depth(local: Local, line: str) -> None:
    for depth in (10, 100, 190, 210, 250, 300, 500, 900, 985, 1000, 1100):
        for nest in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
            reply = local.tell(line.replace("%s", nest))
            assert reply["error"]["data"]["kind"] != "internal"
            assert len(local.lines[-1]) < 2000, local.lines[-1][:200]
    assert local.ask("ping") == {}


# ---- R9: the handshake ----


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("hello", "quit")])
def test_r9_hello_comes_first(method: str) -> None:
    with Local(hello=False) as local:
        error = local.error(method)
        assert error.kind == "hello_first"
        assert error.data["allowed"] == ["hello"]
        assert local.ask("hello", **HELLO)["protocol"] == "1.0"


def test_r9_a_refused_hello_is_none() -> None:
    with Local(hello=False) as local:
        error = local.error("hello", protocol="2")
        assert (error.kind, error.data["given"], error.data["allowed"]) == (
            "unsupported_protocol",
            "2",
            ["1", "1.0"],
        )
        assert local.error("ping").kind == "hello_first"
        for wrong in (1, 1.0, None, ["1"], "", "1.1", " 1", "\uff11"):
            assert local.error("hello", protocol=wrong).kind in ("bad_value", "unsupported_protocol")
        assert local.error("hello").data["field"] == "protocol"
        assert local.ask("hello", protocol="1.0", client="x")["protocol"] == "1.0"
        assert local.ask("hello", protocol="1")["protocol"] == "1.0"  # again does no harm


def test_hello_tells_who_and_what(local: Local) -> None:
    hello = local.ask("hello", **HELLO)
    assert hello["engine"].keys() == {"name", "version", "build"}
    assert hello["engine"]["name"] == "kibitz"
    assert hello["engine"]["version"] == kibitz.__version__
    assert hello["games"] == list(kibitz.games())
    assert "puct" not in hello["searches"]
    assert {"ismcts", "random", "greedy"} <= set(hello["searches"])
    assert hello["features"] == ["ponder", "review", "undo", "bench"]
    assert hello["limits"]["sessions"] == 256
    assert hello["limits"]["line_bytes"] == LINE_BYTES == 1 << 20


def test_every_search_of_hello_is_one(local: Local) -> None:
    for name in local.ask("hello", **HELLO)["searches"]:
        game = TIC if name == "mcts" else kami()
        local.ask("new", s=name, search={"name": name}, **game)
        assert local.ask("go", s=name, iterations=20)["move"]


@pytest.mark.parametrize("slug", kibitz.games())
def test_rules_of_every_game(local: Local, slug: str) -> None:
    rules = local.ask("rules", game=slug)
    info = kibitz.load(slug).info
    assert (rules["game"], rules["version"], rules["players"]) == (slug, info["rules"], info["players"])
    assert rules["version"].startswith(f"{slug}/")
    for name in ("options", "start", "view"):
        assert rules[name]["type"] == "object"
        assert "properties" in rules[name]
    options = rules["options"]["properties"]
    assert list(options) == [each["name"] for each in info["options"]]
    for each in info["options"]:
        assert options[each["name"]]["default"] == each["default"]
        assert options[each["name"]]["description"]
    assert list(rules["start"]["properties"]) == [each["name"] for each in info["start"]]
    assert {"seat", "start", "record", "view"} <= rules["view"]["properties"].keys()
    assert rules["utility"].keys() >= {"unit", "min", "max"}
    assert rules["moves"] == info["grammar"]
    assert bool(rules["masks"]) == (not info["open"])
