"""Whatever comes in from outside: a sentence about it, nothing changed, and never a traceback from inside or a crash.

One table a kind of input. Each entry point is tried with all values of its kind, so that a new entry point costs one
line. What a value is called in a message is what `shown` makes of it, or the name of the argument or field.
"""

import io
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _core, cli
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError, UnknownGame, shown
from kibitz.games.kami import format_history, mask_history, parse_history, parse_kifu
from kibitz.settings import (
    LEAST_BYTES,
    MOST_BYTES,
    MOST_EXPLORATION,
    MOST_ITERATIONS,
    MOST_MS,
    MOST_THREADS,
    Settings,
)

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
SETUP: dict[str, Any] = {"hands": HANDS, "first": 1}
START: dict[str, Any] = {"hand": HANDS[0], "first": 1, "totals": [0, 0]}
GAME = kibitz.load("kami", redeal=False)
HISTORY = ",".join(HANDS) + ",s2,234,3p,4p,147,2p,3p,4p,117"
ROUND = [  # the whole record: seat 2 wins two points
    HISTORY,
    "286,363,4p,1p,2p,312,425,1p,2p,3p,415,1p,2p,3p,414,1p,2p,383,4p,1p,2p,311",
]
KIFU = (
    "version: 1.0\nlog:\n"
    "- {hand: {p0: しし香馬銀金角飛, p1: しし香馬銀金角王, p2: ししし香馬銀金玉, p3: ししし香馬銀金飛},"
    ' uchidashi: 1, score: [0, 20], game: [["1", "し", "馬"]]}\n'
)
BUDGET: dict[str, Any] = {"iterations": 5}
GREEDY = kibitz.Bot("greedy")


def table() -> kibitz.Table:
    """Seat 0 is to answer attack 4 of seat 1."""
    return GAME.setup(SETUP | {"record": ["1:d3", "1:a4", "2:p", "3:p"]})


TABLE = table()
VIEW = TABLE.view()
RECORD = parse_history(HISTORY)
STATE, SEEN, CORE = TABLE.core, VIEW.core, GAME.core


@pytest.fixture(autouse=True)
def nothing_is_changed() -> Iterator[None]:
    """The objects that all tests share are at the end what they were."""
    yield
    assert table() == TABLE
    assert TABLE.to_json() == table().to_json()
    assert table().view() == VIEW
    assert VIEW.to_json() == table().view().to_json()
    assert STATE.digest == table().core.digest


# --- values that nobody expects ---


