"""Matches: the same on any number of threads and on both ways to play them, true to the rules and to known figures."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from helpers.locm_matches import column_bytes, play_at_table

CREATURES = [1, 7, 13, 29, 32, 37, 49, 64, 65, 69, 80, 84, 95, 99, 103] * 2
MIXED = [3, 25, 45, 48, 53, 91, 112, 116, 118, 121, 137, 140, 142, 151, 160] * 2


def entrant_in_seat(result: locm.MatchResult, game: int, seat: int) -> str:
    return (result.a, result.b)[seat ^ int(result["first"][game])]


# ---- same seed, same bytes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap_seats", [True, False])
@pytest.mark.parametrize("format", ["referee", "distinct"])
@pytest.mark.parametrize(("a", "b"), [("random/random", "icebox/random:active"), ("closetai/greedy", "random/pass")])
def test_the_number_of_threads_changes_no_byte(a: str, b: str, format: str, swap_seats: bool) -> None:
    matches = [
        locm.play(a, b, games=777, seed=5, format=format, swap_seats=swap_seats, threads=threads)
        for threads in (1, 2, 7)
    ]
    assert column_bytes(matches[0]) == column_bytes(matches[1]) == column_bytes(matches[2])
    other = locm.play(a, b, games=777, seed=6, format=format, swap_seats=swap_seats)
    assert column_bytes(matches[0])["final_hash"] != column_bytes(other)["final_hash"]


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        ("random/random", "random/random", {}),
        ("icebox/greedy", "random/random:active", {}),
        ("random:active", "closetai/pass", {"format": "distinct"}),
        ("coac-cog-first/greedy", "random/greedy", {"swap_seats": False}),
        ("random/pass", "icebox/pass", {}),
        ("greedy", "random", {"decks": (CREATURES, MIXED)}),
        ("random:active", "greedy", {"decks": (MIXED, MIXED), "swap_seats": False}),
    ],
)
def test_games_played_action_by_action_give_the_same_bytes(
    a: str, b: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_core = locm.play(a, b, games=101, seed=9, **options)
    play_at_table(monkeypatch)
    at_table = locm.play(a, b, games=101, seed=9, **options)
    assert column_bytes(at_table) == column_bytes(in_core)


def test_the_first_games_of_a_longer_match_are_those_of_a_shorter_one() -> None:
    long, short = (locm.play("icebox/greedy", "random/random", games=games, seed=1) for games in (200, 65))
    for name, column in short.columns.items():
        assert np.array_equal(long[name][:65], column), name


# ---- pairs -----------------------------------------------------------------------------------------------------------


def test_games_come_in_pairs_of_one_seed_with_seats_swapped() -> None:
    result = locm.play("icebox/greedy", "random/greedy", games=1000, seed=3)
    assert result["first"].tolist() == [0, 1] * 500
    assert np.array_equal(result["seed"][::2], result["seed"][1::2])
    assert len(set(result["seed"].tolist())) == 500
    won = (result["winner"] == 0).reshape(-1, 2).sum(axis=1) / 2
    assert np.array_equal(result.pair_outcomes, won)
    assert set(won) == {0.0, 0.5, 1.0}
    assert result.rate.value == result.wins / 1000 == won.mean()


def test_without_swapping_a_always_moves_first_and_every_game_has_its_own_seed() -> None:
    result = locm.play("random/greedy", "random/random", games=1000, seed=3, swap_seats=False)
    assert not result["first"].any()
    assert len(set(result["seed"].tolist())) == 1000
    assert len(result.pair_outcomes) == 1000
    assert result.rate_in_seat(0) == result.rate == result.first_seat_rate
    assert result.rate_in_seat(1) is None
    assert "moving second" not in str(result)


def test_seeds_do_not_depend_on_who_plays_and_entrants_swapped_play_the_same_games() -> None:
    ab = locm.play("icebox/greedy", "random/random", games=400, seed=8)
    ba = locm.play("random/random", "icebox/greedy", games=400, seed=8)
    other_half = np.arange(400) ^ 1  # in the other match, the game of the same seed in which the same entrant is first
    assert np.array_equal(ab["seed"], ba["seed"])
    assert np.array_equal(ab["winner"], 1 - ba["winner"][other_half])
    assert np.array_equal(ab["final_hash"], ba["final_hash"][other_half])
    assert np.array_equal(ab["health"], ba["health"][other_half, ::-1])
    assert (ab.rate.low, ab.rate.high) == pytest.approx((1 - ba.rate.high, 1 - ba.rate.low))


def test_an_entrant_against_itself_plays_each_game_twice() -> None:
    result = locm.play("random/random", "random/random", games=300)
    assert np.array_equal(result["final_hash"][::2], result["final_hash"][1::2])
    assert result.rate.value == 0.5
    assert set(result.pair_outcomes) == {0.5}


def test_an_odd_last_game_stands_for_its_seed_alone() -> None:
    result = locm.play("icebox/greedy", "random/random", games=5, seed=2)
    assert (result.games, len(result.pair_outcomes), result.rate.n) == (5, 3, 5)
    assert result.pair_outcomes[2] == (result["winner"][4] == 0)
    seats = [result.rate_in_seat(seat) for seat in (0, 1)]
    assert [rate and rate.n for rate in seats] == [3, 2]


# ---- what a row says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "format"),
    [
        ("icebox/greedy", "random/random", "referee"),
        ("random/random:active", "random/random", "distinct"),
        ("random/pass", "random/random", "referee"),
    ],
)
def test_a_row_tells_the_game_that_its_seed_replays(a: str, b: str, format: str) -> None:
    result = locm.play(a, b, games=12, seed=4, format=format)
    for game in range(12):
        seats = [entrant_in_seat(result, game, seat) for seat in (0, 1)]
        first = int(result["first"][game])
        record = locm.play_one(seats[0], seats[1], seed=int(result["seed"][game]), format=format)
        states = list(record.replay())
        final = states[-1]
        assert states[0] == locm.new_game(seed=int(result["seed"][game]), format=format)
        assert result["final_hash"][game] == final.battle_hash
        assert result["winner"][game] == record.winner ^ first
        assert result["turns"][game] == final.turn + 1
        assert result["actions"][game] == len(record.actions) - 60
        for seat in (0, 1):
            entrant = seat ^ first
            side = final.side(seat)
            card_costs = [
                cost_of_card(before, action.id)
                for before, action in zip(states, record.actions, strict=False)
                if before.in_battle and before.player_to_move == seat and action.verb in ("SUMMON", "USE")
            ]
            assert result["health"][game, entrant] == side.health
            assert result["cards_drawn"][game, entrant] == 30 - side.deck_left
            assert result["cards_played"][game, entrant] == len(card_costs)
            assert result["mana_spent"][game, entrant] == sum(card_costs)


def cost_of_card(state: locm.State, instance: int) -> int:
    hand = {card.instance: card.card for card in state.side(state.player_to_move).hand}
    return locm.cards()[hand[instance] - 1].cost


@pytest.mark.parametrize(("a", "b"), [("icebox/greedy", "random/greedy"), ("random/random", "random/pass")])
def test_columns_agree_with_the_rules_and_with_each_other(a: str, b: str) -> None:
    result = locm.play(a, b, games=20_000, seed=11)
    rows = np.arange(result.games)
    loser_health = result["health"][rows, 1 - result["winner"]]
    assert (loser_health <= 0).all()
    drawn, played, mana = result["cards_drawn"], result["cards_played"], result["mana_spent"]
    in_hand = drawn - played
    assert ((in_hand >= 0) & (in_hand <= 8)).all()
    assert (drawn <= 30).all()
    assert (drawn[rows, result["first"]] >= 5).all()
    assert (mana <= 12 * played).all()
    assert ((result["turns"] >= 1) & (result["turns"] <= 111)).all()
    assert (result["actions"] >= result["turns"] - 1).all()  # nobody acts in a turn that begins with a death
    if b == "random/pass":
        assert not played[:, 1].any()
        assert not mana[:, 1].any()


def test_given_decks_are_played_by_their_entrants_from_either_seat() -> None:
    costs = [locm.cards()[card - 1].cost for card in (1, 64)]
    assert costs[0] != costs[1]
    result = locm.play("greedy", "random:active", decks=([1] * 30, [64] * 30), games=100, seed=1)
    assert np.array_equal(result["mana_spent"], result["cards_played"] * np.array(costs))
    assert result["cards_played"].min() > 0
    assert (result.a, result.b) == ("greedy", "random:active")


# ---- known figures ---------------------------------------------------------------------------------------------------


def test_random_games_are_as_long_as_the_official_engine_plays_them_and_the_first_seat_wins_as_often() -> None:
    result = locm.play("random/random", "random/random", games=100_000, seed=1, swap_seats=False)
    assert 0.520 <= result.first_seat_rate.value <= 0.545
    assert 25.6 <= result["turns"].mean() <= 26.6
    assert 87 <= result["actions"].mean() <= 91


def test_greedy_beats_random_nearly_always() -> None:
    result = locm.play("icebox/greedy", "random/random", games=5000, seed=1)
    assert result.rate.low > 0.97


# ---- progress and results --------------------------------------------------------------------------------------------


def test_progress_hears_of_more_and_more_games_and_at_last_of_all() -> None:
    heard: list[int] = []
    locm.play("random", "random", games=100_000, threads=1, progress=heard.append)
    assert len(heard) > 1
    assert heard == sorted(heard)
    assert (heard[0] >= 0, heard[-1]) == (True, 100_000)


def test_progress_also_hears_of_a_match_that_is_over_at_once_or_played_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[int] = []
    locm.play("random", "random", games=3, progress=heard.append)
    assert heard[-1] == 3
    play_at_table(monkeypatch)
    heard.clear()
    locm.play("random", "random", games=3, progress=heard.append)
    assert heard == [1, 2, 3]


def test_an_exception_of_progress_stops_the_match() -> None:
    def stop(games: int) -> None:
        raise LookupError

    start = time.monotonic()
    with pytest.raises(LookupError):
        locm.play("random/greedy", "random/greedy", games=4_000_000, threads=1, progress=stop)
    assert time.monotonic() - start < 5  # the whole match takes several times as long


def test_a_result_prints_rate_interval_and_n_also_by_seat() -> None:
    result = locm.play("icebox/greedy", "random/greedy", games=2000, seed=1)
    lines = str(result).splitlines()
    assert lines[0] == f"icebox/greedy against random/greedy: {result.rate}"
    assert lines[1] == f"  moving first:  {result.rate_in_seat(0)}"
    assert lines[2] == f"  moving second: {result.rate_in_seat(1)}"
    assert lines[3].startswith("  half-turns per game ")
    assert len(lines) == 4


def test_every_named_draft_policy_and_battle_agent_plays() -> None:
    for draft in set(locm.DRAFT_POLICIES) - {"ranking", "net", "genome"}:
        assert locm.play(f"{draft}/greedy", "random/random", games=2).games == 2
    for battle in set(locm.BATTLE_AGENTS) - {"chad"}:  # a second a game
        assert locm.play(f"icebox/{battle}", "random/random", games=2).games == 2


def test_a_ranking_in_a_file_drafts_like_the_ranking_itself(tmp_path: Path) -> None:
    scores = locm.rankings()["icebox"]
    for name, separator in (("blanks", " "), ("commas", ","), ("lines", "\n")):
        file = tmp_path / name
        file.write_text(separator.join(map(repr, scores.tolist())), encoding="utf-8")
        from_file = locm.play(f"ranking:file={file}/greedy", "random/random", games=20)
        named = locm.play("icebox/greedy", "random/random", games=20)
        assert column_bytes(from_file) == column_bytes(named)


def test_a_negative_seed_is_its_64_bits() -> None:
    negative, positive = (locm.play("random", "random", games=4, seed=seed) for seed in (-1, 2**64 - 1))
    assert column_bytes(negative) == column_bytes(positive)
