"""The Priest cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

CS2_235 = on(healed(MINIONS), draw(1))  # Northshire Cleric
EX1_341 = on(turn_start(MINE), heal(3, random(MY_CHARACTERS & DAMAGED)))  # Lightwell
EX1_591 = rule(HEALING_IS_DAMAGE)  # Auchenai Soulpriest
EX1_335 = rule(ATTACK_EQUALS_HEALTH)  # Lightspawn
EX1_091 = battlecry(take_control(target(ENEMY_MINIONS & attack_at_most(2))))  # Cabal Shadow Priest
EX1_623 = battlecry(give(target(MY_MINIONS), 0, +3))  # Temple Enforcer
EX1_350 = rule(DOUBLE_MAGIC)  # Prophet Velen
EX1_621 = spell(heal(4, MINIONS))  # Circle of Healing
EX1_332 = spell(silence(target(MINIONS)))  # Silence
CS1_130 = spell(deal(2, target(CHARACTERS)))  # Holy Smite
CS1_129 = spell(set_attack(target(MINIONS), health_of(TARGET)))  # Inner Fire
CS2_003 = spell(copy_to_hand(random(ENEMY_HAND)))  # Mind Vision
CS2_004 = spell(give(target(MINIONS), 0, +2), draw(1))  # Power Word: Shield
CS2_236 = spell(give(target(MINIONS), 0, health_of(TARGET)))  # Divine Spirit
DS1_233 = spell(deal(5, ENEMY_HERO))  # Mind Blast
CS2_234 = spell(destroy(target(MINIONS & attack_at_most(3))))  # Shadow Word: Pain
EX1_622 = spell(destroy(target(MINIONS & attack_at_least(5))))  # Shadow Word: Death
EX1_625 = spell(  # Shadowform
    when(
        power_is("EX1_625t"),
        set_power("EX1_625t2"),
        otherwise=when(~power_is("EX1_625t2"), set_power("EX1_625t")),
    )
)
EX1_339 = spell(copy_to_hand(random(ENEMY_DECK, 2)))  # Thoughtsteal
EX1_626 = spell(silence(ENEMY_MINIONS), draw(1))  # Mass Dispel
EX1_345 = spell(  # Mindgames
    when(
        exists(ENEMY_DECK & MINION),
        summon(fresh_copy_of(random(ENEMY_DECK & MINION))),
        otherwise=summon("EX1_345t"),
    ),
    needs=BOARD_SPACE,
)
EX1_334 = spell(  # Shadow Madness
    take_control(target(ENEMY_MINIONS & attack_at_most(3)), THIS_TURN),
    give(TARGET, CHARGE, THIS_TURN),
    needs=BOARD_SPACE,
)
CS1_112 = spell(deal(2, ENEMIES), heal(2, MY_CHARACTERS))  # Holy Nova
EX1_624 = spell(deal(5, target(CHARACTERS)), heal(5, MY_HERO))  # Holy Fire
CS1_113 = spell(take_control(target(ENEMY_MINIONS)), needs=BOARD_SPACE)  # Mind Control
