"""Maps of Legends of Code and Magic: decks and draft policies, what is known of them, and the games that rate them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import comb
from time import monotonic

import numpy as np
import pytest
from deckatlas.games.locm.arena import attribute_pattern, attributes, curve, priorities
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas._core import locm as core
from deckatlas.errors import AgentError, MatchError, SearchError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.entrants import Entrant, EntrantLike, entrant_with_deck
from deckatlas.games.locm.evaluator import LocmDecks, LocmDrafts, LocmEvaluator
from deckatlas.games.locm.match import play
from deckatlas.search.evaluation import Evaluator, Outcome, Solution, Space, Stopped
from deckatlas.search.spaces import make_space
from helpers.chance import SURPRISING, surprise

KINDS = {"priorities": priorities, "attributes": attributes, "attribute-pattern": attribute_pattern, "curve": curve}
DECKS = LocmDecks()
DRAFTS = LocmDrafts(priorities())
OPPONENTS = ("icebox/greedy", "random", "coac/random")


def going() -> bool:
    return False


def outcome(
    evaluator: Evaluator, solution: Solution, *, seed: int = 3, first_game: int = 0, games: int = 40
) -> Outcome:
    return evaluator.evaluate(solution, seed=seed, first_game=first_game, games=games, stop=going)


def same(a: Outcome, b: Outcome) -> bool:
    return all(np.array_equal(getattr(a, part), getattr(b, part)) for part in ("value", "error", "weight"))


def of_cards(deck: list[int]) -> dict[str, float]:
    """The columns of a deck, counted card by card."""
    table = [cards()[card - 1] for card in deck]
    costs = [card.cost for card in table]
    types = Counter(card.type for card in table)
    letters = {"breakthrough": "B", "charge": "C", "drain": "D", "guard": "G", "lethal": "L", "ward": "W"}
    return {
        "deck_mana_sum": sum(costs),
        "deck_mana_mean": float(np.mean(costs)),
        "deck_mana_variance": float(np.var(costs)),
        **{f"num_{kind}_cards": types[kind] for kind in ("creature", "green", "red", "blue")},
        "num_item_cards": 30 - types["creature"],
        **{f"num_{name}_cards": sum(letter in card.keywords for card in table) for name, letter in letters.items()},
    }


# Decks


@given(st.integers(1, 30), st.integers(0, 2**32))
def test_random_and_mutated_decks_have_thirty_cards_and_keep_the_limit(most_copies: int, seed: int) -> None:
    space, rng = LocmDecks(most_copies=most_copies), np.random.default_rng(seed)
    solution = space.random(rng)
    for _ in range(3):
        deck = space.cards(solution)
        assert len(deck) == 30
        assert max(Counter(deck).values()) <= most_copies
        assert set(deck) <= set(range(1, 161))
        solution = space.mutate(solution, rng)


def test_columns_of_a_deck_are_counted_over_its_cards() -> None:
    solutions = np.array([DECKS.random(np.random.default_rng(seed)) for seed in range(20)])
    for solution, row in zip(solutions, DECKS.measures(solutions), strict=True):
        assert dict(zip(DECKS.columns, row, strict=True)) == pytest.approx(of_cards(list(DECKS.cards(solution))))


@pytest.mark.parametrize("most_copies", [0, 31])
def test_a_limit_that_no_deck_can_have_is_refused(most_copies: int) -> None:
    with pytest.raises(MatchError, match="most_copies must be a whole number from 1 to 30"):
        LocmDecks(most_copies=most_copies)


# Draft policies


@settings(max_examples=25)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 2**32))
def test_random_and_mutated_policies_are_genomes_that_draft(kind: str, seed: int) -> None:
    space, rng = LocmDrafts(KINDS[kind](), drafts=3), np.random.default_rng(seed)
    solution = space.random(rng)
    for _ in range(3):
        mutated = space.mutate(solution, rng)
        assert not np.array_equal(mutated, solution) or space.genomes.integer  # which may be drawn as they were
        solution = mutated
        assert len(solution) == space.length
        assert ((space.genomes.low <= solution) & (solution <= space.genomes.high)).all()
        assert not space.genomes.integer or np.array_equal(solution, np.round(solution))
        assert space.drafted(solution).shape == (6, 30)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_a_policy_are_means_over_the_decks_it_drafts_in_both_seats(kind: str) -> None:
    space = LocmDrafts(KINDS[kind](), drafts=5)
    solutions = np.array([space.random(np.random.default_rng(seed)) for seed in range(3)])
    for solution, row in zip(solutions, space.measures(solutions), strict=True):
        decks = space.drafted(solution).tolist()
        every = [of_cards(deck) for deck in decks]
        assert len(decks) == 10
        means = {name: np.mean([each[name] for each in every]) for name in every[0]}
        assert dict(zip(space.columns, row, strict=True)) == pytest.approx(means)


def test_a_policy_that_wants_guards_drafts_more_of_them() -> None:
    weights = np.zeros((2, 9))
    weights[0, 6] = 1
    guards = LocmDrafts(attributes()).measures(weights)[:, DRAFTS.columns.index("num_guard_cards")]
    assert guards[0] > 2 * guards[1]


def test_each_gene_is_drawn_anew_with_its_chance_and_one_in_any_case() -> None:
    space, rng = LocmDrafts(priorities(), drafts=1, mutation=0.01), np.random.default_rng(1)
    solution = space.random(rng)
    changed = [int((space.mutate(solution, rng) != solution).sum()) for _ in range(3000)]
    further = {1 + k: comb(159, k) * 0.01**k * 0.99 ** (159 - k) for k in range(6)}
    assert surprise([min(k, 7) for k in changed], further | {7: 1 - sum(further.values())}) < SURPRISING
    where = [
        int(np.flatnonzero(mutated != solution)[0])
        for mutated in (space.mutate(solution, rng) for _ in range(5000))
        if (mutated != solution).sum() == 1
    ]
    assert surprise([gene // 16 for gene in where], dict.fromkeys(range(10), 0.1)) < SURPRISING


def test_what_cannot_draft_is_refused() -> None:
    with pytest.raises(SearchError, match="unknown kind of genomes 'priority'"):
        LocmDrafts(make_space("priority", [(0, 1)], integer=False))
    with pytest.raises(SearchError, match="between 0 and 1, not 2"):
        LocmDrafts(priorities(), mutation=2)
    with pytest.raises(MatchError, match="unknown draft format 'other'"):
        LocmDrafts(priorities(), format="other")
    with pytest.raises(MatchError, match="drafts must be"):
        LocmDrafts(priorities(), drafts=0)


# Evaluations


def candidate(solution: Solution, space: LocmDecks | LocmDrafts) -> Entrant:
    return Entrant("candidate", space.policy(solution), battle_agent("greedy"))


@pytest.mark.parametrize("space", [DECKS, DRAFTS], ids=["deck", "draft"])
def test_an_outcome_is_that_of_matches_with_each_opponent(space: LocmDecks | LocmDrafts) -> None:
    solution = space.random(np.random.default_rng(2))
    fixed = entrant_with_deck("greedy", DECKS.cards(DECKS.random(np.random.default_rng(8))))
    opponents: tuple[EntrantLike, ...] = ("icebox/greedy", fixed)
    found = outcome(LocmEvaluator(space, pilot="greedy", opponents=opponents), solution, games=40)
    matches = [
        play(candidate(solution, space), other, games=20, seed=core.game_seed(3, number, False), threads=1)
        for number, other in enumerate(opponents)
    ]
    assert found.games == 40
    assert found.value[0] == sum(match.wins for match in matches) / 40
    health = np.concatenate([match["health"] for match in matches])
    assert found.value[1] == pytest.approx((health[:, 0] - health[:, 1]).mean())
    turns = np.concatenate([match["turns"] for match in matches])
    assert found.value[2] == pytest.approx(np.ceil(turns / 2).mean())
    first = np.concatenate([match["first"] for match in matches])
    own_turns = np.where(first == 0, np.ceil(turns / 2), turns // 2).sum()
    mana = np.concatenate([match["mana_spent"] for match in matches])[:, 0]
    assert found.value[4] == pytest.approx(mana.sum() / own_turns)
    assert found.weight.tolist() == [40, 40, 40, own_turns, own_turns]


def test_a_space_and_its_evaluator_are_what_maps_take() -> None:
    for space in (DECKS, DRAFTS):
        of_maps: Space = space
        evaluator: Evaluator = LocmEvaluator(space, pilot="random", opponents=["random"])
        found = outcome(evaluator, of_maps.random(np.random.default_rng(0)))
        assert len(found.value) == len(found.error) == len(found.weight) == len(evaluator.columns)
        assert not set(of_maps.columns) & set(evaluator.columns)


def test_games_can_be_gone_on_with_wherever_they_were_left() -> None:
    evaluator = LocmEvaluator(DECKS, pilot="greedy", opponents=OPPONENTS)
    solution = DECKS.random(np.random.default_rng(4))
    whole = outcome(evaluator, solution, games=60)
    for cut in (1, 17, 30):
        parts = [outcome(evaluator, solution, games=cut), outcome(evaluator, solution, first_game=cut, games=60 - cut)]
        assert Outcome.merged(parts).value == pytest.approx(whole.value)


def test_errors_come_from_pairs_with_swapped_seats_within_opponents() -> None:
    """A deck that wins one game of each pair against its twin leaves no doubt about the half."""
    solution = DECKS.random(np.random.default_rng(5))
    twin = entrant_with_deck("greedy", DECKS.cards(solution))
    evaluator = LocmEvaluator(DECKS, pilot="greedy", opponents=[twin])
    found = outcome(evaluator, solution, games=200)
    assert found.value[0] == 0.5
    assert found.value[1] == 0
    assert found.error[1] == 0
    assert found.error[0] < 0.5 / np.sqrt(200)


def test_errors_are_those_of_many_evaluations() -> None:
    evaluator = LocmEvaluator(DRAFTS, pilot="random", opponents=OPPONENTS)
    solution = DRAFTS.random(np.random.default_rng(6))
    found = [outcome(evaluator, solution, seed=seed, games=60) for seed in range(150)]
    seen = np.std([each.value for each in found], axis=0, ddof=1)
    told = np.sqrt(np.mean([each.error**2 for each in found], axis=0))
    assert told == pytest.approx(seen, rel=0.25)


def test_outcomes_are_the_same_on_several_threads_at_once() -> None:
    evaluator = LocmEvaluator(DRAFTS, pilot="greedy", opponents=OPPONENTS)
    solutions = [DRAFTS.random(np.random.default_rng(seed)) for seed in range(8)]
    alone = [outcome(evaluator, solution) for solution in solutions]
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda solution: outcome(evaluator, solution), solutions)
        assert all(same(a, b) for a, b in zip(alone, together, strict=True))


def test_it_stops_within_a_second_even_if_a_game_takes_long() -> None:
    evaluator = LocmEvaluator(DECKS, pilot="mcts:playouts=300", opponents=["random/mcts:playouts=300"])
    asked = monotonic()
    with pytest.raises(Stopped):
        evaluator.evaluate(
            DECKS.random(np.random.default_rng(0)), seed=1, first_game=0, games=10_000, stop=lambda: True
        )
    assert monotonic() - asked < 1


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(AgentError):
        LocmEvaluator(DECKS, pilot="nobody", opponents=["random"])
    with pytest.raises(AgentError):
        LocmEvaluator(DECKS, pilot="random", opponents=["nobody"])
    with pytest.raises(MatchError, match="there is no opponent"):
        LocmEvaluator(DECKS, pilot="random", opponents=[])
    with pytest.raises(MatchError, match="unknown draft format"):
        LocmEvaluator(DECKS, pilot="random", opponents=["random"], format="other")
    with pytest.raises(SearchError, match="does not play inside the core"):
        LocmEvaluator(DECKS, pilot="random", opponents=[lambda state, actions: actions[0]])
    with pytest.raises(MatchError, match="games must be"):
        outcome(
            LocmEvaluator(DECKS, pilot="random", opponents=["random"]), DECKS.random(np.random.default_rng(0)), games=0
        )
