"""What a resumed run is held to: its configuration, version, search and games must be the same as before."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import execute
from deckatlas.search import active_genes, scripts
from deckatlas.search.batches import Batch
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.protocol import Generation, Genomes, Scores
from helpers.maps import hunters
from helpers.runs import change, query, small_run, stop_after

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def evolution(tmp_path: Path) -> RunConfig:
    return small_run("evolution", tmp_path)


def test_another_configuration_is_refused_with_a_differing_key(tmp_path: Path, evolution: RunConfig) -> None:
    path = tmp_path / "run.db"
    execute(evolution, path)
    before = path.read_bytes()
    other_pilot = evolution.evaluation.model_copy(update={"pilot": "pass"})
    for changed, words in (
        ({"seed": 6}, "with seed = 5 instead of seed = 6"),
        ({"budget": 960}, "with budget = 480 instead of budget = 960"),
        ({"evaluation": other_pilot}, "evaluation.pilot = 'random' instead of "),
    ):
        with pytest.raises(RunError) as error:
            execute(evolution.model_copy(update=changed), path, advice="do something else")
        assert words in str(error.value)
        assert str(error.value).endswith(": do something else")
    assert path.read_bytes() == before


def test_a_store_of_another_kind_of_run_is_refused(tmp_path: Path, evolution: RunConfig) -> None:
    path = tmp_path / "run.db"
    execute(hunters(tmp_path, "search.evaluations=30"), path)
    before = path.read_bytes()
    with pytest.raises(RunError, match=r"with archive.binning = .quantiles. instead of no archive.binning"):
        execute(evolution, path)
    with pytest.raises(RunError, match=r"another run, with evaluation.games = 12 instead of evaluation.games = 13"):
        execute(hunters(tmp_path, "search.evaluations=30", "evaluation.games=13"), path)
    assert path.read_bytes() == before


@pytest.mark.usefixtures("always_looking")
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE run SET cards = 'others'", "the cards are not the same"),
        ("UPDATE columns SET name = 'lost'", "evaluations measure something else"),
    ],
)
def test_a_store_of_another_version_is_refused_and_left_as_it_is(
    tmp_path: Path, evolution: RunConfig, statement: str, words: str
) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(evolution, path, watch=stop_after(200))
    change(path, statement)
    before = path.read_bytes()
    with pytest.raises(RunError) as error:
        execute(evolution, path)
    assert "was written by another version (deckatlas " in str(error.value)
    assert words in str(error.value)
    assert path.read_bytes() == before


@pytest.mark.usefixtures("always_looking")
def test_a_search_or_games_that_go_otherwise_now_are_refused(
    tmp_path: Path, evolution: RunConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(evolution, path, watch=stop_after(200))
    before = path.read_bytes()
    ranked, evaluate = scripts.ranked, LocmMatchups.evaluate

    def otherwise_ranked(
        odd: int, number: int, genomes: Genomes, scores: Scores, facts: dict[str, float]
    ) -> Generation:
        return ranked(number, genomes, scores, {} if number == odd else facts)

    def otherwise_played(self: LocmMatchups, batch: Batch, **options: Any) -> Outcomes:
        outcomes = evaluate(self, batch, **options)
        return replace(outcomes, total=outcomes.total + 1)

    third = query(path, "SELECT batch FROM evaluations JOIN generations g ON g.number = 3 "
                  "WHERE evaluations.number = g.evaluations - 1")  # fmt: skip
    last = query(path, "SELECT min(number) FROM evaluations WHERE batch = (SELECT max(batch) FROM evaluations)")
    for target, name, value, words in (
        (active_genes, "ranked", partial(otherwise_ranked, 0), "the initial generation differs"),
        (active_genes, "ranked", partial(otherwise_ranked, 3), f"the generation after batch {third} differs"),
        (LocmMatchups, "evaluate", otherwise_played, f"the games of evaluation {last} now end differently"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            with pytest.raises(RunError, match=f"was written by another version .* {words}"):
                execute(evolution, path)
    assert path.read_bytes() == before


def test_games_of_a_map_that_end_otherwise_now_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hunters.db"
    config = small_run("map", tmp_path)
    execute(config, path)
    change(path, "UPDATE run SET finished = NULL")
    before = path.read_bytes()
    evaluate = HearthstoneEvaluator.evaluate

    def otherwise_played(self: HearthstoneEvaluator, batch: Batch, **options: Any) -> Outcomes:
        outcomes = evaluate(self, batch, **options)
        return replace(outcomes, error=outcomes.error * 2)

    monkeypatch.setattr(HearthstoneEvaluator, "evaluate", otherwise_played)
    with pytest.raises(RunError, match="the games of evaluation 39 now end differently"):
        execute(config, path)
    assert path.read_bytes() == before
