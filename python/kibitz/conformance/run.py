"""All steps in a row, and what came of them."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.conformance.steps import STEPS, Check, load_steps, play
from kibitz.conformance.talk import PATIENCE
from kibitz.errors import InvalidOption, did_you_mean, shown
from kibitz.given import positive, whole

__all__ = ["Outcome", "Report", "check_engine"]

LINES, QUICK_LINES = 10_000, 300


@dataclass(frozen=True)
class Outcome:
    """What came of one step.

    Attributes:
        name, about: The step's.
        verdict: "passed", "failed" or "skipped".
        why: What was wrong, or why it was skipped.
        lines: The last lines exchanged, `>` to the engine and `<` from it; of a failed step only.
        ms: How long it took.
    """

    name: str
    about: str
    verdict: str
    why: str
    lines: tuple[str, ...]
    ms: float


@dataclass(frozen=True)
class Report:
    """What came of all steps.

    Attributes:
        target: The command or address.
        seed: Of what was random.
        outcomes: In order.
    """

    target: str
    seed: int
    outcomes: tuple[Outcome, ...]

    def count(self, verdict: str) -> int:
        """How many have this verdict."""
        return sum(each.verdict == verdict for each in self.outcomes)

    @property
    def passed(self) -> bool:
        """Whether nothing failed, and something was played at all."""
        return self.count("failed") == 0 and self.count("passed") > 0

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        counts = {verdict: self.count(verdict) for verdict in ("passed", "failed", "skipped")}
        return (
            {"target": self.target, "seed": self.seed}
            | counts
            | {"steps": [asdict(each) for each in self.outcomes]}
        )


def check_engine(
    target: str,
    *,
    seed: int = 0,
    quick: bool = False,
    only: Sequence[str] = (),
    token: str | None = None,
    slack: float = 1.0,
    patience: float = PATIENCE,
    told: Callable[[Outcome], object] | None = None,
) -> Report:
    """Plays the steps against an engine.

    Args:
        target: A command such as `"kibitz engine"`, or the address of a WebSocket.
        seed: Of what is random.
        quick: 300 random lines instead of 10,000.
        only: Names of steps; by default all.
        token: Bearer token, for a WebSocket.
        slack: Factor on every bound in time, for a busy machine.
        patience: Seconds that an answer may take where time is not what is checked.
        told: Called with each outcome.

    Raises:
        InvalidOption: A value that is not allowed, or a name that is no step's.
    """
    load_steps()
    for name in only:
        if name not in STEPS:
            raise InvalidOption(
                f"There is no step {shown(name)}{did_you_mean(name, list(STEPS))} Steps: {', '.join(STEPS)}.",
                given=name,
                allowed=STEPS,
            )
    number = whole("seed", seed, least=0)
    factor = positive("slack", slack, most=1000)
    check = Check(
        target,
        token=token,
        seed=number,
        slack=factor,
        lines=QUICK_LINES if quick else LINES,
        patience=positive("patience", patience, most=3600),
    )
    outcomes: list[Outcome] = []
    mute = False  # then nothing else can be asked
    try:
        for step in STEPS.values():
            if only and step.name not in only:
                continue
            check.random.seed(f"{number}/{step.name}")  # a step alone does what it does among all
            began = time.perf_counter()
            verdict, why = ("skipped", "the handshake failed") if mute else play(check, step)
            mute = mute or (step.name == "hello" and verdict == "failed")
            ms = round((time.perf_counter() - began) * 1000, 1)
            lines = tuple(check.spoken()) if verdict == "failed" else ()
            check.tidy(broken=verdict == "failed")
            outcomes.append(Outcome(step.name, step.about, verdict, why, lines, ms))
            if told is not None:
                told(outcomes[-1])
    finally:
        check.close()
    return Report(target, number, tuple(outcomes))
