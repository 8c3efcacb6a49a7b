# Written by ./dev stubs from the compiled module; edit src/ instead.
"""The compiled core. Private: use the names exported by `kibitz`.

Everything here is an immutable value or a plain function. Moves, outcomes and what a seat sees of them
are 32-bit codes; `Game.move_text` and `Game.parse_move` turn them into text and back. Seats are 0-based;
an actor of -1 is chance, -2 means the game is over. Errors are the classes of `kibitz.errors`.
"""

import collections.abc
import typing

__all__: list[str] = [
    "CHANCE",
    "Game",
    "OVER",
    "Rng",
    "Search",
    "State",
    "Stop",
    "View",
    "build",
    "games",
    "info",
    "perft",
    "playouts",
    "samples",
    "search",
    "searches",
    "solve",
]

class Rng:
    """A stream of random numbers named by (seed, purpose, index)."""
    def __init__(self, seed: int, purpose: str, index: int = 0) -> None: ...
    def below(self, bound: int) -> int:
        """A whole number in [0, bound), uniform."""

class Stop:
    """Asks a running search to stop; usable from any thread."""
    def __init__(self) -> None: ...
    def clear(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def stopped(self) -> bool: ...

class Game:
    """One game with its options fixed. Equal and hashable by value."""
    def __eq__(self, other: typing.Any) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, slug: str, options: dict[str, typing.Any]) -> None:
        """Raises UnknownGame, InvalidOption."""
    def blank(self) -> State:
        """Before any chance: the deal is still to be rolled."""
    def deal(self, seed: int) -> State:
        """A fresh start, ready for the first decision."""
    def move_text(self, move: int) -> str: ...
    def parse_move(self, text: str) -> int:
        """By form alone. Raises IllegalMove."""
    def state(self, fields: dict[str, typing.Any]) -> State:
        """From State.to_dict() or a part of it. Raises InvalidPosition."""
    def view(self, seat: int, fields: dict[str, typing.Any]) -> View:
        """From View.to_dict() or a start. Raises InvalidPosition."""
    @property
    def max_moves(self) -> int:
        """Length of the longest legal list."""
    @property
    def max_plies(self) -> int:
        """Decisions of the longest game."""
    @property
    def options(self) -> dict[str, int | bool | str]:
        """All options with their values."""
    @property
    def seats(self) -> int: ...
    @property
    def slug(self) -> str: ...
    @property
    def teams(self) -> list[int]:
        """Team of each seat."""

class State:
    """The whole truth. Equal and hashable by value."""
    def __eq__(self, other: typing.Any) -> bool: ...
    def __hash__(self) -> int: ...
    def broken_law(self, rng: Rng) -> str:
        """The first law of games broken at this position, or ''."""
    def check(self, move: int) -> str:
        """The rule that the move breaks, or ''."""
    def draw(self) -> str:
        """The table for a terminal."""
    def moves(self) -> list[int]:
        """Legal decisions in fixed order; of a view, its own seat's."""
    def outcomes(self) -> list[tuple[int, int]]:
        """Outcomes with weights; [] unless it is chance's turn."""
    def pick(self, rng: Rng) -> int:
        """A legal decision, uniform."""
    def play(self, move: int) -> State:
        """The state after a decision or outcome. Raises IllegalMove."""
    def playout(self, rng: Rng, policy: str = "uniform") -> tuple[State, int]:
        """A settled state reached by light play, and the plies to it."""
    def returns(self) -> list[float]:
        """Each seat's share of the win; all 0 before the end."""
    def roll(self, rng: Rng) -> int:
        """An outcome, by weight."""
    def score(self) -> list[int]:
        """The rule book's count, at any time."""
    def seen(self, move: int, seat: int) -> int:
        """What that seat sees of the move about to be played."""
    def settled(self) -> bool:
        """Over, or at a natural end where a playout stops."""
    def to_dict(self) -> dict[str, typing.Any]: ...
    def view(self, seat: int) -> View: ...
    @property
    def digest(self) -> int:
        """64 bits, the same on every machine."""
    @property
    def game(self) -> Game: ...
    @property
    def turn(self) -> int:
        """Seat to decide, CHANCE or OVER."""

class View:
    """What one seat may know. Equal and hashable by value."""
    def __eq__(self, other: typing.Any) -> bool: ...
    def __hash__(self) -> int: ...
    def check(self, move: int) -> str:
        """The rule that the move breaks, or ''."""
    def draw(self) -> str:
        """The table for a terminal."""
    def greedy(self, rng: Rng) -> int:
        """The plain baseline's decision. Raises IllegalMove unless it is this seat's turn."""
    def mask(self, actor: int, move: int) -> int:
        """What this seat may see of a move given in full."""
    def moves(self) -> list[int]:
        """Legal decisions in fixed order; of a view, its own seat's."""
    def observe(self, actor: int, seen: int) -> View:
        """The view after an event as this seat saw it. Raises IllegalMove, InvalidPosition."""
    def sample(self, rng: Rng) -> State:
        """A uniform world that fits the view."""
    def to_dict(self) -> dict[str, typing.Any]: ...
    @property
    def digest(self) -> int:
        """64 bits, the same on every machine."""
    @property
    def game(self) -> Game: ...
    @property
    def seat(self) -> int: ...
    @property
    def turn(self) -> int:
        """Seat to decide, CHANCE or OVER."""