class Unspeakable:
    """Has no words for itself, equals nothing, is no number."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    def __index__(self) -> int:
        raise RuntimeError("no number")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]


class Babble:
    """Says what no terminal should get."""

    def __repr__(self) -> str:
        return "\x1b[2J\n\ud800\u202e" * 50


class SpeechlessDict(dict[str, Any]):
    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Huge:
    def __index__(self) -> int:
        return 10**400


@cache
def nested(kind: type) -> Any:
    found: Any = kind()
    for _ in range(10_000):
        found = {"a": found} if kind is dict else [found]
    return found


@cache
def long_text(characters: int = 50_000_000) -> str:
    return "1" * characters


NUMBERS: dict[str, Any] = {
    "-1": -1,
    "2**63": 2**63,
    "2**64": 2**64,
    "10**400": 10**400,
    "10**5000": 10**5000,
    "-10**5000": -(10**5000),
    "1.5": 1.5,
    "NaN": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "1e308": 1e308,
    "True": True,
    "float32": np.float32(1.5),
    "array": np.array([1, 2]),
    "Huge": Huge(),
}
TEXTS: dict[str, Any] = {
    "empty": "",
    "NUL": "\0",
    "escape": "\x1b[2J\n",
    "surrogate": "\ud800",
    "half pair": "kami\udc00",
    "right to left": "\u202ekami",
    "wide digit": "\uff11",
    "bytes": b"kami",
    "50 MB": long_text,
}
OBJECTS: dict[str, Any] = {
    "None": None,
    "object": object(),
    "function": len,
    "class": int,
    "set": {1},
    "bytearray": bytearray(b"kami"),
    "empty list": [],
    "list of a million": ["1"] * 1_000_000,
    "deep dict": lambda: nested(dict),
    "deep list": lambda: nested(list),
    "dict subclass": SpeechlessDict(a=1),
    "unspeakable": Unspeakable(),
    "babble": Babble(),
    "matrix": np.eye(3),
}
EVERYTHING = NUMBERS | TEXTS | OBJECTS


def given(value: Any) -> Any:
    """The value itself; the large ones are made when they are needed."""
    lazy = value is long_text or (callable(value) and getattr(value, "__name__", "") == "<lambda>")
    return value() if lazy else value


def without(*names: str, among: dict[str, Any] = EVERYTHING) -> dict[str, Any]:
    assert set(names) <= set(among)
    return {name: value for name, value in among.items() if name not in names}


# --- what a refusal must look like ---

INSIDE = re.compile(
    r"Traceback|pybind|std::|kibitz::|__main__|0x[0-9a-f]{5}|\bObject of\b|not (iterable|subscriptable|callable)"
    r"|has no attribute|NoneType|list index|unhashable|truth value|int too large"
)


def check_sentence(error: KibitzError, *words: str, value: object = None) -> None:
    """A sentence for people: whole, printable, of bearable length, and about what was given."""
    message = str(error)
    assert message.isprintable(), ascii(message)
    assert message.endswith((".", "?")), message
    assert 15 < len(message) < 1200, message
    assert not INSIDE.search(message), message
    named = [*words, "nested", shown(value)[:12].strip("'\"")]
    assert any(word in message for word in named if word), (message, named)
    assert isinstance(error.allowed, tuple)


def refuse(call: Callable[[], object], *words: str, value: object = None) -> KibitzError:
    with pytest.raises(KibitzError) as caught:
        call()
    check_sentence(caught.value, *words, value=value)
    return caught.value


NUMPYS: list[tuple[Any, int]] = [(np.uint8, 4), (np.int64, 6), (np.int32, 1), (np.int8, 0)]
Entry = tuple[Callable[[Any], object], dict[str, Any], tuple[str, ...]]


def searching(name: str) -> Callable[[Any], object]:
    """`best_move` with a small budget and one argument as given."""
    return lambda value: kibitz.best_move(VIEW, **(BUDGET | {name: value}))


def a_clock(name: str) -> Callable[[Any], object]:
    """A clock with one time as given."""
    return lambda value: kibitz.Clock(**{name: value})


# Each entry point: how it is called, with what, and what a message must name one of (or the value itself).
ENTRIES: dict[str, Entry] = {
    # games
    "load": (kibitz.load, EVERYTHING, ("game",)),
    "load players": (lambda v: kibitz.load("kami", players=v), EVERYTHING, ("players",)),
    "load victory": (lambda v: kibitz.load("kami", victory=v), EVERYTHING, ("victory",)),
    "load redeal": (lambda v: kibitz.load("kami", redeal=v), without("True"), ("redeal",)),
    "load max_rounds": (lambda v: kibitz.load("kami", max_rounds=v), without(), ("max_rounds",)),
    "Game": (lambda v: kibitz.Game("kami", v), without("None"), ("options",)),
    "options_from_text": (
        lambda v: kibitz.options_from_text("kami", v), without("dict subclass", "deep dict"), ("texts",)
    ),
    "options_from_text value": (
        lambda v: kibitz.options_from_text("kami", {"players": v}), without("wide digit"), ("players",)
    ),
    "deal": (lambda v: GAME.deal(seed=v), without("2**63"), ("seed",)),
    "deal chance": (lambda v: GAME.deal(seed=1, chance=v), EVERYTHING, ("chance",)),
    "blank": (lambda v: GAME.blank(seed=v), without("2**63"), ("seed",)),
    "setup": (GAME.setup, EVERYTHING, ("position", "istory", "field", "hands")),
    "setup seed": (lambda v: GAME.setup(SETUP, seed=v), without("2**63"), ("seed",)),
    "setup hands": (lambda v: GAME.setup(SETUP | {"hands": v}), EVERYTHING, ("hands",)),
    "setup hand": (lambda v: GAME.setup(SETUP | {"hands": [v, *HANDS[1:]]}), EVERYTHING, ("hand", "holds")),
    "setup first": (lambda v: GAME.setup(SETUP | {"first": v}), EVERYTHING, ("first",)),
    "setup record": (
        lambda v: GAME.setup(SETUP | {"record": v}), without("empty list"), ("record", "A record")
    ),
    "setup event": (lambda v: GAME.setup(SETUP | {"record": [v]}), EVERYTHING, ("record[0]",)),
    "view seat": (lambda v: GAME.view(seat=v, start=START), EVERYTHING, ("seat",)),
    "view start": (lambda v: GAME.view(seat=0, start=v), EVERYTHING, ("start", "field")),
    "view hand": (lambda v: GAME.view(seat=0, start=START | {"hand": v}), EVERYTHING, ("hand",)),
    "view record": (lambda v: GAME.view(seat=0, start=START, record=v), without("empty list"), ("record", "A record")),
    "view event": (lambda v: GAME.view(seat=0, start=START, record=[v]), EVERYTHING, ("record[0]",)),
    # tables
    "play": (TABLE.play, EVERYTHING, ("move",)),
    "undo": (lambda v: table().undo(v), without("True") | {"flag": False}, ("undo",)),
    "at": (TABLE.at, EVERYTHING, ("events",)),
    "Table.view": (lambda v: TABLE.view(seat=v), without("None"), ("seat",)),
    "Table.from_json": (kibitz.Table.from_json, EVERYTHING, ("table", "document", "key")),
    "Table.from_json start": (
        lambda v: kibitz.Table.from_json(TABLE.to_dict() | {"start": v}), EVERYTHING, ("start", "field")
    ),
    "Table.from_json seed": (
        lambda v: kibitz.Table.from_json(TABLE.to_dict() | {"seed": v}), without("2**63"), ("seed",)
    ),
    "Table.from_json record": (
        lambda v: kibitz.Table.from_json(TABLE.to_dict() | {"record": v}), without("empty list"), ("record",)
    ),
    "Table": (lambda v: kibitz.Table(GAME, v), EVERYTHING, ("start", "field")),
    # views
    "View.from_json": (kibitz.View.from_json, EVERYTHING, ("view", "document", "key")),
    "View.from_json game": (lambda v: kibitz.View.from_json(VIEW.to_dict() | {"game": v}), EVERYTHING, ("game",)),
    "View.from_json seat": (lambda v: kibitz.View.from_json(VIEW.to_dict() | {"seat": v}), EVERYTHING, ("seat",)),
    "View.from_json start": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"start": v}), EVERYTHING, ("start", "field")
    ),
    "View.from_json view": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"view": v}), without("None"), ("view", "field")
    ),
    "View.from_json options": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"options": v}), EVERYTHING, ("option",)
    ),
    "View.from_json option": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"options": {"players": v}}), EVERYTHING, ("players",)
    ),
    "View.from_json version": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"kibitz": v}), EVERYTHING, ("kibitz",)
    ),
    "View.from_json rules": (
        lambda v: kibitz.View.from_json(VIEW.to_dict() | {"rules": v}), without("None"), ("rules",)
    ),
    "observe": (VIEW.observe, EVERYTHING, ("event",)),
    "sample": (lambda v: VIEW.sample(seed=v), without("2**63"), ("seed",)),
    "sample index": (lambda v: VIEW.sample(seed=1, index=v), without("2**63"), ("index",)),
    # searches
    "best_move": (lambda v: kibitz.best_move(v, **BUDGET), EVERYTHING, ("View",)),
    **{
        f"best_move {name}": (searching(name), without(*fine), (name,))
        for name, fine in {
            "search": (),
            "playout": (),
            "utility": (),
            "iterations": ("None", "2**63"),
            "ms": ("None", "1.5", "float32"),
            "nodes": ("None",),
            "max_bytes": ("None",),
            "seed": ("2**63",),
            "threads": (),
            "exploration": ("None", "1.5", "float32"),
            "clock": ("None",),
            "stop": ("None",),
            "allow": ("None", "list of a million"),
        }.items()
    },
    "best_move iterations of a thread": (
        lambda v: kibitz.best_move(VIEW, iterations=[v, 5], threads=2), EVERYTHING, ("iterations",)
    ),
    "best_move row": (kibitz.best_move(VIEW, **BUDGET).row, EVERYTHING, ("row",)),
    "best_move table": (lambda v: kibitz.best_move(VIEW, **BUDGET).table(top=v), without("None", "2**63"), ("top",)),
    "Bot": (lambda v: kibitz.Bot(v, **BUDGET), EVERYTHING, ("search",)),
    "Bot threads": (lambda v: kibitz.Bot(iterations=5, threads=v), EVERYTHING | {"10**6": 10**6}, ("threads",)),
    "Bot ms": (lambda v: kibitz.Bot(ms=v), without("1.5", "float32"), ("ms", "budget")),
    "Bot seed": (lambda v: kibitz.Bot(seed=v, **BUDGET), without("2**63"), ("seed",)),
    "Bot name": (
        lambda v: kibitz.Bot(name=v, **BUDGET), NUMBERS | without("None", among=OBJECTS), ("name",)
    ),
    "Bot.act": (kibitz.Bot(**BUDGET).act, EVERYTHING, ("View",)),
    "Bot.act ms": (lambda v: kibitz.Bot(**BUDGET).act(VIEW, ms=v), without("None", "1.5", "float32"), ("ms",)),
    "Bot clock": (lambda v: kibitz.Bot(clock=v, **BUDGET), without("None"), ("clock",)),
    "Bot.act clock": (lambda v: kibitz.Bot(**BUDGET).act(VIEW, clock=v), without("None"), ("clock",)),
    **{
        f"Clock {name}": (a_clock(name), without(*fine), (name,))
        for name, fine in {
            "main_ms": ("1.5", "float32"),
            "inc_ms": ("1.5", "float32"),
            "byoyomi_ms": ("1.5", "float32"),
            "bank_ms": ("1.5", "float32"),
            "overhead_ms": ("1.5", "float32"),
            "moves_left": ("None",),
        }.items()
    },
    "Clock.parse": (kibitz.Clock.parse, EVERYTHING, ("clock",)),
    "Clock.after": (kibitz.Clock().after, without("1.5", "float32"), ("used_ms",)),
    "RunningClock": (kibitz.RunningClock, EVERYTHING, ("clock",)),
    "FunctionBot": (kibitz.FunctionBot, without("function", "class"), ("function",)),
    # matches and reviews
    "match game": (lambda v: play_match(game=v), EVERYTHING, ("game", "match")),
    "match bots": (lambda v: play_match(bots=v), EVERYTHING, ("bot",)),
    "match bot": (lambda v: play_match(bots=[v, GREEDY]), without("function"), ("bot",)),
    "match games": (lambda v: play_match(games=v), without() | {"0": 0}, ("games",)),
    "match first": (lambda v: play_match(first=v), EVERYTHING, ("first",)),
    "match seed": (lambda v: play_match(seed=v), without("2**63"), ("seed",)),
    "match workers": (
        lambda v: play_match(workers=v), without("None") | {"0": 0, "10**6": 10**6}, ("workers",)
    ),
    "match executor": (lambda v: play_match(executor=v), without("None"), ("executor",)),
    "match progress": (
        lambda v: play_match(progress=v), without("None", "True", "function", "class"), ("progress",)
    ),
    "match options": (lambda v: play_match(victory=v), EVERYTHING, ("victory",)),
    "review": (
        lambda v: kibitz.review(v, **BUDGET),
        EVERYTHING,
        ("review", "position", "text", "document", "key", "History"),
    ),
    "review seats": (
        lambda v: kibitz.review(TABLE, seats=v, **BUDGET),
        without("None", "empty", "empty list", "array", "set"),
        ("seat",),
    ),
    "review seat": (lambda v: kibitz.review(TABLE, seats=[v], **BUDGET), EVERYTHING, ("seat",)),
    "review seed": (lambda v: kibitz.review(TABLE, seed=v, **BUDGET), without("2**63"), ("seed",)),
    "review marks": (lambda v: kibitz.review(TABLE, marks=v, **BUDGET), without("dict subclass"), ("mark",)),
    "review mark": (
        lambda v: kibitz.review(TABLE, marks={"?": v}, **BUDGET), without("1.5", "float32"), ("mark",)
    ),
    "review search": (lambda v: kibitz.review(TABLE, search=v, **BUDGET), EVERYTHING, ("search",)),
    # texts
    "read_position": (kibitz.read_position, EVERYTHING, ("position", "text", "document", "History")),
    "read_position game": (
        lambda v: kibitz.read_position(HISTORY, game=v), without("None"), ("game",)
    ),
    "read_position seat": (lambda v: kibitz.read_position(HISTORY, seat=v), without("None"), ("seat",)),
    "read_position options": (
        lambda v: kibitz.read_position(HISTORY, options=v), without("None"), ("option",)
    ),
    "read_position option": (
        lambda v: kibitz.read_position(TABLE.to_json(), options={"players": v}), EVERYTHING, ("players",)
    ),
    "mask_history": (lambda v: mask_history(RECORD, v), without("None"), ("Seat",)),
}  # fmt: skip


def play_match(**changed: Any) -> kibitz.MatchResult:
    arguments: dict[str, Any] = {"game": "kami", "bots": [GREEDY, GREEDY], "games": 2, "progress": False}
    arguments |= changed
    if isinstance(arguments["game"], str):
        arguments["rounds"] = 1
    return kibitz.match(arguments.pop("game"), arguments.pop("bots"), **arguments)


@pytest.mark.parametrize("name", ENTRIES)
def test_what_does_not_fit_an_argument_is_refused(name: str) -> None:
    call, values, words = ENTRIES[name]
    assert len(values) >= 5
    for known, value in values.items():
        value = given(value)
        try:
            refuse(lambda value=value: call(value), *words, value=value)  # type: ignore[misc]
        except BaseException as fault:
            fault.add_note(f"{name}: {known}")
            raise


def test_whole_numbers_may_be_of_any_integer_type() -> None:
    four, six, one, nought = (kind(value) for kind, value in NUMPYS)
    assert kibitz.load("kami", players=four).seats == 4
    assert GAME.deal(seed=six) == GAME.deal(seed=6)
    assert GAME.setup({"hands": HANDS, "first": one}) == GAME.setup(SETUP)
    assert TABLE.view(seat=nought) == VIEW
    assert TABLE.at(four) == TABLE
    assert VIEW.sample(seed=six, index=six) == VIEW.sample(seed=6, index=6)
    half: Any = np.float32(0.5)
    budget: dict[str, Any] = {"iterations": six, "nodes": six, "threads": one, "ms": half * 100}
    found = kibitz.best_move(VIEW, max_bytes=six << 20, seed=six, exploration=half, **budget)
    assert found.iterations == 6
    assert json.loads(found.to_json())["seed"] == 6
    assert kibitz.Bot(iterations=six, ms=half * 14) == kibitz.Bot(iterations=6, ms=7)
    assert play_match(games=four, workers=one).games == 4
    assert kibitz.review(TABLE, seats=[one], marks={"?": half}, **BUDGET).marks == {"?": 0.5}
    view = GAME.view(seat=nought, start={"hand": HANDS[0], "first": one})
    assert json.loads(view.to_json())["start"]["first"] == 1


def test_a_start_is_kept_as_it_was_given() -> None:
    start = {"hand": HANDS[0], "first": 1, "totals": [0, 0]}
    view = GAME.view(seat=0, start=start)
    start["hand"] = "87654321"
    start["totals"].append(7)  # type: ignore[attr-defined]
    assert view.start == START
    TABLE.start["hands"][0] = "nothing"
    VIEW.start["hand"] = "nothing"  # the fixture sees whether this changed anything


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("iterations", 1, MOST_ITERATIONS),
        ("threads", 1, MOST_THREADS),
        ("max_bytes", LEAST_BYTES, MOST_BYTES),
        ("ms", 1e-3, MOST_MS),
        ("exploration", 1e-3, MOST_EXPLORATION),
    ],
)
def test_settings_and_core_agree_on_the_bounds(name: str, least: float, most: float) -> None:
    stop = kibitz.Stop()
    stop.stop()  # the largest budgets end at once

    def bounds(value: float) -> tuple[Callable[[], object], Callable[[], object]]:
        arguments: dict[str, Any] = {"iterations": 300, name: value}
        return (
            lambda: Settings(**arguments),
            lambda: _core.search(SEEN, search="ismcts", stop=stop, **arguments),
        )

    for value in (least, most):
        for allowed in bounds(value):
            allowed()
    for value in (least - 1, most + 1):
        for refused in bounds(value):
            refuse(refused, name)


# --- texts: truncated, of another kind, out of range, impossible, Unicode, contradictory ---

READERS: dict[str, tuple[Callable[[Any], object], str]] = {
    "view": (kibitz.View.from_json, VIEW.to_json()),
    "table": (kibitz.Table.from_json, TABLE.to_json()),
    "position of a view": (kibitz.read_position, VIEW.to_json(indent=1)),
    "position of a table": (kibitz.read_position, TABLE.to_json()),
    "history": (parse_history, HISTORY),
    "position of a history": (kibitz.read_position, HISTORY),
    "kifu": (parse_kifu, KIFU),
    "position of a kifu": (kibitz.read_position, KIFU),
}


def complaint(call: Callable[[], object]) -> str:
    """What is said against it; empty if nothing."""
    try:
        call()
    except KibitzError as error:
        check_sentence(error, str(error)[:5])
        return str(error)
    return ""


@pytest.mark.parametrize("name", READERS)
def test_truncated_texts(name: str) -> None:
    read, text = READERS[name]
    assert complaint(lambda: read(text)) == ""
    said = [complaint(lambda end=end: read(text[:end])) for end in range(0, len(text) - 1, 5)]  # type: ignore[misc]
    whole = [] if "{" in text and "kifu" not in name else [end for end, told in enumerate(said) if not told]
    assert len(said) - len(whole) >= 5
    assert all(said[end] for end in range(len(said)) if end not in whole)


@pytest.mark.parametrize("name", READERS)
def test_texts_with_what_does_not_belong_there(name: str) -> None:
    """One foreign piece after the other at places all over the text."""
    read, text = READERS[name]
    rng = _core.Rng(1, "test places")
    foreign = [
        "\0",
        "\ud800",
        "\x1b[2J",
        "\u202e",
        "\ufeff",
        "é",
        "\uff11",
        "9" * 5000,
        "NaN",
        "-",
        "}",
        "\U0010ffff",
    ]
    told = 0
    for piece in foreign:
        for _ in range(8):
            place = rng.below(len(text))
            told += bool(complaint(lambda at=place, piece=piece: read(text[:at] + piece + text[at:])))  # type: ignore[misc]
            told += bool(complaint(lambda at=place, piece=piece: read(text[:at] + piece + text[at + 1 :])))  # type: ignore[misc]
    assert told > 100


@pytest.mark.parametrize("name", ["position of a view", "view", "table", "position of a history"])
def test_bytes_that_are_no_text(name: str) -> None:
    read, text = READERS[name]
    data = text.encode()
    for wrong in (
        b"\xff",
        b"\xed\xa0\x80",
        b"\xc3",
        b"\xf8\x88\x80\x80\x80",
        data[:40] + b"\x80" + data[40:],
    ):
        refuse(lambda wrong=wrong: read(wrong), "UTF-8", "JSON")  # type: ignore[misc]


@pytest.mark.parametrize("name", ["view", "table", "position of a view"])
@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 100_000, '{"a": 1, "a": 2}', '{"seat": NaN}', '{"seat": -Infinity}',
     "{" + ",".join(f'"{n}": 0' for n in range(90_000)) + ', "0": 1}', '{"seat": 1e999, "game": "kami"}',
     '{"seat": ' + "9" * 5000 + "}", '{"game": "\\ud800", "seat": 0}', '{"\\ud800": 1}'],
    ids=["lists", "objects", "twice", "NaN", "infinity", "among many", "1e999", "5000 digits", "half", "half key"],
)  # fmt: skip
def test_hostile_json(name: str, text: str) -> None:
    error = refuse(lambda: READERS[name][0](text), "document", "seat", "key", "game", "start", "JSON number")
    assert isinstance(error, InvalidPosition | UnknownGame)


def setup(**changed: Any) -> Callable[[], object]:
    return lambda: GAME.setup(SETUP | changed)


def start(seat: int = 0, record: Sequence[str] = (), **changed: Any) -> Callable[[], object]:
    return lambda: GAME.view(seat=seat, start=START | changed, record=record)


def game(text: str, **options: Any) -> Callable[[], object]:
    return lambda: kibitz.read_position(text, options=options)


POSITIONS: dict[str, tuple[Callable[[], object], str]] = {
    # out of range
    "no such seat leads": (setup(first=4), "first"),
    "a card 9": (setup(hands=["11113479", *HANDS[1:]]), "hand"),
    "round 0": (setup(round=0), "round"),
    "round 301": (setup(round=301), "round"),
    "a total of 15": (setup(totals=[15, 0]), "15"),
    "32 redeals": (setup(redeals=32), "redeals"),
    "a total below nought": (start(totals=[-1, 0]), "-1"),
    # impossible
    "a card too many": (setup(hands=[HANDS[0] + "1", *HANDS[1:]]), "9"),
    "a third Tower": (setup(hands=["11113777", *HANDS[1:]]), "hand"),
    "another deck": (setup(hands=["11113466", *HANDS[1:]]), "Madman"),
    "three hands": (setup(hands=HANDS[:3]), "3"),
    "nobody to answer": (setup(phase="respond"), "attack"),
    "an attack alone": (setup(phase="attack"), "defence"),
    "over before it began": (setup(phase="over"), "round"),
    "pairs while dealing": (setup(phase="deal", lines=[[], ["8"], [], []]), "dealt"),
    "a hidden card while dealing": (start(phase="deal", lines=[[], [".x"], [], []], hand=""), "dealt"),
    "mercenaries for four": (setup(stacks=["11"] * 8), "mercenaries"),
    "cards aside for four": (setup(aside="75"), "aside"),
    "a hand of seven": (start(hand="1111347"), "7"),
    "sizes of nine": (start(sizes=[8, 9, 8, 8]), "9"),
    # contradictory
    "an owner who did not attack": (setup(owner=2), "2"),
    "sizes that are not the hands": (setup(sizes=[8, 8, 8, 7]), "7"),
    "a leader that is not to move": (setup(to_move=2, phase="lead"), "lead"),
    "dealt in part, but in play": (setup(dealt=2), "dealt"),
    "asked, but it is off": (setup(announced=[5, 0, 0, 0]), "redeal"),
    "won and not over": (setup(winner=0), "winner"),
    "a known card of another": (start(lines=[[], [".34"], [], []], owner=1, phase="respond", to_move=2), ".34"),
    "a record of another": (start(record=["1:d3"]), "record[0]"),
    "the seats in another order": (start(record=["1:dx", "2:a4"]), "record[1]"),
    "what the seat holds itself": (start(record=["1:dx", "1:a7"]), "record[1]"),
    "points that were not made": (start(record=["*:points 4"]), "record[0]"),
    "another number of players": (game(HISTORY, players=3), "4 hands"),
    "hands of other sizes": (game("1111347,12344568,11123368,11224555,s2"), "field 1"),
    "a fifth hand": (game("11113477,12344568,11123368,11224555,11224555,s2"), "field 6"),
    "an illegal turn": (game(HISTORY + ",233"), "record["),
    "a turn after the end": (game("11113477,12344568,11123368,11224555,s2,2p"), "record["),
    "masked for nobody": (game("xxxxxxxx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1"), "0 of 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_impossible_positions_are_refused_with_their_reason(name: str) -> None:
    call, word = POSITIONS[name]
    assert word in str(refuse(call, word))


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"winner": None}, "winner"),
        ({"winner": 3}, "winner"),
        ({"totals": [0, 15]}, "15"),
        ({"totals": [25, 0]}, "25"),
        ({"to_move": 1}, "to move"),
        ({"phase": "lead"}, "kami"),
    ],
)
def test_an_end_that_contradicts_itself(changed: dict[str, Any], word: str) -> None:
    single = kibitz.read_position(",".join(ROUND), options={"rounds": 1})
    assert isinstance(single, kibitz.Table)
    end = single.core.to_dict()
    assert (end["phase"], end["winner"], end["totals"]) == ("over", 2, [2, 0])
    assert single.game.setup(end).core == single.core
    refuse(lambda: kibitz.load("kami").setup(end), "won", "total")
    assert word in str(refuse(lambda: single.game.setup(end | changed), word))


# --- what is accepted can be played ---


def mutate(fields: dict[str, Any], rng: _core.Rng) -> None:
    """One change somewhere in a position."""

    def pick(items: Sequence[Any]) -> Any:
        return items[rng.below(len(items))]

    def text(old: str) -> str:
        at = rng.below(len(old) + 1)
        return f"{old[:at]}{pick(['', '1', '4', '8', 'x', '.', ':', '-'])}{old[at + rng.below(2) :]}"

    name = pick(list(fields))
    value = fields[name]
    if rng.below(8) == 0:
        del fields[name]
    elif name == "phase":
        fields[name] = pick(
            ["ask", "answer", "lead", "respond", "attack", "turn_up", "score", "deal", "first", "over"]
        )
    elif isinstance(value, str):
        fields[name] = text(value)
    elif isinstance(value, list) and value:
        at = rng.below(len(value))
        item = value[at]
        if isinstance(item, list):
            pairs = [*item, pick([".14", "86", ".x4", "5", ":54", ".x"])]
            place = rng.below(len(pairs))
            fields[name] = [
                *value[:at],
                [*pairs[:place], text(pairs[place]), *pairs[place + 1 :]][: len(pairs)],
                *value[at + 1 :],
            ]
        else:
            fields[name] = [
                *value[:at],
                text(item) if isinstance(item, str) else item + pick([-1, 1, 5]),
                *value[at + 1 :],
            ]
    else:
        fields[name] = pick([None, -1, 0, 1, 2, 3, 4, 15, 31, 2**31 - 1])  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 3},
        {"players": 4},
        {"players": 4, "rounds": 1},
        {"players": 2, "rounds": 1},
    ],
    ids=str,
)
def test_every_position_that_is_accepted_obeys_the_laws(options: dict[str, Any]) -> None:
    """Changed at random, a position is refused with a sentence or is one that can be sampled and played to the end."""
    rng = _core.Rng(2, "test positions")
    core = _core.Game("kami", options)
    accepted = refused = 0
    for seed in range(12):
        state = core.deal(seed)
        for _ in range(60):
            if state.turn == _core.OVER:
                break
            for seat in (None, rng.below(core.seats)):
                fields = (state if seat is None else state.view(seat)).to_dict()
                for _ in range(1 + rng.below(3)):
                    mutate(fields, rng)
                try:
                    made = core.state(fields) if seat is None else core.view(seat, fields).sample(rng)
                except KibitzError as error:
                    check_sentence(error, "kami")
                    refused += 1
                    continue
                accepted += 1
                assert made.broken_law(rng) == "", fields
                end, _ = made.playout(rng)
                assert end.settled()
                if made.turn >= 0:
                    _core.search(made.view(made.turn), search="ismcts", iterations=3)
            state = state.play(state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng))
    assert accepted > 50
    assert refused > 200


def test_a_proven_soldier_cannot_be_denied() -> None:
    """Both hidden cards of seat 1 are Soldiers, by its request: its last attack with a Soldier doubles the points.

    Told of a single point, a view has no world, and sampling it would never end.
    """
    core = _core.Game("kami", {"rounds": 1})
    found = 0
    for seed in range(4000):
        state = core.deal(seed)
        rng = _core.Rng(seed, "test proven")
        asked = False
        while state.turn != _core.OVER:
            if state.turn == _core.CHANCE:
                told = core.move_text(state.outcomes()[0][0])
                if asked and told in ("points 2", "points 4", "points 6"):
                    found += deny(state, told)
                state = state.play(state.outcomes()[0][0])
                continue
            texts = [core.move_text(code) for code in state.moves()]
            if texts[0].startswith("?"):
                asked = True
                state = state.play(state.moves()[0])
            elif "+" in texts:
                state = state.play(core.parse_move("-"))
            else:
                state = state.play(state.pick(rng))
        if found >= 5:
            return
    pytest.fail("no such position met")


def deny(state: _core.State, told: str) -> int:
    """How many seats refuse to hear of half the points; the others can imagine it."""
    core = state.game
    half = core.parse_move(f"points {int(told.split()[1]) // 2}")
    refusals = 0
    for seat in range(core.seats):
        view = state.view(seat)
        try:
            after = view.observe(_core.CHANCE, half)
        except KibitzError as error:
            check_sentence(error, "points")
            refusals += isinstance(error, InvalidPosition)
        else:
            assert after.sample(_core.Rng(1, "test")).view(seat) == after
    return refusals


def test_only_events_with_a_text_are_observed() -> None:
    """Spare bits of a code don't make another event."""
    rng = _core.Rng(3, "test codes")
    for players in (2, 3, 4):
        core = _core.Game("kami", {"players": players})
        state = core.blank()
        for _ in range(80):
            view = state.view(0)
            code = state.roll(rng) if state.turn == _core.CHANCE else state.pick(rng)
            seen = state.seen(code, 0)
            for bit in range(8, 28):
                try:
                    view.observe(state.turn, seen ^ 1 << bit)
                except KibitzError as error:
                    check_sentence(error, "'")
                else:
                    assert core.parse_move(core.move_text(seen ^ 1 << bit)) == seen ^ 1 << bit
            state = state.play(code)


