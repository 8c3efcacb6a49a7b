"""Counts the leaves of tests/data/kami.perft again, with the plain-Python reference.

    PYTHONPATH=tests .venv/bin/python -m reference.perft              # every line up to 200,000 leaves
    PYTHONPATH=tests .venv/bin/python -m reference.perft --limit 2e6  # all of them

Depth counts decisions. Outcomes cost none: a turn-up and the points are settled by the deal, a deal is tried in
every way. A position at the end of a round, or after a request for a redeal is granted, has no leaves below it.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from reference.kami import HAND_SIZE, Reference

FILE = Path(__file__).parents[1] / "data" / "kami.perft"


def leaves(game: Reference, depth: int) -> int:
    """Lines of play of that many decisions."""
    if depth == 0:
        return 1
    if game.phase in ("score", "over") or (game.phase == "deal" and (game.round > 1 or game.redeals)):
        return 0
    chance = game.actor() == "chance"
    count = 0
    for text in outcomes(game) if chance else game.legal():
        after = game.copy()
        after.play(text)
        count += leaves(after, depth if chance else depth - 1)
    return count


def outcomes(game: Reference) -> Iterator[str]:
    """The texts that chance may bring; hands as sorted texts, each once."""
    known = game.outcomes()
    if known is not None:
        yield from (text for text, _ in known)
        return
    if game.dealt < game.players:
        word, hands = "deal ", combinations_with_replacement("12345678", HAND_SIZE[game.players])
        candidates = (word + "".join(hand) for hand in hands)
    elif game.players == 3:
        candidates = (f"aside {card}" for card in "12345678")
    else:
        candidates = (f"stack {upper}{lower}" for upper in "12345678" for lower in "12345678")
    yield from (text for text in candidates if game.why(text) is None)


def read(options: dict[str, Any], position: dict[str, Any]) -> Reference:
    """The reference in a position given by the core's fields."""
    players = options.get("players", 4)
    game = Reference(players, **{name: value for name, value in options.items() if name != "players"})
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
            pending = [seat for seat, line in enumerate(position["lines"]) if line and _open(line[-1])]
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
    return game


def _open(text: str) -> bool:
    return len(text.lstrip(".:")) == 1


def lines() -> Iterator[tuple[int, dict[str, Any], dict[str, Any], int, int]]:
    """Number, options, position, depth and pinned count of every line."""
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            options, position, depth, count = line.split("|")
            yield number, json.loads(options), json.loads(position), int(depth), int(count)


def main() -> int:
    parser = argparse.ArgumentParser(description="Count the leaves of kami.perft with the reference.")
    parser.add_argument("--limit", type=float, default=200_000, help="lines with more leaves are left out")
    limit = parser.parse_args().limit
    wrong = 0
    for number, options, position, depth, count in lines():
        if count > limit:
            continue
        start = time.perf_counter()
        found = leaves(read(options, position), depth)
        wrong += found != count
        verdict = "ok" if found == count else f"pinned is {count}"
        print(
            f"{number:4} depth {depth}: {found} leaves, {time.perf_counter() - start:.1f} s, {verdict}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
