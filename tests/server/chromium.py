"""A headless Chromium for the page's tests: found or not, opened, and watched for what it logs and where it goes."""

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, WebSocket

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "build" / "page"  # pictures of the page, to be looked at by people

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 30.0


def missing() -> str:
    """Why no browser can be driven here; empty if one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        return "the extra 'server' is not installed"
    return "" if shutil.which("chromium") else "there is no chromium on this machine"


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser for some tests; each opens its own context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def served(**settings: Any) -> Iterator[str]:
    """A server on a free port of loopback, in a thread of its own; its address.

    Args:
        settings: As of `ServerSettings`.
    """
    from kibitz.server.running import Server
    from kibitz.server.settings import ServerSettings

    listening = threading.Event()
    addresses: list[str] = []

    def ready(address: str) -> None:
        addresses.append(address)
        listening.set()

    server = Server(ServerSettings(port=0, **settings), ready=ready)
    thread = threading.Thread(target=server.run, name="page server", daemon=True)
    thread.start()
    try:
        assert listening.wait(START_SECONDS), "the server did not start"
        yield addresses[0]
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        assert not thread.is_alive()


class Watched:
    """A page with all that it logged, asked for and was told.

    Args:
        page: Before it has gone anywhere.
        origin: Of the server; no request may go elsewhere.
    """

    def __init__(self, page: "Page", origin: str) -> None:
        self.page = page
        self.origin = origin
        self.logged: list[str] = []
        self.requests: list[str] = []
        self.frames: list[str] = []
        self._responses: list[Response] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.logged.append(f"uncaught: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)
        page.on("websocket", self._socket)

    def open(self, path: str = "/") -> None:
        """Goes to a path of the server and waits until the page has started."""
        self.page.goto(self.origin + path)
        self.page.wait_for_selector("html[data-ready]")

    def told(self) -> list[tuple[str, str]]:
        """Path and text of every answer so far of the server's interface."""
        found = []
        for response in self._responses:
            path = urlsplit(response.url).path
            if path.startswith("/v1/"):
                found.append((path, _text(response)))
        return found

    def shot(self, name: str) -> None:
        """Keeps a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    def check(self, *, allowed: str = "") -> None:
        """Nothing was logged but what matches `allowed`, and no request left the origin."""
        bad = [line for line in self.logged if not (allowed and re.search(allowed, line))]
        assert not bad, bad
        own = (self.origin + "/", self.origin.replace("http", "ws", 1) + "/", "blob:" + self.origin)
        assert [url for url in self.requests if not url.startswith(own)] == []

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.logged.append(f"{message.type}: {message.text}")

    def _request(self, request: "Request") -> None:
        self.requests.append(request.url)

    def _response(self, response: "Response") -> None:
        self._responses.append(response)

    def _socket(self, socket: "WebSocket") -> None:
        self.requests.append(socket.url)
        socket.on("framereceived", lambda text: self.frames.append(str(text)))


def _text(response: "Response") -> str:
    from playwright.sync_api import Error

    try:
        return response.text()
    except Error:  # a request that was given up has no body
        return ""