# --- the compiled module itself: wrong types are TypeErrors, all else as above ---

RNG = _core.Rng(1, "test")
BOUNDARY: dict[str, Callable[[Any], object]] = {
    "Game": lambda v: _core.Game(v, {}),
    "Game options": lambda v: _core.Game("kami", v),
    "info": _core.info,
    "Rng": lambda v: _core.Rng(v, "test"),
    "Rng purpose": lambda v: _core.Rng(1, v),
    "Rng.below": RNG.below,
    "deal": CORE.deal,
    "state": CORE.state,
    "state field": lambda v: CORE.state({"hands": v}),
    "view": lambda v: CORE.view(0, v),
    "view seat": lambda v: CORE.view(v, START),
    "move_text": CORE.move_text,
    "parse_move": CORE.parse_move,
    "State.play": STATE.play,
    "State.check": STATE.check,
    "State.seen": lambda v: STATE.seen(v, 0),
    "State.seen seat": lambda v: STATE.seen(1, v),
    "State.view": STATE.view,
    "State.pick": STATE.pick,
    "State.roll": STATE.roll,
    "State.playout": STATE.playout,
    "State.playout policy": lambda v: STATE.playout(RNG, v),
    "View.observe actor": lambda v: SEEN.observe(v, 1 << 28),
    "View.observe": lambda v: SEEN.observe(0, v),
    "View.mask": lambda v: SEEN.mask(v, 1),
    "View.sample": SEEN.sample,
    "View.greedy": SEEN.greedy,
    "search": lambda v: _core.search(v, search="greedy"),
    "search name": lambda v: _core.search(SEEN, search=v),
    "search iterations": lambda v: _core.search(SEEN, search="flat", iterations=[v]),
    "search ms": lambda v: _core.search(SEEN, search="flat", ms=v, iterations=1),
    "search allow": lambda v: _core.search(SEEN, search="flat", iterations=5, allow=[v]),
    "search stop": lambda v: _core.search(SEEN, search="flat", iterations=5, stop=v),
    "perft": lambda v: _core.perft(v, 1),
    "perft depth": lambda v: _core.perft(STATE, v),
    "playouts": lambda v: _core.playouts(STATE, v, RNG),
    "playouts rng": lambda v: _core.playouts(STATE, 1, v),
    "samples": lambda v: _core.samples(v, 1, RNG),
    "samples count": lambda v: _core.samples(SEEN, v, RNG),
}
LARGE = ("50 MB", "list of a million")  # where they are looked at at all; a TypeError prints them in full
LOOKED_AT = ("parse_move", "info", "Game", "state field", "search name", "search iterations", "search allow")
HARMLESS = {  # asks about any code, makes a stream of any name, draws below any bound
    "move_text": ("2**63",),
    "Rng": ("2**63",),
    "Rng.below": ("2**63",),
    "deal": ("2**63",),
    "playouts": ("2**63",),
    "samples count": ("2**63",),
    "Rng purpose": ("empty", "NUL", "escape", "right to left", "wide digit", "50 MB"),
    "search ms": ("None", "1.5"),
    "View.mask": ("-1",),
    "search stop": ("None",),
}


