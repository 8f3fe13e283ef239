"""How much models of the same random decks differ: their errors on decks that a search found, seed by seed.

    python experiments/dsa-me/models_of_random_decks.py STORE [--models 8]

STORE is the folder of runs that `deckatlas reproduce dsa-me/table-1 --store STORE` used. Models are trained as those of
Offline DSA-ME, on the 10,000 random decks, and predict the decks of a trial of DSA-ME. No games are played.
"""

import argparse
from pathlib import Path

import numpy as np

from deckatlas.errors import DeckatlasError
from deckatlas.models.recipes import Training
from deckatlas.runs.models import trained_model
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.evaluation import Floats

TARGETS = ("avg_health_diff", "num_turns", "hand_size")


def numbers(view: RunView) -> Floats:
    """What games said of all decks, one column per target."""
    return np.stack([np.asarray(view.log.column(name), np.float64) for name in TARGETS], axis=1)


def main() -> None:
    """Prints one line per model: mean squared errors on the random decks and on those of the search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, help="the folder of runs")
    parser.add_argument("--models", type=int, default=8, help="the number of models")
    arguments = parser.parse_args()
    searches = arguments.store / "dsa-me" / "searches"
    try:
        random, found = open_run(searches / "random-decks-1.db"), open_run(searches / "dsa-me-1.db")
    except DeckatlasError as error:
        parser.error(str(error))
    print(f"{'model':>5}  mean squared error on random decks  on decks of DSA-ME: {', '.join(TARGETS)}")
    for number in range(1, arguments.models + 1):
        model = trained_model(random, Training.by_name("published"), TARGETS, number=number)
        errors = [((model.predict(view.log.solutions) - numbers(view)) ** 2).mean(axis=0) for view in (random, found)]
        print(f"{number:>5}  " + "  ".join(" ".join(f"{error:8.3f}" for error in of) for of in errors), flush=True)


if __name__ == "__main__":
    main()
