"""What a map costs beyond its games, and how long a large log takes to open: what `deckatlas bench` prints of them."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.map_config import HearthstoneMap
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setting import GameNumbers, Setting
from deckatlas.games.hearthstone.suites import Course
from deckatlas.play.measurement import Measurement
from deckatlas.play.runner import Progress
from deckatlas.runs.map_config import MapConfig, Trial
from deckatlas.runs.map_loop import execute_map
from deckatlas.runs.map_store import MapWriter
from deckatlas.runs.read_config import map_from
from deckatlas.runs.view import open_run
from deckatlas.runs.writer import open_to_write
from deckatlas.search.evaluation import Outcome
from deckatlas.search.log import NONE, Entry

EVALUATIONS = 300
GAMES = 200
MILLION = 1_000_000
_PORTION = 10_000
_DECKS = 10_000


def _config(evaluations: int) -> MapConfig:
    """A map as the paper has it (experiments/mesb, paladin-control), with so many evaluations."""
    return map_from(
        {
            "name": "bench",
            "seed": 1,
            "solution": {"kind": "hearthstone-deck", "class": "paladin", "pool": "evosabber"},
            "evaluation": {
                "pilot": "planner:score=control",
                "profile": "evosabber",
                "seeds": "fresh",
                "games": GAMES,
            },
            "archive": {
                "kind": "sliding",
                "measures": ["deck_mana_sum", "deck_mana_variance"],
                "resolution": [20, 20],
                "grow_from": [2, 2],
                "binning": "published",
            },
            "search": {"algorithm": "map-elites", "evaluations": evaluations, "initial": evaluations // 5},
        },
        name="bench",
    )


def measure_maps() -> list[Measurement]:
    """The share of a map's CPU time that is not games, and the seconds in which a log of a million rows opens."""
    with TemporaryDirectory() as folder:
        share = _overhead(Path(folder))
        seconds, megabytes = _million(Path(folder))
    return [
        Measurement(
            "maps.overhead_percent", f"map of {EVALUATIONS} decks, {GAMES} games each: percent not in games", share, 2
        ),
        Measurement("maps.open_million_seconds", "log of a million evaluations: seconds to open", seconds, 2),
        Measurement("maps.million_megabytes", "log of a million evaluations: megabytes stored", megabytes, 0),
    ]


@dataclass(frozen=True)
class _TimedSetting(Setting):
    """Notes the CPU seconds that the thread which has games played takes for all else."""

    seconds: list[float] = field(default_factory=lambda: [0.0])

    def play(self, rows: DeckRows, course: Course, *, threads: int, progress: Progress | None) -> GameNumbers:
        """See the base class."""
        begun = time.thread_time()
        played = super().play(rows, course, threads=threads, progress=progress)
        self.seconds[0] -= time.thread_time() - begun
        self.seconds[1:] = [time.thread_time()]
        return played


def _overhead(folder: Path) -> float:
    """How much of a map's CPU time is not spent in the games of its decks, in percent.

    Games have threads of their own in the core. The time of all others is that of the search: of the thread which is
    asked and told, and of the one which has games played and takes averages, but for the call of the core.
    """
    seconds = [0.0]

    class TimedMap(HearthstoneMap):
        def trial(self) -> Trial:
            trial = super().trial()
            assert isinstance(trial.evaluator, HearthstoneEvaluator)
            trial.evaluator.setting = _TimedSetting(**vars(trial.evaluator.setting), seconds=seconds)
            return trial

    config = TimedMap.model_validate(_config(EVALUATIONS).to_json())
    config.trial()  # reads and compiles the cards, once and for all
    whole, search = time.process_time(), time.thread_time()
    execute_map(config, folder / "overhead.db", threads=1)
    whole, search = time.process_time() - whole, time.thread_time() - search
    return 100 * (search + sum(seconds)) / whole


def _million(folder: Path) -> tuple[float, float]:
    """How long a log of a million evaluations takes to open, and how large it is."""
    config = _config(MILLION)
    trial = config.trial()
    space, columns = trial.plan.space, trial.plan.columns
    rng = np.random.default_rng(1)
    genes = np.array([space.random(rng) for _ in range(_DECKS)])
    path = folder / "million.db"
    with open_to_write(path, MapWriter) as store:
        store.begin(config.to_json(), trial.cards, columns)
        for start in range(0, MILLION, _PORTION):
            outcomes = rng.normal(size=(_PORTION, 3, len(columns)))
            store.add(
                start,
                [
                    Entry(start + at, NONE, genes[(start + at) % _DECKS], Outcome(GAMES, *outcome))
                    for at, outcome in enumerate(outcomes)
                ],
                best=None,
            )
    begun = time.perf_counter()
    view = open_run(path)
    seconds = time.perf_counter() - begun
    assert view.log.evaluations == MILLION
    return seconds, path.stat().st_size / 1e6
