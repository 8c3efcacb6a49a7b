"""`kibitz bench`: fixed work, a signature of what was done and the speeds at which it went; speeds beside OpenSpiel."""

from typing import Annotated, Any

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz bench --quick",
    "kibitz bench kami --quick --json",
    "kibitz bench --peers",
)


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
    from kibitz.fixed_work import QUICK_SHARE, digest, measure
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
