"""All searches there are: the options of each, told apart by `algorithm`."""

from typing import Annotated

from pydantic import Field

from deckatlas.search.active_genes import EA, EAW, EAll
from deckatlas.search.baselines import EB, RE, RT

AnySearch = Annotated[EA | EAW | EAll | EB | RE | RT, Field(discriminator="algorithm")]
