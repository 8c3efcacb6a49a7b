"""Whether play can reach a position of The Crew: the slow answer, by trying every course of events that agrees with it.

For three to five players, from the deal on. Two things a position may leave open: in which order tasks that carry
tokens were drawn, and what was answered to a question that is over.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kibitz
from kibitz import _core
from kibitz.errors import KibitzError

DATA = json.loads((Path(__file__).parent / "data" / "thecrew.json").read_text(encoding="utf-8"))
MISSIONS = {mission["id"]: mission for mission in DATA["missions"]}
ASKING = ("ask", "vote", "consent")
Position = dict[str, Any]


def reachable(game: kibitz.Game, position: Position) -> bool:
    """Whether some course of events ends at a position, given with all its fields, of one of the fifty missions."""
    return Search(game, position).reached()


def winner(trick: list[str]) -> int:
    """The place of the card that wins."""

    def strength(card: str) -> int:
        return int(card[1]) + 10 * (card[0] == "R") if card[0] in (trick[0][0], "R") else 0

    return max(range(len(trick)), key=lambda place: strength(trick[place]))


def dealt(seats: int, position: Position) -> list[set[str]]:
    """The hands before anything was passed, drawn or played; impossible ones too."""
    hands = [set(hand) for hand in position["hands"]]
    leader = position["commander"]
    drawn, given = position["drawn"], position["given"]
    exchanged = bool(drawn) and all(drawn)
    early: list[set[str]] = [set() for _ in hands]
    for number, trick in enumerate(position["tricks"]):
        for place, card in enumerate(trick):
            (early if number == 0 else hands)[(leader + place) % seats].add(card)
        leader = (leader + winner(trick)) % seats
    if exchanged:
        for seat in range(seats):
            hands[seat] = hands[seat] - {drawn[seat - 1]} | {drawn[seat]}
    hands = [hand | played for hand, played in zip(hands, early, strict=True)]
    if given and all(given) and position["phase"] not in ("give", "get"):
        left = position["distress"] == "left"
        for seat in range(seats):
            giver = (seat - 1 if left else seat + 1) % seats
            hands[seat] = hands[seat] - {given[giver]} | {given[seat]}
    return hands


class Search:
    """The search for one position."""

    def __init__(self, game: kibitz.Game, position: Position) -> None:
        mission = MISSIONS[game.options["mission"]]
        tokens = [token for step in mission["setup"] for token in step.get("tokens", [])]
        self.game = game.core
        self.five_pass = (
            game.seats == 5 and game.options["five_pass"] != "off" and bool(mission.get("five_player_rule"))
        )
        pairs = sorted(
            zip(position["tasks"], position["owners"], strict=True),
            key=lambda pair: tokens.index(pair[0].split()[1]) if " " in pair[0] else len(tokens),
        )
        self.position = position | {
            "tasks": [task for task, _ in pairs],
            "owners": [owner for _, owner in pairs],
        }
        self.cards = [task.split()[0] for task in self.position["tasks"]]
        self.owner = dict(zip(self.cards, self.position["owners"], strict=True))
        self.forgotten = not any(position["replies"]) and position["phase"] not in ASKING
        self.hands = dealt(game.seats, position)

    def reached(self, most: int = 20_000) -> bool:
        """Whether some course of events ends there."""
        todo, seen = [self.game.blank()], set[_core.State]()
        while todo and len(seen) < most:
            state = todo.pop()
            now = state.to_dict()
            if self.forgotten and now["phase"] not in ASKING:
                now["replies"] = []
            if now == self.position | ({"replies": []} if self.forgotten else {}):
                return True
            if state in seen or not self.agrees(now):
                continue
            seen.add(state)
            for text in self.events(state, now):
                try:
                    todo.append(state.play(self.game.parse_move(text)))
                except KibitzError:
                    continue
        return False

    def agrees(self, now: Position) -> bool:
        """Whether the tasks lie where they will lie, but for one that may change hands, and their tokens too."""
        if (
            now["phase"] not in ("task", "edit")
            and now["tasks"] != self.position["tasks"][: len(now["tasks"])]
        ):
            return False
        owners = zip(now["tasks"], now["owners"], strict=True)
        other = sum(owner not in (None, self.owner.get(task.split()[0])) for task, owner in owners)
        moved = self.five_pass and self.position["phase"] not in ("task", "ask", "draft", "owner", "lot")
        return other <= moved

    def events(self, state: _core.State, now: Position) -> Iterator[str]:
        """What may come next on the way."""
        phase, seat, want = now["phase"], now["actor"], self.position
        texts = [self.game.move_text(move) for move in state.moves()]
        if phase in ("longest", "leader"):
            name = "longest" if phase == "longest" else "commander"
            yield f"{name} {want[name]}"
        elif phase == "deal":
            missing = [
                sorted(all_ - set(held) - {"R4"}) for all_, held in zip(self.hands, now["hands"], strict=True)
            ]
            yield from [f"deal {cards[0]}" for cards in missing if cards][:1]
        elif phase == "task":
            yield from [f"task {card}" for card in self.cards[len(now["tasks"]) :][:1]]
        elif phase in ("edit", "role", "owner", "holder", "get"):
            yield from texts or [self.game.move_text(move) for move, _ in state.outcomes()]
        elif phase == "ask":
            asked_last = len(now["tasks"]) in (0, len(self.cards))
            said = want["replies"][seat] if want["replies"] and asked_last else ""
            yield said if said in texts else texts[0]
        elif phase == "draft":
            free = [
                task.split()[0]
                for task, owner in zip(now["tasks"], now["owners"], strict=True)
                if owner is None
            ]
            own = [card for card in free if self.owner[card] == seat]
            yield from [
                f"take {card}"
                for card in own[:1] + [card for card in free if self.five_pass and card not in own]
            ]
        elif phase == "lot":
            yield f"owner {self.owner[self.cards[sum(owner is not None for owner in now['owners'])]]}"
        elif phase == "offer":
            yield from texts
        elif phase in ("consent", "vote"):
            here = want["phase"] == phase and want["offer"] == now["offer"]
            yield (
                want["replies"][seat]
                if here and want["replies"]
                else "yes"
                if phase == "consent"
                else want["distress"] or "none"
            )
        elif phase == "give":
            yield f"give {want['given'][seat] if want['given'] else ''}"
        elif phase == "radio":
            *words, trick = (want["statements"][seat] if want["statements"] else "").split() or [""]
            if trick == str(len(now["tricks"]) + 1):
                yield f"say {' '.join(words)}"
            yield "quiet"
        elif phase == "play":
            line = [card for trick in want["tricks"] for card in trick]
            yield from line[sum(map(len, now["tricks"])) :][:1]
        elif phase == "draw":
            yield f"draw {want['drawn'][sum(map(bool, now['drawn']))] if want['drawn'] else ''}"
