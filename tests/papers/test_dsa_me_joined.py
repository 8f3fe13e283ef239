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
from helpers.joined_results import Runs, check_joined, result_file, some
from helpers.map_reports import study_of
from helpers.surrogate_trials import MAP_ELITES as SEARCH
from helpers.surrogate_trials import trial_config

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
    return result_file(tmp_path, runs, TrialTable(algorithms=ALL).report(replace(study, runs=runs)))


@pytest.mark.parametrize("kind", [TABLE, TESTS, CURVES, FEWER])
def test_trials_of_two_calls_make_the_report_of_one(kind: JoinedTrials, study: Study, tmp_path: Path) -> None:
    study = replace(study, published=MORE_EVERYWHERE if kind is CURVES else {})
    runs = some(study.runs, 1, 2)
    other = result_file(tmp_path, runs, kind.report(replace(study, runs=runs)))
    first = replace(study, runs=some(study.runs, 0))
    whole = kind.report(study)
    joined = kind.model_copy(update={"elsewhere": (other,)}).report(first)
    assert joined.rows == whole.rows
    assert joined.tables == whole.tables
    assert any(f"{other}: with them, there are 3 of each" in note for note in joined.notes)
    assert not any(other in note for note in whole.notes)


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
    ("table", "key"), [("search", "evaluations"), ("evaluation", "games"), ("archive", "resolution")]
)
def test_other_runs_are_refused_with_the_table_that_differs(study: Study, tmp_path: Path, table: str, key: str) -> None:
    report = TrialTable(algorithms=ALL).report(replace(study, runs=some(study.runs, 1)))
    runs = {name: each[0].config.to_json() for name, each in study.runs.items()}
    runs["dsa-me"][table][key] = 7
    file = result_file(tmp_path, study.runs, report, runs=runs)
    with pytest.raises(RunError, match=rf"its run dsa-me differs from that here in \[{table}\]"):
        check_joined(TABLE, some(study.runs, 0), file)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": {}}, "it has no trials"),
        ({"rows": {"trials": [{"trial": 2}]}}, "row 1 of trials has no algorithm that is a text"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": "2"}]}}, "has no trial that is a whole number"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": True}]}}, "has no trial that is a whole number"),
        ({"rows": {"trials": [{"algorithm": "DSA-ME", "trial": 2}]}}, "has no max_health_difference that is a number"),
        ({"games": -1}, "is not a result of this item .games"),
        ({"runs": []}, "is not a result of this item .runs"),
    ],
)
def test_a_damaged_result_is_refused_in_one_line(
    study: Study, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    runs = some(study.runs, 1)
    file = result_file(tmp_path, runs, TrialTable(algorithms=ALL).report(replace(study, runs=runs)), **changes)
    with pytest.raises(RunError, match=message) as refused:
        check_joined(TABLE, some(study.runs, 0), file)
    assert "\n" not in str(refused.value)


def test_a_result_that_lacks_rows_of_a_trial_is_refused(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    rows = CURVES.report(replace(study, runs=runs)).rows

    def refused(message: str, **changes: Any) -> None:
        file = result_file(tmp_path, runs, Report({}, ()), rows={**rows, **changes})
        with pytest.raises(RunError, match=message):
            check_joined(CURVES, some(study.runs, 0), file)

    refused("trial 2 of DSA-ME is in some of its tables, but not curves", curves=[])
    refused("is in some of its tables, but not above", above=rows["above"][: len(rows["above"]) // 2])
    refused("does not have the health differences of above here", above=rows["above"][:-1])


def test_a_missing_number_and_an_unknown_algorithm_are_named(study: Study, tmp_path: Path) -> None:
    runs = some(study.runs, 1)
    rows = TrialTable(algorithms=ALL).report(replace(study, runs=runs)).rows
    trials = [{key: value for key, value in row.items() if key != FRESH_QD} for row in rows["trials"]]
    with pytest.raises(RunError, match=f"row 1 of trials has no {FRESH_QD} that is a number"):
        check_joined(TABLE, some(study.runs, 0), result_file(tmp_path, runs, Report({}, ()), rows={"trials": trials}))
    trials = [{**row, "algorithm": "another"} for row in rows["trials"]]
    with pytest.raises(RunError, match="there is no algorithm 'another' here"):
        check_joined(TABLE, some(study.runs, 0), result_file(tmp_path, runs, Report({}, ()), rows={"trials": trials}))


def test_further_runs_of_a_series_have_the_seeds_that_they_would_have_in_one() -> None:
    whole = Series(trial_config("map-elites", SEARCH, seed=3), repeat=5)
    some_of_it = Series(trial_config("map-elites", SEARCH, seed=3), repeat=2, first=4)
    assert some_of_it.configs() == whole.configs()[3:]
    assert [config.name for config in some_of_it.configs()] == ["map-elites-4", "map-elites-5"]
    assert some_of_it.to_json()["first"] == 4
