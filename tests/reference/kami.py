"""Kami in plain Python, written from the rules page alone, to check the fast core against.

A card is a character "1".."8", a hand a sorted text of cards, a stack its upper and lower card
("58"). Face-down cards are texts too: `.14` on a line is defence 1 placed face-down, attack 4.
Rulings are named as on the page: R8, A12, "Play 3" (decision point 3), "Setup".

>>> game = Reference(4)
>>> game.start(["12345678", "11112344", "11123355", "11224567"], first=0)
Traceback (most recent call last):
ValueError: Setup: 32 cards of the deck, 8 a hand
>>> game.start(["12345678", "12345678", "11112345", "11112345"], first=0)
>>> [game.play("-") for _ in range(4)] and game.legal()
['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8']
>>> game.seen("d1", 0), game.seen("d1", 1)
('d1', 'dx')
>>> game.play("d1")
>>> game.play("a8")
Traceback (most recent call last):
ValueError: Play 5: 'a8' (seat 0, attack); legal: a2 a3 a4 a5 a6 a7
"""

import copy
from collections.abc import Callable, Iterator
from math import comb
from typing import NamedTuple, NotRequired, TypedDict

DECK = "1" * 10 + "2222" + "3333" + "4444" + "5555" + "66" + "77" + "88"
POINTS = {"1": 1, "2": 2, "3": 2, "4": 3, "5": 3, "6": 4, "7": 4, "8": 5}
HAND_SIZE = {2: 8, 3: 10, 4: 8}
LETTERS = "ABCDEFGH"
TARGET = 15
MIN_SOLDIERS = 5  # to ask for a redeal
MAX_REDEALS = 31  # in one round; an engine bound, the page has none


class View(TypedDict):
    """What one seat may know. Lines: `.14` own face-down, `.x4` another seat's, `:54` a face-down
    mercenary, `86` face-up; a defence whose attack is to come stands alone, `.x` or `8`."""

    seat: int
    phase: str
    to_move: int | None
    hand: str
    sizes: list[int]
    lines: list[list[str]]
    owner: int | None
    first: int
    totals: list[int]
    round: int
    announced: NotRequired[list[int]]  # these four: 4 players
    asked: NotRequired[int]
    asker: NotRequired[int | None]
    redeals: NotRequired[int]
    aside: NotRequired[str]  # 3 players
    stacks: NotRequired[list[str]]  # 2 players; "x" alone: about to be turned up


class World(TypedDict):
    """What a view hides, one way it may be."""

    hands: list[str]  # per seat, the viewer's own too
    down: list[dict[int, str]]  # per seat: position on the line -> card
    lower: dict[str, str]  # stack letter -> lower card
    aside: str  # both cards


