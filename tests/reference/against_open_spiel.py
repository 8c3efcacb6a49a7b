"""Kuhn poker, Leduc poker, Goofspiel and hearts against OpenSpiel's, move by move: legal moves, chances, what is won.

    .venv/bin/python -m pip install open_spiel==2.0.2
    PYTHONPATH=tests .venv/bin/python -m reference.against_open_spiel --games 20 --deals 20

Every line of play of the two poker games; of Goofspiel random games for each number of players, order of prizes and
some numbers of cards. OpenSpiel has no event that shows cards, bids all at once and plays the last round, in which
nobody has a choice, by itself.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from kibitz import _core
from reference import against_open_spiel_hearts

Namer = Callable[[_core.State, int], str]  # the core's text of an action of OpenSpiel


def kuhn(state: _core.State, action: int) -> str:
    return f"deal {'JQK'[action]}" if state.turn == _core.CHANCE else ("pass", "bet")[action]


def leduc(state: _core.State, action: int) -> str:
    if state.turn != _core.CHANCE:
        return ("fold", "call", "raise")[action]
    word = "deal" if "-" in state.to_dict()["hands"] else "public"
    return f"{word} {'JQK'[action // 2]}{action % 2 + 1}"


def texts(state: _core.State) -> list[str]:
    """Moves, or what chance may bring."""
    codes = [*state.moves(), *(code for code, _ in state.outcomes())]
    return [state.game.move_text(code) for code in codes]


def play(state: _core.State, text: str) -> _core.State:
    return state.play(state.game.parse_move(text))


def forced(state: _core.State) -> _core.State:
    """After what can come in one way only."""
    while state.turn != _core.OVER and len(found := texts(state)) == 1:
        state = play(state, found[0])
    return state


def compare_all(state: _core.State, peer: Any, name: Namer) -> int:
    """Every line of play; the number of ends."""
    if peer.is_terminal():
        state = forced(state)
        assert state.turn == _core.OVER
        assert peer.returns() == state.score()
        return 1
    assert peer.current_player() == state.turn
    actions = (
        [action for action, _ in peer.chance_outcomes()] if peer.is_chance_node() else peer.legal_actions()
    )
    assert [name(state, action) for action in actions] == texts(state)
    return sum(compare_all(play(state, name(state, action)), peer.child(action), name) for action in actions)


def compare_goofspiel(options: dict[str, Any], peer: Any, rng: random.Random) -> None:
    """One random game."""
    state = _core.Game("goofspiel", options).blank()
    while not peer.is_terminal():
        if peer.is_chance_node():
            actions = [action for action, _ in peer.chance_outcomes()]
            assert [f"prize {action + 1}" for action in actions] == texts(state)
            action = rng.choice(actions)
            peer.apply_action(action)
            state = play(state, f"prize {action + 1}")
        else:
            if state.turn == _core.CHANCE:  # prizes in order are no chance to OpenSpiel
                state = forced(state)
            joint = []
            for seat in range(options["players"]):
                assert state.turn == seat
                assert [f"bid {action + 1}" for action in peer.legal_actions(seat)] == texts(state)
                joint.append(rng.choice(peer.legal_actions(seat)))
                state = play(state, f"bid {joint[-1] + 1}")
            peer.apply_actions(joint)
            state = play(state, texts(state)[0])  # the bids are shown
    state = forced(state)
    assert state.turn == _core.OVER
    assert peer.returns() == state.score()


def goofspiels() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Options here and there."""
    for players, order, cards in product(
        range(2, 7), ("random", "ascending", "descending"), (2, 3, 4, 7, 13)
    ):
        yield (
            {"players": players, "prizes": order, "cards": cards},
            {
                "players": players,
                "points_order": order,
                "num_cards": cards,
                "returns_type": "total_points",
            },
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare four games with OpenSpiel's.")
    parser.add_argument("--games", type=int, default=20, help="of Goofspiel, for each choice of options")
    parser.add_argument("--deals", type=int, default=4, help="of hearts, of each kind and choice of options")
    given = parser.parse_args()
    import pyspiel

    for slug, name in (("kuhn_poker", kuhn), ("leduc_poker", leduc)):
        ends = compare_all(_core.Game(slug, {}).blank(), pyspiel.load_game(slug).new_initial_state(), name)
        print(f"{slug}: {ends} ends, no difference")
    played = 0
    for options, theirs in goofspiels():
        peer = pyspiel.load_game("goofspiel", theirs)
        for seed in range(given.games):
            compare_goofspiel(options, peer.new_initial_state(), random.Random(seed))
            played += 1
    print(f"goofspiel: {played} games, no difference")
    met = against_open_spiel_hearts.rules(given.deals)
    print("hearts, no difference: " + ", ".join(f"{count:,} {name}" for name, count in met.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
