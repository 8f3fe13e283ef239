"""Matches of two pilots with the same list on both sides, list by list, so that only the pilots differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.experiments.round_robin import Pair, RoundRobin
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.library import NamedDeck
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.field.entrants import store_name
from deckatlas.stats.estimate import Estimate

WON = "games won, %"


@dataclass(frozen=True)
class Match:
    """A pilot's games against an opponent, list by list.

    Attributes:
        pilot: The pilot.
        opponent: Its opponent.
        decks: The lists, the same on both sides.
        games: Their games: pair k is the pilot and the opponent with list k.
    """

    pilot: str
    opponent: str
    decks: Sequence[NamedDeck]
    games: DeckRound

    @classmethod
    def played(
        cls, study: Study, pilot: str, opponent: str, decks: Sequence[NamedDeck], *, edition: str, games: int
    ) -> "Match":
        """Plays `games` games per list, half of them in each seat; matches of a study play the same seeds."""
        players = [
            TableDeck(f"{each.name}, {side}", each.name, side, OpponentTable(deck=str(each.deck), pilot=spec))
            for each in decks
            for side, spec in (("pilot", pilot), ("opponent", opponent))
        ]
        name = store_name([pilot, opponent], players, edition=edition, games=games, seed=study.seed)
        pairs = [(2 * number, 2 * number + 1) for number in range(len(decks))]
        rules = Rules(edition, FAIR.name)
        return cls(pilot, opponent, decks, DeckRound.played(study, name, players, rules, games=games, pairs=pairs))

    def rate(self, number: int) -> Estimate:
        """The games that the pilot won with a list, in percent; the interval is over pairs of games."""
        return self.games.result.rate(*self.games.pairs[number]).in_percent()

    def overall(self) -> Estimate:
        """The games that the pilot won with all lists, in percent; all games of a seed are one outcome."""
        return overall([self])


def overall(matches: Sequence[Match]) -> Estimate:
    """The games that the pilots won in all matches, in percent; all games of a seed are one outcome."""
    won: dict[Pair, Any] = {}
    pairs: list[Pair] = []
    for match in matches:
        first = 2 * len(pairs)  # the number of the match's first player among those of all matches
        won |= {(first + i, first + j): games for (i, j), games in match.games.result.won.items()}
        pairs += [(first + i, first + j) for i, j in match.games.pairs]
    return RoundRobin(won).together(pairs).in_percent()


def won_text(row: Mapping[str, Any]) -> str:
    """The share of games won, as a report's row has it, with its interval."""
    return Estimate.from_cells(row, "won", n=row["won_games"]).text(1)
