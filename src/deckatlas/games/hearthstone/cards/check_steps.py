"""Finds mistakes in the parts of effects: steps, and their selectors, numbers and conditions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    Event,
    Except,
    FilterKind,
    NumberKind,
    Op,
    Pick,
)
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import (
    Action,
    Aura,
    CardChoice,
    Condition,
    CostAura,
    Deathrattle,
    Filter,
    Left,
    Number,
    Repeat,
    Selector,
    Step,
    Trigger,
    When,
)
from deckatlas.games.hearthstone.cards.walks import walk
from deckatlas.shapes import show

_MINIONS = {Base.minions, Base.adjacent_to_self, Base.adjacent_to_target, Base.target_and_adjacent}
_ONES = {Base.self, Base.target, Base.event_source, Base.event_target, Base.last_summoned}
_CHARACTERS = _MINIONS | _ONES | {Base.hero, Base.characters}

# What each step can act on.
_ACTS_ON: dict[Op, set[Base]] = {
    **dict.fromkeys((Op.silence, Op.bounce, Op.transform, Op.take_control, Op.swap_stats, Op.attach), _MINIONS | _ONES),
    **dict.fromkeys((Op.set_attack, Op.set_health, Op.remove_keywords), _MINIONS | _ONES),
    **dict.fromkeys(
        (Op.damage, Op.damage_from, Op.split_damage, Op.heal, Op.heal_fully, Op.set_current_health, Op.freeze),
        _CHARACTERS,
    ),
    **dict.fromkeys((Op.buff, Op.redirect_attack), _CHARACTERS),
    Op.redirect_spell: _MINIONS | _ONES,
    Op.buff_weapon: {Base.weapon},
    Op.destroy: _CHARACTERS | {Base.weapon, Base.secrets},
    Op.discard: {Base.hand},
    Op.swap_with_hand: {Base.hand},
    Op.draw_filtered: {Base.deck},
    Op.change_cost: {Base.hand, Base.last_drawn},
    Op.copy_to_hand: {Base.hand, Base.deck, Base.event_source},
}
_MINIONS_ONLY = {op for op, bases in _ACTS_ON.items() if bases == _MINIONS | _ONES}

# The type that a card must have for a step to create it.
_MAKES = {
    Op.summon: CardType.minion,
    Op.summon_around: CardType.minion,
    Op.summon_at_end: CardType.minion,
    Op.transform: CardType.minion,
    Op.equip: CardType.weapon,
    Op.set_power: CardType.power,
    Op.replace_hero: CardType.hero,
}
_PLAYABLE = (CardType.minion, CardType.spell, CardType.weapon)

# Steps that only make sense during an event.
_DURING = {
    Op.redirect_attack: Event.attack,
    Op.redirect_spell: Event.spell_targets_minion,
    Op.counter: Event.cast_spell,
    Op.prevent_damage: Event.fatal_damage,
}
# Steps whose amount may be below zero.
_MAY_TAKE = (
    *(Op.buff, Op.buff_weapon, Op.change_cost),
    *(Op.gain_armor, Op.gain_crystals, Op.gain_empty_crystals, Op.gain_mana),
)

# Events whose source is a character, events whose source is a card, and events without a target.
_DONE_BY_CHARACTERS = (Event.attack, Event.damaged, Event.deals_damage, Event.fatal_damage, Event.healed)
_DONE_BY_CARDS = (Event.play_card, Event.cast_spell, Event.spell_targets_minion, Event.after_spell)
_TO_NOBODY = (Event.turn_start, Event.turn_end, Event.after_spell, Event.secret_revealed)


@dataclass(frozen=True)
class Context:
    """Where an expression appears, and so what it can refer to."""

    body: bool  # whether there is a SELF
    event: Event | None = None
    chosen: Selector | None = None
    can_choose: bool = False


def trigger_mistakes(trigger: Trigger, cards: Mapping[str, Card], *, body: bool) -> Iterator[str]:
    """What is wrong with a trigger; `body` says whether there is a SELF."""
    context = Context(body, trigger.happening.event)
    yield from term_mistakes(trigger.happening, context, cards)
    if trigger.condition is not None:
        yield from term_mistakes(trigger.condition, context, cards)
    yield from step_mistakes(trigger.steps, context, cards)


def aura_mistakes(aura: Aura | CostAura, context: Context, cards: Mapping[str, Card]) -> Iterator[str]:
    """What is wrong with an aura."""
    if aura.selector.pick is not Pick.all:
        yield "has an aura on something random"
    if isinstance(aura, CostAura) and aura.selector.base is not Base.hand:
        yield "changes the costs of cards that are not in a hand"
    if isinstance(aura, CostAura) and len(aura.selector.filters) > 1:
        yield "changes costs by two filters; the core supports one"
    yield from term_mistakes(aura, context, cards)


def step_mistakes(steps: tuple[Step, ...], context: Context, cards: Mapping[str, Card]) -> Iterator[str]:
    """What is wrong with the steps of an effect."""
    if not steps:
        yield "has an effect without steps"
    made: set[Base] = set()
    yield from _sequence(steps, context, cards, made)


def _sequence(steps: tuple[Step, ...], context: Context, cards: Mapping[str, Card], made: set[Base]) -> Iterator[str]:
    for step in steps:
        match step:
            case Action():
                yield from _action(step, context, cards, made)
            case When():
                yield from term_mistakes(step.condition, context, cards)
                yield from _sequence(step.then, context, cards, made)
                yield from _sequence(step.otherwise, context, cards, made)
            case Repeat():
                if not 1 <= step.times <= 10:
                    yield f"repeats {step.times} times, which is not between 1 and 10"
                yield from _sequence(step.steps, context, cards, made)
            case _:
                yield f"has something that is not a step: {show(step)}"


def _action(action: Action, context: Context, cards: Mapping[str, Card], made: set[Base]) -> Iterator[str]:
    name = action.op.name.replace("_", " ")
    if action.op in _ACTS_ON:
        acted_on = action.selector
        if not isinstance(acted_on, Selector) or acted_on.base not in _ACTS_ON[action.op]:
            yield f"cannot {name} that"
        elif action.op in _MINIONS_ONLY and acted_on.base is Base.target:
            among = acted_on.among or context.chosen
            if among is not None and among.base is not Base.minions:
                yield f"cannot {name} a hero, but its target can be one"
        elif acted_on.base is Base.event_source and (context.event in _DONE_BY_CARDS) != (action.op is Op.copy_to_hand):
            yield f"cannot {name} the source of {_words(context.event)}"
    if action.op not in _MAY_TAKE and any(_is_negative(amount) for amount in (action.amount, action.amount2)):
        yield f"has a {name} with a negative number"
    if action.op in _DURING and context.event is not _DURING[action.op]:
        yield f"can {name} only when {_words(_DURING[action.op])} happens"
    if action.op in (Op.replace_hero, Op.swap_with_hand, Op.summon_around) and not context.body:
        yield f"has no minion that could {name}"
    if isinstance(action.card, str):
        yield from made_mistakes(action.card, _MAKES.get(action.op), cards)
    elif isinstance(action.card, CardChoice):
        if action.card.query is None and action.card.selector is None and not action.card.cards:
            yield "chooses from an empty list of cards"
        for made_card in action.card.cards:
            yield from made_mistakes(made_card, _MAKES.get(action.op), cards)
        query, kind = action.card.query, _MAKES.get(action.op)
        if query is not None and kind not in (None, query.type) and query.race is None:
            yield f"would {name} a card that might not be a {kind.name}"
    elif action.card is not None:
        yield f"names a card by {show(action.card)}"
    if isinstance(action.gives, Trigger):
        yield from trigger_mistakes(action.gives, cards, body=True)
    elif isinstance(action.gives, Deathrattle):
        yield from step_mistakes(action.gives.steps, Context(True), cards)
    elif action.gives is not None:
        yield from aura_mistakes(action.gives, replace(context, body=False), cards)
    yield from term_mistakes(replace(action, gives=None) if action.gives else action, context, cards, made)
    if action.op in (Op.summon, Op.summon_around, Op.summon_at_end):
        made.add(Base.last_summoned)
    if action.op in (Op.draw, Op.draw_filtered, Op.bounce):
        made.add(Base.last_drawn)


def term_mistakes(
    root: object, context: Context, cards: Mapping[str, Card], made: set[Base] | None = None
) -> Iterator[str]:
    """What is wrong with the selectors, numbers and conditions inside an expression."""
    for node in walk(root):
        match node:
            case Selector():
                yield from _selector(node, context, made or set())
            case (
                Filter(kind=FilterKind.not_card, value=str(id)) | Condition(kind=ConditionKind.power_is, value=str(id))
            ):
                yield from unknown_card(id, cards)
            case Number(kind=NumberKind.event_amount):
                if context.event not in (Event.damaged, Event.healed, Event.deals_damage):
                    yield "uses EVENT_AMOUNT where no event has an amount"
            case Left():
                if node.choice.choice is not Choice.random_not_in_play:
                    yield "left(...) takes a not_in_play(...)"
            case Action():
                for amount in (node.amount, node.amount2):
                    if not isinstance(amount, int | Number) or isinstance(amount, bool):
                        yield f"has something that is not an amount: {show(amount)}"
                    elif isinstance(amount, int) and not -100 <= amount <= 100:
                        yield f"has an impossible amount, {amount}"
            case _:
                pass


def _selector(selector: Selector, context: Context, made: set[Base]) -> Iterator[str]:
    if len(selector.filters) > 2:
        yield "uses more than two filters on one set"
    base = selector.base
    if selector.among is not None and not context.can_choose:
        yield "chooses a target where no target can be chosen"
    elif (
        base in (Base.target, Base.adjacent_to_target, Base.target_and_adjacent) or selector.leaves_out is Except.target
    ) and context.chosen is None:
        yield "uses TARGET where no target is chosen; choose one with target(...)"
    if (base in (Base.self, Base.adjacent_to_self) or selector.leaves_out is Except.self) and not context.body:
        yield "uses SELF, but the card is not in play"
    if base in (Base.event_source, Base.event_target) and context.event is None:
        yield "refers to an event outside on(...) and secret(...)"
    elif base is Base.event_source and context.event not in (*_DONE_BY_CHARACTERS, *_DONE_BY_CARDS):
        yield f"uses ATTACKER, DEALER or THAT_SPELL, but {_words(context.event)} does not have it"
    elif base is Base.event_target and context.event in _TO_NOBODY:
        yield f"uses IT, but {_words(context.event)} has no target"
    if selector.leaves_out is Except.attacker_and_defender and context.event is not Event.attack:
        yield "excludes the attacker where there is no attack"
    if base in (Base.last_summoned, Base.last_drawn) and base not in made:
        yield f"uses {base.name.upper()} before anything was {base.name.removeprefix('last_')}"


def _is_negative(amount: object) -> bool:
    """Whether an amount is known to be below zero before the game."""
    match amount:
        case Number(kind=NumberKind.random_between):
            return amount.factor < 0
        case Number():
            return amount.factor < 0 and amount.offset <= 0
        case int():
            return amount < 0
    return False


def _words(event: Event | None) -> str:
    return "nothing" if event is None else event.name.replace("_", " ")


def unknown_card(id: str, cards: Mapping[str, Card]) -> Iterator[str]:
    """Reports an id that no card has."""
    if id not in cards:
        yield f"names the unknown card {show(id)}"


def made_mistakes(id: str, type: CardType | None, cards: Mapping[str, Card]) -> Iterator[str]:
    """Lists what is wrong with a card that an effect creates; without a type, any card that a hand can hold is fine."""
    yield from unknown_card(id, cards)
    if id in cards and (cards[id].type is not type if type else cards[id].type not in _PLAYABLE):
        yield f"needs a {type.name if type else 'card for a hand'}, but {id} is a {cards[id].type.name}"
