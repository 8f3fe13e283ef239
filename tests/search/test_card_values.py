"""The search for card values: what it plays, what it estimates, and the policy it makes of that."""

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas._core import locm as core
from deckatlas.errors import AgentError, SearchError
from deckatlas.games.locm.cards import cards, official_table
from deckatlas.games.locm.genomes import card_kinds
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, curve, priorities
from deckatlas.games.locm.state import new_game
from deckatlas.search.batches import Batch, Numbers, Seeds
from deckatlas.search.card_values import CardValues, Fit
from deckatlas.search.protocol import Genomes
from deckatlas.search.spaces import GenomeSpace, make_space
from helpers.batches import arena_of
from helpers.searches import NoWorld, courses_of, play_through, same_asks

CARDS, PICKS = 20, 12


class SmallWorld(NoWorld):
    """Twenty cards of two kinds; a draft offers three different cards twelve times, and values alone pick."""

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        return np.stack([np.arange(CARDS) < 8, np.arange(CARDS) >= 8], axis=1).astype(np.float64)

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        decks = []
        for row, seed in zip(rows, draft_seeds, strict=True):
            offers = np.random.default_rng(int(seed)).random((PICKS, CARDS)).argsort(axis=1)[:, :3]
            values = np.split(genomes[row], 2)[seat][:CARDS]
            decks.append(offers[np.arange(PICKS), values[offers].argmax(axis=1)] + 1)
        return np.array(decks, dtype=np.uint8)


def small_space() -> GenomeSpace:
    return make_space("curve", [(-1.0, 1.0)] * (2 * (CARDS + 4)), integer=False)


def games_of(world: SmallWorld, worth: npt.NDArray[np.float64], bend: float) -> Callable[[Batch], Numbers]:
    """Games that the deck of greater worth wins more often."""
    rng = np.random.default_rng(1)

    def deck_worth(ask: Batch, rows: Numbers, seat: int) -> npt.NDArray[np.float64]:
        seeds = np.array([courses_of(ask)[course].draft_seeds[0] for course in ask.course])
        decks = world.decks(ask.genes, rows, seeds, seat=seat)
        few = (decks <= 8).sum(axis=1)
        return np.asarray(worth[decks - 1].sum(axis=1) + bend * few**2)

    def play(ask: Batch) -> Numbers:
        chance = 0.55 + deck_worth(ask, ask.first, 0) - deck_worth(ask, ask.second, 1)
        return rng.binomial(len(courses_of(ask)[0]), np.clip(chance, 0, 1)).astype(np.int32)

    return play


def test_the_values_of_cards_and_the_bend_of_a_kind_are_found_from_games() -> None:
    world, worth = SmallWorld(), np.linspace(-0.04, 0.04, CARDS)
    options = CardValues(rounds=4, explorers=20, games=50, value_spread=0.04)
    search = options.make(space=small_space(), budget=200_000, seed=1, world=world)
    genome = play_through(search, games_of(world, worth, -0.003)).generations[-1].genomes[0]
    for half in np.split(genome, 2):
        bends = half[CARDS : CARDS + 2]
        assert np.corrcoef(half[:8], worth[:8])[0, 1] > 0.95
        assert np.corrcoef(half[8:CARDS], worth[8:])[0, 1] > 0.95
        assert bends == pytest.approx([-0.003, 0], abs=0.001)


def test_a_deck_is_described_by_its_cards_and_the_squared_numbers_of_its_kinds() -> None:
    kinds = np.array([[1, 0], [1, 1], [0, 1], [0, 0]], dtype=np.float64)
    fit = Fit(CardValues(), kinds)
    features = fit.features(np.array([[1, 1, 2, 4], [3, 3, 3, 3]], dtype=np.uint8))
    assert features.tolist() == [[2, 1, 0, 1, 9, 1], [0, 0, 4, 0, 0, 16]]


def test_one_card_that_wins_all_its_games_is_worth_more_and_the_prior_holds_it_back() -> None:
    # One card a deck, no kinds: 100 games of card 1 against card 2, all won by card 1, in both seats.
    kinds = np.zeros((2, 1))
    options = CardValues(games=100, value_spread=0.1, seat_spread=1e-6)
    fit = Fit(options, kinds)
    one, two = (fit.features(np.array([[card]], dtype=np.uint8)) for card in (1, 2))
    fit.add(one, two, np.array([100], dtype=np.int32))
    fit.add(two, one, np.array([0], dtype=np.int32))
    constant, worth = fit.solve()
    # Least squares: with x = v1 - v2, 200 (1/2 - x)^2 + 25 (v1^2 + v2^2), least at v1 = -v2 = 200 / (2 * 200 + 25) / 2.
    assert constant == pytest.approx(0.5, abs=1e-6)
    assert worth[0, :2] == pytest.approx([200 / 850, -200 / 850], abs=1e-6)
    assert worth[1] == pytest.approx(worth[0], abs=1e-6)


