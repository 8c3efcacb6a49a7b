"""Levels and temperatures: what they play and how often, that they see no more, that higher is stronger."""

import pickle
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.analysis import Analysis
from kibitz.choice import chosen, weights_of
from kibitz.cli.shared import Budget, bots
from kibitz.errors import InvalidOption
from kibitz.levels import LEVELS, level

ROUND = kibitz.load("kami", rounds=1, redeal=False)
DOCS = Path(__file__).parents[2] / "docs"


# --- choice ---


@cache
def found() -> Analysis:
    """Four moves tried, and one that was not."""
    view = kibitz.load("kami").deal(seed=7).view()
    whole = kibitz.best_move(view, search="greedy")
    row = replace(whole.moves[0], visits=1)
    means = {"a": 0.6, "b": 0.5, "c": 0.4, "d": 0.2}
    rows = [replace(row, move=move, mean=mean) for move, mean in means.items()]
    return replace(whole, move="a", moves=(*rows, replace(row, move="e", mean=0.9, visits=0)))


# Gaps 0, 0.1, 0.2, 0.4 as shares of the widest: 0, 1/4, 1/2, 1; at T = 0.5 the weights are exp of 0, -1/2, -1, -2.
def test_weights_by_hand() -> None:
    weights = weights_of(found(), temperature=0.5)
    assert list(weights) == ["a", "b", "c", "d"]
    assert list(weights.values()) == pytest.approx([1, 0.6065307, 0.3678794, 0.1353353])


def test_the_unit_of_utility_does_not_matter() -> None:
    one = found()
    rows = tuple(replace(row, mean=100 * row.mean - 7) for row in one.moves)
    assert weights_of(replace(one, moves=rows), temperature=0.3) == pytest.approx(
        weights_of(one, temperature=0.3)
    )


def test_what_is_proven_counts_as_what_it_is() -> None:
    one = found()
    rows = (one.moves[0], replace(one.moves[3], mean=0.6, exact=0.0), *one.moves[1:3])
    assert weights_of(replace(one, moves=rows), temperature=1)["d"] == pytest.approx(0.3678794)


# 4,000 choices: a share of the weights 1, 0.61, 0.37, 0.14 of 2.11 in all, within five standard errors (0.04).
def test_moves_are_chosen_by_their_weights() -> None:
    counts = Counter(chosen(found(), temperature=0.5, seed=seed) for seed in range(4000))
    weights = weights_of(found(), temperature=0.5)
    for move, weight in weights.items():
        assert counts[move] / 4000 == pytest.approx(weight / sum(weights.values()), abs=0.04)
    assert counts["e"] == 0


@pytest.mark.parametrize("temperature", [0, 1e-320, 1e-9])
def test_without_temperature_the_best_is_played(temperature: float) -> None:
    assert {chosen(found(), temperature=temperature, seed=seed) for seed in range(50)} == {"a"}


def test_equal_moves_are_chosen_freely() -> None:
    one = found()
    rows = tuple(replace(row, mean=0.5) for row in one.moves)
    counts = Counter(chosen(replace(one, moves=rows), temperature=0.01, seed=seed) for seed in range(400))
    assert set(counts) == {"a", "b", "c", "d"}


@pytest.mark.parametrize("search", ["greedy", "random"])
def test_what_compares_no_moves_plays_its_own(search: str) -> None:
    view = ROUND.deal(seed=3).view()
    assert kibitz.Bot(search, temperature=9).act(view) == kibitz.Bot(search).act(view)


# --- bots ---


def test_a_bot_with_a_temperature_is_a_value() -> None:
    bot = kibitz.Bot(iterations=20, temperature=0.5)
    assert bot.name == "ismcts iterations=20 temperature=0.5"
    assert repr(bot) == "kibitz.Bot('ismcts', iterations=20, temperature=0.5)"
    assert eval(repr(bot)) == bot
    assert pickle.loads(pickle.dumps(bot)) == bot
    assert bot != kibitz.Bot(iterations=20)
    assert hash(bot) == hash(kibitz.Bot(iterations=20, temperature=0.5))


