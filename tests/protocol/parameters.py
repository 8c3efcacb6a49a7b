"""What every method takes: values of each parameter that are good, and values that are not."""

from typing import Any

from protocol.tables import KAMI_EVENTS, KAMI_LEGAL, KAMI_START, KAMI_TRUTH, kami
from protocol.wire import HELLO, Local

# By method: what it takes, and by parameter values that are good and values that are not.
BAD_TEXT: list[Any] = [1, None, True, [], {}]
BAD_NUMBER: list[Any] = ["1", None, True, [], {}, float("1e999")]
BAD_WHOLE: list[Any] = [*BAD_NUMBER, 1.5, 2**70]
BAD_LIST: list[Any] = ["1:-", 1, None, {}, [1], [None], [["1:-"]]]
BAD_OBJECT: list[Any] = ["{}", 1, None, [], True]
SESSION = (["t"], [*BAD_TEXT, "", "x" * 201])
SEARCH = (
    [
        {},
        {
            "name": "ismcts",
            "playout": "uniform",
            "utility": "win",
            "exploration": 0.5,
            "tuning": {"bias": 1},
        },
    ],
    ["ismcts", [], 1, {"name": 1}, {"exploration": "1"}, {"exploration": 0}, {"playout": "x"}, {"tuning": 1}],
)
SEED = ([0, 7, 2**64 - 1], [-1, 2**64, 1.0, "7", True])
PACE = (
    [{"min_ms": 0}, {"min_ms": 1, "jitter_ms": 1}],
    [1, {}, {"min_ms": -1}, {"min_ms": "1"}, {"min_ms": 1e9}],
)
PLAYERS = ([4], [0, 65, "4", 4.0, True])

