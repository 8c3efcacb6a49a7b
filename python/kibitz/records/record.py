"""A game as it was played: who sat where, what happened, how it ended."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date as day
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kibitz.bot import Bot, Player, name_of
from kibitz.clock import Clock
from kibitz.errors import InvalidPosition, shown
from kibitz.events import read_seat
from kibitz.game import Game
from kibitz.records.files import as_path, replacing
from kibitz.records.shared import SHARE, packed, unpacked
from kibitz.table import Table
from kibitz.view import View

if TYPE_CHECKING:
    from kibitz.records.document import RecordDocument
    from kibitz.reviews import Review

__all__ = ["Ended", "Record", "Seated"]

Ended = Literal["abandoned", "adjourned", "agreed", "error", "forfeit", "resigned", "time"]
"""Why an unfinished game went no further. A fixed list: a free text could tell hands."""


@dataclass(frozen=True, kw_only=True)
class Seated:
    """Who sat at a seat.

    Attributes:
        name: What it goes by, None where nobody said.
        kind: `"bot"` or `"person"`, None where nobody said.
        settings: How a bot was set, as arguments of `Bot`; None where nobody said.
    """

    name: str | None = None
    kind: Literal["bot", "person"] | None = None
    settings: dict[str, Any] | None = field(default=None, hash=False)


class Record:
    """A game as it was played, finished or not: the whole truth, or what one seat saw of it. An immutable value.

    Made by `Record.of`, `Record.load` and `Record.from_share`. Its document is that of a table or view with four
    optional keys more (`seats`, `results`, `date`, `tags`), so every document of those is a record as well.

    >>> import kibitz
    >>> from kibitz.records import Record
    >>> table = kibitz.load("tic_tac_toe").deal(seed=1)
    >>> for move in ["a1", "b1", "a2", "b2", "a3"]:
    ...     table.play(move)
    >>> record = Record.of(table, seats=["Ada", kibitz.Bot("greedy")], date="2026-12-01")
    >>> record.returns, record.seats[1].name
    ((1.0, 0.0), 'greedy')
    >>> Record.from_share(record.share()) == record
    True
    """

    __slots__ = ("_date", "_ended", "_seats", "_source", "_tags")

    _source: Table | View
    _seats: tuple[Seated, ...]
    _date: str | None
    _tags: dict[str, str]
    _ended: Ended | None

    @staticmethod
    def of(
        source: Table | View,
        *,
        seats: Sequence[Seated | Player | Mapping[str, Any] | str | None] | None = None,
        date: day | str | None = None,
        tags: Mapping[str, str] | None = None,
        ended: Ended | None = None,
    ) -> "Record":
        """The record of a table as it is now, or of what a seat knows.

        Args:
            source: The table, which may go on afterwards; or the view.
            seats: Who sits where, one a seat: a name, a `Seated` or its fields, a bot, or None. Left out: unknown.
            date: A day, or a moment with its offset from UTC; ISO 8601 if a text.
            tags: Anything else, as texts. Nobody checks what they tell, so `masked` leaves them out.
            ended: Why it goes no further, if it is not over.

        Raises:
            InvalidPosition: An argument that is not allowed.
        """
        if not isinstance(source, Table | View):
            raise InvalidPosition(f"A record is of a table or a view, not {shown(source)}.", given=source)
        head: dict[str, Any] = {
            "game": source.game.slug,
            "seats": None if seats is None else _listed(seats),
            "results": None if ended is None else {"ended": ended},
            "date": date,
            "tags": tags,
        }
        return _built(_read(head), source.copy() if isinstance(source, Table) else source)

    @property
    def game(self) -> Game:
        """Game and options."""
        return self._source.game

    @property
    def seat(self) -> int | None:
        """Whose eyes; None for the whole truth."""
        return self._source.seat if isinstance(self._source, View) else None

    @property
    def source(self) -> Table | View:
        """The table, as one of its own, or the view."""
        return self._source.copy() if isinstance(self._source, Table) else self._source

    @property
    def table(self) -> Table:
        """The whole truth, as a table of its own.

        Raises:
            InvalidPosition: The record is what one seat saw.
        """
        if isinstance(self._source, View):
            raise InvalidPosition(
                f"The record is what seat {self._source.seat} saw; there is no table in it."
            )
        return self._source.copy()

    @property
    def view(self) -> View:
        """What the seat knows, of a record that is one seat's.

        Raises:
            InvalidPosition: The record is the whole truth; `masked` says whose view is wanted.
        """
        if isinstance(self._source, Table):
            raise InvalidPosition(
                "The record is the whole truth, nobody's view; masked(seat) makes it a seat's."
            )
        return self._source

    @property
    def events(self) -> tuple[str, ...]:
        """What happened, with a seat's record as it saw it."""
        return tuple(self._source.record)

    @property
    def seats(self) -> tuple[Seated, ...]:
        """Who sat where; empty where nobody said."""
        return self._seats

    @property
    def date(self) -> str | None:
        """When it was played, ISO 8601, if somebody said."""
        return self._date

    @property
    def tags(self) -> dict[str, str]:
        """Whatever else was said."""
        return dict(self._tags)

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self._source.turn is None

    @property
    def ended(self) -> Ended | None:
        """Why an unfinished game went no further, if somebody said."""
        return self._ended

    @property
    def returns(self) -> tuple[float, ...] | None:
        """Each seat's share of the win; None before the end."""
        return tuple(_truth(self._source).returns()) if self.over else None

    @property
    def score(self) -> tuple[int, ...]:
        """What the rule book counts after the record."""
        return tuple(_truth(self._source).score())

    def masked(self, seat: int) -> "Record":
        """The record as a seat saw it: no card in it that it could not see.

        Tags and the settings of bots are left out, since nobody can say what they tell; so is the seed.

        Raises:
            InvalidOption: No such seat.
            InvalidPosition: The record is what another seat saw.
        """
        number = read_seat(self.game.core, seat)
        if self.seat not in (None, number):
            raise InvalidPosition(
                f"The record is what seat {self.seat} saw; it cannot tell what seat {number} saw.",
                given=seat,
                allowed=(self.seat,),
            )
        view = self._source.view(seat=number) if isinstance(self._source, Table) else self._source
        seats = [Seated(name=each.name, kind=each.kind) for each in self._seats]
        return Record.of(view, seats=seats or None, date=self._date, ended=self._ended)

    def review(self, **settings: Any) -> "Review":
        """Looks at every decision; the arguments are those of `kibitz.review`."""
        from kibitz.reviews import review

        return review(self._source, **settings)

    def to_dict(self) -> dict[str, Any]:
        """The document that `to_json` writes, as plain values: that of the table or view, then what is known beside."""
        document = self._source.to_dict()
        if self._seats:
            document["seats"] = [asdict(each) for each in self._seats]
        truth = _truth(self._source)
        document["results"] = {
            "returns": truth.returns() if self.over else None,
            "score": truth.score(),
            "ended": self._ended,
        }
        if self._date is not None:
            document["date"] = self._date
        if self._tags:
            document["tags"] = self.tags
        return document

    def to_json(self, *, indent: int | None = None) -> str:
        """One JSON document; `load` gives the record back."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema of `to_json`."""
        from kibitz.records.document import RecordDocument

        return RecordDocument.model_json_schema()

    def save(self, path: str | Path) -> None:
        """Writes `to_json` to a file, whole or not at all: what was there stays until all is written.

        Raises:
            InvalidOption: No name of a file.
            OSError: It cannot be written.
        """
        with replacing(path) as file:
            file.write(self.to_json(indent=2) + "\n")

    @staticmethod
    def load(source: Path | str | bytes | Mapping[str, Any]) -> "Record":
        """A record from its document, or from that of a table or view; replayed and checked.

        Args:
            source: A `Path` is read as a file. A text is the JSON itself or a shared text, never the name of a file,
                so that what came from outside opens none.

        Raises:
            InvalidPosition: Not such a document, it breaks a rule, it claims results that are not those of its
                record, or it was played by rules of another version; the field is named.
            UnknownGame, InvalidOption: The game or its options are not known.
            OSError: The file cannot be read.
        """
        from kibitz.documents import MAX_BYTES

        if isinstance(source, Path):
            with as_path(source).open("rb") as file:
                source = file.read(MAX_BYTES + 1)
        if isinstance(source, str):
            source = source.removeprefix("\N{BYTE ORDER MARK}").strip()
            if source.startswith(SHARE):
                return Record.from_share(source)
            if source[:1] != "{":
                raise InvalidPosition(
                    f"{shown(source)} is neither JSON nor a shared text; a file is read by "
                    "Record.load(pathlib.Path(name)).",
                    given=source,
                )
        return _built(_read(source), None)

    def share(self) -> str:
        """The record as one text without spaces that may stand in an address: `kibitz1.` and letters, digits, - and _.

        It is the document, compressed; `from_share` and `load` read it.
        """
        document = self.to_dict()
        document.pop("view", None)  # follows from start and record
        return packed(document)

    @staticmethod
    def from_share(text: str) -> "Record":
        """The record of a shared text; replayed and checked as by `load`.

        Raises:
            InvalidPosition, UnknownGame, InvalidOption: As `load`; or no such text, cut off, or too long when unpacked.
        """
        return Record.load(unpacked(text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.game, self.seat, self.events, self._date))

    def __copy__(self) -> "Record":
        return self

    def __deepcopy__(self, memo: object) -> "Record":
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Record.load, (self.to_dict(),)  # a pickle is checked like anything else from outside

    def __repr__(self) -> str:
        whose = "" if self.seat is None else f" as seat {self.seat} saw it"
        return f"<Record {self.game.slug}{whose}: {len(self.events)} events, {'over' if self.over else 'unfinished'}>"

    def _identity(self) -> tuple[object, ...]:
        return self._source, self._seats, self._date, self._tags, self._ended


