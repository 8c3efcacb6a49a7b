"""Departures from the plain formula, halving, and what a search does when its memory is used up."""

import pickle
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover
from kibitz import _core
from kibitz.errors import InvalidOption
from kibitz.tuning import TAKES
from test_search import lead, run, view_of

OPEN = [cover for cover in PLAIN if _core.info(cover.slug)["open"]]
SELECTION: list[dict[str, float]] = [
    {"first_play": 0.4},
    {"bias": 0.2},
    {"rave": 200},
    {"widening": 0.7},
    {"first_play": 0.6, "bias": 0.1, "rave": 50, "widening": 1.5},
]


def searched(found: dict[str, Any]) -> None:
    """The sums that hold whatever the formula is."""
    assert sum(row["visits"] for row in found["moves"]) == found["iterations"]
    assert all(0 <= row["mean"] <= 1 for row in found["moves"])


@pytest.mark.parametrize("cover", PLAIN, ids=str)
@pytest.mark.parametrize("tuning", SELECTION, ids=str)
def test_every_game_can_be_searched_by_every_formula(cover: Cover, tuning: dict[str, float]) -> None:
    search = "mcts" if cover in OPEN else "ismcts"
    for skip in (0, 3):
        view = view_of(cover, skip=skip)
        given = {"search": search, "iterations": 400, "seed": skip, "tuning": tuning}
        found = run(view, **given)
        searched(found)
        assert found == run(view, **given)
        searched(run(view, **(given | {"playout": "hint", "threads": 2})))


@pytest.mark.parametrize("search", ["ismcts", "pimc"])
@pytest.mark.parametrize("tuning", SELECTION, ids=str)
def test_a_departure_changes_what_is_visited(search: str, tuning: dict[str, float]) -> None:
    plain = run(lead(), search=search, iterations=3000)
    tuned = run(lead(), search=search, iterations=3000, tuning=tuning)
    assert plain["moves"] != tuned["moves"]


def test_what_is_off_changes_nothing() -> None:
    plain = run(lead(), iterations=2000)
    assert run(lead(), iterations=2000, tuning={}) == plain
    assert run(lead(), iterations=2000, tuning={"bias": 0, "rave": 0, "widening": 0}) == plain


def test_widening_tries_few_moves() -> None:
    view = view_of(Cover("hearts", ()), moves=8)
    tried = []
    for widening in (0.05, 0.2, 1000):
        found = run(view, iterations=400, tuning={"widening": widening})
        tried.append(sum(row["visits"] > 0 for row in found["moves"]))
    # 1 + widening * sqrt(visits), of 400 at the most
    assert tried == [2, 5, len(view.moves())]


def test_first_play_leaves_out_what_promises_less() -> None:
    view = view_of(Cover("hearts", ()), moves=8)
    sure = run(view, iterations=60, utility="win+margin", tuning={"first_play": 0})
    assert sum(row["visits"] > 0 for row in sure["moves"]) == 1  # anything is better than nothing
    each = run(view, iterations=60, utility="win+margin", tuning={"first_play": 1})
    assert all(row["visits"] > 0 for row in each["moves"])


def test_bias_goes_to_what_the_hint_advises() -> None:
    """So strong a bias is followed at the root until 1,000 / n is small."""
    advised = []
    for seed in range(10):
        view = view_of(Cover("thecrew", ()), seed=seed, skip=20)
        found = run(view, iterations=50, tuning={"bias": 1000})
        advised.append(max(row["visits"] for row in found["moves"]) / found["iterations"])
    plain = [
        max(
            row["visits"]
            for row in run(view_of(Cover("thecrew", ()), seed=seed, skip=20), iterations=50)["moves"]
        )
        / 50
        for seed in range(10)
    ]
    assert sum(advised) > sum(plain) + 2


def test_proofs_can_be_left_out() -> None:
    view = kibitz.load("tic_tac_toe").deal(seed=0).view()
    found = kibitz.best_move(view, search="mcts", iterations=20_000, tuning={"proofs": False})
    assert (found.reason, found.iterations) == ("iterations", 20_000)
    assert all(row.exact is None for row in found.moves)
    assert kibitz.best_move(view, search="mcts", iterations=20_000).reason == "proven"


