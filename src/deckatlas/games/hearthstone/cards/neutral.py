"""The neutral cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

CS2_188 = battlecry(give(target(MINIONS), +2, THIS_TURN))  # Abusive Sergeant
EX1_009 = enraged(+5)  # Angry Chicken
NEW1_025 = battlecry(lose_durability(1, ENEMY))  # Bloodsail Corsair
CS2_189 = battlecry(deal(1, target(CHARACTERS)))  # Elven Archer
EX1_508 = aura(MY_OTHER_MINIONS & MURLOC, +1)  # Grimscale Oracle
NEW1_017 = battlecry(destroy(target(MINIONS & MURLOC)), give(SELF, +2, +2))  # Hungry Crab
EX1_029 = deathrattle(deal(2, ENEMY_HERO))  # Leper Gnome
EX1_001 = on(healed(CHARACTERS), give(SELF, +2))  # Lightwarden
EX1_509 = on(summoned(MY_OTHER_MINIONS & MURLOC), give(SELF, +1))  # Murloc Tidecaller
EX1_080 = on(play_card(EITHER, SECRET), give(SELF, +1, +1))  # Secretkeeper
CS2_146 = aura(SELF, CHARGE, needs=HOLDING_WEAPON)  # Southsea Deckhand
EX1_011 = battlecry(heal(2, target(CHARACTERS)))  # Voodoo Doctor
EX1_004 = on(turn_end(MINE), give(random(MY_OTHER_MINIONS), 0, +1))  # Young Priestess
EX1_066 = battlecry(destroy(ENEMY_WEAPON))  # Acidic Swamp Ooze
EX1_393 = enraged(+3)  # Amani Berserker
EX1_012 = deathrattle(draw(1))  # Bloodmage Thalnos
NEW1_018 = battlecry(give(SELF, attack_of(MY_WEAPON)))  # Bloodsail Raider
EX1_059 = battlecry(swap_stats(target(MINIONS)))  # Crazed Alchemist
EX1_162 = aura(ADJACENT, +1)  # Dire Wolf Alpha
NEW1_021 = on(turn_start(MINE), destroy(MINIONS))  # Doomsayer
NEW1_019 = on(after_summon(MY_OTHER_MINIONS), deal(1, random(ENEMIES & ALIVE)))  # Knife Juggler
EX1_096 = deathrattle(draw(1))  # Loot Hoarder
# Lorewalker Cho
EX1_100 = on(cast_spell(MINE), copy_to_hand(THAT_SPELL, ENEMY)), on(cast_spell(ENEMY), copy_to_hand(THAT_SPELL, MINE))
EX1_082 = battlecry(split(3, OTHER_CHARACTERS))  # Mad Bomber
EX1_055 = on(cast_spell(MINE), give(SELF, +2, THIS_TURN))  # Mana Addict
EX1_616 = costs(HANDS & MINION, +1)  # Mana Wraith
NEW1_037 = on(turn_end(MINE), give(random(MY_OTHER_MINIONS), +1))  # Master Swordsmith
NEW1_029 = battlecry(temporarily(cost_is(ENEMY_HAND & SPELL, 0), ENEMYS_NEXT_TURN))  # Millhouse Manastorm
EX1_506 = battlecry(summon("EX1_506a"))  # Murloc Tidehunter
EX1_557 = on(turn_start(MINE), when(COIN_FLIP, draw(1)))  # Nat Pagle
EX1_015 = battlecry(draw(1))  # Novice Engineer
EX1_076 = costs(MY_HAND & MINION, -1, needs=NO_MINION_PLAYED)  # Pint-Sized Summoner
EX1_058 = battlecry(give(ADJACENT, TAUNT))  # Sunfury Protector
NEW1_020 = on(after_spell(MINE), deal(1, MINIONS))  # Wild Pyromancer
EX1_049 = battlecry(bounce(target(MY_MINIONS)))  # Youthful Brewmaster
EX1_007 = on(damaged(SELF), draw(1))  # Acolyte of Pain
EX1_006 = on(turn_start(MINE), swap_with_hand(random(MY_HAND & MINION)))  # Alarm-o-Bot
EX1_089 = battlecry(gain_crystals(1, ENEMY))  # Arcane Golem
EX1_590 = battlecry(  # Blood Knight
    give(SELF, 3 * count(MINIONS & has(DIVINE_SHIELD)), 3 * count(MINIONS & has(DIVINE_SHIELD))),
    lose(MINIONS, DIVINE_SHIELD),
)
EX1_103 = battlecry(give(MY_OTHER_MINIONS & MURLOC, 0, +2))  # Coldlight Seer
EX1_102 = on(turn_start(MINE), deal(2, random(ENEMIES & ALIVE)))  # Demolisher
CS2_117 = battlecry(heal(3, target(CHARACTERS)))  # Earthen Ring Farseer
tt_004 = on(death(OTHER_MINIONS), give(SELF, +1))  # Flesheating Ghoul
EX1_556 = deathrattle(summon("skele21"))  # Harvest Golem
EX1_597 = on(turn_end(MINE), deal(1, SELF), summon("EX1_598"))  # Imp Master
CS2_181 = battlecry(deal(4, SELF))  # Injured Blademaster
CS2_203 = battlecry(silence(target(MINIONS)))  # Ironbeak Owl
CS2_141 = battlecry(deal(1, target(CHARACTERS)))  # Ironforge Rifleman
EX1_014 = battlecry(add_to_hand("EX1_014t", 2, ENEMY))  # King Mukla
EX1_085 = battlecry(when(exists(ENEMY_MINIONS, 4), take_control(random(ENEMY_MINIONS))))  # Mind Control Tech
EX1_507 = aura(MY_OTHER_MINIONS & MURLOC, +2)  # Murloc Warleader
EX1_044 = on(play_card(MINE), give(SELF, +1, +1))  # Questing Adventurer
EX1_412 = enraged(+1, WINDFURY)  # Raging Worgen
CS2_122 = aura(MY_OTHER_MINIONS, +1)  # Raid Leader
CS2_196 = battlecry(summon("CS2_boar"))  # Razorfen Hunter
EX1_019 = battlecry(give(target(MY_MINIONS), +1, +1))  # Shattered Sun Cleric
NEW1_027 = aura(MY_OTHER_MINIONS & PIRATE, +1, +1)  # Southsea Captain
EX1_390 = enraged(+3)  # Tauren Warrior
EX1_083 = battlecry(transform(random(OTHER_MINIONS), random_of("EX1_tk29", "EX1_tk28")))  # Tinkmaster Overspark
EX1_057 = battlecry(bounce(target(MY_MINIONS)))  # Ancient Brewmaster
EX1_584 = battlecry(give(ADJACENT, SPELL_DAMAGE))  # Ancient Mage
EX1_595 = on(death(MY_OTHER_MINIONS), draw(1))  # Cult Master
EX1_046 = battlecry(give(target(MINIONS), +2, THIS_TURN))  # Dark Iron Dwarf
EX1_093 = battlecry(give(ADJACENT, +1, +1, TAUNT))  # Defender of Argus
EX1_025 = battlecry(summon("EX1_025t"))  # Dragonling Mechanic
NEW1_022 = own_cost(-attack_of(MY_WEAPON))  # Dread Corsair
CS2_147 = battlecry(draw(1))  # Gnomish Inventor
EX1_048 = battlecry(silence(target(MINIONS)))  # Spellbreaker
EX1_043 = battlecry(give(SELF, 0, hand_size(MINE)))  # Twilight Drake
NEW1_026 = on(cast_spell(MINE), summon("NEW1_026t"))  # Violet Teacher
EX1_097 = deathrattle(deal(2, CHARACTERS))  # Abomination
EX1_005 = battlecry(destroy(target(MINIONS & attack_at_least(7))))  # Big Game Hunter
NEW1_024 = battlecry(give(MY_WEAPON, +1, +1))  # Captain Greenskin
DS1_055 = battlecry(heal(2, MY_CHARACTERS))  # Darkscale Healer
EX1_564 = battlecry(transform(SELF, copy_of(target(MINIONS))))  # Faceless Manipulator
CS2_226 = battlecry(give(SELF, count(MY_OTHER_MINIONS), count(MY_OTHER_MINIONS)))  # Frostwolf Warlord
EX1_399 = on(damaged(SELF), give(SELF, +3))  # Gurubashi Berserker
EX1_558 = battlecry(draw(durability_of(ENEMY)), destroy(ENEMY_WEAPON))  # Harrison Jones
EX1_116 = battlecry(summon("EX1_116t", 2, ENEMY))  # Leeroy Jenkins
EX1_593 = battlecry(deal(3, ENEMY_HERO))  # Nightblade
CS2_151 = battlecry(summon("CS2_152"))  # Silver Hand Knight
CS2_221 = aura(MY_WEAPON, +2, needs=SELF_DAMAGED)  # Spiteful Smith
NEW1_041 = battlecry(destroy(random(ENEMY_MINIONS & attack_at_most(2))))  # Stampeding Kodo
CS2_150 = battlecry(deal(2, target(CHARACTERS)))  # Stormpike Commando
CS2_227 = costs(MY_HAND & MINION, +3)  # Venture Co. Mercenary
EX1_110 = deathrattle(summon("EX1_110t"))  # Cairne Bloodhoof
EX1_283 = battlecry(freeze(target(CHARACTERS)))  # Frost Elemental
EX1_095 = on(cast_spell(MINE), draw(1))  # Gadgetzan Auctioneer
NEW1_040 = on(turn_end(MINE), summon("NEW1_040t"))  # Hogger
EX1_614 = on(play_card(MINE), summon("EX1_614t"))  # Illidan Stormrage
EX1_583 = battlecry(heal(4, MY_HERO))  # Priestess of Elune
EX1_577 = deathrattle(summon("EX1_finkle", 1, ENEMY))  # The Beast
EX1_002 = battlecry(destroy(target(ENEMY_MINIONS & has(TAUNT))))  # The Black Knight
EX1_249 = on(turn_end(MINE), deal(2, OTHER_CHARACTERS))  # Baron Geddon
CS2_222 = aura(MY_OTHER_MINIONS, +1, +1)  # Stormwind Champion
NEW1_038 = on(turn_end(EITHER), give(SELF, +1, +1))  # Gruul
EX1_561 = battlecry(set_current_health(target(HEROES), 15))  # Alexstrasza
EX1_560 = nothing("it changes how long a turn may take, and nothing here is timed")  # Nozdormu
EX1_562 = battlecry(summon_around("ds1_whelptoken", FREE_SLOTS))  # Onyxia
# Ysera
EX1_572 = on(turn_end(MINE), add_to_hand(random_of("DREAM_01", "DREAM_02", "DREAM_03", "DREAM_04", "DREAM_05")))
NEW1_030 = battlecry(destroy(OTHER_MINIONS), discard(MY_HAND))  # Deathwing
EX1_586 = own_cost(-count(MINIONS))  # Sea Giant
EX1_105 = own_cost(-count(MY_OTHER_CARDS))  # Mountain Giant
