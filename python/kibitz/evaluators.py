"""Evaluators: what judges positions for `search="puct"`, such as a neural network, and what it is asked."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from kibitz import _core
from kibitz.errors import InvalidOption, shown
from kibitz.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from kibitz.game import Game

__all__ = ["Evaluator", "Leaves", "question"]


class Evaluator(Protocol):
    """A function that judges positions. `leaves` has n of them with at most m legal moves each.

    It answers with two arrays, or what numpy can make arrays of:

    - priors, shape (n, m): how likely each legal move is to be the best, 0 or more. Each row is scaled to a sum of 1
      over the legal moves; what stands past them is not looked at.
    - values, shape (n, seats): the utility of each seat, 0 to 1, in the unit of `leaves.utility`.
    """

    def __call__(self, leaves: "Leaves", /) -> "tuple[ArrayLike, ArrayLike]": ...


class Leaves:
    """The positions that a search asks its evaluator about, all at once. Its arrays are read-only.

    Each is what its seat to move knows of a world the search has drawn: never the world itself. n is how many there
    are, m the most legal moves that one of them has.

    Attributes:
        game: Game and options.
        utility: What a value is to be: `"win"`, `"score"` or `"win+margin"`, as in `best_move`.
        codes: Shape (n, m), uint32: the codes of the legal moves (`game.core.move_text`), 0 past the last.
        seats: Shape (n,), int64: the seat to move.

    >>> import kibitz
    >>> def even(leaves):
    ...     return leaves.uniform(), [[0.5] * leaves.game.seats] * len(leaves)
    >>> view = kibitz.load("tic_tac_toe").deal(seed=0).view()
    >>> kibitz.best_move(view, search="puct", evaluator=even, iterations=100).iterations
    100
    """

    def __init__(
        self,
        game: "Game",
        utility: str,
        cores: tuple[_core.View, ...],
        codes: "NDArray[np.uint32]",
        seats: "NDArray[np.int64]",
    ) -> None:
        self.game = game
        self.utility = utility
        self.codes = codes
        self.seats = seats
        self._cores = cores

    def __len__(self) -> int:
        return len(self._cores)

    @cached_property
    def views(self) -> tuple[View, ...]:
        """A view a leaf, made when first asked for. Its record begins here: it knows the position and not the way."""
        return tuple(View(self.game, core, start=core.to_dict()) for core in self._cores)

    @cached_property
    def moves(self) -> tuple[tuple[str, ...], ...]:
        """The texts of the legal moves of each leaf, in the order of `codes`; made when first asked for."""
        text = self.game.core.move_text
        return tuple(tuple(text(code) for code in row if code) for row in self.codes.tolist())

    @cached_property
    def legal(self) -> "NDArray[np.bool_]":
        """Shape (n, m): which places of `codes` hold a move."""
        mask: NDArray[np.bool_] = self.codes != 0
        mask.setflags(write=False)
        return mask

    def uniform(self) -> "NDArray[np.float64]":
        """Shape (n, m): priors that prefer no move, an array of the caller's own."""
        priors: NDArray[np.float64] = self.legal / self.legal.sum(axis=1, keepdims=True)
        return priors

    def __repr__(self) -> str:
        return f"<{len(self)} leaves of {self.game.slug}>"


def check_evaluator(value: object) -> None:
    """Refuses what cannot be called.

    Raises:
        InvalidOption: It can't, or it is a class.
    """
    if isinstance(value, type) or not callable(value):
        raise InvalidOption(
            f"evaluator cannot be {shown(value)}; it is a function of kibitz.Leaves that gives priors and values.",
            given=value,
        )


def evaluator_name(evaluator: Evaluator) -> str:
    """What an evaluator goes by in the names of bots: its own `name`, else that of the function or class."""
    for name in (getattr(evaluator, "name", None), getattr(evaluator, "__name__", None)):
        if isinstance(name, str):
            return name
    return type(evaluator).__name__


def question(evaluator: Evaluator, game: "Game", utility: str) -> Callable[..., Any]:
    """An evaluator as the core calls it."""
    return lambda cores, codes, seats: evaluator(Leaves(game, utility, cores, codes, seats))
