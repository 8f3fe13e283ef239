"""Comparisons of draft policies: they are played on the games of matches, and pairing keeps the offers the same."""

import numpy as np
import pytest

from deckatlas.games.locm.compare import compare, paired_games
from deckatlas.games.locm.match import play
from deckatlas.search.batches import seed_of


def test_policies_play_the_games_of_matches() -> None:
    played = paired_games("icebox", "coac/greedy", against=["closetai", "random/pass"], seed=3)
    won = played.play(range(5), progress=None)
    for side, name in enumerate(("icebox/greedy", "coac/greedy")):
        for number, opponent in enumerate(("closetai/greedy", "random/pass")):
            match = play(name, opponent, games=10, seed=seed_of(3, "opponent", number))
            is_won = match["winner"] == 0
            assert won[side, :, number].sum() == is_won.sum()
            assert won[side, :, number, 0].sum() == is_won[match["first"] == 0].sum()


def test_rounds_can_be_played_in_parts() -> None:
    played = paired_games("icebox", "coac", against=["closetai"])
    parts = [played.play(part, progress=None) for part in (range(3), range(3, 8))]
    assert np.array_equal(played.play(range(8), progress=None), np.concatenate(parts, axis=1))


@pytest.mark.parametrize("paired", [True, False])
def test_a_policy_is_as_good_as_itself(paired: bool) -> None:
    found = compare("icebox", "icebox", against=["coac"], games=800, paired=paired)
    assert found.verdict == "undecided"
    assert (found.difference.value == 0) == paired
