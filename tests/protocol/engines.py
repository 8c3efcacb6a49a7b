"""Engines for tests of what talks to them: the real one, and one that misbehaves on demand."""

import sys
from pathlib import Path

from kibitz.client import Engine

FAKE = Path(__file__).with_name("fake_engine.py")
REAL = [sys.executable, "-m", "kibitz", "engine"]
VIEW = {"game": "nothing", "seat": 0, "start": {}}  # for the fake one, which looks at nothing
QUICK = 0.5  # seconds, where a timeout is what is tested


def fake(*misdeeds: str) -> list[str]:
    return [sys.executable, str(FAKE), *misdeeds]


def start(*misdeeds: str, timeout: float = 20, reconnect: bool = True) -> Engine:
    return Engine.popen(fake(*misdeeds), timeout=timeout, reconnect=reconnect)
