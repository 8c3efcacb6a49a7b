"""What several commands need: their common options, positions by name, tables, JSON."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.errors import InvalidPosition

if TYPE_CHECKING:
    from kibitz.analysis import Analysis
    from kibitz.bot import Bot
    from kibitz.campaign import Campaign
    from kibitz.clock import Clock
    from kibitz.game import Game, OptionValue
    from kibitz.layout import Layout
    from kibitz.match_result import MatchResult
    from kibitz.reviews import Review
    from kibitz.sweeps import Sweep
    from kibitz.table import Table
    from kibitz.view import View

Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="K=V", help="An option of the game, see `kibitz games GAME`; repeatable."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout and nothing else.")]
Iterations = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Iterations a move: the same answer on every machine.")
]
Nodes = Annotated[int | None, typer.Option(min=1, metavar="N", help="End when the tree has so many nodes.")]
Search = Annotated[str, typer.Option(metavar="NAME", help="ismcts, moismcts, mcts, flat, greedy or random.")]
Threads = Annotated[int, typer.Option(min=1, metavar="N", help="Threads of one search.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Names the random streams.")]
Playout = Annotated[
    str, typer.Option(metavar="NAME", help="uniform, hint for the game's light policy, or auto.")
]
Utility = Annotated[
    str, typer.Option(metavar="NAME", help="What to maximise: win, score, win+margin, or auto.")
]

Tune = Annotated[
    list[str] | None,
    typer.Option(
        "--tune",
        metavar="K=V",
        help="A departure from the search's formula, such as rave=300 (docs/search.md); repeatable.",
    ),
]

SHIPPED = Path(__file__).parents[1] / "examples"


def new_app() -> typer.Typer:
    """An app for one command, with plain help: it keeps lines as they stand and is quick."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["--help", "-h"]}
    )


def examples(*lines: str) -> str:
    """The examples of a `--help`: one command a line, kept as they stand."""
    return "\n".join(["\b", "Examples:", *(f"  $ {line}" for line in lines)])


# ---- in ----


def pairs(items: list[str] | None, *, hint: str = "--option") -> dict[str, str]:
    """`["players=3", "victory=lord"]` as a dict of texts."""
    found: dict[str, str] = {}
    for item in items or []:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not name:
            raise typer.BadParameter(f"{item!r} is not of the form name=value.", param_hint=hint)
        if name in found:
            raise typer.BadParameter(f"{name!r} is given twice.", param_hint=hint)
        found[name] = value
    return found


def options(slug: str, items: list[str] | None) -> "dict[str, OptionValue]":
    """The options typed, in the types that `load` takes."""
    from kibitz.game import options_from_text

    return options_from_text(slug, pairs(items))


def load(slug: str, items: list[str] | None, **more: int | None) -> "Game":
    """A game with the options typed, and those of `more` that are given."""
    from kibitz.game import load

    chosen = options(slug, items)
    return load(slug, **chosen | {name: value for name, value in more.items() if value is not None})


def each(slug: str, text: str) -> "tuple[str, list[OptionValue]]":
    """`mission=1-3` or `radio=off,one_round` as an option and its values."""
    (name, values), *_ = pairs([text], hint="--each").items()
    texts: list[str] = []
    for part in values.split(","):
        low, dash, high = part.strip().partition("-")
        if dash and low.isdecimal() and high.isdecimal() and len(low + high) < 8 and int(low) <= int(high):
            texts += map(str, range(int(low), int(high) + 1))
        else:
            texts.append(part.strip())
    return name, [options(slug, [f"{name}={value}"])[name] for value in texts]


