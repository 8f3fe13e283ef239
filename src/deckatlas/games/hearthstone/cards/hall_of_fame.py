"""The cards that had left the Classic set for the Hall of Fame by December 2018."""

from deckatlas.games.hearthstone.cards.language import *

EX1_284 = battlecry(draw(1))  # Azure Drake
NEW1_016 = battlecry(draw_from(MY_DECK & PIRATE))  # Captain's Parrot
EX1_050 = battlecry(draw(2), draw(2, ENEMY))  # Coldlight Oracle
EX1_128 = spell(give(MY_MINIONS, STEALTH, UNTIL_MY_NEXT_TURN))  # Conceal
PRO_001 = battlecry(  # Elite Tauren Chieftain
    add_to_hand(random_of("PRO_001a", "PRO_001b", "PRO_001c")),
    add_to_hand(random_of("PRO_001a", "PRO_001b", "PRO_001c"), 1, ENEMY),
)
EX1_112 = battlecry(summon(random_of("Mekka1", "Mekka2", "Mekka3", "Mekka4")))  # Gelbin Mekkatorque
EX1_295 = secret(fatal_damage(MY_HERO), prevent_damage(), give(MY_HERO, IMMUNE, THIS_TURN))  # Ice Block
CS2_031 = spell(when(exists(target(CHARACTERS) & has(FROZEN)), deal(4, TARGET), otherwise=freeze(TARGET)))  # Ice Lance
EX1_620 = own_cost(-damage_taken(MINE))  # Molten Giant
EX1_062 = aura(SELF, count(OTHER_MINIONS & MURLOC))  # Old Murk-Eye
# Power Overwhelming
EX1_316 = spell(give(target(MY_MINIONS), +4, +4), attach(TARGET, on(turn_end(EITHER), destroy(SELF))))
EX1_298 = on(turn_end(MINE), deal(8, random(ENEMIES & ALIVE)))  # Ragnaros the Firelord
EX1_016 = deathrattle(take_control(random(ENEMY_MINIONS)))  # Sylvanas Windrunner
