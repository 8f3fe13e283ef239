"""The Mage cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

NEW1_012 = on(cast_spell(MINE), give(SELF, +1))  # Mana Wyrm
EX1_608 = costs(MY_HAND & SPELL, -1)  # Sorcerer's Apprentice
EX1_612 = battlecry(temporarily(cost_is(MY_HAND & SECRET, 0), UNTIL_NEXT_SECRET))  # Kirin Tor Mage
EX1_274 = on(turn_end(MINE), when(exists(MY_SECRETS), give(SELF, +2, +2)))  # Ethereal Arcanist
CS2_033 = on(deals_damage(SELF), freeze(IT))  # Water Elemental
EX1_559 = on(cast_spell(MINE), add_to_hand("CS2_029"))  # Archmage Antonidas
EX1_277 = spell(split(3, ENEMIES))  # Arcane Missiles
CS2_027 = spell(summon("CS2_mirror", 2), needs=BOARD_SPACE)  # Mirror Image
EX1_180 = spell(add_to_hand(any_card(SPELL, MAGE)))  # Tome of Intellect
CS2_025 = spell(deal(1, ENEMY_MINIONS))  # Arcane Explosion
CS2_024 = spell(deal(3, target(CHARACTERS)), freeze(TARGET))  # Frostbolt
EX1_179 = spell(deal(2, target(MINIONS)), when(exists(TARGET & has(FROZEN)), draw(1)))  # Icicle
CS2_023 = spell(draw(2))  # Arcane Intellect
EX1_287 = secret(cast_spell(ENEMY), counter())  # Counterspell
CS2_026 = spell(freeze(ENEMY_MINIONS))  # Frost Nova
EX1_289 = secret(attack(by=ENEMIES, on=MY_HERO), gain_armor(8))  # Ice Barrier
EX1_294 = secret(after_play_minion(ENEMY), summon(copy_of(IT)), needs=BOARD_SPACE)  # Mirror Entity
# Spellbender
tt_010 = secret(spell_targets_minion(ENEMY), summon("tt_010a"), redirect_spell(LAST_SUMMONED), needs=BOARD_SPACE)
EX1_594 = secret(attack(by=ENEMY_MINIONS & ALIVE, on=MY_HERO), destroy(ATTACKER))  # Vaporize
EX1_275 = spell(freeze(target(MINIONS)), freeze(ADJACENT_TO_TARGET), deal(1, TARGET_AND_ADJACENT))  # Cone of Cold
CS2_029 = spell(deal(6, target(CHARACTERS)))  # Fireball
CS2_022 = spell(transform(target(MINIONS), "CS2_tk1"))  # Polymorph
CS2_028 = spell(deal(2, ENEMY_MINIONS), freeze(ENEMY_MINIONS))  # Blizzard
CS2_032 = spell(deal(4, ENEMY_MINIONS))  # Flamestrike
EX1_279 = spell(deal(10, target(CHARACTERS)))  # Pyroblast
