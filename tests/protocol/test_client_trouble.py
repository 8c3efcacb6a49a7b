"""kibitz.client when the engine dies, hangs, talks nonsense, or is left behind."""

import gc
import logging
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.client import (
    Engine,
    EngineBreach,
    EngineDied,
    EngineError,
    EngineFault,
    EngineTimeout,
    Limit,
)
from kibitz.client.links import MOST_LINE, Lines
from protocol.engines import QUICK, REAL, VIEW, fake, start


def children() -> set[str]:
    """The processes that this one has started and not yet buried."""
    found = Path(f"/proc/{os.getpid()}/task")
    return {pid for task in found.iterdir() for pid in (task / "children").read_text().split()}


# ---- trouble at the other end ----


def test_program_that_is_not_there() -> None:
    with pytest.raises(EngineDied, match=r"could not be started: No such file"):
        Engine.popen(["/nowhere/engine"])


def test_death_is_told_with_status_and_last_words() -> None:
    with start("die:go", reconnect=False) as engine:
        with pytest.raises(EngineDied, match="exit status 3") as caught:
            engine.best(VIEW, Limit(ms=10))
        assert caught.value.status == 3
        assert caught.value.stderr == ("out of cheese", "redo from start")
        assert not engine.alive
        with pytest.raises(EngineDied):
            engine.ping()


def test_death_at_the_start_is_told() -> None:
    with pytest.raises(EngineDied, match="redo from start"):
        start("die:hello")


def test_engine_that_dies_every_time_is_given_up() -> None:
    with start("die:go") as engine:
        with pytest.raises(EngineDied):
            engine.best(VIEW, Limit(ms=10))
        engine.ping()  # a new one is there


def test_killed_engine_comes_back_with_its_sessions(tmp_path: Path) -> None:
    with start(f"die:legal:{tmp_path / 'flag'}") as engine:
        engine.set(threads=3)
        with (
            engine.session("nothing", seat=0, start={}) as one,
            engine.session("nothing", seat=0, start={}, mask=True) as two,
        ):
            one.events(["0:a", "0:b"])
            two.events(["0:b"])
            digests = one.digest, two.digest
            assert one.legal() == ["a", "b"]  # it dies here
            assert one.events(["0:a"]).n == 3
            assert two.undo(1).n == 1
            assert two.digest == digests[1]
            assert engine.options["threads"] == 3


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at /proc")
def test_fifty_sessions_come_back_after_a_kill() -> None:
    tables = [kibitz.load("kami").deal(seed=seed) for seed in range(50)]
    for table in tables:
        for _ in range(12):
            table.play(table.legal()[-1])
    before = children()
    with Engine.popen(REAL, timeout=60) as engine:
        sessions = [engine.session(table.view(seat=0)) for table in tables]
        (pid,) = children() - before
        os.kill(int(pid), 9)
        for session, table in zip(sessions, tables, strict=True):
            assert session.state()["digest"] == session.digest == table.view(seat=0).digest
            assert session.n == 12


def test_search_is_done_again_after_a_death(tmp_path: Path) -> None:
    with start(f"die:go:{tmp_path / 'flag'}") as engine:
        assert engine.best(VIEW, Limit(iterations=9)).iterations == 9


def test_session_that_comes_back_changed_is_a_breach(tmp_path: Path) -> None:
    with start("forgets", f"die:legal:{tmp_path / 'flag'}") as engine:
        session = engine.session("nothing", seat=0, start={})
        session.events(["0:a", "0:b"])
        with pytest.raises(EngineBreach, match="came back with 1 events"):
            session.legal()


def test_silence_is_a_timeout() -> None:
    with pytest.raises(EngineTimeout, match=r"within 0\.5 s"):
        start("silent", timeout=QUICK)


@pytest.mark.parametrize("method", ["ping", "go", "view"])
def test_every_wait_has_an_end(method: str) -> None:
    calls = {
        "ping": lambda engine: engine.ping(timeout=QUICK),
        "go": lambda engine: engine.best(VIEW, Limit(ms=1), timeout=QUICK),
        "view": lambda engine: engine.best(VIEW, Limit(ms=1), timeout=QUICK),
    }
    with start(f"hang:{method}") as engine:
        with pytest.raises(EngineTimeout, match=f"'{method}'"):
            calls[method](engine)
        assert engine.rules("nothing") == {"game": "nothing"}


def test_analysis_of_an_engine_that_hangs_ends() -> None:
    with start("hang:ping") as engine, engine.analysis(VIEW, timeout=QUICK) as analysis:
        with pytest.raises(EngineTimeout, match="ping"):
            list(analysis)
        with pytest.raises(EngineTimeout, match="ping"):
            analysis.result()


