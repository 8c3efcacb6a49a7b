"""Any scene as one self-contained SVG: cards as cards, boards as boards, zones as panels with their labels.

The picture needs no font, script or file beside it, follows the reader's light or dark setting, and has a title and a
description for those who listen. The same scene gives the same text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from kibitz.given import whole
from kibitz.scenes.ink import clean, clipped, element, text_width, wrapped
from kibitz.scenes.paint import style_sheet
from kibitz.scenes.scene import Card, Cell, Fact, Grid, Scene, Zone

__all__ = ["to_svg"]

MARGIN, GAP, PAD = 16.0, 10.0, 12.0
CARD_W, CARD_H, CARD_GAP = 40.0, 56.0, 6.0
FAN = 9.0  # how far the next card of a closed hand peeps out
MOST_BACKS = 14
MARK = 11.0  # a line of marks under a card
CELL = 46.0
TITLE, SUBTITLE, LABEL, SMALL, MARKS = 20.0, 14.0, 13.0, 12.0, 9.5
LEAST_WIDTH, MOST_WIDTH = 320, 4000


@dataclass(frozen=True)
class _Piece:
    """Something drawn at the origin, and how much room it takes."""

    width: float
    height: float
    markup: str


def to_svg(scene: Scene, *, width: int = 720) -> str:
    """A scene as SVG.

    Args:
        scene: From `scene_of`.
        width: In pixels, 320 to 4000; the height follows.

    Raises:
        InvalidOption: No such width.

    >>> import kibitz
    >>> from kibitz.scenes import scene_of
    >>> to_svg(scene_of(kibitz.load("tic_tac_toe").deal(seed=1)))[:4]
    '<svg'
    """
    room = whole("width", width, least=LEAST_WIDTH, most=MOST_WIDTH) - 2 * MARGIN
    body, height = _body(scene, room)
    name = f"kibitz-{blake2b((body + scene.alt).encode(), digest_size=6).hexdigest()}"
    full = room + 2 * MARGIN
    parts = [
        element("title", clean(f"{scene.title}: {scene.subtitle}"), id=f"{name}-title"),
        element("desc", clean(scene.alt), id=f"{name}-desc"),
        element("style", style_sheet(name)),
        element("rect", width=full, height=height, rx=10.0, class_="paper"),
        body,
    ]
    return element(
        "svg",
        "\n".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        width=full,
        height=height,
        viewBox=f"0 0 {full:.0f} {height:.0f}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        class_=name,
    )


def _body(scene: Scene, room: float) -> tuple[str, float]:
    """Everything below the style sheet, and the height of the picture."""
    y = MARGIN + TITLE
    size = _fitting(scene.title, TITLE, room)
    parts = [_text(clipped(scene.title, size, room), MARGIN, y, size, "ink bold")]
    for line in wrapped(scene.subtitle, SUBTITLE, room, most=3):
        y += SUBTITLE * 1.5
        parts.append(_text(line, MARGIN, y, SUBTITLE, "soft"))
    y += GAP
    for row in _rows(scene, room):
        x, tallest = MARGIN, max(piece.height for piece in row)
        for piece in row:
            parts.append(_at(piece.markup, x, y))
            x += piece.width + GAP
        y += tallest + GAP
    for note in scene.notes:
        for line in wrapped(note, SMALL, room):
            y += SMALL * 1.4
            parts.append(_text(line, MARGIN, y, SMALL, "ink"))
        y += GAP / 2
    return "\n".join(parts), y - GAP + MARGIN


def _rows(scene: Scene, room: float) -> list[list[_Piece]]:
    """Panels row by row: what belongs to one seat lies side by side where it fits, the last one fills the row."""
    if all(zone.role == "facts" for zone in scene.zones):  # nothing to look at but the text
        return [[_drawn_text(scene.text, room)], *([_panel(zone, room)] for zone in scene.zones)]
    rows: list[list[Zone]] = []
    left = 0.0
    for zone in scene.zones:
        need = _need(zone, room)
        if rows and _together(rows[-1][-1], zone) and need + GAP <= left:
            rows[-1].append(zone)
            left -= need + GAP
        else:
            rows.append([zone])
            left = room - need
    return [_filled(row, room) for row in rows]


def _together(one: Zone, other: Zone) -> bool:
    """Whether two panels may share a row: those of a seat, and cards that are nobody's."""
    return one.seat == other.seat and (one.seat is not None or bool(one.cards and other.cards))


