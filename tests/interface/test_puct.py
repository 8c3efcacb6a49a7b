"""puct: a search steered by an evaluator that Python brings, whatever the evaluator does."""

import itertools
import pickle
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

import kibitz
from covers import PLAIN, Cover, uniform, walk
from kibitz import Leaves, _core, cli
from kibitz.errors import IllegalMove, InvalidOption

Answer = tuple[Any, Any]

every_table = pytest.mark.parametrize("cover", PLAIN, ids=str)
every_batch = pytest.mark.parametrize("batch", [1, 3, 16, 64])


def even(leaves: Leaves) -> Answer:
    """Knows nothing."""
    return leaves.uniform(), np.full((len(leaves), leaves.game.seats), 0.5)


def hashed(leaves: Leaves) -> Answer:
    """Made-up numbers that hang on the leaf alone: on its view and moves, not on its neighbours."""
    keys = np.array([[view.core.digest % 1009] for view in leaves.views])
    priors = (keys * 31 + leaves.codes.astype(np.int64) * 17) % 101 + 1.0
    seats = np.arange(leaves.game.seats)
    return np.where(leaves.legal, priors, np.nan), (keys * (seats + 3) % 97) / 96


class Watched:
    """An evaluator, and what it was asked."""

    def __init__(self, inner: Callable[[Leaves], Answer] = even) -> None:
        self.inner = inner
        self.asked: list[Leaves] = []

    def __call__(self, leaves: Leaves) -> Answer:
        self.asked.append(leaves)
        return self.inner(leaves)

    @property
    def sizes(self) -> list[int]:
        return [len(leaves) for leaves in self.asked]

    def questions(self) -> list[Any]:
        return [
            (leaves.codes.tolist(), leaves.seats.tolist(), [view.digest for view in leaves.views])
            for leaves in self.asked
        ]


def start(slug: str, *moves: str, seed: int = 1, **options: Any) -> kibitz.View:
    """The view of the seat to move after some moves."""
    table = kibitz.load(slug, **options).deal(seed=seed)
    for move in moves:
        table.play(move)
    return table.view()


def choice_of(cover: Cover, *, seed: int = 0, skip: int = 0) -> tuple[_core.State, kibitz.View]:
    """A position in which a seat has a choice, and its view."""
    for number in range(seed, seed + 20):
        for state, actor, _ in walk(cover.game(), number, uniform):
            if actor >= 0 and len(state.moves()) > 1:
                if skip == 0:
                    return state, public(state.view(actor), cover)
                skip -= 1
    raise AssertionError("no such position in this game")


def public(core: _core.View, cover: Cover) -> kibitz.View:
    game = kibitz.load(cover.slug, **dict(cover.options))
    return game.view(seat=core.seat, start=core.to_dict())


def search(view: kibitz.View, evaluator: Any = even, **given: Any) -> kibitz.Analysis:
    return kibitz.best_move(view, search="puct", evaluator=evaluator, **({"iterations": 200} | given))


# --- what it finds ---


@cache
def solved(state: _core.State) -> tuple[float, float]:
    """What a position without chance is worth to both seats under best play."""
    if state.turn == _core.OVER:
        first, second = state.returns()
        return first, second
    return max((solved(state.play(move)) for move in state.moves()), key=lambda worth: worth[state.turn])


def exact(leaves: Leaves) -> Answer:
    rng = _core.Rng(0, "test")
    return leaves.uniform(), [solved(view.core.sample(rng)) for view in leaves.views]


@every_batch
def test_exact_values_find_the_forced_win(batch: int) -> None:
    # X a1, O b1: X wins by force with some moves, by a double threat to come, and not with others.
    view = start("tic_tac_toe", "a1", "b1")
    state = view.core.sample(_core.Rng(0, "test"))
    winning = {
        view.game.core.move_text(move) for move in state.moves() if solved(state.play(move)) == (1.0, 0.0)
    }
    assert 0 < len(winning) < len(view.legal())
    found = search(view, exact, batch=batch, utility="win", iterations=400)
    assert found.move in winning
    assert found.moves[0].mean > 0.8


