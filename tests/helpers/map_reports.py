"""Small maps of decks that random pilots play, for tests of the reports that are made of maps."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from deckatlas.documents.document import Document
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_of
from deckatlas.runs.view import RunView

DECKS = 60


def map_config(name: str, hero_class: str, **changes: Mapping[str, Any]) -> HearthstoneDeckRun:
    values: dict[str, Any] = {
        "name": name,
        "space": {"kind": "hearthstone-deck", "class": hero_class, "pool": "evosabber"},
        "evaluation": {"pilot": "random", "games": 6},
        "archive": {
            "kind": "sliding",
            "measures": ["deck_mana_sum", "deck_mana_variance"],
            "resolution": [4, 4],
            "remap": 20,
        },
        "search": {"algorithm": "map-elites", "evaluations": DECKS, "initial": 20, "window": 8},
    }
    for key, change in changes.items():
        values[key] = {**values[key], **change}
    config = config_of(Document("a test", values))
    assert isinstance(config, HearthstoneDeckRun)
    return config


def views_of(study: Study) -> dict[str, RunView]:
    return {run.config.name: run.view for runs in study.maps.values() for run in runs}


def by(rows: Any, *keys: str) -> dict[Any, Any]:
    """Rows by what is in some columns."""
    return {row[keys[0]] if len(keys) == 1 else tuple(row[key] for key in keys): row for row in rows}


def finished_maps(folder: Path) -> dict[str, tuple[FinishedRun, ...]]:
    """Hunters, twice; paladins; and warlocks with fixed boundaries."""
    fixed = {"kind": "grid", "ranges": [[70, 150], [1, 10]]}
    configs = {
        "hunter": (map_config("hunter-1", "hunter"), map_config("hunter-2", "hunter", search={"evaluations": 50})),
        "paladin": (map_config("paladin-1", "paladin"),),
    }
    grid = map_config("warlock-1", "warlock").to_json()
    del grid["archive"]["remap"], grid["archive"]["history"], grid["archive"]["binning"]
    grid["archive"] |= fixed
    warlock = config_of(Document("a test", grid))
    assert isinstance(warlock, HearthstoneDeckRun)
    found = {}
    for name, of_name in {**configs, "warlock": (warlock,)}.items():
        for config in of_name:
            execute(config, folder / f"{config.name}.db", threads=1)
        found[name] = tuple(FinishedRun(config, folder / f"{config.name}.db") for config in of_name)
    return found


def study_of(maps: dict[str, tuple[FinishedRun, ...]], folder: Path) -> Study:
    """A study that has carried out these maps."""
    return Study(maps, {}, 7, folder, 1, lambda title: nullcontext(lambda standing: None))


def check_drawn(report: Report, folder: Path) -> None:
    """Draws all figures of a report, and checks that the lines of its tables are as long as their headings."""
    figures = pytest.importorskip("matplotlib.figure")
    assert report.figures
    for name, draw in report.figures.items():
        figure = figures.Figure(layout="constrained")
        draw(figure)
        assert figure.axes, name
        figure.savefig(folder / "figure.png", dpi=30)
    for table in report.tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}
