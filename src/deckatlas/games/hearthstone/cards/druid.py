"""The Druid cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

EX1_169 = spell(gain_mana(1))  # Innervate
CS2_008 = spell(deal(1, target(CHARACTERS)))  # Moonfire
CS2_005 = spell(give(MY_HERO, +2, THIS_TURN), gain_armor(2))  # Claw
EX1_161 = spell(destroy(target(MINIONS)), draw(2, ENEMY))  # Naturalize
EX1_578 = spell(deal(attack_of(MY_HERO), target(MINIONS)))  # Savagery
CS2_009 = spell(give(target(MINIONS), +2, +2, TAUNT))  # Mark of the Wild
EX1_154 = choose_one("EX1_154a", "EX1_154b")  # Wrath
EX1_160 = choose_one("EX1_160a", "EX1_160b")  # Power of the Wild
CS2_007 = spell(heal(8, target(CHARACTERS)))  # Healing Touch
EX1_155 = choose_one("EX1_155a", "EX1_155b")  # Mark of Nature
CS2_011 = spell(give(MY_CHARACTERS, +2, THIS_TURN))  # Savage Roar
CS2_013 = spell(when(FULL_MANA, add_to_hand("CS2_013t"), otherwise=gain_empty_crystals(1)))  # Wild Growth
EX1_570 = spell(give(MY_HERO, +4, THIS_TURN), gain_armor(4))  # Bite
EX1_158 = spell(attach(MY_MINIONS, deathrattle(summon("EX1_158t"))))  # Soul of the Forest
CS2_012 = spell(deal(4, target(ENEMIES)), deal(1, OTHER_ENEMIES))  # Swipe
EX1_166 = choose_one("EX1_166a", "EX1_166b")  # Keeper of the Grove
EX1_571 = spell(summon("EX1_tk9", 3), needs=BOARD_SPACE)  # Force of Nature
NEW1_007 = choose_one("NEW1_007a", "NEW1_007b")  # Starfall
EX1_165 = choose_one("EX1_165a", "EX1_165b")  # Druid of the Claw
EX1_164 = choose_one("EX1_164a", "EX1_164b")  # Nourish
EX1_173 = spell(deal(5, target(CHARACTERS)), draw(1))  # Starfire
NEW1_008 = choose_one("NEW1_008a", "NEW1_008b")  # Ancient of Lore
EX1_178 = choose_one("EX1_178a", "EX1_178b")  # Ancient of War
EX1_573 = choose_one("EX1_573a", "EX1_573b")  # Cenarius
