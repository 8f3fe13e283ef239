"""Games between draft policies for reports, carried out and stored like a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field, TypeAdapter

from deckatlas.errors import RunError
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.entrants import entrant
from deckatlas.games.locm.genomes import GENOME_KINDS
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.run_config import (
    AnyGenome,
    Curve,
    GenomeTable,
    LocmDraftRun,
    accepted,
    cards_hash,
    gene_names,
)
from deckatlas.games.locm.spaces import LocmDrafts
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.search.batches import Batch, Course, Seeds
from deckatlas.search.protocol import Genomes


class ArenaTable(ConfigTable):
    """The setting in which draft policies meet: pilot, opponents and format."""

    pilot: Annotated[str, AfterValidator(partial(accepted, battle_agent))] = Field(
        default="random", description="The battle agent that plays all decks."
    )
    opponents: tuple[Annotated[str, AfterValidator(partial(accepted, entrant))], ...] = Field(
        default=(), description="Named players, as on the command line."
    )
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")


@dataclass(frozen=True)
class DraftPlayers:
    """Draft policies that meet: the kind of their genomes, and the arena.

    Attributes:
        genome: The kind of the genomes of a batch.
        arena: Their pilot and opponents; opponent k of the arena is participant -1 - k of the batch.
    """

    genome: GenomeTable
    arena: ArenaTable

    def to_json(self) -> dict[str, Any]:
        """Everything the games depend on beside the batch."""
        return {
            "space": {"kind": "locm-draft", "genome": self.genome.model_dump(mode="json")},
            "evaluation": self.arena.model_dump(mode="json"),
        }

    @classmethod
    def from_json(cls, config: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        genome: GenomeTable = TypeAdapter(AnyGenome).validate_python(config["space"]["genome"])
        return cls(genome, ArenaTable.model_validate(config["evaluation"]))

    @property
    def cards(self) -> str:
        """A hash of the cards."""
        return cards_hash()

    def evaluator(self) -> LocmMatchups:
        """The evaluator that plays the games."""
        arena = self.arena
        space = LocmDrafts(self.genome.genomes(), format=arena.format)
        return LocmMatchups(space, pilot=arena.pilot, opponents=arena.opponents, format=arena.format)

    def describe(self) -> Description:
        """The description of the genomes in a store."""
        genomes = self.genome.genomes()
        genes = tuple(Gene(name) for name in gene_names(genomes.kind))
        layout = GeneLayout(genomes.genes, np.dtype(np.float64))
        title = f"draft policies ({genomes.kind}) that meet each other, played by {self.arena.pilot}"
        return Description(title, "locm-draft", genes, layout, facts={"genome": genomes.kind})


def play_drafts(
    study: Study, name: str, batch: Batch, *, genome: GenomeTable, arena: ArenaTable
) -> npt.NDArray[np.int64]:
    """Plays all matchups of a batch, or the rest of them; see `Study.play`.

    Args:
        study: The study.
        name: The name of the store.
        batch: The matchups.
        genome: The kind of the batch's genomes.
        arena: The pilot and the opponents.
    """
    return study.play(name, batch, DraftPlayers(genome, arena))


def draft_run_of(run: FinishedRun) -> LocmDraftRun:
    """The configuration of a run over draft policies.

    Raises:
        RunError: If it is not a run over draft policies.
    """
    if not isinstance(run.config, LocmDraftRun):
        raise RunError(f"{run.path} is not a run over draft policies")
    return run.config


def genome_of(study: Study) -> GenomeTable:
    """The kind of the genomes of all runs, or a kind that all can be converted to: see `bests_of`.

    Raises:
        RunError: If there are no runs, or they cannot meet in one comparison.
    """
    tables = {draft_run_of(run).space.genome for runs in study.runs.values() for run in runs}
    if not tables:
        raise RunError("this report needs runs")
    if len(tables) == 1:
        return tables.pop()
    for table in tables:
        if GENOME_KINDS[table.kind].as_curve is None:
            raise RunError(f"genomes of the kind {table.kind!r} cannot meet those of other kinds in a report")
    return Curve(kind="curve")


def bests_of(study: Study, run: FinishedRun, count: int) -> Genomes:
    """The best `count` genomes of a run's last generation, converted to the kind of `genome_of`."""
    genomes = run.bests(count)
    genome = draft_run_of(run).space.genome
    as_curve = GENOME_KINDS[genome.kind].as_curve
    if genome == genome_of(study) or as_curve is None:
        return genomes
    return np.array([as_curve(each) for each in genomes])


def training_drafts(run: FinishedRun) -> Seeds:
    """The seeds of all training drafts of a run, in the order in which it first met them.

    A store has only a hash of the batches, so the search is repeated with the stored outcomes.
    """
    search, history = run.config.prepare().make_search(), run.view.history
    met: dict[int, None] = {}
    for rows in history.batches:
        batch = search.ask()
        assert batch is not None, "the run is finished, and was played by the same search"
        for course in batch.courses:
            assert isinstance(course, Course)
            met |= dict.fromkeys(course.draft_seeds.tolist())
        search.tell(history.outcomes(rows))
    return np.array(list(met), dtype=np.uint64)
