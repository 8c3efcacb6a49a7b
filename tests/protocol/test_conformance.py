"""kibitz check-engine: the real engine passes, and engines with a fault fail at the step that looks for it."""

import json
import random
import shlex
import sys
from pathlib import Path

import pytest
import typer

from kibitz.cli import check_engine as command
from kibitz.conformance import STEPS, Report, check_engine
from kibitz.conformance.mutations import bent, harmless
from kibitz.conformance.steps import load_steps
from kibitz.conformance.talk import KINDS
from kibitz.errors import InvalidOption

HERE = Path(__file__).parent
REAL = f"{shlex.quote(sys.executable)} -m kibitz engine"
SLACK = 20  # other tests run beside this one; how quick an engine is, is not for them to say

# Every kind of error of the protocol, and the step in which it comes.
KINDS_BY_STEP = {
    "parse": "parse",
    "invalid_request": "invalid_request",
    "unknown_method": "unknown_method",
    "unknown_param": "unknown_param",
    "bad_value": "bad_value",
    "hello_first": "hello_first",
    "unsupported_protocol": "unsupported_protocol",
    "unknown_game": "unknown_game",
    "invalid_option": "invalid_option",
    "unknown_session": "unknown_session",
    "session_exists": "session_exists",
    "too_many_sessions": "too_many_sessions",
    "invalid_start": "invalid_start",
    "invalid_view": "invalid_view",
    "wrong_actor": "wrong_actor",
    "illegal_move": "illegal_move",
    "inconsistent": "inconsistent",
    "too_much": "too_much",
    "gap": "gap",
    "conflict": "conflict",
    "rules_mismatch": "expect",
    "not_to_move": "not_to_move",
    "over": "over",
    "busy": "busy",
    "no_limit": "no_limit",
    "cancelled": "cancelled",
}


def bad(fault: str) -> str:
    return shlex.join([sys.executable, str(HERE / "bent_engine.py"), fault])


def failures(report: Report) -> dict[str, str]:
    return {each.name: each.why for each in report.outcomes if each.verdict == "failed"}


def test_the_real_engine_passes() -> None:
    report = check_engine(REAL, quick=True, slack=SLACK)
    assert failures(report) == {}
    assert report.count("skipped") == 0
    assert report.count("passed") == len(STEPS) >= 40


def test_the_engine_without_a_fault_passes() -> None:
    report = check_engine(bad("none"), quick=True, slack=SLACK, only=["hello", "go", "random_lines"])
    assert failures(report) == {}


@pytest.mark.parametrize(
    ("fault", "step", "why"),
    [
        ("without_version", "hello", "jsonrpc"),
        ("twice", "hello_first", "second"),
        ("silent_about_errors", "unknown_method", "No answer"),
        ("bare_errors", "unknown_game", "no sentence"),
        ("other_id", "ids", "A!"),
        ("first_move", "go", "nonsense"),
        ("no_reasons", "top", "rows"),
        ("wrong_count", "new", "n is 1"),
        ("random_digest", "duplicate", "changed the session"),
        ("late", "ping_during_search", "50 are allowed"),
        ("late", "one_ms", "26 are allowed"),
        ("lenient", "unknown_param", "the error unknown_param was due"),
        ("for_ever", "no_limit", "was accepted"),
        ("unmasked", "too_much", "was accepted"),
        ("paceless", "pace", "held back"),
        ("anything_allowed", "allow", "only"),
        ("anything_allowed", "expect", "was accepted"),
        ("noise", "hello", "not JSON"),
        ("stays", "end_of_input", "still there"),
        ("dies", "random_lines", "Segmentation fault"),
        ("random_digest", "random_lines", "changed a session"),
        ("twice", "random_lines", "second"),
    ],
)
def test_a_fault_is_found(fault: str, step: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.conformance.wire.LEAVE", 0.2)
    report = check_engine(bad(fault), quick=True, only=[step], patience=3)
    (outcome,) = report.outcomes
    assert outcome.verdict == "failed"
    assert why in outcome.why
    assert any(line.startswith("> ") for line in outcome.lines) or step == "hello"
    assert not report.passed


def test_after_a_failed_handshake_nothing_is_asked() -> None:
    report = check_engine(bad("without_version"), quick=True)
    assert list(failures(report)) == ["hello"]
    assert report.count("passed") == 0
    assert report.count("skipped") == len(STEPS) - 1


def test_steps_that_need_more_are_skipped() -> None:
    fake = shlex.join([sys.executable, str(HERE / "fake_engine.py")])
    report = check_engine(fake, quick=True, only=["transcript", "go", "ponder"])
    assert [(each.verdict, each.why) for each in report.outcomes] == [
        ("skipped", "the engine does not play kami"),
        ("skipped", "the engine plays no game that is known here"),
        ("skipped", "the engine has no feature ponder"),
    ]
    assert not report.passed  # nothing was shown


def test_every_kind_of_error_has_a_step() -> None:
    load_steps()
    assert set(KINDS_BY_STEP.values()) <= set(STEPS)
    assert set(KINDS) - set(KINDS_BY_STEP) == {"internal"}  # only a bug brings that one


def test_steps_say_what_they_demand() -> None:
    load_steps()
    for step in STEPS.values():
        assert step.about.endswith("."), step.name
        assert step.name.isidentifier()


def test_engine_that_is_not_there_fails() -> None:
    report = check_engine("/nowhere/engine", only=["hello"])
    assert "cannot be started" in failures(report)["hello"]


@pytest.mark.parametrize("arguments", [{"only": ["helo"]}, {"seed": -1}, {"slack": 0}])
def test_bad_arguments_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidOption):
        check_engine(REAL, **arguments)  # type: ignore[arg-type]


