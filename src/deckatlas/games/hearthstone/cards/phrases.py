"""English phrases for the nouns of the card language: selectors, numbers, conditions, events, card choices.

Where a term names a card, its id has already been replaced by the card's name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    CostChange,
    Event,
    Except,
    FilterKind,
    Keyword,
    NumberKind,
    Pick,
    Race,
    Side,
)
from deckatlas.games.hearthstone.cards.table import PRINTED, Card
from deckatlas.games.hearthstone.cards.terms import (
    Amount,
    CardChoice,
    CardLike,
    ClassOf,
    Condition,
    CostAura,
    Happening,
    Number,
    Query,
    Selector,
)

_WORDS = {
    Keyword.cant_attack: "Can't attack",
    Keyword.elusive: "Can't be targeted by spells or Hero Powers",
    Keyword.cant_attack_heroes: "“Can't attack heroes”",
    Keyword.minimum_health_one: "“Can't be reduced below 1 Health”",
    Keyword.spell_damage: "Spell Damage +1",
}
_COUNTING = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_THESE = {
    Base.adjacent_to_self: "adjacent minions",
    Base.adjacent_to_target: "the minions next to it",
    Base.target_and_adjacent: "it and the minions next to it",
    Base.died_this_turn: "each of your minions that died this turn",
}
_SINGLE = (Base.target, Base.event_target, Base.event_source, Base.last_summoned, Base.last_drawn, Base.each)


def capital(phrase: str) -> str:
    """A phrase with a capital letter, to start a sentence."""
    return phrase[:1].upper() + phrase[1:]


def listing(words: Sequence[str]) -> str:
    """Joins words, as in "one, two and three"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def plural(word: str) -> str:
    """The plural of a noun."""
    for ending, many in (("y", "ies"), ("lf", "lves"), ("s", "s")):
        if word.endswith(ending):
            return word.removesuffix(ending) + many
    return f"{word}s"


def article(phrase: str) -> str:
    """A noun with its article."""
    return f"{'an' if phrase[:1] in 'aeiouAEIOU' else 'a'} {phrase}"


def keyword_name(keyword: Keyword | str) -> str:
    """A keyword as it is printed; empty for those that only announce an effect."""
    if isinstance(keyword, str):
        word, _, value = keyword.partition("=")
        if word == "spell-damage":
            return f"Spell Damage +{value}"
        if word == "overload":
            return f"Overload: ({value})"
        return keyword_name(PRINTED[word]) if word in PRINTED else ""
    return listing([_WORDS.get(one, str(one.name).replace("_", " ").title()) for one in keyword])


def whose(side: Side) -> str:
    """The possessive of a side."""
    return {Side.mine: "your", Side.enemy: "your opponent's", Side.all: "each player's"}[side]


# ---- who and what --------------------------------------------------------------------------------------------------


def noun(selector: Selector, self_name: str) -> str:
    """A selector in words; `self_name` is the card's word for itself."""
    if selector.among is not None:
        return article(kind(selector.among))
    if selector.base is Base.self:
        return self_name
    if selector.base in _SINGLE:
        return "it"
    if selector.base in _THESE:
        return _THESE[selector.base]
    if selector.base is Base.hero and selector.side is not Side.all:
        return "your hero" if selector.side is Side.mine else "the enemy hero"
    if selector.base is Base.weapon:
        return f"{whose(selector.side)} weapon"
    other = "other " if selector.leaves_out is not Except.nothing else ""
    if selector.pick is Pick.random:
        if selector.count > 1:
            return f"{_COUNTING[selector.count]} random {other}{kind(selector, many=True)}{_zone(selector)}"
        return f"{'another' if other else 'a'} random {kind(selector)}{_zone(selector)}"
    if selector.pick is Pick.all_but_one_random:
        return f"all {kind(selector, many=True)} but one, chosen at random"
    if selector.base is Base.hand and not selector.filters and selector.side is Side.mine:
        return "your other cards" if other else "your hand"
    if selector.side is Side.mine and selector.base in (Base.minions, Base.characters, Base.secrets):
        return f"your {other}{kind(replace(selector, side=Side.all), many=True)}"
    return f"all {other}{kind(selector, many=True)}{_zone(selector)}"


