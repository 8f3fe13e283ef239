"""Page "Compare": runs side by side, with bands over trials, final numbers with the test used, and shared elites."""

from typing import Annotated

from fastapi import APIRouter, Query

from deckatlas.errors import DeckatlasError
from deckatlas.runs.view import RunView
from deckatlas.studio.asking import ShelfOfApp
from deckatlas.views.answers.shapes import AsCode, Number, Rate, Shape, plain
from deckatlas.views.columns import column_name
from deckatlas.views.map_curves import Band
from deckatlas.views.map_difference import check_comparable
from deckatlas.views.run_comparison import (
    MOST_COMPARED,
    OVER,
    Difference,
    RunComparison,
    SharedElite,
    cards_in_common,
    compared,
    shared_elites,
)

router = APIRouter(tags=["compare"])

MOST_RUNS = 40
MOST_SHARED = 50


class Trial(Shape):
    """A run of a group."""

    id: str
    name: str
    seed: str


class Group(Shape):
    """Runs whose configurations differ only in seed and name."""

    name: str
    algorithm: str
    trials: list[Trial]


class BandShape(Shape):
    """The mean of a group over its trials, and the band around it."""

    group: str
    at: list[float | None]
    value: list[float | None]
    low: list[float | None]
    high: list[float | None]

    @classmethod
    def of(cls, group: str, band: Band) -> "BandShape":
        """The shape of a band."""
        columns = (band.evaluated, band.value, band.low, band.high)
        at, value, low, high = (plain(each.tolist()) for each in columns)
        return cls(group=group, at=at, value=value, low=low, high=high)


class Final(Shape):
    """A number of a group at the end: the mean over its trials."""

    group: str
    value: Rate


class DifferenceOfGroups(Shape):
    """One group minus another, and the test used; p is adjusted for the number of pairs."""

    one: str
    other: str
    difference: Rate
    p: Number
    test: str

    @classmethod
    def of(cls, found: Difference) -> "DifferenceOfGroups":
        """The shape of a difference."""
        test = found.test
        if test is None:
            words = "interval over games of the best of each run"
        else:
            degrees = "1 degree" if test.freedom == 1 else f"{test.freedom} degrees"
            words = f"t test over trials, t = {test.t:.3g}, {degrees} of freedom"
            words += f", p times {test.tests} pairs (Bonferroni)" if test.tests > 1 else ""
        return cls(
            one=found.one,
            other=found.other,
            difference=Rate.of(found.difference),
            p=None if test is None else test.adjusted_p,
            test=words,
        )


class ComparedNumber(Shape):
    """A number of all groups: over evaluations, games and seconds, at the end, and the differences there."""

    name: str
    title: str
    over: dict[str, list[BandShape]]
    finals: list[Final]
    differences: list[DifferenceOfGroups]


class SharedShape(Shape):
    """An elite of both maps, by its number in each."""

    number: int
    other: int
    objective: Rate
    other_objective: Rate


class Overlap(Shape):
    """What the elites of two maps have in common: solutions, and cards with the nearest elite of the other map.

    `compared` elites are behind the mean of cards in common.
    """

    one: Trial
    other: Trial
    elites: int
    other_elites: int
    shared: int
    shown: list[SharedShape]
    cards_in_common: Number
    compared: int


class Compared(Shape):
    """Runs side by side.

    `overlap` is that of the first two maps, if they search the same kind of thing; `no_difference` says why they cannot
    be subtracted from each other.
    """

    are_maps: bool
    objective_title: str
    band: str
    groups: list[Group]
    numbers: list[ComparedNumber]
    overlap: Overlap | None
    no_difference: str | None
    code: AsCode


@router.get("/compare")
def get_comparison(
    shelf: ShelfOfApp,
    runs: Annotated[list[Annotated[str, Query(max_length=200)]], Query(min_length=2, max_length=MOST_RUNS)],
) -> Compared:
    """Compares runs, given by their ids."""
    views = {run: shelf.view(run) for run in dict.fromkeys(runs)}
    found = compared(list(views.values()))
    ids = {id(view): run for run, view in views.items()}
    first, second = _two_of(found)
    return Compared(
        are_maps=found.has_archives,
        objective_title=column_name(first.objective) if first.objective else "score",
        band="95 % interval of the mean over trials" if found.is_interval else "from the lowest to the highest trial",
        groups=[
            Group(
                name=name,
                algorithm=group[0].run.algorithm,
                trials=[_trial(view, ids[id(view)]) for view in group],
            )
            for name, group in found.groups.items()
        ],
        numbers=[_number(found, name) for name in found.numbers],
        overlap=_overlap(first, second, ids) if found.has_archives and _search_the_same(first, second) else None,
        no_difference=_no_difference(first, second) if found.has_archives else None,
        code=AsCode.picture(list(views.values()), "comparison"),
    )


def _two_of(found: RunComparison) -> tuple[RunView, RunView]:
    """The first runs of the first two groups; of one group, its first two runs."""
    groups = list(found.groups.values())
    return (groups[0][0], groups[1][0]) if len(groups) > 1 else (groups[0][0], groups[0][1])


def _search_the_same(one: RunView, other: RunView) -> bool:
    return one.description.kind == other.description.kind


def _no_difference(one: RunView, other: RunView) -> str | None:
    try:
        check_comparable(one, other)
    except DeckatlasError as error:
        return str(error)
    return None


def _trial(view: RunView, run: str) -> Trial:
    return Trial(id=run, name=view.name, seed=str(view.config["seed"]))


_TITLES = {"best": "best", "mean": "mean", "coverage": "coverage", "qd_score": "QD score"}


def _number(found: RunComparison, name: str) -> ComparedNumber:
    return ComparedNumber(
        name=name,
        title=_TITLES[name],
        over={over: [BandShape.of(group, band) for group, band in found.bands(name, over).items()] for over in OVER},
        finals=[Final(group=group, value=Rate.of(value)) for group, value in found.finals(name).items()],
        differences=[DifferenceOfGroups.of(each) for each in found.differences(name)],
    )


def _overlap(one: RunView, other: RunView, ids: dict[int, str]) -> Overlap:
    shared = shared_elites(one, other)
    return Overlap(
        one=_trial(one, ids[id(one)]),
        other=_trial(other, ids[id(other)]),
        elites=len(one.archive),
        other_elites=len(other.archive),
        shared=len(shared),
        shown=[_shared(one, other, each) for each in shared[:MOST_SHARED]],
        cards_in_common=cards_in_common(one, other),
        compared=min(len(one.archive), MOST_COMPARED),
    )


def _shared(one: RunView, other: RunView, found: SharedElite) -> SharedShape:
    return SharedShape(
        number=found.number,
        other=found.other,
        objective=Rate.of(one.rated(one.objective, found.number)),
        other_objective=Rate.of(other.rated(other.objective, found.other)),
    )
