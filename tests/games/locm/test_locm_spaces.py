"""Spaces of Legends of Code and Magic: decks and draft policies, and what is known of them without a game."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import locm
from deckatlas.errors import MatchError, SearchError
from deckatlas.games.locm.agents import draft_policy, rankings
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.editions import official
from deckatlas.games.locm.spaces import (
    LocmDecks,
    LocmDrafts,
    attribute_pattern,
    attributes,
    curve,
    pick_rates,
    priorities,
)
from deckatlas.search.spaces import make_space
from helpers.chance import SURPRISING, surprise

KINDS = {"priorities": priorities, "attributes": attributes, "attribute-pattern": attribute_pattern, "curve": curve}
DECKS = LocmDecks()
DRAFTS = LocmDrafts(priorities())


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


def test_each_gene_is_drawn_again_with_its_chance_and_one_in_any_case() -> None:
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


# Known policies


def test_pick_rates_are_the_share_of_offers_that_a_policy_takes() -> None:
    chance = pick_rates(official(), draft_policy("random"), drafts=2000, format="referee")
    assert chance == pytest.approx(np.full(160, 1 / 3), abs=0.06)
    rates = pick_rates(official(), draft_policy("icebox"), drafts=200, format="distinct")
    best, worst = (int(choose(rankings()["icebox"])) for choose in (np.argmax, np.argmin))
    assert (rates[best], rates[worst]) == (1, 0)
    assert ((rates >= 0) & (rates <= 1)).all()


def test_priorities_near_a_ranking_draft_almost_as_it_does() -> None:
    near = DRAFTS.nearest(draft_policy("icebox"))
    one, other = (locm.play((each, "greedy"), "coac/greedy", games=400) for each in ("icebox", near.tolist()))
    assert (one["winner"] == other["winner"]).mean() > 0.85
    whole = LocmDrafts(priorities(1, 20, integer=True)).nearest(draft_policy("icebox"))
    assert whole == pytest.approx(np.round(1 + 19 * near))


def test_only_priorities_come_near_to_any_policy() -> None:
    with pytest.raises(SearchError, match="but not of the kind curve"):
        LocmDrafts(curve()).nearest(draft_policy("icebox"))
