"""What waits for a session, in its order, and the search that thinks on in it."""

import threading
from collections import deque
from typing import Any

from kibitz.live import Search
from kibitz.protocol.requests import Request
from kibitz.protocol.sessions import Session
from kibitz.protocol.thinking import FOREVER_MS, Halt
from kibitz.protocol.work import Kind, Work

__all__ = ["Item", "Lane"]

LONG_EVENTS = 100  # from which events are replayed on a thread of their own


class Item:
    """A request in a lane."""

    def __init__(self, request: Request, params: Any, arrived: float) -> None:
        self.request = request
        self.method = request.method
        self.params = params
        self.arrived = arrived
        self.halt = Halt()
        self.cancelled = False
        self.stops: list[int | str] = []  # requests that are answered after this one

    @property
    def heavy(self) -> bool:
        """Whether it takes long: then the next line is read meanwhile."""
        if self.method == "go" or (self.method == "end" and self.params.review is not None):
            return True
        if self.method == "new":
            return len(self.params.events) > LONG_EVENTS
        if self.method == "event":
            return len(self.params.moves) > LONG_EVENTS
        if self.method == "view":
            record = self.params.record or self.params.view.get("record") or ()
            return isinstance(record, list) and len(record) > LONG_EVENTS
        return self.method in ("undo", "state")


class Lane:
    """A session, what waits for it, and the search that thinks on in it."""

    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self.session: Session | None = None
        self.queue: deque[Item] = deque()
        self.busy = False
        self.thinking: Item | None = None
        self.live: Search | None = None
        self._work = work
        self._may_ponder = False
        self._pondering = False
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Everything that waits or runs is to be answered with `cancelled`."""
        for item in [*self.queue, self.thinking]:
            if item is not None:
                item.cancelled = True
                item.halt.stop()

    def may_ponder(self) -> None:
        """From now on until `rest`, `ponder` may begin."""
        with self._lock:
            self._may_ponder = True

    def ponder(self) -> None:
        """Thinks on until `rest`, unless that has come already."""
        with self._lock:
            if not self._may_ponder or self.live is None or not self._work.enter_now(Kind.PATIENT):
                return
            try:
                self.live.start(ms=FOREVER_MS)
            except BaseException:
                self._work.leave(Kind.PATIENT)
                self.live = None
                raise
            self._pondering = True

    def rest(self) -> None:
        """Stops thinking on."""
        with self._lock:
            self._may_ponder = False
            pondered, self._pondering = self._pondering, False
        if pondered and self.live is not None:
            try:
                self.live.stop()
            finally:
                self._work.leave(Kind.PATIENT)

    def wake(self) -> None:
        """A message has come."""
        self.rest()

    def forget(self) -> None:
        """The search that thought on is of no use any more."""
        self.rest()
        self.live = None

    def advance(self, events: tuple[str, ...]) -> None:
        """Takes the search along with the game."""
        if self.live is None:
            return
        try:
            for event in events:
                self.live.advance(event)
        except Exception:  # noqa: BLE001  it saves time, no more; the session has its events
            self.live = None
