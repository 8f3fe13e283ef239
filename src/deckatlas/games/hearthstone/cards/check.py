"""Finds mistakes in cards before the first game: things that an effect names, needs or chooses but cannot have."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from deckatlas.games.hearthstone.cards.check_steps import (
    Context,
    aura_mistakes,
    made_mistakes,
    step_mistakes,
    term_mistakes,
    trigger_mistakes,
    unknown_card,
)
from deckatlas.games.hearthstone.cards.codes import Base, CardType, ConditionKind, Except, Pick
from deckatlas.games.hearthstone.cards.table import MARKS, RARITIES, SETS, Card
from deckatlas.games.hearthstone.cards.terms import (
    Aura,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Hero,
    Nothing,
    OwnCost,
    Play,
    PlayKind,
    Selector,
    Slot,
    Trigger,
)
from deckatlas.games.hearthstone.cards.walks import walk
from deckatlas.shapes import show

_TYPE_OF_PLAY = {
    PlayKind.spell: (CardType.spell,),
    PlayKind.battlecry: (CardType.minion, CardType.weapon),
    PlayKind.combo: (CardType.minion, CardType.weapon, CardType.spell),
    PlayKind.power: (CardType.power,),
    PlayKind.option: (CardType.spell, CardType.minion),
}


def mistakes_in(card: Card, cards: Mapping[str, Card], parents: Mapping[str, Card]) -> Iterator[str]:
    """Lists what is wrong with a card; `parents` maps each option card to its choose-one card."""
    yield from _numbers(card)
    yield from _marks(card)
    plays = [slot.kind for slot in card.effects if isinstance(slot, Play)]
    if len(set(plays)) < len(plays):
        yield f"has two effects of kind {max(plays, key=plays.count).value}"
    if any(isinstance(slot, ChooseOne) for slot in card.effects) and plays:
        yield "chooses one of two options, so it has no effect of its own when it is played"
    for slot in card.effects:
        yield from _slot(card, slot, cards, parents)


def _numbers(card: Card) -> Iterator[str]:
    lasting = card.type in (CardType.minion, CardType.weapon)
    if card.type is CardType.none:
        yield "has no type"
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
        yield f"has the unknown set {show(card.set)}, use one of {', '.join(SETS)}"
    if not card.name or not card.name.isprintable():
        yield "needs a name that is one printable line"


def marks_of(card: Card) -> set[str]:
    """The keywords that the tables must list because of a card's effects."""
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
    for mark in MARKS:
        if mark in card.keywords and mark not in needed:
            yield f"has the keyword {mark}, but no effect of that kind"
        if mark in needed and mark not in card.keywords:
            yield f"has an effect of kind {mark}, but not that keyword"
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
                yield from unknown_card(name, cards)
                effects = cards[name].effects if name in cards else ()
                if name in cards and not any(isinstance(s, Play) and s.kind is PlayKind.option for s in effects):
                    yield f"offers {name}, which is not declared with option(...)"
        case Deathrattle():
            if not lasting:
                yield f"is a {card.type.name} with a deathrattle"
            yield from step_mistakes(slot.steps, Context(True), cards)
        case Trigger():
            if slot.secret != (card.type is CardType.spell):
                yield (
                    "must be a spell to have a secret" if slot.secret else "is a spell, so on(...) must be secret(...)"
                )
            yield from trigger_mistakes(slot, cards, body=not slot.secret)
        case Aura() | CostAura():
            if not lasting:
                yield f"is a {card.type.name} with an aura"
            yield from aura_mistakes(slot, Context(True), cards)
        case OwnCost():
            yield from term_mistakes(slot, Context(True), cards)
        case Hero():
            if card.type is not CardType.hero:
                yield "is declared as a hero but is not a hero"
            yield from made_mistakes(slot.power, CardType.power, cards)
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
        yield "chooses two different targets; choose once and use TARGET in the other steps"
    for among in chosen:
        if among.base not in (Base.minions, Base.characters, Base.hero) or among.pick is not Pick.all:
            yield "chooses its target from something other than a set of minions or heroes"
        if among.leaves_out is not Except.nothing:
            yield "chooses its target from a set with an exception; a card is never its own target anyway"
    body = acting.type in (CardType.minion, CardType.weapon)
    context = Context(body, None, next(iter(chosen), None), True)
    yield from step_mistakes(play.steps, context, cards)
    for need in play.needs:
        yield from term_mistakes(need, replace(context, can_choose=False), cards)
