"""Targeted rebalancing: which small changes of cards bring the metagame to its targets, and which of them hold up.

Two steps. A search over patches plays known decks, which is cheap, and finds the front of the size of a change against
its distance to the targets: one run, stored and resumed like any other. Then balance studies search decks again under
the best patches of the front, and say which of them hold up when decks adapt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.balancing.confirmation import Confirmation, judged
from deckatlas.balancing.knobs import PatchSpace, Rebalancer
from deckatlas.balancing.patch_games import PatchGames
from deckatlas.balancing.patch_plan import PatchPlan, plan_of
from deckatlas.balancing.patch_search import FoundPatch, PatchSearch
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.study import carry_out, read_intents, trial_games
from deckatlas.balancing.subject import BASE, Subject
from deckatlas.balancing.targets import Target
from deckatlas.balancing.targets_file import TargetsFile
from deckatlas.balancing.trials import ADVICE
from deckatlas.documents.document import Document
from deckatlas.errors import MatchError, RunError, SearchError
from deckatlas.metagame.growth import Listener
from deckatlas.metagame.matchups import GAMES_PER_SEED, Pair
from deckatlas.play.limits import thread_count
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.executors import played_here
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.in_turn import execute_in_turn
from deckatlas.runs.library import path_of
from deckatlas.runs.run import Run
from deckatlas.runs.store import open_store

KIND = "patch"


@dataclass(frozen=True)
class Task:
    """A rebalancing, checked: everything is known but the games.

    Attributes:
        file: What is wanted.
        rebalancer: What may change.
        targets: The targets.
        study_plan: How each patch is confirmed.
    """

    file: TargetsFile
    rebalancer: Rebalancer
    targets: tuple[Target, ...]
    study_plan: StudyPlan

    @cached_property
    def space(self) -> PatchSpace:
        """The patches."""
        return PatchSpace(self.rebalancer.knobs)

    @cached_property
    def proxied(self) -> tuple[Target, ...]:
        """The targets that known decks tell."""
        return tuple(each for each in self.targets if each.has_proxy)

    @cached_property
    def any_subject(self) -> Subject:
        """A study of the patch that changes nothing: all studies have its known decks, searches and cards."""
        return self.rebalancer.subject(self.space.own, self.file.name)

    @cached_property
    def _pairs(self) -> tuple[dict[Pair, float], ...]:
        field, classes = self.any_subject.fields[BASE], self.any_subject.classes
        return tuple(each.pairs(field.names, classes, field.shares) for each in self.proxied)

    @cached_property
    def plan(self) -> PatchPlan:
        """The sizes of the search for patches.

        Raises:
            SearchError: If the budget is too small.
        """
        pairs = {pair for weights in self._pairs for pair in weights}
        return plan_of(self.file.budget, game_count=GAMES_PER_SEED * len(pairs), patches=self.space.count)

    @property
    def confirmation_games(self) -> int:
        """The games of one confirmation, those under the base edition included, which all of them share."""
        plan, subject = self.study_plan, self.any_subject
        return plan.effort.field_games + plan.effort.trials * trial_games(subject, plan)

    def search(self) -> PatchSearch:
        """A new search for patches."""
        return PatchSearch(self.space, self.proxied, self.plan, self.study_plan.seed)

    @cached_property
    def name(self) -> str:
        """The name of the run: other knobs, targets, decks, cards, sizes and seeds have runs of their own."""
        config = self._config("")
        depends_on = {**config, "cards": self.rebalancer.field.players().cards}
        return f"rebalance-{self.file.name}-{text_hash(canonical_json(depends_on)).hex()[:8]}"

    def _config(self, name: str) -> dict[str, Any]:
        field = self.rebalancer.field
        plan = self.plan
        return {
            "name": name,
            "seed": self.study_plan.seed,
            "budget": plan.games,
            "space": {
                "kind": KIND,
                "knobs": [knob.to_json() for knob in self.rebalancer.knobs],
                "effects": dict(self.rebalancer.effects),
            },
            "evaluation": {
                **field.players().to_json()["evaluation"],
                "names": list(field.names),
                "shares": field.shares.tolist(),
            },
            "search": {
                "algorithm": "rebalance",
                "targets": [{"intent": each.intent.text, "weight": each.weight} for each in self.proxied],
                "explorers": plan.explorers,
                "first": plan.first,
                "laps": plan.laps,
                "stages": [list(each) for each in plan.stages],
            },
        }

    def prepare(self) -> Run:
        """The search for patches as a run; see `Runnable`."""
        field = self.rebalancer.field
        return Run(
            config=self._config(self.name),
            cards=field.players().cards,
            space=self.space,
            evaluator=PatchGames(self.rebalancer, self._pairs, laps=self.plan.all_laps),
            make_search=lambda: self.search().script(),
            description=Description(
                title=f"patches of {field.edition}, rated by known decks of {field.name}",
                kind=KIND,
                genes=tuple(Gene(f"{knob.card}: {knob.name}") for knob in self.rebalancer.knobs),
                layout=GeneLayout(len(self.rebalancer.knobs), np.dtype(np.float64)),
                measures=("size",),
            ),
        )


@dataclass(frozen=True)
class Rebalancing:
    """A finished rebalancing.

    Attributes:
        task: What was asked.
        front: The front of size against distance on known decks, the smallest change first; the first is no change.
        explored: All patches that were played, each with what is known about it.
        confirmations: The patches under which decks were searched again, the nearest to the targets first.
    """

    task: Task
    front: tuple[FoundPatch, ...]
    explored: tuple[FoundPatch, ...]
    confirmations: tuple[Confirmation, ...]

    def name_of(self, patch: FoundPatch) -> str:
        """The name of a patch of the front: that of the file with its place on the front."""
        return name_of(self.task, self.front, patch)

    def confirmation(self, patch: FoundPatch) -> Confirmation | None:
        """The confirmation of a patch, if it was confirmed."""
        return next((each for each in self.confirmations if each.patch.values == patch.values), None)

    @property
    def best_on_field(self) -> FoundPatch:
        """The patch that is nearest to the targets on known decks: what a search with fixed decks would choose."""
        return min(self.front, key=lambda each: (each.distance.value, each.size))

    @property
    def best(self) -> Confirmation | None:
        """The confirmed patch that is nearest to the targets after decks adapt."""
        order = sorted(self.confirmations, key=lambda each: (each.adapted.value, each.patch.size))
        return order[0] if order else None

    @property
    def games(self) -> int:
        """All games, those of stored runs included; a confirmation shares those of the base edition."""
        return self.task.plan.games + sum(each.study.games for each in self.confirmations)

    def patch_toml(self, patch: FoundPatch) -> str:
        """A patch of the front as a file that `deckatlas balance` reads."""
        return self.task.rebalancer.to_toml(patch.values, self.name_of(patch))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; distances are in points, numbers parts of 1."""
        task = self.task
        field = task.any_subject.fields[BASE]
        return {
            "name": task.file.name,
            "base": task.any_subject.editions[BASE],
            "metagame": field.name,
            "pilots": list(field.pilots),
            "seed": task.study_plan.seed,
            "run": task.name,
            "games": self.games,
            "search_games": task.plan.games,
            "knobs": [knob.to_json() for knob in task.rebalancer.knobs],
            "targets": [
                {"intent": each.intent.text, "weight": each.weight, "known_decks_tell_it": each.has_proxy}
                for each in task.targets
            ],
            "front": [self._patch_json(each) | {"patch": self.name_of(each)} for each in self.front],
            "explored": [self._patch_json(each) for each in self.explored],
            "best_on_old_field": self.name_of(self.best_on_field),
            "best_after_decks_adapt": None if self.best is None else self.best.name,
            "confirmations": [each.to_json() for each in self.confirmations],
        }

    def _patch_json(self, patch: FoundPatch) -> dict[str, Any]:
        knobs = self.task.rebalancer.knobs
        turned = zip(knobs, patch.values, strict=True)
        return {
            "values": [{"card": knob.card, "number": knob.name, "value": value} for knob, value in turned],
            "size": patch.size,
            **patch.distance.cells("distance"),
            "numbers": [each.cells("value", n="games", prefix="") for each in patch.numbers],
        }


