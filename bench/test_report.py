"""The tables of docs/performance.md are those of performance.json: no figure there is typed by hand."""

import json

import report


def test_page_shows_the_results() -> None:
    page = report.PAGE.read_text()
    assert page == report.page_with(json.loads(report.RESULTS.read_text()), page), (
        "./dev bench report --tables"
    )
