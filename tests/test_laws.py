"""The eight laws of docs/architecture.md, for every registered game under a cover of its options.

One suite, no list of exceptions, no game's name: `covers.py` asks the core what there is. What one position can
show (`State.broken_law`, cpp/include/kibitz/core/laws.hpp) is checked along whole walks; the tests here add what
takes two positions, many, or the Python surface. What law 2 says of late positions needs an enumeration that only
the game itself has: tests/games/test_<game>_sampling.py.
"""

import json
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from chi_square import fit
from covers import (
    COVERS,
    PLAIN,
    SLUGS,
    Cover,
    Policy,
    Step,
    chancy,
    first,
    greedy,
    last,
    searches_of,
    uniform,
    walk,
)
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidPosition, KibitzError

DATA = Path(__file__).parent / "data"
UNLIKELY = 1e-6  # seeds are fixed: this is how improbable a chance failure was when they were chosen

every_cover = pytest.mark.parametrize("cover", COVERS, ids=str)
every_table = pytest.mark.parametrize("cover", PLAIN, ids=str)  # every number of players
every_game = pytest.mark.parametrize("slug", SLUGS)


# --- helpers ---


def positions(cover: Cover, *, games: int, each: int, policy: Policy = uniform) -> Iterator[Step]:
    """The first positions of some games."""
    for seed in range(games):
        yield from islice(walk(cover.game(), seed, policy), each)


def decisions(cover: Cover, *, games: int, each: int, stride: int = 1) -> Iterator[Step]:
    """Some positions where a seat is to move."""
    steps = (step for step in positions(cover, games=games, each=each) if step.actor >= 0)
    return islice(steps, 0, None, stride)


def codes_of(cover: Cover) -> list[int]:
    """Every decision met in some games, and codes of no move at all."""
    met = {code for step in decisions(cover, games=3, each=200) for code in step.state.moves()}
    rng = _core.Rng(0, "test noise")
    return sorted(met) + [0, 2**32 - 1] + [rng.below(2**32 - 1) for _ in range(20)]


