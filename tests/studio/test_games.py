"""Game: a game of an evaluation and any other game, turn by turn, in both games."""

import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas.games import find
from deckatlas.runs.replaying import RunGames, StoredGame
from deckatlas.runs.view import RunView
from helpers.studio import NARROW, picture

MAGE = {"game": "hearthstone", "first": "Starter Mage", "second": "Aggro Hunter", "seed": "3"}


def _view(client: TestClient, run: str) -> RunView:
    return client.app.state.shelf.view(run)  # type: ignore[attr-defined, no-any-return]


def _first_lost(view: RunView, number: int) -> StoredGame:
    return next(game for game in RunGames(view).of(view, number) if game.result == "lost")


@pytest.mark.parametrize("name", ["hunter", "more/drafted decks", "policies"])
def test_a_game_of_a_run_ends_as_it_is_stored(client: TestClient, name: str) -> None:
    run = next(line["id"] for line in client.get("/api/runs").json() if line["name"] == name)
    view = _view(client, run)
    for game in RunGames(view).of(view, 3)[:4]:
        answer = client.get(f"/api/runs/{run}/decks/3/games/{game.number}").json()
        assert answer["agrees"]
        assert answer["stored"]["result"] == game.result
        won = None if answer["winner"] is None else answer["winner"] == game.meeting.seat
        assert {True: "won", False: "lost", None: "nobody won"}[won] == game.result


def test_games_that_do_not_exist_are_refused_in_one_line(client: TestClient) -> None:
    for address in ("hunter/decks/3/games/9999", "hunter/decks/99999/games/0"):
        answer = client.get(f"/api/runs/{address}")
        assert answer.status_code == 409
        assert "no " in answer.json()["error"]


@pytest.mark.parametrize("pilot", ["exec:touch x", "expert:net=/etc/passwd", "mcts:playouts=10000", "nobody", "a:,"])
def test_programs_files_and_slow_agents_are_refused(client: TestClient, pilot: str) -> None:
    answer = client.get("/api/games", params={**MAGE, "pilot": pilot})
    assert answer.status_code == 409
    assert "\n" not in answer.json()["error"]


def test_the_choices_can_be_played(client: TestClient) -> None:
    for choices in client.get("/api/games/choices").json():
        first, second = choices["players"][0], choices["players"][-1]
        asked = {"game": choices["game"], "first": first, "second": second, "pilot": choices["pilots"][-1]}
        assert client.get("/api/games", params=asked).json()["frames"]


