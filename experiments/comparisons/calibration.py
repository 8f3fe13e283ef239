"""How often comparisons report a difference where there is none, and how often they find one of 1 point.

    python experiments/comparisons/calibration.py [deck] [edition] [point]

Equals play real games: a deck and its own copy, and an edition and itself, the second side always on other seeds. For
the difference of 1 point, real games are drawn at random from a pool, for both sides alike, and the first side is then
given as many of its lost games as make 1 point. With that budget, the comparison itself says that it finds about 1
point in 4 of 5 cases. All three parts take about a minute of one core; each writes its row of calibration.json.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deckatlas.games.hearthstone.cards.editions import edition_of
from deckatlas.games.hearthstone.compare import paired_games
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame
from deckatlas.metagame.metagame import Entrant
from deckatlas.play.paired import BETTER, UNDECIDED, WORSE, Comparison, PairedGames, compare_sides
from deckatlas.play.runner import Progress
from deckatlas.stats.estimate import Floats
from deckatlas.stats.rates import independent_rate

TRIES = 200
GAMES = 240  # of a comparison of equals
DECK = "Midrange Paladin"
EDITION = "2018-12"
FIELD = HearthstoneMetagame(
    "three decks",
    tuple(Entrant(name, name, "greedy") for name in ("Zoo", "Control Warrior (ladder)", "Face Hunter (ladder)")),
    edition_of(EDITION),
)
POOL_ROUNDS = 1_500
FILE = Path(__file__).with_name("calibration.json")
POINT = 0.01
POINT_GAMES = 62_400


@dataclass(frozen=True, eq=False)
class DrawnGames(PairedGames):
    """Both sides draw rounds from one pool of played games; the first side is given some of its lost games.

    Attributes:
        pool: The share of each game that was won, by round, opponent and seat.
        given: The probability with which a lost game of the first side counts as won.
        seed: The seed of the draws.
    """

    pool: Floats
    given: float
    seed: int

    @property
    def is_same(self) -> bool:
        """Draws are never the same."""
        return False

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Draws rounds, each opponent on its own: see the base class."""
        rng = np.random.default_rng((self.seed, rounds.start))
        opponents = np.arange(len(self.opponents))
        drawn = rng.integers(len(self.pool), size=(2, len(rounds), len(opponents)))
        won = self.pool[drawn, opponents]
        gift = (won[0] == 0) & (rng.random(won[0].shape) < self.given)
        won[0][gift] = 1.0
        return won


def equals(a: str, b: str) -> list[Comparison]:
    """Comparisons of equals; the second side plays other seeds."""
    return [
        compare_sides(paired_games(a, b, meta=FIELD, paired=False, seed=seed), games=GAMES) for seed in range(TRIES)
    ]


def ahead_by_a_point() -> list[Comparison]:
    """Comparisons in which the first side wins 1 point more than the second."""
    played = paired_games(DECK, DECK, meta=FIELD)
    pool = played.play_side(played.sides[0], TRIES, range(POOL_ROUNDS), None)
    lost = float((pool == 0).mean(axis=(0, 2)) @ played.weights)
    return [
        compare_sides(
            DrawnGames(
                kind="deck",
                names=("ahead", "other"),
                against=played.against,
                opponents=played.opponents,
                weights=played.weights,
                decks=(),
                claim=lambda more: f"ahead wins {more} than other",
                pool=pool,
                given=POINT / lost,
                seed=seed,
            ),
            games=POINT_GAMES,
        )
        for seed in range(TRIES)
    ]


def summary(name: str, found: list[Comparison], lead: float) -> dict[str, object]:
    """The counts of verdicts, and how often the interval covers the truth."""
    verdicts = [each.verdict for each in found]
    covered = sum(each.difference.low <= lead <= each.difference.high for each in found)
    return {
        "name": name,
        "comparisons": len(found),
        "lead": lead,
        **{verdict: verdicts.count(verdict) for verdict in (BETTER, WORSE, UNDECIDED)},
        **independent_rate(len(found) - verdicts.count(UNDECIDED), len(found)).cells("decided"),
        "covered": covered / len(found),
        "mean_games": float(np.mean([each.games for each in found])),
        "most_games": found[0].looks[-1],
        "mean_detectable": float(np.mean([each.detectable for each in found])),
    }


PARTS: dict[str, tuple[str, Callable[[], list[Comparison]], float]] = {
    "deck": (f"{DECK} and its copy, other seeds", lambda: equals(DECK, DECK), 0.0),
    "edition": (f"{EDITION} and itself, other seeds", lambda: equals(EDITION, EDITION), 0.0),
    "point": ("1 point ahead", ahead_by_a_point, POINT),
}


def main(parts: list[str]) -> None:
    """Runs some parts, or all of them; prints the row of each and writes it."""
    results = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for part in parts or PARTS:
        name, play, lead = PARTS[part]
        results[part] = summary(name, play(), lead)
        print(json.dumps(results[part]), flush=True)
        ordered = {key: results[key] for key in PARTS if key in results}
        FILE.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
