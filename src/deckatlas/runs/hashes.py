"""Hashes of what a store holds: a resumed search is held to them, and a row that has changed gives itself away."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any


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


def config_hash(config: dict[str, Any]) -> str:
    """What tells configurations apart: a hash of everything but the run's name."""
    return text_hash(canonical_json({key: value for key, value in config.items() if key != "name"})).hex()
