"""Kami records as text: the history string, what a seat sees of it, and the YAML record of Goita programs.

The history string is that of goita-core, carried over to Kami (docs/games/kami.md, notation):

    12345678,12345678,11112345,11112345,s1,113,2p,3p,431     4 players: hands, first seat, turns
    ...,a75,s1,116,287                                       3 players: the two cards set aside
    ...,m541167...,s1,1C5                                    2 players: eight stacks, C = the third
    ...,s1,1-,2?5,4+;...,s1,113                              4 players: a redeal asked for and agreed to

Readers look at form only: which seat may play which card is for the core to say. A second king (9)
is read as 8.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.errors import InvalidPosition, shown
from kibitz.given import as_whole

__all__ = ["Record", "format_history", "mask_history", "parse_history", "parse_kifu"]

HAND_SIZE = {2: 8, 3: 10, 4: 8}  # by players
COPIES = {"1": 10, "2": 4, "3": 4, "4": 4, "5": 4, "6": 2, "7": 2, "8": 2}
POINTS = {"1": 1, "2": 2, "3": 2, "4": 3, "5": 3, "6": 4, "7": 4, "8": 5}
LETTERS = "ABCDEFGH"

MAX_HISTORY = 65_536  # characters; 31 redeals and the longest round take about 2,500
MAX_KIFU = 1_048_576  # bytes
MAX_KIFU_NODES = 50_000  # YAML nodes; 300 rounds take about 25,000
MAX_KIFU_DEPTH = 8  # the format has 6

Event = tuple[int | None, str]


@dataclass(frozen=True)
class Record:
    """One round: the deal and what happened, as far as the source knows it.

    Attributes:
        players: 2, 3 or 4.
        hands: The dealt hands by seat, sorted; `x` where a card is unknown.
        first: Seat that leads, 0-based.
        aside: 3 players: the second player's card and the third's; `x` where unknown.
        stacks: 2 players: upper and lower card of the stacks A to H; a lower one may be `x`.
        events: Seat (None for chance) and move text: `d3`, `dC`, `dx` (face-down, unknown), `a4`, `aH`,
            `p`, `?5`, `-`, `+`; chance `up C 5`, `points 6`, `void`. After `+` come four
            `deal 11113477`, with `x` where a card of the new hand is unknown (`deal x`: all of them).
        totals: Per team in Kami points before the round, where the source tells them.
    """

    players: int
    hands: list[str]
    first: int
    aside: str | None = None
    stacks: list[str] | None = None
    events: list[Event] = field(default_factory=list)
    totals: list[int] | None = None


# --- following a round by its form ---


class _Table:
    """What a reader must follow: who attacked last, hand cards left, stacks. No legality."""

    def __init__(self, players: int, stacks: Sequence[str] | None) -> None:
        self.left = [HAND_SIZE[players]] * players
        self.stacks = list(stacks or [])
        self.owner: int | None = None
        self.placed: str | None = None  # the card of a defence whose attack is to come
        self.placed_down = False
        self.over = False

    def defend(self, seat: int, code: str) -> list[Event]:
        """Place a defence: its event, and the turn-up that follows."""
        down = self.owner in (None, seat)
        if code == "x" and not down:
            raise ValueError("x stands for a face-down defence, and this one answers an attack")
        self.placed, turned_up = self._take(seat, code)
        self.placed_down = down
        return [(seat, "d" + code), *turned_up]

    def attack(self, seat: int, code: str) -> list[Event]:
        """Play the attack: its event, the turn-up, and the end of the round."""
        card, events = self._take(seat, code)
        events.insert(0, (seat, "a" + code))
        double = self.doubles(card)
        self.owner = seat
        self.placed = None
        if code not in LETTERS and self.left[seat] == 0:
            self.over = True
            points = "x" if double is None else str(POINTS[card] * (2 if double else 1))
            events.append((None, f"points {points}"))
        elif self.stacks and not any(self.stacks) and all(left % 2 for left in self.left):
            self.over = True
            events.append((None, "void"))
        return events

    def doubles(self, card: str) -> bool | None:
        """Whether an attack equals its face-down defence; None if that is a mercenary nobody has named.

        A face-down hand card that is written `x` is another one: a doubling last turn is written open.
        """
        if not self.placed_down:
            return False
        return None if self.placed == "?" else self.placed == card

    def _take(self, seat: int, code: str) -> tuple[str, list[Event]]:
        """The card taken ("?": an unnamed mercenary), and the turn-up of the card below."""
        if code not in LETTERS:
            if self.left[seat] == 0:
                raise ValueError(f"seat {seat + 1} has no hand card left")
            self.left[seat] -= 1
            return code, []
        i = LETTERS.index(code)
        if i >= len(self.stacks) or not self.stacks[i]:
            fault = f"stack {code} is empty" if self.stacks else "letters are stacks, of 2 players only"
            raise ValueError(fault)
        card, below = self.stacks[i][0], self.stacks[i][1:]
        self.stacks[i] = below
        return "?" if card == "x" else card, [(None, f"up {code} {below}")] if below else []


class _Question:
    """The redeal question of one deal, in the order in which it is answered."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.answered = 0
        self.asker: int | None = None

    def answer(self, seat: int, text: str) -> list[Event]:
        """One written answer, with the unwritten `-` before it."""
        if self.asker is not None:
            partner = (self.asker + 2) % 4
            if seat != partner or text not in "+-":
                raise ValueError(f"the partner answers the request, {partner + 1}+ or {partner + 1}-")
            self.asker = None
            return [(seat, text)]
        if text == "+":
            raise ValueError("nobody has asked for a redeal")
        place = (seat - self.first) % 4
        if place < self.answered:
            raise ValueError(
                f"seat {seat + 1} has answered; the question goes round once from seat {self.first + 1}"
            )
        events = self._skip(place)
        self.answered = place + 1
        if text != "-":
            self.asker = seat
        return [*events, (seat, text)]

    def close(self) -> list[Event]:
        """The unwritten `-` of the seats that are left, when the first card is played."""
        if self.asker is not None:
            raise ValueError(f"the partner's answer to seat {self.asker + 1} is missing")
        return self._skip(4)

    def _skip(self, place: int) -> list[Event]:
        skipped: list[Event] = [((self.first + i) % 4, "-") for i in range(self.answered, place)]
        self.answered = place
        return skipped


