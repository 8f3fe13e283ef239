"""The report on cards before and after a patch, on small maps of decks that random pilots play."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.experiment import Experiment
from deckatlas.experiments.findings import FAILS, HOLDS, UNDECIDED
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.papers.kinds import read_item
from deckatlas.papers.mesb.balance import CardBalance, PatchedArchetype
from deckatlas.papers.mesb.balance_trials import deck_rows, decks_of_rows, space_of
from deckatlas.papers.mesb.card_choice import CardChoice
from deckatlas.papers.mesb.curves import MapCurves
from deckatlas.papers.mesb.maps import SUM, VARIANCE
from deckatlas.runs.loop import execute
from deckatlas.runs.view import RunView
from helpers.joined_results import check_joined, result_file, some
from helpers.map_reports import by, check_drawn, map_config, study_of
from helpers.placed_decks import placed

CLASSES = ("hunter", "paladin")
TRIALS = (1, 2)
PATCH = 'name = "dear"\nbase = "2018-12"\n[cards.Sunwalker]\ncost = 9\n[cards."Young Priestess"]\ncost = 4\n'
CARDS = ("Sunwalker", "Young Priestess", "Explosive Shot")
REPORT = CardBalance(
    archetypes={name: PatchedArchetype(before=f"{name}-old", after=f"{name}-new") for name in CLASSES},
    cards=CARDS,
    points=3,
)
SHIPPED = Path(__file__).parents[2] / "experiments" / "mesb"

Runs = dict[str, tuple[FinishedRun, ...]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Maps of hunters and paladins, two trials each, without and with a patch."""
    folder = tmp_path_factory.mktemp("patched")
    found: Runs = {}
    for name in CLASSES:
        for side, patch in (("old", ""), ("new", PATCH)):
            for trial in TRIALS:
                config = map_config(f"{name}-{side}-{trial}", name, space={"patch": patch}, search={"evaluations": 40})
                config = config.model_copy(update={"seed": trial})
                execute(config, folder / f"{config.name}.db", threads=1)
                run = FinishedRun(config, folder / f"{config.name}.db")
                found[f"{name}-{side}"] = (*found.get(f"{name}-{side}", ()), run)
    return found


@pytest.fixture
def patched(runs: Runs, tmp_path: Path) -> Study:
    return study_of(runs, tmp_path)


def views(runs: Runs, name: str) -> list[RunView]:
    return [run.view for run in runs[name]]


def findings(study: Study, published: Mapping[str, Any], report: CardBalance = REPORT) -> dict[Any, Any]:
    return by(report.report(replace(study, published=published)).rows["findings"], "claim", "measure")


def test_trials_of_a_pair_begin_with_the_same_decks_at_other_costs(runs: Runs) -> None:
    for old, new in zip(views(runs, "hunter-old"), views(runs, "hunter-new"), strict=True):
        first = slice(20)  # those drawn at random
        assert np.array_equal(old.log.solutions[first], new.log.solutions[first])
        assert not np.array_equal(old.log.column(SUM)[first], new.log.column(SUM)[first])


def test_a_share_is_that_of_elites_on_average_over_trials(patched: Study, runs: Runs) -> None:
    rows = by(REPORT.report(patched).rows["cards"], "card", "archetype")
    assert len(rows) == len(CARDS) * len(CLASSES)
    row = rows["Young Priestess", "paladin"]
    for side, name in (("before", "paladin-old"), ("after", "paladin-new")):
        shares = [100 * placed(view, SUM, VARIANCE).inclusion("Young Priestess") for view in views(runs, name)]
        assert row[side] == pytest.approx(np.mean(shares))
        assert 0 <= row[f"{side}_low"] <= row[side] <= row[f"{side}_high"] <= 100
    assert row["change"] == pytest.approx(row["after"] - row["before"])
    assert row["trials"] == len(TRIALS)


