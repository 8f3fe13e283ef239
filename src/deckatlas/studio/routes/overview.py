"""Page "Run", its beginning and end: what was searched, how far it is, what entered the map, how to reproduce it."""

from fastapi import APIRouter

from deckatlas.runs.course import commits_of
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.studio.asking import RunId, ShelfOfApp, ViewOfRun
from deckatlas.views.answers.overview import Entered, Reproduction, RunOverview, feed_of, overview_of, reproduction_of

router = APIRouter(tags=["run"])


@router.get("/runs/{run}/overview")
def get_overview(run: RunId, view: ViewOfRun, shelf: ShelfOfApp) -> RunOverview:
    """A run as a whole."""
    return shelf.derived(
        view, "overview", lambda: _overview(view, is_running=shelf.entry(run).summary.state == "running")
    )


def _overview(view: RunView, *, is_running: bool) -> RunOverview:
    with open_store(view.path) as store:
        commits = commits_of(store)
    return overview_of(view, commits, is_running=is_running)


@router.get("/runs/{run}/feed")
def get_feed(view: ViewOfRun, shelf: ShelfOfApp) -> list[Entered]:
    """The last solutions that became elites of the cells that the map has now, the latest first."""
    return shelf.derived(view, "feed", lambda: feed_of(view))


@router.get("/runs/{run}/reproduction")
def get_reproduction(view: ViewOfRun, shelf: ShelfOfApp) -> Reproduction:
    """How to make a run again."""
    return shelf.derived(view, "reproduction", lambda: reproduction_of(view))
