"""The verbs of the card language: the steps of effects, carried out from left to right."""

from deckatlas.games.hearthstone.cards.codes import Base, Duration, Keyword, Op, Side
from deckatlas.games.hearthstone.cards.nouns import MINE
from deckatlas.games.hearthstone.cards.terms import (
    Action,
    Amount,
    Aura,
    CardLike,
    Condition,
    CostAura,
    Deathrattle,
    Gifts,
    Repeat,
    Selector,
    Step,
    Trigger,
    When,
)


def when(condition: Condition, *then: Step, otherwise: Step | tuple[Step, ...] = ()) -> When:
    """Steps for when the condition is true, and steps for when it is false."""
    return When(condition, then, otherwise if isinstance(otherwise, tuple) else (otherwise,))


def repeat(times: int, *steps: Step) -> Repeat:
    """Repeats steps several times."""
    return Repeat(times, steps)


def deal(amount: Amount, to: Selector, *, dealer: Selector | None = None, boosted: bool = True) -> Action:
    """Deals damage. Spell damage and similar bonuses apply to spells and powers, unless `boosted` is false.

    With a `dealer`, that minion deals the damage.
    """
    op = Op.damage if dealer is None else Op.damage_from
    return Action(op, to, amount, dealer=dealer, boosted=boosted and dealer is None)


def split(amount: Amount, among: Selector) -> Action:
    """Deals damage point by point, each point to a random one of these."""
    return Action(Op.split_damage, among, amount)


def heal(amount: Amount, those: Selector) -> Action:
    """Restores this amount of health."""
    return Action(Op.heal, those, amount)


def heal_fully(those: Selector) -> Action:
    """Restores all health."""
    return Action(Op.heal_fully, those)


def set_current_health(those: Selector, amount: Amount) -> Action:
    """Sets the current health; the maximum stays."""
    return Action(Op.set_current_health, those, amount)


def set_attack(those: Selector, amount: Amount) -> Action:
    """Sets the attack; later gifts add to it."""
    return Action(Op.set_attack, those, amount)


def set_health(those: Selector, amount: Amount) -> Action:
    """Sets the health and its maximum; later gifts add to it."""
    return Action(Op.set_health, those, amount)


def swap_stats(those: Selector) -> Action:
    """Swaps attack and health."""
    return Action(Op.swap_stats, those)


def give(those: Selector, *gifts: Amount | Keyword | Duration) -> Action:
    """Gives attack, health and keywords; to a weapon, attack and durability.

    As in `give(TARGET, +2, +1, TAUNT, THIS_TURN)`.
    """
    what = Gifts.of(*gifts)
    of_weapon = those.base is Base.weapon
    return Action(
        Op.buff_weapon if of_weapon else Op.buff,
        those,
        what.attack,
        what.health,
        side=those.side if of_weapon else MINE,
        keywords=what.keywords,
        duration=what.duration,
    )


def lose(those: Selector, keyword: Keyword) -> Action:
    """Removes keywords."""
    return Action(Op.remove_keywords, those, keywords=keyword)


def freeze(those: Selector) -> Action:
    """Freezes characters."""
    return Action(Op.freeze, those)


def silence(those: Selector) -> Action:
    """Removes all text and all gifts."""
    return Action(Op.silence, those)


def destroy(those: Selector) -> Action:
    """Destroys minions, weapons, secrets."""
    return Action(Op.destroy, those)


def bounce(those: Selector) -> Action:
    """Returns minions to their owners' hands; the last of them is LAST_DRAWN."""
    return Action(Op.bounce, those)


def transform(those: Selector, into: CardLike) -> Action:
    """Turns minions into another card."""
    return Action(Op.transform, those, card=into)


def take_control(those: Selector, duration: Duration = Duration.permanent) -> Action:
    """Moves minions to my side."""
    return Action(Op.take_control, those, duration=duration)


def summon(card: CardLike, count: Amount = 1, side: Side = MINE) -> Action:
    """Puts minions on a side, as long as there is space."""
    return Action(Op.summon, card=card, amount=count, side=side)


