"""A metagame on the terminal: tables and sentences that fit 80 columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.metagame.analysis import Analysis
from deckatlas.metagame.challenger import Challenge
from deckatlas.stats.estimate import Estimate

Part = str | Text | Table

SHOWN_CYCLES = 5
_WIDEST_MATRIX = 15  # decks; a wider one does not fit
_LONGEST_NAME = 24
_LONGEST_IN_MATRIX = 15


def metagame_parts(analysis: Analysis) -> Iterator[Part]:
    """Ratings and the mix, the matrix, and what follows from them."""
    yield _decks_table(analysis)
    if len(analysis.names) <= _WIDEST_MATRIX:
        yield _matrix_table(analysis)
    else:
        yield f"The matrix of {len(analysis.names)} decks is too wide for here: --page and --picture show it."
    yield from metagame_sentences(analysis)


def metagame_sentences(analysis: Analysis) -> Iterator[str]:
    """What follows from the matchups, in sentences."""
    names, mix = analysis.names, analysis.mix
    pairs = len(analysis.matchups.outcomes)
    yield (
        f"{len(analysis.decided)} of {pairs} pairs have a favourite beyond chance (Holm's method over all pairs, 5 %)."
    )
    yield f"By the resampled matrices, no deck wins more than {100 * (0.5 + mix.gain.high):.1f} % against the mix."
    if not mix.is_unique:
        yield "Other mixes are equilibria, too; the most even one is given."
    if analysis.cycles:
        yield f"Cycles of three decks that are beyond chance, the strongest first ({len(analysis.cycles)} in all):"
    for cycle in analysis.cycles[:SHOWN_CYCLES]:
        first, second, third = (names[i] for i in cycle.decks)
        rates = ", ".join(f"{100 * each.value:.0f} %" for each in cycle.rates)
        yield f"  {first} > {second} > {third} > {first}  ({rates})"
    if not analysis.cycles:
        yield "No cycle of three decks is beyond chance."
    largest = max(range(len(names)), key=lambda i: float(analysis.course.mean[i]))
    yield (
        f"If decks that win are copied, starting from today's shares, {names[largest]} averages "
        f"{100 * float(analysis.course.mean[largest]):.0f} % over time, the most of all decks."
    )


def challenge_parts(challenge: Challenge, atlas: Mapping[str, Sequence[Challenge]] | None = None) -> Iterator[Part]:
    """How a deck does: overall, its place, and every matchup from the best to the worst.

    Args:
        challenge: The games of the deck.
        atlas: Other decks that it is compared with, by the name of their run.
    """
    field = challenge.field
    yield f"{challenge.name} against {field.metagame.name} ({field.metagame.edition})"
    yield f"  today's shares: {challenge.overall.text(1)} of {challenge.overall.n:,} games won"
    yield f"  equilibrium mix: {challenge.against_mix.text(1)}"
    yield f"  better than {challenge.percentile.text(0)} of the field's {len(field.names)} decks"
    for name, elites in (atlas or {}).items():
        yield f"  better than {challenge.among(elites).text(0)} of {len(elites)} elites of {name}"
    table = plain_table("", "opponent", "won % [95 %]", "mix %", left=("opponent",))
    for place, j in enumerate(challenge.order, start=1):
        table.add_row(
            str(place), name_cell(field.names[j]), _share(challenge.rate(j)), f"{100 * field.mix.shares[j]:.1f}"
        )
    yield table


def _decks_table(analysis: Analysis) -> Table:
    pilots = ", ".join(analysis.metagame.pilots)
    table = plain_table(
        *("#", "deck", "mix % [95 %]", "in mix", "Elo", "won %"),
        left=("deck",),
        title=f"{analysis.metagame.name}: {analysis.metagame.edition}, {pilots}, {analysis.matchups.games:,} games",
        caption="in mix: share of resampled matrices; won: against today's shares",
    )
    for place, i in enumerate(analysis.order, start=1):
        rating = analysis.matchups.ratings[i]
        table.add_row(
            str(place),
            name_cell(analysis.names[i]),
            _share(analysis.mix.share(i)),
            f"{100 * analysis.mix.chance[i]:.0f} %",
            f"{rating.value:+.0f} ±{rating.half_width:.0f}",
            analysis.score(i).plus_minus(1),
        )
    return table


def _matrix_table(analysis: Analysis) -> Table:
    order = analysis.order
    table = Table(
        title="wins of the row in %",
        caption="* beyond chance",
        box=box.SIMPLE_HEAD,
        padding=(0, 0, 0, 0),
        pad_edge=False,
    )
    table.add_column("#", justify="right")
    table.add_column("deck", no_wrap=True)
    for place in range(1, len(order) + 1):
        table.add_column(f"{place} ", justify="right", no_wrap=True)
    for place, i in enumerate(order, start=1):
        name = Text(_short(analysis.names[i], _LONGEST_IN_MATRIX))
        table.add_row(str(place), name, *(_cell(analysis, i, j) for j in order))
    return table


def _cell(analysis: Analysis, i: int, j: int) -> str:
    if i == j:
        return ""
    mark = "*" if (i, j) in analysis.decided or (j, i) in analysis.decided else " "
    return f"{100 * analysis.matchups.rates[i, j]:.0f}{mark}"


def _share(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} {estimate.ends(1)}"


def _short(name: str, longest: int = _LONGEST_NAME) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def name_cell(name: str) -> Text:
    """The name of a deck in a table."""
    return Text(_short(name))


def plain_table(*columns: str, left: Iterable[str], title: str = "", caption: str = "") -> Table:
    """An empty table; numbers are aligned to the right."""
    table = Table(title=Text(title), caption=Text(caption), box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    return table
