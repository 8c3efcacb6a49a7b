"""Kami: hands, the pairs that each seat has laid, the attack to be answered, mercenaries, cards set aside, points."""

from kibitz.scenes.scene import Card, Color, Drawing, Fact, Sight, Zone
from kibitz.scenes.words import counted, hidden, joined

__all__ = ["drawing_of"]

NAMES = {
    "1": "Soldier",
    "2": "Spear",
    "3": "Horseman",
    "4": "Silver Dragon",
    "5": "Gold Dragon",
    "6": "Madman",
    "7": "Tower",
    "8": "Empress",
}
COLORS: dict[str, Color] = {
    "1": "plain",
    "2": "green",
    "3": "blue",
    "4": "gray",
    "5": "gold",
    "6": "pink",
    "7": "black",
    "8": "red",
}
LETTERS = "ABCDEFGH"
ENDINGS = {
    "soldier": "15 points or more win",
    "lord": "15 points win, above that 30 less the total",
    "kami": "15 points win, above that the total becomes 0",
}
DUE = {
    "ask": "is asked whether it wants a redeal",
    "answer": "answers its partner's request for a redeal",
    "lead": "leads, a defence face-down",
    "attack": "to attack",
}


def drawing_of(sight: Sight) -> Drawing:
    """From the fields of docs/games/kami.md."""
    subtitle = f"{_round(sight)}, {_due(sight)}"
    *others, last = sight.order
    zones: list[Zone] = []
    for seat in others:
        zones += [_hand(sight, seat), *_line(sight, seat)]
    zones += [*_aside(sight), *_mercenaries(sight), *_attack(sight)]
    mine = [*_line(sight, last), _hand(sight, last)]  # the reader's hand is nearest to it
    zones += [*(mine if sight.seat is not None else reversed(mine)), _match(sight)]
    return Drawing(
        subtitle=subtitle,
        alt=f"Kami, {sight.seats} players: {subtitle}. {_spoken(sight)}",
        zones=tuple(zones),
    )


def _round(sight: Sight) -> str:
    return "single round" if sight.options["rounds"] == 1 else f"round {sight.facts['round']}"


def _due(sight: Sight) -> str:
    """Who is to do what."""
    facts, phase = sight.facts, str(sight.facts["phase"])
    mover = facts["to_move"]
    if phase == "respond":
        attack = _open_attack(sight)
        return f"{sight.label(mover)} to answer {NAMES[attack]} ({attack}) of {sight.label(facts['owner'])}"
    if phase in DUE:
        return f"{sight.label(mover)} {DUE[phase]}"
    if phase == "over":
        winner = facts["winner"]
        if winner is None:
            return "the game is over, undecided"
        partner = " and its partner have won" if sight.seats == 4 else " has won"
        return sight.label(winner) + partner
    return {
        "turn_up": "a mercenary is turned up",
        "score": "the round is over",
        "deal": "cards are dealt",
        "first": "the first leader is drawn",
    }[phase]


def _spoken(sight: Sight) -> str:
    told = []
    if sight.seat is not None and sight.facts["hand"]:
        told.append(f"You hold {_held(sight.facts['hand'])}.")
    elif sight.seat is None:
        told += [
            f"Seat {seat} holds {_held(hand)}." for seat, hand in enumerate(sight.facts["hands"]) if hand
        ]
    if sight.seat is not None:
        sizes = [
            f"seat {seat} has {counted(sight.facts['sizes'][seat], 'hidden card')}"
            for seat in sight.order
            if seat != sight.seat
        ]
        told.append(f"{joined(sizes).capitalize()}.")
    for seat, line in enumerate(sight.facts["lines"]):
        if line:
            told.append(f"Seat {seat} has laid {', '.join(map(_pair, line))}.")
    return " ".join(told) or "No cards are dealt yet."


def _pair(pair: str) -> str:
    """A pair for the ear: `"hidden then Tower"`, `"Spear then Soldier"`."""
    words = [NAMES.get(digit, "hidden") for digit in pair.lstrip(".:")]
    down = " face-down" if pair[0] in ".:" and words[0] != "hidden" else ""
    return " then ".join([words[0] + down, *words[1:]])


def _held(hand: str) -> str:
    """A hand for the ear: types with their counts."""
    counts = {digit: hand.count(digit) for digit in sorted(set(hand))}
    return joined(NAMES[digit] + (f" times {count}" if count > 1 else "") for digit, count in counts.items())


def _card(digit: str, *, marks: tuple[str, ...] = (), where: str = "", move: str | None = None) -> Card:
    return Card(digit, f"{NAMES[digit]}, {digit}{where}", COLORS[digit], marks=marks, move=move)


