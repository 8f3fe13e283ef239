"""The bench signature: one number for the behaviour of the whole core, from fixed games of every game in it."""

import hashlib

from deckatlas.games import built_in_games


def signature() -> str:
    """One number for the behaviour of the whole core: it changes only when behaviour does."""
    digest = hashlib.sha256()
    for game in built_in_games():
        for columns in game.signature_parts():
            for name in sorted(columns):
                column = columns[name]
                digest.update(name.encode() + column.astype(column.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]
