"""Every parameter of every method: taken, checked, needed, misspelt."""

from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.protocol.messages import METHODS
from protocol.parameters import TAKES, ready
from protocol.tables import KAMI_LEGAL, kami
from protocol.wire import Local

PARAMETERS = [(method, name) for method, (_, names) in TAKES.items() for name in names]


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as opened:
        yield opened


@pytest.fixture
def table(local: Local) -> Local:
    """With session "t" in which seat 0 is to decide."""
    local.ask("new", s="t", **kami())
    return local


def test_every_parameter_of_every_method_is_tested() -> None:
    assert TAKES.keys() == METHODS.keys()
    for method, (_, names) in TAKES.items():
        assert names.keys() == METHODS[method].params.model_fields.keys(), method


@pytest.mark.parametrize(("method", "name"), PARAMETERS)
def test_every_parameter_is_taken(local: Local, method: str, name: str) -> None:
    given, names = TAKES[method]
    for value in names[name][0]:
        ready(local)
        local.ask("set", s="t", info_ms=0, seed=7)
        request = local.send(method, **given | {name: value})
        if value == "stop":
            local.ask("stop", s="t")
        assert isinstance(local.result(request), dict)


@pytest.mark.parametrize(("method", "name"), PARAMETERS)
def test_r2_every_parameter_is_checked(local: Local, method: str, name: str) -> None:
    given, names = TAKES[method]
    ready(local)
    before = local.ask("state", s="t")
    for value in names[name][1]:
        error = local.error(method, **given | {name: value})
        assert error.kind == "bad_value", (value, error)
        assert error.data["field"].partition("[")[0].partition(".")[0] == name, (value, error.data)
        assert "given" in error.data or value is None or isinstance(value, dict | list), (value, error.data)
        assert local.ask("state", s="t") == before


@pytest.mark.parametrize("method", [name for name, (given, _) in TAKES.items() if given])
def test_r2_what_is_needed_is_named(local: Local, method: str) -> None:
    ready(local)
    given, _ = TAKES[method]
    needed = [name for name, field in METHODS[method].params.model_fields.items() if field.is_required()]
    for name in needed:
        error = local.error(method, **{each: value for each, value in given.items() if each != name})
        assert (error.kind, error.data["field"]) == ("bad_value", name)
        assert name in error.message


@pytest.mark.parametrize("method", METHODS)
def test_r2_unknown_parameters_are_refused_and_the_nearest_named(local: Local, method: str) -> None:
    ready(local)
    given, names = TAKES[method]
    for wrong in ["zebra", *(f"{name}x" for name in names)]:
        error = local.error(method, **given | {wrong: 1})
        assert (error.kind, error.data["field"]) == ("unknown_param", wrong)
        assert error.data["allowed"] == sorted(names)
        if wrong != "zebra" and len(wrong) > 3:
            assert f"did you mean '{wrong[:-1]}'" in error.message
    assert not local.host.closed  # of quit, too
    assert local.ask("legal", s="t")["moves"] == KAMI_LEGAL


@pytest.mark.parametrize(
    ("method", "given", "field"),
    [
        ("go", {"clock": {"main": 1}}, "clock.main"),
        ("go", {"pace": {"min_ms": 1, "max_ms": 2}}, "pace.max_ms"),
        ("new", {"search": {"nam": "ismcts"}}, "search.nam"),
        ("set", {"pace": {"min_ms": 1, "jitter": 2}}, "pace.jitter"),
        ("end", {"review": {"depth": 1}}, "review.depth"),
        ("end", {"review": {"search": {"nam": "x"}}}, "review.search.nam"),
    ],
)
def test_r2_unknown_parameters_inside_others(
    table: Local, method: str, given: dict[str, Any], field: str
) -> None:
    error = table.error(method, **TAKES[method][0] | given)
    assert (error.kind, error.data["field"]) == ("unknown_param", field)
    assert error.data["allowed"]


@pytest.mark.parametrize(
    ("method", "given", "field"),
    [
        ("event", {"moves": ["1:-", 2]}, "moves[1]"),
        ("go", {"allow": ["p", 1]}, "allow[1]"),
        ("go", {"clock": {"main_ms": "x"}}, "clock.main_ms"),
        ("new", {"search": {"tuning": {"bias": "x"}}}, "search.tuning.bias"),
        ("end", {"review": {"seats": [0, "1"]}}, "review.seats[1]"),
    ],
)
def test_fields_name_the_place(table: Local, method: str, given: dict[str, Any], field: str) -> None:
    assert table.error(method, **TAKES[method][0] | given).data["field"] == field


def test_set_changes_nothing_if_one_value_is_bad(table: Local) -> None:
    before = table.ask("set")
    assert table.error("set", threads=2, memory_mb=32, overhead_ms=-1).kind == "bad_value"
    assert table.ask("set") == before
    assert table.ask("set", s="t") == before | {"seed": 7}


def test_set_for_one_session_and_for_all(table: Local) -> None:
    table.ask("new", s="u", **kami(seed=3))
    assert table.ask("set", s="t", overhead_ms=5, threads=2)["threads"] == 2
    assert table.ask("set", s="u")["threads"] == 1
    assert table.ask("set", memory_mb=16)["memory_mb"] == 16
    assert [table.ask("set", s=name)["memory_mb"] for name in ("t", "u")] == [16, 16]
    assert table.ask("set", s="t")["overhead_ms"] == 5  # not touched by the other
    table.ask("new", s="v", **kami())
    assert table.ask("set", s="v")["memory_mb"] == 16
    paced = table.ask("set", s="v", pace={"min_ms": 5})
    assert paced["pace"] == {"min_ms": 5, "jitter_ms": 0}
    assert table.ask("set", s="v", pace=None)["pace"] is None
    assert table.error("set", s="nobody").kind == "unknown_session"
