"""Reviews and benches beside the searches; and faults on threads of their own."""

from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz.protocol.lanes import Lane
from kibitz.protocol.thinking import Thinking
from kibitz.protocol.work import Work
from protocol.tables import KAMI_LEGAL, KAMI_TRUTH, RECORD, kami
from protocol.wire import Failed, Local, kinds, searching, wait_for


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        opened.ask("new", s="t", **kami())
        yield opened


def test_reviews_and_benches_run_beside_all_else_and_end_with_quit(local: Local) -> None:
    review = local.send("review", game="kami", record=RECORD, iterations=20)
    assert local.result(review)["decisions"]
    progress = [note for note in local.noted("progress") if note["id"] == review]
    assert progress
    assert all(0 <= note["done"] <= note["of"] for note in progress)
    ids = [local.send("review", game="kami", record=RECORD, ms=60_000) for _ in range(4)]
    assert local.error("review", game="kami", record=RECORD, ms=10).kind == "busy"
    assert local.error("bench").kind == "busy"
    assert local.ask("go", s="t", ms=5)["move"] in KAMI_LEGAL
    quit_ = local.send("quit")
    assert kinds(local, [*ids, quit_]) == ["cancelled"] * 4 + ["result"]


def test_reviews_of_every_form_of_record(local: Local) -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=7)
    for _ in range(6):
        table.play(table.legal()[0])
    for record, seats in ((table.to_dict(), [0, 1, 2, 3]), (table.view(seat=0).to_dict(), [0])):
        result = local.ask("review", game="kami", record=record, iterations=20, seats=seats)
        assert {each["seat"] for each in result["decisions"]} <= set(seats)
    error = local.error("review", game="kami", record=table.view(seat=0).to_dict(), seats=[0, 1])
    assert (error.kind, error.data["field"], error.data["allowed"]) == ("bad_value", "seats", [0])
    error = local.error("review", game="thecrew", record=table.to_dict())
    assert error.kind == "invalid_view"
    records: list[Any] = ["zebra", "", {}, {"start": {}}, {"start": KAMI_TRUTH, "record": ["0:p"]}]
    for wrong in [*records, {"zebra": 1}]:
        assert local.error("review", game="kami", record=wrong).kind == "invalid_view", wrong
    assert local.error("review", game="zebra", record="x").kind == "unknown_game"
    assert local.error("review", game="kami", record=RECORD, seats=[9]).kind == "bad_value"
    assert (
        local.error("review", game="kami", record=RECORD, search={"name": "zebra"}).kind == "invalid_option"
    )


def test_a_review_of_the_same_seed_is_the_same(local: Local) -> None:
    first, second = (local.ask("review", game="kami", record=RECORD, iterations=50, seed=4) for _ in range(2))
    assert first == second


def test_bench_is_the_signature_of_fixed_work(local: Local) -> None:
    first = local.ask("bench", games=["tic_tac_toe", "kuhn_poker"])
    assert first["iterations"] > 0
    request = searching(local)
    assert local.ask("bench", games=["tic_tac_toe", "kuhn_poker"])["signature"] == first["signature"]
    assert local.ask("bench", games=["kuhn_poker"])["signature"] != first["signature"]
    local.ask("stop", s="t")
    local.result(request)
    with pytest.raises(Failed) as raised:
        local.ask("bench", games=["zebra"])
    assert raised.value.kind == "unknown_game"


# ---- faults in threads of their own ----


def test_no_thread_to_be_had(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine gives no more threads: each request is answered, and later ones are served."""

    def none(*_: Any, **__: Any) -> Any:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Work, "submit", none)
    for method, params in (
        ("go", {"iterations": 5}),
        ("state", {}),
        ("go", {"until": "stop"}),
        ("undo", {"n": 8}),
    ):
        assert local.error(method, s="t", **params).kind in ("internal", "overloaded")
    assert local.error("review", game="kami", record=RECORD).kind in ("internal", "overloaded")
    assert local.error("bench").kind in ("internal", "overloaded")
    monkeypatch.undo()
    assert local.ask("stop", s="t") == {}
    assert local.ask("legal", s="t")["moves"] == KAMI_LEGAL
    assert local.ask("go", s="t", iterations=5)["iterations"] == 5
    assert local.ask("bench", games=["tic_tac_toe"])["signature"]
    assert wait_for(lambda: local.host._running == 0)


def test_a_bug_on_a_thread_of_its_own_is_answered(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(Thinking, "answer", broken)
    for _ in range(3):
        assert local.error("go", s="t", iterations=1).kind == "internal"
    monkeypatch.undo()
    for name in ("wake", "ponder", "advance", "forget"):
        monkeypatch.setattr(Lane, name, broken)
        ids = [
            local.send("go", s="t", iterations=1, ponder=True),
            local.send("event", s="t", n=8, moves=["0:d4"]),
            local.send("undo", s="t", n=8),
            local.send("state", s="t"),
        ]
        for id_ in ids:
            local.reply(id_)
        monkeypatch.undo()
    assert local.ask("undo", s="t", n=8)["turn"]["legal"] == KAMI_LEGAL
    assert local.ask("go", s="t", iterations=5)["iterations"] == 5
