"""The strongest move from one seat's view, and the reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.clock import Clock
from kibitz.errors import InvalidOption, shown
from kibitz.evaluators import Evaluator
from kibitz.events import event_texts
from kibitz.given import whole
from kibitz.layout import Layout
from kibitz.settings import POLICIES, Settings
from kibitz.stats import difference_interval, z_of
from kibitz.tuning import Tuning
from kibitz.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table as RichTable

__all__ = ["Analysis", "Row", "allowed_codes", "analyse", "analysis_of", "best_move", "check_view"]


LOPSIDED = 10  # visits of the best move to one of a rival from which their means are no fair comparison


def best_move(
    view: View,
    *,
    search: str = "ismcts",
    iterations: int | Sequence[int] | None = None,
    ms: float | None = None,
    nodes: int | None = None,
    max_bytes: int | None = None,
    seed: int = 0,
    threads: int = 1,
    playout: str = "auto",
    utility: str = "auto",
    exploration: float | None = None,
    tuning: Tuning | Mapping[str, float | bool] | None = None,
    clock: Clock | None = None,
    evaluator: Evaluator | None = None,
    batch: int | None = None,
    stop: _core.Stop | None = None,
    allow: Sequence[str] | None = None,
) -> "Analysis":
    """The strongest move for the seat to decide, from what that seat knows.

    The budget is `iterations`, `ms`, `nodes` or `clock`, or several: the first one reached ends the search. With
    iterations alone the same arguments give the same answer on every machine; `Analysis.repeat` has the arguments
    that repeat a timed search.

    Args:
        view: Position as the seat knows it; it must be that seat's turn.
        search: `"ismcts"`, `"moismcts"`, `"flat"`, `"mcts"` where nothing is hidden (`game.info["open"]`), `"puct"`
            with an evaluator, or, without a search, `"greedy"`, `"random"`.
        iterations: How many in all, or a list with the number of each thread.
        ms: Wall clock in milliseconds, everything included.
        nodes: Nodes of the tree, all threads together.
        max_bytes: Memory of the tree; when it is used up, what was visited least is given up and the search goes on.
        seed: Names the random streams.
        threads: Each with its own tree, merged in fixed order.
        playout: `"uniform"`, `"hint"` for the game's light playing policy, or `"auto"` for the one that measured
            better in this game (`game.info["playout"]`).
        utility: What the seat maximises: `"win"`, `"score"`, `"win+margin"`, the share of the win with a small
            weight on the margin, or `"auto"` for what the game is about (`game.info["utility"]`).
        exploration: Constant of the selection formula; None for the search's own.
        tuning: Departures from that formula: a `Tuning`, or a mapping of its names to values.
        clock: What is on the seat's clock now. The search takes a share of it that leaves enough for the decisions
            still to come, and keeps off its end by a margin (`kibitz.allotment`).
        evaluator: For puct: a function that is given `kibitz.Leaves` and answers with priors, an array with a row a
            leaf and a column a move, and values, a row a leaf and a column a seat, utilities from 0 to 1. It is
            called in this thread, about `iterations / batch` times.
        batch: For puct: how many leaves are judged together at most, by default 16.
        stop: To end the search from another thread.
        allow: Texts of the moves to choose between; None for all legal ones. A single one is searched for its worth.

    Raises:
        InvalidOption: A table instead of a view, no budget, an argument that is not allowed, or an answer of the
            evaluator that is not what it must be.
        IllegalMove: It is not this seat's turn, or `allow` names a move that is not legal.
        KeyboardInterrupt: Ctrl-C, within 50 ms.
        Exception: Whatever the evaluator raises.

    >>> import kibitz
    >>> view = kibitz.load("kami").deal(seed=7).view()
    >>> best_move(view, iterations=50).move in view.legal()
    True
    """
    settings = Settings(
        search=search,
        iterations=iterations,
        ms=ms,
        nodes=nodes,
        max_bytes=max_bytes,
        threads=threads,
        playout=playout,
        utility=utility,
        exploration=exploration,
        tuning=tuning,
        clock=clock,
        evaluator=evaluator,
        batch=batch,
    )
    return analyse(view, settings, seed=seed, stop=stop, allow=allow)


def analyse(
    view: View,
    settings: Settings,
    *,
    seed: int,
    stop: _core.Stop | None = None,
    allow: Sequence[str] | None = None,
) -> "Analysis":
    """`best_move` with its arguments in one value."""
    from kibitz.game import read_seed

    check_view(view)
    found = settings.run(view, seed=read_seed(seed), stop=stop, allow=allowed_codes(view, allow))
    return analysis_of(view, settings, found)


def allowed_codes(view: View, allow: Sequence[str] | None) -> list[int] | None:
    """The codes of the moves to choose between; whether they are legal is for the core to say.

    Raises:
        InvalidOption: No list of texts.
        IllegalMove: No text of a move of the game.
    """
    if allow is None:
        return None
    given: object = allow
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    if not (listed and all(isinstance(text, str) for text in allow)):
        raise InvalidOption(f"allow takes a list of move texts, not {shown(allow)}.", given=allow)
    return [view.game.core.parse_move(text) for text in allow]


def check_view(view: object) -> None:
    """Refuses what is no view, a table above all.

    Raises:
        InvalidOption: It is none.
    """
    if not isinstance(view, View):
        raise InvalidOption(
            f"A search takes what one seat knows, a View, not {shown(view)}"
            + ("; use table.view(seat=...)." if type(view).__name__ == "Table" else "."),
            given=view,
        )


@dataclass(frozen=True)
class Row:
    """What a search found about one legal move.

    Attributes:
        move: Its text.
        visits: How often the search tried it.
        share: Of all visits, 0 to 1.
        mean: Mean utility of the searching side, in the unit of `best_move`'s `utility`.
        se: Standard error of `mean`; None below two visits. Reused visits count for nothing here.
        line: The principal line from here on, as events.
        exact: What the move is worth, if that is proven (mcts); else None.
    """

    move: str
    visits: int
    share: float
    mean: float
    se: float | None
    line: tuple[str, ...]
    exact: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the mean, None below two visits; of what is proven, the value itself."""
        if self.exact is not None:
            return self.exact, self.exact
        if self.se is None:
            return None
        reach = z_of(0.95) * self.se
        return self.mean - reach, self.mean + reach


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The answer of a search. Two are equal if everything but the time taken is.

    Attributes:
        move: The chosen move.
        moves: A row for each legal move: the chosen one, then by visits; where a search visits all alike, by mean.
        line: The principal line, as events.
        game, seat, digest: What was asked: the game's name, the seat, and the digest of its view.
        search, playout, utility, threads, seed: How it was searched.
        stake: Mean utility of the outcomes met that lay below and above the average, how bad and how good it may turn
            out; None if there were not both.
        iterations, worlds, nodes, bytes, depth: How much was done, all threads together.
        reused: Visits that a `Search` had made earlier and brought along; 0 for `best_move`.
        seconds: Wall clock.
        reason: What ended it: "iterations", "ms", "nodes", "bytes", "clock", "stop", "single" (one legal move),
            "policy", "proven" (what the position is worth is known); or, of a `Search`, "running", or "waiting" where
            it has not run at this view.
        forced: Whether there was only one legal move.
        full: Whether `max_bytes` was reached.
        pruned: Of the nodes, those given up then.
        repeat: Arguments of `best_move` that give this answer again, also after a timed search; an evaluator is to be
            given beside them. Empty if visits were reused, for then there are none.
    """

    move: str
    moves: tuple[Row, ...]
    line: tuple[str, ...]
    game: str
    seat: int
    digest: str
    search: str
    playout: str
    utility: str
    threads: int
    seed: int
    iterations: int
    worlds: int
    nodes: int
    bytes: int
    depth: int
    reused: int
    stake: tuple[float, float] | None
    seconds: float = field(compare=False)
    reason: str
    forced: bool
    full: bool
    pruned: int
    repeat: dict[str, Any] = field(hash=False)

    @property
    def ips(self) -> float:
        """Iterations a second."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    def row(self, move: str) -> Row:
        """The row of a legal move.

        Raises:
            InvalidOption: It was not legal.
        """
        legal = [row.move for row in self.moves]
        text: object = move
        if isinstance(text, str) and text in legal:
            return self.moves[legal.index(text)]
        raise InvalidOption(
            f"There is no row for {shown(move)}; the moves are {', '.join(legal)}.", given=move, allowed=legal
        )

    def table(self, *, top: int | None = None) -> str:
        """The rows as text with aligned columns; `top` of them, by default all."""
        if top is not None:
            top = whole("top", top, least=0)
        return self._layout(top).text()

    def explain(self) -> str:
        """One or two sentences: what is best, by how much over the next, and whether that is clear.

        The interval takes the search's own spread for independent, which a tree search's is only roughly. A tree
        search hardly visits a move that it rejects, and values it too low by that: then no interval is claimed.
        """
        best = self.moves[0]
        if self.forced:
            return f"{self.move} is the only legal move."
        if self.search in POLICIES:
            return f"{self.search} plays {self.move}; nothing was searched."
        if best.exact is not None:
            return f"{self.move} is best with a utility of {best.exact:.3f}, proven after {self._work()}."
        rivals = [row for row in self.moves[1:] if row.visits > 0]
        if best.visits == 0 or not rivals:
            return f"{self.move} was chosen after {self._work()}, too few to compare moves."
        first = (
            f"{self.move} is best with a utility of {_plus_minus(best.mean, best.se)} after {self._work()}."
        )
        rival = max(rivals, key=lambda row: (row.mean, row.visits))
        gap = best.mean - rival.mean
        if best.se is None or rival.se is None:
            return (
                f"{first} {rival.move} comes next at {rival.mean:.3f}, on too few visits to tell them apart."
            )
        if rival.visits * LOPSIDED < best.visits:
            return (
                f"{first} It took {best.share:.1%} of the visits. Next is {rival.move} at {rival.mean:.3f} on "
                f"{rival.visits:,}: that few value a move too low, so the gap is {gap:.3f} at most."
            )
        low, high = difference_interval(best.mean, best.se, rival.mean, rival.se)
        if low > 0:
            return f"{first} It is ahead of {rival.move} by {gap:.3f} [{low:.3f}, {high:.3f}], clearly."
        return f"{first} {rival.move} is close, {gap:.3f} [{low:.3f}, {high:.3f}] behind; the difference is not clear."

    def arrays(self) -> "dict[str, NDArray[Any]]":
        """The rows as numpy arrays `moves` (text), `visits` (int64), `mean` and `se` (float64, NaN for none).

        >>> import kibitz
        >>> found = kibitz.best_move(kibitz.load("kami").deal(seed=7).view(), search="greedy")
        >>> sorted(found.arrays())
        ['mean', 'moves', 'se', 'visits']
        """
        import numpy as np

        def column(values: list[Any], kind: "type[np.generic]") -> "NDArray[Any]":
            return np.array(values, dtype=kind)

        return {
            "moves": column([row.move for row in self.moves], np.str_),
            "visits": column([row.visits for row in self.moves], np.int64),
            "mean": column([row.mean for row in self.moves], np.float64),
            "se": column([float("nan") if row.se is None else row.se for row in self.moves], np.float64),
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for JSON."""
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        found["moves"] = [
            {
                "move": r.move,
                "visits": r.visits,
                "share": r.share,
                "mean": r.mean,
                "se": r.se,
                "line": list(r.line),
                "exact": r.exact,
            }
            for r in self.moves
        ]
        stake = None if self.stake is None else list(self.stake)
        return found | {"line": list(self.line), "repeat": dict(self.repeat), "ips": self.ips, "stake": stake}

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __rich__(self) -> "RichTable":
        return self._layout(None).rich()

    def _repr_html_(self) -> str:
        return f"{self._layout(None).html()}<p>{escape(self.explain())}</p>"

    def _layout(self, top: int | None) -> Layout:
        rows = [
            (
                row.move,
                f"{row.visits:,}",
                f"{row.share:.1%}",
                f"{row.mean if row.exact is None else row.exact:.3f}",
                ("" if row.se is None else f"{z_of(0.95) * row.se:.3f}") if row.exact is None else "proven",
                " ".join(row.line[:8]),
            )
            for row in self.moves[:top]
        ]
        header = ("move", "visits", "share", "mean", "±95%", "line")
        return Layout(header, rows, right=header[1:5])

    def _work(self) -> str:
        done = f"{self.iterations:,} iteration{'' if self.iterations == 1 else 's'}"
        return (
            f"{done} and {self.reused:,} reused visit{'' if self.reused == 1 else 's'}"
            if self.reused
            else done
        )


def analysis_of(view: View, settings: Settings, found: dict[str, Any]) -> Analysis:
    """The core's own answer, with the codes of moves as texts."""
    game = view.game.core
    total = sum(row["visits"] for row in found["moves"]) or 1
    rows = [
        Row(
            move=game.move_text(row["move"]),
            visits=row["visits"],
            share=row["visits"] / total,
            mean=row["mean"],
            se=row["se"],
            line=event_texts(game, row["line"]),
            exact=row["exact"],
        )
        for row in found["moves"]
    ]
    move = game.move_text(found["move"])
    visits = [row.visits for row in rows]
    alike = max(visits) - min(visits) <= 1  # as in flat: the mean tells, visits do not
    rows.sort(key=lambda row: (row.move != move, 0 if alike else -row.visits, -row.mean))
    return Analysis(
        move=move,
        moves=tuple(rows),
        line=event_texts(game, found["line"]),
        game=view.game.slug,
        seat=view.seat,
        digest=view.digest,
        search=found["search"],
        playout=found["playout"],
        utility=found["utility"],
        threads=found["threads"],
        seed=found["seed"],
        iterations=found["iterations"],
        worlds=found["worlds"],
        nodes=found["nodes"],
        bytes=found["bytes"],
        depth=found["depth"],
        reused=found["reused"],
        stake=found["stake"],
        seconds=found["seconds"],
        reason=found["reason"],
        forced=found["forced"],
        full=found["full"],
        pruned=found["pruned"],
        repeat=_repeat(settings, found),
    )


def _repeat(settings: Settings, found: dict[str, Any]) -> dict[str, Any]:
    if found["reused"]:
        return {}
    counts = list(found["iterations_by_thread"])
    repeat: dict[str, Any] = {
        "search": found["search"],
        "seed": found["seed"],
        "threads": settings.threads,
        "playout": found["playout"],
        "utility": found["utility"],
    }
    if settings.search not in POLICIES:
        repeat["iterations"] = counts if sum(counts) and len(counts) == settings.threads else 1
    if settings.max_bytes is not None:
        repeat["max_bytes"] = settings.max_bytes
    if settings.exploration is not None:
        repeat["exploration"] = settings.exploration
    if settings.tuned() is not None:
        repeat["tuning"] = settings.tuned()
    if settings.batch is not None:
        repeat["batch"] = settings.batch
    return repeat


def _plus_minus(mean: float, se: float | None) -> str:
    return f"{mean:.3f}" if se is None else f"{mean:.3f} ± {z_of(0.95) * se:.3f}"
