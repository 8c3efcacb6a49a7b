"""Steps: lines, messages, ids, methods and parameters, before any game comes into it."""

import json

from kibitz.conformance.steps import Check, digest, step, unchanged
from kibitz.conformance.talk import Failure, Talk, demand

LINE_BYTES = 1 << 20


@step()
def parse(check: Check) -> None:
    """A line that is no JSON is refused with `parse` and the id null."""
    deep = "[" * 100_000 + "]" * 100_000
    for line in (
        "hello",
        "{",
        '{"id":1,"method":"ping"',
        '{"id":1}}',
        "NaN",
        '{"id":NaN,"method":"ping"}',
        deep,
    ):
        check.talk.raw(line)
        check.talk.unnamed("a line").fault("parse", "invalid_request")
        check.talk.quiet()


NO_REQUESTS: tuple[dict[str, object], ...] = (
    {},
    {"method": 7},
    {"method": "ping", "params": 7},
    {"method": "ping", "params": [1]},
    {"jsonrpc": "1.0", "method": "ping"},
)


@step()
def invalid_request(check: Check) -> None:
    """JSON that is no request is refused with `invalid_request`."""
    for line in ("7", '"ping"', "null", "true"):
        check.talk.raw(line)
        check.talk.unnamed("a line").fault("invalid_request")
    for number, message in enumerate(NO_REQUESTS):
        _answered_to(check.talk, f"request-{number}", message)
    check.talk.quiet()


def _answered_to(talk: Talk, name: str, message: dict[str, object]) -> None:
    talk.raw(json.dumps({"id": name} | message))
    reply = talk.message()
    demand(reply.get("id") == name, f"The reply has the id {reply.get('id')!r}, not {name!r}.")
    kind = reply.get("error", {}).get("data", {}).get("kind")
    demand(
        kind in ("invalid_request", "bad_value"),
        f"{message} was answered with {kind!r}; invalid_request was due.",
    )


@step()
def batch(check: Check) -> None:
    """A batch is refused as a whole: one error, and nothing of it is done."""
    talk = check.talk
    before = talk.ask("set", {}).ok()
    talk.raw('[{"id":1,"method":"set","params":{"seed":123}},{"id":2,"method":"ping"}]')
    talk.unnamed("a batch").fault("invalid_request")
    demand(talk.ask("set", {}).ok() == before, "A part of a batch was done.")


@step()
def ids(check: Check) -> None:
    """Ids are texts or whole numbers and come back as they were; others are refused."""
    talk = check.talk
    for number in ("a", "", "1", "ü\u2028\n", "x" * 100, 0, -7, 2**53):
        talk.reply(talk.send("ping", number=number)).ok()
    odds: tuple[object, ...] = (True, 1.5, [], {}, [1], None)
    for odd in odds:
        talk.raw(json.dumps({"id": odd, "method": "ping"}))
        talk.unnamed("a request with such an id").fault("invalid_request")


@step()
def no_id(check: Check) -> None:
    """A message without an id is not answered, and done only if it is `stop` or `quit`."""
    talk = check.talk
    before = talk.ask("set", {}).ok()
    talk.raw('{"method":"stop"}')
    talk.quiet()
    talk.raw('{"method":"set","params":{"seed":12345}}')
    number = talk.send("set", {})
    while "method" in (message := talk.message()) or message["id"] is None:
        demand(
            "result" not in message, "A message without an id got a result."
        )  # a log line or an error are fair
    demand(message["id"] == number, f"A reply to {message['id']!r} came, which nobody sent.")
    talk.settle(number)
    demand(message.get("result") == before, "A message without an id was done.")


@step()
def unknown_method(check: Check) -> None:
    """An unknown method is refused, and the nearest one offered."""
    reply = check.talk.ask("evnt", {})
    reply.fault("unknown_method")
    demand("event" in reply.message, "The message does not offer 'event'.")
    check.talk.ask("", {}).fault("unknown_method", "invalid_request")


