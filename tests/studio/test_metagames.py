"""Metagames: shipped ones, files of the folder and stored games; the matrix fills in while games are played."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas import hearthstone, locm
from deckatlas.metagame.analysis import Analysis
from deckatlas.runs.loop import Standing
from deckatlas.studio.app import Options, create_app
from helpers.studio import FIELD, NARROW, picture, served

GAMES = 40


def write_field(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "six.toml"
    file.write_text('pilot = "greedy"\n' + "".join(f'\n[[deck]]\ndeck = "{deck}"\n' for deck in FIELD))
    return file


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Analysis, Analysis]:
    folder = tmp_path_factory.mktemp("metagames") / "runs"
    of_decks = hearthstone.metagame(str(write_field(folder)), games=GAMES, store=folder)
    of_drafts = locm.metagame("drafts", games=GAMES, pilot="greedy", store=folder)
    return folder, of_decks, of_drafts


@pytest.fixture(scope="module")
def asked(played: tuple[Path, Analysis, Analysis]) -> TestClient:
    return TestClient(create_app(Options(played[0])), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def home(played: tuple[Path, Analysis, Analysis]) -> Iterator[str]:
    with served(Options(played[0])) as found:
        yield found


def test_shipped_metagames_and_files_and_their_games_are_listed(
    asked: TestClient, played: tuple[Path, Analysis, Analysis]
) -> None:
    lines = {line["name"]: line for line in asked.get("/api/metagames").json()}
    assert {"field", "field-2018", "atlas", "drafts", "six"} == lines.keys()
    assert lines["six"]["source"] == "file"
    assert lines["six"]["games"] == played[1].matchups.games
    assert lines["drafts"]["source"] == "shipped"  # found by its decks, although the pilot is another
    assert lines["drafts"]["pilots"] == ["greedy"]
    assert lines["field"]["state"] == "unplayed"


@pytest.mark.parametrize("number", [1, 2])
def test_all_numbers_are_those_of_the_analysis(
    asked: TestClient, played: tuple[Path, Analysis, Analysis], number: int
) -> None:
    analysis = played[number]
    assert isinstance(analysis, Analysis)
    line = next(line for line in asked.get("/api/metagames").json() if line["name"] == analysis.metagame.name)
    shown = asked.get(f"/api/metagames/{line['id']}").json()
    mix = asked.get(f"/api/metagames/{line['id']}/mix").json()
    assert [deck["name"] for deck in shown["decks"]] == list(analysis.names)
    assert shown["order"] == analysis.order
    for at, deck in enumerate(shown["decks"]):
        assert deck["rating"]["value"] == analysis.matchups.ratings[at].value
        assert deck["score"]["low"] == analysis.score(at).low
        assert mix["shares"][at]["high"] == analysis.mix.share(at).high
    assert np.allclose(mix["chance"], analysis.mix.chance)
    assert [tuple(each["decks"]) for each in shown["cycles"]] == [each.decks for each in analysis.cycles]
    for each in shown["matchups"]:
        assert each["rate"]["value"] == analysis.matchups.rate(each["a"], each["b"]).value


def test_stored_games_of_decks_that_no_name_is_known_for_are_shown(tmp_path: Path) -> None:
    file = write_field(tmp_path / "elsewhere")
    hearthstone.metagame(str(file), games=2, store=tmp_path / "runs")
    client = TestClient(create_app(Options(tmp_path / "runs")), base_url="http://127.0.0.1")
    line = next(line for line in client.get("/api/metagames").json() if line["source"] == "stored")
    shown = client.get(f"/api/metagames/{line['id']}").json()
    assert [deck["name"] for deck in shown["decks"]][:2] == ["Hunter 1", "Warlock 1"]


def test_games_are_listed_under_the_file_beside_them(tmp_path: Path) -> None:
    in_root = write_field(tmp_path)
    in_root.rename(tmp_path / "another.toml")
    file = write_field(tmp_path / "more")
    hearthstone.metagame(str(file), games=2, store=file.parent)
    client = TestClient(create_app(Options(tmp_path)), base_url="http://127.0.0.1")
    lines = {line["name"]: line for line in client.get("/api/metagames").json() if line["source"] == "file"}
    assert {name: line["state"] for name, line in lines.items()} == {"six": "finished", "another": "unplayed"}
    words = shlex.split(client.get(f"/api/metagames/{lines['six']['id']}").json()["code"]["command"])
    assert words[:4] == ["deckatlas", "meta", "show", str(file)]
    alone = TestClient(create_app(Options(next(file.parent.glob("*.db")))), base_url="http://127.0.0.1")
    assert "six" in {line["name"] for line in alone.get("/api/metagames").json()}


def test_offered_lines_name_the_folder_of_the_games(tmp_path: Path) -> None:
    folder = tmp_path / "more games"
    locm.metagame("drafts", games=2, pilot="greedy", store=folder)
    client = TestClient(create_app(Options(tmp_path)), base_url="http://127.0.0.1")
    code = client.get("/api/metagames/shipped.locm.drafts").json()["code"]
    words = shlex.split(code["command"])
    assert words[words.index("--store") + 1] == str(folder)
    assert f"store={str(folder)!r}" in code["python"]
    file = next(folder.glob("*.db"))
    of_another = TestClient(create_app(Options(file)), base_url="http://127.0.0.1")
    code = of_another.get("/api/metagames/shipped.hearthstone.field").json()["code"]
    assert shlex.split(code["command"])[-3:] == [str(folder), "--picture", "metagame.png"]


def test_people_walk_the_matrix_to_a_game(page: Page, home: str, played: tuple[Path, Analysis, Analysis]) -> None:
    analysis = played[1]
    page.goto(f"{home}/metagames?game=hearthstone")
    page.get_by_role("link", name="six").click()
    first, second = (analysis.names[at] for at in analysis.order[:2])
    page.locator("rect.cell", has_text=f"{first} against {second}").click()
    rate = analysis.matchups.rate(*analysis.order[:2])
    told = page.get_by_test_id("matchup")
    expect(told).to_contain_text(f"{100 * rate.value:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}]")
    game = told.get_by_role("link", name="a game of it").get_attribute("href") or ""
    best = page.get_by_role("table", name="Decks").get_by_role("row").nth(1)
    expect(best).to_contain_text(first)
    expect(best).to_contain_text(f"{100 * analysis.score(analysis.order[0]).value:.1f} %")
    expect(page.get_by_text("resampled matrices.").first).to_contain_text("400")
    picture(page, "metagame")
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    picture(page, "metagame-narrow-dark")
    page.goto(f"{home}/metagames/shipped.hearthstone.field")
    expect(page.get_by_text("deckatlas meta show field --games 200")).to_be_visible()
    picture(page, "metagame-unplayed")
    page.goto(home + game)
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{first} against {second}")
    expect(page.get_by_role("region", name="Actions").get_by_role("button").first).to_be_visible()


def test_a_share_has_its_interval_even_if_all_resampled_matrices_agree(
    page: Page, home: str, played: tuple[Path, Analysis, Analysis]
) -> None:
    analysis = played[2]
    at = analysis.names.index("random")
    share = analysis.mix.share(at)
    assert (share.value, share.low, share.high) == (0, 0, 0)
    page.goto(f"{home}/metagames/shipped.locm.drafts")
    row = page.get_by_role("table", name="Decks").get_by_role("row", name="random")
    expect(row).to_contain_text("0.0 % [0.0, 0.0]")


def test_the_matrix_fills_in_while_games_are_played(page: Page, tmp_path: Path) -> None:
    class Enough(Exception):  # noqa: N818 - ends a run as a signal would
        pass

    def stop(standing: Standing) -> None:
        if standing.games > 2500:
            raise Enough

    folder = tmp_path / "runs"
    options = {"games": 400, "samples": 2, "pilot": "greedy", "store": folder}
    with pytest.raises(Enough):
        locm.metagame("drafts", watch=stop, **options)  # type: ignore[arg-type]
    with served(Options(folder)) as home:
        page.goto(f"{home}/metagames/shipped.locm.drafts")
        expect(page.get_by_text("Not all pairs have played. This command resumes it:")).to_be_visible()
        expect(page.locator("rect.cell.none").first).to_be_visible()
        expect(page.locator("rect.cell.above").first).to_be_visible()
        picture(page, "metagame-stopped")
        whole = locm.metagame("drafts", **options)  # type: ignore[arg-type]
        expect(page.locator("rect.cell.none")).to_have_count(0)
        expect(page.get_by_text(f"{whole.matchups.games:,} of {whole.matchups.games:,} games")).to_be_visible()
        page.goto("about:blank")  # before its events end
