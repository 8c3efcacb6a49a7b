"""The JSON documents of views and tables: their models (which make the JSON Schemas) and how they are read."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from kibitz.errors import InvalidPosition, did_you_mean, shown
from kibitz.game import Game
from kibitz.table import Table
from kibitz.view import View

__all__ = [
    "MAX_BYTES",
    "MAX_RECORD",
    "TableDocument",
    "ViewDocument",
    "check_rules",
    "parse_json",
    "read_document",
    "table_from_document",
    "view_from_document",
]

MAX_BYTES = 1 << 20  # of one document; the longest game, 300 rounds of Kami, takes a quarter of it
MAX_RECORD = 1 << 16  # events

Position = dict[str, JsonValue]
Record = Annotated[list[Annotated[str, Field(max_length=4096)]], Field(max_length=MAX_RECORD)]


class Document(BaseModel):
    """What every document says."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: ClassVar[str]
    parts: ClassVar[Mapping[str, type[BaseModel]]] = {}  # fields that are lists of models

    kibitz: int = Field(1, ge=1, le=1, description="Version of this format.")
    game: str = Field(description="Name of the game, as in kibitz.games().")
    rules: str | None = Field(None, description="Version of the rules it was played by, such as 'kami/1'.")
    options: dict[str, int | bool | str | Position | None] = Field(
        {}, description="Options of the game; the others keep their defaults."
    )


class ViewDocument(Document):
    """What one seat knows. `start` with `record`, or `view`, or both; both must agree."""

    name = "view"

    seat: int = Field(ge=0, description="Whose view, counted from 0.")
    start: Position | None = Field(None, description="What the seat knew before the first event.")
    record: Record | None = Field(None, description="Events since the start as the seat saw them.")
    view: Position | None = Field(None, description="What the seat knows now, flattened.")


class TableDocument(Document):
    """A game in progress, the whole truth."""

    name = "table"

    start: Position = Field(description="The truth before the first event.")
    record: Record = Field([], description="Events since the start, unmasked.")
    seed: int = Field(0, ge=0, lt=2**64, description="Seed of what chance decides after the record.")
    chance: Literal["auto", "manual"] = Field("auto", description="Who rolls: the table or the caller.")


AnyDocument = TypeVar("AnyDocument", bound=Document)


