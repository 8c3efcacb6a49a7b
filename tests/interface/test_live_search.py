"""`kibitz.Search`: runs in the background, can be looked at, ends when told, and moves along with the game."""

import asyncio
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover, searches_of
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, TooMuch, WrongActor
from kibitz.settings import POLICIES, Arguments, Settings

LONG = 60.0  # seconds after which something hangs


def game_of(cover: Cover) -> kibitz.Game:
    return kibitz.load(cover.slug, **dict(cover.options))


def to_decide(game: kibitz.Game, *, seed: int = 7, plies: int = 0) -> kibitz.Table:
    """A table at a decision between several moves, after so many random ones."""
    table = game.deal(seed=seed)
    rng = _core.Rng(seed, "test")
    while plies > 0 or len(table.legal()) < 2:
        table.play(table.legal()[rng.below(len(table.legal()))])
        plies -= 1
    return table


def lead() -> kibitz.View:
    return to_decide(kibitz.load("kami", redeal=False)).view()


def facts(found: kibitz.Analysis) -> dict[str, Any]:
    """All but what ended it and when."""
    return {
        name: value for name, value in found.to_dict().items() if name not in ("seconds", "ips", "reason")
    }


def searching(game: kibitz.Game) -> list[str]:
    return [name for name in searches_of(game.core) if name not in POLICIES]


every_table = pytest.mark.parametrize("cover", PLAIN, ids=str)
every_search = pytest.mark.parametrize(
    ("cover", "method"),
    [(cover, method) for cover in PLAIN for method in searching(game_of(cover))],
    ids=str,
)
keeping = pytest.mark.parametrize(
    ("cover", "method"),
    [
        (cover, method)
        for cover in PLAIN
        for method in searching(game_of(cover))
        if method in ("ismcts", "mcts")
    ],
    ids=str,
)


# --- running ---


@every_search
@pytest.mark.parametrize("threads", [1, 2])
def test_one_run_finds_what_best_move_finds(cover: Cover, method: str, threads: int) -> None:
    view = to_decide(game_of(cover)).view()
    given: dict[str, Any] = {"iterations": 300, "seed": 3, "threads": threads}
    assert kibitz.Search(view, method, **given).start().result() == kibitz.best_move(
        view, search=method, **given
    )


@every_search
def test_another_run_goes_on_where_the_first_ended(cover: Cover, method: str) -> None:
    view = to_decide(game_of(cover)).view()
    search = kibitz.Search(view, method, iterations=150, seed=3)
    first = search.start().result()
    second = search.start().result()
    if first.reason != "proven":
        assert second.iterations > first.iterations
    assert facts(second) == facts(kibitz.best_move(view, **second.repeat))


def test_a_run_may_have_a_budget_of_its_own() -> None:
    search = kibitz.Search(lead(), iterations=100, seed=1)
    assert search.start(iterations=40).result().iterations == 40
    assert search.start().result().iterations == 140
    assert search.start(ms=1).result().reason == "ms"


@every_search
def test_a_snapshot_while_it_runs_is_a_search_of_its_own(cover: Cover, method: str) -> None:
    """Each thread's part is whole: the iterations it tells of give just these rows."""
    view = to_decide(game_of(cover)).view()
    with kibitz.Search(view, method, seed=2, threads=2, max_bytes=2**23).start() as search:
        found = search.snapshot()
        while found.iterations < 50 and search.running:
            found = search.snapshot()
        assert found.reason == "running" or not search.running
        later = search.snapshot()
        assert later.iterations >= found.iterations
    again = kibitz.best_move(view, **found.repeat)
    assert [(r.move, r.visits, r.mean, r.se) for r in found.moves] == [
        (r.move, r.visits, r.mean, r.se) for r in again.moves
    ]


def test_without_a_budget_it_runs_until_it_is_stopped() -> None:
    search = kibitz.Search(lead())
    assert not search.running
    search.start()
    while search.snapshot().iterations < 1000:
        assert search.running
    found = search.stop()
    assert (found.reason, search.running) == ("stop", False)
    assert found.move in search.view.legal()
    assert search.stop() == search.result() == search.snapshot() == found


