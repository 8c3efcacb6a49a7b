"""A session: one seat at one table, kept up from numbered events as that seat sees them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz import _core
from kibitz.errors import KibitzError, shown
from kibitz.events import event_text, read_event, read_events
from kibitz.protocol.faults import Fault, fault_of
from kibitz.protocol.messages import MOST_EVENTS, Pace, SearchParams
from kibitz.settings import Settings
from kibitz.view import View, observed

__all__ = ["Preferences", "Session", "settings_of"]

SPACING = 32  # events between two views that are kept; the others are replayed from them


@dataclass(frozen=True)
class Preferences:
    """What `set` sets, for all sessions or for one."""

    threads: int = 1
    memory_mb: int = 64
    seed: int = 0
    overhead_ms: float = 25.0
    info_ms: float = 0.0
    mask: bool = False
    pace: Pace | None = None

    def changed(self, given: Mapping[str, Any]) -> "Preferences":
        """With other values for some."""
        return replace(self, **given)


class Session:
    """What a seat knows, event by event. All or nothing: what raises has changed nothing.

    Args:
        name: `s` in messages.
        view: What the seat knew at first.
        search: How it searches.
        preferences: As in force.
        warnings: Told with every state.
        base: How many events came before the view.
    """

    def __init__(
        self,
        name: str,
        view: View,
        *,
        search: SearchParams,
        preferences: Preferences,
        warnings: Sequence[str] = (),
        base: int = 0,
    ) -> None:
        self.name = name
        self.game = view.game
        self.seat = view.seat
        self.search = search
        self.preferences = preferences
        self.warnings = list(warnings)
        self.base = base
        self._first = view
        self._events: list[_Event] = []
        self._kept: list[_core.View] = [view.core]  # after 0, SPACING, 2 * SPACING, ... events
        self._now = view.core
        settings_of(search, preferences).check(view)

    @property
    def n(self) -> int:
        """How many events came."""
        return self.base + len(self._events)

    @property
    def first(self) -> _core.View:
        """The compiled view before the first event."""
        return self._first.core

    @property
    def view(self) -> View:
        """What the seat knows now."""
        return View(
            self.game,
            self._now,
            start=self._first.start,
            record=(*self._first.record, *self.texts(self.base)),
        )

    @property
    def core(self) -> _core.View:
        """The compiled view."""
        return self._now

    def texts(self, n: int) -> tuple[str, ...]:
        """The events from number n on as the seat saw them, outcomes one by one."""
        return tuple(text for event in self._events[n - self.base :] for text in event.texts)

    def settings(self, **budget: Any) -> Settings:
        """How it searches, within a budget."""
        return settings_of(self.search, self.preferences, **budget)

    def events(self, n: int, moves: Sequence[str]) -> dict[str, Any]:
        """Takes events, all or none.

        Raises:
            Fault: gap, conflict, wrong_actor, too_much, illegal_move, inconsistent.
        """
        if n > self.n:
            missing = n - self.n
            raise Fault(
                "gap",
                f"Event {n} came, event {self.n} is expected next; {missing} event{'' if missing == 1 else 's'} "
                f"{'is' if missing == 1 else 'are'} missing.",
                given=n,
                more={"expected": self.n},
            )
        grown, warnings = self._grown(n, moves)
        dup = bool(moves) and not grown.events
        self._events.extend(grown.events)
        self._kept.extend(grown.kept)
        self._now = grown.core
        return self.position(warnings=warnings, dup=dup)

    def undo(self, n: int) -> dict[str, Any]:
        """Back to the first n events.

        Raises:
            Fault: bad_value.
        """
        if not self.base <= n <= self.n:
            first = f", and the session began after {self.base} of them" if self.base else ""
            raise Fault(
                "bad_value",
                f"undo: there are {self.n} events{first}; {n} of them cannot stay.",
                field="n",
                given=n,
                more={"least": self.base, "most": self.n},
            )
        now = self._after(n)
        del self._events[n - self.base :]
        del self._kept[(n - self.base) // SPACING + 1 :]
        self._now = now
        return self.position()

    def position(self, *, warnings: Sequence[str] = (), dup: bool = False) -> dict[str, Any]:
        """What is answered when the session has moved."""
        found: dict[str, Any] = {"n": self.n, "turn": self.turn(), "digest": self.digest}
        if dup:
            found["dup"] = True
        told = [*self.warnings, *warnings]
        return found | ({"warnings": told} if told else {})

    @property
    def digest(self) -> str:
        """16 hexadecimal digits of what the seat knows."""
        return f"{self._now.digest:016x}"

    def turn(self) -> dict[str, Any]:
        """Who is to act."""
        actor = self._now.turn
        if actor == _core.OVER:
            return {"by": None, "over": True}
        if actor == _core.CHANCE:
            return {"by": "*"}
        return {"by": actor, "legal": self.legal()} if actor == self.seat else {"by": actor}

    def legal(self) -> list[str]:
        """The legal moves of the seat, empty unless it is its turn."""
        return [self.game.core.move_text(code) for code in self._now.moves()]

    def checked(self, move: str) -> dict[str, Any]:
        """Whether a move is legal, and why not."""
        view = self.view
        event = f"{self.seat}:{move}"
        try:
            view.observe(event)
        except KibitzError as error:
            why = error.message
            if error.rule:
                why = why.replace(f" ({error.rule})", "")
            return {"move": move, "legal": False, "why": why} | ({"rule": error.rule} if error.rule else {})
        return {"move": move, "legal": True}

    def state(self) -> dict[str, Any]:
        """All that the seat knows, as its document and drawn."""
        view = self.view
        document = view.to_dict()
        document["record"] = [*self._first.record, *(event.text for event in self._events)]  # n of them
        return self.position() | {"view": document, "text": view.draw()}

    # ---- events ----

    def _grown(self, n: int, moves: Sequence[str]) -> "tuple[_Grown, list[str]]":
        """What the events add; those that came before must be the same."""
        if n < self.base:
            raise Fault(
                "conflict",
                f"Events before number {self.base} came with the view and cannot be sent again.",
                field="n",
                given=n,
                more={"expected": self.n},
            )
        grown, warnings = _Grown(self._now, self.n, self.base), list[str]()
        for number, text in enumerate(moves, start=n):
            where = f"moves[{number - n}]"
            try:
                codes = read_events(self.game.core, text)
                if number < self.n:
                    self._compare(number, codes, text, where)
                else:
                    self._grow(grown, codes, text, where, warnings)
            except KibitzError as error:
                raise _event_fault(error, number, text, where, n) from None
        return grown, warnings

    def _compare(self, number: int, codes: Sequence[tuple[int, int]], text: str, where: str) -> None:
        """Refuses an event that came before and was another one."""
        game, known = self.game.core, self._events[number - self.base].texts
        given = tuple(event_text(game, actor, code) for actor, code in codes)
        if given != known and self.preferences.mask and codes[0][0] == (before := self._after(number)).turn:
            given = tuple(event_text(game, actor, before.mask(actor, code)) for actor, code in codes)
        if given != known:
            accepted = known[0] if len(known) == 1 else " ".join(known)
            raise Fault(
                "conflict",
                f"Event {number} was accepted as {accepted!r}; now it is {shown(text)}. Nothing was changed; undo "
                "takes events back.",
                field=where,
                given=text,
                allowed=[accepted],
                more={"n": number},
            )

    def _grow(
        self, grown: "_Grown", codes: Sequence[tuple[int, int]], text: str, where: str, warnings: list[str]
    ) -> None:
        if grown.n - self.base >= MOST_EVENTS:
            raise Fault(
                "too_many_events",
                f"A session takes at most {MOST_EVENTS:,} events; nothing was changed.",
                field=where,
                given=text,
            )
        core, seen = grown.core, []
        for actor, code in codes:
            core, masked = observed(core, actor, code, mask=self.preferences.mask)
            seen.append(masked)
            if masked != event_text(self.game.core, actor, code):
                warnings.append(f"Event {grown.n} told too much: it was masked as {masked!r}.")
        grown.add(core, _Event(_joined(text, seen), tuple(seen)))

    def _after(self, n: int) -> _core.View:
        """The view after so many of the events."""
        if n == self.n:
            return self._now
        index = n - self.base
        core = self._kept[index // SPACING]
        for event in self._events[index - index % SPACING : index]:
            for text in event.texts:
                core = core.observe(*read_event(self.game.core, text))
        return core


@dataclass(frozen=True)
class _Event:
    """An event as the seat saw it: its text, and that of each outcome that it joins."""

    text: str
    texts: tuple[str, ...]


@dataclass
class _Grown:
    """What events add to a session."""

    core: _core.View
    n: int
    base: int
    events: list[_Event] = field(default_factory=list)
    kept: list[_core.View] = field(default_factory=list)

    def add(self, core: _core.View, event: _Event) -> None:
        self.core = core
        self.n += 1
        self.events.append(event)
        if (self.n - self.base) % SPACING == 0:
            self.kept.append(core)


def settings_of(search: SearchParams, preferences: Preferences, **budget: Any) -> Settings:
    """How to search, within a budget; without one, for the sake of the check.

    Raises:
        InvalidOption: An argument that is not allowed.
    """
    return Settings(
        search=search.name,
        playout=search.playout,
        utility=search.utility,
        exploration=search.exploration,
        tuning=search.tuning,
        threads=preferences.threads,
        max_bytes=preferences.memory_mb << 20,
        **(budget or {"iterations": 1}),
    )


def _joined(text: str, seen: Sequence[str]) -> str:
    """One text for what was seen of an event: that of several outcomes keeps the word that joins them."""
    if len(seen) == 1:
        return seen[0]
    return " ".join([text.partition(" ")[0], *(each.partition(" ")[2] for each in seen)])


def _event_fault(error: KibitzError, number: int, text: str, where: str, first: int) -> Fault:
    """The fault of an event in a list: with its number and place, and what became of those before it."""
    told = re.sub(r"^'[^']*' by (seat \d+|chance): ", "", error.message)
    said = told if told.startswith(shown(text)) else f"{shown(text)}: {told}"
    others = {0: "", 1: f" (event {first} neither)", 2: f" (events {first} and {number - 1} neither)"}.get(
        max(0, number - first), f" (events {first} to {number - 1} neither)"
    )
    fault = fault_of(error, "inconsistent", field=where)
    hint = " Send the masked event, or set mask:true." if fault.kind == "too_much" else ""
    return Fault(
        fault.kind,
        f"Event {number}: {said} Nothing was changed{others}.{hint}",
        field=where,
        given=text,
        allowed=fault.allowed,
        rule=fault.rule,
        more={"n": number},
    )
