"""Derived seeds: one per purpose, independent of each other and the same every time."""

from hashlib import sha256


def seed_of(seed: int, *purposes: object) -> int:
    """The seed of a purpose: independent of the seeds of other purposes, and the same every time."""
    text = "/".join(map(str, (seed, *purposes)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1
