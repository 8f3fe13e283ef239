"""Measures the studio: the size of its first page, how soon it is painted, a frame of a large map, what listeners cost.

A folder of 200 runs, of which one has 10,000 evaluations on a map of 100 x 100 cells, is made in a temporary folder and
opened in the system's Chromium; 20 clients listen to a run that is written meanwhile. What listeners cost is CPU time
of the run, which other processes hardly change: pairs of runs, with and without listeners, in turns. Usage, after `make
pages`: python experiments/studio/measure.py [WHAT...], some minutes; prints JSON, and keeps it in `measured.json`.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from deckatlas import hearthstone
from deckatlas.stats.means import mean_interval

PROGRAM = Path(sys.executable).parent / "deckatlas"
RUNS = 200
EVALUATIONS = 10_000
SIDE = 100  # cells of the large map on each axis
REPEATS = 5
CLIENTS = 20
PAIRS = 30
LISTENED_EVALUATIONS = 1000
KEPT = Path(__file__).with_name("measured.json")
LIMITS = {"first page, KB": 250, "first paint, ms": 1000, "frame of the map, ms": 16, "cost of listeners, %": 2}


def write_folder(folder: Path) -> None:
    """200 runs, one of them large."""
    hearthstone.map_elites(
        "hunter", pilot="random", evaluations=EVALUATIONS, games=2, resolution=SIDE, seed=1, path=folder / "large.db"
    )
    hearthstone.map_elites(
        "mage", pilot="random", evaluations=60, games=2, resolution=5, seed=1, path=folder / "run 0.db"
    )
    for number in range(1, RUNS - 1):
        shutil.copy(folder / "run 0.db", folder / f"run {number}.db")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A studio of the folder in a process of its own: its address, and the process."""
    command = [PROGRAM, "studio", folder, "--port", "0", "--no-open"]
    settings = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as studio:
        try:
            found = re.search(r"http://\S+", studio.stdout.readline() if studio.stdout else "")
            if found is None:
                raise SystemExit("the studio did not start")
            yield found[0].rstrip("/"), studio
        finally:
            studio.terminate()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a browser that has seen nothing of the studio yet."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
    yield context.new_page()
    context.close()


def first_page(folder: Path, browser: Browser) -> dict[str, Any]:
    """What the first page transfers until it is quiet."""
    with served(folder) as (address, _), opened(browser, address) as page:
        page.goto("/", wait_until="networkidle")
        files = page.evaluate(
            """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .map(each => [new URL(each.name).pathname, each.encodedBodySize])"""
        )
    pages = {name: size for name, size in files if not name.startswith("/api")}
    return {
        "first page, KB": round(sum(pages.values()) / 1000, 1),
        "files": len(pages),
        "data of the list, KB": round(sum(size for name, size in files if name.startswith("/api")) / 1000, 1),
    }


def paints(folder: Path, browser: Browser) -> dict[str, Any]:
    """First paints in a fresh browser: of a studio that has just started, and of one that knows the folder."""
    found: dict[str, list[float]] = {}
    for _ in range(REPEATS):
        with served(folder) as (address, _):
            for when in ("first start", "known folder"):
                with opened(browser, address) as page:
                    page.goto("/")
                    page.wait_for_function(f"() => document.querySelectorAll('main tbody tr').length >= {RUNS}")
                    found.setdefault(f"first paint of the list, {when}, ms", []).append(_painted(page))
                    found.setdefault(f"all runs listed, {when}, ms", []).append(
                        page.evaluate("() => performance.now()")
                    )
            with opened(browser, address) as page:
                page.goto("/runs/large")
                page.wait_for_function("() => document.querySelector('main')?.textContent.includes('10,000')")
                found.setdefault("first paint of the large run, ms", []).append(_painted(page))
                found.setdefault("large run shown, ms", []).append(_now(page))
    summary = {
        name: {"best": round(min(values)), "median": round(statistics.median(values)), "worst": round(max(values))}
        for name, values in found.items()
    }
    worst = max(value["median"] for name, value in summary.items() if "first paint" in name)
    return {"first paint, ms": worst, **summary}


def _painted(page: Page) -> float:
    return float(page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))


def _now(page: Page) -> float:
    return float(page.evaluate("() => performance.now()"))


