"""Goofspiel in plain Python, written from the rules alone, to check the fast core against.

Every seat holds the cards 1 to n, and so do the prizes. Each round a prize is turned up, by chance or in order; every
seat lays a card face-down; when all have, the cards are shown, and the highest takes the prize as points. If the
highest card was laid more than once nobody gets it. Cards once laid are gone. Most points win; equals share the win.

>>> game = Reference(2, cards=3)
>>> for text in ("prize 3", "bid 2"):
...     game.play(text)
>>> game.actor(), game.legal(), game.view(1)["bids"], game.view(0)["bids"]
(1, ['bid 1', 'bid 2', 'bid 3'], ['.x', ''], ['.2', ''])
>>> game.play("bid 3")
>>> game.outcomes()
[('bids 2 3', 1)]
>>> game.play("bids 2 3")
>>> game.score(), game.outcomes()
([0, 3], [('prize 1', 1), ('prize 2', 1)])
"""

from typing import TypedDict


class View(TypedDict):
    """The core's fields: texts of cards in order, a dot before one that lies face-down, x where not seen."""

    prizes: str
    bids: list[str]


class Reference:
    """One game, from before the first prize."""

    def __init__(self, players: int, *, cards: int = 13, prizes: str = "random") -> None:
        self.players, self.cards, self.order = players, cards, prizes
        self.prizes: list[int] = []  # turned up, in order
        self.rounds: list[list[int]] = []  # the bids of each finished round, by seat
        self.laid: list[int] = []  # this round's bids

    def copy(self) -> "Reference":
        """The same game, to be played on apart."""
        twin = Reference(self.players, cards=self.cards, prizes=self.order)
        twin.prizes, twin.laid = list(self.prizes), list(self.laid)
        twin.rounds = [list(bids) for bids in self.rounds]
        return twin

    def hand(self, seat: int) -> list[int]:
        """Cards that a seat has not shown."""
        return sorted(set(range(1, self.cards + 1)) - {bids[seat] for bids in self.rounds})

    def actor(self) -> int | str | None:
        """A seat, "chance", or None at the end."""
        if len(self.rounds) == self.cards:
            return None
        if len(self.prizes) == len(self.rounds) or len(self.laid) == self.players:
            return "chance"
        return len(self.laid)

    def legal(self) -> list[str]:
        """Texts of the moves of the seat to move."""
        actor = self.actor()
        return [f"bid {card}" for card in self.hand(actor)] if isinstance(actor, int) else []

    def outcomes(self) -> list[tuple[str, int]]:
        """Texts and weights of what chance may bring."""
        if self.actor() != "chance":
            return []
        if self.laid:
            return [("bids " + " ".join(map(str, self.laid)), 1)]
        left = [card for card in range(1, self.cards + 1) if card not in self.prizes]
        if self.order == "ascending":
            left = left[:1]
        elif self.order == "descending":
            left = left[-1:]
        return [(f"prize {card}", 1) for card in left]

    def play(self, text: str) -> None:
        """A legal move or a possible outcome."""
        if text not in self.legal() and text not in [text for text, _ in self.outcomes()]:
            raise ValueError(f"{text!r}; legal: {self.legal()}, possible: {self.outcomes()}")
        word, *cards = text.split()
        if word == "prize":
            self.prizes += map(int, cards)
        elif word == "bid":
            self.laid += map(int, cards)
        else:
            self.rounds.append(self.laid)
            self.laid = []

    def seen(self, text: str, seat: int) -> str:
        """What a seat sees of a move or outcome about to be played."""
        return "bid x" if text.startswith("bid ") and len(self.laid) != seat else text

    def view(self, seat: int) -> View:
        """What a seat may know."""
        bids = [[str(bids[other]) for bids in self.rounds] for other in range(self.players)]
        for other, card in enumerate(self.laid):
            bids[other].append(f".{card}" if other == seat else ".x")
        return {"prizes": " ".join(map(str, self.prizes)), "bids": [" ".join(texts) for texts in bids]}

    def score(self) -> list[int]:
        """Points, by seat."""
        points = [0] * self.players
        for prize, bids in zip(self.prizes, self.rounds, strict=False):
            if bids.count(max(bids)) == 1:
                points[bids.index(max(bids))] += prize
        return points

    def returns(self) -> list[float]:
        """Shares of the win."""
        points = self.score()
        if self.actor() is not None:
            return [0.0] * self.players
        return [float(own == max(points)) / points.count(max(points)) for own in points]
