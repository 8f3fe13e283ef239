"""The games that ship with the package, by which `deckatlas doctor` checks an installation.

They change only when rules, random numbers or agents do. If that is meant, write them with `make golden` and say why in
the commit.
"""

from pathlib import Path

import pytest

import deckatlas
from deckatlas.games import built_in_games
from deckatlas.games.hearthstone.record import GameRecord as HearthstoneRecord
from deckatlas.games.locm.record import GameRecord as LocmRecord

GAMES = {game.name: game for game in built_in_games()}


def file_of(name: str) -> Path:
    return Path(deckatlas.__file__).parent / "games" / name / "golden_game.txt"


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_game_is_played_again(name: str) -> None:
    played, shipped = GAMES[name].golden_game()
    assert played == shipped == file_of(name).read_text(encoding="utf-8")


def test_shipped_games_are_whole_records() -> None:
    for record, name in ((LocmRecord, "locm"), (HearthstoneRecord, "hearthstone")):
        text = file_of(name).read_text(encoding="utf-8")
        assert record.from_text(text).to_text() == text


if __name__ == "__main__":
    for name, game in GAMES.items():
        file_of(name).write_text(game.golden_game()[0], encoding="utf-8")
