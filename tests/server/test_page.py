"""The page in a real browser: games are played, positions analysed and records reviewed as a person would."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kibitz
from server.chromium import Watched, chromium, missing, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.serial,  # engine and browser want the cores
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing() or "nothing"),
]

EXAMPLES = Path(kibitz.__file__).parent / "examples"
SEED = 7  # of the deals: four different hands
PHONE = {"width": 360, "height": 740}
TOKEN = "a-token-for-the-tests"


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with served(open_seeds=True) as address:
        yield address


@contextmanager
def looking(browser: "Browser", origin: str, *, allowed: str = "", **context: Any) -> Iterator[Watched]:
    """A page of its own, which at the end has logged nothing and asked nobody but its server."""
    opened = browser.new_context(**context)
    opened.set_default_timeout(30_000)
    try:
        watched = Watched(opened.new_page(), origin)
        yield watched
        watched.check(allowed=allowed)
    finally:
        opened.close()


def same_deal(page: "Page") -> None:
    """Names the deal in the request for a table, which the page leaves to chance."""

    def seeded(route: Any) -> None:
        route.continue_(post_data=json.dumps(route.request.post_data_json | {"seed": SEED}))

    page.route("**/v1/tables", seeded)


def deal_kami(page: "Page") -> None:
    """A single round of Kami from seat 0, against bots in a hurry."""
    page.select_option("#play-game", "kami")
    page.wait_for_selector("#option-rounds", state="attached")
    page.click("#play-more summary")
    page.fill("#option-rounds", "1")
    page.select_option("#play-ms", "50")
    page.click("#play-form button[type=submit]")
    mine_or_over(page, "")


def mine_or_over(page: "Page", before: str) -> str:
    """Waits until something has happened since and the person is to move, or the game is over; the events so far."""
    page.wait_for_function(
        """(before) => {
            const { n, state } = document.querySelector("#play-work").dataset;
            return n !== undefined && n !== before && state !== "waiting";
        }""",
        arg=before,
    )
    return str(page.get_attribute("#play-work", "data-n"))


def test_a_round_of_kami_is_played_to_its_end_and_nothing_hidden_is_told_before(
    browser: "Browser", origin: str
) -> None:
    with looking(browser, origin, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        same_deal(page)
        watched.open("/#play")
        deal_kami(page)
        n, turns = str(page.get_attribute("#play-work", "data-n")), 0
        while page.get_attribute("#play-work", "data-state") != "over":
            cards = page.locator("#play-scene button.card")
            moves = page.locator("#play-moves button[data-move]")
            # By its card where there is one, else by a button: both ways are used in a round.
            (cards if cards.count() else moves).first.click()
            n, turns = mine_or_over(page, n), turns + 1
            if turns == 4:
                watched.shot("play")
                page.click("#play-hint")
                page.wait_for_selector("#play-rows tr.best")
                page.wait_for_selector("#play-hint:not([disabled])")
                watched.shot("play-hint")
        assert "Score" in page.inner_text("#play-result")
        watched.shot("play-over")
        told = watched.told()
        frames = list(watched.frames)
        page.click("#play-review")
        page.wait_for_selector("#review-scene .scene")
        record = next(text for path, text in watched.told() if path.endswith("/record"))
        nothing_hidden_was_told(record, told, frames)


def nothing_hidden_was_told(record: str, told: list[tuple[str, str]], frames: list[str]) -> None:
    """Everything the page was told before the end is what seat 0 saw, and names no other hand."""
    table = kibitz.Table.from_json(record)
    seen = list(table.view(seat=0).record)
    states = [json.loads(text) for path, text in told if path.startswith("/v1/tables") and text.strip("{}")]
    assert len(states) > 5
    for state in states:
        assert state["events"] == seen[: state["n"]]
        assert state["view"]["record"] == state["events"]
        assert "seed" not in state
    own, *others = table.start["hands"]
    assert own not in others
    words = [text for _, text in told] + frames
    assert any(own in text for text in words)
    for hand in others:
        assert not [text for text in words if hand in text]


def test_undo_takes_the_last_decision_back_and_an_illegal_option_is_refused_in_its_place(
    browser: "Browser", origin: str
) -> None:
    with looking(browser, origin, allowed="status of 400") as watched:
        page = watched.page
        same_deal(page)
        watched.open("/#play")
        page.select_option("#play-game", "connect_four")
        page.wait_for_selector("#option-columns", state="attached")
        page.click("#play-more summary")
        page.eval_on_selector("#option-columns", "(node) => { node.value = 9; node.removeAttribute('max'); }")
        page.click("#play-form button[type=submit]")
        page.wait_for_selector("#play-error:not([hidden])")
        assert "columns" in page.inner_text("#play-error")
        page.fill("#option-columns", "7")
        page.select_option("#play-ms", "50")
        page.click("#play-form button[type=submit]")
        mine_or_over(page, "")
        page.locator("#play-scene button.cell").nth(3).click()
        n = mine_or_over(page, "0")
        assert n == "2"
        watched.shot("play-board")
        page.click("#play-undo")
        page.wait_for_function("() => document.querySelector('#play-work').dataset.n === '0'")
        assert page.locator("#play-log li").count() == 0
        page.reload()
        page.wait_for_selector("html[data-ready]")
        assert page.is_visible("#play-scene .grid")  # the table was kept
        page.click("#play-leave")
        assert page.is_visible("#play-form")


def test_a_crew_position_is_analysed_while_it_thinks_and_stopped(browser: "Browser", origin: str) -> None:
    with looking(browser, origin, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        page.add_init_script(REMEMBER_SOCKETS)
        watched.open()
        page.select_option("#analyse-game", "thecrew")
        page.wait_for_function("() => document.querySelectorAll('#analyse-example option').length > 1")
        page.select_option("#analyse-example", label=about("crew-card"))
        page.wait_for_function("() => document.querySelector('#analyse-text').value !== ''")
        page.click("#analyse-form button[type=submit]")
        page.wait_for_selector("#analyse-scene .card")
        page.click("#analyse-go")
        page.wait_for_selector("#analyse-rows tr.best")
        first = status(page, "")
        second = status(page, first)
        assert status(page, second) != first
        assert (
            page.locator("#analyse-rows tbody tr").count() == page.locator("#analyse-next button").count() > 1
        )
        assert page.locator("#analyse-line li").count() > 0
        watched.shot("analyse-thinking")
        # A connection that is lost is made again, and the search goes on.
        page.evaluate("window.sockets.at(-1).close()")
        page.wait_for_function("() => window.sockets.length > 1")
        status(page, page.inner_text("#analyse-status"))
        page.wait_for_function(
            "() => document.querySelector('#analyse-status').textContent.startsWith('Thinking:')"
        )
        page.click("#analyse-stop")
        page.wait_for_function(
            "() => document.querySelector('#analyse-status').textContent.includes('Stopped:')"
        )
        assert " best" in page.inner_text("#analyse-status")
        assert page.is_enabled("#analyse-go")
        watched.shot("analyse")
        before = page.inner_text("#analyse-scene")
        page.locator("#analyse-scene button.card").first.click()
        page.wait_for_selector("#analyse-back:not([disabled])")
        assert page.inner_text("#analyse-scene") != before
        page.click("#analyse-back")
        page.wait_for_selector("#analyse-back[disabled]")
        assert page.inner_text("#analyse-scene") == before


REMEMBER_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};
"""


