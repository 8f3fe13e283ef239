"""E_a, E_aw and E_all: what a generation plays, what it makes of it, and what it costs."""

from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pydantic import ValidationError

from deckatlas._core import locm as core
from deckatlas.errors import SearchError
from deckatlas.games.locm.cards import official_table
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, active_cards, attributes, priorities
from deckatlas.search.active_genes import EA, EAW, ActiveGenesOptions, EAll
from deckatlas.search.batches import Batch, Numbers
from deckatlas.search.protocol import Genomes
from deckatlas.search.scripts import Script
from helpers.batches import arena_of
from helpers.searches import (
    HalfActive,
    Played,
    better_order_wins_more,
    courses_of,
    half_active,
    play_through,
    right_order,
    same_asks,
    small_space,
    stronger_wins,
)

ALL = (EA, EAW, EAll)
SMALL: dict[str, Any] = {"population": 6, "tournament_size": 3, "tournament_games": 4, "score_games": 6}


def make(options: ActiveGenesOptions, *, generations: int = 3, seed: int = 1, integer: bool = False) -> Script:
    space, budget = small_space(integer=integer), generations * options.generation_games
    return options.make(space=space, budget=budget, seed=seed, world=HalfActive())


def shown_in(ask: Batch) -> npt.NDArray[np.int64]:
    """For each gene, in how many drafts of an ask it is active."""
    drafts = np.unique(courses_of(ask)[0].draft_seeds)
    return np.asarray(np.stack([half_active(int(draft)) for draft in drafts]).sum(axis=0))


# What it costs


@pytest.mark.parametrize(
    ("variant", "cost"),
    [
        # n * (s_pts * (s_pts - 1) * s_pg + s_r * s_g / 2), worked by hand for n = 100
        ({}, 100 * (4 * 3 * 10 + 2 * 25)),
        ({"active_drafts": 2}, 2 * 17_000),
        ({"active_drafts": 4}, 4 * 17_000),
        ({"active_drafts": 4, "scored_on": "one draft"}, 4 * 12_000 + 5_000),
        ({"repeats": 2}, 100 * (12 * 5 + 2 * 12)),  # 25 games a pair are not even: 24
        ({"repeats": 4}, 100 * (12 * 2 + 2 * 6)),  # 2.5 games make 2, 12.5 make 12
        ({"repeats": 60}, 100 * (12 * 1 + 2 * 1)),  # nobody plays less than one game, or one a side
        ({"parents": "one tournament for both", "tournament_games": 20}, 17_000),
        ({"score_rounds": 5, "tournament_size": 2, "population": 10}, 10 * (2 * 10 + 5 * 25)),
    ],
)
def test_a_generation_costs_what_the_formula_says(variant: dict[str, Any], cost: int) -> None:
    for options in (EA(**variant), EAW(**variant), EAll(**variant)):
        assert options.generation_games == cost
        played = play_through(make(options, generations=2), stronger_wins)
        assert played.games == 2 * cost
        assert [generation.number for generation in played.generations] == [0, 1, 2]


@pytest.mark.parametrize(("budget", "generations"), [(16_999, 0), (17_000, 1), (33_999, 1), (34_000, 2)])
def test_the_budget_is_never_passed_and_never_left_for_a_whole_generation(budget: int, generations: int) -> None:
    options = EAW()
    setup: dict[str, Any] = {"space": small_space(), "budget": budget, "seed": 1, "world": HalfActive()}
    if not generations:
        with pytest.raises(SearchError, match=r"costs 17000 games, more than the budget of 16999"):
            options.make(**setup)
    else:
        assert play_through(options.make(**setup), stronger_wins).games == generations * 17_000


def test_without_a_budget_there_is_no_end() -> None:
    with pytest.raises(SearchError, match="needs a budget"):
        EA().make(space=small_space(), budget=None, seed=1, world=HalfActive())


# What is played


