"""Scenes: their form, that they show what is known and no more, that moves on cards are legal; their SVG."""

import json
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kibitz
from covers import COVERS, PLAIN, Cover, chancy, walk
from kibitz import _core
from kibitz.errors import InvalidOption
from kibitz.scenes import Scene, Zone, scene_of, to_svg
from kibitz.scenes import scene as scenes
from kibitz.scenes.thecrew_missions import SUMMARIES, mission_facts
from kibitz.table import Table
from kibitz.view import View

COLORS = {"blue", "green", "pink", "yellow", "red", "black", "white", "gray", "gold", "plain"}
ROLES = {"hand", "trick", "table", "tasks", "board", "facts", "record"}
SVG = "{http://www.w3.org/2000/svg}"

each_plain = pytest.mark.parametrize("cover", PLAIN, ids=str)
# In Goofspiel a card that lies face-down may be any of those not seen, so they are all shown as left.
each_dealt = pytest.mark.parametrize(
    "cover", [cover for cover in PLAIN if cover.slug != "goofspiel"], ids=str
)
each_cover = pytest.mark.parametrize("cover", COVERS, ids=str)


@cache
def game_of(cover: Cover) -> kibitz.Game:
    return kibitz.load(cover.slug, **dict(cover.options))


def positions(cover: Cover, seed: int, *, moves: int = 200) -> Iterator[Table]:
    """A random game from the deal to the end, or so many moves."""
    table = game_of(cover).deal(seed=seed)
    rng = random.Random(seed)
    yield table
    for _ in range(moves):
        if table.turn is None:
            return
        table.play(rng.choice(table.legal()))
        yield table


def view_of(core: _core.View, game: kibitz.Game) -> View:
    return View(game, core, start={})


def cards_of(scene: Scene, *roles: str) -> list[scenes.Card]:
    return [card for zone in scene.zones if not roles or zone.role in roles for card in zone.cards]


def hand(scene: Scene, seat: int) -> Zone:
    (found,) = [zone for zone in scene.zones if zone.role == "hand" and zone.seat == seat]
    return found


# --- form ---


def check_word(value: object) -> None:
    assert isinstance(value, str)
    assert value.strip()
    assert value.isprintable()


def check_card(card: dict[str, Any], legal: list[str]) -> None:
    assert set(card) == {"text", "suit", "color", "face", "count", "marks", "label", "move"}
    check_word(card["label"])
    assert card["color"] in COLORS
    assert card["face"] in ("up", "down", "hidden")
    assert isinstance(card["count"], int)
    assert card["count"] >= 1
    assert card["move"] is None or card["move"] in legal
    for mark in card["marks"]:
        check_word(mark)
    if card["face"] == "hidden":
        assert (card["text"], card["suit"], card["color"], card["move"]) == ("", None, "plain", None)
        assert "hidden" in card["label"]
    else:
        check_word(card["text"])


def check_scene(scene: dict[str, Any], legal: list[str], seats: int) -> None:
    assert set(scene) == {"title", "subtitle", "alt", "zones", "notes", "text"}
    for name in ("title", "subtitle", "alt", *scene["notes"]):
        check_word(scene.get(name, name))
    for zone in scene["zones"]:
        assert set(zone) == {"label", "role", "seat", "own", "active", "cards", "grid", "facts"}
        check_word(zone["label"])
        assert zone["role"] in ROLES
        assert zone["seat"] is None or zone["seat"] in range(seats)
        assert isinstance(zone["own"], bool)
        assert isinstance(zone["active"], bool)
        for card in zone["cards"]:
            check_card(card, legal)
        for fact in zone["facts"]:
            assert set(fact) == {"name", "value"}
            check_word(fact["name"])
            check_word(fact["value"])
        if zone["grid"] is not None:
            grid = zone["grid"]
            assert [len(row) for row in grid["cells"]] == [grid["columns"]] * grid["rows"]
            for cell in (cell for row in grid["cells"] for cell in row if cell):
                assert set(cell) == {"text", "color", "marks", "label", "move"}
                check_word(cell["label"])
                assert cell["move"] is None or cell["move"] in legal


