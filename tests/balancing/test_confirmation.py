"""What is left of a patch when decks adapt: the number of a class moves as far as found decks, and what that means."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from deckatlas.balancing.confirmation import FAILS, HOLDS, OPEN, SHORT, Confirmation, judged
from deckatlas.balancing.field_games import CLASS
from deckatlas.balancing.intents import Intent
from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.questions import FIELD, SEARCHES, Question, Shift
from deckatlas.balancing.targets import Target, total
from deckatlas.balancing.trial_questions import FOUND, INCLUSION
from deckatlas.stats.estimate import Estimate

TARGET = Target(Intent("hunter win rate in 48..52", (FOUND, CLASS), "Hunter", "", 0.48, 0.52))
CARD = Target(Intent("Wolf in at most 40 % of hunter elites", (INCLUSION,), "Wolf", "Hunter", 0.0, 0.4))


def share(value: float, half: float = 0.01) -> Estimate:
    return Estimate(value, value - half, value + half, 100, is_share=True)


def question(topic: str, before: float, after: float, *, error: float = 0.0025, subject: str = "Hunter") -> Question:
    shift = Shift(after - before, error, 1e6)
    family = FIELD if topic == CLASS else SEARCHES
    return Question(
        topic, subject, topic, share(before), share(after), shift, "games", 0.01, family=family, place="Hunter"
    )


def study(*questions: Question) -> Any:
    return SimpleNamespace(questions=questions)


def confirmation(known: float, found_before: float, found_after: float, *, error: float = 0.0025) -> Confirmation:
    given = study(
        question(FOUND, found_before, found_after, error=error), question(CLASS, 0.57, known), question(CLASS, 0.2, 0.2)
    )
    patch = FoundPatch((7,), 2.0, (), Estimate(0.0, 0.0, 0.0, 1))
    return Confirmation(patch, "calmer-1", given, (judged(given, TARGET),))


def test_the_number_of_a_class_moves_as_far_as_found_decks() -> None:
    (found,) = confirmation(known=0.50, found_before=0.66, found_after=0.64).judged
    after = found.adapted.question.after
    assert after.value == pytest.approx(0.57 - 0.02)
    assert after.half_width == pytest.approx((0.01**2 + (1.96 * 0.0025) ** 2) ** 0.5, rel=1e-3)
    assert found.on_field is not None
    assert found.on_field.question.after.value == 0.50


@pytest.mark.parametrize(
    ("known", "found_after", "error", "verdict"),
    [
        (0.50, 0.59, 0.0025, HOLDS),
        (0.50, 0.65, 0.0025, FAILS),
        (0.50, 0.62, 0.02, OPEN),
        (0.55, 0.65, 0.0025, SHORT),
        (0.55, 0.59, 0.0025, HOLDS),
    ],
)
def test_a_patch_holds_up_only_if_adapted_decks_meet_the_targets(
    known: float, found_after: float, error: float, verdict: str
) -> None:
    assert confirmation(known, 0.66, found_after, error=error).verdict == verdict


@pytest.mark.parametrize(
    ("known", "found_after", "error", "verdict"),
    [(0.55, 0.59, 0.0025, HOLDS), (0.55, 0.65, 0.0025, SHORT), (0.55, 0.62, 0.02, OPEN)],
)
def test_a_patch_of_a_later_round_is_judged_by_adapted_decks_alone(
    known: float, found_after: float, error: float, verdict: str
) -> None:
    later = replace(confirmation(known, 0.66, found_after, error=error), is_for_known=False)
    assert later.verdict == verdict


def test_the_pilot_whose_decks_are_farthest_from_the_target_decides() -> None:
    near, far = question(FOUND, 0.60, 0.60), question(FOUND, 0.60, 0.66)
    field = question(CLASS, 0.50, 0.50)
    for asked in ((near, far), (far, near)):
        assert judged(study(*asked, field), TARGET).adapted.question.after.value == pytest.approx(0.56)


def test_cards_among_elites_are_judged_by_the_search_alone() -> None:
    given = study(question(INCLUSION, 0.9, 0.55, subject="Wolf"))
    found = judged(given, CARD)
    assert found.on_field is None
    assert CARD.distance(found.adapted.question.after).value == pytest.approx(15)
    assert found.adapted.verdict == "missed"


def test_the_interval_of_a_distance_is_that_of_its_number() -> None:
    wide = TARGET.distance(Estimate(0.55, 0.50, 0.60, 10, is_share=True))
    assert (wide.value, wide.low, wide.high) == pytest.approx((3.0, 0.0, 8.0))
    far = TARGET.distance(Estimate(0.40, 0.38, 0.42, 10, is_share=True))
    assert (far.value, far.low, far.high) == pytest.approx((8.0, 6.0, 10.0))
    both = total([wide, far])
    assert (both.value, both.low, both.high) == pytest.approx((11.0, 6.0, 18.0))
