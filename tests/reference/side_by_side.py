"""A game of the core and its plain-Python reference, played side by side; whatever can be compared is."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from kibitz import _core


class Twin(Protocol):
    """What a reference must say of a position."""

    def actor(self) -> int | str | None: ...
    def legal(self) -> list[str]: ...
    def outcomes(self) -> list[tuple[str, int]]: ...
    def play(self, text: str) -> None: ...
    def seen(self, text: str, seat: int) -> str: ...
    def view(self, seat: int) -> Mapping[str, Any]: ...
    def score(self) -> Sequence[int]: ...
    def returns(self) -> Sequence[float]: ...
    def copy(self) -> "Twin": ...


def compare(state: _core.State, twin: Twin) -> list[int]:
    """Turn, views, counts, legal moves or outcomes, and what each seat sees of them. The codes that may be played."""
    game = state.game
    actor = twin.actor()
    assert state.turn == (_core.CHANCE if actor == "chance" else _core.OVER if actor is None else actor)
    for seat in range(game.seats):
        assert state.view(seat).to_dict() == twin.view(seat)
    assert state.score() == twin.score()
    assert state.returns() == twin.returns()
    codes = state.moves()
    assert [game.move_text(code) for code in codes] == twin.legal()
    if actor == "chance":
        chances = state.outcomes()
        assert [(game.move_text(code), weight) for code, weight in chances] == twin.outcomes()
        codes = [code for code, _ in chances]
    for code in codes:
        text = game.move_text(code)
        for seat in range(game.seats):
            assert game.move_text(state.seen(code, seat)) == twin.seen(text, seat)
    return codes


def compare_all(state: _core.State, twin: Twin) -> int:
    """Every line of play from a position on; the number of ends."""
    codes = compare(state, twin)
    ends = 0 if codes else 1
    for code in codes:
        other = twin.copy()
        other.play(state.game.move_text(code))
        ends += compare_all(state.play(code), other)
    return ends


def compare_one(game: _core.Game, twin: Twin, seed: int) -> int:
    """One random game from before the deal; the number of moves and outcomes."""
    state = game.blank()
    rng = _core.Rng(seed, "test compare")
    steps = 0
    while codes := compare(state, twin):
        code = codes[rng.below(len(codes))]
        state = state.play(code)
        twin.play(game.move_text(code))
        steps += 1
    return steps
