"""Writes python/kibitz/_core.pyi from the compiled module, or checks it with --check.

The source of the stub is the C++: pybind11's signatures, docstrings. pybind11-stubgen reads them,
ruff gives the text its one form.
"""

import difflib
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
committed = root / "python" / "kibitz" / "_core.pyi"
scripts = Path(sysconfig.get_path("scripts"))

# What the casters accept, in the words of a caller.
spelling = {
    "typing.SupportsInt | typing.SupportsIndex": "int",
    "typing.SupportsFloat | typing.SupportsIndex": "float",
}


def generate() -> str:
    """The stub of the module as it is installed now."""
    with tempfile.TemporaryDirectory() as folder:
        stubgen = [str(scripts / "pybind11-stubgen"), "--exit-code", "--output-dir", folder, "kibitz._core"]
        run = subprocess.run(stubgen, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{run.stdout}{run.stderr}pybind11-stubgen failed")
        stub = Path(folder) / "kibitz" / "_core.pyi"
        text = stub.read_text()
        for long, short in spelling.items():
            text = text.replace(long, short)
        stub.write_text(f"# Written by ./dev stubs from the compiled module; edit src/ instead.\n{text}")
        ruff = [str(scripts / "ruff"), "--config", str(root / "pyproject.toml"), "--quiet"]
        fixes = ["--fix-only", "--select", "I,F401,UP,D200,D212,PYI044", "--unsafe-fixes"]
        subprocess.run([ruff[0], "check", *ruff[1:], *fixes, str(stub)], check=True)
        subprocess.run([ruff[0], "format", *ruff[1:], str(stub)], check=True)
        return stub.read_text()


def main() -> None:
    """Write, or compare and say what differs."""
    new = generate()
    if sys.argv[1:] != ["--check"]:
        committed.write_text(new)
        return
    old = committed.read_text()
    if old != new:
        names = (str(committed.relative_to(root)), "compiled module")
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), *names))
        sys.exit("the stub is not that of the compiled module: run ./dev stubs")


if __name__ == "__main__":
    main()
