"""Talking to the engine in tests: one connection in this process, or a process of its own.

Every line that comes back is checked on arrival: strict JSON, the envelope, the model of its result, error or
notification; and every reply must belong to a request that has none yet.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from kibitz.protocol.faults import CODES, KINDS, OWN_CODE
from kibitz.protocol.host import Host
from kibitz.protocol.messages import METHODS, NOTIFICATIONS, GoResult, Info, ReplyError, Result
from kibitz.protocol.work import Work

__all__ = [
    "ENGINE",
    "HELLO",
    "Failed",
    "Local",
    "Process",
    "checked_line",
    "kinds",
    "parsed",
    "request_line",
    "searching",
    "wait_for",
]

ENGINE = [sys.executable, "-m", "kibitz", "engine"]
HELLO = {"protocol": "1", "client": "tests"}
PATIENCE = 60.0  # seconds for anything: a hang is found, slowness is not judged

Message = dict[str, Any]


class Failed(Exception):
    """An error reply."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['data']['kind']}: {error['message']}")
        self.message: str = error["message"]
        self.code: int = error["code"]
        self.data: Message = error["data"]
        self.kind: str = error["data"]["kind"]


def request_line(id_: int | str | None, method: str, params: Mapping[str, Any] | None = None) -> str:
    message: Message = {} if id_ is None else {"id": id_}
    message["method"] = method
    if params is not None:
        message["params"] = dict(params)
    return json.dumps(message).replace("Infinity", "1e999")  # a number in JSON, and too large for a float


def parsed(line: str | bytes) -> Message:
    """A line as JSON, strictly: UTF-8, one object, no key twice, no NaN or Infinity."""

    def once(pairs: list[tuple[str, Any]]) -> Message:
        found = dict(pairs)
        assert len(found) == len(pairs), f"a key twice in {line!r}"
        return found

    def constant(name: str) -> Any:
        raise AssertionError(f"{name} is no JSON, in {line!r}")

    text = line.decode() if isinstance(line, bytes) else line
    assert "\n" not in text, text
    text.encode()  # no half of a surrogate pair
    message = json.loads(text, object_pairs_hook=once, parse_constant=constant)
    assert isinstance(message, dict), line
    return message


def checked_line(line: str | bytes, method: str | None = None) -> Message:
    """A message of the engine; `method`: of the request, if the line is a result."""
    message = parsed(line)
    assert message.get("jsonrpc") == "2.0", line
    if "method" in message:
        assert message.keys() == {"jsonrpc", "method", "params"}, line
        _model(NOTIFICATIONS[message["method"]], message["params"])
    elif "error" in message:
        assert message.keys() == {"jsonrpc", "id", "error"}, line
        _check_error(message["error"])
    else:
        assert message.keys() == {"jsonrpc", "id", "result"}, line
        if method is not None:
            _model(METHODS[method].result, message["result"])
            _check_members(method, message["result"])
    return message


def _model(model: type[Result], value: Any) -> Result:
    found = model.model_validate(value, strict=True)
    assert not found.model_extra, f"members that the schema does not tell of: {found.model_extra}"
    if isinstance(found, GoResult | Info):
        for row in found.moves:
            assert not row.model_extra, row
    return found


def _check_members(method: str, result: Message) -> None:
    """What the models leave open: which members go together, and what a number may be."""
    if method in ("new", "event", "view", "undo", "state"):
        turn = result["turn"]
        assert len(result["digest"]) == 16, result
        int(result["digest"], 16)
        assert result.get("warnings") != [], result
        assert result.get("dup") in (None, True), result
        if turn["by"] is None:
            assert turn == {"by": None, "over": True}
        else:
            assert turn.keys() in ({"by"}, {"by", "legal"}), turn
            if "legal" in turn:
                assert turn["legal"], turn
                assert len(set(turn["legal"])) == len(turn["legal"]), turn
    elif method == "legal":
        assert result.keys() >= ({"moves"} if "moves" in result else {"move", "legal"}), result
        if result.get("legal") is False:
            assert _is_sentence(result["why"]), result
    elif method == "go":
        assert result["ms"] >= 0, result
        for row in result["moves"]:
            assert 0 <= row["share"] <= 1, row
            assert 0 <= row["mean"] <= 1, row
            assert row["line"], row


def _check_error(error: Message) -> None:
    found = _model(ReplyError, error)
    assert isinstance(found, ReplyError)
    data = error["data"]
    kind = data["kind"]
    assert kind in KINDS, error
    assert error["code"] == CODES.get(kind, OWN_CODE), error
    assert _is_sentence(error["message"]), error
    assert len(error["message"]) < 4000, error
    if "field" in data:
        assert isinstance(data["field"], str), error
    if "allowed" in data:
        assert isinstance(data["allowed"], list), error
    if "rule" in data:
        assert isinstance(data["rule"], str), error


def _is_sentence(text: Any) -> bool:
    return isinstance(text, str) and len(text) > 8 and text[-1] in ".?!)" and text.isprintable()


