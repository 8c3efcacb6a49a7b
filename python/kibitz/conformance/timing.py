"""Steps: what must be in time. A bound that was missed is tried again, for a machine has other things to do."""

import json
import time
from collections.abc import Callable

from kibitz.conformance.steps import Check, Position, step
from kibitz.conformance.talk import Failure, demand

TRIES = 5
AT_ONCE = 50.0  # ms for stop and ping during a search
LATE = 25.0  # ms by which a limit may be missed at most


@step()
def stop(check: Check) -> None:
    """`stop` during a search is answered within 50 ms, after the result of `go`."""
    talk, position = check.talk, check.choice()
    name = check.open(position)

    def once() -> float:
        number = talk.send("go", {"s": name, "until": "stop"})
        talk.ask("ping").ok()
        stopping = talk.send("stop", {"s": name})
        reply = talk.reply(stopping)
        reply.ok()
        demand(talk.came(number), "The result of go did not come before that of stop.")
        result = talk.reply(number).ok()
        demand(result.get("reason") == "stop", f"The reason is {result.get('reason')!r}, not 'stop'.")
        demand(result.get("move") in position.view.legal(), f"The move {result.get('move')!r} is not legal.")
        return reply.ms

    _in_time(check, once, AT_ONCE, "stop was answered")


@step()
def stop_when_idle(check: Check) -> None:
    """`stop` when nothing runs is answered, and stops nothing that comes later."""
    position = check.choice()
    name = check.open(position)
    check.talk.ask("stop", {"s": name}).ok()
    result = check.talk.ask("go", {"s": name, "iterations": 100}).ok()
    demand(result.get("reason") != "stop", "A stop from before ended the search.")


@step()
def stop_at_once(check: Check) -> None:
    """`stop` right behind its `go` ends it, even if the search has not begun."""
    talk, position = check.talk, check.choice()
    for _ in range(TRIES):
        name = check.name()
        place = position.place() | {"s": name, "events": position.events}
        opening, number = talk.send("new", place), talk.send("go", {"s": name, "until": "stop"})
        stopping = talk.send("stop", {"s": name})
        talk.reply(opening).ok()
        demand(talk.reply(number).ok().get("move") in position.view.legal(), "The move is not legal.")
        talk.reply(stopping).ok()


@step()
def ping_during_search(check: Check) -> None:
    """`ping` during a search is answered within 50 ms, and before the search."""
    talk = check.talk
    name = check.open(check.choice())

    def once() -> float:
        number = talk.send("go", {"s": name, "until": "stop"})
        talk.ask("ping").ok()
        reply = talk.ask("ping")
        reply.ok()
        demand(not talk.came(number), "The search ended by itself.")
        talk.ask("stop", {"s": name}).ok()
        talk.reply(number).ok()
        return reply.ms

    _in_time(check, once, AT_ONCE, "ping was answered")


@step()
def one_ms(check: Check) -> None:
    """A limit of 1 ms is answered with a legal move, hardly late."""
    _limited(check, 1)


@step()
def ms(check: Check) -> None:
    """A limit in milliseconds is kept, and used."""
    _limited(check, 100)


@step()
def clock(check: Check) -> None:
    """A clock is kept: byoyomi, increment and bank; the engine chooses how much to use."""
    position = check.choice()
    name = check.open(position)
    for times in (
        {"main_ms": 0, "byoyomi_ms": 200},
        {"main_ms": 300, "inc_ms": 20},
        {"main_ms": 0, "byoyomi_ms": 60, "bank_ms": 200},
        {"main_ms": 2000, "moves_left": 20},
    ):
        bound = sum(times.get(part, 0) for part in ("main_ms", "byoyomi_ms", "bank_ms"))

        def once(times: dict[str, int] = times) -> float:
            reply = check.talk.ask("go", {"s": name, "clock": times})
            demand(reply.ok().get("move") in position.view.legal(), "The move is not legal.")
            return reply.ms

        _in_time(check, once, bound, f"with the clock {json.dumps(times)} the answer came")
    empty = check.talk.ask("go", {"s": name, "clock": {"main_ms": 0}})  # at once, or not at all
    if empty.error is not None:
        empty.fault("bad_value", "no_limit")


@step()
def info(check: Check) -> None:
    """`info` lines come while it searches, with the session and the id of the `go`; none without `info_ms`."""
    talk, position = check.talk, check.choice()
    name = check.open(position)
    number = talk.send("go", {"s": name, "until": "stop", "info_ms": 20, "top": 2})
    until = time.perf_counter() + 20 * check.slack
    while len(told := [each["params"] for each in talk.news if each["method"] == "info"]) < 3:
        demand(time.perf_counter() < until, "No three info lines came.")
        talk.ask("ping").ok()
        time.sleep(0.01)
    talk.ask("stop", {"s": name}).ok()
    talk.reply(number).ok()
    for each in told:
        demand(each.get("id") == number, f"An info has the id {each.get('id')!r}, not that of go.")
        demand(each.get("s") == name, f"An info is of session {each.get('s')!r}.")
        demand(len(each.get("moves", [])) <= 2, "An info has more rows than top says.")
    work = [each.get("iterations", 0) for each in told]
    demand(work == sorted(work), f"The iterations do not grow: {work!r}.")
    talk.news.clear()
    talk.ask("go", {"s": name, "ms": 50}).ok()
    demand(
        not [each for each in talk.news if each["method"] == "info"], "An info came that was not asked for."
    )


@step()
def pace(check: Check) -> None:
    """`pace` holds the answer back, forced or not, so that time tells nothing."""
    single = check.position(lambda table: len(table.legal()) == 1, "position with one legal move")
    for position in (check.choice(), single):
        name = check.open(position)
        began = time.perf_counter()
        check.talk.ask("go", {"s": name, "iterations": 1, "pace": {"min_ms": 250, "jitter_ms": 30}}).ok()
        used = (time.perf_counter() - began) * 1000
        demand(used >= 250, f"The answer came after {used:.0f} ms; it had to be held back for 250.")


def _limited(check: Check, limit: float) -> None:
    position: Position = check.choice()
    name = check.open(position)

    def once() -> float:
        reply = check.talk.ask("go", {"s": name, "ms": limit})
        result = reply.ok()
        demand(result.get("move") in position.view.legal(), f"The move {result.get('move')!r} is not legal.")
        demand(
            result.get("reason") in ("ms", "exact", "fallback"), f"The reason is {result.get('reason')!r}."
        )
        return reply.ms

    _in_time(check, once, limit + LATE, f"with ms = {limit:g} the answer came")


def _in_time(check: Check, once: Callable[[], float], bound: float, what: str) -> None:
    """Tries until it is in time; if it never is, that is a failure."""
    tried: list[float] = []
    while not tried or (tried[-1] > bound * check.slack and len(tried) < TRIES):
        tried.append(once())
    if tried[-1] > bound * check.slack:
        times = ", ".join(f"{each:.0f}" for each in tried)
        raise Failure(f"{what} after {times} ms; {bound:g} are allowed.")
