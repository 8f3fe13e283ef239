"""The table of elites that a store keeps beside its log, so that anyone can list them with a single query.

It is computed from the log and never read back: our own readers compute the archive from the log.
"""

import json
from collections.abc import Mapping
from math import isfinite

import numpy as np

from deckatlas.runs.description import Description
from deckatlas.runs.writer import EliteRow
from deckatlas.search.archive import Archive
from deckatlas.search.log import Log


class EliteTable:
    """The elites in the store, and the changes since.

    Attributes:
        description: How solutions are written.
    """

    def __init__(self, description: Description, stored: Mapping[str, tuple[int, float]]) -> None:
        """Takes the description, and the solution and objective of each stored cell."""
        self.description = description
        self._stored = dict(stored)

    def changes(self, archive: Archive, log: Log) -> tuple[list[EliteRow], list[str]]:
        """The rows of elites that are new in their cells, and the cells that no longer have one."""
        elites = archive.elites
        values = archive.objectives[elites].tolist()
        coordinates = np.stack(np.unravel_index(archive.elite_cells, archive.cells.shape), axis=1).tolist()
        cells = [",".join(map(str, cell)) for cell in coordinates]
        now = dict(zip(cells, zip(elites.tolist(), values, strict=True), strict=True))
        changed = [at for at, cell in enumerate(cells) if self._stored.get(cell) != now[cell]]
        columns = {name: log.column(name)[elites[changed]] for name in log.columns}
        rows: list[EliteRow] = []
        for place, at in enumerate(changed):
            known = {name: _plain(float(column[place])) for name, column in columns.items()}
            solution, objective = now[cells[at]]
            text = self.description.text_of(log.solutions[solution])
            rows.append((cells[at], solution, objective, text, json.dumps(known)))
        lost = [cell for cell in self._stored if cell not in now]
        self._stored = now
        return rows, lost


def _plain(value: float) -> float | None:
    return value if isfinite(value) else None
