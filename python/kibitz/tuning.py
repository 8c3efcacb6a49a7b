"""How a search departs from its plain formula; docs/search.md says what each departure measured."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kibitz.errors import InvalidOption, did_you_mean, shown
from kibitz.given import as_number, mapping

__all__ = ["Tuning"]

# What the core takes (src/tuning.cpp), refused here so that a bot is told when it is made.
RANGES: dict[str, int] = {"first_play": 1, "bias": 1000, "rave": 1_000_000, "widening": 1000}
TAKES: dict[str, tuple[str, ...]] = {  # which searches know it
    "first_play": ("mcts", "pimc", "ismcts"),
    "bias": ("mcts", "pimc", "ismcts"),
    "rave": ("mcts", "pimc", "ismcts"),
    "widening": ("mcts", "pimc", "ismcts"),
    "halving": ("flat",),
    "proofs": ("mcts", "pimc"),
}


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Departures from the plain selection formula, all off by default.

    Attributes:
        first_play: First-play urgency (Gelly, Wang 2006): the utility, 0 to 1, that a move never tried counts with;
            None tries every move before any a second time. mcts, pimc, ismcts.
        bias: Progressive bias (Chaslot and others 2008): a bonus of bias / (visits + 1), in utility, for the move that
            the game's hint advises. mcts, pimc, ismcts.
        rave: All-moves-as-first (Gelly, Silver 2007): the visits at which it counts half as much as the move's own
            mean; 0 is never. Playouts are played move by move for it, which is slower. mcts, pimc, ismcts.
        widening: Progressive widening (Coulom 2007): 1 + widening * sqrt(visits) moves of a position are tried, the one
            that the hint advises first; 0 is all. mcts, pimc, ismcts.
        halving: Sequential halving (Karnin and others 2013): the worse half of the moves drops out after each round.
            flat, with iterations.
        proofs: Whether what can be proven is. mcts, pimc.

    Raises:
        InvalidOption: A value out of its range.

    >>> import kibitz
    >>> view = kibitz.load("kami").deal(seed=7).view()
    >>> kibitz.best_move(view, iterations=50, tuning=Tuning(rave=300)).move in view.legal()
    True
    """

    first_play: float | None = None
    bias: float = 0
    rave: float = 0
    widening: float = 0
    halving: bool = False
    proofs: bool = True

    def __post_init__(self) -> None:
        for name, most in RANGES.items():
            given = getattr(self, name)
            if given is None and name == "first_play":
                continue
            found = as_number(given)
            if found is None or not 0 <= found <= most:
                raise InvalidOption(
                    f"{name} cannot be {shown(given)}; it is a number from 0 to {most:,}.", given=given
                )
            object.__setattr__(self, name, found)
        for name in ("halving", "proofs"):
            given = getattr(self, name)
            if not isinstance(given, bool):
                raise InvalidOption(f"{name} cannot be {shown(given)}; it is True or False.", given=given)

    def given(self) -> dict[str, Any]:
        """What is not at its default.

        >>> Tuning(bias=0.2).given()
        {'bias': 0.2}
        """
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }

    def check(self, search: str) -> None:
        """Refuses what a search does not know.

        Raises:
            InvalidOption: It would be without effect.
        """
        for name in self.given():
            if search not in TAKES[name]:
                raise InvalidOption(
                    f"{name} is nothing to {search}; it is for {', '.join(TAKES[name])}.",
                    given=name,
                    allowed=TAKES[name],
                )

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()  # a pickle is checked like anything else from outside


def as_tuning(given: object) -> Tuning:
    """A Tuning as it is, or one from a mapping of names to values; None is the plain formula.

    Raises:
        InvalidOption: Neither, or an unknown name.
    """
    if given is None:
        return Tuning()
    if isinstance(given, Tuning):
        return given
    if not isinstance(given, Mapping):
        raise InvalidOption(
            f"tuning cannot be {shown(given)}; it is a kibitz.Tuning or a mapping of names to values.",
            given=given,
        )
    found = mapping("tuning", given)
    for name in found:
        if name not in TAKES:
            raise InvalidOption(
                f"There is no tuning {name!r}{did_you_mean(name, list(TAKES)) or '.'} Known: {', '.join(TAKES)}.",
                given=name,
                allowed=TAKES,
            )
    return Tuning(**found)