def summon_at_end(card: CardLike, count: Amount = 1) -> Action:
    """Puts minions at the right end of my board, wherever this minion is."""
    return Action(Op.summon_at_end, card=card, amount=count)


def summon_around(card: CardLike, count: Amount) -> Action:
    """Puts minions right and left of this one, alternating."""
    return Action(Op.summon_around, card=card, amount=count)


def equip(card: CardLike, side: Side = MINE) -> Action:
    """Gives a hero a weapon."""
    return Action(Op.equip, card=card, side=side)


def lose_durability(amount: Amount, side: Side = MINE) -> Action:
    """A weapon loses durability."""
    return Action(Op.lose_durability, amount=amount, side=side)


def draw(count: Amount, side: Side = MINE) -> Action:
    """Draws cards; the last of them is LAST_DRAWN."""
    return Action(Op.draw, amount=count, side=side)


def draw_from(those: Selector) -> Action:
    """Draws a random card of my deck that passes a filter, as in `draw_from(MY_DECK & DEMON)`."""
    return Action(Op.draw_filtered, those)


def discard(those: Selector) -> Action:
    """Discards cards from a hand."""
    return Action(Op.discard, those)


def add_to_hand(card: CardLike, count: Amount = 1, side: Side = MINE) -> Action:
    """Creates cards in a hand."""
    return Action(Op.add_to_hand, card=card, amount=count, side=side)


def copy_to_hand(those: Selector, side: Side = MINE) -> Action:
    """Puts copies of cards into a hand."""
    return Action(Op.copy_to_hand, those, side=side)


def change_cost(those: Selector, amount: Amount) -> Action:
    """Cards cost more or less while they stay in the hand."""
    return Action(Op.change_cost, those, amount)


def gain_armor(amount: Amount, side: Side = MINE) -> Action:
    """Gives a hero armor."""
    return Action(Op.gain_armor, amount=amount, side=side)


def gain_crystals(amount: Amount, side: Side = MINE) -> Action:
    """Gives full mana crystals."""
    return Action(Op.gain_crystals, amount=amount, side=side)


def gain_empty_crystals(amount: Amount, side: Side = MINE) -> Action:
    """Gives empty mana crystals; a negative number removes crystals, empty ones first."""
    return Action(Op.gain_empty_crystals, amount=amount, side=side)


def gain_mana(amount: Amount, side: Side = MINE) -> Action:
    """Gives mana for this turn."""
    return Action(Op.gain_mana, amount=amount, side=side)


def set_power(card: str) -> Action:
    """Replaces my hero power with a fresh one."""
    return Action(Op.set_power, card=card)


def replace_hero(card: str) -> Action:
    """This minion leaves play, and this hero replaces mine."""
    return Action(Op.replace_hero, card=card)


def temporarily(gives: Aura | CostAura, duration: Duration) -> Action:
    """Gives a player something temporarily: cost changes, or keywords for all its minions, including later ones."""
    return Action(Op.enchant_player, side=gives.selector.side, gives=gives, duration=duration)


def attach(those: Selector, gives: Trigger | Deathrattle) -> Action:
    """Gives minions a trigger, which belongs to the caster, or a deathrattle, which belongs to their owner."""
    return Action(Op.attach, those, gives=gives)


def redirect_attack(to: Selector) -> Action:
    """The current attack hits another target."""
    return Action(Op.redirect_attack, to)


def redirect_spell(to: Selector) -> Action:
    """The spell being cast gets another target."""
    return Action(Op.redirect_spell, to)


def counter() -> Action:
    """The spell being cast does nothing."""
    return Action(Op.counter)


def prevent_damage() -> Action:
    """The damage that would kill the hero is not dealt."""
    return Action(Op.prevent_damage)


def look_at_top(count: int) -> Action:
    """The player chooses one of the next cards of the deck; the others are discarded."""
    return Action(Op.look_at_top, amount=count)


def swap_with_hand(card: Selector) -> Action:
    """Swaps this minion with a card in the hand."""
    return Action(Op.swap_with_hand, card)


def return_later(card: str) -> Action:
    """Adds a card to the hand at the start of my next turn."""
    return Action(Op.return_later, card=card)
