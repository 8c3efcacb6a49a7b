"""The real engine with one fault put in: a script for tests of `kibitz check-engine`.

    python bent_engine.py FAULT

A fault is a key of FAULTS, or one of what the main loop looks at: stays (does not leave), dies (at the first error),
noise (writes what is no protocol).
"""

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from kibitz.protocol.host import Host

Message = dict[str, Any]
lock = threading.Lock()


def kind(message: Message) -> str:
    return str(message.get("error", {}).get("data", {}).get("kind", ""))


def without_version(message: Message) -> list[Message]:
    del message["jsonrpc"]
    return [message]


def twice(message: Message) -> list[Message]:
    return [message, message] if message.get("result") else [message]


def silent_about_errors(message: Message) -> list[Message]:
    return [] if "error" in message else [message]


def bare_errors(message: Message) -> list[Message]:
    if "error" in message:
        message["error"]["message"] = "no"
    return [message]


def other_id(message: Message) -> list[Message]:
    if isinstance(message.get("id"), str):
        message["id"] = message["id"].upper() + "!"
    return [message]


def first_move(message: Message) -> list[Message]:
    if "move" in message.get("result", {}):
        message["result"]["move"] = "nonsense"
    return [message]


def no_reasons(message: Message) -> list[Message]:
    message.get("result", {}).pop("moves", None)
    return [message]


def wrong_count(message: Message) -> list[Message]:
    if isinstance(message.get("result", {}).get("n"), int):
        message["result"]["n"] += 1
    return [message]


def random_digest(message: Message) -> list[Message]:
    if "digest" in message.get("result", {}):
        message["result"]["digest"] = f"{time.perf_counter_ns():016x}"
    return [message]


def late(message: Message) -> list[Message]:
    if "result" in message:
        time.sleep(0.08)
    return [message]


def lenient(request: Message) -> Message:
    """Drops the parameters that it does not know."""
    params = request.get("params")
    if isinstance(params, dict):
        params.pop("iteration", None)
        params.pop("nonsense", None)
    return request


def for_ever(request: Message) -> Message:
    """Takes no limit for a limit."""
    if request.get("method") == "go" and not request["params"].keys() & {
        "ms",
        "iterations",
        "clock",
        "until",
    }:
        request["params"]["iterations"] = 10
    return request


def unmasked(request: Message) -> Message:
    """Masks without being asked."""
    if request.get("method") == "new" and "params" in request:
        asked = {"method": "set", "params": {"mask": True}, "id": "mask"}
        host.receive(json.dumps(asked))
    return request


def paceless(request: Message) -> Message:
    if isinstance(request.get("params"), dict):
        request["params"].pop("pace", None)
    return request


def anything_allowed(request: Message) -> Message:
    if request.get("method") == "go":
        request["params"].pop("allow", None)
        request["params"].pop("expect", None)
    return request


def as_it_is(message: Message) -> list[Message]:
    return [message]


FAULTS: dict[str, Callable[[Message], list[Message]]] = {
    "without_version": without_version,
    "twice": twice,
    "silent_about_errors": silent_about_errors,
    "bare_errors": bare_errors,
    "other_id": other_id,
    "first_move": first_move,
    "no_reasons": no_reasons,
    "wrong_count": wrong_count,
    "random_digest": random_digest,
    "late": late,
}
REQUESTS: dict[str, Callable[[Message], Message]] = {
    "lenient": lenient,
    "for_ever": for_ever,
    "unmasked": unmasked,
    "paceless": paceless,
    "anything_allowed": anything_allowed,
}


def send(line: str) -> None:
    message = json.loads(line)
    if message.get("id") == "mask":
        return
    if FAULT == "dies" and "error" in message and kind(message) != "hello_first":
        sys.stdout.flush()
        print("Segmentation fault", file=sys.stderr, flush=True)
        import os

        os._exit(139)
    with lock:
        for each in FAULTS.get(FAULT, as_it_is)(message):
            print(json.dumps(each), flush=True)
        if FAULT == "noise":
            print("iterations: many", flush=True)


FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
host = Host(send)

if __name__ == "__main__":
    for text in sys.stdin.buffer:
        if FAULT in REQUESTS:
            try:
                request = json.loads(text)
                if isinstance(request, dict):
                    text = json.dumps(REQUESTS[FAULT](request)).encode()
            except (ValueError, KeyError, AttributeError):
                pass
        host.receive(text)
        if host.closed:
            break
    host.close()
    if FAULT == "stays":
        time.sleep(600)
