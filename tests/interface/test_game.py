"""Games by name and options, and where tables and views come from."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.errors import InvalidOption, InvalidPosition, TooMuch, UnknownGame, WrongActor

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
START = {"hand": HANDS[0], "first": 1, "totals": [0, 0]}


def test_every_listed_game_loads() -> None:
    assert "kami" in kibitz.games()
    for slug in kibitz.games():
        assert kibitz.load(slug).slug == slug


def test_games_is_a_function_after_a_notation_is_loaded() -> None:
    import kibitz.games.kami

    assert "kami" in kibitz.games()


def test_unknown_game_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownGame, match=r"no game 'kamy'; did you mean 'kami'\?") as caught:
        kibitz.load("kamy")
    assert caught.value.given == "kamy"
    assert "kami" in caught.value.allowed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 5}, "players"),
        ({"players": "4"}, "players"),
        ({"victory": "tower"}, "soldier"),
        ({"redeal": 1}, "redeal"),
        ({"endings": "lord"}, "endings"),
        ({"max_rounds": 0}, "max_rounds"),
    ],
)
def test_bad_option_is_refused_by_name(options: dict[str, kibitz.game.OptionValue], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        kibitz.load("kami", **options)


def test_options_are_all_there_and_a_copy() -> None:
    game = kibitz.load("kami", victory="lord")
    assert game.options["victory"] == "lord"
    assert game.options["players"] == 4
    game.options["victory"] = "kami"
    assert game.options["victory"] == "lord"


@pytest.mark.parametrize(("players", "teams"), [(2, (0, 1)), (3, (0, 1, 2)), (4, (0, 1, 0, 1))])
def test_teams(players: int, teams: tuple[int, ...]) -> None:
    game = kibitz.load("kami", players=players)
    assert game.seats == players
    assert game.teams == teams


def test_game_is_a_value() -> None:
    game = kibitz.load("kami", victory="lord")
    assert game == kibitz.load("kami", victory="lord", players=4)
    assert game != kibitz.load("kami")
    assert hash(game) == hash(kibitz.load("kami", victory="lord"))
    assert pickle.loads(pickle.dumps(game)) == game
    assert repr(game) == "kibitz.load('kami', victory='lord')"
    assert eval(repr(game)) == game


def test_options_from_text_follow_the_kind() -> None:
    texts = {"players": "2", "redeal": "False", "victory": "lord"}
    assert kibitz.options_from_text("kami", texts) == {"players": 2, "redeal": False, "victory": "lord"}
    with pytest.raises(InvalidOption, match="players cannot be 'two'"):
        kibitz.options_from_text("kami", {"players": "two"})
    with pytest.raises(InvalidOption, match="true, false"):
        kibitz.options_from_text("kami", {"redeal": "maybe"})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_seed_same_deal(players: int) -> None:
    game = kibitz.load("kami", players=players)
    assert game.deal(seed=7) == game.deal(seed=7)
    assert game.deal(seed=7) != game.deal(seed=8)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", None, True])
def test_seed_is_a_whole_number_of_64_bits(seed: object) -> None:
    with pytest.raises(InvalidOption, match="seed cannot be"):
        kibitz.load("kami").deal(seed=seed)  # type: ignore[arg-type]


def test_chance_is_auto_or_manual() -> None:
    with pytest.raises(InvalidOption, match="chance cannot be 'by hand'"):
        kibitz.load("kami").deal(seed=1, chance="by hand")  # type: ignore[arg-type]


def test_setup_replays_its_record() -> None:
    game = kibitz.load("kami", redeal=False)
    table = game.setup(
        {"hands": HANDS, "first": 1, "totals": [0, 0], "record": ["1:d3", "1:a4", "2:p", "3:p"]}
    )
    assert table.turn == 0
    assert table.legal() == ["p", "d4"]


def test_setup_names_the_event_that_does_not_fit() -> None:
    game = kibitz.load("kami", redeal=False)
    with pytest.raises(InvalidPosition, match=r"record\[1\] '1:a7'") as caught:
        game.setup({"hands": HANDS, "first": 1, "record": ["1:d3", "1:a7"]})
    assert isinstance(caught.value.__cause__, kibitz.IllegalMove)


def test_setup_from_notation() -> None:
    game = kibitz.load("kami")
    table = game.setup(",".join(HANDS) + ",s2,234,3p,4p")
    assert table.record == ["1:-", "2:-", "3:-", "0:-", "1:d3", "1:a4", "2:p", "3:p"]
    assert table.turn == 0


@pytest.mark.parametrize(
    "position",
    [
        {"hands": HANDS},  # fine but for `first`: seat 0
        {"hands": [*HANDS[:3], "11224556"], "first": 1},  # three 6
        {"hands": HANDS[:3], "first": 1},
        {"hands": HANDS, "first": 4},
        {"hands": HANDS, "frist": 1},
        {"hands": HANDS, "first": 1, "record": "1:d3"},
        ["1:d3"],
    ],
)
def test_setup_refuses_what_is_no_position(position: object) -> None:
    game = kibitz.load("kami", redeal=False)
    if position == {"hands": HANDS}:
        assert game.setup({"hands": HANDS}).turn == 0
        return
    with pytest.raises(InvalidPosition):
        game.setup(position)  # type: ignore[arg-type]


def test_view_from_a_start_and_a_record() -> None:
    view = kibitz.load("kami").view(
        seat=0, start=START, record=["1:-", "2:-", "3:-", "0:-", "1:dx", "1:a4", "2:p", "3:p"]
    )
    assert view.turn == 0
    assert view.legal() == ["p", "d4"]


@pytest.mark.parametrize(
    ("record", "said", "kind"),
    [
        (["1:d3"], r"record\[0\] '1:d3'", TooMuch),
        (["1:dx", "2:a4"], r"record\[1\] '2:a4'", WrongActor),
        (["1:dx", "1:p"], r"record\[1\] '1:p'", kibitz.IllegalMove),
        (["1:dx", "1:a7"], r"record\[1\] '1:a7'", InvalidPosition),  # seat 0 holds both Towers
        (["1:dx", "1a4"], r"record\[1\] '1a4'", kibitz.IllegalMove),
    ],
)
def test_view_names_the_event_and_the_kind_of_fault(
    record: list[str], said: str, kind: type[Exception]
) -> None:
    game = kibitz.load("kami", redeal=False)
    with pytest.raises(InvalidPosition, match=said) as caught:
        game.view(seat=0, start=START, record=record)
    assert type(caught.value.__cause__) is kind


def test_view_masks_if_asked() -> None:
    game = kibitz.load("kami", redeal=False)
    view = game.view(seat=0, start=START, record=["1:d3", "1:a4"], mask=True)
    assert view.record == ("1:dx", "1:a4")


@pytest.mark.parametrize("seat", [-1, 4, "0", True])
def test_no_such_seat(seat: object) -> None:
    with pytest.raises(InvalidOption, match="seats 0 to 3"):
        kibitz.load("kami").view(seat=seat, start=START)  # type: ignore[arg-type]


def test_blank_deals_step_by_step() -> None:
    table = kibitz.load("kami", players=4).blank()
    steps = 0
    while table.turn == "chance":
        outcomes = table.outcomes()
        assert outcomes
        assert all(weight > 0 for _, weight in outcomes)
        table.play(outcomes[len(outcomes) // 2][0])
        steps += 1
    assert steps >= 4
    assert table.turn in range(4)
    assert all(event.startswith("*:") for event in table.record)


def test_import_loads_nothing_heavy() -> None:
    heavy = ["numpy", "pydantic", "rich", "typer", "yaml", "statistics", "multiprocessing"]
    code = f"import sys, kibitz; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- options that are data: a mission of one's own ---

MISSION: dict[str, Any] = {
    "setup": [{"step": "deal_tasks", "n": 2, "tokens": ["1"], "reveal": "all"}, {"step": "draft"}],
    "constraints": [{"type": "tasks"}],
}


def test_an_option_of_data_comes_from_a_file_or_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "mission.json"
    path.write_text(json.dumps(MISSION))
    game = kibitz.load("thecrew", own_mission=MISSION, distress="off")
    for source in (str(path), path):
        assert kibitz.load("thecrew", own_mission=source, distress="off") == game
    assert game.options["own_mission"] == MISSION
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(kibitz.load("thecrew", own_mission=MISSION, distress="off"))
    assert eval(repr(game)) == game
    assert game != kibitz.load("thecrew", own_mission=MISSION | {"summary": "two"}, distress="off")
    assert len(game.deal(seed=1).start["hands"]) == 4
    table = game.deal(seed=1)
    assert sum(event.startswith("*:task") for event in table.record) + len(table.start.get("tasks", [])) == 2
    assert kibitz.Table.from_json(table.to_json()) == table
    assert kibitz.View.from_json(table.view().to_json()) == table.view()
    assert kibitz.options_from_text("thecrew", {"own_mission": str(path)}) == {"own_mission": str(path)}


def test_what_a_caller_changes_later_is_not_the_games() -> None:
    mission = copy.deepcopy(MISSION)
    game = kibitz.load("thecrew", own_mission=mission)
    mission["constraints"].clear()
    options: dict[str, Any] = game.options
    options["own_mission"]["setup"].clear()
    assert game.options["own_mission"] == MISSION


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "JSON"),
        ("[1]", "object"),
        ('{"setup": 1, "setup": 2}', "twice"),
        ('{"stup": []}', "stup"),
        ('{"setup": [], "constraints": []}', "own_mission"),
        ("\xff", "UTF-8"),
    ],
)
def test_a_mission_file_that_cannot_be_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mission.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InvalidOption, match=said):
        kibitz.load("thecrew", own_mission=str(path))


@pytest.mark.parametrize("path", ["", "no/such/file.json", ".", "a\0b"])
def test_a_mission_file_that_is_not_there_is_refused(path: str) -> None:
    with pytest.raises(InvalidOption, match=r"thecrew: own_mission cannot be read from the file '.*': "):
        kibitz.load("thecrew", own_mission=path)


def test_only_load_reads_files(tmp_path: Path) -> None:
    """A document from outside cannot make a server open one."""
    path = tmp_path / "mission.json"
    path.write_text(json.dumps(MISSION))
    document = kibitz.load("thecrew").deal(seed=1).to_dict() | {"options": {"own_mission": str(path)}}
    with pytest.raises(InvalidOption, match="own_mission must be an object"):
        kibitz.Table.from_json(document)
    with pytest.raises(InvalidOption, match="own_mission must be an object"):
        kibitz.Game("thecrew", {"own_mission": str(path)})