class Reference:
    """One game, from an already dealt first round to its end."""

    def __init__(
        self,
        players: int,
        *,
        victory: str = "soldier",
        rounds: int = 0,
        next_leader: str = "winner",
        dead_round: str = "same",
        one_card: str = "hand",
        redeal: bool = True,
        max_rounds: int = 300,
    ) -> None:
        allowed: list[tuple[str, object, tuple[object, ...]]] = [
            ("players", players, (2, 3, 4)),
            ("victory", victory, ("soldier", "lord", "kami")),
            ("rounds", rounds, (0, 1)),
            ("next_leader", next_leader, ("winner", "rotate")),
            ("dead_round", dead_round, ("same", "next")),
            ("one_card", one_card, ("hand", "free")),
            ("max_rounds", max_rounds, tuple(range(1, 301))),
        ]
        for name, given, values in allowed:
            if given not in values:
                raise ValueError(f"{name}={given!r}; allowed: {values[0]}..{values[-1]}")
        self.players = players
        self.victory, self.rounds, self.max_rounds = victory, rounds, max_rounds
        self.next_leader, self.dead_round, self.one_card = next_leader, dead_round, one_card
        self.redeal = redeal and players == 4
        self.teams = 2 if players == 4 else players

        self.phase = "over"
        self.round = 1
        self.totals = [0] * self.teams
        self.redeals = 0
        self.won = [0] * players  # the returns, once over
        self._clear(0)

    def _clear(self, first: int) -> None:
        """Take all cards off the table; a deal follows."""
        n = self.players
        self.first = self.turn = first
        self.deck = DECK  # not dealt yet
        self.dealt = 0  # deal texts so far
        self.hands = [""] * n
        self.aside = ""
        self.stacks = [""] * 8 if n == 2 else []
        self.turning: int | None = None  # the stack whose lower card comes up next
        self.announced = [0] * n
        self.asked = 0
        self.asker: int | None = None
        self.own_lines: list[list[str]] = [[] for _ in range(n)]  # as their seat sees them
        self.public_lines: list[list[str]] = [[] for _ in range(n)]
        self.empresses_up = 0  # face-up on defence lines
        self.owner: int | None = None
        self.attack = ""
        self.double = False  # the last attack equals its face-down defence
        self.placed = ""  # the defence whose attack is to come
        self.placed_down = self.placed_from_stack = False

    def copy(self) -> "Reference":
        """The same game, to be played on apart."""
        twin = copy.copy(self)
        for name in ("totals", "won", "hands", "stacks", "announced"):
            setattr(twin, name, list(getattr(self, name)))
        twin.own_lines = [list(line) for line in self.own_lines]
        twin.public_lines = [list(line) for line in self.public_lines]
        return twin

    # --- setting up ---

    def start(
        self,
        hands: list[str],
        first: int,
        totals: list[int] | None = None,
        aside: str | None = None,
        stacks: list[str] | None = None,
    ) -> None:
        """A dealt first round.

        `aside`: the second player's card, then the third's. `stacks`: upper and lower card of each.
        """
        size = HAND_SIZE[self.players]
        cards = "".join(hands) + (aside or "") + "".join(stacks or [])
        if sorted(cards) != list(DECK) or [len(hand) for hand in hands] != [size] * self.players:
            raise ValueError(f"Setup: 32 cards of the deck, {size} a hand")
        piles = [len(cards) for cards in stacks or []]
        if (aside is not None) != (self.players == 3) or piles != [2] * (8 if self.players == 2 else 0):
            raise ValueError("Setup: 3 players set two cards aside, 2 players have eight stacks of two")
        self._set_out(hands, first, totals, aside, stacks)
        self._open_round()

    def place(
        self,
        hands: list[str],
        to_move: int,
        *,
        lines: list[list[str]] | None = None,
        owner: int | None = None,
        first: int = 0,
        totals: list[int] | None = None,
        aside: str | None = None,
        stacks: list[str] | None = None,
    ) -> None:
        """A position inside a round, for examples: other cards may be left out.

        `lines` as their seat sees them; the last text of `owner`'s line holds the attack. A stack may
        have two cards, one or none.
        """
        self._set_out(hands, first, totals, aside, stacks)
        for seat, line in enumerate(lines or []):
            for text in line:
                cards = text.lstrip(".:")
                self.own_lines[seat].append(text)
                self.public_lines[seat].append(".x" + cards[1:] if text[0] == "." else text)
                self.empresses_up += text[0] == "8"
                if len(cards) == 1:
                    self.placed, self.placed_down = cards, text[0] in ".:"
                    self.placed_from_stack = text[0] == ":"
        self.turn, self.owner = to_move, owner
        if owner is not None:
            whole = [text for text in self.own_lines[owner] if len(text.lstrip(".:")) == 2]
            self.attack = whole[-1][-1]
        if self.placed:
            self.phase = "attack"
        elif self._dead():
            self.phase = "score"
        else:
            self.phase = "lead" if owner in (None, to_move) else "respond"

    def _set_out(
        self,
        hands: list[str],
        first: int,
        totals: list[int] | None,
        aside: str | None,
        stacks: list[str] | None,
    ) -> None:
        if totals is not None and (
            len(totals) != self.teams or not all(0 <= total < TARGET for total in totals)
        ):
            raise ValueError(f"Setup: {self.teams} totals of 0..{TARGET - 1}")
        if first not in range(self.players):
            raise ValueError(f"Setup: first is a seat 0..{self.players - 1}")
        self._clear(first)
        self.deck = ""
        self.round, self.redeals = 1, 0
        self.won = [0] * self.players
        self.totals = list(totals or [0] * self.teams)
        self.hands = ["".join(sorted(hand)) for hand in hands]
        self.aside = aside or ""
        self.stacks = list(stacks or self.stacks)

    def _open_round(self) -> None:
        """The deal is done."""
        self.phase = "ask" if self.redeal else "lead"
        self.turn = self.first

    # --- questions ---

    def actor(self) -> int | str | None:
        """The seat to move, "chance", or None when the game is over."""
        if self.phase == "over":
            return None
        return "chance" if self.phase in ("deal", "turn_up", "score") else self.turn

    def legal(self) -> list[str]:
        """The legal moves of the seat to move, in order; empty when no seat is to move."""
        if self.phase == "ask":
            return [f"?{self._soldiers()}", "-"] if self._may_ask() else ["-"]
        if self.phase == "answer":
            return ["+", "-"]
        if self.phase in ("lead", "respond"):
            defences = self._choices("d", self._defence_fault)
            if self.phase == "respond":
                return ["p", *defences]
            return defences or ["p"]  # R24
        if self.phase == "attack":
            return self._choices("a", self._attack_fault)
        return []

    def _choices(self, letter: str, fault: Callable[[str, int | None], str | None]) -> list[str]:
        found = [letter + card for card in dict.fromkeys(self.hands[self.turn]) if not fault(card, None)]
        for stack, cards in enumerate(self.stacks):
            if cards and not fault(cards[0], stack):
                found.append(letter + LETTERS[stack])
        return found

    def outcomes(self) -> list[tuple[str, int]] | None:
        """The chance outcomes with weights: None for a deal (they are many), empty when a seat is to move."""
        if self.phase == "deal":
            return None
        if self.phase in ("turn_up", "score"):
            return [(self._outcome(), 1)]
        return []

    def _outcome(self) -> str:
        """The one outcome of a turn-up or a score: the deal has fixed it."""
        if self.phase == "turn_up":
            assert self.turning is not None
            return f"up {LETTERS[self.turning]} {self.stacks[self.turning]}"
        if self.owner is None or self.hands[self.owner]:
            return "void"
        return f"points {POINTS[self.attack] * (2 if self.double else 1)}"

    def legal_turns(self) -> int:
        """Legal fused turns: a pass and the distinct (defence, attack) pairs.

        Not with 2 players, where a card may be turned up between the two.
        """
        if self.players == 2 or self.phase not in ("lead", "respond"):
            raise ValueError("fused turns are counted with 3 or 4 players at a lead or a response")
        count = 0
        for move in self.legal():
            if move == "p":
                count += 1
                continue
            rest = _without(self.hands[self.turn], move[1])
            up = self.empresses_up + (move[1] == "8" and self.phase == "respond")
            count += sum(not self._bars(card, False, len(rest), up, False) for card in set(rest))
        return count

    def returns(self) -> list[int]:
        """1 for every seat of the winning team, else 0; all 0 before the end."""
        return list(self.won)

    def score(self) -> list[int]:
        """Totals per team."""
        return list(self.totals)

    # --- rules ---

    def _soldiers(self) -> int:
        return self.hands[self.turn].count("1")

    def _may_ask(self) -> bool:
        return self._soldiers() >= MIN_SOLDIERS and self.redeals < MAX_REDEALS

    def _defence_fault(self, card: str, stack: int | None) -> str | None:
        """The ruling against a defence with a card that is there, or None."""
        if self.phase == "respond":
            if self.attack == "8":
                return "R11"
            if card == "8" and self.attack in "12":
                return "R8"
            if card not in (self.attack, "8"):
                return "Play 4"
        hand = self.hands[self.turn]
        if stack is None:
            if len(hand) == 1:
                return "R21"
            hand = _without(hand, card)
        elif len(self.stacks[stack]) == 2:
            return None  # the card turned up can attack, or some hand card can: there is no third Empress
        up = self.empresses_up + (card == "8" and self.phase == "respond")
        others = "".join(cards[0] for i, cards in enumerate(self.stacks) if cards and i != stack)
        if any(not self._bars(c, False, len(hand), up, stack is not None) for c in hand):
            return None
        if any(not self._bars(c, True, len(hand), up, stack is not None) for c in others):
            return None
        return "R23"

    def _attack_fault(self, card: str, stack: int | None) -> str | None:
        """The ruling against an attack with a card that is there, or None."""
        hand = self.hands[self.turn]
        return self._bars(card, stack is not None, len(hand), self.empresses_up, self.placed_from_stack)

    def _bars(
        self, card: str, from_stack: bool, size: int, empresses_up: int, placed_from_stack: bool
    ) -> str | None:
        """The ruling against an attack when the hand has `size` cards, or None."""
        if from_stack:
            if size == 1 and placed_from_stack and self.one_card == "hand":
                return "A12"
            if card == "8" and not empresses_up:
                return "R22"
        elif card == "8" and size > 1 and not empresses_up:
            return "Play 5"
        return None

    def _dead(self) -> bool:
        """R25: no mercenary left and odd hands."""
        return self.players == 2 and not any(self.stacks) and all(len(hand) % 2 for hand in self.hands)

    def why(self, text: str) -> str | None:
        """The ruling that a move or outcome breaks, or None if it may be played now."""
        if self.phase == "over":
            return "over"
        if self.phase == "deal":
            return self._deal_fault(text)
        if self.phase in ("turn_up", "score"):
            return None if text == self._outcome() else "chance"
        if self.phase == "ask":
            return self._ask_fault(text)
        if self.phase == "answer":
            return None if text in ("+", "-") else "Play 2"
        if text == "p":
            if self.phase == "attack":
                return "Play 5"
            if self.phase == "lead" and self.legal() != ["p"]:
                return "R1" if self.owner is None else "R3"
            return None
        if len(text) != 2 or text[0] not in "da" or text[1] not in "12345678" + LETTERS:
            return "Move texts"
        decision = {"lead": "Play 3", "respond": "Play 4", "attack": "Play 5"}[self.phase]
        if (text[0] == "a") != (self.phase == "attack"):
            return decision
        card, stack = text[1], None
        if card in LETTERS:
            stack = LETTERS.index(card)
            if stack >= len(self.stacks) or not self.stacks[stack]:
                return "R20"
            card = self.stacks[stack][0]
        elif card not in self.hands[self.turn]:
            return decision
        if text[0] == "d":
            return self._defence_fault(card, stack)
        fault = self._attack_fault(card, stack)
        if fault == "Play 5" and self.hands[self.turn].count("8") == 2:
            return "R13"
        if fault == "Play 5" and any(
            line[1:2] == "8" for line in self.own_lines[self.turn] if line[0] in ".:"
        ):
            return "R10"
        return fault

    def _ask_fault(self, text: str) -> str | None:
        if text == "-":
            return None
        if len(text) != 2 or text[0] != "?" or text[1] not in "12345678":
            return "Play 1"
        if self.redeals >= MAX_REDEALS:
            return "bound"
        if self._soldiers() < MIN_SOLDIERS:
            return "Play 1"
        return None if int(text[1]) == self._soldiers() else "A7"

    def _deal_fault(self, text: str) -> str | None:
        word, _, cards = text.partition(" ")
        if self.dealt < self.players:
            wanted, size = "deal", HAND_SIZE[self.players]
        else:
            wanted, size = ("aside", 1) if self.players == 3 else ("stack", 2)
        if word != wanted or len(cards) != size:
            return "Setup"
        if wanted == "deal" and list(cards) != sorted(cards):
            return "Setup"
        return None if all(cards.count(card) <= self.deck.count(card) for card in cards) else "Setup"

    # --- playing ---

    def play(self, text: str) -> None:
        """Play a move or an outcome. ValueError, and no change, if `why` has an objection."""
        fault = self.why(text)
        if fault:
            who = f"seat {self.turn}, {self.phase}" if isinstance(self.actor(), int) else self.phase
            raise ValueError(f"{fault}: {text!r} ({who}); legal: {' '.join(self.legal()) or 'chance'}")
        if self.phase == "deal":
            self._deal(text.partition(" ")[2])
        elif self.phase == "turn_up":
            self.turning = None
            if self.placed:
                self.phase = "attack"
            else:
                self._after_attack()
        elif self.phase == "score":
            self._score(text)
        elif self.phase == "ask":
            self.asked += 1
            if text == "-":
                self._next_question()
            else:
                self.announced[self.turn] = int(text[1])
                self.asker = self.turn
                self.turn = (self.turn + 2) % 4
                self.phase = "answer"
        elif self.phase == "answer":
            self._answer(text)
        elif text == "p":
            self.turn = (self.turn + 1) % self.players
            if self.turn == self.owner:
                self.phase = "lead"
        elif self.phase == "attack":
            self._attack(text[1])
        else:
            self._defend(text[1])

    def _next_question(self) -> None:
        if self.asked == 4:
            self.phase, self.turn = "lead", self.first
        else:
            self.phase, self.turn = "ask", (self.first + self.asked) % 4

    def _answer(self, text: str) -> None:
        self.asker = None
        if text == "-":
            self._next_question()
        else:
            self.redeals += 1
            self._clear(self.first)
            self.phase = "deal"

    def _take(self, code: str) -> tuple[str, bool]:
        """Take a card from hand or stack: the card, and whether a lower one is to be turned up."""
        if code in LETTERS:
            stack = LETTERS.index(code)
            card, self.stacks[stack] = self.stacks[stack][0], self.stacks[stack][1:]
            if self.stacks[stack]:
                self.turning = stack
            return card, self.turning is not None
        self.hands[self.turn] = _without(self.hands[self.turn], code)
        return code, False

    def _defend(self, code: str) -> None:
        self.placed_from_stack = code in LETTERS
        self.placed_down = self.phase == "lead"
        self.placed, turned = self._take(code)
        own = public = self.placed
        if self.placed_down:
            own = public = ":" + self.placed
            if not self.placed_from_stack:
                own, public = "." + self.placed, ".x"
        elif self.placed == "8":
            self.empresses_up += 1
        self.own_lines[self.turn].append(own)
        self.public_lines[self.turn].append(public)
        self.phase = "turn_up" if turned else "attack"

    def _attack(self, code: str) -> None:
        self.attack, turned = self._take(code)
        self.owner = self.turn
        self.double = self.placed_down and self.placed == self.attack
        self.placed = ""
        self.own_lines[self.turn][-1] += self.attack
        self.public_lines[self.turn][-1] += self.attack
        if not self.hands[self.turn]:
            self.phase = "score"
        elif turned:
            self.phase = "turn_up"
        else:
            self._after_attack()

    def _after_attack(self) -> None:
        if self._dead():
            self.phase = "score"
        else:
            self.phase, self.turn = "respond", (self.turn + 1) % self.players

    def _score(self, text: str) -> None:
        winner = None
        if text != "void":
            winner = self.owner
            assert winner is not None
            team = winner % self.teams
            self.totals[team] = new_total(self.totals[team] + int(text[7:]), self.victory)
            if self.rounds == 1 or self.totals[team] >= TARGET:
                self.won = [int(seat % self.teams == team) for seat in range(self.players)]
        if self.rounds == 1 or any(self.won) or self.round == self.max_rounds:
            self.phase = "over"
            return
        if winner is None:
            first = self.first if self.dead_round == "same" else self.first + 1
        else:
            first = winner if self.next_leader == "winner" else self.first + 1
        self.round += 1
        self.redeals = 0
        self._clear(first % self.players)
        self.phase = "deal"

    def _deal(self, cards: str) -> None:
        for card in cards:
            self.deck = _without(self.deck, card)
        if self.dealt < self.players:
            self.hands[self.dealt] = cards
        elif self.players == 3:
            self.aside += cards
        else:
            self.stacks[self.dealt - 2] = cards
        self.dealt += 1
        if not self.deck:
            self._open_round()

    # --- what a seat sees ---

    def seen(self, text: str, seat: int) -> str:
        """What a seat sees of a move or outcome about to be played."""
        word = text.partition(" ")[0]
        if word == "deal":
            return text if self.dealt == seat else "deal x"
        if word == "aside":
            return text if (self.first + 1 + len(self.aside)) % 3 == seat else "aside x"
        if word == "stack":
            return text[:-1] + "x"
        if self.phase == "lead" and text[0] == "d" and text[1] not in LETTERS and seat != self.turn:
            return "dx"
        return text

    def view(self, seat: int) -> View:
        """What a seat may know."""
        view: View = {
            "seat": seat,
            "phase": self.phase,
            "to_move": None if self.phase in ("deal", "turn_up", "score", "over") else self.turn,
            "hand": self.hands[seat],
            "sizes": [len(hand) for hand in self.hands],
            "lines": [list(line) for line in self.public_lines],
            "owner": self.owner,
            "first": self.first,
            "totals": list(self.totals),
            "round": self.round,
        }
        view["lines"][seat] = list(self.own_lines[seat])
        if self.players == 4:
            view["announced"] = list(self.announced)
            view["asked"] = self.asked
            view["asker"] = self.asker
            view["redeals"] = self.redeals
        elif self.players == 3:
            place = (seat - self.first - 1) % 3  # which of the two cards this seat looks at; 2: neither
            view["aside"] = "".join(
                self.aside[i : i + 1] if i == place and self.aside[i:] else "x" for i in (0, 1)
            )
        else:
            view["stacks"] = [cards[:1] + "x" if len(cards) == 2 else cards for cards in self.stacks]
            if self.turning is not None:
                view["stacks"][self.turning] = "x"
        return view