@pytest.mark.parametrize(("budget", "games"), [(1_000, 1_000), (1_049, 1_000), (1_050, 1_050)])
def test_all_of_the_budget_that_makes_whole_rounds_is_played(budget: int, games: int) -> None:
    search = CardValues(explorers=4).make(space=small_space(), budget=budget, seed=1, world=SmallWorld())
    played = play_through(search, games_of(SmallWorld(), np.zeros(CARDS), 0))
    assert sum(ask.games for ask in played.asks) == games
    assert [generation.number for generation in played.generations] == list(range(10))


def test_the_same_seed_asks_the_same_on_any_number_of_threads() -> None:
    options = CardValues(rounds=3, explorers=6)
    drafts = LocmDrafts(curve())
    evaluator = LocmMatchups(drafts)
    one, two = (
        play_through(
            options.make(space=drafts.genomes, budget=900, seed=7, world=drafts), arena_of(evaluator, threads=threads)
        )
        for threads in (1, 2)
    )
    assert same_asks(one, two)
    assert np.array_equal(one.generations[-1].genomes, two.generations[-1].genomes)


ROUNDS = """
import numpy as np
from deckatlas.search.card_values import CardValues
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, curve

drafts = LocmDrafts(curve(), format="distinct")
evaluator = LocmMatchups(drafts, format="distinct")
search = CardValues(rounds=3).make(space=drafts.genomes, budget=30_000, seed=1, world=drafts)
while (batch := search.ask()) is not None:
    generation = search.tell(evaluator.evaluate(batch, threads=2))
    print(generation.genomes.tobytes().hex(), generation.scores, generation.facts)
"""


def test_the_linear_algebra_of_another_number_of_threads_changes_nothing() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", ROUNDS],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_genomes_of_another_kind_and_budgets_too_small_are_refused() -> None:
    with pytest.raises(SearchError, match="curve"):
        CardValues().make(space=priorities(), budget=1000, seed=1, world=SmallWorld())
    with pytest.raises(SearchError, match="needs a budget"):
        CardValues().make(space=curve(), budget=None, seed=1, world=SmallWorld())
    with pytest.raises(SearchError, match="50 games, more than the budget of 49"):
        CardValues().make(space=curve(), budget=49, seed=1, world=SmallWorld())


@pytest.mark.parametrize("seat", [0, 1])
def test_the_curve_policy_picks_what_adds_most_to_the_deck_it_expects(seat: int) -> None:
    rng = np.random.default_rng(seat)
    for seed in range(10):
        values, bends = rng.normal(0, 1, (2, 160)), rng.normal(0, 0.1, (2, 8))
        usual = rng.uniform(0, 8, (2, 8))
        policy = core.curve_draft(values, bends, usual)
        game = np.array([seed], dtype=np.uint64)
        deck = core.draft_decks(official_table(), policy, game, seat=seat, format="referee")[0].tolist()
        for turn, offer in enumerate(new_game(seed=seed).offers):
            picked = sum((card_kinds(cards())[card - 1] for card in deck[:turn]), np.zeros(8))
            expected = picked + usual[seat] * (29 - turn) / 30

            one_more = np.square(expected + 1) - np.square(expected)
            added = values[seat] + card_kinds(cards()) @ (bends[seat] * one_more)
            assert added[deck[turn] - 1] == pytest.approx(max(added[card - 1] for card in offer))


def test_cards_are_of_one_cost_and_items_of_one_more_kind() -> None:
    kinds = card_kinds(cards())
    assert np.array_equal(kinds[:, :7].sum(axis=1), np.ones(160))
    by_id = {card.id: kinds[card.id - 1] for card in cards()}
    assert by_id[160].tolist() == [0, 1, 0, 0, 0, 0, 0, 1]  # a blue item of cost 2
    assert by_id[116].tolist() == [0, 0, 0, 0, 0, 0, 1, 0]  # a creature of cost 12
    assert by_id[151].tolist() == [0, 0, 0, 0, 1, 0, 0, 1]  # a red item of cost 5


def test_a_curve_with_a_number_that_is_none_is_refused() -> None:
    good = np.zeros((2, 160)), np.zeros((2, 8)), np.zeros((2, 8))
    for part in range(3):
        bad = [array.copy() for array in good]
        bad[part][1, 3] = np.nan
        with pytest.raises(AgentError, match="not finite"):
            core.curve_draft(*bad)