def frames(folder: Path, browser: Browser) -> dict[str, Any]:
    """How long the map of 100 x 100 cells takes to be drawn once, at many moments of its filling."""
    with served(folder) as (address, _), opened(browser, address) as page:
        page.goto("/runs/large/map")
        page.wait_for_function("() => performance.getEntriesByName('map').length > 0")
        times = page.evaluate(_DRAW, EVALUATIONS)
    return {
        "frame of the map, ms": round(statistics.median(times), 2),
        "best, ms": round(min(times), 2),
        "worst of 20, ms": round(statistics.quantiles(times, n=20)[-1], 2),
        "frames": len(times),
    }


# Moves the slider over the filling, and waits each time until everything is on the canvas.
_DRAW = """async (evaluations) => {
    const slider = document.querySelector("input[type=range]");
    const context = document.querySelector("figure canvas").getContext("2d");
    const painted = () => performance.getEntriesByName("map");
    const times = [];
    for (let at = 1; at <= 60; at++) {
        const before = painted().length;
        slider.value = String(Math.round(at * evaluations / 61));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        while (painted().length === before) await new Promise((done) => setTimeout(done));
        const start = performance.now();
        context.getImageData(0, 0, 1, 1);
        times.push(painted().at(-1).duration + performance.now() - start);
    }
    return times;
}"""


def listeners(folder: Path, browser: Browser) -> dict[str, Any]:
    """CPU seconds of a run that nobody, or 20 clients, listen to, in turns; which of a pair is first changes, too."""
    pairs: list[tuple[float, float]] = []
    events: list[int] = []
    with TemporaryDirectory() as live, served(Path(live)) as (address, _):
        _cpu_of(_begun(Path(live) / "warm.db"))  # warms the caches of the machine
        for pair in range(PAIRS):
            used = {}
            for is_followed in (True, False) if pair % 2 else (False, True):
                path, heard = Path(live) / f"run-{pair}-{is_followed}.db", list[int]()
                run = _begun(path)
                if is_followed:
                    _listen(address, path.stem, heard)
                used[is_followed] = _cpu_of(run)
                if is_followed:
                    events.append(len(heard))
            pairs.append((used[False], used[True]))
    cost = [100 * (followed / alone - 1) for alone, followed in pairs]
    found = mean_interval(cost)
    return {
        "cost of listeners, %": round(found.value, 2),
        "its 95 % interval": [round(found.low, 2), round(found.high, 2)],
        "median of pairs, %": round(statistics.median(cost), 2),
        "pairs of runs": PAIRS,
        "CPU seconds of a run alone": round(statistics.mean(alone for alone, _ in pairs), 3),
        "CPU seconds of a run with 20 listeners": round(statistics.mean(followed for _, followed in pairs), 3),
        "events heard by all clients, per run": round(statistics.mean(events)),
    }


def _begun(path: Path) -> subprocess.Popen[bytes]:
    """A run in a process of its own, which has begun to write its store."""
    code = (
        "import sys; from deckatlas import hearthstone; "
        f"hearthstone.map_elites('hunter', pilot='random', evaluations={LISTENED_EVALUATIONS}, games=2, resolution=20, "
        "seed=1, threads=1, path=sys.argv[1])"
    )
    run = subprocess.Popen([sys.executable, "-c", code, str(path)])
    while not path.exists() and run.poll() is None:
        time.sleep(0.02)
    return run


def _cpu_of(run: subprocess.Popen[bytes]) -> float:
    """CPU seconds of a process, once it has ended."""
    _, _, used = os.wait4(run.pid, 0)
    run.returncode = 0  # it has been waited for
    return used.ru_utime + used.ru_stime


def _listen(address: str, run: str, heard: list[int]) -> None:
    """Lets 20 clients listen to a run until the studio ends, and note every event."""

    def follow() -> None:
        connection = HTTPConnection(address.removeprefix("http://"))
        connection.request("GET", f"/api/events?run={run}")
        answer = connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"data:"):
                heard.append(1)

    for _ in range(CLIENTS):
        Thread(target=follow, daemon=True).start()


PARTS = {"size": first_page, "paint": paints, "frames": frames, "listeners": listeners}


def main() -> None:
    """Measures what is asked for, prints it, and keeps it with what was measured before."""
    wanted = sys.argv[1:] or list(PARTS)
    measured: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    measured["limits"] = LIMITS
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        if wanted != ["listeners"]:
            write_folder(folder)
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for part in wanted:
            facts = {
                "command": f"python experiments/studio/measure.py {part}",
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "load": round(os.getloadavg()[0], 1),
                "cores": os.cpu_count(),
            }
            measured[part] = facts | PARTS[part](folder, browser)
        browser.close()
    text = json.dumps(measured, indent=1)
    print(text)
    KEPT.write_text(text + "\n")


if __name__ == "__main__":
    main()
