"""How much of its clock a seat gives to one decision.

With `N` own decisions expected, this one included, a decision that searches gets

    ms = min(spare / N + inc + byoyomi, (limit - kept - margin) / 1.02),    0 if that is below 1
    limit  = main + byoyomi + bank           what the flag allows now
    margin = 5 + overhead                    a search replies up to 5 ms + 2 % late on a loaded machine
    kept   = min(N * max(0, margin - inc - byoyomi), (main + bank) / 2)
    spare  = main + bank - kept
    N      = 1 + (plies that are left) / seats, or `Clock.moves_left`; at least 2

Why so: equal shares, since nobody can say beforehand which decision will be the hard one, and what the others leave
(forced moves cost next to nothing) is shared out again at the next. What comes anew for every decision is spent on it.
The second term of the minimum is what makes it safe: however late the search is within its promise, the flag has not
fallen and `kept` is still there, for the moves that come when there is nothing to think with. An `N` that is too small
only spends too early: at least half of `spare` is left each time. The 1 in it is slack, as turns are not even.

The plies that are left come from whole games of light playouts from the game's own deals: the mean of what those that
got further than this one still had to go. A game may outlast them all; as is known of things of unknown lifetime, a
part of its age is then to be expected, here a quarter, and never more than `max_plies` allows. A bound alone would be
no estimate: a match of Kami may have 94,500 plies, and has about 250.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from kibitz import _core
from kibitz.clock import Clock

if TYPE_CHECKING:
    from kibitz.game import Game
    from kibitz.view import View

__all__ = ["allot", "decisions_left", "game_lengths", "latest", "margin", "plies_of", "reckoned"]

LATE_MS = 5.0
LATE_SHARE = 1.02
LEAST_MS = 1.0  # less is no search: one iteration is
SAMPLES = 32  # 0.1 ms in Connect Four, 60 ms in a match of Kami, once for a game and process


def allot(clock: Clock, decisions: float) -> float:
    """Milliseconds for a search, with so many own decisions expected; 0 where there is no time to search.

    >>> round(allot(Clock(main_ms=60_000, inc_ms=1_000), 21))  # a 21st of a minute, and a second
    3857
    >>> round(allot(Clock(byoyomi_ms=10_000), 21)), allot(Clock(main_ms=20), 21)
    (9775, 0.0)
    """
    expected = max(2.0, decisions if clock.moves_left is None else float(clock.moves_left))
    stock = clock.main_ms + clock.bank_ms
    anew = clock.inc_ms + clock.byoyomi_ms
    kept = min(expected * max(0.0, margin(clock) - anew), stock / 2)
    share = (stock - kept) / expected + anew
    most = (clock.limit_ms - kept - margin(clock)) / LATE_SHARE
    ms = min(share, most)
    return ms if ms >= LEAST_MS else 0.0


def margin(clock: Clock) -> float:
    """Milliseconds by which a decision may be late beside the 2 %."""
    return LATE_MS + clock.overhead_ms


def latest(clock: Clock, ms: float) -> float:
    """When a decision that was allotted so much is made at the latest."""
    return ms * LATE_SHARE + margin(clock)


def decisions_left(game: "Game", plies: int) -> float:
    """Own decisions that a seat can expect after so many plies of a game, the next one included, and 1 for slack.

    >>> import kibitz
    >>> decisions_left(kibitz.load("goofspiel"), 0), decisions_left(kibitz.load("goofspiel"), 20)
    (14.0, 4.0)
    """
    beyond = [length - plies for length in game_lengths(game) if length > plies]
    left = max(sum(beyond) / len(beyond) if beyond else 0.0, plies / 4)
    return 1 + max(1.0, min(left, game.core.max_plies - plies)) / game.seats


@lru_cache(maxsize=256)
def game_lengths(game: "Game") -> tuple[int, ...]:
    """Plies of whole games by the game's light policy, the same in every process."""
    return tuple(_length(game.core, _core.Rng(0, "lengths", index)) for index in range(SAMPLES))


def plies_of(view: "View") -> int:
    """Decisions in the view's record."""
    return sum(not event.startswith("*") for event in view.record)


def reckoned(clock: Clock, view: "View") -> Clock:
    """What must still be on a clock that nobody kept, from the record alone.

    Each of the seat's earlier decisions counts as if it had taken its whole allotment and had been as late as may be.
    So a bot that is asked without a clock of its own stays within its time too, if the record is whole.

    >>> import kibitz
    >>> table = kibitz.load("goofspiel").deal(seed=1)
    >>> for _ in range(20):
    ...     table.play(table.legal()[0])
    >>> 0 < reckoned(Clock(main_ms=60_000), table.view()).main_ms < 30_000
    True
    """
    own = f"{view.seat}:"
    plies = 0
    for event in view.record:
        if event.startswith(own):
            ms = allot(clock, decisions_left(view.game, plies))
            clock = clock.after(min(latest(clock, ms), clock.limit_ms))
        plies += not event.startswith("*")
    return clock


def _length(game: _core.Game, rng: _core.Rng) -> int:
    state = game.blank()
    plies = 0
    while state.turn != _core.OVER:
        if state.turn == _core.CHANCE:
            state = state.play(state.roll(rng))
            continue
        end, more = state.playout(rng, "hint")
        if more == 0:  # settled, but not over: somebody has to go on
            end, more = state.play(state.pick(rng)), 1
        state, plies = end, plies + more
    return plies
