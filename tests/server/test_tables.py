"""Tables against bots: played to the end, taken back, waited for, and masked all the way."""

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

import kibitz
from kibitz.server import models
from server.local import Local, local

SEED = 7
QUICK = {"iterations": 20}


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local(open_seeds=True, poll_seconds=5) as found:
        yield found


def opened(here: Local, game: str = "kami", *, seat: int = 0, **more: Any) -> Any:
    answer = here.post("/v1/tables", {"game": game, "seat": seat, "bots": QUICK, **more})
    assert answer.status == 201, answer.text
    models.TableState.model_validate(answer.json)
    return answer.json


def settled(here: Local, state: Any) -> Any:
    """The state once it is the person's turn or over."""
    while state["thinking"]:
        answer = here.get(f"/v1/tables/{state['id']}?after={state['n']}")
        assert answer.status == 200, answer.text
        models.TableState.model_validate(answer.json)
        state = answer.json
    return state


def moved(here: Local, state: Any, move: str) -> Any:
    answer = here.post(f"/v1/tables/{state['id']}/moves", {"n": state["n"], "move": move})
    assert answer.status == 200, answer.text
    return answer.json


def played(here: Local, state: Any) -> Iterator[Any]:
    """All states of a game in which the person plays the first legal move."""
    state = settled(here, state)
    yield state
    while not state["over"]:
        state = settled(here, moved(here, state, state["legal"][0]))
        yield state


GAMES = [
    ("kami", 2, {"rounds": 1}),
    ("hearts", 1, {}),
    ("thecrew", 3, {"mission": 1}),
    ("thecrew", 0, {"players": 2, "mission": 1}),
    ("kuhn_poker", 1, {}),
    ("goofspiel", 0, {"cards": 4}),
    ("tic_tac_toe", 1, {}),
]


@pytest.mark.parametrize(("game", "seat", "options"), GAMES)
def test_a_game_to_its_end(here: Local, game: str, seat: int, options: dict[str, Any]) -> None:
    """Every state is what the seat's view of the true table is, as the record at the end tells it."""
    states = list(played(here, opened(here, game, seat=seat, options=options, seed=SEED)))
    last = states[-1]
    table = kibitz.Table.from_json(here.get(f"/v1/tables/{last['id']}/record").json)
    assert table.start == kibitz.load(game, **options).deal(seed=SEED).start
    assert table.turn is None
    assert last["returns"] == table.returns()
    assert last["score"] == table.score()
    for state in states:
        view = table.at(state["n"]).view(seat=seat)
        assert kibitz.View.from_json(state["view"]) == view
        assert state["events"] == list(view.record)
        assert state["legal"] == view.legal()
        assert state["scene"]["text"] == view.draw()
        assert state["turn"].get("by") == view.turn
        if state is not last:
            assert (state["returns"], state["score"], state["over"]) == (None, None, False)


def test_before_the_end_the_record_is_what_the_seat_saw(here: Local) -> None:
    state = settled(here, opened(here, "hearts", seat=2))
    found = here.get(f"/v1/tables/{state['id']}/record").json
    assert found == state["view"]
    assert "seed" not in found


def test_nothing_tells_a_card_that_the_seat_does_not_know(here: Local) -> None:
    cards = re.compile(r"\b(?:10|[2-9TJQKA])[CDHS]\b")
    seat = 1
    for number, state in enumerate(played(here, opened(here, "hearts", seat=seat, seed=SEED))):
        start = kibitz.load("hearts").deal(seed=SEED).view(seat=seat)
        known = set(cards.findall(" ".join([str(start.to_dict()), *state["events"]])))
        polled = here.get(f"/v1/tables/{state['id']}").text
        if not state["over"]:
            refused = here.post(f"/v1/tables/{state['id']}/moves", {"n": state["n"], "move": "nothing"}).text
            stale = here.post(f"/v1/tables/{state['id']}/moves", {"n": 0, "move": "nothing"}).text
            record = here.get(f"/v1/tables/{state['id']}/record").text
            polled += refused + stale + record
        shown = set(cards.findall(polled.replace(kibitz.load("hearts").info["grammar"], "")))
        assert shown <= known, (number, shown - known)


def test_seeds_are_the_servers_own() -> None:
    with local() as here:
        answer = here.post("/v1/tables", {"game": "kami", "seed": 7})
        assert (answer.status, answer.kind) == (400, "bad_value")
        assert "all hands" in answer.error["message"]
        starts = {str(opened(here)["view"]["start"]) for _ in range(4)}
        assert len(starts) > 1


