"""A game with its options fixed: where tables and views come from."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from kibitz import _core
from kibitz.errors import InvalidOption, InvalidPosition, KibitzError, UnknownGame, did_you_mean, shown
from kibitz.events import check_record, read_seat, record_fault
from kibitz.given import as_whole, mapping, plain

if TYPE_CHECKING:
    from kibitz.table import Table
    from kibitz.view import View

__all__ = ["Chance", "Game", "OptionValue", "games", "load", "options_from_text"]

OptionValue: TypeAlias = int | bool | str | Mapping[str, Any] | None
Chance: TypeAlias = Literal["auto", "manual"]


def games() -> list[str]:
    """The names of all games, sorted.

    >>> "kami" in games()
    True
    """
    return sorted(_core.games())


def load(slug: str, **options: OptionValue | Path) -> "Game":
    """A game by its name, with options.

    Args:
        slug: One of `games()`.
        options: The game's own, `players` among them; the others keep their defaults (`game.info["options"]`).
            An option of kind "data" takes a mapping, or the path of a JSON file that holds one; only here is a
            file read, never for an option inside a document.

    Raises:
        UnknownGame: No game of that name.
        InvalidOption: No such option, a value it does not take, or a file that cannot be read.

    >>> load("kami", players=3, victory="lord")
    kibitz.load('kami', players=3, victory='lord')
    """
    kinds = {option["name"]: option["kind"] for option in _info(slug)["options"]}
    return Game(
        slug,
        {
            name: _option_file(slug, name, value)
            if isinstance(value, Path) or (isinstance(value, str) and kinds.get(name) == "data")
            else value
            for name, value in options.items()
        },
    )


def options_from_text(slug: str, texts: Mapping[str, str]) -> dict[str, OptionValue]:
    """Options typed by a person or read from a form, in the types that `load` takes.

    Only the type is read here, by the kind of each option; whether the value is allowed is for `load` to say.

    Raises:
        UnknownGame: No game of that name.
        InvalidOption: A text that is no whole number, or not true or false, where one is needed.

    >>> options_from_text("kami", {"players": "3", "redeal": "false", "victory": "lord"})
    {'players': 3, 'redeal': False, 'victory': 'lord'}
    """
    kinds = {option["name"]: option["kind"] for option in _info(slug)["options"]}
    return {
        name: _option_from_text(slug, name, text, kinds.get(name))
        for name, text in mapping("texts", texts).items()
    }


class Game:
    """One game with its options fixed. A value: equal, hashable and picklable by name and options.

    Args:
        slug: One of `games()`.
        options: As in `load`.

    >>> game = load("kami")
    >>> game.slug, game.seats, game.teams
    ('kami', 4, (0, 1, 0, 1))
    >>> game == load("kami", players=4)
    True
    """

    __slots__ = ("core",)

    core: _core.Game
    """The compiled value behind this one. Faster, and without the promises of the public names."""

    def __init__(self, slug: str, options: Mapping[str, OptionValue] | None = None) -> None:
        _info(slug)
        self.core = _core.Game(slug, {} if options is None else mapping("options", options))

    @property
    def slug(self) -> str:
        """Its name: in options, records and files."""
        return self.core.slug

    @property
    def options(self) -> dict[str, OptionValue]:
        """All options with their values, `players` among them."""
        return dict(self.core.options)

    @property
    def seats(self) -> int:
        """How many seats; they are numbered from 0 in turn order."""
        return self.core.seats

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat: all the same in a co-operative game, all different in a free-for-all."""
        return tuple(self.core.teams)

    @property
    def info(self) -> dict[str, Any]:
        """Facts that do not hang on options: name, summary, rules, players, options, cooperative, grammar, start."""
        return _core.info(self.slug)

    @property
    def rules(self) -> str:
        """Name and version of the rules, `"kami/1"`; written into every record."""
        return str(self.info["rules"])

    def deal(self, *, seed: int, chance: Chance = "auto") -> "Table":
        """A fresh table after the first deal.

        Args:
            seed: Same seed and options, same deals, now and later in the game, whatever is played.
            chance: `"auto"`: the table rolls what chance decides. `"manual"`: it stops there (`table.turn` is
                `"chance"`) and waits for `table.play` of one of `table.outcomes()`. The first deal is `seed`'s
                in both cases; `blank` leaves that to the caller too.

        >>> load("kami").deal(seed=7) == load("kami").deal(seed=7)
        True
        """
        from kibitz.table import Table

        number = read_seed(seed)
        return Table(self, self.core.deal(number), seed=number, chance=chance)

    def blank(self, *, seed: int = 0, chance: Chance = "manual") -> "Table":
        """A table before anything was dealt; the outcomes of the deal are played one by one.

        >>> load("kami").blank().turn
        'chance'
        """
        from kibitz.table import Table

        return Table(self, self.core.blank(), seed=read_seed(seed), chance=chance)

    def setup(self, position: Mapping[str, Any] | str, *, seed: int = 0, chance: Chance = "auto") -> "Table":
        """A table from an explicit start, or from a record in the game's own notation.

        Args:
            position: The truth, as in `table.start` or a part of it (`game.info["start"]` names the keys); a key
                `record` may hold the events since, such as `["1:-", "1:d3"]`. Or a text in the game's notation.
            seed: For what chance decides later.
            chance: As in `deal`.

        Raises:
            InvalidPosition: Breaks a rule of the game; an event of the record is named by number and text.

        >>> hands = ["11113477", "12344568", "11123368", "11224555"]
        >>> table = load("kami", redeal=False).setup({"hands": hands, "first": 1, "record": ["1:d3", "1:a4"]})
        >>> table.turn, table.legal()
        (2, ['p', 'd8'])
        """
        from kibitz.table import Table

        if isinstance(position, str):
            from kibitz.notation import read

            found = read(position, slug=self.slug, options=self.options, seat=None)
            if not isinstance(found, Table):
                raise InvalidPosition(
                    "The notation leaves cards open, so no table can be set up; see read_position."
                )
            return Table(self, found.start, seed=read_seed(seed), chance=chance, record=found.record)
        if not isinstance(position, Mapping):
            raise InvalidPosition(
                f"A position is a mapping or a text in the game's notation, not {shown(position)}.",
                given=position,
            )
        start = dict(position)
        return Table(self, start, seed=read_seed(seed), chance=chance, record=start.pop("record", ()))

    def view(
        self, *, seat: int, start: Mapping[str, Any], record: Sequence[str] = (), mask: bool = False
    ) -> "View":
        """What a seat knows, from what it held at the start and the events as it saw them.

        Args:
            seat: Whose view.
            start: What this seat knew before the first event (`game.info["start"]` names the keys).
            record: All events since, in order, also those of chance; hidden parts masked.
            mask: Whether to mask what the seat may not see instead of refusing it.

        Raises:
            InvalidOption: No such seat.
            InvalidPosition: The start breaks a rule, or an event does not fit; it is named by number and text, and
                the exception's `__cause__` says of which kind it is.

        >>> start = {"hand": "11113477", "first": 1, "totals": [0, 0]}
        >>> view = load("kami", redeal=False).view(seat=0, start=start, record=["1:dx", "1:a4", "2:p", "3:p"])
        >>> view.legal()
        ['p', 'd4']
        """
        from kibitz.view import View

        number = read_seat(self.core, seat)
        check_record(record)
        if not isinstance(start, Mapping):
            raise InvalidPosition(f"A start is a mapping, not {shown(start)}.", given=start)
        view = View(self, self.core.view(number, dict(start)), start=plain(start))
        for index, event in enumerate(record):
            try:
                view = view.observe(event, mask=mask)
            except KibitzError as error:
                raise record_fault(index, event, error) from error
        return view

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.core == other.core

    def __hash__(self) -> int:
        return hash(self.core)

    def __repr__(self) -> str:
        defaults = {option["name"]: option["default"] for option in self.info["options"]}
        chosen = {name: value for name, value in self.options.items() if value != defaults.get(name)}
        return f"kibitz.load({', '.join([repr(self.slug), *(f'{k}={v!r}' for k, v in chosen.items())])})"

    def __reduce__(self) -> tuple[type["Game"], tuple[str, dict[str, OptionValue]]]:
        return Game, (self.slug, self.options)


