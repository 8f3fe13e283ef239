"""The elites of an archive as columns, named as pyribs' data frames and visualisers have them."""

from typing import Any

import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive


def archive_frame(archive: Archive, solutions: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """The columns solution_0 and on, objective, measures_0 and on, and index, a row an elite in the order of cells.

    `ribs.archives.ArchiveDataFrame(archive_frame(...))` is a frame that pyribs' visualisers take.

    Args:
        archive: The archive.
        solutions: The solution of each elite, in the order of `archive.elites`, a row each.

    Raises:
        SearchError: If there is not one solution for each elite.
    """
    if solutions.ndim != 2 or len(solutions) != len(archive):
        raise SearchError(f"{len(archive)} elites need as many rows of solutions, not an array of {solutions.shape}")
    measures = archive.measures[archive.elites]
    return {
        **{f"solution_{number}": column for number, column in enumerate(solutions.T)},
        "objective": archive.objectives[archive.elites],
        **{f"measures_{number}": column for number, column in enumerate(measures.T)},
        "index": archive.elite_cells,
    }
