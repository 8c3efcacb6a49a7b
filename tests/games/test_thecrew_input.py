"""The Crew under attack: options and missions of any kind, illegal moves in each phase, pickles, threads, leaks."""

import copy
import json
import math
import pickle
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError

DATA = json.loads((Path(__file__).parents[1] / "data" / "thecrew.json").read_text(encoding="utf-8"))
KEYS = ("setup", "constraints", "effects", "communication", "five_player_rule")
MISSIONS: dict[int, dict[str, Any]] = {
    entry["id"]: {key: entry[key] for key in KEYS if key in entry} for entry in DATA["missions"]
}
DECK = [f"{suit}{value}" for suit in "BGPY" for value in range(1, 10)] + ["R1", "R2", "R3", "R4"]
CARD = re.compile("[BGPYR][1-9]")


def load(**options: Any) -> kibitz.Game:
    return kibitz.load("thecrew", **options)


def refused(call: Callable[[], object], *, reason: str | None = None) -> None:
    """In a sentence, of one line and of bearable length."""
    with pytest.raises(InvalidOption, match=reason) as caught:
        call()
    check_sentence(caught.value)


def check_sentence(error: KibitzError) -> None:
    message = error.message
    assert message.isprintable()
    assert message.endswith((".", "?"))
    assert len(message) < 1200


# --- options ---


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "challenge": True},
        {"players": 3, "challenge": True, "tasks": 10},
        {"players": 2, "mission": 50},
        {"players": 5, "mission": 50},
        {"players": 2, "challenge": True, "mission": 44, "distress": "right", "radio": "until_all_pass"},
        {"players": 5, "tasks": 10, "owners": "random"},
        {"players": 2, "tasks": 10, "owners": "random", "challenge": True},
    ],
    ids=str,
)
def test_odd_combinations_play_to_the_end(options: dict[str, Any]) -> None:
    game = load(**options)
    for seed in range(3):
        table = game.deal(seed=seed)
        rng = _core.Rng(seed, "test crew input", 0)
        while table.turn is not None:
            legal = table.view().legal()
            assert legal == table.legal()
            table.play(legal[rng.below(len(legal))])
        assert table.returns() in ([0.0] * game.seats, [1.0] * game.seats)
        assert kibitz.Table.from_json(table.to_json()) == table


GREEN = MISSIONS[16] | {"constraints": [{"type": "win_all_of_suit", "who": "commander", "suit": "G"}]}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 4, "challenge": True}, "challenge is for three seats, that is players 2 or 3"),
        ({"players": 1}, "players cannot be 1; allowed: 2 to 5"),
        ({"players": 6}, "players cannot be 6"),
        ({"mission": 0}, "mission cannot be 0; allowed: 1 to 50"),
        ({"mission": 51}, "mission cannot be 51"),
        ({"mission": "4"}, "mission cannot be '4'"),
        ({"tasks": 11}, "tasks cannot be 11; allowed: 0 to 10"),
        ({"tasks": True}, "tasks cannot be true"),
        ({"owners": "drawn"}, "owners cannot be 'drawn'; allowed: draft, random"),
        ({"distress": True}, "distress cannot be true; allowed: vote, off, left, right"),
        ({"radio": "on"}, "radio cannot be 'on'; allowed: one_round, until_all_pass, off"),
        ({"five_pass": False}, "five_pass cannot be false"),
        ({"missions": 4}, "has no option 'missions'"),
        ({"tasks": 3, "own_mission": MISSIONS[4]}, "own_mission and tasks are two different missions"),
        ({"players": 3, "challenge": True, "own_mission": GREEN}, "the cards of a constraint are not in the deck"),
    ],
    ids=str,
)  # fmt: skip
def test_options_that_cannot_be_are_refused(options: dict[str, Any], reason: str) -> None:
    refused(lambda: load(**options), reason=reason)


# --- missions of one's own ---


def nested(kind: type, depth: int = 10_000) -> Any:
    found: Any = kind()
    for _ in range(depth):
        found = {"setup": found} if kind is dict else [found]
    return found


NONSENSE: dict[str, Any] = {
    "number": 7,
    "flag": True,
    "bytes": b"mission",
    "list": [MISSIONS[4]],
    "NaN": math.nan,
    "set": {1},
    "object": object(),
    "function": len,
    "number as key": {1: 2},
    "half a letter as key": {"\ud800": 1},
    "deep dict": nested(dict),
    "deep list": nested(list),
    "deep inside": MISSIONS[4] | {"setup": nested(list)},
    "empty": {},
    "huge number": MISSIONS[4] | {"id": 10**400},
    "million steps": MISSIONS[4] | {"setup": [{"step": "draft"}] * 1_000_000},
    "long text": MISSIONS[4] | {"summary": "x" * 10_000_000},
    "unknown key": MISSIONS[4] | {"set up": []},
}