def read_text(source: str) -> str:
    """A file, standard input for `-`, or a shipped example by its name with or without the ending.

    One byte more than a document may have is read, so that an endless file is refused and not swallowed.

    Raises:
        InvalidPosition: Nothing of that name, or not UTF-8.
    """
    from kibitz.documents import MAX_BYTES

    if source == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        path = Path(source)
        if not path.is_file():
            path = shipped_path(source)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InvalidPosition(
            f"{source} has more than {MAX_BYTES:,} bytes, which is all that is read.", given=source
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidPosition(
            f"{source} is not UTF-8: {error.reason} at byte {error.start}.", given=source
        ) from None


def read_position(source: str, items: list[str] | None, *, game: str | None = None) -> "View | Table":
    """A view or a table by the name of its source, with the options typed for notations that leave them open."""
    from kibitz.position import read_position

    return read_position(
        read_text(source), game=game, options={name: value(text) for name, text in pairs(items).items()}
    )


def read_view(source: str, seat: int | None, items: list[str] | None) -> "View":
    """What one seat knows: by default the seat to move."""
    from kibitz.table import Table

    found = read_position(source, items)
    if not isinstance(found.turn, int):
        state = "the game is over" if found.turn is None else "chance is to act"
        raise InvalidPosition(
            f"There is nothing to decide in {source}: {state}. `kibitz review` looks back at a game."
        )
    if isinstance(found, Table):
        view = found.view(seat=seat)
    elif seat in (None, found.seat):
        view = found
    else:
        raise InvalidPosition(f"{source} is what seat {found.seat} knows, not seat {seat}.", given=seat)
    if view.turn != view.seat:
        raise InvalidPosition(
            f"Seat {view.seat} has nothing to decide in {source}: seat {view.turn} is to act."
        )
    return view


def read_table(source: str, items: list[str] | None, *, game: str) -> "Table":
    """A position with all cards known."""
    from kibitz.table import Table

    found = read_position(source, items, game=game)
    if not isinstance(found, Table):
        raise InvalidPosition(
            f"{source} is what seat {found.seat} knows; a table with all hands known is needed."
        )
    return found


def read_tables(source: str, items: list[str] | None, *, game: str) -> "list[Table]":
    """Positions with all cards known, one a line, all of one game with one set of options."""
    from kibitz.position import read_tables

    found = read_tables(read_text(source))
    chosen = options(game, items)
    for number, table in enumerate(found):
        here = table.game.options
        if table.game.slug != game:
            raise InvalidPosition(f"{source} has a table of {table.game.slug}, not of {game}.")
        for name, value in chosen.items():
            if here.get(name) != value:
                raise InvalidPosition(
                    f"Table {number} of {source} is played with {name}={here.get(name)!r}, not {value!r}."
                )
    return found


def value(text: str) -> int | bool | str:
    """An option's value before its game is known: a whole number, true or false, or a word."""
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else text


def seat_list(text: str) -> list[int]:
    """`1,3` as numbers."""
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a list of seats such as 1,3.", param_hint="--seats"
        ) from None


def shipped() -> list[dict[str, str]]:
    """The shipped examples: name, file, game, command to try, what it is."""
    import json

    found: list[dict[str, str]] = json.loads((SHIPPED / "index.json").read_text("utf-8"))
    return found


def shipped_path(name: str) -> Path:
    """The shipped example of that name."""
    from kibitz.errors import did_you_mean

    files = {each["name"]: each["file"] for each in shipped()}
    for key, file in files.items():
        if name in (key, file):
            return SHIPPED / file
    raise InvalidPosition(
        f"There is no file {name!r} and no shipped example of that name{did_you_mean(name, list(files)) or '.'} "
        f"Examples: {', '.join(files)}.",
        given=name,
        allowed=files,
    )


@dataclass(frozen=True)
class Budget:
    """What a search may spend; `default` says that nobody chose it."""

    ms: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    clock: "Clock | None" = None
    default: bool = False

    def text(self, each: str = "") -> str:
        """`1,000 ms a decision (the default; ...)`, with `each` = " a decision"."""
        parts = [
            "" if self.iterations is None else f"{self.iterations:,} iterations",
            "" if self.nodes is None else f"{self.nodes:,} nodes",
            "" if self.ms is None else f"{self.ms:,g} ms",
            "" if self.clock is None else f"clock {self.clock}",
        ]
        note = " (the default; --ms or --iterations changes it)" if self.default else ""
        return f"{' or '.join(filter(None, parts))}{each}{note}"


def budget(
    *,
    ms: float | None,
    iterations: int | None,
    nodes: int | None = None,
    clock: str | None = None,
    default_ms: float,
) -> Budget:
    """The budget typed, else `default_ms`."""
    if ms is None and iterations is None and nodes is None and clock is None:
        return Budget(ms=default_ms, default=True)
    return Budget(ms, iterations, nodes, None if clock is None else read_clock(clock))


def read_clock(text: str) -> "Clock":
    """`60s+1s`, as `kibitz.Clock.parse` has it."""
    from kibitz.clock import Clock

    return Clock.parse(text)


def number(text: str) -> float:
    """A whole number where it is one, so that a bot's name shows `ms=50` and not `ms=50.0`."""
    value = float(text)
    return int(value) if value.is_integer() else value


