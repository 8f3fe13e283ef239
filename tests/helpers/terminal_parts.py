"""What commands print, as text."""

from collections.abc import Iterable
from io import StringIO

from rich.console import Console

from deckatlas.views.metagame_terminal import Part


def printed(parts: Iterable[Part]) -> str:
    """The text of lines and tables on a wide terminal."""
    console = Console(width=200, highlight=False, emoji=False, record=True, file=StringIO())
    for part in parts:
        console.print(part, markup=False)
    return console.export_text()
