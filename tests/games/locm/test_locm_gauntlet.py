"""Gauntlets: every pair once, scores and JSON that agree with the matches, and what is refused."""

import json
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import AgentError, DeckatlasError, MatchError, StateError
from deckatlas.games.locm.entrants import EntrantLike
from helpers.locm_matches import column_bytes

ENTRANTS = ("random/random", "icebox/greedy", "closetai/greedy", "icebox/pass")


@pytest.fixture(scope="module")
def result() -> locm.GauntletResult:
    return locm.gauntlet(ENTRANTS, games=401, seed=5)


def test_every_pair_plays_the_match_it_would_play_alone(result: locm.GauntletResult) -> None:
    assert result.names == ENTRANTS
    assert [(match.a, match.b) for match in result.matches] == list(combinations(ENTRANTS, 2))
    for i, j in combinations(range(4), 2):
        alone = locm.play(ENTRANTS[i], ENTRANTS[j], games=401, seed=5)
        assert column_bytes(result.match(i, j)) == column_bytes(alone)


def test_options_reach_the_matches() -> None:
    entrants = ("random/random", "icebox/greedy")
    result = locm.gauntlet(entrants, games=50, seed=6, format="distinct", threads=1)
    alone = locm.play(*entrants, games=50, seed=6, format="distinct")
    assert column_bytes(result.match(0, 1)) == column_bytes(alone)


def test_a_pair_seen_from_the_other_side_is_its_mirror(result: locm.GauntletResult) -> None:
    for i, j in permutations(range(4), 2):
        rate, mirrored = result.rate(i, j), result.rate(j, i)
        assert rate.value + mirrored.value == pytest.approx(1)
        assert rate.low + mirrored.high == pytest.approx(1)
        assert rate.low <= rate.value <= rate.high
        assert rate.n == 401


def test_a_score_counts_the_wins_against_all_others(result: locm.GauntletResult) -> None:
    wins = np.zeros((4, 4))
    for (i, j), match in zip(combinations(range(4), 2), result.matches, strict=True):
        wins[i, j], wins[j, i] = match.wins, 401 - match.wins
    for i in range(4):
        score = result.score(i)
        assert score.n == 3 * 401
        assert score.value == pytest.approx(wins[i].sum() / (3 * 401))
        assert 0 <= score.low <= score.value <= score.high <= 1
        assert score.low < score.high
    assert sum(result.score(i).value for i in range(4)) == pytest.approx(2)  # each of six matches shares out a third


def test_a_score_is_surer_than_the_least_sure_of_its_matches(result: locm.GauntletResult) -> None:
    for i in range(3):  # whoever passes loses every game, and no seed can make that surer
        widest = max(result.rate(i, j).high - result.rate(i, j).low for j in range(4) if j != i)
        assert result.score(i).high - result.score(i).low < widest


def test_two_entrants_score_as_in_their_match() -> None:
    result = locm.gauntlet(["icebox/greedy", "random/greedy"], games=300)
    rate = result.match(0, 1).rate
    assert result.score(0).value == pytest.approx(rate.value)
    assert (result.score(0).low, result.score(0).high) == pytest.approx((rate.low, rate.high))


def test_the_ranking_goes_from_the_highest_score_to_the_lowest(result: locm.GauntletResult) -> None:
    order = result.ranking()
    assert sorted(order) == [0, 1, 2, 3]
    values = [result.score(i).value for i in order]
    assert values == sorted(values, reverse=True)
    assert [ENTRANTS[i] for i in order] == ["closetai/greedy", "icebox/greedy", "random/random", "icebox/pass"]


def test_the_json_holds_every_pair_and_score(result: locm.GauntletResult) -> None:
    data = json.loads(json.dumps(result.to_json()))
    assert len(data["pairs"]) == 6
    for pair, match in zip(data["pairs"], result.matches, strict=True):
        assert list(pair)[:7] == ["a", "b", "games", "wins", "rate", "low", "high"]
        assert (pair["a"], pair["b"], pair["games"], pair["wins"]) == (match.a, match.b, 401, match.wins)
        assert pair["rate"] == pair["wins"] / pair["games"]
        assert 0 <= pair["low"] <= pair["rate"] <= pair["high"] <= 1
    assert {rating["name"] for rating in data["ratings"]} == set(ENTRANTS)
    for rating in data["ratings"]:
        assert rating["low"] < rating["rating"] < rating["high"]


def test_callables_and_rankings_take_part() -> None:
    def last_action(view: locm.State, actions: list[locm.Action]) -> locm.Action:
        return actions[-1]

    result = locm.gauntlet([("icebox", last_action), "random", ([0.0] * 160, "greedy")], games=4)
    assert result.names == ("icebox/last_action", "random", "ranking/greedy")
    assert [match.games for match in result.matches] == [4, 4, 4]


def test_rankings_and_callables_that_share_a_name_are_numbered_and_play_as_they_would_alone() -> None:
    cheap, dear = ([float(sign * card.cost) for card in locm.cards()] for sign in (-1, 1))
    entrants: list[EntrantLike] = [
        (cheap, "greedy"),
        lambda view, actions: actions[0],
        (dear, "greedy"),
        lambda view, actions: actions[-1],
        "random",
    ]
    result = locm.gauntlet(entrants, games=4)
    assert result.names == ("ranking/greedy 1", "<lambda> 1", "ranking/greedy 2", "<lambda> 2", "random")
    assert [(match.a, match.b) for match in result.matches] == list(combinations(result.names, 2))
    for i, j in combinations(range(len(entrants)), 2):
        assert column_bytes(result.match(i, j)) == column_bytes(locm.play(entrants[i], entrants[j], games=4))


def test_progress_counts_the_games_of_all_pairs() -> None:
    heard: list[int] = []
    locm.gauntlet(ENTRANTS, games=20, progress=lambda done, total: heard.append(done))
    assert heard == sorted(heard)
    assert {20, 40, 60, 80, 100, 120} <= set(heard)
    assert heard[-1] == 120


@pytest.mark.parametrize(
    ("entrants", "options", "error", "message"),
    [
        ([], {}, MatchError, "a gauntlet needs at least two entrants"),
        (["random"], {}, MatchError, "a gauntlet needs at least two entrants"),
        (["random", "icebox/pass", "random"], {}, MatchError, "entrant 'random' is given twice"),
        ([("icebox", "pass"), "icebox/pass"], {}, MatchError, "entrant 'icebox/pass' is given twice"),
        (["random", "icebox/gredy"], {}, AgentError, "unknown battle agent 'gredy': did you mean 'greedy'?"),
        (["random", None], {}, AgentError, "an entrant must be a name, a callable or a pair, not NoneType"),
        (ENTRANTS, {"games": 0}, MatchError, "games must be a whole number from 1 to 1000000000, not 0"),
        (ENTRANTS, {"games": None}, MatchError, "games must be a whole number from 1 to 1000000000, not None"),
        (ENTRANTS, {"format": "x"}, MatchError, "unknown draft format 'x': use referee or distinct"),
        (ENTRANTS, {"threads": 0}, MatchError, "threads must be a whole number from 1 to 1024, not 0"),
        (ENTRANTS, {"seed": 0.5}, StateError, "a seed is a whole number of at most 64 bits, not 0.5"),
    ],
)
def test_a_gauntlet_that_cannot_be_is_refused_before_any_game(
    entrants: Any, options: dict[str, Any], error: type[DeckatlasError], message: str
) -> None:
    heard: list[int] = []
    with pytest.raises(error) as raised:
        locm.gauntlet(entrants, **{"games": 10, "progress": heard.append, **options})
    assert str(raised.value) == message
    assert heard == []
