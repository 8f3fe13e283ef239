"""Balance verdicts: studies are found in the folder, and every sentence leads to its evidence."""

import math
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas.balancing.study import Study
from deckatlas.studio.app import Options, create_app
from deckatlas.views.balance_page import balance_csv
from deckatlas.views.study_charts import CHARTS
from helpers.as_code import check_drawn
from helpers.command_line import CommandLine
from helpers.studio import NARROW, WIDE, picture, served, write_studies
from helpers.studio_pages import check_access, check_menus, shown


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Study, Study]:
    folder = tmp_path_factory.mktemp("studies") / "runs"
    return (folder, *write_studies(folder))


@pytest.fixture(scope="module")
def asked(studies: tuple[Path, Study, Study]) -> TestClient:
    return TestClient(create_app(Options(studies[0])), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def home(studies: tuple[Path, Study, Study]) -> Iterator[str]:
    with served(Options(studies[0])) as found:
        yield found


def id_of(asked: TestClient, patch: str) -> str:
    return next(str(line["id"]) for line in asked.get("/api/studies").json() if line["patch"].startswith(patch))


def test_studies_are_found_from_the_folder_alone(asked: TestClient, studies: tuple[Path, Study, Study]) -> None:
    lines = {line["patch"]: line for line in asked.get("/api/studies").json()}
    for study in studies[1:]:
        line = lines[study.subject.patch]
        assert line["state"] == "finished"
        assert line["games"] == study.games
        assert line["changes"] == sum(each.is_change for each in study.sentences)
        assert line["questions"] == len(study.sentences)
        assert line["intents"] == [each.verdict for each in study.outcomes]


def test_a_kept_verdict_is_the_study_s(asked: TestClient, studies: tuple[Path, Study, Study]) -> None:
    study = studies[1]
    found = asked.get(f"/api/studies/{id_of(asked, 'houndmaster')}").json()
    verdict = found["record"]["verdict"]
    assert [each["text"] for each in verdict["sentences"]] == [each.text for each in study.sentences]
    assert [each["adjusted_p"] for each in verdict["matchups"]] == [each.adjusted_p for each in study.matchups]
    assert verdict["matrices"]["before"] == study.field.before.rates.tolist()
    assert [each["text"] for each in verdict["intents"]] == [each.text for each in study.outcomes]
    filled = {
        int(cell) for trial in study.trials for half in trial.halves for cell in half.maps["hunter", "greedy"].cell
    }
    drawn = verdict["maps"][0]
    either = zip(drawn["before"], drawn["after"], strict=True)
    assert {cell for cell, both in enumerate(either) if any(each is not None for each in both)} == filled


def test_the_table_of_answers_is_that_of_the_command(asked: TestClient, studies: tuple[Path, Study, Study]) -> None:
    assert asked.get(f"/api/studies/{id_of(asked, 'houndmaster')}/answers.csv").text == balance_csv(studies[1])


@pytest.mark.long
@pytest.mark.parametrize("patch", ["houndmaster", "slimer"])
def test_offered_lines_draw_each_chart_of_a_study(
    asked: TestClient,
    patch: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = asked.get(f"/api/studies/{id_of(asked, patch)}").json()
    kinds = [chart["what"] for chart in found["charts"]]
    assert kinds == (["decks", "matrix"] if patch == "slimer" else [*CHARTS])
    for chart in found["charts"]:
        check_drawn(chart["code"], CommandLine(monkeypatch, capsys), tmp_path)


def test_offered_lines_name_the_folder_of_the_study(studies: tuple[Path, Study, Study], tmp_path: Path) -> None:
    record = next(studies[0].glob("slimer*.study.json"))
    folder = tmp_path / "of one patch"
    folder.mkdir()
    (folder / record.name).write_text(record.read_text())
    client = TestClient(create_app(Options(tmp_path)), base_url="http://127.0.0.1")
    found = client.get(f"/api/studies/{id_of(client, 'slimer')}").json()
    words = shlex.split(found["code"]["command"])
    assert words[words.index("--store") + 1] == str(folder)
    assert f"store={str(folder)!r}" in found["code"]["python"]
    for chart in found["charts"]:
        assert str(folder / record.name) in shlex.split(chart["code"]["command"])


def test_damaged_records_leave_the_others_alone(
    studies: tuple[Path, Study, Study], tmp_path: Path, asked: TestClient
) -> None:
    good = next(studies[0].glob("houndmaster*.study.json"))
    text = good.read_text()
    (tmp_path / "good.study.json").write_text(text)
    (tmp_path / "cut.study.json").write_text(text[: len(text) // 2])
    (tmp_path / "later.study.json").write_text(text.replace('"format": 1', '"format": 99'))
    (tmp_path / "other.study.json").write_text("[]")
    (tmp_path / "wrong.study.json").write_text(text.replace('"games": ', '"games": "many", "games2": '))
    client = TestClient(create_app(Options(tmp_path)), base_url="http://127.0.0.1")
    states = {line["name"]: (line["state"], bool(line["problem"])) for line in client.get("/api/studies").json()}
    unreadable = ("unreadable", True)
    assert states == {
        "good": ("finished", False),
        **dict.fromkeys(("cut", "later", "other", "wrong"), unreadable),
    }
    assert client.get("/api/studies/cut").status_code == 409
    assert client.get("/api/studies/..%2Fgood").status_code == 404


def test_people_read_a_verdict_and_follow_its_sentences(
    page: Page, home: str, studies: tuple[Path, Study, Study]
) -> None:
    study = studies[1]
    page.goto(f"{home}/studies")
    page.get_by_role("link", name="houndmaster-9-9").click()
    expect(page.get_by_role("heading", name="houndmaster-9-9")).to_be_visible()
    for change in study.subject.changes:
        expect(page.get_by_text(change.words)).to_be_visible()
    listed = page.locator("#verdict li")
    changes = [each.text for each in study.sentences if each.is_change]
    expect(listed).to_have_count(min(12, len(changes)))
    expect(listed.first).to_contain_text(changes[0])
    picture(page, "study")
    listed.filter(has_text="win rate of Midrange Hunter").get_by_role("link").click()
    expect(page).to_have_url(f"{page.url.split('?')[0]}?show=decks&on=Midrange+Hunter+%28ladder%29")
    expect(page.locator("#decks svg[role=img]")).to_be_visible()
    page.locator("#intents").get_by_role("link", name="Houndmaster in at most 30 % of hunter elites").click()
    expect(page.locator("#cards .marked").first).to_have_text("Houndmaster")
    expect(page.locator("#intents")).to_contain_text(study.outcomes[0].verdict)


def test_people_read_a_verdict_of_the_other_game(page: Page, home: str, studies: tuple[Path, Study, Study]) -> None:
    study = studies[2]
    page.goto(f"{home}/studies")
    page.get_by_role("link", name="slimer").click()
    for change in study.subject.changes:
        expect(page.get_by_text(change.words)).to_be_visible()
    counts = Counter("changes" if each.is_change else each.claim for each in study.sentences)
    for kind, count in counts.items():
        expect(page.get_by_role("button", name=f"{count} {kind}")).to_be_visible()
    page.get_by_role("button", name="undecided").click()
    undecided = next(each for each in study.sentences if each.claim == "undecided")
    expect(page.locator("#verdict li").first).to_contain_text(undecided.text)


def test_people_open_a_matchup_of_the_difference(page: Page, home: str, studies: tuple[Path, Study, Study]) -> None:
    study = studies[1]
    moved = max(study.matchups, key=lambda each: abs(each.question.shift.value)).question
    page.goto(f"{home}/studies")
    page.get_by_role("link", name="houndmaster-9-9").click()
    page.locator("#matrix rect", has_text=f"{moved.subject} against {moved.place}").click()
    told = page.get_by_test_id("matchup")
    expect(told).to_contain_text(f"{100 * moved.before.value:.1f} %")
    expect(told).to_contain_text(f"{100 * moved.difference.value:+.1f} points")
    assert "first=" in (told.get_by_role("link", name="a game of it").get_attribute("href") or "")
    page.locator("#matrix svg").focus()
    page.keyboard.press("ArrowDown")
    expect(told).not_to_contain_text(f"{moved.subject} against {moved.place}")
    page.locator("#maps rect.above, #maps rect.below").first.click()
    expect(page.locator("#maps")).to_contain_text("Hunter elites with mean mana cost")
    picture(page, "study-matchup")


def test_the_maps_of_a_study_are_saved_side_by_side(page: Page, home: str, asked: TestClient) -> None:
    page.goto(f"{home}/studies/{id_of(asked, 'houndmaster')}")
    figure = page.locator("#maps figure").first
    figure.get_by_text("Export").click()
    with page.expect_download() as saved:
        figure.get_by_role("button", name="SVG").click()
    whole = ElementTree.fromstring(saved.value.path().read_text())
    paints = {each.attrib[name] for each in whole.iter() for name in ("fill", "stroke") if name in each.attrib}
    assert {paint for paint in paints if not re.fullmatch(r"none|rgba?\([\d., ]+\)", paint)} == set()
    empty, scale = figure.locator("path.hatched").last, figure.locator("svg").last
    verdict = asked.get(f"/api/studies/{id_of(asked, 'houndmaster')}").json()["record"]["verdict"]
    drawn = verdict["maps"][0]
    has_empty = any(None in both for both in zip(drawn["before"], drawn["after"], strict=True))
    assert bool(empty.get_attribute("d")) == has_empty
    expect(scale).to_contain_text("+25")
    expect(scale).to_contain_text("mean mana cost (mana)")
    maps = list(whole)
    assert [each.attrib["aria-label"].split(",")[0].split()[-1] for each in maps] == ["before", "after", "difference"]
    for one, other in pairwise(maps):
        assert float(one.attrib["x"]) + float(one.attrib["width"]) <= float(other.attrib["x"])
    with page.expect_download() as drawn:
        figure.get_by_role("button", name="PNG").click()
    height, width, _ = plt.imread(drawn.value.path()).shape
    assert (width, height) == tuple(math.ceil(2 * float(whole.attrib[side])) for side in ("width", "height"))


def test_names_of_patches_are_text(page: Page, home: str) -> None:
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{home}/studies")
    page.get_by_role("link", name="slimer <b>5-5</b>").click()
    expect(page.get_by_role("heading", name="slimer <b>5-5</b>")).to_be_visible()
    expect(page.locator("#decks svg[role=img]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    picture(page, "study-narrow-dark")
    page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
    picture(page, "study-dark")


def test_axe_finds_nothing_serious_in_a_verdict(page: Page, home: str, asked: TestClient) -> None:
    shown(page, f"{home}/studies/{id_of(asked, 'houndmaster')}")
    check_access(page, "study")


def test_menus_of_charts_of_a_verdict_are_in_the_window(page: Page, home: str, asked: TestClient) -> None:
    shown(page, f"{home}/studies/{id_of(asked, 'houndmaster')}")
    check_menus(page)
