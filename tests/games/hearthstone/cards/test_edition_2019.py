"""What came or changed in the year after the default edition, a fact a row."""

import pytest

from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, Race
from deckatlas.games.hearthstone.cards.editions import edition
from helpers.hearthstone_facts import Fact, attack, cannot, end_turn, fact, hurt, me, minion, one_of, op, play

NEW = "2019-12"
CARDS = [card for card in edition(NEW).cards if card.set in ("basic", "classic") and card.collectible]
BEASTS = [card.name for card in CARDS if card.race is Race.beast]
LEGENDS = [card.name for card in CARDS if card.rarity == "legendary" and card.type is CardType.minion]
OF_OTHER_CLASSES = [card.name for card in CARDS if card.hero_class not in (HeroClass.neutral, HeroClass.rogue)]
ODD = ["Wolfrider", "Magma Rager"]
EVEN = ["Wisp", "Bloodfen Raptor"]
ATTACK = attack("me.board.0", "op.board.0")

# fmt: off
FACTS = [
    # ---- other costs ----
    fact("Cold Blood", me(board=["Wisp"]), play("Cold Blood", at="me.board.0"),
         {"me.board.0": "3/1", "me.mana": 8}, on=NEW),
    fact("Hunter's Mark", op(board=["War Golem"]), play("Hunter's Mark", at="op.board.0"),
         {"op.board.0": "7/1", "me.mana": 8}, on=NEW),
    fact("Flametongue Totem", me(board=["Wisp"]), play("Flametongue Totem"),
         {"me.board.0": "3/1", "me.mana": 7}, on=NEW),
    fact("Equality", me(board=["War Golem"]), op(board=["War Golem"]), play("Equality"),
         {"me.board.0": "7/1", "op.board.0": "7/1", "me.mana": 6}, on=NEW),

    # ---- other effects ----
    fact("Preparation", me(hand=["Preparation", "Sprint", "Sprint"]), play("Preparation"), {"me.hand.0.cost": 5},
         play("Sprint"), {"me.hand.0.cost": 7, "me.mana": 5}, on=NEW, why="2 less, once"),
    fact("Preparation", me(hand=["Preparation", "Sprint"]), play("Preparation"), end_turn(), {"me.hand.0.cost": 7},
         on=NEW, why="this turn only"),
    *(fact(card, op(board=["War Golem"]), play(card), {"op.board.0": f"7/{7 - damage}"}, on=NEW, why="one is enough")
      for card, damage in [("Cleave", 2), ("Multi-Shot", 3), ("Forked Lightning", 2)]),
    *(fact(card, me(board=["War Golem"]), op(board=["War Golem"] * 3), play(card),
           {"sum(op.board.0.health,op.board.1.health,op.board.2.health)": 21 - 2 * damage, "me.board.0": "7/7"},
           on=NEW, seeds=10, why="two enemies of three")
      for card, damage in [("Cleave", 2), ("Multi-Shot", 3), ("Forked Lightning", 2)]),
    *(fact(card, cannot(play(card)), {"me.mana": 10}, on=NEW, why="not without an enemy minion")
      for card in ["Cleave", "Multi-Shot", "Forked Lightning"]),
    fact("Pilfer", op(hero="rogue"), play("Pilfer"), {"me.hand": 1, "me.hand.0.id": {"in": OF_OTHER_CLASSES},
         "me.mana": 9}, on=NEW, seeds=20, why="of another class, whoever the enemy is"),

    # ---- new spells and minions of the classes ----
    fact("Gift of the Wild", me(board=["Wisp", "Wisp"]), op(board=["Wisp"]), play("Gift of the Wild"),
         {"me.board.0": "3/3", "me.board.1": "3/3", "me.board.0.taunt": True, "me.board.1.taunt": True,
          "op.board.0": "1/1", "me.mana": 2}, on=NEW),
    fact("Righteousness", me(board=["Wisp", "Wisp"]), op(board=["Wisp"]), play("Righteousness"),
         {"me.board.0.divine_shield": True, "me.board.1.divine_shield": True, "op.board.0.divine_shield": False,
          "me.mana": 5}, on=NEW),
    fact("Siegebreaker", me(board=["Flame Imp", "Wisp"]), op(board=["Flame Imp"]), play("Siegebreaker"),
         {"me.board.0": "4/2", "me.board.1": "1/1", "me.board.2": "5/8", "me.board.2.taunt": True, "op.board.0": "3/2",
          "me.mana": 3}, on=NEW, why="other friendly demons"),
    fact("Plaguebringer", me(board=["Wisp"]), op(board=["War Golem"]), play("Plaguebringer", at="me.board.0"), ATTACK,
         {"op.board": 0, "me.mana": 6}, on=NEW),
    fact("Plaguebringer", me(board=["Wisp"], hand=["Plaguebringer"]), op(board=["Wisp"]), cannot(play("Plaguebringer")),
         {"me.hand.0.targets": ["me.board.0"]}, on=NEW, why="a friend"),
    fact("Plaguebringer", play("Plaguebringer"), {"me.board.0": "3/3", "me.board.0.poisonous": False}, on=NEW,
         why="not itself"),
    fact("Radiance", me(health=20, board=["Kobold Geomancer"]), op(health=20), play("Radiance"),
         {"me.hero.health": 25, "op.hero.health": 20, "me.mana": 9}, on=NEW),
    fact("Felstalker", me(hand=["Felstalker", "Wisp"]), play("Felstalker"), {"me.board.0": "4/3", "me.hand": 0}, on=NEW,
         why="a discard, by another name"),

    # ---- new neutral minions ----
    fact("SI:7 Infiltrator", op(secrets=["Counterspell", "Ice Barrier"]), play("SI:7 Infiltrator"),
         one_of("op.secrets", ["Counterspell"], ["Ice Barrier"]), on=NEW, why="any one"),
    fact("SI:7 Infiltrator", me(secrets=["Counterspell"]), play("SI:7 Infiltrator"),
         {"me.secrets": 1, "me.board.0": "5/4", "me.mana": 6}, on=NEW, why="not mine"),
    fact("Arcane Devourer", me(board=["Arcane Devourer"]), play("The Coin"), {"me.board.0": "7/7"}, end_turn(),
         play("The Coin"), {"me.board.0": "7/7"}, on=NEW, why="for good, and for my spells"),
    minion("Arcane Devourer", 8, 5, 5, on=NEW),
    fact("Barrens Stablehand", play("Barrens Stablehand"),
         {"me.board": 2, "me.board.0": "4/4", "me.board.1.id": {"in": BEASTS}, "me.mana": 3}, on=NEW, seeds=20),
    fact("Barrens Stablehand", me(board=["Wisp"] * 6), play("Barrens Stablehand"), {"me.board": 7}, on=NEW,
         why="not on a full board"),
    fact("Brightwing", play("Brightwing"),
         {"me.hand": 1, "me.hand.0.id": {"in": LEGENDS}, "me.board.0": "3/2", "me.mana": 7}, on=NEW, seeds=20),
    fact("High Inquisitor Whitemane", me(board=["Wisp", "Loot Hoarder", "Raid Leader"]),
         op(board=["War Golem", "Wisp"]), ATTACK, ATTACK, play("High Inquisitor Whitemane"),
         {"me.board.sorted": ["High Inquisitor Whitemane", "Loot Hoarder", "Raid Leader", "Wisp"], "me.hand": 1,
          "me.mana": 3}, on=NEW, why="all who died"),
    fact("High Inquisitor Whitemane", me(board=["War Golem"]), op(board=["Wisp"]), ATTACK,
         play("High Inquisitor Whitemane"), {"me.board": 2}, on=NEW, why="friends only"),
    fact("High Inquisitor Whitemane", me(board=["Wisp"]), op(board=["War Golem"]), ATTACK, end_turn(), end_turn(),
         play("High Inquisitor Whitemane"), {"me.board": ["High Inquisitor Whitemane"]}, on=NEW, why="this turn only"),
    fact("High Inquisitor Whitemane", me(hero="priest", board=["Wisp"]), op(board=["War Golem"]),
         play("Power Word: Shield", at="me.board.0"), ATTACK, play("High Inquisitor Whitemane"), {"me.board.1": "1/1"},
         on=NEW, why="as they are printed"),

    # ---- cards of other sets that came with the Hall of Fame ----
    minion("Genn Greymane", 6, 6, 5, on=NEW),
    minion("Baku the Mooneater", 9, 7, 8, on=NEW),
    fact("Gloom Stag", me(deck=ODD), play("Gloom Stag"), {"me.board.0": "4/8", "me.board.0.taunt": True, "me.mana": 5},
         on=NEW),
    fact("Gloom Stag", me(deck=[*ODD, "Wisp"]), play("Gloom Stag"), {"me.board.0": "2/6"}, on=NEW, why="an even cost"),
    fact("Gloom Stag", me(deck=[]), play("Gloom Stag"), {"me.board.0": "4/8"}, on=NEW, why="an empty deck has none"),
    fact("Murkspark Eel", me(deck=EVEN), play("Murkspark Eel", at="op.hero"), {"op.hero.health": 28, "me.mana": 8},
         on=NEW),
    fact("Murkspark Eel", me(deck=[*EVEN, "Wolfrider"]), play("Murkspark Eel"), {"me.board.0": "2/3"}, on=NEW,
         why="an odd cost"),
    fact("Glitter Moth", me(deck=ODD, board=["War Golem", hurt("War Golem", 3)]), op(board=["Wisp"]),
         play("Glitter Moth"), {"me.board.0": "7/14", "me.board.1": "7/8", "me.board.2": "4/4", "op.board.0": "1/1",
         "me.mana": 5}, on=NEW, why="other friends, what is left of their health"),
    fact("Glitter Moth", me(board=["War Golem"]), play("Glitter Moth"), {"me.board.0": "7/7"}, on=NEW,
         why="an even cost"),
    fact("Black Cat", me(deck=ODD), play("Black Cat"), {"me.hand": 1, "me.spell_damage": 1, "me.board.0": "3/3",
         "me.mana": 7}, on=NEW),
    fact("Black Cat", play("Black Cat"), {"me.hand": 0}, on=NEW, why="an even cost"),
]
# fmt: on


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_edition_2019(fact: Fact) -> None:
    assert fact.problems() == []