# --- reading a history ---

_TURN = re.compile(r"([1-4])(?:(p)|([1-9A-Hx])([1-9A-H])?|(\?[5-8]|[-+]))")


def parse_history(text: str, *, redeal: bool = True) -> Record:
    """Read a history string, open or masked, whole or broken off anywhere.

    What the notation leaves out is put in: the `-` of seats that were not written down (before the
    first turn), the turn-up after an upper card is taken, the points of a finished round, `void`. A
    lower card that was turned up is public, so its code belongs in the `m` field; if that says `x`, the
    event is the mark `up C x`, for the caller to replace, and a round that ends on that card face-down
    has `points x`. A last turn whose face-down card is `x` was not doubled, for a doubling one is
    written open.

    Args:
        text: `hand,...,s1,turn,...`; see the module.
        redeal: False: a game without the redeal question; no `-` is put in and none may be written.

    Returns:
        The record; `totals` is None, the notation has none.

    Raises:
        InvalidPosition: The text has not the form; the message tells the field (from 1) and what is
            allowed there.

    >>> record = parse_history("12345678,12345678,11112345,11112345,s1,113,2p,3p,43")
    >>> record.first, record.events[:4]
    (0, [(0, '-'), (1, '-'), (2, '-'), (3, '-')])
    >>> record.events[4:]
    [(0, 'd1'), (0, 'a3'), (1, 'p'), (2, 'p'), (3, 'd3')]
    >>> parse_history("12345678,12345678,11112345,1111234,s1")
    Traceback (most recent call last):
    kibitz.errors.InvalidPosition: History field 4: '1111234' is not a hand; allowed: 8 cards 1 to 8, x if unknown.
    """
    if not isinstance(text, str):
        raise InvalidPosition(f"A history is text, not {type(text).__name__}.", given=text)
    if len(text) > MAX_HISTORY:
        raise InvalidPosition(f"A history of {len(text)} characters is too long; allowed: {MAX_HISTORY}.")
    parts = text.strip().split(";")
    record = _read_part(parts[0], where="", redeal=redeal)
    for number, part in enumerate(parts[1:], 2):
        where = f"part {number}, "
        if not record.events or record.events[-1][1] != "+":
            raise _bad(where, 1, part.split(",")[0], "does not follow a redeal", "';' after the partner's +")
        dealt = _read_part(part, where=where, redeal=redeal)
        if (dealt.players, dealt.first) != (record.players, record.first):
            given = f"{dealt.players} hands, s{dealt.first + 1}"
            allowed = f"4 hands and s{record.first + 1}; a redeal changes neither players nor first seat"
            raise _bad(where, 5, given, "is another game", allowed)
        deal: list[Event] = [(None, f"deal {hand}") for hand in dealt.hands]
        record = replace(record, events=record.events + deal + dealt.events)
    return record


