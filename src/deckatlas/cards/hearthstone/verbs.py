"""The verbs of the card language: the steps of effects, what triggers wait for, and what cards do.

Steps happen from left to right.
"""

from deckatlas.cards.hearthstone.codes import Base, CostChange, Duration, Event, Keyword, Op, Side
from deckatlas.cards.hearthstone.nouns import EITHER, ENEMY, MINE, SELF, SELF_DAMAGED
from deckatlas.cards.hearthstone.terms import (
    Action,
    Amount,
    Aura,
    CardLike,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Filter,
    Happening,
    Hero,
    Need,
    Nothing,
    Number,
    OwnCost,
    Play,
    PlayKind,
    Repeat,
    Rule,
    Selector,
    Step,
    Trigger,
    When,
)
from deckatlas.errors import CardError

# ---- steps ---------------------------------------------------------------------------------------------------------


def when(condition: Condition, *then: Step, otherwise: Step | tuple[Step, ...] = ()) -> When:
    """Steps that happen if the condition holds, and what happens otherwise."""
    return When(condition, then, otherwise if isinstance(otherwise, tuple) else (otherwise,))


def repeat(times: int, *steps: Step) -> Repeat:
    """Steps that happen several times."""
    return Repeat(times, steps)


def deal(amount: Amount, to: Selector, *, dealer: Selector | None = None, boosted: bool = True) -> Action:
    """Damage. Spell damage and the like add to that of spells and powers, unless it is not `boosted`.

    With a `dealer`, that minion deals it.
    """
    op = Op.damage if dealer is None else Op.damage_from
    return Action(op, to, amount, dealer=dealer, boosted=boosted and dealer is None)


def split(amount: Amount, among: Selector) -> Action:
    """Damage point by point, each to a random one of these."""
    return Action(Op.split_damage, among, amount)


def heal(amount: Amount, those: Selector) -> Action:
    """Restores so much health."""
    return Action(Op.heal, those, amount)


def heal_fully(those: Selector) -> Action:
    """Restores all health."""
    return Action(Op.heal_fully, those)


def set_current_health(those: Selector, amount: Amount) -> Action:
    """Sets the health that is left; the maximum stays."""
    return Action(Op.set_current_health, those, amount)


def set_attack(those: Selector, amount: Amount) -> Action:
    """Sets the attack; what is given later adds to it."""
    return Action(Op.set_attack, those, amount)


def set_health(those: Selector, amount: Amount) -> Action:
    """Sets the health and its maximum; what is given later adds to it."""
    return Action(Op.set_health, those, amount)


def swap_stats(those: Selector) -> Action:
    """Attack becomes health and health attack."""
    return Action(Op.swap_stats, those)


def _gifts(gifts: tuple[Amount | Keyword | Duration, ...]) -> tuple[list[Amount], Keyword, Duration]:
    keywords, duration, amounts = Keyword(0), Duration.permanent, list[Amount]()
    for gift in gifts:
        if isinstance(gift, Keyword):
            keywords |= gift
        elif isinstance(gift, Duration):
            duration = gift
        elif isinstance(gift, int | Number) and len(amounts) < 2:
            amounts.append(gift)
        else:
            raise CardError("a gift is attack, health, keywords and a duration: give(SELF, +2, +1, TAUNT, THIS_TURN)")
    return [*amounts, 0, 0], keywords, duration


def give(those: Selector, *gifts: Amount | Keyword | Duration) -> Action:
    """Gives attack, health and keywords; to a weapon, attack and durability.

    As in `give(TARGET, +2, +1, TAUNT, THIS_TURN)`.
    """
    (attack, health, *_), keywords, duration = _gifts(gifts)
    if those.base is Base.weapon:
        return Action(Op.buff_weapon, those, attack, health, side=those.side, keywords=keywords, duration=duration)
    return Action(Op.buff, those, attack, health, keywords=keywords, duration=duration)


def lose(those: Selector, keyword: Keyword) -> Action:
    """Takes keywords away."""
    return Action(Op.remove_keywords, those, keywords=keyword)


def freeze(those: Selector) -> Action:
    """Freezes."""
    return Action(Op.freeze, those)


