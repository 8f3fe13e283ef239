"""What trials say: inclusion, centres, cells and the mix of worked maps, and no claims where nothing changes."""

from collections.abc import Sequence

import numpy as np
import pytest

from deckatlas.balancing.questions import Question, answered
from deckatlas.balancing.tables import mixed_decks, places_of
from deckatlas.balancing.trial_questions import (
    CARD_IN_MIX,
    CELL,
    CENTRE,
    DECK_IN_MIX,
    FILLED,
    FOUND,
    INCLUSION,
    MIX,
    PATTERN,
    VARIETY,
    TrialEvidence,
)
from deckatlas.balancing.trials import Half
from helpers.balance_trials import found_map, half, trials_of


def evidence(pairs: Sequence[tuple[Half, Half]]) -> TrialEvidence:
    return TrialEvidence(trials_of(pairs), ("Highmane",), ("HUNTER", "WARLOCK"), games=100, evaluation_games=10)


def by_topic(given: TrialEvidence, topic: str) -> dict[tuple[str, str], Question]:
    return {(each.subject, each.place): each for each in given.questions() if each.topic == topic}


@pytest.fixture
def moved() -> TrialEvidence:
    """Under the patch, Highmane spreads from one elite of two to three of three, and the found deck wins."""
    before = half(found_map([0, 1], [0.4, 0.6], [[1, 1, 0], [0, 1, 0]]), 0.4)
    after = half(found_map([0, 1, 3], [0.5, 0.7, 0.6], [[1, 1, 0], [1, 1, 0], [1, 0, 0]]), 0.8)
    return evidence([(before, after)] * 3)


def test_inclusion_is_the_share_of_elites_with_a_card(moved: TrialEvidence) -> None:
    found = by_topic(moved, INCLUSION)
    highmane, wolf = found["Highmane", "Hunter"], found["Wolf", "Hunter"]
    assert (highmane.before.value, highmane.after.value) == (0.5, 1.0)
    assert (wolf.before.value, wolf.after.value) == pytest.approx((1.0, 2 / 3))
    assert ("Squire", "Hunter") not in found  # no elite has it
    assert (highmane.family, wolf.family) == ("searches", "cards")


def test_the_centre_of_a_card_is_that_of_its_elites(moved: TrialEvidence) -> None:
    found = by_topic(moved, CENTRE)
    cost, spread = found["Highmane", "Hunter, mean cost"], found["Highmane", "Hunter, spread of costs"]
    assert (cost.before.value, spread.before.value) == (0.5, 0.5)  # the elite of cell 0
    assert (cost.after.value, spread.after.value) == pytest.approx((0.5 + 1 / 3, 0.5 + 2 / 3))


def test_cells_are_born_and_die(moved: TrialEvidence) -> None:
    found = by_topic(moved, CELL)
    born = found["hunter fast cell 1, 1", "filled"]
    assert (born.before.value, born.after.value) == (0.0, 1.0)
    assert found["hunter fast cell 0, 0", "win rate"].shift.value == pytest.approx(0.1)
    assert ("hunter fast cell 1, 0", "filled") not in found  # nobody was ever there
    assert by_topic(moved, FILLED)["Hunter", "Hunter"].shift.value == pytest.approx(0.25)


def test_the_mix_follows_the_deck_that_wins(moved: TrialEvidence) -> None:
    assert by_topic(moved, FOUND)["Hunter", "Hunter"].shift.value == pytest.approx(0.4)
    hunter = by_topic(moved, MIX)["Hunter", ""]
    assert hunter.before.value == pytest.approx(0.5)  # Zoo and Face Hunter, since the found deck loses
    assert hunter.after.value == pytest.approx(1.0)
    assert by_topic(moved, CARD_IN_MIX)["Highmane", ""].shift.value == pytest.approx(1.0)
    assert by_topic(moved, VARIETY)["the field", ""].shift.value == pytest.approx(-1.0)


def test_decks_of_the_mix_are_asked_about_by_name(moved: TrialEvidence) -> None:
    found = {subject: each.shift.value for (subject, _), each in by_topic(moved, DECK_IN_MIX).items()}
    assert found == pytest.approx({"Zoo": -0.5, "Face Hunter": -0.5, "found Hunter decks": 1.0})
    assert {each.family for each in by_topic(moved, DECK_IN_MIX).values()} == {"decks of mixes"}


