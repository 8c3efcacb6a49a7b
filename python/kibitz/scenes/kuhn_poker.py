"""Kuhn poker: one card a seat, what was said, the chips in the pot."""

from kibitz.scenes.scene import Card, Drawing, Fact, Sight, Zone
from kibitz.scenes.words import counted, hidden, joined

__all__ = ["drawing_of", "spelling_of"]

NAMES = {"J": "jack", "Q": "queen", "K": "king"}
SAID = {"p": "pass", "b": "bet"}


def drawing_of(sight: Sight) -> Drawing:
    """From the fields `hands`, `line` and `shown`."""
    hands: str = sight.facts["hands"]
    line: str = sight.facts["line"]
    paid = [1, 1]
    said: list[list[str]] = [[], []]
    for place, word in enumerate(line):
        said[place % 2].append(SAID[word])
        paid[place % 2] += word == "b"
    subtitle = _subtitle(sight, hands, line)
    zones = [
        sight.zone(
            seat,
            cards=_cards(hands[seat], shown=bool(sight.facts["shown"])),
            facts=(
                Fact("chips paid", str(paid[seat])),
                *([Fact("said", ", ".join(said[seat]))] if said[seat] else []),
            ),
        )
        for seat in sight.order
    ]
    pot = Zone("pot", "facts", facts=(Fact("chips", str(sum(paid))),))
    known = [
        f"{sight.said(seat)} {'have' if seat == sight.seat else 'has'} the {NAMES[hands[seat]]}"
        for seat in (0, 1)
        if hands[seat] in NAMES
    ]
    told = [f"seat {place % 2} {'passed' if word == 'p' else 'bet'}" for place, word in enumerate(line)]
    alt = f"Kuhn poker, {counted(sum(paid), 'chip')} in the pot: {subtitle}."
    alt += f" {joined(known).capitalize()}." if known else ""
    alt += f" {joined(told, last='then').capitalize()}." if told else ""
    return Drawing(subtitle=subtitle, alt=alt, zones=(zones[0], pot, zones[1]))


def spelling_of(card: Card) -> tuple[int, str]:
    """As it is drawn; from the jack up."""
    return "JQK".index(card.text), card.text


def _cards(card: str, *, shown: bool) -> tuple[Card, ...]:
    if card == "-":
        return ()
    if card == "x":
        return hidden(1)
    return (Card(card, NAMES[card], marks=("shown",) if shown else ()),)


def _subtitle(sight: Sight, hands: str, line: str) -> str:
    if sight.turn is None:
        folded = line.endswith("bp")
        winner = len(line) % 2 if folded else max((0, 1), key=lambda seat: "JQK".index(hands[seat]))
        return f"{sight.label(winner)} has won the pot"
    if sight.turn == "chance":
        return "the cards are shown" if line else "the cards are dealt"
    return (
        f"{sight.label(sight.turn)} to {'call with a bet, or pass' if line.endswith('b') else 'pass or bet'}"
    )