def _read(source: str | bytes | Mapping[str, Any]) -> "RecordDocument":
    from kibitz.records.document import read_record

    return read_record(source)


def _built(document: "RecordDocument", source: Table | View | None) -> Record:
    """The record of a document, replayed unless its table or view is there."""
    from kibitz.records.document import check_results, source_of

    found = source_of(document) if source is None else source
    seats = tuple(Seated(**each.model_dump()) for each in document.seats or ())
    if document.seats is not None and len(seats) not in (0, found.game.seats):
        raise InvalidPosition(
            f"'seats' has {len(seats)} entries, but {found.game.slug} has {found.game.seats} seats here.",
            given=len(seats),
            allowed=(found.game.seats,),
        )
    record = Record()
    record._source, record._seats = found, seats
    record._date, record._tags = document.date, document.tags or {}
    record._ended = None if document.results is None else document.results.ended
    if document.results is not None:
        check_results(document.results, returns=record.returns, score=record.score)
    return record


def _truth(source: Table | View) -> Table:
    """A table that has the results of a record. Of a view any of its worlds: every seat knows the results.

    It is made from the view alone, so that what is written of one cannot tell more than it knows.
    """
    return source if isinstance(source, Table) else source.sample(seed=0)


def _listed(seats: object) -> list[dict[str, Any]]:
    if isinstance(seats, str | bytes) or not isinstance(seats, Sequence):
        raise InvalidPosition(
            f"'seats' cannot be {shown(seats)}; it is a list, one entry a seat.", given=seats
        )
    return [_entry(each) for each in seats]


def _entry(given: object) -> Any:
    """Somebody at a seat, as the document has it."""
    if given is None or isinstance(given, str):
        return {"name": given}
    if isinstance(given, Seated):
        return {"name": given.name, "kind": given.kind, "settings": given.settings}
    if isinstance(given, Bot):
        settings = given.settings.given() | {"seed": given.seed}
        plain = {name: str(item) if isinstance(item, Clock) else item for name, item in settings.items()}
        return {"name": given.name, "kind": "bot", "settings": plain}
    if isinstance(given, Player) and not isinstance(given, type):
        return {"name": name_of(given), "kind": "bot"}
    return given
