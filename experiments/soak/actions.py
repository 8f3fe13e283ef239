"""Actions under the sanitizers of addresses and undefined behaviour: `make soak-actions`; see docs/security.md.

Slices of two kinds take turns. In the first, the core's own test programs play random games and check every state, step
and list of actions. In the second, the sanitized extension plays matches: random decks and drafts, agents of all kinds.
Asserts are on in both. A finding ends the script with an error.

The figures are kept in actions.json beside this file. The script resumes where it was stopped, with other seeds.
"""

import argparse
import json
import os
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

import numpy as np

from deckatlas import hearthstone, locm
from deckatlas.files.writing import write_text
from deckatlas.play.signature import own_signature

FIGURES = Path(__file__).with_name("actions.json")
ROOT = Path(__file__).parents[2]
LOCM_CARDS = ROOT / "src/deckatlas/games/locm/cards.csv"
CHECKED_GAMES = {"locm": 20_000, "hearthstone": 5_000}  # of one slice
RANDOM_GAMES = {"locm": 1_000_000, "hearthstone": 20_000}
AGENT_GAMES = 6
LOCM_AGENTS = ("random", "greedy", "onelane", "chad", "coac:nodes=2000", "rg", "planner:width=8")
HEARTHSTONE_AGENTS = ("random", "greedy", "search", "planner:score=control", "mcts:playouts=20", "fast", "expert")
CLASSES = ("druid", "hunter", "mage", "paladin", "priest", "rogue", "shaman", "warlock", "warrior")


def checked(game: str, number: int) -> int:
    """A slice of the test programs; returns its actions."""
    games = CHECKED_GAMES[game]
    edition = hearthstone.EDITIONS[number % len(hearthstone.EDITIONS)]
    cards = LOCM_CARDS if game == "locm" else ROOT / f"build/cards/{edition}.txt"
    program = Path(os.environ["DECKATLAS_CORE"]).parent / "core/tests" / f"soak_{game}"
    first = (1 + number) * 10_000_000  # beyond the games of `make asan`
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    words = [str(program), str(cards), str(games), str(first)]
    out = subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout
    counted = re.search(r"games, (\d+) actions, all checks held", out)
    assert counted is not None
    return int(counted[1])


def played(game: str, rng: np.random.Generator, *, agents: bool) -> int:
    """A match of the sanitized extension; returns its actions."""
    games, seed = AGENT_GAMES if agents else RANDOM_GAMES[game], int(rng.integers(2**62))
    if game == "locm":
        first, second = (str(each) for each in rng.choice(LOCM_AGENTS, 2)) if agents else ("random", "random")
        match = locm.play(
            f"random/{first}",
            f"random/{second}",
            games=games,
            seed=seed,
            threads=1,
            timed_games=0,
            format="referee" if rng.integers(2) else "distinct",
        )
        return int(match.columns["actions"].sum())
    edition = hearthstone.edition(str(rng.choice(hearthstone.EDITIONS)))
    classes = [str(each) for each in rng.choice(CLASSES, 2)]
    decks = [hearthstone.random_deck(each, hearthstone.pool(edition, each), edition, rng) for each in classes]
    one, other = (str(each) for each in rng.choice(HEARTHSTONE_AGENTS, 2)) if agents else ("random", "random")
    result = hearthstone.play(
        one, other, decks=(decks[0], decks[1]), edition=edition, games=games, seed=seed, threads=1, timed_games=0
    )
    return int(result.columns["actions"].sum())


def main() -> None:
    """Plays for some time, or until there are enough actions."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--actions", type=float, default=1e9)
    given = parser.parse_args()
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {"slices": 0, "actions": {}}
    actions: Counter[str] = Counter(figures["actions"])
    deadline = time.monotonic() + 60 * given.minutes
    for number in range(figures["slices"], 10**9):
        if time.monotonic() > deadline or actions.total() >= given.actions:
            break
        rng = np.random.default_rng(number)
        for game in ("locm", "hearthstone"):
            actions[f"{game}, every step checked"] += checked(game, number)
            actions[f"{game}, random players"] += played(game, rng, agents=False)
            actions[f"{game}, agents of all kinds"] += played(game, rng, agents=True)
        figures = {"slices": number + 1, "signature": own_signature(), "actions": dict(sorted(actions.items()))}
        write_text(FIGURES, json.dumps(figures | {"total": actions.total()}, indent=1) + "\n")
        print(f"slice {number}: {actions.total():,} actions without a finding", flush=True)


if __name__ == "__main__":
    main()
