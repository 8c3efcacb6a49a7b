"""Goofspiel: the prize, what everybody has left, bids of this round, prizes won."""

from kibitz.scenes.scene import Card, Drawing, Fact, Sight, Zone
from kibitz.scenes.words import counted, hidden, joined

__all__ = ["drawing_of"]


def drawing_of(sight: Sight) -> Drawing:
    """From the fields `prizes` and `bids`."""
    prizes = [int(prize) for prize in sight.facts["prizes"].split()]
    bids: list[list[str]] = [line.split() for line in sight.facts["bids"]]
    played = min(sum(not bid.startswith(".") for bid in line) for line in bids)
    takers = [_taker([int(line[k]) for line in bids]) for k in range(played)]
    points = [sum(prizes[k] for k in range(played) if takers[k] == seat) for seat in range(sight.seats)]
    subtitle = _subtitle(sight, prizes, played, points)
    hands = [_hand(sight, seat, bids[seat], points[seat]) for seat in sight.order]
    zones = [
        *hands[:-1],
        Zone("prize", "table", cards=tuple(_prize(prize) for prize in prizes[played:])),
        Zone("bids of this round", "trick", cards=_laid(sight, bids)),
        hands[-1],
        Zone("rounds played", "record", facts=_record(prizes, bids, takers)),
    ]
    told = [
        f"{sight.said(seat)} {'have' if seat == sight.seat else 'has'} {counted(points[seat], 'point')}"
        for seat in range(sight.seats)
    ]
    alt = f"Goofspiel: {subtitle}. {joined(told).capitalize()}."
    if sight.seat is not None and (left := _left(sight, bids[sight.seat])):
        alt += f" You hold {joined(map(str, left))}."
    return Drawing(
        subtitle=subtitle,
        alt=alt,
        zones=tuple(zone for zone in zones if zone.cards or zone.facts),
    )


def _taker(bids: list[int]) -> int | None:
    """The seat with the highest bid; None if there are several."""
    return bids.index(max(bids)) if bids.count(max(bids)) == 1 else None


def _left(sight: Sight, bids: list[str]) -> list[int]:
    """Cards that a seat has not laid, as far as the reader can tell."""
    laid = {bid.lstrip(".") for bid in bids}
    return [card for card in range(1, int(sight.options["cards"]) + 1) if str(card) not in laid]


def _hand(sight: Sight, seat: int, bids: list[str], points: int) -> Zone:
    facts = [Fact("points", str(points))]
    if ".x" in bids:
        facts.append(Fact("face-down", "one of these"))
    acting = seat == sight.turn
    cards = (
        Card(str(card), str(card), "blue", move=sight.move(f"bid {card}") if acting else None)
        for card in _left(sight, bids)
    )
    return sight.zone(seat, cards=cards, facts=facts)


def _prize(prize: int) -> Card:
    return Card(str(prize), f"prize {prize}", "gold")


def _laid(sight: Sight, bids: list[list[str]]) -> tuple[Card, ...]:
    """The bids that lie face-down."""
    cards: list[Card] = []
    for seat, line in enumerate(bids):
        bid = line[-1] if line else ""
        marks, by = (f"seat {seat}",), f", bid by {sight.label(seat)}"
        if bid == ".x":
            cards.extend(hidden(1, marks=marks, where=by))
        elif bid.startswith("."):
            cards.append(Card(bid[1:], f"{bid[1:]}, face-down{by}", "blue", face="down", marks=marks))
    return tuple(cards)


def _record(prizes: list[int], bids: list[list[str]], takers: list[int | None]) -> tuple[Fact, ...]:
    facts = []
    for k, taker in enumerate(takers):
        told = " ".join(line[k] for line in bids)
        facts.append(
            Fact(f"prize {prizes[k]}", f"bids {told}, {'nobody' if taker is None else f'seat {taker}'}")
        )
    return tuple(facts)


def _subtitle(sight: Sight, prizes: list[int], played: int, points: list[int]) -> str:
    cards = int(sight.options["cards"])
    if sight.turn is None:
        best = [sight.label(seat) for seat in range(sight.seats) if points[seat] == max(points)]
        return f"{best[0]} has won" if len(best) == 1 else f"{joined(best)} share the win"
    if sight.turn == "chance":
        what = "the bids are shown" if len(prizes) > played else "a prize is turned up"
    else:
        what = f"{sight.label(sight.turn)} to bid for {prizes[-1]}"
    return f"round {min(played + 1, cards)} of {cards}, {what}"
