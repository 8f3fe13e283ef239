"""Tests that limit the memory of a process cannot run under a sanitizer, which reserves terabytes of addresses."""

import os

import pytest

REASON = "a process with limited memory cannot load the sanitizer's runtime"


def is_sanitized() -> bool:
    """Whether this process, and those it starts, load the runtime of a sanitizer: see tests/sanitized."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


limits_memory = pytest.mark.skipif(is_sanitized(), reason=REASON)
