"""Hashes: of an ask, so that a resumed search can be held to what it asked before, and of a whole run.

The digest of a run is over what was to be done and what came out: the resolved configuration without the run's name,
the evaluation log, the populations. No clock, no path, no number of threads is in it.
"""

import json
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.store import Store
from deckatlas.search.protocol import Ask


def canonical_json(value: Any) -> str:
    """The one way in which a value is written as JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def ask_hash(ask: Ask) -> bytes:
    """A hash of all that an ask wants played."""
    digest = sha256(_bytes_of(ask.genomes, "<f8"))
    for numbers in (ask.first, ask.second, ask.course):
        digest.update(_bytes_of(numbers, "<i8"))
    for course in ask.courses:
        digest.update(_bytes_of(course.draft_seeds, "<u8") + _bytes_of(course.game_seeds, "<u8"))
    return digest.digest()


def run_digest(store: Store) -> str:
    """The digest of all that a store holds of its run."""
    digest = sha256(b"deckatlas run 2\n")
    config = {key: value for key, value in store.run().config.items() if key != "name"}
    digest.update(canonical_json(config).encode())
    asks, _ = store.counts()
    for number in range(asks):
        ask = store.ask(number)
        digest.update(ask.hash)
        digest.update(_bytes_of(np.stack([ask.first, ask.second, ask.lengths, ask.wins]), "<i8"))
    for generation in store.generations():
        genomes, scores = store.population(generation.number)
        digest.update(canonical_json([generation.number, generation.ask, generation.facts]).encode())
        digest.update(_bytes_of(genomes, "<f8"))
        digest.update(_bytes_of(scores, "<f8"))
    return digest.hexdigest()


def _bytes_of(array: npt.NDArray[Any], kind: str) -> bytes:
    """An array as bytes, led by its shape, so that what belongs to one array cannot pass for part of the next."""
    return f"{array.shape}".encode() + array.astype(kind).tobytes()
