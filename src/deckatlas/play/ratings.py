"""Overall ratings: the Bradley-Terry model by maximum likelihood, on the Elo scale, with intervals from seeds.

All matches of a gauntlet use the same seeds, so the independent unit is a seed with all its games. The covariance is
the sandwich estimator: curvature of the likelihood outside, spread of the seeds' scores inside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimates

Floats = npt.NDArray[np.float64]

ELO_PER_LOGIT = 400 / math.log(10)
PRIOR_WINS = 0.5  # half a game won and half a game lost, each with its own seed, are added to every match
_MAX_STEPS = 100


@dataclass(frozen=True)
class SeedScores:
    """One match, seed by seed: how many of `games` entrant `i` won against entrant `j`."""

    i: int
    j: int
    wins: Floats
    games: Floats


@dataclass(frozen=True, eq=False)
class Ratings(Estimates):
    """Ratings in Elo with 95 % intervals, one entry per entrant, from all its games. Their mean is 0.

    Attributes:
        covariance: The covariance of the ratings; the variance of i's lead over j is
            `c[i, i] + c[j, j] - 2 c[i, j]`.
    """

    covariance: Floats = field(kw_only=True)


def rate_all(entrants: int, matches: Sequence[SeedScores]) -> Ratings:
    """Rates entrants that all played each other, directly or through others."""
    first = np.array([match.i for match in matches])
    second = np.array([match.j for match in matches])
    wins = np.array([match.wins.sum() for match in matches]) + PRIOR_WINS
    games = np.array([match.games.sum() for match in matches]) + 2 * PRIOR_WINS
    # Row m of `design` subtracts the rating of the second entrant of match m from that of the first.
    design = np.zeros((len(matches), entrants))
    design[np.arange(len(matches)), first] = 1
    design[np.arange(len(matches)), second] = -1

    strength = _most_likely(design, wins, games)
    expected = _logistic(design @ strength)
    spread = _spread_of_seeds(design, matches, expected)
    outside = np.linalg.inv(_curvature(design, games, expected))
    covariance = _centred(outside @ spread @ outside) * ELO_PER_LOGIT**2
    value = strength * ELO_PER_LOGIT
    error = np.sqrt(np.diag(covariance))
    games_of_entrants = np.abs(design).T @ np.array([match.games.sum() for match in matches])
    return Ratings(
        value,
        error,
        value - Z95 * error,
        value + Z95 * error,
        n=games_of_entrants.astype(np.int64),
        covariance=covariance,
    )


def _logistic(x: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def _curvature(design: Floats, games: Floats, expected: Floats) -> Floats:
    """The negative second derivative of the log likelihood, made regular: only differences matter, the mean is free."""
    entrants = design.shape[1]
    laplacian = design.T @ (design * (games * expected * (1 - expected))[:, None])
    return np.asarray(laplacian + np.trace(laplacian) / entrants**2)


def _most_likely(design: Floats, wins: Floats, games: Floats) -> Floats:
    """Newton's method; the likelihood is concave, and a step that does not raise it is halved."""

    def likelihood(strength: Floats) -> float:
        lead = design @ strength
        return float(np.sum(wins * lead - games * np.logaddexp(0, lead)))

    strength = np.zeros(design.shape[1])
    best = likelihood(strength)
    for _ in range(_MAX_STEPS):
        expected = _logistic(design @ strength)
        step = np.linalg.solve(_curvature(design, games, expected), design.T @ (wins - games * expected))
        while np.abs(step).max() > 1e-10 and likelihood(strength + step) < best:
            step /= 2
        strength = strength + step
        best = likelihood(strength)
        if np.abs(step).max() <= 1e-10:
            break
    return np.asarray(strength - strength.mean())


def _spread_of_seeds(design: Floats, matches: Sequence[SeedScores], expected: Floats) -> Floats:
    """Sum of the outer products of scores: one for each seed with all its games, and for the games of the prior."""
    seeds = max(len(match.games) for match in matches)
    scores = np.zeros((seeds, design.shape[1]))
    for row, match, rate in zip(design, matches, expected, strict=True):
        scores[: len(match.games)] += np.outer(match.wins - match.games * rate, row)
    prior = design.T @ (design * (PRIOR_WINS * ((1 - expected) ** 2 + expected**2))[:, None])
    few_seeds = seeds / max(1, seeds - 1)
    return np.asarray(few_seeds * scores.T @ scores + prior)


def _centred(covariance: Floats) -> Floats:
    """The covariance of ratings minus their mean."""
    centre = np.eye(len(covariance)) - 1 / len(covariance)
    return np.asarray(centre @ covariance @ centre)