def _bad(where: str, number: int, given: str, fault: str, allowed: str) -> InvalidPosition:
    return InvalidPosition(
        f"History {where}field {number}: {shown(given)} {fault}; allowed: {allowed}.", given=given
    )


def _read_part(part: str, *, where: str, redeal: bool) -> Record:
    """One deal and what follows it."""
    fields = part.split(",")
    players = next((i for i, text in enumerate(fields) if text[:1] in ("a", "m", "s")), len(fields))
    if players == len(fields):
        allowed = "2 to 4 hands, a or m and cards with 3 or 2 of them, s1, turns"
        raise InvalidPosition(
            f"History {where}{shown(part)} names no first seat; allowed: {allowed}.", given=part
        )
    if players not in HAND_SIZE:
        fault = f"follows {players} hands"
        raise _bad(where, players + 1, fields[players], fault, "2, 3 or 4 hands before it")
    size = HAND_SIZE[players]
    for number, text in enumerate(fields[:players], 1):
        if not re.fullmatch(f"[1-9x]{{{size}}}", text):
            raise _bad(where, number, text, "is not a hand", f"{size} cards 1 to 8, x if unknown")
    hands = ["".join(sorted(_fold(text))) for text in fields[:players]]

    at = players
    aside: str | None = None
    stacks: list[str] | None = None
    if players == 3:
        if not re.fullmatch(r"a[1-9x]{2}", fields[at]):
            allowed = "a and the two cards set aside, a75, or axx"
            raise _bad(where, at + 1, fields[at], "is not the field of 3 players", allowed)
        aside = _fold(fields[at][1:])
        at += 1
    elif players == 2:
        if not re.fullmatch(r"m(?:[1-9][1-9x]){8}", fields[at]):
            allowed = "m and eight stacks of an upper card 1 to 8 and a lower one, x if unknown"
            raise _bad(where, at + 1, fields[at], "is not the field of 2 players", allowed)
        cards = _fold(fields[at][1:])
        stacks = [cards[i : i + 2] for i in range(0, 16, 2)]
        at += 1
    _count_cards("".join(hands) + (aside or "") + "".join(stacks or []), f"History {where}".rstrip(", "))

    lead = fields[at] if at < len(fields) else ""
    if not re.fullmatch(f"s[1-{players}]", lead):
        raise _bad(where, at + 1, lead, "is not the first seat", f"s1 to s{players}")
    first = int(lead[1]) - 1
    events = _read_turns(fields, at + 1, players, first, stacks, where=where, redeal=redeal)
    return Record(players=players, hands=hands, first=first, aside=aside, stacks=stacks, events=events)


def _read_turns(
    fields: list[str],
    at: int,
    players: int,
    first: int,
    stacks: list[str] | None,
    *,
    where: str,
    redeal: bool,
) -> list[Event]:
    table = _Table(players, stacks)
    question = _Question(first) if players == 4 and redeal else None
    asking = question is not None
    events: list[Event] = []
    for number, text in enumerate(fields[at:], at + 1):
        turn = _TURN.fullmatch(text)
        if turn is None or int(turn[1]) > players:
            allowed = f"seat 1 to {players}, then p, or defence and attack (1 to 8"
            allowed += ", A to H, x face-down)" if players == 2 else ", x face-down)"
            raise _bad(where, number, text, "is not a turn", allowed + (", or ?5, -, +" if asking else ""))
        seat, passes, defence, attack, answer = int(turn[1]) - 1, *turn.groups()[1:]
        try:
            if events and events[-1][1] == "+":
                raise ValueError("a redeal was agreed: the new hands follow after ';'")
            if table.over:
                raise ValueError("the round is over")
            if table.placed is not None:
                raise ValueError("the turn before lacks its attack; only the last turn may be half")
            if answer:
                if question is None or not asking:
                    raise ValueError("the redeal question is for 4 players, before the first turn (R19)")
                events += question.answer(seat, answer)
                continue
            if question is not None and asking:
                events += question.close()
                asking = False
            if passes:
                events.append((seat, "p"))
                continue
            events += table.defend(seat, _fold(defence))
            if attack:
                events += table.attack(seat, _fold(attack))
        except ValueError as fault:
            raise InvalidPosition(
                f"History {where}field {number}: {shown(text)}: {fault}.", given=text
            ) from None
    return events


