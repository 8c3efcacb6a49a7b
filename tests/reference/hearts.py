"""Hearts in plain Python, written from the rules page alone (docs/games/hearts.md), to check the fast core against.

A card is a text, rank and suit: "TC" is the ten of clubs. Hands are sets of cards. Rules are named as on the page.

>>> game = Reference(pass_cards=False)
>>> game.actor(), len(game.outcomes())
('chance', 52)
>>> for card in PACK:  # so each seat gets each fourth card of the sorted pack
...     game.play(f"deal {card}")
>>> game.outcomes()
[('first 0', 1)]
>>> game.play("first 0")
>>> game.legal()
['2C']
>>> game.play("2C")
>>> game.legal()
['3C', '7C', 'JC']
>>> game.play("4D")
Traceback (most recent call last):
ValueError: '4D' (seat 1, play); legal: 3C 7C JC
"""

import copy
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

SUITS, RANKS = "CDSH", "23456789TJQKA"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
DIRECTIONS = ["none", "left", "across", "right"]
HEARTS = {card for card in PACK if card[1] == "H"}
POINTS = HEARTS | {"QS"}
SEATS = range(4)


def ordered(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=PACK.index)


def text(cards: Iterable[str]) -> str:
    return " ".join(ordered(cards))


def winner(trick: list[str]) -> int:
    """Place in the trick of the highest card of the suit led."""
    return max((RANKS.index(card[0]), place) for place, card in enumerate(trick) if card[1] == trick[0][1])[1]


