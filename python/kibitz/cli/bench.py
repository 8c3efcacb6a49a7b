"""`kibitz bench`: fixed work, a signature of what was done and the speeds at which it went; speeds beside OpenSpiel."""

from collections.abc import Iterator
from hashlib import blake2b
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import shared

if TYPE_CHECKING:
    from kibitz._core import Game, State, View

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz bench --quick",
    "kibitz bench kami --quick --json",
    "kibitz bench --peers",
)

# Positions of each game and player count: (seed of the deal, random plies played from it). cpp/bench/kibitz_bench.cpp
# has them too.
POSITIONS = ((1, 0), (2, 4), (3, 9), (4, 15))
ITERATIONS = 100_000
QUICK_SHARE = 10
QUICK_ITERATIONS = ITERATIONS // QUICK_SHARE


@app.command(epilog=EXAMPLES)
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Default: every game.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A tenth of the work, with its own signature.")
    ] = False,
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Speeds beside OpenSpiel's instead, in turns; it must be installed."),
    ] = False,
    json: shared.Json = False,
) -> None:
    """Do fixed work; show its signature and the speeds.

    Deals, seeds and iterations are fixed and one thread does it all, for every game and search. The signature is a
    hash of all visit counts: the same on every machine, at every load. Two speeds may be compared only if it is the
    same for both.

    With --peers: random playouts and searches of the games that OpenSpiel has too, on one thread; the median of ten
    rounds of turns, of three with --quick, and the ratios within a round.
    """
    if peers:
        print_peers(games, rounds=3 if quick else 10, json=json)
        return
    from kibitz import _core
    from kibitz.game import load

    rows = [
        measure(slug, players, share=QUICK_SHARE if quick else 1)
        for slug in games or sorted(_core.games())
        for players in load(slug).info["players"]
    ]
    signature = digest("".join(row["signature"] for row in rows))
    if json:
        shared.print_json({"signature": signature, "quick": quick, "games": rows, "build": _core.build()})
    else:
        print_rows(rows)
        typer.echo(f"signature {signature}{' (quick)' if quick else ''}")


def print_peers(games: list[str] | None, *, rounds: int, json: bool) -> None:
    """Speeds beside OpenSpiel."""
    from kibitz.cli import peers

    found = peers.report(games, rounds=rounds)
    if json:
        shared.print_json(found)
        return
    shared.print_table(peers.layout(found))
    typer.echo(f"open_spiel {found['open_spiel']}; medians of {rounds} rounds, one thread")


def measure(slug: str, players: int, *, share: int) -> dict[str, Any]:
    """Work and speeds of one game with one number of players; `share` divides the work."""
    from kibitz import _core
    from kibitz.errors import InvalidOption

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


def positions(game: "Game") -> Iterator["State"]:
    """The fixed positions of a game: in each a seat has a choice."""
    from kibitz import _core

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


def visits(game: "Game", view: "View", search: str, iterations: int) -> str:
    """What a search did, as a line: its choice and the visits of every move."""
    from kibitz import _core

    found = _core.search(view, search=search, iterations=iterations, seed=1)
    counts = " ".join(f"{game.move_text(row['move'])}={row['visits']}" for row in found["moves"])
    return f"{game.move_text(found['move'])} {counts}"


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def print_rows(rows: list[dict[str, Any]]) -> None:
    from kibitz.layout import Layout
    from kibitz.settings import POLICIES

    names = sorted({name for row in rows for name in row["searches"] if name not in POLICIES})
    header = (
        "game",
        "players",
        "playouts/s",
        "plies/s",
        "samples/s",
        *(f"{name} it/s" for name in names),
        "signature",
    )
    lines = []
    for row in rows:
        speeds = [row["playouts_per_second"], row["plies_per_second"], row["samples_per_second"]]
        speeds += [row["searches"].get(name, {}).get("iterations_per_second") for name in names]
        cells = ["-" if speed is None else f"{speed:,.0f}" for speed in speeds]
        lines.append((row["game"], str(row["players"]), *cells, row["signature"]))
    shared.print_table(Layout(header, lines, right=header[1:-1]))
