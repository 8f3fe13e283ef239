"""The recorder of positions: what it records of which games, and what it refuses."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from deckatlas._core import hearthstone as core
from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.cards.editions import edition_of
from deckatlas.games.hearthstone.match import play_one
from deckatlas.games.hearthstone.setup import deck_rows

EDITION = edition_of("2018-12")
DECKS = ("Starter Mage", "Starter Hunter", "Starter Priest")
ROWS = deck_rows(DECKS, EDITION)
BEGINS = core.Moment.turn_begins.value
LOST, WON = 0, 1


def recorded(pilot: str = "planner:score=aggro", *, games: int = 20, **options: Any) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    chosen: dict[str, Any] = {
        "pilots_of_game": np.zeros((games, 2), np.int32),
        "decks_of_game": rng.integers(0, len(DECKS), (games, 2)).astype(np.int32),
        "seeds": rng.integers(0, 2**63, games).astype(np.uint64),
        "mulligan": core.Mulligan.cheap,
        "threads": 1,
    }
    return core.record_positions(EDITION.card_set, [agent(pilot)], ROWS, **{**chosen, **options})


def features_of(columns: dict[str, Any], position: int) -> list[int]:
    start, end = columns["offsets"][position : position + 2]
    return list(columns["features"][start:end])


def assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert one.keys() == other.keys()
    for name, column in one.items():
        assert np.array_equal(column, other[name]), name


def test_positions_are_those_of_the_same_game_at_its_turns() -> None:
    seed = 77
    columns = recorded(
        games=1, decks_of_game=np.array([[0, 1]], np.int32), seeds=np.array([seed], np.uint64), pilot="search"
    )
    record = play_one("search", "search", decks=DECKS[:2], edition=EDITION, seed=seed)
    features = core.PositionFeatures(EDITION.card_set)
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[list[int]]] = {}
    states = list(record.replay())
    for before, after in pairwise(states):
        player = before.player_to_move
        if before.turn not in begins and before.phase == "main":
            begins[before.turn] = list(features.list(before, player, core.Moment.turn_begins))
        if before.phase == "main" and after.turn != before.turn:
            ends[before.turn] = [list(features.list(each, player, core.Moment.turn_ended)) for each in (before, after)]
    for position, half_turn in enumerate(columns["half_turn"]):
        if columns["moment"][position] == BEGINS:
            assert features_of(columns, position) == begins[half_turn]
        else:
            assert features_of(columns, position) in ends[half_turn]
    assert np.sum(columns["moment"] == BEGINS) == len(begins) == columns["turns"][0]
    assert np.sum(columns["moment"] != BEGINS) == len(ends) >= columns["turns"][0] - 1


def test_outcomes_are_those_of_the_player_whose_turn_it_is() -> None:
    columns = recorded()
    winners = columns["winner"][columns["game"]]
    seats = (columns["half_turn"] + 1) % 2
    decided = winners < 2
    assert np.array_equal(columns["outcome"][decided], np.where(winners == seats, WON, LOST)[decided])
    assert set(columns["outcome"]) == {LOST, WON}


def test_the_number_of_threads_changes_nothing() -> None:
    assert_same(
        recorded(explored=0.1, explorer=agent("random")), recorded(explored=0.1, explorer=agent("random"), threads=2)
    )


def test_a_share_of_the_positions_is_a_part_of_all_of_them() -> None:
    everything, share = recorded(), recorded(share=0.3)
    assert 0.2 < len(share["moment"]) / len(everything["moment"]) < 0.4
    keys = [set(zip(each["game"], each["half_turn"], each["moment"], strict=True)) for each in (everything, share)]
    assert keys[1] < keys[0]
    assert np.array_equal(everything["winner"], share["winner"])


def test_positions_before_an_explored_turn_are_dropped() -> None:
    always = recorded("random", explorer=agent("random"), explored=1.0)
    assert np.all(always["moment"] != BEGINS)
    assert np.all(always["half_turn"] >= always["turns"][always["game"]] - 1)
    sometimes = recorded(explorer=agent("random"), explored=0.05)
    firsts = np.unique(sometimes["game"], return_index=True)[1]
    begins = sometimes["moment"][firsts] == BEGINS
    assert 0 < begins.sum() < len(begins)
    assert np.all(sometimes["half_turn"][firsts][begins] == 1)  # otherwise the first is the end of an explored turn
    assert np.any(sometimes["half_turn"][firsts][~begins] > 1)


def test_some_games_are_opened_with_hands_that_no_pilot_keeps() -> None:
    usual, explored = (recorded("pass", explored=share, explorer=agent("pass")) for share in (0.0, 1.0))
    assert not np.array_equal(usual["features"], explored["features"])


def test_every_position_has_the_rating_of_its_player_to_move() -> None:
    columns = recorded("search")
    assert np.mean(columns["plan_score"] != 0) > 0.9
    assert not recorded("random")["plan_score"].any()
    won = np.where(columns["outcome"] == WON, 1, -1)
    assert np.corrcoef(np.clip(columns["plan_score"], -2000, 2000), won)[0, 1] > 0.2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"pilots_of_game": np.ones((20, 2), np.int32)}, "no pilot 1 among 1"),
        ({"decks_of_game": np.full((20, 2), -1, np.int32)}, "no deck -1 among 3"),
        ({"decks_of_game": np.zeros((3, 2), np.int32)}, "two decks"),
        ({"seeds": np.zeros(0, np.uint64)}, "games must be between"),
        ({"share": float("nan")}, "share of positions"),
        ({"explored": 1.5}, "explored turns"),
        ({"threads": 0}, "threads"),
    ],
)
def test_games_that_cannot_be_played_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(MatchError, match=complaint):
        recorded(**options)
