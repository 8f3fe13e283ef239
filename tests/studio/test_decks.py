"""Deck: a solution of a run, and decks by name and code, in both games."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from deckatlas import hearthstone
from deckatlas.games import find
from deckatlas.games.deck_listing import mana_curve
from deckatlas.runs.replaying import RunGames, rates_by_opponent
from deckatlas.runs.view import RunView
from deckatlas.studio.app import Options, create_app
from deckatlas.views.families import children_of, parents_of
from helpers.studio import NARROW, picture, served


def _view(client: TestClient, run: str) -> RunView:
    return client.app.state.shelf.view(run)  # type: ignore[attr-defined, no-any-return]


def _id(client: TestClient, name: str) -> str:
    return next(str(line["id"]) for line in client.get("/api/runs").json() if line["name"] == name)


def _best(view: RunView) -> int:
    best = view.best()
    assert best is not None
    return best.number


def test_a_deck_is_the_one_of_the_view(client: TestClient) -> None:
    view = _view(client, "hunter")
    number = _best(view)
    answer = client.get(f"/api/runs/hunter/decks/{number}").json()
    assert answer["code"] == view.code(view.log.solutions[number])
    lines = view.deck_list(view.log.solutions[number])
    assert [(card["copies"], card["name"], card["cost"]) for card in answer["cards"]] == [
        (line.copies, line.name, line.cost) for line in lines
    ]
    assert all(card["text"] for card in answer["cards"] if card["type"] == "spell")
    win_rate = next(column["rate"] for column in answer["columns"] if column["name"] == "win_rate")
    assert (win_rate["value"], win_rate["n"]) == (view.rated("win_rate", number).value, view.log.games[number])
    assert answer["block"].splitlines()[-1] == answer["code"]


def test_games_are_listed_lost_ones_first_and_matchups_add_up(client: TestClient) -> None:
    view = _view(client, "hunter")
    answer = client.get("/api/runs/hunter/decks/3/games").json()
    results = [game["result"] for game in answer["games"]]
    assert results == sorted(results, key=["lost", "nobody won", "void", "won"].index)
    known = rates_by_opponent(RunGames(view).of(view, 3))
    shown = {
        (line["opponent"], line["pilot"]): (line["rate"]["value"], line["rate"]["low"], line["rate"]["n"])
        for line in answer["matchups"]
    }
    assert shown == {opponent: (rate.value, rate.low, rate.n) for opponent, rate in known.items()}


@pytest.fixture(scope="module")
def two_pilots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run whose two opponents have the same deck and different pilots."""
    folder = tmp_path_factory.mktemp("two-pilots")
    suite = folder / "pilots.toml"
    suite.write_text("".join(f'[[opponent]]\ndeck = "Starter Mage"\npilot = "{each}"\n' for each in ("random", "pass")))
    hearthstone.map_elites(
        "hunter", pilot="random", suite=str(suite), evaluations=1, games=20, resolution=2, path=folder / "run.db"
    )
    return folder


def test_the_same_deck_by_two_pilots_has_two_matchups(two_pilots: Path) -> None:
    client = TestClient(create_app(Options(two_pilots)), base_url="http://127.0.0.1")
    answer = client.get("/api/runs/run/decks/0/games").json()
    for line in answer["matchups"]:
        results = [game["result"] == "won" for game in answer["games"] if game["pilot"] == line["pilot"]]
        assert (line["rate"]["value"], line["rate"]["n"]) == (sum(results) / len(results), 10)
        seats = [(line[name]["value"], line[name]["n"]) for name in ("first", "second")]
        assert [each for _, each in seats] == [5, 5]
        assert sum(rate for rate, _ in seats) / 2 == pytest.approx(line["rate"]["value"])
    rates = {(line["opponent"], line["pilot"]): line["rate"]["value"] for line in answer["matchups"]}
    assert list(rates) == [("Starter Mage", "random"), ("Starter Mage", "pass")]
    assert len(set(rates.values())) == 2


def test_people_choose_among_opponents_with_the_same_deck(browser: Browser, two_pilots: Path) -> None:
    with served(Options(two_pilots)) as address:
        page = browser.new_page()
        page.goto(f"{address}/runs/run/decks/0?games=all")
        expect(page.get_by_role("region", name="Matchups").get_by_role("row")).to_have_count(3)
        choice = page.get_by_label("Opponent")
        assert choice.get_by_role("option").all_inner_texts() == [
            "all",
            "Starter Mage by random",
            "Starter Mage by pass",
        ]
        choice.select_option("Starter Mage by pass")
        rows = page.get_by_role("table", name="Games", exact=True).get_by_role("row")
        expect(rows).to_have_count(11)
        expect(rows.filter(has_text="Starter Mage by pass")).to_have_count(10)
        page.reload()
        expect(rows.filter(has_text="Starter Mage by pass")).to_have_count(10)
        expect(choice).to_have_value("Starter Mage/pass")
        page.close()


