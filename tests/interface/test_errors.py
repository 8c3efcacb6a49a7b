"""Errors: sentences with what was given and allowed, the same after a journey between processes."""

import pickle

import pytest

import kibitz
from kibitz.errors import (
    IllegalMove,
    InvalidOption,
    InvalidPosition,
    KibitzError,
    TooMuch,
    UnknownGame,
    WrongActor,
    did_you_mean,
)

KINDS = [IllegalMove, InvalidOption, InvalidPosition, KibitzError, TooMuch, UnknownGame, WrongActor]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_kibitz_error(kind: type[KibitzError]) -> None:
    assert issubclass(kind, KibitzError)
    assert not issubclass(kind, ValueError)


@pytest.mark.parametrize("kind", [TooMuch, WrongActor])
def test_the_finer_kinds_are_illegal_moves(kind: type[KibitzError]) -> None:
    assert issubclass(kind, IllegalMove)


@pytest.mark.parametrize("kind", KINDS)
def test_pickle_keeps_everything(kind: type[KibitzError]) -> None:
    error = kind("'d3' is not legal.", given="d3", allowed=["p", "d4"], rule="kami R8")
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is kind
    assert str(other) == other.message == "'d3' is not legal."
    assert (other.given, other.allowed, other.rule) == ("d3", ("p", "d4"), "kami R8")


def test_the_core_fills_them_in() -> None:
    table = kibitz.load("kami", redeal=False).deal(seed=7)
    with pytest.raises(IllegalMove) as caught:
        table.play("p")
    error = caught.value
    assert error.given == "p"
    assert list(error.allowed) == table.legal()
    assert error.rule is not None
    assert error.rule.startswith("kami R1")


def test_a_sentence_ends_once() -> None:
    assert did_you_mean("recrod", ["record", "start"]) == "; did you mean 'record'?"
    assert did_you_mean("zebra", ["record", "start"]) == "."


@pytest.mark.parametrize("text", ["\ud800", "\0", "é", "0:\ud800", "0:", ":", "9" * 5000 + ":p", b"p"])
def test_no_text_gets_past_as_another_error(text: object) -> None:
    table = kibitz.load("kami").deal(seed=7)
    view = table.view(seat=0)
    with pytest.raises(IllegalMove):
        table.play(text)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        view.observe(text)  # type: ignore[arg-type]
    assert view.check(text)  # type: ignore[arg-type]
