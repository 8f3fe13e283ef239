"""The patch lab: cards change in a table, mistakes and texts appear as one types, and a study is forecast."""

import tomllib
from time import monotonic
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, Route, expect

from deckatlas import hearthstone
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.study import field_games
from deckatlas.games import find
from helpers.studio import LONG, NARROW, picture

HIGHMANE = "EX1_534"


def check(client: TestClient, game: str, cards: dict[str, dict[str, int | str]]) -> dict[str, object]:
    answer = client.post("/api/patches/check", json={"game": game, "name": "tried", "cards": cards})
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_the_desk_has_the_values_of_the_edition(client: TestClient) -> None:
    desk = client.get("/api/patches/hearthstone", params={"edition": "classic-2014"}).json()
    edition = hearthstone.edition("classic-2014")
    shown = {card["id"]: card for card in desk["cards"]}
    assert shown.keys() == edition.by_id.keys()
    assert {card: shown[card]["values"]["cost"] for card in shown} == {card.id: card.cost for card in edition.cards}
    locm = client.get("/api/patches/locm").json()
    assert len(locm["cards"]) == 160


def test_every_card_s_own_values_are_a_patch_that_changes_nothing(client: TestClient) -> None:
    for game, few in (("hearthstone", slice(None, None, 97)), ("locm", slice(None, None, 40))):
        for card in client.get(f"/api/patches/{game}").json()["cards"][few]:
            found = check(client, game, {card["id"]: card["values"]})
            assert found["problems"] == []
            assert found["changes"] == []


def test_each_mistake_has_a_line_and_sound_cards_their_words(client: TestClient) -> None:
    cards: dict[str, dict[str, int | str]] = {
        HIGHMANE: {"cost": 4, "keywords": "deathrattle taunt"},
        "EX1_095": {"cost": -5},
        "CS2_029": {"effect": "no expression ("},
    }
    found = check(client, "hearthstone", cards)
    assert len(found["problems"]) == 2  # type: ignore[arg-type]
    changed = find("hearthstone").patched_cards({"name": "tried", "cards": {HIGHMANE: cards[HIGHMANE]}})
    assert found["changes"] == [{"card": each.card, "words": each.words} for each in changed.changes]
    assert found["texts"] == dict(changed.texts)
    assert tomllib.loads(str(found["toml"])) == {"name": "tried", "cards": cards}


def test_the_written_patch_is_the_checked_one(client: TestClient) -> None:
    found = check(client, "hearthstone", {HIGHMANE: {"cost": 4}})
    patch = hearthstone.Patch.from_toml(str(found["toml"]))
    assert hearthstone.edition().patched(patch)[HIGHMANE].cost == 4


@pytest.mark.parametrize("base", ["../../etc/passwd.toml", "/etc/hostname", "patch.toml"])
@pytest.mark.parametrize("game", ["hearthstone", "locm"])
def test_a_base_is_a_name_and_never_a_file(client: TestClient, game: str, base: str) -> None:
    body = {"game": game, "name": "x", "base": base, "cards": {"1": {"cost": 1}}}
    (problem,) = client.post("/api/patches/check", json=body).json()["problems"]
    assert "edition" in problem
    assert client.get(f"/api/patches/{game}", params={"edition": base}).status_code == 409


def test_a_forecast_counts_the_games_of_the_study(client: TestClient) -> None:
    body = {"game": "locm", "name": "x", "cards": {"1": {"cost": 3}}, "intents": ["nobody win rate at most 50"]}
    found = client.post("/api/patches/forecast", json=body).json()
    game = find("locm")
    subject = game.balance_subject(game.patched_cards({"name": "x", "cards": {"1": {"cost": 3}}}).patch)
    assert [each["name"] for each in found["efforts"]] == [each.name for each in subject.efforts]
    for shown, effort in zip(found["efforts"], subject.efforts, strict=True):
        assert shown["field_games"] == field_games(subject, StudyPlan(effort, client.app.state.shelf.folder))  # type: ignore[attr-defined]
        assert "there is no policy 'nobody'" in shown["problem"]
        assert shown["seconds"] > 0


def test_people_write_a_patch(page: Page) -> None:
    page.goto("/patches?game=hearthstone")
    page.get_by_role("searchbox", name="Search cards").fill("savannah")
    page.get_by_role("spinbutton", name="cost of Savannah Highmane").fill("4")
    expect(page.get_by_text("costs 4 instead of 6")).to_be_visible()
    expect(page.locator(".sign.good", has_text="2")).to_be_visible()
    page.get_by_role("textbox", name="keywords of Savannah Highmane").fill("deathrattle taunt")
    row = page.get_by_role("row", name="Savannah Highmane")
    expect(row).to_contain_text("Taunt. Deathrattle: Summon two 2/2 Hyenas.")
    page.get_by_role("spinbutton", name="attack of Savannah Highmane").fill("5")
    expect(page.locator(".sign.bad", has_text="1")).to_be_visible()
    expect(page.locator("pre").first).to_contain_text(f"[cards.{HIGHMANE}]")
    expect(page.get_by_role("button", name="quick")).to_be_visible()
    expect(page.get_by_text("deckatlas balance hearthstone my-patch.toml --effort quick")).to_be_visible()
    picture(page, "patches")
    page.reload()  # the patch is in the address
    expect(page.get_by_role("spinbutton", name="cost of Savannah Highmane")).to_have_value("4")
    page.get_by_role("spinbutton", name="cost of Savannah Highmane").fill("99")
    expect(page.get_by_text("which is not between 0 and 25")).to_be_visible()


def test_no_study_is_forecast_of_a_patch_before_it_is_checked(page: Page) -> None:
    forecast: list[Any] = []
    page.on("request", lambda asked: forecast.append(asked.post_data_json) if "/forecast" in asked.url else None)
    page.goto("/patches?game=hearthstone")
    page.get_by_role("searchbox", name="Search cards").fill("savannah")
    cost = page.get_by_role("spinbutton", name="cost of Savannah Highmane")
    cost.fill("4")
    expect(page.get_by_role("button", name="quick")).to_be_visible()
    waiting: list[Route] = []
    page.route("**/api/patches/check", lambda route: waiting.append(route))
    cost.fill("99")
    end = monotonic() + LONG
    while not waiting:
        assert monotonic() < end, "the page does not ask for a check of the changed patch"
        page.wait_for_timeout(10)
    waiting[0].continue_()
    expect(page.get_by_text("which is not between 0 and 25")).to_be_visible()
    assert {asked["cards"][HIGHMANE]["cost"] for asked in forecast} == {4}


def test_people_write_a_patch_of_the_other_game_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    page.emulate_media(color_scheme="dark")
    page.goto("/patches?game=locm")
    page.get_by_role("searchbox", name="Search cards").fill("slimer")
    page.get_by_role("spinbutton", name="attack of Slimer").fill("5")
    expect(page.get_by_text("has 5 attack instead of 2")).to_be_visible()
    expect(page.get_by_role("button", name="thorough")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    picture(page, "patches-narrow-dark")
