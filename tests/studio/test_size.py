"""What the first page costs to load: everything it transfers, compressed, without the list of runs itself."""

from playwright.sync_api import Page

MOST_BYTES = 250_000


def test_the_first_page_is_small_and_comes_from_the_studio_alone(page: Page, address: str) -> None:
    page.goto("/", wait_until="networkidle")
    files = page.evaluate(
        """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map(each => [each.name, each.encodedBodySize])"""
    )
    assert all(name.startswith(f"{address}/") for name, _ in files)
    pages = [size for name, size in files if "/api/" not in name]
    assert len(pages) >= 3
    assert 20_000 < sum(pages) < MOST_BYTES
