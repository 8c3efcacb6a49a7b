"""What a figure was measured on: without it a figure says nothing."""

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any

from kibitz import _core

ROOT = Path(__file__).parent.parent
CODE = ("cpp", "src", "python", "CMakeLists.txt", "pyproject.toml")  # what a figure depends on
IDLE = 0.05  # share of the processors up to which other work doesn't matter


def facts() -> dict[str, Any]:
    """Processor, clock, system, date, commit, compiler and flags of the package, and what else the machine does."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "clock_ghz": clock_ghz(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "load": round(os.getloadavg()[0], 2),
        "busy": busy(),
        **{name: _core.build()[name] for name in ("version", "compiler", "flags")},
    }


def busy(seconds: float = 2.0) -> float | None:
    """The share of the processors that others use, looked at for so long; None where the system does not tell."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return None

    def ticks() -> tuple[int, int]:
        numbers = [int(word) for word in stat.read_text().split("\n", 1)[0].split()[1:]]
        return sum(numbers[:8]), numbers[3] + numbers[4]  # all; idle and waiting for a disk

    all_before, idle_before = ticks()
    sleep(seconds)
    all_after, idle_after = ticks()
    return round(1 - (idle_after - idle_before) / max(all_after - all_before, 1), 3)


def is_idle(facts: dict[str, Any]) -> bool:
    return facts["busy"] is not None and facts["busy"] <= IDLE


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.lower().startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def clock_ghz() -> float | None:
    """The clock measured by clock.cpp; None where there is no compiler that takes it."""
    compiler = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    if compiler is None:
        return None
    program = ROOT / "build/clock"
    program.parent.mkdir(exist_ok=True)
    source = Path(__file__).with_name("clock.cpp")
    built = subprocess.run(
        [compiler, "-O2", "-o", str(program), str(source)], capture_output=True, check=False
    )
    if built.returncode != 0:
        return None
    return float(subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout)


def git(*args: str) -> str:
    """What git says, or nothing where there is no repository."""
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *args], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def commit() -> str:
    """The commit, with a plus if what is measured has changed since."""
    changed = git("status", "--porcelain", "--", *CODE)
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + ("+" if changed else "")
