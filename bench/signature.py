"""The signature of `kibitz bench --quick`: one number for what all searches do in fixed positions.

Speeds may be compared only where it is the same. A commit that changes it pins it anew and says why.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PIN = Path(__file__).parent / "signature.json"
COMMAND = [sys.executable, "-m", "kibitz", "bench", "--quick", "--json"]


def launch() -> "subprocess.Popen[str]":
    return subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)


def read(process: "subprocess.Popen[str]") -> dict[str, str]:
    """The signatures of a run: of the whole, and of each game and number of players."""
    out, _ = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"kibitz bench ended with exit code {process.returncode}")
    document: dict[str, Any] = json.loads(out)
    rows = {f"{row['game']}-{row['players']}": row["signature"] for row in document["games"]}
    return {"all": document["signature"], **rows}


def pinned() -> dict[str, str]:
    found: dict[str, str] = json.loads(PIN.read_text()) if PIN.exists() else {}
    return found


def write() -> bool:
    """Pins the signature of this build; returns whether it has changed."""
    before, now = pinned(), read(launch())
    PIN.write_text(json.dumps(now, indent=2) + "\n")
    return before != now
