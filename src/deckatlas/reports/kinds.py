"""All kinds of reports there are: the options of each, told apart by `kind`."""

from typing import Annotated

from pydantic import Field

from deckatlas.reports.agents_table import AgentsTable
from deckatlas.reports.boxes import Boxes
from deckatlas.reports.champions import Champions
from deckatlas.reports.correlation import Correlation
from deckatlas.reports.curve import Curve
from deckatlas.reports.deck_reports import Bubbles, ManaCurves
from deckatlas.reports.league import League
from deckatlas.reports.mesb_boundaries import MapBoundaries
from deckatlas.reports.mesb_cells import MapCells
from deckatlas.reports.mesb_correlation import ManaCorrelation
from deckatlas.reports.mesb_curves import MapCurves
from deckatlas.reports.mesb_decks import EliteDecks
from deckatlas.reports.mesb_density import DensityReport
from deckatlas.reports.mesb_elites import Elites
from deckatlas.reports.mesb_pools import Pools
from deckatlas.reports.mesb_table import DeckTable
from deckatlas.reports.turns import Turns

AnyReport = Annotated[
    AgentsTable
    | Boxes
    | Bubbles
    | Champions
    | Correlation
    | Curve
    | DeckTable
    | DensityReport
    | EliteDecks
    | Elites
    | League
    | ManaCorrelation
    | ManaCurves
    | MapBoundaries
    | MapCells
    | MapCurves
    | Pools
    | Turns,
    Field(discriminator="kind"),
]
