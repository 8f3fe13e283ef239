"""Event streams: streams share one follower per run, hear every change and every failure, and end with the studio."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deckatlas.studio.app import Options
from deckatlas.studio.routes import events
from deckatlas.studio.routes.events import Followers
from deckatlas.studio.shelf import Entry, Shelf, State, state_of
from helpers.studio import LONG, WIDE, in_a_loop_of_its_own, served

TABS = 8  # a browser opens six connections to a server


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LOOK_SECONDS", 0.02)


@pytest.fixture
def folder(studio_runs: Path, tmp_path: Path) -> Path:
    """Some copies of a run."""
    for name in ("one", "two"):
        shutil.copy(studio_runs / "hunter.db", tmp_path / f"{name}.db")
    return tmp_path


class CountingShelf(Shelf):
    """A shelf that counts how often a run's line is read."""

    reads = 0

    def entry(self, run: str) -> Entry:
        self.reads += 1
        return super().entry(run)


class Stream:
    """A listener, and what it has heard."""

    def __init__(self, followers: Followers, shelf: Shelf, *runs: str) -> None:
        self.heard: list[dict[str, object]] = []
        self._paths = {run: shelf.find(run)[1] for run in runs}
        self.task = asyncio.create_task(self._listen(followers, shelf))

    async def _listen(self, followers: Followers, shelf: Shelf) -> None:
        async for event in followers.news(shelf, self._paths):
            self.heard.append(json.loads(str(event.raw_data)))

    def states(self) -> list[object]:
        lines = [each["line"] for each in self.heard]
        return [line["state"] if isinstance(line, dict) else None for line in lines]


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not is_so():
            await asyncio.sleep(0.01)


def watched(watch: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await watch()

    in_a_loop_of_its_own(whole())


def test_streams_share_one_follower_and_hear_every_change(folder: Path) -> None:
    shelf = CountingShelf(folder)

    async def watch() -> None:
        followers = Followers()
        streams = [Stream(followers, shelf, "one") for _ in range(20)]
        await until(lambda: all(len(each.heard) == 1 for each in streams))
        assert shelf.reads == 1
        (folder / "one.db").write_bytes(b"damaged")
        await until(lambda: all(each.states()[-1] == "unreadable" for each in streams))
        followers.end()
        await asyncio.wait_for(asyncio.gather(*(each.task for each in streams)), LONG)
        assert all(each.states()[0] == "finished" for each in streams)
        assert shelf.reads == max(len(each.heard) for each in streams)

    watched(watch)


def test_a_stream_has_the_news_of_many_runs(folder: Path) -> None:
    shelf = Shelf(folder)

    async def watch() -> None:
        followers = Followers()
        both, one = Stream(followers, shelf, "one", "two"), Stream(followers, shelf, "one")
        await until(lambda: len(both.heard) == 2 and len(one.heard) == 1)
        assert {each["run"] for each in both.heard} == {"one", "two"}
        (folder / "two.db").write_bytes(b"damaged")
        await until(lambda: both.states()[-1] == "unreadable")
        assert both.heard[-1]["run"] == "two"
        assert [each["run"] for each in one.heard] == ["one"]
        followers.end()
        await asyncio.wait_for(asyncio.gather(both.task, one.task), LONG)

    watched(watch)


def test_a_look_that_fails_is_told_once_and_the_next_may_succeed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, fails = Shelf(folder), True
    looks = 0

    def look(path: Path) -> State:
        nonlocal looks
        looks += 1
        if fails:
            raise PermissionError(13, "no")
        return state_of(path)

    monkeypatch.setattr(events, "state_of", look)

    async def watch() -> None:
        nonlocal fails
        followers = Followers()
        stream = Stream(followers, shelf, "one")
        await until(lambda: looks > 3)
        assert [each["error"] for each in stream.heard] == ["this run cannot be followed: PermissionError"]
        fails = False
        await until(lambda: len(stream.heard) > 1)
        assert stream.states() == [None, "finished"]
        followers.end()
        await asyncio.wait_for(stream.task, LONG)

    watched(watch)


def test_a_line_that_cannot_be_made_is_told(folder: Path) -> None:
    class Broken(Shelf):
        def entry(self, run: str) -> Entry:
            raise ZeroDivisionError

    async def watch() -> None:
        followers, shelf = Followers(), Broken(folder)
        stream = Stream(followers, shelf, "one")
        await until(lambda: bool(stream.heard))
        assert stream.heard[0]["error"] == "this run cannot be followed: ZeroDivisionError"
        followers.end()
        await asyncio.wait_for(stream.task, LONG)

    watched(watch)


def test_eight_tabs_of_a_browser_are_all_live(browser: Browser, studio_runs: Path, tmp_path: Path) -> None:
    whole = (studio_runs / "hunter.db").read_bytes()
    for number in range(TABS):
        (tmp_path / f"run-{number}.db").write_bytes(whole)
    with served(Options(tmp_path)) as address:
        context = browser.new_context(viewport=WIDE, base_url=address)
        tabs = [context.new_page() for _ in range(TABS)]
        for number, tab in enumerate(tabs):
            tab.goto(f"/runs/run-{number}")
            expect(tab.get_by_text("finished").first).to_be_visible()
        for number in range(TABS):
            (tmp_path / f"run-{number}.db").write_bytes(b"damaged")
        for tab in tabs:
            expect(tab.get_by_text("unreadable").first).to_be_visible()
        context.close()


@pytest.mark.parametrize("unanswered", ["nothing", "map", "growth"])
def test_a_page_says_once_that_the_studio_has_gone(browser: Browser, folder: Path, unanswered: str) -> None:
    page = browser.new_page()
    page.route(f"**/api/runs/one/{unanswered}*", lambda route: route.abort())
    with served(Options(folder)) as address:
        page.goto(f"{address}/runs/one")
        expect(page.get_by_text("finished").first).to_be_visible()
    said = page.get_by_text("the studio does not answer")
    expect(said).to_have_count(1)
    expect(said).to_be_visible()
    page.close()
