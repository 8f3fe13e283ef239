"""E_b, R_e and R_t: who meets whom how often, and what comes of it."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from deckatlas.errors import SearchError
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, priorities
from deckatlas.search.baselines import EB, RE, RT, RandomChoice
from deckatlas.search.batches import Batch, Numbers
from deckatlas.search.options import MatchupOptions
from deckatlas.search.scripts import Script
from helpers.batches import arena_of
from helpers.searches import (
    HalfActive,
    better_order_wins_more,
    courses_of,
    play_through,
    right_order,
    same_asks,
    small_space,
    stronger_wins,
)

SMALL: dict[str, Any] = {"population": 7, "training_drafts": 3, "score_games": 4}


def make(options: MatchupOptions, budget: int | None, *, seed: int = 1) -> Script:
    return options.make(space=small_space(), budget=budget, seed=seed, world=HalfActive())


@pytest.mark.parametrize("options", [EB(**SMALL), RE(**SMALL)])
def test_everybody_meets_everybody_equally_often_from_both_sides(options: MatchupOptions) -> None:
    played = play_through(make(options, 2 * 7 * 6 * 4 * 3), stronger_wins)
    for ask in played.asks:
        games = np.zeros((7, 7), dtype=np.int64)
        np.add.at(games, (ask.first, ask.second), ask.lengths)
        assert np.array_equal(games, 4 * 3 * (1 - np.eye(7, dtype=np.int64)))
        drafts, counts = np.unique(courses_of(ask)[0].draft_seeds, return_counts=True)
        assert counts.tolist() == [4, 4, 4]
        assert np.array_equal(drafts, np.unique(courses_of(played.asks[0])[0].draft_seeds))  # the same all the time
    seeds = np.concatenate([courses_of(ask)[0].game_seeds for ask in played.asks])
    assert len(np.unique(seeds)) == len(seeds)


def test_e_b_costs_an_evaluation_more_than_it_has_generations() -> None:
    assert EB().evaluation_games == 100 * 99 * 2 * 10
    options = EB(**SMALL)
    evaluation = 7 * 6 * 4 * 3
    for budget, generations in ((2 * evaluation, 1), (5 * evaluation - 1, 3), (5 * evaluation, 4)):
        played = play_through(make(options, budget), stronger_wins)
        assert [generation.number for generation in played.generations] == list(range(generations + 1))
        assert played.games == evaluation * (1 + generations)
    with pytest.raises(SearchError, match=f"cost {2 * evaluation} games.* budget of {2 * evaluation - 1}"):
        make(options, 2 * evaluation - 1)
    with pytest.raises(SearchError, match="needs a budget"):
        make(options, None)


def test_populations_of_e_b_share_nothing() -> None:
    search = make(EB(**SMALL), 4 * 7 * 6 * 4 * 3)
    arena = better_order_wins_more(1)
    generations, kept = [], []
    while (ask := search.ask()) is not None:
        generation = search.tell_wins(arena(ask))
        assert generation is not None
        generations.append(generation)
        kept.append(generation.genomes.copy())
    for generation, genomes in zip(generations, kept, strict=True):
        assert np.array_equal(generation.genomes, genomes)
    for i, generation in enumerate(generations):
        for other in generations[i + 1 :]:
            assert not np.shares_memory(generation.genomes, other.genomes)
            assert not np.array_equal(generation.genomes, other.genomes)


def test_the_elite_of_e_b_stays_and_the_rest_has_its_parents_genes() -> None:
    played = play_through(make(EB(**SMALL, mutation=0), 4 * 7 * 6 * 4 * 3), stronger_wins)
    for before, after in pairwise(played.generations):
        rows = [genome.tolist() for genome in after.genomes]
        assert all(elite.tolist() in rows for elite in before.genomes[:2])
        assert np.all((after.genomes[:, None, :] == before.genomes[None, :, :]).any(axis=1))
        assert before.scores[0] == 100  # the strongest wins all games
        assert np.all(np.diff(before.scores) <= 0)


def test_parents_of_e_b_are_the_best_of_their_tournaments() -> None:
    options = EB(**SMALL, mutation=0, tournament_size=7)
    played = play_through(make(options, 2 * 7 * 6 * 4 * 3), stronger_wins)
    before, after = played.generations
    rows = [genome.tolist() for genome in after.genomes]
    assert rows.count(before.genomes[0].tolist()) == 6  # an elite and five children
    assert rows.count(before.genomes[1].tolist()) == 1


def test_both_parents_of_e_b_can_come_from_one_tournament() -> None:
    options = EB(**SMALL, mutation=0, tournament_size=7, elitism=0, parents="one tournament for both")
    before, after = play_through(make(options, 2 * 7 * 6 * 4 * 3), stronger_wins).generations
    best, second = before.genomes[:2]
    from_best, from_second = after.genomes == best, after.genomes == second
    assert np.all(from_best | from_second)
    assert np.all(from_best.any(axis=1) & from_second.any(axis=1))
    with pytest.raises(ValidationError, match="cannot give two parents"):
        EB(tournament_size=1, parents="one tournament for both")


def test_e_b_learns() -> None:
    options = EB(population=20, training_drafts=2)
    generations = play_through(make(options, 21 * options.evaluation_games), better_order_wins_more(2)).generations
    assert right_order(generations[0].genomes).mean() == pytest.approx(0.5, abs=0.06)
    assert right_order(generations[-1].genomes).mean() > 0.75


def test_r_e_ranks_by_games_won() -> None:
    played = play_through(make(RE(**SMALL), None), stronger_wins)
    (generation,) = played.generations
    assert np.all(np.diff(generation.genomes.sum(axis=1)) < 0)
    assert generation.scores == pytest.approx([100 * wins / 6 for wins in (6, 5, 4, 3, 2, 1, 0)])


@pytest.mark.parametrize("population", [2, 3, 5, 7, 8, 11, 100])
def test_r_t_has_one_match_less_than_it_has_individuals(population: int) -> None:
    options = RT(population=population, training_drafts=3, score_games=4)
    played = play_through(make(options, None), stronger_wins)
    assert played.games == (population - 1) * 4 * 3 == options.cost(4)
    assert len(played.asks) == int(np.ceil(np.log2(population)))
    (generation,) = played.generations
    assert len(np.unique(generation.genomes, axis=0)) == population
    strength = generation.genomes.sum(axis=1)
    assert strength[0] == strength.max()
    assert generation.scores[0] == 100
    for ask in played.asks:
        pairs = list(zip(ask.first.tolist(), ask.second.tolist(), strict=True))
        assert all((second, first) in pairs for first, second in pairs)
        assert ask.lengths.tolist() == [2 * 3] * len(pairs)


def test_r_t_goes_by_the_round_reached_and_then_by_the_share_of_games_won() -> None:
    played = play_through(make(RT(population=8, training_drafts=1, score_games=20), None), better_order_wins_more(3))
    (generation,) = played.generations
    reached = {genome.tobytes(): 0 for genome in generation.genomes}
    shares: dict[bytes, list[float]] = {genome: [] for genome in reached}
    for number, (ask, wins) in enumerate(zip(played.asks, played.wins, strict=True)):
        for first, second, won in zip(ask.first, ask.second, wins, strict=True):
            for entrant, share in ((first, won / 10), (second, 1 - won / 10)):
                reached[ask.genes[entrant].tobytes()] = number
                shares[ask.genes[entrant].tobytes()].append(share)
    order = [genome.tobytes() for genome in generation.genomes]
    assert [reached[genome] for genome in order] == [2, 2, 1, 1, 0, 0, 0, 0]
    assert generation.scores == pytest.approx([100 * np.mean(shares[genome]) for genome in order])
    assert generation.scores[2] >= generation.scores[3]
    assert np.all(np.diff(generation.scores[4:]) <= 0)


def final_turned_round(ask: Batch) -> Numbers:
    """Four meet, ten games a match: one of 10 : 0 and one of 6 : 4, whose winner wins the final by 6 : 4."""
    if len(ask.first) == 4:
        return np.array([5, 3, 0, 2], dtype=np.int32)  # of five games each: of the first two, then from the other side
    return np.array([3, 2], dtype=np.int32)


@pytest.mark.parametrize(("counted", "wins"), [("games of the round", [12, 14, 4, 0]), ("all games", [14, 12, 4, 0])])
def test_a_match_of_r_t_is_decided_by_its_own_games_or_by_all_so_far(counted: str, wins: list[int]) -> None:
    options = RT.model_validate({"population": 4, "training_drafts": 1, "score_games": 10, "counted": counted})
    for seed in range(20):  # the second match's winner moves first in the final for one of two seeds
        played = play_through(make(options, None, seed=seed), final_turned_round)
        if played.asks[1].first[0] == played.asks[0].first[1]:
            break
    (generation,) = played.generations
    assert generation.scores == pytest.approx(
        [100 * won / games for won, games in zip(wins, (20, 20, 10, 10), strict=True)]
    )


@pytest.mark.parametrize(("population", "meetings"), [(2, 1), (3, 1), (7, 4), (100, 50 + 25 + 12 + 6 + 3 + 1)])
def test_whoever_is_left_over_drops_out_where_all_games_count(population: int, meetings: int) -> None:
    options = RT(population=population, training_drafts=3, score_games=4, counted="all games")
    played = play_through(make(options, None), stronger_wins)
    assert played.games == meetings * 4 * 3 == options.cost(4)
    (generation,) = played.generations
    assert len(np.unique(generation.genomes, axis=0)) == population
    assert generation.scores[0] == 100


@pytest.mark.parametrize(
    ("options", "budget", "games"),
    [
        (RE(), 1_000_000, 100 * 99 * 10 * 10),
        (RT(), 1_000_000, 99 * 1_010 * 10),
        (RE(), 198_000, 198_000),
        (RT(population=3, training_drafts=1), 2 * 5 + 1, 2 * 4),
    ],
)
def test_without_score_games_the_budget_is_used_up(options: RandomChoice, budget: int, games: int) -> None:
    assert play_through(make(options, budget), stronger_wins).games == games


@pytest.mark.parametrize(
    ("options", "budget", "cost"), [(RE(), 197_999, 198_000), (RT(), 1_979, 1_980), (RT(score_games=4), 3_959, 3_960)]
)
def test_a_budget_that_is_too_small_is_refused(options: RandomChoice, budget: int, cost: int) -> None:
    with pytest.raises(SearchError, match=f"costs {cost} games, more than the budget of {budget}"):
        make(options, budget)


def test_without_budget_and_score_games_nothing_says_how_much_to_play() -> None:
    with pytest.raises(SearchError, match="needs a budget, or score_games"):
        make(RT(), None)


@pytest.mark.parametrize("options", [EB(**SMALL), RE(**SMALL), RT(**SMALL)])
def test_the_same_seed_gives_the_same_search_on_any_number_of_threads(options: MatchupOptions) -> None:
    drafts = LocmDrafts(priorities())
    evaluator = LocmMatchups(drafts)
    runs = []
    for threads, seed in ((1, 5), (2, 5), (2, 6)):
        search = options.make(space=drafts.genomes, budget=1_100, seed=seed, world=drafts)
        runs.append(play_through(search, arena_of(evaluator, threads=threads)))
    assert same_asks(runs[0], runs[1])
    assert np.array_equal(runs[0].generations[-1].genomes, runs[1].generations[-1].genomes)
    assert not same_asks(runs[0], runs[2])


@pytest.mark.parametrize(
    ("options", "values"),
    [
        (EB, {"elitism": 100}),
        (EB, {"tournament_size": 101}),
        (EB, {"score_games": 3}),
        (RE, {"population": 1}),
        (RT, {"score_games": 1}),
        (RT, {"elitism": 2}),
    ],
)
def test_impossible_options_are_refused(options: type[MatchupOptions], values: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        options.model_validate(values)


@pytest.mark.parametrize("options", [EB(), EB(population=4, elitism=3), RE(), RT(), RT(population=3)])
def test_a_smoke_run_is_small(options: MatchupOptions) -> None:
    smoke = options.smoke()
    assert type(smoke) is type(options)
    played = play_through(make(smoke, 1_000), stronger_wins)
    assert played.generations
    assert 0 < played.games <= 1_000
