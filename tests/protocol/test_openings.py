"""How sessions begin, go back and end: new, view, undo, end; and what legal says."""

from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover
from protocol.tables import KAMI, KAMI_EVENTS, TIC, game_of, kami, opening, played
from protocol.wire import Failed, Local


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


def test_an_error_in_new_with_replace_keeps_the_old_session(local: Local) -> None:
    local.ask("new", s="t", **kami())
    before = local.ask("state", s="t")
    for wrong in (
        {"start": {"hand": "9"}},
        {"seat": 9},
        {"game": "zebra"},
        {"options": {"zebra": 1}},
        {"events": ["1:p"]},
        {"search": {"name": "zebra"}},
        {"search": {"name": "mcts"}},
    ):
        local.error("new", s="t", **kami(replace=True) | wrong)
        assert local.ask("state", s="t") == before
    for view in ({}, {"seat": 9}, {"seat": 0, "hand": "9"}, {"seat": 0, "start": {}, "record": ["1:p"]}):
        local.error("view", s="t", game="kami", view=view)
        assert local.ask("state", s="t") == before
    assert local.ask("new", s="t", replace=True, **TIC)["n"] == 0
    assert local.ask("state", s="t")["view"]["game"] == "tic_tac_toe"
    assert local.ask("view", s="t", game="kami", view={"seat": 0, "hand": "11113477"})["warnings"] == [
        "no_record"
    ]


def test_a_new_that_fails_leaves_no_session(local: Local) -> None:
    for _ in range(300):  # more than there may be
        assert local.error("new", s="t", **KAMI, events=["1:p"]).kind in ("wrong_actor", "illegal_move")
    assert local.error("state", s="t").data["allowed"] == []
    local.ask("new", s="t", **kami())


def test_the_default_session_is_main(local: Local) -> None:
    local.ask("new", **kami())
    assert local.ask("state", s="main") == local.ask("state")
    assert local.ask("legal", move="p")["legal"] is True
    local.ask("end")
    assert local.error("state").data["given"] == "main"


@pytest.mark.parametrize("name", ["a", "room7.0", "é", "🂡", " ", "\0", "a\nb", '"', "x" * 200, "main "])
def test_names_of_sessions_are_any_text(local: Local, name: str) -> None:
    local.ask("new", s=name, **kami())
    assert local.ask("state", s=name)["n"] == 8
    assert local.error("new", s=name, **kami()).data["given"] is not None
    assert local.error("state", s=name + "x" if len(name) < 200 else "y").kind == "unknown_session"
    local.ask("end", s=name)


def test_undo(local: Local) -> None:
    local.ask("new", s="t", **kami())
    digests = [local.ask("undo", s="t", n=n)["digest"] for n in range(8, -1, -1)][::-1]
    assert len(set(digests)) == 9
    error = local.error("undo", s="t", n=1)
    assert (error.kind, error.data["least"], error.data["most"]) == ("bad_value", 0, 0)
    for n, event in enumerate(KAMI_EVENTS):
        assert local.ask("event", s="t", n=n, moves=[event])["digest"] == digests[n + 1]
    # after an undo other events may follow
    local.ask("undo", s="t", n=6)
    found = local.ask("event", s="t", n=6, moves=["2:d4"])
    assert found["digest"] not in digests
    assert local.error("event", s="t", n=6, moves=["2:p"]).kind == "conflict"


def test_undo_across_many_events(local: Local) -> None:
    """Views between are kept sparsely; every number of events can be gone back to."""
    game = kibitz.load("kami", players=2)
    table = played(game, seed=2, most=150)
    assert len(table.record) >= 100
    record = table.view(seat=0).record
    local.ask("new", s="t", **opening(table, 0))
    digests = [local.ask("state", s="t")["digest"]]
    for n, event in enumerate(record):
        digests.append(local.ask("event", s="t", n=n, moves=[event])["digest"])
    for n in [*range(len(record), 0, -7), 96, 64, 33, 32, 31, 0]:
        assert local.ask("undo", s="t", n=n)["digest"] == digests[n]
        assert local.ask("event", s="t", n=0, moves=record)["digest"] == digests[-1]
    replayed = local.ask("new", s="u", **opening(table, 0, events=record))
    assert replayed["digest"] == digests[-1]


