"""The nouns of the card language: keywords, durations, selectors, filters, numbers, conditions, card choices.

Sides are seen from the controller of the effect.
"""

from dataclasses import replace

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    Duration,
    Except,
    FilterKind,
    HeroClass,
    Keyword,
    NumberKind,
    Pick,
    Race,
    Side,
)
from deckatlas.games.hearthstone.cards.terms import (
    CardChoice,
    ClassOf,
    Condition,
    Filter,
    Left,
    Number,
    Query,
    Selector,
)

# ---- keywords and durations ----------------------------------------------------------------------------------------

TAUNT = Keyword.taunt
DIVINE_SHIELD = Keyword.divine_shield
STEALTH = Keyword.stealth
WINDFURY = Keyword.windfury
CHARGE = Keyword.charge
POISONOUS = Keyword.poisonous
CANT_ATTACK = Keyword.cant_attack
ELUSIVE = Keyword.elusive
IMMUNE = Keyword.immune
CANT_ATTACK_HEROES = Keyword.cant_attack_heroes
IMMUNE_WHILE_ATTACKING = Keyword.immune_while_attacking
ATTACK_EQUALS_HEALTH = Keyword.attack_equals_health
SPELL_DAMAGE = Keyword.spell_damage
MINIMUM_HEALTH_ONE = Keyword.minimum_health_one
SPENDS_ATTACK = Keyword.spends_attack
HEALING_IS_DAMAGE = Keyword.healing_is_damage
DOUBLE_MAGIC = Keyword.double_magic
FREEZES = Keyword.freezes
FROZEN = Keyword.frozen

THIS_TURN = Duration.this_turn
UNTIL_MY_NEXT_TURN = Duration.until_my_next_turn
UNTIL_NEXT_SPELL = Duration.until_next_spell
UNTIL_NEXT_SECRET = Duration.until_next_secret
ENEMYS_NEXT_TURN = Duration.opponents_next_turn

# ---- who and what --------------------------------------------------------------------------------------------------

MINE = Side.mine
ENEMY = Side.enemy
EITHER = Side.all

SELF = Selector(Base.self)
TARGET = Selector(Base.target)
IT = Selector(Base.event_target)
ATTACKER = DEALER = THAT_SPELL = Selector(Base.event_source)
EACH = Selector(Base.each)
LAST_SUMMONED = Selector(Base.last_summoned)
LAST_DRAWN = Selector(Base.last_drawn)

MY_MINIONS = Selector(Base.minions)
ENEMY_MINIONS = Selector(Base.minions, Side.enemy)
MINIONS = Selector(Base.minions, Side.all)
MY_OTHER_MINIONS = Selector(Base.minions, Side.mine, Except.self)
OTHER_MINIONS = Selector(Base.minions, Side.all, Except.self)
ADJACENT = Selector(Base.adjacent_to_self)
ADJACENT_TO_TARGET = Selector(Base.adjacent_to_target)
TARGET_AND_ADJACENT = Selector(Base.target_and_adjacent)
DIED_THIS_TURN = Selector(Base.died_this_turn)

MY_HERO = Selector(Base.hero)
ENEMY_HERO = Selector(Base.hero, Side.enemy)
HEROES = Selector(Base.hero, Side.all)
MY_CHARACTERS = Selector(Base.characters)
ENEMIES = Selector(Base.characters, Side.enemy)
OTHER_ENEMIES = Selector(Base.characters, Side.enemy, Except.target)
CHARACTERS = Selector(Base.characters, Side.all)
OTHER_CHARACTERS = Selector(Base.characters, Side.all, Except.self)
BYSTANDERS = Selector(Base.characters, Side.all, Except.attacker_and_defender)

MY_WEAPON = Selector(Base.weapon)
ENEMY_WEAPON = Selector(Base.weapon, Side.enemy)
MY_HAND = Selector(Base.hand)
MY_OTHER_CARDS = Selector(Base.hand, Side.mine, Except.self)
ENEMY_HAND = Selector(Base.hand, Side.enemy)
HANDS = Selector(Base.hand, Side.all)
MY_DECK = Selector(Base.deck)
ENEMY_DECK = Selector(Base.deck, Side.enemy)
MY_SECRETS = Selector(Base.secrets)
ENEMY_SECRETS = Selector(Base.secrets, Side.enemy)


def target(among: Selector) -> Selector:
    """The one that the player chooses from these; the other steps of the effect call it TARGET."""
    return Selector(Base.target, among=among)


def random(those: Selector, count: int = 1) -> Selector:
    """`count` different ones of these at random, or all if there are fewer."""
    return replace(those, pick=Pick.random, count=count)


def all_but_one(those: Selector) -> Selector:
    """All of these except one at random."""
    return replace(those, pick=Pick.all_but_one_random)


# ---- filters: MY_MINIONS & BEAST -----------------------------------------------------------------------------------

BEAST, DEMON, DRAGON, ELEMENTAL, MECHANICAL, MURLOC, PIRATE, TOTEM = (
    Filter(FilterKind.race, int(race)) for race in Race if race is not Race.none
)
MINION = Filter(FilterKind.type, int(CardType.minion))
SPELL = Filter(FilterKind.type, int(CardType.spell))
WEAPON = Filter(FilterKind.type, int(CardType.weapon))
SECRET = Filter(FilterKind.secret)
OVERLOAD = Filter(FilterKind.has_overload)
DAMAGED = Filter(FilterKind.damaged)
UNDAMAGED = Filter(FilterKind.undamaged)
ALIVE = Filter(FilterKind.alive)
FRIENDLY = Filter(FilterKind.friendly)
ODD_COST = Filter(FilterKind.odd_cost)
EVEN_COST = Filter(FilterKind.even_cost)


