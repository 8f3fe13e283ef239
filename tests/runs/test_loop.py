"""The loop: budgets, resuming, what a resumed run is held to, and disks that are full."""

import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.errors import RunError
from deckatlas.games.locm.arena import Arena
from deckatlas.runs import writer
from deckatlas.runs.config import RunConfig
from deckatlas.runs.lock import acquire, is_held, release
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.matchups import MatchupWriter, open_store
from deckatlas.runs.run_file import connect
from deckatlas.search import active_genes, scripts
from deckatlas.search.protocol import Ask, Course, Generation, Genomes, Scores
from helpers.runs import EVERY_ALGORITHM, digest_of, read_search, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    return read_search(write_config(tmp_path), settings=["budget=480"])


@pytest.fixture
def unbroken(tmp_path: Path, config: RunConfig) -> str:
    path = tmp_path / "unbroken.db"
    execute(config, path)
    return digest_of(path)


def stop_after(games: int) -> Callable[[Standing], None]:
    def watch(standing: Standing) -> None:
        if standing.games >= games:
            raise KeyboardInterrupt

    return watch


def games_of(path: Path) -> int:
    with open_store(path) as store:
        return store.counts()[1]


# ---- resuming --------------------------------------------------------------------------------------------------------


def test_a_run_that_is_stopped_again_and_again_ends_with_the_digest_of_an_unbroken_one(
    tmp_path: Path, config: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "broken.db"
    seen = []
    for games in (0, 1, 50, 51, 200, 479):
        with pytest.raises(KeyboardInterrupt):
            execute(config, path, watch=stop_after(games))
        seen.append(games_of(path))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 480)  # all is played, and only that it is finished is not stored yet
    standing = execute(config, path)
    assert (standing.finished, standing.stored, standing.games) == (True, seen[-1], 480)
    assert digest_of(path) == unbroken


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, config: RunConfig) -> None:
    path = tmp_path / "run.db"
    first = execute(config, path)
    before = path.read_bytes()
    again = execute(config, path)
    assert path.read_bytes() == before
    assert (again.generation, again.best, again.games) == (first.generation, first.best, first.games)
    assert (again.finished, again.stored) == (True, again.games)


def test_the_digest_does_not_depend_on_the_number_of_threads(tmp_path: Path, config: RunConfig, unbroken: str) -> None:
    for threads in (1, 3):
        path = tmp_path / f"{threads}.db"
        execute(config, path, threads=threads)
        assert digest_of(path) == unbroken


def test_what_is_watched_only_grows_and_ends_with_the_result(tmp_path: Path, config: RunConfig) -> None:
    seen: list[Standing] = []
    standing = execute(config, tmp_path / "run.db", watch=seen.append)
    assert all(one.games <= other.games for one, other in pairwise(seen))
    assert (seen[0].games, seen[-1].games, standing.games, standing.planned) == (0, 480, 480, 480)
    assert (seen[0].generation, seen[-1].generation, seen[-1].best) == (0, standing.generation, standing.best)


def test_another_configuration_is_refused_with_a_differing_key(tmp_path: Path, config: RunConfig) -> None:
    path = tmp_path / "run.db"
    execute(config, path)
    before = path.read_bytes()
    for change, words in (
        ({"seed": 6}, "with seed = 5 instead of seed = 6"),
        ({"budget": 960}, "with budget = 480 instead of budget = 960"),
        ({"arena": config.arena.model_copy(update={"pilot": "pass"})}, "evaluation.pilot = 'random' instead of "),
    ):
        with pytest.raises(RunError) as error:
            execute(config.model_copy(update=change), path, advice="do something else")
        assert words in str(error.value)
        assert str(error.value).endswith(": do something else")
    assert path.read_bytes() == before


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(statement).rowcount >= 1
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE asks SET hash = zeroblob(32) WHERE number = 3", "ask 3 differs"),
        ("UPDATE run SET cards = 'others'", "cards are not the same"),
    ],
)
def test_a_store_of_another_version_is_refused_and_left_as_it_is(
    tmp_path: Path, config: RunConfig, statement: str, words: str
) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(200))
    change(path, statement)
    before = path.read_bytes()
    with pytest.raises(RunError) as error:
        execute(config, path)
    assert "was written by another version (deckatlas " in str(error.value)
    assert words in str(error.value)
    assert path.read_bytes() == before


