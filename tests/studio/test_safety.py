"""The border of the studio: who may ask, from where, with what; and no address reaches a file that is no run."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from deckatlas.studio.app import Options, create_app
from deckatlas.studio.safety import HEADERS, is_everywhere, is_loopback
from helpers.studio import in_a_loop_of_its_own

HERE = "http://127.0.0.1:8321"
TOKEN = "the-token"


def client_of(folder: Path, *, host: str = "127.0.0.1", token: str | None = None, base: str = HERE) -> TestClient:
    app = create_app(Options(folder, host=host, token=token))
    return TestClient(app, base_url=base, raise_server_exceptions=False, follow_redirects=False)


def status(client: TestClient, path: str = "/api/runs", *, method: str = "GET", **headers: str) -> int:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return int(client.request(method, path, headers=sent).status_code)


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("127.0.0.1:8321", True),
        ("127.0.0.1", True),
        ("localhost:8321", True),
        ("LOCALHOST:8321", True),
        ("LocalHost", True),
        ("[::1]:8321", True),
        ("[0:0:0:0:0:0:0:1]:8321", True),
        ("127.8.9.10:8321", True),
        ("", False),
        ("evil.example", False),
        ("evil.example:8321", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1@evil.example", False),
        ("evil.example@127.0.0.1", False),
        ("127.0.0.1:8321/evil", False),
        ("127.0.0.1:port", False),
        ("127.0.0.1:999999", False),
        ("127.0.0.1, evil.example", False),
        ("0.0.0.0:8321", False),
        ("[::]:8321", False),
        ("::1", False),
        ("[::1", False),
        ("192.168.1.2:8321", False),
    ],
)
def test_only_names_of_this_machine_are_served_on_loopback(tmp_path: Path, host: str, served: bool) -> None:
    assert status(client_of(tmp_path), host=host) == (200 if served else 403)


def answer_to(app: FastAPI, path: str, headers: list[tuple[bytes, bytes]]) -> tuple[int, bytes]:
    """Status and content of a request with exactly this path and these headers; clients would make both plain."""
    sent: list[dict[str, Any]] = []
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),  # as the server does
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "server": ("127.0.0.1", 8321),
        "client": ("127.0.0.1", 1),
    }

    asked = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not asked:
            await asyncio.sleep(60)  # the client stays
        return asked.pop()

    async def send(message: Any) -> None:
        sent.append(dict(message))

    in_a_loop_of_its_own(app(scope, receive, send))
    return int(sent[0]["status"]), b"".join(each.get("body", b"") for each in sent[1:])


def test_a_request_names_one_host(tmp_path: Path) -> None:
    app = create_app(Options(tmp_path))
    ours, other = (b"host", b"127.0.0.1:8321"), (b"host", b"evil.example")
    for headers, expected in (
        ([ours], 200),
        ([], 403),
        ([ours, other], 403),
        ([other, ours], 403),
        ([other, (b"x-forwarded-host", b"127.0.0.1:8321")], 403),
    ):
        assert answer_to(app, "/api/runs", headers)[0] == expected


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://127.0.0.1:8321", True),
        ("HTTP://127.0.0.1:8321", True),
        ("null", False),
        ("", False),
        ("http://evil.example", False),
        ("http://127.0.0.1", False),
        ("http://127.0.0.1:9999", False),
        ("https://127.0.0.1:8321", False),
        ("http://localhost:8321", False),
        ("http://127.0.0.1:8321.evil.example", False),
        ("http://127.0.0.1:8321@evil.example", False),
        ("file://", False),
        ("chrome-extension://127.0.0.1:8321", False),
    ],
)
def test_an_origin_must_be_that_of_the_studio(tmp_path: Path, origin: str, allowed: bool) -> None:
    assert status(client_of(tmp_path), origin=origin) == (200 if allowed else 403)
    assert status(client_of(tmp_path), method="POST", origin=origin) == (405 if allowed else 403)


def test_the_default_port_need_not_be_named(tmp_path: Path) -> None:
    client = client_of(tmp_path, base="http://127.0.0.1")
    assert status(client, host="127.0.0.1:80", origin="http://127.0.0.1") == 200
    assert status(client, host="127.0.0.1", origin="https://127.0.0.1") == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something new"])
def test_other_sites_may_open_a_page_and_nothing_else(tmp_path: Path, site: str) -> None:
    client = client_of(tmp_path)
    assert status(client, sec_fetch_site=site) == 403
    assert status(client, "/api/openapi.json", sec_fetch_site=site) == 403
    assert status(client, "/", sec_fetch_site=site) in (200, 503)  # 503: the pages are not built
    assert status(client, "/", method="POST", sec_fetch_site=site) == 403
    for ours in ("same-origin", "none"):
        assert status(client, sec_fetch_site=ours) == 200


def test_without_a_token_other_machines_are_not_served(tmp_path: Path) -> None:
    assert status(client_of(tmp_path, host="::1"), host="[::1]:8321") == 200
    assert status(client_of(tmp_path, host="::1"), host="[2001:db8::1]:8321") == 403


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "Atlas.Example"])
def test_other_machines_need_the_token(tmp_path: Path, host: str) -> None:
    base = "http://atlas.example:8321" if host == "Atlas.Example" else "http://192.168.1.2:8321"
    client = client_of(tmp_path, host=host, token=TOKEN, base=base)
    assert status(client) == 401
    assert status(client, "/") == 401
    assert status(client, "/assets/x.js") == 401
    assert status(client, "/api/openapi.json") == 401
    assert status(client, authorization=f"Bearer {TOKEN}") == 200
    for wrong in (f"Bearer {TOKEN}x", "Bearer ", "Bearer the-toke", f"Basic {TOKEN}"):
        assert status(client, authorization=wrong) == 401
    assert status(client, host="evil.example:8321", authorization=f"Bearer {TOKEN}") == (
        200 if is_everywhere(host) else 403
    )
    assert status(client, host="evil.example:8321") == (401 if is_everywhere(host) else 403)


def test_the_token_of_an_address_becomes_a_cookie_and_leaves_the_address(tmp_path: Path) -> None:
    client = client_of(tmp_path, host="192.168.1.2", token=TOKEN, base="http://192.168.1.2:8321")
    answer = client.get(f"/runs/a%20b?card=x%26y&token={TOKEN}&empty=")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/runs/a%20b?card=x%26y&empty="
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert client.get("/api/runs").status_code == 200
    client.cookies.clear()
    assert client.get("/api/runs").status_code == 401
    assert client.get("/api/runs?token=wrong").status_code == 401
    assert client.get("/api/runs?token=").status_code == 401


def test_a_link_with_the_token_leads_to_no_other_site(tmp_path: Path) -> None:
    client = client_of(tmp_path, host="192.168.1.2", token=TOKEN, base="http://192.168.1.2:8321")
    for path in (
        "//evil.example/",
        "/%2Fevil.example/",
        "/%5Cevil.example/",
        "/%0D%0ALocation:%20http:%2F%2Fevil.example/",
    ):
        answer = client.get(f"http://192.168.1.2:8321{path}?token={TOKEN}")
        assert answer.headers["location"].startswith("/")
        assert answer.headers["location"][1] not in "/\\"


def test_cookies_of_others_do_not_hide_ours(tmp_path: Path) -> None:
    client = client_of(tmp_path, host="192.168.1.2", token=TOKEN, base="http://192.168.1.2:8321")
    assert status(client, cookie=f'theirs={{"a": [1, 2]}}; =; deckatlas_token_8321={TOKEN}; x') == 200
    assert status(client, cookie=f"deckatlas_token_9999={TOKEN}") == 401  # of another studio on this host


@pytest.mark.parametrize(
    "path", ["/", "/api/runs", "/api/nothing", "/api/runs/none/overview", "/assets/none.js", "/runs/x", "/assets/"]
)
def test_every_answer_has_our_headers(client: TestClient, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "OPTIONS", "TRACE"):
        answer = client.request(method, path)
        assert HEADERS.items() <= dict(answer.headers).items()
        assert "access-control-allow-origin" not in answer.headers


def test_refusals_and_mistakes_have_our_headers_and_one_line(tmp_path: Path) -> None:
    app = create_app(Options(tmp_path))

    def fails() -> None:
        raise LookupError("a secret of the machine")

    app.router.routes.insert(0, APIRoute("/api/fails", fails))
    client = TestClient(app, base_url=HERE, raise_server_exceptions=False)
    for answer in (client.get("/api/fails"), client.get("/api/runs", headers={"host": "evil.example"})):
        assert HEADERS.items() <= dict(answer.headers).items()
        assert list(answer.json()) == ["error"]
        assert "secret" not in answer.text
    assert client.get("/api/fails").status_code == 500
    assert client.get("/api/runs").status_code == 200


def test_the_policy_allows_files_of_the_studio_alone() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    for word in ("unsafe", "http", "*", "wasm", "data: blob: 'self'"):
        assert word not in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy


ESCAPES = [
    *(
        "..",
        "../../etc/passwd",
        "%2e%2e",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "..%2f..%2fpyproject.toml",
        "%2Fetc%2Fpasswd",
    ),
    *("..%5c..%5cwindows", "%00", "hunter%00.db", "hunter.db", "hunter%2fdb", ".", "~", "%ff%fe", "%ed%a0%80", "more"),
    *("hunter.db-wal", "CON", "a" * 300, "%252e%252e%252fetc", "hunter%0a", "hunter%20", "file:%2f%2f%2fetc%2fpasswd"),
]


@pytest.mark.parametrize("tried", ESCAPES)
def test_no_id_in_an_address_opens_a_file(studio_runs: Path, tried: str) -> None:
    app = create_app(Options(studio_runs))
    for asked in (f"runs/{tried}", f"runs/{tried}/overview", f"events?run={tried}"):
        status, content = answer_to(app, f"/api/{asked}", [(b"host", b"127.0.0.1:8321")])
        assert status in (404, 422), content
        assert list(json.loads(content)) == ["error"]


@pytest.mark.parametrize("tried", ESCAPES)
def test_no_address_of_a_file_leaves_the_built_pages(tmp_path: Path, tried: str) -> None:
    pages = tmp_path / "pages"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<title>ours</title>")
    (pages / "assets" / "a.js").write_text("ours")
    (tmp_path / "secret.txt").write_text("secret")
    (pages / "assets" / "link.txt").symlink_to(tmp_path / "secret.txt")
    app = create_app(Options(tmp_path), pages=pages)
    client = TestClient(app, base_url=HERE)
    assert client.get("/assets/a.js").text == "ours"
    assert client.get("/assets/link.txt").status_code == 404
    for path in (f"/assets/{tried}", f"/assets/..%2f..%2f{tried}", f"/{tried}", "/assets/..%2f..%2fsecret.txt"):
        status, content = answer_to(app, path, [(b"host", b"127.0.0.1:8321")])
        assert status == 404 or (status == 200 and content == b"<title>ours</title>"), (path, content)


def test_sockets_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WebSocketDisconnect) as refused, client_of(tmp_path).websocket_connect("/api/runs"):
        pass
    assert refused.value.code == 1008


def test_what_is_loopback_and_what_is_everywhere() -> None:
    assert all(is_loopback(each) for each in ("127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST"))
    assert not any(is_loopback(each) for each in ("", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example", "localhost."))
    assert all(is_everywhere(each) for each in ("0.0.0.0", "::"))
    assert not any(is_everywhere(each) for each in ("", "127.0.0.1", "10.0.0.1", "example"))


def test_pages_do_not_wait_for_the_routes_of_the_api(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.html").write_text("the page")
    app = create_app(Options(tmp_path), pages=tmp_path / "pages")
    app.router.routes.clear()  # FastAPI builds all of them when the first is asked for, which takes long
    client = TestClient(app, base_url="http://127.0.0.1")
    assert client.get("/runs/any").text == "the page"
    assert client.get("/api/runs").status_code == 404


def test_a_page_that_fails_says_so_like_everything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("the page")

    def broken(*_: Any, **__: Any) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("deckatlas.studio.app.FileResponse", broken)
    app = create_app(Options(tmp_path), pages=tmp_path)
    answer = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False).get("/")
    assert (answer.status_code, list(answer.json())) == (500, ["error"])
    assert set(HEADERS) <= set(answer.headers)
