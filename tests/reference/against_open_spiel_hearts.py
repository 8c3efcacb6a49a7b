"""Hearts against OpenSpiel's `hearts`: the same cards on both sides, under each of the 256 combinations of options.

Who is to act, the legal cards at every ply, the returns at the end; the first difference is an AssertionError.
OpenSpiel is asked through its Python interface alone. `reference.against_open_spiel` has the command.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

from kibitz import _core

RANKS, SUITS = "23456789TJQKA", "CDHS"  # in OpenSpiel's order
PACK = [rank + suit for rank in RANKS for suit in SUITS]
NAMES = (
    "pass_cards",
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "jd_bonus",
    "avoid_all_tricks_bonus",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
)
KINDS = ("plain", "lopsided", "grabbing")
DIRECTIONS = ("no pass", "pass left", "pass across", "pass right")


def combinations() -> Iterator[dict[str, bool]]:
    for values in product((False, True), repeat=len(NAMES)):
        yield dict(zip(NAMES, values, strict=True))


@cache
def games(options: tuple[tuple[str, bool], ...]) -> tuple[_core.Game, Any]:
    import pyspiel

    return _core.Game("hearts", dict(options)), pyspiel.load_game("hearts", dict(options))


# ---- the same deal on both sides ----


def order(kind: str, rng: Random) -> list[str]:
    """The pack as it is dealt round. Lopsided: few suits a hand. Grabbing: seat 0 has high cards."""
    if kind == "plain":
        return rng.sample(PACK, 52)
    if kind == "lopsided":
        spread = rng.choice((0.8, 1.5, 2.5))
        hands = sorted(PACK, key=lambda card: "CDSH".index(card[1]) + spread * rng.random())
        first = rng.randrange(4)
    else:
        hands = sorted(PACK, key=lambda card: 3 * rng.random() - RANKS.index(card[0]))
        first = 0
    return [hands[13 * ((seat + first) % 4) + i] for i in range(13) for seat in range(4)]


def compare(options: dict[str, bool], kind: str, seed: int) -> Counter[str]:
    """One deal in both. What happened in it that is rare; AssertionError at the first difference."""
    core, spiel = games(tuple(options.items()))
    rng = Random(f"{options} {kind} {seed}")
    ours, theirs = core.blank(), spiel.new_initial_state()
    cards = order(kind, rng)
    if not options["pass_cards"]:
        theirs.apply_action(0)  # it draws a direction all the same (docs/games/hearts.md, doubt 1)
    met: Counter[str] = Counter()
    while ours.turn != _core.OVER:
        if ours.turn == _core.CHANCE:
            chosen = core.move_text(rng.choice(ours.outcomes())[0])
            if chosen.startswith("deal"):
                chosen = f"deal {cards.pop(0)}"
            if not chosen.startswith(("get", "first")):
                assert theirs.is_chance_node()
                apply(theirs, action(chosen))
        else:
            legal = {core.move_text(code): action(core.move_text(code)) for code in ours.moves()}
            assert theirs.current_player() == ours.turn, (str(theirs), ours.to_dict())
            assert sorted(legal.values()) == theirs.legal_actions(), (str(theirs), list(legal))
            chosen = rng.choice(list(legal))
            if kind == "grabbing" and ours.turn == 0:
                chosen = max(legal, key=lambda text: RANKS.index(text[-2]))
            met.update(rare(ours, chosen))
            apply(theirs, legal[chosen])
        ours = ours.play(core.parse_move(chosen))
    assert theirs.is_terminal()
    assert theirs.returns() == [26 - points for points in ours.score()], (str(theirs), ours.score())
    met["all 26 to one seat"] += sum(points >= 16 for points in ours.score()) == 3
    met["decisions"] += len(theirs.history()) - 53
    return met


def action(text: str) -> int:
    """OpenSpiel's number of a move or outcome."""
    return DIRECTIONS.index(text) if text in DIRECTIONS else PACK.index(text[-2:])


def apply(state: Any, number: int) -> None:
    state.apply_action(number)


def rare(state: _core.State, move: str) -> Iterator[str]:
    """What a move shows that chance seldom brings."""
    fields = state.to_dict()
    count, tricks = fields["count"], fields["tricks"]
    if fields["phase"] != "play":
        return
    points = move[1] == "H" or move == "QS"
    if 0 < count < 4 and points:
        yield "points to the first trick"
    shown = " ".join(tricks)
    if count % 4 == 0 and move[1] == "H" and "H" not in shown and "QS" not in shown:
        yield "a heart led unbroken"


def rules(deals: int, seed: int = 0) -> Counter[str]:
    met: Counter[str] = Counter()
    for options in combinations():
        for kind in KINDS:
            for number in range(deals):
                met.update(compare(options, kind, seed + number))
                met["deals"] += 1
    return met