def test_relatives_differ_by_the_cards_that_changed(client: TestClient) -> None:
    run = _id(client, "more/drafted decks")
    view = _view(client, run)
    child = next(number for number in range(len(view.log)) if view.log.parents[number] >= 0)
    parent = int(view.log.parents[child])
    (nearest, *_) = parents_of(view, child)
    assert nearest.number == parent
    added = sum(int(change.split()[0].replace("\N{MINUS SIGN}", "-")) for change in nearest.changes)
    assert (len(nearest.changes) > 1, added) == (True, 0)  # both have thirty cards
    children, count = children_of(view, parent)
    assert count >= len(children)
    assert child in [each.number for each in children]
    answer = client.get(f"/api/runs/{run}/decks/{child}").json()
    assert next(each["number"] for each in answer["parents"]) == parent


def test_the_run_s_own_pilot_gives_the_rate_of_a_recheck(client: TestClient) -> None:
    view = _view(client, "hunter")
    number = next(iter(view.rechecks))
    games = int(view.rechecks[number].games)
    rate = client.get(f"/api/runs/hunter/decks/{number}/pilots", params={"games": games}).json()["rate"]
    place = [column.name for column in RunGames(view).run.evaluator.columns].index("win_rate")
    assert rate["value"] == view.rechecks[number].outcomes.value[0, place]


def test_other_pilots_are_bounded_and_in_the_core(client: TestClient) -> None:
    address = "/api/runs/hunter/decks/3/pilots"
    assert client.get(address, params={"pilot": "random", "games": 20}).json()["rate"]["n"] == 20
    for pilot in ("exec:true", "expert:net=/etc/passwd", "dfs:nodes=99999999", "nobody"):
        assert client.get(address, params={"pilot": pilot}).status_code == 409
    assert client.get(address, params={"games": 100_000}).status_code == 422


@pytest.mark.parametrize(("run", "pilot"), [("own", ""), ("own", "dfs:nodes=40000"), ("others", "random")])
def test_slow_pilots_of_a_run_are_refused_too(slow: TestClient, run: str, pilot: str) -> None:
    answer = slow.get(f"/api/runs/{run}/decks/0/pilots", params={"pilot": pilot})
    assert answer.status_code == 409
    assert "nodes is at most 16,000 here" in answer.json()["error"]


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """Runs whose pilot, or whose opponents' pilots, may think much longer than usual, although they hardly do."""
    folder, pilot = tmp_path_factory.mktemp("slow"), "dfs:nodes=40000"
    (folder / "slow.toml").write_text(f'[[opponent]]\ndeck = "Starter Mage"\npilot = "{pilot}"\n')
    for name, own, suite in (("own", pilot, "starter"), ("others", "greedy", str(folder / "slow.toml"))):
        hearthstone.map_elites(
            "hunter", pilot=own, suite=suite, evaluations=1, games=2, resolution=2, path=folder / f"{name}.db"
        )
    return TestClient(create_app(Options(folder)), base_url="http://127.0.0.1")


def test_decks_by_name_and_code_are_the_same(client: TestClient) -> None:
    by_name = client.get("/api/decks/hearthstone", params={"deck": "Face Hunter"}).json()
    by_code = client.get("/api/decks/hearthstone", params={"deck": by_name["code"]}).json()
    assert by_name == by_code
    assert sum(card["copies"] for card in by_name["cards"]) == 30
    locm = client.get("/api/decks/locm", params={"deck": " ".join(["7"] * 30)}).json()
    assert [(card["id"], card["copies"]) for card in locm["cards"]] == [("7", 30)]
    for game, deck in (("hearthstone", "/etc/passwd"), ("locm", "1 2 3"), ("locm", "../x"), ("chess", "e4")):
        assert client.get(f"/api/decks/{game}", params={"deck": deck}).status_code == 409


