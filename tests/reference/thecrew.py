"""The Crew: The Quest for Planet Nine in plain Python, from the rules page alone, to check the fast core against.

A card is a text "B1".."R4", a seat a number, a hand a list in the order of the card index (DECK). Rulings are named as
on the page: S6, R14, A7, "JARVIS". Missions are data: one of the fifty in tests/data/thecrew.json, a dict in the same
closed vocabulary, or plain tasks.

What the page leaves open is settled here as follows.

Order of legal moves. Cards, `take`, `give`: by card index. Radio: `quiet`, then `say` by card index. Votes: `none left
right any`, `yes no`. Replies: as the mission lists them (first_four is spoken `first`). `S1 2`, `owner 2`: by seat.
`keep` before edits and offers; `swap A B` has A before B in the card index; `move 1 B5` goes by token (1..5, a1..a4,
omega), then card; `offer B4 2` by card, then seat.

Chance. One text a draw, all outcomes equally likely. `tasks P3 B9` in drawn order: at its place in the setup if face
up, after `owner` if unseen (CD). `task P3` each time one is offered (CX). `owners 2 0 1` after `tasks` with
owners="random": an owner a task in drawn order, each uniform over the seats. `holder 2` in mission 46. `get B1` a
receiver, clockwise from the commander's left, the commander last. `draw B2` a giver, in seat order from seat 0.
`turn Y3` for the card below JARVIS's card of the trick, after any draws, before the radio, not after the last trick.

Exchanges. Hands stay as they are until the last `get` or `draw`; then all cards move at once.

Questions. A seat without a task is asked for an offer and can only `keep`. A seat with a red token has no radio
decision, and a radio phase in which no token is green is no phase.

Masks. `give x` for all but the giver; `get x` and `draw x` for all but giver and receiver. JARVIS's display is face up:
`get` of its card, or of a card for it, is public; the commander, who chooses, sees its `give`. Nobody sees the
face-down card drawn from JARVIS but its receiver, nor one that it draws but its giver, and the place in the display
is no part of the text, so nobody knows that. JARVIS's own seat, in `seen` and `view`, has the public's eyes.

JARVIS. `actor()` is the seat whose cards or tasks are concerned, so JARVIS's own for its card plays, draft picks and
gives; `decider()` is the commander then. A column is a pair: face-up card, face-down card.

>>> game = Reference(4, mission=2, distress="off")
>>> hands = ["B1B3G1G3G5P1P5Y1Y3Y9", "B4B6G2G6P2P4Y2Y4Y7R2", "B2B5B7G4G8P3P9R1R4Y6", "B8B9G7G9P6P7P8Y5Y8R3"]
>>> game.start(hands)
>>> game.play("tasks P3 B9")
>>> game.actor(), game.legal()
(2, ['take B9', 'take P3'])
>>> for text in ["take B9", "take P3", "say P3 lowest", "quiet", "quiet", "quiet", "P3"]:
...     game.play(text)
>>> game.play("Y8")
Traceback (most recent call last):
ValueError: S6: 'Y8' (seat 3, play); legal: P6 P7 P8
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict

COLOURS = "BGPY"
SUITS = COLOURS + "R"
DECK = [f"{suit}{value}" for suit in COLOURS for value in range(1, 10)] + ["R1", "R2", "R3", "R4"]
CHALLENGE_DECK = [card for card in DECK if card[0] != "G" and card != "R1"]
INDEX = {card: i for i, card in enumerate(DECK)}
VALUE = {card: int(card[1]) for card in DECK}
TOKENS = ["1", "2", "3", "4", "5", "a1", "a2", "a3", "a4", "omega"]
SPOKEN = {"good": "good", "bad": "bad", "yes": "yes", "no": "no"} | {
    "first_four": "first",
    "between": "between",
    "last": "last",
}
MAX_TASKS = 10  # an engine bound; no mission has more
LISTED = 40  # as many outcomes are listed, more are not
CHANCE = ("tasks", "task", "owners", "holder", "get", "draw", "turn")
DATA = Path(__file__).parents[1] / "data" / "thecrew.json"

Mission = Mapping[str, Any]
Rule = Mapping[str, Any]  # one constraint
Verdict = Literal["failed", "safe", "open"]


def tricks_of(players: int, challenge: bool = False) -> int:
    """T: tricks in a whole attempt."""
    return 10 if challenge else {2: 13, 3: 13, 4: 10, 5: 8}[players]


# --- what a seat may know ---


class Task(TypedDict):
    card: str
    token: str  # "" without
    owner: int | None
    state: str  # pending, completed, failed


class Trick(NamedTuple):
    leader: int
    cards: tuple[str, ...]  # from the leader clockwise
    winner: int
    top: str  # the winning card


class Statement(TypedDict):
    """A card shown by radio."""

    seat: int
    card: str
    kind: str  # highest, lowest, only; "dead" in a dead zone
    trick: int  # shown before it
    in_hand: bool  # not played yet


class Offer(TypedDict):
    """A task offered under the five-player rule."""

    card: str
    seat: int
    to: int
    votes: list[str]  # by seat, "" without


class Facts(TypedDict):
    """Hard facts about hands at one time; the lists are by seat. Nothing is concluded from two of them together.

    A seat's own hand, JARVIS's face-up cards and played cards are left out of `held`.
    """

    held: dict[
        str, list[int]
    ]  # card -> the seats one of which has it: R4, P9 announced, shown, passed, drawn
    voids: list[list[str]]  # suits not followed: none left
    bounds: list[dict[str, tuple[int, int]]]  # suit -> no card outside these values
    needs: list[dict[str, tuple[int, int]]]  # suit -> some card within these values, not played since
    one_side: list[dict[str, int]]  # suit -> not both a higher and a lower card than this (dead zone)


class Draw(TypedDict):
    """The exchange of mission 12, done or (phase draw, last of the list) going on.

    `facts` held before the cards moved. They bind a hand after it but for the one card received, and but for the
    one gone: a void means at most the card received, a bound that all other cards keep it, a need may have gone,
    and a card of `held` is with its seat or, unless under a radio token, with the left neighbour.
    """

    trick: int  # after it
    gave: list[str]  # by seat: the card if this seat knows it, else "x"; "" not drawn yet
    shown: list[str]  # cards under radio tokens, not to be drawn
    facts: Facts


class View(TypedDict):
    """What one seat may know: its own cards and the public record."""

    seat: int
    # Decisions: edit ask role draft owner offer vote distress give radio play; chance: tasks task owners holder get
    # draw turn; over.
    phase: str
    to_move: int | None  # None: chance, or over
    hand: list[str]
    sizes: list[int]  # with JARVIS's whole display
    commander: int
    jarvis: int | None
    columns: list[str]  # JARVIS: "B4x" B4 on a face-down card, "B4", "x" about to be turned up, ""
    challenge: bool
    tasks: list[Task]  # revealed ones, drawn order
    roles: dict[str, int]
    holder: int | None  # announced (mission 46)
    answers: list[list[str]]  # by seat, all of them in order
    offers: list[Offer]  # the last one is voted on in phase vote
    votes: list[str]  # distress, by seat, "" without
    direction: str  # of the distress signal: left, right, "" not sent
    given: list[str]  # distress, by seat: the card if this seat knows it, else "x"; "" not given
    trick: int  # being prepared or played; after a trick until the next radio phase, that one; 0 before
    leader: int  # of this trick; after it, of the next
    table: list[str]  # from the leader clockwise
    tricks: list[Trick]
    turned: list[tuple[int, int, str]]  # JARVIS: after which trick, column, card
    won: list[int]  # tricks by seat
    tokens: list[str]  # radio, by seat: green, shown (lies on a card), red, none (JARVIS)
    statements: list[Statement]
    facts: Facts  # now
    draws: list[Draw]


class World(TypedDict):
    """What a view hides, one way it may be."""

    hands: list[list[str]]  # by seat, the viewer's own too; none for JARVIS
    columns: list[str]  # as in the view, with the face-down cards
    given: list[str]  # by seat, in phases give, get, draw: the card about to move, still in its hand; else ""


class Score(NamedTuple):
    completed: int  # tasks
    tricks: list[int]  # won, by seat


# --- missions ---


@cache
def missions() -> dict[int, Mission]:
    """The fifty, by number."""
    return {mission["id"]: mission for mission in json.loads(DATA.read_text(encoding="utf-8"))["missions"]}


def plain(tasks: int, owners: str = "draft") -> Mission:
    """So many tasks without tokens and no other condition."""
    return {
        "setup": [
            {"step": "deal_tasks", "n": tasks, "tokens": [], "reveal": "all"},
            {"step": "draft" if owners == "draft" else "random_owners"},
            {"step": "distress"},
        ],
        "constraints": [{"type": "tasks", "completion": "any_trick"}],
    }


Check = Callable[[Any], bool]


def _one_of(*values: object) -> Check:
    return lambda given: any(
        given is value or (given == value and type(given) is type(value)) for value in values
    )


def _list_of(values: Sequence[object], least: int = 1) -> Check:
    def check(given: Any) -> bool:
        return (
            isinstance(given, list)
            and len(given) >= least
            and all(_one_of(*values)(value) for value in given)
            and len(set(given)) == len(given)
        )

    return check


# The closed vocabulary: every field of every entry, and what it may be.
ROLE, WHO = _one_of("S1", "S2"), _one_of("commander", "S1", "S2")
REPLIES = _list_of(list(SPOKEN))
COUNT = _one_of(*range(14))
YES_NO = _one_of(False, True)
STEPS: dict[str, dict[str, Check]] = {
    "deal_tasks": {
        "n": _one_of(*range(1, MAX_TASKS + 1)),
        "tokens": _list_of(TOKENS, least=0),
        "reveal": _one_of("all", "after_assignment", "one_by_one"),
    },
    "edit_tokens": {"kind": _one_of("swap_two", "move_one")},
    "ask": {"replies": REPLIES},
    "pick_role": {
        "role": ROLE,
        "candidates": _one_of("not_commander", "all", "all_but_S1"),
        "jarvis": YES_NO,
    },
    "mute": {"role": ROLE},
    "draft": {},
    "assign_all": {"candidates": _one_of("not_commander")},
    "distribute": {"replies": REPLIES, "candidates": _one_of("even_quota")},
    "announce_holder": {"card": _one_of(*DECK), "role": ROLE, "seat": _one_of("left_of_holder")},
    "five_pass": {},
    "distress": {},
}
CONSTRAINTS: dict[str, dict[str, Check]] = {
    "tasks": {"completion": _one_of("any_trick", "last_trick")},
    "tricks_won": {"who": WHO, "min": COUNT, "max": COUNT},
    "win_positions": {"who": WHO, "tricks": _list_of([-1, *range(1, 14)]), "exclusive": YES_NO},
    "no_winning_suit": {"who": WHO, "suit": _one_of(*SUITS)},
    "balanced": {"max_gap": COUNT},
    "winning_value_at_least": {"value": _one_of(*range(1, 10)), "suits": _list_of(SUITS), "count": COUNT},
    "winning_value_forbidden": {"value": _one_of(*range(1, 10)), "suits": _list_of(SUITS)},
    "each_card_wins": {"cards": _list_of(DECK), "order": _one_of("any", "ascending")},
    "win_all_of_suit": {"who": WHO, "suit": _one_of(*SUITS)},
}
EFFECTS: dict[str, dict[str, Check]] = {"draw_from_right": {"after_trick": _one_of(*range(1, 14))}}
COMMUNICATION: dict[str, Check] = {
    "mode": _one_of("normal", "dead_zone"),
    "from_trick": _one_of(*range(1, 14)),
}
DESCRIPTION = ("id", "summary", "tasks", "tokens", "assignment", "five_player_rule", "draft_counts", "quota")
ASSIGNMENT = {"all": "draft", "after_assignment": "assign_all", "one_by_one": "distribute"}


def check_mission(mission: Mission, players: int = 4, *, challenge: bool = False) -> None:
    """ValueError, if a mission is not of the closed vocabulary or not playable. Its description is not read."""
    for key in mission:
        if key not in ("setup", "constraints", "effects", "communication", *DESCRIPTION):
            raise ValueError(f"mission: no entry {key!r}")
    for key in ("setup", "constraints"):
        if not isinstance(mission.get(key), list):
            raise ValueError(f"mission: {key} is a list, and not to be left out")
    _check_fields("communication", mission.get("communication", NORMAL), COMMUNICATION)
    for step in mission["setup"]:
        _check_entry("step", step, STEPS)
    for rule in mission["constraints"]:
        _check_entry("type", rule, CONSTRAINTS)
    for effect in mission.get("effects", []):
        _check_entry("effect", effect, EFFECTS)
    roles = _check_setup(mission["setup"], challenge)
    _check_constraints(mission, roles, players, challenge)

    last = tricks_of(players, challenge) - 2  # every hand then has a card that lies under no token
    if players == 2:
        last = min(last, 5 if challenge else 7)  # and JARVIS one face down
    after = [effect["after_trick"] for effect in mission.get("effects", [])]
    if len(set(after)) < len(after) or any(trick > last for trick in after):
        raise ValueError(
            f"mission: draw_from_right once after a trick, the latest {last} of {players} players"
        )


def _check_entry(kind: str, entry: Any, known: dict[str, dict[str, Check]]) -> None:
    if not isinstance(entry, Mapping) or entry.get(kind) not in tuple(known):
        raise ValueError(f"mission: {entry!r} has no {kind} of {', '.join(known)}")
    _check_fields(
        entry[kind], {name: value for name, value in entry.items() if name != kind}, known[entry[kind]]
    )


def _check_fields(what: str, given: Any, fields: dict[str, Check]) -> None:
    if not isinstance(given, Mapping) or set(given) != set(fields):
        raise ValueError(f"mission: {what} has the fields {', '.join(fields) or '(none)'}, not {given!r}")
    for name, check in fields.items():
        if not check(given[name]):
            raise ValueError(f"mission: {what}: {name} cannot be {given[name]!r}")


def _check_setup(steps: Sequence[Mapping[str, Any]], challenge: bool) -> set[str]:
    """The order of the steps; the roles they name."""
    roles = {"commander"}
    done: list[str] = []
    dealt: Mapping[str, Any] | None = None
    owned = False
    for step in steps:
        name = step["step"]
        fault = ""
        if name in done and name not in ("ask", "pick_role", "mute", "announce_holder"):
            fault = "comes twice"
        elif "distress" in done:
            fault = "comes after distress"
        elif name == "deal_tasks":
            dealt = step
            if len(step["tokens"]) > step["n"]:
                fault = "has more tokens than tasks"
        elif name == "edit_tokens":
            if dealt is None or dealt["reveal"] != "all" or owned:
                fault = "needs face-up tasks without owner"
        elif name in ASSIGNMENT.values():
            if dealt is None or ASSIGNMENT[dealt["reveal"]] != name or owned:
                fault = "needs tasks that are dealt for it"
            owned = True
        elif name == "five_pass" and not owned:
            fault = "needs tasks with owners"
        elif name in ("pick_role", "announce_holder"):
            if step["role"] in roles:
                fault = f"names {step['role']} twice"
            if step.get("candidates") == "all_but_S1" and "S1" not in roles:
                fault = "needs an S1"
            if challenge and step.get("card", "R4") not in CHALLENGE_DECK:
                fault = f"names {step['card']}, which is no card of the challenge mode"
            roles.add(step["role"])
        elif name == "mute" and step["role"] not in roles:
            fault = f"needs {step['role']}"
        if fault:
            raise ValueError(f"mission: {name} {fault}")
        done.append(name)
    if dealt is not None and not owned:
        raise ValueError(f"mission: deal_tasks needs {ASSIGNMENT[dealt['reveal']]}")
    return roles


def _check_constraints(mission: Mission, roles: set[str], players: int, challenge: bool) -> None:
    rules = mission["constraints"]
    has_tasks = any(step["step"] == "deal_tasks" for step in mission["setup"])
    if not rules or [rule["type"] for rule in rules].count("tasks") != has_tasks:
        raise ValueError("mission: constraints, with tasks just once if tasks are dealt")
    for rule in rules:
        fault = ""
        if rule.get("who", "commander") not in roles:
            fault = f"needs {rule['who']}"
        if any(trick > tricks_of(players, challenge) for trick in rule.get("tricks", [])):
            fault = f"names a trick after the last with {players} players"
        if rule.get("min", 0) > rule.get("max", 0):
            fault = "has min above max"
        if rule.get("order") == "ascending" and rule["cards"] != sorted(rule["cards"], key=INDEX.__getitem__):
            fault = "lists its cards out of order"
        if challenge and "cards" in rule and not set(rule["cards"]) & set(CHALLENGE_DECK):
            fault = "has no card of the challenge mode"
        if fault:
            raise ValueError(f"mission: {rule['type']} {fault}")


NORMAL: Mapping[str, Any] = {"mode": "normal", "from_trick": 1}


# --- the game ---


class Reference:
    """One attempt, from the dealt hands to success or failure."""

    def __init__(
        self,
        players: int,
        *,
        mission: int | Mission | None = None,
        tasks: int | None = None,
        owners: str = "draft",
        challenge: bool = False,
        distress: str = "vote",
        radio: str = "one_round",
        five_pass: str = "unanimous",
    ) -> None:
        """`mission`: a number (1 if nothing is said) or a dict; or `tasks`: that many plain ones."""
        allowed: list[tuple[str, object, tuple[object, ...]]] = [
            ("players", players, (2, 3, 4, 5)),
            ("tasks", tasks, (None, *range(1, MAX_TASKS + 1))),
            ("owners", owners, ("draft", "random")),
            ("challenge", challenge, (False, True) if players < 4 else (False,)),
            ("distress", distress, ("vote", "off", "left", "right")),
            ("radio", radio, ("one_round", "until_all_pass", "off")),
            ("five_pass", five_pass, ("unanimous", "owner_only", "off")),
        ]
        if not isinstance(mission, Mapping):
            allowed.append(("mission", mission, (None, *missions())))
        for name, given, values in allowed:
            if not _one_of(*values)(given):
                raise ValueError(f"{name}={given!r}; allowed: {', '.join(map(str, values))}")
        if (tasks is not None and mission is not None) or (tasks is None and owners != "draft"):
            raise ValueError("tasks=n stands instead of a mission; owners belongs to it")
        if tasks is not None:
            self.mission = plain(tasks, owners)
        else:
            self.mission = mission if isinstance(mission, Mapping) else missions()[mission or 1]
            check_mission(self.mission, players, challenge=challenge)
        self.players, self.challenge = players, challenge
        self.distress, self.radio, self.five_pass = distress, radio, five_pass
        self.seats = max(players, 3)
        self.last = tricks_of(players, challenge)
        self.deck = CHALLENGE_DECK if challenge else DECK
        self.dead_zone = self.mission.get("communication", NORMAL)["mode"] == "dead_zone"
        self.from_trick: int = self.mission.get("communication", NORMAL)["from_trick"]
        self.constraints: list[Rule] = [self._in_deck(rule) for rule in self.mission["constraints"]]
        self.draws_after = [effect["after_trick"] for effect in self.mission.get("effects", [])]
        self.dealing: Mapping[str, Any] = next(
            (step for step in self.mission["setup"] if step["step"] == "deal_tasks"), {"n": 0, "tokens": []}
        )
        self.phase = "over"
        self._clear([[] for _ in range(self.seats)], None, [])

    def _in_deck(self, rule: Rule) -> Rule:
        """Without the cards that the challenge mode removes."""
        if "cards" not in rule:
            return rule
        return {**rule, "cards": [card for card in rule["cards"] if card in self.deck]}

    def _clear(self, hands: list[list[str]], jarvis: int | None, columns: list[list[str]]) -> None:
        n = self.seats
        self.hands = hands  # JARVIS's is empty
        self.jarvis = jarvis
        self.columns = columns  # [face up, face down], "" for none
        self.dealt_up = [column[0] for column in columns]
        self.left = {card for cards in hands + columns for card in cards if card}  # not played
        self.has_r4 = "R4" in self.left  # not in every example
        self.commander = next((seat for seat, hand in enumerate(hands) if "R4" in hand), 0)

        self.step: Mapping[str, Any] = {}  # of the setup
        self.steps_done = 0
        self.turn = self.commander
        self.queue: list[int] = []  # to be asked after `turn`
        self.voters: list[int] = []  # on an offer
        self.tasks: list[Task] = []
        self.named: int | None = None  # the owner of unseen tasks
        self.roles: dict[str, int] = {}
        self.announced: tuple[str, int] | None = None
        self.answers: list[list[str]] = [[] for _ in range(n)]
        self.offers: list[Offer] = []
        self.votes = [""] * n
        self.direction = ""
        self.given = [""] * n  # distress
        self.gets = 0  # receivers told
        self.passed = False  # the distress cards have moved

        self.before = 0  # tricks before the position given
        self.number = 0  # of the trick
        self.leader = self.commander
        self.table: list[str] = []
        self.tricks: list[Trick] = []
        self.won = [0] * n
        self.tokens = ["none" if seat == jarvis else "green" for seat in range(n)]
        self.shown = [""] * n  # cards under radio tokens
        self.statements: list[tuple[int, str, str, int]] = []
        self.spoke = False  # somebody did, in this round
        self.draws: list[tuple[int, list[str]]] = []  # after which trick, cards by giver so far
        self.turning: int | None = None  # the column whose lower card comes up
        self.turned: list[tuple[int, int, str]] = []
        self.result = 0

    def copy(self) -> "Reference":
        """The same attempt, to be played on apart."""
        twin = copy.copy(self)
        twin.hands = [hand[:] for hand in self.hands]
        twin.columns = [column[:] for column in self.columns]
        twin.left = set(self.left)
        twin.queue, twin.voters = self.queue[:], self.voters[:]
        twin.tasks = [task.copy() for task in self.tasks]
        twin.roles = dict(self.roles)
        twin.answers = [given[:] for given in self.answers]
        twin.offers = [{**offer, "votes": offer["votes"][:]} for offer in self.offers]
        twin.votes, twin.given = self.votes[:], self.given[:]
        twin.table, twin.tricks, twin.won = self.table[:], self.tricks[:], self.won[:]
        twin.tokens, twin.shown, twin.statements = self.tokens[:], self.shown[:], self.statements[:]
        twin.draws = [(trick, gave[:]) for trick, gave in self.draws]
        twin.turned = self.turned[:]
        return twin

    # --- setting up ---

    def start(
        self,
        hands: Sequence[str | Sequence[str]],
        tasks: str | Sequence[str] | None = None,
        *,
        jarvis: int | None = None,
        columns: Sequence[str | Sequence[str]] = (),
    ) -> None:
        """The dealt hands, as "B1B2" or ["B1", "B2"]; the holder of R4 is the commander.

        `tasks`: the outcome of a face-up draw that comes first, played at once. `jarvis`: its seat, 1 or 2, with an
        empty hand and `columns` of a face-up and a face-down card.
        """
        held, lying = [_cards(hand) for hand in hands], [_cards(column) for column in columns]
        if sorted(card for cards in held + lying for card in cards) != sorted(self.deck):
            raise ValueError(f"Setup: the {len(self.deck)} cards of the deck, each once")
        sizes = [len(hand) for hand in held]
        if self.players == 2:
            if jarvis not in (1, 2):
                raise ValueError("Setup: JARVIS sits at seat 1 or 2")
            size = 10 if self.challenge else 13
            wanted = [0 if seat == jarvis else size for seat in range(3)]
            if (
                sizes != wanted
                or {len(column) for column in lying} != {2}
                or not any("R4" in hand for hand in held)
            ):
                raise ValueError(
                    f"Setup: the humans have {size} cards, R4 among them; JARVIS has columns of two"
                )
        elif jarvis is not None or columns:
            raise ValueError("Setup: JARVIS is for 2 players")
        else:
            spare = len(self.deck) - self.last * self.seats
            if sorted(sizes) != [self.last] * (self.seats - spare) + [self.last + 1] * spare:
                raise ValueError(
                    f"Setup: {self.last} cards a hand, {spare} of {self.seats} hands with one more"
                )
        self._clear([sorted(hand, key=INDEX.__getitem__) for hand in held], jarvis, lying)
        self._advance()
        if tasks is not None:
            self.play("tasks " + " ".join(_cards(tasks)))

    def place(
        self,
        hands: Sequence[str | Sequence[str]],
        *,
        leader: int,
        commander: int = 0,
        tasks: Sequence[tuple[str, str, int]] = (),
        roles: Mapping[str, int] | None = None,
        trick: int = 1,
        won: Sequence[int] | None = None,
        jarvis: int | None = None,
        columns: Sequence[str | Sequence[str]] = (),
    ) -> None:
        """A position before a trick, for examples: the setup is done, the cards left out have been played.

        `tasks`: card, token, owner. A column may have two cards, one or none, the face-up one first.
        """
        lying = [[*_cards(column), "", ""][:2] for column in columns]
        self._clear([sorted(_cards(hand), key=INDEX.__getitem__) for hand in hands], jarvis, lying)
        self.commander, self.leader = commander, leader
        self.tasks = [
            Task(card=card, token=token, owner=owner, state="pending") for card, token, owner in tasks
        ]
        self.roles = dict(roles or {})
        self.won = list(won or self.won)
        self.before = self.number = trick - 1
        self._open_trick()

    def _advance(self) -> None:
        """Go on with the setup until somebody is asked or something drawn; then to trick 1."""
        steps = self.mission["setup"]
        while self.steps_done < len(steps):
            self.step = steps[self.steps_done]
            self.steps_done += 1
            if self._enter(self.step["step"]):
                return
        self._open_trick()

    def _enter(self, name: str) -> bool:
        """Begin a step of the setup; whether it waits."""
        commander = [self.commander]
        if name == "deal_tasks":
            return self.step["reveal"] == "all" and self._begin("tasks", commander)
        if name == "random_owners":
            return self._begin("owners", commander)
        if name == "edit_tokens":
            return self._begin("edit", commander)
        if name == "ask":
            return self._begin("ask", self._asked())
        if name == "pick_role":
            return self._begin("role", commander)
        if name == "mute":
            seat = self.roles[self.step["role"]]
            if seat != self.jarvis:
                self.tokens[seat] = "red"
            return False
        if name == "draft":
            return self._begin("draft", self._clockwise(self.commander))
        if name == "assign_all":
            return self._begin("owner", commander)
        if name == "distribute":
            return self._begin("task", commander)
        if name == "announce_holder":
            return self._begin("holder", commander)
        if name == "five_pass":
            return (
                self.seats == 5
                and self.five_pass != "off"
                and self._begin("offer", self._clockwise(self.commander))
            )
        assert name == "distress"
        if self.distress == "vote":
            return self._begin(
                "distress", [seat for seat in self._clockwise(self.commander) if seat != self.jarvis]
            )
        return self.distress != "off" and self._send(self.distress)

    def _begin(self, phase: str, seats: list[int]) -> bool:
        self.phase = phase
        self.turn, *self.queue = seats
        return True

    def _clockwise(self, first: int) -> list[int]:
        return [(first + i) % self.seats for i in range(self.seats)]

    def _asked(self) -> list[int]:
        """Clockwise from the commander's left, neither the commander nor JARVIS."""
        return [seat for seat in self._clockwise(self.commander)[1:] if seat != self.jarvis]

    def _send(self, direction: str) -> bool:
        """Send the distress signal."""
        self.direction = direction
        return self._begin("give", self._clockwise(self.commander))

    # --- questions ---

    def actor(self) -> int | str | None:
        """The seat whose cards or tasks are to be decided on, "chance", or None when the attempt is over."""
        if self.phase == "over":
            return None
        return "chance" if self.phase in CHANCE else self.turn

    def decider(self) -> int | None:
        """The seat that decides: the commander for JARVIS. None for chance, or when over."""
        if self.phase == "over" or self.phase in CHANCE:
            return None
        return self.commander if self.turn == self.jarvis else self.turn

    def returns(self) -> list[int]:
        """1 for every seat after a success, else 0; all 0 before the end."""
        return [self.result] * self.seats

    def score(self) -> Score:
        """Completed tasks and tricks won so far."""
        return Score(sum(task["state"] == "completed" for task in self.tasks), self.won[:])

    def legal(self) -> list[str]:
        """The legal moves of the seat to move, in order; empty when no seat is to move."""
        phase = self.phase
        if phase == "play":
            return self._playable()
        if phase == "radio":
            return ["quiet", *(f"say {words}" for words in self._sayable())]
        if phase == "edit":
            return self._edits()
        if phase == "ask":
            return [SPOKEN[reply] for reply in self.step["replies"]]
        if phase == "role":
            return [f"{self.step['role']} {seat}" for seat in self._candidates()]
        if phase == "draft":
            return [f"take {card}" for card in self._by_index(lambda task: task["owner"] is None)]
        if phase == "owner":
            return [f"owner {seat}" for seat in self._owners()]
        if phase == "offer":
            own = self._by_index(lambda task: task["owner"] == self.turn)
            others = [seat for seat in range(self.seats) if seat != self.turn]
            return ["keep", *(f"offer {card} {seat}" for card in own for seat in others)]
        if phase == "vote":
            return ["yes", "no"]
        if phase == "distress":
            return ["none", "left", "right", "any"]
        if phase == "give":
            return [f"give {card}" for card in self._cards_of(self.turn) if card[0] != "R"]
        return []

    def _cards_of(self, seat: int) -> list[str]:
        """A hand, or JARVIS's face-up cards."""
        if seat != self.jarvis:
            return self.hands[seat]
        return sorted((up for up, _ in self.columns if up), key=INDEX.__getitem__)

    def _playable(self) -> list[str]:
        cards = self._cards_of(self.turn)
        if self.table:
            led = self.table[0][0]
            return [card for card in cards if card[0] == led] or cards[:]
        return cards[:]

    def _sayable(self) -> list[str]:
        """The ends of every colour in hand, with what is said of them."""
        hand, found = self.hands[self.turn], []
        for i, card in enumerate(hand):
            if card[0] == "R":
                break
            lowest = i == 0 or hand[i - 1][0] != card[0]
            highest = i + 1 == len(hand) or hand[i + 1][0] != card[0]
            if self.dead_zone:
                if lowest or highest:
                    found.append(card)
            elif lowest and highest:
                found.append(f"{card} only")
            elif lowest or highest:
                found.append(f"{card} {'lowest' if lowest else 'highest'}")
        return found

    def _by_index(self, wanted: Callable[[Task], bool]) -> list[str]:
        """Cards of such tasks."""
        return sorted((task["card"] for task in self.tasks if wanted(task)), key=INDEX.__getitem__)

    def _edits(self) -> list[str]:
        carriers = self._by_index(lambda task: task["token"] != "")
        if self.step["kind"] == "swap_two":
            return ["keep", *(f"swap {a} {b}" for a, b in combinations(carriers, 2))]
        free = self._by_index(lambda task: task["token"] == "")
        tokens = sorted((task["token"] for task in self.tasks if task["token"]), key=TOKENS.index)
        return ["keep", *(f"move {token} {card}" for token in tokens for card in free)]

    def _candidates(self) -> list[int]:
        barred = {
            "not_commander": self.commander,
            "all": None,
            "all_but_S1": self.roles.get("S1"),
        }[self.step["candidates"]]
        return [
            seat
            for seat in range(self.seats)
            if seat != barred and (seat != self.jarvis or self.step["jarvis"])
        ]

    def _owners(self) -> list[int]:
        """Seats that the commander may name as an owner."""
        if self.step["step"] == "assign_all":
            return [seat for seat in range(self.seats) if seat != self.commander]
        owned = [sum(task["owner"] == seat for task in self.tasks) for seat in range(self.seats)]
        return quota(owned, self.dealing["n"])

    def outcomes(self) -> list[tuple[str, int]] | None:
        """The chance outcomes with weights, at most 40; None if they are more, empty when a seat is to move."""
        phase = self.phase
        if phase == "tasks" and self.dealing["n"] == 1:
            return [(f"tasks {card}", 1) for card in self._undrawn()]
        if phase == "task":
            return [(f"task {card}", 1) for card in self._undrawn()]
        if phase == "owners" and self.seats ** len(self.tasks) <= LISTED:
            ways = product("01234"[: self.seats], repeat=len(self.tasks))
            return [(" ".join(("owners", *way)), 1) for way in ways]
        if phase in ("tasks", "owners"):
            return None
        if phase == "holder":
            return [(f"holder {self._holder()}", 1)]
        if phase == "get":
            return [(f"get {self.given[self._sender()]}", 1)]
        if phase == "draw":
            return [(f"draw {card}", 1) for card in self._drawable()]
        if phase == "turn":
            assert self.turning is not None
            return [(f"turn {self.columns[self.turning][1]}", 1)]
        return []

    def _undrawn(self) -> list[str]:
        """Task cards not drawn yet."""
        drawn = {task["card"] for task in self.tasks}
        return [card for card in self.deck if card[0] != "R" and card not in drawn]

    def _holder(self) -> int:
        card = self.step["card"]
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), self.jarvis or 0)

    def _receiver(self) -> int:
        """Who gets a distress card next."""
        return (self.commander + 1 + self.gets) % self.seats

    def _sender(self) -> int:
        return (self._receiver() + (-1 if self.direction == "left" else 1)) % self.seats

    def _drawable(self) -> list[str]:
        """Cards that may be drawn from the next giver."""
        giver = len(self.draws[-1][1])
        if giver == self.jarvis:
            return sorted((down for _, down in self.columns if down), key=INDEX.__getitem__)
        return [card for card in self.hands[giver] if card != self.shown[giver]]

    # --- rules ---

    def why(self, text: str) -> str | None:
        """The ruling that a move or outcome breaks, or None if it may be played now."""
        if self.phase == "over":
            return "S9"
        if self.phase in CHANCE:
            return None if self._possible(text) else CHANCE_RULING[self.phase]
        return None if text in self.legal() else self._fault(text)

    def _possible(self, text: str) -> bool:
        known = self.outcomes()
        if known is not None:
            return (text, 1) in known
        word, *rest = text.split(" ")
        if word != self.phase:
            return False
        if word == "tasks":
            undrawn = self._undrawn()
            return len(rest) == self.dealing["n"] == len(set(rest)) and all(card in undrawn for card in rest)
        return len(rest) == len(self.tasks) and all(seat in tuple("01234"[: self.seats]) for seat in rest)

    def _fault(self, text: str) -> str:
        """Why a text is not among the legal moves. Cards of other hands play no part."""
        word, *rest = text.split(" ")
        hand = self._cards_of(self.turn)
        if self.phase == "play":
            if text not in INDEX:
                return "Move texts"
            if text not in hand:
                return "JARVIS" if self.turn == self.jarvis else "S6"
            return "R2" if self.table[0][0] == "R" else "R3" if text[0] == "R" else "S6"
        if word not in PHASE_WORDS[self.phase]:
            return "Move texts"
        if self.phase == "radio":
            spoken = {words.split(" ")[0]: words for words in self._sayable()}
            if rest and rest[0] in spoken:
                return "R19" if self.dead_zone else "R14" if spoken[rest[0]].endswith("only") else "S5"
            return "S5"
        if self.phase == "give":
            return "R21" if rest and rest[0] in hand else "S4"
        if rest == [str(self.commander)]:
            if self.phase == "owner" and self.step["step"] == "assign_all":
                return "R38"
            if self.phase == "role" and self.step["candidates"] == "not_commander":
                return "A7"
        return {"offer": "R39", "vote": "S2", "distress": "S3"}.get(self.phase, "S1")

    # --- playing ---

    def play(self, text: str) -> None:
        """Play a move or an outcome. ValueError, and no change, if `why` has an objection."""
        phase = self.phase
        if not (self._possible(text) if phase in CHANCE else text in self.legal()):
            who = f"seat {self.turn}, {phase}" if isinstance(self.actor(), int) else phase
            raise ValueError(
                f"{self.why(text)}: {text!r} ({who}); legal: {' '.join(self.legal()) or 'chance'}"
            )
        if phase == "play":
            self._play_card(text)
        elif phase == "radio":
            self._communicate(text)
        elif phase in ("give", "get"):
            self._pass_card(text.split(" ")[1])
        elif phase == "draw":
            self._draw(text.split(" ")[1])
        elif phase == "turn":
            self._turn_up()
        else:
            self._prepare(text)

    def _prepare(self, text: str) -> None:
        """S1 to S3."""
        phase = self.phase
        word, *rest = text.split(" ")
        if phase in ("tasks", "task"):
            for card in rest:
                i, tokens = len(self.tasks), self.dealing["tokens"]
                token = tokens[i] if i < len(tokens) else ""
                self.tasks.append(Task(card=card, token=token, owner=self.named, state="pending"))
            if phase == "task":
                self._begin("ask", self._asked())
                return
        elif phase == "owners":
            for task, seat in zip(self.tasks, rest, strict=True):
                task["owner"] = int(seat)
        elif phase == "edit":
            if word == "swap":
                one, other = self._task(rest[0]), self._task(rest[1])
                one["token"], other["token"] = other["token"], one["token"]
            elif word == "move":
                carrier = next(task for task in self.tasks if task["token"] == rest[0])
                carrier["token"], self._task(rest[1])["token"] = "", rest[0]
        elif phase == "ask":
            self.answers[self.turn].append(word)
            if self._next_seat():
                return
            if self.step["step"] == "distribute":
                self._begin("owner", [self.commander])
                return
        elif phase == "role":
            self.roles[word] = int(rest[0])
        elif phase == "draft":
            self._task(rest[0])["owner"] = self.turn
            if any(task["owner"] is None for task in self.tasks):
                self.turn = (self.turn + 1) % self.seats
                return
        elif phase == "owner":
            if self.step["step"] == "assign_all":
                self.named = int(rest[0])
                self._begin("tasks", [self.commander])
                return
            self.tasks[-1]["owner"] = int(rest[0])
            if len(self.tasks) < self.dealing["n"]:
                self._begin("task", [self.commander])
                return
        elif phase == "holder":
            self.announced = self.step["card"], int(rest[0])
            self.roles[self.step["role"]] = (int(rest[0]) + 1) % self.seats
        elif phase == "offer":
            if self._offer(rest):
                return
        elif phase == "vote":
            if self._vote(word):
                return
        elif phase == "distress":
            self.votes[self.turn] = word
            if self._next_seat():
                return
            said = set(self.votes) - {"any", ""}
            if said in ({"left"}, {"right"}):
                self._send(said.pop())
                return
        self._advance()

    def _next_seat(self) -> bool:
        if self.queue:
            self.turn = self.queue.pop(0)
            return True
        return False

    def _task(self, card: str) -> Task:
        return next(task for task in self.tasks if task["card"] == card)

    def _offer(self, rest: list[str]) -> bool:
        """Offer a task, or keep; whether five_pass goes on."""
        if not rest:
            return self._next_seat()
        card, to = rest[0], int(rest[1])
        self.offers.append(Offer(card=card, seat=self.turn, to=to, votes=[""] * self.seats))
        if self.five_pass == "owner_only":
            self._task(card)["owner"] = to
            return False
        self.phase = "vote"
        self.turn, *self.voters = self._clockwise(self.turn)[1:]
        return True

    def _vote(self, word: str) -> bool:
        """Vote on the offer; whether five_pass goes on."""
        offer = self.offers[-1]
        offer["votes"][self.turn] = word
        if self.voters:
            self.turn = self.voters.pop(0)
            return True
        if "no" in offer["votes"]:
            self.phase = "offer"
            return self._next_seat()
        self._task(offer["card"])["owner"] = offer["to"]
        return False

    def _pass_card(self, card: str) -> None:
        """S4."""
        if self.phase == "give":
            self.given[self.turn] = card
            if not self._next_seat():
                self.phase = "get"
            return
        self.gets += 1
        if self.gets == self.seats:
            self.passed = True
            self._exchange(self.given, 1 if self.direction == "left" else -1, place=0)
            self._advance()

    def _exchange(self, gave: list[str], left: int, place: int) -> None:
        """Every card given moves to the neighbour, in JARVIS's display into the place (0 up, 1 down) of its own."""
        for seat in range(self.seats):
            card, got = gave[seat], gave[(seat - left) % self.seats]
            if seat == self.jarvis:
                column = next(column for column in self.columns if column[place] == card)
                column[place] = got
            else:
                self.hands[seat].remove(card)
                self.hands[seat].append(got)
                self.hands[seat].sort(key=INDEX.__getitem__)

    def _open_trick(self) -> None:
        """S5, or at once S6."""
        self.number += 1
        self.spoke = False
        if self.number < self.from_trick or self.radio == "off" or not self._radio_round():
            self._begin("play", self._clockwise(self.leader))

    def _radio_round(self) -> bool:
        green = [seat for seat in self._clockwise(self.leader) if self.tokens[seat] == "green"]
        return bool(green) and self._begin("radio", green)

    def _communicate(self, text: str) -> None:
        if text != "quiet":
            _, card, *kind = text.split(" ")
            self.statements.append((self.turn, card, kind[0] if kind else "dead", self.number))
            self.tokens[self.turn] = "shown"
            self.shown[self.turn] = card
            self.spoke = True
        if self._next_seat():
            return
        again, self.spoke = self.spoke and self.radio == "until_all_pass", False
        if not again or not self._radio_round():
            self._begin("play", self._clockwise(self.leader))

    def _play_card(self, card: str) -> None:
        seat = self.turn
        if seat == self.jarvis:
            column = next(i for i, (up, _) in enumerate(self.columns) if up == card)
            self.columns[column][0] = ""
            if self.columns[column][1]:
                self.turning = column
        else:
            self.hands[seat].remove(card)
        if self.shown[seat] == card:
            self.shown[seat] = ""
            self.tokens[seat] = "red"
        self.left.remove(card)
        self.table.append(card)
        if not self._next_seat():
            self._resolve()

    def _resolve(self) -> None:
        """S7."""
        top = max(self.table, key=lambda card: strength(card, self.table[0][0]))
        winner = (self.leader + self.table.index(top)) % self.seats
        trick = Trick(self.leader, tuple(self.table), winner, top)
        self.tricks.append(trick)
        self.won[winner] += 1
        self.table = []
        self.leader = self.turn = winner
        for task in self.tasks:
            if task["state"] == "pending" and task["card"] in trick.cards:
                task["state"] = "completed" if task["owner"] == winner else "failed"
        verdicts = [
            JUDGES[rule["type"]](self, rule, trick, self.number == self.last) for rule in self.constraints
        ]
        if "failed" in verdicts:
            self.phase = "over"
        elif "open" not in verdicts:
            self.phase, self.result = "over", 1
        elif self.number in self.draws_after:
            self.draws.append((self.number, []))
            self.phase = "draw"
        else:
            self._after_trick()

    def _after_trick(self) -> None:
        if self.turning is not None:
            self.phase = "turn"
        else:
            self._open_trick()

    def _draw(self, card: str) -> None:
        """S8."""
        gave = self.draws[-1][1]
        gave.append(card)
        if len(gave) == self.seats:
            self._exchange(gave, 1, place=1)
            self._after_trick()

    def _turn_up(self) -> None:
        assert self.turning is not None
        column = self.columns[self.turning]
        self.turned.append((self.number, self.turning, column[1]))
        column[:] = [column[1], ""]
        self.turning = None
        self._open_trick()

    def seat_of(self, who: str) -> int:
        return self.commander if who == "commander" else self.roles[who]

    # --- what a seat sees ---

    def seen(self, text: str, seat: int) -> str:
        """What a seat sees of a move or outcome about to be played."""
        phase = self.phase
        if phase == "give":
            known = self.decider() == seat
        elif phase == "get":
            known = self._saw_get(self._sender(), self._receiver(), seat)
        elif phase == "draw":
            known = self._saw_draw(len(self.draws[-1][1]), seat)
        else:
            known = True
        return text if known else f"{phase} x"

    def _saw_get(self, giver: int, receiver: int, viewer: int) -> bool:
        return viewer in (giver, receiver) or (self.jarvis is not None and self.jarvis in (giver, receiver))

    def _saw_draw(self, giver: int, viewer: int) -> bool:
        return viewer != self.jarvis and viewer in (giver, (giver + 1) % self.seats)

    def _given_to(self, giver: int) -> int:
        return (giver + (1 if self.direction == "left" else -1)) % self.seats

    def _given_as_seen(self, viewer: int) -> list[str]:
        seen = []
        for giver, card in enumerate(self.given):
            chooser = self.commander if giver == self.jarvis else giver
            receiver = self._given_to(giver)
            got = (receiver - self.commander - 1) % self.seats < self.gets
            known = viewer == chooser or (got and self._saw_get(giver, receiver, viewer))
            seen.append("x" if card and not known else card)
        return seen

    def view(self, seat: int) -> View:
        """What a seat may know."""
        facts, draws = self._facts(seat)
        sizes = [len(hand) for hand in self.hands]
        if self.jarvis is not None:
            sizes[self.jarvis] = sum(bool(card) for column in self.columns for card in column)
        return {
            "seat": seat,
            "phase": self.phase,
            "to_move": None if self.phase == "over" or self.phase in CHANCE else self.turn,
            "hand": self.hands[seat][:],
            "sizes": sizes,
            "commander": self.commander,
            "jarvis": self.jarvis,
            "columns": [up + ("x" if down else "") for up, down in self.columns],
            "challenge": self.challenge,
            "tasks": [task.copy() for task in self.tasks],
            "roles": dict(self.roles),
            "holder": self.announced[1] if self.announced else None,
            "answers": [given[:] for given in self.answers],
            "offers": [{**offer, "votes": offer["votes"][:]} for offer in self.offers],
            "votes": self.votes[:],
            "direction": self.direction,
            "given": self._given_as_seen(seat),
            "trick": self.number,
            "leader": self.leader,
            "table": self.table[:],
            "tricks": self.tricks[:],
            "turned": self.turned[:],
            "won": self.won[:],
            "tokens": self.tokens[:],
            "statements": [
                Statement(seat=by, card=card, kind=kind, trick=trick, in_hand=card in self.left)
                for by, card, kind, trick in self.statements
            ],
            "facts": facts,
            "draws": draws,
        }

    def _facts(self, viewer: int) -> tuple[Facts, list[Draw]]:
        """Hard facts now and before every draw, from the record in the order of time."""
        facts = _no_facts(self.seats)
        facts["held"] = self._held_at_first(viewer)
        draws: list[Draw] = []
        under: set[str] = set()  # radio tokens
        rows = [(trick.leader, trick.cards) for trick in self.tricks]
        if self.phase in ("radio", "play"):
            rows.append((self.leader, tuple(self.table)))
        for number, (leader, cards) in enumerate(rows, self.before + 1):
            for seat, card, kind, trick in self.statements:
                if trick == number:
                    under.add(card)
                    _state(facts, seat, card, kind)
                    if seat != viewer:
                        facts["held"][card] = [seat]
            for i, card in enumerate(cards):
                seat = (leader + i) % self.seats
                under.discard(card)
                facts["held"].pop(card, None)
                _witness(facts, seat, card)
                if card[0] != cards[0][0] and seat != self.jarvis and cards[0][0] not in facts["voids"][seat]:
                    facts["voids"][seat].append(cards[0][0])
            for after, gave in self.draws:
                if after == number:
                    seen = [c if self._saw_draw(giver, viewer) else "x" for giver, c in enumerate(gave)]
                    seen += [""] * (self.seats - len(seen))
                    shown = sorted(under, key=INDEX.__getitem__)
                    draws.append(Draw(trick=after, gave=seen, shown=shown, facts=facts))
                    if len(gave) == self.seats:
                        held = self._held_after(facts["held"], seen, under, viewer)
                        facts = _no_facts(self.seats)
                        facts["held"] = held
                    else:
                        facts = copy.deepcopy(facts)
                        _hold(facts, seen, (viewer,))
            for after, _, card in self.turned:
                if after == number:
                    facts["held"].pop(card, None)
        if self.phase in ("give", "get"):
            _hold(facts, self._given_as_seen(viewer), (viewer, self.jarvis))
        return facts, draws

    def _held_at_first(self, viewer: int) -> dict[str, list[int]]:
        """Cards known to be with other seats before trick 1."""
        held = {"R4": [self.commander]} if self.commander != viewer and self.has_r4 else {}
        if self.announced and self.announced[1] != viewer and self.announced[0] not in self.dealt_up:
            held[self.announced[0]] = [self.announced[1]]
        if self.passed:
            seen = self._given_as_seen(viewer)
            for card, [giver] in list(held.items()):
                receiver = self._given_to(giver)
                if card[0] != "R" and giver != self.jarvis:
                    if seen[giver] == "x":
                        held[card] = sorted([giver, receiver])
                    elif seen[giver] == card:
                        del held[card]
            for giver, card in enumerate(seen):
                receiver = self._given_to(giver)
                if card != "x" and receiver not in (viewer, self.jarvis):
                    held[card] = [receiver]
        return held

    def _held_after(
        self, held: dict[str, list[int]], gave: list[str], under: set[str], viewer: int
    ) -> dict[str, list[int]]:
        """Where known cards may be after a draw."""
        after: dict[str, list[int]] = {}
        for card, seats in held.items():
            if card in under:
                after[card] = seats
            elif card not in gave:
                moved = {(seat + 1) % self.seats for seat in seats if gave[seat] == "x"}
                after[card] = sorted({*seats, *moved})
        if viewer != self.jarvis:
            after[gave[viewer]] = [(viewer + 1) % self.seats]
        return after


