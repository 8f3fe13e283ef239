"""Gauntlets: their numbers agree with their matches, times stay out of the columns, and bad programs stop nothing."""

import csv
import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.cli.main import run
from deckatlas.games.locm.entrants import Entrant
from deckatlas.play.sprt import GAMES_PER_LOOK
from helpers.programs import GENEROUS, assert_no_child, write_program

ENTRANTS = ("icebox/greedy", "random/greedy", "random")

# Picks and passes: a program that behaves.
PASSES = """
while True:
    read()
    answer("PASS")
"""
CRASHES = "read(); sys.exit(3)"
SLEEPS = """
for _ in range(3):
    read()
    answer("PICK 0")
read()
time.sleep(60)
"""

WriteProgram = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> WriteProgram:
    return partial(write_program, tmp_path)


@pytest.fixture(scope="module")
def result() -> locm.GauntletResult:
    return locm.gauntlet(ENTRANTS, games=401, seed=3, threads=1)


def command(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["deckatlas", *arguments])
    with pytest.raises(SystemExit) as end:
        run()
    assert end.value.code in (0, None)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def test_every_pair_plays_the_match_that_it_plays_alone(result: locm.GauntletResult) -> None:
    alone = locm.play("icebox/greedy", "random", games=401, seed=3, threads=1)
    together = result.match(0, 2)
    assert (together.a, together.b, together.rate) == (alone.a, alone.b, alone.rate)
    for name, column in alone.columns.items():
        assert np.array_equal(column, together[name]), name


def test_matrices_agree_with_the_matches(result: locm.GauntletResult) -> None:
    assert result.games.tolist() == [[0, 401, 401], [401, 0, 401], [401, 401, 0]]
    assert np.array_equal(result.wins + result.wins.T, result.games)
    assert result.wins[0, 1] == result.match(0, 1).wins
    off = ~np.eye(3, dtype=bool)
    assert np.allclose(result.rates[off], (result.wins[off] / result.games[off]))
    assert np.isnan(np.diag(result.rates)).all()
    assert np.allclose(result.low[off], 1 - result.high.T[off])
    assert (result.low[off] <= result.rates[off]).all()


def test_a_score_is_the_share_of_all_games_and_mirrors_the_matches(result: locm.GauntletResult) -> None:
    for i in range(3):
        score = result.score(i)
        assert score.n == 802
        assert score.value == pytest.approx(result.wins[i].sum() / 802)
        assert score.low < score.value < score.high


def test_two_entrants_score_what_their_match_gave() -> None:
    pair = locm.gauntlet(ENTRANTS[:2], games=600, seed=1, threads=1)
    for one, other in ((pair.score(0), pair.rate(0, 1)), (pair.score(1), pair.rate(1, 0))):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    first, match = pair.first_seat_rate, pair.matches[0].first_seat_rate
    assert (first.value, first.low, first.high) == pytest.approx((match.value, match.low, match.high))


def test_the_first_seat_has_what_its_games_gave(result: locm.GauntletResult) -> None:
    won = sum(int(np.sum(match["winner"] == match["first"])) for match in result.matches)
    rate = result.first_seat_rate
    assert rate.n == 1203
    assert rate.value == pytest.approx(won / 1203)
    assert 0.45 < rate.low < rate.value < rate.high < 0.65


def test_ratings_rank_the_entrants(result: locm.GauntletResult) -> None:
    assert result.ranking() == [0, 1, 2]
    assert result.ratings.low[1] > result.ratings.high[2]


def test_a_sequential_test_ends_matches_one_by_one() -> None:
    ended = locm.gauntlet(ENTRANTS, games=4000, seed=3, threads=1, sprt=locm.Sprt(elo1=40))
    assert all(match.sprt is not None and match.sprt.accepted for match in ended.matches)
    lengths = [match.games for match in ended.matches]
    assert len(set(lengths)) > 1
    assert all(games % GAMES_PER_LOOK == 0 for games in lengths)
    assert [ended.score(i).n for i in range(3)] == ended.games.sum(axis=1).tolist()
    assert np.isfinite(ended.ratings.low).all()


def test_progress_hears_of_games_done_and_of_a_total_that_shrinks_with_matches_that_end() -> None:
    heard: list[tuple[int, int]] = []
    ended = locm.gauntlet(
        ENTRANTS,
        games=4000,
        seed=3,
        threads=1,
        sprt=locm.Sprt(elo1=40),
        progress=lambda done, total: heard.append((done, total)),
    )
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1][0] == sum(match.games for match in ended.matches)
    assert heard[0][1] == 12_000
    assert all(done <= total for done, total in heard)
    assert heard[-1][1] == ended.matches[0].games + ended.matches[1].games + 4000


# ---- times -----------------------------------------------------------------------------------------------------------


def test_times_are_measured_only_when_asked_for_and_change_no_column() -> None:
    plain = locm.play("icebox/greedy", "random", games=100, seed=1, threads=1)
    timed = locm.play("icebox/greedy", "random", games=100, seed=1, threads=1, timed_games=60)
    assert plain.times.turns.shape == (0, 2)
    assert plain.times.ms_per_turn(0) is None
    assert timed.times.seconds.shape == timed.times.turns.shape == (60, 2)
    assert plain.columns.keys() == timed.columns.keys()
    for name, column in plain.columns.items():
        assert np.array_equal(column, timed[name]), name


