"""A map as one web page: its numbers, the map itself, its growth, its best decks, patterns, and how to reproduce it.

The page is self-contained: drawings are inline, for light and dark mode, and nothing is fetched.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import isfinite
from pathlib import Path
from shlex import quote
from string import Template
from typing import Any

from deckatlas.arguments import checked
from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import RunError
from deckatlas.files.writing import write_text
from deckatlas.runs.description import DeckLine
from deckatlas.runs.elites import WIN_RATE, Elite
from deckatlas.runs.round_statistics import targets_of
from deckatlas.runs.run_file import content_of
from deckatlas.runs.view import RunView
from deckatlas.search.card_questions import BIAS
from deckatlas.search.recheck import Recheck
from deckatlas.stats.estimate import Estimate
from deckatlas.views.columns import column_name
from deckatlas.views.map_cards import card_cells, card_columns
from deckatlas.views.map_curves import curve_of
from deckatlas.views.map_grid import grids
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.map_svg import EliteText, curve_svgs, mana_curve_svg, map_svg, recheck_svg
from deckatlas.views.page_parts import TIMES, page_file, page_style, page_table
from deckatlas.views.pattern_page import patterns_section
from deckatlas.views.round_numbers import curves_of, predictions_of, rounds_in_words
from deckatlas.views.round_svg import prediction_svg, round_svg
from deckatlas.views.scale import Scale

SHOWN_DECKS = 6


def map_report(view: RunView) -> str:
    """The page of a map, finished or not.

    Raises:
        RunError: If the store is damaged.
    """
    elites = {elite.number: elite for elite in view.elites()}
    template = page_file("map_page.html")
    sections = (
        _heading(view),
        _numbers(view),
        *(_drawings(view, elites) if elites else (_paragraph("There is no elite yet."),)),
        _reproduction(view),
    )
    return Template(template).substitute(
        title=escape(f"{view.name}: a map of elites"),
        version=escape(view.run.versions["deckatlas"]),
        style=page_style(),
        body="\n".join(sections),
        data=_script_data(view, elites.values()),
    )


@checked
def write_report(view: RunView, file: Path | str) -> None:
    """Writes the page of a map to a file.

    Raises:
        RunError: If the store is damaged, or the file cannot be written.
    """
    page = map_report(view)
    write_text(file, page, error=RunError)


def _drawings(view: RunView, elites: dict[int, Elite]) -> Iterator[str]:
    texts = {number: _elite_text(view, elite) for number, elite in elites.items()}
    yield _map(view, texts)
    yield _curves(view)
    if targets_of(view):
        yield _rounds(view)
    yield _decks(view, list(elites.values()))
    if view.card_tables:
        yield _cards(view, list(elites.values()))
    if view.description.layout.deck_size:
        yield patterns_section(view)
    if (found := view.recheck()) is not None:
        yield _recheck(view, found, texts)


def _elite_text(view: RunView, elite: Elite) -> EliteText:
    measured = ", ".join(f"{column_name(name)} {_number(value)}" for name, value in elite.measures.items())
    rated = f"{column_name(view.objective)} {_number(elite.objective.value)} {_ends(elite.objective)}"
    tip = f"{_title(elite)}\n{_facts(view, elite)}"
    return EliteText(tip, f"{_title(elite)}: {rated} in {elite.games:,} games; {measured}")


# The beginning


def _heading(view: RunView) -> str:
    state = "finished" if view.run.finished else f"not finished, {view.log.evaluations:,} evaluations so far"
    measures = " and ".join(map(column_name, view.measures))
    return f"""<header><h1>{escape(view.name)}</h1>
<p>A map of elites: {escape(view.title)}.</p>
<p class="soft">For each kind, by {escape(measures)}, the map shows the solution with the best
{escape(column_name(view.objective))}.
Started {view.run.created:%Y-%m-%d %H:%M} UTC, {escape(state)}.</p></header>"""


def _numbers(view: RunView) -> str:
    now, best = view.statistics, view.best()
    void = f", {view.void_games:,} of them void" if view.void_games else ""
    again = "" if len(view.log) == view.log.evaluations else f" of {len(view.log):,} solutions"
    reach = f", {100 * now.reachable_coverage:.1f} % of those in reach" if now.reachable < now.cells else ""
    numbers = {
        "evaluations": (f"{view.log.evaluations:,}{again}", f"{view.games:,} games{void}"),
        "elites": (f"{now.elites:,}", f"in {now.cells:,} cells, {100 * now.coverage:.1f} % covered{reach}"),
        "QD score": (f"{now.qd_score:,.1f}", now.score_in_words(column_name(view.objective))),
    }
    if best is not None:
        name = column_name(view.objective)
        numbers[f"best {name}"] = _number(best.objective.value), _best_note(view, best)
        numbers["mean of elites"] = _number(now.mean), f"{name} in the search"
    entries = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(note)}</small></dd></div>"
        for name, (value, note) in numbers.items()
    )
    return f'<dl class="numbers">{entries}</dl>'


def _best_note(view: RunView, best: Elite) -> str:
    """The note on the best number, one line each: its interval in the search, its value on fresh games, its elite."""
    lines = [f"in the search, {_ends(best.objective)} in {best.games:,} games"]
    if best.rechecked is not None:
        games = view.rechecks[best.number].games
        lines.append(f"{_number(best.rechecked.value)} {_ends(best.rechecked)} in {games:,} fresh games")
    return "\n".join([*lines, f"{_title(best)}: the first deck below"])


# The map and how it grew


def _map(view: RunView, texts: Mapping[int, EliteText]) -> str:
    scale = Scale.over(view.archive.objectives[view.archive.elites])
    found = grids(view.archive, view.measures)
    forms = {
        name: "".join(
            f'<figure class="map">{map_svg(grid, scale, view.objective, texts.__getitem__, equal=equal)}</figure>'
            for grid in found
        )
        for name, equal in (("equal", True), ("true", False))
    }
    pairs = "Where cells differ only in other measures, the best one is shown. " if len(found) > 1 else ""
    blank = ", and no solution can be in blank ones" if view.statistics.reachable < view.statistics.cells else ""
    return f"""<section><h2>The map</h2>