def features(position: _core.State | _core.View) -> dict[str, int | str]:
    """A position's fields as single values; of each text also how often it has each character."""
    found: dict[str, int | str] = {}

    def visit(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                visit(f"{path}.{key}", item)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                visit(f"{path}[{index}]", item)
        elif isinstance(value, str):
            found[path] = value
            for char, count in Counter(value).items():
                found[f"{path} {char}"] = count
        elif value is not None:
            found[path] = int(value)

    visit("", position.to_dict())
    return found


def settle(state: _core.State, rng: _core.Rng) -> _core.State:
    """After the outcomes that come before the next decision."""
    while state.turn == _core.CHANCE:
        state = state.play(state.roll(rng))
    return state


def search_facts(view: _core.View, search: str) -> dict[str, Any]:
    """A search's whole result, but for the clock."""
    result = _core.search(view, search=search, iterations=30, seed=5, threads=2)
    del result["seconds"]
    return result


# --- law 1 to 6, what one position shows ---


@every_cover
def test_laws_hold_at_every_position(cover: Cover) -> None:
    rng = _core.Rng(1, "test laws")
    for step in positions(cover, games=6, each=250):
        assert step.state.broken_law(rng) == "", step.state.to_dict()


@every_cover
@pytest.mark.parametrize("policy", [first, last, chancy, greedy])
def test_laws_hold_under_one_sided_play(cover: Cover, policy: Policy) -> None:
    rng = _core.Rng(2, "test laws")
    for step in positions(cover, games=2, each=150, policy=policy):
        assert step.state.broken_law(rng) == "", step.state.to_dict()


# --- law 1: worlds ---


@every_cover
def test_law_1_a_world_looks_the_same_to_the_seat(cover: Cover) -> None:
    rng = _core.Rng(3, "test worlds")
    for state, _, _ in positions(cover, games=3, each=100):
        for seat in range(cover.game().seats):
            view = state.view(seat)
            world = view.sample(rng)
            assert world.view(seat) == view
            assert world.turn == view.turn == state.turn
            if view.turn == seat:
                assert world.moves() == view.moves() == state.moves()
            else:
                assert view.moves() == []


# --- law 2: uniform worlds ---


@every_cover
def test_law_2_the_truth_is_one_of_its_worlds(cover: Cover) -> None:
    """Exact wherever only chance and the seat itself have acted since a known law.

    Take a truth drawn by the law that law 2 names, at random: a fresh deal, or a world sampled from any view.
    Let the seat to move decide by chance, roll what follows. Its decision depends on its view alone, so given
    the view it has now the truth still follows that law: it and fresh samples from the view are exchangeable,
    and the rank of the truth among seven samples, by any feature at all, is uniform over eight places. This
    ties `deal`, `outcomes`, `roll`, `play` and `sample` together at the start and across every chance event.
    It does not show that the law at a late position is the right one from the outset: that is left to each game.
    """
    worlds = 7
    game = cover.game()
    rng = _core.Rng(4, "test exchange")
    ranks: dict[tuple[str, str], Counter[int]] = {}
    for seed in range(2000 if cover in PLAIN else 200):
        truth = game.deal(seed)
        origin = "deal"
        if seed % 2:
            late = [step.state for step in islice(walk(game, seed), 60) if step.actor >= 0]
            start = late[rng.below(len(late))]
            truth, origin = start.view(start.turn).sample(rng), "late"
        seat = truth.turn
        if seed % 3:
            while truth.turn == seat:
                truth = settle(truth.play(truth.pick(rng)), rng)
        view = truth.view(seat)
        mine = features(truth)
        drawn = [features(view.sample(rng)) for _ in range(worlds)]
        for path in sorted(mine.keys() | set().union(*drawn)):
            own = mine.get(path, 0)
            others = [world.get(path, 0) for world in drawn]
            if all(other == own for other in others):
                continue
            ties = sum(other == own for other in others)
            rank = sum(str(other) < str(own) for other in others) + rng.below(ties + 1)
            ranks.setdefault((origin, path), Counter())[rank] += 1
    assert not any(fit(found, dict.fromkeys(range(worlds + 1), 1)) < UNLIKELY for found in ranks.values()), {
        key: sorted(found.items())
        for key, found in ranks.items()
        if fit(found, dict.fromkeys(range(worlds + 1), 1)) < UNLIKELY
    }


@every_table
def test_law_2_chance_is_rolled_by_its_weights(cover: Cover) -> None:
    rng = _core.Rng(5, "test rolls")
    rolled = 0
    for state, actor, _ in positions(cover, games=4, each=150):
        if actor != _core.CHANCE:
            continue
        weights = dict(state.outcomes())
        assert len(weights) == len(state.outcomes())
        assert min(weights.values()) >= 1
        counts = Counter(state.roll(rng) for _ in range(min(4000, 40 * len(weights))))
        assert fit(counts, weights) > UNLIKELY, state.to_dict()
        rolled += 1
    for state, _, _ in decisions(cover, games=1, each=30):
        assert state.outcomes() == []


# --- law 3: nothing leaks ---


@every_cover
def test_law_3_a_view_does_not_depend_on_what_is_hidden(cover: Cover) -> None:
    rng = _core.Rng(6, "test leaks")
    codes = codes_of(cover)
    for state, actor, _ in positions(cover, games=2, each=90):
        for seat in range(cover.game().seats):
            view = state.view(seat)
            world = view.sample(rng)
            other = world.view(seat)
            assert (other.digest, hash(other)) == (view.digest, hash(view))
            assert other.to_dict() == view.to_dict()
            assert other.draw() == view.draw()
            assert other.moves() == view.moves()
            for code in codes[::5]:
                assert other.check(code) == view.check(code)
                if actor == seat:
                    assert world.check(code) == state.check(code)
                if actor >= 0:
                    assert other.mask(actor, code) == view.mask(actor, code)


@every_cover
def test_law_3_searches_find_the_same(cover: Cover) -> None:
    rng = _core.Rng(7, "test leaks")
    for state, seat, _ in decisions(cover, games=2, each=70, stride=9):
        view = state.view(seat)
        other = view.sample(rng).view(seat)
        for search in searches_of(cover.game()):
            assert search_facts(other, search) == search_facts(view, search)
        assert other.greedy(_core.Rng(8, "greedy")) == view.greedy(_core.Rng(8, "greedy"))


@every_cover
def test_law_3_two_games_that_look_alike_stay_alike(cover: Cover) -> None:
    """The truth and a world, side by side: as long as a seat sees the same events, its views are the same."""
    game = cover.game()
    rng = _core.Rng(9, "test twins")
    for seat in range(game.seats):
        together = 0
        state = game.deal(seat)
        twin = state.view(seat).sample(rng)
        while state.turn != _core.OVER and together < 60:
            actor = state.turn
            move = state.roll(rng) if actor == _core.CHANCE else state.pick(rng)
            seen = state.seen(move, seat)
            choices = [code for code, _ in twin.outcomes()] if actor == _core.CHANCE else twin.moves()
            alike = [code for code in choices if twin.seen(code, seat) == seen]
            if actor == seat:
                assert alike == [move]
            state = state.play(move)
            if alike:
                twin = twin.play(alike[rng.below(len(alike))])
                assert twin.view(seat) == state.view(seat)
                assert twin.view(seat).draw() == state.view(seat).draw()
                together += 1
            else:  # the other seat can't do that in the twin: go on with another
                twin = state.view(seat).sample(rng)


@every_table
def test_law_3_tables_that_look_alike_say_the_same(cover: Cover) -> None:
    """Documents, records, analyses and messages of two tables whose difference the seat can't see."""
    game = kibitz.load(cover.slug, **dict(cover.options))
    rng = _core.Rng(10, "test twins")
    for seed in range(4):
        truth = game.deal(seed=seed)
        seat = truth.turn
        assert isinstance(seat, int)
        twin = truth.view(seat=seat).sample(seed=seed)
        for _ in range(6):
            ours, theirs = truth.view(seat=seat), twin.view(seat=seat)
            assert theirs.to_json() == ours.to_json()
            assert theirs.record == ours.record
            assert repr(theirs) == repr(ours)
            assert theirs._repr_html_() == ours._repr_html_()
            if truth.turn == seat:
                for code in codes_of(cover)[::7]:
                    text = game.core.move_text(code)
                    assert complaint(twin, text) == complaint(truth, text)
                assert advice(theirs) == advice(ours)
            move = truth.legal()[rng.below(len(truth.legal()))]
            if truth.turn != seat and move not in twin.legal():
                break
            masked = [table.core.seen(table.game.core.parse_move(move), seat) for table in (truth, twin)]
            if masked[0] != masked[1]:
                break
            truth.play(move)
            twin.play(move)
            if truth.turn is None or truth.core.view(seat) != twin.core.view(seat):
                break  # chance brought different cards to light


def advice(view: kibitz.View) -> dict[str, Any]:
    """A whole analysis, but for the clock."""
    found = kibitz.best_move(view, search="ismcts", iterations=40, seed=1).to_dict()
    return {key: value for key, value in found.items() if key not in ("seconds", "ips")}


def complaint(table: kibitz.Table, text: str) -> str:
    """What a table says against a move; empty when it may be played."""
    try:
        table.copy().play(text)
    except KibitzError as error:
        return f"{type(error).__name__}: {error} {error.given} {error.allowed} {error.rule}"
    return ""


# --- law 4: the record as seen gives the view ---


@every_cover
def test_law_4_a_seat_keeps_up_its_view_by_watching(cover: Cover) -> None:
    game = cover.game()
    views = [game.blank().view(seat) for seat in range(game.seats)]
    for state, actor, move in islice(walk(game, seed=11), 400):
        for seat, view in enumerate(views):
            assert view == state.view(seat)
            assert game.view(seat, view.to_dict()) == view
            views[seat] = view.observe(actor, state.seen(move, seat))


@every_table
def test_law_4_what_cannot_have_been_seen_is_refused_and_changes_nothing(cover: Cover) -> None:
    """And whatever else a view takes in leaves it with worlds that look like it."""
    game = cover.game()
    codes = codes_of(cover)
    messages: list[str] = []
    rng = _core.Rng(18, "test events")
    for state, actor, move in positions(cover, games=1, each=60):
        for seat in range(game.seats):
            view = state.view(seat)
            digest = view.digest
            for other in {_core.CHANCE, *range(game.seats)} - {actor}:
                with pytest.raises(IllegalMove):
                    view.observe(other, state.seen(move, seat))
            if state.seen(move, seat) != move:  # the card itself is more than this seat may see
                with pytest.raises(IllegalMove):
                    view.observe(actor, move)
            for code in codes[::9]:
                try:
                    after = view.observe(actor, code)
                except KibitzError as error:
                    messages.append(str(error))
                else:
                    world = after.sample(rng)
                    assert world.view(seat) == after
                    assert world.broken_law(rng) == ""
            assert view.digest == digest
    assert messages
    assert min(map(len, messages)) > 20


# --- law 5: legality ---


@every_cover
def test_law_5_illegal_moves_are_refused_and_change_nothing(cover: Cover) -> None:
    codes = codes_of(cover)
    for state, _, _ in decisions(cover, games=2, each=120, stride=3):
        legal = state.moves()
        digest = state.digest
        view = state.view(state.turn)
        for code in codes:
            why = state.check(code)
            assert (why == "") == (code in legal)
            assert (view.check(code) == "") == (code in legal)
            if not why:
                continue
            assert len(why) > 20
            with pytest.raises(IllegalMove) as caught:
                state.play(code)
            assert why in str(caught.value) or why.rsplit(" (", 1)[0] in str(caught.value)
            assert state.digest == digest


@every_table
def test_law_5_pick_is_uniform_over_the_legal_moves(cover: Cover) -> None:
    rng = _core.Rng(12, "test picks")
    for state, _, _ in decisions(cover, games=2, each=60, stride=4):
        moves = state.moves()
        counts = Counter(state.pick(rng) for _ in range(60 * len(moves)))
        assert fit(counts, dict.fromkeys(moves, 1)) > UNLIKELY, state.to_dict()


@every_cover
@pytest.mark.parametrize("policy", [uniform, first, last, chancy, greedy])
def test_law_5_every_game_ends(cover: Cover, policy: Policy) -> None:
    game = cover.game()
    for seed in range(2):
        plies = 0
        state = game.blank()
        for state, actor, move in walk(game, seed, policy):  # noqa: B007
            plies += actor >= 0
            assert plies <= game.max_plies
            assert len(state.moves()) <= game.max_moves
            if plies % 64 == 0:
                assert state.returns() == [0.0] * game.seats
        end = state.play(move)
        assert end.turn == _core.OVER
        assert end.settled()
        assert end.moves() == []
        assert end.outcomes() == []
        check_returns(game, end)


def check_returns(game: _core.Game, end: _core.State) -> None:
    """One share of the win to be divided among the teams, or nobody's."""
    returns = end.returns()
    by_team = dict(zip(game.teams, returns, strict=True))
    assert [by_team[team] for team in game.teams] == returns
    assert all(0 <= share <= 1 for share in returns)
    if _core.info(game.slug)["cooperative"]:
        assert len(set(returns)) == 1
    else:
        assert sum(by_team.values()) == pytest.approx(1) or not any(returns)


@every_cover
def test_law_5_playouts_end_where_worth_is_known(cover: Cover) -> None:
    rng = _core.Rng(13, "test playouts")
    for state, _, _ in decisions(cover, games=2, each=60, stride=7):
        for policy in ("uniform", "hint"):
            end, plies = state.playout(rng, policy)
            assert end.settled()
            assert plies >= 1
            again, _ = end.playout(rng, policy)
            assert again == end


@every_cover
def test_law_5_playouts_play_what_pick_and_roll_would(cover: Cover) -> None:
    """A game may have a faster loop for whole playouts; it ends where the slow one does, after as many plies."""
    for seed, (state, _, _) in enumerate(decisions(cover, games=3, each=80, stride=5)):
        end, plies = state.playout(_core.Rng(seed, "test playout"))
        rng = _core.Rng(seed, "test playout")
        slow, count = state, 0
        while not slow.settled():
            count += slow.turn >= 0
            slow = slow.play(slow.pick(rng) if slow.turn >= 0 else slow.roll(rng))
        assert (slow, count) == (end, plies)


# --- law 6: round trips ---


@every_cover
def test_law_6_fields_json_and_texts_give_everything_back(cover: Cover) -> None:
    game = cover.game()
    for state, actor, move in positions(cover, games=2, each=120):
        again = game.state(json.loads(json.dumps(state.to_dict())))
        assert (again, hash(again), again.digest) == (state, hash(state), state.digest)
        for seat in range(game.seats):
            view = state.view(seat)
            read = game.view(seat, json.loads(json.dumps(view.to_dict())))
            assert (read, hash(read), read.digest) == (view, hash(view), view.digest)
            seen = state.seen(move, seat)
            assert game.parse_move(game.move_text(seen)) == seen
        for code in state.moves() if actor >= 0 else [move]:
            assert game.parse_move(game.move_text(code)) == code


@every_cover
def test_law_6_tables_and_views_survive_json_and_pickle(cover: Cover) -> None:
    game = kibitz.load(cover.slug, **dict(cover.options))
    assert pickle.loads(pickle.dumps(game)) == game
    table = game.deal(seed=14)
    rng = _core.Rng(14, "test trips")
    for _ in range(40):
        if table.turn is None:
            break
        table.play(table.legal()[rng.below(len(table.legal()))])
    assert pickle.loads(pickle.dumps(table)) == table
    assert kibitz.Table.from_json(table.to_json()) == table
    for seat in range(game.seats):
        view = table.view(seat=seat)
        for again in (pickle.loads(pickle.dumps(view)), kibitz.View.from_json(view.to_json())):
            assert again == view
            assert hash(again) == hash(view)
            assert again.legal() == view.legal()


@every_cover
def test_law_6_same_seed_same_game(cover: Cover) -> None:
    game = cover.game()
    for seed in range(3):
        assert list(islice(walk(game, seed), 80)) == list(islice(walk(game, seed), 80))
        assert game.deal(seed) == game.deal(seed)
    start = takewhile(lambda step: step.actor == _core.CHANCE, walk(game, 0))
    if any(len(step.state.outcomes()) > 1 for step in start):  # else every deal is the same
        assert len({game.deal(seed).digest for seed in range(20)}) > 1


# Values that no field, or few, can have.
STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    3,
    7,
    99,
    2**31,
    2**70,
    0.5,
    "",
    "x",
    "8",
    "1x",
    "\uff11\u00e9",
    [],
    [0],
    [[]],
    {},
]


