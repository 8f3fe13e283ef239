"""A balance study as its record: what was asked, and, once it is finished, the verdict with everything it rests on."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas import __version__
from deckatlas.balancing import record
from deckatlas.balancing.intents import Intent, Outcome
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.questions import Sentence
from deckatlas.balancing.record import Measured, StudyRecord
from deckatlas.balancing.subject import BASE, SIDES, Floats, Subject
from deckatlas.balancing.tables import mean_rates, mixed_decks, places_of
from deckatlas.balancing.trial_questions import cell_name
from deckatlas.balancing.trials import Trial, keys_of
from deckatlas.runs.hashes import canonical_json, text_hash

if TYPE_CHECKING:  # a study writes its record
    from deckatlas.balancing.study import Study

_HASH_DIGITS = 10
_PLANE = 2  # measures of a map that can be drawn


def record_of(subject: Subject, plan: StudyPlan, intents: Sequence[Intent]) -> StudyRecord:
    """The record of a study that begins."""
    field, texts = subject.fields[BASE], [each.text for each in intents]
    depends_on = {
        "fields": [[each.to_json(), each.cards] for each in (subject.fields[side].players() for side in SIDES)],
        "effort": asdict(plan.effort),
        "searched": [subject.kinds, subject.search_pilots] if plan.effort.trials else [],
        "seed": plan.seed,
        "paired": plan.paired,
        "intents": texts,
    }
    digest = text_hash(canonical_json(depends_on)).hex()[:_HASH_DIGITS]
    return StudyRecord(
        format=record.FORMAT,
        version=__version__,
        name=f"{record.plain_name(subject.patch)}-{digest}",
        game=subject.game,
        patch=subject.patch,
        patch_toml=subject.patch_toml,
        base=subject.editions[BASE],
        metagame=field.name,
        pilots=list(field.pilots),
        effort=plan.effort.name,
        seed=plan.seed,
        one=subject.words.one,
        several=subject.words.several,
        options=_options(subject, plan, texts),
        begun=datetime.now(UTC),
    )


def _options(subject: Subject, plan: StudyPlan, intents: list[str]) -> dict[str, Any]:
    """The options of `deckatlas.balance` that make this study; those that the effort has anyway are left out."""
    field, sized = subject.fields[BASE], plan.effort
    options: dict[str, Any] = {"effort": sized.name, "meta": field.source or field.name}
    if len(field.pilots) == 1:
        options["pilot"] = field.pilots[0]
    if intents:
        options["intents"] = intents
    if plan.seed:
        options["seed"] = plan.seed
    if not plan.paired:
        options["paired"] = False
    usual = next((each for each in subject.efforts if each.name == sized.name), sized)
    if sized.field_games != usual.field_games:
        options["games"] = sized.field_games
    if not sized.trials:
        return options
    if subject.words.has_named_kinds:
        options["classes"] = list(subject.kinds)
    options["search_pilots"] = list(subject.search_pilots)
    sizes = {
        "trials": (sized.trials, usual.trials),
        "evaluations": (sized.size.evaluations, usual.size.evaluations),
        "evaluation_games": (sized.size.games, usual.size.games),
        "resolution": (sized.size.resolution, usual.size.resolution),
        "mix_games": (sized.mix_games, usual.mix_games),
    }
    return options | {name: own for name, (own, other) in sizes.items() if own != other and own is not None}


def verdict_of(study: "Study") -> record.Verdict:
    """The verdict of a finished study."""
    subject, trials, field = study.subject, study.trials, study.field
    return record.Verdict(
        finished=datetime.now(UTC),
        games=study.games,
        changes=[record.CardWords(card=each.card, words=each.words, is_new=each.is_new) for each in subject.changes],
        rules=list(subject.rules),
        left_out=list(subject.left_out),
        sentences=[_answer(each) for each in study.sentences],
        intents=[_outcome(each) for each in study.outcomes],
        matchups=[_answer(each) for each in study.matchups],
        cells=[_answer(each) for each in study.cells],
        matrices=record.Matrices(
            names=list(field.names),
            entrants=[f"{each.deck}/{each.pilot}" for each in subject.fields[BASE].entrants],
            classes=list(field.classes),
            shares=field.shares.tolist(),
            before=field.before.rates.tolist(),
            after=field.after.rates.tolist(),
        ),
        maps=_maps(study) if trials else [],
        mix=[
            record.MixShare(name=each.name, before=Measured.of(each.before), after=Measured.of(each.after))
            for each in (mixed_decks(trials, subject.words) if trials else ())
        ],
        places=_places(trials, subject.cards) if trials else [],
        trials=[
            record.TrialRuns(number=each.number, from_known=each.from_known, runs=list(each.runs)) for each in trials
        ],
    )


def _answer(sentence: Sentence) -> record.Answer:
    asked = sentence.question
    return record.Answer(
        family=asked.family,
        topic=asked.topic,
        subject=asked.subject,
        place=asked.place,
        number=asked.number,
        claim=sentence.claim,  # type: ignore[arg-type]
        before=Measured.of(asked.before),
        after=Measured.of(asked.after),
        difference=Measured.of(asked.difference),
        unit=asked.unit,
        p=asked.shift.p,
        adjusted_p=sentence.adjusted_p,
        rests_on=asked.rests_on,
        text=sentence.text,
    )


def _outcome(outcome: Outcome) -> record.MeantOutcome:
    asked = outcome.question
    return record.MeantOutcome(
        intent=outcome.intent.text,
        verdict=outcome.verdict,  # type: ignore[arg-type]
        topic=asked.topic,
        subject=asked.subject,
        place=asked.place,
        found=Measured.of(asked.after),
        wanted_low=outcome.intent.low,
        wanted_high=outcome.intent.high,
        more_games=outcome.more_games,
        text=outcome.text,
    )


def _maps(study: "Study") -> list[record.MeanMap]:
    changed = {each.question.subject for each in study.cells if each.is_change}
    found = []
    for key in keys_of(study.subject):
        first = study.trials[0].halves[BASE].maps[key]
        if len(first.shape) != _PLANE:
            continue
        before, after = mean_rates(study.trials, key)
        found.append(
            record.MeanMap(
                search=key[0],
                pilot=key[1],
                shape=list(first.shape),
                measures=list(first.names),
                ranges=[list(each) for each in first.ranges],
                before=_cells(before),
                after=_cells(after),
                changed=[cell for cell in range(len(before)) if cell_name(key, first.place(cell)) in changed],
            )
        )
    return found


def _cells(rates: Floats) -> list[float | None]:
    return [None if np.isnan(each) else each for each in rates.tolist()]


def _places(trials: Sequence[Trial], cards: Sequence[str]) -> list[record.CardPlace]:
    return [
        record.CardPlace(
            search=each.key[0],
            card=each.card,
            measure=each.measure,
            before=None if each.values[0] is None else Measured.of(each.values[0]),
            after=None if each.values[1] is None else Measured.of(each.values[1]),
        )
        for each in places_of(trials, cards)
    ]
