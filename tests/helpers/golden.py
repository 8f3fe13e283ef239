"""Golden files hold what the core did when they were written; `make golden` writes all of them."""

from pathlib import Path


def assert_golden(found: str, file: Path) -> None:
    """Holds what is found now to a golden file, line by line."""
    advice = "if the change is meant, write it with `make golden` and say why in the commit"
    assert file.exists(), f"there is no golden file {file.name}: {advice}"
    expected, lines = file.read_text(encoding="utf-8").splitlines(), found.splitlines()
    for number, (old, new) in enumerate(zip(expected, lines, strict=False), start=1):
        assert new == old, f"{file.name} is stale from line {number} on: {advice}"
    assert len(lines) == len(expected), f"{file.name} is stale: {advice}"
