"""The deeds of the card language: how and when a card does something, as in `battlecry(...)` and `aura(...)`.

A card is declared by one or several of them, as in `EX1_531 = on(death(MY_MINIONS & BEAST), give(SELF, +2, +1))`.
"""

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import CostChange, Duration, Keyword
from deckatlas.games.hearthstone.cards.nouns import SELF, SELF_DAMAGED
from deckatlas.games.hearthstone.cards.terms import (
    Amount,
    Aura,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Gifts,
    Happening,
    Hero,
    Need,
    Nothing,
    Number,
    OwnCost,
    Play,
    PlayKind,
    Rule,
    Selector,
    Step,
    Trigger,
)


def _needs(needs: Need | tuple[Need, ...]) -> tuple[Need, ...]:
    return needs if isinstance(needs, tuple) else (needs,)


def spell(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What a spell does; it cannot be cast unless `needs` is met."""
    return Play(PlayKind.spell, steps, _needs(needs))


def battlecry(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What a minion or weapon does when it is played; nothing if it needs a target and there is none."""
    return Play(PlayKind.battlecry, steps, _needs(needs))


def combo(*steps: Step) -> Play:
    """What happens instead if another card was played earlier this turn."""
    return Play(PlayKind.combo, steps)


def power(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What a hero power does."""
    return Play(PlayKind.power, steps, _needs(needs))


def option(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What an option of a choose-one card does, as if by that card."""
    return Play(PlayKind.option, steps, _needs(needs))


def choose_one(first: str, second: str) -> ChooseOne:
    """The player chooses one of two option cards."""
    return ChooseOne(first, second)


def deathrattle(*steps: Step) -> Deathrattle:
    """What happens when the card dies."""
    return Deathrattle(steps)


def on(happening: Happening, *steps: Step, needs: Condition | None = None) -> Trigger:
    """What happens whenever an event happens."""
    return Trigger(happening, steps, needs)


def secret(happening: Happening, *steps: Step, needs: Condition | None = None) -> Trigger:
    """What a secret does, once, in the opponent's turn; it stays hidden unless `needs` is met."""
    return Trigger(happening, steps, needs, secret=True)


def aura(those: Selector, *gifts: Amount | Keyword, needs: Condition | None = None) -> Aura:
    """What others have while the card is in play, as in `aura(ADJACENT, +1)`."""
    what = Gifts.of(*gifts)
    if what.duration is not Duration.permanent:
        raise CardError("an aura lasts as long as its card is in play, so it takes no duration")
    return Aura(those, what.attack, what.health, what.keywords, needs)


def enraged(*gifts: Amount | Keyword) -> Aura:
    """What the minion has while it is damaged."""
    return aura(SELF, *gifts, needs=SELF_DAMAGED)


def costs(
    those: Selector, change: int, *, at_least: int = 0, of_printed: bool = False, needs: Condition | None = None
) -> CostAura:
    """Cards in hands cost more or less while the card is in play, but not less than `at_least`.

    With `of_printed` only the printed cost is kept at one or more. When the effect ends, it is removed from all cards.
    """
    if at_least not in (0, 1) or (of_printed and not at_least):
        raise CardError("the lower bound of costs must be 0 or 1, that of printed costs 1")
    kinds = (CostChange.add, CostChange.add_not_below_one)
    return CostAura(those, CostChange.add_to_printed if of_printed else kinds[at_least], change, needs)


def cost_is(those: Selector, cost: int, *, needs: Condition | None = None) -> CostAura:
    """Cards in hands have this cost while the card is in play."""
    return CostAura(those, CostChange.set, cost, needs)


def own_cost(change: Number) -> OwnCost:
    """The card itself costs more or less, as in `own_cost(-count(MINIONS))`."""
    return OwnCost(change)


def rule(*keywords: Keyword) -> Rule:
    """Keywords that change the rules for the card, or for its controller."""
    together = Keyword(0)
    for keyword in keywords:
        together |= keyword
    return Rule(together)


def hero(power: str) -> Hero:
    """A hero with its power."""
    return Hero(power)


def nothing(reason: str) -> Nothing:
    """A card whose text does nothing here, and why."""
    return Nothing(reason)
