"""Maps as they are looked at: by other measures, held against fresh games, and made in one call."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import RunError, SearchError
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import run_digest
from deckatlas.search.archive_options import GridOptions
from helpers.map_views import small_map

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

QUICK = {"evaluations": 20, "games": 2, "resolution": (3, 3), "seed": 4}


def test_a_map_shows_itself_in_one_short_line() -> None:
    shown = repr(small_map())
    assert shown.startswith("<RunView hunter: ")
    assert len(shown) < 300  # most of it the path


def test_a_map_by_other_measures_has_the_best_of_each_of_its_cells() -> None:
    view = small_map()
    other = view.by(("num_minion_cards", "hand_size"))
    assert other.measures == ("num_minion_cards", "hand_size")
    assert other.archive.cells.shape == view.archive.cells.shape == (5, 4)
    values = np.stack([view.log.column(name) for name in other.measures], axis=1)
    cells = other.archive.cells.numbers(values)
    for elite in other.elites():
        members = cells == cells[elite.number]
        assert elite.objective.value == view.archive.objectives[members].max()
    assert len(other.elites()) == len(np.unique(cells))
    assert view.measures == ("deck_mana_sum", "num_turns")


def test_more_measures_take_their_number_of_cells_from_the_last() -> None:
    assert small_map().by(("deck_mana_sum", "num_turns", "hand_size")).archive.cells.shape == (5, 4, 4)
    assert small_map().by(("hand_size",)).archive.cells.shape == (5,)


def test_fixed_boundaries_by_other_measures_span_what_was_found() -> None:
    view = small_map()
    options = GridOptions(measures=view.measures, resolution=(5, 4), ranges=((0.0, 300.0), (0.0, 20.0)))
    grid = replace(view, options=options)
    found = grid.by(("num_minion_cards", "dust"))
    for name, edges in zip(found.measures, found.archive.boundaries, strict=True):
        values = view.log.column(name)
        assert (edges[0], edges[-1]) == (values.min(), values.max())
        assert np.diff(edges) == pytest.approx(np.full(len(edges) - 1, (edges[-1] - edges[0]) / (len(edges) - 1)))


def test_measures_that_cannot_be_are_refused() -> None:
    with pytest.raises(SearchError, match="no column 'num_turn': did you mean 'num_turns'"):
        small_map().by(("num_turn",))
    with pytest.raises(RunError, match="'num_turns' more than once"):
        small_map().by(("num_turns", "num_turns"))
    with pytest.raises(RunError, match="measures"):
        small_map().by(())


def test_a_recheck_holds_the_map_against_fresh_games_of_its_elites() -> None:
    view = small_map()
    found = view.recheck()
    assert found is not None
    assert found.before == view.statistics
    numbers = view.archive.elites.tolist()
    fresh, _ = view.rechecked(numbers)
    assert found.optimism == pytest.approx((view.archive.objectives[numbers] - fresh).mean())
    turns, _ = view.rechecked(numbers, "num_turns")
    now = view.archive.cells.numbers(np.stack([view.log.column("deck_mana_sum")[numbers], turns], axis=1))
    assert found.same_cell == (now == view.archive.elite_cells).sum()
    assert found.stayed == len(np.unique(now))


def test_a_map_of_which_some_elites_were_not_played_again_has_no_recheck() -> None:
    view = small_map()
    first = int(view.archive.elites[0])
    rest = {number: outcome for number, outcome in view.rechecks.items() if number != first}
    assert replace(view, rechecks=rest).recheck() is None
    assert small_map(recheck=None).recheck() is None


def test_a_map_in_memory_is_the_one_that_is_kept_in_a_file(tmp_path: Path) -> None:
    in_memory = hearthstone.map_elites("mage", **QUICK, threads=2)  # type: ignore[arg-type]
    path = tmp_path / "mage.db"
    kept = hearthstone.map_elites("mage", **QUICK, threads=1, path=path)  # type: ignore[arg-type]
    assert in_memory.digest == kept.digest
    assert not in_memory.path.exists()
    with open_store(path) as store:
        assert run_digest(store) == kept.digest
    again = hearthstone.map_elites("mage", **QUICK, path=path)  # type: ignore[arg-type]
    assert again.digest == kept.digest
    assert hearthstone.open_run(path).digest == kept.digest


def test_a_map_prints_what_it_is_worth() -> None:
    view = small_map()
    now = view.statistics
    assert str(view) == (
        f"hunter: {now.elites} elites in 20 cells after 60 evaluations, avg_health_diff up to {now.best:.2f}, "
        f"{now.mean:.2f} on average"
    )
    best = view.elites()[0]
    ends = f"[{best.objective.low:.2f}, {best.objective.high:.2f}]"
    assert str(best.objective) == f"{now.best:.2f} {ends} (n = {best.games})"


def test_settings_say_whatever_else_a_configuration_can() -> None:
    view = hearthstone.map_elites("mage", **QUICK, settings=["evaluation.suite=elite"])  # type: ignore[arg-type]
    assert view.run.config["evaluation"]["suite"] == "elite"


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"measures": ("num_turn", "dust")}, "no column 'num_turn': did you mean 'num_turns'"),
        ({"resolution": (3, 0)}, "resolution"),
        ({"games": 0}, "evaluation.games"),
        ({"evaluations": 0}, "search.evaluations"),
        ({"pilot": "planer"}, "planer"),
        ({"settings": ["search.windo=3"]}, "unknown key 'windo' in \\[search\\]: did you mean 'window'"),
    ],
)
def test_what_cannot_be_is_refused_before_the_first_game(changed: dict[str, object], complaint: str) -> None:
    with pytest.raises(RunError, match=complaint):
        hearthstone.map_elites("mage", **{**QUICK, **changed})  # type: ignore[arg-type]


def test_an_unknown_class_is_refused() -> None:
    with pytest.raises(RunError, match="unknown hero class 'mages': did you mean 'MAGE'"):
        hearthstone.map_elites("mages", **QUICK)  # type: ignore[arg-type]
