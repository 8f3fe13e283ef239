"""A map of Hearthstone decks in one call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.games.health import MEASURES, OBJECTIVE
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.pools import DEFAULT_POOL
from deckatlas.games.hearthstone.run_base import edition_table, opponent_tables
from deckatlas.games.hearthstone.suites import SUITES, Suite, SuiteLike
from deckatlas.runs.loop import Watch
from deckatlas.runs.one_call import (
    EVALUATIONS,
    GAMES,
    RESOLUTION,
    archive_table,
    make_map,
    search_table,
)
from deckatlas.runs.view import RunView
from deckatlas.search.batches import CardQuestion

STARTER = "starter"


@checked
def map_elites(
    hero_class: str,
    *,
    edition: EditionLike = DEFAULT,
    pool: str = DEFAULT_POOL,
    pilot: str = DEFAULT_PILOT,
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
    cards: Sequence[CardQuestion] = (),
    path: Path | str | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> RunView:
    """Searches for the best deck of every kind, by MAP-Elites with sliding boundaries.

    Args:
        hero_class: The class of the decks, such as "hunter".
        edition: The edition, as an object, a name, or the path of a TOML file with a patch.
        pool: The cards that decks are built from.
        pilot: The agent that plays them.
        suite: The opponents: "starter", "elite", the path of a TOML file, or a suite.
        profile: How games are set up and counted: "fair", "evostone" or "evosabber".
        objective: The column that elites maximise: one of the evaluations or of the decks.
        measures: The columns that span the map.
        resolution: The final number of cells along each measure; one number holds for all. The map grows from 2.
        algorithm: The search: "map-elites", "dsa-me" with a surrogate, which finds more in as many games, or for
            comparison "random-solutions" or "mu-plus-lambda".
        evaluations: The number of evaluations.
        games: The games per evaluation.
        seed: The seed of everything random.
        settings: Other values of the configuration, as for `--set` on the command line, such as
            "search.most_games=800".
        recheck: If given, each elite plays this many games with fresh seeds at the end.
        cards: What these games are asked about the cards of elites: "events" (how often each is drawn, kept and played,
            and how these games end), "swap-outs" (what each is worth; some twenty times as many games), or both.
        path: The file of the run, which is resumed if the file exists; without one, nothing is kept on disk.
        threads: The number of threads; the result does not depend on it.
        watch: Called with the progress of the map, several times a second.

    Raises:
        CardError: If the edition is not a shipped one with patches: a run can only store these.
        MatchError: If `threads` or `recheck` is not a positive whole number.
        RunError: If another argument is impossible, or the file cannot be used.
    """
    tables = {
        "space": {"kind": "hearthstone-deck", "class": hero_class, "pool": pool, **_edition_table(edition)},
        "evaluation": {"pilot": pilot, "profile": profile, "games": games, **_suite_table(suite, edition)},
        "archive": archive_table(measures, resolution),
        "search": search_table(algorithm, objective, evaluations),
    }
    return make_map(
        hero_class,
        tables,
        seed=seed,
        settings=settings,
        recheck=recheck,
        cards=cards,
        path=path,
        threads=threads,
        watch=watch,
    )


def _edition_table(edition: EditionLike) -> dict[str, Any]:
    """An edition as a run stores it; what is given by name is read with the run."""
    return edition_table(edition) if isinstance(edition, Edition) else {"edition": edition}


def _suite_table(suite: SuiteLike, edition: EditionLike) -> dict[str, Any]:
    """A suite as a run stores it: its name or file, or its opponents."""
    if not isinstance(suite, Suite):
        return {} if suite == STARTER else {"suite": suite}
    opponents = [table.model_dump() for table in opponent_tables(suite, edition_of(edition))]
    return {"opponents": opponents} | ({} if suite.name in SUITES else {"suite": suite.name})
