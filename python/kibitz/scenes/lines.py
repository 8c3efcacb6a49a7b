"""Boards on which a line of equal marks wins: the line, and the scene around the board."""

from collections.abc import Mapping, Sequence

from kibitz.scenes.scene import Color, Drawing, Fact, Grid, Sight, Zone

__all__ = ["COLORS", "board_drawing", "line_cells"]

COLORS: dict[Color, str] = {"red": "red", "yellow": "yellow", "blue": "blue"}


def line_cells(board: Sequence[str], length: int) -> set[tuple[int, int]]:
    """Row and column of all cells in lines of `length` equal marks.

    >>> sorted(line_cells(["x.o", "xo.", "x.."], 3))
    [(0, 0), (1, 0), (2, 0)]
    """
    found: set[tuple[int, int]] = set()
    for row, line in enumerate(board):
        for column, mark in enumerate(line):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * k, column + right * k) for k in range(length)]
                inside = all(r < len(board) and 0 <= c < len(line) for r, c in cells)
                if mark != "." and inside and all(board[r][c] == mark for r, c in cells):
                    found.update(cells)
    return found


def board_drawing(
    sight: Sight,
    board: Sequence[str],
    grid: Grid,
    line: set[tuple[int, int]],
    colors: Mapping[str, Color],
    spoken: str,
) -> Drawing:
    """The two seats with their marks, and the board between them."""
    if sight.turn is None:
        row, column = next(iter(line), (-1, -1))
        winner = "xo".index(board[row][column]) if line else None
        subtitle = "a draw" if winner is None else f"{sight.label(winner)} has won"
    else:
        subtitle = f"{sight.label(int(sight.turn))} to move"
    seats = [
        Zone(
            label=sight.label(seat),
            role="facts",
            seat=seat,
            own=seat == sight.seat,
            active=seat == sight.turn,
            facts=(Fact("plays", f"{mark}, {COLORS[colors[mark]]}"),),
        )
        for seat, mark in enumerate("xo")
    ]
    first, last = (seats[seat] for seat in sight.order)
    return Drawing(
        subtitle=subtitle,
        alt=f"{sight.name}: {subtitle}. {spoken}",
        zones=(first, Zone(label="board", role="board", grid=grid), last),
    )
