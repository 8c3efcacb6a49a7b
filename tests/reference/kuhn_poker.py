"""Kuhn poker in plain Python, written from the rules alone, to check the fast core against.

Three cards, J below Q below K. Each seat puts 1 chip in and is dealt one card. Seat 0, then seat 1, passes or bets a
chip. Two passes or two bets: the cards are shown and the higher takes the pot. A pass after a bet gives it away. After
pass and bet seat 0 chooses once more. A position is the list of all that has happened, so nothing is kept twice.

>>> game = Reference()
>>> for text in ("deal K", "deal J", "pass", "bet"):
...     game.play(text)
>>> game.actor(), game.legal(), game.view(1)["hands"]
(0, ['pass', 'bet'], 'xJ')
>>> game.play("bet")
>>> game.outcomes()
[('show K J', 1)]
>>> game.play("show K J")
>>> game.actor(), game.score()
(None, [2, -2])
"""

from typing import TypedDict

RANKS = "JQK"


class View(TypedDict):
    """The core's fields; `hands` has an x for a card not seen."""

    hands: str
    line: str
    shown: bool


class Reference:
    """One game, from before the deal."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def copy(self) -> "Reference":
        """The same game, to be played on apart."""
        twin = Reference()
        twin.events = list(self.events)
        return twin

    # --- what has happened ---

    def cards(self) -> list[str]:
        """The cards dealt, by seat."""
        return [text[-1] for text in self.events if text.startswith("deal ")]

    def line(self) -> str:
        """The decisions: p for pass, b for bet."""
        return "".join(text[0] for text in self.events if text in ("pass", "bet"))

    def shown(self) -> bool:
        """Whether the cards have been shown."""
        return any(text.startswith("show ") for text in self.events)

    # --- whose turn ---

    def actor(self) -> int | str | None:
        """A seat, "chance", or None at the end."""
        if len(self.cards()) < 2:
            return "chance"
        line = self.line()
        if line in ("", "pb"):
            return 0
        if line in ("p", "b"):
            return 1
        if line in ("bp", "pbp") or self.shown():
            return None
        return "chance"

    def legal(self) -> list[str]:
        """Texts of the moves of the seat to move."""
        return ["pass", "bet"] if isinstance(self.actor(), int) else []

    def outcomes(self) -> list[tuple[str, int]]:
        """Texts and weights of what chance may bring."""
        if self.actor() != "chance":
            return []
        cards = self.cards()
        if len(cards) == 2:
            return [("show " + " ".join(cards), 1)]
        return [(f"deal {card}", 1) for card in RANKS if card not in cards]

    def play(self, text: str) -> None:
        """A legal move or a possible outcome."""
        if text not in self.legal() and text not in [text for text, _ in self.outcomes()]:
            raise ValueError(f"{text!r} after {self.events}")
        self.events.append(text)

    # --- knowledge ---

    def seen(self, text: str, seat: int) -> str:
        """What a seat sees of a move or outcome about to be played."""
        if text.startswith("deal ") and len(self.cards()) != seat:
            return "deal x"
        return text

    def view(self, seat: int) -> View:
        """What a seat may know."""
        hands = ["-", "-"]
        for i, card in enumerate(self.cards()):
            hands[i] = card if i == seat or self.shown() else "x"
        return {"hands": "".join(hands), "line": self.line(), "shown": self.shown()}

    # --- the end ---

    def score(self) -> list[int]:
        """Chips won, by seat; nothing before the end."""
        if self.actor() is not None:
            return [0, 0]
        line = self.line()
        mine, other = map(RANKS.index, self.cards())
        if line == "bp":
            won = 1
        elif line == "pbp":
            won = -1
        elif line == "pp":
            won = 1 if mine > other else -1
        else:
            won = 2 if mine > other else -2
        return [won, -won]

    def returns(self) -> list[float]:
        """Shares of the win."""
        return [float(chips > 0) for chips in self.score()]
