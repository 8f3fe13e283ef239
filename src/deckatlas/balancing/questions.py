"""Questions about a patch, and their answers: sentences with numbers, intervals and p values for many questions.

A question compares a number under the patch with the same number before. Its unit of uncertainty is the seed of games
if nothing was searched, and the trial of a search otherwise, since searches differ more than games. Questions of one
*family* are adjusted together by Holm's method: in a study of a patch that does nothing, the chance that any sentence
of a family claims a change is at most 5 %.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.balancing.subject import Floats
from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.mean_shares import mean_share
from deckatlas.stats.means import variance_of_mean
from deckatlas.stats.multiple import holm, two_sided_p

ALPHA = 0.05
RISES, FALLS, UNCHANGED, UNDECIDED = "rises", "falls", "unchanged", "undecided"

# Families: kinds of questions that are adjusted together.
FIELD, SEARCHES, MIXES = "field", "searches", "mixes"
MATCHUPS, CARDS, PATTERNS, CELLS, MIXED = "matchups", "cards", "patterns", "cells", "decks of mixes"


@dataclass(frozen=True)
class Shift:
    """How far a number moved: its estimate, standard error and degrees of freedom."""

    value: float
    error: float
    freedom: float

    @property
    def p(self) -> float:
        """The probability of a shift at least as large if there is none."""
        return two_sided_p(self.value, self.error, self.freedom)

    def estimate(self, n: int, *, is_share: bool) -> Estimate:
        """The shift with its 95 % interval."""
        half = student_quantile(self.freedom) * self.error
        most = 1.0 if is_share else math.inf  # no share moves further
        return Estimate(self.value, max(-most, self.value - half), min(most, self.value + half), n, is_share=is_share)


@dataclass(frozen=True)
class Question:
    """A number before and after a patch.

    Attributes:
        topic: What is asked, in a word or two: "deck", "class", "inclusion", "mix"; sentences are ordered by it.
        subject: Whom it is about, such as a deck, a class or a card.
        number: The number in words, with its subject: "the win rate of Zoo against the field".
        before: The number under the base edition.
        after: The number under the patch.
        shift: How far it moved.
        rests_on: What the answer rests on, in words.
        margin: A shift that is surely smaller counts as none.
        family: The family of questions that it is adjusted with.
        unit: The unit of numbers that are not shares.
        place: Where the subject is, for tables: a class, an opponent, a measure.
        unit_games: The games that one more unit of the sample takes: a game, or all games of a trial.
        trials: The number under the patch, trial by trial, if it is a part of a whole: see `over_trials`.
    """

    topic: str
    subject: str
    number: str
    before: Estimate
    after: Estimate
    shift: Shift
    rests_on: str
    margin: float
    family: str
    unit: str = ""
    place: str = ""
    unit_games: int = 1
    trials: tuple[float, ...] = ()

    @property
    def difference(self) -> Estimate:
        """The shift with its 95 % interval."""
        return self.shift.estimate(self.after.n, is_share=self.after.is_share)


@dataclass(frozen=True)
class Sentence:
    """An answer.

    Attributes:
        question: The question.
        adjusted_p: Its p value, which allows for all questions of its family.
    """

    question: Question
    adjusted_p: float

    @property
    def claim(self) -> str:
        """`rises` or `falls` beyond chance, `unchanged` if surely smaller than the margin, else `undecided`."""
        asked, found = self.question, self.question.difference
        if self.adjusted_p <= ALPHA:
            return RISES if found.value > 0 else FALLS
        return UNCHANGED if -asked.margin <= found.low and found.high <= asked.margin else UNDECIDED

    @property
    def is_change(self) -> bool:
        """Whether the sentence claims a change."""
        return self.claim in (RISES, FALLS)

    @property
    def text(self) -> str:
        """The answer for people."""
        asked = self.question
        before, after = (_value(each, asked.unit) for each in (asked.before, asked.after))
        number = asked.number[:1].upper() + asked.number[1:]
        start = {
            UNCHANGED: f"{number} does not change",
            UNDECIDED: f"{number}, {before} before and {after} after, may have changed or not",
        }.get(self.claim, f"{number} {self.claim} from {before} to {after}")
        sure = f"adjusted p {_p(self.adjusted_p)}; " if self.is_change else ""
        return f"{start}: {_difference(asked.difference, asked.unit)} ({sure}{asked.rests_on})."

    def to_json(self) -> dict[str, Any]:
        """The sentence as plain data; shares are parts of 1."""
        asked = self.question
        return {
            "topic": asked.topic,
            "subject": asked.subject,
            "place": asked.place,
            "claim": self.claim,
            "before": asked.before.value,
            "after": asked.after.value,
            **asked.difference.cells("difference", prefix=""),
            "p": asked.shift.p,
            "adjusted_p": self.adjusted_p,
            "family": asked.family,
            "n": asked.after.n,
            "rests_on": asked.rests_on,
            "text": self.text,
        }


def answered(questions: Sequence[Question]) -> tuple[Sentence, ...]:
    """The answers, adjusted family by family, in the order of the questions."""
    adjusted = [1.0] * len(questions)
    for family in {each.family for each in questions}:
        own = [at for at, each in enumerate(questions) if each.family == family]
        for at, p in zip(own, holm([questions[at].shift.p for at in own]), strict=True):
            adjusted[at] = p
    return tuple(Sentence(each, p) for each, p in zip(questions, adjusted, strict=True))


def over_trials(
    before: Floats, after: Floats, *, step: float, is_share: bool, is_part: bool = False
) -> tuple[Estimate, Estimate, Shift]:
    """A number of each trial under both editions: both means with intervals, and the paired shift.

    Args:
        before: The number under the base edition, trial by trial.
        after: The number under the patch.
        step: A small shift of one trial: two trials are added to the spread, with one step up and one down, so that
            trials that agree do not count as certain.
        is_share: Whether the number is a share of 1.
        is_part: Whether it is a part of a whole, such as of all elites or of a mix: some trials may have nothing of it,
            or all. Then Student's intervals of the means would end too early: see `mean_shares`.
    """
    shift = _shift_of_trials(after - before, step)
    if is_part:
        return mean_share(before), mean_share(after), shift
    ends = [_mean_of_trials(side, step, is_share=is_share) for side in (before, after)]
    return ends[0], ends[1], shift


def _mean_of_trials(values: Floats, step: float, *, is_share: bool) -> Estimate:
    least, most = (0.0, 1.0) if is_share else (-math.inf, math.inf)
    found = _shift_of_trials(values, step)
    half = student_quantile(found.freedom) * found.error
    low, high = max(least, found.value - half), min(most, found.value + half)
    return Estimate(found.value, low, high, len(values), is_share=is_share)


def _shift_of_trials(values: Floats, step: float) -> Shift:
    """The mean of a number over trials; see `over_trials` for the step."""
    return Shift(float(values.mean()), math.sqrt(variance_of_mean(values, step=step)), len(values) - 1)


def weighted_shift(moved: Sequence[Floats], weights: Floats, *, step: float) -> Shift:
    """A weighted sum of mean differences, each over independent seeds of its own.

    Args:
        moved: The differences of each part, seed by seed; two seeds or more.
        weights: The weight of each part.
        step: How much one game changes a difference; added to the spread as in `over_trials`.
    """
    if not moved:  # decks that are the whole field win half by definition
        return Shift(0.0, 0.0, 1.0)
    parts = np.array([w**2 * each.var(ddof=1) / len(each) for w, each in zip(weights, moved, strict=True)])
    seeds = len(moved[0])
    variance = float(parts.sum())
    least = 2 * (step * float(np.abs(weights).max())) ** 2 / (seeds * (seeds - 1))
    # Satterthwaite's degrees of freedom: if one part varies most, its seeds are what counts.
    alike = variance**2 / float((parts**2).sum()) if variance > 0 else 1.0
    value = float(sum(w * each.mean() for w, each in zip(weights, moved, strict=True)))
    return Shift(value, math.sqrt(variance + least), max(1.0, math.floor((seeds - 1) * alike)))


def _value(found: Estimate, unit: str) -> str:
    return f"{100 * found.value:.1f} %" if found.is_share else f"{found.value:.2f}{unit and ' ' + unit}"


def _difference(found: Estimate, unit: str) -> str:
    scale, name, digits = (100, " points", 1) if found.is_share else (1, unit and " " + unit, 2)
    numbers = [scale * each for each in (found.value, found.low, found.high)]
    if found.is_share and abs(numbers[2] - numbers[1]) < 2:
        digits = 2
    value, low, high = (f"{each:+.{digits}f}" for each in numbers)
    return f"{value}{name} [{low}, {high}]"


def _p(value: float) -> str:
    return "below 0.0001" if value < 0.0001 else f"{value:.2g}"
