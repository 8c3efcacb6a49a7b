"""The history of figures: what is taken from each benchmark's file, what is joined on the page."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import history
from history import Entry

ENTRY: Entry = {
    "time": "2026-12-01T04:00:00+00:00",
    "subject": "bench: <history>",
    "commit": "abc",
    "cpu": "one",
    "compiler": "GNU 12",
    "flags": "-O3",
}


@pytest.mark.parametrize(
    ("document", "taken"),
    [
        (
            {"compiler": "GNU 12", "figures": {"kami-2 playouts": {"each": 143.5, "unit": "ply"}}},
            {"instructions": {"kami-2 playouts": 143.5}},
        ),
        (
            {
                "benchmarks": [
                    {"extra_info": {"case": "kami-2", "work": "deals", "units": 4}, "stats": {"median": 2.0}},
                    {"extra_info": {}, "stats": {"median": 9.0}},
                ]
            },
            {"seconds": {"kami-2 deals": 0.5}},
        ),
        ({"rates": [], "ratios": [{"of": "a", "to": "b", "median": 20.5}]}, {"peers": {"a / b": 20.5}}),
        (
            {"base": "123", "rows": [{"case": "kami-2", "work": "deals", "ratio": 1.1}]},
            {"base": "123", "compare": {"kami-2 deals": 1.1}},
        ),
        ({"signature": "ff", "quick": True, "games": []}, {"signature": "ff", "quick": True}),
    ],
)
def test_figures_are_taken_from_each_file(document: dict[str, Any], taken: Entry) -> None:
    assert history.taken_from(document) == taken


def test_another_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no figures that are known: it has a, b"):
        history.taken_from({"b": 1, "a": 2})


def entry(cpu: str, **figures: dict[str, float]) -> Entry:
    return {**ENTRY, "cpu": cpu, **figures}


def test_times_are_joined_on_one_processor_only() -> None:
    entries = [entry(cpu, seconds={"work": 1e-6}, instructions={"work": 5}) for cpu in ("one", "two", "one")]
    times, counts = (history.series(entries, kind)["work"] for kind in ("seconds", "instructions"))
    assert [(number, value) for number, value, _, _ in times] == [(0, 1.0), (1, 1.0), (2, 1.0)]
    assert len({key for _, _, key, _ in times}) == 2
    assert history.chart(times, 3).count("<polyline") == 2
    assert history.chart(counts, 3).count("<polyline") == 1


def test_chart_begins_at_zero() -> None:
    points = history.series([entry("one", peers={"work": value}) for value in (0.0, 10.0)], "peers")["work"]
    assert 'cx="5.0" cy="55.0"' in history.chart(points, 2)
    assert 'cx="295.0" cy="5.0"' in history.chart(points, 2)


def test_page_escapes_and_lists_the_latest_first() -> None:
    first, second = entry("one", peers={"a": 1.0}), {**entry("one", peers={"a": 2.0}), "commit": "def"}
    page = history.page([first, second])
    assert "bench: &lt;history&gt;" in page
    assert "<history>" not in page
    assert page.index("<td>def") < page.index("<td>abc")
    assert "Instructions" not in page  # nothing was counted


def test_lines_are_appended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(history, "described", lambda: dict(ENTRY))
    added = tmp_path / "counts.json"
    added.write_text(json.dumps({"figures": {"kami-2 deals": {"each": 7.0}}}))
    folder = tmp_path / "deep" / "history"
    for number in (1, 2):
        monkeypatch.setattr(sys, "argv", ["history", str(folder), "--add", str(added)])
        assert history.main() == 0
        lines = (folder / "history.jsonl").read_text().splitlines()
        assert [json.loads(line)["instructions"] for line in lines] == [{"kami-2 deals": 7.0}] * number
    assert (folder / "index.html").read_text().count("<circle") == 2
    added.write_text("{}")
    assert history.main() == 2
    assert "cannot be added: no figures that are known: it has nothing" in capsys.readouterr().err
    assert len((folder / "history.jsonl").read_text().splitlines()) == 2
