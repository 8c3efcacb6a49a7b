"""Every path over HTTP: what it answers, that it is as its model says, and what it refuses."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from pydantic import BaseModel
from starlette.routing import Route

import kibitz
from kibitz.protocol.messages import GoResult
from kibitz.server import models
from kibitz.server.app import create_app
from kibitz.server.openapi import OPERATIONS, openapi
from kibitz.server.replies import HTTP_KINDS
from kibitz.server.settings import ServerSettings
from server.local import Answer, Local, local

SHIPPED = Path(kibitz.__file__).parent / "examples"
LEAD = {
    "game": "kami",
    "options": {"redeal": False},
    "seat": 0,
    "start": {"hand": "11113477", "first": 1},
    "events": ["1:dx", "1:a4", "2:p", "3:p"],
}
VIEW = kibitz.load("kami", redeal=False).deal(seed=7).view(seat=2)
ROUND = "11113477,12344568,11123368,11224555,s2,234,3p,4p,147,2p,3p,4p"


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local() as found:
        yield found


def held(answer: Answer, model: type[BaseModel], status: int = 200) -> Any:
    """The answer, which must be as the model says."""
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    model.model_validate(answer.json)
    return answer.json


# ---- facts ----


def test_health(here: Local) -> None:
    found = held(here.get("/healthz"), models.Health)
    assert found == {"status": "ok", "version": kibitz.__version__, "protocol": "1.0"}


def test_games(here: Local) -> None:
    found = held(here.get("/v1/games"), models.GameList)
    assert [game["slug"] for game in found["games"]] == kibitz.games()


@pytest.mark.parametrize("slug", kibitz.games())
def test_game(here: Local, slug: str) -> None:
    found = held(here.get(f"/v1/games/{slug}"), models.GameFacts)
    assert {name: found[name] for name in found if name != "examples"} == json.loads(
        json.dumps(kibitz.load(slug).info)
    )
    for example in found["examples"]:
        assert kibitz.read_position(example["text"]).game.slug == slug


def test_no_such_game(here: Local) -> None:
    answer = here.get("/v1/games/kame")
    assert (answer.status, answer.kind) == (404, "unknown_game")
    assert "did you mean 'kami'" in answer.error["message"]


def test_openapi_names_every_route(here: Local) -> None:
    document = here.get("/openapi.json").json
    assert document == json.loads(json.dumps(openapi()))
    routes = {
        (method, route.path)
        for route in create_app(ServerSettings()).routes
        if isinstance(route, Route) and (route.path.startswith("/v1/") or route.path == "/healthz")
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert routes == {(each.method, each.path) for each in OPERATIONS}
    named = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(re.findall(r'"\$ref":"([^"]+)"', json.dumps(document, separators=(",", ":")))) <= named


@pytest.mark.parametrize(
    "each", [each for each in OPERATIONS if each.asked and "{" not in each.path], ids=lambda each: each.path
)
def test_openapi_examples_work(here: Local, each: Any) -> None:
    held(here.call(each.method, each.path, each.example), each.answer, each.status)


def test_reference_has_no_outside_resources(here: Local) -> None:
    page, style = here.get("/docs"), here.get("/docs/style.css")
    assert page.headers["content-type"].startswith("text/html")
    assert style.headers["content-type"].startswith("text/css")
    assert "<script" not in page.text
    assert re.findall(r'(?:src|href)="([^"#]+)"', page.text) == ["docs/style.css", "openapi.json"]
    assert "http" not in style.text
    for each in OPERATIONS:
        assert each.path in page.text
    for kind in HTTP_KINDS:
        assert f"<code>{kind}</code>" in page.text


def test_page(here: Local) -> None:
    answer = here.get("/")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")
    for path in re.findall(r'(?:src|href)="/?(page/[^"#]+)"', answer.text):
        assert here.get(f"/{path}").status == 200


@pytest.mark.parametrize(
    "path",
    ["/page/../settings.py", "/page/%2e%2e/settings.py", "/page/..%2fapp.py", "/page//etc/passwd", "/page/"],
)
def test_page_has_its_own_files_only(here: Local, path: str) -> None:
    answer = here.get(path)
    assert (answer.status, answer.kind) == (404, "not_found")


# ---- best ----


def test_best_by_events(here: Local) -> None:
    found = held(here.post("/v1/best", LEAD | {"go": {"iterations": 500, "top": "all"}, "seed": 3}), GoResult)
    assert found["move"] in ("p", "d4")
    assert found["reason"] == "iterations"
    assert found["iterations"] == 500


def test_best_by_view_is_best_by_events(here: Local) -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start=LEAD["start"], record=LEAD["events"])  # type: ignore[arg-type]
    go = {"go": {"iterations": 300, "top": "all"}, "seed": 3}
    one = here.post("/v1/best", LEAD | go).json
    two = here.post("/v1/best", {"game": "kami", "view": view.to_dict()} | go).json
    assert (one["move"], one["moves"]) == (two["move"], two["moves"])


@pytest.mark.parametrize(
    ("change", "status", "kind"),
    [
        ({"go": {}}, 400, "no_limit"),
        ({"go": {"iteration": 5}}, 400, "unknown_param"),
        ({"go": {"ms": True}}, 400, "bad_value"),
        ({"go": {"ms": -1}}, 400, "bad_value"),
        ({"go": {"ms": 1e8}}, 400, "bad_value"),
        ({"go": {"until": "stop"}}, 400, "unknown_param"),
        ({"go": []}, 400, "bad_value"),
        ({"game": "kame", "go": {"ms": 1}}, 400, "unknown_game"),
        ({"options": {"players": 9}, "go": {"ms": 1}}, 400, "invalid_option"),
        ({"start": {"hand": "1"}, "go": {"ms": 1}}, 400, "invalid_start"),
        ({"events": ["1:d3"], "go": {"ms": 1}}, 400, "too_much"),
        ({"events": [], "go": {"ms": 1}}, 409, "not_to_move"),
        ({"hand": "1", "go": {"ms": 1}}, 400, "unknown_param"),
        ({"search": {"name": "mcts"}, "go": {"ms": 1}}, 400, "invalid_option"),
    ],
)
def test_best_refuses(here: Local, change: dict[str, Any], status: int, kind: str) -> None:
    answer = here.post("/v1/best", LEAD | change)
    assert (answer.status, answer.kind) == (status, kind), answer.text


# ---- positions and frames ----


@pytest.mark.parametrize("name", ["kami-answer.txt", "kami-table.json", "crew-card.json", "crew-radio.json"])
def test_position(here: Local, name: str) -> None:
    text = (SHIPPED / name).read_text("utf-8")
    found = held(here.post("/v1/position", {"text": text}), models.Position)
    read = kibitz.read_position(text)
    assert found["kind"] == ("table" if isinstance(read, kibitz.Table) else "view")
    assert (found["record"] is None) == (found["kind"] == "view")
    view = kibitz.View.from_json(found["view"])
    assert view.seat == found["seat"]
    assert view.legal() == found["legal"]


def test_position_from_each_seat(here: Local) -> None:
    table = kibitz.load("kami").deal(seed=7)
    for seat in range(4):
        found = held(here.post("/v1/position", {"text": table.to_json(), "seat": seat}), models.Position)
        assert kibitz.View.from_json(found["view"]) == table.view(seat=seat)


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({"text": ""}, "invalid_view"),
        ({"text": "nonsense"}, "invalid_view"),
        ({"text": '{"game": "kami"}'}, "invalid_view"),
        ({"text": VIEW.to_json(), "seat": 1}, "bad_value"),
        ({"text": VIEW.to_json(), "seat": 9}, "invalid_option"),
        ({"text": VIEW.to_json(), "game": "hearts"}, "invalid_view"),
        ({"text": VIEW.to_json(), "game": "x"}, "unknown_game"),
        ({"text": VIEW.to_json(), "options": {"players": 3}}, "invalid_view"),
        ({"text": 3}, "bad_value"),
        ({"txt": "x"}, "unknown_param"),
        ({}, "bad_value"),
    ],
)
def test_position_refuses(here: Local, asked: Any, kind: str) -> None:
    answer = here.post("/v1/position", asked)
    assert (answer.status, answer.kind) == (400, kind), answer.text


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_frames_are_what_the_seat_saw(here: Local, seat: int) -> None:
    table = kibitz.read_position(ROUND, game="kami")
    assert isinstance(table, kibitz.Table)
    found = held(here.post("/v1/frames", {"record": ROUND, "seat": seat}), models.Frames)
    assert [frame["n"] for frame in found["frames"]] == list(range(len(table.record) + 1))
    assert [frame["event"] for frame in found["frames"]] == [None, *table.view(seat=seat).record]
    for frame in found["frames"]:
        assert frame["scene"]["text"] == table.at(frame["n"]).view(seat=seat).draw()


def test_frames_of_a_part(here: Local) -> None:
    document = kibitz.read_position(ROUND, game="kami").to_dict()
    whole = here.post("/v1/frames", {"record": document, "seat": 1}).json
    part = here.post("/v1/frames", {"record": document, "seat": 1, "first": 2, "count": 3}).json
    assert part["frames"] == whole["frames"][2:5]
    assert here.post("/v1/frames", {"record": document, "seat": 1, "first": 60_000}).json["frames"] == []


def test_frames_of_a_view_without_a_record(here: Local) -> None:
    document = {"game": "kami", "seat": 2, "view": VIEW.core.to_dict()}
    found = held(here.post("/v1/frames", {"record": document}), models.Frames)
    assert len(found["frames"]) == 1


def test_frames_have_a_bound(here: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.positions.MOST_FRAMES", 3)
    answer = here.post("/v1/frames", {"record": ROUND, "seat": 0})
    assert (answer.status, answer.kind) == (400, "bad_value")
    assert "'first' and 'count'" in answer.error["message"]


# ---- what is no request ----


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"", "parse"),
        (b"{", "parse"),
        (b"[]", "parse"),
        (b"3", "parse"),
        (b'{"text": NaN}', "parse"),
        (b'{"text": "a", "text": "b"}', "parse"),
        (b"\xff\xfe", "parse"),
        (b'{"text": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "parse"),
        (b'{"seat": ' + b"9" * 10_000 + b', "text": ""}', "parse"),
        (b'{"seat": 99999999999999999999, "text": ""}', "bad_value"),
        (b'{"seat": true, "text": ""}', "bad_value"),
        (b'{"seat": 1.5, "text": ""}', "bad_value"),
        (b'{"\\ud800": 1}', "bad_value"),
        (b'{"text": "\\ud800\\u0000"}', "invalid_view"),
    ],
)
def test_bad_bodies(here: Local, raw: bytes, kind: str) -> None:
    answer = here.call("POST", "/v1/position", raw=raw)
    assert (answer.status, answer.kind) == (400, kind), answer.text


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_only_json_is_read(here: Local, kind: str) -> None:
    answer = here.call("POST", "/v1/best", raw=b"{}", headers={"Content-Type": kind})
    assert (answer.status, answer.kind) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/healthz", {"GET", "HEAD"}),
        ("GET", "/v1/best", {"POST"}),
        ("PUT", "/v1/tables/x", {"GET", "HEAD", "DELETE"}),
        ("GET", "/v1/tables", {"POST"}),
        ("POST", "/page/page.js", {"GET", "HEAD"}),
    ],
)
def test_wrong_method(here: Local, method: str, path: str, allowed: set[str]) -> None:
    answer = here.call(method, path)
    assert (answer.status, answer.kind) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed == set(answer.error["data"]["allowed"])


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/games/", "/nothing", "/v1/ws", "/v1/tables/x/y", "//v1/games"]
)
def test_nothing_here(here: Local, path: str) -> None:
    answer = here.get(path)
    assert answer.status == 404


def test_head(here: Local) -> None:
    assert here.call("HEAD", "/v1/games").text == ""


def test_a_bug_is_answered_with_a_number_and_nothing_else(
    here: Local, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(asked: Any) -> Any:
        raise ZeroDivisionError("11113477 is the hand of seat 2")

    monkeypatch.setattr("kibitz.server.app.position", broken)
    answer = here.post("/v1/position", {"text": "x"})
    assert (answer.status, answer.kind) == (500, "internal")
    assert answer.error["data"]["report"] in caplog.text
    assert "ZeroDivisionError at test_routes.py" in caplog.text
    assert "11113477" not in answer.text + caplog.text
