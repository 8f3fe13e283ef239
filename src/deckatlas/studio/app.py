"""The application: routes of all pages, errors in one line, and the built pages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from deckatlas import __version__
from deckatlas.errors import DeckatlasError
from deckatlas.studio import PAGES
from deckatlas.studio.jobs import Jobs
from deckatlas.studio.metagames import Metagames
from deckatlas.studio.routes import ROUTERS
from deckatlas.studio.routes.events import Followers
from deckatlas.studio.routes.patches import Paces
from deckatlas.studio.safety import Border
from deckatlas.studio.shelf import Shelf, UnknownRunError
from deckatlas.studio.studies import Studies
from deckatlas.views.answers.shapes import Problem

_LONGEST_LINE = 1000
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why, "content": {"application/json": {}}}  # also where an answer is text
    for status, why in {
        400: "The request cannot be understood.",
        403: "This studio only reads.",
        404: "There is no such thing.",
        409: "It cannot be read, or cannot be done now.",
        422: "A value is wrong.",
    }.items()
}


@dataclass(frozen=True)
class Options:
    """How the studio is served.

    Attributes:
        folder: The folder of runs, or the file of one run.
        host: The address that it listens on.
        token: What a browser must know; None on loopback.
        allow_run: Whether pages may start work.
    """

    folder: Path
    host: str = "127.0.0.1"
    token: str | None = None
    allow_run: bool = False


def create_app(options: Options, *, pages: Path = PAGES) -> FastAPI:
    """The application of a folder of runs.

    Args:
        options: How it is served.
        pages: The folder of the built pages.
    """
    app = FastAPI(
        title="Deckatlas studio",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_REFUSALS,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.shelf = Shelf(options.folder)
    app.state.studies = Studies(app.state.shelf)
    app.state.metagames = Metagames(app.state.shelf)
    app.state.jobs = Jobs(app.state.shelf.store)
    app.state.paces = Paces()
    app.state.options = options
    app.state.followers = Followers()
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    app.add_exception_handler(DeckatlasError, _refused)
    app.add_exception_handler(RequestValidationError, _wrong_value)
    app.add_exception_handler(HTTPException, _http)
    app.add_api_route("/{address:path}", _no_such_address, include_in_schema=False)
    app.add_middleware(Pages, pages=pages)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Border, host=options.host, token=options.token)
    return app


class Pages:
    """Answers every address that is not the API's: with a file, or with the one page, which reads the address itself.

    They do not wait for the API, whose routes FastAPI builds when the first of them is asked for.
    """

    def __init__(self, app: ASGIApp, *, pages: Path) -> None:
        self._api = app
        self._first = pages / "index.html"
        files = [Mount("/assets", StaticFiles(directory=pages / "assets"))] if (pages / "assets").is_dir() else []
        routes = [*files, Route("/assets/{address:path}", _no_such_address), Route("/{address:path}", self._page)]
        self._pages = ExceptionMiddleware(Router(routes), handlers={HTTPException: _http})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or leaves it to the API."""
        path = scope.get("path", "")
        is_page = scope["type"] == "http" and path != "/api" and not path.startswith("/api/")
        await (self._pages if is_page else self._api)(scope, receive, send)

    def _page(self, request: Request) -> Response:
        if not self._first.is_file():
            return _line(503, "the pages of the studio are not built: run `make studio` in a clone")
        return FileResponse(self._first, headers={"cache-control": "no-cache"})


def _no_such_address(request: Request) -> Response:
    return _line(404, "there is no such address")


async def _refused(request: Request, error: Exception) -> Response:
    return _line(404 if isinstance(error, UnknownRunError) else 409, str(error))


async def _wrong_value(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return _line(422, f"{where}: {first['msg']}" if where else str(first["msg"]))


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    return JSONResponse({"error": str(error.detail)}, status_code=error.status_code, headers=headers)


def _line(status: int, why: str) -> Response:
    return JSONResponse({"error": why[:_LONGEST_LINE]}, status_code=status)
