"""Lists that were not in training, against the field: what pilots win with them that have and have not seen them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.library import NamedDeck, lists_of_people
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.field.entrants import store_name
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval

_SIDES = 2  # the pilot that has not seen the lists, and the one that has


@dataclass(frozen=True)
class FieldGames:
    """Games of both pilots with each list against all decks of the field, on the same seeds.

    Attributes:
        rivals: The number of decks in the field.
        games: The games: list k is played by players 2k (has not seen it) and 2k + 1 (has), the field by those after.
    """

    rivals: int
    games: DeckRound

    @classmethod
    def played(
        cls,
        study: Study,
        pilots: tuple[str, str],
        decks: Sequence[NamedDeck],
        *,
        edition: str,
        games: int,
    ) -> "FieldGames":
        """Plays games of each pilot with each list against each deck of the field that is legal in the edition.

        Args:
            study: Plays and stores the games.
            pilots: The pilot that has not seen the lists, and the one that has, which also plays the field.
            decks: The lists.
            edition: The edition of the cards.
            games: Games per pilot, list and deck of the field, half of them in each seat.
        """
        players = [
            TableDeck(f"{each.name}, {spec}", each.name, "lists", OpponentTable(deck=str(each.deck), pilot=spec))
            for each in decks
            for spec in pilots
        ]
        lists = len(players)
        field = [each for each in lists_of_people(edition_of(edition)) if each.in_field]
        players += [
            TableDeck(each.name, each.name, "field", OpponentTable(deck=str(each.deck), pilot=pilots[1]))
            for each in field
        ]
        pairs = [(player, rival) for player in range(lists) for rival in range(lists, len(players))]
        name = store_name(pilots, players, edition=edition, games=games, seed=study.seed)
        rules = Rules(edition, FAIR.name)
        return cls(len(field), DeckRound.played(study, name, players, rules, games=games, pairs=pairs))

    def rows(self, decks: Sequence[NamedDeck]) -> Iterator[dict[str, Any]]:
        """Each list, and all of them: what both pilots won against the field, and how far one is ahead."""
        parts = {deck.name: [number] for number, deck in enumerate(decks)}
        for title, numbers in (parts | {"all": list(range(len(decks)))}).items():
            without, with_them = (self.won(numbers, side) for side in range(_SIDES))
            yield {
                "list": title,
                **without.cells("won_without", n="games"),
                **with_them.cells("won_with"),
                **self.gained(numbers).cells("ahead"),
            }

    def won(self, lists: Collection[int], side: int) -> Estimate:
        """The games that a side won with these lists, in percent; all games of a seed are one outcome."""
        return self.games.result.together(self._pairs(lists, side)).in_percent()

    def gained(self, lists: Collection[int]) -> Estimate:
        """The points that the pilot that has not seen these lists wins more than the other one, seed by seed."""
        without, with_them = (self.games.result.mean_outcomes(self._pairs(lists, side)) for side in range(_SIDES))
        return mean_interval(100 * (without - with_them))

    def _pairs(self, lists: Collection[int], side: int) -> list[tuple[int, int]]:
        first = len(self.games.players) - self.rivals
        rivals = range(first, first + self.rivals)
        return [(_SIDES * number + side, rival) for number in lists for rival in rivals]
