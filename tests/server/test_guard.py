"""Who may come in, what every answer carries, and what the log may know."""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Iterator

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from kibitz.errors import InvalidOption
from kibitz.server.settings import ServerSettings, is_loopback
from server.local import Local, local, say

TOKEN = "only-for-members"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def here() -> Iterator[Local]:
    with local(allowed_origins=("https://club.example",), allowed_hosts=("kibitz.example",)) as found:
        yield found


@pytest.fixture(scope="module")
def closed() -> Iterator[Local]:
    with local(token=TOKEN) as found:
        yield found


def as_subprotocol(token: str) -> Subprotocol:
    return Subprotocol("kibitz.token." + urlsafe_b64encode(token.encode()).decode().rstrip("="))


# ---- headers ----


@pytest.mark.parametrize(
    "path", ["/", "/page/page.js", "/docs", "/openapi.json", "/v1/games", "/nothing", "/v1/best"]
)
def test_every_answer_has_the_security_headers(here: Local, path: str) -> None:
    answer = here.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(("path", "kept"), [("/v1/games", "no-store"), ("/", "no-cache")])
def test_what_may_be_kept(here: Local, path: str, kept: str) -> None:
    assert here.get(path).headers["cache-control"] == kept


# ---- token ----


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/docs", "/docs/style.css", "/openapi.json", "/page/page.js"]
)
def test_open_without_a_token(closed: Local, path: str) -> None:
    assert closed.get(path).status == 200


@pytest.mark.parametrize(
    "given",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer é",
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/v1/games"), ("POST", "/v1/best"), ("GET", "/v1/nothing")]
)
def test_closed_without_the_token(closed: Local, method: str, path: str, given: str) -> None:
    answer = closed.call(method, path, headers={"Authorization": given} if given else {})
    assert (answer.status, answer.kind) == (401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert TOKEN not in answer.text


def test_closed_are_paths_that_nobody_named(closed: Local) -> None:
    assert closed.get("/nothing").status == 401
    assert closed.get("//v1/games").status == 401
    assert closed.get("/docs/../v1/games").status == 404  # no path is that, whoever asks


@pytest.mark.parametrize("word", ["Bearer", "bearer", "BEARER "])
def test_open_with_the_token(closed: Local, word: str) -> None:
    assert closed.get("/v1/games", headers={"Authorization": f"{word} {TOKEN}"}).status == 200


def test_token_on_a_websocket(closed: Local) -> None:
    with closed.connect(additional_headers=BEARER) as socket:
        assert say(socket, "hello", 1, protocol="1")["result"]["protocol"] == "1.0"
    with closed.connect(subprotocols=[Subprotocol("kibitz.1"), as_subprotocol(TOKEN)]) as socket:
        assert socket.subprotocol == "kibitz.1"
        assert say(socket, "hello", 1, protocol="1")["result"]["protocol"] == "1.0"


@pytest.mark.parametrize(
    "subprotocols",
    [
        None,
        ["kibitz.1"],
        ["kibitz.1", as_subprotocol("another-token")],
        ["kibitz.1", "kibitz.token.!"],
        ["kibitz.token."],
    ],
)
def test_no_token_no_websocket(closed: Local, subprotocols: list[Subprotocol] | None) -> None:
    with pytest.raises(InvalidStatus) as refused, closed.connect(subprotocols=subprotocols):
        pass
    assert refused.value.response.status_code == 401
    assert b"unauthorized" in refused.value.response.body


def test_token_in_the_address_is_none(closed: Local) -> None:
    assert closed.get(f"/v1/games?token={TOKEN}").status == 401


# ---- names and origins ----


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:8765", "LOCALHOST", "[::1]:1", "kibitz.example", "kibitz.example."]
)
def test_called_by_its_name(here: Local, host: str) -> None:
    assert here.get("/healthz", headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "", "10.0.0.1"]
)
def test_called_by_another_name(here: Local, host: str) -> None:
    answer = here.get("/healthz", headers={"Host": host})
    assert (answer.status, answer.kind) == (403, "forbidden")