@each_cover
def test_scenes_have_the_form_before_the_deal_and_to_the_end(cover: Cover) -> None:
    game = game_of(cover)
    for policy in (None, chancy):
        steps = list(walk(game.core, 1, policy) if policy else walk(game.core, 1))
        states = [step.state for step in steps] + [steps[-1].state.play(steps[-1].move)]
        for state in states[:: max(len(states) // 60, 1)] + states[-1:]:
            shown: list[View | Table] = [Table(game, state, chance="manual")]
            shown += [view_of(state.view(seat), game) for seat in range(game.seats)]
            for position in shown:
                document = scene_of(position).to_dict()
                check_scene(document, position.legal(), game.seats)
                assert json.loads(json.dumps(document)) == document
                assert document["text"] == position.draw()


@each_plain
def test_the_same_position_has_the_same_scene(cover: Cover) -> None:
    for one, other in zip(positions(cover, 5, moves=30), positions(cover, 5, moves=30), strict=True):
        assert scene_of(one) == scene_of(other)
        assert to_svg(scene_of(one)) == to_svg(scene_of(other))


@each_plain
def test_the_seat_to_act_is_marked(cover: Cover) -> None:
    for table in positions(cover, 2):
        scene = scene_of(table)
        active = [zone.seat for zone in scene.zones if zone.active]
        if cover.slug == "thecrew" and table.turn is not None:
            assert active == [table.core.to_dict()["actor"]]  # the commander acts for the automatic member
        else:
            assert active == ([] if table.turn is None else [table.turn])


@each_plain
def test_own_zones_are_the_readers(cover: Cover) -> None:
    for table in positions(cover, 3, moves=8):
        for seat in range(table.game.seats):
            own = [zone for zone in scene_of(table.view(seat=seat)).zones if zone.seat == seat]
            assert own
            assert all(zone.own and "(you)" in zone.label for zone in own)
        assert not any(zone.own or "(you)" in zone.label for zone in scene_of(table).zones)


# --- moves ---


@each_plain
def test_another_seats_turn_leaves_no_moves(cover: Cover) -> None:
    for table in positions(cover, 4, moves=20):
        for seat in range(table.game.seats):
            if seat != table.turn:
                scene = scene_of(table.view(seat=seat))
                cells = [cell for zone in scene.zones if zone.grid for row in zone.grid.cells for cell in row]
                assert not [card.move for card in cards_of(scene) if card.move]
                assert not [cell.move for cell in cells if cell and cell.move]


@pytest.mark.parametrize("seed", [1, 2])
@each_plain
def test_every_move_that_plays_a_card_is_on_one(cover: Cover, seed: int) -> None:
    """What stands on no card is a word (pass, a vote, a bet) or leaves the card where it is."""
    words = {"p", "-", "+", "pass", "bet", "fold", "call", "raise", "quiet", "keep", "say", "swap", "move"}
    words |= {"S1", "S2", "owner", "offer", "good", "bad", "yes", "no", "first", "between", "last"}
    words |= {"none", "left", "right", "any", "?5", "?6", "?7", "?8"}
    for table in positions(cover, seed):
        if table.turn is None:
            return
        view = table.view()
        scene = scene_of(view)
        found = {card.move for card in cards_of(scene)}
        found |= {c.move for zone in scene.zones if zone.grid for row in zone.grid.cells for c in row if c}
        for move in view.legal():
            assert move in found or move.split()[0] in words


def test_showing_a_card_is_not_playing_it() -> None:
    view = kibitz.load("thecrew", mission=9, distress="off").deal(seed=1).view()
    assert any(move.startswith("say ") for move in view.legal())
    assert not [card.move for card in cards_of(scene_of(view)) if card.move]


# --- hidden information ---


@pytest.mark.parametrize("seed", [1, 2, 3])
@each_plain
def test_a_view_shows_the_same_whatever_is_true(cover: Cover, seed: int) -> None:
    for number, table in enumerate(positions(cover, seed)):
        if number % 3:
            continue
        for seat in range(table.game.seats):
            view = table.view(seat=seat)
            world = view.sample(seed=number)
            assert world.view(seat=seat).digest == view.digest
            assert scene_of(world.view(seat=seat)) == scene_of(view)


@each_plain
def test_a_table_hides_nothing(cover: Cover) -> None:
    for table in positions(cover, 6):
        assert not [card for card in cards_of(scene_of(table)) if card.face == "hidden"]


def places(scene: Scene) -> list[tuple[object, ...]]:
    """How many cards lie in each zone; what lies face-down is one thing, known or not."""
    return sorted(
        (zone.role, -1 if zone.seat is None else zone.seat, sum(card.count for card in zone.cards))
        for zone in scene.zones
    )


@pytest.mark.parametrize("seed", [1, 2])
@each_dealt
def test_hidden_cards_are_as_many_as_there_are(cover: Cover, seed: int) -> None:
    for table in positions(cover, seed):
        for seat in range(table.game.seats):
            assert places(scene_of(table.view(seat=seat))) == places(scene_of(table))


@pytest.mark.parametrize("seed", [1, 2])
@each_dealt
def test_what_a_view_shows_is_true(cover: Cover, seed: int) -> None:
    """Each card that a reader is shown lies where the truth has it; what is hidden is all the rest."""
    for table in positions(cover, seed):
        truth: Counter[tuple[object, ...]] = Counter()
        for zone in scene_of(table).zones:
            truth.update((zone.role, zone.seat, card.text, card.suit) for card in zone.cards)
        for seat in range(table.game.seats):
            shown: Counter[tuple[object, ...]] = Counter()
            for zone in scene_of(table.view(seat=seat)).zones:
                known = [card for card in zone.cards if card.face != "hidden"]
                shown.update((zone.role, zone.seat, card.text, card.suit) for card in known)
            assert shown <= truth


@each_plain
def test_a_table_shows_all_hands(cover: Cover) -> None:
    for table in positions(cover, 8, moves=12):
        facts = table.core.to_dict()
        if "hands" not in facts:
            continue
        scene = scene_of(table)
        for seat, held in enumerate(facts["hands"]):
            if seat == facts.get("jarvis"):
                continue  # its cards lie in the display
            cards = (
                held.split() if cover.slug == "hearts" else [held] if cover.slug == "leduc_poker" else held
            )
            assert sum(card.count for card in hand(scene, seat).cards) == len([c for c in cards if c != "-"])


@pytest.mark.parametrize("mission", [12, 23, 46])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("distress", ["left", "right"])
def test_cards_that_moved_are_shown_where_they_are(mission: int, players: int, distress: str) -> None:
    """Passing and drawing: what is known to lie in another hand lies there."""
    cover = Cover("thecrew", (("mission", mission), ("players", players), ("distress", distress)))
    known = 0
    for seed in range(12):
        for table in positions(cover, seed, moves=90):
            truth = scene_of(table)
            for seat in range(table.game.seats):
                scene = scene_of(table.view(seat=seat))
                assert places(scene) == places(truth)
                for zone in scene.zones:
                    if zone.role == "hand" and not zone.own:
                        shown = {(card.text, card.suit) for card in zone.cards if card.face != "hidden"}
                        known += sum("known" in card.marks for card in zone.cards)
                        there = {(card.text, card.suit) for card in hand(truth, int(zone.seat or 0)).cards}
                        assert shown <= there
    assert known


# --- games ---


def facts_named(scene: Scene, name: str) -> list[str]:
    return [fact.value for zone in scene.zones for fact in zone.facts if fact.name == name]


@pytest.mark.parametrize(
    "options", [{}, {"jd_bonus": True, "avoid_all_tricks_bonus": True}, {"pass_cards": False}]
)
def test_points_of_hearts_are_the_score(options: dict[str, bool]) -> None:
    cover = Cover("hearts", tuple(options.items()))
    for seed in range(4):
        for table in positions(cover, seed):
            scene = scene_of(table)
            shown = [hand(scene, seat).facts[0].value for seat in range(4)]
            assert shown == [str(points) for points in table.score()]


def test_all_points_of_hearts_are_turned_round() -> None:
    """Seat 0 takes every trick: it leads clubs, then its high cards of the other suits."""
    hands = [
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
        "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    ]
    table = kibitz.load("hearts", no_pts_on_first_trick=False).setup({"hands": hands})
    while table.turn is not None:
        table.play(table.legal()[0])
    scene = scene_of(table)
    assert table.score() == [0, 26, 26, 26]
    assert [hand(scene, seat).facts[0].value for seat in range(4)] == ["0", "26", "26", "26"]
    assert scene.subtitle == "seat 0 has won"


@pytest.mark.parametrize("players", [2, 3, 6])
def test_points_of_goofspiel_are_the_score(players: int) -> None:
    for seed in range(3):
        for table in positions(Cover("goofspiel", (("players", players), ("cards", 5))), seed):
            scene = scene_of(table)
            assert [hand(scene, seat).facts[0].value for seat in range(players)] == [
                str(points) for points in table.score()
            ]


@pytest.mark.parametrize(
    "slug", ["kuhn_poker", "leduc_poker", "goofspiel", "connect_four", "tic_tac_toe", "hearts"]
)
def test_the_subtitle_names_the_winners(slug: str) -> None:
    for seed in range(12):
        *_, table = positions(Cover(slug, ()), seed)
        subtitle = scene_of(table).subtitle
        for seat, share in enumerate(table.returns()):
            named = f"seat {seat}" in subtitle or "share the pot" in subtitle
            assert named == (share > 0 and subtitle != "a draw")
        assert ("draw" in subtitle or "share" in subtitle) == (max(table.returns()) < 1)


@pytest.mark.parametrize("slug", ["kuhn_poker", "leduc_poker"])
def test_chips_paid_are_those_lost(slug: str) -> None:
    for seed in range(12):
        *_, table = positions(Cover(slug, ()), seed)
        scene = scene_of(table)
        paid = [int(hand(scene, seat).facts[0].value) for seat in (0, 1)]
        score = table.score()
        assert all(score[seat] == -paid[seat] for seat in (0, 1) if score[seat] < 0)
        assert facts_named(scene, "chips") == [str(sum(paid))]
        assert f"{sum(paid)} chips in the pot" in table.draw()


def test_tricks_and_tasks_of_the_crew_are_as_the_core_has_them() -> None:
    done = 0
    for seed in range(30):
        for table in positions(Cover("thecrew", (("mission", 4), ("distress", "off"))), seed, moves=60):
            scene, text = scene_of(table), table.draw()
            for seat in range(4):
                line = next(line for line in text.splitlines() if line[2:].startswith(f"seat {seat}"))
                assert f"won {hand(scene, seat).facts[0].value}" in line
            marks = [mark for card in cards_of(scene, "tasks") for mark in card.marks]
            assert marks.count("done") == text.count(" done")
            assert ("lost" in marks) == ("went to" in text)
            done += marks.count("done")
    assert done


def test_the_crew_is_read_aloud() -> None:
    table = kibitz.load("thecrew", mission=12, distress="off").deal(seed=1)
    for move in ("take P7", "take B1", "take P6", "take P5"):
        table.play(move)
    while "say" not in table.record[-1]:
        table.play(next((move for move in table.legal() if move.startswith("say")), table.legal()[0]))
    scene = scene_of(table.view(seat=0))
    commander = hand(scene, 2)
    assert commander.label == "seat 2, commander"
    assert [(card.label, card.face, card.count) for card in commander.cards] == [
        ("eight hidden cards", "hidden", 8),
        ("rocket 4, known to be there", "down", 1),
        ("blue 2, shown as its lowest blue", "up", 1),
    ]
    assert [card.label for card in cards_of(scene, "tasks")] == [
        "pink 7, of seat 2, to be done last",
        "blue 1, of seat 3",
        "pink 6, of seat 0 (you)",
        "pink 5, of seat 1",
    ]


def test_missions_are_summed_up_as_in_the_rules() -> None:
    rules = json.loads((Path(__file__).parents[1] / "data" / "thecrew.json").read_text(encoding="utf-8"))
    assert list(SUMMARIES) == [mission["summary"] for mission in rules["missions"]]


def test_every_condition_of_an_own_mission_has_words() -> None:
    """The fifty missions flown as own missions have all conditions there are."""
    rules = json.loads((Path(__file__).parents[1] / "data" / "thecrew.json").read_text(encoding="utf-8"))
    said = set()
    for mission in rules["missions"]:
        keys = ("summary", "setup", "constraints", "effects", "communication")
        own = {key: mission[key] for key in keys if key in mission}
        facts = mission_facts(kibitz.load("thecrew", own_mission=own).options)
        said |= {fact.value for fact in facts if fact.name == "condition"}
    assert {
        "all tasks are completed",
        "all tasks are completed, the last of them in the last trick",
        "S1 wins exactly 0 tricks",
        "S1 wins trick 1 and the last trick and no other",
        "S1 wins no trick with a rocket card",
        "the seats' tricks never differ by more than 1",
        "2 tricks won by a 1 in blue, green, pink or yellow",
        "no trick is won by a 9 in blue, green, pink or yellow",
        "each of R1, R2, R3 and R4 wins a trick, in ascending order",
        "S1 wins every trick with a pink card",
    } <= said


def test_connect_four_cells_carry_their_column() -> None:
    table = kibitz.load("connect_four").deal(seed=1)
    for column in "444":
        table.play(column)
    (grid,) = [zone.grid for zone in scene_of(table.view()).zones if zone.grid]
    moves = [
        (row, column, cell.move)
        for row, line in enumerate(grid.cells)
        for column, cell in enumerate(line)
        if cell and cell.move
    ]
    assert moves == [(2, 3, "4"), *((5, column, str(column + 1)) for column in (0, 1, 2, 4, 5, 6))]


def test_a_winning_line_is_marked() -> None:
    table = kibitz.load("connect_four").deal(seed=1)
    for column in "1212121":
        table.play(column)
    (grid,) = [zone.grid for zone in scene_of(table).zones if zone.grid]
    marked = [
        (row, column)
        for row, line in enumerate(grid.cells)
        for column, cell in enumerate(line)
        if cell and cell.marks
    ]
    assert marked == [(2, 0), (3, 0), (4, 0), (5, 0)]


def test_kami_shows_the_attack_and_what_answers_it() -> None:
    hands = ["11113477", "12344568", "11123368", "11224555"]
    table = kibitz.load("kami", redeal=False).setup({"hands": hands, "first": 1, "record": ["1:d3", "1:a4"]})
    scene = scene_of(table.view())
    assert scene.subtitle == "round 1, seat 2 (you) to answer Silver Dragon (4) of seat 1"
    assert [card.label for card in cards_of(scene, "trick")] == ["Silver Dragon, 4, to be answered"]
    assert [card.text for card in cards_of(scene, "hand") if card.move] == ["8"]
    laid = [zone for zone in scene.zones if zone.label == "laid by seat 1"]
    assert [(card.text, card.face) for card in laid[0].cards] == [("", "hidden"), ("4", "up")]
    mine = [zone for zone in scene_of(table.view(seat=1)).zones if zone.label == "laid by seat 1 (you)"]
    assert [(card.text, card.face) for card in mine[0].cards] == [("3", "down"), ("4", "up")]
    assert hand(scene_of(table.view(seat=1)), 3).label == "seat 3, your partner"


def test_a_game_without_a_drawing_is_shown_as_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenes, "_drawer", lambda slug: None)
    for slug in kibitz.games():
        table = kibitz.load(slug).deal(seed=1)
        for position in (table, table.view(seat=1)):
            scene = scene_of(position)
            check_scene(scene.to_dict(), position.legal(), table.game.seats)
            fields = {
                name: value for name, value in position.core.to_dict().items() if value not in ("", [], None)
            }
            assert [fact.name for fact in scene.zones[0].facts] == list(fields)
            drawn = "".join(ET.fromstring(to_svg(scene)).itertext())
            assert all(line.strip() in drawn for line in scene.text.splitlines())


def test_a_module_that_draws_nothing_is_no_drawing() -> None:
    assert scenes._drawer("words") is None
    assert scenes._drawer("no_such_game") is None
    assert all(scenes._drawer(slug) for slug in kibitz.games())


# --- SVG ---


def texts(svg: str) -> list[str]:
    """All that is written in the picture, and the names that show when a thing is pointed at."""
    root = ET.fromstring(svg)
    found = ["".join(each.itertext()) for name in ("text", "title") for each in root.iter(SVG + name)]
    return [text for text in found if text.strip()]


def words_of(value: object) -> set[str]:
    """Every word of a scene, without the stop after it."""
    if isinstance(value, str):
        return {word.rstrip(",:;.") for word in value.split()}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(words_of, parts))


@each_plain
def test_svg_is_whole_and_says_nothing_of_its_own(cover: Cover) -> None:
    for number, table in enumerate(positions(cover, 9)):
        if number % 5 and table.turn is not None:
            continue
        shown: list[View | Table] = [table, *(table.view(seat=seat) for seat in range(table.game.seats))]
        for position in shown:
            scene = scene_of(position)
            svg = to_svg(scene)
            root = ET.fromstring(svg)
            assert root.tag == SVG + "svg"
            assert (root.findtext(SVG + "desc"), root.get("role")) == (scene.alt, "img")
            assert not [
                each for each in root.iter() if each.tag in (SVG + "script", SVG + "image", SVG + "a")
            ]
            assert "href" not in svg
            assert "url(" not in svg
            known = words_of(scene.to_dict()) | {"to", "act", *(str(card.count) for card in cards_of(scene))}
            for text in texts(svg):
                assert text.endswith("...") or words_of(text) <= known


def test_hidden_cards_are_drawn_as_backs_alone() -> None:
    view = kibitz.load("kuhn_poker").deal(seed=1).view(seat=0)
    drawn = "".join(texts(to_svg(scene_of(view))))
    assert view.core.to_dict()["hands"][1] == "x"
    assert "a hidden card" in drawn


OWN = {
    "setup": [{"step": "deal_tasks", "n": 2, "tokens": ["1", "omega"], "reveal": "all"}, {"step": "draft"}],
    "constraints": [{"type": "tasks"}],
    "communication": {"mode": "dead_zone", "from_trick": 2},
}


@pytest.mark.parametrize(
    "summary",
    [
        "<script>alert(1)</script>",
        "]]></style><script>x</script>",
        '" onload="x',
        "&amp; &#60;",
        "\x00\x1b[2J\ufffe\u202e",
        "x" * 4_000,
        "日本" * 500,
    ],
)
def test_an_own_missions_words_are_only_words(summary: str) -> None:
    scene = scene_of(kibitz.load("thecrew", own_mission={**OWN, "summary": summary}).deal(seed=1).view())
    check_scene(scene.to_dict(), kibitz.load("thecrew", own_mission=OWN).deal(seed=1).legal(), 4)
    (said,) = facts_named(scene, "own mission")
    assert len(said) <= 200
    svg = to_svg(scene)
    root = ET.fromstring(svg)
    assert "<script" not in svg
    assert not [each for each in root.iter() if "onload" in each.attrib]
    assert facts_named(scene, "radio") == ["dead zone", "from trick 2 on"]


def test_two_pictures_on_a_page_do_not_touch_each_other() -> None:
    table = kibitz.load("hearts").deal(seed=1)
    one, other = (ET.fromstring(to_svg(scene_of(table.view(seat=seat)))) for seat in (0, 1))
    assert one.get("class") != other.get("class")
    rules = [line for line in str(one.findtext(SVG + "style")).splitlines() if line]
    assert all(str(one.get("class")) in line for line in rules)
    ids = [{each.get("id") for each in root.iter() if each.get("id")} for root in (one, other)]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("width", [320, 720, 4000])
@pytest.mark.parametrize("slug", kibitz.games())
def test_nothing_is_drawn_outside(slug: str, width: int) -> None:
    *_, table = positions(Cover(slug, ()), 3, moves=30)
    root = ET.fromstring(to_svg(scene_of(table), width=width))
    assert root.get("width") == str(width)
    high = float(str(root.get("height")))

    def visit(element: ET.Element, x: float, y: float) -> None:
        moved = (
            element.get("transform", "translate(0 0)").removeprefix("translate(").removesuffix(")").split()
        )
        x, y = x + float(moved[0]), y + float(moved[1])
        if element.tag == SVG + "rect":
            left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
            assert left >= 0
            assert top >= 0
            assert left + float(str(element.get("width"))) <= width
            assert top + float(str(element.get("height"))) <= high
        for each in element:
            visit(each, x, y)

    visit(root, 0.0, 0.0)


@pytest.mark.parametrize("width", [0, 319, 4001, True, "720", 720.5, float("nan"), 10**30, None])
def test_a_width_that_cannot_be(width: Any) -> None:
    scene = scene_of(kibitz.load("tic_tac_toe").deal(seed=1))
    with pytest.raises(InvalidOption, match="width"):
        to_svg(scene, width=width)
