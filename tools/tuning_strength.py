"""What departures from the plain formula are worth, and two threads beside one, at the same iterations a move.

    python tools/tuning_strength.py --journal build/tuning     # all rows, a quarter of an hour on two idle cores
    python tools/tuning_strength.py rave --games 100            # only those with that word

Each row is a match of the changed search against the plain one over duplicate deals, or, in a co-operative game, of two
crews over the same deals. Results do not depend on the machine or its load. Writes nothing but journals, from which a
run that was broken off goes on; docs/search.md has the table.
"""

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kibitz
from openings import opened


@dataclass(frozen=True)
class Field:
    """Where is played.

    Attributes:
        game, options: As in `kibitz.load`.
        search, iterations: Of both sides.
        games: With these a difference of a few points shows.
        opening: Random moves before the bots play.
    """

    game: str
    search: str
    iterations: int
    games: int
    options: dict[str, Any] = field(default_factory=dict)
    opening: int = 0


FIELDS = (
    Field("kami", "ismcts", 2000, 1000, {"rounds": 1}),
    Field("hearts", "ismcts", 1000, 400),
    Field("thecrew", "ismcts", 1000, 600),
    Field("connect_four", "mcts", 1000, 1000, opening=4),
)
SELECTION: tuple[dict[str, float], ...] = (
    {"first_play": 0.4},
    {"first_play": 0.6},
    {"bias": 0.1},
    {"bias": 0.5},
    {"rave": 50},
    {"rave": 500},
    {"widening": 1},
)
SEED = 1


def rows(words: list[str]) -> list[tuple[Field, str, dict[str, Any], dict[str, Any]]]:
    """Where, what is changed in words, and the arguments of both bots."""
    found: list[tuple[Field, str, dict[str, Any], dict[str, Any]]] = []
    for where in FIELDS:
        same = {"iterations": where.iterations}
        for tuning in SELECTION:
            text = " ".join(f"{name}={value:g}" for name, value in tuning.items())
            found.append((where, text, same | {"tuning": tuning}, same))
        found.append((where, "threads=2", same | {"threads": 2}, same))
    for where in FIELDS[:3]:
        flat = Field(where.game, "flat", where.iterations, where.games, where.options)
        same = {"iterations": where.iterations}
        found.append((flat, "halving", same | {"tuning": {"halving": True}}, same))
    return [row for row in found if all(word in f"{row[0].game} {row[0].search} {row[1]}" for word in words)]


def sides(game: kibitz.Game) -> int:
    """Bots of a match: one a team, and two crews where all play together."""
    return max(2, len(set(game.teams)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("word", nargs="*", help="only rows with these: a game, a search, a departure")
    parser.add_argument("--games", type=int, help="of each match, instead of 400 to 1,000")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--journal", type=Path, metavar="FOLDER", help="a journal for each match")
    args = parser.parse_args()
    if args.journal:
        args.journal.mkdir(parents=True, exist_ok=True)
    print("| game | search | iterations | departure | games | margin, 95 % |")
    print("|---|---|---:|---|---:|---:|")
    for where, text, changed, same in rows(args.word):
        game = kibitz.load(where.game, **where.options)
        games = args.games or where.games
        deals = {"tables": [opened(game, SEED, number, where.opening) for number in range(games // 2)]}
        result = kibitz.match(
            game,
            [
                kibitz.Bot(where.search, **changed, seed=1, name=text),
                *(
                    kibitz.Bot(where.search, **same, seed=2 + other, name="plain")
                    for other in range(sides(game) - 1)
                ),
            ],
            **(deals if where.opening else {"games": games, "seed": SEED}),
            workers=args.workers,
            journal=args.journal / f"{where.game} {where.search} {text}.jsonl" if args.journal else None,
            progress=False,
        )
        margin = result.entries[0].margin
        assert margin is not None
        print(
            f"| `{where.game}` | `{where.search}` | {where.iterations:,} | `{text}` | {result.games:,} "
            f"| {margin.mean:+.3f} [{margin.low:+.3f}, {margin.high:+.3f}] |",
            flush=True,
        )


if __name__ == "__main__":
    main()
