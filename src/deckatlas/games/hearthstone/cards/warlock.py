"""The Warlock cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

CS2_059 = on(turn_end(MINE), give(random(MY_OTHER_MINIONS), 0, +1))  # Blood Imp
EX1_319 = battlecry(deal(3, MY_HERO))  # Flame Imp
EX1_306 = battlecry(discard(random(MY_HAND)))  # Succubus
EX1_301 = battlecry(gain_empty_crystals(-1))  # Felguard
EX1_304 = battlecry(give(SELF, attack_of(ADJACENT), health_of(ADJACENT)), destroy(ADJACENT))  # Void Terror
EX1_313 = battlecry(deal(5, MY_HERO))  # Pit Lord
EX1_315 = costs(MY_HAND & MINION, -2, at_least=1)  # Summoning Portal
EX1_310 = battlecry(discard(random(MY_HAND, 2)))  # Doomguard
CS2_064 = battlecry(deal(1, OTHER_CHARACTERS))  # Dread Infernal
EX1_323 = battlecry(replace_hero("EX1_323h"), equip("EX1_323w"), set_power("EX1_tk33"))  # Lord Jaraxxus
NEW1_003 = spell(destroy(target(CHARACTERS & DEMON)), heal(5, MY_HERO))  # Sacrificial Pact
EX1_181 = spell(add_to_hand(any_card(DEMON)))  # Call of the Void
CS2_063 = spell(attach(target(ENEMY_MINIONS), on(turn_start(MINE), destroy(SELF))))  # Corruption
EX1_302 = spell(deal(1, target(MINIONS)), when(~exists(TARGET & ALIVE), draw(1)))  # Mortal Coil
EX1_308 = spell(deal(4, target(CHARACTERS)), discard(random(MY_HAND)))  # Soulfire
# Demonfire
EX1_596 = spell(when(exists(target(MINIONS) & FRIENDLY & DEMON), give(TARGET, +2, +2), otherwise=deal(2, TARGET)))
CS2_061 = spell(deal(2, target(CHARACTERS)), heal(2, MY_HERO))  # Drain Life
EX1_317 = spell(  # Sense Demons
    repeat(2, when(exists(MY_DECK & DEMON), draw_from(MY_DECK & DEMON), otherwise=add_to_hand("EX1_317t")))
)
CS2_057 = spell(deal(4, target(MINIONS)))  # Shadow Bolt
CS2_062 = spell(deal(3, CHARACTERS))  # Hellfire
EX1_303 = spell(deal(attack_of(TARGET), ENEMY_MINIONS), destroy(target(MY_MINIONS)))  # Shadowflame
EX1_320 = spell(deal(2, target(CHARACTERS)), when(~exists(TARGET & ALIVE), summon(any_card(DEMON))))  # Bane of Doom
EX1_309 = spell(destroy(target(MINIONS)), heal(3, MY_HERO))  # Siphon Soul
EX1_312 = spell(destroy(MINIONS))  # Twisting Nether
