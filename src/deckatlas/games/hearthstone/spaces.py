"""The spaces of Hearthstone: the decks of a class from a pool of cards."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, Deck, check_class, most_copies
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.cards.measures import SUMS
from deckatlas.games.hearthstone.cards.pools import DEFAULT_POOL, pool
from deckatlas.games.hearthstone.cards.table import MARKS, PRINTED, Card
from deckatlas.games.hearthstone.constraints import ConstraintError, DeckConstraints
from deckatlas.games.hearthstone.setup import EditionLike, edition_of, hero_ids
from deckatlas.search.deck_space import Counts, DeckColumn, DeckSpace, LimitError
from deckatlas.search.evaluation import Solution

# What a model can learn about a card beside its columns.
_ATTRIBUTES: dict[str, Callable[[Card], int]] = {
    "attack": lambda card: card.attack,
    "health": lambda card: card.health,
    "spell_damage": lambda card: card.spell_damage,
    "overload": lambda card: card.overload,
    "effects": lambda card: len(card.effects),
    **{f"has {word}": partial(lambda word, card: word in card.keywords, word) for word in (*PRINTED, *MARKS)},
}


class HearthstoneDecks(DeckSpace[str]):
    """The legal decks of a class with the cards of a pool.

    Columns: `deck_mana_sum`, `deck_mana_mean` and `deck_mana_variance` of the cards' costs; `num_minion_cards`,
    `num_spell_cards`, `num_weapon_cards`, `num_class_cards` and `num_legendary_cards`; `dust`, the cost to craft them.
    """

    def __init__(
        self,
        hero_class: str,
        *,
        edition: EditionLike = DEFAULT,
        pool_name: str = DEFAULT_POOL,
        constraints: DeckConstraints = DeckConstraints(),  # noqa: B008 - it cannot change
    ) -> None:
        """Takes the class, the edition or its name, the name of the pool, and what decks must and must not have.

        Raises:
            CardError: If there is no such edition or pool.
            ConstraintError: If no deck meets the constraints.
            DeckError: If there is no such class, or the pool has too few cards for a deck of it.
        """
        self.hero_class = check_class(hero_class)
        self.edition = edition_of(edition)
        self.pool_name = pool_name
        cards = pool(self.edition, self.hero_class.lower(), pool_name)
        most = [most_copies(card) for card in cards]
        if sum(most) < DECK_SIZE:
            raise DeckError(
                f"a deck has {DECK_SIZE} cards, but the pool {pool_name!r} of edition {self.edition.name!r} has only "
                f"{sum(most)} copies in all for a {self.hero_class.title()}"
            )
        numbers = {name: np.array([number(card) for card in cards], np.int64) for name, number in SUMS.items()}
        costs = numbers["deck_mana_sum"]
        counted = {
            **numbers,
            "num_weapon_cards": np.array([card.type is CardType.weapon for card in cards], np.int64),
            "num_class_cards": np.array([card.hero_class is not HeroClass.neutral for card in cards], np.int64),
            "num_legendary_cards": np.array([card.rarity == "legendary" for card in cards], np.int64),
        }
        columns = {name: DeckColumn(of_cards) for name, of_cards in counted.items()}
        columns |= {"deck_mana_mean": DeckColumn(costs, "mean"), "deck_mana_variance": DeckColumn(costs, "variance")}
        attributes = {name: [int(number(card)) for card in cards] for name, number in _ATTRIBUTES.items()}
        try:
            super().__init__(
                [card.id for card in cards],
                constraints.most_copies(cards, self.edition.by_id),
                size=DECK_SIZE,
                columns=columns,
                attributes=attributes,
                least_copies=constraints.least_copies(cards, self.edition.by_id),
                limits=constraints.limits(cards),
            )
        except LimitError as error:
            raise ConstraintError(f"most_{error.limit}", str(error)) from None
        index = self.edition.compiled.index
        self._hero = index[hero_ids(self.edition)[self.hero_class]]
        self._id_order = np.argsort(
            np.array(self.ids)
        )  # decks list their cards in this order, whatever the pool's order
        self._core_numbers = np.array([index[self.ids[place]] for place in self._id_order], np.int32)

    def name_of(self, card: str) -> str:
        """A card's name; its id, if the edition has no such card."""
        return self.edition.by_id[card].name if card in self.edition.by_id else card

    def deck(self, solution: Solution) -> Deck:
        """The deck of a solution."""
        return Deck(self.hero_class, tuple((self.ids[i], int(solution[i])) for i in np.flatnonzero(solution)))

    def solution(self, deck: Deck) -> Counts:
        """The inverse of `deck`.

        Raises:
            DeckError: If the deck does not belong to the space.
        """
        if deck.hero_class != self.hero_class:
            raise DeckError(f"a deck of this space is of the class {self.hero_class}, not {deck.hero_class}")
        place = {card: at for at, card in enumerate(self.ids)}
        counts = np.zeros(self.length, np.uint8)
        for card, copies in deck.cards:
            if card not in place:
                pool_of = f"the pool {self.pool_name!r} of edition {self.edition.name!r}"
                raise DeckError(f"{self.name_of(card)} is not in {pool_of}")
            counts[place[card]] = copies
        self.check(counts)
        return counts

    def code(self, solution: Solution) -> str:
        """The deck code of a solution; or the deck's text, if a card has no dbf id."""
        return code_or_text(self.deck(solution), self.edition.by_id)

    def rows(self, solutions: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """Decks in the core's form, the same as `deck_rows` of the decks."""
        rows = np.empty((len(solutions), 1 + self.size), np.int32)
        rows[:, 0] = self._hero
        for row, counts in zip(rows, solutions[:, self._id_order], strict=True):
            row[1:] = np.repeat(self._core_numbers, counts)
        return rows