@every_batch
def test_ends_of_the_game_need_no_evaluator(batch: int) -> None:
    # X a1 a2, O b1 c1: a3 wins at once; whoever knows nothing finds it, and is not asked about the end.
    view = start("tic_tac_toe", "a1", "b1", "a2", "c1")
    net = Watched()
    found = search(view, net, batch=batch, utility="win")
    assert found.move == "a3"
    assert found.row("a3").mean == 1.0
    assert all(view.core.turn >= 0 for leaves in net.asked for view in leaves.views)


@pytest.mark.parametrize("slug", ["connect_four", "tic_tac_toe"])
def test_priors_steer(slug: str) -> None:
    view = start(slug)
    for wanted in view.legal():

        def sure(leaves: Leaves, wanted: str = wanted) -> Answer:
            priors, values = even(leaves)
            for row, texts in zip(priors, leaves.moves, strict=True):
                if wanted in texts:
                    row[:] = 0
                    row[texts.index(wanted)] = 1
            return priors, values

        found = search(view, sure, iterations=20, batch=1)
        assert found.move == wanted
        assert found.row(wanted).visits == 20


def test_values_outweigh_priors_in_time() -> None:
    view = start("tic_tac_toe", "a1", "b1", "a2", "c1")

    def mistaken(leaves: Leaves) -> Answer:
        priors, values = even(leaves)
        return priors * (1 - 0.99 * (leaves.codes == view.game.core.parse_move("a3"))), values

    assert search(view, mistaken, iterations=5, batch=1).move != "a3"
    assert search(view, mistaken, iterations=2000).move == "a3"


@pytest.mark.parametrize(("hand", "move"), [("K", "bet"), ("J", "pass")])
def test_what_pays_in_any_world_is_found(hand: str, move: str) -> None:
    """Kuhn, facing a bet (the answers are texted alike): the king calls, the jack does not."""
    table = kibitz.load("kuhn_poker").setup({"hands": f"Q{hand}", "record": ["0:bet"]})
    assert search(table.view(), iterations=300).move == move


# --- how much is done ---


@every_table
@every_batch
def test_visits_add_up_and_moves_are_legal(cover: Cover, batch: int) -> None:
    for skip in (0, 5):
        _, view = choice_of(cover, skip=skip)
        found = search(view, hashed, iterations=150, batch=batch)
        assert [row.move for row in found.moves] != []
        assert sorted(row.move for row in found.moves) == sorted(view.legal())
        assert sum(row.visits for row in found.moves) == found.iterations == found.worlds == 150
        assert found.reason == "iterations"
        assert found.moves[0].visits == max(row.visits for row in found.moves)
        assert all(0 <= row.mean <= 1 for row in found.moves)


