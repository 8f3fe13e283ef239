"""A studio for tests: its application in a thread, a folder of runs to look at, and a browser."""

import asyncio
import fcntl
import os
import socket
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize

import deckatlas
from deckatlas import hearthstone, locm
from deckatlas.balancing.study import Study
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_from
from deckatlas.studio import has_pages
from deckatlas.studio.app import Options
from deckatlas.studio.server import Server

Result = TypeVar("Result")

LONG = 60  # seconds that something may take on a busy machine; nothing that works takes as long
WIDE = ViewportSize(width=1440, height=900)
NARROW = ViewportSize(width=400, height=800)
SCREENSHOTS = os.environ.get("DECKATLAS_SCREENSHOTS", "")  # a folder to leave pictures in
# Chromium asks its maker's servers for all kinds of things; none of them is reachable in tests.
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first process of a test session makes, and all others share; it is not to be written."""
    root = factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder, is_made = root / name / "runs", root / name / "made"
    folder.parent.mkdir(exist_ok=True)
    with open(root / name / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_made.exists():
            make(folder)
            is_made.touch()
    return folder


def write_runs(folder: Path) -> None:
    """Writes the folder of runs that journeys walk through: a map of decks with everything, and one of another game."""
    hearthstone.map_elites(
        "hunter",
        pilot="greedy",
        evaluations=60,
        games=20,
        resolution=5,
        seed=1,
        recheck=10,
        cards=("events", "swap-outs"),
        path=folder / "hunter.db",
    )
    drafted = folder / "more" / "drafted decks.db"
    fewer = ["search.initial=12"]  # so that most decks are children of others
    locm.map_elites("deck", evaluations=40, games=20, resolution=5, seed=1, settings=fewer, path=drafted)
    locm.map_elites("draft", evaluations=30, games=20, resolution=4, seed=2, path=folder / "policies.db")


def write_trials(folder: Path) -> None:
    """Three trials of each of two searches, one with a surrogate, a map of draft policies, and an evolution."""
    for algorithm, settings in {"map-elites": ["search.initial=30"], "random-solutions": []}.items():
        for seed in (1, 2, 3):
            locm.map_elites(
                "deck",
                algorithm=algorithm,
                evaluations=120,
                games=6,
                resolution=5,
                seed=seed,
                settings=settings,
                path=folder / f"{algorithm}-{seed}.db",
            )
    hearthstone.map_elites(
        "hunter",
        pilot="greedy",
        algorithm="dsa-me",
        evaluations=120,
        games=4,
        resolution=5,
        seed=1,
        settings=["search.initial=60"],
        path=folder / "surrogate.db",
    )
    locm.map_elites(
        "draft",
        evaluations=40,
        games=6,
        measures=["num_turns"],
        resolution=5,
        path=folder / "policies.db",
    )
    tables = {
        "budget": 4000,
        "space": {"kind": "locm-draft", "genome": {"kind": "priorities"}},
        "evaluation": {"pilot": "random", "format": "distinct"},
        "search": {"algorithm": "E_aw", "population": 10, "training_drafts": 4},
    }
    for seed in (1, 2):
        execute(
            config_from({"name": f"evolution-{seed}", "seed": seed, **tables}, name="evolution"),
            folder / f"evolution-{seed}.db",
        )


FIELD = (
    "Midrange Hunter (ladder)",
    "Zoo (ladder 1)",
    "Aggro Mage",
    "Midrange Paladin",
    "Token Druid",
    "Tempo Rogue (Classic)",
)


def write_studies(folder: Path) -> tuple[Study, Study]:
    """Two balance studies: of Hearthstone with searches and a card that is far too good, and of the other game."""
    folder.mkdir(parents=True, exist_ok=True)
    field = folder / "six decks.toml"
    field.write_text('pilot = "greedy"\n' + "".join(f'\n[[deck]]\ndeck = "{deck}"\n' for deck in FIELD))
    of_decks = deckatlas.balance(
        hearthstone.Patch("houndmaster-9-9", {"Houndmaster": {"cost": 1, "attack": 9, "health": 9}}),
        meta=str(field),
        effort="normal",
        intents=["hunter win rate in 40..45", "Houndmaster in at most 30 % of hunter elites"],
        search_pilots=["greedy"],
        games=1200,
        trials=4,
        evaluations=60,
        evaluation_games=6,
        resolution=4,
        mix_games=4,
        store=folder,
    )
    slimer = locm.Patch("slimer <b>5-5</b>", {"Slimer": {"attack": 5, "defense": 5}})
    of_drafts = deckatlas.balance(slimer, game="locm", games=840, store=folder)
    return of_decks, of_drafts


@contextmanager
def served(options: Options) -> Iterator[str]:
    """Serves a studio while the block runs; yields its address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        server = Server(options)
        thread = Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
        thread.start()
        end = monotonic() + LONG
        while not server.started and monotonic() < end:
            sleep(0.01)
        try:
            yield f"http://127.0.0.1:{found.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


def in_a_loop_of_its_own(work: Coroutine[Any, Any, Result]) -> Result:
    """Carries out a coroutine in another thread: in this one, the browser's loop runs once a test has used it."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()


def browser_of(playwright: Playwright) -> Browser:
    """The system's Chromium; tests that need it are skipped where it, or the built pages, are missing."""
    chromium = which("chromium") or which("chromium-browser") or which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    if not has_pages():
        pytest.skip("the pages are not built: make pages")
    return playwright.chromium.launch(executable_path=chromium, args=_FLAGS)


def picture(page: Page, name: str) -> None:
    """Leaves a picture of the whole page, if DECKATLAS_SCREENSHOTS names a folder."""
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png", full_page=True)