@pytest.mark.parametrize("mission", NONSENSE.values(), ids=NONSENSE)
def test_a_mission_that_is_none_is_refused(mission: Any) -> None:
    refused(lambda: kibitz.Game("thecrew", {"own_mission": mission}))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value in a tree of values."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


WRONG: list[Any] = [
    None,
    -1,
    2**40,
    10**30,
    1.5,
    math.nan,
    "",
    "Q",
    "\x1b[2J",
    [],
    [[]],
    {},
    {"a": 1},
    b"",
    {3: 4},
]


@pytest.mark.parametrize("number", [5, 12, 23, 24, 26, 44, 46, 48, 50])
def test_a_wrong_value_anywhere_in_a_mission_is_refused_or_played(number: int) -> None:
    for path in places(MISSIONS[number]):
        for wrong in WRONG:
            mission = copy.deepcopy(MISSIONS[number])
            place = mission
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = wrong
            try:
                game = kibitz.Game("thecrew", {"players": 3, "own_mission": mission})
            except InvalidOption as error:
                check_sentence(error)
                continue
            assert game.core.deal(1).playout(_core.Rng(1, "test crew input", 0))[0].turn == _core.OVER


SETUP = MISSIONS[4]["setup"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"setup": [{"step": "dance"}]}, "there is no step 'dance'"),
        ({"constraints": []}, "constraints must be 1 to 6"),
        ({"constraints": [{"type": "fun"}]}, "there is no constraint 'fun'"),
        ({"setup": [*SETUP, SETUP[-1]]}, "the step distress can come once only"),
        ({"setup": SETUP[1:]}, "draft comes after deal_tasks"),
        ({"setup": SETUP[:1]}, "no step assigns the tasks"),
        ({"setup": [SETUP[0] | {"n": 11}, *SETUP[1:]]}, "n is 1 to 10"),
        ({"setup": [SETUP[0] | {"tokens": ["1", "1"]}, *SETUP[1:]]}, "the token 1 is given twice"),
        ({"setup": [SETUP[0] | {"tokens": ["6"]}, *SETUP[1:]]}, "'6' is no token"),
        ({"setup": [SETUP[0], {"step": "draft", "candidates": "all"}]}, "candidates cannot be 'all'; it has none"),
        ({"communication": {"mode": "loud"}}, "communication mode is normal or dead_zone, not 'loud'"),
        ({"communication": {"from_trick": 14}}, "from_trick is 1 to 13"),
        ({"constraints": [{"type": "tricks_won", "who": "S1"}]}, "no step names S1|tasks"),
        ({"effects": [{"effect": "storm"}]}, "there is no effect 'storm'"),
        ({"effects": [{"effect": "draw_from_right", "after_trick": 6}]}, "after_trick is 1 to 5"),
        ({"five_player_rule": True}, "five_player_rule goes with a step five_pass"),
    ],
    ids=str,
)  # fmt: skip
def test_a_mission_that_breaks_the_vocabulary_is_refused(changes: dict[str, Any], reason: str) -> None:
    refused(lambda: load(own_mission=MISSIONS[4] | changes), reason=f"own_mission: .*(?:{reason})")


def test_advice_answers_with_the_words_asked_for() -> None:
    """A question may offer any of the seven answers."""
    for words in (["no", "good"], ["last", "first_four"], ["bad"], ["between", "yes"]):
        ask = {"step": "ask", "replies": words}
        game = load(own_mission=MISSIONS[16] | {"setup": [ask, {"step": "distress"}]})
        for search in ("greedy", "ismcts"):
            view = game.deal(seed=1).view()
            assert kibitz.best_move(view, search=search, iterations=50).move in view.legal()
        state, steps = game.deal(seed=1).core.playout(_core.Rng(1, "test crew input", 0), "hint")
        assert (state.turn, steps > 0) == (_core.OVER, True)


# --- illegal moves ---

TEXTS = [
    *DECK,
    *(f"{word} {card}" for word in ("take", "give", "task", "deal", "get", "draw", "turn") for card in DECK),
    *(f"say {card}{how}" for card in DECK for how in ("", " highest", " lowest", " only")),
    *(f"{word} {seat}" for word in ("owner", "S1", "S2", "holder", "commander", "longest") for seat in range(5)),
    *(f"offer {card} {seat}" for card in DECK for seat in range(5)),
    *(f"swap {one} {other}" for one in DECK for other in DECK),
    *(f"move {token} {card}" for token in ("1", "a4", "omega") for card in DECK),
    *("keep", "quiet", "good", "bad", "yes", "no", "first", "between", "last", "none", "left", "right", "any"),
    *("give x", "get x", "draw x", "deal x", "under x", "up B1"),
]  # fmt: skip
CONFIGURATIONS: list[dict[str, Any]] = [
    {"players": 2, "mission": 12, "distress": "left"},
    {"players": 3, "mission": 23},
    {"players": 4, "mission": 46, "distress": "left"},
    {"players": 4, "mission": 14},
    {"players": 5, "mission": 32},
    {"players": 5, "mission": 50},
    {"players": 4, "mission": 20},
]


