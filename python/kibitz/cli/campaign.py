"""`kibitz campaign`: mission after mission of The Crew, with a log that is kept in a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import shared
from kibitz.errors import InvalidOption, InvalidPosition

if TYPE_CHECKING:
    from kibitz.bot import Bot
    from kibitz.campaign import Campaign

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz campaign crew.json --players 3 --journey 5 --bots greedy",
    "kibitz campaign crew.json --seat 0 --bots greedy",
    "kibitz campaign --bots ismcts:iterations=20,playout=hint --journey 2 --seed 1 --max-attempts 5 --json",
)


@app.command(epilog=EXAMPLES)
def campaign(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Where the log is kept: saved after every attempt, gone on with if it is there, shown if nothing "
            "else is asked for.",
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help="Who plays: one bot for all seats, or one each, as in match.  [default beside a person: ismcts]",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Play this seat yourself, as in play."),
    ] = None,
    journey: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="How many missions: full, 1, 5, 10, 25, or any number up to 50.  [default: full]",
        ),
    ] = None,
    first: Annotated[
        int | None, typer.Option(metavar="N", help="The mission to begin with.  [default: 1]")
    ] = None,
    players: Annotated[int | None, typer.Option(metavar="N", help="How many people.  [default: 4]")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Names the deals.  [default: chance]")
    ] = None,
    max_attempts: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Bots stop when a mission was lost so often, in all."),
    ] = 100,
    ms: Annotated[
        float | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Milliseconds a move of bots that name none.  [default: 50; 500 beside a person]",
        ),
    ] = None,
    iterations: shared.Iterations = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Play missions of The Crew in order, each until it is won.

    The score counts attempts, and 1 for every mission in which the distress signal was sent; the lower the better.
    An attempt that is broken off does not count and is dealt again.
    """
    if seat is not None and json:
        raise typer.BadParameter("does not go with --json.", param_hint="--seat")
    if file is None and seat is None and bots is None:
        raise typer.BadParameter("without FILE give --bots or --seat.", param_hint="--bots")
    spend = shared.budget(ms=ms, iterations=iterations, default_ms=50 if seat is None else 500)
    crew = None if bots is None and seat is None else shared.bots(bots or "ismcts", spend)
    chosen: dict[str, Any] = shared.options("thecrew", option)
    if players is not None:
        chosen["players"] = players
    found = opened(file, journey, first, seed, chosen, begin=crew is not None)
    if crew is not None and seat is not None:
        sit(found, seat, crew, spend, file)
    elif crew is not None:
        found.play(crew, max_attempts=max_attempts, path=file, progress=False if json else None)
    if json:
        shared.print_json(found.to_dict())
        return
    if found.log:
        shared.print_table(found)
    for note in found.notes():
        typer.echo(note)
    if seat is None and crew is not None and not found.done:
        typer.echo(f"The bots stopped at the limit of {max_attempts:,} at a mission (--max-attempts).")


def opened(
    file: str | None,
    length: str | None,
    first: int | None,
    seed: int | None,
    options: dict[str, Any],
    *,
    begin: bool,
) -> "Campaign":
    """The campaign in a file, if it is the one asked for; else a new one, where one may begin."""
    from secrets import randbelow

    from kibitz.campaign import Campaign, check_option_names
    from kibitz.logbook import journey

    check_option_names(options)
    size = None if length is None else shared.value(length)
    if file is None or not Path(file).exists():
        if not begin:
            raise InvalidPosition(
                f"There is no campaign {file}; --bots or --seat begins one there.", given=file
            )
        return Campaign(
            missions=journey("full" if size is None else size, first=1 if first is None else first),
            seed=randbelow(2**32) if seed is None else seed,
            **options,
        )
    found = Campaign.resume(file)
    missions: Sequence[int] = found.missions
    if size is not None or first is not None:
        missions = journey(
            len(missions) if size is None else size, first=missions[0] if first is None else first
        )
    options = found.options | options
    asked = Campaign(missions=missions, seed=found.seed if seed is None else seed, **options)
    for (name, here), wanted in zip(settings(found).items(), settings(asked).values(), strict=True):
        if here != wanted:
            raise InvalidOption(
                f"{file} holds a campaign with {name} {here}, not {wanted}; leave that out to go on with it.",
                given=wanted,
                allowed=(here,),
            )
    return found


def settings(campaign: "Campaign") -> dict[str, str]:
    """What does not change during a campaign, as text."""
    from kibitz.logbook import listed

    options = {name: shared.value_text(value) for name, value in campaign.options.items()}
    return {"missions": listed(campaign.missions).partition(" ")[2], **options, "seed": str(campaign.seed)}


def sit(campaign: "Campaign", seat: int, crew: "list[Bot]", budget: shared.Budget, file: str | None) -> None:
    """Attempt after attempt with a person at one seat, until they leave or all missions are won."""
    from kibitz.cli.play import Sitting, seated

    terminal = sys.stdin.isatty()
    while not campaign.done:
        table = campaign.deal()
        table.view(seat=seat)  # refuses a seat that is not there
        others = seated(crew, seat, table.game)
        if file is not None:
            campaign.save(file)  # refuses a place that cannot be written
        what = f"Mission {campaign.mission}, attempt {campaign.attempt}"
        typer.echo(f"{what}. You are seat {seat}. Type ? for help.")
        sitting = Sitting(table, seat, others, budget, 0.6 if terminal else 0, echo=not terminal)
        sitting.run()
        if sitting.table.turn is not None:
            return
        campaign.enter(sitting.table)
        if file is not None:
            campaign.save(file)
        typer.echo("")
