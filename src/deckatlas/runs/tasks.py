"""Tasks: evaluations as plain data, and what another process needs to make them.

A task names its configuration by a hash. A *recipe* has the configuration itself, as text: any process makes the same
evaluator from it, once, and then carries out any number of tasks.
"""

from dataclasses import dataclass
from importlib import import_module
from multiprocessing.synchronize import Event
from typing import Any

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.files.plain_data import json_values
from deckatlas.games import run_kinds
from deckatlas.play.stopping import check_stopped, heeding
from deckatlas.runs.hashes import canonical_json, config_hash
from deckatlas.runs.run import Run
from deckatlas.search.batches import Batch
from deckatlas.search.evaluation import Evaluator, Outcomes
from deckatlas.shapes import show


@dataclass(frozen=True)
class Task:
    """Evaluations to make.

    Attributes:
        config: The hash of the run's configuration.
        batch: The evaluations.
    """

    config: str
    batch: Batch

    def alone(self) -> "Task":
        """The task without the solutions' numbers in the log and without notes, for sending it elsewhere."""
        batch = self.batch
        return Task(
            self.config, Batch(batch.genes, batch.participants, batch.courses, batch.course, question=batch.question)
        )


@dataclass(frozen=True)
class Recipe:
    """How any process makes the evaluator of a run.

    Attributes:
        config: The configuration, as JSON.
        players: The class of the players if the run is a comparison, as "module:class"; otherwise empty.
        cards: The hash of the cards that the run was made with.
    """

    config: str
    players: str
    cards: str

    @classmethod
    def of(cls, run: Run) -> "Recipe":
        """The recipe of a run.

        Raises:
            RunError: If its configuration does not say everything that its evaluations depend on.
        """
        if run.replays_finished:
            raise RunError(f"{run.name} is rated by a Python function, which no other process has: use threads")
        if not run.players and run.config["space"]["kind"] not in run_kinds():
            kind = show(run.config["space"]["kind"])
            raise RunError(
                f"no other process can make the evaluations of {run.name}, a run of kind {kind}: use threads"
            )
        return cls(canonical_json(run.config), run.players, run.cards)

    @property
    def hash(self) -> str:
        """The hash of the configuration, by which tasks name it."""
        return config_hash(json_values(self.config))

    def evaluator(self) -> Evaluator:
        """Makes the evaluator.

        Raises:
            DeckatlasError: If this process does not know the game, has other cards, or lacks a file.
        """
        from deckatlas.runs.config import check_files  # pydantic is slow to import
        from deckatlas.runs.read_config import config_of

        values: dict[str, Any] = json_values(self.config)
        if self.players:
            module, name = self.players.split(":")
            players = getattr(import_module(module), name).from_json(values)
            check_files(values["evaluation"].get("files", {}))
            cards, evaluator = players.cards, players.evaluator()
        else:
            run = config_of(Document("the configuration of a task", values)).prepare()
            cards, evaluator = run.cards, run.evaluator
        if cards != self.cards:
            raise RunError(f"other cards ({cards[:16]} instead of {self.cards[:16]})")
        return evaluator  # type: ignore[no-any-return]


# Of this process, by the hash of the configuration.
_recipes: dict[str, Recipe] = {}
_evaluators: dict[str, Evaluator] = {}
_stops: list[Event] = []  # set by the process that waits for results, when it no longer does


def publish(recipe: Recipe, stop: Event) -> None:
    """Gives this process a configuration, so that it can carry out the tasks that name it.

    Args:
        recipe: The configuration, and how the evaluator is made.
        stop: Ends running tasks within a moment when it is set; no other begins.
    """
    _stops.append(stop)
    _recipes[recipe.hash] = recipe


def carry_out(task: Task) -> Outcomes:
    """Makes the evaluations of a task on the calling thread.

    Raises:
        RunError: If this process has no such configuration.
        Stopped: If nobody waits for the task any more.
    """
    with heeding(*_stops):
        check_stopped()
        if task.config not in _evaluators:
            if task.config not in _recipes:
                raise RunError(f"this process has no configuration {task.config[:16]}")
            _evaluators[task.config] = _recipes[task.config].evaluator()
        return _evaluators[task.config].evaluate(task.batch, progress=lambda _games: check_stopped())
