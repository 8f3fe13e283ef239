"""The kinds of reports, on games whose outcome is known beforehand: the stronger wins."""

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.papers.active_genes.champions import Champions
from deckatlas.papers.active_genes.correlation import Correlation
from deckatlas.papers.active_genes.curve import PanelCurve
from deckatlas.papers.active_genes.league import League
from helpers.searches import courses_of
from helpers.studies import fake_run, fake_study

NAMED = {"H_1": "icebox", "H_2": "closetai"}


# ---- the league ------------------------------------------------------------------------------------------------------

# Two runs of A with two players each, one run of B; H_1 is stronger than all, H_2 weaker.
LEAGUE = League(bests=2, drafts=3, games=2, repetitions=2, named=NAMED)
STUDY = {"A": [fake_run([5, 3]), fake_run([4, 2])], "B": [fake_run([3.5, 1])]}


def test_a_league_counts_every_pair_of_different_groups_in_both_seats() -> None:
    study = fake_study(STUDY, named=(9, 0))
    cells = {(row["group"], row["against"]): row for row in LEAGUE.report(study).rows["cells"]}
    # Two repetitions x three drafts x four games for every pair of players.
    games = {("A", "B"): 4 * 2 * 24, ("A", "H_1"): 4 * 24, ("H_1", "H_2"): 24}
    for pair, count in games.items():
        assert cells[pair]["games"] == count
    # Of A's players 5 and 4 beat both of B, 3 and 2 only the one of strength 1.
    assert cells["A", "B"]["won"] == 6 * 24
    assert cells["A", "B"]["percent"] == 75
    assert (cells["H_1", "A"]["percent"], cells["H_2", "B"]["percent"]) == (100, 0)
    (ask,) = study.asks
    assert ask.games == sum(row["games"] for row in cells.values()) // 2


def test_the_table_of_a_league_is_antisymmetric() -> None:
    rows = LEAGUE.report(fake_study(STUDY, named=(9, 0))).rows["cells"]
    cells = {(row["group"], row["against"]): row for row in rows}
    assert len(cells) == 4 * 3
    for (one, other), cell in cells.items():
        mirrored = cells[other, one]
        assert cell["won"] + mirrored["won"] == cell["games"] == mirrored["games"]
        assert cell["percent"] + mirrored["percent"] == pytest.approx(100)
        assert cell["deviation"] == pytest.approx(mirrored["deviation"])


def test_an_average_is_over_the_groups_that_are_averaged() -> None:
    league = LEAGUE.model_copy(update={"averaged": ("A", "B", "H_2")})
    averages = {row["group"]: row["percent"] for row in league.report(fake_study(STUDY, named=(9, 0))).rows["averages"]}
    assert averages == {"A": (75 + 100) / 2, "B": (25 + 100) / 2, "H_1": 100, "H_2": 0}


def test_whom_a_group_is_a_variant_of_is_not_in_its_average() -> None:
    league = LEAGUE.model_copy(update={"averaged": ("A", "B", "H_2"), "variants": {"B": "A"}})
    report = league.report(fake_study(STUDY, named=(9, 0)))
    averages = {row["group"]: row["percent"] for row in report.rows["averages"]}
    assert averages == {"A": (75 + 100) / 2, "B": 100, "H_1": 100, "H_2": 0}
    assert report.notes[-1].endswith("; A is not in the average of B.")


def test_named_players_can_meet_on_more_drafts() -> None:
    league = LEAGUE.model_copy(update={"drafts_one_named": 5, "drafts_two_named": 40})
    rows = league.report(fake_study(STUDY, named=(9, 0))).rows["cells"]
    games = {(row["group"], row["against"]): row["games"] for row in rows}
    assert games["A", "B"] == 8 * 2 * 3 * 4
    assert games["A", "H_2"] == 4 * 2 * 5 * 4
    assert games["H_1", "H_2"] == 2 * 40 * 4


def test_every_repetition_of_a_league_has_drafts_of_its_own() -> None:
    study = fake_study(STUDY, named=(9, 0))
    LEAGUE.report(study)
    drafts = np.concatenate([np.unique(course.draft_seeds) for course in courses_of(study.asks[0])])
    assert len(drafts) == len(np.unique(drafts))


