"""docs/adding-a-game.md: its code is the example's, its messages are the compiler's, and its game keeps the laws.

The game itself is in examples/adding_a_game. cpp/tests/adding_a_game.cpp holds every position of it to the laws, under
sanitizers too; the slow test here adds it as the page says, to a copy of the tree.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "adding_a_game"
HEADER = (EXAMPLE / "highcard.hpp").read_text(encoding="utf-8")


def blocks(mark: str) -> dict[str, str]:
    """The code blocks of the page that stand below `<!-- mark: name -->`, by name."""
    return dict(re.findall(rf"^<!-- {mark}: (.*?) -->\n```\w*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


REGIONS = {
    name: dedent(code)
    for name, code in re.findall(
        r"^ *// \[((?!end)[a-z ]+)\]\n(.*?)^ *// \[end\]$", HEADER, re.MULTILINE | re.DOTALL
    )
}


@pytest.mark.parametrize("name", REGIONS)
def test_page_shows_the_code(name: str) -> None:
    assert blocks("code").get(name) == REGIONS[name]


def test_page_shows_all_of_the_header() -> None:
    assert list(blocks("code").keys() - REGIONS.keys()) == []
    bare = re.sub(
        r"^ *// \[((?!end)[a-z ]+)\]\n.*?^ *// \[end\]$", "", HEADER, flags=re.MULTILINE | re.DOTALL
    )
    rest = [line for line in bare.splitlines() if line and not line.startswith(("//", "#"))]
    assert rest == [
        "namespace kibitz::highcard {",
        "struct HighCard {",
        "};",
        "}  // namespace kibitz::highcard",
    ]


def test_page_shows_the_pinned_counts() -> None:
    shown = re.search(r"^<!-- perft -->\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert shown[1] == (EXAMPLE / "highcard.perft").read_text(encoding="utf-8")


# ---- the compiler ----


def compiler() -> list[str]:
    """The C++ compiler that Python's own build or the environment names."""
    named = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), "")
    if not named or os.name == "nt":
        pytest.skip("no C++ compiler of the usual kind")
    return named.split()


def without_observe(header: str) -> str:
    return re.sub(r"^  static Verdict observe\(.*?^  }\n", "", header, flags=re.MULTILINE | re.DOTALL)


def with_padding(header: str) -> str:
    header = re.sub(r"^static_assert\(sizeof.*\n", "", header, flags=re.MULTILINE)
    return header.replace("  Seat to_move;", "  Seat to_move;\n  int bet = 0;", 1)


@pytest.mark.parametrize("change", [without_observe, with_padding])
def test_compiler_names_what_is_missing(tmp_path: Path, change: Callable[[str], str]) -> None:
    changed = change(HEADER)
    assert changed != HEADER
    (tmp_path / "highcard.cpp").write_text(changed.replace("#pragma once", ""), encoding="utf-8")
    command = [*compiler(), "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "cpp" / "include")]
    said = subprocess.run(
        [*command, str(tmp_path / "highcard.cpp")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    assert said.returncode != 0
    for line in blocks("compiler")[change.__name__.replace("_", " ")].splitlines():
        kind, _, sentence = line.partition(": ")
        if kind == "error":  # ours, in the words of static_assert
            assert sentence.removeprefix("static assertion failed: ") in said.stderr
        elif is_gcc(command[0]):
            assert sentence in said.stderr


def is_gcc(program: str) -> bool:
    said = subprocess.run([program, "-v"], capture_output=True, text=True, check=False)
    return "gcc version" in said.stderr


# ---- one folder and one line ----

# An editable install of kibitz would be found before the copy.
SITE = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "ScikitBuildRedirectingFinder"]
"""


@pytest.mark.slow
def test_one_folder_and_one_line_add_the_game(tmp_path: Path) -> None:
    """Builds the module with this game alone, then runs the shared laws and the page's example on it."""
    pybind11 = pytest.importorskip("pybind11")
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    cmake, ninja = (shutil.which(name, path=path) for name in ("cmake", "ninja"))
    if cmake is None or ninja is None:
        pytest.skip("no cmake or ninja")
    for name in ("cpp", "src", "python"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("conftest.py", "covers.py", "chi_square.py", "test_laws.py"):
        shutil.copy(ROOT / "tests" / name, tests)

    # What the page says.
    (tmp_path / "cpp/include/kibitz/games/highcard").mkdir()
    shutil.copy(EXAMPLE / "highcard.hpp", tmp_path / "cpp/include/kibitz/games/highcard")
    (tests / "data").mkdir()
    shutil.copy(EXAMPLE / "highcard.perft", tests / "data")
    with (tmp_path / "cpp/games.cmake").open("a", encoding="utf-8") as games:
        games.write("kibitz_game(highcard)\n")

    def run(*command: str) -> str:
        environment = {**os.environ, "PATH": path, "PYTHONPATH": str(tmp_path / "python")}
        said = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert said.returncode == 0, said.stdout + said.stderr
        return said.stdout

    run(
        cmake,
        *("-S", ".", "-B", "build", "-G", "Ninja", "-DKIBITZ_PYTHON=ON", "-DKIBITZ_GAMES=highcard"),
        *("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1"),
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
    )
    run(ninja, "-C", "build", "_core")
    for module in (tmp_path / "build").glob("_core*"):
        shutil.copy(module, tmp_path / "python/kibitz")
    (tmp_path / "python/sitecustomize.py").write_text(SITE, encoding="utf-8")

    listed = run(sys.executable, "-m", "kibitz", "games").splitlines()
    assert listed[1].split() in [line.split() for line in PAGE.splitlines()]
    laws = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert "skipped" not in laws
    code = re.search(r"^<!-- not run: .*\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert code is not None
    run(sys.executable, "-c", code[1])
