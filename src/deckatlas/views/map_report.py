"""A map as one web page: the components of the studio's pages, with recorded answers instead of a server.

The page is built from `web/` (`make pages`). What it shows are the answers that the studio's API gives, which travel in
the file: nothing is fetched.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from gzip import compress
from html import escape
from itertools import permutations
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import urlencode

from pydantic_core import to_json

from deckatlas import __version__
from deckatlas.arguments import checked
from deckatlas.errors import DeckatlasError, RunError
from deckatlas.files.reading import read_text
from deckatlas.files.writing import write_text
from deckatlas.runs.course import Commit, commits_of
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.views.answers.growth import growth_of, recheck_of, surrogate_of
from deckatlas.views.answers.maps import elites_of, map_of
from deckatlas.views.answers.overview import overview_of, reproduction_of
from deckatlas.views.answers.patterns import Box, patterns_of
from deckatlas.views.answers.shapes import Shape
from deckatlas.views.answers.solutions import CardInGames, cards_in_games_of, solution_of
from deckatlas.views.map_filling import plane_of
from deckatlas.views.pattern_figures import SUPPORT

_LARGEST_PAGE = 8 << 20  # bytes of the page that is built
PAGE = Path(__file__).with_name("report.html")
RUN = "/api/runs/run"  # the run of a report has this address
_TITLE = "<title>Deckatlas</title>"
_ANSWERS = '<script id="answers" type="text/plain">'


def has_page() -> bool:
    """Whether the page of reports is built; a wheel has it, a clone builds it with `make pages`."""
    return PAGE.is_file()


@dataclass(frozen=True)
class Recorded:
    """What a report carries, by its address in the API of the studio; parameters are in alphabetical order.

    Attributes:
        answers: Answers, as JSON.
        refusals: Why there is no answer, in one line.
    """

    answers: Mapping[str, str]
    refusals: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, with equal answers once."""
        places = {answer: place for place, answer in enumerate(dict.fromkeys(self.answers.values()))}
        addresses = {address: places[answer] for address, answer in self.answers.items()}
        return {"answers": list(places), "addresses": addresses, "refusals": dict(self.refusals)}


def map_report(view: RunView) -> str:
    """The page of a map, finished or not.

    Raises:
        RunError: If the store is damaged, or the page is not built.
    """
    if not has_page():
        raise RunError("the pages are not built, and a report needs them: run `make pages` in the clone")
    data = b64encode(compress(json.dumps(recorded_answers(view).to_json()).encode(), mtime=0)).decode()
    head = f'<meta name="generator" content="Deckatlas {escape(__version__)}">'
    title = f"<title>{escape(view.name)}: a map of elites</title>"
    page = read_text(PAGE, most=_LARGEST_PAGE, error=RunError)
    return page.replace(_TITLE, head + title, 1).replace(_ANSWERS, _ANSWERS + data, 1)


@checked
def write_report(view: RunView, file: Path | str) -> None:
    """Writes the page of a map to a file.

    Raises:
        RunError: If the store is damaged, the page is not built, or the file cannot be written.
    """
    page = map_report(view)
    write_text(file, page, error=RunError)


def recorded_answers(view: RunView) -> Recorded:
    """The answers that a report of a map carries.

    Raises:
        RunError: If the run has no archive, or the store is damaged.
    """
    if not view.has_archive:
        raise RunError(f"{view.name} has no archive: `deckatlas show {quote(view.name)}` shows its results")
    shown = _shown(view)
    overview = overview_of(shown, _commits(view))
    answers: dict[str, Shape | list[CardInGames]] = {
        f"{RUN}/overview": overview,
        f"{RUN}/growth": growth_of(shown),
        f"{RUN}/reproduction": reproduction_of(view),
    }
    if overview.has_rounds:
        answers[f"{RUN}/surrogate"] = surrogate_of(shown)
    if overview.has_recheck:
        answers[f"{RUN}/recheck"] = recheck_of(shown)
    refusals = {}
    if overview.best_elites:
        answers |= _maps(shown)
        answers |= {f"{RUN}/elites/{each.number}": each for each in elites_of(shown, shown.archive.elites.tolist())}
        answers |= {f"{RUN}/decks/{number}": solution_of(shown, number) for number in overview.best_elites}
        if overview.has_cards_in_games:
            best = overview.best_elites
            answers |= {f"{RUN}/decks/{number}/cards": cards_in_games_of(shown, number) for number in best}
        if overview.has_decks:
            try:
                address, box = _whole_box(shown)
                answers[address] = patterns_of(shown, box, support=SUPPORT)
            except DeckatlasError as error:  # there is one elite, or there are too many sets, in a strange map
                refusals[address] = str(error)
    return Recorded({address: to_json(answer).decode() for address, answer in answers.items()}, refusals)


def _maps(view: RunView) -> dict[str, Shape]:
    """The map, and if it has two measures or more, the map along any two of them."""
    found = {f"{RUN}/map": map_of(view)}
    for x, y in permutations(view.measures, 2):
        found[f"{RUN}/map?{urlencode({'x': x, 'y': y})}"] = map_of(view, x, y)
    return dict(found)


def _whole_box(view: RunView) -> tuple[str, Box]:
    """The address of the patterns of a whole map, and the box that it names."""
    plane = plane_of(view)
    box = Box(left=0, right=len(plane.x) - 1, bottom=0, top=len(plane.y) - 1)
    query = urlencode(sorted({**box._asdict(), "support": SUPPORT}.items()))
    return f"{RUN}/map/patterns?{query}", box


def _shown(view: RunView) -> RunView:
    """The run as a report names it: commands have the name of its file, and not the folders of this machine."""
    return replace(view, path=Path(view.path.name))


def _commits(view: RunView) -> list[Commit]:
    if not view.path.exists():  # the store of a map that nobody wanted to keep
        return []
    with open_store(view.path) as store:
        return commits_of(store)