def about(name: str) -> str:
    index = json.loads((EXAMPLES / "index.json").read_text())
    return str(next(each["about"] for each in index if each["name"] == name))


def status(page: "Page", before: str) -> str:
    """The status of the analysis once it is another."""
    page.wait_for_function(
        "(before) => !['', 'Thinking…', before].includes(document.querySelector('#analyse-status').textContent)",
        arg=before,
    )
    return page.inner_text("#analyse-status")


def test_a_position_that_cannot_be_read_is_refused_in_its_place_and_kept(
    browser: "Browser", origin: str
) -> None:
    with looking(browser, origin, allowed="status of 400") as watched:
        page = watched.page
        watched.open()
        page.fill("#analyse-text", '{"game": "kami", "seat": 0, "start": {"hand": "999"}}')
        page.click("#analyse-form button[type=submit]")
        page.wait_for_selector("#analyse-error:not([hidden])")
        assert "999" in page.inner_text("#analyse-error")
        assert "999" in page.input_value("#analyse-text")
        page.click("#analyse-deal")
        page.wait_for_selector("#analyse-scene .card")
        assert page.inner_text("#analyse-error") == ""


def test_a_record_is_stepped_through_with_keys_reviewed_and_shared(browser: "Browser", origin: str) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with looking(
        browser, origin, viewport={"width": 1280, "height": 900}, permissions=permissions
    ) as watched:
        page = watched.page
        watched.open("/#review")
        page.set_input_files("#review-file", EXAMPLES / "kami-round.json")
        page.wait_for_selector("#review-moves button")
        events = page.locator("#review-moves button").count()
        page.focus("#review-scene h2")
        for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", events), ("Home", 0)):
            page.keyboard.press(key)
            assert page.input_value("#review-slider") == str(at), key
        page.focus("#review-slider")
        page.keyboard.press("ArrowRight")
        assert page.get_attribute("#review-moves [aria-current]", "data-n") == "1"
        page.select_option("#review-ms", "50")
        page.click("#review-go")
        page.wait_for_selector("#review-graph polyline", timeout=120_000)
        assert page.inner_text("#review-status").startswith("Reviewed:")
        assert page.locator("#review-summary tbody tr").count() == 4
        marks = page.locator("#review-moves .mark")
        assert marks.count() == page.locator("#review-graph .graph-mark").count()
        page.locator("#review-moves button").nth(events // 2).click()
        assert page.is_visible("#review-scene .judgement")
        watched.shot("review")
        page.click("#review-share")
        page.wait_for_function("() => document.querySelector('#review-shared').textContent !== ''")
        link = page.evaluate("navigator.clipboard.readText()")
        assert "#record=" in link
        with page.expect_download() as saved:
            page.click("#review-download")
        document = json.loads(Path(saved.value.path()).read_text())
        assert len(document["record"]) == events
        page.click("#review-analyse")
        page.wait_for_selector("#analyse-scene .card")
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_selector("#review-moves button")
        assert page.locator("#review-moves button").count() == events


def test_a_review_can_be_given_up(browser: "Browser", origin: str) -> None:
    with looking(browser, origin) as watched:
        page = watched.page
        watched.open("/#review")
        page.fill("#review-text", (EXAMPLES / "kami-round.txt").read_text())
        page.click("#review-form button[type=submit]")
        page.wait_for_selector("#review-moves button")
        page.select_option("#review-ms", "1000")
        page.click("#review-go")
        page.wait_for_function(
            "() => document.querySelector('#review-status').textContent.startsWith('Reviewing: ')"
        )
        page.click("#review-stop")
        assert page.inner_text("#review-status") == "Not reviewed."
        assert page.is_visible("#review-go")


def test_a_damaged_link_says_so(browser: "Browser", origin: str) -> None:
    with looking(browser, origin) as watched:
        watched.open("/#record=%%%")
        assert "damaged" in watched.page.inner_text("#review-error")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_sideways(
    browser: "Browser", origin: str, scheme: str
) -> None:
    with looking(browser, origin, viewport=PHONE, color_scheme=scheme, has_touch=True) as watched:
        page = watched.page
        same_deal(page)
        watched.open()
        fits(page)
        page.fill("#analyse-text", (EXAMPLES / "crew-card.json").read_text())
        page.tap("#analyse-form button[type=submit]")
        page.wait_for_selector("#analyse-scene .card")
        page.tap("#analyse-go")
        page.wait_for_selector("#analyse-rows tr.best")
        page.tap("#analyse-stop")
        page.wait_for_selector("#analyse-stop[disabled]")
        fits(page)
        watched.shot(f"phone-analyse-{scheme}")
        page.tap("#tab-play")
        fits(page)
        for game in ("thecrew", "connect_four", "hearts", "kami"):
            page.select_option("#play-game", game)
            page.wait_for_function(f"() => document.querySelector('#play-form').dataset.game === '{game}'")
            page.select_option("#play-ms", "50")
            page.tap("#play-form button[type=submit]")
            page.wait_for_selector("#play-scene .scene")
            mine_or_over(page, "")
            fits(page)
            watched.shot(f"phone-{game}-{scheme}")
            page.tap("#play-leave")
        page.tap("#tab-review")
        page.fill("#review-text", (EXAMPLES / "kami-round.txt").read_text())
        page.tap("#review-form button[type=submit]")
        page.wait_for_selector("#review-moves button")
        fits(page)
        watched.shot(f"phone-review-{scheme}")


def fits(page: "Page") -> None:
    """The page is no wider than the window."""
    wide = page.evaluate(
        """() => {
            const width = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= width) return [];
            return [...document.querySelectorAll("body *")]
                .filter((node) => node.getBoundingClientRect().right > width + 1)
                .map((node) => `${node.tagName} ${node.id} ${node.getAttribute("class")}`);
        }"""
    )
    assert wide == []


def test_a_move_is_played_by_keyboard_alone(browser: "Browser", origin: str) -> None:
    with looking(browser, origin) as watched:
        page = watched.page
        same_deal(page)
        watched.open()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        tab_to(page, "#tab-analyse")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == "tab-play"
        assert page.is_visible("#play")
        tab_to(page, "#play-ms")
        page.keyboard.press("ArrowUp")
        assert page.input_value("#play-ms") == "50"
        tab_to(page, "#play-form button[type=submit]")
        page.keyboard.press("Enter")
        n = mine_or_over(page, "")
        # The keyboard is at the table now: the moves come next.
        tab_to(page, "#play-work [data-move]")
        page.keyboard.press("Enter")
        mine_or_over(page, n)
        assert page.evaluate("document.querySelector('#play-work').contains(document.activeElement)")
        assert page.locator("#play-log li").count() > 0


def tab_to(page: "Page", selector: str, most: int = 60) -> None:
    """Tab until something is reached; what has the focus shows it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            return
    raise AssertionError(f"{selector} is not reached by {most} times Tab")


def test_everything_has_a_name_and_the_headings_are_in_order(browser: "Browser", origin: str) -> None:
    with looking(browser, origin) as watched:
        page = watched.page
        same_deal(page)
        watched.open("/#play")
        deal_kami(page)
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, select, textarea, input, [role=img], section, nav")]
                .filter((node) => !(node.labels?.length || node.ariaLabel || node.textContent.trim()
                    || node.getAttribute("aria-labelledby")))
                .map((node) => node.outerHTML)"""
        )
        assert nameless == []
        assert page.locator("main").count() == page.locator("h1").count() == 1
        levels = page.evaluate(
            """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((node) => node.checkVisibility())
                .map((node) => Number(node.tagName[1]))"""
        )
        assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
        assert page.locator("[style]").count() == 0  # all looks come from the style sheet


