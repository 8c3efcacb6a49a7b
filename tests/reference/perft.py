"""Counts the leaves of tests/data/*.perft again, with the plain-Python references.

    PYTHONPATH=tests .venv/bin/python -m reference.perft                 # every line up to 200,000 leaves
    PYTHONPATH=tests .venv/bin/python -m reference.perft kami            # of one game
    PYTHONPATH=tests .venv/bin/python -m reference.perft --limit 2e6     # all of them

Depth counts decisions. Outcomes cost none: those settled by what is known are just taken, others are tried in every
way, a draw of several cards in every order. A position at the end has no leaves below it: in Kami the end of a round
or a redeal granted, in The Crew the end of the attempt.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice, permutations, product
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from reference import kami, thecrew

DATA = Path(__file__).parents[1] / "data"

Fields = Mapping[str, Any]


class Game(Protocol):
    """What a reference offers."""

    def actor(self) -> int | str | None: ...
    def legal(self) -> list[str]: ...
    def play(self, text: str) -> None: ...
    def copy(self) -> Self: ...


G = TypeVar("G", bound=Game)


class Counter(Protocol, Generic[G]):
    """What is special to a game."""

    def read(self, options: Fields, position: Fields) -> Iterator[G]:
        """The reference in a position given by the core's fields; several where cards are still to be dealt."""

    def ended(self, game: G) -> bool: ...

    def outcomes(self, game: G) -> Iterator[str]:
        """The texts that chance may bring, each once."""


def leaves(counter: Counter[G], game: G, depth: int) -> int:
    """Lines of play of that many decisions."""
    if depth == 0:
        return 1
    if counter.ended(game):
        return 0
    chance = game.actor() == "chance"
    if depth == 1 and not chance:
        return len(game.legal())
    count = 0
    for text in counter.outcomes(game) if chance else game.legal():
        after = game.copy()
        after.play(text)
        count += leaves(counter, after, depth if chance else depth - 1)
    return count


# --- Kami ---


class Kami:
    def ended(self, game: kami.Reference) -> bool:
        return game.phase in ("score", "over") or (
            game.phase == "deal" and (game.round > 1 or game.redeals > 0)
        )

    def outcomes(self, game: kami.Reference) -> Iterator[str]:
        """Hands are sorted texts."""
        known = game.outcomes()
        if known is not None:
            yield from (text for text, _ in known)
            return
        if game.dealt < game.players:
            word, hands = "deal ", combinations_with_replacement("12345678", kami.HAND_SIZE[game.players])
            candidates = (word + "".join(hand) for hand in hands)
        elif game.players == 3:
            candidates = (f"aside {card}" for card in "12345678")
        else:
            candidates = (f"stack {upper}{lower}" for upper in "12345678" for lower in "12345678")
        yield from (text for text in candidates if game.why(text) is None)

    def read(self, options: Fields, position: Fields) -> Iterator[kami.Reference]:
        players = options.get("players", 4)
        game = kami.Reference(
            players, **{name: value for name, value in options.items() if name != "players"}
        )
        phase = position.get("phase", "")
        aside = position.get("aside") or None
        stacks = [text.lstrip("-") for text in position.get("stacks", [])] or None
        first, totals = position.get("first", 0), position.get("totals")
        if phase == "deal":
            game._clear(first)
            game.phase = "deal"
            dealt = [f"deal {hand}" for hand in position["hands"] if hand]
            dealt += [f"aside {card}" for card in position.get("aside", "")]
            dealt += [f"stack {text}" for text in position.get("stacks", []) if text]
            for text in dealt:
                game.play(text)
        elif not any(position.get("lines", [])):
            game.start(position["hands"], first, totals, aside, stacks)
            game.announced = position.get("announced", game.announced)
            game.asked = position.get("asked", 0)
            game.asker = position.get("asker")
            if phase in ("ask", "answer"):
                game.phase, game.turn = phase, position["to_move"]
            elif phase == "lead":
                game.phase, game.turn = "lead", first
        else:
            to_move = position.get("to_move")
            if to_move is None:  # a stack is being turned up
                lines = position["lines"]
                pending = [
                    seat for seat, line in enumerate(lines) if line and len(line[-1].lstrip(".:")) == 1
                ]
                to_move = pending[0] if pending else position["owner"]
            game.place(
                position["hands"],
                to_move,
                lines=position["lines"],
                owner=position.get("owner"),
                first=first,
                totals=totals,
                aside=aside,
                stacks=stacks,
            )
            if phase == "turn_up":
                game.phase = "turn_up"
                game.turning = next(i for i, text in enumerate(position["stacks"]) if text.startswith("-"))
        assert not phase or game.phase == phase, f"the reference is in phase {game.phase}"
        yield game


# --- The Crew ---

