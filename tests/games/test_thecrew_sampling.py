"""Law 2 for The Crew, exactly: worlds sampled from a view against every world that fits it, card by card.

The enumeration is `reference.thecrew.worlds`: hands that agree with the hard facts, each with the number of ways in
which mission 12 can have drawn. What others passed in distress is part of a world too: every card that the giver may
have passed makes one. Seeds are fixed; a sampler that is right would have failed a single check here with a probability
of one in ten thousand.
"""

import json
from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Any

import pytest

from chi_square import fit
from kibitz import _core
from reference.compare_thecrew import dealt, pair
from reference.thecrew import DECK, View, worlds

LEAST = 1e-4
SAMPLES = 10_000
Key = tuple[Any, ...]

# Only the last trick decides.
ENDLESS: dict[str, Any] = {
    "setup": [{"step": "distress"}],
    "constraints": [{"type": "tricks_won", "who": "commander", "min": 0, "max": 13}],
}
DEAD = {"communication": {"mode": "dead_zone", "from_trick": 1}}


def draw(trick: int) -> dict[str, Any]:
    return {"effects": [{"effect": "draw_from_right", "after_trick": trick}]}


# --- helpers ---


class Both:
    """A game in the core and in the reference."""

    def __init__(self, players: int, mission: dict[str, Any], **options: Any) -> None:
        chosen = {"players": players, "own_mission": ENDLESS | mission, "distress": "off"} | options
        self.game, self.twin = pair(json.dumps(chosen))
        self.state = self.game.blank()

    def deal(self, rng: _core.Rng) -> None:
        self.state = dealt(self.game, rng)
        start = self.state.to_dict()
        columns = [text.split("/") for text in start["display"]]
        self.twin.start(start["hands"], jarvis=start["jarvis"], columns=columns)

    def start(self, hands: list[list[str]]) -> None:
        self.twin.start(hands)
        more = {"longest": [len(hand) for hand in hands].index(14)} if len(hands) == 3 else {}
        self.state = self.game.state({"hands": hands, "commander": self.twin.commander, **more})

    def play(self, *texts: str) -> None:
        for text in texts:
            self.state = self.state.play(self.game.parse_move(text))
            self.twin.play(text)

    def play_on(self, rng: _core.Rng, *, quiet: int = 0) -> None:
        """At random; in so many of three cases a seat keeps quiet."""
        chance = self.state.turn == _core.CHANCE
        code = self.state.roll(rng) if chance else self.state.pick(rng)
        if self.twin.phase == "radio" and rng.below(3) < quiet:
            code = self.state.moves()[0]
        self.play(self.game.move_text(code))

    def views(self, seat: int) -> tuple[_core.View, View]:
        return self.state.view(seat), self.twin.view(seat)


def hidden(view: View) -> int:
    """How many cards the seat can't see."""
    shown = sum(column[:1] not in ("", "x") for column in view["columns"])
    return sum(view["sizes"]) - len(view["hand"]) - shown


def enumerated(view: View) -> dict[Key, int]:
    """Every world with its weight."""
    found = Counter[Key]()
    for world, ways in worlds(view):
        hands, columns = world["hands"], world["columns"]
        lower = [column[-2:] for column, shown in zip(columns, view["columns"], strict=True) if "x" in shown]
        found[key(hands, lower, moving(view, world["given"]))] += ways * labels(view, hands)
    return found


def sampled(view: View, core: _core.View, rng: _core.Rng) -> Key:
    world = core.sample(rng).to_dict()
    lower = [column[-2:] for column in world["display"] if "/" in column]
    return key(world["hands"], lower, moving(view, world["drawn" if view["phase"] == "draw" else "given"]))


def key(hands: list[list[str]], lower: list[str], moving: list[str]) -> Key:
    return tuple(tuple(hand) for hand in hands), tuple(lower), tuple(moving)


def moving(view: View, cards: list[str]) -> list[str]:
    """The cards about to move, while an exchange goes on."""
    return cards if view["phase"] in ("give", "get", "draw") else []


def labels(view: View, hands: list[list[str]]) -> int:
    """What others may have passed, once it has moved: any card but a rocket of the hand that it has come to."""
    ways = 1
    if view["phase"] in ("give", "get") or "x" not in view["given"]:
        return ways
    assert not view["draws"], "cards have moved since"
    seats = len(hands)
    for giver, card in enumerate(view["given"]):
        if card == "x":
            receiver = (giver + (1 if view["direction"] == "left" else -1)) % seats
            rows = [(trick.leader, list(trick.cards)) for trick in view["tricks"]]
            rows.append((view["leader"], view["table"]))
            seen = [c for leader, row in rows for i, c in enumerate(row) if (leader + i) % seats == receiver]
            ways *= sum(c[0] != "R" for c in [*hands[receiver], *seen])
    return ways