def test_a_session_from_a_view_goes_on_but_not_back(local: Local) -> None:
    view = {"seat": 0, "start": KAMI["start"]}
    found = local.ask("view", s="t", game="kami", options=KAMI["options"], view=view, record=KAMI_EVENTS)
    assert found["n"] == 8
    assert local.error("undo", s="t", n=7).data["least"] == 8
    assert local.error("event", s="t", n=7, moves=["3:p"]).kind == "conflict"
    assert local.ask("event", s="t", n=8, moves=["0:d4", "0:a7"])["n"] == 10
    assert local.ask("undo", s="t", n=9)["n"] == 9
    assert local.ask("state", s="t")["view"]["record"] == [*KAMI_EVENTS, "0:d4"]


def test_views_that_contradict_themselves_or_the_message(local: Local) -> None:
    local.ask("new", s="t", **kami())
    whole = local.ask("state", s="t")["view"]
    short = {name: value for name, value in whole.items() if name != "view"}
    for wrong, kind in (
        (whole | {"record": whole["record"][:-1]}, "invalid_view"),
        (whole | {"view": whole["view"] | {"hand": "11113478"}}, "invalid_view"),
        (whole | {"start": whole["start"] | {"hand": "11113478"}}, "invalid_view"),
        (whole | {"seat": 4}, "invalid_view"),
        (whole | {"seat": -1}, "invalid_view"),
        (whole | {"seat": "0"}, "invalid_view"),
        (whole | {"seat": True}, "invalid_view"),
        (whole | {"seat": 0.0}, "invalid_view"),
        (whole | {"seat": 2**70}, "invalid_view"),
        (whole | {"kibitz": 2}, "invalid_view"),
        (whole | {"rules": "kami/9"}, "invalid_view"),
        (whole | {"game": "thecrew"}, "invalid_view"),
        (whole | {"zebra": 1}, "invalid_view"),
        (whole | {"options": {"victory": "zebra"}}, "invalid_option"),
        (short | {"record": ["1:-", "2:-", "3:-", "0:-", "1:d3"]}, "too_much"),
        (short | {"record": ["1:-", "1:-"]}, "wrong_actor"),
        (short | {"record": ["1:-", "2:zebra"]}, "illegal_move"),
        (short | {"record": "1:-"}, "invalid_view"),
        (short | {"record": [1]}, "invalid_view"),
        (short | {"start": None}, "invalid_view"),
        (short | {"start": []}, "invalid_view"),
    ):
        error = local.error("view", s="v", game="kami", view=wrong)
        assert error.kind == kind, (wrong, error)
        assert local.error("state", s="v").kind == "unknown_session"
    assert (
        local.error("view", s="v", game="kami", view=whole, options={"victory": "lord"}).kind
        == "invalid_view"
    )
    assert local.error("view", s="v", game="kami", view=whole, players=3).kind == "invalid_option"
    assert local.error("view", s="v", game="thecrew", view=whole).kind in ("invalid_view", "invalid_option")


@pytest.mark.parametrize(
    "value", [None, True, 1, 1.5, 2**70, float("1e999"), "", "x", "1", [], ["1"], {}, {"a": 1}, [[]]]
)
def test_starts_with_odd_types(local: Local, value: Any) -> None:
    """Every field of every game's start: refused with a sentence or taken, never a bug."""
    for slug in kibitz.games():
        game = kibitz.load(slug)
        good = game.deal(seed=1).view(seat=0).start
        for name in [*(each["name"] for each in game.info["start"]), "zebra", "seat", "hands"]:
            start = good | {name: value}
            found = local.attempt("new", s="t", replace=True, game=slug, seat=0, start=start)
            if isinstance(found, Failed):
                assert found.kind == "invalid_start", (slug, name, found)
                assert found.data["field"] == "start"
            else:
                local.ask("state", s="t")
            found = local.attempt("view", s="v", game=slug, view={"seat": 0, **start})
            if isinstance(found, Failed):
                assert found.kind in ("invalid_view", "bad_value"), (slug, name, found)


