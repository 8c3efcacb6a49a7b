"""One connection: its sessions, the order of its requests, and one reply to each.

Requests of a session are carried out in their order, `ping`, `stop` and `quit` at once. What is quick is done on the
thread that receives; what takes long (a search, a review, many events) on a thread of `Work`.
"""

import json
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from kibitz.errors import KibitzError, shown
from kibitz.game import derived_seed
from kibitz.protocol.facts import MOST_SESSIONS, bench_result, hello_result, rules_result
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.lanes import Item, Lane
from kibitz.protocol.messages import (
    METHODS,
    SPOKEN,
    EndParams,
    GoParams,
    HelloParams,
    NewParams,
    SetParams,
    ViewParams,
)
from kibitz.protocol.opening import new_session, viewed_session
from kibitz.protocol.requests import NoReply, Request, checked_params, read_request
from kibitz.protocol.reviewing import review_result
from kibitz.protocol.sessions import Preferences, Session
from kibitz.protocol.thinking import Halt, Thinking, kind_of_go
from kibitz.protocol.work import Kind, Work

__all__ = ["Host"]

MOST_QUEUED = 1000  # requests of a session that wait
MOST_JOBS = 4  # reviews and benches at once

AT_ONCE = ("hello", "ping", "stop", "quit", "rules")
JOBS = ("review", "bench")


