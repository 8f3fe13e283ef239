"""One solution as a picture: the mana curve of a deck, or the largest values of a draft policy."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import GameError, RunError
from deckatlas.files.writing import write_bytes
from deckatlas.games import find
from deckatlas.games.deck_listing import LAST_OF_CURVE, deck_listing, mana_curve
from deckatlas.games.game import Listing
from deckatlas.runs.view import RunView
from deckatlas.views.figures import BLACK, colour, picture_of, quiet
from deckatlas.views.map_figures import Canvas, Size, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_VALUES = 30
_CURVE_SIZE = 6.4, 3.4


def chosen_solution(view: RunView, number: int | None) -> int:
    """The number of the solution to draw; the best elite if none is given.

    Raises:
        RunError: If there is no such solution, or no elite.
    """
    if number is None:
        best = view.best()
        if best is None:
            raise RunError(f"{view.name} has no elite yet")
        return best.number
    view.check_solution(number)
    return number


def solution_size(view: RunView) -> Size:
    """The width and height of a picture of one solution, in inches."""
    if view.description.layout.deck_size:
        return _CURVE_SIZE
    return 6.4, 1.4 + 0.2 * min(MOST_VALUES, len(view.description.genes))


def draw_solution(canvas: Canvas, view: RunView, number: int | None = None) -> None:
    """Draws the mana curve of a deck, or the largest values of another solution, whatever their sign.

    Args:
        canvas: Where to draw it.
        view: The map.
        number: The number of the solution; the best elite by default.

    Raises:
        RunError: If there is no such solution.
    """
    number = chosen_solution(view, number)
    solution = view.log.solutions[number]
    rated = f"{view.rated(view.objective, number)} in {view.log.games[number]:,} games"
    axes = canvas.subplots()
    if view.description.layout.deck_size:
        _draw_curve(axes, mana_curve((line.cost, line.copies) for line in view.deck_list(solution)))
    else:
        largest = np.argsort(-np.abs(solution), kind="stable")[:MOST_VALUES]
        names = [view.description.genes[place].name for place in largest.tolist()]
        _draw_values(axes, names, [float(solution[place]) for place in largest])
    title(axes, f"{view.name}: solution {number}", rated)


def deck_picture(shown: Listing, ending: str) -> bytes:
    """The mana curve of a deck, in the format of this file ending.

    Args:
        shown: What the game answers about the deck (`deck_listing`).
        ending: .png, .svg or .pdf.

    Raises:
        GameError: If it is about several decks.
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    if not isinstance(shown.data, dict):
        raise GameError(f"a picture shows one deck, and the file has {len(shown.data)}")
    curve = shown.data["curve"]

    def draw(figure: Canvas) -> None:
        axes = figure.subplots()
        _draw_curve(axes, curve)
        title(axes, shown.data["name"] or f"a deck of {shown.data['class'].title()}", f"{sum(curve)} cards")

    return picture_of(draw, ending, size=_CURVE_SIZE)


@checked
def plot_deck(game: str, deck: str, file: Path | str, **options: Any) -> None:
    """Draws the mana curve of a deck into a file.

    Args:
        game: The name of a game.
        deck: The name or the code of a deck, or a file with one.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        **options: Options of the game, such as `edition`.

    Raises:
        GameError: If there is no such game or deck.
        RunError: If matplotlib is not installed, or the file cannot be written.
    """
    shown = deck_listing(find(game), deck, **options)
    write_bytes(file, deck_picture(shown, Path(file).suffix.lower()), error=RunError)


def _draw_curve(axes: "Axes", curve: list[int]) -> None:
    names = [*map(str, range(LAST_OF_CURVE)), f"{LAST_OF_CURVE}+"]
    bars = axes.bar(names, curve, width=0.9, color=colour(0))
    axes.bar_label(bars, [str(count or "") for count in curve])
    quiet(axes, title="", x="cost", y="cards")
    axes.grid(visible=False)


def _draw_values(axes: "Axes", names: list[str], values: list[float]) -> None:
    places = range(len(names))
    axes.barh(places, values, height=0.75, color=colour(0))
    axes.axvline(0, color=BLACK, linewidth=0.8)
    quiet(axes, title="", x="value", y="")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
