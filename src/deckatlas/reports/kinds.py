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
from deckatlas.reports.mesb_table import DeckTable
from deckatlas.reports.turns import Turns

AnyReport = Annotated[
    AgentsTable | Boxes | Bubbles | Champions | Correlation | Curve | DeckTable | League | ManaCurves | Turns,
    Field(discriminator="kind"),
]
