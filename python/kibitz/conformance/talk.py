"""A conversation with an engine over raw lines: what is asked, what comes back, and whether it is well formed."""

import itertools
import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.conformance.wire import Late, Wire
from kibitz.errors import printable, shown

__all__ = ["KINDS", "Failure", "Reply", "Skip", "Talk", "demand"]

SHOWN = 24  # lines that are kept for a report
WIDTH = 400  # characters of each
PATIENCE = 10.0  # seconds
QUIET = 0.05  # seconds in which what was still under way has come

KINDS = {
    "parse": -32700,
    "invalid_request": -32600,
    "unknown_method": -32601,
    "unknown_param": -32602,
    "bad_value": -32602,
    "internal": -32603,
}
"""The kinds of error that have a number of their own; all others have -32000."""


class Failure(Exception):
    """The engine does not do what a step demands; the text says what it did."""


class Skip(Exception):
    """A step cannot be played with this engine; the text says why."""


def demand(holds: object, otherwise: str) -> None:
    """Fails the step unless something holds."""
    if not holds:
        raise Failure(otherwise)


@dataclass(frozen=True)
class Reply:
    """One reply: `result` or `error`, and how long it took.

    Attributes:
        method: Of the request.
        result: None for an error.
        error: None for a result.
        ms: From the writing of the request to the reading of the reply.
    """

    method: str
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    ms: float

    def ok(self) -> dict[str, Any]:
        """The result; an error fails the step."""
        if self.result is None:
            raise Failure(f"{self.method} was refused: {self.message}")
        return self.result

    def fault(self, *kinds: str, field: str | None = None) -> dict[str, Any]:
        """The data of an error of one of these kinds; everything else fails the step."""
        wanted = " or ".join(kinds)
        if self.error is None:
            raise Failure(f"{self.method} was accepted; the error {wanted} was due.")
        data = self.data
        demand(
            data.get("kind") in kinds,
            f"{self.method} was refused with {self.kind!r}; the error {wanted} was due.",
        )
        code = KINDS.get(str(self.kind), -32000)
        demand(
            self.error["code"] == code,
            f"The error {self.kind} has the code {self.error['code']}, not {code}.",
        )
        if field is not None:
            demand(data.get("field") == field, f"The error blames {data.get('field')!r}, not {field!r}.")
        return data

    @property
    def kind(self) -> str | None:
        """Of the error."""
        return self.data.get("kind")

    @property
    def data(self) -> dict[str, Any]:
        """Of the error."""
        return {} if self.error is None else self.error["data"]

    @property
    def message(self) -> str:
        """Of the error."""
        return "" if self.error is None else str(self.error["message"])


