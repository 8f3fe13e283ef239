"""The happenings of the card language: events that triggers wait for, as in `on(death(MY_MINIONS), ...)`."""

from deckatlas.games.hearthstone.cards.codes import Base, Event, Side
from deckatlas.games.hearthstone.cards.nouns import EITHER, ENEMY, MINE
from deckatlas.games.hearthstone.cards.terms import Filter, Happening, Selector


def _of(event: Event, who: Side | Selector) -> Happening:
    if isinstance(who, Side):
        return Happening(event, who)
    return Happening(event, EITHER if who.base is Base.self else who.side, target=who)


def turn_start(whose: Side = MINE) -> Happening:
    """A turn starts, before its card is drawn."""
    return Happening(Event.turn_start, whose)


def turn_end(whose: Side = MINE) -> Happening:
    """A turn ends."""
    return Happening(Event.turn_end, whose)


def attack(by: Selector | None = None, on: Selector | None = None) -> Happening:
    """An attack is declared. The attacker is ATTACKER, its target IT."""
    whose = EITHER if by is None or by.base is Base.self else by.side
    return Happening(Event.attack, whose, source=by, target=on)


def cast_spell(whose: Side = MINE) -> Happening:
    """A spell is cast, before it does anything; it is THAT_SPELL."""
    return Happening(Event.cast_spell, whose)


def after_spell(whose: Side = MINE) -> Happening:
    """A spell has been cast."""
    return Happening(Event.after_spell, whose)


def play_card(whose: Side = MINE, kind: Filter | None = None) -> Happening:
    """A card is played; with a filter, only a card that passes it."""
    cards = None if kind is None else Selector(Base.hand, whose) & kind
    return Happening(Event.play_card, whose, source=cards)


def after_play_minion(who: Side | Selector = ENEMY) -> Happening:
    """A minion has been played and its battlecry is over; it is IT."""
    return _of(Event.after_play_minion, who)


def summoned(who: Selector) -> Happening:
    """A minion enters play; it is IT."""
    return _of(Event.summon, who)


def after_summon(who: Selector) -> Happening:
    """A minion has entered play; it is IT."""
    return _of(Event.after_summon, who)


def damaged(who: Selector) -> Happening:
    """A character takes EVENT_AMOUNT damage; it is IT."""
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
    """A spell with a minion as its target is cast."""
    return Happening(Event.spell_targets_minion, whose)


def secret_revealed(whose: Side = MINE) -> Happening:
    """A secret is revealed."""
    return Happening(Event.secret_revealed, whose)


def fatal_damage(who: Selector) -> Happening:
    """A hero is about to take damage that kills it."""
    return _of(Event.fatal_damage, who)