def _zone(selector: Selector) -> str:
    if selector.base not in (Base.hand, Base.deck):
        return ""
    return f" in {whose(selector.side)} {selector.base.name}"


def kind(selector: Selector, *, many: bool = False) -> str:
    """The noun for one member of a set: `damaged enemy minion`, `friendly Beast`, `minion with 3 or less Attack`."""
    names = {Base.minions: "minion", Base.characters: "character", Base.hero: "hero", Base.secrets: "Secret"}
    name = names.get(selector.base, "card")
    before, after = list[str](), list[str]()
    for one in selector.filters:
        value = one.value
        match one.kind:
            case FilterKind.race:
                name = "Mech" if value == Race.mechanical else Race(int(value)).name.capitalize()
            case FilterKind.type:
                name = CardType(int(value)).name
            case FilterKind.secret:
                name = "Secret"
            case FilterKind.has_keyword:
                after.append(f"with {keyword_name(Keyword(1 << int(value)))}")
            case FilterKind.has_overload:
                after.append("with Overload")
            case FilterKind.attack_at_most | FilterKind.attack_at_least | FilterKind.health_at_most:
                stat, _, bound = one.kind.name.partition("_")
                after.append(f"with {value} or {'less' if bound == 'at_most' else 'more'} {stat.capitalize()}")
            case FilterKind.not_card:
                after.append(f"except {value}")
            case _:
                before.append(one.kind.name.replace("_", "-"))
    if selector.base not in (Base.hand, Base.deck):
        before += {Side.mine: ["friendly"], Side.enemy: ["enemy"], Side.all: []}[selector.side]
    if name == "character" and before[-1:] == ["enemy"]:
        name = before.pop()
    return " ".join([*before, plural(name) if many else name, *after])


# ---- how much ------------------------------------------------------------------------------------------------------


def quantity(amount: Amount, self_name: str) -> str:
    """A number, or a phrase for its value."""
    if isinstance(amount, int):
        return str(amount)
    if amount.kind is NumberKind.random_between:
        return f"{amount.factor}-{amount.offset}"
    times = f"{abs(amount.factor)} times " if abs(amount.factor) != 1 else ""
    plus = f" plus {amount.offset}" if amount.offset else ""
    return f"{times}{_measure(amount, self_name)}{plus}"


def _measure(number: Number, self_name: str) -> str:
    of = noun(number.selector, self_name) if number.selector is not None else ""
    match number.kind:
        case NumberKind.attack | NumberKind.health:
            stat = number.kind.name.capitalize()
            return f"its {stat}" if of == "it" else f"the {stat} of {of}"
        case NumberKind.own_attack:
            return f"the Attack of {of} without what auras give"
        case NumberKind.drawn_cost:
            return "its printed Cost"
        case NumberKind.base_cost:
            return f"the Cost of {of} without what other cards change"
        case NumberKind.max_health:
            return "its maximum Health" if of == "it" else f"the maximum Health of {of}"
        case NumberKind.armor:
            return f"{whose(number.side)} Armor"
        case NumberKind.durability:
            return f"the Durability of {whose(number.side)} weapon"
        case NumberKind.free_slots:
            return "the number of free places on your side"
        case NumberKind.event_amount:
            return "that damage"
        case NumberKind.hand_difference:
            return "how many more cards your opponent holds"
        case _:
            return f"the number of times there is {article(counted(number) or 'one')}"


def counted(amount: Amount) -> str:
    """The noun that a number counts, as in `for each damaged minion`; empty if it does not count."""
    if isinstance(amount, int):
        return ""
    match amount.kind:
        case NumberKind.count:
            assert amount.selector is not None
            other = "other " if amount.selector.leaves_out is not Except.nothing else ""
            return f"{other}{kind(amount.selector)}{_zone(amount.selector)}"
        case NumberKind.hand_size:
            return f"card in {whose(amount.side)} hand"
        case NumberKind.played_before:
            return "other card you played this turn"
        case NumberKind.damage_taken:
            return f"damage {whose(amount.side)} hero has taken"
        case _:
            return ""


