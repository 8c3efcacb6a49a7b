"""The Crew in the core and in the plain-Python reference, game by game: what `compare.py` runs for it.

At every ply: whose turn it is, the legal texts in order, what each seat sees of the move, the truth, a seat's view,
and at some plies all views and a world sampled from each; after every trick the completed tasks, and which conditions
of the table "When each constraint is decided" hold; at the end the returns.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from kibitz import _core
from reference.thecrew import Reference, Rule, Trick, View, agrees

Options = dict[str, Any]
Condition = tuple[str, str, str]  # row of the table, column, condition

ORDER = ("number out of order", "arrow out of order", "omega too early")
LAST = "after the last trick"
TABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "tasks": {
        "fails": ("wrong winner", *ORDER, "pending after the last trick"),
        "safe": ("all completed",),
    },
    "tasks in the last trick": {
        "fails": ("wrong winner", "omega too early", "pending after the last trick", "completed before it"),
        "safe": ("all completed in it",),
    },
    "tricks_won": {"fails": ("more than max", "fewer than min"), "safe": (LAST,)},
    "win_positions": {
        "fails": ("a listed trick to another seat", "another trick to that seat"),
        "safe": (LAST,),
    },
    "no_winning_suit": {"fails": ("won with the suit",), "safe": (LAST,)},
    "balanced": {"fails": ("gap too wide",), "safe": (LAST,)},
    "winning_value_at_least": {"fails": ("too few left in hands", LAST), "safe": ("count reached",)},
    "winning_value_forbidden": {"fails": ("such a card won",), "safe": ("none left in hands", LAST)},
    "each_card_wins": {"fails": ("another card won", "wrong order", LAST), "safe": ("all have won",)},
    "win_all_of_suit": {"fails": ("to another seat",), "safe": ("none left in hands", LAST)},
}
CONDITIONS: list[Condition] = [
    (row, column, condition)
    for row, columns in TABLE.items()
    for column, conditions in columns.items()
    for condition in conditions
]

TEXTS: dict[int, str] = {}
PHASES = {"tasks": "task", "owners": "lot", "vote": "consent", "distress": "vote", "turn": "turn_up"}
SETUP = (
    "edit",
    "ask",
    "role",
    "draft",
    "owner",
    "offer",
    "vote",
    "distress",
    "give",
    "tasks",
    "task",
    "owners",
)
BEFORE_TRICKS = (*SETUP, "holder", "get")


class Report(NamedTuple):
    """Of some games."""

    steps: int  # decisions and outcomes
    met: Counter[Condition]  # conditions that alone failed a game; of a success all
    fault: str = ""  # the first difference


# --- games to compare ---


def switches(players: int) -> list[Options]:
    """Every combination of the options that do not name the mission."""
    names = ("distress", "radio", "five_pass")
    passing = ("unanimous", "owner_only", "off") if players == 5 else ("unanimous",)
    values = product(("vote", "left", "off", "right"), ("one_round", "until_all_pass", "off"), passing)
    return [dict(zip(names, chosen, strict=True)) for chosen in values]


def cell(games: int, *, first: int = 0, **fixed: Any) -> Iterator[tuple[Options, int, bool]]:
    """So many games of a mission or of tasks: options, seed, whether the seats try to keep the mission alive."""
    place = fixed.get("mission", 0) or fixed.get("tasks", 0)
    found = switches(fixed["players"])
    for i in range(first, first + games):
        yield {**fixed, **found[(i // 2 + place * (games // 2)) % len(found)]}, 1000 * place + i, i % 2 == 1


def run(games: Iterable[tuple[Options, int, bool]]) -> Report:
    """Compares games; stops at the first difference."""
    steps, met = 0, Counter[Condition]()
    for options, seed, alive in games:
        try:
            report = compare(options, seed, alive=alive)
        except (AssertionError, ValueError) as error:
            return Report(steps, met, f"{options} seed {seed} alive {alive}: {error}")
        steps += report.steps
        met += report.met
    return Report(steps, met)


def cells() -> dict[str, list[dict[str, Any]]]:
    """All cells of the command, by title."""
    everywhere = [{"mission": mission} for mission in range(1, 51)]
    tables: dict[str, dict[str, Any]] = {
        f"{players} players": {"players": players} for players in (2, 3, 4, 5)
    }
    tables |= {f"challenge, {players} players": {"players": players, "challenge": True} for players in (2, 3)}
    found = {title: [{**table, **mission} for mission in everywhere] for title, table in tables.items()}
    found["plain tasks"] = [
        {"players": players, "tasks": tasks, "owners": owners}
        for players, tasks, owners in product((2, 3, 4, 5), range(1, 11), ("draft", "random"))
    ]
    return found


def compare_all(pool: Executor, games: int, first: int) -> int:
    """All cells, so many games each, with a line for each title and one for each condition; the number of faults."""
    wrong, met = 0, Counter[Condition]()
    for title, wanted in cells().items():
        begin = time.perf_counter()
        reports = list(pool.map(run, [list(cell(games, first=first, **each)) for each in wanted]))
        faults = [report.fault for report in reports if report.fault]
        met += sum((report.met for report in reports), Counter[Condition]())
        steps, took = sum(report.steps for report in reports), time.perf_counter() - begin
        line = f"{title}: {games * len(wanted)} games, {steps} steps, {took:.0f} s"
        print(line, *faults, sep="\n", flush=True)
        wrong += len(faults)
    for row, column, condition in CONDITIONS:
        print(f"{row}, {column}, {condition}: {met[row, column, condition]}")
    return wrong


@cache
def pair(options: str) -> tuple[_core.Game, Reference]:
    """The two sides of a game with these options, given as JSON."""
    given: Options = json.loads(options)
    own = given.get("own_mission")
    theirs = {key: value for key, value in given.items() if key != "own_mission"}
    return _core.Game("thecrew", given), Reference(**theirs, **({"mission": own} if own else {}))


# --- one game ---


def compare(options: Options, seed: int, *, alive: bool = False, every: int = 5) -> Report:
    """One game. AssertionError at the first difference.

    Args:
        options: Of the core's game.
        seed: Of deal and play.
        alive: Seats look at the truth and avoid what fails the mission in this trick; else they play at random.
        every: All views and a world of each are compared at each so many-th ply.
    """
    game, twin = pair(json.dumps(options))
    rng = _core.Rng(seed, "test compare")
    state = dealt(game, rng)
    start = state.to_dict()
    columns = [text.split("/") for text in start["display"]]
    twin.start(start["hands"], jarvis=start["jarvis"], columns=columns)
    steps = 0
    while True:
        decider = twin.decider()
        nobody = _core.OVER if twin.phase == "over" else _core.CHANCE
        same("turn", state.turn, nobody if decider is None else decider)
        same_truth(state.to_dict(), twin)
        for seat in range(game.seats) if steps % every == 0 else [steps % game.seats]:
            known, view = twin.view(seat), state.view(seat)
            same_view(view.to_dict(), known, twin, start["longest"])
            if steps % every == 0:
                same_facts(view.sample(rng).to_dict(), known, twin)
        if twin.phase == "over":
            same("returns", state.returns(), twin.returns())
            return Report(steps, decided(twin))
        if twin.phase in ("tasks", "owners"):
            state, text, rolls = several(state, twin, rng)
        else:
            state, text, rolls = *one(state, twin, rng, alive=alive), 1
        steps += rolls
        tricks = len(twin.tricks)
        twin.play(text)
        if len(twin.tricks) > tricks:
            same("score", state.score(), [twin.score().completed])
            same_verdict(twin)


def same(what: str, core: object, reference: object) -> None:
    assert core == reference, f"{what}: core {core!r}, reference {reference!r}"


def dealt(game: _core.Game, rng: _core.Rng) -> _core.State:
    """All cards dealt, before the mission's preparation."""
    state = game.blank()
    cards = 30 if game.options["challenge"] else 40
    places = game.options["players"] == 2 or (game.options["players"] == 3 and cards == 40)
    for _ in range(cards + places):
        state = state.play(state.roll(rng))
    return state


