"""The engine as a process: its lines, its streams, its end."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.protocol.messages import LINE_BYTES
from protocol.tables import KAMI_LEGAL, TIC, kami
from protocol.wire import ENGINE, HELLO, PATIENCE, Failed, Process, checked_line, parsed, request_line


def run(
    lines: list[str | bytes], *, end: bytes = b"\n", arguments: list[str] | None = None
) -> tuple[list[dict[str, Any]], str, int]:
    """Messages, errors and exit code of a process that is sent these lines and then the end of input."""
    data = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines) + end
    done = subprocess.run(arguments or ENGINE, input=data, capture_output=True, timeout=PATIENCE, check=False)
    out = done.stdout
    assert out == b"" or out.endswith(b"\n")
    return [checked_line(line) for line in out.split(b"\n")[:-1]], done.stderr.decode(), done.returncode


GREETING = request_line(1, "hello", HELLO)


def test_r7_the_end_of_input_is_the_end() -> None:
    messages, errors, code = run([GREETING, request_line(2, "ping")])
    assert [message["id"] for message in messages] == [1, 2]
    assert (errors, code) == ("", 0)
    assert run([], end=b"") == ([], "", 0)


def test_a_last_line_needs_no_end() -> None:
    messages, _, code = run([GREETING, request_line(2, "ping")], end=b"")
    assert ([message["id"] for message in messages], code) == ([1, 2], 0)
    messages, _, _ = run([GREETING, '{"id":2,"meth'], end=b"")
    assert messages[1]["error"]["data"]["kind"] == "parse"


def test_line_ends_of_windows_and_blank_lines() -> None:
    messages, _, _ = run([GREETING, request_line(2, "ping"), ""], end=b"\r\n")
    assert [message["id"] for message in messages[:2]] == [1, 2]
    messages, _, _ = run([GREETING.encode() + b"\r", request_line(2, "ping").encode() + b"\r"])
    assert [message["id"] for message in messages] == [1, 2]


def test_r1_the_end_of_input_answers_what_runs() -> None:
    messages, errors, code = run(
        [
            GREETING,
            request_line(2, "new", kami(s="t")),
            request_line(3, "go", {"s": "t", "until": "stop"}),
            request_line(4, "state", {"s": "t"}),
            request_line(5, "bench", {"quick": False}),
            request_line(6, "ping"),
        ]
    )
    kinds = {m["id"]: m["error"]["data"]["kind"] if "error" in m else "result" for m in messages if "id" in m}
    assert kinds == {1: "result", 2: "result", 3: "cancelled", 4: "cancelled", 5: "cancelled", 6: "result"}
    assert (errors, code) == ("", 0)


def test_quit_ends_the_process_whatever_runs_and_waits() -> None:
    with Process() as engine:
        engine.ask("new", s="t", **kami())
        ids = [engine.send("go", s="t", until="stop"), engine.send("bench", quick=False)]
        quit_ = engine.send("quit")
        assert engine.wait_exit() == 0
        assert engine.result(quit_) == {}
        for id_ in ids:
            assert engine.reply(id_)["error"]["data"]["kind"] == "cancelled"
        assert engine.errors == b""
        assert not engine.open_ids()
    messages, _, code = run([GREETING, '{"method":"quit"}', request_line(2, "ping")])
    assert ([message["id"] for message in messages], code) == ([1], 0)


def test_r8_stdout_carries_the_protocol_only(tmp_path: Path) -> None:
    """Whatever prints in the process, from Python or from a child, does not reach the host."""
    program = tmp_path / "noisy.py"
    program.write_text(
        "import os, subprocess, sys\n"
        "from kibitz.protocol import host\n"
        "from kibitz.protocol.stdio import run\n"
        "def noisy(self, request, params):\n"
        "    print('noise of print')\n"
        "    sys.stdout.write('noise of stdout\\n'); sys.stdout.flush()\n"
        "    os.write(1, b'noise of a descriptor\\n')\n"
        "    subprocess.run([sys.executable, '-c', 'print(\"noise of a child\")'], check=True)\n"
        "    return {}\n"
        "host.Host._ping = noisy\n"
        "sys.exit(run())\n"
    )
    messages, errors, code = run(
        [GREETING, request_line(2, "ping"), request_line(3, "ping")], arguments=[sys.executable, str(program)]
    )
    assert [message["id"] for message in messages] == [1, 2, 3]
    assert errors.count("noise of") == 8
    assert code == 0


def test_faults_are_logged_to_stderr_with_their_number() -> None:
    program = (
        "import sys\n"
        "from kibitz.protocol.sessions import Session\n"
        "from kibitz.protocol.stdio import run\n"
        "def broken(self):\n"
        "    raise RuntimeError('a hand: 11113477')\n"
        "Session.state = broken\n"
        "sys.exit(run())\n"
    )
    messages, errors, code = run(
        [
            GREETING,
            request_line(2, "new", kami(s="t")),
            request_line(3, "state", {"s": "t"}),
            request_line(4, "ping"),
        ],
        arguments=[sys.executable, "-c", program],
    )
    found = {message["id"]: message for message in messages if "id" in message}
    assert found[3]["error"]["data"]["kind"] == "internal"
    assert found[3]["error"]["data"]["report"] in errors
    assert "11113477" not in errors + json.dumps(found[3])
    assert (found[4]["result"], code) == ({}, 0)


def test_lines_of_every_length() -> None:
    """Up to 1 MiB they are read; longer ones are refused, once each, and what follows is read again."""

    def padded(id_: int, size: int) -> bytes:
        line = request_line(id_, "ping").encode()
        return line + b" " * (size - len(line))

    lines: list[str | bytes] = [
        GREETING,
        padded(2, LINE_BYTES - 1),
        padded(3, LINE_BYTES),
        padded(4, LINE_BYTES + 1),
        padded(5, LINE_BYTES + 2),
        padded(6, LINE_BYTES + 3),
        padded(7, 2 * LINE_BYTES + 2),
        padded(8, 5 * LINE_BYTES),
        b"x" * (3 * LINE_BYTES + 5),
        request_line(9, "ping"),
    ]
    messages, _, code = run(lines)
    assert [message["id"] for message in messages] == [1, 2, 3, None, None, None, None, None, None, 9]
    assert all(m["error"]["data"]["kind"] == "parse" for m in messages[3:9])
    assert code == 0


def test_many_lines_at_once_are_all_answered_in_order() -> None:
    lines: list[str | bytes] = [GREETING, request_line(2, "new", kami(s="t"))]
    lines += [request_line(id_, "legal", {"s": "t"}) for id_ in range(3, 3000)]
    messages, _, _ = run(lines)
    assert [message["id"] for message in messages] == list(range(1, 3000))


def test_a_host_that_writes_slowly_byte_by_byte() -> None:
    with Process() as engine:
        engine.expect(77, "ping")
        assert engine.process.stdin is not None
        for byte in request_line(77, "ping").encode() + b"\n":
            engine.process.stdin.write(bytes([byte]))
            engine.process.stdin.flush()
        assert engine.result(77) == {}


def test_a_host_that_reads_late_gets_everything() -> None:
    """Replies fill the pipe; nothing is lost once the host reads."""
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdin is not None
        lines = [GREETING, *(request_line(id_, "rules", {"game": "thecrew"}) for id_ in range(2, 60))]
        process.stdin.write("\n".join(lines).encode() + b"\n")
        process.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        out, errors = process.communicate(timeout=PATIENCE)
        assert [parsed(line)["id"] for line in out.split(b"\n")[:-1]] == list(range(1, 60))
        assert (errors, process.returncode) == (b"", 0)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_signals_end_the_process(number: signal.Signals, code: int) -> None:
    with Process() as engine:
        engine.ask("new", s="t", **kami())
        running = engine.send("go", s="t", until="stop", info_ms=20)
        engine.wait(lambda: bool(engine.notes), "info")
        engine.process.send_signal(number)
        assert engine.wait_exit() == code
        if number == signal.SIGINT:
            assert engine.reply(running)["error"]["data"]["kind"] == "cancelled"
        assert b"Traceback" not in engine.errors


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "</dev/null"])
def test_closed_streams_are_no_crash(closed: str) -> None:
    command = f"exec {sys.executable} -m kibitz engine {closed}"
    done = subprocess.run(
        ["sh", "-c", command],
        input=GREETING.encode() + b"\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_no_crash() -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m kibitz engine >/dev/full"],
        input=f"{GREETING}\n{GREETING}\n".encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in done.stderr


def test_a_reader_that_has_gone_is_no_crash() -> None:
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{GREETING}\n{request_line(2, 'new', kami(s='t'))}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline()
        assert process.stdout.readline()
        process.stdout.close()
        lines = [request_line(3, "go", {"s": "t", "until": "stop", "info_ms": 1}), *["zebra"] * 50]
        process.stdin.write("\n".join(lines).encode() + b"\n")
        process.stdin.flush()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
        process.stderr.close()
    finally:
        process.kill()
        process.wait()


def test_killed_and_resumed_with_the_same_digests() -> None:
    """R11: fifty sessions come back in another process, from the events alone."""
    rng = random.Random(3)
    tables: dict[str, tuple[dict[str, Any], list[str]]] = {}
    with Process() as first:
        digests = {}
        for number in range(50):
            new = (
                kami(0, seed=number, s=f"{number}") if number % 2 else TIC | {"s": f"{number}", "events": []}
            )
            first.ask("new", **new)
            events: list[str] = []
            for event in kami()["events"] if number % 2 else []:
                events.append(event)
                digests[number] = first.ask("event", s=f"{number}", n=len(events) - 1, moves=[event])[
                    "digest"
                ]
            while not number % 2 and len(events) < 5:
                turn = first.ask("state", s=f"{number}")["turn"]
                free = [a + b for a in "abc" for b in "123" if not any(e.endswith(a + b) for e in events)]
                move = rng.choice(turn.get("legal", free))
                try:
                    found = first.ask("event", s=f"{number}", n=len(events), moves=[f"{turn['by']}:{move}"])
                except Failed:
                    break
                events.append(f"{turn['by']}:{move}")
                digests[number] = found["digest"]
            tables[f"{number}"] = (new, events)
        first.process.kill()
        first.process.wait()
    with Process() as second:
        ids = [second.send("new", **new | {"events": events}) for new, events in tables.values()]
        assert [second.result(id_)["digest"] for id_ in ids] == [digests[number] for number in range(50)]
        assert second.ask("go", s="1", iterations=20)["move"] in KAMI_LEGAL


def test_r18_every_process_gives_the_same_answer() -> None:
    answers = []
    for hashing in ("0", "1", "random"):
        with Process(env={"PYTHONHASHSEED": hashing}) as engine:
            engine.ask("new", s="t", **kami())
            result = engine.ask("go", s="t", iterations=500, top="all")
            answers.append({name: value for name, value in result.items() if name not in ("ms", "ips")})
    assert answers[0] == answers[1] == answers[2]


def test_the_command_line_takes_how_much_is_searched_at_once() -> None:
    few, _, _ = run([GREETING], arguments=[*ENGINE, "--searches", "1"])
    many, _, _ = run([GREETING], arguments=[*ENGINE, "--searches", "4"])
    assert few[0]["result"]["limits"]["searches"] < many[0]["result"]["limits"]["searches"]