@pytest.mark.parametrize("value", [-0.1, 101, True, "1", None, float("nan"), float("inf")])
def test_a_temperature_that_is_none_is_refused(value: Any) -> None:
    with pytest.raises(InvalidOption, match=r"temperature cannot be .*; it is a number from 0 to 100"):
        kibitz.Bot(iterations=20, temperature=value)


def test_a_bot_tells_the_best_and_may_play_another() -> None:
    views = [ROUND.deal(seed=seed).view() for seed in range(20)]
    hot, cold = kibitz.Bot(iterations=200, temperature=2), kibitz.Bot(iterations=200)
    assert all(hot.analyse(view) == cold.analyse(view) for view in views)
    assert any(hot.act(view) != cold.act(view) for view in views)
    assert all(hot.act(view) == hot.act(view) for view in views)
    assert any(hot.act(view) != kibitz.Bot(iterations=200, temperature=2, seed=1).act(view) for view in views)


# --- levels ---


def test_levels_search_more_and_stray_less() -> None:
    assert len(LEVELS) == 10
    assert [each.iterations for each in LEVELS] == sorted({each.iterations for each in LEVELS})
    assert [each.temperature for each in LEVELS] == sorted(
        {each.temperature for each in LEVELS}, reverse=True
    )
    assert LEVELS[-1].temperature == 0
    assert level(10, name="") == kibitz.Bot(iterations=LEVELS[-1].iterations, name="")


def test_the_page_shows_the_levels() -> None:
    text = (DOCS / "levels.md").read_text(encoding="utf-8")
    for number, each in enumerate(LEVELS, 1):
        assert f"| {number} | {each.iterations:,} | {each.temperature:g} |" in text


@pytest.mark.parametrize("number", [0, 11, -1, "4", 4.0, True, None])
def test_what_is_no_level_is_refused(number: Any) -> None:
    with pytest.raises(InvalidOption, match=r"level cannot be .*; it is a whole number from 1 to 10"):
        level(number)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_level_sees_what_its_seat_may_know(number: int) -> None:
    bot = level(number)
    for seed in range(10):
        table = ROUND.deal(seed=seed)
        view = table.view()
        other = view.sample(seed=seed).view(seat=view.seat)
        assert other.core == view.core
        assert bot.act(other) == bot.act(view)


# Each level takes 0.55 to 0.65 of the wins from the one below it (docs/levels.md), so a margin over three or four of
# them is near 0.4; 80 deals have a standard error near 0.07.
@pytest.mark.parametrize(("higher", "lower"), [(4, 1), (7, 3)])
def test_a_higher_level_is_stronger(higher: int, lower: int) -> None:
    result = kibitz.match(ROUND, [level(higher), level(lower)], games=160, seed=2, progress=False)
    margin = result.entries[0].margin
    assert margin is not None
    assert margin.low is not None
    assert margin.low > 0


def test_levels_by_name() -> None:
    given = bots("level:4,level:10,name=best,seed=3,greedy", Budget(ms=20))
    assert given[:2] == [level(4), level(10, name="best", seed=3)]
    assert [bot.name for bot in given] == ["level 4", "best", "greedy"]
    assert bots("ismcts:iterations=9,temperature=0.5", Budget(ms=20)) == [
        kibitz.Bot(iterations=9, temperature=0.5)
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("level", "There is no level ''; write level:1 to level:10"),
        ("level:0", "level cannot be 0"),
        ("level:11", "level cannot be 11"),
        ("level:x", "There is no level 'x'"),
        ("level:٤", "There is no level"),
        ("level:99999", "There is no level"),
        ("level:4,ms=5", "level:4: There is no setting 'ms'"),
    ],
)
def test_a_name_that_is_no_level_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        bots(text, Budget(ms=20))
