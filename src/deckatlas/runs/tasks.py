"""Tasks: evaluations as plain data that any process can make, and the function that makes them there.

A task names its configuration by a hash. A process that has been given that configuration makes the evaluator once, and
then carries out any number of tasks.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.runs.hashes import config_hash
from deckatlas.search.batches import Batch
from deckatlas.search.evaluation import Evaluator, Outcomes

_evaluators: dict[str, Callable[[], Evaluator]] = {}
_made: dict[str, Evaluator] = {}


@dataclass(frozen=True)
class Task:
    """Evaluations to be made.

    Attributes:
        config: The hash of the run's configuration.
        batch: The evaluations; who they are in the log is left out.
    """

    config: str
    batch: Batch

    @classmethod
    def of(cls, config: str, batch: Batch) -> "Task":
        """A task of a batch as a search asks for it."""
        return cls(config, replace(batch, solutions=None, parents=None))


def publish(config: str) -> None:
    """Gives this process a configuration, as JSON: from then on it can carry out the tasks that name it."""
    values: dict[str, Any] = json.loads(config)

    def make() -> Evaluator:
        from deckatlas.runs.read_config import config_of  # with pydantic, which takes long to import

        return config_of(Document("the configuration of a task", values)).prepare().evaluator

    _evaluators[config_hash(values)] = make


def carry_out(task: Task) -> Outcomes:
    """Makes the evaluations of a task, on the calling thread alone.

    Raises:
        RunError: If this process has no such configuration.
    """
    if task.config not in _made:
        if task.config not in _evaluators:
            raise RunError(f"this process has no configuration {task.config[:16]}")
        _made[task.config] = _evaluators[task.config]()
    return _made[task.config].evaluate(task.batch)