class Reference:
    """One deal from before any chance to its end."""

    def __init__(
        self,
        *,
        pass_cards: bool = True,
        no_pts_on_first_trick: bool = True,
        can_lead_any_club: bool = False,
        jd_bonus: bool = False,
        avoid_all_tricks_bonus: bool = False,
        must_break_hearts: bool = True,
        qs_breaks_hearts: bool = True,
        can_lead_hearts_instead_of_qs: bool = False,
    ) -> None:
        self.pass_cards = pass_cards
        self.no_pts_on_first_trick = no_pts_on_first_trick
        self.can_lead_any_club = can_lead_any_club
        self.jd_bonus = jd_bonus
        self.avoid_all_tricks_bonus = avoid_all_tricks_bonus
        self.must_break_hearts = must_break_hearts
        self.qs_breaks_hearts = qs_breaks_hearts
        self.can_lead_hearts_instead_of_qs = can_lead_hearts_instead_of_qs

        self.phase = "direction" if pass_cards else "deal"
        self.direction = "" if pass_cards else "none"
        self.hands: list[set[str]] = [set() for _ in SEATS]
        self.passed: list[set[str]] = [set() for _ in SEATS]
        self.served = 0  # seats that have been given what was passed to them
        self.first: int | None = None
        self.turn: int | None = None
        self.tricks: list[list[str]] = []
        self.won: list[list[list[str]]] = [[] for _ in SEATS]  # by seat, the tricks it took
        self.broken = False

    def copy(self) -> "Reference":
        return copy.deepcopy(self)

    @classmethod
    def at(cls, position: dict[str, Any], options: dict[str, bool]) -> "Reference":
        """In the position of the core's fields, taken as it is given; `first` must be there once tricks are."""
        game = cls(**options)
        game.hands = [set(hand.split()) for hand in position["hands"]]
        game.passed = [set(cards.split()) for cards in position.get("passed", [""] * 4)]
        game.direction = position.get("direction", "none")
        game.phase = position.get("phase", "play")
        if game.phase == "pass":
            game.turn = sum(map(len, game.passed)) // 3
        if game.phase == "get":
            game.served = position["count"]
        if game.phase == "play":
            holder = next((seat for seat in SEATS if "2C" in game.hands[seat]), None)
            game.first = game.turn = position.get("first", holder)
            game.tricks = [[]]
            for card in " ".join(position.get("tricks", [])).split():
                assert game.turn is not None
                game.hands[game.turn].add(card)
                game._lay(card)
        return game

    # --- whose turn, what may happen ---

    def actor(self) -> int | str | None:
        if self.phase == "over":
            return None
        return self.turn if self.phase in ("pass", "play") else "chance"

    def giver(self, receiver: int) -> int:
        return (receiver - DIRECTIONS.index(self.direction)) % 4

    def dealt(self) -> int:
        return sum(map(len, self.hands))

    def outcomes(self) -> list[tuple[str, int]]:
        if self.phase == "direction":
            return [("no pass" if way == "none" else f"pass {way}", 1) for way in DIRECTIONS]
        if self.phase == "deal":
            held = set().union(*self.hands)
            return [(f"deal {card}", 1) for card in PACK if card not in held]
        if self.phase == "get":
            return [(f"get {text(self.passed[self.giver(self.served)])}", 1)]
        if self.phase == "first":
            return [(f"first {next(seat for seat in SEATS if '2C' in self.hands[seat])}", 1)]
        return []

    def legal(self) -> list[str]:
        if self.phase == "pass":
            assert self.turn is not None
            return [f"pass {card}" for card in ordered(self.hands[self.turn])]
        if self.phase == "play":
            assert self.turn is not None
            return ordered(self.playable(self.hands[self.turn]))
        return []

    def playable(self, hand: set[str]) -> set[str]:
        """Cards of this hand that may be played now."""
        trick = self.tricks[-1]
        opening = len(self.tricks) == 1
        if not trick:
            if opening:
                return {card for card in hand if card[1] == "C"} if self.can_lead_any_club else hand & {"2C"}
            others = hand - HEARTS
            if not self.must_break_hearts or self.broken or not others:
                return hand
            return hand if self.can_lead_hearts_instead_of_qs and others == {"QS"} else others
        same = {card for card in hand if card[1] == trick[0][1]}
        if same:
            return same
        if opening and self.no_pts_on_first_trick and hand - POINTS:
            return hand - POINTS
        return hand

    # --- play ---

    def play(self, move: str) -> None:
        allowed = self.legal() or [outcome for outcome, _ in self.outcomes()]
        if move not in allowed:
            raise ValueError(f"{move!r} (seat {self.turn}, {self.phase}); legal: {' '.join(allowed)}")
        word, *cards = move.split()
        if self.phase == "direction":
            self.direction = "none" if move == "no pass" else cards[0]
            self.phase = "deal"
        elif self.phase == "deal":
            self.hands[self.dealt() % 4].add(cards[0])
            if self.dealt() == 52:
                self.phase = "first" if self.direction == "none" else "pass"
                self.turn = None if self.direction == "none" else 0
        elif self.phase == "pass":
            assert self.turn is not None
            self.hands[self.turn].remove(cards[0])
            self.passed[self.turn].add(cards[0])
            if len(self.passed[self.turn]) == 3:
                self.turn = self.turn + 1 if self.turn < 3 else None
            if self.turn is None:
                self.phase = "get"
        elif self.phase == "get":
            self.hands[self.served] |= self.passed[self.giver(self.served)]
            self.served += 1
            if self.served == 4:
                self.phase = "first"
        elif self.phase == "first":
            self.first = self.turn = int(cards[0])
            self.tricks.append([])
            self.phase = "play"
        else:
            self._lay(word)

    def _lay(self, card: str) -> None:
        assert self.turn is not None
        trick = self.tricks[-1]
        self.hands[self.turn].remove(card)
        trick.append(card)
        if card in HEARTS or (card == "QS" and self.qs_breaks_hearts):
            self.broken = True
        self.turn = (self.turn + 1) % 4
        if len(trick) < 4:
            return
        self.turn = (self.turn + winner(trick)) % 4  # the leader is to move again: four have played
        self.won[self.turn].append(trick)
        if len(self.tricks) == 13:
            self.phase, self.turn = "over", None
        else:
            self.tricks.append([])

    # --- results ---

    def score(self) -> list[int]:
        """Penalty points by seat, so far; bonuses and the moon once the deal is over."""
        taken = [{card for trick in won for card in trick} for won in self.won]
        points = [len(cards & HEARTS) + 13 * ("QS" in cards) for cards in taken]
        if self.phase == "over":
            if 26 in points:
                points = [0 if each == 26 else 26 for each in points]
            elif self.avoid_all_tricks_bonus:
                points = [each - 5 * (not won) for each, won in zip(points, self.won, strict=True)]
        return [
            each - 10 * (self.jd_bonus and "JD" in cards) for each, cards in zip(points, taken, strict=True)
        ]

    def returns(self) -> list[float]:
        if self.phase != "over":
            return [0.0] * 4
        points = self.score()
        best = points.count(min(points))
        return [1 / best if each == min(points) else 0.0 for each in points]

    # --- what a seat sees ---

    def seen(self, move: str, seat: int) -> str:
        """A move or outcome, about to be played, as this seat sees it."""
        word = move.split(maxsplit=1)[0]
        if self.phase == "deal" and self.dealt() % 4 != seat:
            return "deal x"
        if self.phase == "pass" and self.turn != seat:
            return "pass x"
        if self.phase == "get" and seat not in (self.served, self.giver(self.served)):
            return "get x"
        assert word != "x"
        return move

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know."""
        passed = [
            text(cards) if giver == seat else " ".join("x" * len(cards))
            for giver, cards in enumerate(self.passed)
        ]
        if self.direction not in ("", "none") and (
            seat < self.served or self.phase in ("first", "play", "over")
        ):
            passed[self.giver(seat)] = text(self.passed[self.giver(seat)])
        return {
            "hand": text(self.hands[seat]),
            "passed": passed,
            "direction": self.direction,
            "phase": self.phase,
            "count": self.count(),
            "first": self.first,
            "to_move": self.turn,
            "tricks": [" ".join(trick) for trick in self.tricks if trick],
        }

    def count(self) -> int:
        """Steps done in this phase: cards dealt or passed, seats served, cards played."""
        return {
            "deal": self.dealt(),
            "pass": sum(map(len, self.passed)),
            "get": self.served,
            "play": sum(map(len, self.tricks)),
            "over": 52,
        }.get(self.phase, 0)


def perft(game: Reference, depth: int) -> int:
    """Lines of play of that many decisions; outcomes cost none."""
    if depth == 0:
        return 1
    chance = game.actor() == "chance"
    leaves = 0
    for move in [outcome for outcome, _ in game.outcomes()] or game.legal():
        after = game.copy()
        after.play(move)
        leaves += perft(after, depth - (not chance))
    return leaves


# --- worlds ---


def worlds(view: dict[str, Any], seat: int, options: dict[str, bool]) -> Iterator[list[set[str]]]:
    """Every way the unseen cards may lie in the hands while tricks are played, by trying all.

    A way is good if each card played so far was legal for the hand that its seat then had, the cards that this seat
    has passed lie where it passed them, and the first to lead held the two of clubs.
    """
    line = [card for trick in view["tricks"] for card in trick.split()]
    first = view["first"]
    played: list[list[str]] = [[] for _ in SEATS]
    leader = first
    for trick in [trick.split() for trick in view["tricks"]]:
        for place, card in enumerate(trick):
            played[(leader + place) % 4].append(card)
        if len(trick) == 4:
            leader = (leader + winner(trick)) % 4
    own = set(view["hand"].split())
    unseen = [card for card in PACK if card not in own and card not in line]
    others = [other for other in SEATS if other != seat]
    sizes = [13 - len(played[other]) for other in others]

    def split(cards: list[str], sizes: list[int]) -> Iterator[list[set[str]]]:
        if not sizes:
            yield []
            return
        for chosen in combinations(cards, sizes[0]):
            rest = [card for card in cards if card not in chosen]
            for more in split(rest, sizes[1:]):
                yield [set(chosen), *more]

    for hidden in split(unseen, sizes):
        hands = [own] * 4
        for other, cards in zip(others, hidden, strict=True):
            hands[other] = cards
        whole = [hands[s] | set(played[s]) for s in SEATS]
        if fits(view, seat, whole, line, options):
            yield hands


def fits(
    view: dict[str, Any], seat: int, whole: list[set[str]], line: list[str], options: dict[str, bool]
) -> bool:
    """Whether these hands, as they were before the first trick, agree with all that the seat has seen."""
    if "2C" not in whole[view["first"]]:
        return False
    if view["direction"] not in ("", "none"):
        receiver = (seat + DIRECTIONS.index(view["direction"])) % 4
        if not set(view["passed"][seat].split()) <= whole[receiver]:
            return False
    game = Reference(**options)
    game.phase, game.hands, game.first, game.turn, game.tricks = (
        "play",
        [set(h) for h in whole],
        view["first"],
        view["first"],
        [[]],
    )
    for card in line:
        if card not in game.legal():
            return False
        game.play(card)
    return True
