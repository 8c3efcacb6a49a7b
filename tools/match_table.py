"""Count the results of Kami rounds in self-play and write them for the match table of the core.

    python tools/match_table.py --rounds 10000 --iterations 400 --seed 1

plays single rounds between equal searches for 2, 3 and 4 players and writes
cpp/include/kibitz/games/kami/round_results.hpp: who wins, counted from the leader, with how many
points. The core derives from it what a round's end is worth in a match (games/kami/match.hpp).
The same arguments give the same file on every machine, whatever the number of workers.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from kibitz import _core

HEADER = Path(__file__).parent.parent / "cpp/include/kibitz/games/kami/round_results.hpp"
MAX_POINTS = 10
CHUNK = 100

Counts = list[list[int]]  # [winner counted from the leader, by team][points]; a void round is [0][0]


def play_round(game: _core.Game, *, seed: int, iterations: int, playout: str) -> tuple[int, int]:
    """One round by self-play: the winner counted from the leader, and the points; (0, 0) if void."""
    state = game.deal(seed)
    leader = state.to_dict()["first"]
    rng = _core.Rng(seed, "chance")
    ply = 0
    while state.turn != _core.OVER:
        if state.turn == _core.CHANCE:
            move = state.roll(rng)
            text = game.move_text(move)
            if text.startswith("points "):
                teams = game.teams
                winner = state.to_dict()["owner"]
                return (teams[winner] - teams[leader]) % (max(teams) + 1), int(text.removeprefix("points "))
            if text == "void":
                return 0, 0
        else:
            view = state.view(state.turn)
            answer = _core.search(
                view,
                search="ismcts",
                iterations=iterations,
                seed=seed * 1000 + ply,
                playout=playout,
            )
            move = answer["move"]
        state = state.play(move)
        ply += 1
    raise AssertionError("a round ends with points or void")


def count_rounds(seeds: range, *, players: int, iterations: int, playout: str) -> Counts:
    """The results of the rounds with these seeds."""
    game = _core.Game("kami", {"players": players, "rounds": 1, "redeal": False})
    counts = [[0] * (MAX_POINTS + 1) for _ in range(3)]
    for seed in seeds:
        winner, points = play_round(game, seed=seed, iterations=iterations, playout=playout)
        counts[winner][points] += 1
    return counts


def add(rows: Sequence[Counts]) -> Counts:
    """The sum of counts."""
    return [[sum(row[w][p] for row in rows) for p in range(MAX_POINTS + 1)] for w in range(3)]


def header_text(tables: Sequence[Counts], *, command: str) -> str:
    """The C++ header that holds the tables of 2, 3 and 4 players."""
    blocks = []
    for players, counts in zip((2, 3, 4), tables, strict=True):
        rows = ",\n      ".join("{" + ", ".join(map(str, row)) + "}" for row in counts)
        blocks.append(f"    // {players} players: {sum(map(sum, counts))} rounds\n    {{{{{rows}}}}},")
    body = "\n".join(blocks)
    return f"""// Results of rounds counted in self-play. Written by
//     {command}
// and not edited by hand.
#pragma once

#include <array>
#include <cstdint>

namespace kibitz::kami {{

// [players - 2][winner counted from the leader, by team][points]; void rounds at [0][0].
// clang-format off
inline constexpr std::array<std::array<std::array<std::uint32_t, {MAX_POINTS + 1}>, 3>, 3> round_results = {{{{
{body}
}}}};
// clang-format on

}}  // namespace kibitz::kami
"""


def main() -> None:
    """Play, count, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=10_000, help="rounds a player count, a multiple of 100")
    parser.add_argument("--iterations", type=int, default=400, help="of ISMCTS a move")
    parser.add_argument("--playout", default="uniform", choices=("uniform", "hint"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes; the result is the same")
    arguments = parser.parse_args()
    first = arguments.seed * 10_000_000
    chunks = [range(at, at + CHUNK) for at in range(first, first + arguments.rounds, CHUNK)]
    tables = []
    with ProcessPoolExecutor(arguments.workers) as pool:
        for players in (2, 3, 4):
            count = partial(
                count_rounds, players=players, iterations=arguments.iterations, playout=arguments.playout
            )
            tables.append(add(list(pool.map(count, chunks))))
            print(players, "players:", tables[-1])
    command = (
        f"python tools/match_table.py --rounds {arguments.rounds} --iterations {arguments.iterations} "
        f"--playout {arguments.playout} --seed {arguments.seed}"
    )
    HEADER.write_text(header_text(tables, command=command))


if __name__ == "__main__":
    main()
