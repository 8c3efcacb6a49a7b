"""The command line: `kibitz`.

One file a command, imported when that command is called, so that `kibitz best` pays for nothing else.
Exit codes: 0 done, 1 refused (a sentence on stderr), 2 wrong usage, 130 Ctrl-C, 141 the reader of a pipe left.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

COMMANDS = (
    "best",
    "play",
    "review",
    "match",
    "campaign",
    "solve",
    "odds",
    "leads",
    "games",
    "engine",
    "serve",
    "check-engine",
    "perft",
    "bench",
)

EXAMPLES = """\b
Examples:
  $ kibitz best kami-answer --ms 200
  $ kibitz games kami
  $ kibitz --version
"""


class LazyGroup(TyperGroup):
    """Loads a command's module when the command is named, all of them only for `--help`."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            module = importlib.import_module(f"kibitz.cli.{cmd_name.replace('-', '_')}")
            self.commands[cmd_name] = typer.main.get_command(module.app)
        return self.commands[cmd_name]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise typer.Exit(hang_up()) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(
                f"No such command {args[0]!r}. "
                + (f"Did you mean {near[0]!r}?" if near else f"Commands: {', '.join(COMMANDS)}.")
            )
        return super().resolve_command(ctx, args)


def print_version(wanted: bool) -> None:
    """Version, then what the compiled core says of its own build."""
    if not wanted:
        return
    from kibitz import _core

    build = _core.build()
    typer.echo(f"kibitz {build['version']}")
    for name, value in build.items():
        if name != "version":
            typer.echo(f"{name.replace('_', ' '):<12}{value or '-'}")
    typer.echo(f"{'python':<12}{sys.version.split()[0]}")
    raise typer.Exit


app = typer.Typer(
    cls=LazyGroup,
    name="kibitz",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=EXAMPLES,
)


@app.callback()
def kibitz(
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Version, compiler and flags."),
    ] = False,
) -> None:
    """The strongest move in games with hidden information, from one seat's view, and why."""


def main(args: Sequence[str] | None = None) -> None:
    """Runs one command and exits with its code; no traceback from a refusal ever reaches a person."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no ±
    try:
        code = run(sys.argv[1:] if args is None else args)
        if sys.stdout is not None:  # closed by whoever started it
            sys.stdout.flush()
    except BrokenPipeError:
        code = hang_up()
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """The exit code of one command line."""
    from kibitz.errors import KibitzError

    try:
        result = typer.main.get_command(app).main(list(args), prog_name="kibitz", standalone_mode=False)
    except KibitzError as error:
        return refuse(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        result = 130
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f" {str(error.filename)[:400]}" if error.filename else ""
        return refuse(f"cannot read or write{where}: {error.strerror}.", 1)
    except Exception as error:
        show = getattr(error, "show", None)  # wrong usage, which prints itself and points to --help
        if show is None:
            raise
        show()
        return int(getattr(error, "exit_code", 2))
    if result == 130:
        return refuse("interrupted", 130)
    return result if isinstance(result, int) else 0


def refuse(sentence: str, code: int) -> int:
    """One line on stderr; the exit code, for the caller to return."""
    typer.echo(f"kibitz: {' '.join(sentence.split())}", err=True)
    return code


def hang_up() -> int:
    """The reader of stdout has left: say no more, as `head` expects. Python flushes stdout once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141
