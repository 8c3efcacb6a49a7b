"""Every registered game with a cover of its options, and walks through their positions.

A new game is covered as soon as it is registered: the options come from the core itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from kibitz import _core
from kibitz.errors import InvalidOption


@dataclass(frozen=True)
class Cover:
    """A game and the options that differ from their defaults."""

    slug: str
    options: tuple[tuple[str, int | bool | str], ...]

    def game(self) -> _core.Game:
        return _game(self)

    def __str__(self) -> str:
        return "-".join([self.slug, *(f"{name}={value}" for name, value in self.options)])


@cache
def _game(cover: Cover) -> _core.Game:
    return _core.Game(cover.slug, dict(cover.options))


def _values(option: dict[str, Any]) -> list[Any]:
    if option["kind"] == "data":
        return [option["default"]]  # what else it takes, the game's own tests say
    if option["kind"] == "bool":
        return [False, True]
    if option["kind"] == "choice":
        return list(option["choices"])
    return sorted({option["minimum"], option["default"], option["maximum"]})


def covers_of(slug: str) -> list[Cover]:
    """Every number of players with every value of every other option, the rest at their defaults.

    A combination that the game refuses is left out, but each value must be good for some number of players.
    """
    info = _core.info(slug)
    found = []
    for option in info["options"][1:]:
        for value in _values(option):
            accepted = []
            for players in info["players"]:
                changed = [("players", players)] + [(option["name"], value)] * (value != option["default"])
                cover = Cover(slug, tuple(changed))
                try:
                    cover.game()
                except InvalidOption:
                    continue
                accepted.append(cover)
            assert accepted, f"{slug}: {option['name']}={value!r} is listed and refused for all players"
            found += accepted
    return list(dict.fromkeys(found or [Cover(slug, (("players", n),)) for n in info["players"]]))


SLUGS: list[str] = sorted(_core.games())
COVERS: list[Cover] = [cover for slug in SLUGS for cover in covers_of(slug)]
PLAIN: list[Cover] = [cover for cover in COVERS if [name for name, _ in cover.options] == ["players"]]


def searches_of(game: _core.Game) -> list[str]:
    """The searches that are for this game: mcts wants nothing hidden; puct, which wants an evaluator, is left out."""
    unfit = {"puct"} if _core.info(game.slug)["open"] else {"puct", "mcts"}
    return [name for name in _core.searches() if name not in unfit]


# --- walks ---

Policy = Callable[[_core.State, _core.Rng], int]


def uniform(state: _core.State, rng: _core.Rng) -> int:
    return state.pick(rng)


def first(state: _core.State, rng: _core.Rng) -> int:
    return state.moves()[0]


def last(state: _core.State, rng: _core.Rng) -> int:
    return state.moves()[-1]


def chancy(state: _core.State, rng: _core.Rng) -> int:
    """A decision that calls for chance (a new deal, a draw), if there is one."""
    moves = state.moves()
    return next((move for move in moves if state.play(move).turn == _core.CHANCE), moves[0])


def greedy(state: _core.State, rng: _core.Rng) -> int:
    return state.view(state.turn).greedy(rng)


class Step(NamedTuple):
    """A position and what is played there."""

    state: _core.State
    actor: int
    move: int


def walk(
    game: _core.Game, seed: int, policy: Policy = uniform, start: _core.State | None = None
) -> Iterator[Step]:
    """A whole game from before the first deal, or from `start`; chance is rolled.

    Ends with the last position before the end; see `Step.state.play`.
    """
    rng = _core.Rng(seed, "test walk")
    state = start or game.blank()
    while (actor := state.turn) != _core.OVER:
        move = state.roll(rng) if actor == _core.CHANCE else policy(state, rng)
        yield Step(state, actor, move)
        state = state.play(move)
