"""`deckatlas runs` and `deckatlas show`: what runs there are, and what they found."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.cli.common import RUNS, Part, StoreOption, has_colours, out, print_parts, print_table
from deckatlas.errors import RunError
from deckatlas.games.locm.genomes import GENOME_KINDS, Genome
from deckatlas.runs.digest import run_digest
from deckatlas.runs.export import (
    best_genomes,
    fact_names,
)
from deckatlas.runs.library import Summary, find_run, open_run, path_of, summaries, summary_of
from deckatlas.runs.map_store import MapStore
from deckatlas.runs.matchups import GenerationRow, MatchupStore

RunArgument = Annotated[str, typer.Argument(help="The name of a run, or the path of its file.", metavar="RUN")]
SHOWN_GENERATIONS = 12


def runs(store: StoreOption = RUNS) -> None:
    """Lists the runs of a folder: how far they are, and how good what they found is.

    Example: deckatlas runs
    """
    found = summaries(store)
    if not found:
        out.print(f"there are no runs in {store}", markup=False, soft_wrap=True)
        return
    table = _table("name", "algorithm", "state", "reached", "games", "best", "begun")
    for summary in found:
        games = _games(summary) if summary.created else ""
        table.add_row(
            Text(summary.name),
            summary.algorithm,
            summary.state,
            summary.reached,
            games,
            _score(_best_found(summary, store)),
            _local_time(summary.created),
        )
    print_table(table)
    for summary in found:
        if summary.problem:
            out.print(summary.problem, markup=False, soft_wrap=True)


def _best_found(summary: Summary, store: Path) -> float | None:
    """The best of a run, the same that `show` puts first.

    A map that is interrupted stores its last evaluations with the best of those before. So the best of a map that is
    not finished is asked of the map itself.
    """
    if summary.state not in ("running", "stopped"):
        return summary.best
    from deckatlas.runs.view import view_of  # with pydantic, which takes long to import

    try:
        with open_run(path_of(store, summary.name)) as opened:
            if not isinstance(opened, MapStore):
                return summary.best
            best = view_of(opened).best()
    except RunError:  # with other cards now, or other files: it is listed with what is stored
        return summary.best
    return None if best is None else best.objective.value


def show(
    run: RunArgument,
    digest: Annotated[
        bool, typer.Option("--digest", help="Print only a hash over configuration, evaluations and populations.")
    ] = False,
    store: StoreOption = RUNS,
) -> None:
    """Shows a run: its configuration, how it went, and the best that it found in words.

    Example: deckatlas show evolution --digest
    """
    with open_run(find_run(store, run)) as opened:
        if digest:
            out.print(run_digest(opened))
            return
        shown: list[Part] = [*overview(opened)]
        if isinstance(opened, MapStore):
            from deckatlas.runs.view import view_of  # with pydantic, which takes long to import
            from deckatlas.views.terminal import map_story

            shown += map_story(view_of(opened), colours=has_colours())
        else:
            opened.check()
            generations = opened.generations()
            shown += [_generations_table(generations), *_best(opened, generations[-1])] if generations else []
    print_parts(shown)


def _best(store: MatchupStore, last: GenerationRow) -> Iterator[str]:
    """What the best genome of the last generation wants, a line each."""
    genomes, scores = best_genomes(store)
    yield f"best of generation {last.number}, rated {_score(scores[0])}:"
    for line in _in_words(store.run().searched, genomes[0]):
        yield f"  {line}"


def _in_words(kind: str, genome: Genome) -> list[str]:
    if kind not in GENOME_KINDS:
        raise RunError(f"this deckatlas does not know genomes of the kind {kind!r}")
    return GENOME_KINDS[kind].in_words(genome)


def overview(store: MatchupStore | MapStore) -> Iterator[str]:
    """What a run is and how far it is, a line each."""
    run, summary = store.run(), summary_of(store)
    finished = f", finished {_local_time(run.finished)}" if run.finished is not None else ""
    yield f"{run.config['name']}: {summary.algorithm}, {summary.state}, {_games(summary)} games"
    yield f"stored in {store.path}, begun {_local_time(run.created)}{finished}"
    yield "made with " + ", ".join(f"{name} {version}" for name, version in run.versions.items() if name != "core")
    yield f"core built with {run.versions['core']}"
    yield f"cards {run.cards[:16]}"
    yield ""
    for key, value in _settings(run.config):
        yield f"  {key} = {value}"


def _settings(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}", str(value).lower() if isinstance(value, bool) else repr(value)


def _generations_table(generations: list[GenerationRow]) -> Table:
    """The first, the last, and some in between."""
    facts = fact_names(generations)
    table = _table("generation", "games", "best", "population mean", *facts)
    chosen = np.unique(np.linspace(0, len(generations) - 1, SHOWN_GENERATIONS).round().astype(int))
    for row in (generations[number] for number in chosen):
        values = (_score(row.facts.get(name)) for name in facts)
        table.add_row(str(row.number), f"{row.games:,}", _score(row.best), _score(row.mean), *values)
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in ("name", "algorithm", "state") else "right", no_wrap=True)
    return table


def _games(summary: Summary) -> str:
    return f"{summary.games:,}" if summary.budget is None else f"{summary.games:,} of {summary.budget:,}"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def _local_time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M}"