def check_uniform(core: _core.View, view: View, seed: int, *, samples: int = 0) -> None:
    """Sampled worlds have the frequencies of the enumeration."""
    weights = enumerated(view)
    rng = _core.Rng(seed, "test sampling")
    count = samples or max(400, 25 * len(weights))
    counts = Counter(sampled(view, core, rng) for _ in range(count))
    assert counts.keys() <= weights.keys(), counts.keys() - weights.keys()
    assert fit(counts, weights) > LEAST, core.to_dict()


def kinds_of(view: View) -> set[str]:
    """The facts that other hands, or those before a draw, are held to."""
    found = {"draw"} if view["draws"] else set[str]()
    for facts in (view["facts"], *(each["facts"] for each in view["draws"])):
        others = [seat for seat, size in enumerate(view["sizes"]) if seat != view["seat"] and size]
        for kind in ("voids", "bounds", "needs", "one_side"):
            if any(facts[kind][seat] for seat in others):
                found.add(kind)
        if facts["held"]:
            found.add("held")
        if any(len(seats) > 1 for seats in facts["held"].values()):
            found.add("one of two")
    return found


# --- late in random games ---

Case = tuple[int, dict[str, Any], dict[str, Any], int, set[str]]
FACTS = {"voids", "bounds", "needs", "held"}
CASES: dict[str, Case] = {
    "3 players": (3, {}, {}, 7, FACTS),
    "4 players": (4, {}, {}, 7, FACTS),
    "5 players": (5, {}, {"radio": "until_all_pass"}, 7, FACTS),
    "challenge": (3, {}, {"challenge": True}, 7, FACTS),
    "dead zone, 3": (3, DEAD, {}, 7, {"voids", "one_side", "bounds"}),
    "dead zone, 4": (4, DEAD, {}, 7, {"voids", "one_side", "bounds"}),
    "passed left": (4, {}, {"distress": "left"}, 7, FACTS),
    "passed right, dead zone": (3, DEAD, {"distress": "right"}, 6, {"voids", "held"}),
    "passed, 5 players": (5, {}, {"distress": "right"}, 7, FACTS),
    "mission 12, 3": (3, draw(1), {}, 6, {"draw", "voids", "needs", "bounds"}),
    "mission 12, 4": (4, draw(1), {}, 5, {"draw", "voids"}),
    "drawn late": (4, draw(5), {}, 6, {"draw", *FACTS, "one of two"}),
    "drawn late, dead zone": (3, DEAD | draw(5), {}, 6, {"draw", "voids", "one_side"}),
    "JARVIS": (2, {}, {}, 6, FACTS),
    "JARVIS, passed": (2, {}, {"distress": "left"}, 6, FACTS),
    "JARVIS, drawn": (2, draw(4), {}, 5, {"draw", "voids"}),
}


def late_views(case: Case) -> Iterator[tuple[_core.View, View]]:
    """Views of random games with few hidden cards; the more often a seat keeps quiet, the later it speaks."""
    players, mission, options, unseen, _ = case
    both = Both(players, mission, **options)
    for seed in range(100_000):
        rng = _core.Rng(seed, "test late")
        both.deal(rng)
        while both.twin.phase != "over":
            for seat in range(both.game.seats):
                if seat != both.twin.jarvis and hidden(both.twin.view(seat)) <= unseen:
                    yield both.views(seat)
            both.play_on(rng, quiet=seed % 3)


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_uniform_late_in_random_games(name: str) -> None:
    """A few views for each phase and each kind of fact, and what must be among them."""
    expected = CASES[name][4]
    kept, met = Counter[tuple[str, str]](), set[str]()
    for tried, (core, view) in enumerate(late_views(CASES[name])):
        kinds = kinds_of(view)
        wanted = [(view["phase"], kind) for kind in kinds | {""} if kept[view["phase"], kind] < 10]
        if wanted and 2 <= sum(1 for _ in zip(worlds(view), range(201), strict=False)) <= 200:
            kept.update(wanted)
            met |= kinds
            check_uniform(core, view, tried)
        if tried > 1500 and met >= expected:
            break
        assert tried < 4000, expected - met
    assert len(kept) > 5


