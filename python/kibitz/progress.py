"""Progress of long work: a bar on the terminal, or a call to the caller's function."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from kibitz.errors import InvalidOption, shown

__all__ = ["Progress", "reporting"]

Progress: TypeAlias = bool | Callable[[int, int], object] | None
"""None: a bar if stderr is a terminal; True: a bar; False: nothing; a function: called with (done, total)."""


@contextmanager
def reporting(progress: Progress, *, total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Gives a function to be told how many more are done.

    >>> with reporting(lambda done, total: print(done, total), total=3, what="games") as advance:
    ...     advance(1)
    ...     advance(2)
    1 3
    3 3
    """
    if progress is None:
        progress = sys.stderr is not None and sys.stderr.isatty()
    if callable(progress):
        tell, done = progress, 0

        def count(more: int) -> None:
            nonlocal done
            done += more
            tell(done, total)

        yield count
    elif progress is True:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        console = Console(stderr=True)
        with Bars(*columns, console=console, transient=console.is_terminal) as bars:
            task = bars.add_task(what, total=total)
            yield lambda more: bars.advance(task, more)
    elif progress is False:
        yield lambda _: None
    else:
        raise InvalidOption(
            f"progress cannot be {shown(progress)}; it is None, True, False or a function of (done, total).",
            given=progress,
        )
