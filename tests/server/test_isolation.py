"""Two people at one server: whatever either of them or the log is told, no card of the other's is in it."""

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

import kibitz
from server.local import Local, local, say

HANDS = re.compile(r"\b[1-9]{8}\b")  # of Kami, as documents write them


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local(open_seeds=True) as found:
        yield found


def hand(seed: int, seat: int) -> str:
    return str(kibitz.load("kami").deal(seed=seed).start["hands"][seat])


def test_tables(here: Local, caplog: pytest.LogCaptureFixture) -> None:
    """Two tables with different deals, played side by side; each sees its own hand of eight and no other."""
    caplog.set_level(logging.DEBUG)
    seeds = {0: 11, 1: 12}
    mine = {person: hand(seed, 0) for person, seed in seeds.items()}
    all_hands = {hand(seed, seat) for seed in seeds.values() for seat in range(4)}
    assert len(all_hands) == 8
    asked = {"game": "kami", "options": {"rounds": 1}, "bots": {"iterations": 10}}
    states = {person: here.post("/v1/tables", asked | {"seed": seed}).json for person, seed in seeds.items()}
    told: dict[int, list[str]] = {0: [], 1: []}
    while not all(state["over"] for state in states.values()):
        for person, state in list(states.items()):
            path = f"/v1/tables/{state['id']}"
            if state["over"]:
                continue
            if state["thinking"]:
                answer = here.get(f"{path}?after={state['n']}")
            else:
                told[person].append(here.post(f"{path}/moves", {"n": state["n"], "move": "dx"}).text)
                told[person].append(here.post(f"{path}/moves", {"n": 99_999 % 65_536, "move": "p"}).text)
                told[person].append(here.get(f"{path}/record").text)
                answer = here.post(f"{path}/moves", {"n": state["n"], "move": state["legal"][0]})
            states[person] = answer.json
            told[person].append(answer.text)
    for person, texts in told.items():
        found = {each for text in texts for each in HANDS.findall(text)}
        assert found & all_hands <= {mine[person]}
        assert not any(states[1 - person]["id"] in text for text in texts)
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert not HANDS.findall(said)
    assert not any(state["id"] in said for state in states.values())


def test_undo_at_one_table_is_not_seen_at_another(here: Local) -> None:
    one, two = (
        here.post("/v1/tables", {"game": "tic_tac_toe", "bots": {"ms": 30_000}}).json for _ in range(2)
    )
    here.post(f"/v1/tables/{one['id']}/moves", {"n": 0, "move": "a1"})
    assert here.get(f"/v1/tables/{two['id']}").json["events"] == []
    answer = here.post(f"/v1/tables/{two['id']}/undo", {})
    assert answer.status == 409
    assert here.get(f"/v1/tables/{one['id']}").json["events"] == ["0:a1"]
    for each in (one, two):
        here.call("DELETE", f"/v1/tables/{each['id']}")


def test_two_seats_of_one_table(here: Local, caplog: pytest.LogCaptureFixture) -> None:
    """Over WebSockets, under one name each and on one connection under two: a seat hears of its own hand alone."""
    caplog.set_level(logging.INFO)
    table = kibitz.load("kami").deal(seed=11)
    hands = {seat: hand(11, seat) for seat in (0, 1)}
    told: dict[int, list[Any]] = {0: [], 1: []}
    with here.connect() as one, here.connect() as two:
        for seat, socket in enumerate((one, two)):
            view = table.view(seat=seat)
            told[seat].append(say(socket, "hello", 1, protocol="1"))
            told[seat].append(say(socket, "new", 2, game="kami", seat=seat, start=view.start))
        for seat, socket in enumerate((one, two)):
            told[seat].append(say(socket, "state", 3))
            told[seat].append(say(socket, "go", 4, iterations=50, top="all"))
            told[seat].append(say(socket, "state", 5, s="someone"))
            told[seat].append(say(socket, "event", 6, n=0, moves=["0:nonsense"]))
            told[seat].append(say(socket, "end", 7))
    for seat in (0, 1):
        text = json.dumps(told[seat])
        assert hands[seat] in text
        assert hands[1 - seat] not in text
    assert not HANDS.findall(
        "\n".join(record.getMessage() for record in caplog.records if "websockets" not in record.name)
    )


def test_stateless_calls_keep_nothing(here: Local) -> None:
    asked = {
        "game": "kami",
        "options": {"redeal": False},
        "seat": 0,
        "go": {"iterations": 50, "top": "all"},
        "seed": 1,
    }
    first = {"hand": "11113477", "first": 0}
    before = here.post("/v1/best", asked | {"start": first}).json
    here.post("/v1/best", asked | {"start": {"hand": "22334455", "first": 0}})
    after = here.post("/v1/best", asked | {"start": first}).json
    assert (after["move"], after["moves"]) == (before["move"], before["moves"])
