"""Tasks: evaluations as plain data, and the function that makes them in any process.

A task names its configuration by a hash. A process that has this configuration makes the evaluator once, and then runs
any number of tasks.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.synchronize import Event
from typing import Any

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.files.plain_data import json_values
from deckatlas.runs.hashes import config_hash
from deckatlas.search.batches import Batch
from deckatlas.search.evaluation import Evaluator, Outcomes, Stopped

_evaluators: dict[str, Callable[[], Evaluator]] = {}
_made: dict[str, Evaluator] = {}
_stops: list[Event] = []  # set by the process that waits for results, when it no longer does


@dataclass(frozen=True)
class Task:
    """Evaluations to make.

    Attributes:
        config: The hash of the run's configuration.
        batch: The evaluations, without the solutions' numbers in the log.
    """

    config: str
    batch: Batch

    @classmethod
    def of(cls, config: str, batch: Batch) -> "Task":
        """Makes a task from a batch of a search."""
        return cls(config, replace(batch, solutions=None, parents=None))


def publish(config: str, stop: Event) -> None:
    """Gives this process a configuration, so that it can run the tasks that name it.

    Args:
        config: The configuration, as JSON.
        stop: Ends running tasks within a moment when it is set; no other begins.
    """
    _stops.append(stop)
    values: dict[str, Any] = json_values(config)

    def make() -> Evaluator:
        from deckatlas.runs.read_config import config_of  # it needs pydantic, which is slow to import

        return config_of(Document("the configuration of a task", values)).prepare().evaluator

    _evaluators[config_hash(values)] = make


def carry_out(task: Task) -> Outcomes:
    """Makes the evaluations of a task on the calling thread.

    Raises:
        RunError: If this process has no such configuration.
        Stopped: If nobody waits for the task any more.
    """
    _look(0)
    if task.config not in _made:
        if task.config not in _evaluators:
            raise RunError(f"this process has no configuration {task.config[:16]}")
        _made[task.config] = _evaluators[task.config]()
    return _made[task.config].evaluate(task.batch, progress=_look)


def _look(_games: int) -> None:
    if any(stop.is_set() for stop in _stops):
        raise Stopped
