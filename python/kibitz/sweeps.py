"""The same match for each value of an option: success rates by mission, margins by number of players."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.errors import InvalidOption, shown
from kibitz.game import OptionValue, load
from kibitz.given import whole
from kibitz.layout import Layout
from kibitz.match_result import MatchResult
from kibitz.matches import MOST_WORKERS, match
from kibitz.pool import process_pool
from kibitz.progress import Progress

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["Sweep", "sweep"]


def sweep(
    game: str,
    bots: Sequence[object],
    *,
    option: str,
    values: Iterable[OptionValue],
    games: int,
    seed: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress = None,
    **options: OptionValue,
) -> "Sweep":
    """Plays the same match once for each value of an option.

    Args:
        game: Its name.
        bots: As in `match`.
        option: Which option, such as `"mission"` or `"players"`.
        values: Its values.
        games: For each value, rounded up to whole deals.
        seed, workers, executor, progress: As in `match`.
        options: The other options of the game.

    Raises:
        InvalidOption: As `match`.
        UnknownGame: No game of that name.

    >>> import kibitz
    >>> found = sweep("thecrew", [kibitz.Bot("greedy")], option="mission", values=[1, 2], games=5, seed=1)
    >>> [result.options["mission"] for result in found.results]
    [1, 2]
    """
    if not isinstance(option, str):
        raise InvalidOption(f"option cannot be {shown(option)}; it is the name of an option.", given=option)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidOption(f"values cannot be {shown(values)}; it is a list.", given=values)
    if option in options:
        raise InvalidOption(f"{option} is what the sweep goes over; it cannot be fixed too.", given=option)
    loaded = [load(game, **options, **{option: value}) for value in values]
    if not loaded:
        raise InvalidOption("A sweep needs at least one value.", given=values)
    with ExitStack() as stack:
        if executor is None and workers is not None:
            workers = whole("workers", workers, least=1, most=MOST_WORKERS)
            if workers > 1:
                executor = stack.enter_context(process_pool(workers, carries=tuple(bots)))
        results = tuple(
            match(each, bots, games=games, seed=seed, workers=workers, executor=executor, progress=progress)
            for each in loaded
        )
    return Sweep(option, results)


@dataclass(frozen=True)
class Sweep:
    """Matches that differ in one option.

    Attributes:
        option: Which.
        results: A match for each value, in the order given.
    """

    option: str
    results: tuple[MatchResult, ...]

    def layout(self) -> Layout:
        """A row for each value and bot."""
        parts = [(result.options[self.option], result.layout()) for result in self.results]
        header = (self.option, *parts[0][1].header)
        rows = [(str(value), *row) for value, part in parts for row in part.rows]
        return Layout(header, rows, right={self.option, *parts[0][1].right})

    def table(self) -> str:
        """A row for each value and bot, as text with aligned columns."""
        return self.layout().text()

    def notes(self) -> list[str]:
        """Sentences that go with the table: what was played, games that broke off."""
        first = self.results[0]
        games = sum(each.games for each in self.results)
        deals = f"{first.deals:,} deals for each {self.option}"
        notes = [f"{games:,} games of {first.game}: {deals}, from seed {first.seed}."]
        notes += [
            f"{self.option} {each.options[self.option]}: {note}"
            for each in self.results
            for note in each.clock_notes(only_overruns=True)
        ]
        broken = [result for result in self.results if result.errors]
        return notes + [f"{self.option} {each.options[self.option]}: {each.notes()[-1]}" for each in broken]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return {"option": self.option, "results": [each.to_dict() for each in self.results]}

    def __str__(self) -> str:
        return "\n".join([self.table(), *self.notes()])

    def __rich__(self) -> "RichTable":
        return self.layout().rich()

    def _repr_html_(self) -> str:
        return self.layout().html()
