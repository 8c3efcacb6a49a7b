"""Tic-tac-toe in plain Python, written from the rules alone, to check the core against.

Nine cells `a1` to `c3`: a column's letter and a row's digit, row 1 at the bottom. Seat 0 marks x, seat 1 marks o, in
turn, in any empty cell. Who has three in a row, column or diagonal has won; a full board without is a draw.
"""

from functools import cache

CELLS = [column + row for row in "123" for column in "abc"]
LINES = [
    *([column + row for column in "abc"] for row in "123"),
    *([column + row for row in "123"] for column in "abc"),
    ["a1", "b2", "c3"],
    ["a3", "b2", "c1"],
]


class Reference:
    """A game as it stands: which seat has marked a cell, if any."""

    def __init__(self) -> None:
        self.marks: dict[str, int | None] = dict.fromkeys(CELLS)

    def copy(self) -> "Reference":
        other = Reference()
        other.marks = dict(self.marks)
        return other

    def winner(self) -> int | None:
        for seat in (0, 1):
            if any(all(self.marks[cell] == seat for cell in line) for line in LINES):
                return seat
        return None

    def actor(self) -> int | None:
        """The seat to move; None once the game is over."""
        made = sum(mark is not None for mark in self.marks.values())
        return None if made == 9 or self.winner() is not None else made % 2

    def legal(self) -> list[str]:
        return [] if self.actor() is None else [cell for cell in CELLS if self.marks[cell] is None]

    def play(self, cell: str) -> None:
        seat = self.actor()
        if seat is None or self.marks[cell] is not None:
            raise ValueError(cell)
        self.marks[cell] = seat

    def returns(self) -> list[float]:
        """Shares of the win; nothing before the end."""
        winner = self.winner()
        if winner is not None:
            return [float(winner == seat) for seat in (0, 1)]
        return [0.5, 0.5] if self.actor() is None else [0.0, 0.0]

    def view(self, seat: int) -> dict[str, list[str]]:
        """Everything is public: both seats see the same board, top row first."""
        letter = {None: ".", 0: "x", 1: "o"}
        return {"board": ["".join(letter[self.marks[column + row]] for column in "abc") for row in "321"]}


Marks = tuple[int | None, ...]  # by cell, in the order of CELLS


def after(marks: Marks) -> Reference:
    """The game in which these marks have been made."""
    game = Reference()
    game.marks = dict(zip(CELLS, marks, strict=True))
    return game


@cache
def value(marks: Marks) -> float:
    """Seat 0's share of the win under best play."""
    game = after(marks)
    actor = game.actor()
    if actor is None:
        return game.returns()[0]
    return (min if actor else max)(map(value, replies(marks)))


def replies(marks: Marks) -> list[Marks]:
    """The positions after each legal move."""
    found = []
    for cell in after(marks).legal():
        game = after(marks)
        game.play(cell)
        found.append(tuple(game.marks.values()))
    return found


@cache
def positions() -> dict[Marks, None]:
    """All that play leads to, the empty board first."""
    found: dict[Marks, None] = {(None,) * 9: None}
    queue = list(found)
    for marks in queue:
        fresh = [reply for reply in replies(marks) if reply not in found]
        found.update(dict.fromkeys(fresh))
        queue += fresh
    return found
