"""Kami positions for tests, by texts: deals, middles of rounds, fused turns as the records have them."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kibitz import _core

DATA = Path(__file__).parent / "data"
DECK = "1" * 10 + "2222" + "3333" + "4444" + "5555" + "66" + "77" + "88"
RECORDS: list[dict[str, Any]] = json.loads((DATA / "kami_records.json").read_text(encoding="utf-8"))[
    "records"
]

NO_STACKS = [""] * 8

# W9: three players, the second has looked at the 7, the third at the 5.
W9: dict[str, Any] = {"hands": ["1111234568", "1112345678", "1112233445"], "aside": "75", "first": 0}
# W10: two players, stacks show 1 1 1 2 3 4 5 8.
W10: dict[str, Any] = {
    "hands": ["12345678", "11134567"],
    "stacks": ["11", "12", "12", "23", "34", "45", "51", "81"],
    "first": 0,
}
# W15: four players, seat 1 was dealt five Soldiers, seat 3 three.
W15: dict[str, Any] = {"hands": ["11334567", "11111228", "23344555", "11124678"], "first": 0}
# Record ext-02, W8.
W8: dict[str, Any] = {"hands": ["11113477", "12344568", "11123368", "11224555"], "first": 1}


def game(players: int = 4, **options: int | bool | str) -> _core.Game:
    return _game(tuple(sorted((options | {"players": players}).items())))


@cache
def _game(options: tuple[tuple[str, int | bool | str], ...]) -> _core.Game:
    return _core.Game("kami", dict(options))


def deal(position: dict[str, Any], **options: int | bool | str) -> _core.State:
    """A dealt position; the number of players is that of its hands. No redeal question unless asked for."""
    return game(len(position["hands"]), **({"redeal": False} | options)).state(position)


def legal(position: _core.State | _core.View) -> list[str]:
    return [position.game.move_text(move) for move in position.moves()]


def play(state: _core.State, *texts: str) -> _core.State:
    """After these decisions and outcomes."""
    for text in texts:
        state = state.play(state.game.parse_move(text))
    return state


def why(position: _core.State | _core.View, text: str) -> str:
    """The rule against a move, or ''."""
    return position.check(position.game.parse_move(text))


def chance(state: _core.State) -> _core.State:
    """After the outcomes that only the deal decides, up to the next decision or deal."""
    while state.turn == _core.CHANCE and len(state.outcomes()) == 1:
        state = state.play(state.outcomes()[0][0])
    return state


def outcome(state: _core.State) -> str:
    """The one outcome that comes next."""
    [(code, weight)] = state.outcomes()
    assert weight == 1
    return state.game.move_text(code)


def turn_texts(turn: str) -> list[str]:
    """A fused turn without its seat, `13` or `p`, as decisions."""
    return ["p"] if turn == "p" else [f"d{turn[0]}", f"a{turn[1]}"]


def turns(state: _core.State, *fused: str) -> _core.State:
    """After turns such as `116,2p`, seats 1-based; a stack letter stands for a mercenary."""
    for turn in ",".join(fused).split(","):
        assert state.turn == int(turn[0]) - 1, turn
        for text in turn_texts(turn[1:]):
            state = play(state, text)
            while state.turn == _core.CHANCE and not state.settled():
                state = state.play(state.outcomes()[0][0])
    return state


def fused(state: _core.State) -> list[str]:
    """The legal turns of the seat to move: `p`, or defence and attack (three or four players)."""
    found: list[str] = []
    for text in legal(state):
        found += [text] if text == "p" else [text[1] + attack[1] for attack in legal(play(state, text))]
    return found


def without(cards: str, used: str) -> str:
    """The cards that are left, sorted."""
    left = Counter(cards)
    left.subtract(used)
    assert min(left.values()) >= 0, (cards, used)
    return "".join(sorted(left.elements()))


def midgame(
    hands: Sequence[str | int],
    *,
    last: str = "",
    owner: int = 0,
    to_move: int | None = None,
    stacks: Sequence[str] = (),
    aside: str = "",
    up: bool = False,
    first: int | None = None,
    **options: Any,
) -> _core.State:
    """A position late in a round: these hands, and the rest of the deck on the table.

    Args:
        hands: What the seats hold; a number stands for so many of the cards that are left, low ones first.
        last: The last pair, as on the table: `86`, `.14`; '' for any. Its attack is to be answered.
        owner: The seat that played it.
        to_move: By default the next seat. The owner leads.
        stacks, aside: Mercenaries, cards set aside.
        up: Whether an Empress that is on the table lies face-up on a defence line; else they lie face-down.
        first: The leader of the round; by default the owner.
        options: Of the game, and fields of the position (`totals`, `announced`, ...).
    """
    players = len(hands)
    names = {option["name"] for option in _core.info("kami")["options"]}
    fields = {name: value for name, value in options.items() if name not in names}
    chosen = {"redeal": False} | {name: value for name, value in options.items() if name in names}
    leader = owner if first is None else first
    sizes = [hand if isinstance(hand, int) else len(hand) for hand in hands]
    shown = last.lstrip(".:")
    known = "".join(hand for hand in hands if isinstance(hand, str))
    rest = list(without(DECK, known + shown + "".join(text.strip("-x") for text in stacks) + aside))
    held = []
    for hand in hands:
        if isinstance(hand, str):
            held.append(hand)
        else:
            held.append("".join(rest[:hand]))
            del rest[:hand]

    assert len(rest) % 2 == 0, "cards leave in pairs"
    pairs = [((10 if players == 3 else 8) - size) // 2 for size in sizes]
    if players == 2:  # mercenaries lie on the lines, too
        pairs = [(8 - size + 1) // 2 for size in sizes]
        while 2 * sum(pairs) < len(rest) + len(shown):
            pairs[pairs.index(min(pairs))] += 1
    pairs[owner] -= bool(shown)
    lines: list[list[str]] = [[] for _ in hands]
    for seat in [leader, *(seat for seat in range(players) if seat != leader)]:
        for pair in range(pairs[seat]):
            defence, attack = rest.pop(), rest.pop(0)  # Empresses first, so that they are defences
            down = (seat == leader and pair == 0 and not (up and defence == "8")) or (
                defence == "8" and not up
            )
            lines[seat].append(("." if down else "") + defence + attack)
        if up and seat == leader and lines[seat]:  # R1: the leader's first pair is face-down
            lines[seat].sort(key=lambda text: text[0] == "8")
            lines[seat][0] = "." + lines[seat][0].lstrip(".")
    if shown:
        lines[owner].append(last)
    mover = (owner + 1) % players if to_move is None else to_move
    position = {
        "hands": held,
        "lines": lines,
        "owner": owner,
        "first": leader,
        "phase": "lead" if mover == owner else "respond",
        "to_move": mover,
        "stacks": list(stacks),
        "aside": aside,
    }
    return game(players, **chosen).state(position | fields)


def records() -> Iterator[dict[str, Any]]:
    """The records that Kami's rules allow."""
    return (record for record in RECORDS if record["legal_under_kami"])
