"""Updates and rankings of CMA-ME are those of pyribs from the same input; `make oracle` installs it and runs these."""

from typing import Any

import numpy as np
import pytest

from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import GridOptions
from deckatlas.search.cma import Cma, rates_of
from deckatlas.search.cma_emitters import ByImprovement
from deckatlas.search.evaluation import Floats

opt: Any = pytest.importorskip("ribs.emitters.opt")

LENGTH, POPULATION, SIGMA = 12, 14, 0.3


def bowl(x: Floats) -> float:
    return -float((np.arange(1, LENGTH + 1) * (x - 0.5) ** 2).sum())


def same_state(strategy: Any) -> Cma:
    """A distribution in the state of pyribs' one, whose path of the shape is not in units of the step size."""
    cma = Cma(strategy.mean, strategy.sigma, population=POPULATION)
    cma.covariance = np.tril(strategy.cov.cov)
    cma.shape_path = strategy.pc / strategy.sigma
    cma.step_path = strategy.ps.copy()
    cma.generations = strategy.current_eval // POPULATION
    cma._axes = np.ascontiguousarray(strategy.cov.eigenbasis.T)
    cma._spreads = np.sqrt(strategy.cov.eigenvalues)
    return cma


@pytest.mark.parametrize("parents", [1, 2, POPULATION // 2, POPULATION, None])
def test_an_update_is_that_of_pyribs_but_for_the_weight_of_the_path(parents: int | None) -> None:
    """The path of pyribs 0.12 is in units of the solutions, and its product with itself has its rate squared.

    That leaves little of it; so the covariance is compared without it.
    """
    strategy = opt.CMAEvolutionStrategy(SIGMA, LENGTH, POPULATION, seed=1)
    strategy.reset(np.zeros(LENGTH))
    rng = np.random.default_rng(1)
    for _ in range(40):
        draws = strategy.ask()
        order = np.argsort([-bowl(draw) for draw in draws])
        count = parents or int(rng.integers(1, POPULATION + 1))
        cma, sigma = same_state(strategy), strategy.sigma
        strategy.tell(order, np.zeros(POPULATION), count)
        cma.tell(np.ascontiguousarray(draws[order[:count]]))
        np.testing.assert_allclose(cma.mean, strategy.mean, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(cma.sigma, strategy.sigma, rtol=1e-12)
        np.testing.assert_allclose(cma.step_path, strategy.ps, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(cma.shape_path * sigma, strategy.pc, rtol=1e-12, atol=1e-14)
        rate = rates_of(LENGTH, count).rank_one
        ours = cma.covariance - rate * np.tril(np.outer(cma.shape_path, cma.shape_path))
        theirs = strategy.cov.cov - rate**2 * np.outer(strategy.pc, strategy.pc)
        np.testing.assert_allclose(ours, np.tril(theirs), rtol=1e-11, atol=1e-13)


def test_the_published_update_is_that_of_pyribs_without_its_parents() -> None:
    strategy = opt.CMAEvolutionStrategy(SIGMA, LENGTH, POPULATION, seed=2)
    strategy.reset(np.zeros(LENGTH))
    cma = Cma(np.zeros(LENGTH), SIGMA, population=POPULATION, published=True)
    draws, order = strategy.ask(), np.arange(POPULATION)
    strategy.tell(order, np.zeros(POPULATION), POPULATION)
    cma.tell(np.ascontiguousarray(draws))
    rates = rates_of(LENGTH, POPULATION)
    np.testing.assert_allclose(cma.shape_path, strategy.pc, rtol=1e-12, atol=1e-14)
    steps = draws / SIGMA
    from_parents = rates.rank_mu * np.einsum("k,ki,kj->ij", rates.weights, steps, steps)
    path = (rates.rank_one - rates.rank_one**2) * np.outer(strategy.pc, strategy.pc)
    np.testing.assert_allclose(cma.covariance, np.tril(strategy.cov.cov - from_parents + path), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("length", "population"), [(12, 14), (109, 37), (109, 500), (3, 7)])
def test_eigensystems_are_as_far_apart_as_in_pyribs(length: int, population: int) -> None:
    strategy = opt.CMAEvolutionStrategy(SIGMA, length, population)
    cma = Cma(np.zeros(length), SIGMA, population=population)
    assert cma._lazy_draws == pytest.approx(strategy.lazy_gap_evals, rel=1e-12)


def test_the_ranking_of_improvements_is_that_of_pyribs() -> None:
    archives: Any = pytest.importorskip("ribs.archives")
    rankers: Any = pytest.importorskip("ribs.emitters.rankers")
    theirs = archives.GridArchive(solution_dim=1, dims=(6,), ranges=[(0.0, 6.0)])
    ours = Archive(GridOptions(measures=("m",), resolution=(6,), ranges=((0.0, 6.0),)), planned=60)
    rng = np.random.default_rng(3)
    for _ in range(5):
        info: dict[str, list[Any]] = {"status": [], "value": []}
        ranked = []
        for row in range(12):
            objective, measure = float(rng.normal()), float(rng.uniform(0, 6))
            added = theirs.add_single([0.0], objective, [measure])
            info["status"].append(added["status"])
            info["value"].append(added["value"])
            ours.add(objective, [measure])
            rank = ByImprovement().rank(ours.told - 1, ours)
            assert (rank is None) == (added["status"] == 0)
            if rank is not None:
                ranked.append((rank, row))
        whole = {name: np.array(values).ravel() for name, values in info.items()}
        order, _ = rankers.TwoStageImprovementRanker().rank(None, theirs, {}, whole)
        best_first = sorted(ranked, key=lambda each: each[0], reverse=True)
        assert ByImprovement().parents(best_first) == order[: len(ranked)].tolist()
