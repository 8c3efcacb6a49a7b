"""`kibitz.solve`: values with open hands, checked move by move; what is refused; limits."""

import json
import threading
from itertools import islice

import pytest

import kibitz
from kibitz import _core
from kibitz.errors import InvalidOption

SOLVED = [slug for slug in kibitz.games() if kibitz.load(slug).info["solves"]]


def late(slug: str, seed: int, left: int, **options: object) -> kibitz.Table | None:
    """A table near its end: random play from a deal, until so many decisions are left of those that were made."""
    game = kibitz.load(slug, **options)  # type: ignore[arg-type]
    table = game.deal(seed=seed)
    rng = _core.Rng(seed, "test")
    while table.turn is not None:
        table.play(table.legal()[rng.below(len(table.legal()))])
    decisions = [index for index, event in enumerate(table.record) if not event.startswith("*")]
    if len(decisions) <= left:
        return None
    found = table.at(decisions[-left])
    return found if found.turn is not None else None


def endings(slug: str, left: int, **options: object) -> list[kibitz.Table]:
    found = (late(slug, seed, left, **options) for seed in range(200))
    return list(islice((table for table in found if table is not None), 12))


CASES: list[tuple[str, dict[str, object]]]
CASES = [("kami", {"rounds": 1, "players": players}) for players in (2, 3, 4)]
CASES += [("thecrew", {"mission": mission, "distress": "off"}) for mission in (1, 4, 30)]


@pytest.mark.parametrize(("slug", "options"), CASES, ids=str)
def test_a_value_is_the_best_of_its_moves_for_who_decides(slug: str, options: dict[str, object]) -> None:
    for table in endings(slug, 6, **options):
        solution = kibitz.solve(table)
        assert solution.solved
        assert [each.move for each in solution.moves] == table.legal()
        seat = table.turn
        assert isinstance(seat, int)
        assert solution.values is not None
        assert solution.values[seat] == max(each.values[seat] for each in solution.moves)
        assert solution.values in [each.values for each in solution.moves]


@pytest.mark.parametrize(("slug", "options"), CASES, ids=str)
def test_the_line_is_legal_and_keeps_the_value(slug: str, options: dict[str, object]) -> None:
    for table in endings(slug, 6, **options):
        solution = kibitz.solve(table)
        for event in solution.line:
            if event.startswith("*"):
                assert event in table.record  # the table rolled what could be no other
                continue
            here = kibitz.solve(table) if isinstance(table.turn, int) else None
            if here is not None and here.solved:
                assert here.values == solution.values
            table.play(event)


@pytest.mark.parametrize("slug", SOLVED)
def test_a_move_is_worth_what_the_position_after_it_is(slug: str) -> None:
    for table in endings(slug, 5)[:6]:
        for each in kibitz.solve(table).moves:
            after = table.copy()
            after.play(each.move)
            if not isinstance(after.turn, int):
                continue
            solution = kibitz.solve(after)
            if solution.solved:
                assert solution.values == each.values


def test_what_chance_will_bring_is_not_solved() -> None:
    table = kibitz.load("thecrew", mission=12, distress="off").deal(
        seed=3
    )  # a card goes on after the first trick
    while table.turn is not None and not any(event.startswith("*:get") for event in table.record):
        solution = kibitz.solve(table)
        assert not solution.solved
        assert solution.nodes == 0
        table.play(table.legal()[0])


def test_a_limit_is_told_and_nothing_is_guessed() -> None:
    table = kibitz.load("kami", redeal=False, rounds=1).deal(seed=7)
    solution = kibitz.solve(table, nodes=1000)
    assert (solution.solved, solution.values, solution.moves, solution.line) == (False, None, (), ())
    assert 0 < solution.nodes <= 2000


def test_stop_ends_it() -> None:
    table = kibitz.load("kami", redeal=False, rounds=1).deal(seed=7)
    stop = kibitz.Stop()
    found: list[kibitz.Solution] = []
    thread = threading.Thread(target=lambda: found.append(kibitz.solve(table, stop=stop)))
    thread.start()
    stop.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert not found[0].solved


def test_the_same_position_has_the_same_solution() -> None:
    for table in endings("kami", 6, rounds=1)[:3]:
        assert kibitz.solve(table) == kibitz.solve(table)


def test_refuses_what_cannot_be_solved() -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=7)
    with pytest.raises(InvalidOption, match="Only a table with all hands known"):
        kibitz.solve(table.view())  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="offers no solver"):
        kibitz.solve(kibitz.load("hearts").deal(seed=1))
    with pytest.raises(InvalidOption, match="nodes"):
        kibitz.solve(table, nodes=0)
    with pytest.raises(InvalidOption, match="max_bytes"):
        kibitz.solve(table, max_bytes=10)
    with pytest.raises(InvalidOption, match="stop"):
        kibitz.solve(table, stop=True)  # type: ignore[arg-type]


def test_as_plain_values() -> None:
    table = endings("kami", 6, rounds=1)[0]
    solution = kibitz.solve(table)
    document = json.loads(json.dumps(solution.to_dict()))
    assert document["unit"] == "points"
    assert [each["move"] for each in document["moves"]] == table.legal()
    assert all(move in solution.table() for move in table.legal())
