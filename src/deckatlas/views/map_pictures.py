"""Pictures of maps in files: the kinds of pictures, by name, and the kinds of files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.views.comparison_figures import draw_comparison
from deckatlas.views.figures import picture_of
from deckatlas.views.game_figures import draw_game_of_run, game_size
from deckatlas.views.graph_figures import draw_graph, graph_size
from deckatlas.views.map_colours import OBJECTIVE, scale_of
from deckatlas.views.map_curves import curve_of, trials
from deckatlas.views.map_density import density_size, draw_density
from deckatlas.views.map_difference_figures import draw_difference
from deckatlas.views.map_figures import (
    Canvas,
    Size,
    draw_curves,
    draw_elites,
    draw_map,
    draw_recheck,
    elites_size,
    map_size,
    recheck_size,
)
from deckatlas.views.pattern_figures import draw_patterns, patterns_size
from deckatlas.views.round_figures import draw_predictions, draw_rounds, predictions_size, rounds_size
from deckatlas.views.run_comparison import OVER
from deckatlas.views.scale import Scale
from deckatlas.views.solution_figures import draw_solution, solution_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_WIDTH = 20.0  # inches for one row of maps; more maps go into further rows


@dataclass(frozen=True)
class Picture:
    """A kind of picture of one map, which can be placed beside those of other maps.

    Attributes:
        size: Gives its width and height, in inches.
        draw: Draws it, in the colour scale of all maps that are drawn together.
        shown: What colours show.
    """

    size: Callable[[RunView], Size]
    draw: Callable[[Canvas, RunView, Scale], None]
    shown: str = OBJECTIVE

    def __call__(self, figure: "Figure", views: Sequence[RunView]) -> None:
        """Draws maps side by side."""
        scale = scale_of(views, self.shown)
        sizes = [self.size(view) for view in views]
        width, height = (max(each) for each in zip(*sizes, strict=True))
        rows = -(-len(views) // max(1, int(_MOST_WIDTH / width)))
        columns = -(-len(views) // rows)  # evenly: four maps give two and two, not three and one
        figure.set_size_inches(width * columns, height * rows)
        parts = figure.subfigures(rows, columns, squeeze=False).ravel()
        for part, view in zip(parts, views, strict=False):
            self.draw(part, view, scale)


def _draw_curves(figure: "Figure", views: Sequence[RunView]) -> None:
    if len({view.description.scoring for view in views}) > 1:
        raise RunError("maps whose QD scores have different offsets cannot be drawn together")
    series = {name: [curve_of(view) for view in group] for name, group in trials(views).items()}
    draw_curves(figure, series, objective=views[0].objective, scoring=views[0].description.scoring)


def _map(shown: str = OBJECTIVE, *, equal: bool = False, at: int | None = None, card: str = "") -> Picture:
    return Picture(
        map_size,
        lambda canvas, view, scale: draw_map(canvas, view, scale=scale, equal=equal, shown=shown, at=at, card=card),
        shown,
    )


def _solution(number: int | None = None) -> Picture:
    return Picture(solution_size, lambda canvas, view, scale: draw_solution(canvas, view, number))


def _game(number: int | None = None, game: int = 0, *, coach: str = "", seat: str = "") -> Picture:
    return Picture(
        game_size,
        lambda canvas, view, scale: draw_game_of_run(canvas, view, number, game, coach=coach, seat=seat),
    )


Drawing = Callable[["Figure", Sequence[RunView]], None]

# The kinds of pictures, by name. Curves and comparisons of several runs share one frame, and a difference is one
# picture of two maps; other pictures are drawn side by side.
PICTURES: Mapping[str, Drawing] = {
    "map": _map(),
    "cells": _map(equal=True),
    "curves": _draw_curves,
    "comparison": draw_comparison,
    "difference": draw_difference,
    "solution": _solution(),
    "game": _game(),
    "elites": Picture(elites_size, lambda canvas, view, scale: draw_elites(canvas, view, scale=scale)),
    "density": Picture(density_size, lambda canvas, view, scale: draw_density(canvas, view)),
    "recheck": Picture(recheck_size, lambda canvas, view, scale: draw_recheck(canvas, view)),
    "patterns": Picture(patterns_size, lambda canvas, view, scale: draw_patterns(canvas, view)),
    "graph": Picture(graph_size, lambda canvas, view, scale: draw_graph(canvas, view)),
    "predictions": Picture(predictions_size, lambda canvas, view, scale: draw_predictions(canvas, view)),
    "rounds": Picture(rounds_size, lambda canvas, view, scale: draw_rounds(canvas, view)),
}


@dataclass(frozen=True)
class Choices:
    """What some pictures let people choose; empty, or None, is the usual.

    Attributes:
        colour: Of `map` and `cells`: one of `map_colours.COLOURS`, or a card by its id or name.
        solution: Of `solution` and `game`: its number; the best elite by default.
        over: Of `comparison`: "evaluations", "games" or "seconds".
        game: Of `game`: its number among all games of the solution; the first by default.
        coach: Of `game`: the agent that rates the positions; each pilot itself by default.
        seat: Of `game`: whose chances are drawn, "first" or "second"; those of the solution by default.
        at: Of `map` and `cells`: after how many evaluations; as it is now by default.
        card: Of `map` and `cells`: a card by its id or name; the cells whose decks play it are outlined.
    """

    colour: str = ""
    solution: int | None = None
    over: str = ""
    game: int | None = None
    coach: str = ""
    seat: str = ""
    at: int | None = None
    card: str = ""

    def drawing(self, what: str) -> Drawing:
        """The picture of this name, as it was chosen.

        Raises:
            RunError: If there is no such picture, or it has nothing of that kind to choose.
        """
        if what not in PICTURES:
            raise RunError(f"a map has no picture {show(what)}: {nearest(what, PICTURES)}")
        for is_chosen, name, pictures in (
            (bool(self.colour), "colours", ("map", "cells")),
            (self.solution is not None, "solutions", ("solution", "game")),
            (bool(self.over), "axes", ("comparison",)),
            (self.game is not None, "games", ("game",)),
            (bool(self.coach), "coaches", ("game",)),
            (bool(self.seat), "seats", ("game",)),
            (self.at is not None, "moments", ("map", "cells")),
            (bool(self.card), "cards", ("map", "cells")),
        ):
            if is_chosen and what not in pictures:
                raise RunError(f"the picture {what} has no choice of {name}: only {' and '.join(pictures)}")
        if what in ("map", "cells"):
            return _map(self.colour or OBJECTIVE, equal=what == "cells", at=self.at, card=self.card)
        if what == "solution":
            return _solution(self.solution)
        if what == "game":
            return _game(self.solution, self.game or 0, coach=self.coach, seat=self.seat)
        if what == "comparison":
            return lambda figure, views: draw_comparison(figure, views, self.over or OVER[0])
        return PICTURES[what]


USUAL = Choices()


def map_picture(views: Sequence[RunView], what: str, ending: str, choices: Choices = USUAL) -> bytes:
    """A picture of maps, in the format of this file ending.

    Args:
        views: The maps; several are drawn side by side in one colour scale, or as curves in one frame. A comparison
            also takes evolutions.
        what: One of `PICTURES`.
        ending: .png, .svg or .pdf.
        choices: What was chosen for it.

    Raises:
        RunError: If matplotlib is not installed, the kind is unknown, or there is nothing to draw.
    """
    draw = choices.drawing(what)
    if what == "comparison":  # of maps or evolutions, which it checks itself
        return picture_of(lambda figure: draw(figure, views), ending)
    for view in views:
        if not view.has_archive:
            name = view.name
            raise RunError(
                f"{name} has no archive: `deckatlas export {name} --figure FILE` draws its curve, and "
                "`deckatlas plot A B --what comparison` draws several"
            )
    if len({view.objective for view in views}) > 1:
        raise RunError("maps with different objectives cannot be drawn together")
    if not all(len(view.log) for view in views):
        raise RunError("there is nothing to draw: no solution has been evaluated yet")
    return picture_of(lambda figure: draw(figure, views), ending)


@checked
def plot_map(
    view: RunView | Sequence[RunView],
    file: Path | str,
    *,
    what: str = "map",
    colour: str = "",
    solution: int | None = None,
    over: str = "",
    game: int | None = None,
    coach: str = "",
    seat: str = "",
    at: int | None = None,
    card: str = "",
) -> None:
    """Draws a map, or several together, into a file.

    Args:
        view: The map; several are drawn side by side, or as curves in one frame.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        what: "map" with its true boundaries, "cells" of one size, "curves", "elites", "density", "recheck" or
            "patterns" (where sets of cards are that many elites share), "graph" (which cards go together), "solution"
            (the mana curve of a deck, or the values of a policy), "game" (who was winning in a game of a solution,
            which is played again); of two maps, "difference"; of runs of one kind, "comparison"; and of a search with
            a surrogate "predictions" or "rounds".
        colour: What the colours of "map" and "cells" show: "objective", "win_rate", "games", "age", or a card by its id
            or name, whose copies are counted.
        solution: The number of the solution to draw, or whose game is drawn; the best elite by default.
        over: The axis of a comparison: "evaluations", "games" or "seconds".
        game: The number of the game among all games of the solution; the first by default.
        coach: The agent that rates the positions of a game; each pilot itself by default.
        seat: Whose chances in a game are drawn, "first" or "second"; those of the solution by default.
        at: After how many evaluations "map" and "cells" are drawn, in the cells and colours of now; now by default.
        card: A card by its id or name: the cells of "map" and "cells" whose decks play it are outlined.

    Raises:
        RunError: If matplotlib is not installed, the kind of picture or file is unknown, there is nothing to draw, or
            the file cannot be written.
    """
    views = [view] if isinstance(view, RunView) else list(view)
    choices = Choices(colour, solution, over, game, coach, seat, at, card)
    picture = map_picture(views, what, Path(file).suffix.lower(), choices)
    write_bytes(file, picture, error=RunError)
