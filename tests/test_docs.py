"""README and docs say what is so: their Python runs, their commands exist, their tables agree with the code.

    <!-- not run: why -->    above a Python block: it is not executed

Python blocks of a page run in order, in one namespace. `$ kibitz ...` lines are run, and what is printed below them
must come: line by line, `...` for any lines. docs/cli.md is run by interface/test_cli.py.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
import typer

import kibitz
from kibitz import _core, cli
from kibitz.cli.games import allowed, players_text
from kibitz.cli.shared import value_text

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
ARCHITECTURE = TEXTS["docs/architecture.md"]
KAMI = TEXTS["docs/games/kami.md"]
CORE = ROOT / "cpp" / "include" / "kibitz"

PROGRAMS = ("cmake", "cp", "ctest", "echo", "git", "mkdir", "perf", "pip", "taskset", "valgrind")

every_page = pytest.mark.parametrize("page", TEXTS)


class Block(NamedTuple):
    """A fenced block: the line above it, its language, its lines."""

    above: str
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    found = re.findall(r"^([^\n]*)\n( *)```(\w*)\n(.*?)^\2```$", "\n" + TEXTS[page], re.MULTILINE | re.DOTALL)
    return [Block(above.strip(), language, dedent(text)) for above, _, language, text in found]


def prose(page: str) -> str:
    """The page without its blocks."""
    return re.sub(r"^( *)```.*?^\1```$", "", TEXTS[page], flags=re.MULTILINE | re.DOTALL)


def rows(text: str, *header: str) -> list[list[str]]:
    """The rows of the table with these column heads."""
    lines = text.splitlines()
    at = lines.index("| " + " | ".join(header) + " |") + 2
    found = []
    while at < len(lines) and lines[at].startswith("|"):
        found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", lines[at])[1:-1]])
        at += 1
    return found


def ticked(text: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", text)


def section(page: str, heading: str) -> str:
    """From a heading to the next of its level."""
    level = heading.partition(" ")[0]
    return TEXTS[page].split(f"\n{heading}\n", 1)[1].split(f"\n{level} ", 1)[0]


# ---- Python ----


@every_page
def test_python_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, Any] = {"__name__": "page"}
    for number, block in enumerate(blocks(page)):
        if block.language != "python" or re.fullmatch(r"<!-- not run: .+ -->", block.above):
            continue
        exec(compile(block.text, f"{page}, block {number}", "exec"), namespace)


def test_readme_has_a_ten_line_example() -> None:
    (block,) = [block for block in blocks("README.md") if block.language == "python"]
    assert len([line for line in block.text.splitlines() if line]) <= 10


# ---- commands ----


def shown_commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """The commands in the blocks of a page, each with what is printed below it."""
    for block in blocks(page):
        if not re.search(r"^(?:\$ |\./dev )", block.text, re.MULTILINE):
            continue
        command, printed = "", list[str]()
        for line in block.text.splitlines():
            if re.match(r"\$ |\./dev ", line):
                if command:
                    yield command, printed
                command, printed = re.sub(r"\s+#.*", "", line.removeprefix("$ ")), []
            else:
                printed.append(line)
        yield command, printed


COMMANDS = [(page, *shown) for page in TEXTS for shown in shown_commands(page)]
INLINE = [
    (page, code)
    for page in TEXTS
    for code in ticked(prose(page))
    if re.match(r"(?:kibitz|\./dev)(?: |$)", code) and "..." not in code
]


def tasks() -> set[str]:
    """The commands of ./dev."""
    text = (ROOT / "dev").read_text(encoding="utf-8")
    return set(re.findall(r"^  ([a-z]+) ", text.split("<<'TEXT'")[1].split("\nTEXT\n")[0], re.MULTILINE))


def as_kibitz(command: str) -> list[str] | None:
    """The words after `kibitz`, also of a ./dev command that stands for one."""
    words = shlex.split(command.rpartition(" | ")[2])
    if words[:2] == ["./dev", "run"]:
        return words[2:]
    if words == ["./dev", "best"]:
        return ["best", "kami-answer"]
    if words[:2] == ["./dev", "best"]:
        return words[1:]
    return words[1:] if words[0] == "kibitz" else None


@pytest.mark.parametrize(("page", "command"), [(page, command) for page, command, _ in COMMANDS])
def test_shown_command_is_known(page: str, command: str) -> None:
    words = shlex.split(command)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)
    arguments = as_kibitz(command)
    if arguments is not None:
        parse(arguments)
    elif words[0] == "./dev":
        assert words[1] in tasks()
    elif words[0].endswith("python"):
        shown_script_is_known(words[1:])
    else:
        assert words[0] in PROGRAMS or words[0].startswith(("build/", ".venv/bin/")), command


def shown_script_is_known(words: list[str]) -> None:
    """A script with its options; those of benchmarks are not asked, as they may need another library."""
    script = f"tests/{words[1].replace('.', '/')}.py" if words[0] == "-m" else words[0]
    assert (ROOT / script).is_file()
    if script.startswith("bench/"):
        return
    said = subprocess.run(
        [sys.executable, ROOT / script, "--help"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[a-z-]+", said.stdout))


def parse(arguments: list[str]) -> None:
    """Reads the arguments as the command would, without running it."""
    group = typer.main.get_command(cli.app)
    if arguments[0].startswith("--"):
        known = {option for each in group.params for option in each.opts}
        assert set(arguments) <= known
        return
    command = group.get_command(None, arguments[0])  # type: ignore[attr-defined]
    assert command is not None, arguments
    command.make_context(arguments[0], arguments[1:])


@pytest.mark.parametrize(("page", "code"), INLINE)
def test_command_in_a_sentence_is_known(page: str, code: str) -> None:
    words = shlex.split(code)
    if words[0] == "./dev":
        assert len(words) == 1 or words[1] in tasks()
    elif len(words) > 1 and words[1].islower() and not words[1].startswith("-"):
        group = typer.main.get_command(cli.app)
        command = group.get_command(None, words[1])  # type: ignore[attr-defined]
        assert command is not None
        known = {option for each in command.params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known


# One is run by its own test, one is of a game that is not there, one has figures of some machine.
NOT_RUN = ("docs/cli.md", "docs/adding-a-game.md", "docs/performance.md")
TALKING = ("engine", "serve", "check-engine")  # wait for somebody; tests/protocol and tests/server run them
RUN = [
    (page, command, printed)
    for page, command, printed in COMMANDS
    if (arguments := as_kibitz(command)) is not None and page not in NOT_RUN and arguments[0] not in TALKING
]


@pytest.mark.parametrize(("page", "command", "printed"), RUN, ids=lambda each: str(each)[:60])
def test_shown_command_prints_what_is_shown(
    page: str,
    command: str,
    printed: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n"), "utf-8"))
    arguments = as_kibitz(command)
    assert arguments is not None
    code = cli.run(arguments)
    said = capsys.readouterr()
    assert code == 0, said.err
    pattern = "".join("(?s:.*)" if line == "..." else re.escape(line) + r"\n" for line in printed)
    assert re.match(pattern, said.out), said.out


# ---- links ----


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@every_page
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        name, _, fragment = target.partition("#")
        path = (ROOT / page).parent / name if name else ROOT / page
        assert path.exists(), target
        if fragment:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert fragment in map(anchor, headings), target


@every_page
def test_files_in_a_sentence_exist(page: str) -> None:
    named = [code for code in ticked(prose(page)) if re.fullmatch(r"[\w./-]+/[\w.-]*", code)]
    for code in named:
        if code.startswith(
            ("tests/", "docs/", "cpp/", "python/", "tools/", "bench/", "examples/", "src/", ".ci/")
        ):
            tried = [ROOT / code, ROOT / "python" / "kibitz" / code]
            assert any(path.exists() for path in tried) or "<slug>" in code or "highcard" in code, code


# ---- README ----


def test_readme_lists_every_game() -> None:
    found = rows(TEXTS["README.md"], "game", "slug", "players", "kind", "rules as implemented")
    assert [ticked(row[1]) for row in found] == [[slug] for slug in kibitz.games()]
    for row, slug in zip(found, kibitz.games(), strict=True):
        facts = _core.info(slug)
        assert row[0].startswith(facts["name"])
        assert row[2] == players_text(facts)
        assert row[3] == ("co-operative" if facts["cooperative"] else "competitive")
        assert f"(docs/games/{slug}.md)" in row[4]


# ---- architecture ----


def listed_files() -> dict[str, list[str]]:
    """The files of the reading order, by the folder in the heading above them."""
    found: dict[str, list[str]] = {}
    for part in section("docs/architecture.md", "## Reading order").split("\n### ")[1:]:
        folders = ticked(part.splitlines()[0])
        cells = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
        for name in [name for cell in cells for name in ticked(cell)]:
            folder = next((each for each in folders if (ROOT / each / name).exists()), folders[:1])
            assert isinstance(folder, str), f"{name} is not in {folders}"
            found.setdefault(folder, []).append(name)
    return found


def tracked(folder: str) -> set[str]:
    """The files of a folder and its sub-folders that are in the repository, or, without Git, that are there."""
    git = shutil.which("git")
    if git is not None:
        command = [git, "ls-files", "."]
        said = subprocess.run(command, cwd=ROOT / folder, capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return set(said.stdout.splitlines())
    return {
        path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()
    }


def test_reading_order_names_every_file() -> None:
    for folder, names in listed_files().items():
        assert len(set(names)) == len(names)
        there = {
            name
            for name in tracked(folder)
            if Path(name).suffix in (".hpp", ".cpp", ".py", ".pyi", ".in") and not name.startswith("games/")
        }
        missing = there - set(names)
        assert not missing, f"docs/architecture.md, reading order, {folder}: {sorted(missing)}"


LAYERS = {"core": {"core"}, "search": {"core", "search"}, "games": {"core", "games"}}
LAYERS["erased"] = {"core", "search", "erased"}


@pytest.mark.parametrize("layer", LAYERS)
def test_includes_point_downwards(layer: str) -> None:
    for path in (CORE / layer).rglob("*.hpp"):
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"#include <kibitz/(\w+)/", text))
        assert used <= LAYERS[layer], path
        assert "pybind11" not in text, path
        if layer == "games":
            games = set(re.findall(r"#include <kibitz/games/(\w+)/", text))
            assert games <= {path.relative_to(CORE / "games").parts[0]}, path


def test_concept_table_names_what_a_game_owes() -> None:
    text = (CORE / "core" / "game.hpp").read_text(encoding="utf-8")
    concepts = {
        name: set(re.findall(r"\{ G::(\w+)", body))
        | set(re.findall(r"constructible_from<typename G::(\w+)", body))
        for name, body in re.findall(r"concept (Game\w+) =(.*?)\n(?:template|//|\n)", text, re.DOTALL)
    }
    shown = {row[0]: set(ticked(row[1])) for row in rows(ARCHITECTURE, "part", "functions", "what it is for")}
    assert shown == concepts


def test_sizes_are_those_asserted() -> None:
    shown = {ticked(row[0])[0]: row[1] for row in rows(ARCHITECTURE, "type", "bytes", "what it holds")}
    state = (CORE / "games" / "kami" / "state.hpp").read_text(encoding="utf-8")
    tree = (CORE / "search" / "tree.hpp").read_text(encoding="utf-8")
    for name, size in re.findall(r"sizeof\((\w+)\) == (\d+)", state):
        assert shown[name] == size
    assert f"sizeof(Slot) == {shown['Edge']}" in tree


def test_streams_are_those_used() -> None:
    used: dict[str, set[str]] = {}
    for folder in ("cpp/include", "src", "python"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".hpp", ".cpp", ".py"):
                calls = re.findall(r"[Rr]ng_?\([^()\"]*\"([a-z]+)\"", path.read_text(encoding="utf-8"))
                for purpose in calls:
                    used.setdefault(purpose, set()).add(path.relative_to(ROOT).as_posix())
    table = rows(ARCHITECTURE, "purpose", "index", "used by", "for")
    assert {ticked(row[0])[0] for row in table} == used.keys()
    for row in table:
        for name in ticked(row[2]):
            assert any(path.endswith(name) for path in used[ticked(row[0])[0]]), name


def test_exceptions_are_all_there_are() -> None:
    shown = {name for row in rows(ARCHITECTURE, "exception", "when") for name in ticked(row[0])}
    assert shown == set(kibitz.errors.__all__)


def test_eight_laws() -> None:
    laws = section("docs/architecture.md", "## Laws")
    assert re.findall(r"^(\d)\. ", laws, re.MULTILINE) == list("12345678")
    tests = (ROOT / "tests" / "test_laws.py").read_text(encoding="utf-8")
    assert set(re.findall(r"def test_law_(\d)", tests)) == set("12345678")


# ---- docs/games/kami.md ----


def test_kami_options() -> None:
    shown = [row[:3] for row in rows(KAMI, "option", "values", "default", "meaning")]
    assert shown == [
        [f"`{each['name']}`", allowed(each), value_text(each["default"])]
        for each in _core.info("kami")["options"]
    ]


@pytest.mark.parametrize(("kind", "other"), [("start", "hands"), ("setup", "hand")])
def test_kami_fields(kind: str, other: str) -> None:
    shown = [[ticked(row[0])[0], row[1]] for row in rows(KAMI, "key", "type", "left out", "meaning")]
    assert [row for row in shown if row[0] != other] == [
        [each["name"], each["type"]] for each in _core.info("kami")[kind]
    ]


def test_kami_documents() -> None:
    shown = rows(KAMI, "key", "in", "meaning")
    for name, schema in (("view", kibitz.View.json_schema()), ("table", kibitz.Table.json_schema())):
        keys = [ticked(row[0])[0] for row in shown if row[1] in ("both", name)]
        assert sorted(keys) == sorted(schema["properties"])


def test_kami_names_every_rule_that_messages_name() -> None:
    named: set[str] = set()
    for path in (CORE / "games" / "kami").glob("*.hpp"):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"\"(kami: [a-z ]+)\"", text))
        rules = set(re.findall(r"\b([RA]\d+)\b", text))
        assert all(f"- **{rule}.** " in KAMI for rule in rules), path
    named |= {f"kami: {word}" for word in ("chance", "moves")}  # erased/game_of.hpp names them for any game
    assert {ticked(row[0])[0] for row in rows(KAMI, "name", "section, and what was broken")} == named


@pytest.mark.parametrize(("letter", "last"), [("R", 33), ("A", 13), ("W", 16)])
def test_kami_numbers_are_complete(letter: str, last: int) -> None:
    found = sorted(int(number) for number in re.findall(rf"^- \*\*{letter}(\d+)\.\*\* ", KAMI, re.MULTILINE))
    assert found == list(range(1, last + 1))


def test_kami_cards() -> None:
    state = (CORE / "games" / "kami" / "state.hpp").read_text(encoding="utf-8")
    table = rows(KAMI, "digit", "card", "copies", "points", "answered by", "Goita piece")
    for column, name in ((2, "copies"), (3, "card_points")):
        (numbers,) = re.findall(rf"{name} = \{{0, (.*?)\}}", state)
        assert [row[column] for row in table] == numbers.split(", ")


def test_kami_move_texts_are_texts_of_moves() -> None:
    game = _core.Game("kami", {})
    for row in rows(KAMI, "text", "meaning"):
        for text in ticked(row[0]):
            assert game.move_text(game.parse_move(text.removeprefix("*:"))) == text.removeprefix("*:")


def test_kami_greedy_is_what_the_code_says() -> None:
    shown = re.search(r"<!-- greedy -->\n(.*?)<!-- end -->", KAMI, re.DOTALL)
    code = (CORE / "games" / "kami" / "advice.hpp").read_text(encoding="utf-8")
    said = re.search(r"// Greedy, in one paragraph\. (.*?)\n#pragma", code, re.DOTALL)
    assert shown
    assert said
    assert shown[1].split() == re.sub(r"\n// ?", " ", said[1]).split()


def test_kami_match_table_is_made_as_the_page_says() -> None:
    text = (CORE / "games" / "kami" / "round_results.hpp").read_text(encoding="utf-8")
    (command,) = re.findall(r"^// +(python tools/.*)$", text, re.MULTILINE)
    assert f"$ .venv/bin/{command}\n" in KAMI
