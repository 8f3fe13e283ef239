"""Finds the numbers behind the planner's rating by covariance adaptation over paired games.

    python experiments/locm-planner/tune.py --generations 60 --seed 1

Every generation draws candidates, plays each against the same opponents from the same seeds, and moves towards those
that win more. Fresh seeds a generation keep luck from adding up. The mean of the last generation is the result; it is
written into `weights.json` beside this file, and copied by hand into core/locm/planner_weights.hpp.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from cmaes import CMA

from deckatlas._core import locm as core
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.cards import official_table
from deckatlas.play.limits import available_threads

# Where the search starts: Coac's rating, four times as fine, with guesses for what Coac does not rate.
START = {
    "body": 80,
    "attack": 40,
    "defense": 20,
    "ward": 20,
    "lethal": 80,
    "guard": 36,
    "guard_defense": 4,
    "drain": 8,
    "breakthrough": 4,
    "own_health": 8,
    "enemy_health": 8,
    "own_low": 24,
    "enemy_low": 8,
    "card": 48,
    "enemy_draw": 32,
    "draw": 48,
    "threat": 60,
    "enemy_board": 100,
}
WIDTH, FINALISTS = 64, 100
POPULATION = 14
GAMES = 160  # of a candidate against each opponent
STEP = 0.35  # a candidate's coordinate of 1 is a weight e^0.35 times as large
DRAFTS = ("coac", "random", "closetai")
RESULT = Path(__file__).with_name("weights.json")

Weights = npt.NDArray[np.float64]


def planner(weights: Weights) -> core.BattleAgent:
    """The planner with these weights."""
    return core.planner_agent(WIDTH, FINALISTS, [int(weight) for weight in weights])


def win_rate(weights: Weights, opponents: list[core.BattleAgent], *, games: int, seed: int) -> float:
    """The share of games won against the opponents, each met with a draft of its own, seats swapped."""
    wins = 0
    for k, (opponent, draft) in enumerate(zip(opponents, map(draft_policy, DRAFTS), strict=True)):
        columns = core.play_match(
            official_table(),
            draft,
            planner(weights),
            draft,
            opponent,
            games=games,
            seed=seed + k,
            format="referee",
            swap_seats=True,
            threads=available_threads(),
        )
        wins += int(np.sum(columns["winner"] == 0))
    return wins / (games * len(opponents))


def tune(generations: int, seed: int) -> Weights:
    """The mean of the candidates after so many generations."""
    start = np.array(list(START.values()), dtype=np.float64)

    def weights_of(point: Weights) -> Weights:
        return np.round(start * np.exp(STEP * point))

    opponents = [battle_agent("coac"), planner(start), battle_agent("onelane")]
    search = CMA(mean=np.zeros(len(start)), sigma=1.0, seed=seed, population_size=POPULATION)
    for generation in range(1, generations + 1):
        points = [search.ask() for _ in range(POPULATION)]
        rates = [
            win_rate(weights_of(point), opponents, games=GAMES, seed=1000 * (seed + generation)) for point in points
        ]
        search.tell([(point, -rate) for point, rate in zip(points, rates, strict=True)])
        print(f"generation {generation}: mean {np.mean(rates):.3f}, best {max(rates):.3f}", flush=True)
    result = weights_of(search.mean)
    print(f"the result wins {win_rate(result, opponents, games=2000, seed=seed):.3f} of 6,000 games on fresh seeds")
    return result


def main() -> None:
    """Reads the command line, searches, and writes the result."""
    parser = argparse.ArgumentParser(description="Finds the numbers behind the planner's rating.")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.process_time()
    result = tune(arguments.generations, arguments.seed)
    weights = dict(zip(START, (int(weight) for weight in result), strict=True))
    RESULT.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    print(f"{time.process_time() - began:.0f} s of CPU time: {weights}")


if __name__ == "__main__":
    main()
