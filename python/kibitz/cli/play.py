"""`kibitz play`: a person against bots, in the terminal."""

import sys
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import shared
from kibitz.errors import InvalidOption, KibitzError

if TYPE_CHECKING:
    from kibitz.bot import Bot
    from kibitz.game import Game
    from kibitz.table import Table
    from kibitz.view import View

app = shared.new_app()

EXAMPLES = shared.examples(
    "kibitz play kami",
    "kibitz play kami --players 3 --seat 1 --bots greedy --seed 7",
    "kibitz play kami --players 2 --bots ismcts:playout=hint --option rounds=1",
)

COMMANDS = """\
?      this help
hint   what the engine would play here, and why
undo   back to your last decision
show   the table again
quit   leave the game; the end of input does the same
Enter  your move, when there is only one"""


@app.command(epilog=EXAMPLES)
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name from `kibitz games`.")],
    players: Annotated[int | None, typer.Option(metavar="N", help="How many seats.")] = None,
    seat: Annotated[int, typer.Option(min=0, metavar="N", help="Your seat, counted from 0.")] = 0,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOTS", help="Who plays the other seats: one bot for all, or one each, as in match."
        ),
    ] = "ismcts",
    ms: Annotated[
        float | None, typer.Option(min=1, metavar="N", help="Milliseconds a bot move.  [default: 500]")
    ] = None,
    iterations: shared.Iterations = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Names the deals.  [default: chance]")
    ] = None,
    pace: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="MS",
            help="Time of every bot move, forced or not.  [default: 600; 0 when stdin is no terminal]",
        ),
    ] = None,
    option: shared.Options = None,
) -> None:
    """Play against bots in the terminal.

    You see what your seat may see; hidden cards stay hidden, also in the time a bot takes. Type the text of a move,
    or ? for help.
    """
    from secrets import randbelow

    chosen = shared.load(game, option, players=players)
    budget = shared.budget(ms=ms, iterations=iterations, default_ms=500)
    table = chosen.deal(seed=randbelow(2**32) if seed is None else seed)
    table.view(seat=seat)  # refuses a seat that is not there
    others = seated(shared.bots(bots, budget), seat, chosen)
    terminal = sys.stdin.isatty()
    if pace is None:
        pace = 600 if terminal else 0
    names = ", ".join(f"seat {each} {bot.name}" for each, bot in others.items())
    typer.echo(f"{chosen.slug}, seed {table.seed}. You are seat {seat}; {names}. Type ? for help.")
    Sitting(table, seat, others, budget, pace / 1000, echo=not terminal).run()


def seated(bots: "list[Bot]", seat: int, game: "Game") -> "dict[int, Bot]":
    """The bots by seat, around a person's: one for all, or one each."""
    if seat and game.options["players"] != game.seats:  # The Crew for two: the third is automatic
        raise InvalidOption(
            f"--seat cannot be {seat} with {game.options['players']} players: the automatic member may sit there; "
            "allowed: 0.",
            given=seat,
            allowed=(0,),
        )
    others = [each for each in range(game.seats) if each != seat]
    if len(bots) not in (1, len(others)):
        raise typer.BadParameter(f"give 1 bot, or {len(others)}, not {len(bots)}.", param_hint="--bots")
    return dict(zip(others, bots if len(bots) == len(others) else bots * len(others), strict=True))


