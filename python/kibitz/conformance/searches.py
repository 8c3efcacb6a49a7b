"""Steps: what `go` answers."""

from typing import Any

from kibitz.conformance.steps import Check, Position, digest, step, unchanged
from kibitz.conformance.talk import Talk, demand

REASONS = ("iterations", "ms", "clock", "stop", "single", "exact", "fallback")


@step()
def no_limit(check: Check) -> None:
    """`go` without a limit is refused; it does not mean for ever."""
    name = check.open(check.choice())
    check.talk.ask("go", {"s": name}).fault("no_limit")
    check.talk.ask("go", {"s": name, "overhead_ms": 5, "top": 3}).fault("no_limit")


@step()
def go(check: Check) -> None:
    """`go` answers with a legal move, why it ended, what was done, and the best row."""
    position = check.choice()
    result = _go(check.talk, check.open(position), position, iterations=200)
    demand(
        result.get("reason") in REASONS,
        f"The reason {result.get('reason')!r} is none of {', '.join(REASONS)}.",
    )
    demand(result.get("forced") is False, "forced is not false, with a choice.")
    for member in ("ms", "iterations", "worlds", "nodes", "bytes", "ips", "seed"):
        value = result.get(member)
        demand(isinstance(value, int | float) and value >= 0, f"{member} is {value!r}, no number.")
    demand(
        result["reason"] != "iterations" or result["iterations"] == 200,
        f"iterations is {result['iterations']}.",
    )
    _check_rows(result, position, 1)
    demand(result["moves"][0]["move"] == result["move"], "The best row is not that of the move.")


@step()
def forced(check: Check) -> None:
    """With one legal move there is an answer at once, with `forced` and the reason `single`."""
    position = check.position(lambda table: len(table.legal()) == 1, "position with one legal move")
    result = _go(check.talk, check.open(position), position, ms=5000)
    demand(result.get("forced") is True, f"forced is {result.get('forced')!r}.")
    demand(result.get("reason") == "single", f"The reason is {result.get('reason')!r}, not 'single'.")


@step()
def over(check: Check) -> None:
    """After the end `go` is refused with `over`, and the turn is nobody's."""
    position = check.position(lambda table: table.turn is None, "end")
    name = check.open(position)
    check.talk.ask("go", {"s": name, "iterations": 10}).fault("over")
    turn = check.talk.ask("state", {"s": name}).ok().get("turn")
    demand(isinstance(turn, dict) and turn.get("by") is None, f"The turn is {turn!r} after the end.")


@step()
def not_to_move(check: Check) -> None:
    """When another seat is to act `go` is refused."""
    position = check.choice()
    other = Position(position.table, (position.seat + 1) % position.table.game.seats)
    name = check.open(other)
    before = digest(check.talk, name)
    check.talk.ask("go", {"s": name, "iterations": 10}).fault("not_to_move")
    unchanged(check.talk, name, before)


@step()
def busy(check: Check) -> None:
    """A second `go` in a session is refused while the first one runs."""
    talk = check.talk
    position = check.choice()
    name = check.open(position)
    number = talk.send("go", {"s": name, "until": "stop"})
    again = talk.send("go", {"s": name, "iterations": 10})
    talk.reply(again).fault("busy")
    talk.ask("stop", {"s": name}).ok()
    demand(talk.came(number), "The result of go did not come before that of stop.")
    _check_move(talk.reply(number).ok(), position)


@step()
def cancelled(check: Check) -> None:
    """`end` during a search ends it; its `go` is answered with `cancelled`, or with a move."""
    talk = check.talk
    name = check.open(check.choice())
    number = talk.send("go", {"s": name, "until": "stop"})
    talk.ask("ping").ok()
    ending = talk.send("end", {"s": name})
    reply = talk.reply(number)
    if reply.error is not None:
        reply.fault("cancelled")
    talk.reply(ending).ok()
    talk.ask("state", {"s": name}).fault("unknown_session")


