"""Where patterns are found: maps, regions of them, several trials, and mixes; and what is expected of their pools."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import deckatlas
from deckatlas import hearthstone, locm
from deckatlas.errors import DeckatlasError, GameError, RunError
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.games.locm.metagame import metagame_of as locm_metagame_of
from deckatlas.metagame.analysis import Analysis
from deckatlas.metagame.equilibrium import mix_of
from deckatlas.metagame.metagame import DeckCards, Entrant
from deckatlas.metagame.play import Budget
from deckatlas.patterns.patterns import supports_of
from deckatlas.patterns.regions import region_of
from deckatlas.patterns.sources import PoolExpectation, decks_of_mix, decks_of_runs, find_patterns
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.exact import number_of_decks, shares_with
from helpers.map_views import small_map
from helpers.metagames import CYCLE, DrawnMetagame, drawn_matchups, rates_of

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


def test_the_patterns_of_a_map_are_counted_in_its_elites() -> None:
    view = small_map()
    found = find_patterns(view, support=0.3, longest=2)
    elites, genes = view.elites(), {gene.id: at for at, gene in enumerate(view.description.genes)}
    space = view.deck_space()
    assert space is not None
    assert found.found == len(found) > 5
    for pattern in found:
        has = [all(elite.solution[genes[card]] >= copies for card, copies in pattern.cards) for elite in elites]
        assert (pattern.count, pattern.decks) == (sum(has), tuple(np.flatnonzero(has).tolist()))
        assert pattern.support.value == pytest.approx(sum(has) / len(elites))
        copies = np.zeros((1, space.length), np.uint8)
        for card, count in pattern.cards:
            copies[0, space.ids.index(card)] = count
        assert pattern.expected == shares_with(space, copies)[0]
        for name, span in pattern.region.items():
            values = [elite.measures[name] for elite, one in zip(elites, has, strict=True) if one]
            assert (span.low, span.mean, span.high) == pytest.approx((min(values), np.mean(values), max(values)))


def test_a_map_can_be_given_by_its_file_and_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mage.db"
    view = hearthstone.map_elites("mage", evaluations=15, games=2, resolution=(3, 3), seed=1, path=path)
    assert deckatlas.find_patterns(path, support=0.5).shown == deckatlas.find_patterns(view, support=0.5).shown


def test_a_region_has_the_elites_that_are_in_all_of_its_ranges() -> None:
    view = small_map()
    middle = float(np.median([elite.measures["deck_mana_sum"] for elite in view.elites()]))
    cheap = [elite.cell for elite in region_of([f"deck_mana_sum=..{middle}", "win_rate=0..1"]).elites(view)]
    assert cheap == [elite.cell for elite in view.elites() if elite.measures["deck_mana_sum"] <= middle]
    assert 0 < len(cheap) < len(view.elites())
    boxed = [elite.cell for elite in region_of(["cells=1..3,0"]).elites(view)]
    assert boxed == [elite.cell for elite in view.elites() if 1 <= elite.cell[0] <= 3 and elite.cell[1] == 0]
    assert len(decks_of_runs([view], region_of(["cells=1..3,0"]))) == len(boxed) > 0
    assert len(find_patterns(view, region=f"deck_mana_sum=..{middle}", support=0.5).decks) == len(cheap)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (["cheap"], "'cheap' is not a region: write a range as deck_mana_mean=2..3.5"),
        (["num_turns=a..b"], "'num_turns=a..b' is not a region"),
        (["num_turns=9..3"], "from a lower to a higher number"),
        (["num_turns=nan..3"], "from a lower to a higher number"),
        (["=2..3"], "is not a region"),
        (["num_turns=2..3", "num_turns=3..4"], "two ranges of 'num_turns'"),
        (["cells=0..2,0..2", "cells=0"], "two ranges of 'cells'"),
        (["cells=0..2"], "cells of hunter have 2 ranges, one per measure: deck_mana_sum, num_turns"),
        (["num_turn=2..3"], "did you mean 'num_turns'"),
        (["num_turns=1000..2000"], "no elite of hunter is in the region"),
    ],
)
def test_a_region_that_cannot_be_is_refused_in_one_line(parts: list[str], message: str) -> None:
    with pytest.raises(DeckatlasError, match=message) as error:
        find_patterns(small_map(), region=parts)
    assert "\n" not in str(error.value)


def test_trials_weigh_the_same_and_give_supports_an_interval() -> None:
    trials = [
        hearthstone.map_elites("mage", evaluations=15, games=2, resolution=(3, 3), seed=seed) for seed in (1, 2, 3)
    ]
    assert len({len(view.elites()) for view in trials}) > 1
    for pattern in find_patterns(trials, support=0.3, longest=1, only_maximal=False):
        of_trials = [supports_of(decks_of_runs([view]), [pattern])[0].value for view in trials]
        assert pattern.support.value == pytest.approx(np.mean(of_trials))
        assert pattern.support.low <= min(max(pattern.support.value, 0), 1) <= pattern.support.high
        assert pattern.support.n == 3


def test_maps_of_other_classes_are_expected_by_their_own_pools() -> None:
    mage = hearthstone.map_elites("mage", evaluations=15, games=2, resolution=(3, 3), seed=1)
    hunter = small_map()
    decks = decks_of_runs([hunter, mage])
    assert decks.expected is not None
    spaces = [view.deck_space() for view in (hunter, mage)]
    for card in ("EX1_066", "CS2_029"):  # Acidic Swamp Ooze of both, Fireball of mages
        asked = np.zeros((1, len(decks.cards)), np.uint8)
        asked[0, decks.cards.index(card)] = 1
        shares = []
        for space in spaces:
            assert space is not None
            most = [each - (other == card) for other, each in zip(space.ids, space.most_copies.tolist(), strict=True)]
            with_card = DeckSpace(space.ids, most, size=29, columns={})  # one copy is given, 29 cards are left
            shares.append(number_of_decks(with_card) / number_of_decks(space) if card in space.ids else 0.0)
        assert decks.expected(asked)[0] == pytest.approx(np.mean(shares))


def test_decks_of_legends_of_code_and_magic_have_patterns_too() -> None:
    view = locm.map_elites("deck", evaluations=25, games=2, resolution=(3, 3), seed=1)
    found = find_patterns(view, support=0.4)
    assert found.found > 0
    assert all(pattern.lift is not None and pattern.lift > 1 for pattern in found)


def test_what_is_no_map_of_decks_is_refused() -> None:
    drafts = locm.map_elites("draft", evaluations=10, games=2, resolution=(2, 2), seed=1)
    with pytest.raises(RunError, match=r"^locm-draft has no patterns of cards: its solutions are not decks$"):
        find_patterns(drafts)
    with pytest.raises(RunError, match="there is no run"):
        find_patterns([])
    without = replace(small_map(), options=None)
    with pytest.raises(RunError, match="hunter has no archive"):
        find_patterns(without)


def test_decks_with_constraints_have_patterns_without_lifts() -> None:
    view = hearthstone.map_elites(
        "hunter", evaluations=20, games=2, resolution=(3, 3), seed=1, settings=["space.most_dust=4000"]
    )
    found = find_patterns(view, support=0.4)
    assert found.found > 0
    assert all(pattern.lift is None for pattern in found)
    assert "constraints" in found.decks.unknown


# Mixes


@dataclass(frozen=True)
class ListedMetagame(DrawnMetagame):
    """Three decks of four cards each, of two classes."""

    def deck_cards(self) -> tuple[DeckCards, ...]:
        red = DeckSpace("abcdx", [2] * 5, size=4, columns={})
        blue = DeckSpace("abcdy", [2] * 5, size=4, columns={})
        return (
            DeckCards({"a": 2, "b": 1, "x": 1}, red),
            DeckCards({"a": 2, "c": 1, "d": 1}, blue),
            DeckCards({"a": 1, "b": 1, "d": 2}, blue),
        )


def listed_analysis() -> Analysis:
    matchups = drawn_matchups(rates_of(CYCLE), seeds=200, rng=np.random.default_rng(1))
    entrants = tuple(Entrant(name, name, "pilot") for name in matchups.names)
    mix = mix_of(matchups, np.random.default_rng(2), samples=100)
    metagame = ListedMetagame("listed", entrants)
    return Analysis(matchups, mix, metagame.shares, metagame, Budget(games=400))


def test_decks_of_a_mix_count_by_their_shares_with_intervals_of_the_mixes_that_games_allow() -> None:
    analysis = listed_analysis()
    shares, drawn = analysis.mix.shares, analysis.mix.drawn
    assert drawn.shape == (100, 3)
    assert drawn.mean(axis=0) == pytest.approx(analysis.mix.mean)
    found = {str(each): each for each in find_patterns(analysis, support=0.01)}
    assert {*found} == {"2x a", "a, b", "a, d"}
    assert found["2x a"].support.value == pytest.approx(shares[0] + shares[1])
    low, high = np.quantile(drawn[:, 0] + drawn[:, 1], (0.025, 0.975))
    assert found["2x a"].support.low == pytest.approx(min(low, shares[0] + shares[1]))
    assert found["2x a"].support.high == pytest.approx(max(high, shares[0] + shares[1]))


def test_a_mix_is_expected_to_have_random_decks_of_the_same_classes() -> None:
    analysis = listed_analysis()
    decks = decks_of_mix(analysis)
    assert isinstance(decks.expected, PoolExpectation)
    asked = np.zeros((2, len(decks.cards)), np.uint8)
    asked[0, decks.cards.index("a")] = 2
    asked[1, decks.cards.index("x")] = 1
    twice, other = decks.expected(asked).tolist()
    every = [counts for counts in np.ndindex(3, 3, 3, 3, 3) if sum(counts) == 4]
    assert twice == pytest.approx(sum(counts[0] == 2 for counts in every) / len(every))
    assert other == pytest.approx(analysis.mix.shares[0] * sum(counts[4] >= 1 for counts in every) / len(every))


def test_the_decks_of_a_shipped_metagame_are_legal_in_the_spaces_beside_them() -> None:
    decks = metagame_of("field-2018").deck_cards()
    assert Counter(sum(each.cards.values()) for each in decks) == {30: len(decks)}
    for each in decks:
        each.space.check(np.array([each.cards.get(card, 0) for card in each.space.ids], np.uint8))


def test_metagames_without_fixed_decks_are_refused() -> None:
    with pytest.raises(GameError, match=r"^the entrants of the metagame 'drafts' have no fixed decks"):
        locm_metagame_of("drafts").deck_cards()
    with pytest.raises(RunError, match="a mix of decks has no regions"):
        find_patterns(listed_analysis(), region="num_turns=..8")
