"""What kibitz raises. Every message is a sentence: what was given, which rule it breaks, what is allowed, where.

An error never changes anything: the table, view or match is as it was before the call.
"""

import math
import re
from collections.abc import Iterable, Sequence

__all__ = [
    "IllegalMove",
    "InvalidOption",
    "InvalidPosition",
    "KibitzError",
    "TooMuch",
    "UnknownGame",
    "WrongActor",
]


class KibitzError(Exception):
    """Base of all errors that kibitz raises on purpose.

    Args:
        message: A full sentence, fit for a person.
        given: What was given, as it was given.
        allowed: What would be allowed, in the game's own order; empty where there is no short list.
        rule: Where the rule stands that was broken ("kami R8"), if one was.

    >>> error = InvalidOption("players cannot be 7; allowed: 2 to 4.", given=7, allowed=("2 to 4",))
    >>> str(error), error.given, error.allowed, error.rule
    ('players cannot be 7; allowed: 2 to 4.', 7, ('2 to 4',), None)
    """

    def __init__(
        self, message: str, *, given: object = None, allowed: Iterable[object] = (), rule: str | None = None
    ) -> None:
        super().__init__(printable(message))
        self.given = given
        self.allowed = tuple(allowed)
        self.rule = rule

    @property
    def message(self) -> str:
        """The sentence, without notes."""
        return str(self.args[0])


class IllegalMove(KibitzError):
    """A move, or an event of a record, that the rules do not allow here."""


class WrongActor(IllegalMove):
    """An event by a seat (or chance) that is not the one to act."""


class TooMuch(IllegalMove):
    """An event that tells a seat what it may not see, such as the card that another seat laid face-down."""


class InvalidPosition(KibitzError):
    """A start, view or record that breaks a rule of the game, contradicts itself, or cannot be read."""


class UnknownGame(KibitzError):
    """A name that is no game's."""


class InvalidOption(KibitzError):
    """An option of a game, a search, a bot or a match with a value, or a name, that is not allowed."""


def did_you_mean(given: object, allowed: Sequence[str]) -> str:
    """How to end a sentence about an unknown name: with the nearest allowed one, or, if none is near, with a stop.

    >>> did_you_mean("iteration", ["ms", "iterations"])
    "; did you mean 'iterations'?"
    >>> did_you_mean("zebra", ["ms", "iterations"])
    '.'
    """
    from difflib import get_close_matches

    near = get_close_matches(given[:64], allowed, n=1, cutoff=0.5) if isinstance(given, str) else []
    return f"; did you mean {near[0]!r}?" if near else "."


def printable(text: str) -> str:
    r"""A text as one line that no terminal obeys and every file can hold: the rest as escapes.

    >>> print(printable("d3\n\x1b[2J"))
    d3\n\x1b[2J
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, *, width: int = 60) -> str:
    """A value as it was given, cut when long, for use inside a sentence; never fails, whatever it was.

    >>> shown("d3"), shown("x" * 100, width=10)
    ("'d3'", "'xxxxxxxx...")
    >>> shown(10**5000), shown(object())
    ('a number of 5001 digits', '<object object>')
    """
    try:
        text = repr(value[:width] if isinstance(value, str | bytes) else value)
    except Exception:  # noqa: BLE001  foreign code, too deep a nest, too long a number
        return _described(value)
    text = re.sub(" at 0x[0-9A-Fa-f]+", "", text[: 2 * width])  # where an object lies says nothing
    text = printable(text)
    return text if len(text) <= width else text[: width - 1] + "..."


def _described(value: object) -> str:
    if isinstance(value, int):
        return f"a number of {math.floor(math.log10(abs(value))) + 1} digits"
    return f"a value of type {type(value).__name__}"
