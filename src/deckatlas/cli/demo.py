"""`deckatlas demo`: a map of Hearthstone decks in about two minutes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.common import Part, err, has_colours, out, print_parts, write_bytes, write_text
from deckatlas.cli.run import live_view

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.runs.elites import Elite
    from deckatlas.runs.view import RunView

DEMO = Path("demo")
HERO_CLASS = "paladin"
PILOT = "planner:score=control"
EVALUATIONS = 3000
GAMES = 50
RECHECK_GAMES = 400
ALGORITHM = "dsa-me"
PREDICTIONS = 200_000  # of each round; enough for so few cells
RESOLUTION = (12, 12)
KINDS = ("low", "middling", "high")


class DemoGame(StrEnum):
    """The games that have a demo."""

    locm = "locm"
    hearthstone = "hearthstone"


def demo(
    game: Annotated[
        DemoGame, typer.Argument(help="hearthstone: a map of decks; locm: searches for a way to draft.", metavar="GAME")
    ] = DemoGame.hearthstone,
    folder: Annotated[Path, typer.Option(help="The folder for the map of Hearthstone decks.")] = DEMO,
) -> None:
    """Shows what Deckatlas does: a map of the best Hearthstone deck of every kind, in about two minutes.

    If the folder already has the map, or a part of it, the command continues from there.

    Example: deckatlas demo
    """
    if game is DemoGame.locm:
        with _interrupts(None, "deckatlas demo locm"):
            from deckatlas.cli.locm_demo import draft_demo

            return draft_demo()
    path = folder / f"{HERO_CLASS}.db"
    with _interrupts(path, "deckatlas demo" + ("" if folder == DEMO else f" --folder {quote(str(folder))}")):
        return _map_demo(path)


@contextmanager
def _interrupts(kept: Path | None, command: str) -> Iterator[None]:
    """Prints what is kept, and the command that resumes it, if Ctrl-C or another signal ends the block."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):  # other signals raise SystemExit
        left = f"nothing is kept; `{command}` starts again"
        if kept is not None and kept.exists():
            left = f"{kept} keeps what was played; `{command}` resumes it"
        err.print(f"interrupted: {left}", markup=False, soft_wrap=True)
        raise


def _map_demo(path: Path) -> None:
    out.print(
        f"Hearthstone, Basic and Classic: the best {HERO_CLASS.title()} deck of every kind, by what its cards cost.\n"
        f"{EVALUATIONS:,} decks play {GAMES} games each, {EVALUATIONS * GAMES:,} in all, against starter decks. A "
        f"model learns which decks to try next. In the end, the best of each kind play {RECHECK_GAMES} more.\n",
        soft_wrap=True,
    )
    begun = time.monotonic()
    view = _make(path)
    print_parts(_story(view, time.monotonic() - begun))
    print_parts(_files(view, path.parent))


def _make(path: Path) -> "RunView":
    from deckatlas.games.hearthstone.elites import map_elites

    with live_view(HERO_CLASS) as watch:
        return map_elites(
            HERO_CLASS,
            pilot=PILOT,
            algorithm=ALGORITHM,
            resolution=RESOLUTION,
            evaluations=EVALUATIONS,
            games=GAMES,
            seed=1,
            settings=[f"search.predictions={PREDICTIONS}"],
            recheck=RECHECK_GAMES,
            path=path,
            watch=watch,
        )


def _story(view: "RunView", seconds: float) -> Iterator[Part]:
    """The map, its numbers, and three of its decks."""
    from deckatlas.views.columns import column_name
    from deckatlas.views.terminal import deck_lines, recheck_table
    from deckatlas.views.terminal_map import map_text

    yield f"{view}; {seconds:.0f} seconds"
    yield ""
    yield from map_text(view, colours=has_colours())
    yield ""
    if (found := view.recheck()) is not None:
        yield recheck_table(view, found)
        yield f"QD score: {found.before.score_in_words(view.objective)}"
        yield ""
    yield (
        f"The search's best deck of three kinds, by {column_name(view.measures[0])}, with its result on fresh games, "
        "ready to paste into the game:"
    )
    for kind, elite in _best_of_kinds(view):
        yield ""
        yield from deck_lines(view, elite, title=kind)
    yield ""


def _best_of_kinds(view: "RunView") -> "Iterator[tuple[str, Elite]]":
    """The best elite of each third of the map along its first measure, in the order of the map."""
    columns = view.archive.cells.shape[0]
    for third, kind in enumerate(KINDS):
        members = [elite for elite in view.elites() if elite.cell[0] * len(KINDS) // columns == third]
        if members:
            yield kind, members[0]


def _files(view: "RunView", folder: Path) -> Iterator[str]:
    from deckatlas.views.map_pictures import map_picture
    from deckatlas.views.map_report import map_report

    report, picture = folder / "report.html", folder / "map.png"
    write_text(report, map_report(view))
    yield f"the whole map with all its decks, for any browser: {report}"
    if find_spec("matplotlib") is not None:  # an extra
        write_bytes(picture, map_picture([view], "map", picture.suffix))
        yield f"the map as a picture: {picture}"
    yield f"the run itself: {view.path}, for `deckatlas show {view.path}`"
