"""A balance study as one web page that needs nothing but itself, and its answers as a table."""

import csv
import io
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from deckatlas.balancing.field_games import CLASS, DECK
from deckatlas.balancing.questions import UNDECIDED, Sentence
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE
from deckatlas.balancing.tables import mixed_decks, places_of
from deckatlas.balancing.trial_questions import DECK_IN_MIX, FOUND, INCLUSION, MIX
from deckatlas.balancing.trials import keys_of
from deckatlas.views.balance_svg import dumbbell_svg, maps_svg, matrices_svg
from deckatlas.views.page_parts import page_table, whole_page

_COLUMNS = (
    *("family", "topic", "subject", "place", "claim", "before", "after", "difference", "low", "high", "p"),
    *("adjusted_p", "n", "rests_on"),
)
_MOST_CARDS = 60
_SMALL_SHARE = 0.005


def balance_csv(study: Study) -> str:
    """All answers, one row for each."""
    return answers_csv(each.to_json() for each in (*study.sentences, *study.matchups, *study.cells))


def answers_csv(answers: Iterable[Mapping[str, Any]]) -> str:
    """Answers as CSV, one row for each."""
    text = io.StringIO()
    rows = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    rows.writerows(answers)
    return text.getvalue()


def balance_page(study: Study) -> str:
    """The page of a study."""
    sections = [_heading(study), _numbers(study), _verdict(study), _intents(study), _shifts(study)]
    if study.trials:
        sections += [_maps(study), _cards(study), _mix(study)]
    sections += [_matrices(study), _how(study)]
    return whole_page(f"{study.subject.patch}: what it does", sections, style="balance_page.css")


def _heading(study: Study) -> str:
    subject = study.subject
    changes = "".join(f"<li><b>{escape(each.card)}</b> {escape(each.words)}</li>" for each in subject.changes)
    rules = "".join(f"<li>{escape(each)}</li>" for each in subject.rules)
    left_out = "".join(f"<li>left out: {escape(each)}</li>" for each in subject.left_out)
    return f"""<header><h1>{escape(subject.patch)}</h1>
<p>What a patch of edition {escape(subject.editions[BASE])} does to the metagame
{escape(subject.fields[BASE].name)}.</p><ul>{changes}{rules}{left_out}</ul></header>"""


def _numbers(study: Study) -> str:
    changes = sum(each.is_change for each in study.sentences)
    undecided = sum(each.claim == UNDECIDED for each in study.sentences)
    shown = {
        "changes": (str(changes), f"among {len(study.sentences)} questions"),
        "undecided": (str(undecided), "more games or trials would tell"),
        "games": (f"{study.games:,}", f"effort {study.plan.effort.name}"),
        "trials": (str(len(study.trials)), "of searches under both editions"),
    }
    entries = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(note)}</small></dd></div>"
        for name, (value, note) in shown.items()
    )
    return f'<dl class="numbers">{entries}</dl>'


def _verdict(study: Study) -> str:
    changes = [each for each in study.sentences if each.is_change]
    rest = [each for each in study.sentences if not each.is_change]
    found = f"<ol>{_items(changes)}</ol>" if changes else "<p>No change beyond chance.</p>"
    return f"""<section><h2>The verdict</h2>
<p class="soft">The largest changes first. Intervals have 95 % confidence; adjusted p values allow for all questions
of a kind: if the patch did nothing, any claim of a kind would be made in at most 5 % of studies.</p>{found}
<details><summary>{len(rest)} numbers that did not change, or are undecided</summary><ul>{_items(rest)}</ul></details>
</section>"""


def _items(sentences: list[Sentence]) -> str:
    return "".join(f'<li class="{each.claim}">{escape(each.text)}</li>' for each in sentences)


def _intents(study: Study) -> str:
    if not study.intents:
        return ""
    items = "".join(f'<li class="{each.verdict}">{escape(each.text)}</li>' for each in study.outcomes)
    return f"<section><h2>What is meant</h2><ul>{items}</ul></section>"