CHANCE_RULING = {
    **dict.fromkeys(("tasks", "task", "owners", "holder"), "S1"),
    "get": "S4",
    "draw": "S8",
    "turn": "JARVIS",
}
PHASE_WORDS = {
    "edit": ("keep", "swap", "move"),
    "ask": tuple(SPOKEN.values()),
    "role": ("S1", "S2"),
    "draft": ("take",),
    "owner": ("owner",),
    "offer": ("keep", "offer"),
    "vote": ("yes", "no"),
    "distress": ("none", "left", "right", "any"),
    "give": ("give",),
    "radio": ("quiet", "say"),
}


def _cards(given: str | Sequence[str]) -> list[str]:
    """Two characters a card, or a card an item."""
    return [given[i : i + 2] for i in range(0, len(given), 2)] if isinstance(given, str) else list(given)


def strength(card: str, led: str) -> int:
    """S7: rockets above the suit led above the rest, which never wins."""
    return VALUE[card] + 10 if card[0] == "R" else VALUE[card] if card[0] == led else 0


def quota(owned: Sequence[int], tasks: int) -> list[int]:
    """Seats that may get one more of so many tasks in all: the even quota of CX."""
    q, r = divmod(tasks, len(owned))
    more = sum(n > q for n in owned)
    return [seat for seat, n in enumerate(owned) if n < q or (n == q and more < r)]