@pytest.mark.parametrize("name", BOUNDARY)
def test_the_compiled_module_refuses_what_does_not_fit(name: str) -> None:
    call = BOUNDARY[name]
    for known, value in without(*HARMLESS.get(name, ())).items():
        if known in LARGE and name not in LOOKED_AT:
            continue
        value = given(value)
        try:
            with pytest.raises((KibitzError, TypeError)) as caught:
                call(value)
            if isinstance(caught.value, KibitzError):
                check_sentence(caught.value, str(caught.value)[:5])
            else:  # as any function of Python's
                assert not re.search(r"std::|kibitz::|Traceback", str(caught.value))
        except BaseException as fault:
            fault.add_note(f"{name}: {known}")
            raise


@pytest.mark.parametrize("code", [-1, 2**32, 10**400, True])
def test_a_code_out_of_range_is_no_type_error(code: int) -> None:
    for call in (
        STATE.play,
        STATE.check,
        CORE.move_text,
        lambda v: SEEN.observe(0, v),
        lambda v: SEEN.mask(0, v),
    ):
        refuse(lambda call=call: call(code), "move", value=code)  # type: ignore[misc]


def test_any_code_has_a_text_and_is_refused() -> None:
    rng = _core.Rng(4, "test codes")
    codes = [kind << 28 | rest for kind in range(16) for rest in (0, 1, 0x9F, 0x3FFFFF, 0xFFFFFFF)]
    for code in codes + [rng.below(2**32) for _ in range(500)]:
        assert CORE.move_text(code).isprintable()
        STATE.seen(code, 1)
        SEEN.mask(2, code)
        if code not in STATE.moves():
            with pytest.raises(IllegalMove) as caught:
                STATE.play(code)
            check_sentence(caught.value, "seat")