@pytest.mark.parametrize("batch", [1, 7, 16, 64])
@pytest.mark.parametrize("iterations", [1, 300])
def test_leaves_are_judged_in_batches(batch: int, iterations: int) -> None:
    net = Watched()
    found = search(start("connect_four"), net, batch=batch, iterations=iterations)
    assert found.iterations == iterations
    assert net.sizes[0] == 1  # the root
    assert max(net.sizes) <= batch
    # No drop of this opening ends the game within a few plies: every iteration has its leaf.
    assert sum(net.sizes[1:]) == iterations
    assert -(-iterations // batch) <= len(net.sizes) - 1 <= 2 * -(-iterations // batch)


def test_no_leaf_of_an_open_game_is_judged_twice() -> None:
    net = Watched(hashed)
    found = search(start("connect_four"), net, batch=64, iterations=600)
    assert sum(net.sizes) == found.nodes == 601


@every_batch
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_left_of_a_virtual_loss(batch: int, threads: int) -> None:
    """Where every judgement is 1/2, every mean is exactly that, and the squares agree."""
    found = search(start("connect_four"), batch=batch, threads=threads, iterations=250)
    for row in found.moves:
        assert row.mean == 0.5
        assert row.se == 0.0


def test_threads_share_the_iterations() -> None:
    view = start("connect_four")
    whole = search(view, hashed, iterations=201, threads=2)
    assert search(view, hashed, iterations=[101, 100], threads=2).moves == whole.moves
    lone = search(view, hashed, iterations=101)
    assert search(view, hashed, iterations=[101, 0], threads=2).moves == lone.moves


def test_a_full_tree_is_searched_on() -> None:
    found = search(start("connect_four"), hashed, iterations=9000, max_bytes=2**20, batch=64)
    assert (found.full, found.iterations) == (True, 9000)
    assert found.bytes <= 2**20
    assert sum(row.visits for row in found.moves) == 9000


def test_only_allowed_moves_are_visited() -> None:
    view = start("connect_four")
    net = Watched(hashed)
    found = search(view, net, allow=["3", "5"])
    assert {row.move for row in found.moves} == {"3", "5"}
    assert net.asked[0].moves == (tuple(view.legal()),)  # the root is judged as it is
    assert search(view, net, allow=["4"]).row("4").visits == 200


def test_one_legal_move_asks_nobody() -> None:
    view = start("tic_tac_toe", "a1", "b1", "c1", "a2", "b2", "c2", "b3", "a3")
    net = Watched()
    found = search(view, net)
    assert (found.reason, found.iterations, net.sizes) == ("single", 0, [])
    assert search(view, net, allow=view.legal()).row("c3").visits == 200


# --- the same again ---


@every_table
@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("threads", [1, 2])
def test_same_arguments_same_result(cover: Cover, batch: int, threads: int) -> None:
    _, view = choice_of(cover, skip=3)
    first, again = Watched(hashed), Watched(hashed)
    given = {"batch": batch, "threads": threads, "seed": 5}
    assert search(view, first, **given) == search(view, again, **given)
    if threads == 1:  # else the order of the calls is the threads' affair
        assert first.questions() == again.questions()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_timed_search_can_be_repeated(threads: int) -> None:
    view = start("kami", redeal=False)
    timed = search(view, hashed, iterations=None, ms=40, batch=8, threads=threads, exploration=2)
    assert timed.reason == "ms"
    again = kibitz.best_move(view, evaluator=hashed, **timed.repeat)
    assert (again.moves, again.line, again.nodes) == (timed.moves, timed.line, timed.nodes)


@pytest.mark.parametrize("cover", [Cover("kami", ()), Cover("leduc_poker", ())], ids=str)
def test_other_seeds_meet_other_worlds(cover: Cover) -> None:
    _, view = choice_of(cover, skip=2)
    assert len({search(view, hashed, seed=seed).moves for seed in range(4)}) == 4


# --- what is hidden ---


@every_table
def test_a_leaf_is_what_its_mover_knows(cover: Cover) -> None:
    _, view = choice_of(cover, skip=2)
    net = Watched(hashed)
    search(view, net, iterations=300)
    assert net.asked[0].views[0].core == view.core
    for leaves in net.asked:
        assert leaves.game == view.game
        assert leaves.codes.shape == leaves.legal.shape == (len(leaves), max(map(len, leaves.moves)))
        for each, seat, codes, texts in zip(
            leaves.views, leaves.seats.tolist(), leaves.codes.tolist(), leaves.moves, strict=True
        ):
            assert each.seat == each.turn == seat
            assert list(texts) == each.legal()
            assert [code for code in codes if code] == each.core.moves()
            # It is a whole view of its own: it can be written down and searched.
            assert kibitz.View.from_json(each.to_json()).core == each.core


def test_the_mover_does_not_know_the_searcher_s_card() -> None:
    """Kuhn: seat 0 holds the queen. Seat 1 is met with both other cards, and knows its own alone."""
    net = Watched()
    search(kibitz.load("kuhn_poker").setup({"hands": "QJ"}).view(), net)
    hands = {(each.seat, each.core.to_dict()["hands"]) for leaves in net.asked for each in leaves.views}
    assert hands == {(0, "Qx"), (1, "xJ"), (1, "xK")}


@every_table
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_hidden_steers_the_search(cover: Cover, threads: int) -> None:
    """Another truth with the same view: the same questions, tree and answer."""
    for skip in (0, 6):
        state, view = choice_of(cover, skip=skip)
        twin = view.core.sample(_core.Rng(skip, "test"))
        ours, theirs = Watched(hashed), Watched(hashed)
        found = search(public(state.view(view.seat), cover), ours, threads=threads)
        assert search(public(twin.view(view.seat), cover), theirs, threads=threads) == found
        if threads == 1:
            assert ours.questions() == theirs.questions()


def test_priors_are_a_mean_over_worlds() -> None:
    """Kuhn after a pass: the other seat's node is judged again in other worlds, not by its first world alone."""
    view = start("kuhn_poker")
    net = Watched()
    search(view, net, iterations=400)
    asked = [each.core for leaves in net.asked for each in leaves.views if each.seat == 1]
    nodes = 2  # after pass, after bet
    assert len(asked) > nodes * 3
    open_game = Watched()
    found = search(start("tic_tac_toe"), open_game, iterations=400)
    assert sum(open_game.sizes) == found.nodes


# --- evaluators that are wrong ---


def raises(leaves: Leaves) -> NoReturn:
    raise ZeroDivisionError("the net")


class Ragged:
    def __array__(self, *given: Any, **named: Any) -> NoReturn:
        raise RuntimeError("call detach first")


def with_priors(change: Callable[[NDArray[np.float64]], Any]) -> Callable[[Leaves], Answer]:
    return lambda leaves: (change(leaves.uniform()), even(leaves)[1])


def with_values(change: Callable[[NDArray[np.float64]], Any]) -> Callable[[Leaves], Answer]:
    return lambda leaves: (leaves.uniform(), change(even(leaves)[1]))


def put(number: float) -> Callable[[NDArray[np.float64]], Any]:
    def change(array: NDArray[np.float64]) -> NDArray[np.float64]:
        array[-1, 1] = number
        return array

    return change


WRONG: dict[str, tuple[Callable[[Leaves], Any], str]] = {
    "nothing": (lambda leaves: None, "answered None; it must be a pair of arrays, priors and values"),
    "one array": (lambda leaves: leaves.uniform(), "must be a pair of arrays, priors and values"),
    "three": (lambda leaves: (*even(leaves), 1), "must be a pair of arrays"),
    "no batch": (with_priors(lambda p: p[0]), r"priors have the shape \(7,\); it must be \(1, 7\)"),
    "too few rows": (with_priors(lambda p: p[:0]), r"priors have the shape \(0, 7\); it must be \(1, 7\)"),
    "too narrow": (with_priors(lambda p: p[:, :3]), r"\(1, 3\); it must be \(1, 7\): a row a leaf, a column a move"),
    "too deep": (with_priors(lambda p: p[None]), r"\(1, 1, 7\); it must be \(1, 7\)"),
    "one value": (with_values(lambda v: v[:, :1]), r"values have the shape \(1, 1\); it must be \(1, 2\)"),
    "nan": (with_priors(put(float("nan"))), "priors have nan for move 1 of leaf 0; a prior must be a finite number"),
    "infinite": (with_priors(put(float("inf"))), "priors have inf for move 1 of leaf 0"),
    "negative": (with_priors(put(-0.25)), r"priors have -0\.25 for move 1 of leaf 0; .* from 0"),
    "no prior": (with_priors(lambda p: 0 * p), r"priors of leaf 0 add up to 0\.0 over its 7 legal moves"),
    "huge": (with_priors(lambda p: p * 1.7e308 * 7), "add up to inf"),
    "value too high": (with_values(put(1.5)), r"values have 1\.5 for seat 1 of leaf 0; .* from 0 to 1"),
    "value below 0": (with_values(put(-0.5)), r"values have -0\.5 for seat 1"),
    "value nan": (with_values(put(float("nan"))), "values have nan for seat 1"),
    "texts": (with_priors(lambda p: [["a"] * 7]), "priors are .* of type <U1; they must be an array of real numbers"),
    "complex": (with_priors(lambda p: p * 1j), "of type complex128"),
    "objects": (with_values(lambda v: [[None, 1]]), "values are .* of type object"),
    "ragged": (with_priors(lambda p: [[1], [1, 2]]), "priors are no array: .*inhomogeneous"),
    "no numpy": (with_priors(lambda p: Ragged()), r"priors are no array: call detach first\."),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_wrong_answer_is_refused(wrong: str, threads: int) -> None:
    view = start("connect_four")
    evaluator, message = WRONG[wrong]
    with pytest.raises(InvalidOption, match=message):
        search(view, evaluator, threads=threads)
    assert search(view).iterations == 200  # and nothing is the worse for it


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("call", [1, 2, 9])
def test_what_an_evaluator_raises_ends_the_search(threads: int, call: int) -> None:
    numbers = itertools.count(1)
    error = ZeroDivisionError("the net")

    def fails(leaves: Leaves) -> Answer:
        if next(numbers) == call:
            raise error
        return even(leaves)

    with pytest.raises(ZeroDivisionError) as caught:
        search(start("connect_four"), fails, iterations=10**6, threads=threads, batch=4)
    assert caught.value is error
    assert next(numbers) == call + 1  # it is not called again
    names = [each.name for each in caught.traceback]
    assert names[-1] == "fails"


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, StopIteration, MemoryError])
def test_any_exception_comes_through(kind: type[BaseException]) -> None:
    def fails(leaves: Leaves) -> Answer:
        raise kind

    with pytest.raises(kind):
        search(start("connect_four"), fails, threads=2)