@st.composite
def mangled(draw: st.DrawFn) -> tuple[Cover, int | None, dict[str, Any]]:
    """The fields of a real state, or of a seat's view, with one to three things wrong."""
    cover = draw(st.sampled_from(COVERS))
    steps = list(islice(walk(cover.game(), draw(st.integers(0, 5))), 60))
    state = draw(st.sampled_from(steps)).state
    seat = draw(st.sampled_from([None, *range(cover.game().seats)]))
    fields = state.to_dict() if seat is None else state.view(seat).to_dict()
    for _ in range(draw(st.integers(1, 3))):
        place: Any = fields
        key: Any = draw(st.sampled_from(sorted(fields)))
        while isinstance(place.get(key) if isinstance(place, dict) else place[key], list) and draw(
            st.booleans()
        ):
            inner = place[key]
            if not inner:
                break
            place, key = inner, draw(st.integers(0, len(inner) - 1))
        old = place[key]
        if isinstance(old, str) and old and draw(st.booleans()):
            at = draw(st.integers(0, len(old) - 1))
            place[key] = old[:at] + draw(st.sampled_from([*"12345678x.:-", ""])) + old[at + 1 :]
        elif isinstance(old, int) and not isinstance(old, bool) and draw(st.booleans()):
            place[key] = old + draw(st.sampled_from([-1, 1]))
        elif isinstance(old, list) and old and draw(st.booleans()):
            place[key] = draw(st.sampled_from([old[1:], [*old, old[-1]], old[::-1], old[1:] + old[:1]]))
        else:
            place[key] = deepcopy(draw(st.sampled_from(STRANGE)))  # the next may go inside it
    return cover, seat, fields


