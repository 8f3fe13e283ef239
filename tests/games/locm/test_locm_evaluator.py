"""Evaluations of decks and draft policies of Legends of Code and Magic: the games that rate them."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np
import pytest

from deckatlas._core import locm as core
from deckatlas.errors import AgentError, MatchError, SearchError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.entrants import Entrant, EntrantLike, entrant_with_deck
from deckatlas.games.locm.evaluator import LocmEvaluator
from deckatlas.games.locm.match import play
from deckatlas.games.locm.spaces import LocmDecks, LocmDrafts, priorities
from deckatlas.play.stopping import Stopped
from deckatlas.search.evaluation import LOST, WON, Evaluator, Outcomes, Solution, Space, merged
from helpers.batches import alone, same_outcomes

DECKS = LocmDecks()
DRAFTS = LocmDrafts(priorities())
OPPONENTS = ("icebox/greedy", "random", "coac/random")


def outcome(
    evaluator: Evaluator, solution: Solution, *, seed: int = 3, first_game: int = 0, games: int = 40
) -> Outcomes:
    return evaluator.evaluate(alone(solution, seed=seed, first_game=first_game, games=games))


def stop(games: int) -> None:
    raise Stopped


def candidate(solution: Solution, space: LocmDecks | LocmDrafts) -> Entrant:
    return Entrant("candidate", space.policy(solution), battle_agent("greedy"))


@pytest.mark.parametrize("space", [DECKS, DRAFTS], ids=["deck", "draft"])
def test_an_outcome_is_that_of_matches_with_each_opponent(space: LocmDecks | LocmDrafts) -> None:
    solution = space.random(np.random.default_rng(2))
    fixed = entrant_with_deck("greedy", DECKS.cards(DECKS.random(np.random.default_rng(8))))
    opponents: tuple[EntrantLike, ...] = ("icebox/greedy", fixed)
    found = outcome(LocmEvaluator(space, pilot="greedy", opponents=opponents), solution, games=40)
    matches = [
        play(candidate(solution, space), other, games=20, seed=core.game_seed(3, number, False), threads=1)
        for number, other in enumerate(opponents)
    ]
    assert found.games.tolist() == [40]
    (value,), (weight,) = found.value, found.weight
    assert value[0] == sum(match.wins for match in matches) / 40
    health = np.concatenate([match["health"] for match in matches])
    assert value[1] == pytest.approx((health[:, 0] - health[:, 1]).mean())
    turns = np.concatenate([match["turns"] for match in matches])
    assert value[2] == pytest.approx(np.ceil(turns / 2).mean())
    first = np.concatenate([match["first"] for match in matches])
    own_turns = np.where(first == 0, np.ceil(turns / 2), turns // 2).sum()
    mana = np.concatenate([match["mana_spent"] for match in matches])[:, 0]
    assert value[4] == pytest.approx(mana.sum() / own_turns)
    assert weight.tolist() == [40, 40, 40, own_turns, own_turns]
    winners = np.concatenate([match["winner"] for match in matches])
    assert np.array_equal(found.outcome, np.where(winners == 0, WON, LOST))
    assert np.array_equal(found.margin, np.clip(health[:, 0] - health[:, 1], -127, 127))


def test_a_space_and_its_evaluator_are_what_maps_take() -> None:
    for space in (DECKS, DRAFTS):
        of_maps: Space = space
        evaluator: Evaluator = LocmEvaluator(space, pilot="random", opponents=["random"])
        found = outcome(evaluator, of_maps.random(np.random.default_rng(0)))
        assert found.total.shape == found.error.shape == found.weight.shape == (1, len(evaluator.columns))
        assert not set(of_maps.columns) & {column.name for column in evaluator.columns}


def test_games_can_be_resumed_wherever_they_were_left() -> None:
    evaluator = LocmEvaluator(DECKS, pilot="greedy", opponents=OPPONENTS)
    solution = DECKS.random(np.random.default_rng(4))
    whole = outcome(evaluator, solution, games=60)
    for cut in (1, 17, 30):
        parts = [outcome(evaluator, solution, games=cut), outcome(evaluator, solution, first_game=cut, games=60 - cut)]
        total, weight, _ = merged([(part.total, part.weight, part.error) for part in parts])
        assert np.array_equal(total, whole.total)
        assert np.array_equal(weight, whole.weight)


def test_errors_come_from_pairs_with_swapped_seats_within_opponents() -> None:
    """A deck that wins one game of each pair against its twin leaves no doubt about the half."""
    solution = DECKS.random(np.random.default_rng(5))
    twin = entrant_with_deck("greedy", DECKS.cards(solution))
    evaluator = LocmEvaluator(DECKS, pilot="greedy", opponents=[twin])
    found = outcome(evaluator, solution, games=200)
    assert found.value[0, 0] == 0.5
    assert found.value[0, 1] == 0
    assert found.error[0, 1] == 0
    assert found.error[0, 0] < 0.5 / np.sqrt(200)


def test_errors_are_those_of_many_evaluations() -> None:
    evaluator = LocmEvaluator(DRAFTS, pilot="random", opponents=OPPONENTS)
    solution = DRAFTS.random(np.random.default_rng(6))
    found = [outcome(evaluator, solution, seed=seed, games=60) for seed in range(150)]
    seen = np.std([each.value for each in found], axis=0, ddof=1)
    told = np.sqrt(np.mean([each.error**2 for each in found], axis=0))
    assert told == pytest.approx(seen, rel=0.25)


def test_outcomes_are_the_same_on_several_threads_at_once() -> None:
    evaluator = LocmEvaluator(DRAFTS, pilot="greedy", opponents=OPPONENTS)
    solutions = [DRAFTS.random(np.random.default_rng(seed)) for seed in range(8)]
    one_by_one = [outcome(evaluator, solution) for solution in solutions]
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda solution: outcome(evaluator, solution), solutions)
        assert all(same_outcomes(a, b) for a, b in zip(one_by_one, together, strict=True))


def test_it_stops_within_a_second_even_if_a_game_takes_long() -> None:
    evaluator = LocmEvaluator(DECKS, pilot="mcts:playouts=300", opponents=["random/mcts:playouts=300"])
    asked = monotonic()
    with pytest.raises(Stopped):
        evaluator.evaluate(alone(DECKS.random(np.random.default_rng(0)), seed=1, games=10_000), progress=stop)
    assert monotonic() - asked < 1


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(AgentError):
        LocmEvaluator(DECKS, pilot="nobody", opponents=["random"])
    with pytest.raises(AgentError):
        LocmEvaluator(DECKS, pilot="random", opponents=["nobody"])
    with pytest.raises(MatchError, match="there is no opponent"):
        LocmEvaluator(DECKS, pilot="random", opponents=[])
    with pytest.raises(MatchError, match="unknown draft format"):
        LocmEvaluator(DECKS, pilot="random", opponents=["random"], format="other")
    with pytest.raises(SearchError, match="does not play inside the core"):
        LocmEvaluator(DECKS, pilot="random", opponents=[lambda state, actions: actions[0]])
    with pytest.raises(MatchError, match="games must be"):
        outcome(
            LocmEvaluator(DECKS, pilot="random", opponents=["random"]), DECKS.random(np.random.default_rng(0)), games=0
        )
