"""The Paladin cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

EX1_362 = battlecry(give(target(MY_MINIONS), DIVINE_SHIELD))  # Argent Protector
EX1_382 = battlecry(set_attack(target(ENEMY_MINIONS), 1))  # Aldor Peacekeeper
CS2_088 = battlecry(heal(6, MY_HERO))  # Guardian of Kings
EX1_383 = deathrattle(equip("EX1_383t"))  # Tirion Fordring
CS2_087 = spell(give(target(MINIONS), +3))  # Blessing of Might
EX1_363 = spell(attach(target(MINIONS), on(attack(by=SELF), draw(1))))  # Blessing of Wisdom
EX1_132 = secret(damaged(MY_HERO), deal(EVENT_AMOUNT, ENEMY_HERO, boosted=False))  # Eye for an Eye
EX1_371 = spell(give(target(MINIONS), DIVINE_SHIELD))  # Hand of Protection
EX1_360 = spell(set_attack(target(MINIONS), 1))  # Humility
# Noble Sacrifice
EX1_130 = secret(attack(by=ENEMIES), summon("EX1_130a"), redirect_attack(LAST_SUMMONED), needs=BOARD_SPACE)
EX1_136 = secret(  # Redemption
    death(MY_MINIONS), summon(fresh_copy_of(IT)), set_current_health(LAST_SUMMONED, 1), needs=BOARD_SPACE
)
EX1_379 = secret(after_play_minion(ENEMY), set_health(IT, 1))  # Repentance
EX1_619 = spell(set_health(MINIONS, 1))  # Equality
CS2_089 = spell(heal(6, target(CHARACTERS)))  # Holy Light
EX1_349 = spell(draw(HAND_DIFFERENCE))  # Divine Favor
CS2_092 = spell(give(target(MINIONS), +4, +4))  # Blessing of Kings
CS2_093 = spell(deal(2, ENEMIES))  # Consecration
CS2_094 = spell(deal(3, target(CHARACTERS)), draw(1))  # Hammer of Wrath
EX1_355 = spell(give(target(MINIONS), attack_of(TARGET)))  # Blessed Champion
EX1_365 = spell(draw(1), deal(DRAWN_COST, target(CHARACTERS)))  # Holy Wrath
EX1_384 = spell(split(8, ENEMIES))  # Avenging Wrath
EX1_354 = spell(heal(8, target(CHARACTERS)), draw(3))  # Lay on Hands
EX1_366 = on(after_summon(MY_MINIONS), give(IT, +1, +1), lose_durability(1))  # Sword of Justice
CS2_097 = on(attack(by=MY_HERO), heal(2, MY_HERO))  # Truesilver Champion
