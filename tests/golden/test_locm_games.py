"""A game of each battle agent of Legends of Code and Magic, held to the files of `agents`.

A difference is a change of behaviour or of a text. If it is meant, write the files with `make golden` and say why in
the commit.
"""

import pytest

from deckatlas import locm
from helpers.golden import assert_golden
from helpers.locm_agents import battle_specs, golden_file, golden_game


@pytest.mark.parametrize("spec", battle_specs())
def test_the_golden_game_is_played_again(spec: str) -> None:
    assert_golden(golden_game(spec), golden_file(spec))
    list(locm.GameRecord.from_text(golden_file(spec).read_text(encoding="utf-8")).replay())


def test_no_golden_game_is_left_of_an_agent_that_is_gone() -> None:
    assert set(golden_file("greedy").parent.iterdir()) == {golden_file(spec) for spec in battle_specs()}
