"""The parameters of requests, from kibitz's own values or from plain ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.client.limits import Limit
from kibitz.errors import InvalidOption, shown
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View

__all__ = [
    "check_events",
    "given_only",
    "go_parameters",
    "record_parameters",
    "start_parameters",
    "view_parameters",
]


def given_only(**parameters: Any) -> dict[str, Any]:
    """Those that are not None: what is left out has the engine's default.

    >>> given_only(top=2, seed=None)
    {'top': 2}
    """
    return {name: value for name, value in parameters.items() if value is not None}


def search_parameter(search: object) -> object:
    """A search by its name, or its name with settings."""
    return {"name": search} if isinstance(search, str) else search


def go_parameters(
    limit: Limit,
    *,
    top: int | str,
    allow: Sequence[str] | None,
    scope: str,
    expect: Sequence[str] | None,
    pace: Mapping[str, float] | None,
    ponder: bool,
    seed: int | None,
    info_ms: float | None,
) -> dict[str, Any]:
    """Of `go`. Whether the values are allowed is for the engine to say."""
    found = limit.parameters()
    if top != 1 or isinstance(top, bool):
        found["top"] = top
    if scope != "move":
        found["scope"] = scope
    if ponder is not False:
        found["ponder"] = ponder
    for name, texts in (("allow", allow), ("expect", expect)):
        if texts is not None:
            found[name] = check_texts(name, texts)
    return found | given_only(pace=pace, seed=seed, info_ms=info_ms)


def check_texts(name: str, texts: object) -> list[str]:
    """A list of texts as it is.

    Raises:
        InvalidOption: Anything else, a single text above all.
    """
    if (
        isinstance(texts, Sequence)
        and not isinstance(texts, str)
        and all(isinstance(each, str) for each in texts)
    ):
        return list(texts)
    raise InvalidOption(f"{name} cannot be {shown(texts)}; it is a list of texts.", given=texts)


def check_events(events: object) -> list[str]:
    """A list of events as it is; what they say is for the engine to judge."""
    return check_texts("events", events)


def view_parameters(view: object, search: object) -> dict[str, Any]:
    """Of `view`. The record goes along, so that the search knows how the seat came to know what it knows."""
    if isinstance(view, View):
        document: dict[str, Any] = {"rules": view.game.rules, "seat": view.seat, "start": view.start}
        document["record"] = list(view.record)
        found = game_parameters(view.game) | {"view": document}
    elif isinstance(view, Mapping):
        document = dict(view)
        if "game" not in document:
            raise InvalidOption(
                "The view has no key 'game'; without it no engine knows what is played.", given=view
            )
        found = {"game": document["game"], "view": document}
    else:
        more = " A table has all cards; take table.view()." if isinstance(view, Table) else ""
        raise InvalidOption(
            f"view cannot be {shown(view)}; it is a kibitz.View, or the document that View.to_dict makes.{more}",
            given=view,
        )
    return found | given_only(search=search_parameter(search))


def start_parameters(
    source: View | Game | str,
    *,
    seat: int | None,
    start: Mapping[str, Any] | None,
    events: Sequence[str],
    options: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], list[str]]:
    """Of `new`, with the events so far apart: a view has everything in it, a game needs a seat and its start."""
    if isinstance(source, View):
        if seat is not None or start is not None or options is not None or list(events):
            raise InvalidOption(
                "A session from a view takes its seat, start, events and options from there; none of them may be given."
            )
        place = game_parameters(source.game) | {"seat": source.seat, "start": source.start}
        return place, list(source.record)
    if isinstance(source, Game):
        if options is not None:
            raise InvalidOption(
                "A game has its options; options may be given beside a name only.", given=options
            )
        game = game_parameters(source)
    elif isinstance(source, str):
        game = {"game": source} | given_only(options=options)
    else:
        raise InvalidOption(
            f"A session is at a kibitz.View, a kibitz.Game or the name of a game, not {shown(source)}.",
            given=source,
        )
    if seat is None or start is None:
        raise InvalidOption(
            "A session at a game needs seat and start: whose, and what it knew at the beginning."
        )
    return game | {"seat": seat, "start": start}, check_events(events)


def game_parameters(game: Game) -> dict[str, Any]:
    """A game with its options, the number of players apart as the protocol has it."""
    options = game.options
    return {"game": game.slug, "players": options.pop("players", game.seats), "options": options}


def record_parameters(record: Table | View | Mapping[str, Any] | str, game: str | None) -> dict[str, Any]:
    """Of `review`: a game that was played, as a document or in the game's notation."""
    if isinstance(record, Table | View):
        return {"game": record.game.slug, "record": record.to_dict()}
    if isinstance(record, Mapping) and game is None and isinstance(record.get("game"), str):
        game = record["game"]
    if not isinstance(record, Mapping | str):
        raise InvalidOption(
            f"record cannot be {shown(record)}; it is a kibitz.Table, a kibitz.View, or a document or text of one.",
            given=record,
        )
    if game is None:
        raise InvalidOption("game must be given: a text does not say what was played.")
    return {"game": game, "record": record}
