"""How strong the levels are: each against the next one above it, over duplicate deals, as a table for docs/levels.md.

.venv/bin/python tools/level_strength.py --game kami --option rounds=1 --games 200
"""

import argparse
from itertools import pairwise

import kibitz
from kibitz.cli.shared import pairs
from kibitz.layout import Layout
from kibitz.levels import LEVELS, level


def main() -> None:
    """Prints a row for each pair of neighbours."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="kami", help="a game with two sides, or a co-operative one")
    parser.add_argument("--option", action="append", help="an option of the game, name=value; repeatable")
    parser.add_argument("--games", type=int, default=200, help="of each pair of levels")
    parser.add_argument("--levels", type=int, nargs="+", default=list(range(1, len(LEVELS) + 1)))
    parser.add_argument("--seed", type=int, default=0, help="names the deals")
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()

    game = kibitz.load(args.game, **kibitz.options_from_text(args.game, pairs(args.option)))
    rows = []
    for lower, higher in pairwise(args.levels):
        result = kibitz.match(
            game, [level(higher), level(lower)], games=args.games, seed=args.seed, workers=args.workers
        )
        margin = result.entries[0].margin
        assert margin is not None
        low, high = margin.low or 0.0, margin.high or 0.0
        shares = [f"{(1 + value) / 2:.3f}" for value in (margin.mean, low, high)]
        rows.append((f"{higher} against {lower}", f"{result.games:,}", *shares))
    header = ("levels", "games", "share", "95% from", "to")
    print(Layout(header, rows, right=header[1:]).text())


if __name__ == "__main__":
    main()
