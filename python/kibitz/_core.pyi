"""The compiled core. Private: use the names exported by `kibitz`.

Everything here is an immutable value or a plain function. Moves, outcomes and what a
seat sees of them are 32-bit codes; `Game.move_text` and `Game.parse_move` turn them into text.
Seats are 0-based; an actor of -1 is chance, -2 means the game is over.
Errors are raised as the classes in `kibitz.errors`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

CHANCE: int  # -1
OVER: int  # -2

def games() -> list[str]: ...
def searches() -> list[str]: ...
def build() -> dict[str, str]:
    """version, compiler, flags, arch, build_type."""

def info(slug: str) -> dict[str, Any]:
    """Facts of a game. Raises UnknownGame.

    Keys: slug, name, summary, rules (e.g. "kami/1"), players ([2, 3, 4]), default_players, options (list of dicts
    {name, kind: "int"|"bool"|"choice", default, choices (choice), minimum, maximum (int), doc}; "players" is the first
    of them), cooperative (bool), grammar (text: the forms of moves), start (text: the keys of a start), hint (bool).
    """

class Rng:
    """A stream of random numbers named by (seed, purpose, index)."""

    def __init__(self, seed: int, purpose: str, index: int = 0) -> None: ...
    def below(self, bound: int) -> int: ...

class Stop:
    """Asks a running search to stop; may be called from any thread."""

    def __init__(self) -> None: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
    @property
    def stopped(self) -> bool: ...

class Game:
    """One game with its options fixed. Equal and hashable by (slug, options)."""

    def __init__(self, slug: str, options: Mapping[str, object]) -> None: ...  # UnknownGame, InvalidOption
    @property
    def slug(self) -> str: ...
    @property
    def options(self) -> dict[str, int | bool | str]: ...  # all options with their values, "players" among them
    @property
    def seats(self) -> int: ...
    @property
    def teams(self) -> list[int]: ...  # team number of each seat
    @property
    def max_moves(self) -> int: ...
    @property
    def max_plies(self) -> int: ...
    def deal(self, seed: int) -> State: ...  # first position after the first deal
    def blank(self) -> State: ...  # before any chance: the deal is still to be rolled step by step
    def state(self, value: Mapping[str, Any]) -> State: ...  # from State.to_dict() or a part of it; InvalidPosition
    def view(self, seat: int, value: Mapping[str, Any]) -> View: ...  # from View.to_dict() or a start; InvalidPosition
    def move_text(self, move: int) -> str: ...
    def parse_move(self, text: str) -> int: ...  # by form only; IllegalMove

class State:
    """The whole truth. Equal and hashable by value."""

    @property
    def game(self) -> Game: ...
    @property
    def turn(self) -> int: ...
    @property
    def digest(self) -> int: ...  # 64 bits, the same on every machine
    def moves(self) -> list[int]: ...  # legal decisions in fixed order; [] when not a seat's turn
    def outcomes(self) -> list[tuple[int, int]]: ...  # (outcome, weight); [] when it is not chance's turn
    def pick(self, rng: Rng) -> int: ...  # a legal decision, uniform
    def roll(self, rng: Rng) -> int: ...  # an outcome, by weight
    def check(self, move: int) -> str: ...  # the rule that move breaks, or ""
    def play(self, move: int) -> State: ...  # decision or outcome; IllegalMove
    def seen(self, move: int, seat: int) -> int: ...  # what that seat sees of the move about to be played
    def view(self, seat: int) -> View: ...
    def returns(self) -> list[float]: ...  # all 0 before the end
    def score(self) -> list[int]: ...
    def settled(self) -> bool: ...  # over, or at a natural end (a round) where a playout stops
    def to_dict(self) -> dict[str, Any]: ...
    def draw(self) -> str: ...
    def playout(self, rng: Rng, policy: str = "uniform") -> tuple[State, int]: ...  # to a settled state; (end, plies)

class View:
    """What one seat may know. Equal and hashable by value."""

    @property
    def game(self) -> Game: ...
    @property
    def seat(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def digest(self) -> int: ...
    def moves(self) -> list[int]: ...  # legal decisions of this seat; [] unless it is its turn
    def check(self, move: int) -> str: ...  # for this seat's own decision
    def observe(self, actor: int, seen: int) -> View: ...  # IllegalMove, InvalidPosition; self unchanged
    def mask(self, actor: int, move: int) -> int: ...  # what this seat may see of a move given in full
    def sample(self, rng: Rng) -> State: ...  # a uniform world
    def greedy(self, rng: Rng) -> int: ...  # the plain baseline's decision
    def to_dict(self) -> dict[str, Any]: ...
    def draw(self) -> str: ...

def search(
    view: View,
    *,
    search: str,
    iterations: int | Sequence[int] | None = None,  # a list gives each thread's number
    ms: float | None = None,
    nodes: int | None = None,
    max_bytes: int | None = None,
    seed: int = 0,
    threads: int = 1,
    playout: str = "uniform",
    utility: str = "win+margin",
    exploration: float | None = None,
    stop: Stop | None = None,
) -> dict[str, Any]:
    """Searches from a view; releases the GIL; raises KeyboardInterrupt on Ctrl-C.

    Keys: search, move, moves (legal order: {move, visits, mean, se (None below two visits), line: [(actor, move)]}),
    line, iterations, iterations_by_thread, worlds, nodes, bytes, seconds, reason
    ("iterations", "ms", "nodes", "bytes", "stop", "single", "policy"), forced, full (tree stopped growing at max_bytes), seed, threads,
    playout, utility, depth.
    Raises InvalidOption (bad search/budget/...), IllegalMove when it is not this seat's turn.
    """

def perft(state: State, depth: int) -> list[tuple[int, int]]: ...  # (first move or outcome, leaves below it)
def playouts(state: State, count: int, rng: Rng, policy: str = "uniform") -> tuple[int, int]: ...
    # (plies, checksum) of count playouts from one state, in one call without the GIL
def samples(view: View, count: int, rng: Rng) -> int: ...  # checksum of count worlds