def one(state: _core.State, twin: Reference, rng: _core.Rng, *, alive: bool) -> tuple[_core.State, str]:
    """Plays a move or an outcome in the core; its text."""
    game = state.game
    if twin.decider() is None:
        listed = [(text_of(game, code), weight) for code, weight in state.outcomes()]
        # Sorted: of a display, the core's go by column.
        same("outcomes", sorted(listed), sorted(twin.outcomes() or []))
        code = state.roll(rng)
    else:
        same("legal moves", [text_of(game, code) for code in state.moves()], twin.legal())
        code = careful(state, twin, rng) if alive else state.pick(rng)
    text = text_of(game, code)
    for seat in range(game.seats):
        same(f"{text} as seen by {seat}", text_of(game, state.seen(code, seat)), twin.seen(text, seat))
    return state.play(code), text


def several(state: _core.State, twin: Reference, rng: _core.Rng) -> tuple[_core.State, str, int]:
    """Plays a draw of several tasks or owners in the core; the reference's one text for it, and the number of rolls."""
    game, words = state.game, [twin.phase]
    word = "task" if twin.phase == "tasks" else "owner"
    for _ in range(twin.dealing["n"]):
        same("turn", state.turn, _core.CHANCE)
        choices = [str(seat) for seat in range(twin.seats)]
        if word == "task":
            choices = [card for card in twin.deck if card[0] != "R" and card not in words]
        listed = [(text_of(game, code), weight) for code, weight in state.outcomes()]
        same("outcomes", listed, [(f"{word} {choice}", 1) for choice in choices])
        code = state.roll(rng)
        same("seen", {state.seen(code, seat) for seat in range(game.seats)}, {code})
        words.append(text_of(game, code).split(" ")[1])
        state = state.play(code)
    text = " ".join(words)
    same("seen", {text}, {twin.seen(text, seat) for seat in range(twin.seats)})
    return state, text, len(words) - 1


