"""Asking for a move: budgets, reasons, and the forms of the answer."""

import io
import json
import pickle
import threading
import time

import numpy as np
import pytest

import kibitz
from kibitz import _core
from kibitz.analysis import Analysis
from kibitz.errors import IllegalMove, InvalidOption

SEARCHES = ["flat", "ismcts"]
HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads


def view() -> kibitz.View:
    """Seat 1 leads: it has eight choices, no two alike."""
    return kibitz.load("kami", redeal=False).setup({"hands": HANDS, "first": 1}).view()


def forced() -> kibitz.View:
    """Seat 2 has nothing to answer a Spear with."""
    game = kibitz.load("kami", redeal=False)
    hands = [HANDS[2], HANDS[1], HANDS[0], HANDS[3]]
    return game.setup({"hands": hands, "first": 1, "record": ["1:d1", "1:a2"]}).view()


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_answers_with_a_row_for_each_legal_move(search: str) -> None:
    found = kibitz.best_move(view(), search=search, iterations=400, seed=1)
    assert found.move in view().legal()
    assert sorted(row.move for row in found.moves) == sorted(view().legal())
    assert found.moves[0].move == found.move
    assert sum(row.visits for row in found.moves) == found.iterations == 400
    assert sum(row.share for row in found.moves) == pytest.approx(1)
    assert found.reason == "iterations"
    assert not found.forced
    assert found.line[0] == f"1:{found.move}"
    assert (found.game, found.seat, found.digest) == ("kami", 1, view().digest)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("threads", [1, 2])
