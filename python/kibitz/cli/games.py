"""`kibitz games`: which games there are, and what each allows."""

from typing import Annotated, Any

import typer

from kibitz.cli import shared

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz games",
    "kibitz games kami",
    "kibitz games kami --json",
    "kibitz games --examples",
)


@app.command(epilog=EXAMPLES)
def games(
    slug: Annotated[str | None, typer.Argument(metavar="GAME", help="One game, in full.")] = None,
    examples: Annotated[
        bool, typer.Option("--examples", help="List the shipped positions and records.")
    ] = False,
    json: shared.Json = False,
) -> None:
    """List the games; with a name, all that it allows.

    That is: player counts, options with their values and defaults, the texts of moves, and the keys of a start.
    """
    from kibitz.game import games as slugs
    from kibitz.game import load

    found = [load(each).info for each in (slugs() if slug is None else [slug])]
    if examples:
        shipped = [each for each in shared.shipped() if any(each["game"] == facts["slug"] for facts in found)]
        if json:
            shared.print_json(shipped)
        else:
            print_examples(shipped)
    elif json:
        shared.print_json(found if slug is None else found[0])
    elif slug is None:
        print_games(found)
    else:
        print_game(found[0])


def print_games(found: list[dict[str, Any]]) -> None:
    from kibitz.layout import Layout

    rows = [(facts["slug"], players_text(facts), kind(facts), facts["summary"]) for facts in found]
    shared.print_table(Layout(("game", "players", "kind", "summary"), rows))


def print_game(facts: dict[str, Any]) -> None:
    from textwrap import fill

    from kibitz.layout import Layout

    typer.echo(f"{facts['name']} ({facts['slug']}, rules {facts['rules']})")
    typer.echo(facts["summary"])
    typer.echo(f"\nPlayers {players_text(facts)}, default {facts['default_players']}; {kind(facts)}.\n")
    rows = [
        (each["name"], allowed(each), shared.value_text(each["default"]), each["doc"])
        for each in facts["options"]
    ]
    shared.print_table(Layout(("option", "values", "default", "meaning"), rows))
    typer.echo(f"\nMoves\n{fill(facts['grammar'], 100)}")
    typer.echo("\nStart: keys of what a seat knows (most may be left out)")
    keys = [(each["name"], each["type"], each["meaning"]) for each in facts["start"]]
    shared.print_table(Layout(("key", "type", "meaning"), keys))


def print_examples(shipped: list[dict[str, str]]) -> None:
    from kibitz.layout import Layout

    rows = [(each["name"], each["game"], each["command"], each["about"]) for each in shipped]
    shared.print_table(Layout(("example", "game", "try", "what it is"), rows))


def players_text(facts: dict[str, Any]) -> str:
    """`2-4`, or `1, 3` where there are gaps."""
    counts: list[int] = facts["players"]
    if len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))


def kind(facts: dict[str, Any]) -> str:
    return "co-operative" if facts["cooperative"] else "competitive"


def allowed(option: dict[str, Any]) -> str:
    """The values that an option takes."""
    if option["kind"] == "bool":
        return "true, false"
    if option["kind"] == "choice":
        return ", ".join(map(str, option["choices"]))
    if option["kind"] == "data":
        return "a JSON file"
    return f"{option['minimum']} to {option['maximum']}"
