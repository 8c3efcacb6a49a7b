"""Law 2 for Kami, exactly: worlds sampled from a view against every world that fits it, by physical cards.

The enumeration is `reference.kami.worlds`, which deals the unseen cards to the unseen places with their number of
physical ways and keeps what the record proves. Seeds are fixed; a sampler that is right would have failed a single
check here with a probability of one in ten thousand.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import comb
from typing import Any, cast

import pytest

from chi_square import fit
from kami_table import NO_STACKS, W9, W10, W15, chance, deal, game, midgame, play, turns
from kibitz import _core
from reference.kami import View, worlds

LEAST = 1e-4
Key = tuple[Any, ...]
PLAYERS = (2, 3, 4)


# --- helpers ---


def enumerated(view: _core.View, *, most: int = 100_000) -> dict[Key, int]:
    """Every world of a view with its number of physical deals; gives up one above `most`."""
    fields = view.to_dict()
    reference = {key: value for key, value in fields.items() if key in View.__annotations__}
    reference["seat"] = view.seat
    for key in {2: FOUR_ONLY | {"aside"}, 3: FOUR_ONLY | {"stacks"}, 4: {"aside", "stacks"}}[view.game.seats]:
        del reference[key]
    if view.game.seats == 2:
        reference["stacks"] = [text.lstrip("-") for text in fields["stacks"]]
    found: dict[Key, int] = {}
    for world, ways in worlds(cast("View", reference)):
        down = [(s, at, card) for s, line in enumerate(world["down"]) for at, card in sorted(line.items())]
        if agrees(fields, view.seat, world["hands"], down):
            lower = tuple(sorted(world["lower"].items()))
            place: Key = (tuple(world["hands"]), tuple(down), lower, world["aside"])
            found[place] = found.get(place, 0) + ways
            if len(found) > most:
                break
    return found


FOUR_ONLY = {"announced", "asked", "asker", "redeals"}


def agrees(fields: dict[str, Any], seat: int, hands: list[str], down: list[tuple[int, int, str]]) -> bool:
    """Two facts that the reference leaves to others: an asker's Soldiers once its hand is empty, and that a
    single round whose last face-down card was not proven equal to the attack ended with plain points."""
    for asker, announced in enumerate(fields["announced"]):
        if announced and asker != seat:
            shown = "".join(text[2:] if text[0] == "." else text for text in fields["lines"][asker])
            cards = shown + hands[asker] + "".join(card for owner, _, card in down if owner == asker)
            if cards.count("1") != announced:
                return False
    if fields["winner"] is not None:
        line = fields["lines"][fields["owner"]]
        return (fields["owner"], len(line) - 1, line[-1][-1]) not in down
    return True


def key_of(view: _core.View, world: _core.State) -> Key:
    """A sampled world in the form of `enumerated`."""
    shown, fields = view.to_dict(), world.to_dict()
    down = []
    for seat, (masked, line) in enumerate(zip(shown["lines"], fields["lines"], strict=True)):
        down += [(seat, at, line[at][1]) for at, text in enumerate(masked) if text.startswith(".x")]
    lower = [
        ("ABCDEFGH"[i], text[-1])
        for i, text in enumerate(fields["stacks"])
        if shown["stacks"][i].endswith("x")
    ]
    return tuple(fields["hands"]), tuple(down), tuple(lower), fields["aside"]


def check_uniform(view: _core.View, seed: int, weights: dict[Key, int] | None = None) -> None:
    """Sampled worlds have the frequencies of the enumeration, and each of them turns up."""
    weights = enumerated(view) if weights is None else weights
    rng = _core.Rng(seed, "test sampling")
    draws = max(400, 25 * len(weights))
    counts = Counter(key_of(view, view.sample(rng)) for _ in range(draws))
    assert counts.keys() <= weights.keys(), counts.keys() - weights.keys()
    assert fit(counts, weights) > LEAST, view.to_dict()


def hidden_places(view: _core.View) -> int:
    """How many cards the seat can't see."""
    fields = view.to_dict()
    others: int = sum(fields["sizes"]) - fields["sizes"][view.seat]
    down: int = sum(text.startswith(".x") for line in fields["lines"] for text in line)
    aside: int = fields["aside"].count("x")
    lower: int = sum(text.endswith("x") for text in fields["stacks"])
    return others + down + aside + lower