def _down(digit: str, *, marks: tuple[str, ...] = (), where: str = "") -> Card:
    """A card that lies face-down and is known to the reader."""
    return Card(digit, f"{NAMES[digit]}, {digit}, face-down{where}", COLORS[digit], face="down", marks=marks)


def _hand(sight: Sight, seat: int) -> Zone:
    facts = sight.facts
    cards: list[Card] = []
    if sight.seat is None or seat == sight.seat:
        hand: str = facts["hands"][seat] if sight.seat is None else facts["hand"]
        acting = seat == sight.turn
        cards += [_card(c, move=sight.move(f"d{c}", f"a{c}") if acting else None) for c in hand]
    else:
        cards += hidden(facts["sizes"][seat])
    asked = facts["announced"][seat] if facts["announced"] else 0
    leads = facts["phase"] != "first" and facts["first"] == seat
    told = [Fact("asked for a redeal", f"{asked} Soldiers")] if asked else []
    partner = sight.seat is not None and seat != sight.seat and sight.teams[seat] == sight.teams[sight.seat]
    roles = ("your partner" if partner else "", "leader of the round" if leads else "")
    return sight.zone(seat, *roles, cards=cards, facts=told)


def _line(sight: Sight, seat: int) -> tuple[Zone, ...]:
    """What a seat has laid, defence and attack in turn; nothing if it has laid nothing."""
    line: list[str] = sight.facts["lines"][seat]
    cards: list[Card] = []
    for pair in line:
        down, digits = pair[0] in ".:", pair.lstrip(".:")
        if digits[0] == "x":
            cards += hidden(1, marks=("defence",), where=", face-down, as a defence")
        elif down:
            whose = ", a mercenary" if pair[0] == ":" else ""
            cards.append(_down(digits[0], marks=("defence",), where=f"{whose}, as a defence"))
        else:
            cards.append(_card(digits[0], marks=("defence",), where=", as a defence"))
        cards += [_card(digit, marks=("attack",), where=", as an attack") for digit in digits[1:]]
    if not cards:
        return ()
    zone = Zone(
        f"laid by {sight.label(seat)}", "table", seat=seat, own=seat == sight.seat, cards=tuple(cards)
    )
    return (zone,)


def _open_attack(sight: Sight) -> str:
    """The digit of the attack that waits for an answer."""
    last: str = sight.facts["lines"][sight.facts["owner"]][-1]
    return last[-1]


def _attack(sight: Sight) -> tuple[Zone, ...]:
    if sight.facts["phase"] != "respond":
        return ()
    owner = sight.facts["owner"]
    card = _card(_open_attack(sight), where=", to be answered")
    return (Zone(f"attack of {sight.label(owner)}, to be answered", "trick", cards=(card,)),)


def _aside(sight: Sight) -> tuple[Zone, ...]:
    """With three players: a card for the second seat from the leader to look at, and one for the third."""
    aside: str = sight.facts["aside"]
    if not aside or sight.facts["phase"] in ("first", "deal"):
        return ()
    cards: list[Card] = []
    for place, digit in enumerate(aside):
        seat = (sight.facts["first"] + 1 + place) % sight.seats
        marks, where = (f"seat {seat}",), f", set aside, seen by {sight.label(seat)}"
        cards += (
            hidden(1, marks=marks, where=where) if digit == "x" else (_down(digit, marks=marks, where=where),)
        )
    return (Zone("set aside", "table", cards=tuple(cards)),)


def _mercenaries(sight: Sight) -> tuple[Zone, ...]:
    """With two players: the stacks, upper card before lower card."""
    cards: list[Card] = []
    for letter, stack in zip(LETTERS, sight.facts["stacks"], strict=False):
        upper, lower = (stack[:1], stack[1:]) if stack[:1] not in ("x", "-") else ("", stack.lstrip("-"))
        if upper:
            move = sight.move(f"d{letter}", f"a{letter}")
            cards.append(_card(upper, marks=(letter,), where=f", on stack {letter}", move=move))
        if lower == "x":
            cards += hidden(1, marks=(letter,), where=f", under stack {letter}")
        elif lower:
            cards.append(_down(lower, marks=(letter,), where=f", under stack {letter}"))
    return (Zone("mercenaries", "table", cards=tuple(cards)),) if cards else ()


def _match(sight: Sight) -> Zone:
    totals = sight.facts["totals"]
    names = (
        ("seats 0 and 2", "seats 1 and 3") if sight.seats == 4 else [f"seat {s}" for s in range(sight.seats)]
    )
    facts = [Fact(f"points of {name}", str(total)) for name, total in zip(names, totals, strict=True)]
    if sight.options["rounds"] != 1:
        facts.append(Fact("ending", ENDINGS[sight.options["victory"]]))
    if sight.facts["redeals"]:
        facts.append(Fact("redeals of this round", str(sight.facts["redeals"])))
    return Zone("match", "facts", facts=tuple(facts))
