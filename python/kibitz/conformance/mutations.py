"""Lines that are nearly right: valid ones, bent at random, and plain noise."""

import json
import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

__all__ = ["bent", "harmless"]

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 1e308, 1.5, -0.0, "", "x", "main", "ü", "\ud800",
    "\u0000", "0:", "9:p", "a" * 300, [], [[]], {}, {"": {}}, [None], ["p"], [0, 1], {"name": "flat"}, [[[[]]]],
)  # fmt: skip
KEYS = (
    "s",
    "n",
    "moves",
    "game",
    "seat",
    "start",
    "ms",
    "iterations",
    "top",
    "allow",
    "expect",
    "seed",
    "scope",
    "",
    "x",
)
METHODS = (
    "ping",
    "new",
    "event",
    "view",
    "legal",
    "state",
    "go",
    "stop",
    "undo",
    "end",
    "set",
    "rules",
    "hello",
    "Go",
    "",
)
NOISE = b'{}[]":,\\/0123456789.eE+- \tnulltruefalseid"method"params' + bytes(range(1, 256))


def bent(rng: random.Random, corpus: Sequence[str]) -> bytes:
    """A line made from valid ones; without a line's end in it."""
    line = rng.choice(corpus)
    way = rng.random()
    if way < 0.75:
        made = _bent_value(rng, json.loads(line)).encode()
    elif way < 0.88:
        made = _bent_text(rng, line.encode())
    elif way < 0.96:
        other = rng.choice(corpus)
        made = (line[: rng.randrange(len(line))] + other[rng.randrange(len(other)) :]).encode()
    else:
        made = bytes(rng.choice(NOISE) for _ in range(rng.randrange(1, 80)))
    return made.replace(b"\n", b" ").replace(b"\r", b" ")


def harmless(line: bytes) -> bool:
    """Whether it may be sent: not blank, nothing that ends the conversation or takes long by itself."""
    if not line.strip():
        return False
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return True
    if not isinstance(message, dict):
        return True
    params = message.get("params")
    held = isinstance(params, dict) and ("pace" in params or "ponder" in params)
    return not held and message.get("method") not in ("quit", "review", "bench")


def _bent_value(rng: random.Random, message: dict[str, Any]) -> str:
    """A message in which one to three values, keys or members are others."""
    for _ in range(rng.randrange(1, 4)):
        holder, key = _place(rng, message)
        if isinstance(holder, dict):
            holder.setdefault(key, None)  # the only place of an empty message
        way = rng.randrange(5)
        if way == 0:
            holder[key] = deepcopy(rng.choice(ODD))
        elif way == 1 and isinstance(holder, dict):
            holder[rng.choice(KEYS)] = deepcopy(rng.choice(ODD))
        elif way == 2 and isinstance(holder, dict):
            del holder[key]
        elif way == 3 and isinstance(holder[key], str):
            holder[key] = _bent_text(rng, holder[key].encode("utf-8", "surrogatepass")).decode(
                "utf-8", "replace"
            )
        elif way == 4 and rng.random() < 0.3:
            message["method"] = rng.choice(METHODS)
    return json.dumps(message)


def _place(rng: random.Random, message: dict[str, Any]) -> tuple[Any, Any]:
    """A list or an object within a message, and an index or key of it; most often among the parameters."""
    outer: list[tuple[Any, Any]] = [(message, key) for key in message] or [(message, "method")]
    inner: list[tuple[Any, Any]] = []
    left: list[Any] = [message.get("params")]
    while left:
        holder = left.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            inner += [(holder, key) for key in keys]
            left += [holder[key] for key in keys]
    return rng.choice(inner if inner and rng.random() < 0.8 else outer)


def _bent_text(rng: random.Random, text: bytes) -> bytes:
    """A text in which one to four bytes are gone, doubled, or others."""
    data = bytearray(text or b"x")
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data))
        way = rng.randrange(3)
        if way == 0 and len(data) > 1:
            del data[at]
        elif way == 1:
            data.insert(at, rng.choice(NOISE))
        else:
            data[at] = rng.choice(NOISE)
    return bytes(data)
