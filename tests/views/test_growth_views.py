"""A metagame that has grown in words and pictures: tables that fit, a page that is whole, a picture that is drawn."""

from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.metagame.growth import Growth, GrowthPlan, Response, grow
from deckatlas.runs.executors import Executor, played_by
from deckatlas.runs.run import Run
from deckatlas.stats.estimate import Estimate
from deckatlas.views.growth_figures import _draw_mixes, growth_picture, plot_growth
from deckatlas.views.growth_numbers import mixes
from deckatlas.views.growth_page import growth_page, write_growth
from deckatlas.views.growth_terminal import (
    duration,
    duration_here,
    growth_parts,
    mix_line,
    plan_lines,
    response_line,
)
from helpers.pages import check_whole
from helpers.ruled_games import TableSearches, ruled
from helpers.terminal_parts import printed

PLAN: dict[str, Any] = {"games": 100, "finals": 20, "confirmation": 200, "samples": 10, "seed": 1}


@pytest.fixture(scope="module")
def growth(tmp_path_factory: pytest.TempPathFactory) -> Growth:
    plan = GrowthPlan("grown", tmp_path_factory.mktemp("runs"), **PLAN)
    return grow(ruled("rock", "paper"), TableSearches(("one", "other")), plan)


def test_the_tables_fit_eighty_columns_and_end_with_the_verdict(growth: Growth) -> None:
    shown = printed(growth_parts(growth))
    *tables, verdict = shown.strip().splitlines()
    assert verdict == growth.verdict
    assert max(len(line.rstrip()) for line in tables) <= 80
    assert "Hidden" not in shown
    assert "One 1" in shown
    assert "new" in shown


def test_the_plan_says_what_is_played_and_how_long_it_takes() -> None:
    plan = GrowthPlan("grown", Path("runs"), **PLAN)
    lines = list(plan_lines(ruled("rock", "paper"), TableSearches(), plan, search_pace=60.0, pace=1.2))
    assert "100 games of 1 pairs, about 2 minutes" in lines[1]
    assert lines[2] == (
        "  each round, for each of hidden: a search of 1 games (nobody), 20 games for each of 4 finalists, and 200 "
        "fresh games for the best; about 7 minutes, and the games of new pairs"
    )


class Elsewhere:
    """An engine that nothing is played on."""

    def executor(self, run: Run) -> AbstractContextManager[Executor]:
        raise NotImplementedError


def test_where_a_cluster_plays_the_time_is_that_of_this_machine_alone() -> None:
    plan = GrowthPlan("grown", Path("runs"), **PLAN)
    assert duration_here(600) == "about 10 minutes here"
    with played_by(Elsewhere()):
        lines = list(plan_lines(ruled("rock", "paper"), TableSearches(), plan, search_pace=60.0, pace=1.2))
        assert duration_here(600) == "about 10 minutes on this machine alone"
    assert lines[1].endswith("100 games of 1 pairs, about 2 minutes on this machine alone")
    assert "about 7 minutes on this machine alone, and the games of new pairs" in lines[2]


@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "less than a minute"), (600, "about 10 minutes"), (9000, "about 2.5 hours")]
)
def test_a_duration_is_rough(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_response_is_a_line(growth: Growth) -> None:
    gain = Estimate(3.0, 1.0, 5.0, 200)
    response = Response("mage", "grown-round-1-mage", "code", gain)
    assert response_line(response) == "  mage: +3.0 [+1.0, +5.0] points on 200 fresh games, does not join"
    assert response_line(Response("mage", "run", "code", gain, "Mage 1")).endswith("joins as Mage 1")
    assert response_line(Response("mage", "run", "", gain)) == "  mage: nothing that the metagame lacks"
    assert mix_line(0, growth.rounds[0].field) == "the mix of 2 decks at the start: Paper 100 %"


def test_mixes_are_whole_in_every_round(growth: Growth) -> None:
    found = mixes(growth)
    np.testing.assert_allclose(sum(found.values()), 100)
    assert all(len(each) == len(growth.fields) for each in found.values())


def test_the_page_is_whole_and_fetches_nothing(growth: Growth, tmp_path: Path) -> None:
    file = tmp_path / "grown.html"
    write_growth(growth, file)
    page = file.read_text(encoding="utf-8")
    assert page == growth_page(growth)
    check_whole(page)
    for name in growth.final.names:
        assert name in page


def test_a_growth_in_which_nothing_is_found_can_be_drawn(tmp_path: Path) -> None:
    plan = GrowthPlan("grown", tmp_path, **{**PLAN, "margin": 0})
    nothing = grow(ruled("rock", "paper"), TableSearches(hidden=()), plan)
    check_whole(growth_page(nothing))
    assert "no search found a new deck" in printed(growth_parts(nothing))
    pytest.importorskip("matplotlib")
    assert growth_picture(nothing, ".png")


def test_the_decks_without_a_colour_of_their_own_are_drawn_together() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    names = tuple(f"deck {number}" for number in range(12))
    shares = np.linspace(2.0, 1.0, 12) / np.linspace(2.0, 1.0, 12).sum()
    field: Any = SimpleNamespace(names=names, mix=SimpleNamespace(shares=shares))
    growth: Any = SimpleNamespace(fields=(field,), final=field, is_closed=True)
    figure = Figure()
    axes = figure.subplots()
    _draw_mixes(axes, growth)
    drawn = dict(zip(axes.get_legend_handles_labels()[1], axes.containers, strict=True))
    colours = [bars[0].get_facecolor() for bars in drawn.values()]
    assert list(drawn) == [*names[:9], "others"]
    assert drawn["others"][0].get_height() == pytest.approx(100 * shares[9:].sum())
    assert len(set(colours)) == 10


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_the_picture_can_be_drawn(growth: Growth, ending: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_growth(growth, tmp_path / f"grown{ending}")
    assert (tmp_path / f"grown{ending}").stat().st_size > 5000


def test_a_picture_of_another_kind_is_refused(growth: Growth) -> None:
    with pytest.raises(RunError, match=r"\.png"):
        growth_picture(growth, ".gif")
