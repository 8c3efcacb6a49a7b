"""What a match showed: games, standings with intervals, decided deals, errors."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from math import fsum
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.clock import ClockUse
from kibitz.game import Game, OptionValue
from kibitz.layout import Layout
from kibitz.sprt import SprtResult
from kibitz.stats import Estimate, mean_interval, wilson

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["Entry", "GameError", "GameResult", "MatchResult", "Pairs", "paired_shares", "tally"]


@dataclass(frozen=True)
class GameError:
    """A game that a bot broke off, by an exception or an illegal move.

    Attributes:
        deal, rotation: Which game.
        bot: Name of the bot that was to act.
        seat: Where it sat.
        seats: Names of the bots by seat.
        kind: Class of the exception, such as "IllegalMove".
        message: What it says.
        traceback: Where it happened.
        table: JSON of the table at that moment; `Table.from_json(table).view()` is what the bot was given.
        repeat: Arguments of `match`, beside game and bots, that play this deal again.
    """

    deal: int
    rotation: int
    bot: str
    seat: int
    seats: tuple[str, ...]
    kind: str
    message: str
    traceback: str = field(compare=False)
    table: str
    repeat: dict[str, Any] = field(hash=False)


@dataclass(frozen=True)
class GameResult:
    """One game of a match.

    Attributes:
        deal, rotation: Which game.
        seats: The entry (its number in `MatchResult.entries`) at each seat.
        returns: Each seat's share of the win; empty after an error.
        score: What the rule book counts at the end; empty after an error.
        plies: Decisions made.
        error: What broke the game off, or None.
        clocks: By seat what its clock showed, None where it has none; empty if nobody plays by the clock.
    """

    deal: int
    rotation: int
    seats: tuple[int, ...]
    returns: tuple[float, ...]
    score: tuple[int, ...]
    plies: int
    error: GameError | None = None
    clocks: tuple[ClockUse | None, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Entry:
    """How one bot did, over the deals that all bots finished.

    Attributes:
        name: The bot's.
        games: Games it sat in.
        won, drawn: Games in which its share of the win was the largest, alone or with others.
        mean: Its share of the win a deal; None if no deal was finished. In a co-operative game this is its success
            rate, with Wilson's interval.
        margin: The same less the mean of the other bots on the same deal; None without others.
        score_margin: What the rule book counts, less the mean of the others'; None where it is not counted by seat
            or team. Where few points are good, as in hearts, so is a negative one.
        clock: What its clocks showed in all games, also those that broke off; None if it plays by none.
    """

    name: str
    games: int
    won: int
    drawn: int
    mean: Estimate | None
    margin: Estimate | None
    score_margin: Estimate | None
    clock: ClockUse | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Pairs:
    """Deals between two bots: how many one side won from both sides.

    Attributes:
        played: Deals that were finished.
        first, second: Deals in which the first (second) bot did better in every game.
        share: The first bot's share of the decided ones, with its Wilson interval.
    """

    played: int
    first: int
    second: int
    share: Estimate


@dataclass(frozen=True)
class MatchResult:
    """What a match showed. Two are equal if everything but the time taken is.

    Attributes:
        game, rules, options: What was played.
        seed, first, deals: Which deals.
        entries: One for each bot, in the order given.
        pairs: Deal by deal, when there were two bots.
        results: Every game.
        errors: The games that broke off.
        seconds: Wall clock.
        sprt: How the sequential test stands that was to end the match; None without one.
    """

    game: str
    rules: str
    options: dict[str, OptionValue] = field(hash=False)
    seed: int
    first: int
    deals: int
    entries: tuple[Entry, ...]
    pairs: Pairs | None
    results: tuple[GameResult, ...]
    seconds: float = field(compare=False)
    sprt: SprtResult | None = None

    @property
    def games(self) -> int:
        """How many games were played, those that broke off included."""
        return len(self.results)

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose together, so that each bot played its deals alone."""
        return bool(_core.info(self.game)["cooperative"])

    @property
    def errors(self) -> tuple[GameError, ...]:
        """What broke games off, in the order of the games."""
        return tuple(result.error for result in self.results if result.error is not None)

    def table(self) -> str:
        """The entries as text with aligned columns."""
        return self.layout().text()

    def notes(self) -> list[str]:
        """Sentences that go with the table: what was played, decided pairs, errors."""
        notes = [f"{self.games:,} games of {self.game} over {self.deals:,} deals from seed {self.seed}."]
        if self.pairs is not None:
            decided = self.pairs.first + self.pairs.second
            notes.append(
                f"{decided:,} of {self.pairs.played:,} deals decided"
                + (f", {_percent(self.pairs.share)} of them for {self.entries[0].name}." if decided else ".")
            )
        if self.sprt is not None:
            notes.append(self.sprt.sentence(self.entries[0].name))
        notes += self.clock_notes()
        if self.errors:
            error = self.errors[0]
            notes.append(
                f"{len(self.errors)} games broke off; their deals are not counted. The first: deal {error.deal}, "
                f"{error.bot} at seat {error.seat}: {error.kind}: {error.message}"
            )
        return notes

    def clock_notes(self, *, only_overruns: bool = False) -> list[str]:
        """A sentence for each bot that plays by the clock: what it took, how little was left, whether it was over."""
        return [
            f"{entry.name} used {_seconds(use.used_ms)} on its clocks; {_overruns(use)}"
            for entry in self.entries
            if (use := entry.clock) is not None and (use.overruns or not only_overruns)
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        return asdict(self) | {"games": self.games, "errors": [asdict(error) for error in self.errors]}

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        return "\n".join([self.table(), *self.notes()])

    def __rich__(self) -> "RichTable":
        return self.layout().rich()

    def _repr_html_(self) -> str:
        return self.layout().html() + "".join(f"<p>{escape(note)}</p>" for note in self.notes())

    def layout(self) -> Layout:
        """The entries as header and rows of texts."""
        if self.cooperative:
            return self._success()
        header = ("bot", "games", "won", "drawn", "mean", "margin", "95% from", "to", "score margin")
        rows = [
            (
                entry.name,
                f"{entry.games:,}",
                f"{entry.won:,}",
                f"{entry.drawn:,}",
                _number(entry.mean),
                _number(entry.margin, sign="+"),
                _number(entry.margin, "low", sign="+"),
                _number(entry.margin, "high", sign="+"),
                _number(entry.score_margin, sign="+"),
            )
            for entry in self.entries
        ]
        return Layout(header, rows, right=header[1:])

    def _success(self) -> Layout:
        """How often each bot's crew succeeded, and by how much more often than the others' on the same deals."""
        header = ("bot", "games", "won", "success", "95% from", "to", "margin", "95% from", "to")
        rows = [
            (
                entry.name,
                f"{entry.games:,}",
                f"{entry.won:,}",
                *(_number(entry.mean, part) for part in ("mean", "low", "high")),
                *(_number(entry.margin, part, sign="+") for part in ("mean", "low", "high")),
            )
            for entry in self.entries
        ]
        return Layout(header, rows, right=header[1:])


def tally(
    game: Game,
    names: Sequence[str],
    games: Iterable[GameResult],
    *,
    seed: int,
    first: int,
    seconds: float,
    sprt: SprtResult | None = None,
) -> MatchResult:
    """Standings and intervals from the single games.

    A deal of which a game broke off is left out of them: its rest would no longer be a duplicate.
    """
    results = tuple(sorted(games, key=lambda each: (each.deal, each.rotation)))
    by_deal = _deals(results)
    whole = _whole(by_deal)
    shares = _by_deal(whole, len(names), [[each.returns for each in played] for played in whole])
    scores = _by_deal(
        whole, len(names), [[_by_seat(game, each.score) for each in played] for played in whole]
    )
    standing = [_standing(each) for played in whole for each in played]
    entries = []
    for bot, name in enumerate(names):
        entries.append(
            Entry(
                name=name,
                games=sum(bot in each.seats for played in whole for each in played),
                won=sum(leaders == {bot} for leaders in standing),
                drawn=sum(len(leaders) > 1 and bot in leaders for leaders in standing),
                mean=_mean_share([deal[bot] for deal in shares], cooperative=len(set(game.teams)) == 1),
                margin=_margin(shares, bot),
                score_margin=_margin(scores, bot),
                clock=_clock(results, bot),
            )
        )
    return MatchResult(
        game=game.slug,
        rules=game.rules,
        options=game.options,
        seed=seed,
        first=first,
        deals=len(by_deal),
        entries=tuple(entries),
        pairs=_pairs(whole) if len(names) == 2 else None,
        results=results,
        seconds=seconds,
        sprt=sprt,
    )


def paired_shares(games: Iterable[GameResult]) -> dict[int, float]:
    """By deal, in order, the first of two bots' share of the points: `(1 + a - b) / 2` from both bots' shares.

    Where one side's win is the other's loss that is `a`. Deals of which a game broke off are left out.
    """
    whole = _whole(_deals(sorted(games, key=lambda each: (each.deal, each.rotation))))
    shares = _by_deal(whole, 2, [[each.returns for each in played] for played in whole])
    return {played[0].deal: (1 + a - b) / 2 for played, (a, b) in zip(whole, shares, strict=True)}


def _deals(results: Iterable[GameResult]) -> dict[int, list[GameResult]]:
    """The games by deal."""
    by_deal: dict[int, list[GameResult]] = {}
    for each in results:
        by_deal.setdefault(each.deal, []).append(each)
    return by_deal


def _whole(by_deal: dict[int, list[GameResult]]) -> list[list[GameResult]]:
    """The deals of which no game broke off."""
    return [played for played in by_deal.values() if all(each.error is None for each in played)]


def _clock(results: Sequence[GameResult], bot: int) -> ClockUse | None:
    """What all clocks of a bot showed."""
    uses = [
        use for each in results for seat, use in enumerate(each.clocks) if use and each.seats[seat] == bot
    ]
    return sum(uses, ClockUse()) if uses else None


def _mean_share(shares: Sequence[float], *, cooperative: bool) -> Estimate | None:
    if not shares:
        return None
    if cooperative and set(shares) <= {0, 1}:
        return wilson(sum(share == 1 for share in shares), len(shares))
    return mean_interval(shares)


def _own(each: GameResult, by_seat: Sequence[float], bot: int) -> list[float]:
    """What a bot got at its seats of one game."""
    return [value for seat, value in enumerate(by_seat) if each.seats[seat] == bot]


def _by_deal(
    whole: Sequence[Sequence[GameResult]], bots: int, values: Sequence[Sequence[Sequence[float]]]
) -> list[list[float]]:
    """For each deal and bot the mean over its games and seats; `values` by deal, game and seat, may be empty."""
    found = []
    for played, games in zip(whole, values, strict=True):
        if not all(games):
            return []
        pairs = list(zip(played, games, strict=True))
        found.append(
            [_mean([x for each, by_seat in pairs for x in _own(each, by_seat, bot)]) for bot in range(bots)]
        )
    return found


def _by_seat(game: Game, score: Sequence[int]) -> tuple[float, ...]:
    """The rule book's count for each seat, where it counts by seat or by team."""
    if len(score) == game.seats:
        return tuple(score)
    if len(score) == len(set(game.teams)):
        return tuple(score[team] for team in game.teams)
    return ()


def _standing(each: GameResult) -> set[int]:
    """The bots with the largest share of one game's win; none when nobody won."""
    shares = {bot: _mean(_own(each, each.returns, bot)) for bot in set(each.seats)}
    most = max(shares.values())
    return {bot for bot, share in shares.items() if share == most} if most > 0 else set()


def _margin(by_deal: Sequence[Sequence[float]], bot: int) -> Estimate | None:
    """The mean difference, deal by deal, between a bot and the mean of the others."""
    if not by_deal or len(by_deal[0]) < 2:
        return None
    return mean_interval(
        deal[bot] - _mean([x for other, x in enumerate(deal) if other != bot]) for deal in by_deal
    )


def _pairs(whole: Sequence[Sequence[GameResult]]) -> Pairs:
    wins = [0, 0]
    for played in whole:
        first, second = ([_own(each, each.returns, bot) for each in played] for bot in (0, 1))
        if all(a and b for a, b in zip(first, second, strict=True)):
            signs = {_sign(_mean(a) - _mean(b)) for a, b in zip(first, second, strict=True)}
        else:  # co-operative: each played alone
            signs = {_sign(_mean([x for a in first for x in a]) - _mean([x for b in second for x in b]))}
        if signs == {1}:
            wins[0] += 1
        elif signs == {-1}:
            wins[1] += 1
    return Pairs(played=len(whole), first=wins[0], second=wins[1], share=wilson(wins[0], sum(wins)))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)  # exact sums: the order of the games leaves no trace


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _number(estimate: Estimate | None, part: str = "mean", *, sign: str = "") -> str:
    value = None if estimate is None else getattr(estimate, part)
    return "" if value is None else f"{value:{sign}.3f}"


def _seconds(ms: float) -> str:
    return f"{ms / 1000:,.2f} s"


def _overruns(use: ClockUse) -> str:
    """How near its flag was, at the nearest."""
    if use.overruns:
        worst = _seconds(-(use.least_ms or 0))
        return f"over time in {use.overruns:,} of {use.decisions:,} decisions, by {worst} at most."
    if use.least_ms is None:
        return "it had nothing to decide."
    return f"never over time, {_seconds(use.least_ms)} left at the least."


def _percent(share: Estimate) -> str:
    return f"{share.mean:.1%} [{share.low:.1%}, {share.high:.1%}]"