def silence(those: Selector) -> Action:
    """Takes away all text and all that was given."""
    return Action(Op.silence, those)


def destroy(those: Selector) -> Action:
    """Destroys minions, weapons, secrets."""
    return Action(Op.destroy, those)


def bounce(those: Selector) -> Action:
    """Returns minions to their owners' hands; the last of them is LAST_DRAWN."""
    return Action(Op.bounce, those)


def transform(those: Selector, into: CardLike) -> Action:
    """Turns minions into another."""
    return Action(Op.transform, those, card=into)


def take_control(those: Selector, duration: Duration = Duration.permanent) -> Action:
    """Moves minions to my side."""
    return Action(Op.take_control, those, duration=duration)


def summon(card: CardLike, count: Amount = 1, side: Side = MINE) -> Action:
    """Puts minions on a side, as far as there is space."""
    return Action(Op.summon, card=card, amount=count, side=side)


def summon_at_end(card: CardLike, count: Amount = 1) -> Action:
    """Puts minions at the right end of my board, wherever this one stands."""
    return Action(Op.summon_at_end, card=card, amount=count)


def summon_around(card: CardLike, count: Amount) -> Action:
    """Puts minions right and left of this one, in turn."""
    return Action(Op.summon_around, card=card, amount=count)


def equip(card: CardLike, side: Side = MINE) -> Action:
    """Gives a hero a weapon."""
    return Action(Op.equip, card=card, side=side)


def lose_durability(amount: Amount, side: Side = MINE) -> Action:
    """A weapon wears off."""
    return Action(Op.lose_durability, amount=amount, side=side)


def draw(count: Amount, side: Side = MINE) -> Action:
    """Draws cards; the last of them is LAST_DRAWN."""
    return Action(Op.draw, amount=count, side=side)


def draw_from(those: Selector) -> Action:
    """Draws a random card of my deck that passes a filter, as in `draw_from(MY_DECK & DEMON)`."""
    return Action(Op.draw_filtered, those)


def discard(those: Selector) -> Action:
    """Throws cards of a hand away."""
    return Action(Op.discard, those)


def add_to_hand(card: CardLike, count: Amount = 1, side: Side = MINE) -> Action:
    """Makes cards in a hand."""
    return Action(Op.add_to_hand, card=card, amount=count, side=side)


def copy_to_hand(those: Selector, side: Side = MINE) -> Action:
    """Puts copies of cards into a hand."""
    return Action(Op.copy_to_hand, those, side=side)


def change_cost(those: Selector, amount: Amount) -> Action:
    """Cards cost more or less as long as they are held."""
    return Action(Op.change_cost, those, amount)


def gain_armor(amount: Amount, side: Side = MINE) -> Action:
    """Gives a hero armor."""
    return Action(Op.gain_armor, amount=amount, side=side)


def gain_crystals(amount: Amount, side: Side = MINE) -> Action:
    """Gives full mana crystals."""
    return Action(Op.gain_crystals, amount=amount, side=side)


def gain_empty_crystals(amount: Amount, side: Side = MINE) -> Action:
    """Gives empty mana crystals; a negative number takes crystals, empty ones first."""
    return Action(Op.gain_empty_crystals, amount=amount, side=side)


def gain_mana(amount: Amount, side: Side = MINE) -> Action:
    """Gives mana for this turn."""
    return Action(Op.gain_mana, amount=amount, side=side)


def set_power(card: str) -> Action:
    """Replaces my hero power by a fresh one."""
    return Action(Op.set_power, card=card)


def replace_hero(card: str) -> Action:
    """This minion leaves play, and this hero replaces mine."""
    return Action(Op.replace_hero, card=card)


def temporarily(gives: Aura | CostAura, duration: Duration) -> Action:
    """What a player has for a while: other costs, or keywords for all its minions, also for later ones."""
    return Action(Op.enchant_player, side=gives.selector.side, gives=gives, duration=duration)


def attach(those: Selector, gives: Trigger | Deathrattle) -> Action:
    """Gives minions a trigger, which stays the caster's, or a deathrattle, which is their owner's."""
    return Action(Op.attach, those, gives=gives)