def late_views(players: int, *, asking: bool = False) -> Iterator[tuple[_core.View, str]]:
    """Views of random single rounds with few hidden cards, and the phase they are in.

    Seats mostly answer where they can, so that all hands get small; they ask where they may and are refused.
    """
    one = game(players, rounds=1)
    for seed in range(100_000):
        rng = _core.Rng(seed, "test late")
        state = one.deal(seed)
        fields = state.to_dict()
        if asking and not any(hand.count("1") >= 5 for hand in fields["hands"]):
            continue
        while True:
            fields = state.to_dict()
            if sum(fields["sizes"]) <= 10 and (not asking or any(fields["announced"])):
                for seat in range(players):
                    if hidden_places(view := state.view(seat)) <= 6:
                        yield view, fields["phase"]
            if state.turn == _core.OVER:
                break
            if state.turn == _core.CHANCE:
                state = state.play(state.roll(rng))
            elif fields["phase"] in ("ask", "answer"):
                state = state.play(state.moves()[0 if fields["phase"] == "ask" else -1])
            else:
                moves = state.moves()
                answers = moves[1:] if fields["phase"] == "respond" and rng.below(4) else moves
                answers = answers or moves
                state = state.play(answers[rng.below(len(answers))])


def some_late_views(players: int, *, each: int, asking: bool = False) -> list[_core.View]:
    """So many views for each phase and seat, as long as they turn up, with a handful to 150 worlds."""
    found: list[_core.View] = []
    kept: Counter[tuple[str, int]] = Counter()
    for view, phase in islice(late_views(players, asking=asking), 1200):
        if kept[phase, view.seat] < each and 2 <= len(enumerated(view, most=150)) <= 150:
            kept[phase, view.seat] += 1
            found.append(view)
    return found


# --- late in random rounds ---


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_are_uniform_late_in_random_rounds(players: int) -> None:
    views = some_late_views(players, each=2)
    phases = {view.to_dict()["phase"] for view in views}
    assert phases >= {"lead", "respond", "attack", "score", "over"}
    assert {view.seat for view in views} == set(range(players))
    for seed, view in enumerate(views):
        check_uniform(view, seed)


def test_worlds_are_uniform_where_seats_have_asked() -> None:
    """Four players; a seat that asked was dealt exactly so many Soldiers, seats that did not ask any number."""
    views = some_late_views(4, each=2, asking=True)
    kinds = Counter(kind for view in views for kind in asker_kinds(view))
    assert kinds.keys() == {"own", "in hand", "in hand or face-down"}
    for seed, view in enumerate(views):
        check_uniform(view, seed)


def asker_kinds(view: _core.View) -> Iterator[str]:
    """Where, as far as this seat can tell, those that asked have their Soldiers."""
    fields = view.to_dict()
    for seat, announced in enumerate(fields["announced"]):
        if announced and seat == view.seat:
            yield "own"
        elif announced and fields["sizes"][seat]:
            hidden = any(text.startswith(".x") for text in fields["lines"][seat])
            yield "in hand or face-down" if hidden else "in hand"


# --- what the record proves ---


