"""Finds the numbers behind the rating of Hearthstone positions by covariance adaptation over paired games.

    python experiments/hearthstone-search/tune.py --generations 60 --seed 1

Every generation draws candidates, plays each against the same opponents from the same seeds, and moves towards those
that win more. Decks are random ones of all classes, so that the decks that strengths are measured with are not among
them; fresh seeds and decks in each generation keep luck from adding up. The mean of the last generation is the result;
it is written into `weights.json` beside this file, and copied by hand into core/hearthstone/evaluation_position.hpp.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from cmaes import CMA

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.agents import SEARCH_FINALISTS, SEARCH_WIDTH, agent
from deckatlas.games.hearthstone.bench import random_decks
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.setup import deck_rows

# Where the search starts: guesses, a point of attack or health as 40.
START = {
    "body": 40,
    "attack": 40,
    "health": 40,
    "pair": 10,
    "taunt": 20,
    "taunt_health": 5,
    "shield": 60,
    "shield_attack": 10,
    "windfury": 15,
    "stealth": 30,
    "poisonous": 60,
    "elusive": 10,
    "spell_damage": 30,
    "unable": 30,
    "premium": 30,
    "own_health": 12,
    "enemy_health": 12,
    "own_low": 20,
    "enemy_low": 10,
    "own_lowest": 20,
    "enemy_lowest": 5,
    "card": 60,
    "card_cost": 5,
    "coin": 30,
    "enemy_card": 60,
    "secret": 60,
    "enemy_secret": 60,
    "weapon": 15,
    "enemy_weapon": 15,
    "crystal": 80,
    "enemy_board": 100,
    "danger": 25,
    "reserve": 5,
    "doom": 600,
    "threat": 60,
    "reply": 100,
}
POPULATION = 16
GAMES = 240  # of a candidate against each opponent
STEP = 0.35  # a candidate's coordinate of 1 is a weight e^0.35 times as large
RESULT = Path(__file__).with_name("weights.json")

Weights = npt.NDArray[np.float64]


def search(weights: Weights) -> core.Agent:
    """The search with these weights."""
    return core.search_agent(SEARCH_WIDTH, SEARCH_FINALISTS, [int(weight) for weight in weights])


def win_rate(weights: Weights, opponents: list[core.Agent], *, games: int, seed: int, threads: int) -> float:
    """The share of games won against the opponents: every deal is played with both decks and in both seats."""
    cards = edition()
    decks = [deck_rows(random_decks(games // 4, seed + k), cards) for k in (0, 1)]
    wins = 0
    for opponent in opponents:
        for own, other in (decks, decks[::-1]):
            columns = core.play_match(
                cards.card_set,
                search(weights),
                own,
                opponent,
                other,
                games=games // 2,
                seed=seed,
                mulligan=core.Mulligan.cheap,
                swap_seats=True,
                threads=threads,
            )
            wins += int(np.sum(columns["winner"] == 0))
    return wins / (games * len(opponents))


def tune(generations: int, seed: int, threads: int) -> Weights:
    """The mean of the candidates after so many generations."""
    start = np.array(list(START.values()), dtype=np.float64)

    def weights_of(point: Weights) -> Weights:
        return np.round(start * np.exp(STEP * point))

    opponents = [agent("planner:score=midrange"), agent("planner:score=ramp"), search(start)]
    adaptation = CMA(mean=np.zeros(len(start)), sigma=1.0, seed=seed, population_size=POPULATION)
    for generation in range(1, generations + 1):
        points = [adaptation.ask() for _ in range(POPULATION)]
        rates = [
            win_rate(weights_of(point), opponents, games=GAMES, seed=1000 * (seed + generation), threads=threads)
            for point in points
        ]
        adaptation.tell([(point, -rate) for point, rate in zip(points, rates, strict=True)])
        print(f"generation {generation}: mean {np.mean(rates):.3f}, best {max(rates):.3f}", flush=True)
    result = weights_of(adaptation.mean)
    for name, weights in (("start", start), ("result", result)):
        rate = win_rate(weights, opponents, games=4000, seed=seed, threads=threads)
        print(f"the {name} wins {rate:.3f} of 12,000 games on fresh seeds", flush=True)
    return result


def main() -> None:
    """Reads the command line, searches, and writes the result."""
    parser = argparse.ArgumentParser(description="Finds the numbers behind the rating of Hearthstone positions.")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--result", type=Path, default=RESULT)
    arguments = parser.parse_args()
    began = time.process_time()
    result = tune(arguments.generations, arguments.seed, arguments.threads)
    weights = dict(zip(START, (int(weight) for weight in result), strict=True))
    arguments.result.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    print(f"{time.process_time() - began:.0f} s of CPU time: {weights}")


if __name__ == "__main__":
    main()
