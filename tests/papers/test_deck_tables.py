"""Reports in which decks meet: the best of maps against each other, and the decks of a suite."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import RunError
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.hearthstone.cards.deck_codes import deck_from_code
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.papers.mesb.suite_table import SuiteTable
from deckatlas.papers.mesb.table import DeckTable
from deckatlas.runs.loop import execute
from helpers.map_reports import by, map_config, views_of

# ---- decks against each other ----------------------------------------------------------------------------------------


def test_every_deck_meets_every_other_in_both_seats(study: Study) -> None:
    rows = DeckTable(games=10).report(study).rows
    rates = by(rows["rates"], "row", "column")
    assert len(rates) == 4 * 3
    for (one, other), rate in rates.items():
        assert rate["won_games"] == 10
        assert rate["won"] + rates[other, one]["won"] == pytest.approx(100)
        assert rate["won_low"] <= rate["won"] <= rate["won_high"]
    averages = by(rows["averages"], "agent")
    mine = [rate["won"] for (one, _), rate in rates.items() if one == "paladin"]
    assert averages["paladin"]["average"] == pytest.approx(np.mean(mine))
    assert averages["paladin"]["average_games"] == 30
    assert study.tally.now == 6 * 10


def test_the_decks_that_meet_are_the_best_of_their_maps(study: Study) -> None:
    decks = by(DeckTable(games=2).report(study).rows["decks"], "map")
    view = views_of(study)["paladin-1"]
    best = view.archive.elites[np.argmax(view.archive.objectives[view.archive.elites])]
    space = HearthstoneDecks("paladin", pool_name="evosabber")
    deck = deck_from_code(decks["paladin"]["code"], space.edition.by_id)
    assert deck == space.deck(view.log.solutions[best])
    assert decks["paladin"]["avg_health_diff"] == pytest.approx(view.archive.objectives[best], abs=1e-6)


def test_decks_of_one_set_meet_those_of_the_others(study: Study) -> None:
    report = DeckTable(games=4, sets={"one": ("hunter",), "other": ("paladin", "warlock")}).report(study)
    rates = by(report.rows["rates"], "row", "column")
    names = {"one": ("hunter-1", "hunter-2"), "other": ("paladin", "warlock")}
    pairs = {(one, other) for one in names["one"] for other in names["other"]}
    assert set(rates) == pairs | {(other, one) for one, other in pairs}
    sets = by(report.rows["sets"], "set")
    assert sets["one"]["won"] == pytest.approx(np.mean([rates[pair]["won"] for pair in pairs]))
    assert sets["one"]["won"] + sets["other"]["won"] == pytest.approx(100)
    assert sets["one"]["won_games"] == 4 * 4
    assert report.tables[0].columns == ("best deck of", "hunter-1", "hunter-2")
    assert [row[0] for row in report.tables[0].rows] == ["paladin", "warlock"]


def test_who_beats_whom_is_held_to_intervals(study: Study) -> None:
    beats = {"paladins are best": {"paladin": ["warlock", "hunter"]}, "nobody meets": {"paladin": ["paladin"]}}
    rows = DeckTable(games=6).report(replace(study, published={"beats": beats})).rows
    rates = by(rows["rates"], "row", "column")
    found = by(rows["findings"], "claim")
    assert {row["finding"] for row in rows["findings"]} == {"paladins are best"}
    warlock, hunter = found["paladin beats warlock"], found["paladin beats hunter"]
    for end in ("", "_low", "_high"):
        assert warlock[f"found{end}"] == rates["paladin", "warlock"][f"won{end}"]
    both = [rates["paladin", name]["won"] for name in ("hunter-1", "hunter-2")]
    assert hunter["found"] == pytest.approx(np.mean(both))  # a name that is repeated stands for all of its runs
    assert warlock["claimed"] == "above 50"


def test_sets_of_decks_are_held_to_what_was_published_too(study: Study) -> None:
    beats = {"the others are better": {"other": ["one"]}}
    kind = DeckTable(games=4, sets={"one": ("hunter",), "other": ("paladin", "warlock")})
    rows = kind.report(replace(study, published={"beats": beats})).rows
    (claim,), won = rows["findings"], by(rows["sets"], "set")["other"]
    assert (claim["found"], claim["found_low"]) == (won["won"], won["won_low"])


def test_the_worst_is_behind_all_others_seed_by_seed(study: Study) -> None:
    rows = DeckTable(games=20).report(replace(study, published={"worst": ["warlock"]})).rows
    averages = by(rows["averages"], "agent")
    found = by(rows["findings"], "claim")
    assert set(found) == {"hunter is better", "paladin is better"}
    ahead = averages["paladin"]["average"] - averages["warlock"]["average"]
    assert found["paladin is better"]["found"] == pytest.approx(ahead)
    assert found["paladin is better"]["found_low"] < ahead < found["paladin is better"]["found_high"]


def test_decks_of_other_rules_do_not_meet(study: Study, tmp_path: Path) -> None:
    config = map_config("other", "rogue", evaluation={"profile": "evosabber"})
    execute(config, tmp_path / "other.db", threads=1)
    with_other = replace(study, runs={**study.runs, "other": (FinishedRun(config, tmp_path / "other.db"),)})
    with pytest.raises(RunError, match="the same edition, patch and profile"):
        DeckTable(games=2).report(with_other)


CHARGERS = ("Stonetusk Boar", "Bluegill Warrior", "Wolfrider")
CHARGE = 'name = "charge"\nbase = "2018-12"\n' + "".join(
    f'[cards."{name}"]\ncost = 0\nattack = 30\n' for name in CHARGERS
)


def _maps_of_chargers(study: Study, folder: Path, **patches: str) -> Study:
    """Maps of hunters with chargers and of warlocks without any, each under its patch."""
    runs = {}
    spaces = {"hunter": {"contains": [f"2x {name}" for name in CHARGERS]}, "warlock": {"excludes": list(CHARGERS)}}
    for hero_class, space in spaces.items():
        config = map_config(
            f"{hero_class}-1",
            hero_class,
            space={**space, "patch": patches[hero_class]},
            evaluation={"pilot": "fast", "games": 2},
            search={"evaluations": 4, "initial": 4},
        )
        execute(config, folder / f"{hero_class}-chargers.db", threads=1)
        runs[hero_class] = (FinishedRun(config, folder / f"{hero_class}-chargers.db"),)
    return replace(study, runs=runs)


def test_decks_of_patched_maps_meet_under_their_patch(study: Study, tmp_path: Path) -> None:
    patched = _maps_of_chargers(study, tmp_path, hunter=CHARGE, warlock=CHARGE)
    rows = DeckTable(games=20).report(patched).rows
    assert by(rows["rates"], "row", "column")["hunter", "warlock"]["won"] > 80  # a charger of attack 30 ends the game
    found = by(rows["decks"], "map")
    codes = (found["hunter"]["code"], found["warlock"]["code"])
    assert hearthstone.play("fast", "fast", decks=codes, games=200).rate.high < 0.5  # the same decks without the patch


def test_decks_of_other_patches_do_not_meet(study: Study, tmp_path: Path) -> None:
    mixed = _maps_of_chargers(study, tmp_path, hunter=CHARGE, warlock="")
    with pytest.raises(RunError, match="the same edition, patch and profile"):
        DeckTable(games=2).report(mixed)


# ---- the decks of a suite --------------------------------------------------------------------------------------------


def test_the_decks_of_a_suite_meet_in_every_profile_with_their_own_pilots(study: Study) -> None:
    beats = {"control is better": {"Control Hunter": ["Aggro Hunter"]}}
    kind = SuiteTable(games=4, profiles=("evosabber", "fair"))
    rows = kind.report(replace(study, published={"beats": beats, "worst": ["Aggro Hunter"]})).rows
    rates = by(rows["rates"], "profile", "row", "column")
    assert len(rates) == 2 * 6 * 5
    assert {row["won_games"] for row in rates.values()} == {4}
    pilots = {row["deck"]: row["pilot"] for row in rows["decks"]}
    assert len(pilots) == 6
    assert all(pilot == f"planner:score={name.split()[0].lower()}" for name, pilot in pilots.items())
    found = by(rows["findings"], "finding", "claim")
    for profile in kind.profiles:
        claim = found[f"control is better ({profile})", "Control Hunter beats Aggro Hunter"]
        assert claim["found"] == rates[profile, "Control Hunter", "Aggro Hunter"]["won"]
        assert (f"Aggro Hunter is the worst ({profile})", "Aggro Warlock is better") in found


def test_games_in_which_a_deck_moved_first_are_half_of_its_games(study: Study) -> None:
    rates = by(SuiteTable(games=6, profiles=("fair",)).report(study).rows["rates"], "row", "column")
    for (one, other), row in rates.items():
        assert row["won_moving_first_games"] == 3
        moving_second = 100 - rates[other, one]["won_moving_first"]
        assert row["won"] == pytest.approx((row["won_moving_first"] + moving_second) / 2)


@pytest.mark.parametrize(
    ("kind", "published", "words"),
    [
        (SuiteTable(), {"worst": ["Agro Hunter"]}, "did you mean 'Aggro Hunter'?"),
        (SuiteTable(suite="elites"), {}, "did you mean 'elite'?"),
    ],
)
def test_a_suite_or_a_deck_that_does_not_exist_is_refused(kind: SuiteTable, published: Any, words: str) -> None:
    (complaint,) = kind.complaints(published, [])
    assert words in complaint.text
