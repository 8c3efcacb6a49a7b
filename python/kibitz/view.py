"""A view: what one seat may know of a game, and how it came to know it."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from html import escape
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.errors import IllegalMove, TooMuch, WrongActor, shown
from kibitz.events import Turn, actor_name, event_text, parse_move, read_events, turn_of

if TYPE_CHECKING:
    from kibitz.game import Game
    from kibitz.odds import Odds
    from kibitz.table import Table

__all__ = ["View", "observed"]


class View:
    """One seat's knowledge: what it held at the start and the events since, as it saw them. An immutable value.

    Made by `Game.view`, `Table.view` and `View.from_json`. Everything a search or a bot gets is a view.

    Two views are equal if they are the same seat's, know the same and came by the same record.

    >>> import kibitz
    >>> table = kibitz.load("kami", redeal=False).deal(seed=7)
    >>> view = table.view()
    >>> view.seat == table.turn, view.legal() == table.legal(), view.record
    (True, True, ())
    """

    __slots__ = ("_core", "_game", "_record", "_start")

    def __init__(
        self, game: "Game", core: _core.View, *, start: Mapping[str, Any], record: Sequence[str] = ()
    ) -> None:
        self._game = game
        self._core = core
        self._start = start
        self._record = tuple(record)

    @property
    def game(self) -> "Game":
        """Game and options."""
        return self._game

    @property
    def core(self) -> _core.View:
        """The compiled value behind this one. Faster, and without the promises of the public names."""
        return self._core

    @property
    def seat(self) -> int:
        """Whose view it is."""
        return self._core.seat

    @property
    def turn(self) -> Turn:
        """The seat to decide, None when the game is over, `"chance"` before an outcome."""
        return turn_of(self._core.turn)

    @property
    def start(self) -> dict[str, Any]:
        """What the seat knew before the first event."""
        return deepcopy(dict(self._start))

    @property
    def record(self) -> tuple[str, ...]:
        """The events since the start as the seat saw them, hidden parts masked."""
        return self._record

    @property
    def digest(self) -> str:
        """16 hexadecimal digits of what the seat knows, the same on every machine."""
        return f"{self._core.digest:016x}"

    def legal(self) -> list[str]:
        """The legal moves of this seat, in the game's fixed order; empty unless it is its turn."""
        return [self._game.core.move_text(code) for code in self._core.moves()]

    def check(self, move: str) -> str:
        """The rule that a decision of this seat would break, as a sentence; empty when it is legal."""
        try:
            return self._core.check(parse_move(self._game.core, move))
        except IllegalMove as error:
            return error.message

    def observe(self, event: str, *, mask: bool = False) -> "View":
        """The view after an event, own or another's, as this seat sees it. This view stays as it is.

        Checked in this order: the actor, whether it tells too much, whether it is legal for any hand, whether it
        agrees with what this seat knows.

        Args:
            event: `"<seat>:<move>"` or `"*:<outcome>"`; or several outcomes in one text, where the game has such
                (`"*:tasks P3 B9"`): all or none.
            mask: Whether to mask what the seat may not see instead of refusing it.

        Raises:
            WrongActor: Another seat, or chance, is to act. (An `IllegalMove`, as are the next two.)
            TooMuch: It tells what this seat may not see.
            IllegalMove: Not legal for any hand that seat may hold.
            InvalidPosition: Legal in itself, but no deal agrees with it and with what this seat knows.

        >>> import kibitz
        >>> start = {"hand": "11113477", "first": 1}
        >>> view = kibitz.load("kami", redeal=False).view(seat=0, start=start)
        >>> view.observe("1:d3", mask=True).record
        ('1:dx',)
        >>> view.observe("1:d3")
        Traceback (most recent call last):
        kibitz.errors.TooMuch: '1:d3' tells seat 0 what it may not see; seat 0 sees '1:dx'.
        """
        core, texts = self._core, []
        for actor, code in read_events(self._game.core, event):
            core, text = observed(core, actor, code, mask=mask)
            texts.append(text)
        return View(self._game, core, start=self._start, record=(*self._record, *texts))

    def sample(self, *, seed: int, index: int = 0) -> "Table":
        """A world: one truth that fits this view, uniform over all, as a table that starts now.

        Args:
            seed: Same seed and index, same world.
            index: Which of the worlds of this seed, 0 or more.

        >>> import kibitz
        >>> view = kibitz.load("kami").deal(seed=7).view(seat=2)
        >>> view.sample(seed=1).view(seat=2).digest == view.digest
        True
        """
        from kibitz.game import read_seed
        from kibitz.table import Table

        number = read_seed(seed)
        rng = _core.Rng(number, "world", read_seed(index, name="index"))
        state = self._core.sample(rng)
        # Its later deals are its own: not those of a table that happens to have the same seed.
        return Table(self._game, state, seed=rng.below(2**63))

    def odds(self, *, worlds: int = 1000, seed: int = 0) -> "Odds":
        """Where the hidden cards may lie: the shares of so many worlds, drawn uniformly; `kibitz.odds` says more.

        Raises:
            InvalidOption: An argument that is not allowed, or a game whose hidden cards are not drawn.

        >>> import kibitz
        >>> view = kibitz.load("thecrew", mission=1).deal(seed=7).view(seat=1)
        >>> found = view.odds(worlds=200)
        >>> [place.name for place in found.places]
        ['seat 2', 'seat 3', 'seat 0']
        >>> 0 < found.probability(2, "R2") < 1
        True
        """
        from kibitz.odds import odds

        return odds(self, worlds=worlds, seed=seed)

    def draw(self) -> str:
        """The table as text, as this seat sees it."""
        return self._core.draw()

    def to_svg(self, *, width: int = 720) -> str:
        """The table as a picture, as this seat sees it: one SVG document, `width` pixels wide.

        Raises:
            InvalidOption: A width that is not allowed.
        """
        from kibitz.scenes import scene_of, to_svg

        return to_svg(scene_of(self), width=width)

    def to_dict(self) -> dict[str, Any]:
        """Game, options, seat, start, record and the view they give as plain values; what `to_json` writes."""
        return {
            "kibitz": 1,
            "game": self._game.slug,
            "rules": self._game.rules,
            "options": self._game.options,
            "seat": self.seat,
            "start": self.start,
            "record": list(self._record),
            "view": self._core.to_dict(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """One JSON document; `from_json` gives the view back.

        >>> import kibitz
        >>> view = kibitz.load("kami").deal(seed=7).view(seat=2)
        >>> kibitz.View.from_json(view.to_json()) == view
        True
        """
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @staticmethod
    def from_json(document: str | bytes | Mapping[str, Any]) -> "View":
        """A view from its JSON document: start and record, or the flattened view alone, or both.

        With both, they must agree. A view alone has no record: the seat's memory then begins here.

        Raises:
            InvalidPosition: Not such a document, another version, it breaks a rule, or it contradicts itself; the
                field is named.
            UnknownGame, InvalidOption: The game, its options or the seat are not known.

        >>> import kibitz
        >>> kibitz.View.from_json('{"game": "kami", "seat": 0, "start": {"hand": "11113477", "first": 1}}').turn
        1
        """
        from kibitz.documents import view_from_document

        return view_from_document(document)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema of `to_json`."""
        from kibitz.documents import ViewDocument

        return ViewDocument.model_json_schema()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._core == other._core and self._record == other._record

    def __hash__(self) -> int:
        return hash((self._core, self._record))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore, (self._game, self.seat, self.start, self._record)

    def __repr__(self) -> str:
        turn = "over" if self._core.turn == _core.OVER else f"{actor_name(self._core.turn)} to act"
        return f"<View {self._game.slug}, seat {self.seat} of {self._game.seats}: {len(self._record)} events, {turn}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.draw())}</pre>"

    def _repr_svg_(self) -> str:
        return self.to_svg()


def observed(view: _core.View, actor: int, code: int, *, mask: bool) -> tuple[_core.View, str]:
    """A compiled view after an event, and the event as its seat saw it; checked and refused as by `View.observe`."""
    game = view.game
    if actor != view.turn:
        event = event_text(game, actor, code)
        raise WrongActor(
            f"{shown(event)} is by {actor_name(actor)}, but {actor_name(view.turn)} is to act.",
            given=event,
            allowed=[] if view.turn == _core.OVER else [actor_name(view.turn)],
        )
    masked = view.mask(actor, code)
    if masked != code and not mask:
        event, allowed = event_text(game, actor, code), event_text(game, actor, masked)
        raise TooMuch(
            f"{shown(event)} tells seat {view.seat} what it may not see; seat {view.seat} sees {allowed!r}.",
            given=event,
            allowed=[allowed],
            rule=f"{game.slug}: hidden information",
        )
    return view.observe(actor, masked), event_text(game, actor, masked)


def _restore(game: "Game", seat: int, start: dict[str, Any], record: tuple[str, ...]) -> View:
    """A pickled view, replayed."""
    return game.view(seat=seat, start=start, record=record)
