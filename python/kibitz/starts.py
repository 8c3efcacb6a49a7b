"""The shortest form of a position: only what does not follow from the game's defaults."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kibitz.errors import KibitzError

__all__ = ["shortest"]

Whole = TypeVar("Whole")


def shortest(
    facts: Mapping[str, Any], *, build: Callable[[dict[str, Any]], Whole], whole: Whole
) -> dict[str, Any]:
    """`facts` without the keys that may be left out, one after the other, so that `build` still gives `whole`.

    >>> def card(facts):
    ...     return facts["rank"], facts.get("suit", "blue")
    >>> shortest({"rank": 3, "suit": "blue"}, build=card, whole=(3, "blue"))
    {'rank': 3}
    """
    kept = dict(facts)
    for key in facts:
        fewer = {name: value for name, value in kept.items() if name != key}
        try:
            same = build(fewer) == whole
        except (KibitzError, KeyError):
            same = False
        if same:
            kept = fewer
    return kept
