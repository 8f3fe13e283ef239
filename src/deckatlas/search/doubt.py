"""Which individual should play more games: one of a cell whose winner is in doubt."""

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.cells import NOWHERE
from deckatlas.search.evaluation import Floats, Ints

DEVIATIONS = 2.0  # a lead of this many standard errors counts as settled


def doubtful(archive: Archive, *, errors: Floats, games: Ints, most_games: int) -> int | None:
    """The individual whose next games would best settle which one is the elite of its cell.

    Each individual is compared with the elite of its cell. Their order is in doubt if the elite leads by less than two
    standard errors of the difference, taken as a difference of independent averages. With common seeds that is too
    large: docs/decisions/0014-archives.md says why it stays. The pair in which the other could be ahead by most, at two
    standard errors, is chosen, and of that pair the one with the larger error.

    Args:
        archive: The archive.
        errors: The standard error of each individual's objective; NaN where it is unknown, which counts as infinite.
        games: The number of games that each has played.
        most_games: An individual with this many games gets no more.

    Returns:
        Its number; None if nothing is in doubt, or all individuals in doubt have played `most_games`.

    Raises:
        SearchError: If there is not one error and one number of games for each individual.
    """
    if not len(errors) == len(games) == archive.told:
        raise SearchError(
            f"{archive.told} individuals need as many errors and numbers of games, not {len(errors)} and {len(games)}"
        )
    cells = archive.individual_cells
    others = np.flatnonzero(cells != NOWHERE)
    elites = archive.elites[np.searchsorted(archive.elite_cells, cells[others])]
    errors = np.where(np.isnan(errors), np.inf, errors)
    ahead = DEVIATIONS * np.hypot(errors[elites], errors[others]) - (
        archive.objectives[elites] - archive.objectives[others]
    )
    may_play = np.minimum(games[elites], games[others]) < most_games
    candidates = np.flatnonzero((elites != others) & (ahead > 0) & may_play)
    if len(candidates) == 0:
        return None
    pair = candidates[np.argmax(ahead[candidates])]
    playing = (number for number in (int(elites[pair]), int(others[pair])) if games[number] < most_games)
    return min(playing, key=lambda number: (-errors[number], games[number], number))