def test_r23_the_mover_of_phase_attack_does_not_hold_two_empresses() -> None:
    """Two players, no mercenary left: with 8 8 it could not have laid its defence."""
    state = midgame(["58", 3], stacks=["2", *NO_STACKS[1:]], last="12", owner=1, to_move=0, first=0)
    fields = state.to_dict()
    fields["lines"][0][1:4] = [f".{text}" for text in fields["lines"][0][1:4]]
    state = state.game.state(fields)
    before, after = state.view(1), play(state, "dA").view(1)
    assert any("88" in key[0] for key in enumerated(before))
    check_uniform(before, 1)
    weights = enumerated(after)
    assert len(weights) > 5
    assert not any("88" in key[0] for key in weights)
    check_uniform(after, 2, weights)


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize(("cards", "proven"), [("21", None), ("11", "1")])
def test_r33_the_end_of_a_single_round_tells_whether_the_last_pair_was_equal(
    seat: int, cards: str, proven: str | None
) -> None:
    state = midgame([cards, 2, 2, 2], owner=0, to_move=0, rounds=1)
    view = chance(play(state, f"d{cards[0]}", f"a{cards[1]}")).view(seat)
    last = len(view.to_dict()["lines"][0]) - 1
    rng = _core.Rng(33, "test")
    lines = [view.sample(rng).to_dict()["lines"][0][last] for _ in range(300)]
    if proven:
        assert set(lines) == {":11"}
    else:
        assert ".11" not in lines
        assert "1" in "".join(
            view.sample(rng).to_dict()["hands"]
        )  # though there are Soldiers that it might be
        assert len(set(lines)) > 1
    check_uniform(view, seat)


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("seat", range(3))
def test_aside_cards_are_open_to_who_looked_and_as_likely_as_any_to_the_others(first: int, seat: int) -> None:
    state = midgame(["13", 2, 2], owner=first, to_move=first, aside="57", first=first)
    view = state.view(seat)
    looked = (seat - first) % 3 - 1
    rng = _core.Rng(34, "test")
    for _ in range(100):
        aside = view.sample(rng).to_dict()["aside"]
        assert looked < 0 or aside[looked] == "57"[looked]
    check_uniform(view, seat)


@pytest.mark.parametrize("seat", range(2))
def test_lower_mercenaries_and_hands_are_dealt_alike(seat: int) -> None:
    state = midgame(["13", 2], stacks=["15", "26", "38", *NO_STACKS[3:]], last="12", owner=0, to_move=0)
    check_uniform(state.view(seat), seat)
    turning = play(state, "dB").view(seat)
    assert turning.turn == _core.CHANCE
    check_uniform(turning, seat)
    check_uniform(chance(play(state, "dB")).view(seat), seat)


# --- at the start of a round, by the law of each card type ---


def hypergeometric(cards: int, good: int, drawn: int) -> dict[int, float]:
    """How many of `good` among `cards` are in a hand of `drawn`."""
    return {n: comb(good, n) * comb(cards - good, drawn - n) for n in range(min(good, drawn) + 1)}


@pytest.mark.parametrize("position", [W9, W10, W15], ids=["W9", "W10", "W15"])
def test_hands_are_hypergeometric_at_the_start(position: dict[str, Any]) -> None:
    state = deal(position)
    for seat, hand in enumerate(position["hands"]):
        view = state.view(seat)
        known = hand + "".join(text[0] for text in position.get("stacks", []))
        known += view.to_dict()["aside"].replace("x", "")
        rng = _core.Rng(35 + seat, "test")
        drawn = [view.sample(rng).to_dict()["hands"] for _ in range(2500)]
        for other in {*range(len(position["hands"]))} - {seat}:
            for card, copies in zip("12345678", (10, 4, 4, 4, 4, 2, 2, 2), strict=True):
                counts = Counter(hands[other].count(card) for hands in drawn)
                law = hypergeometric(32 - len(known), copies - known.count(card), len(hand))
                assert fit(counts, law) > LEAST, (seat, other, card)