def test_a_block_ends_what_runs() -> None:
    with kibitz.Search(lead()).start() as search:
        assert search.running
    assert not search.running


def test_a_block_that_fails_ends_what_runs() -> None:
    search = kibitz.Search(lead()).start()
    with pytest.raises(KeyError), search:
        search.snapshot().repeat["zebra"]
    assert not search.running


def test_one_legal_move_needs_no_search() -> None:
    table = kibitz.load("kami").deal(seed=7)
    while len(table.legal()) != 1:
        table.play(table.legal()[0])
    found = kibitz.Search(table.view()).start().result()
    assert (found.reason, found.forced, found.move) == ("single", True, table.legal()[0])


def test_a_proof_ends_it() -> None:
    found = kibitz.Search(kibitz.load("tic_tac_toe").deal(seed=1).view(), "mcts").start().result()
    assert (found.reason, found.moves[0].exact) == ("proven", 0.5)


def test_several_threads_may_look() -> None:
    with kibitz.Search(lead(), threads=2).start() as search:
        counts: list[list[int]] = [[] for _ in range(4)]
        lookers = [
            threading.Thread(
                target=lambda mine=mine: mine.extend(search.snapshot().iterations for _ in range(20))
            )
            for mine in counts
        ]
        for each in lookers:
            each.start()
        for each in lookers:
            each.join()
    assert all(mine == sorted(mine) and len(mine) == 20 for mine in counts)


# --- what is refused ---


def test_what_needs_a_search_before() -> None:
    search = kibitz.Search(lead())
    for ask in (search.snapshot, search.result, search.stop):
        with pytest.raises(InvalidOption, match=r"before start\(\)"):
            ask()
    with search:
        pass


def test_what_a_running_search_refuses() -> None:
    with kibitz.Search(lead()).start() as search:
        for ask in (search.start, lambda: search.advance(search.view.legal()[0])):
            with pytest.raises(InvalidOption, match="runs and cannot"):
                ask()
        assert search.running


