"""Experiments whose runs are maps: carried out, resumed, given opponents by others, refused where they cannot be."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.reproduce import Reproduction, reproduce
from deckatlas.experiments.series import in_order
from deckatlas.experiments.study import View
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.suite_export import best_opponents
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.kinds import read_item
from deckatlas.runs import loop
from deckatlas.runs.loop import Standing, Watch
from deckatlas.runs.view import open_run
from deckatlas.search.map_searches import MapSearchOptions

SHIPPED = Path(__file__).parents[2] / "experiments" / "mesb"

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

EXPERIMENT = """
title = "Maps against each other"
source = "nobody"
seed = 3
include = "searches.toml"
use = ["late", "early"]

[runs.hunter]
repeat = 2
space = { kind = "hearthstone-deck", class = "hunter" }
evaluation = { pilot = "random", games = 4 }
archive = { kind = "sliding", measures = ["deck_mana_sum", "deck_mana_variance"], resolution = [3, 3] }
search = { algorithm = "map-elites", evaluations = 40, initial = 10 }

[report]
kind = "deck-table"
games = 6

[published.beats.sooner-is-better]
early = ["late"]
"""
SEARCHES = """
[defaults]
repeat = 2
space = { kind = "hearthstone-deck" }
evaluation = { pilot = "random", games = 4 }
archive = { kind = "sliding", measures = ["deck_mana_sum", "deck_mana_variance"], resolution = [3, 3] }
search = { algorithm = "map-elites", evaluations = 40, initial = 10 }

[runs.late]
opponents_from = ["early", "hunter"]
space.class = "mage"

[runs.early]
space.class = "rogue"
"""
LOCM = """
[runs.E_aw]
budget = 400
space.kind = "locm-draft"
search = { algorithm = "E_aw", population = 4, tournament_size = 2 }
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
    file: Path,
    *,
    store: str = "store",
    threads: int | None = None,
    view: View = nobody_looks,
    command: str = "typed",
) -> Reproduction:
    folder = file.parents[2]
    experiment = read_item(file)
    return reproduce(
        experiment, store=folder / store, out=folder / f"out-{store}", command=command, view=view, threads=threads
    )


def digest_of(outcome: Reproduction) -> str:
    return str(json.loads((outcome.folder / "result.json").read_text(encoding="utf-8"))["digest"])


def test_maps_are_repeated_with_seeds_of_their_own(file: Path) -> None:
    series = {name: each for name, (_, each) in read_item(file).series.items()}
    configs = [config for each in series.values() for config in each.configs()]
    assert [config.name for config in configs] == ["hunter-1", "hunter-2", "late-1", "late-2", "early-1", "early-2"]
    assert len({config.seed for config in configs}) == 6
    assert all(isinstance(config, HearthstoneDeckRun) for config in configs)


def test_maps_that_take_seeds_from_the_same_begin_alike_run_by_run(file: Path) -> None:
    shared = SEARCHES.replace("repeat = 2\n", 'repeat = 2\nseeds_from = "pairs"\n')
    (file.parent / "searches.toml").write_text(shared, encoding="utf-8")
    series = {name: each for name, (_, each) in read_item(file).series.items()}
    seeds = {name: [config.seed for config in each.configs()] for name, each in series.items()}
    assert seeds["late"] == seeds["early"]
    assert len({*seeds["late"], *seeds["hunter"]}) == 4


def test_elites_are_rechecked_once_and_their_games_counted_every_time(file: Path) -> None:
    file.write_text(EXPERIMENT.replace("repeat = 2", "repeat = 2\nrecheck = 6"), encoding="utf-8")
    first, again = carry_out(file), carry_out(file)
    store = file.parents[2] / "store" / "paper"
    views = [open_run(store / "item" / f"hunter-{run}.db") for run in (1, 2)]
    assert all(view.recheck() is not None for view in views)
    fresh = [outcome.games for view in views for outcome in view.rechecks.values()]
    assert {*fresh} == {6}
    assert open_run(store / "searches" / "early-1.db").recheck() is None
    assert first.played == first.games == 6 * 40 * 4 + 15 * 6 + sum(fresh)
    assert (again.played, again.games) == (0, first.games)


