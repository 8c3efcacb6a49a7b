"""Fixed work for every game and search: its signature is the same on every machine, at every load.

Two speeds may be compared only where the signatures are the same. cpp/bench/kibitz_bench.cpp does the same work.
"""

from collections.abc import Iterator
from hashlib import blake2b
from time import perf_counter
from typing import Any

from kibitz import _core
from kibitz.errors import InvalidOption

__all__ = [
    "ITERATIONS",
    "POSITIONS",
    "QUICK_ITERATIONS",
    "QUICK_SHARE",
    "digest",
    "measure",
    "positions",
    "visits",
]

# Positions of each game and player count: (seed of the deal, random plies played from it). cpp/bench/kibitz_bench.cpp
# has them too.
POSITIONS = ((1, 0), (2, 4), (3, 9), (4, 15))
ITERATIONS = 100_000
QUICK_SHARE = 10
QUICK_ITERATIONS = ITERATIONS // QUICK_SHARE


def measure(slug: str, players: int, *, share: int) -> dict[str, Any]:
    """Work and speeds of one game with one number of players; `share` divides the work."""
    game = _core.Game(slug, {"players": players})
    found = list(positions(game))
    views = [state.view(state.turn) for state in found]
    playouts, samples, iterations = 500_000 // share, 500_000 // share, ITERATIONS // share

    start = perf_counter()
    plies = sum(_core.playouts(state, playouts, _core.Rng(i, "bench"))[0] for i, state in enumerate(found))
    playout_seconds = perf_counter() - start
    start = perf_counter()
    for i, view in enumerate(views):
        _core.samples(view, samples, _core.Rng(i, "bench"))
    sample_seconds = perf_counter() - start

    searches: dict[str, dict[str, Any]] = {}
    work = []
    for name in _core.searches():
        try:
            start = perf_counter()
            lines = [visits(game, view, name, iterations) for view in views]
            seconds = perf_counter() - start
        except InvalidOption:  # a search that is not for this game
            continue
        work += [f"{slug} {players} {name} {line}\n" for line in lines]
        searches[name] = {"seconds": seconds, "iterations_per_second": iterations * len(views) / seconds}
    return {
        "game": slug,
        "players": players,
        "signature": digest("".join(work)),
        "playouts_per_second": playouts * len(found) / playout_seconds,
        "plies_per_second": plies / playout_seconds,
        "samples_per_second": samples * len(views) / sample_seconds,
        "searches": searches,
    }


def positions(game: _core.Game) -> Iterator[_core.State]:
    """The fixed positions of a game: in each a seat has a choice."""
    for seed, plies in POSITIONS:
        state = game.deal(seed)
        rng = _core.Rng(seed, "bench")
        last = None
        played = 0
        while state.turn != _core.OVER:
            if state.turn == _core.CHANCE:
                state = state.play(state.roll(rng))
                continue
            if len(state.moves()) > 1:
                last = state
                if played >= plies:
                    break
            state = state.play(state.pick(rng))
            played += 1
        if last is not None:
            yield last


def visits(game: _core.Game, view: _core.View, search: str, iterations: int) -> str:
    """What a search did, as a line: its choice and the visits of every move."""
    found = _core.search(view, search=search, iterations=iterations, seed=1)
    counts = " ".join(f"{game.move_text(row['move'])}={row['visits']}" for row in found["moves"])
    return f"{game.move_text(found['move'])} {counts}"


def digest(text: str) -> str:
    """The signature of lines of work."""
    return blake2b(text.encode(), digest_size=8).hexdigest()
