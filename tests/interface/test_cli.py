"""The command line: what it prints, where, and with which exit code."""

import doctest
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

import kibitz
from kibitz import cli, fixed_work
from kibitz.cli import play, shared

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals, pipes and CPU times as POSIX has them")


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document of `--json`."""
        assert self.code == 0, self.err
        assert self.err == ""
        return json.loads(self.out)


Call = Callable[..., Said]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Runs a command line in this process; a text as `stdin` stands for a pipe."""

    def run(*args: str, stdin: str | bytes = "") -> Said:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        capsys.readouterr()
        code = cli.run(args)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run


def process(*args: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


# ---- examples ----


def help_examples() -> list[str]:
    pages = [typer.main.get_command(cli.app)]
    pages += [pages[0].get_command(None, name) for name in cli.COMMANDS]  # type: ignore[attr-defined]
    return [line for page in pages for line in re.findall(r"^ *\$ (.*)$", page.epilog or "", re.MULTILINE)]


def page_examples() -> dict[str, list[str]]:
    """The commands of docs/cli.md, each with the lines of output printed below it."""
    found: dict[str, list[str]] = {}
    text = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found[line.removeprefix("$ ")] = []
            else:
                found[list(found)[-1]].append(line)
    return found


def shape(line: str) -> str:
    """A line without its numbers and the end of a principal line, which a better search may change."""
    line = re.sub(r"(\d:\S+)( \d:\S+)*$", r"\1", line)
    return re.sub(r"[\d,.]+", "0", " ".join(line.split()))


def run_line(call: Call, line: str) -> Said:
    """One line as a shell would run it: `kibitz ...`, or `echo '...' | kibitz ...`."""
    before, _, after = line.rpartition(" | ")
    words = shlex.split(after)
    assert words.pop(0) == "kibitz"
    echo = shlex.split(before)
    assert echo[:1] in ([], ["echo"])
    return call(*words, stdin=" ".join(echo[1:]) + "\n" if echo else "quit\n")


TALKING = ("engine", "serve", "check-engine")  # wait for somebody; tests/protocol and tests/server run them


def talks(line: str) -> bool:
    words = [word for word in shlex.split(line) if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    return words[1] in TALKING and "--schemas" not in words and "--list" not in words


@pytest.mark.parametrize("line", [line for line in [*help_examples(), *page_examples()] if talks(line)])
def test_example_that_waits_is_understood(line: str) -> None:
    words = [word for word in shlex.split(line) if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    command = typer.main.get_command(cli.app).get_command(None, words[1])  # type: ignore[attr-defined]
    assert command.make_context(words[1], words[2:]).params


@pytest.mark.parametrize("line", [line for line in [*help_examples(), *page_examples()] if not talks(line)])
def test_example_does_what_it_says(
    call: Call, line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if "--peers" in line:
        pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'kibitz[bench]'")
    monkeypatch.chdir(tmp_path)  # some write files
    said = run_line(call, line)
    assert said.code == 0, said.err
    if "--json" in line:
        assert said.document
    out = [shape(each) for each in said.out.splitlines()]
    for printed in page_examples().get(line, []):
        assert printed == "..." or shape(printed) in out


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_and_page_show_every_command(call: Call, name: str) -> None:
    said = call(name, "--help")
    assert (said.code, said.err) == (0, "")
    assert f"$ kibitz {name}" in said.out
    assert any(line.startswith(f"kibitz {name}") for line in page_examples())


def test_docstrings_run() -> None:
    assert doctest.testmod(shared).failed == 0


# ---- shipped positions ----


def test_index_names_every_shipped_file() -> None:
    files = {path.name for path in shared.SHIPPED.iterdir() if path.is_file()}
    assert files - {"index.json"} == {each["file"] for each in shared.shipped()}
    assert shared.SHIPPED.is_relative_to(Path(kibitz.__file__).parent)


@pytest.mark.parametrize("each", shared.shipped(), ids=lambda each: each["name"])
@pytest.mark.parametrize("key", ["name", "file"])
def test_shipped_example_reads(each: dict[str, str], key: str) -> None:
    text = shared.read_text(each[key])
    if each["command"] == "match":
        assert {table.game.slug for table in kibitz.read_tables(text)} == {each["game"]}
        return
    assert text.count("\n") <= 16
    found = kibitz.read_position(text)
    assert found.game.slug == each["game"]
    if each["command"] == "best":
        assert found.turn == shared.read_view(each[key], None, None).seat


def test_shipped_round_is_a_real_one() -> None:
    records = json.loads((ROOT / "tests" / "data" / "kami_records.json").read_text("utf-8"))["records"]
    record = next(each for each in records if each["id"] == "ext-02")
    line = ",".join([*record["hands"], f"s{record['first'] + 1}", record["moves"]])
    assert shared.read_text("kami-round").strip() == line
    whole = kibitz.Table.from_json(shared.read_text("kami-round.json"))
    assert whole.turn is None
    assert whole == kibitz.read_position(line, options={"rounds": 1})


# Answering the partner's Horseman with the own one takes the lead: the other Empress lies face-up, so nothing answers
# the own one (R11), and seat 1 plays its hand out turn after turn. Passing leaves the lead to the partner, the Empress
# as defence gives the sure attack away.
@pytest.mark.parametrize("seed", range(3))
def test_answer_example_is_unambiguous(call: Call, seed: int) -> None:
    found = call("best", "kami-answer", "--iterations", "5000", "--seed", str(seed), "--json").document
    best, *others = found["moves"]
    assert best["move"] == found["move"] == "d3"
    assert all(best["mean"] > other["mean"] + 0.1 for other in others)


# ---- best ----


def test_best_prints_drawing_moves_and_reasons(call: Call) -> None:
    view = kibitz.read_position(shared.read_text("kami-answer"))
    assert isinstance(view, kibitz.View)
    found = kibitz.best_move(view, iterations=3000, seed=4)
    said = call("best", "kami-answer", "--iterations", "3000", "--seed", "4")
    assert said.code == 0
    for part in (
        view.draw().rstrip(),
        "Seat 1 to move: ismcts, 3,000 iterations, seed 4.",
        found.table(),
        found.explain(),
    ):
        assert part in said.out


def test_best_states_its_default_budget(call: Call) -> None:
    assert "1,000 ms (the default; --ms or --iterations changes it)" in call("best", "kami-3p").out


def test_best_takes_a_share_of_a_clock(call: Call) -> None:
    said = call("best", "kami-answer", "--clock", "0/40ms", "--iterations", "100")
    assert "ismcts, 100 iterations or clock 0/40ms, seed 0" in said.out
    assert call("best", "kami-answer", "--clock", "10ms", "--json").document["reason"] == "clock"


def test_best_reads_paths_standard_input_and_names_alike(call: Call, tmp_path: Path) -> None:
    text = shared.read_text("kami-2p")
    path = tmp_path / "ä position.txt"
    path.write_text(text, "utf-8")
    budget = ("--iterations", "500", "--json")
    answers = [
        call("best", "kami-2p", *budget),
        call("best", "kami-2p.txt", *budget),
        call("best", str(path), *budget),
        call("best", "-", *budget, stdin=text),
        call("best", "-", *budget, stdin=b"\xef\xbb\xbf" + text.encode()),
    ]
    assert len({json.dumps(timeless(said.document)) for said in answers}) == 1


def timeless(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in ("seconds", "ips")}


def test_best_from_a_table_knows_the_view_alone(call: Call, tmp_path: Path) -> None:
    table = kibitz.Table.from_json(shared.read_text("kami-table"))
    view = table.view()
    assert view.sample(seed=1).core != table.core
    (tmp_path / "view.json").write_text(view.to_json(), "utf-8")
    answers = [
        call("best", name, "--iterations", "500", "--json").document
        for name in ("kami-table", str(tmp_path / "view.json"))
    ]
    assert timeless(answers[0]) == timeless(answers[1])


def test_best_takes_options_for_notations(call: Call) -> None:
    line = "11125578,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1"
    assert "asked whether it wants a redeal" in call("best", "-", "--iterations", "10", stdin=line).out
    said = call("best", "-", "--iterations", "10", "--option", "redeal=false", stdin=line)
    assert "leads: a face-down defence" in said.out


@pytest.mark.parametrize("search", ["greedy", "random"])
def test_best_without_a_search_states_no_budget(call: Call, search: str) -> None:
    said = call("best", "kami-2p", "--search", search)
    assert f"Seat 0 to move: {search}, seed 0." in said.out


# ---- refusals ----

HANDS = '"hands": ["11113477", "12344568", "11123368", "11224555"], "first": 1'


@pytest.mark.parametrize(
    ("args", "stdin", "part"),
    [
        (["best", "kami-anser"], "", "did you mean 'kami-answer'"),
        (["best", "no such file"], "", "Examples: kami-answer"),
        (["best", "."], "", "no file '.'"),
        (["best", "-"], "", "empty"),
        (["best", "-"], "{", "not JSON"),
        (["best", "-"], "[1, 2]", "JSON object"),
        (["best", "-"], b"\xff\xfe\x00", "not UTF-8"),
        (["best", "-"], '{"game": "kami", "seat": 0, "start": {"hand": "99999999", "first": 1}}', "9"),
        (["best", "-"], '{"game": "chess", "seat": 0}', "kami"),
        (["best", "-"], '{"game": "kami", "start": {' + HANDS + '}, "record": ["1:-", "3:-"]}', "record[1]"),
        (["best", "-"], "11113477,12344568,11123368,s2", "3"),
        (["best", "-"], "١١١١٣٤٧٧,12344568,11123368,11224555,s2", "not a hand"),
        (["best", "kami-table", "--seat", "0"], "", "seat 2 is to act"),
        (["best", "kami-table", "--seat", "7"], "", "seats 0 to 3"),
        (["best", "kami-answer", "--seat", "2"], "", "what seat 1 knows"),
        (["best", "kami-round.json"], "", "the game is over"),
        (["best", "kami-round"], "", "chance is to act"),
        (["best", "kami-table", "--option", "rounds=1"], "", "rounds"),
        (["best", "kami-answer", "--option", "rounds=7"], "", "rounds"),
        (["best", "kami-answer", "--search", "ismct"], "", "did you mean 'ismcts'"),
        (["best", "kami-answer", "--playout", "wild"], "", "uniform, hint"),
        (["best", "kami-answer", "--utility", "fun"], "", "win+margin"),
        (["best", "kami-answer", "--clock", "60"], "", "such as 60s+1s"),
        (["play", "kamy"], "", "did you mean 'kami'"),
        (["play", "kami", "--players", "5"], "", "players"),
        (["play", "kami", "--seat", "4"], "", "seats 0 to 3"),
        (["play", "kami", "--bots", "gredy"], "", "did you mean 'greedy'"),
        (["match", "kami", "--bots", "greedy"], "", "needs 2 bots"),
        (["match", "kami", "--bots", "flat:playot=hint,greedy"], "", "did you mean 'playout'"),
        (["match", "kami", "--bots", "flat:ms=soon,greedy"], "", "ms cannot be 'soon'"),
        (["match", "kami", "--bots", "flat:ms=-1,greedy"], "", "ms cannot be -1"),
        (["match", "kami", "--bots", "flat:playout=x,greedy"], "", "playout"),
        (["match", "kami", "--bots", "flat:clock=60,greedy"], "", "clock cannot be '60'; it is main[+inc]"),
        (["match", "kami", "--bots", "flat:clock=0+1s,greedy"], "", "no time for the first decision"),
        (["match", "kami", "--bots", "greedy,random", "-o", "rounds=many"], "", "whole number"),
        (
            ["match", "kami", "--bots", "greedy,random", "--tables", "crew-deals"],
            "",
            "a table of thecrew, not of kami",
        ),
        (
            ["match", "thecrew", "--bots", "greedy", "--tables", "crew-deals", "-o", "tasks=5"],
            "",
            "tasks=6, not 5",
        ),
        (
            ["match", "thecrew", "--bots", "greedy", "--tables", "crew-deals", "--games", "101"],
            "",
            "are 100 tables",
        ),
        (["match", "thecrew", "--bots", "greedy", "--tables", "-"], "", "There are no tables"),
        (["match", "thecrew", "--bots", "greedy", "--tables", "-"], "{}\n", "Line 1: The table has no key"),
        (["match", "thecrew", "--bots", "greedy", "--each", "mission=0-2"], "", "mission cannot be 0"),
        (["match", "thecrew", "--bots", "greedy", "--each", "misson=1"], "", "misson"),
        (["match", "thecrew", "--bots", "greedy", "--games", "1", "--journal", "."], "", "cannot be opened"),
        (
            ["best", "kami-answer", "--search", "mcts", "--iterations", "9"],
            "",
            "mcts is for games in which nothing",
        ),
        (["review", "kami-round", "--seats", "9"], "", "seats 0 to 3"),
        (["review", "kami-answer", "--seats", "0"], "", "only that seat's"),
        (["review", "kami-round", "--search", "greedy"], "", "a review needs a search"),
        (["games", "kamy"], "", "did you mean 'kami'"),
        (["games", "chess", "--examples"], "", "no game 'chess'"),
        (["perft", "kami", "--position", "kami-answer"], "", "all hands"),
        (["perft", "chess"], "", "no game 'chess'"),
        (["bench", "chess"], "", "no game 'chess'"),
    ],
)
def test_refusal_is_one_sentence_on_stderr(
    call: Call, args: list[str], stdin: str | bytes, part: str
) -> None:
    said = call(*args, stdin=stdin)
    assert (said.code, said.out) == (1, "")
    assert re.fullmatch(r"kibitz: .+\n", said.err)
    assert part in said.err
    assert call(*args, *(["--json"] if args[0] != "play" else []), stdin=stdin) == said


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["bets", "kami-answer"], "Did you mean 'best'"),
        (["frobnicate"], "Commands: best"),
        (["best"], "POSITION"),
        (["best", "kami-answer", "--ms", "soon"], "--ms"),
        (["best", "kami-answer", "--ms", "0"], "--ms"),
        (["best", "kami-answer", "--iterations", "-5"], "--iterations"),
        (["best", "kami-answer", "--treads", "2"], "--threads"),
        (["best", "kami-answer", "--option", "rounds"], "name=value"),
        (["best", "kami-answer", "-o", "rounds=0", "-o", "rounds=1"], "given twice"),
        (["play", "kami", "--bots", "greedy,greedy"], "give 1 bot, or 3"),
        (["play", "kami", "--pace", "-1"], "--pace"),
        (["match", "kami"], "--bots"),
        (["match", "thecrew", "--bots", "greedy", "--each", "mission"], "name=value"),
        (
            ["match", "thecrew", "--bots", "greedy", "--each", "mission=1", "--journal", "x"],
            "neither --tables nor",
        ),
        (["match", "kami", "--bots", "flat:50,greedy"], "name=value"),
        (["review", "kami-round", "--seats", "north"], "--seats"),
        (["perft", "kami", "--depth", "0"], "--depth"),
        (["perft", "kami", "--position", "kami-table", "--seed", "3"], "--seed"),
    ],
)
def test_wrong_usage_says_how_to_get_help(call: Call, args: list[str], part: str) -> None:
    said = call(*args)
    assert (said.code, said.out) == (2, "")
    assert part in said.err
    assert "--help" in said.err
    assert "Traceback" not in said.err


def test_no_command_shows_help(call: Call) -> None:
    said = call()
    assert said.code == 2
    assert all(name in said.out + said.err for name in cli.COMMANDS)


def test_file_that_cannot_be_read(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "locked.txt"
    path.touch()

    def refuse(_: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    said = call("best", str(path))
    assert (said.code, said.err) == (1, f"kibitz: cannot read or write {path}: Permission denied.\n")


# ---- play ----


def simulate(game: kibitz.Game, seed: int, seat: int) -> tuple[kibitz.Table, list[str]]:
    """A game of a person who always plays the first legal move, against `greedy`; and what the person types."""
    table = game.deal(seed=seed)
    bot = kibitz.Bot("greedy")
    typed = []
    while table.turn is not None:
        view = table.view()
        move = view.legal()[0] if table.turn == seat else bot.act(view)
        if table.turn == seat:
            typed.append(move)
        table.play(move)
    return table, typed


@pytest.mark.parametrize(("players", "seat"), [(2, 1), (3, 0), (4, 2)])
def test_whole_game_from_a_pipe(call: Call, players: int, seat: int) -> None:
    table, typed = simulate(kibitz.load("kami", players=players, rounds=1), 5, seat)
    said = call(
        *("play", "kami", "--players", str(players), "--seat", str(seat), "--bots", "greedy", "--seed", "5"),
        *("--option", "rounds=1"),
        stdin="\n".join(typed) + "\n",
    )
    assert (said.code, said.err) == (0, "")
    record = table.view(seat=seat).record
    own, chance = f"{seat}:", "*:"
    told = [
        f"  {event[2:]}" if event.startswith(chance)
        else f"  you: {event[2:]}" if event.startswith(own)
        else f"  seat {event[0]}: {event[2:]}"
        for event in record
    ]  # fmt: skip
    lines = said.out.splitlines()
    assert [line for line in lines if re.match(r"  (you:|seat \d:|points|void|up )", line)] == told
    assert table.view(seat=seat).draw().strip() in said.out
    assert lines[-1].startswith("Over")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_stay_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """Two truths that the person's seat can't tell apart read the same, advice included."""
    table = kibitz.load("kami", players=players, redeal=False).deal(seed=11)
    while table.turn != 0 or len(table.record) < 3 or len(table.legal()) < 2:
        table.play(table.legal()[-1])
    other = table.view(seat=0).sample(seed=3)
    assert other.core != table.core
    said = []
    for truth in (table, other):
        monkeypatch.setattr(sys, "stdin", io.StringIO("hint\n?\nd9\nquit\n"))
        sitting = play.Sitting(truth, 0, {}, shared.Budget(iterations=200), 0, echo=True)
        sitting.told = len(truth.record)
        sitting.run()
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "utility" in said[0]


def test_play_answers_questions_and_mistakes(call: Call) -> None:
    typed = ["undo", "?", "hint", "d9", "nonsense", "3:p", "p", "", "show", "-", "undo", "-", "hint", "quit"]
    said = call(
        *("play", "kami", "--bots", "greedy", "--seed", "7", "--iterations", "300"),
        stdin="\n".join(typed) + "\n",
    )
    assert (said.code, said.err) == (0, "")
    for part in (
        "There is nothing to take back",
        "quit   leave the game",
        "legal: -",
        "- is the only legal move.",
        "'d9' is no move of kami",
        "'nonsense' is no move of kami",
        "'3:p' is by seat 3, but seat 0 is to act.",
        "'p' by seat 0:",
        "is best with a utility",
        "Left the game.",
    ):
        assert part in said.out
    assert said.out.count("  you: -") == 2  # by Enter, and again after undo
    assert "'-' by seat 0:" in said.out  # when it was no longer asked


def test_illegal_move_names_the_rule(call: Call) -> None:
    said = call(*("play", "kami", "--bots", "greedy", "--seed", "7"), stdin="-\np\nd1\nquit\n")
    assert "'p' by seat 0:" in said.out
    assert "legal: d2, d3" in said.out


@pytest.mark.parametrize("typed", ["", "-\n", "-", "?"])
def test_end_of_input_ends_the_game(call: Call, typed: str) -> None:
    said = call("play", "kami", "--bots", "greedy", "--seed", "7", stdin=typed)
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("Left the game.\n")


def test_undo_goes_back_and_on_the_same_way(call: Call) -> None:
    straight = call("play", "kami", "--bots", "greedy", "--seed", "7", stdin="-\nd2\na3\nquit\n").out
    again = call(
        "play", "kami", "--bots", "greedy", "--seed", "7", stdin="-\nd4\nundo\nundo\n-\nd2\na3\nquit\n"
    ).out
    assert again.endswith(straight[straight.index("  you: d2") :])


def test_play_without_a_seed_names_the_one_it_took(call: Call) -> None:
    seeds = {re.search(r"seed (\d+)", call("play", "kami", "--bots", "greedy").out)[1] for _ in range(3)}  # type: ignore[index]
    assert len(seeds) == 3


class Time:
    """Time that passes only when somebody sleeps or thinks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        assert seconds >= 0
        self.now += seconds


class Thinker(kibitz.Bot):
    """Thinks only when it has a choice."""

    def __init__(self, time: Time, seconds: float, **settings: Any) -> None:
        super().__init__("greedy", **settings)
        self.time = time
        self.thinks = seconds

    def act(self, view: kibitz.View, **_: Any) -> str:
        if len(view.legal()) > 1:
            self.time.pass_by(self.thinks)
        return super().act(view)


@pytest.mark.parametrize("pace", [0.6, 0.0])
def test_forced_moves_take_as_long_as_free_ones(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    time = Time()
    monkeypatch.setattr(play, "monotonic", time)
    monkeypatch.setattr(play, "sleep", time.pass_by)
    table = kibitz.load("kami", rounds=1).deal(seed=2)
    sitting = play.Sitting(
        table, 0, {seat: Thinker(time, 0.25) for seat in (1, 2, 3)}, shared.Budget(), pace, echo=True
    )
    spent = []
    while table.turn is not None:
        before = time.now
        if table.turn == 0:
            table.play(table.legal()[0])
        else:
            sitting.let_play(sitting.bots[int(table.turn)])
            spent.append(round(time.now - before, 9))
    assert set(spent) == ({0.6} if pace else {0.0, 0.25})


def test_a_budget_longer_than_the_pace_sets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = {seat: kibitz.Bot("flat", ms=2000) for seat in (1, 2, 3)}
    table = kibitz.load("kami").deal(seed=2)
    sitting = play.Sitting(table, 0, bots, shared.Budget(), 0.6, echo=True)
    assert sitting.pace == pytest.approx(2.045)


def test_the_share_of_a_clock_sets_the_pace_too() -> None:
    table = kibitz.load("kami").deal(seed=2)
    for bot, longest in [
        (kibitz.Bot("flat", clock=kibitz.Clock(byoyomi_ms=3000)), 2970 / 1.02 * 1.02 + 5),  # less 5 and 25 ms
        (kibitz.Bot("flat", clock=kibitz.Clock(byoyomi_ms=3000), ms=1000), 1025),
    ]:
        sitting = play.Sitting(table, 0, {1: bot}, shared.Budget(), 0.6, echo=True)
        assert sitting.pace == pytest.approx(longest / 1000)


# ---- match, review, games, perft, bench ----


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("greedy", [kibitz.Bot("greedy")]),
        ("ismcts", [kibitz.Bot("ismcts", ms=20)]),
        ("greedy,ismcts:ms=50,playout=hint,random", [
            kibitz.Bot("greedy"), kibitz.Bot("ismcts", ms=50, playout="hint"), kibitz.Bot("random")
        ]),
        ("ismcts:clock=60s+1s,flat:clock=0/5s/20s,iterations=9", [
            kibitz.Bot("ismcts", clock=kibitz.Clock(main_ms=60_000, inc_ms=1000)),
            kibitz.Bot("flat", clock=kibitz.Clock(byoyomi_ms=5000, bank_ms=20_000), iterations=9),
        ]),
        ("flat:iterations=9,threads=2,seed=3,name=x y,exploration=0.5", [
            kibitz.Bot("flat", iterations=9, threads=2, seed=3, name="x y", exploration=0.5)
        ]),
        ("mcts:iterations=9,rave=300,proofs=false,flat:iterations=9,halving=true", [
            kibitz.Bot("mcts", iterations=9, tuning={"rave": 300, "proofs": False}),
            kibitz.Bot("flat", iterations=9, tuning={"halving": True}),
        ]),
        (" flat : nodes = 5 , utility=score", [kibitz.Bot("flat", nodes=5, utility="score")]),
    ],
)  # fmt: skip
def test_bots_by_name(text: str, bots: list[kibitz.Bot]) -> None:
    assert shared.bots(text, shared.Budget(ms=20)) == bots


def test_best_takes_departures(call: Call) -> None:
    given = ("best", "kami-lead", "--iterations", "500", "--json")
    document = call(*given, "--tune", "rave=300", "--tune", "bias=0.1").document
    assert document["repeat"]["tuning"] == {"rave": 300, "bias": 0.1}
    assert document["moves"] != call(*given).document["moves"]


@pytest.mark.parametrize(
    ("tune", "told"),
    [
        ("rave", "'rave' is not of the form name=value"),
        ("revae=3", "There is no setting 'revae'; did you mean 'rave'?"),
        ("rave=much", "rave cannot be 'much'; it is a number."),
        ("proofs=1", "proofs cannot be '1'; it is true or false."),
        ("halving=true", "halving is nothing to ismcts; it is for flat."),
        ("rave=-3", "rave cannot be -3; it is a number from 0 to 1,000,000."),
    ],
)
def test_wrong_departures_are_refused(call: Call, tune: str, told: str) -> None:
    said = call("best", "kami-lead", "--iterations", "500", "--tune", tune)
    assert said.code != 0
    assert told in " ".join(said.err.split())


def test_match_is_the_one_of_the_package(call: Call) -> None:
    args = ("match", "kami", "--bots", "greedy,random", "--games", "6", "--seed", "3", "-o", "rounds=1")
    result = kibitz.match("kami", [kibitz.Bot("greedy"), kibitz.Bot("random")], games=6, seed=3, rounds=1)
    document = call(*args, "--json").document
    assert {**document, "seconds": 0} == {**json.loads(result.to_json()), "seconds": 0}
    text = call(*args).out
    assert result.table() in text
    assert all(note in text for note in result.notes())


def test_review_is_the_one_of_the_package(call: Call) -> None:
    table = kibitz.Table.from_json(shared.read_text("kami-round.json"))
    result = kibitz.review(table, seats=[0, 2], iterations=200, seed=1)
    args = ("review", "kami-round.json", "--seats", "0,2", "--iterations", "200", "--seed", "1")
    assert call(*args, "--json").document == json.loads(result.to_json())
    text = call(*args).out
    assert result.table() in text
    assert result.summary_table() in text


def test_games_lists_what_can_be_loaded(call: Call) -> None:
    listed = call("games", "--json").document
    assert [each["slug"] for each in listed] == kibitz.games()
    for each in listed:
        alone = call("games", each["slug"]).out
        assert all(option["name"] in alone and option["doc"] in alone for option in each["options"])
        assert each == call("games", each["slug"], "--json").document


def test_examples_are_listed(call: Call) -> None:
    assert call("games", "--examples", "--json").document == shared.shipped()
    assert all(each["name"] in call("games", "--examples").out for each in shared.shipped())


def leaves(table: kibitz.Table, depth: int) -> int:
    """Plainly, by playing everything on copies: decisions count, outcomes of chance do not."""
    if depth == 0:
        return 1
    if table.core.settled():
        return 0
    chance = table.turn == "chance"
    total = 0
    for move in [text for text, _ in table.outcomes()] if chance else table.legal():
        after = table.copy()
        after.play(move)
        total += leaves(after, depth - (not chance))
    return total


def test_perft_counts_what_can_be_played(call: Call) -> None:
    document = call(
        "perft", "kami", "--depth", "3", "--seed", "2", "--option", "players=2", "--divide", "--json"
    ).document
    table = kibitz.load("kami", players=2).deal(seed=2, chance="manual")
    assert [each["leaves"] for each in document["depths"]] == [leaves(table, depth) for depth in (1, 2, 3)]
    assert sum(document["divide"].values()) == document["depths"][-1]["leaves"]
    assert list(document["divide"]) == table.legal()


def test_perft_from_a_position(call: Call) -> None:
    document = call("perft", "kami", "--position", "kami-table", "--depth", "1", "--json").document
    # Attack 6 against 11123368: pass, 6 or 8.
    assert document["depths"][0]["leaves"] == 3


def test_bench_signature_depends_on_work_alone(call: Call) -> None:
    document = call("bench", "--quick", "--json").document
    assert re.fullmatch("[0-9a-f]{16}", document["signature"])
    assert [each["game"] for each in document["games"]] == sorted(each["game"] for each in document["games"])
    again = [process("bench", "--quick") for _ in range(2)]  # side by side
    for run in again:
        out, err = run.communicate()
        assert (run.returncode, err) == (0, "")
        assert out.endswith(f"signature {document['signature']} (quick)\n")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bench_positions_have_a_choice(players: int) -> None:
    found = list(fixed_work.positions(kibitz.load("kami", players=players).core))
    assert len(found) == len(fixed_work.POSITIONS)
    assert all(len(state.moves()) > 1 for state in found)


# ---- as a process ----


def test_version_says_how_it_was_built(call: Call) -> None:
    said = call("--version")
    assert said.code == 0
    assert said.out.startswith(f"kibitz {kibitz.__version__}\n")
    assert all(word in said.out for word in ("compiler", "flags", "arch", "build type"))


@pytest.mark.parametrize(
    "args", [("best", "kami-answer", "--iterations", "50"), ("games",), ("best", "--help")]
)
def test_no_colours_when_stdout_is_no_terminal(args: tuple[str, ...]) -> None:
    out, err = process(*args, FORCE_COLOR="1", TERM="xterm-256color").communicate()
    assert "\x1b" not in out + err
    assert out


def test_terminal_without_unicode_gets_an_answer() -> None:
    out, err = process(
        "best", "kami-answer", "--iterations", "50", PYTHONIOENCODING="iso8859-5"
    ).communicate()
    assert "?95%" in out
    assert err == ""


@POSIX
def test_ctrl_c_is_130() -> None:
    run = process("best", "kami-lead", "--ms", "60000")
    assert run.stdout is not None
    assert run.stdout.readline()  # the drawing: the search comes next
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=20)
    assert (run.returncode, err) == (130, "kibitz: interrupted\n")


@POSIX
@pytest.mark.parametrize(
    "args", [("games", "kami"), ("best", "kami-answer", "--iterations", "9"), ("games", "--json")]
)
def test_reader_that_leaves_is_no_error(args: tuple[str, ...]) -> None:
    run = process(*args)
    assert run.stdout is not None
    run.stdout.close()
    assert run.stderr is not None
    assert run.stderr.read() == ""
    assert run.wait() == 141
    run.stderr.close()


LOADED = """
import sys
from kibitz import cli
assert cli.run({args!r}) == 0
heavy = ("asyncio", "multiprocessing", "numpy", "rich", "yaml")
print(*sorted(name for name in sys.modules if name.split(".")[0] in heavy or ".cli." in name))
"""


def test_best_loads_only_what_it_needs() -> None:
    """All else would take longer than a short search; bench/test_start.py measures the whole."""
    code = LOADED.format(args=["best", "kami-answer", "--iterations", "9"])
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert out.splitlines()[-1].split() == ["kibitz.cli.best", "kibitz.cli.shared"]


# ---- input without end or sense ----


def test_an_endless_file_is_refused_not_swallowed() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        said = subprocess.run(
            [sys.executable, "-m", "kibitz.cli", "best", "-"],
            stdin=zeros,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == "kibitz: - has more than 1,048,576 bytes, which is all that is read.\n"


def test_a_seed_too_large_is_refused_before_anything_is_printed(call: Call) -> None:
    said = call("best", "kami-answer", "--iterations", "10", "--seed", str(2**70))
    assert (said.code, said.out) == (1, "")
    assert "seed" in said.err


def test_play_refuses_bytes_that_are_no_text() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-X",
            "utf8",
            "-m",
            "kibitz.cli",
            "play",
            "kami",
            "--players",
            "3",
            "--bots",
            "greedy",
        ],
        input=b"\xff\xfe\nquit\n",
        check=False,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert b"Traceback" not in said.stderr
    assert said.returncode == 0


def test_perft_has_a_greatest_depth(call: Call) -> None:
    assert call("perft", "kami", "--depth", "100000").code == 2
