"""All tables against bots: opened, found by their ids, dropped when nobody comes back; and where their bots think."""

import asyncio
from secrets import randbits
from time import monotonic
from typing import Any

from kibitz.analysis import analyse
from kibitz.bot import Bot, move_seed
from kibitz.errors import KibitzError
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.opening import game_of, seat_of
from kibitz.protocol.thinking import Halt
from kibitz.protocol.work import Work, kind_of
from kibitz.server.jobs import Jobs, searched
from kibitz.server.models import BotsRequest, MoveRequest, TableRequest, UndoRequest
from kibitz.server.seating import Seating, state_of
from kibitz.server.settings import ServerSettings
from kibitz.settings import POLICIES
from kibitz.table import Table
from kibitz.view import View

__all__ = ["Tables"]

DEFAULT_MS = 500  # of a bot's move
SWEEP_SECONDS = 60.0
RETRY_SECONDS = 0.25  # of a bot for whose search there was no room


class Tables:
    """The tables of a server.

    Args:
        settings: How many, and for how long.
        work: Where places to search come from.
        jobs: Threads to deal cards and to build answers in.
    """

    def __init__(self, settings: ServerSettings, work: Work, jobs: Jobs) -> None:
        self._settings = settings
        self._work = work
        self._jobs = jobs
        self._seatings: dict[str, Seating] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._seatings)

    async def open(self, asked: TableRequest) -> dict[str, Any]:
        """A new table; its state.

        Raises:
            Fault: unknown_game, invalid_option, bad_value, overloaded, cancelled.
        """
        if asked.seed is not None and not self._settings.open_seeds:
            raise Fault(
                "bad_value",
                "'seed' is not taken: who knows the seed of a deal knows all hands. The server deals at random, "
                "unless it is started with --open-seeds.",
                field="seed",
            )
        table, bot = await self._jobs.run(self._made, asked)
        if self._closed:
            raise Fault("cancelled", "The server is shutting down.")
        self.sweep()
        while len(self._seatings) >= self._settings.max_tables:
            self._drop(min(self._seatings.values(), key=lambda each: each.used), "dropped")
        seating = Seating(table, asked.seat, bot, self._decide, reveal=self._settings.log_hands)
        self._seatings[seating.id] = seating
        return await self._state(seating)

    async def state(self, name: str, after: int | None) -> dict[str, Any]:
        """How a table stands, as soon as there is news since `after` events.

        Raises:
            Fault: unknown_table, overloaded, cancelled.
        """
        seating = self._found(name)
        if after is not None:
            await seating.wait(after, self._settings.poll_seconds)
            seating.used = monotonic()
        return await self._state(seating)

    async def move(self, name: str, asked: MoveRequest) -> dict[str, Any]:
        """The person's move; how the table stands then.

        Raises:
            Fault: As `Seating.move`, and unknown_table, overloaded.
        """
        seating = self._found(name)
        seating.move(asked.n, asked.move)
        return await self._state(seating)

    async def undo(self, name: str, asked: UndoRequest) -> dict[str, Any]:
        """Back to the person's last decision; how the table stands then.

        Raises:
            Fault: As `Seating.undo`, and unknown_table, overloaded.
        """
        seating = self._found(name)
        seating.undo(asked.n)
        return await self._state(seating)

    async def record(self, name: str) -> dict[str, Any]:
        """The document to keep.

        Raises:
            Fault: unknown_table, overloaded.
        """
        return await self._jobs.run(self._found(name).record().to_dict)

    def delete(self, name: str) -> None:
        """Ends a table.

        Raises:
            Fault: unknown_table.
        """
        self._drop(self._found(name), "deleted")

    def sweep(self) -> None:
        """Drops the tables that nobody has asked for in a long time."""
        before = monotonic() - self._settings.idle_seconds
        for seating in [each for each in self._seatings.values() if each.used < before]:
            self._drop(seating, "dropped")

    async def keep_swept(self) -> None:
        """Sweeps now and then, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def close(self) -> None:
        """Ends all tables, for good."""
        self._closed = True
        for seating in list(self._seatings.values()):
            self._drop(seating, "shutdown")

    # ---- inside ----

    def _found(self, name: str) -> Seating:
        seating = self._seatings.get(name)
        if seating is None:
            raise Fault("unknown_table", "There is no such table; it may have been left alone for too long.")
        seating.used = monotonic()
        return seating

    def _drop(self, seating: Seating, why: str) -> None:
        del self._seatings[seating.id]
        seating.end(why)

    async def _state(self, seating: Seating) -> dict[str, Any]:
        view, facts = seating.view, seating.facts()
        return await self._jobs.run(state_of, view, facts)

    def _made(self, asked: TableRequest) -> tuple[Table, Bot]:
        """The deal and the bot, checked."""
        game = game_of(asked.game, asked.options, None)
        seat = seat_of(game, asked.seat)
        if seat and game.options["players"] != game.seats:  # The Crew for two: the third is automatic
            raise Fault(
                "bad_value",
                f"seat cannot be {seat} with {game.options['players']} players: the automatic member may sit there.",
                field="seat",
                given=seat,
                allowed=[0],
            )
        try:
            bot = self._bot(asked.bots)
            table = game.deal(seed=randbits(64) if asked.seed is None else asked.seed)
            bot.settings.check(table.view(seat=seat))
        except KibitzError as error:
            raise fault_of(error, "bad_value", field="bots") from None
        return table, bot

    def _bot(self, asked: BotsRequest) -> Bot:
        most = self._settings.max_ms
        if asked.ms is not None and asked.ms > most:
            raise Fault(
                "bad_value",
                f"'bots.ms' cannot be {asked.ms:,}; this server lets a bot think for {most:,} ms at most.",
                field="bots.ms",
                given=asked.ms,
            )
        # Of a seed that nobody knows: else its moves could be worked out for every hand that it may hold.
        if asked.search in POLICIES:
            return Bot(asked.search, seed=randbits(64))
        ms = asked.ms if asked.ms is not None else DEFAULT_MS if asked.iterations is None else most
        return Bot(asked.search, ms=min(ms, most), iterations=asked.iterations, seed=randbits(64))

    async def _decide(self, bot: Bot, view: View, halt: Halt) -> tuple[str, float]:
        """A bot's move and the seconds that its search took, from a thread of the common bound."""
        ms, iterations = bot.settings.ms, bot.settings.iterations
        counted = iterations if isinstance(iterations, int) else None
        kind = kind_of(seconds=None if ms is None or counted else ms / 1000, iterations=counted)

        def search() -> tuple[str, float]:
            with self._work.place(kind, until=None, wanted=lambda: not halt.stopped):
                start = monotonic()
                best = analyse(view, bot.settings, seed=move_seed(bot.seed, view), stop=halt.core)
                return best.move, monotonic() - start

        while True:
            try:
                return await searched(self._work, kind, search)
            except Fault as fault:
                if fault.kind != "overloaded":
                    raise
            await asyncio.sleep(RETRY_SECONDS)  # no room, and a bot has time