class Host:
    """One connection to the engine.

    Args:
        send: Called from any thread with each line to send, without its newline, one at a time.
        work: Bounds what is searched at once; shared by the connections of a process.
        log: Called with a sentence about what went wrong in the engine itself; by default it goes to stderr.

    >>> host = Host(print, work=Work())
    >>> host.receive('{"id": 1, "method": "ping"}')  # doctest: +ELLIPSIS
    {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"The first message is hello...
    >>> host.close()  # all work has ended
    True
    """

    def __init__(
        self,
        send: Callable[[str], None],
        *,
        work: Work | None = None,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self._send_line = send
        self._work = Work() if work is None else work
        self._log = log or _to_stderr
        self._out = threading.Lock()
        self._lock = threading.RLock()  # of what follows
        self._quiet = threading.Condition(self._lock)
        self._preferences = Preferences()
        self._lanes: dict[str, Lane] = {}
        self._jobs: dict[int, _Job] = {}
        self._reports = 0
        self._running = 0  # pieces of work on threads of their own
        self._unanswered: Counter[int | str] = Counter()  # under `_out`
        self._greeted = False
        self._closed = False  # nothing is sent any more
        self._ended = False

    @property
    def closed(self) -> bool:
        """Whether it has come to its end, by `quit` or by `close`."""
        return self._closed

    def receive(self, line: str | bytes) -> None:
        """Takes a line; the reply comes by `send`, perhaps later and from another thread. Never raises."""
        arrived = monotonic()
        if self._closed:
            return
        id_, request = read_request(line)
        if isinstance(request, NoReply):
            self._note(request.fault)
            return
        if id_ is not None:
            with self._out:
                self._unanswered[id_] += 1
        if isinstance(request, Fault):
            self._reply_error(id_, request)
            return
        try:
            self._take(request, arrived)
        except Fault as fault:
            if request.id is None:
                self._note(fault)
            else:
                self._reply_error(request.id, fault)
        except Exception as error:  # noqa: BLE001  a bug is answered, too
            self._reply_error(request.id, self._internal(error))

    def close(self, *, wait: float = 0.5) -> bool:
        """Ends all: searches are stopped, what was asked for gets `cancelled`. Nothing is sent afterwards.

        Returns:
            Whether all work has ended within `wait` seconds.
        """
        if not self._ended:
            self._ended = True
            self._end_all(wait=wait)
            self._closed = True
        with self._lock:
            return self._running == 0

    def drain(self, seconds: float) -> None:
        """Waits for what was asked for and comes to an end by itself, at most so long; no line comes any more."""
        deadline = monotonic() + seconds
        with self._quiet:
            while self._running and self._comes_to_an_end() and monotonic() < deadline:
                self._quiet.wait(min(0.05, max(0.0, deadline - monotonic())))

    def _comes_to_an_end(self) -> bool:
        """Whether no search runs until it is stopped, which nobody can do any more."""
        return not any(
            lane.thinking is not None and kind_of_go(lane.thinking.params) is Kind.PATIENT
            for lane in self._lanes.values()
        )

    def _end_all(self, *, wait: float, asker: int | str | None = None) -> None:
        """Cancels what runs and waits, and answers what has not answered by itself in time."""
        with self._quiet:
            for lane in self._lanes.values():
                lane.cancel()
            for job in self._jobs.values():
                job.halt.stop()
            deadline = monotonic() + wait
            while self._running and monotonic() < deadline:
                self._quiet.wait(max(0.0, deadline - monotonic()))
            lanes = list(self._lanes.values())
            self._lanes.clear()
        for lane in lanes:
            lane.rest()
        with self._out:
            left = self._unanswered.copy()
        if asker is not None:
            left[asker] -= 1
        unanswered = list(left.elements())
        for id_ in unanswered:
            self._reply_error(id_, _cancelled("the request"))

    # ---- what to do with a request ----

    def _take(self, request: Request, arrived: float) -> None:
        if not self._greeted and request.method not in ("hello", "quit"):
            raise Fault(
                "hello_first", f"The first message is hello, before {request.method}.", allowed=["hello"]
            )
        params = checked_params(METHODS[request.method].params, request.method, request.params)
        if request.method in AT_ONCE:
            self._reply(request.id, getattr(self, f"_{request.method}")(request, params))
        elif request.method in JOBS:
            self._begin_job(request, params)
        elif request.method == "set" and params.s is None:
            self._reply(request.id, self._set_all(params))
        else:
            self._queue(request, params, arrived)

    def _queue(self, request: Request, params: Any, arrived: float) -> None:
        """Puts a request into its session's lane, and carries it out now if it is light and nothing is before it."""
        with self._lock:
            lane = self._lanes.get(params.s)
            if lane is None:
                if request.method not in ("new", "view"):
                    raise self._unknown(params.s)
                if len(self._lanes) >= MOST_SESSIONS:
                    raise Fault(
                        "too_many_sessions",
                        f"There are {MOST_SESSIONS} sessions already; end one first.",
                        allowed=[MOST_SESSIONS],
                    )
                lane = self._lanes[params.s] = Lane(params.s, self._work)
            if len(lane.queue) >= MOST_QUEUED:
                raise Fault("busy", f"{MOST_QUEUED} requests of session {shown(params.s)} wait; be patient.")
            item = Item(request, params, arrived)
            if request.method == "go":
                if lane.thinking is not None:
                    raise Fault("busy", f"Session {shown(params.s)} has a go that runs; stop it or wait.")
                lane.thinking = item
            elif request.method == "end" and lane.thinking is not None:
                _check_end(self._session(lane), params)  # an end that is refused must cancel nothing
                lane.thinking.cancelled = True
                lane.thinking.halt.stop()
            lane.queue.append(item)
            if lane.busy:
                return
            lane.busy = True
        self._carry_on(lane)

    def _carry_on(self, lane: Lane, *, threaded: bool = False) -> None:
        """Carries out what waits in a lane, until there is nothing or something heavy, which gets a thread.

        Args:
            lane: Whose queue.
            threaded: Whether this is the thread that the first of it was given.
        """
        while True:
            with self._lock:
                if not lane.queue:
                    lane.busy = False
                    if lane.session is None and self._lanes.get(lane.name) is lane:
                        del self._lanes[lane.name]
                    return
                item = lane.queue[0]
                hands_over = item.heavy and not threaded
                if hands_over:
                    self._running += 1
                else:
                    lane.queue.popleft()
            if hands_over:
                self._hand_over(lane, item)
                return
            self._carry_out(lane, item)
            threaded = threaded and not item.heavy

    def _hand_over(self, lane: Lane, item: Item) -> None:
        kind = kind_of_go(item.params) if item.method == "go" else Kind.LONG

        given_up = threading.Event()

        def job() -> None:
            if given_up.is_set():  # it was queued, and no thread could be started for it then
                return
            try:
                self._carry_on(lane, threaded=True)
            finally:
                with self._quiet:
                    self._running -= 1
                    self._quiet.notify_all()

        try:
            self._work.submit(kind, job)
        except Exception as error:  # noqa: BLE001  too much waits, or there are no more threads
            given_up.set()
            fault = error if isinstance(error, Fault) else self._internal(error)
            with self._quiet:
                self._running -= 1
                lane.queue.popleft()
                if lane.thinking is item:
                    lane.thinking = None
            self._reply_error(item.request.id, fault)
            for id_ in item.stops:
                self._reply(id_, {})
            self._carry_on(lane)

    def _carry_out(self, lane: Lane, item: Item) -> None:
        method = item.method
        try:
            lane.wake()
            if item.cancelled:
                raise _cancelled(method)
            result = getattr(self, f"_{method}")(lane, item)
        except Fault as fault:
            self._answer(lane, item, None, fault)
        except KibitzError as error:
            self._answer(lane, item, None, fault_of(error, "bad_value"))
        except Exception as error:  # noqa: BLE001  a bug is answered, too
            self._answer(lane, item, None, self._internal(error, lane.session))
        else:
            self._answer(lane, item, result, None)

    def _answer(self, lane: Lane, item: Item, result: Any, fault: Fault | None) -> None:
        """Replies, first to the request itself, then to the stops that waited for it."""
        if item.cancelled and item.method == "go":
            result, fault = None, _cancelled("go")
        if item.method == "go":
            with self._lock:
                lane.thinking = None
                stops = item.stops
            ponders = fault is None and item.params.ponder and not item.halt.stopped
            if ponders:
                lane.may_ponder()  # a stop that comes between the reply and the thinking on must hold
            if fault is None:
                self._reply(item.request.id, result)
            else:
                self._reply_error(item.request.id, fault)
            for id_ in stops:
                self._reply(id_, {})
            if ponders:
                try:
                    lane.ponder()
                except Exception as error:  # noqa: BLE001  no more threads; the answer is out
                    self._internal(error)
            return
        if fault is None:
            self._reply(item.request.id, result)
        else:
            self._reply_error(item.request.id, fault)

    # ---- methods, at once ----

    def _hello(self, _request: Request, params: HelloParams) -> dict[str, Any]:
        if params.protocol not in SPOKEN:
            raise Fault(
                "unsupported_protocol",
                f"Protocol {shown(params.protocol)} is not spoken here; {' and '.join(SPOKEN)} are.",
                field="protocol",
                given=params.protocol,
                allowed=SPOKEN,
            )
        self._greeted = True
        return hello_result(self._work, self._preferences.memory_mb)

    def _ping(self, _request: Request, _params: Any) -> dict[str, Any]:
        return {}

    def _rules(self, _request: Request, params: Any) -> dict[str, Any]:
        return rules_result(params.game)

    def _stop(self, request: Request, params: Any) -> "dict[str, Any] | _Later":
        with self._lock:
            lane = self._lanes.get(params.s)
            if lane is None:
                raise self._unknown(params.s)
            lane.rest()
            if lane.thinking is None:
                return {}
            lane.thinking.halt.stop()
            if request.id is not None:
                lane.thinking.stops.append(request.id)
            return LATER

    def _quit(self, request: Request, _params: Any) -> "_Later":
        self._ended = True
        self._end_all(wait=0.5, asker=request.id)
        self._reply(request.id, {})
        self._closed = True
        return LATER

    def _set_all(self, params: SetParams) -> dict[str, Any]:
        """For the sessions that there are and those to come."""
        given = self._given(params)
        with self._lock:
            self._preferences = self._preferences.changed(given)
            for lane in self._lanes.values():
                if lane.session is not None:
                    lane.session.preferences = lane.session.preferences.changed(given)
        return _in_force(self._preferences)

    def _given(self, params: SetParams) -> dict[str, Any]:
        """What `set` was given, as the preferences have it, within what is allowed here."""
        given = {name: getattr(params, name) for name in params.model_fields_set if name != "s"}
        for name, value in given.items():
            if value is None and name != "pace":
                raise Fault("bad_value", f"set: '{name}' cannot be null. Nothing was set.", field=name)
        for name, most in (("threads", self._work.threads_most), ("memory_mb", self._work.memory_most)):
            if given.get(name, 0) > most:
                raise Fault(
                    "bad_value",
                    f"set: '{name}' cannot be {given[name]}; at most {most} are given here. Nothing was set.",
                    field=name,
                    given=given[name],
                    allowed=[most],
                )
        return given

    # ---- methods, in their order ----

    def _set(self, lane: Lane, item: Item) -> dict[str, Any]:
        session = self._session(lane)
        session.preferences = session.preferences.changed(self._given(item.params))
        lane.forget()
        return _in_force(session.preferences)

    def _new(self, lane: Lane, item: Item) -> dict[str, Any]:
        params: NewParams = item.params
        if lane.session is not None and not params.replace:
            raise Fault(
                "session_exists",
                f"There is a session {shown(params.s)} already; give replace:true, or end it first.",
                field="s",
                given=params.s,
            )
        session, warnings = new_session(params, self._preferences)
        self._seat(lane, session)
        return session.position(warnings=warnings)

    def _view(self, lane: Lane, item: Item) -> dict[str, Any]:
        params: ViewParams = item.params
        session = viewed_session(params, self._preferences)
        self._seat(lane, session)
        return session.position()

    def _seat(self, lane: Lane, session: Session) -> None:
        """A session begins. How long its game may last is worked out beside, so that no clock waits for it."""
        lane.forget()
        lane.session = session
        self._work.prepare(session.game)

    def _event(self, lane: Lane, item: Item) -> dict[str, Any]:
        session = self._session(lane)
        before = session.n
        found = session.events(item.params.n, item.params.moves)
        lane.advance(session.texts(before))
        return found

    def _legal(self, lane: Lane, item: Item) -> dict[str, Any]:
        session = self._session(lane)
        return {"moves": session.legal()} if item.params.move is None else session.checked(item.params.move)

    def _state(self, lane: Lane, _item: Item) -> dict[str, Any]:
        return self._session(lane).state()

    def _undo(self, lane: Lane, item: Item) -> dict[str, Any]:
        found = self._session(lane).undo(item.params.n)
        lane.forget()
        return found

    def _go(self, lane: Lane, item: Item) -> dict[str, Any]:
        session = self._session(lane)
        params: GoParams = item.params

        def inform(found: Mapping[str, Any]) -> None:
            self._notify("info", {"s": lane.name, "id": item.request.id} | dict(found))

        thinking = Thinking(
            session,
            params,
            item.arrived,
            self._work,
            item.halt,
            inform=inform,
            live=lane.live if params.seed is None else None,
        )
        answer = thinking.answer()
        lane.live = answer.live if params.ponder else None
        for warning in thinking.warnings:
            if warning.startswith("internal"):
                self._notify("log", {"level": "error", "text": warning})
                self._log(f"kibitz: {warning}")
        return answer.result

    def _end(self, lane: Lane, item: Item) -> dict[str, Any]:
        session = self._session(lane)
        params: EndParams = item.params
        _check_end(session, params)
        lane.forget()
        result: dict[str, Any] = {}
        if params.review is not None:
            result["review"] = review_result(
                session.game.slug,
                _seen_record(session),
                params.review,
                preferences=self._preferences,
                halt=item.halt,
                progress=self._progress(item.request.id),
            )
        lane.session = None
        return result

    # ---- jobs ----

    def _begin_job(self, request: Request, params: Any) -> None:
        with self._lock:
            if len(self._jobs) >= MOST_JOBS:
                raise Fault("busy", f"{MOST_JOBS} reviews or benches run already; wait for one to end.")
            self._reports += 1
            number = self._reports
            job = self._jobs[number] = _Job(request)
            self._running += 1

        def work() -> None:
            if number not in self._jobs:  # given up: no thread could be started for it then
                return
            try:
                self._reply(request.id, self._job_result(request, params, job))
            except Fault as fault:
                self._reply_error(request.id, fault)
            except Exception as error:  # noqa: BLE001  a bug is answered, too
                self._reply_error(request.id, self._internal(error))
            finally:
                with self._quiet:
                    del self._jobs[number]
                    self._running -= 1
                    self._quiet.notify_all()

        try:
            self._work.submit(Kind.PATIENT, work)
        except BaseException:
            with self._quiet:
                del self._jobs[number]
                self._running -= 1
            raise

    def _job_result(self, request: Request, params: Any, job: "_Job") -> dict[str, Any]:
        progress = self._progress(request.id)

        def step(done: int, of: int) -> None:
            if job.halt.stopped:
                raise _cancelled(request.method)
            progress(done, of)

        # Its searches have the place of one that has no limit.
        with self._work.place(Kind.PATIENT, until=None, wanted=lambda: not job.halt.stopped) as place:
            if place.quick:
                raise _cancelled(request.method)
            return self._looked_back(request, params, job, step)

    def _looked_back(
        self, request: Request, params: Any, job: "_Job", step: Callable[[int, int], None]
    ) -> dict[str, Any]:
        if request.method == "bench":
            return bench_result(params, step)
        return review_result(
            params.game,
            params.record,
            params,
            players=params.players,
            options=params.options,
            preferences=self._preferences,
            halt=job.halt,
            progress=step,
        )

    def _progress(self, id_: int | str | None) -> Callable[[int, int], None]:
        start = monotonic()

        def step(done: int, of: int) -> None:
            spent = (monotonic() - start) * 1000
            eta = round(spent / done * (of - done), 1) if done else None
            self._notify("progress", {"id": id_, "done": done, "of": of, "eta_ms": eta})

        return step

    # ---- out ----

    def _reply(self, id_: int | str | None, result: "dict[str, Any] | _Later") -> None:
        if id_ is not None and not isinstance(result, _Later):
            self._send({"jsonrpc": "2.0", "id": id_, "result": result})

    def _reply_error(self, id_: int | str | None, fault: Fault) -> None:
        self._send({"jsonrpc": "2.0", "id": id_, "error": fault.error()})

    def _note(self, fault: Fault) -> None:
        """Says what is wrong with a message that wants no reply."""
        self._notify("log", {"level": "warning", "text": fault.message})

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": dict(params)})

    def _send(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        line = line.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair, as a text may have
        with self._out:
            if self._closed:
                return
            id_ = message.get("id")
            if id_ is not None:
                if self._unanswered[id_] == 0:
                    return  # it was cancelled, and ends by itself at the same time
                self._unanswered[id_] -= 1
                if self._unanswered[id_] == 0:
                    del self._unanswered[id_]
            try:
                self._send_line(line)
            except Exception as error:  # noqa: BLE001  the reader has gone, and nothing can be told any more
                self._log(f"kibitz: nothing can be sent any more: {type(error).__name__}")
                self._closed = True
                self._abandon()

    def _abandon(self) -> None:
        """Stops what runs: nobody waits for it."""
        for lane in list(self._lanes.values()):
            lane.cancel()
        for job in list(self._jobs.values()):
            job.halt.stop()

    # ---- parts ----

    def _session(self, lane: Lane) -> Session:
        if lane.session is None:
            raise self._unknown(lane.name)
        return lane.session

    def _unknown(self, name: str) -> Fault:
        with self._lock:
            names = [lane.name for lane in self._lanes.values() if lane.session is not None]
        there = (
            f"Sessions: {', '.join(map(shown, names[:20]))}." if names else "There are none; new makes one."
        )
        return Fault(
            "unknown_session",
            f"There is no session {shown(name)}. {there}",
            field="s",
            given=name,
            allowed=names[:100],
        )

    def _internal(self, error: Exception, session: Session | None = None) -> Fault:
        """A bug: told with a number by which it is found in the log."""
        with self._lock:
            self._reports += 1
            number = f"{derived_seed(self._reports, repr(error), monotonic()):016x}"[:8]
        where = traceback.extract_tb(error.__traceback__)[-1]
        self._log(f"kibitz: report {number}: {type(error).__name__} in {where.name}, line {where.lineno}")
        if session is not None:
            session.warnings = [*session.warnings, f"internal: report {number}"][-5:]
        return Fault(
            "internal",
            f"A fault of the engine ({type(error).__name__}), report {number}. The session is as it was.",
            more={"report": number},
        )


def _to_stderr(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)  # noqa: T201


class _Later:
    """Instead of a result: the reply comes another way."""


LATER = _Later()


class _Job:
    """A review or a bench."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.halt = Halt()


def _in_force(preferences: Preferences) -> dict[str, Any]:
    found = {name: getattr(preferences, name) for name in preferences.__dataclass_fields__}
    pace = preferences.pace
    return found | {"pace": None if pace is None else pace.model_dump()}


def _cancelled(method: str) -> Fault:
    return Fault("cancelled", f"end or quit came while {method} ran.")


def _seen_record(session: Session) -> dict[str, Any]:
    """What a session is reviewed from: what its seat saw."""
    view = session.view
    return {
        "options": session.game.options,
        "seat": session.seat,
        "start": view.start,
        "record": list(view.record),
    }


def _check_end(session: Session, params: EndParams) -> None:
    """Refuses an end that contradicts the session: it may be another table's."""
    game = session.game
    if params.returns is not None and len(params.returns) != game.seats:
        raise Fault(
            "bad_value",
            f"end: 'returns' has {len(params.returns)} entries; {game.slug} has {game.seats} seats here.",
            field="returns",
            given=len(params.returns),
            allowed=[game.seats],
        )
    if params.reveal is None:
        return
    try:
        truth = game.core.state(params.reveal)
    except KibitzError as error:
        raise fault_of(error, "invalid_start", field="reveal") from None
    if truth.view(session.seat) != session.first:
        raise Fault(
            "invalid_start",
            f"end: 'reveal' is another start than the one that seat {session.seat} knew. The session is as it was.",
            field="reveal",
        )
