"""CMA-ME and CMA-ES: which draws they learn from, when they wait, and when they start again."""

import time
from collections import Counter, deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive, GridOptions, SlidingOptions
from deckatlas.search.batches import NONE, Batch
from deckatlas.search.cma import Cma
from deckatlas.search.cma_emitters import ByImprovement, ByObjective, _Line
from deckatlas.search.cma_searches import CmaEs, CmaMe
from deckatlas.search.emitters import CHECKED
from deckatlas.search.evaluation import Column, Floats, Outcomes
from deckatlas.search.map_search import MapSearch
from deckatlas.search.map_searches import MapSearchOptions
from deckatlas.search.options import SearchSetting
from deckatlas.search.vectors import Vectors
from helpers.maps import Digits, history_of

LENGTH = 5
GRID = GridOptions(measures=("x0", "x1"), resolution=(10, 10), ranges=((-2.0, 2.0), (-2.0, 2.0)))
SPACE = Vectors([-2.0] * LENGTH, [2.0] * LENGTH)


def bowl(x: Floats) -> float:
    return -float(((x - 0.7) ** 2).sum())


def setting(space: Any = SPACE, archive: AnyArchive = GRID) -> SearchSetting:
    return SearchSetting(
        space=space,
        columns=(Column("value", storage="f8"),),
        archive=archive,
        games=1,
        fresh=False,
        budget=None,
        seed=7,
    )


def outcome_of(batch: Batch, function: Any = bowl) -> Outcomes:
    value = np.array([[function(batch.genes[0])]])
    return Outcomes(np.array([1]), value, np.ones((1, 1)), np.full((1, 1), np.nan))


def carry_out(search: MapSearch, function: Any = bowl) -> list[tuple[Batch, Outcomes]]:
    waiting: deque[Batch] = deque()
    told = []
    while not search.is_over:
        while (asked := search.ask()) is not None:
            waiting.append(asked)
        batch = waiting.popleft()
        told.append((batch, outcome_of(batch, function)))
        search.tell(told[-1][1])
    return told


def me(**options: Any) -> CmaMe:
    return CmaMe(objective="value", **({"evaluations": 400, "emitters": 3, "population": 8, "window": 10} | options))


def es(**options: Any) -> CmaEs:
    return CmaEs(objective="value", **({"evaluations": 600, "population": 12, "sigma": 0.3, "window": 10} | options))


def archive_of(*individuals: tuple[float, float]) -> Archive:
    """An archive of cells 0 ... 9 along one measure, of (objective, measure) each."""
    archive = Archive(GridOptions(measures=("m",), resolution=(10,), ranges=((0.0, 10.0),)), planned=100)
    for objective, measure in individuals:
        archive.add(objective, [measure])
    return archive


def test_new_cells_come_before_improvements_and_the_rest_are_no_parents() -> None:
    selection = ByImprovement()
    told = [(1.0, 0.5), (9.0, 0.6), (9.0, 0.7), (2.0, 1.5), (np.nan, 3.5), (3.0, 2.5), (2.5, 1.5)]
    ranks = [selection.rank(number, archive_of(*told[: number + 1])) for number in range(len(told))]
    assert ranks == [(1, 1.0), (0, 8.0), None, (1, 2.0), None, (1, 3.0), (0, 0.5)]
    ranked = sorted(((rank, number) for number, rank in enumerate(ranks) if rank), reverse=True)
    assert selection.parents(ranked) == [5, 3, 0, 1, 6]


def test_cma_es_takes_the_best_and_nothing_from_a_generation_of_equals() -> None:
    selection = ByObjective(most=2)
    assert selection.parents([((0, 3.0), 4), ((0, 2.0), 1), ((0, 1.0), 0)]) == [4, 1]
    assert selection.parents([((0, 3.0), 4), ((0, 3.0), 1), ((0, 1.0), 0)]) == []
    assert selection.rank(0, archive_of((np.nan, 0.5))) is None


def learned(monkeypatch: pytest.MonkeyPatch) -> list[Floats]:
    """The parents of every update from now on."""
    seen: list[Floats] = []
    tell = Cma.tell

    def noticed(cma: Cma, parents: Floats) -> None:
        seen.append(parents)
        tell(cma, parents)

    monkeypatch.setattr(Cma, "tell", noticed)
    return seen


def test_a_generation_of_cma_es_is_told_whole_and_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = learned(monkeypatch)
    search = MapSearch(es(parents=4).plan(setting()))
    carry_out(search)
    assert len(seen) == 600 // 12
    values = np.array([bowl(x) for x in search.log.solutions])
    for generation, parents in enumerate(seen):
        numbers = np.arange(generation * 12, generation * 12 + 12)
        best = numbers[np.argsort(-values[numbers], kind="stable")][:4]
        assert np.array_equal(parents, search.log.solutions[best])