def flag(text: str) -> bool:
    """`true` or `false`."""
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


TUNING: dict[str, Callable[[str], object]] = {
    "first_play": number,
    "bias": number,
    "rave": number,
    "widening": number,
    "halving": flag,
    "proofs": flag,
}

BOT_KEYS: dict[str, Callable[[str], object]] = {
    "iterations": int,
    "ms": number,
    "nodes": int,
    "max_bytes": int,
    "threads": int,
    "playout": str,
    "utility": str,
    "exploration": number,
    **TUNING,
    "clock": read_clock,
    "temperature": number,
    "name": str,
    "seed": int,
}

LEVEL_KEYS: dict[str, Callable[[str], object]] = {"name": str, "seed": int}


def bots(text: str, spend: Budget) -> "list[Bot]":
    """Bots from `name[:key=value,...]`, separated by commas; `spend` is for those that name no budget.

    A comma followed by `key=value` goes on with the bot before it: `ismcts:ms=50,playout=hint,greedy` is two bots.
    `level:4` is one of the ten strengths of `kibitz.level`.

    >>> [bot.name for bot in bots("ismcts:iterations=50,playout=hint,greedy,level:4,seed=2", Budget(ms=20))]
    ['ismcts iterations=50 playout=hint', 'greedy', 'level 4']
    """
    parts: list[list[str]] = []
    for part in text.split(","):
        head, colon, rest = (piece.strip() for piece in part.partition(":"))
        if "=" in head and parts:
            parts[-1].append(part)
        else:
            parts.append([head, rest] if colon else [head])
    return [bot(name, settings, spend) for name, *settings in parts]


def bot(name: str, settings: list[str], spend: Budget) -> "Bot":
    """One bot from its name and its `key=value` texts."""
    from kibitz.bot import Bot
    from kibitz.settings import BUDGETS, POLICIES

    if name == "level":
        return level_bot(settings)
    found = typed(pairs(settings, hint="--bots"), BOT_KEYS, f"{name}: ")
    if tuning := {key: found.pop(key) for key in TUNING if key in found}:
        found["tuning"] = tuning
    if name not in POLICIES and not found.keys() & set(BUDGETS):
        found |= {"ms": spend.ms, "iterations": spend.iterations, "nodes": spend.nodes}
    return Bot(name, **found)


def level_bot(settings: list[str]) -> "Bot":
    """A bot from the level's number, and its name and seed if they are given."""
    from kibitz.errors import InvalidOption, shown
    from kibitz.levels import LEVELS, level

    text, *rest = settings or [""]
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise InvalidOption(
            f"There is no level {shown(text)}; write level:1 to level:{len(LEVELS)}.", given=text
        )
    found = typed(pairs(rest, hint="--bots"), LEVEL_KEYS, f"level:{text}: ")
    return level(int(text), **found)


def tuning(items: list[str] | None) -> dict[str, Any] | None:
    """What `--tune` was given."""
    return typed(pairs(items, hint="--tune"), TUNING, "") if items else None


def typed(given: dict[str, str], kinds: dict[str, Callable[[str], object]], who: str) -> dict[str, Any]:
    """Texts as the values that they stand for."""
    from kibitz.errors import InvalidOption, did_you_mean, shown

    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in kinds:
            raise InvalidOption(
                f"{who}There is no setting {key!r}{did_you_mean(key, list(kinds)) or '.'} "
                f"Settings: {', '.join(kinds)}.",
                given=key,
                allowed=kinds,
            )
        try:
            found[key] = kinds[key](value)
        except ValueError:
            kind = "true or false" if kinds[key] is flag else "a number"
            raise InvalidOption(f"{who}{key} cannot be {shown(value)}; it is {kind}.", given=value) from None
    return found


# ---- out ----


def print_json(document: object) -> None:
    """The one document of `--json`."""
    import json

    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def print_table(found: "Layout | Analysis | Campaign | MatchResult | Review | Sweep") -> None:
    """Aligned columns: bold heads and folded cells in a terminal, plain text elsewhere."""
    from kibitz.layout import Layout

    if sys.stdout.isatty():
        from rich.console import Console

        Console(highlight=False).print(found.rich() if isinstance(found, Layout) else found)
    else:
        typer.echo(found.text() if isinstance(found, Layout) else found.table())


def value_text(value: object) -> str:
    """A value of an option as it is typed; none is "-"."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)