class _Peer:
    """What both kinds of connection have alike: numbered requests, replies by id, notifications."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.replies: dict[int | str, Message] = {}
        self.notes: list[Message] = []
        self.nameless: list[Message] = []  # error replies to lines without a readable id
        self.breaches: list[str] = []
        self.came = threading.Condition()
        self.raw = False  # whether lines are sent whose ids nobody has told of
        self._methods: dict[int | str, str] = {}
        self._open: Counter[int | str] = Counter()
        self._next = 0

    def number_from(self, id_: int) -> None:
        """The ids of further requests, where others are used as well."""
        self._next = id_

    # ---- out ----

    def send_line(self, line: str | bytes) -> None:
        raise NotImplementedError

    def send(self, method: str, /, **params: Any) -> int:
        """Sends a request; its id."""
        self._next += 1
        self.send_as(self._next, method, params)
        return self._next

    def send_as(self, id_: int | str, method: str, params: Mapping[str, Any] | None = None) -> None:
        self.expect(id_, method)
        self.send_line(request_line(id_, method, params))

    def expect(self, id_: int | str, method: str = "") -> None:
        """A reply to this id is awaited."""
        with self.came:
            self._methods[id_] = method
            self._open[id_] += 1

    # ---- in ----

    def took(self, line: str) -> None:
        with self.came:
            self.lines.append(line)
            try:
                self._file(line)
            except Exception as error:  # noqa: BLE001  told by `check`, in the thread of the test
                self.breaches.append(f"{type(error).__name__}: {error} in {line[:2000]}")
            self.came.notify_all()

    def _file(self, line: str) -> None:
        message = parsed(line)
        id_ = message.get("id")
        known = None if self.raw or id_ is None else self._methods.get(id_)
        checked_line(line, known or None)
        if "method" in message:
            self.notes.append(message)
        elif id_ is None:
            self.nameless.append(message)
        elif self.raw:
            self.replies[id_] = message
        else:
            assert self._open[id_] > 0, "a reply that nothing asked for"
            self._open[id_] -= 1
            self.replies[id_] = message

    def wait(self, test: Callable[[], bool], what: object, patience: float = PATIENCE) -> None:
        with self.came:
            assert self.came.wait_for(lambda: bool(self.breaches) or test(), patience), (
                f"nothing came: {what}"
            )
        self.check()

    def check(self) -> None:
        assert not self.breaches, self.breaches[0]

    def reply(self, id_: int | str, patience: float = PATIENCE) -> Message:
        """The reply to a request, taken out."""
        self.wait(lambda: id_ in self.replies, f"no reply to {id_}", patience)
        with self.came:
            return self.replies.pop(id_)

    def result(self, id_: int | str, patience: float = PATIENCE) -> Any:
        """The result of a request; raises Failed if it is an error."""
        message = self.reply(id_, patience)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def ask(self, method: str, /, **params: Any) -> Any:
        return self.result(self.send(method, **params))

    def attempt(self, method: str, /, **params: Any) -> Any:
        """The result of a request, or the error."""
        try:
            return self.ask(method, **params)
        except Failed as failed:
            return failed

    def error(self, method: str, /, **params: Any) -> Failed:
        """The error that a request must bring."""
        found = self.attempt(method, **params)
        assert isinstance(found, Failed), f"{method} {params} was answered with {found}"
        return found

    def open_ids(self) -> list[int | str]:
        with self.came:
            return list((+self._open).elements())

    def noted(self, method: str) -> list[Message]:
        with self.came:
            return [note["params"] for note in self.notes if note["method"] == method]


class Local(_Peer):
    """A host in this process."""

    def __init__(self, *, work: Work | None = None, hello: bool = True) -> None:
        super().__init__()
        self.logged: list[str] = []
        self.host = Host(self.took, work=work, log=self.logged.append)
        if hello:
            self.ask("hello", **HELLO)

    def send_line(self, line: str | bytes) -> None:
        self.host.receive(line)

    def tell(self, line: str | bytes) -> Message:
        """What any line is answered with, at once: exactly one message."""
        before = len(self.lines)
        self.raw = True
        try:
            self.send_line(line)
        finally:
            self.raw = False
        self.check()
        assert len(self.lines) == before + 1, self.lines[before:]
        return parsed(self.lines[-1])

    def close(self) -> None:
        """Everything must have been answered by then."""
        self.host.close()
        self.check()
        assert not self.open_ids()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.host.close()


class Process(_Peer):
    """The engine as a process of its own."""

    def __init__(
        self, arguments: Sequence[str] = ENGINE, *, hello: bool = True, env: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self.errors = bytearray()
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if env is None else os.environ | env,
        )
        self._readers = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        if hello:
            self.ask("hello", **HELLO)

    def send_line(self, line: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait_exit(self, patience: float = PATIENCE) -> int:
        """The exit code, when all of its output has been read."""
        code = self.process.wait(patience)
        for reader in self._readers:
            reader.join(patience)
        self.check()
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                self.breaches.append(f"half a line: {line!r}")
            try:
                text = line.removesuffix(b"\n").decode()
            except UnicodeDecodeError as error:
                self.breaches.append(f"not UTF-8: {error}")
                continue
            self.took(text)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if self.process.poll() is None:
                self.end_input()
                self.process.wait(PATIENCE if kind is None else 5)
        except (OSError, subprocess.TimeoutExpired):
            if kind is None:
                raise
        finally:
            self.process.kill()
            self.process.wait()
            for reader in self._readers:
                reader.join(PATIENCE)
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
        if kind is None:
            self.check()


def kinds(local: Local, ids: list[int]) -> list[str]:
    """What each request was answered with: a kind of error, or "result"."""
    found = []
    for id_ in ids:
        reply = local.reply(id_)
        found.append(reply["error"]["data"]["kind"] if "error" in reply else "result")
    return found


def searching(local: Local, s: str = "t", **more: Any) -> int:
    """A go without end that has begun."""
    before = len(local.notes)
    request = local.send("go", s=s, until="stop", info_ms=5, **more)
    local.wait(lambda: len(local.notes) > before, "info")
    return request


def wait_for(test: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not test() and time.monotonic() < end:
        time.sleep(0.005)
    return test()