class Search:
    """A search that lives on: run again, looked at meanwhile, moved along."""
    def __init__(
        self,
        view: View,
        *,
        search: str,
        max_bytes: int | None = None,
        seed: int = 0,
        threads: int = 1,
        playout: str = "uniform",
        utility: str = "win+margin",
        exploration: float | None = None,
        tuning: dict[str, float | bool] | None = None,
        allow: collections.abc.Sequence[int] | None = None,
    ) -> None:
        """Nothing runs yet; `allow` holds until `advance`. Raises InvalidOption, IllegalMove."""
    def advance(self, actor: int, seen: int) -> None:
        """On to the view after an event as the seat saw it, with what the tree knows of it. Raises as View.observe, and InvalidOption during a run."""
    def run(
        self,
        *,
        iterations: int | collections.abc.Sequence[int] | None = None,
        ms: float | None = None,
        nodes: int | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Searches until a limit is met, or without one until it is stopped. Releases the GIL; Ctrl-C raises KeyboardInterrupt. Raises IllegalMove when it is not the seat's turn, InvalidOption when it runs already."""
    def snapshot(self) -> dict[str, typing.Any]:
        """What was found so far, as `search` gives it, from any thread. The reason is "running" during a run and "waiting" before the first one at this view. Raises IllegalMove when it is not the seat's turn."""
    @property
    def reused(self) -> int:
        """Visits that came along to this view."""

def build() -> dict[str, str]:
    """version, compiler, flags, arch, build_type."""

def games() -> list[str]:
    """The slugs of the games that are built in."""

def info(slug: str) -> dict[str, typing.Any]:
    """Facts of a game. Raises UnknownGame.

    Keys: slug, name, summary, rules (such as "kami/1"), players (the counts allowed), default_players,
    options (list of {name, kind: "int" | "bool" | "choice", default, doc, minimum and maximum or choices};
    "players" is the first), cooperative, grammar (the texts of moves), start and setup (the fields of a
    view and of a state: list of {name, type, meaning}), open (nothing is hidden), solves (the unit of `solve`, or None), playout (the policy of playouts that measured better), utility (what
    a search maximises unless told otherwise).
    """

def perft(state: State, depth: int) -> list[tuple[int, int]]:
    """Each first move or outcome with the leaves below it at that depth."""

def playouts(state: State, count: int, rng: Rng, policy: str = "uniform") -> tuple[int, int]:
    """Plies and a checksum of many playouts from one state."""

def samples(view: View, count: int, rng: Rng) -> int:
    """A checksum of many worlds."""

def search(
    view: View,
    *,
    search: str,
    iterations: int | collections.abc.Sequence[int] | None = None,
    ms: float | None = None,
    nodes: int | None = None,
    max_bytes: int | None = None,
    seed: int = 0,
    threads: int = 1,
    playout: str = "uniform",
    utility: str = "win+margin",
    exploration: float | None = None,
    stop: Stop | None = None,
    allow: collections.abc.Sequence[int] | None = None,
    tuning: dict[str, float | bool] | None = None,
    evaluator: collections.abc.Callable[..., tuple[typing.Any, typing.Any]] | None = None,
    batch: int = 16,
) -> dict[str, typing.Any]:
    """The strongest move from a view. Releases the GIL; Ctrl-C raises KeyboardInterrupt.

    A list of iterations gives each thread's number; `allow` are the root moves to choose between. Keys of
    the result: search, move, moves (in legal order: {move, visits, mean, se (None below two visits), line:
    [(actor, move)]}), line, iterations, iterations_by_thread, worlds, nodes, pruned (of them given up at
    max_bytes), bytes, depth, full (max_bytes was reached), seconds, reason ("iterations", "ms", "nodes",
    "bytes", "stop", "single", "policy", "proven"), forced, stake (mean utility of the outcomes met that
    were below and above the average, or None), seed, threads, playout, utility. `tuning` has first_play,
    bias, rave, widening, halving, proofs, each where the search knows it. Raises InvalidOption, and
    IllegalMove when it is not this seat's turn.

    puct calls its evaluator, on the calling thread, with at most `batch` leaves: the view of each one's seat to
    move, the codes of its legal moves (a row a leaf, 0 past the end), and those seats. It answers with priors (a
    row a leaf, a column a move) and values (a row a leaf, a column a seat). What it raises, the search raises.
    """

def searches() -> list[str]:
    """The names of the searches."""

def solve(
    state: State,
    *,
    nodes: int | None = None,
    max_bytes: int | None = None,
    every_move: bool = True,
    stop: Stop | None = None,
) -> dict[str, typing.Any]:
    """What every seat can have with open hands. Releases the GIL; Ctrl-C raises KeyboardInterrupt.

    Keys: solved (False: a limit ended it), nodes, values (by seat, in the unit of info()["solves"], or None), moves
    (legal order, each a move and its values), line ([(actor, move)], best play). Raises InvalidOption if the game offers
    no solver.
    """

CHANCE: int = -1
OVER: int = -2
