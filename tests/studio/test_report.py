"""The report in a browser: the map with its decks from a file alone, as in the studio, and the same numbers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from deckatlas import open_run
from deckatlas.runs.view import RunView
from deckatlas.views.map_report import RUN, write_report
from helpers.reports import answers_of, needs_page
from helpers.studio import NARROW, WIDE, picture, write_trials
from helpers.studio_pages import check_access

pytestmark = needs_page

RUNS = {"hunter": "hunter.db", "drafted decks": "more/drafted decks.db", "policies": "policies.db"}


@pytest.fixture(scope="module")
def reports(studio_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The reports of the usual runs, and of one with a surrogate, in a folder with nothing else."""
    folder = tmp_path_factory.mktemp("reports")
    write_trials(folder / "trials")
    stores = {name: studio_runs / file for name, file in RUNS.items()} | {"surrogate": folder / "trials/surrogate.db"}
    files = {name: folder / f"{name}.html" for name in stores}
    for name, store in stores.items():
        write_report(open_run(store), files[name])
    return files


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network; the test fails if a script does, or if the page asks for anything."""
    context = browser.new_context(viewport=WIDE, offline=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = context.new_page()
    problems: list[str] = []
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    shown.on("request", lambda asked: None if asked.url.startswith(("file:", "blob:")) else problems.append(asked.url))
    yield shown
    context.close()
    assert not problems


@pytest.fixture(scope="module")
def view(studio_runs: Path) -> RunView:
    return open_run(studio_runs / "hunter.db")


def opened(page: Page, report: Path, state: str = "") -> None:
    page.goto(f"{report.as_uri()}{state}")
    page.get_by_role("button", name="Map of elites").wait_for()


# What it carries is what the studio answers


@pytest.mark.parametrize("name", RUNS)
def test_recorded_answers_are_those_of_the_studio(client: TestClient, studio_runs: Path, name: str) -> None:
    (run,) = [each["id"] for each in client.get("/api/runs").json() if each["name"].endswith(name)]
    path = studio_runs / RUNS[name]
    found = answers_of(open_run(path))
    assert len(found) > 10
    for end, answer in found.items():
        asked = client.get(f"{RUN.removesuffix('run')}{run}/{end}")
        assert asked.status_code == 200, end
        assert answer == _named(asked.json(), str(path), path.name), end


def _named(answer: object, path: str, name: str) -> object:
    """An answer whose commands name the file without its folders."""
    if isinstance(answer, str):
        return answer.replace(path, name)
    if isinstance(answer, list):
        return [_named(each, path, name) for each in answer]
    if isinstance(answer, dict):
        return {key: _named(each, path, name) for key, each in answer.items()}
    return answer


# What a person sees


def test_it_opens_with_the_numbers_and_the_best_deck(page: Page, reports: dict[str, Path], view: RunView) -> None:
    opened(page, reports["hunter"])
    expect(page).to_have_title("hunter: a map of elites")
    best, now = view.elites()[0], view.statistics
    assert best.rechecked is not None
    row = page.get_by_role("row", name="Best health difference")
    expect(row).to_contain_text(f"{best.objective.value:.4g} [{best.objective.low:.4g}, {best.objective.high:.4g}]")
    expect(page.get_by_role("row", name="The same on fresh games")).to_contain_text(f"{best.rechecked.value:.4g}")
    expect(page.get_by_role("row", name="Coverage What")).to_contain_text(f"{now.elites} elites in {now.cells} cells")
    expect(page.get_by_role("row", name="Evaluations 60 1,200 games")).to_be_visible()
    drawer = page.get_by_role("region", name=f"Deck {best.number}")
    for line in view.deck_list(best):
        expect(drawer.get_by_text(line.name, exact=True)).to_be_visible()
    picture(page, "report-1440-light")


def test_arrows_walk_the_map_and_enter_opens_a_deck(page: Page, reports: dict[str, Path], view: RunView) -> None:
    opened(page, reports["hunter"])
    best = view.elites()[0]
    cover = page.get_by_role("button", name="Map of elites")
    cover.focus()
    page.keyboard.press("Home")
    other = next(
        elite for elite in view.elites() if elite.cell[1] == best.cell[1] and abs(elite.cell[0] - best.cell[0]) == 1
    )
    page.keyboard.press("ArrowRight" if other.cell[0] > best.cell[0] else "ArrowLeft")
    expect(page.locator("#cell-in-words")).to_contain_text(f"cell {other.cell[0]}, {other.cell[1]}")
    page.keyboard.press("Enter")
    drawer = page.get_by_role("region", name=f"Deck {other.number}")
    expect(drawer).to_be_visible()
    drawer.get_by_role("button", name="Copy deck code").click()
    assert page.evaluate("() => navigator.clipboard.readText()") == view.code(other)
    expect(drawer.get_by_role("link")).to_have_count(0)


def test_what_is_chosen_is_in_the_address_and_comes_back(page: Page, reports: dict[str, Path], view: RunView) -> None:
    opened(page, reports["hunter"])
    page.get_by_role("combobox", name="Colour").select_option("games")
    page.get_by_role("button", name="True boundaries").click()
    page.get_by_role("combobox", name="Across").select_option(view.measures[1])
    expect(page.get_by_role("combobox", name="Up")).to_have_value(view.measures[0])
    options = page.get_by_role("combobox", name="Across").get_by_role("option")
    assert options.count() == len(view.measures)
    page.reload()
    expect(page.get_by_role("heading", name="Elites by games")).to_be_visible()
    expect(page.get_by_role("button", name="True boundaries")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("combobox", name="Across")).to_have_value(view.measures[1])


def test_a_card_is_searched_and_its_cells_are_counted(page: Page, reports: dict[str, Path], view: RunView) -> None:
    opened(page, reports["hunter"])
    elites = view.elites()
    gene, place = next(
        (gene, place)
        for place, gene in enumerate(view.description.genes)
        if 0 < sum(elite.solution[place] > 0 for elite in elites) < len(elites)
    )
    page.get_by_placeholder("a card's name").fill(gene.name)
    playing = sum(int(elite.solution[place] > 0) for elite in elites)
    expect(page.get_by_text(f"{playing} of them play {gene.name}, outlined")).to_be_visible()


def test_an_elite_of_earlier_shows_its_deck_and_says_that_the_rest_is_elsewhere(
    page: Page, reports: dict[str, Path], view: RunView
) -> None:
    filling = answers_of(view)["map"]["filling"]
    elites = {*view.archive.elites.tolist()}
    place = next(at for at, number in enumerate(filling["number"]) if number not in elites)
    rows = view.archive.cells.shape[1]
    x, y = divmod(filling["cell"][place], rows)
    opened(page, reports["hunter"], f"#at={filling['found'][place]}&cell={x},{y}&open=1")
    drawer = page.get_by_role("region", name=f"Deck {filling['number'][place]}")
    expect(drawer.get_by_text("this report has no more about it; the studio has")).to_be_visible()
    number = filling["objective"]["value"][place]
    expect(drawer.get_by_role("row", name="health difference")).to_contain_text(f"{number:.4g}")
    assert drawer.get_by_role("listitem").count() > 10


def test_the_best_elites_patterns_and_cards_in_games_are_listed(
    page: Page, reports: dict[str, Path], view: RunView
) -> None:
    opened(page, reports["hunter"])
    for elite in view.elites()[:6]:
        shown = page.get_by_role("article", name=f"Deck {elite.number}", exact=True)
        expect(shown.get_by_role("heading").first).to_have_text(
            f"Deck {elite.number}, cell {elite.cell[0]}, {elite.cell[1]}"
        )
        expect(shown.get_by_role("list", name="Deck list").get_by_role("listitem")).to_have_count(
            len(view.deck_list(elite))
        )
    (told,) = [answer for name, answer in answers_of(view).items() if name.startswith("map/patterns")]
    table = page.get_by_role("region", name="Patterns of the map")
    expect(table.get_by_role("row")).to_have_count(1 + len(told["patterns"]))
    expect(table.get_by_role("row").nth(1)).to_contain_text(", ".join(told["patterns"][0]["cards"]))
    best = view.elites()[0]
    page.locator("summary", has_text=re.compile(f"^Deck {best.number}$")).click()
    cards = page.get_by_role("region", name="Cards in games").first
    expect(cards.get_by_role("row")).to_have_count(1 + len(view.cards_in_games(best.number)))


def test_how_to_reproduce_it_has_the_digest(page: Page, reports: dict[str, Path], view: RunView) -> None:
    opened(page, reports["hunter"])
    expect(page.get_by_text(view.digest)).to_be_visible()
    expect(page.get_by_text("--recheck --recheck-games 10 --cards --swap-out")).to_be_visible()
    page.get_by_text("Save this as").click()
    expect(page.get_by_text("[evaluation]")).to_be_visible()


def test_nothing_that_needs_a_server_is_offered(page: Page, reports: dict[str, Path]) -> None:
    opened(page, reports["hunter"])
    expect(page.get_by_role("heading", name="How to reproduce it")).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Minus")).to_have_count(0)
    expect(page.get_by_text("Drag a box")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("name", ["hunter", "drafted decks", "policies", "surrogate"])
def test_everyone_can_read_it(page: Page, reports: dict[str, Path], name: str) -> None:
    opened(page, reports[name])
    page.wait_for_function("() => document.querySelectorAll('.chart svg').length >= 3")
    expect(page.get_by_role("alert")).to_have_count(0)
    check_access(page, f"report-{name.replace(' ', '-')}")
    page.set_viewport_size(NARROW)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]


def test_names_with_markup_stay_text(
    page: Page, studio_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = "</script><img src=x onerror=document.title=1>\u202e"
    monkeypatch.setattr(RunView, "name", bad)
    write_report(open_run(studio_runs / "policies.db"), tmp_path / "bad.html")
    opened(page, tmp_path / "bad.html")
    expect(page.get_by_role("heading", level=1)).to_have_text(bad.replace("\u202e", "\\u202e"))
    expect(page.locator("img")).to_have_count(0)
