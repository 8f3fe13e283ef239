"""The kinds of reports made of maps, on small maps of decks that random pilots play."""

from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.experiments.findings import FAILS, HOLDS, UNDECIDED, Claim, Finding
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.papers.mesb.correlation import ManaCorrelation
from deckatlas.papers.mesb.curves import MapCurves
from deckatlas.papers.mesb.decks import EliteDecks
from deckatlas.papers.mesb.density import DensityReport, distance, reached
from deckatlas.papers.mesb.elites import Elites
from deckatlas.papers.mesb.maps import MANA, VARIANCE, MapReport, drawn_at_random
from deckatlas.papers.mesb.pools import Pools
from deckatlas.papers.mesb.suite_table import SuiteTable
from deckatlas.papers.mesb.table import DeckTable
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_of
from deckatlas.runs.view import open_run
from deckatlas.search.exact import distribution
from deckatlas.search.log import Log
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import difference, mean_interval
from helpers.map_reports import DECKS, by, check_drawn, map_config, views_of

# ---- what all of them share ------------------------------------------------------------------------------------------


def test_runs_that_are_repeated_are_told_apart_by_their_numbers(study: Study) -> None:
    assert list(Elites().views(study)) == ["hunter-1", "hunter-2", "paladin", "warlock"]
    assert list(Elites(maps=("paladin",)).views(study)) == ["paladin"]


@pytest.mark.parametrize("kind", [Elites(), DensityReport(), MapCurves(), ManaCorrelation(), EliteDecks(), DeckTable()])
def test_a_report_of_maps_needs_maps(kind: MapReport, study: Study) -> None:
    with pytest.raises(RunError, match="maps"):
        kind.report(replace(study, runs={}))


@pytest.mark.parametrize(
    "kind",
    [
        Elites(),
        DensityReport(maps=("paladin",)),
        MapCurves(),
        ManaCorrelation(),
        EliteDecks(),
        DeckTable(games=2),
        SuiteTable(games=2),
        Pools(),
    ],
    ids=lambda kind: str(kind.kind),
)
def test_a_report_has_the_same_numbers_every_time_and_draws_them(kind: Any, study: Study, tmp_path: Path) -> None:
    report = kind.report(study)
    assert kind.report(study).rows == report.rows
    check_drawn(report, tmp_path)


def test_a_claim_is_decided_where_its_interval_is_on_one_side() -> None:
    def verdict(low: float, high: float, side: Any = "above") -> str:
        return Claim("a claim", "%", Estimate((low + high) / 2, low, high, 5), side, mark=50).verdict

    assert (verdict(50.1, 60), verdict(40, 49.9), verdict(49, 51)) == (HOLDS, FAILS, UNDECIDED)
    assert (verdict(50.1, 60, "below"), verdict(40, 49.9, "below")) == (FAILS, HOLDS)
    assert Claim("a claim", "%", Estimate.without_ends(60, 1), mark=50).verdict == UNDECIDED


def test_a_finding_holds_if_all_of_it_does() -> None:
    yes, no, who_knows = (Claim("", "", Estimate(value, value - 1, value + 1, 5)) for value in (2.0, -2.0, 0.0))
    assert Finding("", (yes, yes)).verdict == HOLDS
    assert Finding("", (yes, who_knows)).verdict == UNDECIDED
    assert Finding("", (yes, who_knows, no)).verdict == FAILS


@pytest.mark.parametrize("kind", [DeckTable(games=2), Elites(), MapCurves(), ManaCorrelation(samples=20)])
def test_a_report_without_anything_published_has_no_findings(kind: MapReport, study: Study) -> None:
    assert "findings" not in kind.report(study).rows


def test_a_report_closes_with_findings_and_says_what_maps_have_played(study: Study) -> None:
    published = {"low_mana": {"cheap is good": ["paladin"]}, "budget": {"evaluations": 10_000, "games": 200}}
    report = ManaCorrelation(samples=20).report(replace(study, published=published))
    last = report.tables[-1].rows[-1]
    assert last[0].startswith("FINDING: cheap is good (elites)")
    assert last[-1] in (HOLDS, FAILS, UNDECIDED)
    assert report.notes[0] == (
        "Budget: 50 evaluations of 6 games or 60 evaluations of 6 games per map, 1 or 2 runs of each; "
        "in the paper 10,000 of 200."
    )


