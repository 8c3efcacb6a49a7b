"""Leduc poker: one card a seat, the public card, two rounds of betting."""

from kibitz.scenes.scene import Card, Color, Drawing, Fact, Sight, Zone
from kibitz.scenes.words import counted, hidden, joined

__all__ = ["drawing_of", "spelling_of"]

NAMES = {"J": "jack", "Q": "queen", "K": "king"}
SUITS: dict[str, Color] = {"1": "black", "2": "red"}
SAID = {"f": "fold", "c": "call", "r": "raise"}
TOLD = {"f": "folded", "c": "called", "r": "raised"}
RAISES = (2, 4)  # chips above a call, by round
MOST_RAISES = 2  # a round


def drawing_of(sight: Sight) -> Drawing:
    """From the fields `hands`, `public`, `rounds` and `shown`."""
    hands: list[str] = sight.facts["hands"]
    public: str = sight.facts["public"]
    rounds: list[str] = sight.facts["rounds"]
    paid = _paid(rounds)
    subtitle = _subtitle(sight, hands, public, rounds)
    zones = [
        sight.zone(
            seat,
            cards=_cards(hands[seat], "shown" if sight.facts["shown"] else ""),
            facts=(
                Fact("chips paid", str(paid[seat])),
                *(
                    Fact(f"round {number}", ", ".join(SAID[word] for word in line[seat::2]))
                    for number, line in enumerate(rounds, 1)
                    if line[seat::2]
                ),
            ),
        )
        for seat in sight.order
    ]
    pot = Zone("pot", "table", cards=_cards(public, "public"), facts=(Fact("chips", str(sum(paid))),))
    known = [
        f"{sight.said(seat)} {'have' if seat == sight.seat else 'has'} the {_name(hands[seat])}"
        for seat in (0, 1)
        if hands[seat] not in "-x"
    ]
    if public != "-":
        known.append(f"the public card is the {_name(public)}")
    told = [
        f"round {number}: {joined(f'seat {place % 2} {TOLD[word]}' for place, word in enumerate(line))}"
        for number, line in enumerate(rounds, 1)
        if line
    ]
    alt = f"Leduc poker, {counted(sum(paid), 'chip')} in the pot: {subtitle}."
    for words in (joined(known), "; ".join(told)):
        alt += f" {words[0].upper()}{words[1:]}." if words else ""
    return Drawing(subtitle=subtitle, alt=alt, zones=(zones[0], pot, zones[1]))


def spelling_of(card: Card) -> tuple[int, str]:
    """As it is drawn; from the jack up."""
    return 2 * "JQK".index(card.text[0]) + int(card.text[1]), card.text


def _paid(rounds: list[str]) -> list[int]:
    """Chips of each seat in the pot."""
    paid = [1, 1]
    for line, more in zip(rounds, RAISES, strict=True):
        for place, word in enumerate(line):
            if word != "f":
                paid[place % 2] = max(paid) + (more if word == "r" else 0)
    return paid


def _name(card: str) -> str:
    return f"{NAMES[card[0]]} of suit {card[1]}"


def _cards(card: str, mark: str) -> tuple[Card, ...]:
    if card == "-":
        return ()
    if card == "x":
        return hidden(1)
    return (Card(card, _name(card), SUITS[card[1]], f"suit {card[1]}", marks=(mark,) if mark else ()),)


def _subtitle(sight: Sight, hands: list[str], public: str, rounds: list[str]) -> str:
    if sight.turn is None:
        last = rounds[1] or rounds[0]
        if last.endswith("f"):
            return f"{sight.label(len(last) % 2)} has won the pot"
        rank = [(hand[0] == public[0], "JQK".index(hand[0])) for hand in hands]
        if rank[0] == rank[1]:
            return "equal ranks share the pot"
        return f"{sight.label(int(rank[1] > rank[0]))} has won the pot"
    if sight.turn == "chance":
        return (
            "the cards are dealt"
            if "-" in hands
            else "a card is turned up"
            if public == "-"
            else "the cards are shown"
        )
    number = 1 if public == "-" else 2
    return f"round {number}, {sight.label(sight.turn)} to {joined(_choices(rounds[number - 1]), last='or')}"


def _choices(line: str) -> tuple[str, ...]:
    """What the seat to act may do: fold only against a raise, and raise only twice a round."""
    return (
        *(["fold"] if line.endswith("r") else []),
        "call",
        *(["raise"] if line.count("r") < MOST_RAISES else []),
    )
