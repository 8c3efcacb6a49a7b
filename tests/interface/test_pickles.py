"""Pickles, copies and other processes: everything public arrives as it was, and what was tampered with does not."""

import copy
import io
import pickle
import pickletools
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import kibitz
from elsewhere import first_legal, look
from kibitz import _core
from kibitz.errors import InvalidOption, InvalidPosition, KibitzError, TooMuch, UnknownGame
from kibitz.logbook import LogEntry
from kibitz.settings import Settings

HANDS = ["11113477", "12344568", "11123368", "11224555"]  # record ext-02; seat 1 leads
GAME = kibitz.load("kami", redeal=False)
TABLE = GAME.setup({"hands": HANDS, "first": 1, "record": ["1:d3", "1:a4", "2:p", "3:p"]}, seed=5)
BOT = kibitz.Bot(iterations=20, threads=2, name="twenty", seed=3)
FOUND = kibitz.best_move(TABLE.view(), iterations=20)


def complain() -> KibitzError:
    with pytest.raises(TooMuch) as caught:
        GAME.view(seat=0, start={"hand": HANDS[0], "first": 1}).observe("1:d3")
    return caught.value


PUBLIC: dict[str, Any] = {
    "Game": GAME,
    "Table": TABLE,
    "Table, manual": GAME.deal(seed=3, chance="manual"),
    "Table, two players": kibitz.load("kami", players=2).deal(seed=3),
    "View": TABLE.view(),
    "View of another": TABLE.view(seat=2),
    "View without a record": kibitz.View.from_json(
        {"game": "kami", "options": {"redeal": False}, "seat": 0, "view": TABLE.view().core.to_dict()}
    ),
    "Bot": BOT,
    "Bot with a clock": kibitz.Bot(clock=kibitz.Clock(main_ms=1000, inc_ms=1.5, moves_left=3)),
    "Clock": kibitz.Clock(main_ms=1000, byoyomi_ms=0.25, overhead_ms=0),
    "ClockUse": kibitz.ClockUse(3, 12.5, -1.0, 1),
    "FunctionBot": kibitz.FunctionBot(first_legal),
    "Settings": Settings(iterations=(3, 4), threads=2, exploration=0.5),
    "Analysis": FOUND,
    "Row": FOUND.moves[0],
    "MatchResult": kibitz.match("kami", [kibitz.Bot("greedy"), first_legal], games=2, rounds=1, progress=False),
    "Campaign": kibitz.Campaign(missions=[3, 5], seed=2, players=3, log=[LogEntry(3, 2, distress=True, won=True)]),
    "Review": kibitz.review(TABLE, iterations=20, progress=False),
}  # fmt: skip


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    assert a == b
    assert repr(a) == repr(b)
    if isinstance(a, kibitz.Table | kibitz.View | kibitz.Analysis | kibitz.Review | kibitz.Campaign):
        assert a.to_json() == b.to_json()


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_round_trip(name: str, protocol: int) -> None:
    same(pickle.loads(pickle.dumps(PUBLIC[name], protocol)), PUBLIC[name])


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies(name: str, copied: Callable[[Any], Any]) -> None:
    same(copied(PUBLIC[name]), PUBLIC[name])


def test_a_deep_copy_of_several_goes_its_own_way() -> None:
    table, view = copy.deepcopy((TABLE, TABLE.view()))
    table.play("p")
    assert TABLE.record == ["1:d3", "1:a4", "2:p", "3:p"]
    assert view == TABLE.view()


def test_a_copied_bot_can_still_be_stopped() -> None:
    for other in (copy.copy(BOT), copy.deepcopy(BOT), pickle.loads(pickle.dumps(BOT))):
        other.stop()
        assert other.act(TABLE.view()) == BOT.act(TABLE.view())


def test_errors_travel_with_all_they_say() -> None:
    error = complain()
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is TooMuch
        assert (str(other), other.given, other.allowed, other.rule) == (
            str(error), error.given, error.allowed, error.rule
        )  # fmt: skip


@pytest.mark.parametrize(
    "thing", [TABLE.core, TABLE.view().core, GAME.core, _core.Rng(1, "test"), kibitz.Stop()]
)
def test_the_values_inside_are_not_for_travel(thing: object) -> None:
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle"):
            attempt(thing)


# --- other processes ---


def test_everything_goes_to_another_process_and_back() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        things, *said = pool.submit(look, PUBLIC).result(timeout=120)
        raised = pool.submit(TABLE.copy().play, "d7").exception(timeout=120)
    for name, thing in PUBLIC.items():
        same(things[name], thing)
    view = TABLE.view()
    assert said == [TABLE.core.digest, view.digest, BOT.act(view), first_legal(view), repr(BOT)]
    assert isinstance(raised, kibitz.IllegalMove)
    assert raised.allowed == ("p", "d4")


# --- tampered with ---


class Tampered(pickle.Pickler):
    """Pickles a table or view with other arguments."""

    def __init__(self, file: io.BytesIO, change: Callable[[Any], Any]) -> None:
        super().__init__(file)
        self.change = change

    def reducer_override(self, thing: Any) -> Any:
        if not isinstance(thing, kibitz.Table | kibitz.View | kibitz.Game):
            return NotImplemented
        restore, arguments = thing.__reduce__()
        return restore, self.change(arguments)


def tamper(thing: object, change: Callable[[Any], Any]) -> bytes:
    file = io.BytesIO()
    Tampered(file, change).dump(thing)
    return file.getvalue()