def _fold(cards: str) -> str:
    """Goita tells its two kings apart, 8 and 9."""
    return cards.replace("9", "8")


def _count_cards(cards: str, where: str) -> None:
    for card, copies in COPIES.items():
        if cards.count(card) > copies:
            raise InvalidPosition(
                f"{where}: {cards.count(card)} cards {card} were dealt; the deck has {copies}."
            )


# --- writing a history ---

_MOVE = re.compile(r"d[1-8A-Hx]|a[1-8A-H]|p|\?[5-8]|[-+]")
_CHANCE = re.compile(r"deal (?:[1-8x]{8}|x)|up [A-H] [1-8x]|points (?:[1-9]|10|x)|void")


def format_history(record: Record) -> str:
    """Write a record as a history string.

    Answers to the redeal question are left out once a card was played and nobody had asked. A card that
    was turned up is written into the `m` field even if `stacks` doesn't name it, and a last face-down
    card that a doubled score proves is written open. What chance did is not written otherwise: a round
    broken off before a turn-up or its score reads back as if that had happened, one broken off within
    the deal after `+` as if that had not begun.

    Raises:
        InvalidPosition: An event that is none, or a defence without its attack before other moves.

    >>> line = "3xxxxxxx,12345678,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"
    >>> format_history(parse_history(line)) == line
    True
    """
    _check_record(record)
    parts = []
    for hands, events in _deals(record):
        fields = ["".join(sorted(hand)) for hand in hands]
        if record.aside is not None:
            fields.append("a" + record.aside)
        if record.stacks is not None:
            fields.append("m" + "".join(_turned_up(record.stacks, events)))
        fields.append(f"s{record.first + 1}")
        answers = [f"{seat + 1}{text}" for seat, text in events if seat is not None and text[0] in "?-+"]
        turns: list[str] = []
        for seat, text in events:
            if seat is None or text[0] in "?-+":
                continue
            if text[0] == "a":
                turns[-1] += text[1]
            else:
                turns.append(f"{seat + 1}{text[-1]}")
        if turns and not any("?" in answer for answer in answers):
            answers = []
        parts.append(",".join(fields + answers + turns))
    return ";".join(parts)


def _check_record(record: object) -> None:
    if not isinstance(record, Record):
        raise InvalidPosition(f"A record is what parse_history gives, not {shown(record)}.", given=record)


def _deals(record: Record) -> list[tuple[list[str], list[Event]]]:
    """The deals of a record, each with its events; a redeal that is not complete is left out.

    A last face-down card that a doubled score proves is named.
    """
    deals: list[tuple[list[str], list[Event]]] = [(record.hands, [])]
    dealt: list[str] = []
    placing: int | None = None  # the seat whose attack is to come
    for seat, text in record.events:
        known = _CHANCE if seat is None else _MOVE
        if seat not in (None, *range(record.players)) or not known.fullmatch(text):
            who = "chance" if seat is None else f"seat {seat}"
            raise InvalidPosition(
                f"{shown(text)} by {who} is no event of Kami with {record.players} players."
            )
        if seat is not None:
            if placing != (seat if text[0] == "a" else None):
                raise InvalidPosition(
                    f"{text!r} by seat {seat}: an attack follows its own defence, no other move does."
                )
            placing = seat if text[0] == "d" else None
        if text.startswith("deal "):
            dealt.append(text[5:] if text != "deal x" else "x" * HAND_SIZE[record.players])
            if len(dealt) == record.players:
                deals.append((dealt, []))
                dealt = []
            continue
        events = deals[-1][1]
        if text.startswith("points") and len(events) > 1:
            (_, defence), (attacker, attack) = events[-2:]
            if defence == "dx" and text == f"points {2 * POINTS.get(attack[-1], 0)}":
                events[-2] = (attacker, "d" + attack[-1])
        events.append((seat, text))
    return deals


