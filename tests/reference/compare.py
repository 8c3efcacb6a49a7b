"""Plays random games in the core and in the plain-Python reference side by side, comparing all there is.

    PYTHONPATH=tests .venv/bin/python -m reference.compare --games 2000

plays 2,000 whole games of Kami for every number of players and every ending, in turn with the other options, and prints
a line for each: 12 million moves and outcomes, some 12 minutes of one core. `--jobs` sets the number of processes,
`--rounds 1` plays single rounds. At every ply: whose turn it is, the legal texts in order, what each seat sees of the
move, every seat's view, the totals; at the end the returns. tests/games/test_kami_reference.py does the same for a
few thousand rounds.

    PYTHONPATH=tests .venv/bin/python -m reference.compare --games 40 thecrew

is for The Crew (compare_thecrew.py): 40 games of every mission with 2 to 5 players, of the challenge, and of every
number of plain tasks, under all options in turn, and how often each row of the table "When each constraint is decided"
was met: 15,200 games, a minute and a half of one core. tests/games/test_thecrew_reference.py plays most of them.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from typing import Any

from kibitz import _core
from reference import compare_thecrew
from reference.kami import Reference, View

# What a rule hangs on beside the number of players and the ending; the last two concern 4 and 2 players.
VARIANTS: list[dict[str, int | bool | str]] = [
    dict(zip(("next_leader", "redeal", "dead_round", "one_card"), values, strict=True))
    for values in product(("winner", "rotate"), (True, False), ("same", "next"), ("hand", "free"))
]


def variants(players: int) -> Iterator[dict[str, int | bool | str]]:
    """Every combination of the other options that matters with so many players, over and over."""
    matter = {
        2: ("next_leader", "dead_round", "one_card"),
        3: ("next_leader",),
        4: ("next_leader", "redeal"),
    }[players]
    found = [dict(pairs) for pairs in dict.fromkeys(tuple((n, v[n]) for n in matter) for v in VARIANTS)]
    while True:
        yield from found


@cache
def game_of(options: tuple[tuple[str, int | bool | str], ...]) -> _core.Game:
    return _core.Game("kami", dict(options))


def compare(options: dict[str, int | bool | str], seed: int) -> int:
    """One game; the number of plies and outcomes. AssertionError at the first difference."""
    game = game_of(tuple(options.items()))
    players = game.seats
    state = game.deal(seed)
    rng = _core.Rng(seed, "test compare")
    start = state.to_dict()
    twin = Reference(players, **{name: value for name, value in options.items() if name != "players"})  # type: ignore[arg-type]
    twin.start(start["hands"], start["first"], aside=start["aside"] or None, stacks=start["stacks"] or None)
    steps = 0
    while True:
        actor = twin.actor()
        assert state.turn == (_core.CHANCE if actor == "chance" else _core.OVER if actor is None else actor)
        for seat in range(players):
            same_view(state.view(seat).to_dict(), twin, seat)
        assert state.score() == twin.score()
        assert state.returns() == twin.returns()
        if actor is None:
            return steps
        if actor == "chance":
            known = twin.outcomes()
            if known is not None:
                assert [(game.move_text(move), weight) for move, weight in state.outcomes()] == known
            move = state.roll(rng)
        else:
            assert [game.move_text(move) for move in state.moves()] == twin.legal()
            move = state.pick(rng)
        text = game.move_text(move)
        for seat in range(players):
            assert game.move_text(state.seen(move, seat)) == twin.seen(text, seat)
        state = state.play(move)
        twin.play(text)
        steps += 1


def same_view(core: dict[str, Any], twin: Reference, seat: int) -> None:
    """The core's fields of a view against the reference's, on all that the reference has."""
    view: View = twin.view(seat)
    assert view.pop("seat") == seat  # type: ignore[misc]
    if "stacks" in view:  # the core marks the stack that is being turned up with a dash
        core = core | {"stacks": [text.lstrip("-") for text in core["stacks"]]}
    owner = view["owner"]
    if view["phase"] == "over" and owner is not None and twin.double and not twin.hands[owner]:
        # R33: doubled points prove the last face-down card. The core shows it as known to all.
        lines = view["lines"] = [list(line) for line in view["lines"]]
        lines[owner][-1] = ":" + lines[owner][-1][-1] * 2
    for key, value in view.items():
        assert core[key] == value, f"{key}: core {core[key]!r}, reference {value!r}"


def run(players: int, victory: str, rounds: int, seeds: range) -> tuple[int, str]:
    """Games of those seeds: how many steps, and what went wrong first."""
    steps = 0
    for seed, variant in zip(seeds, variants(players), strict=False):
        options: dict[str, int | bool | str] = {
            "players": players,
            "victory": victory,
            "rounds": rounds,
            **variant,
        }
        try:
            steps += compare(options, seed)
        except (AssertionError, ValueError) as error:
            return steps, f"{options} seed {seed}: {error}"
    return steps, ""


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Compare the core with the plain-Python reference of a game."
    )
    parser.add_argument("game", nargs="?", default="kami", choices=("kami", "thecrew"))
    parser.add_argument(
        "--games",
        type=int,
        help="for each number of players and ending (2000), or mission and number of players (40)",
    )
    parser.add_argument("--rounds", type=int, default=0, choices=(0, 1), help="Kami, 1: single rounds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        if given.game == "thecrew":
            wrong = compare_thecrew.compare_all(pool, given.games or 40, given.seed)
        else:
            wrong = compare_all(pool, given.games or 2000, given)
    print("no difference" if not wrong else f"{wrong} differences")
    return 1 if wrong else 0


def compare_all(pool: ProcessPoolExecutor, games: int, given: argparse.Namespace) -> int:
    """Every number of players and ending; the number of differences."""
    wrong = 0
    for players, victory in product((2, 3, 4), ("soldier", "lord", "kami")):
        begin = time.perf_counter()
        last = given.seed + games
        chunks = [range(first, last, given.jobs) for first in range(given.seed, given.seed + given.jobs)]
        results = [pool.submit(run, players, victory, given.rounds, chunk) for chunk in chunks]
        steps = sum(result.result()[0] for result in results)
        faults = [result.result()[1] for result in results if result.result()[1]]
        wrong += len(faults)
        took = time.perf_counter() - begin
        print(
            f"{players} players, {victory}: {games} games, {steps} steps, {took:.0f} s", *faults, flush=True
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main())
