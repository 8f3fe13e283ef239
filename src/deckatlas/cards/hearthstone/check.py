"""Finds the mistakes in cards before any game: what an effect names, needs or chooses and cannot have."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace

from deckatlas.cards.hearthstone.codes import (
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
from deckatlas.cards.hearthstone.table import RARITIES, SETS, Card
from deckatlas.cards.hearthstone.terms import (
    Action,
    Aura,
    CardChoice,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Filter,
    Hero,
    Left,
    Nothing,
    Number,
    OwnCost,
    Play,
    PlayKind,
    Repeat,
    Selector,
    Slot,
    Step,
    Trigger,
    When,
)
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

# Which type a card must have that a step makes.
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

# Steps that only make sense while something happens.
_DURING = {
    Op.redirect_attack: Event.attack,
    Op.redirect_spell: Event.spell_targets_minion,
    Op.counter: Event.cast_spell,
    Op.prevent_damage: Event.fatal_damage,
}

_TYPE_OF_PLAY = {
    PlayKind.spell: (CardType.spell,),
    PlayKind.battlecry: (CardType.minion, CardType.weapon),
    PlayKind.combo: (CardType.minion, CardType.weapon, CardType.spell),
    PlayKind.power: (CardType.power,),
    PlayKind.option: (CardType.spell, CardType.minion),
}


@dataclass(frozen=True)
class _Context:
    """Where an expression stands: what it can refer to."""

    body: bool  # whether there is a SELF
    event: Event | None = None
    chosen: Selector | None = None
    can_choose: bool = False


_FIELD_NAMES: dict[type, tuple[str, ...]] = {}  # of kinds that were asked for; walks ask for few, very often


def field_names(kind: type) -> tuple[str, ...]:
    """The fields of a kind of term; none if it is no term."""
    if kind not in _FIELD_NAMES:
        _FIELD_NAMES[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return _FIELD_NAMES[kind]


def walk(node: object) -> list[object]:
    """All values inside an expression, itself first."""
    found: list[object] = []
    _add_all(node, found)
    return found


def _add_all(node: object, found: list[object]) -> None:
    found.append(node)
    if isinstance(node, tuple):
        for item in node:
            _add_all(item, found)
        return
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple) or field_names(type(value)):
            _add_all(value, found)


def chosen_in(steps: tuple[Step, ...]) -> Selector | None:
    """The set that an effect's target is chosen from; None if it has no target."""
    for node in walk(steps):
        if isinstance(node, Selector) and node.among is not None:
            return node.among
    return None


def mistakes_in(card: Card, cards: Mapping[str, Card], parents: Mapping[str, Card]) -> Iterator[str]:
    """What is wrong with a card; `parents` has the choose-one card of each option card."""
    yield from _numbers(card)
    yield from _marks(card)
    plays = [slot.kind for slot in card.effects if isinstance(slot, Play)]
    if len(set(plays)) < len(plays):
        yield f"has two effects of the kind {max(plays, key=plays.count).value}"
    if any(isinstance(slot, ChooseOne) for slot in card.effects) and plays:
        yield "chooses one of two options, so it has no effect of its own when it is played"
    for slot in card.effects:
        yield from _slot(card, slot, cards, parents)


def _numbers(card: Card) -> Iterator[str]:
    lasting = card.type in (CardType.minion, CardType.weapon)
    if not 0 <= card.cost <= 25:
        yield f"costs {card.cost}, which is not between 0 and 25"
    if not 0 <= card.attack <= 50 or (card.attack and not lasting):
        yield f"has {card.attack} attack, which is impossible for a {card.type.name}"
    if not (1 if lasting or card.type is CardType.hero else 0) <= card.health <= 50 or (
        card.health and card.type in (CardType.spell, CardType.power)
    ):
        what = "durability" if card.type is CardType.weapon else "health"
        yield f"has {card.health} {what}, which is impossible for a {card.type.name}"
    if card.rarity not in ("", *RARITIES) or (card.collectible and not card.rarity):
        yield f"has the unknown rarity {show(card.rarity)}, use one of {', '.join(RARITIES)}"
    if card.set not in SETS:
        yield f"is of the unknown set {show(card.set)}, use one of {', '.join(SETS)}"
    if not card.name or not card.name.isprintable():
        yield "has no name of one printable line"


def marks_of(card: Card) -> set[str]:
    """The keywords of the tables that a card's effects ask for."""
    marks = set()
    for slot in card.effects:
        match slot:
            case Play(kind=PlayKind.battlecry | PlayKind.combo):
                marks.add(slot.kind.value)
            case ChooseOne():
                marks.add("choose-one")
            case Deathrattle():
                marks.add("deathrattle")
            case Trigger():
                marks.add("secret" if slot.secret else "trigger")
            case Aura(condition=Condition(ConditionKind.at_least, Selector(Base.self))):
                marks.add("enraged")
            case Aura() | CostAura():
                marks.add("aura")
            case _:
                pass
    return marks


