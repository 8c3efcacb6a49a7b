"""Steps: events, their numbers, and what a seat may be told."""

from kibitz import Table
from kibitz.conformance.steps import Check, Position, digest, legal_in, step, unchanged
from kibitz.conformance.talk import Talk, demand

# Seat 0's start, and what happened until seat 1 leads: nobody asks for a new deal.
KAMI = {"game": "kami", "players": 4, "seat": 0, "start": {"hand": "11113477", "first": 1, "totals": [0, 0]}}
ASKED = ["1:-", "2:-", "3:-", "0:-"]


@step("kami")
def transcript(check: Check) -> None:
    """The round of Kami in the protocol's description goes as it is written there."""
    talk, name = check.talk, check.name()
    result = talk.ask("new", KAMI | {"s": name, "options": {"victory": "soldier"}}).ok()
    demand((result["n"], result["turn"].get("by")) == (0, 1), f"new: {result!r}.")
    told = [*ASKED, "1:d3", "1:a4"]
    data = talk.ask("event", {"s": name, "n": 0, "moves": told}).fault("too_much", field="moves[4]")
    demand(data.get("given") == "1:d3", f"given is {data.get('given')!r}, not '1:d3'.")
    demand(data.get("allowed") == ["1:dx"], f"allowed is {data.get('allowed')!r}, not ['1:dx'].")
    told = [*ASKED, "1:dx", "1:a4", "2:p", "3:p"]
    result = talk.ask("event", {"s": name, "n": 0, "moves": told}).ok()
    demand(result["n"] == 8, f"n is {result['n']}, not 8.")
    demand(sorted(legal_in(result["turn"])) == ["d4", "p"], f"legal is {result['turn']['legal']!r}.")
    told = ["0:d4", "0:a7", "1:p", "2:p", "3:p"]
    result = talk.ask("event", {"s": name, "n": 8, "moves": told}).ok()
    demand(sorted(legal_in(result["turn"])) == ["d1", "d3", "d7"], f"legal is {result['turn']['legal']!r}.")
    result = talk.ask("legal", {"s": name, "move": "p"}).ok()
    demand(result.get("legal") is False, "The leader may pass.")
    demand("cannot pass" in str(result.get("why")), f"why is {result.get('why')!r}.")
    result = talk.ask("event", {"s": name, "n": 13, "moves": ["0:d1", "0:a7", "1:d8", "1:a6"]}).ok()
    demand((result["n"], result["turn"].get("by")) == (17, 2), f"event 13: {result!r}.")
    data = talk.ask("event", {"s": name, "n": 19, "moves": ["2:p"]}).fault("gap")
    demand(data.get("expected") == 17, f"expected is {data.get('expected')!r}, not 17.")


@step()
def resume(check: Check) -> None:
    """`new` with `events`, all events at once, and one by one come to the same digest."""
    position = check.choice()
    at_once = digest(check.talk, check.open(position))
    by_event = check.open(position, events=[])
    for number, event in enumerate(position.events):
        result = check.talk.ask("event", {"s": by_event, "n": number, "moves": [event]}).ok()
        demand(result["n"] == number + 1, f"n is {result['n']} after event {number}.")
    demand(digest(check.talk, by_event) == at_once, "One by one they give another digest than at once.")


@step()
def duplicate(check: Check) -> None:
    """Events that come again are accepted with `dup`, and change nothing."""
    position = check.choice()
    name = check.open(position)
    before = digest(check.talk, name)
    for first in (0, len(position.events) - 1):
        again = position.events[first:]
        result = check.talk.ask("event", {"s": name, "n": first, "moves": again}).ok()
        demand(result.get("dup") is True, "dup is not true.")
        demand(result["n"] == len(position.events), f"n is {result['n']}, not {len(position.events)}.")
        unchanged(check.talk, name, before)


@step()
def gap(check: Check) -> None:
    """An event whose number is too large is refused with the number that is expected."""
    position = check.choice()
    name = check.open(position)
    before = digest(check.talk, name)
    expected = len(position.events)
    params = {"s": name, "n": expected + 2, "moves": [f"{position.seat}:{position.view.legal()[0]}"]}
    data = check.talk.ask("event", params).fault("gap")
    demand(data.get("expected") == expected, f"expected is {data.get('expected')!r}, not {expected}.")
    unchanged(check.talk, name, before)


@step()
def conflict(check: Check) -> None:
    """Another event with a number that was used is refused."""
    position = check.choice()
    first, other = position.view.legal()[:2]
    events = position.events
    name = check.open(position, events=[*events, f"{position.seat}:{first}"])
    before = digest(check.talk, name)
    params = {"s": name, "n": len(events), "moves": [f"{position.seat}:{other}"]}
    check.talk.ask("event", params).fault("conflict")
    unchanged(check.talk, name, before)


@step()
def all_or_nothing(check: Check) -> None:
    """If one of several events is refused, none is taken."""
    position = check.choice()
    name = check.open(position)
    before = digest(check.talk, name)
    good = f"{position.seat}:{position.view.legal()[0]}"
    params = {"s": name, "n": len(position.events), "moves": [good, "nonsense"]}
    check.talk.ask("event", params).fault("illegal_move", "bad_value", "wrong_actor", field="moves[1]")
    unchanged(check.talk, name, before)


@step()
def too_much(check: Check) -> None:
    """An event that tells a seat what it may not see is refused, with what it may see."""
    talk, position, truth = check.talk, *_secret(check)
    name = check.open(position)
    before = digest(talk, name)
    seen = _seen(position, truth)
    data = talk.ask("event", {"s": name, "n": len(position.events), "moves": [truth]}).fault("too_much")
    demand(data.get("allowed") == [seen], f"allowed is {data.get('allowed')!r}, not {[seen]!r}.")
    unchanged(talk, name, before)
    demand(
        _tell(talk, name, position, seen)["n"] == len(position.events) + 1, "The masked event was not taken."
    )


