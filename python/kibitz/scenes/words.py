"""Numbers, lists and hidden cards in words, for labels that are read aloud."""

from collections.abc import Iterable

from kibitz.scenes.scene import Card

__all__ = ["counted", "hidden", "joined", "number", "ordinal"]

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
)
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def number(count: int) -> str:
    """A small number as a word, a large one in digits.

    >>> number(4), number(15)
    ('four', '15')
    """
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def ordinal(place: int) -> str:
    """`"first"` for 1."""
    return ORDINALS[place - 1] if 1 <= place <= len(ORDINALS) else f"number {place}"


def counted(count: int, thing: str, things: str = "") -> str:
    """How many of something.

    >>> counted(1, "point"), counted(3, "trick"), counted(0, "hidden card")
    ('1 point', '3 tricks', '0 hidden cards')
    """
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def joined(words: Iterable[str], *, last: str = "and") -> str:
    """Words as a list in a sentence.

    >>> joined(["B4"]), joined(["B4", "G7", "R1"])
    ('B4', 'B4, G7 and R1')
    """
    *most, end = words or ("",)
    return f"{', '.join(most)} {last} {end}" if most else end


def hidden(count: int, *, marks: tuple[str, ...] = (), where: str = "") -> tuple[Card, ...]:
    """Cards that the reader does not know, as one; none if there are none.

    >>> [card.label for card in hidden(4)], hidden(0)
    (['four hidden cards'], ())
    """
    if count <= 0:
        return ()
    label = "a hidden card" if count == 1 else f"{number(count)} hidden cards"
    return (Card("", label + where, face="hidden", count=count, marks=marks),)
