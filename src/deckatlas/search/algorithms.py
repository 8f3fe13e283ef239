"""The options of every search; `algorithm` says which."""

from typing import Annotated

from pydantic import Field

from deckatlas.search.active_genes import EA, EAW, EAll
from deckatlas.search.baselines import EB, RE, RT
from deckatlas.search.card_values import CardValues
from deckatlas.search.cma_searches import CmaEs, CmaMe
from deckatlas.search.dbga import Dbga
from deckatlas.search.deck_values import DeckValues
from deckatlas.search.map_searches import MapElites, MuPlusLambda, RandomSolutions
from deckatlas.search.random_search import RandomSearch
from deckatlas.search.surrogate_search import SurrogateMapElites

_Matchups = EB | EA | EAW | EAll | RE | RT | Dbga | RandomSearch | CardValues
_Maps = MapElites | RandomSolutions | MuPlusLambda | CmaMe | CmaEs | SurrogateMapElites

AnySearch = Annotated[_Matchups | _Maps | DeckValues, Field(discriminator="algorithm")]
AnyMapSearch = Annotated[_Maps, Field(discriminator="algorithm")]
