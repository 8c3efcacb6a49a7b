"""A search that lives on: started and stopped, looked at while it runs, moved along with the game."""

import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from threading import RLock, Thread, current_thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self, Unpack
from weakref import finalize

from kibitz import _core
from kibitz.analysis import Analysis, allowed_codes, analysis_of, check_view
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, shown
from kibitz.events import is_event, read_event
from kibitz.given import positive
from kibitz.settings import POLICIES, Arguments, Settings, must_decide
from kibitz.view import View

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Search"]


class Search:
    """A search in the background, for interactive use: `start`, look with `snapshot`, `stop`, `advance` by a move.

    It holds one seat's view and what was found from there. `advance` moves both on, and what the tree knows about
    the new position is kept (`reused`), in ismcts and mcts; the other searches begin afresh there, as does the tree
    of ismcts after an outcome of chance that could have been another. docs/live-search.md has the whole story.

    All methods may be called from any thread. Leaving a `with` block ends the run that goes on, and so does the end
    of the object itself. It cannot be pickled, and belongs to the process that made it.

    Args:
        view: What the seat knows. It need not be its turn yet.
        search: As in `best_move`, like everything else; but not `"greedy"` and `"random"`, which search nothing.
        seed: Same seed, iterations, starts and advances: same answers.
        allow: Texts of the moves to choose between at this view, as in `best_move`; `advance` ends it.
        **settings: `iterations`, `ms`, `nodes`, `max_bytes`, `threads`, `playout`, `utility`, `exploration`. The
            first three are the budget of each run; without one a run goes on until it is stopped.

    Raises:
        InvalidOption: No view, or an argument that is not allowed.
        IllegalMove: `allow` names a move that is not legal.

    >>> import kibitz
    >>> table = kibitz.load("kami", redeal=False).deal(seed=7)
    >>> search = kibitz.Search(table.view(), iterations=500, seed=1)
    >>> best = search.start().result()
    >>> best == kibitz.best_move(table.view(), iterations=500, seed=1)
    True
    >>> search.advance(best.move)
    >>> search.view.record == (f"{table.turn}:{best.move}",)
    True

    Shown while it runs:

    >>> with kibitz.Search(table.view(), threads=2).start() as search:
    ...     while search.snapshot().iterations < 200:
    ...         pass
    ...     print(search.snapshot().reason, search.stop().reason)
    running stop
    """

    def __init__(
        self,
        view: View,
        search: str = "ismcts",
        *,
        seed: int = 0,
        allow: Sequence[str] | None = None,
        **settings: Unpack[Arguments],
    ) -> None:
        from kibitz.game import read_seed

        check_view(view)
        self._settings = _Unlimited(search=search, **settings)
        if search in POLICIES:
            raise InvalidOption(
                f"{search} plays without searching: there is nothing to look at; use best_move or a Bot.",
                given=search,
                allowed=[each for each in _core.searches() if each not in POLICIES],
            )
        if (self._settings.tuned() or {}).get("halving"):
            raise InvalidOption(
                "halving deals out a number of iterations known beforehand, and a Search can be started again and "
                "again; use best_move or a Bot.",
                given="halving",
            )
        self._settings.check(view)
        self._seed = read_seed(seed)
        self._view = view
        self._core = self._begin(view, allowed_codes(view, allow))
        self._run: _Run | None = None  # the last one at this view
        self._lock = RLock()  # held for short looks and changes, never during a run
        self._process = os.getpid()
        self._finalizer: finalize[Any, Any] | None = None

    @property
    def view(self) -> View:
        """Where the search is: the first view and the events since."""
        return self._view

    @property
    def running(self) -> bool:
        """Whether a run goes on."""
        return self._run is not None and self._process == os.getpid() and not self._run.ended.done()

    @property
    def reused(self) -> int:
        """Visits made before that count at this view, all threads together."""
        return self._core.reused

    def start(self, *, ms: float | None = None, iterations: int | None = None) -> Self:
        """Begins a run in the background, with `ms` or `iterations` instead of the search's own budget.

        A run at the same view goes on with the trees of the one before, for as much again.

        Raises:
            InvalidOption: It runs already.
            IllegalMove: It is not the seat's turn.
        """
        settings: Settings = self._settings
        if ms is not None or iterations is not None:
            settings = replace(settings, ms=ms, iterations=iterations, nodes=None)
        self._must_own()
        with self._lock:
            self._must_rest("start")
            must_decide(self._view)
            before, run = self._run, _Run(self._core, settings.budget())
            if self._finalizer is not None:
                self._finalizer.detach()
            self._finalizer = finalize(self, run.end)  # also when the interpreter exits
            self._run = run
            try:
                run.thread.start()
            except BaseException:  # no more threads; or Ctrl-C, and the thread ends as soon as it begins
                run.stop.stop()
                self._finalizer.detach()
                self._run = before
                raise
        return self

    def snapshot(self) -> Analysis:
        """What was found so far, at any time: takes no longer than the search needs to look up, about 20 microseconds.

        During a run its `reason` is `"running"`. After `advance` it has what the tree brought along.

        Raises:
            InvalidOption: Nothing was searched here yet.
            IllegalMove: It is not the seat's turn.
        """
        self._must_own()
        with self._lock:
            must_decide(self._view)
            if self._run is None and self._core.reused == 0:
                raise InvalidOption("Nothing was searched here yet: there is nothing to show before start().")
            view, found = self._view, self._core.snapshot()
        return analysis_of(view, self._settings, found)

    def stop(self) -> Analysis:
        """Ends the run, if one goes on, and says what was found. Raises as `snapshot`."""
        self._end()
        return self.result()

    def result(self) -> Analysis:
        """Waits for the end of the run, if one goes on, and says what was found.

        Raises:
            InvalidOption: Nothing was searched here yet.
            IllegalMove: It is not the seat's turn.
            KeyboardInterrupt: Ctrl-C; it ends the run.
        """
        self._must_own()
        if self._run is not None:
            self._run.wait()
        return self.snapshot()

    def join(self, seconds: float) -> bool:
        """Waits for the end of the run, at most so long. Whether it has ended, or there was none."""
        from concurrent.futures import wait

        self._must_own()
        run = self._run
        if run is None:
            return True
        wait([run.ended], timeout=max(0.0, seconds))
        return run.ended.done()

    def advance(self, event: str | View, *, mask: bool = False) -> None:
        """On to the position after an event, or to a later view of the same seat.

        The search must not run. If it isn't the seat's turn afterwards, the tree of what may follow is kept until it
        is; so tell every event, others' and outcomes of chance too, in their order.

        Args:
            event: The text of the move played or outcome rolled; or an event (`"1:d3"`) as for `View.observe`; or a
                view that continues `view` by any number of events, such as `table.view(seat=search.view.seat)`.
            mask: Whether to mask what the seat may not see instead of refusing it.

        Raises:
            InvalidOption: It runs; stop it first.
            WrongActor, TooMuch, IllegalMove, InvalidPosition: As `View.observe`; also InvalidPosition for a view that
                does not continue this one. Nothing is changed then.
        """
        self._must_own()
        with self._lock:
            self._must_rest("advance")
            before = self._view
            after = self._continued(event) if isinstance(event, View) else self._observed(event, mask=mask)
            try:
                for text in after.record[len(before.record) :]:
                    self._core.advance(*read_event(before.game.core, text))
            except BaseException:  # no memory, or Ctrl-C: the view is as it was, and the tree gone
                self._core, self._run = self._begin(before), None
                raise
            if len(after.record) > len(before.record):
                self._view, self._run = after, None

    async def wait(self) -> Analysis:
        """`result`, without blocking the event loop. A wait that is cancelled leaves the search running."""
        from asyncio import wrap_future

        self._must_own()
        if self._run is not None:
            await wrap_future(self._run.ended)
        return self.snapshot()

    async def stream(self, *, every_ms: float = 100) -> AsyncIterator[Analysis]:
        """Snapshots while it runs, one every so many milliseconds, and at the end the result.

        Leaving the loop early leaves the search running.

        Raises:
            InvalidOption: `every_ms` is not above 0, or nothing was searched here yet.

        >>> import asyncio, kibitz
        >>> async def show(search):
        ...     return [analysis.reason async for analysis in search.stream(every_ms=10)]
        >>> view = kibitz.load("kami", redeal=False).deal(seed=7).view()
        >>> with kibitz.Search(view, ms=200).start() as search:
        ...     reasons = asyncio.run(show(search))
        >>> set(reasons[:-1]), reasons[-1]
        ({'running'}, 'ms')
        """
        import asyncio

        seconds = positive("every_ms", every_ms, most=1e10) / 1000
        run = self._run
        if run is not None and self.running:
            ended = asyncio.wrap_future(run.ended)
            while not ended.done():
                await asyncio.wait({ended}, timeout=seconds)
                if not ended.done():
                    shown = await asyncio.to_thread(self.snapshot)
                    if shown.reason == "running":
                        yield shown
            ended.exception()  # noted; `wait` raises it
        yield await self.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def __reduce__(self) -> NoReturn:
        raise TypeError("A kibitz.Search cannot be pickled or copied; its view and an Analysis can.")

    def __repr__(self) -> str:
        state = "running" if self.running else "at rest"
        return f"<kibitz.Search {self._settings.search}, {state}, of {self._view!r}>"

    def _begin(self, view: View, allow: list[int] | None = None) -> _core.Search:
        return _core.Search(view.core, allow=allow, **self._settings.method(view, seed=self._seed))

    def _end(self) -> None:
        if self._run is not None:
            self._run.end()

    def _observed(self, event: object, *, mask: bool) -> View:
        """The view after an event, or after a move of whoever is to act."""
        if not isinstance(event, str):
            raise IllegalMove(f"{shown(event)} is no text of a move or event, and no view.", given=event)
        if not is_event(event):
            actor = self._view.turn
            event = f"{'*' if actor == 'chance' else self._view.seat if actor is None else actor}:{event}"
        return self._view.observe(event, mask=mask)

    def _continued(self, after: View) -> View:
        """A later view of the same seat in the same game."""
        now = self._view
        count = len(now.record)
        if (after.game, after.seat, after.start) != (now.game, now.seat, now.start):
            raise InvalidPosition(
                f"{after!r} is of another game, seat or start than the search's {now!r}.", given=after
            )
        if after.record[:count] != now.record:
            raise InvalidPosition(
                f"{after!r} does not continue the search's {now!r}: its record must begin with the same events.",
                given=after,
            )
        return after

    def _must_own(self) -> None:
        if self._process != os.getpid():
            raise InvalidOption(
                "This search belongs to another process, from which this one was forked; make a new one here."
            )

    def _must_rest(self, what: str) -> None:
        if self.running:
            raise InvalidOption(f"The search runs and cannot {what}; stop() it or wait for its result().")