def _filled(row: Sequence[Zone], room: float) -> list[_Piece]:
    """The panels of a row, all as high as the highest."""
    widths = [_need(zone, room) for zone in row[:-1]]
    widths.append(room - sum(widths) - GAP * len(widths))
    height = max(_panel(zone, width).height for zone, width in zip(row, widths, strict=True))
    return [_panel(zone, width, least=height) for zone, width in zip(row, widths, strict=True)]


def _need(zone: Zone, room: float) -> float:
    """The width that a zone takes if it is not made to wrap."""
    cards = sum(_slot(card) + CARD_GAP for card in zone.cards) - CARD_GAP
    facts = sum(_fact_width(fact) + GAP for fact in zone.facts) - GAP
    grid = zone.grid.columns * CELL if zone.grid else 0.0
    heading = text_width(_heading(zone), LABEL)
    return min(room, max(cards, min(facts, room / 3), grid, heading) + 2 * PAD)


# --- panels ---


def _heading(zone: Zone) -> str:
    return f"{zone.label}, to act" if zone.active else zone.label


def _panel(zone: Zone, width: float, *, least: float = 0.0) -> _Piece:
    """A zone in its frame."""
    inner = width - 2 * PAD
    y = PAD + LABEL * 0.85
    shift = LABEL if zone.active else 0.0
    parts = [_text(clipped(_heading(zone), LABEL, inner - shift), PAD + shift, y, LABEL, "ink bold")]
    if zone.active:
        tip = f"M{PAD:.1f} {y - 10:.1f}l9 5l-9 5z"
        parts.append(element("path", d=tip, class_="bar"))
    y += 7.0
    facts = _facts(zone.facts, inner, lines=zone.role == "record")
    things = [_cards(zone.cards, inner)] if zone.cards else []
    things += [_grid(zone.grid, inner)] if zone.grid else []
    things += [facts] if zone.facts else []
    for piece in things:
        parts.append(_at(piece.markup, PAD, y))
        y += piece.height + 4.0
    height = max(least, y - 4.0 + PAD)
    frame = " ".join(["panel", *(["own"] if zone.own else []), *(["active"] if zone.active else [])])
    box = element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8.0, class_=frame)
    return _Piece(width, height, box + "".join(parts))


def _facts(facts: Sequence[Fact], room: float, *, lines: bool) -> _Piece:
    """Names and values: one a line, or as many beside each other as fit."""
    parts: list[str] = []
    x, y = 0.0, 0.0
    for fact in facts:
        width = _fact_width(fact)
        if y == 0.0 or lines or x + width > room:
            x, y = 0.0, y + SMALL * 1.5
        name = clipped(f"{fact.name}:", SMALL, room * 0.6)
        first, *more = wrapped(fact.value, SMALL, room - text_width(f"{name} ", SMALL)) or [""]
        words = (
            element("tspan", clean(name), class_="soft") + " " + element("tspan", clean(first), class_="ink")
        )
        parts.append(element("text", words, x=x, y=y, font_size=SMALL))
        for line in more:
            y += SMALL * 1.4
            parts.append(_text(line, x + SMALL, y, SMALL, "ink"))
        x += width + 16.0
    return _Piece(room, y + 3.0, "".join(parts))


def _fact_width(fact: Fact) -> float:
    return text_width(f"{fact.name}: {fact.value}", SMALL)


def _drawn_text(text: str, room: float) -> _Piece:
    """The drawing for a terminal, for a game that has no other."""
    lines = text.rstrip("\n").splitlines() or [""]
    longest = max(map(len, lines)) or 1
    size = min(SMALL, (room - 2 * PAD) / (longest * 0.62))
    parts = [
        _text(line, PAD, PAD + size * (1 + 1.35 * place), size, "ink mono")
        for place, line in enumerate(lines)
    ]
    height = 2 * PAD + size * 1.35 * len(lines)
    box = element("rect", x=0.5, y=0.5, width=room - 1, height=height - 1, rx=8.0, class_="panel")
    return _Piece(room, height, box + "".join(parts))


# --- cards ---


def _slot(card: Card) -> float:
    """The width of a card with the words at it."""
    peeping = FAN * (min(card.count, MOST_BACKS) - 1)
    return max(CARD_W + peeping, *(text_width(mark, MARKS) for mark in card.marks), 0.0)


def _cards(cards: Sequence[Card], room: float) -> _Piece:
    """Cards in rows."""
    parts: list[str] = []
    x, y = 0.0, 0.0
    height = CARD_H + MARK * max(len(card.marks) for card in cards)
    for card in cards:
        width = min(_slot(card), room)
        if x and x + width > room:
            x, y = 0.0, y + height + CARD_GAP
        parts.append(_at(_card(card, width), x, y))
        x += width + CARD_GAP
    return _Piece(room, y + height + 1.0, "".join(parts))