def _turned_up(stacks: list[str], events: list[Event]) -> list[str]:
    """The stacks with the lower cards that were turned up."""
    stacks = list(stacks)
    for seat, text in events:
        if seat is None and text.startswith("up ") and text[-1] != "x":
            i = LETTERS.index(text[3])
            stacks[i] = stacks[i][0] + text[-1]
    return stacks


# --- what a seat sees ---


def mask_history(record: Record, seat: int | None) -> Record:
    """What a seat knows of a record, or with None an observer, as goita-core writes it.

    Other seats' face-down hand cards become `x`; a doubling last turn stays open, since its score proves
    it. Another seat's hand shows the cards it has played face-up (and announced Soldiers), the others
    are `x`. Of the cards set aside a seat knows its own, of the lower mercenaries those turned up. A
    finished round counts as scored, with or without its `points` event.

    Raises:
        InvalidPosition: No such seat, or events that don't go with the deal.

    >>> whole = parse_history("12345678,12345679,11112345,11112345,s1,113,2p,3p,431,1p,2p,3p,412")
    >>> format_history(mask_history(whole, 1))
    '3xxxxxxx,12345678,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2'
    >>> format_history(mask_history(whole, None))
    '3xxxxxxx,xxxxxxxx,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2'
    """
    _check_record(record)
    number = None if seat is None else as_whole(seat)
    if seat is not None and (number is None or number not in range(record.players)):
        raise InvalidPosition(
            f"Seat {shown(seat)} is not at the table; allowed: 0 to {record.players - 1}, or None."
        )
    seat = number
    masked = [_mask_deal(record, hands, events, seat) for hands, events in _deals(record)]
    aside, stacks = record.aside, record.stacks
    if aside is not None:
        looker = [(record.first + 1) % 3, (record.first + 2) % 3]
        aside = "".join(card if looker[i] == seat else "x" for i, card in enumerate(aside))
    if stacks is not None:
        stacks = _turned_up([cards[0] + "x" for cards in stacks], record.events)
    events = masked[0][1]
    for hands, later in masked[1:]:
        events += [(None, f"deal {hand}") for hand in hands]
        events += later
    unfinished = _unfinished_deal(record)
    events += [(None, f"deal {hand if i == seat else 'x' * len(hand)}") for i, hand in enumerate(unfinished)]
    return replace(record, hands=masked[0][0], aside=aside, stacks=stacks, events=events)


def _unfinished_deal(record: Record) -> list[str]:
    """The hands of a redeal that is not complete."""
    whole = "x" * HAND_SIZE[record.players]
    dealt = [whole if text == "deal x" else text[5:] for _, text in record.events if text.startswith("deal ")]
    return dealt[len(dealt) - len(dealt) % record.players :]


def _mask_deal(
    record: Record, hands: list[str], events: list[Event], viewer: int | None
) -> tuple[list[str], list[Event]]:
    """The hands and events of one deal, masked."""
    size = HAND_SIZE[record.players]
    table = _Table(record.players, record.stacks)
    public = [""] * record.players  # cards of each hand that everybody knows
    soldiers = [0] * record.players  # announced
    masked: list[Event] = []
    hidden: int | None = None  # the event of a masked defence whose attack is to come
    for seat, text in events:
        masked.append((seat, text))
        if seat is None:
            continue
        try:
            code = text[-1]
            if text[0] == "?":
                soldiers[seat] = int(code)
            elif text[0] == "d":
                table.defend(seat, code)
                hidden = len(masked) - 1 if table.placed_down and code not in LETTERS else None
                if hidden is None and code not in LETTERS:
                    public[seat] += code
                elif hidden is not None and seat != viewer:
                    masked[hidden] = (seat, "dx")
            elif text[0] == "a":
                placed, double = table.placed, table.doubles(code)
                events_after = table.attack(seat, code)
                public[seat] += "" if code in LETTERS else code
                if hidden is not None and placed and double and events_after[-1][1].startswith("points"):
                    masked[hidden] = (seat, "d" + placed)
                    public[seat] += placed
        except ValueError as fault:
            raise InvalidPosition(f"Event {text!r} by seat {seat}: {fault}.") from None
    seen_hands = []
    for seat, hand in enumerate(hands):
        cards = public[seat] + "1" * (soldiers[seat] - public[seat].count("1"))
        if len(cards) > size:
            raise InvalidPosition(f"Seat {seat} has shown {len(cards)} cards {cards}; a hand has {size}.")
        seen_hands.append("".join(sorted(hand if seat == viewer else cards.ljust(size, "x"))))
    return seen_hands, masked


