"""`deckatlas demo`: a map of Hearthstone decks in about three minutes, and its best deck beside those of people."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.common import Part, err, has_colours, out, print_parts, progress_bar
from deckatlas.cli.run import live_view
from deckatlas.files.writing import write_bytes, write_text
from deckatlas.studio import has_pages

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.runs.elites import Elite
    from deckatlas.runs.view import RunView

DEMO = Path("demo")
HERO_CLASS = "paladin"
FIELD = "field-2018"
PILOT = "fast"  # in the search; what is reported is played by the pilot of the field
EVALUATIONS = 2400
GAMES = 48  # two against each deck of the field
RECHECK_GAMES = 240
ALGORITHM = "dsa-me"
RESOLUTION = (8, 8)
PREDICTIONS = 200_000  # of each round
CANDIDATES = 8  # the best elites, of which one meets the best list of people
CHOICE_GAMES = 480
COMPARED_GAMES = 9600
KINDS = ("low", "middling", "high")


class DemoGame(StrEnum):
    """The games that have a demo."""

    locm = "locm"
    hearthstone = "hearthstone"


def demo(
    game: Annotated[
        DemoGame,
        typer.Argument(help="hearthstone makes a map of decks; locm searches for draft policies.", metavar="GAME"),
    ] = DemoGame.hearthstone,
    folder: Annotated[Path, typer.Option(help="The folder for the Hearthstone map and its report.")] = DEMO,
) -> None:
    """Shows what Deckatlas does: a map of the best Hearthstone deck of every kind, in about three minutes.

    All decks play against decklists of human players, with the same pilot on both sides. At the end, the best deck of
    the map and the best human list of its class play the same games, and the command says which wins more.

    If the folder already holds the map, or a part of it, the command continues from there.

    Example: deckatlas demo

    Example: deckatlas demo locm
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
        f"{EVALUATIONS:,} decks play {GAMES} games each, {EVALUATIONS * GAMES:,} in all, against lists that people "
        "played. The search starts from such lists, and a model learns which decks to try next. At the end, the best "
        f"deck of each kind plays {RECHECK_GAMES} more games, and the best of all meets the best list of people.\n",
        soft_wrap=True,
    )
    begun = time.monotonic()
    view = _make(path)
    print_parts(_story(view, time.monotonic() - begun))
    print_parts(_against_people(view))
    print_parts(_files(view, path.parent))
    out.print(f"{time.monotonic() - begun:.0f} seconds in all")
    folder = quote(str(path.parent))
    command = f"deckatlas studio {folder}" if has_pages() else f"make studio FOLDER={folder}"
    out.print(f"to explore the map in your browser: {command}", soft_wrap=True)


def _make(path: Path) -> "RunView":
    from deckatlas.games.hearthstone.elites import map_elites
    from deckatlas.games.hearthstone.metagame import metagame_of

    with live_view(HERO_CLASS) as watch:
        return map_elites(
            HERO_CLASS,
            pool="all",
            pilot=PILOT,
            suite=metagame_of(FIELD, pilot=PILOT).opponents(),
            objective="win_rate",
            algorithm=ALGORITHM,
            resolution=RESOLUTION,
            evaluations=EVALUATIONS,
            games=GAMES,
            seed=1,
            settings=[
                'search.starts=["library"]',
                # All cells from the beginning: each gives a round one candidate, and each round trains a model.
                f"archive.grow_from={list(RESOLUTION)}",
                f"search.predictions={PREDICTIONS}",
            ],
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
        f"The best deck of each of three kinds, by {column_name(view.measures[0])}, with its result in fresh games, "
        "ready to paste into the game:"
    )
    for kind, elite in _best_of_kinds(view):
        yield ""
        yield from deck_lines(view, elite, title=kind)
    yield ""


def _against_people(view: "RunView") -> Iterator[Part]:
    """The best deck of the map beside the best list of people, on games that neither was chosen by."""
    from deckatlas.games.hearthstone.against_people import against_people
    from deckatlas.games.hearthstone.metagame import metagame_of

    field = metagame_of(FIELD)
    codes = [view.code(elite) for elite in view.elites()[:CANDIDATES]]
    found = against_people(
        codes, HERO_CLASS, field, choice_games=CHOICE_GAMES, games=COMPARED_GAMES, show=progress_bar, seed=1
    )
    rates = found.comparison.whole.rates
    yield "A: the best deck of the map:"
    yield found.code
    yield f"B: the best list of people, {found.people}"
    yield (
        f"Against the {len(field.entrants)} lists of {FIELD}, all played by `{field.entrants[0].pilot}`, A wins "
        f"{100 * rates[0]:.1f} % and B {100 * rates[1]:.1f} %."
    )
    yield found.comparison.sentence
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
    from deckatlas.views.map_report import has_page, map_report

    report, picture = folder / "report.html", folder / "map.png"
    if has_page():
        write_text(report, map_report(view))
        yield f"the whole map with all its decks, for any browser: {report}"
    else:  # in a clone, somebody has not started it by `make demo`
        yield f"no report: the pages are not built; `make pages`, then `deckatlas report {view.path} -o {report}`"
    if find_spec("matplotlib") is not None:  # an extra
        write_bytes(picture, map_picture([view], "map", picture.suffix))
        yield f"the map as a picture: {picture}"
    yield f"the run itself: {view.path}, for `deckatlas show {view.path}`"
