"""`kibitz engine`: the bot protocol on standard input and output."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz engine",
    "kibitz engine --schemas",
    "kibitz check-engine 'kibitz engine' --quick",
)


@app.command(epilog=EXAMPLES)
def engine(
    searches: Annotated[
        int | None,
        typer.Option(min=1, max=256, metavar="N", help="Short searches at once.  [default: two a processor]"),
    ] = None,
    schemas: Annotated[
        bool, typer.Option("--schemas", help="Write the JSON Schemas of all messages, and end.")
    ] = False,
) -> None:
    """Answer a game server or a bot, one JSON object a line.

    JSON-RPC 2.0 on standard input and output, until the end of input or quit; docs/protocol.md has every message. Logs
    go to standard error.
    """
    if schemas:
        from kibitz.protocol.messages import schemas as all_schemas

        shared.print_json(all_schemas())
        return
    from kibitz.protocol.stdio import run
    from kibitz.protocol.work import Work

    code = run(Work(searches))
    if code:
        raise typer.Exit(code)
