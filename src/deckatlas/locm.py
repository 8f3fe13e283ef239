"""Legends of Code and Magic 1.2, all one needs in one place.

>>> from deckatlas import locm
>>> state = locm.new_game(seed=7)
>>> results = locm.play("icebox/greedy", "random/greedy", games=1000, seed=1)
>>> results.games
1000
"""

from deckatlas.agents.locm import BATTLE_AGENTS, DRAFT_POLICIES, rankings
from deckatlas.cards.locm import Card, cards
from deckatlas.games.locm import ACTION_NUMBERS, Action, Creature, HandCard, Side, State, new_game, read_state
from deckatlas.games.locm_position import position, to_dict
from deckatlas.games.locm_record import GameRecord, narrate
from deckatlas.play.gauntlet import GauntletResult, gauntlet
from deckatlas.play.match import MatchResult, play
from deckatlas.play.ratings import Ratings
from deckatlas.play.sprt import Sprt, SprtState
from deckatlas.play.stats import Rate
from deckatlas.play.table import play_one
from deckatlas.play.times import TurnTimes

__all__ = [
    "ACTION_NUMBERS",
    "BATTLE_AGENTS",
    "DRAFT_POLICIES",
    "Action",
    "Card",
    "Creature",
    "GameRecord",
    "GauntletResult",
    "HandCard",
    "MatchResult",
    "Rate",
    "Ratings",
    "Side",
    "Sprt",
    "SprtState",
    "State",
    "TurnTimes",
    "cards",
    "gauntlet",
    "narrate",
    "new_game",
    "play",
    "play_one",
    "position",
    "rankings",
    "read_state",
    "to_dict",
]
