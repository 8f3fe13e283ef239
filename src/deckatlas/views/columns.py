"""What the columns of maps are called where people read them."""

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


def column_name(column: str) -> str:
    """A column in words."""
    return _NAMES.get(column, column.removeprefix("num_").replace("_", " "))
