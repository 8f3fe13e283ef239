"""The trial whose cost `deckatlas bench` measures is the one that experiments/dsa-me plays."""

import csv
from collections import Counter
from pathlib import Path

from deckatlas.games.hearthstone import trial_bench
from deckatlas.papers.kinds import read_item

EXPERIMENTS = Path(__file__).parents[3] / "experiments" / "dsa-me"


def test_the_trial_that_is_measured_is_the_published_one() -> None:
    played = read_item(EXPERIMENTS / "table-1.toml").series["dsa-me"][1].config
    measured = trial_bench._config()
    assert (measured.space, measured.evaluation, measured.archive) == (played.space, played.evaluation, played.archive)
    # Half of the decks are drawn at random, so that one round is in the middle of the trial.
    half = {"initial": trial_bench.KNOWN, "evaluations": trial_bench.KNOWN + 1}
    given = {"predictions": trial_bench.PREDICTIONS}  # what a map of this size has by default
    assert measured.search == played.search.model_copy(update=half | given)
    assert played.evaluation.games == trial_bench.GAMES
    assert getattr(played.search, "evaluations", None) == trial_bench.EVALUATIONS


def test_the_trial_that_is_measured_has_as_many_rounds_as_those_that_were_played() -> None:
    with (EXPERIMENTS / "results" / "fig-5" / "rounds.csv").open(encoding="utf-8", newline="") as file:
        rounds = Counter(row["trial"] for row in csv.DictReader(file) if row["algorithm"] == "DSA-ME")
    assert max(rounds.values()) == trial_bench.ROUNDS
