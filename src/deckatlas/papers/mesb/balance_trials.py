"""The decks of a map's elites as rows, and as decks again, so that reports can read those of other calls."""

from collections.abc import Mapping, Sequence

import numpy as np

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.papers.mesb.maps import SUM, VARIANCE
from deckatlas.papers.other_results import Row, TrialRows
from deckatlas.runs.config import RunConfig
from deckatlas.runs.inclusion import PlacedDecks
from deckatlas.runs.view import RunView

DECKS = "decks"
DECK_TABLES: Mapping[str, TrialRows] = {DECKS: TrialRows({"deck": "text"})}


def deck_rows(view: RunView) -> list[Row]:
    """The deck code of each elite, in the order of the cells."""
    return [{"deck": view.code(view.log.solutions[number])} for number in view.archive.elites.tolist()]


def decks_of_rows(rows: Sequence[Row], space: HearthstoneDecks) -> PlacedDecks:
    """The decks of these rows, which are from a map over this space, and where they are by its costs of cards.

    Raises:
        DeckError: If one is not a deck of it.
    """
    cards = space.edition.by_id
    decks = [space.solution(read_deck(row["deck"], cards, hero_class=space.hero_class)) for row in rows]
    copies = np.array(decks, np.uint8)
    columns = dict(zip(space.columns, space.measures(copies).T, strict=True))
    names = tuple(cards[card].name for card in space.ids)
    return PlacedDecks(space.ids, names, copies, {name: columns[name] for name in (SUM, VARIANCE)})


def trials_of_rows(rows: Sequence[Row], spaces: Mapping[str, HearthstoneDecks]) -> dict[str, dict[int, PlacedDecks]]:
    """The decks of all trials of some maps, by map and number of the trial.

    Args:
        rows: The rows of all decks.
        spaces: The space of each map, by its name.

    Raises:
        DeckError: If one is not a deck of its map.
    """
    of_trials: dict[str, dict[int, list[Row]]] = {name: {} for name in spaces}
    for row in rows:
        of_trials[row["map"]].setdefault(row["run"], []).append(row)
    return {
        name: {number: decks_of_rows(found, spaces[name]) for number, found in trials.items()}
        for name, trials in of_trials.items()
    }


def space_of(config: RunConfig) -> HearthstoneDecks:
    """The decks that a map can have.

    Raises:
        RunError: If it is not a map of Hearthstone decks.
    """
    if not isinstance(config, HearthstoneDeckRun):
        raise RunError(f"{config.name} is not a map of Hearthstone decks")
    return config.make_space()
