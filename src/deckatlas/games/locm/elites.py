"""A map of decks or draft policies of Legends of Code and Magic in one call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from deckatlas.arguments import checked
from deckatlas.games.health import MEASURES, OBJECTIVE
from deckatlas.games.locm.editions import DEFAULT, Edition, EditionLike
from deckatlas.runs.loop import Watch
from deckatlas.runs.one_call import (
    EVALUATIONS,
    GAMES,
    RESOLUTION,
    archive_table,
    listed,
    make_map,
    search_table,
)
from deckatlas.runs.view import RunView


@checked
def map_elites(
    solution: Literal["deck", "draft"],
    *,
    genome: str | None = None,
    pilot: str = "greedy",
    opponents: Sequence[str] | str = ("icebox/greedy",),
    format: str = "referee",
    edition: EditionLike = DEFAULT,
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
        solution: What is searched: "deck", or "draft" for policies, which are described by the decks they draft.
        genome: The genome of a draft policy: "priorities" (the default), "attributes" or "attribute-pattern".
        pilot: The battle agent that plays the decks.
        opponents: The opponents, such as "icebox/greedy".
        format: How drafts offer cards: "referee" or "distinct".
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.
        objective: The column that elites maximise: one of the evaluations or of the decks.
        measures: The columns that span the map.
        resolution: The final number of cells along each measure; one number holds for all. The map grows from 2.
        algorithm: The search: "map-elites", or for comparison "random-solutions" or "mu-plus-lambda".
        evaluations: The number of evaluations.
        games: The games per evaluation.
        seed: The seed of everything random.
        settings: Other values of the configuration, as for `--set` on the command line, such as
            "search.most_games=800".
        recheck: If given, each elite plays this many games with fresh seeds at the end.
        path: The file of the run, which is resumed if the file exists; without one, nothing is kept on disk.
        threads: The number of threads; the result does not depend on it.
        watch: Called with the progress of the map, several times a second.

    Raises:
        MatchError: If `threads` or `recheck` is not a positive whole number.
        RunError: If another argument is impossible, or the file cannot be used.
    """
    kind = f"locm-{solution}"
    tables = {
        "space": {"kind": kind, **edition_values(edition), **({} if genome is None else {"genome": {"kind": genome}})},
        "evaluation": {"pilot": pilot, "opponents": listed(opponents), "format": format, "games": games},
        "archive": archive_table(measures, resolution),
        "search": search_table(algorithm, objective, evaluations),
    }
    return make_map(
        kind, tables, seed=seed, settings=settings, recheck=recheck, path=path, threads=threads, watch=watch
    )


def edition_values(edition: EditionLike) -> dict[str, str]:
    """An edition as values of the table `space`."""
    if not isinstance(edition, Edition):
        return {"edition": str(edition)}
    return {} if edition.is_official else {"patch": edition.as_patch().to_toml()}
