"""Patterns as they are shown: on the terminal, and as small maps."""

import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from deckatlas import hearthstone
from deckatlas.errors import RunError
from deckatlas.patterns.patterns import Patterns, patterns_of
from deckatlas.patterns.regions import region_of
from deckatlas.patterns.sources import find_patterns
from deckatlas.patterns.tables import patterns_csv, patterns_json
from deckatlas.patterns.weighed_decks import WeighedDecks
from deckatlas.views.answers.patterns import MOST_PATTERNS, Box
from deckatlas.views.answers.patterns import patterns_of as answer_of
from deckatlas.views.map_report import recorded_answers
from deckatlas.views.pattern_figures import draw_patterns, patterns_picture, plot_patterns
from deckatlas.views.pattern_terminal import pattern_parts
from deckatlas.views.pattern_words import facts_of, lift_text, shares_on_map, size_of
from helpers.map_views import small_map


@cache
def small_patterns() -> Patterns:
    return find_patterns(small_map(), support=0.4, most=4, distinct=True)


def test_the_terminal_has_every_number_and_every_card_within_80_columns() -> None:
    found = small_patterns()
    lines = [*pattern_parts(found, "hunter", distinct=True)]
    shown = re.sub(r"\s+", " ", "\n".join(lines))
    assert max(map(len, lines)) < 80
    assert f"hunter: {found.found:,} maximal sets of cards in at least 40 % of {len(found.decks)} decks." in shown
    for pattern in found:
        assert str(pattern) in shown
        assert facts_of(pattern) in shown
        assert f"sum of mana costs {pattern.region['deck_mana_sum'].low:.4g} to " in shown


def test_lifts_that_are_not_known_are_said_to_be() -> None:
    decks = WeighedDecks(("a",), np.ones((2, 1), np.uint8), np.full(2, 0.5), unknown="nobody counted")
    (*_, last) = pattern_parts(patterns_of(decks), "two", distinct=True)
    assert last == "Lifts are not known: nobody counted."


@pytest.mark.parametrize(
    ("lift", "text"), [(1.2345, "1.23"), (99.94, "99.9"), (12_345.6, "12,346"), (1.6e18, "1.6·10^18")]
)
def test_a_lift_is_short(lift: float, text: str) -> None:
    assert lift_text(lift) == text


@pytest.mark.parametrize(
    "measures", [("deck_mana_sum", "num_turns"), ("num_turns",), ("num_turns", "dust", "hand_size")]
)
def test_a_cell_is_as_full_as_its_elites_have_the_pattern(measures: tuple[str, ...]) -> None:
    view = small_map().by(measures)
    pattern = find_patterns(view, support=0.4)[0]
    genes = {gene.id: at for at, gene in enumerate(view.description.genes)}
    by_cell: dict[tuple[int, int], list[bool]] = {}
    for elite in view.elites():
        has = all(elite.solution[genes[card]] >= copies for card, copies in pattern.cards)
        x, y = (*elite.cell, 0)[:2]
        by_cell.setdefault((x, y), []).append(has)
    shares = shares_on_map(view, pattern)
    assert shares.ndim == 2
    for (x, y), share in np.ndenumerate(shares):
        assert math.isnan(share) if (x, y) not in by_cell else share == np.mean(by_cell[x, y])


def test_pictures_have_a_panel_for_each_pattern() -> None:
    drawn = patterns_picture(small_map(), small_patterns(), ".svg").decode()
    texts = re.findall(r"<!-- (.*?) -->", drawn)
    assert [text.partition(",")[0] for text in texts if "lift" in text] == [size_of(each) for each in small_patterns()]
    one = hearthstone.map_elites(
        "mage", evaluations=1, games=2, resolution=(2, 2), seed=1, settings=["search.initial=1"]
    )
    with pytest.raises(RunError, match="no two decks of mage share enough cards"):
        patterns_picture(one, find_patterns(one), ".png")
    assert list(recorded_answers(one).refusals.values()) == ["the box has one elite: two or more can share cards"]


def test_a_picture_of_a_box_has_the_numbers_of_the_page_and_its_outline(tmp_path: Path) -> None:
    view = small_map()
    box = Box(left=1, right=3, bottom=0, top=2)
    answer = answer_of(view, box, support=0.3)
    plot_patterns(view, tmp_path / "box.svg", region="cells=1..3,0..2", support=answer.least, most=MOST_PATTERNS)
    texts = re.findall(r"<!-- (.*?) -->", (tmp_path / "box.svg").read_text())
    assert (
        f"hunter: {answer.found:,} maximal sets of cards in at least 30 % of {answer.decks} decks of a region" in texts
    )
    for each in answer.patterns:
        assert each.lift is not None
        facts = f"{100 * (each.support.value or 0):.1f} % of {each.support.n} decks, lift {lift_text(each.lift)}"
        assert any(text.endswith(facts) for text in texts)
        assert f"whole map {100 * (each.everywhere.value or 0):.1f} % of {each.everywhere.n} decks" in texts
    figure = Figure()
    region = region_of(["cells=1..3,0..2"])
    draw_patterns(figure, view, find_patterns(view, support=0.3, region=region, most=1), region=region)
    assert [patch.get_bbox().bounds for patch in figure.axes[0].patches] == [(1, 0, 3, 3)]  # type: ignore[attr-defined]


def test_the_least_share_of_a_few_decks_can_be_written_without_losing_sets_of_two() -> None:
    view = small_map()
    cells = sorted(elite.cell for elite in view.elites())
    box = next(
        Box(left, right, 0, 99)
        for left in range(9)
        for right in range(left, 9)
        if sum(left <= cell[0] <= right for cell in cells) in (3, 6, 7, 9)
    )
    answer = answer_of(view, box, support=0.2)
    region = f"cells={box.left}..{box.right},0..99"
    exact = find_patterns(view, support=2 / answer.decks, region=region)
    assert len(str(answer.least)) <= len("0.6666")
    assert answer.found == exact.found > 0
    assert f"--support {answer.least} " in answer.code.command


def test_other_programs_get_the_same_numbers() -> None:
    found = small_patterns()
    data = patterns_json(found, "hunter")
    assert (data["source"], data["found"], len(data["patterns"])) == ("hunter", found.found, len(found))
    header, *rows = patterns_csv(found).splitlines()
    assert header.startswith("size,count,support,support_low,support_high,expected,lift,deck_mana_sum_low,")
    for pattern, row, plain in zip(found, rows, data["patterns"], strict=True):
        assert row.startswith(f"{pattern.size},{pattern.count},{pattern.support.value},,,{pattern.expected},")
        assert "; ".join(pattern.lines) in row
        assert plain["lift"] == pattern.lift
        assert [(each["id"], each["copies"]) for each in plain["cards"]] == [*pattern.cards]


def test_a_set_of_one_card_is_one_card() -> None:
    found = small_patterns()[0]
    one, two = (replace(found, cards=((found.cards[0][0], copies),)) for copies in (1, 2))
    assert (size_of(one), size_of(two)) == ("1 card", "2 cards")
