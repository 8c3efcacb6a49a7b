"""Positions solved exactly with open hands: what each seat can have if everybody sees everything."""

from dataclasses import asdict, dataclass
from typing import Any

from kibitz import _core
from kibitz.errors import InvalidOption, shown
from kibitz.events import event_texts
from kibitz.given import whole
from kibitz.layout import Layout
from kibitz.table import Table

__all__ = ["Solution", "SolvedMove", "solve"]


def solve(
    table: Table,
    *,
    nodes: int | None = None,
    max_bytes: int | None = None,
    stop: _core.Stop | None = None,
) -> "Solution":
    """What every seat can have from a table with open hands, which moves keep it, and one line of best play.

    Every seat sees all hands and plays for its own value: between two sides minimax, among three or more max^n, in a
    co-operative game the crew's common end. It is exact, or it says that a limit ended it; nothing is guessed. It is
    for looking back at a deal and for research. What a seat should play without seeing the others' hands is for
    `best_move` to say.

    Args:
        table: The truth, wherever it stands; not at an outcome of chance.
        nodes: Positions looked at, at most.
        max_bytes: Memory of its tables, by default 64 MB.
        stop: To end it from another thread.

    Raises:
        InvalidOption: No table, a game without a solver, or an argument that is not allowed.
        KeyboardInterrupt: Ctrl-C.

    >>> import kibitz
    >>> game = kibitz.load("thecrew", mission=1, players=3, distress="off")
    >>> solution = kibitz.solve(game.deal(seed=3))
    >>> solution.solved, solution.unit, set(solution.values) <= {0, 1}
    (True, 'win', True)
    """
    given: object = table
    if not isinstance(given, Table):
        raise InvalidOption(
            f"Only a table with all hands known can be solved, not {shown(given)}; View.sample gives a world of a "
            "view.",
            given=given,
        )
    if not isinstance(stop, _core.Stop | None):
        raise InvalidOption(f"stop cannot be {shown(stop)}; it is a kibitz.Stop or None.", given=stop)
    found = _core.solve(
        table.core,
        nodes=None if nodes is None else whole("nodes", nodes, least=1),
        max_bytes=None if max_bytes is None else whole("max_bytes", max_bytes, least=1 << 20, most=1 << 40),
        stop=stop,
    )
    game = table.game.core
    return Solution(
        game=table.game.slug,
        unit=str(table.game.info["solves"]),
        solved=found["solved"],
        values=None if found["values"] is None else tuple(found["values"]),
        moves=tuple(SolvedMove(game.move_text(code), tuple(values)) for code, values in found["moves"]),
        line=event_texts(game, found["line"]),
        nodes=found["nodes"],
    )


@dataclass(frozen=True)
class SolvedMove:
    """A legal move, and what each seat has after it under best play.

    Attributes:
        move: Its text.
        values: By seat.
    """

    move: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """What is known of a position with open hands.

    Attributes:
        game: Its name.
        unit: What values count: "points" of a round, or "win", 1 or 0.
        solved: Whether it was solved; if not, a limit ended it, and only `nodes` means something.
        values: What each seat has under best play.
        moves: Each legal move with what it leads to, in legal order; empty where no decision is due.
        line: Best play to the end, as events.
        nodes: Positions looked at.
    """

    game: str
    unit: str
    solved: bool
    values: tuple[int, ...] | None
    moves: tuple[SolvedMove, ...]
    line: tuple[str, ...]
    nodes: int

    def table(self) -> str:
        """The moves as text with aligned columns."""
        return self._layout().text()

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return asdict(self)

    def _layout(self) -> Layout:
        seats = len(self.moves[0].values) if self.moves else 0
        header = ("move", *(f"seat {seat}" for seat in range(seats)))
        rows = [(each.move, *map(str, each.values)) for each in self.moves]
        return Layout(header, rows, right=header[1:])
