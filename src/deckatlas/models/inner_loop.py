"""MAP-Elites on the predictions of a model: in the core for decks, in numpy for any other space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.models.data import Floats, Singles
from deckatlas.models.frozen import FrozenModel
from deckatlas.shapes import nearest, show

Ints = npt.NDArray[np.int64]
Progress = Callable[[int], object]


class DeckNumbers(Protocol):
    """A column of decks, computed from one number per card."""

    @property
    def numbers(self) -> Ints:
        """The number of each card."""
        ...

    @property
    def of(self) -> Literal["sum", "mean", "variance"]:
        """What the column is of the numbers of the deck's cards."""
        ...


class SearchedSpace(Protocol):
    """What the inner loop needs of a space."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are known without playing."""
        ...

    def random(self, rng: np.random.Generator) -> npt.NDArray[Any]:
        """A solution drawn at random."""
        ...

    def mutate(self, solution: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any]:
        """A variation of a solution."""
        ...

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of solutions: one row per solution."""
        ...


class DeckLimit(Protocol):
    """A limit on decks: the numbers of a deck's cards may have at most this sum."""

    @property
    def numbers(self) -> Ints:
        """The number of each card."""
        ...

    @property
    def most(self) -> int:
        """The largest sum."""
        ...


@runtime_checkable
class SearchedDecks(Protocol):
    """A space of decks, which the core can search."""

    @property
    def most_copies(self) -> Ints:
        """How many copies of each card a deck may have."""
        ...

    @property
    def least_copies(self) -> Ints:
        """How many copies of each card a deck must have."""
        ...

    @property
    def limits(self) -> Sequence[DeckLimit]:
        """What else a deck must keep to."""
        ...

    @property
    def has_constraints(self) -> bool:
        """Whether decks must have some cards, or keep to limits."""
        ...

    @property
    def size(self) -> int:
        """The number of cards of a deck."""
        ...

    def random(self, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
        """A deck drawn at random."""
        ...

    def column(self, name: str) -> DeckNumbers:
        """A column that is known without playing."""
        ...


class CellGrid(Protocol):
    """The cells of a map."""

    @property
    def boundaries(self) -> tuple[Floats, ...]:
        """For each measure, its boundaries in order, both ends included."""
        ...

    @property
    def side(self) -> Literal["right", "left"]:
        """Whether a value on a boundary belongs to the cell on its right or on its left."""
        ...

    def numbers(self, measures: Floats) -> Ints:
        """The cells of solutions, given one row of measures each."""
        ...


@dataclass(frozen=True, eq=False)
class Starts:
    """Solutions that enter a map first.

    Attributes:
        genes: One row per solution.
        predictions: The predictions with which they enter; None if they are predicted.
    """

    genes: npt.NDArray[Any]
    predictions: Floats | None = None


@dataclass(frozen=True, eq=False)
class PredictedElites:
    """The elites of a map of predictions, in order of cells: one row each.

    Attributes:
        cells: Their cells.
        genes: The solutions.
        predictions: All predicted targets.
        objectives: The objective of each.
        measures: The measures of each.
        predicted: How many predictions were made.
    """

    cells: Ints
    genes: npt.NDArray[Any]
    predictions: Floats
    objectives: Floats
    measures: Floats
    predicted: int


def inner_map(
    space: SearchedSpace,
    model: FrozenModel,
    *,
    objective: str,
    measures: Sequence[str],
    cells: CellGrid,
    predictions: int,
    initial: int,
    batch: int,
    seed: int,
    starts: Starts | None = None,
    progress: Progress | None = None,
) -> PredictedElites:
    """Searches a space on predictions.

    Given solutions enter the map first, then `initial` random ones, then generations of `batch` mutants of elites. The
    parents are drawn uniformly from the filled cells; all children of a generation are drawn before the first enters
    the map. A solution enters if its cell is empty or its objective is higher. A column that the space knows is not
    predicted.

    Args:
        space: What is searched.
        model: What predicts.
        objective: The target or column to maximise.
        measures: The targets or columns that span the map.
        cells: The cells of the map.
        predictions: How many predictions are made in all, those of the first solutions among them.
        initial: How many random solutions there are.
        batch: How many children a generation has.
        seed: The seed of everything random.
        starts: Solutions to start with.
        progress: Called about ten times a second with the number of predictions; an exception in it ends the search.

    Raises:
        ModelError: If a name is unknown, or numbers do not fit each other.
    """
    for name in (objective, *measures):
        if name not in space.columns and name not in model.targets:
            known = (*space.columns, *model.targets)
            raise ModelError(f"the model does not predict {show(name)}: {nearest(name, known)}")
    if len(measures) != len(cells.boundaries):
        raise ModelError(f"there are {len(measures)} measures, but the cells have {len(cells.boundaries)}")
    if isinstance(space, SearchedDecks) and model.deck_size is not None:
        return _in_core(
            space,
            model,
            known=space.columns,
            objective=objective,
            measures=measures,
            cells=cells,
            predictions=predictions,
            initial=initial,
            batch=batch,
            seed=seed,
            starts=starts,
            progress=progress,
        )
    search = _AnySpace(space, model, (objective, *measures), cells, np.random.default_rng(seed), progress)
    return search.run(predictions=predictions, initial=initial, batch=batch, starts=starts)


def _in_core(
    space: SearchedDecks,
    model: FrozenModel,
    *,
    known: tuple[str, ...],
    objective: str,
    measures: Sequence[str],
    cells: CellGrid,
    starts: Starts | None,
    initial: int,
    seed: int,
    **options: Any,
) -> PredictedElites:
    if initial and space.has_constraints:  # the core only draws decks without constraints
        rng = np.random.default_rng(seed)
        starts, initial = _joined(starts, np.stack([space.random(rng) for _ in range(initial)])), 0

    def source(name: str) -> int | tuple[Ints, str]:
        if name not in known:
            return model.targets.index(name)
        column = space.column(name)
        return np.ascontiguousarray(column.numbers, np.int64), column.of

    given: Singles | None = None
    if starts is not None and starts.predictions is not None:
        given = np.ascontiguousarray(starts.predictions, np.float32)
    found, predicted = core.inner_map(
        model.core_model,
        np.ascontiguousarray(space.most_copies, np.int64),
        space.size,
        objective=source(objective),
        measures=[source(name) for name in measures],
        boundaries=[np.ascontiguousarray(each, np.float64) for each in cells.boundaries],
        side=cells.side,
        starts=None if starts is None else np.ascontiguousarray(starts.genes, np.uint8),
        start_predictions=given,
        least_copies=np.ascontiguousarray(space.least_copies, np.int64),
        limits=[(np.ascontiguousarray(limit.numbers, np.int64), limit.most) for limit in space.limits],
        initial=initial,
        seed=seed,
        **options,
    )
    return PredictedElites(
        found["cells"],
        found["counts"],
        found["predictions"].astype(np.float64),
        found["objectives"],
        found["measures"],
        predicted,
    )


def _joined(starts: Starts | None, drawn: npt.NDArray[np.uint8]) -> Starts:
    """Given decks and drawn ones, all of which are predicted."""
    if starts is None:
        return Starts(drawn)
    if starts.predictions is not None:
        raise ModelError("decks with given predictions and random decks cannot both start a search with constraints")
    return Starts(np.concatenate([starts.genes, drawn]))


class _AnySpace:
    """The same search with the operators of any space."""

    def __init__(
        self,
        space: SearchedSpace,
        model: FrozenModel,
        names: Sequence[str],
        cells: CellGrid,
        rng: np.random.Generator,
        progress: Progress | None,
    ) -> None:
        self._space, self._model, self._names, self._cells = space, model, names, cells
        self._rng, self._progress = rng, progress
        self._elites: dict[int, tuple[npt.NDArray[Any], Floats, Floats]] = {}  # genes, predictions, values by cell
        self._filled: list[int] = []  # cells in the order in which they were filled
        self._predicted = 0

    def run(self, *, predictions: int, initial: int, batch: int, starts: Starts | None) -> PredictedElites:
        first = initial + (0 if starts is None or starts.predictions is not None else len(starts.genes))
        if batch < 1 or initial < 0 or first > predictions:
            raise ModelError(f"{predictions} predictions are fewer than the {first} solutions to start with")
        if starts is not None:
            self._insert(starts.genes, starts.predictions)
        for size in _portions(initial, batch):
            self._insert(np.stack([self._space.random(self._rng) for _ in range(size)]))
        for size in _portions(predictions - self._predicted if self._filled else 0, batch):
            parents = [self._filled[place] for place in self._rng.integers(len(self._filled), size=size)]
            self._insert(np.stack([self._space.mutate(self._elites[cell][0], self._rng) for cell in parents]))
        return self._result()

    def _insert(self, genes: npt.NDArray[Any], predictions: Floats | None = None) -> None:
        if predictions is None:
            predictions = self._model.predict(genes)
            self._predicted += len(genes)
        if self._progress is not None:
            self._progress(self._predicted)
        columns = self._space.measures(genes)
        values = np.stack([self._values(name, columns, predictions) for name in self._names], axis=1)
        numbers = self._cells.numbers(values[:, 1:])
        for row in np.flatnonzero(np.isfinite(predictions).all(axis=1)):
            cell = int(numbers[row])
            if cell not in self._elites:
                self._filled.append(cell)
            elif not values[row, 0] > self._elites[cell][2][0]:
                continue
            self._elites[cell] = (genes[row], predictions[row], values[row])

    def _values(self, name: str, columns: Floats, predictions: Floats) -> Floats:
        if name in self._space.columns:
            return columns[:, self._space.columns.index(name)]
        return predictions[:, self._model.targets.index(name)]

    def _result(self) -> PredictedElites:
        found = sorted(self._filled)
        rows = [self._elites[cell] for cell in found]
        values = np.array([row[2] for row in rows]).reshape(len(rows), len(self._names))
        return PredictedElites(
            np.array(found, np.int64),
            np.array([row[0] for row in rows]).reshape(len(rows), self._model.genes),
            np.array([row[1] for row in rows]).reshape(len(rows), len(self._model.targets)),
            values[:, 0],
            values[:, 1:],
            self._predicted,
        )


def _portions(total: int, most: int) -> list[int]:
    """A number in portions, all full but the last."""
    return [min(most, total - start) for start in range(0, total, most)]
