"""A map of Legends of Code and Magic in one call: of decks, or of draft policies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from deckatlas.runs.loop import Watch
from deckatlas.runs.map_elites import (
    EVALUATIONS,
    GAMES,
    MEASURES,
    OBJECTIVE,
    RESOLUTION,
    archive_table,
    listed,
    make_map,
    search_table,
)
from deckatlas.runs.view import RunView


def map_elites(
    solution: Literal["deck", "draft"],
    *,
    genome: str | None = None,
    pilot: str = "greedy",
    opponents: Sequence[str] | str = ("icebox/greedy",),
    format: str = "referee",
    objective: str = OBJECTIVE,
    measures: Sequence[str] | str = MEASURES,
    resolution: Sequence[int] | int = RESOLUTION,
    algorithm: str = "map-elites",
    evaluations: int = EVALUATIONS,
    games: int = GAMES,
    seed: int = 0,
    settings: Sequence[str] = (),
    recheck: int | None = None,
    path: Path | str | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> RunView:
    """Searches for the best deck or draft policy of every kind, by MAP-Elites with sliding boundaries.

    Args:
        solution: What is searched: "deck", or "draft" for policies, which are known by the decks they draft.
        genome: What a draft policy is made of: "priorities" if absent, "attributes" or "attribute-pattern".
        pilot: The battle agent that plays the decks.
        opponents: Whom they meet, such as "icebox/greedy".
        format: How drafts offer cards: "referee" or "distinct".
        objective: What elites are best in: a column of evaluations or of decks.
        measures: The columns that tell kinds of solutions apart.
        resolution: How many cells there are in the end along each measure, or along all alike; the map grows from 2.
        algorithm: How it is searched: "map-elites"; or, to compare it with, "random-solutions" or "mu-plus-lambda".
        evaluations: How many evaluations there are.
        games: The games of an evaluation.
        seed: Where everything random comes from.
        settings: Whatever else a configuration can say, as `--set` of the command line takes it, such as
            "search.most_games=800".
        recheck: If given, elites are played again at the end, over so many games of fresh seeds.
        path: A file to keep the run in, which is resumed if it is there; without one, nothing is kept on the disk.
        threads: How many threads play; the result does not depend on it.
        watch: Hears how the map stands, several times a second.

    Raises:
        MatchError: If the number of threads or of games of the recheck is none.
        RunError: If something else in this cannot be, or the file cannot be used.
    """
    kind = f"locm-{solution}"
    tables = {
        "space": {"kind": kind, **({} if genome is None else {"genome": {"kind": genome}})},
        "evaluation": {"pilot": pilot, "opponents": listed(opponents), "format": format, "games": games},
        "archive": archive_table(measures, resolution),
        "search": search_table(algorithm, objective, evaluations),
    }
    return make_map(
        kind, tables, seed=seed, settings=settings, recheck=recheck, path=path, threads=threads, watch=watch
    )
