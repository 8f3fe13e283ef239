"""Maps on the terminal: every elite is there, and tables say what the archive says."""

import re
from dataclasses import replace
from itertools import pairwise

from rich.text import Text

from deckatlas.views.map_curves import moments_of
from deckatlas.views.terminal import SHOWN_ELITES, curve_table, elites_table, map_story
from deckatlas.views.terminal_map import map_text
from helpers.map_views import small_map


def rows_of(lines: list[Text]) -> list[str]:
    """The rows of cells of a map on the terminal, the top first."""
    return [line.plain[10:] for line in lines if re.match(r" *[\d.]+ ", line.plain[:10])]


def test_a_map_without_colours_has_a_digit_for_every_elite() -> None:
    view = small_map()
    rows = rows_of(list(map_text(view, colours=False)))
    assert [len(row) for row in rows] == [2 * 5] * 4
    shown = {(column, 3 - at): row[2 * column] for at, row in enumerate(rows) for column in range(5)}
    digits: dict[tuple[int, ...], int] = {cell: int(mark) for cell, mark in shown.items() if mark.isdigit()}
    elites = view.elites()
    assert {*digits} == {elite.cell for elite in elites}
    assert digits[elites[0].cell] == 9
    assert digits[elites[-1].cell] == 0
    assert all(digits[a.cell] >= digits[b.cell] for a, b in pairwise(elites))


def test_a_map_in_colours_has_a_block_for_every_elite() -> None:
    view = small_map()
    lines = list(map_text(view, colours=True))
    rows = rows_of(lines)
    assert sum(row.count("█") for row in rows) == 2 * len(view.archive)
    styles = {str(span.style) for line in lines for span in line.spans}
    assert "#ffe64b" in styles  # the best


def test_a_map_too_large_for_a_terminal_is_not_drawn_there() -> None:
    view = small_map().by(("deck_mana_sum",))
    assert list(map_text(view, colours=False))
    assert view.options is not None
    large = view.options.model_copy(update={"resolution": (50,), "grow_from": None})
    assert not list(map_text(replace(view, options=large), colours=False))


def test_the_table_of_growth_is_on_the_cells_of_the_map_as_it_is_now() -> None:
    view = small_map()
    cells = {str(column.header): [*column.cells] for column in curve_table(view).columns}
    assert {*cells["cells"]} == {"20"}
    assert cells["evaluations"][-1] == "60"
    assert cells["elites"][-1] == str(len(view.archive))
    assert cells["elites"] == [str(moment.statistics.elites) for moment in moments_of(view, 10)]


def test_the_first_elite_shown_is_the_best_of_the_search() -> None:
    view = small_map()
    best = view.best()
    assert best is not None
    table = elites_table(view, view.elites()[:SHOWN_ELITES])
    first = [next(iter(column.cells)) for column in table.columns]
    assert first[0] == ", ".join(map(str, best.cell))
    assert best.rechecked is not None
    assert best.objective.text() in first
    assert best.rechecked.text() in first
    words = [part for part in map_story(view, colours=False) if isinstance(part, str)]
    assert f"the best of {len(view.archive)} elites, by health difference in the search, with 95 % intervals:" in words
