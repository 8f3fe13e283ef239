"""Configurations are resolved: everything that a table leaves out is filled in, however the configuration is made."""

from typing import Any

import pytest

from deckatlas.documents.document import Document
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import config_of

ARCHIVE = {"kind": "sliding", "measures": ["deck_mana_sum"], "resolution": [4]}
TABLES: dict[str, dict[str, Any]] = {
    "hearthstone-deck": {
        "space": {"kind": "hearthstone-deck", "class": "hunter"},
        "evaluation": {"pilot": "random"},
    },
    "locm-deck": {"space": {"kind": "locm-deck"}},
    "locm-draft": {"space": {"kind": "locm-draft"}},
}


def values_of(kind: str, **search: Any) -> dict[str, Any]:
    return {"name": "map", **TABLES[kind], "archive": ARCHIVE, "search": {"algorithm": "map-elites", **search}}


def read(kind: str, **search: Any) -> RunConfig:
    return config_of(Document("a test", values_of(kind, **search)))


@pytest.mark.parametrize("kind", TABLES)
def test_an_objective_that_the_search_does_not_name_is_that_of_the_game(kind: str) -> None:
    assert read(kind).to_json()["search"]["objective"] == "avg_health_diff"
    assert read(kind, objective="win_rate").to_json()["search"]["objective"] == "win_rate"