def test_behind_a_socket() -> None:
    pytest.importorskip("websockets")
    from protocol.socket_engine import socket_engine

    with socket_engine("secret") as server:
        report = check_engine(server.url, quick=True, slack=SLACK, token="secret")
        assert failures(report) == {}
        skipped = {each.name for each in report.outcomes if each.verdict == "skipped"}
        assert skipped == {"end_of_input", "blank_lines", "invalid_utf8", "long_line"}
        refused = check_engine(server.url, only=["hello"])
        assert "cannot be reached" in failures(refused)["hello"]


# ---- broken lines ----


def test_broken_lines_are_the_same_for_the_same_seed() -> None:
    corpus = ['{"id": 1, "method": "go", "params": {"s": "a", "allow": ["p"], "clock": {"main_ms": 1}}}']
    made = [[bent(rng, corpus) for _ in range(500)] for rng in (random.Random(1), random.Random(1))]
    assert made[0] == made[1]
    assert len(set(made[0])) > 300
    assert not any(b"\n" in line for line in made[0])


@pytest.mark.parametrize(
    "line", ["", "  ", '{"method":"quit"}', '{"id":1,"method":"go","params":{"pace":1}}']
)
def test_lines_that_end_the_talk_are_not_sent(line: str) -> None:
    assert not harmless(line.encode())


# ---- the command ----


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    made = typer.main.get_command(command.app)
    code = made.main(list(arguments), standalone_mode=False)
    return (code if isinstance(code, int) else 0), capsys.readouterr().out


def test_command_prints_a_line_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(REAL, "--only", "hello", "--only", "unknown_game", capsys=capsys)
    assert code == 0
    assert [line.split()[:2] for line in said.splitlines()[:2]] == [
        ["passed", "hello"],
        ["passed", "unknown_game"],
    ]
    assert said.endswith("2 passed, 0 failed, 0 skipped (seed 0)\n")


def test_command_shows_the_lines_of_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(bad("for_ever"), "--only", "no_limit", capsys=capsys)
    assert code == 1
    assert "failed   no_limit" in said
    assert '> {"id": ' in said
    assert '< {"jsonrpc": "2.0"' in said


def test_command_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(REAL, "--only", "hello", "--json", "--seed", "3", capsys=capsys)
    document = json.loads(said)
    assert code == 0
    assert (document["passed"], document["failed"], document["skipped"], document["seed"]) == (1, 0, 0, 3)
    assert document["steps"][0]["verdict"] == "passed"


def test_command_lists_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run("--list", capsys=capsys)
    assert code == 0
    assert len(said.splitlines()) == len(STEPS)