# Phases by the names of the core and of the reference, and the steps of a mission's setup that have them.
PHASES = {
    "task": ("tasks", ("deal_tasks", "assign_all", "distribute")),
    "edit": ("edit", ("edit_tokens",)),
    "ask": ("ask", ("ask", "distribute")),
    "role": ("role", ("pick_role",)),
    "draft": ("draft", ("draft",)),
    "lot": ("owners", ("random_owners",)),
    "owner": ("owner", ("assign_all", "distribute")),
    "holder": ("holder", ("announce_holder",)),
    "offer": ("offer", ("five_pass",)),
    "consent": ("vote", ("five_pass",)),
    "vote": ("distress", ("distress",)),
    "give": ("give", ("distress",)),
    "get": ("get", ("distress",)),
}


class TheCrew:
    def ended(self, game: thecrew.Reference) -> bool:
        return game.phase == "over"

    def outcomes(self, game: thecrew.Reference) -> Iterator[str]:
        known = game.outcomes()
        if known is not None:
            yield from (text for text, _ in known)
        elif game.phase == "tasks":
            for cards in permutations(game._undrawn(), game.dealing["n"]):
                yield " ".join(("tasks", *cards))
        else:
            for seats in product("01234"[: game.seats], repeat=len(game.tasks)):
                yield " ".join(("owners", *seats))

    def read(self, options: Fields, position: Fields) -> Iterator[thecrew.Reference]:
        given = {name: value for name, value in options.items() if name not in ("players", "own_mission")}
        if "own_mission" in options:
            given["mission"] = options["own_mission"]
        game = thecrew.Reference(options.get("players", 4), **given)
        hands = [list(hand) for hand in position["hands"]]
        columns = [[*text.split("/"), ""][:2] for text in position.get("display", [])]
        phase, jarvis = position.get("phase", ""), position.get("jarvis")
        if phase == "deal":
            yield from _deals(game, position, hands, columns)
            return
        if not phase and not any(position.get(name) for name in ("tasks", "tricks", "given", "S1")):
            game.start(hands, jarvis=jarvis, columns=columns)
        elif phase in PHASES:
            _set(game, position, hands, columns)
            _prepare(game, position, phase)
        else:
            _replay(game, position, hands, columns)
            assert [sorted(hand) for hand in position["hands"]] == [sorted(hand) for hand in game.hands]
            assert phase in ("", "turn_up" if game.phase == "turn" else game.phase)
        assert position.get("actor") in (None, game.actor())
        yield game


def _deals(
    game: thecrew.Reference, position: Fields, hands: list[list[str]], columns: list[list[str]]
) -> Iterator[thecrew.Reference]:
    """The last cards of a deal in every way, once for every order in which they may come."""
    spare = len(game.deck) - game.last * game.seats
    longest, jarvis = position.get("longest"), position.get("jarvis")
    sizes = [game.last + (spare if seat == longest else 0) for seat in range(game.seats)]
    if jarvis is not None:
        sizes[jarvis] = 0
    missing = [card for card in game.deck if not any(card in cards for cards in hands + columns)]
    for order in permutations(missing):
        rest = iter(order)
        dealt = [hand + list(islice(rest, size - len(hand))) for hand, size in zip(hands, sizes, strict=True)]
        lying = [[card or next(rest) for card in column] for column in columns]
        complete = game.copy()
        complete.start(dealt, jarvis=jarvis, columns=lying)
        yield complete


def _set(game: thecrew.Reference, position: Fields, hands: list[list[str]], columns: list[list[str]]) -> None:
    """The cards, tasks and roles."""
    game._clear(
        [sorted(hand, key=thecrew.INDEX.__getitem__) for hand in hands], position.get("jarvis"), columns
    )
    assert game.commander == position["commander"]
    texts = position.get("tasks", [])
    for i, (text, owner) in enumerate(zip(texts, position.get("owners") or [None] * len(texts), strict=True)):
        card, _, token = text.partition(" ")
        if not any(" " in text for text in texts) and i < len(game.dealing["tokens"]):
            token = game.dealing["tokens"][i]  # as drawn
        game.tasks.append(thecrew.Task(card=card, token=token, owner=owner, state="pending"))
    game.roles = {role: position[role] for role in ("S1", "S2") if position.get(role) is not None}


def _mute(game: thecrew.Reference, steps: Sequence[Fields]) -> None:
    for step in steps:
        if step["step"] == "mute" and game.roles[step["role"]] != game.jarvis:
            game.tokens[game.roles[step["role"]]] = "red"


def _prepare(game: thecrew.Reference, position: Fields, phase: str) -> None:
    """A position in the setup of the mission."""
    name, kinds = PHASES[phase]
    steps = game.mission["setup"]
    number = position.get("step", -1)
    if number < 0:
        dealt = "deal_tasks" if game.dealing.get("reveal") != "all" else ""  # no draw: it comes later
        number = next(i for i, step in enumerate(steps) if step["step"] in kinds and step["step"] != dealt)
    game.step, game.steps_done = steps[number], number + 1
    _mute(game, steps[:number])
    round_ = game._clockwise(game.commander)
    replies = position.get("replies") or [""] * game.seats
    offer = position.get("offer", "").split(" ")
    if phase == "task":
        if game.step["step"] == "distribute":
            name = "task"
        else:
            assert not game.tasks, "the reference draws these together"
        game.named = int(offer[1]) if len(offer) > 1 else None
        order = round_[:1]
    elif phase == "draft":
        order = round_[sum(task["owner"] is not None for task in game.tasks) % game.seats :]
    elif phase == "ask":
        order = _from(position, game._asked())
    elif phase == "vote":
        game.votes = list(replies)
        order = _from(position, [seat for seat in round_ if seat != game.jarvis])
    elif phase in ("give", "get"):
        game.direction, game.given = position["distress"], list(position.get("given") or game.given)
        game.gets = position.get("count", 0)
        order = [seat for seat in round_ if not game.given[seat]] or round_[:1]
    elif phase == "offer":
        order = _from(position, round_)
    elif phase == "consent":
        card, to = offer
        owner = game._task(card)["owner"]
        assert owner is not None
        game.offers.append(thecrew.Offer(card=card, seat=owner, to=int(to), votes=list(replies)))
        order = round_[round_.index(owner) + 1 :]
        game._begin(name, _from(position, game._clockwise(owner)[1:]))
        game.voters, game.queue = game.queue, order
        return
    else:
        order = round_[:1]
    game._begin(name, order)