# --- halving ---


@pytest.mark.parametrize("threads", [1, 2])
def test_halving_ends_with_two_moves_in_earnest(threads: int) -> None:
    view = view_of(Cover("hearts", ()), moves=8)
    moves = len(view.moves())
    given = {"search": "flat", "iterations": 4000, "threads": threads, "tuning": {"halving": True}}
    found = run(view, **given)
    searched(found)
    assert found == run(view, **given)
    visits = sorted((row["visits"] for row in found["moves"]), reverse=True)
    assert visits[0] > 2000 / moves * 2  # of even turns it would have 4000 / moves
    assert visits[0] > 3 * visits[-1] > 0
    chosen = next(row for row in found["moves"] if row["move"] == found["move"])
    assert chosen["visits"] * 2 > visits[0]
    if threads == 1:
        assert visits[0] - visits[1] <= 1 < visits[1] - visits[2]


def test_halving_with_few_iterations_still_tries_every_move() -> None:
    view = view_of(Cover("hearts", ()), moves=8)
    for iterations in (1, len(view.moves()), 3 * len(view.moves())):
        found = run(view, search="flat", iterations=iterations, tuning={"halving": True})
        searched(found)
        assert sum(row["visits"] > 0 for row in found["moves"]) == min(iterations, len(view.moves()))


def test_halving_agrees_with_even_turns() -> None:
    for seed in range(5):
        view = view_of(Cover("kami", ()), seed=seed)
        even = run(view, search="flat", iterations=20_000)
        halved = run(view, search="flat", iterations=20_000, tuning={"halving": True})
        means = {row["move"]: row["mean"] for row in even["moves"]}
        assert means[halved["move"]] == pytest.approx(means[even["move"]], abs=0.03)


# --- refusals ---


@pytest.mark.parametrize("name", TAKES)
def test_a_departure_is_refused_where_it_is_nothing(name: str) -> None:
    value = {"halving": True, "proofs": False}.get(name, 0.5)
    for search in _core.searches():
        if search in TAKES[name]:
            continue
        with pytest.raises(InvalidOption, match=f"{name} is nothing to {search}"):
            kibitz.Bot(search, iterations=10, tuning={name: value})
        view = view_of(OPEN[0]) if search == "mcts" else lead()
        with pytest.raises(InvalidOption, match=f"{name} is nothing to {search}"):
            run(view, search=search, iterations=10, tuning={name: value})


@pytest.mark.parametrize(
    ("tuning", "told"),
    [
        ({"rave": -1}, "rave cannot be -1; it is a number from 0 to 1,000,000"),
        ({"first_play": 1.5}, "first_play cannot be 1.5; it is a number from 0 to 1"),
        ({"bias": "much"}, "bias cannot be 'much'"),
        ({"proofs": 1}, "proofs cannot be 1; it is True or False"),
        ({"revae": 3}, "There is no tuning 'revae'; did you mean 'rave'?"),
        ([("rave", 3)], "tuning cannot be"),
    ],
)
def test_wrong_values_are_refused(tuning: Any, told: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        kibitz.Bot("mcts", iterations=10, tuning=tuning)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "tuning",
    [{"rave": -1}, {"rave": float("nan")}, {"first_play": 2}, {"bias": "x"}, {"proofs": 1}, {"x": 1}, {1: 1}],
)
def test_the_core_refuses_them_too(tuning: Any) -> None:
    with pytest.raises(InvalidOption, match="tuning"):
        run(view_of(OPEN[0]), search="mcts", iterations=10, tuning=tuning)


def test_halving_needs_iterations() -> None:
    with pytest.raises(InvalidOption, match="halving deals out iterations"):
        kibitz.Bot("flat", ms=10, tuning={"halving": True})
    with pytest.raises(InvalidOption, match="deals out iterations"):
        run(lead(), search="flat", ms=10, tuning={"halving": True})