def test_open_seeds(here: Local) -> None:
    one, two = opened(here, seed=SEED), opened(here, seed=SEED)
    assert one["view"]["start"] == two["view"]["start"]
    assert one["id"] != two["id"]
    assert len(one["id"]) >= 20


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({"game": "kame"}, "unknown_game"),
        ({"game": "kami", "options": {"players": 9}}, "invalid_option"),
        ({"game": "kami", "options": {"player": 3}}, "invalid_option"),
        ({"game": "thecrew", "options": {"own_mission": "/etc/passwd"}}, "invalid_option"),
        ({"game": "kami", "seat": 4}, "bad_value"),
        ({"game": "kami", "seat": -1}, "bad_value"),
        ({"game": "kami", "seat": True}, "bad_value"),
        ({"game": "thecrew", "seat": 1, "options": {"players": 2}}, "bad_value"),
        ({"game": "kami", "bots": {"search": "mcts"}}, "invalid_option"),
        ({"game": "kami", "bots": {"search": "puct"}}, "invalid_option"),
        ({"game": "kami", "bots": {"search": "best"}}, "invalid_option"),
        ({"game": "kami", "bots": {"ms": 0}}, "bad_value"),
        ({"game": "kami", "bots": {"ms": 10**9}}, "bad_value"),
        ({"game": "kami", "bots": {"iterations": 1e30}}, "bad_value"),
        ({"game": "kami", "bots": {"strength": 9}}, "unknown_param"),
        ({"game": "kami", "seed": -1}, "bad_value"),
        ({"game": "kami", "seed": 2**64}, "bad_value"),
    ],
)
def test_what_no_table_is_made_of(here: Local, asked: Any, kind: str) -> None:
    before = len(here.server.services.tables)
    answer = here.post("/v1/tables", asked)
    assert (answer.status, answer.kind) == (400, kind), answer.text
    assert len(here.server.services.tables) == before


@pytest.mark.parametrize("search", ["random", "greedy", "flat", "ismcts", "moismcts"])
def test_bots(here: Local, search: str) -> None:
    bots = {"search": search} if search in ("random", "greedy") else {"search": search, "ms": 5}
    state = settled(here, opened(here, "kuhn_poker", seat=1, bots=bots))
    assert state["n"] > 0


def test_an_illegal_move_changes_nothing(here: Local) -> None:
    state = settled(here, opened(here, "hearts", seat=2, options={"pass_cards": False}))
    for move in ("nothing", "", "QS QS", "2:" + state["legal"][0], "0:" + state["legal"][0], "é", "x" * 256):
        answer = here.post(f"/v1/tables/{state['id']}/moves", {"n": state["n"], "move": move})
        assert (answer.status, answer.kind) == (400, "illegal_move"), answer.text
        assert answer.error["data"]["allowed"] == state["legal"]
    too_long = here.post(f"/v1/tables/{state['id']}/moves", {"n": state["n"], "move": "x" * 257})
    assert too_long.kind == "bad_value"
    assert here.get(f"/v1/tables/{state['id']}").json == state


def test_stale(here: Local) -> None:
    state = settled(here, opened(here, "kuhn_poker", seat=1))
    for n in (0, state["n"] - 1, state["n"] + 1):
        answer = here.post(f"/v1/tables/{state['id']}/moves", {"n": n, "move": state["legal"][0]})
        assert (answer.status, answer.kind) == (409, "stale")
        assert answer.error["data"]["n"] == state["n"]


def test_a_move_counts_once_however_often_it_is_sent(here: Local) -> None:
    state = settled(here, opened(here, "hearts", seat=0, options={"pass_cards": False}))
    answers: list[int] = []

    def send() -> None:
        move = {"n": state["n"], "move": state["legal"][0]}
        answers.append(here.post(f"/v1/tables/{state['id']}/moves", move).status)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * 7


def test_not_the_persons_turn(here: Local) -> None:
    state = opened(here, "tic_tac_toe", seat=1, bots={"ms": 2000})
    assert state["thinking"]
    answer = here.post(f"/v1/tables/{state['id']}/moves", {"n": 0, "move": "a1"})
    assert (answer.status, answer.kind) == (409, "not_to_move")
    assert here.call("DELETE", f"/v1/tables/{state['id']}").json == {}


def test_undo_while_a_bot_thinks(here: Local) -> None:
    state = opened(here, "tic_tac_toe", seat=0, bots={"ms": 30_000})
    thinking = moved(here, state, "b2")
    assert thinking["thinking"]
    back = here.post(f"/v1/tables/{state['id']}/undo", {"n": 1}).json
    assert back == state
    again = moved(here, back, "a1")
    assert again["events"] == ["0:a1"]
    here.call("DELETE", f"/v1/tables/{state['id']}")


