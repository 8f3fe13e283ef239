"""Help: the definitions of the numbers, the keys, and the marks that open a definition."""

from playwright.sync_api import Page, expect

from helpers.studio import NARROW, picture


def test_help_has_the_definition_that_an_address_names(page: Page) -> None:
    page.goto("/help#swap-out")
    expect(page.locator("#swap-out")).to_be_focused()
    expect(page.locator("#swap-out")).to_contain_text("all copies of the card replaced")
    for name in ("Win rate", "Interval", "QD score", "Coverage", "Lift", "Equilibrium mix", "Adjusted p"):
        expect(page.get_by_role("term").filter(has_text=name).first).to_be_visible()
    picture(page, "help")
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark")
    picture(page, "help-narrow-dark")


def test_the_question_mark_shows_the_keys_from_any_page(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_focused()


def test_a_mark_opens_its_definition_by_keyboard_and_closes_it(page: Page) -> None:
    page.goto("/runs/hunter")
    mark = page.get_by_role("button", name="What is this? Coverage")
    mark.focus()
    page.keyboard.press("Enter")
    note = page.get_by_role("note", name="Coverage")
    expect(note).to_contain_text("share of the map's cells")
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    expect(mark).to_be_focused()
