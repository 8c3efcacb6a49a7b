"""An engine that knows no game and misbehaves on demand: a script for tests of what talks to engines.

    python fake_engine.py [MISDEED...]

Every session is a list of events; seat 0 is always to act and may play a or b. A misdeed is one of
    die:METHOD:FLAG     exits with status 3 when METHOD comes, unless the file FLAG is there, which it then makes
    die:METHOD          exits with status 3 whenever METHOD comes
    hang:METHOD         does not answer METHOD
    late:METHOD:MS      answers METHOD so much later
    garbage             writes nonsense before every answer
    nonsense:METHOD     answers METHOD with what is no result
    silent              answers nothing at all
    stay                does not leave when its input ends
    speaks:VERSION      claims to speak that version of the protocol
    forgets             takes up a session, but not all of its events
    noid:METHOD         refuses METHOD without saying which request it means
"""

import json
import sys
import time
from hashlib import blake2b
from pathlib import Path
from typing import Any

MISDEEDS = [each.split(":", 2) for each in sys.argv[1:]]
NONSENSE = (
    "",
    "Segmentation fault (core dumped)",
    "[1, 2]",
    "null",
    '{"id": 999, "result": {}}',
    '{"id"',
    "{}",
)

sessions: dict[str, list[str]] = {}
searches: dict[str, dict[str, Any]] = {}  # what waits for stop, by session
options: dict[str, Any] = {"threads": 1, "seed": 0}


def misdeed(name: str, method: str = "") -> list[str] | None:
    """The words of a misdeed that is asked for."""
    for words in MISDEEDS:
        if words[0] == name and (not method or words[1] == method):
            return words
    return None


def write(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)


def standing(name: str) -> dict[str, Any]:
    events = sessions[name]
    digest = blake2b("\n".join(events).encode(), digest_size=8).hexdigest()
    return {"n": len(events), "turn": {"by": 0, "legal": ["a", "b"]}, "digest": digest}


def best(params: dict[str, Any], reason: str) -> dict[str, Any]:
    rows = [{"move": "a", "visits": 7, "mean": 0.5, "se": 0.1, "line": ["0:a"], "mood": "fine"}]
    done = {"iterations": params.get("iterations", 0), "ms": 0.25, "weather": "rain"}
    return {"move": "a", "reason": reason, "forced": False, "moves": rows} | done


def fault(kind: str, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": -32000, "message": message, "data": {"kind": kind} | more}}


def answer(method: str, number: object, params: dict[str, Any]) -> dict[str, Any] | None:
    """The reply, or None where it comes later."""
    name = params.get("s", "main")
    if method == "hello":
        version = (misdeed("speaks") or ["", "1.0"])[1]
        about = {"engine": {"name": "fake"}, "games": ["nothing"], "limits": {"line_bytes": 4096}}
        return {"result": {"protocol": version} | about}
    if method == "set":
        if "s" not in params:
            options.update(params)
        return {"result": options}
    if method in ("new", "view"):
        events = params.get("events", [])
        sessions[name] = events[:-1] if misdeed("forgets") else list(events)
        return {"result": standing(name)}
    if method in ("event", "undo", "go", "legal", "end") and name not in sessions:
        return fault("unknown_session", f"There is no session {name!r}.", field="s", given=name)
    if method == "event":
        expected = len(sessions[name])
        if params["n"] > expected:
            return fault("gap", "Some are missing.", given=params["n"], expected=expected)
        bad = [event for event in params["moves"] if event[2:] not in ("a", "b", "ab")]
        if bad:
            return fault(
                "illegal_move", f"{bad[0]} is not legal.", given=bad[0], allowed=["0:a", "0:b"], rule="fake 1"
            )
        sessions[name] += [f"{event[:2]}{move}" for event in params["moves"] for move in event[2:]]
        return {"result": standing(name)}
    if method == "undo":
        del sessions[name][params["n"] :]
        return {"result": standing(name)}
    if method == "legal":
        return {"result": {"moves": ["a", "b"]}}
    if method == "state":
        return {"result": standing(name) | {"view": {"record": sessions[name]}, "text": ""}}
    if method == "go":
        if name in searches:
            return fault("busy", "A search is under way.")
        if params.get("until") == "stop":
            searches[name] = {"id": number, "params": params}
            write({"method": "info", "params": {"s": name, "id": number, "iterations": 5, "moves": []}})
            return None
        return {"result": best(params, "iterations")}
    if method == "stop":
        search = searches.pop(name, None)
        if search is not None:
            write({"id": search["id"], "result": best(search["params"], "stop")})
        return {"result": {}}
    if method == "end":
        sessions.pop(name, None)
        return {"result": {}}
    if method in ("review", "bench"):
        for done in (1, 2):
            write({"method": "progress", "params": {"id": number, "done": done, "of": 2}})
        return {"result": {"signature": "0"}}
    if method in ("ping", "quit"):
        return {"result": {}}
    if method == "rules":
        return {"result": {"game": params["game"]}}
    return {
        "error": {
            "code": -32601,
            "message": f"There is no method {method!r}.",
            "data": {"kind": "unknown_method"},
        }
    }


def react(line: str) -> None:
    request = json.loads(line)
    method, number = request["method"], request.get("id")
    if (words := misdeed("die", method)) is not None and not (len(words) > 2 and Path(words[2]).exists()):
        if len(words) > 2:
            Path(words[2]).touch()
        print("out of cheese", "redo from start", sep="\n", file=sys.stderr, flush=True)
        sys.exit(3)
    if misdeed("silent") or misdeed("hang", method):
        return
    if (words := misdeed("late", method)) is not None:
        time.sleep(float(words[2]) / 1000)
    reply = answer(method, number, request.get("params", {}))
    if misdeed("garbage"):
        print(*NONSENSE, sep="\n", flush=True)
    if reply is None or number is None:
        return
    if misdeed("nonsense", method):
        write({"id": number, "result": "well"})
    elif misdeed("noid", method):
        write({"id": None} | fault("parse", "What was that?"))
    else:
        write({"id": number} | reply)
    if method == "quit" and not misdeed("stay"):
        sys.exit()


if __name__ == "__main__":
    for text in sys.stdin:
        react(text)
    if misdeed("stay"):
        time.sleep(600)