def test_leaves_cannot_be_changed() -> None:
    def vandal(leaves: Leaves) -> Answer:
        for array in (leaves.codes, leaves.seats, leaves.legal):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        return even(leaves)

    view = start("connect_four")
    assert search(view, vandal) == search(view, even)


def test_an_evaluator_may_use_its_arrays_again() -> None:
    priors, values = np.empty((64, 7)), np.empty((64, 2))

    def thrifty(leaves: Leaves) -> Answer:
        fresh = hashed(leaves)
        n, m = leaves.codes.shape
        priors[:] = values[:] = 7
        priors[:n, :m], values[:n] = fresh
        return priors[:n, :m], values[:n]

    view = start("connect_four")
    assert search(view, thrifty) == search(view, hashed)


@pytest.mark.parametrize(
    "form",
    [
        lambda array: array.tolist(),
        lambda array: array.astype(np.float32),
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=1)[:, ::2],
    ],
    ids=["lists", "float32", "by column", "with strides"],
)
def test_any_array_of_numbers_will_do(form: Callable[[Any], Any]) -> None:
    def formed(leaves: Leaves) -> Answer:
        priors, values = even(leaves)
        return form(priors), form(values)

    view = start("connect_four")
    assert search(view, formed) == search(view, even)


def test_an_evaluator_may_search() -> None:
    def deep(leaves: Leaves) -> Answer:
        for view in leaves.views:
            assert kibitz.best_move(view, iterations=5).move in view.legal()
            assert search(view, even, iterations=5).move in view.legal()
        return even(leaves)

    view = start("connect_four")
    assert search(view, deep, iterations=40) == search(view, even, iterations=40)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_evaluator_is_called_where_the_search_was(threads: int) -> None:
    """In the caller's thread, one call after the other, so what is local to the thread holds for it."""
    met, running = set(), threading.Lock()

    def local(leaves: Leaves) -> Answer:
        assert running.acquire(blocking=False)
        met.add(threading.get_ident())
        running.release()
        return even(leaves)

    def work() -> None:
        search(start("connect_four"), local, threads=threads)
        assert met == {threading.get_ident()}

    work()
    met.clear()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(met) == 1