@pytest.mark.parametrize("at_table", [False, True])
def test_each_entrant_is_timed_in_its_own_turns(at_table: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if at_table:
        monkeypatch.setattr(Entrant, "agents_of_core", lambda entrant: None)
    match = locm.play("icebox/greedy", "random/pass", games=40, seed=1, threads=1, timed_games=40)
    turns = match.times.turns.sum(axis=1)
    assert ((match["turns"] - turns == 0) | (match["turns"] - turns == 1)).all()  # a last turn may begin with a death
    assert (np.abs(match.times.turns[:, 0] - match.times.turns[:, 1]) <= 1).all()
    assert (match.times.slowest <= match.times.seconds).all()
    greedy, passing = match.times.ms_per_turn(0), match.times.ms_per_turn(1)
    assert greedy is not None
    assert passing is not None
    assert 0 < passing < greedy
    assert "ms per turn" in str(match)


def test_a_search_costs_the_time_that_it_takes() -> None:
    def slow(view: locm.State, actions: list[locm.Action]) -> locm.Action:
        sum(range(20_000))
        return actions[0]

    pair = locm.gauntlet([("random", slow), "random"], games=2, threads=1)
    times = [pair.ms_per_turn(i) for i in range(2)]
    assert times[0] is not None
    assert times[1] is not None
    assert times[0] > 3 * times[1]


# ---- programs that misbehave -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_bad_programs_lose_their_games_with_the_reason_counted_and_the_gauntlet_goes_on(
    write: WriteProgram, threads: int
) -> None:
    crashing, good = f"exec:{write(CRASHES)}", f"exec:{write(PASSES)}"
    outcome = locm.gauntlet([crashing, good, "icebox/greedy"], games=4, seed=1, threads=threads, time_factor=GENEROUS)
    assert outcome.wins.tolist() == [[0, 0, 0], [4, 0, 0], [4, 4, 0]]
    assert outcome.forfeits(0) == {"ended with exit code 3": 8}
    assert outcome.forfeits(1) == outcome.forfeits(2) == {}
    assert outcome.ms_per_turn(0) is None  # it never came to a turn
    assert outcome.ms_per_turn(1) is not None
    assert np.isfinite([outcome.ratings.low, outcome.ratings.high]).all()
    assert outcome.ranking() == [2, 1, 0]
    assert_no_child()


def test_a_program_that_answers_late_loses(write: WriteProgram) -> None:
    outcome = locm.gauntlet([f"exec:{write(SLEEPS)}", "random"], games=2, threads=2, time_factor=5.0)
    assert outcome.wins.tolist() == [[0, 0], [2, 0]]
    assert outcome.forfeits(0) == {"answered nothing within 500 ms": 2}
    assert_no_child()


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_json_and_csv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "pairs.csv"
    options = ("--games", "401", "--seed", "3", "--threads", "1", "--json", "-", "--csv", str(table))
    command("gauntlet", "locm", *ENTRANTS, *options, monkeypatch=monkeypatch)
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    expected = locm.gauntlet(ENTRANTS, games=401, seed=3, threads=1)
    assert [(pair["a"], pair["b"]) for pair in told["pairs"]] == [
        ("icebox/greedy", "random/greedy"),
        ("icebox/greedy", "random"),
        ("random/greedy", "random"),
    ]
    for pair, match in zip(told["pairs"], expected.matches, strict=True):
        assert (pair["games"], pair["wins"]) == (401, match.wins)
        assert (pair["rate"], pair["low"], pair["high"]) == (match.rate.value, match.rate.low, match.rate.high)
        assert pair["first_seat"]["rate"] == match.first_seat_rate.value
        assert pair["ms_per_turn"]["a"] > 0
        assert pair["forfeits"] == {}
    assert [rating["name"] for rating in told["ratings"]] == list(ENTRANTS)
    assert [rating["rating"] for rating in told["ratings"]] == expected.ratings.value.tolist()
    assert all(rating["low"] < rating["rating"] < rating["high"] for rating in told["ratings"])
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [(row["a"], row["b"], int(row["wins"])) for row in rows] == [
        (pair["a"], pair["b"], pair["wins"]) for pair in told["pairs"]
    ]
    assert float(rows[0]["first_seat_rate"]) == told["pairs"][0]["first_seat"]["rate"]


def test_the_command_prints_tables_of_at_most_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("icebox/greedy", "closetai/greedy", "coac-first/greedy", "chad-first/greedy", "random/greedy", "random")
    command("gauntlet", "locm", *names, "--games", "40", "--threads", "1", monkeypatch=monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in names:
        assert sum(name in line.split() for line in lines) == 2  # with its rating and in the cross table
    assert any(line.startswith("the first player won ") for line in lines)


def test_the_command_tells_what_tests_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("icebox/greedy", "random", "--games", "2000", "--threads", "1", "--sprt", "--elo1", "30")
    command("gauntlet", "locm", *arguments, monkeypatch=monkeypatch)
    told = capsys.readouterr().out
    assert f"icebox/greedy against random, {GAMES_PER_LOOK} games: H1, a lead of +30 Elo or more (LLR" in told
