"""The thin adapters: for every game, a bot behind one sees the very view that its seat has, and nothing more."""

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kibitz
from covers import PLAIN, Cover
from kibitz.adapters import botzone, goita, kaggle, mjai
from kibitz.errors import (
    IllegalMove,
    InvalidOption,
    InvalidPosition,
    KibitzError,
    TooMuch,
    UnknownGame,
    WrongActor,
)

covers = pytest.mark.parametrize("cover", PLAIN, ids=str)

FIRST = kibitz.FunctionBot(lambda view: view.legal()[0], name="first")
START = {"type": "start_game", "id": 0, "game": "tic_tac_toe", "start": {}}
CALL = {"game": "tic_tac_toe", "seat": 0, "start": {}, "events": []}


def last(view: kibitz.View) -> str:
    return view.legal()[-1]


def positions(cover: Cover, *, plies: int = 40) -> Iterator[kibitz.Table]:
    """Positions of a random game in which somebody is to act."""
    table = kibitz.load(cover.slug, **dict(cover.options)).deal(seed=17)
    rng = random.Random(17)
    for _ in range(plies):
        if not isinstance(table.turn, int):
            return
        yield table
        table.play(rng.choice(table.legal()))


class Listener:
    """A bot that keeps the last view it was shown."""

    def __init__(self) -> None:
        self.view: kibitz.View | None = None

    def act(self, view: kibitz.View) -> str:
        self.view = view
        return last(view)


def as_mjai(event: str) -> dict[str, Any]:
    actor, _, text = event.partition(":")
    return (
        {"type": "chance", "outcome": text}
        if actor == "*"
        else {"type": "move", "actor": int(actor), "move": text}
    )


def split(view: kibitz.View) -> dict[str, Any]:
    """A view as Botzone tells it: what others did in requests, own moves in responses."""
    requests: list[dict[str, Any]] = [
        {
            "game": view.game.slug,
            "options": view.game.options,
            "seat": view.seat,
            "start": view.start,
            "events": [],
        }
    ]
    responses = []
    for event in view.record:
        if event.startswith(f"{view.seat}:"):
            responses.append(event.partition(":")[2])
            requests.append({"events": []})
        else:
            requests[-1]["events"].append(event)
    return {"requests": requests, "responses": responses}


# --- every game ---


@covers
def test_mjai_events_give_the_seat_s_view(cover: Cover) -> None:
    game = kibitz.load(cover.slug, **dict(cover.options))
    listeners = [Listener() for _ in range(game.seats)]
    bots = [mjai.MjaiBot(listener) for listener in listeners]
    heard = [0] * game.seats
    for table in positions(cover):
        for seat, bot in enumerate(bots):
            view = table.view(seat=seat)
            new = [as_mjai(event) for event in view.record[heard[seat] :]]
            if bot.view is None:
                new.insert(
                    0,
                    {
                        "type": "start_game",
                        "id": seat,
                        "game": game.slug,
                        "options": game.options,
                        "start": view.start,
                    },
                )
            said = json.loads(bot.react("\n".join(map(json.dumps, new)) if new else []))
            heard[seat] = len(view.record)
            assert bot.view == view
            if seat == table.turn:
                assert listeners[seat].view == view
                assert said == {"type": "move", "actor": seat, "move": view.legal()[-1]}
            else:
                assert said == {"type": "none"}


@covers
def test_a_kaggle_agent_sees_the_seat_s_view(cover: Cover) -> None:
    listener = Listener()
    agent = kaggle.agent_of(listener)
    for table in positions(cover, plies=12):
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            configuration = {"game": table.game.slug, "options": table.game.options, "actTimeout": 2}
            parts = {"seat": seat, "start": view.start, "record": list(view.record), "step": 3}
            for observation in ({"view": view.to_dict()}, {"view": view.to_json()}, parts):
                listener.view = None
                move = agent(observation, configuration)
                assert move == (view.legal()[-1] if seat == table.turn else None)
                assert listener.view == (view if seat == table.turn else None)


