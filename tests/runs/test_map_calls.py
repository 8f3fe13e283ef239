"""Maps in one call from Python, for both games: what can be said, and that it is held to what a file is held to."""

import csv
import io
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone, locm
from deckatlas._core import locm as core
from deckatlas.documents.document import Document
from deckatlas.errors import CardError, DeckatlasError, MatchError, RunError
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.cards import official_table
from deckatlas.games.locm.evaluator import LocmEvaluator
from deckatlas.runs.export import best_policy, elites_csv
from deckatlas.runs.read_config import config_of
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.search.batches import Batch, Stream, seed_of
from deckatlas.search.evaluation import Solution

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

QUICK: dict[str, Any] = {"evaluations": 16, "games": 2, "resolution": 3, "seed": 4, "threads": 1}
CHEAPER = hearthstone.Patch("cheaper", {"Fire Elemental": {"cost": 1}, "CS2_029": {"effect": "spell(draw(3))"}})


def mages(**options: Any) -> RunView:
    return hearthstone.map_elites("mage", **{**QUICK, **options})


def edition_in(view: RunView) -> hearthstone.Edition:
    """The edition that a run would be resumed with."""
    space = config_of(Document("the store", dict(view.config))).prepare().space
    assert isinstance(space, HearthstoneDecks)
    return space.edition


def columns(view: RunView) -> list[list[float]]:
    return [np.asarray(view.log.column(name)).tolist() for name in view.log.columns]


def test_both_games_are_asked_in_the_same_words() -> None:
    of_games = [signature(game.map_elites).parameters for game in (hearthstone, locm)]
    shared = [{name: each.default for name, each in of.items() if name in of_games[0]} for of in of_games]
    assert {*of_games[0]} - {*of_games[1]} == {"hero_class", "pool", "suite", "profile", "cards"}
    assert {*of_games[1]} - {*of_games[0]} == {"solution", "genome", "opponents", "format"}
    own = {"pilot": None, "edition": None}  # each game has its own default
    assert {name: shared[0][name] for name in shared[1]} | own == shared[1] | own
    for of_game in of_games:
        assert [each.kind for each in of_game.values()][1:] == [each.KEYWORD_ONLY for each in of_game.values()][1:]


@pytest.mark.parametrize("resolution", [3, np.int64(3), [3, 3], np.array([3, 3])])
def test_one_number_of_cells_is_meant_for_every_measure(resolution: Any) -> None:
    view = mages(resolution=resolution)
    assert view.archive.cells.shape == (3, 3)
    assert view.digest == mages().digest
    assert mages(measures=("dust", "num_turns", "hand_size"), resolution=2).archive.cells.shape == (2, 2, 2)
    assert mages(measures="dust").archive.cells.shape == (3,)


def test_what_maps_are_compared_with_is_asked_for_by_its_name() -> None:
    at_random = mages(algorithm="random-solutions")
    assert (at_random.log.parents == -1).all()
    evolved = mages(algorithm="mu-plus-lambda", settings=["search.parents=4", "search.offspring=4"])
    assert (evolved.log.parents[4:] >= 0).all()
    searched = mages(settings=["search.initial=4", "search.window=1"])
    assert (searched.log.parents[4:] >= 0).all()
    assert at_random.log.solutions[:4].tolist() == evolved.log.solutions[:4].tolist()


def test_an_edition_is_kept_as_the_file_of_its_patch_is(tmp_path: Path) -> None:
    made = hearthstone.edition("2019-12").patched(CHEAPER)
    file = tmp_path / "cheaper.toml"
    file.write_text(made.as_patch().to_toml(), encoding="utf-8")
    view = mages(edition=made, path=tmp_path / "mage.db")
    assert view.config == {**mages(edition=file, path=tmp_path / "other.db").config, "name": "mage"}
    again = hearthstone.open_run(tmp_path / "mage.db")
    assert edition_in(again) == made
    assert columns(again) == columns(view)
    assert columns(view) != columns(mages(edition="2019-12"))