def test_children_can_be_scored_on_one_of_several_drafts() -> None:
    options = EAW(**SMALL, score_rounds=3, active_drafts=2, scored_on="one draft")
    tournaments, *rounds = play_through(make(options, generations=1), better_order_wins_more(2)).asks
    assert len(np.unique(courses_of(tournaments)[0].draft_seeds)) == 2
    for scoring in rounds:
        assert np.unique(courses_of(scoring)[0].draft_seeds).tolist() == [courses_of(tournaments)[0].draft_seeds[0]]


def test_scores_are_percentages_on_however_many_drafts_they_are_made() -> None:
    # One pair of children over one round: one of the two wins everything, and all of a score is the child's.
    for scored_on in ("one draft", "all drafts"):
        sizes = {**SMALL, "population": 2, "tournament_size": 2, "score_rounds": 1, "child_share": 1.0}
        options = EAW.model_validate({**sizes, "active_drafts": 3, "scored_on": scored_on})
        played = play_through(make(options, generations=1), stronger_wins)
        assert played.generations[-1].scores.tolist() == [100, 100]


def test_a_generation_asks_for_its_tournaments_and_then_for_each_round_of_scores() -> None:
    options = EAW(**SMALL, score_rounds=3, active_drafts=2)
    played = play_through(make(options, generations=2), stronger_wins)
    assert len(played.asks) == 2 * (1 + 3)
    for tournaments, *rounds in (played.asks[:4], played.asks[4:]):
        assert len(tournaments.first) == 6 * 3 * 2
        for matchups in np.stack([tournaments.first, tournaments.second], axis=1).reshape(6, 6, 2).tolist():
            assert len({tuple(pair) for pair in matchups}) == 6  # every ordered pair of three
            assert len({entrant for pair in matchups for entrant in pair}) == 3
        for scoring in rounds:
            pairs = list(zip(scoring.first.tolist(), scoring.second.tolist(), strict=True))
            assert sorted(scoring.first.tolist()) == list(range(6))  # everybody moves first in one matchup
            assert all((second, first) in pairs for first, second in pairs)  # and second in the other
            assert np.array_equal(scoring.genes, rounds[0].genes)


def test_all_matchups_of_an_ask_share_their_seeds_and_no_two_asks_do() -> None:
    options = EAW(**SMALL, active_drafts=2)
    asks = play_through(make(options), better_order_wins_more(1)).asks
    for ask in asks:
        (course,) = courses_of(ask)
        drafts, counts = np.unique(course.draft_seeds, return_counts=True)
        assert len(drafts) == 2
        assert counts[0] == counts[1]
    seeds = np.concatenate([courses_of(ask)[0].game_seeds for ask in asks])
    assert len(np.unique(seeds)) == len(seeds)


def drafts_of(played: Played, options: ActiveGenesOptions) -> list[list[int]]:
    """The drafts of each generation, numbered by their first appearance."""
    tournaments = played.asks[:: 1 + options.score_rounds]
    drafts = [list(dict.fromkeys(courses_of(ask)[0].draft_seeds.tolist())) for ask in tournaments]
    numbers = {seed: number for number, seed in enumerate(dict.fromkeys(chain(*drafts)))}
    return [[numbers[seed] for seed in seeds] for seeds in drafts]


@pytest.mark.parametrize(
    ("variant", "drafts"),
    [
        ({}, [[0], [1], [2], [3], [4]]),
        ({"training_drafts": 2}, [[0], [1], [0], [1], [0]]),
        ({"active_drafts": 2}, [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]),
        ({"active_drafts": 2, "training_drafts": 3}, [[0, 1], [2, 0], [1, 2], [0, 1], [2, 0]]),
        ({"repeats": 2}, [[0], [1], [2], [0], [1]]),
        ({"repeats": 2, "active_drafts": 2}, [[0, 1], [2, 3], [4, 5], [0, 1], [2, 3]]),
        ({"repeats": 2, "training_drafts": 4}, [[0], [1], [2], [3], [0]]),
    ],
)
def test_which_drafts_the_generations_learn_from(variant: dict[str, Any], drafts: list[list[int]]) -> None:
    options = EA(**SMALL, **variant)
    assert drafts_of(play_through(make(options, generations=5), stronger_wins), options) == drafts


