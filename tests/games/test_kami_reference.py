"""The core against a reference in plain Python by an author who had not read it: `reference/compare.py`.

2,040 single rounds for each number of players and some whole games under every ending and every option; views, legal
texts, masks, totals and returns at every ply. 2,000 whole games for each number of players and ending:
`PYTHONPATH=tests python -m reference.compare --games 2000`.
"""

from itertools import islice

import pytest

from kibitz import _core
from reference.compare import compare, run, variants

PLAYERS = (2, 3, 4)
ENDINGS = ("soldier", "lord", "kami")


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("victory", ENDINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_single_rounds(players: int, victory: str, part: int) -> None:
    first = 10_000 * ENDINGS.index(victory) + 170 * part
    steps, fault = run(players, victory, 1, range(first, first + 170))
    assert fault == ""
    assert steps > 170 * 15


@pytest.mark.parametrize("victory", ENDINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games(players: int, victory: str) -> None:
    steps, fault = run(players, victory, 0, range(500, 512))
    assert fault == ""
    assert steps > 12 * 100


@pytest.mark.parametrize("max_rounds", [1, 2, 5])
@pytest.mark.parametrize("players", PLAYERS)
def test_games_at_the_cap_of_rounds(players: int, max_rounds: int) -> None:
    for seed in range(30):
        assert compare({"players": players, "victory": "kami", "max_rounds": max_rounds}, seed) > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_every_option_is_covered(players: int) -> None:
    """Each value of each option but the rounds, which the tests above name, is among the variants compared."""
    met = {pair for variant in islice(variants(players), 16) for pair in variant.items()}
    concerns = {
        2: {"next_leader", "dead_round", "one_card"},
        3: {"next_leader"},
        4: {"next_leader", "redeal"},
    }
    values = {
        (option["name"], value)
        for option in _core.info("kami")["options"]
        if option["name"] in concerns[players]
        for value in (option.get("choices") or (False, True))
    }
    assert met == values
    everywhere = {"players", "victory", "rounds", "max_rounds"} | set().union(*concerns.values())
    assert {option["name"] for option in _core.info("kami")["options"]} == everywhere
