"""Targeted rebalancing: which small changes of cards bring the metagame to its targets, and which of them hold up.

A round has two steps. A search over patches plays given decks, which is cheap, and finds the front of the size of a
change against its distance to the targets: one run, stored and resumed like any other. Then balance studies search
decks again under the best patches of the front, and say which of them hold up when decks adapt.

In the first round the given decks are the known ones. In later rounds the best decks that the studies found play, too:
patches are then sought that still work when people change their decks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.balancing.confirmation import Confirmation, judged
from deckatlas.balancing.found_decks import best_found
from deckatlas.balancing.knobs import Values
from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.rebalance_task import Task
from deckatlas.balancing.study import carry_out
from deckatlas.balancing.subject import BASE
from deckatlas.balancing.trials import ADVICE
from deckatlas.metagame.growth import Listener
from deckatlas.runs.executors import played_here
from deckatlas.runs.in_turn import execute_in_turn
from deckatlas.runs.library import path_of
from deckatlas.runs.store import open_store


@dataclass(frozen=True)
class Round:
    """A finished search for patches.

    Attributes:
        task: What was asked.
        front: The front of size against distance, the smallest change first; the first is no change.
        explored: All patches that were played, each with what is known about it.
    """

    task: Task
    front: tuple[FoundPatch, ...]
    explored: tuple[FoundPatch, ...]

    @property
    def nearest(self) -> FoundPatch:
        """The patch that is nearest to the targets."""
        return min(self.front, key=lambda each: (each.distance.value, each.size))


@dataclass(frozen=True)
class Rebalancing:
    """A finished rebalancing.

    Attributes:
        rounds: The searches for patches: with known decks, and then with found ones, too.
        confirmations: The patches under which decks were searched again; in each round, the nearest ones first.
    """

    rounds: tuple[Round, ...]
    confirmations: tuple[Confirmation, ...]

    @property
    def task(self) -> Task:
        """What was asked: the first round."""
        return self.rounds[0].task

    @property
    def front(self) -> tuple[FoundPatch, ...]:
        """The front on known decks, which is what a search with fixed decks finds."""
        return self.rounds[0].front

    @property
    def patches(self) -> tuple[FoundPatch, ...]:
        """The patches of all fronts, each once, without that of no change."""
        found: dict[Values, FoundPatch] = {}
        for each in self.rounds:
            for patch in each.front[1:]:
                found.setdefault(patch.values, patch)
        return tuple(found.values())

    def name_of(self, patch: FoundPatch) -> str:
        """The name of a patch of a front."""
        return _names(self.rounds)[patch.values]

    def confirmation(self, patch: FoundPatch) -> Confirmation | None:
        """The confirmation of a patch, if it was confirmed."""
        return next((each for each in self.confirmations if each.patch.values == patch.values), None)

    @property
    def best_on_field(self) -> FoundPatch:
        """The patch that is nearest to the targets on known decks: what a search with fixed decks would choose."""
        return self.rounds[0].nearest

    @property
    def best(self) -> Confirmation | None:
        """The confirmed patch that is nearest to the targets after decks adapt."""
        order = sorted(self.confirmations, key=lambda each: (each.adapted.value, each.patch.size))
        return order[0] if order else None

    @property
    def games(self) -> int:
        """All games, those of stored runs included; a confirmation shares those of the base edition."""
        searches = sum(each.task.plan.games for each in self.rounds)
        return searches + sum(each.study.games for each in self.confirmations)

    def patch_toml(self, patch: FoundPatch) -> str:
        """A patch of a front as a file that `deckatlas balance` reads."""
        return self.task.rebalancer.to_toml(patch.values, self.name_of(patch))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; distances are in points, numbers parts of 1."""
        task = self.task
        known = task.any_subject.fields[BASE]
        return {
            "name": task.file.name,
            "base": task.any_subject.editions[BASE],
            "metagame": known.name,
            "pilots": list(known.pilots),
            "seed": task.study_plan.seed,
            "run": task.name,
            "games": self.games,
            "search_games": task.plan.games,
            "knobs": [knob.to_json() for knob in task.rebalancer.knobs],
            "targets": [
                {"intent": each.intent.text, "weight": each.weight, "known_decks_tell_it": each.has_proxy}
                for each in task.targets
            ],
            "front": self._front_json(self.rounds[0]),
            "explored": [self._patch_json(each) for each in self.rounds[0].explored],
            "later_rounds": [
                {
                    "round": each.task.number,
                    "run": each.task.name,
                    "search_games": each.task.plan.games,
                    "found_decks": {kind: list(decks) for kind, decks in each.task.found.items()},
                    "front": self._front_json(each),
                    "explored": [self._patch_json(patch) for patch in each.explored],
                }
                for each in self.rounds[1:]
            ],
            "best_on_old_field": self.name_of(self.best_on_field),
            "best_after_decks_adapt": None if self.best is None else self.best.name,
            "confirmations": [each.to_json() for each in self.confirmations],
        }

    def _front_json(self, found: Round) -> list[dict[str, Any]]:
        return [self._patch_json(each) | {"patch": self.name_of(each)} for each in found.front]

    def _patch_json(self, patch: FoundPatch) -> dict[str, Any]:
        knobs = self.task.rebalancer.knobs
        turned = zip(knobs, patch.values, strict=True)
        return {
            "values": [{"card": knob.card, "number": knob.name, "value": value} for knob, value in turned],
            "size": patch.size,
            **patch.distance.cells("distance"),
            "numbers": [each.cells("value", n="games", prefix="") for each in patch.numbers],
        }


