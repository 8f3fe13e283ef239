"""One large batch, evaluated in portions: it compares given players."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from deckatlas.search.batches import Batch
from deckatlas.search.scripts import Script, Steps

MOST_GAMES = 2_000_000
FEWEST_GAMES = 10_000
PORTIONS = 100


def portions(whole: Batch) -> Script:
    """A search that asks for the matchups of `whole`, in the same order, and has no generations.

    A portion is about a hundredth of the whole, at most two million games and at least ten thousand: an interrupted
    evaluation loses little, and a short one is not cut into tiny pieces. A matchup is never divided.
    """
    return Script(_steps(whole), games=whole.games)


def _steps(whole: Batch) -> Steps:
    for begin, end in pairwise(_cuts(whole)):
        yield whole.rows(slice(begin, end))


def _cuts(whole: Batch) -> Iterator[int]:
    """The matchups at which portions begin and end."""
    lengths = whole.lengths
    ends = np.cumsum(lengths)
    portion = min(MOST_GAMES, max(FEWEST_GAMES, int(ends[-1]) // PORTIONS))
    yield 0
    done = 0
    while done < len(lengths):
        before = int(ends[done - 1]) if done else 0
        done = max(done + 1, int(np.searchsorted(ends, before + portion, side="right")))
        yield done
