"""A picture of the progress over generations."""

import io

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.views.figures import figure_of


def generations_figure(view: RunView, ending: str) -> bytes:
    """A picture of best and mean score over games, in the format of this file ending.

    Raises:
        RunError: If the run has no generations, matplotlib is not installed, or the ending is unknown.
    """
    if view.has_archive:
        raise RunError(f"{view.name} has an archive: `deckatlas plot {view.name}` draws it")
    figure = figure_of(ending)(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    games = [row.games for row in view.generations]
    axes.plot(games, [row.best for row in view.generations], label="best of the generation")
    axes.plot(games, [row.mean for row in view.generations], label="mean of the generation")
    axes.set(title=f"{view.name} ({view.run.algorithm})", xlabel="games", ylabel="score")
    axes.grid(alpha=0.3)
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format=ending.removeprefix("."), dpi=150)
    return picture.getvalue()
