"""Tables of first plays: what a search plays first, over many deals, by classes of hands."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from kibitz.bot import Bot
from kibitz.errors import InvalidOption, shown
from kibitz.game import Game, OptionValue, derived_seed, load, read_seed
from kibitz.given import whole
from kibitz.journal import Lines
from kibitz.layout import Layout
from kibitz.matches import MOST_WORKERS
from kibitz.openings import opening_of
from kibitz.pool import in_parts, process_pool
from kibitz.progress import Progress, reporting
from kibitz.stats import Estimate, mean_interval, wilson

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["Lead", "LeadRow", "Leads", "leads"]

MOST_DEALS = 1_000_000_000


@dataclass(frozen=True)
class Lead:
    """The first play of one deal.

    Attributes:
        deal: Its number.
        seat: Who played; None if the game was over before.
        hand: The class of its hand.
        play: The class of its play.
        moves: The play itself.
        mean: What the search expects of the play for its seat, in the unit of its utility; None without a search.
    """

    deal: int
    seat: int | None
    hand: str
    play: str
    moves: tuple[str, ...]
    mean: float | None


@dataclass(frozen=True)
class LeadRow:
    """One play with one class of hands.

    Attributes:
        hand, play: The classes.
        deals: With such a hand.
        chosen: In how many of them it was played.
        share: The same as a share, with Wilson's interval.
        mean: What the search expected where it was played; None without a search. The better of two uncertain moves
            looks better than it is, so this leans high.
    """

    hand: str
    play: str
    deals: int
    chosen: int
    share: Estimate
    mean: Estimate | None


def leads(
    game: Game | str,
    *,
    deals: int = 100,
    bot: Bot | None = None,
    seed: int = 0,
    first: int = 0,
    workers: int | None = None,
    journal: str | Path | None = None,
    progress: Progress = None,
    **options: OptionValue,
) -> "Leads":
    """What a bot plays first, over many deals, by classes of hands.

    Each deal is played up to the first play that is worth a table, by the same bot at all seats: in Kami past the
    question of a redeal to the first pair, in The Crew to the first task that is taken or the first lead
    (`kibitz.openings`). The bot is given the view of the seat to move and no more.
    The same seed gives the same result, whatever the number of workers, if the bot is repeatable.

    Args:
        game: A game, or its name with `options`.
        deals: How many.
        bot: What decides; by default a `Bot` with 1,000 iterations.
        seed: Names the deals; deal by deal they are those of `match`.
        first: Number of the first deal.
        workers: Processes; None or 1 works here.
        journal: A file that every finished deal is written to. If it is there already, of the same game, bot and seed,
            its deals are not done again.
        progress: None for a bar if stderr is a terminal, True, False, or a function called with (done, total).

    Raises:
        InvalidOption: A journal of other work, or another argument that is not allowed.
        UnknownGame: No game of that name.
        KeyboardInterrupt: Ctrl-C.

    >>> import kibitz
    >>> found = leads("kami", deals=20, bot=kibitz.Bot("greedy"), seed=1, redeal=False)
    >>> sum(row.chosen for row in found.rows())
    20
    """
    start = perf_counter()
    plan = _plan(game, bot, seed, options)
    first = whole("first", first, least=0)
    numbers: Sequence[int] = range(first, first + whole("deals", deals, least=1, most=MOST_DEALS))
    if workers is not None:
        workers = whole("workers", workers, least=1, most=MOST_WORKERS)
    work = partial(_find, plan)
    found: list[Lead] = []
    with ExitStack() as stack:
        book = None if journal is None else stack.enter_context(_Journal(journal, of=_identity(plan)))
        total = len(numbers)
        if book is not None:
            known = {each.deal: each for each in book.results if each.deal in numbers}
            found = list(known.values())
            numbers = [number for number in numbers if number not in known] if known else numbers
        parts: Iterator[list[Lead]]
        if workers is not None and workers > 1 and numbers:
            executor = stack.enter_context(process_pool(min(workers, len(numbers)), carries=work))
            # Handed out before a bar has a thread of its own; in small parts, as what is in no journal can be lost.
            futures = in_parts(work, numbers, executor=executor, workers=workers, parts=64)
            stack.callback(lambda: [future.cancel() for future in futures])
            parts = (future.result() for future in as_completed(futures))
        else:
            parts = (work([number]) for number in numbers)
        advance = stack.enter_context(reporting(progress, total=total, what="deals"))
        if found:
            advance(len(found))
        for part in parts:
            found += part
            if book is not None:
                book.write(part)
            advance(len(part))
    return Leads(
        game=plan.game.slug,
        rules=plan.game.rules,
        options=plan.game.options,
        bot=plan.bot.name,
        seed=plan.seed,
        first=first,
        leads=tuple(sorted(found, key=lambda each: each.deal)),
        seconds=perf_counter() - start,
    )


@dataclass(frozen=True)
class Leads:
    """The first plays of many deals. Two are equal if everything but the time taken is.

    Attributes:
        game, rules, options: What was played.
        bot: Name of the bot.
        seed, first: Which deals.
        leads: One a deal.
        seconds: Wall clock.
    """

    game: str
    rules: str
    options: dict[str, OptionValue] = field(hash=False)
    bot: str
    seed: int
    first: int
    leads: tuple[Lead, ...]
    seconds: float = field(compare=False)

    @property
    def deals(self) -> int:
        """How many, those included that were over before a play was due."""
        return len(self.leads)

    def rows(self, *, top: int | None = None) -> list[LeadRow]:
        """The plays of each class of hands, the most frequent classes and plays first.

        Args:
            top: So many plays of each class; None for all.
        """
        most = None if top is None else whole("top", top, least=1)
        by_hand: dict[str, dict[str, list[Lead]]] = {}
        for lead in self.leads:
            if lead.seat is not None:
                by_hand.setdefault(lead.hand, {}).setdefault(lead.play, []).append(lead)
        sizes = {hand: sum(map(len, plays.values())) for hand, plays in by_hand.items()}
        found = []
        for hand in sorted(by_hand, key=lambda hand: (-sizes[hand], hand)):
            plays = by_hand[hand]
            for play in sorted(plays, key=lambda play: (-len(plays[play]), play))[:most]:
                means = [lead.mean for lead in plays[play] if lead.mean is not None]
                found.append(
                    LeadRow(
                        hand=hand,
                        play=play,
                        deals=sizes[hand],
                        chosen=len(plays[play]),
                        share=wilson(len(plays[play]), sizes[hand]),
                        mean=mean_interval(means) if means else None,
                    )
                )
        return found

    def table(self, *, top: int | None = None) -> str:
        """The rows as text with aligned columns."""
        return self.layout(top=top).text()

    def layout(self, *, top: int | None = None) -> Layout:
        """The rows as texts."""
        header = ("hand", "deals", "play", "chosen", "share", "95% from", "to", "mean", "±95%")
        rows = [
            (
                row.hand,
                f"{row.deals:,}",
                row.play,
                f"{row.chosen:,}",
                f"{row.share.mean:.1%}",
                f"{row.share.low:.1%}",
                f"{row.share.high:.1%}",
                "" if row.mean is None else f"{row.mean.mean:.3f}",
                "" if row.mean is None or row.mean.high is None else f"{row.mean.high - row.mean.mean:.3f}",
            )
            for row in self.rows(top=top)
        ]
        return Layout(header, rows, right=("deals", *header[3:]))

    def notes(self) -> list[str]:
        """Sentences that go with the table."""
        notes = [f"First plays of {self.bot} in {self.deals:,} deals of {self.game} from seed {self.seed}."]
        over = sum(lead.seat is None for lead in self.leads)
        if over:
            notes.append(f"{over:,} of them were over before a play was due.")
        if any(lead.mean is not None for lead in self.leads):
            notes.append(
                "The mean is what the search expected of the plays it chose, and leans high by that."
            )
        return notes

    def to_dict(self, *, top: int | None = None) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return {
            "game": self.game,
            "rules": self.rules,
            "options": dict(self.options),
            "bot": self.bot,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "rows": [asdict(row) for row in self.rows(top=top)],
            "leads": [asdict(lead) for lead in self.leads],
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return "\n".join([self.table(), *self.notes()])

    def __rich__(self) -> "RichTable":
        return self.layout().rich()

    def _repr_html_(self) -> str:
        return self.layout().html() + "".join(f"<p>{escape(note)}</p>" for note in self.notes())


@dataclass(frozen=True)
class _Plan:
    """What every worker needs."""

    game: Game
    bot: Bot
    seed: int


def _plan(game: object, bot: object, seed: int, options: Mapping[str, OptionValue]) -> _Plan:
    if isinstance(game, str):
        game = load(game, **options)
    elif not isinstance(game, Game):
        raise InvalidOption(f"First plays are of a game or its name, not {shown(game)}.", given=game)
    elif options:
        raise InvalidOption(
            f"Options ({', '.join(options)}) go with a game's name; {game!r} has its own already.",
            given=options,
        )
    if bot is None:
        bot = Bot(iterations=1000)
    if not isinstance(bot, Bot):
        raise InvalidOption(f"bot cannot be {shown(bot)}; it is a kibitz.Bot or None.", given=bot)
    return _Plan(game, bot, read_seed(seed))


def _identity(plan: _Plan) -> dict[str, object]:
    """What makes the deals of two tables the same: written at the head of a journal."""
    return {
        "of": "leads",
        "game": plan.game.slug,
        "rules": plan.game.rules,
        "options": plan.game.options,
        "bot": repr(plan.bot),
        "seed": plan.seed,
    }


def _find(plan: _Plan, numbers: Sequence[int]) -> list[Lead]:
    """A worker's share."""
    return [_lead(plan, number) for number in numbers]


