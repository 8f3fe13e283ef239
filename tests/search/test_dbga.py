"""The deck-building genetic algorithm does what the paper says, and asks for exactly the games it should."""

from fractions import Fraction
from math import floor
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pytest
from pydantic import ValidationError

from deckatlas.errors import SearchError
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, attribute_pattern, attributes, priorities
from deckatlas.search.batches import Batch, Numbers
from deckatlas.search.dbga import Dbga, blend, mutate_some, survivors
from deckatlas.search.operators import roulette, round_half_away
from deckatlas.search.protocol import Generation, Genomes
from deckatlas.search.spaces import GenomeSpace, make_space
from helpers.batches import arena_of
from helpers.chance import SURPRISING, surprise, uniform
from helpers.fixed_games import games_by_sum, made, steps
from helpers.searches import courses_of

SPACES = (priorities(1, 20, integer=True), priorities(1, 100, integer=True), attributes(), attribute_pattern())
REAL = priorities(0, 1)


def random_games(ask: Batch) -> Numbers:
    """Wins that have nothing to do with the genomes."""
    rng = np.random.default_rng(crc32(ask.genes.tobytes()))
    return rng.integers(0, len(courses_of(ask)[0]), len(ask.first), endpoint=True).astype(np.int32)


def all_steps(
    options: Dbga, space: GenomeSpace, *, budget: int | None = None, seed: int = 1
) -> list[tuple[Batch, Numbers, Generation]]:
    return steps(made(options, space, budget=budget, seed=seed), random_games)


# Operators


def test_halves_are_rounded_away_from_zero() -> None:
    values = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4, -2.4, 2.6, -2.6, 0.0, -0.4])
    rounded = round_half_away(values)
    assert rounded.tolist() == [1, 2, 3, -1, -2, -3, 2, -2, 3, -3, 0, 0]
    assert not np.signbit(rounded[-1]), "equal genomes have equal bytes"


def test_offspring_are_blends_of_three_to_seven() -> None:
    space = make_space("weights", [(-10, 10)] * 4, integer=True)
    one, other = np.array([[6.0, -4, 10, -10], [0, 0, 0, 0]]), np.array([[1.0, 1, -10, -10], [10, 9, 8, 7]])
    # 0.3 * 6 + 0.7 * 1 = 2.5; 0.3 * -4 + 0.7 * 1 = -0.5; 3 - 7 = -4; -10, and the other way round
    assert blend(one, other, 0.3, space=space).tolist() == [
        [3, -1, -4, -10],
        [5, -3, 4, -10],
        [7, 6, 6, 5],
        [3, 3, 2, 2],
    ]


def exact(one: int, other: int, alpha: Fraction) -> int:
    value = alpha * one + (1 - alpha) * other
    return floor(abs(value) + Fraction(1, 2)) * (-1 if value < 0 else 1)


@pytest.mark.parametrize(("low", "high"), [(1, 100), (-50, 50)])
@pytest.mark.parametrize("alpha", ["0.3", "0.1", "0.25", "0.55"])
def test_every_blend_is_that_of_exact_arithmetic(low: int, high: int, alpha: str) -> None:
    space = make_space("weights", [(low, high)], integer=True)
    pairs = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)]
    one, other = np.array(pairs, dtype=np.float64).T
    offspring = blend(one[:, np.newaxis], other[:, np.newaxis], float(alpha), space=space).reshape(-1, 2)
    share = Fraction(alpha)
    assert offspring[:, 0].tolist() == [exact(x, y, share) for x, y in pairs]
    assert offspring[:, 1].tolist() == [exact(x, y, 1 - share) for x, y in pairs]


def test_real_genes_are_blended_without_rounding_and_within_their_ranges() -> None:
    space = make_space("weights", [(0, 0.1)] * 2, integer=False)
    assert 0.2 * 0.1 + 0.8 * 0.1 > 0.1, "in binary"
    offspring = blend(np.array([[0.0, 0.1]]), np.array([[0.1, 0.1]]), 0.2, space=space)
    assert offspring == pytest.approx(np.array([[0.08, 0.1], [0.02, 0.1]]))
    assert offspring.max() <= 0.1


