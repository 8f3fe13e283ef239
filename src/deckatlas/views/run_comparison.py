"""Runs compared: curves of groups of trials over evaluations, games and time, final numbers with tests, shared elites.

Runs whose configurations differ only in seed and name are trials of one search, and form a group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.course import commits_of, working_seconds
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.stats.anova import TTest, pairwise_tests
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import difference, mean_interval
from deckatlas.views.map_curves import (
    ENOUGH_TRIALS,
    Band,
    GrowthCurve,
    band_of,
    curve_bounds,
    curve_of,
    range_of,
    trials,
)

OVER = ("evaluations", "games", "seconds")
MOST_COMPARED = 200
NUMBERS = ("best", "mean", "coverage", "qd_score")


@dataclass(frozen=True)
class Difference:
    """The difference of two groups in one number.

    Attributes:
        number: The name of the number.
        one: The name of the first group.
        other: The name of the other, which is subtracted.
        difference: The difference with its interval.
        test: The test over trials; None if both have one run, and the interval is over its games.
    """

    number: str
    one: str
    other: str
    difference: Estimate
    test: TTest | None


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Runs of one objective side by side.

    Attributes:
        groups: The trials of each search, by name.
    """

    groups: Mapping[str, Sequence[RunView]]

    @property
    def has_archives(self) -> bool:
        """Whether the runs keep archives; otherwise they have generations."""
        return all(view.has_archive for views in self.groups.values() for view in views)

    @property
    def is_interval(self) -> bool:
        """Whether bands are intervals; with few trials they reach from the lowest to the highest."""
        counts = [len(views) for views in self.groups.values()]
        return min(counts) >= ENOUGH_TRIALS

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that can be compared: QD scores only if they count alike."""
        if not self.has_archives:
            return NUMBERS[:2]
        scorings = {view.description.scoring for views in self.groups.values() for view in views}
        return NUMBERS if len(scorings) == 1 else NUMBERS[:3]

    def bands(self, number: str, over: str) -> dict[str, Band]:
        """A number of each group over its course.

        Args:
            number: One of `numbers`.
            over: One of `OVER`.
        """
        within = self._bounds(number)
        found = {}
        for name, curves in self._curves.items():
            placed = [GrowthCurve(places[over], curve.numbers) for curve, places in curves]
            found[name] = band_of(placed, number, within=within) if self.is_interval else range_of(placed, number)
        return found

    def finals(self, number: str) -> dict[str, Estimate]:
        """A number of each group at the end: the mean over its trials."""
        return {
            name: _shown(mean_interval(self._ends(name, number)), number).within(*self._bounds(number))
            for name in self.groups
        }

    def differences(self, number: str) -> list[Difference]:
        """Each later group minus each earlier one, at the end.

        Groups of trials are compared by t tests, one family per number. The best of two single maps are compared by
        their games.
        """
        if any(len(views) > 1 for views in self.groups.values()):
            return self._tested(number)
        if number != "best" or not self.has_archives:
            return []
        found = []
        for earlier, later in combinations(self.groups, 2):
            bests = [self.groups[name][0].best() for name in (later, earlier)]
            if bests[0] is not None and bests[1] is not None:
                apart = difference(bests[0].objective, bests[1].objective)
                found.append(Difference(number, later, earlier, apart, None))
        return found

    def _tested(self, number: str) -> list[Difference]:
        values = {name: self._ends(name, number) for name in self.groups}
        known = {name: each for name, each in values.items() if np.isfinite(each).all()}
        try:
            tests = pairwise_tests(known)
        except ValueError:  # a single group, or a pair of single runs among several
            return []
        low, high = self._bounds(number)
        return [
            Difference(number, *names, _shown(test.difference, number).within(low - high, high - low), test)
            for names, test in tests.items()
        ]

    def _bounds(self, number: str) -> tuple[float, float]:
        """The least and the greatest possible value of a number."""
        return curve_bounds(number, next(iter(self.groups.values()))[0].objective)

    def _ends(self, name: str, number: str) -> Floats:
        return np.array([curve.numbers[number][-1] for curve, _ in self._curves[name]])

    @cached_property
    def _curves(self) -> dict[str, list[tuple[GrowthCurve, Mapping[str, Floats]]]]:
        """The curve of each trial, and its places on each horizontal axis."""
        return {
            name: [(curve := _curve(view), _places(view, curve)) for view in views]
            for name, views in self.groups.items()
        }


def compared(views: Sequence[RunView]) -> RunComparison:
    """Runs side by side.

    Raises:
        RunError: If there are fewer than two, they have different objectives, only some have archives, or one has
            nothing to compare yet.
    """
    if len(views) < 2:
        raise RunError("choose two runs or more to compare them")
    if len({view.has_archive for view in views}) > 1:
        raise RunError("maps and evolutions have different numbers: compare runs of one kind")
    if len({view.objective for view in views}) > 1:
        raise RunError("runs with different objectives cannot be compared")
    for view in views:
        if not (len(view.archive) if view.has_archive else len(view.generations)):
            raise RunError(f"{view.name} has nothing to compare yet")
    return RunComparison(trials(views))


def _shown(found: Estimate, number: str) -> Estimate:
    """A number as people read it."""
    return replace(found, is_share=number == "coverage")


def _curve(view: RunView) -> GrowthCurve:
    if view.has_archive:
        return curve_of(view)
    rows = view.generations
    numbers = {"best": np.array([row.best for row in rows]), "mean": np.array([row.mean for row in rows])}
    return GrowthCurve(np.array([row.evaluations for row in rows], np.float64), numbers)


def _places(view: RunView, curve: GrowthCurve) -> dict[str, Floats]:
    games = np.concatenate([[0], np.cumsum(view.history.games)]).astype(np.float64)
    with open_store(view.path) as store:
        commits = commits_of(store)
    written = np.array([each.evaluations for each in commits], np.float64)
    seconds = np.interp(curve.evaluated, [0.0, *written], [0.0, *working_seconds(commits, view.run.created)])
    return {
        "evaluations": curve.evaluated,
        "games": games[curve.evaluated.astype(np.int64)],
        "seconds": seconds,
    }


@dataclass(frozen=True)
class SharedElite:
    """A solution that is an elite of two maps: its number in each."""

    number: int
    other: int


def shared_elites(one: RunView, other: RunView) -> list[SharedElite]:
    """The solutions that are elites of both maps; none if solutions have different forms."""
    if [gene.id for gene in one.description.genes] != [gene.id for gene in other.description.genes]:
        return []
    known = {other.log.solutions[number].tobytes(): number for number in other.archive.elites.tolist()}
    pairs = ((number, known.get(one.log.solutions[number].tobytes())) for number in one.archive.elites.tolist())
    return [SharedElite(number, same) for number, same in pairs if same is not None]


def cards_in_common(one: RunView, other: RunView) -> float | None:
    """How many cards an elite shares with the nearest elite of the other map, on average; None if they are no decks.

    Large maps are represented by `MOST_COMPARED` elites, spread evenly over their cells, and ten times as many to be
    near to.
    """
    if not one.description.layout.deck_size or not other.description.layout.deck_size:
        return None
    cards = {gene.id: place for place, gene in enumerate(other.description.genes)}
    common = [(at, cards[gene.id]) for at, gene in enumerate(one.description.genes) if gene.id in cards]
    if not common:
        return 0.0
    ours, theirs = (list(each) for each in zip(*common, strict=True))
    mine, yours = _spread(one, MOST_COMPARED)[:, ours], _spread(other, 10 * MOST_COMPARED)[:, theirs]
    return float(np.mean([int(np.minimum(deck, yours).sum(axis=1).max()) for deck in mine]))


def _spread(view: RunView, most: int) -> npt.NDArray[np.int16]:
    """The decks of at most so many elites."""
    elites = view.archive.elites
    chosen = np.unique(np.linspace(0, len(elites) - 1, most).round().astype(np.int64))
    return view.log.solutions[elites[chosen]].astype(np.int16)