def _option_file(slug: str, name: str, path: str | Path) -> dict[str, Any]:
    """The JSON object in a file, for an option of kind "data"."""
    from kibitz.documents import MAX_BYTES, parse_json

    try:
        with Path(path).open("rb") as file:
            return parse_json(file.read(MAX_BYTES + 1))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidOption(
            f"{slug}: {name} cannot be read from the file {shown(str(path))}: {why}.", given=path
        ) from None
    except InvalidPosition as error:
        raise InvalidOption(
            f"{slug}: {name} cannot be read from the file {shown(str(path))}. {error.message}", given=path
        ) from None


def read_seed(seed: object, *, name: str = "seed") -> int:
    """A seed: a whole number that fits 64 bits.

    Raises:
        InvalidOption: Anything else.
    """
    number = as_whole(seed)
    if number is None or not 0 <= number < 2**64:
        raise InvalidOption(
            f"{name} cannot be {shown(seed)}; it is a whole number from 0 to 2**64 - 1.", given=seed
        )
    return number


def derived_seed(*parts: object) -> int:
    """A seed of 64 bits from what names a thing: a hash, so that neighbours have nothing in common.

    >>> derived_seed(1, "deal", 0) != derived_seed(1, "deal", 1)
    True
    """
    text = "/".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def _info(slug: object) -> dict[str, Any]:
    names = games()
    if isinstance(slug, str) and slug in names:
        return _core.info(slug)
    raise UnknownGame(
        f"There is no game {shown(slug)}{did_you_mean(slug, names)} Games: {', '.join(names)}.",
        given=slug,
        allowed=names,
    )


def _option_from_text(slug: str, name: str, text: object, kind: str | None) -> OptionValue:
    if not isinstance(text, str):
        raise InvalidOption(f"{slug}: {name} cannot be {shown(text)}; it is a text.", given=text)
    text = str.__str__(text)
    if kind == "int":
        try:
            return int(text)
        except ValueError:
            raise InvalidOption(
                f"{slug}: {name} cannot be {shown(text)}; it is a whole number.", given=text
            ) from None
    if kind == "bool":
        if text.lower() not in ("true", "false"):
            raise InvalidOption(
                f"{slug}: {name} cannot be {shown(text)}; allowed: true, false.",
                given=text,
                allowed=("true", "false"),
            )
        return text.lower() == "true"
    return text
