"""The campaign of The Crew: missions in order, each tried with new deals until it is won."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz.bot import Player, as_player
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, did_you_mean, shown
from kibitz.events import actor_name
from kibitz.game import Game, OptionValue, derived_seed, read_seed
from kibitz.given import as_whole, whole
from kibitz.logbook import MISSIONS, MOST_ATTEMPTS, LogEntry, check_log, listed, log_layout, mission_list
from kibitz.progress import Progress, reporting
from kibitz.table import Table

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["GAME", "OPTIONS", "Campaign", "check_option_names"]

PathText: TypeAlias = str | os.PathLike[str]

GAME = "thecrew"
OPTIONS = ("players", "challenge", "distress", "radio", "five_pass")  # the others choose a single mission


class Campaign:
    """A crew's way through the missions: the log of what it has done, and the attempt that comes next.

    Every attempt has new cards and tasks. They depend on `seed`, the mission and the number of the attempt alone:
    each attempt can be dealt again, and a campaign taken up from a file goes on as if it had never stopped.

    Two campaigns are equal if their missions, options, seeds and logs are.

    Args:
        missions: Which, each once and in order; by default all, 1 to 50. See `journey`.
        seed: Names the deals.
        log: What was done before.
        options: Of the game, for every mission: `players`, `challenge`, `distress`, `radio`, `five_pass`.

    Raises:
        InvalidOption: An argument that is not allowed, or an option that chooses a mission.
        InvalidPosition: A log that is none of these missions.

    >>> import kibitz
    >>> campaign = kibitz.Campaign(missions=[1, 2, 5], seed=1)
    >>> bot = kibitz.Bot("greedy")
    >>> table = campaign.deal()
    >>> while table.turn is not None:
    ...     table.play(bot.act(table.view()))
    >>> campaign.enter(table)
    >>> campaign.play(bot)
    >>> print(campaign)
    mission  attempts  distress  score  result
    ...
    The Crew, missions 1, 2, 5, players 4, seed 1: all won.
    Score ...
    """

    __slots__ = ("_log", "_missions", "_options", "_seed")

    def __init__(
        self,
        *,
        missions: Iterable[int] = MISSIONS,
        seed: int = 0,
        log: Sequence[LogEntry] = (),
        **options: OptionValue,
    ) -> None:
        self._missions = mission_list(missions)
        self._seed = read_seed(seed)
        check_option_names(options)
        chosen = Game(GAME, options).options
        self._options = {name: chosen[name] for name in OPTIONS}
        # Replaced in one go, so that Ctrl-C finds it whole.
        self._log = check_log(log, self._missions, distress=str(self._options["distress"]))

    @property
    def missions(self) -> tuple[int, ...]:
        """The missions in order."""
        return self._missions

    @property
    def options(self) -> dict[str, OptionValue]:
        """Options of every mission, `players` among them."""
        return dict(self._options)

    @property
    def seed(self) -> int:
        """What names the deals."""
        return self._seed

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The missions that were tried, in order. All but the last are won."""
        return self._log

    @property
    def done(self) -> bool:
        """Whether all missions are won."""
        return self._won() == len(self._missions)

    @property
    def mission(self) -> int | None:
        """The mission to be tried next; None when all are won."""
        return None if self.done else self._missions[self._won()]

    @property
    def attempt(self) -> int | None:
        """The number of the next attempt at that mission, from 1; None when all are won."""
        return None if self.mission is None else self._attempts(self.mission) + 1

    @property
    def attempts(self) -> int:
        """How many were played to the end, over all missions: what is counted online."""
        return sum(entry.attempts for entry in self._log)

    @property
    def score(self) -> int:
        """Attempts, and 1 for every mission with a distress signal: what the printed rules count."""
        return sum(entry.score for entry in self._log)

    def deal(self, *, mission: int | None = None, attempt: int | None = None) -> Table:
        """The table of an attempt, freshly dealt.

        Args:
            mission: One of the campaign's; by default the one to be tried next.
            attempt: From 1; by default the next one at that mission.

        Raises:
            InvalidOption: No such mission or attempt.
            InvalidPosition: All missions are won, and none is given.

        >>> import kibitz
        >>> campaign = kibitz.Campaign(seed=1)
        >>> campaign.deal() == campaign.deal(mission=1, attempt=1)
        True
        """
        number = self._current() if mission is None else as_whole(mission)
        if number not in self._missions:
            raise InvalidOption(
                f"mission cannot be {shown(mission)}; the campaign has {listed(self._missions)}.",
                given=mission,
                allowed=self._missions,
            )
        if attempt is None:
            attempt = self._attempts(number) + 1
        attempt = whole("attempt", attempt, least=1, most=MOST_ATTEMPTS)
        seed = derived_seed(self._seed, "mission", number, attempt)
        return Game(GAME, {**self._options, "mission": number}).deal(seed=seed)

    def enter(self, table: Table) -> None:
        """Enters the next attempt, played to its end. A mission that is won is followed by the next one.

        Raises:
            InvalidOption: No table.
            InvalidPosition: The campaign is over, or the table is of another mission, not at its end, or not what
                `deal` deals now. Nothing is entered.
        """
        mission, dealt = self._current(), self.deal()
        what = f"attempt {self.attempt} at mission {mission}"
        if not isinstance(table, Table):
            raise InvalidOption(f"A table is entered, not {shown(table)}.", given=table)
        if table.game != dealt.game:
            raise InvalidPosition(f"The table is of {table.game!r}; next is {what}, {dealt.game!r}.")
        if table.turn is not None:
            raise InvalidPosition(
                f"The table is not at its end: {actor_name(table.core.turn)} is to act. Only a finished attempt counts."
            )
        if not _comes_from(table, dealt):
            raise InvalidPosition(
                f"The table is not {what}, which deal() deals with seed {dealt.seed}: it has other cards, or chance "
                "brought something else."
            )
        won = self._won()
        sent = [entry.distress for entry in self._log[won:]]
        entry = LogEntry(
            mission=mission,
            attempts=self._attempts(mission) + 1,
            distress=any(sent) or bool(table.core.to_dict()["distress"]),
            won=table.returns()[0] == 1,
        )
        self._log = (*self._log[:won], entry)

    def play(
        self,
        bots: object,
        *,
        max_attempts: int = 100,
        path: PathText | None = None,
        progress: Progress = None,
    ) -> None:
        """Plays on with bots, until all missions are won or one is lost for the `max_attempts`-th time.

        If a bot's exception or Ctrl-C breaks it off, all finished attempts are in the log and in the file.

        Args:
            bots: One for all seats, or a list with one a seat. Two players have three seats; the bot at the automatic
                member's is not asked.
            max_attempts: At one mission, those already in the log included.
            path: Where to save after every attempt.
            progress: None for a bar if stderr is a terminal, True, False, or a function called with (done, total)
                missions after every attempt.

        Raises:
            InvalidOption: Too many or too few bots, what is no bot, or another argument that is not allowed.
            IllegalMove: A bot's move.
            OSError: The file cannot be written. This is known before anything is played.
        """
        players = self._seated(bots)
        limit = whole("max_attempts", max_attempts, least=1, most=MOST_ATTEMPTS)
        if path is not None:
            self.save(path)
        before = self._won()
        try:
            with reporting(progress, total=len(self._missions) - before, what="missions") as advance:
                while self.attempt is not None and self.attempt <= limit:
                    table, won = self.deal(), self._won()
                    while (seat := table.core.turn) >= 0:
                        table.play(players[seat].act(table.view(seat=seat)))
                    self.enter(table)
                    if path is not None:
                        self.save(path)
                    advance(self._won() - won)
        finally:
            if path is not None:
                self.save(path)  # once more: Ctrl-C may have come between

    def save(self, path: PathText) -> None:
        """Writes `to_json` to a file, whole or not at all: what was there stays until all is written.

        Raises:
            InvalidOption: No name of a file.
            OSError: It cannot be written.
        """
        target = _path(path).resolve()  # a link stays one
        part = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
        try:
            with part.open("x", encoding="utf-8") as file:
                file.write(self.to_json(indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink()  # it is there after a failure only

    @staticmethod
    def resume(path: PathText) -> "Campaign":
        """The campaign in a file that `save` wrote.

        Raises:
            InvalidOption: No name of a file; or missions or an option that are not allowed.
            InvalidPosition: The file holds no campaign, or one that contradicts itself.
            OSError: It cannot be read.
        """
        from kibitz.documents import MAX_BYTES

        with _path(path).open("rb") as file:
            return Campaign.from_json(file.read(MAX_BYTES + 1))

    def to_dict(self) -> dict[str, Any]:
        """Options, missions, seed, log and score as plain values; the document that `to_json` writes."""
        return {
            "kibitz": 1,
            "game": GAME,
            "rules": Game(GAME).rules,
            "options": self.options,
            "missions": list(self._missions),
            "seed": self._seed,
            "log": [asdict(entry) for entry in self._log],
            "score": self.score,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """One JSON document; `from_json` gives the campaign back.

        >>> campaign = Campaign(missions=range(1, 6), players=3)
        >>> Campaign.from_json(campaign.to_json()) == campaign
        True
        """
        import json

        return json.dumps(self.to_dict(), indent=indent)

    @staticmethod
    def from_json(document: str | bytes | Mapping[str, Any]) -> "Campaign":
        """A campaign from its JSON document.

        Raises:
            InvalidPosition: Not such a document, another version, or it contradicts itself; the place is named.
            InvalidOption: Missions or an option that are not allowed.
        """
        from kibitz.campaign_document import campaign_from_document

        return campaign_from_document(document)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema of `to_json`."""
        from kibitz.campaign_document import CampaignDocument

        return CampaignDocument.model_json_schema()

    def table(self) -> str:
        """The log as text with aligned columns."""
        return log_layout(self._log).text()

    def notes(self) -> list[str]:
        """Sentences that go with the log: which campaign it is, how it stands, what comes next."""
        usual = Game(GAME).options | {"players": 0}  # players are always told
        chosen = [f"{name} {value}" for name, value in self._options.items() if value != usual[name]]
        sent = sum(entry.distress for entry in self._log)
        return [
            f"The Crew, {listed(self._missions)}, {', '.join(chosen)}, seed {self._seed}: "
            + ("all won." if self.done else f"{self._won()} of {len(self._missions)} won."),
            f"Score {self.score:,}: {_count(self.attempts, 'attempt')}, and {sent} for distress signals.",
            *([] if self.done else [f"Next: attempt {self.attempt:,} at mission {self.mission}."]),
        ]

    def __str__(self) -> str:
        return "\n".join([self.table(), *self.notes()])

    def __rich__(self) -> "RichTable":
        return log_layout(self._log).rich()

    def _repr_html_(self) -> str:
        return log_layout(self._log).html() + "".join(f"<p>{escape(note)}</p>" for note in self.notes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Campaign) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # a campaign changes

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return _restore, (self.to_dict(),)

    def __repr__(self) -> str:
        now = "done" if self.done else f"mission {self.mission}, attempt {self.attempt}"
        return f"<Campaign {GAME}, {listed(self._missions)}: {now}, score {self.score}>"

    def _won(self) -> int:
        """How many missions are won."""
        return sum(entry.won for entry in self._log)

    def _attempts(self, mission: int) -> int:
        """How many attempts at a mission are in the log."""
        return next((entry.attempts for entry in self._log if entry.mission == mission), 0)

    def _current(self) -> int:
        """The mission to be tried next."""
        if self.mission is None:
            raise InvalidPosition("The campaign is over: all its missions are won.")
        return self.mission

    def _seated(self, bots: object) -> list[Player]:
        """The player at each seat."""
        seats = Game(GAME, self._options).seats
        given = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str | bytes) else [bots]
        if len(given) not in (1, seats):
            raise InvalidOption(
                f"A campaign of {seats} seats needs 1 bot for all, or {seats}, one a seat, not {len(given)}.",
                given=len(given),
                allowed=(1, seats),
            )
        players = [as_player(bot) for bot in given]
        return players if len(players) == seats else players * seats


def check_option_names(options: Iterable[str]) -> None:
    """Refuses an option that is not one for all missions.

    Raises:
        InvalidOption: There is one.
    """
    for name in options:
        if name not in OPTIONS:
            raise InvalidOption(
                f"A campaign has no option {shown(name)}{did_you_mean(name, OPTIONS)} Options: {', '.join(OPTIONS)}.",
                given=name,
                allowed=OPTIONS,
            )


def _comes_from(table: Table, dealt: Table) -> bool:
    """Whether a table began as another, and chance went on by the seed of that one."""
    again = dealt.copy()
    try:
        for event in table.record:
            if not event.startswith("*"):
                again.play(event)
    except IllegalMove:
        return False
    return table.at(0).core == again.at(0).core and table.record == again.record


def _path(path: object) -> Path:
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    if isinstance(text, str) and text and "\0" not in text:
        return Path(text)
    raise InvalidOption(f"path cannot be {shown(path)}; it is the name of a file.", given=path)


def _count(number: int, what: str) -> str:
    """`1 attempt`, `2,000 attempts`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _restore(document: dict[str, Any]) -> Campaign:
    """A pickled campaign, checked."""
    return Campaign.from_json(document)