def test_the_roulette_follows_fitness_and_never_takes_who_won_nothing() -> None:
    drawn = roulette(np.random.default_rng(1), np.array([0.0, 5, 0, 15, 30, 0]), 20_000).tolist()
    assert surprise(drawn, {1: 0.1, 3: 0.3, 4: 0.6}) < SURPRISING


def test_a_roulette_where_nobody_won_is_uniform() -> None:
    drawn = roulette(np.random.default_rng(1), np.zeros(5), 20_000).tolist()
    assert surprise(drawn, uniform(range(5))) < SURPRISING


def test_one_parent_is_drawn_by_fitness_and_the_other_by_chance() -> None:
    # With alpha 1 and no mutation the first offspring of a pair is one parent, the second is the other.
    options = Dbga(population=4, generations=1, games=10, alpha=1, mutation=0)
    by_roulette, by_chance = [], []
    for seed in range(3000):
        search = made(options, REAL, seed=seed)
        generation = search.tell_wins(np.array([1, 2, 3, 4]))
        ask = search.ask()
        assert generation is not None
        assert ask is not None
        scores = {
            genome.tobytes(): int(score) for genome, score in zip(generation.genomes, generation.scores, strict=True)
        }
        parents = [scores[genome.tobytes()] for genome in ask.genes]
        by_roulette += parents[::2]
        by_chance += parents[1::2]
    assert surprise(by_roulette, {10: 0.1, 20: 0.2, 30: 0.3, 40: 0.4}) < SURPRISING
    assert surprise(by_chance, uniform((10, 20, 30, 40))) < SURPRISING


OUTSIDE = 99.0  # no gene is drawn so: where it stands, a gene was kept


def test_without_mutation_nothing_changes() -> None:
    genomes = np.full((50, 9), OUTSIDE)
    assert np.array_equal(mutate_some(np.random.default_rng(1), genomes, space=attributes(), probability=0), genomes)


def test_each_gene_of_a_mutant_is_kept_or_drawn_anew_with_equal_probability() -> None:
    mutants = mutate_some(np.random.default_rng(1), np.full((4000, 9), OUTSIDE), space=attributes(), probability=1)
    for gene in mutants.T:
        kept = gene == OUTSIDE
        assert surprise(kept.tolist(), {True: 0.5, False: 0.5}) < SURPRISING
        assert surprise(gene[~kept].tolist(), uniform(float(value) for value in range(-10, 11))) < SURPRISING
    # Genes are kept or not one by one: any two of them agree half of the time.
    assert (
        surprise(((mutants[:, 0] == OUTSIDE) == (mutants[:, 1] == OUTSIDE)).tolist(), {True: 0.5, False: 0.5})
        < SURPRISING
    )


def test_an_offspring_mutates_as_a_whole_with_the_probability_of_mutation() -> None:
    space = priorities(1, 20, integer=True)
    genomes = mutate_some(np.random.default_rng(1), np.full((5000, 160), OUTSIDE), space=space, probability=0.1)
    changed = np.sum(genomes != OUTSIDE, axis=1)
    assert surprise((changed > 0).tolist(), {True: 0.1, False: 0.9}) < SURPRISING
    assert np.all((changed == 0) | (changed > 40)), "a mutant changes about half of its 160 genes"


def test_survivors_are_the_best_and_older_ones_among_equals() -> None:
    wins = np.array([3, 7, 5, 5, 9, 7, 5, 1])
    assert survivors(np.random.default_rng(1), wins, count=4, elites=4).tolist() == [4, 1, 5, 2]
    assert survivors(np.random.default_rng(1), wins, count=8, elites=3).tolist() == [4, 1, 5, 2, 3, 6, 0, 7]


