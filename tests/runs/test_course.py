"""The course of a run over time: how long it worked, and how long it still takes."""

from datetime import UTC, datetime, timedelta

import pytest

from deckatlas.runs.course import Commit, seconds_left, working_seconds

START = datetime(2026, 1, 1, tzinfo=UTC)


def commits(*moments: float) -> list[Commit]:
    """A write at each of these seconds, each with ten games more."""
    return [
        Commit(number, 10 * number, None, START + timedelta(seconds=moment)) for number, moment in enumerate(moments, 1)
    ]


def test_time_between_an_end_and_a_resumption_does_not_count() -> None:
    worked = working_seconds(commits(1, 2, 3, 4000, 4001), START)
    assert worked.tolist() == [1, 2, 3, 3, 4]


def test_slow_writes_are_work() -> None:
    assert working_seconds(commits(100, 220, 330), START).tolist() == [100, 220, 330]


def test_a_run_takes_as_long_as_its_last_games_suggest() -> None:
    assert seconds_left(commits(1, 2, 3, 4), 100) == pytest.approx(6.0)


@pytest.mark.parametrize(("moments", "budget"), [((1, 2), None), ((1,), 100), ((), 100)])
def test_without_a_budget_or_a_speed_nothing_is_promised(moments: tuple[float, ...], budget: int | None) -> None:
    assert seconds_left(commits(*moments), budget) is None
