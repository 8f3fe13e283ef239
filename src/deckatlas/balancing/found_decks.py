"""The best decks that balance studies found, under the base edition and under patches: what players may change to."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from deckatlas.balancing.knobs import FoundDecks
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, PATCHED, SIDES
from deckatlas.balancing.trials import Half

MOST_FOUND = 4  # decks of each kind, found under the base edition, and as many found under patches
_SIDES = len(SIDES)


def most_found(kinds: int, room: int) -> int:
    """How many decks of so many kinds join at most."""
    return _SIDES * kinds * min(MOST_FOUND, room // (_SIDES * max(1, kinds)))


def best_found(studies: Sequence[Study], *, kinds: Collection[str], room: int) -> FoundDecks:
    """The decks of some kinds that won most against the known decks, in the edition in which they were found.

    Both sides count alike: decks for the cards of today, and decks for the patched ones.

    Args:
        studies: What found them.
        kinds: The kinds.
        room: The most decks in all.
    """
    most = most_found(len(kinds), room) // (_SIDES * max(1, len(kinds)))
    rates: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
    for study in studies:
        for trial in study.trials:
            for side in SIDES:
                for kind, deck, rate in _found(trial.halves[side]):
                    known = rates[kind, side]
                    known[deck] = max(rate, known.get(deck, 0.0))
    found = {
        kind: tuple(dict.fromkeys(deck for side in (BASE, PATCHED) for deck in _best(rates[kind, side], most)))
        for kind in dict.fromkeys(kind for kind, _ in rates if kind in kinds)
    }
    return {kind: decks for kind, decks in found.items() if decks}


def _best(rates: Mapping[str, float], most: int) -> list[str]:
    return sorted(rates, key=lambda deck: (-round(rates[deck], 9), deck))[:most]


def _found(half: Half) -> Iterator[tuple[str, str, float]]:
    """The decks that the searches of half a trial found: their kind, their text, their win rate."""
    known = len(half.shares)
    decks = [deck for found in half.maps.values() for deck in found.best]
    for row, ((kind, _), deck) in enumerate(zip(half.found, decks, strict=True), start=known):
        yield kind, deck, float(half.matchups.rates[row, :known] @ half.shares)
