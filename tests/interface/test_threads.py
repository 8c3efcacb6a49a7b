"""Several threads on the same objects, and what a seat may not learn: no state is shared, so nothing mixes."""

import gc
import pickle
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kibitz
from covers import searches_of
from kibitz import _core
from kibitz.analysis import analyse
from kibitz.errors import KibitzError

THREADS = 8
GAME = kibitz.load("kami")


@pytest.fixture(autouse=True)
def many_switches() -> Iterator[None]:
    """Threads take turns after a few steps of Python instead of every 5 ms."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """What `work` gives in each of several threads that start together."""
    together = threading.Barrier(count)

    def run(number: int) -> Any:
        together.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def played(*, players: int = 4, seed: int = 7, plies: int = 30) -> kibitz.Table:
    table = kibitz.load("kami", players=players).deal(seed=seed)
    rng = _core.Rng(seed, "test threads")
    for _ in range(plies):
        if table.turn is not None:
            table.play(table.legal()[rng.below(len(table.legal()))])
    return table


def to_decide(seed: int = 7) -> kibitz.View:
    """A view of a seat that has a choice."""
    table = played(seed=seed, plies=12)
    while len(table.legal()) < 2:
        table.play(table.legal()[0])
    return table.view()


def facts(found: kibitz.Analysis) -> dict[str, Any]:
    return {name: value for name, value in found.to_dict().items() if name not in ("seconds", "ips")}


# --- the same objects in several threads ---


@pytest.mark.parametrize("search", searches_of(GAME.core))
def test_searches_of_one_view_at_once(search: str) -> None:
    view = to_decide()
    alone = [
        facts(kibitz.best_move(view, search=search, iterations=300, seed=seed)) for seed in range(THREADS)
    ]
    assert in_threads(lambda n: facts(kibitz.best_move(view, search=search, iterations=300, seed=n))) == alone


def test_searches_with_threads_of_their_own_at_once() -> None:
    view = to_decide()
    alone = facts(kibitz.best_move(view, iterations=400, threads=3, seed=1))
    assert (
        in_threads(lambda _: facts(kibitz.best_move(view, iterations=400, threads=3, seed=1)))
        == [alone] * THREADS
    )


def test_samples_of_one_view_at_once() -> None:
    view = to_decide()
    alone = [view.sample(seed=seed) for seed in range(THREADS)]
    for _ in range(5):
        assert in_threads(lambda n: view.sample(seed=n)) == alone


def test_looking_at_one_table_at_once() -> None:
    """A table keeps what each seat has seen; the first to ask fills it in."""
    for seed in range(10):
        table = played(seed=seed, plies=60)
        expected = [table.copy().view(seat=seat).to_json() for seat in range(4)]
        said = in_threads(lambda n, table=table: table.view(seat=n % 4).to_json())  # type: ignore[misc]
        assert said == expected * (THREADS // 4)
        assert table.to_json() == table.copy().to_json()


def test_playing_at_one_table_at_once() -> None:
    """Each move is played whole or refused; the record has all that were played, and holds."""
    for seed in range(5):
        table = GAME.deal(seed=seed)

        def play(number: int, table: kibitz.Table = table) -> int:
            rng = _core.Rng(number, "test play")
            done = 0
            for _ in range(40):
                legal = table.legal()
                if not legal:
                    break
                try:
                    table.play(legal[rng.below(len(legal))])
                except KibitzError:  # another thread was first
                    continue
                done += 1
                seen = table.view(seat=number % 4)
                assert len(seen.record) >= done
                table.copy().at(len(seen.record) // 2)
            return done

        done = sum(in_threads(play))
        assert done == sum(not event.startswith("*") for event in table.record)
        assert kibitz.Table.from_json(table.to_json()) == table


def test_undo_at_one_table_at_once() -> None:
    table = played(plies=60)
    start = table.at(0)
    plies = sum(not event.startswith("*") for event in table.record)

    def undo(_: int) -> int:
        done = 0
        while True:
            try:
                table.undo()
            except KibitzError:
                return done
            done += 1

    assert sum(in_threads(undo)) == plies
    assert table == start


def test_one_bot_at_several_tables() -> None:
    bot = kibitz.Bot(iterations=150)
    views = [to_decide(seed) for seed in range(THREADS)]
    alone = [bot.act(view) for view in views]
    assert in_threads(lambda n: bot.act(views[n])) == alone


def test_matches_at_once() -> None:
    bots = [kibitz.Bot(iterations=20), kibitz.Bot("greedy")]

    def match(_: int) -> kibitz.MatchResult:
        return kibitz.match("kami", bots, games=2, seed=3, rounds=1, progress=False)

    assert in_threads(match, 4) == [match(0)] * 4


def test_one_stream_of_numbers_in_several_threads() -> None:
    """Its order is anybody's; no number is given twice and none is lost."""
    shared, alone = _core.Rng(1, "test"), _core.Rng(1, "test")
    drawn = in_threads(lambda _: [shared.below(2**63) for _ in range(200)])
    assert sorted(number for each in drawn for number in each) == sorted(
        alone.below(2**63) for _ in range(200 * THREADS)
    )