def test_rounds_pair_neighbours_in_the_order_of_games_won_and_siblings_first() -> None:
    played = play_through(make(EA(**SMALL, mutation=0.5), generations=1), stronger_wins)
    _, first_round, second_round = played.asks
    assert len(np.unique(first_round.genes, axis=0)) == 6
    assert first_round.first[:3].tolist() == [0, 2, 4]
    assert first_round.second[:3].tolist() == [1, 3, 5]
    strength = first_round.genes.sum(axis=1).reshape(3, 2)
    winners = (2 * np.arange(3) + np.argmax(strength, axis=1)).tolist()  # all games won
    losers = (2 * np.arange(3) + np.argmin(strength, axis=1)).tolist()
    order = [*winners, *losers]
    assert second_round.first[:3].tolist() == order[::2]
    assert second_round.second[:3].tolist() == order[1::2]


# Who becomes a parent


def test_the_strongest_of_a_tournament_is_a_parent() -> None:
    options = EA(population=6, tournament_size=6, mutation=0, operators="all")
    initial, *_ = (played := play_through(make(options, generations=1), stronger_wins)).generations
    strongest = initial.genomes[np.argmax(initial.genomes.sum(axis=1))]
    assert np.array_equal(played.asks[1].genes, np.tile(strongest, (6, 1)))


def test_one_tournament_for_both_gives_its_two_best() -> None:
    options = EA(population=6, tournament_size=6, mutation=0, operators="all", parents="one tournament for both")
    played = play_through(make(options, generations=1), stronger_wins)
    assert len(played.asks[0].first) == 3 * 6 * 5
    genomes = played.generations[0].genomes
    best, second = genomes[np.argsort(-genomes.sum(axis=1))[:2]]
    children = played.asks[1].genes
    assert np.all((children == best) | (children == second))
    assert children[::2] + children[1::2] == pytest.approx(np.tile(best + second, (3, 1)))


@pytest.mark.parametrize("points", ["games won", "wins in the first seat"])
def test_what_counts_in_a_tournament(points: str) -> None:
    # Genome 0 wins 5 of 10 moving first and all moving second: 45 games, 15 of them in the first seat. Among the
    # others whoever moves first wins: 20 in the first seat, and 5 more against genome 0.
    def arena(ask: Batch) -> Numbers:
        if ask.lengths[0] != 10:
            return stronger_wins(ask)
        return np.where(ask.first == 0, 5, np.where(ask.second == 0, 0, 10)).astype(np.int32)

    options = EA.model_validate(
        {"population": 4, "tournament_games": 10, "mutation": 0, "operators": "all", "points": points}
    )
    played = play_through(make(options, generations=1), arena)
    children = played.asks[1].genes
    is_first = np.all(children == played.asks[0].genes[0], axis=1)
    assert is_first.all() if points == "games won" else not is_first.any()


# What becomes of the genes


def child_scores(asks: list[Batch], told: list[Numbers]) -> npt.NDArray[np.float64]:
    """Percent of games won by each child, counted matchup by matchup."""
    won, total = np.zeros((2, 6))
    for ask, all_wins in zip(asks, told, strict=True):
        for first, second, wins, games in zip(ask.first, ask.second, all_wins, ask.lengths, strict=True):
            won[first] += wins
            won[second] += games - wins
            total[[first, second]] += games
    return 100 * won / total


