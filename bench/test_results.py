"""The tables of docs/results.md are those of results.json: no figure there is typed by hand."""

import json
import re
from typing import Any

import pytest

import results
from tables import filled, markdown, number


def test_page_shows_the_results() -> None:
    page = results.PAGE.read_text()
    assert page == results.page_with(json.loads(results.RESULTS.read_text()), page), (
        "./dev bench results --tables"
    )


def test_page_has_every_table_once() -> None:
    assert re.findall(r"<!-- table (\S+) -->", results.PAGE.read_text()) == list(results.TABLES)


# ---- tables.py ----


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456, "0.12"), (12.345, "12.3"), (123.4, "123"), (12345.0, "12,300"), (-1e-9, "0.00")],
)
def test_three_digits_count(value: float, text: str) -> None:
    assert number(value) == text


def test_markdown() -> None:
    assert markdown(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_tables_stand_between_their_marks() -> None:
    page = "text\n<!-- table one -->\nold\n<!-- end -->\nmore\n<!-- table two -->\nold\n<!-- end -->\n"
    tables = {"one": lambda found: str(found["one"]), "two": lambda found: str(found["part"])}
    assert filled(page, tables, {"two": "part"}, {"one": 7}) == (
        "text\n<!-- table one -->\n7\n<!-- end -->\nmore\n<!-- table two -->\nNot measured.\n<!-- end -->\n"
    )


# ---- what is shown of measurements ----


def rate(name: str, unit: str, median: float, moves: float = 1.0) -> dict[str, Any]:
    return {"name": name, "unit": unit, "median": median, "moves": moves}


def against(of: str, to: str, median: float, cpu: float | None = 3.0) -> dict[str, Any]:
    return {"of": of, "to": to, "median": median, "min": median - 1, "max": median + 1, "cpu": cpu}


SPEED = {
    "rates": [
        rate("open_spiel playouts, hearts", "playout", 50, moves=51),
        rate("kibitz playouts, hearts", "playout", 2000, moves=51),
        rate("kibitz playouts, kami", "ply", 60_000_000),
        rate("open_spiel ISMCTSBot, hearts, 10,000", "iteration", 20_000),
        rate("open_spiel ISMCTSBot, hearts, 10,000, 100 worlds", "iteration", 21_000),
        rate("kibitz ismcts, hearts, 10,000", "iteration", 500_000),
        rate("kibitz ismcts, hearts, 100,000", "iteration", 500_000),
        rate("kibitz ismcts, hearts, 100,000, 2 threads", "iteration", 950_000),
    ],
    "ratios": [
        against("kibitz playouts, hearts", "open_spiel playouts, hearts", 40),
        against("kibitz ismcts, hearts, 10,000", "open_spiel ISMCTSBot, hearts, 10,000", 25),
        against("kibitz playouts, kami", "open_spiel playouts, hearts", 24),
        against("kibitz ismcts, hearts, 10,000", "open_spiel ISMCTSBot, hearts, 10,000, 100 worlds", 23.8),
        against("kibitz ismcts, hearts, 100,000, 2 threads", "kibitz ismcts, hearts, 100,000", 1.9, cpu=None),
    ],
    "memory": [
        {
            "game": "g",
            "library": "kibitz",
            "search": "mcts",
            "iterations": 10,
            "grown": 5000,
            "nodes": 20,
            "told": 20_000,
        },
        {
            "game": "g",
            "library": "open_spiel",
            "search": "ISMCTSBot",
            "iterations": 10,
            "grown": 90,
            "nodes": None,
            "told": None,
        },
    ],
}


def body(table: str) -> list[list[str]]:
    """Cells below the header."""
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_playouts_are_of_the_same_game() -> None:
    assert body(results.playouts_table({"speed": SPEED})) == [
        ["`hearts`", "2,000", "50.0", "102,000", "2,550", "40.00", "39.00 to 41.00", "3.00"]
    ]


def test_searches_have_what_was_asked_for() -> None:
    table = results.searches_table({"speed": SPEED})
    assert body(table) == [
        [
            "`hearts`, 10,000 iterations: `ismcts`, `ISMCTSBot`",
            "500,000",
            "20,000",
            "25.00",
            "24.00 to 26.00",
            "3.00",
            "20, aim 30",
        ]
    ]


def test_other_comparisons_are_apart() -> None:
    rows = body(results.others_table({"speed": SPEED}))
    assert [[row[0], row[1], row[-1]] for row in rows] == [
        ["kibitz playouts, kami", "open_spiel playouts, hearts", "20"],
        ["kibitz ismcts, hearts, 10,000", "open_spiel ISMCTSBot, hearts, 10,000, 100 worlds", ""],
    ]


def test_threads() -> None:
    assert body(results.threads_table({"speed": SPEED})) == [
        ["kibitz ismcts, hearts, 100,000", "500,000", "950,000", "1.90", "0.90 to 2.90", "1.85"]
    ]


def test_memory() -> None:
    assert body(results.memory_table({"speed": SPEED})) == [
        ["`g`, kibitz `mcts`", "10", "0.01", "0.02", "500", "20", "250"],
        ["`g`, open_spiel `ISMCTSBot`", "10", "0.00", "", "9.00", "", ""],
    ]


MATCH = {
    "name": "hearts-50",
    "game": "hearts",
    "search": "ismcts",
    "ms": 50.0,
    "peer": "open_spiel ISMCTSBot",
    "peer_ms": 50.0,
    "games": 400,
    "won": 150,
    "drawn": 10,
    "even": 0.25,
    "share": {"mean": 0.4, "low": 0.35, "high": 0.45},
    "score": {"mean": -2.5, "low": -3.25, "high": -1.75},
    "ours": {"moves": 4000, "cpu_ms": 49.5, "wall_ms": 50.2, "iterations": 25_000.4},
    "theirs": {"moves": 12_000, "cpu_ms": 51.0, "wall_ms": 52.0, "iterations": 1_000},
}


def test_matches_have_intervals() -> None:
    assert body(results.strength_table({"strength": {"rows": [MATCH]}})) == [
        [
            "`hearts`: `ismcts` at 50 ms, `ISMCTSBot` at 50 ms",
            "400",
            "150",
            "10",
            "0.400 [0.350, 0.450]",
            "0.25",
            "-2.50 [-3.25, -1.75]",
            "clearly below 0",
        ]
    ]


def test_what_both_sides_took_is_told() -> None:
    assert body(results.effort_table({"strength": {"rows": [MATCH]}})) == [
        ["`hearts`, kibitz `ismcts`", "4,000", "50", "49.5", "50.2", "25,000"],
        ["`hearts`, OpenSpiel `ISMCTSBot`", "12,000", "50", "51.0", "52.0", "1,000"],
    ]
