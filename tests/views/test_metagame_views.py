"""A metagame in words and pictures: it fits a terminal, its page is whole, and its picture can be drawn."""

import re
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import RunError
from deckatlas.metagame.challenger import Challenge
from deckatlas.metagame.stored_games import stored_standings
from deckatlas.runs.loop import Standing, execute
from deckatlas.views.metagame_figures import metagame_picture, plot_metagame
from deckatlas.views.metagame_page import metagame_page, write_metagame
from deckatlas.views.metagame_terminal import challenge_parts, metagame_parts
from helpers.command_line import CommandLine
from helpers.maps import hunters
from helpers.metagames import CYCLE, drawn_analysis, rates_of
from helpers.pages import check_whole
from helpers.terminal_parts import printed

ANALYSIS = drawn_analysis(rates_of(CYCLE), seeds=600)
FIFTEEN = drawn_analysis(rates_of([0.5 + (n % 7 - 3) / 12 for n in range(105)]), seeds=12)


def test_the_tables_of_fifteen_decks_fit_eighty_columns() -> None:
    tables = [part for part in metagame_parts(FIFTEEN) if not isinstance(part, str)]
    assert len(tables) == 2
    assert max(len(line.rstrip()) for line in printed(tables).splitlines()) <= 80


def test_a_matrix_that_is_too_wide_is_said_to_be_elsewhere() -> None:
    sixteen = drawn_analysis(rates_of([0.5] * 120), seeds=4)
    shown = printed(metagame_parts(sixteen))
    assert "wins of the row in %" not in shown
    assert "The matrix of 16 decks is too wide for here: --page and --picture show it." in shown


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


class Enough(Exception):  # noqa: N818 - ends a run as a signal would
    pass


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the games of a metagame, called `whole`, and with games of which some are missing, `broken off`."""
    folder = tmp_path_factory.mktemp("runs")

    def stop(standing: Standing) -> None:
        raise Enough

    with pytest.raises(Enough):
        locm.metagame("drafts", games=2, pilot="greedy", store=folder, watch=stop)
    (store,) = folder.glob("*.db")
    (folder / "broken off.db").write_bytes(store.read_bytes())
    locm.metagame("drafts", games=2, pilot="greedy", store=folder)
    store.rename(folder / "whole.db")
    return folder


def test_stored_games_are_drawn_with_the_standings_of_the_metagame(stored: Path) -> None:
    analysis = locm.metagame("drafts", games=2, pilot="greedy")
    standings = stored_standings(stored / "whole.db")
    assert standings.order == analysis.order
    assert standings.mix.shares.tolist() == analysis.mix.shares.tolist()
    assert standings.mix.high.tolist() == analysis.mix.high.tolist()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["broken off"], "not every pair of the metagame 'broken off.db' has played yet"),
        (["whole", "whole"], "a metagame can only be drawn alone: name one"),
        (["whole", "--colour", "age"], "a metagame takes only the options --what"),
        (["whole", "--search", "hunter"], "a metagame takes only the options --what"),
    ],
)
def test_the_command_refuses_what_a_metagame_has_not(
    words: list[str],
    complaint: str,
    stored: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    deckatlas = CommandLine(monkeypatch, capsys)
    picture = tmp_path / "x.png"
    status, out, errors = deckatlas("plot", *words, "--what", "metagame", "-o", str(picture), "--store", str(stored))
    assert (status, out, errors) == (2, "", f"deckatlas: {complaint}\n")
    assert not picture.exists()


def test_a_run_that_is_no_metagame_has_no_standings(tmp_path: Path) -> None:
    execute(hunters(tmp_path, "search.evaluations=12", "search.initial=12"), tmp_path / "hunters.db")
    with pytest.raises(RunError, match="does not have the games of a metagame"):
        stored_standings(tmp_path / "hunters.db")
