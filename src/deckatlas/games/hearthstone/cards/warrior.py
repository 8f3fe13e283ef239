"""The Warrior cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

EX1_402 = on(damaged(MY_MINIONS), gain_armor(1))  # Armorsmith
EX1_603 = battlecry(deal(1, target(MINIONS)), give(TARGET, +2))  # Cruel Taskmaster
EX1_604 = on(damaged(MINIONS), give(SELF, +1))  # Frothing Berserker
EX1_084 = aura(MY_MINIONS & has(CHARGE), +1)  # Warsong Commander
EX1_398 = battlecry(equip("EX1_398t"))  # Arathi Weaponsmith
EX1_414 = enraged(+6)  # Grommash Hellscream
EX1_607 = spell(deal(1, target(MINIONS)), give(TARGET, +2))  # Inner Rage
CS2_103 = spell(give(target(MY_MINIONS), CHARGE), give(TARGET, CANT_ATTACK_HEROES, THIS_TURN))  # Charge
EX1_410 = spell(deal(armor_of(MINE), target(MINIONS)))  # Shield Slam
EX1_409 = spell(when(HOLDING_WEAPON, give(MY_WEAPON, +1, +1), otherwise=equip("EX1_409t")))  # Upgrade!
EX1_400 = spell(deal(1, MINIONS))  # Whirlwind
EX1_392 = spell(draw(count(MY_CHARACTERS & DAMAGED)))  # Battle Rage
CS2_114 = spell(deal(2, random(ENEMY_MINIONS, 2)), needs=exists(ENEMY_MINIONS, 2))  # Cleave
NEW1_036 = spell(temporarily(aura(MY_MINIONS, MINIMUM_HEALTH_ONE), THIS_TURN), draw(1))  # Commanding Shout
CS2_108 = spell(destroy(target(ENEMY_MINIONS & DAMAGED)))  # Execute
CS2_105 = spell(give(MY_HERO, +4, THIS_TURN))  # Heroic Strike
CS2_104 = spell(give(target(MINIONS & DAMAGED), +3, +3))  # Rampage
EX1_391 = spell(deal(2, target(MINIONS)), when(exists(TARGET & ALIVE), draw(1)))  # Slam
EX1_606 = spell(gain_armor(5), draw(1))  # Shield Block
# Mortal Strike
EX1_408 = spell(when(exists(MY_HERO & health_at_most(12)), deal(6, target(CHARACTERS)), otherwise=deal(4, TARGET)))
EX1_407 = spell(destroy(all_but_one(MINIONS)), needs=exists(MINIONS, 2))  # Brawl
EX1_411 = rule(SPENDS_ATTACK)  # Gorehowl