def test_same_arguments_same_answer(search: str, threads: int) -> None:
    first, second = (
        kibitz.best_move(view(), search=search, iterations=300, seed=5, threads=threads) for _ in range(2)
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first != kibitz.best_move(view(), search=search, iterations=300, seed=6, threads=threads)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_timed_search_tells_how_to_repeat_it(search: str, threads: int) -> None:
    timed = kibitz.best_move(view(), search=search, ms=30, seed=3, threads=threads)
    again = kibitz.best_move(view(), **timed.repeat)
    assert timed.reason == "ms"
    assert again.moves == timed.moves
    assert again.move == timed.move
    assert again.repeat == timed.repeat


def test_a_forced_move_is_not_searched() -> None:
    found = kibitz.best_move(forced(), ms=5000)
    assert (found.move, found.forced, found.reason) == ("p", True, "single")
    assert found.seconds < 1
    assert found.explain() == "p is the only legal move."
    assert kibitz.best_move(forced(), **found.repeat).move == "p"


@pytest.mark.parametrize("search", ["greedy", "random"])
def test_a_policy_needs_no_budget(search: str) -> None:
    found = kibitz.best_move(view(), search=search, seed=2)
    assert found.reason == "policy"
    assert found == kibitz.best_move(view(), **found.repeat)
    assert "nothing was searched" in found.explain()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "no budget: give iterations, ms, nodes or clock"),
        ({"search": "ismct", "iterations": 5}, "did you mean 'ismcts'"),
        ({"iterations": 0}, "iterations cannot be 0"),
        ({"iterations": 10.0}, "iterations cannot be 10.0"),
        ({"iterations": True}, "iterations cannot be True"),
        ({"iterations": [5, 5]}, "each of the 1 threads"),
        ({"iterations": [0], "threads": 1}, "above 0"),
        ({"iterations": "5"}, "iterations cannot be '5'"),
        ({"ms": 0}, "ms cannot be 0"),
        ({"ms": float("nan")}, "ms cannot be nan"),
        ({"ms": "100"}, "ms cannot be '100'"),
        ({"nodes": -1}, "nodes cannot be -1"),
        ({"iterations": 5, "threads": 0}, "threads cannot be 0"),
        ({"iterations": 5, "max_bytes": 0}, "max_bytes cannot be 0"),
        ({"iterations": 5, "playout": "hints"}, "did you mean 'hint'"),
        ({"iterations": 5, "utility": "money"}, "win, score, win\\+margin"),
        ({"iterations": 5, "exploration": -1.0}, "exploration cannot be -1.0"),
        ({"iterations": 5, "seed": -1}, "seed cannot be -1"),
    ],
)
def test_a_bad_argument_is_refused_by_name(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        kibitz.best_move(view(), **arguments)  # type: ignore[arg-type]


def test_a_table_is_refused() -> None:
    table = kibitz.load("kami").deal(seed=7)
    with pytest.raises(InvalidOption, match=r"use table\.view\(seat=\.\.\.\)"):
        kibitz.best_move(table, iterations=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="not 'kami'"):
        kibitz.best_move("kami", iterations=5)  # type: ignore[arg-type]


def test_another_seats_turn_is_refused() -> None:
    table = kibitz.load("kami", redeal=False).setup({"hands": HANDS, "first": 1})
    with pytest.raises(IllegalMove, match="Seat 0 has nothing to decide: seat 1 is to act"):
        kibitz.best_move(table.view(seat=0), iterations=5)


def test_stop_from_another_thread() -> None:
    stop = _core.Stop()
    threading.Timer(0.05, stop.stop).start()
    found = kibitz.best_move(view(), ms=20_000, stop=stop)
    assert found.reason == "stop"
    assert found.move in view().legal()
    assert found.seconds < 10


def test_truth_behind_the_view_changes_nothing() -> None:
    game = kibitz.load("kami", redeal=False)
    other = game.setup({"hands": [HANDS[2], HANDS[1], HANDS[3], HANDS[0]], "first": 1})
    assert kibitz.best_move(other.view(), iterations=200, seed=1) == kibitz.best_move(
        view(), iterations=200, seed=1
    )


def test_table_has_aligned_columns() -> None:
    found = kibitz.best_move(view(), iterations=400, seed=1)
    lines = found.table().splitlines()
    assert lines[0].split() == ["move", "visits", "share", "mean", "±95%", "line"]
    assert len(lines) == 1 + len(view().legal())
    assert lines[1].split()[0] == found.move
    assert len({line.index("%") for line in lines[1:]}) == 1
    assert len(found.table(top=2).splitlines()) == 3


def test_dict_json_and_arrays() -> None:
    found = kibitz.best_move(view(), iterations=400, seed=1)
    document = json.loads(found.to_json())
    assert document == found.to_dict()
    assert [row["move"] for row in document["moves"]] == [row.move for row in found.moves]
    arrays = found.arrays()
    assert arrays["visits"].dtype == np.int64
    assert arrays["mean"].dtype == np.float64
    assert arrays["moves"].tolist() == [row.move for row in found.moves]
    assert arrays["visits"].sum() == 400


def test_pickle() -> None:
    found = kibitz.best_move(view(), iterations=100, seed=1)
    assert pickle.loads(pickle.dumps(found)) == found


def test_notebook_and_console() -> None:
    from rich.console import Console

    found = kibitz.best_move(view(), iterations=100, seed=1)
    assert found._repr_html_().startswith("<table>")
    console = Console(width=200, file=io.StringIO())
    console.print(found)
    assert isinstance(console.file, io.StringIO)
    assert f"1:{found.move}" in console.file.getvalue()


def test_explain_says_whether_the_difference_is_clear() -> None:
    found = kibitz.best_move(view(), search="flat", iterations=400, seed=1)
    text = found.explain()
    assert text.startswith(f"{found.move} is best with a utility of ")
    assert "clear" in text


def test_row_by_move() -> None:
    found = kibitz.best_move(view(), iterations=100, seed=1)
    row = found.row(found.move)
    assert row is found.moves[0]
    if row.interval is not None:
        assert row.interval[0] <= row.mean <= row.interval[1]
    with pytest.raises(InvalidOption, match="no row for 'd9'"):
        found.row("d9")


# --- bots ---


def test_a_bot_is_a_value_and_repeats_itself() -> None:
    bot = kibitz.Bot("flat", iterations=60, name="plain", seed=3)
    other = pickle.loads(pickle.dumps(bot))
    assert other == bot
    assert hash(other) == hash(bot)
    assert other.analyse(view()) == bot.analyse(view())
    assert repr(bot) == "kibitz.Bot('flat', iterations=60, name='plain', seed=3)"
    assert kibitz.Bot("flat", iterations=60).name == "flat iterations=60"
    assert bot != kibitz.Bot("flat", iterations=60)


def test_a_bots_seed_matters_and_so_does_the_place() -> None:
    one, two = (kibitz.Bot("flat", iterations=60, seed=seed) for seed in (1, 2))
    assert one.analyse(view()).seed != two.analyse(view()).seed
    later = view().game.setup({"hands": HANDS, "first": 1, "record": ["1:d1", "1:a4", "2:p", "3:p"]}).view()
    assert one.analyse(view()).seed != one.analyse(later).seed


def test_a_bot_may_be_given_another_budget_for_one_move() -> None:
    bot = kibitz.Bot("flat", ms=60_000)
    assert bot.analyse(view(), iterations=24).iterations == 24
    assert bot.act(view(), ms=5) in view().legal()


def test_a_bot_checks_its_arguments_at_once() -> None:
    with pytest.raises(InvalidOption, match="no budget"):
        kibitz.Bot("ismcts")
    with pytest.raises(InvalidOption, match="did you mean 'ismcts'"):
        kibitz.Bot("ismtcs", ms=5)


def test_stopping_a_bot_ends_its_search() -> None:
    bot = kibitz.Bot("ismcts", ms=20_000)
    bot.stop()  # nothing runs: nothing happens
    found: list[Analysis] = []
    searcher = threading.Thread(target=lambda: found.append(bot.analyse(view())))
    start = time.monotonic()
    searcher.start()
    while searcher.is_alive() and time.monotonic() - start < 10:
        bot.stop()
        searcher.join(0.02)
    searcher.join()
    assert found[0].reason == "stop"


def test_whole_numbers_may_be_written_either_way() -> None:
    assert kibitz.Bot("flat", ms=50.0) == kibitz.Bot("flat", ms=50)
    assert kibitz.Bot("flat", ms=50.0).name == "flat ms=50"


def test_allow_restricts_the_root() -> None:
    some = kibitz.best_move(view(), iterations=200, allow=["d4", "d1"])
    assert sorted(row.move for row in some.moves) == ["d1", "d4"]
    assert sum(row.visits for row in some.moves) == 200


def test_a_single_allowed_move_is_searched_for_its_worth() -> None:
    alone = kibitz.best_move(view(), iterations=200, allow=["d8"])
    assert alone.move == "d8"
    assert alone.row("d8").visits == 200
    assert not alone.forced


@pytest.mark.parametrize(
    ("allow", "error"),
    [(["p"], IllegalMove), (["zz"], IllegalMove), ([], InvalidOption), ("p", InvalidOption)],
)
def test_allow_takes_legal_moves_only(allow: list[str], error: type[kibitz.KibitzError]) -> None:
    with pytest.raises(error, match=r"pass|move|allow"):
        kibitz.best_move(view(), iterations=10, allow=allow)