def under_way_at_once(options: MapSearchOptions, most: int) -> int:
    """How many evaluations it asks for before the first result."""
    search = MapSearch(options.plan(setting()))
    count = 0
    while count <= most and search.ask() is not None:
        count += 1
    return count


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (me(window=100, overflow=1.0), 3 * 8),
        (me(window=100, overflow=1.2), 3 * 10),  # 9.6 are not reached by 9
        (me(window=100, overflow=1.5), 3 * 12),
        (me(window=11, overflow=1.5), 11),
        (es(window=100), 12),
        (es(window=5), 5),
    ],
)
def test_an_emitter_waits_once_it_has_drawn_its_overflow_or_the_window_is_full(
    options: MapSearchOptions, asked: int
) -> None:
    assert under_way_at_once(options, 100) == asked


def test_work_goes_to_the_emitter_that_has_drawn_least(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Counter[int] = Counter()
    draw = _Line.draw

    def counted(line: Any, rng: np.random.Generator) -> tuple[Floats, int]:
        drawn[line._index] += 1
        return draw(line, rng)

    monkeypatch.setattr(_Line, "draw", counted)
    search = MapSearch(me().plan(setting()))
    waiting: deque[Batch] = deque()
    while not search.is_over:
        while (asked := search.ask()) is not None:
            waiting.append(asked)
        assert max(drawn.values()) - min(drawn.values()) <= 1 + 8
        search.tell(outcome_of(waiting.popleft()))
    assert len(drawn) == me().emitters


def test_late_draws_enter_the_map_but_no_update(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = learned(monkeypatch)
    options = me(emitters=1, overflow=1.5, evaluations=12)
    search = MapSearch(options.plan(setting()))
    batches = []
    while (batch := search.ask()) is not None:
        batches.append(batch)
    assert len(batches) == 10  # the window
    for batch in batches[:8]:
        search.tell(outcome_of(batch))
    (parents,) = seen
    drawn = {tuple(batch.genes[0]) for batch in batches[:8]}
    assert {tuple(parent) for parent in parents} <= drawn
    for batch in batches[8:]:
        search.tell(outcome_of(batch))
    assert len(seen) == 1
    assert search.archive.told == 10


def test_an_emitter_without_parents_starts_again_from_an_elite() -> None:
    """After the first evaluation nothing enters the map any more."""
    count = 0

    def falling(x: Floats) -> float:
        nonlocal count
        count += 1
        return -float(count)

    one_cell = GridOptions(measures=("x0",), resolution=(1,), ranges=((-2.0, 2.0),))
    search = MapSearch(me(emitters=1, overflow=1.0, evaluations=40).plan(setting(archive=one_cell)))
    carry_out(search, falling)
    assert search.archive.elites.tolist() == [0]
    assert search.log.parents[:16].tolist() == [NONE] * 16
    assert search.log.parents[16:].tolist() == [0] * 24
    spread = search.log.solutions[16:] - search.log.solutions[0]
    assert np.abs(spread.mean(axis=0)).max() < 0.05
    assert spread.std() == pytest.approx(0.05, rel=0.3)


def test_without_any_elite_an_emitter_starts_again_at_the_centre() -> None:
    search = MapSearch(me(emitters=1, evaluations=40).plan(setting()))
    carry_out(search, lambda x: np.nan)
    assert np.abs(search.log.solutions.mean(axis=0)).max() < 0.05
    assert (search.log.parents == NONE).all()


def test_cma_es_starts_again_anywhere_if_all_parents_are_equal() -> None:
    search = MapSearch(es(evaluations=36, sigma=0.01).plan(setting()))
    carry_out(search, lambda x: 1.0)
    middles = [search.log.solutions[12 * k : 12 * k + 12].mean(axis=0) for k in range(3)]
    assert np.abs(middles[0]).max() < 0.02
    assert all(np.abs(middles[k] - middles[k - 1]).max() > 0.1 for k in (1, 2))


@pytest.mark.parametrize("options", [me(), me(adaptation="published"), es()], ids=["cma-me", "published", "cma-es"])
def test_a_search_goes_on_after_any_number_of_evaluations_as_if_it_had_never_stopped(options: MapSearchOptions) -> None:
    search = MapSearch(options.plan(setting()))
    whole = history_of(carry_out(search))
    for stored in (0, 1, 9, 100, 257, options.evaluations - 1, options.evaluations):
        resumed = MapSearch(options.plan(setting()))
        resumed.resume(whole.first(stored))
        carry_out(resumed)
        assert np.array_equal(resumed.log.solutions, search.log.solutions)
        assert np.array_equal(resumed.log.parents, search.log.parents)
        assert np.array_equal(resumed.archive.elites, search.archive.elites)


def test_a_search_on_cells_that_move_goes_on_as_if_it_had_never_stopped() -> None:
    moving = SlidingOptions(measures=("x0", "x1"), resolution=(9, 9), grow_from=(3, 3), remap=30)
    search = MapSearch(me().plan(setting(archive=moving)))
    whole = history_of(carry_out(search))
    for stored in (150, 301, 399):
        resumed = MapSearch(me().plan(setting(archive=moving)))
        resumed.resume(whole.first(stored))
        carry_out(resumed)
        assert np.array_equal(resumed.log.solutions, search.log.solutions)
        assert np.array_equal(resumed.archive.elites, search.archive.elites)


def test_a_changed_result_is_noticed_when_the_log_is_repeated() -> None:
    search = MapSearch(es().plan(setting()))
    whole = history_of(carry_out(search))
    whole.total[5] += 100.0
    with pytest.raises(SearchError, match="differs"):
        MapSearch(es().plan(setting())).resume(whole)


def test_only_the_last_draws_are_drawn_again_when_a_search_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = history_of(carry_out(MapSearch(me().plan(setting()))))
    asked: list[Floats] = []
    ask = Cma.ask

    def counted(cma: Cma, rng: np.random.Generator) -> Floats:
        asked.append(ask(cma, rng))
        return asked[-1]

    monkeypatch.setattr(Cma, "ask", counted)
    MapSearch(me().plan(setting())).resume(whole)
    assert CHECKED <= len(asked) < CHECKED + 100 < len(whole)


def test_learning_again_from_a_log_takes_at_most_a_fifth_of_a_millisecond_per_evaluation() -> None:
    wide = setting(space=Vectors([-2.0] * 109, [2.0] * 109))
    options = CmaMe(objective="value", evaluations=3000, emitters=15)
    whole = history_of(carry_out(MapSearch(options.plan(wide))))
    seconds = []
    for _ in range(3):  # the least, since others use the machine too
        search = MapSearch(options.plan(wide))
        begin = time.thread_time()
        search.resume(whole)
        seconds.append(time.thread_time() - begin)
    assert min(seconds) / 3000 < 0.0002


def test_draws_stay_within_the_bounds() -> None:
    search = MapSearch(me(sigma=3.0).plan(setting()))
    carry_out(search, lambda x: float(x.sum()))
    solutions = search.log.solutions
    assert (np.abs(solutions) <= 2).all()
    assert (np.abs(solutions) == 2).any()


def test_cma_es_finds_the_best_point_and_cma_me_fills_the_map() -> None:
    found, filled = MapSearch(es(evaluations=2000).plan(setting())), MapSearch(me(evaluations=2000).plan(setting()))
    carry_out(found)
    carry_out(filled)
    assert found.archive.best > -1e-6
    assert len(filled.archive) > 2 * len(found.archive)


@pytest.mark.parametrize("algorithm", [me, es])
def test_spaces_of_other_solutions_are_refused_in_one_line(algorithm: Any) -> None:
    with pytest.raises(SearchError, match=r"^cma-.. needs solutions that are vectors of real numbers, [^\n]*$"):
        algorithm().plan(setting(space=Digits()))


@pytest.mark.parametrize(
    ("algorithm", "wrong", "message"),
    [
        (me, {"population": 500}, "at most evaluations"),
        (es, {"parents": 13}, "at most population"),
        (me, {"overflow": 0.9}, "greater than or equal to 1"),
        (me, {"sigma": 0.0}, "greater than 0"),
        (me, {"sigma": float("inf")}, "finite|less than"),
        (me, {"adaptation": "none"}, "full"),
        (es, {"emitters": 2}, "Extra|extra"),
    ],
)
def test_options_that_make_no_sense_are_refused(algorithm: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        algorithm(**wrong)


@pytest.mark.parametrize("options", [CmaMe(), CmaEs(), CmaEs(parents=20), CmaMe(population=3, evaluations=4)])
def test_a_smoke_run_still_completes_generations(options: CmaMe | CmaEs) -> None:
    small = type(options).model_validate(options.smoke().model_dump())  # all checks hold
    assert small.population <= small.evaluations <= 60


def test_cma_es_starts_around_the_mean_of_known_solutions() -> None:
    known = (np.full(LENGTH, -1.5), np.linspace(-1.0, 1.0, LENGTH))
    around_known = es(sigma=1e-3, evaluations=12).plan(replace(setting(), starts=known))
    in_the_middle = es(sigma=1e-3, evaluations=12).plan(setting())
    for plan, mean in ((around_known, np.mean(known, axis=0)), (in_the_middle, np.zeros(LENGTH))):
        drawn = np.array([batch.genes[0] for batch, _ in carry_out(MapSearch(plan))])
        assert np.abs(drawn - mean).max() < 0.01
        assert len({*map(bytes, drawn)}) == 12