@step()
def allow(check: Check) -> None:
    """`allow` bounds the choice; a move in it that is not legal is refused."""
    position = check.choice()
    name = check.open(position)
    for move in position.view.legal():
        result = _go(check.talk, name, position, iterations=50, allow=[move])
        demand(result["move"] == move, f"{result['move']!r} was answered; only {move!r} is allowed.")
    check.talk.ask("go", {"s": name, "iterations": 50, "allow": ["nonsense"]}).fault(
        "illegal_move", "bad_value"
    )
    check.talk.ask("go", {"s": name, "iterations": 50, "allow": []}).fault("bad_value", "illegal_move")


@step()
def top(check: Check) -> None:
    """`top` says how many rows come: none, some, or all legal moves; best first, each with its reasons."""
    position = check.choice()
    name = check.open(position)
    moves = position.view.legal()
    for wanted, rows in ((0, 0), (1, 1), (2, 2), (len(moves) + 50, len(moves)), ("all", len(moves))):
        result = _go(check.talk, name, position, iterations=300, top=wanted)
        _check_rows(result, position, rows)
    named = [row["move"] for row in result["moves"]]
    demand(sorted(named) == sorted(moves), f"The rows are of {named!r}, not of all legal moves.")
    visits = [row["visits"] for row in result["moves"]]
    demand(
        visits[0] == max(visits) or result["reason"] == "exact", f"The first row is not the best: {visits!r}."
    )


@step()
def scope_turn(check: Check) -> None:
    """With `scope` "turn" all own decisions in a row are answered, and each is legal after the one before."""
    position = check.choice()
    name = check.open(position)
    result = _go(check.talk, name, position, iterations=200, scope="turn")
    turn = result.get("turn") or []
    demand(isinstance(turn, list) and turn[:1] == [result["move"]], f"turn is {turn!r}.")
    events = [f"{position.seat}:{move}" for move in turn]
    after = check.talk.ask("event", {"s": name, "n": len(position.events), "moves": events}).ok()
    demand(
        after["turn"].get("by") != position.seat or len(after["turn"].get("legal", [])) > 0,
        "After the turn the seat is to act and has no move.",
    )
    check.talk.ask("go", {"s": name, "iterations": 10, "scope": "game"}).fault("bad_value", field="scope")


@step()
def expect(check: Check) -> None:
    """`expect` with the right moves, in any order, is fine; otherwise `rules_mismatch` tells both differences."""
    position = check.choice()
    name = check.open(position)
    moves = position.view.legal()
    _go(check.talk, name, position, iterations=20, expect=moves[::-1])
    for wrong in (moves[1:], [*moves, "nonsense"]):
        reply = check.talk.ask("go", {"s": name, "iterations": 20, "expect": wrong})
        text = f"{reply.fault('rules_mismatch')} {reply.message}"
        (different,) = set(wrong) ^ set(moves)
        demand(different in text, f"The error does not name {different!r}.")


@step()
def same_seed(check: Check) -> None:
    """The same seed and iterations give the same answer, also while another session searches."""
    talk = check.talk
    position = check.choice()
    name, other = check.open(position), check.open(position)
    alone = [_numbers(_go(talk, name, position, iterations=500, seed=5, top="all")) for _ in range(2)]
    demand(alone[0] == alone[1], "Twice the same request gives two answers.")
    number = talk.send("go", {"s": other, "until": "stop"})
    beside = _numbers(_go(talk, name, position, iterations=500, seed=5, top="all"))
    talk.ask("stop", {"s": other}).ok()
    talk.reply(number).ok()
    demand(beside == alone[0], "Another search beside it changes the answer.")


@step()
def view_like_events(check: Check) -> None:
    """A whole view with its record gives the same digest and answer as the events one by one."""
    position = check.choice()
    by_events, by_view = check.open(position), check.name()
    document = position.view.to_dict()
    result = check.talk.ask("view", {"s": by_view, "game": position.table.game.slug, "view": document}).ok()
    demand(isinstance(result.get("turn"), dict), "view has no turn.")
    _, known = digest(check.talk, by_events)
    demand(result.get("digest") == known, f"The digests are {result.get('digest')!r} and {known!r}.")
    answers = [
        _numbers(_go(check.talk, name, position, iterations=300, seed=9, top="all"))
        for name in (by_events, by_view)
    ]
    demand(answers[0] == answers[1], "The answers differ.")
    again = {"s": by_view, "game": position.table.game.slug, "view": document}
    check.talk.ask("view", again).ok()  # replaces the one of that name