def new_total(total: int, victory: str) -> int:
    """The total after a round, by the victory rule in force; 15 or more has won."""
    if total > TARGET and victory != "soldier":
        return 2 * TARGET - total if victory == "lord" else 0
    return total


def _without(cards: str, card: str) -> str:
    return cards.replace(card, "", 1)


# --- what a view leaves open ---


class _Slot(NamedTuple):
    """Places for unseen cards: a hand, or one card on a line, aside or under a stack."""

    kind: str  # hand, down, aside, lower
    where: int  # seat, or number of the aside card or stack
    position: int  # on the line; else 0
    size: int


def worlds(view: View) -> Iterator[tuple[World, int]]:
    """Every way the unseen cards may lie, by type, with its number of physical assignments.

    Hard facts only: own cards, face-up cards, sizes, announced Soldiers (the asker was dealt exactly
    so many), and in phase attack that the mover has a legal attack (R23). Passes prove nothing. For
    small positions; not during a deal. A doubled score that shows in totals is not read back.
    """
    if view["phase"] == "deal":
        raise ValueError("the cards of a round are counted when they are dealt")
    seat, lines = view["seat"], view["lines"]
    slots = []
    seen = view["hand"] + view.get("aside", "")
    for other, line in enumerate(lines):
        seen += "".join(line)
        slots += [_Slot("down", other, i, 1) for i, text in enumerate(line) if text[:2] == ".x"]
        if other != seat and view["sizes"][other]:
            slots.append(_Slot("hand", other, 0, view["sizes"][other]))
    slots += [_Slot("aside", i, 0, 1) for i, card in enumerate(view.get("aside", "")) if card == "x"]
    slots += [_Slot("lower", i, 0, 1) for i, cards in enumerate(view.get("stacks", [])) if "x" in cards]
    seen += "".join(view.get("stacks", []))
    unseen = [DECK.count(card) - seen.count(card) for card in "12345678"]
    if min(unseen) < 0 or sum(unseen) != sum(slot.size for slot in slots):
        raise ValueError("the view does not add up to the deck")

    empty = World(hands=["" for _ in lines], down=[{} for _ in lines], lower={}, aside=view.get("aside", ""))
    empty["hands"][seat] = view["hand"]
    yield from _fill(view, slots, unseen, empty, 1)


