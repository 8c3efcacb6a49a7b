"""What went wrong with other engines in the field, as a host would see it: none of it may happen here."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover, searches_of
from kibitz import _core
from kibitz.events import event_text
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View
from protocol.tables import KAMI_LEGAL, KAMI_TRUTH, kami
from protocol.wire import Local

FIGURES = ("ms", "ips", "late_ms")


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


def alike(game: Game, seat: int, seed: int, most: int) -> tuple[list[str], list[str], list[str]]:
    """Two games that look the same to a seat: its events, and the true ones of both.

    Both are played on in step from deals that the seat cannot tell apart, each by a move of its own that the seat
    sees the same of.
    """
    rng = random.Random(f"{game!r} {seat} {seed}")
    first = game.core.deal(seed)
    second = first.view(seat).sample(_core.Rng(seed, "another world"))
    seen_by_seat, truths = list[str](), (list[str](), list[str]())
    states = [first, second]
    while len(seen_by_seat) < most and states[0].turn != _core.OVER:
        actor = states[0].turn
        choices: list[dict[int, list[int]]] = []
        for state in states:
            moves = [code for code, _ in state.outcomes()] if actor == _core.CHANCE else state.moves()
            by_look: dict[int, list[int]] = {}
            for move in moves:
                by_look.setdefault(state.seen(move, seat), []).append(move)
            choices.append(by_look)
        common = [look for look in choices[0] if look in choices[1]]
        if not common or states[1].turn != actor:
            break
        look = rng.choice(common)
        seen_by_seat.append(event_text(game.core, actor, look))
        for index, state in enumerate(states):
            options = choices[index][look]
            move = options[-1] if index else options[0]
            truths[index].append(event_text(game.core, actor, move))
            states[index] = state.play(move)
        assert states[0].view(seat) == states[1].view(seat)
    return seen_by_seat, *truths


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_f1_two_truths_that_look_alike_bring_the_same_answer(local: Local, cover: Cover) -> None:
    """Masked or by the true events with `mask:true`: every reply of the two sessions is the same, to the last digit."""
    game = Game(cover.slug, dict(cover.options))
    local.ask("set", mask=True)
    different = 0
    for seat in range(game.seats):
        for seed in (1, 2, 3, 4):
            first = game.core.deal(seed)
            other = first.view(seat).sample(_core.Rng(seed, "another world"))
            start = Table(game, first).view(seat=seat).start
            assert start == Table(game, other).view(seat=seat).start
            seen, *truths = alike(game, seat, seed, most=30)
            different += first != other or truths[0] != truths[1]
            new = {"game": game.slug, "options": game.options, "seat": seat, "start": start, "seed": 3}
            names = ("masked", "first", "second")
            for name, events in zip(names, (seen, *truths), strict=True):
                local.ask("new", s=name, replace=True, **new)
                for n, event in enumerate(events):
                    local.ask("event", s=name, n=n, moves=[event])
            states = [local.ask("state", s=name) for name in names]
            assert states[0] == states[1] == states[2]
            if "legal" in states[0]["turn"]:
                for search in searches_of(game.core):
                    answers = []
                    for name in names:
                        view = states[0]["view"]
                        local.ask(
                            "view", s=f"{name} v", game=game.slug, view=view, search={"name": search}, seed=3
                        )
                        answer = local.ask("go", s=f"{name} v", iterations=30, top="all")
                        answers.append({each: answer[each] for each in answer if each not in FIGURES})
                    assert answers[0] == answers[1] == answers[2]
                answers = [local.ask("go", s=name, iterations=50, top="all", scope="turn") for name in names]
                stripped = [
                    {each: answer[each] for each in answer if each not in FIGURES} for answer in answers
                ]
                assert stripped[0] == stripped[1] == stripped[2]
    assert bool(different) == (not game.info["open"])


def test_f1_a_guess_that_only_a_peeker_wins_is_even(local: Local) -> None:
    """Kuhn poker with the queen against a bet: called, it wins against the jack and loses to the king.

    Who peeks calls only the jack and gains; an honest estimate of the call lies between, and is the same whichever
    card the other really holds.
    """
    means = []
    for hands in ("QK", "QJ"):
        table = kibitz.load("kuhn_poker").setup({"hands": hands})
        table.play("pass")
        table.play("bet")
        view = table.view(seat=0)
        local.ask(
            "new",
            s="t",
            replace=True,
            game="kuhn_poker",
            seat=0,
            start=view.start,
            events=view.record,
            seed=1,
        )
        rows = local.ask("go", s="t", iterations=4000, top="all")["moves"]
        means.append({row["move"]: (row["mean"], row["visits"]) for row in rows})
    assert means[0] == means[1]
    assert means[0].keys() == {"pass", "bet"}
    assert 0.3 < means[0]["bet"][0] < 0.7


def test_f3_a_limit_holds_for_all_that_a_go_does(local: Local) -> None:
    """The many worlds of a deal just begun, the whole turn, rows of every move, infos: in the time given, or nearly."""
    for slug, options in (("kami", {}), ("thecrew", {"mission": 4}), ("hearts", {})):
        table = kibitz.load(slug, **options).deal(seed=1)
        view = table.view()
        local.ask(
            "new",
            s="t",
            replace=True,
            game=slug,
            options=options,
            seat=view.seat,
            start=view.start,
            events=view.record,
        )
        for ms in (20, 50):
            result = local.ask("go", s="t", ms=ms, scope="turn", top="all", info_ms=5)
            assert result["ms"] < ms + 500
            assert result["move"] in table.legal()


@pytest.mark.parametrize("cover", PLAIN, ids=str)
def test_f5_every_event_reaches_every_view(local: Local, cover: Cover) -> None:
    """Taking the last event away changes what each seat knows; masked or not, each hears that something happened."""
    game = Game(cover.slug, dict(cover.options))
    table, rng = game.deal(seed=2), random.Random(2)
    while isinstance(table.turn, int) and len(table.record) < 60:
        table.play(rng.choice(table.legal()))
    for seat in range(game.seats):
        view = table.view(seat=seat)
        local.ask(
            "new", s="t", replace=True, game=game.slug, options=game.options, seat=seat, start=view.start
        )
        before = local.ask("state", s="t")
        for n, event in enumerate(view.record):
            local.ask("event", s="t", n=n, moves=[event])
            after = local.ask("state", s="t")
            assert after["digest"] != before["digest"], (seat, event)
            assert after["view"]["view"] != before["view"]["view"], (seat, event)
            before = after


def disclosed(local: Local, table: Table, seat: int) -> dict[str, Any]:
    """The view of a seat, kept up by events."""
    view = table.view(seat=seat)
    local.ask(
        "new",
        s="t",
        replace=True,
        game=table.game.slug,
        options=table.game.options,
        seat=seat,
        start=view.start,
        events=view.record,
    )
    document: dict[str, Any] = local.ask("state", s="t")["view"]
    return document


def test_f5_five_soldiers_are_announced_to_all(local: Local) -> None:
    table = kibitz.load("kami").setup({"hands": ["11111477", "12344568", "11233368", "11224555"], "first": 0})
    assert "?5" in table.legal()
    table.play("?5")
    for seat in range(4):
        document = disclosed(local, table, seat)
        assert document["view"]["announced"] == [5, 0, 0, 0]
        for index in range(50):  # in every world they are there
            world = View.from_json(document).sample(seed=1, index=index)
            assert world.start["hands"][0].count("1") == 5


def test_f5_statements_and_played_cards_are_everybodys(local: Local) -> None:
    rng = random.Random(7)
    said = 0
    for seed in range(12):
        table = kibitz.load("thecrew", mission=1).deal(seed=seed)
        while isinstance(table.turn, int) and len(table.record) < 16:
            loud = [move for move in table.legal() if move.startswith("say")]
            table.play(rng.choice(loud or table.legal()))
        statements = [event for event in table.record if ":say" in event]
        said += len(statements)
        for seat in range(table.game.seats):
            document = disclosed(local, table, seat)
            for event in statements:
                speaker, card = int(event[0]), event.split()[1]
                assert document["view"]["statements"][speaker].startswith(card)
                if any(f"{speaker}:{card}" == each for each in table.record):
                    continue
                for index in range(5):
                    world = View.from_json(document).sample(seed=1, index=index)
                    assert card in world.start["hands"][speaker]
    assert said > 20


def test_f5_mercenaries_turned_up_are_seen_by_both(local: Local) -> None:
    table, rng = kibitz.load("kami", players=2).deal(seed=5), random.Random(5)
    turned: dict[str, str] = {}
    while isinstance(table.turn, int) and len(table.record) < 80:
        table.play(rng.choice(table.legal()))
        for event in table.record:
            if event.startswith("*:up "):
                turned[event.split()[1]] = event
    assert turned
    for seat in range(2):
        record = disclosed(local, table, seat)["record"]
        assert all(event in record for event in turned.values())


def test_f6_what_the_server_really_played_is_the_truth(local: Local) -> None:
    """A time-out: the server plays a pass for the seat that was about to answer otherwise, and goes on."""
    local.ask("new", s="t", **kami())
    answer = local.ask("go", s="t", iterations=200, clock={"main_ms": 0, "byoyomi_ms": 5000}, ponder=True)
    other = next(move for move in KAMI_LEGAL if move != answer["move"])
    found = local.ask("event", s="t", n=8, moves=[f"0:{other}"])
    assert found["n"] == 9
    assert local.error("event", s="t", n=8, moves=[f"0:{answer['move']}"]).kind == "conflict"
    record = local.ask("state", s="t")["view"]["record"]
    assert record[-1] == f"0:{other}"
    # dropped and back: rebuilt from what the seat saw, nothing else
    with Local() as again:
        assert again.ask("new", s="t", **kami() | {"events": record})["digest"] == found["digest"]
        other_seat = again.error("new", s="u", **kami() | {"events": record, "seat": 1})
        assert other_seat.kind in ("illegal_move", "inconsistent", "too_much", "invalid_start")


def test_f6_the_redeal_question_is_answered_by_the_clock(local: Local) -> None:
    truth = KAMI_TRUTH | {"hands": ["11111477", "12344568", "11233368", "11224555"], "first": 0}
    table = kibitz.load("kami").setup(truth)
    for seat, moves in ((0, {"?5", "-"}), (2, {"+", "-"})):
        view = table.view(seat=seat)
        local.ask("new", s=f"{seat}", game="kami", seat=seat, start=view.start, events=view.record)
        if table.turn != seat:
            table.play("?5")
            news = table.view(seat=seat).record[len(view.record) :]
            local.ask("event", s=f"{seat}", n=len(view.record), moves=news)
        legal = local.ask("legal", s=f"{seat}")["moves"]
        assert set(legal) <= moves
        result = local.ask("go", s=f"{seat}", clock={"main_ms": 0, "byoyomi_ms": 150}, expect=legal)
        assert result["move"] in legal
        assert result["reason"] in ("clock", "fallback")
