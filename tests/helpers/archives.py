"""Archives for tests: any options, any log, and what every archive owes."""

import numpy as np
from hypothesis import strategies as st

from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import ArchiveOptions, GridOptions, SlidingOptions
from deckatlas.search.cells import NOWHERE
from deckatlas.search.evaluation import Floats

NAMES = ("mana", "spread", "turns")
NUMBERS = st.one_of(  # small whole numbers often tie, and often lie on boundaries
    st.integers(-6, 6).map(float), st.floats(-6, 6), st.sampled_from((float("nan"), float("inf"), -100.0, 100.0))
)


@st.composite
def options(draw: st.DrawFn) -> ArchiveOptions:
    """Options of any archive."""
    count = draw(st.integers(1, 3))
    resolution = draw(st.tuples(*[st.integers(1, 6)] * count))
    grow_from = draw(st.none() | st.tuples(*(st.integers(1, each) for each in resolution)))
    if draw(st.booleans()):
        return GridOptions(
            measures=NAMES[:count],
            resolution=resolution,
            grow_from=grow_from,
            ranges=((-5, 5),) * count,
            binning=draw(st.sampled_from(("even", "published"))),
        )
    return SlidingOptions(
        measures=NAMES[:count],
        resolution=resolution,
        grow_from=grow_from,
        remap=draw(st.integers(1, 12)),
        history=draw(st.none() | st.integers(1, 20)),
        binning=draw(st.sampled_from(("quantiles", "published"))),
    )


def individuals(count: int) -> st.SearchStrategy[tuple[float, list[float]]]:
    """An objective, and so many measures."""
    return st.tuples(NUMBERS, st.lists(NUMBERS, min_size=count, max_size=count))


def filled(chosen: ArchiveOptions, log: list[tuple[float, list[float]]], *, planned: int) -> Archive:
    """An archive to which the individuals were added one by one."""
    archive = Archive(chosen, planned=planned)
    for objective, measures in log:
        archive.add(objective, measures)
    return archive


def check_elites(archive: Archive) -> None:
    """Every elite sits in the cell that its measures name, and in no cell is anybody better, or as good and earlier."""
    objectives, measures = archive.objectives, archive.measures
    best: dict[int, int] = {}
    for number in range(archive.told):
        cell = place(archive, measures[number], float(objectives[number]))
        assert archive.individual_cells[number] == cell
        if cell != NOWHERE and (cell not in best or objectives[number] > objectives[best[cell]]):
            best[cell] = number
    assert archive.elite_cells.tolist() == sorted(best)
    assert archive.elites.tolist() == [best[cell] for cell in sorted(best)]
    assert len(archive) == len(best)


def place(archive: Archive, measures: Floats, objective: float) -> int:
    """The cell between whose boundaries measures lie, found by going along them one by one."""
    if not np.isfinite([objective, *measures]).all():
        return NOWHERE
    cell = 0
    for boundaries, value in zip(archive.boundaries, measures, strict=True):
        on_the_right = archive.cells.side == "right"
        passed = sum(value > each or (on_the_right and value == each) for each in boundaries[1:-1])
        cell = cell * (len(boundaries) - 1) + passed
    return cell


def check_same(one: Archive, other: Archive) -> None:
    """Two archives are the same in all that can be seen of them."""
    assert one.told == other.told
    np.testing.assert_array_equal(one.objectives, other.objectives)
    np.testing.assert_array_equal(one.measures, other.measures)
    for mine, yours in zip(one.boundaries, other.boundaries, strict=True):
        np.testing.assert_array_equal(mine, yours)
    np.testing.assert_array_equal(one.individual_cells, other.individual_cells)
    np.testing.assert_array_equal(one.elite_cells, other.elite_cells)
    np.testing.assert_array_equal(one.elites, other.elites)
    assert one.last_rival == other.last_rival
