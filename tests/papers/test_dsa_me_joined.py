"""Trials of one table that several calls carried out: the joined table is that of one call, and what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.papers.dsa_me.fewer_games import FewerGames
from deckatlas.papers.dsa_me.joined_trials import JoinedTrials
from deckatlas.papers.dsa_me.published import ALGORITHMS, DSA_ME, MAP_ELITES, OFFLINE
from deckatlas.papers.dsa_me.trial_anova import TrialAnova
from deckatlas.papers.dsa_me.trial_curves import TrialCurves
from deckatlas.papers.dsa_me.trial_table import TrialTable
from deckatlas.papers.dsa_me.trials import FRESH_QD
from deckatlas.papers.kinds import read_item
from helpers.joined_results import Runs, check_joined, result_file, series_of, some
from helpers.map_reports import study_of
from helpers.surrogate_trials import MAP_ELITES as SEARCH
from helpers.surrogate_trials import trial_config

EXPERIMENTS = Path(__file__).parents[2] / "experiments" / "dsa-me"
ALL = dict.fromkeys(ALGORITHMS, "map-elites") | {DSA_ME: "dsa-me", OFFLINE: "final"}
TABLE, TESTS = TrialTable(algorithms=ALL), TrialAnova(algorithms=ALL)
CURVES = TrialCurves(algorithms=ALL, points=7)
FEWER = FewerGames(algorithms=ALL, ours=OFFLINE, baseline=DSA_ME, points=7)
MORE_EVERYWHERE = {"more_at_every_quality": [DSA_ME], "higher": {"DSA-ME is best": {DSA_ME: [MAP_ELITES]}}}


@pytest.fixture
def study(trial_runs: Runs, tmp_path: Path) -> Study:
    return study_of(dict(trial_runs), tmp_path / "study")


@pytest.fixture
def other(study: Study, tmp_path: Path) -> str:
    """The result of a call that carried out the second and the third trial."""
    runs = some(study.runs, 1, 2)
    return result_file(tmp_path, TABLE, runs, TABLE.report(replace(study, runs=runs)))


@pytest.mark.parametrize("kind", [TABLE, TESTS, CURVES, FEWER])
def test_trials_of_several_calls_make_the_report_of_one(kind: JoinedTrials, study: Study, tmp_path: Path) -> None:
    study = replace(study, published=MORE_EVERYWHERE if kind is CURVES else {})
    whole = kind.report(study)

    def trials(*places: int) -> str:
        runs = some(study.runs, *places)
        maker = TABLE if kind is TESTS else kind  # the tests need two trials, and read those of the table
        return result_file(tmp_path, maker, runs, maker.report(replace(study, runs=runs)))

    others = (trials(2), trials(0))
    joined = kind.model_copy(update={"elsewhere": others}).report(replace(study, runs=some(study.runs, 1)))
    assert joined.rows == whole.rows
    assert joined.tables == whole.tables
    assert any(f"{others[1]}: with them, there are 3 of each" in note for note in joined.notes)
    assert not any("with them" in note for note in whole.notes)


def test_games_of_other_calls_are_counted(study: Study, other: str) -> None:
    first = replace(study, runs=some(study.runs, 0))
    before = first.tally.all
    TrialTable(algorithms=ALL, elsewhere=(other,)).report(first)
    assert first.tally.all == before + 1000


def test_other_trials_of_the_same_runs_are_taken(study: Study, other: str) -> None:
    check_joined(TABLE, some(study.runs, 0), other)


def test_a_trial_is_counted_once(study: Study, other: str) -> None:
    with pytest.raises(RunError, match=r"trial 2 of .* is known already"):
        check_joined(TABLE, some(study.runs, 1), other)
    with pytest.raises(RunError, match=r"trial 2 of .* is known already"):
        check_joined(TABLE, some(study.runs, 0), other, other)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("search", {"evaluations": 7}),
        ("evaluation", {"games": 7}),
        ("archive", {"resolution": [7, 7]}),
        ("recheck", 7),
        ("seed", 7),
        ("seeds_from", "another"),
        ("opponents_from", ["map-elites"]),
    ],
)
def test_other_runs_are_refused_with_what_differs(study: Study, tmp_path: Path, key: str, value: Any) -> None:
    second = some(study.runs, 1)
    report = TABLE.report(replace(study, runs=second))
    runs = {name: each.to_json() for name, each in series_of(second).items()}
    runs["dsa-me"][key] = {**runs["dsa-me"][key], **value} if isinstance(value, dict) else value
    file = result_file(tmp_path, TABLE, second, report, runs=runs)
    with pytest.raises(RunError, match=rf"its run dsa-me differs from ours in '{key}'"):
        check_joined(TABLE, some(study.runs, 0), file)


def test_runs_that_others_need_are_compared_too(study: Study, tmp_path: Path) -> None:
    needs = {"dsa_me": {"model_from": "final"}}
    kind = TrialTable(algorithms={DSA_ME: "dsa-me"})
    first, second = some(study.runs, 0), some(study.runs, 1)
    report = kind.report(replace(study, runs=second))
    check_joined(
        kind,
        first,
        result_file(tmp_path, kind, second, report, series=series_of(second, **needs)),
        series=series_of(first, **needs),
    )
    changed = series_of(second, **needs, final={"recheck": 3})
    with pytest.raises(RunError, match="its run final differs from ours in 'recheck'"):
        check_joined(
            kind, first, result_file(tmp_path, kind, second, report, series=changed), series=series_of(first, **needs)
        )


def test_trials_need_the_same_trials_of_other_runs_as_in_one_call(study: Study, tmp_path: Path) -> None:
    needs = {"dsa_me": {"model_from": "final"}}
    kind = TrialTable(algorithms={DSA_ME: "dsa-me"})
    later = some(study.runs, 1, 2)
    report = kind.report(replace(study, runs=later))
    ours = series_of(some(study.runs, 0), **needs)
    only = {**series_of(later, **needs), "final": series_of(some(study.runs, 0))["final"]}
    file = result_file(tmp_path, kind, later, report, series=only)
    check_joined(kind, some(study.runs, 0), file, series=ours)  # all trials with the first model
    other_only = {**series_of(later, **needs), "final": series_of(some(study.runs, 2))["final"]}
    file = result_file(tmp_path, kind, later, report, series=other_only)
    with pytest.raises(RunError, match="its trials of dsa-me have other trials of final than those here would"):
        check_joined(kind, some(study.runs, 0), file, series=ours)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": {}}, "it has no trials"),
        ({"rows": {"trials": 1}}, "its table trials is not a list of rows"),
        ({"rows": {"trials": [1]}}, "row 1 of trials has no algorithm that is a text"),
        ({"rows": {"trials": [{"trial": 2}]}}, "row 1 of trials has no algorithm that is a text"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": "2"}]}}, "has no trial that is a whole number"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": True}]}}, "has no trial that is a whole number"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": 2}]}}, "has no max_health_difference that is a number"),
        ({"games": -1}, "is not a result of this item .'games'"),
        ({"runs": []}, "is not a result of this item .'runs'"),
        ({"runs": {}}, "it has no run map-elites"),
        ({"runs": {"map-elites": {"search": 5, "evaluation": "x"}}}, "its run map-elites differs from ours in"),
        ({"digest": "0"}, "its rows were changed after it was written"),
    ],
)
def test_a_damaged_result_is_refused_in_one_line(
    study: Study, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    runs = some(study.runs, 1)
    file = result_file(tmp_path, TABLE, runs, TABLE.report(replace(study, runs=runs)), **changes)
    with pytest.raises(RunError, match=message) as refused:
        check_joined(TABLE, some(study.runs, 0), file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [10**900, 1.7e308, -1e13])
def test_numbers_that_no_trial_has_are_refused(study: Study, tmp_path: Path, value: float) -> None:
    runs = some(study.runs, 1)
    rows = TABLE.report(replace(study, runs=runs)).rows
    trials = [{**row, FRESH_QD: value} for row in rows["trials"]]
    file = result_file(tmp_path, TABLE, runs, Report({}, ()), rows={"trials": trials})
    with pytest.raises(RunError, match=f"row 1 of trials has no {FRESH_QD} that is a number"):
        check_joined(TABLE, some(study.runs, 0), file)


def test_a_result_that_lacks_rows_of_a_trial_or_has_too_many_is_refused(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    rows = CURVES.report(replace(study, runs=runs)).rows

    def refused(message: str, **changes: Any) -> None:
        file = result_file(tmp_path, CURVES, runs, Report({}, ()), rows={**rows, **changes})
        with pytest.raises(RunError, match=message):
            check_joined(CURVES, some(study.runs, 0), file)

    refused("trial 2 of DSA-ME has no rows in curves", curves=[])
    refused("has no rows in above", above=rows["above"][: len(rows["above"]) // 2])
    refused("does not have the same health differences in above as here", above=rows["above"][:-1])
    refused("trial 2 of MAP-Elites has 2 rows in trials instead of one", trials=[rows["trials"][0], *rows["trials"]])


def test_other_names_of_the_same_runs_are_refused(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    turned = TABLE.model_copy(update={"algorithms": {**ALL, DSA_ME: "final", OFFLINE: "dsa-me"}})
    file = result_file(tmp_path, turned, runs, turned.report(replace(study, runs=runs)))
    with pytest.raises(RunError, match=f"its {OFFLINE} is not the run final, as here"):
        check_joined(TABLE, some(study.runs, 0), file)


@pytest.mark.parametrize("repeat", [0, 10**12, "1", None])
def test_a_run_that_does_not_say_its_trials_is_refused(study: Study, tmp_path: Path, repeat: Any) -> None:
    first, second = some(study.runs, 0), some(study.runs, 1)
    needs = {"dsa_me": {"model_from": "final"}}
    kind = TrialTable(algorithms={DSA_ME: "dsa-me"})
    runs = {name: each.to_json() for name, each in series_of(second, **needs).items()}
    runs["dsa-me"]["repeat"] = repeat
    file = result_file(tmp_path, kind, second, kind.report(replace(study, runs=second)), runs=runs)
    with pytest.raises(RunError, match="its run dsa-me does not say which trials it has"):
        check_joined(kind, first, file, series=series_of(first, **needs))


def test_curves_of_other_moments_are_refused(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    more = CURVES.model_copy(update={"points": 8})
    file = result_file(tmp_path, more, runs, more.report(replace(study, runs=runs)))
    with pytest.raises(RunError, match="its report has points = 8, but this one has 7"):
        check_joined(CURVES, some(study.runs, 0), file)


def test_what_was_checked_is_what_is_used(study: Study, other: str) -> None:
    kind = TABLE.model_copy(update={"elsewhere": (other,)})
    kind.check_series(series_of(some(study.runs, 0)))
    Path(other).write_text("{}")
    assert len(kind.report(replace(study, runs=some(study.runs, 0))).rows["trials"]) == 3 * len(ALL)


def test_a_missing_number_and_an_unknown_algorithm_are_named(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    rows = TABLE.report(replace(study, runs=runs)).rows
    trials = [{key: value for key, value in row.items() if key != FRESH_QD} for row in rows["trials"]]
    with pytest.raises(RunError, match=f"row 1 of trials has no {FRESH_QD} that is a number"):
        check_joined(
            TABLE, some(study.runs, 0), result_file(tmp_path, TABLE, runs, Report({}, ()), rows={"trials": trials})
        )
    trials = [{**row, "algorithm": "another"} for row in rows["trials"]]
    with pytest.raises(RunError, match="there is no algorithm 'another' here"):
        check_joined(
            TABLE, some(study.runs, 0), result_file(tmp_path, TABLE, runs, Report({}, ()), rows={"trials": trials})
        )


def test_further_runs_of_a_series_have_the_seeds_that_they_would_have_in_one() -> None:
    whole = Series(trial_config("map-elites", SEARCH, seed=3), repeat=5)
    some_of_it = Series(trial_config("map-elites", SEARCH, seed=3), repeat=2, first=4)
    assert some_of_it.configs() == whole.configs()[3:]
    assert [config.name for config in some_of_it.configs()] == ["map-elites-4", "map-elites-5"]
    assert some_of_it.to_json()["first"] == 4


@pytest.mark.parametrize("item", ["table-1", "anova", "fig-2"])
def test_further_trials_can_join_those_that_are_kept(item: str) -> None:
    kept = EXPERIMENTS / "results" / item / "result.json"
    settings = ["defaults.repeat=1", "defaults.first=6", f'report.elsewhere=["{kept}"]']
    read_item(EXPERIMENTS / f"{item}.toml", settings=settings)
    with pytest.raises(RunError, match="trial 5 of MAP-Elites is known already"):
        read_item(EXPERIMENTS / f"{item}.toml", settings=[settings[0], "defaults.first=5", settings[2]])
