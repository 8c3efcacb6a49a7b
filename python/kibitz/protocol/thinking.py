"""The answer of `go`: how long it may take, the search, the reply."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from kibitz import _core
from kibitz.allotment import allot, decisions_left, plies_of
from kibitz.analysis import Analysis, Row, analyse
from kibitz.clock import Clock
from kibitz.errors import shown
from kibitz.game import derived_seed
from kibitz.live import Search
from kibitz.protocol.faults import Fault
from kibitz.protocol.messages import GoParams, Pace
from kibitz.protocol.sessions import Session
from kibitz.protocol.work import Kind, Place, Work, kind_of
from kibitz.settings import POLICIES
from kibitz.view import View

__all__ = ["Answer", "Halt", "Thinking", "checked_go", "kind_of_go"]

KEPT_MS = 0.3  # of a limit, to make the reply and write it
LEAST_MS = 0.1  # less is no search
FOREVER_MS = 1e9
TURN_SHARE = 0.9  # of the time, for the first of several decisions
MOST_TURN = 64  # decisions of one seat in a row
SEED_BITS = 53  # a seed that every JSON reader keeps

REASONS = {"proven": "exact", "nodes": "iterations", "waiting": "stop", "running": "stop"}


class Halt:
    """Ends a search and whatever else its answer waits for, from any thread."""

    def __init__(self) -> None:
        self.core = _core.Stop()
        self._set = threading.Event()

    def stop(self) -> None:
        """Now."""
        self.core.stop()
        self._set.set()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to."""
        return self._set.is_set()

    def wait(self, seconds: float) -> None:
        """Until then, or until it is stopped."""
        self._set.wait(max(0.0, seconds))


@dataclass
class Answer:
    """What `go` found; the search that found it, where it may go on."""

    result: dict[str, Any]
    live: Search | None = None


