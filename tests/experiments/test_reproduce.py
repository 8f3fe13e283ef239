"""`deckatlas reproduce`: every experiment shrunk to seconds, resuming, what is written, and what is refused."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.experiment import find_items
from deckatlas.experiments.reproduce import Reproduction, reproduce
from deckatlas.experiments.study import FinishedRun, View
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.papers.active_genes.league import League
from deckatlas.papers.drafts.games import training_drafts
from deckatlas.papers.kinds import read_item
from deckatlas.runs import loop
from deckatlas.runs.loop import Standing, Watch, execute
from deckatlas.runs.store import open_store
from deckatlas.search import piecewise
from deckatlas.search.batches import Course, matchups
from deckatlas.search.scripts import draw_seeds, generator_of
from helpers.command_line import CommandLine

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

ROOT = Path(__file__).parents[2]
ITEMS = [
    f"{path.parent.name}/{path.stem}"
    for path in sorted(ROOT.glob("experiments/*/*.toml"))
    if "[report]" in path.read_text(encoding="utf-8")
]
SMOKE_SECONDS = 15

EXPERIMENT = """
title = "A small league"
source = "nobody"
seed = 3
include = "searches.toml"
use = ["R_e"]

[runs.E_aw]
repeat = 2
budget = 400
search.algorithm = "E_aw"
search.population = 4
search.tournament_size = 2
search.training_drafts = 3
search.tournament_games = 2
search.score_games = 2
space.kind = "locm-draft"

[report]
kind = "league"
bests = 2
drafts = 4
games = 2
repetitions = 3
named = {H_1 = "icebox"}

[published.E_aw]
R_e = [53.08, 0.05]

[smoke.runs.E_aw]
repeat = 1
"""
SEARCHES = """
[defaults]
repeat = 2
space.kind = "locm-draft"
search = {population = 4, training_drafts = 2, score_games = 2}

[runs.R_e]
search.algorithm = "R_e"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "experiments" / "paper"
    folder.mkdir(parents=True)
    (folder / "searches.toml").write_text(SEARCHES, encoding="utf-8")
    (folder / "item.toml").write_text(EXPERIMENT, encoding="utf-8")
    return folder / "item.toml"


@contextmanager
def nobody_looks(name: str) -> Iterator[Watch]:
    yield lambda standing: None


def carry_out(
    file: Path, *, store: str = "store", threads: int | None = None, view: View = nobody_looks
) -> Reproduction:
    folder = file.parents[2]
    return reproduce(
        read_item(file),
        store=folder / store,
        out=folder / f"out-{store}",
        command="typed",
        view=view,
        threads=threads,
    )


