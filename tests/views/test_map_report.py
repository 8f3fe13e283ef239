"""The page of a map: all of it is there, nothing is fetched, and what it says is true."""

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.decks import check_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.runs.description import DeckLine, Description
from deckatlas.runs.read_config import read_config
from deckatlas.runs.view import RunView, open_run
from deckatlas.runs.writer import open_to_write
from deckatlas.views.map_curves import curve_of
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.map_report import SHOWN_DECKS, map_report, write_report
from deckatlas.views.map_svg import curve_svgs
from deckatlas.views.svg import Frame, element, ticks
from helpers.map_views import small_map
from helpers.maps import hunters

VOID = {"meta", "input", "link", "br", "img"}


class Outline(HTMLParser):
    """The elements of a page: how deep they are, and all their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(view: RunView | None = None) -> str:
    return map_report(view or small_map())


def data_of(page: str) -> dict[str, dict[str, dict[str, object]]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_best_and_the_mean_are_drawn_whatever_the_objective() -> None:
    curve = curve_of(small_map())
    rates = {name: line for name, line in curve.numbers.items() if not name.endswith("win_rate")}
    drawn = [*curve_svgs(replace(curve, numbers=rates), "win_rate")]
    assert len(drawn) == 3
    assert "<title>best</title>" in drawn[0]
    assert "<title>mean</title>" in drawn[0]


def test_every_element_is_closed_and_every_drawing_is_well_formed() -> None:
    page = page_of()
    assert Outline(page).open == []
    drawings = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    assert len(drawings) > 10
    for drawing in drawings:
        ElementTree.fromstring(drawing)


def test_nothing_is_fetched() -> None:
    page = page_of()
    names = {name for name, _ in Outline(page).attributes}
    assert not names & {"src", "href", "srcset", "action", "onclick", "onload"}
    assert {*re.findall(r"https?://[^\"'\s<]+", page)} == {"http://www.w3.org/2000/svg"}
    assert {*re.findall(r"url\(([^)]*)\)", page)} == {"#hatch"}
    assert "@import" not in page


def test_it_is_light_or_dark_as_the_reader_wants_and_fits_a_phone() -> None:
    page = page_of()
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page


def test_every_elite_is_a_cell_that_tells_what_is_known_of_it() -> None:
    view = small_map()
    page = page_of(view)
    elites = {elite.number: elite for elite in view.elites()}
    cells = re.findall(r'<rect [^>]*data-elite="(\d+)"[^>]*><title>(.*?)</title>', page, re.DOTALL)
    assert sorted(int(number) for number, _ in cells) == sorted([*elites, *elites])  # true boundaries, and one size
    number, told = cells[0]
    elite = elites[int(number)]
    assert f"{elite.objective.value:.4g}" in unescape(told)
    assert f"in {elite.games} games" in told
    assert f"in {view.rechecks[elite.number].games} fresh games" in told


def test_the_decks_of_all_elites_are_on_the_page_with_codes_that_are_these_decks() -> None:
    view = small_map()
    data = data_of(page_of(view))
    cards = edition("2018-12").by_id
    assert {*data["elites"]} == {str(number) for number in view.archive.elites.tolist()}
    for elite in view.elites():
        shown = data["elites"][str(elite.number)]
        deck = check_deck(read_deck(str(shown["code"]), cards), cards)
        listed = {str(data["cards"][card][0]): copies for card, copies in shown["deck"]}  # type: ignore[index, attr-defined]
        assert listed == {cards[card].name: count for card, count in deck.cards}
        assert sum(listed.values()) == 30


def test_the_best_are_listed_in_mana_order_with_their_codes() -> None:
    view = small_map()
    page = page_of(view)
    articles = re.findall(r'<article class="deck">(.*?)</article>', page, re.DOTALL)
    assert len(articles) == SHOWN_DECKS
    for article, elite in zip(articles, view.elites(), strict=False):
        assert f"<code>{view.code(elite)}</code>" in article
    costs = [int(cost) for cost in re.findall(r"<b>(\d+)</b>", articles[0])]
    assert costs == sorted(costs)
    bars = [int(count) for count in re.findall(r"<title>(\d+) cards</title>", articles[0])]
    assert sum(bars) == 30


@pytest.mark.parametrize("recheck", [8, None])
def test_the_best_number_above_is_of_the_first_deck_below_and_says_by_what(recheck: int | None) -> None:
    view = small_map(recheck=recheck)
    page = page_of(view)
    best = view.best()
    assert best is not None
    tile = re.search(r"<dt>best health difference</dt><dd>(.*?)<small>(.*?)</small>", page, re.DOTALL)
    assert tile
    assert tile[1] == f"{best.objective.value:.4g}"
    cell = f"cell {best.cell[0]}, {best.cell[1]}"
    assert f"in the search, [{best.objective.low:.4g}, {best.objective.high:.4g}] in 6 games" in tile[2]
    assert f"{cell}: the first deck below" in tile[2]
    if best.rechecked is not None:
        assert f"{best.rechecked.value:.4g} [{best.rechecked.low:.4g}, {best.rechecked.high:.4g}] in 8 fresh" in tile[2]
    first = re.findall(r'<article class="deck">(.*?)</article>', page, re.DOTALL)[0]
    assert f"<h3>{cell}</h3>" in first
    assert f"health difference {tile[1]} " in first
    assert "By health difference in the search" in page


def cells_of(page: str, form: str) -> list[dict[str, str]]:
    """The attributes of every cell of one of the two forms of the map."""
    drawing = re.findall(rf'<div class="form {form}-form">(.*?)</svg>', page, re.DOTALL)[0]
    return [
        dict(re.findall(r'([\w-]+)="([^"]*)"', cell)) for cell in re.findall(r'<rect [^>]*class="cell"[^>]*>', drawing)
    ]


@pytest.mark.parametrize("form", ["equal", "true"])
def test_every_cell_can_be_reached_by_keyboard_and_has_its_numbers_for_a_screen_reader(form: str) -> None:
    view = small_map()
    elites = {elite.number: elite for elite in view.elites()}
    cells = cells_of(page_of(view), form)
    assert {int(cell["data-elite"]) for cell in cells} == {*elites}
    best = view.best()
    assert best is not None
    assert [int(cell["data-elite"]) for cell in cells if cell["tabindex"] == "0"] == [best.number]  # where Tab goes
    for cell in cells:
        elite = elites[int(cell["data-elite"])]
        assert (int(cell["data-column"]), int(cell["data-row"])) == elite.cell  # what arrow keys go by
        assert cell["role"] == "button"
        rated = elite.objective
        numbers = f"health difference {rated.value:.4g} [{rated.low:.4g}, {rated.high:.4g}] in {elite.games} games"
        assert cell["aria-label"].startswith(f"cell {elite.cell[0]}, {elite.cell[1]}: {numbers}; sum of mana costs ")


def test_cells_of_one_size_are_shown_first() -> None:
    page = page_of()
    assert 'id="equal-cells" checked' in page
    assert 'id="true-cells">' in page
    assert page.index("equal-cells") < page.index('id="true-cells"')


def test_content_cannot_become_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = '</script><script>alert("x")</script>&'
    monkeypatch.setattr(Description, "deck_list", lambda self, solution: (DeckLine(30, bad, 3, bad),))
    monkeypatch.setattr(RunView, "title", bad)
    page = page_of()
    assert bad not in page
    assert page.count("</script>") == 2
    assert data_of(page)["cards"][0][0] == bad  # type: ignore[index]
    assert Outline(page).open == []


def test_the_configuration_on_the_page_makes_the_same_map(tmp_path: Path) -> None:
    view = small_map()
    page = page_of(view)
    shown = unescape(re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)[0])
    (tmp_path / "again.toml").write_text(shown, encoding="utf-8")
    assert read_config(tmp_path / "again.toml").to_json() == view.config
    assert view.digest in page
    assert f"<td>{view.config['seed']}</td>" in page
    assert "deckatlas run hunter.toml --recheck --recheck-games 8" in page


def test_a_recheck_is_told_with_what_stayed_and_what_it_is_worth() -> None:
    view = small_map()
    found = view.recheck()
    assert found is not None
    page = page_of(view)
    assert all(unescape(sentence) in unescape(page) for sentence in recheck_sentences(found))
    rows = {name: (before, after) for name, before, after in recheck_rows(found, view.objective)}
    assert rows["elites, of the corrected map"] == (str(len(view.archive)), str(found.stayed))
    assert rows["QD score, of the corrected map"][1] == f"{found.after.qd_score:,.1f}"
    elites = view.elites()
    fresh = [elite.rechecked.value for elite in elites if elite.rechecked is not None]
    assert rows["health difference of the search's best"][1] == f"{fresh[0]:.2f}"
    assert rows["mean health difference of all former elites"][1] == f"{np.mean(fresh):.2f}"
    assert len(re.findall("<circle", page)) == len(view.archive)


def test_a_map_without_recheck_does_not_speak_of_one() -> None:
    view = small_map(seed=2, recheck=None)
    page = page_of(view)
    assert "Recheck on fresh games" not in page
    assert "which favours lucky results" in page


def test_a_map_of_three_measures_is_shown_by_pairs() -> None:
    view = small_map().by(("deck_mana_sum", "num_turns", "hand_size"))
    page = page_of(view)
    assert page.count('<figure class="map">') == 2 * 3
    assert Outline(page).open == []


def test_a_map_that_has_just_begun_has_a_page(tmp_path: Path) -> None:
    run = hunters(tmp_path).prepare()
    with open_to_write(tmp_path / "begun.db") as store:
        store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
    page = page_of(open_run(tmp_path / "begun.db"))
    assert "There is no elite yet" in page
    assert "none before it is finished" in page


def test_a_page_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot write"):
        write_report(small_map(), tmp_path / "missing" / "map.html")


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.0, 10.0, 6, [0, 2, 4, 6, 8, 10]),
        (-1.3, 1.1, 6, [-1, -0.5, 0, 0.5, 1]),
        (0.0, 600.0, 6, [0, 200, 400, 600]),
        (2.0, 2.0, 6, [2]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, most: int, expected: list[float]) -> None:
    assert ticks(low, high, most) == pytest.approx(expected)


def test_attributes_are_escaped_and_values_placed_between_the_margins() -> None:
    assert element("a", "<b/>", class_='"&') == '<a class="&quot;&amp;"><b/></a>'
    frame = Frame((0, 10), (0, 100), width=120, height=90, left=10, right=10, top=20, bottom=20)
    assert (frame.across(0), frame.across(10)) == (10, 110)
    assert (frame.down(0), frame.down(100)) == (70, 20)
