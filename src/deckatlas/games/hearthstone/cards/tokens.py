"""Cards that others create or offer: heroes, hero powers, option cards, dream cards and other tokens with effects."""

from deckatlas.games.hearthstone.cards.language import *

HERO_01 = hero("CS2_102")  # Garrosh Hellscream
HERO_02 = hero("CS2_049")  # Thrall
HERO_03 = hero("CS2_083b")  # Valeera Sanguinar
HERO_04 = hero("CS2_101")  # Uther Lightbringer
HERO_05 = hero("DS1h_292")  # Rexxar
HERO_06 = hero("CS2_017")  # Malfurion Stormrage
HERO_07 = hero("CS2_056")  # Gul'dan
HERO_08 = hero("CS2_034")  # Jaina Proudmoore
HERO_09 = hero("CS1h_001")  # Anduin Wrynn
EX1_323h = hero("EX1_tk33")  # Lord Jaraxxus

CS2_017 = power(give(MY_HERO, +1, THIS_TURN), gain_armor(1))  # Shapeshift
DS1h_292 = power(deal(2, ENEMY_HERO))  # Steady Shot
CS2_034 = power(deal(1, target(CHARACTERS)))  # Fireblast
CS2_101 = power(summon("CS2_101t"), needs=BOARD_SPACE)  # Reinforce
CS1h_001 = power(heal(2, target(CHARACTERS)))  # Lesser Heal
CS2_083b = power(equip("CS2_082"))  # Dagger Mastery
BASIC_TOTEMS = not_in_play("CS2_050", "CS2_051", "CS2_052", "NEW1_009")
CS2_049 = power(summon(BASIC_TOTEMS), needs=left(BASIC_TOTEMS))  # Totemic Call
CS2_056 = power(draw(1), deal(2, MY_HERO))  # Life Tap
CS2_102 = power(gain_armor(2))  # Armor Up!
EX1_tk33 = power(summon("EX1_tk34"), needs=BOARD_SPACE)  # INFERNO!
EX1_625t = power(deal(2, target(CHARACTERS)))  # Mind Spike
EX1_625t2 = power(deal(3, target(CHARACTERS)))  # Mind Shatter

GAME_005 = spell(gain_mana(1))  # The Coin
CS2_013t = spell(draw(1))  # Excess Mana
EX1_014t = spell(give(target(MINIONS), +1, +1))  # Bananas
DREAM_02 = spell(deal(5, CHARACTERS & not_card("EX1_572")))  # Ysera Awakens
DREAM_04 = spell(bounce(target(MINIONS)))  # Dream
DREAM_05 = spell(give(target(MINIONS), +5, +5), attach(TARGET, on(turn_start(MINE), destroy(SELF))))  # Nightmare
NEW1_009 = on(turn_end(MINE), heal(1, MY_MINIONS))  # Healing Totem
NEW1_033 = aura(MY_OTHER_MINIONS, +1)  # Leokk

EX1_154a = option(deal(3, target(MINIONS)))  # Wrath
EX1_154b = option(deal(1, target(MINIONS)), draw(1))  # Wrath
EX1_155a = option(give(target(MINIONS), +4))  # Mark of Nature
EX1_155b = option(give(target(MINIONS), 0, +4, TAUNT))  # Mark of Nature
EX1_160a = option(summon("EX1_160t"), needs=BOARD_SPACE)  # Summon a Panther
EX1_160b = option(give(MY_MINIONS, +1, +1))  # Leader of the Pack
EX1_164a = option(gain_crystals(2))  # Nourish
EX1_164b = option(draw(3))  # Nourish
EX1_165a = option(transform(SELF, "EX1_165t1"))  # Cat Form
EX1_165b = option(transform(SELF, "EX1_165t2"))  # Bear Form
EX1_166a = option(deal(2, target(CHARACTERS)))  # Moonfire
EX1_166b = option(silence(target(MINIONS)))  # Dispel
EX1_178a = option(give(SELF, 0, +5, TAUNT))  # Rooted
EX1_178b = option(give(SELF, +5))  # Uproot
EX1_573a = option(give(MY_OTHER_MINIONS, +2, +2))  # Demigod's Favor
EX1_573b = option(summon_around("EX1_573t", 2))  # Shan'do's Lesson
NEW1_007a = option(deal(2, ENEMY_MINIONS))  # Starfall
NEW1_007b = option(deal(5, target(MINIONS)))  # Starfall
NEW1_008a = option(draw(1))  # Ancient Teachings
NEW1_008b = option(heal(5, target(CHARACTERS)))  # Ancient Secrets

Mekka1 = on(turn_start(MINE), destroy(SELF), draw(3))  # Homing Chicken
Mekka2 = on(turn_end(MINE), heal(6, random(CHARACTERS & DAMAGED)))  # Repair Bot
Mekka3 = on(turn_end(MINE), give(random(MINIONS), +1, +1))  # Emboldener 3000
Mekka4 = on(turn_start(MINE), transform(random(MINIONS), "Mekka4t"))  # Poultryizer
PRO_001a = spell(summon("PRO_001at", between(3, 5)), needs=BOARD_SPACE)  # I Am Murloc
PRO_001b = spell(deal(4, target(CHARACTERS)), draw(1))  # Rogues Do It...
HORDE = random_of("CS2_121", "EX1_021", "EX1_023", "EX1_110", "EX1_390", "CS2_179")
PRO_001c = spell(summon(HORDE), needs=BOARD_SPACE)  # Power of the Horde
