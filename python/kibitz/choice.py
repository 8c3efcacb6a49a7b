"""Which move to play of those that a search has weighed: the best, or with a temperature sometimes another.

With a temperature T a move is played with a probability in proportion to `exp(-gap / T)`. The gap is how far its mean
utility is below the chosen move's, as a share of how far the worst one's is: 0 for the best, 1 for the worst. So T
means the same in every game and every unit of utility, and a small mistake is likelier than a large one. Only moves
that the search has tried are played, and it has seen no more than the seat may.
"""

import math
from typing import TYPE_CHECKING

from kibitz.errors import InvalidOption, shown
from kibitz.given import as_number

if TYPE_CHECKING:
    from kibitz.analysis import Analysis, Row

__all__ = ["checked_temperature", "chosen", "weights_of"]

MOST_TEMPERATURE = 100


def checked_temperature(value: object) -> int | float:
    """A temperature as it may be given.

    Raises:
        InvalidOption: No number from 0 to 100.
    """
    found = as_number(value)
    if found is None or not 0 <= found <= MOST_TEMPERATURE:
        raise InvalidOption(
            f"temperature cannot be {shown(value)}; it is a number from 0 to {MOST_TEMPERATURE}.", given=value
        )
    return found


def chosen(found: "Analysis", *, temperature: float, seed: int) -> str:
    """The move to play after a search.

    Args:
        found: What it found. Its own choice is played if the temperature is 0 or it has compared no moves.
        temperature: From 0 to 100.
        seed: Same seed, same choice.
    """
    from kibitz.game import derived_seed

    if temperature == 0:
        return found.move
    weights = weights_of(found, temperature=temperature)
    left = derived_seed(seed, "choice") / 2**64 * math.fsum(weights.values())
    for move, weight in weights.items():
        left -= weight
        if left < 0:
            return move
    return found.move


def weights_of(found: "Analysis", *, temperature: float) -> dict[str, float]:
    """The weight of each move that may be played, in the order of the analysis; the best has 1.

    >>> import kibitz
    >>> table = kibitz.load("tic_tac_toe").deal(seed=0)
    >>> for move in ("a3", "a2", "b3", "b2"):
    ...     table.play(move)
    >>> found = kibitz.best_move(table.view(), iterations=200)  # c3 completes a row
    >>> weights = weights_of(found, temperature=0.2)
    >>> weights["c3"], max(weight for move, weight in weights.items() if move != "c3") < 0.9
    (1.0, True)
    """
    tried = [row for row in found.moves if row.visits > 0 or row.exact is not None]
    if not tried or tried[0].move != found.move:
        return {found.move: 1.0}
    best = _worth(tried[0])
    gaps = {row.move: max(0.0, best - _worth(row)) for row in tried}
    widest = max(gaps.values())
    return {move: math.exp(-gap / widest / temperature) if widest else 1.0 for move, gap in gaps.items()}


def _worth(row: "Row") -> float:
    return row.mean if row.exact is None else row.exact