def _marks(card: Card) -> Iterator[str]:
    needed = marks_of(card)
    for mark in ("choose-one", "battlecry", "combo", "deathrattle", "secret", "trigger", "aura", "enraged"):
        if mark in card.keywords and mark not in needed:
            yield f"has the keyword {mark}, but no such effect"
        if mark in needed and mark not in card.keywords:
            yield f"has an effect of the kind {mark}, but not that keyword"
    if card.type is CardType.spell and not card.effects:
        yield "is a spell without an effect"
    if card.type in (CardType.hero, CardType.power) and not card.effects:
        yield f"is a {card.type.name} without an effect"


def _slot(card: Card, slot: Slot, cards: Mapping[str, Card], parents: Mapping[str, Card]) -> Iterator[str]:
    lasting = card.type in (CardType.minion, CardType.weapon)
    match slot:
        case Play():
            yield from _play(card, slot, cards, parents)
        case ChooseOne():
            for name in (slot.first, slot.second):
                yield from _known(name, cards)
                effects = cards[name].effects if name in cards else ()
                if name in cards and not any(isinstance(s, Play) and s.kind is PlayKind.option for s in effects):
                    yield f"offers {name}, which is not declared with option(...)"
        case Deathrattle():
            if not lasting:
                yield f"is a {card.type.name} with a deathrattle"
            yield from _steps(slot.steps, _Context(True), cards)
        case Trigger():
            if slot.secret != (card.type is CardType.spell):
                yield (
                    "must be a spell to have a secret" if slot.secret else "is a spell, so on(...) must be secret(...)"
                )
            yield from _trigger(slot, cards, body=not slot.secret)
        case Aura() | CostAura():
            if not lasting:
                yield f"is a {card.type.name} with an aura"
            yield from _aura(slot, _Context(True), cards)
        case OwnCost():
            yield from _terms(slot, _Context(True), cards)
        case Hero():
            if card.type is not CardType.hero:
                yield "is declared as a hero, which it is not"
            yield from _made(slot.power, CardType.power, cards)
        case Nothing():
            pass


def _play(card: Card, play: Play, cards: Mapping[str, Card], parents: Mapping[str, Card]) -> Iterator[str]:
    if card.type not in _TYPE_OF_PLAY[play.kind]:
        yield f"is a {card.type.name}, which has no {play.kind.value}"
    acting = parents.get(card.id, card) if play.kind is PlayKind.option else card
    if play.kind is PlayKind.option and card.id not in parents:
        yield "is an option that no choose-one card offers"
    chosen = {node.among for node in walk(play.steps) if isinstance(node, Selector) and node.among is not None}
    if len(chosen) > 1:
        yield "chooses two different targets; choose once and call it TARGET in the other steps"
    for among in chosen:
        if among.base not in (Base.minions, Base.characters, Base.hero) or among.pick is not Pick.all:
            yield "chooses its target from what is not a set of minions or heroes"
        if among.leaves_out is not Except.nothing:
            yield "chooses its target from a set that leaves something out; a card is never its own target anyway"
    body = acting.type in (CardType.minion, CardType.weapon)
    context = _Context(body, None, next(iter(chosen), None), True)
    yield from _steps(play.steps, context, cards)
    for need in play.needs:
        yield from _terms(need, replace(context, can_choose=False), cards)


def _trigger(trigger: Trigger, cards: Mapping[str, Card], *, body: bool) -> Iterator[str]:
    context = _Context(body, trigger.happening.event)
    yield from _terms(trigger.happening, context, cards)
    if trigger.condition is not None:
        yield from _terms(trigger.condition, context, cards)
    yield from _steps(trigger.steps, context, cards)


def _aura(aura: Aura | CostAura, context: _Context, cards: Mapping[str, Card]) -> Iterator[str]:
    if aura.selector.pick is not Pick.all:
        yield "has an aura on something random"
    if isinstance(aura, CostAura) and aura.selector.base is not Base.hand:
        yield "changes the costs of what is not in a hand"
    if isinstance(aura, CostAura) and len(aura.selector.filters) > 1:
        yield "changes costs by two filters; the core takes one"
    yield from _terms(aura, context, cards)


def _steps(steps: tuple[Step, ...], context: _Context, cards: Mapping[str, Card]) -> Iterator[str]:
    if not steps:
        yield "has an effect without steps"
    made: set[Base] = set()
    yield from _sequence(steps, context, cards, made)


def _sequence(steps: tuple[Step, ...], context: _Context, cards: Mapping[str, Card], made: set[Base]) -> Iterator[str]:
    for step in steps:
        match step:
            case Action():
                yield from _action(step, context, cards, made)
            case When():
                yield from _terms(step.condition, context, cards)
                yield from _sequence(step.then, context, cards, made)
                yield from _sequence(step.otherwise, context, cards, made)
            case Repeat():
                if not 1 <= step.times <= 10:
                    yield f"repeats {step.times} times, which is not between 1 and 10"
                yield from _sequence(step.steps, context, cards, made)
            case _:
                yield f"has a step that is none: {step!r}"