def test_patterns_are_those_of_both_editions_together(moved: TrialEvidence) -> None:
    found = by_topic(moved, PATTERN)["Highmane and Wolf", "Hunter"]
    assert (found.before.value, found.after.value) == pytest.approx((0.5, 2 / 3))
    assert found.family == "patterns"


def test_parts_of_elites_and_of_the_mix_have_intervals_for_few_trials_and_win_rates_student_s(
    moved: TrialEvidence,
) -> None:
    lowest = 0.025 ** (1 / 3)  # three trials that all have it, by Clopper and Pearson
    for topic, subject in ((INCLUSION, "Highmane"), (MIX, "Hunter"), (CARD_IN_MIX, "Highmane")):
        after = next(each.after for (name, _), each in by_topic(moved, topic).items() if name == subject)
        assert (after.low, after.high) == pytest.approx((lowest, 1.0), abs=1e-6), topic
    assert by_topic(moved, DECK_IN_MIX)["found Hunter decks", ""].after.low == pytest.approx(lowest, abs=1e-6)
    assert mixed_decks(moved.trials)[0].after.low == pytest.approx(lowest, abs=1e-6)
    assert by_topic(moved, FOUND)["Hunter", "Hunter"].after.low > 0.75


def test_a_card_that_no_elite_has_on_one_side_has_no_centre() -> None:
    before = half(found_map([0], [0.5], [[0, 1, 0]]), 0.5)
    after = half(found_map([0], [0.5], [[1, 1, 0]]), 0.5)
    assert by_topic(evidence([(before, after)] * 3), CENTRE) == {}


def drawn(rng: np.random.Generator) -> Half:
    """A trial by chance alone."""
    cells = np.flatnonzero(rng.uniform(size=4) < 0.7).tolist() or [0]
    rates = rng.uniform(0.3, 0.7, len(cells)).tolist()
    return half(found_map(cells, rates, rng.integers(0, 2, (len(cells), 3)).tolist()), rng.uniform(0.3, 0.7))


def test_trials_without_a_difference_are_rarely_called_one() -> None:
    rng = np.random.default_rng(8)
    studies = 120
    claims: dict[str, int] = {}
    for _ in range(studies):
        sentences = answered(list(evidence([(drawn(rng), drawn(rng)) for _ in range(6)]).questions()))
        for family in {each.question.family for each in sentences if each.is_change}:
            claims[family] = claims.get(family, 0) + 1
    most = studies * 0.05 + 3 * (studies * 0.05 * 0.95) ** 0.5
    assert all(count <= most for count in claims.values()), claims


def test_a_new_card_has_a_place_after_the_patch_alone() -> None:
    before = half(found_map([0], [0.5], [[0, 1, 0]]), 0.5)
    after = half(found_map([0, 3], [0.5, 0.5], [[1, 1, 0], [1, 0, 0]]), 0.5)
    cost, spread = places_of(evidence([(before, after)] * 3).trials, ["Highmane"])
    assert (cost.measure, spread.measure) == ("mean cost", "spread of costs")
    assert cost.values[0] is None
    assert cost.values[1] is not None
    assert cost.values[1].value == pytest.approx(1.0)


def test_the_shares_of_the_mix_add_up_deck_by_deck(moved: TrialEvidence) -> None:
    decks = mixed_decks(moved.trials)
    assert decks[0].name == "found Hunter decks"
    assert decks[0].after.value == pytest.approx(1.0)
    for side in ("before", "after"):
        assert sum(getattr(each, side).value for each in decks) == pytest.approx(1.0)


def test_four_trials_of_ten_games_that_agree_by_chance_are_no_claim_about_a_cell() -> None:
    cells, holds = [0, 1, 2, 3], [[1, 1, 0]] * 4
    before, after = (half(found_map(cells, [rate, 0.5, 0.5, 0.5], holds), 0.5) for rate in (0.6, 0.4))
    sentences = answered(list(evidence([(before, after)] * 4).questions()))
    asked = {each.question.subject: each for each in sentences if each.question.place == "win rate"}
    fallen = asked["hunter fast cell 0, 0"]
    assert fallen.question.shift.value == pytest.approx(-0.2)
    assert fallen.claim == "undecided"
