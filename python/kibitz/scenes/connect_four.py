"""Connect Four: the upright board; an empty cell where a disc would come to lie carries its column as the move."""

from kibitz.scenes.lines import COLORS, board_drawing, line_cells
from kibitz.scenes.scene import Cell, Color, Drawing, Grid, Sight

__all__ = ["drawing_of"]

DISCS: dict[str, Color] = {"x": "red", "o": "yellow"}


def drawing_of(sight: Sight) -> Drawing:
    """The board from its field `board`, the uppermost row first."""
    board: list[str] = sight.facts["board"]
    line = line_cells(board, 4)
    rows = len(board)

    def cell(row: int, column: int) -> Cell:
        disc = board[row][column]
        place = f"column {column + 1}, row {rows - row} from below"
        if disc in DISCS:
            held = f"{place}: {COLORS[DISCS[disc]]} disc of seat {'xo'.index(disc)}"
            marks = ("line",) if (row, column) in line else ()
            return Cell(disc, held + (", in the winning line" if marks else ""), DISCS[disc], marks)
        lands = row == rows - 1 or board[row + 1][column] != "."
        return Cell("", f"{place}: empty", move=sight.move(str(column + 1)) if lands else None)

    grid = Grid(tuple(tuple(cell(row, column) for column in range(len(board[0]))) for row in range(rows)))
    return board_drawing(sight, board, grid, line, DISCS, spoken_rows(board))


def spoken_rows(board: list[str]) -> str:
    """The columns that hold discs, from below: `"column 4: red, yellow"`."""
    columns = []
    for column in range(len(board[0])):
        discs = [COLORS[DISCS[row[column]]] for row in reversed(board) if row[column] in DISCS]
        if discs:
            columns.append(f"column {column + 1}: {', '.join(discs)}")
    return f"From below, {'; '.join(columns)}." if columns else "The board is empty."