def merged(algorithm: str, parent: Genomes, child: Genomes, shown: npt.NDArray[np.int64]) -> Genomes:
    """A parent merged with a child, gene by gene and draft by draft."""
    genes = parent.tolist()
    for gene, drafts in enumerate(shown):
        if algorithm == "E_all":
            genes[gene] = child[gene]
        for _ in range(drafts):
            genes[gene] = child[gene] if algorithm == "E_a" else 0.75 * genes[gene] + 0.25 * child[gene]
    return np.array(genes)


@pytest.mark.parametrize("options", [one(**SMALL, active_drafts=drafts) for one in ALL for drafts in (1, 2)])
def test_every_individual_is_a_parent_merged_with_a_child(options: ActiveGenesOptions) -> None:
    played = play_through(make(options), better_order_wins_more(2))
    for number, (before, after) in enumerate(pairwise(played.generations)):
        these = slice(3 * number, 3 * number + 3)
        asks, told = played.asks[these], played.wins[these]
        parents = list(zip(before.genomes, before.scores, strict=True))
        children = list(zip(asks[1].genes, child_scores(asks[1:], told[1:]), strict=True))
        possible = np.array(
            [
                [*merged(options.algorithm, parent, child, shown_in(asks[0])), 0.9 * score + 0.1 * child_score]
                for parent, score in parents
                for child, child_score in children
            ]
        )
        for individual in np.column_stack([after.genomes, after.scores]):
            assert np.isclose(possible, individual, rtol=0, atol=1e-9).all(axis=1).any()


def inherited(genes: npt.NDArray[np.bool_], before: Genomes, after: Genomes) -> bool:
    """Whether each genome has these genes, all together, from one genome before."""
    rows = before[:, genes].tolist()
    return all(row in rows for row in after[:, genes].tolist())


@pytest.mark.parametrize("one", ALL)
def test_only_e_all_changes_genes_that_are_not_active(one: type[EA | EAW | EAll]) -> None:
    played = play_through(make(one(**SMALL, mutation=0.5)), better_order_wins_more(3))
    kept = []
    for number, (before, after) in enumerate(pairwise(played.generations)):
        active = shown_in(played.asks[3 * number]) > 0
        kept.append(inherited(~active, before.genomes, after.genomes))
        assert not inherited(active, before.genomes, after.genomes)
        assert after.facts.get("active") == (None if one is EAll else 0.5)
    assert kept == [one is not EAll] * 3


@pytest.mark.parametrize("operators", ["active", "all"])
def test_crossover_and_mutation_touch_the_genes_they_should(operators: str) -> None:
    options = EA.model_validate({**SMALL, "mutation": 0.5, "operators": operators})
    played = play_through(make(options, generations=1), better_order_wins_more(4))
    inactive = shown_in(played.asks[0]) == 0
    untouched = inherited(inactive, played.asks[0].genes, played.asks[1].genes)
    assert untouched == (operators == "active")


def test_the_defaults_are_the_texts() -> None:
    assert {one().operators for one in (EA, EAW)} == {"active"}
    assert EAll().operators == "all"
    assert (EA().parent_weight, EAW().parent_weight) == (0, 0.75)


def test_a_search_of_whole_numbers_stays_among_them() -> None:
    search = make(EAW(**SMALL, mutation=0.3), generations=6, integer=True)
    for generation in play_through(search, better_order_wins_more(5)).generations:
        assert np.array_equal(generation.genomes, np.round(generation.genomes))
        assert 0 <= generation.genomes.min() <= generation.genomes.max() <= 9


# What comes of it


def test_the_random_population_is_generation_0_and_the_best_come_first() -> None:
    generations = play_through(make(EAW(**SMALL, bests=2)), better_order_wins_more(6)).generations
    assert generations[0].scores.tolist() == [50] * 6
    assert dict(generations[0].facts) == {"bests": 50}
    for generation in generations:
        assert np.all(np.diff(generation.scores) <= 0)
        assert generation.facts["bests"] == pytest.approx(generation.scores[:2].mean())


