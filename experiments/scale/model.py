"""A model of runs on many cores, from what `measure.py` has measured: prints a table for docs/scale.md.

A run takes its serial seconds, and the core-seconds of its games divided by the cores that are kept busy. The others
wait for the process that asks and tells, or for the scheduler. Usage: python model.py [MEASURED.json]
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

CORES = (10, 100, 500, 5000)
TASK_SECONDS = 1.0
LEAST_SECONDS = 0.1  # of a task
TASKS_PER_CORE = 2
ROUND_SECONDS = 0.02  # the last answer of a wave may wait so long until answers are fetched


@dataclass(frozen=True)
class Work:
    """A run, or a study of several.

    Attributes:
        name: What it is.
        core_seconds: The seconds of one core for all its games.
        evaluation: The seconds of one core for one evaluation.
        at_once: The evaluations that the search asks for at once, before it waits for all of them; 0 if it goes on
            asking while others are under way.
        is_single: Whether each is asked for and told on its own.
        serial: The seconds that nothing else can share: training, predictions.
    """

    name: str
    core_seconds: float
    evaluation: float
    at_once: int
    is_single: bool = True
    serial: float = 0.0


# Games per core second were printed by `deckatlas bench` when docs/scale.md was made; the sizes are those of the papers
# and of the docs.
PLANNER, FAST, RANDOM = 2260, 1000, 212_000
MAP = 10_000 * 200 / PLANNER
WORK = (
    Work("MAP-Elites: 10,000 decks, 200 games each, planner", MAP, 200 / PLANNER, 0),
    Work("DSA-ME: the same in rounds of 100 decks", MAP, 200 / PLANNER, 100, serial=0.02 * MAP),
    Work("balance study: 18 searches of 20,000 games, fast", 18 * 20_000 / FAST, 40 / FAST, 100),
    Work("table 4.1: 1.96 billion games of LoCM", 1.96e9 / RANDOM, 20 / RANDOM, 2_000_000 // 20, is_single=False),
)


def busy(work: Work, cores: int, measured: dict[str, float]) -> tuple[float, str]:
    """The cores that are busy on average, of those that there are, and what keeps the others waiting."""
    client = measured["client.cpu_milliseconds_per_evaluation"] / 1000
    client_task = measured["client.cpu_milliseconds_per_task"] / 1000
    scheduler = measured["scheduler.cpu_milliseconds_per_task"] / 1000
    if not work.at_once:  # tasks of a second, and always enough of them
        per_task = max(1.0, TASK_SECONDS / work.evaluation)
        bounds = {
            "nothing": float(cores),
            "asking and telling": work.evaluation / (client + client_task / per_task),
            "the scheduler": work.evaluation * per_task / scheduler,
        }
        return min((bound, name) for name, bound in bounds.items())
    # Waves: each ends before the next begins, and gives every core two tasks, or fewer if there are fewer evaluations.
    wave = work.at_once * work.evaluation
    tasks = min(work.at_once, TASKS_PER_CORE * cores, max(1.0, wave / LEAST_SECONDS))
    telling = work.at_once * client if work.is_single else 0.0
    seconds = {
        "nothing": max(wave / cores, wave / tasks) + ROUND_SECONDS,
        "asking and telling": telling + tasks * client_task,
        "the scheduler": tasks * scheduler,
    }
    longest = max(seconds, key=seconds.__getitem__)
    return wave / seconds[longest], longest


def row(work: Work, measured: dict[str, float]) -> str:
    """A row of the table."""
    cells = []
    for cores in CORES:
        able, why = busy(work, cores, measured)
        seconds = work.serial + work.core_seconds / able
        shown = f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
        cells.append(f"{shown}, {able:,.0f} busy" + ("" if why == "nothing" else f" ({why})"))
    return f"| {work.name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    measured = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "results" / "measured.json"
    numbers = json.loads(measured.read_text(encoding="utf-8"))
    print(f"| | {' | '.join(f'{cores:,} cores' for cores in CORES)} |")
    print("|---|" + "---|" * len(CORES))
    for each in WORK:
        print(row(each, numbers))
