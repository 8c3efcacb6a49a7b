"""The answer of `review`, and of `end` with one: which decisions of a record lost something."""

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.errors import KibitzError
from kibitz.position import read_position
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.messages import ReviewSettings, SearchParams
from kibitz.protocol.opening import game_of
from kibitz.protocol.sessions import Preferences
from kibitz.protocol.thinking import Halt
from kibitz.records import Record
from kibitz.reviews import review
from kibitz.table import Table
from kibitz.view import View

__all__ = ["review_result"]

DEFAULT_MS = 200.0


def review_result(
    slug: str,
    record: str | Mapping[str, Any],
    settings: ReviewSettings,
    *,
    preferences: Preferences,
    halt: Halt,
    progress: Callable[[int, int], None],
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The decisions of a record and what each lost.

    Args:
        slug: The game.
        record: A table or view document, or a text in the game's notation.
        settings: Whose decisions, and how each is searched.
        preferences: Threads, memory, and the seed where none is given.
        halt: Ends it; what was asked for is then cancelled.
        progress: Called with what is done, and of how much.
        players, options: Of the game, for notations and documents that leave them open.

    Raises:
        Fault: unknown_game, invalid_option, invalid_view, bad_value, cancelled.
    """
    source = _source(slug, record, players, dict(options or {}))
    search = settings.search or SearchParams()
    own = [source.seat] if isinstance(source, View) else list(range(source.game.seats))
    if settings.seats is not None and not set(settings.seats) <= set(own):
        raise Fault(
            "bad_value",
            f"review: 'seats' cannot be {settings.seats}; the record tells what these knew: {own}.",
            field="seats",
            given=settings.seats,
            allowed=own,
        )

    def step(done: int, of: int) -> None:
        if halt.stopped:
            raise Fault("cancelled", "end or quit came while the review ran.")
        progress(done, of)

    ms = settings.ms if settings.ms is not None or settings.iterations is not None else DEFAULT_MS
    try:
        found = review(
            source,
            seats=settings.seats,
            search=search.name,
            iterations=settings.iterations,
            ms=ms,
            threads=preferences.threads,
            max_bytes=preferences.memory_mb << 20,
            playout=search.playout,
            utility=search.utility,
            exploration=search.exploration,
            tuning=search.tuning,
            seed=preferences.seed if settings.seed is None else settings.seed,
            progress=step,
            stop=halt.core,
        )
    except KibitzError as error:
        raise fault_of(error, "bad_value") from None
    if halt.stopped:
        raise Fault("cancelled", "end or quit came while the review ran.")
    return found.to_dict()


def _source(
    slug: str, record: str | Mapping[str, Any], players: int | None, options: dict[str, Any]
) -> Table | View:
    """What is reviewed."""
    game = game_of(slug, options, players)
    chosen = options | ({} if players is None else {"players": players})
    try:
        if isinstance(record, str):
            return read_position(record, game=slug, options=chosen)
        document = {"game": slug, **record}
        if document["game"] != slug:
            raise Fault(
                "invalid_view",
                f"The record is of {document['game']!r}, and 'game' says {slug!r}.",
                field="record.game",
                allowed=[slug],
            )
        if "options" not in document:
            document["options"] = game.options
        return Record.load(document).source
    except KibitzError as error:
        raise fault_of(error, "invalid_view", field="record") from None
