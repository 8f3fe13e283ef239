"""A balance study: a patch goes in, a verdict comes out. Everything is stored as runs, and resumes.

The known decks play under both editions. With more effort, decks are searched again under both, trial by trial, and the
metagame of both is solved. Runs are named by all that their results depend on, so a study of another patch finds the
games and searches of the base edition and plays only its own. A record beside them says what was asked, and what came
out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deckatlas.balancing.field_games import FieldGames
from deckatlas.balancing.intents import Intent, KnownNames, Outcome, outcomes_of, parse_intent
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.questions import CELLS, MATCHUPS, Question, Sentence, answered
from deckatlas.balancing.record import in_progress, write_study
from deckatlas.balancing.subject import BASE, PATCHED, SIDES, Subject
from deckatlas.balancing.tables import mixed_decks, places_of
from deckatlas.balancing.trial_questions import INCLUSION, TrialEvidence
from deckatlas.balancing.trials import Trial, play_trials
from deckatlas.balancing.verdict import record_of, verdict_of
from deckatlas.errors import MatchError
from deckatlas.metagame.growth import Listener
from deckatlas.metagame.matchups import GAMES_PER_SEED, all_pairs
from deckatlas.metagame.metagame import MOST_DECKS
from deckatlas.metagame.play import play_evenly
from deckatlas.shapes import show

_DETAILS = (MATCHUPS, CELLS)  # families with a table of their own


@dataclass(frozen=True)
class Study:
    """A finished study.

    Attributes:
        subject: What it is about.
        plan: How it was carried out.
        field: The games of the known decks.
        trials: The trials of searches; none if nothing was searched.
        intents: What the patch is meant to do.
    """

    subject: Subject
    plan: StudyPlan
    field: FieldGames
    trials: tuple[Trial, ...]
    intents: tuple[Intent, ...]

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Everything that was asked."""
        return (*self._of_trials(), *self.field.questions())

    def _of_trials(self) -> Sequence[Question]:
        if not self.trials:
            return ()
        classes = tuple(sorted({*self.trials[0].halves[BASE].classes} - {""}))
        subject, games = self.subject, trial_games(self.subject, self.plan)
        of_decks = evaluation_games(subject, self.plan)
        return tuple(TrialEvidence(self.trials, subject.cards, classes, games, of_decks, subject.words).questions())

    @cached_property
    def answers(self) -> tuple[Sentence, ...]:
        """The answers to all questions, in their order."""
        return answered(self.questions)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The verdict: changes first, the largest first; then what is undecided, then what did not change."""
        told = [each for each in self.answers if each.question.family not in _DETAILS]
        return tuple(sorted(told, key=_importance))

    @cached_property
    def matchups(self) -> tuple[Sentence, ...]:
        """The answers about single matchups."""
        return tuple(each for each in self.answers if each.question.family == MATCHUPS)

    @cached_property
    def cells(self) -> tuple[Sentence, ...]:
        """The answers about single cells of maps."""
        return tuple(each for each in self.answers if each.question.family == CELLS)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Whether the patch does what is meant: an outcome for each intent, or several if several pilots search."""
        pilots = tuple(dict.fromkeys(self.subject.search_pilots))
        found = (outcomes_of(each, self.questions, pilots=pilots) for each in self.intents)
        return tuple(outcome for each in found for outcome in each)

    @property
    def games(self) -> int:
        """The games of the whole study, those of stored runs included."""
        return self.field.games + len(self.trials) * trial_games(self.subject, self.plan)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; shares are parts of 1."""
        subject, plan = self.subject, self.plan
        return {
            "patch": subject.patch,
            "base": subject.editions[BASE],
            "metagame": subject.fields[BASE].name,
            "effort": plan.effort.name,
            "seed": plan.seed,
            "paired": plan.paired,
            "games": self.games,
            "trials": len(self.trials),
            "changes": [{"card": each.card, "change": each.words, "is_new": each.is_new} for each in subject.changes],
            "rules": list(subject.rules),
            "left_out": list(subject.left_out),
            "searched": list(subject.kinds) if self.trials else [],
            "sentences": [each.to_json() for each in self.sentences],
            "intents": [each.to_json() for each in self.outcomes],
            "mix": [each.to_json() for each in mixed_decks(self.trials, self.subject.words)] if self.trials else [],
            "places": [each.to_json() for each in places_of(self.trials, self.subject.cards)] if self.trials else [],
            "matchups": [each.to_json() for each in self.matchups],
            "cells": [each.to_json() for each in self.cells],
            "runs": [{"trial": each.number, "from_known": each.from_known, "runs": each.runs} for each in self.trials],
        }


def _importance(sentence: Sentence) -> tuple[bool, bool, float, str]:
    """Changes before the rest, what is undecided before what did not change, and large numbers before small ones."""
    asked = sentence.question
    # Numbers that are not shares count by their margins, which say what size matters.
    size = abs(asked.shift.value) / asked.margin
    return not sentence.is_change, sentence.claim == "unchanged", -size, asked.number


def field_games(subject: Subject, plan: StudyPlan) -> int:
    """The games of the known decks, under both editions."""
    decks = len(subject.fields[BASE].entrants)
    return len(SIDES) * GAMES_PER_SEED * plan.field_seeds(decks) * len(all_pairs(decks))


def evaluation_games(subject: Subject, plan: StudyPlan) -> int:
    """The games of each deck of a search."""
    return plan.effort.size.games or len(subject.fields[BASE].entrants)


def search_games(subject: Subject, plan: StudyPlan) -> int:
    """The games of the searches of one trial, under both editions."""
    searches = len(SIDES) * len(subject.kinds) * len(subject.search_pilots)
    return searches * plan.effort.size.evaluations * evaluation_games(subject, plan)


def mix_games(subject: Subject, plan: StudyPlan) -> int:
    """The games of the metagame of one trial, under both editions."""
    found = len(subject.kinds) * len(subject.search_pilots) * plan.effort.finalists
    decks = len(subject.fields[BASE].entrants) + found
    return len(SIDES) * plan.effort.mix_games * len(all_pairs(decks))


def trial_games(subject: Subject, plan: StudyPlan) -> int:
    """The games of one trial, under both editions."""
    return search_games(subject, plan) + mix_games(subject, plan)


def read_intents(texts: Sequence[str], subject: Subject, plan: StudyPlan) -> tuple[Intent, ...]:
    """What a patch is meant to do, checked before the first game.

    Raises:
        MatchError: If an intent cannot be read, or the study will not answer it.
    """
    searched = subject.kinds if plan.effort.trials else ()
    names = KnownNames(
        decks=subject.fields[BASE].names,
        classes=tuple(sorted({*subject.classes, *map(subject.class_of, searched)} - {""})),
        kinds=searched,
        cards=subject.cards,
        words=subject.words,
    )
    found = tuple(parse_intent(text, names) for text in texts)
    for each in found:
        if INCLUSION in each.topics and not subject.can_have(each.place.lower(), each.subject):
            raise MatchError(f"intent {show(each.text)}: no {each.place} deck can have {each.subject}")
    return found


def check_size(subject: Subject, plan: StudyPlan) -> None:
    """Checks that known and found decks fit into one metagame.

    Raises:
        MatchError: If there would be too many.
    """
    found = len(subject.kinds) * len(subject.search_pilots) * plan.effort.finalists if plan.effort.trials else 0
    decks = len(subject.fields[BASE].entrants) + found
    if decks > MOST_DECKS:
        raise MatchError(
            f"known and found {subject.words.several} would be {decks}, and a metagame has at most {MOST_DECKS}: "
            "search fewer classes or with fewer pilots"
        )


def carry_out(
    subject: Subject, plan: StudyPlan, *, intents: Sequence[str] = (), listener: Listener | None = None
) -> Study:
    """Carries out a study, or what is left of it.

    Args:
        subject: What it is about.
        plan: How it is carried out.
        intents: What the patch is meant to do.
        listener: Follows the progress.

    Raises:
        MatchError: If an intent cannot be read.
        RunError: If a store holds another run, or cannot be used.
    """
    meant = read_intents(intents, subject, plan)
    check_size(subject, plan)
    record = record_of(subject, plan, meant)
    with in_progress(plan.folder, record):
        study = _played(subject, plan, meant, Listener() if listener is None else listener)
        write_study(plan.folder, record.model_copy(update={"verdict": verdict_of(study)}))
    return study


def _played(subject: Subject, plan: StudyPlan, meant: tuple[Intent, ...], heard: Listener) -> Study:
    sides = []
    for side in SIDES:
        metagame = subject.fields[side]
        games = GAMES_PER_SEED * plan.field_seeds(len(metagame.entrants))
        with heard.stage(f"known {subject.words.several}, {subject.editions[side]}") as watch:
            sides.append(play_evenly(metagame, plan.budget(side, "field", games=games, watch=watch)))
    shares = subject.fields[BASE].shares
    field = FieldGames(sides[BASE], sides[PATCHED], shares, subject.classes, plan.paired)
    trials = tuple(play_trials(subject, plan, heard)) if subject.kinds else ()
    return Study(subject, plan, field, trials, meant)