def test_options_of_every_kind(local: Local) -> None:
    for slug in kibitz.games():
        start = kibitz.load(slug).deal(seed=1).view(seat=0).start
        for option in kibitz.load(slug).info["options"]:
            name = option["name"]
            values: list[Any] = [None, "zebra", 2**70, -1, 1.5, True, [], {}, {"a": [1]}, ""]
            for value in values:
                given = {"game": slug, "seat": 0, "start": start, "options": {name: value}}
                found = local.attempt("new", s="t", replace=True, **given)
                if isinstance(found, Failed):
                    assert found.kind in ("invalid_option", "invalid_start"), (slug, name, value, found)
                    assert name in found.message or found.kind == "invalid_start", found
        error = local.error("new", s="u", game=slug, seat=0, start=start, options={"zebra": 1})
        assert (error.kind, error.data["given"]) == ("invalid_option", "zebra")
        most = max(kibitz.load(slug).info["players"])
        error = local.error("new", s="u", game=slug, seat=0, start=start, players=most + 1)
        assert error.kind == "invalid_option"
        error = local.error("new", s="u", game=slug, seat=most, start=start, players=most)
        assert (error.kind, error.data["field"], error.data["given"]) == ("bad_value", "seat", most)
        assert error.data["allowed"] == list(range(most))


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_r10_legal_lists_and_reasons(local: Local, cover: Cover) -> None:
    game = game_of(cover)
    table = played(game, seed=6, most=7)
    for seat in range(game.seats):
        view = table.view(seat=seat)
        local.ask("new", s="t", replace=True, **opening(table, seat, events=view.record))
        own = table.turn == seat
        assert local.ask("legal", s="t")["moves"] == (table.legal() if own else [])
        for move in table.legal():
            found = local.ask("legal", s="t", move=move)
            assert found["move"] == move
            assert found["legal"] is own
            if not own:
                assert "why" in found
        for move in ("zebra", "", "*:x", f"{seat}:x", "\0", "x"):
            found = local.ask("legal", s="t", move=move)
            assert found["legal"] is False
            assert found["why"]
        if own:
            played_too = {f"{seat}:{move}" for move in table.legal()}
            assert played_too == {f"{seat}:{each['move']}" for each in _rows(local)}


def _rows(local: Local) -> list[dict[str, Any]]:
    legal = local.ask("legal", s="t")["moves"]
    rows: list[dict[str, Any]] = local.ask("go", s="t", iterations=40 * len(legal), top="all")["moves"]
    assert {row["move"] for row in rows} <= set(legal)
    return [{"move": move} for move in legal]


def test_legal_says_why_as_errors_do(local: Local) -> None:
    local.ask("new", s="t", **kami())
    found = local.ask("legal", s="t", move="d7")
    error = local.error("event", s="t", n=8, moves=["0:d7"])
    assert found["rule"] == error.data["rule"]
    assert found["why"].partition("d7' by seat 0: ")[2].rstrip(".") in error.message


def test_end(local: Local) -> None:
    local.ask("new", s="t", **kami())
    for wrong, kind in (
        ({"returns": [1, 0]}, "bad_value"),
        (
            {"reveal": {"hands": ["11113478", "12344567", "11123368", "11224555"], "first": 1}},
            "invalid_start",
        ),
        ({"reveal": {"hands": ["11113477"] * 4, "first": 1}}, "invalid_start"),
        ({"reveal": {}}, "invalid_start"),
        ({"reveal": {"zebra": 1}}, "invalid_start"),
    ):
        assert local.error("end", s="t", **wrong).kind == kind
        assert local.ask("state", s="t")["n"] == 8
    truth = {"hands": ["11113477", "12344568", "11123368", "11224555"], "first": 1, "totals": [0, 0]}
    result = local.ask("end", s="t", returns=[1, 0, 1, 0], reveal=truth, review={"iterations": 50})
    assert result["review"]["decisions"]
    assert local.error("state", s="t").kind == "unknown_session"
    local.ask("new", s="t", **kami())
    assert local.ask("end", s="t", reveal=truth) == {}


def test_a_huge_list_of_events(local: Local) -> None:
    """65 536 events are the most; more are refused before they are read, as are lines of over 1 MiB."""
    game = kibitz.load("kami", players=2)
    table = played(game, seed=1, most=3000)
    record = list(table.view(seat=0).record)
    found = local.ask("new", s="t", **opening(table, 0, events=record))
    assert found["digest"] == table.view(seat=0).digest
    assert local.ask("event", s="t", n=0, moves=record)["dup"] is True
    assert local.ask("undo", s="t", n=len(record) // 2)["n"] == len(record) // 2
    assert local.error("event", s="t", n=0, moves=["0:p"] * 65_537).data["field"] == "moves"
    error = local.error("event", s="t", n=0, moves=record[:1] * 60_000)
    assert (error.kind, error.data["n"]) == ("conflict", 1)
