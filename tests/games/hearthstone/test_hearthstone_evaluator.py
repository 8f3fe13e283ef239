"""Evaluations of Hearthstone decks for maps: the same as plain evaluations, on any thread, until told to stop."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np
import pytest

from deckatlas.errors import AgentError, MatchError, RunError
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.evaluator import HearthstoneDecks, HearthstoneEvaluator
from deckatlas.games.hearthstone.profiles import PROFILES
from deckatlas.games.hearthstone.setting import AVERAGES, OVER_TURNS
from deckatlas.search.evaluation import Evaluator, Outcome, Space, Stopped

PALADIN = HearthstoneDecks("paladin", pool_name="evosabber")
DECKS = [PALADIN.random(np.random.default_rng(seed)) for seed in range(6)]


def going() -> bool:
    return False


def outcome(evaluator: Evaluator, deck: int = 0, *, seed: int = 5, first_game: int = 0, games: int = 24) -> Outcome:
    return evaluator.evaluate(DECKS[deck], seed=seed, first_game=first_game, games=games, stop=going)


def same(a: Outcome, b: Outcome) -> bool:
    return a.games == b.games and all(
        np.array_equal(getattr(a, part), getattr(b, part), equal_nan=True) for part in ("value", "error", "weight")
    )


def test_they_are_what_maps_take() -> None:
    space: Space = PALADIN
    evaluator: Evaluator = HearthstoneEvaluator(PALADIN, pilot="random")
    assert not set(space.columns) & set(evaluator.columns)
    assert len(outcome(evaluator, games=2).value) == len(evaluator.columns)


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
    assert found.games == games
    assert evaluator.columns == (*AVERAGES, "fitness", "void_games")
    expected = [*(plain[name] for name in AVERAGES), plain.fitness]
    assert np.array_equal(found.value, [*(each.value[0] for each in expected), 0], equal_nan=True)
    assert np.array_equal(found.error[:-1], [each.error[0] for each in expected], equal_nan=True)
    assert plain.games is not None
    turns = plain.games.noted["own_turns"].sum()
    assert found.weight.tolist() == [turns if name in OVER_TURNS else games for name in evaluator.columns]


def test_outcomes_are_the_same_on_several_threads_at_once() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="planner:score=control,width=1,depth=2")
    alone = [outcome(evaluator, deck, seed=seed) for deck in range(6) for seed in (1, 2)]
    with ThreadPoolExecutor(6) as pool:
        together = pool.map(lambda job: outcome(evaluator, job // 2, seed=1 + job % 2), range(12))
        assert all(same(a, b) for a, b in zip(alone, together, strict=True))


def test_evaluations_of_further_games_merge_to_that_of_all() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random:active", profile="evosabber", games=60)
    parts = [outcome(evaluator, games=24), outcome(evaluator, first_game=24, games=36)]
    merged, whole = Outcome.merged(parts), outcome(evaluator, games=60)
    assert merged.value == pytest.approx(whole.value, nan_ok=True)
    assert merged.weight.tolist() == whole.weight.tolist()
    assert merged.error == pytest.approx(whole.error, rel=0.25, nan_ok=True)


def test_it_stops_within_a_second_when_told_so() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random")
    asked = monotonic()
    with pytest.raises(Stopped):
        evaluator.evaluate(DECKS[0], seed=1, first_game=0, games=200_000, stop=lambda: True)
    assert monotonic() - asked < 1


def test_one_evaluation_may_stop_while_others_go_on() -> None:
    evaluator = HearthstoneEvaluator(PALADIN, pilot="random:active")
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(evaluator.evaluate, DECKS[0], seed=1, first_game=0, games=200_000, stop=lambda: True)
        assert same(pool.submit(outcome, evaluator, 1).result(), outcome(evaluator, 1))
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