# ---- every item ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.long
def test_an_item_shrinks_to_seconds(
    item: str, tmp_path: Path, deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    begun = time.process_time()  # a busy machine makes it no longer
    code, out, err = deckatlas(
        "reproduce", item, "--smoke", "--store", str(tmp_path / "s"), "--out", str(tmp_path / "o")
    )
    assert time.process_time() - begun < SMOKE_SECONDS
    assert (code, err) == (0, "")
    folder = tmp_path / "o" / f"{item.partition('/')[2]}-smoke"
    assert out.splitlines()[-1].endswith(str(folder))
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["command"] == f"deckatlas reproduce {item} --smoke"
    assert result["took"][0]["wall_seconds"] > 0
    assert any(result["rows"].values())
    assert {f"{name}.csv" for name in result["rows"]} <= {path.name for path in folder.iterdir()}
    assert list(folder.glob("*.png"))
    read_item(ROOT / "experiments" / f"{item}.toml")  # the full size is valid too


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("activ-genes", "there is no paper 'activ-genes': did you mean 'active-genes'?"),
        ("active-genes/table-41", "active-genes has no item 'table-41': did you mean 'table-4.1'?"),
        ("active-genes/searches", "active-genes has no item 'searches': known: "),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(
    name: str, complaint: str, deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    code, out, err = deckatlas("reproduce", name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_a_paper_is_all_its_items_without_what_they_include(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file.parent / "another.toml").write_text(EXPERIMENT, encoding="utf-8")
    monkeypatch.chdir(file.parents[2])
    assert [path.stem for path in find_items("paper")] == ["another", "item"]


def test_experiments_are_found_from_an_empty_folder(
    tmp_path: Path, deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = deckatlas("reproduce", "dbga/fig-8", "--smoke")
    assert (code, err) == (0, "")
    assert (tmp_path / "results" / "dbga" / "fig-8-smoke" / "result.md").exists()
    code, out, err = deckatlas("reproduce", "nothing-like-it")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "known: active-genes, beyond, dbga, dsa-me, field, mesb (looked in experiments, /" in err


def test_a_broken_file_of_another_paper_or_item_does_not_matter(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = file.parents[1] / "zz"
    other.mkdir()
    for broken in (other / "a.toml", file.parent / "b.toml"):
        broken.write_text("x = [", encoding="utf-8")
    monkeypatch.chdir(file.parents[2])
    assert [path.stem for path in find_items("paper/item")] == ["item"]
    for name, complaint in (("paper/itme", "did you mean 'item'"), ("papre/item", "did you mean 'paper'")):
        with pytest.raises(RunError, match=complaint):
            find_items(name)
    for name in ("paper", "zz/a"):
        with pytest.raises(RunError, match="not TOML"):
            find_items(name)


# ---- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('kind = "league"', 'kind = "leage"', "item.toml, line 20: unknown kind 'leage': did you mean 'league'?"),
        ("bests = 2", "best = 2", "unknown key 'best' in [report]: did you mean 'bests'?"),
        ('use = ["R_e"]', 'use = ["R_t"]', "item.toml, line 6: no run 'R_t' in "),
        ('H_1 = "icebox"', 'H_1 = "icebocks"', "unknown draft policy 'icebocks': did you mean 'icebox'?"),
        ("budget = 400", "bugdet = 400", "item.toml, line 10: unknown key 'bugdet': did you mean 'budget'?"),
        ("[smoke.runs.E_aw]", "[smoke.run.E_aw]", "unknown key 'run' in [smoke]: it can have defaults, runs, report"),
        ("[smoke.runs.E_aw]", "[smoke.runs.E_ax]", "item.toml, line 30: no run 'E_ax': did you mean 'E_aw'?"),
        ("[smoke.runs.E_aw]", "[smoke.runs.E_aw]\nbudget = 0", "budget must be a whole number"),
        ('include = "searches.toml"', 'include = "serches.toml"', "cannot read "),
        ('title = "A small league"', "", "title is missing"),
    ],
)
def test_a_mistake_is_a_line_that_says_where(file: Path, old: str, new: str, complaint: str) -> None:
    assert EXPERIMENT.count(old) == 1
    file.write_text(EXPERIMENT.replace(old, new), encoding="utf-8")
    with pytest.raises(RunError) as error:
        read_item(file)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ('defaults={evaluation={opponents=["nonsense"]}}', "unknown agent 'nonsense'"),
        ("defaults=3", "--set defaults=3: defaults must be a table"),
        ('defaults.evaluation.opponents=["nonsense"]', "unknown agent 'nonsense'"),
        ("runs=3", "--set runs=3: write runs.NAME.KEY=VALUE; NAME is one of E_aw, R_e"),
        ("runs.R_f.repeat=3", "--set runs.R_f.repeat=3: no run 'R_f': did you mean 'R_e'?"),
        ("runs.R_e=3", "--set runs.R_e=3: runs.R_e must be a table"),
        ("defaults", "--set defaults: write KEY=VALUE"),
        ("published=3", "--set published=3: published must be a table"),
    ],
)
@pytest.mark.parametrize("smoke", [False, True])
def test_a_setting_that_cannot_be_is_a_line(file: Path, setting: str, complaint: str, *, smoke: bool) -> None:
    with pytest.raises(RunError) as error:
        read_item(file, settings=[setting], smoke=smoke)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "setting",
    [
        'defaults={space={kind="locm-draft"}, evaluation={opponents=["nonsense"]}}',
        "defaults=3",
        "defaults = 3",
    ],
)
def test_a_setting_of_all_defaults_is_one_of_included_runs_too(file: Path, setting: str) -> None:
    own, report = EXPERIMENT.index("[runs.E_aw]"), EXPERIMENT.index("[report]")
    file.write_text(EXPERIMENT[:own] + EXPERIMENT[report : EXPERIMENT.index("[published")], encoding="utf-8")
    assert list(read_item(file).series) == ["R_e"]
    with pytest.raises(RunError, match=re.escape(f"--set {setting}: ")):
        read_item(file, settings=[setting])


def test_settings_win_over_what_shrinks_an_experiment(file: Path) -> None:
    file.write_text(EXPERIMENT + "\n[smoke.report]\ngames = 1\n[smoke.defaults]\nbudget = 300\n", encoding="utf-8")
    settings = ["report.games=3", "report.drafts=7", "runs.E_aw.repeat=5", "defaults.evaluation.pilot=greedy"]
    settings += ["runs.R_e.budget=350"]
    small = read_item(file, settings=settings, smoke=True)
    report = small.heading.report
    assert isinstance(report, League)
    assert (report.games, report.drafts, report.repetitions) == (3, 7, 2)  # those set, and one by the general rule
    found = {}
    for name, (_, series) in small.series.items():
        assert isinstance(series.config, LocmDraftRun)
        found[name] = (series.repeat, series.config.budget, series.config.evaluation.pilot)
    assert found == {"E_aw": (5, 300, "greedy"), "R_e": (2, 350, "greedy")}


