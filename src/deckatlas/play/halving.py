"""Successive halving: many candidates play a few rounds, the better half plays more, until few are left.

All candidates play the same rounds. What was known of a candidate before counts as well, with the weight of its
uncertainty, so that a few lucky rounds do not decide.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.stats.estimate import Floats

Ints = npt.NDArray[np.int64]
PlayRounds = Callable[[Ints, range], Floats]  # the lead of each of these candidates in each of these rounds


@dataclass(frozen=True)
class Halved:
    """What is left of the candidates.

    Attributes:
        order: All candidates, the best first; those that were dropped later are before those dropped earlier.
        leads: The lead of each candidate as it is believed now.
        played: How many rounds all candidates have played together.
    """

    order: Ints
    leads: Floats
    played: int


def successive_halving(
    play: PlayRounds, believed: Floats, *, doubt: float | Floats, finalists: int, budget: int, first_round: int = 0
) -> Halved:
    """Finds the candidates with the largest leads.

    Args:
        play: Plays rounds.
        believed: The lead of each candidate as it is believed before.
        doubt: The standard deviation of what is believed, of all candidates or of each.
        finalists: How many are to be left.
        budget: The rounds of all candidates together; each stage has the same part of it, and one round at least.
        first_round: The number of the first round.
    """
    stages = max(1, math.ceil(math.log2(max(1, len(believed) / finalists))))
    left = np.argsort(-believed, kind="stable")
    found, dropped = believed.copy(), []
    doubts = np.broadcast_to(doubt, believed.shape)
    leads = np.empty((len(believed), 0))
    played = 0
    for stage in range(stages):
        more = max(1, budget // stages // len(left))
        start = first_round + leads.shape[1]
        new = np.full((len(believed), more), np.nan)
        new[left] = play(left, range(start, start + more))
        leads = np.concatenate([leads, new], axis=1)
        played += more * len(left)
        found[left] = _posterior(leads[left], believed[left], doubts[left])
        left = left[np.argsort(-found[left], kind="stable")]
        keep = finalists if stage == stages - 1 else max(finalists, math.ceil(len(left) / 2))
        dropped.append(left[keep:])
        left = left[:keep]
    return Halved(np.concatenate([left, *reversed(dropped)]), found, played)


def _posterior(leads: Floats, believed: Floats, doubts: Floats) -> Floats:
    """The mean of what was believed and what was played, each weighted by its precision."""
    rounds = leads.shape[1]
    spread = float(leads.var(axis=1, ddof=1).mean()) if rounds > 1 else float(leads.var())
    noise = max(spread, 1e-12) / rounds
    share = doubts**2 / (doubts**2 + noise)
    return np.asarray(believed + share * (leads.mean(axis=1) - believed))
