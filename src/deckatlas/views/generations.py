"""A picture of the progress over generations."""

from pathlib import Path
from typing import TYPE_CHECKING

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.runs.view import RunView
from deckatlas.views.figures import picture_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra


def generations_figure(view: RunView, ending: str) -> bytes:
    """A picture of best and mean score over games, in the format of this file ending.

    Raises:
        RunError: If the run has no generations, matplotlib is not installed, or the ending is unknown.
    """
    if view.has_archive:
        raise RunError(f"{view.name} has an archive: `deckatlas plot {view.name}` draws it")
    return picture_of(lambda figure: _draw(figure, view), ending)


@checked
def plot_generations(view: RunView, file: Path | str) -> None:
    """Draws best and mean score over games into a file.

    Args:
        view: The run, such as `deckatlas.open_run("runs/evolution.db")`.
        file: The file; its ending (.png, .svg or .pdf) decides the format.

    Raises:
        RunError: If the run has no generations, matplotlib is not installed, or the file cannot be written.
    """
    write_bytes(file, generations_figure(view, Path(file).suffix.lower()), error=RunError)


def _draw(figure: "Figure", view: RunView) -> None:
    figure.set_size_inches(7, 4)
    axes = figure.add_subplot()
    games = [row.games for row in view.generations]
    axes.plot(games, [row.best for row in view.generations], label="best of the generation")
    axes.plot(games, [row.mean for row in view.generations], label="mean of the generation")
    axes.set(title=f"{view.name} ({view.run.algorithm})", xlabel="games", ylabel="score")
    axes.grid(alpha=0.3)
    axes.legend()
