"""Games of a run, played again: every one ends as the store says."""

import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckatlas import hearthstone, locm
from deckatlas.errors import RunError
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.replaying import RunGames, rates_by_opponent
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.evaluation import WON
from helpers.runs import write_config


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunView]:
    folder = tmp_path_factory.mktemp("replaying")
    shared: dict[str, Any] = {"evaluations": 6, "games": 10, "resolution": 3, "seed": 3}
    hearthstone.map_elites("mage", pilot="greedy", path=folder / "decks of hearthstone.db", **shared)
    locm.map_elites("deck", path=folder / "decks of locm.db", **shared)
    locm.map_elites("draft", path=folder / "policies.db", **shared)
    return {path.stem: open_run(path) for path in folder.glob("*.db")}


@pytest.mark.parametrize("name", ["decks of hearthstone", "decks of locm", "policies"])
def test_every_game_ends_as_it_is_stored(runs: dict[str, RunView], name: str) -> None:
    view = runs[name]
    games = RunGames(view)
    ends = []
    for number in (0, len(view.log) - 1):
        stored = games.of(view, number)
        assert len(stored) == view.log.games[number]
        assert [game.number for game in stored] == [*range(len(stored))]
        for game in stored:
            replay = games.replay(view, number, game.number)
            seat = game.meeting.seat
            assert {None: "nobody won", seat: "won", 1 - seat: "lost"}[replay.winner] == game.result
            sides = replay.frames[-1].state["sides"]
            assert sides[seat]["health"] - sides[1 - seat]["health"] == game.margin
            ends.append((seat, game.result))
    assert {seat for seat, _ in ends} == {0, 1}
    assert {result for _, result in ends} >= {"lost", "won"}


def test_rates_against_opponents_add_up_to_the_win_rate(runs: dict[str, RunView]) -> None:
    for view in runs.values():
        rates = rates_by_opponent(RunGames(view).of(view, 0))
        wins = sum(rate.value * rate.n for rate in rates.values())
        assert wins / sum(rate.n for rate in rates.values()) == pytest.approx(view.rated("win_rate", 0).value)


def test_the_same_deck_by_two_pilots_is_two_opponents(tmp_path: Path) -> None:
    suite = tmp_path / "pilots.toml"
    pilots = ("random", "pass")
    suite.write_text("".join(f'[[opponent]]\ndeck = "Starter Mage"\npilot = "{pilot}"\n' for pilot in pilots))
    hearthstone.map_elites(
        "hunter", pilot="random", suite=str(suite), evaluations=1, games=20, resolution=2, path=tmp_path / "run.db"
    )
    view = open_run(tmp_path / "run.db")
    games = RunGames(view).of(view, 0)
    rates = rates_by_opponent(games)
    assert list(rates) == [("Starter Mage", pilot) for pilot in pilots]
    for (_, pilot), rate in rates.items():
        won = [game.outcome == WON for game in games if game.meeting.pilot == pilot]
        assert (rate.value, rate.n) == (sum(won) / len(won), 10)
    assert len({rate.value for rate in rates.values()}) == 2


def test_games_that_do_not_exist_are_refused(runs: dict[str, RunView]) -> None:
    view = runs["policies"]
    games = RunGames(view)
    for number, game in ((0, 10), (0, -1)):
        with pytest.raises(RunError, match="has no game"):
            games.replay(view, number, game)
    for number in (-1, 10_000):
        with pytest.raises(RunError, match="there is no solution"):
            games.of(view, number)


def test_other_cards_would_play_other_games(runs: dict[str, RunView]) -> None:
    view = runs["policies"]
    with pytest.raises(RunError, match="are not those of this version"):
        RunGames(replace(view, run=replace(view.run, cards="0" * 64)))


def test_searches_without_a_map_are_refused(tmp_path: Path) -> None:
    config = """\
        budget = 200
        [space]
        kind = "hearthstone-deck"
        class = "mage"
        [evaluation]
        pilot = "random"
        games = 2
        [search]
        algorithm = "deck-values"
        rounds = 2
        finalists = 2
    """
    file = write_config(tmp_path, textwrap.dedent(config))
    execute(read_config(file), path=tmp_path / "best.db")
    with pytest.raises(RunError, match="only games of maps"):
        RunGames(open_run(tmp_path / "best.db"))
