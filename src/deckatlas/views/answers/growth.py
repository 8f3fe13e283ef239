"""How a run grew: curves of a map or of generations, predictions of a surrogate, elites on fresh games."""

from shlex import quote

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.round_statistics import targets_of
from deckatlas.runs.view import RunView
from deckatlas.views.answers.shapes import AsCode, Rate, Shape, plain
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.map_curves import curve_of
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.round_numbers import Predictions, curves_of, predictions_of

MOST_DOTS = 3000
Values = list[float | None]


class Line(Shape):
    """A number over the course of a run."""

    name: str
    values: Values


class Growth(Shape):
    """The numbers of a map or of generations over the course of a run: evaluations and games at each moment."""

    evaluations: list[int]
    games: list[int]
    lines: list[Line]
    code: AsCode


def growth_of(view: RunView) -> Growth:
    """The growth of a map over its evaluations, or of an evolution over its generations."""
    if view.has_archive:
        return _map_growth(view)
    rows, path = view.generations, quote(str(view.path))
    return Growth(
        evaluations=[row.evaluations for row in rows],
        games=[row.games for row in rows],
        lines=[
            Line(name="best", values=plain([row.best for row in rows])),
            Line(name="mean", values=plain([row.mean for row in rows])),
        ],
        code=AsCode(
            command=f"deckatlas export {path} --figure generations.png",
            python="import deckatlas\nfrom deckatlas.views.generations import plot_generations\n\n"
            f"plot_generations(deckatlas.open_run({str(view.path)!r}), 'generations.png')",
        ),
    )


def _map_growth(view: RunView) -> Growth:
    curve = curve_of(view)
    evaluated = curve.evaluated.astype(np.int64)
    games = np.cumsum(view.history.games)
    return Growth(
        evaluations=evaluated.tolist(),
        games=games[evaluated - 1].tolist() if len(evaluated) else [],
        lines=[Line(name=name, values=plain(values.tolist())) for name, values in curve.numbers.items()],
        code=AsCode.picture(view, "curves"),
    )


class Dots(Shape):
    """What a surrogate predicted of its candidates, and what their games showed; those of the last round are newest."""

    title: str
    unit: str
    predicted: Values
    measured: Values
    is_newest: list[bool]
    low: float
    high: float
    beyond: int


class RoundLines(Shape):
    """Numbers over rounds that share a frame."""

    title: str
    unit: str
    lines: list[Line]
    is_logarithmic: bool


class Surrogate(Shape):
    """The rounds of a search with a surrogate."""

    candidates: int
    rounds: list[int]
    dots: list[Dots]
    over_rounds: list[RoundLines]
    dots_code: AsCode
    rounds_code: AsCode


def surrogate_of(view: RunView) -> Surrogate:
    """What the surrogate of a run predicted, and how wrong it was.

    Raises:
        RunError: If the search of the run has no surrogate.
    """
    if not view.has_archive or not targets_of(view):
        raise RunError(f"{view.name} has no predictions: its search is {view.run.algorithm}")
    found, (numbers, curves) = predictions_of(view), curves_of(view)
    return Surrogate(
        candidates=len(found[0].predicted),
        rounds=numbers.astype(np.int64).tolist(),
        dots=[_dots(each) for each in found],
        over_rounds=[
            RoundLines(
                title=each.title,
                unit=each.unit,
                lines=[Line(name=name, values=plain(values.tolist())) for name, values in each.lines.items()],
                is_logarithmic=each.logarithmic,
            )
            for each in curves
        ],
        dots_code=AsCode.picture(view, "predictions"),
        rounds_code=AsCode.picture(view, "rounds"),
    )


def _dots(found: Predictions) -> Dots:
    shown = np.unique(np.linspace(0, len(found.predicted) - 1, MOST_DOTS).round().astype(np.int64))
    low, high = found.ends
    return Dots(
        title=column_name(found.target),
        unit=axis_name(found.target),
        predicted=plain(found.predicted[shown].tolist()),
        measured=plain(found.measured[shown].tolist()),
        is_newest=found.newest[shown].tolist(),
        low=low,
        high=high,
        beyond=found.beyond,
    )


class RecheckShape(Shape):
    """The elites of a map on fresh games: sentences, the map before and after, and each elite.

    `games` are the games of an elite; they are several numbers if elites played different numbers of games.
    """

    games: list[int]
    sentences: list[str]
    rows: list[tuple[str, str, str]]
    numbers: list[int]
    before: list[Rate]
    after: list[Rate]
    code: AsCode


def recheck_of(view: RunView) -> RecheckShape:
    """The elites of a map on fresh games.

    Raises:
        RunError: If not all elites have played such games.
    """
    found = view.recheck() if view.has_archive else None
    if found is None:
        raise RunError(f"{view.name} has no recheck: not all elites have played fresh games")
    numbers: list[int] = view.archive.elites.tolist()
    fresh = [view.rechecked_estimate(number) for number in numbers]
    return RecheckShape(
        games=sorted({view.rechecks[number].games for number in numbers}),
        sentences=list(recheck_sentences(found)),
        rows=recheck_rows(found, view.objective),
        numbers=numbers,
        before=[Rate.of(view.rated(view.objective, number)) for number in numbers],
        after=[Rate.of(each) for each in fresh if each is not None],
        code=AsCode.picture(view, "recheck"),
    )
