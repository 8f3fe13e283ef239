"""Evaluations of Hearthstone decks by a run: the same as plain evaluations, on any thread, until they are stopped."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np
import pytest

from deckatlas.errors import AgentError, MatchError, RunError
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.profiles import PROFILES
from deckatlas.games.hearthstone.setting import AVERAGES, OVER_TURNS
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.play.stopping import Stopped
from deckatlas.search.evaluation import Evaluator, Outcomes, Space, measured, merged
from helpers.batches import alone, same_outcomes

PALADIN = HearthstoneDecks("paladin", pool_name="evosabber")
DECKS = [PALADIN.random(np.random.default_rng(seed)) for seed in range(6)]


def outcome(evaluator: Evaluator, deck: int = 0, *, seed: int = 5, first_game: int = 0, games: int = 24) -> Outcomes:
    return evaluator.evaluate(alone(DECKS[deck], seed=seed, first_game=first_game, games=games))


def stop(games: int) -> None:
    raise Stopped


def test_they_are_what_maps_take() -> None:
    space: Space = PALADIN
    evaluator: Evaluator = HearthstoneEvaluator(PALADIN, pilot="random")
    assert not set(space.columns) & {column.name for column in evaluator.columns}
    assert outcome(evaluator, games=2).total.shape == (1, len(measured(evaluator.columns)))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("games", "first_game"), [(1, 0), (24, 0), (37, 5)])
def test_an_outcome_is_that_of_a_plain_evaluation(profile: str, games: int, first_game: int) -> None:
    pilot = "planner:score=aggro"
    evaluator = HearthstoneEvaluator(PALADIN, pilot=pilot, profile=profile, suite="elite", games=games)
    found = outcome(evaluator, seed=9, games=games, first_game=first_game)
    plain = evaluate(
        [PALADIN.code(DECKS[0])],
        pilot=pilot,
        profile=profile,
        suite="elite",
        seed=9,
        games=games,
        first_game=first_game,
        keep_games=True,
    )
    assert found.games.tolist() == [games]
    assert [column.name for column in evaluator.columns] == [*AVERAGES, "fitness", "void_games"]
    expected = [plain[name] for name in AVERAGES]
    (value,), (error,), (weight,) = found.value, found.error, found.weight
    assert np.array_equal(value, [*(each.value[0] for each in expected), 0], equal_nan=True)
    assert np.array_equal(error[:-1], [each.error[0] for each in expected], equal_nan=True)
    fitness = next(column for column in evaluator.columns if column.name == "fitness")
    place = AVERAGES.index(fitness.of)
    assert value[place] * fitness.scale == plain.fitness.value[0]
    assert np.array_equal(error[place] * fitness.scale, plain.fitness.error[0], equal_nan=True)
    assert plain.games is not None
    noted = plain.games.noted
    turns = noted["own_turns"].sum()
    assert weight.tolist() == [turns if name in OVER_TURNS else games for name in (*AVERAGES, "void_games")]
    assert np.array_equal(found.outcome, noted["outcome"][0])
    assert np.array_equal(found.margin, np.clip(noted["health_difference"][0], -127, 127))


def test_outcomes_are_the_same_on_several_threads_at_once() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="planner:score=control,width=1,depth=2")
    one_by_one = [outcome(evaluator, deck, seed=seed) for deck in range(6) for seed in (1, 2)]
    with ThreadPoolExecutor(6) as pool:
        together = pool.map(lambda job: outcome(evaluator, job // 2, seed=1 + job % 2), range(12))
        assert all(same_outcomes(a, b) for a, b in zip(one_by_one, together, strict=True))


def test_evaluations_of_further_games_merge_to_that_of_all() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random:active", profile="evosabber", games=60)
    parts = [outcome(evaluator, games=24), outcome(evaluator, first_game=24, games=36)]
    total, weight, error = merged([(part.total, part.weight, part.error) for part in parts])
    whole = outcome(evaluator, games=60)
    assert np.array_equal(total, whole.total, equal_nan=True)
    assert weight.tolist() == whole.weight.tolist()
    assert error == pytest.approx(whole.error, rel=0.25, nan_ok=True)


def test_it_stops_within_a_second_when_asked_to() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random")
    asked = monotonic()
    with pytest.raises(Stopped):
        evaluator.evaluate(alone(DECKS[0], seed=1, games=200_000), progress=stop)
    assert monotonic() - asked < 1


def test_one_evaluation_may_stop_while_others_go_on() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random:active")
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(evaluator.evaluate, alone(DECKS[0], seed=1, games=200_000), progress=stop)
        assert same_outcomes(pool.submit(outcome, evaluator, 1).result(), outcome(evaluator, 1))
        assert isinstance(long.exception(), Stopped)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(AgentError):
        HearthstoneEvaluator(PALADIN, pilot="nobody")
    with pytest.raises(RunError):
        HearthstoneEvaluator(PALADIN, pilot="random", suite="nowhere")
    with pytest.raises(MatchError, match="unknown profile"):
        HearthstoneEvaluator(PALADIN, pilot="random", profile="unfair")
    with pytest.raises(MatchError, match="games must be"):
        HearthstoneEvaluator(PALADIN, pilot="random", games=0)
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random")
    with pytest.raises(MatchError, match="games must be"):
        outcome(evaluator, games=0)