def test_the_other_survivors_are_drawn_evenly_and_never_twice() -> None:
    wins = np.array([10, 0, 0, 5, 0, 9, 0, 0])
    rng = np.random.default_rng(1)
    lucky = []
    for _ in range(4000):
        rows = survivors(rng, wins, count=4, elites=2).tolist()
        assert rows[:2] == [0, 5]
        assert len(set(rows)) == 4
        lucky += rows[2:]
    assert surprise(lucky, uniform((1, 2, 3, 4, 6, 7))) < SURPRISING


# The whole search


@pytest.mark.parametrize("space", SPACES, ids=("D20", "D100", "A", "AP"))
def test_table_one_is_the_default_and_costs_what_it_should(space: GenomeSpace) -> None:
    size = 100 if space.kind == "priorities" else 50
    rounds = all_steps(Dbga(), space)
    assert [generation.number for _, _, generation in rounds] == list(range(51))
    assert all(len(ask.genes) == len(generation.genomes) == size for ask, _, generation in rounds)
    assert sum(ask.games for ask, _, _ in rounds) == size * 51 * 50
    for ask, _, _ in rounds:
        assert np.array_equal(ask.genes, np.round(ask.genes))
        assert np.all((ask.genes >= space.low) & (ask.genes <= space.high))


@pytest.mark.parametrize(("budget", "populations"), [(2_500, 1), (4_999, 1), (5_000, 2), (1_000_000, 400)])
def test_a_budget_pays_for_whole_generations(budget: int, populations: int) -> None:
    rounds = all_steps(Dbga(), attributes(), budget=budget)
    assert len(rounds) == populations
    assert sum(ask.games for ask, _, _ in rounds) == populations * 2_500


def test_a_budget_does_not_lengthen_a_search_of_so_many_generations() -> None:
    assert len(all_steps(Dbga(generations=3), attributes(), budget=1_000_000)) == 4
    assert len(all_steps(Dbga(generations=3), attributes(), budget=5_000)) == 2


def test_a_budget_below_the_initial_population_is_refused() -> None:
    with pytest.raises(SearchError, match="costs 5000 games, more than the budget of 4999"):
        made(Dbga(), priorities(1, 20, integer=True), budget=4_999)


def rows_of(genomes: Genomes) -> list[bytes]:
    return [genome.tobytes() for genome in genomes]


def test_survivors_are_never_rated_again_and_the_elite_share_is_exact() -> None:
    # Every genome is new, as all offspring mutate 160 real genes: its bytes are its name.
    options = Dbga(population=20, generations=12, mutation=1)
    known: dict[bytes, float] = {}
    population: list[bytes] = []
    ranks_lost: list[int] = []
    for ask, wins, generation in all_steps(options, REAL):
        asked = rows_of(ask.genes)
        assert not known.keys() & set(asked)
        known |= dict(zip(asked, 2.0 * wins, strict=True))
        union = population + asked
        ranked = sorted(union, key=lambda name: -known[name])
        population = rows_of(generation.genomes)
        assert len(set(population)) == 20
        assert set(population) <= set(union)
        ranks_lost += [rank for rank, name in enumerate(ranked) if name not in population]
        assert generation.scores.tolist() == [known[name] for name in population]
        assert generation.scores.tolist() == sorted(generation.scores, reverse=True)
        assert generation.facts["mean"] == pytest.approx(np.mean([known[name] for name in population]))
        assert generation.facts["spread"] == pytest.approx(np.std([known[name] for name in population]))
    assert len(known) == 20 * 13
    assert min(ranks_lost) == 14, "of 20, the 14 best always survive, and the next may not"


def test_an_odd_population_has_as_many_offspring() -> None:
    rounds = all_steps(Dbga(population=7, generations=2), attributes())
    assert [len(ask.genes) for ask, _, _ in rounds] == [7, 7, 7]