def test_compiled_work_lets_other_threads_run() -> None:
    """The interpreter lock is free meanwhile: another thread counts on while the work is done."""
    state, view = GAME.deal(seed=7).core, to_decide().core
    rng = _core.Rng(1, "test")
    works: dict[str, Callable[[], object]] = {
        "search": lambda: _core.search(view, search="ismcts", iterations=60_000),
        "flat": lambda: _core.search(view, search="flat", iterations=60_000),
        "perft": lambda: _core.perft(state, 19),
        "playouts": lambda: _core.playouts(state, 200_000, rng),
        "samples": lambda: _core.samples(view, 800_000, rng),
    }
    sys.setswitchinterval(10)  # nobody is made to wait: the lock goes on when it is given up
    for name, work in works.items():
        counted = 0
        during: list[int] = []

        def run(work: Callable[[], object] = work, during: list[int] = during) -> None:
            before = counted  # noqa: B023
            work()
            during.append(counted - before)  # noqa: B023

        thread = threading.Thread(target=run)
        thread.start()
        while thread.is_alive():
            counted += 1
            time.sleep(0)
        assert during[0] > 0, name


# --- stopping ---


def test_stop_ends_all_searches_that_have_it() -> None:
    stop = kibitz.Stop()
    view = to_decide()
    timer = threading.Timer(0.05, stop.stop)
    timer.start()
    found = in_threads(lambda _: kibitz.best_move(view, ms=60_000, stop=stop), 4)
    assert {each.reason for each in found} == {"stop"}
    assert all(each.move in view.legal() for each in found)
    assert all(each.iterations > 0 for each in found)
    again = kibitz.best_move(view, ms=60_000, stop=stop)  # it stays as it is
    assert again.reason == "stop"
    stop.clear()
    assert not stop.stopped
    assert kibitz.best_move(view, iterations=50, stop=stop).reason == "iterations"
    timer.join()


def test_stopping_a_bot_ends_all_its_searches() -> None:
    bot = kibitz.Bot(ms=60_000)
    view = to_decide()
    timer = threading.Timer(0.05, bot.stop)
    timer.start()
    assert {each.reason for each in in_threads(lambda _: bot.analyse(view), 4)} == {"stop"}
    timer.join()
    assert bot.act(view, iterations=20) in view.legal()


# --- what a view holds ---


def reach(thing: object) -> list[object]:
    """All that can be reached from an object, code and classes left out."""
    code = type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType | types.MethodType
    found: dict[int, object] = {}
    todo = [thing]
    while todo:
        each = todo.pop()
        if id(each) not in found and not isinstance(each, code):
            found[id(each)] = each
            todo += gc.get_referents(each)
    return list(found.values())


TRUTHS = (kibitz.Table, _core.State, _core.Rng)


def test_a_view_holds_no_truth() -> None:
    table = played()
    for seat in range(4):
        view = table.view(seat=seat)
        restored = pickle.loads(pickle.dumps(view))
        for thing in (view, restored, view.start, view.to_dict(), view.game, view.core):
            assert not any(isinstance(each, TRUTHS) for each in reach(thing))


def test_no_answer_and_no_bot_holds_one() -> None:
    view = to_decide()
    bot = kibitz.Bot(iterations=20)
    found = bot.analyse(view)
    kibitz.best_move(view, iterations=20, stop=kibitz.Stop())
    for thing in (bot, found, found.to_dict(), found.arrays()):
        assert not any(isinstance(each, TRUTHS) for each in reach(thing))


def test_a_player_in_a_match_is_given_a_view_and_nothing_else() -> None:
    given: list[object] = []

    class Watcher:
        def act(self, *arguments: object, **named: object) -> str:
            assert not named
            (view,) = arguments
            assert isinstance(view, kibitz.View)
            assert view.seat == view.turn
            given.append(view)
            return view.legal()[0]

    kibitz.match("kami", [Watcher(), lambda *them: Watcher().act(*them)], games=2, progress=False, rounds=1)
    assert len(given) > 20
    assert not any(isinstance(each, TRUTHS) for view in given[::7] for each in reach(view))