class _Unlimited(Settings):
    """Settings that need no budget."""

    def _check_budget(self) -> None:
        pass


class _Run:
    """One run on a thread of its own. It knows nothing of the Search, so that a forgotten Search can end it."""

    def __init__(self, core: _core.Search, budget: dict[str, Any]) -> None:
        from concurrent.futures import Future

        self.stop = _core.Stop()
        self.ended: Future[None] = Future()
        self.ended.set_running_or_notify_cancel()  # who waits for it cannot cancel it
        self.process = os.getpid()
        self.thread = Thread(
            target=_work, args=(core, budget, self.stop, self.ended), name="kibitz.Search", daemon=True
        )

    def wait(self) -> None:
        """Until it has ended. An exception meanwhile, such as by Ctrl-C, ends it."""
        from concurrent.futures import wait

        try:
            while not self.ended.done():
                wait([self.ended], timeout=0.05)  # without a limit Ctrl-C would wait, too, on some systems
        except BaseException:
            self.end()
            raise
        self.ended.result()

    def end(self) -> None:
        """Stops it and waits until it has ended."""
        from concurrent.futures import wait

        self.stop.stop()
        # Not by the thread's own word: interrupted while it joins, Python 3.11 takes a thread for ended.
        if self.process == os.getpid() and self.thread is not current_thread():
            wait([self.ended])
            self.thread.join()


def _work(core: _core.Search, budget: dict[str, Any], stop: _core.Stop, ended: "Future[None]") -> None:
    try:
        core.run(**budget, stop=stop)
    except BaseException as error:  # noqa: BLE001  whoever waits gets it
        ended.set_exception(error)
    else:
        ended.set_result(None)
