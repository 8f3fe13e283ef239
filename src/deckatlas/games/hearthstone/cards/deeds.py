"""The deeds of the card language: in what way a card does something, as in `battlecry(...)` and `aura(...)`.

A card is one of these or several, as in `EX1_531 = on(death(MY_MINIONS & BEAST), give(SELF, +2, +1))`.
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
    """What a spell does; without what it needs it cannot be cast."""
    return Play(PlayKind.spell, steps, _needs(needs))


def battlecry(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What a minion or weapon does when it is played; if it wants a target and there is none, nothing."""
    return Play(PlayKind.battlecry, steps, _needs(needs))


def combo(*steps: Step) -> Play:
    """What happens instead if another card was played before this turn."""
    return Play(PlayKind.combo, steps)


def power(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What a hero power does."""
    return Play(PlayKind.power, steps, _needs(needs))


def option(*steps: Step, needs: Need | tuple[Need, ...] = ()) -> Play:
    """What an option of a choose-one card does, as if that card did it."""
    return Play(PlayKind.option, steps, _needs(needs))


def choose_one(first: str, second: str) -> ChooseOne:
    """The player chooses one of two option cards."""
    return ChooseOne(first, second)


def deathrattle(*steps: Step) -> Deathrattle:
    """What happens when it dies."""
    return Deathrattle(steps)


def on(happening: Happening, *steps: Step, needs: Condition | None = None) -> Trigger:
    """What happens whenever something else does."""
    return Trigger(happening, steps, needs)


def secret(happening: Happening, *steps: Step, needs: Condition | None = None) -> Trigger:
    """What a secret does, once, in the opponent's turn; without what it needs it stays hidden."""
    return Trigger(happening, steps, needs, secret=True)


def aura(those: Selector, *gifts: Amount | Keyword, needs: Condition | None = None) -> Aura:
    """What these have while it is in play, as in `aura(ADJACENT, +1)`."""
    what = Gifts.of(*gifts)
    if what.duration is not Duration.permanent:
        raise CardError("an aura lasts as long as its card is in play, so it takes no duration")
    return Aura(those, what.attack, what.health, what.keywords, needs)


def enraged(*gifts: Amount | Keyword) -> Aura:
    """What it has while it is damaged."""
    return aura(SELF, *gifts, needs=SELF_DAMAGED)


def costs(
    those: Selector, change: int, *, at_least: int = 0, of_printed: bool = False, needs: Condition | None = None
) -> CostAura:
    """Cards in hands cost more or less while it is in play, but not less than `at_least`.

    With `of_printed` the printed cost alone is kept at one; and when the effect ends, it is taken back from all cards.
    """
    if at_least not in (0, 1) or (of_printed and not at_least):
        raise CardError("costs can be kept at 0 or 1 at least, printed costs at 1")
    kinds = (CostChange.add, CostChange.add_not_below_one)
    return CostAura(those, CostChange.add_to_printed if of_printed else kinds[at_least], change, needs)


def cost_is(those: Selector, cost: int, *, needs: Condition | None = None) -> CostAura:
    """Cards in hands have this cost while it is in play."""
    return CostAura(those, CostChange.set, cost, needs)


def own_cost(change: Number) -> OwnCost:
    """It costs more or less itself, as in `own_cost(-count(MINIONS))`."""
    return OwnCost(change)


def rule(*keywords: Keyword) -> Rule:
    """Keywords that change the rules for it, or for who controls it."""
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
