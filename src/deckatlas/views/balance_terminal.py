"""A balance study on the terminal: what will be played, and the verdict."""

from collections import Counter
from collections.abc import Iterator, Sequence

from deckatlas.balancing.forecast import Forecast
from deckatlas.balancing.intents import Intent
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.questions import UNCHANGED, UNDECIDED
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, Subject
from deckatlas.games.game import PlainTable
from deckatlas.views.growth_terminal import duration_here

Part = str | PlainTable

_SHOWN = 30  # sentences
_SHOWN_UNDECIDED = 8


def change_lines(subject: Subject) -> Iterator[str]:
    """What a patch changes, in words."""
    yield f"{subject.patch}, a patch of {subject.editions[BASE]}:"
    for each in subject.changes:
        yield f"  {each.card} {each.words}"
    for rule in subject.rules:
        yield f"  {rule}"
    if not subject.changes and not subject.rules:
        yield "  it changes nothing"
    for deck in subject.left_out:
        yield f"  left out, since it is not legal under the patch: {deck}"


def plan_lines(
    subject: Subject, plan: StudyPlan, expected: Forecast, *, intents: Sequence[Intent] = ()
) -> Iterator[str]:
    """What will be played, how long it takes on this machine, what it can see, and what so few trials cannot meet."""
    field, words = subject.fields[BASE], subject.words
    yield (
        f"Effort {plan.effort.name}: {len(field.entrants)} known {words.several} of {field.name} play "
        f"{expected.field_games:,} games under both editions ({' and '.join(field.pilots)})."
    )
    if expected.search_games:
        yield (
            f"{plan.effort.trials} trials search {words.several} again under both editions: {', '.join(subject.kinds)} "
            f"({' and '.join(subject.search_pilots)}), {expected.search_games:,} games; then known and found "
            f"{words.several} meet, {expected.mix_games:,} games."
        )
    if plan.effort.trials and not subject.kinds:
        yield f"No {words.one} can have a changed card, so nothing is searched again."
    yield f"This takes {duration_here(expected.seconds)}; what is stored is not played again."
    least = f"{100 * expected.field_effect:.1f} points"
    sees = [f"a {words.one}'s win rate by {least} at worst, by less if few games change"]
    for number, effect in expected.trial_effects.items():
        how_much = f"by {100 * effect:.0f} points" if effect < 1 else "not at all, with so few trials"
        sees.append(f"{number} {how_much}")
    how_often = "in 4 of 5 studies"
    if expected.trial_effects:
        how_often += ", if trials differ as much as in earlier studies of effort normal"
    yield f"It will see changes ({how_often}) of {'; '.join(sees)}."
    yield from filter(None, (each.hopeless_with(plan.effort.trials, option="--trials ") for each in intents))


def study_parts(study: Study) -> Iterator[Part]:
    """The verdict of a study."""
    changes = [each for each in study.sentences if each.is_change]
    counts = Counter(each.claim for each in study.sentences)
    found = f"{len(changes)} change{'' if len(changes) == 1 else 's'}"
    yield f"The verdict on {study.subject.patch}: {found} among {len(study.sentences)} questions."
    for sentence in changes[:_SHOWN]:
        yield f"  {sentence.text}"
    if len(changes) > _SHOWN:
        yield f"  and {len(changes) - _SHOWN} more: --page, --csv and --json have them all"
    cards = {*study.subject.cards}
    undecided = [each for each in study.sentences if each.claim == UNDECIDED]
    shown = [each for each in undecided if each.question.subject in cards][:_SHOWN_UNDECIDED]
    if shown:
        yield "Undecided about the changed cards:"
        for sentence in shown:
            yield f"  {sentence.text}"
    yield (
        f"{counts[UNDECIDED]} questions are undecided, and {counts[UNCHANGED]} numbers did not change; of "
        f"{len(study.matchups):,} matchups, {sum(each.is_change for each in study.matchups):,} changed."
    )
    outcomes = study.outcomes
    if outcomes:
        yield "What is meant:"
        for outcome in outcomes:
            yield f"  {outcome.text}"
    yield (
        "Intervals have 95 % confidence. Adjusted p values allow for all questions of a kind: if the patch did "
        "nothing, any claim of a kind would be made in at most 5 % of studies."
    )
