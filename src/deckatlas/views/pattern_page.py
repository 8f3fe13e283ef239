"""The patterns of a map as a part of its page: a small map for each, its numbers and its cards."""

from html import escape
from shlex import quote

from deckatlas.errors import SearchError
from deckatlas.patterns.patterns import Pattern, Patterns
from deckatlas.patterns.sources import find_patterns
from deckatlas.runs.view import RunView
from deckatlas.views.page_parts import TIMES
from deckatlas.views.pattern_figures import SHOWN, SUPPORT
from deckatlas.views.pattern_svg import pattern_svg
from deckatlas.views.pattern_words import facts_of, region_lines, summary_of


def patterns_section(view: RunView) -> str:
    """The section of a page with the weightiest patterns of a map of decks."""
    try:
        found = find_patterns(view, support=SUPPORT, most=SHOWN, distinct=True)
    except SearchError as error:  # too many, in a strange map
        return f"<section><h2>Patterns</h2><p>{escape(str(error))}.</p></section>"
    shown = "".join(_article(view, each) for each in found)
    unknown = f" Lifts are not known: {found.decks.unknown}." if found.decks.unknown else ""
    return f"""<section><h2>Patterns</h2>
<p class="soft">{escape(_introduction(found))}{escape(unknown)}
More: <code>deckatlas patterns {escape(quote(view.name))}</code></p>
<div class="decks">{shown}</div></section>"""


def _introduction(found: Patterns) -> str:
    if not found.found:
        return f"No set of cards is in at least {100 * found.least:g} % of the elites."
    return (
        f"There are {summary_of(found)}. Those with the greatest weight, which share at most half of their cards, are "
        "here. The small maps have the cells of the map above; full cells have the set."
    )


def _article(view: RunView, pattern: Pattern) -> str:
    facts = "\n".join([facts_of(pattern), *region_lines(pattern)])
    costs = {gene.id: gene.facts.get("cost", 0) for gene in view.description.genes}
    cards = "".join(
        f"<li><b>{costs[card]}</b><span>{escape(name)}</span><span>{TIMES}{copies}</span></li>"
        for name, (card, copies) in zip(pattern.names, pattern.cards, strict=True)
    )
    return f"""<article class="deck pattern"><figure>{pattern_svg(view, pattern)}</figure>
<p class="facts">{escape(facts)}</p><ul>{cards}</ul></article>"""