def test_people_step_through_a_game_of_hearthstone(page: Page) -> None:
    replay = find("hearthstone").replay("Starter Mage", "Aggro Hunter", pilots=("fast", "greedy"), seed=3)
    page.goto(
        "/games?game=hearthstone&first=Starter Mage&second=Aggro Hunter&first_pilot=fast&second_pilot=greedy&seed=3"
    )
    expect(page.get_by_text(replay.ending).first).to_be_visible()
    actions = page.get_by_role("region", name="Actions")
    expect(actions.get_by_role("button")).to_have_count(len(replay.frames))
    board = page.get_by_role("list", name=re.compile("^Hand of Aggro Hunter"))
    hand = replay.frames[0].state["sides"][1]["hand"]
    expect(board.get_by_text("hidden card")).to_have_count(sum(not card["seen"] for card in hand))
    page.get_by_label("Both hands open").check()
    expect(board.get_by_role("link", name=hand[0]["name"]).first).to_be_visible()

    # A decision of the first player: its lines and its chance are those of the record.
    at = next(number for number, frame in enumerate(replay.frames) if frame.turn == 4 and frame.lines)
    page.goto(page.url + f"&at={at}")
    chance = replay.frames[at].chance
    assert chance is not None
    expect(page.get_by_text(f"Chance of first (fast): {round(100 * chance)} %")).to_be_visible()
    lines = page.get_by_role("region", name="Best lines").get_by_role("listitem")
    expect(lines).to_have_count(len(replay.frames[at].lines))
    expect(lines.first).to_contain_text(replay.frames[at].lines[0].words)
    expect(page.get_by_text("greedy (second) does not say what it considers.")).to_be_visible()
    picture(page, "game")

    # Keys: an action, a turn, the end, and play.
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"at={at + 1}"))
    expect(actions.locator("[aria-current=step]")).to_have_text(replay.frames[at + 1].words)
    page.keyboard.press("Shift+ArrowLeft")
    expect(page).to_have_url(re.compile(f"at={at}&|at={at}$"))
    page.keyboard.press("End")
    expect(page.get_by_role("region", name="Best lines")).to_contain_text("The game is over.")
    page.keyboard.press("Home")
    page.get_by_label("Speed").select_option("4")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("at=[2-9]"))
    page.keyboard.press("Space")

    page.get_by_label("Lines by").select_option("expert")
    expect(page.get_by_text("As the coach expert sees it")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    page.goto(page.url.replace("hands=open", "") + "&bottom=1")
    expect(
        page.get_by_role("list", name=re.compile("^Hand of Starter Mage")).get_by_text("hidden card")
    ).not_to_have_count(0)
    picture(page, "game-dark")
    page.set_viewport_size(NARROW)
    picture(page, "game-narrow-dark")


def test_people_see_the_draft_and_the_lanes_of_locm(page: Page, client: TestClient) -> None:
    view = _view(client, "policies")
    game = _first_lost(view, 3)
    replay = RunGames(view).replay(view, 3, game.number)
    page.goto(f"/runs/policies/decks/3/games/{game.number}?hands=open")
    expect(page.get_by_text(replay.ending).first).to_be_visible()
    expect(page.get_by_text("lost", exact=True).first).to_be_visible()
    first = replay.frames[0].state
    offer = page.get_by_role("list", name="The three cards of this pick")
    expect(offer.get_by_role("listitem")).to_have_count(3)
    expect(offer.get_by_text("taken", exact=True)).to_be_visible()
    for card in first["offer"]:
        expect(offer).to_contain_text(replay.cards[card]["name"])
    page.goto(page.url + "&at=45")
    expect(offer).to_be_visible()
    picture(page, "game-draft")

    at = next(number for number, frame in enumerate(replay.frames) if frame.turn == 6)
    page.goto(f"/runs/policies/decks/3/games/{game.number}?at={at}")
    for lane, name in enumerate(("left", "right")):
        region = page.get_by_role("region", name=f"The {name} lane")
        both = [each for side in replay.frames[at].state["sides"] for each in side["creatures"]]
        expect(region.get_by_role("link")).to_have_count(sum(each["lane"] == lane for each in both))
    expect(page.get_by_text("Health, own minus the other's.")).to_be_visible()  # nobody has armour
    expect(page.get_by_text("does not say what it considers").first).to_be_visible()
    page.get_by_label("Both hands open").check()
    page.get_by_label("Lines by").select_option("planner")
    expect(page.get_by_text("As the coach planner sees it")).to_be_visible()
    coached = RunGames(view).replay(view, 3, game.number, coach="planner").frames[at]
    lines = page.get_by_role("region", name="Best lines").get_by_role("listitem")
    expect(lines).to_have_count(len(coached.lines))
    expect(lines.first).to_contain_text(coached.lines[0].words)
    expect(lines.first).to_contain_text(str(coached.lines[0].rating))
    picture(page, "game-lanes")
    page.set_viewport_size(NARROW)
    picture(page, "game-lanes-narrow")


def test_people_choose_a_game(page: Page) -> None:
    page.goto("/games")
    page.get_by_label("Game").select_option("hearthstone")
    page.get_by_role("combobox", name="First", exact=True).fill("Face Hunter")
    page.get_by_role("combobox", name="Second", exact=True).fill("Zoo")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Face Hunter against Zoo")).to_be_visible()
    expect(page.get_by_role("region", name="Actions")).to_be_visible()
