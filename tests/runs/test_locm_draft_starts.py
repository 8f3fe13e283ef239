"""Searches for draft policies that start from known ones."""

from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.spaces import LocmDrafts, priorities
from deckatlas.locm import map_elites

QUICK = {"evaluations": 12, "games": 4, "resolution": 3, "threads": 1}


def test_a_map_of_policies_starts_with_known_ones(tmp_path: Path) -> None:
    settings = ['search.starts=["icebox", "coac"]', "search.initial=4"]
    path = tmp_path / "starts.db"
    view = map_elites("draft", settings=settings, path=path, **QUICK)  # type: ignore[arg-type]
    space = LocmDrafts(priorities())
    for number, name in enumerate(("icebox", "coac")):
        assert np.array_equal(view.log.solutions[number], space.nearest(draft_policy(name)))
    again = map_elites("draft", settings=settings, path=path, **QUICK)  # type: ignore[arg-type]
    assert again.digest == view.digest


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (['search.starts=["nobody"]'], "unknown draft policy 'nobody'"),
        (['search.starts=["genome:file=none.json"]'], "cannot read the draft policy none.json"),
        (["space.genome.kind=attributes", 'search.starts=["icebox"]'], "but not of the kind attributes"),
    ],
)
def test_wrong_starts_are_refused_in_one_line(settings: list[str], message: str) -> None:
    settings = [*settings, "search.initial=4"]
    with pytest.raises(RunError, match=message) as raised:
        map_elites("draft", settings=settings, **QUICK)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)
