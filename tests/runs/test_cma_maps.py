"""CMA-ME and CMA-ES as runs: digests on any number of threads, interruptions, and real functions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckatlas
from deckatlas.errors import RunError
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.view import RunView, open_run
from helpers.maps import DRAFTS

SPACE = deckatlas.Vectors([-5.12] * 8, [5.12] * 8)


def sphere(x: Any) -> dict[str, float]:
    return {"value": -float(((x - 1) ** 2).sum())}


def rastrigin(x: Any) -> dict[str, float]:
    return {"value": -float((x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum())}


def run_map(evaluate: Any, algorithm: str, *settings: str, **changes: Any) -> RunView:
    options: dict[str, Any] = {
        "objective": "value",
        "measures": ["x0", "x1"],
        "ranges": [(-5.12, 5.12), (-5.12, 5.12)],
        "resolution": 10,
        "evaluations": 600,
        "seed": 5,
        "settings": ["search.population=12", "search.sigma=0.5", *settings],
    }
    return deckatlas.map_elites(SPACE, evaluate, algorithm=algorithm, **(options | changes))


def test_cma_es_finds_the_top_of_a_sphere() -> None:
    assert run_map(sphere, "cma-es", evaluations=2500).statistics.best > -1e-3


def test_cma_me_fills_more_of_a_rugged_map_than_cma_es_and_better_than_random_search() -> None:
    me = run_map(rastrigin, "cma-me", "search.emitters=4", evaluations=1500).statistics
    es = run_map(rastrigin, "cma-es", evaluations=1500).statistics
    at_random = deckatlas.map_elites(
        SPACE, rastrigin, objective="value", measures=["x0", "x1"], ranges=[(-5.12, 5.12)] * 2, resolution=10,
        evaluations=1500, seed=5, algorithm="random-solutions",
    ).statistics  # fmt: skip
    assert me.elites > es.elites
    assert me.best > at_random.best


@pytest.mark.parametrize("algorithm", ["cma-me", "cma-es"])
def test_the_digest_does_not_depend_on_the_number_of_threads(algorithm: str) -> None:
    assert run_map(rastrigin, algorithm, threads=1).digest == run_map(rastrigin, algorithm, threads=2).digest


@pytest.mark.parametrize("algorithm", ["cma-me", "cma-es"])
@pytest.mark.parametrize("calls", [3, 150, 431])
def test_a_run_that_was_interrupted_ends_with_the_same_digest(tmp_path: Path, algorithm: str, calls: int) -> None:
    left = calls

    class Interrupt(Exception):  # noqa: N818 - not an error
        pass

    def evaluate(x: Any) -> dict[str, float]:
        nonlocal left
        left -= 1
        if left == 0:
            raise Interrupt
        return rastrigin(x)

    with pytest.raises(Interrupt):
        run_map(evaluate, algorithm, path=tmp_path / "map.db", threads=1)
    resumed = run_map(evaluate, algorithm, path=tmp_path / "map.db", threads=2)
    assert left < 0
    assert resumed.digest == run_map(evaluate, algorithm).digest


def test_a_search_that_fills_no_map_is_refused() -> None:
    with pytest.raises(RunError, match="unknown algorithm 'E_aw'"):
        run_map(sphere, "E_aw", settings=())


WEIGHTS = 'space.genome={kind="attributes", integer=false}'


def drafts(folder: Path, *settings: str, text: str = DRAFTS) -> LocmDraftRun:
    file = folder / "drafts.toml"
    file.write_text(text)
    config = read_config(file, settings=settings)
    assert isinstance(config, LocmDraftRun)
    return config


@pytest.mark.parametrize(("settings", "genes"), [((), 160), ((WEIGHTS,), 9)], ids=["priorities", "attributes"])
def test_draft_policies_can_be_searched_on_any_number_of_threads(
    tmp_path: Path, settings: tuple[str, ...], genes: int
) -> None:
    digests = set()
    for threads in (1, 2):
        execute(drafts(tmp_path, *settings), tmp_path / f"{threads}.db", threads=threads)
        view = open_run(tmp_path / f"{threads}.db")
        digests.add(view.digest)
        assert view.log.solutions.shape == (150, genes)
        assert (view.log.solutions % 1 != 0).any()
    assert len(digests) == 1


@pytest.mark.parametrize("kind", ["gaussian", "iso-line"])
def test_attribute_weights_are_varied_as_real_numbers(tmp_path: Path, kind: str) -> None:
    search = f'algorithm = "map-elites"\ninitial = 20\nevaluations = 60\nvariation = {{ kind = "{kind}" }}\n'
    text = DRAFTS.partition('algorithm = "cma-me"')[0] + search
    execute(drafts(tmp_path, WEIGHTS, text=text), tmp_path / "map.db")
    solutions = open_run(tmp_path / "map.db").log.solutions
    assert (solutions[20:] % 1 != 0).any()
    assert np.abs(solutions).max() <= 10
    with pytest.raises(RunError, match="vectors of real numbers"):
        drafts(tmp_path, 'space.genome={kind="attributes"}', text=text).prepare()


def test_whole_attribute_weights_are_stored_as_before_weights_could_be_real(tmp_path: Path) -> None:
    """Otherwise a run that is stored would count as another one, and could not be resumed."""
    text = DRAFTS.partition('algorithm = "cma-me"')[0] + 'algorithm = "random-solutions"\n'
    whole, real = (drafts(tmp_path, each, text=text) for each in ('space.genome={kind="attributes"}', WEIGHTS))
    assert whole.to_json()["space"]["genome"] == {"kind": "attributes", "low": -10, "high": 10}
    assert real.to_json()["space"]["genome"] == {"kind": "attributes", "low": -10, "high": 10, "integer": False}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (['space.genome={kind="attributes"}'], "vectors of real numbers"),
        (["search.population=151"], "at most evaluations"),
        (["search.overflow=0.5"], "overflow"),
        (["search.algorithm=cma-es"], "emitters"),
    ],
)
def test_impossible_configurations_are_refused_in_one_line(tmp_path: Path, settings: list[str], message: str) -> None:
    with pytest.raises(RunError, match=message) as refusal:
        drafts(tmp_path, *settings).prepare()
    assert "\n" not in str(refusal.value)
