"""Matches: duplicate deals, repeatable anywhere, and nothing lost to a bot that fails."""

import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.bot import FunctionBot
from kibitz.errors import InvalidOption
from kibitz.match_result import GameResult, tally
from kibitz.stats import wilson

ROUND = kibitz.load("kami", rounds=1)
# Python 3.12 and 3.13 say so when a process with threads (here: of the time-out) forks.
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
BOTS = [kibitz.Bot("greedy"), kibitz.Bot("random")]


def first_legal(view: kibitz.View) -> str:
    return view.legal()[0]


def breaks_in_the_middle(view: kibitz.View) -> str:
    if len(view.record) > 9:
        raise ZeroDivisionError("as it happens")
    return view.legal()[0]


def plays_nonsense(view: kibitz.View) -> str:
    return "d9" if view.seat == 3 else view.legal()[0]


def says_nothing(view: kibitz.View) -> str:
    return None  # type: ignore[return-value]


class LastLegal:
    name = "last"

    def act(self, view: kibitz.View) -> str:
        return view.legal()[-1]


# --- duplicate deals ---


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_against_itself_ends_exactly_even(players: int) -> None:
    bot = kibitz.Bot("random", seed=4)
    sides = 2 if players == 4 else players
    result = kibitz.match("kami", [bot] * sides, games=12, seed=1, players=players, progress=False)
    for entry in result.entries:
        assert entry.margin is not None
        assert (entry.margin.mean, entry.margin.low, entry.margin.high) == (0.0, 0.0, 0.0)
        assert entry.score_margin is not None
        assert (entry.score_margin.mean, entry.score_margin.low, entry.score_margin.high) == (0.0, 0.0, 0.0)
    if result.pairs is not None:
        assert (result.pairs.first, result.pairs.second) == (0, 0)


