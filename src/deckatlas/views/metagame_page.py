"""A metagame as one web page: the matrix with the mix, ratings, cycles, shares over time, and its decks.

The page is self-contained: drawings are inline, for light and dark mode, and nothing is fetched.
"""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from shlex import join

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_text
from deckatlas.metagame.analysis import Analysis
from deckatlas.views.metagame_svg import course_svg, matrix_svg
from deckatlas.views.metagame_terminal import metagame_sentences
from deckatlas.views.page_parts import page_table, whole_page


def metagame_page(analysis: Analysis) -> str:
    """The page of a metagame."""
    sections = [_heading(analysis), *metagame_sections(analysis), _end(analysis)]
    return page_of_metagames(f"{analysis.metagame.name}: a metagame", sections)


def metagame_sections(analysis: Analysis) -> list[str]:
    """What a page says of a metagame: its numbers, the matrix, its decks, and where shares go."""
    return [make(analysis) for make in (_numbers, _matrix, _decks, _course)]


def page_of_metagames(title: str, sections: Iterable[str]) -> str:
    """A page about metagames."""
    return whole_page(title, sections, style="metagame_page.css")


@checked
def write_metagame(analysis: Analysis, file: Path | str) -> None:
    """Writes the page of a metagame to a file.

    Raises:
        RunError: If the file cannot be written.
    """
    page = metagame_page(analysis)
    write_text(file, page, error=RunError)


def _heading(analysis: Analysis) -> str:
    metagame = analysis.metagame
    return f"""<header><h1>{escape(metagame.name)}</h1>
<p>A metagame of {len(metagame.entrants)} decks, edition {escape(metagame.edition)}, played by
{escape(" and ".join(metagame.pilots))}.</p></header>"""


def _numbers(analysis: Analysis) -> str:
    mix = analysis.mix
    played = int((mix.shares > 0).sum())
    numbers = {
        "games": (f"{analysis.matchups.games:,}", f"{analysis.budget.games:,} a pair on average"),
        "decks in the mix": (str(played), f"{int((mix.chance > 0.05).sum())} in more than 5 % of resampled matrices"),
        "favourites": (f"{len(analysis.decided)}", f"of {len(analysis.matchups.outcomes)} pairs, beyond chance"),
        "cycles": (str(len(analysis.cycles)), "of three decks, beyond chance"),
    }
    entries = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(note)}</small></dd></div>"
        for name, (value, note) in numbers.items()
    )
    return f'<dl class="numbers">{entries}</dl>'


def _matrix(analysis: Analysis) -> str:
    words = "".join(f"<p>{escape(each)}</p>" for each in metagame_sentences(analysis))
    return f"""<section><h2>Who beats whom</h2>
<p class="soft">Games that the row won against the column, in percent; bold numbers are beyond chance. Point at a cell
for its interval. The mix is what no deck gains against; its lines are 95 % intervals.</p>
<figure class="wide">{matrix_svg(analysis)}</figure>{words}</section>"""


def _decks(analysis: Analysis) -> str:
    rows = [
        (
            analysis.names[i],
            analysis.mix.share(i).text(1),
            f"{100 * analysis.mix.chance[i]:.0f} %",
            f"{100 * analysis.shares[i]:.1f} %",
            analysis.score(i).text(1),
            analysis.matchups.ratings[i].text(0),
            analysis.metagame.entrants[i].deck,
        )
        for i in analysis.order
    ]
    heading = ("deck", "mix [95 %]", "in mix", "today", "won [95 %]", "Elo [95 %]", "list")
    return f"""<section><h2>The decks</h2>
<p class="soft">In mix: the share of resampled matrices whose mix has the deck. Won: against today's shares.</p>
{page_table(heading, rows)}</section>"""


def _course(analysis: Analysis) -> str:
    return f"""<section><h2>Where shares go</h2>
<p class="soft">Replicator dynamics from today's shares: a deck that wins more than half of its games grows.</p>
<figure>{course_svg(analysis)}</figure></section>"""


def _end(analysis: Analysis) -> str:
    metagame, budget = analysis.metagame, analysis.budget
    words = ["deckatlas", "meta", "show", metagame.source or metagame.name]
    words += ["--games", str(budget.games), "--seed", str(budget.seed)]
    words += ["--pilot", *metagame.pilots] if len(metagame.pilots) == 1 else []
    return f"""<section><h2>How to reproduce it</h2><pre>{escape(join(words))}</pre></section>"""
