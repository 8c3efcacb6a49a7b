"""What `hello`, `rules` and `bench` say: the engine, its games, fixed work."""

from functools import cache
from time import perf_counter
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from kibitz import _core
from kibitz.documents import ViewDocument
from kibitz.errors import KibitzError
from kibitz.fixed_work import ITERATIONS, QUICK_SHARE, digest, measure
from kibitz.game import games, load
from kibitz.protocol.faults import fault_of
from kibitz.protocol.messages import LINE_BYTES, PROTOCOL, BenchParams
from kibitz.protocol.opening import SEARCHES
from kibitz.protocol.work import Work

__all__ = ["FEATURES", "MOST_SESSIONS", "bench_result", "hello_result", "rules_result"]

MOST_SESSIONS = 256
FEATURES = ("ponder", "review", "undo", "bench")
MASKS = {"x": "something that this seat may not see, in the text of a move or outcome"}


def hello_result(work: Work, memory_mb: int) -> dict[str, Any]:
    """Who answers, and what it can do."""
    build = _core.build()
    return {
        "protocol": PROTOCOL,
        "engine": {
            "name": "kibitz",
            "version": build["version"],
            "build": f"{build['compiler']} {build['arch']}",
        },
        "games": games(),
        "searches": SEARCHES,
        "features": list(FEATURES),
        "limits": {
            "sessions": MOST_SESSIONS,
            "line_bytes": LINE_BYTES,
            "searches": work.searches,
            "memory_mb": work.searches * memory_mb,
        },
    }


def rules_result(slug: str) -> dict[str, Any]:
    """All that a host needs to know of a game, made from what the core says.

    Raises:
        Fault: unknown_game.
    """
    try:
        load(slug)
    except KibitzError as error:
        raise fault_of(error, "unknown_game", field="game") from None
    return _rules(slug)


@cache
def _rules(slug: str) -> dict[str, Any]:
    info = load(slug).info
    return {
        "game": slug,
        "name": info["name"],
        "version": info["rules"],
        "players": info["players"],
        "default_players": info["default_players"],
        "cooperative": info["cooperative"],
        "open": info["open"],
        "options": _options_model(slug, info["options"]).model_json_schema(),
        "start": _fields_model(f"{slug} start", info["start"]).model_json_schema(),
        "view": ViewDocument.model_json_schema(),
        "moves": info["grammar"],
        "utility": {"unit": info["utility"], "min": 0.0, "max": 1.0},
        "masks": {} if info["open"] else MASKS,
    }


def _options_model(slug: str, options: list[dict[str, Any]]) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for option in options:
        kind, default, doc = option["kind"], option["default"], option["doc"]
        if kind == "int":
            fields[option["name"]] = (
                int,
                Field(default, ge=option["minimum"], le=option["maximum"], description=doc),
            )
        elif kind == "bool":
            fields[option["name"]] = (bool, Field(default, description=doc))
        elif kind == "choice":
            fields[option["name"]] = (Literal[tuple(option["choices"])], Field(default, description=doc))
        else:
            fields[option["name"]] = (dict[str, Any] | None, Field(default, description=doc))
    return create_model(f"{slug} options", __config__=ConfigDict(extra="forbid"), **fields)


TYPES: dict[str, Any] = {"string": str, "integer": int, "boolean": bool, "number": float}


def _fields_model(name: str, fields: list[dict[str, str]]) -> type[BaseModel]:
    made: dict[str, Any] = {
        each["name"]: (_type(each["type"]) | None, Field(None, description=each["meaning"]))
        for each in fields
    }
    return create_model(name, __config__=ConfigDict(extra="forbid"), **made)


def _type(text: str) -> Any:
    """`[string]` as a list of texts, `integer?` as a number or null."""
    if text.endswith("?"):
        return _type(text[:-1]) | None
    if text.startswith("["):
        return list[_type(text[1:-1])]  # type: ignore[misc]
    return TYPES.get(text, Any)


def bench_result(params: BenchParams, progress: Any) -> dict[str, Any]:
    """Signature of fixed work: the same on every machine, and that of `kibitz bench`."""
    start = perf_counter()
    slugs = params.games or games()
    try:
        work = [(slug, players) for slug in slugs for players in load(slug).info["players"]]
    except KibitzError as error:
        raise fault_of(error, "unknown_game", field="games") from None
    share = QUICK_SHARE if params.quick else 1
    rows = []
    for done, (slug, players) in enumerate(work):
        progress(done, len(work))
        rows.append(measure(slug, players, share=share))
    iterations = sum(len(row["searches"]) * 4 * (ITERATIONS // share) for row in rows)
    return {
        "signature": digest("".join(row["signature"] for row in rows)),
        "iterations": iterations,
        "ms": round((perf_counter() - start) * 1000, 3),
    }
