"""What another process makes of things. Here, so that it finds them: it knows the folders of pytest's path."""

from typing import Any

import kibitz

__all__ = ["first_legal", "look"]


def first_legal(view: kibitz.View) -> str:
    return view.legal()[0]


def look(things: dict[str, Any]) -> list[Any]:
    """The things again, and what can be told of some."""
    table, view, bot = things["Table"], things["View"], things["Bot"]
    return [
        things,
        table.core.digest,
        view.digest,
        bot.act(view),
        first_legal(view),
        hash(bot.name) and repr(bot),
    ]
