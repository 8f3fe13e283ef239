"""What a bench is made of: measurements, and CPU time as the best of several runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 5


@dataclass(frozen=True)
class Measurement:
    """One line of the bench: its key in the JSON, what it is, and its value."""

    key: str
    label: str
    value: float | str
    digits: int = 0

    @property
    def text(self) -> str:
        """The value for people."""
        return self.value if isinstance(self.value, str) else f"{self.value:,.{self.digits}f}"


def best_cpu(run: Callable[[], object]) -> float:
    """The least CPU time of several runs, over all threads."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
