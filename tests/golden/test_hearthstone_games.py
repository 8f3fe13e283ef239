"""A game of each agent of Hearthstone, in two editions, held to the files of `hearthstone`.

A difference is a change of behaviour or of a text. If it is meant, write the files with `make golden` and say why in
the commit.
"""

from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.games.hearthstone.agents import AGENTS
from helpers.golden import assert_golden

GOLDEN = Path(__file__).with_name("hearthstone")
DECKS = ("Control Warlock", "Aggro Paladin")
SEED = 2024
SPECS = {
    "random": "random",
    "random-active": "random:active",
    "pass": "pass",
    "planner": "planner:score=midrange",
    "planner-perfect": "planner:score=control,information=perfect",
    "planner-stubborn": "planner:score=aggro,information=perfect,replan=false",
    "default": "default",
    "fast": "fast",
    "expert": "expert:replies=2",
    "search": "search",
    "mcts": "mcts:playouts=20",
    "mcts0": "mcts0",
    "best-first": "best-first",
    "dfs": "dfs",
    "fmc": "fmc",
    "greedy": "greedy",
}
GAMES = [(name, edition) for name in SPECS for edition in ("2018-12", "sabberstone")]


def golden_file(name: str, edition: str) -> Path:
    return GOLDEN / f"{name}-{edition}.txt"


def golden_game(name: str, edition: str) -> str:
    return hearthstone.play_one(SPECS[name], "random:active", decks=DECKS, edition=edition, seed=SEED).to_text()


@pytest.mark.parametrize(("name", "edition"), GAMES)
def test_a_game_goes_as_it_did(name: str, edition: str) -> None:
    assert_golden(golden_game(name, edition), golden_file(name, edition))


def test_every_agent_has_a_golden_game() -> None:
    assert {spec.partition(":")[0] for spec in SPECS.values()} == set(AGENTS)


def test_no_golden_game_is_left_of_an_agent_that_is_gone() -> None:
    assert set(GOLDEN.iterdir()) == {golden_file(*game) for game in GAMES}


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for game in GAMES:
        golden_file(*game).write_text(golden_game(*game), encoding="utf-8")
