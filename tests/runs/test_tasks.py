"""Recipes: another process makes the same evaluator from plain text, or says why it cannot."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import DeckatlasError, RunError
from deckatlas.games.hearthstone.metagame import metagame_of as metagame_of_decks
from deckatlas.games.locm.metagame import metagame_of as metagame_of_drafts
from deckatlas.games.locm.run_config import Curve
from deckatlas.metagame.rounds import spending
from deckatlas.papers.drafts.games import ArenaTable, DraftPlayers
from deckatlas.runs.comparison import Players, comparison_run
from deckatlas.runs.run import Run
from deckatlas.runs.tasks import Recipe
from deckatlas.search.batches import Course, matchups
from deckatlas.search.piecewise import piecewise
from helpers.runs import small_run


def comparison(players: Players, names: tuple[str, ...]) -> Run:
    return comparison_run(
        "met", players, lambda: spending(names, seeds=2, seed=1), seed=1, games=4, search={"algorithm": "metagame"}
    )


def drafts() -> Run:
    """Two draft policies, whose genomes travel with the batch."""
    seeds = np.arange(3, dtype=np.uint64)
    genomes = np.random.default_rng(1).random((2, Curve(kind="curve").genomes().genes))
    zero, one = np.zeros(1, np.int32), np.ones(1, np.int32)
    batch = matchups(genomes, (Course(seeds, seeds),), zero, one, zero)
    players = DraftPlayers(Curve(kind="curve"), ArenaTable(pilot="greedy"))
    return comparison_run("met", players, lambda: piecewise(batch), seed=0, games=3, search={"algorithm": "comparison"})


@pytest.fixture(params=["map", "evolution", "decks", "policies", "drafts"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    if request.param == "decks":
        field = metagame_of_decks("field-2018", pilot="random")
        return comparison(field.players(), field.names)
    if request.param == "policies":
        field_of_drafts = metagame_of_drafts("drafts", pilot="random")
        return comparison(field_of_drafts.players(), field_of_drafts.names)
    return drafts() if request.param == "drafts" else small_run(request.param, tmp_path).prepare()


def test_the_evaluator_of_a_recipe_gives_the_outcomes_of_the_run(run: Run) -> None:
    batch = run.make_search().ask()
    assert batch is not None
    some = batch.rows(slice(0, 20))
    recipe = Recipe.of(run)
    assert recipe.hash == run.hash
    expected, found = run.evaluator.evaluate(some), recipe.evaluator().evaluate(some.compact())
    for name in ("games", "total", "weight", "error", "outcome", "margin"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_other_cards_are_refused(run: Run) -> None:
    with pytest.raises(RunError, match="other cards"):
        Recipe.of(replace(run, cards="0" * 32)).evaluator()


@pytest.mark.parametrize("run", ["decks", "policies"], indirect=True)
def test_a_file_that_players_need_must_be_there(run: Run) -> None:
    evaluation = {**run.config["evaluation"], "files": {"nowhere.npz": "0" * 32}}
    with pytest.raises(DeckatlasError, match=r"the file nowhere.npz cannot be read, but the run needs it"):
        Recipe.of(replace(run, config={**run.config, "evaluation": evaluation})).evaluator()


@pytest.mark.parametrize("run", ["drafts"], indirect=True)
def test_runs_that_no_configuration_file_describes_are_refused(run: Run) -> None:
    strange = replace(run, players="", config={**run.config, "space": {"kind": "patch"}})
    with pytest.raises(RunError, match=r"no other process can make the evaluations of .*, a run of kind 'patch': use"):
        Recipe.of(strange)