def gifts(attack: Amount, health: Amount, keywords: Keyword, self_name: str, *, weapon: bool = False) -> str:
    """Attack, health and keywords together: `+2/+1 and Taunt`."""
    second = "Durability" if weapon else "Health"
    parts = []
    if isinstance(attack, int) and isinstance(health, int) and attack and health:
        parts.append(f"{attack:+d}/{health:+d}")
    elif isinstance(attack, Number) and attack == health and counted(attack):
        parts.append(f"{attack.factor:+d}/{attack.factor:+d} for each {counted(attack)}")
    else:
        for stat, amount in (("Attack", attack), (second, health)):
            if isinstance(amount, int):
                parts += [f"{amount:+d} {stat}"] if amount else []
            elif counted(amount):
                parts.append(f"{amount.factor:+d} {stat} for each {counted(amount)}")
            else:
                parts.append(f"{stat} equal to {quantity(amount, self_name)}")
    if keywords:
        parts.append(keyword_name(keywords))
    return listing(parts)


def change(amount: Amount) -> str:
    """A cost change: `(2) less`."""
    if isinstance(amount, Number):
        return f"{quantity(amount, 'it')} more"
    return f"({abs(amount)}) {'less' if amount < 0 else 'more'}"


def cost_change(aura: CostAura, self_name: str) -> str:
    """A cost aura in words: `Your spells cost (1) less`."""
    cards = kind(aura.selector, many=True)
    who = {Side.mine: f"your {cards}", Side.enemy: f"your opponent's {cards}", Side.all: f"all {cards}"}
    cost = f"({aura.amount})" if aura.change is CostChange.set else change(aura.amount)
    kept = aura.change in (CostChange.add_not_below_one, CostChange.add_to_printed)
    least = ", but not less than (1)" if kept else ""
    needs = f" while {condition_phrase(aura.condition, self_name)}" if aura.condition else ""
    return f"{capital(who[aura.selector.side])} cost {cost}{least}{needs}"


# ---- if what, and when ---------------------------------------------------------------------------------------------


def condition_phrase(condition: Condition, self_name: str) -> str:
    """A condition in words."""
    no = condition.negated
    match condition.kind:
        case ConditionKind.at_least:
            assert condition.selector is not None
            return _existence(condition.selector, int(condition.value), self_name, no=no)
        case ConditionKind.board_space:
            return f"there is {'no ' if no else ''}space on your side"
        case ConditionKind.full_mana:
            return f"you {'do not have' if no else 'have'} 10 Mana Crystals"
        case ConditionKind.power_is:
            return f"your Hero Power is {'not ' if no else ''}{condition.value}"
        case ConditionKind.nobody_played_minion:
            return "nobody has played a minion this turn"
        case ConditionKind.no_minion_played:
            return f"you have played {'a' if no else 'no'} minion this turn"
        case ConditionKind.coin_flip:
            return "a coin comes up heads"
        case _:
            return f"you have {'no' if no else 'a'} weapon"


def _existence(selector: Selector, count: int, self_name: str, *, no: bool) -> str:
    kinds = {one.kind for one in selector.filters}
    is_ = "is not" if no else "is"
    who = noun(replace(selector, filters=()), self_name)
    with_ = kind(selector).rpartition("with ")[2]
    if kinds == {FilterKind.alive}:
        return f"{who} {'dies' if no else 'survives'}"
    if kinds == {FilterKind.damaged} and selector.base is Base.self:
        return f"{who} {is_} damaged"
    if selector.base is Base.target and FilterKind.has_keyword in kinds:
        return f"{who} {is_} {with_}"
    if selector.base is Base.target:
        side = Side.mine if FilterKind.friendly in kinds else Side.all
        others = tuple(one for one in selector.filters if one.kind is not FilterKind.friendly)
        return f"{who} {is_} {article(kind(Selector(Base.minions, side, filters=others)))}"
    if selector.base is Base.hero:
        return f"{who} {'does not have' if no else 'has'} {with_}"
    if selector.base is Base.deck:
        return f"there is {'no' if no else 'a'} {kind(selector)} in {whose(selector.side)} deck"
    if selector.base is Base.adjacent_to_self:
        return f"there {'are not' if no else 'are'} {_COUNTING[count]} or more adjacent minions"
    what = replace(selector, side=Side.all)
    some = f"{_COUNTING[count]} or more {kind(what, many=True)}" if count > 1 else article(kind(what))
    holders = {Side.mine: "you have", Side.enemy: "your opponent has", Side.all: "there is"}
    return f"{holders[selector.side]} {'not ' if no else ''}{some}"


