"""What routes take from the application: the shelf of runs, and whether work may be started."""

from typing import Annotated, cast

from fastapi import Depends, HTTPException, Request
from fastapi import Path as InPath

from deckatlas.runs.view import RunView
from deckatlas.studio.shelf import Shelf


def _shelf(request: Request) -> Shelf:
    return cast("Shelf", request.app.state.shelf)


ShelfOfApp = Annotated[Shelf, Depends(_shelf)]
RunId = Annotated[str, InPath(description="The id of a run, from the list of runs.", max_length=200)]


def _view(run: RunId, shelf: ShelfOfApp) -> RunView:
    return shelf.view(run)


ViewOfRun = Annotated[RunView, Depends(_view)]


def _may_run(request: Request) -> None:
    if not request.app.state.options.allow_run:
        raise HTTPException(403, "this studio only reads: start it with --allow-run to let pages start work")


MayRun = Depends(_may_run)
