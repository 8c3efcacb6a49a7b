"""Tables of first plays: classes by hand, the same for any workers, resumed from a journal."""

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import kibitz
from kibitz.cli import leads as command
from kibitz.errors import InvalidOption
from kibitz.game import derived_seed
from kibitz.leads import Lead, Leads, leads
from kibitz.openings import GENERIC, Opening, opening_of

module: Any = import_module("kibitz.leads")  # its name in the package is the function's
# Python 3.12 and 3.13 say so when a process with threads (here: of the time-out) forks.
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
GREEDY = kibitz.Bot("greedy")
KAMI = kibitz.load("kami", rounds=1)


# --- plays ---


@pytest.mark.parametrize("slug", kibitz.games())
def test_every_game_has_first_plays(slug: str) -> None:
    found = leads(slug, deals=3, bot=kibitz.Bot("random"), progress=False)
    assert [each.deal for each in found.leads] == [0, 1, 2]
    for each in found.leads:
        assert each.seat is not None
        assert each.hand
        assert each.play
        assert each.mean is None
    assert sum(row.chosen for row in found.rows()) == 3


def test_without_an_own_opening_it_is_the_first_move() -> None:
    found = leads("hearts", deals=4, bot=GREEDY, seed=3, progress=False)
    for each in found.leads:
        view = kibitz.load("hearts").deal(seed=derived_seed(3, "deal", each.deal)).view()
        assert (each.seat, each.moves, each.play) == (view.seat, (GREEDY.act(view),), GREEDY.act(view))
        assert each.hand == "any"


@pytest.mark.parametrize("redeal", [True, False])
def test_in_kami_it_is_the_first_pair(redeal: bool) -> None:
    """Past the question of a redeal, whoever is asked."""
    game = kibitz.load("kami", redeal=redeal)
    for each in leads(game, deals=12, bot=GREEDY, seed=1, progress=False).leads:
        table = game.deal(seed=derived_seed(1, "deal", each.deal))
        while table.core.to_dict()["phase"] != "lead":
            table.play(GREEDY.act(table.view()))
        assert table.turn == each.seat
        for move in each.moves:
            table.play(move)
        assert [move[0] for move in each.moves] == ["d", "a"]
        assert table.core.to_dict()["phase"] == "respond"
        assert each.play.startswith("d:")
        assert " a:" in each.play


def test_only_views_are_looked_at() -> None:
    """The same deal with other hidden cards has the same first play."""
    bot, game = kibitz.Bot(iterations=60), kibitz.load("kami", redeal=False)
    for one in leads(game, deals=6, bot=bot, progress=False).leads:
        view = game.deal(seed=derived_seed(0, "deal", one.deal)).view()
        world = view.sample(seed=1)
        assert world.core != game.deal(seed=derived_seed(0, "deal", one.deal)).core
        assert bot.analyse(world.view()).move == one.moves[0]


# --- classes ---


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("11113477", "8:0 1:4+ pairs:1"),
        ("12344568", "8:1 1:0-1 pairs:1"),
        ("11223388", "8:2 1:2-3 pairs:2"),
        ("11123458", "8:1 1:2-3 pairs:0"),
    ],
)
def test_hands_of_kami(hand: str, said: str) -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start={"hand": hand, "first": 0})
    assert opening_of("kami").hand(view) == said


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (("d1", "a4"), "d:1 a:single"),
        (("d1", "a1"), "d:1 a:same"),
        (("d2", "a2"), "d:pair a:same"),
        (("d3", "a2"), "d:single a:pair"),
        (("d2", "a8"), "d:pair a:8"),
        (("dA", "a3"), "d:mercenary a:single"),
    ],
)
def test_pairs_of_kami(moves: tuple[str, str], said: str) -> None:
    view = kibitz.load("kami", redeal=False).view(seat=0, start={"hand": "11223458", "first": 0})
    assert opening_of("kami").play(view, moves) == said


