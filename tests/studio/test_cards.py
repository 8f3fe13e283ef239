"""Cards: the table, a card, and its numbers in a run."""

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas.games import find
from deckatlas.runs.card_statistics import CardStatistics, card_statistics
from deckatlas.runs.view import RunView
from helpers.placed_decks import placed
from helpers.studio import NARROW, picture


def _view(client: TestClient, run: str) -> RunView:
    return client.app.state.shelf.view(run)  # type: ignore[attr-defined, no-any-return]


def _most_used(view: RunView) -> CardStatistics:
    return card_statistics(view)[0]


def test_the_cards_are_those_of_the_games(client: TestClient) -> None:
    cards = client.get("/api/cards").json()
    for game in ("hearthstone", "locm"):
        known = find(game).card_facts()
        shown = [(card["id"], card["text"]) for card in cards if card["game"] == game]
        assert shown == [(card.id, card.text) for card in known]


def test_inclusion_is_that_of_maps(client: TestClient) -> None:
    view = _view(client, "hunter")
    answer = client.get("/api/runs/hunter/cards").json()
    assert len(answer) == len(view.description.genes)
    for card in answer[:20]:
        assert card["inclusion"]["value"] == placed(view).inclusion(card["card"])
        assert card["inclusion"]["n"] == len(view.archive.elites)
    rates = view.log.column("win_rate")[view.archive.elites]
    first = answer[0]
    whole = first["win_rate"]["value"] * first["elites"] + (
        first["others"]["value"] * first["others"]["n"] if first["others"] else 0
    )
    assert whole == pytest.approx(rates.sum())


def test_games_with_a_card_are_those_of_all_elites_that_have_it(client: TestClient) -> None:
    view = _view(client, "hunter")
    rows = [row for number in view.archive.elites.tolist() for row in view.cards_in_games(number)]
    answer = {each["card"]: each for each in client.get("/api/runs/hunter/cards").json()}
    assert {card for card, each in answer.items() if each["drawn"]} == {row["card"] for row in rows}
    for card in {row["card"] for row in rows}:
        own = [row for row in rows if row["card"] == card]
        for event in ("drawn", "played"):
            happened = sum(row[event] for row in own)
            won = sum(round(row[f"win_rate_{event}"] * row[event]) for row in own if row[event])
            share, rate = answer[card][event], answer[card][f"win_{event}"]
            assert (share["value"], share["n"]) == (happened / share["n"], sum(row["games"] for row in own))
            assert (rate is None) == (happened == 0)
            if rate is not None:
                assert rate["n"] == happened
                assert rate["value"] == pytest.approx(won / happened, abs=1e-5)


def test_partners_share_elites_more_often_than_random_decks(client: TestClient) -> None:
    view = _view(client, "hunter")
    card = _most_used(view)
    answer = client.get(f"/api/runs/hunter/cards/{card.card}").json()
    lifts = [partner["lift"] for partner in answer["partners"]]
    assert lifts
    assert lifts == sorted(lifts, reverse=True)
    has = view.log.solutions[view.archive.elites] > 0
    ids = [gene.id for gene in view.description.genes]
    both = has[:, ids.index(card.card)] & has[:, ids.index(answer["partners"][0]["card"])]
    assert answer["partners"][0]["count"] == both.sum()
    assert {tuple(cell) for cell in answer["cells"]} == set(card.cells)
    assert client.get("/api/runs/hunter/cards/NOPE").status_code == 404
    assert client.get("/api/runs/policies/cards").status_code == 409


def test_people_search_cards_and_see_where_one_lives(page: Page, client: TestClient) -> None:
    card = _most_used(_view(client, "hunter"))
    page.goto("/cards?game=hearthstone")
    expect(page.get_by_role("link", name="Naturalize")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("arcane missiles")
    expect(page.get_by_role("link", name="Arcane Missiles")).to_be_visible()
    expect(page.get_by_role("link", name="Naturalize")).to_be_hidden()
    picture(page, "cards")
    page.goto(f"/cards?run=hunter&q={card.name}")
    row = page.get_by_role("region", name="Cards", exact=True).get_by_role("row").filter(has_text=card.name)
    expect(row.first).to_contain_text(f"{100 * card.inclusion.value:.1f}")
    expect(page.get_by_role("figure", name="Cards that go together")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    picture(page, "cards-of-run")
    page.get_by_role("searchbox").fill(card.name)
    row.first.get_by_role("link").click()
    expect(page.get_by_role("heading", name=card.name, exact=True)).to_be_visible()
    assert card.win_rate is not None
    expect(page.get_by_role("row").filter(has_text="mean win rate of elites with it")).to_contain_text(
        f"{100 * card.win_rate.value:.1f}"
    )
    cells = page.get_by_role("figure", name=f"Cells with {card.name}")
    expect(cells.get_by_role("link")).to_have_count(len(card.cells))
    expect(page.get_by_role("link", name="Show these cells on the map")).to_have_attribute(
        "href", f"/runs/hunter/map?card={card.card}"
    )
    picture(page, "card")
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark")
    picture(page, "card-narrow-dark")


def test_people_read_a_card_of_the_other_game(page: Page) -> None:
    page.goto("/cards/locm/1")
    facts = find("locm").card_facts()[0]
    expect(page.get_by_role("heading", name=facts.name)).to_be_visible()
    expect(page.get_by_text(f"cost {facts.cost} · {facts.stats}")).to_be_visible()
