"""Takes the pictures of docs/studio.md and the README, and with --all those of every page, to be looked at.

    python experiments/studio/pictures.py FOLDER [--all FOLDER]

It makes what they show in the first folder, unless that is there already: the demo's map of Paladin decks, two of the
other game and a balance study, always the same, in some minutes. With --all, whole pages come into another folder, in a
wide and a narrow window, light and dark. Chromium is the system's. Needs `make pages`.
"""

import argparse
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Page, sync_playwright

import deckatlas
from deckatlas import hearthstone, locm
from deckatlas.studio.app import Options

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from helpers.studio import NARROW, WIDE, browser_of, served

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
GAME = "/games?game=hearthstone&first=Midrange+Hunter+(ladder)&second=Zoo+(ladder+1)&seed=3&at=40"
Colours = Literal["light", "dark"]
WINDOWS = {"wide": WIDE, "narrow": NARROW}
# Of docs/studio.md: the page, the window and the colours.
KEPT: dict[str, tuple[str, str, Colours]] = {
    "map": ("map", "wide", "light"),
    "map-dark": ("map", "wide", "dark"),
    "deck": ("deck", "wide", "light"),
    "deck-narrow": ("deck", "narrow", "light"),
    "game": ("game", "wide", "light"),
    "game-narrow": ("game", "narrow", "dark"),
    "verdict": ("verdict", "wide", "light"),
}


def write_folder(folder: Path) -> None:
    """The map of the demo, two small ones of the other game, and a balance study."""
    subprocess.run([sys.executable, "-m", "deckatlas", "demo", "--folder", str(folder)], check=True)
    for seed in (1, 2):
        locm.map_elites("deck", evaluations=400, games=40, resolution=8, seed=seed, path=folder / f"drafted-{seed}.db")
    patch = hearthstone.Patch("highmane-costs-4", {"Savannah Highmane": {"cost": 4}})
    deckatlas.balance(
        patch,
        effort="normal",
        intents=["hunter win rate in 48..52", "Savannah Highmane in at most 40 % of hunter elites"],
        search_pilots=["greedy"],
        pilot="greedy",
        games=12_000,
        trials=4,
        evaluations=200,
        evaluation_games=20,
        resolution=6,
        store=folder,
    )


def addresses(best: int, study: str) -> dict[str, tuple[str, str]]:
    """The address of each page, and what it shows when it is ready."""
    return {
        "home": ("/", "tbody tr"),
        "run": ("/runs/paladin", "figure svg"),
        "map": ("/runs/paladin/map?open=1&cell=6,6", ".facts h2"),
        "deck": (f"/runs/paladin/decks/{best}", "figure svg"),
        "locm-deck": ("/runs/drafted-1/decks/7", "figure svg"),
        "game": (GAME, "figure svg"),
        "locm-game": ("/runs/drafted-1/decks/7/games/0?at=90", "figure svg"),
        "cards": ("/cards?run=paladin", "figure svg"),
        "compare": ("/compare?runs=drafted-1,drafted-2", "canvas"),
        "patches": ("/patches", "tbody tr"),
        "verdict": (f"/studies/{study}", "figure svg"),
        "metagames": ("/metagames", "tbody tr"),
        "help": ("/help", "h2"),
    }


# Panels that still wait for their answer say what they read.
_IS_READ = "() => ![...document.querySelectorAll('main p.soft')].some(each => /^Reading|^Loading/.test(each.innerText))"


def show(page: Page, address: str, ready: str) -> None:
    """Opens an address, and waits until everything that it asks for is there and drawn."""
    page.goto(address)
    page.locator(f"main {ready}").first.wait_for()
    page.wait_for_function(_IS_READ)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def main() -> None:
    """Takes all pictures."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path, help="The folder of what is shown.")
    asked.add_argument("--all", type=Path, metavar="FOLDER", help="Take whole pages into this folder instead.")
    given = asked.parse_args()
    if not given.folder.exists():
        write_folder(given.folder)
    best = deckatlas.open_run(given.folder / "paladin.db").best()
    study = next(given.folder.glob("*.study.json")).name.removesuffix(".study.json")
    pages = addresses(best.number if best else 0, study)
    with served(Options(given.folder)) as address, sync_playwright() as playwright:
        browser = browser_of(playwright)

        def opened(window: str, colours: Colours) -> Page:
            return browser.new_context(viewport=WINDOWS[window], color_scheme=colours, base_url=address).new_page()

        if given.all is None:
            for file, (name, window, colours) in KEPT.items():
                page = opened(window, colours)
                show(page, *pages[name])
                page.screenshot(path=PICTURES / f"{file}.png")
        else:
            given.all.mkdir(parents=True, exist_ok=True)
            for window, colours in product(WINDOWS, get_args(Colours)):
                page = opened(window, colours)
                for name in pages:
                    show(page, *pages[name])
                    page.screenshot(path=given.all / f"{name}-{window}-{colours}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
