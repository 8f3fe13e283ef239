"""Measures the studio: the size of its first page, how soon it is painted, a frame of a large map, what listeners cost.

A folder of 200 runs, of which one has 10,000 evaluations on a map of 100 x 100 cells, is made in a temporary folder and
opened in the system's Chromium; 20 clients listen to a run that is written meanwhile. What listeners cost is CPU time
of the run per evaluation, which other processes hardly change. Usage, after `make pages`: python
experiments/studio/measure.py [WHAT...], some minutes; prints JSON, and keeps it in `measured.json`.
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
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from socket import SHUT_RDWR
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from deckatlas import hearthstone
from deckatlas.stats.means import mean_interval

PROGRAM = Path(sys.executable).parent / "deckatlas"
RUNS = 200
EVALUATIONS = 10_000
SIDE = 100  # cells of the large map on each axis
REPEATS = 5
CLIENTS = 20
BLOCKS = 120
WINDOW_SECONDS = 1.5
SETTLE_SECONDS = 0.25
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
    """CPU seconds per evaluation of one run, with and without 20 clients that listen, in windows that take turns.

    The clock of the machine changes within seconds. So each block has four windows (alone, followed, followed, alone),
    and is compared with itself.
    """
    costs: list[float] = []
    heard: list[int] = []
    used: dict[bool, list[float]] = {False: [], True: []}
    with TemporaryDirectory() as live, served(Path(live)) as (address, _), _watched(Path(live) / "run.db") as looks:
        for _ in range(BLOCKS):
            block: dict[bool, list[float]] = {False: [], True: []}
            for is_followed in (False, True, True, False):
                with _listening(address, "run", heard) if is_followed else nullcontext():
                    time.sleep(SETTLE_SECONDS)
                    begun = time.monotonic()
                    time.sleep(WINDOW_SECONDS)
                    block[is_followed].append(_cpu_per_evaluation(looks, begun))
            costs.append(100 * (sum(block[True]) / sum(block[False]) - 1))
            for is_followed, values in block.items():
                used[is_followed] += values
    found = mean_interval(costs)
    return {
        "cost of listeners, %": round(found.value, 2),
        "its 95 % interval": [round(found.low, 2), round(found.high, 2)],
        "median of blocks, %": round(statistics.median(costs), 2),
        "blocks": BLOCKS,
        "CPU ms per evaluation alone": round(1000 * statistics.mean(used[False]), 4),
        "CPU ms per evaluation with 20 listeners": round(1000 * statistics.mean(used[True]), 4),
        "evaluations": looks[-1].evaluations,
        "events heard by all clients": len(heard),
    }


class Look(NamedTuple):
    """A moment of a run: when it was, what was evaluated by then, and the CPU seconds of its process."""

    time: float
    evaluations: int
    cpu: float


# Prints a line for each look, several times a second; the clock is that of the whole machine.
_RUN = """
import sys, time
from deckatlas import hearthstone
def watch(now):
    print(time.monotonic(), now.evaluations, time.process_time(), flush=True)
hearthstone.map_elites("hunter", pilot="random", evaluations=10**6, games=2, resolution=20, seed=1, threads=1,
                       path=sys.argv[1], watch=watch)
"""


@contextmanager
def _watched(path: Path) -> Iterator[list[Look]]:
    """A run in a process of its own, which ends with the block, and its looks so far."""
    looks: list[Look] = []
    with subprocess.Popen([sys.executable, "-c", _RUN, path], stdout=subprocess.PIPE, text=True) as run:

        def read() -> None:
            for line in run.stdout or ():
                when, evaluations, cpu = line.split()
                looks.append(Look(float(when), int(evaluations), float(cpu)))

        reader = Thread(target=read)
        reader.start()
        while not looks and run.poll() is None:
            time.sleep(0.02)
        try:
            yield looks
        finally:
            run.kill()
            reader.join()


def _cpu_per_evaluation(looks: list[Look], begun: float) -> float:
    """CPU seconds per evaluation since a moment, from the first look after it to the newest."""
    own = [look for look in list(looks) if look.time >= begun]
    return (own[-1].cpu - own[0].cpu) / (own[-1].evaluations - own[0].evaluations)


@contextmanager
def _listening(address: str, run: str, heard: list[int]) -> Iterator[None]:
    """20 clients that listen to a run, and note every event."""
    host = address.removeprefix("http://")
    connections = [HTTPConnection(host) for _ in range(CLIENTS)]

    def follow(connection: HTTPConnection) -> None:
        connection.request("GET", f"/api/events?run={run}")
        answer = connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"data:"):
                heard.append(1)

    threads = [Thread(target=follow, args=(each,)) for each in connections]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for connection in connections:
            if connection.sock is not None:
                connection.sock.shutdown(SHUT_RDWR)
        for thread in threads:
            thread.join()


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
