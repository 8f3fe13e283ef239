"""A comparison on the terminal: tables and sentences that fit 80 columns."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.play.paired import Comparison, Row, in_points

Part = str | Text | Table

WIDTH = 80
_LONGEST_NAME = 24
_TITLES = {"opponent": "against", "deck": "with"}


def comparison_parts(found: Comparison) -> Iterator[Part]:
    """The names of the sides, the differences by opponent, deck and seat, the verdict, and forfeits."""
    for letter, name in zip("AB", found.names, strict=True):
        yield f"{letter}: {name}"
    for part, title in _TITLES.items():
        if part in found.parts:
            yield _table(title, sorted(found.parts[part], key=lambda row: -row.difference.value))
    yield _table("in all", [*(_seat(row) for row in found.parts["seat"]), found.whole])
    yield from wrap(found.sentence, WIDTH)
    for letter, reasons in zip("AB", found.forfeits, strict=True):
        for reason, count in reasons.items():
            yield f"  forfeits in games of {letter}: {count:,} x {reason}"


def _shortened(name: str) -> str:
    """A name that fits its column."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _seat(row: Row) -> Row:
    return Row(f"moving {row.name}", row.rates, row.difference)


def _table(title: str, rows: Sequence[Row]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(title, no_wrap=True)
    for column in ("A wins %", "B wins %", "A - B", "interval", "games"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        rates = (f"{100 * rate:.1f}" for rate in row.rates)
        cells = (_shortened(row.name), *rates, *in_points(row.difference), f"{row.difference.n:,}")
        table.add_row(*map(Text, cells))
    return table