def parse_json(text: str | bytes) -> dict[str, Any]:
    """A JSON object, strictly: no key twice, no NaN, at most `MAX_BYTES`.

    Raises:
        InvalidPosition: Anything else.
    """
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise InvalidPosition(f"The document has {size:,} bytes; at most {MAX_BYTES:,} are read.", given=size)
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except InvalidPosition:
        raise
    except RecursionError:
        raise InvalidPosition("The document is nested too deeply.") from None
    except UnicodeDecodeError as error:
        raise InvalidPosition(f"The document is not UTF-8: {error.reason} at byte {error.start}.") from None
    except json.JSONDecodeError as error:
        raise InvalidPosition(
            f"The document is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.", given=text
        ) from None
    except ValueError as error:  # a number of thousands of digits
        raise InvalidPosition(f"The document is not JSON that can be read: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidPosition(f"The document is a JSON object, not {shown(value)}.", given=value)
    return value


def view_from_document(source: str | bytes | Mapping[str, Any]) -> View:
    """See `View.from_json`."""
    document = read_document(ViewDocument, source)
    game = _game_of(document)
    if document.start is None and document.record:
        raise InvalidPosition("The view has a 'record' and no 'start'; a record is replayed from a start.")
    if document.start is None and document.view is None:
        raise InvalidPosition(
            "The view has neither 'start' nor 'view'; one of them is needed.", allowed=("start", "view")
        )
    if document.start is None:
        return game.view(seat=document.seat, start=document.view or {})
    view = game.view(seat=document.seat, start=document.start, record=document.record or ())
    if document.view is not None:
        _compare(view, game.core.view(document.seat, document.view).to_dict())
    return view


def table_from_document(source: str | bytes | Mapping[str, Any]) -> Table:
    """See `Table.from_json`."""
    document = read_document(TableDocument, source)
    return Table(
        _game_of(document), document.start, seed=document.seed, chance=document.chance, record=document.record
    )


def read_document(model: type[AnyDocument], source: str | bytes | Mapping[str, Any]) -> AnyDocument:
    """A document from JSON text or a mapping, checked by its model.

    Raises:
        InvalidPosition: Anything else; what is wrong first, with its place.
    """
    if isinstance(source, Mapping):
        value = dict(source)
    elif isinstance(source, str | bytes):
        value = parse_json(source)
    else:
        raise InvalidPosition(
            f"A {model.name} is read from JSON text or a mapping, not {shown(source)}.", given=source
        )
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise _sentence(model, error) from None


def _game_of(document: Document) -> Game:
    game = Game(document.game, document.options)
    check_rules(document, game)
    return game


def check_rules(document: Document, game: Game) -> None:
    """Refuses a document that was played by other rules."""
    if document.rules is not None and document.rules != game.rules:
        raise InvalidPosition(
            f"'rules' is {shown(document.rules)}, but this version plays {game.rules!r}.",
            given=document.rules,
            allowed=(game.rules,),
        )


def _compare(view: View, stated: Mapping[str, Any]) -> None:
    replayed = view.core.to_dict()
    for field, value in replayed.items():
        if stated.get(field) != value:
            raise InvalidPosition(
                f"'view' contradicts 'start' and 'record': {field!r} is {shown(stated.get(field))} in 'view', "
                f"and {shown(value)} after the record.",
                given=stated.get(field),
                allowed=(value,),
            )


def _sentence(model: type[Document], error: ValidationError) -> InvalidPosition:
    """What is wrong first, in words."""
    first = error.errors(include_url=False)[0]
    path = [shown(str(part))[1:-1] for part in first["loc"]]
    given = first["input"]
    if first["type"] == "invalid_key":
        return InvalidPosition(f"The {model.name} has a key that is no text: {shown(given)}.", given=given)
    if not path:  # a key that is no text that can be written, such as half a surrogate pair
        return InvalidPosition(
            f"The {model.name} has a key that cannot be read: {shown(given)}.", given=given
        )
    part = model.parts.get(path[0])
    keys = tuple((model if part is None or len(path) == 1 else part).model_fields)
    depth = 2 if part is None else len(path)  # below a field of plain values are the types that were tried
    where = path[0] + "".join(f"[{each}]" if each.isdigit() else f".{each}" for each in path[1:depth])
    if first["type"] == "extra_forbidden":
        return InvalidPosition(
            f"A {model.name} has no key '{where}'{did_you_mean(path[-1], keys)} Keys: {', '.join(keys)}.",
            given=path[-1],
            allowed=keys,
        )
    if first["type"] == "missing":
        return InvalidPosition(f"The {model.name} has no key '{where}', which is needed.", allowed=keys)
    if path[0] == "kibitz":
        return InvalidPosition(
            f"'kibitz' is {shown(given)}; this version reads documents of format 1.",
            given=given,
            allowed=(1,),
        )
    needed = _NEEDED.get(first["type"], first["msg"].removeprefix("Input should be "))
    if first["type"] == "too_long":
        needed = f"a list of at most {first['ctx']['max_length']:,}"
    if path[0] == "options" and len(path) > 1:
        needed = "a whole number, true, false, a text, an object or null"
    return InvalidPosition(f"'{where}' cannot be {shown(given)}; it should be {needed}.", given=given)


_NEEDED = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "a text",
    "string_too_long": "a text of at most 4,096 characters",
}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise InvalidPosition(f"The key {shown(twice)} is given twice.", given=twice)
    return found


def _no_constant(name: str) -> Any:
    raise InvalidPosition(f"{name} is no JSON number.", given=name)
