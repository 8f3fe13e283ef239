"""The loop of every run: the same result whatever happens, how a run stands, budgets, files that fail."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.play.stopping import Stopped
from deckatlas.runs import loop, writer
from deckatlas.runs.config import RunConfig
from deckatlas.runs.executors import Processes
from deckatlas.runs.lock import acquire, is_held, release
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.run_file import connect
from deckatlas.runs.store import open_store
from deckatlas.runs.tasks import Task
from deckatlas.runs.writer import Writer
from deckatlas.search.batches import Course, matchups
from deckatlas.search.map_search import MapSearch
from deckatlas.search.scripts import Script, Steps
from helpers.cpu_time import cpu_seconds_of, cpu_seconds_of_ended
from helpers.programs import wait_until
from helpers.runs import EVERY_ALGORITHM, digest_of, games_of, query, small_run, stop_after, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

GAMES = 480  # of both runs


@pytest.fixture(params=["evolution", "map"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def config(tmp_path: Path, kind: str) -> RunConfig:
    return small_run(kind, tmp_path)


@pytest.fixture
def evolution(tmp_path: Path) -> RunConfig:
    return small_run("evolution", tmp_path)


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of runs that nothing interrupts."""
    found = {}
    for kind in ("evolution", "map"):
        folder = tmp_path_factory.mktemp(kind)
        execute(small_run(kind, folder), folder / "unbroken.db", threads=2)
        found[kind] = digest_of(folder / "unbroken.db")
    return found


@pytest.fixture
def unbroken(kind: str, digests: dict[str, str]) -> str:
    return digests[kind]


# ---- the same result, whatever happens -------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_digest_does_not_depend_on_the_number_of_threads(
    tmp_path: Path, config: RunConfig, unbroken: str, threads: int
) -> None:
    path = tmp_path / "run.db"
    execute(config, path, threads=threads)
    assert digest_of(path) == unbroken


def test_a_pool_of_processes_gives_the_digest_of_threads(tmp_path: Path, config: RunConfig, unbroken: str) -> None:
    path = tmp_path / "run.db"
    with Processes(config.prepare(), 2) as executor:
        standing = execute(config, path, executor=executor)
    assert (standing.finished, standing.games) == (True, GAMES)
    assert digest_of(path) == unbroken


def test_processes_end_at_once_when_nobody_waits_for_their_tasks(tmp_path: Path) -> None:
    config = small_run("map", tmp_path)
    run = config.prepare()
    deck = config.make_space().random(np.random.default_rng(1))
    moment_of_games, minutes_of_games = (Task(run.hash, run.recheck_batch(deck, 0, games)) for games in (1, 10_000_000))
    with pytest.raises(KeyboardInterrupt), Processes(config.prepare(), 1) as executor:  # noqa: PT012
        executor.submit(moment_of_games).result()
        (child,) = executor._pool._processes
        begun = cpu_seconds_of(child)
        answers = [executor.submit(minutes_of_games) for _ in range(8)]
        wait_until(lambda: cpu_seconds_of(child) > begun + 0.2, seconds=300)  # it plays
        assert not answers[0].is_done
        before, interrupted = cpu_seconds_of(child) + cpu_seconds_of_ended(), time.monotonic()
        raise KeyboardInterrupt
    assert time.monotonic() - interrupted < 20
    assert cpu_seconds_of_ended() - before < 20
    assert all(isinstance(answer.error, Stopped) for answer in answers)


@pytest.mark.usefixtures("always_looking")
def test_a_run_begun_by_threads_is_resumed_by_processes(tmp_path: Path, config: RunConfig, unbroken: str) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(200))
    assert 0 < games_of(path) < GAMES
    with Processes(config.prepare(), 2) as executor:
        execute(config, path, executor=executor)
    assert digest_of(path) == unbroken