def attack_at_most(attack: int) -> Filter:
    """Those with at most this attack."""
    return Filter(FilterKind.attack_at_most, attack)


def attack_at_least(attack: int) -> Filter:
    """Those with at least this attack."""
    return Filter(FilterKind.attack_at_least, attack)


def health_at_most(health: int) -> Filter:
    """Those with at most this health left."""
    return Filter(FilterKind.health_at_most, health)


def has(keyword: Keyword) -> Filter:
    """Those that have a keyword."""
    if int(keyword).bit_count() != 1:
        raise CardError("has(...) takes one keyword")
    return Filter(FilterKind.has_keyword, int(keyword).bit_length() - 1)


def not_card(card: str) -> Filter:
    """Those that are not this card."""
    return Filter(FilterKind.not_card, card)


# ---- numbers: 2 * count(MY_MINIONS) + 1 ----------------------------------------------------------------------------

EVENT_AMOUNT = Number(NumberKind.event_amount)
CARDS_PLAYED_BEFORE = Number(NumberKind.played_before)
FREE_SLOTS = Number(NumberKind.free_slots)
HAND_DIFFERENCE = Number(NumberKind.hand_difference)
DRAWN_COST = Number(NumberKind.drawn_cost, LAST_DRAWN)  # printed: nothing changes it before the card is in the hand


def count(those: Selector) -> Number:
    """The number of these."""
    return Number(NumberKind.count, those)


def attack_of(those: Selector) -> Number:
    """The total attack of these."""
    return Number(NumberKind.attack, those)


def own_attack_of(those: Selector) -> Number:
    """The total attack of these, without auras."""
    return Number(NumberKind.own_attack, those)


def health_of(those: Selector) -> Number:
    """The total health that these have left."""
    return Number(NumberKind.health, those)


def max_health_of(those: Selector) -> Number:
    """The total maximum health of these."""
    return Number(NumberKind.max_health, those)


def base_cost_of(those: Selector) -> Number:
    """The total cost of these cards, without changes by other cards."""
    return Number(NumberKind.base_cost, those)


def armor_of(side: Side = MINE) -> Number:
    """The armor of a hero."""
    return Number(NumberKind.armor, side=side)


def durability_of(side: Side = MINE) -> Number:
    """The durability of a player's weapon."""
    return Number(NumberKind.durability, side=side)


def hand_size(side: Side = MINE) -> Number:
    """How many cards a player holds."""
    return Number(NumberKind.hand_size, side=side)


def damage_taken(side: Side = MINE) -> Number:
    """The health that a hero has lost."""
    return Number(NumberKind.damage_taken, side=side)


def between(low: int, high: int) -> Number:
    """A random number from low to high; a new one for each target."""
    return Number(NumberKind.random_between, factor=low, offset=high)


# ---- conditions: when(exists(MY_SECRETS), ...), ~COIN_FLIP ---------------------------------------------------------

BOARD_SPACE = Condition(ConditionKind.board_space)
FULL_MANA = Condition(ConditionKind.full_mana)
NO_MINION_PLAYED = Condition(ConditionKind.no_minion_played)
NOBODY_PLAYED_MINION = Condition(ConditionKind.nobody_played_minion)
COIN_FLIP = Condition(ConditionKind.coin_flip)
HOLDING_WEAPON = Condition(ConditionKind.holding_weapon)


def exists(those: Selector, at_least: int = 1) -> Condition:
    """There are at least `at_least` of these."""
    return Condition(ConditionKind.at_least, those, at_least)


SELF_DAMAGED = exists(SELF & DAMAGED)


def power_is(card: str) -> Condition:
    """My hero power is this one."""
    return Condition(ConditionKind.power_is, value=card)


def left(choice: CardChoice) -> Left:
    """One of the cards of a `not_in_play` is not on my board yet, and there is space."""
    return Left(choice)


# ---- which card ----------------------------------------------------------------------------------------------------

LEGENDARY = Query(legendary=True)
ENEMYS_CLASS = Query(hero_class=ClassOf.enemy)
OTHER_CLASS = Query(hero_class=ClassOf.other)
DRUID, HUNTER, MAGE, PALADIN, PRIEST, ROGUE, SHAMAN, WARLOCK, WARRIOR = (
    Query(hero_class=hero_class) for hero_class in HeroClass if hero_class is not HeroClass.neutral
)


def random_of(*cards: str) -> CardChoice:
    """One of these cards at random."""
    return CardChoice(Choice.random_of_list, cards)


def not_in_play(*cards: str) -> CardChoice:
    """One of these cards at random, except those on my board."""
    return CardChoice(Choice.random_not_in_play, cards)


def any_card(*kinds: Query | Filter) -> CardChoice:
    """A random collectible card of the edition's Basic and Classic sets, as in `any_card(SPELL, MAGE)`."""
    query = Query()
    for kind in kinds:
        if isinstance(kind, Filter) and kind.kind is FilterKind.race:
            query = replace(query, race=Race(int(kind.value)))
        elif isinstance(kind, Filter) and kind.kind is FilterKind.type:
            query = replace(query, type=CardType(int(kind.value)))
        elif isinstance(kind, Query):
            query = replace(
                query, hero_class=kind.hero_class or query.hero_class, legendary=kind.legendary or query.legendary
            )
        else:
            raise CardError("any_card takes races, types, classes and LEGENDARY")
    return CardChoice(Choice.random_of_list, query=query)


def copy_of(those: Selector) -> CardChoice:
    """Copies of these as they are now, with their damage and everything given to them."""
    return CardChoice(Choice.copy_of_selected, selector=those)


def fresh_copy_of(those: Selector) -> CardChoice:
    """Copies of these as printed; one copy of each."""
    return CardChoice(Choice.fresh_copy_of_selected, selector=those)
