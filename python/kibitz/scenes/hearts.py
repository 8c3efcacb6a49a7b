"""Hearts: hands by suit, the trick, cards that were passed, points, tricks taken."""

from collections.abc import Sequence

from kibitz.scenes.scene import Card, Color, Drawing, Fact, Sight, Zone
from kibitz.scenes.tricks import Trick, tricks_of
from kibitz.scenes.words import counted, hidden, joined

__all__ = ["drawing_of", "spelling_of"]

RANKS = "23456789TJQKA"
RANK_NAMES = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
SIGNS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}
COLORS: dict[str, Color] = {"C": "black", "D": "red", "S": "black", "H": "red"}
HAND = 13
ALL_POINTS = 26
RECEIVER = {"left": 1, "across": 2, "right": 3}  # seats after the giver


def drawing_of(sight: Sight) -> Drawing:
    """From the fields of docs/games/hearts.md."""
    facts = sight.facts
    tricks = tricks_of([trick.split() for trick in facts["tricks"]], facts["first"], 4, best=_best)
    points = _points(sight, tricks)
    subtitle = _subtitle(sight, tricks, points)
    zones = [_hand(sight, seat, tricks, points) for seat in sight.order]
    done = [trick for trick in tricks if trick.winner is not None]
    shown = [
        *zones[:-1],
        *_trick(sight, tricks),
        zones[-1],
        *(
            [Zone("tricks taken", "record", facts=tuple(_told(k, trick) for k, trick in enumerate(done, 1)))]
            if done
            else []
        ),
    ]
    return Drawing(subtitle=subtitle, alt=_spoken(sight, subtitle, tricks, points), zones=tuple(shown))


def spelling_of(card: Card) -> tuple[int, str]:
    """`QS` for the queen of spades; by suit, from the two up."""
    rank = card.text[:-1].replace("10", "T")
    suit = next(letter for letter, name in SUITS.items() if name == card.suit)
    return HAND * "CDSH".index(suit) + RANKS.index(rank), rank + suit


def _name(card: str) -> str:
    return f"{RANK_NAMES.get(card[0], card[0])} of {SUITS[card[1]]}"


def _card(
    card: str, *, marks: Sequence[str] = (), where: str = "", move: str | None = None, known: bool = False
) -> Card:
    text = ("10" if card[0] == "T" else card[0]) + SIGNS[card[1]]
    return Card(
        text,
        _name(card) + where,
        COLORS[card[1]],
        SUITS[card[1]],
        face="down" if known else "up",
        marks=tuple(marks),
        move=move,
    )


def _best(cards: Sequence[str]) -> int:
    """The place of the card that takes the trick."""
    followed = [place for place, card in enumerate(cards) if card[1] == cards[0][1]]
    return max(followed, key=lambda place: RANKS.index(cards[place][0]))


def _points(sight: Sight, tricks: Sequence[Trick]) -> list[int]:
    """What the tricks taken so far count, and at the end the bonuses for all points and for no trick."""
    taken: list[list[str]] = [[], [], [], []]
    for trick in tricks:
        if trick.winner is not None:
            taken[trick.winner] += trick.cards
    plain = [sum(13 * (card == "QS") + (card[1] == "H") for card in cards) for cards in taken]
    over = sight.facts["phase"] == "over"
    moon = over and ALL_POINTS in plain
    points = [ALL_POINTS - count for count in plain] if moon else plain
    for seat, cards in enumerate(taken):
        if over and not moon and not cards and sight.options["avoid_all_tricks_bonus"]:
            points[seat] -= 5
        if "JD" in cards and sight.options["jd_bonus"]:
            points[seat] -= 10
    return points


def _hand(sight: Sight, seat: int, tricks: Sequence[Trick], points: Sequence[int]) -> Zone:
    cards: list[Card] = []
    if sight.seat is None or seat == sight.seat:
        hand: str = sight.facts["hands"][seat] if sight.seat is None else sight.facts["hand"]
        acting = seat == sight.turn
        cards += [
            _card(c, move=sight.move(c, f"pass {c}") if acting else None) for c in _sorted(hand.split())
        ]
    else:
        known = _known(sight, seat, tricks)
        cards += hidden(_size(sight, seat, tricks) - len(known))
        cards += [_card(c, marks=("known",), where=", known to be there", known=True) for c in known]
    told = [Fact("points", str(points[seat]))]
    passed = sight.facts["passed"][seat].split()
    if passed:
        what = counted(len(passed), "card") if "x" in passed else joined(map(_name, passed))
        told.append(Fact(f"passed to seat {_receiver(sight, seat)}", what))
    return sight.zone(seat, cards=cards, facts=told)


