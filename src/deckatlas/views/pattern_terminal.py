"""Patterns on the terminal: lines that fit 80 columns."""

from collections.abc import Iterator
from textwrap import wrap

from deckatlas.patterns.patterns import Patterns
from deckatlas.views.pattern_words import facts_of, region_lines, summary_of

_WIDTH = 79
_INDENT = "    "


def pattern_parts(patterns: Patterns, title: str, *, distinct: bool) -> Iterator[str]:
    """The patterns that are shown, each with its numbers, where it is, and its cards.

    Args:
        patterns: The patterns.
        title: What they were found in.
        distinct: Whether patterns were left out that share more than half of their cards with a weightier one.
    """
    yield from _wrapped(f"{title}: {summary_of(patterns)}.")
    if len(patterns) < patterns.found:
        apart = ", which share at most half of their cards" if distinct else ""
        yield from _wrapped(f"The {len(patterns)} with the greatest weight{apart}:")
    for place, pattern in enumerate(patterns, start=1):
        yield ""
        yield from _wrapped(f"{place}. {facts_of(pattern)}", _INDENT)
        yield from (f"{_INDENT}{line}" for line in region_lines(pattern))
        yield from _wrapped(f"{_INDENT}{pattern}", _INDENT)
    if patterns.decks.unknown:
        yield ""
        yield from _wrapped(f"Lifts are not known: {patterns.decks.unknown}.")


def _wrapped(words: str, indent: str = "") -> list[str]:
    return wrap(words, _WIDTH, subsequent_indent=indent, drop_whitespace=True)
