"""The Hunter cards of the Basic and Classic sets."""

from deckatlas.games.hearthstone.cards.language import *

DS1_175 = aura(MY_OTHER_MINIONS & BEAST, +1)  # Timber Wolf
EX1_531 = on(death(MY_OTHER_MINIONS & BEAST), give(SELF, +2, +1))  # Scavenging Hyena
DS1_070 = battlecry(give(target(MY_MINIONS & BEAST), +2, +2, TAUNT))  # Houndmaster
CS2_237 = on(summoned(MY_OTHER_MINIONS & BEAST), draw(1))  # Starving Buzzard
DS1_178 = aura(MY_MINIONS & BEAST, CHARGE)  # Tundra Rhino
EX1_534 = deathrattle(summon("EX1_534t", 2))  # Savannah Highmane
DS1_185 = spell(deal(2, target(CHARACTERS)))  # Arcane Shot
EX1_549 = spell(give(target(MY_MINIONS & BEAST), +2, IMMUNE, THIS_TURN))  # Bestial Wrath
CS2_084 = spell(set_health(target(MINIONS), 1))  # Hunter's Mark
DS1_184 = spell(look_at_top(3))  # Tracking
EX1_610 = secret(attack(by=ENEMIES, on=MY_HERO), deal(2, ENEMIES))  # Explosive Trap
EX1_544 = spell(lose(MINIONS, STEALTH), destroy(ENEMY_SECRETS), draw(1))  # Flare
EX1_611 = secret(attack(by=ENEMY_MINIONS & ALIVE), bounce(ATTACKER), change_cost(LAST_DRAWN, +2))  # Freezing Trap
EX1_533 = secret(  # Misdirection
    attack(by=ENEMIES & ALIVE, on=MY_HERO),
    redirect_attack(random(BYSTANDERS & ALIVE)),
    needs=exists(BYSTANDERS & ALIVE),
)
EX1_554 = secret(attack(by=ENEMIES, on=MY_MINIONS), summon("EX1_554t", 3), needs=BOARD_SPACE)  # Snake Trap
EX1_609 = secret(after_play_minion(ENEMY_MINIONS), deal(4, IT))  # Snipe
NEW1_031 = spell(summon(random_of("NEW1_032", "NEW1_033", "NEW1_034")), needs=BOARD_SPACE)  # Animal Companion
EX1_617 = spell(destroy(random(ENEMY_MINIONS)), needs=exists(ENEMY_MINIONS))  # Deadly Shot
# Kill Command
EX1_539 = spell(when(exists(MY_MINIONS & BEAST), deal(5, target(CHARACTERS)), otherwise=deal(3, TARGET)))
# Unleash the Hounds
EX1_538 = spell(summon("EX1_538t", count(ENEMY_MINIONS)), needs=(exists(ENEMY_MINIONS), BOARD_SPACE))
DS1_183 = spell(deal(3, random(ENEMY_MINIONS, 2)), needs=exists(ENEMY_MINIONS, 2))  # Multi-Shot
EX1_537 = spell(deal(5, target(MINIONS)), deal(2, ADJACENT_TO_TARGET))  # Explosive Shot
EX1_536 = on(secret_revealed(MINE), give(MY_WEAPON, 0, +1))  # Eaglehorn Bow
DS1_188 = rule(IMMUNE_WHILE_ATTACKING)  # Gladiator's Longbow
