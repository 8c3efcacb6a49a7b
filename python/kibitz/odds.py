"""Odds: where the hidden cards lie, as often as the worlds that fit a view have them there.

Worlds are drawn uniformly from all that fit the view, each on its own. The drawing of a world, with open hands, is laid
beside the drawing of the view: what a world has where the view has hidden cards is counted. So one way serves every
game, and only what the seat may know goes in.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz import _core
from kibitz.errors import InvalidOption, KibitzError, did_you_mean, shown
from kibitz.given import as_whole, whole
from kibitz.layout import Layout
from kibitz.scenes.scene import Card, Role, Zone, is_drawn, spelling_of, zones_of
from kibitz.stats import wilson
from kibitz.view import View

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["WORLDS", "Chance", "Odds", "Place", "odds"]

WORLDS = 1000
MOST_WORLDS = 100_000_000

Key: TypeAlias = tuple[Role, int | None, str]
"""What a zone is called in the view and in a world alike."""


def odds(view: View, *, worlds: int = WORLDS, seed: int = 0) -> "Odds":
    """How probable it is that a hidden card lies in this hand or that place, from what a seat knows.

    All worlds that fit the view count alike: that somebody passed, or led what it led, says nothing here beyond what
    the rules forbid.

    Args:
        view: What the seat knows; it need not be its turn.
        worlds: How many are drawn. World `i` is `view.sample(seed=seed, index=i)`.
        seed: Names them: same seed, same odds, on every machine.

    Raises:
        InvalidOption: No view, an argument that is not allowed, or a game that has hidden things and no drawing of its
            own that would show them as cards.

    >>> import kibitz
    >>> view = kibitz.load("kuhn_poker").view(seat=0, start={"hands": "Qx"})
    >>> found = odds(view, worlds=100, seed=1)
    >>> found.cards, round(found.probability(1, "J") + found.probability(1, "K"), 9)
    (('J', 'K'), 1.0)
    """
    from kibitz.game import read_seed

    _check(view)
    number, count = read_seed(seed), whole("worlds", worlds, least=1, most=MOST_WORLDS)
    spots = _spots(view)
    tally = _Tally([spot.place for spot in spots])
    for index in range(count):
        if not spots:
            break
        world = view.core.sample(_core.Rng(number, "world", index))
        tally.add(_contents(view, world, spots))
    cards = tuple(sorted(tally.cards, key=lambda card: (tally.cards[card], card)))
    return Odds(
        game=view.game.slug,
        seat=view.seat,
        digest=view.digest,
        worlds=count,
        seed=number,
        places=tuple(tally.places),
        cards=cards,
        chances=tuple(tally.chance(place, card) for card in cards for place in range(len(spots))),
    )


@dataclass(frozen=True)
class Place:
    """Where hidden cards lie.

    Attributes:
        name: Such as "seat 2" for its hand, "laid by seat 0, defence", "set aside, seat 1".
        seat: Whose place it is; None if nobody's.
        role: What kind of place, as of a `kibitz.scenes.Zone`.
        cards: How many hidden cards lie there.
    """

    name: str
    seat: int | None
    role: str
    cards: int


@dataclass(frozen=True)
class Chance:
    """What the worlds say of one card in one place.

    Attributes:
        card: As moves and records write it.
        place: Name of the place.
        at_least: Share of the worlds that have it there at least once, at least twice, and so on; empty for never.
        mean: How many of it lie there, on average.
        n: How many worlds that is from.
    """

    card: str
    place: str
    at_least: tuple[float, ...]
    mean: float
    n: float

    def probability(self, at_least: int = 1) -> float:
        """Share of the worlds that have the card there so many times."""
        return self.at_least[at_least - 1] if at_least <= len(self.at_least) else 0.0

    def se(self, at_least: int = 1) -> float:
        """Standard error of that share; 0 where all worlds agree, which `interval` does not take for certain."""
        share = self.probability(at_least)
        return math.sqrt(share * (1 - share) / self.n)

    def interval(self, at_least: int = 1) -> tuple[float, float]:
        """Wilson's 95 % interval of that share. It has width also where all worlds agree."""
        n = round(self.n)
        found = wilson(min(self.probability(at_least) * n, n), n)
        assert found.low is not None  # there is at least one world
        assert found.high is not None
        return found.low, found.high


