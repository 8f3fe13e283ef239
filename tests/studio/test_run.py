"""The page of a run: how it was made, how it grew, what entered its map, and how it follows a run that is written."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from time import monotonic

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas import open_run
from deckatlas.runs.library import summary_at
from deckatlas.runs.view import RunView
from deckatlas.studio.app import Options, create_app
from deckatlas.views.map_curves import curve_of
from deckatlas.views.map_recheck import recheck_sentences
from helpers.studio import LONG, NARROW, picture, served


@pytest.fixture(scope="module")
def trials(studio_runs: Path, all_trials: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs of many kinds, and the usual map."""
    folder = tmp_path_factory.mktemp("trials") / "runs"
    copytree(all_trials, folder)
    (folder / "hunter.db").write_bytes((studio_runs / "hunter.db").read_bytes())
    return folder


@pytest.fixture(scope="module")
def address(trials: Path) -> Iterator[str]:
    with served(Options(trials)) as found:
        yield found


@pytest.fixture(scope="module")
def client(trials: Path) -> TestClient:
    return TestClient(create_app(Options(trials)), base_url="http://127.0.0.1")


# What the server says


def test_growth_is_that_of_the_figures(client: TestClient, trials: Path) -> None:
    found = client.get("/api/runs/map-elites-1/growth").json()
    curve = curve_of(open_run(trials / "map-elites-1.db"))
    lines = {line["name"]: line["values"] for line in found["lines"]}
    assert found["evaluations"] == curve.evaluated.tolist()
    assert found["games"][-1] == 720
    assert lines["qd_score"] == pytest.approx(curve.numbers["qd_score"].tolist(), rel=1e-5)


def test_settings_that_differ_from_the_defaults_are_marked(client: TestClient) -> None:
    settings = client.get("/api/runs/hunter/overview").json()["settings"]
    given = {each["key"] for each in settings if each["is_given"]}
    assert {"evaluation.games", "search.evaluations", "space.class"} <= given
    assert not {"space.pool", "search.window", "archive.remap"} & given


def test_what_a_recipe_fills_in_counts_as_default(client: TestClient) -> None:
    settings = client.get("/api/runs/surrogate/overview").json()["settings"]
    assert not [each["key"] for each in settings if each["is_given"] and each["key"].startswith("search.training.")]


def test_the_feed_says_what_each_elite_replaced(client: TestClient, trials: Path) -> None:
    view = open_run(trials / "map-elites-1.db")
    for entered in client.get("/api/runs/map-elites-1/feed").json():
        cells, objectives = view.archive.individual_cells, view.archive.objectives
        earlier = [number for number in range(entered["number"]) if cells[number] == cells[entered["number"]]]
        replaced = entered["before"] and entered["before"]["value"]
        assert replaced == (pytest.approx(max(objectives[earlier])) if earlier else None)
        assert objectives[entered["number"]] == pytest.approx(entered["objective"]["value"])
        if entered["parent"] is not None:
            change = sum(int(text[1 : text.index(" ")]) * (1 if text[0] == "+" else -1) for text in entered["changes"])
            assert change == 0  # a deck stays as large as its parent


def test_evolutions_have_generations_and_no_map(client: TestClient, trials: Path) -> None:
    view = open_run(trials / "evolution-1.db")
    found = client.get("/api/runs/evolution-1/growth").json()
    assert found["lines"][0]["values"] == pytest.approx([row.best for row in view.generations])
    assert client.get("/api/runs/evolution-1/feed").json() == []
    assert client.get("/api/runs/evolution-1/map").status_code == 409


# What people see


def test_the_page_of_a_map_shows_its_numbers(page: Page, trials: Path) -> None:
    view: RunView = open_run(trials / "hunter.db")
    page.goto("/runs/hunter")
    now = view.statistics
    expect(page.get_by_role("row", name="Coverage What").first).to_contain_text(
        f"{now.elites} elites in {now.cells} cells"
    )
    expect(page.get_by_role("row", name="QD score What").first).to_contain_text(f"{now.qd_score:.4g}")
    expect(page.get_by_role("row", name="Mean of the elites")).to_contain_text(f"n = {now.elites} elites")
    recheck = view.recheck()
    assert recheck is not None
    expect(page.get_by_role("row", name=f"of all {now.elites} former elites")).to_be_visible()
    expect(page.get_by_text(recheck_sentences(recheck)[0])).to_be_visible()
    expect(page.get_by_role("row", name="search.evaluations 60")).to_contain_text("(given)")
    expect(page.locator("figure svg")).to_have_count(4)
    picture(page, "run-map")
    page.set_viewport_size(NARROW)
    picture(page, "run-map-narrow")
    page.get_by_role("link", name="Open the map").click()
    expect(page.get_by_role("heading", name="Map of hunter")).to_be_visible()