<p class="soft">Colours show {escape(column_name(view.objective))} in the search; hatched cells have no elite{blank}.
{pairs}Point at a cell to see its elite, click it for the deck. On the keyboard: Tab goes to the map, arrow keys move
from cell to cell, Enter shows the deck.</p>
<input type="radio" name="form" id="equal-cells" checked><label for="equal-cells">cells of one size</label>
<input type="radio" name="form" id="true-cells"><label for="true-cells">true boundaries</label>
<div class="beside"><div class="form equal-form">{forms["equal"]}</div><div class="form true-form">{forms["true"]}</div>
<div id="chosen" class="deck" role="region" aria-label="the chosen elite" aria-live="polite"></div></div>
</section>"""


def _curves(view: RunView) -> str:
    drawn = "".join(f"<figure>{each}</figure>" for each in curve_svgs(curve_of(view), view.objective))
    score = view.statistics.score_in_words(column_name(view.objective))
    return f"""<section><h2>How it grew</h2>
<p class="soft">One run. At each moment, the solutions evaluated so far are in the cells that the map has now.
The QD score is the {escape(score)}.</p>
<div class="curves">{drawn}</div></section>"""


# The rounds of a surrogate


def _rounds(view: RunView) -> str:
    found, (numbers, curves) = predictions_of(view), curves_of(view)
    scatters = "".join(f"<figure>{prediction_svg(each)}</figure>" for each in found)
    over_rounds = "".join(f"<figure>{round_svg(numbers, each)}</figure>" for each in curves)
    beyond = max(each.beyond for each in found)
    border = f" Up to {beyond:,} predictions lie beyond the axes, and are drawn at the border." if beyond else ""
    return f"""<section><h2>What the surrogate predicted</h2>
<p class="soft">A model of the results chose {len(found[0].predicted):,} candidates in {rounds_in_words(numbers)}.
Each dot is a candidate, those of the last round in the second colour; on the dashed line, its games showed what was
predicted.{border}</p>
<div class="curves">{scatters}</div>
<p class="soft">Errors are mean squared errors: of the predictions of a round's candidates before they were evaluated,
and of the model on the solutions that it was trained on. Part of them is the noise of the games. A candidate has
entered the map if it is an elite when its round ends. Distances are steps along the measures, over those that
entered.</p>
<div class="curves">{over_rounds}</div></section>"""


# Decks


def _decks(view: RunView, elites: Sequence[Elite]) -> str:
    fresh = ". Fresh games, which had no part in the selection, show what each is worth" if view.recheck() else ""
    shown = "".join(_deck(view, elite) for elite in elites[:SHOWN_DECKS])
    return f"""<section><h2>The best elites</h2>
<p class="soft">By {escape(column_name(view.objective))} in the search, which favours lucky results{fresh}.
All elites: <code>deckatlas export {escape(quote(view.name))} --elites elites.csv</code></p>
<div class="decks">{shown}</div></section>"""


def _cards(view: RunView, elites: Sequence[Elite]) -> str:
    """The cards of the best elites in fresh games, a table to unfold for each."""
    tables = "".join(_cards_of(view, elite) for elite in elites[:SHOWN_DECKS])
    return f"""<section><h2>Cards in games</h2>