def test_a_stop_ends_it() -> None:
    stop = kibitz.Stop()
    numbers = itertools.count(1)

    def stops(leaves: Leaves) -> Answer:
        if next(numbers) == 5:
            stop.stop()
        return even(leaves)

    found = search(start("connect_four"), stops, iterations=10**6, stop=stop)
    assert found.reason == "stop"
    assert 0 < found.iterations <= 5 * 16


@pytest.mark.parametrize("utility", ["win", "score", "win+margin"])
def test_an_evaluator_is_told_the_utility(utility: str) -> None:
    net = Watched()
    search(start("connect_four"), net, utility=utility)
    assert {leaves.utility for leaves in net.asked} == {utility}
    assert repr(net.asked[0]) == "<1 leaves of connect_four>"


# --- arguments ---


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"search": "puct"}, "'puct' needs an evaluator, a Python function that judges positions"),
        ({"search": "puct", "evaluator": 3}, "evaluator cannot be 3; it is a function of kibitz.Leaves"),
        ({"search": "puct", "evaluator": Watched}, "evaluator cannot be <class "),
        ({"search": "ismcts", "evaluator": even}, "'ismcts' takes no evaluator; it is for 'puct'"),
        ({"search": "flat", "batch": 4}, "'flat' takes no batch; it is for 'puct'"),
        ({"search": "puct", "evaluator": even, "batch": 0}, "batch cannot be 0; it is a whole number from 1 to 4096"),
        ({"search": "puct", "evaluator": even, "batch": 5000}, "batch cannot be 5000"),
        ({"search": "puct", "evaluator": even, "batch": True}, "batch cannot be True"),
    ],
)  # fmt: skip
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        kibitz.best_move(start("connect_four"), iterations=10, **given)
    with pytest.raises(InvalidOption, match=message):
        kibitz.Bot(iterations=10, **given)