def test_the_page_of_an_evolution_shows_its_generations(page: Page, trials: Path) -> None:
    page.goto("/runs/evolution-1")
    page.get_by_role("button", name="Table").click()
    rows = page.get_by_role("region", name="Best and mean of each generation").get_by_role("row")
    expect(rows).to_have_count(1 + len(open_run(trials / "evolution-1.db").generations))
    page.get_by_role("button", name="Table").click()
    page.emulate_media(color_scheme="dark")
    picture(page, "run-evolution-dark")


def test_the_page_of_a_search_with_a_surrogate_shows_its_errors(page: Page, trials: Path) -> None:
    page.goto("/runs/surrogate")
    expect(page.get_by_role("heading", name="Predicted against true: health difference")).to_be_visible()
    expect(page.get_by_role("heading", name="Error of health difference")).to_be_visible()
    picture(page, "run-surrogate")


def test_a_map_of_policies_is_one_row(page: Page, trials: Path) -> None:
    view = open_run(trials / "policies.db")
    page.goto("/runs/policies/map")
    expect(page.get_by_text(f"{len(view.archive)} of 5 cells have an elite")).to_be_visible()
    page.get_by_role("button", name="Map of elites").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    best = view.best()
    assert best is not None
    expect(page.get_by_role("region", name=f"Solution {best.number}")).to_be_visible()
    picture(page, "map-policies")


LIVE = """
name = "live"
space = { kind = "locm-deck" }
evaluation = { pilot = "greedy", games = 40, opponents = ["icebox/greedy"] }
search = { algorithm = "map-elites", objective = "avg_health_diff", evaluations = 1000000, initial = 20 }
archive = { kind = "grid", measures = ["deck_mana_mean", "num_turns"], resolution = [8, 8], ranges = [[2, 6], [4, 20]] }
"""


def writing(file: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A process that writes, or resumes, a run."""
    program = Path(sys.executable).with_name("deckatlas")
    command = [str(program), "run", str(file), "--store", str(folder), "--threads", "1"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_a_page_follows_a_run_through_its_death_and_resumption(page: Page, trials: Path, tmp_path: Path) -> None:
    file = tmp_path / "live.toml"
    file.write_text(LIVE)
    process = writing(file, trials)
    try:
        store = trials / "live.db"
        while not (store.is_file() and summary_at(store, "live").games > 0):
            assert process.poll() is None
            page.wait_for_timeout(50)
        page.goto("/runs/live")
        expect(page.get_by_text("running")).to_be_visible()
        games, feed, elites = (shown(page) for shown in (games_of, feed_of, painted))
        for now, before in ((games_of, games), (feed_of, feed), (painted, elites)):
            wait_until_changed(page, now, before)
        expect(page.get_by_text("left")).to_be_visible()
        picture(page, "run-live")
        process.send_signal(signal.SIGKILL)
        process.wait()
        expect(page.get_by_text("stopped")).to_be_visible()
        stopped = f"{summary_at(store, 'live').games:,}"
        expect(page.get_by_text(f"{stopped} of")).to_be_visible()
        process = writing(file, trials)
        expect(page.get_by_text("running")).to_be_visible()
        wait_until_changed(page, games_of, stopped)
    finally:
        process.kill()
        process.wait()


def games_of(page: Page) -> str:
    """The games that the page says were played."""
    return page.get_by_text(re.compile(r"[\d,]+ of [\d,]+ games")).inner_text().split()[0]


def feed_of(page: Page) -> str:
    return page.get_by_role("region", name="Entered the map last").inner_text()


def painted(page: Page) -> int:
    """How often the map was painted."""
    return int(page.evaluate("performance.getEntriesByName('map').length"))


def wait_until_changed(page: Page, shown: object, before: object) -> None:
    assert callable(shown)
    end = monotonic() + LONG
    while shown(page) == before:
        assert monotonic() < end, f"the page still shows {before}"
        page.wait_for_timeout(100)
