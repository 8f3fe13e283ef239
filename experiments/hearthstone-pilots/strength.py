"""How the evolved pilots do against other pilots, with the same deck on both sides, in two profiles.

    python experiments/hearthstone-pilots/strength.py [PILOT ...]

Their opponents are hand-written scores, `search`, and the pilots that are given, such as `planner:net=FILE` with the
weights that the authors of the DSA-ME paper published. Games are paired: each seed is played twice, with seats swapped.
The rows are added to strength.csv beside this file; pairs that it already has are not played again. To play them with
other weights or rules, delete their rows.
"""

import csv
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from deckatlas import hearthstone
from deckatlas.games.hearthstone.profiles import PROFILES, Profile

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


def won(score: str, deck: str, opponent: str, profile: Profile) -> list[str]:
    """The share of games that an evolved pilot wins, and the ends of its interval."""
    rate = hearthstone.play(
        profile.pilot(f"planner:score={score}"),
        profile.pilot(opponent),
        decks=(deck, deck),
        edition=EDITION,
        mulligan=profile.mulligan,
        games=GAMES,
        seed=SEED,
    ).rate
    print(f"{score:13}  {profile.name:8}  {shown(opponent):32}  {rate}", flush=True)
    return [f"{value:.4f}" for value in (rate.value, rate.low, rate.high)]


def main(given: list[str]) -> None:
    """Plays the pairs that the table does not have, prints them, and adds them to it."""
    if not FILE.exists():
        append(COLUMNS)
    with FILE.open(newline="", encoding="utf-8") as file:
        known = {tuple(row[:5]) for row in csv.reader(file)}
    for (score, deck), name, opponent in product(EVOLVED.items(), ("fair", "evostone"), (*OPPONENTS, *given)):
        pair = (score, deck, shown(opponent), name, str(GAMES))
        if pair not in known:
            append([*pair, *won(score, deck, opponent, PROFILES[name])])


def append(row: Sequence[str]) -> None:
    """Adds a row to the table."""
    with FILE.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerow(row)


if __name__ == "__main__":
    main(sys.argv[1:])
