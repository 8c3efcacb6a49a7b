"""Tic-tac-toe: nine cells; an empty one carries its name as the move."""

from kibitz.scenes.lines import board_drawing, line_cells
from kibitz.scenes.scene import Cell, Color, Drawing, Grid, Sight
from kibitz.scenes.words import joined

__all__ = ["drawing_of"]

MARKS: dict[str, Color] = {"x": "blue", "o": "red"}


def drawing_of(sight: Sight) -> Drawing:
    """The board from its field `board`, row 3 first."""
    board: list[str] = sight.facts["board"]
    line = line_cells(board, 3)

    def cell(row: int, column: int) -> Cell:
        mark, name = board[row][column], _name(row, column)
        if mark in MARKS:
            marks = ("line",) if (row, column) in line else ()
            label = f"{name}: {mark} of seat {'xo'.index(mark)}" + (", in the winning line" if marks else "")
            return Cell(mark, label, MARKS[mark], marks)
        return Cell("", f"{name}: empty", move=sight.move(name))

    grid = Grid(tuple(tuple(cell(row, column) for column in range(3)) for row in range(3)))
    held = [
        f"{mark} has {joined(cells)}"
        for mark in MARKS
        if (cells := [_name(r, c) for r in (2, 1, 0) for c in range(3) if board[r][c] == mark])
    ]
    return board_drawing(sight, board, grid, line, MARKS, f"{'; '.join(held) or 'The board is empty'}.")


def _name(row: int, column: int) -> str:
    return f"{'abc'[column]}{3 - row}"
