"""Checks on web pages."""

from html.parser import HTMLParser


class _Checker(HTMLParser):
    """Checks that every element is closed, and that nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_whole(page: str) -> None:
    """Checks that every element of a page is closed, that nothing is fetched, and that nothing is left to fill in."""
    checker = _Checker()
    checker.feed(page)
    assert checker.open == []
    assert "$" not in page