def decisions(options: dict[str, Any]) -> Iterator[tuple[kibitz.Game, _core.State]]:
    """One position of each phase in which a seat decides, from some random games."""
    game = load(**options)
    seen = set[str]()
    for seed in range(3):
        state = game.core.deal(seed)
        rng = _core.Rng(seed, "test crew input", 1)
        while state.turn != _core.OVER:
            phase = f"{state.to_dict()['phase']} {len(state.to_dict()['tricks'])}"
            if state.turn != _core.CHANCE and phase not in seen:
                seen.add(phase)
                yield game, state
            state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_only_legal_moves_pass_and_a_refusal_tells_nothing(options: dict[str, Any]) -> None:
    moves = [load(**options).core.parse_move(text) for text in TEXTS]
    for game, state in decisions(options):
        seat = state.turn
        view = state.view(seat)
        legal = set(state.moves())
        # The mover's own cards, what lies open, what a sentence gives as an example.
        known = set(CARD.findall(json.dumps(view.to_dict() | {"phase": ""}))) | {"B4", "G7", "B5", "B1"}
        for text, move in zip(TEXTS, moves, strict=True):
            why = view.check(move)
            assert state.check(move) == why
            assert (why == "") == (move in legal), text
            if why:
                assert why.isprintable()
                sentence = re.sub(r" \(thecrew R.*\)", "", why)  # R21 is a ruling, no rocket
                assert set(CARD.findall(sentence)) <= known | set(CARD.findall(text)), why
                with pytest.raises((IllegalMove, InvalidPosition)):
                    view.observe(seat, move)
        for other in range(game.seats):
            if other != seat and moves:
                assert state.view(other).check(moves[0]).startswith(f"it is seat {seat}'s turn")


# --- what others see ---


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_a_view_holds_no_card_that_its_seat_has_not_seen(options: dict[str, Any]) -> None:
    """Cards named in a view: the own hand, what lies open, and what has passed through this seat's hands."""
    game = load(**options).core
    rng = _core.Rng(7, "test crew input", 2)
    state = game.blank()
    seen: list[set[str]] = [set() for _ in range(game.seats)]
    while state.turn != _core.OVER:
        move = state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng)
        for seat in range(game.seats):
            seen[seat] |= set(CARD.findall(game.move_text(state.seen(move, seat))))
            seen[seat] |= {"R4"} if state.to_dict()["commander"] == seat else set()
        state = state.play(move)
        for seat in range(game.seats):
            facts = json.dumps(state.view(seat).to_dict())
            seen[seat] |= {"R4"} if state.to_dict()["commander"] == seat else set()
            assert set(CARD.findall(facts)) <= seen[seat]


# --- pickles and threads ---


@pytest.mark.parametrize("options", [*CONFIGURATIONS, {"own_mission": MISSIONS[12]}], ids=str)
def test_tables_and_views_are_pickled_in_every_phase(options: dict[str, Any]) -> None:
    game = load(**options)
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(pickle.loads(pickle.dumps(game))) == hash(game)
    table = game.blank(seed=3)
    rng = _core.Rng(3, "test crew input", 3)
    phases = set[str]()
    while table.turn is not None:
        phase = table.core.to_dict()["phase"]
        if phase not in phases:
            phases.add(phase)
            assert pickle.loads(pickle.dumps(table)) == table
            for seat in range(game.seats):
                view = table.view(seat=seat)
                assert pickle.loads(pickle.dumps(view)) == view
        move = table.core.roll(rng) if table.turn == "chance" else table.core.pick(rng)
        table.play(game.core.move_text(move))
    assert pickle.loads(pickle.dumps(table)) == table


def test_views_are_searched_and_sampled_from_many_threads() -> None:
    views = [load(**options).deal(seed=5).view() for options in CONFIGURATIONS]

    def work(number: int) -> tuple[str, str]:
        view = views[number % len(views)]
        best = kibitz.best_move(view, iterations=60, seed=1)
        return best.move, view.sample(seed=2).view(seat=view.seat).digest

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(4 * len(views))))
    assert found == [work(number) for number in range(len(views))] * 4
