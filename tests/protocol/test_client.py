"""kibitz.client: answers as values, faults, deaths, deadlines, cancellation, coming back."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kibitz
from kibitz.client import (
    AsyncEngine,
    Best,
    Engine,
    EngineDied,
    EngineError,
    EngineFault,
    EngineTimeout,
    Limit,
    MoveRow,
)
from kibitz.errors import InvalidOption
from protocol.engines import QUICK, REAL, VIEW, fake, start


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """The real one."""
    with Engine.popen(REAL, timeout=60) as opened:
        yield opened


@pytest.fixture
def table() -> kibitz.Table:
    """Kami after the redeal question; seat 1 leads."""
    hands = ["11113477", "12344568", "11123368", "11224555"]
    return kibitz.load("kami", rounds=1).setup(
        {"hands": hands, "first": 1, "record": ["1:-", "2:-", "3:-", "0:-"]}
    )


# ---- answers ----


def test_handshake_tells_what_it_is(engine: Engine) -> None:
    assert engine.about.protocol == "1.0"
    assert set(engine.games) == set(kibitz.games())
    assert "threads" in engine.options
    assert engine.alive


def test_best_answers_with_a_legal_move_and_reasons(engine: Engine, table: kibitz.Table) -> None:
    best = engine.best(table.view(), Limit(iterations=200), top="all")
    assert best.reason == "iterations"
    assert best.iterations == 200
    assert sorted(row.move for row in best.moves) == sorted(table.legal())
    assert best.move == best.moves[0].move


def test_best_takes_the_document_of_a_view(engine: Engine, table: kibitz.Table) -> None:
    limit = Limit(iterations=100)
    by_view = engine.best(table.view(), limit, seed=4)
    by_document = engine.best(table.view().to_dict(), limit, seed=4)
    assert (by_view.move, by_view.moves) == (by_document.move, by_document.moves)


def test_session_follows_a_game(engine: Engine, table: kibitz.Table) -> None:
    with engine.session(table.game, seat=0, start=table.view(seat=0).start) as session:
        standing = session.events(table.view(seat=0).record)
        assert (standing.n, standing.turn, standing.legal) == (4, 1, ())
        for move in ("d3", "a4", "p", "p"):
            table.play(move)
        assert session.events(table.view(seat=0).record[4:]).legal == ("p", "d4")
        assert session.digest == table.view(seat=0).digest
        assert session.legal() == ["p", "d4"]
        assert session.check("p") == ""
        assert "d7" in session.check("d7")
        assert session.best(Limit(iterations=50), scope="turn").turn[0] in ("p", "d4")
        assert session.undo(4).turn == 1
        assert session.record == table.view(seat=0).record[:4]


def test_session_from_a_view_has_its_record(engine: Engine, table: kibitz.Table) -> None:
    with engine.session(table.view(), seed=7, search="flat") as session:
        assert session.n == 4
        assert session.digest == table.view().digest
        assert session.state()["n"] == 4


def test_ended_session_is_refused(engine: Engine, table: kibitz.Table) -> None:
    session = engine.session(table.view())
    session.end()
    with pytest.raises(InvalidOption, match="has ended"):
        session.legal()


def test_analysis_streams_and_stops(engine: Engine, table: kibitz.Table) -> None:
    with engine.analysis(table.view(), info_ms=10, top=2) as analysis:
        infos = []
        for info in analysis:
            infos.append(info)
            if len(infos) == 3:
                analysis.stop()
        best = analysis.result()
    assert len(infos) >= 3
    assert all(len(info.moves) == 2 for info in infos)
    assert best.reason == "stop"


def test_analysis_left_early_is_stopped(engine: Engine, table: kibitz.Table) -> None:
    with engine.session(table.view()) as session:
        with session.analysis(info_ms=10) as analysis:
            next(iter(analysis))
        assert session.best(Limit(iterations=10)).reason == "iterations"  # it is not busy


def test_analysis_without_end_has_no_result_before_stop(engine: Engine, table: kibitz.Table) -> None:
    with (
        engine.analysis(table.view()) as analysis,
        pytest.raises(InvalidOption, match=r"call stop\(\) before"),
    ):
        analysis.result()


def test_analysis_with_a_limit_ends_by_itself(engine: Engine, table: kibitz.Table) -> None:
    with engine.analysis(table.view(), Limit(iterations=100)) as analysis:
        assert analysis.result().iterations == 100
        assert all(info.iterations <= 100 for info in analysis)


def test_analysis_that_is_refused_says_so(engine: Engine, table: kibitz.Table) -> None:
    with pytest.raises(EngineFault) as caught, engine.analysis(table.view(seat=0)):
        pass
    assert caught.value.kind == "not_to_move"


def test_fault_has_all_that_the_engine_said(engine: Engine, table: kibitz.Table) -> None:
    with engine.session(table.view()) as session:
        before = session.digest
        with pytest.raises(EngineFault) as caught:
            session.events(["1:d3", "1:a9"])
        fault = caught.value
        assert fault.kind == "illegal_move"
        assert fault.field == "moves[1]"
        assert fault.given == "1:a9"
        assert session.digest == before
        assert session.n == 4


def test_set_changes_the_options(engine: Engine) -> None:
    assert engine.set(seed=5)["seed"] == 5
    assert engine.options["seed"] == 5
    with pytest.raises(EngineFault) as caught:
        engine.set(seed=6, threats=2)
    assert caught.value.kind == "unknown_param"
    assert "threads" in str(caught.value)
    assert engine.set(seed=0) == engine.options


def test_rules_review_and_bench(engine: Engine) -> None:
    assert engine.rules("kami")["players"] == [2, 3, 4]
    table = kibitz.load("tic_tac_toe").deal(seed=1)
    for move in ("a1", "b1", "c1"):
        table.play(move)
    steps: list[tuple[int, int]] = []
    review = engine.review(table, iterations=50, progress=lambda done, of: steps.append((done, of)))
    assert [each["move"] for each in review["decisions"]] == ["a1", "b1", "c1"]
    assert steps[-1] == (3, 3)
    assert engine.bench(games=["tic_tac_toe"], quick=True)["signature"]


def test_error_in_progress_reaches_the_caller(engine: Engine) -> None:
    def fail(done: int, of: int) -> None:
        raise RuntimeError(f"{done} of {of}")

    table = kibitz.load("tic_tac_toe").setup({"record": ["0:a1", "1:b1"]})
    with pytest.raises(RuntimeError, match="1 of 2"):
        engine.review(table, iterations=50, progress=fail)
    engine.ping()


def test_unknown_members_are_kept() -> None:
    with start() as engine:
        best = engine.best(VIEW, Limit(iterations=3))
    assert best.extra == {"weather": "rain"}
    assert best.moves == (MoveRow("a", 7, 0.5, 0.1, ("0:a",), {"mood": "fine"}),)
    assert isinstance(best, Best)
    assert hash(best) is not None


def test_joined_events_can_be_taken_back() -> None:
    with start() as engine, engine.session("nothing", seat=0, start={}) as session:
        assert session.events(["0:ab", "0:a"]).n == 3  # the first text stands for two
        assert session.undo(1).n == 1
        assert session.record == ("0:a",)


def test_many_calls_at_once(engine: Engine, table: kibitz.Table) -> None:
    view = table.view()

    def search(seed: int) -> Best:
        return engine.best(view, Limit(iterations=200), seed=seed, top="all")

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(search, range(16)))
    alone = [search(seed) for seed in range(16)]
    assert [each.moves for each in together] == [each.moves for each in alone]


# ---- what is refused here ----


@pytest.mark.parametrize(
    "arguments",
    [
        {"ms": 0},
        {"ms": True},
        {"ms": float("nan")},
        {"iterations": 0},
        {"iterations": 1.5},
        {"clock": "1s"},
        {"until_stop": 1},
    ],
)
def test_limit_is_checked(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        Limit(**arguments)


def test_clock_is_sent_with_its_overhead() -> None:
    clock = kibitz.Clock(main_ms=100, byoyomi_ms=200, overhead_ms=7, moves_left=3)
    assert Limit(clock=clock).parameters() == {
        "clock": {"main_ms": 100, "byoyomi_ms": 200, "inc_ms": 0, "bank_ms": 0, "moves_left": 3},
        "overhead_ms": 7,
    }


def test_limit_after_a_while() -> None:
    clock = kibitz.Clock(main_ms=100, byoyomi_ms=200, bank_ms=300)
    assert Limit(clock=clock).less(150).clock == kibitz.Clock(byoyomi_ms=150, bank_ms=300)
    assert Limit(clock=clock).less(450).clock == kibitz.Clock(bank_ms=150)
    assert Limit(ms=10).less(450) == Limit(ms=1)


CALLS: list[Callable[[Engine], object]] = [
    lambda engine: engine.best(VIEW, Limit()),
    lambda engine: engine.best(VIEW, Limit(until_stop=True)),
    lambda engine: engine.best(VIEW, 500),  # type: ignore[arg-type]
    lambda engine: engine.best(kibitz.load("kami").deal(seed=1), Limit(ms=1)),  # type: ignore[arg-type]
    lambda engine: engine.best({"seat": 0}, Limit(ms=1)),
    lambda engine: engine.best(VIEW, Limit(ms=1), allow="p"),
    lambda engine: engine.best(VIEW, Limit(ms=1), timeout=0),
    lambda engine: engine.best(VIEW, Limit(ms=1), pace={"min_ms": float("nan")}),
    lambda engine: engine.best(VIEW, Limit(ms=1), pace={"min_ms": object()}),  # type: ignore[dict-item]
    lambda engine: engine.best(VIEW | {"start": "x" * 5000}, Limit(ms=1)),  # over line_bytes
    lambda engine: engine.session("nothing"),
    lambda engine: engine.session(7, seat=0, start={}),  # type: ignore[arg-type]
    lambda engine: engine.session("nothing", seat=0, start={}, events="0:a"),
    lambda engine: engine.session("nothing", seat=0, start={}, mask=1),  # type: ignore[arg-type]
    lambda engine: engine.review(7),  # type: ignore[arg-type]
    lambda engine: engine.review("113,2p"),
    lambda engine: Engine.popen(""),
    lambda engine: Engine.popen("'"),
    lambda engine: Engine.popen(fake(), timeout=-1),
    lambda engine: Engine.popen(fake(), reconnect=1),  # type: ignore[arg-type]
    lambda engine: Engine.connect("http://localhost/"),
    lambda engine: Engine.connect("ws://localhost/", token="a\r\nb: c"),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_bad_arguments_are_refused_with_a_sentence(number: int) -> None:
    with start() as engine:
        with pytest.raises(InvalidOption, match=r"\.$"):
            CALLS[number](engine)
        engine.ping()


# ---- asyncio ----


def test_async_engine_does_the_same(table: kibitz.Table) -> None:
    async def main() -> None:
        async with AsyncEngine.popen(REAL, timeout=60) as engine:
            view = table.view()
            bests = await asyncio.gather(
                *(engine.best(view, Limit(iterations=100), seed=k) for k in range(4))
            )
            assert all(best.iterations == 100 for best in bests)
            async with engine.session(view) as session, engine.analysis(view, info_ms=10) as analysis:
                async for info in analysis:
                    assert info.iterations > 0
                    await engine.ping()
                    analysis.stop()
                assert (await analysis.result()).reason == "stop"
                assert await session.legal() == table.legal()

    asyncio.run(main(), debug=True)


def test_cancelled_search_is_stopped_and_the_engine_usable(table: kibitz.Table) -> None:
    async def main() -> None:
        async with AsyncEngine.popen(REAL, timeout=60) as engine, engine.session(table.view()) as session:
            for search in (session.best, lambda limit: engine.best(table.view(), limit)):
                task = asyncio.create_task(search(Limit(ms=600_000)))
                await asyncio.sleep(0.05)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert (await session.best(Limit(iterations=10))).iterations == 10  # not busy
            assert (await engine.best(table.view(), Limit(iterations=10))).iterations == 10

    asyncio.run(main())


def test_cancelled_analysis_is_stopped(table: kibitz.Table) -> None:
    async def watch(engine: AsyncEngine, began: asyncio.Event) -> None:
        async with engine.analysis(table.view(), info_ms=10) as analysis:
            async for _ in analysis:
                began.set()

    async def main() -> None:
        async with AsyncEngine.popen(REAL, timeout=60) as engine:
            began = asyncio.Event()
            task = asyncio.create_task(watch(engine, began))
            await began.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await engine.ping()

    asyncio.run(main())


def test_timed_out_search_leaves_the_session_usable() -> None:
    async def main() -> None:
        async with (
            AsyncEngine.popen(fake("late:go:1000"), timeout=20) as engine,
            engine.session("nothing", seat=0, start={}) as session,
        ):
            with pytest.raises(EngineTimeout):
                await session.best(Limit(iterations=1), timeout=QUICK)
            assert await session.legal() == ["a", "b"]

    asyncio.run(main())


def test_other_event_loop_is_refused() -> None:
    async def opened() -> AsyncEngine:
        return await AsyncEngine.popen(fake())

    async def used(engine: AsyncEngine) -> None:
        with pytest.raises(EngineError, match="another event loop"):
            await engine.ping()

    async def main() -> None:
        async with AsyncEngine.popen(fake()) as engine:
            await asyncio.to_thread(lambda: asyncio.run(used(engine)))

    asyncio.run(main())


def test_open_calls_all_hear_of_a_death() -> None:
    async def main() -> None:
        async with AsyncEngine.popen(fake("hang:ping", "die:rules"), reconnect=False) as engine:
            waiting = [asyncio.create_task(engine.ping()) for _ in range(5)]
            await asyncio.sleep(0)
            said = await asyncio.gather(engine.rules("nothing"), *waiting, return_exceptions=True)
            assert all(isinstance(each, EngineDied) for each in said)

    asyncio.run(main())


# ---- behind a socket ----


def test_socket_does_the_same(table: kibitz.Table) -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with socket_engine("secret") as server, Engine.connect(server.url, token="secret", timeout=60) as engine:
        assert "kami" in engine.games
        best = engine.best(table.view(), Limit(iterations=100), seed=3, top="all")
        assert best.move in table.legal()
        with engine.analysis(table.view(), info_ms=10) as analysis:
            next(iter(analysis))


def test_broken_socket_comes_back_with_its_sessions(table: kibitz.Table) -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with (
        socket_engine() as server,
        Engine.connect(server.url, timeout=60) as engine,
        engine.session(table.view()) as session,
    ):
        digest = session.digest
        for _ in range(3):
            server.drop()
            assert session.legal() == table.legal()
        assert session.state()["digest"] == digest
        server.drop()
        assert session.events(["1:d3"]).n == 5


def test_broken_socket_is_told_where_nothing_may_come_back() -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with socket_engine() as server, Engine.connect(server.url, timeout=60, reconnect=False) as engine:
        server.drop()
        with pytest.raises(EngineDied, match=r"code 1012.*restart"):
            engine.ping()


def test_socket_with_another_token_is_refused() -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with (
        socket_engine("secret") as server,
        pytest.raises(EngineDied, match=r"HTTP 401; it wants another token") as caught,
    ):
        Engine.connect(server.url, token="guess")
    assert "guess" not in str(caught.value)


def test_nobody_behind_the_address() -> None:
    pytest.importorskip("websockets")
    with pytest.raises(EngineDied, match="could not be reached"):
        Engine.connect("ws://127.0.0.1:9/")
