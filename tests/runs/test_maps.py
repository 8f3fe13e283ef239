"""Maps as runs: what their stores hold, elites played again, and the commands."""

import csv
import io
import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.setup import deck_of, edition_of
from deckatlas.runs.config import RunConfig
from deckatlas.runs.export import elites_csv
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.rows import RecheckedSolution
from deckatlas.runs.store import open_store
from deckatlas.runs.view import open_run
from deckatlas.runs.writer import Writer, open_to_write
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.map_searches import MapSearchOptions
from helpers.command_line import CommandLine
from helpers.maps import HUNTERS, hunters
from helpers.runs import digest_of

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished map with a recheck."""
    folder = tmp_path_factory.mktemp("finished")
    execute(hunters(folder), folder / "hunters.db", recheck=20)
    return folder / "hunters.db"


def test_a_map_without_evaluations_is_listed_and_shown(tmp_path: Path, deckatlas: CommandLine) -> None:
    config = hunters(tmp_path)
    run = config.prepare()
    (tmp_path / "runs").mkdir()
    with open_to_write(tmp_path / "runs" / "hunters.db") as store:
        store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
    assert "stopped" in deckatlas("runs")[1]
    assert "0 of 3,600 games" in deckatlas("show", "hunters")[1]


def test_common_games_are_the_same_for_all_and_fresh_ones_differ(tmp_path: Path) -> None:
    def courses(config: RunConfig) -> tuple[Any, Any, Outcomes, Outcomes]:
        run = config.prepare()
        search = run.make_search()
        first, second = search.ask(), search.ask()
        assert first is not None
        assert second is not None
        same_deck = replace(second, genes=first.genes)
        once, again = (run.evaluator.evaluate(batch) for batch in (first, same_deck))
        return first.courses, second.courses, once, again

    one, other, once, again = courses(hunters(tmp_path))
    assert one == other
    assert np.array_equal(once.total, again.total, equal_nan=True)
    assert np.array_equal(once.margin, again.margin)
    one, other, once, again = courses(hunters(tmp_path, "evaluation.seeds=fresh"))
    assert one != other
    assert not np.array_equal(once.total, again.total, equal_nan=True)


# ---- what a store holds ----------------------------------------------------------------------------------------------


def test_elites_are_the_best_of_their_cells_and_legal_decks(finished: Path) -> None:
    view = open_run(finished)
    elites = view.elites()
    assert len(elites) == view.statistics.elites > 20
    assert len({elite.cell for elite in elites}) == len(elites)
    objectives = [elite.objective.value for elite in elites]
    assert objectives == sorted(objectives, reverse=True)
    for elite in elites:
        deck = deck_of(view.code(elite), edition_of("2018-12"))
        assert (deck.hero_class, len(deck.copies)) == ("HUNTER", 30)
        assert elite.objective.low < elite.objective.value < elite.objective.high


def test_a_recheck_plays_each_elite_on_games_that_the_search_has_not_seen(finished: Path) -> None:
    view = open_run(finished)
    elites = view.elites()
    assert set(view.rechecks) == {elite.number for elite in elites}
    assert {again.games for again in view.rechecks.values()} == {20}
    again = [elite.rechecked.value for elite in elites if elite.rechecked is not None]
    assert np.mean(again) < np.mean([elite.objective.value for elite in elites])  # a search keeps who was lucky


def test_a_recheck_is_resumed_and_leaves_the_digest_as_it_is(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hunters.db"
    execute(hunters(tmp_path), path)
    before = digest_of(path)
    add = Writer.add_recheck
    added: list[int] = []

    def interrupted(self: Writer, number: int, solution: RecheckedSolution) -> None:
        add(self, number, solution)
        added.append(number)
        if len(added) == 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "add_recheck", interrupted)
        with pytest.raises(KeyboardInterrupt):
            execute(hunters(tmp_path), path, recheck=20)
    with open_store(path) as store:
        assert len(store.rechecks()) == 5 < len(open_run(finished).elites())
    standing = execute(hunters(tmp_path), path, recheck=20)
    assert standing.rechecked == (len(open_run(finished).elites()),) * 2
    assert open_run(path).rechecks.keys() == open_run(finished).rechecks.keys()
    assert digest_of(path) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE evaluations SET games = games + 1 WHERE number = 7",
        "UPDATE solutions SET parent = 3 WHERE number = 7",
        "UPDATE evaluations SET numbers = zeroblob(length(numbers)) WHERE number = 299",
        "UPDATE evaluations SET outcomes = x'555555' WHERE number = 299",
        "UPDATE evaluations SET margins = zeroblob(length(margins)) WHERE number = 299",
        "UPDATE solutions SET genes = zeroblob(length(genes)) WHERE number = 40",
        "UPDATE solutions SET measures = zeroblob(length(measures)) WHERE number = 40",
        "UPDATE solutions SET measures = x'' WHERE number = 40",
        "DELETE FROM solutions WHERE number = 40",
        "DELETE FROM evaluations WHERE number = 299",
        "DELETE FROM evaluations WHERE number = 0",
        "DELETE FROM commits",
        "UPDATE rechecks SET games = 1",
        "UPDATE rechecks SET numbers = zeroblob(length(numbers))",
        "UPDATE rechecks SET margins = NULL",
        "UPDATE run SET config = replace(config, '300', '301')",
    ],
)
def test_a_store_with_something_changed_is_refused_and_left_as_it_is(
    finished: Path, tmp_path: Path, change: str
) -> None:
    path = tmp_path / "hunters.db"
    path.write_bytes(finished.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()
    content = path.read_bytes()
    with pytest.raises(RunError, match="is damaged"):
        execute(hunters(tmp_path), path, recheck=20)
    with pytest.raises(RunError, match="is damaged"):
        digest_of(path)
    assert path.read_bytes() == content


# ---- the command line ------------------------------------------------------------------------------------------------


def test_a_map_is_run_listed_shown_and_exported(tmp_path: Path, deckatlas: CommandLine) -> None:
    hunters(tmp_path)
    code, out, errors = deckatlas("run", "hunters.toml", "--recheck", "--recheck-games", "10")
    assert (code, errors) == (0, "")
    assert re.match(r"hunters: finished after 300 evaluations, [\d,]+ games \([\d,]+ of them now, ", out)
    _, listed, _ = deckatlas("runs")
    assert re.search(r"hunters +map-elites +finished +300 evaluations +3,600 of 3,600", listed)
    _, shown, _ = deckatlas("show", "hunters")
    assert "search.evaluations = 300" in shown
    assert "on fresh games" in shown
    code, elites, _ = deckatlas("export", "hunters", "--elites", "-")
    rows = list(csv.DictReader(io.StringIO(elites)))
    assert code == 0
    assert len(rows) == len(open_run(Path("runs/hunters.db")).elites())
    assert float(rows[0]["avg_health_diff_low"]) < float(rows[0]["avg_health_diff"])
    assert rows[0]["code"] in shown
    _, text, _ = deckatlas("export", "hunters", "--json", "-")
    assert json.loads(text)["statistics"]["elites"] == len(rows)
    deckatlas("export", "hunters", "--suite", "best.toml")
    code, _, errors = deckatlas("run", "hunters.toml", "--name", "second", "--set", "evaluation.suite=best.toml")
    assert (code, errors) == (0, "")
    Path("best.toml").unlink()  # the run has its opponents in itself
    code, out, _ = deckatlas("show", "second")
    assert code == 0
    assert "evaluation.suite = 'best'" in out
    both = ["--set", "evaluation.suite=elite", "--set", 'evaluation.opponents=[{deck="Starter Mage", pilot="random"}]']
    code, _, errors = deckatlas("run", "hunters.toml", "--name", "both", *both)
    assert code == 2
    assert "give either the suite elite or opponents, not both" in errors


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('archive.measures=["num_turn", "dust"]', "there is no column 'num_turn': did you mean 'num_turns'?"),
        ("search.objective=wins", "there is no column 'wins'"),
        ("evaluation.games=0", "evaluation.games must be a whole number from 1"),
        ("archive.grow_from=[9, 2]", "the number of cells can grow, but not shrink"),
        ("archive.resolution=[6]", "resolution must have as many entries as measures, 2, not 1"),
        ("space.class=bard", "unknown hero class 'bard'"),
        ("space.pool=basics", "unknown pool 'basics'"),
        ("space.edition=2017", "space.edition must be a text"),
        ("space.kind=deck", "unknown kind of space 'deck': did you mean 'locm-deck'?"),
        ("evaluation.suite=none.toml", "there is no suite and no file 'none.toml'"),
        ("evaluation.pilot=clever", "unknown agent 'clever'"),
        (
            "search.objective=strategy_alignment",
            "strategy_alignment needs a pilot that rates plans, and random does not",
        ),
        ("evaluation.profile=unfair", "unknown profile 'unfair'"),
        ("search.algorithm=hill-climber", "search.algorithm"),
        ("search.initial=301", "initial must be at most evaluations, which is 300, not 301"),
        ("search.window=1000000", "search.window must be a whole number from 1 to 100000"),
        ("search.most_games=13", "most_games must be at least 24, twice the games of an evaluation, not 13"),
        ("search.sampling=3", "unknown key"),
        ("evaluation.pilot=exec:cat", "cannot play in a map: it does not play inside the core"),
    ],
)
def test_a_wrong_configuration_is_refused_before_the_first_game(
    tmp_path: Path, deckatlas: CommandLine, setting: str, message: str
) -> None:
    hunters(tmp_path)
    code, out, errors = deckatlas("run", "hunters.toml", "--set", setting)
    assert (code, out) == (2, "")
    assert errors.startswith(f"deckatlas: --set {setting}: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not Path("runs").exists()


def test_a_map_of_decks_without_an_algorithm_is_searched_with_a_surrogate_and_few_games_a_deck(tmp_path: Path) -> None:
    file = tmp_path / "usual.toml"
    file.write_text(re.sub(r"(?m)^games = .*\n", "", HUNTERS.partition("[search]")[0]))
    usual = read_config(file)
    assert (usual.search.algorithm, usual.evaluation.games) == ("dsa-me", 50)
    chosen = read_config(file, settings=["evaluation.games=30", "search.evaluations=200"])
    assert isinstance(chosen.search, MapSearchOptions)
    assert (chosen.search.algorithm, chosen.evaluation.games, chosen.search.evaluations) == ("dsa-me", 30, 200)
    named = read_config(file, settings=["search.algorithm=map-elites"])
    assert (named.search.algorithm, named.evaluation.games) == ("map-elites", 200)


def test_a_mistake_beside_the_usual_search_is_reported_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "usual.toml"
    file.write_text(HUNTERS.partition("[search]")[0] + "[search]\npopulation = 3\n")
    with pytest.raises(RunError, match=r"usual\.toml, line \d+: unknown key 'population'"):
        read_config(file)


def test_a_map_keeps_the_patch_that_it_was_made_with(tmp_path: Path, deckatlas: CommandLine) -> None:
    hunters(tmp_path)
    patch = Path("cheap.toml")
    patch.write_text('name = "cheap"\n[cards."Fire Elemental"]\ncost = 1\n')
    settings = ["--set", "space.edition=cheap.toml", "--set", "search.evaluations=40"]
    assert deckatlas("run", "hunters.toml", *settings)[0] == 0
    patch.write_text('name = "cheap"\n[cards."Fire Elemental"]\ncost = 9\n')
    code, _, errors = deckatlas("run", "hunters.toml", *settings)
    assert (code, errors.count("\n")) == (2, 1)
    assert "holds another run, with space.patch" in errors
    patch.unlink()
    assert deckatlas("show", "hunters")[0] == 0


def test_an_interrupted_recheck_is_exported_as_far_as_it_went(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "hunters.db"
    path.write_bytes(finished.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM rechecks WHERE solution % 2")
    connection.close()
    rows = list(csv.DictReader(io.StringIO(elites_csv(open_run(path)))))
    assert {bool(row["rechecked"]) for row in rows} == {True, False}


def test_a_recheck_over_other_games_leaves_the_first_as_it_is(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "hunters.db"
    path.write_bytes(finished.read_bytes())
    execute(hunters(tmp_path), path, recheck=10)
    with open_store(path) as store:
        assert store.rechecks().keys() == store.rechecks(10).keys() == store.rechecks(20).keys()
        assert {again.games for again in store.rechecks().values()} == {20}


def test_only_maps_can_be_rechecked_and_exported_as_maps(tmp_path: Path, deckatlas: CommandLine) -> None:
    Path("e.toml").write_text('budget = 10_000\nspace.kind = "locm-draft"\n[search]\nalgorithm = "R_e"\n')
    code, _, errors = deckatlas("run", "e.toml", "--smoke", "--recheck")
    assert (code, errors) == (2, "deckatlas: e-smoke has no archive: only the elites of an archive can be rechecked\n")


def test_the_interval_of_a_win_rate_stays_between_nothing_and_all(finished: Path) -> None:
    view = open_run(finished)
    for number in range(len(view.log)):
        rate = view.rated("win_rate", number)
        assert 0 <= rate.low <= rate.value <= rate.high <= 1
        assert rate.low < rate.high
