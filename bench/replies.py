"""Measure the bot protocol: how late replies are, what a message costs, how fast sessions come back.

    ./dev bench replies                 # all of it: about ten minutes
    ./dev bench replies --calls 100     # fewer calls of each limit
    ./dev bench replies --json FILE     # also write the figures

Replies are measured from before the line is written to after the reply is read, on stdin and stdout of a process of
its own, while two other sessions of that process search without end, so both cores are busy.
"""

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Self

import kibitz
import machine

LIMITS = (20, 50, 200)
CALLS = 1000
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (("kami", {}), ("thecrew", {"mission": 4}), ("hearts", {}))
SESSIONS = 200
RESUMED = 50

Row = dict[str, Any]


class Wire:
    """An engine as a process, spoken to in lines; replies are found by their id."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kibitz", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._replies: dict[int, dict[str, Any]] = {}
        self._arrived = threading.Condition()
        self._ids = iter(range(1, 10**9))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            at = perf_counter()
            message = json.loads(line)
            if "id" in message:
                with self._arrived:
                    self._replies[message["id"]] = message | {"at": at}
                    self._arrived.notify_all()

    def send(self, method: str, **params: Any) -> int:
        """Writes a request; its id."""
        assert self.process.stdin is not None
        id_ = next(self._ids)
        line = json.dumps({"id": id_, "method": method, "params": params}) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        return id_

    def reply(self, id_: int) -> dict[str, Any]:
        """Waits for a reply; with `at`, when it was read."""
        with self._arrived:
            while id_ not in self._replies:
                if not self._arrived.wait(60):
                    raise TimeoutError(f"no reply to {id_}")
            return self._replies.pop(id_)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        found = self.reply(self.send(method, **params))
        if "error" in found:
            raise RuntimeError(found["error"]["message"])
        result: dict[str, Any] = found["result"]
        return result

    def close(self) -> None:
        """Ends the process."""
        self.ask("quit")
        self.process.wait(10)

    def __enter__(self) -> Self:
        self.ask("hello", protocol="1")
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def opening(slug: str, options: dict[str, Any], seed: int = 1) -> dict[str, Any]:
    """Parameters of `new` for the seat that decides first where most is hidden: at the start."""
    table = kibitz.load(slug, **options).deal(seed=seed)
    while table.turn is not None and len(table.legal()) == 1:
        table.play(table.legal()[0])
    view = table.view()
    return {
        "game": slug,
        "options": options,
        "seat": view.seat,
        "start": view.start,
        "events": list(view.record),
    }


def spread(values: Sequence[float]) -> Row:
    """Least, median, 99th percentile, most."""
    ordered = sorted(values)
    shares = {"median": 0.5, "p90": 0.9, "p99": 0.99}
    found = {
        name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in shares.items()
    }
    return {"least": ordered[0]} | found | {"most": ordered[-1]}


def replies(wire: Wire, calls: int, say: Any) -> list[Row]:
    """How late replies of `go` with `ms` are, by game and limit."""
    rows = []
    for slug, options in GAMES:
        wire.ask("new", s=slug, **opening(slug, options))
        for ms in LIMITS:
            late = []
            for _ in range(calls):
                start = perf_counter()
                id_ = wire.send("go", s=slug, ms=ms)
                late.append((wire.reply(id_)["at"] - start) * 1000 - ms)
            row = {
                "what": f"{slug}, {ms} ms",
                "calls": calls,
                "late_ms": spread(late),
                "allowed": 5 + 0.02 * ms,
            }
            rows.append(row)
            say(row)
        wire.ask("end", s=slug)
    return rows


def answers(wire: Wire, method: str, calls: int, say: Any, **params: Any) -> Row:
    """How long an answer takes while searches run."""
    took = []
    for _ in range(calls):
        start = perf_counter()
        took.append((wire.reply(wire.send(method, **params))["at"] - start) * 1000)
    row = {"what": f"{method} during searches", "calls": calls, "took_ms": spread(took)}
    say(row)
    return row


def stops(wire: Wire, calls: int, say: Any) -> Row:
    """How long `stop` takes to end a search."""
    took = []
    wire.ask("new", s="stopped", **opening("kami", {}))
    for _ in range(calls):
        go = wire.send("go", s="stopped", until="stop")
        wire.ask("ping")
        start = perf_counter()
        wire.ask("stop", s="stopped")
        took.append((perf_counter() - start) * 1000)
        wire.reply(go)
    row = {"what": "stop", "calls": calls, "took_ms": spread(took)}
    say(row)
    return row


def round_trips(calls: int, say: Any) -> Row:
    """What a `go` with one iteration costs, nothing else running."""
    with Wire() as wire:
        wire.ask("new", s="a", **opening("kami", {}))
        took = []
        for _ in range(calls):
            start = perf_counter()
            took.append((wire.reply(wire.send("go", s="a", iterations=1))["at"] - start) * 1000)
    row = {"what": "go, 1 iteration, round trip", "calls": calls, "took_ms": spread(took)}
    say(row)
    return row


def crowd(say: Any) -> Row:
    """Many sessions that ask at the same moment, with 200 ms each."""
    with Wire() as wire:
        starts = [opening("kami", {}, seed=seed) for seed in range(SESSIONS)]
        for index, start in enumerate(starts):
            wire.ask("new", s=str(index), **start)
        begun = perf_counter()
        ids = [wire.send("go", s=str(index), ms=200) for index in range(SESSIONS)]
        found = [wire.reply(id_) for id_ in ids]
    late = [(each["at"] - begun) * 1000 - 200 for each in found]
    row = {
        "what": f"{SESSIONS} sessions at once, 200 ms",
        "calls": SESSIONS,
        "late_ms": spread(late),
        "answered": sum("result" in each for each in found),
        "iterations": spread([each["result"]["iterations"] for each in found if "result" in each]),
    }
    say(row)
    return row


def resumed(say: Any) -> Row:
    """Sessions in the middle of their games, again from their events in a process that has just started."""
    news = [middle(seed) for seed in range(RESUMED)]
    first = Wire()
    first.ask("hello", protocol="1")
    before = [first.ask("new", s=str(index), **new)["digest"] for index, new in enumerate(news)]
    first.process.kill()
    first.process.wait()
    start = perf_counter()
    with Wire() as again:
        ids = [again.send("new", s=str(index), **new) for index, new in enumerate(news)]
        after = [again.reply(id_)["result"]["digest"] for id_ in ids]
        seconds = perf_counter() - start
    row = {
        "what": f"{RESUMED} sessions resumed, start of the process included",
        "seconds": seconds,
        "same": before == after,
    }
    say(row)
    return row


def middle(seed: int) -> dict[str, Any]:
    """Parameters of `new` for a seat in the middle of a round of Kami."""
    table = kibitz.load("kami", rounds=1).deal(seed=seed)
    for _ in range(20):
        if table.turn is not None:
            table.play(table.legal()[-1])
    view = table.view(seat=seed % 4)
    return {
        "game": "kami",
        "options": {"rounds": 1},
        "seat": view.seat,
        "start": view.start,
        "events": list(view.record),
    }


def measure(calls: int, say: Any) -> dict[str, Any]:
    """All of it."""
    facts = machine.facts()
    rows: list[Row] = [round_trips(calls, say), resumed(say), crowd(say)]
    with Wire() as wire:
        for index in range(2):
            wire.ask("new", s=f"busy{index}", **opening("kami", {}, seed=9 + index))
            wire.send("go", s=f"busy{index}", until="stop")
        rows += replies(wire, calls, say)
        rows.append(answers(wire, "ping", calls, say))
        rows.append(stops(wire, calls, say))
        for index in range(2):
            wire.ask("stop", s=f"busy{index}")
    return {"machine": facts, "rows": rows}


def say(row: Row) -> None:
    """A row as it is measured."""
    parts = [f"{row['what']:<58}"]
    parts += [
        f"{name} " + " ".join(f"{key} {value:,.2f}" for key, value in row[name].items())
        for name in ("late_ms", "took_ms", "iterations")
        if name in row
    ]
    parts += [f"{name} {row[name]}" for name in ("allowed", "answered", "seconds", "same") if name in row]
    print("  ".join(parts), file=sys.stderr, flush=True)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(None if arguments is None else list(arguments))
    found = measure(given.calls, say)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
