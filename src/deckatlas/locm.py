"""Legends of Code and Magic 1.2, all one needs in one place.

>>> from deckatlas import locm
>>> state = locm.new_game(seed=7)
>>> results = locm.play("icebox/greedy", "random/greedy", games=1000, seed=1)
>>> results.games
1000
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES, rankings
from deckatlas.games.locm.cards import Card, cards
from deckatlas.games.locm.editions import Edition, Patch
from deckatlas.games.locm.editions import edition_of as edition
from deckatlas.games.locm.find import find_cards
from deckatlas.games.locm.gauntlet import gauntlet
from deckatlas.games.locm.match import play
from deckatlas.games.locm.position import position, to_dict
from deckatlas.games.locm.record import GameRecord, narrate
from deckatlas.games.locm.state import ACTION_NUMBERS, Action, Creature, HandCard, Side, State, new_game, read_state
from deckatlas.games.locm.table import play_one
from deckatlas.play.gauntlet import GauntletResult
from deckatlas.play.match import MatchResult
from deckatlas.play.ratings import Ratings
from deckatlas.play.sprt import Sprt, SprtState
from deckatlas.play.times import TurnTimes
from deckatlas.stats.estimate import Estimate

if TYPE_CHECKING:
    from deckatlas.games.locm.compare import compare
    from deckatlas.games.locm.elites import map_elites
    from deckatlas.games.locm.metagame import metagame
    from deckatlas.games.locm.rates import CardRates, card_rates
    from deckatlas.metagame.analysis import Analysis
    from deckatlas.play.paired import Comparison
    from deckatlas.runs.elites import Elite
    from deckatlas.runs.view import RunView, open_run
    from deckatlas.views.map_pictures import plot_map
    from deckatlas.views.map_report import write_report
    from deckatlas.views.metagame_figures import plot_metagame
    from deckatlas.views.metagame_page import write_metagame

# What is imported when it is first asked for: pydantic, which it comes with, takes as long as all the rest.
_LATER = {
    "Analysis": "deckatlas.metagame.analysis",
    "CardRates": "deckatlas.games.locm.rates",
    "Comparison": "deckatlas.play.paired",
    "Elite": "deckatlas.runs.elites",
    "RunView": "deckatlas.runs.view",
    "card_rates": "deckatlas.games.locm.rates",
    "compare": "deckatlas.games.locm.compare",
    "map_elites": "deckatlas.games.locm.elites",
    "metagame": "deckatlas.games.locm.metagame",
    "open_run": "deckatlas.runs.view",
    "plot_map": "deckatlas.views.map_pictures",
    "plot_metagame": "deckatlas.views.metagame_figures",
    "write_metagame": "deckatlas.views.metagame_page",
    "write_report": "deckatlas.views.map_report",
}

__all__ = [
    "ACTION_NUMBERS",
    "BATTLE_AGENTS",
    "DRAFT_POLICIES",
    "Action",
    "Analysis",
    "Card",
    "CardRates",
    "Comparison",
    "Creature",
    "Edition",
    "Elite",
    "Estimate",
    "GameRecord",
    "GauntletResult",
    "HandCard",
    "MatchResult",
    "Patch",
    "Ratings",
    "RunView",
    "Side",
    "Sprt",
    "SprtState",
    "State",
    "TurnTimes",
    "card_rates",
    "cards",
    "compare",
    "edition",
    "find_cards",
    "gauntlet",
    "map_elites",
    "metagame",
    "narrate",
    "new_game",
    "open_run",
    "play",
    "play_one",
    "plot_map",
    "plot_metagame",
    "position",
    "rankings",
    "read_state",
    "to_dict",
    "write_metagame",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'deckatlas.locm' has no attribute '{name}'")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