@pytest.mark.parametrize("one", ALL)
def test_evolution_learns(one: type[EA | EAW | EAll]) -> None:
    options = one(population=40, tournament_games=4, score_games=10)
    for seed in range(3):
        generations = play_through(make(options, generations=80, seed=seed), better_order_wins_more(seed)).generations
        assert right_order(generations[0].genomes).mean() == pytest.approx(0.5, abs=0.05)
        assert right_order(generations[-1].genomes).mean() > 0.7


def test_the_same_seed_gives_the_same_search_on_any_number_of_threads() -> None:
    options = EAW(population=8, tournament_games=2, score_games=4, active_drafts=2)
    drafts = LocmDrafts(priorities(), format="distinct")
    evaluator = LocmMatchups(drafts, format="distinct")
    runs = []
    for threads, seed in ((1, 5), (2, 5), (2, 6)):
        budget = 3 * options.generation_games
        search = options.make(space=drafts.genomes, budget=budget, seed=seed, world=drafts)
        runs.append(play_through(search, arena_of(evaluator, threads=threads)))
    assert same_asks(runs[0], runs[1])
    assert np.array_equal(runs[0].generations[-1].genomes, runs[1].generations[-1].genomes)
    assert np.array_equal(runs[0].generations[-1].scores, runs[1].generations[-1].scores)
    assert not same_asks(runs[0], runs[2])


@pytest.mark.parametrize("drafts", [1, 2, 4])
def test_the_active_share_of_distinct_drafts(drafts: int) -> None:
    space = LocmDrafts(priorities(), format="distinct")
    options = EAW(population=4, tournament_size=2, tournament_games=1, score_games=2, active_drafts=drafts)
    budget = 100 * options.generation_games
    search = options.make(space=space.genomes, budget=budget, seed=1, world=space)
    shares = [generation.facts["active"] for generation in play_through(search, stronger_wins).generations[1:]]
    assert len(shares) == 100
    assert np.mean(shares) == pytest.approx(1 - (70 / 160) ** drafts, abs=0.005)
    if drafts == 1:
        assert set(shares) == {90 / 160}


def test_the_cards_a_draft_shows_are_active() -> None:
    for seed in range(20):
        assert active_cards(seed, "distinct").sum() == 90
        assert 30 <= active_cards(seed, "referee").sum() <= 60  # a pool of 60
    # A policy that likes one card best takes it exactly where the draft shows it.
    seeds = np.arange(30, dtype=np.uint64)
    for card in (1, 80, 160):
        policy = core.ranking_draft(np.eye(160)[card - 1])
        decks = core.draft_decks(official_table(), policy, seeds, seat=0, format="referee")
        taken = [active_cards(int(seed), "referee")[card - 1] for seed in seeds]
        assert np.any(decks == card, axis=1).tolist() == taken


def test_weights_of_attributes_are_always_active() -> None:
    assert LocmDrafts(attributes()).active_genes(3).tolist() == [True] * 9


# Options


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"population": 7}, "multiple of 2"),
        ({"score_games": 5}, "multiple of 2"),
        ({"tournament_size": 9, "population": 8}, "tournament_size must be at most population, which is 8, not 9"),
        ({"training_drafts": 1, "active_drafts": 2}, "training_drafts"),
        ({"mutation": 1.5}, "mutation"),
        ({"parents": "two"}, "parents"),
        ({"generations": 7}, "generations"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        EAW.model_validate(options)


@pytest.mark.parametrize(
    "variant", [{}, {"active_drafts": 4}, {"repeats": 4}, {"parents": "one tournament for both"}, {"population": 4}]
)
def test_a_smoke_run_is_small_and_still_the_same_variant(variant: dict[str, Any]) -> None:
    for one in ALL:
        smoke = one(**variant).smoke()
        assert type(smoke) is one
        assert {name: getattr(smoke, name) for name in variant} == variant
        assert smoke.generation_games <= 1_000
        assert play_through(make(smoke), stronger_wins).generations[-1].number == 3