def test_undo_to_each_decision(here: Local) -> None:
    states = list(played(here, opened(here, "kuhn_poker", seat=0, seed=3)))
    name = states[0]["id"]
    for state in reversed(states[:-1]):
        back = here.post(f"/v1/tables/{name}/undo", {}).json
        assert (back["events"], back["over"], back["thinking"]) == (state["events"], False, False)
    answer = here.post(f"/v1/tables/{name}/undo", {})
    assert (answer.status, answer.kind) == (409, "conflict")


def test_what_was_opened_cannot_be_taken_back(here: Local) -> None:
    *_, last = played(here, opened(here, "kuhn_poker", seat=0))
    assert here.get(f"/v1/tables/{last['id']}/record").json["start"]
    answer = here.post(f"/v1/tables/{last['id']}/undo", {})
    assert (answer.status, answer.kind) == (409, "conflict")
    over = here.post(f"/v1/tables/{last['id']}/moves", {"n": last["n"], "move": "bet"})
    assert (over.status, over.kind) == (409, "over")


def test_waiting_for_news(here: Local) -> None:
    state = settled(here, opened(here, "tic_tac_toe", seat=0))
    found: list[Any] = []
    waiting = threading.Thread(
        target=lambda: found.append(here.get(f"/v1/tables/{state['id']}?after=0").json)
    )
    waiting.start()
    moved(here, state, "b2")
    waiting.join()
    assert found[0]["n"] >= 1
    assert here.get(f"/v1/tables/{state['id']}?after=5").json["n"] < 5  # other than what the client has seen


def test_waiting_has_an_end() -> None:
    with local(poll_seconds=0.1) as here:
        state = opened(here, "tic_tac_toe", seat=0)
        assert here.get(f"/v1/tables/{state['id']}?after=0").json == state


def test_waiting_ends_with_the_table(here: Local) -> None:
    state = opened(here, "tic_tac_toe", seat=0)
    found: list[Any] = []
    waiting = threading.Thread(target=lambda: found.append(here.get(f"/v1/tables/{state['id']}?after=0")))
    waiting.start()
    while not here.inside(waiters(here, state["id"])):
        pass
    here.call("DELETE", f"/v1/tables/{state['id']}")
    waiting.join()
    assert (found[0].status, found[0].kind) == (404, "unknown_table")


async def waiters(here: Local, name: str) -> int:
    """How many requests wait for news of a table."""
    return len(here.server.services.tables._seatings[name]._news._waiters)


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.5", "after=", "after=9999999999", "before=1", "after=٣"]
)
def test_bad_queries(here: Local, query: str) -> None:
    state = opened(here, "tic_tac_toe", seat=0)
    assert here.get(f"/v1/tables/{state['id']}?{query}".encode("ascii", "ignore").decode()).status == 400


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("DELETE", ""), ("GET", "/record"), ("POST", "/moves"), ("POST", "/undo")],
)
def test_unknown_tables(here: Local, method: str, path: str) -> None:
    answer = here.call(method, f"/v1/tables/nobody{path}", {"n": 0, "move": "p"} if path == "/moves" else {})
    assert (answer.status, answer.kind) == (404, "unknown_table")


def test_the_one_left_alone_longest_makes_room() -> None:
    with local(max_tables=3) as here:
        tables = [opened(here, "tic_tac_toe")["id"] for _ in range(3)]
        here.get(f"/v1/tables/{tables[0]}")
        tables.append(opened(here, "tic_tac_toe")["id"])
        assert [here.get(f"/v1/tables/{name}").status for name in tables] == [200, 404, 200, 200]


def test_idle_tables_are_dropped() -> None:
    with local(idle_seconds=0.001) as here:
        first = opened(here, "tic_tac_toe")["id"]
        opened(here, "tic_tac_toe")
        assert here.get(f"/v1/tables/{first}").status == 404
        assert len(here.server.services.tables) == 1


def test_a_bot_that_breaks_plays_on(
    here: Local, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any, **more: Any) -> Any:
        raise ZeroDivisionError("the hand was 11113477")

    monkeypatch.setattr("kibitz.server.tables.analyse", broken)
    state = settled(here, opened(here, "tic_tac_toe", seat=1))
    assert state["events"] == ["0:a1"]
    assert "ZeroDivisionError" in caplog.text
    assert "11113477" not in caplog.text


def test_the_end_of_the_server_ends_its_bots() -> None:
    with local() as here:
        state = opened(here, "tic_tac_toe", seat=1, bots={"ms": 60_000})
        assert state["thinking"]
        work = here.server.services.work
    assert work.running == 0
