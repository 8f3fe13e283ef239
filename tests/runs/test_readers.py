"""Those who read a run while it is written: they see one moment, wait for news, and hold nobody up."""

import sqlite3
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from deckatlas.runs import loop, run_file
from deckatlas.runs.library import summaries, wait_for_news
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.rows import RunProgress
from deckatlas.runs.store import Store, open_store
from deckatlas.runs.verification import check_store, run_digest
from deckatlas.runs.view import RunView, open_run
from deckatlas.runs.writer import open_to_write
from helpers.maps import hunters
from helpers.runs import digest_of, write_config
from helpers.stores import add_steps, steps_of

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

LONG_SECONDS = 30.0


@pytest.fixture(autouse=True)
def stores_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets runs store and show everything at once."""
    monkeypatch.setattr(loop, "_STORE_SECONDS", 0.0)
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(loop, "_ELITE_SECONDS", 0.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a run end with an error where it would have to wait for somebody else."""
    monkeypatch.setattr(run_file, "BUSY_SECONDS", 0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("kind", ["evolution", "map"])
def test_a_reader_sees_one_moment_and_the_writer_does_not_wait_for_it(tmp_path: Path, kind: str) -> None:
    config = read_config(write_config(tmp_path)) if kind == "evolution" else hunters(tmp_path, "search.evaluations=60")
    path = tmp_path / "runs" / "run.db"
    opened: list[Store] = []
    seen: list[RunProgress] = []

    def read(standing: Standing) -> None:
        """Opens a reader that stays, whenever the run has got further; its transaction begins here."""
        if len(opened) < 5 and standing.evaluations > 8 * len(opened):
            store = readers.enter_context(open_store(path))
            seen.append(store.progress())
            opened.append(store)

    with ExitStack() as readers:
        execute(config, path, watch=read)
        assert len(opened) == 5
        assert len({progress.evaluations for progress in seen}) >= 4
        for store, progress in zip(opened, seen, strict=True):
            assert store.progress() == progress
            assert len(store.history()) == progress.evaluations
            check_store(store)
        opened[0].refresh()
        assert opened[0].run().finished is not None
        assert opened[0].progress().games == config.prepare().make_search().games
    elsewhere = tmp_path / "elsewhere.db"
    execute(config, elsewhere)
    assert digest_of(path) == digest_of(elsewhere)
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


@pytest.mark.usefixtures("impatient")
def test_a_reader_with_any_other_program_does_not_hold_up_the_writer(tmp_path: Path) -> None:
    config, path = hunters(tmp_path, "search.evaluations=60"), tmp_path / "run.db"
    connections: list[sqlite3.Connection] = []

    def read(standing: Standing) -> None:
        if standing.evaluations > 10 and not connections:
            connections.append(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None))
            connections[0].execute("BEGIN")
            connections[0].execute("SELECT count(*) FROM evaluations").fetchall()

    execute(config, path, watch=read)
    with closing(connections[0]) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM evaluations").fetchall()
        assert 0 < count < 60
    assert open_run(path).log.evaluations == 60


@pytest.mark.usefixtures("always_looking")
def test_a_run_is_whole_at_every_moment_at_which_it_is_looked_at(tmp_path: Path) -> None:
    config, path = hunters(tmp_path, "search.evaluations=60"), tmp_path / "run.db"
    moments = []

    def look(standing: Standing) -> None:
        with open_store(path) as store:
            check_store(store)
        view = open_run(path)
        assert view.log.evaluations == view.progress.evaluations
        assert len(view.elites()) == (view.statistics.elites if view.log.evaluations else 0)
        (summary,) = summaries(tmp_path)
        moments.append((summary.state, view.log.evaluations))

    execute(config, path, watch=look)
    assert {state for state, _ in moments[:-1]} == {"running"}
    assert [count for _, count in moments] == sorted(count for _, count in moments)
    assert len({count for _, count in moments}) > 10


def test_a_reader_waits_until_something_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run = hunters(tmp_path, "search.evaluations=30").prepare()
    first, second, third = (steps_of(run)[at : at + 10] for at in (0, 10, 20))
    with open_to_write(path) as writer:
        writer.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
        add_steps(writer, run, first)
        with open_store(path) as reader:
            assert reader.progress().evaluations == 10
            assert not wait_for_news(reader, seconds=0)
            assert not wait_for_news(reader, seconds=0.3)
            add_steps(writer, run, second)
            assert reader.progress().evaluations == 10  # it has not looked yet
            assert wait_for_news(reader, seconds=0)
            assert reader.progress().evaluations == 20
            news: list[tuple[bool, int, float]] = []

            def wait() -> None:
                with open_store(path) as other:
                    waiting.set()
                    arrived = wait_for_news(other, seconds=LONG_SECONDS)
                    news.append((arrived, other.progress().evaluations, time.monotonic()))

            waiting = threading.Event()
            thread = threading.Thread(target=wait)
            thread.start()
            waiting.wait()
            time.sleep(0.3)
            add_steps(writer, run, third)
            stored = time.monotonic()
            thread.join()
            ((arrived, evaluations, moment),) = news
            assert (arrived, evaluations) == (True, 30)
            assert moment - stored < 5


def test_news_of_a_whole_run_arrive_until_it_is_finished(tmp_path: Path) -> None:
    config, path = hunters(tmp_path, "search.evaluations=60"), tmp_path / "run.db"
    begun = threading.Event()
    writer = threading.Thread(target=lambda: execute(config, path, watch=lambda _: begun.set()))
    writer.start()
    begun.wait()
    found = []
    with open_store(path) as store:
        found.append(store.progress().evaluations)
        while store.run().finished is None:
            if wait_for_news(store, seconds=LONG_SECONDS):
                found.append(store.progress().evaluations)
    writer.join()
    assert found == sorted(found)
    assert found[-1] == 60


def test_a_view_has_the_digest_of_its_own_moment(tmp_path: Path) -> None:
    """A run that goes on meanwhile does not change what was read of it."""
    config, path = hunters(tmp_path, "search.evaluations=60"), tmp_path / "run.db"
    views: list[RunView] = []

    def look(standing: Standing) -> None:
        if path.exists() and not views and open_run(path).progress.evaluations:
            views.append(open_run(path))

    execute(config, path, watch=look)
    (view,) = views
    assert 0 < view.progress.evaluations < 60
    with open_store(path) as store:
        assert view.digest == run_digest(store, view.progress.evaluations)
        assert view.digest != run_digest(store)
