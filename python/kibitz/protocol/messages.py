"""Every message of the protocol as a model: they check what comes in, and their JSON Schemas tell hosts what to send.

A parameter that a method does not have is refused: a misspelt limit that is ignored is a lost game. Members of results
that a client does not know are for it to ignore.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = [
    "LINE_BYTES",
    "METHODS",
    "NOTIFICATIONS",
    "PROTOCOL",
    "ClockParams",
    "GoParams",
    "Method",
    "Pace",
    "Params",
    "SearchParams",
    "schemas",
]

PROTOCOL = "1.0"
SPOKEN = ("1", "1.0")
LINE_BYTES = 1 << 20

MOST_MS = 1e9
MOST_ITERATIONS = 4_000_000_000
MOST_EVENTS = 1 << 16

Milliseconds = Annotated[float, Field(ge=0, le=MOST_MS)]
Positive = Annotated[float, Field(gt=0, le=MOST_MS)]
Seed = Annotated[int, Field(ge=0, lt=2**64)]
Seat = Annotated[int, Field(ge=0, le=63)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Event = Annotated[str, Field(max_length=4096)]
Events = Annotated[list[Event], Field(max_length=MOST_EVENTS)]
Object = dict[str, JsonValue]
Options = dict[str, JsonValue]


class Params(BaseModel):
    """Parameters of a method."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Result(BaseModel):
    """The result of a method. Later versions may add members."""

    model_config = ConfigDict(extra="allow")


# ---- parts ----


class SearchParams(Params):
    """How a session searches; what is left out keeps its default. Budgets come with `go`."""

    name: str = Field("ismcts", description="One of `searches` in the result of hello.")
    playout: Literal["auto", "uniform", "hint"] = "auto"
    utility: Literal["auto", "win", "score", "win+margin"] = "auto"
    exploration: Annotated[float, Field(gt=0, le=1000)] | None = None
    tuning: dict[str, float | bool] | None = None


class ClockParams(Params):
    """What is on the seat's own clock; the engine chooses how much of it to use."""

    main_ms: Milliseconds = 0
    byoyomi_ms: Milliseconds = 0
    inc_ms: Milliseconds = 0
    bank_ms: Milliseconds = 0
    moves_left: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class Pace(Params):
    """A reply is held back until so long after the request, forced or not."""

    min_ms: Annotated[float, Field(ge=0, le=600_000)]
    jitter_ms: Annotated[float, Field(ge=0, le=600_000)] = 0


class Turn(Result):
    """Who is to act: a seat, "*" for chance, null when the game is over; the legal moves if it is the own seat."""

    by: int | Literal["*"] | None
    legal: list[str] | None = None
    over: bool | None = None


class Row(Result):
    """What was found about one move."""

    move: str
    visits: int
    share: float = Field(description="Of all visits, 0 to 1.")
    mean: float = Field(description="Expected utility of the searching side.")
    se: float | None = Field(description="Its standard error; null below two visits.")
    line: list[str] = Field(description="The principal line, as events.")
    exact: float | None = Field(None, description="What the move is worth, where that is proven.")


# ---- parameters ----


class NoParams(Params):
    """None."""


class HelloParams(Params):
    protocol: Annotated[str, Field(max_length=20)] = Field(
        description="The version the host speaks, such as '1'."
    )
    client: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="Who the host is, for logs."
    )


class RulesParams(Params):
    game: Name


class SetParams(Params):
    s: Name | None = Field(None, description="One session; left out, all that follow.")
    threads: Annotated[int, Field(ge=1, le=64)] | None = None
    memory_mb: Annotated[int, Field(ge=8, le=65_536)] | None = Field(
        None, description="Of the trees of one search."
    )
    seed: Seed | None = None
    overhead_ms: Annotated[float, Field(ge=0, le=60_000)] | None = None
    info_ms: Annotated[float, Field(ge=0, le=60_000)] | None = None
    mask: bool | None = Field(None, description="Mask what the seat may not see instead of refusing it.")
    pace: Pace | None = None