def rebalance_task(task: Task, *, listener: Listener | None = None) -> Rebalancing:
    """Carries out a rebalancing, or what is left of it.

    Raises:
        RunError: If a store holds another run, or cannot be used.
    """
    heard = Listener() if listener is None else listener
    rounds = [_searched(task, heard)]
    confirmations = _confirmed(rounds, [], heard)
    while confirmations and rounds[-1].task.number < task.file.confirm.rounds:
        found = best_found([each.study for each in confirmations], kinds=task.adapting, room=task.room)
        if not found:  # no target is about a class that is searched again
            break
        rounds.append(_searched(rounds[-1].task.after(found), heard))
        further = _confirmed(rounds, confirmations, heard)
        confirmations += further
        if not further:
            break
    return Rebalancing(tuple(rounds), tuple(confirmations))


def _searched(task: Task, heard: Listener) -> Round:
    """A search for patches."""
    plan = task.study_plan
    path = path_of(plan.folder, task.name)
    label = f"patches on known decks, {task.file.name}" if task.number == 1 else f"round {task.number}, found decks too"
    # No other process can make patches, and this is the cheap part; a cluster plays the studies that confirm them.
    with played_here(), heard.stage(label) as watch:
        execute_in_turn(task, path, threads=plan.threads, watch=watch, advice=ADVICE)
    search = task.search()
    with open_store(path) as store:
        search.script().resume(store.history())
    return Round(task, search.front, tuple(search.found(values) for values in search.results))


def _confirmed(rounds: Sequence[Round], known: Sequence[Confirmation], heard: Listener) -> list[Confirmation]:
    """Studies of the patches of the last round that are nearest to the targets; none is studied twice."""
    task, names = rounds[-1].task, _names(rounds)
    changed = sorted((each for each in rounds[-1].front if each.size), key=lambda each: each.distance.value)
    done = {each.patch.values for each in known}
    chosen = [each for each in changed[: task.file.confirm.patches] if each.values not in done]
    found = []
    for patch in chosen:
        name = names[patch.values]
        study = carry_out(task.rebalancer.subject(patch.values, name), task.study_plan, listener=heard)
        numbers = tuple(judged(study, target) for target in task.targets)
        found.append(Confirmation(patch, name, study, numbers, is_for_known=task.number == 1))
    return found


def _names(rounds: Sequence[Round]) -> dict[Values, str]:
    """The names of patches: that of the file, the letter of a later round, and the place on the front.

    No change is called after the base.
    """
    task = rounds[0].task
    names = {task.space.own: task.any_subject.editions[BASE]}
    for number, each in enumerate(rounds):
        letter = "" if number == 0 else chr(ord("a") + number)
        for place, patch in enumerate(each.front):
            names.setdefault(patch.values, f"{task.file.name}-{letter}{place}")
    return names
