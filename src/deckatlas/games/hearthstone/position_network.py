"""Networks that rate positions of Hearthstone: their numbers, in files and for editions.

A trainer gives numbers in single precision; `quantised` rounds them once to whole numbers, and everything after that is
exact. Own numbers of cards are kept by the cards' ids, so that any edition, shipped or patched, finds them; a card that
is not among them has only what it shares with others by its attributes.

A network also knows decks that opponents play: its agents guess hidden cards by them.

A file is an npz archive without pickled objects: one array for each of `ARRAYS`, `cards` with the ids, `decks` with the
known decks as texts, `layout` with a digest of zones and attributes, and `about` with the provenance as text.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.errors import DeckError, ModelError
from deckatlas.files.arrays import read_arrays, write_arrays
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition, edition
from deckatlas.shapes import show

Array = npt.NDArray[Any]

# The type of each array, and the largest number that it may hold.
ARRAYS: Mapping[str, tuple[type, int]] = {
    "own_numbers": (np.int16, np.iinfo(np.int16).max),
    "own_cards": (np.int16, np.iinfo(np.int16).max),
    "shared": (np.int32, core.MOST_SHARED),
    "bias": (np.int32, core.MOST_NETWORK_BIAS),
    "first": (np.int16, core.MOST_DENSE),
    "second": (np.int16, core.MOST_DENSE),
    "last": (np.int16, core.MOST_DENSE),
    "first_bias": (np.int32, core.MOST_NETWORK_BIAS),
    "second_bias": (np.int32, core.MOST_NETWORK_BIAS),
    "last_bias": (np.int32, core.MOST_NETWORK_BIAS),
}
_TEXTS = ("cards", "decks", "layout", "about")
_SCALES = {
    "own": core.NETWORK_SCALES["own"],
    "shared": core.NETWORK_SCALES["shared"],
    "bias": core.NETWORK_SCALES["row"],
    **dict.fromkeys(("first", "second", "last"), core.NETWORK_SCALES["dense"]),
    **dict.fromkeys(("first_bias", "second_bias", "last_bias"), core.NETWORK_SCALES["sum"]),
}
WIDTHS = tuple(range(core.NETWORK_BLOCK, core.WIDEST_NETWORK + 1, core.NETWORK_BLOCK))


@dataclass(frozen=True)
class NetworkWeights:
    """The numbers of a network, for any edition.

    Attributes:
        cards: The ids of the cards with own numbers, in order.
        arrays: The arrays that `ARRAYS` names: own numbers of features that are not cards, those of cards (card, zone
            and number), shared numbers by attribute, the bias of the sums, and the dense layers for both moments.
        about: Where it comes from.
        decks: The decks that opponents are known to play.
    """

    cards: tuple[str, ...]
    arrays: Mapping[str, Array]
    about: str = ""
    decks: tuple[Deck, ...] = ()

    def __post_init__(self) -> None:
        shapes = _shapes(self.width, len(self.cards))
        for name, (kind, most) in ARRAYS.items():
            array = self.arrays[name]
            if array.dtype != kind or array.shape != shapes[name]:
                raise ModelError(
                    f"{name} must be {np.dtype(kind)} of shape {shapes[name]}, not {array.dtype} of {array.shape}"
                )
            if array.size and (int(array.max()) > most or int(array.min()) < -most):
                raise ModelError(f"the numbers of {name} must be from -{most} to {most}")
        if list(self.cards) != sorted(set(self.cards)):
            raise ModelError("the ids of a network's cards must be different and in order")

    @property
    def width(self) -> int:
        """The numbers of a row of the first layer."""
        bias = self.arrays["bias"]
        if bias.ndim != 1 or len(bias) not in WIDTHS:
            raise ModelError(f"the width of a network is one of {WIDTHS}, not {show(list(bias.shape))}")
        return len(bias)

    @cached_property
    def rating(self) -> core.LearnedRating:
        """The network as agents use it."""
        decks = [(deck.hero_class.lower(), list(deck.copies)) for deck in self.decks]
        return core.LearnedRating(self.width, list(self.cards), dict(self.arrays), decks)

    def network(self, cards: Edition) -> core.PositionNetwork:
        """The network for an edition."""
        return self.rating.network_for(cards.card_set)


def quantised(trained: Mapping[str, Array], cards: Edition, *, about: str = "") -> NetworkWeights:
    """Rounds the numbers of a trained network to whole numbers; halves are rounded to even ones.

    Args:
        trained: `own` (a row per feature of the edition), `shared` (a row per attribute of features), `bias`, and the
            dense layers for both moments: `first`, `second`, `last` and their biases. Rows have one number more than
            the network is wide: the last one goes to the output directly.
        cards: The edition of the features.
        about: Where it comes from.

    Raises:
        ModelError: If arrays are missing, have the wrong shape, or numbers that are not finite or too large.
    """
    wrong = set(trained) ^ set(_SCALES)
    if wrong:
        raise ModelError(f"a trained network has {', '.join(_SCALES)}; see {show(min(wrong))}")
    whole = {name: _rounded(name, trained[name], scale) for name, scale in _SCALES.items()}
    features = core.PositionFeatures(cards.card_set)
    own = whole.pop("own")
    if own.ndim != 2 or len(own) != features.count:
        raise ModelError(f"own must have a row for each of {features.count} features, not the shape {own.shape}")
    ids = tuple(sorted(cards.by_id))
    entries = np.array([cards.compiled.index[card] for card in ids])
    by_zone = [own[first + entries] for first in _card_zones(features)]
    numbers = own[: _card_zones(features)[0]]
    return NetworkWeights(ids, {"own_numbers": numbers, "own_cards": np.stack(by_zone, axis=1), **whole}, about)


def exact_numbers(weights: NetworkWeights) -> dict[str, Array]:
    """The numbers of a network before rounding, as far as known: `quantised` gives the same whole numbers again.

    The names are those of `ARRAYS`.
    """
    return {
        name: array / np.float64(_SCALES["own" if name.startswith("own") else name])
        for name, array in weights.arrays.items()
    }


def write_network(path: Path, weights: NetworkWeights) -> None:
    """Writes a network to a file.

    Raises:
        ModelError: If the file cannot be written.
    """
    contents: dict[str, Array] = {
        **weights.arrays,
        "cards": np.array(weights.cards, np.str_),
        "decks": np.array([str(deck) for deck in weights.decks], np.str_),
        "layout": np.array(layout_digest()),
        "about": np.array(weights.about),
    }
    write_arrays(path, contents, error=ModelError, what="the network ", packed=True)


def read_network(path: Path) -> NetworkWeights:
    """Reads a network from a file.

    Raises:
        ModelError: If the file cannot be read or is not a network for these features.
    """
    contents = read_arrays(path, error=ModelError, what="the network ")
    try:
        _check_names(contents)
        if _text(contents, "layout") != layout_digest():
            raise ModelError("it was made for other features or attributes")
        return NetworkWeights(
            _texts(contents, "cards"),
            {name: contents[name] for name in ARRAYS},
            _text(contents, "about"),
            tuple(Deck.parse(text) for text in _texts(contents, "decks")),
        )
    except (DeckError, ModelError) as error:
        raise ModelError(f"the network {path}: {error}") from None


@cache
def layout_digest() -> str:
    """A digest of the zones and attributes of features: networks fit only the layout that they were trained with."""
    zones = core.PositionFeatures(edition().card_set).zones
    shapes = [f"{zone.name} {zone.kind} {'' if zone.kind == 'cards' else zone.size}" for zone in zones]
    return hashlib.sha256("\n".join([*shapes, *core.FEATURE_ATTRIBUTES]).encode()).hexdigest()


def _card_zones(features: core.PositionFeatures) -> list[int]:
    """The first feature of each zone of cards."""
    return [zone.first for zone in features.zones if zone.kind == "cards"]


def _shapes(width: int, cards: int) -> dict[str, tuple[int, ...]]:
    zones = _card_zones(core.PositionFeatures(edition().card_set))
    hidden = core.NETWORK_HIDDEN
    return {
        "own_numbers": (zones[0], width + 1),
        "own_cards": (cards, len(zones), width + 1),
        "shared": (len(core.FEATURE_ATTRIBUTES), width + 1),
        "bias": (width,),
        "first": (2, hidden, width),
        "second": (2, hidden, hidden),
        "last": (2, hidden),
        "first_bias": (2, hidden),
        "second_bias": (2, hidden),
        "last_bias": (2, 1),
    }


def _rounded(name: str, values: Array, scale: int) -> Array:
    kind, most = ARRAYS["own_cards" if name == "own" else name]
    exact = np.asarray(values, np.float64) * scale
    if not np.isfinite(exact).all():
        raise ModelError(f"the numbers of {name} must be finite")
    rounded = np.rint(exact)
    if rounded.size and np.abs(rounded).max() > most:
        raise ModelError(f"the numbers of {name} must be from -{most / scale:g} to {most / scale:g}")
    return rounded.astype(kind)


def _check_names(contents: Mapping[str, Array]) -> None:
    wrong = set(contents) ^ {*ARRAYS, *_TEXTS}
    if wrong:
        known = min(wrong) in (*ARRAYS, *_TEXTS)
        raise ModelError(f"it {'lacks the' if known else 'has an unknown'} array {show(min(wrong))}")


def _text(contents: Mapping[str, Array], name: str) -> str:
    array = contents[name]
    if array.dtype.kind != "U" or array.ndim != 0:
        raise ModelError(f"{name} must be a text")
    return str(array)


def _texts(contents: Mapping[str, Array], name: str) -> tuple[str, ...]:
    array = contents[name]
    if array.dtype.kind != "U" or array.ndim != 1:
        raise ModelError(f"{name} must be a list of texts")
    return tuple(map(str, array))