@pytest.mark.usefixtures("always_looking")
def test_a_run_that_is_stopped_again_and_again_ends_with_the_digest_of_an_unbroken_one(
    tmp_path: Path, config: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "broken.db"
    seen = []
    for games in (0, 1, 50, 51, 200, 300):
        with pytest.raises(KeyboardInterrupt):
            execute(config, path, watch=stop_after(games), threads=1)
        seen.append(games_of(path))
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert 0 < seen[-1] < GAMES
    standing = execute(config, path)
    assert (standing.finished, standing.stored, standing.games) == (True, seen[-1], GAMES)
    assert digest_of(path) == unbroken


def test_a_run_that_is_stopped_at_its_very_end_is_finished_by_the_next(
    tmp_path: Path, config: RunConfig, unbroken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"

    def interrupted(self: Writer) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "finish", interrupted)
        with pytest.raises(KeyboardInterrupt):
            execute(config, path)
    assert games_of(path) == GAMES  # only that it is finished is not stored yet
    standing = execute(config, path)
    assert (standing.finished, standing.stored, standing.games) == (True, GAMES, GAMES)
    assert digest_of(path) == unbroken


@pytest.mark.parametrize("kind", ["map"])
@pytest.mark.parametrize(
    ("place", "seconds", "calls", "stored"),
    [((MapSearch, "tell"), 60.0, 3, 2), ((Writer, "add"), 0.0, 1, 1), ((Writer, "add"), 0.0, 3, 3)],
)
def test_a_map_interrupted_while_something_is_noted_is_resumed(
    tmp_path: Path,
    config: RunConfig,
    unbroken: str,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[type, str],
    seconds: float,
    calls: int,
    stored: int,
) -> None:
    path = tmp_path / "run.db"
    with monkeypatch.context() as patch:
        patch.setattr(loop, "_STORE_SECONDS", seconds)
        patch.setattr(loop, "_TOLD_TOGETHER", 1)
        patch.setattr(*place, interrupted_after(calls, getattr(*place)))
        with pytest.raises(KeyboardInterrupt):
            execute(config, path)
    with open_store(path) as store:
        assert store.progress().evaluations == stored
    execute(config, path)
    assert digest_of(path) == unbroken


@pytest.mark.parametrize(
    "place",
    [
        (Script, "tell"),
        (MapSearch, "tell"),
        (Writer, "begin"),
        (Writer, "add"),
        (Writer, "set_elites"),
        (Writer, "finish"),
        (loop, "rows_of"),
        (loop, "chained_hash"),
    ],
    ids=lambda place: f"{place[0].__name__}.{place[1]}",
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_interrupted_again_and_again_at_one_place_is_resumed(
    tmp_path: Path,
    config: RunConfig,
    unbroken: str,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[Any, str],
    when: str,
) -> None:
    path = tmp_path / "run.db"
    done = getattr(*place)
    for calls in (1, 2, 5):
        with monkeypatch.context() as patch:
            patch.setattr(loop, "_STORE_SECONDS", 0.0)
            patch.setattr(loop, "_TOLD_TOGETHER", 1)
            patch.setattr(loop, "_ELITE_SECONDS", 0.0)
            patch.setattr(*place, (interrupted_after if when == "after" else interrupted_before)(calls, done))
            try:
                execute(config, path, threads=1)
            except KeyboardInterrupt:
                continue
    assert execute(config, path).finished
    assert digest_of(path) == unbroken


def interrupted_after(calls: int, done: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, but it is interrupted after the call with this number."""
    left = iter(range(calls, 0, -1))

    def function(*given: Any, **options: Any) -> Any:
        result = done(*given, **options)
        if next(left, 0) == 1:
            raise KeyboardInterrupt
        return result

    return function


def interrupted_before(calls: int, done: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, but it is interrupted before the call with this number."""
    left = iter(range(calls, 0, -1))

    def function(*given: Any, **options: Any) -> Any:
        if next(left, 0) == 1:
            raise KeyboardInterrupt
        return done(*given, **options)

    return function


# ---- how a run stands ------------------------------------------------------------------------------------------------


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, config: RunConfig) -> None:
    path = tmp_path / "run.db"
    first = execute(config, path)
    before = path.read_bytes()
    again = execute(config, path)
    assert path.read_bytes() == before
    assert (again.generation, again.best, again.games) == (first.generation, first.best, first.games)
    assert (again.evaluations, again.archive, again.objective) == (first.evaluations, first.archive, first.objective)
    assert (again.finished, again.stored) == (True, again.games)


@pytest.mark.usefixtures("always_looking")
def test_what_is_watched_only_grows_and_ends_with_the_result(tmp_path: Path, config: RunConfig) -> None:
    seen: list[Standing] = []
    standing = execute(config, tmp_path / "run.db", watch=seen.append)
    assert all(one.games <= other.games for one, other in pairwise(seen))
    assert all(one.evaluations <= other.evaluations for one, other in pairwise(seen))
    assert (seen[0].games, seen[-1].games, standing.games, standing.planned) == (0, GAMES, GAMES, GAMES)
    assert (seen[-1].generation, seen[-1].best) == (standing.generation, standing.best)
    assert seen[0].generation == (0 if config.archive is None else None)
    assert (standing.archive is None) == (config.archive is None)


# ---- budgets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_every_algorithm_can_be_run_and_keeps_its_budget(tmp_path: Path, algorithm: str) -> None:
    config = read_config(write_config(tmp_path, EVERY_ALGORITHM[algorithm]), smoke=True)
    path = tmp_path / "run.db"
    played: list[int] = []
    standing = execute(config, path, watch=lambda standing: played.append(standing.games))
    assert config.budget is not None
    assert 0 < standing.games == standing.planned <= config.budget
    assert (standing.finished, standing.generation is None, max(played)) == (True, False, standing.games)
    assert games_of(path) == standing.games


def test_a_batch_beyond_the_budget_is_never_played(
    tmp_path: Path, evolution: RunConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    zero, seeds = np.zeros(1, dtype=np.int32), np.arange(481, dtype=np.uint64)
    one_too_many = matchups(np.zeros((1, 160)), (Course(seeds, seeds),), zero, zero, zero)

    def steps() -> Steps:
        yield one_too_many

    wants_too_much = Script(steps(), games=480)
    monkeypatch.setattr(RunConfig, "_make_search", lambda self, setting: wants_too_much)
    monkeypatch.setattr(LocmMatchups, "evaluate", lambda *given, **options: pytest.fail("it was played"))
    with pytest.raises(RuntimeError, match="asked for 481 games after 0 of 480"):
        execute(evolution, tmp_path / "run.db")
    assert games_of(tmp_path / "run.db") == 0


def test_a_random_population_that_a_search_begins_with_has_cost_no_games(tmp_path: Path, evolution: RunConfig) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(evolution, path, watch=stop_after(0))
    initial = evolution.prepare().make_search().initial
    assert initial is not None
    for cost in (0, 24):  # before the first batch, and with the first generation that games were played for
        with open_store(path) as store:
            first, *others = store.generations()
            assert np.array_equal(store.population(0)[0], initial.genomes)
        assert (first.number, first.evaluations, first.games) == (0, 0, 0)
        assert [row.games for row in others[:1]] == ([cost] if cost else [])
        execute(evolution, path)


# ---- files that vanish -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("always_looking")
def test_a_lock_that_somebody_removes_is_not_missed(tmp_path: Path, config: RunConfig, unbroken: str) -> None:
    path = tmp_path / "runs" / "run.db"
    lock = tmp_path / "runs" / "run.db-lock"
    execute(config, path, watch=lambda standing: lock.unlink(missing_ok=True))
    assert digest_of(path) == unbroken
    assert not lock.exists()


def test_the_lock_of_another_process_stays(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    lock = tmp_path / "run.db-lock"
    with writer.open_to_write(path):
        lock.unlink()
        other = acquire(path)
        assert other is not None
    assert is_held(path)
    release(path, other)
    assert not lock.exists()


@pytest.mark.usefixtures("always_looking")
@pytest.mark.parametrize("what", ["store", "folder"])
def test_a_store_that_somebody_removes_is_one_line(
    tmp_path: Path, evolution: RunConfig, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = tmp_path / "runs" / "run.db"
    monkeypatch.setattr(loop, "_STORE_SECONDS", 0.0)

    def remove(standing: Standing) -> None:
        if standing.games > 100:
            path.unlink(missing_ok=True)
            if what == "folder":
                shutil.rmtree(path.parent, ignore_errors=True)

    with pytest.raises(RunError, match=f"{path} cannot be written") as error:
        execute(evolution, path, watch=remove)
    assert "\n" not in str(error.value)


# ---- full disks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pages", [1, 12, 16, 20, 24])
def test_a_full_disk_stops_the_run_and_leaves_a_store_that_can_be_resumed(
    tmp_path: Path, config: RunConfig, unbroken: str, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    path = tmp_path / "run.db"

    def limited(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(loop, "_STORE_SECONDS", 0.0)
        patch.setattr(writer, "connect", limited)
        with pytest.raises(RunError) as error:
            execute(config, path)
    assert str(error.value).startswith(f"the disk is full: {path} has everything up to its last commit")
    assert query(path, "PRAGMA integrity_check") == "ok"
    assert execute(config, path).finished
    assert digest_of(path) == unbroken
