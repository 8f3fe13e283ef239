"""What differs between two editions of Legends of Code and Magic, card by card, in words."""

from collections.abc import Iterator

from deckatlas.games.locm.cards import Card
from deckatlas.games.locm.editions import ABILITIES, Edition

_STATS = ("attack", "defense")
_EFFECTS = {"player_health": "own health", "enemy_health": "enemy health", "draw": "draw"}


def changed_cards(base: Edition, patched: Edition) -> tuple[tuple[Card, str], ...]:
    """The cards that differ, as they are in the second edition, each with what changes, in the order of their ids."""
    return tuple(
        (after, ", ".join(_differences(before, after)))
        for before, after in zip(base.cards, patched.cards, strict=True)
        if before != after
    )


def _differences(before: Card, after: Card) -> Iterator[str]:
    if before.cost != after.cost:
        yield f"costs {after.cost} instead of {before.cost}"
    for name in _STATS:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"has {new} {name} instead of {old}"
    for verb, less, more in (("gains", before, after), ("loses", after, before)):
        letters = {*more.keywords} - {*less.keywords}
        if abilities := [name for letter, name in ABILITIES.items() if letter in letters]:
            yield f"{verb} {' and '.join(abilities)}"
    for name, words in _EFFECTS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"has {words} {new:+d} instead of {old:+d}"
