"""Writes cpp/include/kibitz/games/thecrew/missions.hpp from the data file of the rules.

    python tools/thecrew_missions.py PATH/TO/thecrew.json

The vocabulary is that of `mission.hpp`; a word that is not in it stops the tool. `--check` compares instead of writing.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "cpp/include/kibitz/games/thecrew/missions.hpp"
TOKENS = ["1", "2", "3", "4", "5", "a1", "a2", "a3", "a4", "omega"]
REPLIES = {"good": 1, "bad": 2, "yes": 3, "no": 4, "first_four": 5, "between": 6, "last": 7}
ROLES = {"commander": "Role::commander", "S1": "Role::s1", "S2": "Role::s2"}
CANDIDATES = {"not_commander": "not_commander", "all": "all", "all_but_S1": "all_but_s1", "even_quota": "all"}


def card(text: str) -> int:
    return "BGPYR".index(text[0]) * 9 + int(text[1]) - 1


def mask(cards: list[str]) -> str:
    return hex(sum(1 << card(c) for c in cards)) + "u"


def suit(letter: str) -> list[str]:
    return [letter + str(v) for v in range(1, 5 if letter == "R" else 10)]


def step(given: dict[str, Any]) -> str:
    parts = [f".kind = StepKind::{given['step']}"]
    if "role" in given:
        parts.append(f".role = {ROLES[given['role']]}")
    if given["step"] in ("pick_role", "assign_all"):
        parts.append(f".candidates = Candidates::{CANDIDATES[given['candidates']]}")
    if given.get("jarvis") is False:
        parts.append(".jarvis = false")
    if given["step"] == "edit_tokens":
        parts.append(f".edit = Edit::{given['kind']}")
    if given["step"] == "announce_holder":
        assert given["seat"] == "left_of_holder"
        parts.append(f".card = {card(given['card'])}")
    if "replies" in given:
        code = sum(REPLIES[reply] << 4 * i for i, reply in enumerate(given["replies"]))
        parts.append(f".replies = {code:#x}")
    return "{" + ", ".join(parts) + "}"


def constraint(given: dict[str, Any]) -> str:
    kind = given["type"]
    parts = [f".kind = ConstraintKind::{kind}"]
    if "who" in given:
        parts.append(f".who = {ROLES[given['who']]}")
    if kind == "tricks_won":
        parts += [f".least = {given['min']}", f".most = {given['max']}"]
    if kind == "winning_value_at_least":
        parts.append(f".least = {given['count']}")
    if kind == "balanced":
        parts.append(f".most = {given['max_gap']}")
    if kind == "win_positions":
        parts.append(f".tricks = {sum(1 << (15 if t == -1 else t - 1) for t in given['tricks']):#x}")
        parts += [".exclusive = true"] * given["exclusive"]
    if given.get("completion") == "last_trick":
        parts.append(".last_trick = true")
    if given.get("order") == "ascending":
        parts.append(".ascending = true")
    if "suit" in given:
        parts.append(f".cards = {mask(suit(given['suit']))}")
    if "value" in given:
        parts.append(f".cards = {mask([s + str(given['value']) for s in given['suits']])}")
    if "cards" in given:
        parts.append(f".cards = {mask(given['cards'])}")
    return "{" + ", ".join(parts) + "}"


def mission(given: dict[str, Any]) -> str:
    deal = next((s for s in given["setup"] if s["step"] == "deal_tasks"), None)
    radio = given["communication"]
    parts = []
    if deal:
        parts.append(f".tasks = {deal['n']}")
        if deal["tokens"]:
            parts.append(f".token_count = {len(deal['tokens'])}")
            parts.append(".token = {" + ", ".join(str(TOKENS.index(t)) for t in deal["tokens"]) + "}")
        parts.append(f".reveal = Reveal::{deal['reveal']}")
    if radio["mode"] == "dead_zone":
        parts.append(".dead_zone = true")
    if radio["from_trick"] != 1:
        parts.append(f".from_trick = {radio['from_trick']}")
    for effect in given["effects"]:
        assert effect["effect"] == "draw_from_right"
        parts.append(f".draw_after = {effect['after_trick']}")
    parts.append(f".step_count = {len(given['setup'])}")
    parts.append(f".constraint_count = {len(given['constraints'])}")
    parts.append(".step = {{" + ", ".join(map(step, given["setup"])) + "}}")
    parts.append(".constraint = {{" + ", ".join(map(constraint, given["constraints"])) + "}}")
    return f"    // {given['id']}: {given['summary']}\n    {{" + ", ".join(parts) + "},\n"


def header(data: dict[str, Any]) -> str:
    missions = data["missions"]
    assert [m["id"] for m in missions] == list(range(1, 51))
    return (
        "// The fifty missions, written by tools/thecrew_missions.py from thecrew.json; do not edit by hand.\n"
        "#pragma once\n\n#include <array>\n\n#include <kibitz/games/thecrew/mission.hpp>\n\n"
        "namespace kibitz::thecrew {\n\n// clang-format off\n"
        "inline constexpr std::array<Mission, 50> missions = {{\n"
        + "".join(map(mission, missions))
        + "}};\n// clang-format on\n\n}  // namespace kibitz::thecrew\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    text = header(json.loads(asked.data.read_text(encoding="utf-8")))
    if not asked.check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    return 0 if TARGET.read_text(encoding="utf-8") == text else 1


if __name__ == "__main__":
    sys.exit(main())
