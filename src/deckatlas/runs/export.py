"""What a run found, for other programs: a table of generations, everything as JSON, the best genome, a figure."""

import csv
import io
from typing import TYPE_CHECKING, Any

from deckatlas.errors import RunError
from deckatlas.games.locm.genomes import policy_text
from deckatlas.runs.digest import run_digest
from deckatlas.runs.matchups import GenerationRow, MatchupStore
from deckatlas.search.protocol import Genomes, Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

COLUMNS = ("generation", "games", "best", "population_mean")
FIGURES = (".png", ".svg", ".pdf")


def best_genomes(store: MatchupStore) -> tuple[Genomes, Scores]:
    """The last generation, the best first.

    Raises:
        RunError: If there is none yet.
    """
    latest = store.latest()
    if latest is None:
        raise RunError(f"{store.path} has no generation yet")
    return store.population(latest[0])


def fact_names(generations: list[GenerationRow]) -> list[str]:
    """The names of all facts, in the order in which they first appear."""
    return list(dict.fromkeys(name for generation in generations for name in generation.facts))


def generations_csv(store: MatchupStore) -> str:
    """A row a generation: games until then, the best individual's score, the mean of all, and the facts."""
    generations = store.generations()
    facts = fact_names(generations)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*COLUMNS, *facts])
    for row in generations:
        values = [row.facts.get(name) for name in facts]
        writer.writerow([row.number, row.games, row.best, row.mean, *values])
    return buffer.getvalue()


def run_json(store: MatchupStore) -> dict[str, Any]:
    """The run, its generations and all their individuals."""
    run = store.run()
    asks, games = store.counts()
    generations = []
    for row in store.generations():
        genomes, scores = store.population(row.number)
        individuals = zip(scores.tolist(), genomes.tolist(), strict=True)
        generations.append(
            {
                "generation": row.number,
                "games": row.games,
                "facts": row.facts,
                "population": [{"score": score, "genome": genome} for score, genome in individuals],
            }
        )
    return {
        "config": run.config,
        "versions": run.versions,
        "cards": run.cards,
        "created": run.created.isoformat(),
        "finished": None if run.finished is None else run.finished.isoformat(),
        "digest": run_digest(store),
        "asks": asks,
        "games": games,
        "generations": generations,
    }


def best_policy(store: MatchupStore) -> str:
    """The best genome as the text of a policy file, which `genome:file=PATH` drafts by.

    Raises:
        RunError: If there is no generation yet.
    """
    genomes, _ = best_genomes(store)
    return policy_text(store.run().searched, genomes[0])


def figure_of(ending: str) -> "type[Figure]":
    """What figures are drawn on, if files with this ending can hold them.

    Raises:
        RunError: If matplotlib is not installed, or the kind is unknown.
    """
    if ending not in FIGURES:
        raise RunError(f"a figure's file ends in {', '.join(FIGURES[:-1])} or {FIGURES[-1]}, not {ending!r}")
    try:
        from matplotlib.figure import Figure  # an extra, and slow to import
    except ImportError:
        raise RunError("figures need matplotlib: pip install 'deckatlas[plot]'") from None
    return Figure


def generations_figure(store: MatchupStore, ending: str) -> bytes:
    """A picture of best and mean score over games, of the kind that files with this ending have.

    Raises:
        RunError: If matplotlib is not installed, or the kind is unknown.
    """
    make_figure = figure_of(ending)
    rows = store.generations()
    figure = make_figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    games = [row.games for row in rows]
    axes.plot(games, [row.best for row in rows], label="best of the generation")
    axes.plot(games, [row.mean for row in rows], label="mean of the generation")
    run = store.run()
    axes.set(title=f"{run.config['name']} ({run.algorithm})", xlabel="games", ylabel="score")
    axes.grid(alpha=0.3)
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format=ending.removeprefix("."), dpi=150)
    return picture.getvalue()