def test_a_result_names_the_command_that_wrote_it_even_if_it_played_nothing(file: Path) -> None:
    carry_out(file, command="the first")
    again = carry_out(file, command="the second")
    assert again.played == 0
    assert json.loads((again.folder / "result.json").read_text(encoding="utf-8"))["command"] == "the second"
    assert "Made by\n\n    the second\n" in (again.folder / "result.md").read_text(encoding="utf-8")


def test_each_trial_trains_a_model_of_its_own_on_a_log_that_all_share(file: Path) -> None:
    taking = """
[runs.taking]
repeat = {repeat}
first = {first}
model_from = "hunter"
space = {{ kind = "hearthstone-deck", class = "hunter" }}
evaluation = {{ pilot = "random", games = 4 }}
archive = {{ kind = "grid", measures = ["deck_mana_mean"], ranges = [[1, 6]], resolution = [3] }}
search = {{ algorithm = "dsa-me", evaluations = 20, initial = 10, predictions = 200 }}

[report]
"""
    shared = EXPERIMENT.replace("[runs.hunter]\nrepeat = 2", "[runs.hunter]\nrepeat = 1")

    def models(store: str, repeat: int, first: int) -> list[str]:
        file.write_text(shared.replace("[report]", taking.format(repeat=repeat, first=first)), encoding="utf-8")
        carry_out(file, store=store)
        folder = file.parents[2] / store / "paper" / "item"
        return [(folder / f"taking-{first + at}.model.json").read_text(encoding="utf-8") for at in range(repeat)]

    first, second = models("store", 2, 1)
    assert first != second
    assert models("other", 1, 2) == [second]