def test_a_setting_of_defaults_leaves_alone_what_a_run_says_itself(file: Path) -> None:
    for smoke in (False, True):
        experiment = read_item(file, settings=["defaults.search.population=8"], smoke=smoke)
        populations = {
            name: series.to_json()["search"]["population"] for name, (_, series) in experiment.series.items()
        }
        assert populations == {"E_aw": 4, "R_e": 8}


def test_an_empty_table_is_a_run_of_the_defaults(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[runs.E_aw]", "[defaults]") + "[runs.plain]\n[runs.E_aw]\n", encoding="utf-8")
    series = read_item(file).series
    assert list(series) == ["plain", "E_aw", "R_e"]
    plain, other = (series[name][1].to_json() for name in ("plain", "E_aw"))
    assert {**plain, "name": "E_aw"} == other


def test_runs_of_a_series_have_seeds_of_their_own(file: Path) -> None:
    (_, one), (_, other) = read_item(file).series.values()
    configs = [*one.configs(), *other.configs()]
    assert [config.name for config in configs] == ["E_aw-1", "E_aw-2", "R_e-1", "R_e-2"]
    assert len({config.seed for config in configs}) == 4
    assert configs == [*one.configs(), *other.configs()]


def test_included_runs_are_stored_where_other_items_find_them(file: Path) -> None:
    carry_out(file)
    stores = {str(path.relative_to(file.parents[2] / "store")) for path in file.parents[2].glob("store/**/*.db")}
    own = {f"paper/item/{name}.db" for name in ("E_aw-1", "E_aw-2", "league")}
    assert stores == own | {"paper/searches/R_e-1.db", "paper/searches/R_e-2.db"}


# ---- carrying out ----------------------------------------------------------------------------------------------------


def test_a_second_call_plays_nothing_and_writes_the_same(file: Path) -> None:
    first = carry_out(file)
    result = (first.folder / "result.json").read_text(encoding="utf-8")
    again = carry_out(file)
    assert (again.played, again.games) == (0, first.played)
    assert (again.folder / "result.json").read_text(encoding="utf-8") == result


def test_what_was_interrupted_goes_on_to_the_same_result(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "FEWEST_GAMES", 100)
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.0)  # so that also these small runs are seen under way
    whole = carry_out(file, store="whole", threads=2)
    for stopped, at in (("E_aw-2 (2 of 4)", 50), ("league", 150), ("league", 450)):

        @contextmanager
        def view(name: str, stopped: str = stopped, at: int = at) -> Iterator[Watch]:
            def watch(standing: Standing) -> None:
                if name == stopped and standing.games >= at:
                    raise KeyboardInterrupt

            yield watch

        with pytest.raises(KeyboardInterrupt):
            carry_out(file, store="broken", threads=1, view=view)
    rest = carry_out(file, store="broken", threads=1)
    assert 0 < rest.played < whole.played
    digests = [json.loads((o.folder / "result.json").read_text(encoding="utf-8"))["digest"] for o in (whole, rest)]
    assert digests[0] == digests[1]
    took = json.loads((rest.folder / "result.json").read_text(encoding="utf-8"))["took"]
    assert len(took) == 4  # each of the four calls has its line
    assert [line["command"] for line in took] == ["typed"] * 4


def test_games_of_interrupted_calls_are_told_apart_from_those_of_the_result(file: Path) -> None:
    outcome = carry_out(file)
    log = file.parents[2] / "store" / "paper" / "item" / "times.jsonl"
    interrupted = {"command": "typed", "games": 500, "wall_seconds": 1.0, "cpu_seconds": 1.0}
    log.write_text(json.dumps(interrupted) + "\n" + log.read_text(encoding="utf-8"), encoding="utf-8")
    text = (carry_out(file).folder / "result.md").read_text(encoding="utf-8")
    played = f"{outcome.games + 500:,} games played for it, including those of interrupted\n"
    assert f"from {outcome.games:,} games. The record shows {played}" in text