def text_of(game: _core.Game, code: int) -> str:
    """Of a code as often as it is asked for; they mean the same in all games of The Crew."""
    if code not in TEXTS:
        TEXTS[code] = game.move_text(code)
    return TEXTS[code]


def careful(state: _core.State, twin: Reference, rng: _core.Rng) -> int:
    """Looking at the truth, a card with which the mission survives the trick if the others play greedily."""
    moves = state.moves()
    if twin.phase == "radio":
        return moves[0] if rng.below(3) else state.pick(rng)
    if twin.phase in ("draft", "owner", "role", "edit"):
        return state.view(state.turn).greedy(rng)
    if twin.phase != "play" or len(moves) == 1:
        return state.pick(rng)
    after = twin.seats - len(twin.table) - 1
    tries = [state.view(state.turn).greedy(rng), *(moves[rng.below(len(moves))] for _ in range(4))]
    return next((move for move in tries if survives(state.play(move), after, rng)), moves[-1])


def survives(state: _core.State, cards: int, rng: _core.Rng) -> bool:
    """Whether the mission has not failed after so many cards more."""
    for _ in range(cards):
        state = state.play(state.view(state.turn).greedy(rng))
    return state.turn != _core.OVER or state.returns()[0] == 1


# --- the two positions ---


def same_truth(core: dict[str, Any], twin: Reference) -> None:
    same("hands", core["hands"], twin.hands)
    same("display", core["display"], [up + (f"/{down}" if down else "") for up, down in twin.columns])
    same("given", core["given"], twin.given if any(twin.given) else [])
    gave = twin.draws[-1][1] if twin.draws else []
    same("drawn", core["drawn"], [*gave, *[""] * (twin.seats - len(gave))] if gave else [])