# --- a seat discards on green in trick 2 ---

# Seat 0 is the commander and leads. Seat 2 has one green card, which it plays in trick 1, and discards Y2 on G6.
HANDS = [
    ["B1", "B7", "G1", "G9", "P1", "P7", "Y1", "Y7", "R1", "R4"],
    ["B2", "B8", "G2", "G5", "G7", "P2", "P8", "Y6", "Y8", "R2"],
    ["B3", "B5", "B6", "B9", "G3", "P3", "P9", "Y2", "Y3", "Y9"],
    ["B4", "G4", "G6", "G8", "P4", "P5", "P6", "Y4", "Y5", "R3"],
]
FIRST, SECOND = ["G1", "G2", "G3", "G4"], ["G6", "G9", "G5", "Y2"]
SAID = ["quiet", "say Y6 lowest", "say B9 highest", "say B4 only"]
SHOWN = ["quiet", "say P8", "say B9", "say B4"]
PASSED = ["P7", "P2", "P9", "P6"]  # to the left; `HANDS` are those before
DRAWN = ["P1", "P8", "P3", "P4"]

# Mission, options, what is played up to trick 2 without its cards.
ON_TOP: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "alone": ({}, {"radio": "off"}, FIRST),
    "statements": ({}, {}, [*SAID, *FIRST, "quiet"]),
    "dead zone": (DEAD, {}, [*SHOWN, *FIRST, "quiet"]),
    "passed": (
        {},
        {"radio": "off", "distress": "left"},
        [*(f"give {card}" for card in PASSED), *(f"get {card}" for card in PASSED), *FIRST],
    ),
    "mission 12": (draw(1), {"radio": "off"}, [*FIRST, *(f"draw {card}" for card in DRAWN)]),
    "statements in mission 12": (draw(1), {}, [*SAID, *FIRST, *(f"draw {card}" for card in DRAWN), "quiet"]),
}


def discard_on_green(on_top: str) -> Both:
    mission, options, before = ON_TOP[on_top]
    both = Both(4, mission, **options)
    both.start(HANDS)
    both.play(*before, *SECOND)
    return both


def greens(world: _core.State, seat: int) -> int:
    return sum(card[0] == "G" for card in world.to_dict()["hands"][seat])


@pytest.mark.parametrize("seat", [0, 1, 3])
@pytest.mark.parametrize("on_top", ON_TOP)
def test_who_did_not_follow_green_has_none(on_top: str, seat: int) -> None:
    core, _ = discard_on_green(on_top).views(seat)
    rng = _core.Rng(seed_of(on_top, seat), "test void")
    assert {greens(core.sample(rng), 2) for _ in range(SAMPLES)} == {0}


def seed_of(on_top: str, seat: int) -> int:
    return 10 * list(ON_TOP).index(on_top) + seat


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_the_greens_of_the_other_two_are_as_if_dealt(seat: int) -> None:
    """Seat 2 has any of the unseen cards but greens; all the rest, R4 apart, is dealt to the other two."""
    core, view = discard_on_green("alone").views(seat)
    one, other = sorted({0, 1, 3} - {seat})
    sizes = {s: view["sizes"][s] - (s == 0) for s in (one, other)}  # R4 is seat 0's
    left = 9 - 7 - sum(card[0] == "G" for card in view["hand"])
    law = {n: comb(left, n) * comb(sum(sizes.values()) - left, sizes[one] - n) for n in range(left + 1)}
    rng = _core.Rng(seat, "test greens")
    counts = Counter(greens(core.sample(rng), one) for _ in range(SAMPLES))
    assert fit(counts, law) > LEAST


@pytest.mark.parametrize("seat", [0, 1, 3])
@pytest.mark.parametrize("on_top", ON_TOP)
def test_all_else_is_as_enumerated_in_the_ending(on_top: str, seat: int) -> None:
    for seed in range(100):
        both, rng = discard_on_green(on_top), _core.Rng(seed, "test ending")
        while hidden(both.twin.view(seat)) > 6:
            both.play_on(rng, quiet=3)
        core, view = both.views(seat)
        weights = enumerated(view)
        if len(weights) > 10 and both.twin.hands[2]:
            check_uniform(core, view, seed_of(on_top, seat), samples=SAMPLES)
            assert all(card[0] != "G" for hands, *_ in weights for card in hands[2])
            return
    raise AssertionError("no ending with worlds to choose from")