def test_origins(here: Local) -> None:
    own = f"127.0.0.1:{here.port}"
    for origin in (f"http://{own}", "https://club.example", "HTTPS://CLUB.example"):
        assert here.get("/v1/games", headers={"Origin": origin, "Host": own}).status == 200
        with here.connect(origin=origin) as socket:
            assert "result" in say(socket, "hello", 1, protocol="1")
    for origin in (
        "null",
        "http://evil.example",
        "http://127.0.0.1:1",
        f"http://{own}.evil.example",
        "https://club.example:1",
    ):
        answer = here.get("/v1/games", headers={"Origin": origin, "Host": own})
        assert (answer.status, answer.kind) == (403, "forbidden"), origin
        with pytest.raises(InvalidStatus) as refused, here.connect(origin=origin):
            pass
        assert refused.value.response.status_code == 403


# ---- settings ----


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "kibitz.example"])
def test_open_address_needs_a_token(host: str) -> None:
    with pytest.raises(InvalidOption, match="KIBITZ_TOKEN"):
        ServerSettings(host=host)
    assert not ServerSettings(host=host, token=TOKEN).loopback
    assert not ServerSettings(host=host, no_token=True).loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)
    assert ServerSettings(host=host).loopback


@pytest.mark.parametrize("token", ["short", "with a space in it", "tab\tinside it", "ümlaut-in-it", ""])
def test_bad_tokens_are_refused_and_not_shown(token: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        ServerSettings(token=token)
    assert not token or token not in str(refused.value)


def test_token_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TOKEN", TOKEN)
    assert ServerSettings.from_environment().token == TOKEN
    assert TOKEN not in repr(ServerSettings.from_environment())
    monkeypatch.setenv("KIBITZ_TOKEN", "")
    assert ServerSettings.from_environment().token is None


@pytest.mark.parametrize(
    "given",
    [
        {"port": 70_000},
        {"port": True},
        {"workers": 0},
        {"queue": 0},
        {"max_body": 1 << 21},
        {"host": ""},
        {"host": "a\nb"},
        {"body_seconds": 0},
        {"allowed_hosts": "kibitz.example"},
        {"allowed_origins": ("",)},
    ],
)
def test_settings_are_checked(given: dict[str, object]) -> None:
    with pytest.raises(InvalidOption):
        ServerSettings(**given)  # type: ignore[arg-type]


# ---- the log ----


def test_log_has_no_hands_moves_or_tokens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), local(token=TOKEN) as here:
        here.headers |= BEARER
        table = here.post("/v1/tables", {"game": "kami", "bots": {"iterations": 10}}).json
        here.get(f"/v1/tables/{table['id']}?after=99")
        here.post(f"/v1/tables/{table['id']}/moves", {"n": 0, "move": "d3"})
        here.post("/v1/position", {"text": "xxxxxxxx,xxxxxxxx,11124678,xxxxxxxx,s3"})
        with here.connect(additional_headers=BEARER) as socket:
            say(socket, "hello", 1, protocol="1")
            say(socket, "new", 2, game="kami", seat=0, start={"hand": "11113477", "first": 1}, events=["1:-"])
    records = [each for each in caplog.records if not each.name.startswith("websockets.client")]
    said = "\n".join(each.getMessage() for each in records)
    assert "POST /v1/tables 201" in said
    assert f"GET /v1/tables/{table['id'][:6]}… 200" in said
    assert "WS /v1/ws 101" in said
    for secret in (TOKEN, table["id"], "11124678", "11113477", "1:-", '"d3"', "after"):
        assert secret not in said


def test_log_has_them_when_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), local(token=TOKEN, log_hands=True) as here:
        here.headers |= BEARER
        here.post("/v1/position", {"text": "xxxxxxxx,xxxxxxxx,11124678,xxxxxxxx,s3"})
        with here.connect(additional_headers=BEARER) as socket:
            say(socket, "hello", 1, protocol="1")
            say(socket, "new", 2, game="kami", seat=0, start={"hand": "11113477", "first": 1})
    assert "11124678" in caplog.text
    assert "11113477" in caplog.text
    assert TOKEN not in caplog.text


def test_log_lines_cannot_be_forged(here: Local, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        here.get("/a%0aGET%20/v1/games%20200%1b[2J")
    assert all(record.getMessage().isprintable() for record in caplog.records)
