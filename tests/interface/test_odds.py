"""Odds: shares of sampled worlds, place by place, against the worlds' own fields; nothing of the truth is in them."""

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import typer

import kibitz
from covers import PLAIN, Cover
from kibitz.cli import odds as command
from kibitz.errors import InvalidOption
from kibitz.odds import Odds, odds

module: Any = import_module("kibitz.odds")  # its name in the package is the function's
each_plain = pytest.mark.parametrize("cover", PLAIN, ids=str)
# Passing and drawing cards, the automatic member's display, dead zones: where a drawing shows most that is known.
CREWS = [
    Cover("thecrew", (("mission", mission), ("players", players), ("distress", distress)))
    for mission, distress in ((12, "left"), (23, "vote"), (46, "right"))
    for players in (2, 3, 5)
]


def positions(cover: Cover, seed: int, stride: int) -> Iterator[kibitz.Table]:
    """Every so many positions of a random game."""
    table = kibitz.load(cover.slug, **dict(cover.options)).deal(seed=seed)
    rng = random.Random(seed)
    for number in range(400):
        if number % stride == 0:
            yield table
        if table.turn is None:
            return
        table.play(rng.choice(table.legal()))


def in_hand(slug: str, facts: dict[str, Any], seat: int) -> Counter[str]:
    """A seat's hand as a world's own fields have it."""
    held = facts["hands"][seat]
    if slug == "hearts":
        return Counter(held.split())
    return Counter([held] if slug == "leduc_poker" else held)


@pytest.mark.parametrize("cover", [*PLAIN, *CREWS], ids=str)
def test_shares_are_those_of_the_worlds_own_hands(cover: Cover) -> None:
    worlds = 6
    for table in positions(cover, 3, 7):
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            found = odds(view, worlds=worlds, seed=5)
            assert len({place.name for place in found.places}) == len(found.places)
            for place in found.places:
                there = [found.chance(place.name, card) for card in found.cards]
                assert math.fsum(chance.mean for chance in there) == pytest.approx(place.cards)
            facts = [view.sample(seed=5, index=n).core.to_dict() for n in range(worlds)]
            for place in found.places:
                if place.role != "hand" or place.name != f"seat {place.seat}" or "hands" not in facts[0]:
                    continue
                assert place.seat is not None
                hands = [in_hand(cover.slug, each, place.seat) for each in facts]
                for card in found.cards:
                    chance = found.chance(place.seat, card)
                    assert chance.mean * worlds == pytest.approx(sum(hand[card] for hand in hands))
                    assert chance.probability(2) * worlds == pytest.approx(
                        sum(hand[card] > 1 for hand in hands)
                    )


@pytest.mark.parametrize("cover", [*PLAIN, *CREWS], ids=str)
def test_each_hidden_card_of_the_drawing_has_a_place(cover: Cover) -> None:
    from kibitz.scenes import scene_of

    for table in positions(cover, 4, 9):
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            hidden = sum(
                card.count for zone in scene_of(view).zones for card in zone.cards if card.face == "hidden"
            )
            assert sum(place.cards for place in odds(view, worlds=1).places) == hidden


@each_plain
def test_the_truth_is_not_in_them(cover: Cover) -> None:
    for table in positions(cover, 6, 11):
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            other = view.sample(seed=9).view(seat=seat)
            assert other.core == view.core
            assert odds(other, worlds=3) == odds(view, worlds=3)


def test_same_seed_same_odds() -> None:
    view = kibitz.load("thecrew", mission=3).deal(seed=2).view(seat=1)
    assert odds(view, worlds=40, seed=1) == view.odds(worlds=40, seed=1)
    assert odds(view, worlds=40, seed=2) != view.odds(worlds=40, seed=1)


# --- known answers; 1,500 worlds, five standard errors ---

WORLDS = 1500


def near(share: float, expected: float) -> bool:
    return abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / WORLDS)