def sums_in_deviations(space: GenomeSpace, genomes: Genomes) -> npt.NDArray[np.float64]:
    """Sums of genes, in standard deviations of the sum of a random genome from its mean."""
    deviation = np.sqrt(np.sum((space.high - space.low) ** 2) / 12)
    sums: npt.NDArray[np.float64] = (genomes - (space.low + space.high) / 2).sum(axis=1) / deviation
    return sums


@pytest.mark.parametrize("seat", ["first", "second", "both"])
@pytest.mark.parametrize("space", [*SPACES, REAL], ids=("D20", "D100", "A", "AP", "real"))
def test_where_high_sums_win_it_learns_them(space: GenomeSpace, seat: str) -> None:
    search = made(Dbga.model_validate({"seat": seat}), space)
    generations = [generation.genomes for _, _, generation in steps(search, games_by_sum(space))]
    start, end = (sums_in_deviations(space, genomes) for genomes in (generations[0], generations[-1]))
    assert abs(start.mean()) < 0.5
    assert end.mean() > start.max()


def test_where_chance_wins_it_learns_nothing() -> None:
    for seed in range(3):
        *_, (_, _, last) = all_steps(Dbga(), attributes(), seed=seed)
        assert abs(sums_in_deviations(attributes(), last.genomes).mean()) < 1


def test_without_mutation_no_gene_leaves_the_range_of_the_initial_population() -> None:
    # What the paper suspects of its crossover: it searches the middle, and only mutation goes outwards.
    rounds = all_steps(Dbga(mutation=0), REAL)
    start, end = rounds[0][2].genomes, rounds[-1][2].genomes
    assert np.all(end.min(axis=0) >= start.min(axis=0) - 1e-12)
    assert np.all(end.max(axis=0) <= start.max(axis=0) + 1e-12)


@pytest.mark.parametrize("seat", ["first", "both"])
def test_the_same_seed_gives_the_same_search_on_any_number_of_threads(seat: str) -> None:
    drafts = LocmDrafts(attribute_pattern())
    evaluator = LocmMatchups(drafts, pilot="greedy", opponents=["coac/greedy"])
    options = Dbga.model_validate({"population": 8, "generations": 3, "games": 6, "seat": seat})

    def asks(threads: int, seed: int) -> list[list[bytes]]:
        search = made(options, drafts.genomes, seed=seed)
        return [rows_of(ask.genes) for ask, _, _ in steps(search, arena_of(evaluator, threads=threads))]

    assert asks(1, 5) == asks(2, 5)
    assert asks(1, 5) != asks(1, 6)


def test_a_search_asks_once_until_it_is_told_and_for_nothing_when_it_is_over() -> None:
    search = made(Dbga(population=4, generations=0), attributes())
    assert search.ask() is not None
    assert search.ask() is None
    with pytest.raises(SearchError, match="4 matchups"):
        search.tell_wins(np.zeros(3, dtype=np.int32))
    assert not search.is_over
    search.tell_wins(np.zeros(4, dtype=np.int32))
    assert search.is_over
    assert search.ask() is None
    with pytest.raises(SearchError, match="over"):
        search.tell_wins(np.zeros(4, dtype=np.int32))


def test_smoke_is_small_and_keeps_what_has_no_size() -> None:
    options = Dbga(seat="both", alpha=0.4).smoke()
    assert (options.seat, options.alpha) == ("both", 0.4)
    assert Dbga(population=2, generations=0, games=3).smoke() == Dbga(population=2, generations=0, games=3)
    assert sum(ask.games for ask, _, _ in all_steps(options, attributes())) == 300


@pytest.mark.parametrize(
    "wrong",
    [
        {"population": 1},
        {"generations": -1},
        {"games": 0},
        {"alpha": 1.1},
        {"mutation": -0.1},
        {"elites": 1.5},
        {"seat": "third"},
        {"elite": 0.7},
    ],
)
def test_impossible_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        Dbga.model_validate(wrong)
