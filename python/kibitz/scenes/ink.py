"""Marks on paper: escaped text, how wide it runs, and where it breaks.

No font is measured: the drawing is seen with whatever font the reader has. Widths are those of DejaVu Sans, one of the
widest, so that text set in another one ends earlier and never runs over its border.
"""

from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from kibitz.errors import printable

__all__ = ["clean", "clipped", "element", "text_width", "wrapped"]

NARROW, WIDE = frozenset("fijlrtI.,:;!|'()[]- "), frozenset("mwMW@%ABCDGHNOQU")


def clean(text: str) -> str:
    r"""A text for XML: markup escaped, and what XML cannot hold as escapes.

    >>> clean("<b>\x1b"), clean('"&')
    ('&lt;b&gt;\\x1b', '&quot;&amp;')
    """
    return escape(printable(text), quote=True)


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """An element. Content is markup already, attribute values are escaped; underscores in names become hyphens.

    >>> element("rect", x=1, stroke_width=2), element("title", clean("a<b"))
    ('<rect x="1" stroke-width="2"/>', '<title>a&lt;b</title>')
    """
    pairs = (
        f' {key.strip("_").replace("_", "-")}="{clean(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    head = f"<{name}{''.join(pairs)}"
    return f"{head}>{content}</{name}>" if content else f"{head}/>"


def _plain(value: object) -> str:
    """Numbers without a tail of digits: the same text on every machine."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text_width(text: str, size: float) -> float:
    """About how wide a line runs at a font size; rather more than less."""
    total = 0.0
    for char in text:
        if char in NARROW:
            total += 0.42
        elif char in WIDE:
            total += 0.84
        elif char.isascii():
            total += 0.64
        else:
            total += 1.05 if east_asian_width(char) in "WF" else 0.86
    return total * size


def clipped(text: str, size: float, width: float) -> str:
    """A line that ends within a width, with three dots if it was cut."""
    if text_width(text, size) <= width:
        return text
    end = len(text)
    while end and text_width(text[:end] + "...", size) > width:
        end -= 1
    return text[:end].rstrip() + "..."


def wrapped(text: str, size: float, width: float, *, most: int = 6) -> Sequence[str]:
    """A text as lines within a width, at most so many; a word that is too long is cut.

    >>> wrapped("aaa bbb ccc", 10, 50)
    ['aaa bbb', 'ccc']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    lines = [clipped(line, size, width) for line in lines]
    return (
        lines if len(lines) <= most else [*lines[: most - 1], clipped(f"{lines[most - 1]} ...", size, width)]
    )
