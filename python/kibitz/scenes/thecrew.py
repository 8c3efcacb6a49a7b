"""The Crew: hands with what was shown of them, tasks with owners and order, the trick, the mission, tricks won."""

from collections.abc import Sequence

from kibitz.scenes.scene import Card, Color, Drawing, Fact, Sight, Zone
from kibitz.scenes.thecrew_missions import CARD_COLORS, mission_facts, mission_name, silenced
from kibitz.scenes.tricks import Trick, tricks_of
from kibitz.scenes.words import hidden, joined, ordinal

__all__ = ["drawing_of", "spelling_of"]

COLORS: dict[str, Color] = {"B": "blue", "G": "green", "P": "pink", "Y": "yellow", "R": "black"}
COMMANDERS = "R4"  # the card that makes its holder the commander
BEFORE = ("jarvis", "longest", "leader", "deal")  # phases in which cards are still dealt
DUE = {
    "edit": "may move tokens of the tasks",
    "ask": "answers the question",
    "role": "names a seat for a role",
    "draft": "takes a task",
    "owner": "names the owner of the tasks",
    "offer": "may offer a task to another seat",
    "consent": "answers the offer",
    "vote": "votes on the distress signal",
    "give": "passes a card",
    "radio": "may show a card by radio",
    "play": "plays a card",
    "jarvis": "the seat of the automatic member is drawn",
    "longest": "the seat with one card more is drawn",
    "leader": "the commander is drawn",
    "deal": "cards are dealt",
    "task": "a task is drawn",
    "lot": "the owner of a task is drawn",
    "holder": "the holder of a card is named",
    "get": "passed cards arrive",
    "draw": "cards are drawn from the right neighbours",
    "turn_up": "a card of the display is turned up",
}


def drawing_of(sight: Sight) -> Drawing:
    """From the fields of docs/games/thecrew.md."""
    tricks = tricks_of(sight.facts["tricks"], sight.facts["commander"], sight.seats, best=_best)
    subtitle = _subtitle(sight, tricks)
    hands = [_hand(sight, seat, tricks) for seat in sight.order]
    zones = (
        *hands[:-1],
        *_tasks(sight, tricks),
        *_trick(sight, tricks),
        hands[-1],
        _mission(sight),
        *_record(tricks),
    )
    return Drawing(
        subtitle=subtitle,
        alt=_spoken(subtitle, tricks, hands),
        zones=zones,
        notes=_notes(sight),
    )


# --- cards ---


def spelling_of(card: Card) -> tuple[int, str]:
    """`R4` for rocket 4; by suit, rockets last."""
    letter = next(letter for letter, name in CARD_COLORS.items() if name == card.suit)
    return 10 * "BGPYR".index(letter) + int(card.text), letter + card.text


def _name(card: str) -> str:
    return f"{CARD_COLORS[card[0]]} {card[1]}"


def _card(
    card: str, *, marks: Sequence[str] = (), where: str = "", move: str | None = None, known: bool = False
) -> Card:
    return Card(
        card[1],
        _name(card) + where,
        COLORS[card[0]],
        CARD_COLORS[card[0]],
        face="down" if known else "up",
        marks=tuple(marks),
        move=move,
    )


def _best(cards: Sequence[str]) -> int:
    """The place of the card that wins the trick: the highest rocket, else the highest of the suit led."""
    suit = "R" if any(card[0] == "R" for card in cards) else cards[0][0]
    return max(
        (place for place, card in enumerate(cards) if card[0] == suit), key=lambda place: cards[place][1]
    )


def _laid(tricks: Sequence[Trick], seat: int | None = None) -> set[str]:
    """Cards that have been played, by a seat or by anybody."""
    return {card for trick in tricks for by, card in trick.laid if seat in (None, by)}


# --- hands ---


def _hand(sight: Sight, seat: int, tricks: Sequence[Trick]) -> Zone:
    facts = sight.facts
    acting = seat == facts["actor"] and isinstance(sight.turn, int)
    roles = [
        "commander" if facts["commander"] == seat else "",
        *(role for role in ("S1", "S2") if facts[role] == seat),
        "automatic" if facts["jarvis"] == seat else "",
    ]
    if facts["jarvis"] == seat:
        cards = _display(sight, acting=acting)
    elif sight.seat in (None, seat):
        held: list[str] = facts["hands"][seat] if sight.seat is None else facts["hand"]
        cards = [_own(sight, seat, card, acting=acting) for card in held]
    else:
        cards = _others(sight, seat, tricks)
    return sight.zone(seat, *roles, cards=cards, facts=_told(sight, seat, tricks), active=acting)