def _fill(
    view: View, slots: list[_Slot], unseen: list[int], world: World, weight: int
) -> Iterator[tuple[World, int]]:
    if not slots:
        yield world, weight
        return
    slot, *rest = slots
    for cards, left, ways in _draws(unseen, slot.size):
        filled = World(
            hands=list(world["hands"]),
            down=[dict(line) for line in world["down"]],
            lower=dict(world["lower"]),
            aside=world["aside"],
        )
        if slot.kind == "hand":
            filled["hands"][slot.where] = cards
            if not _possible_hand(view, slot.where, filled):
                continue
        elif slot.kind == "down":
            filled["down"][slot.where][slot.position] = cards
        elif slot.kind == "lower":
            filled["lower"][LETTERS[slot.where]] = cards
        else:
            filled["aside"] = "".join(cards if i == slot.where else c for i, c in enumerate(world["aside"]))
        yield from _fill(view, rest, left, filled, weight * ways)


def _draws(unseen: list[int], size: int, first: int = 0) -> Iterator[tuple[str, list[int], int]]:
    """Every hand of `size` unseen cards (counts by type): the hand, what is left, the physical ways."""
    if first == len(unseen):
        if size == 0:
            yield "", list(unseen), 1
        return
    for n in range(min(size, unseen[first]) + 1):
        for cards, left, ways in _draws(unseen, size - n, first + 1):
            left[first] -= n
            yield str(first + 1) * n + cards, left, ways * comb(unseen[first], n)


def _possible_hand(view: View, seat: int, world: World) -> bool:
    """Whether another seat's hand and face-down cards agree with the hard facts."""
    hand, line = world["hands"][seat], view["lines"][seat]
    announced = view.get("announced", [0] * len(view["lines"]))[seat]
    shown = sum(text.count("1") for text in line)
    hidden = (hand + "".join(world["down"][seat].values())).count("1")
    if announced and hidden != announced - shown:
        return False
    if view["phase"] == "attack" and view["to_move"] == seat:
        unlocked = any(text[0] == "8" for texts in view["lines"] for text in texts)
        can_attack = unlocked or len(hand) == 1 or any(card != "8" for card in hand)
        return can_attack or any(cards[:1] not in ("", "8") for cards in view.get("stacks", []))
    return True
