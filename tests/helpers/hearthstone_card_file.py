"""Writes the compiled cards of an edition as text, for the test programs of the core.

Usage: python hearthstone_card_file.py EDITION FILE
"""

import sys
from pathlib import Path

from deckatlas.games.hearthstone.cards.editions import edition


def card_file(name: str) -> str:
    """Rules and coin, then every table with its rows, then the lists, all as numbers."""
    compiled = edition(name).compiled
    lines = [f"{compiled.rules} {compiled.coin} {len(compiled.tables)}"]
    for table, rows in compiled.tables.items():
        lines.append(f"{table} {len(rows)} {len(rows[0])}")
        lines += [" ".join(map(str, row)) for row in rows]
    lines.append(str(len(compiled.lists)))
    lines += [" ".join(map(str, [len(numbers), *numbers])) for numbers in compiled.lists]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(card_file(sys.argv[1]), encoding="ascii")
