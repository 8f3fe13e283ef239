"""Where more games are best spent: on cells whose winner is in doubt."""

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.cells import NOWHERE
from deckatlas.search.evaluation import Floats, Ints

DEVIATIONS = 2.0  # a lead of so many standard errors is settled


def doubtful(archive: Archive, *, errors: Floats, games: Ints, most_games: int) -> int | None:
    """The individual whose next games would best settle who is the elite of its cell.

    Each individual is held against the elite of its cell. Their order is in doubt if the elite leads by less than two
    standard errors of the difference, as of independent averages. Of all pairs in doubt that is taken in which the
    other could be ahead by most, at two standard errors, and of the pair the one with the larger error.

    Args:
        archive: The archive.
        errors: The standard error of each individual's objective; not a number where it is not known, which is taken
            for infinite.
        games: How many games each rests on.
        most_games: Who has as many gets no more.

    Returns:
        Its number; None if nothing is in doubt, or those in doubt have had their games.

    Raises:
        SearchError: If there is not one error and one number of games for each individual.
    """
    if not len(errors) == len(games) == archive.told:
        raise SearchError(f"{archive.told} individuals have {len(errors)} errors and {len(games)} numbers of games")
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