def _sorted(cards: Sequence[str]) -> list[str]:
    """By suit, black and red in turn, from the ace down."""
    return sorted(cards, key=lambda card: ("CDSH".index(card[1]), -RANKS.index(card[0])))


def _receiver(sight: Sight, giver: int) -> int:
    return (giver + RECEIVER.get(sight.facts["direction"], 0)) % 4


def _played(seat: int, tricks: Sequence[Trick]) -> set[str]:
    return {card for trick in tricks for by, card in trick.laid if by == seat}


def _known(sight: Sight, seat: int, tricks: Sequence[Trick]) -> list[str]:
    """Cards of another seat that the reader knows to be there: what it passed to it, and the 2C of the leader."""
    known: set[str] = set()
    phase = sight.facts["phase"]
    if sight.seat is not None and phase not in ("direction", "deal", "pass"):
        got = phase != "get" or int(sight.facts["count"]) > seat
        if _receiver(sight, sight.seat) == seat and got:
            known |= set(sight.facts["passed"][sight.seat].split())
    if phase == "play" and sight.facts["first"] == seat:
        known.add("2C")  # it leads, since it holds that card, and may lead another club by an option
    return _sorted(list(known - _played(seat, tricks)))


def _size(sight: Sight, seat: int, tricks: Sequence[Trick]) -> int:
    """Cards in the hand of another seat."""
    facts, count = sight.facts, int(sight.facts["count"] or 0)
    phase = facts["phase"]
    if phase == "direction":
        return 0
    if phase == "deal":
        return (count + 3 - seat) // 4
    passed = len(facts["passed"][seat].split())
    if phase == "pass" or (phase == "get" and count <= seat):
        return HAND - passed
    return HAND - len(_played(seat, tricks))


def _trick(sight: Sight, tricks: Sequence[Trick]) -> tuple[Zone, ...]:
    """The trick under way, else the last one."""
    if not tricks:
        return ()
    trick = tricks[-1]
    cards = tuple(
        _card(
            card,
            marks=(f"seat {seat}", *(["takes it"] if seat == trick.winner else [])),
            where=f", by {sight.label(seat)}",
        )
        for seat, card in trick.laid
    )
    name = f"trick {len(tricks)}"
    if trick.winner is not None:
        return (Zone(f"{name}, taken by {sight.label(trick.winner)}", "trick", cards=cards),)
    return (Zone(f"{name}, led by {sight.label(trick.leader)}", "trick", cards=cards),)


def _told(number: int, trick: Trick) -> Fact:
    cards = ", ".join(f"seat {seat} {card}" for seat, card in trick.laid)
    return Fact(f"trick {number}", f"{cards}: to seat {trick.winner}")


def _subtitle(sight: Sight, tricks: Sequence[Trick], points: Sequence[int]) -> str:
    facts, phase = sight.facts, sight.facts["phase"]
    if phase == "over":
        best = [sight.label(seat) for seat in range(4) if points[seat] == min(points)]
        return f"{best[0]} has won" if len(best) == 1 else f"{joined(best)} share the win"
    if phase == "pass":
        return f"three cards are passed {facts['direction']}, {sight.label(facts['to_move'])} to pass one"
    if phase == "play":
        under_way = bool(tricks) and tricks[-1].winner is None
        number = len(tricks) + (not under_way)
        return (
            f"trick {number} of {HAND}, {sight.label(facts['to_move'])} to {'play' if under_way else 'lead'}"
        )
    return {
        "direction": "who passes to whom is drawn",
        "deal": "cards are dealt",
        "get": "cards are passed",
        "first": "the two of clubs leads",
    }[str(phase)]


def _spoken(sight: Sight, subtitle: str, tricks: Sequence[Trick], points: Sequence[int]) -> str:
    told = [f"Hearts: {subtitle}."]
    if tricks and tricks[-1].winner is None:
        told.append(
            f"On the table: {joined(f'{_name(card)} by seat {seat}' for seat, card in tricks[-1].laid)}."
        )
    hands = sight.facts["hands"] if sight.seat is None else [sight.facts["hand"]]
    for seat, hand in enumerate(hands):
        if hand:
            who = "You hold" if sight.seat is not None else f"Seat {seat} holds"
            told.append(f"{who} {joined(map(_name, _sorted(hand.split())))}.")
    scores = joined(f"seat {seat} {points[seat]}" for seat in range(4))
    return " ".join([*told, f"Points: {scores}."])
