"""The columns of maps for people: their names, their units, and their possible values."""

from math import inf

_NAMES = {
    "win_rate": "win rate",
    "avg_health_diff": "health difference",
    "num_turns": "turns",
    "deck_mana_sum": "sum of mana costs",
    "deck_mana_mean": "mean mana cost",
    "deck_mana_variance": "variance of mana costs",
    "num_minion_cards": "minions",
    "num_spell_cards": "spells",
    "num_weapon_cards": "weapons",
    "num_class_cards": "class cards",
    "num_legendary_cards": "legendary cards",
}
_UNITS = {
    "win_rate": "share of games",
    "void_games": "share of games",
    "avg_health_diff": "health points",
    "num_turns": "per game",
    "hand_size": "cards",
    "damage_done": "per turn",
    "cards_drawn": "per turn",
    "cards_played": "per turn",
    "mana_spent": "per turn",
    "mana_wasted": "per turn",
    "num_minion_cards": "cards",
    "num_spell_cards": "cards",
    "num_weapon_cards": "cards",
    "deck_mana_sum": "mana",
    "deck_mana_mean": "mana",
    "deck_mana_variance": "mana²",
}
_SHARES = ("win_rate", "void_games")


def column_name(column: str) -> str:
    """A column in words."""
    return _NAMES.get(column, column.removeprefix("num_").replace("_", " "))


def axis_name(column: str) -> str:
    """The name of an axis: a column in words, with its unit if it has one."""
    unit = f" ({_UNITS[column]})" if column in _UNITS else ""
    return f"{column_name(column)}{unit}"


def axis_of(words: str) -> str:
    """The name of an axis, of a column that is known by its words alone: with its unit if it has one."""
    return next((axis_name(column) for column in _UNITS if column_name(column) == words), words)


def bounds_of(column: str) -> tuple[float, float]:
    """The least and the greatest possible value of a column; infinite where there is no bound."""
    return (0.0, 1.0) if column in _SHARES else (-inf, inf)