def test_stop_that_is_ignored_is_a_timeout() -> None:
    with start("hang:stop") as engine, engine.analysis(VIEW, timeout=QUICK) as analysis:
        analysis.stop()
        with pytest.raises(EngineTimeout, match="go"):
            analysis.result()


def test_review_without_progress_is_given_up() -> None:
    with start("hang:review") as engine, pytest.raises(EngineTimeout, match="told nothing"):
        engine.review({"game": "nothing"}, timeout=QUICK)


def test_late_answer_is_no_garbage() -> None:
    with start("late:ping:1000") as engine:
        with pytest.raises(EngineTimeout):
            engine.ping(timeout=QUICK)
        engine.rules("nothing")
        assert engine.garbage == ()


def test_garbage_is_reported_and_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "kibitz.client"), start("garbage") as engine:
        assert engine.best(VIEW, Limit(ms=10)).move == "a"
        assert "Segmentation fault (core dumped)" in engine.garbage
    assert "Segmentation fault" in caplog.text


def test_answer_that_is_none_is_a_breach() -> None:
    with start("nonsense:ping") as engine, pytest.raises(EngineBreach, match="well"):
        engine.ping()


def test_error_without_an_id_belongs_to_the_only_request() -> None:
    with start("noid:ping") as engine:
        with pytest.raises(EngineFault) as caught:
            engine.ping()
        assert caught.value.kind == "parse"


def test_other_protocol_is_refused() -> None:
    with pytest.raises(EngineBreach, match=r"speaks protocol '2\.0'"):
        start("speaks:2.0")


def test_lines_are_cut_as_they_come() -> None:
    lines = Lines()
    assert list(lines.feed(b"a\nb")) == [b"a"]
    assert list(lines.feed(b"c\r\n\nd")) == [b"bc", b""]
    assert lines.rest() == b"d"


def test_line_without_end_is_dropped() -> None:
    lines = Lines()
    for _ in range(3):
        assert list(lines.feed(b"x" * (MOST_LINE // 2 + 1))) == []
    assert list(lines.feed(b"x\nnext\n")) == [b"next"]


# ---- the end ----


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at /proc")
def test_no_process_is_left_behind() -> None:
    before = children()
    with start("stay"):  # one that does not leave
        pass
    with pytest.raises(EngineTimeout):
        start("silent", "stay", timeout=QUICK)
    forgotten = start()
    del forgotten
    gc.collect()
    assert children() <= before


def test_closing_twice_and_using_afterwards() -> None:
    engine = start()
    engine.close()
    engine.close()
    with pytest.raises(EngineDied, match="closed"):
        engine.ping()


def test_closing_frees_those_who_wait() -> None:
    engine = start("hang:ping")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.ping)
        while not waiting.running():
            time.sleep(0.001)
        time.sleep(0.05)  # so that it most likely waits for the answer; the outcome is the same if not
        engine.close()
        with pytest.raises(EngineDied):
            waiting.result()


def test_unclosed_engine_does_not_hold_up_the_end_of_a_program() -> None:
    program = f"from kibitz.client import Engine; engine = Engine.popen({fake()!r}); print(engine.games)"
    said = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert said.stdout == "('nothing',)\n"
    assert said.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_ends_a_wait_and_leaves_the_engine_usable() -> None:
    program = f"""
import _thread, threading
from kibitz.client import Engine, Limit
with Engine.popen({fake("hang:ping")!r}) as engine:
    threading.Timer(0.3, _thread.interrupt_main).start()
    try:
        engine.ping(timeout=60)
    except KeyboardInterrupt:
        print("interrupted", engine.rules("nothing"))
"""
    said = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stdout == "interrupted {'game': 'nothing'}\n", said.stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at /proc")
def test_ctrl_c_of_the_terminal_is_not_for_the_engine() -> None:
    before = children()
    with start() as engine:
        (pid,) = children() - before
        assert os.getpgid(int(pid)) != os.getpgid(0)
        engine.ping()


def in_child(engine: Engine, said: "multiprocessing.queues.Queue[str]") -> None:
    try:
        engine.ping()
    except EngineError as error:
        said.put(str(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_forked_process_is_refused() -> None:
    context = multiprocessing.get_context("fork")
    with start() as engine:
        said: Any = context.Queue()
        child = context.Process(target=in_child, args=(engine, said))
        child.start()
        assert "was forked" in said.get(timeout=60)
        child.join()
        engine.ping()


def test_waiting_on_its_own_thread_is_refused() -> None:
    found: list[str] = []
    with start() as engine:

        def again() -> None:
            try:
                engine.ping()
            except EngineError as error:
                found.append(str(error))
            done.set()

        done = threading.Event()
        engine._loop.call(again)
        done.wait(60)
    assert "own thread" in found[0]
