"""The parts of a bench: measurements, and CPU time as the best of several runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 5  # runs of a measurement, unless it asks for another number


@dataclass(frozen=True)
class Measurement:
    """One line of the bench: its key in the JSON, its label and its value."""

    key: str
    label: str
    value: float | str
    digits: int = 0

    @property
    def text(self) -> str:
        """The value for people."""
        return self.value if isinstance(self.value, str) else f"{self.value:,.{self.digits}f}"


def best_cpu(run: Callable[[], object], *, repeats: int | None = None) -> float:
    """The smallest CPU time of several runs, over all threads."""
    (best,) = best_cpu_of_each(run, repeats=repeats)
    return best


def best_cpu_of_each(*runs: Callable[[], object], repeats: int | None = None) -> list[float]:
    """The smallest CPU times of runs to compare."""
    return [min(times) for times in cpu_of_each(*runs, repeats=repeats)]


def cpu_of_each(*runs: Callable[[], object], repeats: int | None = None) -> list[list[float]]:
    """All CPU times of runs to compare: they alternate, since a core's clock changes within seconds."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(REPEATS if repeats is None else repeats):
        for of_run, run in zip(times, runs, strict=True):
            start = time.process_time()
            run()
            of_run.append(time.process_time() - start)
    return times
