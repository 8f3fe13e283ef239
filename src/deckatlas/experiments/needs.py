"""Checks of what runs take from others, opponents and models, before the first game."""

from collections.abc import Mapping
from graphlib import CycleError

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.experiments.model_needs import check_model
from deckatlas.experiments.series import Series, in_order
from deckatlas.shapes import nearest, show


def check_needs(series: Mapping[str, Series], documents: Mapping[str, Document]) -> None:
    """Checks that runs can have the opponents and models that they take from others.

    Args:
        series: The runs.
        documents: For each run, what the file says about it, for the places of mistakes.

    Raises:
        RunError: If a run cannot have its opponents or its model.
    """
    for name, each in series.items():
        taken = {"opponents_from": each.opponents_from, "model_from": (each.model_from,) if each.model_from else ()}
        for key, others in taken.items():
            for other in others:
                if other not in series:
                    place = documents[name].place((key,))
                    raise RunError(f"{place}: no run {show(other)} in the experiment: {nearest(other, series)}")
    try:
        in_order(series)
    except CycleError as error:
        cycle = error.args[1]
        place = documents[cycle[0]].likeliest_place([("opponents_from",), ("model_from",)])
        raise RunError(f"{place}: runs cannot depend on each other: {cycle}") from None
    for name, each in series.items():
        _check_opponents(name, series, documents[name])
        if each.model_from:
            check_model(name, series, documents[name])


def _check_opponents(name: str, series: Mapping[str, Series], document: Document) -> None:
    each, place = series[name], document.place(("opponents_from",))
    for other in each.opponents_from:
        if not each.config.takes_opponents_of(series[other].config):
            raise RunError(f"{place}: {name} cannot have the best of {other} as opponents")
        if series[other].repeat not in (1, each.repeat):
            raise RunError(
                f"{place}: run k meets run k of {other}, or its only run, so {other} must have 1 run, or "
                f"as many as {name} ({each.repeat}), not {series[other].repeat}"
            )
