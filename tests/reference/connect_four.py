"""Connect Four in plain Python, written from the rules alone, to check the core against.

Columns 1 to 7 from the left, six cells high. Seat 0 (x) and seat 1 (o) in turn drop a disc into a column that is not
full; it falls onto the discs below. Who has four in a row, column or diagonal has won; a full board without is a draw.
"""

from functools import cache

Cell = tuple[int, int]  # column from the left, row from the bottom, from 0


@cache
def lines(columns: int, rows: int) -> list[list[Cell]]:
    """All fours of cells in a line: 69 on the usual board."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                    found.append(line)
    return found


class Reference:
    """A game as it stands: the discs of each column from the bottom up, as the seats that dropped them."""

    def __init__(self, columns: int = 7, rows: int = 6) -> None:
        self.columns, self.rows = columns, rows
        self.discs: list[list[int]] = [[] for _ in range(columns)]

    def copy(self) -> "Reference":
        other = Reference(self.columns, self.rows)
        other.discs = [list(column) for column in self.discs]
        return other

    def at(self, cell: Cell) -> int | None:
        column, row = cell
        return self.discs[column][row] if row < len(self.discs[column]) else None

    def count(self) -> int:
        return sum(map(len, self.discs))

    def winner(self) -> int | None:
        for line in lines(self.columns, self.rows):
            owners = {self.at(cell) for cell in line}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return None

    def actor(self) -> int | None:
        """The seat to move; None once the game is over."""
        full = self.count() == self.columns * self.rows
        return None if full or self.winner() is not None else self.count() % 2

    def legal(self) -> list[str]:
        if self.actor() is None:
            return []
        return [str(i + 1) for i, column in enumerate(self.discs) if len(column) < self.rows]

    def play(self, move: str) -> None:
        if move not in self.legal():
            raise ValueError(move)
        self.discs[int(move) - 1].append(self.count() % 2)

    def returns(self) -> list[float]:
        """Shares of the win; nothing before the end."""
        winner = self.winner()
        if winner is not None:
            return [float(winner == seat) for seat in (0, 1)]
        return [0.5, 0.5] if self.actor() is None else [0.0, 0.0]

    def view(self, seat: int) -> dict[str, list[str]]:
        """Everything is public: both seats see the same board, top row first."""
        letter = {None: ".", 0: "x", 1: "o"}
        return {
            "board": [
                "".join(letter[self.at((column, row))] for column in range(self.columns))
                for row in reversed(range(self.rows))
            ]
        }


def leaves(game: Reference, depth: int) -> int:
    """Lines of play of that many decisions; none below the end of a game."""
    if depth == 0:
        return 1
    count = 0
    for move in game.legal():
        after = game.copy()
        after.play(move)
        count += leaves(after, depth - 1)
    return count


def plain_value(game: Reference) -> int:
    """What `connect_four_values.solve` says, by trying everything: for nearly full boards."""
    cells = game.columns * game.rows
    if game.winner() is not None:
        return -(cells + 1 - game.count())
    if game.actor() is None:
        return 0
    best = -cells
    for move in game.legal():
        after = game.copy()
        after.play(move)
        best = max(best, -plain_value(after))
    return best
