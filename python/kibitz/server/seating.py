"""One person at a table against bots: the truth stays here, and only what the person's seat sees goes out.

Everything but searches and the building of answers happens on the event loop, step by step between two awaits, so a
table is never seen half changed and needs no lock of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from secrets import token_urlsafe
from time import monotonic
from typing import Any

from kibitz.bot import Bot
from kibitz.protocol.faults import Fault
from kibitz.protocol.thinking import Halt
from kibitz.scenes.scene import scene_of
from kibitz.server.guard import report
from kibitz.server.positions import turn_dict
from kibitz.table import Table
from kibitz.view import View

__all__ = ["Decide", "Seating", "state_of"]

Decide = Callable[[Bot, View, Halt], Awaitable[tuple[str, float]]]
"""A bot's move for a view, and the seconds that the search took; ended early by the halt."""

ID_BYTES = 16
LEAST_PACE = 0.05  # seconds that a bot's move takes, forced or not


class Seating:
    """A table, the person's seat, and the bots that play the others.

    Every move of a bot takes the time of the longest so far, at least what its milliseconds allow: a forced one, which
    needs no thought, can't be told from a free one.

    Args:
        table: The truth.
        seat: The person's.
        bot: Plays all other seats.
        decide: Finds a bot's move off the event loop.
        reveal: Whether the log may have what a bug says, which may name cards.
    """

    def __init__(self, table: Table, seat: int, bot: Bot, decide: Decide, *, reveal: bool) -> None:
        self.id = token_urlsafe(ID_BYTES)
        self.seat = seat
        self.used = monotonic()  # when somebody last asked for it
        self.view = table.view(seat=seat)
        self._table = table
        self._bot = bot
        self._decide = decide
        self._reveal = reveal
        self._pace = max(LEAST_PACE, (bot.settings.ms or 0) / 1000 * 1.02 + 0.005 if _timed(bot) else 0)
        self._decisions: list[int] = []  # events before each decision of the person
        self._opened = False  # the whole record, all hands, has gone out
        self._ended: str | None = None  # why there is no more of it
        self._news = asyncio.Event()  # replaced by another at each change
        self._halt = Halt()
        self._playing: asyncio.Task[None] | None = None
        self._let_bots_play()

    @property
    def n(self) -> int:
        """How many events there are."""
        return len(self.view.record)

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self._table.turn is None

    @property
    def thinking(self) -> bool:
        """Whether a bot is to move."""
        return not self.over and self._table.turn != self.seat

    def facts(self) -> dict[str, Any]:
        """What only the truth knows, and what may go out of it: the result, once the game is over."""
        return {
            "id": self.id,
            "over": self.over,
            "returns": self._table.returns() if self.over else None,
            "score": self._table.score() if self.over else None,
            "thinking": self.thinking,
        }

    async def wait(self, after: int, seconds: float) -> None:
        """Until there is more, or less, than `after` events, the game or the time is over.

        Raises:
            Fault: unknown_table, cancelled: the table ended meanwhile.
        """
        try:
            async with asyncio.timeout(seconds):
                while self._ended is None and self.n == after and not self.over:
                    await self._news.wait()
        except TimeoutError:
            pass
        self.check()

    def check(self) -> None:
        """Refuses a table that has ended.

        Raises:
            Fault: unknown_table, cancelled.
        """
        if self._ended is not None:
            raise Fault("cancelled" if self._ended == "shutdown" else "unknown_table", ENDED[self._ended])

    def move(self, n: int, move: str) -> None:
        """The person's move.

        Raises:
            Fault: stale, over, not_to_move, illegal_move. What they say is made from the person's view alone.
        """
        self._must_be_at(n)
        turn = self.view.turn
        if turn is None:
            raise Fault("over", f"The game is over after {n} events; there is nothing to decide.")
        if turn != self.seat:
            raise Fault(
                "not_to_move", f"You sit at seat {self.seat}, and seat {turn} is to act.", more={"by": turn}
            )
        legal = self.view.legal()
        why = self.view.check(move)
        if why:
            raise Fault("illegal_move", why, field="move", given=move, allowed=legal)
        core = self._table.game.core
        self._table.play(core.move_text(core.parse_move(move)))  # as a bare move, however it was written
        self._decisions.append(n)
        self._change()
        self._let_bots_play()

    def undo(self, n: int | None) -> None:
        """Back to the person's last decision.

        Raises:
            Fault: stale; conflict: there is none, or all hands have been shown.
        """
        if n is not None:
            self._must_be_at(n)
        if self._opened:
            raise Fault(
                "conflict",
                "The record with all hands was given out, so nothing can be taken back; start a new table.",
            )
        if not self._decisions:
            raise Fault("conflict", "There is nothing to take back: you have not decided anything yet.")
        self._stop_bots()
        self._table = self._table.at(self._decisions.pop())
        self._change()

    def record(self) -> View | Table:
        """What may be kept: the person's view, and after the end the whole table, which then can't be taken back."""
        if not self.over:
            return self.view
        self._opened = True
        return self._table.copy()

    def end(self, why: str) -> None:
        """Ends the searches, and whatever waits for news; `why` is one of `ENDED`."""
        self._ended = self._ended or why
        self._stop_bots()
        self._tell()

    # ---- bots ----

    def _let_bots_play(self) -> None:
        if self.thinking:
            self._halt = Halt()
            self._playing = asyncio.create_task(self._play(self._halt))

    def _stop_bots(self) -> None:
        self._halt.stop()
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    async def _play(self, halt: Halt) -> None:
        """All moves of bots up to the person's turn or the end. Cancelled before anything else is changed."""
        while isinstance(turn := self._table.turn, int) and turn != self.seat:
            view = self._table.view(seat=turn)
            try:
                move, spent = await self._decide(self._bot, view, halt)
                self._pace = max(self._pace, spent)
                await asyncio.sleep(self._pace - spent)
                self._table.play(move)
            except Exception as error:  # noqa: BLE001  a bug must not leave a person waiting for ever
                report(error, reveal=self._reveal)
                self._table.play(view.legal()[0])
            self._change()

    # ---- news ----

    def _must_be_at(self, n: int) -> None:
        if n != self.n:
            raise Fault(
                "stale",
                f"You have seen {n} events, and there are {self.n}. Nothing was changed.",
                field="n",
                given=n,
                allowed=[self.n],
                more={"n": self.n},
            )

    def _change(self) -> None:
        self.view = self._table.view(seat=self.seat)
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


ENDED = {
    "deleted": "The table was deleted.",
    "dropped": "The table was dropped: it was left alone for too long, or there were too many.",
    "shutdown": "The server is shutting down.",
}


def state_of(view: View, facts: dict[str, Any]) -> dict[str, Any]:
    """A table state, from the person's view and `Seating.facts`."""
    return {
        "id": facts["id"],
        "game": view.game.slug,
        "seat": view.seat,
        "n": len(view.record),
        "events": list(view.record),
        "scene": scene_of(view).to_dict(),
        "turn": turn_dict(view),
        "legal": view.legal(),
        "view": view.to_dict(),
        "over": facts["over"],
        "returns": facts["returns"],
        "score": facts["score"],
        "thinking": facts["thinking"],
    }


def _timed(bot: Bot) -> bool:
    """Whether a bot's milliseconds are what its moves take, not only a bound on its iterations."""
    return bot.settings.iterations is None
