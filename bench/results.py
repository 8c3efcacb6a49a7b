"""Measure kibitz beside OpenSpiel, and how far its searches are from an equilibrium; write docs/results.md.

    ./dev bench results                  # all: about an hour on two idle cores; writes results.json and the page
    ./dev bench results speed            # one part, or several: speed, strength, curves; the others stay
    ./dev bench results --tables         # only the tables again, from results.json

A match of `strength` that was broken off goes on (strength.py). A test compares the page with results.json.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import curves
import machine
import peers
import strength
from kibitz.cli.peers import SAME, require
from kibitz.errors import InvalidOption
from program import ROOT
from tables import Results, filled, markdown, measured_on, number

PAGE = ROOT / "docs/results.md"
RESULTS = Path(__file__).parent / "results.json"

# Asked for, by what is compared.
TARGETS = {
    "kibitz playouts, kami": "20",
    "kibitz playouts, thecrew": "12",
    "kibitz ismcts, kami, 10,000": "25, aim 40",
    "kibitz ismcts, hearts, 10,000": "20, aim 30",
    "kibitz ismcts, leduc_poker, 10,000": "8",
    "kibitz mcts, connect_four, 10,000": "12, aim 20",
    "kibitz mcts, tic_tac_toe, 100,000": "4",
}
THREADS_TARGET = "1.85"
STRENGTH_TARGETS = {"connect_four-50": "0.9 or more", "hearts-50": "clearly below 0"}

Row = dict[str, Any]


# ---- measuring ----


def speed() -> Results:
    return peers.measure(note=peers.say)


def matches() -> Results:
    return strength.measure(note=lambda row: print(strength.summary(row), file=sys.stderr, flush=True))


def exploitability() -> Results:
    return {"machine": machine.facts(), "rows": curves.measure(note=curves.say)}


PARTS: dict[str, Callable[[], Results]] = {"speed": speed, "strength": matches, "curves": exploitability}


def measured(part: str) -> Results:
    """A part of the results; the machine was as busy as at the worse end of it."""
    found = PARTS[part]()
    facts = found["machine"]
    if (after := machine.busy()) is not None:
        facts["busy"] = max(facts["busy"], after)
    return found


# ---- tables ----


def times(row: Row) -> list[str]:
    """A ratio: median, least and most of the rounds, and by processor time."""
    return [
        f"{row['median']:.2f}",
        f"{row['min']:.2f} to {row['max']:.2f}",
        "" if row["cpu"] is None else f"{row['cpu']:.2f}",
    ]


def compared(found: Results) -> list[tuple[Row, Row, Row]]:
    """Each ratio with the speeds it is of."""
    rates = {row["name"]: row for row in found["speed"]["rates"]}
    return [(row, rates[row["of"]], rates[row["to"]]) for row in found["speed"]["ratios"]]


def is_same(of: str, to: str) -> bool:
    """Whether it is one game on both sides, each at its best."""
    slugs = {each.slug: each.theirs for each in SAME}
    ours, theirs = of.split(", "), to.split(", ")
    return slugs.get(ours[1]) == theirs[1] and len(theirs) <= 3 and to.startswith("open_spiel")


def playouts_table(found: Results) -> str:
    rows = [
        [
            f"`{ours['name'].split(', ')[1]}`",
            number(ours["median"]),
            number(theirs["median"]),
            number(ours["median"] * ours["moves"]),
            number(theirs["median"] * theirs["moves"]),
            *times(row),
        ]
        for row, ours, theirs in compared(found)
        if ours["unit"] == "playout" and is_same(row["of"], row["to"])
    ]
    names = "playouts/s, OpenSpiel's, moves/s, OpenSpiel's, ratio, least to most, by processor time"
    return markdown(["game", *names.split(", ")], rows)


def searches_table(found: Results) -> str:
    rows = []
    for row, ours, theirs in compared(found):
        if ours["unit"] == "iteration" and is_same(row["of"], row["to"]):
            search, game, iterations = row["of"].removeprefix("kibitz ").split(", ")
            bot = row["to"].removeprefix("open_spiel ").split(", ")[0]
            rows.append(
                [
                    f"`{game}`, {iterations} iterations: `{search}`, `{bot}`",
                    number(ours["median"]),
                    number(theirs["median"]),
                    *times(row),
                    TARGETS.get(row["of"], ""),
                ]
            )
    names = "iterations/s, OpenSpiel's, ratio, least to most, by processor time, asked for"
    return markdown(["search", *names.split(", ")], rows)


def others_table(found: Results) -> str:
    rows = [
        [row["of"], row["to"], *times(row), "" if "worlds" in row["to"] else TARGETS.get(row["of"], "")]
        for row, _, theirs in compared(found)
        if not is_same(row["of"], row["to"]) and theirs["name"].startswith("open_spiel")
    ]
    return markdown(["", "to", "ratio", "least to most", "by processor time", "asked for"], rows)


def threads_table(found: Results) -> str:
    rows = [
        [
            row["of"].removesuffix(", 2 threads"),
            number(one["median"]),
            number(two["median"]),
            *times(row)[:2],
            THREADS_TARGET,
        ]
        for row, two, one in compared(found)
        if two["name"].endswith(", 2 threads")
    ]
    names = "one thread iterations/s, two threads, ratio, least to most, asked for"
    return markdown(["search", *names.split(", ")], rows)


def memory_table(found: Results) -> str:
    rows = [
        [
            f"`{row['game']}`, {row['library']} `{row['search']}`",
            f"{row['iterations']:,}",
            number(row["grown"] / 1e6),
            "" if row["told"] is None else number(row["told"] / 1e6),
            number(row["grown"] / row["iterations"]),
            "" if row["nodes"] is None else f"{row['nodes']:,}",
            "" if row["nodes"] is None else number(row["grown"] / row["nodes"]),
        ]
        for row in found["speed"]["memory"]
    ]
    names = "iterations, MB, MB as told, bytes an iteration, nodes, bytes a node"
    return markdown(["search", *names.split(", ")], rows)


def strength_table(found: Results) -> str:
    rows = []
    for row in found["strength"]["rows"]:
        score = row["score"]
        peer = row["peer"].split()[-1]
        rows.append(
            [
                f"`{row['game']}`: `{row['search']}` at {row['ms']:g} ms, `{peer}` at {row['peer_ms']:g} ms",
                f"{row['games']:,}",
                f"{row['won']:,}",
                f"{row['drawn']:,}",
                strength.with_interval(row["share"]),
                f"{row['even']:g}",
                "" if score is None else strength.with_interval(score, "+.2f"),
                STRENGTH_TARGETS.get(row["name"], ""),
            ]
        )
    names = "games, won, drawn, share, even, card points, asked for"
    return markdown(["match", *names.split(", ")], rows)


def effort_table(found: Results) -> str:
    rows = [
        [
            f"`{row['game']}`, {who}",
            f"{took['moves']:,}",
            f"{asked:g}",
            f"{took['cpu_ms']:.1f}",
            f"{took['wall_ms']:.1f}",
            f"{took['iterations']:,.0f}",
        ]
        for row in found["strength"]["rows"]
        for who, took, asked in (
            (f"kibitz `{row['search']}`", row["ours"], row["ms"]),
            (f"OpenSpiel `{row['peer'].split()[-1]}`", row["theirs"], row["peer_ms"]),
        )
    ]
    return markdown(
        ["", "moves", "ms meant", "ms of processor time", "ms on the wall", "iterations a move"], rows
    )


def curve_table(game: str) -> Callable[[Results], str]:
    def table(found: Results) -> str:
        rows = [
            [
                row["search"] if row["iterations"] is None else f"`{row['search']}`",
                "" if row["iterations"] is None else f"{row['iterations']:,}",
                *(
                    f"{row[policy][what]:{spec}}"
                    for what, spec in (("exploitability", ".4f"), ("value", "+.4f"))
                    for policy in ("visits", "chosen")
                ),
            ]
            for row in found["curves"]["rows"]
            if row["game"] == game
        ]
        rows.append(["equilibrium", "", *["0"] * 2, *[f"{curves.EQUILIBRIUM[game]:+.4f}"] * 2])
        names = "iterations, exploitability by visits, as played, value by visits, as played"
        return markdown(["", *names.split(", ")], rows)

    return table


def speed_machine(found: Results) -> str:
    taken = found["speed"]
    on = measured_on(taken["machine"], f"{taken['load']['min']:.2f} to {taken['load']['max']:.2f}")
    return (
        f"{on} open_spiel {taken['machine']['open_spiel']}, medians of {taken['pairs']} rounds, one thread."
    )


def strength_machine(found: Results) -> str:
    taken = found["strength"]
    on = measured_on(taken["machine"])
    return f"{on} open_spiel {taken['machine']['open_spiel']}, {taken['workers']} games at a time."


def curves_commit(found: Results) -> str:
    facts = found["curves"]["machine"]
    seeds = max(row["seeds"] for row in found["curves"]["rows"])
    return f"{facts['date']}, commit `{facts['commit']}`; {seeds} seeds. The same on every machine."


TABLES: dict[str, Callable[[Results], str]] = {
    "speed-machine": speed_machine,
    "speed-playouts": playouts_table,
    "speed-searches": searches_table,
    "speed-others": others_table,
    "speed-threads": threads_table,
    "speed-memory": memory_table,
    "strength-machine": strength_machine,
    "strength-matches": strength_table,
    "strength-effort": effort_table,
    "curves-commit": curves_commit,
    "curves-kuhn": curve_table("kuhn_poker"),
    "curves-leduc": curve_table("leduc_poker"),
}
NEEDS = {name: name.partition("-")[0] for name in TABLES}


def page_with(found: Results, page: str) -> str:
    """The page with its tables made from the results."""
    return filled(page, TABLES, NEEDS, found)


# ---- the command ----


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev bench results"
    )
    parser.add_argument("part", nargs="*", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument(
        "--tables", action="store_true", help="measure nothing, write the tables from results.json"
    )
    args = parser.parse_args()
    if unknown := [part for part in args.part if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    found: Results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for part in () if args.tables else args.part or PARTS:
        if part != "curves":
            try:
                require()
            except InvalidOption:
                print(
                    f"results: no open_spiel: {part} not measured; pip install 'kibitz[bench]'",
                    file=sys.stderr,
                )
                continue
        print(f"results: {part}", file=sys.stderr, flush=True)
        try:
            found[part] = measured(part)
        except RuntimeError as error:
            print(f"results: {part}: {error}", file=sys.stderr)
            return 1
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")
        if part != "curves" and not machine.is_idle(found[part]["machine"]):
            print("results: the machine was not idle: the figures are marked as provisional", file=sys.stderr)
    PAGE.write_text(page_with(found, PAGE.read_text()))
    print(f"written: {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
