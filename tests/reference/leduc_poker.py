"""Leduc poker in plain Python, written from the rules alone, to check the fast core against.

Six cards: J, Q and K in suits 1 and 2. Each seat puts 1 chip in and is dealt one card. Seat 0 begins each of two
rounds of betting: call matches the other's chips (a check, if there is nothing to match), raise adds 2 chips to that
in the first round and 4 in the second, at most twice a round, fold gives the pot away and is possible only against a
raise. A round ends when a raise is called, or when both have called without one. Between the rounds a public card is
turned up. At the end a pair with it wins, else the higher rank; equal ranks share the pot.

>>> game = Reference()
>>> for text in ("deal K1", "deal J2", "raise", "call", "public J1"):
...     game.play(text)
>>> game.actor(), game.legal(), game.view(0)["hands"]
(0, ['call', 'raise'], ['K1', 'x'])
>>> for text in ("call", "raise", "call", "show K1 J2"):
...     game.play(text)
>>> game.actor(), game.score()
(None, [-7, 7])
"""

from typing import TypedDict

DECK = [rank + suit for rank in "JQK" for suit in "12"]
RAISE = [2, 4]  # chips, by round
MAX_RAISES = 2  # in a round


class View(TypedDict):
    """The core's fields; a hand is x if not seen, - if there is none."""

    hands: list[str]
    public: str
    rounds: list[str]
    shown: bool


class Reference:
    """One game, from before the deal."""

    def __init__(self) -> None:
        self.hands: list[str] = []
        self.public = ""
        self.rounds: list[list[str]] = [[], []]
        self.now = 0  # round
        self.paid = [1, 1]
        self.turn = 0
        self.folded: int | None = None
        self.shown = False

    def copy(self) -> "Reference":
        """The same game, to be played on apart."""
        twin = Reference()
        twin.hands, twin.public, twin.now, twin.turn = list(self.hands), self.public, self.now, self.turn
        twin.rounds, twin.paid = [list(line) for line in self.rounds], list(self.paid)
        twin.folded, twin.shown = self.folded, self.shown
        return twin

    def closed(self) -> bool:
        """Whether the round of betting has ended without a fold."""
        line = self.rounds[self.now]
        return len(line) >= 2 and line[-1] == "call"

    def actor(self) -> int | str | None:
        """A seat, "chance", or None at the end."""
        if self.folded is not None or self.shown:
            return None
        if len(self.hands) < 2 or self.closed():
            return "chance"
        return self.turn

    def legal(self) -> list[str]:
        """Texts of the moves of the seat to move."""
        if not isinstance(self.actor(), int):
            return []
        moves = ["call"]
        if self.paid[self.turn] < self.paid[1 - self.turn]:
            moves.insert(0, "fold")
        if self.rounds[self.now].count("raise") < MAX_RAISES:
            moves.append("raise")
        return moves

    def outcomes(self) -> list[tuple[str, int]]:
        """Texts and weights of what chance may bring."""
        if self.actor() != "chance":
            return []
        if self.public and self.closed():
            return [("show " + " ".join(self.hands), 1)]
        word = "public" if len(self.hands) == 2 else "deal"
        return [(f"{word} {card}", 1) for card in DECK if card not in self.hands]

    def play(self, text: str) -> None:
        """A legal move or a possible outcome."""
        if text not in self.legal() and text not in [text for text, _ in self.outcomes()]:
            raise ValueError(f"{text!r}; legal: {self.legal()}, possible: {self.outcomes()}")
        word, *cards = text.split()
        if word == "deal":
            self.hands += cards
        elif word == "public":
            (self.public,) = cards
            self.now, self.turn = 1, 0
        elif word == "show":
            self.shown = True
        else:
            self.rounds[self.now].append(word)
            if word == "fold":
                self.folded = self.turn
            else:
                self.paid[self.turn] = self.paid[1 - self.turn]
            if word == "raise":
                self.paid[self.turn] += RAISE[self.now]
            self.turn = 1 - self.turn

    def seen(self, text: str, seat: int) -> str:
        """What a seat sees of a move or outcome about to be played."""
        return "deal x" if text.startswith("deal") and len(self.hands) != seat else text

    def view(self, seat: int) -> View:
        """What a seat may know."""
        hands = ["-", "-"]
        for i, card in enumerate(self.hands):
            hands[i] = card if i == seat or self.shown else "x"
        return {
            "hands": hands,
            "public": self.public or "-",
            "rounds": ["".join(word[0] for word in line) for line in self.rounds],
            "shown": self.shown,
        }

    def score(self) -> list[int]:
        """Chips won, by seat; nothing before the end."""
        if self.actor() is not None:
            return [0, 0]
        if self.folded is not None:
            winner: int | None = 1 - self.folded
        else:
            first, second = ((hand[0] == self.public[0], "JQK".index(hand[0])) for hand in self.hands)
            winner = None if first == second else 0 if first > second else 1
        if winner is None:
            return [0, 0]
        pot = sum(self.paid)
        return [pot * (seat == winner) - self.paid[seat] for seat in (0, 1)]

    def returns(self) -> list[float]:
        """Shares of the win."""
        if self.actor() is not None:
            return [0.0, 0.0]
        return [0.5 if chips == 0 else float(chips > 0) for chips in self.score()]