def _from(position: Fields, seats: list[int]) -> list[int]:
    """Those not asked yet."""
    return seats if position.get("actor") is None else seats[seats.index(position["actor"]) :]


def _replay(
    game: thecrew.Reference, position: Fields, hands: list[list[str]], columns: list[list[str]]
) -> None:
    """A position after the setup: the tricks are taken back, then played again."""
    tricks = position.get("tricks", [])
    drawn = [card for card in position.get("drawn", []) if card]  # in seat order
    exchanged = len(drawn) == game.seats
    rows: list[tuple[int, str]] = []  # who played which card
    leader = position["commander"]
    for cards in tricks:
        seats = [(leader + i) % game.seats for i in range(len(cards))]
        rows += zip(seats, cards, strict=True)
        leader = seats[cards.index(max(cards, key=lambda card: thecrew.strength(card, cards[0][0])))]
    jarvis = position.get("jarvis")
    since = game.seats * game.draws_after[0] if exchanged else len(rows)
    for seat, card in rows[since:]:
        hands[seat].append(card)
    if exchanged:
        assert jarvis is None, "the display before the draw is not told"
        for seat in range(game.seats):
            hands[seat].remove(drawn[seat - 1])
            hands[seat].append(drawn[seat])
    for seat, card in rows[:since]:
        if seat != jarvis:
            hands[seat].append(card)
    for seat, card in reversed(rows):
        if seat == jarvis:  # the last one lay on the card that is to be turned up, if there is one
            waiting = [column for column in columns if not column[0] and column[1]]
            if waiting:
                waiting[0][0] = card
            else:
                columns.append([card, ""])
    _set(game, position, hands, columns)
    _mute(game, game.mission["setup"])
    game.steps_done = len(game.mission["setup"])
    game._open_trick()
    statements = position.get("statements") or [""] * game.seats
    for cards in [*tricks, []]:
        if game.phase == "draw":
            for card in drawn:
                game.play(f"draw {card}")
        if game.phase not in ("radio", "play"):
            return
        for seat, text in enumerate(statements):
            card, *kind, trick = text.split(" ") if text else ("", "0")
            if int(trick) == game.number:
                game.statements.append((seat, card, kind[0] if kind else "dead", game.number))
                game.tokens[seat], game.shown[seat] = "shown", card
        if position.get("phase") == "radio" and not cards:
            seats = [seat for seat in game._clockwise(game.leader) if game.tokens[seat] == "green"]
            game._begin("radio", _from(position, seats))
            game.spoke = position.get("spoke", False)
        elif cards or position.get("phase") == "play":
            game._begin("play", game._clockwise(game.leader))
        for card in cards:
            game._play_card(card)  # of JARVIS's cards it isn't told which lay face up
        if len(cards) < game.seats:
            return


# --- the files ---

COUNTERS: dict[str, "Counter[Any]"] = {"kami": Kami(), "thecrew": TheCrew()}


def lines(slug: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any], int, int]]:
    """Number, options, position, depth and pinned count of every line."""
    text = (DATA / f"{slug}.perft").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            options, position, depth, count = line.split("|")
            yield number, json.loads(options), json.loads(position), int(depth), int(count)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Count the leaves of tests/data/*.perft with the references."
    )
    parser.add_argument("games", nargs="*", metavar="game", help=f"{' or '.join(COUNTERS)}; both if left out")
    parser.add_argument("--limit", type=float, default=200_000, help="lines with more leaves are left out")
    given = parser.parse_args()
    for slug in given.games:
        if slug not in COUNTERS:
            parser.error(f"no reference of {slug!r}, only of {', '.join(COUNTERS)}")
    wrong = 0
    for slug in given.games or COUNTERS:
        counter = COUNTERS[slug]
        for number, options, position, depth, count in lines(slug):
            if count > given.limit:
                continue
            start = time.perf_counter()
            found = sum(leaves(counter, game, depth) for game in counter.read(options, position))
            wrong += found != count
            verdict = "ok" if found == count else f"pinned is {count}"
            took = time.perf_counter() - start
            print(f"{slug} {number:4} depth {depth}: {found} leaves, {took:.1f} s, {verdict}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
