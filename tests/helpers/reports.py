"""What a report carries: the answers of the studio's API for one run, recorded in its file."""

import json
import re
from base64 import b64decode
from gzip import decompress
from typing import Any

import pytest

from deckatlas.runs.view import RunView
from deckatlas.views.map_report import RUN, has_page, recorded_answers

# For tests that write reports: a clone builds their page.
needs_page = pytest.mark.skipif(not has_page(), reason="the pages are not built: make pages")

_PACKED = re.compile(r'<script id="answers" type="text/plain">([A-Za-z0-9+/=]*)</script>')


def answers_of(view: RunView) -> dict[str, Any]:
    """The answers that the report of a map carries, by the end of their addresses, such as "map" or "elites/7"."""
    recorded = recorded_answers(view).answers
    return {address.removeprefix(f"{RUN}/"): json.loads(answer) for address, answer in recorded.items()}


def answers_in(page: str) -> dict[str, Any]:
    """The same, from the file of a report."""
    (packed,) = _PACKED.findall(page)
    data = json.loads(decompress(b64decode(packed)))
    return {
        address.removeprefix(f"{RUN}/"): json.loads(data["answers"][place])
        for address, place in data["addresses"].items()
    }
