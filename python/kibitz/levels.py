"""Levels 1 to 10: the engine at ten strengths, for people to play against.

A lower level searches less and is freer in its choice (`kibitz.choice`). It is never given more than its seat may know,
and never plays badly on purpose: what it has found best is always its likeliest move. Level 10 plays the best that it
finds.
"""

from dataclasses import dataclass

from kibitz.bot import Bot
from kibitz.given import whole

__all__ = ["LEVELS", "Level", "level"]


@dataclass(frozen=True)
class Level:
    """What makes a strength.

    Attributes:
        iterations: Of the search, for every decision.
        temperature: Of the choice.
    """

    iterations: int
    temperature: float


# Four times the search every two levels or so, and a freedom that fades; docs/levels.md has what came of it.
LEVELS = (
    Level(8, 1.0),
    Level(16, 0.6),
    Level(32, 0.4),
    Level(64, 0.28),
    Level(150, 0.2),
    Level(350, 0.14),
    Level(800, 0.09),
    Level(2_000, 0.05),
    Level(5_000, 0.02),
    Level(12_000, 0),
)


def level(number: int, *, name: str | None = None, seed: int = 0) -> Bot:
    """A bot of a given strength.

    Args:
        number: 1, the weakest, to 10, the strongest.
        name: For tables of results; by default "level 4".
        seed: Bots with different seeds play different games.

    Raises:
        InvalidOption: No such level, or another argument that is not allowed.

    >>> import kibitz
    >>> bot = level(4, seed=1)
    >>> bot
    kibitz.Bot('ismcts', iterations=64, temperature=0.28, name='level 4', seed=1)
    >>> view = kibitz.load("kami").deal(seed=7).view()
    >>> bot.act(view) in view.legal()
    True
    """
    found = LEVELS[whole("level", number, least=1, most=len(LEVELS)) - 1]
    return Bot(
        iterations=found.iterations,
        temperature=found.temperature,
        name=f"level {number}" if name is None else name,
        seed=seed,
    )
