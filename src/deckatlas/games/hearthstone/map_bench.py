"""The cost of a map beyond its games, and the time to open a large log, for `deckatlas bench`."""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setting import GameNumbers, Setting
from deckatlas.games.hearthstone.suites import Schedule
from deckatlas.play.measurement import Measurement
from deckatlas.play.runner import Progress
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import execute
from deckatlas.runs.portion import Portion, Told, rows_of
from deckatlas.runs.read_config import config_from
from deckatlas.runs.run import Run
from deckatlas.runs.view import open_run
from deckatlas.runs.writer import open_to_write
from deckatlas.search.batches import NONE, Batch, Stream
from deckatlas.search.evaluation import Outcomes

EVALUATIONS = 300
GAMES = 200
MILLION = 1_000_000
_PORTION = 10_000
_DECKS = 10_000


def map_config(evaluations: int) -> RunConfig:
    """A map like that of the paper (experiments/mesb, paladin-control), with this number of evaluations."""
    return config_from(
        {
            "name": "bench",
            "seed": 1,
            "space": {"kind": "hearthstone-deck", "class": "paladin", "pool": "evosabber"},
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
    """The share of a map's CPU time outside games, and the seconds to open a log of a million rows."""
    with TemporaryDirectory() as folder:
        share = _overhead(Path(folder))
        seconds, megabytes = _million(Path(folder))
    return [
        Measurement(
            "maps.overhead_percent", f"map of {EVALUATIONS} decks, {GAMES} games each: CPU outside games, %", share, 2
        ),
        Measurement("maps.open_million_seconds", "log of a million evaluations: seconds to open", seconds, 2),
        Measurement("maps.million_megabytes", "log of a million evaluations: megabytes stored", megabytes, 0),
    ]


@dataclass(frozen=True)
class _TimedSetting(Setting):
    """Records the CPU seconds that calling threads spend in the core's calls for games."""

    seconds: list[float] = field(default_factory=lambda: [0.0])

    def play(self, rows: DeckRows, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """See the base class."""
        begun = time.thread_time()
        played = super().play(rows, course, threads=threads, progress=progress)
        self.seconds[0] -= time.thread_time() - begun
        self.seconds[1:] = [time.thread_time()]
        return played


@dataclass(frozen=True)
class _Timed:
    """A run whose evaluator records its time."""

    run: Run
    seconds: list[float]

    def prepare(self) -> Run:
        evaluator = self.run.evaluator
        assert isinstance(evaluator, HearthstoneEvaluator)
        evaluator.setting = _TimedSetting(**vars(evaluator.setting), seconds=self.seconds)
        return replace(self.run, evaluator=evaluator)


def _overhead(folder: Path) -> float:
    """The share of a map's CPU time that is not spent in games, in percent.

    The core plays games on its own threads. The time of all other threads counts as the search: the thread that asks
    and tells, and the one that starts games and computes averages, without its calls of the core.
    """
    seconds = [0.0]
    timed = _Timed(map_config(EVALUATIONS).prepare(), seconds)  # reads and compiles the cards, only once
    whole, search = time.process_time(), time.thread_time()
    execute(timed, folder / "overhead.db", threads=1)
    whole, search = time.process_time() - whole, time.thread_time() - search
    return 100 * (search + sum(seconds)) / whole


def _million(folder: Path) -> tuple[float, float]:
    """The time to open a log of a million evaluations, and its size."""
    run = map_config(MILLION).prepare()
    rng = np.random.default_rng(1)
    space = map_config(MILLION).make_space()
    genes = np.array([space.random(rng) for _ in range(_DECKS)])
    path = folder / "million.db"
    with open_to_write(path) as store:
        store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
        samples = {(0, GAMES): run.evaluator.sample(first_game=0, games=GAMES)}
        for start in range(0, MILLION, _PORTION):
            portion = Portion(start, start, [Told(*_made(rng, genes, start), b"", None, 0.0)])
            rows = rows_of(
                portion,
                known=start,
                description=run.description,
                numbers=store.numbers,
                measures_of=run.measures_of,
                keep_games=True,
            )
            store.add(portion, rows, samples=samples)
    begun = time.perf_counter()
    view = open_run(path)
    seconds = time.perf_counter() - begun
    assert view.log.evaluations == MILLION
    return seconds, path.stat().st_size / 1e6


def _made(rng: np.random.Generator, genes: npt.NDArray[np.uint8], start: int) -> tuple[Batch, Outcomes]:
    """Evaluations of decks as in a search, with made-up outcomes."""
    rows = np.arange(_PORTION, dtype=np.int32)
    batch = Batch(
        genes[(start + rows) % _DECKS],
        rows[:, np.newaxis],
        (Stream(1, 0, GAMES),),
        np.zeros(_PORTION, np.int32),
        solutions=start + rows.astype(np.int64),
        parents=np.full(_PORTION, NONE),
    )
    shape = (_PORTION, 10)
    outcomes = Outcomes(
        games=np.full(_PORTION, GAMES),
        total=rng.integers(-10_000, 10_000, shape).astype(np.float64),
        weight=np.full(shape, 2000.0),
        error=rng.random(shape),
        outcome=rng.integers(0, 2, _PORTION * GAMES, dtype=np.uint8),
        margin=rng.integers(-30, 31, _PORTION * GAMES, dtype=np.int8),
    )
    return batch, outcomes