def test_published_numbers_stand_beside_ours() -> None:
    published = {"A": {"B": [51.0, 0.5], "Average": [52.0, 0.25]}}
    report = LEAGUE.report(fake_study(STUDY, named=(9, 0), published=published))
    (cell,) = (row for row in report.rows["cells"] if (row["group"], row["against"]) == ("A", "B"))
    assert (cell["published"], cell["published_deviation"]) == (51.0, 0.5)
    assert any("(52.00 ± 0.25)" in row for row in report.tables[0].rows)


# ---- curves and correlations -----------------------------------------------------------------------------------------


def test_a_curve_rates_the_best_of_generations_over_runs() -> None:
    # The panel: a player of strength 0.5 and one of 2.
    runs = {"A": [fake_run([0.1, 0], [1, 0.2], [3, 3]), fake_run([0.1, 0], [1, 1], [3, 1])], "B": [fake_run([3, 3])]}
    curve = PanelCurve(bests=2, drafts=2, games=1, points=3, random_players=0, named=NAMED)
    rows = curve.report(fake_study(runs, named=(0.5, 2))).rows
    of_a = [(row["generation"], row["games"], row["percent"]) for row in rows["curve"] if row["runs_of"] == "A"]
    assert of_a == [(0, 100, 0), (1, 200, (25 + 50) / 2), (2, 300, (100 + 75) / 2)]
    last = next(row for row in rows["generations"] if (row["run"], row["generation"]) == (2, 2))
    assert (last["H_1"], last["H_2"], last["percent"], last["n"]) == (100, 50, 75, 2 * 2 * 2 * 2)
    (of_b,) = (row for row in rows["curve"] if row["runs_of"] == "B")
    assert (of_b["runs"], of_b["low"], of_b["high"]) == (1, None, None)


def test_a_correlation_plays_on_the_runs_own_drafts_and_on_fresh_ones() -> None:
    runs = {"A": [fake_run([0], [1], [3], drafts=(7, 8)), fake_run([0], [1], [1], drafts=(9,))]}
    study = fake_study(runs, named=(0.5, 2))
    correlation = Correlation(bests=1, drafts=3, games=1, points=3, random_players=0, named=NAMED, samples=100)
    rows = correlation.report(study).rows
    assert [(row["training"], row["fresh"]) for row in rows["points"]] == [(p, p) for p in (0, 50, 100, 0, 50, 50)]
    (found,) = rows["correlations"]
    assert (found["pearson"], found["spearman"], found["slope"]) == pytest.approx((1, 1, 1))
    own, other, fresh = (set(course.draft_seeds.tolist()) for course in courses_of(study.asks[0]))
    assert (own, other, len(fresh)) == ({7, 8}, {9}, 3)


def test_a_panel_needs_somebody() -> None:
    with pytest.raises(ValueError, match="a panel needs named players or random_players"):
        PanelCurve(random_players=0)


# ---- champions -------------------------------------------------------------------------------------------------------


def test_champions_meet_the_best_of_every_few_generations() -> None:
    run = fake_run([0, 0], [1, 1], [2, 0], [3, 3], [4, 4])
    champions = Champions(champion_step=2, step=2, bests=2, blocks=2)
    report = champions.report(fake_study({"A": [run]}))
    rows = report.rows["champions"]
    percent = {(row["champion"], row["generation"]): row["percent"] for row in rows}
    assert set(percent) == {(one, other) for one in (0, 2, 4) for other in (0, 2, 4)}
    assert (percent[4, 0], percent[4, 2], percent[0, 4], percent[0, 0]) == (100, 100, 0, 50)
    # Of generation 2, the player of strength 2 beats both of generation 0, and that of strength 0 shares with both.
    assert percent[2, 0] == 75
    assert {row["n"] for row in rows} == {4 * 2 * 4}  # pairs x seats x drafts
    # Against generations 0, 2 and 4: 50, 25 and 0; 75, 50 and 0; 100, 100 and 50. All blocks are alike.
    first, *later = report.rows["means"]
    assert (first["percent"], first["more"]) == (25, None)
    assert [row["percent"] for row in later] == pytest.approx([125 / 3, 250 / 3])
    assert [row["more"] for row in later] == pytest.approx([50 / 3, 125 / 3])


def test_champions_come_from_one_run() -> None:
    with pytest.raises(RunError, match="repeat = 1"):
        Champions().report(fake_study({"A": [fake_run([1]), fake_run([1])]}))
