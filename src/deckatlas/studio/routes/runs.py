"""Page "Home": the runs of the folder, each in one line."""

from datetime import datetime

from fastapi import APIRouter

from deckatlas.studio.asking import RunId, ShelfOfApp
from deckatlas.studio.shelf import Entry
from deckatlas.views.answers.shapes import Number, Shape

router = APIRouter(tags=["runs"])


class RunLine(Shape):
    """A run in one line."""

    id: str
    name: str
    state: str
    problem: str
    algorithm: str
    reached: str
    games: int
    budget: int | None
    best: Number
    created: datetime | None
    searched: str
    is_map: bool
    elites: int | None
    coverage: Number
    course: list[Number]

    @classmethod
    def of(cls, run: str, entry: Entry) -> "RunLine":
        """The shape of an entry of the shelf."""
        summary, course = entry.summary, entry.course
        return cls(
            id=run,
            name=summary.name,
            state=summary.state,
            problem=summary.problem,
            algorithm=summary.algorithm,
            reached=summary.reached,
            games=summary.games,
            budget=summary.budget,
            best=summary.best,
            created=summary.created,
            searched=entry.searched,
            is_map=course.cells is not None,
            elites=course.elites,
            coverage=None if course.elites is None or course.cells is None else course.elites / course.cells,
            course=list(course.best),
        )


@router.get("/runs")
def get_runs(shelf: ShelfOfApp) -> list[RunLine]:
    """All runs of the folder, the oldest first, unreadable ones last."""
    return [RunLine.of(run, entry) for run, entry in shelf.entries()]


@router.get("/runs/{run}")
def get_run(run: RunId, shelf: ShelfOfApp) -> RunLine:
    """One run in one line."""
    return RunLine.of(run, shelf.entry(run))
