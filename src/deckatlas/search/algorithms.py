"""The options of every search; `algorithm` says which."""

from typing import Annotated

from pydantic import Field

from deckatlas.search.active_genes import EA, EAW, EAll
from deckatlas.search.baselines import EB, RE, RT
from deckatlas.search.card_values import CardValues
from deckatlas.search.dbga import Dbga
from deckatlas.search.map_searches import MapElites, MuPlusLambda, RandomSolutions
from deckatlas.search.random_search import RandomSearch

AnySearch = Annotated[
    EB | EA | EAW | EAll | RE | RT | Dbga | RandomSearch | CardValues | MapElites | RandomSolutions | MuPlusLambda,
    Field(discriminator="algorithm"),
]
