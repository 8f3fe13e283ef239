"""The best decks that balance studies found, under the base edition and under patches: what players may change to."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from deckatlas.balancing.knobs import FoundDecks
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, PATCHED, SIDES
from deckatlas.balancing.trials import Half

MOST_FOUND = 4  # decks of each kind, found under the base edition, and as many found under patches


def best_found(studies: Sequence[Study]) -> FoundDecks:
    """The decks of each kind that won most against the known decks, in the edition in which they were found.

    Both sides count alike: decks for the cards of today, and decks for the patched ones.
    """
    rates: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
    for study in studies:
        for trial in study.trials:
            for side in SIDES:
                for kind, deck, rate in _found(trial.halves[side]):
                    known = rates[kind, side]
                    known[deck] = max(rate, known.get(deck, 0.0))
    kinds = dict.fromkeys(kind for kind, _ in rates)
    return {
        kind: tuple(dict.fromkeys(deck for side in (BASE, PATCHED) for deck in _best(rates[kind, side])))
        for kind in kinds
    }


def _best(rates: Mapping[str, float]) -> list[str]:
    return sorted(rates, key=lambda deck: (-round(rates[deck], 9), deck))[:MOST_FOUND]


def _found(half: Half) -> Iterator[tuple[str, str, float]]:
    """The decks that the searches of half a trial found: their kind, their text, their win rate."""
    known = len(half.shares)
    decks = [deck for found in half.maps.values() for deck in found.best]
    for row, ((kind, _), deck) in enumerate(zip(half.found, decks, strict=True), start=known):
        yield kind, deck, float(half.matchups.rates[row, :known] @ half.shares)