@pytest.mark.parametrize("left", [b'{"command": "typed", "ga', b"\n\0\0\xff"])
def test_an_entry_that_was_cut_off_by_a_kill_is_passed_over(file: Path, left: bytes) -> None:
    first = carry_out(file)
    log = file.parents[2] / "store" / "paper" / "item" / "times.jsonl"
    log.write_bytes(log.read_bytes() + left)
    assert carry_out(file).played == 0
    (file.parents[2] / "store" / "paper" / "item" / "league.db").unlink()
    again = carry_out(file)
    took = json.loads((again.folder / "result.json").read_text(encoding="utf-8"))["took"]
    assert [entry["games"] for entry in took] == [first.played, again.played]
    log.write_bytes(left)
    carry_out(file)
    took = json.loads((again.folder / "result.json").read_text(encoding="utf-8"))["took"]
    assert [entry["games"] for entry in took] == [0]


def test_a_second_command_at_the_same_time_is_told_so_in_a_line(
    file: Path, deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parents[2])
    told: list[tuple[int, str, str]] = []

    @contextmanager
    def view(name: str) -> Iterator[Watch]:
        def watch(standing: Standing) -> None:
            if not told and name == "league":
                told.append(deckatlas("reproduce", "paper/item", "--store", "store", "--out", "out"))

        yield watch

    outcome = carry_out(file, view=view)
    ((code, out, err),) = told
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "league.db is being written by another process" in err
    assert outcome.played == outcome.games
    assert carry_out(file).played == 0


def test_the_files_have_published_numbers_and_ours(file: Path) -> None:
    outcome = carry_out(file)
    names = {path.name for path in outcome.folder.iterdir()}
    assert names == {"result.json", "result.md", "cells.csv", "averages.csv", "runs.csv", "league.png"}
    header, *lines = (outcome.folder / "cells.csv").read_text(encoding="utf-8").splitlines()
    assert header.startswith("group,against,games,won,percent,low,high,")
    assert len(lines) == 3 * 2
    text = (outcome.folder / "result.md").read_text(encoding="utf-8")
    assert "(53.08 ± 0.05)" in text
    assert "![league](league.png)" in text
    assert f"{outcome.games:,} games" in text


def test_without_matplotlib_tables_are_written_and_a_note_says_why_no_figure(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    outcome = carry_out(file)
    assert not list(outcome.folder.glob("*.png"))
    assert "they need matplotlib" in (outcome.folder / "result.md").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_a_line(file: Path) -> None:
    (file.parents[2] / "out-store").write_text("a file", encoding="utf-8")
    with pytest.raises(RunError, match=r"cannot write .*out-store"):
        carry_out(file)


def test_other_games_under_the_name_of_an_evaluation_are_refused(file: Path) -> None:
    carry_out(file)
    file.write_text(EXPERIMENT.replace("drafts = 4", "drafts = 5"), encoding="utf-8")
    with pytest.raises(RunError, match=r"league\.db holds another run.*: choose another folder with --store$"):
        carry_out(file)


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_the_training_drafts_of_a_run_are_those_its_search_drew(file: Path, tmp_path: Path) -> None:
    _, series = read_item(file).series["E_aw"]
    config = series.configs()[0]
    execute(config, tmp_path / "run.db")
    drawn = draw_seeds(generator_of(config.seed), 3)  # the first that a search by active genes draws
    assert training_drafts(FinishedRun(config, tmp_path / "run.db")).tolist() == drawn.tolist()


def test_the_league_has_as_many_games_as_its_store(file: Path) -> None:
    outcome = carry_out(file)
    with open_store(file.parents[2] / "store" / "paper" / "item" / "league.db") as store:
        games, history = store.progress().games, store.history()
    wins = int(history.total.sum())
    assert history.games.sum() == games
    cells = json.loads((outcome.folder / "result.json").read_text(encoding="utf-8"))["rows"]["cells"]
    assert sum(cell["games"] for cell in cells) == 2 * games
    assert sum(cell["won"] for cell in cells) == games
    assert 0 < wins < games


def test_portions_are_all_matchups_in_order_and_none_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "FEWEST_GAMES", 25)
    courses = tuple(Course(np.arange(n, dtype=np.uint64), np.arange(n, dtype=np.uint64)) for n in (10, 40))
    course = np.array([0, 0, 0, 1, 0, 1, 0, 0], dtype=np.int32)
    numbers = np.arange(8, dtype=np.int32)
    whole = matchups(np.zeros((8, 2)), courses, numbers, numbers[::-1].copy(), course)
    search, seen = piecewise.piecewise(whole), []
    while (ask := search.ask()) is not None:
        seen.append(ask)
        assert search.tell_wins(np.zeros(len(ask), dtype=np.int32)) is None
    assert [ask.first.tolist() for ask in seen] == [[0, 1], [2], [3], [4], [5], [6, 7]]
    assert np.array_equal(np.concatenate([ask.second for ask in seen]), whole.second)
    assert sum(ask.games for ask in seen) == whole.games == 6 * 10 + 2 * 40