@step()
def mask(check: Check) -> None:
    """With `mask` such an event is masked, which a warning tells; the digest is that of the masked one."""
    talk, position, truth = check.talk, *_secret(check)
    names = [check.open(position), check.open(position)]
    talk.ask("set", {"s": names[0], "mask": True}).ok()
    results = [
        _tell(talk, names[0], position, truth),
        _tell(talk, names[1], position, _seen(position, truth)),
    ]
    demand(results[0].get("warnings"), "There is no warning.")
    demand(digest(talk, names[0]) == digest(talk, names[1]), "What was masked is known all the same.")


@step()
def wrong_actor(check: Check) -> None:
    """An event by a seat that is not the one to act is refused."""
    position = check.choice()
    name = check.open(position)
    before = digest(check.talk, name)
    other = (position.seat + 1) % position.table.game.seats
    params = {"s": name, "n": len(position.events), "moves": [f"{other}:{position.view.legal()[0]}"]}
    check.talk.ask("event", params).fault("wrong_actor")
    unchanged(check.talk, name, before)


@step("kami")
def illegal_move(check: Check) -> None:
    """A move that no hand could make legal is refused with the rule."""
    _refused(check, [*ASKED, "1:dx", "1:a4"], ["2:d3"], "illegal_move")
    _refused(check, ASKED, ["1:p"], "illegal_move")
    _refused(check, ASKED, ["1:d12"], "illegal_move")
    _refused(check, ASKED, ["1:dx", "9:a4"], "illegal_move")


@step("kami")
def inconsistent(check: Check) -> None:
    """A card that this seat holds, or that is used up, cannot be played by another."""
    _refused(check, [*ASKED, "1:dx"], ["1:a7"], "inconsistent")  # both Towers are in seat 0's hand
    _refused(check, [*ASKED, "1:dx", "1:a4", "2:p", "3:p", "0:p", "1:dx"], ["1:a7"], "inconsistent")


@step()
def undo(check: Check) -> None:
    """`undo` goes back to any number of events, with the digest of that time, and forward again."""
    position = check.choice()
    name = check.open(position, events=[])
    digests = [digest(check.talk, name)]
    for number, event in enumerate(position.events):
        check.talk.ask("event", {"s": name, "n": number, "moves": [event]}).ok()
        digests.append(digest(check.talk, name))
    check.talk.ask("undo", {"s": name, "n": len(digests)}).fault("bad_value", "gap")
    unchanged(check.talk, name, digests[-1])
    for number in (len(digests) // 2, 0):
        result = check.talk.ask("undo", {"s": name, "n": number}).ok()
        demand(result["n"] == number, f"n is {result['n']}, not {number}.")
        unchanged(check.talk, name, digests[number])
    check.talk.ask("event", {"s": name, "n": 0, "moves": position.events}).ok()
    unchanged(check.talk, name, digests[-1])


@step()
def legal(check: Check) -> None:
    """`legal` lists the moves; of one move it says whether it is legal and, if not, why."""
    position = check.choice()
    name = check.open(position)
    moves = check.talk.ask("legal", {"s": name}).ok().get("moves")
    demand(sorted(moves or []) == sorted(position.view.legal()), f"The moves are {moves!r}.")
    good = check.talk.ask("legal", {"s": name, "move": position.view.legal()[0]}).ok()
    demand(good.get("legal") is True, "A legal move is called illegal.")
    bad = check.talk.ask("legal", {"s": name, "move": "nonsense"}).ok()
    demand(bad.get("legal") is False, "An illegal move is called legal.")
    demand(isinstance(bad.get("why"), str) and bad["why"], "There is no reason.")


@step()
def state(check: Check) -> None:
    """`state` shows the view as data and as text, and changes nothing."""
    name = check.open(check.choice())
    before = digest(check.talk, name)
    result = check.talk.ask("state", {"s": name}).ok()
    demand(isinstance(result.get("view"), dict) and result["view"], "There is no view.")
    demand(isinstance(result.get("text"), str) and result["text"], "There is no text.")
    demand(isinstance(result.get("turn"), dict), "There is no turn.")
    unchanged(check.talk, name, before)


def _secret(check: Check) -> tuple[Position, str]:
    """A position at a seat that may not see all of the next event, and that event."""
    found: list[str] = []

    def hides(table: Table) -> bool:
        if not isinstance(table.turn, int):
            return False
        after = table.copy()
        after.play(after.legal()[0])
        at = len(table.record)
        other = (table.turn + 1) % table.game.seats
        if after.view(seat=other).record[at] == after.record[at]:
            return False
        found.append(after.record[at])
        return True

    position = check.position(hides, "event of which a part is hidden")
    return Position(position.table, (position.seat + 1) % position.table.game.seats), found[-1]


def _seen(position: Position, truth: str) -> str:
    after = position.table.copy()
    after.play(truth)
    return after.view(seat=position.seat).record[len(position.events)]


def _tell(talk: Talk, name: str, position: Position, event: str) -> dict[str, object]:
    return talk.ask("event", {"s": name, "n": len(position.events), "moves": [event]}).ok()


def _refused(check: Check, events: list[str], bad: list[str], kind: str) -> None:
    name = check.name()
    check.talk.ask("new", KAMI | {"s": name, "events": events}).ok()
    before = digest(check.talk, name)
    params = {"s": name, "n": len(events), "moves": bad}
    check.talk.ask("event", params).fault(kind, field=f"moves[{len(bad) - 1}]")
    unchanged(check.talk, name, before)
