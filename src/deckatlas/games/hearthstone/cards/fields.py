"""The fields of a card that patches can change, and how their values are read and written."""

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, Race
from deckatlas.games.hearthstone.cards.long_form import effects_text
from deckatlas.games.hearthstone.cards.parse import as_effects, parse_effects
from deckatlas.games.hearthstone.cards.table import parse_keywords
from deckatlas.games.hearthstone.cards.terms import Effects, Slot
from deckatlas.shapes import nearest, show


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise CardError(f"needs a whole number, not {show(value)}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise CardError(f"needs a text, not {show(value)}")
    return value


def _code(codes: type[CardType] | type[HeroClass] | type[Race], what: str, value: object) -> int:
    name = _text(value) or "none"
    known = [each for each in codes.__members__ if codes is Race or each != "none"]
    if name not in known:
        raise CardError(f"has the unknown {what} {show(name)}: {nearest(name, known)}")
    return codes[name]


def written(value: str | int | Effects) -> str | int:
    """The value of a field as written in a file."""
    return value if isinstance(value, str | int) else effects_text(as_effects(value))


def _effects(value: object) -> tuple[Slot, ...]:
    if isinstance(value, str):
        return parse_effects(value) if value.strip() else ()
    return as_effects(value)


# Field names of patches: the field's name in cards, and how its value is read.
FIELDS = {
    "dbf_id": ("dbf_id", _int),
    "name": ("name", _text),
    "class": ("hero_class", lambda value: _code(HeroClass, "class", value)),
    "type": ("type", lambda value: _code(CardType, "type", value)),
    "rarity": ("rarity", _text),
    "set": ("set", _text),
    "cost": ("cost", _int),
    "attack": ("attack", _int),
    "health": ("health", _int),
    "durability": ("health", _int),
    "race": ("race", lambda value: _code(Race, "race", value)),
    "keywords": ("keywords", lambda value: parse_keywords(tuple(_text(value).split()))),
    "effect": ("effects", _effects),
}
