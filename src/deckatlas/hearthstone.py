"""Hearthstone, Basic and Classic, all one needs in one place.

>>> from deckatlas import hearthstone
>>> results = hearthstone.play("random", "random", decks=("Starter Mage", "Starter Hunter"), games=100, seed=1)
>>> results.games
100
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deckatlas.agents.hearthstone import AGENTS, FEATURES, SCORES
from deckatlas.cards.hearthstone.deck_codes import clipboard_block, deck_code, read_deck
from deckatlas.cards.hearthstone.decks import Deck, build_deck, check_deck, named_decks, random_deck
from deckatlas.cards.hearthstone.editions import EDITIONS, Edition, Patch, edition
from deckatlas.cards.hearthstone.pools import POOLS, pool
from deckatlas.cards.hearthstone.table import Card
from deckatlas.cards.hearthstone.texts import text_of
from deckatlas.games.hearthstone import (
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
from deckatlas.games.hearthstone_position import ScenarioResult, run_scenario, scenario
from deckatlas.games.hearthstone_record import GameRecord
from deckatlas.games.hearthstone_setup import new_game
from deckatlas.games.hearthstone_story import narrate
from deckatlas.play.gauntlet import GauntletResult
from deckatlas.play.hearthstone import MULLIGANS, HearthstoneResult, play, play_one
from deckatlas.play.hearthstone_evaluation import Evaluations, evaluate
from deckatlas.play.hearthstone_gauntlet import gauntlet
from deckatlas.play.hearthstone_profiles import PROFILES, Profile
from deckatlas.play.hearthstone_suites import SUITES, Opponent, Suite, suite_of
from deckatlas.play.sprt import Sprt

if TYPE_CHECKING:
    from deckatlas.reports.map_pictures import plot_map
    from deckatlas.reports.map_report import write_report
    from deckatlas.runs.hearthstone_elites import map_elites
    from deckatlas.runs.map_view import Elite, MapView, open_map

# What is imported when it is first asked for: pydantic, which it comes with, takes as long as all the rest.
_LATER = {
    "Elite": "deckatlas.runs.map_view",
    "MapView": "deckatlas.runs.map_view",
    "map_elites": "deckatlas.runs.hearthstone_elites",
    "open_map": "deckatlas.runs.map_view",
    "plot_map": "deckatlas.reports.map_pictures",
    "write_report": "deckatlas.reports.map_report",
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
    "Card",
    "Deck",
    "Edition",
    "Elite",
    "Evaluations",
    "GameRecord",
    "GauntletResult",
    "HandCard",
    "HearthstoneResult",
    "MapView",
    "Minion",
    "Opponent",
    "Patch",
    "Profile",
    "Rng",
    "ScenarioResult",
    "Side",
    "Sprt",
    "State",
    "Suite",
    "Unseen",
    "Weapon",
    "build_deck",
    "check_deck",
    "clipboard_block",
    "deck_code",
    "edition",
    "evaluate",
    "gauntlet",
    "map_elites",
    "named_decks",
    "narrate",
    "new_game",
    "open_map",
    "play",
    "play_one",
    "plot_map",
    "pool",
    "random_deck",
    "read_deck",
    "read_state",
    "run_scenario",
    "scenario",
    "suite_of",
    "text_of",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'deckatlas.hearthstone' has no attribute '{name}'")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