# Seat 0 holds Q1, and Q2 is the public card: J1, J2, K1, K2 are left, one of them at seat 1.
def test_leduc_is_even_between_the_cards_left() -> None:
    start = {"hands": ["Q1", "x"], "public": "Q2", "rounds": ["cc", ""]}
    found = odds(kibitz.load("leduc_poker").view(seat=0, start=start), worlds=WORLDS)
    assert found.cards == ("J1", "J2", "K1", "K2")
    assert [(place.name, place.cards) for place in found.places] == [("seat 1", 1)]
    assert all(near(found.probability(1, card), 1 / 4) for card in found.cards)
    assert math.fsum(found.probability(1, card) for card in found.cards) == pytest.approx(1)


# A round of Kami has 10 Soldiers, 4 each of types 2 to 5 and 2 each of 6 to 8 (docs/games/kami.md); 24 cards are left,
# 8 to a seat. Neither Empress is here: a given other seat has none of 2 among 24 with C(16,2)/C(24,2), both with
# C(8,2)/C(24,2).
def test_kami_counts_copies() -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start={"hand": "11113477", "first": 1})
    found = odds(view, worlds=WORLDS)
    assert found.cards == tuple("1234568")  # both Towers are here
    left = {"1": 6, "2": 4, "3": 3, "4": 3, "5": 4, "6": 2, "8": 2}
    pairs = math.comb(24, 2)
    for seat in (1, 2, 3):
        for card, copies in left.items():
            assert found.chance(seat, card).mean == pytest.approx(copies / 3, abs=0.15)
        assert near(found.probability(seat, "8"), 1 - math.comb(16, 2) / pairs)
        assert near(found.probability(seat, "8", at_least=2), math.comb(8, 2) / pairs)
        assert found.probability(seat, "8", at_least=3) == 0.0


# Of three cards seat 0 has the last one unseen in its hand, so what lies face-down before it can be but one.
def test_what_all_worlds_agree_on_is_told_as_a_frequency() -> None:
    start = {"prizes": "1 2", "bids": ["1 .x", "2"]}
    view = kibitz.load("goofspiel", cards=2).view(seat=1, start=start)
    found = odds(view, worlds=50)
    (place,) = found.places
    assert place.name == "bids of this round, seat 0"
    chance = found.chance(place.name, "2")
    assert (chance.probability(), chance.se()) == (1.0, 0.0)
    assert chance.interval()[0] < 1
    assert found.table().splitlines()[-1].split() == ["2", "all"]
    assert "in each of the 50 worlds" in str(found)
    assert "no proof" in str(found)


def test_a_share_is_never_rounded_to_certainty() -> None:
    almost = module.Chance(card="1", place="seat 1", at_least=(0.9999, 0.0001), mean=1.0, n=10_000)
    assert module._shown_share(almost, 1).startswith(">99.9%")
    assert module._shown_share(almost, 2).startswith("<0.1%")
    assert module._shown_share(almost, 3) == "-"


def test_worlds_may_have_weights() -> None:
    place = module.Place("seat 1", 1, "hand", 1)
    tally = module._Tally([place])
    tally.add([Counter({(0, "J"): 1})], weight=3)
    tally.add([Counter({(2, "K"): 1})])
    chance = tally.chance(0, "J")
    assert chance.probability() == 0.75
    assert chance.n == pytest.approx(16 / 10)  # (3 + 1)^2 / (9 + 1)


def test_cards_known_to_lie_in_a_hand_are_not_hidden() -> None:
    """The commander of The Crew holds rocket 4, as everybody knows."""
    view = kibitz.load("thecrew", mission=1).deal(seed=7).view(seat=1)
    facts = view.core.to_dict()
    found = view.odds(worlds=20)
    sizes = {place.seat: place.cards for place in found.places}
    assert sizes[facts["commander"]] == 9
    assert "R4" not in found.cards
    assert not set(found.cards) & set(facts["hand"])


def test_three_players_of_kami_set_cards_aside() -> None:
    view = kibitz.load("kami", players=3, redeal=False).deal(seed=3).view(seat=0)
    names = [place.name for place in view.odds(worlds=5).places]
    assert any(name.startswith("set aside, seat ") for name in names)


# --- refusals and forms ---