def test_puct_wants_a_budget_and_its_turn() -> None:
    with pytest.raises(InvalidOption, match="'puct' has no budget"):
        search(start("connect_four"), iterations=None)
    with pytest.raises(IllegalMove, match="Seat 1 has nothing to decide"):
        search(kibitz.load("connect_four").deal(seed=1).view(seat=1))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"search": "puct"}, "puct needs an evaluator"),
        ({"search": "puct", "evaluator": 3}, "evaluator is 3; it must be a function"),
        ({"search": "ismcts", "evaluator": even}, "ismcts takes no evaluator; puct does"),
        ({"search": "puct", "evaluator": even, "batch": 0}, "batch is 0; it must be a whole number from 1 to 4096"),
    ],
)  # fmt: skip
def test_what_the_core_refuses(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        _core.search(start("connect_four").core, iterations=10, **given)


@pytest.mark.parametrize(
    "command",
    [
        ["best", "kami-lead", "--search", "puct", "--iterations", "10"],
        ["match", "kami", "--bots", "puct:iterations=10,random", "--games", "2"],
        ["review", "kami-round", "--search", "puct", "--iterations", "10"],
    ],
)
def test_the_command_line_has_no_evaluator(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(command) == 1
    assert "'puct' needs an evaluator" in capsys.readouterr().err


# --- bots ---


def test_a_bot_with_an_evaluator() -> None:
    bot = kibitz.Bot("puct", evaluator=even, batch=8, iterations=40)
    assert bot.name == "puct iterations=40 batch=8 evaluator=even"
    assert repr(bot) == "kibitz.Bot('puct', iterations=40, batch=8, evaluator='even')"
    twin = pickle.loads(pickle.dumps(bot))
    assert twin == bot
    assert hash(twin) == hash(bot)
    assert bot != kibitz.Bot("puct", evaluator=hashed, batch=8, iterations=40)
    view = start("connect_four")
    assert twin.analyse(view) == bot.analyse(view)


@pytest.mark.parametrize("slug", ["tic_tac_toe", "leduc_poker"])
def test_a_match_of_such_bots(slug: str) -> None:
    bot = kibitz.Bot("puct", evaluator=hashed, iterations=20)
    even_match = kibitz.match(slug, [bot, bot], games=8, seed=1, progress=False)
    assert not even_match.errors
    assert even_match.entries[0].margin is not None
    assert even_match.entries[0].margin.mean == 0.0
    better = kibitz.Bot("puct", evaluator=even, iterations=200, name="better")
    result = kibitz.match("tic_tac_toe", [better, kibitz.Bot("random")], games=40, seed=1, progress=False)
    assert result.entries[0].margin is not None
    assert result.entries[0].margin.mean > 0.5