@covers
def test_botzone_tells_the_seat_s_view(cover: Cover) -> None:
    listener = Listener()
    for table in positions(cover, plies=12):
        view = table.view()
        call = split(view) | {"data": "", "globaldata": "", "time_limit": 1, "memory_limit": 256}
        assert botzone.respond(json.dumps(call), listener) == {"response": view.legal()[-1]}
        assert listener.view == view
        assert botzone.respond(call, last_bot()) == {"response": view.legal()[-1]}


def last_bot() -> kibitz.FunctionBot:
    return kibitz.FunctionBot(last)


# --- what is not for the seat is refused ---


def test_events_that_tell_too_much() -> None:
    start = {"hand": "11113477", "first": 1}
    bot = mjai.MjaiBot(FIRST)
    bot.react([{"type": "start_game", "id": 0, "game": "kami", "options": {"redeal": False}, "start": start}])
    with pytest.raises(TooMuch, match="1:dx"):
        bot.react([{"type": "move", "actor": 1, "move": "d3"}])
    call = {"game": "kami", "options": {"redeal": False}, "seat": 0, "start": start, "events": ["1:d3"]}
    with pytest.raises(InvalidPosition, match="may not see"):
        botzone.respond({"requests": [call], "responses": []}, FIRST)
    with pytest.raises(InvalidPosition, match="may not see"):
        kaggle.agent_of(FIRST)(
            {"seat": 0, "start": start, "record": ["1:d3"]}, {"game": "kami", "options": {"redeal": False}}
        )


# --- mjai ---


def test_mjai_takes_all_or_nothing() -> None:
    bot = mjai.MjaiBot(FIRST)
    bot.react([START])
    before = bot.view
    with pytest.raises(WrongActor):
        bot.react([as_mjai("0:b2"), as_mjai("0:a1")])
    assert bot.view is before
    assert bot.react([as_mjai("0:b2"), as_mjai("1:a1")]) == '{"type": "move", "actor": 0, "move": "b1"}'
    assert bot.react([{"type": "end_game", "scores": [1, 0]}]) == '{"type": "none"}'
    assert bot.view is None


@pytest.mark.parametrize(
    ("events", "kind", "said"),
    [
        ([{"type": "tsumo", "actor": 0, "pai": "?"}], InvalidPosition, "is no event"),
        ([{"type": "move", "actor": 0}], InvalidPosition, "is no event"),
        ([{"type": ["move"]}], InvalidPosition, "is no event"),
        ([{}], InvalidPosition, "is no event"),
        ([None], InvalidPosition, "is no event"),
        ("[]", InvalidPosition, "JSON object"),
        ("", InvalidPosition, "not JSON"),
        ("{", InvalidPosition, "not JSON"),
        ([as_mjai("0:b2")], InvalidPosition, "before 'start_game'"),
        ([START, as_mjai("0:zz")], IllegalMove, "zz"),
        ([START, {"type": "move", "actor": "*", "move": "b2"}], IllegalMove, "no event"),
        ([START, {"type": "move", "actor": None, "move": "b2"}], IllegalMove, "no event"),
        ([START, {"type": "move", "actor": 0, "move": {"a": 1}}], InvalidPosition, "no event"),
        ([START, {"type": "move", "actor": 10**5000, "move": "b2"}], IllegalMove, "no event"),
        ([START, {"type": "chance", "outcome": 7}], InvalidPosition, "no event"),
        (["b2"], InvalidPosition, "not JSON"),
        ([7], InvalidPosition, "no event"),
        ([START, {"type": "chance", "outcome": "b2"}], WrongActor, "chance"),
        ([START | {"id": 2}], InvalidOption, "seats 0 to 1"),
        ([START | {"id": True}], InvalidOption, "seats 0 to 1"),
        ([START | {"game": "chess"}], UnknownGame, "chess"),
        ([START | {"start": None}], InvalidPosition, "mapping"),
        ([START | {"options": 7}], InvalidOption, "options"),
    ],
)
def test_no_mjai_events(events: Any, kind: type[KibitzError], said: str) -> None:
    bot = mjai.MjaiBot(FIRST)
    with pytest.raises(kind, match=said):
        bot.react(events)
    assert bot.view is None


# --- Kaggle ---