@pytest.mark.parametrize("search", ["flat", "ismcts"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_against_itself_ends_exactly_even(search: str, threads: int) -> None:
    bot = kibitz.Bot(search, iterations=20, threads=threads)
    result = kibitz.match(ROUND, [bot, bot], games=4, seed=1, progress=False)
    assert not result.errors
    margin = result.entries[0].margin
    assert margin is not None
    assert (margin.mean, margin.low, margin.high) == (0.0, 0.0, 0.0)


def test_sides_are_swapped_on_the_same_deal() -> None:
    result = kibitz.match(ROUND, BOTS, games=6, seed=1, progress=False)
    assert [(each.deal, each.rotation) for each in result.results] == [
        (d, r) for d in range(3) for r in range(2)
    ]
    assert [each.seats for each in result.results[:2]] == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_bots_may_sit_one_a_seat() -> None:
    result = kibitz.match(ROUND, [*BOTS, first_legal, LastLegal()], games=8, seed=1, progress=False)
    assert [each.seats for each in result.results[:4]] == [
        (0, 1, 2, 3),
        (1, 2, 3, 0),
        (2, 3, 0, 1),
        (3, 0, 1, 2),
    ]
    assert [entry.games for entry in result.entries] == [8, 8, 8, 8]
    assert [entry.name for entry in result.entries] == ["greedy", "random", "first_legal", "last"]
    assert result.pairs is None


def test_games_are_rounded_up_to_whole_deals() -> None:
    result = kibitz.match(ROUND, BOTS, games=5, seed=1, progress=False)
    assert (result.games, result.deals) == (6, 3)


def test_a_better_bot_shows() -> None:
    result = kibitz.match(ROUND, BOTS, games=200, seed=1, progress=False)
    greedy, random = result.entries
    assert greedy.margin is not None
    assert greedy.margin.low is not None
    assert greedy.margin.low > 0
    assert greedy.won + random.won == 200
    assert result.pairs is not None
    assert result.pairs.first > result.pairs.second
    assert result.pairs.played == 100


def test_margins_are_opposite_between_two() -> None:
    first, second = kibitz.match(ROUND, BOTS, games=20, seed=2, progress=False).entries
    assert first.margin is not None
    assert second.margin is not None
    assert first.margin.mean == pytest.approx(-second.margin.mean)
    assert first.score_margin is not None


# Two deals, written by hand: bot 0 wins both games of deal 0, each side wins as seats 0+2 on deal 1.
def test_tally_by_hand() -> None:
    def game(deal: int, rotation: int, winner: int) -> GameResult:
        seats = (0, 1, 0, 1) if rotation == 0 else (1, 0, 1, 0)
        returns = tuple(float(seat == winner) for seat in seats)
        return GameResult(deal, rotation, seats, returns, (3, 0), plies=30)

    games = [game(0, 0, 0), game(0, 1, 0), game(1, 0, 0), game(1, 1, 1)]
    result = tally(ROUND, ["a", "b"], games, seed=1, first=0, seconds=0.0)
    a, b = result.entries
    assert (a.won, b.won, a.drawn) == (3, 1, 0)
    assert a.mean is not None
    assert a.mean.mean == 0.75
    assert a.margin is not None
    assert a.margin.mean == 0.5  # (1 + 0) / 2
    assert result.pairs is not None
    assert (result.pairs.played, result.pairs.first, result.pairs.second) == (2, 1, 0)


# --- repeatable ---


@FORKS
def test_same_seed_same_result_whatever_the_workers() -> None:
    here = kibitz.match(ROUND, BOTS, games=12, seed=3, progress=False)
    assert kibitz.match(ROUND, BOTS, games=12, seed=3, workers=2, progress=False) == here
    with ThreadPoolExecutor(3) as threads:
        assert kibitz.match(ROUND, BOTS, games=12, seed=3, executor=threads, progress=False) == here
        threads.submit(int).result()  # it was not shut down
    assert kibitz.match(ROUND, BOTS, games=12, seed=4, progress=False) != here


def test_a_single_deal_can_be_played_again() -> None:
    whole = kibitz.match(ROUND, BOTS, games=12, seed=3, progress=False)
    part = kibitz.match(ROUND, BOTS, games=2, seed=3, first=4, progress=False)
    assert part.results == whole.results[8:10]


# --- bots that fail ---


@FORKS
@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_costs_its_game_and_is_told(workers: int) -> None:
    result = kibitz.match(
        ROUND, [breaks_in_the_middle, first_legal], games=6, seed=1, workers=workers, progress=False
    )
    assert len(result.errors) == 6
    error = result.errors[0]
    assert (error.kind, error.message) == ("ZeroDivisionError", "as it happens")
    assert error.bot == "breaks_in_the_middle"
    assert error.seats.count("first_legal") == 2
    assert "breaks_in_the_middle" in error.traceback
    table = kibitz.Table.from_json(error.table)
    assert table.turn == error.seat
    with pytest.raises(ZeroDivisionError):
        breaks_in_the_middle(table.view())
    again = kibitz.match(ROUND, [breaks_in_the_middle, first_legal], **error.repeat, progress=False)
    assert again.errors[0] == error
    assert result.entries[0].mean is None
    assert "6 games broke off" in str(result)


@pytest.mark.parametrize(("bot", "said"), [(plays_nonsense, "d9"), (says_nothing, "not the text of a move")])
def test_an_illegal_move_costs_its_game_and_is_told(bot: object, said: str) -> None:
    result = kibitz.match(ROUND, [bot, first_legal], games=4, seed=1, progress=False)
    assert result.errors
    assert all(error.kind == "IllegalMove" and said in error.message for error in result.errors)


def test_the_other_deals_are_counted() -> None:
    def fussy(view: kibitz.View) -> str:
        if view.game.deal(seed=0).start and view.start["hand"] == opening:
            raise RuntimeError("not this hand")
        return view.legal()[0]

    clean = kibitz.match(ROUND, [first_legal, first_legal], games=8, seed=1, progress=False)
    opening = ""
    seen: list[str] = []

    def watch(view: kibitz.View) -> str:
        seen.append(view.start["hand"])
        return view.legal()[0]

    kibitz.match(ROUND, [watch, first_legal], games=2, seed=1, progress=False)
    opening = seen[0]
    result = kibitz.match(ROUND, [fussy, first_legal], games=8, seed=1, progress=False)
    assert 1 <= len(result.errors) <= 2
    assert {error.deal for error in result.errors} == {0}
    assert result.entries[0].mean is not None
    assert result.entries[0].mean.n == 3
    assert result.results[2:] == clean.results[2:]


# --- arguments ---


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_number_of_bots(count: int) -> None:
    with pytest.raises(InvalidOption, match="needs 2 bots, one a team, or 4, one a seat"):
        kibitz.match(ROUND, [first_legal] * count, games=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": 0}, "games cannot be 0"),
        ({"games": 2, "workers": 0}, "workers cannot be 0"),
        ({"games": 2, "first": -1}, "first cannot be -1"),
        ({"games": 2, "seed": -1}, "seed cannot be -1"),
        ({"games": 2, "progress": "yes"}, "progress cannot be 'yes'"),
        ({"games": 2, "victory": "lord"}, "Options \\(victory\\) go with a game's name"),
    ],
)
def test_bad_argument(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        kibitz.match(ROUND, BOTS, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("bot", ["greedy", None, 3, LastLegal])
def test_what_is_no_bot(bot: object) -> None:
    with pytest.raises(InvalidOption, match=r"is no bot|is a class"):
        kibitz.match(ROUND, [bot, first_legal], games=2)


def test_a_bot_that_cannot_travel_is_refused_before_anything_runs() -> None:
    with pytest.raises(InvalidOption, match="cannot be sent to other processes"):
        kibitz.match(ROUND, [lambda view: view.legal()[0], first_legal], games=4, workers=2)


def ends_its_process(view: kibitz.View) -> str:
    os._exit(3)


@FORKS
def test_a_bot_that_ends_its_process_is_told() -> None:
    with pytest.raises(kibitz.KibitzError, match="A worker process ended by itself"):
        kibitz.match(ROUND, [ends_its_process, first_legal], games=4, workers=2)


@FORKS
def test_what_progress_raises_comes_through() -> None:
    def tell(done: int, total: int) -> None:
        raise RuntimeError("enough")

    for workers in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            kibitz.match(ROUND, BOTS, games=400, workers=workers, progress=tell)


def test_equal_names_are_told_apart() -> None:
    result = kibitz.match(ROUND, [first_legal] * 4, games=4, seed=1, progress=False)
    assert [entry.name for entry in result.entries] == [
        "first_legal",
        "first_legal (2)",
        "first_legal (3)",
        "first_legal (4)",
    ]


# --- reports ---


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    kibitz.match(ROUND, BOTS, games=6, seed=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    kibitz.match(ROUND, BOTS, games=2, seed=1)
    out = capsys.readouterr()
    assert (out.out, out.err) == ("", "")


def test_forms_of_the_result() -> None:
    result = kibitz.match(ROUND, BOTS, games=6, seed=1, progress=False)
    document = json.loads(result.to_json())
    assert document["games"] == 6
    assert document["entries"][0]["name"] == "greedy"
    assert result.table().splitlines()[0].split()[:4] == ["bot", "games", "won", "drawn"]
    assert "over 3 deals from seed 1" in str(result)
    assert result._repr_html_().startswith("<table>")
    assert pickle.loads(pickle.dumps(result)) == result
    assert FunctionBot(first_legal) == FunctionBot(first_legal)


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process group")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_match_and_workers(workers: int) -> None:
    code = f"""
        import kibitz
        bot = kibitz.Bot("ismcts", ms=300)
        def tell(done, total):
            print("told", flush=True)
        print("ready", flush=True)
        try:
            kibitz.match("kami", [bot, bot], games=10_000, seed=1, workers={workers}, progress=tell)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)  # the workers are searching
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 5
    finally:
        process.kill()
        process.wait()
    assert out.splitlines()[-1] == "interrupted"
    assert err == ""
    assert process.returncode == 0
    with pytest.raises(ProcessLookupError):  # nobody is left of its group
        os.killpg(process.pid, 0)


def test_a_bar_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    kibitz.match(ROUND, BOTS, games=2, seed=1, progress=True)
    out = capsys.readouterr()
    assert out.out == ""
    assert "games" in out.err


# --- given tables ---


def tables(count: int = 3) -> list[kibitz.Table]:
    return [ROUND.deal(seed=seed) for seed in range(count)]


def test_a_match_from_given_tables_plays_each_in_every_rotation() -> None:
    result = kibitz.match(ROUND, BOTS, tables=tables(), progress=False)
    assert [(each.deal, each.rotation) for each in result.results] == [
        (d, r) for d in range(3) for r in (0, 1)
    ]
    again = kibitz.match(ROUND, BOTS, tables=tables(), workers=2, progress=False)
    assert again == result
    third = kibitz.match(ROUND, BOTS, tables=tables(), first=2, games=2, progress=False)
    assert third.results == result.results[4:]


def test_given_tables_stay_as_they_are_and_are_played_on_from_where_they_are() -> None:
    table = ROUND.deal(seed=3)
    for _ in range(5):
        table.play(table.legal()[0])
    before = table.copy()
    bots = [first_legal, first_legal]
    whole = kibitz.match(ROUND, bots, tables=[ROUND.deal(seed=3)], progress=False)
    rest = kibitz.match(ROUND, bots, tables=[table], progress=False)
    assert table == before
    assert rest.results[0].plies == whole.results[0].plies - 5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tables": []}, "tables is a list of tables"),
        ({"tables": "kami"}, "tables is a list of tables"),
        ({"tables": [7]}, r"tables\[0\] cannot be 7"),
        ({"tables": [kibitz.load("kami").deal(seed=0)]}, r"tables\[0\] is of kibitz.load\('kami'\)"),
        ({"tables": [ROUND.blank()]}, "waits for an outcome of chance"),
        ({"tables": [ROUND.deal(seed=0)], "games": 4}, "There are 1 tables; deals 0 to 1"),
        ({"tables": [ROUND.deal(seed=0)], "first": 1}, "There are 1 tables"),
        ({}, "games must be given"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        kibitz.match(ROUND, BOTS, progress=False, **given)


# --- journals ---


def test_a_match_goes_on_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = kibitz.match(ROUND, BOTS, games=10, seed=4, progress=False)
    kibitz.match(ROUND, BOTS, games=4, seed=4, progress=False, journal=path)
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + 4
    path.write_text("\n".join(lines[:4]) + '\n{"deal": 1, "rot')  # cut off in the middle of a line
    played: list[tuple[int, int]] = []
    result = kibitz.match(
        ROUND, BOTS, games=10, seed=4, journal=path, progress=lambda done, all_: played.append((done, all_))
    )
    assert result == whole
    assert played == [(n, 10) for n in range(3, 11)]
    assert len(path.read_text().splitlines()) == 1 + 10
    before = path.read_bytes()
    assert kibitz.match(
        ROUND, BOTS, games=6, seed=4, journal=str(path), workers=2, progress=False
    ) == kibitz.match(ROUND, BOTS, games=6, seed=4, progress=False)
    assert path.read_bytes() == before


@FORKS
def test_a_journal_is_the_same_whoever_plays(tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    kibitz.match(ROUND, BOTS, games=8, journal=alone, progress=False)
    kibitz.match(ROUND, BOTS, games=8, journal=shared, workers=2, progress=False)
    assert sorted(alone.read_text().splitlines()) == sorted(shared.read_text().splitlines())


def test_broken_games_are_kept_in_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "games"
    bots = [FunctionBot(breaks_in_the_middle), kibitz.Bot("greedy")]
    first = kibitz.match(ROUND, bots, games=4, journal=path, progress=False)
    assert first.errors
    assert kibitz.match(ROUND, bots, games=4, journal=path, progress=False) == first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("some notes\n", "line 1 is no JSON object"),
        ('{"games": 4}\n', "is no journal of a match"),
        ("[1]\n", "line 1 is no JSON object"),
        ("HEAD\n[]\n", "line 2 is no JSON object"),
        ('HEAD\n{"deal": 0}\n', "line 2 is no game"),
        ("\xff\n", "line 1 is no JSON object"),
    ],
)
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, text: str, said: str) -> None:
    head = tmp_path / "head"
    kibitz.match(ROUND, BOTS, games=2, journal=head, progress=False)
    path = tmp_path / "file"
    path.write_text(text.replace("HEAD", head.read_text().splitlines()[0]), encoding="latin-1")
    before = path.read_bytes()
    with pytest.raises(InvalidOption, match=said):
        kibitz.match(ROUND, BOTS, games=2, journal=path, progress=False)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 2}, "its seed is 0, not 2"),
        ({"bots": [*BOTS[:1], kibitz.Bot("random", seed=5)]}, "its bots is"),
        ({"game": kibitz.load("kami", victory="lord")}, "its options is"),
        ({"tables": [ROUND.deal(seed=5)]}, "its tables is None"),
    ],
)
def test_the_journal_of_another_match_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"game": ROUND, "bots": BOTS, "games": 2, "progress": False}
    path = tmp_path / "games"
    kibitz.match(**given, journal=path)
    with pytest.raises(InvalidOption, match=said):
        kibitz.match(**given | change, journal=path)


@pytest.mark.parametrize("path", ["", "no/such/folder/file", ".", "a\0b"])
def test_a_journal_that_cannot_be_opened_is_refused(path: str) -> None:
    with pytest.raises(InvalidOption, match=r"The journal '.*' cannot be opened: "):
        kibitz.match(ROUND, BOTS, games=2, journal=path, progress=False)
    with pytest.raises(InvalidOption, match="journal cannot be 7"):
        kibitz.match(ROUND, BOTS, games=2, journal=7, progress=False)  # type: ignore[arg-type]


# --- co-operative games ---


def test_a_crew_is_told_by_its_success_rate() -> None:
    result = kibitz.match("thecrew", BOTS, games=40, seed=1, mission=1, progress=False)
    assert result.cooperative
    assert {each.seats for each in result.results} == {(0, 0, 0, 0), (1, 1, 1, 1)}
    for bot, entry in enumerate(result.entries):
        won = sum(each.returns[0] == 1 for each in result.results if each.seats[0] == bot)
        assert (entry.won, entry.games) == (won, 20)
        assert entry.mean == wilson(won, 20)
    assert result.table().splitlines()[0].split() == [
        "bot",
        "games",
        "won",
        "success",
        "95%",
        "from",
        "to",
        "margin",
        "95%",
        "from",
        "to",
    ]


def test_a_sweep_is_a_match_for_each_value() -> None:
    given: dict[str, Any] = {"games": 8, "seed": 3, "progress": False, "players": 3}
    found = kibitz.sweep("thecrew", BOTS, option="mission", values=[1, 5], **given)
    assert found.option == "mission"
    assert found.results == tuple(kibitz.match("thecrew", BOTS, mission=m, **given) for m in (1, 5))
    rows = [line.split()[:2] for line in found.table().splitlines()[1:]]
    assert rows == [["1", "greedy"], ["1", "random"], ["5", "greedy"], ["5", "random"]]
    assert found.notes() == ["16 games of thecrew: 4 deals for each mission, from seed 3."]
    assert json.loads(json.dumps(found.to_dict()))["results"][1]["options"]["mission"] == 5
    assert kibitz.sweep("thecrew", BOTS, option="mission", values=[1, 5], workers=2, **given) == found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"option": 3}, "option cannot be 3"),
        ({"option": "missoin"}, "missoin"),
        ({"values": []}, "at least one value"),
        ({"values": "12"}, "values cannot be '12'"),
        ({"values": [1, 99]}, "mission"),
        ({"mission": 2}, "mission is what the sweep goes over"),
        ({"workers": 0}, "workers"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"option": "mission", "values": [1, 2], "games": 2, "progress": False}
    with pytest.raises(InvalidOption, match=said):
        kibitz.sweep("thecrew", BOTS, **given | change)
