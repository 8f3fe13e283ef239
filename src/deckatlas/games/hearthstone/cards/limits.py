"""The core's limits for one card: the size of its numbers, the length of its effects, what its costs depend on."""

from collections.abc import Iterator

from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    Duration,
    FilterKind,
    HeroClass,
    Keyword,
    NumberKind,
    Op,
)
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import (
    Action,
    Aura,
    CardChoice,
    Condition,
    CostAura,
    Filter,
    Number,
    OwnCost,
    Play,
    Repeat,
    Rule,
    Selector,
    Step,
    Trigger,
    When,
)
from deckatlas.games.hearthstone.cards.walks import field_names, walk

MOST_AMOUNT = 100  # limit of numbers in effects; those of the card itself are smaller
MOST_STEPS = 200  # limit for one effect, repetitions included
MOST_DBF_ID = 2**32 - 1
# As in core/hearthstone: kCardCostAuras, kChoices, kBoardLimit.
MOST_COST_CHANGES = 2
MOST_SHOWN = 3
MOST_NOT_IN_PLAY = 7


def beyond_limits(card: Card) -> Iterator[str]:
    """Lists where a card exceeds the core's limits, in the form of `mistakes_in`."""
    if not 0 <= card.dbf_id <= MOST_DBF_ID:
        yield f"has the dbf id {card.dbf_id}, which is not between 0 and {MOST_DBF_ID}"
    if card.type is CardType.hero and card.hero_class is HeroClass.neutral:
        yield "is a hero without a class"
    if sum(isinstance(slot, CostAura) for slot in card.effects) > MOST_COST_CHANGES:
        yield f"changes costs in more than {MOST_COST_CHANGES} ways"
    for slot in card.effects:
        if isinstance(slot, OwnCost) and isinstance(slot.amount, Number) and slot.amount.kind is NumberKind.base_cost:
            yield "has a cost that depends on costs"
        if isinstance(slot, Aura | OwnCost | Trigger):
            yield from _chances(slot)
        nodes = walk(slot)
        yield from _looks(slot, [node for node in nodes if isinstance(node, Action) and node.op is Op.look_at_top])
        for node in nodes:
            yield from _numbers(node)
            yield from _lasting(node)
            if isinstance(node, tuple) and _length(node) > MOST_STEPS:
                yield f"has an effect of more than {MOST_STEPS} steps"


def _numbers(node: object) -> Iterator[str]:
    for name in field_names(type(node)):
        value = getattr(node, name)
        if type(value) is int and not -MOST_AMOUNT <= value <= MOST_AMOUNT:
            yield f"has a number that is not between -{MOST_AMOUNT} and {MOST_AMOUNT}"
    match node:
        case Selector() if node.count < 1:
            yield f"picks {node.count} at random, but must pick at least 1"
        case Number(kind=NumberKind.base_cost, selector=Selector() as of):
            if of.base not in (Base.hand, Base.last_drawn):
                yield "asks for the cost of something that is not in a hand"
        case Number(kind=NumberKind.random_between) if node.factor > node.offset:
            yield "has a random number whose lower bound is above its upper bound"
        case CardChoice(choice=Choice.random_not_in_play) if len(node.cards) > MOST_NOT_IN_PLAY:
            yield f"has a not_in_play(...) with more than {MOST_NOT_IN_PLAY} cards"


def _lasting(node: object) -> Iterator[str]:
    """Gifts that the core supports only for minions and permanently, or only temporarily."""
    match node:
        case Action(op=Op.buff):
            passing = node.duration is not Duration.permanent
            if node.keywords & Keyword.spell_damage and (passing or _may_be_hero(node.selector)):
                yield "gives spell damage temporarily, or to something that might not be a minion"
            if passing and node.amount2 != 0:
                yield "gives health temporarily"
            if node.duration is Duration.until_my_next_turn and (node.keywords, node.amount) != (Keyword.stealth, 0):
                yield "gives something other than stealth until the next turn"
        case Aura(keywords=keywords) if keywords & Keyword.spell_damage:
            yield "has an aura that gives spell damage"
        case Rule(keywords=keywords) if keywords & Keyword.spell_damage:
            yield "has spell damage as a rule; it is a keyword of the card, spell-damage=1"
        case Action(op=Op.remove_keywords, keywords=keywords) if keywords & Keyword.spell_damage:
            yield "removes spell damage"
        case Filter(kind=FilterKind.has_keyword, value=bit) if bit == Keyword.spell_damage.bit_length() - 1:
            yield "tests for spell damage"


def _may_be_hero(selector: Selector | None) -> bool:
    among = selector.among if selector is not None and selector.among is not None else selector
    return among is not None and among.base in (Base.hero, Base.characters)


def _length(steps: tuple[object, ...]) -> int:
    """How many instructions the steps give, counted roughly: nested repetitions grow fast."""
    total = 0
    for step in steps:
        match step:
            case Repeat():
                total += step.times * _length(step.steps)
            case When():
                total += 2 + _length(step.then) + _length(step.otherwise)
            case Action():
                total += 1
    return total


def _looks(slot: object, looks: list[Action]) -> Iterator[str]:
    """Only the player of a card can choose among the cards it shows, and only once."""
    if looks and (not isinstance(slot, Play) or len(looks) > 1 or _in_repeat(slot.steps, looks[0])):
        yield "looks at the top of the deck more than once, or at another time than when it is played"
    for look in looks:
        if not isinstance(look.amount, int) or not 1 <= look.amount <= MOST_SHOWN:
            yield f"can look at 1 to {MOST_SHOWN} cards"


def _in_repeat(steps: tuple[Step, ...], action: Action) -> bool:
    return any(isinstance(node, Repeat) and action in walk(node) for node in walk(steps))


def _chances(slot: Aura | OwnCost | Trigger) -> Iterator[str]:
    """Anything that is evaluated repeatedly cannot be random."""
    asked = (slot.condition, slot.happening) if isinstance(slot, Trigger) else slot
    for node in walk(asked):
        if isinstance(node, Condition) and node.kind is ConditionKind.coin_flip:
            yield "flips a coin where that is impossible; use when(COIN_FLIP, ...)"
        if isinstance(node, Number) and node.kind is NumberKind.random_between:
            yield "has a random number where it is evaluated repeatedly"
