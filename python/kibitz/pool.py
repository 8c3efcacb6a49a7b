"""Work in parts over processes, or over any executor; Ctrl-C leaves nothing running."""

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from kibitz.errors import InvalidOption, KibitzError

__all__ = ["in_parts", "process_pool"]

Result = TypeVar("Result")


@contextmanager
def process_pool(workers: int, *, carries: object) -> Iterator[Executor]:
    """Processes of our own. If the block is left by an exception they are ended, also out of a long search.

    Args:
        workers: How many processes.
        carries: What will be sent to them, to be tried beforehand.

    Raises:
        InvalidOption: `carries` cannot be pickled.
        KibitzError: A process ended by itself.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    try:
        pickle.dumps(carries)
    except Exception as error:
        raise InvalidOption(
            f"The bots cannot be sent to other processes ({error}); define them at the top of a module, or leave "
            "workers out."
        ) from error
    context = multiprocessing.get_context()
    leave = context.Event()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_enter, initargs=(leave,))
    try:
        yield pool
    except BrokenProcessPool as error:
        raise KibitzError(
            "A worker process ended by itself. Bots must be importable there: defined at the top of a module, and in a "
            "script behind `if __name__ == '__main__'`; or leave workers out."
        ) from error
    except BaseException:
        leave.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def in_parts(
    work: Callable[[Sequence[int]], Result],
    items: Sequence[int],
    *,
    executor: Executor,
    workers: int,
    parts: int = 8,
) -> list[Future[Result]]:
    """`items` handed out in some so many parts a worker, so that none waits long for the last."""
    size = max(1, len(items) // (parts * workers))
    return [executor.submit(work, items[at : at + size]) for at in range(0, len(items), size)]


def _enter(leave: Any) -> None:
    """Ctrl-C is for the parent alone, which then tells every worker to leave."""
    import signal
    from threading import Thread

    def watch() -> None:
        leave.wait()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=watch, daemon=True).start()