def test_a_shipped_edition_is_kept_by_its_name() -> None:
    assert mages(edition=hearthstone.edition("2019-12")).digest == mages(edition="2019-12").digest


def test_a_suite_is_met_however_it_is_given() -> None:
    named = mages(suite="elite")
    assert columns(mages(suite=hearthstone.suite_of("elite"))) == columns(named)
    alone = hearthstone.Suite("alone", hearthstone.suite_of("elite").opponents[:1])
    view = mages(suite=alone)
    assert view.run.config["evaluation"]["suite"] == "alone"
    assert len(view.run.config["evaluation"]["opponents"]) == 1
    assert columns(view) != columns(named)


class NoFile:
    """What no file of a configuration could hold."""


@pytest.mark.parametrize(
    ("changed", "kind", "complaint"),
    [
        ({"resolution": 0}, RunError, r"archive\.resolution\[0\] must be a whole number from 1 to 10000, not 0"),
        ({"resolution": None}, RunError, "archive.resolution must be a list"),
        ({"resolution": (3, 3, 3)}, RunError, "resolution must have as many entries as measures, 2, not 3"),
        ({"resolution": True}, RunError, "whole number from 1 to 10000, not true"),
        ({"measures": None}, RunError, "archive.measures must be a list"),
        ({"measures": "dusk"}, RunError, "no column 'dusk': did you mean 'dust'"),
        ({"evaluations": "many"}, RunError, "search.evaluations must be a whole number"),
        ({"games": NoFile()}, RunError, "^map_elites: evaluation.games cannot be a NoFile$"),
        ({"algorithm": "map_elites"}, RunError, "unknown algorithm 'map_elites': did you mean 'map-elites'"),
        ({"settings": [3]}, RunError, "settings must be texts such as 'search.window=16'"),
        ({"path": 3}, RunError, "path must be a path, not 3"),
        ({"edition": "2018"}, RunError, "unknown edition '2018'"),
        ({"edition": hearthstone.Edition("mine", ())}, CardError, "'mine' is not a patched version of 2018-12, .*"),
        ({"suite": "everybody"}, RunError, "there is no suite and no file 'everybody'"),
        ({"threads": 0}, MatchError, "threads must be"),
        ({"recheck": 0}, MatchError, "recheck must be"),
    ],
)
def test_what_cannot_be_is_one_line_before_the_first_game(
    changed: dict[str, Any], kind: type[DeckatlasError], complaint: str
) -> None:
    with pytest.raises(kind, match=complaint) as told:
        mages(**changed)
    assert "\n" not in str(told.value)


def test_an_edition_with_an_effect_made_in_python_is_kept(tmp_path: Path) -> None:
    cards = hearthstone.edition()
    made = cards.patched(hearthstone.Patch("swapped", {"Fireball": {"effect": cards["Frost Nova"].effects}}))
    mages(edition=made, path=tmp_path / "mage.db")
    assert edition_in(hearthstone.open_run(tmp_path / "mage.db")) == made


# Legends of Code and Magic


def locm_map(solution: Any, **options: Any) -> RunView:
    return locm.map_elites(solution, **{**QUICK, **options})


def test_decks_and_draft_policies_are_mapped_in_one_call() -> None:
    decks = locm_map("deck", opponents="coac/greedy", measures=("deck_mana_mean", "num_item_cards"))
    assert decks.measures == ("deck_mana_mean", "num_item_cards")
    assert decks.run.config["evaluation"]["opponents"] == ["coac/greedy"]
    best = decks.elites()[0]
    assert sum(line.copies for line in decks.deck_list(best)) == 30
    drafts = locm_map("draft", genome="attributes", recheck=2, format="distinct")
    assert drafts.log.solutions.shape == (16, 9)
    assert drafts.recheck() is not None


