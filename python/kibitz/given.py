"""Arguments as they are given: numbers, words and mappings, checked before anything is done with them.

Whole numbers may be of any integer type, numpy's among them; a flag is no number. What is refused, whatever it is,
becomes an `InvalidOption` that names the argument.
"""

import math
import operator
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from kibitz.errors import InvalidOption, did_you_mean, shown

__all__ = ["as_number", "as_whole", "mapping", "one_of", "plain", "positive", "whole"]

MOST = 2**63 - 1


def as_whole(value: object) -> int | None:
    """The whole number that a value is; None if it is none.

    >>> as_whole(7), as_whole(7.0), as_whole(True), as_whole("7")
    (7, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001  no number, or foreign code that fails
        return None


def as_number(value: object) -> int | float | None:
    """The finite number that a value is, the whole ones as `int`; None if it is none.

    >>> as_number(7), as_number(0.5), as_number(7.0), as_number(float("nan")), as_number(10**400)
    (7, 0.5, 7, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        found = float(value)
    except Exception:  # noqa: BLE001  too large, or foreign code that fails
        return None
    if not math.isfinite(found):
        return None
    return int(found) if found.is_integer() else found


def plain(value: Any) -> Any:
    """A copy of what a core has accepted as a position: dicts, lists, texts, ints, flags and None, nothing else.

    >>> plain({"hands": ("123", "45"), "first": 1})
    {'hands': ['123', '45'], 'first': 1}
    """
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return str.__str__(value)
    return value if value is None or isinstance(value, bool) else operator.index(value)


def whole(name: str, value: object, *, least: int, most: int = MOST) -> int:
    """A whole number from `least` to `most`.

    Raises:
        InvalidOption: Anything else.
    """
    found = as_whole(value)
    if found is None or not least <= found <= most:
        bounds = f"from {least}" if most == MOST else f"from {least} to {most}"
        raise InvalidOption(f"{name} cannot be {shown(value)}; it is a whole number {bounds}.", given=value)
    return found


def positive(name: str, value: object, *, most: float) -> int | float:
    """A number above 0, up to `most`.

    Raises:
        InvalidOption: Anything else.
    """
    found = as_number(value)
    if found is None or not 0 < found <= most:
        raise InvalidOption(
            f"{name} cannot be {shown(value)}; it is a number above 0, at most {most:g}.", given=value
        )
    return found


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """One of several words.

    Raises:
        InvalidOption: Anything else.
    """
    if isinstance(value, str) and value in allowed:
        return value
    raise InvalidOption(
        f"{name} cannot be {shown(value)}{did_you_mean(value, allowed)} Allowed: {', '.join(allowed)}.",
        given=value,
        allowed=allowed,
    )


def mapping(name: str, value: object) -> dict[str, Any]:
    """A mapping whose keys are texts, as a new dict.

    Raises:
        InvalidOption: Anything else.
    """
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return dict(value)
    raise InvalidOption(
        f"{name} cannot be {shown(value)}; it is a mapping from names to values.", given=value
    )
