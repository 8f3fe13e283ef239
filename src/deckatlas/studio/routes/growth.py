"""Page "Run", how it grew: curves of a map or of generations, predictions of a surrogate, elites on fresh games."""

from fastapi import APIRouter

from deckatlas.studio.asking import ShelfOfApp, ViewOfRun
from deckatlas.views.answers.growth import Growth, RecheckShape, Surrogate, growth_of, recheck_of, surrogate_of

router = APIRouter(tags=["run"])


@router.get("/runs/{run}/growth")
def get_growth(view: ViewOfRun, shelf: ShelfOfApp) -> Growth:
    """How a run grew."""
    return shelf.derived(view, "growth", lambda: growth_of(view))


@router.get("/runs/{run}/surrogate")
def get_surrogate(view: ViewOfRun, shelf: ShelfOfApp) -> Surrogate:
    """What the surrogate of a run predicted, and how wrong it was."""
    return shelf.derived(view, "surrogate", lambda: surrogate_of(view))


@router.get("/runs/{run}/recheck")
def get_recheck(view: ViewOfRun, shelf: ShelfOfApp) -> RecheckShape:
    """The elites of a map on fresh games."""
    return shelf.derived(view, "recheck", lambda: recheck_of(view))