@step()
def view_without_record(check: Check) -> None:
    """A whole view without a record is taken, with the warning `no_record`."""
    position = check.choice()
    document = {"seat": position.seat, "view": position.view.to_dict()["view"]}
    game = position.table.game
    params = {"s": check.name(), "game": game.slug, "view": document, "options": position.place()["options"]}
    result = check.talk.ask("view", params | {"players": game.seats}).ok()
    demand("no_record" in str(result.get("warnings")), f"The warnings are {result.get('warnings')!r}.")
    _go(check.talk, params["s"], position, iterations=50)


@step("ponder")
def ponder(check: Check) -> None:
    """With `ponder` it answers, thinks on, and hears what comes next."""
    position = check.choice()
    name = check.open(position)
    move = _go(check.talk, name, position, iterations=50, ponder=True)["move"]
    check.talk.ask("ping").ok()
    events = [f"{position.seat}:{move}"]
    result = check.talk.ask("event", {"s": name, "n": len(position.events), "moves": events}).ok()
    demand(result["n"] == len(position.events) + 1, "The event after pondering was not taken.")
    check.talk.ask("undo", {"s": name, "n": len(position.events)}).ok()
    _go(check.talk, name, position, iterations=50, ponder=True)
    _go(check.talk, name, position, iterations=50)  # pondering is no search that makes it busy
    check.talk.ask("end", {"s": name}).ok()


@step("review")
def review(check: Check) -> None:
    """`review` streams its progress and answers with every decision."""
    table = check.position(lambda table: len(table.record) >= 6, "game of six events").table
    params = {"game": table.game.slug, "record": table.to_dict(), "iterations": 50}
    number = check.talk.send("review", params)
    result = check.talk.reply(number).ok()
    decisions = result.get("decisions")
    plies = sum(not event.startswith("*") for event in table.record)
    demand(isinstance(decisions, list) and len(decisions) == plies, f"There are not {plies} decisions.")
    told = [news["params"] for news in check.talk.news if news["method"] == "progress"]
    demand(
        told and all(each.get("id") == number for each in told),
        "There is no progress with the id of the review.",
    )
    check.talk.ask("review", params | {"record": {"game": table.game.slug}}).fault(
        "bad_value", "invalid_start", "invalid_view"
    )


@step("bench")
def bench(check: Check) -> None:
    """`bench` of fixed work gives the same signature twice."""
    signatures = [
        check.talk.ask("bench", {"quick": True}, seconds=120).ok().get("signature") for _ in range(2)
    ]
    demand(signatures[0] and signatures[0] == signatures[1], f"The signatures are {signatures!r}.")


def _go(talk: Talk, name: str, position: Position, **params: Any) -> dict[str, Any]:
    """The result of a search, whose move must be legal."""
    result = talk.ask("go", {"s": name} | params).ok()
    _check_move(result, position)
    return result


def _check_move(result: dict[str, Any], position: Position) -> None:
    legal = position.view.legal()
    demand(result.get("move") in legal, f"The move {result.get('move')!r} is none of {legal!r}.")


def _check_rows(result: dict[str, Any], position: Position, count: int) -> None:
    rows = result.get("moves")
    demand(isinstance(rows, list) and len(rows) == count, f"There are not {count} rows in moves: {rows!r}.")
    for row in rows or []:
        demand(row.get("move") in position.view.legal(), f"The row {row!r} is of no legal move.")
        demand(
            isinstance(row.get("visits"), int) and row["visits"] >= 0, f"The visits in {row!r} are no number."
        )
        demand(
            row.get("mean") is None or isinstance(row["mean"], int | float),
            f"The mean in {row!r} is no number.",
        )
        demand(isinstance(row.get("line"), list), f"The line in {row!r} is no list.")


def _numbers(result: dict[str, Any]) -> tuple[Any, ...]:
    """What must be the same for the same seed."""
    return result["move"], result["moves"], result.get("iterations"), result.get("worlds")
