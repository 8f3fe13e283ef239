"""A map of Hearthstone decks in one call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.pools import DEFAULT_POOL
from deckatlas.games.hearthstone.run_config import opponent_tables
from deckatlas.games.hearthstone.suites import SUITES, Suite, SuiteLike
from deckatlas.runs.loop import Watch
from deckatlas.runs.map_elites import (
    EVALUATIONS,
    GAMES,
    MEASURES,
    OBJECTIVE,
    RESOLUTION,
    archive_table,
    make_map,
    search_table,
)
from deckatlas.runs.view import RunView

STARTER = "starter"


def map_elites(
    hero_class: str,
    *,
    edition: EditionLike = DEFAULT,
    pool: str = DEFAULT_POOL,
    pilot: str = "planner:score=control",
    suite: SuiteLike = STARTER,
    profile: str = "fair",
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
    """Searches for the best deck of every kind, by MAP-Elites with sliding boundaries.

    Args:
        hero_class: The class of the decks, such as "hunter".
        edition: The edition, its name, or the path of a TOML file with a patch.
        pool: The cards that decks are built from.
        pilot: The agent that plays them.
        suite: Whom they meet: "starter", "elite", the path of a TOML file, or a suite.
        profile: How games are set up and counted: "fair", "evostone" or "evosabber".
        objective: What elites are best in: a column of evaluations or of decks.
        measures: The columns that tell kinds of decks apart.
        resolution: How many cells there are in the end along each measure, or along all alike; the map grows from 2.
        algorithm: How decks are searched: "map-elites"; or, to compare it with, "random-solutions" or "mu-plus-lambda".
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
        CardError: If the edition is none of the shipped ones with patches on it, which is what a run can keep.
        MatchError: If the number of threads or of games of the recheck is none.
        RunError: If something else in this cannot be, or the file cannot be used.
    """
    tables = {
        "space": {"kind": "hearthstone-deck", "class": hero_class, "pool": pool, **_edition_table(edition)},
        "evaluation": {"pilot": pilot, "profile": profile, "games": games, **_suite_table(suite, edition)},
        "archive": archive_table(measures, resolution),
        "search": search_table(algorithm, objective, evaluations),
    }
    return make_map(
        hero_class, tables, seed=seed, settings=settings, recheck=recheck, path=path, threads=threads, watch=watch
    )


def _edition_table(edition: EditionLike) -> dict[str, Any]:
    """An edition as a run keeps it: by the name of a shipped one, and the patch on it."""
    if not isinstance(edition, Edition):
        return {"edition": edition}
    if edition.name in EDITIONS and edition == edition_of(edition.name):
        return {"edition": edition.name}
    patch = edition.as_patch()
    return {"edition": patch.base, "patch": patch.to_toml()}


def _suite_table(suite: SuiteLike, edition: EditionLike) -> dict[str, Any]:
    """A suite as a run keeps it: by its name or file, or by its opponents."""
    if not isinstance(suite, Suite):
        return {} if suite == STARTER else {"suite": suite}
    opponents = [table.model_dump() for table in opponent_tables(suite, edition_of(edition))]
    return {"opponents": opponents} | ({} if suite.name in SUITES else {"suite": suite.name})
