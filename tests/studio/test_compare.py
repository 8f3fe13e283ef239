"""Runs side by side: groups of trials, bands, tests, the difference of two maps, shared elites."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas import locm, open_run
from deckatlas.stats.anova import pairwise_tests
from deckatlas.studio.app import Options, create_app
from deckatlas.views.map_curves import curve_of, range_of
from deckatlas.views.run_comparison import cards_in_common, compared, shared_elites
from helpers.studio import NARROW, picture, served
from helpers.studio_pages import check_cells

SEARCHES = ("map-elites", "random-solutions")
ALL = [f"{search}-{seed}" for search in SEARCHES for seed in (1, 2, 3)]


@pytest.fixture(scope="module")
def trials(all_trials: Path) -> Path:
    return all_trials


@pytest.fixture(scope="module")
def address(trials: Path) -> Iterator[str]:
    with served(Options(trials)) as found:
        yield found


@pytest.fixture(scope="module")
def client(trials: Path) -> TestClient:
    return TestClient(create_app(Options(trials)), base_url="http://127.0.0.1")


def test_runs_that_differ_by_seed_are_trials_of_one_group(client: TestClient, trials: Path) -> None:
    found = client.get("/api/compare", params={"runs": ALL}).json()
    assert [[trial["id"] for trial in group["trials"]] for group in found["groups"]] == [ALL[:3], ALL[3:]]
    assert found["band"] == "from the lowest to the highest trial"
    best = next(number for number in found["numbers"] if number["name"] == "best")
    band = range_of([curve_of(open_run(trials / f"{name}.db")) for name in ALL[:3]], "best")
    assert best["over"]["evaluations"][0]["value"] == pytest.approx(band.value.tolist(), rel=1e-5)
    assert best["over"]["games"][0]["at"] == pytest.approx((6 * band.evaluated).tolist())  # six games each
    assert np.all(np.diff(best["over"]["seconds"][0]["at"]) >= 0)


def test_final_numbers_are_tested_over_trials(client: TestClient, trials: Path) -> None:
    found = client.get("/api/compare", params={"runs": ALL}).json()
    for number in found["numbers"]:
        if number["name"] in ("best", "qd_score", "coverage"):
            ends = {
                search: [
                    float(getattr(open_run(trials / f"{search}-{seed}.db").statistics, number["name"]))
                    for seed in (1, 2, 3)
                ]
                for search in SEARCHES
            }
            (expected,) = pairwise_tests(ends).values()
            (difference,) = number["differences"]
            assert difference["difference"]["value"] == pytest.approx(expected.difference.value)
            assert difference["p"] == pytest.approx(expected.p)


def test_no_interval_of_a_difference_of_shares_is_beyond_all_of_the_map(tmp_path: Path) -> None:
    found = [
        locm.map_elites(
            "deck",
            algorithm="random-solutions",
            evaluations=2,
            games=games,
            measures=["num_turns"],
            resolution=2,
            seed=seed,
            path=tmp_path / f"{games}-games-{seed}.db",
        )
        for games in (2, 4)
        for seed in (1, 2)
    ]
    assert [each.statistics.coverage for each in found] == [1.0, 1.0, 1.0, 0.5]
    (tested,) = compared(found).differences("coverage")
    assert tested.test is not None
    assert tested.test.difference.low < -1
    assert (tested.difference.value, tested.difference.low) == (-0.25, -1)
    assert tested.difference.high == tested.test.difference.high


def test_a_test_with_one_degree_of_freedom_says_so_in_the_singular(client: TestClient) -> None:
    of_three = {"runs": ["map-elites-1", "map-elites-2", "random-solutions-1"]}
    of_four = {"runs": [*of_three["runs"], "random-solutions-2"]}
    for runs, words in ((of_three, "1 degree of freedom"), (of_four, "2 degrees of freedom")):
        for number in client.get("/api/compare", params=runs).json()["numbers"]:
            assert [each["test"].rpartition(", ")[2] for each in number["differences"]] == [words]


def test_two_single_runs_are_compared_by_their_games(client: TestClient) -> None:
    found = client.get("/api/compare", params={"runs": ["map-elites-1", "random-solutions-1"]}).json()
    best = next(number for number in found["numbers"] if number["name"] == "best")
    assert [each["test"] for each in best["differences"]] == ["interval over games of the best of each run"]
    assert not any(number["differences"] for number in found["numbers"] if number["name"] != "best")


def test_shared_elites_are_the_same_decks(trials: Path) -> None:
    one, other = (open_run(trials / f"{name}-1.db") for name in SEARCHES)
    shared = shared_elites(one, other)
    assert shared  # both searches begin with the same random decks
    for each in shared:
        assert np.array_equal(one.log.solutions[each.number], other.log.solutions[each.other])
    assert cards_in_common(one, one) == one.description.layout.deck_size


def test_runs_of_different_kinds_are_refused_in_one_line(client: TestClient) -> None:
    refused = client.get("/api/compare", params={"runs": ["map-elites-1", "evolution-1"]})
    assert refused.status_code == 409
    assert refused.json() == {"error": "maps and evolutions have different numbers: compare runs of one kind"}


def test_maps_of_different_things_have_curves_and_no_difference(client: TestClient) -> None:
    found = client.get("/api/compare", params={"runs": ["map-elites-1", "surrogate"]})
    assert found.status_code == 200
    assert (
        found.json()["no_difference"]
        == "map-elites-1 and surrogate search different things, so their maps cannot be compared"
    )
    assert found.json()["overlap"] is None
    assert [each["name"] for each in found.json()["numbers"]] == ["best", "mean", "coverage", "qd_score"]


def test_people_compare_two_searches(page: Page, client: TestClient, trials: Path) -> None:
    page.goto(f"/compare?runs={','.join(ALL)}")
    table = page.get_by_role("region", name="Final numbers")
    best = [open_run(trials / f"map-elites-{seed}.db").statistics.best for seed in (1, 2, 3)]
    expect(table.get_by_role("row", name="map-elites-1")).to_contain_text(f"{np.mean(best):.4g}")
    found = client.get("/api/compare", params={"runs": ALL}).json()
    tests = page.get_by_role("region", name="Differences").get_by_role("row")
    expect(tests.nth(1)).to_contain_text(found["numbers"][0]["differences"][0]["test"])
    expect(page.get_by_text("cells that both have differ beyond noise")).to_be_visible()
    picture(page, "compare")
    page.get_by_role("button", name="seconds of work").click()
    expect(page).to_have_url(f"/compare?runs={'%2C'.join(ALL)}&over=seconds")
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark")
    expect(table.get_by_role("row", name="map-elites-1")).to_be_visible()
    check_cells(page)
    picture(page, "compare-narrow-dark")
    page.get_by_role("link", name="Open the difference as a map").click()
    expect(page.get_by_role("heading", name="Map of map-elites-1")).to_be_visible()


def test_people_compare_two_evolutions(page: Page) -> None:
    page.goto("/compare?runs=evolution-1,evolution-2")
    expect(page.get_by_role("heading", name="Best score of the generation")).to_be_visible()
    expect(page.locator("figure svg")).to_have_count(2)
    picture(page, "compare-evolutions")
