"""All kinds of reports there are: the options of each, told apart by `kind`."""

from typing import Annotated

from pydantic import Field

from deckatlas.reports.champions import Champions
from deckatlas.reports.league import League

AnyReport = Annotated[Champions | League, Field(discriminator="kind")]
