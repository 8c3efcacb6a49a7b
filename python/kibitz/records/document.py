"""The JSON document of a record: its model, which makes the JSON Schema, and how it is read.

A superset of the documents of tables and views: each of those is one of these, in the same version.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from math import isclose, isfinite
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue
from pydantic_core import PydanticCustomError

from kibitz.documents import (
    Document,
    Position,
    TableDocument,
    ViewDocument,
    check_rules,
    read_document,
    table_from_document,
    view_from_document,
)
from kibitz.documents import Record as Events
from kibitz.errors import InvalidPosition, shown
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View

__all__ = ["RecordDocument", "check_results", "read_record", "source_of"]

MOST_SEATS = 64
MOST_ENTRIES = 64  # tags, settings
MOST_ITEMS = 256  # of a list among the settings
NAME_LENGTH = 100
KEY_LENGTH = 64
TEXT_LENGTH = 500  # 64 tags of it leave a document well below MAX_BYTES

INSTANT = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2}))?"


def _fault(needed: str) -> PydanticCustomError:
    """What stands after "it should be" in the sentence."""
    return PydanticCustomError("record", "{needed}", {"needed": needed})


def _name(value: object) -> str:
    if not isinstance(value, str) or len(value) > NAME_LENGTH or not _encodable(value):
        raise _fault(f"a text of at most {NAME_LENGTH} characters")
    return str.__str__(value)


def _encodable(text: str) -> bool:
    """Whether every file can hold it: no half of a surrogate pair."""
    return not re.search("[\ud800-\udfff]", text)


def _entries(value: object) -> dict[str, Any]:
    """A mapping from short texts, itself small."""
    if not isinstance(value, Mapping) or len(value) > MOST_ENTRIES:
        raise _fault(f"an object of at most {MOST_ENTRIES} entries")
    for key in value:
        if not isinstance(key, str) or len(key) > KEY_LENGTH or not _encodable(key):
            raise _fault(f"an object whose keys are texts of at most {KEY_LENGTH} characters")
    return {str.__str__(key): item for key, item in value.items()}


def _tags(value: object) -> dict[str, Any]:
    found = _entries(value)
    for item in found.values():
        if not isinstance(item, str) or not _plain(item):
            raise _fault(f"an object whose values are texts of at most {TEXT_LENGTH} characters")
    return found


def _settings(value: object) -> dict[str, Any]:
    found = _entries(value)
    for item in found.values():
        items = item if isinstance(item, list) else [item]
        if len(items) > MOST_ITEMS or not all(map(_plain, items)):
            raise _fault(
                f"an object whose values are null, true, false, finite numbers of 64 bits, texts of at most "
                f"{TEXT_LENGTH} characters, or lists of such"
            )
    return found


def _plain(value: object) -> bool:
    """Whether it is a value without parts that any reader of JSON can hold."""
    if isinstance(value, str):
        return len(value) <= TEXT_LENGTH and _encodable(value)
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, bool) or (isinstance(value, int) and -(2**63) <= value < 2**64)


def _date(value: object) -> str:
    """A day, or a moment with its offset from UTC: without one it would be nobody's."""
    text = value.isoformat() if isinstance(value, date) else value  # a datetime is a date
    if isinstance(text, str) and re.fullmatch(INSTANT, text, flags=re.ASCII):
        try:
            datetime.fromisoformat(text)
        except ValueError:
            pass
        else:
            return str.__str__(text)
    raise _fault("a day such as 2026-12-01, or a moment with its offset such as 2026-12-01T18:30:00+01:00")


Name = Annotated[str, BeforeValidator(_name), Field(json_schema_extra={"maxLength": NAME_LENGTH})]
Date = Annotated[str, BeforeValidator(_date), Field(json_schema_extra={"pattern": f"^{INSTANT}$"})]
Tags = Annotated[dict[str, str], BeforeValidator(_tags)]
Settings = Annotated[dict[str, JsonValue], BeforeValidator(_settings)]


