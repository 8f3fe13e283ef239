"""Compares our search for frequent sets with two libraries: the sets they find in maps of 400 decks, and times.

    python experiments/pattern-libraries/compare.py FOLDER

FOLDER gets the maps, which take some minutes, unless it has them. A library that is not installed (`pyfim`, `mlxtend`)
is left out, and one that takes more than a minute of CPU time is stopped.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from deckatlas import hearthstone
from deckatlas.patterns.frequent_sets import frequent_sets
from deckatlas.patterns.sources import decks_of_runs
from deckatlas.patterns.weighed_decks import WeighedDecks
from deckatlas.runs.view import RunView, open_run

SUPPORTS = (0.2, 0.1, 0.05)
MOST_SECONDS = 60

Item = tuple[int, int]  # a card, and which of its copies
Sets = set[frozenset[Item]]

MAPS: dict[str, Callable[[Path], RunView]] = {
    name: lambda path, name=name: hearthstone.map_elites(  # type: ignore[misc]
        name,
        pool="evosabber",
        edition="2018-12",
        pilot="planner:score=control",
        measures=["deck_mana_mean", "deck_mana_variance"],
        resolution=20,
        evaluations=10_000,
        games=20,
        seed=1,
        path=path,
    )
    for name in ("hunter", "paladin")
}


def items_of(decks: WeighedDecks) -> list[list[Item]]:
    """Each deck as the copies of its cards."""
    return [
        [(card, copy) for card, copies in enumerate(row) for copy in range(copies)] for row in decks.counts.tolist()
    ]


def with_ours(decks: WeighedDecks, support: float) -> tuple[Sets, float]:
    """Our maximal sets, and our CPU seconds: the best of three."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        found = frequent_sets(decks, support=support)
        seconds.append(time.process_time() - begin)
    cards = found.card.tolist()
    items = [(card, number - cards.index(card)) for number, card in enumerate(cards)]
    begins = found.ends - found.sizes
    slices = zip(begins.tolist(), found.ends.tolist(), strict=True)
    held = found.items.tolist()
    return {frozenset(items[number] for number in held[first:end]) for first, end in slices}, min(seconds)


def with_pyfim(decks: WeighedDecks, support: float) -> tuple[Sets, float]:
    """The maximal sets of pyfim, and its CPU seconds."""
    import fim

    items = items_of(decks)
    begin = time.process_time()
    found = fim.fpgrowth(items, target="m", supp=100 * support, zmin=1)
    return {frozenset(each) for each, _ in found}, time.process_time() - begin


def with_mlxtend(decks: WeighedDecks, support: float) -> tuple[Sets, float]:
    """The maximal sets of mlxtend, and its CPU seconds."""
    import pandas as pd
    from mlxtend.frequent_patterns import fpmax

    items = items_of(decks)
    columns = sorted({item for deck in items for item in deck})
    has = pd.DataFrame([[item in held for item in columns] for held in map(set, items)])
    begin = time.process_time()
    found = fpmax(has, min_support=support)
    seconds = time.process_time() - begin
    return {frozenset(columns[at] for at in each) for each in found["itemsets"]}, seconds


LIBRARIES = {"ours": ("deckatlas", with_ours), "pyfim": ("fim", with_pyfim), "mlxtend": ("mlxtend", with_mlxtend)}


def in_this_process(path: str, library: str, support: float) -> None:
    """Prints what one library finds in one map, and whether it agrees with ours."""
    decks = decks_of_runs([open_run(path)])
    ours, ours_seconds = with_ours(decks, support)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + MOST_SECONDS, resource.RLIM_INFINITY))
    found, seconds = (ours, ours_seconds) if library == "ours" else LIBRARIES[library][1](decks, support)
    agree = "" if library == "ours" else ", the same sets" if found == ours else ", OTHER SETS"
    print(f"{len(found):,} sets, {seconds:.2f} CPU s{agree}")


def main() -> None:
    """Compares all, or runs the library that is named on one map."""
    if len(sys.argv) > 2:
        in_this_process(sys.argv[1], sys.argv[2], float(sys.argv[3]))
        return
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, make in MAPS.items():
        path = folder / f"{name}.db"
        print(make(path))
        for library, (package, _) in LIBRARIES.items():
            for support in SUPPORTS if find_spec(package) else ():
                print(f"  {library:8} {100 * support:g} %  ", end="", flush=True)
                command = [sys.executable, __file__, str(path), library, str(support)]
                if subprocess.run(command).returncode:
                    print(f"stopped after {MOST_SECONDS} CPU s")
                    break  # a lower support takes longer


if __name__ == "__main__":
    main()
