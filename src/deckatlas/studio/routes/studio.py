"""About the studio itself: what every page needs to know once."""

from fastapi import APIRouter, Request

from deckatlas import __version__
from deckatlas.games import all_games
from deckatlas.views.answers.shapes import Shape

router = APIRouter(tags=["studio"])


class GameShape(Shape):
    """A game that this installation knows."""

    name: str
    title: str


class StudioShape(Shape):
    """The studio: its version, the folder it shows, and what it may do."""

    version: str
    folder: str
    allow_run: bool
    games: list[GameShape]


@router.get("/studio")
def get_studio(request: Request) -> StudioShape:
    """The studio itself."""
    options = request.app.state.options
    return StudioShape(
        version=__version__,
        folder=options.folder.name or str(options.folder),
        allow_run=options.allow_run,
        games=[GameShape(name=game.name, title=game.title) for game in all_games()],
    )
