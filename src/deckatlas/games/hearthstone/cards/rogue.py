"""The Rogue cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

EX1_131 = combo(summon("EX1_131t"))  # Defias Ringleader
EX1_613 = combo(give(SELF, 2 * CARDS_PLAYED_BEFORE, 2 * CARDS_PLAYED_BEFORE))  # Edwin VanCleef
EX1_134 = combo(deal(2, target(CHARACTERS)))  # SI:7 Agent
NEW1_014 = battlecry(give(target(MY_MINIONS), STEALTH, UNTIL_MY_NEXT_TURN))  # Master of Disguise
NEW1_005 = combo(bounce(target(MINIONS)))  # Kidnapper
CS2_072 = spell(deal(2, target(MINIONS & UNDAMAGED)))  # Backstab
EX1_145 = spell(temporarily(costs(MY_HAND & SPELL, -3), UNTIL_NEXT_SPELL))  # Preparation
EX1_144 = spell(bounce(target(MY_MINIONS)), change_cost(LAST_DRAWN, -2))  # Shadowstep
CS2_073 = spell(give(target(MINIONS), +2)), combo(give(target(MINIONS), +4))  # Cold Blood
CS2_074 = spell(give(MY_WEAPON, +2), needs=HOLDING_WEAPON)  # Deadly Poison
EX1_182 = spell(add_to_hand(any_card(ENEMYS_CLASS)))  # Pilfer
CS2_075 = spell(deal(3, ENEMY_HERO))  # Sinister Strike
EX1_126 = spell(deal(attack_of(TARGET), ADJACENT_TO_TARGET, dealer=target(ENEMY_MINIONS)))  # Betrayal
EX1_124 = spell(deal(2, target(CHARACTERS))), combo(deal(4, target(CHARACTERS)))  # Eviscerate
EX1_581 = spell(bounce(target(ENEMY_MINIONS)))  # Sap
EX1_278 = spell(deal(1, target(CHARACTERS)), draw(1))  # Shiv
EX1_129 = spell(deal(1, ENEMY_MINIONS), draw(1))  # Fan of Knives
EX1_137 = spell(deal(2, ENEMY_HERO)), combo(deal(2, ENEMY_HERO), return_later("EX1_137"))  # Headcrack
CS2_233 = spell(deal(attack_of(MY_WEAPON), ENEMY_MINIONS), destroy(MY_WEAPON), needs=HOLDING_WEAPON)  # Blade Flurry
CS2_076 = spell(destroy(target(ENEMY_MINIONS)))  # Assassinate
NEW1_004 = spell(bounce(MINIONS))  # Vanish
CS2_077 = spell(draw(4))  # Sprint
EX1_133 = battlecry(deal(1, target(CHARACTERS))), combo(deal(2, target(CHARACTERS)))  # Perdition's Blade