def log_entry(attempts: int, *, sent: bool) -> int:
    """What a mission adds to the campaign's score; `sent`: the distress signal, once or more."""
    return attempts + sent


# --- constraints: after every trick, failed, safe or open; none is open after the last ---


def _tasks(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    pending = [task["token"] for task in game.tasks if task["state"] == "pending"]
    completed = [task["token"] for task in game.tasks if task["state"] == "completed"]
    if len(pending) + len(completed) < len(game.tasks) or out_of_order(pending, completed):
        return "failed"
    if not pending:
        return "failed" if rule["completion"] == "last_trick" and not last else "safe"
    return "failed" if last else "open"


def out_of_order(pending: Sequence[str], completed: Sequence[str]) -> bool:
    """The token tests, on the tokens of pending and of completed tasks."""
    numbers = [token for token in pending if token in ("1", "2", "3", "4", "5")]
    if any(token not in ("1", "2", "3", "4", "5") or token > min(numbers) for token in completed if numbers):
        return True
    arrows = [token for token in pending if token[:1] == "a"]
    if any(token[:1] == "a" and token > min(arrows) for token in completed if arrows):
        return True
    return "omega" in completed and bool(pending)


def _tricks_won(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    won = game.won[game.seat_of(rule["who"])]
    if won > rule["max"] or (last and won < rule["min"]):
        return "failed"
    return "safe" if last else "open"


def _win_positions(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    listed = game.number in rule["tricks"] or (last and -1 in rule["tricks"])
    won = trick.winner == game.seat_of(rule["who"])
    if listed != won and (listed or rule["exclusive"]):
        return "failed"
    return "safe" if last else "open"


def _no_winning_suit(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    if trick.winner == game.seat_of(rule["who"]) and trick.top[0] == rule["suit"]:
        return "failed"
    return "safe" if last else "open"


def _balanced(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    if max(game.won) - min(game.won) > rule["max_gap"]:
        return "failed"
    return "safe" if last else "open"


def _winning_value_at_least(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    cards = {f"{suit}{rule['value']}" for suit in rule["suits"]}
    counted = sum(trick.top in cards for trick in game.tricks)
    if counted >= rule["count"]:
        return "safe"
    return "failed" if last or counted + len(cards & game.left) < rule["count"] else "open"


def _winning_value_forbidden(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    cards = {f"{suit}{rule['value']}" for suit in rule["suits"]}
    if trick.top in cards:
        return "failed"
    return "safe" if last or not cards & game.left else "open"


def _each_card_wins(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    if any(card in rule["cards"] and card != trick.top for card in trick.cards):
        return "failed"
    missing = [card for card in rule["cards"] if all(card != trick.top for trick in game.tricks)]
    if not missing:
        return "safe"
    if rule["order"] == "ascending" and trick.top in rule["cards"] and INDEX[missing[0]] < INDEX[trick.top]:
        return "failed"
    return "failed" if last else "open"


def _win_all_of_suit(game: Reference, rule: Rule, trick: Trick, last: bool) -> Verdict:
    if trick.winner != game.seat_of(rule["who"]) and any(card[0] == rule["suit"] for card in trick.cards):
        return "failed"
    return "safe" if last or all(card[0] != rule["suit"] for card in game.left) else "open"


JUDGES: dict[str, Callable[[Reference, Rule, Trick, bool], Verdict]] = {
    "tasks": _tasks,
    "tricks_won": _tricks_won,
    "win_positions": _win_positions,
    "no_winning_suit": _no_winning_suit,
    "balanced": _balanced,
    "winning_value_at_least": _winning_value_at_least,
    "winning_value_forbidden": _winning_value_forbidden,
    "each_card_wins": _each_card_wins,
    "win_all_of_suit": _win_all_of_suit,
}


# --- facts ---


def _no_facts(seats: int) -> Facts:
    return Facts(
        held={},
        voids=[[] for _ in range(seats)],
        bounds=[{} for _ in range(seats)],
        needs=[{} for _ in range(seats)],
        one_side=[{} for _ in range(seats)],
    )


def _state(facts: Facts, seat: int, card: str, kind: str) -> None:
    """What a statement says of the hand it was made from."""
    suit, value = card[0], VALUE[card]
    if kind == "dead":
        facts["one_side"][seat][suit] = value
        return
    facts["bounds"][seat][suit] = {"highest": (1, value), "lowest": (value, 9), "only": (value, value)}[kind]
    if kind != "only":
        facts["needs"][seat][suit] = (1, value - 1) if kind == "highest" else (value + 1, 9)


def _witness(facts: Facts, seat: int, card: str) -> None:
    """A card played after a statement may show what the statement left open."""
    suit, value = card[0], VALUE[card]
    lowest, highest = facts["needs"][seat].get(suit, (0, 0))
    if lowest <= value <= highest:
        del facts["needs"][seat][suit]
    middle = facts["one_side"][seat].get(suit, value)
    if value != middle:
        facts["bounds"][seat][suit] = (middle, 9) if value > middle else (1, middle)
        del facts["one_side"][seat][suit]


def _hold(facts: Facts, seen: Sequence[str], besides: Sequence[int | None]) -> None:
    """Cards seen to be about to move are still with their givers."""
    for seat, card in enumerate(seen):
        if card not in ("", "x") and seat not in besides:
            facts["held"][card] = [seat]


def agrees(facts: Facts, seat: int, hand: Sequence[str]) -> bool:
    """Whether a hand, of JARVIS its face-down cards, may be a seat's by the facts."""
    if any(seat not in facts["held"].get(card, [seat]) for card in hand):
        return False
    if any(seats == [seat] and card not in hand for card, seats in facts["held"].items()):
        return False
    for card in hand:
        lowest, highest = facts["bounds"][seat].get(card[0], (1, 9))
        if card[0] in facts["voids"][seat] or not lowest <= VALUE[card] <= highest:
            return False
    for suit, (lowest, highest) in facts["needs"][seat].items():
        if not any(card[0] == suit and lowest <= VALUE[card] <= highest for card in hand):
            return False
    for suit, middle in facts["one_side"][seat].items():
        values = [VALUE[card] for card in hand if card[0] == suit]
        if values and min(values) < middle < max(values):
            return False
    return True


# --- what a view leaves open ---


def worlds(view: View) -> Iterator[tuple[World, int]]:
    """Every way the unseen cards may lie, with its weight. For small positions.

    Hard facts only: own, shown, passed, drawn and played cards, R4 with the commander and P9 with its announced
    holder, voids, statements. All cards differ, so a way is one physical assignment and weighs 1, with two remarks.
    After a draw of mission 12 the weight is the number of ways the cards unknown to this seat can have been drawn
    (each draw equally likely, so these are chances). What others passed in the distress exchange was their choice and
    counts nothing: the hands they have now weigh alike. A card about to move lies in a place of its own: one world for
    each that it may be.
    """
    me, jarvis = view["seat"], view["jarvis"]
    seen = {*view["hand"], *view["table"], *(card for trick in view["tricks"] for card in trick.cards)}
    seen |= {column[:-1] if column[-1] == "x" else column for column in view["columns"] if column}
    unseen = [card for card in (CHALLENGE_DECK if view["challenge"] else DECK) if card not in seen]
    others = [seat for seat in range(len(view["sizes"])) if seat not in (me, jarvis)]
    down = [i for i, column in enumerate(view["columns"]) if column[-1:] == "x"]
    if len(unseen) != sum(view["sizes"][seat] for seat in others) + len(down):
        raise ValueError("the view does not add up to the deck")
    draws = view["draws"][: -1 if view["phase"] == "draw" else None]

    for hands, rest in _hands(view, others, unseen, [[] for _ in view["sizes"]]):
        hands[me] = view["hand"][:]
        if jarvis is not None and not agrees(view["facts"], jarvis, rest):
            continue
        for order in permutations(rest):
            hidden = dict(zip(down, order, strict=True))
            ways = _draw_ways(view, draws, hands, hidden)
            columns = [
                column.replace("x", hidden[i]) if i in hidden else column
                for i, column in enumerate(view["columns"])
            ]
            if ways:
                for given in _about_to_move(view, hands, hidden):
                    yield World(hands=[hand[:] for hand in hands], columns=columns, given=list(given)), ways


def _hands(
    view: View, seats: list[int], unseen: list[str], hands: list[list[str]]
) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Hands of these seats that agree with the facts, and the cards that remain."""
    if not seats:
        yield hands, unseen
        return
    seat, *rest = seats
    for hand in combinations(unseen, view["sizes"][seat]):
        if agrees(view["facts"], seat, hand):
            filled = [list(hand) if i == seat else cards for i, cards in enumerate(hands)]
            yield from _hands(view, rest, [card for card in unseen if card not in hand], filled)


def _draw_ways(view: View, draws: list[Draw], hands: list[list[str]], hidden: dict[int, str]) -> int:
    """In how many ways the draws can have led to these cards: undo the last one, then the others."""
    if not draws:
        return 1
    *earlier, draw = draws
    seats, me, jarvis = range(len(hands)), view["seat"], view["jarvis"]
    # The cards just after it: add what was played, put back what was turned up, up to the draw undone before.
    later = view["draws"][len(draws) :]
    until = later[0]["trick"] if later else 99
    after = [hand[:] for hand in hands]
    rows = [(trick.leader, trick.cards) for trick in view["tricks"][draw["trick"] : until]]
    if not later:
        rows.append((view["leader"], tuple(view["table"])))
    for leader, cards in rows:
        for i, card in enumerate(cards):
            after[(leader + i) % len(hands)].append(card)
    lying = dict(hidden)
    lying.update({column: card for trick, column, card in view["turned"] if draw["trick"] <= trick < until})
    if jarvis is not None:
        after[jarvis] = list(lying.values())

    pools = [after[(i + 1) % len(hands)] if card == "x" else [card] for i, card in enumerate(draw["gave"])]
    ways = 0
    for gave in product(*pools):
        if any(card in draw["shown"] for card in gave):
            continue
        before = [[card for card in after[i] if card != gave[i - 1]] + [gave[i]] for i in seats]
        if all(agrees(draw["facts"], i, before[i]) for i in seats if i != me or i == jarvis):
            below = {}
            if jarvis is not None:
                got, went = gave[jarvis - 1], gave[jarvis]
                below = {column: went if card == got else card for column, card in lying.items()}
            ways += _draw_ways(view, earlier, before, below)
    return ways


def _about_to_move(view: View, hands: list[list[str]], hidden: dict[int, str]) -> Iterator[tuple[str, ...]]:
    """What each seat may have given or drawn while an exchange goes on."""
    jarvis = view["jarvis"]
    if view["phase"] == "draw":
        shown, moving = view["draws"][-1]["shown"], view["draws"][-1]["gave"]
        cards = [[card for card in hand if card not in shown] for hand in hands]
        if jarvis is not None:
            cards[jarvis] = list(hidden.values())
    elif view["phase"] in ("give", "get"):
        moving = view["given"]
        cards = [[card for card in hand if card[0] != "R"] for hand in hands]
        if jarvis is not None:
            cards[jarvis] = [column[:2] for column in view["columns"] if column[0] != "R"]
    else:
        moving, cards = [""] * len(hands), hands
    yield from product(*(cards[seat] if card == "x" else [card] for seat, card in enumerate(moving)))


# --- for tests ---


def deal(rng: random.Random, players: int, *, challenge: bool = False) -> dict[str, Any]:
    """A uniform deal for `start`."""
    deck = CHALLENGE_DECK if challenge else DECK
    if players == 2:
        cards = rng.sample([card for card in deck if card != "R4"], len(deck) - 1)
        width = 5 if challenge else 7
        lying, cards = cards[: 2 * width], rng.sample([*cards[2 * width :], "R4"], len(deck) - 2 * width)
        half = len(cards) // 2
        jarvis = rng.choice((1, 2))
        hands = [cards[:half], cards[half:]]
        hands.insert(jarvis, [])
        return {
            "hands": hands,
            "jarvis": jarvis,
            "columns": [lying[i : i + 2] for i in range(0, 2 * width, 2)],
        }
    cards = rng.sample(deck, len(deck))
    size = tricks_of(players, challenge)
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
    hands[rng.randrange(players)] += cards[players * size :]
    return {"hands": hands}


def roll(game: Reference, rng: random.Random) -> str:
    """A random outcome."""
    known = game.outcomes()
    if known is not None:
        return rng.choice(known)[0]
    if game.phase == "tasks":
        return " ".join(["tasks", *rng.sample(game._undrawn(), game.dealing["n"])])
    return " ".join(["owners", *(str(rng.randrange(game.seats)) for _ in game.tasks)])


def keep_alive(game: Reference, rng: random.Random) -> str:
    """A random move, for the last seat of a trick one that does not fail the mission at once, if there is one.

    Looks at nothing that the seat does not know: what decides is the trick and what has been played.
    """
    moves = game.legal()
    if game.phase == "play" and len(game.table) == game.seats - 1 and len(moves) > 1:
        alive = []
        for move in moves:
            after = game.copy()
            after.play(move)
            if after.phase != "over" or after.result:
                alive.append(move)
        moves = alive or moves
    return rng.choice(moves)