class SeatDocument(BaseModel):
    """Who sat at a seat."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Name | None = Field(None, description="What it goes by.")
    kind: Literal["bot", "person"] | None = Field(None, description="What it was, where that is known.")
    settings: Settings | None = Field(None, description="How a bot was set, as arguments of kibitz.Bot.")


class ResultsDocument(BaseModel):
    """How the game stood after the record. Checked against it when it is read."""

    model_config = ConfigDict(extra="forbid", strict=True)

    returns: (
        Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(max_length=MOST_SEATS)] | None
    ) = Field(None, description="Each seat's share of the win; null before the end.")
    score: Annotated[list[int], Field(max_length=MOST_SEATS)] | None = Field(
        None, description="What the rule book counts."
    )
    ended: Literal["abandoned", "adjourned", "agreed", "error", "forfeit", "resigned", "time"] | None = Field(
        None, description="Why an unfinished game went no further."
    )


class RecordDocument(Document):
    """A game as it was played: the whole truth, or with `seat` what one seat saw of it."""

    name = "record"
    parts: ClassVar[Mapping[str, type[BaseModel]]] = {"seats": SeatDocument, "results": ResultsDocument}

    seat: int | None = Field(None, ge=0, description="Whose eyes, counted from 0; null for the whole truth.")
    start: Position | None = Field(
        None, description="The truth before the first event, or what the seat knew then."
    )
    record: Events | None = Field(
        None, description="Events since the start, with `seat` as that seat saw them."
    )
    view: Position | None = Field(None, description="With `seat`: what it knows now, flattened.")
    seed: int | None = Field(
        None,
        ge=0,
        lt=2**64,
        description="Without `seat`: seed of what chance decides. Without `start` too: of the deal itself.",
    )
    chance: Literal["auto", "manual"] | None = Field(
        None, description="Without `seat`: who rolls, the table or the caller."
    )
    seats: Annotated[list[SeatDocument], Field(max_length=MOST_SEATS)] | None = Field(
        None, description="Who sat where, in the order of the seats."
    )
    results: ResultsDocument | None = Field(None, description="How the game stood after the record.")
    date: Date | None = Field(None, description="When it was played, ISO 8601.")
    tags: Tags | None = Field(None, description="Anything else, as texts.")


def read_record(source: str | bytes | Mapping[str, Any]) -> RecordDocument:
    """The document, checked by its form.

    Raises:
        InvalidPosition: Anything else; what is wrong first, with its place.
    """
    return read_document(RecordDocument, source)


def source_of(document: RecordDocument) -> Table | View:
    """The table or view of a document, replayed.

    Raises:
        InvalidPosition: It breaks a rule or contradicts itself, or the rules are of a version that is not played.
        UnknownGame, InvalidOption: The game or its options are not known.
    """
    if document.seat is not None:
        for key in ("seed", "chance"):
            if getattr(document, key) is not None:  # a seed tells the deal, with every hand
                raise InvalidPosition(
                    f"A record of what seat {document.seat} saw has no {key!r}: that is for the whole truth.",
                    given=getattr(document, key),
                )
        return view_from_document(_fields(document, ViewDocument))
    if document.view is not None:
        raise InvalidPosition("A record with a 'view' names the 'seat' whose view it is.", allowed=("seat",))
    if document.start is not None:
        return table_from_document(_fields(document, TableDocument))
    if document.seed is None:
        raise InvalidPosition(
            "The record has neither 'start' nor 'seed'; one of them is needed to know the deal.",
            allowed=("start", "seed"),
        )
    game = Game(document.game, document.options)
    check_rules(document, game)
    return Table(
        game,
        game.core.deal(document.seed),
        seed=document.seed,
        chance=document.chance or "auto",
        record=document.record or (),
    )


def check_results(
    document: ResultsDocument, *, returns: Sequence[float] | None, score: Sequence[int]
) -> None:
    """Refuses results that are not those of the record.

    Args:
        document: What is said.
        returns: What the replay gave; None before the end.
        score: The same of the rule book's count.

    Raises:
        InvalidPosition: They differ; the field is named.
    """
    if document.returns is not None:
        if returns is None:
            raise InvalidPosition(
                f"'results.returns' is {shown(document.returns)}, but after the record the game is not over.",
                given=document.returns,
                allowed=(None,),
            )
        if not _same(document.returns, returns):
            raise _other("returns", document.returns, list(returns))
    if document.score is not None and document.score != list(score):
        raise _other("score", document.score, list(score))
    if document.ended is not None and returns is not None:
        raise InvalidPosition(
            f"'results.ended' is {document.ended!r}, but the game was played to its end.",
            given=document.ended,
            allowed=(None,),
        )


def _same(given: Sequence[float], found: Sequence[float]) -> bool:
    """Whether two lists of shares are alike, in however many digits they were written."""
    return len(given) == len(found) and all(
        isclose(one, other, rel_tol=0, abs_tol=1e-9) for one, other in zip(given, found, strict=True)
    )


def _other(field: str, given: object, found: object) -> InvalidPosition:
    return InvalidPosition(
        f"'results.{field}' is {shown(given)}, but the record gives {shown(found)}.",
        given=given,
        allowed=(found,),
    )


def _fields(document: RecordDocument, model: type[Document]) -> dict[str, Any]:
    """What another model has of the document. Null and left out are the same there."""
    values = {name: getattr(document, name) for name in model.model_fields}
    return {name: value for name, value in values.items() if value is not None}