def test_a_cross_marks_rare_cards_and_a_dash_those_of_other_classes(patched: Study) -> None:
    published = {"before": {"hunter": {"Sunwalker": 99.0}}, "after": {"paladin": {"Sunwalker": 28.8}}}
    report = REPORT.report(replace(patched, published=published))
    rows = by(report.rows["cards"], "card", "archetype")
    rare = sorted(row["before"] for row in rows.values())[len(rows) // 2]  # so that there are both
    report = REPORT.model_copy(update={"rare": rare}).report(replace(patched, published=published))
    before, after = (
        by([dict(zip(table.columns, row, strict=True)) for row in table.rows], "card") for table in report.tables[1:3]
    )
    for (card, name), row in rows.items():
        shown = before[card][name].partition(" ")[0]
        if (card, name) == ("Explosive Shot", "paladin"):
            assert shown == "–"  # noqa: RUF001
        else:
            assert shown == ("×" if row["before"] <= rare else f"{row['before']:.1f}")  # noqa: RUF001
    assert before["Sunwalker"]["hunter"].endswith(" (99.0)")
    assert before["Sunwalker"]["paladin"].endswith(" (×)")  # noqa: RUF001 - rare in the paper, too
    assert after["Sunwalker"]["paladin"].endswith(" (28.8)" if rare < 28.8 else " (×)")  # noqa: RUF001
    assert "(" not in after["Sunwalker"]["hunter"]  # not in the text


def test_claims_about_shares_are_held_to_intervals_over_trials(patched: Study) -> None:
    chosen = {"Sunwalker": ["hunter", "paladin"]}
    keys = ("common_before", "rare_after", "common_after", "in_all_after", "more", "fewer")
    published = {key: {f"title of {key}": chosen} for key in keys}
    report = REPORT.report(replace(patched, published=published))
    cards = by(report.rows["cards"], "card", "archetype")
    assert {row["finding"] for row in report.rows["findings"]} == {f"title of {key}" for key in keys}
    expected = {
        "common_before": ("before", "above 25"),
        "rare_after": ("after", "below 25"),
        "common_after": ("after", "above 25"),
        "in_all_after": ("after", "above 99"),
        "more": ("change", "above 0"),
        "fewer": ("change", "below 0"),
    }
    for row in report.rows["findings"]:
        column, claimed = expected[row["finding"].removeprefix("title of ")]
        own = cards["Sunwalker", row["claim"].split(" in ")[1].partition(":")[0]]
        assert (row["found"], row["found_low"], row["claimed"]) == (own[column], own[f"{column}_low"], claimed)
        side, mark = claimed.split()
        above, below = row["found_low"] > float(mark), row["found_high"] < float(mark)
        holds, fails = (above, below) if side == "above" else (below, above)
        assert row["verdict"] == (HOLDS if holds else FAILS if fails else UNDECIDED)


def test_cards_in_one_or_two_archetypes_are_counted_trial_by_trial(patched: Study, runs: Runs) -> None:
    report = REPORT.model_copy(update={"rare": 10.0})
    found = findings(patched, {"in_few_before": {"few": ["Sunwalker", "Explosive Shot"]}}, report)
    shares = []
    for trial in range(len(TRIALS)):
        common = [
            sum(100 * placed(views(runs, f"{name}-old")[trial], SUM).inclusion(card) > 10 for name in CLASSES)
            for card in ("Sunwalker", "Explosive Shot")
        ]
        shares.append(100 * np.mean([count in (1, 2) for count in common]))
    assert found["most of 2 cards are in one or two archetypes", "cards, %"]["found"] == pytest.approx(np.mean(shares))


def test_where_a_card_moves_is_a_shift_of_the_cells_that_play_it(patched: Study, runs: Runs) -> None:
    ways = {"Young Priestess": {"paladin": {"mana": "higher", "variance": "lower"}}}
    found = findings(patched, {"moves": {"a": ways}, "apart": {"b": ways}})
    shifts: dict[str, list[float]] = {name: [] for name in ("plain", "seen", "apart")}
    for old, new in zip(views(runs, "paladin-old"), views(runs, "paladin-new"), strict=True):
        (before, whole_before, _), (after, whole, others) = (
            (
                placed(view, SUM, VARIANCE).centroid_with("Young Priestess")[0],
                view.log.column(SUM)[view.archive.elites].mean(),
                placed(view, SUM, VARIANCE).centroid(~placed(view, SUM, VARIANCE).having("Young Priestess"))[0],
            )
            for view in (old, new)
        )
        shifts["plain"].append(after - before)
        shifts["seen"].append(after - whole - (before - whole_before))
        shifts["apart"].append(after - others)
    moved = "Young Priestess in paladin: moves to higher mana"
    for measure, key in (("mana, shift", "plain"), ("mana, shift seen from all elites", "seen")):
        assert found[moved, measure]["found"] == pytest.approx(np.mean(shifts[key]))
        assert found[moved, measure]["claimed"] == "above 0"
    there = found["Young Priestess in paladin: higher mana than others after", "mana, centroid - others"]
    assert there["found"] == pytest.approx(np.mean(shifts["apart"]))
    assert found["Young Priestess in paladin: moves to lower variance", "variance, shift"]["claimed"] == "below 0"
    places = by(REPORT.report(patched).rows["places"], "card", "archetype", "column")
    assert places["Young Priestess", "paladin", SUM]["change"] == found[moved, "mana, shift"]["found"]
    assert ("Explosive Shot", "paladin", VARIANCE) not in places  # no paladin can have it


def test_places_of_rare_cards_are_in_the_file_but_not_in_the_table(patched: Study) -> None:
    report = REPORT.report(patched)
    shares = by(report.rows["cards"], "card", "archetype")
    most = max(max(row["before"], row["after"]) for row in shares.values())
    report = REPORT.model_copy(update={"rare": most - 0.01}).report(patched)
    (table,) = [table for table in report.tables if table.title == "Where the elites with a card are"]
    assert {max(shares[row[:2]]["before"], shares[row[:2]]["after"]) for row in table.rows} <= {most}
    assert len(report.rows["places"]) > len(table.rows)


def test_a_card_that_is_nowhere_makes_no_claim_about_its_place(patched: Study) -> None:
    ways = {"Explosive Shot": {"paladin": {"mana": "higher"}}}
    rows = REPORT.report(replace(patched, published={"moves": {"a": ways}, "apart": {"b": ways}})).rows
    assert "findings" not in rows


def test_the_card_to_change_is_the_one_that_most_elites_have(patched: Study, runs: Runs) -> None:
    before = views(runs, "hunter-old")
    shares = {
        gene.name: np.mean([placed(view, SUM, VARIANCE).inclusion(gene.name) for view in before])
        for gene in before[0].description.genes
    }
    published = {"Sunwalker": 30.0, "Explosive Shot": 70.0}
    decks = dict(zip(TRIALS, (placed(view, SUM, VARIANCE) for view in before), strict=True))
    choice = CardChoice.of("hunter", decks, space_of(runs["hunter-old"][0].config), published)
    majority = {name for name, share in shares.items() if share >= 0.5 - 1e-9}
    assert {pattern.names[0] for pattern in choice.together.cards} == majority
    assert choice.published == ("Explosive Shot", "Sunwalker")
    for view, shared in zip(before, choice.trials.values(), strict=True):
        found = {gene.name: placed(view, SUM, VARIANCE).inclusion(gene.name) for gene in view.description.genes}
        if shared.chosen is None:
            assert max(found.values()) < 0.5
        else:
            assert shared.chosen.support.value == pytest.approx(max(found.values()))
            assert found[shared.chosen.names[0]] == pytest.approx(max(found.values()))
        for pattern in shared.sets:
            together = np.all([placed(view, SUM, VARIANCE).having(name) for name in pattern.names], axis=0)
            assert pattern.support.value <= together.mean() + 1e-9


def test_patterns_of_all_archetypes_are_in_the_report(patched: Study) -> None:
    report = REPORT.report(replace(patched, published={"before": {"hunter": {"Sunwalker": 99.0}}}))
    table = by([dict(zip(report.tables[0].columns, row, strict=True)) for row in report.tables[0].rows], "archetype")
    assert table["hunter"]["in the paper"] == "Sunwalker"
    assert table["paladin"]["in the paper"] == "none"
    chosen = [row for row in report.rows["choices"] if row["is_chosen"] and row["trial"] == 1]
    for row in chosen:
        assert f"{row['cards']} {row['support']:.0f} %" in table[row["archetype"]]["by each trial alone"]
    assert all(row["support"] >= 50 - 1e-9 for row in report.rows["choices"])


def test_the_curves_of_all_sets_are_in_the_report(patched: Study) -> None:
    sets = {"old": ("hunter-old", "paladin-old"), "new": ("hunter-new", "paladin-new")}
    report = REPORT.model_copy(update={"sets": sets}).report(replace(patched, published={"worst": ["hunter-new"]}))
    assert {row["set"] for row in report.rows["last"]} == {"old", "new"}
    assert [row["claim"] for row in report.rows["findings"]] == ["paladin-new wins more"]


def test_the_report_is_drawn(patched: Study, tmp_path: Path) -> None:
    report = REPORT.report(patched)
    assert set(report.figures) == {"cards", "places", "curves"}
    assert REPORT.report(patched).rows == report.rows
    check_drawn(report, tmp_path)


def test_trials_that_began_otherwise_are_no_pairs(patched: Study, runs: Runs) -> None:
    turned = {**runs, "hunter-new": runs["hunter-new"][::-1]}
    with pytest.raises(RunError, match="trials of hunter-old, hunter-new are not pairs"):
        REPORT.report(replace(patched, runs=turned))


def test_maps_of_a_pair_need_the_same_opponents(patched: Study, runs: Runs, tmp_path: Path) -> None:
    others = []
    for run in runs["hunter-new"]:
        config = map_config(run.config.name, "hunter", space={"patch": PATCH}, evaluation={"suite": "elite"})
        config = config.model_copy(update={"seed": run.config.seed})
        execute(config, tmp_path / f"{config.name}.db", threads=1)
        others.append(FinishedRun(config, tmp_path / f"{config.name}.db"))
    with pytest.raises(RunError, match="hunter-old and hunter-new must have the same opponents"):
        REPORT.report(replace(patched, runs={**runs, "hunter-new": tuple(others)}))


def test_all_archetypes_have_as_many_trials(patched: Study, runs: Runs) -> None:
    fewer = {**runs, "hunter-old": runs["hunter-old"][:1], "hunter-new": runs["hunter-new"][:1]}
    with pytest.raises(RunError, match="the same number of trials"):
        REPORT.report(replace(patched, runs=fewer))


# ---- trials of several calls -----------------------------------------------------------------------------------------


def test_decks_are_the_same_after_they_were_rows(runs: Runs) -> None:
    for name in ("hunter-old", "hunter-new"):  # the patch makes cards dearer
        view = views(runs, name)[0]
        found, expected = decks_of_rows(deck_rows(view), space_of(runs[name][0].config)), placed(view, SUM, VARIANCE)
        assert (found.ids, found.names) == (expected.ids, expected.names)
        assert np.array_equal(found.copies, expected.copies)
        for column in (SUM, VARIANCE):
            assert found.places[column] == pytest.approx(expected.places[column])


@pytest.mark.parametrize("kind", [REPORT, MapCurves(points=3)])
@pytest.mark.parametrize(("own", "others"), [(0, 1), (1, 0)])
def test_trials_of_two_calls_make_the_report_of_one(
    patched: Study, runs: Runs, tmp_path: Path, kind: CardBalance | MapCurves, own: int, others: int
) -> None:
    elsewhere = some(runs, others)
    other = result_file(tmp_path, kind, elsewhere, kind.report(replace(patched, runs=elsewhere)))
    here = replace(patched, runs=some(runs, own))
    whole = kind.report(patched)
    joined = kind.model_copy(update={"elsewhere": (other,)}).report(here)
    assert joined.rows == whole.rows
    assert joined.tables == whole.tables
    assert any(f"{other}: with them, there are 2 of each" in note for note in joined.notes)
    assert here.tally.all == 1000
    check_joined(kind, some(runs, own), other)
    with pytest.raises(RunError, match=f"trial {TRIALS[others]} of hunter-old is known already"):
        check_joined(kind, elsewhere, other)


def test_calls_may_share_the_only_trial_of_a_run(patched: Study, runs: Runs, tmp_path: Path) -> None:
    kind = MapCurves(points=3)
    first, second = some(runs, 0), some(runs, 1)
    later = {**second, "hunter-old": first["hunter-old"]}
    report = kind.report(replace(patched, runs=later))
    file = result_file(tmp_path, kind, later, report)
    check_joined(kind, first, file)
    joined = kind.model_copy(update={"elsewhere": (file,)}).report(replace(patched, runs=first))
    whole = kind.report(replace(patched, runs={**runs, "hunter-old": first["hunter-old"]}))
    assert joined.rows == whole.rows
    with pytest.raises(RunError, match="trial 1 of hunter-old is known already"):
        check_joined(kind, {**first, "hunter-old": runs["hunter-old"]}, file)  # where it is one of two
    changed = [{**row, "mean": 1.0} if row["map"] == "hunter-old" else row for row in report.rows["curves"]]
    other = result_file(tmp_path, kind, later, report, rows={**report.rows, "curves": changed})
    with pytest.raises(RunError, match="trial 1 of hunter-old has other rows in curves than here"):
        kind.model_copy(update={"elsewhere": (other,)}).report(replace(patched, runs=first))


def test_trials_of_other_calls_are_checked(patched: Study, runs: Runs, tmp_path: Path) -> None:
    second = some(runs, 1)
    rows = REPORT.report(replace(patched, runs=second)).rows

    def refused(message: str, **changes: Any) -> None:
        file = result_file(tmp_path, REPORT, second, Report({}, ()), rows={**rows, **changes})
        with pytest.raises(RunError, match=message) as error:
            check_joined(REPORT, some(runs, 0), file)
        assert "\n" not in str(error.value)

    def without(name: str) -> dict[str, Any]:
        return {table: [row for row in rows[table] if row["map"] != name] for table in ("decks", "curves", "runs")}

    first, *others = rows["decks"]
    paladin = next(row["deck"] for row in others if row["map"] == "paladin-old")
    refused("hunter-old: .*Paladin deck", decks=[{**first, "deck": paladin}, *others])
    refused("hunter-old: a deck code must be base64", decks=[{**first, "deck": "AA!"}, *others])
    refused("trial 2 of hunter-old has no rows in decks", decks=without("hunter-old")["decks"])
    refused("it has no trial 2 of hunter-old", **without("hunter-old"))
    refused("trial 2 of .* has 2 rows in runs instead of one", runs=[rows["runs"][0], *rows["runs"]])


@pytest.mark.parametrize(
    ("changes", "published", "words"),
    [
        ({"cards": ("Sunwaker",)}, {}, "no card 'Sunwaker': did you mean 'Sunwalker'?"),
        (
            {"archetypes": {"hunter": PatchedArchetype(before="hunter-old", after="hunter-nw")}},
            {},
            "no run 'hunter-nw': did you mean 'hunter-new'?",
        ),
        ({}, {"before": {"hunter": {"Sunwaker": 5}}}, "did you mean 'Sunwalker'?"),
        ({}, {"more": {"title": {"Sunwalker": ["huntr"]}}}, "did you mean 'hunter'?"),
        ({}, {"moves": {"title": {"Sunwalker": {"hunter": {"mana": "up"}}}}}, "must be higher or lower, not 'up'"),
    ],
)
def test_a_name_that_does_not_exist_is_refused(changes: Any, published: Any, words: str) -> None:
    kind = REPORT.model_copy(update=changes)
    (complaint,) = kind.complaints(published, ["hunter-old", "hunter-new", "paladin-old", "paladin-new"])
    assert words in complaint.text


# ---- the items of the paper ------------------------------------------------------------------------------------------


@cache
def shipped(item: str) -> tuple[Experiment, CardBalance]:
    experiment = read_item(SHIPPED / f"{item}.toml")
    report = experiment.heading.report
    assert isinstance(report, CardBalance)
    return experiment, report


@pytest.mark.parametrize("item", ["balance", "balance-fair", "balance-authors"])
def test_maps_of_a_pair_differ_in_nothing_but_the_patch(item: str) -> None:
    experiment, report = shipped(item)
    assert len(report.archetypes) == 6
    for archetype in report.archetypes.values():
        (_, before), (_, after) = (experiment.series[name] for name in (archetype.before, archetype.after))
        assert [config.seed for config in before.configs()] == [config.seed for config in after.configs()]
        assert before.repeat == after.repeat == 5
        assert before.opponents_from == after.opponents_from
        old, new = (each.config.to_json() | {"name": ""} for each in (before, after))
        assert (old["space"].pop("patch"), bool(new["space"].pop("patch"))) == ("", True)
        assert old == new


@pytest.mark.parametrize("item", ["balance", "balance-fair", "balance-authors"])
def test_the_patch_is_that_of_the_paper(item: str) -> None:
    experiment, report = shipped(item)
    base = edition_of("2018-12")
    for archetype in report.archetypes.values():
        config = experiment.series[archetype.after][1].config
        assert isinstance(config, HearthstoneDeckRun)
        cards = config.space.cards
        changed = {
            card.name: (
                cards[card.id].cost - card.cost,
                (cards[card.id].attack or 0) - (card.attack or 0),
                (cards[card.id].health or 0) - (card.health or 0),
            )
            for card in base.cards
            if cards[card.id] != card
        }
        expected = {
            "Earthen Ring Farseer": (2, 0, 0),
            "Explosive Shot": (2, 0, 0),
            "Argent Squire": (2, 0, 0),
            "Young Priestess": (2, 0, 0),
            "Sunwalker": (0, -3, 0),
            "Master Swordsmith": (0, 0, -2),
            "Silverback Patriarch": (0, 2, 0),
        }
        if item == "balance-authors":  # the configuration that the authors kept
            del expected["Argent Squire"]
        assert changed == expected


def test_the_authors_reading_plays_their_elite_decks() -> None:
    experiment, report = shipped("balance-authors")
    for archetype in report.archetypes.values():
        for name in (archetype.before, archetype.after):
            series = experiment.series[name][1]
            assert series.config.to_json()["evaluation"]["suite"] == "elite"
            assert not series.opponents_from
