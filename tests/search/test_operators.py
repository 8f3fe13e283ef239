"""The genetic operators, against cases worked by hand."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from deckatlas.search.operators import (
    draw_tournaments,
    merge,
    mutate,
    roulette,
    tournament_winners,
    uniform_crossover,
)
from deckatlas.search.spaces import make_space
from helpers.searches import small_space


class Dice(np.random.Generator):
    """A generator whose `random` gives the numbers it was made with."""

    def __init__(self, numbers: Sequence[float]) -> None:
        super().__init__(np.random.PCG64(1))
        self._numbers: Iterator[float] = iter(numbers)

    def random(self, size: Any = None, *_: Any, **__: Any) -> Any:
        return np.array([next(self._numbers) for _ in range(int(np.prod(size)))]).reshape(size)


def test_a_roulette_draws_in_proportion_to_the_weights() -> None:
    drawn = roulette(np.random.default_rng(1), np.array([1.0, 0.0, 3.0]), 40_000)
    counts = np.bincount(drawn, minlength=3)
    assert counts[1] == 0
    assert counts[2] / 40_000 == pytest.approx(0.75, abs=0.01)


def test_a_roulette_whose_weights_are_all_zero_is_even() -> None:
    counts = np.bincount(roulette(np.random.default_rng(2), np.zeros(4), 40_000), minlength=4)
    assert counts / 40_000 == pytest.approx([0.25] * 4, abs=0.01)


def test_tournaments_have_different_members_and_everybody_is_drawn_alike() -> None:
    entrants = draw_tournaments(np.random.default_rng(3), 10, count=5_000, size=4)
    assert entrants.shape == (5_000, 4)
    assert all(len(set(row)) == 4 for row in entrants.tolist())
    for place in range(4):
        assert np.bincount(entrants[:, place], minlength=10) / 5_000 == pytest.approx([0.1] * 10, abs=0.02)


def test_the_most_points_win_a_tournament_and_equal_points_the_earlier_drawn() -> None:
    entrants = np.array([[7, 3, 5], [1, 2, 0], [4, 6, 8]])
    points = np.array([[2, 9, 4], [5, 5, 1], [0, 0, 0]])
    assert tournament_winners(entrants, points).tolist() == [[3], [1], [4]]
    assert tournament_winners(entrants, points, winners=2).tolist() == [[3, 5], [1, 2], [4, 6]]


def test_crossover_exchanges_active_genes_and_the_children_complement_each_other() -> None:
    one, other = np.array([[1.0, 2, 3, 4]]), np.array([[5.0, 6, 7, 8]])
    active = np.array([True, True, True, False])
    children = uniform_crossover(Dice([0.1, 0.9, 0.49, 0.1]), one, other, active)
    assert children[0].tolist() == [[5, 2, 7, 4]]
    assert children[1].tolist() == [[1, 6, 3, 8]]


def test_crossover_takes_each_gene_from_either_parent_alike() -> None:
    one, other = np.zeros((500, 40)), np.ones((500, 40))
    children = uniform_crossover(np.random.default_rng(4), one, other, np.ones(40, dtype=np.bool_))
    assert np.array_equal(children[0] + children[1], np.ones((500, 40)))
    assert children[0].mean(axis=0) == pytest.approx([0.5] * 40, abs=0.1)
    assert children[0].mean() == pytest.approx(0.5, abs=0.01)


def test_mutation_changes_active_genes_alone_as_often_as_it_should() -> None:
    genomes = np.full((2_000, 12), 2.0)  # no value of the space
    active = np.arange(12) < 5
    mutated = mutate(np.random.default_rng(5), genomes, active, space=small_space(), probability=0.05)
    changed = mutated != genomes
    assert not changed[:, 5:].any()
    assert changed[:, :5].mean() == pytest.approx(0.05, abs=0.01)
    fresh = mutated[changed]
    assert fresh.min() >= 0
    assert fresh.max() <= 1
    assert fresh.mean() == pytest.approx(0.5, abs=0.05)
    assert np.array_equal(genomes, np.full((2_000, 12), 2.0))  # the parents are as they were


def test_mutation_draws_every_whole_number_of_an_integer_space() -> None:
    space = make_space("numbers", [(1, 3), (-2, 0)], integer=True)
    both = np.ones(2, dtype=np.bool_)
    mutated = mutate(np.random.default_rng(6), np.full((900, 2), 9.0), both, space=space, probability=1)
    assert np.bincount(mutated[:, 0].astype(int)) / 900 == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3], abs=0.06)
    assert set(mutated[:, 1].tolist()) == {-2, -1, 0}


def test_a_merged_gene_is_the_weighted_mean_of_parent_and_child() -> None:
    parents, children = np.array([[0.8, 0.8, 0.3]]), np.array([[0.4, 0.4, 0.7]])
    merged = merge(parents, children, np.array([0.75, 1, 0]), space=small_space(3))
    assert merged[0] == pytest.approx([0.7, 0.8, 0.7])
    assert merged[0, 1:].tolist() == [0.8, 0.7]  # exactly, where nothing is blended


def test_whole_genes_merge_to_whole_numbers_and_halves_go_away_from_zero() -> None:
    parents, children = np.array([[2.0, -2, 8, 1, -1]]), np.array([[1.0, -1, 1, 0, 1]])
    merged = merge(parents, children, np.array([0.5, 0.5, 0.75, 0.25, 0.5]), space=small_space(5, integer=True))
    assert merged.tolist() == [[2, -2, 6, 0, 0]]  # 1.5, -1.5, 6.25, 0.25, 0
    assert not np.signbit(merged[0, 3:]).any()
