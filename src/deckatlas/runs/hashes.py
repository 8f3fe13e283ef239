"""Hashes of a store's content: a resumed search is checked against them, and they reveal a changed row."""

import json
import sqlite3
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from deckatlas.files.limits import MOST_ARRAY_BYTES
from deckatlas.files.reading import content_of_file
from deckatlas.play.agent_files import found_file


def canonical_json(value: Any) -> str:
    """A value as JSON, always written the same way."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def text_hash(text: str) -> bytes:
    """A hash of a text."""
    return sha256(text.encode()).digest()


def names_hash(connection: sqlite3.Connection) -> bytes:
    """A hash of everything that never changes: versions, cards, description, and the names of columns and genes."""
    digest = sha256()
    for query in (
        "SELECT seed, versions, cards, description, created FROM run",
        "SELECT * FROM columns ORDER BY number",
        "SELECT * FROM measures ORDER BY number",
        "SELECT * FROM genes ORDER BY number",
    ):
        digest.update(repr(connection.execute(query).fetchall()).encode())
    return digest.digest()


def file_hash(name: str) -> str:
    """A hash of the content of a file, by its path or by its name in a package.

    Raises:
        OSError: If the file cannot be read.
    """
    return sha256(content_of_file(found_file(name), most=MOST_ARRAY_BYTES)).hexdigest()[:32]


def config_hash(config: Mapping[str, Any]) -> str:
    """A hash of what makes a configuration another run."""
    return text_hash(canonical_json(identity(config))).hex()


def identity(config: Mapping[str, Any]) -> dict[str, Any]:
    """What makes a configuration another run: all but its name and the places of the files that its search reads.

    The content of such a file, such as a model, stands for its path: a file that was moved is the same.
    """
    same = {key: value for key, value in config.items() if key != "name"}
    paths = search_files(config)
    if paths:
        files = config["evaluation"]["files"]
        same["search"] = config["search"] | {key: files[path] for key, path in paths.items()}
        others = {path: content for path, content in files.items() if path not in paths.values()}
        same["evaluation"] = config["evaluation"] | {"files": others}
    return same


def search_files(config: Mapping[str, Any]) -> dict[str, str]:
    """The options of the search that name a file, each with its path."""
    files = config.get("evaluation", {}).get("files", {})
    return {key: value for key, value in config.get("search", {}).items() if isinstance(value, str) and value in files}
