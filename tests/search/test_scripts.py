"""A script becomes a search that is asked and told."""

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import Script, Steps, games_won, ranked


def seeds(count: int) -> Course:
    return Course(np.zeros(count, dtype=np.uint64), np.arange(count, dtype=np.uint64))


def ask_of(*meetings: tuple[int, int, int]) -> Batch:
    """Matchups (first, second, course) among three genomes over courses of 4 and 10 games."""
    first, second, course = np.array(meetings, dtype=np.int32).T
    return matchups(np.zeros((3, 2)), (seeds(4), seeds(10)), first, second, course)


def generation(number: int) -> Generation:
    return Generation(number, np.zeros((1, 1)), np.zeros(1))


def test_a_script_is_sent_its_wins_and_its_generations_come_out() -> None:
    heard: list[list[int]] = []

    def steps() -> Steps:
        yield generation(0)
        heard.append((yield ask_of((0, 1, 0))).tolist())
        heard.append((yield ask_of((0, 1, 0), (1, 2, 1))).tolist())
        yield generation(1)

    search = Script(steps(), games=18)
    assert (search.games, search.initial and search.initial.number) == (18, 0)
    reached = []
    for told in ([3], [1, 7]):
        assert not search.is_over
        batch = search.ask()
        assert batch is not None
        assert batch.lengths.tolist() == [4, 10][: len(told)]
        assert search.ask() is None
        reached.append(search.tell_wins(np.array(told)))
    assert heard == [[3], [1, 7]]
    assert [one and one.number for one in reached] == [None, 1]
    assert search.is_over
    assert search.ask() is None
    with pytest.raises(SearchError, match="over"):
        search.tell_wins(np.array([1]))


def test_wins_for_another_number_of_matchups_are_refused() -> None:
    def steps() -> Steps:
        yield ask_of((0, 1, 0))

    with pytest.raises(SearchError, match="1 matchups"):
        Script(steps(), games=18).tell_wins(np.array([1, 2]))


def test_games_won_counts_both_seats() -> None:
    ask = ask_of((0, 1, 0), (1, 0, 0), (2, 1, 1))
    # 0 wins 3 of 4 moving first and 2 of 4 moving second; 1 wins 1, 2 and then 3 of 10; 2 wins 7.
    assert games_won(ask, np.array([3, 2, 7])).tolist() == [5, 6, 7]


def test_the_best_come_first_and_equals_stay_in_order() -> None:
    result = ranked(4, np.array([[1.0], [2], [3], [4]]), np.array([50.0, 60, 50, 70]), {"active": 0.5})
    assert result.genomes[:, 0].tolist() == [4, 2, 1, 3]
    assert result.scores.tolist() == [70, 60, 50, 50]
    assert (result.number, dict(result.facts)) == (4, {"active": 0.5})