@pytest.mark.parametrize("kind", [_core.Game, _core.State, _core.View, _core.Rng, _core.Stop])
def test_an_object_without_a_value_cannot_be_made(kind: Any) -> None:
    """Its use would end the process."""
    sub: Any = type("Sub", (kind,), {"__init__": lambda self: None})
    for made in (
        lambda: kind.__new__(kind),
        lambda: object.__new__(kind),
        lambda: sub.__new__(sub),
        sub,
    ):
        with pytest.raises(TypeError):
            made()


def test_a_dict_that_is_changed_while_it_is_read() -> None:
    class Saboteur:
        def __index__(self) -> int:
            fields.clear()
            raise ValueError

        def __repr__(self) -> str:
            fields.clear()
            return "Saboteur()"

    for name in ("first", "round"):
        fields: dict[str, Any] = {"hands": HANDS, name: Saboteur(), "phase": "lead"}
        refuse(lambda: CORE.state(fields), "Saboteur", name)  # noqa: B023


def test_what_is_raised_on_purpose_comes_through() -> None:
    class Leave:
        def __index__(self) -> int:
            raise KeyboardInterrupt

    leave: Any = Leave()
    calls: list[Callable[[], object]] = [
        lambda: CORE.deal(leave),
        lambda: _core.perft(STATE, leave),
        lambda: CORE.state({"first": leave}),
        lambda: GAME.deal(seed=leave),
        lambda: kibitz.Bot(iterations=leave),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()


def test_lists_that_contain_themselves() -> None:
    knot: list[Any] = []
    knot.append(knot)
    bow: dict[str, Any] = {}
    bow["hands"] = bow
    for value in (knot, bow):
        document = {"game": "kami", "seat": 0, "start": {"hand": value}}
        for call in (
            setup(hands=value),
            start(hand=value),
            lambda document=document: kibitz.View.from_json(document),
        ):
            refuse(call, "hand", "start")


def test_counts_of_any_size_end() -> None:
    """Limits far apart, numbers at the edge of 64 bits."""
    found = _core.search(SEEN, search="ismcts", nodes=2**64 - 1, threads=2, iterations=50)
    assert (found["iterations"], found["reason"]) == (50, "iterations")
    assert _core.search(SEEN, search="ismcts", nodes=1, threads=256)["reason"] == "nodes"
    assert _core.search(SEEN, search="ismcts", iterations=1, threads=256)["iterations"] == 1
    assert _core.search(SEEN, search="ismcts", iterations=9, exploration=5e-324)["iterations"] == 9
    assert _core.search(SEEN, search="flat", ms=5e-324)["reason"] == "ms"
    moves = [code for code in SEEN.moves() for _ in range(10_000)]
    assert _core.search(SEEN, search="flat", iterations=9, allow=moves)["iterations"] == 9


# --- bots and callables that misbehave ---


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "answer",
    [None, 7, b"p", "", "zz", "\ud800", "\0", "dx", "*:points 4", "3:p", "d9", Unspeakable(), ["p"], "p" * 100_000],
    ids=lambda answer: type(answer).__name__,
)  # fmt: skip
def test_a_bad_answer_costs_the_bot_its_game_and_nothing_else(answer: Any) -> None:
    result = kibitz.match("kami", [lambda view: answer, GREEDY], games=2, progress=False, rounds=1)
    assert [error.kind for error in result.errors] == ["IllegalMove"] * 2 or {
        error.kind for error in result.errors
    } <= {"IllegalMove", "WrongActor"}
    assert all(error.message.isprintable() for error in result.errors)
    json.loads(result.to_json())
    assert str(result)


