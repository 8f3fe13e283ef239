"""The limits of what is read: the document lists each by its name, with its value."""

import re
from pathlib import Path

from deckatlas.files import limits

DOCUMENT = Path(__file__).parents[2] / "docs" / "security.md"
_ROW = re.compile(r"^\| `(MOST_\w+)` \| ([\d,]+)( MiB| GiB)? \|", re.MULTILINE)
_FACTORS = {"": 1, " MiB": 2**20, " GiB": 2**30}


def test_the_document_lists_every_limit_with_its_value() -> None:
    listed = {
        name: int(number.replace(",", "")) * _FACTORS[unit]
        for name, number, unit in _ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    }
    assert listed == {name: value for name, value in vars(limits).items() if name.startswith("MOST_")}