def happening_phrase(happening: Happening, self_name: str, *, secret: bool) -> str:
    """When a trigger goes off: `Whenever you cast a spell`."""
    when = "When" if secret else "Whenever"
    you = {Side.mine: "you", Side.enemy: "your opponent", Side.all: "a player"}[happening.whose]
    s = "" if happening.whose is Side.mine else "s"
    turn = {Side.mine: "your", Side.enemy: "your opponent's", Side.all: "each"}[happening.whose]
    source, target = _one(happening.source, self_name), _one(happening.target, self_name)
    came = _one(happening.target and replace(happening.target, side=Side.all), self_name)
    revealed = "one of your Secrets" if happening.whose is Side.mine else "a Secret"
    phrases = {
        Event.turn_start: f"At the start of {turn} turn",
        Event.turn_end: f"At the end of {turn} turn",
        Event.attack: f"{when} {source or 'an enemy'} attacks {target}".rstrip(),
        Event.cast_spell: f"{when} {you} cast{s} a spell",
        Event.after_spell: f"After {you} cast{s} a spell",
        Event.play_card: f"{when} {you} play{s} {source or 'a card'}",
        Event.after_play_minion: f"After {you} play{s} a minion",
        Event.summon: f"{when} {you} summon{s} {came}",
        Event.after_summon: f"After {you} summon{s} {came}",
        Event.damaged: f"{when} {target} takes damage",
        Event.deals_damage: f"{when} {source} damages a character",
        Event.healed: f"{when} {target} is healed",
        Event.dies: f"{when} {target} dies",
        Event.spell_targets_minion: f"{when} {you} cast{s} a spell on a minion",
        Event.secret_revealed: f"{when} {revealed} is revealed",
        Event.fatal_damage: f"{when} {target} would take fatal damage",
    }
    return phrases[happening.event]


def _one(selector: Selector | None, self_name: str) -> str:
    """The noun for the source or target of an event."""
    if selector is None:
        return ""
    if selector.base in (Base.self, Base.hero):
        return noun(selector, self_name)
    selector = replace(selector, filters=tuple(one for one in selector.filters if one.kind is not FilterKind.alive))
    return f"another {kind(selector)}" if selector.leaves_out is Except.self else article(kind(selector))


# ---- which card ----------------------------------------------------------------------------------------------------


def made_card(card: CardLike | None, cards: Mapping[str, Card], count: Amount) -> str:
    """The cards that an effect creates: `two 2/2 Hyenas`, `a random Demon`."""
    if isinstance(card, CardChoice):
        return _random(card, cards)
    if card is None:
        return ""
    one = cards[card]
    if counted(count):
        return f"{article(_described(one))} for each {counted(count)}"
    if isinstance(count, Number):
        return f"{quantity(count, '')} {_described(one, many=True)}"
    if count == 1:
        return _described(one) if one.type in (CardType.power, CardType.hero) else article(_described(one))
    return f"{_COUNTING[count]} {_described(one, many=True)}"


def _described(card: Card, *, many: bool = False) -> str:
    name = plural(card.name) if many else card.name
    stats = f"{card.attack}/{card.health} " if card.type in (CardType.minion, CardType.weapon) else ""
    keywords = [keyword_name(word) for word in card.keywords if keyword_name(word)]
    return f"{stats}{name}{' with ' + listing(keywords) if keywords else ''}"


def _random(choice: CardChoice, cards: Mapping[str, Card]) -> str:
    if choice.query is not None:
        return f"a random {_queried(choice.query)}"
    names = [cards[name].name for name in choice.cards]
    there = ", but none that you have" if choice.choice is Choice.random_not_in_play else ""
    return f"{', '.join(names[:-1])} or {names[-1]} at random{there}"


def _queried(query: Query) -> str:
    legendary = "Legendary " if query.legendary else ""
    hero_class = query.hero_class
    named = "" if hero_class is None or isinstance(hero_class, ClassOf) else f"{hero_class.name.capitalize()} "
    what = query.race.name.capitalize() if query.race else query.type.name if query.type else "card"
    of = {ClassOf.enemy: " of your opponent's class", ClassOf.other: " of another class"}
    return f"{legendary}{named}{what}{of[hero_class] if isinstance(hero_class, ClassOf) else ''}"
