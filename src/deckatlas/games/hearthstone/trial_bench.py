"""The cost of searches with a surrogate beyond their games, for `deckatlas bench`.

A trial of DSA-ME takes more than ten minutes, so its parts are measured at full size: the CPU time of an evaluation
without its games, of a round in the middle of the trial, and of the games of an evaluation. The default search for
decks makes many small rounds, so a whole one is carried out with games that are known.
"""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setting import GameNumbers, Setting
from deckatlas.games.hearthstone.suites import Schedule
from deckatlas.play.measurement import Measurement
from deckatlas.play.runner import Progress
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_from
from deckatlas.runs.run import Run

EVALUATIONS, GAMES, PREDICTIONS = 10_000, 200, 1_000_000
KNOWN = EVALUATIONS // 2  # decks before the round that is measured
ROUNDS = 17  # the most of a trial of this size: experiments/dsa-me/results/fig-5/rounds.csv
_PLAYED = 5  # decks that play real games
MAP_EVALUATIONS, MAP_GAMES, MAP_CELLS = 1_000, 50, 8  # a map by the default search; cells along each measure


def measure_trial() -> Measurement:
    """The share of a trial's CPU time outside games."""
    run, known, games = _with_known_games(_config(), GAMES)
    with TemporaryDirectory() as folder:
        execute(_Prepared(run), Path(folder) / "trial.db", threads=1)
    first, *_, last, candidate = known.begun
    evaluation = (last - first) / (KNOWN - 1)
    outside = ROUNDS * (candidate - last - evaluation) + EVALUATIONS * evaluation
    return Measurement(
        "surrogate.trial_overhead_percent",
        f"trial of DSA-ME, {EVALUATIONS:,} decks, {GAMES} games each: CPU outside games, %",
        100 * outside / (outside + EVALUATIONS * games),
        2,
    )


def measure_default_map() -> Measurement:
    """The share of CPU time outside games in a map by the default search, whose rounds are small."""
    run, _, games = _with_known_games(_default_config(), MAP_GAMES)
    with TemporaryDirectory() as folder:
        begun = time.process_time()
        execute(_Prepared(run), Path(folder) / "map.db", threads=1)
        outside = time.process_time() - begun
    return Measurement(
        "surrogate.default_map_overhead_percent",
        f"default search, {MAP_EVALUATIONS:,} decks, {MAP_GAMES} games each: CPU outside games, %",
        100 * outside / (outside + MAP_EVALUATIONS * games),
        1,
    )


def _with_known_games(config: HearthstoneDeckRun, games: int) -> tuple[Run, "_KnownGames", float]:
    """A run whose games are known, what gives them, and the CPU seconds that the games of an evaluation take."""
    run, space = config.prepare(), config.make_space()
    evaluator = run.evaluator
    assert isinstance(evaluator, HearthstoneEvaluator)
    rng = np.random.default_rng(1)
    rows = [space.rows(space.random(rng)[np.newaxis]) for _ in range(_PLAYED)]
    course = evaluator.setting.course(games, seed=1, first_game=0)
    begun = time.process_time()
    played = [evaluator.setting.play(row, course, threads=1, progress=None) for row in rows]
    taken = (time.process_time() - begun) / _PLAYED
    known = _KnownGames(**vars(evaluator.setting), rows=np.concatenate(rows), played=played)
    evaluator.setting = known
    return run, known, taken


def _config() -> HearthstoneDeckRun:
    """The run `dsa-me` of experiments/dsa-me/searches.toml: random decks up to its middle, then a deck of a round."""
    return _deck_run(
        {
            "name": "bench",
            "seed": 1,
            "space": {"kind": "hearthstone-deck", "class": "rogue", "edition": "sabberstone", "pool": "evostone"},
            "evaluation": {
                "pilot": "planner:score=miracle-rogue",
                "suite": "elite",
                "profile": "evostone",
                "seeds": "fresh",
                "games": GAMES,
            },
            "archive": {
                "kind": "grid",
                "measures": ["num_turns", "hand_size"],
                "ranges": [[5, 15], [1, 7]],
                "resolution": [40, 40],
                "binning": "published",
            },
            "search": {
                "algorithm": "dsa-me",
                "objective": "avg_health_diff",
                "evaluations": KNOWN + 1,
                "initial": KNOWN,
                "predictions": PREDICTIONS,
                "repeats": True,
                "start": "random",
                "candidates": "all",
                "training": {"recipe": "published"},
            },
        }
    )


def _default_config() -> HearthstoneDeckRun:
    """A map of which only its size is given."""
    return _deck_run(
        {
            "name": "bench",
            "seed": 1,
            "space": {"kind": "hearthstone-deck", "class": "paladin"},
            "evaluation": {"pilot": "fast", "suite": "elite", "games": MAP_GAMES},
            "archive": {
                "kind": "sliding",
                "measures": ["deck_mana_sum", "deck_mana_variance"],
                "resolution": [MAP_CELLS, MAP_CELLS],
            },
            "search": {"evaluations": MAP_EVALUATIONS},
        }
    )


def _deck_run(tables: dict[str, Any]) -> HearthstoneDeckRun:
    config = config_from(tables, name="bench")
    assert isinstance(config, HearthstoneDeckRun)
    return config


@dataclass(frozen=True)
class _KnownGames(Setting):
    """Gives the games that a similar deck has played, and records when they were asked for, in CPU seconds.

    Attributes:
        rows: The decks that have played.
        played: Their games.
        begun: The CPU time of the process at each call.
    """

    rows: DeckRows
    played: list[GameNumbers]
    begun: list[float] = field(default_factory=list)

    def play(self, rows: DeckRows, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """See the base class."""
        self.begun.append(time.process_time())
        nearest = int(np.abs(self.rows.mean(axis=1) - rows.mean()).argmin())
        return replace(self.played[nearest], course=course)


@dataclass(frozen=True)
class _Prepared:
    """A run that is prepared."""

    run: Run

    def prepare(self) -> Run:
        return self.run
