"""Checks of the models that runs take from others: everything that can be known before the first game."""

from collections.abc import Mapping

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.experiments.series import Series
from deckatlas.models.files import OTHER_CARDS, difference_of_genes
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.surrogate import Surrogate
from deckatlas.runs.config import RunConfig
from deckatlas.runs.models import learner_of
from deckatlas.search.surrogate_search import SurrogateMapElites, deck_size_of, gene_names
from deckatlas.shapes import show

MODEL_FROM = ("model_from",)


def check_model(name: str, series: Mapping[str, Series], document: Document) -> None:
    """Checks that a run can search with the model that it takes from another run of the experiment.

    Args:
        name: The run that takes a model.
        series: All runs; none depends on itself.
        document: What the file says about the run, for the places of mistakes.

    Raises:
        RunError: If it cannot.
    """
    taker, other = series[name], series[name].model_from
    giver = series[other]
    place = document.place(MODEL_FROM)
    search = taker.config.search
    if not isinstance(search, SurrogateMapElites):
        raise RunError(f"{place}: {name} cannot use a model: its search is {search.algorithm}")
    if search.model_file:
        keys = [("search", "model_file"), MODEL_FROM]
        raise RunError(f"{document.likeliest_place(keys)}: {name} cannot have both model_file and model_from")
    if not giver.has_archive or (taker.model == "final" and not isinstance(giver.config.search, SurrogateMapElites)):
        raise RunError(f"{place}: {other} has no {'model' if taker.model == 'final' else 'data'} for {name}")
    if giver.repeat not in (1, taker.repeat):
        raise RunError(
            f"{place}: run k uses run k of {other}, so {other} needs one run or {taker.repeat}, not {giver.repeat}"
        )
    if difference := _other_solutions(taker.config, giver.config):
        raise RunError(f"{place}: {name} cannot use a model of {other}: {difference}")
    if taker.model == "final":  # a new one has the layers and targets of the search that uses it
        _check_targets(name, series, document)
        _check_layers(name, series, document)


def _other_solutions(taker: RunConfig, giver: RunConfig) -> str:
    """What differs between the solutions of two runs; empty if one model fits both."""
    if taker.space.kind != giver.space.kind:
        return f"its solutions are {giver.title}, not {taker.title}"
    wanted, found = taker.make_space(), giver.make_space()
    genes, known = gene_names(wanted), gene_names(found)
    if genes != known:
        return difference_of_genes(known, genes)
    if taker.cards_hash() != giver.cards_hash():
        return OTHER_CARDS
    if deck_size_of(wanted) != deck_size_of(found):
        return f"it is for decks of {show(deck_size_of(found))} cards, not {show(deck_size_of(wanted))}"
    return ""


def _check_targets(name: str, series: Mapping[str, Series], document: Document) -> None:
    """Checks that a final model predicts all targets of the search that uses it."""
    taker, giver = series[name].config, series[name].model_from
    predicted = learner_of(_trained_by(giver, series)).targets
    for target in learner_of(taker).targets:
        if target not in predicted:
            place = document.likeliest_place([("search", "targets"), MODEL_FROM])
            raise RunError(f"{place}: the model of {giver} does not predict {target}")


def _check_layers(name: str, series: Mapping[str, Series], document: Document) -> None:
    """Checks that a final model has the layers that the configuration of its user says."""
    taker, giver = series[name].config, series[name].model_from
    says, has = (_layers(learner_of(config)) for config in (taker, _trained_by(giver, series)))
    if says != has:
        keys = [("search", "training"), MODEL_FROM]
        raise RunError(
            f"{document.likeliest_place(keys)}: the model of {giver} must have the layers of search.training of "
            f"{name}: {_in_words(says)}, not {_in_words(has)}"
        )


def _trained_by(name: str, series: Mapping[str, Series]) -> RunConfig:
    """The run that makes the final model of a run: itself, unless it only uses the final model of another."""
    while series[name].model_from and series[name].model == "final":
        name = series[name].model_from
    return series[name].config


def _layers(model: Surrogate | FrozenModel) -> list[tuple[int, ...]]:
    """The sizes of the hidden layers of each network."""
    if isinstance(model, FrozenModel):
        return [tuple(len(biases) for _, biases in layers[:-1]) for layers in model.members]
    return [model.training.hidden_layers] * model.training.networks


def _in_words(layers: list[tuple[int, ...]]) -> str:
    networks = f"{len(layers)} networks of " if len(layers) > 1 else ""
    return f"{networks}{list(layers[0])}"
