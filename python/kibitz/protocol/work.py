"""What is searched at once in a process: so few that each answer comes in time, however many are asked for.

Three kinds of search share the processors. Short ones have a limit of half a second at most, or few iterations; long
ones a later limit; patient ones none, as when a host watches a search until it says stop. Each kind has places of its
own, and on Linux patient ones run at lower priority, so that one with a limit is not late because of them.

A search with a limit that finds no place waits for half of its time, or less where many wait, and then makes do with
the game's hint: a legal answer in time is worth more than a good one too late. While others wait, a place is given
for a share of the time.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from time import monotonic

from kibitz.allotment import game_lengths
from kibitz.game import Game
from kibitz.protocol.faults import Fault

__all__ = ["Kind", "Place", "Work"]

SHORT_SECONDS = 0.5
SHORT_ITERATIONS = 20_000
QUICK_SECONDS = 0.004  # for a reply without a search, beside searches on all processors
NICENESS = 19
MOST_PREPARED = 256  # games
MOST_THREADS = 1024  # that wait for places or search


class Kind(Enum):
    """How long a search may take."""

    SHORT = "short"
    LONG = "long"
    PATIENT = "patient"


@dataclass(frozen=True)
class Place:
    """Leave to search until `until`, in seconds of `time.monotonic`; None: as long as it wants; `quick`: hardly."""

    until: float | None
    quick: bool = False


class Work:
    """The places and threads of all searches of a process; shared by all its connections.

    Args:
        searches: Short searches at once; by default two a processor. Of long ones twice as many, of patient ones
            eight a processor have a place.
        waiting: Searches that may wait; more are refused.
        threads, memory_mb: The most that one search may be given.
    """

    def __init__(
        self,
        searches: int | None = None,
        *,
        waiting: int = MOST_THREADS // 2,
        threads: int = 64,
        memory_mb: int = 65_536,
    ) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        places = searches if searches is not None else 2 * cores
        self.waiting_most = waiting
        self.threads_most = threads
        self.memory_most = memory_mb
        self._room = threading.Condition()
        self._most = {Kind.SHORT: places, Kind.LONG: 2 * places, Kind.PATIENT: 4 * places}
        self._used = dict.fromkeys(Kind, 0)
        self._waiting = dict.fromkeys(Kind, 0)
        self._pools: dict[Kind, ThreadPoolExecutor] = {}
        self._pools_lock = threading.Lock()
        self._prepared: set[Game] = set()

    @property
    def searches(self) -> int:
        """How many searches of all kinds may run at once."""
        return sum(self._most.values())

    @property
    def running(self) -> int:
        """How many run now."""
        return sum(self._used.values())

    def submit(self, kind: Kind, job: Callable[[], None]) -> None:
        """Runs a job on a thread of its kind.

        Raises:
            Fault: overloaded, when too many wait.
        """
        with self._room:
            waiting = sum(self._waiting.values())
        if waiting >= self.waiting_most:
            raise self.overloaded()
        self._pool(kind).submit(job)

    def prepare(self, game: Game) -> None:
        """Has it worked out how long a game may last, which a search by the clock wants to know, once a process."""
        with self._pools_lock:
            if game in self._prepared:
                return
            self._prepared.add(game)
            if len(self._prepared) > MOST_PREPARED:
                self._prepared.clear()
        self._pool(Kind.PATIENT).submit(game_lengths, game)

    def overloaded(self, seconds: float = 1.0) -> Fault:
        """What is answered when there is no room."""
        return Fault(
            "overloaded",
            f"Too much is being searched; try again in {seconds:g} seconds.",
            more={"retry_after": seconds},
        )

    @contextmanager
    def place(
        self, kind: Kind, *, until: float | None, wanted: Callable[[], bool], refuse: bool = False
    ) -> Iterator[Place]:
        """A place to search in, waited for.

        Args:
            kind: Of the search.
            until: When the search has to end, None for no limit.
            wanted: Whether the answer is still worth waiting for; asked a few times a second.
            refuse: Whether to refuse instead of making do with a hint.

        Raises:
            Fault: overloaded, if refused.
        """
        with self._room:
            patience = None if until is None else self._patience(until)
            got = self._wait(kind, patience, wanted)
            ahead = self._waiting[kind]
        if not got:
            if refuse:
                raise self.overloaded()
            yield Place(until, quick=True)
            return
        try:
            now = monotonic()
            # With more waiting than there are places, each has its share of the time.
            share = None if until is None else now + (until - now) / (1 + ahead // self._most[kind])
            yield Place(share)
        finally:
            self.leave(kind)

    def enter_now(self, kind: Kind) -> bool:
        """Takes a place if one is free; `leave` gives it back."""
        with self._room:
            if self._used[kind] >= self._most[kind]:
                return False
            self._used[kind] += 1
            return True

    def leave(self, kind: Kind) -> None:
        """Gives a place back."""
        with self._room:
            self._used[kind] -= 1
            self._room.notify_all()

    def _patience(self, until: float) -> float:
        """Until when to wait for a place: then there is still time to answer, also for those who wait, too."""
        now = monotonic()
        left = until - now
        return now + max(0.0, min(left / 2, left - QUICK_SECONDS * (1 + sum(self._waiting.values()))))

    def _wait(self, kind: Kind, patience: float | None, wanted: Callable[[], bool]) -> bool:
        self._waiting[kind] += 1
        try:
            while self._used[kind] >= self._most[kind]:
                left = 0.2 if patience is None else min(0.2, patience - monotonic())
                if left <= 0 or not wanted():
                    return False
                self._room.wait(left)
            self._used[kind] += 1
            return True
        finally:
            self._waiting[kind] -= 1

    def _pool(self, kind: Kind) -> ThreadPoolExecutor:
        with self._pools_lock:
            if kind not in self._pools:
                self._pools[kind] = ThreadPoolExecutor(
                    MOST_THREADS,
                    f"kibitz-{kind.value}",
                    initializer=_be_nice if kind is Kind.PATIENT else None,
                )
            return self._pools[kind]


def kind_of(*, seconds: float | None, iterations: int | None) -> Kind:
    """The kind of a search by its limits."""
    if seconds is not None:
        return Kind.SHORT if seconds <= SHORT_SECONDS else Kind.LONG
    return Kind.SHORT if iterations is not None and iterations <= SHORT_ITERATIONS else Kind.PATIENT


def _be_nice() -> None:
    """Lowers the priority of this thread alone, which Linux can; the threads of its searches inherit it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
