"""Steps: sessions come, are told apart, and go."""

from typing import Any

import kibitz
from kibitz.conformance.steps import Check, Position, digest, step, unchanged
from kibitz.conformance.talk import Skip, demand

MOST_SESSIONS = 2000  # more are not opened to see where the bound is


@step()
def new(check: Check) -> None:
    """`new` answers with no events, whose turn it is, and a digest; the own legal moves are listed."""
    position = check.choice()
    name = check.name()
    result = check.talk.ask("new", {"s": name} | position.place()).ok()
    demand(result.get("n") == 0, f"n is {result.get('n')!r}, not 0.")
    demand(isinstance(result.get("turn"), dict) and "by" in result["turn"], "There is no turn.")
    demand(isinstance(result.get("digest"), str) and result["digest"], "There is no digest.")
    result = check.talk.ask("event", {"s": name, "n": 0, "moves": position.events}).ok()
    turn = result["turn"]
    demand(
        turn.get("by") == position.seat, f"The turn is {turn.get('by')!r}'s; seat {position.seat} is to act."
    )
    listed, known = turn.get("legal"), position.view.legal()
    demand(
        sorted(listed or []) == sorted(known),
        f"The legal moves are {listed!r}; by the rules known here {known!r}.",
    )


@step()
def session_exists(check: Check) -> None:
    """A second `new` for a session is refused, unless `replace` says otherwise."""
    position = check.choice()
    name = check.open(position)
    before = digest(check.talk, name)
    again = {"s": name} | position.place()
    check.talk.ask("new", again).fault("session_exists")
    unchanged(check.talk, name, before)
    demand(check.talk.ask("new", again | {"replace": True}).ok().get("n") == 0, "It was not replaced.")


@step()
def unknown_session(check: Check) -> None:
    """A session that was never opened, or has ended, is refused."""
    requests: dict[str, dict[str, Any]] = {
        "event": {"n": 0, "moves": []},
        "legal": {},
        "state": {},
        "go": {"iterations": 1},
        "undo": {"n": 0},
    }
    for method, params in requests.items():
        check.talk.ask(method, params | {"s": "never opened"}).fault("unknown_session")
    name = check.open(check.choice())
    check.talk.ask("end", {"s": name}).ok()
    check.talk.ask("state", {"s": name}).fault("unknown_session")
    check.open(check.choice())


@step()
def unknown_game(check: Check) -> None:
    """A game that is not offered is refused with the names of all that are."""
    params = check.choice().place() | {"game": "parcheesi", "s": check.name()}
    allowed = check.talk.ask("new", params).fault("unknown_game").get("allowed", [])
    demand(set(check.games) <= set(allowed), f"Not all games are named: {allowed!r}.")
    check.talk.ask("rules", {"game": "parcheesi"}).fault("unknown_game")


@step()
def invalid_option(check: Check) -> None:
    """An option that a game does not have, or does not take, is refused."""
    place = check.choice().place() | {"s": check.name()}
    check.talk.ask("new", place | {"options": {"colour": "mauve"}}).fault("invalid_option")
    check.talk.ask("new", place | {"players": 99}).fault("invalid_option", "bad_value")
    check.talk.ask("new", place | {"seat": 99}).fault("invalid_option", "bad_value")


@step("kami")
def invalid_start(check: Check) -> None:
    """A start that breaks a rule of the game is refused: nine cards, three Empresses."""
    place = {"game": "kami", "players": 4, "seat": 0, "s": check.name()}
    for hand in ("111134778", "11113888", "1111347", "11113479"):
        check.talk.ask("new", place | {"start": {"hand": hand, "first": 1}}).fault("invalid_start")
    check.talk.ask("new", place | {"start": {"hand": "11113477", "frist": 1}}).fault("invalid_start")
    check.talk.ask("state", {"s": place["s"]}).fault("unknown_session")


@step("kami")
def invalid_view(check: Check) -> None:
    """A whole view that breaks a rule of the game is refused."""
    view = kibitz.load("kami").deal(seed=1).view(seat=0).to_dict()["view"]
    for change in ({"hand": "111134778"}, {"totals": [15, 15]}, {"phase": "lunch"}, {"to_move": 7}):
        document = {"seat": 0, "view": view | change}
        check.talk.ask("view", {"s": check.name(), "game": "kami", "view": document}).fault("invalid_view")


@step()
def two_seats(check: Check) -> None:
    """Two seats of one table in one process count alike and know nothing of each other."""
    position = check.choice()
    seats = [Position(position.table, seat) for seat in range(position.table.game.seats)][:2]
    names = [check.open(each) for each in seats]
    states = [check.talk.ask("state", {"s": name}).ok() for name in names]
    demand(states[0]["n"] == states[1]["n"], f"They count {states[0]['n']} and {states[1]['n']} events.")
    for each, state in zip(seats, states, strict=True):
        record = state["view"].get("record") if isinstance(state.get("view"), dict) else None
        if isinstance(record, list):
            demand(
                record == each.events, f"Seat {each.seat} is shown {record!r}; it may see {each.events!r}."
            )
    alone = digest(check.talk, names[0])
    check.talk.ask("end", {"s": names[1]}).ok()
    unchanged(check.talk, names[0], alone)


@step()
def too_many_sessions(check: Check) -> None:
    """One session more than `limits` says is refused, and room is made by `end`."""
    most = check.about.get("limits", {}).get("sessions")
    if not isinstance(most, int) or most > MOST_SESSIONS:
        raise Skip("the engine names no bound that is soon reached")
    talk, place = check.fresh(), check.choice().place()
    names = [f"many-{number}" for number in range(most)]
    for name in names:
        talk.ask("new", {"s": name} | place).ok()
    talk.ask("new", {"s": "one too many"} | place).fault("too_many_sessions")
    talk.ask("end", {"s": names[0]}).ok()
    talk.ask("new", {"s": "one more"} | place).ok()


@step()
def end(check: Check) -> None:
    """`end` ends one session, also with the result of the game, and no other."""
    one, other = check.open(check.choice()), check.open(check.choice())
    before = digest(check.talk, other)
    check.talk.ask("end", {"s": one, "returns": [0] * check.game().seats}).ok()
    check.talk.ask("legal", {"s": one}).fault("unknown_session")
    unchanged(check.talk, other, before)