def _own(sight: Sight, seat: int, card: str, *, acting: bool) -> Card:
    said = _said(sight, seat)
    marks, where = ((said[1] or "shown",), _shown(said)) if said and said[0] == card else ((), "")
    return _card(card, marks=marks, where=where, move=sight.move(card, f"give {card}") if acting else None)


def _others(sight: Sight, seat: int, tricks: Sequence[Trick]) -> list[Card]:
    """Another's hand: the cards that nobody has seen, those that the reader knows to be there, the one on the table."""
    if sight.facts["phase"] in BEFORE:
        return []
    said = _said(sight, seat)
    laid = _laid(tricks)
    shown = said[0] if said and said[0] not in laid else ""
    known = sorted(_known(sight, seat) - laid - {shown}, key=lambda card: ("BGPYR".index(card[0]), card[1]))
    left = _dealt(sight, seat) - sum(by == seat for trick in tricks for by, _ in trick.laid)
    cards = [*hidden(left - len(known) - bool(shown))]
    cards += [_card(card, marks=("known",), where=", known to be there", known=True) for card in known]
    if said and shown:
        cards.append(_card(shown, marks=(said[1] or "shown",), where=_shown(said)))
    return cards


def _dealt(sight: Sight, seat: int) -> int:
    """How many cards a seat was dealt; passing and drawing change nothing, one goes and one comes."""
    return _tricks_in_all(sight) + (1 if sight.facts["longest"] == seat else 0)


def _known(sight: Sight, seat: int) -> set[str]:
    """Cards that the reader knows another seat to hold, unless they have been played since."""
    facts, seats = sight.facts, sight.seats
    right = (seat - 1) % seats
    drawn: list[str] = facts["drawn"]
    if drawn and all(drawn):  # after the exchange only what was drawn before the reader's eyes is sure
        return {drawn[right]} - {"x"}
    known = {COMMANDERS} if facts["commander"] == seat else set()
    given: list[str] = facts["given"]
    if given and facts["phase"] not in ("give", "get"):
        giver = right if facts["distress"] == "left" else (seat + 1) % seats
        known |= {given[giver]} - {"x", ""}
    return known


def _display(sight: Sight, *, acting: bool) -> list[Card]:
    """The automatic member's columns, each card face up before the one under it."""
    cards: list[Card] = []
    for number, column in enumerate(sight.facts["display"], 1):
        upper, _, lower = column.partition("/")
        marks, where = (f"col {number}",), f", in column {number}"
        if upper:
            move = sight.move(upper, f"give {upper}") if acting else None
            cards.append(_card(upper, marks=marks, where=where, move=move))
        under = f", under column {number}"
        if lower == "x":
            cards += hidden(1, marks=marks, where=under)
        elif lower:
            cards.append(_card(lower, marks=marks, where=f"{under}, face-down", known=True))
    return cards


def _said(sight: Sight, seat: int) -> tuple[str, str, str] | None:
    """Card, word and trick of what a seat has said by radio."""
    statements: list[str] = sight.facts["statements"]
    if not statements or not statements[seat]:
        return None
    card, *word, trick = statements[seat].split()
    return card, "".join(word), trick


def _shown(said: tuple[str, str, str]) -> str:
    """`", shown as its highest blue"`; in a dead zone nothing is said with a card."""
    card, word, _ = said
    return f", shown as its {word} {CARD_COLORS[card[0]]}" if word else ", shown without a word"


def _told(sight: Sight, seat: int, tricks: Sequence[Trick]) -> list[Fact]:
    """What is to be said about a seat beside its cards."""
    facts = sight.facts
    told = [Fact("tricks won", str(sum(trick.winner == seat for trick in tricks)))]
    said = _said(sight, seat)
    if said:
        gone = ", played" if said[0] in _laid(tricks) else ""
        told.append(
            Fact("radio", f"{' '.join([_name(said[0]), said[1]]).strip()}, before trick {said[2]}{gone}")
        )
    elif any(facts[role] == seat for role in silenced(sight.options)):
        told.append(Fact("radio", "silenced"))
    for name, fact in (("passed", "given"), ("drawn from it", "drawn")):
        cards: list[str] = facts[fact]
        if cards and cards[seat] not in ("", "x"):
            told.append(Fact(name, _name(cards[seat])))
    if facts["replies"] and facts["replies"][seat]:
        told.append(Fact("says", facts["replies"][seat]))
    return told


# --- what lies on the table ---