def test_it_must_be_the_seats_turn() -> None:
    table = to_decide(kibitz.load("kami", redeal=False))
    assert isinstance(table.turn, int)
    other = (table.turn + 1) % 4
    search = kibitz.Search(table.view(seat=other), iterations=10)
    with pytest.raises(IllegalMove, match="nothing to decide"):
        search.start()
    search = kibitz.Search(table.view(), iterations=10)
    search.start().result()
    while search.view.turn == search.view.seat:
        search.advance(search.view.legal()[0])
    for ask in (search.start, search.snapshot, search.result, search.stop):
        with pytest.raises(IllegalMove, match="nothing to decide"):
            ask()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"search": "greedy"}, "without searching"),
        ({"search": "mcts"}, "nothing is hidden"),
        ({"search": "mtcs"}, "did you mean"),
        ({"iterations": 0}, "iterations"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"max_bytes": 1}, "max_bytes"),
    ],
)
def test_arguments_are_checked(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        kibitz.Search(lead(), **given)


def test_a_table_is_no_view() -> None:
    table: Any = kibitz.load("kami").deal(seed=1)
    with pytest.raises(InvalidOption, match=r"use table\.view"):
        kibitz.Search(table)


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_not_copied(copied: Any) -> None:
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        copied(kibitz.Search(lead()))


def test_the_core_refuses_by_itself() -> None:
    core = _core.Search(lead().core, search="ismcts")
    with pytest.raises(InvalidOption, match="without searching"):
        _core.Search(lead().core, search="random")
    with pytest.raises(IllegalMove):
        core.advance(3, 0)
    stop = _core.Stop()
    runner = threading.Thread(target=lambda: core.run(stop=stop))
    runner.start()
    while core.snapshot()["reason"] != "running":
        pass
    with pytest.raises(InvalidOption, match="stop it first"):
        core.run(iterations=1)
    stop.stop()
    runner.join()


def test_arguments_are_those_of_settings() -> None:
    own = {
        "search",
        "clock",
        "evaluator",
        "batch",
    }  # a clock is for one decision; puct does not run in the background
    assert Arguments.__annotations__.keys() | own == {each.name for each in fields(Settings)}


# --- moving along ---


def played_along(
    cover: Cover, method: str, *, seed: int, iterations: int = 60, plies: int = 400
) -> Iterator[tuple[kibitz.Search, kibitz.Table, kibitz.Analysis]]:
    """A game in which one seat is the search's, others play at random; each of its answers."""
    table = to_decide(game_of(cover), seed=seed)
    seat = table.turn
    assert isinstance(seat, int)
    rng = _core.Rng(seed, "test")
    search = kibitz.Search(table.view(), method, iterations=iterations, seed=seed)
    for _ in range(plies):
        if table.turn is None:
            return
        search.advance(table.view(seat=seat))
        assert search.view == table.view(seat=seat)
        move = table.legal()[rng.below(len(table.legal()))]
        if table.turn == seat:
            found = search.start().result()
            yield search, table, found
            move = found.move
        table.play(move)


@every_search
def test_along_a_whole_game(cover: Cover, method: str) -> None:
    """It plays legal moves; what it tells adds up; the unused part of the tree is given back."""
    answers = 0
    for search, table, found in played_along(cover, method, seed=1):
        answers += 1
        assert found.move in table.legal()
        assert found.reused == search.reused
        assert found.digest == table.view().digest
        if found.reason == "iterations":
            assert found.iterations == 60
        if method in ("ismcts", "mcts"):
            assert sum(row.visits for row in found.moves) == found.iterations + found.reused
        else:
            assert found.reused == 0
        if found.reused == 0:
            assert facts(found) == facts(kibitz.best_move(table.view(), **found.repeat))
        else:
            assert found.repeat == {}
            assert "reused visit" in found.explain() or found.forced
    assert answers > 0


@keeping
def test_same_seed_and_moves_same_answers(cover: Cover, method: str) -> None:
    first, second = (
        [facts(found) for _, _, found in played_along(cover, method, seed=2, plies=40)] for _ in range(2)
    )
    assert first == second


# Connect Four has one decision after another, Kami many plies of a round without chance, tic-tac-toe both
# searches; in Kuhn poker the first seat moves again after a check and a bet.
@pytest.mark.parametrize(
    ("slug", "method"),
    [
        ("connect_four", "mcts"),
        ("connect_four", "ismcts"),
        ("tic_tac_toe", "mcts"),
        ("tic_tac_toe", "ismcts"),
        ("kami", "ismcts"),
    ],
)
def test_something_is_reused(slug: str, method: str) -> None:
    (cover,) = [each for each in PLAIN if each.slug == slug][-1:]
    reused = [found.reused for _, _, found in played_along(cover, method, seed=3, iterations=500, plies=30)]
    assert reused[0] == 0
    assert sum(count > 0 for count in reused) >= 2


@pytest.mark.parametrize(("slug", "method"), [("connect_four", "mcts"), ("connect_four", "ismcts")])
@pytest.mark.parametrize("threads", [1, 2])
def test_without_more_iterations_it_tells_what_the_subtree_knew(slug: str, method: str, threads: int) -> None:
    """The expected line goes on as it was expected, and nothing new is claimed."""
    table = to_decide(kibitz.load(slug), plies=4)
    search = kibitz.Search(table.view(), method, iterations=4000, seed=1, threads=threads)
    before = search.start().result()
    own, reply = before.line[:2]
    search.advance(own)
    search.advance(reply)
    found = search.snapshot()
    assert (found.reason, found.iterations) == ("waiting", 0)
    assert found.reused == search.reused == sum(row.visits for row in found.moves) > 0
    if threads == 1:
        assert found.line == before.line[2:]
    assert all(row.se is None for row in found.moves)
    assert found.bytes < before.bytes
    assert search.result() == found
    after = search.start().result()
    assert after.reused == found.reused
    for row in after.moves:
        fresh = row.visits - found.row(row.move).visits
        assert (row.se is None) == (fresh < 2)


def test_the_visits_below_a_move_are_those_of_the_move() -> None:
    """In tic-tac-toe ismcts has a plain tree: a node's visits are its edge's but for the one that came before it.

    Of the n visits of a move, the first opened nothing; the others went to replies, the first visit of each likewise.
    """
    view = kibitz.load("tic_tac_toe").deal(seed=1).view()
    first = kibitz.Search(view, iterations=3000, seed=1).start().result().moves[0]
    below = 0
    replies = view.observe(f"0:{first.move}")
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    table.play(first.move)
    for reply in table.legal():
        search = kibitz.Search(view, iterations=3000, seed=1)
        search.start().result()
        search.advance(first.move)
        search.advance(reply)
        below += search.reused
    assert below == first.visits - 1 - len(table.legal())
    assert replies.turn == 1


@keeping
def test_out_of_the_tree_it_begins_afresh(cover: Cover, method: str) -> None:
    """Two iterations open no second node; then it is as if the search began there."""
    table = to_decide(game_of(cover))
    seat = table.turn
    assert isinstance(seat, int)
    search = kibitz.Search(table.view(), method, iterations=2, seed=4)
    search.start().result()
    rng = _core.Rng(1, "test")
    table.play(table.legal()[0])
    while table.turn not in (seat, None):
        table.play(table.legal()[rng.below(len(table.legal()))])
    search.advance(table.view(seat=seat))
    assert search.reused == 0
    if table.turn == seat and len(table.legal()) > 1:
        with pytest.raises(InvalidOption, match=r"before start\(\)"):
            search.snapshot()
        found = search.start(iterations=50).result()
        assert facts(found) == facts(kibitz.best_move(table.view(), search=method, iterations=50, seed=4))


def test_an_outcome_that_could_be_another_gives_the_tree_up() -> None:
    """In Leduc poker a card is turned up between the rounds: below it ismcts has means over all cards."""
    for seed in range(20):
        table = kibitz.load("leduc_poker").deal(seed=seed)
        search = kibitz.Search(table.view(seat=0), iterations=2000, seed=1)
        search.start().result()
        before = len(table.record)
        table.play("call")
        table.play("call")
        assert any(event.startswith("*") for event in table.record[before:])
        search.advance(table.view(seat=0))
        assert search.reused == 0


def test_proofs_are_kept() -> None:
    """x takes a corner after x has two in a row: every line below is known, and still is after two moves."""
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    for move in ("b2", "a1"):
        table.play(move)
    search = kibitz.Search(table.view(), "mcts", iterations=20_000, seed=1)
    before = search.start().result()
    assert before.reason == "proven"
    own, reply = before.line[:2]
    search.advance(own)
    search.advance(reply)
    found = search.snapshot()
    assert found.moves[0].exact == before.moves[0].exact
    assert search.start().result().reason == "proven"


def test_events_moves_and_views_lead_to_the_same() -> None:
    table = to_decide(kibitz.load("kami", redeal=False), plies=6)
    seat = table.turn
    assert isinstance(seat, int)
    ways = [kibitz.Search(table.view(), iterations=3000, seed=1, threads=2) for _ in range(3)]
    before = ways[0].start().result()
    for search in ways[1:]:
        search.start().result()
    start = len(table.record)
    table.play(before.move)
    while table.turn != seat:
        table.play(table.legal()[0])
    events = table.view(seat=seat).record[start:]
    for event in events:
        ways[0].advance(event)
        ways[1].advance(event.partition(":")[2])
    ways[2].advance(table.view(seat=seat))
    answers = [facts(search.start().result()) for search in ways]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["digest"] == table.view().digest
    assert len({search.reused for search in ways}) == 1


def test_it_is_told_no_more_than_its_seat_may_see() -> None:
    """And what it is told in full, with mask, it forgets: the answers are those of what it saw."""
    game = kibitz.load("kami", redeal=False)
    view = game.view(seat=0, start={"hand": "11113477", "first": 1})
    search, masked = (kibitz.Search(view, iterations=200, seed=1) for _ in range(2))
    with pytest.raises(TooMuch):
        search.advance("d3")
    assert search.view == view
    search.advance("dx")
    masked.advance("1:d3", mask=True)
    assert search.view == masked.view
    assert search.view.record == ("1:dx",)


def test_worlds_that_look_alike_are_answered_alike() -> None:
    """Several truths behind one view: the search is told what its seat sees, and says the same."""
    view = to_decide(kibitz.load("kami", redeal=False), plies=8).view()
    answers: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for index in range(12):
        world = view.sample(seed=1, index=index)
        search = kibitz.Search(view, iterations=1500, seed=1)
        world.play(search.start().result().move)
        while world.turn != view.seat:
            world.play("-" if "-" in world.legal() else world.legal()[0])
        for event in world.view(seat=view.seat).record:
            search.advance(event)
        answers.setdefault(search.view.record, []).append(facts(search.start().result()))
    alike = [found for found in answers.values() if len(found) > 1]
    assert alike
    assert any(found[0]["reused"] > 0 for found in alike)
    for found in alike:
        assert all(each == found[0] for each in found)


def test_a_refused_event_changes_nothing() -> None:
    table = to_decide(kibitz.load("kami", redeal=False), plies=6)
    search = kibitz.Search(table.view(), iterations=300, seed=1)
    found = search.start().result()
    seat = table.turn
    assert isinstance(seat, int)
    other = (seat + 1) % 4
    other_deal = to_decide(kibitz.load("kami", redeal=False), seed=8)
    refused: list[tuple[Any, type[Exception]]] = [
        ("zebra", IllegalMove),
        ("", IllegalMove),
        (7, IllegalMove),
        (f"{other}:{table.legal()[0]}", WrongActor),
        (table.view(seat=other), InvalidPosition),
        (other_deal.view(seat=seat), InvalidPosition),
        (table.at(3).view(seat=seat), InvalidPosition),
    ]
    for event, error in refused:
        with pytest.raises(error):
            search.advance(event)
        assert search.view == table.view()
        assert search.snapshot() == found
    search.advance(table.view())  # the same view: nothing happened
    assert search.snapshot() == found


def test_after_the_end_there_is_nothing_to_search() -> None:
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    search = kibitz.Search(table.view(seat=0), "mcts", iterations=10)
    while table.turn is not None:
        table.play(table.legal()[0])
    search.advance(table.view(seat=0))
    with pytest.raises(IllegalMove, match="nobody is to act"):
        search.start()
    with pytest.raises(WrongActor):
        search.advance("a1")


def test_memory_is_bounded_however_long_it_goes_on() -> None:
    for _, _, found in played_along(Cover("connect_four", ()), "mcts", seed=5, iterations=20_000, plies=12):
        assert found.bytes <= 256 * 2**20
    table = to_decide(kibitz.load("connect_four"))
    search = kibitz.Search(table.view(), "mcts", iterations=30_000, max_bytes=2**20, seed=1)
    found = search.start().result()
    assert found.full
    for event in found.line[:2]:
        search.advance(event)
    assert 0 < search.snapshot().bytes < found.bytes
    assert search.start().result().bytes <= 2**20


# --- asyncio ---


def test_waiting_leaves_the_event_loop_free() -> None:
    async def main() -> tuple[kibitz.Analysis, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        with kibitz.Search(lead(), ms=300).start() as search:
            found = await search.wait()
        ticking.cancel()
        return found, ticks

    found, ticks = asyncio.run(main())
    assert found.reason == "ms"
    assert ticks > 3


def test_a_stream_shows_it_run_and_ends_with_the_result() -> None:
    async def main() -> list[kibitz.Analysis]:
        with kibitz.Search(lead(), ms=400, threads=2).start() as search:
            found = [each async for each in search.stream(every_ms=20)]
            again = [each async for each in search.stream(every_ms=20)]
            assert again == found[-1:] == [search.result()]
        return found

    found = asyncio.run(main())
    assert [each.reason for each in found[:-1]] == ["running"] * (len(found) - 1)
    assert (found[-1].reason, len(found) > 2) == ("ms", True)
    counts = [each.iterations for each in found]
    assert counts == sorted(counts)


def test_a_stream_can_be_left_and_a_wait_cancelled() -> None:
    async def main() -> None:
        with kibitz.Search(lead()).start() as search:
            async for _ in search.stream(every_ms=1):
                break
            assert search.running
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(search.wait(), 0.05)
            assert search.running
            waiting = asyncio.create_task(search.wait())
            await asyncio.sleep(0)
            await asyncio.to_thread(search.stop)
            assert (await waiting).reason == "stop"

    asyncio.run(main())


@pytest.mark.parametrize("every", [0, -1, "1", float("nan"), None])
def test_a_stream_needs_a_time(every: Any) -> None:
    async def main() -> None:
        async for _ in kibitz.Search(lead(), iterations=10).start().stream(every_ms=every):
            pass

    with pytest.raises(InvalidOption, match="every_ms"):
        asyncio.run(main())


# --- ends ---


def searches_alive() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "kibitz.Search"]


def test_a_forgotten_search_ends() -> None:
    search = kibitz.Search(lead(), threads=2).start()
    assert len(searches_alive()) == 1
    del search
    gc.collect()
    assert searches_alive() == []


def test_many_forgotten_searches_end() -> None:
    for _ in range(30):
        kibitz.Search(lead()).start()
    gc.collect()
    assert searches_alive() == []


def test_a_run_that_cannot_begin_leaves_all_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    search = kibitz.Search(lead(), iterations=100, seed=1)
    found = search.start().result()

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            search.start()
    assert not search.running
    assert search.result() == found
    assert search.start().result().iterations == 200


BEGIN = "import kibitz\nview = kibitz.load('kami', redeal=False).deal(seed=7).view()"


def said_by(code: str) -> str:
    run = subprocess.run(
        [
            sys.executable,
            "-X",
            "dev",
            "-c",
            f"{BEGIN}\n{code}",
        ],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.strip()


def test_the_interpreter_ends_with_a_search_that_runs() -> None:
    assert said_by("search = kibitz.Search(view, threads=2).start(); print('done')") == "done"


def test_an_event_loop_ends_with_a_search_that_runs() -> None:
    code = """
import asyncio
async def main():
    global search
    search = kibitz.Search(view).start()
    task = asyncio.create_task(search.wait())
    await asyncio.sleep(0.05)
asyncio.run(main())
print(search.running)
"""
    assert said_by(code) == "True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_has_no_part_in_it() -> None:
    code = """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)
search = kibitz.Search(view).start()
child = os.fork()
if child == 0:
    try:
        search.snapshot()
    except kibitz.InvalidOption as error:
        print("another process" in str(error), search.running, flush=True)
    del search
    os._exit(0)
os.waitpid(child, 0)
print(search.running, search.stop().reason)
"""
    assert said_by(code).split() == ["True", "False", "True", "stop"]


def test_a_stop_comes_soon() -> None:
    with kibitz.Search(lead(), threads=2).start() as search:
        while search.snapshot().iterations == 0:
            pass
        start = time.monotonic()
        search.stop()
        assert time.monotonic() - start < 1


def test_chooses_between_the_moves_allowed() -> None:
    table = kibitz.load("connect_four").deal(seed=1)
    view = table.view()
    allow = view.legal()[1:3]
    search = kibitz.Search(view, "mcts", iterations=300, seed=4, allow=allow)
    found = search.start().result()
    assert found == kibitz.best_move(view, search="mcts", iterations=300, seed=4, allow=allow)
    assert sorted(row.move for row in found.moves) == sorted(allow)
    for _ in range(2):
        table.play(found.move if table.turn == view.seat else table.legal()[-1])
    search.advance(table.view(seat=view.seat))
    assert sorted(row.move for row in search.start(iterations=50).result().moves) == sorted(table.legal())


def test_refuses_to_allow_what_is_not_legal() -> None:
    view = kibitz.load("connect_four").deal(seed=1).view()
    with pytest.raises(kibitz.IllegalMove, match="'z' is no move"):
        kibitz.Search(view, "mcts", allow=["z"])
    with pytest.raises(kibitz.InvalidOption, match="allow lists no move"):
        kibitz.Search(view, "mcts", allow=[])
    with pytest.raises(kibitz.InvalidOption, match="allow takes a list"):
        kibitz.Search(view, "mcts", allow="a")
    other = kibitz.load("kami", redeal=False).deal(seed=7)
    with pytest.raises(kibitz.IllegalMove, match="legal"):
        kibitz.Search(other.view(), allow=["a1"])


def test_joins_for_a_while() -> None:
    search = kibitz.Search(to_decide(kibitz.load("kami")).view(), seed=1)
    assert search.join(0.0)  # nothing runs
    search.start()
    assert not search.join(0.0)
    search.stop()
    assert search.join(10.0)