class NewParams(Params):
    s: Name = "main"
    game: Name
    seat: Seat
    start: Object = Field(description="What this seat knows before the first event.")
    players: Annotated[int, Field(ge=1, le=64)] | None = None
    options: Options = {}
    search: SearchParams | None = None
    seed: Seed | None = None
    events: Events = []
    replace: bool = False


class EventParams(Params):
    s: Name = "main"
    n: Annotated[int, Field(ge=0, le=2**53)] = Field(description="How many events came before.")
    moves: Events


class ViewParams(Params):
    s: Name = "main"
    game: Name
    view: Object = Field(description="A view document; or seat and start; or a flattened view with seat.")
    record: Events | None = None
    players: Annotated[int, Field(ge=1, le=64)] | None = None
    options: Options = {}
    search: SearchParams | None = None
    seed: Seed | None = None


class LegalParams(Params):
    s: Name = "main"
    move: Event | None = None


class SessionParams(Params):
    s: Name = "main"


class GoParams(Params):
    s: Name = "main"
    ms: Positive | None = Field(None, description="Wall clock from receipt of the line to the reply written.")
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] | None = Field(
        None, description="Sum over threads."
    )
    clock: ClockParams | None = None
    until: Literal["stop"] | None = None
    overhead_ms: Annotated[float, Field(ge=0, le=60_000)] | None = Field(
        None, description="Taken off clocks, never ms."
    )
    scope: Literal["move", "turn"] = "move"
    top: Annotated[int, Field(ge=0, le=100_000)] | Literal["all"] = 1
    allow: Annotated[list[Event], Field(min_length=1, max_length=10_000)] | None = None
    expect: Annotated[list[Event], Field(max_length=10_000)] | None = None
    info_ms: Annotated[float, Field(ge=0, le=60_000)] | None = None
    pace: Pace | None = None
    ponder: bool = False
    seed: Seed | None = None


class UndoParams(Params):
    s: Name = "main"
    n: Annotated[int, Field(ge=0, le=2**53)] = Field(description="How many events stay.")


class ReviewSettings(Params):
    """How a review searches each decision."""

    seats: list[Seat] | None = None
    ms: Annotated[float, Field(gt=0, le=60_000)] | None = None
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] | None = None
    search: SearchParams | None = None
    seed: Seed | None = None


class EndParams(Params):
    s: Name = "main"
    returns: list[Annotated[float, Field(ge=0, le=1)]] | None = Field(
        None, description="Each seat's share of the win."
    )
    reveal: Object | None = Field(None, description="The true start, to compare with what the seat knew.")
    review: ReviewSettings | None = None


class ReviewParams(ReviewSettings):
    game: Name
    record: Object | Annotated[str, Field(max_length=LINE_BYTES)]
    players: Annotated[int, Field(ge=1, le=64)] | None = None
    options: Options = {}


class BenchParams(Params):
    games: list[Name] | None = None
    quick: bool = True


# ---- results ----


class Empty(Result):
    """Nothing."""


class HelloResult(Result):
    protocol: str
    engine: dict[str, str] = Field(description="name, version, build.")
    games: list[str]
    searches: list[str]
    features: list[str]
    limits: dict[str, int]


class RulesResult(Result):
    game: str
    name: str
    version: str = Field(description="Of the rules, such as 'kami/1'.")
    players: list[int]
    default_players: int
    cooperative: bool
    open: bool = Field(description="Nothing is hidden.")
    options: Object = Field(description="JSON Schema of the options.")
    start: Object = Field(description="JSON Schema of what a seat knows before the first event.")
    view: Object = Field(description="JSON Schema of a view document.")
    moves: str = Field(description="The texts of moves and outcomes.")
    utility: Object = Field(description="unit, min and max of means.")
    masks: dict[str, str] = Field(description="What stands for something hidden.")


class SetResult(Result):
    threads: int
    memory_mb: int
    seed: int
    overhead_ms: float
    info_ms: float
    mask: bool
    pace: Pace | None


class Position(Result):
    n: int
    turn: Turn
    digest: str = Field(description="16 hexadecimal digits of what the seat knows.")
    dup: bool | None = Field(None, description="All of it was there before.")
    warnings: list[str] | None = None