def same_view(core: dict[str, Any], view: View, twin: Reference, longest: int | None) -> None:
    """The core's fields of a view against the reference's."""
    statements = [""] * twin.seats
    for said in view["statements"]:
        kind = "" if said["kind"] == "dead" else f"{said['kind']} "
        statements[said["seat"]] = f"{said['card']} {kind}{said['trick']}"
    gave = view["draws"][-1]["gave"] if view["draws"] else []
    since = view["draws"][-1]["trick"] if gave and all(gave) else 99
    turned = [card for trick, _, card in view["turned"] if trick >= since]
    under_way = [view["table"]] if view["table"] else []
    expected = {
        "hand": view["hand"],
        "commander": view["commander"],
        "longest": longest,
        "jarvis": view["jarvis"],
        "display": [column.replace("x", "/x") for column in view["columns"]],
        "tasks": [f"{task['card']} {task['token']}".rstrip() for task in view["tasks"]],
        "owners": [task["owner"] for task in view["tasks"]],
        "S1": view["roles"].get("S1"),
        "S2": view["roles"].get("S2"),
        "distress": view["direction"],
        "given": view["given"] if any(view["given"]) else [],
        "statements": statements if any(statements) else [],
        "tricks": [list(trick.cards) for trick in view["tricks"]] + under_way,
        "drawn": gave if any(gave) else [],
        "turned": sorted(turned, key=twin.deck.index),
        "phase": PHASES.get(view["phase"], view["phase"]),
        "actor": view["to_move"],
        "step": twin.steps_done - 1 if view["phase"] in BEFORE_TRICKS else len(twin.mission["setup"]),
        "count": how_far(twin),
        "replies": replies(twin),
        "spoke": view["phase"] == "radio" and twin.spoke,
        "offer": offer(twin),
    }
    if core != expected:
        for key in core.keys() | expected.keys():
            same(f"{key} of seat {view['seat']}", core.get(key), expected.get(key))


def how_far(twin: Reference) -> int:
    """Tasks drawn where they come one by one, distress cards told, cards drawn."""
    if twin.phase == "get":
        return twin.gets
    if twin.phase == "draw":
        return len(twin.draws[-1][1])
    one_by_one = twin.step["step"] == "distribute" and twin.phase in ("task", "ask", "owner")
    return len(twin.tasks) if one_by_one else 0


def replies(twin: Reference) -> list[str]:
    """Answers and votes that lie on the table: of this question, or of the last until another is put."""
    words = [""] * twin.seats
    if twin.phase == "distress":
        words = twin.votes
    elif twin.phase == "vote":
        words = twin.offers[-1]["votes"]
    elif twin.phase == "ask":
        waiting = [twin.turn, *twin.queue]
        words = [given[-1] if given and i not in waiting else "" for i, given in enumerate(twin.answers)]
    elif (
        twin.phase in SETUP
        and twin.phase != "give"
        and (twin.phase != "offer" or twin.turn == twin.commander)
    ):
        words = [given[-1] if given else "" for given in twin.answers]
    return words if any(words) else []


def offer(twin: Reference) -> str:
    """The task offered and to whom; the owner named for unseen tasks."""
    if twin.phase == "vote":
        return f"{twin.offers[-1]['card']} {twin.offers[-1]['to']}"
    return f"- {twin.named}" if twin.phase == "tasks" and twin.named is not None else ""


def same_facts(world: dict[str, Any], view: View, twin: Reference) -> None:
    """A sampled world has hands that the reference's facts allow, and this seat's own."""
    for seat, hand in enumerate(world["hands"]):
        if seat == view["seat"]:
            same("own hand of a world", hand, view["hand"])
        elif seat != twin.jarvis:
            assert agrees(view["facts"], seat, hand), f"{hand} at {seat} in a world of {view['seat']}"
    if twin.jarvis is not None:
        down = [text.split("/")[1] for text in world["display"] if "/" in text]
        assert agrees(view["facts"], twin.jarvis, down), f"{down} face down in a world of {view['seat']}"


# --- what a trick decides, by the words of the table ---


def same_verdict(twin: Reference) -> None:
    fails, safe = verdicts(twin)
    if fails:
        assert (twin.phase, twin.result) == ("over", 0), fails
    elif all(safe):
        assert (twin.phase, twin.result) == ("over", 1), safe
    else:
        assert twin.phase != "over"


def decided(twin: Reference) -> Counter[Condition]:
    """Of a failure its condition if it is the only one; of a success all."""
    fails, safe = verdicts(twin)
    if fails:
        return Counter(fails if len(fails) == 1 else [])
    return Counter(condition for rule in safe for condition in rule)