def name_of(task: Task, front: Sequence[FoundPatch], patch: FoundPatch) -> str:
    """The name of a patch of a front; no change is called after the base."""
    place = [each.values for each in front].index(patch.values)
    return f"{task.file.name}-{place}" if patch.size else task.any_subject.editions[BASE]


def task_of(
    document: Document, file: TargetsFile, rebalancer: Rebalancer, *, folder: Path, seed: int, threads: int | None
) -> Task:
    """A rebalancing, checked before the first game.

    Args:
        document: The file with the places of its values.
        file: The file.
        rebalancer: Its knobs, checked by the game.
        folder: The folder of runs.
        seed: The seed of everything random.
        threads: The number of threads.

    Raises:
        RunError: If the file has a mistake; the message has its place.
    """
    subject = rebalancer.subject(PatchSpace(rebalancer.knobs).own, file.name)
    effort = file.confirm.effort(subject.efforts)
    plan = StudyPlan(effort, folder, seed=seed, threads=thread_count(threads))
    targets = []
    for number, table in enumerate(file.target):
        try:
            (intent,) = read_intents([table.intent], subject, plan)
        except MatchError as error:
            raise RunError(f"{document.place(('target', number, 'intent'))}: {error}") from None
        targets.append(Target(intent, table.weight))
        field = subject.fields[BASE]
        if targets[-1].has_proxy and not targets[-1].pairs(field.names, subject.classes, field.shares):
            place = document.place(("target", number, "intent"))
            raise RunError(f"{place}: the known decks of {field.name} do not tell this number")
    task = Task(file, rebalancer, tuple(targets), plan)
    if not task.proxied:
        raise RunError(
            f"{document.place(('target', 0))}: no target is a win rate of a deck or class, and known decks, by which "
            "patches are found, tell nothing else"
        )
    try:
        task.plan  # noqa: B018 - raises if the budget is too small
    except SearchError as error:
        raise RunError(f"{document.place(('budget',))}: {error}") from None
    return task


