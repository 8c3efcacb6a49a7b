"""Tricks: who laid which card, and who took it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Trick", "tricks_of"]


@dataclass(frozen=True)
class Trick:
    """One trick.

    Attributes:
        laid: Seat and card, in the order played.
        winner: Who took it; None while it is under way.
    """

    laid: tuple[tuple[int, str], ...]
    winner: int | None

    @property
    def leader(self) -> int:
        """Who led it."""
        return self.laid[0][0]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards alone."""
        return tuple(card for _, card in self.laid)


def tricks_of(
    tricks: Sequence[Sequence[str]], leader: int | None, seats: int, *, best: Callable[[Sequence[str]], int]
) -> list[Trick]:
    """Tricks with their seats, from the cards in the order played.

    Args:
        tricks: The cards of each; the last may be under way.
        leader: Who led the first.
        seats: How many cards make a trick.
        best: The place of the card that takes a full trick.

    >>> tricks_of([["H2", "H9"], ["S1"]], 0, 2, best=lambda cards: cards.index(max(cards)))[1].laid
    ((1, 'S1'),)
    """
    found: list[Trick] = []
    for cards in tricks:
        if leader is None or not cards:
            break
        laid = tuple(((leader + place) % seats, card) for place, card in enumerate(cards))
        leader = laid[best(cards)][0] if len(cards) == seats else None
        found.append(Trick(laid, leader))
    return found