<p class="soft">How often a card of the best elites was drawn, kept when it was offered, and played in fresh games, the
turn in which it was first played, and how these games ended, with 95 % intervals. {escape(BIAS)}
All elites: <code>deckatlas export {escape(quote(view.name))} --cards cards.csv</code></p>
{tables}</section>"""


def _cards_of(view: RunView, elite: Elite) -> str:
    rows = view.cards_in_games(elite.number)
    if not rows:
        return ""
    with content_of(view.path):
        games = max(row.get("games") or row["swap_out_games"] for row in rows)
        table = page_table(card_columns(rows), card_cells(rows))
    rated = "" if elite.rechecked is None else f", {column_name(view.objective)} {_number(elite.rechecked.value)}"
    return f"""<details><summary>{escape(_title(elite))}{escape(rated)} in {games:,} fresh games</summary>
{table}</details>"""


def _deck(view: RunView, elite: Elite) -> str:
    lines = view.deck_list(elite)
    entries = "".join(
        f'<li title="{escape(line.kind)}"><b>{line.cost}</b><span>{escape(line.name)}</span>'
        f"<span>{TIMES}{line.copies}</span></li>"
        for line in lines
    )
    listed = f"<figure>{mana_curve_svg(lines)}</figure><ul>{entries}</ul>" if lines else ""
    return f"""<article class="deck"><h3>{escape(_title(elite))}</h3>
<p class="facts">{escape(_facts(view, elite))}</p>{listed}
<div class="code"><code>{escape(view.code(elite))}</code><button type="button">copy</button></div></article>"""


def _title(elite: Elite) -> str:
    return f"cell {', '.join(map(str, elite.cell))}"


def _facts(view: RunView, elite: Elite) -> str:
    measured = ", ".join(f"{column_name(name)} {_number(value)}" for name, value in elite.measures.items())
    objective = column_name(view.objective)
    rated = elite.objective
    facts = [measured, f"{objective} {_number(rated.value)} {_ends(rated)} in {elite.games:,} games of the search"]
    if elite.rechecked is not None:
        games = view.rechecks[elite.number].games
        facts.append(f"{objective} {_number(elite.rechecked.value)} {_ends(elite.rechecked)} in {games:,} fresh games")
    if view.objective != WIN_RATE and WIN_RATE in view.log.names:
        rate = view.rated(WIN_RATE, elite.number)
        facts.append(f"win rate {_number(rate.value)} {_ends(rate)} in the search")
    return "\n".join(facts)


def _script_data(view: RunView, elites: Iterable[Elite]) -> str:
    """The data on elites for the page's script; nothing in it can end the element that holds it."""
    cards: dict[DeckLine, int] = {}
    known: dict[str, Any] = {}
    for elite in elites:
        deck = []
        for line in view.deck_list(elite):
            card = DeckLine(1, line.name, line.cost, line.kind)
            deck.append((cards.setdefault(card, len(cards)), line.copies))
        facts = {"title": _title(elite), "text": _facts(view, elite), "code": view.code(elite), "deck": deck}
        known[str(elite.number)] = facts
    data = {"cards": [(card.name, card.cost) for card in cards], "elites": known}
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


# The recheck


def _recheck(view: RunView, found: Recheck, texts: Mapping[int, EliteText]) -> str:
    games = {view.rechecks[number].games for number in view.archive.elites.tolist()}
    counts = " or ".join(f"{count:,}" for count in sorted(games))
    return f"""<section><h2>Recheck on fresh games</h2>
<p>Every elite played {counts} fresh games; only these count afterwards.
{escape(" ".join(recheck_sentences(found)))}</p>
{page_table(("", "before", "on fresh games"), recheck_rows(found, view.objective))}
<figure class="scatter">{recheck_svg(view, lambda number: texts[number].tip)}
<figcaption>Each dot is an elite; on the dashed line, fresh games agree with those of the search.</figcaption></figure>
</section>"""


# The end


def _reproduction(view: RunView) -> str:
    name, run = view.name, view.run
    commands = [f"deckatlas run {quote(f'{name}.toml')}", f"deckatlas show {quote(name)} --digest"]
    if view.rechecks:
        games = max(outcome.games for outcome in view.rechecks.values())
        asked = {question for of_elite in view.card_tables.values() for question in of_elite}
        commands[0] += f" --recheck --recheck-games {games}"
        commands[0] += (" --cards" if "events" in asked else "") + (" --swap-out" if "swap-outs" in asked else "")
    facts = [
        ("seed", str(view.config["seed"])),
        ("digest", view.digest if run.finished else "none before it is finished"),
        ("cards", run.cards),
        ("started", f"{run.created:%Y-%m-%d %H:%M:%S} UTC"),
        ("finished", f"{run.finished:%Y-%m-%d %H:%M:%S} UTC" if run.finished else "no"),
        *run.versions.items(),
    ]
    return f"""<section><h2>Configuration, and how to reproduce it</h2>
<p>Save this as <code>{escape(name)}.toml</code>; it contains all defaults:</p>
<pre>{escape(toml_text(run.config))}</pre>
<p>These commands then give the same evaluations on any number of threads; compare the digests:</p>
<pre>{escape(chr(10).join(commands))}</pre>
{page_table(("", ""), facts)}</section>"""


def _paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>"


def _ends(rated: Estimate) -> str:
    return f"[{_number(rated.low)}, {_number(rated.high)}]"


def _number(value: float) -> str:
    return f"{value:.4g}" if isfinite(value) and abs(value) < 1000 else f"{value:,.0f}" if isfinite(value) else "none"
