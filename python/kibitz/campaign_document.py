"""The JSON document of a campaign: its model, which makes the JSON Schema, and how it is read."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from kibitz.campaign import GAME, Campaign, check_option_names
from kibitz.documents import Document, check_rules, read_document
from kibitz.errors import InvalidPosition, shown
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
    parts: ClassVar[Mapping[str, type[BaseModel]]] = {"log": EntryDocument}

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
    document = read_document(CampaignDocument, source)
    check_rules(document, Game(GAME))
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
