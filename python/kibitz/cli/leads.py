"""`kibitz leads`: what to play first, by classes of hands."""

from typing import Annotated

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz leads kami --deals 20 --bot ismcts:iterations=200 -o redeal=false",
    "kibitz leads kami --deals 10 --iterations 100 --top 1 --workers 2 --json",
    "kibitz leads thecrew --deals 10 --iterations 50 -o mission=4 -o distress=off --journal leads.jsonl",
    "kibitz leads hearts --deals 10 --bot greedy",
)


@app.command(epilog=EXAMPLES)
def leads(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name from `kibitz games`.")],
    deals: Annotated[int, typer.Option(min=1, metavar="N", help="How many.")] = 100,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="What decides: name[:key=value,...], as in `kibitz match`.")
    ] = "ismcts",
    ms: Annotated[
        float | None, typer.Option(min=1, metavar="N", help="Milliseconds a decision, if the bot names none.")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Iterations a decision, if the bot names no budget.  [default: 1000]"
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Plays shown of each class of hands.")] = 3,
    seed: shared.Seed = 0,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes.  [default: 1]")] = None,
    journal: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every finished deal here; go on from what is there."),
    ] = None,
    option: shared.Options = None,
    json: shared.Json = False,
) -> None:
    """Search the first play of many deals and tell, by classes of hands, what was best how often.

    In Kami the first pair, in The Crew the first task taken or the first lead, elsewhere the first move. Shares and
    means come with 95 % intervals.
    """
    from kibitz.leads import leads as find

    spend = (
        shared.Budget(iterations=1000) if ms is None and iterations is None else shared.Budget(ms, iterations)
    )
    bots = shared.bots(bot, spend)
    if len(bots) != 1:
        raise typer.BadParameter(f"names {len(bots)} bots; one decides.", param_hint="--bot")
    found = find(
        shared.load(game, option),
        deals=deals,
        bot=bots[0],
        seed=seed,
        workers=workers,
        journal=journal,
        progress=False if json else None,
    )
    if json:
        shared.print_json(found.to_dict(top=top))
        return
    shared.print_table(found.layout(top=top))
    for note in found.notes():
        typer.echo(note)
