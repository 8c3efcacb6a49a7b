"""Tables of a page made from measurements: nothing in them is typed by hand.

A table stands between `<!-- table NAME -->` and `<!-- end -->`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import machine

Results = dict[str, Any]


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; all columns but the first are numbers."""
    header = list(header)
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float) -> str:
    """Three digits that count."""
    value = max(value, 0.0)  # a difference of two runs may miss 0 by a hair
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def measured_on(facts: dict[str, Any], load: str = "") -> str:
    """The machine in a sentence, and whether it did other work."""
    others = "an unknown share" if facts["busy"] is None else f"{facts['busy']:.0%}"
    busy = "idle" if machine.is_idle(facts) else f"**{others} of the processors at other work: provisional**"
    clock = f" at {facts['clock_ghz']} GHz" if facts["clock_ghz"] else ""
    return (
        f"{facts['date']}, commit `{facts['commit']}`, {facts['cpu']}, {facts['cores']} cores{clock}, "
        f"{facts['compiler']}, `{facts['flags']}`; load average {load or facts['load']}; {busy}."
    )


def filled(
    page: str, tables: Mapping[str, Callable[[Results], str]], needs: Mapping[str, str], found: Results
) -> str:
    """The page with its tables made from the results. A part that was not measured says so.

    Args:
        page: Its text.
        tables: What makes each table.
        needs: The part of the results that a table is made from, where it has another name.
        found: The results, by part.
    """

    def fill(match: "re.Match[str]") -> str:
        name = match[1]
        text = tables[name](found) if needs.get(name, name) in found else "Not measured."
        return f"<!-- table {name} -->\n{text}\n<!-- end -->"

    return re.sub(r"<!-- table (\S+) -->\n.*?<!-- end -->", fill, page, flags=re.DOTALL)
