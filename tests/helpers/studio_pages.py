"""All pages of the studio by their addresses, as `web/src/pages/pages.ts` lists them, and what axe finds on a page."""

import re
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Page, Request

from helpers.studio import LONG, NARROW, WIDE, picture

WEB = Path(__file__).parents[2] / "web"

# What stands for the named parts of addresses. A page whose address says it in its own way is in EXAMPLES, and one that
# needs other things than runs is in ELSEWHERE, with the test that calls `check_access` for it.
PARTS = {"run": "hunter", "number": "0"}
EXAMPLES = {
    "/runs/:run/decks/:number/games/:game": "/runs/:run/decks/:number/games/0",
    "/decks/:game/:name": "/decks/hearthstone/Aggro%20Mage",
    "/cards/:game/:card": "/cards/locm/1",
    "/metagames/:metagame": "/metagames/shipped.hearthstone.field",
}
ELSEWHERE = {"/studies/:study": "test_studies.py"}

_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# The texts of cells of tables that reach to the right of their cells, apart from what only screen readers see.
_BEYOND_CELLS = """() => {
  const found = [];
  for (const cell of document.querySelectorAll("main :is(td, th)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      if (texts.currentNode.parentElement.closest(".hidden")) continue;
      range.selectNodeContents(texts.currentNode);
      const beyond = range.getBoundingClientRect().right - cell.getBoundingClientRect().right;
      if (beyond > 1) found.push(texts.currentNode.textContent.trim());
    }
  }
  return found;
}"""
_PAGE = re.compile(r'^\s*\["(/[^"]*)", \(\) => import', re.MULTILINE)
_PART = re.compile(r":(\w+)")


def page_patterns() -> list[str]:
    """The addresses of all pages, such as "/runs/:run/map", but for those that are tested elsewhere."""
    found = _PAGE.findall((WEB / "src" / "pages" / "pages.ts").read_text())
    return [pattern for pattern in found if pattern not in ELSEWHERE]


def example_of(pattern: str, **parts: str) -> str:
    """An address of a page."""
    return _PART.sub(lambda part: (PARTS | parts)[part[1]], EXAMPLES.get(pattern, pattern))


@cache
def _axe() -> str:
    return (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text()


def check_access(page: Page, name: str) -> None:
    """Asserts that axe finds nothing serious at both widths in light and dark, and no text of a table on another.

    Leaves pictures.
    """
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        check_cells(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            # Colours change no layout, so all other rules hold in dark if they hold in light.
            found = _problems(page, only=["color-contrast"] if scheme == "dark" else None)
            assert not found, "\n".join([f"{size['width']} pixels, {scheme}:", *found])
            picture(page, f"{name}-{size['width']}-{scheme}")


def check_cells(page: Page) -> None:
    """Asserts that no text of a table reaches over the cell beside it."""
    beyond = page.evaluate(_BEYOND_CELLS)
    assert not beyond, f"{page.viewport_size}: {beyond}"


def check_menus(page: Page) -> None:
    """Asserts that the open menu of every chart is inside of windows as narrow as a phone, and of wider ones."""
    for width in (390, 700, WIDE["width"]):
        page.set_viewport_size({"width": width, "height": NARROW["height"]})
        for figure in page.get_by_role("figure").filter(has=page.locator("summary", has_text="Export")).all():
            export = figure.locator("summary", has_text="Export")
            export.click()
            box = figure.locator("details > div").bounding_box()
            assert box is not None
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, f"{figure.get_attribute('aria-label')} at {width}"
            export.click()


def _problems(page: Page, *, only: list[str] | None) -> list[str]:
    """What axe finds serious or critical on the page as it is now, each in one line."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    options = {"runOnly": only, "resultTypes": ["violations"]} if only else {"resultTypes": ["violations"]}
    found: list[dict[str, Any]] = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: {node['html'][:200]} {' '.join(map(str, node['target']))}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def shown(page: Page, address: str) -> None:
    """Opens an address, and waits until its page has asked for everything it shows at first."""
    waiting: set[Request] = set()
    # The script of a shared worker is asked for by the page, but its end is not told.
    page.on("request", lambda request: None if ".worker" in request.url else waiting.add(request))
    page.on("requestfinished", lambda request: waiting.discard(request))
    page.on("requestfailed", lambda request: waiting.discard(request))
    page.goto(address)
    page.locator("main h1").first.wait_for()
    # An answer may lead to another request, and a chart to its own script: both begin within two frames.
    is_quiet, end = False, monotonic() + LONG
    while not is_quiet:
        assert monotonic() < end, f"{address} still asks for {[request.url for request in waiting]}"
        is_quiet = not waiting
        page.evaluate(_TWO_FRAMES)
        is_quiet = is_quiet and not waiting