@pytest.mark.parametrize("item", ["validation", "validation-fair"])
def test_a_quarter_of_the_budget_grows_to_the_same_cells_in_the_same_proportion(item: str) -> None:
    def shapes(*settings: str) -> list[list[tuple[int, ...]]]:
        experiment = read_item(SHIPPED / f"{item}.toml", settings=settings)
        found = []
        for _, series in experiment.series.values():
            search, archive = series.config.search, series.config.archive
            assert isinstance(search, MapSearchOptions)
            assert archive is not None
            planned = search.evaluations
            binning = archive.make_binning(planned)
            seen = np.random.Generator(np.random.PCG64(1)).random((planned, 2))
            times = [planned * part // 8 for part in range(1, 9)]
            made = [binning.made_at(told) for told in times]
            found.append([binning.cells(told, seen[:told]).shape for told in made])
        return found

    full, quarter = shapes(), shapes("defaults.search.evaluations=2500")
    assert [each[-1] for each in quarter] == [each[-1] for each in full]
    for one, other in zip(quarter, full, strict=True):
        assert all(abs(a - b) <= 1 for (a, _), (b, _) in zip(one, other, strict=True))  # remaps are rarer in proportion
        assert one == sorted(one)


def test_trials_of_a_patch_have_the_same_opponents_in_every_call() -> None:
    for item in ("balance", "balance-fair", "balance-authors"):
        settings = ["defaults.repeat=2", "defaults.first=3", "defaults.search.evaluations=700"]
        experiment = read_item(SHIPPED / f"{item}.toml", settings=settings)
        own = set()
        for name, (_, series) in experiment.series.items():
            assert isinstance(series.config.search, MapSearchOptions)
            assert series.config.search.evaluations == 700
            has_trials = "base-" in name or "patched-" in name
            assert series.numbers == (range(3, 5) if has_trials else range(1, 2))
            own.add(has_trials)
        assert own == {True, False}


def test_a_budget_below_the_decks_that_a_search_begins_with_is_refused() -> None:
    with pytest.raises(RunError, match=r"^--set defaults.search.evaluations=50: .*initial must be at most evaluations"):
        read_item(SHIPPED / "validation.toml", settings=["defaults.search.evaluations=50"])


def test_a_budget_can_be_set_for_every_item_of_the_paper() -> None:
    for file in sorted(SHIPPED.glob("*.toml")):
        if file.stem not in ("searches", "pools", "authors-decks"):  # the last two have no runs
            experiment = read_item(file, settings=["defaults.search.evaluations=700"])
            configs = [series.config.to_json() for _, series in experiment.series.values()]
            assert {config["search"]["evaluations"] for config in configs} == {700}
            assert experiment.heading.published["budget"] == {"evaluations": 10_000, "games": 200}


def test_the_boundaries_of_maps_are_compared_by_pairs_that_begin_alike() -> None:
    series = [each for _, each in read_item(SHIPPED / "boundaries.toml").series.values()]
    assert len({tuple(config.seed for config in each.configs()) for each in series}) == 1
    alike = [{**each.config.to_json(), "name": "", "archive": {}} for each in series]
    assert all(each == alike[0] for each in alike)  # all that differs is how cells are drawn
    assert all(each.recheck is not None and each.repeat >= 5 for each in series)
    games = sum(
        each.repeat * each.config.search.evaluations * each.config.evaluation.games
        for each in series
        if isinstance(each.config.search, MapSearchOptions)
    )
    assert games == 12_500_000  # as the file says, but for rechecks


def test_the_best_decks_of_other_maps_are_the_opponents_run_by_run(file: Path) -> None:
    carry_out(file)
    store = file.parents[2] / "store" / "paper"
    for run in (1, 2):
        rivals = [open_run(store / place) for place in (f"searches/early-{run}.db", f"item/hunter-{run}.db")]
        late = open_run(store / f"searches/late-{run}.db").config["evaluation"]
        opponents = tuple(map(OpponentTable.model_validate, late["opponents"]))
        assert opponents == best_opponents(rivals)
        assert [each.pilot for each in opponents] == ["random", "random"]
        alone = open_run(store / f"searches/early-{run}.db").config["evaluation"]
        assert (alone["suite"], alone["opponents"]) == ("starter", [])


def test_all_runs_meet_the_best_deck_of_a_map_that_has_only_one(file: Path) -> None:
    text = SEARCHES.replace('space.class = "rogue"', 'space.class = "rogue"\nrepeat = 1')
    (file.parent / "searches.toml").write_text(text, encoding="utf-8")
    carry_out(file)
    store = file.parents[2] / "store" / "paper"
    (only,) = best_opponents([open_run(store / "searches" / "early-1.db")])
    met = [open_run(store / "searches" / f"late-{number}.db").config["evaluation"]["opponents"] for number in (1, 2)]
    assert [OpponentTable.model_validate(opponents[0]) for opponents in met] == [only, only]
    assert met[0][1] != met[1][1]  # of the other map, each has the best deck of its own number


def test_who_is_met_is_found_before_who_meets_it(file: Path) -> None:
    order = in_order({name: each for name, (_, each) in read_item(file).series.items()})
    assert sorted(order) == ["early", "hunter", "late"]
    assert order[-1] == "late"


def test_a_second_call_plays_nothing_and_writes_the_same(file: Path) -> None:
    first, again = carry_out(file), carry_out(file)
    assert first.played == first.games == 6 * 40 * 4 + 15 * 6
    assert (again.played, again.games) == (0, first.games)
    assert digest_of(again) == digest_of(first)


def test_what_was_interrupted_goes_on_to_the_same_result(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.0)  # so that also these small maps are seen under way
    whole = carry_out(file, store="whole", threads=2)
    for stopped in ("early-1 ", "late-2 ", "decks"):

        @contextmanager
        def view(name: str, stopped: str = stopped) -> Iterator[Watch]:
            def watch(standing: Standing) -> None:
                raise KeyboardInterrupt

            yield watch if name.startswith(stopped) else lambda standing: None

        with pytest.raises(KeyboardInterrupt):
            carry_out(file, store="broken", threads=1, view=view)
    assert digest_of(carry_out(file, store="broken", threads=1)) == digest_of(whole)


def test_a_shrunk_experiment_has_shrunk_maps(file: Path) -> None:
    text = EXPERIMENT.replace("evaluations = 40", "evaluations = 400") + "\n[smoke.defaults]\nevaluation.games = 2\n"
    file.write_text(text, encoding="utf-8")
    small = {name: series.config.to_json() for name, (_, series) in read_item(file, smoke=True).series.items()}
    assert small["hunter"]["search"]["evaluations"] < 100
    assert {config["evaluation"]["games"] for config in small.values()} == {2}


@pytest.mark.parametrize(
    ("where", "old", "new", "complaint"),
    [
        (SEARCHES, '["early", "hunter"]', '["earlier"]', "line 10: no run 'earlier' in the experiment: did you mean"),
        (SEARCHES, 'space.class = "rogue"', 'space.class = "rouge"', "unknown hero class 'rouge'"),
        (SEARCHES, '"deck_mana_variance"', '"deck_mana_varience"', "there is no column 'deck_mana_varience': did you"),
        (
            SEARCHES,
            'space.class = "rogue"',
            'space.class = "rogue"\nrepeat = 3',
            "early must have 1 run, or as many as late (2), not 3",
        ),
        (
            SEARCHES,
            "[runs.early]",
            '[runs.early]\nopponents_from = ["late"]',
            "runs cannot depend on each other: ",
        ),
        (
            EXPERIMENT,
            'early = ["late"]',
            'early = ["lat"]',
            "unknown name 'lat' in published.beats.sooner-is-better.early: did",
        ),
        (
            EXPERIMENT,
            'early = ["late"]',
            'early = "late"',
            "published.beats.sooner-is-better.early must be a list of names",
        ),
        (EXPERIMENT, "games = 6", "games = 5", "games"),
        (EXPERIMENT, "repeat = 2", "repeat = 2\nrecheck = 0", "recheck"),
        (
            EXPERIMENT,
            'kind = "deck-table"\ngames = 6',
            'kind = "map-boundaries"\ncompare = { a = { of = ["hunter"], against = ["lat"] } }',
            "item.toml, line 17: no run 'lat': did you mean 'late'?",
        ),
        (EXPERIMENT, "games = 6", 'maps = ["hunters"]', "item.toml, line 17: no run 'hunters': did you mean 'hunter'?"),
        (EXPERIMENT, "games = 6", 'sets = { a = ["early"] }', "one set has no opponents"),
        (EXPERIMENT, "games = 6", 'sets = { a = ["early"], b = ["lat"] }', "no run 'lat': did you mean 'late'?"),
    ],
)
def test_a_mistake_is_a_line_that_says_where(file: Path, where: str, old: str, new: str, complaint: str) -> None:
    assert old in where
    changed = file if where is EXPERIMENT else file.parent / "searches.toml"
    changed.write_text(where.replace(old, new), encoding="utf-8")
    with pytest.raises(RunError) as error:
        read_item(file)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_report_is_made_of_one_kind_of_runs(file: Path) -> None:
    file.write_text(EXPERIMENT + LOCM, encoding="utf-8")
    with pytest.raises(RunError, match="a report of kind deck-table needs maps, not searches by matchups"):
        read_item(file)
    file.write_text(
        EXPERIMENT.replace('"deck-table"\ngames = 6', '"league"').partition("[published")[0], encoding="utf-8"
    )
    with pytest.raises(RunError, match="a report of kind league needs searches by matchups, not maps"):
        read_item(file)


def test_only_elites_of_maps_are_rechecked(file: Path) -> None:
    file.write_text(EXPERIMENT + LOCM + "\nrecheck = 5\n", encoding="utf-8")
    with pytest.raises(RunError, match="only the elites of an archive can be rechecked"):
        read_item(file)


def test_only_decks_of_hearthstone_meet_decks_that_others_found(file: Path) -> None:
    file.write_text(EXPERIMENT.replace("[runs.hunter]\n", '[runs.hunter]\nopponents_from = ["E_aw"]\n') + LOCM, "utf-8")
    with pytest.raises(RunError, match="hunter cannot have the best of E_aw as opponents"):
        read_item(file)
