"""A table: the whole truth of a game in progress and how it came about."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from html import escape
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz import _core
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, KibitzError, WrongActor, shown
from kibitz.events import (
    Turn,
    actor_name,
    check_record,
    event_text,
    is_event,
    read_events,
    read_moves,
    read_seat,
    record_fault,
    turn_of,
)
from kibitz.given import as_whole, one_of
from kibitz.starts import shortest

if TYPE_CHECKING:
    from kibitz.game import Chance, Game
    from kibitz.view import View

__all__ = ["Table"]

Step: TypeAlias = tuple[int, int, _core.State]  # actor, code, the truth after it


class Table:
    """The truth and the record. The one place where all hands are open; a search takes a `View`, never a table.

    Made by `Game.deal`, `Game.setup`, `Game.blank`, `View.sample` and `Table.from_json`.

    Args:
        game: Game and options.
        start: The truth at the start of the record.
        seed: For what chance decides; the k-th roll of a table depends on `seed` and k alone, so that tables with
            the same seed get the same later deals.
        chance: `"auto"` or `"manual"`, see `Game.deal`.
        record: Events to replay; each is checked.

    Raises:
        InvalidPosition: The start breaks a rule, or an event of the record does not fit.

    >>> import kibitz
    >>> table = kibitz.load("kami").deal(seed=7)
    >>> table.play(table.legal()[0])
    >>> len(table.record)
    1
    """

    __slots__ = ("_chance", "_first", "_game", "_lock", "_seed", "_seen", "_starts", "_steps")

    def __init__(
        self,
        game: "Game",
        start: _core.State | Mapping[str, Any],
        *,
        seed: int = 0,
        chance: "Chance" = "auto",
        record: Sequence[str] = (),
    ) -> None:
        from kibitz.game import read_seed

        one_of("chance", chance, ("auto", "manual"))
        check_record(record)
        if not isinstance(start, _core.State | Mapping):
            raise InvalidPosition(f"A start is a mapping, not {shown(start)}.", given=start)
        state = start if isinstance(start, _core.State) else game.core.state(dict(start))
        self._game = game
        self._seed = read_seed(seed)
        self._chance = chance
        self._first = state
        self._steps: list[Step] = []  # grown and cut in one go, so that Ctrl-C finds it whole
        self._seen: dict[int, list[str]] = {}  # by seat, grown when asked for
        self._starts: dict[int | None, dict[str, Any]] = {}  # None: the truth; by seat: what it knew
        self._lock = RLock()  # held while the record changes, and while it is copied or read as a whole
        for index, event in enumerate(record):
            try:
                self._steps.extend(self._played(read_events(game.core, event)))
            except KibitzError as error:
                raise record_fault(index, event, error) from error
        self._steps.extend(self._rolled(self.core))

    @property
    def game(self) -> "Game":
        """Game and options."""
        return self._game

    @property
    def seed(self) -> int:
        """The seed of what chance decides."""
        return self._seed

    @property
    def chance(self) -> "Chance":
        """Who rolls: the table (`"auto"`) or the caller (`"manual"`)."""
        return self._chance

    @property
    def core(self) -> _core.State:
        """The compiled value behind this table, as it is now. Without the promises of the public names."""
        return self._before(len(self._steps))

    @property
    def turn(self) -> Turn:
        """The seat to decide, None when the game is over, `"chance"` if an outcome is awaited (`chance="manual"`)."""
        return turn_of(self.core.turn)

    @property
    def start(self) -> dict[str, Any]:
        """The truth before the first event, without what follows from the game's defaults."""
        if None not in self._starts:
            state = self._first
            self._starts[None] = shortest(state.to_dict(), build=self._game.core.state, whole=state)
        return deepcopy(self._starts[None])

    @property
    def record(self) -> list[str]:
        """All events since the start, unmasked: `"<seat>:<move>"`, `"*:<outcome>"`."""
        return [event_text(self._game.core, actor, code) for actor, code, _ in self._steps]

    def legal(self) -> list[str]:
        """The legal moves of the seat to decide, in the game's fixed order; empty when no seat is to decide."""
        return [self._game.core.move_text(code) for code in self.core.moves()]

    def outcomes(self) -> list[tuple[str, int]]:
        """What chance may bring now, each with its weight; empty unless `turn` is `"chance"`.

        The probability of an outcome is its weight over the sum of all.
        """
        return [(self._game.core.move_text(code), weight) for code, weight in self.core.outcomes()]

    def check(self, move: str) -> str:
        """The rule that a move of the seat to decide would break, as a sentence; empty when it is legal."""
        try:
            self._played(self._read(move))
        except IllegalMove as error:
            return error.message
        return ""

    def play(self, move: str) -> None:
        """Plays a move of the seat to decide, or the awaited outcome; chance then follows, if the table rolls.

        Args:
            move: One of `legal()` (or of `outcomes()`), bare or as an event with its actor; or several outcomes in
                one text, where the game has such (`"tasks P3 B9"`): all or none.

        Raises:
            IllegalMove: Not legal; nothing is changed.

        >>> import kibitz
        >>> table = kibitz.load("kami").deal(seed=7)
        >>> seat = table.turn
        >>> table.play("-")
        >>> table.record == [f"{seat}:-"]
        True
        """
        with self._lock:
            played = self._played(self._read(move))
            self._steps.extend([*played, *self._rolled(played[-1][2])])

    def view(self, *, seat: int | None = None) -> "View":
        """What a seat may know, and nothing more: its start, the events as it saw them.

        Args:
            seat: Whose view; by default the seat that is to decide.

        Raises:
            InvalidOption: No such seat, or none given while no seat is to decide.
        """
        from kibitz.view import View

        with self._lock:
            now = self.core
            if seat is None:
                if now.turn < 0:
                    raise InvalidOption(
                        f"seat must be given: {actor_name(now.turn)} is to act, so there is no seat to take it from.",
                        allowed=range(self._game.seats),
                    )
                seat = now.turn
            seat = read_seat(self._game.core, seat)
            return View(
                self._game, now.view(seat), start=self._start_of(seat), record=tuple(self._seen_by(seat))
            )

    def returns(self) -> list[float]:
        """Each seat's share of the win: 1 to a sole winner, 1/k to each of k, else 0; all 0 before the end."""
        return list(self.core.returns())

    def score(self) -> list[int]:
        """What the rule book counts, at any time."""
        return list(self.core.score())

    def undo(self, plies: int = 1) -> None:
        """Takes back the last decisions, with whatever chance brought since.

        Args:
            plies: How many decisions, at least 1. With `chance="manual"` an outcome counts as one.

        Raises:
            InvalidOption: Fewer were played; nothing is changed.
        """
        number = as_whole(plies)
        with self._lock:
            decided = [
                index
                for index, (actor, _, _) in enumerate(self._steps)
                if self._chance == "manual" or actor != _core.CHANCE
            ]
            if number is None or not 1 <= number <= len(decided):
                raise InvalidOption(
                    f"undo cannot take back {shown(plies)} decisions; it is a whole number from 1, and the record "
                    f"has {len(decided)}.",
                    given=plies,
                )
            self._cut(decided[-number])

    def at(self, events: int) -> "Table":
        """This table as it was after its first events, as a table of its own.

        Args:
            events: How many, 0 (the start) to `len(record)`.

        Raises:
            InvalidOption: No such number.
        """
        number = as_whole(events)
        table = self.copy()
        if number is None or not 0 <= number <= len(table._steps):
            raise InvalidOption(
                f"There is no table after {shown(events)} events; the record has {len(table._steps)}.",
                given=events,
            )
        table._cut(number)
        return table

    def copy(self) -> "Table":
        """A table of its own with the same start, record and seed."""
        table = Table.__new__(Table)
        table._game, table._seed, table._chance, table._lock = self._game, self._seed, self._chance, RLock()
        with self._lock:
            table._first, table._steps = self._first, self._steps.copy()
            table._seen = {seat: seen.copy() for seat, seen in self._seen.items()}
            table._starts = self._starts.copy()
        return table

    def draw(self) -> str:
        """The table as text, with open hands."""
        return self.core.draw()

    def to_svg(self, *, width: int = 720) -> str:
        """The table as a picture, with open hands: one SVG document, `width` pixels wide.

        Raises:
            InvalidOption: A width that is not allowed.
        """
        from kibitz.scenes import scene_of, to_svg

        return to_svg(scene_of(self), width=width)

    def to_dict(self) -> dict[str, Any]:
        """Game, options, start, record and seed as plain values; the document that `to_json` writes."""
        return {
            "kibitz": 1,
            "game": self._game.slug,
            "rules": self._game.rules,
            "options": self._game.options,
            "start": self.start,
            "record": self.record,
            "seed": self._seed,
            "chance": self._chance,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """One JSON document; `from_json` gives the table back.

        >>> import kibitz
        >>> table = kibitz.load("kami").deal(seed=7)
        >>> kibitz.Table.from_json(table.to_json()) == table
        True
        """
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @staticmethod
    def from_json(document: str | bytes | Mapping[str, Any]) -> "Table":
        """A table from its JSON document; start and record are replayed and checked.

        Raises:
            InvalidPosition: Not such a document, another version, or it breaks a rule; the place is named.
            UnknownGame, InvalidOption: The game or its options are not known.
        """
        from kibitz.documents import table_from_document

        return table_from_document(document)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema of `to_json`."""
        from kibitz.documents import TableDocument

        return TableDocument.model_json_schema()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # a table changes

    def __copy__(self) -> "Table":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Table":
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore, (self._game, self.start, self._seed, self._chance, self.record)

    def __repr__(self) -> str:
        plies = sum(actor != _core.CHANCE for actor, _, _ in self._steps)
        turn = "over" if self.core.turn == _core.OVER else f"{actor_name(self.core.turn)} to act"
        return f"<Table {self._game.slug}, {self._game.seats} seats: {plies} plies, {turn}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.draw())}</pre>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _identity(self) -> tuple[object, ...]:
        events = [(actor, code) for actor, code, _ in self._steps]
        return self._game, self._first, events, self._seed, self._chance

    def _read(self, move: str) -> list[tuple[int, int]]:
        """Actor and code of a move or event, or of each of several outcomes."""
        if is_event(move):
            return read_events(self._game.core, move)
        actor = self.core.turn
        return [(actor, code) for code in read_moves(self._game.core, actor, move)]

    def _played(self, events: Sequence[tuple[int, int]]) -> list[Step]:
        """The steps of events from now on, each by the one to act."""
        state = self.core
        steps: list[Step] = []
        for actor, code in events:
            if actor != state.turn:
                event = event_text(self._game.core, actor, code)
                raise WrongActor(
                    f"{shown(event)} is by {actor_name(actor)}, but {actor_name(state.turn)} is to act.",
                    given=event,
                    allowed=[] if state.turn == _core.OVER else [actor_name(state.turn)],
                )
            steps.append(_step(state, actor, code))
            state = steps[-1][2]
        return steps

    def _before(self, index: int) -> _core.State:
        """The truth before an event, or with the number of all of them, now."""
        return self._steps[index - 1][2] if index else self._first

    def _rolled(self, state: _core.State) -> list[Step]:
        """What chance brings after a decision, if the table rolls."""
        rolled: list[Step] = []
        if self._chance != "auto" or state.turn != _core.CHANCE:
            return rolled
        before = sum(actor == _core.CHANCE for actor, _, _ in self._steps)
        while state.turn == _core.CHANCE:
            code = state.roll(_core.Rng(self._seed, "chance", before + len(rolled)))
            rolled.append(_step(state, _core.CHANCE, code))
            state = rolled[-1][2]
        return rolled

    def _cut(self, events: int) -> None:
        for seen in self._seen.values():  # first: it may be behind the record, never ahead
            del seen[events:]
        del self._steps[events:]

    def _seen_by(self, seat: int) -> list[str]:
        seen = self._seen.setdefault(seat, [])
        for index in range(len(seen), len(self._steps)):
            actor, code, _ = self._steps[index]
            seen.append(event_text(self._game.core, actor, self._before(index).seen(code, seat)))
        return seen

    def _start_of(self, seat: int) -> dict[str, Any]:
        if seat not in self._starts:
            view = self._first.view(seat)
            self._starts[seat] = shortest(
                view.to_dict(), build=lambda facts: self._game.core.view(seat, facts), whole=view
            )
        return self._starts[seat]


def _step(state: _core.State, actor: int, code: int) -> Step:
    return actor, code, state.play(code)  # the core says what is wrong with it


def _restore(game: "Game", start: dict[str, Any], seed: int, chance: "Chance", record: list[str]) -> Table:
    """A pickled table, replayed."""
    return Table(game, start, seed=seed, chance=chance, record=record)
