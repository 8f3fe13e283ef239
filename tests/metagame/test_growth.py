"""Metagames that grow: they find a known equilibrium, stop when no deck gains, and resume to the same bytes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import MatchError
from deckatlas.metagame.analysis import analyse
from deckatlas.metagame.growth import Growth, GrowthPlan, Listener, Response, grow, numbered
from deckatlas.metagame.pace import seconds_per_game
from deckatlas.metagame.play import Budget
from deckatlas.runs.library import summaries
from deckatlas.stats.estimate import Estimate
from helpers.ruled_games import TableSearches, ruled

ENOUGH: dict[str, Any] = {"games": 200, "finals": 40, "confirmation": 400, "samples": 20, "seed": 1}


def grown(folder: Path, *start: str, **changes: Any) -> Growth:
    plan = GrowthPlan("grown", folder, **{**ENOUGH, **changes})
    return grow(ruled(*(start or ("rock", "paper"))), TableSearches(), plan)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Growth:
    return grown(tmp_path_factory.mktemp("runs"))


def test_the_known_equilibrium_is_found(whole: Growth) -> None:
    shares = dict(zip(whole.final.names, whole.final.mix.shares.tolist(), strict=True))
    assert [[each.deck for each in found.joined] for found in whole.rounds] == [["scissors"], ["well"], []]
    assert shares["Rock"] == pytest.approx(0, abs=0.02)  # the well does all that it does, and beats it
    for name in ("Paper", "Hidden 1", "Hidden 2"):
        assert shares[name] == pytest.approx(1 / 3, abs=0.06)


def test_exploitability_falls_to_nothing(whole: Growth) -> None:
    *found, last = (each.best for each in whole.rounds)
    first, second = (each.gain for each in found if each is not None)
    assert first.value > second.value
    assert first.low < 40 < first.high  # scissors against paper alone
    assert second.low < 40 / 3 < second.high + 5  # a well against a third of each, as nearly as the mix is known
    assert last is None
    assert whole.is_closed
    assert whole.verdict == "No deck gains more than 2.0 points against the mix: no search found a new deck."


def test_a_search_that_finds_nothing_is_not_the_best_response(whole: Growth) -> None:
    nothing = Response("druid", "run", "", Estimate(0.0, 0.0, 0.0, 0))
    behind = Response("mage", "run", "code", Estimate(-3.0, -5.0, -1.0, 200))
    last = replace(whole.rounds[-1], responses=(nothing, behind))
    assert last.best == behind
    verdict = replace(whole, rounds=(last,)).verdict
    assert verdict.endswith("against the mix: the best response, mage, gains -3.0 [-5.0, -1.0] points.")


def test_a_growth_that_runs_out_of_rounds_says_so(tmp_path: Path) -> None:
    found = grown(tmp_path, rounds=1)
    assert not found.is_closed
    assert found.verdict.startswith("The rounds ended: in round 1, 1 of 1 searches found a deck")
    assert [len(each.names) for each in found.fields] == [2, 3]


def test_no_deck_joins_without_gaining_the_margin_beyond_doubt(tmp_path: Path) -> None:
    found = grown(tmp_path, margin=45)
    assert found.final.names == ("Rock", "Paper")
    assert found.verdict.startswith("No deck gains more than 45.0 points against the mix: ")
    doubtful = grown(tmp_path / "doubtful", margin=39)
    assert doubtful.final.names == ("Rock", "Paper")
    assert "beyond doubt" in doubtful.verdict


def test_the_intervals_of_a_round_hold_together(tmp_path: Path) -> None:
    plan = GrowthPlan("grown", tmp_path, rounds=1, **ENOUGH)
    one, many = (
        grow(ruled("rock", "paper"), TableSearches(tuple(kinds)), plan).rounds[0].responses[0].gain
        for kinds in ("a", "abcdefghi")
    )
    assert one.value == many.value
    assert many.half_width == pytest.approx(one.half_width * 2.773 / 1.96, rel=1e-3)


def test_an_interrupted_growth_resumes_to_the_same_bytes(whole: Growth, tmp_path: Path) -> None:
    start, searches, plan = ruled("rock", "paper"), TableSearches(), GrowthPlan("grown", tmp_path, **ENOUGH)
    interruptions = 0
    start.most[0] = 150
    while True:
        try:
            again = grow(start, searches, plan)
            break
        except KeyboardInterrupt:
            interruptions += 1
            start.most[0] = start.played[0] + 150 * (1 + interruptions)
    assert interruptions > 3
    assert json.dumps(again.to_json()) == json.dumps(whole.to_json())
    assert again.to_toml() == whole.to_toml()
    assert {each.state for each in summaries(tmp_path)} == {"finished"}


def test_a_finished_growth_is_read_and_not_played_again(tmp_path: Path) -> None:
    first = grown(tmp_path)
    again = ruled("rock", "paper")
    assert grow(again, TableSearches(), first.plan).to_json() == first.to_json()
    assert again.played == [0]


def test_a_search_has_its_own_name_and_seed_in_every_round(tmp_path: Path) -> None:
    searches = TableSearches(("a", "b"))
    grow(ruled("rock", "paper"), searches, GrowthPlan("grown", tmp_path, **ENOUGH))
    names = [name for name, _ in searches.orders]
    assert names[:3] == ["grown-round-1-a", "grown-round-1-b", "grown-round-2-a"]
    assert len({seed for _, seed in searches.orders}) == len(names)


def test_pairs_that_were_played_before_are_not_played_again(tmp_path: Path) -> None:
    budget = Budget(games=40, seed=3, folder=tmp_path)
    small, large = ruled("rock", "paper", "scissors"), ruled("rock", "paper", "scissors", "well")
    analyse(small, budget, samples=5)
    helped = analyse(large, budget, samples=5, earlier=small)
    alone = ruled("rock", "paper", "scissors", "well")
    assert helped.to_json() == analyse(alone, Budget(games=40, seed=3), samples=5).to_json()
    assert alone.played[0] == 40 * 6
    assert large.played[0] <= 40 * 6 - 3 * 20  # each pair of the small one has at least its even games


def test_the_start_is_that_of_its_own_store(tmp_path: Path) -> None:
    start = ruled("rock", "paper")
    analyse(start, Budget(games=ENOUGH["games"], seed=ENOUGH["seed"], folder=tmp_path), samples=5)
    played = start.played[0]
    grow(start, TableSearches(hidden=()), GrowthPlan("grown", tmp_path, **ENOUGH))
    assert start.played[0] == played


def test_a_listener_hears_every_mix_and_response(tmp_path: Path) -> None:
    heard: list[object] = []

    class Heard(Listener):
        def solved(self, rounds: int, field: object) -> None:
            heard.append(rounds)

        def responded(self, response: Response) -> None:
            heard.append(response.joined)

    plan = GrowthPlan("grown", tmp_path, **{**ENOUGH, "rounds": 2})
    grow(ruled("rock", "paper"), TableSearches(), plan, listener=Heard())
    assert heard == [0, "Hidden 1", 1, "Hidden 2", 2]


def test_the_pace_is_the_time_of_a_game() -> None:
    field = ruled("rock", "paper", "scissors", "well")
    moments = iter([10.0, 10.1, 16.0])  # the start, after all twelve games, and at the end
    assert seconds_per_game(field, threads=1, clock=lambda: next(moments)) == pytest.approx(0.5)
    assert field.played == [12]


def test_a_deck_that_joins_has_the_first_free_number() -> None:
    assert numbered("hunter", ("Hunter 1", "Hunter 3")) == "Hunter 2"


@pytest.mark.parametrize(
    ("changes", "mistake"),
    [
        ({"rounds": 0}, "rounds"),
        ({"margin": -1}, "margin"),
        ({"margin": float("nan")}, "margin"),
        ({"games": 1}, "games"),
        ({"finals": 0}, "finals"),
        ({"confirmation": 1}, "confirmation"),
        ({"seed": -1}, "seed"),
        ({"name": "../away"}, "called"),
    ],
)
def test_an_impossible_plan_is_refused(changes: dict[str, Any], mistake: str, tmp_path: Path) -> None:
    with pytest.raises(MatchError, match=mistake):
        GrowthPlan(**{"name": "grown", "folder": tmp_path, **changes})