def rebalance_task(task: Task, *, listener: Listener | None = None) -> Rebalancing:
    """Carries out a rebalancing, or what is left of it.

    Raises:
        RunError: If a store holds another run, or cannot be used.
    """
    heard = Listener() if listener is None else listener
    plan = task.study_plan
    path = path_of(plan.folder, task.name)
    # No other process can make patches, and this is the cheap part; a cluster plays the studies that confirm them.
    with played_here(), heard.stage(f"patches on known decks, {task.file.name}") as watch:
        execute_in_turn(task, path, threads=plan.threads, watch=watch, advice=ADVICE)
    search = task.search()
    with open_store(path) as store:
        search.script().resume(store.history())
    front = search.front
    explored = tuple(search.found(values) for values in search.results)
    changed = [each for each in front if each.size]
    chosen = sorted(changed, key=lambda each: each.distance.value)[: task.file.confirm.patches]
    confirmations = [_confirmed(task, each, name_of(task, front, each), heard) for each in chosen]
    return Rebalancing(task, front, explored, tuple(confirmations))


def _confirmed(task: Task, patch: FoundPatch, name: str, heard: Listener) -> Confirmation:
    study = carry_out(task.rebalancer.subject(patch.values, name), task.study_plan, listener=heard)
    return Confirmation(patch, name, study, tuple(judged(study, target) for target in task.targets))
