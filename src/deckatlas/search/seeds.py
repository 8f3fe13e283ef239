"""Seeds for purposes: independent of each other, and the same every time."""

from hashlib import sha256


def seed_of(seed: int, *purposes: object) -> int:
    """A seed of its own for each purpose: independent of those of all others, and the same every time."""
    text = "/".join(map(str, (seed, *purposes)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1
