"""The games of a metagame as they are stored: who met, and how it ended, without the file that named the decks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.errors import DeckatlasError, RunError
from deckatlas.games import Game, all_games
from deckatlas.metagame.matchups import Matchups, all_pairs
from deckatlas.metagame.metagame import Entrant, shares_of
from deckatlas.metagame.rounds import matchups_from
from deckatlas.metagame.standings import Standings, mix_by_seed
from deckatlas.runs.store import open_store
from deckatlas.shapes import show

ALGORITHM = "metagame"


@dataclass(frozen=True)
class StoredField:
    """The decks of stored games.

    Attributes:
        game: Their game.
        entrants: The decks, with names that the game makes for them.
    """

    game: Game
    entrants: tuple[Entrant, ...]


def stored_config(path: Path) -> Mapping[str, Any]:
    """The configuration of a run.

    Raises:
        RunError: If it cannot be read.
    """
    with open_store(path) as store:
        return store.run().config


def stored_field(config: Mapping[str, Any]) -> StoredField | None:
    """The decks of a run's configuration; None if it is not a metagame that a game knows."""
    space = config.get("space")
    kind = space.get("kind") if isinstance(space, Mapping) else None
    for game in all_games():
        if kind in game.run_kinds and game.offers("stored_entrants"):
            try:
                return StoredField(game, game.stored_entrants(config))
            except (DeckatlasError, ValueError, LookupError, TypeError):
                return None
    return None


def stored_matchups(path: Path, names: tuple[str, ...]) -> Matchups:
    """The games that are stored so far.

    Raises:
        RunError: If they cannot be read.
    """
    with open_store(path) as store:
        history = store.history()
    return matchups_from(names, history.participants, history.total[:, 0].astype(np.int64))


def are_complete(matchups: Matchups) -> bool:
    """Whether every pair has played."""
    return len(matchups.outcomes) == len(all_pairs(len(matchups)))


def stored_standings(path: Path) -> Standings:
    """How decks stand by their stored games alone; today's shares are not stored, so they are taken as equal.

    Raises:
        RunError: If the run cannot be read, is not the games of a metagame, or not every pair has played.
    """
    config = stored_config(path)
    search = config.get("search")
    is_metagame = isinstance(search, Mapping) and search.get("algorithm") == ALGORITHM
    field = stored_field(config) if is_metagame else None
    if field is None:
        raise RunError(f"{show(path.name)} does not have the games of a metagame")
    matchups = stored_matchups(path, tuple(each.name for each in field.entrants))
    if not are_complete(matchups):
        raise RunError(f"not every pair of the metagame {show(path.name)} has played yet")
    return Standings(matchups, mix_by_seed(matchups, int(config["seed"])), shares_of(field.entrants))
