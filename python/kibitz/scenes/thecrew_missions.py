"""What a mission of The Crew asks for, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.errors import printable
from kibitz.scenes.scene import Fact
from kibitz.scenes.words import counted, joined

__all__ = ["CARD_COLORS", "mission_facts", "mission_name", "silenced"]

CARD_COLORS = {"B": "blue", "G": "green", "P": "pink", "Y": "yellow", "R": "rocket"}
MAX_SUMMARY = 200  # characters of what an own mission says of itself

SUMMARIES = (
    "one free task",
    "two free tasks",
    "two tasks in fixed order",
    "three free tasks",
    "a chosen member (not the commander) wins no trick",
    "three tasks, two arrows, dead zone",
    "three tasks, one last",
    "three tasks in fixed order",
    "a colour 1 wins a trick",
    "four free tasks",
    "four tasks, one first; a chosen member may not communicate",
    "four tasks, one last; random card from the right neighbour after trick 1",
    "each rocket wins a trick",
    "four tasks, three arrows, dead zone",
    "four tasks in fixed order",
    "no nine wins a trick",
    "two tasks and no nine wins a trick",
    "five free tasks, communication from trick 2",
    "five tasks, one first, communication from trick 3",
    "two unseen tasks to one member chosen by the commander",
    "five tasks, first and second fixed, dead zone",
    "five tasks, four arrows",
    "five tasks in fixed order after an optional token swap",
    "six tasks handed out evenly by the commander",
    "six tasks, two arrows, dead zone",
    "two colour 1s win a trick each",
    "three unseen tasks to one member chosen by the commander",
    "six tasks, one first, one last, communication from trick 3",
    "trick counts never differ by two, dead zone",
    "six tasks, three arrows, communication from trick 2",
    "six tasks, first three fixed",
    "seven tasks handed out evenly by the commander",
    "a chosen member (not the commander) wins exactly one trick, not with a rocket",
    "trick counts never differ by two; the commander wins the first and the last trick",
    "seven tasks, three arrows",
    "seven tasks, first and second fixed, handed out evenly by the commander",
    "four unseen tasks to one member chosen by the commander",
    "eight free tasks, communication from trick 3",
    "eight tasks, three arrows, dead zone",
    "eight tasks, first three fixed after an optional token move",
    "a chosen member (not the commander) wins exactly the first and the last trick, without rockets",
    "nine free tasks",
    "nine tasks handed out evenly by the commander",
    "each rocket wins a trick, in ascending order",
    "nine tasks, three arrows",
    "the left neighbour of the pink 9 wins every pink card",
    "ten free tasks",
    "three tasks, the last one in the very last trick",
    "ten tasks, three arrows",
    "one member wins exactly the first four tricks, another exactly the last, the others everything between",
)


def mission_name(options: Mapping[str, Any]) -> str:
    """What is flown: `"mission 5"`, `"6 tasks"`, `"own mission"`."""
    if options.get("own_mission") is not None:
        return "own mission"
    return counted(options["tasks"], "task") if options["tasks"] else f"mission {options['mission']}"


def mission_facts(options: Mapping[str, Any]) -> list[Fact]:
    """What the mission asks for.

    >>> options = {"own_mission": None, "tasks": 0, "mission": 5}
    >>> mission_facts(options)
    [Fact(name='mission 5', value='a chosen member (not the commander) wins no trick')]
    """
    own, name = options.get("own_mission"), mission_name(options)
    if own is None:
        plain = options["tasks"]
        return [Fact(name, "no other condition" if plain else SUMMARIES[options["mission"] - 1])]
    facts = []
    if summary := printable(str(own.get("summary") or "")[:MAX_SUMMARY])[:MAX_SUMMARY]:
        facts.append(Fact(name, summary))
    facts += [Fact("condition", _condition(each)) for each in own["constraints"]]
    for effect in own.get("effects") or ():
        after = effect.get("after_trick", 1)
        facts.append(Fact("effect", f"after trick {after} everybody draws a card from the right neighbour"))
    radio = own.get("communication") or {}
    if radio.get("mode") == "dead_zone":
        facts.append(Fact("radio", "dead zone"))
    if radio.get("from_trick", 1) > 1:
        facts.append(Fact("radio", f"from trick {radio['from_trick']} on"))
    return facts


def silenced(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The roles that may not use the radio: `"S1"`, `"S2"`."""
    own = options.get("own_mission")
    if own is None:
        return ("S1",) if not options["tasks"] and options["mission"] == 11 else ()
    return tuple(step["role"] for step in own.get("setup") or () if step["step"] == "mute")


def _condition(given: Mapping[str, Any]) -> str:
    """A constraint of an own mission as a sentence."""
    who = given.get("who", "")
    kind = given["type"]
    if kind == "tasks":
        last = given.get("completion") == "last_trick"
        return "all tasks are completed" + (", the last of them in the last trick" if last else "")
    if kind == "tricks_won":
        return f"{who} wins {_range(given.get('min', 0), given.get('max'))}"
    if kind == "win_positions":
        only = " and no other" if given.get("exclusive") else ""
        return f"{who} wins {_tricks(given['tricks'])}{only}"
    if kind == "no_winning_suit":
        return f"{who} wins no trick with a {CARD_COLORS[given['suit']]} card"
    if kind == "balanced":
        return f"the seats' tricks never differ by more than {given.get('max_gap', 1)}"
    if kind == "winning_value_at_least":
        return f"{counted(given.get('count', 1), 'trick')} won by {_values(given)}"
    if kind == "winning_value_forbidden":
        return f"no trick is won by {_values(given)}"
    if kind == "each_card_wins":
        order = ", in ascending order" if given.get("order") == "ascending" else ""
        return f"each of {joined(dict.fromkeys(given['cards']))} wins a trick{order}"
    return f"{who} wins every trick with a {CARD_COLORS[given['suit']]} card"


def _range(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {counted(least, 'trick')}"
    return f"exactly {counted(least, 'trick')}" if least == most else f"{least} to {counted(most, 'trick')}"


def _tricks(tricks: Sequence[int]) -> str:
    return joined("the last trick" if trick == -1 else f"trick {trick}" for trick in dict.fromkeys(tricks))


def _values(given: Mapping[str, Any]) -> str:
    suits = joined((CARD_COLORS[suit] for suit in dict.fromkeys(given["suits"])), last="or")
    return f"a {given['value']} in {suits}"