@pytest.mark.parametrize(
    "fault", [Mute(), ValueError("\ud800"), RecursionError(), MemoryError(), KibitzError("No.")]
)
def test_whatever_a_bot_raises_is_told(fault: Exception) -> None:
    def raises(view: kibitz.View) -> str:
        raise fault

    result = kibitz.match("kami", [raises, GREEDY], games=2, progress=False, rounds=1)
    assert [error.kind for error in result.errors] == [type(fault).__name__] * 2
    json.loads(result.to_json())


def test_an_executor_may_be_any() -> None:
    with ThreadPoolExecutor(2) as executor:
        result = play_match(executor=executor, games=4)
    assert result.games == 4
    assert result == play_match(games=4)


# --- the command line ---


def command(
    args: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    stdin: bytes = b"",
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
    capsys.readouterr()
    code = cli.run(list(args))
    said = capsys.readouterr()
    return code, said.out, said.err


WORDS = ["", "\0", "\ud800", "\uff11", "\x1b[2J", "../" * 99, "-1", "nan", "1e999", "9" * 400, "--"]
COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "command": (["{}"], WORDS),
    "best": (["best", "{}"], WORDS),
    "best --ms": (["best", "kami-answer", "--ms", "{}"], [*WORDS, "1e308", "0"]),
    "best --clock": (["best", "kami-answer", "--clock", "{}"], [*WORDS, "60", "1s+", "1s/1s/1s/1s", "9" * 400 + "s"]),
    "best --iterations": (["best", "kami-answer", "--iterations", "{}"], [*WORDS, "0", "1.5"]),
    "best --threads": (["best", "kami-answer", "--iterations", "5", "--threads", "{}"], [*WORDS, "0", "1000000"]),
    "best --seed": (["best", "kami-answer", "--iterations", "5", "--seed", "{}"], [*WORDS[:9], "--"]),
    "best --seat": (["best", "kami-table", "--iterations", "5", "--seat", "{}"], [*WORDS, "4", str(2**63)]),
    "best --search": (["best", "kami-answer", "--iterations", "5", "--search", "{}"], WORDS),
    "best --playout": (["best", "kami-answer", "--iterations", "5", "--playout", "{}"], WORDS),
    "best --utility": (["best", "kami-answer", "--iterations", "5", "--utility", "{}"], WORDS),
    "best --option": (["best", "kami-answer", "--iterations", "5", "--option", "{}"], [*WORDS, "players=", "=", "a=b"]),
    "play": (["play", "{}"], WORDS),
    "play --players": (["play", "kami", "--players", "{}"], [*WORDS, "1", "5"]),
    "play --seat": (["play", "kami", "--seat", "{}"], [*WORDS, "4"]),
    "play --bots": (["play", "kami", "--bots", "{}"], [*WORDS, "flat:ms=0", ","]),
    "play --seed": (["play", "kami", "--seed", "{}"], [*WORDS, str(2**64)]),
    "match": (["match", "{}", "--bots", "greedy,random"], WORDS),
    "match --bots": (["match", "kami", "--bots", "{}"], [*WORDS, "greedy", "flat:threads=1000000,greedy"]),
    "match --games": (["match", "kami", "--bots", "greedy,random", "--games", "{}"], [*WORDS, "0"]),
    "match --workers": (["match", "kami", "--bots", "greedy,random", "--workers", "{}"], [*WORDS, "0", "1000000"]),
    "match --option": (["match", "kami", "--bots", "greedy,random", "-o", "{}"], [*WORDS, "rounds=2", "rounds="]),
    "review": (["review", "{}"], WORDS),
    "review --seats": (
        ["review", "kami-round", "--iterations", "5", "--seats", "{}"], [*WORDS[:3], *WORDS[4:], "4", "1,,2"]
    ),
    "review --search": (["review", "kami-round", "--iterations", "5", "--search", "{}"], [*WORDS, "greedy"]),
    "perft": (["perft", "{}"], WORDS),
    "perft --depth": (["perft", "kami", "--depth", "{}"], [*WORDS[:9], "--", "0"]),
    "perft --position": (["perft", "kami", "--depth", "1", "--position", "{}"], [*WORDS, "kami-answer"]),
    "perft --seed": (["perft", "kami", "--depth", "1", "--seed", "{}"], [*WORDS, str(2**64)]),
    "bench": (["bench", "{}"], WORDS[:-1]),
    "games": (["games", "{}"], WORDS[:-1]),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_command_lines_are_refused_in_one_sentence(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    args, words = COMMANDS[name]
    assert len(words) >= 5
    for word in words:
        code, out, err = command([word if arg == "{}" else arg for arg in args], capsys, monkeypatch)
        told = f"{name} {word!r}: {code} {out[:200]!r} {err[:500]!r}"
        assert code in (1, 2), told
        assert out == "", told
        assert "Traceback" not in err, told
        if code == 1:
            assert re.fullmatch(r"kibitz: [^\n]+\n", err), told
            assert err.isascii() is ascii(err).isprintable() or err[:-1].isprintable(), told
        else:
            assert "--help" in err or "Usage" in err, told


INPUTS: dict[str, bytes] = {
    "nothing": b"",
    "NUL": b"\0" * 100,
    "no UTF-8": b"\xff\xfe\x00",
    "half a pair": b"\xed\xa0\x80",
    "JSON cut off": VIEW.to_json().encode()[:99],
    "a list": b"[1, 2]",
    "a number too large": b'{"game": "kami", "seat": 1e999}',
    "a history cut off": HISTORY.encode()[:30],
    "an illegal turn": HISTORY.encode() + b",233",
    "YAML that refers to itself": b"&a [*a]: 1",
    "too much": b"1" * 2_000_000,
    "a contradiction": json.dumps(VIEW.to_dict() | {"seat": 1}).encode(),
    "escapes": b"\x1b[2J\x1b]0;x\x07",
}


@pytest.mark.parametrize("source", ["stdin", "file"])
@pytest.mark.parametrize("args", [["best"], ["review"], ["perft", "kami", "--position"]], ids=" ".join)
def test_files_and_standard_input_are_refused_in_one_sentence(
    args: list[str],
    source: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    for name, data in INPUTS.items():
        path = tmp_path / "position.txt"
        path.write_bytes(data)
        where = str(path) if source == "file" else "-"
        code, out, err = command([*args, where], capsys, monkeypatch, stdin=data)
        assert (code, out) == (1, ""), (name, code, err)
        assert re.fullmatch(r"kibitz: [^\n]+[.?]\n", err), (name, err)
        assert err[:-1].isprintable(), (name, err)
        assert not INSIDE.search(err), (name, err)


PLAYED = "\u202e\n\x1b[2J\nd\uff11\n1:d3\n*:points 3\n0:dx\n" + "x" * 70_000 + "\nd9\n\0\n-\n-\n-\nquit\n"


def test_a_person_may_type_anything(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    args = ["play", "kami", "--bots", "greedy", "--seed", "7"]
    code, out, err = command(args, capsys, monkeypatch, stdin=PLAYED.encode())
    assert (code, err) == (0, "")
    assert out.endswith("Left the game.\n")
    assert not INSIDE.search(out)


def test_the_process_itself_says_no_more() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "kibitz.cli", "best", "-"],
        input=b"\x00\xff" * 999,
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, b"")
    assert re.fullmatch(rb"kibitz: [^\n]+\.\r?\n", run.stderr)


def test_entries_are_tried_with_every_kind_of_value() -> None:
    assert len(EVERYTHING) > 35
    assert len(list(islice(ENTRIES, 80))) >= 75


def test_error_kinds_are_the_documented_ones() -> None:
    assert isinstance(refuse(lambda: kibitz.load("kamy"), "kamy"), UnknownGame)
    assert isinstance(refuse(lambda: kibitz.load("kami", players=9), "players"), InvalidOption)
    assert isinstance(refuse(lambda: GAME.setup({"hands": []}), "hands"), InvalidPosition)
    assert isinstance(refuse(lambda: TABLE.play("d9"), "d9"), IllegalMove)
    assert isinstance(refuse(lambda: format_history(None), "record"), InvalidPosition)  # type: ignore[arg-type]
