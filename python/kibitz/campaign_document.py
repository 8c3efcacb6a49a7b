"""The JSON document of a campaign: its model, which makes the JSON Schema, and how it is read."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kibitz.campaign import GAME, Campaign, check_option_names
from kibitz.documents import Document, parse_json
from kibitz.errors import InvalidPosition, did_you_mean, shown
from kibitz.game import Game
from kibitz.logbook import MISSIONS, MOST_ATTEMPTS, LogEntry

__all__ = ["CampaignDocument", "campaign_from_document"]


class EntryDocument(BaseModel):
    """One mission in the log."""

    model_config = ConfigDict(extra="forbid", strict=True)

    mission: int = Field(description="Its number.")
    attempts: int = Field(ge=1, le=MOST_ATTEMPTS, description="How many were played to the end.")
    distress: bool = Field(description="Whether the distress signal was sent in any of them.")
    won: bool = Field(description="Whether the last of them was won.")


class CampaignDocument(Document):
    """A campaign of The Crew: its missions and what was done so far."""

    name = "campaign"

    game: Literal["thecrew"] = Field(description="The only game with campaigns.")
    missions: Annotated[list[int], Field(max_length=len(MISSIONS))] = Field(
        list(MISSIONS), description="Which, in ascending order."
    )
    seed: int = Field(0, ge=0, lt=2**64, description="Names the deals.")
    log: Annotated[list[EntryDocument], Field(max_length=len(MISSIONS))] = Field(
        [], description="The missions that were tried, in order. All but the last are won."
    )
    score: int | None = Field(None, description="What the log counts: attempts, and missions with distress.")


def campaign_from_document(source: str | bytes | Mapping[str, Any]) -> Campaign:
    """See `Campaign.from_json`."""
    document = _read(source)
    rules = Game(GAME).rules
    if document.rules not in (None, rules):
        raise InvalidPosition(
            f"'rules' is {shown(document.rules)}, but this version plays {rules!r}.",
            given=document.rules,
            allowed=(rules,),
        )
    check_option_names(document.options)
    campaign = Campaign(
        missions=document.missions,
        seed=document.seed,
        log=[LogEntry(**entry.model_dump()) for entry in document.log],
        **document.options,
    )
    if document.score not in (None, campaign.score):
        raise InvalidPosition(
            f"'score' is {shown(document.score)}, but the log counts {campaign.score}.",
            given=document.score,
            allowed=(campaign.score,),
        )
    return campaign


def _read(source: object) -> CampaignDocument:
    if not isinstance(source, str | bytes | Mapping):
        raise InvalidPosition(
            f"A campaign is read from JSON text or a mapping, not {shown(source)}.", given=source
        )
    try:
        return CampaignDocument.model_validate(
            parse_json(source) if isinstance(source, str | bytes) else dict(source)
        )
    except ValidationError as error:
        raise _sentence(error) from None


def _sentence(error: ValidationError) -> InvalidPosition:
    """What is wrong first, in words, with its place: `log[3].attempts`."""
    first = error.errors(include_url=False)[0]
    path, given = first["loc"], first["input"]
    if not path or first["type"] == "invalid_key":
        return InvalidPosition(f"The campaign has a key that cannot be read: {shown(given)}.", given=given)
    if path[0] == "options":
        path = path[:2]  # below it are the types that were tried
    where = shown("".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip("."))
    if first["type"] == "extra_forbidden":
        keys = tuple((CampaignDocument if len(path) == 1 else EntryDocument).model_fields)
        return InvalidPosition(
            f"A campaign has no key {where}{did_you_mean(path[-1], keys)} Keys: {', '.join(keys)}.",
            given=path[-1],
            allowed=keys,
        )
    if first["type"] == "missing":
        return InvalidPosition(f"The campaign has no key {where}, which is needed.")
    needed = _NEEDED.get(first["type"], first["msg"].removeprefix("Input should be "))
    if len(path) == 2 and path[0] == "options":
        needed = "a whole number, true, false or a text"
    return InvalidPosition(f"{where} cannot be {shown(given)}; it should be {needed}.", given=given)


_NEEDED = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "a text",
    "too_long": f"a list of at most {len(MISSIONS)}",
}
