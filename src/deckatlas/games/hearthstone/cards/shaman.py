"""The Shaman cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

EX1_565 = aura(ADJACENT, +2)  # Flametongue Totem
EX1_575 = on(turn_end(MINE), draw(1))  # Mana Tide Totem
EX1_258 = on(play_card(MINE, OVERLOAD), give(SELF, +1, +1))  # Unbound Elemental
EX1_587 = battlecry(give(target(MY_MINIONS), WINDFURY))  # Windspeaker
CS2_042 = battlecry(deal(3, target(CHARACTERS)))  # Fire Elemental
CS2_041 = spell(heal_fully(target(MINIONS)), give(TARGET, TAUNT))  # Ancestral Healing
EX1_244 = spell(give(MY_MINIONS & TOTEM, 0, +2))  # Totemic Might
EX1_245 = spell(silence(target(MINIONS)), deal(1, TARGET))  # Earth Shock
EX1_251 = spell(deal(2, random(ENEMY_MINIONS, 2)), needs=exists(ENEMY_MINIONS, 2))  # Forked Lightning
CS2_037 = spell(deal(1, target(ENEMIES)), freeze(TARGET))  # Frost Shock
EX1_238 = spell(deal(3, target(CHARACTERS)))  # Lightning Bolt
CS2_038 = spell(attach(target(MINIONS), deathrattle(summon(fresh_copy_of(SELF)))))  # Ancestral Spirit
CS2_045 = spell(give(target(MY_CHARACTERS), +3, THIS_TURN))  # Rockbiter Weapon
CS2_039 = spell(give(target(MINIONS), WINDFURY))  # Windfury
CS2_053 = spell(draw(1), change_cost(LAST_DRAWN, -3))  # Far Sight
EX1_248 = spell(summon("EX1_tk11", 2), needs=BOARD_SPACE)  # Feral Spirit
EX1_241 = spell(deal(5, target(CHARACTERS)))  # Lava Burst
EX1_259 = spell(deal(between(2, 3), ENEMY_MINIONS))  # Lightning Storm
EX1_246 = spell(transform(target(MINIONS), "hexfrog"))  # Hex
CS2_046 = spell(give(MY_MINIONS, +3, THIS_TURN))  # Bloodlust