@dataclass
class Thinking:
    """One `go`.

    Attributes:
        session: Whose turn it must be.
        go: What was asked for.
        arrived: When the line was received, in seconds of `time.monotonic`.
        work: Where places to search come from.
        halt: Ends it.
        inform: Called with what was found so far, every `info_ms`.
        refuse: Whether to refuse when the limit can't be kept, instead of making do.
        live: A search of this view that thought on, to go on with.
    """

    session: Session
    go: GoParams
    arrived: float
    work: Work
    halt: Halt
    inform: Callable[[dict[str, Any]], None] | None = None
    refuse: bool = False
    live: Search | None = None
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.view = self.session.view
        self.pace = self.go.pace or self.session.preferences.pace
        self.by_clock = False
        self.limit: float | None = None if self.go.ms is None else self.arrived + self.go.ms / 1000
        self.end = self.limit  # of thinking: sooner than the limit by the clock
        if self.go.clock is not None:
            self._allot()
        self.seed = self.go.seed if self.go.seed is not None else self._own_seed()

    def answer(self) -> Answer:
        """The move, the reasons, in time.

        Raises:
            Fault: not_to_move, over, no_limit, bad_value, rules_mismatch, overloaded.
        """
        legal = checked_go(self.session, self.go)
        forced = len(legal) == 1
        seconds = None if self.end is None else self.end - self.arrived
        kind = kind_of(seconds=seconds, iterations=self.go.iterations)
        if forced and not self._looks_free():
            answer = self._searched(Place(self.end), ponders=self.go.ponder)
        else:
            with self.work.place(
                kind, until=self.end, wanted=lambda: not self.halt.stopped, refuse=self.refuse
            ) as place:
                answer = self._searched(place, ponders=self.go.ponder)
        self._hold()
        result = answer.result
        now = monotonic()
        result["ms"] = round((now - self.arrived) * 1000, 3)
        if self.limit is not None and now > self.limit:
            result["late_ms"] = round((now - self.limit) * 1000, 3)
        told = [*self.session.warnings, *self.warnings]
        if told:
            result["warnings"] = told
        return answer

    # ---- time ----

    def _allot(self) -> None:
        """When to end by the clock, which is as the host saw it when it asked."""
        given = self.go.clock
        assert given is not None
        overhead = (
            self.session.preferences.overhead_ms if self.go.overhead_ms is None else self.go.overhead_ms
        )
        clock = Clock(
            main_ms=given.main_ms,
            byoyomi_ms=given.byoyomi_ms,
            inc_ms=given.inc_ms,
            bank_ms=given.bank_ms,
            moves_left=given.moves_left,
            overhead_ms=overhead,
        )
        end = self.arrived + allot(clock, decisions_left(self.view.game, plies_of(self.view))) / 1000
        if self.end is None or end < self.end:
            self.end, self.by_clock = end, True

    def _looks_free(self) -> bool:
        """Whether a forced decision is searched for the sake of the time that it takes."""
        return self.pace is not None and self.end is None

    def _hold(self) -> None:
        """Holds the reply back, so that the time taken tells nothing about the hand.

        A free decision takes until its limit, so with a pace a forced one does, too, and so does one that is proven
        early.
        """
        if self.pace is None:
            return
        until = max(self.arrived + drawn_ms(self.pace) / 1000, self.end or 0.0)
        if self.limit is not None:
            until = min(until, self.limit - KEPT_MS / 1000)
        self.halt.wait(until - monotonic())

    def _left_ms(self, until: float | None) -> float:
        return FOREVER_MS if until is None else (until - monotonic()) * 1000 - KEPT_MS

    # ---- searching ----

    def _searched(self, place: Place, *, ponders: bool) -> Answer:
        share = TURN_SHARE if self.go.scope == "turn" else 1.0
        now = monotonic()
        until = None if place.until is None else now + (place.until - now) * share
        if place.quick or self._left_ms(until) < LEAST_MS:
            if place.quick:
                self.warnings.append("busy: too much is searched at once to search this, too.")
            elif len(self.view.core.moves()) > 1:
                self.warnings.append("late: there was no time to search.")
            return self._fallback()
        try:
            found, live = self._search(self.view, until, ponders=ponders)
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  a bug must not lose the game
            self.warnings.append(f"internal: {type(error).__name__}")  # its text may tell cards
            return self._fallback()
        result = self._result(found)
        if self.go.scope == "turn":
            self._finish_turn(found, place, result)
        return Answer(result, live)

    def _search(
        self, view: View, until: float | None, *, ponders: bool = False
    ) -> tuple[Analysis, Search | None]:
        timed = until is not None or self.go.iterations is None
        budget = {
            "ms": max(LEAST_MS, self._left_ms(until)) if timed else None,
            "iterations": self.go.iterations,
        }
        allow = self.go.allow
        if self._looks_free() and allow is None and len(view.core.moves()) == 1:
            allow = view.legal()  # searched for its worth, as a free one would be
        info_ms = self.session.preferences.info_ms if self.go.info_ms is None else self.go.info_ms
        policy = self.session.search.name in POLICIES
        halving = bool((self.session.search.tuning or {}).get("halving"))
        shown_live = (self.inform is not None and info_ms > 0) or ponders
        if shown_live and not policy and not halving and len(view.core.moves()) > 1:
            return self._run_live(view, budget, info_ms, allow)
        settings = self.session.settings(**budget)
        return analyse(view, settings, seed=self.seed, stop=self.halt.core, allow=allow), None

    def _run_live(
        self, view: View, budget: dict[str, Any], info_ms: float, allow: list[str] | None
    ) -> tuple[Analysis, Search]:
        live = self.live if allow is None else None
        if live is None or live.view != view:
            settings = self.session.settings()
            live = Search(
                view,
                settings.search,
                seed=self.seed,
                allow=allow,
                threads=settings.threads,
                max_bytes=settings.max_bytes,
                playout=settings.playout,
                utility=settings.utility,
                exploration=settings.exploration,
                tuning=settings.tuning,
            )
        live.start(**{name: value for name, value in budget.items() if value is not None})
        every = info_ms / 1000 if self.inform is not None and info_ms > 0 else None
        due = None if every is None else self.arrived + every
        while live.running:
            if self.halt.stopped:
                break
            live.join(0.05 if due is None else max(0.0, min(0.05, due - monotonic())))
            if due is not None and every is not None and monotonic() >= due and live.running:
                self._inform(live.snapshot())
                due = monotonic() + every
        return live.stop() if self.halt.stopped else live.result(), live

    def _inform(self, found: Analysis) -> None:
        assert self.inform is not None
        self.inform(
            {
                "ms": round((monotonic() - self.arrived) * 1000, 3),
                "iterations": found.iterations,
                "worlds": found.worlds,
                "nodes": found.nodes,
                "ips": round(found.ips),
                "moves": rows_of(found, self.go.top),
            }
        )

    def _finish_turn(self, found: Analysis, place: Place, result: dict[str, Any]) -> None:
        """The seat's further decisions in a row: those of the principal line, and where it ends, searched."""
        seat, moves = self.view.seat, [found.move]
        view = self.view.observe(f"{seat}:{found.move}")
        for event in found.line[1:]:
            if view.turn != seat or not event.startswith(f"{seat}:"):
                break
            moves.append(event.partition(":")[2])
            view = view.observe(event)
        allow, self.go.allow = self.go.allow, None
        while view.turn == seat and len(moves) < MOST_TURN:
            now = monotonic()
            until = None if place.until is None else now + (place.until - now) / 2
            more, _ = self._search(view, until)
            for name in ("iterations", "worlds"):
                result[name] += getattr(more, name)
            moves.append(more.move)
            view = view.observe(f"{seat}:{more.move}")
        self.go.allow = allow
        result["turn"] = moves

    # ---- the reply ----

    def _result(self, found: Analysis) -> dict[str, Any]:
        reason = REASONS.get(found.reason, found.reason)
        if self.halt.stopped and found.reason in ("ms", "iterations", "stop", "running"):
            reason = "stop"
        elif reason == "ms" and self.by_clock:
            reason = "clock"
        if found.forced:
            reason = "single"
        return {
            "move": found.move,
            "reason": reason,
            "forced": found.forced,
            "ms": 0.0,
            "iterations": found.iterations,
            "worlds": found.worlds,
            "nodes": found.nodes,
            "bytes": found.bytes,
            "ips": round(found.ips),
            "seed": found.seed,
            "moves": rows_of(found, self.go.top),
        } | ({"reused": found.reused} if found.reused else {})

    def _fallback(self) -> Answer:
        """What is played unsearched: a legal move by the game's hint, or the first."""
        view, seat = self.view, self.view.seat
        moves, forced = [self._hinted(view)], len(view.core.moves()) == 1
        if self.go.scope == "turn":
            while (view := view.observe(f"{seat}:{moves[-1]}")).turn == seat and len(moves) < MOST_TURN:
                moves.append(self._hinted(view))
        result: dict[str, Any] = {
            "move": moves[0],
            "reason": "single" if forced else "fallback",
            "forced": forced,
            "ms": 0.0,
            "iterations": 0,
            "worlds": 0,
            "nodes": 0,
            "bytes": 0,
            "ips": 0,
            "seed": self.seed,
            "moves": [],
        }
        return Answer(result | ({"turn": moves} if self.go.scope == "turn" else {}))

    def _hinted(self, view: View) -> str:
        """What the game's hint plays, if it may be played."""
        moves = view.legal()
        if view is self.view and self.go.allow is not None:
            moves = [move for move in moves if move in self.go.allow]
        try:
            hint = view.game.core.move_text(view.core.greedy(_core.Rng(self.seed, "fallback")))
        except Exception:  # noqa: BLE001  the hint may be what is broken
            return moves[0]
        return hint if hint in moves else moves[0]

    def _own_seed(self) -> int:
        """From the session's seed and what the seat knows: the same for events and for a whole view."""
        seed = derived_seed(self.session.preferences.seed, self.session.seat, self.session.digest)
        return seed >> (64 - SEED_BITS)