@pytest.mark.parametrize(
    ("solution", "changed", "complaint"),
    [
        ("decks", {}, "unknown kind of space 'locm-decks': did you mean 'locm-deck'"),
        ("deck", {"genome": "priorities"}, r"unknown key 'genome' in \[space\]"),
        ("draft", {"genome": "priority"}, "unknown kind 'priority': did you mean 'priorities'"),
        ("draft", {"format": "other"}, "evaluation.format must be 'referee' or 'distinct'"),
        ("draft", {"opponents": []}, "there is no opponent: give at least one"),
        ("draft", {"measures": ("dust",)}, "no column 'dust'"),
        ("deck", {"pilot": "gredy"}, "gredy"),
    ],
)
def test_what_cannot_be_of_the_other_game_is_one_line_too(
    solution: str, changed: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(RunError, match=complaint) as told:
        locm_map(solution, **changed)
    assert "\n" not in str(told.value)


class Exported:
    """Whoever drafts by a policy file, whatever solution is asked for."""

    def __init__(self, file: Path) -> None:
        self.spec = f"genome:file={file}"

    def policy(self, solution: Solution) -> core.DraftPolicy:
        return draft_policy(self.spec)


@pytest.mark.parametrize("genome", ["priorities", "attributes", "attribute-pattern"])
def test_an_exported_policy_plays_the_games_that_it_played_in_the_map(genome: str, tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    view = locm_map("draft", genome=genome, games=8, recheck=6, opponents=("icebox/greedy", "coac/random"), path=path)
    codes = [row["code"] for row in csv.DictReader(io.StringIO(elites_csv(view)))]
    elites = view.elites()
    assert len(codes) == len(elites) > 3
    for elite, code in zip(elites, codes, strict=True):
        file = tmp_path / f"{elite.number}.json"
        file.write_text(code, encoding="utf-8")
        evaluator = LocmEvaluator(Exported(file), pilot="greedy", opponents=("icebox/greedy", "coac/random"))
        nobody = np.zeros((1, 1), np.int32)
        stream = Stream(seed_of(QUICK["seed"], "games"), 0, 8)
        found = evaluator.evaluate(Batch(elite.solution[np.newaxis], nobody, (stream,), nobody[0]))
        for column, value, error in zip(evaluator.columns, found.value[0], found.error[0], strict=True):
            assert value == elite.columns[column.name] == view.log.column(column.name, elite.number)
            np.testing.assert_equal(error, view.log.error(column.name)[elite.number])
        with open_store(path) as store:
            (first,) = np.flatnonzero(view.history.solution == elite.number)
            outcome, margin = store.games_of(int(first))
        assert np.array_equal(found.outcome, outcome)
        assert np.array_equal(found.margin, margin)
    assert best_policy(view) == codes[0] + "\n"


def test_games_of_an_exported_policy_are_those_of_the_solution_column_by_column(tmp_path: Path) -> None:
    view = locm_map("draft")
    best = view.elites()[0]
    file = tmp_path / "best.json"
    file.write_text(view.code(best), encoding="utf-8")
    space: Any = config_of(Document("the store", dict(view.config))).prepare().space
    as_policy, as_solution = (
        core.play_match(
            official_table(), policy, core.greedy_agent(), draft_policy("icebox"), core.greedy_agent(),
            first_game=0, games=40, seed=7, format="referee", swap_seats=True, threads=1, progress=None,
        )
        for policy in (draft_policy(f"genome:file={file}"), space.policy(best.solution))
    )  # fmt: skip
    assert {*as_policy} == {*as_solution} >= {"winner", "turns", "health", "mana_spent"}
    for name, values in as_policy.items():
        assert np.array_equal(values, as_solution[name]), name


def test_only_draft_policies_and_pilots_are_exported_as_such() -> None:
    with pytest.raises(RunError, match="has no draft policies or pilots: --policy needs a run that searches them"):
        best_policy(mages())
    with pytest.raises(RunError, match="has no draft policies or pilots: --policy needs a run that searches them"):
        best_policy(locm_map("deck"))
