"""How sessions begin: from what a seat held and the events since, or from a whole view."""

from collections.abc import Mapping
from typing import Any

from kibitz import _core
from kibitz.errors import KibitzError, did_you_mean, shown
from kibitz.game import Game
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.messages import NewParams, SearchParams, ViewParams
from kibitz.protocol.sessions import Preferences, Session
from kibitz.view import View

__all__ = ["NO_RECORD", "SEARCHES", "game_of", "new_session", "viewed_session"]

NO_RECORD = "no_record"
SEARCHES = [name for name in _core.searches() if name != "puct"]  # that wants an evaluator


def new_session(params: NewParams, preferences: Preferences) -> tuple[Session, list[str]]:
    """A session from what a seat held and the events since; warnings of these.

    Raises:
        Fault: unknown_game, invalid_option, bad_value, invalid_start, and those of `Session.events`.
    """
    game = game_of(params.game, params.options, params.players)
    seat = seat_of(game, params.seat)
    try:
        view = game.view(seat=seat, start=params.start)
    except KibitzError as error:
        raise fault_of(error, "invalid_start", field="start") from None
    session = _session(params.s, view, params.search, params.seed, preferences)
    found = session.events(0, params.events) if params.events else {}
    return session, list(found.get("warnings", ()))


def viewed_session(params: ViewParams, preferences: Preferences) -> Session:
    """A session from a whole view: a document, a start with a record, or what the seat knows now.

    Raises:
        Fault: unknown_game, invalid_option, bad_value, invalid_view, and those of events.
    """
    document: dict[str, Any] = dict(params.view)
    game = _agreed_game(params, document)
    seat = document.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise Fault(
            "invalid_view", "The view has no 'seat', a whole number: whose view it is.", field="view.seat"
        )
    seat_of(game, seat, where="view.seat", kind="invalid_view")
    flattened = not {"view", "start", "record", "kibitz"} & document.keys()
    if flattened:
        del document["seat"]
        document = {"seat": seat, "view": document}
    record = params.record if params.record is not None else document.get("record")
    document |= {"game": game.slug, "options": dict(game.options)}
    if params.record is not None:
        document["record"] = [*params.record]
    try:
        if document.get("start") is None and record:
            raise Fault(
                "invalid_view",
                "A record is replayed from a start: give 'start' beside it, or leave 'record' out.",
                field="record",
            )
        if preferences.mask and document.get("start") is not None:
            view = _masked(game, seat, document)
        else:
            view = View.from_json(document)
    except KibitzError as error:
        cause = error.__cause__
        if isinstance(cause, KibitzError):  # an event of the record
            fault = fault_of(cause, "inconsistent", field=error.message.partition(" ")[0])
            raise Fault(
                fault.kind,
                error.message,
                field=fault.field,
                given=error.given,
                allowed=fault.allowed,
                rule=fault.rule,
            ) from None
        raise fault_of(error, "invalid_view", field="view") from None
    session = _session(
        params.s,
        view,
        params.search,
        params.seed,
        preferences,
        base=len(record) if isinstance(record, list) else 0,
    )
    if not view.record and (document.get("start") is None):
        session.warnings.append(NO_RECORD)
    return session


def game_of(slug: str, options: Mapping[str, Any], players: int | None) -> Game:
    """A game with its options.

    Raises:
        Fault: unknown_game, invalid_option.
    """
    chosen = dict(options)
    if players is not None:
        if chosen.get("players", players) != players:
            raise Fault(
                "invalid_option",
                f"'players' is {players}, and {shown(chosen['players'])} among the options.",
                field="players",
                given=players,
            )
        chosen["players"] = players
    try:
        return Game(slug, chosen)
    except KibitzError as error:
        fault = fault_of(error, "invalid_option", field="game" if not chosen else "options")
        for name, value in chosen.items():
            if fault.given == shown(value):  # as the core shows it; here it goes back as it came
                fault.given, fault.field = value, f"options.{name}"
        raise fault from None


def seat_of(game: Game, seat: int, *, where: str = "seat", kind: str = "bad_value") -> int:
    """A seat of the game.

    Raises:
        Fault: There is none.
    """
    if not 0 <= seat < game.seats:
        raise Fault(
            kind,
            f"There is no seat {shown(seat)}; {game.slug} has seats 0 to {game.seats - 1} here.",
            field=where,
            given=seat,
            allowed=range(game.seats),
        )
    return seat


def _session(
    name: str,
    view: View,
    search: SearchParams | None,
    seed: int | None,
    preferences: Preferences,
    *,
    base: int = 0,
) -> Session:
    chosen = preferences if seed is None else preferences.changed({"seed": seed})
    if search is not None and search.name not in SEARCHES:
        raise Fault(
            "invalid_option",
            f"There is no search {shown(search.name)} here{did_you_mean(search.name, SEARCHES)} "
            f"Searches: {', '.join(SEARCHES)}.",
            field="search.name",
            given=search.name,
            allowed=SEARCHES,
        )
    try:
        return Session(name, view, search=search or SearchParams(), preferences=chosen, base=base)
    except KibitzError as error:
        raise fault_of(error, "invalid_option", field="search") from None


def _agreed_game(params: ViewParams, document: Mapping[str, Any]) -> Game:
    """The game of the message and of its document, which must be the same."""
    inside = document.get("options", {})
    if not isinstance(inside, dict):
        raise Fault("invalid_view", "The view's 'options' are no object.", field="view.options", given=inside)
    if document.get("game", params.game) != params.game:
        raise Fault(
            "invalid_view",
            f"The view is of {shown(document['game'])}, and 'game' says {shown(params.game)}.",
            field="view.game",
            given=document["game"],
            allowed=[params.game],
        )
    game = game_of(params.game, inside | params.options, params.players)
    if inside:
        other = game_of(params.game, inside, None).options
        for name, value in game.options.items():
            if name in inside and other[name] != value:
                raise Fault(
                    "invalid_view",
                    f"The view is played with {name}={shown(other[name])}, and the message says {shown(value)}.",
                    field=f"view.options.{name}",
                    given=other[name],
                    allowed=[value],
                )
    return game


def _masked(game: Game, seat: int, document: Mapping[str, Any]) -> View:
    start, record = document["start"], document.get("record") or ()
    if not isinstance(start, Mapping) or not isinstance(record, list | tuple):
        return View.from_json(document)  # says what is wrong with them
    return game.view(seat=seat, start=start, record=record, mask=True)