def test_hands_and_tasks_of_the_crew() -> None:
    opening = opening_of("thecrew")
    seen = Counter[str]()
    for seed in range(12):
        view = kibitz.load("thecrew", mission=4, distress="off").deal(seed=seed).view()
        assert opening.due(view)
        hand: list[str] = view.core.to_dict()["hand"]
        rockets, longest, *_ = (word.partition(":")[2] for word in opening.hand(view).split())
        assert int(rockets) == sum(card[0] == "R" for card in hand)
        assert int(longest) == max(sum(card[0] == suit for card in hand) for suit in "BGPY")
        for move in view.legal():
            word, card = move.split()
            said = opening.play(view, [move])
            length = sum(other[0] == card[0] for other in hand)
            assert word == "take"
            assert (", held" in said) == (card in hand)
            assert said.startswith(
                {"123": "take low", "456": "take middle", "789": "take high"}[
                    next(band for band in ("123", "456", "789") if card[1] in band)
                ]
            )
            assert said.endswith("suit:0" if length == 0 else "suit:1-2" if length < 3 else "suit:3+")
            seen[said] += 1
    assert len(seen) > 4


def test_leads_of_the_crew_by_whose_task_they_touch() -> None:
    """Without a draft the first play is a lead: mission 5 has no tasks, an own draw of owners has some."""
    opening = opening_of("thecrew")
    table = kibitz.load("thecrew", mission=4, distress="off").deal(seed=1)
    while table.core.to_dict()["phase"] != "play":
        table.play(table.legal()[-1])
    view = table.view()
    facts = view.core.to_dict()
    owners = dict(zip([task[:2] for task in facts["tasks"]], facts["owners"], strict=True))
    for card in view.legal():
        said = opening.play(view, [card])
        if card in owners:
            assert said.endswith("own task" if owners[card] == view.seat else "another's task")
        elif card[0] in {task[0] for task in owners}:
            assert said.endswith("suit of task")
        else:
            assert said.endswith("no task's suit")
        assert said.startswith("lead rocket" if card[0] == "R" else "lead ")


# --- rows ---


def table_of(*given: tuple[str, str, float | None]) -> Leads:
    found = tuple(Lead(n, 0, hand, play, (play,), mean) for n, (hand, play, mean) in enumerate(given))
    return Leads("kami", "kami/1", {}, "bot", 0, 0, found, 0.0)


def test_rows_by_hand() -> None:
    found = table_of(("x", "p", 0.5), ("y", "p", 0.2), ("y", "q", 0.4), ("y", "q", 0.6), ("y", "p", None))
    rows = found.rows()
    assert [(row.hand, row.play, row.chosen, row.deals) for row in rows] == [
        ("y", "p", 2, 4),
        ("y", "q", 2, 4),
        ("x", "p", 1, 1),
    ]
    assert rows[1].share.mean == 0.5
    assert rows[1].mean is not None
    assert (rows[1].mean.mean, rows[1].mean.n) == (0.5, 2)
    assert [(row.hand, row.play) for row in found.rows(top=1)] == [("y", "p"), ("x", "p")]
    assert found.table(top=1).splitlines()[1].split()[:4] == ["y", "4", "p", "2"]


def test_a_search_says_what_it_expects() -> None:
    found = leads(KAMI, deals=4, bot=kibitz.Bot(iterations=50), progress=False)
    assert all(each.mean is None or 0 <= each.mean <= 1 for each in found.leads)
    assert any(each.mean is not None for each in found.leads)
    assert "leans high" in str(found)


def test_deals_that_are_over_before_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    never = Opening(lambda view: False, GENERIC.goes_on, GENERIC.hand, GENERIC.play)
    monkeypatch.setattr(module, "opening_of", lambda slug: never)
    found = leads("tic_tac_toe", deals=3, bot=GREEDY, progress=False)
    assert found.rows() == []
    assert "3 of them were over before a play was due." in found.notes()


# --- the same again ---


