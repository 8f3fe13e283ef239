"""All kinds of reports: a union of their options, discriminated by `kind`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from deckatlas.experiments.experiment import Experiment, read_experiment
from deckatlas.papers.active_genes.champions import Champions
from deckatlas.papers.active_genes.correlation import Correlation
from deckatlas.papers.active_genes.curve import PanelCurve
from deckatlas.papers.active_genes.league import League
from deckatlas.papers.dbga.agents_table import AgentsTable
from deckatlas.papers.dbga.boxes import Boxes
from deckatlas.papers.dbga.deck_reports import Bubbles, ManaCurves
from deckatlas.papers.dbga.turns import Turns
from deckatlas.papers.dsa_me.fewer_games import FewerGames
from deckatlas.papers.dsa_me.model_quality import ModelQuality
from deckatlas.papers.dsa_me.pilots import PilotSearches
from deckatlas.papers.dsa_me.surrogate_rounds import SurrogateRounds
from deckatlas.papers.dsa_me.trial_anova import TrialAnova
from deckatlas.papers.dsa_me.trial_curves import TrialCurves
from deckatlas.papers.dsa_me.trial_maps import TrialMaps
from deckatlas.papers.dsa_me.trial_table import TrialTable
from deckatlas.papers.field.compass import Compass
from deckatlas.papers.field.gate import Gate
from deckatlas.papers.field.strength import Strength
from deckatlas.papers.field.unseen import Unseen
from deckatlas.papers.mesb.balance import CardBalance
from deckatlas.papers.mesb.boundaries import MapBoundaries
from deckatlas.papers.mesb.cells import MapCells
from deckatlas.papers.mesb.correlation import ManaCorrelation
from deckatlas.papers.mesb.curves import MapCurves
from deckatlas.papers.mesb.decks import EliteDecks
from deckatlas.papers.mesb.density import DensityReport
from deckatlas.papers.mesb.elites import Elites
from deckatlas.papers.mesb.pools import Pools
from deckatlas.papers.mesb.suite_table import SuiteTable
from deckatlas.papers.mesb.table import DeckTable

AnyReport = Annotated[
    AgentsTable
    | Boxes
    | Bubbles
    | CardBalance
    | Champions
    | Compass
    | Correlation
    | PanelCurve
    | DeckTable
    | DensityReport
    | EliteDecks
    | Elites
    | FewerGames
    | Gate
    | League
    | ManaCorrelation
    | ManaCurves
    | MapBoundaries
    | MapCells
    | MapCurves
    | ModelQuality
    | PilotSearches
    | Pools
    | Strength
    | SuiteTable
    | SurrogateRounds
    | TrialAnova
    | TrialCurves
    | TrialMaps
    | TrialTable
    | Turns
    | Unseen,
    Field(discriminator="kind"),
]


def read_item(file: Path, *, settings: Sequence[str] = (), smoke: bool = False) -> Experiment:
    """Reads an experiment whose report is one of these kinds; see `read_experiment`."""
    return read_experiment(file, reports=AnyReport, settings=settings, smoke=smoke)