class LegalResult(Result):
    moves: list[str] | None = None
    move: str | None = None
    legal: bool | None = None
    why: str | None = Field(None, description="The rule that the move breaks, as a sentence.")
    rule: str | None = None


class StateResult(Position):
    view: Object = Field(description="The view document; view takes it back.")
    text: str = Field(description="The table drawn as the seat sees it.")


class GoResult(Result):
    move: str
    turn: list[str] | None = None
    reason: Literal["iterations", "ms", "clock", "stop", "single", "exact", "bytes", "policy", "fallback"] = (
        Field(description="What ended it.")
    )
    forced: bool
    ms: float = Field(description="From receipt to reply.")
    iterations: int
    worlds: int
    nodes: int
    bytes: int
    ips: float
    seed: int
    reused: int | None = Field(None, description="Visits made before, by pondering.")
    moves: list[Row] = Field(description="Best first; the order of equals is that of the legal moves.")
    late_ms: float | None = None
    warnings: list[str] | None = None


class ReviewedDecision(Result):
    """A decision, by what its seat knew; `kibitz.reviews.Decision` says what each member is."""

    index: int
    seat: int
    move: str
    best: str
    forced: bool
    loss: float
    low: float | None
    high: float | None
    mark: str
    line: list[str]
    iterations: int
    mean: float | None = Field(description="Utility of the move played; null for a forced one.")
    best_mean: float | None


class ReviewedSeat(Result):
    """The decisions of a seat."""

    seat: int
    decisions: int
    free: int
    agreed: int
    loss: float
    marks: dict[str, int]


class ReviewResult(Result):
    game: str
    rules: str
    options: Object
    settings: Object = Field(description="How each decision was searched.")
    seed: int
    marks: dict[str, float] = Field(
        description="The loss from which each mark is given, of what was at stake."
    )
    decisions: list[ReviewedDecision]
    summary: list[ReviewedSeat]


class EndResult(Result):
    review: ReviewResult | None = None


class BenchResult(Result):
    signature: str
    iterations: int
    ms: float


class ReplyError(Result):
    code: int
    message: str
    data: Object = Field(description="kind; field, given, allowed, rule where they apply.")


# ---- notifications ----


class Info(Result):
    s: str
    id: int | str
    ms: float
    iterations: int
    worlds: int
    nodes: int
    ips: float
    moves: list[Row]


class Progress(Result):
    id: int | str
    done: int
    of: int
    eta_ms: float | None


class Log(Result):
    level: Literal["warning", "error"]
    text: str


@dataclass(frozen=True)
class Method:
    """A method: what it takes, what it gives."""

    params: type[Params]
    result: type[Result]


METHODS: Mapping[str, Method] = {
    "hello": Method(HelloParams, HelloResult),
    "rules": Method(RulesParams, RulesResult),
    "set": Method(SetParams, SetResult),
    "ping": Method(NoParams, Empty),
    "new": Method(NewParams, Position),
    "event": Method(EventParams, Position),
    "view": Method(ViewParams, Position),
    "legal": Method(LegalParams, LegalResult),
    "state": Method(SessionParams, StateResult),
    "go": Method(GoParams, GoResult),
    "stop": Method(SessionParams, Empty),
    "undo": Method(UndoParams, Position),
    "end": Method(EndParams, EndResult),
    "review": Method(ReviewParams, ReviewResult),
    "bench": Method(BenchParams, BenchResult),
    "quit": Method(NoParams, Empty),
}

NOTIFICATIONS: Mapping[str, type[Result]] = {"info": Info, "progress": Progress, "log": Log}


def schemas() -> dict[str, Any]:
    """The JSON Schemas of all messages: parameters and result of each method, notifications, the error."""
    return {
        "protocol": PROTOCOL,
        "methods": {
            name: {"params": each.params.model_json_schema(), "result": each.result.model_json_schema()}
            for name, each in METHODS.items()
        },
        "notifications": {name: each.model_json_schema() for name, each in NOTIFICATIONS.items()},
        "error": ReplyError.model_json_schema(),
    }
