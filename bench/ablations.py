"""What a choice of design is worth: the core with it taken out, beside the core with it.

    ./dev bench ablations

Each ablation edits a copy of the sources, which is built with the same flags and timed in turns with the work tree
(compare.py). "Same work" means that the results stay equal to the last bit: then it is the same play, only slower.
An edit that no longer fits the sources is named; mend it here.
"""

import argparse
import shutil
import sys
from dataclasses import dataclass
from typing import Any

import compare
import machine
import program
from program import Program
from works import Case

CASE = Case("kami", 4)
SOURCES = ("CMakeLists.txt", "pyproject.toml", "cpp")


@dataclass(frozen=True)
class Edit:
    file: str  # below cpp/include/kibitz
    old: str
    new: str


@dataclass(frozen=True)
class Ablation:
    name: str
    edits: tuple[Edit, ...]
    works: tuple[tuple[str, int | None], ...]  # (work, count; None: enough for a fair time)


GENERAL_LOOP = Edit("search/playout.hpp", "if constexpr (FastPlayout<G>)", "if constexpr (false)")
LISTS = Edit(
    "search/playout.hpp",
    "if (policy == PlayoutPolicy::uniform) return G::pick(rules, state, rng);",
    """if (policy == PlayoutPolicy::uniform) {
    MoveList<G> moves;
    G::moves(rules, state, moves);
    return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  }""",
)
ABLATIONS = (
    Ablation("a game's own playout loop", (GENERAL_LOOP,), (("playouts", None), ("ismcts", 100_000))),
    Ablation(
        "that loop, and picking without a list",
        (GENERAL_LOOP, LISTS),
        (("playouts", None), ("ismcts", 100_000)),
    ),
    Ablation(
        "prefetch of the next node",
        (Edit("search/tree.hpp", "__builtin_prefetch(", "static_cast<void>("),),
        (("ismcts", 100_000), ("ismcts", 1_000_000)),
    ),
    Ablation(
        "edges of 24 bytes (64 instead)",
        (
            Edit(
                "search/tree.hpp",
                "  std::int64_t total; ",
                "  std::int64_t room_for_more[5];\n  std::int64_t total; ",
            ),
            Edit("search/tree.hpp", "*edge = {move, 0, 0, 0, 0};", "*edge = {move, 0, 0, 0, {}, 0};"),
            Edit("search/tree.hpp", "sizeof(Slot) == 24", "sizeof(Slot) == 64"),
        ),
        (("ismcts", 100_000), ("ismcts", 1_000_000)),
    ),
    Ablation(
        "the table of logarithms",
        (Edit("search/bonus.hpp", "natural_log(a) *", "std::log(static_cast<float>(a)) *"),),
        (("ismcts", 100_000),),
    ),
)


def without(number: int, ablation: Ablation) -> Program:
    """kibitz_bench without what the ablation takes out. Raises RuntimeError if an edit does not fit."""
    folder = program.BUILD / f"ablations/{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in SOURCES:
        source = program.ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    for edit in ablation.edits:
        path = folder / "cpp/include/kibitz" / edit.file
        text = path.read_text()
        if edit.old not in text:
            raise RuntimeError(f"{edit.file} has no longer: {edit.old}")
        path.write_text(text.replace(edit.old, edit.new))
    return program.build(f"ablations/{number}-build", source=folder)


def measure(*, pairs: int = 10) -> list[dict[str, Any]]:
    """Time without by time with, one row an ablation and work."""
    rows: list[dict[str, Any]] = []
    whole = program.build("bench")
    for number, ablation in enumerate(ABLATIONS):
        try:
            part = without(number, ablation)
        except RuntimeError as error:
            print(f"{ablation.name}: not measured: {error}", file=sys.stderr)
            continue
        for work, count in ablation.works:
            found = compare.compare(whole, part, work, CASE, pairs=pairs, count=count)
            rows.append({"without": ablation.name, "count": count, **found})
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="./dev bench ablations",
    )
    parser.add_argument("--pairs", type=int, default=10)
    args = parser.parse_args()
    facts = machine.facts()
    print(f"{facts['cpu']}, load {facts['load']}; {facts['compiler']}, {facts['flags']}")
    print(f"{'without':<40}{'work':<20}{'time':>7}{'95 %':>18}")
    for row in measure(pairs=args.pairs):
        work = f"{row['work']} {row['count'] or ''}"
        print(
            f"{row['without']:<40}{work:<20}{row['ratio']:>7.3f}{row['low']:>9.3f} to {row['high']:.3f}"
            f"{'  same work' if row['same_work'] else ''}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
