"""What happened to the cards of a Hearthstone deck in the games of an evaluation, and how these games ended.

All counts are of games, over all copies of a card: it was *offered* if a copy was in the opening hand before the
mulligan, *kept* if such a copy was kept, *drawn* if a copy left the deck in the opening hand or later, and *played* if
a drawn copy was played; copies that effects made do not count. These win rates compare different games, not different
decks: see `BIAS` of `deckatlas.search.card_questions`. What a card is worth in its deck is in `swap_out`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.setting import GameNumbers, Ints
from deckatlas.stats.averages import Strata
from deckatlas.stats.conditional import means_among, rates_among
from deckatlas.stats.estimate import Estimates

EVENTS = ("offered", "kept", "drawn", "played")


@dataclass(frozen=True)
class CardsInGames:
    """What happened to the cards of one deck; every array has one entry per card.

    Attributes:
        ids: The ids of the cards, each once, in the order of the deck.
        copies: The number of copies in the deck.
        games: The number of games.
        counts: By event (`EVENTS`), the number of games in which it happened to the card.
        shares: By event, the share of games in which it happened; for `kept`, of the games in which the card was
            offered.
        win_rates: By event, how often the deck won these games.
        turn_played: The player's turn in which the card was first played, on average over the games in which it was.
    """

    ids: tuple[str, ...]
    copies: Ints
    games: int
    counts: Mapping[str, Ints]
    shares: Mapping[str, Estimates]
    win_rates: Mapping[str, Estimates]
    turn_played: Estimates

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per card, ready for JSON and CSV; what is not known is None."""
        for at, card in enumerate(self.ids):
            row: dict[str, Any] = {"card": card, "copies": int(self.copies[at]), "games": self.games}
            for event in EVENTS:
                row[event] = int(self.counts[event][at])
                row |= self.shares[event][at].cells(f"{event}_share")
                row |= self.win_rates[event][at].cells(f"win_rate_{event}")
            row |= self.turn_played[at].cells("turn_played")
            yield {key: None if isinstance(value, float) and np.isnan(value) else value for key, value in row.items()}


def cards_in_games(deck: Deck, games: GameNumbers, strata: Strata, *, number: int = 0) -> CardsInGames:
    """Sums up what happened to the cards of a deck.

    Args:
        deck: The deck.
        games: The numbers of its games, with card events.
        strata: The assignment of games to opponents and seeds.
        number: The deck's number among the decks of the games.
    """
    assert games.card_events is not None
    ids = tuple(card for card, _ in deck.cards)
    places = [deck.copies.index(card) for card in ids]
    by_event = games.card_events[number][:, places].transpose(2, 1, 0)
    numbers = dict(zip(core.CARD_EVENTS, by_event, strict=True))
    happened: dict[str, npt.NDArray[np.bool_]] = {event: numbers[event] > 0 for event in EVENTS[:-1]}
    happened["played"] = numbers["turn_played"] > 0
    every = np.ones_like(happened["drawn"])
    won = np.broadcast_to(games.noted["won"][number] != 0, every.shape)
    among = {event: happened["offered"] if event == "kept" else every for event in EVENTS}
    return CardsInGames(
        ids=ids,
        copies=np.array([count for _, count in deck.cards]),
        games=len(games.course),
        counts={event: happened[event].sum(axis=1) for event in EVENTS},
        shares={event: rates_among(strata, happened[event], among[event]) for event in EVENTS},
        win_rates={event: rates_among(strata, won, happened[event]) for event in EVENTS},
        turn_played=means_among(strata, numbers["turn_played"], happened["played"]),
    )
