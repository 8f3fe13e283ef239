"""All pages for everyone: axe finds nothing serious at both widths in light and dark, and the keyboard is enough."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from helpers.studio import NARROW, WIDE
from helpers.studio_pages import ELSEWHERE, check_access, check_menus, example_of, page_patterns, shown


@pytest.fixture(scope="module", params=page_patterns())
def pattern(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def known(browser: Browser, address: str, pattern: str) -> Iterator[Page]:
    """A page that all tests of its pattern look at, in this order."""
    context = browser.new_context(viewport=WIDE, base_url=address)
    page = context.new_page()
    shown(page, example_of(pattern))
    yield page
    context.close()


def test_tab_goes_through_the_page_in_the_order_of_reading_with_a_visible_focus(known: Page) -> None:
    seen: list[int] = []
    for _ in range(25):
        known.keyboard.press("Tab")
        at = known.evaluate(
            """() => {
              const all = [...document.querySelectorAll('*')], focused = document.activeElement;
              if (!focused || focused === document.body) return null;
              const style = getComputedStyle(focused);
              const visible = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
              return { at: all.indexOf(focused), visible, html: focused.outerHTML.slice(0, 200) };
            }"""
        )
        if at is None:  # the end of the page
            break
        assert at["visible"], at["html"]
        seen.append(at["at"])
    assert len(seen) >= 5
    assert seen == sorted(set(seen))


def test_axe_finds_nothing_serious(known: Page, pattern: str) -> None:
    check_access(known, f"access{pattern.replace('/', '-').replace(':', '')}")


def test_no_page_is_wider_than_a_narrow_window(known: Page) -> None:
    known.set_viewport_size(NARROW)
    assert known.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]


def test_menus_of_charts_are_in_the_window(known: Page) -> None:
    check_menus(known)


def test_axe_finds_nothing_serious_where_there_is_no_page(page: Page) -> None:
    shown(page, "/no/such/page")
    check_access(page, "access-no-page")


@pytest.mark.parametrize("test", ELSEWHERE.values())
def test_pages_that_are_tested_elsewhere_are(test: str) -> None:
    assert "check_access(" in (Path(__file__).parent / test).read_text()


def test_the_first_key_skips_to_the_page(page: Page) -> None:
    shown(page, "/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('main') !== null")


@pytest.fixture
def zoomed(browser: Browser, address: str) -> Iterator[Page]:
    """A page at four times its size, as people with weak sight use it."""
    context = browser.new_context(viewport=ViewportSize(width=360, height=225), base_url=address)
    yield context.new_page()
    context.close()


def test_the_navigation_is_reachable_at_four_times_the_size(zoomed: Page) -> None:
    shown(zoomed, "/")
    zoomed.get_by_role("navigation").get_by_role("link", name="Help").click()
    expect(zoomed.get_by_role("heading", name="Help", exact=True)).to_be_visible()
