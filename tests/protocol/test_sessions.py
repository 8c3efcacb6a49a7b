"""Sessions of every game: events keep up what the seat's view at the table is, and nothing else gets in."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from covers import COVERS, PLAIN, Cover
from kibitz import _core
from kibitz.table import Table
from protocol.tables import CREW, game_of, kami, opening, played
from protocol.wire import Failed, Local


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


def turn_of(table: Table, seat: int) -> dict[str, Any]:
    """What `turn` must be."""
    if table.turn is None:
        return {"by": None, "over": True}
    if table.turn == "chance":
        return {"by": "*"}
    return {"by": seat, "legal": table.legal()} if table.turn == seat else {"by": table.turn}


def assert_position(found: dict[str, Any], table: Table, n: int, seat: int) -> None:
    """The answer is what the table says after n events."""
    then = table.at(n) if n < len(table.record) else table
    assert found["n"] == n
    assert found["digest"] == then.view(seat=seat).digest
    if then.core.turn == _core.CHANCE or n < len(table.record):
        # `at` rolls chance that follows; the record says what really came
        then = Table(table.game, table.start, record=table.record[:n], chance="manual")
    assert found["turn"] == turn_of(then, seat)


@pytest.mark.parametrize(
    ("cover", "blank"),
    [(cover, False) for cover in COVERS] + [(cover, True) for cover in PLAIN],
    ids=lambda value: str(value) if isinstance(value, Cover) else "blank" if value else "dealt",
)
def test_r11_r13_events_keep_up_the_view_of_every_seat(local: Local, cover: Cover, blank: bool) -> None:
    game = game_of(cover)
    table = played(game, seed=1, blank=blank)
    rng = random.Random(str(cover))
    digests: list[dict[int, str]] = []
    for seat in range(game.seats):
        name = f"{seat}"
        records = table.view(seat=seat).record
        local.ask("new", s=name, **opening(table, seat))
        n, seen = 0, {0: local.ask("state", s=name)["digest"]}
        while n < len(records):
            count = rng.choice((1, 1, 2, 5, 20))
            found = local.ask("event", s=name, n=n, moves=records[n : n + count])
            n = min(len(records), n + count)
            assert_position(found, table, n, seat)
            seen[n] = found["digest"]
            again = max(0, n - rng.choice((0, 1, 3, 8)))  # R12: what is repeated is harmless
            dup = local.ask("event", s=name, n=again, moves=records[again : n + rng.choice((0, 1))])
            n = max(n, dup["n"])
            assert ("dup" in dup) == (again < n == found["n"])
            assert_position(dup, table, n, seat)
            seen[n] = dup["digest"]
        digests.append(seen)
        for _ in range(4):  # back, and on again
            back = rng.choice(sorted(seen))
            assert_position(local.ask("undo", s=name, n=back), table, back, seat)
            found = local.ask("event", s=name, n=back, moves=records[back:])
            assert_position(found, table, len(records), seat)
            assert "dup" not in found
    for seat in range(game.seats):  # no session has disturbed another
        assert local.ask("undo", s=str(seat), n=0)["digest"] == digests[seat][0]


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r11_a_whole_view_is_as_good_as_events(local: Local, cover: Cover) -> None:
    """The same digest, legal moves and answer, whichever way the position came."""
    game = game_of(cover)
    for seed in (1, 2):
        table = played(game, seed=seed, most=12)
        for seat in range(game.seats):
            record = list(table.view(seat=seat).record)
            events = local.ask("new", s="events", replace=True, **opening(table, seat, events=record))
            state = local.ask("state", s="events")
            assert state["view"]["record"] == record
            assert state["view"] == table.view(seat=seat).to_dict()
            assert state["text"] == table.view(seat=seat).draw()
            whole = {"options": game.options, "game": game.slug}
            document = state["view"]
            flat = {"seat": seat, **document["view"]}
            views = {
                "document": {"view": document},
                "start": {"view": {"seat": seat, "start": document["start"]}, "record": record},
                "both": {"view": {name: document[name] for name in ("seat", "start", "record", "view")}},
                "now": {"view": {"seat": seat, "view": document["view"]}},
                "flat": {"view": flat},
            }
            answers = {}
            for name, view in views.items():
                found = local.ask("view", s=name, **whole, **view)
                assert found["digest"] == events["digest"]
                assert found["turn"] == events["turn"]
                without = name in ("now", "flat")
                assert found["n"] == (0 if without else len(record))
                assert found.get("warnings") == (["no_record"] if without else None)
                if "legal" in found["turn"]:
                    answer = local.ask("go", s=name, iterations=60, top="all")
                    answers[name] = {each: answer[each] for each in ("move", "moves", "seed", "iterations")}
            if answers:
                expected = local.ask("go", s="events", iterations=60, top="all")
                for name, found in answers.items():
                    assert found == {each: expected[each] for each in found}, name


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_a_killed_session_comes_back_by_new_with_events(cover: Cover) -> None:
    game = game_of(cover)
    table = played(game, seed=3, most=40)
    with Local() as first:
        before = {}
        for seat in range(game.seats):
            first.ask("new", s=f"{seat}", **opening(table, seat))
            for n, event in enumerate(table.view(seat=seat).record):
                before[seat] = first.ask("event", s=f"{seat}", n=n, moves=[event])
    with Local() as second:
        for seat in range(game.seats):
            record = table.view(seat=seat).record
            assert second.ask("new", s=f"{seat}", **opening(table, seat, events=record)) == before[seat]


# ---- R14: what a seat may not see ----


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r14_what_a_seat_may_not_see_is_refused_or_masked(local: Local, cover: Cover) -> None:
    game = game_of(cover)
    table = played(game, seed=5, most=120, blank=True)
    hidden = 0
    for seat in range(game.seats):
        masked, true = table.view(seat=seat).record, table.record
        local.ask("new", s="strict", replace=True, **opening(table, seat))
        for n, (seen, said) in enumerate(zip(masked, true, strict=True)):
            if seen != said:
                hidden += 1
                before = local.ask("state", s="strict")
                error = local.error("event", s="strict", n=n, moves=[said])
                assert (error.kind, error.data["field"], error.data["given"]) == (
                    "too_much",
                    "moves[0]",
                    said,
                )
                assert error.data["allowed"] == [seen]
                assert error.data["n"] == n
                assert "mask:true" in error.message
                assert local.ask("state", s="strict") == before
            local.ask("event", s="strict", n=n, moves=[seen])
        local.ask("new", s="masks", replace=True, **opening(table, seat))
        local.ask("set", s="masks", mask=True)
        found = local.ask("event", s="masks", n=0, moves=true)
        assert found["digest"] == table.view(seat=seat).digest
        assert len(found.get("warnings", ())) == sum(a != b for a, b in zip(masked, true, strict=True))
        assert local.ask("state", s="masks")["view"] == table.view(seat=seat).to_dict()
        again = local.ask("event", s="masks", n=0, moves=true)  # the same, masked again, is no conflict
        assert again["dup"] is True
        assert local.ask("event", s="masks", n=0, moves=masked)["dup"] is True
    assert (hidden > 0) == (not game.info["open"])


def test_r17_two_seats_of_one_table_share_nothing(local: Local) -> None:
    """R17: what one session is told reaches no other, not even by way of an error."""
    table = kibitz.load("kami", redeal=False).deal(seed=4)
    for seat in range(4):
        local.ask("new", s=f"seat{seat}", **opening(table, seat))
    states = [local.ask("state", s=f"seat{seat}") for seat in range(4)]
    actor = table.turn
    assert isinstance(actor, int)
    move = table.legal()[0]
    local.ask("event", s=f"seat{actor}", n=0, moves=[f"{actor}:{move}"])
    for other in range(4):
        if other != actor:
            assert local.ask("state", s=f"seat{other}") == states[other]
    hands = [table.view(seat=seat).start["hand"] for seat in range(4)]
    for other in range(4):
        text = str(states[other])
        assert hands[other] in text
        assert not any(hands[each] in text for each in range(4) if each != other)
    error = local.error("state", s="zebra")
    assert sorted(error.data["allowed"]) == [f"seat{seat}" for seat in range(4)]
    assert not any(hand in str(error.data) + error.message for hand in hands)


# ---- R12: numbers ----


def test_r12_numbers(local: Local) -> None:
    local.ask("new", s="t", **kami(4))
    for n in (5, 6, 1000, 2**53):
        error = local.error("event", s="t", n=n, moves=["1:dx"])
        assert (error.kind, error.data["given"], error.data["expected"]) == ("gap", n, 4)
    assert local.error("event", s="t", n=5, moves=[]).kind == "gap"
    assert local.ask("event", s="t", n=4, moves=[])["n"] == 4
    assert "dup" not in local.ask("event", s="t", n=2, moves=[])
    assert local.ask("event", s="t", n=0, moves=["1:-"])["dup"] is True
    for n, moves in (
        (0, ["2:-"]),
        (3, ["0:+"]),
        (2, ["3:-", "0:p"]),
        (0, ["1:-", "2:-", "3:?5", "0:-", "1:dx"]),
    ):
        before = local.ask("state", s="t")
        error = local.error("event", s="t", n=n, moves=moves)
        assert error.kind == "conflict"
        where = int(error.data["field"][6:-1])
        assert error.data["n"] == n + where
        assert error.data["given"] == moves[where]
        assert local.ask("state", s="t") == before
    # new events behind repeated ones are taken, all or none
    found = local.ask("event", s="t", n=2, moves=["3:-", "0:-", "1:dx", "1:a4"])
    assert (found["n"], "dup" in found) == (6, False)
    before = local.ask("state", s="t")
    assert local.error("event", s="t", n=5, moves=["1:a4", "2:p", "3:p", "1:p"]).kind == "wrong_actor"
    assert local.ask("state", s="t") == before


def test_joined_outcomes_are_one_event(local: Local) -> None:
    """`*:tasks P3 B9` counts once, here and in the document that `state` gives."""
    first = local.ask("new", s="joined", events=["*:tasks P3 B9"], **CREW)
    single = local.ask("new", s="single", events=["*:task P3", "*:task B9"], **CREW)
    assert (first["n"], single["n"]) == (1, 2)
    assert first["digest"] == single["digest"]
    for name, found in (("joined", first), ("single", single)):
        view = local.ask("state", s=name)["view"]
        again = local.ask("view", s="again", game="thecrew", view=view)
        assert {each: again[each] for each in ("n", "digest", "turn")} == found
    assert local.ask("event", s="joined", n=0, moves=["*:tasks P3 B9", "2:take B9"])["n"] == 2
    assert local.ask("undo", s="joined", n=1)["digest"] == first["digest"]
    assert local.ask("undo", s="joined", n=0)["turn"] == {"by": "*"}


# ---- contradictions ----

CREW_EVENTS = ["*:tasks P3 B9", "2:take B9", "3:take P3", "2:quiet", "3:quiet", "0:quiet", "1:quiet"]
TRICK = ["2:B5", "3:B3", "0:B1", "1:Y2"]  # seat 1 is void in blue

QUIET = ["3:quiet", "0:quiet", "1:quiet", "2:quiet"]

CONTRADICTIONS = {
    "own card by another": (["2:P3", "3:P9"], "inconsistent"),
    "a card twice in a trick": (["2:P3", "3:P7", "0:P7"], "inconsistent"),
    "own card not held": (["2:B9"], "illegal_move"),
    "own suit not followed": (
        ["2:B2", "3:B8", "0:B1", "1:Y2", *QUIET, "3:Y3", "0:Y1", "1:Y4", "2:G4"],
        "illegal_move",
    ),
    "out of turn": (["2:B2", "0:B1"], "wrong_actor"),
    "a card played before": (
        [*TRICK, *["2:quiet", "3:quiet", "0:quiet", "1:quiet"], "2:B2", "3:B3"],
        "inconsistent",
    ),
    "void broken": (
        [*TRICK, *["2:quiet", "3:quiet", "0:quiet", "1:quiet"], "2:B2", "3:B4", "0:B6", "1:B8"],
        "inconsistent",
    ),
    "chance out of turn": (["*:task P4"], "wrong_actor"),
    "no such card": (["2:B5", "3:B10"], "illegal_move"),
}


@pytest.mark.parametrize(("moves", "kind"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions_name_the_event_and_change_nothing(local: Local, moves: list[str], kind: str) -> None:
    local.ask("new", s="t", events=CREW_EVENTS, **CREW)
    before = local.ask("state", s="t")
    bad = len(moves) - 1
    error = local.error("event", s="t", n=len(CREW_EVENTS), moves=moves)
    assert error.kind == kind
    assert error.data["field"] == f"moves[{bad}]"
    assert error.data["given"] == moves[bad]
    assert error.data["n"] == len(CREW_EVENTS) + bad
    assert f"Event {len(CREW_EVENTS) + bad}" in error.message
    assert local.ask("state", s="t") == before
    if bad:  # those before it are fine by themselves
        local.ask("event", s="t", n=len(CREW_EVENTS), moves=moves[:-1])
    error = local.error("new", s="t2", events=CREW_EVENTS + moves, **CREW)
    assert (error.kind, error.data["n"]) == (kind, len(CREW_EVENTS) + bad)
    assert local.error("state", s="t2").kind == "unknown_session"


STATEMENTS = {
    "own card": ("3:say B7 highest", "inconsistent"),
    "nine is lowest": ("3:say G9 lowest", "inconsistent"),
    "possible": ("3:say G5 lowest", None),
    "rocket": ("3:say R2 only", "illegal_move"),
}


@pytest.mark.parametrize(("event", "kind"), STATEMENTS.values(), ids=STATEMENTS)
def test_statements_of_others_must_be_possible(local: Local, event: str, kind: str | None) -> None:
    local.ask("new", s="t", events=[*CREW_EVENTS[:3], "2:quiet"], **CREW)
    if kind is None:
        local.ask("event", s="t", n=4, moves=[event])
    else:
        before = local.ask("state", s="t")
        assert local.error("event", s="t", n=4, moves=[event]).kind == kind
        assert local.ask("state", s="t") == before


def test_an_untrue_statement_is_found_when_the_cards_show_it(local: Local) -> None:
    events = [*CREW_EVENTS[:3], "2:quiet", "3:say B3 highest", "0:quiet", "1:quiet", "2:B5"]
    local.ask("new", s="t", events=events, **CREW)
    before = local.ask("state", s="t")
    error = local.error("event", s="t", n=len(events), moves=["3:B4"])  # above the highest
    assert (error.kind, error.data["given"]) == ("inconsistent", "3:B4")
    assert local.ask("state", s="t") == before
    local.ask("event", s="t", n=len(events), moves=["3:B3"])
    own = local.error("new", s="own", events=[*CREW_EVENTS[:3], "2:say B5 highest"], **CREW)
    assert own.kind == "illegal_move"  # the own hand says otherwise


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_random_falsehoods_change_nothing(local: Local, cover: Cover) -> None:
    """An event of another seat's, of another time or with another text: refused, or it was possible."""
    game = game_of(cover)
    rng = random.Random(f"falsehoods {cover}")
    table = played(game, seed=8, most=60)
    others = played(game, seed=9, most=60).record
    seat = rng.randrange(game.seats)
    record = table.view(seat=seat).record
    local.ask("new", s="t", **opening(table, seat))
    for n, event in enumerate(record):
        before = local.ask("state", s="t")
        for false in (
            rng.choice(others),
            rng.choice(record),
            f"{rng.randrange(game.seats)}:{event.partition(':')[2]}",
        ):
            found = local.attempt("event", s="t", n=n, moves=[false])
            if isinstance(found, Failed):
                assert found.kind in ("wrong_actor", "too_much", "illegal_move", "inconsistent")
                assert found.data["given"] == false
                assert local.ask("state", s="t") == before
            else:
                assert found["n"] == n + 1
                assert local.ask("undo", s="t", n=n)["digest"] == before["digest"]
        local.ask("event", s="t", n=n, moves=[event])
    assert local.ask("state", s="t")["digest"] == table.view(seat=seat).digest


@pytest.mark.parametrize(
    "text",
    ["", ":", "0", "0:", "d4", ":d4", "x:p", "-1:p", "+0:p", "0.0:p", "0 :p", " 0:p", "0: p", "0:p ", "4:p",
     "\u0660:p", "\uff10:p", "99:p", "100:p", "0:p\0", "0:P", "**:p", "*:", "* :deal", "*:deal x", "0:p,1:p",
     "0:d4 0:a7", "null", "0:d4\n", "x" * 4096],
)  # fmt: skip
def test_texts_that_are_no_events(local: Local, text: str) -> None:
    local.ask("new", s="t", **kami())
    before = local.ask("state", s="t")
    error = local.error("event", s="t", n=8, moves=[text])
    assert error.kind in ("illegal_move", "wrong_actor")
    assert error.data["field"] == "moves[0]"
    assert local.ask("state", s="t") == before
