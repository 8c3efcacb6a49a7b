"""What is asked and answered over HTTP. OpenAPI is generated from here, and requests are read by it.

Answers are built as plain values elsewhere; the tests hold every one of them against its model.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from kibitz.protocol.messages import GoResult, Params, Turn

__all__ = [
    "ErrorAnswer",
    "Frames",
    "FramesRequest",
    "GameFacts",
    "GameList",
    "GoResult",
    "Health",
    "MoveRequest",
    "Position",
    "PositionRequest",
    "RecordAnswer",
    "Request",
    "Scene",
    "TableRequest",
    "TableState",
    "Turn",
    "UndoRequest",
]

MOST_FRAMES = 2000  # in one answer
MOST_EVENTS = 1 << 16  # as in a document

Options = Annotated[
    dict[str, int | bool | str | dict[str, JsonValue] | None],
    Field(description="Options of the game; the others keep their defaults."),
]
Slug = Annotated[str, Field(max_length=64, description="Name of the game, as in /v1/games.")]
Seat = Annotated[int, Field(ge=0, le=63, description="Counted from 0.")]
Move = Annotated[str, Field(max_length=256)]


class Request(Params):
    """Of a request: what is not known or of another type is refused."""


class Answer(BaseModel):
    """Of an answer."""

    model_config = ConfigDict(extra="forbid")


# ---- requests ----


class PositionRequest(Request):
    """A position or record as typed or pasted by a person."""

    text: str = Field(description="JSON of a view, a table or a record, or a record in the game's notation.")
    game: Slug | None = None
    seat: Seat | None = Field(None, description="Whose view; by default the seat to decide.")
    options: Options = Field({})


class FramesRequest(Request):
    """A record to step through."""

    record: dict[str, JsonValue] | str = Field(description="A document, or text as in /v1/position.")
    game: Slug | None = None
    seat: Seat | None = None
    options: Options = Field({})
    first: int = Field(0, ge=0, le=MOST_EVENTS, description="The first frame wanted.")
    count: int | None = Field(
        None, ge=1, le=MOST_FRAMES, description="How many; by default all up to the last."
    )


class BotsRequest(Request):
    """How strong the bots of a table are."""

    search: str = Field("ismcts", max_length=32)
    ms: int | None = Field(None, ge=1, description="Milliseconds a move.")
    iterations: int | None = Field(None, ge=1, le=100_000_000, description="Iterations a move.")


class TableRequest(Request):
    """A new table against bots."""

    game: Slug
    options: Options = Field({})
    seat: Seat = Field(0, description="The person's, counted from 0.")
    seed: int | None = Field(
        None, ge=0, lt=2**64, description="Only where the server was started with --open-seeds."
    )
    bots: BotsRequest = BotsRequest()


class MoveRequest(Request):
    """The person's move."""

    n: int = Field(
        ge=0, le=MOST_EVENTS, description="Events that the client has seen; another number is refused."
    )
    move: Move = Field(description="One of `legal`.")


class UndoRequest(Request):
    """Back to the person's last decision."""

    n: int | None = Field(
        None, ge=0, le=MOST_EVENTS, description="Events that the client has seen, to be checked if given."
    )


# ---- answers ----


class Fact(Answer):
    """A line of a zone: a name and its value."""

    name: str
    value: str


class Card(Answer):
    """A card as a person sees it."""

    text: str
    suit: str | None
    color: str
    face: Literal["up", "down", "hidden"]
    count: int
    marks: list[str]
    label: str
    move: str | None


class Cell(Answer):
    """A cell of a board."""

    text: str
    color: str
    marks: list[str]
    label: str
    move: str | None


class Grid(Answer):
    """A board."""

    rows: int
    columns: int
    cells: list[list[Cell | None]]


class Zone(Answer):
    """A part of the table: a hand, a trick, the tasks, a board."""

    label: str
    role: Literal["hand", "trick", "table", "tasks", "board", "facts", "record"]
    seat: int | None
    own: bool
    active: bool
    cards: list[Card]
    grid: Grid | None
    facts: list[Fact]


class Scene(Answer):
    """What a person at one seat sees."""

    title: str
    subtitle: str
    alt: str
    zones: list[Zone]
    notes: list[str]
    text: str


class Health(Answer):
    """That the server answers."""

    status: Literal["ok"]
    version: str
    protocol: str


class GameLine(Answer):
    """A game in the list of all."""

    slug: str
    name: str
    summary: str
    players: list[int]
    default_players: int
    open: bool = Field(description="Whether nothing is hidden.")
    cooperative: bool


class GameList(Answer):
    """All games."""

    games: list[GameLine]


class Example(Answer):
    """A shipped position or record."""

    name: str
    about: str
    text: str


class GameFacts(BaseModel):
    """All facts of a game that do not hang on options."""

    model_config = ConfigDict(extra="allow")

    slug: str
    name: str
    summary: str
    rules: str = Field(description="Name and version of the rules, such as 'kami/1'.")
    players: list[int]
    default_players: int
    options: list[dict[str, Any]]
    cooperative: bool
    open: bool
    grammar: str = Field(description="How moves and outcomes are written.")
    start: list[dict[str, Any]]
    examples: list[Example]


class Position(Answer):
    """A position as it was read."""

    kind: Literal["view", "table"]
    document: dict[str, Any]
    seat: int
    view: dict[str, Any] = Field(description="What the seat knows, as a view document.")
    scene: Scene
    turn: Turn
    legal: list[str]
    record: dict[str, Any] | None = Field(description="The table document, if all cards were given.")


class Frame(Answer):
    """The table after `n` events."""

    n: int
    event: str | None
    scene: Scene
    turn: Turn


class Frames(Answer):
    """A record as one seat saw it."""

    seat: int
    game: str
    events: int = Field(description="Events of the whole record; frames are numbered 0 to this.")
    frames: list[Frame]


class TableState(Answer):
    """A table against bots as the person's seat sees it. Nothing here tells what that seat may not know."""

    id: str
    game: str
    seat: int
    n: int = Field(description="How many events there are.")
    events: list[str] = Field(description="Masked for the seat.")
    scene: Scene
    turn: Turn
    legal: list[str]
    view: dict[str, Any]
    over: bool
    returns: list[float] | None = Field(description="Each seat's share of the win; null before the end.")
    score: list[int] | None = Field(description="What the rule book counts; null before the end.")
    thinking: bool = Field(description="Whether a bot is to move.")


class RecordAnswer(BaseModel):
    """Before the end the seat's view document, after it the whole table document."""

    model_config = ConfigDict(extra="allow")

    kibitz: int
    game: str
    record: list[str]


class Empty(Answer):
    """Nothing to say: it is done."""


class Error(BaseModel):
    """What was wrong. Switch on `data.kind`; `message` is for people."""

    code: int
    message: str
    data: dict[str, Any]


class ErrorAnswer(Answer):
    """Every answer but 2xx."""

    error: Error
