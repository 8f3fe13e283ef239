"""The features of several editions as one numbering, so that one model learns from games of all of them.

Features of numbers are the same in every edition. A feature of a card is known by its zone and the card's id: editions
share its row. Where an edition has changed a card, its feature is a variant, with the same part of its own and other
attributes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.cards.editions import Edition

_CARDS = "cards"  # the kind of zones with a feature for each card

Key = tuple[str, str]  # of a feature: its zone, and a card id or the place of a number


@dataclass(frozen=True)
class JointFeatures:
    """The features of some editions.

    Attributes:
        keys: The zone and the entry of each feature.
        bases: For each variant, the feature that it is a variant of; variants are numbered after features.
        starts: Where the attributes of each feature and variant start, and where the last ones end.
        columns: The column of each attribute: see `FEATURE_ATTRIBUTES` of the core.
        values: The value of each attribute.
        numbers: For each edition by name, the joint number of each of its own features.
    """

    keys: tuple[Key, ...]
    bases: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint16]
    values: npt.NDArray[np.int8]
    numbers: Mapping[str, npt.NDArray[np.uint16]]

    @property
    def scales(self) -> npt.NDArray[np.float32]:
        """For each column, what its values are multiplied by for training, so that the largest is one."""
        largest = np.ones(len(core.FEATURE_ATTRIBUTES), np.float32)
        np.maximum.at(largest, self.columns, np.abs(self.values.astype(np.float32)))
        return (1 / largest).astype(np.float32)


def joint_features(editions: Sequence[Edition]) -> JointFeatures:
    """The features of editions; the first edition that has a card decides what its feature is, others have variants."""
    known: dict[Key, bytes] = {}
    variants: dict[tuple[Key, bytes], None] = {}
    listed = {edition.name: list(_described(edition)) for edition in editions}
    for described in listed.values():
        for key, attributes in described:
            if known.setdefault(key, attributes) != attributes:
                variants.setdefault((key, attributes))
    number_of = {key: number for number, key in enumerate(known)}
    variant_of = {variant: len(known) + number for number, variant in enumerate(variants)}
    numbers = {
        name: np.array(
            [
                number_of[key] if known[key] == attributes else variant_of[key, attributes]
                for key, attributes in described
            ],
            np.uint16,
        )
        for name, described in listed.items()
    }
    rows = [np.frombuffer(row, np.int16).reshape(-1, 2) for row in (*known.values(), *(row for _, row in variants))]
    entries = np.concatenate(rows)
    return JointFeatures(
        keys=tuple(known),
        bases=np.array([number_of[key] for key, _ in variants], np.uint16),
        starts=np.cumsum([0, *map(len, rows)], dtype=np.int64),
        columns=entries[:, 0].astype(np.uint16),
        values=entries[:, 1].astype(np.int8),
        numbers=numbers,
    )


def _described(edition: Edition) -> Iterator[tuple[Key, bytes]]:
    """The key of each feature of an edition, with its attributes: pairs of a column and a value."""
    features = core.PositionFeatures(edition.card_set)
    starts, columns, values = features.attributes()
    entries = np.stack([columns.astype(np.int16), values.astype(np.int16)], axis=1)
    number = 0
    for zone in features.zones:
        for entry in range(zone.size):
            yield (zone.name, _entry(edition, zone, entry)), entries[starts[number] : starts[number + 1]].tobytes()
            number += 1


def _entry(edition: Edition, zone: Any, entry: int) -> str:
    ids = edition.compiled.ids
    return ids[entry] if zone.kind == _CARDS and entry in ids else str(entry)