# --- the YAML match record ---

PIECES = {"し": "1", "香": "2", "馬": "3", "銀": "4", "金": "5", "角": "6", "飛": "7", "王": "8", "玉": "8"}
PASS = "パス"


def parse_kifu(text: str, *, redeal: bool = True) -> list[Record]:
    r"""Read a Goita match record (kifu, YAML, version 1.0), one record a round.

    Passes are implied by the seats of consecutive rows and put in; rows that say them, and turns
    written in two rows (`["1","馬",""]`, `["1","","銀"]`), are read too. The two kings may be confused
    in rows; both are card 8 here. As in `parse_history`, the `-` of the redeal question and the points
    of a finished round are put in.

    Args:
        text: The file's content, at most 1 MiB, without YAML aliases.
        redeal: False: no `-` is put in.

    Returns:
        A record for each item of `log`; `totals` is `score` in Kami points, ten Goita points being
        one, or None where the file has no score.

    Raises:
        InvalidPosition: Not such a file; the message tells where in it.

    >>> hands = "{p0: しし香馬銀金角飛, p1: しし香馬銀金角王, p2: ししし香馬銀金玉, p3: ししし香馬銀金飛}"
    >>> first = f'- {{hand: {hands}, uchidashi: 1, score: [0, 20], game: [["1", "し", "馬"]]}}'
    >>> [record] = parse_kifu(f"version: 1.0\nlog:\n{first}")
    >>> record.hands[1], record.first, record.totals, record.events[-2:]
    ('11234568', 1, [0, 2], [(1, 'd1'), (1, 'a3')])
    """
    data = _load_kifu(text)
    if not isinstance(data, dict) or not isinstance(data.get("log"), list):
        raise InvalidPosition(
            "Kifu: not a match record; allowed: a mapping with version: 1.0, p0 to p3 and log."
        )
    if data.get("version") != "1.0":
        raise InvalidPosition(f"Kifu version: {shown(data.get('version'))}; allowed: 1.0.")
    return [_read_kifu_round(item, f"Kifu log[{i}]", redeal=redeal) for i, item in enumerate(data["log"])]


def _load_kifu(text: str) -> Any:
    """The YAML document with every scalar as text."""
    import yaml

    class Loader(yaml.BaseLoader):
        """Without aliases, and with bounds: a small file can stand for a huge document."""

        nodes = depth = 0

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            line = self.line + 1  # of the reader, which may be a line ahead
            if self.check_event(yaml.AliasEvent):
                raise InvalidPosition(
                    f"Kifu near line {line}: an alias; allowed: plain YAML without * references."
                )
            self.nodes += 1
            self.depth += 1
            if self.nodes > MAX_KIFU_NODES or self.depth > MAX_KIFU_DEPTH:
                allowed = f"{MAX_KIFU_NODES} values, {MAX_KIFU_DEPTH} levels"
                raise InvalidPosition(
                    f"Kifu near line {line}: too many values or levels; allowed: {allowed}."
                )
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    if not isinstance(text, str):
        raise InvalidPosition(f"A kifu is text, not {type(text).__name__}.", given=text)
    if len(text) > MAX_KIFU or len(text.encode("utf-8", "surrogatepass")) > MAX_KIFU:
        raise InvalidPosition(f"A kifu of {len(text)} characters is too long; allowed: {MAX_KIFU} bytes.")
    try:
        return yaml.load(text, Loader=Loader)
    except (
        yaml.YAMLError,
        ValueError,
        OverflowError,
    ) as fault:  # the last two: numbers in escapes and directives
        reason = " ".join(str(fault).split())
        raise InvalidPosition(f"Kifu: not YAML: {shown(reason, width=200)}.") from None