@settings(max_examples=1500)
@given(mangled())
def test_law_6_mangled_fields_are_refused_or_make_a_sound_position(
    case: tuple[Cover, int | None, dict[str, Any]],
) -> None:
    """Whatever is accepted holds the laws and can be played to its end."""
    cover, seat, fields = case
    game = cover.game()
    rng = _core.Rng(17, "test mangled")
    try:
        state = game.state(fields) if seat is None else game.view(seat, fields).sample(rng)
    except InvalidPosition as error:
        assert len(str(error)) > 20  # noqa: PT017
        return
    for step in islice(walk(game, 17, start=state), 200):
        assert step.state.broken_law(rng) == ""


DIGESTS = """
from covers import COVERS
from kibitz import _core
for cover in COVERS:
    state = cover.game().deal(15)
    view = state.view(0)
    end, plies = state.playout(_core.Rng(15, "test"))
    print(cover, state.digest, view.digest, view.sample(_core.Rng(15, "test")).digest, end.digest, plies)
"""


def test_law_6_another_process_finds_the_same() -> None:
    """Nothing hangs on Python's hash seed or on addresses."""
    said = []
    for hash_seed in ("0", "12345"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True
        )
        said.append(run.stdout.splitlines())
    assert said[0] == said[1]
    assert len(said[0]) == len(COVERS)