def checked_go(session: Session, go: GoParams) -> list[str]:
    """The legal moves, if there is something to decide and the request is one that can be served.

    Raises:
        Fault: over, not_to_move, no_limit, rules_mismatch, bad_value.
    """
    if go.ms is None and go.iterations is None and go.clock is None and go.until is None:
        raise Fault(
            "no_limit",
            "go has no limit: give ms, iterations, clock or until. Nothing was searched.",
            allowed=["ms", "iterations", "clock", "until"],
        )
    turn = session.core.turn
    if turn == _core.OVER:
        raise Fault("over", f"The game is over after {session.n} events; there is nothing to decide.")
    if turn != session.seat:
        who = "chance" if turn == _core.CHANCE else f"seat {turn}"
        raise Fault(
            "not_to_move",
            f"Seat {session.seat} has nothing to decide: {who} is to act.",
            more={"by": "*" if turn == _core.CHANCE else turn},
        )
    if (session.search.tuning or {}).get("halving") and go.iterations is None:
        raise Fault(
            "bad_value",
            "go: halving deals out a number of iterations: give 'iterations'.",
            field="iterations",
        )
    legal = session.legal()
    if go.expect is not None and sorted(go.expect) != sorted(legal):
        here, there = [m for m in legal if m not in go.expect], [m for m in go.expect if m not in legal]
        raise Fault(
            "rules_mismatch",
            f"The host's legal moves differ: missing there {', '.join(here) or 'none'}; too many there "
            f"{shown(', '.join(there), width=200) if there else 'none'}. Nothing was searched.",
            field="expect",
            allowed=legal,
            more={"missing": here, "extra": there[:100], "digest": session.digest},
        )
    for index, move in enumerate(go.allow or ()):
        if move not in legal:
            why = session.checked(move).get("why", "it is not legal")
            raise Fault(
                "bad_value",
                f"go: 'allow[{index}]' cannot be {shown(move)}: {why} Nothing was searched.",
                field=f"allow[{index}]",
                given=move,
                allowed=legal,
            )
    return legal


def kind_of_go(go: GoParams) -> Kind:
    """The kind of a search by its request alone."""
    times = [go.ms] if go.ms is not None else []
    if go.clock is not None:
        times.append(go.clock.main_ms + go.clock.byoyomi_ms + go.clock.bank_ms)
    return kind_of(seconds=min(times) / 1000 if times else None, iterations=go.iterations)


def rows_of(found: Analysis, top: int | str) -> list[dict[str, Any]]:
    """The best rows of an analysis, as the protocol has them."""
    count = len(found.moves) if isinstance(top, str) else top
    return [_row(row) for row in found.moves[:count]]


def _row(row: Row) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "move": row.move,
        "visits": row.visits,
        "share": round(row.share, 6),
        "mean": round(row.mean, 6),
        "se": None if row.se is None else round(row.se, 6),
        "line": list(row.line),
    }
    return plain if row.exact is None else plain | {"exact": row.exact}


def drawn_ms(pace: Pace) -> float:
    """When a reply may go out, drawn afresh: nothing that the hand or a seed could tell."""
    return pace.min_ms + pace.jitter_ms * (secrets.randbits(32) / 2**32)
