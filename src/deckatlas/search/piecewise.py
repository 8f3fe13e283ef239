"""One large batch, evaluated in pieces: it compares given players."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from deckatlas.search.batches import Batch
from deckatlas.search.scripts import Script, Steps

MOST_GAMES = 2_000_000
FEWEST_GAMES = 10_000
PIECES = 100


def piecewise(whole: Batch) -> Script:
    """A search that asks for the matchups of `whole`, in the same order, and has no generations.

    A piece is about a hundredth of the whole, at most two million games and at least ten thousand: an interrupted
    evaluation loses little, and a short one is not cut into tiny ones. A matchup is never divided.
    """
    return Script(_steps(whole), games=whole.games)


def _steps(whole: Batch) -> Steps:
    for begin, end in pairwise(_cuts(whole)):
        yield whole.rows(slice(begin, end))


def _cuts(whole: Batch) -> Iterator[int]:
    """The matchups at which pieces begin and end."""
    lengths = whole.lengths
    ends = np.cumsum(lengths)
    piece = min(MOST_GAMES, max(FEWEST_GAMES, int(ends[-1]) // PIECES))
    yield 0
    done = 0
    while done < len(lengths):
        before = int(ends[done - 1]) if done else 0
        done = max(done + 1, int(np.searchsorted(ends, before + piece, side="right")))
        yield done