def test_soldiers_of_the_others_once_one_has_asked() -> None:
    """W15: seat 1 asked with five, so the other five unseen Soldiers, less the viewer's, fall on the rest alone."""
    state = play(deal(W15, redeal=True), "-", "?5", "-", "-", "-")
    for seat in (0, 2, 3):
        view = state.view(seat)
        rng = _core.Rng(36 + seat, "test")
        drawn = [view.sample(rng).to_dict()["hands"] for _ in range(2500)]
        assert {hands[1].count("1") for hands in drawn} == {5}
        left = 5 - W15["hands"][seat].count("1")
        for other in {0, 2, 3} - {seat}:
            counts = Counter(hands[other].count("1") for hands in drawn)
            assert fit(counts, hypergeometric(16, left, 8)) > LEAST
        others = Counter(
            hands[1].count("2") for hands in drawn
        )  # its three other cards are drawn from no Soldiers
        twos = 4 - W15["hands"][seat].count("2")
        assert fit(others, hypergeometric(24 - 10 + W15["hands"][seat].count("1"), twos, 3)) > LEAST


# --- what is public reaches everybody, a pass proves nothing ---


def test_five_soldiers_reach_every_view_and_every_world() -> None:
    silent = play(deal(W15, redeal=True), "-", "-")
    told = play(deal(W15, redeal=True), "-", "?5", "-")
    rng = _core.Rng(37, "test")
    for seat in range(4):
        view, other = told.view(seat), silent.view(seat)
        assert view.to_dict()["announced"] == [0, 5, 0, 0]
        assert view != other
        if seat == 1:
            continue
        assert all(view.sample(rng).to_dict()["hands"][1].count("1") == 5 for _ in range(1000))
        assert len({other.sample(rng).to_dict()["hands"][1].count("1") for _ in range(1000)}) > 3


def test_the_announcement_still_holds_late_in_the_round() -> None:
    state = play(deal(W15, redeal=True), "-", "?5", "-", "-", "-")
    state = turns(state, "111,212,3p,4p,1p,212")
    rng = _core.Rng(38, "test")
    for seat in (0, 2, 3):
        for _ in range(1000):
            world = state.view(seat).sample(rng).to_dict()
            cards = world["hands"][1] + "".join(text.lstrip(".:") for text in world["lines"][1])
            assert cards.count("1") == 5


def test_a_mercenary_turned_up_reaches_every_view_and_every_world() -> None:
    state = play(deal(W10), "dC")
    rng = _core.Rng(39, "test")
    for seat in range(2):
        before, after = state.view(seat), chance(state).view(seat)
        assert after.to_dict()["stacks"][2] == "2"
        assert all(after.sample(rng).to_dict()["stacks"][2] == "2" for _ in range(1000))
        assert len({before.sample(rng).to_dict()["stacks"][2] for _ in range(1000)}) > 3
        assert before != after


def test_a_player_who_did_not_ask_may_hold_any_number_of_soldiers() -> None:
    """Asking is a right: seat 1 of W15 holds five and stays silent; the others must not rule that out."""
    view = play(deal(W15, redeal=True), "-", "-").view(2)
    rng = _core.Rng(40, "test")
    counts = Counter(view.sample(rng).to_dict()["hands"][1].count("1") for _ in range(4000))
    assert fit(counts, hypergeometric(24, 10, 8)) > LEAST
    assert sum(n for soldiers, n in counts.items() if soldiers >= 5) > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_a_pass_excludes_nothing(players: int) -> None:
    """Every world before an opponent's pass is one after it, as likely as before; and samples reach them all."""
    tried = 0
    for view, phase in late_views(players):
        if phase != "respond" or view.turn == view.seat:
            continue
        weights = enumerated(view, most=120)
        if not 2 <= len(weights) <= 120:
            continue
        after = view.observe(view.turn, view.game.parse_move("p"))
        if after.to_dict()["phase"] == "score":
            continue
        assert enumerated(after) == weights
        check_uniform(after, tried, weights)
        rng = _core.Rng(tried, "test reach")
        reached = {key_of(after, after.sample(rng)) for _ in range(60 * len(weights))}
        heavy = sum(weights.values())
        assert {key for key, ways in weights.items() if ways * 200 > heavy} <= reached
        tried += 1
        if tried == 10:
            break
    assert tried == 10
