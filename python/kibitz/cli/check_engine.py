"""`kibitz check-engine`: whether an engine keeps the bot protocol."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import shared

if TYPE_CHECKING:
    from kibitz.conformance import Outcome

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz check-engine 'kibitz engine' --quick",
    "kibitz check-engine ./my-adapter --only stop --only ping_during_search",
    "kibitz check-engine ws://127.0.0.1:8765/v1/ws --json",
    "kibitz check-engine --list",
)


@app.command(name="check-engine", epilog=EXAMPLES)
def check_engine(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="ENGINE", help="A command, in quotes if it has several words, or a ws:// address."
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="This step alone; repeatable.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="300 random lines instead of 10,000.")] = False,
    seed: shared.Seed = 0,
    slack: Annotated[
        float, typer.Option(min=0.1, metavar="X", help="Factor on every bound in time, for a busy machine.")
    ] = 1.0,
    patience: Annotated[
        float, typer.Option(min=0.1, metavar="S", help="Seconds that any answer may take.")
    ] = 10.0,
    list_steps: Annotated[bool, typer.Option("--list", help="What is demanded, step by step.")] = False,
    json: shared.Json = False,
) -> None:
    """Play the steps of the protocol's conformance against an engine.

    Each step is passed, failed (with the last lines exchanged, > to the engine and < from it) or skipped (the engine
    does not offer what it needs). Exit code 0 only if none failed. For a ws:// address that wants a bearer token, it is
    taken from KIBITZ_TOKEN.
    """
    from kibitz.conformance import STEPS
    from kibitz.conformance import check_engine as examine
    from kibitz.conformance.steps import load_steps

    if list_steps:
        load_steps()
        for step in STEPS.values():
            typer.echo(f"{step.name:<22}{step.about}")
        return
    if target is None:
        raise typer.BadParameter("which engine? Give its command or address, or --list.", param_hint="ENGINE")
    report = examine(
        target,
        seed=seed,
        quick=quick,
        only=only or (),
        token=os.environ.get("KIBITZ_TOKEN"),
        slack=slack,
        patience=patience,
        told=None if json else show,
    )
    if json:
        shared.print_json(report.to_dict())
    else:
        counts = ", ".join(
            f"{report.count(verdict)} {verdict}" for verdict in ("passed", "failed", "skipped")
        )
        typer.echo(f"\n{counts} (seed {seed})")
    if not report.passed:
        raise typer.Exit(1)


def show(outcome: "Outcome") -> None:
    """One line a step; below a failed one what was said."""
    text = outcome.why if outcome.verdict == "skipped" else outcome.about
    typer.echo(f"{outcome.verdict:<8} {outcome.name:<22} {text}")
    if outcome.verdict == "failed":
        typer.echo(f"         {outcome.why}")
        for line in outcome.lines:
            typer.echo(f"           {line}")
