"""What expressions of the card language are made of: frozen values that say nothing about how they are compiled.

Card authors do not write these; they use the names in `language`, which build them.
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
    """One question about a card or character; `value` is a number, or the id of a card."""

    kind: FilterKind
    value: int | str = 0


@dataclass(frozen=True)
class Selector:
    """What an effect acts on. `among` is set if the player chooses it: the set that can be chosen from."""

    base: Base
    side: Side = Side.mine
    leaves_out: Except = Except.nothing
    pick: Pick = Pick.all
    count: int = 1
    filters: tuple[Filter, ...] = ()
    among: Selector | None = None

    def __and__(self, other: Filter) -> Selector:
        """Those of the selected that also pass a filter."""
        return replace(self, filters=(*self.filters, other)) if isinstance(other, Filter) else NotImplemented


@dataclass(frozen=True)
class Number:
    """A number found when it is needed: `factor` times what the kind says, plus `offset`."""

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
        """Gifts in the order people say them: numbers are attack and then health.

        Raises:
            CardError: If one is something else.
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
    """Something that holds or not; `value` is a number, or the id of a card."""

    kind: ConditionKind
    selector: Selector | None = None
    value: int | str = 1
    negated: bool = False

    def __invert__(self) -> Condition:
        return replace(self, negated=not self.negated)


class ClassOf(Enum):
    """A class known only in the game."""

    enemy = "the enemy's class"
    other = "another class"


@dataclass(frozen=True)
class Query:
    """Which collectible Basic and Classic cards of the edition are meant."""

    type: CardType | None = None
    race: Race | None = None
    hero_class: HeroClass | ClassOf | None = None
    legendary: bool = False


@dataclass(frozen=True)
class CardChoice:
    """Which card an effect makes: one of `cards`, one that a query finds, or a copy of the selected."""

    choice: Choice
    cards: tuple[str, ...] = ()
    query: Query | None = None
    selector: Selector | None = None


CardLike: TypeAlias = str | CardChoice


@dataclass(frozen=True)
class Action:
    """One step of an effect; which fields mean something depends on `op`."""

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
    """Steps that happen only if a condition holds, and those that happen otherwise."""

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
    """What a trigger waits for: an event, whose it is, and who must be its source and target."""

    event: Event
    whose: Side = Side.all
    source: Selector | None = None
    target: Selector | None = None


@dataclass(frozen=True)
class Left:
    """That something of a list is not on my board yet, and that there is space."""

    choice: CardChoice


Need: TypeAlias = Condition | Left


class PlayKind(Enum):
    """In what way a card does something when it is played."""

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
    """Two option cards of which the player chooses one; they say what happens."""

    first: str
    second: str


@dataclass(frozen=True)
class Deathrattle:
    """What happens when its minion or weapon dies."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Trigger:
    """What happens whenever something else does; a secret does so once, in the opponent's turn."""

    happening: Happening
    steps: tuple[Step, ...]
    condition: Condition | None = None
    secret: bool = False


@dataclass(frozen=True)
class Aura:
    """What others have as long as the card is in play."""

    selector: Selector
    attack: Amount = 0
    health: Amount = 0
    keywords: Keyword = NO_KEYWORDS
    condition: Condition | None = None


@dataclass(frozen=True)
class CostAura:
    """What cards in hands cost more or less as long as the card is in play."""

    selector: Selector
    change: CostChange
    amount: int
    condition: Condition | None = None


@dataclass(frozen=True)
class OwnCost:
    """What is added to the card's own cost."""

    amount: Number


@dataclass(frozen=True)
class Rule:
    """Keywords that change the rules for the card, or for who controls it."""

    keywords: Keyword


@dataclass(frozen=True)
class Hero:
    """A hero and the power it starts with."""

    power: str


@dataclass(frozen=True)
class Nothing:
    """A text that means nothing to the rules, and why."""

    reason: str


Slot: TypeAlias = Play | ChooseOne | Deathrattle | Trigger | Aura | CostAura | OwnCost | Rule | Hero | Nothing
SLOTS = (Play, ChooseOne, Deathrattle, Trigger, Aura, CostAura, OwnCost, Rule, Hero, Nothing)
Effects: TypeAlias = Slot | tuple[Slot, ...]