class Talk:
    """One connection. Every line that comes is checked; every request must get one reply, and no more.

    Args:
        wire: To the engine.
        patience: Seconds that an answer may take where time is not what is checked.
    """

    def __init__(self, wire: Wire, patience: float = PATIENCE) -> None:
        self.wire = wire
        self.patience = patience
        self.lines: deque[str] = deque(maxlen=SHOWN)  # the last ones, both ways
        self.news: list[dict[str, Any]] = []  # notifications that came
        self._ids = itertools.count(1)
        self._waiting: dict[str | int, tuple[str, float]] = {}  # method and time of writing, by id
        self._replies: dict[str | int, Reply] = {}

    # ---- out ----

    def send(
        self, method: str, params: Mapping[str, Any] | None = None, *, number: str | int | None = None
    ) -> str | int:
        """Sends a request; its id."""
        number = next(self._ids) if number is None else number
        message: dict[str, Any] = {"id": number, "method": method}
        if params is not None:
            message["params"] = dict(params)
        self._waiting[number] = (method, time.perf_counter())
        self.raw(json.dumps(message))
        return number

    def raw(self, line: str | bytes) -> None:
        """Sends a line as it is."""
        data = line.encode() if isinstance(line, str) else line
        self._note(">", data)
        self.wire.send(data)

    # ---- in ----

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float | None = None
    ) -> Reply:
        """Sends a request and waits for its reply."""
        return self.reply(self.send(method, params), seconds=seconds)

    def reply(self, number: str | int, *, seconds: float | None = None) -> Reply:
        """The reply to a request that was sent; others that come meanwhile are kept."""
        until = time.perf_counter() + (self.patience if seconds is None else seconds)
        while number not in self._replies:
            self._take(self.message(until - time.perf_counter()))
        return self._replies.pop(number)

    def came(self, number: str | int) -> bool:
        """Whether a reply was read already, while another one was waited for."""
        return number in self._replies

    def message(self, seconds: float | None = None) -> dict[str, Any]:
        """The next message, whatever it is, if it is well formed."""
        try:
            line = self.wire.receive(self.patience if seconds is None else max(seconds, 0))
        except Late:
            raise Failure("No answer came in time.") from None
        if line is None:
            words = self.wire.last_words()
            raise Failure("The engine is gone." + (f" Its last words: {words}" if words else ""))
        self._note("<", line)
        return well_formed(line)

    def unnamed(self, method: str, *, seconds: float | None = None) -> Reply:
        """The next reply, which must have no id, as to a line that could not be read."""
        began = time.perf_counter()
        while "method" in (message := self.message(seconds)):
            self.news.append(message)
        demand(message["id"] is None, f"The reply has the id {message['id']!r}; null was due.")
        return _reply(message, method, began)

    def settle(self, number: str | int) -> None:
        """The reply to this request was read as a plain message."""
        self._waiting.pop(number, None)

    def silent(self) -> None:
        """Fails the step if something comes that nobody asked for."""
        while True:
            try:
                line = self.wire.receive(QUIET)
            except Late:
                return
            if line is None:
                return
            self._note("<", line)
            demand("method" in well_formed(line), "A reply came that nothing waits for.")

    def quiet(self) -> None:
        """Makes sure that nothing but notifications is under way, by a ping."""
        self.ask("ping").ok()

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.news.append(message)
            return
        number = message["id"]
        if number not in self._waiting:
            raise Failure(
                f"A reply came to {number!r}, which nothing waits for: a second one, or one to nobody."
            )
        method, began = self._waiting.pop(number)
        self._replies[number] = _reply(message, method, began)

    def _note(self, way: str, data: bytes) -> None:
        text = printable(data[:WIDTH].decode("utf-8", "replace").strip())
        more = f"... ({len(data):,} bytes)" if len(data) > WIDTH else ""
        self.lines.append(f"{way} {text}{more}")


def well_formed(line: bytes) -> dict[str, Any]:
    """A message as the protocol has it; anything else fails the step."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Failure(f"What came is not JSON: {shown(line)}.") from None
    demand(isinstance(message, dict), f"What came is no object: {shown(line)}.")
    demand(message.get("jsonrpc") == "2.0", '"jsonrpc":"2.0" is missing.')
    if "method" in message:
        _check_notification(message)
    else:
        _check_reply(message)
    found: dict[str, Any] = message
    return found


def _check_notification(message: dict[str, Any]) -> None:
    demand("id" not in message, "A notification has an id.")
    demand(isinstance(message.get("params"), dict), "A notification has no params.")
    known = ("info", "progress", "log")
    demand(
        message["method"] in known,
        f"The notification {shown(message['method'])} is none of {', '.join(known)}.",
    )


def _check_reply(message: dict[str, Any]) -> None:
    number = message.get("id", False)
    demand(
        number is None or (isinstance(number, str | int) and not isinstance(number, bool)),
        "A reply has no id.",
    )
    demand(("result" in message) != ("error" in message), "A reply has not exactly one of result and error.")
    if "result" in message:
        demand(isinstance(message["result"], dict), "A result is no object.")
        return
    error = message["error"]
    demand(isinstance(error, dict), "An error is no object.")
    demand(isinstance(error.get("code"), int), "An error has no code.")
    demand(isinstance(error.get("data"), dict), "An error has no data.")
    demand(isinstance(error["data"].get("kind"), str), "An error has no kind.")
    text = error.get("message")
    demand(
        isinstance(text, str) and text.strip().endswith((".", "?", "!")),
        "The message of an error is no sentence.",
    )
    demand("Traceback" not in str(text), "The message of an error is a traceback.")


def _reply(message: dict[str, Any], method: str, began: float) -> Reply:
    return Reply(method, message.get("result"), message.get("error"), (time.perf_counter() - began) * 1000)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