@pytest.mark.parametrize("seat", range(4))
def test_a_review_knows_what_the_seat_knew(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the truth and from that seat's record alone it says the same."""
    asked: list[object] = []

    def watch(view: kibitz.View, *arguments: Any, **named: Any) -> kibitz.Analysis:
        asked.append(view)
        assert not any(isinstance(each, TRUTHS) for each in (*arguments, *named.values()))
        return analyse(view, *arguments, **named)

    monkeypatch.setattr("kibitz.reviews.analyse", watch)
    table = played(plies=24)
    whole = kibitz.review(table, seats=[seat], iterations=60, progress=False)
    alone = kibitz.review(table.view(seat=seat), iterations=60, progress=False)
    assert whole.decisions == alone.decisions
    assert all(isinstance(view, kibitz.View) and view.seat == seat for view in asked)


# --- two truths that look the same ---


def everything(view: kibitz.View, seed: int) -> dict[str, Any]:
    """All that can be got out of a view, errors and a search's by-products included."""
    found: dict[str, Any] = {
        "json": view.to_json(),
        "pickles": [pickle.dumps(view, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)],
        "texts": (repr(view), str(view), view._repr_html_(), view.draw(), view.digest, hash(view)),
        "values": (
            view.record,
            view.start,
            view.turn,
            view.legal(),
            view.core.to_dict(),
            sys.getsizeof(view),
        ),
        "worlds": [view.sample(seed=seed, index=index).to_json() for index in range(2)],
        "complaints": [],
    }
    for text in ("d1", "d8", "a3", "p", "dx", "up A 3", "points 4", "zz", "deal x", "?5", "+", "dC"):
        found["complaints"].append(view.check(text))
        for actor in ("*", "0", "1", "2", "3"):
            for mask in (False, True):
                try:
                    said: object = view.observe(f"{actor}:{text}", mask=mask).to_json()
                except KibitzError as error:
                    said = (type(error), str(error), error.given, error.allowed, error.rule)
                found["complaints"].append(said)
    if view.turn == view.seat:
        for search in searches_of(view.game.core):
            answer = kibitz.best_move(view, search=search, iterations=25, seed=seed, threads=2)
            found[search] = facts(answer), answer.table(), answer.explain(), answer._repr_html_()
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_world_seeded_like_the_deal_knows_no_more(players: int) -> None:
    """Neither the hidden cards of this round nor the deals of the next."""
    game = kibitz.load("kami", players=players, redeal=False)
    for seed in range(30):
        table = game.deal(seed=seed)
        worlds = [table.view(seat=seat).sample(seed=seed) for seat in range(players)]
        assert all(world.core != table.core for world in worlds)
        later = [deals_of_next_round(each) for each in (table, *worlds)]
        assert all(mine != later[0] for mine in later[1:])


def deals_of_next_round(table: kibitz.Table) -> list[str]:
    table = table.copy()
    while table.turn is not None:
        table.play(table.legal()[0])
        dealt = [event for event in table.record if event.startswith("*:deal")]
        if dealt:
            return dealt
    return []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_truths_that_share_a_view_share_everything(players: int) -> None:
    """Both go on for a few moves that the seat sees alike."""
    rng = _core.Rng(players, "test twins")
    compared = 0
    for seed in range(6):
        for plies in (0, 7, 19):
            table = played(players=players, seed=seed, plies=plies)
            for seat in range(players):
                twins = [table.view(seat=seat).sample(seed=seed, index=index) for index in (0, 1)]
                for _ in range(3):
                    codes = [[twin.core.seen(code, seat) for code in twin.core.moves()] for twin in twins]
                    alike = [
                        (a, b)
                        for a, code in enumerate(codes[0])
                        for b, other in enumerate(codes[1])
                        if code == other
                    ]
                    if not alike:
                        break
                    for twin, place in zip(twins, alike[rng.below(len(alike))], strict=True):
                        twin.play(twin.legal()[place])
                    if twins[0].core.view(seat) != twins[1].core.view(seat):  # chance has told them apart
                        for twin in twins:
                            twin.undo()
                        break
                views = [twin.view(seat=seat) for twin in twins]
                assert everything(views[0], seed) == everything(views[1], seed)
                compared += twins[0].core != twins[1].core
    assert compared > 20


def test_a_forced_move_searched_for_its_worth_lets_others_run() -> None:
    """`allow` with the only legal move searches; it must neither hold the interpreter nor be deaf to a stop."""
    view = kibitz.load("kami", players=4).deal(seed=2).view()
    assert len(view.legal()) == 1
    stop = kibitz.Stop()
    found: list[kibitz.Analysis] = []
    thread = threading.Thread(
        target=lambda: found.append(kibitz.best_move(view, ms=60_000, allow=view.legal(), stop=stop))
    )
    thread.start()
    stop.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert found[0].reason == "stop"
    assert found[0].iterations >= 1
