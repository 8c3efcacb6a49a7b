"""The logbook of The Crew: which missions a campaign has, and what is written down of each.

The score is the number of attempts, plus 1 for every mission in which the distress signal was ever sent: sent again in
a later attempt at the same mission it costs no more. Lower is better. Online the signal leaves a mark only, and the
count is that of the attempts (docs/games/thecrew.md, campaign).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

from kibitz.errors import InvalidOption, InvalidPosition, shown
from kibitz.given import as_whole, whole
from kibitz.layout import Layout

__all__ = [
    "MISSIONS",
    "MOST_ATTEMPTS",
    "LogEntry",
    "check_log",
    "journey",
    "listed",
    "log_layout",
    "mission_list",
]

MISSIONS = range(1, 51)
MOST_ATTEMPTS = 1_000_000_000


@dataclass(frozen=True)
class LogEntry:
    """One mission in the log.

    Attributes:
        mission: Its number.
        attempts: How many were played to the end.
        distress: Whether the distress signal was sent in any of them.
        won: Whether the last of them was won; all before it were lost.
    """

    mission: int
    attempts: int
    distress: bool
    won: bool

    @property
    def score(self) -> int:
        """What the mission counts by the printed rules.

        >>> LogEntry(mission=7, attempts=3, distress=True, won=True).score
        4
        """
        return self.attempts + self.distress


def journey(length: object = "full", *, first: int = 1) -> range:
    """The missions of a journey: so many from the first on, at most to the last there is.

    Args:
        length: `"full"`, or how many. The rules offer 1, 5, 10 and 25.
        first: Where it begins.

    Raises:
        InvalidOption: No such length or mission.

    >>> journey(5), journey(10, first=46), journey()
    (range(1, 6), range(46, 51), range(1, 51))
    """
    start = whole("first", first, least=MISSIONS[0], most=MISSIONS[-1]) - MISSIONS[0]
    number = len(MISSIONS) if length == "full" else as_whole(length)
    if number is None or not 1 <= number <= len(MISSIONS):
        raise InvalidOption(
            f"A journey cannot have {shown(length)} missions; it is 'full', or a whole number from 1 to "
            f"{len(MISSIONS)}.",
            given=length,
        )
    return MISSIONS[start : start + number]


def mission_list(given: object) -> tuple[int, ...]:
    """Missions in ascending order.

    Raises:
        InvalidOption: Anything else.
    """
    each = islice(given, len(MISSIONS) + 1) if isinstance(given, Iterable) else ()
    found = tuple(-1 if number is None else number for number in map(as_whole, each))
    if (
        not found
        or any(number not in MISSIONS for number in found)
        or any(a >= b for a, b in pairwise(found))
    ):
        raise InvalidOption(
            f"missions cannot be {shown(given)}; it is a list of missions from {MISSIONS[0]} to {MISSIONS[-1]}, "
            "each once and in ascending order.",
            given=given,
        )
    return found


def check_log(log: object, missions: Sequence[int], *, distress: str) -> tuple[LogEntry, ...]:
    """A log, if it is one of these missions.

    Args:
        log: What is said to be one.
        missions: In order.
        distress: The option of the game: without a vote the signal is sent never, or always.

    Raises:
        InvalidPosition: It is none; the entry is named by its place.
    """
    if not isinstance(log, Sequence) or not all(isinstance(entry, LogEntry) for entry in log):
        raise InvalidPosition(f"A log is a list of LogEntry, not {shown(log)}.", given=log)
    for place, entry in enumerate(log):
        wrong = _wrong(entry, log[:place], missions, distress)
        if wrong:
            raise InvalidPosition(f"log[{place}]: {wrong}.", given=entry)
    return tuple(replace(entry, mission=int(entry.mission), attempts=int(entry.attempts)) for entry in log)


def _wrong(entry: Any, before: Sequence[LogEntry], missions: Sequence[int], distress: str) -> str:
    """What an entry breaks after those before it; empty if nothing."""
    if before and not before[-1].won:
        return f"mission {before[-1].mission} before it is not won"
    if len(before) == len(missions):
        return f"the campaign ends with mission {missions[-1]}"
    if as_whole(entry.mission) != missions[len(before)]:
        return f"mission cannot be {shown(entry.mission)}; the next one is {missions[len(before)]}"
    tried = as_whole(entry.attempts)
    if tried is None or not 1 <= tried <= MOST_ATTEMPTS:
        return f"attempts cannot be {shown(entry.attempts)}; it is a whole number from 1 to {MOST_ATTEMPTS}"
    for name in ("distress", "won"):
        if not isinstance(getattr(entry, name), bool):
            return f"{name} cannot be {shown(getattr(entry, name))}; it is True or False"
    if distress != "vote" and entry.distress != (distress != "off"):
        return f"with distress={distress!r} the signal is {'never' if distress == 'off' else 'always'} sent"
    return ""


def listed(missions: Sequence[int]) -> str:
    """`mission 4`, `missions 1 to 5`, `missions 1, 2, 5`."""
    first, last = missions[0], missions[-1]
    if first == last:
        return f"mission {first}"
    if 2 < len(missions) == last - first + 1:
        return f"missions {first} to {last}"
    return f"missions {', '.join(map(str, missions))}"


def log_layout(log: Sequence[LogEntry]) -> Layout:
    """The log as a table."""
    header = ("mission", "attempts", "distress", "score", "result")
    rows = [
        (
            str(entry.mission),
            f"{entry.attempts:,}",
            "sent" if entry.distress else "",
            f"{entry.score:,}",
            "won" if entry.won else "open",
        )
        for entry in log
    ]
    return Layout(header, rows, right=("mission", "attempts", "score"))
