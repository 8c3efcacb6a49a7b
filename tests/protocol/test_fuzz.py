"""Random and broken lines: exactly one well-formed reply to each, the process alive, no session changed by an error.

`KIBITZ_FUZZ_LINES=100000 pytest tests/protocol/test_fuzz.py` tries more of them.
"""

import json
import os
import random
import re
import string
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz.protocol.messages import LINE_BYTES, METHODS
from kibitz.protocol.sessions import Session
from protocol.tables import CREW, RECORD, TIC, kami
from protocol.wire import Local, Process, checked_line, parsed, request_line

LINES = int(os.environ.get("KIBITZ_FUZZ_LINES", "10000"))
EXAMPLES = max(200, LINES // 20)

OWN_IDS = 10**15  # of the test's own requests
SESSIONS = ("main", "room7.0", "t1", "tic")


def transcript_lines() -> list[str]:
    """What hosts send in the worked transcripts, with limits that a fuzz run can afford."""
    found: list[str] = []
    for path in sorted(Path(__file__).with_name("transcripts").glob("*.txt")):
        asked = [line[2:] for line in path.read_text().splitlines() if line.startswith(">")]
        found += [re.sub(r'"(ms|byoyomi_ms|min_ms|jitter_ms)":\d+', r'"\1":2', line) for line in asked]
    return found


OTHERS = [
    request_line(50, "rules", {"game": "kami"}),
    request_line(51, "set", {"s": "main", "overhead_ms": 5, "pace": {"min_ms": 1}, "mask": False}),
    request_line(52, "view", {"s": "v", "game": "kami", "view": {"seat": 0, "hand": "11113477"}}),
    request_line(53, "undo", {"s": "main", "n": 8}),
    request_line(54, "state", {"s": "main"}),
    request_line(55, "legal", {"s": "main", "move": "d4"}),
    request_line(56, "end", {"s": "nobody", "returns": [1, 0, 1, 0]}),
    request_line(
        57, "go", {"s": "main", "iterations": 20, "top": "all", "allow": ["p"], "expect": ["p", "d4"]}
    ),
    request_line(58, "review", {"game": "kami", "record": RECORD, "iterations": 2, "seats": [0]}),
    request_line(59, "stop", {"s": "main"}),
    request_line(60, "new", kami(s="main", replace=True)),
    request_line(61, "event", {"s": "tic", "n": 0, "moves": ["0:a1"]}),
    request_line("text", "ping", {}),
    request_line(None, "stop", {"s": "main"}),
]
CORPUS = transcript_lines() + OTHERS

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**53, 2**63, 2**64, 2**70, -(2**63), 10**400, 0.5, -0.0, 1e308, float("1e999"),
    "", "0", "1", "x", "main", "\0", "\ud800", "é", "🂡", "a" * 300,
    "a" * 5000, "\u2028", "\u202e", "{}", "1:-", "*:", "0:dx",
    [], [[]], [None], ["1:-"] * 300, {}, {"a": 1}, {"": ""},
    {"s": "main"}, {"name": "ismcts"}, {"main_ms": 1}, {"\ud800": 1},
]  # fmt: skip
NAMES = sorted(
    {name for each in METHODS.values() for name in each.params.model_fields}
    | {"id", "method", "params", "jsonrpc"}
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands inside a message."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*path, index))


def mutated_message(rng: random.Random, text: str) -> str:
    """A message with a member dropped, renamed, doubled, moved or given another value."""
    message = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        spots = list(places(message))
        if not spots:
            break
        path = rng.choice(spots)
        holder = message
        for step in path[:-1]:
            holder = holder[step]
        last, kind = path[-1], rng.randrange(7)
        if kind == 0:
            del holder[last]
        elif kind == 1:
            holder[last] = deepcopy(rng.choice(VALUES))
        elif kind == 2 and isinstance(holder, dict):
            holder[rng.choice([*NAMES, str(last) + "x", str(last)[:-1], str(last).upper()])] = holder.pop(
                last
            )
        elif kind == 3 and isinstance(holder, dict):
            holder[rng.choice(NAMES)] = deepcopy(rng.choice(VALUES))
        elif kind == 4:
            holder[last] = [deepcopy(holder[last]) for _ in range(rng.choice((1, 2, 50)))]
        elif kind == 5:
            holder[last] = {rng.choice(NAMES): holder[last]}
        elif isinstance(holder[last], str) and holder[last]:
            letters = list(holder[last])
            letters[rng.randrange(len(letters))] = rng.choice(string.printable + "é\0\ud800x")
            holder[last] = "".join(letters)
        elif isinstance(holder[last], int | float):
            holder[last] = rng.choice(
                (holder[last] + 1, -holder[last], holder[last] * 10**9, str(holder[last]))
            )
        elif isinstance(holder[last], list):
            rng.shuffle(holder[last])
    written = json.dumps(message, ensure_ascii=rng.random() < 0.8).replace("Infinity", "1e999")
    if rng.random() < 0.03:
        written = written.replace('"', '"id":7,"', 1)  # perhaps a key twice
    return written


def mutated_bytes(rng: random.Random, text: str) -> bytes:
    """A line with bytes flipped, cut, doubled or put in."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        at, kind = rng.randrange(len(data)), rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at : at + rng.choice((1, 1, 5, 50))]
        elif kind == 2:
            data[at:at] = rng.choice(
                (b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"[", b",", b"9" * 30)
            )
        elif kind == 3:
            data[at:at] = data[at : at + rng.randrange(1, 60)]
        elif kind == 4:
            data[at] = rng.randrange(256)
        else:
            del data[at:]
    return bytes(data).replace(b"\n", b" ")


def odd_line(rng: random.Random, text: str) -> str | bytes:
    """Something else altogether."""
    kind = rng.randrange(8)
    if kind == 0:
        depth = rng.choice((5, 50, 300, 900, 1100, 20_000))
        return (
            '{"id":1,"method":"new","params":{"game":"kami","seat":0,"start":'
            + "[" * depth
            + "]" * depth
            + "}}"
        )
    if kind == 1:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(60))).replace(b"\n", b"")
    if kind == 2:
        return json.dumps(rng.choice(VALUES)).replace("Infinity", "1e999")
    if kind == 3:
        return "".join(rng.choice('{}[]",:0123456789truefalsn \\u') for _ in range(rng.randrange(40)))
    if kind == 4:
        return '{"id":' + "1" * rng.choice((18, 19, 20, 400, 4400)) + ',"method":"ping"}'
    if kind == 5:
        return text + text
    if kind == 6:
        return request_line(
            rng.choice((1, "a", "\ud800")), rng.choice(list(METHODS)), {rng.choice(NAMES): rng.choice(VALUES)}
        )
    return text[: LINE_BYTES // 100] + " " * (LINE_BYTES if rng.random() < 0.02 else 50)


def any_line(rng: random.Random) -> str | bytes:
    text = rng.choice(CORPUS)
    how: Callable[[random.Random, str], str | bytes] = rng.choices(
        (mutated_message, mutated_bytes, odd_line, lambda _, same: same), (60, 25, 10, 5)
    )[0]
    return how(rng, text)


def harmless(line: str | bytes) -> bool:
    """Whether it asks for nothing that ends or fills the connection, or takes long; such lines are left out."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return True
    if not isinstance(message, dict) or not isinstance(message.get("params", {}), dict):
        return True
    method, params = message.get("method"), message.get("params", {})
    if method in ("quit", "bench", "review", "end"):
        return method == "review" or ("s" in params and params["s"] not in SESSIONS)
    if method == "go":
        limit = params.get("ms", params.get("iterations"))
        small = isinstance(limit, int | float) and limit < 1000
        pace = params["pace"].values() if isinstance(params.get("pace"), dict) else ()
        hasty = all(isinstance(each, int | float) and each < 5 for each in pace)
        return hasty and (small or (limit is None and "until" not in params and "clock" not in params))
    return not (method == "set" and "pace" in params)


class Watched:
    """A connection whose sessions are looked at between lines."""

    def __init__(self, local: Local) -> None:
        self.local = local
        local.number_from(OWN_IDS)
        self.prepare()

    def prepare(self) -> None:
        ask = self.local.ask
        ask("new", s="main", replace=True, **kami())
        ask("new", s="room7.0", replace=True, **kami())
        ask("new", s="t1", replace=True, **CREW | {"events": ["*:tasks P3 B9"]})
        ask("new", s="tic", replace=True, **TIC)

    def sessions(self) -> dict[str, Session]:
        return {
            name: lane.session
            for name, lane in list(self.local.host._lanes.items())
            if lane.session is not None
        }

    def digests(self) -> dict[str, tuple[Any, ...]]:
        return {
            name: (
                session.n,
                session.digest,
                session.view.record,
                session.preferences,
                tuple(session.warnings),
            )
            for name, session in self.sessions().items()
        }

    def send(self, line: str | bytes) -> None:
        """Sends a line and holds the engine to it: one reply, and after an error nothing is changed."""
        local = self.local
        before, count = self.digests(), len(local.lines)
        local.raw = True
        local.send_line(line)
        silent = wants_no_reply(line)
        local.wait(lambda: silent or bool(replies(local.lines[count:])), f"a reply to {line!r}", 30)
        if silent:
            local.raw = False
            local.ask("ping")
        local.wait(lambda: not any(lane.busy for lane in list(local.host._lanes.values())), "all done", 30)
        local.raw = False
        found = [each for each in replies(local.lines[count:]) if not (silent and each.get("result") == {})]
        assert len(found) == (0 if silent else 1), (line, found)
        for reply in found:
            if "result" in reply:
                checked_line(json.dumps(reply), (readable(line) or {})["method"])
            else:
                assert reply["error"]["data"]["kind"] != "internal", (line, reply)
                assert self.digests() == before, line
        local.replies.clear()
        if len(self.sessions()) > 100:
            for name in set(self.sessions()) - set(SESSIONS):
                local.ask("end", s=name)
        if len(local.lines) > 1000:
            local.lines.clear()


def replies(lines: list[str]) -> list[dict[str, Any]]:
    return [message for message in map(checked_line, lines) if "method" not in message]


def wants_no_reply(line: str | bytes) -> bool:
    """`stop` or `quit` without an id: they get none, whatever else is wrong with them."""
    message = readable(line)
    return message is not None and "id" not in message and message.get("method") in ("stop", "quit")


def readable(line: str | bytes) -> dict[str, Any] | None:
    """A line as the object that the engine reads, if it can be read."""
    if len(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")) > LINE_BYTES:
        return None
    try:
        message = json.loads(line.decode() if isinstance(line, bytes) else line, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


@pytest.mark.parametrize("part", range(4))
def test_random_and_broken_lines(part: int) -> None:
    rng = random.Random(f"fuzz {part}")
    with Local() as local:
        watched = Watched(local)
        for number in range(LINES // 4):
            line = any_line(rng)
            if harmless(line):
                watched.send(line)
            if number % 500 == 499:
                watched.prepare()
        assert not local.logged
        watched.prepare()
        assert local.ask("go", iterations=10)["iterations"] == 10


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(VALUES),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)
requests = st.fixed_dictionaries(
    {
        "id": st.integers(-5, 5) | st.text(max_size=5) | json_values,
        "method": st.sampled_from(sorted(set(METHODS) - {"quit", "bench"})),
    },
    optional={
        "params": st.dictionaries(st.sampled_from(NAMES) | st.text(), json_values, max_size=5) | json_values
    },
)


@pytest.fixture(scope="module")
def shared() -> Iterator[Watched]:
    with Local() as local:
        yield Watched(local)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
@given(message=requests)
def test_any_json_as_parameters(shared: Watched, message: dict[str, Any]) -> None:
    line = json.dumps(message).replace("Infinity", "1e999")
    if harmless(line):
        shared.send(line)


@settings(max_examples=EXAMPLES)
@given(line=st.text() | st.binary().map(lambda data: data.replace(b"\n", b"")))
def test_any_text_as_a_line(shared: Watched, line: str | bytes) -> None:
    shared.send(line)


def test_the_process_lives_on() -> None:
    """The same lines on the streams of a process: as many replies as there were lines that want one."""
    rng = random.Random("fuzz of the process")
    with Process() as engine:
        engine.raw = True
        engine.number_from(OWN_IDS)
        kept = {"kept kami": kami(), "kept crew": CREW, "kept tic": TIC}  # names that no line has
        for name, new in kept.items():
            engine.ask("new", s=name, **new)
        before = {name: engine.ask("state", s=name)["digest"] for name in kept}
        expected, sent = len([each for each in engine.lines if "method" not in parsed(each)]), 0
        while sent < LINES // 5:
            line = any_line(rng)
            data = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
            if b"\n" in data or not harmless(line):
                continue
            engine.send_line(data)
            sent += 1
            expected += not wants_no_reply(data.rstrip(b"\r"))
        done = engine.send("ping")
        expected += 1
        engine.wait(
            lambda: len(engine.replies) + len(engine.nameless) > 0 and done in engine.replies,
            "the last reply",
        )
        engine.wait(
            lambda: len([each for each in engine.lines if '"method":"' not in each[:40]]) >= expected,
            "all replies",
        )
        assert len([each for each in engine.lines if "method" not in parsed(each)]) == expected
        assert before == {name: engine.ask("state", s=name)["digest"] for name in before}
        assert b"Traceback" not in engine.errors


def test_lines_for_all_sessions_at_once() -> None:
    """Nothing is waited for between lines: searches, events and broken lines in one stream, and every id answered."""
    rng = random.Random("fuzz at once")
    with Local() as local:
        for number in range(6):
            local.ask("new", s=f"{number}", **kami())
        for id_ in range(1000, 1000 + min(LINES, 3000)):
            s = f"{rng.randrange(7)}"
            event = {"s": s, "n": rng.randrange(10), "moves": rng.choice((["0:d4"], ["0:p"], ["1:p"], []))}
            choices: list[tuple[str, dict[str, Any]]] = [
                ("go", {"s": s, "until": "stop", "ponder": True}),
                ("go", {"s": s, "ms": 1, "info_ms": 1}),
                ("go", {"s": s, "iterations": 30, "ponder": True}),
                ("go", {"s": s}),
                ("stop", {"s": s}),
                ("stop", {"s": s}),
                ("state", {"s": s}),
                ("event", event),
                ("undo", {"s": s, "n": rng.randrange(10)}),
                ("new", kami(rng.randrange(9), s=s, replace=rng.random() < 0.5)),
                ("end", {"s": s}),
                ("set", {"s": s, "threads": rng.randrange(4)}),
                ("ping", {}),
                ("legal", {"s": s, "move": "p"}),
            ]
            method, params = rng.choice(choices)
            local.send_as(id_, method, params)
        for number in range(7):
            local.send("stop", s=f"{number}")
        local.wait(lambda: not local.open_ids(), "all replies")
        assert not local.logged
        assert all(kind != "internal" for kind in kinds_of(local))


def kinds_of(local: Local) -> list[str]:
    return [each["error"]["data"]["kind"] for each in local.replies.values() if "error" in each]
