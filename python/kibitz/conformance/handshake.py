"""Steps: how a conversation begins and ends."""

from typing import Any

from kibitz.conformance.steps import Check, step
from kibitz.conformance.talk import Failure, Talk, demand
from kibitz.conformance.wire import Late

LEAVE = 2.0  # seconds until a process is gone


@step()
def hello(check: Check) -> None:
    """`hello` is answered with the version spoken, the engine's name, its games and features."""
    result = check.fresh(greet=False).ask("hello", {"protocol": "1"}).ok()
    version = result.get("protocol")
    demand(
        isinstance(version, str) and version.split(".")[0] == "1" and "." in version,
        f"protocol is {version!r}; an exact version such as '1.0' was due.",
    )
    demand(isinstance(result.get("engine"), dict) and result["engine"].get("name"), "The engine has no name.")
    for member in ("games", "searches", "features"):
        found = result.get(member)
        demand(
            isinstance(found, list) and all(isinstance(each, str) for each in found),
            f"{member} is no list of texts.",
        )
    demand(result["games"], "No game is offered.")


@step()
def hello_first(check: Check) -> None:
    """Anything before `hello` is refused with `hello_first`, and `hello` still works."""
    talk = check.fresh(greet=False)
    talk.ask("ping").fault("hello_first")
    talk.ask("go", {"ms": 1}).fault("hello_first")
    talk.ask("hello", {"protocol": "1"}).ok()
    talk.ask("ping").ok()


@step()
def unsupported_protocol(check: Check) -> None:
    """Another protocol is refused with the versions spoken, and `hello` still works."""
    talk = check.fresh(greet=False)
    allowed = talk.ask("hello", {"protocol": "99"}).fault("unsupported_protocol").get("allowed")
    demand(
        isinstance(allowed, list) and any(str(each).split(".")[0] == "1" for each in allowed),
        f"The versions spoken are not listed: {allowed!r}.",
    )
    talk.ask("ping").fault("hello_first")
    talk.ask("hello", {"protocol": "1"}).ok()


@step()
def rules(check: Check) -> None:
    """`rules` of every game offered names its players, its version, and the schemas of start and view."""
    for game in check.games:
        result = check.talk.ask("rules", {"game": game}).ok()
        demand(isinstance(result.get("players"), list) and result["players"], f"rules of {game}: no players.")
        for member in ("start", "view"):
            demand(isinstance(result.get(member), dict), f"rules of {game}: {member} is no JSON Schema.")
        demand(
            any("/" in text for text in _texts(result)), f"rules of {game}: no version such as '{game}/1'."
        )


def _texts(result: dict[str, Any]) -> list[str]:
    return [value for value in result.values() if isinstance(value, str)]


@step()
def settings(check: Check) -> None:
    """`set` tells the values in force; if one is refused, none is set."""
    talk = check.fresh()
    before = talk.ask("set", {}).ok()
    demand(talk.ask("set", {"seed": 77}).ok().get("seed") == 77, "The seed that was set is not told.")
    talk.ask("set", {"seed": 78, "overhead_ms": -5}).fault("bad_value", field="overhead_ms")
    talk.ask("set", {"seed": 78, "sead": 1}).fault("unknown_param", field="sead")
    demand(talk.ask("set", {}).ok() == before | {"seed": 77}, "A refused `set` changed something.")


@step()
def quit_is_answered(check: Check) -> None:
    """`quit` is answered, then the engine leaves."""
    talk = check.fresh()
    talk.ask("quit").ok()
    _gone(check, talk, "quit")


@step()
def quit_without_id(check: Check) -> None:
    """`quit` without an id makes the engine leave without a word."""
    talk = check.fresh()
    talk.raw('{"method":"quit"}')
    _gone(check, talk, "quit")


@step("process")
def end_of_input(check: Check) -> None:
    """The end of the input ends the process, also during a search, which is answered first."""
    talk = check.fresh()
    name = check.open(check.choice(), talk=talk)
    number = talk.send("go", {"s": name, "until": "stop"})
    talk.ask("ping").ok()
    talk.wire.end_input()
    talk.reply(number)  # a move, or that it was cancelled
    _gone(check, talk, "the end of the input")


def _gone(check: Check, talk: Talk, after: str) -> None:
    try:
        while (line := talk.wire.receive(LEAVE * check.slack)) is not None:
            raise Failure(f"After {after} another line came: {line[:200]!r}.")
        status = talk.wire.leave(LEAVE * check.slack)
    except Late:
        raise Failure(f"After {after} the engine is still there.") from None
    demand(status == 0, f"After {after} the engine left with exit status {status}.")
