"""What counts as the first play of a game, and how hands and plays are classed: for tables of first plays (`leads`).

A class is a short text that people can sort their own hand into. A game without an entry here has one class of hands,
and its plays are the texts of the moves.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kibitz.view import View

__all__ = ["GENERIC", "Opening", "opening_of"]


@dataclass(frozen=True)
class Opening:
    """How the first play of a game is found and classed. All that is asked is a view of the seat to move.

    Attributes:
        due: Whether this decision is the first of the play; if not, the game goes on to the next.
        goes_on: Whether this decision of the same seat, after these moves of its play, still belongs to it.
        hand: The class of what the seat holds before its play.
        play: The class of the play, from the view before it and its moves.
    """

    due: Callable[[View], bool]
    goes_on: Callable[[View, Sequence[str]], bool]
    hand: Callable[[View], str]
    play: Callable[[View, Sequence[str]], str]


def opening_of(slug: str) -> Opening:
    """A game's own, or the one for all games."""
    return OPENINGS.get(slug, GENERIC)


def _moves(view: View, moves: Sequence[str]) -> str:  # noqa: ARG001
    return " ".join(moves)


GENERIC = Opening(
    due=lambda view: True,  # noqa: ARG005
    goes_on=lambda view, moves: False,  # noqa: ARG005
    hand=lambda view: "any",  # noqa: ARG005
    play=_moves,
)


# --- Kami: the first pair, a defence face-down and an attack ---


def _kami_hand(view: View) -> str:
    """Empresses (8), Soldiers (1), and how many of the other types are held twice or more."""
    counts = Counter(str(view.core.to_dict()["hand"]))
    pairs = sum(count >= 2 for card, count in counts.items() if card not in "18")
    return f"8:{counts['8']} 1:{_band(counts['1'], (0, 2, 4))} pairs:{pairs}"


def _band(count: int, starts: Sequence[int]) -> str:
    """The band of a number: `_band(3, (0, 2, 4))` is "2-3", the last one is open."""
    for start, after in pairwise(starts):
        if start <= count < after:
            return str(start) if after == start + 1 else f"{start}-{after - 1}"
    return f"{starts[-1]}+"


def _kami_play(view: View, moves: Sequence[str]) -> str:
    """What the defence and the attack are to the hand: `d:1 a:pair`; `a:same` for an attack of the defence's type."""
    held = Counter(str(view.core.to_dict()["hand"]))
    cards = [move[1:] for move in moves]
    groups = [_group(held, card) for card in cards]
    if len(cards) == 2 and cards[0] == cards[1]:
        groups[1] = "same"
    return " ".join(f"{move[0]}:{group}" for move, group in zip(moves, groups, strict=True))


def _group(held: Counter[str], card: str) -> str:
    """Soldiers and Empresses by their digit, others by how many are held; with two players also a mercenary."""
    if card in ("1", "8"):
        return card
    return "mercenary" if card.isalpha() else "pair" if held[card] > 1 else "single"


KAMI = Opening(
    due=lambda view: view.core.to_dict()["phase"] == "lead",
    goes_on=lambda view, moves: len(moves) < 2 and view.core.to_dict()["phase"] == "attack",
    hand=_kami_hand,
    play=_kami_play,
)


# --- The Crew: the first task taken or given, or without tasks to be shared out the first lead ---


def _crew_hand(view: View) -> str:
    """Rockets, and the length of the longest suit."""
    suits = Counter(str(card)[0] for card in view.core.to_dict()["hand"])
    rockets = suits.pop("R", 0)
    return f"rockets:{rockets} longest:{max(suits.values(), default=0)}"


def _crew_play(view: View, moves: Sequence[str]) -> str:
    """A task by its rank and by what of it is held; a lead by its rank and whose task it touches."""
    (move,) = moves
    facts = view.core.to_dict()
    if facts["phase"] == "draft" and move.startswith("take "):
        card = move.removeprefix("take ")
        held = "held" if card in facts["hand"] else "not held"
        length = sum(other[0] == card[0] for other in facts["hand"])
        return f"take {_rank(card)}, {held}, suit:{_band(length, (0, 1, 3))}"
    if facts["phase"] == "play":
        return f"lead {_rank(move)}, {_touched(facts, view.seat, move)}"
    return move


def _rank(card: str) -> str:
    if card[0] == "R":
        return "rocket"
    return ("low", "middle", "high")[(int(card[1]) - 1) // 3]


def _touched(facts: dict[str, Any], seat: int, card: str) -> str:
    """Whose task a lead goes after: the card itself, else its suit; the seat's own before another's."""
    tasks = [str(task).partition(" ")[0] for task in facts["tasks"]]
    for what, length in (("task", 2), ("suit of task", 1)):
        owners = [
            owner
            for task, owner in zip(tasks, facts["owners"], strict=True)
            if task[:length] == card[:length]
        ]
        if owners:
            return f"own {what}" if seat in owners else f"another's {what}"
    return "no task's suit"


THECREW = Opening(
    due=lambda view: view.core.to_dict()["phase"] in ("draft", "owner", "play"),
    goes_on=lambda view, moves: False,  # noqa: ARG005
    hand=_crew_hand,
    play=_crew_play,
)

OPENINGS = {"kami": KAMI, "thecrew": THECREW}
