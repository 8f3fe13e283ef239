"""How games are spent: the budget is kept, the rule is reproducible, and games go where they decide something."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas.metagame.cycles import decided_pairs
from deckatlas.metagame.matchups import GAMES_PER_SEED, Matchups, all_pairs
from deckatlas.metagame.matrix_game import symmetric_mix
from deckatlas.metagame.rounds import challenge, field_seeds, matchups_from, round_sizes, share_out, spending
from deckatlas.search.batches import Batch, Course
from deckatlas.search.scripts import Script, Wins
from helpers.metagames import Floats, drawn_matchups, rates_of

# The first three are in a cycle; the others lose to all of them, and are equal.
FIELD = rates_of((0.6, 0.4, 0.9, 0.9, 0.9, 0.6, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5))
NAMES = tuple(f"deck {i}" for i in range(6))


def seed_of(batch: Batch, course: int) -> int:
    played = batch.courses[course]
    assert isinstance(played, Course)
    return int(played.game_seeds[0])


def wins_in(batch: Batch, rates: Floats, rng: np.random.Generator | None) -> Wins:
    """Whether the first of each matchup wins: without a random source, that depends on the seed and on who plays."""
    first, second = -1 - batch.first, -1 - batch.second
    if rng is not None:
        return np.asarray((rng.random(len(batch)) < rates[first, second]).astype(np.int64))
    chance = [
        np.random.default_rng((seed_of(batch, course) % 2**32, i, j)).random()
        for course, i, j in zip(batch.course.tolist(), first.tolist(), second.tolist(), strict=True)
    ]
    return np.asarray((np.array(chance) < rates[first, second]).astype(np.int64))


def played(search: Script, rates: Floats, rng: np.random.Generator | None = None) -> tuple[Matchups, list[Batch]]:
    batches, participants, wins = [], [], []
    while (batch := search.ask()) is not None:
        batches.append(batch)
        participants.append(batch.participants.astype(np.int64))
        wins.append(wins_in(batch, rates, rng))
        search.tell_wins(wins[-1])
    assert search.is_over
    names = tuple(f"deck {i}" for i in range(len(rates)))
    return matchups_from(names, np.concatenate(participants), np.concatenate(wins)), batches


def test_exactly_the_budget_is_played_and_every_pair_has_its_even_part() -> None:
    search = spending(NAMES, seeds=21, seed=1)
    matchups, batches = played(search, FIELD)
    assert sum(batch.games for batch in batches) == search.games == matchups.games == 21 * 15 * GAMES_PER_SEED
    assert min(len(won) for won in matchups.outcomes.values()) >= 11


def test_games_go_to_pairs_whose_decks_may_be_played() -> None:
    matchups, _ = played(spending(NAMES, seeds=60, seed=2), FIELD)
    seeds = {pair: len(won) for pair, won in matchups.outcomes.items()}
    among_played = [seeds[pair] for pair in ((0, 1), (0, 2), (1, 2))]
    among_others = [seeds[i, j] for i, j in all_pairs(6) if i > 2]
    assert min(among_played) > 2 * max(among_others)


def test_the_same_seed_plays_the_same_games_and_another_does_not() -> None:
    (_, one), (_, two), (_, other) = (played(spending(NAMES, seeds=9, seed=seed), FIELD) for seed in (3, 3, 4))
    for first, second in zip(one, two, strict=True):
        assert (first.participants == second.participants).all()
        assert (first.course == second.course).all()
    assert seed_of(one[0], 0) != seed_of(other[0], 0)


def test_pairs_play_the_same_seeds_with_seats_swapped() -> None:
    _, batches = played(spending(NAMES, seeds=4, seed=5), FIELD)
    (first, *_) = batches
    seeds: dict[tuple[int, int], set[tuple[int, bool]]] = {pair: set() for pair in all_pairs(6)}
    for (a, b), course in zip((-1 - first.participants).tolist(), first.course.tolist(), strict=True):
        seeds[min(a, b), max(a, b)].add((seed_of(first, course), a < b))
    known = field_seeds(5, 2).tolist()
    assert all(each == {(seed, way) for seed in known for way in (True, False)} for each in seeds.values())


def test_a_challenger_plays_the_first_seeds_of_the_field() -> None:
    search = challenge(4, seeds=3, seed=5)
    batch = search.ask()
    assert batch is not None
    assert batch.games == search.games == 3 * 3 * GAMES_PER_SEED
    assert {seed_of(batch, course) for course in range(len(batch.courses))} == set(field_seeds(5, 3).tolist())
    assert {frozenset(pair) for pair in (-1 - batch.participants).tolist()} == {frozenset((3, j)) for j in range(3)}


def test_spending_by_results_does_not_make_favourites_of_equals() -> None:
    equal = rates_of([0.5] * 10)
    names = tuple(f"deck {i}" for i in range(5))
    rng = np.random.default_rng(7)
    wrong = sum(bool(decided_pairs(played(spending(names, seeds=16, seed=seed), equal, rng)[0])) for seed in range(40))
    assert wrong <= 6  # 5 % of 40, and three standard deviations


def test_where_decks_differ_in_strength_the_mix_loses_less_than_one_from_even_games() -> None:
    rng = np.random.default_rng(6)
    names = tuple(f"deck {i}" for i in range(12))
    lost = []
    for seed in range(10):
        strength = rng.normal(0, 0.5, 12)
        leads = [strength[i] - strength[j] + rng.normal(0, 0.5) for i, j in all_pairs(12)]
        rates = rates_of((1 / (1 + np.exp(-np.array(leads)))).tolist())
        even = drawn_matchups(rates, seeds=30, rng=rng)
        spent, _ = played(spending(names, seeds=30, seed=seed), rates, rng)
        assert spent.games == even.games
        lost.append([float(((rates - 0.5) @ symmetric_mix(each.gains)[0]).max()) for each in (spent, even)])
    of_spent, of_even = np.mean(lost, axis=0)
    assert of_spent < of_even


@pytest.mark.parametrize(("seeds", "pairs"), [(1, 3), (2, 1), (5, 10), (100, 105)])
def test_the_rounds_add_up_to_the_budget(seeds: int, pairs: int) -> None:
    sizes = round_sizes(seeds, pairs)
    assert sum(sizes) == seeds * pairs
    assert min(sizes) > 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 1), st.integers(1, 20)), min_size=2, max_size=12), st.integers(1, 60))
def test_a_round_is_shared_out_whole_and_within_bounds(pairs: list[tuple[float, int]], size: int) -> None:
    wanted, done = (np.array(each) for each in zip(*pairs, strict=True))
    most = 80
    more = share_out(wanted, done, size, most=most)
    assert more.sum() == size
    assert (more >= 0).all()
    assert (done + more <= most).all()


def test_a_pair_that_has_its_part_gets_no_more() -> None:
    assert share_out(np.array([1.0, 1.0]), np.array([10, 2]), 6, most=100).tolist() == [0, 6]
    assert share_out(np.array([3.0, 1.0]), np.array([2, 2]), 4, most=100).tolist() == [4, 0]
