"""Cards among the elites of maps: who has them, where they are, and how both change between paired trials."""

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import RunError
from deckatlas.runs.inclusion import (
    cards_of_elites,
    centroid_apart,
    centroid_change,
    inclusion_change,
    paired_change,
)
from helpers.map_views import small_map
from helpers.placed_decks import placed

CARD, MANA = "Houndmaster", "deck_mana_mean"


def test_an_elite_has_a_card_if_its_deck_list_does() -> None:
    view = small_map()
    having = placed(view, MANA).having(CARD)
    by_number = dict(zip(view.archive.elites.tolist(), having.tolist(), strict=True))
    for elite in view.elites():
        assert by_number[elite.number] == any(line.name == CARD for line in view.deck_list(elite))
    assert 0 < having.sum() < len(having)
    assert placed(view, MANA).inclusion(CARD) == pytest.approx(having.mean())


def test_a_card_is_known_by_its_id_too() -> None:
    (gene,) = [gene for gene in small_map().description.genes if gene.name == CARD]
    assert np.array_equal(placed(small_map()).having(gene.id), placed(small_map()).having(CARD))


def test_no_elite_has_a_card_that_is_not_in_the_pool() -> None:
    assert placed(small_map()).inclusion("Fireball") == 0
    assert not placed(small_map()).having("Fireball").any()


def test_the_centroid_is_the_mean_place_of_the_decks() -> None:
    view = small_map()
    decks = [elite for elite in view.elites() if any(line.name == CARD for line in view.deck_list(elite))]
    elites = placed(view, MANA, "num_turns")
    found = elites.centroid_with(CARD)
    for place, name in enumerate((MANA, "num_turns")):
        assert found[place] == pytest.approx(np.mean([elite.columns[name] for elite in decks]))
    assert np.isnan(elites.centroid_with("Fireball")).all()


def test_changes_are_differences_of_pairs() -> None:
    first, second, third = (small_map(seed, None) for seed in (1, 2, 3))
    decks = [placed(view, MANA) for view in (first, second, third)]
    pairs = [(decks[0], decks[1]), (decks[1], decks[2])]
    found = inclusion_change(pairs, CARD)
    shares = [each.inclusion(CARD) for each in decks]
    assert found.before.value == pytest.approx(np.mean(shares[:2]))
    assert found.after.value == pytest.approx(np.mean(shares[1:]))
    assert found.change.value == pytest.approx((shares[2] - shares[0]) / 2)
    assert (found.change.n, found.change.is_share) == (2, True)
    for share in (found.before, found.after):
        assert 0 <= share.low <= share.value <= share.high <= 1  # Student's interval over two trials would be wider
    moved = centroid_change(pairs, CARD)[MANA]
    at = [each.centroid_with(CARD)[0] for each in decks]
    assert moved.change.value == pytest.approx((at[2] - at[0]) / 2)
    seen = centroid_change(pairs, CARD, from_all=True)[MANA]
    whole = [view.log.column(MANA)[view.archive.elites].mean() for view in (first, second, third)]
    assert seen.change.value == pytest.approx((at[2] - whole[2] - at[0] + whole[0]) / 2)


def test_the_interval_of_a_change_is_over_pairs() -> None:
    found = paired_change(np.array([[1.0, 2.0], [5.0, 7.0], [9.0, 12.0]])).change
    half = 4.302653 * 1 / 3**0.5  # Student's quantile with two degrees of freedom
    assert (found.value, found.low, found.high) == pytest.approx((2, 2 - half, 2 + half))
    assert not paired_change(np.array([[1.0, 2.0]])).change.has_ends


def test_a_card_of_no_elite_in_any_trial_is_not_certain_to_be_in_none() -> None:
    decks = [placed(small_map(seed, None), MANA) for seed in (1, 2, 3)]
    found = inclusion_change([(each, each) for each in decks], "Fireball")
    assert (found.after.value, found.after.low) == (0, 0)
    assert 0.05 < found.after.high < 0.15
    assert found.change.low < 0 < found.change.high


def test_a_trial_without_the_card_on_one_side_has_no_shift() -> None:
    first, second = placed(small_map(1, None), MANA), placed(small_map(2, None), MANA)
    rare = next(name for name in first.names if first.inclusion(name) > 0 and second.inclusion(name) == 0)
    assert centroid_change([(first, second)], rare) == {}
    both = centroid_change([(first, second), (first, first)], rare)[MANA]
    assert (both.change.n, both.change.value) == (1, 0)


def test_decks_with_a_card_stand_apart_from_those_without() -> None:
    views = [small_map(1, None), small_map(2, None)]
    gaps = []
    for view in views:
        mana = view.log.column("deck_mana_mean")[view.archive.elites]
        having = placed(view, MANA).having(CARD)
        gaps.append(mana[having].mean() - mana[~having].mean())
    trials = [placed(view, MANA) for view in views]
    found = centroid_apart(trials, CARD)[MANA]
    assert found.value == pytest.approx(np.mean(gaps))
    assert found.n == 2
    assert centroid_apart(trials, "Fireball") == {}


def test_draft_policies_have_no_cards() -> None:
    policies = locm.map_elites("draft", evaluations=6, games=2, resolution=2, seed=1)
    with pytest.raises(RunError, match="is not a map of decks"):
        cards_of_elites(policies)
