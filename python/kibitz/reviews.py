"""Reviews: which decisions of a game lost something, judged by what each seat knew at the time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from kibitz._core import Stop
from kibitz.analysis import Analysis, Row, analyse
from kibitz.bot import move_seed
from kibitz.errors import InvalidOption, InvalidPosition, shown
from kibitz.events import read_event, read_seat
from kibitz.game import OptionValue, read_seed
from kibitz.given import mapping, positive
from kibitz.layout import Layout
from kibitz.progress import Progress, reporting
from kibitz.settings import POLICIES, Settings
from kibitz.stats import difference_interval
from kibitz.table import Table
from kibitz.tuning import Tuning
from kibitz.view import View

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from kibitz.records import Record

__all__ = ["MARKS", "Decision", "Review", "SeatSummary", "review"]

MARKS: Mapping[str, float] = {"?!": 0.05, "?": 0.10, "??": 0.20}
"""The loss from which a decision gets a mark, as a share of what was at stake: how far the better outcomes
that the search met lie above the worse ones (nearly 1 in a single round, a fifth or so in a round of a match).

The lower end of the loss interval must reach it, so what may be chance is never marked.
"""


MOST_LOSS = 1e6  # no loss reaches it: a mark that is never given


def review(
    record: "Table | View | Record | str | bytes | Mapping[str, Any]",
    *,
    seats: Iterable[int] | None = None,
    search: str = "ismcts",
    iterations: int | Sequence[int] | None = None,
    ms: float | None = None,
    nodes: int | None = None,
    max_bytes: int | None = None,
    threads: int = 1,
    playout: str = "auto",
    utility: str = "auto",
    exploration: float | None = None,
    tuning: Tuning | Mapping[str, float | bool] | None = None,
    seed: int = 0,
    marks: Mapping[str, float] = MARKS,
    progress: Progress = None,
    stop: Stop | None = None,
) -> "Review":
    """Looks at every decision of a game, finished or not, with the eyes of the seat that made it.

    Each decision is searched from that seat's view at that moment; no hidden card is used, also where the record
    has it. Where the engine would have done something else, both moves are searched alone with the same budget; the
    loss is the mean utility of its choice less that of the move played, or nothing if the latter is as good. Forced
    moves are not searched.

    Args:
        record: A table, a `Record`, the JSON of either, or a record in a game's notation; or a view, for that
            seat's decisions alone.
        seats: Whose decisions; by default everybody's.
        search, iterations, ms, nodes, max_bytes, threads, playout, utility, exploration, tuning: As in `best_move`, for
            each decision.
        seed: Of the searches; a `Bot` with this seed and these settings makes the choices that the moves are held
            against.
        marks: The loss from which each mark is given, as a share of what was at stake.
        progress: None for a bar if stderr is a terminal, True, False, or a function called with (done, total).
        stop: To end it from another thread; the review then has the decisions that were looked at.

    Raises:
        InvalidOption: No budget, a search that measures nothing, or another argument that is not allowed.
        InvalidPosition: The record cannot be read.

    >>> import kibitz
    >>> table = kibitz.load("kami", rounds=1).deal(seed=7)
    >>> for _ in range(6):
    ...     table.play(table.legal()[0])
    >>> found = kibitz.review(table, search="flat", iterations=50, seats=[table.turn])
    >>> {decision.seat for decision in found.decisions} <= {table.turn}
    True
    """
    settings = Settings(
        search=search,
        iterations=iterations,
        ms=ms,
        nodes=nodes,
        max_bytes=max_bytes,
        threads=threads,
        playout=playout,
        utility=utility,
        exploration=exploration,
        tuning=tuning,
    )
    if search in POLICIES:
        raise InvalidOption(
            f"{search!r} does not say what a move is worth; a review needs a search.", given=search
        )
    limits = _limits(marks)
    number = read_seed(seed)
    source = record if isinstance(record, Table | View) else _read(record)
    wanted = _wanted(source, seats)
    events = source.record
    chosen = [index for index, event in enumerate(events) if _actor(source, event) in wanted]
    decisions = []
    with reporting(progress, total=len(chosen), what="decisions") as advance:
        for index, view in _views(source, chosen):
            decided = _decision(index, view, events[index], settings, number, limits, stop)
            if stop is not None and stop.stopped:
                break  # that one was cut short
            decisions.append(decided)
            advance(1)
    return Review(
        game=source.game.slug,
        rules=source.game.rules,
        options=source.game.options,
        settings=settings.given(),
        seed=number,
        marks=limits,
        decisions=tuple(decisions),
    )


@dataclass(frozen=True)
class Decision:
    """One decision and what the engine says of it.

    Attributes:
        index: Its place in the record.
        seat: Whose it was.
        move: What was played.
        best: What the engine would have played from that seat's view; the move played if that is as good.
        forced: Whether there was only one legal move; then nothing was searched.
        loss: Mean utility of `best` less that of `move`; 0 when they are the same.
        low, high: Its 95 % interval; None where the search tried the move played less than twice.
        mark: "", or one of the marks.
        line: What the engine expected to follow its own choice, as events.
        iterations: Spent on it.
        mean: Mean utility of the move played; None for a forced one.
        best_mean: That of `best`.
    """

    index: int
    seat: int
    move: str
    best: str
    forced: bool
    loss: float
    low: float | None
    high: float | None
    mark: str
    line: tuple[str, ...]
    iterations: int
    mean: float | None = None
    best_mean: float | None = None


@dataclass(frozen=True)
class SeatSummary:
    """The decisions of one seat.

    Attributes:
        seat: Which.
        decisions: How many, the forced ones included.
        free: How many with a choice.
        agreed: Free ones in which the engine would have done the same.
        loss: Sum of the losses.
        marks: How many of each mark.
    """

    seat: int
    decisions: int
    free: int
    agreed: int
    loss: float
    marks: dict[str, int] = field(hash=False)


@dataclass(frozen=True)
class Review:
    """The decisions of a game, in order, each with what it lost.

    Attributes:
        game, rules, options: What was played.
        settings, seed: How it was searched, as arguments of `best_move`.
        marks: The loss from which each mark is given.
        decisions: Those asked for.
    """

    game: str
    rules: str
    options: dict[str, OptionValue] = field(hash=False)
    settings: dict[str, Any] = field(hash=False)
    seed: int
    marks: dict[str, float] = field(hash=False)
    decisions: tuple[Decision, ...]

    @property
    def marked(self) -> tuple[Decision, ...]:
        """The decisions that got a mark."""
        return tuple(each for each in self.decisions if each.mark)

    def summary(self) -> tuple[SeatSummary, ...]:
        """One line for each seat that decided anything."""
        return tuple(self._summary(seat) for seat in sorted({each.seat for each in self.decisions}))

    def table(self, *, marked: bool = False) -> str:
        """The decisions as text with aligned columns: those with a choice, or only those with a mark."""
        return self._layout(marked=marked).text()

    def summary_table(self) -> str:
        """The seats as text with aligned columns."""
        return self._summary_layout().text()

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return asdict(self) | {"summary": [asdict(each) for each in self.summary()]}

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        return f"{self.table()}\n\n{self.summary_table()}"

    def __rich__(self) -> "RichTable":
        return self._layout(marked=False).rich()

    def _repr_html_(self) -> str:
        worst = max(self.decisions, key=lambda each: 0.0 if each.low is None else each.low, default=None)
        note = ""
        if worst is not None and worst.mark:
            note = f"The costliest: event {worst.index}, {worst.seat}:{worst.move}; better {worst.best}."
        return f"{self._layout(marked=False).html()}{self._summary_layout().html()}<p>{escape(note)}</p>"

    def _summary(self, seat: int) -> SeatSummary:
        own = [each for each in self.decisions if each.seat == seat]
        free = [each for each in own if not each.forced]
        return SeatSummary(
            seat=seat,
            decisions=len(own),
            free=len(free),
            agreed=sum(each.move == each.best for each in free),
            loss=sum(each.loss for each in free),
            marks={mark: sum(each.mark == mark for each in own) for mark in self.marks},
        )

    def _layout(self, *, marked: bool) -> Layout:
        header = ("event", "seat", "move", "mark", "best", "loss", "95% from", "to")
        rows = [
            (
                str(each.index),
                str(each.seat),
                each.move,
                each.mark,
                "" if each.move == each.best else each.best,
                "" if each.move == each.best else f"{each.loss:.3f}",
                "" if each.low is None or each.move == each.best else f"{each.low:.3f}",
                "" if each.high is None or each.move == each.best else f"{each.high:.3f}",
            )
            for each in (self.marked if marked else self.decisions)
            if not each.forced
        ]
        return Layout(header, rows, right={"event", "seat", "loss", "95% from", "to"})

    def _summary_layout(self) -> Layout:
        header = ("seat", "decisions", "free", "agreed", "loss", *self.marks)
        rows = [
            (
                str(each.seat),
                str(each.decisions),
                str(each.free),
                str(each.agreed),
                f"{each.loss:.3f}",
                *(str(count) for count in each.marks.values()),
            )
            for each in self.summary()
        ]
        return Layout(header, rows, right=header)


def _read(record: object) -> Table | View:
    from kibitz.position import read_position
    from kibitz.records import Record

    if isinstance(record, Record):
        return record.source
    if isinstance(record, Mapping):
        return Record.load(record).source
    if isinstance(record, str | bytes):
        return read_position(record)
    raise InvalidPosition(f"A review takes a table, a view or a record, not {shown(record)}.", given=record)


def _wanted(source: Table | View, seats: Iterable[int] | None) -> set[int]:
    own = {source.seat} if isinstance(source, View) else set(range(source.game.seats))
    if seats is None:
        return own
    if not isinstance(seats, Iterable):
        raise InvalidOption(f"seats cannot be {shown(seats)}; it is a list of seats.", given=seats)
    wanted = {read_seat(source.game.core, seat) for seat in seats}
    if not wanted <= own:
        raise InvalidOption(
            f"seats cannot be {sorted(wanted)}: the record is what seat {min(own)} saw, and only that seat's "
            "decisions can be reviewed from it.",
            given=sorted(wanted),
            allowed=sorted(own),
        )
    return wanted


def _actor(source: Table | View, event: str) -> int:
    return read_event(source.game.core, event)[0]


def _views(source: Table | View, chosen: Sequence[int]) -> Iterator[tuple[int, View]]:
    """The view of the seat that decides, before each of the chosen events."""
    if isinstance(source, Table):
        for index in chosen:
            yield index, source.at(index).view()
        return
    view = source.game.view(seat=source.seat, start=source.start)
    for index, event in enumerate(source.record):
        if index in chosen:
            yield index, view
        view = view.observe(event)


def _decision(
    index: int,
    view: View,
    event: str,
    settings: Settings,
    seed: int,
    marks: Mapping[str, float],
    stop: Stop | None,
) -> Decision:
    _, _, move = event.partition(":")
    legal = view.legal()
    if len(legal) == 1:
        return Decision(index, view.seat, move, move, True, 0.0, 0.0, 0.0, "", (), 0)
    found = analyse(view, settings, seed=move_seed(seed, view), stop=stop)
    best, played = (_worth(each, found, move, view, settings, seed, stop) for each in (found.move, move))
    if played.mean >= best.mean:
        best = played  # the closer look finds nothing better
    loss, low, high = _loss(best, played)
    return Decision(
        index=index,
        seat=view.seat,
        move=move,
        best=best.move,
        forced=False,
        loss=loss,
        low=low,
        high=high,
        mark=_mark(low, found.stake, marks),
        line=found.line,
        iterations=found.iterations,
        mean=played.mean,
        best_mean=best.mean,
    )


def _worth(
    move: str, found: Analysis, played: str, view: View, settings: Settings, seed: int, stop: Stop | None
) -> Row:
    """The row of a move that is compared.

    A tree search hardly visits a move it rejects, and the deeper the tree below a move, the better the play found
    there; so each of the two is searched alone, with the same budget.
    """
    if played == found.move or settings.search == "flat":
        return found.row(move)
    return analyse(view, settings, seed=move_seed(seed, view), stop=stop, allow=[move]).row(move)


def _loss(best: Row, played: Row) -> tuple[float, float | None, float | None]:
    if best.move == played.move:
        return 0.0, 0.0, 0.0
    if best.se is None or played.se is None:
        return best.mean - played.mean, None, None
    return best.mean - played.mean, *difference_interval(best.mean, best.se, played.mean, played.se)


def _mark(low: float | None, stake: tuple[float, float] | None, marks: Mapping[str, float]) -> str:
    if low is None or stake is None:
        return ""
    at_stake = stake[1] - stake[0]
    reached = [mark for mark, least in marks.items() if low > 0 and low >= least * at_stake]
    return max(reached, key=lambda mark: marks[mark], default="")


def _limits(marks: Mapping[str, float]) -> dict[str, float]:
    return {
        mark: float(positive(f"The limit of mark {shown(mark)}", least, most=MOST_LOSS))
        for mark, least in mapping("marks", marks).items()
    }
