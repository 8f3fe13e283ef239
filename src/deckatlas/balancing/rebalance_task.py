"""What a rebalancing is about, checked: its knobs and targets, and the search for patches as a run.

A rebalancing has rounds. In the first one, known decks play under patches. In later ones, decks that searches have
found join them: the number of a class is then that of players who change to the best of these decks.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.balancing.field_games import CLASS
from deckatlas.balancing.found_decks import most_found
from deckatlas.balancing.gauges import AdaptedRate, Gauge, KnownRate
from deckatlas.balancing.knobs import FoundDecks, PatchSpace, Rebalancer
from deckatlas.balancing.patch_games import PatchGames
from deckatlas.balancing.patch_plan import PatchPlan, plan_of
from deckatlas.balancing.patch_search import PatchSearch
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.study import read_intents, trial_games
from deckatlas.balancing.subject import BASE, Subject
from deckatlas.balancing.targets import Target, counted
from deckatlas.balancing.targets_file import TargetsFile
from deckatlas.documents.document import Document
from deckatlas.errors import MatchError, RunError, SearchError
from deckatlas.metagame.matchups import GAMES_PER_SEED, Pair
from deckatlas.metagame.metagame import MOST_DECKS
from deckatlas.play.limits import thread_count
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.run import Run

KIND = "patch"


@dataclass(frozen=True)
class Task:
    """One round of a rebalancing: everything is known but the games.

    Attributes:
        file: What is wanted.
        rebalancer: What may change, and the decks that play.
        targets: The targets.
        study_plan: How each patch is confirmed.
        number: The number of the round, from 1.
        found: The decks that joined the known ones, by the kind of the search that found them.
    """

    file: TargetsFile
    rebalancer: Rebalancer
    targets: tuple[Target, ...]
    study_plan: StudyPlan
    number: int = 1
    found: FoundDecks = field(default_factory=dict)

    def after(self, found: FoundDecks) -> "Task":
        """The next round, in which found decks play, too."""
        return replace(self, rebalancer=self.rebalancer.with_found(found), number=self.number + 1, found=found)

    @cached_property
    def space(self) -> PatchSpace:
        """The patches."""
        return PatchSpace(self.rebalancer.knobs)

    @cached_property
    def proxied(self) -> tuple[Target, ...]:
        """The targets that games of given decks tell."""
        return tuple(each for each in self.targets if each.has_proxy)

    @cached_property
    def any_subject(self) -> Subject:
        """A study of the patch that changes nothing: all studies have its known decks, searches and cards."""
        return self.rebalancer.subject(self.space.own, self.file.name)

    @property
    def adapting(self) -> tuple[str, ...]:
        """The kinds of decks that are searched again and that a target is about."""
        subject = self.any_subject
        named = {each.intent.subject.casefold() for each in self.proxied if CLASS in each.intent.topics}
        return tuple(kind for kind in subject.kinds if subject.class_of(kind).casefold() in named)

    @property
    def room(self) -> int:
        """How many found decks fit beside the known ones."""
        return MOST_DECKS - len(self.any_subject.fields[BASE].entrants)

    @cached_property
    def gauges(self) -> tuple[Gauge, ...]:
        """How the number of each proxied target follows from games."""
        return tuple(self._gauge(each) for each in self.proxied)

    def _gauge(self, target: Target) -> Gauge:
        """Found decks count for the win rate of their class; that of a named deck stays the deck's own."""
        shares = self.rebalancer.field.shares
        known = self._known(target)
        rows = self._rows_of_class(target.intent.subject) if CLASS in target.intent.topics else []
        return AdaptedRate(known, tuple(counted([row], shares) for row in rows)) if rows else KnownRate(known)

    def _known(self, target: Target) -> dict[Pair, float]:
        subject = self.any_subject
        return target.pairs(subject.fields[BASE].names, subject.classes, subject.fields[BASE].shares)

    def _rows_of_class(self, name: str) -> list[int]:
        """The found decks of a class, by their numbers in the field."""
        subject, rows = self.any_subject, list[int]()
        row = len(subject.classes)
        for kind, decks in self.found.items():
            if subject.class_of(kind).casefold() == name.casefold():
                rows += range(row, row + len(decks))
            row += len(decks)
        return rows

    @cached_property
    def plan(self) -> PatchPlan:
        """The sizes of the search for patches: the budget is for known decks, and grows with the pairs that play.

        Raises:
            SearchError: If the budget is too small.
        """
        known = {pair for each in self.proxied for pair in self._known(each)}
        playing = {pair for each in self.gauges for pair in each.pairs}
        budget = self.file.budget * len(playing) // max(1, len(known))
        return plan_of(budget, game_count=GAMES_PER_SEED * len(playing), patches=self.space.count)

    @property
    def later_games(self) -> int:
        """The games that the search of a later round plays at most; 0 if no found deck can join."""
        known = {pair for each in self.proxied for pair in self._known(each)}
        decks = most_found(len(self.adapting), self.room)
        more = decks * len(self.any_subject.fields[BASE].entrants)
        return self.file.budget * (len(known) + more) // max(1, len(known)) if decks else 0

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
        metagame, plan = self.rebalancer.field, self.plan
        found = {"found": {kind: len(decks) for kind, decks in self.found.items()}} if self.found else {}
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
                **metagame.players().to_json()["evaluation"],
                "names": list(metagame.names),
                "shares": metagame.shares.tolist(),
                **found,
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
        metagame = self.rebalancer.field
        who = "known and found decks" if self.found else "known decks"
        return Run(
            config=self._config(self.name),
            cards=metagame.players().cards,
            space=self.space,
            evaluator=PatchGames(self.rebalancer, self.gauges, laps=self.plan.all_laps),
            make_search=lambda: self.search().script(),
            description=Description(
                title=f"patches of {metagame.edition}, rated by {who} of {metagame.name}",
                kind=KIND,
                genes=tuple(Gene(f"{knob.card}: {knob.name}") for knob in self.rebalancer.knobs),
                layout=GeneLayout(len(self.rebalancer.knobs), np.dtype(np.float64)),
                measures=("size",),
            ),
        )


def task_of(
    document: Document, file: TargetsFile, rebalancer: Rebalancer, *, folder: Path, seed: int, threads: int | None
) -> Task:
    """The first round of a rebalancing, checked before the first game.

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
        known = subject.fields[BASE]
        if targets[-1].has_proxy and not targets[-1].pairs(known.names, subject.classes, known.shares):
            place = document.place(("target", number, "intent"))
            raise RunError(f"{place}: the known decks of {known.name} cannot measure this number")
    task = Task(file, rebalancer, tuple(targets), plan)
    if not task.proxied:
        raise RunError(
            f"{document.place(('target', 0))}: no target is the win rate of a deck or class: at least one must be, "
            "because patches are found with known decks, which can measure nothing else"
        )
    try:
        task.plan  # noqa: B018 - raises if the budget is too small
    except SearchError as error:
        raise RunError(f"{document.place(('budget',))}: {error}") from None
    return task
