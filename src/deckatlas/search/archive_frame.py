"""The elites of an archive as columns, with the names of pyribs' data frames and visualisers."""

from typing import Any

import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive


def archive_frame(archive: Archive, solutions: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """The columns solution_0, ..., objective, measures_0, ... and index, one row per elite in the order of cells.

    pyribs' visualisers accept `ribs.archives.ArchiveDataFrame(archive_frame(...))`.

    Args:
        archive: The archive.
        solutions: The solution of each elite, one row each, in the order of `archive.elites`.

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
