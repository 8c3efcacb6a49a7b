"""What tree reuse is worth: a search that moves along with the game against one that begins afresh at every move.

    python tools/reuse_strength.py connect_four mcts --games 200 --iterations 1000 --opening 4
    python tools/reuse_strength.py kami ismcts --games 200 --iterations 1000 --option rounds=1

Both have the same iterations a move; deals are duplicate, seats swapped. Writes nothing; docs/live-search.md has the
figures with their commands.
"""

import argparse

import kibitz
from kibitz.bot import move_seed
from openings import opened


class Reusing:
    """A bot that keeps one search for each seat it sits at."""

    def __init__(self, search: str, iterations: int) -> None:
        self.search = search
        self.iterations = iterations
        self.name = f"{search} iterations={iterations}, reusing"
        self.searches: dict[int, kibitz.Search] = {}
        self.decisions = self.reused = 0

    def act(self, view: kibitz.View) -> str:
        try:
            live = self.searches[view.seat]
            live.advance(view)
        except (KeyError, kibitz.InvalidPosition):  # the first move of a game
            live = kibitz.Search(view, self.search, iterations=self.iterations, seed=move_seed(0, view))
            self.searches[view.seat] = live
        found = live.start().result()
        if not found.forced:
            self.decisions += 1
            self.reused += found.reused
        return found.move


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("search", choices=("ismcts", "mcts"))
    parser.add_argument("--option", action="append", default=[], help="of the game, as name=value")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--opening", type=int, default=0, help="random moves before the bots play")
    parser.add_argument("--iterations", type=int, default=1000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    options = dict(text.split("=", 1) for text in args.option)
    game = kibitz.load(args.game, **kibitz.options_from_text(args.game, options))
    reusing = Reusing(args.search, args.iterations)
    result = kibitz.match(
        game,
        [reusing, kibitz.Bot(args.search, iterations=args.iterations)],
        tables=[opened(game, args.seed, number, args.opening) for number in range(args.games // 2)],
        progress=False,
    )
    print(result)
    print(f"reused a decision: {reusing.reused / max(1, reusing.decisions):.0f} visits")


if __name__ == "__main__":
    main()
