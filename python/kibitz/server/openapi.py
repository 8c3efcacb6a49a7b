"""The OpenAPI document: what can be asked and answered, from the models and the list of operations here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from kibitz import _core
from kibitz.protocol.faults import KINDS
from kibitz.protocol.messages import GoResult
from kibitz.protocol.once import OnceParams
from kibitz.server import models
from kibitz.server.replies import HTTP_KINDS

__all__ = ["OPERATIONS", "Operation", "openapi"]


@dataclass(frozen=True)
class Operation:
    """What one method does at one path.

    Attributes:
        method: In capitals.
        path: With `{names}` for its variable parts.
        summary: What it does, in a line.
        text: What else is to know.
        asked: The model of the body.
        answer: The model of the answer.
        status: Of the answer.
        query: Names of the parameters of the address, all whole numbers, each with what it means.
        refusals: Statuses of errors, beyond those that every operation has.
        example: A body that works.
    """

    method: str
    path: str
    summary: str
    answer: type[BaseModel]
    asked: type[BaseModel] | None = None
    text: str = ""
    status: int = 200
    query: Mapping[str, str] = field(default_factory=dict)
    refusals: tuple[int, ...] = ()
    example: Mapping[str, Any] | None = None


BODY = (400, 408, 413, 415)
LEAD = {"hand": "11113477", "first": 1}

OPERATIONS: tuple[Operation, ...] = (
    Operation("GET", "/healthz", "Whether the server answers", models.Health, text="Never wants the token."),
    Operation("GET", "/v1/games", "All games", models.GameList),
    Operation(
        "GET",
        "/v1/games/{slug}",
        "A game: options, texts of moves, examples",
        models.GameFacts,
        refusals=(404,),
    ),
    Operation(
        "POST",
        "/v1/best",
        "The strongest move for one seat, from what it knows",
        GoResult,
        asked=OnceParams,
        text="Answers as `go` does in the protocol. The limit counts from when the body has arrived; when it cannot be "
        "kept, the answer is 503 with `Retry-After`.",
        refusals=(*BODY, 409),
        example={
            "game": "kami",
            "options": {"redeal": False},
            "seat": 0,
            "start": LEAD,
            "events": ["1:dx", "1:a4", "2:p", "3:p"],
            "go": {"ms": 200, "top": 2},
        },
    ),
    Operation(
        "POST",
        "/v1/position",
        "Read a position or record, and see it from one seat",
        models.Position,
        asked=models.PositionRequest,
        refusals=BODY,
        example={"text": "xxxxxxxx,xxxxxxxx,11124678,xxxxxxxx,s3"},
    ),
    Operation(
        "POST",
        "/v1/frames",
        "Step through a record as one seat saw it",
        models.Frames,
        asked=models.FramesRequest,
        text=f"At most {models.MOST_FRAMES:,} frames at once.",
        refusals=BODY,
        example={"record": "11113477,12344568,11123368,11224555,s2,234", "seat": 2},
    ),
    Operation(
        "POST",
        "/v1/tables",
        "Sit down at a new table against bots",
        models.TableState,
        asked=models.TableRequest,
        text="The id is all that it takes to play at the table: keep it to yourself.",
        status=201,
        refusals=BODY,
        example={"game": "kami", "seat": 0, "bots": {"ms": 200}},
    ),
    Operation(
        "GET",
        "/v1/tables/{id}",
        "How a table stands",
        models.TableState,
        text="With `after` the answer waits until there are more, or fewer, events than that, or the game is over.",
        query={"after": "events that the client has seen"},
        refusals=(400, 404),
    ),
    Operation("DELETE", "/v1/tables/{id}", "Leave a table for good", models.Empty, refusals=(404,)),
    Operation(
        "POST",
        "/v1/tables/{id}/moves",
        "Make a move",
        models.TableState,
        asked=models.MoveRequest,
        refusals=(*BODY, 404, 409),
        example={"n": 0, "move": "-"},
    ),
    Operation(
        "POST",
        "/v1/tables/{id}/undo",
        "Take back to the last own decision",
        models.TableState,
        asked=models.UndoRequest,
        refusals=(*BODY, 404, 409),
        example={},
    ),
    Operation(
        "GET",
        "/v1/tables/{id}/record",
        "The record to keep",
        models.RecordAnswer,
        text="What the own seat has seen; after the end the whole table, and then nothing can be taken back any more.",
        refusals=(404,),
    ),
)

ALWAYS = (401, 403, 405, 500, 503)
TITLES = {
    400: "It breaks a rule, or is no request",
    401: "The token is missing or another one",
    403: "Not by this name, or not from this site",
    404: "Nothing is here",
    405: "Another method is for this path",
    408: "The body came too slowly",
    409: "Not now: the table has gone on, or it is another's turn",
    413: "The body is too large",
    415: "The body is no JSON",
    500: "A fault of the server",
    503: "Too much to do; Retry-After says when to come again",
}


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document, version 3.1."""
    wanted: list[Any] = [(models.ErrorAnswer, "serialization")]
    for each in OPERATIONS:
        wanted.append((each.answer, "serialization"))
        if each.asked is not None:
            wanted.append((each.asked, "validation"))
    names, schemas = models_json_schema(wanted, ref_template="#/components/schemas/{model}")
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, names)
    kinds = dict(KINDS) | {kind: said for kind, (_, said) in HTTP_KINDS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kibitz",
            "version": _core.build()["version"],
            "description": "The strongest move in games with hidden information, from what one seat may know. "
            "The bot protocol itself is spoken over the WebSocket /v1/ws.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
        "x-error-kinds": dict(sorted(kinds.items())),
    }


def _operation(each: Operation, names: Mapping[Any, Mapping[str, Any]]) -> dict[str, Any]:
    answers: dict[str, Any] = {
        str(each.status): {"description": "Done", "content": _json(names[each.answer, "serialization"])}
    }
    for status in sorted({*ALWAYS, *each.refusals}):
        content = _json(names[models.ErrorAnswer, "serialization"])
        answers[str(status)] = {"description": TITLES[status], "content": content}
    made: dict[str, Any] = {"summary": each.summary, "responses": answers}
    if each.text:
        made["description"] = each.text
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in ("slug", "id")
        if f"{{{name}}}" in each.path
    ]
    parameters += [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": said,
            "schema": {"type": "integer", "minimum": 0},
        }
        for name, said in each.query.items()
    ]
    if parameters:
        made["parameters"] = parameters
    if each.asked is not None:
        content = _json(names[each.asked, "validation"])
        if each.example is not None:
            content["application/json"]["example"] = dict(each.example)
        made["requestBody"] = {"required": True, "content": content}
    if each.path == "/healthz":
        made["security"] = []
    return made


def _json(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": dict(schema)}}
