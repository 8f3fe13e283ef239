"""Hashes of a store's content: a resumed search is checked against them, and they reveal a changed row."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any


def canonical_json(value: Any) -> str:
    """A value as JSON, always written the same way."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def text_hash(text: str) -> bytes:
    """A hash of a text."""
    return sha256(text.encode()).digest()


def file_hash(path: Path) -> str:
    """A hash of a file's content.

    Raises:
        OSError: If the file cannot be read.
    """
    return sha256(path.read_bytes()).hexdigest()[:32]


def config_hash(config: dict[str, Any]) -> str:
    """A hash of a configuration without the run's name."""
    return text_hash(canonical_json({key: value for key, value in config.items() if key != "name"})).hex()
