"""Models made of stored runs: the final model of a search with a surrogate, or one trained on the log of any map."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from deckatlas.errors import ModelError, RunError
from deckatlas.files.writing import make_folder, write_text
from deckatlas.models.files import model_text
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.recipes import Training
from deckatlas.models.surrogate import Surrogate
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import config_class
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.search.batches import seed_of
from deckatlas.search.emitters import Knowledge
from deckatlas.search.evaluation import Space
from deckatlas.search.map_search import MapSearch
from deckatlas.search.rounds import training_data
from deckatlas.search.surrogate_emitter import SurrogateEmitter
from deckatlas.search.surrogate_search import SurrogateMapElites, gene_names, new_surrogate


def config_of_view(view: RunView) -> RunConfig:
    """The configuration of a stored run.

    Raises:
        RunError: If the game that made it is not known here.
    """
    return config_class(view.description.kind).model_validate(dict(view.config))


def final_model(view: RunView) -> FrozenModel:
    """The model of a search with a surrogate, after a last training on its whole log.

    Raises:
        RunError: If the run has no surrogate.
    """
    config = config_of_view(view)
    if not isinstance(config.search, SurrogateMapElites):
        raise RunError(f"{view.path} has no surrogate: its search is {view.run.algorithm}")
    emitter, space = _emitter_of(config)
    with open_store(view.path) as store:
        history = store.history()
    return emitter.final_model(history, Knowledge(space, view.log, view.archive, ()))


def learner_of(config: RunConfig) -> Surrogate | FrozenModel:
    """The model of a search with a surrogate, before the first game."""
    return _emitter_of(config)[0].learner


def _emitter_of(config: RunConfig) -> tuple[SurrogateEmitter, Space]:
    """The emitter of a search with a surrogate, and its space."""
    search = config.prepare().make_search()
    assert isinstance(search, MapSearch)
    assert isinstance(search.plan.emitter, SurrogateEmitter)
    return search.plan.emitter, search.plan.space


def trained_model(view: RunView, training: Training, targets: Sequence[str], *, number: int = 1) -> FrozenModel:
    """A new model, trained once on the log of a run.

    Args:
        view: The run.
        training: How it is trained.
        targets: The columns that it predicts.
        number: Models of different numbers begin with different weights, and hold out different solutions.

    Raises:
        RunError: If the run does not have these columns, or its solutions cannot be learned from.
    """
    space = config_of_view(view).make_space()
    missing = [name for name in targets if name not in view.log.columns]
    if missing:
        raise RunError(f"{view.path} has no column {missing[0]}")
    try:
        surrogate = new_surrogate(training, space, targets)
        data = training_data(view.log, targets)
        seed = seed_of(view.config["seed"], "model", *targets) + number - 1
        order = np.random.default_rng(seed).permutation(len(data))  # what is held out should not be the newest alone
        surrogate.fit(data.rows(order), seed)
    except ModelError as error:
        raise RunError(f"{view.path}: {error}") from None
    return surrogate.frozen


def model_file_text(view: RunView, model: FrozenModel, training: Training | None = None, *, cards: str = "") -> str:
    """The content of a file with a model that was made of a run.

    Args:
        view: The run.
        model: The model.
        training: How it was trained; as the run's own search did if absent.
        cards: A hash of the cards that a run with this model must have. Studies, which compare their runs themselves,
            give none: a stored trial knows its model by the content of the file, which must not change.
    """
    config = config_of_view(view)
    if training is None:
        assert isinstance(config.search, SurrogateMapElites)
        training = config.search.training
    return model_text(model, genes=gene_names(config.make_space()), training=training, cards=cards)


def with_model(config: RunConfig, text: str, path: Path) -> RunConfig:
    """Writes the content of a model file; returns the configuration of a run that searches with it."""
    make_folder(path.parent, error=RunError)
    write_text(path, text, error=RunError)
    search = config.search.model_copy(update={"model_file": str(path)})
    return config.model_copy(update={"search": search}).with_files()
