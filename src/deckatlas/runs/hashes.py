"""Hashes of what a store holds: a resumed search is held to them, and a row that has changed gives itself away."""

import json
import math
from collections.abc import Mapping
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.locm.cards import cards
from deckatlas.search.protocol import Ask, Generation, Genomes, Scores


def canonical_json(value: Any) -> str:
    """The one way in which a value is written as JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def text_hash(text: str) -> bytes:
    """A hash of a text."""
    return sha256(text.encode()).digest()


def file_hash(path: Path) -> str:
    """A hash of what a file holds.

    Raises:
        OSError: If it cannot be read.
    """
    return sha256(path.read_bytes()).hexdigest()[:32]


def locm_cards_hash() -> str:
    """A hash of all cards of Legends of Code and Magic and what they can do."""
    return text_hash(canonical_json([astuple(card) for card in cards()])).hex()


def edition_hash(edition: Edition) -> str:
    """A hash of all cards of an edition of Hearthstone, of what they do and of its rules."""
    return text_hash(canonical_json(edition.compiled.for_core)).hex()


def genome_hash(genes: bytes) -> bytes:
    """What tells genomes apart."""
    return sha256(genes).digest()[:16]


def ask_hash(ask: Ask) -> bytes:
    """A hash of all that an ask wants played."""
    digest = sha256(_bytes_of(ask.genomes, "<f8"))
    for numbers in (ask.first, ask.second, ask.course):
        digest.update(_bytes_of(numbers, "<i8"))
    for course in ask.courses:
        digest.update(_bytes_of(course.draft_seeds, "<u8") + _bytes_of(course.game_seeds, "<u8"))
    return digest.digest()


def outcome_hash(evaluations: npt.NDArray[np.int64], generation: bytes | None) -> bytes:
    """A hash of what came of an ask: a row a matchup, and the hash of the generation that it completed, if it did."""
    return sha256(_bytes_of(evaluations, "<i8") + (generation or b"")).digest()


def generation_hash(generation: Generation) -> bytes:
    """A hash of a generation."""
    facts = facts_json(generation.facts)
    return population_hash(generation.number, facts, generation.genomes, generation.scores)


def population_hash(number: int, facts: str, genomes: Genomes, scores: Scores) -> bytes:
    """The same, from what a store has of it."""
    digest = sha256(f"{number} {facts}".encode())
    digest.update(_bytes_of(genomes, "<f8") + _bytes_of(scores, "<f8"))
    return digest.digest()


def facts_json(facts: Mapping[str, float]) -> str:
    """The facts of a generation as they are stored; what is no finite number is null."""
    finite = {name: float(value) if math.isfinite(value) else None for name, value in facts.items()}
    return canonical_json(finite)


def _bytes_of(array: npt.NDArray[Any], kind: str) -> bytes:
    """An array as bytes, led by its shape, so that what belongs to one array cannot pass for part of the next."""
    return f"{array.shape}".encode() + array.astype(kind).tobytes()
