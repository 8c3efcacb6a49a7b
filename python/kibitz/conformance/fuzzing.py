"""Step: thousands of broken lines."""

import json
from typing import Any

from kibitz.conformance.mutations import bent, harmless
from kibitz.conformance.steps import Check, Position, step
from kibitz.conformance.talk import Failure, Talk, demand

WAIT = 0.02  # seconds after which a search that a broken line has started is told to stop
NAMES = ("fuzz-a", "fuzz-b")


@step()
def random_lines(check: Check) -> None:
    """Broken lines by the thousand get one well-formed reply each, and no error changes a session."""
    talk = check.fresh()
    positions = [check.choice(), check.choice()]
    corpus = _corpus(positions)
    states: dict[str, object] = {}
    for _ in range(check.lines):
        for name, position in zip(NAMES, positions, strict=True):
            if states.get(name) is None:  # it was ended by a line that was in order
                place = position.place() | {"s": name, "events": position.events, "replace": True}
                talk.ask("new", place).ok()
                states[name] = _state(talk, name)
        line = bent(check.random, corpus)
        while not harmless(line) or not (check.is_process or _is_text(line)):
            line = bent(check.random, corpus)
        refused = _answered(talk, line)
        now = {name: _state(talk, name) for name in NAMES}
        if refused:
            demand(now == states, f"An error changed a session: {states!r} before it, {now!r} after it.")
        states = now


def _corpus(positions: list[Position]) -> list[str]:
    """Valid lines of all methods that may be bent."""
    lines: list[tuple[str, dict[str, Any]]] = [
        ("ping", {}),
        ("hello", {"protocol": "1"}),
        ("set", {"seed": 3}),
    ]
    for name, position in zip(NAMES, positions, strict=True):
        game, here = position.table.game.slug, {"s": name}
        own = f"{position.seat}:{position.view.legal()[0]}"
        view = {"seat": position.seat, "start": position.view.start, "record": position.events}
        lines += [
            ("rules", {"game": game}),
            ("new", here | position.place() | {"events": position.events, "replace": True}),
            ("event", here | {"n": len(position.events), "moves": [own]}),
            ("event", here | {"n": 0, "moves": position.events}),
            ("view", here | {"game": game, "view": view, "options": position.place()["options"]}),
            ("legal", here),
            ("legal", here | {"move": position.view.legal()[-1]}),
            ("state", here),
            ("go", here | {"iterations": 7, "top": 2, "seed": 1, "scope": "turn", "info_ms": 0}),
            ("go", here | {"ms": 3, "allow": position.view.legal()[:2], "expect": position.view.legal()}),
            ("go", here | {"clock": {"main_ms": 5, "byoyomi_ms": 30, "inc_ms": 1}, "overhead_ms": 1}),
            ("stop", here),
            ("undo", here | {"n": 1}),
            ("end", here),
        ]
    return [
        json.dumps({"jsonrpc": "2.0", "id": f"line-{number}", "method": method, "params": params})
        for number, (method, params) in enumerate(lines)
    ]


def _answered(talk: Talk, line: bytes) -> bool:
    """Sends a line and reads its one reply; whether that is an error. A line without an id has none, or an error."""
    talk.raw(line)
    message = _read(line)
    wanted, has_id = _id_of(message)
    if message is not None and not has_id:
        return _unanswered(talk)
    stopped = False
    while True:
        try:
            reply = talk.message(None if stopped or not _is_go(message) else WAIT)
        except Failure as failure:
            if stopped or str(failure) != "No answer came in time.":
                raise
            stopped = True  # `go` without an end of its own: as it was told, it waits for stop
            assert message is not None
            here = message["params"].get("s", "main") if isinstance(message.get("params"), dict) else "main"
            talk.raw(json.dumps({"method": "stop", "params": {"s": here}}))
            continue
        if "method" not in reply:
            break
    unread = (
        reply["id"] is None
        and "error" in reply
        and reply["error"]["data"]["kind"] in ("parse", "invalid_request")
    )
    demand(unread or reply["id"] == wanted, f"The reply has the id {reply['id']!r}, the line {wanted!r}.")
    demand("error" in reply or message is not None, "A line that is no object was accepted.")
    return "error" in reply


def _unanswered(talk: Talk) -> bool:
    """After a line without an id: log lines or an error may come, but no result."""
    number = talk.send("ping")
    while "method" in (message := talk.message()) or message["id"] is None:
        demand("result" not in message, "A message without an id got a result.")
    demand(message["id"] == number, f"A reply to {message['id']!r} came, which nobody sent.")
    talk.settle(number)
    return False  # stop may have been done, so that there is nothing to compare


def _state(talk: Talk, name: str) -> object:
    """What a session knows; None if it is gone. Any other reply before this one is one too many."""
    reply = talk.ask("state", {"s": name})
    return None if reply.result is None else (reply.result.get("n"), reply.result.get("digest"))


def _read(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _id_of(message: dict[str, Any] | None) -> tuple[str | int | None, bool]:
    """The id that a reply must have, and whether there is one at all, be it null or nonsense."""
    if message is None:
        return None, False
    number = message.get("id")
    fits = isinstance(number, str | int) and not isinstance(number, bool)
    return (number if fits else None), "id" in message


def _is_go(message: dict[str, Any] | None) -> bool:
    return message is not None and message.get("method") == "go"


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