def test_r41_the_draw_of_mission_12_may_undo_a_void() -> None:
    """Seat 2 showed its void before the draw and may hold the one card that it received; R4 may have moved."""
    both = Both(4, draw(2), radio="off")
    both.start(HANDS)
    both.play(*FIRST, *SECOND)
    rng = _core.Rng(12, "test draw")
    for seat in (0, 3):
        before = both.state.view(seat)
        assert {greens(before.sample(rng), 2) for _ in range(500)} == {0}
    both.play("draw P1", "draw G7", "draw P3", "draw P4")
    assert greens(both.state, 2) == 1
    for seat in (0, 3):
        view = both.state.view(seat)
        drawn = [view.sample(rng) for _ in range(2000)]
        assert {greens(world, 2) for world in drawn} == {0, 1}
        places = Counter(
            next(s for s, hand in enumerate(w.to_dict()["hands"]) if "R4" in hand) for w in drawn
        )
        assert places.keys() == ({0} if seat == 0 else {0, 1})
    view = both.state.view(1)  # gave the card itself
    assert all("G7" in view.sample(rng).to_dict()["hands"][2] for _ in range(500))
    assert {greens(view.sample(rng), 2) for _ in range(500)} == {1}


def test_a_world_says_which_cards_were_passed() -> None:
    """Seat 0 knows what it gave and got, not what seats 2 and 3 were given: any card of theirs but a rocket, and each
    of these is a world. So there are fewer worlds in which they hold rockets than if hands alone were counted.
    """
    both = Both(4, {}, distress="left", radio="off")
    hands = [hand[:] for hand in HANDS]
    hands[0][8], hands[3][0] = hands[3][0], hands[0][8]  # R1 to seat 3
    both.start(hands)
    both.play(*(f"give {card}" for card in PASSED), *(f"get {card}" for card in PASSED))
    core, _ = both.views(0)
    rng = _core.Rng(3, "test passed")
    counts = Counter[tuple[int, int, int]]()
    for _ in range(2 * SAMPLES):
        hands = core.sample(rng).to_dict()["hands"]
        _, one, two, three = (sum(card[0] == "R" for card in hand) for hand in hands)
        counts[one, two, three] += 1
    splits = [(a, b, 3 - a - b) for a in range(4) for b in range(4 - a)]
    # The rockets' places in the hands; seat 1 is known to hold P7.
    dealt = {(a, b, c): comb(9, a) * comb(10, b) * comb(10, c) for a, b, c in splits}
    assert fit(counts, {(a, b, c): n * (10 - b) * (10 - c) for (a, b, c), n in dealt.items()}) > LEAST
    assert fit(counts, dealt) < LEAST


# --- what is public reaches everybody ---


@pytest.mark.parametrize("holder", range(4))
def test_the_holder_of_p9_is_known_to_all(holder: int) -> None:
    """Mission 46: in every view and every world from the announcement on; before it in some only."""
    game = _core.Game("thecrew", {"mission": 46, "distress": "off", "radio": "off"})
    hands = [hand[:] for hand in HANDS]
    hands[2][6], hands[holder][0] = hands[holder][0], hands[2][6]
    before = game.state({"hands": hands, "commander": 0})
    after = before.play(game.parse_move(f"holder {holder}"))
    for seat in range(4):
        view = after.view(seat)
        assert view.to_dict()["S1"] == (holder + 1) % 4
        assert places_of("P9", view, SAMPLES) == {holder}
        if seat != holder:
            assert places_of("P9", before.view(seat), 500) == {0, 1, 2, 3} - {seat}


def places_of(card: str, view: _core.View, samples: int) -> set[int]:
    """Seats that have it in sampled worlds."""
    rng = _core.Rng(view.seat, "test places")
    found = set[int]()
    for _ in range(samples):
        found.update(seat for seat, hand in enumerate(view.sample(rng).to_dict()["hands"]) if card in hand)
    return found


def test_a_passed_p9_is_with_its_holder_or_the_neighbour() -> None:
    game = _core.Game("thecrew", {"mission": 46, "distress": "left", "radio": "off"})
    state = game.state({"hands": HANDS, "commander": 0})
    while state.turn == _core.CHANCE:
        state = state.play(state.outcomes()[0][0])
    for card in PASSED:  # seat 2 passes P9 to seat 3
        state = state.play(game.parse_move(f"give {card}"))
    while state.turn == _core.CHANCE:
        state = state.play(state.outcomes()[0][0])
    expected = {0: {2, 3}, 1: {2, 3}, 2: {3}, 3: {3}}
    for seat, places in expected.items():
        assert state.view(seat).to_dict()["S1"] == 3
        assert places_of("P9", state.view(seat), 2000) == places