@dataclass(frozen=True)
class Odds:
    """Where the hidden cards may lie.

    A share of 1.0 or 0.0 says that all the worlds drawn agree. That is a frequency and no proof.

    Attributes:
        game, seat, digest: What was asked: the game's name, the seat, and the digest of its view.
        worlds, seed: How many worlds, and what names them.
        places: Where hidden cards lie, as in the drawing. Empty if nothing is hidden.
        cards: The cards that lay there in one world at least, in the order of the game.
        chances: Each card in each place, by cards and then by places.
    """

    game: str
    seat: int
    digest: str
    worlds: int
    seed: int
    places: tuple[Place, ...]
    cards: tuple[str, ...]
    chances: tuple[Chance, ...]

    def chance(self, place: str | int, card: str) -> Chance:
        """What the worlds say of a card in a place.

        Args:
            place: Name of a place, or a seat for its hand.
            card: As moves and records write it.

        Raises:
            InvalidOption: No hidden cards lie there, or the card is not one of the hidden ones.
        """
        names = [each.name for each in self.places]
        seat = as_whole(place)
        wanted: object = place if seat is None else f"seat {seat}"
        if not isinstance(wanted, str) or wanted not in names:
            raise InvalidOption(
                f"No hidden cards lie at {shown(place)}; they lie at: {', '.join(names) or 'no place'}.",
                given=place,
                allowed=names,
            )
        named: object = card
        if not isinstance(named, str) or named not in self.cards:
            raise InvalidOption(
                f"{shown(card)} is none of the hidden cards{did_you_mean(card, self.cards)} They are: "
                f"{', '.join(self.cards)}.",
                given=card,
                allowed=self.cards,
            )
        return self.chances[self.cards.index(card) * len(names) + names.index(wanted)]

    def probability(self, place: str | int, card: str, *, at_least: int = 1) -> float:
        """Share of the worlds in which the card lies there, at least so many times.

        Raises:
            InvalidOption: As `chance`, or `at_least` below 1.
        """
        return self.chance(place, card).probability(whole("at_least", at_least, least=1))

    def table(self, *, at_least: int = 1) -> str:
        """Shares with their standard errors, a row for each card, as text with aligned columns."""
        return self.layout(at_least=at_least).text()

    def layout(self, *, at_least: int = 1) -> Layout:
        """A row for each card, a column for each place; "all" and "-" where all worlds agree."""
        copies = whole("at_least", at_least, least=1)
        header = ("card", *(f"{place.name} ({place.cards})" for place in self.places))
        rows = [
            (card, *(_shown_share(self.chance(place.name, card), copies) for place in self.places))
            for card in self.cards
        ]
        return Layout(header, rows, right=header[1:])

    def notes(self) -> list[str]:
        """Sentences that go with the table: how many worlds, what the figures mean."""
        if not self.places:
            return [f"Nothing that lies on the table is hidden from seat {self.seat}."]
        worlds = f"{self.worlds:,} worlds"
        return [
            f"{worlds} drawn uniformly from all that fit what seat {self.seat} knows, seed {self.seed}.",
            f'± is a standard error; "all": in each of the {worlds}, "-": in none, a frequency and no proof.',
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        chances = []
        for each in self.chances:
            low, high = each.interval()
            chances.append(
                {
                    "card": each.card,
                    "place": each.place,
                    "probability": each.probability(),
                    "se": each.se(),
                    "low": low,
                    "high": high,
                    "mean": each.mean,
                    "at_least": list(each.at_least),
                }
            )
        return {
            "game": self.game,
            "seat": self.seat,
            "digest": self.digest,
            "worlds": self.worlds,
            "seed": self.seed,
            "places": [asdict(place) for place in self.places],
            "cards": list(self.cards),
            "chances": chances,
        }

    def __str__(self) -> str:
        return "\n".join([*([self.table()] if self.places else []), *self.notes()])

    def __rich__(self) -> "RichTable":
        return self.layout().rich()

    def _repr_html_(self) -> str:
        table = self.layout().html() if self.places else ""
        return table + "".join(f"<p>{escape(note)}</p>" for note in self.notes())


def _shown_share(chance: Chance, at_least: int) -> str:
    """A share that is not rounded to 0 or 1 unless it is that."""
    share = chance.probability(at_least)
    if share in (0, 1):
        return "all" if share else "-"
    text = f"{share:.1%}"
    text = {"0.0%": "<0.1%", "100.0%": ">99.9%"}.get(text, text)
    return f"{text} ±{chance.se(at_least):.1%}"


def _check(view: object) -> None:
    """Refuses what is no view, and a view whose hidden cards cannot be seen as cards."""
    if not isinstance(view, View):
        raise InvalidOption(
            f"Odds are of what one seat knows, a View, not of {shown(view)}"
            + ("; use table.view(seat=...)." if type(view).__name__ == "Table" else "."),
            given=view,
        )
    if not is_drawn(view.game.slug) and not view.game.info["open"]:
        raise InvalidOption(
            f"{view.game.slug} has no drawing of its own in kibitz.scenes, so its hidden cards cannot be told.",
            given=view.game.slug,
        )


# --- places: the hidden cards of a drawing ---


@dataclass(frozen=True)
class _Spot:
    """A place, and where its cards are found in the drawing of a world."""

    place: Place
    zone: Key
    known: Mapping[str, int]  # what else lies in the zone, where its order tells nothing
    span: range | None  # which cards of the zone, where its order tells


def _key(zone: Zone) -> Key:
    """A seat's zones are told by seat and role: their labels say what the seat is to the reader."""
    label = zone.label.replace(" (you)", "") if zone.seat is None else ""
    return zone.role, zone.seat, label


def _spots(view: View) -> list[_Spot]:
    """The places with hidden cards. A zone is one place if its hidden cards lie together, else each lies by itself."""
    found: list[_Spot] = []
    for zone in zones_of(view.game, view.core):
        hidden = [card for card in zone.cards if card.face == "hidden"]
        if len(hidden) == 1:
            name = _name(zone, hidden[0].marks)
            found.append(_Spot(_place(zone, name, hidden[0]), _key(zone), _known(view, zone.cards), None))
            continue
        at, alike = 0, Counter[tuple[str, ...]]()
        for card in zone.cards:
            if card.face == "hidden":
                alike[card.marks] += 1
                several = sum(other.marks == card.marks for other in hidden) > 1
                name = _name(zone, card.marks) + (f" {alike[card.marks]}" if several else "")
                found.append(_Spot(_place(zone, name, card), _key(zone), {}, range(at, at + card.count)))
            at += card.count
    return found


def _place(zone: Zone, name: str, card: Card) -> Place:
    return Place(name, zone.seat, zone.role, card.count)


def _name(zone: Zone, marks: Sequence[str]) -> str:
    whose = f"seat {zone.seat}" if zone.role == "hand" else zone.label.replace(" (you)", "")
    return ", ".join([whose, *marks])


def _known(view: View, cards: Sequence[Card]) -> Counter[str]:
    found: Counter[str] = Counter()
    for card in cards:
        if card.face != "hidden":
            found[spelling_of(view.game.slug, card)[1]] += card.count
    return found


Spelled: TypeAlias = tuple[int, str]


def _contents(view: View, world: _core.State, spots: Sequence[_Spot]) -> list[Counter[Spelled]]:
    """What a world has at each place."""
    slug = view.game.slug
    zones: dict[Key, list[Spelled]] = {spot.zone: [] for spot in spots}
    for zone in zones_of(view.game, world):
        if _key(zone) in zones:
            cards = [spelling_of(slug, card) for card in zone.cards for _ in range(card.count)]
            zones[_key(zone)] += cards
    found = []
    for spot in spots:
        cards = zones[spot.zone]
        if spot.span is not None:
            here = Counter(cards[spot.span.start : spot.span.stop])
        else:
            here = Counter(cards)
            for card in here:
                here[card] -= spot.known.get(card[1], 0)
            here = +here
        if here.total() != spot.place.cards:
            raise KibitzError(
                f"The drawing of {slug} has {here.total()} cards at {spot.place.name} with open hands, and "
                f"{spot.place.cards} hidden ones for seat {view.seat}."
            )
        found.append(here)
    return found


# --- counting ---


class _Tally:
    """Worlds counted as they come. A weight says how much one counts; drawn uniformly, they all count 1."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = list(places)
        self.cards: dict[str, int] = {}
        """Every card met, with where it stands in the order of the game."""
        self._weight = 0.0
        self._squares = 0.0
        self._by_copies: dict[tuple[int, str], list[float]] = {}  # weight of the worlds with 1, 2, ... copies

    def add(self, contents: Sequence[Counter[Spelled]], *, weight: float = 1.0) -> None:
        """One world: what lies at each place."""
        self._weight += weight
        self._squares += weight * weight
        for place, cards in enumerate(contents):
            for (order, card), copies in cards.items():
                self.cards[card] = order
                found = self._by_copies.setdefault((place, card), [])
                found.extend([0.0] * (copies - len(found)))
                found[copies - 1] += weight

    def chance(self, place: int, card: str) -> Chance:
        """What the worlds so far say. With weights, `n` is how many equal ones would say as much."""
        by_copies = self._by_copies.get((place, card), [])
        at_least = tuple(math.fsum(by_copies[copies:]) / self._weight for copies in range(len(by_copies)))
        return Chance(
            card=card,
            place=self.places[place].name,
            at_least=at_least,
            mean=math.fsum(at_least),
            n=self._weight * self._weight / self._squares,
        )