class Sitting:
    """One game at the terminal.

    Args:
        table: The truth. Only what `seat` may see of it is ever printed.
        seat: The person's.
        bots: By seat.
        budget: Of a hint.
        pace: Seconds that every bot move takes at least; 0 for no waiting. It grows to the longest move seen, so that
            a forced move, which takes no thought, can't be told from a free one.
        echo: Whether to print what was typed, for input that no terminal shows.
    """

    def __init__(
        self,
        table: "Table",
        seat: int,
        bots: "dict[int, Bot]",
        budget: shared.Budget,
        pace: float,
        *,
        echo: bool,
    ) -> None:
        self.table = table
        self.seat = seat
        self.bots = bots
        self.budget = budget
        self.pace = pace and max(pace, *(longest(bot, table.game) for bot in bots.values()))
        self.echo = echo
        self.told = 0  # events of the record already printed
        self.decisions: list[int] = []  # events before each decision of the person

    def run(self) -> None:
        """To the end of the game, of the input or of patience."""
        while (turn := self.table.turn) is not None:
            if turn != self.seat:
                self.let_play(self.bots[int(turn)])
            elif not self.ask():
                return
        self.tell()
        typer.echo(f"\n{self.table.view(seat=self.seat).draw()}\n")
        typer.echo(self.result())

    def let_play(self, bot: "Bot") -> None:
        """A bot's move, told when its time is up."""
        start = monotonic()
        move = bot.act(self.table.view())
        spent = monotonic() - start
        if self.pace:
            self.pace = max(self.pace, spent)
            sleep(self.pace - spent)
        self.table.play(move)
        self.tell()

    def tell(self) -> None:
        """The events since the last ones told, as this seat sees them."""
        record = self.table.view(seat=self.seat).record
        for event in record[self.told :]:
            actor, _, text = event.partition(":")
            name = "" if actor == "*" else "you: " if actor == str(self.seat) else f"seat {actor}: "
            typer.echo(f"  {name}{text}")
        self.told = len(record)

    def ask(self) -> bool:
        """One decision of the person; False to leave."""
        self.tell()
        view = self.table.view(seat=self.seat)
        typer.echo(f"\n{view.draw()}")
        while True:
            line = self.read(view)
            if line in (None, "quit", "exit"):
                typer.echo("Left the game.")
                return False
            if line == "undo":
                if self.undo():
                    return True
                typer.echo("There is nothing to take back: this is your first decision.")
            elif line in ("?", "help"):
                typer.echo(
                    f"{COMMANDS}\n\n{view.game.info['grammar'].strip()}\n\nlegal: {' '.join(view.legal())}"
                )
            elif line == "show":
                typer.echo(view.draw())
            elif line == "hint":
                self.hint(view)
            elif self.move(view, line or ""):
                return True

    def read(self, view: "View") -> str | None:
        """What the person types; None at the end of input."""
        legal = view.legal()
        choice = f"{legal[0]}, or Enter" if len(legal) == 1 else " ".join(legal)
        prompt = f"your move ({choice})> "
        if not self.echo:
            try:
                return input(prompt).strip()
            except EOFError:
                typer.echo("")
                return None
        typer.echo(prompt, nl=False)
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            line = "\ufffd"  # no move is spelt so: it is refused like any other wrong text
        typer.echo(line.strip())
        return line.strip() if line else None

    def move(self, view: "View", line: str) -> bool:
        """Plays what was typed; False, with the reason told, if it is not legal."""
        legal = view.legal()
        if not line and len(legal) == 1:
            line = legal[0]
        if not line:
            typer.echo(f"Type one of {' '.join(legal)}; ? for help.")
            return False
        before = len(self.table.record)
        try:
            self.table.play(line)
        except KibitzError as error:
            typer.echo(f"{error} Type ? for help.")
            return False
        self.decisions.append(before)
        return True

    def undo(self) -> bool:
        """Back to the person's last decision; False if there is none."""
        if not self.decisions:
            return False
        self.told = self.decisions.pop()
        self.table = self.table.at(self.told)
        return True

    def hint(self, view: "View") -> None:
        """What the engine would play."""
        from kibitz.analysis import best_move

        found = best_move(view, ms=self.budget.ms, iterations=self.budget.iterations)
        typer.echo(f"{found.table(top=5)}\n{found.explain()}")

    def result(self) -> str:
        """Who has won, and the score."""
        returns = self.table.returns()
        won = [each for each, share in enumerate(returns) if share > 0]
        score = "score " + " : ".join(map(str, self.table.score()))
        if self.table.game.info["cooperative"]:
            return f"Over. All have {'won' if won else 'lost'} together; {score}."
        if not won:
            return f"Over, nobody has won; {score}."
        who = "You have won" if self.seat in won else "You have lost"
        names = ", ".join(map(str, won))
        return f"Over. {who} (winner: seat{'s' if len(won) > 1 else ''} {names}); {score}."


def longest(bot: "Bot", game: "Game") -> float:
    """Seconds that a bot's milliseconds, or its clock's share for a first move, may take, everything included."""
    from kibitz.allotment import allot, decisions_left

    ms = bot.settings.ms or 0
    if bot.clock is not None:
        share = allot(bot.clock, decisions_left(game, 0))
        ms = min(ms or share, share)
    return ms / 1000 * 1.02 + 0.005