def _read_kifu_round(item: Any, where: str, *, redeal: bool) -> Record:
    if not isinstance(item, dict):
        raise InvalidPosition(
            f"{where}: {shown(item)}; allowed: a mapping with hand, uchidashi, score, game."
        )
    dealt = item.get("hand")
    if not isinstance(dealt, dict):
        raise InvalidPosition(f"{where}.hand: {shown(dealt)}; allowed: p0 to p3 with 8 pieces each.")
    hands = []
    for name in ("p0", "p1", "p2", "p3"):
        pieces = dealt.get(name)
        if not isinstance(pieces, str) or len(pieces) != 8 or not set(pieces) <= set(PIECES):
            raise InvalidPosition(f"{where}.hand.{name}: {shown(pieces)}; allowed: 8 of {''.join(PIECES)}.")
        hands.append("".join(sorted(PIECES[piece] for piece in pieces)))
    _count_cards("".join(hands), f"{where}.hand")

    first = item.get("uchidashi")
    if first not in ("0", "1", "2", "3"):
        raise InvalidPosition(f"{where}.uchidashi: {shown(first)}; allowed: 0 to 3, the seat that leads.")
    score = item.get("score")
    allowed_scores = {str(10 * total): total for total in range(15)}
    if score is not None and not (
        isinstance(score, list)
        and len(score) == 2
        and all(isinstance(total, str) and total in allowed_scores for total in score)
    ):
        raise InvalidPosition(
            f"{where}.score: {shown(score)}; allowed: two totals before the round, 0 to 140 in tens."
        )
    rows = item.get("game") or []
    if not isinstance(rows, list):
        raise InvalidPosition(f"{where}.game: {shown(rows)}; allowed: rows of player, block, attack.")
    return Record(
        players=4,
        hands=hands,
        first=int(first),
        events=_read_rows(rows, int(first), where, redeal=redeal),
        totals=None if score is None else [allowed_scores[total] for total in score],
    )


def _read_rows(rows: list[Any], first: int, where: str, *, redeal: bool) -> list[Event]:
    """The turns of a round, with the passes between them."""
    table = _Table(4, None)
    events = _Question(first).close() if redeal and rows else []
    turn = first
    for number, row in enumerate(rows):
        spot = f"{where}.game[{number}]: {shown(row)}"
        if not isinstance(row, list) or len(row) not in (2, 3) or row[0] not in ("0", "1", "2", "3"):
            raise InvalidPosition(f"{spot}; allowed: [player 0 to 3, block, attack].")
        seat, cells = int(row[0]), row[1:]
        passes = PASS in cells
        whole = len(cells) == 2 and any(cells) and all(c in ("", *PIECES) for c in cells)
        if not passes and not whole:
            raise InvalidPosition(f"{spot}; allowed: block and attack of {''.join(PIECES)}, or {PASS}.")
        block, attack = ("", "") if passes else cells
        try:
            if table.over:
                raise ValueError("the round is over")
            if table.placed is not None and (block or passes or turn != (seat + 1) % 4):
                raise ValueError("the block of the row before lacks its attack")
            if table.placed is None:
                if not block and not passes:
                    raise ValueError("an attack without its block")
                events += _passes(turn, seat, table.owner)
                turn = (seat + 1) % 4
            if passes:
                if table.owner in (None, seat):
                    raise ValueError("the leader cannot pass (R1, R3)")
                events.append((seat, "p"))
            if block:
                events += table.defend(seat, PIECES[block])
            if attack:
                events += table.attack(seat, PIECES[attack])
        except ValueError as fault:
            raise InvalidPosition(f"{spot}: {fault}.") from None
    return events


def _passes(turn: int, seat: int, owner: int | None) -> list[Event]:
    """The passes of the seats from `turn` to the one before `seat`."""
    passed: list[Event] = []
    while turn != seat:
        if turn == owner or owner is None:
            raise ValueError(f"seat {turn} leads here and cannot pass (R1, R3)")
        passed.append((turn, "p"))
        turn = (turn + 1) % 4
    return passed
