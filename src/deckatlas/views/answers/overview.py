"""A run as a whole: what was searched and how, how far it is, what entered its map last, and how to reproduce it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from shlex import quote

import numpy as np

from deckatlas.documents.toml_text import toml_text
from deckatlas.runs.course import Commit, seconds_left, working_seconds
from deckatlas.runs.round_statistics import targets_of
from deckatlas.runs.view import RunView
from deckatlas.views.answers.shapes import AsCode, Number, Rate, Shape
from deckatlas.views.card_changes import card_changes
from deckatlas.views.columns import column_name
from deckatlas.views.map_filling import improvements
from deckatlas.views.settings import given_settings, settings_of

FEED = 12
BEST = 6


class Setting(Shape):
    """A value of the configuration, and whether it differs from its default; None where that is not known."""

    key: str
    value: str
    is_given: bool | None


class MapNumbers(Shape):
    """The numbers of a map. Coverage in reach is the share of the cells that a solution can be in, if some are not."""

    elites: int
    cells: int
    coverage: Number
    coverage_in_reach: Number
    mean: Number
    qd_score: Number
    qd_score_in_words: str


class RunOverview(Shape):
    """A run as a whole: what was searched, how, and how far it is.

    `solutions` and `void_games` are known of maps; `best_elites` are the best solutions of the search, the best first.
    `seconds` is the time it has worked, without long pauses, if that is known; `seconds_left` is known of running runs
    with a budget.
    """

    title: str
    name: str
    algorithm: str
    seed: str
    objective: str
    objective_title: str
    evaluations: int
    solutions: int | None
    games: int
    void_games: int | None
    has_archive: bool
    has_decks: bool
    has_generations: bool
    has_rounds: bool
    has_recheck: bool
    has_cards_in_games: bool
    best: Rate | None
    best_elites: list[int]
    best_rechecked: Rate | None
    map: MapNumbers | None
    cards: str
    versions: dict[str, str]
    started: datetime
    finished: datetime | None
    seconds: Number
    seconds_left: Number
    games_per_second: Number
    settings: list[Setting]
    code: AsCode


def overview_of(view: RunView, commits: Sequence[Commit], *, is_running: bool = False) -> RunOverview:
    """A run as a whole.

    Args:
        view: The run.
        commits: All writes to its store, as far as they are known.
        is_running: Whether a process is writing it.
    """
    worked = working_seconds(commits, view.run.created)
    seconds = float(worked[-1]) if len(worked) else None
    best = view.best() if view.has_archive else None
    return RunOverview(
        title=view.title,
        name=view.name,
        algorithm=view.run.algorithm,
        seed=str(view.config["seed"]),
        objective=view.objective,
        objective_title=column_name(view.objective) if view.objective else "score",
        evaluations=view.progress.evaluations,
        solutions=len(view.log) if view.has_archive else None,
        games=view.games,
        void_games=view.void_games if view.has_archive else None,
        has_archive=view.has_archive,
        has_decks=bool(view.description.layout.deck_size),
        has_generations=bool(view.generations),
        has_rounds=view.has_archive and bool(targets_of(view)),
        has_recheck=view.has_archive and view.recheck() is not None,
        has_cards_in_games=bool(view.card_tables),
        best=None if best is None else Rate.of(best.objective),
        best_elites=_best_elites(view) if view.has_archive else [],
        best_rechecked=None if best is None or best.rechecked is None else Rate.of(best.rechecked),
        map=_map_numbers(view) if view.has_archive else None,
        cards=view.run.cards,
        versions=view.run.versions,
        started=view.run.created.astimezone(UTC),
        finished=None if view.run.finished is None else view.run.finished.astimezone(UTC),
        seconds=seconds,
        seconds_left=seconds_left(commits, view.budget) if is_running else None,
        games_per_second=view.games / seconds if seconds else None,
        settings=_settings(view),
        code=AsCode(
            command=f"deckatlas show {quote(str(view.path))}",
            python=f"import deckatlas\n\nprint(deckatlas.open_run({str(view.path)!r}))",
        ),
    )


def _best_elites(view: RunView) -> list[int]:
    """The numbers of the first of `view.elites()`, without the intervals of all others."""
    elites = view.archive.elites
    order = np.lexsort((elites, -view.archive.objectives[elites]))[:BEST]
    found: list[int] = elites[order].tolist()
    return found


def _map_numbers(view: RunView) -> MapNumbers:
    now = view.statistics
    return MapNumbers(
        elites=now.elites,
        cells=now.cells,
        coverage=now.coverage,
        coverage_in_reach=now.reachable_coverage if now.reachable < now.cells else None,
        mean=now.mean,
        qd_score=now.qd_score,
        qd_score_in_words=now.score_in_words(column_name(view.objective)),
    )


def _settings(view: RunView) -> list[Setting]:
    given = given_settings(view.config)
    return [
        Setting(key=key, value=value, is_given=None if given is None else key in given)
        for key, value in settings_of(view.config)
    ]


class Entered(Shape):
    """A solution that entered the map: its cell, the objective before and after, and how it differs from its parent."""

    number: int
    found: int
    cell: list[int]
    before: Rate | None
    objective: Rate
    parent: int | None
    changes: list[str]


def feed_of(view: RunView) -> list[Entered]:
    """The last solutions that became elites of the cells that the map has now, the latest first."""
    if not view.has_archive or not len(view.archive):
        return []
    cells = view.archive.individual_cells
    numbers = improvements(cells, view.archive.objectives).tolist()
    before: dict[int, int] = {}
    replaced: dict[int, int | None] = {}
    for number in numbers:
        replaced[number] = before.get(int(cells[number]))
        before[int(cells[number])] = number
    latest = numbers[: -FEED - 1 : -1]
    coordinates = view.archive.cells.indices(cells[latest]).tolist()
    return [_entered(view, number, cell, replaced[number]) for number, cell in zip(latest, coordinates, strict=True)]


def _entered(view: RunView, number: int, cell: list[int], replaced: int | None) -> Entered:
    parent = int(view.log.parents[number])
    return Entered(
        number=number,
        found=int(view.log.first_evaluations[number]) + 1,
        cell=cell,
        before=None if replaced is None else Rate.of(view.rated(view.objective, replaced)),
        objective=Rate.of(view.rated(view.objective, number)),
        parent=parent if parent >= 0 else None,
        changes=list(card_changes(view, parent, number)) if parent >= 0 else [],
    )


class Reproduction(Shape):
    """How to make a run again: its configuration as a file, the commands, and the digest of a finished run."""

    file: str
    toml: str
    commands: list[str]
    digest: str | None


def reproduction_of(view: RunView) -> Reproduction:
    """How to make a run again, with its recheck."""
    file = f"{view.name}.toml"
    again = f"deckatlas run {quote(file)}"
    if view.rechecks:
        games = max(outcome.games for outcome in view.rechecks.values())
        asked = {question for of_elite in view.card_tables.values() for question in of_elite}
        again += f" --recheck --recheck-games {games}"
        again += (" --cards" if "events" in asked else "") + (" --swap-out" if "swap-outs" in asked else "")
    return Reproduction(
        file=file,
        toml=toml_text(view.run.config),
        commands=[again, f"deckatlas show {quote(view.name)} --digest"],
        digest=view.digest if view.run.finished else None,
    )
