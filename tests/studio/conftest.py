"""Fixtures of the studio: folders of runs for all processes; a server and a browser for all tests of a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from deckatlas.studio.app import Options, create_app
from helpers.studio import LONG, WIDE, browser_of, made_once, served, write_runs, write_trials

expect.set_options(timeout=1000 * LONG)


@pytest.fixture(scope="session")
def studio_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small runs, to be read and not written."""
    return made_once(tmp_path_factory, "studio-runs", write_runs)


@pytest.fixture(scope="session")
def all_trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs of many kinds, some of them trials of one search, to be read and not written."""
    return made_once(tmp_path_factory, "studio-trials", write_trials)


@pytest.fixture(scope="session")
def client(studio_runs: Path) -> Iterator[TestClient]:
    """A client of a studio of these runs, without a server or a browser."""
    with TestClient(create_app(Options(studio_runs)), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture(scope="session")
def address(studio_runs: Path) -> Iterator[str]:
    """The address of a served studio of these runs."""
    with served(Options(studio_runs)) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        found = browser_of(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> dict[str, BrowserContext]:
    """One context for each server, by its address: its tests share what the browser has loaded."""
    return {}


@pytest.fixture
def page(browser: Browser, contexts: dict[str, BrowserContext], address: str) -> Iterator[Page]:
    """A new page of a wide window; the test fails if a script of the page does, or if the policy refuses something."""
    if address not in contexts:
        contexts[address] = browser.new_context(viewport=WIDE, base_url=address)
        contexts[address].set_default_timeout(1000 * LONG)
        contexts[address].grant_permissions(["clipboard-read", "clipboard-write"])
    shown = contexts[address].new_page()
    problems: list[str] = []
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    yield shown
    shown.close()
    assert not problems
