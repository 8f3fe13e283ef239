"""What a command prints, tables and notes, as one web page. The page is self-contained: nothing is fetched."""

from collections.abc import Iterable, Sequence
from html import escape
from shlex import join

from deckatlas.games.game import PlainTable
from deckatlas.views.page_parts import page_table, whole_page


def parts_page(parts: Iterable[str | PlainTable], *, title: str, command: Sequence[str]) -> str:
    """The page.

    Args:
        parts: Tables and paragraphs, in their order.
        title: The heading of the page.
        command: The words of the command that prints them.
    """
    sections = [_section(part) for part in parts]
    end = f"<section><h2>How to reproduce it</h2><pre>{escape(join(command))}</pre></section>"
    return whole_page(title, [f"<header><h1>{escape(title)}</h1></header>", *sections, end])


def _section(part: str | PlainTable) -> str:
    if isinstance(part, str):
        return f"<p>{escape(' '.join(part.split()))}</p>"
    rows = [row for section in part.sections for row in section]
    heading = f"<h2>{escape(part.title)}</h2>" if part.title else ""
    caption = f'<p class="soft">{escape(part.caption)}</p>' if part.caption else ""
    return f"<section>{heading}{caption}{page_table(part.columns, rows)}</section>"
