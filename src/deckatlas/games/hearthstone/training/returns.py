"""What a position is worth by what followed in its game: the outcome, mixed with the chances of later positions.

The outcome of one game says little about a position many turns before. What the model thinks of the positions that
followed says more, and is less a matter of luck. A target is the λ-return of reinforcement learning: each later
position takes a share 1 - λ of what is left by its chance, and the outcome has the rest.
"""

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.training.positions import Samples

_STEPS = 1 << 16  # chances are rounded, so that machines whose exponentials differ in the last bit learn the same


def chances_of(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """The chances of logits, rounded to steps of 1 / 65536."""
    exact = 1 / (1 + np.exp(-logits.astype(np.float64)))
    return np.asarray(np.round(exact * _STEPS) / _STEPS)


def returns(samples: Samples, chances: npt.NDArray[np.float64], *, outcome_share: float) -> npt.NDArray[np.float32]:
    """The λ-returns of samples that hold whole games, in the order in which they were played.

    Args:
        samples: The positions, with outcomes as targets.
        chances: The chance of each position's player to win, by a model.
        outcome_share: The λ: what part of a later position's own return counts, where the rest is its chance. With 1,
            returns are outcomes.
    """
    of_first = np.where(samples.is_first, chances, 1 - chances)
    ends = np.flatnonzero(samples.ends_game)
    lengths = np.diff(ends, prepend=-1)
    left = np.where(samples.is_first, samples.targets, 1 - samples.targets).astype(np.float64)[ends]
    found = np.empty(len(samples))
    games = np.arange(len(ends))
    for back in range(int(lengths.max(initial=0))):  # all games at once, from their last positions to their first
        games = games[lengths[games] > back]
        places = ends[games] - back
        found[places] = left[games]
        left[games] = outcome_share * left[games] + (1 - outcome_share) * of_first[places]
    return np.where(samples.is_first, found, 1 - found).astype(np.float32)
