"""Covariance matrix adaptation: a normal distribution that learns from the best of what was drawn from it.

The rules are those of N. Hansen's CMA-ES without negative weights. The number of parents may differ from generation to
generation, as improvement emitters need it; all rates follow from it. Everything but the draws is computed from the
parents, in a fixed order: equal parents give equal bits on every machine and number of threads.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import fsum, inf, sqrt

import numpy as np

from deckatlas._core import numeric
from deckatlas.search.evaluation import Floats

MOST_CONDITION = 1e14  # the largest over the smallest eigenvalue: beyond it, rounding decides
LEAST_STEP = 1e-11  # the standard deviation along the longest axis


@dataclass(frozen=True)
class Rates:
    """How fast a distribution learns.

    Attributes:
        weights: The weight of each parent, best first; they add up to 1.
        effective: The number of parents that equal weights would need for the same variance (mu_eff).
        shape_path: How much the path of the shape forgets in a generation (c_c).
        step_path: How much the path of the step size forgets in a generation (c_sigma).
        rank_one: How much the covariance takes from the path of the shape (c_1).
        rank_mu: How much the covariance takes from the parents (c_mu).
        step_gain: How strongly the step size follows its path (c_sigma / d_sigma).
    """

    weights: Floats
    effective: float
    shape_path: float
    step_path: float
    rank_one: float
    rank_mu: float
    step_gain: float


@lru_cache(maxsize=1024)
def rates_of(length: int, parents: int) -> Rates:
    """The rates for vectors of this length and this number of parents."""
    falling = [numeric.log(parents + 0.5) - numeric.log(rank) for rank in range(1, parents + 1)]
    total = fsum(falling)
    weights = np.array([weight / total for weight in falling])
    weights.flags.writeable = False
    effective = 1 / fsum(weights * weights)
    step_path = (effective + 2) / (length + effective + 5)
    rank_one = 2 / ((length + 1.3) * (length + 1.3) + effective)
    rank_mu = 2 * (effective - 2 + 1 / effective) / ((length + 2) * (length + 2) + effective)
    damping = 1 + 2 * max(0.0, sqrt((effective - 1) / (length + 1)) - 1) + step_path
    return Rates(
        weights=weights,
        effective=effective,
        shape_path=(4 + effective / length) / (length + 4 + 2 * effective / length),
        step_path=step_path,
        rank_one=rank_one,
        rank_mu=min(1 - rank_one, rank_mu),
        step_gain=step_path / damping,
    )


class Cma:
    """A normal distribution over vectors, adapted generation by generation.

    Attributes:
        mean: Its centre.
        sigma: The step size: draws are `sigma` times the covariance's standard deviations away from the mean.
        covariance: Its shape, on and below the diagonal.
        shape_path: The recent steps of the mean, in units of `sigma` (p_c).
        step_path: The same without the shape: its length says whether steps cancel or add up (p_sigma).
        generations: How many generations it has learned from.
    """

    # Sums are the core's or exactly rounded, never products of numpy matrices: these call a BLAS, whose order of adding
    # depends on the machine and the number of threads.

    def __init__(self, mean: Floats, sigma: float, *, population: int, published: bool = False) -> None:
        """Makes a distribution with the same spread in all directions.

        Args:
            mean: Its centre.
            sigma: The standard deviation along each axis.
            population: How many draws make a generation.
            published: Leave out what the program of the DSA-ME paper left out: the covariance shrinks as if it learned
                from all parents, but it learns only from the path of the shape, which is not in units of `sigma`.
        """
        self.mean = np.array(mean, dtype=np.float64)
        self.sigma = float(sigma)
        length = len(self.mean)
        self.covariance = np.eye(length)
        self.shape_path = np.zeros(length)
        self.step_path = np.zeros(length)
        self.generations = 0
        self._published = published
        self._axes = np.eye(length)  # eigenvectors of the covariance, one per row
        self._spreads = np.ones(length)  # standard deviations along them
        self._condition = 1.0
        # An eigensystem takes far longer than a generation, and the covariance changes slowly: this many draws apart,
        # it costs no more than the draws do.
        usual = rates_of(length, max(1, population // 2))
        self._population = population
        self._lazy_draws = 0.5 * population / (usual.rank_one + usual.rank_mu) / length
        self._decomposed_at = 0

    @property
    def is_spent(self) -> bool:
        """Whether nothing more can be learned: it is too narrow, or too different in different directions."""
        if self.sigma * float(self._spreads[-1]) < LEAST_STEP:
            return True
        # The published program never updated its condition number.
        return self._condition == inf if self._published else self._condition > MOST_CONDITION

    def ask(self, rng: np.random.Generator) -> Floats:
        """Draws a vector."""
        draw = rng.standard_normal(len(self.mean))
        return self.mean + self.sigma * numeric.combined_rows(draw * self._spreads, self._axes)

    def tell(self, parents: Floats) -> None:
        """Learns from a generation.

        Args:
            parents: The vectors to learn from, best first; at least one.
        """
        rates = rates_of(len(self.mean), len(parents))
        self.generations += 1
        steps = parents - self.mean
        old_sigma = self.sigma
        mean = numeric.combined_rows(rates.weights, parents)
        step = mean - self.mean
        self.mean = mean
        steady = self._follow(step, rates)
        self._reshape(steps / old_sigma, rates, steady=steady)
        length = len(mean)
        surplus = fsum(self.step_path * self.step_path) / length - 1
        self.sigma *= numeric.exp(min(1.0, rates.step_gain * surplus / 2))
        draws = self.generations * self._population
        if draws > self._decomposed_at + self._lazy_draws:
            self._decompose()
            self._decomposed_at = draws

    def _follow(self, step: Floats, rates: Rates) -> bool:
        """Moves both paths by a step of the mean; returns whether the step size is steady enough to learn the shape."""
        length, forget = len(step), rates.step_path
        along = numeric.row_products(self._axes, step) / self._spreads
        whitened = numeric.combined_rows(along, self._axes)
        self.step_path = (1 - forget) * self.step_path + (
            sqrt(forget * (2 - forget) * rates.effective) / self.sigma
        ) * whitened
        begun = 1 - numeric.exp(2 * self.generations * numeric.log(1 - forget))
        steady = fsum(self.step_path * self.step_path) / length / begun < 2 + 4 / (length + 1)
        self.shape_path = (1 - rates.shape_path) * self.shape_path
        if steady:
            unit = 1.0 if self._published else self.sigma
            scale = sqrt(rates.shape_path * (2 - rates.shape_path) * rates.effective) / unit
            self.shape_path = self.shape_path + scale * step
        return steady

    def _reshape(self, steps: Floats, rates: Rates, *, steady: bool) -> None:
        """Adapts the covariance to the path of the shape and to the parents' steps, in units of the step size."""
        lost = rates.rank_one
        if not steady:  # a path that stands still would otherwise take variance away
            lost *= 1 - rates.shape_path * (2 - rates.shape_path)
        self.covariance *= 1 - lost - rates.rank_mu
        numeric.add_outer_products(self.covariance, np.array([rates.rank_one]), self.shape_path[np.newaxis])
        if not self._published:
            numeric.add_outer_products(self.covariance, rates.rank_mu * rates.weights, steps)

    def _decompose(self) -> None:
        values, axes = numeric.eigensystem(self.covariance)
        smallest, largest = float(values[0]), float(values[-1])
        self._condition = largest / smallest if smallest > 0 else inf
        if smallest > 0:
            self._axes, self._spreads = axes, np.sqrt(values)