# --- law 7: a search knows no more for being seeded like the deal ---


@every_table
def test_law_7_a_search_seeded_like_the_deal_is_none_the_wiser(cover: Cover) -> None:
    """Worlds drawn with the deal's own seed agree with the truth as often as worlds drawn with any other seed."""
    game = cover.game()
    differences: list[int] = []
    hits = {True: 0, False: 0}
    for seed in range(600):
        truth = game.deal(seed)
        seat = truth.turn
        view = truth.view(seat)
        own = features(truth).items()
        agreed = {}
        for same in (True, False):
            world = view.sample(_core.Rng(seed if same else seed + 10**9, "search"))
            agreed[same] = len(own & features(world).items())
            hits[same] += world == truth
        differences.append(agreed[True] - agreed[False])
    mean = sum(differences) / len(differences)
    variance = sum((d - mean) ** 2 for d in differences) / (len(differences) - 1)
    assert abs(mean) <= 4.9 * (variance / len(differences)) ** 0.5  # 1e-6, two-sided
    assert abs(hits[True] - hits[False]) <= 4.9 * (1 + hits[True] + hits[False]) ** 0.5


def test_law_7_streams_of_one_seed_are_apart() -> None:
    purposes = ["deal", "chance", "search", "policy", "world", "greedy"]
    streams = [_core.Rng(7, purpose, index) for purpose in purposes for index in (0, 1)]
    numbers = [[stream.below(2**32 - 1) for _ in range(200)] for stream in streams]
    assert len({number for row in numbers for number in row}) > 200 * len(streams) - 5