def redirect_attack(to: Selector) -> Action:
    """The attack that is being made hits another."""
    return Action(Op.redirect_attack, to)


def redirect_spell(to: Selector) -> Action:
    """The spell that is being cast has another target."""
    return Action(Op.redirect_spell, to)


def counter() -> Action:
    """The spell that is being cast does nothing."""
    return Action(Op.counter)


def prevent_damage() -> Action:
    """The damage that would kill the hero is not dealt."""
    return Action(Op.prevent_damage)


def look_at_top(count: int) -> Action:
    """The player chooses one of the next cards of the deck; the others are discarded."""
    return Action(Op.look_at_top, amount=count)


def swap_with_hand(card: Selector) -> Action:
    """This minion and a card of the hand change places."""
    return Action(Op.swap_with_hand, card)


def return_later(card: str) -> Action:
    """A card comes to the hand when my next turn begins."""
    return Action(Op.return_later, card=card)


# ---- what triggers wait for ----------------------------------------------------------------------------------------


def _of(event: Event, who: Side | Selector) -> Happening:
    if isinstance(who, Side):
        return Happening(event, who)
    return Happening(event, EITHER if who.base is Base.self else who.side, target=who)


def turn_start(whose: Side = MINE) -> Happening:
    """A turn begins, before its card is drawn."""
    return Happening(Event.turn_start, whose)


def turn_end(whose: Side = MINE) -> Happening:
    """A turn ends."""
    return Happening(Event.turn_end, whose)


def attack(by: Selector | None = None, on: Selector | None = None) -> Happening:
    """An attack is declared. The attacker is ATTACKER, the attacked IT."""
    whose = EITHER if by is None or by.base is Base.self else by.side
    return Happening(Event.attack, whose, source=by, target=on)


def cast_spell(whose: Side = MINE) -> Happening:
    """A spell is cast, before it does anything; it is THAT_SPELL."""
    return Happening(Event.cast_spell, whose)


def after_spell(whose: Side = MINE) -> Happening:
    """A spell has been cast."""
    return Happening(Event.after_spell, whose)


def play_card(whose: Side = MINE, kind: Filter | None = None) -> Happening:
    """A card is played, perhaps one that passes a filter."""
    cards = None if kind is None else Selector(Base.hand, whose) & kind
    return Happening(Event.play_card, whose, source=cards)


def after_play_minion(who: Side | Selector = ENEMY) -> Happening:
    """A minion has been played and its battlecry is over; it is IT."""
    return _of(Event.after_play_minion, who)


def summoned(who: Selector) -> Happening:
    """A minion comes into play; it is IT."""
    return _of(Event.summon, who)


def after_summon(who: Selector) -> Happening:
    """A minion has come into play; it is IT."""
    return _of(Event.after_summon, who)


def damaged(who: Selector) -> Happening:
    """A character takes damage, EVENT_AMOUNT; it is IT."""
    return _of(Event.damaged, who)


def deals_damage(who: Selector) -> Happening:
    """A character deals damage; IT takes it."""
    return Happening(Event.deals_damage, EITHER if who.base is Base.self else who.side, source=who)


def healed(who: Selector) -> Happening:
    """A character regains health; it is IT."""
    return _of(Event.healed, who)


def death(who: Selector) -> Happening:
    """A minion dies; it was IT."""
    return _of(Event.dies, who)


def spell_targets_minion(whose: Side = ENEMY) -> Happening:
    """A spell is cast whose target is a minion."""
    return Happening(Event.spell_targets_minion, whose)


def secret_revealed(whose: Side = MINE) -> Happening:
    """A secret is revealed."""
    return Happening(Event.secret_revealed, whose)


def fatal_damage(who: Selector) -> Happening:
    """A hero is about to take damage that kills it."""
    return _of(Event.fatal_damage, who)


# ---- what a card does: EX1_531 = on(death(MY_MINIONS & BEAST), give(SELF, +2, +1)) ---------------------------------


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
    (attack, health, *_), keywords, duration = _gifts(gifts)
    if duration is not Duration.permanent:
        raise CardError("an aura lasts as long as its card is in play, so it takes no duration")
    return Aura(those, attack, health, keywords, needs)


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
