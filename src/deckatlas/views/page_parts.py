"""What web pages made of markup share: their frame, their style sheet for light and dark mode, and tables."""

from collections.abc import Iterable, Sequence
from html import escape
from string import Template

from deckatlas import __version__
from deckatlas.files.reading import package_text


def whole_page(title: str, sections: Iterable[str], *, style: str = "") -> str:
    """A self-contained page.

    Args:
        title: Its title.
        sections: What it says, as markup.
        style: The name of a style sheet of its own, beside the one of all pages.
    """
    styles = [_file("page_style.css"), *([_file(style)] if style else [])]
    return Template(_file("page_frame.html")).substitute(
        title=escape(title), version=escape(__version__), style="".join(styles), body="\n".join(sections)
    )


def _file(name: str) -> str:
    return package_text(str(__package__), name)


def page_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain texts; the first cell of each row names it."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heading) if any(heading) else ""
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table>{f"<tr>{head}</tr>" if head else ""}{body}</table></div>'
