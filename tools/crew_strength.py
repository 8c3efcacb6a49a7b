"""What the draft and the radio are worth in The Crew: the same bot with and without, on the same deals.

    python tools/crew_strength.py draft --deals 500 --iterations 3000 --seed 1
    python tools/crew_strength.py radio --deals 2000 --iterations 3000 --seed 1

`draft`: its own draft against a random one. `radio`: one round before each trick against none; the cards are the same.
Writes nothing; docs/games/thecrew.md has the figures with their command.
"""

import argparse

import kibitz
from kibitz.bot import move_seed
from kibitz.stats import paired


class RandomDraft:
    """A bot that takes a task by lot, and does everything else as the bot it is made from."""

    def __init__(self, bot: kibitz.Bot) -> None:
        self.bot = bot
        self.name = f"{bot.name}, random draft"

    def act(self, view: kibitz.View) -> str:
        legal = view.legal()
        if legal[0].startswith("take "):
            return legal[move_seed(self.bot.seed, view) % len(legal)]
        return self.bot.act(view)

    def __repr__(self) -> str:
        return f"RandomDraft({self.bot!r})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("draft", "radio"))
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--iterations", type=int, default=3000, help="a move")
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    bot = kibitz.Bot("ismcts", iterations=args.iterations)
    bots: list[object] = [bot, RandomDraft(bot)] if args.what == "draft" else [bot]
    results = [
        kibitz.match(
            kibitz.load("thecrew", tasks=args.tasks, distress="off", radio=radio),
            bots,
            games=args.deals * len(bots),
            seed=args.seed,
            workers=args.workers,
        )
        for radio in (("one_round",) if args.what == "draft" else ("one_round", "off"))
    ]
    for result in results:
        print(result)
    if args.what == "radio":
        on, off = ([each.returns[0] for each in result.results] for result in results)
        print(f"radio less none, deal by deal: {paired(on, off)}")


if __name__ == "__main__":
    main()