@FORKS
def test_same_seed_same_table_whatever_the_workers() -> None:
    given: dict[str, Any] = {"deals": 8, "bot": kibitz.Bot(iterations=20), "seed": 2, "progress": False}
    here = leads(KAMI, **given)
    assert leads(KAMI, **given, workers=2) == here
    assert leads(KAMI, **given | {"seed": 3}) != here
    assert leads(KAMI, **given | {"deals": 3}, first=5).leads == here.leads[5:]


def test_a_table_goes_on_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "leads.jsonl"
    given: dict[str, Any] = {"bot": kibitz.Bot(iterations=20), "seed": 2}
    whole = leads(KAMI, deals=8, **given, progress=False)
    leads(KAMI, deals=3, **given, journal=path, progress=False)
    path.write_text(path.read_text() + '{"deal": 3, "se')  # cut off in the middle of a line
    told: list[tuple[int, int]] = []
    again = leads(KAMI, deals=8, **given, journal=path, progress=lambda *each: told.append(each))
    assert again == whole
    assert told == [(done, 8) for done in range(3, 9)]
    assert len(path.read_text().splitlines()) == 1 + 8


def test_another_journal_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "leads", tmp_path / "match"
    leads(KAMI, deals=2, bot=GREEDY, journal=path, progress=False)
    kibitz.match(KAMI, [GREEDY, GREEDY], games=2, journal=other, progress=False)
    with pytest.raises(InvalidOption, match="is of other first plays: its seed is 0, not 1"):
        leads(KAMI, deals=2, bot=GREEDY, seed=1, journal=path)
    with pytest.raises(InvalidOption, match="is of other first plays"):
        leads(KAMI, deals=2, bot=GREEDY, journal=other)
    with pytest.raises(InvalidOption, match="is of another match"):
        kibitz.match(KAMI, [GREEDY, GREEDY], games=2, journal=path)
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(InvalidOption, match="line 4 is no deal of first plays"):
        leads(KAMI, deals=2, bot=GREEDY, journal=path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"deals": 0}, "deals cannot be 0"),
        ({"first": -1}, "first cannot be -1"),
        ({"seed": -1}, "seed cannot be -1"),
        ({"workers": 0}, "workers cannot be 0"),
        ({"bot": "greedy"}, "bot cannot be 'greedy'; it is a kibitz.Bot"),
        ({"game": 3}, "First plays are of a game or its name, not 3"),
        ({"rounds": 2}, r"Options \(rounds\) go with a game's name"),
        ({"progress": "yes"}, "progress cannot be 'yes'"),
    ],
)
def test_bad_argument(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"game": KAMI, "deals": 2, "bot": GREEDY}
    with pytest.raises(InvalidOption, match=said):
        leads(**given | change)


def test_forms_of_the_result() -> None:
    found = leads(KAMI, deals=6, bot=GREEDY, progress=False)
    document = json.loads(json.dumps(found.to_dict(top=2)))
    assert document["deals"] == len(document["leads"]) == 6
    assert {row["hand"] for row in document["rows"]} == {each["hand"] for each in document["leads"]}
    assert found._repr_html_().startswith("<table>")
    assert found.__rich__().row_count == len(found.rows())


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    def call(*args: str) -> str:
        typer.main.get_command(command.app).main(list(args), standalone_mode=False)
        return capsys.readouterr().out

    out = call("kami", "--deals", "6", "--bot", "greedy", "-o", "rounds=1", "--top", "2")
    found = leads(KAMI, deals=6, bot=GREEDY, progress=False)
    assert out.splitlines()[:-1] == found.table(top=2).splitlines()
    assert out.splitlines()[-1:] == found.notes()
    document = json.loads(call("kami", "--deals", "2", "--iterations", "30", "--json"))
    assert document["bot"] == "ismcts iterations=30"
    with pytest.raises(typer.BadParameter, match="names 2 bots"):
        call("kami", "--bot", "greedy,random")
