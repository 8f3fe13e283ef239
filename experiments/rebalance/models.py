"""Which model of shifts predicts patches best: see docs/decisions/0029-rebalancing.md.

    python experiments/rebalance/models.py STORE

STORE is the folder of runs of survival.py. Each model learns from the explorers of a search, two laps each, and
predicts the shifts of its finalists, which played many fresh laps. The result is models.json: root mean square errors
in points, beside the error of the finalists' own games, which no model can beat.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from deckatlas.balancing.knobs import PatchSpace
from deckatlas.balancing.one_call import read_targets
from deckatlas.balancing.shift_model import features, fitted
from deckatlas.balancing.subject import Floats
from deckatlas.runs.library import path_of
from deckatlas.runs.store import open_store

HERE = Path(__file__).parent
LUCK = 0.02
Predict = Callable[[Floats, Floats, Floats, Floats], Floats]


def by_parts(rows_of: Callable[[Floats], Floats]) -> Predict:
    """The model of the package, with some of its features."""

    def predict(scaled: Floats, shifts: Floats, errors: Floats, wanted: Floats) -> Floats:
        rows = rows_of(scaled)
        model = fitted(rows, np.ones((len(rows), 1)), shifts, errors, knobs=scaled.shape[1])
        return rows_of(wanted) @ model.mean[: rows.shape[1]]

    return predict


def gaussian_process(scaled: Floats, shifts: Floats, errors: Floats, wanted: Floats) -> Floats:
    """A Gaussian process with a squared exponential kernel, 0 at no change; its scales have the best evidence."""
    best = (-np.inf, np.zeros(len(wanted)))
    for spread in (0.01, 0.03, 0.1, 0.3):
        for length in (0.5, 1.0, 2.0, 4.0):

            def kernel(one: Floats, other: Floats, spread: float = spread, length: float = length) -> Floats:
                def plain(a: Floats, b: Floats) -> Floats:
                    return np.exp(-((a[:, None] - b[None]) ** 2).sum(axis=2) / (2 * length**2))

                nothing = np.zeros((1, one.shape[1]))
                return spread**2 * (plain(one, other) - plain(one, nothing) @ plain(nothing, other))

            covariance = kernel(scaled, scaled) + LUCK**2 + np.diag(errors**2)
            weights = np.linalg.solve(covariance, shifts)
            evidence = -shifts @ weights / 2 - np.linalg.slogdet(covariance)[1] / 2
            if evidence > best[0]:
                best = (float(evidence), kernel(wanted, scaled) @ weights)
    return best[1]


MODELS: dict[str, Predict] = {
    "nothing changes": lambda scaled, shifts, errors, wanted: np.zeros(len(wanted)),
    "knobs alone": by_parts(lambda scaled: scaled),
    "knobs, squares and pairs": by_parts(features),
    "gaussian process": gaussian_process,
}


def main() -> None:
    """Compares the models on the finished searches of a folder."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("store", type=Path)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    result = {}
    for file in sorted(HERE.glob("*.toml")):
        task = read_targets(file, folder=given.store, seed=given.seed, threads=1)
        if not path_of(given.store, task.name).exists():  # survival.py was stopped before
            continue
        search = task.search()
        with open_store(path_of(given.store, task.name)) as store:
            search.script().resume(store.history())
        space: PatchSpace = task.space
        changed = {values: found for values, found in search.results.items() if values != space.own}
        explored = [(values, each) for values, found in changed.items() for each in found if each.stage == 0]
        known = space.scaled(np.array([values for values, _ in explored]))
        shifts = np.array([each.shifts[0] for _, each in explored])
        errors = np.array([each.shift_errors[0] for _, each in explored])
        finals = {values: [each for each in found if each.stage] for values, found in changed.items()}
        tested = [values for values, found in finals.items() if found]
        laps = [np.array([each.laps for each in finals[values]], float) for values in tested]
        means = [
            own @ [each.shifts[0] for each in finals[values]] / own.sum()
            for own, values in zip(laps, tested, strict=True)
        ]
        noise = [
            np.sqrt((own**2) @ [each.shift_errors[0] ** 2 for each in finals[values]]) / own.sum()
            for own, values in zip(laps, tested, strict=True)
        ]
        wanted = space.scaled(np.array(tested))
        scores = {
            name: 100 * float(np.sqrt(np.mean((predict(known, shifts, errors, wanted) - means) ** 2)))
            for name, predict in MODELS.items()
        }
        result[file.stem] = {
            "explorers": len(explored),
            "finalists": len(tested),
            "error_of_an_explorer": 100 * float(np.sqrt(np.mean(errors**2))),
            "error_of_finalists": 100 * float(np.sqrt(np.mean(np.square(noise)))),
            "root_mean_square_errors": scores,
        }
    (HERE / "models.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