# --- law 8: perft ---


class Pinned:
    """One line of a .perft file: options | position | depth | leaves."""

    def __init__(self, slug: str, number: int, line: str) -> None:
        options, position, depth, leaves = (part.strip() for part in line.split("|"))
        self.slug, self.number = slug, number
        self.options: dict[str, int | bool | str] = json.loads(options)
        self.position: dict[str, Any] = json.loads(position)
        self.depth, self.leaves = int(depth), int(leaves)

    def state(self) -> _core.State:
        return _core.Game(self.slug, self.options).state(self.position)

    def __str__(self) -> str:
        return f"{self.slug}.perft:{self.number}"


def pinned(slug: str) -> list[Pinned]:
    path = DATA / f"{slug}.perft"
    lines = enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], start=1)
    return [Pinned(slug, n, line) for n, line in lines if line.strip() and not line.startswith("#")]


PINNED = [line for slug in SLUGS for line in pinned(slug)]


@every_game
def test_law_8_every_number_of_players_has_pinned_counts(slug: str) -> None:
    default = _core.info(slug)["default_players"]
    counted = {line.options.get("players", default) for line in pinned(slug)}
    assert counted == set(_core.info(slug)["players"]), f"tests/data/{slug}.perft"


@pytest.mark.parametrize("line", PINNED, ids=str)
def test_law_8_perft(line: Pinned) -> None:
    state = line.state()
    rows = _core.perft(state, line.depth)
    game = state.game
    divide = "\n".join(f"  {game.move_text(move)}: {leaves}" for move, leaves in rows)
    total = sum(leaves for _, leaves in rows)
    assert total == line.leaves, (
        f"{line}: {total} leaves, pinned {line.leaves}; below each first move:\n{divide}"
    )


@pytest.mark.parametrize("line", [line for line in PINNED if line.leaves <= 1500], ids=str)
def test_law_8_perft_walked_with_every_law_checked(line: Pinned) -> None:
    """The same count by Python over the public moves, each position on the way held to the laws."""
    rng = _core.Rng(16, "test perft")

    def leaves(state: _core.State, depth: int) -> int:
        assert state.broken_law(rng) == "", state.to_dict()
        if depth == 0:
            return 1
        if state.settled():
            return 0
        if state.turn == _core.CHANCE:
            return sum(leaves(state.play(outcome), depth) for outcome, _ in state.outcomes())
        return sum(leaves(state.play(move), depth - 1) for move in state.moves())

    assert leaves(line.state(), line.depth) == line.leaves
