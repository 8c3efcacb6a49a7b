"""Deals after some random moves: where nothing is dealt they make games differ."""

import kibitz
from kibitz import _core
from kibitz.game import derived_seed


def opened(game: kibitz.Game, seed: int, number: int, plies: int) -> kibitz.Table:
    """A deal after so many random moves."""
    rng = _core.Rng(seed, "test opening", number)
    while True:
        table = game.deal(seed=derived_seed(seed, number))
        for _ in range(plies):
            if table.turn is not None:
                table.play(table.legal()[rng.below(len(table.legal()))])
        if table.turn is not None:
            return table
