"""Stores of format 2, written before runs became one kind: read with the same numbers as then, and never resumed."""

import csv
import io
import json
import lzma
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.runs.library import summaries
from deckatlas.runs.loop import execute
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import RunView, open_run
from helpers.command_line import CommandLine
from helpers.reports import answers_in, needs_page
from helpers.studies import fake_config

FIXTURES = Path(__file__).parents[1] / "fixtures" / "stores"
STORES = {path.name.removesuffix(".db.xz"): path for path in sorted(FIXTURES.rglob("*.db.xz"))}
SAID: dict[str, Any] = {
    name: json.loads(path.with_name(f"{name}.json").read_text(encoding="utf-8")) for name, path in STORES.items()
}
MAPS = [name for name, said in SAID.items() if said["kind"] == "map"]
SEARCHES = [name for name, said in SAID.items() if said["kind"] == "search"]
FORMS = ("csv", "policy", "elites", "frame")

# The quantiles of Student's distribution were approximated then: the halves of intervals differ in the fourth digit.
OF_INTERVALS = 5e-3
# What several evaluations gave was averaged, of averages; now it is a sum, divided once.
OF_AVERAGES = 1e-12
# In this map such an average lies exactly on a boundary that `by` draws; it was a rounding error below it then.
ON_A_BOUNDARY = "mage-grid-patched"
ROUNDED = 1e-6  # numbers of tables have six digits