def _lead(plan: _Plan, deal: int) -> Lead:
    """The first play of one deal."""
    table = plan.game.deal(seed=derived_seed(plan.seed, "deal", deal))
    opening = opening_of(plan.game.slug)
    while isinstance(table.turn, int) and not opening.due(table.view()):
        table.play(plan.bot.act(table.view()))
    seat = table.turn
    if not isinstance(seat, int):
        return Lead(deal, None, "", "", (), None)
    before = table.view()
    moves: list[str] = []
    mean: float | None = None
    while not moves or (table.turn == seat and opening.goes_on(table.view(), moves)):
        found = plan.bot.analyse(table.view())
        best = found.moves[0]
        if best.visits > 0 or best.exact is not None:  # no only move, and no policy without a search
            mean = best.mean if best.exact is None else best.exact
        moves.append(found.move)
        table.play(found.move)
    return Lead(deal, seat, opening.hand(before), opening.play(before, moves), tuple(moves), mean)


class _Journal(Lines[Lead]):
    """The journal of a table of first plays: a deal a line."""

    work = "first plays"
    other = "other first plays"
    item = "deal"

    def plain(self, result: Lead) -> dict[str, Any]:
        return asdict(result)

    def read(self, found: dict[str, Any]) -> Lead:
        seat, mean = found["seat"], found["mean"]
        return Lead(
            deal=int(found["deal"]),
            seat=None if seat is None else int(seat),
            hand=str(found["hand"]),
            play=str(found["play"]),
            moves=tuple(map(str, found["moves"])),
            mean=None if mean is None else float(mean),
        )