@step()
def unknown_param(check: Check) -> None:
    """A misspelt parameter is refused, never ignored; the nearest one is offered."""
    name = check.open(check.choice())
    before = digest(check.talk, name)
    reply = check.talk.ask("go", {"s": name, "iteration": 1000})
    allowed = reply.fault("unknown_param", field="iteration").get("allowed", [])
    demand("iterations" in allowed, "The parameters allowed are not listed.")
    demand("iterations" in reply.message, "The message does not offer 'iterations'.")
    for method in ("ping", "quit", "stop", "state", "legal"):
        check.talk.ask(method, {"nonsense": 1}).fault("unknown_param", field="nonsense")
    unchanged(check.talk, name, before)


WRONG = {
    "ms": (0, -1, "5", True, None, [], 1e300),
    "iterations": (0, -1, 1.5, "5", True, 10**30),
    "until": ("end", True),
    "top": (-1, "some", 1.5, True),
    "scope": ("game", 1),
    "allow": ("p", [1], {}),
    "seed": (-1, "1", 1.5, True, 2**64),
    "info_ms": (-1, "1"),
    "ponder": (1, "true"),
    "clock": (1, {"main_ms": -1}, {"main_ms": "1"}, {"main": 1}),
    "pace": (1, {"min_ms": -1}, {"wait": 1}),
    "s": (1, None, [], {}),
}


@step()
def bad_value(check: Check) -> None:
    """A parameter of the wrong type or out of range is refused with its name; nothing is searched."""
    name = check.open(check.choice())
    before = digest(check.talk, name)
    for field, values in WRONG.items():
        for value in values:
            limit = {} if field in ("ms", "iterations", "until", "clock") else {"iterations": 1}
            reply = check.talk.ask("go", {"s": name} | limit | {field: value})
            try:
                blamed = reply.fault("bad_value", "unknown_param", "no_limit").get("field")
            except Failure as failure:
                raise Failure(f"go with {field} = {value!r}: {failure}") from None
            demand(
                blamed is None or str(blamed).startswith(field),
                f"go with {field} = {value!r} blames {blamed!r}.",
            )
    unchanged(check.talk, name, before)


@step("process")
def blank_lines(check: Check) -> None:
    """Blank lines are passed over, or refused once each; a line may end with a carriage return."""
    talk = check.talk
    blanks = ("", " ", "\t", "\r")
    for line in blanks:
        talk.raw(line)
    number, refused = talk.send("ping"), 0
    while (message := talk.message()).get("id") != number:
        kind = message.get("error", {}).get("data", {}).get("kind")
        demand("method" in message or kind in ("parse", "invalid_request"), f"A blank line got {message!r}.")
        refused += "method" not in message
    talk.settle(number)
    demand(refused <= len(blanks), f"{len(blanks)} blank lines got {refused} replies.")
    talk.raw('{"id":"cr","method":"ping"}\r')
    demand(talk.message().get("id") == "cr", "A line that ends with a carriage return is not understood.")


@step("process")
def invalid_utf8(check: Check) -> None:
    """Bytes that are no UTF-8 are refused with `parse`."""
    check.talk.raw(b'{"id":1,"method":"ping\xff"}')
    check.talk.unnamed("a line").fault("parse")
    check.talk.quiet()


@step("process")
def long_line(check: Check) -> None:
    """A line of 1 MiB is read; a longer one is refused, with one reply, whatever it is."""
    talk = check.talk
    line = json.dumps({"id": "long", "method": "ping"})
    talk.raw(line + " " * (LINE_BYTES - len(line) - 1))
    demand(talk.message().get("id") == "long", "A line of 1 MiB is not understood.")
    for size in (LINE_BYTES + 100, 3 * LINE_BYTES):
        talk.raw(line + " " * size)
        talk.unnamed("a long line").fault("parse", "invalid_request")
    talk.quiet()
