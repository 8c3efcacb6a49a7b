"""Nothing in the time taken may tell the table what the hand is: R20."""

import random
import secrets
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from kibitz.protocol.messages import GoParams, Pace
from kibitz.protocol.sessions import Session
from kibitz.protocol.thinking import Halt, Thinking, drawn_ms
from kibitz.protocol.work import Work
from protocol.tables import FORCED, KAMI_LEGAL, kami, session_of
from protocol.wire import Local


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        opened.ask("new", s="t", **kami())
        yield opened


def releases(session: Session, go: dict[str, Any], count: int, patch: pytest.MonkeyPatch) -> list[float]:
    """When the replies of `go` would go out, in milliseconds after the request; nothing is waited for."""
    found: list[float] = []
    for _ in range(count):
        arrived = time.monotonic()
        waited: list[float] = []

        def wait(self: Halt, seconds: float, waited: list[float] = waited) -> None:
            waited.append(time.monotonic() + seconds)

        patch.setattr(Halt, "wait", wait)
        answer = Thinking(session, GoParams.model_validate(go), arrived, Work(2), Halt()).answer()
        assert answer.result["move"]
        assert len(waited) == 1, "the reply is held once"
        found.append((waited[0] - arrived) * 1000)
    return found


def distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Between two samples: the largest difference of their distribution functions (Kolmogorov, Smirnov)."""
    points = sorted([*first, *second])

    def share(sample: Sequence[float], most: float) -> float:
        return sum(each <= most for each in sample) / len(sample)

    return max(abs(share(first, point) - share(second, point)) for point in points)


def test_distance() -> None:
    assert distance([1, 2, 3], [1, 2, 3]) == 0
    assert distance([1, 2], [3, 4]) == 1
    assert distance([1, 2, 3, 4], [3, 4, 5, 6]) == 0.5


PACES: dict[str, dict[str, Any]] = {
    "iterations": {"iterations": 10, "pace": {"min_ms": 900, "jitter_ms": 600}},
    "no jitter": {"iterations": 10, "pace": {"min_ms": 900}},
    "turn": {"iterations": 10, "scope": "turn", "pace": {"min_ms": 900, "jitter_ms": 600}},
    "ms": {"ms": 12, "pace": {"min_ms": 900, "jitter_ms": 600}},
    "ms above pace": {"ms": 12, "pace": {"min_ms": 1, "jitter_ms": 2}},
    "clock": {"clock": {"byoyomi_ms": 40}, "pace": {"min_ms": 900, "jitter_ms": 600}},
    "clock above pace": {"clock": {"byoyomi_ms": 40}, "pace": {"min_ms": 1}},
    "almost no time": {"ms": 1e-9, "pace": {"min_ms": 900, "jitter_ms": 600}},
    "late": {"clock": {}, "pace": {"min_ms": 900, "jitter_ms": 600}},
}


@pytest.mark.parametrize("go", PACES.values(), ids=PACES)
def test_r20_forced_and_free_decisions_are_held_alike(
    go: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 60
    found = []
    for start in (None, FORCED["start"]):
        session = session_of(start)
        assert (len(session.legal()) == 1) == (start is not None)
        draws = random.Random(5)
        monkeypatch.setattr(secrets, "randbits", draws.getrandbits)
        found.append(releases(session, go, count, monkeypatch))
    free, forced = found
    pace = go["pace"]
    # the same draws: as late as each other, whatever was searched meanwhile; to the time a search runs over
    assert [round(each / 8) for each in sorted(free)][: count // 2] == pytest.approx(
        [round(each / 8) for each in sorted(forced)][: count // 2], abs=2
    )
    if "ms" not in go:
        assert min(free) >= pace["min_ms"] - 1
        assert min(forced) >= pace["min_ms"] - 1
        assert max(forced) <= pace["min_ms"] + pace.get("jitter_ms", 0) + 60
    else:
        assert max(forced) <= go["ms"] + 1  # the limit comes before the pace
    if pace.get("jitter_ms", 0) > 100 and "ms" not in go:
        assert max(free) - min(free) > 300  # it is spread


def test_r20_the_draw_hangs_on_nothing_that_could_be_known() -> None:
    """Not on the seed of the session: two sessions alike in everything are held differently long."""
    pace = Pace(min_ms=0, jitter_ms=1000)
    draws = [drawn_ms(pace) for _ in range(400)]
    assert all(0 <= each <= 1000 for each in draws)
    assert len(set(draws)) > 390
    even = [1000 * (number + 0.5) / 400 for number in range(400)]
    assert distance(draws, even) < 0.15  # one in ten million, if they are uniform


def test_r20_without_a_limit_a_forced_decision_is_held_until_stop(local: Local) -> None:
    """`until: stop` with a pace: a forced decision that answered by itself would tell that it is one."""
    local.ask("new", s="forced", **kami() | FORCED)
    for name in ("t", "forced"):
        request = local.send("go", s=name, until="stop", pace={"min_ms": 1})
        time.sleep(0.1)
        local.ask("ping")
        assert request in local.open_ids(), name
        local.ask("stop", s=name)
        assert local.result(request)["move"] in KAMI_LEGAL


def test_r20_on_the_wire_forced_and_free_take_the_same_time(local: Local) -> None:
    """Real replies, taken in turn, so that whatever else the machine does falls on both."""
    local.ask("new", s="forced", **kami() | FORCED)
    times: dict[str, list[float]] = {"t": [], "forced": []}
    for _ in range(40):
        for name, found in times.items():
            start = time.perf_counter()
            local.ask("go", s=name, iterations=50, pace={"min_ms": 4, "jitter_ms": 6})
            found.append(time.perf_counter() - start)
    assert min(min(each) for each in times.values()) >= 0.004
    assert (
        distance(times["t"], times["forced"]) < 0.55
    )  # beyond that: one in a hundred thousand, if they are alike


def test_r20_pace_is_set_for_a_session_and_stop_ends_it(local: Local) -> None:
    local.ask("set", s="t", pace={"min_ms": 60_000})
    request = local.send("go", s="t", iterations=10)
    time.sleep(0.05)
    local.ask("ping")
    assert request in local.open_ids()
    local.ask("stop", s="t")
    assert local.result(request)["iterations"] in (0, 10)
    request = local.send("go", s="t", iterations=10)
    end = local.send("end", s="t")
    assert local.reply(request)["error"]["data"]["kind"] == "cancelled"
    assert local.result(end) == {}
