"""`kibitz serve`: the engine over HTTP and WebSocket, and a page to look at it."""

from typing import Annotated

import typer

from kibitz.cli import shared
from kibitz.errors import InvalidOption

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz serve",
    "kibitz serve --port 9000 --workers 2",
    "KIBITZ_TOKEN=... kibitz serve --host 0.0.0.0",
    "kibitz serve --allow-host kibitz.example --allow-origin https://club.example",
)

PACKAGES = ("starlette", "uvicorn", "websockets")


@app.command(epilog=EXAMPLES)
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; another than loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="0 for a free one.")] = 8765,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, metavar="N", help="Short searches at once.  [default: two a processor]"),
    ] = None,
    queue: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, metavar="N", help="Searches that may wait; more are answered with 503."
        ),
    ] = 32,
    max_ms: Annotated[
        int,
        typer.Option(
            min=1, max=3_600_000, metavar="N", help="Milliseconds of one search over HTTP, or of a bot."
        ),
    ] = 60_000,
    max_tables: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Tables against bots at once.")
    ] = 200,
    max_connections: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Open connections at once.")
    ] = 500,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name the server may be called by, as behind a proxy; repeatable."
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A site whose pages may use the server; repeatable."),
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let everybody in, at an address that others can reach.")
    ] = False,
    open_seeds: Annotated[
        bool,
        typer.Option("--open-seeds", help="Let clients choose the seed of a table, which tells all hands."),
    ] = False,
    log_hands: Annotated[
        bool,
        typer.Option("--log-hands", help="Write requests and messages into the log, hands and moves too."),
    ] = False,
) -> None:
    """Serve the engine over HTTP and WebSocket, with a page to look at positions and to play.

    Only this machine can connect unless --host says otherwise. If KIBITZ_TOKEN is set, clients must send it as a bearer
    token. The log goes to stderr; Ctrl-C ends the server. docs/server.md has the whole story.
    """
    import importlib.util

    from kibitz.server.settings import ServerSettings

    settings = ServerSettings.from_environment(
        host=host,
        port=port,
        workers=workers,
        queue=queue,
        max_ms=max_ms,
        max_tables=max_tables,
        max_connections=max_connections,
        allowed_hosts=tuple(allow_host or ()),
        allowed_origins=tuple(allow_origin or ()),
        no_token=no_token,
        open_seeds=open_seeds,
        log_hands=log_hands,
    )
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise InvalidOption(
            f"The server needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed: "
            "pip install 'kibitz[server]'."
        )
    from kibitz.server.running import run

    _log_to_stderr()
    if run(settings, ready=lambda address: typer.echo(f"kibitz: serving at {address}", err=True)):
        raise KeyboardInterrupt


def _log_to_stderr() -> None:
    """One line an event, with the time; the server's own and uvicorn's warnings."""
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    for name, level in (("kibitz.server", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