# ---- where decks are -------------------------------------------------------------------------------------------------


def test_the_best_elites_are_summed_up_beside_all(study: Study) -> None:
    report = Elites(best_share=0.25).report(study)
    view = views_of(study)["paladin-1"]
    elites = view.archive.elites
    row = by(report.rows["maps"], "map")["paladin"]
    assert (row["elites"], row["best_elites"]) == (len(elites), round(0.25 * len(elites)))
    mana = np.asarray(view.log.column(MANA))[elites]
    best = np.argsort(-view.archive.objectives[elites], kind="stable")[: row["best_elites"]]
    assert row[f"{MANA}_of_all"] == pytest.approx(mana.mean())
    assert row[f"{MANA}_of_best"] == pytest.approx(mana[best].mean())
    assert sum(each["map"] == "paladin" for each in report.rows["elites"]) == len(elites)
    told = mean_interval(mana)
    assert (row[f"{MANA}_of_all_low"], row[f"{MANA}_of_all_high"]) == (told.low, told.high)


def test_mana_costs_are_told_by_strategy(study: Study) -> None:
    rows = Elites(best_share=0.25).report(study).rows
    (line,) = rows["strategies"]
    maps = rows["maps"]
    assert (line["pilot"], line["maps"], line["elites"]) == ("random", 4, sum(row["elites"] for row in maps))
    key = f"{MANA}_of_all"
    assert line[key] == pytest.approx(np.mean([row[key] for row in maps]))
    halves = [row[key] - row[f"{key}_low"] for row in maps]
    assert line[key] - line[f"{key}_low"] == pytest.approx(np.sqrt(np.sum(np.square(halves))) / 4)


def test_low_mana_costs_are_held_to_intervals(study: Study) -> None:
    published = {
        "low_mana": {"cheap is good": ["hunter", "paladin", "rogue"]},
        "lower_mana": {"paladins are cheap": {"paladin": ["warlock", "rogue"]}},
    }
    rows = Elites(best_share=0.25).report(replace(study, published=published)).rows
    maps, found = by(rows["maps"], "map"), by(rows["findings"], "claim", "measure")
    best, others = (maps["paladin"][f"{MANA}_{part}"] for part in ("of_best", "of_others"))
    assert found["paladin: the best cost less", "mana, best - others"]["found"] == pytest.approx(best - others)
    two = [maps[f"hunter-{run}"][f"{MANA}_of_best"] - maps[f"hunter-{run}"][f"{MANA}_of_others"] for run in (1, 2)]
    assert found["hunter: the best cost less", "mana, best - others"]["found"] == pytest.approx(np.mean(two))
    gap = maps["paladin"][f"{MANA}_of_all"] - maps["warlock"][f"{MANA}_of_all"]
    assert found["paladin < warlock", "mana of all elites"]["found"] == pytest.approx(gap)
    assert {row["claimed"] for row in rows["findings"]} == {"below 0"}


