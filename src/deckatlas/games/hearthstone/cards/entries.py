"""The entries of the compiled tables: selectors, numbers, conditions, and lists of cards.

Entry 0 of each table means nothing. Equal entries are stored once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import Choice, HeroClass, NumberKind
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import Amount, CardLike, ClassOf, Condition, Filter, Query, Selector

Row = tuple[int, ...]

WIDTHS = {
    "instructions": 13,
    "selectors": 9,
    "numbers": 5,
    "conditions": 4,
    "triggers": 9,
    "auras": 5,
    "cost_auras": 6,
    "player_enchantments": 7,
    "attachments": 2,
}
# Entry 0 of each table must have no effect: a number is its constant times one, a selector picks one, and so on.
_NOTHING: dict[str, Row] = {
    "selectors": (0, 0, 0, 0, 1, 0, 0, 0, 0),
    "numbers": (0, 0, 0, 1, 0),
    "conditions": (0, 0, 0, 1),
}
_CLASSES: tuple[HeroClass, ...] = tuple(hero_class for hero_class in HeroClass if hero_class is not HeroClass.neutral)


@dataclass
class _Table:
    """Rows without repetition; a sequence of rows is stored once too."""

    rows: list[Row]
    starts: dict[tuple[Row, ...], int] = field(default_factory=dict)

    def run(self, rows: tuple[Row, ...]) -> int:
        if not rows:
            return 0
        start = self.starts.get(rows)
        if start is None:
            start = self.starts[rows] = len(self.rows)
            self.rows.extend(rows)
        return start

    def add(self, row: Row) -> int:
        return self.run((row,))


class Entries:
    """Collects the entries of all tables."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = {card.id: card for card in cards}
        self.index = {card.id: number for number, card in enumerate(cards, start=1)}
        self.tables = {name: _Table([_NOTHING.get(name, (0,) * width)]) for name, width in WIDTHS.items()}
        for name, row in _NOTHING.items():
            self.tables[name].starts[(row,)] = 0
        self.lists: list[tuple[int, ...]] = [()]
        self._list_starts: dict[tuple[tuple[int, ...], ...], int] = {}

    # ---- which card ------------------------------------------------------------------------------------------------

    def choice(self, card: CardLike | None) -> tuple[int, int, Selector | None]:
        """How a card is chosen, the card or list, and what it copies."""
        if card is None:
            return 0, 0, None
        if isinstance(card, str):
            return Choice.card, self.index[card], None
        if card.selector is not None:
            return card.choice, 0, card.selector
        if card.query is None:
            return card.choice, self.list_of((card.cards,)), None
        return self._query(card.query)

    def _query(self, query: Query) -> tuple[int, int, None]:
        if query.hero_class is ClassOf.enemy:
            lists = tuple(self._found(query, {hero_class}) for hero_class in _CLASSES)
            return Choice.random_for_enemy_class, self.list_of(lists), None
        if query.hero_class is ClassOf.other:
            lists = tuple(self._found(query, set(_CLASSES) - {hero_class}) for hero_class in _CLASSES)
            return Choice.random_for_my_class, self.list_of(lists), None
        among = set(HeroClass) if query.hero_class is None else {query.hero_class}
        return Choice.random_of_list, self.list_of((self._found(query, among),)), None

    def _found(self, query: Query, classes: set[HeroClass]) -> tuple[str, ...]:
        found = tuple(
            card.id
            for card in self.cards.values()
            if card.collectible
            and card.set in ("basic", "classic")
            and card.hero_class in classes
            and query.type in (None, card.type)
            and query.race in (None, card.race)
            and (card.rarity == "legendary" or not query.legendary)
        )
        if not found:
            raise CardError("asks for a random card of a kind that the edition lacks")
        return found

    def list_of(self, lists: tuple[tuple[str, ...], ...]) -> int:
        """The start of consecutive lists of cards."""
        rows = tuple(tuple(self.index[name] for name in names) for names in lists)
        start = self._list_starts.get(rows)
        if start is None:
            start = self._list_starts[rows] = len(self.lists)
            self.lists.extend(rows)
        return start

    # ---- entries ---------------------------------------------------------------------------------------------------

    def filter_of(self, filter: Filter) -> tuple[int, int]:
        """A filter: its kind and its value."""
        value = self.index[filter.value] if isinstance(filter.value, str) else filter.value
        return int(filter.kind), value

    def filters_of(self, filters: tuple[Filter, ...]) -> tuple[int, int, int, int]:
        """Up to two filters."""
        first, second = (*(self.filter_of(one) for one in filters), (0, 0), (0, 0))[:2]
        return (*first, *second)

    def selector(self, selector: Selector | None) -> int:
        """The entry of a selector."""
        if selector is None:
            return 0
        return self.tables["selectors"].add(
            (
                int(selector.base),
                int(selector.side),
                int(selector.leaves_out),
                int(selector.pick),
                selector.count,
                *self.filters_of(selector.filters),
            )
        )

    def number(self, amount: Amount) -> int:
        """The entry of a number."""
        if isinstance(amount, int):
            return self.tables["numbers"].add((NumberKind.constant, 0, 0, 1, amount))
        selector = self.selector(amount.selector)
        return self.tables["numbers"].add((int(amount.kind), int(amount.side), selector, amount.factor, amount.offset))

    def condition(self, condition: Condition | None) -> int:
        """The entry of a condition."""
        if condition is None:
            return 0
        value = self.index[condition.value] if isinstance(condition.value, str) else condition.value
        selector = self.selector(condition.selector)
        return self.tables["conditions"].add((int(condition.kind), int(condition.negated), selector, value))