def _card(card: Card, slot: float) -> str:
    """A card, or a fan of them, with its marks below; its label shows when it is pointed at."""
    backs = min(card.count, MOST_BACKS)
    left = (slot - CARD_W - FAN * (backs - 1)) / 2
    one = _back() if card.face == "hidden" else _face(card)
    parts = [element("title", clean(card.label))]
    parts += [_at(one, left + FAN * place, 0.0) for place in range(backs)]
    if card.count > 1:
        middle = left + FAN * (backs - 1) + CARD_W / 2
        shade = "count" if card.face == "hidden" else f"p-{card.color}"
        at = CARD_H / 2 + 6 if card.face == "hidden" else 13.0
        parts.append(
            _text(str(card.count), middle, at, 17.0 if card.face == "hidden" else 10.0, shade, middle=True)
        )
    for place, mark in enumerate(card.marks, 1):
        word = clipped(mark, MARKS, slot + CARD_GAP)
        parts.append(_text(word, slot / 2, CARD_H + MARK * place, MARKS, "soft", middle=True))
    return element("g", "".join(parts))


def _face(card: Card) -> str:
    kinds = [card.color, *(["may"] if card.move else []), *(["down"] if card.face == "down" else [])]
    size = _fitting(card.text, 22.0, CARD_W - 10)
    middle = CARD_H / 2 + (4.0 if card.suit else 8.0)
    parts = [
        element("rect", x=1.0, y=1.0, width=CARD_W - 2, height=CARD_H - 2, rx=6.0, class_=" ".join(kinds)),
        _text(clipped(card.text, size, CARD_W), CARD_W / 2, middle, size, f"p-{card.color}", middle=True),
    ]
    if card.suit:
        small = _fitting(card.suit, 7.5, CARD_W - 8)
        suit = clipped(card.suit, small, CARD_W)
        parts.append(_text(suit, CARD_W / 2, CARD_H - 8, small, f"p-{card.color}", middle=True))
    return "".join(parts)


def _fitting(text: str, size: float, width: float) -> float:
    """A font size at which a text fits a width; not below 6."""
    return max(min(size, size * width / max(text_width(text, size), 1.0)), 6.0)


def _back() -> str:
    weave = "M4 18L22 4M4 34L36 9M6 50L36 26M20 52L36 40M36 18L18 4M36 34L4 9M34 50L4 26M20 52L4 40"
    return element(
        "rect", x=1.0, y=1.0, width=CARD_W - 2, height=CARD_H - 2, rx=6.0, class_="back"
    ) + element("path", d=weave, class_="weave")


# --- boards ---


def _grid(grid: Grid, room: float) -> _Piece:
    """A board in the middle of its panel; an empty place that may be chosen shows its move."""
    cell = min(CELL, room / max(grid.columns, 1))
    left = (room - cell * grid.columns) / 2
    parts = [
        _at(_cell(place, cell), left + cell * column, cell * row)
        for row, line in enumerate(grid.cells)
        for column, place in enumerate(line)
        if place is not None
    ]
    return _Piece(room, cell * grid.rows, "".join(parts))


def _cell(place: Cell, size: float) -> str:
    middle, radius = size / 2, size / 2 - 4
    kinds: list[str] = [place.color if place.text else "hole"]
    kinds += ["may"] if place.move else []
    kinds += ["line"] if "line" in place.marks else []
    letters = max(size * 0.42 - 2 * max(len(place.text) - 2, 0), 8.0)
    parts = [
        element("title", clean(place.label)),
        element("circle", cx=middle, cy=middle, r=radius, class_=" ".join(kinds)),
    ]
    if place.text:
        text = clipped(place.text, letters, size)
        parts.append(_text(text, middle, middle + letters * 0.35, letters, f"p-{place.color}", middle=True))
    elif place.move:
        parts.append(
            _text(clipped(place.move, MARKS, size), middle, middle + 4, MARKS + 1, "tip", middle=True)
        )
    return element("g", "".join(parts))


# --- marks on paper ---


def _text(text: str, x: float, y: float, size: float, kind: str, *, middle: bool = False) -> str:
    anchor = "middle" if middle else None
    return element("text", clean(text), x=x, y=y, font_size=size, class_=kind, text_anchor=anchor)


def _at(markup: str, x: float, y: float) -> str:
    return element("g", markup, transform=f"translate({x:.1f} {y:.1f})")
