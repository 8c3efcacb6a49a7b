"""Clocks: what is on them, how much a decision gets, who keeps them. Nobody is held to the real time."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz import settings
from kibitz.allotment import allot, decisions_left, game_lengths, latest, margin, plies_of, reckoned
from kibitz.clock import Clock, ClockUse, RunningClock
from kibitz.errors import InvalidOption

NO_THOUGHT = 0.05  # ms, of a move without a search: a forced one takes less
ROUND = kibitz.load("kami", rounds=1)
CARDS = kibitz.load("goofspiel")


def first_legal(view: kibitz.View) -> str:
    return view.legal()[0]


class Time:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, ms: float) -> None:
        self.now += ms / 1000


class Slow:
    """Plays by a clock of its own and is always over it."""

    name = "slow"
    clock = Clock(main_ms=1)

    def __init__(self) -> None:
        self.told: list[Clock] = []

    def act(self, view: kibitz.View, *, clock: Clock) -> str:
        self.told.append(clock)
        time.sleep(0.003)
        return view.legal()[0]


def watch(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Clock, float]]:
    """What is allotted from now on, and from which clock."""
    given: list[tuple[Clock, float]] = []

    def watched(clock: Clock, decisions: float) -> float:
        given.append((clock, allot(clock, decisions)))
        return given[-1][1]

    monkeypatch.setattr(settings, "allot", watched)
    return given


# ---- the value and its text ----


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60s", Clock(main_ms=60_000)),
        ("60s+1s", Clock(main_ms=60_000, inc_ms=1_000)),
        ("10m/30s", Clock(main_ms=600_000, byoyomi_ms=30_000)),
        ("5m+0.5s/10s", Clock(main_ms=300_000, inc_ms=500, byoyomi_ms=10_000)),
        ("0/5s/20s", Clock(byoyomi_ms=5_000, bank_ms=20_000)),
        ("0/0/90s", Clock(bank_ms=90_000)),
        ("0+3s", Clock(inc_ms=3_000)),
        ("250ms", Clock(main_ms=250)),
        ("0.125ms", Clock(main_ms=0.125)),
        ("0", Clock()),
    ],
)
def test_a_clock_is_its_text(text: str, clock: Clock) -> None:
    assert Clock.parse(text) == clock
    assert str(clock) == text


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        (" 60 s", None),
        ("1h", "60m"),
        ("60s + 1s", "60s+1s"),
        ("90000ms", "90s"),
        ("0ms", "0"),
        ("120s", "2m"),
    ],
)
def test_other_spellings_of_a_text(text: str, clock: str | None) -> None:
    if clock is None:
        with pytest.raises(InvalidOption):
            Clock.parse(text)
    else:
        assert str(Clock.parse(text)) == clock


@given(times=st.lists(st.integers(0, 10**10 * 1000), min_size=4, max_size=4))
def test_every_text_is_read_back(times: list[int]) -> None:
    main, inc, byoyomi, bank = (each / 1000 for each in times)
    clock = Clock(main_ms=main, inc_ms=inc, byoyomi_ms=byoyomi, bank_ms=bank)
    assert Clock.parse(str(clock)) == clock


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "60",
            "60s+",
            "60s+1",
            "+1s",
            "-60s",
            "60s/1s/1s/1s",
            "1e3s",
            "60sec",
            "60s+1s+1s",
            "٦s",
            "inf",
        ],
        *[60, None, b"60s"],
    ],
)
def test_a_text_that_is_no_clock_is_refused(text: Any) -> None:
    with pytest.raises(
        InvalidOption, match=r"clock cannot be .* it is main\[\+inc\]\[/byoyomi\[/bank\]\], such as 60s"
    ):
        Clock.parse(text)


@pytest.mark.parametrize("name", ["main_ms", "inc_ms", "byoyomi_ms", "bank_ms", "overhead_ms", "moves_left"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), 1e11, "5", True, [], 10**400])
def test_a_value_that_is_not_allowed_is_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=f"{name} cannot be"):
        Clock(**{name: value})


def test_zero_decisions_left_are_refused() -> None:
    with pytest.raises(InvalidOption, match="moves_left cannot be 0"):
        Clock(main_ms=5, moves_left=0)


@pytest.mark.parametrize(
    ("clock", "used", "left"),
    [
        ("60s", 1500, "58.5s"),
        ("60s+1s", 1500, "59.5s+1s"),
        ("60s+1s", 90_000, "1s+1s"),  # over time: what is left is what comes in
        ("10s/5s", 4000, "6s/5s"),
        ("10s/5s", 12_000, "0/5s"),  # 2 s of the period were used, and the next one is whole
        ("0/5s/20s", 4000, "0/5s/20s"),
        ("0/5s/20s", 7000, "0/5s/18s"),
        ("1s+3s/5s/20s", 10_000, "3s+3s/5s/16s"),
        ("0/5s/20s", 26_000, "0/5s"),
    ],
)
def test_a_decision_uses_up_main_time_then_the_period_then_the_bank(
    clock: str, used: float, left: str
) -> None:
    assert str(Clock.parse(clock).after(used)) == left


def test_the_rest_of_a_clock_stays_as_it_is() -> None:
    clock = Clock(main_ms=100, overhead_ms=7, moves_left=2)
    assert clock.after(10) == Clock(main_ms=90, overhead_ms=7, moves_left=1)
    assert clock.after(10).after(10).moves_left == 1  # whoever said 2 was wrong
    with pytest.raises(InvalidOption, match="used_ms cannot be -1"):
        clock.after(-1)


# ---- the allotment ----

times = st.one_of(st.just(0), st.integers(1, 200), st.integers(200, 100_000))
clocks = st.builds(
    Clock,
    main_ms=times,
    inc_ms=times,
    byoyomi_ms=times,
    bank_ms=times,
    overhead_ms=st.integers(0, 200),
    moves_left=st.none() | st.integers(1, 50),
)


# Whatever is estimated, whatever is forced, and however late each search is within its promise.
@given(
    clock=clocks.filter(lambda clock: clock.limit_ms >= 10),
    game=st.lists(
        st.tuples(st.floats(1, 100), st.sampled_from(["late", "half", "early", "forced"])),
        min_size=1,
        max_size=60,
    ),
)
def test_never_over_time(clock: Clock, game: list[tuple[float, str]]) -> None:
    now = Time()
    running = RunningClock(clock, now=now)
    received = clock.main_ms + clock.bank_ms
    for expected, how in game:
        ms = 0.0 if how == "forced" else allot(running.clock, expected)
        assert ms == 0 or ms >= 1
        last = latest(running.clock, ms)
        assert ms == 0 or last <= running.clock.limit_ms + 1e-6
        with running:
            now.pass_by({"late": last, "half": (ms + last) / 2, "early": ms / 2}[how] if ms else NO_THOUGHT)
        received += clock.inc_ms + clock.byoyomi_ms
        assert running.use.used_ms <= received + 1e-3
    assert running.use.overruns == 0
    assert running.use.decisions == len(game)


@given(clock=clocks, decisions=st.floats(1, 100))
def test_the_period_is_used_but_for_the_margin(clock: Clock, decisions: float) -> None:
    least = (clock.byoyomi_ms - margin(clock)) / 1.02
    assert allot(clock, decisions) >= (least if least >= 1 else 0)


@given(decisions=st.floats(2, 100), inc=st.integers(0, 5_000))
def test_more_time_or_fewer_decisions_never_give_less(decisions: float, inc: int) -> None:
    shares = [allot(Clock(main_ms=main, inc_ms=inc), decisions) for main in range(0, 20_000, 50)]
    assert shares == sorted(shares)
    fewer = [allot(Clock(main_ms=main, inc_ms=inc), decisions / 2) for main in range(0, 20_000, 50)]
    assert all(a <= b for a, b in zip(shares, fewer, strict=True))


# 60 s for 20 decisions and the slack of one, less what is kept for lateness that does not come, 20 times 30 ms at most.
def test_shares_are_even_and_little_is_left() -> None:
    clock = Clock(main_ms=60_000)
    shares = []
    for left in range(20, 0, -1):
        shares.append(allot(clock, left + 1))
        clock = clock.after(shares[-1])
    assert min(shares) == pytest.approx(60_000 / 21, rel=0.02)
    assert max(shares) == pytest.approx(60_000 / 21, rel=0.02)
    assert clock.main_ms < 60_000 / 20


# A slow line takes its 25 ms, and the machine 5, of every decision, also of those without a search.
@pytest.mark.parametrize("main", [1_300, 2_000, 5_000, 60_000])
def test_time_is_kept_for_the_overhead_of_the_decisions_to_come(main: int) -> None:
    now = Time()
    running = RunningClock(Clock(main_ms=main), now=now)
    for left in range(20, 0, -1):
        ms = allot(running.clock, left + 1)
        with running:
            now.pass_by(latest(running.clock, ms))
    assert (running.use.decisions, running.use.overruns) == (20, 0)


def test_a_small_clock_is_spent_too() -> None:
    assert allot(Clock(main_ms=300), 10) == 15  # a tenth of the half that is not kept


def test_a_clock_that_only_gets_increments_spends_them() -> None:
    clock = Clock(main_ms=1_000, inc_ms=1_000)
    for _ in range(30):
        ms = allot(clock, 20)
        assert 900 < ms < 1_000
        clock = clock.after(latest(clock, ms))


def test_what_the_host_says_goes_before_the_estimate() -> None:
    assert allot(Clock(main_ms=60_000, moves_left=10), 50) == allot(Clock(main_ms=60_000), 10)
    assert allot(Clock(main_ms=60_000, moves_left=1), 50) < 30_000  # one more may come


@pytest.mark.parametrize("main", [0, 5, 30, 60])
def test_on_a_nearly_empty_clock_there_is_a_move_all_the_same(main: float) -> None:
    table = ROUND.deal(seed=2)
    while len(table.legal()) < 2:
        table.play(table.legal()[0])
    view = table.view()
    for search in ("ismcts", "moismcts", "flat", "pimc"):
        found = kibitz.best_move(view, search=search, clock=Clock(main_ms=main), threads=2)
        assert found.move in view.legal()
        assert (found.iterations, found.reason) == (1, "clock")


# ---- how many decisions are still to come ----


@pytest.mark.parametrize("slug", kibitz.games())
def test_decisions_left_of_every_game(slug: str) -> None:
    game = kibitz.load(slug)
    most = game.core.max_plies
    assert 1 < decisions_left(game, 0) <= 1 + most / game.seats
    assert decisions_left(game, most - 1) == decisions_left(game, most) == 1 + 1 / game.seats


@pytest.mark.parametrize("options", [{"rounds": 1}, {}, {"players": 2}])
def test_the_estimate_is_near_what_is_played(options: dict[str, Any]) -> None:
    game = kibitz.load("kami", **options)
    bot = kibitz.Bot("greedy")
    plies = []
    for seed in range(8):
        table = game.deal(seed=seed)
        while table.turn is not None:
            table.play(bot.act(table.view()))
        plies.append(plies_of(table.view(seat=0)))
    assert decisions_left(game, 0) == pytest.approx(1 + sum(plies) / len(plies) / game.seats, rel=0.5)


def test_a_game_that_outlasts_all_samples_still_goes_on() -> None:
    longest = max(game_lengths(ROUND))
    assert longest < 100
    assert decisions_left(ROUND, 100) == 1 + 25 / 4


def test_the_estimate_is_the_same_each_time() -> None:
    before = game_lengths(ROUND)
    game_lengths.cache_clear()
    assert game_lengths(ROUND) == before
    assert len(set(before)) > 1


# ---- a clock that somebody keeps ----


def test_a_running_clock_says_what_was_used() -> None:
    now = Time()
    running = RunningClock(Clock(main_ms=1_000, inc_ms=100), now=now)
    assert running.use == ClockUse(0, 0.0, None, 0)
    for used in (400, 500, 50):
        now.pass_by(10_000)  # between its decisions it stands still
        with running:
            now.pass_by(used)
    assert running.clock == Clock(main_ms=350, inc_ms=100)
    assert running.use == ClockUse(decisions=3, used_ms=950, least_ms=200, overruns=0)


def test_a_fallen_flag_is_counted_and_nothing_ends() -> None:
    now = Time()
    running = RunningClock(Clock(main_ms=1_000, inc_ms=100), now=now)
    for used in (1_250, 60, 130):
        with running:
            now.pass_by(used)
    assert running.clock == Clock(main_ms=110, inc_ms=100)
    assert running.use == ClockUse(decisions=3, used_ms=1_440, least_ms=-250, overruns=1)


def test_a_decision_that_raises_is_charged_too() -> None:
    now = Time()
    running = RunningClock(Clock(main_ms=1_000), now=now)

    def think() -> None:
        with running:
            now.pass_by(300)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        think()
    assert running.use.used_ms == 300


def test_time_that_goes_back_costs_nothing() -> None:
    now = Time()
    running = RunningClock(Clock(main_ms=1_000), now=now)
    with running:
        now.pass_by(-300)
    assert running.clock.main_ms == 1_000


@pytest.mark.parametrize("clock", ["60s", None, 60])
def test_only_a_clock_runs(clock: Any) -> None:
    with pytest.raises(InvalidOption, match=r"it is a kibitz\.Clock"):
        RunningClock(clock)
    wrong: Any = [clock]
    with pytest.raises(InvalidOption, match=r"it is a kibitz\.Clock"):
        kibitz.Bot("greedy").act(ROUND.deal(seed=2).view(), clock=wrong)


# ---- bots ----


def opening() -> kibitz.View:
    """A decision with a choice."""
    return CARDS.deal(seed=1).view()


def test_a_bot_takes_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    given = watch(monkeypatch)
    bot = kibitz.Bot("ismcts", clock=Clock(main_ms=280, inc_ms=5, overhead_ms=0))
    assert bot.analyse(opening(), clock=bot.clock).reason == "clock"
    assert [ms for _, ms in given] == [25]  # 280 / (13 + 1) + 5, and what comes in pays for lateness


def test_the_first_budget_reached_ends_the_search() -> None:
    rich = Clock(main_ms=3_600_000)
    bot = kibitz.Bot("ismcts", iterations=60, clock=rich)
    plain = kibitz.Bot("ismcts", iterations=60)
    assert bot.analyse(opening(), clock=rich) == plain.analyse(opening())
    assert kibitz.Bot("ismcts", ms=5, clock=rich).analyse(opening()).reason == "ms"
    assert bot.analyse(opening(), clock=Clock()).iterations == 1


def test_a_budget_for_one_move_replaces_the_clock() -> None:
    bot = kibitz.Bot("ismcts", clock=Clock(main_ms=3_600_000))
    assert bot.analyse(opening(), iterations=40) == kibitz.Bot(iterations=40).analyse(opening())


def test_a_bot_without_a_clock_may_be_told_one() -> None:
    bot = kibitz.Bot("ismcts", iterations=60)
    assert bot.analyse(opening(), clock=Clock()).reason == "clock"


def test_a_search_by_the_clock_can_be_repeated() -> None:
    found = kibitz.best_move(opening(), clock=Clock(main_ms=150, overhead_ms=0))
    again = kibitz.best_move(opening(), **found.repeat)
    assert (again.move, again.moves) == (found.move, found.moves)


def test_a_forced_move_takes_no_time() -> None:
    table = CARDS.deal(seed=1)
    while len(table.legal()) > 1:
        table.play(table.legal()[0])
    found = kibitz.best_move(table.view(), clock=Clock(main_ms=3_600_000))
    assert (found.reason, found.forced) == ("single", True)


@pytest.mark.parametrize("clock", [Clock(), Clock(inc_ms=5_000)])
def test_a_time_control_without_a_first_decision_is_refused(clock: Clock) -> None:
    with pytest.raises(InvalidOption, match="there is no time for the first decision"):
        kibitz.Bot(clock=clock)


def test_names_and_values_of_bots_with_a_clock() -> None:
    bot = kibitz.Bot("flat", clock=Clock.parse("60s+1s"))
    assert bot.name == "flat clock=60s+1s"
    assert repr(bot) == "kibitz.Bot('flat', clock=kibitz.Clock(main_ms=60000, inc_ms=1000))"
    assert eval(repr(bot)) == bot
    assert bot != kibitz.Bot("flat", clock=Clock.parse("60s+2s"))
    assert (bot.clock, kibitz.Bot("greedy").clock) == (Clock(main_ms=60_000, inc_ms=1_000), None)


# The bot is never told what is on its clock. It gets by with the record: all that it may have taken is within its time.
@pytest.mark.parametrize("text", ["60s", "5s+100ms", "0/2s/5s", "1s/100ms", "300ms"])
@pytest.mark.parametrize("slug", ["goofspiel", "kami", "connect_four"])
def test_without_a_running_clock_a_bot_is_not_over_time_either(slug: str, text: str) -> None:
    game = ROUND if slug == "kami" else kibitz.load(slug)
    control = Clock.parse(text)
    table = game.deal(seed=3)
    now = {seat: Time() for seat in range(game.seats)}
    kept = [RunningClock(control, now=now[seat]) for seat in range(game.seats)]
    while isinstance(seat := table.turn, int):
        view = table.view()
        reckoning = reckoned(control, view)
        assert reckoning.limit_ms <= kept[seat].clock.limit_ms + 0.1  # each is rounded
        ms = allot(reckoning, decisions_left(game, plies_of(view)))
        with kept[seat]:
            now[seat].pass_by(latest(reckoning, ms) if ms else NO_THOUGHT)
        table.play(table.legal()[0])
    assert all(each.use.overruns == 0 and each.use.decisions for each in kept)


def test_a_bot_reckons_when_it_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = watch(monkeypatch)
    control = Clock(main_ms=60_000)
    bot = kibitz.Bot("flat", iterations=1, clock=control)
    table = CARDS.deal(seed=1)
    bot.act(table.view())
    table.play(table.legal()[0])
    table.play(table.legal()[0])
    bot.act(table.view())
    bot.act(table.view(), clock=Clock(main_ms=7))
    assert [clock for clock, _ in asked] == [control, reckoned(control, table.view()), Clock(main_ms=7)]
    assert asked[1][0].main_ms < 60_000


# ---- matches ----


# In real time, on a small clock; what it is held to are the allotments, not the machine.
def test_every_seat_of_a_match_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given = watch(monkeypatch)
    timed = kibitz.Bot("ismcts", clock=Clock(main_ms=300), name="timed")
    result = kibitz.match(ROUND, [timed, first_legal], games=2, seed=1, progress=False)
    assert not result.errors
    assert given
    assert any(ms > 0 for _, ms in given)
    assert all(ms == 0 or latest(clock, ms) <= clock.limit_ms <= 300 for clock, ms in given)
    for game in result.results:
        assert [use is not None for use in game.clocks] == [bot == 0 for bot in game.seats]
    uses = [use for game in result.results for use in game.clocks if use is not None]
    assert len(uses) == 4
    total = result.entries[0].clock
    assert total is not None
    assert total.decisions == sum(use.decisions for use in uses) >= len(given)
    assert total.used_ms == pytest.approx(sum(use.used_ms for use in uses), abs=0.01)
    assert total.least_ms == min(use.least_ms for use in uses if use.least_ms is not None)
    assert result.entries[1].clock is None
    assert [note for note in result.notes() if note.startswith("timed used ")]


def test_a_bot_over_time_is_told() -> None:
    slow = Slow()
    result = kibitz.match(CARDS, [slow, kibitz.Bot("greedy")], games=2, seed=1, progress=False)
    assert not result.errors
    use = result.entries[0].clock
    assert use is not None
    assert (use.decisions, use.overruns) == (26, 26)
    assert use.least_ms is not None
    assert use.least_ms <= -2
    assert "slow used " in str(result)
    assert "over time in 26 of 26 decisions, by " in str(result)
    document = json.loads(result.to_json())
    assert document["entries"][0]["clock"]["overruns"] == 26
    assert document["results"][0]["clocks"][0]["decisions"] == 13
    assert document["results"][0]["clocks"][1] is None
    assert [clock.main_ms for clock in slow.told] == [1, *[0] * 12] * 2  # a fresh one in each game


def test_a_sweep_does_not_hide_it() -> None:
    found = kibitz.sweep("goofspiel", [Slow(), kibitz.Bot("greedy")], option="cards", values=[3, 4], games=2)
    said = [note for note in found.notes() if "over time in" in note]
    assert [note.split(":")[0] for note in said] == ["cards 3", "cards 4"]


def test_a_match_without_clocks_says_nothing_of_time() -> None:
    result = kibitz.match(CARDS, [kibitz.Bot("greedy"), first_legal], games=2, seed=1, progress=False)
    again = kibitz.match(CARDS, [kibitz.Bot("greedy"), first_legal], games=2, seed=1, progress=False)
    assert all(game.clocks == () for game in result.results)
    assert all(entry.clock is None for entry in result.entries)
    assert not result.clock_notes()
    assert result.to_dict() | {"seconds": 0} == again.to_dict() | {"seconds": 0}


def test_times_are_no_part_of_what_is_compared() -> None:
    bot = kibitz.Bot("greedy", clock=Clock(main_ms=60_000))
    first, second = (kibitz.match(CARDS, [bot, bot], games=2, seed=1, progress=False) for _ in range(2))
    assert first == second
    assert first.entries[0].clock is not None


def breaks(view: kibitz.View) -> str:
    raise ZeroDivisionError


def test_a_game_that_broke_off_keeps_its_times(tmp_path: Path) -> None:
    result = kibitz.match(CARDS, [Slow(), breaks], games=2, seed=1, progress=False)
    assert len(result.errors) == 2
    uses = [use for game in result.results for use in game.clocks if use is not None]
    assert (
        sum(use.decisions for use in uses) == 1
    )  # seat 0 of the first game; in the second it did not come to it
    assert result.entries[0].clock == sum(uses, ClockUse())


def test_a_journal_keeps_the_times(tmp_path: Path) -> None:
    bots = [kibitz.Bot("greedy", clock=Clock(main_ms=60_000)), first_legal]
    first = kibitz.match(CARDS, bots, games=2, seed=1, journal=tmp_path / "j", progress=False)
    again = kibitz.match(CARDS, bots, games=2, seed=1, journal=tmp_path / "j", progress=False)
    assert [game.clocks for game in again.results] == [game.clocks for game in first.results]
    assert again.entries[0].clock == first.entries[0].clock is not None


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_clocks_run_in_other_processes_too() -> None:
    bot = kibitz.Bot("greedy", clock=Clock(main_ms=60_000))
    result = kibitz.match(CARDS, [bot, first_legal], games=4, seed=1, workers=2, progress=False)
    assert result.entries[0].clock is not None
    assert result.entries[0].clock.decisions == 4 * 13


def test_in_a_campaign_every_attempt_has_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = watch(monkeypatch)
    control = Clock(main_ms=3_600_000)
    campaign = kibitz.Campaign(missions=[1, 2], players=3, seed=1)
    campaign.play(kibitz.Bot("flat", iterations=1, clock=control))
    assert sum(clock == control for clock, _ in asked) >= 2 * 3  # each seat's first choice in each attempt
    assert all(clock.limit_ms <= control.limit_ms for clock, _ in asked)