def test_a_token_is_asked_for_once_and_used_everywhere(browser: "Browser") -> None:
    with served(token=TOKEN) as origin, looking(browser, origin, allowed="status of 401") as watched:
        page = watched.page
        page.goto(origin)
        page.wait_for_selector("#token-form:not([hidden])")
        page.fill("#token", "not this one")
        page.click("#token-form button")
        page.wait_for_function("() => document.querySelector('#token').value === ''")
        page.wait_for_selector("#token-form:not([hidden])")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector("html[data-ready]")
        analyses_a_deal(page)
        assert not [url for url in watched.requests if TOKEN in url]


def test_a_token_in_the_address_is_taken_and_hidden(browser: "Browser") -> None:
    with served(token=TOKEN) as origin, looking(browser, origin) as watched:
        watched.open(f"/?token={TOKEN}")
        assert TOKEN not in watched.page.url
        analyses_a_deal(watched.page)


def analyses_a_deal(page: "Page") -> None:
    page.select_option("#analyse-game", "connect_four")
    page.click("#analyse-deal")
    page.wait_for_selector("#analyse-scene .cell")
    page.click("#analyse-go")
    page.wait_for_selector("#analyse-rows tr.best")
    page.click("#analyse-stop")
    page.wait_for_selector("#analyse-stop[disabled]")
