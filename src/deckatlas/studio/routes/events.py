"""Server-sent events: a page learns that a run has changed, and asks again for what it shows.

One stream has the news of any runs, so that a browser needs a single connection for all its pages. One follower per run
looks at its files and reads its line, however many streams there are, so that pages cost a run nothing.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from deckatlas.errors import RunError
from deckatlas.shapes import is_text
from deckatlas.studio.asking import ShelfOfApp
from deckatlas.studio.routes.runs import RunLine
from deckatlas.studio.shelf import Shelf, State, UnknownRunError, state_of
from deckatlas.views.answers.shapes import Shape

router = APIRouter(tags=["events"])

LOOK_SECONDS = 0.5
MOST_FOLLOWED = 40  # runs of one stream


class News(Shape):
    """The line of a run as it is now, or why it is not known."""

    run: str
    line: RunLine | None
    error: str


@dataclass(eq=False)
class _Listener:
    """A stream: the runs with news that it has not sent yet."""

    changed: set[str] = field(default_factory=set)
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, run: str) -> None:
        self.changed.add(run)
        self.heard.set()


@dataclass(eq=False)
class _Follower:
    """Looks at the files of one run while anybody listens, and has its newest line as an event."""

    shelf: Shelf
    run: str
    path: Path
    listeners: set[_Listener] = field(default_factory=set)
    newest: ServerSentEvent | None = None
    task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Looks again and again. All listeners hear what goes wrong, and the next look may go better."""
        before: State | str | None = None
        while True:
            try:
                now: State | str = await asyncio.to_thread(state_of, self.path)
                if now != before:
                    # The state is that before the line is read: what changes meanwhile is seen at the next look.
                    self._tell(await asyncio.to_thread(_news, self.shelf, self.run))
            except Exception as error:
                now = f"{type(error).__name__}: {error}"
                if now != before:
                    logging.getLogger("uvicorn.error").exception("the run %s cannot be followed", self.run)
                    self._tell(_problem(self.run, f"this run cannot be followed: {type(error).__name__}"))
            before = now
            await asyncio.sleep(LOOK_SECONDS)

    def _tell(self, news: News) -> None:
        self.newest = _event(news)
        for listener in self.listeners:
            listener.tell(self.run)


class Followers:
    """The followers of all runs that somebody listens to."""

    def __init__(self) -> None:
        self._by_path: dict[Path, _Follower] = {}
        self._listeners: set[_Listener] = set()
        self._is_over = False

    async def news(self, shelf: Shelf, paths: Mapping[str, Path]) -> AsyncIterator[ServerSentEvent]:
        """The lines of runs, now and whenever a run has changed, until `end`.

        Args:
            shelf: The shelf.
            paths: The store of each run, by its id.
        """
        listener = _Listener()
        self._listeners.add(listener)
        followers = {run: self._follower(shelf, run, path, listener) for run, path in paths.items()}
        try:
            while not self._is_over:
                await listener.heard.wait()
                listener.heard.clear()
                changed, listener.changed = listener.changed, set()
                for run in sorted(changed):
                    if (newest := followers[run].newest) is not None and not self._is_over:
                        yield newest
        finally:
            self._listeners.discard(listener)
            for follower in followers.values():
                self._leave(follower, listener)

    def _follower(self, shelf: Shelf, run: str, path: Path, listener: _Listener) -> _Follower:
        """The follower of a run, which tells the listener from now on."""
        follower = self._by_path.setdefault(path, _Follower(shelf, run, path))
        follower.listeners.add(listener)
        if follower.task is None:
            follower.task = asyncio.get_running_loop().create_task(follower.look())
        elif follower.newest is not None:
            listener.tell(run)
        return follower

    def _leave(self, follower: _Follower, listener: _Listener) -> None:
        follower.listeners.discard(listener)
        if not follower.listeners and follower.task is not None:
            follower.task.cancel()
            self._by_path.pop(follower.path, None)

    def end(self) -> None:
        """Ends all listeners, so that the studio can end at once."""
        self._is_over = True
        for listener in self._listeners:
            listener.heard.set()


def _known(
    shelf: ShelfOfApp,
    run: Annotated[
        list[Annotated[str, Query(max_length=200)]],
        Query(min_length=1, max_length=MOST_FOLLOWED, description="The ids of runs; unknown ones are left out."),
    ],
) -> dict[str, Path]:
    """The stores of the runs that are asked for, and are there."""
    paths = shelf.paths()
    found = {each: paths[each][1] for each in dict.fromkeys(run) if each in paths and is_text(paths[each][0])}
    if not found:
        raise UnknownRunError("there is no run with this id in the folder of this studio")
    return found


@router.get("/events", response_class=EventSourceResponse)
async def get_events(
    paths: Annotated[dict[str, Path], Depends(_known)], request: Request, shelf: ShelfOfApp
) -> AsyncIterator[ServerSentEvent]:
    """The lines of runs, now and again whenever one of them changes."""
    followers: Followers = request.app.state.followers
    async for event in followers.news(shelf, paths):
        yield event


def _news(shelf: Shelf, run: str) -> News:
    try:
        return News(run=run, line=RunLine.of(run, shelf.entry(run)), error="")
    except RunError as error:
        return _problem(run, str(error))


def _problem(run: str, error: str) -> News:
    return News(run=run, line=None, error=error)


def _event(news: News) -> ServerSentEvent:
    return ServerSentEvent(raw_data=news.model_dump_json(), event="run")
