"""What games share whose players lose when their health is gone: the usual map of their decks, and its scoring."""

from deckatlas.search.archive_statistics import Scoring

OBJECTIVE = "avg_health_diff"
MEASURES = ("deck_mana_sum", "deck_mana_variance")
_FULL_HEALTH = 30.0


def health_scoring(games: int = 1) -> Scoring:
    """The scoring of health differences in the papers on Hearthstone: (difference + 30) / 60.

    A player has 30 health. A difference below -30 is possible but rare: a player can take more damage than it has
    health.

    Args:
        games: The number of games that the objective sums over; 1 for a mean.
    """
    return Scoring(offset=-_FULL_HEALTH * games, scale=2 * _FULL_HEALTH * games)
