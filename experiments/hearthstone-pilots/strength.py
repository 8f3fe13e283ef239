"""How the evolved pilots do against other pilots, with the same deck on both sides, in two profiles.

    python experiments/hearthstone-pilots/strength.py [PILOT ...]

Their opponents are hand-written scores, `search`, and the pilots that are given, such as `planner:net=FILE` with the
weights that the authors of the DSA-ME paper published. Games are paired: each seed is played twice, with seats swapped.
The rows are written to strength.csv beside this file.
"""

import csv
import sys
from pathlib import Path

from deckatlas import hearthstone
from deckatlas.games.hearthstone.profiles import PROFILES

EDITION = "sabberstone"
GAMES = 2_000
SEED = 1
EVOLVED = {"miracle-rogue": "Classic Miracle Rogue", "tempo-rogue": "Tempo Rogue (Classic)"}
OPPONENTS = ("planner:score=control", "planner:score=midrange", "greedy", "search")
FILE = Path(__file__).with_name("strength.csv")
COLUMNS = ("pilot", "deck", "opponent", "profile", "games", "won", "won_low", "won_high")


def shown(spec: str) -> str:
    """A pilot without the folder of its file."""
    agent, equals, file = spec.rpartition("=")
    return f"{agent}{equals}{Path(file).name}"


def main(given: list[str]) -> None:
    """Plays all pairs, prints them, and writes the table."""
    rows = []
    for score, deck in EVOLVED.items():
        for name in ("fair", "evostone"):
            profile = PROFILES[name]
            for opponent in (*OPPONENTS, *given):
                rate = hearthstone.play(
                    profile.pilot(f"planner:score={score}"),
                    profile.pilot(opponent),
                    decks=(deck, deck),
                    edition=EDITION,
                    mulligan=profile.mulligan,
                    games=GAMES,
                    seed=SEED,
                ).rate
                print(f"{score:13}  {name:8}  {shown(opponent):32}  {rate}", flush=True)
                bounds = [f"{value:.4f}" for value in (rate.value, rate.low, rate.high)]
                rows.append([score, deck, shown(opponent), name, GAMES, *bounds])
    with FILE.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(sys.argv[1:])