def _shifts(study: Study) -> str:
    decks = study.subject.words.several
    charts = (
        ((DECK,), f"win rates of known {decks} against the field"),
        ((CLASS,), "win rates of classes against the field"),
        ((FOUND,), f"win rates of the best {decks} found"),
        ((MIX,), "shares of classes in the equilibrium mix"),
        ((DECK_IN_MIX,), f"shares of {decks} in the equilibrium mix"),
    )
    figures = []
    for topics, title in charts:
        shown = [each for each in study.answers if each.question.topic in topics]
        if shown:
            ordered = sorted(shown, key=lambda each: -each.question.shift.value)
            figures.append(f"<figure>{dumbbell_svg(ordered, title=title)}</figure>")
    return f"<section><h2>Who gains and who loses</h2>{''.join(figures)}</section>"


def _maps(study: Study) -> str:
    changed = [each for each in study.cells if each.is_change]
    subjects = {each.question.subject for each in changed}
    drawn = ""
    for key in keys_of(study.subject):
        figures = "".join(f"<figure>{each}</figure>" for each in maps_svg(study.trials, key, subjects))
        drawn += f'<div class="maps">{figures}</div>'
    rows = [
        (
            each.card,
            each.key[0].title(),
            each.measure,
            *("none has it" if end is None else end.text() for end in each.values),
        )
        for each in places_of(study.trials, study.subject.cards)
    ]
    heading = ("card", "elites", "measure", "before [95 %]", "after [95 %]")
    places = f"<h3>Where the changed cards are</h3>{page_table(heading, rows)}" if rows else ""
    return f"""<section><h2>The maps of what was found</h2>
<p class="soft">The win rate of the elite of each cell, on average over {len(study.trials)} trials. In the difference,
blue cells gain and orange ones lose; those with a bold outline changed beyond noise. A plus marks cells that only the
patch ever fills, and a minus those that only the base edition does.</p>
{drawn}<ul>{_items(changed)}</ul>{places}</section>"""


def _cards(study: Study) -> str:
    asked = [each for each in study.answers if each.question.topic == INCLUSION]
    ordered = sorted(asked, key=lambda each: (not each.is_change, -abs(each.question.shift.value)))[:_MOST_CARDS]
    rows = [
        (
            each.question.subject,
            each.question.place,
            each.question.before.text(0),
            each.question.after.text(0),
            f"{100 * each.question.difference.value:+.0f} {each.question.difference.ends(0)}",
            f"{each.adjusted_p:.2g}",
            each.claim,
        )
        for each in ordered
    ]
    share = study.subject.words.inclusion.format(elites="elites", card="a card")
    heading = ("card", "elites", "before [95 %]", "after [95 %]", "points [95 %]", "adjusted p", "claim")
    return f"""<section><h2>Cards that enter and leave</h2>
<p class="soft">{escape(share[:1].upper() + share[1:])}: the changed cards, and all others with at least 15 %.</p>
{page_table(heading, rows)}</section>"""


def _mix(study: Study) -> str:
    words = study.subject.words
    claims = {each.question.subject: each.claim for each in study.sentences if each.question.topic == DECK_IN_MIX}
    rows = [
        (each.name, each.before.text(1), each.after.text(1), claims.get(each.name, "too rare to ask"))
        for each in mixed_decks(study.trials, words)
        if max(each.before.value, each.after.value) > _SMALL_SHARE
    ]
    return f"""<section><h2>The equilibrium mix</h2>
<p class="soft">What to play if everybody asks the same question: known {words.several} and the best ones found, on
average over {len(study.trials)} trials.</p>
{page_table((words.one, "before [95 %]", "after [95 %]", "claim"), rows)}</section>"""


def _matrices(study: Study) -> str:
    decks = study.subject.words.several
    return f"""<section><h2>Who beats whom</h2>
<p class="soft">Known {decks}, those that won most before the patch first: games that the row won against the column.
Blue is above a half, or a gain; orange is below, or a loss; outlined differences are beyond noise.</p>
<figure class="wide">{matrices_svg(study)}</figure></section>"""


def _how(study: Study) -> str:
    plan, subject = study.plan, study.subject
    decks = subject.words.several
    runs = "".join(
        f"<li>trial {each.number}, from {'known' if each.from_known else 'random'} {decks}: "
        f"{escape(', '.join(each.runs))}</li>"
        for each in study.trials
    )
    return f"""<section><h2>What it rests on</h2>
<p>Seed {plan.seed}; {"both editions played the same seeds" if plan.paired else "the editions played different seeds"}.
Known {decks}: {escape(subject.fields[BASE].name)}, played by {escape(" and ".join(subject.fields[BASE].pilots))}.</p>
<ul>{runs}</ul></section>"""
