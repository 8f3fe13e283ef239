"""Maps of anything: a space and a function of one's own, with the archives, store and pictures of every run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckatlas
from deckatlas import hearthstone
from deckatlas.errors import RunError, SearchError
from deckatlas.runs.view import RunView
from helpers.command_line import CommandLine

SPACE = deckatlas.Vectors([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0], names=["width", "depth", "height"])


def bowl(x: Any) -> dict[str, float]:
    return {"value": -float((x**2).sum()), "norm": float(np.abs(x).sum())}


def noisy_bowl(x: Any, rng: np.random.Generator) -> dict[str, float]:
    return {"value": -float((x**2).sum()) + 0.2 * float(rng.normal())}


def small_map(evaluate: Any = bowl, **changes: Any) -> RunView:
    options: dict[str, Any] = {
        "objective": "value",
        "measures": ["width", "depth"],
        "ranges": [(-1, 1), (-1, 1)],
        "resolution": 4,
        "evaluations": 120,
        "initial": 40,
        "seed": 3,
    }
    return deckatlas.map_elites(SPACE, evaluate, **(options | changes))


def test_every_elite_is_the_best_of_its_cell_by_the_function() -> None:
    found = small_map()
    best: dict[tuple[int, int], float] = {}
    for solution in found.log.solutions:
        cell = tuple(np.clip(((solution[:2] + 1) / 0.5).astype(int), 0, 3).tolist())
        best[cell] = max(best.get(cell, -np.inf), bowl(solution)["value"])
    assert {elite.cell: elite.objective.value for elite in found.elites()} == pytest.approx(best)


def test_measures_can_be_numbers_of_the_function() -> None:
    found = small_map(measures=["norm"], ranges=[(0, 3)])
    for elite in found.elites():
        assert elite.measures["norm"] == pytest.approx(bowl(elite.solution)["norm"])


def test_noise_is_averaged_over_calls_and_elites_can_be_checked_on_fresh_ones() -> None:
    found = small_map(noisy_bowl, games=8, recheck=50)
    errors = found.log.error("value")
    assert 0.03 < errors.mean() < 0.12  # 0.2 / sqrt(8) is 0.07
    checked = found.recheck()
    assert checked is not None
    assert checked.slope == pytest.approx(1, abs=0.3)  # most of a difference between two elites is no luck


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    assert small_map(noisy_bowl, games=2, threads=1).digest == small_map(noisy_bowl, games=2, threads=4).digest


def test_a_run_of_ones_own_is_resumed_shown_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    calls = []

    def counted(x: Any) -> dict[str, float]:
        calls.append(1)
        return bowl(x)

    first = small_map(counted, path="bowl.db")
    made = len(calls)
    assert small_map(counted, path="bowl.db").digest == first.digest
    assert len(calls) - made <= 2  # what the function returns is asked for again, and nothing is evaluated
    status, shown, _ = CommandLine(monkeypatch, capsys)("show", "bowl.db")
    assert status == 0
    assert "rated by" in shown
    hearthstone.plot_map(first, "bowl.png")
    assert Path("bowl.png").read_bytes().startswith(b"\x89PNG")


def test_another_function_does_not_continue_a_run(tmp_path: Path) -> None:
    small_map(path=tmp_path / "bowl.db")

    def bowl_upside_down(x: Any) -> dict[str, float]:
        return {"value": float((x**2).sum()), "norm": 0.0}

    with pytest.raises(RunError, match=r"evaluation\.function"):
        small_map(bowl_upside_down, path=tmp_path / "bowl.db")


@pytest.mark.parametrize(
    ("evaluate", "message"),
    [
        (lambda x: 3.0, "must return a dictionary of numbers by name"),
        (lambda x: {}, "must return a dictionary of numbers by name"),
        (lambda x: {"value": "high"}, "no number|not a number"),
    ],
)
def test_a_function_that_returns_no_numbers_is_refused(evaluate: Any, message: str) -> None:
    with pytest.raises(RunError, match=message):
        small_map(evaluate)


def test_other_bounds_do_not_continue_a_run(tmp_path: Path) -> None:
    small_map(path=tmp_path / "bowl.db")
    other = deckatlas.Vectors([0.0] * 3, [9.0] * 3, names=["width", "depth", "height"])
    with pytest.raises(RunError, match=r"space\.high"):
        deckatlas.map_elites(
            other, bowl, objective="value", measures=["width", "depth"], ranges=[(-1, 1), (-1, 1)], resolution=4,
            evaluations=120, initial=40, seed=3, path=tmp_path / "bowl.db",
        )  # fmt: skip


def test_a_function_that_has_changed_under_its_name_does_not_continue_a_run(tmp_path: Path) -> None:
    def made(sign: float) -> Any:
        return lambda x: {"value": sign * float((x**2).sum())}

    small_map(made(-1.0), path=tmp_path / "bowl.db")
    with pytest.raises(RunError, match="differently"):
        small_map(made(+1.0), path=tmp_path / "bowl.db")


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": "x"},
        {"games": 0},
        {"games": 2.5},
        {"games": [5, 6]},
        {"ranges": [3]},
        {"path": 3},
        {"evaluations": 0},
    ],
    ids=str,
)
def test_arguments_of_the_wrong_kind_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(RunError) as refusal:
        small_map(**wrong)
    assert "\n" not in str(refusal.value)


def test_a_random_source_goes_only_to_functions_that_want_one() -> None:
    def scaled(x: Any, scale: float = 2.0) -> dict[str, float]:
        return {"value": -scale * float((x**2).sum())}

    best = small_map(scaled).elites()[0]
    assert best.objective.value == pytest.approx(2 * bowl(best.solution)["value"])


def test_unknown_objectives_and_measures_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(SearchError, match="did you mean 'value'"):
        small_map(objective="valu")
    with pytest.raises(SearchError, match="did you mean 'width'"):
        small_map(measures=["widht", "depth"])


def test_vectors_stay_within_their_bounds() -> None:
    rng = np.random.default_rng(1)
    space = deckatlas.Vectors([0.0, 10.0], [1.0, 20.0], noise=5.0)
    for _ in range(200):
        mutant = space.mutate(space.random(rng), rng)
        assert (mutant >= space.low).all()
        assert (mutant <= space.high).all()


@pytest.mark.parametrize(
    ("low", "high", "options"),
    [
        ([0], [0], {}),
        ([0, 1], [1], {}),
        ([], [], {}),
        ([0], [float("inf")], {}),
        ([0], [1], {"noise": 0}),
        ([0], [1], {"names": ["a", "b"]}),
    ],
)
def test_spaces_of_vectors_without_room_are_refused(low: Any, high: Any, options: Any) -> None:
    with pytest.raises(SearchError):
        deckatlas.Vectors(low, high, **options)
