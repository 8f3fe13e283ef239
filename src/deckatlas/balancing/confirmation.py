"""Whether a patch still does what is wanted when decks are built again: a balance study of it, seen from its targets.

Known decks tell the win rate of a class on the *old field*. When decks are searched again under both editions, the best
decks found move by some shift, over several trials. The number *after decks adapt* is that of the known decks today,
moved by this shift: the best decks found win more than known lists under any edition, so their rates themselves would
be no fair comparison with a range that is meant for the lists of people.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from deckatlas.balancing.intents import MET, MISSED, Outcome
from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.questions import Question
from deckatlas.balancing.study import Study
from deckatlas.balancing.targets import Target, total
from deckatlas.balancing.trial_questions import FOUND
from deckatlas.stats.estimate import Estimate

HOLDS, FAILS, SHORT, OPEN = "holds up", "only on the old field", "short of the targets", "undecided"


@dataclass(frozen=True)
class JudgedTarget:
    """A target under a confirmed patch.

    Attributes:
        target: The target.
        on_field: What fresh games of the known decks tell; None if they do not tell the number.
        adapted: What the study tells when decks are searched again.
    """

    target: Target
    on_field: Outcome | None
    adapted: Outcome

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "intent": self.target.intent.text,
            "old_field": None if self.on_field is None else _cells(self.on_field),
            "adapted": _cells(self.adapted),
        }


def _cells(outcome: Outcome) -> dict[str, Any]:
    asked = outcome.question
    return {
        "verdict": outcome.verdict,
        "before": asked.before.value,
        **asked.after.cells("after", n="n", prefix=""),
        "rests_on": asked.rests_on,
    }


@dataclass(frozen=True)
class Confirmation:
    """A patch of the front under which decks were searched again.

    Attributes:
        patch: The patch, with what the search for patches knew about it.
        name: Its name.
        study: The study.
        judged: Each target.
        is_for_known: Whether known decks alone told that the patch is near the targets.
    """

    patch: FoundPatch
    name: str
    study: Study
    judged: tuple[JudgedTarget, ...]
    is_for_known: bool = True

    @property
    def on_field(self) -> Estimate | None:
        """The distance to the targets that known decks tell, by fresh games; None if they tell none."""
        told = [(each.target, each.on_field.question.after) for each in self.judged if each.on_field is not None]
        return total([target.distance(number) for target, number in told]) if told else None

    @property
    def adapted(self) -> Estimate:
        """The distance to all targets after decks adapt."""
        return total([each.target.distance(each.adapted.question.after) for each in self.judged])

    @property
    def adapted_before(self) -> Estimate:
        """The distance of the base edition, by the same numbers."""
        return total([each.target.distance(each.adapted.question.before) for each in self.judged])

    @property
    def verdict(self) -> str:
        """Whether the patch holds up.

        It holds up if every target is met after decks adapt. It only looked good on the old field if known decks miss
        no target, but one is missed after decks adapt; it is short of the targets if known decks already miss one.
        A patch of a later round is not meant for known decks: it is short if a target is missed after decks adapt.
        """
        adapted = [each.adapted.verdict for each in self.judged]
        if all(verdict == MET for verdict in adapted):
            return HOLDS
        if not self.is_for_known:
            return SHORT if MISSED in adapted else OPEN
        if any(each.on_field is not None and each.on_field.verdict == MISSED for each in self.judged):
            return SHORT
        return FAILS if MISSED in adapted else OPEN

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; distances are in points."""
        on_field = self.on_field
        return {
            "patch": self.name,
            "verdict": self.verdict,
            "old_field_distance": None if on_field is None else on_field.cells("value", prefix=""),
            "adapted_distance": self.adapted.cells("value", prefix=""),
            "adapted_distance_before": self.adapted_before.cells("value", prefix=""),
            "targets": [each.to_json() for each in self.judged],
            "trials": len(self.study.trials),
            "games": self.study.games,
            "runs": [run for trial in self.study.trials for run in trial.runs],
        }


def judged(study: Study, target: Target) -> JudgedTarget:
    """A target in the light of a study; if several pilots search, of the one whose decks are farthest from it.

    Raises:
        MatchError: If the study does not ask for its number.
    """
    intent, questions = target.intent, study.questions
    asked = intent.questions(questions)
    if not target.has_proxy:
        return JudgedTarget(target, None, Outcome(intent, _farthest(target, asked)))
    known, *_ = replace(intent, topics=intent.topics[-1:]).questions(questions)
    adapted = [_moved(known, each) if each.topic == FOUND else each for each in asked]
    return JudgedTarget(target, Outcome(intent, known), Outcome(intent, _farthest(target, adapted)))


def _farthest(target: Target, asked: Sequence[Question]) -> Question:
    def distance(question: Question) -> tuple[float, float]:
        found = target.distance(question.after)
        return found.value, found.high

    return max(asked, key=distance)


def _moved(known: Question, found: Question) -> Question:
    """The number of the known decks today, moved as far as the best decks found moved."""
    shift = found.difference
    half = math.hypot(known.before.half_width, shift.half_width)
    value = min(1.0, max(0.0, known.before.value + shift.value))
    after = Estimate(value, max(0.0, value - half), min(1.0, value + half), found.after.n, is_share=True)
    return replace(
        found,
        number=f"{known.number}, moved by the shift of the best decks found,",
        before=known.before,
        after=after,
        rests_on=f"{known.rests_on}, and {found.rests_on}",
    )
