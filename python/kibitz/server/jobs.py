"""Threads for all that must not run on the event loop, with a bound on what waits for one.

Searches run on the threads of `Work`, which all connections share; whatever else takes long runs on a few of its own.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from kibitz.protocol.faults import Fault
from kibitz.protocol.work import Kind, Work

__all__ = ["Jobs", "searched"]

T = TypeVar("T")


class Jobs:
    """A few threads and a short queue.

    Args:
        name: Of the threads, for debuggers.
        threads: How many jobs run at once.
        waiting: How many more may wait; the next is refused.
    """

    def __init__(self, name: str, *, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"kibitz-{name}")
        self._room = threads + waiting
        self._inside = 0
        self._lock = Lock()  # a job may end in any thread

    @property
    def inside(self) -> int:
        """How many run or wait."""
        return self._inside

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """What the function gives, from a thread.

        A job whose caller is cancelled runs on and still counts, since its thread is still taken.

        Raises:
            Fault: overloaded.
        """
        with self._lock:
            if self._inside >= self._room:
                raise Fault(
                    "overloaded",
                    f"{self._inside} requests are being worked on or wait, which is all that may; try again.",
                    more={"retry_after": 1},
                )
            self._inside += 1
        try:
            future = self._pool.submit(function, *args)
        except RuntimeError:  # closed
            self._leave(None)
            raise Fault("cancelled", "The server is shutting down.") from None
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Takes nothing more; what runs is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _leave(self, _: "Future[Any] | None") -> None:
        with self._lock:
            self._inside -= 1


async def searched(work: Work, kind: Kind, search: Callable[[], T]) -> T:
    """What a search gives, from a thread of its kind. Ending one whose caller is cancelled is the caller's business.

    Raises:
        Fault: overloaded, when too many wait.
    """
    found: Future[T] = Future()

    def job() -> None:
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(search())
        except BaseException as error:  # noqa: BLE001  for the one who waits
            found.set_exception(error)

    work.submit(kind, job)
    return await asyncio.wrap_future(found)