def test_kaggle_s_clock_is_the_bot_s() -> None:
    agent = kaggle.agent_of(kibitz.Bot("flat", iterations=50), overhead_ms=0)
    view = kibitz.load("tic_tac_toe").deal(seed=1).view().to_dict()
    for observation in (
        {"view": view},
        {"view": view, "remainingOverageTime": 0},
        {"view": view, "remainingOverageTime": 60.5},
    ):
        assert agent(observation, {"actTimeout": 0.05}) in kibitz.load("tic_tac_toe").deal(seed=1).legal()
    for wrong in (0, -1, "1", float("nan"), True, 10**400):
        with pytest.raises(InvalidOption, match="actTimeout"):
            agent({"view": view}, {"actTimeout": wrong})
    with pytest.raises(InvalidOption, match="remainingOverageTime"):
        agent({"view": view, "remainingOverageTime": -5}, {"actTimeout": 1})


@pytest.mark.parametrize(
    ("observation", "configuration"),
    [
        (None, {}),
        ({}, None),
        ({}, {}),
        ({"view": 7}, {}),
        ({"view": "{"}, {}),
        ({"view": []}, {}),
        ({"seat": 0}, {"game": "kami"}),
    ],
)
def test_no_observation(observation: Any, configuration: Any) -> None:
    with pytest.raises(InvalidPosition):
        kaggle.agent_of(FIRST)(observation, configuration)


# --- Botzone ---


def test_botzone_reads_a_line_and_writes_one() -> None:
    out = io.StringIO()
    botzone.main(FIRST, lines=io.StringIO(json.dumps({"requests": [CALL], "responses": []}) + "\n"), out=out)
    assert out.getvalue() == '{"response": "a1"}\n'


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        ({}, InvalidPosition, "one that is one shorter|one shorter"),
        ({"requests": []}, InvalidPosition, "one shorter"),
        ({"requests": CALL}, InvalidPosition, "one shorter"),
        ({"requests": [CALL, {"events": []}], "responses": []}, InvalidPosition, "one shorter"),
        ({"requests": [CALL], "responses": "a"}, InvalidPosition, "one shorter"),
        ({"requests": [{}]}, InvalidPosition, r"requests\[0\]"),
        ({"requests": [CALL, {}], "responses": ["a1"]}, InvalidPosition, r"requests\[1\]"),
        ({"requests": [CALL, {"events": "1:b2"}], "responses": ["a1"]}, InvalidPosition, r"requests\[1\]"),
        ({"requests": [CALL, {"events": [7]}], "responses": ["a1"]}, InvalidPosition, r"record\[1\]"),
        ({"requests": [CALL, {"events": ["1:a1"]}], "responses": ["a1"]}, InvalidPosition, r"record\[1\]"),
        ({"requests": [CALL, {"events": []}], "responses": ["a1"]}, IllegalMove, "seat 1 is to act"),
        ({"requests": [CALL, {"events": []}], "responses": [None]}, InvalidPosition, r"record\[0\]"),
        ({"requests": [CALL, {"events": []}], "responses": [10**5000]}, InvalidPosition, r"record\[0\]"),
        (
            {"requests": [CALL | {"seat": 10**5000}, {"events": []}], "responses": ["a"]},
            InvalidOption,
            "seats 0",
        ),
        ({"requests": [CALL | {"seat": 7}]}, InvalidOption, "seats 0 to 1"),
        ({"requests": [CALL | {"game": []}]}, UnknownGame, "no game"),
        ("", InvalidPosition, "not JSON"),
        ("[]", InvalidPosition, "JSON object"),
    ],
)
def test_no_call(call: Any, kind: type[KibitzError], said: str) -> None:
    with pytest.raises(kind, match=said):
        botzone.respond(call, FIRST)


# --- all ---


@pytest.mark.parametrize("module", [botzone, kaggle, mjai])
def test_a_thin_adapter_is_thin(module: Any) -> None:
    assert len(Path(module.__file__).read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize("make", [mjai.MjaiBot, kaggle.agent_of, lambda bot: goita.answer("x", bot, 0)])
def test_no_bot(make: Any) -> None:
    with pytest.raises(KibitzError):
        make(7)
