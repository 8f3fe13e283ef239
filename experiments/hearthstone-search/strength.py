"""How strong our own pilots of Hearthstone are, against the best of the published scores, and what a turn takes them.

    python experiments/hearthstone-search/strength.py --seed 1

The six elite decks play each other. First the papers' planner finds out, deck by deck, which of the published scores
does best with it: all decks with all scores meet. Then our pilots meet that planner in every pairing of decks, those of
a deck with itself included: the same decks and seeds with the pilots swapped, and with the seats swapped. Times are CPU
time in these very games.
"""

import argparse
import time
from itertools import combinations, product

import numpy as np

from deckatlas import hearthstone
from deckatlas.games.hearthstone.match import HearthstoneResult
from deckatlas.play.times import ms_per_turn
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import paired_rate

DECKS = ("Aggro Hunter", "Control Hunter", "Aggro Paladin", "Control Paladin", "Aggro Warlock", "Control Warlock")
SCORES = hearthstone.SCORES
PLANNERS = list(product(DECKS, SCORES))

Matches = dict[tuple[str, str], HearthstoneResult]  # by the decks of the pilot and of its opponent


def planner(score: str) -> str:
    """The papers' planner as they used it, but honest."""
    return f"planner:score={score},width=4,depth=13"


def best_scores(games: int, seed: int, threads: int) -> dict[str, str]:
    """For each deck the score that wins most against all decks with all scores."""
    wins = np.zeros(len(PLANNERS))
    for i, j in combinations(range(len(PLANNERS)), 2):
        (deck_a, a), (deck_b, b) = PLANNERS[i], PLANNERS[j]
        match = hearthstone.play(
            planner(a), planner(b), decks=(deck_a, deck_b), games=games, seed=seed, threads=threads
        )
        wins[i] += match.wins
        wins[j] += int(np.sum(match["winner"] == 1))
    rates = wins.reshape(len(DECKS), len(SCORES)) / (games * (len(PLANNERS) - 1))
    print(f"{'wins of a deck, %':20s}" + "".join(f"{score:>10s}" for score in SCORES))
    for deck, row in zip(DECKS, rates, strict=True):
        print(f"{deck:20s}" + "".join(f"{100 * rate:10.1f}" for rate in row))
    return {deck: SCORES[int(np.argmax(row))] for deck, row in zip(DECKS, rates, strict=True)}


def compare(pilot: str, opponents: dict[str, str], *, pairs: int, seed: int, threads: int) -> Matches:
    """Matches of a pilot with every deck against every deck, piloted by that deck's opponent.

    Two decks meet from the same seeds whoever of them has which pilot.
    """
    return {
        (a, b): hearthstone.play(
            pilot,
            opponents[b],
            decks=(a, b),
            games=2 * pairs,
            seed=seed + len(DECKS) * min(DECKS.index(a), DECKS.index(b)) + max(DECKS.index(a), DECKS.index(b)),
            threads=threads,
            timed_games=2 * pairs,
        )
        for a, b in product(DECKS, DECKS)
    }


def total_rate(matches: Matches) -> Estimate:
    """The share of games won; all games of two decks from one seed make one outcome."""
    of_pairs: dict[frozenset[str], list[HearthstoneResult]] = {}
    for decks, match in matches.items():
        of_pairs.setdefault(frozenset(decks), []).append(match)
    outcomes = [np.mean([match.pair_outcomes for match in same], axis=0) for same in of_pairs.values()]
    weights = [np.sum([match.games_of_seeds for match in same], axis=0) for same in of_pairs.values()]
    return paired_rate(
        np.concatenate(outcomes),
        wins=sum(match.wins for match in matches.values()),
        games=sum(match.games for match in matches.values()),
        weights=np.concatenate(weights).astype(np.float64),
    )


def microseconds(matches: Matches, entrant: int) -> float:
    """Mean CPU time of a turn of entrant 0 or 1."""
    totals = [match.times.total(entrant) for match in matches.values()]
    return 1000 * (ms_per_turn(sum(seconds for seconds, _ in totals), sum(turns for _, turns in totals)) or 0)


def show(pilot: str, against: str, matches: Matches) -> None:
    """Prints how often the pilot wins and what turns take."""
    times = [microseconds(matches, entrant) for entrant in (0, 1)]
    print(
        f"{pilot} against {against}: {total_rate(matches)}; "
        f"CPU time a turn {times[0]:.1f} µs against {times[1]:.1f} µs",
        flush=True,
    )


def main() -> None:
    """Reads the command line and prints all comparisons."""
    parser = argparse.ArgumentParser(description="How strong our own pilots of Hearthstone are.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=28, help="seeds of each of the 36 pairings of decks")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    options = {"pairs": given.pairs, "seed": 1000 * given.seed, "threads": given.threads}
    few = {**options, "pairs": max(1, given.pairs // 7)}

    best = best_scores(40, given.seed, given.threads)
    print("the best:", ", ".join(f"{deck} {score}" for deck, score in best.items()))
    opponents = {deck: planner(score) for deck, score in best.items()}
    matches = compare("search", opponents, **options)
    show("search", "the best score of each deck", matches)
    for deck in DECKS:
        print(f"    with {deck}: {total_rate({decks: match for decks, match in matches.items() if decks[0] == deck})}")
    for score in SCORES:
        show("search", score, compare("search", dict.fromkeys(DECKS, planner(score)), **options))
    show(
        "search:width=12,finalists=12",
        "the same planners",
        compare("search:width=12,finalists=12", opponents, **options),
    )
    show("mcts", "the best score of each deck", compare("mcts", opponents, **few))
    show("mcts", "search", compare("mcts", dict.fromkeys(DECKS, "search"), **few))
    print(f"{time.process_time():.0f} seconds of CPU time")


if __name__ == "__main__":
    main()
