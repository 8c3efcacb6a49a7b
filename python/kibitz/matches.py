"""Matches between bots: duplicate deals with the seats rotated, and what they prove."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

from kibitz.allotment import game_lengths
from kibitz.bot import Player, as_player, is_timed, name_of
from kibitz.clock import RunningClock
from kibitz.errors import InvalidOption, shown
from kibitz.game import Game, OptionValue, derived_seed, load, read_seed
from kibitz.given import whole
from kibitz.journal import Journal
from kibitz.match_result import GameError, GameResult, MatchResult, paired_shares, tally
from kibitz.pool import in_parts, process_pool
from kibitz.progress import Progress, reporting
from kibitz.sprt import Sprt, SprtRun
from kibitz.table import Table
from kibitz.view import View

__all__ = ["match"]

MOST_GAMES = 1_000_000_000
MOST_WORKERS = 1024


def match(
    game: Game | str,
    bots: Sequence[object],
    *,
    games: int | None = None,
    seed: int = 0,
    first: int = 0,
    tables: Sequence[Table] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    journal: str | Path | None = None,
    progress: Progress = None,
    sprt: Sprt | None = None,
    **options: OptionValue,
) -> MatchResult:
    """Plays bots against each other over duplicate deals.

    Every deal is played once in each rotation of the seats, with the same cards now and in later rounds, so that
    luck of the deal cancels out: two teams play each deal twice with sides swapped, n seats each for themselves play
    it n times. In a co-operative game every bot plays each deal alone, at all seats.
    The same seed gives the same result, whatever the number of workers, if the bots are repeatable (a budget of
    milliseconds, or a clock, is not). A bot against itself ends exactly even.
    A bot with a `clock` gets one at each of its seats, started anew in every game; what it took is in the result. A
    fallen flag is counted there, and the game goes on. `workers` beyond the free cores take time from such bots.

    Args:
        game: A game, or its name with `options`.
        bots: One a team, or one a seat; co-operative: any number. Bots, objects with `act(view)`, or functions of
            a view. With `workers` they must be picklable. An object of your own plays by the clock too if it has a
            `clock` (a `kibitz.Clock`); its `act(view, clock=...)` is then told what is on it.
        games: How many, rounded up to whole deals. May be left out where `tables` are given: then all of them.
        seed: Names the deals.
        first: Number of the first deal; with it a single deal of a long match can be played again.
        tables: Positions to play from, instead of deals by seed; each is played on in every rotation of the seats.
        workers: Processes; None or 1 plays here.
        executor: Where to play instead: any `concurrent.futures.Executor`. It is not shut down.
        journal: A file that every finished game is written to. If it is there already, with games of this same
            match, these are not played again: a match that was broken off goes on.
        progress: None for a bar if stderr is a terminal, True, False, or a function called with (done, total).
        sprt: A sequential test between two bots: the match ends as soon as it is decided, after `games` at the latest.
            It looks at the deals in their order and at fixed counts, so workers and journals change nothing.

    Raises:
        InvalidOption: Too many or too few bots, a journal of another match, or another argument that is not allowed.
        UnknownGame: No game of that name.
        KeyboardInterrupt: Ctrl-C, after the workers were told to stop.

    A bot that raises or plays an illegal move costs its own game, not the match: see `MatchResult.errors`.

    >>> import kibitz
    >>> result = kibitz.match("kami", ["greedy", "random"], games=4, seed=1, rounds=1)
    Traceback (most recent call last):
    kibitz.errors.InvalidOption: 'greedy' is no bot; give a kibitz.Bot, an object with act(view), or a function ...
    >>> bot = kibitz.Bot("greedy")
    >>> result = kibitz.match("kami", [bot, bot], games=4, seed=1, rounds=1)
    >>> result.entries[0].margin.mean, result.entries[0].margin.low
    (0.0, 0.0)
    """
    start = perf_counter()
    plan = _plan(game, bots, seed, tables, options)
    first = whole("first", first, least=0)
    rotations = len(plan.lineups)
    deals = _deals(plan, games, first)
    if workers is not None:
        workers = whole("workers", workers, least=1, most=MOST_WORKERS)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidOption(
            f"executor cannot be {shown(executor)}; it is a concurrent.futures.Executor.", given=executor
        )
    if sprt is not None:
        _check_sprt(sprt, plan)
    work = partial(_play_games, plan)
    testing = None if sprt is None else SprtRun(sprt, deals)
    found: list[GameResult] = []
    with ExitStack() as stack:
        book = None if journal is None else stack.enter_context(Journal(journal, of=_identity(plan)))
        numbers = range(deals.start * rotations, deals.stop * rotations)
        played = {each.deal * rotations + each.rotation: each for each in book.results} if book else {}
        known = {number: each for number, each in played.items() if number in numbers}
        left = len(numbers) - len(known)
        if executor is None and workers is not None and workers > 1 and left:
            executor = stack.enter_context(process_pool(min(workers, left), carries=work))
        if executor is not None and left:
            executor.submit(int).result()  # its processes start before a bar has a thread of its own
        handing = _Handing(work, executor, workers or os.cpu_count() or 1, fine=book is not None)
        stack.callback(handing.cancel)
        advance = stack.enter_context(reporting(progress, total=len(numbers), what="games"))
        if known:
            advance(len(known))
        for block in _blocks(deals, rotations, sprt, 1 if executor is None else handing.workers):
            wanted: Sequence[int] = range(block.start * rotations, block.stop * rotations)
            fresh = [known[number] for number in wanted if number in known] if known else []
            for part in handing.results([each for each in wanted if each not in known] if known else wanted):
                fresh += part
                if book is not None:
                    book.write(part)
                advance(len(part))
            found += fresh
            if testing is not None and testing.look(block, paired_shares(fresh)):
                found = [each for each in found if each.deal in testing.deals]
                break
    return tally(
        plan.game,
        plan.names,
        found,
        seed=plan.seed,
        first=first,
        seconds=perf_counter() - start,
        sprt=None if testing is None else testing.state,
    )


class _Handing:
    """Games handed out to be played: here one by one, or over an executor."""

    def __init__(
        self,
        work: Callable[[Sequence[int]], list[GameResult]],
        executor: Executor | None,
        workers: int,
        *,
        fine: bool,
    ) -> None:
        self.workers = workers
        self._work = work
        self._executor = executor
        self._parts = 256 if fine else 8  # what is not in a journal yet can be lost
        self._futures: list[Future[list[GameResult]]] = []

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameResult]]:
        """The games of these numbers, as they are done; handed out at once."""
        if self._executor is None:
            return (self._work([number]) for number in numbers)
        self._futures = in_parts(
            self._work, numbers, executor=self._executor, workers=self.workers, parts=self._parts
        )
        return (future.result() for future in as_completed(self._futures))

    def cancel(self) -> None:
        """What has not begun will not."""
        for future in self._futures:
            future.cancel()


def _check_sprt(sprt: object, plan: "_Plan") -> None:
    if not isinstance(sprt, Sprt):
        raise InvalidOption(f"sprt cannot be {shown(sprt)}; it is a kibitz.Sprt or None.", given=sprt)
    if len(plan.players) != 2:
        raise InvalidOption(
            f"A sequential test is between two bots, not {len(plan.players)}.", given=len(plan.players)
        )


def _blocks(deals: range, rotations: int, sprt: Sprt | None, workers: int) -> Iterator[range]:
    """The deals in parts, after each of which a test is looked at; each has work for all workers."""
    size = len(deals) if sprt is None else sprt.every * -(-2 * workers // (sprt.every * rotations))
    for at in range(0, len(deals), size):
        yield deals[at : at + size]


@dataclass(frozen=True)
class _Plan:
    """What every worker needs."""

    game: Game
    players: tuple[Player, ...]
    names: tuple[str, ...]
    lineups: tuple[tuple[int, ...], ...]  # by rotation: the player at each seat
    seed: int
    tables: tuple[Table, ...] | None  # instead of deals by seed

    def table(self, deal: int) -> Table:
        """A fresh table to play this deal at."""
        if self.tables is not None:
            return self.tables[deal].copy()
        return self.game.deal(seed=derived_seed(self.seed, "deal", deal))


def _plan(
    game: Game | str,
    bots: Sequence[object],
    seed: int,
    tables: Sequence[Table] | None,
    options: dict[str, OptionValue],
) -> _Plan:
    if isinstance(game, str):
        game = load(game, **options)
    elif not isinstance(game, Game):
        raise InvalidOption(f"A match is of a game or its name, not {shown(game)}.", given=game)
    elif options:
        raise InvalidOption(
            f"Options ({', '.join(options)}) go with a game's name; {game!r} has its own already.",
            given=options,
        )
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise InvalidOption(f"bots is a list of bots, not {shown(bots)}.", given=bots)
    players = tuple(as_player(bot) for bot in bots)
    names: list[str] = []
    for name in map(name_of, players):
        again = names.count(name) + sum(known.startswith(f"{name} (") for known in names)
        names.append(f"{name} ({again + 1})" if again else name)
    return _Plan(
        game,
        players,
        tuple(names),
        _lineups(game, len(players)),
        read_seed(seed),
        None if tables is None else _tables(game, tables),
    )


def _tables(game: Game, tables: object) -> tuple[Table, ...]:
    """The tables given, as they are now."""
    if isinstance(tables, str) or not isinstance(tables, Sequence) or not tables:
        raise InvalidOption(f"tables is a list of tables, not {shown(tables)}.", given=tables)
    for number, table in enumerate(tables):
        if not isinstance(table, Table):
            raise InvalidOption(f"tables[{number}] cannot be {shown(table)}; it is a Table.", given=table)
        if table.game != game:
            raise InvalidOption(
                f"tables[{number}] is of {table.game!r}, but the match is of {game!r}.", given=table.game
            )
        if table.turn == "chance":
            raise InvalidOption(
                f"tables[{number}] waits for an outcome of chance; a match needs tables that roll themselves.",
                given=table,
            )
    return tuple(table.copy() for table in tables)


def _deals(plan: _Plan, games: int | None, first: int) -> range:
    """Which deals to play."""
    if games is None:
        if plan.tables is None:
            raise InvalidOption("games must be given: how many, rounded up to whole deals.", given=None)
        stop = len(plan.tables)
    else:
        stop = first + -(-whole("games", games, least=1, most=MOST_GAMES) // len(plan.lineups))
    if plan.tables is not None and (first >= len(plan.tables) or stop > len(plan.tables)):
        raise InvalidOption(
            f"There are {len(plan.tables)} tables; deals {first} to {stop - 1} were asked for.",
            given=stop - 1,
            allowed=range(len(plan.tables)),
        )
    return range(first, stop)


def _identity(plan: _Plan) -> dict[str, object]:
    """What makes the games of two matches the same: written at the head of a journal."""
    tables = None
    if plan.tables is not None:
        tables = blake2b("\n".join(map(Table.to_json, plan.tables)).encode(), digest_size=8).hexdigest()
    return {
        "game": plan.game.slug,
        "rules": plan.game.rules,
        "options": plan.game.options,
        "bots": [repr(player) for player in plan.players],
        "names": list(plan.names),
        "seed": plan.seed,
        "tables": tables,
    }


def _lineups(game: Game, bots: int) -> tuple[tuple[int, ...], ...]:
    """By rotation, the bot at each seat."""
    teams = game.teams
    sides = len(set(teams))
    if sides == 1 and bots >= 1:
        return tuple((bot,) * game.seats for bot in range(bots))
    if bots == sides:
        return tuple(tuple((team + shift) % sides for team in teams) for shift in range(sides))
    if bots == game.seats:
        return tuple(tuple((seat + shift) % bots for seat in range(bots)) for shift in range(bots))
    if sides == 1:
        needed = "at least one bot"
    elif sides == game.seats:
        needed = f"{sides} bots, one a seat"
    else:
        needed = f"{sides} bots, one a team, or {game.seats}, one a seat"
    raise InvalidOption(
        f"A match of {game!r} needs {needed}, not {bots}.", given=bots, allowed=sorted({sides, game.seats})
    )


def _play(plan: _Plan, deal: int, rotation: int) -> GameResult:
    """One game."""
    table = plan.table(deal)
    lineup = plan.lineups[rotation]
    clocks = _clocks(plan, lineup)
    plies = 0
    error = None
    while (seat := table.core.turn) >= 0:
        try:
            table.play(_decision(plan.players[lineup[seat]], table.view(seat=seat), clocks[seat]))
        except Exception as fault:  # noqa: BLE001  whatever a bot does costs its own game only
            error = _game_error(plan, deal, rotation, seat, fault, table.to_json())
            break
        plies += 1
    use = tuple(None if each is None else each.use for each in clocks) if any(clocks) else ()
    if error is not None:
        return GameResult(deal, rotation, lineup, (), (), plies, error, use)
    return GameResult(deal, rotation, lineup, tuple(table.returns()), tuple(table.score()), plies, clocks=use)


def _clocks(plan: _Plan, lineup: Sequence[int]) -> list[RunningClock | None]:
    """By seat a fresh clock, where its player plays by one."""
    players = [plan.players[bot] for bot in lineup]
    if any(map(is_timed, players)):
        game_lengths(plan.game)  # worked out on nobody's clock
    return [RunningClock(player.clock) if is_timed(player) else None for player in players]


def _decision(player: Player, view: View, running: RunningClock | None) -> str:
    """What a player answers, on its clock if it has one."""
    if running is None or not is_timed(player):
        return player.act(view)
    with running:
        return player.act(view, clock=running.clock)


def _play_games(plan: _Plan, numbers: Sequence[int]) -> list[GameResult]:
    """A worker's share: games numbered through deals and rotations."""
    return [_play(plan, *divmod(number, len(plan.lineups))) for number in numbers]


def _message(fault: Exception) -> str:
    try:
        return str(fault)
    except Exception:  # noqa: BLE001  a bot's own exception, that cannot even say what it is
        return f"an exception of type {type(fault).__name__} without words"


def _game_error(plan: _Plan, deal: int, rotation: int, seat: int, fault: Exception, table: str) -> GameError:
    from traceback import format_exception

    lineup = plan.lineups[rotation]
    return GameError(
        deal=deal,
        rotation=rotation,
        bot=plan.names[lineup[seat]],
        seat=seat,
        seats=tuple(plan.names[bot] for bot in lineup),
        kind=type(fault).__name__,
        message=_message(fault),
        traceback="".join(format_exception(fault)),
        table=table,
        repeat={"games": len(plan.lineups), "seed": plan.seed, "first": deal},
    )
