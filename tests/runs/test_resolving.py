"""Configurations are resolved: everything that a table leaves out is filled in, however the configuration is made."""

from pathlib import Path
from typing import Any

import pytest

from deckatlas.documents.document import Document
from deckatlas.games.hearthstone.run_config import (
    HearthstoneDeckRun,
    HearthstoneDeckTable,
    HearthstoneEvaluationTable,
)
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import config_of

ARCHIVE = {"kind": "sliding", "measures": ["deck_mana_sum"], "resolution": [4]}
PATCH = "name = 'cheap'\nbase = '2019-12'\n[cards.CS2_182]\ncost = 1\n"
HUNTERS: dict[str, Any] = {"kind": "hearthstone-deck", "class": "hunter"}
TABLES: dict[str, dict[str, Any]] = {
    "hearthstone-deck": {
        "space": HUNTERS,
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


@pytest.mark.parametrize("kind", TABLES)
def test_a_constructor_resolves_as_reading_does(kind: str) -> None:
    found = read(kind)
    made = type(found)(**values_of(kind))
    assert made.to_json() == found.to_json()
    assert made == found


def test_a_table_that_is_constructed_has_its_patch_and_its_suite(tmp_path: Path) -> None:
    file = tmp_path / "patch.toml"
    file.write_text(PATCH, encoding="utf-8")
    space = HearthstoneDeckTable(**{**HUNTERS, "edition": str(file)})
    assert (space.edition, space.patch) == ("2019-12", PATCH)
    assert HearthstoneEvaluationTable(pilot="random").suite == "starter"


def class_of(config: RunConfig) -> str:
    space = config.prepare().space
    assert isinstance(space, HearthstoneDecks)
    return space.hero_class


def test_a_copy_with_another_space_does_not_keep_the_old_one() -> None:
    hunters = read("hearthstone-deck")
    assert isinstance(hunters, HearthstoneDeckRun)
    assert class_of(hunters) == "HUNTER"
    warriors = hunters.model_copy(update={"space": hunters.space.model_copy(update={"hero_class": "warrior"})})
    assert class_of(warriors) == "WARRIOR"
    assert class_of(hunters) == "HUNTER"


def test_a_copy_of_a_table_with_another_edition_has_its_cards() -> None:
    space = HearthstoneDeckTable(**{**HUNTERS, "edition": "2018-12"})
    assert space.cards.name == "2018-12"
    assert space.model_copy(update={"edition": "sabberstone"}).cards.name == "sabberstone"
