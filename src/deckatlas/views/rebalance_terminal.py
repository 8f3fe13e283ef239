"""A rebalancing on the terminal: what will be played, the front, and which patches hold up."""

from collections import Counter
from collections.abc import Iterator

from deckatlas.balancing.confirmation import FAILS, HOLDS, Confirmation
from deckatlas.balancing.intents import Outcome
from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.rebalance import Rebalancing, Round
from deckatlas.balancing.rebalance_task import Task
from deckatlas.balancing.subject import BASE
from deckatlas.games.game import PlainTable
from deckatlas.metagame.pace import seconds_per_game
from deckatlas.stats.estimate import Estimate
from deckatlas.views.growth_terminal import duration_here

Part = str | PlainTable


def task_lines(task: Task) -> Iterator[str]:
    """What may change, what is wanted, and what will be played."""
    field, plan = task.any_subject.fields[BASE], task.plan
    knobs = len(task.space.knobs)
    several = "knobs" if knobs > 1 else "knob"
    yield f"{task.file.name}: {task.space.count:,} patches of {field.edition} by {knobs} {several}:"
    for knob in task.space.knobs:
        values = ", ".join(f"[{value}]" if value == knob.own else str(value) for value in knob.values)
        yield f"  {knob.card}, {knob.name}: {values}; a step counts {knob.weight:g}"
    yield "Targets:"
    for each in task.targets:
        note = "" if each.has_proxy else " (known decks do not tell it: judged when decks are searched again)"
        yield f"  {each.intent.text}{f', weight {each.weight:g}' if each.weight != 1 else ''}{note}"
    pace = seconds_per_game(field, threads=task.study_plan.threads)
    yield (
        f"{plan.explorers:,} patches play {plan.games:,} games with {len(field.entrants)} known decks of {field.name} "
        f"({' and '.join(field.pilots)}): {duration_here(plan.games * pace)}."
    )
    patches = task.file.confirm.patches
    if patches:
        games, kinds = task.confirmation_games, ", ".join(task.any_subject.kinds)
        yield (
            f"Then decks are searched again under up to {patches} patches ({kinds}): up to {games:,} games for the "
            f"first, about half as many for each further one. What is stored is not played again."
        )
        yield from again_lines(task)
        trials = task.study_plan.effort.trials
        meant = (each.intent.hopeless_with(trials, option="--set confirm.trials=") for each in task.targets)
        yield from filter(None, meant)


def again_lines(task: Task) -> Iterator[str]:
    """Whether patches are searched again, and how many games that takes at most."""
    again = task.file.confirm.rounds - 1
    if not again:
        return
    if not task.later_games:
        yield "Patches are searched once: no target is about a class that is searched again, or the metagame is full."
        return
    times = "once more" if again == 1 else f"up to {again} times more"
    yield (
        f"The best decks found join the known ones, and all of this is done {times}: up to {task.later_games:,} games "
        "per search for patches."
    )


def result_parts(found: Rebalancing) -> Iterator[Part]:
    """The fronts, and what became of them when decks were searched again."""
    for each in found.rounds:
        yield PlainTable(
            title=round_title(each),
            caption="Distances are in points, with 95 % intervals.",
            columns=heading(each),
            left=frozenset({"patch", "verdict", "changes"}),
            sections=(tuple(front_row(found, patch) for patch in each.front),),
        )
    for confirmed in found.confirmations:
        yield f"{confirmed.name}, {confirmed.verdict}:"
        for line in confirmation_lines(confirmed):
            yield f"  {line}"
    yield summary(found)


def round_title(found: Round) -> str:
    """What the front of a round rests on."""
    if found.task.number == 1:
        return "The front on known decks: size of a change against distance to the targets"
    return f"The front of round {found.task.number}: players change to the best decks found so far"


def heading(found: Round) -> tuple[str, ...]:
    """The columns of the table of a front."""
    by = "old field" if found.task.number == 1 else "decks found so far"
    return ("patch", "size", f"distance, {by}", "after decks adapt", "verdict", "changes")


def front_row(found: Rebalancing, patch: FoundPatch) -> tuple[str, ...]:
    """A row of the table of a front."""
    confirmed = found.confirmation(patch)
    return (
        found.name_of(patch),
        f"{patch.size:g}",
        _points(patch.distance),
        "" if confirmed is None else _points(confirmed.adapted),
        "not confirmed" if confirmed is None and patch.size else "" if confirmed is None else confirmed.verdict,
        found.task.rebalancer.words(patch.values),
    )


def confirmation_lines(confirmation: Confirmation) -> Iterator[str]:
    """Each target under a confirmed patch, with its numbers."""
    for each in confirmation.judged:
        parts = [] if each.on_field is None else [_told("old field", each.on_field)]
        parts.append(_told("after decks adapt", each.adapted))
        yield f"{each.target.intent.text}: {'; '.join(parts)}"
    found = next((each.adapted for each in confirmation.judged), None)
    if found is not None:
        yield f"these rest on {found.question.rests_on}"


def _told(where: str, outcome: Outcome) -> str:
    before, after = outcome.question.before, outcome.question.after
    return f"{where} {100 * before.value:.1f} → {after.text(1)}, {outcome.verdict}"


def summary(found: Rebalancing) -> str:
    """Which patches hold up, in a sentence."""
    if not found.confirmations:
        return "No patch was confirmed: what decks do when they adapt is not known."
    count = len(found.confirmations)
    counts = Counter(each.verdict for each in found.confirmations)
    best = found.best
    assert best is not None
    chosen = found.name_of(found.best_on_field)
    same = ", the choice of known decks alone, too" if chosen == best.name else f"; known decks alone chose {chosen}"
    return (
        f"Of {count} confirmed {'patch' if count == 1 else 'patches'}, {counts[HOLDS]} met all targets when decks were "
        f"searched again, and {counts[FAILS]} looked good only on the old field. Nearest to the targets after decks "
        f"adapt: {best.name} ({_points(best.adapted)} points){same}."
    )


def _points(distance: Estimate) -> str:
    return distance.text(1)