def test_halving_is_not_for_a_search_that_lives_on() -> None:
    view = kibitz.load("kami", redeal=False).deal(seed=7).view()
    with pytest.raises(InvalidOption, match="a Search can be started again and again"):
        kibitz.Search(view, "flat", iterations=100, tuning={"halving": True})
    tuned = kibitz.Search(view, iterations=300, seed=1, tuning={"rave": 100}).start().result()
    assert tuned == kibitz.best_move(view, iterations=300, seed=1, tuning={"rave": 100})


def test_bots_tell_their_tuning() -> None:
    bot = kibitz.Bot("ismcts", iterations=10, tuning={"rave": 300, "bias": 0})
    assert bot.name == "ismcts iterations=10 rave=300"
    assert repr(bot) == "kibitz.Bot('ismcts', iterations=10, tuning={'rave': 300})"
    assert bot == kibitz.Bot("ismcts", iterations=10, tuning=kibitz.Tuning(rave=300))
    assert bot != kibitz.Bot("ismcts", iterations=10)
    view = kibitz.load("kami").deal(seed=7).view()
    found = bot.analyse(view)
    assert kibitz.best_move(view, **found.repeat) == found


def test_reviews_take_a_tuning() -> None:
    table = kibitz.load("kami", rounds=1, redeal=False).deal(seed=7)
    for _ in range(3):
        table.play(table.legal()[-1])
    plain = kibitz.review(table, iterations=400, progress=False)
    tuned = kibitz.review(table, iterations=400, tuning={"widening": 0.1}, progress=False)
    assert plain.decisions != tuned.decisions
    with pytest.raises(InvalidOption, match="halving is nothing to ismcts"):
        kibitz.review(table, iterations=400, tuning={"halving": True}, progress=False)


def test_a_tuning_is_pickled_and_checked_again() -> None:
    tuning = kibitz.Tuning(rave=300, proofs=False)
    again = pickle.loads(pickle.dumps(tuning))
    assert (again, hash(again)) == (tuning, hash(tuning))
    bot = kibitz.Bot("mcts", iterations=10, tuning=tuning)
    assert pickle.loads(pickle.dumps(bot)) == bot
    with pytest.raises(InvalidOption, match="rave cannot be -1"):
        again.__setstate__({"rave": -1})


# --- memory ---


def test_an_answer_tells_what_was_given_up() -> None:
    view = kibitz.load("kami", redeal=False).deal(seed=3).view()
    found = kibitz.best_move(view, iterations=100_000, max_bytes=2**20, seed=1)
    assert 0 < found.pruned < found.nodes
    assert found.to_dict()["pruned"] == found.pruned
    assert kibitz.best_move(view, iterations=1000, seed=1).pruned == 0


@pytest.mark.parametrize(
    ("search", "tuning"),
    [
        ("ismcts", None),
        ("ismcts", {"rave": 100, "bias": 0.1}),
        ("moismcts", None),
        ("mcts", None),
        ("mcts", {"rave": 100, "bias": 0.1}),
    ],
    ids=str,
)
def test_a_full_tree_gives_up_what_was_visited_least(search: str, tuning: dict[str, float] | None) -> None:
    view = view_of(OPEN[0]) if search == "mcts" else lead()
    given = {"search": search, "iterations": 150_000, "seed": 3, "tuning": tuning}
    if search == "mcts":
        given["tuning"] = (tuning or {}) | {"proofs": False}
    small = run(view, max_bytes=2**20, **given)
    large = run(view, max_bytes=2**28, **given)
    assert small == run(view, max_bytes=2**20, **given)
    searched(small)
    assert (small["full"], large["full"], large["pruned"]) == (True, False, 0)
    assert small["bytes"] <= 2**20 < large["bytes"]
    assert 0 < small["pruned"] < small["nodes"]
    assert small["nodes"] > 3 * (2**20 / 24 / (len(view.moves()) + 1))  # it went on growing
    if tuning is None:
        means = {row["move"]: row["mean"] for row in large["moves"]}
        assert means[small["move"]] == pytest.approx(means[large["move"]], abs=0.02)
    # The tree kept is about as deep as the whole one: what matters was not given up.
    assert small["depth"] >= large["depth"] // 2
