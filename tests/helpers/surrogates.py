"""Searches with a surrogate in tests: small decks and outcomes that cost nothing, and small runs of games."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas import locm
from deckatlas.models.recipes import Training
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import read_config
from deckatlas.runs.view import RunView
from deckatlas.search.archive_options import GridOptions
from deckatlas.search.batches import Batch
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.map_search import MapSearch
from deckatlas.search.options import SearchSetting
from deckatlas.search.surrogate_search import SurrogateMapElites
from helpers.maps import COLUMNS, GAMES, first_game_of

# LoCM decks and draft policies. Rounds of a few dozen candidates; a training and an inner loop take milliseconds.
DECKS = """\
seed = 4

[space]
kind = "locm-deck"

[evaluation]
pilot = "random"
games = 4

[archive]
kind = "sliding"
measures = ["deck_mana_sum", "num_turns"]
resolution = [5, 5]
grow_from = [2, 2]
remap = 20

[search]
algorithm = "dsa-me"
evaluations = 100
initial = 30
predictions = 600
inner_initial = 30
candidates = "all"
training = { hidden = [8], epochs = 3 }
"""
DRAFTS = (
    DECKS.replace('"locm-deck"', '"locm-draft"\ndrafts = 2')
    .replace("evaluations = 100", "evaluations = 60")
    .replace("predictions = 600", "predictions = 100")
)

# What a search with a surrogate can do, as settings of these runs.
GAINS = ("search.candidates=gains", "search.most_candidates=25")
CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "ours": (DECKS, GAINS),
    "published": (
        DECKS,
        (
            'search.training={recipe="published", hidden=[8], epochs=3}',
            "search.repeats=true",
            "search.start=random",
        ),
    ),
    "linear": (DECKS, ('search.training={model="linear", epochs=3}',)),
    "ensemble": (DECKS, ('search.training={model="ensemble", members=2, hidden=[8], epochs=3}',)),
    "stale": (DECKS, ("search.start=stale", "search.repeats=true")),
    "renewed": (DECKS, ("search.start=renewed", "evaluation.seeds=fresh")),
    "attributes": (DECKS, ('search.training={encoding="attributes", hidden=[8], epochs=3}',)),
    "more games": (DECKS, (*GAINS, "search.most_games=12", "search.start=stale")),
    "all candidates": (DECKS, ("search.start=random",)),
    "drafts": (DRAFTS, ()),
}


def surrogate_run(folder: Path, case: str = "ours", *settings: str) -> RunConfig:
    """One of these runs, read from a file in the folder."""
    text, own = CASES[case]
    file = folder / f"{case}.toml"
    file.write_text(text)
    return read_config(file, settings=[*own, *settings])


@cache
def surrogate_map(evaluations: int = 300) -> RunView:
    """A map of LoCM decks that was searched with a surrogate, in memory."""
    return locm.map_elites(
        "deck",
        measures=("deck_mana_sum", "num_turns"),
        resolution=(8, 6),
        evaluations=evaluations,
        games=10,
        seed=2,
        algorithm="dsa-me",
        settings=["search.initial=60", "search.predictions=5000", "evaluation.pilot=random"],
    )


# Without games: decks of six cards. The score and the second column are linear in the counts, with some noise.

SPACE: DeckSpace[int] = DeckSpace(range(12), [2] * 12, size=6, columns={"cost": DeckColumn(np.arange(12))})


def outcome_of(batch: Batch, *, length: int = SPACE.length) -> Outcomes:
    """What a fake evaluation gives."""
    (solution,) = batch.genes
    noise = np.random.default_rng([*solution.tolist(), first_game_of(batch)]).normal(size=2)
    value = np.array([solution @ np.linspace(-3, 3, length) ** 2, float(solution[:4].sum())]) + 0.1 * noise
    weight = np.array([GAMES, 3.0 * GAMES])
    return Outcomes(np.array([GAMES]), (value * weight)[np.newaxis], weight[np.newaxis], np.ones((1, 2)))


def deck_search(*, space: DeckSpace[int] = SPACE, resolution: tuple[int, int] = (6, 4), **options: Any) -> MapSearch:
    """A search with a surrogate over these decks."""
    training = Training.model_validate({"hidden": (8,), "epochs": 5, **options.pop("training", {})})
    small: dict[str, Any] = {
        "evaluations": 120, "initial": 20, "predictions": 400, "inner_initial": 20, "candidates": "all",
    }  # fmt: skip
    if "most_candidates" in options:
        small["candidates"] = "gains"
    chosen = SurrogateMapElites(objective="score", training=training, **(small | options))
    archive = GridOptions(measures=("cost", "first"), resolution=resolution, ranges=((10.0, 55.0), (0.0, 5.0)))
    return chosen.search(SearchSetting(space, COLUMNS, archive, GAMES, fresh=False, budget=None, seed=3))