def test_a_search_or_games_that_go_otherwise_now_are_refused(
    tmp_path: Path, config: RunConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(200))
    before = path.read_bytes()
    ranked, play = scripts.ranked, Arena.play

    def otherwise_ranked(
        odd: int, number: int, genomes: Genomes, scores: Scores, facts: dict[str, float]
    ) -> Generation:
        return ranked(number, genomes, scores, {} if number == odd else facts)

    def otherwise_played(arena: Arena, ask: Ask, **options: Any) -> npt.NDArray[np.int32]:
        return play(arena, ask, **options) + np.int32(1)

    for target, name, value, words in (
        (active_genes, "ranked", partial(otherwise_ranked, 0), "the initial generation differs"),
        (active_genes, "ranked", partial(otherwise_ranked, 3), "the generation after ask 8 differs"),
        (Arena, "play", otherwise_played, "the games of ask 24 end otherwise now"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            with pytest.raises(RunError, match=f"was written by another version .* {words}"):
                execute(config, path)
    assert path.read_bytes() == before


# ---- budgets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_every_algorithm_can_be_run_and_keeps_its_budget(tmp_path: Path, algorithm: str) -> None:
    config = read_search(write_config(tmp_path, EVERY_ALGORITHM[algorithm]), smoke=True)
    path = tmp_path / "run.db"
    played: list[int] = []
    standing = execute(config, path, watch=lambda standing: played.append(standing.games))
    assert config.budget is not None
    assert 0 < standing.games == standing.planned <= config.budget
    assert (standing.finished, standing.generation is None, max(played)) == (True, False, standing.games)
    assert games_of(path) == standing.games


class WantsTooMuch:
    """A search that wants one game more than it said."""

    games = 480
    initial = None

    def ask(self) -> Ask | None:
        zero, seeds = np.zeros(1, dtype=np.int32), np.arange(481, dtype=np.uint64)
        return Ask(np.zeros((1, 160)), (Course(seeds, seeds),), zero, zero, zero)

    def tell(self, wins: npt.NDArray[np.integer[Any]]) -> Generation | None:
        raise AssertionError("nothing was to be played")


def test_an_ask_beyond_the_budget_is_never_played(
    tmp_path: Path, config: RunConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunConfig, "make_search", lambda self, arena: WantsTooMuch())
    monkeypatch.setattr(Arena, "play", lambda *arguments, **options: pytest.fail("it was played"))
    with pytest.raises(RuntimeError, match="asked for 481 games after 0 of 480"):
        execute(config, tmp_path / "run.db")
    assert games_of(tmp_path / "run.db") == 0


def test_a_random_population_that_a_search_begins_with_has_cost_no_games(tmp_path: Path, config: RunConfig) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(0))
    initial = config.make_search(config.make_arena()).initial
    assert initial is not None
    for cost in (0, 24):  # before the first ask, and with the first generation that games were played for
        with open_store(path) as store:
            first, *others = store.generations()
            assert np.array_equal(store.population(0)[0], initial.genomes)
        assert (first.number, first.ask, first.games) == (0, None, 0)
        assert [row.games for row in others[:1]] == ([cost] if cost else [])
        execute(config, path)


# ---- files that vanish -----------------------------------------------------------------------------------------------


def test_a_lock_that_somebody_removes_is_not_missed(tmp_path: Path, config: RunConfig, unbroken: str) -> None:
    path = tmp_path / "runs" / "run.db"
    lock = tmp_path / "runs" / "run.db-lock"
    execute(config, path, watch=lambda standing: lock.unlink(missing_ok=True))
    assert digest_of(path) == unbroken
    assert not lock.exists()


def test_the_lock_of_another_process_stays(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    lock = tmp_path / "run.db-lock"
    with writer.open_to_write(path, MatchupWriter):
        lock.unlink()
        other = acquire(path)
        assert other is not None
    assert is_held(path)
    release(path, other)
    assert not lock.exists()


@pytest.mark.parametrize("what", ["store", "folder"])
def test_a_store_that_somebody_removes_is_one_line(tmp_path: Path, config: RunConfig, what: str) -> None:
    path = tmp_path / "runs" / "run.db"

    def remove(standing: Standing) -> None:
        if standing.games > 100:
            path.unlink(missing_ok=True)
            if what == "folder":
                shutil.rmtree(path.parent, ignore_errors=True)

    with pytest.raises(RunError, match=f"{path} cannot be written") as error:
        execute(config, path, watch=remove)
    assert "\n" not in str(error.value)


# ---- full disks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pages", [1, 12, 14, 20, 30])
def test_a_full_disk_stops_the_run_and_leaves_a_store_that_can_be_resumed(
    tmp_path: Path, config: RunConfig, unbroken: str, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    path = tmp_path / "run.db"

    def limited(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(writer, "connect", limited)
        with pytest.raises(RunError) as error:
            execute(config, path)
    assert str(error.value).startswith(f"the disk is full: {path} holds all that came before")
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert execute(config, path).finished
    assert digest_of(path) == unbroken
