"""Hearthstone, Basic and Classic, all one needs in one place.

>>> from deckatlas import hearthstone
>>> results = hearthstone.play("random", "random", decks=("Starter Mage", "Starter Hunter"), games=100, seed=1)
>>> results.games
100
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deckatlas.games.hearthstone.agents import AGENTS, FEATURES, SCORES
from deckatlas.games.hearthstone.cards.deck_codes import clipboard_block, deck_code, read_deck
from deckatlas.games.hearthstone.cards.deck_files import read_deck_file
from deckatlas.games.hearthstone.cards.deck_lists import parse_deck_list
from deckatlas.games.hearthstone.cards.deck_sheet import DeckSheet, deck_sheet
from deckatlas.games.hearthstone.cards.decks import Deck, build_deck, check_deck, random_deck
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, Patch, edition
from deckatlas.games.hearthstone.cards.find import find_cards
from deckatlas.games.hearthstone.cards.library import NamedDeck, field_decks, library, named_decks
from deckatlas.games.hearthstone.cards.pools import POOLS, pool
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.texts import text_of
from deckatlas.games.hearthstone.cards_in_games import CardsInGames
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.explanation import Explanation, Line
from deckatlas.games.hearthstone.gauntlet import gauntlet
from deckatlas.games.hearthstone.match import MULLIGANS, HearthstoneResult, play, play_one
from deckatlas.games.hearthstone.position import ScenarioResult, run_scenario, scenario
from deckatlas.games.hearthstone.profiles import PROFILES, Profile
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.setup import new_game
from deckatlas.games.hearthstone.state import (
    ACTION_NUMBERS,
    Action,
    ActionKind,
    HandCard,
    Minion,
    Rng,
    Side,
    State,
    Unseen,
    Weapon,
    read_state,
)
from deckatlas.games.hearthstone.story import narrate
from deckatlas.games.hearthstone.suites import SUITES, Opponent, Suite, suite_of
from deckatlas.games.hearthstone.swap_out import SwapOuts, swap_out
from deckatlas.play.gauntlet import GauntletResult
from deckatlas.play.sprt import Sprt

if TYPE_CHECKING:
    from deckatlas.games.hearthstone.compare import compare
    from deckatlas.games.hearthstone.elites import map_elites
    from deckatlas.games.hearthstone.growth import grow
    from deckatlas.games.hearthstone.improve import improve
    from deckatlas.games.hearthstone.improvement import Improvement
    from deckatlas.games.hearthstone.metagame import metagame
    from deckatlas.games.hearthstone.training.adaptation import Adaptation, adapt
    from deckatlas.metagame.analysis import Analysis
    from deckatlas.metagame.growth import Growth, Listener
    from deckatlas.play.paired import Comparison
    from deckatlas.runs.elites import Elite
    from deckatlas.runs.view import RunView, open_run
    from deckatlas.views.growth_figures import plot_growth
    from deckatlas.views.growth_page import write_growth
    from deckatlas.views.map_pictures import plot_map
    from deckatlas.views.map_report import write_report
    from deckatlas.views.metagame_figures import plot_metagame
    from deckatlas.views.metagame_page import write_metagame

# What is imported when it is first asked for: pydantic, which it comes with, takes as long as all the rest.
_LATER = {
    "Adaptation": "deckatlas.games.hearthstone.training.adaptation",
    "Analysis": "deckatlas.metagame.analysis",
    "Comparison": "deckatlas.play.paired",
    "Elite": "deckatlas.runs.elites",
    "Growth": "deckatlas.metagame.growth",
    "Improvement": "deckatlas.games.hearthstone.improvement",
    "Listener": "deckatlas.metagame.growth",
    "RunView": "deckatlas.runs.view",
    "adapt": "deckatlas.games.hearthstone.training.adaptation",
    "compare": "deckatlas.games.hearthstone.compare",
    "grow": "deckatlas.games.hearthstone.growth",
    "improve": "deckatlas.games.hearthstone.improve",
    "map_elites": "deckatlas.games.hearthstone.elites",
    "metagame": "deckatlas.games.hearthstone.metagame",
    "open_run": "deckatlas.runs.view",
    "plot_growth": "deckatlas.views.growth_figures",
    "plot_map": "deckatlas.views.map_pictures",
    "plot_metagame": "deckatlas.views.metagame_figures",
    "write_growth": "deckatlas.views.growth_page",
    "write_metagame": "deckatlas.views.metagame_page",
    "write_report": "deckatlas.views.map_report",
}

__all__ = [
    "ACTION_NUMBERS",
    "AGENTS",
    "EDITIONS",
    "FEATURES",
    "MULLIGANS",
    "POOLS",
    "PROFILES",
    "SCORES",
    "SUITES",
    "Action",
    "ActionKind",
    "Adaptation",
    "Analysis",
    "Card",
    "CardsInGames",
    "Comparison",
    "Deck",
    "DeckSheet",
    "Edition",
    "Elite",
    "Evaluations",
    "Explanation",
    "GameRecord",
    "GauntletResult",
    "Growth",
    "HandCard",
    "HearthstoneResult",
    "Improvement",
    "Line",
    "Listener",
    "Minion",
    "NamedDeck",
    "Opponent",
    "Patch",
    "Profile",
    "Rng",
    "RunView",
    "ScenarioResult",
    "Side",
    "Sprt",
    "State",
    "Suite",
    "SwapOuts",
    "Unseen",
    "Weapon",
    "adapt",
    "build_deck",
    "check_deck",
    "clipboard_block",
    "compare",
    "deck_code",
    "deck_sheet",
    "edition",
    "evaluate",
    "field_decks",
    "find_cards",
    "gauntlet",
    "grow",
    "improve",
    "library",
    "map_elites",
    "metagame",
    "named_decks",
    "narrate",
    "new_game",
    "open_run",
    "parse_deck_list",
    "play",
    "play_one",
    "plot_growth",
    "plot_map",
    "plot_metagame",
    "pool",
    "random_deck",
    "read_deck",
    "read_deck_file",
    "read_state",
    "run_scenario",
    "scenario",
    "suite_of",
    "swap_out",
    "text_of",
    "write_growth",
    "write_metagame",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'deckatlas.hearthstone' has no attribute '{name}'")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
