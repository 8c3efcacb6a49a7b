"""Matches between bots: duplicate deals with the seats rotated, and what they prove."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from time import perf_counter

from kibitz.bot import Player, as_player, name_of
from kibitz.errors import InvalidOption, shown
from kibitz.game import Game, OptionValue, load, read_seed
from kibitz.given import whole
from kibitz.match_result import GameError, GameResult, MatchResult, tally
from kibitz.pool import in_parts, process_pool
from kibitz.progress import Progress, reporting

__all__ = ["match"]

MOST_GAMES = 1_000_000_000
MOST_WORKERS = 1024


def match(
    game: Game | str,
    bots: Sequence[object],
    *,
    games: int,
    seed: int = 0,
    first: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress = None,
    **options: OptionValue,
) -> MatchResult:
    """Plays bots against each other over duplicate deals.

    Every deal is played once in each rotation of the seats, with the same cards now and in later rounds, so that
    luck of the deal cancels out: two teams play each deal twice with sides swapped, n seats each for themselves play
    it n times. In a co-operative game every bot plays each deal alone, at all seats.
    The same seed gives the same result, whatever the number of workers, if the bots are repeatable (a budget of
    milliseconds is not). A bot against itself ends exactly even.

    Args:
        game: A game, or its name with `options`.
        bots: One a team, or one a seat; co-operative: any number. Bots, objects with `act(view)`, or functions of
            a view. With `workers` they must be picklable.
        games: How many, rounded up to whole deals.
        seed: Names the deals.
        first: Number of the first deal; with it a single deal of a long match can be played again.
        workers: Processes; None or 1 plays here.
        executor: Where to play instead: any `concurrent.futures.Executor`. It is not shut down.
        progress: None for a bar if stderr is a terminal, True, False, or a function called with (done, total).

    Raises:
        InvalidOption: Too many or too few bots, or another argument that is not allowed.
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
    plan = _plan(game, bots, seed, options)
    games = whole("games", games, least=1, most=MOST_GAMES)
    first = whole("first", first, least=0)
    if workers is not None:
        workers = whole("workers", workers, least=1, most=MOST_WORKERS)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidOption(
            f"executor cannot be {shown(executor)}; it is a concurrent.futures.Executor.", given=executor
        )
    deals = range(first, first + -(-games // len(plan.lineups)))
    work = partial(_play_deals, plan)
    found: list[GameResult] = []
    with ExitStack() as stack:
        parts: Iterator[list[GameResult]]
        if executor is None and workers is not None and workers > 1:
            executor = stack.enter_context(process_pool(min(workers, len(deals)), carries=work))
        if executor is None:
            parts = ([_play(plan, deal, shift)] for deal in deals for shift in range(len(plan.lineups)))
        else:  # handed out before a bar has a thread of its own
            futures = in_parts(work, deals, executor=executor, workers=workers or os.cpu_count() or 1)
            stack.callback(lambda: [future.cancel() for future in futures])
            parts = (future.result() for future in as_completed(futures))
        advance = stack.enter_context(reporting(progress, total=len(deals) * len(plan.lineups), what="games"))
        for part in parts:
            found += part
            advance(len(part))
    return tally(plan.game, plan.names, found, seed=plan.seed, first=first, seconds=perf_counter() - start)


@dataclass(frozen=True)
class _Plan:
    """What every worker needs."""

    game: Game
    players: tuple[Player, ...]
    names: tuple[str, ...]
    lineups: tuple[tuple[int, ...], ...]  # by rotation: the player at each seat
    seed: int


def _plan(game: Game | str, bots: Sequence[object], seed: int, options: dict[str, OptionValue]) -> _Plan:
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
    return _Plan(game, players, tuple(names), _lineups(game, len(players)), read_seed(seed))


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
    table = plan.game.deal(seed=_deal_seed(plan.seed, deal))
    lineup = plan.lineups[rotation]
    plies = 0
    error = None
    while (seat := table.core.turn) >= 0:
        try:
            table.play(plan.players[lineup[seat]].act(table.view(seat=seat)))
        except Exception as fault:  # noqa: BLE001  whatever a bot does costs its own game only
            error = _game_error(plan, deal, rotation, seat, fault, table.to_json())
            break
        plies += 1
    if error is not None:
        return GameResult(deal, rotation, lineup, (), (), plies, error)
    return GameResult(deal, rotation, lineup, tuple(table.returns()), tuple(table.score()), plies)


def _play_deals(plan: _Plan, deals: Sequence[int]) -> list[GameResult]:
    """A worker's share."""
    return [_play(plan, deal, rotation) for deal in deals for rotation in range(len(plan.lineups))]


def _deal_seed(seed: int, deal: int) -> int:
    return int.from_bytes(blake2b(f"{seed}/deal/{deal}".encode(), digest_size=8).digest(), "big")


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