# What seats say that hold, of that colour: seat 1 Y6 Y8, seat 2 B3 B5 B6 B9 and P3 P9, seat 3 B4.
STATEMENTS = {
    "say B9 highest": 2,
    "say B3 lowest": 2,
    "say Y6 lowest": 1,
    "say B4 only": 3,
    "say B9": 2,
    "say P3": 2,
    "say Y6": 1,
}


def true(said: str, cards: list[str]) -> bool:
    """Of a hand from which nothing of the colour has been played."""
    _, card, *kind = said.split()
    values = [int(each[1]) for each in cards if each[0] == card[0]]
    value = int(card[1])
    return (
        value in values
        and {
            "highest": value == max(values) > min(values),
            "lowest": value == min(values) < max(values),
            "only": len(values) == 1,
            "": value in (min(values), max(values)),
        }["".join(kind)]
    )


@pytest.mark.parametrize("said", STATEMENTS)
def test_a_statement_reaches_every_view_and_every_world(said: str) -> None:
    seat = STATEMENTS[said]
    both = Both(4, DEAD if len(said.split()) == 2 else {})
    both.start(HANDS)
    silent = both.state
    both.play(*(said if each == seat else "quiet" for each in range(4)))
    spoken = both.state
    both.play(*FIRST)  # green: the statement binds the hand as before
    rng = _core.Rng(seat, "test said")
    for viewer in {0, 1, 2, 3} - {seat}:
        for state, samples in ((spoken, SAMPLES), (both.state, 1000)):
            view = state.view(viewer)
            assert view.to_dict()["statements"][seat] == f"{said[4:]} 1"
            assert all(true(said, view.sample(rng).to_dict()["hands"][seat]) for _ in range(samples))
        before = silent.view(viewer)
        assert not all(true(said, before.sample(rng).to_dict()["hands"][seat]) for _ in range(100))


def test_silence_and_votes_prove_nothing() -> None:
    """A seat that stays quiet, or votes, may hold whatever it might have held before."""
    both = Both(4, {}, distress="vote")
    both.start(HANDS)
    told = {seat: card_counts(both.state.view(seat), 1) for seat in range(4)}
    both.play("none", "left", "any", "right", "quiet", "quiet", "quiet", "quiet")
    for seat in range(4):
        after = card_counts(both.state.view(seat), 1)
        assert after.keys() == told[seat].keys()
        assert after == told[seat]  # the same random numbers give the same worlds


def card_counts(view: _core.View, seed: int) -> Counter[str]:
    """How often each card was at each other seat, in the same 500 random worlds."""
    rng = _core.Rng(seed, "test silence")
    found = Counter[str]()
    for _ in range(500):
        for seat, hand in enumerate(view.sample(rng).to_dict()["hands"]):
            found.update(f"{seat}:{card}" for card in hand)
    return found


# --- at the start ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hands_are_hypergeometric_at_the_start(players: int) -> None:
    """R4 apart, which the commander has, every suit falls on the others as if dealt."""
    both = Both(players, {})
    both.deal(_core.Rng(players, "test start"))
    twin, rng = both.twin, _core.Rng(players, "test worlds")
    for seat in range(both.game.seats):
        if seat == twin.jarvis:
            continue
        core, view = both.views(seat)
        drawn = [core.sample(rng).to_dict() for _ in range(2500)]
        shown = {*view["hand"], *(column[:2] for column in view["columns"]), "R4"}
        pool = [card for card in DECK if card not in shown]
        for other in {*range(both.game.seats)} - {seat}:
            below = [[text[3:] for text in world["display"]] for world in drawn]
            hands = below if other == twin.jarvis else [world["hands"][other] for world in drawn]
            size = len(hands[0]) - (other == twin.commander)
            for suit in "BGPYR":
                counts = Counter(sum(card[0] == suit and card != "R4" for card in hand) for hand in hands)
                good = sum(card[0] == suit for card in pool)
                law = {
                    n: comb(good, n) * comb(len(pool) - good, size - n) for n in range(min(good, size) + 1)
                }
                assert fit(counts, law) > LEAST, (seat, other, suit)