def replace(place: int, value: Any) -> Callable[[Any], Any]:
    return lambda old: (*old[:place], value, *old[place + 1 :])


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    [
        ("Game", replace(0, "kamy"), UnknownGame),
        ("Game", replace(1, {"players": 7}), InvalidOption),
        ("Game", replace(1, {"playing": 4}), InvalidOption),
        ("Game", replace(1, [4]), InvalidOption),
        ("Game", replace(1, {"players": 10**400}), InvalidOption),
        ("Table", replace(1, {"hands": HANDS[:3]}), InvalidPosition),
        ("Table", replace(1, {"hands": [HANDS[1], *HANDS[1:]]}), InvalidPosition),
        ("Table", replace(1, "11113477"), InvalidPosition),
        ("Table", replace(2, -1), InvalidOption),
        ("Table", replace(2, "5"), InvalidOption),
        ("Table", replace(3, "dice"), InvalidOption),
        ("Table", replace(4, ["1:d3", "1:a7"]), InvalidPosition),
        ("Table", replace(4, ["0:p"]), InvalidPosition),
        ("Table", replace(4, "1:d3"), InvalidPosition),
        ("View", replace(1, 1), InvalidPosition),  # what seat 0 saw is not what seat 1 sees
        ("View", replace(1, 4), InvalidOption),
        ("View", replace(2, {"hand": "99999999"}), InvalidPosition),
        ("View", replace(2, {"hand": "12344568", "first": 1, "hands": HANDS}), InvalidPosition),
        ("View", replace(2, None), InvalidPosition),
        ("View", replace(3, ("1:d3",)), InvalidPosition),  # more than it may see
        ("View", replace(3, ("1:dx", "1:a7")), InvalidPosition),  # it holds both Towers
        ("View", replace(3, 7), InvalidPosition),
    ],
)
def test_a_pickle_with_other_arguments_is_refused(
    name: str, change: Callable[[Any], Any], kind: type
) -> None:
    things = {"Game": GAME, "Table": TABLE, "View": TABLE.view()}
    if name != "Game":  # the game in it stays as it is

        def outer(old: Any) -> Any:
            return change(old) if isinstance(old[0], kibitz.Game) else old

        data = tamper(things[name], outer)
    else:
        data = tamper(things[name], change)
    with pytest.raises(kind) as caught:
        pickle.loads(data)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"threads": 10**6}, "threads"),
        ({"search": "magic"}, "search"),
        ({"iterations": -1}, "iterations"),
        ({"ms": float("nan")}, "ms"),
        ({"iterations": None}, "budget"),
        ({"max_bytes": "much"}, "max_bytes"),
    ],
)
def test_settings_are_checked_on_arrival(changed: dict[str, Any], word: str) -> None:
    settings = copy.copy(BOT.settings)
    for name, value in changed.items():
        object.__setattr__(settings, name, value)
    bot = copy.copy(BOT)
    bot.settings = settings
    for thing in (settings, bot):
        with pytest.raises(InvalidOption, match=word):
            pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize(("name", "value"), [("main_ms", -1), ("inc_ms", "5"), ("moves_left", 0)])
def test_clocks_are_checked_on_arrival(name: str, value: object) -> None:
    clock = kibitz.Clock(main_ms=1000)
    object.__setattr__(clock, name, value)
    with pytest.raises(InvalidOption, match=name):
        pickle.loads(pickle.dumps(clock))


def test_the_clock_of_a_bot_is_checked_on_arrival() -> None:
    bot = copy.copy(BOT)
    bot.settings = Settings(clock=kibitz.Clock())
    with pytest.raises(InvalidOption, match="no time for the first decision"):
        pickle.loads(pickle.dumps(bot))


@pytest.mark.parametrize(("name", "value"), [("seed", -1), ("seed", "3"), ("name", 7), ("settings", None)])
def test_bots_are_checked_on_arrival(name: str, value: object) -> None:
    bot = copy.copy(BOT)
    setattr(bot, name, value)
    with pytest.raises(InvalidOption, match=name):
        pickle.loads(pickle.dumps(bot))


@pytest.mark.parametrize("name", ["Table", "View", "Bot", "Game"])
def test_damaged_bytes_give_an_error_or_something_whole(name: str) -> None:
    """Texts and numbers of the pickle are damaged, not its instructions: those could call anything."""
    whole = pickle.dumps(PUBLIC[name], 4)
    places: list[int] = []
    for opcode, argument, at in pickletools.genops(whole):
        if at is not None and opcode.name in ("SHORT_BINUNICODE", "BININT1", "BININT2"):
            size = len(argument.encode()) if isinstance(argument, str) else 1
            start = at + (2 if isinstance(argument, str) else 1)
            module = isinstance(argument, str) and (
                "kibitz" in argument or argument in ("_restore", "Game", "Bot")
            )
            places += [] if module else range(start, start + size)
    rng = _core.Rng(1, "test damage")
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        data[places[rng.below(len(places))]] = 32 + rng.below(95)
        try:
            found = pickle.loads(bytes(data))
        except KibitzError:
            refused += 1
        except (KeyError, AttributeError, TypeError, ValueError, pickle.UnpicklingError):
            refused += 1  # names of attributes and the like
        else:
            assert type(found) is type(PUBLIC[name])
            if isinstance(found, kibitz.View):
                assert found.sample(seed=1).view(seat=found.seat).digest == found.digest
            elif isinstance(found, kibitz.Table):
                assert kibitz.Table.from_json(found.to_json()) == found
    assert refused > 20
