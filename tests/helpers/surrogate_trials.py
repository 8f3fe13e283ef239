"""Small trials of MAP-Elites and DSA-ME over decks that random pilots play, for tests of reports on such trials."""

from pathlib import Path
from typing import Any

from deckatlas.documents.document import Document
from deckatlas.experiments.study import FinishedRun
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import execute
from deckatlas.runs.models import final_model, model_file_text, with_model
from deckatlas.runs.read_config import config_of
from deckatlas.runs.view import open_run

EVALUATIONS = 120  # of DSA-ME: enough for two full rounds
DSA_ME = {
    "algorithm": "dsa-me",
    "evaluations": EVALUATIONS,
    "initial": 15,
    "repeats": True,
    "start": "random",
    "candidates": "all",
    "training": {"recipe": "published"},
    "predictions": 200,
    "inner_initial": 20,
}
MAP_ELITES = {"algorithm": "map-elites", "evaluations": 40, "initial": 15, "window": 8}


def trial_config(name: str, search: dict[str, Any], *, seed: int) -> RunConfig:
    values: dict[str, Any] = {
        "name": name,
        "seed": seed,
        "space": {"kind": "hearthstone-deck", "class": "rogue", "pool": "evostone", "edition": "sabberstone"},
        "evaluation": {"pilot": "random", "games": 6, "suite": "elite", "profile": "evostone", "seeds": "fresh"},
        "archive": {
            "kind": "grid",
            "measures": ["num_turns", "hand_size"],
            "ranges": [[5, 15], [1, 7]],
            "resolution": [40, 40],
            "binning": "published",
        },
        "search": search,
    }
    return config_of(Document("a test", values))


def finished_trials(folder: Path) -> dict[str, tuple[FinishedRun, ...]]:
    """Three trials of each: MAP-Elites, DSA-ME, and a search with the final model of each trial of DSA-ME."""
    found: dict[str, tuple[FinishedRun, ...]] = {}
    for name, search in {"map-elites": MAP_ELITES, "dsa-me": DSA_ME, "final": DSA_ME}.items():
        runs = []
        for number in range(3):
            config = trial_config(f"{name}-{number + 1}", search, seed=10 * len(found) + number)
            path = folder / f"{config.name}.db"
            if name == "final":
                giver = open_run(folder / f"dsa-me-{number + 1}.db")
                text = model_file_text(giver, final_model(giver))
                config = with_model(config, text, path.with_suffix(".model.json"))
            execute(config, path, threads=1, recheck=6)
            runs.append(FinishedRun(config, path))
        found[name] = tuple(runs)
    return found
