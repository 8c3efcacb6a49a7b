"""The app: every path, and what answers there. Searches and whatever else takes long run on threads of their own."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from kibitz import _core
from kibitz.given import as_number
from kibitz.protocol.faults import Fault
from kibitz.protocol.messages import PROTOCOL, GoParams
from kibitz.protocol.once import best_once
from kibitz.protocol.requests import checked_params
from kibitz.protocol.thinking import Halt, kind_of_go
from kibitz.protocol.work import Kind, Work
from kibitz.server.bodies import read_object, read_query, read_request
from kibitz.server.catalogue import game_facts, game_list
from kibitz.server.guard import Guard
from kibitz.server.jobs import Jobs, searched
from kibitz.server.models import FramesRequest, MoveRequest, PositionRequest, TableRequest, UndoRequest
from kibitz.server.openapi import openapi
from kibitz.server.positions import frames, position
from kibitz.server.reference import STYLE, reference_page
from kibitz.server.replies import JsonResponse, error_response, not_found
from kibitz.server.settings import ServerSettings
from kibitz.server.socket import converse
from kibitz.server.tables import Tables

__all__ = ["Services", "create_app"]

T = TypeVar("T")

PAGE = Path(__file__).parent / "page"
LOOK_THREADS = 4  # for positions, records and states of tables: short work
LOOK_WAITING = 256
MOST_MEMORY_MB = 256  # of one search
LINE_THREADS = 8  # that read messages of WebSockets


@dataclass(frozen=True)
class Services:
    """What the answers are made with."""

    settings: ServerSettings
    work: Work
    looks: Jobs
    lines: Jobs
    tables: Tables
    halts: set[Halt] = field(default_factory=set)
    """Of the stateless searches that run or wait."""

    @classmethod
    def of(cls, settings: ServerSettings) -> "Services":
        """As the settings say."""
        work = Work(
            settings.workers,
            waiting=settings.queue,
            threads=os.cpu_count() or 1,
            memory_mb=MOST_MEMORY_MB,
        )
        looks = Jobs("look", threads=LOOK_THREADS, waiting=LOOK_WAITING)
        return cls(
            settings=settings,
            work=work,
            looks=looks,
            lines=Jobs("line", threads=LINE_THREADS, waiting=settings.max_connections),
            tables=Tables(settings, work, looks),
        )

    def stop(self) -> None:
        """Ends what could go on for long: searches, and requests that wait for news."""
        self.tables.close()
        for halt in list(self.halts):
            halt.stop()

    def close(self) -> None:
        """Ends all."""
        self.stop()
        for jobs in (self.looks, self.lines):
            jobs.close()


def create_app(settings: ServerSettings | None = None) -> Starlette:
    """The server as an ASGI app, for `kibitz serve` or any other ASGI server.

    Args:
        settings: By default those of `ServerSettings.from_environment()`.

    Returns:
        The app; `app.state.services` has what it works with.
    """
    settings = ServerSettings.from_environment() if settings is None else settings
    services = Services.of(settings)
    app = Starlette(
        routes=[
            Route("/", _page),
            Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
            Route("/healthz", _health),
            Route("/openapi.json", _openapi),
            Route("/docs", _docs),
            Route("/docs/style.css", _docs_style),
            Route("/v1/games", _games),
            Route("/v1/games/{slug}", _game),
            Route("/v1/best", _best, methods=["POST"]),
            Route("/v1/position", _position, methods=["POST"]),
            Route("/v1/frames", _frames, methods=["POST"]),
            Route("/v1/tables", _open_table, methods=["POST"]),
            Route("/v1/tables/{id}", _table, methods=["GET", "DELETE"]),
            Route("/v1/tables/{id}/moves", _move, methods=["POST"]),
            Route("/v1/tables/{id}/undo", _undo, methods=["POST"]),
            Route("/v1/tables/{id}/record", _record),
            WebSocketRoute("/v1/ws", _socket),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={Fault: _refused, HTTPException: _http_error},
        lifespan=_lifespan,
    )
    app.router.redirect_slashes = (
        False  # a redirect would lead to whatever name the client called the server by
    )
    app.state.services = services
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    services: Services = app.state.services
    sweeping = asyncio.create_task(services.tables.keep_swept())
    try:
        yield
    finally:
        sweeping.cancel()
        services.close()


def _services(request: Request | WebSocket) -> Services:
    found: Services = request.app.state.services
    return found


# ---- pages and facts ----


async def _page(_: Request) -> Response:
    index = PAGE / "index.html"
    if not index.is_file():
        raise not_found()
    return FileResponse(index, headers=REVALIDATED)


async def _health(_: Request) -> Response:
    return JsonResponse({"status": "ok", "version": _core.build()["version"], "protocol": PROTOCOL})


async def _openapi(request: Request) -> Response:
    return JsonResponse(await _services(request).looks.run(openapi))


async def _docs(request: Request) -> Response:
    return HTMLResponse(await _services(request).looks.run(lambda: reference_page(openapi())))


async def _docs_style(_: Request) -> Response:
    return Response(STYLE, media_type="text/css")


async def _games(_: Request) -> Response:
    return JsonResponse(game_list())


async def _game(request: Request) -> Response:
    try:
        return JsonResponse(await _services(request).looks.run(game_facts, request.path_params["slug"]))
    except Fault as fault:
        if fault.kind != "unknown_game":
            raise
        return error_response(fault, status=404)


# ---- questions without a session ----


async def _best(request: Request) -> Response:
    services = _services(request)
    document = await read_object(request, services.settings)
    arrived, halt, most = monotonic(), Halt(), services.settings.max_ms
    ms = as_number(go.get("ms")) if isinstance(go := document.get("go"), dict) else None
    if ms is not None and ms > most:
        raise Fault(
            "bad_value",
            f"'go.ms' cannot be {ms:g}; this server searches for {most:,} ms at most.",
            field="go.ms",
            given=ms,
        )
    if len(services.halts) >= services.work.searches + services.settings.queue:
        raise services.work.overloaded()
    answer = searched(
        services.work,
        _kind(go),
        lambda: best_once(document, work=services.work, arrived=arrived, halt=halt),
    )
    last = asyncio.get_running_loop().call_later(most / 1000, halt.stop)  # also of iterations, and of a pace
    services.halts.add(halt)
    try:
        return JsonResponse(await _while_there(request, answer))
    finally:
        halt.stop()  # where the client has left
        last.cancel()
        services.halts.discard(halt)


def _kind(go: object) -> Kind:
    """Of a search that was asked for; one that is not right ends soon."""
    try:
        return kind_of_go(checked_params(GoParams, "go", go)) if isinstance(go, dict) else Kind.SHORT
    except Fault:
        return Kind.SHORT


async def _position(request: Request) -> Response:
    services = _services(request)
    asked = await read_request(request, PositionRequest, services.settings)
    return JsonResponse(await services.looks.run(position, asked))


async def _frames(request: Request) -> Response:
    services = _services(request)
    asked = await read_request(request, FramesRequest, services.settings)
    return JsonResponse(await services.looks.run(frames, asked))


# ---- tables ----


async def _open_table(request: Request) -> Response:
    services = _services(request)
    asked = await read_request(request, TableRequest, services.settings)
    return JsonResponse(await services.tables.open(asked), status_code=201)


async def _table(request: Request) -> Response:
    tables, name = _services(request).tables, request.path_params["id"]
    if request.method == "DELETE":
        tables.delete(name)
        return JsonResponse({})
    after = read_query(request.query_params, "after")
    return JsonResponse(await _while_there(request, tables.state(name, after)))


async def _move(request: Request) -> Response:
    services = _services(request)
    asked = await read_request(request, MoveRequest, services.settings)
    return JsonResponse(await services.tables.move(request.path_params["id"], asked))


async def _undo(request: Request) -> Response:
    services = _services(request)
    asked = await read_request(request, UndoRequest, services.settings)
    return JsonResponse(await services.tables.undo(request.path_params["id"], asked))


async def _record(request: Request) -> Response:
    return JsonResponse(await _services(request).tables.record(request.path_params["id"]))


async def _while_there(request: Request, answer: Coroutine[Any, Any, T]) -> T:
    """An answer that may be long in coming, given up when the client leaves."""
    coming, leaving = asyncio.create_task(answer), asyncio.create_task(_left(request.receive))
    try:
        await asyncio.wait({coming, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not coming.done():
            raise Fault("cancelled", "The client has left.")
        return coming.result()
    finally:
        coming.cancel()
        leaving.cancel()
        await asyncio.gather(coming, leaving, return_exceptions=True)


async def _left(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


# ---- the protocol ----


async def _socket(socket: WebSocket) -> None:
    services = _services(socket)
    await converse(socket, work=services.work, jobs=services.lines, settings=services.settings)


# ---- errors ----


async def _refused(_: Request, fault: Exception) -> Response:
    assert isinstance(fault, Fault)
    return error_response(fault)


async def _http_error(request: Request, error: Exception) -> Response:
    """What the router refuses: a path that is not there, or a method that is not for it."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        fault = Fault(
            "method_not_allowed",
            f"{request.method} is not for this path; {allowed} is.",
            given=request.method,
            allowed=sorted(allowed.split(", ")),
        )
        return error_response(fault, headers=error.headers)
    return error_response(not_found(), status=error.status_code)


REVALIDATED = {"Cache-Control": "no-cache"}  # the page's files may be of another version tomorrow