def verdicts(twin: Reference) -> tuple[list[Condition], list[list[Condition]]]:
    """Conditions that fail the mission after this trick, and for every constraint those that make it safe."""
    fails: list[Condition] = []
    safe: list[list[Condition]] = []
    for rule in twin.constraints:
        row = "tasks in the last trick" if rule.get("completion") == "last_trick" else rule["type"]
        failing, saving = (_tasks if rule["type"] == "tasks" else _others)(twin, rule, twin.tricks[-1])
        fails += [(row, "fails", condition) for condition in failing]
        safe.append([(row, "safe", condition) for condition in saving])
    return fails, safe


def _tasks(twin: Reference, rule: Rule, trick: Trick) -> tuple[list[str], list[str]]:
    pending = [task["token"] for task in twin.tasks if task["state"] == "pending"]
    completed = [task["token"] for task in twin.tasks if task["state"] == "completed"]
    failed = len(pending) + len(completed) < len(twin.tasks)
    last = len(twin.tricks) == twin.last
    fails = ["wrong winner"] if failed else []
    broken = zip(ORDER, orders(pending, completed), strict=True)
    fails += [condition for condition, out_of_order in broken if out_of_order]
    if last and pending:
        fails.append("pending after the last trick")
    all_done = not pending and not failed
    if rule["completion"] == "last_trick":
        if all_done and not last:
            fails.append("completed before it")
        return fails, ["all completed in it"] if all_done and last else []
    return fails, ["all completed"] if all_done else []


def orders(pending: list[str], completed: list[str]) -> tuple[bool, bool, bool]:
    """Whether the numbers, the arrows, omega are out of order."""
    numbers = [token for token in pending if token in tuple("12345")]
    return (
        any(token not in tuple("12345") or token > number for number in numbers for token in completed),
        any(late > early for early in pending for late in completed if early[:1] == late[:1] == "a"),
        "omega" in completed and bool(pending),
    )


def _others(twin: Reference, rule: Rule, trick: Trick) -> tuple[list[str], list[str]]:
    """All constraints but tasks."""
    name, last = rule["type"], len(twin.tricks) == twin.last
    at_end = [LAST] if last else []
    mine = "who" in rule and trick.winner == twin.seat_of(rule["who"])
    if name == "tricks_won":
        won = twin.won[twin.seat_of(rule["who"])]
        few = ["fewer than min"] if last and won < rule["min"] else []
        return (["more than max"] if won > rule["max"] else few), at_end
    if name == "win_positions":
        listed = len(twin.tricks) in rule["tricks"] or (last and -1 in rule["tricks"])
        if listed:
            return ([] if mine else ["a listed trick to another seat"]), at_end
        return (["another trick to that seat"] if mine and rule["exclusive"] else []), at_end
    if name == "no_winning_suit":
        return (["won with the suit"] if mine and trick.top[0] == rule["suit"] else []), at_end
    if name == "balanced":
        return (["gap too wide"] if max(twin.won) > min(twin.won) + rule["max_gap"] else []), at_end
    if name == "win_all_of_suit":
        pink = [card for card in trick.cards if card[0] == rule["suit"]]
        gone = not any(card[0] == rule["suit"] for card in twin.left)
        safe = ["none left in hands"] if gone else at_end
        return (["to another seat"] if pink and not mine else []), safe
    if name == "each_card_wins":
        tops = [each.top for each in twin.tricks]
        missing = [card for card in rule["cards"] if card not in tops]
        lost = [card for card in trick.cards if card in rule["cards"] and card != trick.top]
        early = trick.top in rule["cards"] and any(card < trick.top for card in missing)
        fails = ["another card won"] if lost else []
        if early and rule["order"] == "ascending":
            fails.append("wrong order")
        return (fails or ([LAST] if last and missing else [])), ([] if missing else ["all have won"])
    cards = {f"{suit}{rule['value']}" for suit in rule["suits"]}
    if name == "winning_value_forbidden":
        fails = ["such a card won"] if trick.top in cards else []
        return fails, (at_end if cards & twin.left else ["none left in hands"])
    assert name == "winning_value_at_least"
    counted = sum(each.top in cards for each in twin.tricks)
    if counted >= rule["count"]:
        return [], ["count reached"]
    if counted + len(cards & twin.left) < rule["count"]:
        return ["too few left in hands"], []
    return ([LAST] if last else []), []
