"""What tables on a terminal of 80 columns share: short names, short cells, and wrapped notes."""

import math
import textwrap

from deckatlas.stats.estimate import Estimate

WIDTH = 80
_INDENT = "  "


def shortened(text: str, width: int) -> str:
    """The text, with an ellipsis for what does not fit."""
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def note(text: str) -> str:
    """A paragraph below a table."""
    return textwrap.fill(text, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def short_cell(found: Estimate, digits: int = 1) -> str:
    """A value and half of its interval's length, shares in percent; empty if it is not known."""
    return found.plus_minus(digits) if math.isfinite(found.value) else ""


def whole_cell(found: Estimate) -> str:
    """A share and its interval in whole percent; empty if it is not known."""
    return found.in_percent().text(0) if math.isfinite(found.value) else ""


def count_cell(count: int, share: float) -> str:
    """A count, and its share of another count if that is not zero."""
    return f"{count} ({100 * share:.0f}%)" if math.isfinite(share) else str(count)
