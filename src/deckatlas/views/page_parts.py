"""What all web pages share: their style sheet, their files, and tables."""

from collections.abc import Iterable, Sequence
from html import escape

from deckatlas.files.reading import package_text

TIMES = "\N{MULTIPLICATION SIGN}"


def page_file(name: str) -> str:
    """A file of this package: the frame of a page."""
    return package_text(str(__package__), name)


def page_style() -> str:
    """The style sheet of all pages, for light and dark mode."""
    return page_file("page_style.css")


def page_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain texts; the first cell of each row names it."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heading) if any(heading) else ""
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table>{f"<tr>{head}</tr>" if head else ""}{body}</table></div>'
