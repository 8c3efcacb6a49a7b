"""The C++ program kibitz_bench: built apart from the package, run on fixed work."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from works import Case

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build"

WORKS = ("deals", "playouts", "hints", "samples", "ismcts")  # see cpp/bench/kibitz_bench.cpp
UNITS = {"deals": "deal", "playouts": "ply", "hints": "ply", "samples": "world", "ismcts": "iteration"}


@dataclass(frozen=True)
class Program:
    """A kibitz_bench and how it was compiled."""

    path: Path
    compiler: str
    flags: str
    arch: str


@dataclass(frozen=True)
class Done:
    """What a run of kibitz_bench says it did."""

    count: int  # as asked
    plies: int  # of playouts; nodes of a search
    checksum: str

    def units(self, work: str) -> int:
        return self.plies if UNITS[work] == "ply" else self.count


def build(name: str, *, source: Path = ROOT, tune: str = "") -> Program:
    """kibitz_bench in build/`name`, without Python. An empty `tune` is the portable default."""
    folder = BUILD / name
    tools = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    cmake = shutil.which("cmake", path=tools)
    if cmake is None:
        raise RuntimeError("needs cmake: run ./dev setup")
    settings = ["-DCMAKE_BUILD_TYPE=Release", "-DKIBITZ_PYTHON=OFF", f"-DKIBITZ_TUNE={tune}"]
    generator = ["-G", "Ninja"] if shutil.which("ninja", path=tools) else []
    for command in (
        [cmake, "-S", str(source), "-B", str(folder), *generator, *settings],
        [cmake, "--build", str(folder), "--target", "kibitz_bench"],
    ):
        done = subprocess.run(
            command, env={**os.environ, "PATH": tools}, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            sys.stderr.write(done.stdout + done.stderr)
            raise RuntimeError(f"could not build {name}: {' '.join(command)}")
    facts = (folder / "include/kibitz/build_info.hpp").read_text()
    compiler, flags, arch = (
        "".join(re.findall(rf'"(.*)",\s*// {name}', facts)) for name in ("compiler", "flags", "arch")
    )
    return Program(folder / "bin/kibitz_bench", compiler, flags, arch)


def signature_lines(program: Program, slug: str, players: int, iterations: int) -> str:
    """What every search does in the fixed positions of `kibitz bench`, a line each."""
    command = [str(program.path), "signature", slug, str(iterations), f"players={players}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def arguments(work: str, case: Case, count: int) -> list[str]:
    """What kibitz_bench is called with."""
    words = [f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in case.options.items()]
    return [work, case.slug, str(count), *words]


def read(out: str) -> Done:
    """The line that kibitz_bench prints."""
    found = re.search(r"count=(\d+) plies=(\d+) checksum=([0-9a-f]+)", out)
    if found is None:
        raise RuntimeError(f"kibitz_bench said {out!r}")
    return Done(int(found[1]), int(found[2]), found[3])


def run(program: Program, work: str, case: Case, count: int) -> Done:
    done = subprocess.run(
        [str(program.path), *arguments(work, case, count)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return read(done.stdout)
