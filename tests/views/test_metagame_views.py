"""A metagame in words and pictures: it fits a terminal, its page is whole, and its picture can be drawn."""

import re
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.metagame.challenger import Challenge
from deckatlas.views.metagame_figures import metagame_picture, plot_metagame
from deckatlas.views.metagame_page import metagame_page, write_metagame
from deckatlas.views.metagame_terminal import challenge_parts, metagame_parts
from helpers.metagames import CYCLE, drawn_analysis, rates_of
from helpers.pages import check_whole
from helpers.terminal_parts import printed

ANALYSIS = drawn_analysis(rates_of(CYCLE), seeds=600)
FIFTEEN = drawn_analysis(rates_of([0.5 + (n % 7 - 3) / 12 for n in range(105)]), seeds=12)


def test_the_tables_of_fifteen_decks_fit_eighty_columns() -> None:
    tables = [part for part in metagame_parts(FIFTEEN) if not isinstance(part, str)]
    assert len(tables) == 2
    assert max(len(line.rstrip()) for line in printed(tables).splitlines()) <= 80


def test_a_cycle_is_said_with_its_rates() -> None:
    shown = printed(metagame_parts(ANALYSIS))
    assert re.search(r"deck 0 > deck 2 > deck 1 > deck 0  \(\d\d %, \d\d %, \d\d %\)", shown)
    assert "3 of 3 pairs have a favourite" in shown


def test_a_challenger_is_shown_from_its_best_matchup_to_its_worst() -> None:
    outcomes = {0: np.zeros(20), 1: np.ones(20), 2: np.full(20, 0.5)}
    shown = printed(challenge_parts(Challenge("mine", outcomes, ANALYSIS)))
    places = [shown.index(f"deck {number} ") for number in (1, 2, 0)]
    assert places == sorted(places)
    assert "better than" in shown


def test_the_page_is_whole_and_fetches_nothing(tmp_path: Path) -> None:
    file = tmp_path / "meta.html"
    write_metagame(ANALYSIS, file)
    page = file.read_text(encoding="utf-8")
    assert page == metagame_page(ANALYSIS)
    check_whole(page)
    assert "deckatlas meta show drawn --games 1200 --seed 0" in page
    for name in ANALYSIS.names:
        assert name in page


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_the_picture_can_be_drawn(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_metagame(ANALYSIS, tmp_path / f"meta{ending}")
    assert (tmp_path / f"meta{ending}").stat().st_size > 5000


def test_a_picture_of_another_kind_is_refused() -> None:
    with pytest.raises(RunError, match=r"\.png"):
        metagame_picture(ANALYSIS, ".gif")