def _tasks(sight: Sight, tricks: Sequence[Trick]) -> tuple[Zone, ...]:
    cards: list[Card] = []
    for task, owner in zip(sight.facts["tasks"], sight.facts["owners"], strict=True):
        card, _, token = task.partition(" ")
        order, spoken = _order(token)
        status = _status(card, owner, tricks)
        marks = (f"seat {owner}" if owner is not None else "open", *filter(None, (order, status)))
        whose = f"of {sight.label(owner)}" if owner is not None else "nobody's yet"
        where = ", ".join(["", whose, *filter(None, (spoken, status))])
        cards.append(_card(card, marks=marks, where=where, move=sight.move(f"take {card}")))
    return (Zone("tasks", "tasks", cards=tuple(cards)),) if cards else ()


def _order(token: str) -> tuple[str, str]:
    """A token as a mark and in words."""
    if not token:
        return "", ""
    if token == "omega":
        return "last", "to be done last"
    place = int(token[-1])
    if token[0] == "a":
        return f"arrow {place}", f"{ordinal(place)} of the arrows"
    return ("1st", "2nd", "3rd", "4th", "5th")[place - 1], f"to be done {ordinal(place)}"


def _status(card: str, owner: int | None, tricks: Sequence[Trick]) -> str:
    winner = next((trick.winner for trick in tricks if card in trick.cards), None)
    return "" if winner is None or owner is None else "done" if winner == owner else "lost"


def _trick(sight: Sight, tricks: Sequence[Trick]) -> tuple[Zone, ...]:
    """The trick under way, else the last one."""
    if not tricks:
        return ()
    trick = tricks[-1]
    cards = tuple(
        _card(
            card,
            marks=(f"seat {seat}", *(["wins"] if seat == trick.winner else [])),
            where=f", by {sight.label(seat)}",
        )
        for seat, card in trick.laid
    )
    done = (
        f"led by {sight.label(trick.leader)}"
        if trick.winner is None
        else f"won by {sight.label(trick.winner)}"
    )
    return (Zone(f"trick {len(tricks)}, {done}", "trick", cards=cards),)


def _mission(sight: Sight) -> Zone:
    facts = mission_facts(sight.options)
    if sight.facts["distress"]:
        facts.append(Fact("distress signal", f"sent, a card was passed {sight.facts['distress']}"))
    return Zone("mission", "facts", facts=tuple(facts))


def _record(tricks: Sequence[Trick]) -> tuple[Zone, ...]:
    facts = tuple(
        Fact(
            f"trick {number}",
            f"{', '.join(f'seat {seat} {card}' for seat, card in trick.laid)}: to seat {trick.winner}",
        )
        for number, trick in enumerate(tricks, 1)
        if trick.winner is not None
    )
    return (Zone("tricks won", "record", facts=facts),) if facts else ()


def _notes(sight: Sight) -> tuple[str, ...]:
    offer: str = sight.facts["offer"]
    task, _, receiver = offer.partition(" ")
    if task and receiver:
        return (f"The task {_name(task)} is offered to {sight.label(int(receiver))}.",)
    return ()


# --- words ---


def _subtitle(sight: Sight, tricks: Sequence[Trick]) -> str:
    facts, phase = sight.facts, str(sight.facts["phase"])
    where = mission_name(sight.options)
    if phase == "over":
        return f"{where}, {sight.text.splitlines()[-1].strip()}"  # the core alone says why
    if phase in ("radio", "play"):
        under_way = bool(tricks) and tricks[-1].winner is None
        where += f", trick {len(tricks) + (not under_way)} of {_tricks_in_all(sight)}"
    actor = facts["actor"]
    if actor is None or not isinstance(sight.turn, int):
        return f"{where}, {DUE[phase]}"
    deputy = f", through {sight.label(sight.turn)}," if actor != sight.turn else ""
    return f"{where}, {sight.label(actor)}{deputy} {DUE[phase]}"


def _tricks_in_all(sight: Sight) -> int:
    """As many as all seats have cards for."""
    return (30 if sight.options["challenge"] else 40) // sight.seats


def _spoken(subtitle: str, tricks: Sequence[Trick], hands: Sequence[Zone]) -> str:
    told = [f"The Crew, {subtitle}."]
    if tricks and tricks[-1].winner is None:
        told.append(
            f"On the table: {joined(f'{_name(card)} by seat {seat}' for seat, card in tricks[-1].laid)}."
        )
    for zone in sorted(hands, key=lambda zone: not zone.own):
        if zone.cards:
            cards = "; ".join(card.label for card in zone.cards)
            told.append(f"You hold: {cards}." if zone.own else f"{zone.label.capitalize()}: {cards}.")
    return " ".join(told)
