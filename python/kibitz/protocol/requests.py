"""From a line to a request: JSON-RPC 2.0, one object a line, checked by the models of `messages`."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

from pydantic import ValidationError

from kibitz.errors import did_you_mean, shown
from kibitz.protocol.faults import Fault
from kibitz.protocol.messages import LINE_BYTES, METHODS, Params

__all__ = ["NoReply", "Request", "checked_params", "read_request"]

WITHOUT_ID = ("stop", "quit")
MEMBERS = ("jsonrpc", "id", "method", "params")
TRIED = ("list", "dict", "str", "int", "float", "bool", "none")  # as a validator calls alternatives
DEEPEST = 4

Id = int | str | None


@dataclass(frozen=True)
class Request:
    """A request of known method; `id` is None for those that want no reply."""

    id: Id
    method: str
    params: dict[str, Any]


@dataclass(frozen=True)
class NoReply:
    """What is wrong with a message that wants no reply."""

    fault: Fault


def read_request(line: str | bytes) -> tuple[Id, Request | Fault | NoReply]:
    """The id to answer to, and the request or what is wrong with it."""
    try:
        message = _parsed(line)
    except Fault as fault:
        return None, fault
    given = message.get("id")
    id_ = given if isinstance(given, str | int) and not isinstance(given, bool) and _short(given) else None
    try:
        return id_, _request(message, id_)
    except Fault as fault:
        notified = "id" not in message and message.get("method") in WITHOUT_ID
        return id_, NoReply(fault) if notified else fault


def checked_params(model: type[Params], method: str, params: dict[str, Any]) -> Any:
    """The parameters of a method as its model.

    Raises:
        Fault: unknown_param or bad_value, of what is wrong first.
    """
    try:
        return model.model_validate(params)
    except ValidationError as error:
        raise _fault(model, method, error) from None


def _parsed(line: str | bytes) -> dict[str, Any]:
    size = len(line) if isinstance(line, bytes) else len(line.encode("utf-8", "surrogatepass"))
    if size > LINE_BYTES:
        raise Fault("parse", f"The line has {size:,} bytes; at most {LINE_BYTES:,} are read.", given=size)
    try:
        text = line.decode() if isinstance(line, bytes) else line
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        raise Fault("parse", "The line is nested too deeply.") from None
    except UnicodeDecodeError as error:
        raise Fault("parse", f"The line is not UTF-8: {error.reason} at byte {error.start}.") from None
    except json.JSONDecodeError as error:
        raise Fault("parse", f"The line is not JSON: {error.msg} at character {error.pos}.") from None
    except ValueError as error:  # a number of thousands of digits
        raise Fault("parse", f"The line is not JSON that can be read: {error}.") from None
    if isinstance(value, list):
        raise Fault("invalid_request", "Batches are refused, since order matters: send one request a line.")
    if not isinstance(value, dict):
        raise Fault("invalid_request", f"A request is a JSON object, not {told(value)}.", given=value)
    return value


def _request(message: dict[str, Any], id_: Id) -> Request:
    for name in message:
        if name not in MEMBERS:
            raise Fault(
                "invalid_request",
                f"A request has no member {shown(name)}{did_you_mean(name, MEMBERS)} Members: {', '.join(MEMBERS)}.",
                field=name,
                allowed=MEMBERS,
            )
    if message.get("jsonrpc", "2.0") != "2.0":
        raise Fault(
            "invalid_request",
            "'jsonrpc' is '2.0', or left out.",
            field="jsonrpc",
            given=message["jsonrpc"],
            allowed=["2.0"],
        )
    method = message.get("method")
    if not isinstance(method, str):
        raise Fault("invalid_request", "The request has no 'method', a text.", field="method", given=method)
    if "id" in message and id_ is None:
        raise Fault(
            "invalid_request",
            f"'id' cannot be {told(message['id'])}; it is a text of at most 200 characters or a whole number.",
            field="id",
        )
    if method not in METHODS:
        raise Fault(
            "unknown_method",
            f"There is no method {shown(method)}{did_you_mean(method, list(METHODS))} Methods: {', '.join(METHODS)}.",
            field="method",
            given=method,
            allowed=METHODS,
        )
    if id_ is None and method not in WITHOUT_ID:
        raise Fault(
            "invalid_request",
            f"'id' is missing: {method} has a reply. Only {' and '.join(WITHOUT_ID)} may come without.",
            field="id",
        )
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise Fault(
            "invalid_request", f"'params' is an object, not {told(params)}.", field="params", given=params
        )
    return Request(id_, method, params)


def _fault(model: type[Params], method: str, error: ValidationError) -> Fault:
    """What is wrong first, in words. Unknown names come before the rest: they explain what is missing."""
    errors = error.errors(include_url=False)
    unknown = [each for each in errors if each["type"] == "extra_forbidden"]
    first = (unknown or errors)[0]
    path = [str(part) for part in first["loc"]]
    if unknown:
        keys = _keys(model, tuple(path[:-1]))
        where = f" in '{_where(path[:-1])}'" if len(path) > 1 else ""
        return Fault(
            "unknown_param",
            f"{method} has no parameter {shown(path[-1])}{where}{did_you_mean(path[-1], keys)} Nothing was done.",
            field=_where(path),
            allowed=sorted(keys),
        )
    field = _where(path)
    if first["type"] == "missing":
        return Fault("bad_value", f"{method} needs '{field}'. Nothing was done.", field=field)
    needed = _needed(first)
    return Fault(
        "bad_value",
        f"{method}: '{field or 'a name'}' cannot be {told(first['input'])}; it should be {needed}. Nothing was done.",
        field=field or None,
        given=first["input"],
    )


def _needed(error: Any) -> str:
    words = {
        "bool_type": "true or false",
        "dict_type": "an object",
        "int_type": "a whole number",
        "float_type": "a number",
        "list_type": "a list",
        "model_type": "an object",
        "string_type": "a text",
        "string_unicode": "a text of whole characters",
    }
    kind: str = error["type"]
    if kind == "too_long":
        return f"a list of at most {error['ctx']['max_length']:,}"
    if kind == "string_too_long":
        return f"a text of at most {error['ctx']['max_length']:,} characters"
    message: str = error["msg"]
    said = words.get(kind) or message.removeprefix("Input should be ").removeprefix("a valid ")
    return said[0].lower() + said[1:] if said else "something else"


@cache
def _keys(model: type[Params], path: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a model, or one of its parts, takes."""
    for name in path:
        field = model.model_fields.get(name)
        parts = [] if field is None else [part for part in _types(field.annotation) if isinstance(part, type)]
        inner = [part for part in parts if issubclass(part, Params)]
        if not inner:
            return ()
        model = inner[0]
    return tuple(model.model_fields)


def _types(annotation: Any) -> list[Any]:
    arguments = getattr(annotation, "__args__", ())
    return [annotation, *(inner for each in arguments for inner in _types(each))]


def _where(path: list[str]) -> str:
    """`moves[2]`, `clock.main_ms`; without the names of alternatives that a validator tried, and not too deep."""
    named = [each for each in path if each.isdigit() or each.replace("_", "").isalnum()]
    kept = [each for each in named if each not in TRIED][:DEEPEST]
    return "".join(
        f"[{each}]" if each.isdigit() else each if index == 0 else f".{each}"
        for index, each in enumerate(kept)
    )


def told(value: object) -> str:
    """A value inside a sentence, in JSON's words where it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shown(value)


def _short(value: str | int) -> bool:
    return len(value) <= 200 if isinstance(value, str) else abs(value) < 2**63


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Fault("parse", f"The key {shown(twice)} is given twice.", given=twice)
    return found


def _no_constant(name: str) -> NoReturn:
    raise Fault("parse", f"{name} is no JSON number.", given=name)