@pytest.fixture
def deckatlas(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The program, in a folder that has the files which agents are made of at their paths."""
    monkeypatch.setenv("COLUMNS", "160")
    shutil.copytree(FIXTURES / "configs", "configs")
    return deckatlas


@pytest.fixture(params=STORES)
def name(request: pytest.FixtureRequest, deckatlas: CommandLine) -> Iterator[str]:
    """The name of a store, which is in the working folder; nothing that is done with it changes it."""
    name = str(request.param)
    content = lzma.decompress(STORES[name].read_bytes())
    path = Path(f"{name}.db")
    path.write_bytes(content)
    yield name
    assert path.read_bytes() == content
    assert sorted(file.name for file in Path().glob("*.db*")) == [path.name]


of_maps = pytest.mark.parametrize("name", MAPS, indirect=True)
of_searches = pytest.mark.parametrize("name", SEARCHES, indirect=True)


def check(expected: Any, found: Any, place: str) -> None:
    """Makes sure that everything that was said then is said now, and every number is the same."""
    if isinstance(expected, dict):
        assert expected.keys() <= found.keys(), place
        for key, value in expected.items():
            if (middle := middle_of(key)) in expected and isinstance(value, float):
                half = abs(value - expected[middle])
                assert abs(found[key] - value) <= OF_INTERVALS * half + ROUNDED, f"{place}.{key}"
            else:
                check(value, found[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(found), place
        for at, (one, other) in enumerate(zip(expected, found, strict=True)):
            check(one, other, f"{place}[{at}]")
    elif isinstance(expected, float) and not expected.is_integer():
        assert found == pytest.approx(expected, rel=OF_AVERAGES), place
    else:
        assert plain(found) == expected, place


def middle_of(key: str) -> str:
    """What lies between the ends of an interval, if this names such an end."""
    for end in ("low", "high"):
        if key == end:
            return "value"
        if key.endswith(f"_{end}"):
            return key.removesuffix(f"_{end}")
    return ""


def plain(value: Any) -> Any:
    """A value as the descriptions have it: lists, and nothing where a number is not finite."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def number(text: str) -> float | str:
    """A cell of a table: a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def rows(text: str) -> list[dict[str, Any]]:
    return [{key: number(cell) for key, cell in row.items()} for row in csv.DictReader(io.StringIO(text))]


# ---- the same numbers ------------------------------------------------------------------------------------------------


def test_every_kind_of_run_is_there() -> None:
    assert (len(MAPS), len(SEARCHES)) == (9, 9)


def test_it_is_listed_and_shown(name: str, deckatlas: CommandLine) -> None:
    code, listed, errors = deckatlas("runs", "--store", ".")
    assert (code, errors) == (0, "")
    (summary,) = summaries(Path())
    games = f"{summary.games:,}" + ("" if summary.budget is None else f" of {summary.budget:,}")
    best = "" if summary.best is None else f"{summary.best:.2f}"
    for text in (listed, SAID[name]["runs"]["stdout"]):
        assert all(words in text for words in (name, summary.algorithm, summary.state, games, best))
    code, shown, errors = deckatlas("show", name, "--store", ".")
    assert (code, errors) == (0, "")
    settings = {line.strip() for line in shown.splitlines() if " = " in line}
    for line in SAID[name]["show"]["stdout"].splitlines():
        if " = " in line and not re.match(r"  (genome|arena|solution)\.|  search.algorithm = 'evaluation'", line):
            assert line.strip() in settings, line


def test_it_is_whole(name: str) -> None:
    with open_store(Path(f"{name}.db")) as store:
        check_store(store)


@pytest.mark.parametrize("form", FORMS)
def test_its_tables_are_exported_with_the_same_numbers(name: str, deckatlas: CommandLine, form: str) -> None:
    said = SAID[name]["export"][form]
    code, out, errors = deckatlas("export", name, f"--{form}", "-", "--store", ".")
    assert code == said["exit"], errors
    if code:
        assert (out, errors.count("\n")) == ("", 1)
    elif form == "policy":
        assert out == said["stdout"]
    else:
        assert out.splitlines()[0] == said["stdout"].splitlines()[0]
        check(rows(said["stdout"]), rows(out), form)


def test_it_is_exported_as_json_with_the_same_numbers(name: str, deckatlas: CommandLine) -> None:
    said = dict(SAID[name]["export"]["json"]["data"])
    code, out, errors = deckatlas("export", name, "--json", "-", "--store", ".")
    assert (code, errors) == (0, "")
    found = json.loads(out)
    assert said.pop("digest") != found["digest"]  # a digest is of what is stored, in the form it is stored in
    config, batches, generations = said.pop("config"), said.pop("asks", None), said.pop("generations", [])
    check(generations, found.get("generations", []), "generations")
    check(said, found, "json")
    for table in ("name", "seed", "search", "archive"):
        if table in config and config["search"]["algorithm"] != "evaluation":
            assert found["config"][table] == config[table]
    if batches is not None:
        assert len(open_run(f"{name}.db").history.batches) == batches


@of_maps
def test_the_python_view_of_a_map_has_the_same_numbers(name: str) -> None:
    view, said = open_run(f"{name}.db"), dict(SAID[name]["map"])
    if name == ON_A_BOUNDARY:
        edges, values = view.by(said.pop("by")["measures"]).archive.boundaries[1], view.log.column("num_turns")
        assert np.isin(values[view.log.games > 6], edges[1:-1]).any()
    check(said, map_facts(view), "map")


def map_facts(view: RunView) -> dict[str, Any]:
    """What was noted of each map then, in today's words."""
    by = view.by(SAID[view.path.stem]["map"]["by"]["measures"])
    found = view.recheck()
    return {
        "text": str(view),
        "objective": view.objective,
        "measures": view.measures,
        "columns": view.log.names,
        "solution_columns": view.description.measures,
        "evaluations": view.log.evaluations,
        "solutions": len(view.log),
        "games": view.games,
        "void_games": view.void_games,
        "boundaries": view.archive.boundaries,
        "statistics": statistics(view.statistics),
        "curve": [[moment, statistics(then)] for moment, then in view.curve(20)],
        "elites": [{**asdict(elite), "code": view.code(elite)} for elite in view.elites()],
        "rechecked_elites": sorted(view.rechecks),
        "recheck": None
        if found is None
        else {**asdict(found), "before": statistics(found.before), "after": statistics(found.after)},
        "by": {
            "measures": by.measures,
            "statistics": statistics(by.statistics),
            "elites": [[elite.cell, elite.number] for elite in by.elites()],
        },
    }


def statistics(found: Any) -> dict[str, Any]:
    return {**asdict(found), "coverage": found.coverage, "reachable_coverage": found.reachable_coverage}


@of_searches
def test_the_python_view_of_a_search_has_the_same_numbers(name: str) -> None:
    view, said = open_run(f"{name}.db"), SAID[name]["run"]
    assert (len(view.history.batches), view.games) == (said["asks"], said["games"])
    assert len(view.generations) == len(said["generations"])
    for row, then in zip(view.generations, said["generations"], strict=True):
        assert (row.number, row.games, row.best, row.mean) == (
            then["number"],
            then["games"],
            then["best"],
            then["mean"],
        )
        assert row.facts == then["facts"]
    if said["generations"]:
        genomes, scores = view.best_population
        assert scores.tolist() == said["last_scores"]
        assert genomes[0].tolist() == said["best_genome"]
    else:
        wins = [view.history.total[batch, 0].tolist() for batch in view.history.batches]
        assert wins == said["wins"]


@needs_page
@of_maps
def test_a_map_is_reported(name: str, deckatlas: CommandLine) -> None:
    code, page, errors = deckatlas("report", name, "-o", "-", "--store", ".")
    assert (code, errors) == (0, "")
    shown = [answer["code"] for address, answer in answers_in(page).items() if re.fullmatch(r"decks/\d+", address)]
    for elite in SAID[name]["map"]["elites"][:1]:
        assert elite["code"] == shown[0]


@pytest.mark.parametrize("name", ["hunter-sliding", "locm-deck"], indirect=True)
def test_a_map_is_drawn(name: str, deckatlas: CommandLine) -> None:
    assert deckatlas("plot", name, "-o", "map.png", "--store", ".") == (0, "", "")
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")


# ---- never resumed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name in STORES if (FIXTURES / "configs" / f"{name}.toml").exists()], indirect=True
)
def test_it_is_not_resumed(name: str, deckatlas: CommandLine) -> None:
    text = (FIXTURES / "configs" / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in (
        ("[genome]", '[space]\nkind = "locm-draft"\n\n[space.genome]'),
        ("[solution]", "[space]"),
        ("[arena]", "[evaluation]"),
    ):
        text = text.replace(old, new)
    Path(f"{name}.toml").write_text(text, encoding="utf-8")
    told = (
        f"deckatlas: {name}.db was written by an older deckatlas: it can be shown, reported and exported, but not "
        "resumed; choose another name with --name\n"
    )
    assert deckatlas("run", f"{name}.toml", "--store", ".") == (2, "", told)


def test_nothing_else_is_written_to_it_either(name: str) -> None:
    with pytest.raises(RunError, match="can be shown, reported and exported, but not resumed"):
        execute(fake_config(name), Path(f"{name}.db"))


@pytest.mark.parametrize("name", ["locm-files"], indirect=True)
def test_a_map_whose_agents_were_made_of_files_that_are_gone_is_read(name: str, deckatlas: CommandLine) -> None:
    whole = open_run(f"{name}.db")
    shutil.rmtree("configs")
    view = open_run(f"{name}.db")
    assert [(elite.cell, elite.objective) for elite in view.elites()] == [
        (elite.cell, elite.objective) for elite in whole.elites()
    ]
    code, shown, _ = deckatlas("show", f"{name}.db")
    assert code == 0
    assert "files that are gone" in shown
