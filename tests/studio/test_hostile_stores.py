"""Runs of strangers in the studio: damaged, forged, or with names that would be markup. Others stay whole."""

import json
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect

from deckatlas.runs.hashes import names_hash, text_hash
from deckatlas.studio.app import Options, create_app
from fuzz.studio import StudioCampaign
from helpers.studio import WIDE, picture, served
from helpers.studio_api import ADDRESS
from helpers.studio_pages import example_of, page_patterns, shown

STORES = 60


@pytest.mark.long
def test_mutated_stores_are_shown_or_refused_and_leave_others_whole(tmp_path: Path) -> None:
    with StudioCampaign(tmp_path, random.Random("the same stores")) as campaign:
        for _ in range(STORES):
            campaign.step()
    assert campaign.findings == []
    assert campaign.statuses[200] > STORES  # many changes can be shown
    assert campaign.statuses[409] >= 20  # and some are refused


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00", b"no store", b"\x00" * 100_000])
def test_files_that_are_no_stores_have_a_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.db").write_bytes(content)
    client = TestClient(create_app(Options(tmp_path)), base_url=ADDRESS)
    (line,) = client.get("/api/runs").json()
    assert (line["state"], line["name"]) == ("unreadable", "odd")
    assert line["problem"]
    answer = client.get("/api/runs/odd/overview")
    assert answer.status_code == 409
    assert "odd.db" in answer.json()["error"]


def test_names_of_bytes_long_names_and_crafted_names_hide_no_run(tmp_path: Path, studio_runs: Path) -> None:
    content = (studio_runs / "hunter.db").read_bytes()
    plain = TestClient(create_app(Options(tmp_path)), base_url=ADDRESS)
    names = ["a b", "..", "-", "n" * 240, "<img src=x>", "\u202egpj", "%2e%2e", "\x1b[31m"]
    for name in names:
        (tmp_path / f"{name}.db").write_bytes(content)
    (crafted,) = (line["id"] for line in plain.get("/api/runs").json() if line["name"] == "a b")
    (tmp_path / f"{crafted}.db").write_bytes(content)
    Path(f"{tmp_path}/\udcff.db").write_bytes(content)
    lines = {line["name"]: line for line in plain.get("/api/runs").json()}
    assert set(lines) == {*names, crafted, "\\udcff"}
    assert len({line["id"] for line in lines.values()}) == len(lines)
    assert lines["\\udcff"]["state"] == "unreadable"
    assert plain.get(f"/api/runs/{lines[chr(92) + 'udcff']['id']}/overview").status_code == 409
    for name in (*names, crafted):
        assert plain.get(f"/api/runs/{lines[name]['id']}/overview").json()["name"] == "hunter"


def test_a_pipe_in_the_place_of_a_lock_or_a_run_is_not_waited_for(tmp_path: Path, studio_runs: Path) -> None:
    (tmp_path / "run.db").write_bytes((studio_runs / "hunter.db").read_bytes())
    os.mkfifo(tmp_path / "run.db-lock")
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "folder.db").mkdir()
    client = TestClient(create_app(Options(tmp_path)), base_url=ADDRESS)
    assert [(line["name"], line["state"]) for line in client.get("/api/runs").json()] == [("run", "finished")]


MARKUP = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>&lt; \x1b[31m\u202egpj"
SHOWN = MARKUP.replace("\x1b", r"\u001b").replace("\u202e", r"\u202e")


def write_hostile(store: Path, path: Path) -> None:
    """A copy of a store in which every name is markup, with characters that control terminals and turn lines around."""
    path.write_bytes(store.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        ((text, described),) = connection.execute("SELECT config, description FROM run").fetchall()
        config = json.dumps(json.loads(text) | {"name": MARKUP})
        description = json.dumps(json.loads(described) | {"title": MARKUP})
        connection.execute(
            "UPDATE run SET config = ?, hash = ?, description = ?, cards = ?",
            (config, text_hash(config), description, MARKUP),
        )
        connection.execute("UPDATE genes SET name = name || ?", (MARKUP,))
        connection.execute("UPDATE run SET names = ?", (names_hash(connection),))


def test_names_that_are_markup_are_shown_as_text(browser: Browser, studio_runs: Path, tmp_path: Path) -> None:
    name = "<b onclick=alert(1)>bold"
    write_hostile(studio_runs / "hunter.db", tmp_path / f"{name}.db")
    asked = TestClient(create_app(Options(tmp_path)), base_url=ADDRESS)
    (line,) = asked.get("/api/runs").json()
    assert asked.get(f"/api/runs/{line['id']}/overview").json()["name"] == MARKUP  # the API has the data as it is
    with served(Options(tmp_path)) as address:
        context = browser.new_context(viewport=WIDE, base_url=address)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto("/")
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(SHOWN)
        for pattern in page_patterns():
            if ":run" in pattern:
                shown(page, example_of(pattern, run=line["id"]))
                assert page.evaluate("() => document.querySelectorAll('main img, main script').length") == 0
                assert "owned" not in page.title() or MARKUP[:20] in page.title()
                assert "\u202e" not in page.locator("body").inner_text()
        picture(page, "hostile")
        context.close()
    # A page may refuse such a run with its line; the browser notes the status.
    assert [each for each in problems if "status of 409" not in each] == []