def test_people_read_a_deck_and_come_to_a_lost_game(page: Page, client: TestClient) -> None:
    view = _view(client, "hunter")
    number = _best(view)
    games = client.get(f"/api/runs/hunter/decks/{number}/games").json()
    page.goto(f"/runs/hunter/decks/{number}")
    cards = page.get_by_role("list", name="Deck list")
    lines = view.deck_list(view.log.solutions[number])
    expect(cards.get_by_role("link")).to_have_count(len(lines))
    first = cards.get_by_role("link").first
    first.focus()
    expect(page.get_by_role("tooltip")).to_contain_text(lines[0].name)
    page.keyboard.press("c")
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == view.code(view.log.solutions[number])
    matchups = page.get_by_role("region", name="Matchups")
    for line in games["matchups"]:
        row = matchups.get_by_role("row").filter(has_text=line["opponent"]).filter(has_text=line["pilot"])
        expect(row).to_contain_text(f"{100 * line['rate']['value']:.1f}")
        expect(row).to_contain_text(f"n = {line['rate']['n']}")
    in_games = page.get_by_role("region", name="Cards in games")
    expect(in_games.get_by_role("row")).to_have_count(1 + len(view.cards_in_games(number)))
    expect(in_games.get_by_role("button", name="What is this? Swap-out value")).to_be_visible()
    page.locator("h1").click()
    picture(page, "deck")

    listed = page.get_by_role("table", name="Games", exact=True)
    expect(listed.get_by_role("row").nth(1)).to_contain_text(games["games"][0]["result"])
    page.goto(f"/runs/hunter/decks/{number}?pilots=own;random&pilot_games=50")
    pilots = page.get_by_role("table", name="Win rate by pilot")
    expect(pilots.get_by_role("row")).to_have_count(3)
    rate = client.get(f"/api/runs/hunter/decks/{number}/pilots", params={"pilot": "random", "games": 50}).json()["rate"]
    expect(pilots.get_by_role("row").filter(has_text="random")).to_contain_text(f"{100 * rate['value']:.1f}")
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark")
    picture(page, "deck-narrow-dark")
    listed.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=re.compile(f"^Game {games['games'][0]['number']} "))).to_be_visible()


def test_people_read_a_deck_of_the_other_game(page: Page, client: TestClient) -> None:
    run = next(each["id"] for each in client.get("/api/runs").json() if each["name"].endswith("drafted decks"))
    view = _view(client, run)
    number = _best(view)
    games = client.get(f"/api/runs/{run}/decks/{number}/games").json()
    page.goto(f"/runs/{run}/decks/{number}")
    lines = view.deck_list(view.log.solutions[number])
    expect(page.get_by_role("list", name="Deck list").get_by_role("link")).to_have_count(len(lines))
    curve = page.get_by_role("figure", name="Mana curve")
    curve.get_by_role("button", name="Table").click()
    counted = [row.split() for row in curve.get_by_role("row").all_inner_texts()[1:]]
    expected = mana_curve((line.cost, line.copies) for line in lines)
    assert sorted((cost, int(cards)) for cost, cards in counted) == sorted(
        (f"{cost}+" if cost == 7 else str(cost), cards) for cost, cards in enumerate(expected)
    )
    matchups = page.get_by_role("region", name="Matchups")
    for line in games["matchups"]:
        row = matchups.get_by_role("row").filter(has_text=line["opponent"])
        expect(row.first).to_contain_text(f"n = {line['rate']['n']}")
    page.get_by_role("table", name="Games", exact=True).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=re.compile(f"^Game {games['games'][0]['number']} "))).to_be_visible()


def test_people_read_a_draft_policy_and_its_family(page: Page, client: TestClient) -> None:
    view = _view(client, "policies")
    number = _best(view)
    page.goto(f"/runs/policies/decks/{number}")
    expect(page.get_by_role("heading", name=f"Policy {number}")).to_be_visible()
    expect(page.locator("pre.wrapped").last).to_contain_text(view.in_words(view.log.solutions[number])[0].strip())
    expect(page.get_by_role("img", name=re.compile("^The largest values"))).to_be_visible()
    picture(page, "policy")
    run = _id(client, "more/drafted decks")
    child = next(each for each in range(len(_view(client, run).log)) if _view(client, run).log.parents[each] >= 0)
    page.goto(f"/runs/{run}/decks/{child}")
    (nearest, *_) = parents_of(_view(client, run), child)
    parents = page.get_by_role("table", name="Parents, the nearest first")
    expect(parents.get_by_role("row").nth(1)).to_contain_text(nearest.changes[0])
    parents.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=f"Deck {nearest.number}")).to_be_visible()


def test_people_find_a_named_deck(page: Page) -> None:
    page.goto("/decks")
    expect(page.get_by_role("link", name="Face Hunter", exact=True)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("shaman")
    expect(page.get_by_role("link", name="Face Hunter", exact=True)).to_be_hidden()
    page.get_by_role("link", name="Face Shaman", exact=True).click()
    facts = find("hearthstone").deck_facts("Face Shaman")
    expect(page.get_by_role("list", name="Deck list").get_by_role("link")).to_have_count(len(facts.cards))
    expect(page.get_by_text("mean cost")).to_contain_text(facts.notes[0])
    picture(page, "deck-by-name")