@pytest.mark.parametrize("slug", ["tic_tac_toe", "connect_four"])
def test_where_nothing_is_hidden_there_are_no_places(slug: str) -> None:
    found = kibitz.load(slug).deal(seed=1).view().odds(worlds=10)
    assert (found.places, found.cards, found.chances) == ((), (), ())
    assert str(found) == "Nothing that lies on the table is hidden from seat 0."
    with pytest.raises(InvalidOption, match="they lie at: no place"):
        found.probability(1, "x")


def small() -> Odds:
    return kibitz.load("kuhn_poker").view(seat=0, start={"hands": "Qx"}).odds(worlds=20)


@pytest.mark.parametrize(
    ("place", "card", "said"),
    [
        (0, "J", "No hidden cards lie at 0; they lie at: seat 1"),
        ("seat 2", "J", "No hidden cards lie at 'seat 2'"),
        (True, "J", "No hidden cards lie at True"),
        (None, "J", "No hidden cards lie at None"),
        (1, "Q", "'Q' is none of the hidden cards"),
        (1, 3, "3 is none of the hidden cards"),
    ],
)
def test_what_is_not_asked_well_is_refused(place: Any, card: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        small().probability(place, card)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"worlds": 0}, "worlds cannot be 0"),
        ({"worlds": True}, "worlds cannot be True"),
        ({"worlds": 1.5}, "worlds cannot be 1.5"),
        ({"seed": -1}, "seed cannot be -1"),
    ],
)
def test_bad_argument(change: dict[str, Any], said: str) -> None:
    view = kibitz.load("kuhn_poker").deal(seed=1).view()
    with pytest.raises(InvalidOption, match=said):
        view.odds(**change)


def test_a_table_is_refused() -> None:
    table = kibitz.load("kuhn_poker").deal(seed=1)
    with pytest.raises(InvalidOption, match=r"not of .*; use table.view\(seat=...\)"):
        odds(table)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="at_least cannot be 0"):
        small().table(at_least=0)


def test_a_game_without_a_drawing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_drawn", lambda slug: False)
    with pytest.raises(InvalidOption, match="has no drawing of its own"):
        small()


def test_forms_of_the_result() -> None:
    found = small()
    document = json.loads(json.dumps(found.to_dict()))
    assert document["worlds"] == 20
    assert document["places"] == [{"name": "seat 1", "seat": 1, "role": "hand", "cards": 1}]
    assert [(each["card"], each["place"]) for each in document["chances"]] == [
        ("J", "seat 1"),
        ("K", "seat 1"),
    ]
    for each in document["chances"]:
        assert each["low"] <= each["probability"] <= each["high"]
        assert each["se"] == pytest.approx(math.sqrt(each["probability"] * (1 - each["probability"]) / 20))
    assert found.table().splitlines()[0].split() == ["card", "seat", "1", "(1)"]
    assert found._repr_html_().startswith("<table>")
    assert found.__rich__().row_count == 2


# --- the command ---


def call(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    typer.main.get_command(command.app).main(list(args), standalone_mode=False)
    return capsys.readouterr().out


def test_command_prints_drawing_table_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "kami-answer", "--worlds", "50", "--seed", "3")
    from kibitz.cli import shared

    view = kibitz.read_position(shared.read_text("kami-answer"))
    assert isinstance(view, kibitz.View)
    found = view.odds(worlds=50, seed=3)
    for part in (view.draw().rstrip(), found.table(), *found.notes()):
        assert part in out
    document = json.loads(call(capsys, "kami-answer", "--worlds", "50", "--seed", "3", "--json"))
    assert document == json.loads(json.dumps(found.to_dict()))


def test_command_takes_any_seat_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Seat 2 is to act; odds may be asked by another."""
    document = json.loads(call(capsys, "kami-table", "--seat", "0", "--worlds", "5", "--json"))
    assert document["seat"] == 0
    with pytest.raises(kibitz.InvalidPosition, match="what seat 1 knows, not seat 2"):
        call(capsys, "kami-answer", "--seat", "2")
    with pytest.raises(kibitz.InvalidPosition, match="say whose view is meant with --seat"):
        call(capsys, "kami-round.json")