TAKES: dict[str, tuple[dict[str, Any], dict[str, tuple[list[Any], list[Any]]]]] = {
    "hello": (
        HELLO,
        {
            "protocol": (["1", "1.0"], [*BAD_TEXT, "x" * 21]),
            "client": (["room-server 2.1", ""], [1, [], "x" * 201]),
        },
    ),
    "rules": ({"game": "kami"}, {"game": (["thecrew"], [*BAD_TEXT, ""])}),
    "set": (
        {},
        {
            "s": (["t"], [1, True, [], ""]),
            "threads": ([1, 2], [*BAD_WHOLE, 0, 65]),
            "memory_mb": ([8, 64], [*BAD_WHOLE, 7, 65_537]),
            "seed": (SEED[0], [*BAD_WHOLE, -1, 2**64]),
            "overhead_ms": ([0, 1.5], [*BAD_NUMBER, -1, 60_001]),
            "info_ms": ([0, 50], [*BAD_NUMBER, -1, 60_001]),
            "mask": ([True, False], [0, 1, "true", None, []]),
            "pace": ([{"min_ms": 0, "jitter_ms": 0}, None], PACE[1]),
        },
    ),
    "ping": ({}, {}),
    "new": (
        kami(replace=True),
        {
            "s": SESSION,
            "game": (["kami"], [*BAD_TEXT, ""]),
            "seat": ([0], [*BAD_WHOLE, -1, 64]),
            "start": ([KAMI_START], BAD_OBJECT),
            "players": PLAYERS,
            "options": ([{}, {"victory": "soldier", "players": 4}], BAD_OBJECT),
            "search": SEARCH,
            "seed": SEED,
            "events": ([[], KAMI_EVENTS], [*BAD_LIST, ["x" * 4097]]),
            "replace": ([True], [0, 1, "true", None]),
        },
    ),
    "event": (
        {"s": "t", "n": 0, "moves": KAMI_EVENTS},
        {"s": SESSION, "n": ([0], [*BAD_WHOLE, -1]), "moves": ([KAMI_EVENTS], [*BAD_LIST, ["x" * 4097]])},
    ),
    "view": (
        {"game": "kami", "view": {"seat": 0, "start": KAMI_START}},
        {
            "s": (["other"], SESSION[1]),
            "game": (["kami"], [*BAD_TEXT, ""]),
            "view": ([{"seat": 0, "start": KAMI_START}], BAD_OBJECT),
            "record": ([KAMI_EVENTS, []], ["1:-", 1, {}, [1], ["x" * 4097]]),
            "players": PLAYERS,
            "options": ([{}, {"players": 4}], BAD_OBJECT),
            "search": SEARCH,
            "seed": SEED,
        },
    ),
    "legal": (
        {"s": "t"},
        {"s": SESSION, "move": (["p", "d4", "nonsense", "", "x" * 4096], [1, True, [], "x" * 4097])},
    ),
    "state": ({"s": "t"}, {"s": SESSION}),
    "go": (
        {"s": "t", "iterations": 10},
        {
            "s": SESSION,
            "ms": ([1, 0.5], ["1", True, [], float("1e999"), 0, -1, 1e10]),
            "iterations": ([1, 10], ["1", True, [], 1.0, 0, -1, 2**70, float("1e999")]),
            "clock": (
                [{}, {"main_ms": 50, "byoyomi_ms": 1, "inc_ms": 1, "bank_ms": 1, "moves_left": 3}],
                [1, [], {"main_ms": -1}, {"byoyomi_ms": "1"}, {"moves_left": 0}, {"inc_ms": float("1e999")}],
            ),
            "until": (["stop"], ["never", "", 1, True]),
            "overhead_ms": ([0, 5.5], ["1", True, -1, 60_001, float("1e999")]),
            "scope": (["move", "turn"], ["game", "", 1, None]),
            "top": ([0, 1, 100_000, "all"], [-1, 100_001, 1.5, "some", "1", None, True]),
            "allow": ([["p"], ["d4", "p"]], ["p", [], [1], {}]),
            "expect": ([KAMI_LEGAL, KAMI_LEGAL[::-1]], ["p", [1], {}]),
            "info_ms": ([0, 5], ["1", True, -1, 60_001]),
            "pace": PACE,
            "ponder": ([False, True], [0, 1, "true", None]),
            "seed": SEED,
        },
    ),
    "stop": ({"s": "t"}, {"s": SESSION}),
    "undo": ({"s": "t", "n": 8}, {"s": SESSION, "n": ([8], [*BAD_WHOLE, -1, 9])}),
    "end": (
        {"s": "t"},
        {
            "s": SESSION,
            "returns": (
                [[1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]],
                ["1", 1, {}, [1, 0], ["1"] * 4, [float("1e999"), 0, 0, 0]],
            ),
            "reveal": ([KAMI_TRUTH], ["x", 1, []]),
            "review": (
                [{}, {"iterations": 10, "seats": [0], "seed": 1}],
                ["x", 1, [], {"ms": 0}, {"seats": ["0"]}],
            ),
        },
    ),
    "review": (
        {"game": "kami", "record": {"start": KAMI_TRUTH, "record": []}, "iterations": 10},
        {
            "game": (["kami"], [*BAD_TEXT, ""]),
            "record": ([{"start": KAMI_TRUTH, "record": ["1:-"]}], [1, None, [], True]),
            "players": PLAYERS,
            "options": ([{}, {"players": 4}], BAD_OBJECT),
            "seats": ([[0, 1], []], ["0", [True], [-1], [1.0], [64], 0]),
            "ms": ([5, 0.5], ["1", True, 0, -1, 60_001]),
            "iterations": ([1], ["1", True, 0, 1.0]),
            "search": SEARCH,
            "seed": SEED,
        },
    ),
    "bench": (
        {"games": ["tic_tac_toe"]},
        {"games": ([["tic_tac_toe"]], ["kami", [1], [""], 1]), "quick": ([True], [0, 1, "true", None])},
    ),
    "quit": ({}, {}),
}


def ready(local: Local) -> None:
    """Session "t" afresh."""
    local.ask("new", s="t", **kami(replace=True))