def _action(action: Action, context: _Context, cards: Mapping[str, Card], made: set[Base]) -> Iterator[str]:
    name = action.op.name.replace("_", " ")
    if action.op in _ACTS_ON:
        acted_on = action.selector
        if not isinstance(acted_on, Selector) or acted_on.base not in _ACTS_ON[action.op]:
            yield f"cannot {name} that"
        elif action.op in _MINIONS_ONLY and acted_on.base is Base.target:
            among = acted_on.among or context.chosen
            if among is not None and among.base is not Base.minions:
                yield f"cannot {name} a hero, but its target can be one"
    if action.op in _DURING and context.event is not _DURING[action.op]:
        yield f"can {name} only when {_DURING[action.op].name.replace('_', ' ')} happens"
    if action.op in (Op.replace_hero, Op.swap_with_hand, Op.summon_around) and not context.body:
        yield f"has no minion that could {name}"
    if isinstance(action.card, str):
        yield from _made(action.card, _MAKES.get(action.op), cards)
    elif isinstance(action.card, CardChoice):
        if action.card.query is None and action.card.selector is None and not action.card.cards:
            yield "chooses one of no cards"
        for made_card in action.card.cards:
            yield from _made(made_card, _MAKES.get(action.op), cards)
        query, kind = action.card.query, _MAKES.get(action.op)
        if query is not None and kind not in (None, query.type) and query.race is None:
            yield f"would {name} a card that need not be a {kind.name}"
    elif action.card is not None:
        yield f"names a card by {action.card!r}"
    if isinstance(action.gives, Trigger):
        yield from _trigger(action.gives, cards, body=True)
    elif isinstance(action.gives, Deathrattle):
        yield from _steps(action.gives.steps, _Context(True), cards)
    elif action.gives is not None:
        yield from _aura(action.gives, replace(context, body=False), cards)
    yield from _terms(replace(action, gives=None) if action.gives else action, context, cards, made)
    if action.op in (Op.summon, Op.summon_around, Op.summon_at_end):
        made.add(Base.last_summoned)
    if action.op in (Op.draw, Op.draw_filtered, Op.bounce):
        made.add(Base.last_drawn)


def _terms(root: object, context: _Context, cards: Mapping[str, Card], made: set[Base] | None = None) -> Iterator[str]:
    """What is wrong with the selectors, numbers and conditions inside an expression."""
    for node in walk(root):
        match node:
            case Selector():
                yield from _selector(node, context, made or set())
            case (
                Filter(kind=FilterKind.not_card, value=str(id)) | Condition(kind=ConditionKind.power_is, value=str(id))
            ):
                yield from _known(id, cards)
            case Number(kind=NumberKind.event_amount):
                if context.event not in (Event.damaged, Event.healed, Event.deals_damage):
                    yield "uses EVENT_AMOUNT where there is none"
            case Left():
                if node.choice.choice is not Choice.random_not_in_play:
                    yield "left(...) takes a not_in_play(...)"
            case Action():
                for amount in (node.amount, node.amount2):
                    if not isinstance(amount, int | Number) or isinstance(amount, bool):
                        yield f"has an amount that is none: {amount!r}"
                    elif isinstance(amount, int) and not -100 <= amount <= 100:
                        yield f"has an impossible amount, {amount}"
            case _:
                pass


def _selector(selector: Selector, context: _Context, made: set[Base]) -> Iterator[str]:
    if len(selector.filters) > 2:
        yield "uses more than two filters on one set"
    base = selector.base
    if selector.among is not None and not context.can_choose:
        yield "chooses a target where none can be chosen"
    elif (
        base in (Base.target, Base.adjacent_to_target, Base.target_and_adjacent) or selector.leaves_out is Except.target
    ) and context.chosen is None:
        yield "uses TARGET where none is chosen; choose one with target(...)"
    if (base in (Base.self, Base.adjacent_to_self) or selector.leaves_out is Except.self) and not context.body:
        yield "uses SELF, but nothing of it is in play"
    if base in (Base.event_source, Base.event_target) and context.event is None:
        yield "refers to an event outside on(...) and secret(...)"
    if selector.leaves_out is Except.attacker_and_defender and context.event is not Event.attack:
        yield "leaves out an attacker where nobody attacks"
    if base in (Base.last_summoned, Base.last_drawn) and base not in made:
        yield f"uses {base.name.upper()} before anything was {base.name.removeprefix('last_')}"


def _known(id: str, cards: Mapping[str, Card]) -> Iterator[str]:
    if id not in cards:
        yield f"names the unknown card {show(id)}"


def _made(id: str, type: CardType | None, cards: Mapping[str, Card]) -> Iterator[str]:
    yield from _known(id, cards)
    if id in cards and (cards[id].type is not type if type else cards[id].type not in _PLAYABLE):
        yield f"needs a {type.name if type else 'card for a hand'}, but {id} is a {cards[id].type.name}"
