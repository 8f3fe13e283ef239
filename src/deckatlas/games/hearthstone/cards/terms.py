"""The terms of the card language: frozen values, independent of how they are compiled.

Card authors do not write these; the names in `language` build them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    CostChange,
    Duration,
    Event,
    Except,
    FilterKind,
    HeroClass,
    Keyword,
    NumberKind,
    Op,
    Pick,
    Race,
    Side,
)

NO_KEYWORDS = Keyword(0)


@dataclass(frozen=True)
class Filter:
    """One test of a card or character; `value` is a number, or the id of a card."""

    kind: FilterKind
    value: int | str = 0


@dataclass(frozen=True)
class Selector:
    """What an effect acts on. If the player chooses a target, `among` is the set to choose from."""

    base: Base
    side: Side = Side.mine
    leaves_out: Except = Except.nothing
    pick: Pick = Pick.all
    count: int = 1
    filters: tuple[Filter, ...] = ()
    among: Selector | None = None

    def __and__(self, other: Filter) -> Selector:
        """The selected ones that also pass a filter."""
        return replace(self, filters=(*self.filters, other)) if isinstance(other, Filter) else NotImplemented


@dataclass(frozen=True)
class Number:
    """A number evaluated when it is needed: `factor` times the value of its kind, plus `offset`."""

    kind: NumberKind
    selector: Selector | None = None
    side: Side = Side.mine
    factor: int = 1
    offset: int = 0

    def __mul__(self, other: int) -> Number:
        if not isinstance(other, int) or self.kind is NumberKind.random_between:
            return NotImplemented
        return replace(self, factor=self.factor * other, offset=self.offset * other)

    __rmul__ = __mul__

    def __neg__(self) -> Number:
        return self * -1

    def __add__(self, other: int) -> Number:
        if not isinstance(other, int) or self.kind is NumberKind.random_between:
            return NotImplemented
        return replace(self, offset=self.offset + other)

    __radd__ = __add__


Amount: TypeAlias = int | Number


@dataclass(frozen=True)
class Gifts:
    """What an effect gives: attack, health or durability, keywords, and for how long."""

    attack: Amount = 0
    health: Amount = 0
    keywords: Keyword = NO_KEYWORDS
    duration: Duration = Duration.permanent

    @classmethod
    def of(cls, *gifts: Amount | Keyword | Duration) -> Gifts:
        """Builds gifts from values in any order; of the numbers, the first is attack and the second health.

        Raises:
            CardError: If a value is not a gift.
        """
        keywords, duration, amounts = NO_KEYWORDS, Duration.permanent, list[Amount]()
        for gift in gifts:
            if isinstance(gift, Keyword):
                keywords |= gift
            elif isinstance(gift, Duration):
                duration = gift
            elif isinstance(gift, int | Number) and len(amounts) < 2:
                amounts.append(gift)
            else:
                raise CardError(
                    "a gift is attack, health, keywords and a duration: give(SELF, +2, +1, TAUNT, THIS_TURN)"
                )
        attack, health = (*amounts, 0, 0)[:2]
        return cls(attack, health, keywords, duration)


@dataclass(frozen=True)
class Condition:
    """A condition that is true or false; `value` is a number, or the id of a card."""

    kind: ConditionKind
    selector: Selector | None = None
    value: int | str = 1
    negated: bool = False

    def __invert__(self) -> Condition:
        return replace(self, negated=not self.negated)


class ClassOf(Enum):
    """A class that is known only during the game."""

    enemy = "the enemy's class"
    other = "another class"


@dataclass(frozen=True)
class Query:
    """Selects collectible Basic and Classic cards of the edition."""

    type: CardType | None = None
    race: Race | None = None
    hero_class: HeroClass | ClassOf | None = None
    legendary: bool = False


@dataclass(frozen=True)
class CardChoice:
    """The card that an effect creates: one of `cards`, one that a query finds, or a copy of the selected one."""

    choice: Choice
    cards: tuple[str, ...] = ()
    query: Query | None = None
    selector: Selector | None = None


CardLike: TypeAlias = str | CardChoice


@dataclass(frozen=True)
class Action:
    """One step of an effect; `op` determines which fields are used."""

    op: Op
    selector: Selector | None = None
    amount: Amount = 0
    amount2: Amount = 0
    side: Side = Side.mine
    card: CardLike | None = None
    dealer: Selector | None = None
    keywords: Keyword = NO_KEYWORDS
    duration: Duration = Duration.permanent
    boosted: bool = True
    gives: Trigger | Deathrattle | Aura | CostAura | None = None


@dataclass(frozen=True)
class When:
    """Steps for when a condition is true, and steps for when it is false."""

    condition: Condition
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Repeat:
    """Steps that happen several times."""

    times: int
    steps: tuple[Step, ...]


Step: TypeAlias = Action | When | Repeat


@dataclass(frozen=True)
class Happening:
    """What a trigger waits for: an event, the player it belongs to, and its source and target."""

    event: Event
    whose: Side = Side.all
    source: Selector | None = None
    target: Selector | None = None


@dataclass(frozen=True)
class Left:
    """Requires that a card of a list is not on my board yet, and that there is space."""

    choice: CardChoice


Need: TypeAlias = Condition | Left


class PlayKind(Enum):
    """The kind of effect a card has when it is played."""

    spell = "spell"
    battlecry = "battlecry"
    combo = "combo"
    power = "power"
    option = "option"


@dataclass(frozen=True)
class Play:
    """What happens when a card is played."""

    kind: PlayKind
    steps: tuple[Step, ...]
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class ChooseOne:
    """Two option cards, of which the player chooses one; they define what happens."""

    first: str
    second: str


@dataclass(frozen=True)
class Deathrattle:
    """What happens when the minion or weapon dies."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Trigger:
    """What happens whenever an event happens; a secret triggers once, in the opponent's turn."""

    happening: Happening
    steps: tuple[Step, ...]
    condition: Condition | None = None
    secret: bool = False


@dataclass(frozen=True)
class Aura:
    """What others have while the card is in play."""

    selector: Selector
    attack: Amount = 0
    health: Amount = 0
    keywords: Keyword = NO_KEYWORDS
    condition: Condition | None = None


@dataclass(frozen=True)
class CostAura:
    """A change of the cost of cards in hands while the card is in play."""

    selector: Selector
    change: CostChange
    amount: int
    condition: Condition | None = None


@dataclass(frozen=True)
class OwnCost:
    """A change of the card's own cost."""

    amount: Number


@dataclass(frozen=True)
class Rule:
    """Keywords that change the rules for the card, or for its controller."""

    keywords: Keyword


@dataclass(frozen=True)
class Hero:
    """A hero and its starting power."""

    power: str


@dataclass(frozen=True)
class Nothing:
    """A text without an effect on the rules, and why."""

    reason: str


Slot: TypeAlias = Play | ChooseOne | Deathrattle | Trigger | Aura | CostAura | OwnCost | Rule | Hero | Nothing
SLOTS = (Play, ChooseOne, Deathrattle, Trigger, Aura, CostAura, OwnCost, Rule, Hero, Nothing)
Effects: TypeAlias = Slot | tuple[Slot, ...]