def test_dear_elites_with_high_and_low_variance_are_compared(study: Study) -> None:
    published = {"high_variance": {"variance helps": ["paladin", "hunter"]}}
    rows = Elites(samples=20).report(replace(study, published=published)).rows
    view = views_of(study)["paladin-1"]
    elites = view.archive.elites
    mana, variance = (np.asarray(view.log.column(name))[elites] for name in (MANA, VARIANCE))
    quality = view.archive.objectives[elites]
    dear = np.argsort(mana, kind="stable")[-(len(elites) // 3) :]
    dear = dear[np.argsort(variance[dear], kind="stable")]
    low, high = np.array_split(quality[dear], 2)
    found = by(rows["findings"], "claim")["paladin: dear decks need variance"]
    told = difference(mean_interval(high), mean_interval(low))
    assert (found["found"], found["found_low"], found["claimed"]) == (
        pytest.approx(told.value),
        pytest.approx(told.low),
        "above 0",
    )
    dear_rows = [row for row in rows["thirds"] if row["third"] == "dear" and row["map"].startswith("hunter")]
    both = np.mean([row["high_variance"] - row["low_variance"] for row in dear_rows])
    hunter = by(rows["findings"], "claim")["hunter: dear decks need variance"]
    assert hunter["found"] == pytest.approx(both)  # a name that is repeated stands for all of its runs


def test_elites_are_strong_across_mana_if_each_third_wins(study: Study) -> None:
    published = {"across_mana": {"strong everywhere": ["paladin"]}}
    rows = Elites(samples=20).report(replace(study, published=published)).rows
    thirds = [row for row in rows["thirds"] if row["map"] == "paladin"]
    elites = views_of(study)["paladin-1"].archive.elites
    assert [row["third"] for row in thirds] == ["cheap", "middle", "dear"]
    assert sum(row["elites"] for row in thirds) == len(elites)
    assert thirds[0]["mana_to"] <= thirds[1]["mana_from"] <= thirds[1]["mana_to"] <= thirds[2]["mana_from"]
    rates = 100 * np.asarray(views_of(study)["paladin-1"].log.column("win_rate"))[elites]
    assert np.average([row["win_rate"] for row in thirds], weights=[row["elites"] for row in thirds]) == pytest.approx(
        rates.mean()
    )
    found = by(rows["findings"], "claim")
    assert [found[f"paladin: {row['third']} elites win"]["found"] for row in thirds] == [
        row["win_rate"] for row in thirds
    ]
    assert {row["claimed"] for row in rows["findings"]} == {"above 50"}


def test_maps_are_compared_by_how_much_mana_matters(study: Study) -> None:
    published = {
        "weaker": {"costs matter less": {"paladin": ["warlock"]}},
        "alike": {"two are alike": {"of": {"paladin": ["hunter"]}, "than": {"warlock": ["hunter", "rogue"]}}},
    }
    rows = Elites(samples=20).report(replace(study, published=published)).rows
    r = {name: row["mana_r"] for name, row in by(rows["maps"], "map").items()}
    view = views_of(study)["paladin-1"]
    elites = view.archive.elites
    mana = np.asarray(view.log.column(MANA))[elites]
    assert r["paladin"] == pytest.approx(np.corrcoef(mana, view.archive.objectives[elites])[0, 1])
    hunter = (r["hunter-1"] + r["hunter-2"]) / 2
    weaker, alike = rows["findings"]
    assert (weaker["found"], weaker["claimed"]) == (pytest.approx(r["paladin"] - r["warlock"]), "above 0")
    less = abs(r["paladin"] - hunter) - abs(r["warlock"] - hunter)
    assert (alike["found"], alike["claimed"]) == (pytest.approx(less), "below 0")
    assert alike["claim"] == "paladin is more like hunter than warlock is like hunter"


def test_densities_are_shares_of_the_same_bins(study: Study) -> None:
    report = DensityReport(maps=("paladin",)).report(study)
    bins, (row,) = report.rows["bins"], report.rows["maps"]
    assert sum(each["evaluated"] for each in bins) == pytest.approx(1)
    assert 0.9998 < sum(each["legal"] for each in bins) <= 1 + 1e-9
    assert row["reached"] == pytest.approx(100 * sum(each["legal"] for each in bins if each["evaluated"] > 0))
    legal = distribution(HearthstoneDecks("paladin", pool_name="evosabber"), "deck_mana_sum")
    (some,) = [each for each in bins if each["evaluated"] == max(other["evaluated"] for other in bins)][:1]
    within = (legal.sum > some["deck_mana_sum_from"]) & (legal.sum < some["deck_mana_sum_to"])
    within &= (legal.variance >= some["deck_mana_variance_from"]) & (legal.variance < some["deck_mana_variance_to"])
    assert some["legal"] == pytest.approx(legal.share[within].sum())
    assert row["legal"] == str(
        sum(comb(149, k) * comb(149 - k, s) * comb(23, 30 - 2 * k - s) for k in range(16) for s in range(31 - 2 * k))
    )


def test_densities_that_are_the_same_are_at_no_distance() -> None:
    one, other = np.array([[0.5, 0.5], [0.0, 0.0]]), np.array([[0.0, 0.5], [0.5, 0.0]])
    assert (distance(one, one), distance(one, other)) == (0, 0.5)
    assert (reached(one, one), reached(one, other)) == (1, 0.5)


# ---- over time, and with mana ----------------------------------------------------------------------------------------


def test_curves_end_with_the_elites_of_the_finished_map(study: Study) -> None:
    report = MapCurves(points=7, sets={"a": ("hunter",), "b": ("paladin",)}).report(study)
    for name, run, view in (("paladin", 1, "paladin-1"), ("hunter", 2, "hunter-2")):
        own = [row for row in report.rows["curves"] if (row["map"], row["run"]) == (name, run)]
        rates = 100 * np.asarray(views_of(study)[view].log.column("win_rate"))
        elites = rates[views_of(study)[view].archive.elites]
        assert (own[-1]["best"], own[-1]["mean"]) == (elites.max(), pytest.approx(elites.mean()))
        assert [row["evaluations"] for row in own] == sorted({row["evaluations"] for row in own})
    assert {row["set"] for row in report.rows["last"]} == {"a", "b"}
    last = by(report.rows["last"], "map")
    assert (last["hunter"]["runs"], last["paladin"]["best_low"]) == (2, None)
    elites = 100 * np.asarray(views_of(study)["paladin-1"].log.column("win_rate"))
    told = mean_interval(elites[views_of(study)["paladin-1"].archive.elites])
    assert (last["paladin"]["mean_low"], last["paladin"]["mean_high"]) == (told.low, told.high)


def test_win_rates_are_held_to_what_was_published(study: Study) -> None:
    published = {"worst": ["paladin"], "lower": {"b is hard": {"b": ["a"]}}}
    sets = {"a": ("hunter",), "b": ("paladin", "warlock")}
    rows = MapCurves(points=5, sets=sets).report(replace(study, published=published)).rows
    last, found = by(rows["last"], "map"), by(rows["findings"], "claim")
    ahead = last["warlock"]["mean"] - last["paladin"]["mean"]
    assert found["warlock wins more"]["found"] == pytest.approx(ahead)
    less = (last["paladin"]["mean"] + last["warlock"]["mean"]) / 2 - last["hunter"]["mean"]
    assert found["b: less than a"]["found"] == pytest.approx(less)
    assert set(found) == {"warlock wins more", "b: less than a"}  # nobody of another set is worse or better


def test_rising_win_rates_are_held_to_intervals(study: Study) -> None:
    rows = MapCurves(points=100).report(replace(study, published={"rises": ["best", "mean"]})).rows
    found, last = by(rows["findings"], "claim", "finding"), by(rows["last"], "map")
    assert len(found) == 2 * 3
    for name in ("best", "mean"):
        finding = f"the {name} win rate of elites rises over the search"
        for run in ("hunter", "paladin", "warlock"):
            rise = found[f"{run} rises", finding]
            if run != "hunter":  # of whose runs one is shorter
                assert rise["found"] == pytest.approx(last[run][name] - last[run][f"{name}_at_a_tenth"])
            assert rise["found_low"] <= rise["found"] <= rise["found_high"]
            assert rise["claimed"] == "above 0"
    view = views_of(study)["paladin-1"]
    rates = 100 * np.asarray(view.log.column("win_rate"))
    ((_, early), *_) = view.archives(10)
    told = difference(mean_interval(rates[view.archive.elites]), mean_interval(rates[early.elites]))
    of_mean = found["paladin rises", "the mean win rate of elites rises over the search"]
    assert (of_mean["found_low"], of_mean["found_high"]) == (pytest.approx(told.low), pytest.approx(told.high))


def test_candidates_without_parents_are_not_taken_for_random(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    told = ManaCorrelation(samples=20).report(study).rows
    monkeypatch.setattr(Log, "parents", property(lambda log: np.full(len(log), -1)))
    assert ManaCorrelation(samples=20).report(study).rows == told
    assert by(told["correlations"], "map", "decks")["paladin", "drawn at random"]["n"] == 20


@pytest.mark.parametrize(
    ("search", "random"),
    [
        ({"algorithm": "map-elites", "initial": 7, "window": 4}, 7),
        ({"algorithm": "map-elites", "initial": 3, "window": 9}, 9),
        ({"algorithm": "random-solutions"}, 30),
        ({"algorithm": "mu-plus-lambda", "parents": 5, "offspring": 4}, 5),
    ],
    ids=lambda value: str(value.get("algorithm")) if isinstance(value, dict) else "",
)
def test_random_solutions_are_those_that_a_search_begins_with(search: Any, random: int, tmp_path: Path) -> None:
    values = map_config("any", "hunter").to_json() | {"search": {"evaluations": 30, **search}}
    execute(config_of(Document("a test", values)), tmp_path / "any.db", threads=1)
    view = open_run(tmp_path / "any.db")
    assert drawn_at_random(view).tolist() == np.flatnonzero(view.log.parents < 0).tolist() == list(range(random))


def test_correlations_are_told_for_decks_drawn_at_random_apart(study: Study) -> None:
    rows = by(ManaCorrelation(samples=50).report(study).rows["correlations"], "map", "decks")
    view = views_of(study)["paladin-1"]
    mana, health = (np.asarray(view.log.column(name)) for name in (MANA, "avg_health_diff"))
    first = rows["paladin", "drawn at random"]
    assert first["n"] == 20
    assert first["mana_r"] == pytest.approx(np.corrcoef(mana[:20], health[:20])[0, 1])
    every, elites = rows["paladin", "evaluated"], rows["paladin", "elites"]
    assert (every["n"], every["mana_r_low"]) == (DECKS, None)
    assert every["mana_slope"] == pytest.approx(np.polyfit(mana, health, 1)[0])
    assert elites["n"] == len(view.archive)
    assert elites["mana_r_low"] <= elites["mana_r"] <= elites["mana_r_high"]


def test_correlations_are_held_to_what_was_published(study: Study) -> None:
    published = {"low_mana": {"cheap is good": ["paladin"]}, "stronger": {"for some": {"paladin": ["warlock"]}}}
    rows = ManaCorrelation(samples=50).report(replace(study, published=published)).rows
    told, found = by(rows["correlations"], "map", "decks"), by(rows["findings"], "claim", "measure")
    for sample in ("drawn at random", "elites"):
        one, other = told["paladin", sample], told["warlock", sample]
        claim = found["paladin: cheap decks do better", f"r, {sample}"]
        assert (claim["found"], claim["found_high"]) == (one["mana_r"], one["mana_r_high"])
        gap = found["paladin: more so than warlock", f"difference of r, {sample}"]
        assert gap["found"] == pytest.approx(one["mana_r"] - other["mana_r"])
        squares = (one["mana_r_high"] - one["mana_r"]) ** 2 + (other["mana_r"] - other["mana_r_low"]) ** 2
        assert gap["found_high"] - gap["found"] == pytest.approx(squares**0.5)


# ---- decks and pools -------------------------------------------------------------------------------------------------


def test_deck_lists_are_of_30_cards_and_shares_count_elites(study: Study) -> None:
    share = {"Sunwalker": 99.0}
    report = EliteDecks(decks=2, maps=("paladin",)).report(replace(study, published={"share": {"paladin": share}}))
    assert [line[0] for line in report.tables[2].rows] == ["paladin", "paladin"]
    for row in report.rows["elites"]:
        assert sum(int(entry.split()[0]) for entry in row["cards"].split(", ")) == 30
    view = views_of(study)["paladin-1"]
    space = HearthstoneDecks("paladin", pool_name="evosabber")
    (sunwalker,) = [place for place, card in enumerate(space.ids) if space.edition.by_id[card].name == "Sunwalker"]
    having = (view.log.solutions[view.archive.elites][:, sunwalker] > 0).mean()
    row = by(report.rows["cards"], "card")["Sunwalker"]
    assert row["share"] == pytest.approx(100 * having)
    assert row["published"] == 99
    (line,) = [line for line in report.tables[0].rows if line[0] == "Sunwalker"]
    assert line[1].endswith(" (99.0)")


def test_a_card_that_does_not_exist_was_not_published() -> None:
    published = {"share": {"paladin": {"Sunwaker": 99.0}}}
    (complaint,) = EliteDecks().complaints(published, ["paladin"])
    assert "did you mean 'Sunwalker'?" in complaint.text


def test_the_number_of_decks_stands_beside_the_published_one(study: Study) -> None:
    report = Pools(pools=("evosabber",)).report(replace(study, published={"decks": 1.42e35}))
    rows = by(report.rows["pools"], "class")
    assert len(rows) == 9
    assert (rows["warlock"]["cards"], rows["warlock"]["legendary_cards"]) == (171, 23)
    assert rows["warlock"]["times_published"] == pytest.approx(1, abs=0.003)
    of_warlock = [int(row["decks"]) for row in report.rows["costs"] if row["class"] == "warlock"]
    assert sum(of_warlock) == int(rows["warlock"]["decks"])
